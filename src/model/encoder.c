/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Encoder layer:  v = P(L)(h W + 1 b^T),  h' = prelu(norm(v))                   [WGDN:encoder]
 *
 * h: n x in, W: in x out, v: n x out. P has fixed coefficients; L is symmetric. Backward, with
 * du = P(L) dv:  dW = h^T du,  db = du^T 1,  dh = du W^T.
 */
#include "encoder.h"

/* u = X W + 1 b^T, or for dense X the whole v = (P X) W + (P 1) b^T. */
static wgdn_status first_product(float *u, const wgdn_pass *p, wgdn_error *err)
{
    const wgdn_encoder_layer *e = &p->m->at.encoder[0];
    const wgdn_input *in = p->in;
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

static void estimate_norm(const wgdn_pass *p, int k)
{
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

wgdn_status wgdn_encoder_forward(const wgdn_pass *p, wgdn_error *err)
{
    wgdn_workspace *w = p->w;
    for (int k = 0; k < p->m->shape.encoder_layers; k++) {
        const bool smoothed = k == 0 && p->in->dense;
        float *v = w->encoder[k].v, *u = smoothed ? v : w->input;
        const wgdn_status st = k == 0 ? first_product(u, p, err) : product(u, p, k, err);
        if (st) return st;
        if (!smoothed) smooth(v, p, u, w->powers);
        estimate_norm(p, k);
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

/* dv from dh, in place, and the gradients of slope and norm. */
static void activation_back(wgdn_encoder_layer *d, float *dh, const wgdn_pass *p, int k)
{
    const wgdn_activation a = activation_of(p, k);
    wgdn_activate_back(dh, d->slope, d->scale, d->shift, &a, p->w->sums);
}

/* Layer 0: gradients of its weight and bias from dv. */
static wgdn_status first_back(wgdn_encoder_layer *d, float *dv, const wgdn_pass *p, wgdn_error *err)
{
    const wgdn_input *in = p->in;
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
        activation_back(d, dh, p, k);
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
