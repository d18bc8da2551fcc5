/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From accuracies after each step to one number.                                  [WGDN:protocols]
 *
 * Honest: the test accuracy at the first step with the best validation accuracy. Published: the
 * largest test accuracy over all steps at which validation tied or beat its best so far; that
 * chooses by test labels, and is here because published numbers were made so.
 */
#include "probe.h"

#include <math.h>

bool wgdn_race_note(wgdn_race *r, int64_t val, int64_t test, bool validated)
{
    const bool first = r->steps++ == 0;
    const bool better = first || !validated || val > r->best_val;
    if (first || !validated || val >= r->best_val)
        r->published = test > r->published ? test : r->published;
    if (!better) return false;
    r->best_val = val;
    r->honest = test;
    return true;
}

wgdn_spread wgdn_spread_of(const double *x, int64_t all)
{
    wgdn_spread s = {0, 0};
    int64_t count = 0;
    for (int64_t i = 0; i < all; i++)
        count += !isnan(x[i]);
    if (count == 0) return (wgdn_spread){NAN, NAN};
    for (int64_t i = 0; i < all; i++)
        if (!isnan(x[i])) s.mean += x[i] / (double)count;
    for (int64_t i = 0; i < all; i++)
        if (!isnan(x[i])) s.deviation += (x[i] - s.mean) * (x[i] - s.mean);
    s.deviation = count > 1 ? sqrt(s.deviation / (double)(count - 1)) : 0;
    return s;
}

wgdn_status wgdn_eval_tell(const wgdn_eval_options *o, int64_t done, int64_t total, wgdn_error *err)
{
    if (!o->progress || !o->progress(o->progress_user, done, total)) return WGDN_OK;
    return wgdn_fail(err, WGDN_ESTOPPED, "stopped after %lld of %lld", (long long)done,
                     (long long)total);
}

/* Its address tells threads apart. */
static const void *this_thread(void)
{
    static _Thread_local char mark;
    return &mark;
}

wgdn_pulse wgdn_pulse_of(const wgdn_eval_options *o, int64_t total)
{
    return (wgdn_pulse){.o = o, .caller = this_thread(), .total = total};
}

wgdn_status wgdn_pulse_beat(wgdn_pulse *p, wgdn_error *err)
{
    if (!p || !p->o->progress) return WGDN_OK;
    if (p->caller == this_thread() && p->o->progress(p->o->progress_user, p->done, p->total))
        __atomic_store_n(&p->stopped, 1, __ATOMIC_RELAXED);
    if (!__atomic_load_n(&p->stopped, __ATOMIC_RELAXED)) return WGDN_OK;
    return wgdn_fail(err, WGDN_ESTOPPED, "stopped after %lld of %lld", (long long)p->done,
                     (long long)p->total);
}
