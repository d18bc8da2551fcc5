/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Encoder layer:  v = P(L)(h W + 1 b^T),  h' = prelu(norm(v))                   [WGDN:encoder]
 *
 * h: n x in, W: in x out, v: n x out. P has fixed coefficients; L is symmetric. Backward, with
 * du = P(L) dv:  dW = h^T du,  db = du^T 1,  dh = du W^T.
 */
#include "encoder.h"

/* u = X W + 1 b^T, or for dense X the whole v = (P X) W + (P 1) b^T. */
static wgdn_status first_product(float *u, const wgdn_encoder_layer *e, const wgdn_workspace *w,
                                 const wgdn_input *in, int64_t h, wgdn_error *err)
{
    if (in->sparse) {
        wgdn_spmm(u, in->sparse, e->weight, h);
        wgdn_add_row(u, 1, e->bias, in->rows.count, h);
        return WGDN_OK;
    }
    wgdn_product p = wgdn_workspace_product(w, u, in->smooth, e->weight, in->features, h);
    p.column = in->smooth_one;
    p.bias = e->bias;
    return wgdn_gemm_nn(&p, err);
}

/* y = P(L) x, which must not alias y */
static void smooth(float *y, const wgdn_model *m, const wgdn_workspace *w, const wgdn_graph *g,
                   const float *x, float *work)
{
    const wgdn_poly p = {.graph = g,
                         .d = m->shape.width,
                         .channels = 1,
                         .order = m->shape.encoder_order,
                         .a = {m->encoder_a},
                         .precision = w->precision,
                         .work = work};
    wgdn_poly_apply(y, &p, x);
}

static void set_norm(wgdn_norm_state *s, const wgdn_model *m, int k)
{
    s->scale = m->at.encoder[k].scale;
    s->shift = m->at.encoder[k].shift;
}

static void estimate_norm(const wgdn_model *m, wgdn_workspace *w, int k, bool training,
                          float *running)
{
    wgdn_encoder_saved *e = &w->encoder[k];
    const int64_t h = m->shape.width, at = 2 * h * k;
    set_norm(&e->norm, m, k);
    if (!training && e->norm.kind == WGDN_NORM_BATCH)
        wgdn_norm_from_running(&e->norm, m->buffer + at, m->buffer + at + h, h);
    else
        wgdn_norm_estimate(&e->norm, e->v, w->rows, h, running ? running + at : NULL,
                           running ? running + at + h : NULL, w->sums);
}

wgdn_status wgdn_encoder_forward(const wgdn_model *m, wgdn_workspace *w, const wgdn_graph *g,
                                 const wgdn_input *in, bool training, float *running,
                                 wgdn_error *err)
{
    const int64_t h = m->shape.width;
    for (int k = 0; k < m->shape.encoder_layers; k++) {
        const wgdn_encoder_layer *e = &m->at.encoder[k];
        const bool smoothed = k == 0 && in->dense;
        float *v = w->encoder[k].v, *u = smoothed ? v : w->input;
        wgdn_status st;
        if (k == 0) {
            st = first_product(u, e, w, in, h, err);
        } else {
            float *from = wgdn_poly_first(w->powers, h); /* free now: room for h */
            wgdn_encoder_output(from, m, w, k);
            wgdn_product p = wgdn_workspace_product(w, u, from, e->weight, h, h);
            p.bias = e->bias;
            st = wgdn_gemm_nn(&p, err);
        }
        if (st) return st;
        if (!smoothed) smooth(v, m, w, g, u, w->powers);
        estimate_norm(m, w, k, training, running);
    }
    return WGDN_OK;
}

void wgdn_encoder_output(float *h, const wgdn_model *m, const wgdn_workspace *w, int k)
{
    const wgdn_encoder_saved *e = &w->encoder[k - 1];
    wgdn_activate(h, &e->norm, m->at.encoder[k - 1].slope, e->v, w->rows.count, m->shape.width);
}

/* dv from dh, in place, and the gradients of slope and norm. */
static void activation_back(wgdn_params *grad, float *dh, const wgdn_model *m,
                            const wgdn_workspace *w, int k)
{
    const wgdn_encoder_saved *e = &w->encoder[k];
    wgdn_encoder_layer *d = &grad->encoder[k];
    wgdn_activate_back(dh, d->slope, d->scale, d->shift, &e->norm, m->at.encoder[k].slope, e->v,
                       w->rows, m->shape.width, w->sums);
}

/* Layer 0: gradients of its weight and bias from dv. */
static wgdn_status first_back(wgdn_encoder_layer *d, float *dv, const wgdn_model *m,
                              wgdn_workspace *w, const wgdn_graph *g, const wgdn_input *in,
                              wgdn_error *err)
{
    const int64_t h = m->shape.width;
    if (in->dense) {
        wgdn_weighted_sum(d->bias, in->smooth_one, dv, w->rows, h, 1, 0, w->sums);
        const wgdn_product p =
            wgdn_workspace_product(w, d->weight, in->smooth, dv, in->features, h);
        return wgdn_gemm_tn(&p, err);
    }
    wgdn_csr xt = in->transposed;
    xt.value = in->values;
    smooth(w->input, m, w, g, dv, w->powers_back);
    wgdn_weighted_sum(d->bias, NULL, w->input, w->rows, h, 1, 0, w->sums);
    wgdn_spmm_tn(d->weight, &xt, w->input, w->rows, h, w->tn);
    return WGDN_OK;
}

wgdn_status wgdn_encoder_backward(wgdn_params *grad, float *dh, wgdn_model *m, wgdn_workspace *w,
                                  const wgdn_graph *g, const wgdn_input *in, wgdn_error *err)
{
    const int64_t h = m->shape.width;
    for (int k = m->shape.encoder_layers - 1; k >= 0; k--) {
        wgdn_encoder_layer *d = &grad->encoder[k];
        wgdn_status st;
        activation_back(grad, dh, m, w, k);
        if (k == 0) return first_back(d, dh, m, w, g, in, err);
        smooth(w->input, m, w, g, dh, w->powers_back);
        float *from = wgdn_poly_first(w->powers_back, h);
        wgdn_encoder_output(from, m, w, k);
        const wgdn_product dw = wgdn_workspace_product(w, d->weight, from, w->input, h, h);
        st = wgdn_gemm_tn(&dw, err);
        if (st) return st;
        wgdn_weighted_sum(d->bias, NULL, w->input, w->rows, h, 1, 0, w->sums);
        if (w->skip[k]) dh = w->skip[k]; /* the rest of the way is added to what waits there */
        wgdn_product down = wgdn_workspace_product(w, dh, w->input, m->at.encoder[k].weight, h, h);
        down.beta = w->skip[k] ? 1 : 0;
        st = wgdn_gemm_nt(&down, err);
        if (st) return st;
    }
    return WGDN_OK;
}
