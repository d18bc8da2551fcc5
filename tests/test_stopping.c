/* SPDX-License-Identifier: Apache-2.0 */
/* When training stops: health and held-out features. */
#define _GNU_SOURCE
#include "scratch.h"
#include "support.h"
#include "vectors.h"

#include "data/dataset.h"
#include "model/stopping.h"
#include "model/train.h"

/* ---- stop ---- */

/* Features that are held out of training, and when they end it. */

enum { STOP_N = 120, STOP_F = 30, STOP_EDGES = 300 };

/* Nodes of two kinds with neighbors and columns of their own kind; the i-th row is node order[i]. */
static wgdn_dataset *stop_dataset(bool reversed, bool sparse)
{
    static int64_t source[STOP_EDGES], target[STOP_EDGES], offset[STOP_N + 1];
    static int32_t column[STOP_N * STOP_F];
    static float x[STOP_N * STOP_F];
    static char name[STOP_N][8];
    static const char *ids[STOP_N];
    const wgdn_stream s = {.seed = 5, .call = 3};
    wgdn_dataset_arrays a = {.struct_size = sizeof a,
                             .nodes = STOP_N,
                             .edges = STOP_EDGES,
                             .source = source,
                             .target = target,
                             .id = ids,
                             .features = STOP_F};
    wgdn_dataset *d = NULL;
    int64_t entries = 0;
    for (int64_t k = 0; k < STOP_EDGES; k++) {
        const int64_t u = wgdn_random_bits(s, k, 0) % STOP_N;
        const int64_t v =
            wgdn_random_bits(s, k, 1) % (STOP_N / 2) + u / (STOP_N / 2) * (STOP_N / 2);
        source[k] = reversed ? STOP_N - 1 - u : u;
        target[k] = reversed ? STOP_N - 1 - v : v;
    }
    for (int64_t i = 0; i < STOP_N; i++) {
        const int64_t node = reversed ? STOP_N - 1 - i : i;
        snprintf(name[i], sizeof name[i], "n%d", (int)node);
        ids[i] = name[i];
        for (int64_t j = 0; j < STOP_F; j++) {
            const bool own = j / (STOP_F / 2) == node / (STOP_N / 2);
            const bool one = wgdn_random_bits(s, 1000 + node, j) % 100 < (own ? 40 : 5);
            x[i * STOP_F + j] = one ? 1 : 0;
            if (one) column[entries++] = (int32_t)j;
        }
        offset[i + 1] = entries;
    }
    if (sparse) {
        a.feature_offset = offset;
        a.feature_column = column;
    } else {
        a.dense = x;
    }
    CHECK(wgdn_dataset_from_arrays(&d, &a, NULL) == WGDN_OK);
    return d;
}

static wgdn_train_options stop_options(void)
{
    wgdn_train_options o;
    wgdn_train_options_init(&o);
    o.dim = 16;
    o.epochs = 400;
    o.patience = 20;
    o.learning_rate = 0.01;
    return o;
}

/* The rule alone: epochs of errors, until it stops. */
static int64_t stops_at(const double *error, int count, int64_t patience, wgdn_run_stop *s)
{
    *s = (wgdn_run_stop){0};
    for (int64_t epoch = 0, i = 0; i < count; epoch++) {
        if (!wgdn_stop_due(epoch)) continue;
        (void)wgdn_stop_better(s, error[i++], epoch);
        if (wgdn_stop_done(s, epoch, patience)) return epoch;
    }
    return -1;
}

static void rule(void)
{
    const double falls[] = {8, 7, 6, 5, 4, 3, 2, 1}, turns[] = {8, 6, 5, 5.1, 5.2, 5.3, 4, 3};
    const double creeps[] = {8, 7.99, 7.98, 7.97, 7.98}, zero[] = {0, 0, 0};
    wgdn_run_stop s;
    CHECK(stops_at(falls, 8, 5, &s) == -1 && s.epoch == 35);
    CHECK(stops_at(turns, 8, 15, &s) == 25 && s.epoch == 10 && s.best == 5 && s.error == 5.3);
    CHECK(stops_at(turns, 8, 16, &s) == -1 && s.epoch == 35 && s.best == 3);
    CHECK(stops_at(creeps, 5, 10, &s) == 10 && s.epoch == 10); /* less than 0.5 % buys no time */
    CHECK(stops_at(creeps, 5, 16, &s) == 20 && s.epoch == 15 && s.best == 7.97 && s.mark == 8);
    CHECK(stops_at(zero, 3, 5, &s) == 5);
}

