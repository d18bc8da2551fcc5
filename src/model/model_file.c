/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads and writes models and checkpoints as safetensors. The trainer uses it; fit_file.c handles
 * the closed form.
 */
#include "data/columns.h"
#include "data/reading.h"
#include "io/lines.h"
#include "model.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * A model file is a safetensors file with one tensor per view, named as the view, and every option
 * as text in the metadata. A checkpoint adds the optimizer states, the step and a digest of the
 * data.
 */

/* The numbers of a run's health, by their names. */
enum { HEALTH = 5 };
static const char *const health_name[HEALTH] = {"first-loss", "first-rank", "first-dead",
                                                "high-losses", "low-ranks"};

static void add_health(wgdn_pairs *p, const wgdn_run_health *h)
{
    const double number[HEALTH] = {h->first_loss, h->first_rank, h->first_dead, (double)h->high,
                                   (double)h->low};
    char text[40];
    for (int i = 0; i < HEALTH; i++) {
        wgdn_number_text(text, sizeof text, number[i]);
        wgdn_pairs_add(p, "wgdn.", health_name[i], text);
    }
}

static int64_t count_of(double number)
{
    return number > 0 && number < 1e9 ? (int64_t)number : 0;
}

/* Files of before have none of it, and a broken number counts as none: it decides no result. */
static wgdn_run_health read_health(const wgdn_archive *a)
{
    double number[HEALTH] = {0};
    for (int i = 0; i < HEALTH; i++) {
        char key[32];
        snprintf(key, sizeof key, "wgdn.%s", health_name[i]);
        const char *text = wgdn_archive_metadata(a, key);
        if (!text || !wgdn_number_read(&number[i], text) || !(fabs(number[i]) < 1e300))
            number[i] = 0;
    }
    return (wgdn_run_health){number[0], number[1], number[2], count_of(number[3]),
                             count_of(number[4])};
}

/* With patience: how the run ended, or in a checkpoint the best so far. */
static void add_end(wgdn_pairs *p, const wgdn_model *m, const wgdn_run_state *run)
{
    char text[40];
    if (!m->end.epochs && !(run && run->stop.seen)) return;
    snprintf(text, sizeof text, "%" PRId64, run ? run->stop.epoch : m->end.best_epoch);
    wgdn_pairs_add(p, "wgdn.", "best-epoch", text);
    wgdn_number_text(text, sizeof text, run ? run->stop.best : m->end.held_out);
    wgdn_pairs_add(p, "wgdn.", "held-out", text);
    snprintf(text, sizeof text, "%" PRId64, run ? run->stop.mark_epoch : m->end.epochs);
    wgdn_pairs_add(p, "wgdn.", run ? "mark-epoch" : "epochs", text);
    if (!run) return;
    wgdn_number_text(text, sizeof text, run->stop.mark);
    wgdn_pairs_add(p, "wgdn.", "mark", text);
}

