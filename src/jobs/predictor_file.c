/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Applies predictors to datasets, writes predictions as tables, and saves and loads predictors.
 * predict.c makes them; fit/fit_file.c stores the model that they come with.
 */
#include "base/bounds.h"
#include "data/dataset.h"
#include "io/lines.h"
#include "jobs.h"
#include "predictor.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

void wgdn_predictor_free(wgdn_predictor *p)
{
    if (!p) return;
    wgdn_names_free(&p->names);
    wgdn_release(p->weight);
    wgdn_release(p);
}

void wgdn_predictor_describe(wgdn_predict_report *out, const wgdn_predictor *p)
{
    (void)wgdn_result_give(out, &p->report, sizeof p->report, NULL);
}

const char *wgdn_predictor_get_class_name(size_t *size, const wgdn_predictor *p, int64_t c)
{
    if (c < 0 || c >= p->names.count) return NULL;
    const wgdn_text name = wgdn_names_get(&p->names, c);
    *size = name.size;
    return (const char *)name.at;
}

/* ---- applying ---- */

/* Labels of a dataset as classes of the predictor. */
typedef struct translation {
    int32_t *class;    /* of each class of the dataset */
    int32_t *label;    /* n */
    wgdn_csr lists;    /* with the columns of the predictor; or not there */
    uint8_t *known;    /* n */
    double *value, *y; /* numbers: of each class of the dataset, and of each node */
    wgdn_arrays arrays;
} translation;

static int32_t find_class(const wgdn_predictor *p, wgdn_text name)
{
    for (int64_t c = 0; c < p->names.count; c++)
        if (wgdn_text_compare(wgdn_names_get(&p->names, c), name) == 0) return (int32_t)c;
    return -1;
}

static wgdn_status translate_classes(translation *t, const wgdn_predictor *p, const wgdn_dataset *d,
                                     wgdn_error *err)
{
    char digits[WGDN_INDEX_TEXT];
    for (int64_t c = 0; c < d->classes; c++) {
        const wgdn_text name = d->class_names.count
                                   ? wgdn_names_get(&d->class_names, c)
                                   : wgdn_text_of(digits, wgdn_print_index(digits, c));
        t->class[c] = find_class(p, name);
        if (t->class[c] < 0)
            return wgdn_fail(err, WGDN_EFORMAT,
                             "the label %s is none of the %lld that the predictor knows; leave "
                             "labels out, or learn from all of them",
                             wgdn_show(name).text, (long long)p->names.count);
    }
    return WGDN_OK;
}

/* Lists of labels by the predictor's classes; nodes with one label have a list of one. */
static wgdn_status translate_lists(translation *t, const wgdn_predictor *p, const wgdn_dataset *d,
                                   wgdn_error *err)
{
    const wgdn_csr *from = d->lists.offset ? &d->lists : NULL;
    const int64_t n = d->nodes, entries = from ? wgdn_csr_entries(from) : n;
    int64_t used = 0;
    if (!wgdn_csr_alloc(&t->lists, n, p->report.classes, entries, false))
        return wgdn_fail(err, WGDN_ENOMEM, "labels of %lld nodes", (long long)n);
    for (int64_t i = 0; i < n; i++) {
        const int32_t first = wgdn_dataset_label(d, i);
        if (!from && first >= 0) t->lists.column[used++] = t->class[first];
        for (int64_t k = from ? from->offset[i] : 0; from && k < from->offset[i + 1]; k++)
            t->lists.column[used++] = t->class[from->column[k]];
        t->lists.offset[i + 1] = used;
    }
    return WGDN_OK;
}

static wgdn_status translate(translation *t, const wgdn_predictor *p, const wgdn_dataset *d,
                             wgdn_error *err)
{
    const size_t n = (size_t)d->nodes;
    const bool number = p->report.kind == WGDN_PREDICT_KIND_NUMBER;
    wgdn_arrays *a = &t->arrays;
    t->class = wgdn_arrays_add(a, (size_t)d->classes, sizeof *t->class);
    t->label = wgdn_arrays_add(a, n, sizeof *t->label);
    t->known = wgdn_arrays_add(a, n, sizeof *t->known);
    t->y = wgdn_arrays_add_zero(a, number ? n : 0, sizeof *t->y);
    if (a->failed) return wgdn_fail(err, WGDN_ENOMEM, "labels of %lld nodes", (long long)n);
    if (d->lists.offset && p->report.kind != WGDN_PREDICT_KIND_SEVERAL)
        return wgdn_fail(err, WGDN_EFORMAT,
                         "nodes have several labels, but the predictor learned one for each node");
    wgdn_status st = !number    ? translate_classes(t, p, d, err)
                     : d->label ? wgdn_label_values(&t->value, d, err)
                                : WGDN_OK;
    for (int64_t i = 0; !st && i < d->nodes; i++) {
        const int32_t c = wgdn_dataset_label(d, i);
        t->known[i] = c >= 0;
        t->label[i] = c >= 0 && !number ? t->class[c] : -1;
        if (c >= 0 && number) t->y[i] = t->value[c];
    }
    if (!st && p->report.kind == WGDN_PREDICT_KIND_SEVERAL) st = translate_lists(t, p, d, err);
    return st;
}

