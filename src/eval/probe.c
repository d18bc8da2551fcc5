/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs the linear probe of embeddings, trained with Adam or with logistic regression, over splits
 * and repetitions, and the few-shot evaluation. It is the public call wgdn_embedding_probe(),
 * which `wgdn eval` uses.
 */
#include "probe.h"
#include "base/streams.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * The linear probe: multinomial logistic regression by full-batch Adam.                [WGDN:probe]
 *
 *     l = (1/n) sum_i [ log sum_k exp(y_ik) - y_i,label(i) ],   Y = X W + 1 b^T
 *     dl / dy_ik = (softmax(y_i)_k - [k = label(i)]) / n
 *     dW = X^T dY + l2 W,   db = dY^T 1 + l2 b
 *
 * with n the number of training rows. The same Y serves validation and test, so an evaluation after
 * each step costs only the rows.
 */

static int64_t rows_of(const wgdn_parts *p)
{
    return p->train + p->val + p->test;
}

static size_t work_bytes(const wgdn_probe *p)
{
    const int64_t train = p->parts->train, c = p->in->classes;
    size_t bytes = p->in->dense ? wgdn_gemm_tn_work(wgdn_alone(train), p->in->width, c) : 0;
    bytes = wgdn_larger(bytes, wgdn_reduce_work(wgdn_alone(train), c));
    return wgdn_larger(bytes, wgdn_for_blocks_work(wgdn_alone(rows_of(p->parts)), 4));
}

typedef struct gathering {
    float *to;
    const float *from;
    const int64_t *row;
    int64_t width;
} gathering;

static void gather_rows(int64_t first, int64_t count, void *context)
{
    const gathering *g = context;
    for (int64_t i = first; i < first + count; i++)
        memcpy(g->to + i * g->width, g->from + g->row[i] * g->width,
               (size_t)g->width * sizeof *g->to);
}

wgdn_status wgdn_probe_open(wgdn_probe *p, const wgdn_probe_input *in, const wgdn_parts *parts,
                            wgdn_error *err)
{
    const int64_t rows = rows_of(parts), c = in->classes, d = in->width;
    const size_t size = (size_t)((d + 1) * c);
    *p = (wgdn_probe){.in = in, .parts = parts};
    wgdn_arrays *a = &p->arrays;
    p->param = wgdn_arrays_add(a, size, sizeof *p->param);
    p->grad = wgdn_arrays_add(a, size, sizeof *p->grad);
    p->y = wgdn_arrays_add(a, (size_t)(rows * c), sizeof *p->y);
    p->guess = wgdn_arrays_add(a, (size_t)rows, sizeof *p->guess);
    p->work = wgdn_arrays_add(a, work_bytes(p), 1);
    if (in->dense) p->x = wgdn_arrays_add(a, (size_t)rows, (size_t)d * sizeof *p->x);
    wgdn_status st = WGDN_OK;
    if (a->failed)
        st = wgdn_fail(err, WGDN_ENOMEM, "probe: %lld rows of width %lld, %lld classes",
                       (long long)rows, (long long)d, (long long)c);
    else if (!in->dense)
        st = wgdn_node_product_open(&p->sweep, in, c, err);
    else
        wgdn_for_rows(wgdn_alone(rows), gather_rows, &(gathering){p->x, in->dense, parts->row, d});
    if (st) wgdn_probe_close(p);
    return st;
}

wgdn_status wgdn_probe_start(wgdn_probe *p, uint64_t seed, int run, wgdn_error *err)
{
    const int64_t d = p->in->width, c = p->in->classes;
    const float s = (float)sqrt(6.0 / (double)(d + c));
    wgdn_optimizer_free(&p->optimizer);
    wgdn_random_uniforms(p->param, c, (wgdn_stream){seed, (uint32_t)run, WGDN_CALL_PROBE}, 0, d, 0,
                         c);
    for (int64_t i = 0; i < d * c; i++)
        p->param[i] = (2 * p->param[i] - 1) * s;
    memset(p->param + d * c, 0, (size_t)c * sizeof *p->param);
    p->steps = 0;
    return wgdn_optimizer_new(&p->optimizer, &wgdn_adam, (d + 1) * c, err);
}

