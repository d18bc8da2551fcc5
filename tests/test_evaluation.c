/* SPDX-License-Identifier: Apache-2.0 */
/* Evaluations: splits, metrics, clusters, links, neighbors, SVMs. */
#define _DEFAULT_SOURCE
#include "scratch.h"
#include "support.h"
#include "vectors.h"

#include "eval/eval.h"

/* ---- eval ---- */

/* Splits, metrics, k-means, links, neighbors, and vectors from files. */

/* First ten of two published permutations. */
static void published_permutation(void)
{
    static const int64_t zero[] = {2744, 3226, 2807, 1068, 5119, 4254, 6613, 2137, 379, 7551};
    static const int64_t seven[] = {315, 3745, 1147, 7592, 3451, 3282, 3869, 7284, 54, 3158};
    enum { N = 7650 };
    static int64_t p[N];
    static bool seen[N];
    wgdn_published_permutation(p, N, 0);
    CHECK(memcmp(p, zero, sizeof zero) == 0);
    for (int i = 0; i < N; i++)
        seen[p[i]] = true;
    for (int i = 0; i < N; i++)
        CHECK(seen[i]);
    wgdn_published_permutation(p, N, 7);
    CHECK(memcmp(p, seven, sizeof seven) == 0);
}

static wgdn_dataset *ring(int64_t n, int32_t classes, const float *x, int64_t width)
{
    int64_t *end = wgdn_alloc(4 * (size_t)n, sizeof *end);
    int32_t *label = wgdn_alloc((size_t)n, sizeof *label);
    wgdn_dataset *d = NULL;
    for (int64_t i = 0; i < n; i++) {
        end[i] = end[n + i] = i;
        end[2 * n + i] = (i + 1) % n;
        end[3 * n + i] = (i + 2) % n;
        label[i] = (int32_t)(i * classes / n);
    }
    const wgdn_dataset_arrays a = {.struct_size = sizeof a,
                                   .nodes = n,
                                   .edges = 2 * n,
                                   .source = end,
                                   .target = end + 2 * n,
                                   .features = x ? width : 0,
                                   .dense = x,
                                   .label = label};
    CHECK(wgdn_dataset_from_arrays(&d, &a, NULL) == WGDN_OK);
    wgdn_release(label);
    wgdn_release(end);
    return d;
}

/* Every node tests once, folds and classes within one of each other, other repetitions differ. */
static void folds(void)
{
    enum { N = 103, CLASSES = 4, FOLDS = 5 };
    wgdn_dataset *d = ring(N, CLASSES, NULL, 0);
    wgdn_eval_options o;
    int tested[N] = {0}, differ = 0;
    wgdn_parts first = {0}, p;
    wgdn_eval_options_init(&o);
    o.folds = FOLDS;
    for (int s = 0; s < FOLDS; s++) {
        int of_class[CLASSES] = {0};
        CHECK(wgdn_parts_make(&p, d, &o, s, NULL) == WGDN_OK);
        CHECK(p.train + p.val + p.test == N);
        CHECK(p.test >= N / FOLDS && p.test <= N / FOLDS + 1 && p.val >= N / FOLDS);
        for (int64_t i = p.train + p.val; i < N; i++) {
            tested[p.row[i]]++;
            of_class[p.label[i]]++;
        }
        for (int c = 0; c < CLASSES; c++)
            CHECK(of_class[c] >= 5 && of_class[c] <= 6);
        wgdn_parts_free(&p);
    }
    for (int i = 0; i < N; i++)
        CHECK(tested[i] == 1);
    CHECK(wgdn_parts_make(&first, d, &o, 0, NULL) == WGDN_OK);
    CHECK(wgdn_parts_make(&p, d, &o, FOLDS, NULL) == WGDN_OK);
    for (int64_t i = 0; i < N; i++)
        differ += first.row[i] != p.row[i];
    CHECK(differ > 0);
    wgdn_parts_free(&p);
    wgdn_parts_free(&first);
    CHECK_ALLOCATIONS(wgdn_parts_make(&p, d, &o, 0, NULL), wgdn_parts_free(&p));
    wgdn_dataset_free(d);
}

/* The part of each node in split k. */
static void marks(int8_t *mark, int64_t n, const wgdn_dataset *d, const wgdn_eval_options *o, int k)
{
    wgdn_parts p;
    memset(mark, WGDN_SPLIT_NONE, (size_t)n);
    CHECK(wgdn_parts_make(&p, d, o, k, NULL) == WGDN_OK);
    for (int64_t i = 0; i < p.train + p.val + p.test; i++)
        mark[p.row[i]] = (int8_t)(i < p.train           ? WGDN_SPLIT_TRAIN
                                  : i < p.train + p.val ? WGDN_SPLIT_VAL
                                                        : WGDN_SPLIT_TEST);
    wgdn_parts_free(&p);
}

