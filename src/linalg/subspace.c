/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Leading singular vectors by subspace iteration from a random sketch.                 [WGDN:subspace]
 *
 *     V = orth(A^T A V), a few times;   B = A V;   B^T B = W diag(s^2) W^T;   V <- V W
 *
 * A few columns to spare make a few rounds enough: what decides is how far the last wanted singular
 * value stands above the first one beyond the spare columns.
 */
#include "linalg.h"

#include <math.h>

typedef struct scratch {
    float *b;    /* rows x k, unless the operator has a gram */
    float *side; /* cols x k, or rows x k if there are more and rows have weights */
    double *g;   /* k x k */
    float *turn; /* k x k */
    void *work;
} scratch;

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

static wgdn_status open_scratch(scratch *w, const wgdn_operator *a, const wgdn_subspace *s,
                                wgdn_error *err)
{
    const int64_t k = s->k, rows = a->rows.count, cols = a->cols.count;
    const int64_t side = s->tie && rows > cols ? rows : cols;
    const size_t square = (size_t)(k * k);
    const size_t work = larger(larger(wgdn_orthonormal_work(a->cols, k), wgdn_symmetric_work(k)),
                               wgdn_gemm_tn_work(a->rows, k, k));
    w->b = wgdn_alloc(a->gram ? 0 : (size_t)rows * (size_t)k, sizeof *w->b);
    w->side = wgdn_alloc((size_t)side * (size_t)k, sizeof *w->side);
    w->g = wgdn_alloc(square, sizeof *w->g);
    w->turn = wgdn_alloc(square, sizeof *w->turn);
    w->work = wgdn_alloc(work, 1);
    if (w->b && w->side && w->g && w->turn && w->work) return WGDN_OK;
    return wgdn_fail(err, WGDN_ENOMEM, "singular vectors: %lld of %lld x %lld", (long long)k,
                     (long long)a->rows.total, (long long)a->cols.total);
}

static void close_scratch(scratch *w)
{
    wgdn_release(w->work);
    wgdn_release(w->turn);
    wgdn_release(w->g);
    wgdn_release(w->side);
    wgdn_release(w->b);
}

typedef struct weighing {
    float *y;
    const float *x, *by;
    int64_t k;
} weighing;

static void weigh_rows(int64_t first, int64_t count, double *sums, void *context)
{
    const weighing *p = context;
    (void)sums;
    for (int64_t i = first; i < first + count; i++)
        for (int64_t j = i * p->k; j < (i + 1) * p->k; j++)
            p->y[j] = p->by[i] * p->x[j];
}

/* B^T B, B = A V */
static wgdn_status gram(const wgdn_subspace *s, const scratch *w, const wgdn_operator *a,
                        wgdn_error *err)
{
    const int64_t k = s->k;
    if (a->gram) return a->gram(w->g, s->v, k, a->self, err);
    const wgdn_status st = a->times(w->b, s->v, k, a->self, err);
    if (st) return st;
    if (s->tie)
        wgdn_for_blocks(a->rows, weigh_rows, &(weighing){w->side, w->b, s->tie, k}, NULL, 0, NULL);
    wgdn_product p = wgdn_product_of(NULL, w->b, s->tie ? w->side : w->b, a->rows, k, k);
    p.wide = w->g;
    p.work = w->work;
    return wgdn_gemm_tn(&p, err);
}

/* Eigenvectors of B^T B as columns of turn, their values into s. */
static void ritz(wgdn_subspace *s, const scratch *w)
{
    const int64_t k = s->k;
    for (int64_t i = 0; i < k; i++) /* with weights both halves are rounded apart */
        for (int64_t j = 0; j < i; j++)
            w->g[i * k + j] = w->g[j * k + i] = (w->g[i * k + j] + w->g[j * k + i]) / 2;
    wgdn_symmetric_eigen(s->value, w->g, k, w->work);
    for (int64_t j = 0; j < k; j++) {
        s->value[j] = sqrt(fmax(s->value[j], 0));
        for (int64_t i = 0; i < k; i++)
            w->turn[i * k + j] = (float)w->g[j * k + i];
    }
}

/* V <- V W */
static wgdn_status turn(float *v, const scratch *w, wgdn_span n, int64_t k, wgdn_error *err)
{
    const wgdn_product p = wgdn_product_of(w->side, v, w->turn, n, k, k);
    const wgdn_status st = wgdn_gemm_nn(&p, err);
    if (!st) wgdn_copy(v, w->side, n.count, k);
    return st;
}

typedef struct cubing {
    const float *x;
    int64_t k;
} cubing;

static void cube_rows(int64_t first, int64_t count, double *sums, void *context)
{
    const cubing *c = context;
    for (int64_t i = first; i < first + count; i++)
        for (int64_t j = 0; j < c->k; j++) {
            const double x = c->x[i * c->k + j];
            sums[j] += x * x * x;
        }
}

typedef struct signing {
    float *x;
    const double *sum;
    int64_t k;
} signing;

static void sign_rows(int64_t first, int64_t count, double *sums, void *context)
{
    const signing *s = context;
    (void)sums;
    for (int64_t i = first; i < first + count; i++)
        for (int64_t j = 0; j < s->k; j++)
            if (s->sum[j] < 0) s->x[i * s->k + j] = -s->x[i * s->k + j];
}

static wgdn_status fix_signs(wgdn_subspace *s, const wgdn_operator *a, wgdn_error *err)
{
    double *sum = wgdn_alloc((size_t)s->k, sizeof *sum);
    void *work = wgdn_alloc(wgdn_for_blocks_work(a->cols, s->k), 1);
    wgdn_status st = WGDN_OK;
    if (!sum || !work) st = wgdn_fail(err, WGDN_ENOMEM, "signs of %lld columns", (long long)s->k);
    st = wgdn_span_agree(a->cols, st, err);
    if (!st) {
        wgdn_for_blocks(a->cols, cube_rows, &(cubing){s->v, s->k}, sum, s->k, work);
        wgdn_for_blocks(a->cols, sign_rows, &(signing){s->v, sum, s->k}, NULL, 0, NULL);
    }
    wgdn_release(work);
    wgdn_release(sum);
    return st;
}

wgdn_status wgdn_subspace_find(wgdn_subspace *s, const wgdn_operator *a, int rounds,
                               wgdn_error *err)
{
    scratch w = {0};
    wgdn_status st = open_scratch(&w, a, s, err);
    st = wgdn_span_agree(a->rows, st, err);
    for (int i = 0; i < rounds && !st; i++) {
        st = a->normal(s->v, s->k, a->self, err);
        if (!st) st = wgdn_orthonormalise(s->v, w.side, a->cols, s->k, w.work, err);
    }
    if (!st) st = gram(s, &w, a, err);
    if (!st) ritz(s, &w);
    if (!st) st = turn(s->v, &w, a->cols, s->k, err);
    if (!st) st = fix_signs(s, a, err);
    close_scratch(&w);
    return st;
}
