/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Computes the parts of the closed form that filter and reduce features. fit.c calls it to learn a
 * basis and to embed; the other parts use its filter series and its loop over column blocks.
 */
#define _DEFAULT_SOURCE /* M_PI */
#include "base/streams.h"
#include "column_blocks.h"
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
    wgdn_signal seen;           /* p(S) R X V or p(S)^2 R X V, where there is a p */
    int64_t width;              /* of a slab */
    float *slab;                /* of V, features x width, where that is not all of it */
    float *side;                /* of a chunk of what is seen, or of a slab */
    double *tree;               /* of sums over chunks */
    float *tie, *tied;          /* weights of the rows, and a chunk with them; or NULL */
    uint64_t seed;
    void *work;
} reducing;

static wgdn_status open_reducing(reducing *r, const wgdn_fitted_part *by, const wgdn_fit_input *in,
                                 int64_t k, wgdn_error *err)
{
    const bool sparse = in->x.sparse;
    const wgdn_span one = wgdn_chunk(in->rows, 0);
    const int64_t width = wgdn_slab_width(in, k);
    const int64_t wide = !sparse && in->features > k ? in->features : k;
    const size_t slab = sparse && width < k ? (size_t)(in->features * width) : 0;
    const size_t chunk = (size_t)(wgdn_chunk_rows(in->rows) * k);
    const bool made = by && !in->room.slab; /* slabs are in memory */
    const size_t side = wgdn_larger(chunk, sparse && !made ? (size_t)(in->rows.count * width) : 0);
    const size_t levels = (size_t)wgdn_tree_levels(wgdn_chunk_count(in->rows));
    const size_t sum = wgdn_larger(wgdn_gemm_tn_work(one, wide, k),
                                   sparse ? wgdn_spmm_tn_work(in->rows, width) : 0);
    *r = (reducing){.in = in, .by = by, .width = width};
    r->slab = wgdn_alloc(slab, sizeof *r->slab);
    r->side = wgdn_alloc(side, sizeof *r->side);
    r->tree = wgdn_alloc(levels * (size_t)(wide * k), sizeof *r->tree);
    r->work = wgdn_alloc(sum, 1);
    if (r->slab && r->side && r->tree && r->work) return WGDN_OK;
    return wgdn_fail(err, WGDN_ENOMEM, "reducing features: %lld rows of %lld columns",
                     (long long)in->rows.count, (long long)width);
}

static void close_reducing(reducing *r)
{
    wgdn_release(r->work);
    wgdn_release(r->tree);
    wgdn_release(r->side);
    wgdn_release(r->slab);
}

/* What is seen of V, if that is filtered: slabs of it. */
static wgdn_status open_seen(reducing *r, const float *v, int64_t k, bool twice, wgdn_error *err)
{
    if (!r->by) return WGDN_OK;
    wgdn_status st = wgdn_signal_open(&r->seen, v, r->in, k, err);
    if (!st) st = wgdn_signal_filter(&r->seen.made, &r->seen, r->by, twice, err);
    return st;
}

static void close_seen(reducing *r)
{
    if (r->by) wgdn_signal_close(&r->seen);
}

/* ---- sparse rows, by column blocks ---- */

/* Q, which is V from column `at` on, <- (R X)^T of what is seen of it */
static wgdn_status normal_slab(float *q, const reducing *r, int64_t at, int64_t width,
                               wgdn_error *err)
{
    const wgdn_fit_input *in = r->in;
    float *lies = r->by ? wgdn_columns_at(&r->seen.made, at) : NULL, *side = lies ? lies : r->side;
    wgdn_status st = WGDN_OK;
    if (r->by && !lies) wgdn_columns_get(side, &r->seen.made, at);
    if (!r->by) st = wgdn_scaled_product(side, in, q, width, err);
    if (st) return st;
    wgdn_scale_rows(side, in->inv_norm, side, in->rows, width);
    wgdn_spmm_tn(q, &in->turned, side, in->rows, width, r->work);
    return WGDN_OK;
}

