/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
/* Files that say what cannot be: refused when they are read, before memory is taken for it. */
#include "check.h"
#include "data/dataset.h"
#include "model/model.h"
#include "scratch.h"
#include "support.h"

#include <wgdn/eval.h>
#include <wgdn/train.h>

static wgdn_error err;

static wgdn_dataset *ring(void)
{
    static const int64_t from[] = {0, 1, 2, 3, 4, 5}, to[] = {1, 2, 3, 4, 5, 0};
    static const int32_t label[] = {0, 1, 0, 1, 0, 1};
    const wgdn_dataset_arrays a = {.struct_size = sizeof a,
                                   .nodes = 6,
                                   .edges = 6,
                                   .source = from,
                                   .target = to,
                                   .label = label};
    wgdn_dataset *d = NULL;
    CHECK(wgdn_dataset_from_arrays(&d, &a, NULL) == WGDN_OK);
    return d;
}

/* Why a model cannot be loaded; "" if it can. */
static const char *refusal(const char *name)
{
    wgdn_model *m = NULL;
    err.message[0] = '\0';
    const int64_t peak = wgdn_alloc_live();
    const wgdn_status st = wgdn_model_load(&m, scratch(name).text, &err);
    CHECK(st == WGDN_OK || st == WGDN_EFORMAT);
    wgdn_model_free(m);
    CHECK(wgdn_alloc_live() == peak);
    return err.message;
}

/* The file with every `from` replaced by `to`, both of that size. */
static void edit_bytes(const char *name, const char *copy, const void *from, const void *to,
                       size_t length)
{
    static char text[1 << 20];
    FILE *f = fopen(scratch(name).text, "rb");
    const size_t size = f ? fread(text, 1, sizeof text, f) : 0;
    if (f) fclose(f);
    char *at = memmem(text, size, from, length);
    CHECK(at);
    for (; at; at = memmem(at, (size_t)(text + size - at), from, length))
        memcpy(at, to, length);
    scratch_write(copy, text, size);
}

static void edit(const char *name, const char *copy, const char *from, const char *to)
{
    CHECK(strlen(from) == strlen(to));
    edit_bytes(name, copy, from, to, strlen(from));
}

/* A model with a number that no model has: it is not written, and refused when others wrote it. */
static void bad_number(const wgdn_model *m, float *number, float bad, const char *message)
{
    const float kept = *number, marked = 0.123456789f;
    *number = bad;
    err.message[0] = '\0';
    CHECK(wgdn_model_save(m, scratch("number").text, &err) == WGDN_ERANGE && err.message[0]);
    CHECK(access(scratch("number").text, F_OK) != 0);
    *number = marked;
    CHECK(wgdn_model_save(m, scratch("marked").text, NULL) == WGDN_OK);
    edit("marked", "marked", "\"xxh3", "\"none");
    edit_bytes("marked", "broken", &marked, &bad, sizeof bad);
    CHECK(strstr(refusal("broken"), message));
    *number = kept;
}

static wgdn_model *trained(const wgdn_dataset *d)
{
    wgdn_train_options o;
    wgdn_model *m = NULL;
    wgdn_train_options_init(&o);
    o.dim = 4;
    o.epochs = 1;
    CHECK(wgdn_model_train(&m, d, &o, NULL, NULL) == WGDN_OK);
    return m;
}

static void trained_models(void)
{
    wgdn_dataset *d = ring();
    wgdn_model *m = trained(d);
    CHECK(wgdn_model_save(m, scratch("m").text, NULL) == WGDN_OK);
    CHECK_TEXT(refusal("m"), "");
    edit("m", "bare", "\"xxh3", "\"none"); /* as others write files: without a checksum */
    CHECK_TEXT(refusal("bare"), "");
    edit("bare", "version", "\"wgdn.version\":\"1\"", "\"wgdn.version\":\"9\"");
    CHECK(strstr(refusal("version"), "its version is 9"));
    edit("bare", "features", "\"wgdn.features\":\"128\"", "\"wgdn.features\":\"999\"");
    CHECK(strstr(refusal("features"), "is missing or has not 999 x 4 numbers"));
    static const float bad[] = {NAN, INFINITY, 3e38f};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        bad_number(m, &m->param[3], bad[i], "; the file is corrupt");
    wgdn_model_free(m);
    wgdn_dataset_free(d);
}