wgdn_status wgdn_model_write(const wgdn_model *m, const wgdn_run_state *run, const char *path,
                             wgdn_error *err)
{
    const wgdn_layout *l = &m->layout;
    const size_t most = (size_t)l->views + (size_t)l->buffers + WGDN_STATES_MAX + 1;
    wgdn_tensor *tensor = wgdn_alloc(most, sizeof *tensor);
    wgdn_pairs *p = wgdn_alloc_zero(1, sizeof *p);
    int64_t count = 0;
    char text[40];
    wgdn_status st = WGDN_OK;
    if (!tensor || !p) {
        st = wgdn_fail(err, WGDN_ENOMEM, "%s: list of tensors", path);
        goto done;
    }
    for (int k = 0; k < l->views; k++)
        tensor[count++] = wgdn_tensor_of(l->view[k].name, m->param + l->view[k].offset,
                                         l->view[k].rows, l->view[k].cols);
    for (int k = 0; k < l->buffers; k++)
        tensor[count++] = wgdn_tensor_of(l->buffer[k].name, m->buffer + l->buffer[k].offset, 1,
                                         l->buffer[k].cols);
    wgdn_pairs_add(p, "wgdn.", "kind", run ? "checkpoint" : "model");
    wgdn_pairs_add(p, "wgdn.", "version", "1");
    snprintf(text, sizeof text, "%" PRId64, m->shape.features);
    wgdn_pairs_add(p, "wgdn.", "features", text);
    wgdn_pairs_lend(p, "wgdn.encoding", m->encoding);
    wgdn_pairs_lend(p, "wgdn.reading", m->reading);
    wgdn_origin_add(p, &m->origin);
    st = wgdn_pairs_add_options(p, WGDN_OPTIONS_KIND_TRAIN, &m->options, err);
    if (st) goto done;
    if (run) {
        for (int k = 0; k < run->states; k++)
            tensor[count++] = wgdn_tensor_of(run->name[k], run->state[k], 1, l->size);
        if (run->stop.seen)
            tensor[count++] = wgdn_tensor_of("best", run->best, 1, l->size + l->buffer_size);
        snprintf(text, sizeof text, "%" PRId64, run->step);
        wgdn_pairs_add(p, "wgdn.", "step", text);
        snprintf(text, sizeof text, "%" PRId64, run->steps);
        wgdn_pairs_add(p, "wgdn.", "steps", text);
        wgdn_number_text(text, sizeof text, round(run->seconds * 1000) / 1000);
        wgdn_pairs_add(p, "wgdn.", "seconds", text);
        wgdn_number_text(text, sizeof text, run->loss);
        wgdn_pairs_add(p, "wgdn.", "loss", text);
        snprintf(text, sizeof text, "%016" PRIx64, run->data);
        wgdn_pairs_add(p, "wgdn.", "data", text);
        add_health(p, &run->health);
    }
    add_end(p, m, run);
    st = wgdn_write_safetensors(path, tensor, count, p->pair, p->count, err);

done:
    wgdn_release(p);
    wgdn_release(tensor);
    return st;
}

static wgdn_status fetch(float *to, const wgdn_archive *a, const char *name, int64_t rows,
                         int64_t cols, const char *path, wgdn_error *err)
{
    const wgdn_tensor shape = wgdn_tensor_of(name, NULL, rows, cols);
    return wgdn_tensor_fetch(to, a, &shape, path, err);
}

static wgdn_status fetch_all(wgdn_model *m, const wgdn_archive *a, const char *path,
                             wgdn_error *err)
{
    const wgdn_layout *l = &m->layout;
    wgdn_status st = WGDN_OK;
    for (int k = 0; k < l->views && !st; k++)
        st = fetch(m->param + l->view[k].offset, a, l->view[k].name, l->view[k].rows,
                   l->view[k].cols, path, err);
    for (int k = 0; k < l->buffers && !st; k++)
        st = fetch(m->buffer + l->buffer[k].offset, a, l->buffer[k].name, 1, l->buffer[k].cols,
                   path, err);
    return st;
}

/* Every array is there with its shape, before anything is allocated for it. */
static wgdn_status check_shapes(const wgdn_archive *a, const wgdn_layout *l, const char *path,
                                wgdn_error *err)
{
    for (int k = 0; k < l->views; k++) {
        const wgdn_view *v = &l->view[k];
        const wgdn_tensor *t = wgdn_archive_find(a, v->name);
        if (!t || wgdn_tensor_count(t) != v->rows * v->cols)
            return wgdn_fail(
                err, WGDN_EFORMAT,
                "%s: %s is missing or has not %lld x %lld numbers; the file is corrupt", path,
                v->name, (long long)v->rows, (long long)v->cols);
    }
    return WGDN_OK;
}

/* Numbers that a model may have: what is larger leaves floats in its first product. */
static wgdn_status check_numbers(const wgdn_model *m, const char *path, wgdn_error *err)
{
    for (int k = 0; k < m->layout.views; k++) {
        const wgdn_view *v = &m->layout.view[k];
        for (int64_t i = 0; i < v->rows * v->cols; i++)
            if (!(fabsf(m->param[v->offset + i]) <= WGDN_PARAMETER_MAX))
                return wgdn_fail(err, WGDN_EFORMAT, "%s: %s contains %g; the file is corrupt", path,
                                 v->name, (double)m->param[v->offset + i]);
    }
    for (int64_t i = 0; m->buffer && i < m->layout.buffer_size; i++)
        if (!(fabsf(m->buffer[i]) <= WGDN_PARAMETER_MAX))
            return wgdn_fail(err, WGDN_EFORMAT, "%s: a running average is %g; the file is corrupt",
                             path, (double)m->buffer[i]);
    return WGDN_OK;
}

