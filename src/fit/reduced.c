/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Features reduced to their leading directions, as they are or filtered by the graph.   [WGDN:reduced]
 *
 *     V: leading right singular vectors of A = p(S) R X,   A^T A = X^T R p(S)^2 R X
 *
 * Nothing of nodes x columns need be held in memory: dense rows go by chunks, and X may lie in a file; sparse ones
 * go by slabs of columns of V, by the transpose of X; what is filtered lies in slabs, too.
 */
#include "columns.h"

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

/* ---- sparse, slab after slab ---- */

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

static wgdn_status normal_sparse(float *q, int64_t k, void *self, wgdn_error *err)
{
    reducing *r = self;
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

/* ---- chunk after chunk ---- */

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
        const float *other = r->tie && !with_x ? r->tied : r->side;
        if (other == r->tied)
            wgdn_scale_rows(r->tied, r->tie + wgdn_chunk_first(here), r->side, here, k);
        wgdn_product p =
            wgdn_product_of(NULL, with_x ? part.x.dense : r->side, other, here, height, k);
        p.wide = wgdn_tree_push(&tree, i);
        p.work = r->work;
        st = wgdn_gemm_tn(&p, err);
        wgdn_fit_forget(&part);
    }
    if (!st) *sum = wgdn_tree_end(&tree);
    return st;
}

static wgdn_status normal_dense(float *q, int64_t k, void *self, wgdn_error *err)
{
    reducing *r = self;
    const double *sum = NULL;
    wgdn_status st = open_seen(r, q, k, true, err);
    if (!st) st = add_chunks(&sum, r, q, k, true, err);
    for (int64_t i = 0; i < r->in->features * k && !st; i++)
        q[i] = (float)sum[i];
    close_seen(r);
    return st;
}

static wgdn_status gram(double *g, const float *q, int64_t k, void *self, wgdn_error *err)
{
    reducing *r = self;
    const double *sum = NULL;
    wgdn_status st = open_seen(r, q, k, false, err);
    if (!st) st = add_chunks(&sum, r, q, k, false, err);
    for (int64_t i = 0; i < k * k && !st; i++)
        g[i] = sum[i];
    close_seen(r);
    return st;
}

/* The same with weights by the nodes' keys, which do not depend on the order of the rows. */
static wgdn_status tied(double *g, const float *q, int64_t k, void *self, wgdn_error *err)
{
    reducing *r = self;
    const wgdn_fit_input *in = r->in;
    wgdn_status st = WGDN_OK;
    r->tie = wgdn_alloc((size_t)in->rows.count, sizeof *r->tie);
    r->tied = wgdn_alloc((size_t)(wgdn_chunk_rows(in->rows) * k), sizeof *r->tied);
    if (!r->tie || !r->tied) st = wgdn_fail(err, WGDN_ENOMEM, "reducing features: a chunk of rows");
    st = wgdn_span_agree(in->rows, st, err);
    if (!st) {
        wgdn_ties_break(r->tie, in, r->seed);
        for (int64_t i = 0; i < in->rows.count; i++)
            r->tie[i] -= 1; /* what they have in common would hide what they differ by */
        st = gram(g, q, k, self, err);
    }
    wgdn_release(r->tied);
    wgdn_release(r->tie);
    r->tie = r->tied = NULL;
    return st;
}

wgdn_status wgdn_reduced_find(wgdn_subspace *s, const wgdn_fitted_part *by,
                              const wgdn_fit_input *in, int rounds, uint64_t seed, wgdn_error *err)
{
    reducing self;
    wgdn_status st = open_reducing(&self, by, in, s->k, err);
    self.seed = seed;
    const wgdn_operator op = {.rows = in->rows,
                              .cols = wgdn_alone(in->features),
                              .gram = gram,
                              .tied = tied,
                              .normal = in->x.sparse ? normal_sparse : normal_dense,
                              .self = &self};
    st = wgdn_span_agree(in->rows, st, err);
    if (!st) st = wgdn_subspace_find(s, &op, rounds, err);
    close_reducing(&self);
    return st;
}
