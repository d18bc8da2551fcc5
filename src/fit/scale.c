/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The scale of the filter, chosen without labels: how well are a node's features predicted by its
 * neighbours alone?                                                                [WGDN:blind-spot]
 *
 *     E_t = exp(-t L) Y - diag(exp(-t L)) Y,      agreement(t) = cosine of E_t and Y, both centred
 *
 * A node's own value is taken out, or no filter at all would predict best. Y is R X, or R X times
 * a few random columns; the diagonal is estimated by random signs z, z o exp(-t L) z. Signs come in
 * two halves: with d and e the estimates of either, d e instead of ((d + e) / 2)^2 in |E|^2 is free
 * of their variance, so that a few signs are enough where nodes are many.
 */
#include "base/streams.h"
#include "fit.h"

#include <math.h>
#include <string.h>

static const double scales[WGDN_FIT_SCALES] = {0.5, 1, 1.5, 2, 3, 4, 6, 8};

enum {
    WIDE = 32,        /* columns of Y, and of signs, for a small graph */
    NARROW = 8,       /* and for a large one, */
    ENOUGH = 1 << 21, /* entries of Y from which it counts as large */
    SUMS = 5,         /* of a scale, beside two for each column */
};

typedef struct comparison {
    int64_t n, columns, width; /* width: columns of Y, then as many signs */
    float *both;               /* n x width */
    float *filtered[WGDN_FIT_SCALES];
} comparison;

/* Sums of one scale: <H, Y>, <H, H>, <d Y, Y>, <d Y, H>, <d e Y, Y>, then of H and of d Y. */
static void add_scale(double *sum, const float *h, const float *y, int64_t c)
{
    const float *z = y + c, *g = h + c; /* signs, and these filtered */
    double d = 0, e = 0, hy = 0, hh = 0, yy = 0;
    const int64_t half = c / 2; /* c is even */
    for (int64_t j = 0; j < half; j++)
        d += (double)z[j] * g[j];
    for (int64_t j = half; j < c; j++)
        e += (double)z[j] * g[j];
    d /= (double)half;
    e /= (double)half;
    const double own = (d + e) / 2;
    for (int64_t j = 0; j < c; j++) {
        hy += (double)h[j] * y[j];
        hh += (double)h[j] * h[j];
        yy += (double)y[j] * y[j];
        sum[SUMS + j] += h[j];
        sum[SUMS + c + j] += own * y[j];
    }
    sum[0] += hy;
    sum[1] += hh;
    sum[2] += own * yy;
    sum[3] += own * hy;
    sum[4] += d * e * yy;
}

static int64_t sums_of_scale(int64_t c)
{
    return SUMS + 2 * c;
}

/* All scales, then |Y|^2 and the sums of its columns. */
static void add_rows(int64_t first, int64_t count, double *sums, void *context)
{
    const comparison *p = context;
    const int64_t c = p->columns, each = sums_of_scale(c);
    for (int64_t i = first; i < first + count; i++) {
        const float *y = p->both + i * p->width;
        double *last = sums + WGDN_FIT_SCALES * each;
        for (int t = 0; t < WGDN_FIT_SCALES; t++)
            add_scale(sums + t * each, p->filtered[t] + i * p->width, y, c);
        for (int64_t j = 0; j < c; j++) {
            last[0] += (double)y[j] * y[j];
            last[1 + j] += y[j];
        }
    }
}

/* The cosine, from sums over n nodes. */
static double agreement(const double *sum, const double *of_y, int64_t c, double n)
{
    double ey = sum[0] - sum[2], ee = sum[1] - 2 * sum[3] + sum[4], yy = of_y[0];
    for (int64_t j = 0; j < c; j++) {
        const double e = sum[SUMS + j] - sum[SUMS + c + j], y = of_y[1 + j];
        ey -= e * y / n;
        ee -= e * e / n;
        yy -= y * y / n;
    }
    return ee > 0 && yy > 0 ? ey / sqrt(ee * yy) : 0;
}

/* Y into the left half of `both`, signs into the right. */
typedef struct laying {
    comparison *p;
    const float *y;
    const uint64_t *key;
    wgdn_stream signs;
} laying;

static void lay_rows(int64_t first, int64_t count, double *sums, void *context)
{
    const laying *l = context;
    const int64_t c = l->p->columns;
    (void)sums;
    for (int64_t i = first; i < first + count; i++) {
        float *row = l->p->both + i * l->p->width;
        memcpy(row, l->y + i * c, (size_t)c * sizeof *row);
        wgdn_random_uniforms(row + c, c, l->signs, wgdn_key_row(l->key[i]), 1, 0, c);
        for (int64_t j = c; j < 2 * c; j++)
            row[j] = row[j] < 0.5F ? -1 : 1;
    }
}