static wgdn_status forward(wgdn_probe *p, wgdn_error *err)
{
    const wgdn_probe_input *in = p->in;
    const int64_t rows = rows_of(p->parts), c = in->classes;
    const float *bias = p->param + in->width * c;
    if (in->dense) {
        wgdn_product q = wgdn_product_of(p->y, p->x, p->param, wgdn_alone(rows), in->width, c);
        q.bias = bias;
        return wgdn_gemm_nn(&q, err);
    }
    float *full;
    const wgdn_status st = wgdn_node_product_forward(&full, &p->sweep, p->param, err);
    if (st) return st;
    gathering g = {p->y, full, p->parts->row, c};
    wgdn_for_rows(wgdn_alone(rows), gather_rows, &g);
    wgdn_add_row(p->y, 1, bias, rows, c);
    return WGDN_OK;
}

enum { LOSS, RIGHT_TRAIN, RIGHT_VAL, RIGHT_TEST, SUMS };

/* y = (softmax(y) - [label]) / n; returns the cross-entropy. */
static double softmax_gradient(float *y, int64_t classes, int32_t label, float most, double n)
{
    double sum = 0;
    for (int64_t k = 0; k < classes; k++)
        sum += exp((double)y[k] - most);
    const double loss = log(sum) + most - y[label];
    for (int64_t k = 0; k < classes; k++)
        y[k] = (float)((exp((double)y[k] - most) / sum - (k == label)) / n);
    return loss;
}

static void evaluate_rows(int64_t first, int64_t count, double *sums, void *context)
{
    wgdn_probe *p = context;
    const int64_t c = p->in->classes, train = p->parts->train, val = p->parts->val;
    for (int64_t i = first; i < first + count; i++) {
        float *y = p->y + i * c;
        int32_t best = 0;
        for (int64_t k = 1; k < c; k++)
            if (y[k] > y[best]) best = (int32_t)k;
        p->guess[i] = best;
        sums[i < train         ? RIGHT_TRAIN
             : i < train + val ? RIGHT_VAL
                               : RIGHT_TEST] += best == p->parts->label[i];
        if (i < train)
            sums[LOSS] += softmax_gradient(y, c, p->parts->label[i], y[best], (double)train);
    }
}

wgdn_status wgdn_probe_evaluate(wgdn_probe *p, wgdn_probe_scores *g, wgdn_error *err)
{
    double sums[SUMS];
    const wgdn_status st = forward(p, err);
    if (st) return st;
    wgdn_for_blocks(wgdn_alone(rows_of(p->parts)), evaluate_rows, p, sums, SUMS, p->work);
    *g = (wgdn_probe_scores){.loss = sums[LOSS] / (double)p->parts->train,
                             .train = (int64_t)sums[RIGHT_TRAIN],
                             .val = (int64_t)sums[RIGHT_VAL],
                             .test = (int64_t)sums[RIGHT_TEST]};
    return WGDN_OK;
}

static wgdn_status weight_gradient(wgdn_probe *p, wgdn_error *err)
{
    const wgdn_probe_input *in = p->in;
    const int64_t c = in->classes, train = p->parts->train;
    if (in->dense) {
        wgdn_product q = wgdn_product_of(p->grad, p->x, p->y, wgdn_alone(train), in->width, c);
        q.work = p->work;
        return wgdn_gemm_tn(&q, err);
    }
    const int64_t stride = p->sweep.stride;
    memset(p->sweep.full, 0, (size_t)(in->n * stride) * sizeof *p->sweep.full);
    for (int64_t i = 0; i < train; i++)
        memcpy(p->sweep.full + p->parts->row[i] * stride, p->y + i * c, (size_t)c * sizeof *p->y);
    wgdn_node_product_back(p->grad, &p->sweep);
    return WGDN_OK;
}

wgdn_status wgdn_probe_step(wgdn_probe *p, double rate, double l2, wgdn_error *err)
{
    const int64_t d = p->in->width, c = p->in->classes, train = p->parts->train;
    float *bias = p->grad + d * c;
    const wgdn_status st = weight_gradient(p, err);
    if (st) return st;
    for (int64_t k = 0; k < c; k++) {
        double sum = 0;
        for (int64_t i = 0; i < train; i++)
            sum += p->y[i * c + k];
        bias[k] = (float)sum;
    }
    if (l2 > 0) wgdn_axpy(p->grad, (float)l2, p->param, d + 1, c);
    p->steps++;
    p->optimizer.form->step(&p->optimizer, p->param, p->grad, rate, p->steps);
    return WGDN_OK;
}