/* What is held out of a dataset, as 1 at (node, column) in an array. */
static int64_t held_of(char *map, bool reversed, bool sparse)
{
    wgdn_dataset *d = stop_dataset(reversed, sparse);
    wgdn_train_options o = stop_options();
    wgdn_model *m = NULL;
    wgdn_feed feed = {0};
    int64_t wrong = 0;
    CHECK(wgdn_model_make(&m, &o, STOP_F, NULL) == WGDN_OK);
    CHECK(wgdn_feed_open(&feed, d, m, true, NULL) == WGDN_OK);
    const wgdn_held *h = feed.input.held;
    memset(map, 0, (size_t)STOP_N * STOP_F);
    for (int64_t i = 0; i < STOP_N; i++)
        for (int64_t k = h->offset[i]; k < h->offset[i + 1]; k++) {
            map[(reversed ? STOP_N - 1 - i : i) * STOP_F + h->column[k]] = 1;
            wrong += h->truth[k] != 1;
            wrong +=
                (feed.input.sparse ? feed.input.sparse->value : feed.input.dense)[h->entry[k]] != 0;
        }
    CHECK(wrong == 0 && (feed.input.sparse != NULL) == (sparse && wgdn_matrix_is_sparse(d)));
    wgdn_feed_free(&feed);
    CHECK(wgdn_feed_open(&feed, d, m, false, NULL) == WGDN_OK); /* embedding sees all of X */
    CHECK(!feed.input.held);
    wgdn_feed_free(&feed);
    wgdn_model_free(m);
    wgdn_dataset_free(d);
    int64_t count = 0;
    for (int64_t i = 0; i < (int64_t)STOP_N * STOP_F; i++)
        count += map[i];
    return count;
}

/* A tenth of some 800, whatever the order of rows and the form of X. */
static void held_by_id(void)
{
    static char one[STOP_N * STOP_F], other[STOP_N * STOP_F];
    const int64_t count = held_of(one, false, false);
    CHECK(count > 50 && count < 120);
    CHECK(held_of(other, true, false) == count && memcmp(one, other, sizeof one) == 0);
    CHECK(held_of(other, false, true) == count && memcmp(one, other, sizeof one) == 0);
}

/* Of a large X it is some 4000: 5 deviations of a binomial are 316. */
static void held_of_many(void)
{
    enum { ROWS = 2000, COLUMNS = 100 };
    float *dense = matrix(ROWS, COLUMNS);
    uint64_t *key = wgdn_alloc(ROWS, sizeof *key);
    wgdn_held h;
    wgdn_model_input in = {.rows = wgdn_alone(ROWS), .features = COLUMNS, .dense = dense};
    for (int64_t i = 0; i < (int64_t)ROWS * COLUMNS; i++)
        dense[i] = 2;
    for (uint64_t i = 0; i < ROWS; i++)
        key[i] = i << 20;
    CHECK(wgdn_held_take(&h, &in, NULL, key, 1, NULL) == WGDN_OK);
    CHECK(h.all > 4000 - 316 && h.all < 4000 + 316 && h.zeros == 0);
    wgdn_held_free(&h);
    wgdn_release(key);
    wgdn_release(dense);
}

typedef struct stop_told {
    int64_t stop_after;
    wgdn_progress last;
} stop_told;

static int stop_listen(void *user, const wgdn_progress *p)
{
    stop_told *t = user;
    t->last = *p;
    return p->epoch == t->stop_after;
}

static wgdn_model *train(const wgdn_dataset *d, const wgdn_train_options *o,
                         const wgdn_train_run *run)
{
    wgdn_model *m = NULL;
    wgdn_error err = {WGDN_OK, ""};
    const wgdn_status st = wgdn_model_train(&m, d, o, run, &err);
    CHECK(st == WGDN_OK || st == WGDN_ESTOPPED);
    if (st && st != WGDN_ESTOPPED) printf("     %s\n", err.message);
    return m;
}

static bool same_bytes(const char *a, const char *b)
{
    wgdn_bytes x = {0}, y = {0};
    CHECK(wgdn_bytes_map(&x, a, NULL) == WGDN_OK && wgdn_bytes_map(&y, b, NULL) == WGDN_OK);
    const bool same = x.size == y.size && memcmp(x.data, y.data, x.size) == 0;
    wgdn_bytes_free(&x);
    wgdn_bytes_free(&y);
    return same;
}