/* The file is a model's, or a checkpoint's, of a version that this library knows. */
static wgdn_status check_kind(bool *model, const wgdn_archive *a, bool run, const char *path,
                              wgdn_error *err)
{
    const char *kind = wgdn_archive_metadata(a, "wgdn.kind");
    *model = kind && strcmp(kind, "model") == 0;
    if ((!*model && (!kind || strcmp(kind, "checkpoint") != 0)) || (run && *model))
        return wgdn_fail(err, WGDN_EFORMAT, "%s: this is %s%s, not a %s", path,
                         kind ? "a file of kind " : "a file of another program", kind ? kind : "",
                         run ? "checkpoint" : "model");
    return wgdn_pairs_version(a, path, err);
}

/* What is no encoding is refused here, not when it is needed. */
static wgdn_status fetch_encoding(wgdn_model *m, const wgdn_archive *a, const char *path,
                                  wgdn_error *err)
{
    const char *text = wgdn_archive_metadata(a, "wgdn.encoding");
    wgdn_encoding e = {0};
    wgdn_error why = {WGDN_OK, ""};
    const wgdn_status st = text ? wgdn_encoding_parse(&e, text, &why) : WGDN_OK;
    wgdn_encoding_free(&e);
    if (st) return wgdn_fail(err, st, "%s: %s", path, why.message);
    return wgdn_model_keep_encoding(m, text, err);
}

/* Likewise how the data was read; models of before do not say. */
static wgdn_status fetch_reading(wgdn_model *m, const wgdn_archive *a, const char *path,
                                 wgdn_error *err)
{
    const char *text = wgdn_archive_metadata(a, "wgdn.reading");
    wgdn_reading r = {.listed = false};
    wgdn_error why = {WGDN_OK, ""};
    if (!text) return WGDN_OK;
    const wgdn_status st = wgdn_reading_parse(&r, text, &why);
    wgdn_reading_free(&r);
    if (st) return wgdn_fail(err, st, "%s: %s", path, why.message);
    m->reading = wgdn_alloc(strlen(text) + 1, 1);
    if (!m->reading) return wgdn_fail(err, WGDN_ENOMEM, "%s: how its data was read", path);
    memcpy(m->reading, text, strlen(text) + 1);
    return WGDN_OK;
}

/* A count of steps; files of before may lack it. */
static wgdn_status read_steps(int64_t *out, const wgdn_archive *a, const char *key,
                              const char *path, wgdn_error *err)
{
    const char *text = wgdn_archive_metadata(a, key);
    *out = text ? strtoll(text, NULL, 10) : 0;
    if (*out >= 0 && *out <= (int64_t)WGDN_STEPS_MAX) return WGDN_OK;
    return wgdn_fail(err, WGDN_EFORMAT, "%s: %s is %.24s; the checkpoint is corrupt", path, key,
                     text);
}

/* Where a checkpoint stands. */
static wgdn_status fetch_place(wgdn_run_place *out, const wgdn_archive *a, const char *path,
                               wgdn_error *err)
{
    const char *seconds = wgdn_archive_metadata(a, "wgdn.seconds");
    const char *data = wgdn_archive_metadata(a, "wgdn.data");
    double taken = 0;
    wgdn_status st = read_steps(&out->step, a, "wgdn.step", path, err);
    if (!st) st = read_steps(&out->steps, a, "wgdn.steps", path, err);
    if (seconds && !wgdn_number_read(&taken, seconds)) taken = 0;
    out->seconds = taken > 0 && taken < 1e12 ? taken : 0;
    out->data = data ? strtoull(data, NULL, 16) : 0;
    return st;
}

/* What the optimizer keeps: with a number that is not finite it would ruin the next step. */
static wgdn_status check_state(const float *state, const char *name, int64_t size, const char *path,
                               wgdn_error *err)
{
    for (int64_t i = 0; i < size; i++)
        if (!isfinite(state[i]))
            return wgdn_fail(err, WGDN_EFORMAT, "%s: %s contains %g; the checkpoint is corrupt",
                             path, name, (double)state[i]);
    return WGDN_OK;
}

