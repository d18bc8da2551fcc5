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
 */
#include "layers.h"

#include <math.h>
#include <string.h>

static const double epsilon = 1e-5, momentum = 0.1;

typedef struct norm_call {
    const wgdn_norm_state *s;
    const float *x, *dy;
    float *y;
    const double *mean_dy, *mean_dyx; /* batch: of dxhat and of dxhat xhat, per column */
    int64_t d;
} norm_call;

static void estimate_rows(int64_t first, int64_t count, double *sums, void *context)
{
    const norm_call *c = context;
    const double d = (double)c->d;
    (void)sums;
    for (int64_t i = first; i < first + count; i++) {
        const float *x = c->x + i * c->d;
        double sum = 0, spread = 0;
        for (int64_t j = 0; j < c->d; j++)
            sum += x[j];
        for (int64_t j = 0; j < c->d; j++)
            spread += (x[j] - sum / d) * (x[j] - sum / d);
        c->s->mean[i] = (float)(sum / d);
        c->s->inv[i] = (float)(1 / sqrt(spread / d + epsilon));
    }
}

static void spread_columns(int64_t first, int64_t count, double *sums, void *context)
{
    const norm_call *c = context;
    for (int64_t i = first; i < first + count; i++)
        for (int64_t j = 0; j < c->d; j++) {
            const double e = c->x[i * c->d + j] - c->mean_dy[j];
            sums[j] += e * e;
        }
}

/* Column means first, then squares about them: two passes, no cancellation. */
static void estimate_columns(wgdn_norm_state *s, const float *x, int64_t n, int64_t d,
                             float *running_mean, float *running_variance, void *work)
{
    double *sum = work, *spread = sum + d, *scratch = spread + d;
    norm_call c = {.x = x, .mean_dy = sum, .d = d};
    wgdn_column_sums(sum, NULL, x, n, d, scratch);
    for (int64_t j = 0; j < d; j++)
        sum[j] /= (double)n;
    wgdn_for_blocks(n, spread_columns, &c, spread, d, scratch);
    for (int64_t j = 0; j < d; j++) {
        const double variance = spread[j] / (double)n;
        const double unbiased = n > 1 ? spread[j] / (double)(n - 1) : variance;
        s->mean[j] = (float)sum[j];
        s->inv[j] = (float)(1 / sqrt(variance + epsilon));
        if (!running_mean) continue;
        running_mean[j] += (float)(momentum * (sum[j] - running_mean[j]));
        running_variance[j] += (float)(momentum * (unbiased - running_variance[j]));
    }
}

void wgdn_norm_estimate(wgdn_norm_state *s, const float *x, int64_t n, int64_t d,
                        float *running_mean, float *running_variance, void *work)
{
    norm_call c = {.s = s, .x = x, .d = d};
    if (s->kind == WGDN_NORM_LAYER) wgdn_for_blocks(n, estimate_rows, &c, NULL, 0, NULL);
    if (s->kind == WGDN_NORM_BATCH)
        estimate_columns(s, x, n, d, running_mean, running_variance, work);
}

void wgdn_norm_from_running(wgdn_norm_state *s, const float *running_mean,
                            const float *running_variance, int64_t d)
{
    for (int64_t j = 0; j < d; j++) {
        s->mean[j] = running_mean[j];
        s->inv[j] = (float)(1 / sqrt(running_variance[j] + epsilon));
    }
}

static void apply(int64_t first, int64_t count, double *sums, void *context)
{
    const norm_call *c = context;
    const wgdn_norm_state *s = c->s;
    const bool rows = s->kind == WGDN_NORM_LAYER;
    (void)sums;
    for (int64_t i = first; i < first + count; i++) {
        const float *x = c->x + i * c->d;
        float *y = c->y + i * c->d;
        for (int64_t j = 0; j < c->d; j++) {
            const int64_t k = rows ? i : j;
            y[j] = s->scale[j] * ((x[j] - s->mean[k]) * s->inv[k]) + s->shift[j];
        }
    }
}

void wgdn_norm_apply(float *y, const wgdn_norm_state *s, const float *x, int64_t n, int64_t d)
{
    norm_call c = {.s = s, .x = x, .y = y, .d = d};
    if (s->kind != WGDN_NORM_NONE)
        wgdn_for_blocks(n, apply, &c, NULL, 0, NULL);
    else if (y != x)
        wgdn_copy(y, x, n, d);
}

/* dshift in the first d sums, dscale in the next. */
static void param_sums(int64_t first, int64_t count, double *sums, void *context)
{
    const norm_call *c = context;
    const wgdn_norm_state *s = c->s;
    const bool rows = s->kind == WGDN_NORM_LAYER;
    for (int64_t i = first; i < first + count; i++)
        for (int64_t j = 0; j < c->d; j++) {
            const int64_t k = rows ? i : j;
            const double dy = c->dy[i * c->d + j];
            sums[j] += dy;
            sums[c->d + j] += dy * (((double)c->x[i * c->d + j] - s->mean[k]) * s->inv[k]);
        }
}

static void back_rows(int64_t first, int64_t count, double *sums, void *context)
{
    const norm_call *c = context;
    const wgdn_norm_state *s = c->s;
    (void)sums;
    for (int64_t i = first; i < first + count; i++) {
        const float *x = c->x + i * c->d, *dy = c->dy + i * c->d;
        float *dx = c->y + i * c->d;
        double mean = 0, mean_x = 0;
        for (int64_t j = 0; j < c->d; j++) {
            const double dxhat = (double)s->scale[j] * dy[j];
            mean += dxhat;
            mean_x += dxhat * (((double)x[j] - s->mean[i]) * s->inv[i]);
        }
        mean /= (double)c->d;
        mean_x /= (double)c->d;
        for (int64_t j = 0; j < c->d; j++) {
            const double xhat = ((double)x[j] - s->mean[i]) * s->inv[i];
            dx[j] = (float)(s->inv[i] * ((double)s->scale[j] * dy[j] - mean - xhat * mean_x));
        }
    }
}

static void back_columns(int64_t first, int64_t count, double *sums, void *context)
{
    const norm_call *c = context;
    const wgdn_norm_state *s = c->s;
    (void)sums;
    for (int64_t i = first; i < first + count; i++)
        for (int64_t j = 0; j < c->d; j++) {
            const int64_t at = i * c->d + j;
            const double xhat = ((double)c->x[at] - s->mean[j]) * s->inv[j];
            c->y[at] = (float)(s->inv[j] * ((double)s->scale[j] * c->dy[at] - c->mean_dy[j] -
                                            xhat * c->mean_dyx[j]));
        }
}

void wgdn_norm_back(float *dx, float *dscale, float *dshift, const wgdn_norm_state *s,
                    const float *dy, const float *x, int64_t n, int64_t d, void *work)
{
    double *both = work, *scratch = both + 2 * d;
    norm_call c = {.s = s, .x = x, .dy = dy, .y = dx, .d = d};
    if (s->kind == WGDN_NORM_NONE) {
        if (dx != dy) wgdn_copy(dx, dy, n, d);
        return;
    }
    wgdn_for_blocks(n, param_sums, &c, both, 2 * d, scratch);
    for (int64_t j = 0; j < d; j++) {
        dshift[j] = (float)both[j];
        dscale[j] = (float)both[d + j];
        both[j] *= s->scale[j] / (double)n;
        both[d + j] *= s->scale[j] / (double)n;
    }
    c.mean_dy = both;
    c.mean_dyx = both + d;
    wgdn_for_blocks(n, s->kind == WGDN_NORM_LAYER ? back_rows : back_columns, &c, NULL, 0, NULL);
}
