/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Features reduced to their leading directions, before they meet the graph.             [WGDN:reduced]
 *
 *     V: leading right singular vectors of R X,   A^T A = X^T R^2 X
 *
 * Nothing of nodes x columns need be held. Dense rows go by chunks, each once a round, and X may lie in
 * a file. Sparse ones go by slabs of columns of V, by the transpose of X.
 */
#include "fit.h"

#include <string.h>

typedef struct reducing {
    const wgdn_fit_input *in;
    int64_t width; /* of a slab */
    float *slab;   /* of V, features x width, where that is not all of it */
    float *side;   /* R X V: of a chunk, or of a slab */
    double *tree;  /* of sums over chunks */
    void *work;
} reducing;

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

static wgdn_status open_reducing(reducing *r, const wgdn_fit_input *in, int64_t k, wgdn_error *err)
{
    const bool sparse = in->x.sparse;
    const wgdn_span one = wgdn_chunk(in->rows, 0);
    const int64_t width = in->room.slab ? wgdn_min(in->room.slab, k) : k;
    const int64_t wide = !sparse && in->features > k ? in->features : k;
    const size_t slab = sparse && width < k ? (size_t)(in->features * width) : 0;
    const size_t chunk = (size_t)(wgdn_chunk_rows(in->rows) * k);
    const size_t side = larger(chunk, sparse ? (size_t)(in->rows.count * width) : 0);
    const size_t levels = (size_t)wgdn_tree_levels(wgdn_chunk_count(in->rows));
    const size_t sum =
        larger(wgdn_gemm_tn_work(one, wide, k), sparse ? wgdn_spmm_tn_work(in->rows, width) : 0);
    *r = (reducing){.in = in, .width = width};
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

/* ---- sparse, slab after slab ---- */

/* Q <- (R X)^T R X Q */
static wgdn_status normal_slab(float *q, const reducing *r, int64_t width, wgdn_error *err)
{
    const wgdn_fit_input *in = r->in;
    const wgdn_status st = wgdn_scaled_product(r->side, in, q, width, err);
    if (st) return st;
    wgdn_scale_rows(r->side, in->inv_norm, r->side, in->rows, width);
    wgdn_spmm_tn(q, &in->turned, r->side, in->rows, width, r->work);
    return WGDN_OK;
}

static wgdn_status normal_sparse(float *q, int64_t k, void *self, wgdn_error *err)
{
    const reducing *r = self;
    const int64_t rows = r->in->features;
    wgdn_status st = WGDN_OK;
    if (r->width == k) return normal_slab(q, r, k, err);
    for (int64_t at = 0; at < k && !st; at += r->width) {
        const int64_t width = wgdn_min(r->width, k - at);
        const size_t bytes = (size_t)width * sizeof *q;
        for (int64_t i = 0; i < rows; i++)
            memcpy(r->slab + i * width, q + i * k + at, bytes);
        st = normal_slab(r->slab, r, width, err);
        for (int64_t i = 0; i < rows; i++)
            memcpy(q + i * k + at, r->slab + i * width, bytes);
    }
    return st;
}

/* ---- chunk after chunk ---- */

/* (R X)^T B or B^T B, B = R X q; the sum is in the tree. */
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
        st = wgdn_scaled_chunk(r->side, &part, q, k, err);
        if (st) break;
        if (with_x) wgdn_scale_rows(r->side, part.inv_norm, r->side, here, k);
        wgdn_product p =
            wgdn_product_of(NULL, with_x ? part.x.dense : r->side, r->side, here, height, k);
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
    const reducing *r = self;
    const double *sum = NULL;
    const wgdn_status st = add_chunks(&sum, r, q, k, true, err);
    for (int64_t i = 0; i < r->in->features * k && !st; i++)
        q[i] = (float)sum[i];
    return st;
}

static wgdn_status gram(double *g, const float *q, int64_t k, void *self, wgdn_error *err)
{
    const double *sum = NULL;
    const wgdn_status st = add_chunks(&sum, self, q, k, false, err);
    for (int64_t i = 0; i < k * k && !st; i++)
        g[i] = sum[i];
    return st;
}

wgdn_status wgdn_reduced_find(wgdn_subspace *s, const wgdn_fit_input *in, int rounds,
                              wgdn_error *err)
{
    const bool sparse = in->x.sparse;
    reducing self;
    wgdn_status st = open_reducing(&self, in, s->k, err);
    const wgdn_operator op = {.rows = in->rows,
                              .cols = wgdn_alone(in->features),
                              .gram = gram,
                              .normal = sparse ? normal_sparse : normal_dense,
                              .self = &self};
    st = wgdn_span_agree(in->rows, st, err);
    if (!st) st = wgdn_subspace_find(s, &op, rounds, err);
    close_reducing(&self);
    return st;
}
