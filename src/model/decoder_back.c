/* SPDX-License-Identifier: Apache-2.0 */
/* The way back through the decoder; the formulas stand at the top of decoder.c. */
#include "augment.h"
#include "decoder.h"

/* One channel: dW, db and dB (into w->other) from factor * dt. */
static wgdn_status product_back(wgdn_params *grad, const float *dt, float factor, wgdn_model *m,
                                wgdn_workspace *w, int k, int64_t out, wgdn_error *err)
{
    const wgdn_decoder_saved *d = &w->decoder[k];
    const int64_t h = m->shape.width;
    const float times = wgdn_decoder_share(m, d) * (float)d->branches;
    wgdn_weighted_sum(grad->decoder[k].bias[0], NULL, dt, w->rows, out, factor * times, 0, w->sums);
    const wgdn_status st = wgdn_gemm_tn(grad->decoder[k].weight[0], dt, d->big, w->rows, out, h,
                                        factor, 0, w->tn, err);
    if (st) return st;
    return wgdn_gemm_nn(w->other, dt, m->at.decoder[k].weight[0], w->rows, out, h, factor, 0, NULL,
                        err);
}

double wgdn_decoder_channels_back(const wgdn_model *m, wgdn_workspace *w, int k, int b,
                                  const float *dt, float factor)
{
    const wgdn_decoder_saved *d = &w->decoder[k];
    return wgdn_channels_back(
        d->product[b], factor * wgdn_decoder_share(m, d), m->options.aggregate, m->shape.channels,
        *m->at.decoder[k].channel_slope, dt, w->rows, wgdn_decoder_out(m, k), w->sums);
}

/* Several: dW_q, db_q, and df_bq over f_bq, from do_bq over o_bq. */
static wgdn_status channels_back(wgdn_params *grad, const float *dt, float factor, wgdn_model *m,
                                 wgdn_workspace *w, int k, int64_t out, wgdn_error *err)
{
    wgdn_decoder_saved *d = &w->decoder[k];
    wgdn_decoder_layer *dp = &grad->decoder[k];
    const wgdn_decoder_layer *p = &m->at.decoder[k];
    const int64_t h = m->shape.width;
    double slope = 0;
    wgdn_status st = WGDN_OK;
    for (int b = 0; b < d->branches; b++) {
        slope += wgdn_decoder_channels_back(m, w, k, b, dt, factor);
        for (int q = 0; q < m->shape.channels && !st; q++) {
            const float *doq = d->product[b][q];
            const float beta = b > 0 ? 1 : 0;
            st = wgdn_gemm_tn(dp->weight[q], doq, d->filtered[b][q], w->rows, out, h, 1, beta,
                              w->tn, err);
            wgdn_weighted_sum(dp->bias[q], NULL, doq, w->rows, out, 1, beta, w->sums);
            if (!st)
                st = wgdn_gemm_nn(d->filtered[b][q], doq, p->weight[q], w->rows, out, h, 1, 0, NULL,
                                  err);
        }
        if (st) return st;
    }
    *dp->channel_slope = (float)slope;
    return WGDN_OK;
}

/* dx of one branch: the branch's own filters, applied to dB or to its df_q. */
static void filter_back(float *dx, const wgdn_model *m, const wgdn_workspace *w,
                        const wgdn_graph *g, int k, int b)
{
    const wgdn_shape *s = &m->shape;
    const wgdn_decoder_saved *d = &w->decoder[k];
    const double *a[WGDN_CHANNELS_MOST];
    const float *dy[WGDN_CHANNELS_MOST];
    double scaled[WGDN_POWERS_MOST + 1];
    wgdn_decoder_series(a, scaled, m, d, b);
    for (int q = 0; q < s->channels; q++)
        dy[q] = s->channels > 1 ? d->filtered[b][q] : w->other;
    wgdn_poly_gradient(dx, s->channels, g, dy, s->width, a, s->decoder_order, w->powers);
}

/* dt of the layer below from dx of its output, in place. */
static void activation_back(wgdn_params *grad, float *dx, const wgdn_model *m,
                            const wgdn_workspace *w, int k)
{
    const wgdn_decoder_saved *d = &w->decoder[k];
    wgdn_decoder_layer *dp = &grad->decoder[k];
    wgdn_activate_back(dx, dp->slope, dp->scale, dp->shift, &d->norm, m->at.decoder[k].slope, d->t,
                       w->rows, m->shape.width, w->sums);
}

/* All of layer k from dt, which is in dx[0] unless it is the last one's: its own gradients, and dx.
 */
static wgdn_status layer_back(wgdn_params *grad, float *const *dx, wgdn_model *m, wgdn_workspace *w,
                              const wgdn_graph *g, int k, wgdn_stream noise,
                              const float *const *draws, wgdn_error *err)
{
    const bool last = wgdn_decoder_is_last(m, k);
    const wgdn_decoder_saved *d = &w->decoder[k];
    wgdn_status st = WGDN_OK;
    if (last && w->last == WGDN_LAST_NARROW)
        return wgdn_narrow_backward(grad, dx, m, w, g, k, noise, draws, err);
    if (w->tight && !last) st = wgdn_decoder_again(m, w, g, k, noise, draws, err);
    if (!st && !(last && w->last == WGDN_LAST_GRAM)) /* then the loss has been here already */
        st = (m->shape.channels > 1 ? channels_back : product_back)(
            grad, last ? d->t : dx[0], last ? w->factor : 1, m, w, k, wgdn_decoder_out(m, k), err);
    for (int b = d->branches - 1; b >= 0 && !st; b--)
        filter_back(dx[b], m, w, g, k, b);
    return st;
}

wgdn_status wgdn_decoder_backward(wgdn_params *grad, float *dh, wgdn_model *m, wgdn_workspace *w,
                                  const wgdn_graph *g, wgdn_stream noise, const float *const *draws,
                                  wgdn_error *err)
{
    for (int k = m->shape.decoder_layers - 1; k >= 0; k--) {
        float *const dx[WGDN_BRANCHES_MOST] = {dh, w->skip[m->shape.encoder_layers - k]};
        const wgdn_status st = layer_back(grad, dx, m, w, g, k, noise, draws, err);
        if (st) return st;
        if (w->decoder[k].branches > 1) wgdn_augment_rows_back(dx[1], m, w, noise);
        if (k > 0) activation_back(grad, dh, m, w, k - 1);
    }
    wgdn_augment_rows_back(dh, m, w, noise);
    return WGDN_OK;
}