/* Evaluates a regression on a few labels: WGDN_SHOTS training nodes of each class, drawn anew. */

static const double penalty = 64;

wgdn_status wgdn_few_shot_draw(int64_t *row, int64_t *count, const wgdn_parts *p, wgdn_stream s,
                               int draw, wgdn_error *err)
{
    wgdn_ticket *t = wgdn_alloc((size_t)p->train, sizeof *t);
    int64_t of_class = 0;
    if (!t) return wgdn_fail(err, WGDN_ENOMEM, "few-shot: %lld nodes", (long long)p->train);
    for (int64_t i = 0; i < p->train; i++)
        t[i] = (wgdn_ticket){p->label[i], wgdn_random_bits(s, p->row[i], draw), p->row[i]};
    wgdn_tickets_sort(t, p->train);
    *count = 0;
    for (int64_t i = 0; i < p->train; i++) {
        of_class = i > 0 && t[i].label == t[i - 1].label ? of_class + 1 : 0;
        if (of_class < WGDN_SHOTS) row[(*count)++] = t[i].node;
    }
    qsort(row, (size_t)*count, sizeof *row, wgdn_by_int64);
    wgdn_release(t);
    return WGDN_OK;
}

/* Of several tasks; with its error. */
static wgdn_status first_failure(const wgdn_status *st, const wgdn_error *error, int count,
                                 wgdn_error *err)
{
    for (int k = 0; k < count; k++)
        if (st[k]) {
            if (err) *err = error[k];
            return st[k];
        }
    return WGDN_OK;
}

/* The draws, each by one thread. */
typedef struct few_shot_run {
    const wgdn_unit_input *u;
    const wgdn_targets *a;
    const wgdn_parts *p;
    wgdn_stream stream;
    double *accuracy;
    wgdn_status status[WGDN_DRAWS];
    wgdn_error error[WGDN_DRAWS];
} few_shot_run;

static double accuracy_of(const float *y, int64_t cols, const wgdn_parts *p)
{
    const int64_t first = p->train + p->val;
    int64_t right = 0;
    for (int64_t i = first; i < first + p->test; i++)
        right += wgdn_best_column(y + p->row[i] * cols, cols) == p->label[i];
    return (double)right / (double)p->test;
}

static void fit_draw(int64_t k, void *context)
{
    few_shot_run *d = context;
    wgdn_error *err = &d->error[k];
    wgdn_logistic f = {0};
    wgdn_node_product s = {0};
    int64_t count = 0, *row = wgdn_alloc((size_t)d->p->train, sizeof *row);
    float *y = NULL;
    wgdn_status st =
        row ? wgdn_few_shot_draw(row, &count, d->p, d->stream, (int)k, err)
            : wgdn_fail(err, WGDN_ENOMEM, "few-shot: %lld nodes", (long long)d->p->train);
    if (!st) st = wgdn_logistic_open(&f, d->u, d->a, row, count, err);
    if (!st) st = wgdn_node_product_open(&s, d->u->in, f.cols, err);
    if (!st) st = wgdn_logistic_fit(&f, penalty, err);
    if (!st) st = wgdn_logistic_scores(&y, &f, &s, err);
    if (!st) d->accuracy[k] = accuracy_of(y, f.cols, d->p);
    wgdn_node_product_close(&s);
    wgdn_logistic_close(&f);
    wgdn_release(row);
    d->status[k] = st;
}

wgdn_status wgdn_few_shot(double *accuracy, const wgdn_unit_input *u, const wgdn_targets *a,
                          const wgdn_parts *p, wgdn_stream s, wgdn_error *err)
{
    few_shot_run d = {.u = u, .a = a, .p = p, .stream = s, .accuracy = accuracy};
    wgdn_for_each(WGDN_DRAWS, fit_draw, &d);
    return first_failure(d.status, d.error, WGDN_DRAWS, err);
}

/*
 * Runs logistic regression over splits, several of them at a time, each by one thread; then
 * few-shot and nearest neighbors on the first few. A fit has no random choice, so each split is
 * evaluated once.
 */

