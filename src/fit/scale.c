/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Chooses the scale of the filter without labels, by how well the features of a node are predicted
 * by its neighbors alone. fit.c plans the parts of a vector with the result. [WGDN:blind-spot]
 *
 *     H_t = exp(-t L) Y,   E_t = H_t - D_t Y,   D_t = diag(exp(-t L)),
 *     agreement(t) = cosine of E_t and Y, both centered
 *
 * The node's own value is removed, because otherwise no filter at all would predict best. Y is R X
 * times a few random columns. D_t is estimated with random signs z, as z o exp(-t L) z. The signs
 * come in two halves with estimates d and e: using d e instead of ((d + e) / 2)^2 in |E|^2 removes
 * their variance, so a few signs suffice for large graphs.
 *
 * No H_t is formed. exp(-t L) = sum_k a_tk T_k with T_k = T_k(L - 1), so every sum over nodes that
 * contains H_t is a combination of sums over T_k Y, which all scales share:
 *
 *     <H_t, Y> = sum_k a_tk m_k,    |H_t|^2 = sum_kl a_tk a_tl (m_(k+l) + m_|k-l|) / 2,
 *     m_k = <Y, T_k Y>,    m_2k = 2 |T_k Y|^2 - m_0,    m_(2k+1) = 2 <T_k Y, T_(k+1) Y> - m_1.
 */
#include "base/streams.h"
#include "fit.h"

#include <math.h>

const double wgdn_scales[WGDN_FIT_SCALES] = {0.5, 1, 1.5, 2, 3, 4, 6, 8};

enum { T = WGDN_FIT_SCALES };

/* Sums of degree k: these, <D_t Y, T_k Y> of each scale, and each column of T_k Y. */
enum { SQUARE, STEP, OWN, COLUMN = OWN + T }; /* |T_k Y|^2, <T_k Y, T_(k-1) Y> */

typedef struct comparison {
    const wgdn_fit_input *in;
    int64_t n, c; /* columns of Y, and of signs; even */
    int order;
    double a[T][WGDN_FIT_ORDER_MAX + 1];
    float *x, *cur, *prev; /* n x width: Y or signs, and two degrees of them */
    int64_t width;         /* c, or of half of the signs where memory is short */
    int k;                 /* the degree of cur */
    float *own
        [WGDN_SCALE_HALVES]; /* n x scales: D_t by either half of the signs, then the mean of both */
    float *work;
    double *once;   /* <d e Y, Y> of each scale, then D_t Y by columns */
    double *degree; /* sums of each degree */
    void *blocks;
    wgdn_arrays arrays, matrices; /* matrices: x, cur, prev */
} comparison;

static int64_t sums_of_degree(int64_t c)
{
    return COLUMN + c;
}

static int64_t sums_once(int64_t c)
{
    return T + T * c;
}

/* ---- T_k X, one degree after the other ---- */

static void begin(comparison *p)
{
    p->k = 0;
    wgdn_copy(p->cur, p->x, p->n, p->width);
}

static void step(comparison *p)
{
    float *next = p->prev;
    wgdn_chebyshev_step(next, p->in->graph, p->cur, p->k > 0 ? p->prev : NULL, p->width, p->work);
    p->prev = p->cur;
    p->cur = next;
    p->k++;
}

static double dot(const float *x, const float *y, int64_t c)
{
    double sum = 0;
    for (int64_t j = 0; j < c; j++)
        sum += (double)x[j] * y[j];
    return sum;
}

/* ---- the diagonal, by signs ---- */

typedef struct drawing {
    const comparison *p;
    wgdn_stream stream;
    int64_t at; /* the first column that is drawn */
} drawing;

static void draw_signs(int64_t first, int64_t count, void *context)
{
    const drawing *w = context;
    const int64_t width = w->p->width;
    for (int64_t i = first; i < first + count; i++) {
        float *z = w->p->x + i * width;
        wgdn_random_uniforms(z, width, w->stream, wgdn_key_row(w->p->in->key[i]), 1, w->at, width);
        for (int64_t j = 0; j < width; j++)
            z[j] = z[j] < 0.5F ? -1 : 1;
    }
}

