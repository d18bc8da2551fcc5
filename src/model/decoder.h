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

/* ---- decoder.c: layer k, the last, where its product comes before its filters ---- */

#endif
