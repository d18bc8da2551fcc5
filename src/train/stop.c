/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Training is done when what is held out of it is reconstructed no better. Of the errors, which are
 * looked at every 5 epochs,
 *
 *     best   the smallest: the parameters it is of are kept
 *     mark   the last that was below (1 - 0.005) times the mark before it
 *     done   the mark is `patience` epochs old
 *
 * The error is that of the step, noise included, so it costs no pass of its own. Losses jump now and
 * then, and errors with them: single ones decide nothing.
 */
#include "stop.h"

enum { CHECK_EVERY = 5 };

static const double least = 0.005; /* gain that counts as one */

bool wgdn_stop_due(int64_t epoch)
{
    return epoch % CHECK_EVERY == 0;
}

bool wgdn_stop_better(wgdn_run_stop *s, double error, int64_t epoch)
{
    const bool better = !s->seen || error < s->best;
    if (!s->seen || error < (1 - least) * s->mark) {
        s->mark = error;
        s->mark_epoch = epoch;
    }
    if (better) {
        s->best = error;
        s->epoch = epoch;
    }
    s->seen = true;
    s->error = error;
    return better;
}

bool wgdn_stop_done(const wgdn_run_stop *s, int64_t epoch, int64_t patience)
{
    return s->seen && epoch - s->mark_epoch >= patience;
}
