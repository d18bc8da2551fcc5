/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Learns to predict labels from vectors and graph: regressions on every fold's other labels, a choice
 * among mixes of vectors and neighbors, calibration. smoothing.c and calibration.c hold the parts;
 * predictor_file.c applies and saves the result.
 */
#include "data/dataset.h"
#include "linalg/linalg.h"
#include "predictor.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/*
 * Cross-validation. Labeled nodes are dealt to folds, each class evenly. For each fold a regression is
 * fitted to the labels of the others, for several penalties; the best penalty is kept. Then each mix
 * predicts the fold from labels of the others, and the best mix is kept. No label of a fold is used for
 * a prediction in it. In the end everything is fitted to all labels.
 */

static const double penalties[] = {1, 8, 64, 512};
enum { PENALTIES = 4, RIDGES = WGDN_RIDGE_PENALTIES, METHODS = 5 };

static const wgdn_mix class_mixes[] = {
    {WGDN_PREDICT_METHOD_VECTORS, false, 0, 0},    {WGDN_PREDICT_METHOD_COMBINED, false, 0.8, 0.5},
    {WGDN_PREDICT_METHOD_COMBINED, false, 0.8, 1}, {WGDN_PREDICT_METHOD_COMBINED, true, 0.9, 1},
    {WGDN_PREDICT_METHOD_NEIGHBORS, true, 0.8, 1}, {WGDN_PREDICT_METHOD_NEIGHBORS, true, 0.9, 1},
    {WGDN_PREDICT_METHOD_MIXING, false, 0, 1},     {WGDN_PREDICT_METHOD_MIXING, false, 0, 4},
};
static const wgdn_mix several_mixes[] = {
    {WGDN_PREDICT_METHOD_VECTORS, false, 0, 0},
    {WGDN_PREDICT_METHOD_COMBINED, false, 0.8, 0.25},
    {WGDN_PREDICT_METHOD_COMBINED, false, 0.8, 0.5},
    {WGDN_PREDICT_METHOD_NEIGHBORS, false, 0.8, 1},
};
static const wgdn_mix number_mixes[] = {
    {WGDN_PREDICT_METHOD_VECTORS, false, 0, 0},
    {WGDN_PREDICT_METHOD_COMBINED, false, 0.8, 0.5},
    {WGDN_PREDICT_METHOD_COMBINED, false, 0.8, 1},
};
enum { MIXES_MAX = sizeof class_mixes / sizeof *class_mixes };

typedef struct trial {
    const wgdn_dataset *d; /* rows in the order of its nodes */
    const wgdn_predict_options *o;
    wgdn_predictor *p;
    wgdn_probe_input in;
    wgdn_unit_input unit;
    wgdn_targets targets;
    wgdn_eval_options progress; /* as regressions ask for it */
    wgdn_shared_progress pulse;
    int64_t n, classes, labeled, params, columns; /* columns: of scores that are compared */
    int folds;
    int64_t *count;       /* classes: labels of each */
    int64_t *row, *train; /* labeled nodes; those that a fold learns from */
    int32_t *fold;        /* of each labeled node */
    uint8_t *known;       /* n */
    float *weight;        /* folds x penalties x params */
    float *score, *z;     /* n x classes */
    float *held;          /* mixes or penalties x labeled x columns */
    float *class_weight;  /* classes */
    double *value, *y;    /* of each class, and of each node: labels that are numbers */
    wgdn_arrays arrays;
} trial;

static bool is_number(const trial *t)
{
    return t->p->report.kind == WGDN_PREDICT_KIND_NUMBER;
}

/* ---- what there is to learn from ---- */

static void count_labels(trial *t)
{
    const wgdn_csr *lists = t->targets.lists;
    for (int64_t i = 0; i < t->n; i++) {
        const int32_t c = wgdn_dataset_label(t->d, i);
        if (c < 0) continue;
        t->row[t->labeled++] = i;
        if (!lists) t->count[c]++;
        for (int64_t k = lists ? lists->offset[i] : 0; lists && k < lists->offset[i + 1]; k++)
            t->count[lists->column[k]]++;
    }
}

