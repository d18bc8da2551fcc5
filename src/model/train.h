/* SPDX-License-Identifier: Apache-2.0 */
/* From a model with fresh parameters to a trained one. */
#ifndef WGDN_MODEL_TRAIN_H
#define WGDN_MODEL_TRAIN_H

#include "batches.h"

/* ---- optimizers: optimizer.c, optimizer.c ---- */

typedef struct wgdn_optimizer wgdn_optimizer;

/* A rule by which a gradient moves parameters. */
typedef struct wgdn_optimizer_form {
    const char *name;
    int states;                         /* numbers that it keeps for each parameter, 0 at first */
    const char *state[WGDN_STATES_MAX]; /* their names in a checkpoint */
    /* Step t, counted from 1; who trains counts. */
    void (*step)(const wgdn_optimizer *o, float *param, const float *grad, double rate, int64_t t);
} wgdn_optimizer_form;

extern const wgdn_optimizer_form wgdn_adam;

/* The rule at work on a block of parameters; its states have the same layout. */
struct wgdn_optimizer {
    const wgdn_optimizer_form *form;
    int64_t size;
    float *state[WGDN_STATES_MAX]; /* size each */
};

WGDN_MUST_CHECK wgdn_status wgdn_optimizer_new(wgdn_optimizer *o, const wgdn_optimizer_form *form,
                                               int64_t size, wgdn_error *err);
static inline void wgdn_optimizer_free(wgdn_optimizer *o)
{
    for (int k = WGDN_STATES_MAX - 1; k >= 0; k--)
        wgdn_release(o->state[k]);
    *o = (wgdn_optimizer){0};
}

/* ---- training_cost.c ---- */

/* A model as the options want it for a dataset, without parameters: to ask for sizes. */
WGDN_MUST_CHECK static inline wgdn_status wgdn_train_plan(wgdn_model **m, const wgdn_dataset *d,
                                                          const wgdn_train_options *o,
                                                          wgdn_error *err)
{
    wgdn_train_options opt;
    const wgdn_status st = wgdn_options_read(&opt, o, WGDN_OPTIONS_KIND_TRAIN, err);
    return st ? st : wgdn_model_plan(m, &opt, wgdn_feed_width(d, &opt), err);
}

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

/* The same of a checkpoint that was read: a model and where its run stood. */
WGDN_MUST_CHECK wgdn_status wgdn_checkpoint_adopt(wgdn_run_state *run, wgdn_model *m,
                                                  const wgdn_model *was, const wgdn_run_state *file,
                                                  const char *path, wgdn_error *err);

/* ---- health of a run: trainer.c ---- */

/* What is watched of a model while it trains: The same bits for any number of threads and
 * ranks. */
enum { WGDN_WATCHED_COLUMNS = 128 }; /* of the code, at most */

/* The code of a step. */
typedef struct wgdn_code_seen {
    double rank;     /* effective rank of its directions, 1 .. columns; 0: all of it is 0 */
    double dead;     /* share of its columns that do not vary */
    int64_t columns; /* that were looked at */
} wgdn_code_seen;

/* After wgdn_step() of the same pass, whose buffers are idle then. gram: room for WATCHED_COLUMNS
 * squared. */
WGDN_MUST_CHECK wgdn_status wgdn_watch_code(wgdn_code_seen *out, float *gram, const wgdn_pass *p,
                                            wgdn_error *err);

/* The features before training. */
typedef struct wgdn_features_seen {
    float top;      /* the largest absolute value */
    int64_t column; /* where it is */
    float others;   /* the largest of the other columns */
} wgdn_features_seen;

/* What was seen of a run; what a checkpoint keeps of it is in wgdn_run_health. */
typedef struct wgdn_health {
    wgdn_features_seen features;
    wgdn_code_seen code;
    double gradient; /* norm, of the last step */
    bool fresh;      /* the code was seen, and not judged yet */
    float *gram;     /* scratch */
    char text[384];  /* what is wrong and what to try; "": nothing */
} wgdn_health;

/* Judges an epoch, counted from 1, by its loss. True: text says what is wrong. */
bool wgdn_health_judge(wgdn_health *h, wgdn_run_health *k, const wgdn_train_options *o, double loss,
                       int64_t epoch);

#endif
