/* SPDX-License-Identifier: Apache-2.0 */
/* Predictions of labels: smoothing and calibration against plain formulas, folds without leaks, files. */
#define _DEFAULT_SOURCE
#include "graphs.h"
#include "jobs/predictor.h"
#include "scratch.h"

#include "data/dataset.h"

enum { N = 90, CLASSES = 3, WIDTH = 6 };

/* ---- a block model whose vectors tell something of the blocks ---- */

static edge_list edges;
static float vectors[N * WIDTH];
static const char *const names[] = {"cat", "dog", "eel"};

static void make_data(void)
{
    edges.m = 0;
    random_edges(&edges, N, CLASSES, 0.2, 0.03, 5);
    for (int64_t i = 0; i < N * WIDTH; i++)
        vectors[i] = (float)(chance(9, i, 0) - 0.5 + (i % WIDTH == i / WIDTH * CLASSES / N));
}

static wgdn_dataset *data_of(const int32_t *label, const char *const *name, int64_t classes)
{
    wgdn_dataset *d = NULL;
    const wgdn_dataset_arrays a = {.struct_size = sizeof a,
                                   .nodes = N,
                                   .edges = edges.m,
                                   .source = edges.src,
                                   .target = edges.dst,
                                   .label = label,
                                   .classes = classes,
                                   .class_name = name};
    CHECK(wgdn_dataset_from_arrays(&d, &a, NULL) == WGDN_OK);
    return d;
}

/* Every second node has its block as label, but for some that have another. */
static void make_labels(int32_t label[N])
{
    for (int32_t i = 0; i < N; i++)
        label[i] = i % 2 ? -1 : i % 14 == 0 ? (i + 1) % CLASSES : i * CLASSES / N;
}

static wgdn_predict_options options_of(wgdn_predict_method method, int threads)
{
    wgdn_predict_options o;
    wgdn_predict_options_init(&o);
    o.method = method;
    o.threads = threads;
    return o;
}

/* ---- smoothing ---- */

/* The sum of the series by dense products in double, rows scaled to sum 1. */
static void smooth_plainly(double *g, const double *q, const double *adjacency, double decay,
                           bool symmetric)
{
    static double step[N * N], power[N * CLASSES], next[N * CLASSES];
    double degree[N];
    for (int i = 0; i < N; i++) {
        degree[i] = 0;
        for (int j = 0; j < N; j++)
            degree[i] += adjacency[i * N + j];
    }
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            step[i * N + j] = adjacency[i * N + j] <= 0 ? 0
                              : symmetric ? adjacency[i * N + j] / sqrt(degree[i] * degree[j])
                                          : adjacency[i * N + j] / degree[i];
    memcpy(power, q, sizeof power);
    memset(g, 0, sizeof power);
    for (int k = 0; k <= 20; k++) {
        for (int i = 0; i < N * CLASSES; i++)
            g[i] += (1 - decay) * power[i];
        for (int i = 0; i < N; i++)
            for (int c = 0; c < CLASSES; c++) {
                next[i * CLASSES + c] = 0;
                for (int j = 0; j < N; j++)
                    next[i * CLASSES + c] += decay * step[i * N + j] * power[j * CLASSES + c];
            }
        memcpy(power, next, sizeof power);
    }
    for (int i = 0; i < N; i++) {
        const double sum = g[i * CLASSES] + g[i * CLASSES + 1] + g[i * CLASSES + 2];
        for (int c = 0; c < CLASSES; c++)
            g[i * CLASSES + c] /= sum;
    }
}