/* Degree k of z o exp(-t L) z, all scales, by the half or the halves that are there. */
static void add_signs(int64_t first, int64_t count, void *context)
{
    const drawing *w = context;
    const comparison *p = w->p;
    const int64_t half = p->c / WGDN_SCALE_HALVES;
    for (int64_t i = first; i < first + count; i++)
        for (int64_t at = 0; at < p->width; at += half) {
            const int64_t from = i * p->width + at;
            const double own = dot(p->x + from, p->cur + from, half) / (double)half;
            float *to = p->own[(w->at + at) / half] + i * T;
            for (int t = 0; t < T; t++)
                to[t] = (float)((p->k > 0 ? to[t] : 0) + p->a[t][p->k] * own);
        }
}

static void estimate_diagonal(comparison *p, uint64_t seed)
{
    drawing w = {.p = p, .stream = {.seed = seed, .call = WGDN_CALL_SIGNS}};
    for (; w.at < p->c; w.at += p->width) {
        wgdn_for_rows(p->in->rows, draw_signs, &w);
        for (begin(p);; step(p)) {
            wgdn_for_rows(p->in->rows, add_signs, &w);
            if (p->k == p->order) break;
        }
    }
}

/* Sums of both halves, then replaced by their mean. */
static void join_halves(int64_t first, int64_t count, double *sums, void *context)
{
    const comparison *p = context;
    for (int64_t i = first; i < first + count; i++) {
        const float *y = p->x + i * p->c, *other = p->own[1] + i * T;
        float *own = p->own[0] + i * T;
        const double squares = dot(y, y, p->c);
        for (int t = 0; t < T; t++) {
            double *column = sums + T + t * p->c;
            sums[t] += (double)own[t] * other[t] * squares;
            own[t] = (own[t] + other[t]) / 2;
            for (int64_t j = 0; j < p->c; j++)
                column[j] += (double)own[t] * y[j];
        }
    }
}

/* ---- features ---- */

/* Y = R X times random columns. A few features get as many: rotated, or nearly so. */
static wgdn_status draw_features(comparison *p, uint64_t seed, wgdn_error *err)
{
    const int64_t f = p->in->features;
    float *v = wgdn_alloc((size_t)(f * p->c), sizeof *v);
    wgdn_status st = WGDN_OK;
    if (!v) st = wgdn_fail(err, WGDN_ENOMEM, "scales: %lld x %lld", (long long)f, (long long)p->c);
    st = wgdn_span_agree(p->in->rows, st, err);
    if (!st) {
        wgdn_random_normals(v, p->c, (wgdn_stream){.seed = seed, .call = WGDN_CALL_SCALE}, 0, f, 0,
                            p->c);
        st = wgdn_scaled_product(p->x, p->in, v, p->c, err);
    }
    wgdn_release(v);
    return st;
}

static void add_degree(int64_t first, int64_t count, double *sums, void *context)
{
    const comparison *p = context;
    for (int64_t i = first; i < first + count; i++) {
        const float *cur = p->cur + i * p->c, *own = p->own[0] + i * T;
        const double with_y = dot(cur, p->x + i * p->c, p->c);
        sums[SQUARE] += dot(cur, cur, p->c);
        if (p->k > 0) sums[STEP] += dot(cur, p->prev + i * p->c, p->c);
        for (int t = 0; t < T; t++)
            sums[OWN + t] += own[t] * with_y;
        for (int64_t j = 0; j < p->c; j++)
            sums[COLUMN + j] += cur[j];
    }
}

static void add_features(comparison *p)
{
    const int64_t each = sums_of_degree(p->c);
    wgdn_for_blocks(p->in->rows, join_halves, p, p->once, sums_once(p->c), p->blocks);
    for (begin(p);; step(p)) {
        wgdn_for_blocks(p->in->rows, add_degree, p, p->degree + p->k * each, each, p->blocks);
        if (p->k == p->order) return;
    }
}

/* ---- the cosine, from the sums ---- */

/* m_k */
static double moment(const comparison *p, int k)
{
    const int64_t each = sums_of_degree(p->c);
    const double zero = p->degree[SQUARE], one = p->degree[each + STEP];
    if (k == 0) return zero;
    if (k == 1) return one;
    return k % 2 == 0 ? 2 * p->degree[k / 2 * each + SQUARE] - zero
                      : 2 * p->degree[(k / 2 + 1) * each + STEP] - one;
}

