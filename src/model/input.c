/* SPDX-License-Identifier: Apache-2.0 */
#include "model.h"

/* Where every entry of A^T comes from in A. */
static void number_entries(int64_t *entry, const wgdn_csr *a, const wgdn_csr *t, int64_t *next)
{
    for (int64_t j = 0; j < t->rows; j++)
        next[j] = t->offset[j];
    for (int64_t k = 0; k < wgdn_csr_entries(a); k++)
        entry[next[a->column[k]]++] = k;
}

static wgdn_status prepare_sparse(wgdn_input *in, wgdn_error *err)
{
    const int64_t entries = wgdn_csr_entries(in->sparse);
    wgdn_csr pattern = *in->sparse;
    int64_t *next = NULL;
    wgdn_status st;
    pattern.value = NULL;
    st = wgdn_csr_transpose(&in->transposed, &pattern, err);
    if (st) return st;
    next = wgdn_alloc((size_t)in->features, sizeof *next);
    in->entry = wgdn_alloc((size_t)entries, sizeof *in->entry);
    if (in->sparse->value) in->values = wgdn_alloc((size_t)entries, sizeof *in->values);
    if (!next || !in->entry || (in->sparse->value && !in->values)) {
        st = wgdn_fail(err, WGDN_ENOMEM, "features: order of %lld entries", (long long)entries);
        goto done;
    }
    number_entries(in->entry, in->sparse, &in->transposed, next);
    for (int64_t k = 0; in->sparse->value && k < entries; k++)
        in->values[k] = in->sparse->value[in->entry[k]];
    in->nonzeros = entries;

done:
    wgdn_release(next);
    return st;
}

/*
 * P(L)(X W + 1 b^T) = (P(L) X) W + (P(L) 1) b^T: with the left factors kept, the first layer costs
 * no product with L, forward or backward.                                  [WGDN:first-layer-once]
 */
static wgdn_status prepare_dense(wgdn_input *in, const wgdn_model *m, const wgdn_graph *g,
                                 wgdn_error *err)
{
    const int64_t n = in->n, f = in->features;
    const double *a = m->encoder_a;
    const int order = m->shape.encoder_order;
    float *work = wgdn_alloc(wgdn_poly_work(n, f, order), sizeof *work);
    in->smooth = wgdn_alloc((size_t)(n * f), sizeof *in->smooth);
    in->smooth_one = wgdn_alloc((size_t)n, sizeof *in->smooth_one);
    if (!work || !in->smooth || !in->smooth_one) {
        wgdn_release(work);
        return wgdn_fail(err, WGDN_ENOMEM, "features: smoothed, %lld x %lld", (long long)n,
                         (long long)f);
    }
    wgdn_poly_apply(in->smooth, g, in->dense, f, a, order, work);
    wgdn_poly_apply(in->smooth_one, g, in->ones, 1, a, order, work);
    wgdn_release(work);
    for (int64_t k = 0; k < n * f; k++)
        in->nonzeros += in->dense[k] != 0;
    return WGDN_OK;
}

/* r = zeros / non-zeros, so that both weigh the same; 1 where X has only one of the two. */
static double balance(const wgdn_input *in, wgdn_balance how)
{
    const double all = (double)in->n * (double)in->features, ones = (double)in->nonzeros;
    return how == WGDN_BALANCE_PLAIN || ones == 0 || ones == all ? 1 : (all - ones) / ones;
}

wgdn_status wgdn_input_prepare(wgdn_input *in, const wgdn_model *m, const wgdn_graph *g,
                               wgdn_error *err)
{
    wgdn_status st;
    if (in->features != m->shape.features)
        return wgdn_fail(err, WGDN_EINVAL,
                         "features: %lld columns, but the model was made for %lld",
                         (long long)in->features, (long long)m->shape.features);
    in->ones = wgdn_alloc((size_t)in->n, sizeof *in->ones);
    if (!in->ones) return wgdn_fail(err, WGDN_ENOMEM, "features: %lld rows", (long long)in->n);
    for (int64_t i = 0; i < in->n; i++)
        in->ones[i] = 1;
    st = in->sparse ? prepare_sparse(in, err) : prepare_dense(in, m, g, err);
    if (st) {
        wgdn_input_free(in);
        return st;
    }
    in->balance = balance(in, m->options.balance);
    in->edges = wgdn_csr_entries(&g->adjacency);
    return WGDN_OK;
}

void wgdn_input_free(wgdn_input *in)
{
    wgdn_release(in->smooth_one);
    wgdn_release(in->smooth);
    wgdn_release(in->values);
    wgdn_release(in->entry);
    wgdn_csr_free(&in->transposed);
    wgdn_release(in->ones);
    *in = (wgdn_input){
        .n = in->n, .features = in->features, .dense = in->dense, .sparse = in->sparse};
}
