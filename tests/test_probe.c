/* SPDX-License-Identifier: Apache-2.0 */
/* The probe against golden.json and the plain reference, both protocols, and runs as a whole. */
#include "eval/probe.h"
#include "golden/golden.h"
#include "support.h"
#include "vectors.h"

enum { NODES = 6, D = 4, CLASSES = 3, STEPS = 5, SIZE = (D + 1) * CLASSES };

/* The file's W is classes x D; ours lies the other way. */
static void turn(double *out, const double *p)
{
    for (int j = 0; j < D; j++)
        for (int k = 0; k < CLASSES; k++)
            out[j * CLASSES + k] = p[k * D + j];
    for (int k = 0; k < CLASSES; k++)
        out[D * CLASSES + k] = p[CLASSES * D + k];
}

/*
 * Five steps in float, dense and sparse. Nine digits in the file, and float sums of a few terms of
 * order one: 2e-6 of the largest parameter.
 */
static void golden(bool sparse)
{
    double Z[NODES * D], number[NODES], p[SIZE], want[SIZE], turned[SIZE], losses[STEPS];
    float x[NODES * D];
    int32_t label[NODES], column[NODES * D];
    int64_t row[NODES + 1], offset[NODES + 1];
    json_t *root = golden_load(), *node = golden_at(root, "linear_probe");
    CHECK(golden_read(Z, NODES * D, golden_at(node, "Z")) == NODES * D);
    CHECK(golden_read(number, NODES, golden_at(node, "labels")) == NODES);
    CHECK(golden_read(p, SIZE, golden_at(node, "W0")) == D * CLASSES);
    CHECK(golden_read(p + D * CLASSES, CLASSES, golden_at(node, "b0")) == CLASSES);
    CHECK(golden_read(want, SIZE, golden_at(node, "W_after_5")) == D * CLASSES);
    CHECK(golden_read(want + D * CLASSES, CLASSES, golden_at(node, "b_after_5")) == CLASSES);
    CHECK(golden_read(losses, STEPS, golden_at(node, "loss_per_step")) == STEPS);
    for (int i = 0; i < NODES * D; i++) {
        x[i] = (float)Z[i];
        column[i] = i % D;
    }
    for (int i = 0; i <= NODES; i++) {
        row[i] = i;
        offset[i] = (int64_t)i * D;
        if (i < NODES) label[i] = (int32_t)number[i];
    }
    wgdn_csr a = {NODES, D, offset, column, x}, at = {0};
    CHECK(wgdn_csr_transpose(&at, &a, NULL) == WGDN_OK);
    const wgdn_probe_input in = {.n = NODES,
                                 .width = D,
                                 .classes = CLASSES,
                                 .dense = sparse ? NULL : x,
                                 .sparse = sparse ? &a : NULL,
                                 .transposed = sparse ? &at : NULL};
    const wgdn_parts parts = {.train = NODES, .row = row, .label = label};
    wgdn_probe probe;
    CHECK(wgdn_probe_open(&probe, &in, &parts, NULL) == WGDN_OK);
    CHECK(wgdn_probe_start(&probe, 1, 0, NULL) == WGDN_OK);
    turn(turned, p);
    for (int i = 0; i < SIZE; i++)
        probe.param[i] = (float)turned[i];
    for (int t = 0; t < STEPS; t++) {
        wgdn_glance g;
        CHECK(wgdn_probe_look(&probe, &g, NULL) == WGDN_OK);
        CHECK_NEAR(g.loss, losses[t], 2e-6);
        CHECK(wgdn_probe_step(&probe, golden_number(golden_at(node, "lr")),
                              golden_number(golden_at(node, "weight_decay")), NULL) == WGDN_OK);
    }
    turn(turned, want);
    CHECK_NEAR(distance(probe.param, turned, SIZE), 0, 2e-6);
    wgdn_probe_close(&probe);
    wgdn_csr_free(&at);
    json_decref(root);
}

static void golden_dense(void)
{
    golden(false);
}

static void golden_sparse(void)
{
    golden(true);
}

/*
 * validation  5 7 7 6 7 8 8     test  50 60 65 90 58 40 45
 * Honest: the first 8, test 40. Published: the best among steps that tie or beat, 65; the 90 came
 * when validation had fallen.
 */
