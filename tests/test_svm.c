/* SPDX-License-Identifier: Apache-2.0 */
/* Folds, support vector machines over them, and counts of subtrees. */
#include "eval/eval.h"
#include "support.h"
#include "vectors.h"

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

enum { N = 60, WIDTH = 5 };

/* Nodes with labels and no edges, as vectors see them; every tenth without a label. */
static wgdn_dataset *labelled(void)
{
    int32_t label[N];
    wgdn_dataset *d = NULL;
    for (int i = 0; i < N; i++)
        label[i] = i % 10 == 9 ? -1 : i % 3;
    const wgdn_dataset_arrays a = {.struct_size = sizeof a, .nodes = N, .label = label};
    CHECK(wgdn_dataset_from_arrays(&d, &a, NULL) == WGDN_OK);
    return d;
}

/* Classes far apart are told apart; nothing depends on the threads; noise is told by chance. */
static void machines(void)
{
    wgdn_dataset *d = labelled();
    float *x = random_matrix(3, N, WIDTH), *noise = random_matrix(4, N, WIDTH);
    wgdn_svm_result r = {.struct_size = sizeof r}, again = r;
    wgdn_eval_options o;
    wgdn_error err;
    wgdn_eval_options_init(&o);
    o.folds = 5;
    for (int i = 0; i < N; i++)
        x[i * WIDTH + i % 3] += 12;
    const wgdn_status st = classify_array(&r, d, x, WIDTH, &o, &err);
    if (st == WGDN_ENOSUPPORT) {
        CHECK(!wgdn_svm_has_rbf && !wgdn_svm_has_linear);
    } else {
        CHECK(st == WGDN_OK && r.rows == 54 && r.classes == 3 && r.folds == 5);
        if (r.has_rbf) CHECK(r.rbf.mean == 1 && r.rbf.deviation == 0);
        if (r.has_linear) CHECK(r.linear.mean == 1);
        o.threads = 1;
        CHECK(classify_array(&r, d, noise, WIDTH, &o, NULL) == WGDN_OK);
        o.threads = 4;
        CHECK(classify_array(&again, d, noise, WIDTH, &o, NULL) == WGDN_OK);
        CHECK(r.rbf.mean == again.rbf.mean && r.linear.mean == again.linear.mean);
        if (r.has_rbf) CHECK(r.rbf.mean < 0.7);
        o.threads = 1;
        o.folds = 3;
        CHECK_ALLOCATIONS(classify_array(&r, d, x, WIDTH, &o, NULL), (void)0);
    }
    if (st != WGDN_ENOSUPPORT) {
        int32_t fold[N];
        o.folds = 5;
        r.fold = fold;
        CHECK(classify_array(&r, d, x, WIDTH, &o, &err) == WGDN_OK && r.fold == fold);
        for (int i = 0; i < N; i++)
            CHECK(i % 10 == 9 ? fold[i] == -1 : fold[i] >= 0 && fold[i] < 5);
        o.folds = 100;
        CHECK(classify_array(&r, d, x, WIDTH, &o, &err) == WGDN_EINVAL);
        CHECK(strstr(err.message, "54 labelled rows of 3 classes") != NULL);
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

static void subtrees(void)
{
    wgdn_dataset *d = three_graphs();
    wgdn_csr a = {0};
    CHECK(wgdn_subtree_counts(&a, d, 2, NULL) == WGDN_OK);
    CHECK(a.rows == 3 && a.cols == 1 + 2 + 3);
    CHECK(a.offset[1] == 3); /* the triangle: one name on every level, three times */
    for (int64_t k = 0; k < 3; k++)
        CHECK(a.value[k] == 3);
    CHECK(a.offset[2] - a.offset[1] == 5); /* a path: all, 2 ends, 1 middle, again the latter */
    for (int64_t k = 0; k < 5; k++) {      /* and the other is the same graph */
        CHECK(a.column[a.offset[1] + k] == a.column[a.offset[2] + k]);
        CHECK(a.value[a.offset[1] + k] == a.value[a.offset[2] + k]);
    }
    wgdn_csr_free(&a);
    CHECK_ALLOCATIONS(wgdn_subtree_counts(&a, d, 2, NULL), wgdn_csr_free(&a));
    wgdn_dataset_free(d);
}

/* Columns 0, 2 and 5 are one row's each, 3 is nobody's; products of rows stay as they are. */
static void lonely_columns(void)
{
    int64_t offset[] = {0, 3, 5, 5, 8};
    int32_t column[] = {0, 1, 2, 1, 4, 1, 4, 5};
    float value[] = {3, 2, 4, 5, 6, 7, 8, 9};
    const wgdn_csr a = {4, 6, offset, column, value};
    const double dots[4][4] = {{29, 10, 0, 14}, {10, 61, 0, 83}, {0}, {14, 83, 0, 194}};
    wgdn_csr f = {0};
    CHECK(wgdn_fold_singletons(&f, &a, NULL) == WGDN_OK);
    CHECK(f.rows == 4 && f.cols == 2 + 4 && wgdn_csr_entries(&f) == 2 + 2 + 0 + 3);
    for (int64_t i = 0; i < 4; i++)
        for (int64_t j = 0; j < 4; j++) {
            double dot = 0;
            for (int64_t p = f.offset[i]; p < f.offset[i + 1]; p++)
                for (int64_t q = f.offset[j]; q < f.offset[j + 1]; q++)
                    if (f.column[p] == f.column[q]) dot += (double)f.value[p] * f.value[q];
            CHECK(dot == dots[i][j]);
        }
    for (int64_t i = 0; i < 4; i++)
        for (int64_t p = f.offset[i] + 1; p < f.offset[i + 1]; p++)
            CHECK(f.column[p - 1] < f.column[p]);
    wgdn_csr_free(&f);
    CHECK_ALLOCATIONS(wgdn_fold_singletons(&f, &a, NULL), wgdn_csr_free(&f));
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
        if (wgdn_svm_has_rbf || wgdn_svm_has_linear) {
            CHECK(wgdn_embedding_classify(&r, e, graphs, &o, NULL) == WGDN_OK);
            if (b && r.has_rbf) CHECK(r.rbf.mean == 1);
            if (!b && r.has_rbf) CHECK(r.rbf.mean < 0.6);
            CHECK_ALLOCATIONS(wgdn_embedding_classify(&r, e, graphs, &o, NULL), (void)0);
        }
        if (wgdn_svm_has_rbf) { /* one machine alone */
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

int main(void)
{
    RUN(folds_as_dealt_elsewhere);
    RUN(machines);
    RUN(lonely_columns);
    RUN(turned_rows);
    RUN(subtrees);
    RUN(baselines);
    return check_result();
}
