/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Features that neighbours share.                                                       [WGDN:shared]
 *
 *     Y = R X V                        V: leading right singular vectors of R X, or all features
 *     Z = [(u(p(S) Y) - a) M P,  w (u(Y) - b) M Q]           u: rows of length 1;  a, b: their means
 *
 * M shrinks what a node does not have in common with its neighbours (shared_map.c), P and Q are
 * principal axes: the node as its neighbourhood sees it, and, with less weight, by itself. Rows of
 * zeros, nodes of which nothing is known, stay rows of zeros.
 */
#include "shared.h"

#include <math.h>
#include <string.h>

static const double own_weight = 0.3; /* w */

enum {
    CHUNK = 1 << 15, /* rows that are mapped at once */
    ENOUGH = 16,     /* nodes for each column of a covariance */
};

int64_t wgdn_shared_inner(int64_t dim, int64_t nodes)
{
    const int64_t most = wgdn_min(2 * dim, nodes / ENOUGH), least = dim + WGDN_FIT_SPARE;
    return most > least ? most : least;
}

/* Y, or Y filtered. */
static wgdn_status fill(float *y, const wgdn_fitted_part *p, double scale, const wgdn_fit_input *in,
                        wgdn_error *err)
{
    const wgdn_fitted_part columns = {.kind = WGDN_PART_FILTERED,
                                      .scale = scale,
                                      .hops = -1,
                                      .weight = 1,
                                      .dim = p->inner,
                                      .rows = p->rows,
                                      .basis = p->basis};
    return wgdn_filtered_embed(y, p->inner, &columns, in, err);
}

typedef struct settling {
    float *y;
    const double *mean;
    int64_t k;
} settling;

/* Rows of length 1; into sums, if there is a mean, their sum and how many are not 0. */
static void unit_rows(int64_t first, int64_t count, double *sums, void *context)
{
    const settling *s = context;
    for (int64_t i = first; i < first + count; i++) {
        float *y = s->y + i * s->k;
        const bool there = wgdn_row_to_length(y, s->k, 1);
        for (int64_t j = 0; s->mean && j < s->k; j++)
            sums[j] += y[j];
        if (s->mean) sums[s->k] += there;
    }
}

static bool is_zero(const float *y, int64_t k)
{
    for (int64_t j = 0; j < k; j++)
        if (y[j] != 0) return false;
    return true;
}

static void centre_rows(int64_t first, int64_t count, double *sums, void *context)
{
    const settling *s = context;
    (void)sums;
    for (int64_t i = first; i < first + count; i++) {
        float *y = s->y + i * s->k;
        if (is_zero(y, s->k)) continue;
        for (int64_t j = 0; j < s->k; j++)
            y[j] = (float)(y[j] - s->mean[j]);
    }
}

/* What is needed on the way: two matrices of rows x k, and small ones. */
typedef struct learning {
    const wgdn_fit_input *in;
    int64_t k;
    float *y, *other;
    double *mean;      /* k + 1 */
    double *c, *n, *m; /* k x k */
    void *sums, *products, *small;
} learning;

static wgdn_status open_learning(learning *l, const wgdn_fit_input *in, int64_t k, wgdn_error *err)
{
    const size_t rows = (size_t)in->rows.count, square = (size_t)(k * k);
    *l = (learning){.in = in, .k = k};
    l->y = wgdn_alloc(rows * (size_t)k, sizeof *l->y);
    l->other = wgdn_alloc(rows * (size_t)k, sizeof *l->other);
    l->mean = wgdn_alloc((size_t)k + 1, sizeof *l->mean);
    l->c = wgdn_alloc(square, sizeof *l->c);
    l->n = wgdn_alloc(square, sizeof *l->n);
    l->m = wgdn_alloc(square, sizeof *l->m);
    l->sums = wgdn_alloc(wgdn_for_blocks_work(in->rows, k + 1), 1);
    l->products = wgdn_alloc(wgdn_gemm_tn_work(in->rows, k, k), 1);
    l->small = wgdn_alloc(wgdn_shared_work(k), 1);
    if (l->y && l->other && l->mean && l->c && l->n && l->m && l->sums && l->products && l->small)
        return WGDN_OK;
    return wgdn_fail(err, WGDN_ENOMEM, "shared features: two matrices of %lld x %lld",
                     (long long)rows, (long long)k);
}