/* Refuses labels that nothing can be learned from, and finds the rarer one of two classes. */
static wgdn_status check_labels(trial *t, wgdn_error *err)
{
    wgdn_predict_report *r = &t->p->report;
    int64_t seen = 0, one = 0;
    for (int64_t c = 0; c < t->classes; c++) {
        seen += t->count[c] > 0;
        if (t->count[c] > 0) one = c;
    }
    if (t->labeled == 0)
        return wgdn_fail(err, WGDN_EINVAL,
                         "no node has a label, so there is nothing to learn from");
    if (seen < 2)
        return wgdn_fail(err, WGDN_EINVAL,
                         "all %lld labeled nodes have the label %s; predicting needs at least two "
                         "different labels",
                         (long long)t->labeled, wgdn_show(wgdn_names_get(&t->p->names, one)).text);
    if (is_number(t) && t->labeled < 4)
        return wgdn_fail(err, WGDN_EINVAL, "%lld numbers are too few to learn from; 4 are needed",
                         (long long)t->labeled);
    if (r->kind == WGDN_PREDICT_KIND_CLASS && seen == t->labeled)
        return wgdn_fail(err, WGDN_EINVAL,
                         "all %lld labeled nodes have different labels; treat them as numbers "
                         "(label kind number), or give several nodes the same label",
                         (long long)seen);
    if (r->kind != WGDN_PREDICT_KIND_CLASS || t->classes != 2) return WGDN_OK;
    r->positive = t->count[1] <= t->count[0];
    if (t->count[r->positive] > 1) return WGDN_OK;
    return wgdn_fail(err, WGDN_EINVAL,
                     "a single node has the label %s; at least 2 of each class are needed",
                     wgdn_show(wgdn_names_get(&t->p->names, r->positive)).text);
}

/* What is scored by the most frequent label, or by the mean of numbers. */
static double find_baseline(const trial *t)
{
    double most = 0, all = 0, mean = 0, squares = 0;
    for (int64_t c = 0; c < t->classes && !is_number(t); c++) {
        most = fmax(most, (double)t->count[c]);
        all += (double)t->count[c];
    }
    if (t->targets.lists) return 2 * most / ((double)t->labeled + all);
    if (!is_number(t)) return most / all;
    for (int64_t i = 0; i < t->labeled; i++)
        mean += t->y[t->row[i]] / (double)t->labeled;
    for (int64_t i = 0; i < t->labeled; i++)
        squares += (t->y[t->row[i]] - mean) * (t->y[t->row[i]] - mean);
    return sqrt(squares / (double)t->labeled);
}

/* Names of all classes; labels without names are named by their numbers. */
static wgdn_status keep_names(wgdn_names *out, const wgdn_dataset *d, wgdn_error *err)
{
    const int64_t classes = wgdn_dataset_classes(d);
    wgdn_text *name = wgdn_alloc((size_t)classes, sizeof *name);
    char(*digits)[WGDN_INDEX_TEXT] = wgdn_alloc((size_t)classes, sizeof *digits);
    wgdn_status st = name && digits
                         ? WGDN_OK
                         : wgdn_fail(err, WGDN_ENOMEM, "names of %lld classes", (long long)classes);
    for (int64_t c = 0; !st && c < classes; c++)
        name[c] = d->class_names.count ? wgdn_names_get(&d->class_names, c)
                                       : wgdn_text_of(digits[c], wgdn_print_index(digits[c], c));
    if (!st) st = wgdn_names_from(out, name, classes, err);
    wgdn_release(digits);
    wgdn_release(name);
    return st;
}

/* Folds with the classes' shares; of several labels the first counts, and numbers have none. */
static wgdn_status deal_folds(trial *t, wgdn_error *err)
{
    int32_t *label = wgdn_alloc_zero((size_t)t->labeled, sizeof *label);
    wgdn_twister shuffle;
    if (!label) return wgdn_fail(err, WGDN_ENOMEM, "folds of %lld nodes", (long long)t->labeled);
    for (int64_t i = 0; i < t->labeled && !is_number(t); i++)
        label[i] = wgdn_dataset_label(t->d, t->row[i]);
    wgdn_twister_seed(&shuffle, (uint32_t)t->o->seed);
    const wgdn_status st =
        wgdn_folds_make(t->fold, label, t->labeled, t->classes, t->folds, &shuffle, err);
    wgdn_release(label);
    return st;
}

/* Labels of which nodes may be used, and these nodes; fold -1: all. */
static int64_t open_fold(trial *t, int fold)
{
    int64_t count = 0;
    memset(t->known, 0, (size_t)t->n);
    for (int64_t i = 0; i < t->labeled; i++) {
        if (t->fold[i] == fold) continue;
        t->known[t->row[i]] = 1;
        t->train[count++] = t->row[i];
    }
    return count;
}