static void smoothing(void)
{
    static double adjacency[N * N], q[N * CLASSES], g[N * CLASSES];
    static float score[N * CLASSES], z[N * CLASSES];
    int32_t label[N];
    uint8_t known[N];
    make_labels(label);
    wgdn_dataset *d = data_of(label, names, CLASSES);
    memset(adjacency, 0, sizeof adjacency);
    for (int64_t k = 0; k < edges.m; k++)
        adjacency[edges.src[k] * N + edges.dst[k]] = adjacency[edges.dst[k] * N + edges.src[k]] = 1;
    for (int i = 0; i < N; i++) {
        double sum = 0;
        known[i] = label[i] >= 0;
        for (int c = 0; c < CLASSES; c++)
            sum += exp(score[i * CLASSES + c] = (float)chance(3, i, c));
        for (int c = 0; c < CLASSES; c++) {
            score[i * CLASSES + c] -= (float)log(sum);
            q[i * CLASSES + c] = known[i] ? label[i] == c : exp((double)score[i * CLASSES + c]);
        }
    }
    const wgdn_targets targets = {CLASSES, label, NULL, NULL};
    const wgdn_evidence e = {d->graph, N, CLASSES, &targets, known, score};
    for (int k = 0; k < 4; k++) {
        const wgdn_mix m = {k % 2 ? WGDN_PREDICT_METHOD_NEIGHBORS : WGDN_PREDICT_METHOD_COMBINED,
                            k > 1, 0.8, 0.5};
        smooth_plainly(g, q, adjacency, 0.8, k > 1);
        CHECK(wgdn_mix_scores(z, &m, &e, NULL) == WGDN_OK);
        for (int i = 0; i < N * CLASSES; i++)
            CHECK_NEAR(z[i], k % 2 ? log(g[i]) : (double)score[i] + 0.5 * log(g[i]), 1e-4);
    }
    wgdn_dataset_free(d);
}

/* Classes in a row of blocks that are linked to the next block alone: neighbors tell, though none is alike. */
static void mixing(void)
{
    enum { M = 60 };
    static float score[M * 2], z[M * 2];
    int32_t label[M];
    uint8_t known[M];
    int64_t end[2][M / 2 * 3];
    int64_t m = 0;
    wgdn_graph *g = NULL;
    for (int64_t i = 0; i < M; i++) {
        label[i] = (int32_t)(i % 2);
        known[i] = i < M / 2;
        score[2 * i] = score[2 * i + 1] = logf(0.5F);
        for (int64_t k = 0; i % 2 == 0 && k < 3; k++, m++) {
            end[0][m] = i;
            end[1][m] = (i + 20 * k + 1) % M;
        }
    }
    CHECK(wgdn_graph_from_edges(&g, M, m, end[0], end[1], NULL) == WGDN_OK);
    const wgdn_targets targets = {2, label, NULL, NULL};
    const wgdn_evidence e = {g, M, 2, &targets, known, score};
    const wgdn_mix mix = {WGDN_PREDICT_METHOD_MIXING, false, 0, 4};
    CHECK(wgdn_mix_scores(z, &mix, &e, NULL) == WGDN_OK);
    for (int i = M / 2; i < M; i++)
        CHECK(z[2 * i + label[i]] > z[2 * i + 1 - label[i]]);
    wgdn_graph_free(g);
}

/* ---- calibration ---- */

static void temperatures(void)
{
    enum { ROWS = 400 };
    static float z[ROWS * 2], p[ROWS * 2];
    static int64_t node[ROWS];
    static int32_t label[ROWS], fold[ROWS];
    double best = INFINITY, at = 0;
    for (int i = 0; i < ROWS; i++) { /* log odds are three times what they should be */
        const double odds = 4 * chance(21, i, 0) - 2;
        node[i] = i;
        label[i] = chance(22, i, 0) < 1 / (1 + exp(-odds));
        z[2 * i + 1] = (float)(3 * odds);
    }
    const wgdn_targets targets = {2, label, NULL, NULL};
    wgdn_scored s = {z, ROWS, 2, node, &targets};
    const double temperature = wgdn_temperature_fit(&s, fold, -1);
    for (double t = 0.5; t < 10; t += 0.01) {
        const double loss = wgdn_log_loss(&s, t);
        if (loss >= best) continue;
        best = loss;
        at = t;
    }
    CHECK_NEAR(temperature, at, 0.05); /* the grid's step, and what doubt moves */
    CHECK_NEAR(temperature, 3, 0.6);   /* the deviation over samples is about 0.3 */
    wgdn_predict_report r = {.positive = 1};
    for (int i = 0; i < ROWS; i++)
        wgdn_calibrate_row(p + 2 * i, z + 2 * i, 2, temperature, false);
    s.z = p;
    wgdn_measure_probabilities(&r, &s);
    CHECK_NEAR(r.log_loss, best, 1e-4);
    CHECK(r.ece < 0.08); /* 15 bins of 27 nodes each: noise of 0.09 a bin, its mean is 0.06 */
    CHECK(wgdn_measure_labels(&r, &s, NULL) == WGDN_OK);
    double right = 0;
    for (int i = 0; i < ROWS; i++)
        right += (z[2 * i + 1] > 0) == label[i];
    CHECK_NEAR(r.accuracy, right / ROWS, 1e-12);
}