static void close_translation(translation *t)
{
    wgdn_csr_free(&t->lists);
    wgdn_release(t->value);
    wgdn_arrays_release(&t->arrays);
}

typedef struct calibration_task {
    float *values;
    int32_t *best;
    const wgdn_predictor *p;
} calibration_task;

static void calibrate_rows(int64_t first, int64_t count, double *sums, void *context)
{
    const calibration_task *c = context;
    const wgdn_predict_report *r = &c->p->report;
    (void)sums;
    for (int64_t i = first; i < first + count; i++) {
        float *x = c->values + i * r->classes;
        if (c->best) c->best[i] = wgdn_best_column(x, r->classes);
        wgdn_calibrate_row(x, x, r->classes, r->temperature, r->kind == WGDN_PREDICT_KIND_SEVERAL);
    }
}

static wgdn_status apply_classes(float *values, int32_t *best, const wgdn_predictor *p,
                                 const wgdn_probe_input *in, const wgdn_dataset *d,
                                 const translation *t, wgdn_error *err)
{
    const wgdn_targets targets = {.classes = p->report.classes,
                                  .label = t->label,
                                  .lists = t->lists.offset ? &t->lists : NULL};
    wgdn_unit_input unit = {0};
    float *score = wgdn_alloc((size_t)in->n, (size_t)targets.classes * sizeof *score);
    const wgdn_evidence e = {.graph = d->graph,
                             .n = in->n,
                             .classes = targets.classes,
                             .targets = &targets,
                             .known = t->known,
                             .score = score};
    wgdn_status st =
        score ? wgdn_unit_input_open(&unit, in, err)
              : wgdn_fail(err, WGDN_ENOMEM, "predictions of %lld nodes", (long long)in->n);
    if (!st) st = wgdn_vector_scores(score, &unit, &targets, p->weight, err);
    if (!st) st = wgdn_mix_scores(values, &p->mix, &e, err);
    if (!st)
        wgdn_for_blocks(wgdn_alone(in->n), calibrate_rows, &(calibration_task){values, best, p},
                        NULL, 0, NULL);
    wgdn_unit_input_close(&unit);
    wgdn_release(score);
    return st;
}

static wgdn_status apply_numbers(float *values, const wgdn_predictor *p, const wgdn_probe_input *in,
                                 const wgdn_dataset *d, const translation *t, wgdn_error *err)
{
    float *f = wgdn_alloc((size_t)in->n, sizeof *f);
    wgdn_status st = f ? wgdn_vector_numbers(f, in, p->weight, err)
                       : wgdn_fail(err, WGDN_ENOMEM, "numbers of %lld nodes", (long long)in->n);
    if (!st) st = wgdn_mix_numbers(values, &p->mix, d->graph, f, t->y, t->known, err);
    wgdn_release(f);
    return st;
}

wgdn_status wgdn_predictor_apply(float *values, int32_t *best, const wgdn_predictor *p,
                                 const wgdn_embedding *e, const wgdn_dataset *d,
                                 const wgdn_compute_options *o, wgdn_error *err)
{
    wgdn_compute_options opt;
    wgdn_plain plain = {0};
    wgdn_vectors v = {0};
    translation t = {0};
    wgdn_status st = wgdn_options_read(&opt, o, WGDN_OPTIONS_KIND_COMPUTE, err);
    if (st) return st;
    const int former = wgdn_threads_use(opt.threads);
    st = wgdn_plain_open(&plain, d, err);
    if (!st) st = wgdn_vectors_open_for(&v, e, d, false, err);
    const wgdn_probe_input in = {
        .n = v.n, .width = v.width, .classes = p->report.classes, .dense = v.x};
    if (!st && v.width != p->width)
        st = wgdn_fail(err, WGDN_EINVAL,
                       "the predictor learned from vectors of %lld columns; these have %lld",
                       (long long)p->width, (long long)v.width);
    if (!st) st = translate(&t, p, plain.d, err);
    if (!st)
        st = p->report.kind == WGDN_PREDICT_KIND_NUMBER
                 ? apply_numbers(values, p, &in, plain.d, &t, err)
                 : apply_classes(values, best, p, &in, plain.d, &t, err);
    close_translation(&t);
    wgdn_vectors_close(&v);
    wgdn_plain_close(&plain);
    wgdn_threads_use(former);
    return st;
}

