/* SPDX-License-Identifier: Apache-2.0 */
/* From a model with fresh parameters to a trained one. */
#ifndef WGDN_TRAIN_H
#define WGDN_TRAIN_H

#include "model/model.h"

/* ---- adam.c ---- */

/* First and second moments, in the layout of the parameters, and the steps taken. */
typedef struct wgdn_adam {
    float *m, *v;
    int64_t size, steps;
} wgdn_adam;

WGDN_MUST_CHECK wgdn_status wgdn_adam_new(wgdn_adam *a, int64_t size, wgdn_error *err);
void wgdn_adam_free(wgdn_adam *a);
void wgdn_adam_step(wgdn_adam *a, float *param, const float *grad, double rate);

#endif