enum { FEW_SPLITS = 3 };

typedef struct splits_run {
    const wgdn_dataset *d;
    const wgdn_eval_options *o;
    const wgdn_unit_input *u;
    const wgdn_targets *a;
    wgdn_shared_progress *pulse;
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
    if (!st) st = wgdn_logistic_evaluate(&r->outcome[split], r->u, r->a, p, err);
    if (split >= FEW_SPLITS) wgdn_parts_free(p);
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
        wgdn_status st = first_failure(r->status + r->first, r->error + r->first, count, err);
        if (st) return st;
        r->pulse->done = r->first + count;
        st = wgdn_eval_progress(r->o, r->first + count, total, err);
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

/* Few-shot and neighbors of the first splits; told as further probes. */
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
        if (!st) st = wgdn_knn_accuracy(&near[k], r->u, &r->parts[k], err);
        r->pulse->done = total - splits + k + 1;
        if (!st) st = wgdn_eval_progress(r->o, total - splits + k + 1, total, err);
        if (st) return st;
    }
    if (shots) {
        out->few_shot = wgdn_spread_of(few, (int64_t)splits * WGDN_DRAWS);
        out->few_shot_draws = splits * WGDN_DRAWS;
    }
    out->neighbors = wgdn_spread_of(near, splits);
    out->neighbor_splits = splits;
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
    const bool two = wgdn_target_columns(r->a) == 1;
    out->runs = out->splits = splits;
    out->multi_label = r->a->lists != NULL;
    out->train = r->parts[0].train;
    out->val = r->parts[0].val;
    out->test = r->parts[0].test;
    out->validation_selected = spread(o, offsetof(wgdn_outcome, by_validation), splits, room);
    out->f1 = spread(o, offsetof(wgdn_outcome, f1), splits, room);
    out->micro_f1 = spread(o, offsetof(wgdn_outcome, micro_f1), splits, room);
    out->auc = spread(o, offsetof(wgdn_outcome, auc), splits, room);
    for (int k = 0; out->each && k < splits; k++)
        out->each[k] = two ? o[k].auc : r->a->lists ? o[k].micro_f1 : o[k].by_validation;
}

static wgdn_status logistic_runs(wgdn_probe_result *out, const wgdn_dataset *d,
                                 const wgdn_probe_input *in, const wgdn_eval_options *o,
                                 wgdn_error *err)
{
    const bool several = d->lists.offset != NULL;
    const int splits = wgdn_split_count(d, o);
    const int few = several ? 0 : splits < FEW_SPLITS ? splits : FEW_SPLITS;
    const wgdn_targets a = {in->classes, d->label, several ? &d->lists : NULL, NULL};
    const int64_t total = splits + few;
    wgdn_shared_progress pulse = wgdn_shared_progress_of(o, total);
    splits_run r = {.d = d, .o = o, .a = &a, .pulse = &pulse};
    wgdn_unit_input u = {0};
    wgdn_arrays arrays = {0};
    double *room = wgdn_arrays_add(&arrays, (size_t)splits, sizeof *room);
    r.outcome = wgdn_arrays_add_zero(&arrays, (size_t)splits, sizeof *r.outcome);
    r.status = wgdn_arrays_add_zero(&arrays, (size_t)splits, sizeof *r.status);
    r.error = wgdn_arrays_add_zero(&arrays, (size_t)splits, sizeof *r.error);
    r.parts = wgdn_arrays_add_zero(&arrays, (size_t)splits, sizeof *r.parts);
    wgdn_status st = WGDN_OK;
    if (arrays.failed) {
        st = wgdn_fail(err, WGDN_ENOMEM, "probe: %d splits", splits);
        goto done;
    }
    r.u = &u;
    st = wgdn_unit_input_open(&u, in, err);
    u.pulse = &pulse;
    if (!st) st = run_splits(&r, splits, total, err);
    if (!st) sum_up(out, &r, splits, room);
    if (!st && few > 0) st = run_few(out, &r, few, total, err);

done:
    for (int k = 0; r.parts && k < splits; k++)
        wgdn_parts_free(&r.parts[k]);
    wgdn_unit_input_close(&u);
    wgdn_arrays_release(&arrays);
    return st;
}

/* Runs several probes trained by Adam, over splits and starts, and computes their mean. */