static void protocols(void)
{
    static const int val[] = {5, 7, 7, 6, 7, 8, 8}, test[] = {50, 60, 65, 90, 58, 40, 45};
    static const bool best[] = {true, true, false, false, false, true, false};
    wgdn_race r = {0}, blind = {0};
    for (int t = 0; t < 7; t++) {
        CHECK(wgdn_race_note(&r, val[t], test[t], true) == best[t]);
        CHECK(wgdn_race_note(&blind, 0, test[t], false));
    }
    CHECK(r.honest == 40 && r.published == 65);
    CHECK(blind.honest == 45 && blind.published == 90); /* nothing to validate: the last step */
    wgdn_race zero = {0};
    CHECK(wgdn_race_note(&zero, 0, 3, true) && !wgdn_race_note(&zero, 0, 4, true));
    CHECK(zero.honest == 3 && zero.published == 4);
}

enum { N = 240, WIDTH = 9, KINDS = 3 };

/* Three classes around three points, on a graph of a ring; every seventh node has no label. */
static wgdn_dataset *dataset(float *x, bool splits)
{
    static int64_t from[N], to[N];
    static int32_t label[N];
    static int8_t split[2 * N];
    const wgdn_stream s = {.seed = 5};
    wgdn_dataset_arrays a = {.struct_size = sizeof a,
                             .nodes = N,
                             .edges = N,
                             .source = from,
                             .target = to,
                             .features = WIDTH,
                             .dense = x,
                             .label = label,
                             .splits = splits ? 2 : 0,
                             .split = split};
    wgdn_dataset *d = NULL;
    wgdn_random_normals(x, WIDTH, s, 0, N, 0, WIDTH);
    for (int64_t i = 0; i < N; i++) {
        from[i] = i;
        to[i] = (i + KINDS) % N;
        x[i * WIDTH + i % KINDS] += 2;
        label[i] = i % 7 == 6 ? -1 : (int32_t)(i % KINDS);
        split[i] = (int8_t)(1 + i % 10 / 4);
        split[N + i] = (int8_t)(1 + i % 11 / 4);
    }
    CHECK(wgdn_dataset_from_arrays(&d, &a, NULL) == WGDN_OK);
    return d;
}

static void runs(void)
{
    float x[N * WIDTH];
    wgdn_eval_options o;
    wgdn_probe_result r = {.struct_size = sizeof r}, again;
    wgdn_dataset *d = dataset(x, true);
    wgdn_eval_options_init(&o);
    o.classifier = WGDN_CLASSIFIER_ADAM;
    o.runs = 6;
    o.threads = 1;
    CHECK(probe_array(&r, d, x, WIDTH, &o, NULL) == WGDN_OK);
    CHECK(r.runs == 6 && r.splits == 2 && r.source == WGDN_SPLITS_DATASET);
    CHECK(r.train + r.val + r.test < N && r.train > 0 && r.val > 0);
    CHECK(r.validation_selected.mean > 0.75 && r.validation_selected.mean <= r.test_selected.mean &&
          r.test_selected.mean <= 1);
    CHECK(r.validation_selected.deviation > 0 && r.f1.mean > 0.7 && r.classes == KINDS);
    CHECK(isnan(r.auc.mean) && isnan(r.few_shot.mean) && isnan(r.neighbours.mean));
    for (int threads = 2; threads <= 4; threads++) {
        o.threads = threads;
        memset(&again, 0, sizeof again);
        again.struct_size = sizeof again;
        CHECK(probe_array(&again, d, x, WIDTH, &o, NULL) == WGDN_OK);
        CHECK(memcmp(&r, &again, sizeof r) == 0);
    }
    o.splits = WGDN_SPLITS_STRATIFIED;
    CHECK(probe_array(&r, d, x, WIDTH, &o, NULL) == WGDN_OK);
    CHECK(r.splits == 6 && r.source == WGDN_SPLITS_STRATIFIED && r.validation_selected.mean > 0.75);
    o.splits = WGDN_SPLITS_PAPER;
    CHECK(probe_array(&r, d, x, WIDTH, &o, NULL) == WGDN_OK);
    CHECK(r.source == WGDN_SPLITS_PAPER && r.train <= N / 10);
    o.runs = 2;
    o.steps = 3;
    CHECK_ALLOCATIONS(probe_array(&r, d, x, WIDTH, &o, NULL), (void)0);
    wgdn_dataset_free(d);
}