/* 60 labels among 60 nodes, or on every second of 120: the k-th of them is in the same part. */
static void random_splits(void)
{
    enum { COUNT = 60, N = 2 * COUNT };
    int32_t label[N];
    int8_t dense[COUNT], sparse[N];
    wgdn_dataset *d[2] = {NULL, NULL};
    wgdn_eval_options o;
    wgdn_parts p;
    wgdn_error err;
    int differ = 0, train = 0;
    for (int i = 0; i < N; i++)
        label[i] = i < COUNT ? i % 2 : 0;
    wgdn_dataset_arrays a = {.struct_size = sizeof a, .nodes = COUNT, .label = label};
    CHECK(wgdn_dataset_from_arrays(&d[0], &a, NULL) == WGDN_OK);
    for (int i = 0; i < N; i++)
        label[i] = i % 2 ? i % 3 % 2 : -1;
    a.nodes = N;
    CHECK(wgdn_dataset_from_arrays(&d[1], &a, NULL) == WGDN_OK);
    wgdn_eval_options_init(&o);
    o.splits = WGDN_SPLITS_RANDOM;
    o.train_fraction = 0.3;
    o.validation_fraction = 0.1;
    for (int k = 0; k < 3; k++) {
        marks(dense, COUNT, d[0], &o, k);
        marks(sparse, N, d[1], &o, k);
        for (int i = 0; i < COUNT; i++)
            CHECK(dense[i] == sparse[2 * i + 1] && sparse[2 * i] == WGDN_SPLIT_NONE);
    }
    CHECK(wgdn_parts_make(&p, d[0], &o, 0, NULL) == WGDN_OK);
    CHECK(p.train == 18 && p.val == 6 && p.test == 36);
    wgdn_parts_free(&p);
    o.train_fraction = 0; /* a tenth */
    marks(dense, COUNT, d[0], &o, 0);
    o.seed = 2;
    marks(sparse, COUNT, d[0], &o, 0);
    for (int i = 0; i < COUNT; i++) {
        differ += dense[i] != sparse[i];
        train += dense[i] == WGDN_SPLIT_TRAIN;
    }
    CHECK(differ > 0 && train == 6);
    o.train_fraction = 0.9;
    CHECK(wgdn_parts_make(&p, d[0], &o, 0, &err) == WGDN_EINVAL);
    CHECK_TEXT(err.message,
               "splits: 0.9 of the labeled nodes to train and 0.1 to validate on leave "
               "none to test");
    wgdn_dataset_free(d[0]);
    wgdn_dataset_free(d[1]);
}

/* Auto: the dataset's own, else random within classes, else folds where a tenth is too few. */
static void split_sources(void)
{
    wgdn_dataset *small = ring(99, 2, NULL, 0), *large = ring(100, 2, NULL, 0);
    wgdn_dataset *graphs = NULL;
    wgdn_eval_options o;
    wgdn_eval_options_init(&o);
    CHECK(wgdn_splits_source(small, &o) == WGDN_SPLITS_STRATIFIED);
    CHECK(wgdn_splits_source(large, &o) == WGDN_SPLITS_STRATIFIED_RANDOM);
    CHECK(wgdn_split_count(large, &o) == o.runs);
    large->split = wgdn_alloc_zero(300, 1);
    large->splits = 3;
    CHECK(wgdn_splits_source(large, &o) == WGDN_SPLITS_DATASET);
    CHECK(wgdn_split_count(large, &o) == 3 && wgdn_split_of_run(large, &o, 4) == 1);
    o.runs = 2;
    CHECK(wgdn_split_count(large, &o) == 2);
    o.train_fraction = 0.2;
    CHECK(wgdn_splits_source(large, &o) == WGDN_SPLITS_STRATIFIED_RANDOM);
    o.train_fraction = 0;
    CHECK(wgdn_dataset_from_graphs(&graphs, small, NULL) == WGDN_OK);
    CHECK(wgdn_splits_source(graphs, &o) == WGDN_SPLITS_STRATIFIED);
    wgdn_dataset_free(graphs);
    wgdn_dataset_free(large);
    wgdn_dataset_free(small);
}

/*
 * F1 by hand: class 0 has 2 hits of 2 guessed and 3 there, 4/5; class 1 has 1 hit of 2 and 1, 2/3;
 * class 2 has 1 hit of 1 and 1, 1; class 3 never occurs.
 */
static void metrics(void)
{
    const int32_t label[] = {0, 0, 0, 1, 2}, guess[] = {0, 0, 1, 1, 2};
    double f1 = 0, nmi = 0, ari = 0, auc = 0, ap = 0;
    CHECK(wgdn_macro_f1(&f1, guess, label, 5, 4, NULL) == WGDN_OK);
    CHECK_NEAR(f1, (4.0 / 5 + 2.0 / 3 + 1) / 3, 1e-15);

    /* {0,0,1,1} against itself under other names, and against a partition that says nothing */
    const int32_t a[] = {0, 0, 1, 1}, b[] = {1, 1, 0, 0}, c[] = {0, 1, 0, 1};
    CHECK(wgdn_nmi_ari(&nmi, &ari, a, 2, b, 2, 4, NULL) == WGDN_OK);
    CHECK_NEAR(nmi, 1, 1e-15);
    CHECK_NEAR(ari, 1, 1e-15);
    CHECK(wgdn_nmi_ari(&nmi, &ari, a, 2, c, 2, 4, NULL) == WGDN_OK);
    CHECK_NEAR(nmi, 0, 1e-15);
    CHECK_NEAR(ari, -0.5, 1e-15); /* S = 0, A = B = 2, E = 2/3, M = 2 */
    /* {0,0,1,1} against {0,0,1,2}: H = log 2 and 1.5 log 2, I = log 2; S = 1, A = 2, B = 1 */
    const int32_t e[] = {0, 0, 1, 2};
    CHECK(wgdn_nmi_ari(&nmi, &ari, a, 2, e, 3, 4, NULL) == WGDN_OK);
    CHECK_NEAR(nmi, 0.8, 1e-15);
    CHECK_NEAR(ari, (1 - 1.0 / 3) / (1.5 - 1.0 / 3), 1e-15);

    /* down the scores: + - + -; AUC: 3 of 4 pairs; AP: (1 + 2/3) / 2. Then all equal. */
    const double score[] = {0.9, 0.8, 0.7, 0.1}, flat[] = {1, 1, 1, 1};
    const uint8_t truth[] = {1, 0, 1, 0};
    CHECK(wgdn_auc_ap(&auc, &ap, score, truth, 4, NULL) == WGDN_OK);
    CHECK_NEAR(auc, 0.75, 1e-15);
    CHECK_NEAR(ap, 5.0 / 6, 1e-15);
    CHECK(wgdn_auc_ap(&auc, &ap, flat, truth, 4, NULL) == WGDN_OK);
    CHECK_NEAR(auc, 0.5, 1e-15);
    CHECK_NEAR(ap, 0.5, 1e-15);
    CHECK_ALLOCATIONS(wgdn_auc_ap(&auc, &ap, score, truth, 4, NULL), (void)0);
}