enum { TELL_EVERY = 16 }; /* steps */

typedef struct runs {
    const wgdn_dataset *d;
    const wgdn_eval_options *o;
    const wgdn_probe_input *in;
    wgdn_parts parts;
    wgdn_probe probe;
    bool open;     /* parts and probe are there, of ... */
    int64_t split; /* ... this split */
    int32_t *kept; /* test guesses of the selected step */
    double *by_validation, *by_test, *f1;
} runs;

/* One probe from its start to its last step; Y after step t is looked at before step t + 1. */
static wgdn_status run_adam(wgdn_outcome *out, runs *r, int run, wgdn_error *err)
{
    const wgdn_parts *parts = &r->parts;
    const int32_t *guess = r->probe.guess + parts->train + parts->val;
    const double test = (double)parts->test;
    wgdn_selection race = {0};
    wgdn_status st = wgdn_probe_start(&r->probe, r->o->seed, run, err);
    for (int t = 0; !st && t <= r->o->steps; t++) {
        wgdn_probe_scores g;
        st = wgdn_probe_evaluate(&r->probe, &g, err);
        if (!st && t > 0 && wgdn_selection_add(&race, g.val, g.test, parts->val > 0))
            memcpy(r->kept, guess, (size_t)parts->test * sizeof *guess);
        if (!st && t < r->o->steps)
            st = wgdn_probe_step(&r->probe, r->o->learning_rate, r->o->weight_decay, err);
        if (!st && t % TELL_EVERY == TELL_EVERY - 1)
            st = wgdn_eval_progress(r->o, run, r->o->runs, err);
    }
    if (st) return st;
    out->by_validation = (double)race.by_validation / test;
    out->by_test = (double)race.by_test / test;
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
        r->by_validation[run] = one.by_validation;
        r->by_test[run] = one.by_test;
        r->f1[run] = one.f1;
        if (out->each) out->each[run] = one.by_validation;
        if (!st) st = wgdn_eval_progress(o, run + 1, o->runs, err);
    }
    out->runs = o->runs;
    out->validation_selected = out->micro_f1 = wgdn_spread_of(r->by_validation, o->runs);
    out->test_selected = wgdn_spread_of(r->by_test, o->runs);
    out->f1 = wgdn_spread_of(r->f1, o->runs);
    return st;
}

/* All runs of one classifier; out has each and source, the rest is filled in. */
static wgdn_status adam_runs(wgdn_probe_result *out, const wgdn_dataset *d,
                             const wgdn_probe_input *in, const wgdn_eval_options *o,
                             wgdn_error *err)
{
    runs r = {.d = d, .o = o, .in = in};
    wgdn_status st = WGDN_OK;
    r.kept = wgdn_alloc((size_t)in->n, sizeof *r.kept);
    r.by_validation = wgdn_alloc_zero(3 * (size_t)o->runs, sizeof *r.by_validation);
    if (!r.kept || !r.by_validation) {
        st = wgdn_fail(err, WGDN_ENOMEM, "probe: %d runs", o->runs);
        goto done;
    }
    r.by_test = r.by_validation + o->runs;
    r.f1 = r.by_test + o->runs;
    st = run_all(out, &r, err);

done:
    wgdn_probe_close(&r.probe);
    wgdn_parts_free(&r.parts);
    wgdn_release(r.by_validation);
    wgdn_release(r.kept);
    return st;
}

/* Runs linear probes of vectors by the requested classifier. */

static const double small_step = 0x1p24; /* multiplications of a step */