/* Held-out rows of scores of all nodes. */
static void keep_held(const trial *t, int fold, int place, const float *from)
{
    float *to = t->held + place * t->labeled * t->columns;
    for (int64_t i = 0; i < t->labeled; i++)
        if (t->fold[i] == fold)
            memcpy(to + i * t->columns, from + t->row[i] * t->columns,
                   (size_t)t->columns * sizeof *to);
}

static wgdn_scored held_scores(const trial *t, int place)
{
    return (wgdn_scored){.z = t->held + place * t->labeled * t->columns,
                         .rows = t->labeled,
                         .classes = t->columns,
                         .node = t->row,
                         .targets = &t->targets};
}

/* ---- regressions ---- */

typedef struct score_rows_task {
    float *score;
    const float *y;
    int64_t cols, classes;
    bool several;
} score_rows_task;

/* Log probabilities of scores of the regression. */
static void normalize_rows(int64_t first, int64_t count, double *sums, void *context)
{
    const score_rows_task *s = context;
    (void)sums;
    for (int64_t i = first; i < first + count; i++) {
        const float *y = s->y + i * s->cols;
        float *z = s->score + i * s->classes;
        float most = y[0];
        double sum = 0;
        if (s->several || s->cols == 1) {
            memcpy(z + (s->several ? 0 : 1), y, (size_t)s->cols * sizeof *z);
            if (s->several) continue;
            z[0] = (float)-(fmax(*y, 0) + log1p(exp(-fabs((double)*y))));
            z[1] = (float)((double)*y + (double)z[0]);
            continue;
        }
        for (int64_t k = 1; k < s->cols; k++)
            most = y[k] > most ? y[k] : most;
        for (int64_t k = 0; k < s->cols; k++)
            sum += exp((double)y[k] - (double)most);
        for (int64_t k = 0; k < s->cols; k++)
            z[k] = (float)((double)y[k] - (double)most - log(sum));
    }
}

wgdn_status wgdn_vector_scores(float *score, const wgdn_unit_input *u, const wgdn_targets *a,
                               const float *weight, wgdn_error *err)
{
    score_rows_task s = {.score = score,
                         .cols = wgdn_target_columns(a),
                         .classes = a->classes,
                         .several = a->lists != NULL};
    const int64_t size = (u->in->width + 1) * s.cols;
    wgdn_logistic f = {.lesson = {.unit = u}, .answers = a, .width = u->in->width, .cols = s.cols};
    wgdn_node_product product;
    float *y;
    wgdn_status st = wgdn_node_product_open(&product, u->in, s.cols, err);
    if (st) return st;
    f.param = wgdn_alloc((size_t)size, sizeof *f.param);
    if (!f.param) st = wgdn_fail(err, WGDN_ENOMEM, "scores by %lld weights", (long long)size);
    if (!st) {
        memcpy(f.param, weight, (size_t)size * sizeof *weight);
        st = wgdn_logistic_scores(&y, &f, &product, err);
    }
    if (!st) {
        s.y = y;
        wgdn_for_blocks(wgdn_alone(u->in->n), normalize_rows, &s, NULL, 0, NULL);
    }
    wgdn_release(f.param);
    wgdn_node_product_close(&product);
    return st;
}

/* One fold, or all labels: weights for each penalty, or for one alone. */
static wgdn_status fit_classes(float *weight, trial *t, int fold, int only, wgdn_error *err)
{
    const int64_t count = open_fold(t, fold);
    wgdn_logistic f = {0};
    wgdn_status st = wgdn_logistic_open(&f, &t->unit, &t->targets, t->train, count, err);
    for (int k = 0; !st && k < PENALTIES; k++) {
        if (only >= 0 && k != only) continue;
        st = wgdn_logistic_fit(&f, penalties[k], err);
        if (st) break;
        memcpy(weight, f.param, (size_t)t->params * sizeof *weight);
        weight += t->params;
        t->pulse.done++;
    }
    wgdn_logistic_close(&f);
    return st;
}

