/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Computes the parts of the closed form that filter and reduce features. fit.c calls it to learn a
 * basis and to embed; the other parts use its filter series and its loop over column blocks.
 */
#include "base/streams.h"
#include "fit.h"

#include <math.h>
#include <string.h>

/*
 * Reduces features to their leading directions, unfiltered or filtered by the graph.
 *                                                                                    [WGDN:reduced]
 *
 *     V: leading right singular vectors of A = p(S) R X,   A^T A = X^T R p(S)^2 R X
 *
 * No matrix of nodes x columns has to fit in memory. Dense rows are read in chunks, and X may be in
 * a file. Sparse rows are multiplied by blocks of columns of V, with the transpose of X; filtered
 * columns are stored in blocks, too.
 */

typedef struct reducing {
    const wgdn_fit_input *in;
    const wgdn_fitted_part *by; /* p(S), or NULL */
    wgdn_tall b;                /* A V or p(S) A V, where there is a p */
    int64_t width;              /* columns of V at a time, if X is sparse */
    float *columns;             /* of B, rows x width, if X is sparse */
    float *tie, *tied;          /* weights of the rows, and a chunk with them; or NULL */
    uint64_t seed;
    void *sums; /* of products with X^T, if X is sparse */
    wgdn_tall_work work;
} reducing;

static wgdn_status open_reducing(reducing *r, const wgdn_fitted_part *by, const wgdn_fit_input *in,
                                 int64_t k, wgdn_error *err)
{
    const bool sparse = in->x.sparse, in_memory = by && !in->memory.block;
    const int64_t width = wgdn_block_width(in, k);
    const size_t columns = sparse && !in_memory ? (size_t)(in->rows.count * width) : 0;
    *r = (reducing){.in = in, .by = by, .width = width};
    r->columns = wgdn_alloc(columns, sizeof *r->columns);
    r->sums = wgdn_alloc(sparse ? wgdn_spmm_tn_work(in->rows, width) : 0, 1);
    if (r->columns && r->sums) return WGDN_OK;
    return wgdn_fail(err, WGDN_ENOMEM, "reducing features: %lld rows of %lld columns",
                     (long long)in->rows.count, (long long)width);
}

/* B = p(S) R X V, or p(S)^2 R X V. Without a filter, R X V is computed as it is needed. */
static wgdn_status open_filtered(reducing *r, const wgdn_tall *v, bool twice, wgdn_error *err)
{
    r->b = (wgdn_tall){.rows = r->in->rows, .k = v->k};
    if (!r->by) return WGDN_OK;
    wgdn_status st = wgdn_features_open(&r->b, v->x, r->in, v->k, err);
    return st ? st : wgdn_part_filter(&r->b, &r->b, r->by, twice, r->in, err);
}

/* V <- (R X)^T B, a block of columns; x has that of V */
static float *normal_columns(float *x, float *y, int64_t at, int64_t width, void *self)
{
    reducing *r = self;
    const wgdn_fit_input *in = r->in;
    float *b = r->by ? wgdn_tall_get_columns(&r->b, at, width, r->columns) : r->columns;
    (void)y;
    /* A product with sparse rows cannot fail. */
    if (!r->by && wgdn_scaled_product(b, in, x, width, NULL)) return x;
    wgdn_scale_rows(b, in->inv_norm, b, in->rows, width);
    wgdn_spmm_tn(x, &in->turned, b, in->rows, width, r->sums);
    return x;
}

/* Sums over chunks of rows: (R X)^T B, B^T B, or B^T T B. */
typedef struct summing {
    reducing *r;
    const wgdn_tall *v;
    bool with_x;
} summing;

static wgdn_status sum_chunk(double *sum, float *rows, wgdn_span chunk, void *scratch, void *self,
                             wgdn_error *err)
{
    const summing *s = self;
    const reducing *r = s->r;
    const int64_t k = s->v->k;
    const bool ties = r->tie && !s->with_x;
    wgdn_status st = WGDN_OK;
    wgdn_fit_input part;
    wgdn_fit_rows(&part, r->in, chunk);
    if (!r->by) st = wgdn_scaled_chunk(rows, &part, s->v->x, k, err);
    if (st) return st;
    if (s->with_x) wgdn_scale_rows(rows, part.inv_norm, rows, chunk, k);
    if (ties) wgdn_scale_rows(r->tied, r->tie + wgdn_chunk_first(chunk), rows, chunk, k);
    wgdn_product p = wgdn_product_of(NULL, s->with_x ? part.x.dense : rows, ties ? r->tied : rows,
                                     chunk, s->with_x ? part.features : k, k);
    p.wide = sum;
    p.gram = !s->with_x && !ties;
    p.work = scratch;
    st = wgdn_gemm_tn(&p, err);
    wgdn_fit_forget(&part);
    return st;
}

