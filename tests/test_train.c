/* SPDX-License-Identifier: Apache-2.0 */
#define _DEFAULT_SOURCE /* mkdtemp */
/* Runs: broken off and resumed, saved and loaded, with any number of threads, and gone wrong. */
#include "model/train.h"
#include "scratch.h"
#include "support.h"
#include "vectors.h"

#include <sys/stat.h>

enum { N = 300, F = 40, EDGES = 900 };

/* A random dataset with sparse features; `shift` makes another one. */
static wgdn_dataset *dataset(uint32_t shift, bool features)
{
    const wgdn_stream s = {.seed = 31, .epoch = shift};
    static int64_t src[EDGES], dst[EDGES], offset[N + 1];
    static int32_t column[N * F];
    wgdn_dataset_arrays a = {
        .struct_size = sizeof a, .nodes = N, .edges = EDGES, .source = src, .target = dst};
    wgdn_dataset *d = NULL;
    int64_t at = 0;
    for (int64_t k = 0; k < EDGES; k++) {
        src[k] = wgdn_random_bits(s, k, 0) % N;
        dst[k] = wgdn_random_bits(s, k, 1) % N;
    }
    for (int64_t i = 0; i < N; i++) {
        offset[i] = at;
        for (int32_t j = 0; j < F; j++)
            if (wgdn_random_bits(s, i, 10 + j) % 16 == 0) column[at++] = j;
    }
    offset[N] = at;
    if (features) {
        a.features = F;
        a.feature_offset = offset;
        a.feature_column = column;
    }
    CHECK(wgdn_dataset_from_arrays(&d, &a, NULL) == WGDN_OK);
    return d;
}

static wgdn_precision precision = WGDN_PRECISION_FP32; /* of all runs of a test */

static wgdn_train_options options(void)
{
    wgdn_train_options o;
    wgdn_train_options_init(&o);
    o.dim = 24;
    o.epochs = 12;
    o.skip = WGDN_SKIP_SUM;
    o.decay_every = 5;
    o.precision = precision;
    return o;
}

static wgdn_model *train(const wgdn_dataset *d, const wgdn_train_options *o,
                         const wgdn_train_run *run)
{
    wgdn_model *m = NULL;
    wgdn_error err = {WGDN_OK, ""};
    CHECK(wgdn_model_train(&m, d, o, run, &err) == WGDN_OK);
    if (!m) printf("     %s\n", err.message);
    return m;
}

static bool same_parameters(const wgdn_model *a, const wgdn_model *b)
{
    return a && b && a->layout.size == b->layout.size &&
           memcmp(a->param, b->param, (size_t)a->layout.size * sizeof *a->param) == 0;
}

static void the_loss_falls(void)
{
    wgdn_dataset *d = dataset(0, true);
    wgdn_train_options o = options();
    double losses[2];
    for (int i = 0; i < 2; i++) {
        wgdn_feed feed = {0};
        wgdn_workspace *w = NULL;
        o.epochs = i ? 80 : 0;
        o.learning_rate = 0.01;
        wgdn_model *m = train(d, &o, NULL);
        float *grad = matrix(m->layout.size, 1);
        CHECK(wgdn_feed_open(&feed, d, m, false, NULL) == WGDN_OK);
        CHECK(wgdn_workspace_new(&w, m, &feed.input, true, NULL) == WGDN_OK);
        const wgdn_pass pass = wgdn_pass_of(m, w, wgdn_dataset_get_graph(d), &feed.input, 9);
        CHECK(wgdn_step(&losses[i], grad, &pass, NULL) == WGDN_OK);
        wgdn_workspace_free(w);
        wgdn_feed_free(&feed);
        wgdn_release(grad);
        wgdn_model_free(m);
    }
    CHECK(losses[1] < 0.7 * losses[0]);
    wgdn_dataset_free(d);
}

static void any_threads(void)
{
    wgdn_dataset *d = dataset(0, true);
    wgdn_train_options o = options();
    float *x = matrix(N, o.dim), *y = matrix(N, o.dim);
    wgdn_embed_options c;
    wgdn_embed_options_init(&c);
    o.threads = c.threads = 1;
    wgdn_model *one = train(d, &o, NULL);
    CHECK(embed_array(x, one, d, &c, NULL) == WGDN_OK);
    for (int threads = 2; threads <= 4; threads++) {
        o.threads = c.threads = threads;
        wgdn_model *m = train(d, &o, NULL);
        CHECK(same_parameters(one, m));
        CHECK(embed_array(y, m, d, &c, NULL) == WGDN_OK);
        CHECK(memcmp(x, y, sizeof *x * (size_t)(N * o.dim)) == 0);
        wgdn_model_free(m);
    }
    wgdn_model_free(one);
    wgdn_release(y);
    wgdn_release(x);
    wgdn_dataset_free(d);
}

