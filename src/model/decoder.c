/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Decoder layer, branches x_1 .. x_B (the layer below and, with skip, an augmented encoder output):
 *
 *     t = share * sum_b Dec(x_b),   d' = prelu(norm(t))                          [WGDN:decoder]
 *     Dec(x) = aggregate_q prelu( (sum_m k_qm L^m x) W_q^T + 1 b_q^T ),
 *
 * where the coefficients k come from the Wiener response at the penalty of x, are estimated in
 * every call, and are constants for the gradient; a response without a penalty is fitted once. One
 * channel has no activation, so its branches meet before the product:  t = B W^T + (share *
 * branches) 1 b^T,  B = share * sum_b p_b(L) x_b.
 *
 * Backward, one channel:  dW = dt^T B,  db = share * branches * dt^T 1,  dB = dt W,
 * dx_b = share * p_b(L) dB. Several: do_bq from the aggregate, dW_q = sum_b do_bq^T f_bq,
 * db_q = sum_b do_bq^T 1,  dx_b = sum_q p_bq(L) (do_bq W_q).
 */
#include "decoder.h"
#include "augment.h"
#include "encoder.h"

#include <stdio.h>

float wgdn_decoder_share(const wgdn_model *m, const wgdn_decoder_saved *d)
{
    return d->branches > 1 && m->options.skip == WGDN_SKIP_MEAN ? 0.5f : 1;
}

wgdn_poly wgdn_decoder_filter(double scaled[WGDN_POWERS_MAX + 1], const wgdn_pass *p, int k, int b)
{
    const wgdn_shape *s = &p->m->shape;
    const wgdn_decoder_saved *d = &p->w->decoder[k];
    wgdn_poly poly = {.graph = p->decoded,
                      .d = s->width,
                      .channels = s->channels,
                      .order = s->decoder_order,
                      .precision = p->w->precision,
                      .work = p->w->powers};
    for (int q = 0; q < s->channels; q++)
        poly.a[q] = d->call[b].a[q];
    if (s->channels > 1) return poly;
    for (int i = 0; i <= s->decoder_order; i++)
        scaled[i] = (double)wgdn_decoder_share(p->m, d) * d->call[b].a[0][i];
    poly.a[0] = scaled;
    return poly;
}

wgdn_activation wgdn_decoder_activation(const wgdn_pass *p, int k)
{
    const wgdn_decoder_saved *d = &p->w->decoder[k];
    return (wgdn_activation){.norm = &d->norm,
                             .slope = p->m->at.decoder[k].slope,
                             .x = d->t,
                             .n = p->w->rows,
                             .d = p->m->shape.width};
}

void wgdn_decoder_input(float *x, const wgdn_pass *p, int k, int b)
{
    if (k > 0 && b == 0) {
        const wgdn_activation below = wgdn_decoder_activation(p, k - 1);
        wgdn_activate(x, &below);
        return;
    }
    wgdn_encoder_output(x, p, p->m->shape.encoder_layers - k);
    wgdn_augment_rows(x, p, k);
}

wgdn_status wgdn_decoder_estimate(wgdn_dec_call *call, float *first, const wgdn_pass *p,
                                  const float *x, int k, wgdn_error *err)
{
    const wgdn_model *m = p->m;
    const wgdn_shape *s = &m->shape;
    double *a[WGDN_CHANNELS_MAX];
    wgdn_signal_sums sums;
    char where[48];
    wgdn_status st;
    if (!m->response->estimates) {
        for (int q = 0; q < s->channels; q++)
            for (int i = 0; i <= s->decoder_order; i++)
                call->a[q][i] = m->fixed_a[i];
        return WGDN_OK;
    }
    wgdn_laplacian_sums(&sums, first, p->decoded, x, s->width, m->options.average, p->w->sums);
    const wgdn_estimate e = wgdn_wiener_estimate(&sums, p->w->rows.total);
    call->signal = e.signal;
    call->noise = e.noise;
    snprintf(where, sizeof where, "decoder layer %d", k);
    st = wgdn_wiener_penalties(call->penalty, &e, s->gamma, s->channels, where, err);
    if (st) return st;
    for (int q = 0; q < s->channels; q++)
        a[q] = call->a[q];
    return wgdn_response_series(a, m->fit, m->response->response, m->kernel, call->penalty,
                                s->channels, err);
}

/* Filter w->input into B, or into the branch's channels, with the coefficients of the call. */
static void filter_branch(const wgdn_pass *p, int k, int b, const float *first)
{
    wgdn_decoder_saved *d = &p->w->decoder[k];
    double scaled[WGDN_POWERS_MAX + 1];
    const wgdn_poly poly = wgdn_decoder_filter(scaled, p, k, b);
    wgdn_poly_filter(poly.channels > 1 ? d->filtered[b] : &d->big, &poly, p->w->input, first,
                     poly.channels == 1 && b > 0);
}

