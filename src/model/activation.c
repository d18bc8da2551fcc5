/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What follows a layer's products:  y = prelu(z),  z = norm(x), in one pass over the rows.
 *
 * PReLU with one slope a:  y = z for z > 0, a z otherwise; the slope branch holds at 0.
 * [WGDN:prelu] dz = dy for z > 0, a dy otherwise;   da = sum over z <= 0 of dy z. z is not kept but
 * made again. The norm's formulas stand in norm.c.
 */
#include "layers.h"

enum { PIECE = 256 }; /* columns of z alive at once: within the first-level cache */

size_t wgdn_layers_work(wgdn_span n, int64_t d)
{
    /* Two rows of results and scalars, and as much for each block. */
    return (size_t)(2 * d + 2) * sizeof(double) + wgdn_for_blocks_work(n, 2 * d + 2);
}

typedef struct activation_call {
    const wgdn_layer_ops *ops;
    const wgdn_norm_state *s;
    const float *slope, *x;
    float *y;            /* y, or dy to be turned into dx */
    const double *means; /* BatchNorm's way back: of dxhat, then of dxhat xhat, per column */
    int64_t d;
} activation_call;

static void forward(int64_t first, int64_t count, double *sums, void *context)
{
    const activation_call *c = context;
    (void)sums;
    for (int64_t i = first; i < first + count; i++) {
        const float *x = c->x + i * c->d;
        float *y = c->y + i * c->d;
        if (c->s->kind != WGDN_NORM_NONE) {
            wgdn_norm_apply(y, c->s, x, i, 0, c->d, c->ops);
            x = y;
        }
        if (c->slope) c->ops->prelu(y, x, *c->slope, c->d);
    }
}

void wgdn_activate(float *y, const wgdn_norm_state *s, const float *slope, const float *x,
                   int64_t n, int64_t d)
{
    activation_call c = {.ops = wgdn_layer_rows(), .s = s, .slope = slope, .x = x, .y = y, .d = d};
    if (slope || s->kind != WGDN_NORM_NONE)
        wgdn_for_blocks(wgdn_alone(n), forward, &c, NULL, 0, NULL);
    else if (y != x)
        wgdn_copy(y, x, n, d);
}

/* dz of one row in place of dy; returns da. */
static double slope_back(const activation_call *c, int64_t i)
{
    double slope = 0;
    for (int64_t j = 0; c->slope && j < c->d; j += PIECE) {
        const int64_t at = i * c->d + j, width = wgdn_min(PIECE, c->d - j);
        const float *z = c->x + at;
        float made[PIECE];
        if (c->s->kind != WGDN_NORM_NONE) {
            wgdn_norm_apply(made, c->s, z, i, j, width, c->ops);
            z = made;
        }
        slope += c->ops->prelu_back(c->y + at, 1, c->y + at, z, *c->slope, width);
    }
    return slope;
}

/* da, and with a norm d sums of dshift and d of dscale; LayerNorm's dx is ready at once. */
static void backward(int64_t first, int64_t count, double *sums, void *context)
{
    const activation_call *c = context;
    for (int64_t i = first; i < first + count; i++) {
        const float *x = c->x + i * c->d;
        float *dy = c->y + i * c->d;
        sums[0] += slope_back(c, i);
        if (c->s->kind == WGDN_NORM_NONE) continue;
        const wgdn_norm_row p = wgdn_norm_at(c->s, i, 0);
        double *dshift = sums + 1, *dscale = dshift + c->d;
        if (c->s->kind == WGDN_NORM_LAYER)
            c->ops->normalise_back(dy, dshift, dscale, dy, x, &p, c->d);
        else
            c->ops->normalise_sums(dshift, dscale, dy, x, &p, c->d);
    }
}

static void backward_columns(int64_t first, int64_t count, double *sums, void *context)
{
    const activation_call *c = context;
    (void)sums;
    for (int64_t i = first; i < first + count; i++) {
        const wgdn_norm_row p = wgdn_norm_at(c->s, i, 0);
        float *dy = c->y + i * c->d;
        c->ops->normalise_back_columns(dy, c->means, c->means + c->d, dy, c->x + i * c->d, &p,
                                       c->d);
    }
}

void wgdn_activate_back(float *dx, float *dslope, float *dscale, float *dshift,
                        const wgdn_norm_state *s, const float *slope, const float *x, wgdn_span n,
                        int64_t d, void *work)
{
    const bool norm = s->kind != WGDN_NORM_NONE;
    double *sums = work, *scratch = sums + 2 * d + 2;
    activation_call c = {.ops = wgdn_layer_rows(), .s = s, .slope = slope, .x = x, .y = dx, .d = d};
    if (!slope && !norm) return;
    wgdn_for_blocks(n, backward, &c, sums, norm ? 2 * d + 1 : 1, scratch);
    if (dslope) *dslope = (float)sums[0];
    if (!norm) return;
    for (int64_t j = 0; j < d; j++) {
        dshift[j] = (float)sums[1 + j];
        dscale[j] = (float)sums[1 + d + j];
        sums[1 + j] *= s->scale[j] / (double)n.total;
        sums[1 + d + j] *= s->scale[j] / (double)n.total;
    }
    c.means = sums + 1;
    if (s->kind == WGDN_NORM_BATCH) wgdn_for_blocks(n, backward_columns, &c, NULL, 0, NULL);
}