/* Loss after each epoch. */
static int note_loss(void *user, const wgdn_progress *p)
{
    ((double *)user)[p->epoch - 1] = p->loss;
    return 0;
}

/*
 * The losses of a run in bf16 are those of fp32 within a hundredth, and not the same; precision is
 * part of the model; and vectors are made in fp32 whatever the model was trained in.
 */
static void near_fp32(void)
{
    enum { EPOCHS = 40 };
    wgdn_dataset *d = dataset(0, true);
    wgdn_train_options o = options();
    double losses[2][EPOCHS];
    wgdn_model *m[2];
    float *x = matrix(N, o.dim), *y = matrix(N, o.dim);
    snprintf(o.gamma, sizeof o.gamma, "0.1,1,10"); /* otherwise R is never formed, in fp32 */
    o.epochs = EPOCHS;
    o.learning_rate = 0.01;
    for (int i = 0; i < 2; i++) {
        const wgdn_train_run run = {
            .struct_size = sizeof run, .progress = note_loss, .progress_user = losses[i]};
        o.precision = (wgdn_precision)i;
        m[i] = train(d, &o, &run);
    }
    for (int e = 0; e < EPOCHS; e++)
        CHECK_NEAR(losses[1][e] / losses[0][e], 1, 0.02);
    CHECK(losses[0][EPOCHS - 1] < 0.9 * losses[0][0]);
    CHECK(!same_parameters(m[0], m[1]));
    CHECK(!wgdn_same_run(&m[0]->options, &m[1]->options));
    CHECK(embed_array(x, m[1], d, NULL, NULL) == WGDN_OK);
    m[1]->options.precision = WGDN_PRECISION_FP32;
    CHECK(embed_array(y, m[1], d, NULL, NULL) == WGDN_OK);
    CHECK(memcmp(x, y, sizeof *x * (size_t)(N * o.dim)) == 0);
    for (int i = 0; i < 2; i++)
        wgdn_model_free(m[i]);
    wgdn_release(y);
    wgdn_release(x);
    wgdn_dataset_free(d);
}

/* Stops when it has been asked so often. */
static int stop_at(void *user, const wgdn_progress *p)
{
    return p->epoch >= *(const int *)user;
}

static void resumed_is_the_same(void)
{
    wgdn_dataset *d = dataset(0, true);
    wgdn_train_options o = options();
    o.norm = WGDN_NORM_BATCH; /* running averages must survive as well */
    wgdn_model *whole = train(d, &o, NULL);
    for (int stop = 1; stop < o.epochs; stop += 3) {
        int when = stop;
        wgdn_model *m = NULL;
        wgdn_error err;
        const scratch_name file = scratch("run");
        const char *path = file.text;
        wgdn_train_run run = {.struct_size = sizeof run,
                              .progress = stop_at,
                              .progress_user = &when,
                              .checkpoint = path,
                              .checkpoint_every = stop % 2 ? 2 : 0};
        CHECK(wgdn_model_train(&m, d, &o, &run, &err) == WGDN_ESTOPPED);
        CHECK(m == NULL && strstr(err.message, "stopped after epoch"));
        when = 1000;
        m = train(d, &o, &run);
        CHECK(same_parameters(whole, m));
        if (m) CHECK(memcmp(whole->buffer, m->buffer, (size_t)m->layout.buffer_size * 4) == 0);
        wgdn_model_free(m);
        remove(path);
    }
    wgdn_model_free(whole);
    wgdn_dataset_free(d);
}

/* A model that is kept when progress stops the run is that of a shorter one. */
static void stopped_is_shorter(void)
{
    wgdn_dataset *d = dataset(0, true);
    wgdn_train_options o = options();
    int when = 3;
    const wgdn_train_run run = {
        .struct_size = sizeof run, .progress = stop_at, .progress_user = &when, .keep = 1};
    wgdn_model *cut = train(d, &o, &run);
    o.epochs = when;
    wgdn_model *whole = train(d, &o, NULL);
    CHECK(same_parameters(whole, cut) && cut->options.epochs == when);
    wgdn_model_free(whole);
    wgdn_model_free(cut);
    wgdn_dataset_free(d);
}