static void close_learning(learning *l)
{
    wgdn_release(l->small);
    wgdn_release(l->products);
    wgdn_release(l->sums);
    wgdn_release(l->m);
    wgdn_release(l->n);
    wgdn_release(l->c);
    wgdn_release(l->mean);
    wgdn_release(l->other);
    wgdn_release(l->y);
}

/* Rows of y to length 1, less their mean, which is kept. */
static void settle(learning *l, float *y)
{
    settling s = {y, l->mean, l->k};
    wgdn_for_blocks(l->in->rows, unit_rows, &s, l->mean, l->k + 1, l->sums);
    for (int64_t j = 0; j < l->k; j++)
        l->mean[j] /= l->mean[l->k] > 0 ? l->mean[l->k] : 1;
    wgdn_for_blocks(l->in->rows, centre_rows, &s, NULL, 0, NULL);
}

/* A^T B over the number of nodes. */
static wgdn_status covariance(double *to, const learning *l, const float *a, const float *b,
                              wgdn_error *err)
{
    wgdn_product p = wgdn_product_of(NULL, a, b, l->in->rows, l->k, l->k);
    p.wide = to;
    p.work = l->products;
    const wgdn_status st = wgdn_gemm_tn(&p, err);
    for (int64_t i = 0; i < l->k * l->k; i++)
        to[i] /= (double)l->in->rows.total;
    return st;
}

/* Columns [at, at + dim) of the map and of what is taken off afterwards, of rows with covariance c. */
static void put_axes(wgdn_fitted_part *p, const learning *l, int64_t at, int64_t dim, double length)
{
    wgdn_shared_axes(p->map + at, p->dim, dim, l->m, l->c, l->k, length, l->small);
    for (int64_t j = at; j < at + dim; j++) {
        double sum = 0;
        for (int64_t i = 0; i < l->k; i++)
            sum += l->mean[i] * p->map[i * p->dim + j];
        p->centre[j] = (float)sum;
    }
}

static wgdn_status learn_map(wgdn_fitted_part *p, learning *l, wgdn_error *err)
{
    const int64_t k = l->k;
    wgdn_status st = fill(l->y, p, 0, l->in, err);
    if (st) return st;
    settle(l, l->y);
    wgdn_laplacian(l->other, l->in->graph, l->y, k); /* N = Y^T S Y = C - Y^T L Y */
    st = covariance(l->c, l, l->y, l->y, err);
    if (!st) st = covariance(l->n, l, l->y, l->other, err);
    if (st) return st;
    for (int64_t i = 0; i < k; i++)
        for (int64_t j = 0; j <= i; j++)
            l->n[i * k + j] = l->n[j * k + i] =
                l->c[i * k + j] - (l->n[i * k + j] + l->n[j * k + i]) / 2;
    wgdn_shared_map(l->m, l->c, l->n, k, l->small);
    if (p->own) put_axes(p, l, p->dim - p->own, p->own, own_weight);
    st = fill(l->y, p, p->scale, l->in, err);
    if (st) return st;
    settle(l, l->y);
    st = covariance(l->c, l, l->y, l->y, err);
    if (!st) put_axes(p, l, 0, p->dim - p->own, 1);
    return st;
}

wgdn_status wgdn_shared_learn(wgdn_fitted_part *p, const wgdn_fit_input *in, uint64_t seed,
                              wgdn_error *err)
{
    wgdn_fitted_part columns = {.kind = WGDN_PART_FILTERED,
                                .hops = -1,
                                .weight = 1,
                                .dim = wgdn_shared_inner(p->dim, in->rows.total)};
    learning l = {0};
    wgdn_status st = wgdn_filtered_learn(&columns, in, seed, err);
    p->basis = columns.basis;
    p->rows = in->features;
    p->inner = columns.dim;
    p->dim = wgdn_min(p->dim, p->inner);
    if (st) return st;
    p->map = wgdn_alloc((size_t)(p->inner * p->dim), sizeof *p->map);
    p->centre = wgdn_alloc((size_t)p->dim, sizeof *p->centre);
    if (!p->map || !p->centre)
        st = wgdn_fail(err, WGDN_ENOMEM, "shared features: a map of %lld x %lld",
                       (long long)p->inner, (long long)p->dim);
    if (!st) st = open_learning(&l, in, p->inner, err);
    st = wgdn_span_agree(in->rows, st, err);
    if (!st) st = learn_map(p, &l, err);
    close_learning(&l);
    return wgdn_span_agree(in->rows, st, err);
}

