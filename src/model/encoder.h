/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WGDN_MODEL_ENCODER_H
#define WGDN_MODEL_ENCODER_H

#include "workspace.h"

WGDN_MUST_CHECK wgdn_status wgdn_encoder_forward(const wgdn_pass *p,
                                                 wgdn_error *err); /* all layers */
/* h = output of encoder layer k - 1 (k = 1 .. layers), made from what was kept. */
void wgdn_encoder_output(float *h, const wgdn_pass *p, int k);
/*
 * From dh, the gradient of the last output, to the gradients of all encoder parameters. dh is used
 * up; gradients waiting in w->skip join on the way.
 */
WGDN_MUST_CHECK wgdn_status wgdn_encoder_backward(wgdn_params *grad, float *dh, const wgdn_pass *p,
                                                  wgdn_error *err);

#endif