/* More epochs later: the same as all at once. */
static void longer_runs_go_on(void)
{
    wgdn_dataset *d = dataset(0, true);
    wgdn_train_options o = options();
    const scratch_name file = scratch("longer");
    const char *path = file.text;
    const wgdn_train_run run = {
        .struct_size = sizeof run, .checkpoint = path, .checkpoint_every = 6};
    wgdn_model *shorter = train(d, &o, &run);
    o.epochs = 18;
    wgdn_model *on = train(d, &o, &run), *whole = train(d, &o, NULL);
    CHECK(same_parameters(on, whole));
    CHECK(!same_parameters(on, shorter));
    wgdn_model_free(whole);
    wgdn_model_free(on);
    wgdn_model_free(shorter);
    remove(path);
    wgdn_dataset_free(d);
}

static void checkpoints_of_others(void)
{
    wgdn_dataset *d = dataset(0, true), *other = dataset(1, true);
    wgdn_train_options o = options();
    const scratch_name file = scratch("other");
    const char *path = file.text;
    wgdn_train_run run = {.struct_size = sizeof run, .checkpoint = path, .checkpoint_every = 4};
    wgdn_model *m = NULL;
    wgdn_error err;
    o.epochs = 4;
    wgdn_model_free(train(d, &o, &run));
    CHECK(wgdn_model_train(&m, other, &o, &run, &err) == WGDN_EINVAL);
    CHECK(strstr(err.message, "other data") != NULL);
    o.beta = 0.5;
    CHECK(wgdn_model_train(&m, d, &o, &run, &err) == WGDN_EINVAL);
    CHECK(strstr(err.message, "other options") != NULL);
    run.fresh = 1;
    wgdn_model_free(train(d, &o, &run));
    remove(path);
    wgdn_dataset_free(other);
    wgdn_dataset_free(d);
}

static void saved_and_loaded(void)
{
    wgdn_dataset *d = dataset(0, true);
    wgdn_train_options o = options();
    wgdn_model *loaded = NULL;
    wgdn_error err;
    const scratch_name file = scratch("model");
    const char *path = file.text;
    o.norm = WGDN_NORM_BATCH;
    snprintf(o.gamma, sizeof o.gamma, "0.1,1,10");
    wgdn_model *m = train(d, &o, NULL);
    CHECK(wgdn_model_save(m, path, &err) == WGDN_OK);
    CHECK(wgdn_model_load(&loaded, path, &err) == WGDN_OK);
    CHECK(same_parameters(m, loaded));
    wgdn_model_info info = {.struct_size = sizeof info};
    wgdn_model_describe(&info, loaded);
    CHECK(info.method == WGDN_METHOD_TRAINED && info.dim == o.dim && info.features == F);
    CHECK(info.fit == NULL && wgdn_same_run(&m->options, info.train));
    float *x = matrix(N, o.dim), *y = matrix(N, o.dim);
    CHECK(embed_array(x, m, d, NULL, NULL) == WGDN_OK);
    CHECK(embed_array(y, loaded, d, NULL, NULL) == WGDN_OK);
    CHECK(memcmp(x, y, sizeof *x * (size_t)(N * o.dim)) == 0);
    wgdn_model_free(loaded);
    loaded = NULL;
    CHECK_ALLOCATIONS(wgdn_model_load(&loaded, path, NULL), wgdn_model_free(loaded));
    CHECK_ALLOCATIONS(wgdn_model_save(m, path, NULL), (void)0);
    CHECK_ALLOCATIONS(embed_array(y, m, d, NULL, NULL), (void)0);
    wgdn_release(y);
    wgdn_release(x);
    wgdn_model_free(m);
    remove(path);
    wgdn_dataset_free(d);
}

static void other_features_are_refused(void)
{
    wgdn_dataset *d = dataset(0, true), *bare = dataset(0, false);
    const wgdn_train_options o = options();
    float *x = matrix(N, o.dim);
    wgdn_model *m = train(d, &o, NULL);
    wgdn_error err;
    CHECK(embed_array(x, m, bare, NULL, &err) == WGDN_EINVAL);
    CHECK_TEXT(err.message,
               "features: 128 columns, but the model was made for 40; give the same columns");
    wgdn_model_free(m);
    wgdn_release(x);
    wgdn_dataset_free(bare);
    wgdn_dataset_free(d);
}