/* Labels that say nothing, or of which nothing can be learned and tested. */
static wgdn_status check_labels(const wgdn_dataset *d, const wgdn_eval_options *o, wgdn_error *err)
{
    enum { LEAST = 3 };
    const wgdn_splits source = wgdn_splits_source(d, o);
    const bool drawn = source != WGDN_SPLITS_DATASET && source != WGDN_SPLITS_PAPER;
    int64_t labels = 0, different = 0;
    int32_t first = -1, class = 0;
    for (int64_t i = 0; i < wgdn_dataset_nodes(d); i++) {
        const int32_t label = wgdn_dataset_label(d, i);
        if (label < 0) continue;
        if (labels++ == 0) first = label;
        different += label != first;
    }
    if (labels == 0) return wgdn_fail(err, WGDN_EINVAL, "no node has a label");
    if (different == 0 && !d->lists.offset)
        return wgdn_fail(err, WGDN_EINVAL,
                         labels == 1 ? "there is only one label; at least two classes are needed"
                                     : "all %lld labels are equal; at least two classes are needed",
                         (long long)labels);
    if (!drawn || wgdn_dataset_classes(d) != 2 || d->lists.offset) return WGDN_OK;
    const int64_t rarest = wgdn_rarest_class(&labels, &class, d);
    if (rarest >= LEAST) return WGDN_OK;
    char digits[WGDN_INDEX_TEXT];
    const int size = snprintf(digits, sizeof digits, "%d", class);
    const wgdn_text name = d->class_names.count > class ? wgdn_names_get(&d->class_names, class)
                                                        : wgdn_text_of(digits, (size_t)size);
    return wgdn_fail(err, WGDN_EINVAL,
                     "%lld of the %lld labels %s %s; at least %d are needed, one each to train, "
                     "to validate and to test",
                     (long long)rarest, (long long)labels, rarest == 1 ? "is" : "are",
                     wgdn_show(name).text, LEAST);
}

static wgdn_status run(wgdn_probe_result *out, const wgdn_dataset *d, const wgdn_probe_input *in,
                       const wgdn_eval_options *o, wgdn_error *err)
{
    const wgdn_spread none = {NAN, NAN};
    wgdn_probe_result made;
    wgdn_result_ask(&made, out, sizeof made);
    made = (wgdn_probe_result){.each = made.each,
                               .classes = in->classes,
                               .source = wgdn_splits_source(d, o),
                               .validation_selected = none,
                               .test_selected = none,
                               .f1 = none,
                               .micro_f1 = none,
                               .auc = none,
                               .few_shot = none,
                               .neighbors = none,
                               .r2 = none,
                               .spearman = none};
    if (wgdn_eval_numeric(d, o)) {
        const wgdn_vectors v = {.n = in->n, .width = in->width, .x = in->dense};
        const wgdn_status st = wgdn_ridge_runs(&made, d, &v, o, err);
        return st ? st : wgdn_result_give(out, &made, sizeof made, err);
    }
    if (d->lists.offset && o->classifier == WGDN_CLASSIFIER_ADAM)
        return wgdn_fail(err, WGDN_EINVAL,
                         "probe: nodes have several labels, and the classifier adam takes one; "
                         "logistic takes several");
    /* A step of a small probe is over before a second thread is awake; results do not change. */
    const bool adam = o->classifier == WGDN_CLASSIFIER_ADAM;
    const double step = (double)in->n * (double)((in->dense ? in->width : 64) * in->classes);
    const int former = wgdn_threads_use(adam && step < small_step ? 1 : 0);
    const wgdn_status st = (adam ? adam_runs : logistic_runs)(&made, d, in, o, err);
    wgdn_threads_use(former);
    return st ? st : wgdn_result_give(out, &made, sizeof made, err);
}

wgdn_status wgdn_embedding_probe(wgdn_probe_result *out, const wgdn_embedding *e,
                                 const wgdn_dataset *d, const wgdn_eval_options *o, wgdn_error *err)
{
    wgdn_eval_options opt;
    wgdn_vectors v = {0};
    wgdn_status st = wgdn_options_read(&opt, o, WGDN_OPTIONS_KIND_EVAL, err);
    if (st) return st;
    const int former = wgdn_threads_use(opt.threads);
    st = check_labels(d, &opt, err);
    if (!st)
        st = wgdn_vectors_open_for(
            &v, e, d, e->transposed.offset != NULL && !wgdn_eval_numeric(d, &opt), err);
    wgdn_probe_input in = {
        .n = v.n, .width = v.width, .classes = wgdn_dataset_classes(d), .dense = v.x};
    if (v.sparse) { /* filtered in each product, if at all */
        in.sparse = v.sparse;
        in.transposed = &e->transposed;
        in.graph = e->graph;
        in.series = e->series;
        in.order = e->order;
    }
    if (!st) st = run(out, d, &in, &opt, err);
    wgdn_vectors_close(&v);
    wgdn_threads_use(former);
    return st ? st : wgdn_dataset_unchanged(d, err);
}
