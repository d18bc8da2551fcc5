/* SPDX-License-Identifier: Apache-2.0 */
/* What is watched of a model while it trains: watch.c. The same bits for any number of threads and
 * ranks. */
#ifndef WGDN_WATCH_H
#define WGDN_WATCH_H

#include "model.h"

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

WGDN_MUST_CHECK wgdn_status wgdn_watch_features(wgdn_features_seen *out, const wgdn_input *in,
                                                wgdn_error *err);

#endif
