/* SPDX-License-Identifier: Apache-2.0 */
/* From a model with fresh parameters to a trained one. */
#ifndef WGDN_MODEL_TRAIN_H
#define WGDN_MODEL_TRAIN_H

#include "batches.h"

/* ---- optimisers: optimizer.c, optimizer.c ---- */

typedef struct wgdn_optimiser wgdn_optimiser;

/* A rule by which a gradient moves parameters. */
typedef struct wgdn_optimiser_form {
    const char *name;
    int states;                         /* numbers that it keeps for each parameter, 0 at first */
    const char *state[WGDN_STATES_MAX]; /* their names in a checkpoint */
    /* Step t, counted from 1; who trains counts. */
    void (*step)(const wgdn_optimiser *o, float *param, const float *grad, double rate, int64_t t);
} wgdn_optimiser_form;

extern const wgdn_optimiser_form wgdn_adam;

/* The rule at work on a block of parameters; its states have the same layout. */
struct wgdn_optimiser {
    const wgdn_optimiser_form *form;
    int64_t size;
    float *state[WGDN_STATES_MAX]; /* size each */
};

WGDN_MUST_CHECK wgdn_status wgdn_optimiser_new(wgdn_optimiser *o, const wgdn_optimiser_form *form,
                                               int64_t size, wgdn_error *err);
void wgdn_optimiser_free(wgdn_optimiser *o);

/* ---- training_cost.c ---- */

/* A model as the options want it for a dataset, without parameters: to ask for sizes. */
WGDN_MUST_CHECK wgdn_status wgdn_train_plan(wgdn_model **m, const wgdn_dataset *d,
                                            const wgdn_train_options *o, wgdn_error *err);
/* Memory of a process that has a part of d, and its input as far as sizes go. Where d is one graph
 * with dense features none of its arrays is read. */
WGDN_MUST_CHECK wgdn_status wgdn_portion_needs(wgdn_train_needs *out, wgdn_model_input *shape,
                                               const wgdn_dataset *d, const wgdn_portion *part,
                                               const wgdn_model *m, wgdn_error *err);

/* ---- checkpoint.c ---- */

/* Digest of graph and features: whether a checkpoint belongs to the data at hand. All ranks. */
WGDN_MUST_CHECK wgdn_status wgdn_data_digest(uint64_t *out, const wgdn_dataset *d, wgdn_error *err);
/* Whether two runs are one but for epochs, patience, threads and what becomes of the vectors. */
bool wgdn_same_run(const wgdn_train_options *a, const wgdn_train_options *b);

/*
 * Take up a checkpoint, if there is one: the model's parameters and buffers, what run->state points
 * to, step and loss become those of the file. A file of another run, or of other data than
 * run->data, is an error that says so.
 */
WGDN_MUST_CHECK wgdn_status wgdn_checkpoint_take(wgdn_run_state *run, wgdn_model *m,
                                                 const char *path, wgdn_error *err);
/* The same of a checkpoint that was read: a model and where its run stood. */
WGDN_MUST_CHECK wgdn_status wgdn_checkpoint_adopt(wgdn_run_state *run, wgdn_model *m,
                                                  const wgdn_model *was, const wgdn_run_state *file,
                                                  const char *path, wgdn_error *err);

#endif