static wgdn_status fit_numbers(float *weight, trial *t, int fold, int only, wgdn_error *err)
{
    const int64_t count = open_fold(t, fold);
    wgdn_arrays a = {0};
    int32_t *label = wgdn_arrays_add(&a, (size_t)count, sizeof *label);
    float *all = wgdn_arrays_add(&a, RIDGES, (size_t)t->params * sizeof *all);
    const wgdn_parts parts = {.train = count, .row = t->train, .label = label};
    wgdn_status st =
        a.failed ? wgdn_fail(err, WGDN_ENOMEM, "regression on %lld numbers", (long long)count)
                 : WGDN_OK;
    for (int64_t i = 0; !st && i < count; i++)
        label[i] = wgdn_dataset_label(t->d, t->train[i]);
    if (!st) st = wgdn_ridge_path(all, t->in.dense, t->in.width, t->value, &parts, err);
    if (!st && only < 0) memcpy(weight, all, (size_t)(RIDGES * t->params) * sizeof *all);
    if (!st && only >= 0) memcpy(weight, all + only * t->params, (size_t)t->params * sizeof *all);
    t->pulse.done += PENALTIES;
    wgdn_arrays_release(&a);
    return st;
}

/* f = X w + constant. */
wgdn_status wgdn_vector_numbers(float *f, const wgdn_probe_input *in, const float *weight,
                                wgdn_error *err)
{
    const wgdn_product q = wgdn_product_of(f, in->dense, weight, wgdn_alone(in->n), in->width, 1);
    const wgdn_status st = wgdn_gemm_nn(&q, err);
    for (int64_t i = 0; !st && i < in->n; i++)
        f[i] += weight[in->width];
    return st;
}

static wgdn_status score_all(trial *t, const float *weight, wgdn_error *err)
{
    return is_number(t) ? wgdn_vector_numbers(t->score, &t->in, weight, err)
                        : wgdn_vector_scores(t->score, &t->unit, &t->targets, weight, err);
}

/* ---- comparing ---- */

typedef struct verdict {
    double score, loss; /* loss settles ties */
} verdict;

static double squared_error(const trial *t, const float *f)
{
    double sum = 0;
    for (int64_t i = 0; i < t->labeled; i++)
        sum += ((double)f[i] - t->y[t->row[i]]) * ((double)f[i] - t->y[t->row[i]]);
    return sum / (double)t->labeled;
}

static double find_r2(const trial *t, const float *f)
{
    const double deviation = find_baseline(t);
    return deviation > 0 ? 1 - squared_error(t, f) / (deviation * deviation) : 0;
}

/* The number that a choice goes by: what people look at first. */
static wgdn_status judge(verdict *v, const trial *t, int place, wgdn_error *err)
{
    wgdn_scored s = held_scores(t, place);
    wgdn_predict_report r = {.positive = t->p->report.positive};
    wgdn_status st = WGDN_OK;
    if (is_number(t)) {
        *v = (verdict){find_r2(t, s.z), squared_error(t, s.z)};
        return st;
    }
    const double temperature = wgdn_temperature_fit(&s, t->fold, -1);
    v->loss = wgdn_log_loss(&s, temperature);
    float *p = t->targets.lists ? wgdn_alloc((size_t)s.rows, (size_t)s.classes * sizeof *p) : NULL;
    if (t->targets.lists && !p)
        return wgdn_fail(err, WGDN_ENOMEM, "predictions of %lld nodes", (long long)s.rows);
    for (int64_t i = 0; p && i < s.rows; i++)
        wgdn_calibrate_row(p + i * s.classes, s.z + i * s.classes, s.classes, temperature, true);
    if (p) s.z = p;
    if (p) r.threshold = wgdn_threshold_fit(&s);
    st = wgdn_measure_labels(&r, &s, err);
    v->score = p ? r.micro_f1 : r.positive >= 0 ? r.auc : t->o->balance ? r.macro_f1 : r.accuracy;
    wgdn_release(p);
    return st;
}

/* Mixes win by log loss, which a few nodes more or less move little, where they score no less than the vectors. */
static bool is_better_mix(verdict a, verdict b, verdict vectors)
{
    return a.score >= vectors.score && a.loss <= vectors.loss && a.loss < b.loss;
}

static bool is_better(verdict a, verdict b)
{
    return a.score > b.score || (a.score >= b.score && a.loss < b.loss);
}