static double agreement(const comparison *p, int t)
{
    const int64_t each = sums_of_degree(p->c);
    const double n = (double)p->in->rows.total, *a = p->a[t];
    double ey = -p->degree[OWN + t], ee = p->once[t], yy = moment(p, 0);
    for (int k = 0; k <= p->order; k++) {
        ey += a[k] * moment(p, k);
        ee -= 2 * a[k] * p->degree[k * each + OWN + t];
        for (int l = 0; l <= p->order; l++)
            ee += a[k] * a[l] * (moment(p, k + l) + moment(p, k > l ? k - l : l - k)) / 2;
    }
    for (int64_t j = 0; j < p->c; j++) {
        const double y = p->degree[COLUMN + j];
        double e = -p->once[T + t * p->c + j];
        for (int k = 0; k <= p->order; k++)
            e += a[k] * p->degree[k * each + COLUMN + j];
        ey -= e * y / n;
        ee -= e * e / n;
        yy -= y * y / n;
    }
    return ee > 0 && yy > 0 ? ey / sqrt(ee * yy) : 0;
}

static wgdn_status no_memory(const comparison *p, wgdn_error *err)
{
    return wgdn_fail(err, WGDN_ENOMEM, "scales: three matrices of %lld x %lld", (long long)p->n,
                     (long long)p->width);
}

static wgdn_status open_matrices(comparison *p, int64_t width, wgdn_error *err)
{
    const size_t matrix = (size_t)p->n * (size_t)width;
    p->width = width;
    p->x = wgdn_arrays_add(&p->matrices, matrix, sizeof *p->x);
    p->cur = wgdn_arrays_add(&p->matrices, matrix, sizeof *p->cur);
    p->prev = wgdn_arrays_add(&p->matrices, matrix, sizeof *p->prev);
    return p->matrices.failed ? no_memory(p, err) : WGDN_OK;
}

static wgdn_status open_comparison(comparison *p, wgdn_error *err)
{
    const int64_t once = sums_once(p->c), each = sums_of_degree(p->c);
    for (int t = 0; t < T; t++) {
        const int needed = wgdn_heat_series(p->a[t], wgdn_scales[t]);
        if (needed > p->order) p->order = needed;
    }
    for (int h = 0; h < WGDN_SCALE_HALVES; h++)
        p->own[h] = wgdn_arrays_add(&p->arrays, (size_t)p->n * T, sizeof *p->own[h]);
    p->work = wgdn_arrays_add(&p->arrays, wgdn_poly_work(0, p->c, p->order), sizeof *p->work);
    p->once = wgdn_arrays_add(&p->arrays, (size_t)once, sizeof *p->once);
    p->degree = wgdn_arrays_add(&p->arrays, (size_t)((p->order + 1) * each), sizeof *p->degree);
    p->blocks = wgdn_arrays_add(&p->arrays,
                                wgdn_for_blocks_work(p->in->rows, once > each ? once : each), 1);
    if (p->arrays.failed) return no_memory(p, err);
    return open_matrices(p, wgdn_scale_signs(p->c, p->in->memory.block), err);
}

/* Reopens the matrices for all columns of Y, if there were signs for half of them. */
static wgdn_status widen(comparison *p, wgdn_error *err)
{
    if (p->width == p->c) return WGDN_OK;
    wgdn_arrays_release(&p->matrices);
    return wgdn_span_agree(p->in->rows, open_matrices(p, p->c, err), err);
}

wgdn_status wgdn_scales_compare(wgdn_fitted *f, const wgdn_fit_input *in, wgdn_error *err)
{
    comparison p = {.in = in, .n = in->rows.count, .c = wgdn_scale_columns(in->rows.total)};
    wgdn_status st = wgdn_span_agree(in->rows, open_comparison(&p, err), err);
    if (!st) {
        estimate_diagonal(&p, f->options.seed);
        st = widen(&p, err);
    }
    if (!st) st = draw_features(&p, f->options.seed, err);
    if (!st) {
        add_features(&p);
        f->scales = T;
        for (int t = 0; t < T; t++) {
            f->scale[t] = wgdn_scales[t];
            f->agreement[t] = agreement(&p, t);
        }
    }
    wgdn_arrays_release(&p.matrices);
    wgdn_arrays_release(&p.arrays);
    return st;
}