static wgdn_status normal_sparse(wgdn_tall *v, void *self, wgdn_error *err)
{
    reducing *r = self;
    const int64_t k = v->k;
    float *q = v->x;
    const int64_t rows = r->in->features;
    wgdn_status st = open_seen(r, q, k, true, err);
    if (!st && r->width == k) st = normal_slab(q, r, 0, k, err);
    for (int64_t at = 0; at < k && r->width < k && !st; at += r->width) {
        const int64_t width = wgdn_min(r->width, k - at);
        wgdn_copy_columns(r->slab, width, q + at, k, rows, width);
        st = normal_slab(r->slab, r, at, width, err);
        wgdn_copy_columns(q + at, k, r->slab, width, rows, width);
    }
    close_seen(r);
    return st;
}

/* ---- dense rows, by chunks ---- */

/* (R X)^T B or B^T B, B: what is seen of q, with weights where they are there; the sum is in the tree. */
static wgdn_status add_chunks(const double **sum, const reducing *r, const float *q, int64_t k,
                              bool with_x, wgdn_error *err)
{
    const wgdn_fit_input *in = r->in;
    const int64_t height = with_x ? in->features : k;
    wgdn_status st = WGDN_OK;
    wgdn_tree tree;
    wgdn_tree_begin(&tree, r->tree, height * k);
    for (int64_t i = 0; i < wgdn_chunk_count(in->rows) && !st; i++) {
        const wgdn_span here = wgdn_chunk(in->rows, i);
        wgdn_fit_input part;
        wgdn_fit_rows(&part, in, here);
        if (r->by)
            wgdn_signal_rows(r->side, &r->seen, here);
        else
            st = wgdn_scaled_chunk(r->side, &part, q, k, err);
        if (st) break;
        if (with_x) wgdn_scale_rows(r->side, part.inv_norm, r->side, here, k);
        const bool ties = r->tie && !with_x;
        const float *other = ties ? r->tied : r->side;
        if (ties) wgdn_scale_rows(r->tied, r->tie + wgdn_chunk_first(here), r->side, here, k);
        wgdn_product p =
            wgdn_product_of(NULL, with_x ? part.x.dense : r->side, other, here, height, k);
        p.wide = wgdn_tree_push(&tree, i);
        p.gram = !with_x && !ties;
        p.work = r->work;
        st = wgdn_gemm_tn(&p, err);
        wgdn_fit_forget(&part);
    }
    if (!st) *sum = wgdn_tree_end(&tree);
    return st;
}

static wgdn_status normal_dense(wgdn_tall *v, void *self, wgdn_error *err)
{
    reducing *r = self;
    const int64_t k = v->k;
    float *q = v->x;
    const double *sum = NULL;
    wgdn_status st = open_seen(r, q, k, true, err);
    if (!st) st = add_chunks(&sum, r, q, k, true, err);
    for (int64_t i = 0; i < r->in->features * k && !st; i++)
        q[i] = (float)sum[i];
    close_seen(r);
    return st;
}