/* Every fold and penalty; the best penalty by its place. */
static wgdn_status choose_penalty(int *best, trial *t, wgdn_error *err)
{
    const int count = is_number(t) ? RIDGES : PENALTIES;
    verdict most = {-INFINITY, INFINITY};
    wgdn_status st = WGDN_OK;
    for (int f = 0; !st && f < t->folds; f++) {
        float *weight = t->weight + (int64_t)f * count * t->params;
        st = is_number(t) ? fit_numbers(weight, t, f, -1, err) : fit_classes(weight, t, f, -1, err);
        for (int k = 0; !st && k < count; k++) {
            st = score_all(t, weight + k * t->params, err);
            if (!st) keep_held(t, f, k, t->score);
        }
        if (!st) st = wgdn_shared_progress_report(&t->pulse, err);
    }
    for (int k = 0; !st && k < count; k++) {
        verdict v = {0, 0};
        st = judge(&v, t, k, err);
        if (st || !is_better(v, most)) continue;
        most = v;
        *best = k;
    }
    return st;
}

static const wgdn_mix *list_mixes(const trial *t, int *count)
{
    const bool several = t->targets.lists != NULL;
    *count = (int)(is_number(t) ? sizeof number_mixes / sizeof *number_mixes
                   : several    ? sizeof several_mixes / sizeof *several_mixes
                                : sizeof class_mixes / sizeof *class_mixes);
    return is_number(t) ? number_mixes : several ? several_mixes : class_mixes;
}

static bool is_asked(const trial *t, const wgdn_mix *m)
{
    return !t->o->method || t->o->method == m->method;
}

/* Every fold and mix; *best: the place of the best one. */
static wgdn_status choose_mix(int *best, trial *t, int penalty, wgdn_error *err)
{
    const int each = is_number(t) ? RIDGES : PENALTIES;
    int count;
    const wgdn_mix *mix = list_mixes(t, &count);
    verdict most = {-INFINITY, INFINITY}, vectors = {-INFINITY, INFINITY};
    wgdn_status st = WGDN_OK;
    for (int f = 0; !st && f < t->folds; f++) {
        (void)open_fold(t, f);
        st = score_all(t, t->weight + (f * each + penalty) * t->params, err);
        const wgdn_evidence e = {.graph = t->d->graph,
                                 .n = t->n,
                                 .classes = t->classes,
                                 .targets = &t->targets,
                                 .known = t->known,
                                 .score = t->score};
        for (int k = 0; !st && k < count; k++) {
            if (!is_asked(t, &mix[k])) continue;
            st = is_number(t)
                     ? wgdn_mix_numbers(t->z, &mix[k], t->d->graph, t->score, t->y, t->known, err)
                     : wgdn_mix_scores(t->z, &mix[k], &e, err);
            if (!st) keep_held(t, f, k, t->z);
        }
        if (!st) st = wgdn_shared_progress_report(&t->pulse, err);
    }
    for (int k = 0; !st && k < count; k++) {
        verdict v = {0, 0};
        if (!is_asked(t, &mix[k])) continue;
        st = judge(&v, t, k, err);
        double *score = &t->p->report.method_score[mix[k].method];
        if (!st && !(v.score <= *score)) *score = v.score;
        if (mix[k].method == WGDN_PREDICT_METHOD_VECTORS) vectors = v; /* the first of all */
        if (st || !is_better_mix(v, most, vectors)) continue;
        most = v;
        *best = k;
    }
    if (!st) t->p->mix = mix[*best];
    return st;
}

/* ---- the whole ---- */

/* Measures of the chosen mix; a fold's temperature is that of the others. */
static wgdn_status report_classes(trial *t, int place, wgdn_error *err)
{
    wgdn_predict_report *r = &t->p->report;
    const wgdn_scored s = held_scores(t, place);
    const bool several = t->targets.lists != NULL;
    float *p = wgdn_alloc((size_t)s.rows, (size_t)s.classes * sizeof *p);
    if (!p) return wgdn_fail(err, WGDN_ENOMEM, "predictions of %lld nodes", (long long)s.rows);
    for (int f = 0; f < t->folds; f++) {
        const double temperature = wgdn_temperature_fit(&s, t->fold, f);
        for (int64_t i = 0; i < s.rows; i++)
            if (t->fold[i] == f)
                wgdn_calibrate_row(p + i * s.classes, s.z + i * s.classes, s.classes, temperature,
                                   several);
    }
    wgdn_scored made = s;
    made.z = p;
    r->temperature = wgdn_temperature_fit(&s, t->fold, -1);
    r->threshold = several ? wgdn_threshold_fit(&made) : 0;
    wgdn_status st = wgdn_measure_labels(r, &made, err);
    if (!st) wgdn_measure_probabilities(r, &made);
    wgdn_release(p);
    return st;
}