/* Where there is a best one, it is what the model file will get. */
static wgdn_status fetch_best(wgdn_run_state *run, const wgdn_model *m, const wgdn_archive *a,
                              const char *path, wgdn_error *err)
{
    const int64_t size = m->layout.size + m->layout.buffer_size;
    const char *best = wgdn_archive_metadata(a, "wgdn.held-out");
    const char *mark = wgdn_archive_metadata(a, "wgdn.mark");
    const wgdn_tensor shape = wgdn_tensor_of("best", NULL, 1, size);
    if (!best) return WGDN_OK;
    if (!mark || !wgdn_number_read(&run->stop.best, best) || !isfinite(run->stop.best) ||
        !wgdn_number_read(&run->stop.mark, mark) || !isfinite(run->stop.mark))
        return wgdn_fail(
            err, WGDN_EFORMAT,
            "%s: the held-out error '%.40s' is not a number; the checkpoint is corrupt", path,
            best);
    wgdn_status st = read_steps(&run->stop.epoch, a, "wgdn.best-epoch", path, err);
    if (!st) st = read_steps(&run->stop.mark_epoch, a, "wgdn.mark-epoch", path, err);
    if (st) return st;
    run->best = wgdn_alloc((size_t)size, sizeof *run->best);
    if (!run->best)
        return wgdn_fail(err, WGDN_ENOMEM, "%s: %lld best parameters", path, (long long)size);
    st = wgdn_tensor_fetch(run->best, a, &shape, path, err);
    if (!st) st = check_state(run->best, "best", size, path, err);
    run->stop.seen = true;
    run->stop.error = run->stop.best;
    return st;
}

/* States are allocated here; the caller releases them. */
static wgdn_status fetch_run(wgdn_run_state *run, const wgdn_model *m, const wgdn_archive *a,
                             const char *path, wgdn_error *err)
{
    const char *step = wgdn_archive_metadata(a, "wgdn.step");
    const char *loss = wgdn_archive_metadata(a, "wgdn.loss");
    const char *data = wgdn_archive_metadata(a, "wgdn.data");
    if (!step || !loss || !data)
        return wgdn_fail(err, WGDN_EFORMAT,
                         "%s: step, loss or data is missing; the checkpoint is corrupt", path);
    run->step = m->at_run.step;
    run->seconds = m->at_run.seconds;
    if (!wgdn_number_read(&run->loss, loss))
        return wgdn_fail(err, WGDN_EFORMAT,
                         "%s: the loss '%.40s' is not a number; the checkpoint is corrupt", path,
                         loss);
    run->data = m->at_run.data;
    run->health = read_health(a);
    wgdn_status st = WGDN_OK;
    for (int k = 0; k < run->states && !st; k++) {
        run->state[k] = wgdn_alloc((size_t)m->layout.size, sizeof *run->state[k]);
        if (!run->state[k])
            st = wgdn_fail(err, WGDN_ENOMEM, "%s: %s of %lld parameters", path, run->name[k],
                           (long long)m->layout.size);
        else
            st = fetch(run->state[k], a, run->name[k], 1, m->layout.size, path, err);
        if (!st) st = check_state(run->state[k], run->name[k], m->layout.size, path, err);
    }
    if (!st) st = fetch_best(run, m, a, path, err);
    for (int k = 0; st && k < run->states; k++) {
        wgdn_release(run->state[k]);
        run->state[k] = NULL;
    }
    if (st) wgdn_release(run->best);
    if (st) run->best = NULL;
    return st;
}

/* How a run with patience ended; it decides no result, so a broken number counts as none. */
static wgdn_run_end read_end(const wgdn_archive *a)
{
    static const char *const key[] = {"wgdn.epochs", "wgdn.best-epoch", "wgdn.held-out"};
    double number[3];
    for (int i = 0; i < 3; i++) {
        const char *text = wgdn_archive_metadata(a, key[i]);
        if (!text || !wgdn_number_read(&number[i], text) || !(number[i] >= 0 && number[i] < 1e300))
            return (wgdn_run_end){0};
    }
    return (wgdn_run_end){count_of(number[0]), count_of(number[1]), number[2]};
}

