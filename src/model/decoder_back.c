/* SPDX-License-Identifier: Apache-2.0 */
/* The way back through the decoder; the formulas stand at the top of decoder.c. */
#include "augment.h"
#include "decoder.h"

/* dx of one branch: the branch's own filters, applied to dB or to its df_q. */
static void filter_back(float *dx, const wgdn_model *m, const wgdn_workspace *w,
                        const wgdn_graph *g, int k, int b)
{
    const float *dy[WGDN_CHANNELS_MAX];
    double scaled[WGDN_POWERS_MAX + 1];
    wgdn_poly p = wgdn_decoder_filter(scaled, m, w, g, k, b);
    p.work = w->powers_back;
    for (int q = 0; q < p.channels; q++)
        dy[q] = p.channels > 1 ? w->decoder[k].filtered[b][q] : w->other;
    wgdn_poly_gradient(dx, &p, dy);
}

/* One channel: dW, db, dB (into w->other) from factor * dt, unless the loss has been here already.
 */
static wgdn_status product_back(wgdn_params *grad, const float *dt, float factor, wgdn_model *m,
                                wgdn_workspace *w, int k, wgdn_error *err)
{
    const wgdn_decoder_saved *d = &w->decoder[k];
    const int64_t h = m->shape.width, out = wgdn_decoder_out(m, k);
    const float times = wgdn_decoder_share(m, d) * (float)d->branches;
    if (wgdn_decoder_is_last(m, k) && w->last == WGDN_LAST_GRAM) return WGDN_OK;
    wgdn_weighted_sum(grad->decoder[k].bias[0], NULL, dt, w->rows, out, factor * times, 0, w->sums);
    wgdn_product dw = wgdn_workspace_product(w, grad->decoder[k].weight[0], dt, d->big, out, h);
    wgdn_product db = wgdn_workspace_product(w, w->other, dt, m->at.decoder[k].weight[0], out, h);
    dw.alpha = db.alpha = factor;
    const wgdn_status st = wgdn_gemm_tn(&dw, err);
    return st ? st : wgdn_gemm_nn(&db, err);
}

double wgdn_decoder_channels_back(const wgdn_model *m, wgdn_workspace *w, int k, int b,
                                  const float *dt, float factor)
{
    const wgdn_decoder_saved *d = &w->decoder[k];
    return wgdn_channels_back(
        d->product[b], factor * wgdn_decoder_share(m, d), m->options.aggregate, m->shape.channels,
        *m->at.decoder[k].channel_slope, dt, w->rows, wgdn_decoder_out(m, k), w->sums);
}

/* Several: dW_q, db_q, and df_bq over f_bq, from do_bq over o_bq, of one branch. */
static wgdn_status products_back(wgdn_decoder_layer *dp, bool add, const wgdn_model *m,
                                 wgdn_workspace *w, int k, int b, wgdn_error *err)
{
    const wgdn_decoder_saved *d = &w->decoder[k];
    const int64_t h = m->shape.width, out = wgdn_decoder_out(m, k);
    const float before = add ? 1 : 0;
    for (int q = 0; q < m->shape.channels; q++) {
        float *f = d->filtered[b][q], *doq = d->product[b][q];
        wgdn_weighted_sum(dp->bias[q], NULL, doq, w->rows, out, 1, before, w->sums);
        wgdn_product dw = wgdn_workspace_product(w, dp->weight[q], doq, f, out, h);
        const wgdn_product df =
            wgdn_workspace_product(w, f, doq, m->at.decoder[k].weight[q], out, h);
        dw.beta = before;
        wgdn_status st = wgdn_gemm_tn(&dw, err);
        if (!st) st = wgdn_gemm_nn(&df, err);
        if (st) return st;
    }
    return WGDN_OK;
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

/*
 * All of layer k from dt, which is in dx[0] unless it is the last one's: its own gradients, and dx.
 * Branches go from the last to the first, whose dx takes dt's place. In a tight workspace they are
 * filtered again, but for what the way there did last.
 */
static wgdn_status layer_back(wgdn_params *grad, float *const *dx, wgdn_model *m, wgdn_workspace *w,
                              const wgdn_graph *g, int k, wgdn_stream noise,
                              const float *const *draws, wgdn_error *err)
{
    const bool last = wgdn_decoder_is_last(m, k), several = m->shape.channels > 1;
    const wgdn_decoder_saved *d = &w->decoder[k];
    const float *dt = last ? d->t : dx[0];
    const float factor = last ? w->factor : 1;
    wgdn_status st = WGDN_OK;
    double slope = 0;
    if (last && w->last == WGDN_LAST_NARROW)
        return wgdn_narrow_backward(grad, dx, m, w, g, k, noise, draws, err);
    for (int b = 0; b < d->branches && w->recompute && !last && !several; b++)
        wgdn_decoder_again(m, w, g, k, b, noise, draws);
    if (!several) st = product_back(grad, dt, factor, m, w, k, err);
    for (int b = WGDN_BRANCHES_MAX - 1; b >= 0 && !st; b--) {
        const bool latest = b == d->branches - 1;
        if (b >= d->branches) continue;
        if (several) {
            slope += wgdn_decoder_channels_back(m, w, k, b, dt, factor);
            if (w->recompute && !(last && latest)) wgdn_decoder_again(m, w, g, k, b, noise, draws);
            st = products_back(&grad->decoder[k], !latest, m, w, k, b, err);
        }
        if (!st) filter_back(dx[b], m, w, g, k, b);
    }
    if (several) *grad->decoder[k].channel_slope = (float)slope;
    return st;
}

wgdn_status wgdn_decoder_backward(wgdn_params *grad, float *dh, wgdn_model *m, wgdn_workspace *w,
                                  const wgdn_graph *g, wgdn_stream noise, const float *const *draws,
                                  wgdn_error *err)
{
    for (int k = m->shape.decoder_layers - 1; k >= 0; k--) {
        float *const dx[WGDN_BRANCHES_MAX] = {dh, w->skip[m->shape.encoder_layers - k]};
        const wgdn_status st = layer_back(grad, dx, m, w, g, k, noise, draws, err);
        if (st) return st;
        if (w->decoder[k].branches > 1) wgdn_augment_rows_back(dx[1], m, w, noise);
        if (k > 0) activation_back(grad, dh, m, w, k - 1);
    }
    wgdn_augment_rows_back(dh, m, w, noise);
    return WGDN_OK;
}