/* ---- tables ---- */

enum { FIXED = 3 };

/* The labels of a node, separated by semicolons; how many bytes, all of which fit. */
static size_t list_labels(char *to, const wgdn_predictor *p, const float *x)
{
    const int32_t best = wgdn_best_column(x, p->report.classes);
    size_t used = 0;
    for (int64_t k = 0; k < p->report.classes; k++) {
        if (!wgdn_is_predicted(x, k, best, p->report.threshold)) continue;
        const wgdn_text name = wgdn_names_get(&p->names, k);
        if (used) to[used++] = ';';
        memcpy(to + used, name.at, name.size);
        used += name.size;
    }
    return used;
}

static void put_rows(wgdn_job_table *t, const wgdn_predictor *p, const float *values,
                     const wgdn_dataset *d, bool all, char *text)
{
    const wgdn_predict_kind kind = p->report.kind;
    const int64_t classes = kind == WGDN_PREDICT_KIND_NUMBER ? 1 : p->report.classes;
    for (int64_t i = 0; i < d->nodes; i++) {
        char digits[WGDN_INDEX_TEXT];
        const float *x = values + i * classes;
        if (!all && wgdn_dataset_label(d, i) >= 0) continue;
        wgdn_job_put_text(t, wgdn_dataset_name(d, i, digits));
        if (kind == WGDN_PREDICT_KIND_SEVERAL) {
            wgdn_job_put_text(t, wgdn_text_of(text, list_labels(text, p, x)));
        } else if (kind == WGDN_PREDICT_KIND_CLASS) {
            const int32_t best = wgdn_best_column(x, classes);
            wgdn_job_put_text(t, wgdn_names_get(&p->names, best));
            wgdn_job_put_real(t, (double)x[best]);
        }
        for (int64_t k = 0; k < classes; k++)
            wgdn_job_put_real(t, (double)x[k]);
    }
}

/* "p:NAME" for each class. */
static void name_columns(wgdn_job_column *column, char *text, const wgdn_predictor *p)
{
    for (int64_t k = 0; k < p->names.count; k++) {
        const wgdn_text name = wgdn_names_get(&p->names, k);
        text[0] = 'p';
        text[1] = ':';
        memcpy(text + 2, name.at, name.size);
        column[k] = (wgdn_job_column){wgdn_text_of(text, name.size + 2), WGDN_JOB_REAL};
        text += name.size + 2;
    }
}

wgdn_status wgdn_predictor_write(const wgdn_predictor *p, const float *values,
                                 const wgdn_dataset *d, const char *path, const char *format,
                                 int all, wgdn_error *err)
{
    const bool number = p->report.kind == WGDN_PREDICT_KIND_NUMBER;
    const int64_t classes = number ? 1 : p->names.count;
    const size_t bytes = number ? 0 : (size_t)p->names.start[classes] + 2 * (size_t)classes;
    wgdn_job_column *column = wgdn_alloc((size_t)classes + FIXED, sizeof *column);
    char *names = wgdn_alloc(bytes, 1), *text = wgdn_alloc(bytes, 1);
    wgdn_job_table *t = NULL;
    int64_t columns = 0;
    wgdn_status st =
        column && names && text
            ? WGDN_OK
            : wgdn_fail(err, WGDN_ENOMEM, "a table of %lld classes", (long long)classes);
    if (!st) {
        column[columns++] = (wgdn_job_column){wgdn_text_of("id", 2), WGDN_JOB_TEXT};
        if (number) column[columns++] = (wgdn_job_column){wgdn_text_of("value", 5), WGDN_JOB_REAL};
        if (p->report.kind == WGDN_PREDICT_KIND_SEVERAL)
            column[columns++] = (wgdn_job_column){wgdn_text_of("labels", 6), WGDN_JOB_TEXT};
        if (p->report.kind == WGDN_PREDICT_KIND_CLASS) {
            column[columns++] = (wgdn_job_column){wgdn_text_of("label", 5), WGDN_JOB_TEXT};
            column[columns++] = (wgdn_job_column){wgdn_text_of("probability", 11), WGDN_JOB_REAL};
        }
        if (!number) name_columns(column + columns, names, p);
        columns += number ? 0 : classes;
        st = wgdn_job_table_open(&t, path, format, column, columns, err);
    }
    if (!st) {
        put_rows(t, p, values, d, all != 0, text);
        st = wgdn_job_table_close(t);
    }
    wgdn_release(text);
    wgdn_release(names);
    wgdn_release(column);
    return st;
}

