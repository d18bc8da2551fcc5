/* SPDX-License-Identifier: Apache-2.0 */
/*
 * LayerNorm (over the columns of a row) and BatchNorm (over the rows of a column):    [WGDN:norm]
 *
 *     y = scale * xhat + shift,   xhat = (x - mean) * inv,   inv = 1 / sqrt(var + 1e-5)
 *
 * with the biased variance. The gradient, with dxhat = scale * dy and averages < > over what the
 * mean was taken over:
 *
 *     dx = inv * (dxhat - <dxhat> - xhat <dxhat xhat>),
 *     dscale = sum over rows of dy xhat,   dshift = sum over rows of dy.
 *
 * Here are the estimates; activation.c applies them, forward and backward.
 */
#include "layers.h"
#include "linalg/rows.h"

#include <math.h>

static const double epsilon = 1e-5, momentum = 0.1;

wgdn_norm_row wgdn_norm_at(const wgdn_norm_state *s, int64_t i, int64_t j)
{
    const int64_t k = s->kind == WGDN_NORM_LAYER ? i : j;
    return (wgdn_norm_row){s->scale + j, s->shift + j, s->mean + k, s->inv + k};
}

void wgdn_norm_apply(float *y, const wgdn_norm_state *s, const float *x, int64_t i, int64_t j,
                     int64_t width, const wgdn_layer_ops *ops)
{
    const wgdn_norm_row p = wgdn_norm_at(s, i, j);
    (s->kind == WGDN_NORM_LAYER ? ops->normalise : ops->normalise_columns)(y, x, &p, width);
}

typedef struct estimate_call {
    const wgdn_row_ops *rows;
    const wgdn_layer_ops *layer;
    wgdn_norm_state *s;
    const float *x;
    const double *mean; /* per column */
    int64_t d;
} estimate_call;

static void estimate_rows(int64_t first, int64_t count, double *sums, void *context)
{
    const estimate_call *c = context;
    const double d = (double)c->d;
    (void)sums;
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
    if (s->kind == WGDN_NORM_LAYER) wgdn_for_blocks(n, estimate_rows, &c, NULL, 0, NULL);
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
