/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE /* mkdtemp, memmem */
/* Features that are held out of training, and when they end it. */
#include "dataset/matrix.h"
#include "model/held.h"
#include "scratch.h"
#include "support.h"
#include "train/stop.h"
#include "vectors.h"

enum { N = 120, F = 30, EDGES = 300 };

/* Nodes of two kinds with neighbours and columns of their own kind; the i-th row is node order[i]. */
static wgdn_dataset *dataset(bool reversed, bool sparse)
{
    static int64_t source[EDGES], target[EDGES], offset[N + 1];
    static int32_t column[N * F];
    static float x[N * F];
    static char name[N][8];
    static const char *ids[N];
    const wgdn_stream s = {.seed = 5, .call = 3};
    wgdn_dataset_arrays a = {.struct_size = sizeof a,
                             .nodes = N,
                             .edges = EDGES,
                             .source = source,
                             .target = target,
                             .id = ids,
                             .features = F};
    wgdn_dataset *d = NULL;
    int64_t entries = 0;
    for (int64_t k = 0; k < EDGES; k++) {
        const int64_t u = wgdn_random_bits(s, k, 0) % N;
        const int64_t v = wgdn_random_bits(s, k, 1) % (N / 2) + u / (N / 2) * (N / 2);
        source[k] = reversed ? N - 1 - u : u;
        target[k] = reversed ? N - 1 - v : v;
    }
    for (int64_t i = 0; i < N; i++) {
        const int64_t node = reversed ? N - 1 - i : i;
        snprintf(name[i], sizeof name[i], "n%d", (int)node);
        ids[i] = name[i];
        for (int64_t j = 0; j < F; j++) {
            const bool own = j / (F / 2) == node / (N / 2);
            const bool one = wgdn_random_bits(s, 1000 + node, j) % 100 < (own ? 40 : 5);
            x[i * F + j] = one ? 1 : 0;
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

static wgdn_train_options options(void)
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
    wgdn_dataset *d = dataset(reversed, sparse);
    wgdn_train_options o = options();
    wgdn_model *m = NULL;
    wgdn_feed feed = {0};
    int64_t wrong = 0;
    CHECK(wgdn_model_make(&m, &o, F, NULL) == WGDN_OK);
    CHECK(wgdn_feed_open_training(&feed, d, m, NULL) == WGDN_OK);
    const wgdn_held *h = feed.input.held;
    memset(map, 0, (size_t)N * F);
    for (int64_t i = 0; i < N; i++)
        for (int64_t k = h->offset[i]; k < h->offset[i + 1]; k++) {
            map[(reversed ? N - 1 - i : i) * F + h->column[k]] = 1;
            wrong += h->truth[k] != 1;
            wrong +=
                (feed.input.sparse ? feed.input.sparse->value : feed.input.dense)[h->entry[k]] != 0;
        }
    CHECK(wrong == 0 && (feed.input.sparse != NULL) == (sparse && wgdn_matrix_is_sparse(d)));
    wgdn_feed_free(&feed);
    CHECK(wgdn_feed_open(&feed, d, m, NULL) == WGDN_OK); /* embedding sees all of X */
    CHECK(!feed.input.held);
    wgdn_feed_free(&feed);
    wgdn_model_free(m);
    wgdn_dataset_free(d);
    int64_t count = 0;
    for (int64_t i = 0; i < (int64_t)N * F; i++)
        count += map[i];
    return count;
}

/* A tenth of some 800, whatever the order of rows and the form of X. */
static void held_by_id(void)
{
    static char one[N * F], other[N * F];
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
    wgdn_input in = {.rows = wgdn_alone(ROWS), .features = COLUMNS, .dense = dense};
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

typedef struct told {
    int64_t stop_after;
    wgdn_progress last;
} told;

static int listen(const wgdn_progress *p, void *user)
{
    told *t = user;
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
    wgdn_model_get_info(&i, m);
    return i;
}

/* It stops before the limit, has the best parameters, and says so; in its file, too. */
static void stops_and_tells(void)
{
    wgdn_dataset *d = dataset(false, false);
    wgdn_train_options o = options();
    told t = {0};
    const wgdn_train_run run = {.struct_size = sizeof run, .progress = listen, .user = &t};
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
        wgdn_dataset *d = dataset(false, form % 2);
        wgdn_train_options o = options();
        o.norm = form / 2 ? WGDN_NORM_BATCH : WGDN_NORM_NONE;
        o.threads = 1;
        wgdn_model *m = train(d, &o, NULL);
        const int64_t last = end_of(m).epochs;
        CHECK(wgdn_model_save(m, whole.text, NULL) == WGDN_OK);
        wgdn_model_free(m);
        told t = {0};
        wgdn_train_run run = {
            .struct_size = sizeof run, .progress = listen, .user = &t, .checkpoint = kept.text};
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
    wgdn_dataset *d = dataset(false, false);
    wgdn_train_options o = options();
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

static void allocations(void)
{
    wgdn_dataset *d = dataset(false, true);
    wgdn_train_options o = options();
    wgdn_model *m = NULL;
    o.epochs = 1;
    CHECK_ALLOCATIONS(wgdn_model_train(&m, d, &o, NULL, NULL), wgdn_model_free(m));
    wgdn_dataset_free(d);
}

int main(void)
{
    scratch_begin();
    RUN(rule);
    RUN(held_by_id);
    RUN(held_of_many);
    RUN(stops_and_tells);
    RUN(resumed_is_the_same);
    RUN(off_is_as_before);
    RUN(allocations);
    scratch_end();
    return check_result();
}