/* Twenty nodes, two bins: 0.9 sure and 80 % right, 0.6 sure and 70 % right. */
static void calibration_error(void)
{
    float p[40];
    int64_t node[20];
    int32_t label[20];
    wgdn_predict_report r = {.positive = -1};
    for (int i = 0; i < 20; i++) {
        node[i] = i;
        p[2 * i] = i < 10 ? 0.9F : 0.6F;
        p[2 * i + 1] = 1 - p[2 * i];
        label[i] = i < 10 ? i < 2 : i < 13;
    }
    const wgdn_targets targets = {2, label, NULL, NULL};
    wgdn_measure_probabilities(&r, &(wgdn_scored){p, 20, 2, node, &targets});
    CHECK_NEAR(r.ece, 0.1, 1e-6);
}

/* ---- predictors ---- */

typedef struct outcome {
    float values[N * CLASSES];
    int32_t best[N];
    wgdn_predict_report report;
} outcome;

static wgdn_status predict(outcome *out, const wgdn_dataset *d, wgdn_predict_method method,
                           int threads, wgdn_error *err)
{
    const wgdn_predict_options o = options_of(method, threads);
    wgdn_compute_options with;
    wgdn_embedding *e = NULL;
    wgdn_predictor *p = NULL;
    wgdn_compute_options_init(&with);
    with.threads = threads;
    wgdn_status st = wgdn_embedding_from_values(&e, vectors, N, WIDTH, NULL, err);
    if (!st) st = wgdn_predictor_fit(&p, e, d, &o, err);
    if (!st) st = wgdn_predictor_apply(out->values, out->best, p, e, d, &with, err);
    wgdn_predict_report_init(&out->report);
    if (!st) wgdn_predictor_describe(&out->report, p);
    wgdn_predictor_free(p);
    wgdn_embedding_free(e);
    return st;
}

static void quality(void)
{
    int32_t label[N];
    outcome out;
    int right = 0, all = 0;
    make_labels(label);
    wgdn_dataset *d = data_of(label, names, CLASSES);
    CHECK(predict(&out, d, WGDN_PREDICT_METHOD_AUTO, 1, NULL) == WGDN_OK);
    for (int i = 1; i < N; i += 2, all++) {
        const float *p = out.values + i * CLASSES;
        right += out.best[i] == i * CLASSES / N;
        CHECK_NEAR(p[0] + p[1] + p[2], 1, 1e-5);
    }
    CHECK(right * 10 > all * 9);
    CHECK(out.report.accuracy > 0.75); /* a seventh of the labels are wrong */
    CHECK(out.report.labeled == N / 2 && out.report.classes == CLASSES);
    CHECK(out.report.baseline < 0.45);
    CHECK(isnan(out.report.auc) && isnan(out.report.r2));
    wgdn_dataset_free(d);
}

static void threads(void)
{
    static const wgdn_predict_method method[] = {
        WGDN_PREDICT_METHOD_AUTO, WGDN_PREDICT_METHOD_COMBINED, WGDN_PREDICT_METHOD_MIXING};
    int32_t label[N];
    outcome one, more;
    make_labels(label);
    wgdn_dataset *d = data_of(label, names, CLASSES);
    for (int m = 0; m < 3; m++) {
        CHECK(predict(&one, d, method[m], 1, NULL) == WGDN_OK);
        for (int k = 2; k <= 4; k += 2) {
            CHECK(predict(&more, d, method[m], k, NULL) == WGDN_OK);
            CHECK(memcmp(one.values, more.values, sizeof one.values) == 0);
            CHECK(memcmp(&one.report, &more.report, sizeof one.report) == 0);
        }
    }
    wgdn_dataset_free(d);
}

/*
 * Held-out labels change nothing: scores of nodes whose label is not known are the same whatever that
 * label is, for every mix.
 */
