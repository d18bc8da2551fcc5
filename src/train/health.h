/* SPDX-License-Identifier: Apache-2.0 */
/* Whether a run collapses or diverges: health.c */
#ifndef WGDN_HEALTH_H
#define WGDN_HEALTH_H

#include "model/watch.h"

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