static wgdn_model_info end_of(const wgdn_model *m)
{
    wgdn_model_info i = {.struct_size = sizeof i};
    wgdn_model_describe(&i, m);
    return i;
}

/* It stops before the limit, has the best parameters, and says so; in its file, too. */
static void stops_and_tells(void)
{
    wgdn_dataset *d = stop_dataset(false, false);
    wgdn_train_options o = stop_options();
    stop_told t = {0};
    const wgdn_train_run run = {
        .struct_size = sizeof run, .progress = stop_listen, .progress_user = &t};
    const scratch_name file = scratch("model");
    wgdn_model *back = NULL, *m = train(d, &o, &run);
    const wgdn_model_info i = end_of(m);
    printf("     stopped after %d epochs, best after %d, error %.3f\n", (int)i.epochs,
           (int)i.best_epoch, i.held_out);
    CHECK(i.epochs < o.epochs && i.epochs >= o.patience);
    CHECK(i.best_epoch > 0 && i.best_epoch <= i.epochs);
    CHECK(t.last.epoch == i.epochs && t.last.best_epoch == i.best_epoch);
    CHECK(t.last.best_held_out == i.held_out && i.held_out > 0 && i.held_out < 1);
    CHECK(wgdn_model_save(m, file.text, NULL) == WGDN_OK);
    CHECK(wgdn_model_load(&back, file.text, NULL) == WGDN_OK);
    const wgdn_model_info j = end_of(back);
    CHECK(j.epochs == i.epochs && j.best_epoch == i.best_epoch && j.held_out == i.held_out);
    CHECK(back->options.patience == o.patience);

    o.epochs = (int)i.best_epoch; /* the limit comes first: the same run, cut off */
    wgdn_model *cut = train(d, &o, NULL);
    CHECK(end_of(cut).epochs == o.epochs && end_of(cut).best_epoch < o.epochs);
    wgdn_model_free(cut);
    wgdn_model_free(back);
    wgdn_model_free(m);
    remove(file.text);
    wgdn_dataset_free(d);
}

/* Stopped by the user wherever it is, and resumed, the file has the same bytes; for any threads. */
static void resumed_is_the_same(void)
{
    const scratch_name whole = scratch("whole"), parts = scratch("parts"), kept = scratch("kept");
    for (int form = 0; form < 4; form++) {
        wgdn_dataset *d = stop_dataset(false, form % 2);
        wgdn_train_options o = stop_options();
        o.norm = form / 2 ? WGDN_NORM_BATCH : WGDN_NORM_NONE;
        o.threads = 1;
        wgdn_model *m = train(d, &o, NULL);
        const int64_t last = end_of(m).epochs;
        CHECK(wgdn_model_save(m, whole.text, NULL) == WGDN_OK);
        wgdn_model_free(m);
        stop_told t = {0};
        wgdn_train_run run = {.struct_size = sizeof run,
                              .progress = stop_listen,
                              .progress_user = &t,
                              .checkpoint = kept.text};
        o.threads = 2;
        for (int64_t stop = 7; stop < last; stop += 13) {
            t.stop_after = stop;
            m = train(d, &o, &run);
            CHECK(!m);
        }
        t.stop_after = last; /* and once more just before it would end by itself */
        m = train(d, &o, &run);
        CHECK(!m);
        t.stop_after = 0;
        m = train(d, &o, &run);
        CHECK(m && wgdn_model_save(m, parts.text, NULL) == WGDN_OK);
        CHECK(same_bytes(whole.text, parts.text));
        wgdn_model_free(m);
        remove(kept.text);
        wgdn_dataset_free(d);
    }
    remove(whole.text);
    remove(parts.text);
}

/* Without patience nothing of it is in a file, and nothing is held out. */
static void off_is_as_before(void)
{
    wgdn_dataset *d = stop_dataset(false, false);
    wgdn_train_options o = stop_options();
    const scratch_name file = scratch("off");
    wgdn_bytes bytes = {0};
    o.patience = 0;
    o.epochs = 3;
    wgdn_model *m = train(d, &o, NULL);
    CHECK(end_of(m).epochs == 0 && wgdn_model_save(m, file.text, NULL) == WGDN_OK);
    CHECK(wgdn_bytes_map(&bytes, file.text, NULL) == WGDN_OK);
    CHECK(!memmem(bytes.data, bytes.size, "patience", 8) &&
          !memmem(bytes.data, bytes.size, "best", 4));
    wgdn_bytes_free(&bytes);
    wgdn_model_free(m);
    remove(file.text);
    wgdn_dataset_free(d);
}

