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
    const wgdn_activation *a;
    float *y;            /* y, or dy, which becomes dx */
    const double *means; /* BatchNorm's backward pass: of dxhat, then of dxhat xhat, per column */
} activation_call;

static void forward(int64_t first, int64_t count, double *sums, void *context)
{
    const activation_call *c = context;
    const wgdn_activation *a = c->a;
    (void)sums;
    for (int64_t i = first; i < first + count; i++) {
        const float *x = a->x + i * a->d;
        float *y = c->y + i * a->d;
        if (a->norm->kind != WGDN_NORM_NONE) {
            wgdn_norm_apply(y, a->norm, x, i, 0, a->d, c->ops);
            x = y;
        }
        if (a->slope) c->ops->prelu(y, x, *a->slope, a->d);
    }
}

void wgdn_activate(float *y, const wgdn_activation *a)
{
    activation_call c = {.ops = wgdn_layer_rows(), .a = a, .y = y};
    if (a->slope || a->norm->kind != WGDN_NORM_NONE)
        wgdn_for_blocks(a->n, forward, &c, NULL, 0, NULL);
    else if (y != a->x)
        wgdn_copy(y, a->x, a->n.count, a->d);
}

/* dz of one row in place of dy; returns da. */
static double slope_back(const activation_call *c, int64_t i)
{
    const wgdn_activation *a = c->a;
    double slope = 0;
    for (int64_t j = 0; a->slope && j < a->d; j += PIECE) {
        const int64_t at = i * a->d + j, width = wgdn_min(PIECE, a->d - j);
        const float *z = a->x + at;
        float made[PIECE];
        if (a->norm->kind != WGDN_NORM_NONE) {
            wgdn_norm_apply(made, a->norm, z, i, j, width, c->ops);
            z = made;
        }
        slope += c->ops->prelu_back(c->y + at, 1, c->y + at, z, *a->slope, width);
    }
    return slope;
}

/* da, and with a norm d sums of dshift and d of dscale; LayerNorm's dx is ready at once. */
static void backward(int64_t first, int64_t count, double *sums, void *context)
{
    const activation_call *c = context;
    const wgdn_activation *a = c->a;
    for (int64_t i = first; i < first + count; i++) {
        const float *x = a->x + i * a->d;
        float *dy = c->y + i * a->d;
        sums[0] += slope_back(c, i);
        if (a->norm->kind == WGDN_NORM_NONE) continue;
        const wgdn_norm_row p = wgdn_norm_at(a->norm, i, 0);
        double *dshift = sums + 1, *dscale = dshift + a->d;
        if (a->norm->kind == WGDN_NORM_LAYER)
            c->ops->normalise_back(dy, dshift, dscale, dy, x, &p, a->d);
        else
            c->ops->normalise_sums(dshift, dscale, dy, x, &p, a->d);
    }
}

static void backward_columns(int64_t first, int64_t count, double *sums, void *context)
{
    const activation_call *c = context;
    const wgdn_activation *a = c->a;
    (void)sums;
    for (int64_t i = first; i < first + count; i++) {
        const wgdn_norm_row p = wgdn_norm_at(a->norm, i, 0);
        float *dy = c->y + i * a->d;
        c->ops->normalise_back_columns(dy, c->means, c->means + a->d, dy, a->x + i * a->d, &p,
                                       a->d);
    }
}

void wgdn_activate_back(float *dx, float *dslope, float *dscale, float *dshift,
                        const wgdn_activation *a, void *work)
{
    const wgdn_norm_state *s = a->norm;
    const bool norm = s->kind != WGDN_NORM_NONE;
    const int64_t d = a->d;
    double *sums = work, *scratch = sums + 2 * d + 2;
    activation_call c = {.ops = wgdn_layer_rows(), .a = a, .y = dx};
    if (!a->slope && !norm) return;
    wgdn_for_blocks(a->n, backward, &c, sums, norm ? 2 * d + 1 : 1, scratch);
    if (dslope) *dslope = (float)sums[0];
    if (!norm) return;
    for (int64_t j = 0; j < d; j++) {
        dshift[j] = (float)sums[1 + j];
        dscale[j] = (float)sums[1 + d + j];
        sums[1 + j] *= s->scale[j] / (double)a->n.total;
        sums[1 + d + j] *= s->scale[j] / (double)a->n.total;
    }
    c.means = sums + 1;
    if (s->kind == WGDN_NORM_BATCH) wgdn_for_blocks(a->n, backward_columns, &c, NULL, 0, NULL);
}