static wgdn_status sum_chunks(const double **sum, reducing *r, const wgdn_tall *v, bool with_x,
                              wgdn_error *err)
{
    const int64_t height = with_x ? r->in->features : v->k;
    summing self = {r, v, with_x};
    const wgdn_tall_sums s = {.from = &r->b,
                              .edits = true,
                              .size = height * v->k,
                              .scratch =
                                  wgdn_gemm_tn_work(wgdn_chunk(r->in->rows, 0), height, v->k),
                              .call = sum_chunk,
                              .self = &self};
    return wgdn_tall_sum(sum, &s, &r->work, err);
}

/* V <- A^T A V = X^T R p(S)^2 R X V */
static wgdn_status normal(wgdn_tall *v, void *self, wgdn_error *err)
{
    reducing *r = self;
    const bool sparse = r->in->x.sparse;
    const double *sum = NULL;
    wgdn_status st = open_filtered(r, v, true, err);
    if (!st && sparse)
        st = wgdn_tall_map_columns(v, v, WGDN_COLUMNS_IN_PLACE, normal_columns, r, &r->work, err);
    else if (!st)
        st = sum_chunks(&sum, r, v, true, err);
    for (int64_t i = 0; i < v->rows.count * v->k && !st && !sparse; i++)
        v->x[i] = (float)sum[i];
    wgdn_tall_close(&r->b);
    return st;
}

static wgdn_status gram(double *g, const wgdn_tall *v, void *self, wgdn_error *err)
{
    reducing *r = self;
    const double *sum = NULL;
    wgdn_status st = open_filtered(r, v, false, err);
    if (!st) st = sum_chunks(&sum, r, v, false, err);
    for (int64_t i = 0; i < v->k * v->k && !st; i++)
        g[i] = sum[i];
    wgdn_tall_close(&r->b);
    return st;
}

/* The same with weights by the nodes' keys, which do not depend on the order of the rows. */
static wgdn_status tied(double *g, const wgdn_tall *v, void *self, wgdn_error *err)
{
    reducing *r = self;
    const wgdn_fit_input *in = r->in;
    wgdn_status st = WGDN_OK;
    r->tie = wgdn_alloc((size_t)in->rows.count, sizeof *r->tie);
    r->tied = wgdn_alloc((size_t)(wgdn_chunk_rows(in->rows) * v->k), sizeof *r->tied);
    if (!r->tie || !r->tied) st = wgdn_fail(err, WGDN_ENOMEM, "reducing features: a chunk of rows");
    st = wgdn_span_agree(in->rows, st, err);
    if (!st) {
        wgdn_ties_break(r->tie, in, r->seed);
        for (int64_t i = 0; i < in->rows.count; i++)
            r->tie[i] -= 1; /* what they have in common would hide what they differ by */
        st = gram(g, v, self, err);
    }
    wgdn_release(r->tied);
    wgdn_release(r->tie);
    r->tie = r->tied = NULL;
    return st;
}

/* Finds the leading right singular vectors of p(S) R X, features x k, from the sketch in s; by: p or NULL. */
static wgdn_status reduced_find(wgdn_subspace *s, const wgdn_fitted_part *by,
                                const wgdn_fit_input *in, int rounds, uint64_t seed,
                                wgdn_error *err)
{
    reducing self;
    wgdn_status st = open_reducing(&self, by, in, s->v->k, err);
    self.seed = seed;
    s->work = &self.work;
    s->v->width = in->x.sparse ? self.width : s->v->k;
    const wgdn_operator op = {
        .rows = in->rows, .gram = gram, .tied = tied, .normal = normal, .self = &self};
    st = wgdn_span_agree(in->rows, st, err);
    if (!st) st = wgdn_subspace_find(s, &op, rounds, err);
    wgdn_tall_work_free(&self.work);
    wgdn_release(self.sums);
    wgdn_release(self.columns);
    return st;
}

/*
 * Computes the filters of the parts as Chebyshev series in L - 1.               [WGDN:fit-response]
 *
 *     exp(-t L) = e^-t sum_k (2 - [k = 0]) (-1)^k I_k(t) T_k(L - 1)
 *
 * The I_k are modified Bessel functions, which decrease faster than any power once k exceeds t. The
 * series ends where the remainder is below a thousandth: a filter needs the right shape, not all
 * digits.
 */

