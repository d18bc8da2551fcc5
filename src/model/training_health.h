/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WGDN_MODEL_TRAINING_HEALTH_H
#define WGDN_MODEL_TRAINING_HEALTH_H

#include "model.h"

/* What is watched of a model while it trains: training_health.c. The same bits for any number of threads and
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

WGDN_MUST_CHECK wgdn_status wgdn_watch_features(wgdn_features_seen *out, const wgdn_model_input *in,
                                                wgdn_error *err);

/* Whether a run collapses or diverges: training_health.c */
enum { WGDN_ADVICE_SIZE = 120 };

/* What was seen of a run; what a checkpoint keeps of it is in wgdn_run_health. */
typedef struct wgdn_health {
    wgdn_features_seen features;
    wgdn_code_seen code;
    double gradient; /* norm, of the last step */
    bool fresh;      /* the code was seen, and not judged yet */
    float *gram;     /* scratch */
    char text[256];  /* what is wrong and what to try; "": nothing */
} wgdn_health;

WGDN_MUST_CHECK wgdn_status wgdn_health_open(wgdn_health *h, wgdn_error *err);
void wgdn_health_close(wgdn_health *h);
bool wgdn_health_due(int64_t epoch, int64_t epochs); /* whether to watch this epoch's first step */
/* Look at the code of a step, after it. */
WGDN_MUST_CHECK wgdn_status wgdn_health_watch(wgdn_health *h, const wgdn_pass *p, wgdn_error *err);

/* Judge the features, before training; and an epoch, counted from 1, by its loss. True: text says
 * what is wrong. */
bool wgdn_health_features(wgdn_health *h, const wgdn_train_options *o);
bool wgdn_health_judge(wgdn_health *h, wgdn_run_health *k, const wgdn_train_options *o, double loss,
                       int64_t epoch);
/* Whether something is wrong that may yet pass: no checkpoint is made of that. */
bool wgdn_health_doubtful(const wgdn_run_health *k);

#endif