wgdn_status wgdn_model_parse(wgdn_model **out, wgdn_run_state *run, const wgdn_archive *a,
                             const char *path, wgdn_error *err)
{
    wgdn_model *m = NULL;
    wgdn_train_options o;
    const char *features = wgdn_archive_metadata(a, "wgdn.features");
    const int64_t width = features ? strtoll(features, NULL, 10) : 0;
    bool model;
    wgdn_status st = check_kind(&model, a, run != NULL, path, err);
    if (!st && (width < 1 || width > WGDN_COLUMNS_MAX))
        st =
            wgdn_fail(err, WGDN_EFORMAT, "%s: the number of features is %.20s; the file is corrupt",
                      path, features ? features : "missing");
    wgdn_train_options_init(&o);
    if (!st) st = wgdn_pairs_read_options(&o, WGDN_OPTIONS_KIND_TRAIN, a, path, err);
    if (!st) st = wgdn_model_plan(&m, &o, width, err);
    if (!st) st = check_shapes(a, &m->layout, path, err);
    if (!st) st = wgdn_model_fill(m, err);
    if (!st) st = fetch_all(m, a, path, err);
    if (!st) st = check_numbers(m, path, err);
    if (!st) st = fetch_encoding(m, a, path, err);
    if (!st) st = fetch_reading(m, a, path, err);
    if (!st) m->origin = wgdn_origin_read(a);
    if (!st && model) m->end = read_end(a);
    if (!st && !model) st = fetch_place(&m->at_run, a, path, err);
    if (!st && run) st = fetch_run(run, m, a, path, err);
    if (st)
        wgdn_model_free(m);
    else
        *out = m;
    return st;
}

wgdn_status wgdn_model_read(wgdn_model **out, wgdn_run_state *run, const char *path,
                            wgdn_error *err)
{
    wgdn_archive a = {0};
    wgdn_status st = wgdn_archive_open(&a, path, err);
    if (!st) st = wgdn_model_parse(out, run, &a, path, err);
    wgdn_archive_free(&a);
    return st;
}

wgdn_status wgdn_model_save(const wgdn_model *m, const char *path, wgdn_error *err)
{
    if (m->fitted) {
        const bool asked = wgdn_stop_enter(true);
        const wgdn_status st =
            wgdn_fitted_write(m->fitted, m->encoding, m->reading, NULL, path, err);
        return wgdn_stop_leave(asked, st, err);
    }
    for (int64_t i = 0; i < m->layout.size; i++)
        if (!(fabsf(m->param[i]) <= WGDN_PARAMETER_MAX))
            return wgdn_fail(
                err, WGDN_ERANGE,
                "%s: not written, because training diverged to a parameter of %g; try a "
                "smaller learning-rate",
                path, m->param[i]);
    return wgdn_model_write(m, NULL, path, err);
}

static wgdn_status load_fitted(wgdn_model **out, const wgdn_archive *a, const char *path,
                               wgdn_error *err)
{
    wgdn_fitted *f = NULL;
    wgdn_model *m = NULL;
    wgdn_status st = wgdn_fitted_read(&f, a, path, err);
    if (!st) st = wgdn_model_enclose(&m, f, err);
    if (!st) st = fetch_encoding(m, a, path, err);
    if (!st) st = fetch_reading(m, a, path, err);
    if (st)
        wgdn_model_free(m);
    else
        *out = m;
    return st;
}

static bool fitted_is_in(const wgdn_archive *a)
{
    const char *method = wgdn_archive_metadata(a, "wgdn.method");
    return method && strcmp(method, "fitted") == 0;
}

wgdn_status wgdn_any_model_parse(wgdn_model **out, const wgdn_archive *a, const char *path,
                                 wgdn_error *err)
{
    return fitted_is_in(a) ? load_fitted(out, a, path, err)
                           : wgdn_model_parse(out, NULL, a, path, err);
}

wgdn_status wgdn_model_load(wgdn_model **out, const char *path, wgdn_error *err)
{
    wgdn_archive a = {0};
    wgdn_status st = wgdn_archive_open(&a, path, err);
    if (!st) st = wgdn_any_model_parse(out, &a, path, err);
    wgdn_archive_free(&a);
    return st;
}