/* Blobs far apart are found, with any threads in the same way. */
static void clusters(void)
{
    enum { N = 200, W = 6, K = 4 };
    float *x = random_matrix(3, N, W);
    for (int64_t i = 0; i < N; i++)
        x[i * W + i * K / N] += 20;
    wgdn_dataset *d = ring(N, K, x, W);
    wgdn_eval_options o;
    wgdn_cluster_result r = {.struct_size = sizeof r}, again;
    wgdn_eval_options_init(&o);
    o.threads = 1;
    CHECK(cluster_array(&r, d, x, W, &o, NULL) == WGDN_OK);
    CHECK(r.nmi > 0.999 && r.inertia < N);
    o.metric = WGDN_SIMILARITY_DOT;
    CHECK(cluster_array(&r, d, x, W, &o, NULL) == WGDN_OK);
    CHECK_NEAR(r.nmi, 1, 1e-12);
    CHECK_NEAR(r.ari, 1, 1e-12);
    CHECK(r.inertia > 0.8 * N * W && r.inertia < 1.2 * N * W);
    for (int threads = 2; threads <= 4; threads++) {
        o.threads = threads;
        memset(&again, 0, sizeof again);
        again.struct_size = sizeof again;
        CHECK(cluster_array(&again, d, x, W, &o, NULL) == WGDN_OK);
        CHECK(memcmp(&r, &again, sizeof r) == 0);
    }
    memset(x, 0, sizeof *x * N * W); /* all in one place: fewer parts than centers, but an end */
    o.restarts = 2;
    CHECK(cluster_array(&r, d, x, W, &o, NULL) == WGDN_OK && r.inertia == 0);
    CHECK_ALLOCATIONS(cluster_array(&r, d, x, W, &o, NULL), (void)0);
    wgdn_dataset_free(d);
    wgdn_release(x);
}

static int stop_at_two(void *user, int64_t done, int64_t total)
{
    *(int64_t *)user = 100 * total + done;
    return done == 2;
}

static int stop_before_one(void *user, int64_t done, int64_t total)
{
    *(int64_t *)user = 100 * total + done;
    return done == 0;
}

/* Probes and restarts are told one by one and stop when they are asked to. */
static void progress(void)
{
    enum { N = 60, W = 3 };
    float *x = random_matrix(3, N, W);
    wgdn_dataset *d = ring(N, 2, x, W);
    int64_t told = 0;
    wgdn_eval_options o;
    wgdn_probe_result p = {.struct_size = sizeof p};
    wgdn_cluster_result c = {.struct_size = sizeof c};
    wgdn_eval_options_init(&o);
    o.classifier = WGDN_CLASSIFIER_ADAM;
    o.runs = 5;
    o.steps = 3;
    o.restarts = 7;
    o.progress = stop_at_two;
    o.progress_user = &told;
    CHECK(probe_array(&p, d, x, W, &o, NULL) == WGDN_ESTOPPED && told == 502);
    CHECK(cluster_array(&c, d, x, W, &o, NULL) == WGDN_ESTOPPED && told == 702);
    CHECK(p.runs == 0 && c.clusters == 0);
    o.classifier = WGDN_CLASSIFIER_LOGISTIC;
    o.threads = 1; /* else as many splits at a time as there are threads */
    CHECK(probe_array(&p, d, x, W, &o, NULL) == WGDN_ESTOPPED && told == 802); /* and 3 few-shot */
    /* A probe is told of while it runs, too, by the thread that called. */
    o.progress = stop_before_one;
    CHECK(probe_array(&p, d, x, W, &o, NULL) == WGDN_ESTOPPED && told == 800);
    o.classifier = WGDN_CLASSIFIER_ADAM;
    o.steps = 20;
    CHECK(probe_array(&p, d, x, W, &o, NULL) == WGDN_ESTOPPED && told == 500);
    wgdn_dataset_free(d);
    wgdn_release(x);
}

/* On a ring, points of a circle tell neighbors from others. */
static void links(void)
{
    enum { N = 200, HELD = 40 };
    float *x = matrix(N, 2);
    for (int64_t i = 0; i < N; i++) {
        x[2 * i] = (float)cos(i * 2 * 3.14159265358979 / N);
        x[2 * i + 1] = (float)sin(i * 2 * 3.14159265358979 / N);
    }
    wgdn_dataset *d = ring(N, 2, x, 2);
    wgdn_links *l = NULL, *same = NULL;
    wgdn_eval_options o;
    wgdn_links_result r = {.struct_size = sizeof r};
    wgdn_eval_options_init(&o);
    CHECK(wgdn_links_from_dataset(&l, d, &o, NULL) == WGDN_OK);
    const wgdn_dataset *left = wgdn_links_get_dataset(l);
    CHECK(edge_count(left) == 2 * N - HELD);
    CHECK(wgdn_dataset_nodes(left) == N && wgdn_dataset_features(left) == 2);
    wgdn_embedding *e = NULL;
    CHECK(wgdn_embedding_from_values(&e, x, N, 2, NULL, NULL) == WGDN_OK);
    CHECK(wgdn_links_score(&r, l, e, &o, NULL) == WGDN_OK);
    CHECK(r.auc > 0.98 && r.average_precision > 0.95 && r.test_edges == HELD);
    o.metric = WGDN_SIMILARITY_DOT;
    CHECK(wgdn_links_score(&r, l, e, &o, NULL) == WGDN_OK && r.auc > 0.98);
    CHECK_ALLOCATIONS(wgdn_links_score(&r, l, e, &o, NULL), (void)0);
    CHECK_ALLOCATIONS(wgdn_links_from_dataset(&same, d, &o, NULL), wgdn_links_free(same));
    o.test_edge_fraction = 0;
    CHECK(wgdn_links_from_dataset(&same, d, &o, NULL) == WGDN_EINVAL);
    wgdn_embedding_free(e);
    wgdn_links_free(l);
    wgdn_dataset_free(d);
    wgdn_release(x);
}

