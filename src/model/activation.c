/* SPDX-License-Identifier: Apache-2.0 */
#include "layers.h"

size_t wgdn_layers_work(int64_t n, int64_t d)
{
    /* Two rows of results, and the blocks' own: two rows each, and scalars for narrow matrices. */
    return (size_t)(2 * d) * sizeof(double) + wgdn_for_blocks_work(n, 2 * d + 2);
}

typedef struct prelu_call {
    float *y;
    const float *x, *dy;
    float a;
    int64_t d;
} prelu_call;

/*
 * PReLU with one slope a:  y = x for x > 0, a x otherwise.                 [WGDN:prelu]
 * The slope branch holds at 0.
 */
static void forward(int64_t first, int64_t count, double *sums, void *context)
{
    const prelu_call *c = context;
    const float a = c->a;
    (void)sums;
    for (int64_t i = first * c->d; i < (first + count) * c->d; i++)
        c->y[i] = c->x[i] > 0 ? c->x[i] : a * c->x[i];
}

void wgdn_prelu(float *y, const float *x, float a, int64_t n, int64_t d)
{
    prelu_call c = {.y = y, .x = x, .a = a, .d = d};
    wgdn_for_blocks(n, forward, &c, NULL, 0, NULL);
}

/* dx = dy for x > 0, a dy otherwise;  da = sum over x <= 0 of dy x. */
static void backward(int64_t first, int64_t count, double *sums, void *context)
{
    const prelu_call *c = context;
    const float a = c->a;
    for (int64_t i = first; i < first + count; i++) {
        const float *x = c->x + i * c->d, *dy = c->dy + i * c->d;
        float *dx = c->y + i * c->d;
        double slope = 0;
        for (int64_t j = 0; j < c->d; j++) {
            const bool on = x[j] > 0;
            slope += on ? 0 : (double)dy[j] * x[j];
            dx[j] = on ? dy[j] : a * dy[j];
        }
        sums[0] += slope;
    }
}

double wgdn_prelu_back(float *dx, const float *dy, const float *x, float a, int64_t n, int64_t d,
                       void *work)
{
    prelu_call c = {.y = dx, .x = x, .dy = dy, .a = a, .d = d};
    double slope;
    wgdn_for_blocks(n, backward, &c, &slope, 1, work);
    return slope;
}