static void stop_allocations(void)
{
    wgdn_dataset *d = stop_dataset(false, true);
    wgdn_train_options o = stop_options();
    wgdn_model *m = NULL;
    o.epochs = 1;
    CHECK_ALLOCATIONS(wgdn_model_train(&m, d, &o, NULL, NULL), wgdn_model_free(m));
    wgdn_dataset_free(d);
}

static int stop_tests(void)
{
    scratch_begin();
    RUN(rule);
    RUN(held_by_id);
    RUN(held_of_many);
    RUN(stops_and_tells);
    RUN(resumed_is_the_same);
    RUN(off_is_as_before);
    RUN(stop_allocations);
    scratch_end();
    return check_result();
}

/* ---- health ---- */

/* Runs that collapse or diverge are named, and those that do not are left alone. */

enum { HEALTH_N = 200, HEALTH_F = 12, HEALTH_EDGES = 600 };

static int64_t health_source[HEALTH_EDGES], health_target[HEALTH_EDGES];
static float health_x[HEALTH_N * HEALTH_F];

/* Random edges and features; those of column 0 positive, times `first`, and then all of them times `all`. */
static wgdn_dataset *health_dataset(float first, float all)
{
    const wgdn_stream s = {.seed = 5, .call = 3};
    wgdn_dataset_arrays a = {.struct_size = sizeof a,
                             .nodes = HEALTH_N,
                             .edges = HEALTH_EDGES,
                             .source = health_source,
                             .target = health_target,
                             .features = HEALTH_F,
                             .dense = health_x};
    wgdn_dataset *d = NULL;
    for (int64_t k = 0; k < HEALTH_EDGES; k++) {
        health_source[k] = wgdn_random_bits(s, k, 0) % HEALTH_N;
        health_target[k] = wgdn_random_bits(s, k, 1) % HEALTH_N;
    }
    wgdn_random_normals(health_x, HEALTH_F, s, 0, HEALTH_N, 0, HEALTH_F);
    for (int64_t i = 0; i < HEALTH_N * HEALTH_F; i++)
        health_x[i] = (i % HEALTH_F == 0 ? first * fabsf(health_x[i]) : health_x[i]) * all;
    CHECK(wgdn_dataset_from_arrays(&d, &a, NULL) == WGDN_OK);
    return d;
}

static wgdn_train_options health_options(void)
{
    wgdn_train_options o;
    wgdn_train_options_init(&o);
    o.dim = 40;
    o.epochs = 8;
    return o;
}

/* The definition, in double, on rows of length 1. */
static double naive_rank(const float *code, int64_t n, int64_t h)
{
    double trace = 0, squares = 0, *g = calloc((size_t)(h * h), sizeof *g);
    for (int64_t i = 0; i < n; i++) {
        double length = 0;
        for (int64_t j = 0; j < h; j++)
            length += (double)code[i * h + j] * (double)code[i * h + j];
        for (int64_t j = 0; j < h; j++)
            for (int64_t k = 0; k < h && length > 0; k++)
                g[j * h + k] += (double)code[i * h + j] * (double)code[i * h + k] / length;
    }
    for (int64_t i = 0; i < h * h; i++) {
        squares += g[i] * g[i];
        trace += i % (h + 1) == 0 ? g[i] : 0;
    }
    free(g);
    return trace * trace / squares;
}

