/* SPDX-License-Identifier: Apache-2.0 */
/* Several probes over splits and starts, and their mean. */
#include "eval.h"

#include <string.h>

static const double small_step = 0x1p24; /* multiplications of a step */

typedef struct runs {
    const wgdn_dataset *d;
    const wgdn_eval_options *o;
    wgdn_probe_input *in;
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
    if (!st && r->o->classifier == WGDN_CLASSIFIER_ADAM)
        st = wgdn_probe_open(&r->probe, r->in, &r->parts, err);
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
        if (!st)
            st = o->classifier == WGDN_CLASSIFIER_ADAM
                     ? run_adam(&one, r, run, err)
                     : wgdn_liblinear_run(&one, r->in, &r->parts, err);
        if (split + 1 > out->splits) out->splits = (int)(split + 1);
        r->honest[run] = one.honest;
        r->published[run] = one.published;
        r->f1[run] = one.f1;
        if (!st) st = wgdn_eval_tell(o, run + 1, o->runs, err);
    }
    out->runs = o->runs;
    out->source = wgdn_splits_source(r->d, o);
    out->validation_selected = wgdn_spread_of(r->honest, o->runs);
    out->test_selected = wgdn_spread_of(r->published, o->runs);
    out->f1 = wgdn_spread_of(r->f1, o->runs);
    return st;
}

wgdn_status wgdn_probe_runs(wgdn_probe_result *out, const wgdn_dataset *d, wgdn_probe_input *in,
                            const wgdn_eval_options *o, wgdn_error *err)
{
    runs r = {.d = d, .o = o, .in = in};
    wgdn_probe_result made = {0};
    wgdn_status st = WGDN_OK;
    in->classes = wgdn_dataset_classes(d);
    if (in->classes < 2)
        return wgdn_fail(err, WGDN_EINVAL, "probe: the dataset has %lld classes; labels are needed",
                         (long long)in->classes);
    /* A step of a small probe is over before a second thread is awake; results do not change. */
    const bool small =
        (double)in->n * (double)((in->dense ? in->width : 64) * in->classes) < small_step;
    const int former = wgdn_threads_use(small ? 1 : 0);
    r.kept = wgdn_alloc((size_t)in->n, sizeof *r.kept);
    r.honest = wgdn_alloc_zero(3 * (size_t)o->runs, sizeof *r.honest);
    if (!r.kept || !r.honest) {
        st = wgdn_fail(err, WGDN_ENOMEM, "probe: %d runs", o->runs);
        goto done;
    }
    r.published = r.honest + o->runs;
    r.f1 = r.published + o->runs;
    st = run_all(&made, &r, err);
    if (!st) st = wgdn_result_give(out, &made, sizeof made, err);

done:
    wgdn_threads_use(former);
    wgdn_probe_close(&r.probe);
    wgdn_parts_free(&r.parts);
    wgdn_release(r.honest);
    wgdn_release(r.kept);
    return st;
}

/*
 * Sparse vectors are probed as they are, filtered on the way if so wished, where they lie in the
 * order of the nodes; LIBLINEAR does not filter.
 */
static wgdn_status open_input(wgdn_probe_input *in, wgdn_vectors *v, const wgdn_embedding *e,
                              const wgdn_dataset *d, const wgdn_eval_options *o, wgdn_error *err)
{
    const bool adam = o->classifier == WGDN_CLASSIFIER_ADAM;
    bool same = e->transposed.offset != NULL && (adam || !e->graph);
    int64_t *row = NULL;
    wgdn_status st = same ? wgdn_vectors_in_order(&same, &row, e, d, err) : WGDN_OK;
    wgdn_release(row);
    *in = (wgdn_probe_input){.n = wgdn_dataset_nodes(d), .width = wgdn_embedding_dim(e)};
    if (!st && !same) {
        st = wgdn_vectors_open_for(v, e, d, err);
        in->dense = v->x;
    } else if (!st) {
        in->sparse = &e->vectors.sparse;
        in->transposed = &e->transposed;
        in->graph = e->graph;
        in->series = e->series;
        in->order = e->order;
    }
    return st;
}

wgdn_status wgdn_embedding_probe(wgdn_probe_result *out, const wgdn_embedding *e,
                                 const wgdn_dataset *d, const wgdn_eval_options *o, wgdn_error *err)
{
    wgdn_eval_options opt;
    wgdn_probe_input in;
    wgdn_vectors v = {0};
    wgdn_status st = wgdn_eval_options_read(&opt, o, err);
    if (st) return st;
    const int former = wgdn_threads_use(opt.threads);
    st = open_input(&in, &v, e, d, &opt, err);
    if (!st) st = wgdn_probe_runs(out, d, &in, &opt, err);
    wgdn_vectors_close(&v);
    wgdn_threads_use(former);
    return st;
}
