/* SPDX-License-Identifier: Apache-2.0 */
#include "model.h"

void wgdn_input_transpose(wgdn_input *in)
{
    const float *value = in->sparse->value;
    in->nonzeros = wgdn_csr_entries(in->sparse);
    wgdn_csr_turn(&in->transposed, in->entry, in->sparse);
    for (int64_t k = 0; value && k < in->nonzeros; k++)
        in->values[k] = value[in->entry[k]];
}

size_t wgdn_transpose_bytes(bool values)
{
    const wgdn_input *in = NULL;
    return sizeof *in->transposed.column + sizeof *in->entry + (values ? sizeof *in->values : 0);
}

wgdn_status wgdn_input_room(wgdn_input *in, int64_t n, int64_t entries, wgdn_error *err)
{
    const bool values = in->sparse && in->sparse->value;
    in->ones = wgdn_alloc((size_t)n, sizeof *in->ones);
    if (!in->ones) return wgdn_fail(err, WGDN_ENOMEM, "features: %lld rows", (long long)n);
    for (int64_t i = 0; i < n; i++)
        in->ones[i] = 1;
    if (in->sparse) {
        in->transposed.offset = wgdn_alloc((size_t)in->features + 1, sizeof *in->transposed.offset);
        in->transposed.column = wgdn_alloc((size_t)entries, sizeof *in->transposed.column);
        in->entry = wgdn_alloc((size_t)entries, sizeof *in->entry);
        if (values) in->values = wgdn_alloc((size_t)entries, sizeof *in->values);
        if (in->transposed.offset && in->transposed.column && in->entry && (!values || in->values))
            return WGDN_OK;
        return wgdn_fail(err, WGDN_ENOMEM, "features: order of %lld entries", (long long)entries);
    }
    in->smooth = wgdn_alloc((size_t)(n * in->features), sizeof *in->smooth);
    in->smooth_one = wgdn_alloc((size_t)n, sizeof *in->smooth_one);
    if (in->smooth && in->smooth_one) return WGDN_OK;
    return wgdn_fail(err, WGDN_ENOMEM, "features: smoothed, %lld x %lld", (long long)n,
                     (long long)in->features);
}

/*
 * P(L)(X W + 1 b^T) = (P(L) X) W + (P(L) 1) b^T: with the left factors kept, the first layer costs
 * no product with L, forward or backward.                                  [WGDN:first-layer-once]
 */
static wgdn_status prepare_dense(wgdn_input *in, const wgdn_model *m, const wgdn_graph *g,
                                 wgdn_error *err)
{
    const int64_t n = in->rows.count, f = in->features;
    wgdn_poly p = {.graph = g,
                   .d = f,
                   .channels = 1,
                   .order = m->shape.encoder_order,
                   .a = {m->encoder_a},
                   .work =
                       wgdn_alloc(wgdn_poly_work(n, f, m->shape.encoder_order), sizeof *p.work)};
    wgdn_status st = WGDN_OK;
    if (!p.work)
        st = wgdn_fail(err, WGDN_ENOMEM, "features: filtering %lld x %lld", (long long)n,
                       (long long)f);
    st = wgdn_span_agree(in->rows, st, err);
    if (!st) {
        wgdn_poly_apply(in->smooth, &p, in->dense);
        p.d = 1;
        wgdn_poly_apply(in->smooth_one, &p, in->ones);
    }
    wgdn_release(p.work);
    return st;
}

/* r = zeros / non-zeros that are not held out, so that both weigh the same; 1 where X has only one
 * of the two. */
void wgdn_input_weigh(wgdn_input *in, wgdn_balance how)
{
    const wgdn_dist *d = in->rows.dist;
    const int64_t count = in->rows.count * in->features;
    if (!in->sparse) in->nonzeros = in->held ? in->held->offset[in->rows.count] : 0;
    for (int64_t k = 0; !in->sparse && k < count; k++)
        in->nonzeros += in->dense[k] != 0;
    in->all_nonzeros = d ? d->ranks->call->sum(d->ranks, in->nonzeros) : in->nonzeros;
    const double all = (double)(in->rows.total * in->features), ones = (double)in->all_nonzeros;
    const double held = in->held ? (double)in->held->all : 0;
    const bool even = how == WGDN_BALANCE_PLAIN || ones == held || ones == all;
    in->balance = even ? 1 : (all - ones) / (ones - held);
}

wgdn_status wgdn_input_prepare(wgdn_input *in, const wgdn_model *m, const wgdn_graph *g,
                               wgdn_error *err)
{
    wgdn_status st;
    if (in->features != m->shape.features)
        return wgdn_fail(err, WGDN_EINVAL,
                         "features: %lld columns, but the model was made for %lld",
                         (long long)in->features, (long long)m->shape.features);
    st = wgdn_input_room(in, in->rows.count, in->sparse ? wgdn_csr_entries(in->sparse) : 0, err);
    st = wgdn_span_agree(in->rows, st, err);
    if (!st && in->sparse)
        wgdn_input_transpose(in);
    else if (!st)
        st = prepare_dense(in, m, g, err);
    if (st)
        wgdn_input_free(in);
    else
        wgdn_input_weigh(in, m->options.balance);
    in->edges = in->all_edges = wgdn_csr_entries(&g->adjacency);
    if (!st && in->rows.dist)
        in->all_edges = in->rows.dist->ranks->call->sum(in->rows.dist->ranks, in->edges);
    in->halo = g->adjacency.cols - g->adjacency.rows;
    in->weighted = g->adjacency.value != NULL;
    return st;
}

void wgdn_input_free(wgdn_input *in)
{
    wgdn_release(in->smooth_one);
    wgdn_release(in->smooth);
    wgdn_release(in->values);
    wgdn_release(in->entry);
    wgdn_csr_free(&in->transposed);
    wgdn_release(in->ones);
    *in = (wgdn_input){.rows = in->rows,
                       .features = in->features,
                       .order = in->order,
                       .dense = in->dense,
                       .sparse = in->sparse,
                       .held = in->held};
}