static void without_features(void)
{
    wgdn_dataset *d = dataset(0, false);
    for (int kind = 0; kind < 2; kind++) {
        wgdn_train_options o = options();
        float *x = matrix(N, o.dim);
        o.features = (wgdn_structural_features)kind;
        wgdn_model *m = train(d, &o, NULL);
        wgdn_model_info info = {.struct_size = sizeof info};
        wgdn_model_describe(&info, m);
        CHECK(info.features == (kind ? 32 : 128));
        CHECK(embed_array(x, m, d, NULL, NULL) == WGDN_OK);
        for (int64_t i = 0; i < N * o.dim; i++)
            CHECK(isfinite(x[i]));
        wgdn_model_free(m);
        wgdn_release(x);
    }
    wgdn_dataset_free(d);
}

static void numbers_that_explode(void)
{
    wgdn_dataset *d = dataset(0, true);
    wgdn_train_options o = options();
    const wgdn_train_run run = {.struct_size = sizeof run, .health = WGDN_HEALTH_POLICY_WARN};
    wgdn_model *m = NULL;
    wgdn_error err;
    o.learning_rate = 1e6;
    o.epochs = 200;
    CHECK(wgdn_model_train(&m, d, &o, &run, &err) != WGDN_OK);
    CHECK(err.code == WGDN_ENUMBER || err.code == WGDN_EINVAL);
    CHECK(!strstr(err.message, "checkpoint"));
    CHECK(strstr(err.message, "epoch") || strstr(err.message, "decoder layer"));
    wgdn_dataset_free(d);
}

/* A checkpoint is spoken of where there is one, of this run. */
static void checkpoints_that_are_not_there(void)
{
    wgdn_dataset *d = dataset(0, true);
    wgdn_train_options o = options();
    const scratch_name file = scratch("exploded");
    wgdn_train_run run = {.struct_size = sizeof run,
                          .checkpoint = file.text,
                          .fresh = 1,
                          .health = WGDN_HEALTH_POLICY_WARN};
    wgdn_model *m = NULL;
    wgdn_error err;
    o.learning_rate = 1e6;
    o.decoder = WGDN_DECODER_INVERSE;
    o.epochs = 200;
    scratch_write("exploded", "of another run", 14);
    CHECK(wgdn_model_train(&m, d, &o, &run, &err) == WGDN_ENUMBER);
    CHECK(!strstr(err.message, "checkpoint"));
    run.checkpoint_every = 1;
    CHECK(wgdn_model_train(&m, d, &o, &run, &err) == WGDN_ENUMBER);
    CHECK(strstr(err.message, "last checkpoint: ") && strstr(err.message, file.text));
    remove(file.text);
    wgdn_dataset_free(d);
}

typedef struct trouble {
    const char *folder;
    int failed, written;
} trouble;

/* No folder for checkpoints in epochs 3 and 4. */
static int make_trouble(void *user, const wgdn_progress *p)
{
    trouble *t = user;
    if (p->epoch == 2) CHECK(rename(t->folder, scratch("away").text) == 0);
    if (p->epoch == 4) CHECK(rename(scratch("away").text, t->folder) == 0);
    *(p->checkpoint_error ? &t->failed : &t->written) += 1;
    CHECK(!p->checkpoint_error || strstr(p->checkpoint_error, "cannot be created"));
    return 0;
}

/* The run goes on, the former checkpoint stays, and the next is tried. */
static void checkpoints_that_fail(void)
{
    wgdn_dataset *d = dataset(0, true);
    wgdn_train_options o = options();
    const scratch_name folder = scratch("disk"), file = scratch("disk/c");
    trouble t = {.folder = folder.text};
    wgdn_train_run run = {.struct_size = sizeof run,
                          .progress = make_trouble,
                          .progress_user = &t,
                          .checkpoint = file.text,
                          .checkpoint_every = 1};
    o.epochs = 6;
    CHECK(mkdir(folder.text, 0700) == 0);
    wgdn_model *whole = train(d, &o, NULL), *m = train(d, &o, &run);
    CHECK(same_parameters(whole, m));
    CHECK(t.failed == 2 && t.written == 4);
    wgdn_model_free(m);
    wgdn_model_free(whole);
    remove(file.text);
    CHECK(rmdir(folder.text) == 0);
    wgdn_dataset_free(d);
}