static const double left_over = 1e-3;

enum { TERMS = 64 };

/* e^-t I_k(t), k < TERMS, by the recurrence I_(k-1) = I_(k+1) + 2k/t I_k downwards (Miller). */
static void bessel(double *value, double t)
{
    double sum = 0;
    value[TERMS - 1] = 0;
    value[TERMS - 2] = 1e-280;
    for (int k = TERMS - 2; k > 0; k--)
        value[k - 1] = value[k + 1] + 2 * k / t * value[k];
    for (int k = 0; k < TERMS; k++) /* e^t = I_0 + 2 sum I_k */
        sum += (k ? 2 : 1) * value[k];
    for (int k = 0; k < TERMS; k++)
        value[k] /= sum;
}

int wgdn_heat_series(double *a, double t)
{
    double value[TERMS], rest = 0;
    int order = TERMS - 1;
    if (t < 1e-3) { /* 1 - t lambda; the recurrence would overflow */
        a[0] = 1 - t;
        a[1] = -t;
        return t > 0 ? 1 : 0;
    }
    bessel(value, t);
    while (order > 0 && rest + 2 * value[order] <= left_over)
        rest += 2 * value[order--];
    if (order > WGDN_FIT_ORDER_MAX) order = WGDN_FIT_ORDER_MAX;
    for (int k = 0; k <= order; k++)
        a[k] = (k ? 2 : 1) * (k % 2 ? -1 : 1) * value[k];
    return order;
}

/* (1 - lambda)^m = (-1)^m u^m with u = lambda - 1; u T_k = (T_(k+1) + T_|k-1|) / 2 */
static int hop_series(double *a, int hops)
{
    memset(a, 0, (size_t)(hops + 1) * sizeof *a);
    a[0] = 1;
    for (int m = 1; m <= hops; m++) {
        double next[WGDN_FIT_ORDER_MAX + 2] = {0};
        for (int k = 0; k < m; k++) {
            next[k + 1] -= k ? a[k] / 2 : a[k];
            if (k) next[k - 1] -= a[k] / 2;
        }
        memcpy(a, next, (size_t)(hops + 1) * sizeof *a);
    }
    return hops;
}

int wgdn_part_series(double *a, const wgdn_fitted_part *p, bool squared)
{
    const int times = squared ? 2 : 1;
    return p->hops >= 0 ? hop_series(a, times * p->hops) : wgdn_heat_series(a, times * p->scale);
}

/*
 * Features filtered by the graph, and reduced.                                      [WGDN:filtered]
 *
 *     Z = p(S) R X V,    S = D^-1/2 A D^-1/2,  R: rows of length 1,  V: the basis, features x dim
 *
 * V holds the leading right singular vectors of p(S) R X, which is never formed: the filter is
 * applied to R X V and has as many columns as V.
 */

enum { ROUNDS = 2 };

/* Features as they are, but for columns that are zero for every node. */
static wgdn_status leave_out_unused(wgdn_fitted_part *p, const wgdn_fit_input *in, wgdn_error *err)
{
    const int64_t f = in->features;
    int64_t used = 0, at = 0;
    for (int64_t j = 0; in->used && j < f; j++)
        used += in->used[j] > 0;
    if (!in->used || used == f || used == 0) return WGDN_OK;
    p->dim = used;
    p->basis = wgdn_alloc_zero((size_t)(f * used), sizeof *p->basis);
    wgdn_status st = WGDN_OK;
    if (!p->basis) st = wgdn_fail(err, WGDN_ENOMEM, "basis of %lld rows", (long long)f);
    for (int64_t j = 0; j < f && !st; j++)
        if (in->used[j] > 0) p->basis[j * used + at++] = 1;
    return wgdn_span_agree(in->rows, st, err);
}

