/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Training is done when what is held out of it is reconstructed no better:
 *
 *     better   error < (1 - 0.001) best, looked at every 5 epochs
 *     done     no better for `patience` epochs
 *
 * The error is that of the step, noise included, so it costs no pass of its own.
 */
#include "stop.h"

enum { CHECK_EVERY = 5 };

static const double least = 0.001; /* gain that counts as one */

bool wgdn_stop_due(int64_t epoch)
{
    return epoch % CHECK_EVERY == 0;
}

bool wgdn_stop_better(wgdn_run_stop *s, double error, int64_t epoch)
{
    s->error = error;
    if (s->seen && !(error < (1 - least) * s->best)) return false;
    s->seen = true;
    s->best = error;
    s->epoch = epoch;
    return true;
}

bool wgdn_stop_done(const wgdn_run_stop *s, int64_t epoch, int64_t patience)
{
    return s->seen && epoch - s->epoch >= patience;
}