/* What cannot be asked for is refused, with a reason. */
static void misuse(void)
{
    wgdn_dataset *d = dataset(0, true);
    wgdn_train_options o = options();
    wgdn_train_run run = {.struct_size = 0};
    wgdn_model *m = NULL;
    wgdn_error err;
    CHECK(wgdn_model_train(&m, NULL, &o, NULL, &err) == WGDN_EINVAL);
    CHECK(strstr(err.message, "a dataset"));
    CHECK(wgdn_model_train(&m, d, &o, &run, &err) == WGDN_EINVAL);
    CHECK(strstr(err.message, "wgdn_train_run_init"));
    run.struct_size = sizeof(size_t); /* of a caller who knows none of its fields */
    o.epochs = 1;
    CHECK(wgdn_model_train(&m, d, &o, &run, &err) == WGDN_OK);
    wgdn_model_free(m);
    m = NULL;
    o.dim = 0;
    CHECK(wgdn_model_train(&m, d, &o, NULL, &err) == WGDN_EINVAL && !m);
    wgdn_dataset_free(d);
}

static void allocations(void)
{
    wgdn_dataset *d = dataset(0, true);
    wgdn_train_options o = options();
    wgdn_train_needs needs = {.struct_size = sizeof needs};
    wgdn_model *m = NULL;
    o.epochs = 1;
    CHECK_ALLOCATIONS(wgdn_model_train(&m, d, &o, NULL, NULL), wgdn_model_free(m));
    CHECK_ALLOCATIONS(wgdn_train_estimate(&needs, d, &o, 0, 1, NULL), (void)0);
    CHECK(needs.rows == N && needs.halo_rows == 0 && needs.sum_bytes == 0);
    wgdn_optimization list[3] = {{.name = NULL}};
    wgdn_explanation how = {.struct_size = sizeof how};
    CHECK_ALLOCATIONS(wgdn_train_explain(&how, d, &o, NULL), (void)0);
    CHECK(how.count > 3 && how.dense > 0);
    how.list = list;
    how.room = 2;
    CHECK(wgdn_train_explain(&how, d, &o, NULL) == WGDN_OK && how.list == list && how.room == 2);
    CHECK(list[0].name && list[1].name && !list[2].name);
    CHECK_ALLOCATIONS(wgdn_train_estimate(&needs, d, &o, 1, 2, NULL), (void)0);
    CHECK(wgdn_train_estimate(&needs, d, &o, 2, 2, NULL) == WGDN_EINVAL);
    CHECK(wgdn_train_estimate(&needs, d, &o, 0, 0, NULL) == WGDN_EINVAL);
    CHECK(needs.total > needs.workspace && needs.workspace > 0);
    wgdn_dataset_free(d);
}

/* What an optimization saves is never negative where it is used, whatever the options are. */
static void explained(void)
{
    wgdn_dataset *given = dataset(0, true), *without = dataset(0, false);
    for (int k = 0; k < 32; k++) {
        wgdn_optimization list[16];
        wgdn_explanation how = {.struct_size = sizeof how, .list = list, .room = 16};
        wgdn_train_options o = options();
        o.dim = k & 1 ? 8 : 64; /* narrower and wider than the features */
        o.skip = k & 2 ? WGDN_SKIP_NONE : WGDN_SKIP_SUM;
        o.augment = k & 4 ? WGDN_AUGMENT_NONE : WGDN_AUGMENT_NOISE;
        o.decoder = k & 8 ? WGDN_DECODER_INVERSE : WGDN_DECODER_WIENER;
        o.decoder_layers = 2;
        CHECK(wgdn_train_explain(&how, k & 16 ? given : without, &o, NULL) == WGDN_OK);
        CHECK(how.count <= how.room && how.dense > 0 && how.sparse > 0);
        for (int i = 0; i < how.count; i++)
            CHECK(!list[i].used || list[i].with <= list[i].without);
    }
    wgdn_dataset_free(without);
    wgdn_dataset_free(given);
}