/* Rounding of floats and their sum: 1e-5. */
static void ranks_are_right(void)
{
    wgdn_dataset *d = health_dataset(1, 1);
    wgdn_train_options o = health_options();
    wgdn_code_seen seen[2];
    wgdn_model *m = NULL;
    wgdn_workspace *w = NULL;
    wgdn_feed feed = {0};
    double loss;
    float *gram = matrix(WGDN_WATCHED_COLUMNS, WGDN_WATCHED_COLUMNS),
          *code = matrix(HEALTH_N, o.dim);
    CHECK(wgdn_model_make(&m, &o, HEALTH_F, NULL) == WGDN_OK);
    float *grad = matrix(m->layout.size, 1);
    m->at.encoder[1].bias[3] = 0;
    for (int64_t i = 0; i < o.dim; i++)
        m->at.encoder[1].weight[i * o.dim + 3] = 0; /* a column that is 0 for all nodes */
    CHECK(wgdn_feed_open(&feed, d, m, false, NULL) == WGDN_OK);
    CHECK(wgdn_workspace_new(&w, m, &feed.input, true, NULL) == WGDN_OK);
    const wgdn_pass pass = wgdn_pass_of(m, w, wgdn_dataset_get_graph(d), &feed.input, 0);
    for (int i = 0; i < 2; i++) {
        wgdn_threads_use(i ? 4 : 1);
        CHECK(wgdn_step(&loss, grad, &pass, NULL) == WGDN_OK);
        CHECK(wgdn_watch_code(&seen[i], gram, &pass, NULL) == WGDN_OK);
    }
    wgdn_threads_use(0);
    CHECK(memcmp(&seen[0], &seen[1], sizeof seen[0]) == 0);
    CHECK(wgdn_encode(code, m, w, wgdn_dataset_get_graph(d), &feed.input, NULL) == WGDN_OK);
    CHECK_NEAR(seen[0].rank, naive_rank(code, HEALTH_N, o.dim), 1e-5 * seen[0].rank);
    CHECK(seen[0].rank > 1.1 && seen[0].columns == o.dim);
    CHECK_NEAR(seen[0].dead, 1.0 / o.dim, 1e-12);
    wgdn_workspace_free(w);
    wgdn_feed_free(&feed);
    wgdn_model_free(m);
    wgdn_release(grad);
    wgdn_release(code);
    wgdn_release(gram);
    wgdn_dataset_free(d);
}

/* An epoch each: the epoch that is judged to be sick, or 0. loss 0: the same as at first. */
static int first_sick(const double *rank, const double *loss, int count)
{
    wgdn_health h = {.features = {.top = 1, .others = 1}};
    wgdn_run_health k = {0};
    const wgdn_train_options o = health_options();
    for (int i = 0; i < count; i++) {
        h.code = (wgdn_code_seen){.rank = rank[i], .columns = 40};
        h.fresh = true;
        if (wgdn_health_judge(&h, &k, &o, loss ? loss[i] : 10, i + 1)) return i + 1;
    }
    return 0;
}

static void judgments(void)
{
    const double cora64[] = {4.85, 1.46, 1.046, 1.0135, 1.022, 1.043, 1.8}; /* dips, recovers */
    const double dips[] = {1.29, 1.003, 1.008, 1.003, 1.02};                /* but for a moment */
    const double photo64[] = {1.33, 1.0109, 1.0072, 1.0037, 1.0025, 1.0015};
    const double line[] = {1.0001, 1.00005, 1.00001, 1, 1, 1};
    const double good[] = {2, 2, 2, 2, 2, 2}, loss[] = {10, 12, 50, 41, 41, 8};
    const double peak[] = {10, 99, 99, 9, 99, 99}, falls[] = {10, 5, 4, 3, 2, 1};
    CHECK(first_sick(cora64, NULL, 7) == 0);
    CHECK(first_sick(dips, NULL, 5) == 0);
    CHECK(first_sick(photo64, NULL, 6) == 5);
    CHECK(first_sick(line, NULL, 6) == 0); /* it never was better: of one feature, for example */
    CHECK(first_sick(good, loss, 6) == 5);
    CHECK(first_sick(good, peak, 6) == 0);
    CHECK(first_sick(good, falls, 6) == 0);
}

static wgdn_status run_of(wgdn_dataset *d, const wgdn_train_options *o, const wgdn_train_run *run,
                          wgdn_error *err)
{
    wgdn_model *m = NULL;
    *err = (wgdn_error){WGDN_OK, ""};
    const wgdn_status st = wgdn_model_train(&m, d, o, run, err);
    CHECK((st == WGDN_OK) == (m != NULL));
    wgdn_model_free(m);
    wgdn_dataset_free(d);
    return st;
}

