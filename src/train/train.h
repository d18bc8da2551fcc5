/* SPDX-License-Identifier: Apache-2.0 */
/* From a model with fresh parameters to a trained one. */
#ifndef WGDN_TRAIN_H
#define WGDN_TRAIN_H

#include "model/batches.h"

/* ---- adam.c ---- */

/* First and second moments, in the layout of the parameters, and the steps taken. */
typedef struct wgdn_adam {
    float *m, *v;
    int64_t size, steps;
} wgdn_adam;

WGDN_MUST_CHECK wgdn_status wgdn_adam_new(wgdn_adam *a, int64_t size, wgdn_error *err);
void wgdn_adam_free(wgdn_adam *a);
void wgdn_adam_step(wgdn_adam *a, float *param, const float *grad, double rate);

/* ---- estimate.c ---- */

/* A model as the options want it for a dataset, without parameters: to ask for sizes. */
WGDN_MUST_CHECK wgdn_status wgdn_train_plan(wgdn_model **m, const wgdn_dataset *d,
                                            const wgdn_train_options *o, wgdn_error *err);

/* ---- checkpoint.c ---- */

/* Digest of graph and features: whether a checkpoint belongs to the data at hand. All ranks. */
WGDN_MUST_CHECK wgdn_status wgdn_data_digest(uint64_t *out, const wgdn_dataset *d, wgdn_error *err);
/* Whether two runs are one but for epochs, threads and what becomes of the vectors. */
bool wgdn_same_run(const wgdn_train_options *a, const wgdn_train_options *b);

/*
 * Take up a checkpoint, if there is one: the model's parameters and buffers, Adam's moments and
 * steps, and the losses summed in the epoch in hand become those of the file. A file of another run
 * is an error that says so.
 */
WGDN_MUST_CHECK wgdn_status wgdn_checkpoint_take(double *loss, wgdn_model *m, wgdn_adam *a,
                                                 const char *path, uint64_t data, wgdn_error *err);
WGDN_MUST_CHECK wgdn_status wgdn_checkpoint_put(const wgdn_model *m, const wgdn_adam *a,
                                                double loss, const char *path, uint64_t data,
                                                wgdn_error *err);

#endif
