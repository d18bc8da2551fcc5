/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Computes the encoder, forward and backward: layers that multiply by weights and smooth with a
 * low-pass filter of the graph. step.c calls it, and embedding needs only its forward pass; it
 * also prepares the input features.
 */
#include "encoder.h"
#include "model.h"

/*
 * Encoder layer:  v = P(L)(h W + 1 b^T),  h' = prelu(norm(v))                   [WGDN:encoder]
 *
 * h: n x in, W: in x out, v: n x out. P has fixed coefficients; L is symmetric. Backward, with
 * du = P(L) dv:  dW = h^T du,  db = du^T 1,  dh = du W^T.
 */

/* u = X W + 1 b^T, or for dense X the whole v = (P X) W + (P 1) b^T. */
static wgdn_status first_product(float *u, const wgdn_pass *p, wgdn_error *err)
{
    const wgdn_encoder_layer *e = &p->m->at.encoder[0];
    const wgdn_model_input *in = p->in;
    const int64_t h = p->m->shape.width;
    if (in->sparse) {
        wgdn_spmm(u, in->sparse, e->weight, h);
        wgdn_add_row(u, 1, e->bias, in->rows.count, h);
        return WGDN_OK;
    }
    wgdn_product xw = wgdn_workspace_product(p->w, u, in->smooth, e->weight, in->features, h);
    xw.column = in->smooth_one;
    xw.bias = e->bias;
    return wgdn_gemm_nn(&xw, err);
}

/* u = h W + 1 b^T of a layer above the first. */
static wgdn_status product(float *u, const wgdn_pass *p, int k, wgdn_error *err)
{
    const wgdn_encoder_layer *e = &p->m->at.encoder[k];
    const int64_t h = p->m->shape.width;
    float *from = wgdn_poly_first(p->w->powers, h); /* free now: room for h */
    wgdn_product hw = wgdn_workspace_product(p->w, u, from, e->weight, h, h);
    hw.bias = e->bias;
    wgdn_encoder_output(from, p, k);
    return wgdn_gemm_nn(&hw, err);
}

/* y = P(L) x, which must not alias y */
static void smooth(float *y, const wgdn_pass *p, const float *x, float *work)
{
    const wgdn_poly poly = {.graph = p->g,
                            .d = p->m->shape.width,
                            .channels = 1,
                            .order = p->m->shape.encoder_order,
                            .a = {p->m->encoder_a},
                            .precision = p->w->precision,
                            .work = work};
    wgdn_poly_apply(y, &poly, x);
}

wgdn_status wgdn_encoder_forward(const wgdn_pass *p, wgdn_error *err)
{
    wgdn_workspace *w = p->w;
    for (int k = 0; k < p->m->shape.encoder_layers; k++) {
        const bool smoothed = k == 0 && p->in->dense;
        float *v = w->encoder[k].v, *u = smoothed ? v : w->input;
        const wgdn_status st = k == 0 ? first_product(u, p, err) : product(u, p, k, err);
        if (st) return st;
        if (!smoothed) smooth(v, p, u, w->powers);
        wgdn_encoder_saved *e = &p->w->encoder[k];
        const int64_t h = p->m->shape.width, at = 2 * h * k;
        float *running = p->running ? p->running + at : NULL;
        e->norm.scale = p->m->at.encoder[k].scale;
        e->norm.shift = p->m->at.encoder[k].shift;
        if (!running && e->norm.kind == WGDN_NORM_BATCH)
            wgdn_norm_from_running(&e->norm, p->m->buffer + at, p->m->buffer + at + h, h);
        else
            wgdn_norm_estimate(&e->norm, e->v, p->w->rows, h, running, running ? running + h : NULL,
                               p->w->sums);
    }
    return WGDN_OK;
}

static wgdn_activation activation_of(const wgdn_pass *p, int k)
{
    const wgdn_encoder_saved *e = &p->w->encoder[k];
    return (wgdn_activation){.norm = &e->norm,
                             .slope = p->m->at.encoder[k].slope,
                             .x = e->v,
                             .n = p->w->rows,
                             .d = p->m->shape.width};
}

void wgdn_encoder_output(float *h, const wgdn_pass *p, int k)
{
    const wgdn_activation a = activation_of(p, k - 1);
    wgdn_activate(h, &a);
}