static wgdn_status filtered_learn(wgdn_fitted_part *p, const wgdn_fitted *fit,
                                  const wgdn_fit_input *in, wgdn_error *err)
{
    const uint64_t seed = fit->options.seed;
    const int64_t f = in->features, k = wgdn_min(p->dim + WGDN_FIT_SPARE, f);
    const wgdn_stream sketch = {.seed = seed, .call = WGDN_CALL_SKETCH};
    double series[WGDN_FIT_ORDER_MAX + 1];
    wgdn_tall v;
    wgdn_subspace s = {.v = &v};
    if (f <= p->dim) { /* nothing to reduce */
        p->dim = p->rows = f;
        return leave_out_unused(p, in, err);
    }
    wgdn_status st = wgdn_tall_open(&v, wgdn_alone(f), k, k, NULL, err);
    s.value = wgdn_alloc((size_t)k, sizeof *s.value);
    if (!st && !s.value)
        st = wgdn_fail(err, WGDN_ENOMEM, "basis of %lld x %lld", (long long)f, (long long)k);
    st = wgdn_span_agree(in->rows, st, err);
    if (!st) wgdn_random_normals(v.x, k, sketch, 0, f, 0, k);
    const bool plain = wgdn_part_series(series, p, false) == 0;
    if (!st) st = reduced_find(&s, plain ? NULL : p, in, ROUNDS, seed, err);
    if (!st) {
        p->rows = f;
        while (p->dim > 1 && !(s.value[p->dim - 1] > WGDN_FIT_RANK * s.value[0]))
            p->dim--;
        p->empty = !(s.value[0] > 0);
        p->basis = wgdn_alloc((size_t)(f * p->dim), sizeof *p->basis);
        if (p->basis)
            wgdn_copy_columns(p->basis, p->dim, v.x, k, f, p->dim);
        else
            st = wgdn_fail(err, WGDN_ENOMEM, "basis of %lld rows", (long long)f);
    }
    wgdn_release(s.value);
    wgdn_tall_close(&v);
    return wgdn_span_agree(in->rows, st, err);
}

/* ---- embedding by column blocks ---- */

typedef struct placing {
    const wgdn_destination *to;
    int64_t k;
} placing;

wgdn_status wgdn_part_filter(wgdn_tall *to, const wgdn_tall *from, const wgdn_fitted_part *by,
                             bool twice, const wgdn_fit_input *in, wgdn_error *err)
{
    double series[WGDN_FIT_ORDER_MAX + 1];
    const wgdn_poly p = {.graph = in->graph,
                         .channels = 1,
                         .order = wgdn_part_series(series, by, twice),
                         .a = {series}};
    wgdn_tall_work work = {0};
    const wgdn_status st = wgdn_tall_filter(to, &p, from, &work, err);
    wgdn_tall_work_free(&work);
    return st;
}

static wgdn_status place_chunk(float *to, float *rows, wgdn_span chunk, void *self, wgdn_error *err)
{
    const placing *p = self;
    (void)to;
    return wgdn_destination_put(p->to, rows, p->k, chunk, err);
}

static wgdn_status filtered_embed(const wgdn_destination *to, const wgdn_fitted_part *p,
                                  const wgdn_fitted *f, const wgdn_fit_input *in, wgdn_error *err)
{
    (void)f;
    double series[WGDN_FIT_ORDER_MAX + 1];
    const bool as_it_is = wgdn_part_series(series, p, false) == 0, over = as_it_is || p->basis;
    placing place = {to, p->dim};
    wgdn_tall y, own = {.k = 0}, *z = over ? &y : &own;
    wgdn_tall_work work = {0};
    wgdn_status st = wgdn_features_open(&y, p->basis, in, p->dim, err); /* R X V */
    if (!st && !over) st = wgdn_columns_open(z, in, p->dim, err);
    st = wgdn_span_agree(in->rows, st, err);
    if (!st && !as_it_is) st = wgdn_part_filter(z, &y, p, false, in, err); /* p(S) R X V */
    if (!st) st = wgdn_tall_map_rows(NULL, z, place_chunk, &place, &work, err);
    wgdn_tall_work_free(&work);
    wgdn_tall_close(&own);
    wgdn_tall_close(&y);
    return wgdn_span_agree(in->rows, st, err);
}

const wgdn_part_calls wgdn_filtered_part = {"features", filtered_learn, filtered_embed};

/*
 * Keeps the sizes that rows of length 1 do not show: how many neighbors and features a node has.
 *                                                                                      [WGDN:sizes]
 *
 *     z = [(log(1 + d) - m) / s, (log |x| - m') / s', 1]
 *
 * d counts the neighbors, x is the row of the features as they are; 0 stands for the second where
 * it has no entries. Means m and deviations s are those of the fit.
 */

static const double deviation_min = 1e-3; /* below, all nodes are alike */

typedef struct sizing {
    const wgdn_fit_input *in;
    const wgdn_fitted_part *p; /* NULL: logarithms, and whether there are features, as they are */
    const wgdn_destination *to;
    float *rows;
    int64_t first;
} sizing;