static wgdn_status learn(trial *t, wgdn_error *err)
{
    wgdn_predict_report *r = &t->p->report;
    int penalty = 0, mix = 0;
    wgdn_status st = choose_penalty(&penalty, t, err);
    if (!st) st = choose_mix(&mix, t, penalty, err);
    if (st) return st;
    r->method = t->p->mix.method;
    r->folds = t->folds;
    r->baseline = find_baseline(t);
    if (is_number(t)) {
        const wgdn_scored s = held_scores(t, mix);
        r->r2 = find_r2(t, s.z);
        r->error = sqrt(squared_error(t, s.z));
        return fit_numbers(t->p->weight, t, -1, penalty, err);
    }
    r->c = penalties[penalty];
    st = report_classes(t, mix, err);
    return st ? st : fit_classes(t->p->weight, t, -1, penalty, err);
}

/* Every class weighs as much as an average one. */
static void find_class_weights(trial *t)
{
    double seen = 0;
    for (int64_t c = 0; c < t->classes; c++)
        seen += t->count[c] > 0;
    for (int64_t c = 0; c < t->classes; c++)
        t->class_weight[c] =
            t->count[c] ? (float)((double)t->labeled / seen / (double)t->count[c]) : 0;
    if (t->o->balance) t->targets.weight = t->class_weight;
}

static wgdn_status open_trial(trial *t, wgdn_error *err)
{
    wgdn_predictor *p = t->p;
    wgdn_arrays *a = &t->arrays;
    const size_t n = (size_t)t->n, classes = (size_t)t->classes;
    t->count = wgdn_arrays_add_zero(a, classes, sizeof *t->count);
    t->class_weight = wgdn_arrays_add_zero(a, classes, sizeof *t->class_weight);
    t->row = wgdn_arrays_add(a, n, sizeof *t->row);
    t->train = wgdn_arrays_add(a, n, sizeof *t->train);
    t->fold = wgdn_arrays_add(a, n, sizeof *t->fold);
    t->known = wgdn_arrays_add(a, n, sizeof *t->known);
    t->y = wgdn_arrays_add_zero(a, is_number(t) ? n : 0, sizeof *t->y);
    if (a->failed) return wgdn_fail(err, WGDN_ENOMEM, "predictions of %lld nodes", (long long)t->n);
    count_labels(t);
    for (int64_t i = 0; i < t->labeled && is_number(t); i++)
        t->y[t->row[i]] = t->value[wgdn_dataset_label(t->d, t->row[i])];
    wgdn_status st = check_labels(t, err);
    if (st) return st;
    find_class_weights(t);
    p->report.labeled = t->labeled;
    t->folds = (int)wgdn_min(t->o->folds, t->labeled);
    t->columns = is_number(t) ? 1 : t->classes;
    p->width = t->in.width;
    p->cols = is_number(t) ? 1 : wgdn_target_columns(&t->targets);
    t->params = (p->width + 1) * p->cols;
    const size_t each = is_number(t) ? RIDGES : PENALTIES, mixes = MIXES_MAX;
    const size_t wide = (size_t)t->columns * sizeof(float);
    t->weight = wgdn_arrays_add(a, (size_t)t->folds * each, (size_t)t->params * sizeof(float));
    t->score = wgdn_arrays_add(a, n, wide);
    t->z = wgdn_arrays_add(a, n, wide);
    t->held = wgdn_arrays_add(a, (size_t)t->labeled * wgdn_larger(each, mixes), wide);
    p->weight = wgdn_alloc((size_t)t->params, sizeof *p->weight);
    if (a->failed || !p->weight)
        return wgdn_fail(err, WGDN_ENOMEM, "predictions: %lld labeled nodes, %lld classes",
                         (long long)t->labeled, (long long)t->classes);
    return deal_folds(t, err);
}