/* Labels that are a linear function of the columns, more rows than columns and fewer. */
static void numbers(void)
{
    enum { ROWS = 300, MOST = 60 };
    static float x[ROWS * MOST];
    static char text[ROWS][32];
    static const char *name[ROWS];
    static int32_t label[ROWS];
    const double up[] = {1, 2, 2, 5}, down[] = {4, 3, 3, 1}, mixed[] = {3, 1, 2, 2};
    double rank;
    uint32_t state = 1;
    CHECK(wgdn_spearman(&rank, up, up, 4, NULL) == WGDN_OK && rank == 1);
    CHECK(wgdn_spearman(&rank, up, down, 4, NULL) == WGDN_OK && rank == -1);
    /* ranks 0, 1.5, 1.5, 3 and 3, 0, 1.5, 1.5: cov -2.25 + 0 + 0 + 0 = -2.25, both 4.5 */
    CHECK(wgdn_spearman(&rank, up, mixed, 4, NULL) == WGDN_OK);
    CHECK_NEAR(rank, -0.5, 1e-12);
    for (int width = 3; width <= MOST; width += MOST - 3) {
        for (int i = 0; i < ROWS; i++) {
            for (int j = 0; j < width; j++) {
                state = state * 1664525 + 1013904223;
                x[i * width + j] = (float)(state >> 8) / (1 << 24);
            }
            snprintf(text[i], sizeof text[i], "%.6f", 10 + 3 * x[i * width] - 2 * x[i * width + 1]);
            name[i] = text[i];
            label[i] = i;
        }
        const wgdn_dataset_arrays a = {.struct_size = sizeof a,
                                       .nodes = ROWS,
                                       .label = label,
                                       .classes = ROWS,
                                       .class_name = name};
        wgdn_dataset *d = NULL;
        wgdn_embedding *e = NULL;
        wgdn_eval_options o;
        wgdn_probe_result r = {.struct_size = sizeof r}, one;
        wgdn_eval_options_init(&o);
        o.runs = 3;
        CHECK(wgdn_dataset_from_arrays(&d, &a, NULL) == WGDN_OK);
        CHECK(wgdn_embedding_from_values(&e, x, ROWS, width, d, NULL) == WGDN_OK);
        o.train_fraction = width == 3 ? 0 : 0.15; /* 45 rows, 60 columns */
        o.threads = 1;
        CHECK_ALLOCATIONS(wgdn_embedding_probe(&r, e, d, &o, NULL), (void)0);
        CHECK(r.numeric && isnan(r.validation_selected.mean));
        CHECK(r.r2.mean > (width == 3 ? 0.999 : 0.3));
        CHECK(r.spearman.mean > (width == 3 ? 0.999 : 0.5));
        o.threads = 3;
        one = r;
        CHECK(wgdn_embedding_probe(&r, e, d, &o, NULL) == WGDN_OK);
        CHECK(r.r2.mean == one.r2.mean && r.spearman.deviation == one.spearman.deviation);
        o.label_kind = WGDN_LABELS_CLASS;
        CHECK(wgdn_embedding_probe(&r, e, d, &o, NULL) == WGDN_OK && !r.numeric);
        wgdn_embedding_free(e);
        wgdn_dataset_free(d);
    }
}

static void baselines(void)
{
    float x[N * WIDTH];
    wgdn_eval_options o;
    wgdn_train_options t;
    wgdn_probe_result r = {.struct_size = sizeof r};
    wgdn_dataset *d = dataset(x, false);
    wgdn_eval_options_init(&o);
    wgdn_train_options_init(&t);
    o.runs = 2;
    t.dim = 16;
    for (int b = 0; b < WGDN_BASELINE_SUBTREES; b++) {
        wgdn_embedding *e = NULL;
        CHECK(wgdn_embedding_from_baseline(&e, d, (wgdn_baseline)b, &t, NULL) == WGDN_OK);
        for (int c = 0; c < 2; c++) {
            o.classifier = (wgdn_classifier)c;
            CHECK(wgdn_embedding_probe(&r, e, d, &o, NULL) == WGDN_OK);
            CHECK(r.validation_selected.mean > 0.5 && r.source == WGDN_SPLITS_STRATIFIED_RANDOM);
        }
        CHECK_TEXT(wgdn_embedding_get_source(e),
                   wgdn_baseline_name((wgdn_baseline)b, WGDN_TASK_NODE));
        wgdn_embedding_free(e);
        CHECK_ALLOCATIONS(wgdn_embedding_from_baseline(&e, d, (wgdn_baseline)b, &t, NULL), {
            CHECK(wgdn_embedding_rows(e) == N);
            CHECK(wgdn_embedding_dim(e) == (b == WGDN_BASELINE_RANDOM ? 16 : WIDTH));
            wgdn_embedding_free(e);
        });
    }
    wgdn_embedding *e = NULL;
    CHECK(wgdn_embedding_from_baseline(&e, d, (wgdn_baseline)9, &t, NULL) == WGDN_EINVAL);
    CHECK(wgdn_embedding_from_baseline(&e, d, WGDN_BASELINE_SUBTREES, &t, NULL) == WGDN_EINVAL);
    wgdn_dataset_free(d);
}

