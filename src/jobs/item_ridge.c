/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Ridge regression of every item on all others, in closed form: EASE (Steck, 2019). It competes with
 * the graph filter where the catalog is small enough for a matrix of items x items.
 */
#include "ranking.h"

enum { PANEL = 128 };

/*
 * P = A^-1 for a symmetric positive A, in place, by panels of the Gauss-Jordan method. For the panel
 * K and all other rows and columns J:
 *
 *     A_KK <- A_KK^-1;   A_KJ <- A_KK A_KJ;   A_JJ <- A_JJ - A_JK A_KJ;   A_JK <- -A_JK A_KK
 *
 * Almost all of the work is the product in the third step, which is the dense engine's.
 */

/* d <- d^-1 in double, n x n, by the same method one row at a time. */
static void invert_small(double *d, int64_t n)
{
    for (int64_t k = 0; k < n; k++) {
        const double pivot = 1 / d[k * n + k];
        d[k * n + k] = 1;
        for (int64_t j = 0; j < n; j++)
            d[k * n + j] *= pivot;
        for (int64_t i = 0; i < n; i++) {
            const double factor = d[i * n + k];
            if (i == k) continue;
            d[i * n + k] = 0;
            for (int64_t j = 0; j < n; j++)
                d[i * n + j] -= factor * d[k * n + j];
        }
    }
}

typedef struct panel {
    double *small;      /* PANEL x PANEL */
    float *pivot;       /* the same in float */
    float *left, *back; /* n x PANEL: A_JK, and it times A_KK */
    float *right;       /* PANEL x n */
    float *made;        /* PANEL x n */
} panel;

static wgdn_status step(float *a, int64_t n, int64_t at, const panel *w, wgdn_error *err)
{
    const int64_t m = wgdn_min(PANEL, n - at);
    for (int64_t i = 0; i < m; i++)
        for (int64_t j = 0; j < m; j++)
            w->small[i * m + j] = a[(at + i) * n + at + j];
    invert_small(w->small, m);
    for (int64_t i = 0; i < m * m; i++)
        w->pivot[i] = (float)w->small[i];
    wgdn_copy_columns(w->left, m, a + at, n, n, m);
    memcpy(w->right, a + at * n, (size_t)(m * n) * sizeof *w->right);
    for (int64_t i = 0; i < m; i++) {
        memset(w->left + (at + i) * m, 0, (size_t)m * sizeof *w->left);
        memset(w->right + i * n + at, 0, (size_t)m * sizeof *w->right);
    }
    wgdn_product p = wgdn_product_of(w->made, w->pivot, w->right, wgdn_alone(m), m, n);
    wgdn_status st = wgdn_gemm_nn(&p, err);
    p = wgdn_product_of(w->back, w->left, w->pivot, wgdn_alone(n), m, m);
    if (!st) st = wgdn_gemm_nn(&p, err);
    p = wgdn_product_of(a, w->left, w->made, wgdn_alone(n), m, n);
    p.alpha = -1;
    p.beta = 1;
    if (!st) st = wgdn_gemm_nn(&p, err);
    if (st) return st;
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < m; j++)
            a[i * n + at + j] = -w->back[i * m + j];
    memcpy(a + at * n, w->made, (size_t)(m * n) * sizeof *a);
    for (int64_t i = 0; i < m; i++)
        memcpy(a + (at + i) * n + at, w->pivot + i * m, (size_t)m * sizeof *a);
    return WGDN_OK;
}

static wgdn_status invert(float *a, int64_t n, wgdn_error *err)
{
    wgdn_arrays own = {0};
    panel w;
    w.small = wgdn_arrays_add(&own, (size_t)PANEL * PANEL, sizeof *w.small);
    w.pivot = wgdn_arrays_add(&own, (size_t)PANEL * PANEL, sizeof *w.pivot);
    w.left = wgdn_arrays_add(&own, (size_t)n * PANEL, sizeof *w.left);
    w.back = wgdn_arrays_add(&own, (size_t)n * PANEL, sizeof *w.back);
    w.right = wgdn_arrays_add(&own, (size_t)n * PANEL, sizeof *w.right);
    w.made = wgdn_arrays_add(&own, (size_t)n * PANEL, sizeof *w.made);
    wgdn_status st = WGDN_OK;
    if (own.failed)
        st = wgdn_fail(err, WGDN_ENOMEM, "recommend: panels of %lld items", (long long)n);
    for (int64_t at = 0; !st && at < n; at += PANEL)
        st = step(a, n, at, &w, err);
    wgdn_arrays_release(&own);
    return st;
}

typedef struct gram_job {
    float *g;
    const wgdn_interactions *x;
    float lambda;
} gram_job;

/* Row i of R^T R + lambda I. */
static void gram_row(int64_t i, void *context)
{
    const gram_job *job = context;
    const wgdn_csr *r = &job->x->r, *t = &job->x->t;
    float *row = job->g + i * t->rows;
    memset(row, 0, (size_t)t->rows * sizeof *row);
    for (int64_t e = t->offset[i]; e < t->offset[i + 1]; e++) {
        const int64_t u = t->column[e];
        const float own = t->value ? t->value[e] : 1;
        for (int64_t k = r->offset[u]; k < r->offset[u + 1]; k++)
            row[r->column[k]] += r->value ? own * r->value[k] : own;
    }
    row[i] += job->lambda;
}

wgdn_status wgdn_item_ridge(float **b, const wgdn_interactions *x, double lambda, wgdn_error *err)
{
    const int64_t n = x->r.cols;
    float *g = wgdn_alloc((size_t)n * (size_t)n, sizeof *g);
    if (!g) return wgdn_fail(err, WGDN_ENOMEM, "recommend: ridge over %lld items", (long long)n);
    gram_job job = {g, x, (float)lambda};
    wgdn_for_each(n, gram_row, &job);
    const wgdn_status st = invert(g, n, err);
    if (st) {
        wgdn_release(g);
        return st;
    }
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++)
            if (i != j) g[i * n + j] /= -g[j * n + j];
    for (int64_t i = 0; i < n; i++)
        g[i * n + i] = 0;
    *b = g;
    return WGDN_OK;
}
