/* SPDX-License-Identifier: Apache-2.0 */
#define _DEFAULT_SOURCE /* mkdtemp */
/* Runs that collapse or diverge are named, and those that do not are left alone. */
#include "scratch.h"
#include "support.h"
#include "train/health.h"
#include "train/train.h"
#include "vectors.h"

enum { N = 200, F = 12, EDGES = 600 };

static int64_t source[EDGES], target[EDGES];
static float x[N * F];

/* Random edges and features; those of column 0 positive, times `first`, and then all of them times `all`. */
static wgdn_dataset *dataset(float first, float all)
{
    const wgdn_stream s = {.seed = 5, .call = 3};
    wgdn_dataset_arrays a = {.struct_size = sizeof a,
                             .nodes = N,
                             .edges = EDGES,
                             .source = source,
                             .target = target,
                             .features = F,
                             .dense = x};
    wgdn_dataset *d = NULL;
    for (int64_t k = 0; k < EDGES; k++) {
        source[k] = wgdn_random_bits(s, k, 0) % N;
        target[k] = wgdn_random_bits(s, k, 1) % N;
    }
    wgdn_random_normals(x, F, s, 0, N, 0, F);
    for (int64_t i = 0; i < N * F; i++)
        x[i] = (i % F == 0 ? first * fabsf(x[i]) : x[i]) * all;
    CHECK(wgdn_dataset_from_arrays(&d, &a, NULL) == WGDN_OK);
    return d;
}

static wgdn_train_options options(void)
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
    wgdn_dataset *d = dataset(1, 1);
    wgdn_train_options o = options();
    wgdn_code_seen seen[2];
    wgdn_model *m = NULL;
    wgdn_workspace *w = NULL;
    wgdn_feed feed = {0};
    double loss;
    float *gram = matrix(WGDN_WATCHED_COLUMNS, WGDN_WATCHED_COLUMNS), *code = matrix(N, o.dim);
    CHECK(wgdn_model_make(&m, &o, F, NULL) == WGDN_OK);
    float *grad = matrix(m->layout.size, 1);
    m->at.encoder[1].bias[3] = 0;
    for (int64_t i = 0; i < o.dim; i++)
        m->at.encoder[1].weight[i * o.dim + 3] = 0; /* a column that is 0 for all nodes */
    CHECK(wgdn_feed_open(&feed, d, m, NULL) == WGDN_OK);
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
    CHECK_NEAR(seen[0].rank, naive_rank(code, N, o.dim), 1e-5 * seen[0].rank);
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
    const wgdn_train_options o = options();
    for (int i = 0; i < count; i++) {
        h.code = (wgdn_code_seen){.rank = rank[i], .columns = 40};
        h.fresh = true;
        if (wgdn_health_judge(&h, &k, &o, loss ? loss[i] : 10, i + 1)) return i + 1;
    }
    return 0;
}

static void judgements(void)
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
    const wgdn_train_options o = options();
    wgdn_train_options binary = o;
    wgdn_error err;
    binary.binarise = 1;
    CHECK(run_of(dataset(1e10f, 1), &o, NULL, &err) == WGDN_EHEALTH);
    CHECK(strstr(err.message, "column 0") && strstr(err.message, "--feature-scale"));
    CHECK(run_of(dataset(1, 1e-30f), &o, NULL, &err) == WGDN_EHEALTH);
    CHECK(strstr(err.message, "no feature is above") && strstr(err.message, "e-30"));
    CHECK(run_of(dataset(1, 1e-38f), &o, NULL, &err) == WGDN_EHEALTH);
    CHECK(run_of(dataset(1e4f, 1), &o, NULL, &err) == WGDN_EHEALTH); /* by its code */
    CHECK(strstr(err.message, "one direction") && strstr(err.message, "epoch 1:"));
    CHECK(run_of(dataset(1e10f, 1), &binary, NULL, &err) == WGDN_OK);
    CHECK(run_of(dataset(3, 1), &o, NULL, &err) == WGDN_OK);
    CHECK(run_of(dataset(1, 1e6f), &o, NULL, &err) == WGDN_OK);
    CHECK(run_of(dataset(1, 0.01f), &o, NULL, &err) == WGDN_OK);
}

typedef struct told {
    int calls, sick, stop_after;
    wgdn_progress last;
} told;

static int listen(const wgdn_progress *p, void *user)
{
    told *t = user;
    t->calls++;
    t->sick += p->sick && strstr(p->sick, "diverged");
    t->last = *p;
    return t->calls == t->stop_after;
}

/* The run ends before what went wrong is kept; or, with warn, it goes on and says so. */
static void learning_rate_of_10(void)
{
    wgdn_train_options o = options();
    told t = {0}, brief = {.stop_after = 3};
    const scratch_name file = scratch("diverges");
    wgdn_train_run run = {.struct_size = sizeof run, .progress = listen, .user = &t};
    wgdn_error err, again;
    wgdn_model *kept = NULL;
    o.learning_rate = 10;
    CHECK(run_of(dataset(1, 1), &o, &run, &err) == WGDN_EHEALTH && t.calls == 3);
    CHECK(strstr(err.message, "epoch 4: training diverged") && strstr(err.message, "none yet"));
    CHECK(strstr(err.message, "--learning-rate (10)") && strstr(err.message, "--beta (1)"));
    CHECK(t.last.rank > 1 && t.last.gradient > 0 && t.last.first_loss < t.last.loss);

    run.health = WGDN_HEALTH_WARN;
    CHECK(run_of(dataset(1, 1), &o, &run, &again) == WGDN_OK && t.calls == 3 + 8 && t.sick == 5);

    run.health = WGDN_HEALTH_STOP;
    run.checkpoint = file.text;
    run.checkpoint_every = 1;
    CHECK(run_of(dataset(1, 1), &o, &run, &err) == WGDN_EHEALTH);
    CHECK(strstr(err.message, "healthy checkpoint: ") && strstr(err.message, file.text));
    CHECK(wgdn_model_load(&kept, file.text, NULL) == WGDN_OK && kept->at_run.step == 1);
    wgdn_model_free(kept);
    remove(file.text);

    run.user = &brief; /* what it is judged by is in the checkpoint */
    CHECK(run_of(dataset(1, 1), &o, &run, &again) == WGDN_ESTOPPED);
    run.progress = NULL;
    CHECK(run_of(dataset(1, 1), &o, &run, &again) == WGDN_EHEALTH);
    CHECK(strncmp(again.message, err.message, strcspn(err.message, ";")) == 0);
    CHECK(strstr(again.message, "none yet")); /* what was kept on request was doubtful */
    remove(file.text);
}

static void allocations(void)
{
    wgdn_dataset *d = dataset(1, 1);
    wgdn_train_options o = options();
    wgdn_model *m = NULL;
    o.epochs = 1;
    CHECK_ALLOCATIONS(wgdn_model_train(&m, d, &o, NULL, NULL), wgdn_model_free(m));
    wgdn_dataset_free(d);
}

int main(void)
{
    scratch_begin();
    RUN(ranks_are_right);
    RUN(judgements);
    RUN(features_of_other_scales);
    RUN(learning_rate_of_10);
    RUN(allocations);
    scratch_end();
    return check_result();
}
