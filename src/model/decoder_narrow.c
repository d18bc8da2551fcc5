/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A last decoder layer that makes few columns of many: W before L, since then the filters see the
 * few.                                                                        [WGDN:decoder-narrow]
 *
 *     o_bq = p_bq(L) (x_b W_q^T) + 1 b_q^T,   t = share * sum_b aggregate_q prelu(o_bq)
 *
 * with one channel t = share * sum_b o_b. Backward, with e_bq = p_bq(L) do_bq:
 * dW_q = sum_b e_bq^T x_b,  dx_b = sum_q e_bq W_q. Nothing of the width h is kept: x_b is made
 * again.
 */
#include "augment.h"
#include "decoder.h"

/* big = x W_q^T, filtered into o. */
static wgdn_status narrow_channel(float *o, bool add, const float *weight, const double *a,
                                  const wgdn_model *m, wgdn_workspace *w, const wgdn_graph *g,
                                  const wgdn_decoder_saved *d, wgdn_error *err)
{
    const int64_t out = m->shape.features;
    const wgdn_status st = wgdn_gemm_nt(d->big, w->input, weight, w->rows, m->shape.width, out, 1,
                                        0, NULL, w->tn, w->half, err);
    if (st) return st;
    wgdn_poly_filter(&o, 1, add, g, d->big, NULL, out, &a, m->shape.decoder_order, w->powers);
    return WGDN_OK;
}

wgdn_status wgdn_narrow_forward(wgdn_model *m, wgdn_workspace *w, const wgdn_graph *g, int k,
                                wgdn_stream noise, const float *const *draws, wgdn_error *err)
{
    const wgdn_shape *s = &m->shape;
    const wgdn_decoder_layer *p = &m->at.decoder[k];
    wgdn_decoder_saved *d = &w->decoder[k];
    const float share = wgdn_decoder_share(m, d);
    for (int b = 0; b < d->branches; b++) {
        const double *a[WGDN_CHANNELS_MAX];
        double scaled[WGDN_POWERS_MAX + 1];
        wgdn_decoder_input(w->input, m, w, k, b, noise, draws);
        wgdn_status st = wgdn_decoder_estimate(&d->call[b], NULL, m, w, g, w->input, k, err);
        wgdn_decoder_series(a, scaled, m, d, b);
        for (int q = 0; q < s->channels && !st; q++) {
            float *o = s->channels > 1 ? d->product[b][q] : d->t;
            const bool add = s->channels == 1 && b > 0;
            st = narrow_channel(o, add, p->weight[q], a[q], m, w, g, d, err);
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
                                       float factor, const double *a, const wgdn_model *m,
                                       wgdn_workspace *w, const wgdn_graph *g, int k, int b, int q,
                                       wgdn_error *err)
{
    const wgdn_decoder_saved *d = &w->decoder[k];
    const int64_t h = m->shape.width, out = m->shape.features;
    const float before = b > 0 ? 1 : 0,
                share = m->shape.channels > 1 ? 1 : wgdn_decoder_share(m, d);
    wgdn_weighted_sum(dp->bias[q], NULL, dout, w->rows, out, factor * share, before, w->sums);
    wgdn_poly_apply(d->big, g, dout, out, a, m->shape.decoder_order, w->half, w->powers);
    const wgdn_status st = wgdn_gemm_tn(dp->weight[q], d->big, w->input, w->rows, out, h, factor,
                                        before, w->tn, w->half, err);
    if (st) return st;
    return wgdn_gemm_nn(dx, d->big, m->at.decoder[k].weight[q], w->rows, out, h, factor,
                        q > 0 ? 1 : 0, NULL, w->half, err);
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
        const double *a[WGDN_CHANNELS_MAX];
        double scaled[WGDN_POWERS_MAX + 1];
        wgdn_status st = WGDN_OK;
        wgdn_decoder_series(a, scaled, m, d, b);
        wgdn_decoder_input(w->input, m, w, k, b, noise, draws);
        if (several) slope += wgdn_decoder_channels_back(m, w, k, b, d->t, w->factor);
        for (int q = 0; q < s->channels && !st; q++)
            st = narrow_channel_back(&grad->decoder[k], dx[b], several ? d->product[b][q] : d->t,
                                     several ? 1 : w->factor, a[q], m, w, g, k, b, q, err);
        if (st) return st;
    }
    if (several) *grad->decoder[k].channel_slope = (float)slope;
    return WGDN_OK;
}