/* ---- neighbors ---- */

enum { EVAL_ROWS = 20000, EVAL_WIDTH = 12, QUERIES = 300, BEST = 7 };

static double naive(const float *x, const float *q, bool cosine)
{
    double xq = 0, xx = 0, qq = 0;
    for (int j = 0; j < EVAL_WIDTH; j++) {
        xq += (double)x[j] * q[j];
        xx += (double)x[j] * x[j];
        qq += (double)q[j] * q[j];
    }
    return cosine ? xq / sqrt(xx * qq) : xq;
}

/* Each answer has the similarity it claims, none repeats, and nothing better was left out. */
static void check_query(const float *x, const float *q, const int64_t *index, const float *score,
                        bool cosine)
{
    int64_t better = 0;
    for (int i = 0; i < BEST; i++) {
        CHECK_NEAR(score[i], naive(x + index[i] * EVAL_WIDTH, q, cosine), 2e-5);
        if (i > 0)
            CHECK(score[i] < score[i - 1] || (score[i] == score[i - 1] && index[i] > index[i - 1]));
    }
    for (int64_t i = 0; i < EVAL_ROWS; i++)
        better += naive(x + i * EVAL_WIDTH, q, cosine) > score[BEST - 1] + 2e-5;
    CHECK(better < BEST);
}

static void neighbors(void)
{
    float *x = random_matrix(4, EVAL_ROWS, EVAL_WIDTH), *q = random_matrix(5, QUERIES, EVAL_WIDTH);
    static int64_t index[QUERIES * BEST], again[QUERIES * BEST];
    static float score[QUERIES * BEST], same[QUERIES * BEST];
    wgdn_embedding *e = NULL, *queries = NULL;
    wgdn_compute_options o;
    wgdn_compute_options_init(&o);
    CHECK(wgdn_embedding_from_values(&e, x, EVAL_ROWS, EVAL_WIDTH, NULL, NULL) == WGDN_OK);
    CHECK(wgdn_embedding_from_values(&queries, q, QUERIES, EVAL_WIDTH, NULL, NULL) == WGDN_OK);
    for (int metric = 0; metric < 2; metric++) {
        o.threads = 1;
        CHECK(wgdn_embedding_search(index, score, e, queries, BEST, (wgdn_similarity)metric, &o,
                                    NULL) == WGDN_OK);
        for (int k = 0; k < QUERIES; k += 13)
            check_query(x, q + k * EVAL_WIDTH, index + k * BEST, score + k * BEST, metric == 0);
        for (o.threads = 2; o.threads <= 4; o.threads++) {
            CHECK(wgdn_embedding_search(again, same, e, queries, BEST, (wgdn_similarity)metric, &o,
                                        NULL) == WGDN_OK);
            CHECK(memcmp(index, again, sizeof index) == 0);
            CHECK(memcmp(score, same, sizeof score) == 0);
        }
    }
    wgdn_embedding_free(e);
    CHECK(wgdn_embedding_from_values(&e, x, 5, EVAL_WIDTH, NULL, NULL) == WGDN_OK);
    CHECK(wgdn_embedding_search(index, NULL, e, queries, 6, WGDN_SIMILARITY_DOT, NULL, NULL) ==
          WGDN_EINVAL);
    CHECK_ALLOCATIONS(
        wgdn_embedding_search(index, NULL, e, queries, 5, WGDN_SIMILARITY_COSINE, NULL, NULL),
        (void)0);
    CHECK(wgdn_embedding_search(index, NULL, e, NULL, 1, WGDN_SIMILARITY_COSINE, NULL, NULL) ==
          WGDN_OK);
    for (int i = 0; i < 5; i++)
        CHECK(index[i] == i);
    wgdn_embedding_free(queries);
    CHECK(wgdn_embedding_from_values(&queries, q, 2, EVAL_WIDTH - 1, NULL, NULL) == WGDN_OK);
    CHECK(wgdn_embedding_search(index, NULL, e, queries, 1, WGDN_SIMILARITY_DOT, NULL, NULL) ==
          WGDN_EINVAL);
    wgdn_embedding_free(queries);
    wgdn_embedding_free(e);
    wgdn_release(q);
    wgdn_release(x);
}

/* Whole numbers are exact: equal rows come by their number; a zero row has cosine 0. */
static void ties(void)
{
    static const float x[] = {0, 0, 1, 0, 3, 4, 1, 0, -1, 0, 1, 0}, q[] = {1, 0};
    int64_t index[6];
    float score[6];
    const wgdn_search s = {x, 6, 2, q, 1, 6, true, NULL};
    CHECK(wgdn_search_rows(index, score, &s, NULL) == WGDN_OK);
    static const int64_t order[] = {1, 3, 5, 2, 0, 4};
    CHECK(memcmp(index, order, sizeof order) == 0);
    CHECK_NEAR(score[3], 0.6, 1e-7);
    CHECK(score[4] == 0 && score[5] == -1);
}