static void leaks(void)
{
    static float score[N * CLASSES], z[2][N * CLASSES];
    int32_t label[2][N];
    uint8_t known[N];
    make_labels(label[0]);
    make_labels(label[1]);
    wgdn_dataset *d = data_of(label[0], names, CLASSES);
    for (int i = 0; i < N; i++) {
        known[i] = label[0][i] >= 0 && i % 5;
        if (!known[i] && label[1][i] >= 0) label[1][i] = (label[1][i] + 1) % CLASSES;
        for (int c = 0; c < CLASSES; c++)
            score[i * CLASSES + c] = (float)-(1 + chance(4, i, c));
    }
    for (int m = WGDN_PREDICT_METHOD_VECTORS; m <= WGDN_PREDICT_METHOD_MIXING; m++) {
        const wgdn_mix mix = {(wgdn_predict_method)m, false, 0.8, 1};
        for (int k = 0; k < 2; k++) {
            const wgdn_targets targets = {CLASSES, label[k], NULL, NULL};
            const wgdn_evidence e = {d->graph, N, CLASSES, &targets, known, score};
            CHECK(wgdn_mix_scores(z[k], &mix, &e, NULL) == WGDN_OK);
        }
        CHECK(memcmp(z[0], z[1], sizeof z[0]) == 0);
    }
    wgdn_dataset_free(d);
}

/* Labels that no input tells: what cross-validation reports is chance, though the fit could learn them by heart. */
static void chance_level(void)
{
    int32_t label[N];
    outcome out;
    for (int i = 0; i < N; i++)
        label[i] = i < 80 ? (int32_t)(2 * chance(31, i, 7)) : -1;
    wgdn_dataset *d = data_of(label, names, 2);
    CHECK(predict(&out, d, WGDN_PREDICT_METHOD_VECTORS, 1, NULL) == WGDN_OK);
    CHECK(out.report.auc > 0.25 && out.report.auc < 0.7); /* deviation 0.065, the best of four C */
    CHECK(out.report.positive == 0 || out.report.positive == 1);
    wgdn_dataset_free(d);
}

static void numbers(void)
{
    static char text[N][16];
    const char *name[N];
    int32_t label[N];
    outcome out;
    for (int i = 0; i < N; i++) {
        snprintf(text[i], sizeof text[i], "%.4f", 3 * vectors[i * WIDTH] - vectors[i * WIDTH + 2]);
        name[i] = text[i];
        label[i] = i % 3 ? i : -1;
    }
    wgdn_dataset *d = data_of(label, name, N);
    CHECK(predict(&out, d, WGDN_PREDICT_METHOD_AUTO, 1, NULL) == WGDN_OK);
    CHECK(out.report.kind == WGDN_PREDICT_KIND_NUMBER && out.report.r2 > 0.99);
    for (int i = 0; i < N; i += 3)
        CHECK_NEAR(out.values[i], atof(text[i]), 0.1);
    wgdn_dataset_free(d);
}

static void refusals(void)
{
    static const char *const same[] = {"cat"};
    int32_t label[N];
    wgdn_error err;
    outcome out;
    for (int i = 0; i < N; i++)
        label[i] = -1;
    wgdn_dataset *d = data_of(label, NULL, 0);
    CHECK(predict(&out, d, WGDN_PREDICT_METHOD_AUTO, 1, &err) == WGDN_EINVAL &&
          strstr(err.message, "no node has a label"));
    wgdn_dataset_free(d);
    label[3] = label[4] = 0;
    d = data_of(label, same, 1);
    CHECK(predict(&out, d, WGDN_PREDICT_METHOD_AUTO, 1, &err) == WGDN_EINVAL &&
          strstr(err.message, "all 2 labeled nodes have the label \"cat\""));
    wgdn_dataset_free(d);
    label[5] = 1;
    d = data_of(label, names, 2);
    CHECK(predict(&out, d, WGDN_PREDICT_METHOD_AUTO, 1, &err) == WGDN_EINVAL &&
          strstr(err.message, "a single node has the label \"dog\""));
    wgdn_dataset_free(d);
}

static void allocations(void)
{
    int32_t label[N];
    outcome out;
    make_labels(label);
    wgdn_dataset *d = data_of(label, names, CLASSES);
    CHECK_ALLOCATIONS(predict(&out, d, WGDN_PREDICT_METHOD_AUTO, 1, NULL), (void)0);
    wgdn_dataset_free(d);
}

/* ---- files ---- */

typedef struct saved {
    wgdn_dataset *d;
    wgdn_model *m;
    wgdn_embedding *e;
    wgdn_predictor *p;
} saved;

