/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WGDN_ENCODER_H
#define WGDN_ENCODER_H

#include "workspace.h"

/*
 * All layers. running: BatchNorm's averages, moved on; NULL for embedding, which takes the model's
 * as they are.
 */
WGDN_MUST_CHECK wgdn_status wgdn_encoder_forward(const wgdn_model *m, wgdn_workspace *w,
                                                 const wgdn_graph *g, const wgdn_input *in,
                                                 bool training, float *running, wgdn_error *err);
/* h = output of encoder layer k - 1 (k = 1 .. layers), made from what was kept. */
void wgdn_encoder_output(float *h, const wgdn_model *m, const wgdn_workspace *w, int k);
/*
 * From dh, the gradient of the last output, to the gradients of all encoder parameters. dh is used
 * up; gradients waiting in w->skip join on the way.
 */
WGDN_MUST_CHECK wgdn_status wgdn_encoder_backward(wgdn_params *grad, float *dh, wgdn_model *m,
                                                  wgdn_workspace *w, const wgdn_graph *g,
                                                  const wgdn_input *in, wgdn_error *err);

#endif
