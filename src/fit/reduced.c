/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Features reduced to their leading directions, before they meet the graph.             [WGDN:reduced]
 *
 *     V: leading right singular vectors of R X,   A^T A = X^T R^2 X
 *
 * Dense rows go by chunks, each once a round: nothing of nodes x columns is held, and X may lie in
 * a file. Sparse ones go all at once, by the transpose of X.
 */
#include "fit.h"

typedef struct reducing {
    const wgdn_fit_input *in;
    float *side;  /* R X V: of a chunk, or of all rows */
    double *tree; /* of sums over chunks */
    void *work;
} reducing;

static wgdn_status open_reducing(reducing *r, const wgdn_fit_input *in, int64_t k, wgdn_error *err)
{
    const bool sparse = in->x.sparse;
    const wgdn_span one = wgdn_chunk(in->rows, 0);
    const int64_t rows = sparse ? in->rows.count : wgdn_chunk_rows(in->rows);
    const int64_t wide = in->features > k ? in->features : k;
    const size_t levels = (size_t)wgdn_tree_levels(wgdn_chunk_count(in->rows));
    const size_t sum = sparse ? wgdn_spmm_tn_work(in->rows, k) : wgdn_gemm_tn_work(one, wide, k);
    *r = (reducing){.in = in};
    r->side = wgdn_alloc((size_t)rows * (size_t)k, sizeof *r->side);
    r->tree = wgdn_alloc(sparse ? 0 : levels * (size_t)(wide * k), sizeof *r->tree);
    r->work = wgdn_alloc(sum, 1);
    if (r->side && r->tree && r->work) return WGDN_OK;
    return wgdn_fail(err, WGDN_ENOMEM, "reducing features: %lld rows of %lld columns",
                     (long long)rows, (long long)k);
}

static void close_reducing(reducing *r)
{
    wgdn_release(r->work);
    wgdn_release(r->tree);
    wgdn_release(r->side);
}

/* ---- sparse ---- */

static wgdn_status times(float *y, const float *q, int64_t k, void *self, wgdn_error *err)
{
    const reducing *r = self;
    return wgdn_scaled_product(y, r->in, q, k, err);
}

static wgdn_status normal_sparse(float *q, int64_t k, void *self, wgdn_error *err)
{
    const reducing *r = self;
    const wgdn_fit_input *in = r->in;
    const wgdn_status st = wgdn_scaled_product(r->side, in, q, k, err);
    if (st) return st;
    wgdn_scale_rows(r->side, in->inv_norm, r->side, in->rows, k);
    wgdn_spmm_tn(q, &in->turned, r->side, in->rows, k, r->work);
    return WGDN_OK;
}

/* ---- dense, chunk after chunk ---- */

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
                              .times = times,
                              .gram = sparse ? NULL : gram,
                              .normal = sparse ? normal_sparse : normal_dense,
                              .self = &self};
    st = wgdn_span_agree(in->rows, st, err);
    if (!st) st = wgdn_subspace_find(s, &op, rounds, err);
    close_reducing(&self);
    return st;
}