/* Every option can be set from its own default's text, and says what it is. */
static void options_by_name(void)
{
    wgdn_train_options o, usual;
    wgdn_error err;
    wgdn_train_options_init(&o);
    wgdn_train_options_init(&usual);
    const wgdn_option_info *info;
    for (int i = 0; (info = wgdn_options_get_info(WGDN_OPTIONS_KIND_TRAIN, i)); i++) {
        CHECK(info->name[0] && info->help[0] && info->default_text[0]);
        CHECK(wgdn_options_set(WGDN_OPTIONS_KIND_TRAIN, &o, info->name, info->default_text, &err) ==
              WGDN_OK);
    }
    CHECK(wgdn_same_run(&o, &usual) && o.epochs == usual.epochs);
    CHECK(wgdn_options_set(WGDN_OPTIONS_KIND_TRAIN, &o, "aggregate", "median", &err) ==
          WGDN_EINVAL);
    CHECK_TEXT(err.message, "aggregate = 'median': it may be max, sum or mean");
    CHECK(wgdn_options_set(WGDN_OPTIONS_KIND_TRAIN, &o, "dim", "12.5", &err) == WGDN_EINVAL);
    CHECK_TEXT(err.message, "dim = '12.5' is not an integer");
    CHECK(wgdn_options_set(WGDN_OPTIONS_KIND_TRAIN, &o, "beta", "-1", &err) == WGDN_EINVAL);
    CHECK_TEXT(err.message, "beta = -1 is not within 0 .. 1e6");
    CHECK(wgdn_options_set(WGDN_OPTIONS_KIND_TRAIN, &o, "color", "red", &err) == WGDN_EINVAL);
    CHECK(wgdn_options_set(WGDN_OPTIONS_KIND_TRAIN, &o, "seed", "-3", &err) == WGDN_EINVAL);
    CHECK(wgdn_options_set(WGDN_OPTIONS_KIND_TRAIN, &o, "embedding_activation", "maybe", &err) ==
          WGDN_EINVAL);
    CHECK(wgdn_options_set(WGDN_OPTIONS_KIND_TRAIN, &o, "seed", "18446744073709551615", &err) ==
              WGDN_OK &&
          o.seed == UINT64_MAX);
}

/* What is told of an option sets the same option again. */
static void options_as_text(void)
{
    wgdn_train_options o, again;
    wgdn_error err;
    char value[128];
    wgdn_train_options_init(&o);
    wgdn_train_options_init(&again);
    CHECK(wgdn_options_parse(WGDN_OPTIONS_KIND_TRAIN, &o, wgdn_preset_text("cora"), "cora", &err) ==
          WGDN_OK);
    o.learning_rate = 1.0 / 3;
    o.seed = UINT64_MAX;
    const wgdn_option_info *info;
    for (int i = 0; (info = wgdn_options_get_info(WGDN_OPTIONS_KIND_TRAIN, i)); i++) {
        CHECK(wgdn_options_get(value, sizeof value, WGDN_OPTIONS_KIND_TRAIN, &o, info->name,
                               &err) == WGDN_OK);
        CHECK(wgdn_options_set(WGDN_OPTIONS_KIND_TRAIN, &again, info->name, value, &err) ==
              WGDN_OK);
    }
    CHECK(memcmp(&o, &again, sizeof o) == 0);
    CHECK(wgdn_options_get(value, sizeof value, WGDN_OPTIONS_KIND_TRAIN, NULL, "kernel", &err) ==
          WGDN_OK);
    CHECK_TEXT(value, "heat");
    CHECK(wgdn_options_get(value, sizeof value, WGDN_OPTIONS_KIND_TRAIN, &o, "color", &err) ==
          WGDN_EINVAL);
    o.aggregate = (wgdn_aggregate)7;
    CHECK(wgdn_options_get(value, sizeof value, WGDN_OPTIONS_KIND_TRAIN, &o, "aggregate", &err) ==
          WGDN_EINVAL);
}