int64_t wgdn_scale_columns(int64_t nodes)
{
    const int64_t few = nodes > 0 ? ENOUGH / nodes / 2 * 2 : WIDE;
    return few > WIDE ? WIDE : few < NARROW ? NARROW : few;
}

/* Y = R X times random columns. A few features get as many: rotated, or nearly so. */
static wgdn_status lay_out(comparison *p, const wgdn_fit_input *in, uint64_t seed, wgdn_error *err)
{
    const int64_t f = in->features, c = p->columns;
    float *v = wgdn_alloc((size_t)(f * c), sizeof *v);
    float *y = wgdn_alloc((size_t)(p->n * c), sizeof *y);
    wgdn_status st = WGDN_OK;
    if (!v || !y)
        st = wgdn_fail(err, WGDN_ENOMEM, "scales: %lld x %lld", (long long)p->n, (long long)c);
    st = wgdn_span_agree(in->rows, st, err);
    if (!st) {
        wgdn_random_normals(v, c, (wgdn_stream){.seed = seed, .call = WGDN_CALL_SCALE}, 0, f, 0, c);
        st = wgdn_scaled_product(y, in, v, c, err);
    }
    if (!st) {
        laying l = {p, y, in->key, {.seed = seed, .call = WGDN_CALL_SIGNS}};
        wgdn_for_blocks(in->rows, lay_rows, &l, NULL, 0, NULL);
    }
    wgdn_release(y);
    wgdn_release(v);
    return st;
}

static void filter_all(comparison *p, const wgdn_graph *g, float *work, int order,
                       double (*series)[WGDN_FIT_ORDER_MAX + 1])
{
    wgdn_poly poly = {
        .graph = g, .d = p->width, .channels = WGDN_FIT_SCALES, .order = order, .work = work};
    for (int t = 0; t < WGDN_FIT_SCALES; t++)
        poly.a[t] = series[t];
    wgdn_poly_filter(p->filtered, &poly, p->both, NULL, false);
}

wgdn_status wgdn_scales_compare(wgdn_fitted *f, const wgdn_fit_input *in, wgdn_error *err)
{
    const int64_t c = wgdn_scale_columns(in->rows.total), each = sums_of_scale(c),
                  n = in->rows.count;
    const int64_t width = WGDN_FIT_SCALES * each + 1 + c;
    comparison p = {.n = n, .columns = c, .width = 2 * c};
    double series[WGDN_FIT_SCALES][WGDN_FIT_ORDER_MAX + 1] = {{0}};
    int order = 0;
    for (int t = 0; t < WGDN_FIT_SCALES; t++) {
        const int needed = wgdn_heat_series(series[t], scales[t]);
        if (needed > order) order = needed;
    }
    const size_t matrix = (size_t)n * (size_t)p.width;
    float *store = wgdn_alloc((1 + WGDN_FIT_SCALES) * matrix, sizeof *store);
    float *poly = wgdn_alloc(wgdn_poly_work(n, p.width, order), sizeof *poly);
    double *sums = wgdn_alloc((size_t)width, sizeof *sums);
    void *work = wgdn_alloc(wgdn_for_blocks_work(in->rows, width), 1);
    wgdn_status st = WGDN_OK;
    if (!store || !poly || !sums || !work)
        st = wgdn_fail(err, WGDN_ENOMEM, "scales: %d matrices of %lld x %lld", WGDN_FIT_SCALES + 3,
                       (long long)n, (long long)p.width);
    st = wgdn_span_agree(in->rows, st, err);
    if (!st) {
        p.both = store;
        for (int t = 0; t < WGDN_FIT_SCALES; t++)
            p.filtered[t] = store + (size_t)(1 + t) * matrix;
        st = lay_out(&p, in, f->options.seed, err);
    }
    if (!st) {
        filter_all(&p, in->graph, poly, order, series);
        wgdn_for_blocks(in->rows, add_rows, &p, sums, width, work);
        f->scales = WGDN_FIT_SCALES;
        for (int t = 0; t < WGDN_FIT_SCALES; t++) {
            f->scale[t] = scales[t];
            f->agreement[t] = agreement(sums + t * each, sums + WGDN_FIT_SCALES * each, c,
                                        (double)in->rows.total);
        }
    }
    wgdn_release(work);
    wgdn_release(sums);
    wgdn_release(poly);
    wgdn_release(store);
    return st;
}
