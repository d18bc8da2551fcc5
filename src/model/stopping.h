/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WGDN_MODEL_STOPPING_H
#define WGDN_MODEL_STOPPING_H

#include "model.h"
#include "train.h"

/* Entries of X that are never trained on, to tell by them when training is done: held.c. */
/*
 * Take some non-zero entries out of X, a tenth or a few thousand, before the input is prepared: in->sparse or
 * in->dense becomes X as it is shown, with 0 in their places, and in->held what was taken. own:
 * in->dense where it may be changed, else NULL. To be freed, also after a failure. Ranks together.
 */
WGDN_MUST_CHECK wgdn_status wgdn_held_take(wgdn_held *h, wgdn_model_input *in, float *own,
                                           const uint64_t *key, uint64_t seed, wgdn_error *err);

size_t wgdn_held_bytes(const wgdn_model_input *shape, int64_t entries, bool own); /* most of it */

/* The error that these sums come to, weighed as the loss does. */
double wgdn_held_error(const wgdn_model *m, const wgdn_model_input *in, const double *sums);
/* When training is done: stopping.c */
enum { WGDN_STOP_EVERY = 5 }; /* epochs from one that is looked at to the next */
static inline bool wgdn_stop_due(int64_t epoch)
{
    return epoch % WGDN_STOP_EVERY == 0;
}

/* After so many epochs the root mean square over what is held out is `error`. True: it is the best
 * so far, and the parameters it is of are to be kept. */
bool wgdn_stop_better(wgdn_run_stop *s, double error, int64_t epoch);
/* Whether nothing clearly better was seen for so many epochs. */
static inline bool wgdn_stop_done(const wgdn_run_stop *s, int64_t epoch, int64_t patience)
{
    return s->seen && epoch - s->mark_epoch >= patience;
}

#endif