static wgdn_status gram(double *g, const wgdn_tall *v, void *self, wgdn_error *err)
{
    reducing *r = self;
    const int64_t k = v->k;
    const float *q = v->x;
    const double *sum = NULL;
    wgdn_status st = open_seen(r, q, k, false, err);
    if (!st) st = add_chunks(&sum, r, q, k, false, err);
    for (int64_t i = 0; i < k * k && !st; i++)
        g[i] = sum[i];
    close_seen(r);
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

/* Leading right singular vectors of p(S) R X, features x k, from the sketch in s on; by: p, NULL for none: filtered.c. */
static wgdn_status reduced_find(wgdn_subspace *s, const wgdn_fitted_part *by,
                                const wgdn_fit_input *in, int rounds, uint64_t seed,
                                wgdn_error *err)
{
    reducing self;
    wgdn_status st = open_reducing(&self, by, in, s->v->k, err);
    self.seed = seed;
    const wgdn_operator op = {.rows = in->rows,
                              .gram = gram,
                              .tied = tied,
                              .normal = in->x.sparse ? normal_sparse : normal_dense,
                              .self = &self};
    st = wgdn_span_agree(in->rows, st, err);
    if (!st) st = wgdn_subspace_find(s, &op, rounds, err);
    close_reducing(&self);
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

/* The most that a low-pass filter raises lambda = 0 above what it cuts off: beside a column that is
 * larger by that, floats keep five digits of the others. */
static const double raised = 100;

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

/* T_m(x), also for |x| > 1 */
static double chebyshev(int m, double x)
{
    if (fabs(x) <= 1) return cos(m * acos(x));
    const double grown = cosh(m * acosh(fabs(x)));
    return x < 0 && m % 2 ? -grown : grown;
}

/*
 * f(lambda) = T_m((lambda - c) / e) / T_m(-c / e), c and e the middle and half of [cut, 2]: 1 at
 * lambda = 0, and within [cut, 2] as small as a polynomial of that order can be. Its series is
 * the cosine transform of its values at m + 1 Chebyshev nodes.                     [WGDN:low-pass]
 */
int wgdn_low_pass_series(double *a, double cut, int most)
{
    const double c = (cut + 2) / 2, e = (2 - cut) / 2;
    const int enough = (int)ceil(acosh(raised) / acosh(c / e)),
              order = enough < most ? enough : most;
    const double top = chebyshev(order, -c / e);
    const int nodes = order + 1;
    double value[WGDN_FIT_ORDER_MAX + 1];
    for (int i = 0; i < nodes; i++)
        value[i] = chebyshev(order, (1 + cos(M_PI * (i + 0.5) / nodes) - c) / e) / top;
    for (int k = 0; k < nodes; k++) {
        double sum = 0;
        for (int i = 0; i < nodes; i++)
            sum += value[i] * cos(M_PI * k * (i + 0.5) / nodes);
        a[k] = (k ? 2 : 1) * sum / nodes;
    }
    return order;
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

static const size_t slab_bytes = (size_t)1 << 28; /* of a slab, where memory is not short */

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

wgdn_status wgdn_filtered_learn(wgdn_fitted_part *p, const wgdn_fit_input *in, uint64_t seed,
                                wgdn_error *err)
{
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

int64_t wgdn_slab_usual(int64_t rows, int64_t dim)
{
    const int64_t fits = (int64_t)(slab_bytes / sizeof(float)) / (rows > 0 ? rows : 1) / 16 * 16;
    return wgdn_min(dim, fits > 32 ? fits : 32);
}

int64_t wgdn_slab_width(const wgdn_fit_input *in, int64_t dim)
{
    return in->room.slab > 0 ? wgdn_min(in->room.slab, dim) : wgdn_slab_usual(in->rows.count, dim);
}

/* p(S) or p(S)^2, and what it works with: slabs of rows x width, unless these lie in memory. */
typedef struct filtering {
    wgdn_poly p;
    double series[WGDN_FIT_ORDER_MAX + 1];
    float *side, *other, *work;
} filtering;

/* Where the slab of the signal lies, NULL if it has to be made or read. */
static const float *lies_at(const wgdn_signal *s, int64_t at)
{
    return s->there ? wgdn_columns_at(&s->made, at) : NULL;
}

/* Where the slab that is made of it may be written at once. */
static float *goes_to(const wgdn_columns *to, const wgdn_signal *s, int64_t at)
{
    return to == &s->made ? NULL : wgdn_columns_at(to, at);
}

static wgdn_status open_filtering(filtering *f, const wgdn_columns *to, const wgdn_signal *s,
                                  const wgdn_fitted_part *by, bool twice, wgdn_error *err)
{
    const int64_t n = to->rows, width = to->width;
    const size_t slab = (size_t)n * (size_t)width;
    const int order = wgdn_part_series(f->series, by, twice);
    f->side = wgdn_alloc(lies_at(s, 0) ? 0 : slab, sizeof *f->side);
    f->other = wgdn_alloc(goes_to(to, s, 0) ? 0 : slab, sizeof *f->other);
    f->work = wgdn_alloc(wgdn_poly_work(n, width, order < 2 ? order : 2), sizeof *f->work);
    f->p = (wgdn_poly){
        .graph = s->in->graph, .channels = 1, .order = order, .a = {f->series}, .work = f->work};
    if (f->side && f->other && f->work) return WGDN_OK;
    return wgdn_fail(err, WGDN_ENOMEM, "filtered features: slabs of %lld x %lld", (long long)n,
                     (long long)width);
}

static void close_filtering(filtering *f)
{
    wgdn_release(f->work);
    wgdn_release(f->other);
    wgdn_release(f->side);
}

static void filter_slabs(wgdn_columns *to, const wgdn_signal *s, filtering *f)
{
    const bool spread = wgdn_signal_spread(to, s, f->side);
    for (int64_t at = 0; at < to->k; at += to->width) {
        const float *from = lies_at(s, at);
        float *place = goes_to(to, s, at);
        f->p.d = wgdn_columns_left(to, at);
        if (spread)
            wgdn_columns_get(f->side, to, at);
        else if (!from)
            wgdn_signal_slab(f->side, s, at, f->p.d);
        wgdn_poly_apply(place ? place : f->other, &f->p, from ? from : f->side);
        if (!place) wgdn_columns_put(to, at, f->other);
    }
}

wgdn_status wgdn_signal_filter(wgdn_columns *to, const wgdn_signal *s, const wgdn_fitted_part *by,
                               bool twice, wgdn_error *err)
{
    filtering f;
    wgdn_status st = open_filtering(&f, to, s, by, twice, err);
    st = wgdn_span_agree(s->in->rows, st, err);
    if (!st) filter_slabs(to, s, &f);
    close_filtering(&f);
    return st;
}

/* Rows of the signal, or of what was made of it, to their places. */
static wgdn_status place_all(const wgdn_place *to, const wgdn_signal *s, const wgdn_columns *made,
                             wgdn_error *err)
{
    const wgdn_span all = s->in->rows;
    float *rows = wgdn_alloc((size_t)wgdn_chunk_rows(all), (size_t)s->k * sizeof *rows);
    if (!rows) return wgdn_fail(err, WGDN_ENOMEM, "features: a chunk of rows");
    wgdn_status st = WGDN_OK;
    for (int64_t i = 0; i < wgdn_chunk_count(all) && !st; i++) {
        const wgdn_span here = wgdn_chunk(all, i);
        const int64_t first = wgdn_chunk_first(here);
        if (made)
            wgdn_columns_get_rows(rows, made, first, here.count);
        else
            wgdn_signal_rows(rows, s, here);
        st = wgdn_place_rows(to, rows, s->k, first, here.count, err);
    }
    wgdn_release(rows);
    return st;
}

wgdn_status wgdn_filtered_embed(const wgdn_place *to, const wgdn_fitted_part *p,
                                const wgdn_fit_input *in, wgdn_error *err)
{
    double series[WGDN_FIT_ORDER_MAX + 1];
    const bool as_it_is = wgdn_part_series(series, p, false) == 0;
    wgdn_signal s;
    wgdn_columns own = {.rows = 0}, *made = as_it_is ? NULL : p->basis ? &s.made : &own;
    wgdn_status st = wgdn_signal_open(&s, p->basis, in, p->dim, err);
    if (!st && made == &own) st = wgdn_columns_open(&own, in, p->dim, err);
    st = wgdn_span_agree(in->rows, st, err);
    if (!st && made) st = wgdn_signal_filter(made, &s, p, false, err);
    if (!st) st = place_all(to, &s, made, err);
    wgdn_columns_close(&own);
    wgdn_signal_close(&s);
    return wgdn_span_agree(in->rows, st, err);
}
