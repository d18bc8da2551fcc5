/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Two codes C1 and C2 of the same n nodes shall agree, and their columns not repeat each other.
 * With columns scaled to mean 0 and deviation 1, U = (C - 1 m^T) / s, and G = U^T U / n,
 *
 *     loss = |U1 - U2|^2 / 2n + r (|G1 - I|^2 + |G2 - I|^2),    r = 1/1000            [agreement]
 *
 * By U1 the gradient is V = (U1 - U2) / n + 4 r U1 (G1 - I) / n, whose columns sum to 0, and by C1
 * V / s - U1 q / (n s), q_k the product of columns k of U1 and V. All of q follows from G1 and from
 * x = diag(U1^T U2) / n, so that the gradient takes one product more:
 *
 *     dC1 = U1 M - U2 / (n s),      M = (4 r / n) (G1 - I) / s + I (1 - q) / (n s),
 *     q_k = G_kk - x_k + 4 r sum_m G_km (G_mk - [m = k])
 *
 * A column that does not vary has U = 0 and no gradient.
 */
#include "refine.h"

#include <math.h>

static const double repeats = 1e-3, constant = 1e-6; /* r; below it a column does not vary */

typedef struct scaling {
    float *x;
    const double *mean, *inverse;
    int64_t d;
} scaling;

static void scale_columns(int64_t first, int64_t count, double *sums, void *context)
{
    const scaling *s = context;
    (void)sums;
    for (int64_t i = first; i < first + count; i++) {
        float *x = s->x + i * s->d;
        for (int64_t j = 0; j < s->d; j++)
            x[j] = (float)((x[j] - s->mean[j]) * s->inverse[j]);
    }
}

/* inverse: 1 / s of each column, 0 where it does not vary. */
static void standardise(float *code, double *inverse, double *mean, const wgdn_agreement *a)
{
    const double n = (double)a->n.total;
    wgdn_column_sums(mean, inverse, code, a->n, a->d, a->work);
    for (int64_t j = 0; j < a->d; j++) {
        mean[j] /= n;
        const double variance = inverse[j] / n - mean[j] * mean[j];
        inverse[j] = variance > constant * constant ? 1 / sqrt(variance) : 0;
    }
    scaling s = {code, mean, inverse, a->d};
    wgdn_for_blocks(a->n, scale_columns, &s, NULL, 0, NULL);
}

static void cross_rows(int64_t first, int64_t count, double *sums, void *context)
{
    const wgdn_agreement *a = context;
    for (int64_t i = first; i < first + count; i++) {
        const float *u = a->code[0] + i * a->d, *v = a->code[1] + i * a->d;
        for (int64_t j = 0; j < a->d; j++)
            sums[j] += (double)u[j] * v[j];
    }
}

/* G of one code, and what its columns repeat of each other. */
static wgdn_status gram(double *g, double *loss, const wgdn_agreement *a, int which,
                        wgdn_error *err)
{
    const int64_t d = a->d;
    wgdn_product p = wgdn_product_of(NULL, a->code[which], a->code[which], a->n, d, d);
    p.wide = g;
    p.work = a->work;
    const wgdn_status st = wgdn_gemm_tn(&p, err);
    for (int64_t k = 0; k < d * d && !st; k++) {
        g[k] /= (double)a->n.total;
        const double off = g[k] - (k / d == k % d);
        *loss += repeats * off * off + (k / d == k % d ? g[k] / 2 : 0);
    }
    return st;
}

typedef struct subtracting {
    float *to;
    const float *other;
    const double *by;
    int64_t d;
} subtracting;

static void subtract_rows(int64_t first, int64_t count, double *sums, void *context)
{
    const subtracting *s = context;
    (void)sums;
    for (int64_t i = first; i < first + count; i++) {
        float *to = s->to + i * s->d;
        const float *other = s->other + i * s->d;
        for (int64_t j = 0; j < s->d; j++)
            to[j] -= (float)(s->by[j] * other[j]);
    }
}

/* U M - U' / (n s). g becomes M; inverse becomes 1 / (n s). */
static wgdn_status differentiate(const wgdn_agreement *a, int which, double *g, double *inverse,
                                 const double *cross, float *m, wgdn_error *err)
{
    const int64_t d = a->d;
    const double n = (double)a->n.total;
    for (int64_t k = 0; k < d; k++) {
        double repeated = 0;
        for (int64_t j = 0; j < d; j++) /* G is symmetric up to rounding: by rows */
            repeated += g[k * d + j] * (g[k * d + j] - (j == k));
        const double q = g[k * d + k] - cross[k] + 4 * repeats * repeated;
        for (int64_t j = 0; j < d; j++)
            m[k * d + j] = (float)(4 * repeats * (g[k * d + j] - (j == k)) * inverse[j] / n);
        m[k * d + k] += (float)((1 - q) * inverse[k] / n);
    }
    const wgdn_product p = wgdn_product_of(a->gradient[which], a->code[which], m, a->n, d, d);
    const wgdn_status st = wgdn_gemm_nn(&p, err);
    for (int64_t k = 0; k < d; k++)
        inverse[k] /= n;
    subtracting s = {a->gradient[which], a->code[1 - which], inverse, d};
    if (!st) wgdn_for_blocks(a->n, subtract_rows, &s, NULL, 0, NULL);
    return st;
}

size_t wgdn_agreement_doubles(int64_t d)
{
    return (size_t)(2 * d * d + d * d / 2 + 1 + 4 * d);
}

size_t wgdn_agreement_work(wgdn_span n, int64_t d)
{
    const size_t sums = wgdn_reduce_work(n, 2 * d), cross = wgdn_for_blocks_work(n, d);
    const size_t tree = wgdn_gemm_tn_work(n, d, d), most = sums > cross ? sums : cross;
    return tree > most ? tree : most;
}

wgdn_status wgdn_agreement_make(double *loss, const wgdn_agreement *a, wgdn_error *err)
{
    const int64_t d = a->d;
    double *g[2] = {a->small, a->small + d * d}, *mean = g[1] + d * d, *cross = mean + d;
    double *inverse[2] = {cross + d, cross + 2 * d};
    float *m = (float *)(inverse[1] + d);
    wgdn_status st = WGDN_OK;
    *loss = 0;
    for (int v = 0; v < 2 && !st; v++) {
        standardise(a->code[v], inverse[v], mean, a);
        st = gram(g[v], loss, a, v, err);
    }
    if (st) return st;
    wgdn_for_blocks(a->n, cross_rows, (void *)(uintptr_t)a, cross, d, a->work);
    for (int64_t j = 0; j < d; j++) {
        cross[j] /= (double)a->n.total;
        *loss -= cross[j];
    }
    for (int v = 0; v < 2 && !st; v++)
        st = differentiate(a, v, g[v], inverse[v], cross, m, err);
    return st;
}
