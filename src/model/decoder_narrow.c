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

/* One branch, and the filters of its channels. */
typedef struct branch {
    const wgdn_pass *p;
    int k, b;
    double scaled[WGDN_POWERS_MAX + 1];
    wgdn_poly filters;
} branch;

/* The filter of channel q alone, of matrices as wide as the output. */
static wgdn_poly channel_filter(const branch *n, int q)
{
    wgdn_poly p = n->filters;
    p.d = n->p->m->shape.features;
    p.channels = 1;
    p.a[0] = n->filters.a[q];
    return p;
}

/* o += or = p_q(L) (x W_q^T) + 1 b_q^T; one channel: o is t, and the bias has the branch's share. */
static wgdn_status channel_forward(const branch *n, int q, wgdn_error *err)
{
    const wgdn_shape *s = &n->p->m->shape;
    const wgdn_workspace *w = n->p->w;
    const wgdn_decoder_layer *l = &n->p->m->at.decoder[n->k];
    const wgdn_decoder_saved *d = &w->decoder[n->k];
    const bool several = s->channels > 1;
    const wgdn_poly filter = channel_filter(n, q);
    const wgdn_product xw =
        wgdn_workspace_product(w, d->big, w->input, l->weight[q], s->width, s->features);
    float *o = several ? d->product[n->b][q] : d->t;
    const wgdn_status st = wgdn_gemm_nt(&xw, err);
    if (st) return st;
    wgdn_poly_filter(&o, &filter, d->big, NULL, !several && n->b > 0);
    wgdn_add_row(o, several ? 1 : wgdn_decoder_share(n->p->m, d), l->bias[q], w->rows.count,
                 s->features);
    return WGDN_OK;
}

wgdn_status wgdn_narrow_forward(const wgdn_pass *p, int k, wgdn_error *err)
{
    wgdn_workspace *w = p->w;
    wgdn_decoder_saved *d = &w->decoder[k];
    for (int b = 0; b < d->branches; b++) {
        branch n = {.p = p, .k = k, .b = b};
        wgdn_decoder_input(w->input, p, k, b);
        wgdn_status st = wgdn_decoder_estimate(&d->call[b], NULL, p, w->input, k, err);
        n.filters = wgdn_decoder_filter(n.scaled, p, k, b);
        for (int q = 0; q < n.filters.channels && !st; q++)
            st = channel_forward(&n, q, err);
        if (st) return st;
        if (n.filters.channels == 1) continue;
        const wgdn_channel_set set = wgdn_decoder_channels(p, k, b);
        wgdn_channels(d->t, &set, b > 0);
    }
    return WGDN_OK;
}

/* dW_q, db_q, and dx, given factor * dO; x in w->input. */
static wgdn_status channel_back(wgdn_decoder_layer *dp, float *dx, const branch *n, int q,
                                wgdn_error *err)
{
    const wgdn_model *m = n->p->m;
    const wgdn_workspace *w = n->p->w;
    const wgdn_decoder_saved *d = &w->decoder[n->k];
    const int64_t h = m->shape.width, out = m->shape.features;
    const bool several = m->shape.channels > 1;
    const float *dout = several ? d->product[n->b][q] : d->t;
    const float factor = several ? 1 : w->factor, before = n->b > 0 ? 1 : 0;
    const float share = several ? 1 : wgdn_decoder_share(m, d);
    const wgdn_poly filter = channel_filter(n, q);
    wgdn_product dw = wgdn_workspace_product(w, dp->weight[q], d->big, w->input, out, h);
    wgdn_product below =
        wgdn_workspace_product(w, dx, d->big, m->at.decoder[n->k].weight[q], out, h);
    dw.alpha = below.alpha = factor;
    dw.beta = before;
    below.beta = q > 0 ? 1 : 0;
    wgdn_weighted_sum(dp->bias[q], NULL, dout, w->rows, out, factor * share, before, w->sums);
    wgdn_poly_apply(d->big, &filter, dout);
    const wgdn_status st = wgdn_gemm_tn(&dw, err);
    return st ? st : wgdn_gemm_nn(&below, err);
}

wgdn_status wgdn_narrow_backward(wgdn_params *grad, float *const *dx, const wgdn_pass *p, int k,
                                 wgdn_error *err)
{
    wgdn_workspace *w = p->w;
    const wgdn_decoder_saved *d = &w->decoder[k];
    const bool several = p->m->shape.channels > 1;
    double slope = 0;
    for (int b = 0; b < d->branches; b++) {
        branch n = {.p = p, .k = k, .b = b};
        wgdn_status st = WGDN_OK;
        n.filters = wgdn_decoder_filter(n.scaled, p, k, b);
        wgdn_decoder_input(w->input, p, k, b);
        if (several) slope += wgdn_decoder_channels_back(p, k, b, d->t, w->factor);
        for (int q = 0; q < n.filters.channels && !st; q++)
            st = channel_back(&grad->decoder[k], dx[b], &n, q, err);
        if (st) return st;
    }
    if (several) *grad->decoder[k].channel_slope = (float)slope;
    return WGDN_OK;
}