static void make_saved(saved *s)
{
    int32_t label[N];
    const wgdn_predict_options o = options_of(WGDN_PREDICT_METHOD_COMBINED, 1);
    wgdn_fit_options fit;
    wgdn_fit_options_init(&fit);
    fit.dim = 8;
    make_labels(label);
    *s = (saved){.d = data_of(label, names, CLASSES)};
    CHECK(wgdn_model_fit(&s->m, s->d, &fit, NULL) == WGDN_OK);
    CHECK(wgdn_model_embed(&s->e, s->m, s->d, NULL, NULL) == WGDN_OK);
    CHECK(wgdn_predictor_fit(&s->p, s->e, s->d, &o, NULL) == WGDN_OK);
}

static void free_saved(saved *s)
{
    wgdn_predictor_free(s->p);
    wgdn_embedding_free(s->e);
    wgdn_model_free(s->m);
    wgdn_dataset_free(s->d);
}

static wgdn_status load(const char *name, saved *to, wgdn_error *err)
{
    return wgdn_predictor_load(&to->p, &to->m, scratch(name).text, err);
}

static void round_trip(void)
{
    static float first[N * CLASSES], second[N * CLASSES];
    saved s, again = {NULL, NULL, NULL, NULL};
    wgdn_predict_report r, q;
    size_t size;
    make_saved(&s);
    CHECK(wgdn_predictor_save(s.p, s.m, scratch("p.model").text, NULL) == WGDN_OK);
    CHECK(load("p.model", &again, NULL) == WGDN_OK);
    CHECK(wgdn_model_embed(&again.e, again.m, s.d, NULL, NULL) == WGDN_OK);
    CHECK(wgdn_predictor_apply(first, NULL, s.p, s.e, s.d, NULL, NULL) == WGDN_OK);
    CHECK(wgdn_predictor_apply(second, NULL, again.p, again.e, s.d, NULL, NULL) == WGDN_OK);
    CHECK(memcmp(first, second, sizeof first) == 0);
    wgdn_predict_report_init(&r);
    wgdn_predict_report_init(&q);
    wgdn_predictor_describe(&r, s.p);
    wgdn_predictor_describe(&q, again.p);
    CHECK(memcmp(&r, &q, sizeof r) == 0);
    const char *name = wgdn_predictor_get_class_name(&size, again.p, 2);
    CHECK(name && size == 3 && memcmp(name, "eel", 3) == 0);
    CHECK(!wgdn_predictor_get_class_name(&size, again.p, 3));
    free_saved(&again);
    again = (saved){NULL, NULL, NULL, NULL};
    CHECK_ALLOCATIONS(load("p.model", &again, NULL), free_saved(&again));
    CHECK_FILE_OPERATIONS(wgdn_predictor_save(s.p, s.m, scratch("p.model").text, NULL), (void)0);
    CHECK(scratch_files(false) == 1);
    free_saved(&s);
}

/* Any byte that changes, and any end that comes too soon, is noticed. */
static void damage(void)
{
    saved s, to = {NULL, NULL, NULL, NULL};
    wgdn_error err;
    make_saved(&s);
    CHECK(wgdn_predictor_save(s.p, s.m, scratch("p.model").text, NULL) == WGDN_OK);
    FILE *f = fopen(scratch("p.model").text, "rb");
    static unsigned char bytes[1 << 20];
    const size_t size = f ? fread(bytes, 1, sizeof bytes, f) : 0;
    CHECK(size > 1000 && size < sizeof bytes);
    if (f) fclose(f);
    for (size_t at = 0; at < size; at += size / 97) {
        bytes[at] ^= 4;
        scratch_write("q.model", bytes, size);
        bytes[at] ^= 4;
        CHECK(load("q.model", &to, &err) == WGDN_EFORMAT);
        scratch_write("q.model", bytes, at);
        CHECK(load("q.model", &to, &err) == WGDN_EFORMAT);
    }
    CHECK(wgdn_model_save(s.m, scratch("m.model").text, NULL) == WGDN_OK);
    CHECK(load("m.model", &to, &err) == WGDN_EFORMAT && strstr(err.message, "no predictor in it"));
    free_saved(&s);
}

int main(void)
{
    scratch_begin();
    make_data();
    RUN(smoothing);
    RUN(mixing);
    RUN(temperatures);
    RUN(calibration_error);
    RUN(quality);
    RUN(threads);
    RUN(leaks);
    RUN(chance_level);
    RUN(numbers);
    RUN(refusals);
    RUN(allocations);
    RUN(round_trip);
    RUN(damage);
    scratch_end();
    return check_failures ? EXIT_FAILURE : EXIT_SUCCESS;
}