/* ---- vectors from files ---- */

/* Vectors without a graph: their ids, and labels by these. */
static void check_nodes_of(const wgdn_embedding *e, bool named)
{
    const char *rows = named ? "dan\tred\nanna\tblue\n" : "3\tred\n0\tblue\n";
    const scratch_name labels = scratch("y.tsv");
    wgdn_dataset_options o;
    wgdn_dataset *d = NULL;
    scratch_write("y.tsv", rows, strlen(rows));
    wgdn_dataset_options_init(&o);
    o.labels = labels.text;
    CHECK_ALLOCATIONS(wgdn_dataset_from_embedding(&d, e, &o, NULL), wgdn_dataset_free(d));
    CHECK(wgdn_dataset_from_embedding(&d, e, &o, NULL) == WGDN_OK);
    CHECK(wgdn_dataset_nodes(d) == 4 && edge_count(d) == 0);
    CHECK(info_of(d).has_ids == named && wgdn_dataset_classes(d) == 2);
    CHECK(wgdn_dataset_label(d, 3) >= 0 && wgdn_dataset_label(d, 0) >= 0);
    CHECK(wgdn_dataset_label(d, 3) != wgdn_dataset_label(d, 0) && wgdn_dataset_label(d, 1) == -1);
    wgdn_dataset_free(d);
    o.max_nodes = 3;
    CHECK(wgdn_dataset_from_embedding(&d, e, &o, NULL) == WGDN_ERANGE);
}

/* What embedding_write wrote, in every format, comes back and finds its node. */
static void vectors(void)
{
    static const char *const format[] = {"npy", "npz", "safetensors", "tsv", "word2vec"};
    static const char *const name[] = {"v.npy", "v.npz", "v.safetensors", "v.tsv", "v.w2v"};
    static const char *const id[] = {"anna", "ben", "7", "dan"};
    static const int64_t end[] = {0, 1, 2, 3};
    const float x[] = {0, 1, 2.5f, -3, 0, 0, 1e-3f, 4};
    const wgdn_dataset_arrays a = {.struct_size = sizeof a,
                                   .nodes = 4,
                                   .edges = 2,
                                   .source = end,
                                   .target = end + 2,
                                   .id = id};
    wgdn_dataset *d = NULL;
    int64_t row[4];
    char text[8];
    CHECK(wgdn_dataset_from_arrays(&d, &a, NULL) == WGDN_OK);
    for (int f = 0; f < 5; f++) {
        const scratch_name path = scratch(name[f]);
        wgdn_embedding *e = NULL;
        CHECK(write_array(d, path.text, format[f], x, 2, NULL) == WGDN_OK);
        CHECK_ALLOCATIONS(wgdn_embedding_read(&e, path.text, NULL), wgdn_embedding_free(e));
        CHECK(wgdn_embedding_read(&e, path.text, NULL) == WGDN_OK);
        CHECK(wgdn_embedding_rows(e) == 4 && wgdn_embedding_dim(e) == 2);
        CHECK(wgdn_embedding_match(row, e, d, NULL) == WGDN_OK);
        CHECK(row[0] == 0 && row[3] == 3);
        CHECK(memcmp(wgdn_embedding_get_values(e), x, sizeof x) == 0);
        CHECK_TEXT(wgdn_embedding_get_source(e), path.text);
        CHECK(wgdn_embedding_find(e, f ? "dan" : "3", f ? 3 : 1) == 3);
        CHECK(wgdn_embedding_id(text, sizeof text, e, 1) == (f ? 3 : 1));
        CHECK_TEXT(text, f ? "ben" : "1");
        CHECK(wgdn_embedding_id(text, sizeof text, e, 4) == -1);
        check_nodes_of(e, f > 0);
        wgdn_embedding_free(e);
    }
    wgdn_dataset_free(d);
}

/* Ids are those of the dataset, also in a file, and find each other in any order. */
static void borrowed_ids(void)
{
    static const char *const id[] = {"c", "a", "b"}, *const other[] = {"a", "b", "c"};
    const float x[] = {3, 1, 2};
    wgdn_dataset_arrays a = {.struct_size = sizeof a, .nodes = 3, .id = id};
    wgdn_dataset *d = NULL, *sorted = NULL;
    wgdn_embedding *e = NULL;
    wgdn_vectors v = {0};
    wgdn_error err;
    int64_t row[3];
    char text[8];
    CHECK(wgdn_dataset_from_arrays(&d, &a, NULL) == WGDN_OK);
    a.id = other;
    CHECK(wgdn_dataset_from_arrays(&sorted, &a, NULL) == WGDN_OK);
    CHECK(wgdn_embedding_from_values(&e, x, 2, 1, d, &err) == WGDN_EINVAL);
    CHECK_TEXT(err.message, "embedding: 2 vectors for 3 nodes");
    CHECK(wgdn_embedding_from_values(&e, x, 3, 0, NULL, &err) == WGDN_EINVAL);
    CHECK_ALLOCATIONS(wgdn_embedding_from_values(&e, x, 3, 1, d, NULL), wgdn_embedding_free(e));
    CHECK(wgdn_embedding_from_values(&e, x, 3, 1, d, NULL) == WGDN_OK);
    CHECK(wgdn_embedding_get_values(e) == x && wgdn_embedding_find(e, "b", 1) == 2);
    CHECK(wgdn_embedding_id(text, sizeof text, e, 0) == 1 && text[0] == 'c');
    CHECK(wgdn_embedding_match(row, e, sorted, NULL) == WGDN_OK);
    CHECK(row[0] == 1 && row[1] == 2 && row[2] == 0);
    CHECK_ALLOCATIONS(wgdn_vectors_open_for(&v, e, sorted, false, NULL), wgdn_vectors_close(&v));
    CHECK(wgdn_vectors_open_for(&v, e, sorted, false, NULL) == WGDN_OK);
    CHECK(v.x[0] == 1 && v.x[1] == 2 && v.x[2] == 3);
    wgdn_vectors_close(&v);
    CHECK(wgdn_vectors_open_for(&v, e, d, false, NULL) == WGDN_OK && v.x == x && !v.made);
    wgdn_embedding_free(e);
    wgdn_dataset_free(sorted);
    wgdn_dataset_free(d);
}