/* Layer 0: gradients of its weight and bias from dv. */
static wgdn_status first_back(wgdn_encoder_layer *d, float *dv, const wgdn_pass *p, wgdn_error *err)
{
    const wgdn_model_input *in = p->in;
    wgdn_workspace *w = p->w;
    const int64_t h = p->m->shape.width;
    if (in->dense) {
        const wgdn_product dw =
            wgdn_workspace_product(w, d->weight, in->smooth, dv, in->features, h);
        wgdn_weighted_sum(d->bias, in->smooth_one, dv, w->rows, h, 1, 0, w->sums);
        return wgdn_gemm_tn(&dw, err);
    }
    wgdn_csr xt = in->transposed;
    xt.value = in->values;
    smooth(w->input, p, dv, w->powers_back);
    wgdn_weighted_sum(d->bias, NULL, w->input, w->rows, h, 1, 0, w->sums);
    wgdn_spmm_tn(d->weight, &xt, w->input, w->rows, h, w->tn);
    return WGDN_OK;
}

wgdn_status wgdn_encoder_backward(wgdn_params *grad, float *dh, const wgdn_pass *p, wgdn_error *err)
{
    wgdn_workspace *w = p->w;
    const int64_t h = p->m->shape.width;
    for (int k = p->m->shape.encoder_layers - 1; k >= 0; k--) {
        wgdn_encoder_layer *d = &grad->encoder[k];
        /* dv from dh, in place, and the gradients of slope and norm. */
        const wgdn_activation a = activation_of(p, k);
        wgdn_activate_back(dh, d->slope, d->scale, d->shift, &a, p->w->sums);
        if (k == 0) return first_back(d, dh, p, err);
        smooth(w->input, p, dh, w->powers_back);
        float *from = wgdn_poly_first(w->powers_back, h);
        wgdn_encoder_output(from, p, k);
        const wgdn_product dw = wgdn_workspace_product(w, d->weight, from, w->input, h, h);
        wgdn_status st = wgdn_gemm_tn(&dw, err);
        if (st) return st;
        wgdn_weighted_sum(d->bias, NULL, w->input, w->rows, h, 1, 0, w->sums);
        if (w->skip[k]) dh = w->skip[k]; /* the rest of the way is added to what waits there */
        wgdn_product below =
            wgdn_workspace_product(w, dh, w->input, p->m->at.encoder[k].weight, h, h);
        below.beta = w->skip[k] ? 1 : 0;
        st = wgdn_gemm_nt(&below, err);
        if (st) return st;
    }
    return WGDN_OK;
}

wgdn_status wgdn_model_input_room(wgdn_model_input *in, int64_t n, int64_t entries, wgdn_error *err)
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
        return wgdn_fail(err, WGDN_ENOMEM, "features: the order of %lld entries",
                         (long long)entries);
    }
    in->smooth = wgdn_alloc((size_t)(n * in->features), sizeof *in->smooth);
    in->smooth_one = wgdn_alloc((size_t)n, sizeof *in->smooth_one);
    if (in->smooth && in->smooth_one) return WGDN_OK;
    return wgdn_fail(err, WGDN_ENOMEM, "smoothed features: %lld x %lld", (long long)n,
                     (long long)in->features);
}

/*
 * P(L)(X W + 1 b^T) = (P(L) X) W + (P(L) 1) b^T: with the left factors kept, the first layer costs
 * no product with L, forward or backward.                                  [WGDN:first-layer-once]
 */
static wgdn_status prepare_dense(wgdn_model_input *in, const wgdn_model *m, const wgdn_graph *g,
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
        st = wgdn_fail(err, WGDN_ENOMEM, "filtered features: %lld x %lld", (long long)n,
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
void wgdn_model_input_weigh(wgdn_model_input *in, wgdn_balance how)
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

wgdn_status wgdn_model_input_prepare(wgdn_model_input *in, const wgdn_model *m, const wgdn_graph *g,
                                     wgdn_error *err)
{
    wgdn_status st;
    if (in->features != m->shape.features)
        return wgdn_fail(
            err, WGDN_EINVAL,
            "features: %lld columns, but the model was made for %lld; give the same columns",
            (long long)in->features, (long long)m->shape.features);
    st = wgdn_model_input_room(in, in->rows.count, in->sparse ? wgdn_csr_entries(in->sparse) : 0,
                               err);
    st = wgdn_span_agree(in->rows, st, err);
    if (!st && in->sparse)
        wgdn_model_input_transpose(in);
    else if (!st)
        st = prepare_dense(in, m, g, err);
    if (st)
        wgdn_model_input_free(in);
    else
        wgdn_model_input_weigh(in, m->options.balance);
    in->edges = in->all_edges = wgdn_csr_entries(&g->adjacency);
    if (!st && in->rows.dist)
        in->all_edges = in->rows.dist->ranks->call->sum(in->rows.dist->ranks, in->edges);
    in->halo = g->adjacency.cols - g->adjacency.rows;
    in->weighted = g->adjacency.value != NULL;
    return st;
}