/* ---- files ---- */

/*
 * A saved predictor is the file of a fitted model with four more tensors: predict.weight, the names of
 * the classes, and the numbers below, in this order.
 */

enum { WHOLES = 12, REALS = 20, TENSORS = 5 };
static const char version_key[] = "wgdn.predictor", version[] = "1";

static void list_reals(double *slot[REALS], wgdn_predictor *p)
{
    wgdn_predict_report *r = &p->report;
    double *const all[] = {&r->accuracy,
                           &r->macro_f1,
                           &r->micro_f1,
                           &r->auc,
                           &r->average_precision,
                           &r->log_loss,
                           &r->ece,
                           &r->r2,
                           &r->error,
                           &r->baseline,
                           &r->c,
                           &r->temperature,
                           &r->threshold,
                           &r->method_score[0],
                           &r->method_score[1],
                           &r->method_score[2],
                           &r->method_score[3],
                           &r->method_score[4],
                           &p->mix.decay,
                           &p->mix.power};
    memcpy(slot, all, sizeof all);
}

static void list_wholes(int64_t whole[WHOLES], const wgdn_predictor *p)
{
    const wgdn_predict_report *r = &p->report;
    const int64_t all[WHOLES] = {r->kind,       r->method,        r->folds,    r->labeled,
                                 r->classes,    r->positive,      p->width,    p->cols,
                                 p->mix.method, p->mix.symmetric, p->balanced, 0};
    memcpy(whole, all, sizeof all);
}

wgdn_status wgdn_predictor_save(const wgdn_predictor *p, const wgdn_model *m, const char *path,
                                wgdn_error *err)
{
    static const int64_t no_names = 0;
    const wgdn_text_pair pair = {version_key, version};
    wgdn_predictor copy = *p;
    double *slot[REALS], real[REALS];
    int64_t whole[WHOLES];
    if (!m->fitted)
        return wgdn_fail(err, WGDN_EINVAL,
                         "%s: a predictor is saved with a fitted model, and this one was trained",
                         path);
    list_reals(slot, &copy);
    list_wholes(whole, p);
    for (int k = 0; k < REALS; k++)
        real[k] = *slot[k];
    const int64_t bytes = p->names.count ? p->names.start[p->names.count] : 0;
    const wgdn_tensor tensor[TENSORS] = {
        wgdn_tensor_of("predict.weight", p->weight, p->width + 1, p->cols),
        wgdn_tensor_of_vector("predict.reals", WGDN_F64, REALS, real),
        wgdn_tensor_of_vector("predict.wholes", WGDN_I64, WHOLES, whole),
        wgdn_tensor_of_vector("predict.start", WGDN_I64, p->names.count + 1,
                              p->names.count ? p->names.start : &no_names),
        wgdn_tensor_of_vector("predict.text", WGDN_U8, bytes, p->names.text)};
    const wgdn_fitted_extra extra = {tensor, TENSORS, &pair, 1};
    return wgdn_fitted_write(m->fitted, m->encoding, m->reading, &extra, path, err);
}

static wgdn_status refuse(const char *path, const char *what, wgdn_error *err)
{
    return wgdn_fail(err, WGDN_EFORMAT, "%s: %s of the predictor is missing or damaged", path,
                     what);
}

static bool within(int64_t x, int64_t low, int64_t high)
{
    return x >= low && x <= high;
}

/* Whether numbers that decide what is computed make sense together. */
static bool is_sound(const wgdn_predictor *p)
{
    const wgdn_predict_report *r = &p->report;
    const bool number = r->kind == WGDN_PREDICT_KIND_NUMBER;
    const int64_t cols = number                                                  ? 1
                         : r->classes == 2 && r->kind == WGDN_PREDICT_KIND_CLASS ? 1
                                                                                 : r->classes;
    return within(r->classes, number ? 0 : 2, INT32_MAX - 1) && within(r->positive, -1, 1) &&
           p->cols == cols && within(p->width, 1, WGDN_DIM_MAX) && r->temperature > 0 &&
           r->temperature < 1e6 && r->threshold >= 0 && r->threshold <= 1 && p->mix.decay >= 0 &&
           p->mix.decay < 1 && p->mix.power >= 0 && p->mix.power < 1e3;
}