static int eval_tests(void)
{
    scratch_begin();
    RUN(published_permutation);
    RUN(folds);
    RUN(random_splits);
    RUN(split_sources);
    RUN(metrics);
    RUN(clusters);
    RUN(progress);
    RUN(links);
    RUN(neighbors);
    RUN(ties);
    RUN(vectors);
    RUN(borrowed_ids);
    scratch_end();
    return check_result();
}

/* ---- svm ---- */

/* Folds, support vector machines over them, and counts of subtrees. */

/* 31 labels, dealt by scikit-learn 1.7's StratifiedKFold(4), in order and shuffled by 0. */
static void folds_as_dealt_elsewhere(void)
{
    static const int32_t plain[] = {0, 0, 0, 0, 0, 0, 1, 0, 0, 1, 1, 1, 1, 1, 2, 2,
                                    1, 1, 2, 2, 2, 2, 2, 3, 3, 2, 3, 3, 3, 3, 3};
    static const int32_t shuffled[] = {0, 3, 3, 1, 1, 1, 2, 3, 1, 3, 1, 0, 0, 2, 0, 3,
                                       0, 2, 2, 3, 0, 2, 3, 2, 0, 1, 0, 1, 2, 2, 1};
    int32_t label[31], fold[31];
    wgdn_twister t;
    for (int i = 0; i < 31; i++)
        label[i] = (i * i + i / 3) % 3;
    CHECK(wgdn_folds_make(fold, label, 31, 3, 4, NULL, NULL) == WGDN_OK);
    CHECK(memcmp(fold, plain, sizeof fold) == 0);
    wgdn_twister_seed(&t, 0);
    CHECK(wgdn_folds_make(fold, label, 31, 3, 4, &t, NULL) == WGDN_OK);
    CHECK(memcmp(fold, shuffled, sizeof fold) == 0);
    CHECK_ALLOCATIONS(wgdn_folds_make(fold, label, 31, 3, 4, NULL, NULL), (void)0);
}

enum { SVM_N = 60, SVM_WIDTH = 5 };

/* Nodes with labels and no edges, as vectors see them; every tenth without a label. */
static wgdn_dataset *labeled(void)
{
    int32_t label[SVM_N];
    wgdn_dataset *d = NULL;
    for (int i = 0; i < SVM_N; i++)
        label[i] = i % 10 == 9 ? -1 : i % 3;
    const wgdn_dataset_arrays a = {.struct_size = sizeof a, .nodes = SVM_N, .label = label};
    CHECK(wgdn_dataset_from_arrays(&d, &a, NULL) == WGDN_OK);
    return d;
}

/* Classes far apart are told apart; nothing depends on the threads; noise is told by chance. */
static void machines(void)
{
    wgdn_dataset *d = labeled();
    float *x = random_matrix(3, SVM_N, SVM_WIDTH), *noise = random_matrix(4, SVM_N, SVM_WIDTH);
    wgdn_svm_result r = {.struct_size = sizeof r}, again = r;
    wgdn_eval_options o;
    wgdn_error err;
    wgdn_eval_options_init(&o);
    o.folds = 5;
    for (int i = 0; i < SVM_N; i++)
        x[i * SVM_WIDTH + i % 3] += 12;
    const wgdn_status st = classify_array(&r, d, x, SVM_WIDTH, &o, &err);
    if (st != WGDN_ENOSUPPORT) {
        CHECK(st == WGDN_OK && r.rows == 54 && r.classes == 3 && r.folds == 5);
        if (r.has_rbf) CHECK(r.rbf.mean == 1 && r.rbf.deviation == 0);
        if (r.has_linear) CHECK(r.linear.mean == 1);
        o.threads = 1;
        CHECK(classify_array(&r, d, noise, SVM_WIDTH, &o, NULL) == WGDN_OK);
        o.threads = 4;
        CHECK(classify_array(&again, d, noise, SVM_WIDTH, &o, NULL) == WGDN_OK);
        CHECK(r.rbf.mean == again.rbf.mean && r.linear.mean == again.linear.mean);
        if (r.has_rbf) CHECK(r.rbf.mean < 0.7);
        o.threads = 1;
        o.folds = 3;
        CHECK_ALLOCATIONS(classify_array(&r, d, x, SVM_WIDTH, &o, NULL), (void)0);
    }
    if (st != WGDN_ENOSUPPORT) {
        int32_t fold[SVM_N];
        o.folds = 5;
        r.fold = fold;
        CHECK(classify_array(&r, d, x, SVM_WIDTH, &o, &err) == WGDN_OK && r.fold == fold);
        for (int i = 0; i < SVM_N; i++)
            CHECK(i % 10 == 9 ? fold[i] == -1 : fold[i] >= 0 && fold[i] < 5);
        o.folds = 100;
        CHECK(classify_array(&r, d, x, SVM_WIDTH, &o, &err) == WGDN_EINVAL);
        CHECK(strstr(err.message, "54 labeled rows of 3 classes") != NULL);
    }
    wgdn_release(noise);
    wgdn_release(x);
    wgdn_dataset_free(d);
}