/* ---- embedding ---- */

/* Columns [at, at + dim) of a part, from Y at one scale. */
typedef struct mapping {
    const wgdn_fitted_part *p;
    int64_t at, dim, ld;
    float *y;       /* rows x inner */
    float *columns; /* of the map, inner x dim */
    float *mapped;  /* of a chunk of rows, x dim */
    float *out;     /* rows of ld */
} mapping;

static void put_rows(int64_t first, int64_t count, double *sums, void *context)
{
    const mapping *m = context;
    const float *centre = m->p->centre + m->at;
    (void)sums;
    for (int64_t i = first; i < first + count; i++) {
        float *to = m->out + i * m->ld + m->at;
        if (is_zero(m->y + i * m->p->inner, m->p->inner))
            memset(to, 0, (size_t)m->dim * sizeof *to);
        else
            for (int64_t j = 0; j < m->dim; j++)
                to[j] = m->mapped[i * m->dim + j] - centre[j];
    }
}

/* A chunk is whole blocks of all rows: any number of them gives the same bits. */
static wgdn_status map_rows(const mapping *all, wgdn_span rows, wgdn_error *err)
{
    const int64_t block = wgdn_block_rows(rows.total), chunk = (CHUNK + block - 1) / block * block;
    wgdn_status st = WGDN_OK;
    for (int64_t first = 0; first < rows.count && !st; first += chunk) {
        const wgdn_span here = {.count = wgdn_min(chunk, rows.count - first), .total = rows.total};
        mapping m = *all;
        m.y += first * m.p->inner;
        m.out += first * m.ld;
        const wgdn_product p = wgdn_product_of(m.mapped, m.y, m.columns, here, m.p->inner, m.dim);
        st = wgdn_gemm_nn(&p, err);
        if (!st) wgdn_for_blocks(here, put_rows, &m, NULL, 0, NULL);
    }
    return st;
}

static wgdn_status embed_at(mapping *m, double scale, const wgdn_fit_input *in, wgdn_error *err)
{
    const wgdn_fitted_part *p = m->p;
    settling s = {.y = m->y, .k = p->inner};
    const wgdn_status st = fill(m->y, p, scale, in, err);
    if (st) return st;
    wgdn_for_blocks(in->rows, unit_rows, &s, NULL, 0, NULL);
    for (int64_t i = 0; i < p->inner; i++)
        memcpy(m->columns + i * m->dim, p->map + i * p->dim + m->at,
               (size_t)m->dim * sizeof *m->columns);
    return map_rows(m, in->rows, err);
}

wgdn_status wgdn_shared_embed(float *out, int64_t ld, const wgdn_fitted_part *p,
                              const wgdn_fit_input *in, wgdn_error *err)
{
    const int64_t block = wgdn_block_rows(in->rows.total), rows = in->rows.count;
    mapping m = {.p = p, .dim = p->dim - p->own, .ld = ld, .out = out};
    m.y = wgdn_alloc((size_t)(rows * p->inner), sizeof *m.y);
    m.columns = wgdn_alloc((size_t)(p->inner * p->dim), sizeof *m.columns);
    m.mapped = wgdn_alloc((size_t)(wgdn_min(CHUNK + block, rows) * p->dim), sizeof *m.mapped);
    wgdn_status st = WGDN_OK;
    if (!m.y || !m.columns || !m.mapped)
        st = wgdn_fail(err, WGDN_ENOMEM, "shared features: %lld x %lld", (long long)rows,
                       (long long)p->inner);
    st = wgdn_span_agree(in->rows, st, err);
    if (!st) st = embed_at(&m, p->scale, in, err);
    m.at = m.dim;
    m.dim = p->own;
    if (!st && p->own) st = embed_at(&m, 0, in, err);
    wgdn_release(m.mapped);
    wgdn_release(m.columns);
    wgdn_release(m.y);
    return st;
}