static void fitted_models(void)
{
    wgdn_dataset *d = ring();
    wgdn_fit_options o;
    wgdn_model *m = NULL;
    wgdn_fit_options_init(&o);
    o.dim = 8;
    CHECK(wgdn_model_fit(&m, d, &o, NULL) == WGDN_OK);
    CHECK(wgdn_model_save(m, scratch("f").text, NULL) == WGDN_OK);
    CHECK_TEXT(refusal("f"), "");
    edit("f", "bare", "\"xxh3", "\"none");
    edit("bare", "version", "\"wgdn.version\":\"1\"", "\"wgdn.version\":\"9\"");
    CHECK(strstr(refusal("version"), "its version is 9"));
    bad_number(m, m->fitted->part[0].basis, NAN, "part.0.basis contains nan in row 0");
    bad_number(m, m->fitted->part[0].basis, 3e38f, "part.0.basis contains 3e+38 in row 0");
    /* Numbers so small that dividing by a row's length overflows. */
    float *basis = m->fitted->part[0].basis;
    for (int64_t i = 0; i < m->fitted->part[0].rows * m->fitted->part[0].dim; i++)
        basis[i] *= 1e-40F;
    CHECK(wgdn_model_save(m, scratch("tiny").text, NULL) == WGDN_OK);
    CHECK(strstr(refusal("tiny"), "all of part.0.basis is below 1e-30"));
    wgdn_model_free(m);
    wgdn_dataset_free(d);
}

/* A checkpoint's steps are counts, and its states finite. */
static void checkpoints(void)
{
    static const char *const names[] = {"adam.m", "adam.v"};
    wgdn_dataset *d = ring();
    wgdn_model *m = trained(d);
    float *zero = wgdn_alloc_zero((size_t)m->layout.size, sizeof *zero);
    wgdn_run_state run = {
        .states = 2, .name = names, .state = {zero, zero}, .step = 12, .steps = 5};
    CHECK(wgdn_model_write(m, &run, scratch("c").text, NULL) == WGDN_OK);
    CHECK_TEXT(refusal("c"), "");
    run.step = INT64_MIN;
    run.steps = -1;
    CHECK(wgdn_model_write(m, &run, scratch("c").text, NULL) == WGDN_OK);
    CHECK(strstr(refusal("c"), "wgdn.step is -9223372036854775808"));
    run.step = 12;
    CHECK(wgdn_model_write(m, &run, scratch("c").text, NULL) == WGDN_OK);
    CHECK(strstr(refusal("c"), "wgdn.steps is -1"));
    run.steps = 5;
    zero[3] = NAN;
    CHECK(wgdn_model_write(m, &run, scratch("c").text, NULL) == WGDN_OK);
    wgdn_run_state file = {.states = 2, .name = names};
    wgdn_model *again = NULL;
    CHECK(wgdn_model_read(&again, &file, scratch("c").text, &err) == WGDN_EFORMAT);
    CHECK(strstr(err.message, "the checkpoint is corrupt"));
    wgdn_release(zero);
    wgdn_model_free(m);
    wgdn_dataset_free(d);
}

/* Features that are not reduced are as wide as the part says, or it would read beyond them. */
static void fitted_columns(void)
{
    static const float x[] = {1, 0, 0, 1, 2, 0, 0, 2, 3, 0, 0, 3};
    static const int64_t from[] = {0, 1, 2, 3, 4, 5}, to[] = {1, 2, 3, 4, 5, 0};
    const wgdn_dataset_arrays a = {.struct_size = sizeof a,
                                   .nodes = 6,
                                   .edges = 6,
                                   .source = from,
                                   .target = to,
                                   .features = 2,
                                   .dense = x};
    wgdn_dataset *d = NULL;
    wgdn_fit_options o;
    wgdn_model *m = NULL;
    wgdn_fit_options_init(&o);
    o.features = WGDN_FIT_FEATURES_GIVEN;
    o.scale = 1;
    CHECK(wgdn_dataset_from_arrays(&d, &a, NULL) == WGDN_OK);
    CHECK(wgdn_model_fit(&m, d, &o, NULL) == WGDN_OK);
    CHECK(m->fitted->part[0].dim == 2 && !m->fitted->part[0].basis);
    m->fitted->part[0].dim = 40000;
    CHECK(wgdn_model_save(m, scratch("wide").text, NULL) == WGDN_OK);
    CHECK(strstr(refusal("wide"), "wgdn.part.0"));
    wgdn_model_free(m);
    wgdn_dataset_free(d);
}