/*
 * A triangle, a path of three and a path of three with its nodes in another order, all with the
 * same features: by hand, level 0 has one name, level 1 two (ends, others), level 2 three.
 */
static wgdn_dataset *three_graphs(void)
{
    static const int64_t src[] = {0, 1, 2, 3, 4, 6, 7}, dst[] = {1, 2, 0, 4, 5, 8, 6};
    static const int64_t start[] = {0, 3, 6, 9};
    static const float one[9] = {1, 1, 1, 1, 1, 1, 1, 1, 1};
    static const int32_t label[] = {0, 1, 1};
    wgdn_dataset *d = NULL;
    const wgdn_dataset_arrays a = {.struct_size = sizeof a,
                                   .nodes = 9,
                                   .edges = 7,
                                   .source = src,
                                   .target = dst,
                                   .features = 1,
                                   .dense = one,
                                   .graphs = 3,
                                   .graph_start = start,
                                   .graph_label = label};
    CHECK(wgdn_dataset_from_arrays(&d, &a, NULL) == WGDN_OK);
    return d;
}

/* The rows have length 1: the triangle has one name on each of four levels, three times. */
static void subtrees(void)
{
    wgdn_dataset *d = three_graphs();
    wgdn_train_options o;
    wgdn_embedding *e = NULL;
    wgdn_train_options_init(&o);
    CHECK(wgdn_embedding_from_baseline(&e, d, WGDN_BASELINE_SUBTREES, &o, NULL) == WGDN_OK);
    const wgdn_csr a = e->vectors.sparse;
    CHECK(a.rows == 3 && a.offset[1] == 4);
    for (int64_t k = 0; k < 4; k++)
        CHECK_NEAR(a.value[k], 0.5, 1e-6);
    CHECK(a.offset[2] - a.offset[1] == 7); /* a path: all, then 2 ends and 1 middle three times */
    for (int64_t k = 0; k < 7; k++) {      /* and the other is the same graph */
        const int64_t i = a.offset[1] + k, j = a.offset[2] + k;
        CHECK(a.column[i] == a.column[j] && a.value[i] == a.value[j]);
        const float count = k == 0 ? 3 : a.value[i] / a.value[a.offset[1]] > 0.5F ? 2 : 1;
        CHECK_NEAR(a.value[i] * sqrt(24), count, 1e-5); /* 24: 3^2 + 3 (2^2 + 1^2) */
    }
    wgdn_embedding_free(e);
    wgdn_dataset_free(d);
}

/* Sparse rows, each with a singleton column that is folded, are classified like dense ones. */
static void sparse_rows(void)
{
    enum { SHARED = 27, WIDTH = 3 + SVM_N + SHARED, ENTRIES = 3 * SVM_N };
    wgdn_dataset *d = labeled();
    wgdn_embedding *e = wgdn_alloc_zero(1, sizeof *e);
    int64_t offset[SVM_N + 1] = {0};
    int32_t column[ENTRIES];
    float value[ENTRIES], *x = matrix(SVM_N, WIDTH);
    wgdn_svm_result sparse = {.struct_size = sizeof sparse}, dense = sparse;
    wgdn_eval_options o;
    wgdn_eval_options_init(&o);
    o.threads = 1;
    wgdn_random_normals(value, 3, (wgdn_stream){.seed = 6}, 0, SVM_N, 0, 3);
    for (int i = 0; i < SVM_N; i++) {
        const int32_t here[] = {i % 3, 3 + i, 3 + SVM_N + i * 7 % SHARED};
        memcpy(column + offset[i], here, sizeof here);
        value[offset[i]] = i % 7 ? 1 : 0.1F;
        offset[i + 1] = offset[i] + 3;
        for (int64_t k = offset[i]; k < offset[i + 1]; k++)
            x[i * WIDTH + column[k]] = value[k];
    }
    e->vectors = (wgdn_features){.rows = SVM_N,
                                 .width = WIDTH,
                                 .sparse = {SVM_N, WIDTH, offset, column, value},
                                 .borrowed = true};
    e->of = d;
    const wgdn_status st = wgdn_embedding_classify(&sparse, e, d, &o, NULL);
    if (st != WGDN_ENOSUPPORT) {
        CHECK(st == WGDN_OK);
        CHECK(classify_array(&dense, d, x, WIDTH, &o, NULL) == WGDN_OK);
        CHECK_NEAR(sparse.linear.mean, dense.linear.mean, 0.04); /* two rows of 54 */
        CHECK_NEAR(sparse.rbf.mean, dense.rbf.mean, 1e-12);
        if (sparse.has_linear) CHECK(sparse.linear.mean > 0.6 && sparse.linear.mean < 1);
    }
    wgdn_release(x);
    wgdn_embedding_free(e);
    wgdn_dataset_free(d);
}