static void presets_and_configurations(void)
{
    wgdn_train_options o;
    wgdn_error err;
    int count = 0;
    for (const char *name; (name = wgdn_preset_name(count)); count++) {
        wgdn_train_options_init(&o);
        CHECK(wgdn_options_parse(WGDN_OPTIONS_KIND_TRAIN, &o, wgdn_preset_text(name), name, &err) ==
              WGDN_OK);
        CHECK(o.epochs >= (o.task == WGDN_TASK_GRAPH ? 10 : 100) && o.dim >= 512);
    }
    CHECK(count == 14);
    CHECK(wgdn_preset_text("nothing") == NULL);
    wgdn_train_options_init(&o);
    CHECK(wgdn_options_parse(WGDN_OPTIONS_KIND_TRAIN, &o, wgdn_preset_text("cora"), "cora", &err) ==
          WGDN_OK);
    CHECK_TEXT(o.kernel, "ppr");
    CHECK_TEXT(o.gamma, "0.1,1,10");
    CHECK(o.skip == WGDN_SKIP_SUM && o.average == WGDN_AVERAGE_COLUMN && o.embedding_activation);
    CHECK(o.beta == 0.9 && o.epochs == 100 && !o.binarize);
    CHECK(wgdn_options_parse(WGDN_OPTIONS_KIND_TRAIN, &o, "beta = 0.5\n\n; note\ndimm = 3\n",
                             "my.ini", &err) == WGDN_EINVAL);
    CHECK_TEXT(err.message,
               "my.ini, line 4: training options: there is no 'dimm'; did you mean 'dim'?");
    CHECK(o.beta == 0.9); /* all or nothing */
    wgdn_eval_options e;
    wgdn_eval_options_init(&e);
    CHECK(wgdn_options_parse(WGDN_OPTIONS_KIND_EVAL, &e, "[eval]\nfold = 5\n", "my.ini", &err) ==
          WGDN_EINVAL);
    CHECK_TEXT(err.message,
               "my.ini, line 2: evaluation options: there is no 'fold'; did you mean 'folds'?");
    CHECK(wgdn_options_parse(WGDN_OPTIONS_KIND_EVAL, &e, "[eval]\nl9q = 5\n", "my.ini", &err) ==
          WGDN_EINVAL);
    CHECK_TEXT(err.message, "my.ini, line 2: evaluation options: there is no 'l9q'");
    CHECK(wgdn_options_parse(WGDN_OPTIONS_KIND_TRAIN, &o, "beta\n", "my.ini", &err) == WGDN_EINVAL);
    CHECK(wgdn_options_parse(WGDN_OPTIONS_KIND_TRAIN, &o, "[model]\nbeta = 0.5 ; half\n", "my.ini",
                             &err) == WGDN_OK);
    CHECK(o.beta == 0.5);
}

/* Binarized is the same as having been binary all along. */
static void binarized(void)
{
    const int64_t src[] = {0, 1, 2}, dst[] = {1, 2, 3}, offset[] = {0, 1, 2, 3, 4};
    const int32_t column[] = {0, 1, 2, 0};
    const float value[] = {3, 0.5f, 7, 2}, dense[] = {3, 0, -1, 0, 0.5f, 0, 0, 0, 7, 2, 0, 0};
    const float ones[] = {1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 0, 0};
    wgdn_dataset_arrays a = {.struct_size = sizeof a,
                             .nodes = 4,
                             .edges = 3,
                             .source = src,
                             .target = dst,
                             .features = 3};
    wgdn_train_options o = options();
    wgdn_model *m[4] = {NULL};
    for (int form = 0; form < 4; form++) {
        wgdn_dataset *d = NULL;
        a.dense = form == 0 ? ones : form == 1 ? dense : NULL;
        a.feature_offset = form > 1 ? offset : NULL;
        a.feature_column = form > 1 ? column : NULL;
        a.feature_value = form == 2 ? value : NULL;
        o.binarize = form == 1 || form == 2;
        CHECK(wgdn_dataset_from_arrays(&d, &a, NULL) == WGDN_OK);
        m[form] = train(d, &o, NULL);
        if (form) CHECK(same_parameters(m[0], m[form]));
        wgdn_dataset_free(d);
    }
    for (int form = 0; form < 4; form++)
        wgdn_model_free(m[form]);
}

int main(void)
{
    scratch_begin();
    for (int i = 0; i < 2; i++) {
        precision = i ? WGDN_PRECISION_BF16 : WGDN_PRECISION_FP32;
        printf("in %s\n", i ? "bf16" : "fp32");
        RUN(the_loss_falls);
        RUN(any_threads);
        RUN(resumed_is_the_same);
        RUN(checkpoints_of_others);
        RUN(checkpoints_that_are_not_there);
        RUN(checkpoints_that_fail);
        RUN(saved_and_loaded);
        RUN(allocations);
        RUN(misuse);
    }
    precision = WGDN_PRECISION_FP32;
    RUN(near_fp32);
    RUN(stopped_is_shorter);
    RUN(longer_runs_go_on);
    RUN(other_features_are_refused);
    RUN(without_features);
    RUN(numbers_that_explode);
    RUN(explained);
    RUN(options_by_name);
    RUN(options_as_text);
    RUN(presets_and_configurations);
    RUN(binarized);
    scratch_end();
    return check_result();
}