/* Which kind the labels are, and what cannot be done with it. */
static wgdn_status settle_kind(wgdn_predictor *p, const wgdn_dataset *d,
                               const wgdn_predict_options *o, wgdn_error *err)
{
    const wgdn_eval_options as = {.label_kind = o->label_kind};
    wgdn_predict_report *r = &p->report;
    const bool number = wgdn_dataset_classes(d) > 0 && wgdn_eval_numeric(d, &as);
    r->kind = number            ? WGDN_PREDICT_KIND_NUMBER
              : d->lists.offset ? WGDN_PREDICT_KIND_SEVERAL
                                : WGDN_PREDICT_KIND_CLASS;
    r->classes = number ? 0 : wgdn_dataset_classes(d);
    r->positive = -1;
    p->balanced = o->balance;
    if (o->balance && r->kind != WGDN_PREDICT_KIND_CLASS)
        return wgdn_fail(err, WGDN_EINVAL,
                         "classes are balanced where each node has one label; leave balance out");
    if ((o->method == WGDN_PREDICT_METHOD_NEIGHBORS && number) ||
        (o->method == WGDN_PREDICT_METHOD_MIXING && r->kind != WGDN_PREDICT_KIND_CLASS))
        return wgdn_fail(err, WGDN_EINVAL,
                         "that method is for classes%s; choose vectors or combined",
                         o->method == WGDN_PREDICT_METHOD_MIXING ? ", one for each node" : "");
    return WGDN_OK;
}

static wgdn_status fit_with(wgdn_predictor *p, const wgdn_vectors *v, const wgdn_dataset *d,
                            const wgdn_predict_options *o, wgdn_error *err)
{
    trial t = {.d = d, .o = o, .p = p, .n = d->nodes, .classes = wgdn_dataset_classes(d)};
    const bool number = p->report.kind == WGDN_PREDICT_KIND_NUMBER;
    wgdn_status st = keep_names(&p->names, d, err);
    if (!st && number) st = wgdn_label_values(&t.value, d, err);
    t.progress = (wgdn_eval_options){.progress = o->progress, .progress_user = o->progress_user};
    t.in = (wgdn_probe_input){.n = v->n, .width = v->width, .classes = t.classes, .dense = v->x};
    t.targets = (wgdn_targets){.classes = t.classes,
                               .label = d->label,
                               .lists = d->lists.offset && !number ? &d->lists : NULL};
    if (!st) st = wgdn_unit_input_open(&t.unit, &t.in, err);
    if (!st) st = open_trial(&t, err);
    t.pulse = wgdn_shared_progress_of(&t.progress, (t.folds + 1) * (int64_t)PENALTIES);
    t.unit.pulse = &t.pulse;
    if (!st) st = learn(&t, err);
    if (number) wgdn_names_free(&p->names);
    wgdn_release(t.value);
    wgdn_arrays_release(&t.arrays);
    wgdn_unit_input_close(&t.unit);
    return st;
}

wgdn_status wgdn_predictor_fit(wgdn_predictor **out, const wgdn_embedding *e, const wgdn_dataset *d,
                               const wgdn_predict_options *options, wgdn_error *err)
{
    wgdn_predict_options o;
    wgdn_plain plain = {0};
    wgdn_vectors v = {0};
    wgdn_status st = wgdn_options_read(&o, options, WGDN_OPTIONS_KIND_PREDICT, err);
    if (st) return st;
    wgdn_predictor *p = wgdn_alloc_zero(1, sizeof *p);
    if (!p) return wgdn_fail(err, WGDN_ENOMEM, "predictor: handle");
    double *const none[] = {&p->report.accuracy,
                            &p->report.macro_f1,
                            &p->report.micro_f1,
                            &p->report.auc,
                            &p->report.average_precision,
                            &p->report.log_loss,
                            &p->report.ece,
                            &p->report.r2,
                            &p->report.error,
                            &p->report.c};
    for (size_t k = 0; k < sizeof none / sizeof *none; k++)
        *none[k] = NAN;
    for (int k = 0; k < METHODS; k++)
        p->report.method_score[k] = NAN;
    p->report.temperature = 1;
    const int former = wgdn_threads_use(o.threads);
    st = settle_kind(p, d, &o, err);
    if (!st && wgdn_dataset_classes(d) == 0)
        st = wgdn_fail(err, WGDN_EINVAL, "no node has a label, so there is nothing to learn from");
    if (!st) st = wgdn_plain_open(&plain, d, err);
    if (!st) st = wgdn_vectors_open_for(&v, e, d, false, err);
    if (!st) st = fit_with(p, &v, plain.d, &o, err);
    wgdn_vectors_close(&v);
    wgdn_plain_close(&plain);
    wgdn_threads_use(former);
    if (st)
        wgdn_predictor_free(p);
    else
        *out = p;
    return st;
}
