/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Encoder layer:  v = P(L)(h W + 1 b^T),  h' = prelu(norm(v))                   [WGDN:encoder]
 *
 * h: n x in, W: in x out, v: n x out. P has fixed coefficients; L is symmetric. Backward, with
 * du = P(L) dv:  dW = h^T du,  db = du^T 1,  dh = du W^T.
 */
#include "encoder.h"

/* u = X W + 1 b^T, or for dense X the whole v = (P X) W + (P 1) b^T. */
static wgdn_status first_product(float *u, const wgdn_encoder_layer *e, const wgdn_input *in,
                                 int64_t h, wgdn_error *err)
{
    if (in->sparse) {
        wgdn_spmm(u, in->sparse, e->weight, h);
        wgdn_add_row(u, 1, e->bias, in->n, h);
        return WGDN_OK;
    }
    wgdn_status st =
        wgdn_gemm_nn(u, in->smooth, e->weight, in->n, in->features, h, 1, 0, NULL, err);
    if (!st) wgdn_add_outer(u, in->smooth_one, e->bias, in->n, h);
    return st;
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
        wgdn_norm_estimate(&e->norm, e->v, w->n, h, running ? running + at : NULL,
                           running ? running + at + h : NULL, w->sums);
}

wgdn_status wgdn_encoder_forward(const wgdn_model *m, wgdn_workspace *w, const wgdn_graph *g,
                                 const wgdn_input *in, bool training, float *running,
                                 wgdn_error *err)
{
    const int64_t n = w->n, h = m->shape.width;
    const double *a = m->encoder_a;
    for (int k = 0; k < m->shape.encoder_layers; k++) {
        const wgdn_encoder_layer *e = &m->at.encoder[k];
        const bool smoothed = k == 0 && in->dense;
        float *v = w->encoder[k].v, *u = smoothed ? v : w->input;
        wgdn_status st;
        if (k == 0) {
            st = first_product(u, e, in, h, err);
        } else {
            float *from = wgdn_poly_first(w->powers, h); /* free now: room for h */
            wgdn_encoder_output(from, m, w, k);
            st = wgdn_gemm_nn(u, from, e->weight, n, h, h, 1, 0, e->bias, err);
        }
        if (st) return st;
        if (!smoothed)
            wgdn_poly_filter(&v, 1, false, g, u, NULL, h, &a, m->shape.encoder_order, w->powers);
        estimate_norm(m, w, k, training, running);
    }
    return WGDN_OK;
}

void wgdn_encoder_output(float *h, const wgdn_model *m, const wgdn_workspace *w, int k)
{
    const wgdn_encoder_saved *e = &w->encoder[k - 1];
    const float *slope = m->at.encoder[k - 1].slope, *from = e->v;
    if (e->norm.kind != WGDN_NORM_NONE) {
        wgdn_norm_apply(h, &e->norm, from, w->n, m->shape.width);
        from = h;
    }
    if (slope)
        wgdn_prelu(h, from, *slope, w->n, m->shape.width);
    else if (from != h)
        wgdn_copy(h, from, w->n, m->shape.width);
}

/* dv from dh, in place, and the gradients of slope and norm. */
static void activation_back(wgdn_params *grad, float *dh, const wgdn_model *m,
                            const wgdn_workspace *w, int k)
{
    const wgdn_encoder_saved *e = &w->encoder[k];
    const int64_t n = w->n, h = m->shape.width;
    wgdn_encoder_layer *d = &grad->encoder[k];
    if (d->slope) {
        const float *z = e->v;
        if (e->norm.kind != WGDN_NORM_NONE) {
            wgdn_norm_apply(w->input, &e->norm, e->v, n, h);
            z = w->input;
        }
        *d->slope = (float)wgdn_prelu_back(dh, dh, z, *m->at.encoder[k].slope, n, h, w->sums);
    }
    wgdn_norm_back(dh, d->scale, d->shift, &e->norm, dh, e->v, n, h, w->sums);
}

/* Layer 0: gradients of its weight and bias from dv. */
static wgdn_status first_back(wgdn_encoder_layer *d, float *dv, const wgdn_model *m,
                              wgdn_workspace *w, const wgdn_graph *g, const wgdn_input *in,
                              wgdn_error *err)
{
    const int64_t n = w->n, h = m->shape.width;
    const double *a = m->encoder_a;
    const float *dy[] = {dv};
    if (in->dense) {
        wgdn_status st =
            wgdn_gemm_tn(d->weight, in->smooth, dv, n, in->features, h, 1, 0, w->tn, err);
        if (st) return st;
        return wgdn_gemm_tn(d->bias, in->smooth_one, dv, n, 1, h, 1, 0, w->tn, err);
    }
    wgdn_csr xt = in->transposed;
    xt.value = in->values;
    wgdn_poly_gradient(w->input, 1, g, dy, h, &a, m->shape.encoder_order, w->powers);
    wgdn_spmm_tn(d->weight, &xt, w->input, h, w->tn);
    return wgdn_gemm_tn(d->bias, in->ones, w->input, n, 1, h, 1, 0, w->tn, err);
}

wgdn_status wgdn_encoder_backward(wgdn_params *grad, float *dh, wgdn_model *m, wgdn_workspace *w,
                                  const wgdn_graph *g, const wgdn_input *in, wgdn_error *err)
{
    const int64_t n = w->n, h = m->shape.width;
    const double *a = m->encoder_a;
    for (int k = m->shape.encoder_layers - 1; k >= 0; k--) {
        wgdn_encoder_layer *d = &grad->encoder[k];
        const float *dy[] = {dh};
        wgdn_status st;
        activation_back(grad, dh, m, w, k);
        if (k == 0) return first_back(d, dh, m, w, g, in, err);
        wgdn_poly_gradient(w->input, 1, g, dy, h, &a, m->shape.encoder_order, w->powers);
        float *from = wgdn_poly_first(w->powers, h);
        wgdn_encoder_output(from, m, w, k);
        st = wgdn_gemm_tn(d->weight, from, w->input, n, h, h, 1, 0, w->tn, err);
        if (st) return st;
        st = wgdn_gemm_tn(d->bias, in->ones, w->input, n, 1, h, 1, 0, w->tn, err);
        if (st) return st;
        if (w->skip[k]) wgdn_copy(dh, w->skip[k], n, h);
        st = wgdn_gemm_nt(dh, w->input, m->at.encoder[k].weight, n, h, h, 1, w->skip[k] ? 1 : 0,
                          NULL, err);
        if (st) return st;
    }
    return WGDN_OK;
}