static void classes(void)
{
    static const int64_t bad[] = {INT64_C(1) << 62, INT64_C(1) << 31, 1000000};
    wgdn_dataset *d = ring(), *again = NULL;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        d->classes = bad[i];
        CHECK(wgdn_dataset_write(d, scratch("d.safetensors").text, NULL, NULL) == WGDN_OK);
        CHECK(wgdn_dataset_read(&again, scratch("d.safetensors").text, NULL, &err) == WGDN_EFORMAT);
        CHECK(strstr(err.message, "classes"));
    }
    wgdn_dataset_free(d);
}

/* A mapped dataset that was written to since: what is made of it is of two datasets, and refused. */
static void changed_meanwhile(void)
{
    enum { NODES = 2000, WIDTH = 200 };
    static float x[NODES * WIDTH];
    static int64_t from[NODES], to[NODES];
    static int32_t label[NODES];
    for (int i = 0; i < NODES * WIDTH; i++)
        x[i] = (float)(i % 7 + i % 31);
    for (int i = 0; i < NODES; i++) {
        from[i] = i;
        to[i] = (i + 1) % NODES;
        label[i] = i % 2;
    }
    const wgdn_dataset_arrays a = {.struct_size = sizeof a,
                                   .nodes = NODES,
                                   .edges = NODES,
                                   .source = from,
                                   .target = to,
                                   .features = WIDTH,
                                   .dense = x,
                                   .label = label};
    const scratch_name name = scratch("mapped.safetensors");
    wgdn_dataset *made = NULL, *d = NULL;
    wgdn_model *m = NULL, *none = NULL;
    wgdn_embedding *e = NULL, *nothing = NULL;
    wgdn_probe_result probed = {.struct_size = sizeof probed};
    wgdn_fit_options o;
    wgdn_eval_options how;
    wgdn_fit_options_init(&o);
    wgdn_eval_options_init(&how);
    how.runs = 1;
    o.dim = 8;
    CHECK(wgdn_dataset_from_arrays(&made, &a, NULL) == WGDN_OK);
    CHECK(wgdn_dataset_write(made, name.text, NULL, NULL) == WGDN_OK);
    CHECK(wgdn_dataset_read(&d, name.text, NULL, &err) == WGDN_OK);
    CHECK(wgdn_model_fit(&m, d, &o, &err) == WGDN_OK);
    CHECK(wgdn_model_embed(&e, m, d, NULL, &err) == WGDN_OK);
    CHECK(wgdn_embedding_probe(&probed, e, d, &how, &err) == WGDN_OK);

    CHECK(truncate(name.text, (off_t)(NODES * WIDTH * sizeof *x * 2)) ==
          0); /* none is taken away */
    CHECK(wgdn_model_fit(&none, d, &o, &err) == WGDN_EIO && strstr(err.message, "was changed"));
    CHECK(wgdn_model_embed(&nothing, m, d, NULL, &err) == WGDN_EIO);
    CHECK(wgdn_embedding_probe(&probed, e, d, &how, &err) == WGDN_EIO);
    CHECK(wgdn_embedding_from_baseline(&nothing, d, WGDN_BASELINE_RAW, NULL, &err) == WGDN_EIO);
    CHECK(!none && !nothing);
    wgdn_embedding_free(e);
    wgdn_model_free(m);
    wgdn_dataset_free(d);
    wgdn_dataset_free(made);
}

int main(void)
{
    scratch_begin();
    RUN(trained_models);
    RUN(fitted_models);
    RUN(fitted_columns);
    RUN(checkpoints);
    RUN(classes);
    RUN(changed_meanwhile);
    scratch_end();
    return check_result();
}