/* One channel: t from B. */
static wgdn_status product(const wgdn_pass *p, int k, wgdn_error *err)
{
    const wgdn_decoder_layer *l = &p->m->at.decoder[k];
    const wgdn_decoder_saved *d = &p->w->decoder[k];
    const int64_t out = wgdn_decoder_out(p->m, k);
    const float times = wgdn_decoder_share(p->m, d) * (float)d->branches;
    wgdn_product bw =
        wgdn_workspace_product(p->w, d->t, d->big, l->weight[0], p->m->shape.width, out);
    if (times == 1) bw.bias = l->bias[0];
    const wgdn_status st = wgdn_gemm_nt(&bw, err);
    if (!st && times != 1) wgdn_add_row(d->t, times, l->bias[0], p->w->rows.count, out);
    return st;
}

wgdn_channel_set wgdn_decoder_channels(const wgdn_pass *p, int k, int b)
{
    const wgdn_decoder_saved *d = &p->w->decoder[k];
    return (wgdn_channel_set){.o = d->product[b],
                              .channels = p->m->shape.channels,
                              .how = p->m->options.aggregate,
                              .weight = wgdn_decoder_share(p->m, d),
                              .slope = *p->m->at.decoder[k].channel_slope,
                              .n = p->w->rows,
                              .d = wgdn_decoder_out(p->m, k)};
}

/* Several: o_bq = f_bq W_q^T + 1 b_q^T of one branch, and what they come to added to t. */
static wgdn_status products(const wgdn_pass *p, int k, int b, wgdn_error *err)
{
    const wgdn_decoder_layer *l = &p->m->at.decoder[k];
    const wgdn_decoder_saved *d = &p->w->decoder[k];
    const wgdn_channel_set set = wgdn_decoder_channels(p, k, b);
    for (int q = 0; q < set.channels; q++) {
        wgdn_product o = wgdn_workspace_product(p->w, set.o[q], d->filtered[b][q], l->weight[q],
                                                p->m->shape.width, set.d);
        o.bias = l->bias[q];
        const wgdn_status st = wgdn_gemm_nt(&o, err);
        if (st) return st;
    }
    wgdn_channels(d->t, &set, b > 0);
    return WGDN_OK;
}

/* Estimate and filter the branches of one layer, and t from there, unless R is never formed. */
static wgdn_status layer_forward(const wgdn_pass *p, int k, wgdn_error *err)
{
    const wgdn_model *m = p->m;
    wgdn_workspace *w = p->w;
    float *first = m->response->estimates ? wgdn_poly_first(w->powers, m->shape.width) : NULL;
    wgdn_status st = WGDN_OK;
    for (int b = 0; b < w->decoder[k].branches && !st; b++) {
        wgdn_decoder_input(w->input, p, k, b);
        st = wgdn_decoder_estimate(&w->decoder[k].call[b], first, p, w->input, k, err);
        if (st) return st;
        filter_branch(p, k, b, first);
        if (m->shape.channels > 1) st = products(p, k, b, err);
    }
    if (st || m->shape.channels > 1) return st;
    if (wgdn_decoder_is_last(m, k) && w->last == WGDN_LAST_GRAM) return WGDN_OK;
    return product(p, k, err);
}

void wgdn_decoder_again(const wgdn_pass *p, int k, int b)
{
    wgdn_decoder_input(p->w->input, p, k, b);
    filter_branch(p, k, b, NULL);
}

static void estimate_norm(const wgdn_pass *p, int k)
{
    wgdn_decoder_saved *d = &p->w->decoder[k];
    const int64_t h = p->m->shape.width;
    float *running = p->running ? p->running + 2 * h * (p->m->shape.encoder_layers + k) : NULL;
    d->norm.scale = p->m->at.decoder[k].scale;
    d->norm.shift = p->m->at.decoder[k].shift;
    wgdn_norm_estimate(&d->norm, d->t, p->w->rows, h, running, running ? running + h : NULL,
                       p->w->sums);
}

wgdn_status wgdn_decoder_forward(const wgdn_pass *p, wgdn_error *err)
{
    for (int k = 0; k < p->m->shape.decoder_layers; k++) {
        const bool last = wgdn_decoder_is_last(p->m, k);
        if (last && p->w->last == WGDN_LAST_NARROW) return wgdn_narrow_forward(p, k, err);
        const wgdn_status st = layer_forward(p, k, err);
        if (st) return st;
        if (!last) estimate_norm(p, k);
    }
    return WGDN_OK;
}