static void size_rows(int64_t first, int64_t count, void *context)
{
    const sizing *s = context;
    const int64_t *offset = s->in->graph->adjacency.offset;
    for (int64_t i = first; i < first + count; i++) {
        const int64_t at = s->first + i;
        const float inverse = s->in->inv_norm[at];
        float *z = s->rows + i * WGDN_SIZES;
        z[0] = (float)log1p((double)(offset[at + 1] - offset[at]));
        z[1] = inverse > 0 ? (float)-log((double)inverse) : 0;
        z[2] = inverse > 0 ? 1 : 0;
        if (!s->p) continue;
        const float *mean = s->p->map, *factor = mean + WGDN_SIZES;
        z[0] = (z[0] - mean[0]) * factor[0];
        z[1] = z[2] * (z[1] - mean[1]) * factor[1];
        z[2] = 1;
    }
}

/* Of the columns, then of their squares. */
static void add_sizes(int64_t first, int64_t count, double *sums, void *context)
{
    const sizing *s = context;
    for (int64_t i = first; i < first + count; i++)
        for (int64_t j = 0; j < WGDN_SIZES; j++) {
            const double z = s->rows[i * WGDN_SIZES + j];
            sums[j] += z;
            sums[WGDN_SIZES + j] += z * z;
        }
}

static wgdn_status sum_sizes(double *sum, float *rows, wgdn_span chunk, void *scratch, void *self,
                             wgdn_error *err)
{
    sizing s = *(const sizing *)self;
    (void)err;
    s.rows = rows;
    s.first = wgdn_chunk_first(chunk);
    wgdn_for_rows(chunk, size_rows, &s);
    wgdn_for_blocks(chunk, add_sizes, &s, sum, 2 * (int64_t)WGDN_SIZES, scratch);
    return WGDN_OK;
}

static wgdn_status sizes_learn(wgdn_fitted_part *p, const wgdn_fitted *f, const wgdn_fit_input *in,
                               wgdn_error *err)
{
    (void)f;
    enum { SUMS = 2 * WGDN_SIZES };
    sizing self = {.in = in};
    const wgdn_tall t = {.rows = in->rows, .k = WGDN_SIZES};
    wgdn_tall_work work = {0};
    const wgdn_tall_sums s = {.from = &t,
                              .edits = true,
                              .size = SUMS,
                              .scratch = wgdn_for_blocks_work(wgdn_chunk(in->rows, 0), SUMS),
                              .call = sum_sizes,
                              .self = &self};
    const double *sum = NULL;
    wgdn_status st = WGDN_OK;
    p->rows = in->features;
    p->inner = 2;
    p->map = wgdn_alloc_zero(SUMS, sizeof *p->map);
    if (!p->map) st = wgdn_fail(err, WGDN_ENOMEM, "sizes: means of %d columns", WGDN_SIZES);
    st = wgdn_span_agree(in->rows, st, err);
    if (!st) st = wgdn_tall_sum(&sum, &s, &work, err);
    p->empty = true;
    for (int j = 0; j < 2 && !st; j++) {
        const double n = j == 0 ? (double)in->rows.total : fmax(sum[2], 1), mean = sum[j] / n;
        const double deviation = sqrt(fmax(sum[WGDN_SIZES + j] / n - mean * mean, 0));
        const bool alike = deviation < deviation_min;
        p->map[j] = (float)mean;
        p->map[WGDN_SIZES + j] = alike ? 0 : (float)(1 / deviation);
        p->empty = p->empty && alike;
    }
    wgdn_tall_work_free(&work);
    return st;
}

static wgdn_status sizes_chunk(float *to, float *rows, wgdn_span chunk, void *self, wgdn_error *err)
{
    sizing s = *(const sizing *)self;
    (void)to;
    s.rows = rows;
    s.first = wgdn_chunk_first(chunk);
    wgdn_for_rows(chunk, size_rows, &s);
    return wgdn_destination_put(s.to, rows, WGDN_SIZES, chunk, err);
}

static wgdn_status sizes_embed(const wgdn_destination *to, const wgdn_fitted_part *p,
                               const wgdn_fitted *f, const wgdn_fit_input *in, wgdn_error *err)
{
    (void)f;
    sizing self = {.in = in, .p = p, .to = to};
    const wgdn_tall t = {.rows = in->rows, .k = WGDN_SIZES};
    wgdn_tall_work work = {0};
    const wgdn_status st = wgdn_tall_map_rows(NULL, &t, sizes_chunk, &self, &work, err);
    wgdn_tall_work_free(&work);
    return wgdn_span_agree(in->rows, st, err);
}

const wgdn_part_calls wgdn_sizes_part = {"numbers of neighbors, features", sizes_learn,
                                         sizes_embed};