/* Filtering on the way is filtering before: P(L) (X W) = (P(L) X) W. */
static void smoothed_on_the_way(void)
{
    enum { F = 30 };
    wgdn_graph *g = random_graph(N, 3);
    wgdn_csr a = random_csr(N, F, 4, true), at = {0};
    const double series[] = {0.7, -0.4, 0.2};
    float *x = matrix(N, F), *smooth = matrix(N, F);
    float *work = wgdn_alloc(wgdn_poly_work(N, F, 2), sizeof *work);
    int64_t row[N];
    int32_t label[N];
    wgdn_probe p[2];
    CHECK(wgdn_csr_transpose(&at, &a, NULL) == WGDN_OK);
    for (int64_t i = 0; i < N; i++) {
        row[i] = i;
        label[i] = (int32_t)(i % KINDS);
        for (int64_t k = a.offset[i]; k < a.offset[i + 1]; k++)
            x[i * F + a.column[k]] = a.value[k];
    }
    const wgdn_poly poly = {
        .graph = g, .d = F, .channels = 1, .order = 2, .a = {series}, .work = work};
    wgdn_poly_filter(&smooth, &poly, x, NULL, false);
    const wgdn_probe_input in[2] = {{.n = N, .width = F, .classes = KINDS, .dense = smooth},
                                    {.n = N,
                                     .width = F,
                                     .classes = KINDS,
                                     .sparse = &a,
                                     .transposed = &at,
                                     .graph = g,
                                     .series = series,
                                     .order = 2}};
    const wgdn_parts parts = {.train = 100, .val = 40, .test = 100, .row = row, .label = label};
    wgdn_glance look[2];
    for (int k = 0; k < 2; k++) {
        CHECK(wgdn_probe_open(&p[k], &in[k], &parts, NULL) == WGDN_OK);
        CHECK(wgdn_probe_start(&p[k], 3, 0, NULL) == WGDN_OK);
        for (int t = 0; t < 4; t++) {
            CHECK(wgdn_probe_look(&p[k], &look[k], NULL) == WGDN_OK);
            CHECK(wgdn_probe_step(&p[k], 0.01, 0.1, NULL) == WGDN_OK);
        }
    }
    CHECK_NEAR(look[0].loss, look[1].loss, 1e-5);
    for (int64_t i = 0; i < (F + 1) * KINDS; i++)
        CHECK_NEAR(p[0].param[i], p[1].param[i], 2e-5);
    for (int k = 0; k < 2; k++)
        wgdn_probe_close(&p[k]);
    wgdn_release(work);
    wgdn_release(smooth);
    wgdn_release(x);
    wgdn_csr_free(&at);
    wgdn_csr_free(&a);
    wgdn_graph_free(g);
}

static void refused(void)
{
    float x[N * WIDTH];
    wgdn_eval_options o;
    wgdn_error err;
    wgdn_probe_result r = {.struct_size = sizeof r};
    wgdn_dataset *d = dataset(x, false);
    wgdn_eval_options_init(&o);
    o.splits = WGDN_SPLITS_DATASET;
    CHECK(probe_array(&r, d, x, WIDTH, &o, &err) == WGDN_EINVAL);
    CHECK_TEXT(err.message,
               "splits: the dataset has none of its own; random ones are always there");
    x[5] = NAN;
    CHECK(probe_array(&r, d, x, WIDTH, NULL, &err) == WGDN_EINVAL);
    CHECK(strstr(err.message, "row 0, column 5") != NULL);
    wgdn_dataset_free(d);
}

int main(void)
{
    RUN(golden_dense);
    RUN(golden_sparse);
    RUN(protocols);
    RUN(runs);
    RUN(baselines);
    RUN(numbers);
    RUN(smoothed_on_the_way);
    RUN(refused);
    return check_result();
}
