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

wgdn_poly wgdn_decoder_filter(double scaled[WGDN_POWERS_MAX + 1], const wgdn_model *m,
                              const wgdn_workspace *w, const wgdn_graph *g, int k, int b)
{
    const wgdn_decoder_saved *d = &w->decoder[k];
    wgdn_poly p = {.graph = g,
                   .d = m->shape.width,
                   .channels = m->shape.channels,
                   .order = m->shape.decoder_order,
                   .precision = w->precision,
                   .work = w->powers};
    for (int q = 0; q < p.channels; q++)
        p.a[q] = d->call[b].a[q];
    if (p.channels > 1) return p;
    for (int i = 0; i <= p.order; i++)
        scaled[i] = (double)wgdn_decoder_share(m, d) * d->call[b].a[0][i];
    p.a[0] = scaled;
    return p;
}

void wgdn_decoder_input(float *x, const wgdn_model *m, const wgdn_workspace *w, int k, int b,
                        wgdn_stream noise, const float *const *draws)
{
    if (k > 0 && b == 0) {
        const wgdn_decoder_saved *below = &w->decoder[k - 1];
        wgdn_activate(x, &below->norm, m->at.decoder[k - 1].slope, below->t, w->rows.count,
                      m->shape.width);
        return;
    }
    noise.call = (uint16_t)(noise.call + k);
    wgdn_encoder_output(x, m, w, m->shape.encoder_layers - k);
    wgdn_augment_rows(x, m, w, noise, draws ? draws[k] : NULL);
}

wgdn_status wgdn_decoder_estimate(wgdn_dec_call *call, float *first, const wgdn_model *m,
                                  const wgdn_workspace *w, const wgdn_graph *g, const float *x,
                                  int k, wgdn_error *err)
{
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
    wgdn_laplacian_sums(&sums, first, g, x, s->width, m->options.average, w->sums);
    const wgdn_estimate e = wgdn_wiener_estimate(&sums, w->rows.total);
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
static void filter_branch(const wgdn_model *m, wgdn_workspace *w, const wgdn_graph *g, int k, int b,
                          const float *first)
{
    wgdn_decoder_saved *d = &w->decoder[k];
    double scaled[WGDN_POWERS_MAX + 1];
    const wgdn_poly p = wgdn_decoder_filter(scaled, m, w, g, k, b);
    wgdn_poly_filter(p.channels > 1 ? d->filtered[b] : &d->big, &p, w->input, first,
                     p.channels == 1 && b > 0);
}

/* One channel: t from B. */
static wgdn_status product(wgdn_model *m, wgdn_workspace *w, int k, wgdn_error *err)
{
    const wgdn_decoder_layer *p = &m->at.decoder[k];
    const wgdn_decoder_saved *d = &w->decoder[k];
    const int64_t out = wgdn_decoder_out(m, k);
    const float times = wgdn_decoder_share(m, d) * (float)d->branches;
    wgdn_product bw = wgdn_workspace_product(w, d->t, d->big, p->weight[0], m->shape.width, out);
    if (times == 1) bw.bias = p->bias[0];
    const wgdn_status st = wgdn_gemm_nt(&bw, err);
    if (!st && times != 1) wgdn_add_row(d->t, times, p->bias[0], w->rows.count, out);
    return st;
}

/* Several: o_bq = f_bq W_q^T + 1 b_q^T of one branch, and what they come to added to t. */
static wgdn_status products(wgdn_model *m, wgdn_workspace *w, int k, int b, wgdn_error *err)
{
    const wgdn_shape *s = &m->shape;
    const wgdn_decoder_layer *p = &m->at.decoder[k];
    const wgdn_decoder_saved *d = &w->decoder[k];
    const int64_t out = wgdn_decoder_out(m, k);
    for (int q = 0; q < s->channels; q++) {
        wgdn_product o = wgdn_workspace_product(w, d->product[b][q], d->filtered[b][q],
                                                p->weight[q], s->width, out);
        o.bias = p->bias[q];
        const wgdn_status st = wgdn_gemm_nt(&o, err);
        if (st) return st;
    }
    wgdn_channels(d->t, b > 0, wgdn_decoder_share(m, d), m->options.aggregate, d->product[b],
                  s->channels, *p->channel_slope, w->rows.count, out);
    return WGDN_OK;
}

/* Estimate and filter the branches of one layer, and t from there, unless R is never formed. */
static wgdn_status layer_forward(wgdn_model *m, wgdn_workspace *w, const wgdn_graph *g, int k,
                                 wgdn_stream noise, const float *const *draws, wgdn_error *err)
{
    float *first = m->response->estimates ? wgdn_poly_first(w->powers, m->shape.width) : NULL;
    wgdn_status st = WGDN_OK;
    for (int b = 0; b < w->decoder[k].branches && !st; b++) {
        wgdn_decoder_input(w->input, m, w, k, b, noise, draws);
        st = wgdn_decoder_estimate(&w->decoder[k].call[b], first, m, w, g, w->input, k, err);
        if (st) return st;
        filter_branch(m, w, g, k, b, first);
        if (m->shape.channels > 1) st = products(m, w, k, b, err);
    }
    if (st || m->shape.channels > 1) return st;
    if (wgdn_decoder_is_last(m, k) && w->last == WGDN_LAST_GRAM) return WGDN_OK;
    return product(m, w, k, err);
}

void wgdn_decoder_again(const wgdn_model *m, wgdn_workspace *w, const wgdn_graph *g, int k, int b,
                        wgdn_stream noise, const float *const *draws)
{
    wgdn_decoder_input(w->input, m, w, k, b, noise, draws);
    filter_branch(m, w, g, k, b, NULL);
}

static void estimate_norm(wgdn_model *m, wgdn_workspace *w, int k)
{
    wgdn_decoder_saved *d = &w->decoder[k];
    const int64_t h = m->shape.width;
    float *running = m->buffer ? m->buffer + 2 * h * (m->shape.encoder_layers + k) : NULL;
    d->norm.scale = m->at.decoder[k].scale;
    d->norm.shift = m->at.decoder[k].shift;
    wgdn_norm_estimate(&d->norm, d->t, w->rows, h, running, running ? running + h : NULL, w->sums);
}

wgdn_status wgdn_decoder_forward(wgdn_model *m, wgdn_workspace *w, const wgdn_graph *g,
                                 wgdn_stream noise, const float *const *draws, wgdn_error *err)
{
    for (int k = 0; k < m->shape.decoder_layers; k++) {
        const bool last = wgdn_decoder_is_last(m, k);
        if (last && w->last == WGDN_LAST_NARROW)
            return wgdn_narrow_forward(m, w, g, k, noise, draws, err);
        const wgdn_status st = layer_forward(m, w, g, k, noise, draws, err);
        if (st) return st;
        if (!last) estimate_norm(m, w, k);
    }
    return WGDN_OK;
}
