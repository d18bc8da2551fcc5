/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A last decoder layer that makes few columns of many: W before L, since then the filters see the
 * few (S5).                                                                  [WGDN:decoder-narrow]
 *
 *     o_bq = p_bq(L) (x_b W_q^T) + 1 b_q^T,   t = share * sum_b aggregate_q prelu(o_bq)
 *
 * with one channel t = share * sum_b o_b. Backward, with e_bq = p_bq(L) do_bq:
 * dW_q = sum_b e_bq^T x_b,  dx_b = sum_q e_bq W_q. Nothing of the width h is kept: x_b is made
 * again.
 */
#include "augment.h"
#include "decoder.h"

/* The filter of channel q alone, of matrices as wide as the output. */
static wgdn_poly channel_filter(const wgdn_poly *all, const wgdn_model *m, int q)
{
    wgdn_poly p = *all;
    p.d = m->shape.features;
    p.channels = 1;
    p.a[0] = all->a[q];
    return p;
}

/* big = x W_q^T, filtered into o. */
static wgdn_status narrow_channel(float *o, bool add, const float *weight, const wgdn_poly *p,
                                  const wgdn_model *m, wgdn_workspace *w, float *big,
                                  wgdn_error *err)
{
    const wgdn_product xw =
        wgdn_workspace_product(w, big, w->input, weight, m->shape.width, m->shape.features);
    const wgdn_status st = wgdn_gemm_nt(&xw, err);
    if (!st) wgdn_poly_filter(&o, p, big, NULL, add);
    return st;
}

wgdn_status wgdn_narrow_forward(wgdn_model *m, wgdn_workspace *w, const wgdn_graph *g, int k,
                                wgdn_stream noise, const float *const *draws, wgdn_error *err)
{
    const wgdn_shape *s = &m->shape;
    const wgdn_decoder_layer *p = &m->at.decoder[k];
    wgdn_decoder_saved *d = &w->decoder[k];
    const float share = wgdn_decoder_share(m, d);
    for (int b = 0; b < d->branches; b++) {
        double scaled[WGDN_POWERS_MAX + 1];
        wgdn_decoder_input(w->input, m, w, k, b, noise, draws);
        wgdn_status st = wgdn_decoder_estimate(&d->call[b], NULL, m, w, g, w->input, k, err);
        const wgdn_poly all = wgdn_decoder_filter(scaled, m, w, g, k, b);
        for (int q = 0; q < s->channels && !st; q++) {
            float *o = s->channels > 1 ? d->product[b][q] : d->t;
            const bool add = s->channels == 1 && b > 0;
            const wgdn_poly filter = channel_filter(&all, m, q);
            st = narrow_channel(o, add, p->weight[q], &filter, m, w, d->big, err);
            wgdn_add_row(o, s->channels > 1 ? 1 : share, p->bias[q], w->rows.count, s->features);
        }
        if (st) return st;
        if (s->channels > 1)
            wgdn_channels(d->t, b > 0, share, m->options.aggregate, d->product[b], s->channels,
                          *p->channel_slope, w->rows.count, s->features);
    }
    return WGDN_OK;
}

/* dW_q, db_q, and dx, given factor * dO; x in w->input. */
static wgdn_status narrow_channel_back(wgdn_decoder_layer *dp, float *dx, const float *dout,
                                       float factor, const wgdn_poly *p, const wgdn_model *m,
                                       wgdn_workspace *w, int k, int b, int q, wgdn_error *err)
{
    const wgdn_decoder_saved *d = &w->decoder[k];
    const int64_t h = m->shape.width, out = m->shape.features;
    const float before = b > 0 ? 1 : 0,
                share = m->shape.channels > 1 ? 1 : wgdn_decoder_share(m, d);
    wgdn_weighted_sum(dp->bias[q], NULL, dout, w->rows, out, factor * share, before, w->sums);
    wgdn_poly_apply(d->big, p, dout);
    wgdn_product dw = wgdn_workspace_product(w, dp->weight[q], d->big, w->input, out, h);
    wgdn_product down = wgdn_workspace_product(w, dx, d->big, m->at.decoder[k].weight[q], out, h);
    dw.alpha = down.alpha = factor;
    dw.beta = before;
    down.beta = q > 0 ? 1 : 0;
    const wgdn_status st = wgdn_gemm_tn(&dw, err);
    return st ? st : wgdn_gemm_nn(&down, err);
}

wgdn_status wgdn_narrow_backward(wgdn_params *grad, float *const *dx, wgdn_model *m,
                                 wgdn_workspace *w, const wgdn_graph *g, int k, wgdn_stream noise,
                                 const float *const *draws, wgdn_error *err)
{
    const wgdn_shape *s = &m->shape;
    wgdn_decoder_saved *d = &w->decoder[k];
    const bool several = s->channels > 1;
    double slope = 0;
    for (int b = 0; b < d->branches; b++) {
        double scaled[WGDN_POWERS_MAX + 1];
        wgdn_status st = WGDN_OK;
        const wgdn_poly all = wgdn_decoder_filter(scaled, m, w, g, k, b);
        wgdn_decoder_input(w->input, m, w, k, b, noise, draws);
        if (several) slope += wgdn_decoder_channels_back(m, w, k, b, d->t, w->factor);
        for (int q = 0; q < s->channels && !st; q++) {
            const wgdn_poly filter = channel_filter(&all, m, q);
            st = narrow_channel_back(&grad->decoder[k], dx[b], several ? d->product[b][q] : d->t,
                                     several ? 1 : w->factor, &filter, m, w, k, b, q, err);
        }
        if (st) return st;
    }
    if (several) *grad->decoder[k].channel_slope = (float)slope;
    return WGDN_OK;
}
