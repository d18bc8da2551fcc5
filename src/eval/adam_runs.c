/* SPDX-License-Identifier: Apache-2.0 */
/* Several probes trained by Adam, over splits and starts, and their mean. */
#include "probe.h"

#include <string.h>

enum { TELL_EVERY = 16 }; /* steps */

typedef struct runs {
    const wgdn_dataset *d;
    const wgdn_eval_options *o;
    const wgdn_probe_input *in;
    wgdn_parts parts;
    wgdn_probe probe;
    bool open;     /* parts and probe are there, of ... */
    int64_t split; /* ... this split */
    int32_t *kept; /* test guesses of the honest step */
    double *honest, *published, *f1;
} runs;

/* One probe from its start to its last step; Y after step t is looked at before step t + 1. */
static wgdn_status run_adam(wgdn_outcome *out, runs *r, int run, wgdn_error *err)
{
    const wgdn_parts *parts = &r->parts;
    const int32_t *guess = r->probe.guess + parts->train + parts->val;
    const double test = (double)parts->test;
    wgdn_race race = {0};
    wgdn_status st = wgdn_probe_start(&r->probe, r->o->seed, run, err);
    for (int t = 0; !st && t <= r->o->steps; t++) {
        wgdn_glance g;
        st = wgdn_probe_look(&r->probe, &g, err);
        if (!st && t > 0 && wgdn_race_note(&race, g.val, g.test, parts->val > 0))
            memcpy(r->kept, guess, (size_t)parts->test * sizeof *guess);
        if (!st && t < r->o->steps)
            st = wgdn_probe_step(&r->probe, r->o->learning_rate, r->o->weight_decay, err);
        if (!st && t % TELL_EVERY == TELL_EVERY - 1)
            st = wgdn_eval_tell(r->o, run, r->o->runs, err);
    }
    if (st) return st;
    out->honest = (double)race.honest / test;
    out->published = (double)race.published / test;
    return wgdn_macro_f1(&out->f1, r->kept, parts->label + parts->train + parts->val, parts->test,
                         r->in->classes, err);
}

static wgdn_status open_split(runs *r, int64_t split, wgdn_error *err)
{
    if (r->open && split == r->split) return WGDN_OK;
    wgdn_probe_close(&r->probe);
    wgdn_parts_free(&r->parts);
    r->open = false;
    r->split = split;
    wgdn_status st = wgdn_parts_make(&r->parts, r->d, r->o, split, err);
    if (!st) st = wgdn_probe_open(&r->probe, r->in, &r->parts, err);
    r->open = !st;
    return st;
}

static wgdn_status run_all(wgdn_probe_result *out, runs *r, wgdn_error *err)
{
    const wgdn_eval_options *o = r->o;
    wgdn_status st = WGDN_OK;
    for (int run = 0; !st && run < o->runs; run++) {
        const int64_t split = wgdn_split_of_run(r->d, o, run);
        wgdn_outcome one = {0};
        st = open_split(r, split, err);
        if (!st && run == 0) {
            out->train = r->parts.train;
            out->val = r->parts.val;
            out->test = r->parts.test;
        }
        if (!st) st = run_adam(&one, r, run, err);
        if (split + 1 > out->splits) out->splits = (int)(split + 1);
        r->honest[run] = one.honest;
        r->published[run] = one.published;
        r->f1[run] = one.f1;
        if (out->each) out->each[run] = one.honest;
        if (!st) st = wgdn_eval_tell(o, run + 1, o->runs, err);
    }
    out->runs = o->runs;
    out->validation_selected = out->micro_f1 = wgdn_spread_of(r->honest, o->runs);
    out->test_selected = wgdn_spread_of(r->published, o->runs);
    out->f1 = wgdn_spread_of(r->f1, o->runs);
    return st;
}

wgdn_status wgdn_adam_runs(wgdn_probe_result *out, const wgdn_dataset *d,
                           const wgdn_probe_input *in, const wgdn_eval_options *o, wgdn_error *err)
{
    runs r = {.d = d, .o = o, .in = in};
    wgdn_status st = WGDN_OK;
    r.kept = wgdn_alloc((size_t)in->n, sizeof *r.kept);
    r.honest = wgdn_alloc_zero(3 * (size_t)o->runs, sizeof *r.honest);
    if (!r.kept || !r.honest) {
        st = wgdn_fail(err, WGDN_ENOMEM, "probe: %d runs", o->runs);
        goto done;
    }
    r.published = r.honest + o->runs;
    r.f1 = r.published + o->runs;
    st = run_all(out, &r, err);

done:
    wgdn_probe_close(&r.probe);
    wgdn_parts_free(&r.parts);
    wgdn_release(r.honest);
    wgdn_release(r.kept);
    return st;
}
