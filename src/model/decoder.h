/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WGDN_MODEL_DECODER_H
#define WGDN_MODEL_DECODER_H

#include "workspace.h"

/*
 * All layers, from the encoder's outputs to the last layer's t (the reconstruction), or to its
 * filtered input B when R is never formed.
 */
WGDN_MUST_CHECK wgdn_status wgdn_decoder_forward(const wgdn_pass *p, wgdn_error *err);
/*
 * From the loss's gradient (dR / w->factor in the last t, or dB in w->other with the last layer's
 * own gradients done) to all decoder gradients; dh receives the gradient of the encoder's last
 * output, and w->skip those of the others.
 */
WGDN_MUST_CHECK wgdn_status wgdn_decoder_backward(wgdn_params *grad, float *dh, const wgdn_pass *p,
                                                  wgdn_error *err);

wgdn_activation wgdn_decoder_activation(const wgdn_pass *p, int k); /* of layer k's t */

/* The input of branch b of layer k: 0 the layer below, 1 the encoder's output on the same level. */
void wgdn_decoder_input(float *x, const wgdn_pass *p, int k, int b);

/*
 * Penalties and coefficients of one call and, where the response estimates them, (L - 1) x in
 * first, where somebody wants it (else NULL).
 */
WGDN_MUST_CHECK wgdn_status wgdn_decoder_estimate(wgdn_dec_call *call, float *first,
                                                  const wgdn_pass *p, const float *x, int k,
                                                  wgdn_error *err);

/* The channels of branch b of layer k, several, as they meet in t with the branch's share. */
wgdn_channel_set wgdn_decoder_channels(const wgdn_pass *p, int k, int b);
/* do_bq over o_bq of one branch with several channels, from factor * dt; returns the slope's. */
double wgdn_decoder_channels_back(const wgdn_pass *p, int k, int b, const float *dt, float factor);

/* Filter branch b of layer k again, for the backward pass in a workspace that recomputes. */
void wgdn_decoder_again(const wgdn_pass *p, int k, int b);

/* How often the bias of a one-channel layer counts, and what a branch's share is. */
float wgdn_decoder_share(const wgdn_model *m, const wgdn_decoder_saved *d);

static inline bool wgdn_decoder_is_last(const wgdn_model *m, int k)
{
    return k == m->shape.decoder_layers - 1;
}

static inline int64_t wgdn_decoder_out(const wgdn_model *m, int k)
{
    return wgdn_decoder_is_last(m, k) ? m->shape.features : m->shape.width;
}

/*
 * What branch b of layer k is filtered with, forward and backward: a series per channel. A single
 * channel's takes its share in, and lies in scaled.
 */
wgdn_poly wgdn_decoder_filter(double scaled[WGDN_POWERS_MAX + 1], const wgdn_pass *p, int k, int b);

/* ---- decoder.c: layer k, the last, where its product comes before its filters ---- */

WGDN_MUST_CHECK wgdn_status wgdn_narrow_forward(const wgdn_pass *p, int k, wgdn_error *err);
/* The layer's gradients, and those of its inputs in dx, one for each branch. */
WGDN_MUST_CHECK wgdn_status wgdn_narrow_backward(wgdn_params *grad, float *const *dx,
                                                 const wgdn_pass *p, int k, wgdn_error *err);

#endif
