/* SPDX-License-Identifier: Apache-2.0 */
/* The decoder's backward pass; the formulas stand at the top of decoder.c. */
#include "augment.h"
#include "decoder.h"

/* dx of one branch: the branch's own filters, applied to dB or to its df_q. */
static void filter_back(float *dx, const wgdn_pass *p, int k, int b)
{
    const float *dy[WGDN_CHANNELS_MAX];
    double scaled[WGDN_POWERS_MAX + 1];
    wgdn_poly poly = wgdn_decoder_filter(scaled, p, k, b);
    poly.work = p->w->powers_back;
    for (int q = 0; q < poly.channels; q++)
        dy[q] = poly.channels > 1 ? p->w->decoder[k].filtered[b][q] : p->w->other;
    wgdn_poly_gradient(dx, &poly, dy);
}

/* One channel: dW, db, dB (into w->other) from factor * dt, unless the loss
 * has been here already. */
static wgdn_status product_back(wgdn_decoder_layer *dp, const float *dt, float factor,
                                const wgdn_pass *p, int k, wgdn_error *err)
{
    const wgdn_model *m = p->m;
    wgdn_workspace *w = p->w;
    const wgdn_decoder_saved *d = &w->decoder[k];
    const int64_t h = m->shape.width, out = wgdn_decoder_out(m, k);
    const float times = wgdn_decoder_share(m, d) * (float)d->branches;
    wgdn_product dw = wgdn_workspace_product(w, dp->weight[0], dt, d->big, out, h);
    wgdn_product db = wgdn_workspace_product(w, w->other, dt, m->at.decoder[k].weight[0], out, h);
    if (wgdn_decoder_is_last(m, k) && w->last == WGDN_LAST_GRAM) return WGDN_OK;
    dw.alpha = db.alpha = factor;
    wgdn_weighted_sum(dp->bias[0], NULL, dt, w->rows, out, factor * times, 0, w->sums);
    const wgdn_status st = wgdn_gemm_tn(&dw, err);
    return st ? st : wgdn_gemm_nn(&db, err);
}

double wgdn_decoder_channels_back(const wgdn_pass *p, int k, int b, const float *dt, float factor)
{
    wgdn_channel_set set = wgdn_decoder_channels(p, k, b);
    set.weight *= factor;
    return wgdn_channels_back(&set, dt, p->w->sums);
}

/* Several: dW_q, db_q, and df_bq over f_bq, from do_bq over o_bq, of one branch. */
static wgdn_status products_back(wgdn_decoder_layer *dp, bool add, const wgdn_pass *p, int k, int b,
                                 wgdn_error *err)
{
    wgdn_workspace *w = p->w;
    const wgdn_decoder_saved *d = &w->decoder[k];
    const int64_t h = p->m->shape.width, out = wgdn_decoder_out(p->m, k);
    const float before = add ? 1 : 0;
    for (int q = 0; q < p->m->shape.channels; q++) {
        float *f = d->filtered[b][q], *doq = d->product[b][q];
        wgdn_product dw = wgdn_workspace_product(w, dp->weight[q], doq, f, out, h);
        const wgdn_product df =
            wgdn_workspace_product(w, f, doq, p->m->at.decoder[k].weight[q], out, h);
        dw.beta = before;
        wgdn_weighted_sum(dp->bias[q], NULL, doq, w->rows, out, 1, before, w->sums);
        wgdn_status st = wgdn_gemm_tn(&dw, err);
        if (!st) st = wgdn_gemm_nn(&df, err);
        if (st) return st;
    }
    return WGDN_OK;
}

/* dt of a layer from dx of its output, in place. */
static void activation_back(wgdn_decoder_layer *dp, float *dx, const wgdn_pass *p, int k)
{
    const wgdn_activation a = wgdn_decoder_activation(p, k);
    wgdn_activate_back(dx, dp->slope, dp->scale, dp->shift, &a, p->w->sums);
}

/*
 * All of layer k from dt, which is in dx[0] unless it is the last one's: its own gradients, and dx.
 * Branches go from the last to the first, whose dx takes dt's place. In a workspace that recomputes
 * they are filtered again, but for what the forward pass did last.
 */
static wgdn_status layer_back(wgdn_params *grad, float *const *dx, const wgdn_pass *p, int k,
                              wgdn_error *err)
{
    const bool last = wgdn_decoder_is_last(p->m, k), several = p->m->shape.channels > 1;
    const wgdn_workspace *w = p->w;
    const wgdn_decoder_saved *d = &w->decoder[k];
    wgdn_decoder_layer *dp = &grad->decoder[k];
    const float *dt = last ? d->t : dx[0];
    const float factor = last ? w->factor : 1;
    wgdn_status st = WGDN_OK;
    double slope = 0;
    if (last && w->last == WGDN_LAST_NARROW) return wgdn_narrow_backward(grad, dx, p, k, err);
    for (int b = 0; b < d->branches && w->recompute && !last && !several; b++)
        wgdn_decoder_again(p, k, b);
    if (!several) st = product_back(dp, dt, factor, p, k, err);
    for (int b = WGDN_BRANCHES_MAX - 1; b >= 0 && !st; b--) {
        const bool latest = b == d->branches - 1;
        if (b >= d->branches) continue;
        if (several) {
            slope += wgdn_decoder_channels_back(p, k, b, dt, factor);
            if (w->recompute && !(last && latest)) wgdn_decoder_again(p, k, b);
            st = products_back(dp, !latest, p, k, b, err);
        }
        if (!st) filter_back(dx[b], p, k, b);
    }
    if (several) *dp->channel_slope = (float)slope;
    return st;
}

wgdn_status wgdn_decoder_backward(wgdn_params *grad, float *dh, const wgdn_pass *p, wgdn_error *err)
{
    const wgdn_shape *s = &p->m->shape;
    for (int k = s->decoder_layers - 1; k >= 0; k--) {
        float *const dx[WGDN_BRANCHES_MAX] = {dh, p->w->skip[s->encoder_layers - k]};
        const wgdn_status st = layer_back(grad, dx, p, k, err);
        if (st) return st;
        if (p->w->decoder[k].branches > 1) wgdn_augment_rows_back(dx[1], p);
        if (k > 0) activation_back(&grad->decoder[k - 1], dh, p, k - 1);
    }
    wgdn_augment_rows_back(dh, p);
    return WGDN_OK;
}