/* Scales that training cannot bridge are refused before the first epoch; others are not. */
static void features_of_other_scales(void)
{
    const wgdn_train_options o = health_options();
    wgdn_train_options binary = o;
    wgdn_error err;
    binary.binarize = 1;
    CHECK(run_of(health_dataset(1e10f, 1), &o, NULL, &err) == WGDN_EHEALTH);
    CHECK(strstr(err.message, "column 0") && strstr(err.message, "--feature-scale"));
    CHECK(run_of(health_dataset(1, 1e-30f), &o, NULL, &err) == WGDN_EHEALTH);
    CHECK(strstr(err.message, "no feature is above") && strstr(err.message, "e-30"));
    CHECK(run_of(health_dataset(1, 1e-38f), &o, NULL, &err) == WGDN_EHEALTH);
    CHECK(run_of(health_dataset(1e4f, 1), &o, NULL, &err) == WGDN_EHEALTH); /* by its code */
    CHECK(strstr(err.message, "one direction") && strstr(err.message, "epoch 1:"));
    CHECK(run_of(health_dataset(1e10f, 1), &binary, NULL, &err) == WGDN_OK);
    CHECK(run_of(health_dataset(3, 1), &o, NULL, &err) == WGDN_OK);
    CHECK(run_of(health_dataset(1, 1e6f), &o, NULL, &err) == WGDN_OK);
    CHECK(run_of(health_dataset(1, 0.01f), &o, NULL, &err) == WGDN_OK);
}

typedef struct health_told {
    int calls, sick, stop_after;
    wgdn_progress last;
} health_told;

static int health_listen(void *user, const wgdn_progress *p)
{
    health_told *t = user;
    t->calls++;
    t->sick += p->sick && strstr(p->sick, "diverged");
    t->last = *p;
    return t->calls == t->stop_after;
}

/* The run ends before what went wrong is kept; or, with warn, it goes on and says so. */
static void learning_rate_of_10(void)
{
    wgdn_train_options o = health_options();
    health_told t = {0}, brief = {.stop_after = 3};
    const scratch_name file = scratch("diverges");
    wgdn_train_run run = {
        .struct_size = sizeof run, .progress = health_listen, .progress_user = &t};
    wgdn_error err, again;
    wgdn_model *kept = NULL;
    o.learning_rate = 10;
    CHECK(run_of(health_dataset(1, 1), &o, &run, &err) == WGDN_EHEALTH && t.calls == 3);
    CHECK(strstr(err.message, "epoch 4: training diverged") && strstr(err.message, "none yet"));
    CHECK(strstr(err.message, "--learning-rate (10)") && strstr(err.message, "--beta (1)"));
    CHECK(t.last.rank > 1 && t.last.gradient > 0 && t.last.first_loss < t.last.loss);

    run.health = WGDN_HEALTH_POLICY_WARN;
    CHECK(run_of(health_dataset(1, 1), &o, &run, &again) == WGDN_OK && t.calls == 3 + 8 &&
          t.sick == 5);

    run.health = WGDN_HEALTH_POLICY_STOP;
    run.checkpoint = file.text;
    run.checkpoint_every = 1;
    CHECK(run_of(health_dataset(1, 1), &o, &run, &err) == WGDN_EHEALTH);
    CHECK(strstr(err.message, "healthy checkpoint: ") && strstr(err.message, file.text));
    CHECK(wgdn_model_load(&kept, file.text, NULL) == WGDN_OK && kept->at_run.step == 1);
    wgdn_model_free(kept);
    remove(file.text);

    run.progress_user = &brief; /* what it is judged by is in the checkpoint */
    CHECK(run_of(health_dataset(1, 1), &o, &run, &again) == WGDN_ESTOPPED);
    run.progress = NULL;
    CHECK(run_of(health_dataset(1, 1), &o, &run, &again) == WGDN_EHEALTH);
    CHECK(strncmp(again.message, err.message, strcspn(err.message, ";")) == 0);
    CHECK(strstr(again.message, "none yet")); /* what was kept on request was doubtful */
    remove(file.text);
}

static void health_allocations(void)
{
    wgdn_dataset *d = health_dataset(1, 1);
    wgdn_train_options o = health_options();
    wgdn_model *m = NULL;
    o.epochs = 1;
    CHECK_ALLOCATIONS(wgdn_model_train(&m, d, &o, NULL, NULL), wgdn_model_free(m));
    wgdn_dataset_free(d);
}

static int health_tests(void)
{
    scratch_begin();
    RUN(ranks_are_right);
    RUN(judgments);
    RUN(features_of_other_scales);
    RUN(learning_rate_of_10);
    RUN(health_allocations);
    scratch_end();
    return check_result();
}

int main(int argc, char **argv)
{
    static const check_group groups[] = {
        {"stop", stop_tests},
        {"health", health_tests},
    };
    return check_groups(groups, sizeof groups / sizeof *groups, argc, argv);
}