/* Products of rows stay, and those of columns vanish. */
static void turned_rows(void)
{
    enum { ROWS = 90, COLS = 37 };
    float *x = random_matrix(5, ROWS, COLS), *y = matrix(ROWS, COLS);
    double worst = 0, crossed = 0;
    for (int64_t i = 0; i < ROWS; i++) /* columns that go together */
        for (int64_t j = 1; j < COLS; j++)
            x[i * COLS + j] = x[i * COLS] + 0.1f * x[i * COLS + j];
    CHECK(wgdn_principal_axes(y, NULL, x, ROWS, COLS, NULL) == WGDN_OK);
    for (int64_t i = 0; i < ROWS; i++)
        for (int64_t k = 0; k < ROWS; k++) {
            double before = 0, after = 0;
            for (int64_t j = 0; j < COLS; j++) {
                before += (double)x[i * COLS + j] * x[k * COLS + j];
                after += (double)y[i * COLS + j] * y[k * COLS + j];
            }
            worst = fmax(worst, fabs(before - after));
        }
    for (int64_t j = 0; j < COLS; j++)
        for (int64_t l = 0; l < j; l++) {
            double sum = 0;
            for (int64_t i = 0; i < ROWS; i++)
                sum += (double)y[i * COLS + j] * y[i * COLS + l];
            crossed = fmax(crossed, fabs(sum));
        }
    CHECK(worst < 1e-4 && crossed < 1e-3); /* of 3000 */
    CHECK_ALLOCATIONS(wgdn_principal_axes(y, NULL, x, ROWS, COLS, NULL), (void)0);
    wgdn_release(y);
    wgdn_release(x);
}

/* Rings and stars, alternately: every baseline must tell them apart, raw features need not. */
static void baselines(void)
{
    enum { GRAPHS = 24, SIZE = 6 };
    int64_t src[GRAPHS * SIZE], dst[GRAPHS * SIZE], start[GRAPHS + 1], m = 0;
    int32_t label[GRAPHS];
    float x[GRAPHS * SIZE];
    wgdn_dataset *d = NULL, *graphs = NULL;
    wgdn_train_options t;
    wgdn_eval_options o;
    wgdn_svm_result r = {.struct_size = sizeof r};
    wgdn_probe_result p = {.struct_size = sizeof p};
    for (int64_t g = 0; g < GRAPHS; g++) {
        start[g] = g * SIZE;
        label[g] = (int32_t)(g % 2);
        for (int64_t i = 0; i < SIZE; i++) {
            x[g * SIZE + i] = 1;
            src[m] = g * SIZE + (g % 2 ? 0 : i);
            dst[m++] = g * SIZE + (g % 2 ? i : (i + 1) % SIZE);
        }
    }
    start[GRAPHS] = GRAPHS * SIZE;
    const wgdn_dataset_arrays a = {.struct_size = sizeof a,
                                   .nodes = GRAPHS * SIZE,
                                   .edges = m,
                                   .source = src,
                                   .target = dst,
                                   .features = 1,
                                   .dense = x,
                                   .graphs = GRAPHS,
                                   .graph_start = start,
                                   .graph_label = label};
    CHECK(wgdn_dataset_from_arrays(&d, &a, NULL) == WGDN_OK);
    wgdn_train_options_init(&t);
    wgdn_eval_options_init(&o);
    t.dim = 8;
    o.folds = 4;
    o.classifier = WGDN_CLASSIFIER_ADAM; /* lengths tell these apart, which a regression ignores */
    CHECK(wgdn_dataset_from_graphs(&graphs, d, NULL) == WGDN_OK);
    for (int b = 0; b <= WGDN_BASELINE_SUBTREES; b++) {
        wgdn_embedding *e = NULL;
        const wgdn_status st = wgdn_embedding_from_baseline(&e, d, (wgdn_baseline)b, &t, NULL);
        if (!wgdn_baseline_name((wgdn_baseline)b, WGDN_TASK_GRAPH)) {
            CHECK(st == WGDN_EINVAL);
            continue;
        }
        CHECK(st == WGDN_OK && wgdn_embedding_rows(e) == GRAPHS);
        CHECK(!wgdn_embedding_get_values(e) == (b == WGDN_BASELINE_SUBTREES));
        o.threads = 1;
        const wgdn_status classified = wgdn_embedding_classify(&r, e, graphs, &o, NULL);
        if (classified != WGDN_ENOSUPPORT) {
            CHECK(classified == WGDN_OK);
            if (b && r.has_rbf) CHECK(r.rbf.mean == 1);
            if (!b && r.has_rbf) CHECK(r.rbf.mean < 0.6);
            CHECK_ALLOCATIONS(wgdn_embedding_classify(&r, e, graphs, &o, NULL), (void)0);
        }
        if (!classified && r.has_rbf) { /* one SVM alone */
            const wgdn_spread both = r.rbf;
            o.svm = WGDN_SVM_RBF;
            CHECK(wgdn_embedding_classify(&r, e, graphs, &o, NULL) == WGDN_OK);
            CHECK(r.has_rbf && !r.has_linear && r.rbf.mean == both.mean);
            o.svm = WGDN_SVM_BOTH;
        }
        CHECK_ALLOCATIONS(wgdn_embedding_probe(&p, e, graphs, &o, NULL), (void)0); /* dense */
        CHECK(b == 0 || p.validation_selected.mean > 0.9);
        wgdn_embedding_free(e);
        CHECK_ALLOCATIONS(wgdn_embedding_from_baseline(&e, d, (wgdn_baseline)b, &t, NULL),
                          wgdn_embedding_free(e));
    }
    wgdn_dataset_free(graphs);
    wgdn_dataset_free(d);
}

static int svm_tests(void)
{
    RUN(folds_as_dealt_elsewhere);
    RUN(machines);
    RUN(sparse_rows);
    RUN(turned_rows);
    RUN(subtrees);
    RUN(baselines);
    return check_result();
}

int main(int argc, char **argv)
{
    static const check_group groups[] = {
        {"eval", eval_tests},
        {"svm", svm_tests},
    };
    return check_groups(groups, sizeof groups / sizeof *groups, argc, argv);
}
