/* SPDX-License-Identifier: Apache-2.0 */
/* When training is done: stop.c */
#ifndef WGDN_STOP_H
#define WGDN_STOP_H

#include "train.h"

bool wgdn_stop_due(int64_t epoch); /* whether an epoch is looked at, counted from 0 */
/* After so many epochs the root mean square over what is held out is `error`. True: it is the best
 * so far, and the parameters it is of are to be kept. */
bool wgdn_stop_better(wgdn_run_stop *s, double error, int64_t epoch);
/* Whether nothing clearly better was seen for so many epochs. */
bool wgdn_stop_done(const wgdn_run_stop *s, int64_t epoch, int64_t patience);

#endif
