/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Computes the pieces that encoder and decoder share: normalization and activation. encoder.c and
 * step.c call them, forward and backward; their loops work row by row.
 */
#include "layers.h"
#include "layer_rows.h"
#include "linalg/rows.h"

#include <math.h>
#include <string.h>

const wgdn_layer_ops *wgdn_layer_rows(void)
{
    static const wgdn_layer_ops *const variants[] =
        WGDN_VARIANTS(wgdn_layer_rows_plain, wgdn_layer_rows);
    return variants[wgdn_cpu_level()];
}

/*
 * LayerNorm (over the columns of a row) and BatchNorm (over the rows of a column):      [WGDN:norm]
 *
 *     y = scale * xhat + shift,   xhat = (x - mean) * inv,   inv = 1 / sqrt(var + 1e-5)
 *
 * with the biased variance. The gradient, with dxhat = scale * dy and averages < > over the same
 * entries as the mean:
 *
 *     dx = inv * (dxhat - <dxhat> - xhat <dxhat xhat>),
 *     dscale = sum over rows of dy xhat,   dshift = sum over rows of dy.
 *
 * These functions estimate mean and variance; the activation below applies them, forward and
 * backward.
 */

static const double epsilon = 1e-5, momentum = 0.1;

/* What applies to row i from column j on; and y = scale (x - mean) inv + shift there. */
static wgdn_norm_row norm_at(const wgdn_norm_state *s, int64_t i, int64_t j)
{
    const int64_t k = s->kind == WGDN_NORM_LAYER ? i : j;
    return (wgdn_norm_row){s->scale + j, s->shift + j, s->mean + k, s->inv + k};
}

static void norm_apply(float *y, const wgdn_norm_state *s, const float *x, int64_t i, int64_t j,
                       int64_t width, const wgdn_layer_ops *ops)
{
    const wgdn_norm_row p = norm_at(s, i, j);
    (s->kind == WGDN_NORM_LAYER ? ops->normalize : ops->normalize_columns)(y, x, &p, width);
}

typedef struct estimate_call {
    const wgdn_row_ops *rows;
    const wgdn_layer_ops *layer;
    wgdn_norm_state *s;
    const float *x;
    const double *mean; /* per column */
    int64_t d;
} estimate_call;

static void estimate_rows(int64_t first, int64_t count, void *context)
{
    const estimate_call *c = context;
    const double d = (double)c->d;
    for (int64_t i = first; i < first + count; i++) {
        const float *x = c->x + i * c->d;
        double squares;
        const double mean = c->rows->moments(&squares, x, c->d) / d;
        c->s->mean[i] = (float)mean;
        c->s->inv[i] = (float)(1 / sqrt(c->rows->spread(x, mean, c->d) / d + epsilon));
    }
}

static void spread_columns(int64_t first, int64_t count, double *sums, void *context)
{
    const estimate_call *c = context;
    for (int64_t i = first; i < first + count; i++)
        c->layer->spread_columns(sums, c->x + i * c->d, c->mean, c->d);
}

/* Column means first, then squares about them: two passes, no cancellation. */
static void estimate_columns(estimate_call *c, wgdn_span rows, float *running_mean,
                             float *running_variance, void *work)
{
    const int64_t d = c->d, n = rows.total;
    double *sum = work, *spread = sum + d, *scratch = spread + d + 2;
    wgdn_column_sums(sum, NULL, c->x, rows, d, scratch);
    for (int64_t j = 0; j < d; j++)
        sum[j] /= (double)n;
    c->mean = sum;
    wgdn_for_blocks(rows, spread_columns, c, spread, d, scratch);
    for (int64_t j = 0; j < d; j++) {
        const double variance = spread[j] / (double)n;
        const double unbiased = n > 1 ? spread[j] / (double)(n - 1) : variance;
        c->s->mean[j] = (float)sum[j];
        c->s->inv[j] = (float)(1 / sqrt(variance + epsilon));
        if (!running_mean) continue;
        running_mean[j] += (float)(momentum * (sum[j] - running_mean[j]));
        running_variance[j] += (float)(momentum * (unbiased - running_variance[j]));
    }
}

void wgdn_norm_estimate(wgdn_norm_state *s, const float *x, wgdn_span n, int64_t d,
                        float *running_mean, float *running_variance, void *work)
{
    estimate_call c = {.rows = wgdn_rows(), .layer = wgdn_layer_rows(), .s = s, .x = x, .d = d};
    if (s->kind == WGDN_NORM_LAYER) wgdn_for_rows(n, estimate_rows, &c);
    if (s->kind == WGDN_NORM_BATCH) estimate_columns(&c, n, running_mean, running_variance, work);
}

void wgdn_norm_from_running(wgdn_norm_state *s, const float *running_mean,
                            const float *running_variance, int64_t d)
{
    for (int64_t j = 0; j < d; j++) {
        s->mean[j] = running_mean[j];
        s->inv[j] = (float)(1 / sqrt(running_variance[j] + epsilon));
    }
}

/*
 * Applies norm and activation after a layer's products, in one pass over the rows:
 *
 *     y = prelu(z),  z = norm(x)
 *
 * PReLU with one slope a:                                                              [WGDN:prelu]
 *
 *     y = z for z > 0, a z otherwise; at 0 the slope branch applies
 *     dz = dy for z > 0, a dy otherwise;   da = sum over z <= 0 of dy z
 *
 * z is not kept but recomputed. The formulas of the norm are above.
 */

enum { PIECE = 256 }; /* columns of z alive at once: within the first-level cache */

typedef struct activation_call {
    const wgdn_layer_ops *ops;
    const wgdn_activation *a;
    float *y;            /* y, or dy, which becomes dx */
    const double *means; /* BatchNorm's backward pass: of dxhat, then of dxhat xhat, per column */
} activation_call;

static void forward(int64_t first, int64_t count, void *context)
{
    const activation_call *c = context;
    const wgdn_activation *a = c->a;
    for (int64_t i = first; i < first + count; i++) {
        const float *x = a->x + i * a->d;
        float *y = c->y + i * a->d;
        if (a->norm->kind != WGDN_NORM_NONE) {
            norm_apply(y, a->norm, x, i, 0, a->d, c->ops);
            x = y;
        }
        if (a->slope) c->ops->prelu(y, x, *a->slope, a->d);
    }
}

void wgdn_activate(float *y, const wgdn_activation *a)
{
    activation_call c = {.ops = wgdn_layer_rows(), .a = a, .y = y};
    if (a->slope || a->norm->kind != WGDN_NORM_NONE)
        wgdn_for_rows(a->n, forward, &c);
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
            norm_apply(made, a->norm, z, i, j, width, c->ops);
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
        const wgdn_norm_row p = norm_at(a->norm, i, 0);
        double *dshift = sums + 1, *dscale = dshift + a->d;
        if (a->norm->kind == WGDN_NORM_LAYER)
            c->ops->normalize_back(dy, dshift, dscale, dy, x, &p, a->d);
        else
            c->ops->normalize_sums(dshift, dscale, dy, x, &p, a->d);
    }
}

static void backward_columns(int64_t first, int64_t count, void *context)
{
    const activation_call *c = context;
    const wgdn_activation *a = c->a;
    for (int64_t i = first; i < first + count; i++) {
        const wgdn_norm_row p = norm_at(a->norm, i, 0);
        float *dy = c->y + i * a->d;
        c->ops->normalize_back_columns(dy, c->means, c->means + a->d, dy, a->x + i * a->d, &p,
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
    if (s->kind == WGDN_NORM_BATCH) wgdn_for_rows(a->n, backward_columns, &c);
}
