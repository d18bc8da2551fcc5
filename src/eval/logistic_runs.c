/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Logistic regression over splits, several of them at a time, each by one thread; then few-shot and
 * nearest neighbours on the first few. A fit has no random choice: a split is asked once.
 */
#include "base/streams.h"
#include "logistic.h"

#include <math.h>

enum { FEW_SPLITS = 3 };

typedef struct splits_run {
    const wgdn_dataset *d;
    const wgdn_eval_options *o;
    const wgdn_unit *u;
    const wgdn_answers *a;
    wgdn_pulse *pulse;
    int first;             /* of those that run now */
    wgdn_outcome *outcome; /* a place for each */
    wgdn_status *status;
    wgdn_error *error;
    wgdn_parts *parts;
} splits_run;

static void run_split(int64_t i, void *context)
{
    splits_run *r = context;
    const int64_t split = r->first + i;
    wgdn_parts *p = &r->parts[split];
    wgdn_error *err = &r->error[split];
    wgdn_status st = wgdn_parts_make(p, r->d, r->o, split, err);
    if (!st) st = wgdn_regress(&r->outcome[split], r->u, r->a, p, err);
    if (split >= FEW_SPLITS) wgdn_parts_rows_free(p);
    r->status[split] = st;
}

/* As many at a time as there are threads. */
static wgdn_status run_splits(splits_run *r, int splits, int64_t total, wgdn_error *err)
{
    const int threads = wgdn_threads_count(0);
    for (r->first = 0; r->first < splits; r->first += threads) {
        const int count = threads < splits - r->first ? threads : splits - r->first;
        if (count > 1)
            wgdn_for_each(count, run_split, r);
        else
            run_split(0, r); /* its products may have the threads */
        for (int k = r->first; k < r->first + count; k++)
            if (r->status[k]) {
                if (err) *err = r->error[k];
                return r->status[k];
            }
        r->pulse->done = r->first + count;
        const wgdn_status st = wgdn_eval_tell(r->o, r->first + count, total, err);
        if (st) return st;
    }
    return WGDN_OK;
}

/* Whether the classes have so many training nodes: on average, and each of two. */
static bool has_shots(const splits_run *r, int splits)
{
    for (int k = 0; k < splits; k++) {
        const wgdn_parts *p = &r->parts[k];
        int64_t ones = 0;
        for (int64_t i = 0; i < p->train; i++)
            ones += p->label[i] == 1;
        if (p->train < WGDN_SHOTS * r->a->classes) return false;
        if (r->a->classes == 2 && (ones < WGDN_SHOTS || p->train - ones < WGDN_SHOTS)) return false;
    }
    return true;
}

/* Few-shot and neighbours of the first splits; told as further probes. */
static wgdn_status run_few(wgdn_probe_result *out, const splits_run *r, int splits, int64_t total,
                           wgdn_error *err)
{
    double few[FEW_SPLITS * WGDN_DRAWS], near[FEW_SPLITS];
    const bool shots = has_shots(r, splits);
    for (int k = 0; k < splits; k++) {
        const wgdn_stream s = {r->o->seed, (uint32_t)k, WGDN_CALL_SHOTS};
        wgdn_status st = WGDN_OK;
        if (shots)
            st = wgdn_few_shot(few + (size_t)k * WGDN_DRAWS, r->u, r->a, &r->parts[k], s, err);
        if (!st) st = wgdn_neighbour_accuracy(&near[k], r->u, &r->parts[k], err);
        r->pulse->done = total - splits + k + 1;
        if (!st) st = wgdn_eval_tell(r->o, total - splits + k + 1, total, err);
        if (st) return st;
    }
    if (shots) {
        out->few_shot = wgdn_spread_of(few, (int64_t)splits * WGDN_DRAWS);
        out->few_shot_draws = splits * WGDN_DRAWS;
    }
    out->neighbours = wgdn_spread_of(near, splits);
    out->neighbour_splits = splits;
    return WGDN_OK;
}

static wgdn_spread spread(const wgdn_outcome *o, size_t field, int count, double *room)
{
    for (int k = 0; k < count; k++)
        room[k] = *(const double *)((const char *)&o[k] + field);
    return wgdn_spread_of(room, count);
}

static void sum_up(wgdn_probe_result *out, const splits_run *r, int splits, double *room)
{
    const wgdn_outcome *o = r->outcome;
    const bool two = wgdn_answers_columns(r->a) == 1;
    out->runs = out->splits = splits;
    out->multi_label = r->a->lists != NULL;
    out->train = r->parts[0].train;
    out->val = r->parts[0].val;
    out->test = r->parts[0].test;
    out->validation_selected = spread(o, offsetof(wgdn_outcome, honest), splits, room);
    out->f1 = spread(o, offsetof(wgdn_outcome, f1), splits, room);
    out->micro_f1 = spread(o, offsetof(wgdn_outcome, micro_f1), splits, room);
    out->auc = spread(o, offsetof(wgdn_outcome, auc), splits, room);
    for (int k = 0; out->each && k < splits; k++)
        out->each[k] = two ? o[k].auc : r->a->lists ? o[k].micro_f1 : o[k].honest;
}

wgdn_status wgdn_logistic_runs(wgdn_probe_result *out, const wgdn_dataset *d,
                               const wgdn_probe_input *in, const wgdn_eval_options *o,
                               wgdn_error *err)
{
    const bool several = d->lists.offset != NULL;
    const int splits = wgdn_split_count(d, o);
    const int few = several ? 0 : splits < FEW_SPLITS ? splits : FEW_SPLITS;
    const wgdn_answers a = {in->classes, d->label, several ? &d->lists : NULL};
    const int64_t total = splits + few;
    wgdn_pulse pulse = wgdn_pulse_of(o, total);
    splits_run r = {.d = d, .o = o, .a = &a, .pulse = &pulse};
    wgdn_unit u = {0};
    double *room = wgdn_alloc((size_t)splits, sizeof *room);
    r.outcome = wgdn_alloc_zero((size_t)splits, sizeof *r.outcome);
    r.status = wgdn_alloc_zero((size_t)splits, sizeof *r.status);
    r.error = wgdn_alloc_zero((size_t)splits, sizeof *r.error);
    r.parts = wgdn_alloc_zero((size_t)splits, sizeof *r.parts);
    wgdn_status st = WGDN_OK;
    if (!room || !r.outcome || !r.status || !r.error || !r.parts) {
        st = wgdn_fail(err, WGDN_ENOMEM, "probe: %d splits", splits);
        goto done;
    }
    r.u = &u;
    st = wgdn_unit_open(&u, in, err);
    u.pulse = &pulse;
    if (!st) st = run_splits(&r, splits, total, err);
    if (!st) sum_up(out, &r, splits, room);
    if (!st && few > 0) st = run_few(out, &r, few, total, err);

done:
    for (int k = 0; r.parts && k < splits; k++)
        wgdn_parts_free(&r.parts[k]);
    wgdn_unit_close(&u);
    wgdn_release(r.parts);
    wgdn_release(r.error);
    wgdn_release(r.status);
    wgdn_release(r.outcome);
    wgdn_release(room);
    return st;
}