static wgdn_status read_numbers(wgdn_predictor *p, const wgdn_archive *a, const char *path,
                                wgdn_error *err)
{
    const wgdn_tensor *wholes = wgdn_archive_find_vector(a, "predict.wholes", WGDN_I64, WHOLES);
    const wgdn_tensor *reals = wgdn_archive_find_vector(a, "predict.reals", WGDN_F64, REALS);
    wgdn_predict_report *r = &p->report;
    double *slot[REALS];
    int64_t x[WHOLES];
    if (!wholes || !reals) return refuse(path, "the list of settings", err);
    memcpy(x, wholes->data, sizeof x);
    list_reals(slot, p);
    for (int k = 0; k < REALS; k++)
        memcpy(slot[k], (const char *)reals->data + (size_t)k * sizeof(double), sizeof(double));
    if (!within(x[0], 0, WGDN_PREDICT_KIND_NUMBER) ||
        !within(x[1], 1, WGDN_PREDICT_METHOD_MIXING) || !within(x[2], 2, INT32_MAX) ||
        x[8] != x[1] || !within(x[9], 0, 1) || !within(x[10], 0, 1))
        return refuse(path, "a setting", err);
    r->kind = (wgdn_predict_kind)x[0];
    r->method = p->mix.method = (wgdn_predict_method)x[1];
    r->folds = (int)x[2];
    r->labeled = x[3];
    r->classes = x[4];
    r->positive = x[5];
    p->width = x[6];
    p->cols = x[7];
    p->mix.symmetric = x[9] != 0;
    p->balanced = x[10] != 0;
    return is_sound(p) ? WGDN_OK : refuse(path, "a setting", err);
}

static wgdn_status read_weights(wgdn_predictor *p, const wgdn_archive *a, const char *path,
                                wgdn_error *err)
{
    const wgdn_tensor want = wgdn_tensor_of("predict.weight", NULL, p->width + 1, p->cols);
    const wgdn_tensor *there = wgdn_archive_find(a, want.name);
    if (!there || there->rank != 2 || there->shape[0] != want.shape[0] ||
        there->shape[1] != want.shape[1])
        return refuse(path, "the matrix of weights", err);
    p->weight = wgdn_alloc((size_t)(p->width + 1), (size_t)p->cols * sizeof *p->weight);
    if (!p->weight) return wgdn_fail(err, WGDN_ENOMEM, "%s: weights of a predictor", path);
    const wgdn_status st = wgdn_tensor_fetch(p->weight, a, &want, path, err);
    for (int64_t i = 0; !st && i < (p->width + 1) * p->cols; i++)
        if (!(fabsf(p->weight[i]) <= WGDN_PARAMETER_MAX)) return refuse(path, "a weight", err);
    return st;
}

static wgdn_status read_parts(wgdn_predictor *p, wgdn_model **m, const wgdn_archive *a,
                              const char *path, wgdn_error *err)
{
    const char *said = wgdn_archive_metadata(a, version_key);
    if (!said)
        return wgdn_fail(err, WGDN_EFORMAT,
                         "%s: there is no predictor in it; 'wgdn predict --save' writes one", path);
    if (strcmp(said, version) != 0)
        return wgdn_fail(err, WGDN_EFORMAT,
                         "%s: a predictor of version %.20s; this library reads version %s", path,
                         said, version);
    wgdn_status st = read_numbers(p, a, path, err);
    if (!st && p->report.classes > 0)
        st = wgdn_names_read(&p->names, a, "predict", p->report.classes, path,
                             "the list of classes of the predictor", err);
    if (!st) st = read_weights(p, a, path, err);
    if (!st) st = wgdn_any_model_parse(m, a, path, err);
    if (!st && (!(*m)->fitted || wgdn_fitted_dim((*m)->fitted) != p->width))
        st = refuse(path, "the model", err);
    return st;
}

wgdn_status wgdn_predictor_parse(wgdn_predictor **out, wgdn_model **model, const wgdn_archive *a,
                                 const char *path, wgdn_error *err)
{
    wgdn_model *m = NULL;
    wgdn_predictor *p = wgdn_alloc_zero(1, sizeof *p);
    const wgdn_status st =
        p ? read_parts(p, &m, a, path, err) : wgdn_fail(err, WGDN_ENOMEM, "%s: a predictor", path);
    if (st) {
        wgdn_predictor_free(p);
        wgdn_model_free(m);
        return st;
    }
    *out = p;
    *model = m;
    return WGDN_OK;
}

wgdn_status wgdn_predictor_load(wgdn_predictor **out, wgdn_model **model, const char *path,
                                wgdn_error *err)
{
    wgdn_archive a = {0};
    wgdn_status st = wgdn_archive_open(&a, path, err);
    if (!st) st = wgdn_predictor_parse(out, model, &a, path, err);
    wgdn_archive_free(&a);
    return st;
}
