/* SPDX-License-Identifier: Apache-2.0 */
/* Logistic regression and probes. */
#include "golden/golden.h"
#include "support.h"
#include "vectors.h"

#include "eval/probe.h"

/* ---- logistic ---- */

/* Logistic regression by hand, on dense, sparse and filtered rows; few-shot draws; neighbors. */

/* ---- L-BFGS ---- */

enum { LOGISTIC_SIZE = 300 };

/* f = sum_i a_i (x_i - i / 100)^2 / 2, a_i = 1 .. 100: the minimum is known, and ill-conditioned. */
static wgdn_status bowl(double *f, float *g, const float *x, void *context, wgdn_error *err)
{
    (void)err;
    ++*(int *)context;
    *f = 0;
    for (int i = 0; i < LOGISTIC_SIZE; i++) {
        const double a = 1 + i % 100, away = x[i] - i / 100.0;
        *f += a * away * away / 2;
        g[i] = (float)(a * away);
    }
    return WGDN_OK;
}

static void minimum(void)
{
    int calls = 0;
    float x[LOGISTIC_SIZE] = {0};
    wgdn_lbfgs m = {.size = LOGISTIC_SIZE,
                    .gradient = bowl,
                    .context = &calls,
                    .tolerance = 1e-3,
                    .steps_max = 200,
                    .x = x};
    CHECK(wgdn_lbfgs_run(&m, NULL) == WGDN_OK);
    for (int i = 0; i < LOGISTIC_SIZE; i++)
        CHECK_NEAR(x[i], i / 100.0, 1e-3); /* the tolerance over the least curvature, 1 */
    CHECK(m.steps > 5 && m.steps < 60 && calls < 2 * m.steps + 5);
    CHECK(m.f < 1e-3);
    m.steps_max = 0; /* nothing to do but to look */
    CHECK(wgdn_lbfgs_run(&m, NULL) == WGDN_OK && m.steps == 0);
    CHECK_ALLOCATIONS(wgdn_lbfgs_run(&m, NULL), (void)0);
}

/* ---- fits that can be worked out ---- */

/* Where a falling h crosses zero on [0, 1000]. */
static double root(double (*h)(double x, double c), double c)
{
    double low = 0, high = 1000;
    for (int k = 0; k < 200; k++) {
        const double middle = (low + high) / 2;
        if (h(middle, c) > 0)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* Rows 1 of class 1 and -1 of class 0: w = 2 C / (1 + e^w), b = 0. */
static double two_rows(double w, double c)
{
    return 2 * c / (1 + exp(w)) - w;
}

/* Unit vectors, one of each of three classes: W_jk = a, else -a / 2; a = 2 C / (e^(3a/2) + 2). */
static double three_rows(double a, double c)
{
    return 2 * c / (exp(1.5 * a) + 2) - a;
}

static const double penalties[] = {1, 8, 64, 512};

/*
 * The mean loss's gradient is left below 5e-6; over its curvature, at least the penalty 1 / (C n),
 * that is 5e-6 C n at worst. Rows are not of length 1 before, and the last one is zero.
 */
static void by_hand(void)
{
    const float two[] = {3, -0.5F, 0}, three[] = {2, 0, 0, 0, 5, 0, 0, 0, 0.1F, 0, 0, 0};
    const int32_t label2[] = {1, 0, 0}, label3[] = {0, 1, 2, 0};
    const int64_t row[] = {0, 1, 2};
    const wgdn_probe_input in2 = {.n = 3, .width = 1, .classes = 2, .dense = two};
    const wgdn_probe_input in3 = {.n = 4, .width = 3, .classes = 3, .dense = three};
    const wgdn_targets a2 = {2, label2, NULL, NULL}, a3 = {3, label3, NULL, NULL};
    wgdn_unit_input u2, u3;
    wgdn_logistic f2, f3;
    wgdn_node_product s = {0};
    float *y = NULL;
    CHECK(wgdn_unit_input_open(&u2, &in2, NULL) == WGDN_OK &&
          wgdn_unit_input_open(&u3, &in3, NULL) == WGDN_OK);
    CHECK(u2.inverse[2] == 0 && fabs(u2.inverse[1] - 2) < 1e-6);
    CHECK(wgdn_logistic_open(&f2, &u2, &a2, row, 2, NULL) == WGDN_OK && f2.cols == 1);
    CHECK(wgdn_logistic_open(&f3, &u3, &a3, row, 3, NULL) == WGDN_OK && f3.cols == 3);
    for (int k = 0; k < 4; k++) {
        const double c = penalties[k], w = root(two_rows, c), a = root(three_rows, c);
        CHECK(wgdn_logistic_fit(&f2, c, NULL) == WGDN_OK);
        CHECK_NEAR(f2.param[0], w, 5e-6 * 2 * c + 1e-4);
        CHECK_NEAR(f2.param[1], 0, 1e-4);
        CHECK(wgdn_logistic_fit(&f3, c, NULL) == WGDN_OK);
        for (int i = 0; i < 9; i++)
            CHECK_NEAR(f3.param[i], i % 4 == 0 ? a : -a / 2, 5e-6 * 3 * c + 1e-4);
    }
    CHECK(wgdn_node_product_open(&s, &in3, 3, NULL) == WGDN_OK);
    CHECK(wgdn_logistic_scores(&y, &f3, &s, NULL) == WGDN_OK);
    for (int i = 0; i < 3; i++)
        CHECK(wgdn_best_column(y + i * 3, 3) == i);
    CHECK_NEAR(y[9], f3.param[9], 0); /* a row of zeros has b alone */
    wgdn_node_product_close(&s);
    wgdn_logistic_close(&f3);
    wgdn_logistic_close(&f2);
    wgdn_unit_input_close(&u3);
    wgdn_unit_input_close(&u2);
}

/* ---- the same rows, dense, sparse and filtered on the way ---- */

/* A problem of n rows of width f: dense P(L) X, and X with the filter beside it. */
typedef struct pair {
    int64_t n, f;
    wgdn_graph *g;
    wgdn_csr a, at;
    float *x, *smooth;
    double series[3];
    int64_t *row;
    int32_t *label;
    wgdn_probe_input in[2];
} pair;

static void open_pair(pair *p, int64_t n, int64_t f, bool filtered)
{
    *p = (pair){.n = n, .f = f, .series = {0.7, -0.4, 0.2}};
    p->g = random_graph(n, 3);
    p->a = random_csr(n, f, 4, true);
    CHECK(wgdn_csr_transpose(&p->at, &p->a, NULL) == WGDN_OK);
    p->x = matrix(n, f);
    p->smooth = matrix(n, f);
    p->row = wgdn_alloc((size_t)n, sizeof *p->row);
    p->label = wgdn_alloc((size_t)n, sizeof *p->label);
    for (int64_t i = 0; i < n; i++) {
        p->row[i] = i;
        p->label[i] = (int32_t)(i % 3);
        for (int64_t k = p->a.offset[i]; k < p->a.offset[i + 1]; k++)
            p->x[i * f + p->a.column[k]] = p->a.value[k];
    }
    wgdn_poly poly = {.graph = p->g, .d = f, .channels = 1, .order = 2, .a = {p->series}};
    poly.work = wgdn_alloc(wgdn_poly_work(n, f, 2), sizeof(float));
    wgdn_poly_filter(&p->smooth, &poly, p->x, NULL, false);
    wgdn_release(poly.work);
    p->in[0] =
        (wgdn_probe_input){.n = n, .width = f, .classes = 3, .dense = filtered ? p->smooth : p->x};
    p->in[1] =
        (wgdn_probe_input){.n = n, .width = f, .classes = 3, .sparse = &p->a, .transposed = &p->at};
    if (!filtered) return;
    p->in[1].graph = p->g;
    p->in[1].series = p->series;
    p->in[1].order = 2;
}

static void close_pair(pair *p)
{
    wgdn_release(p->label);
    wgdn_release(p->row);
    wgdn_release(p->smooth);
    wgdn_release(p->x);
    wgdn_csr_free(&p->at);
    wgdn_csr_free(&p->a);
    wgdn_graph_free(p->g);
}

/* Products with rows to learn from: of order one, so a few 1e-6 apart. */
static void compare_products(const pair *p, const wgdn_unit_input *u, int64_t rows)
{
    enum { COLS = 3 };
    float *w = random_matrix(5, p->f, COLS), *z = random_matrix(6, rows, COLS);
    float *y[2], *dw[2];
    for (int k = 0; k < 2; k++) {
        wgdn_row_subset l;
        y[k] = matrix(rows, COLS);
        dw[k] = matrix(p->f, COLS);
        CHECK(wgdn_row_subset_open(&l, &u[k], p->row, rows, COLS, NULL) == WGDN_OK);
        CHECK(wgdn_row_subset_forward(y[k], &l, w, NULL) == WGDN_OK);
        CHECK(wgdn_row_subset_back(dw[k], &l, z, NULL) == WGDN_OK);
        wgdn_row_subset_close(&l);
    }
    for (int64_t i = 0; i < rows * COLS; i++)
        CHECK_NEAR(y[0][i], y[1][i], 1e-5);
    for (int64_t i = 0; i < p->f * COLS; i++)
        CHECK_NEAR(dw[0][i], dw[1][i], 1e-4);
    for (int k = 0; k < 2; k++) {
        wgdn_release(dw[k]);
        wgdn_release(y[k]);
    }
    wgdn_release(z);
    wgdn_release(w);
}

static void compare_judges(const pair *p, const wgdn_unit_input *u, int64_t train)
{
    const wgdn_parts parts = {
        .train = train, .val = 40, .test = p->n - train - 40, .row = p->row, .label = p->label};
    const wgdn_targets a = {3, p->label, NULL, NULL};
    double few[2][WGDN_DRAWS], near[2];
    wgdn_outcome one[2];
    for (int k = 0; k < 2; k++) {
        CHECK(wgdn_logistic_evaluate(&one[k], &u[k], &a, &parts, NULL) == WGDN_OK);
        CHECK(wgdn_few_shot(few[k], &u[k], &a, &parts, (wgdn_stream){.seed = 1}, NULL) == WGDN_OK);
        CHECK(wgdn_knn_accuracy(&near[k], &u[k], &parts, NULL) == WGDN_OK);
    }
    /* answers that rounding decides: one row or two of a hundred, or a tie of neighbors */
    CHECK_NEAR(one[0].by_validation, one[1].by_validation, 0.03);
    CHECK_NEAR(near[0], near[1], 0.03);
    for (int i = 0; i < WGDN_DRAWS; i++)
        CHECK_NEAR(few[0][i], few[1][i], 0.03);
}

static void kinds_of_rows(void)
{
    static const int64_t rows[] = {100, 100, 1600}; /* the last is too much to be formed */
    for (int k = 0; k < 3; k++) {
        pair p;
        wgdn_unit_input u[2];
        open_pair(&p, k < 2 ? 240 : 1700, k < 2 ? 30 : 3000, k > 0);
        for (int i = 0; i < 2; i++)
            CHECK(wgdn_unit_input_open(&u[i], &p.in[i], NULL) == WGDN_OK);
        for (int64_t i = 0; i < p.n; i++)
            CHECK_NEAR(u[0].inverse[i], u[1].inverse[i], 1e-4 * u[0].inverse[i]);
        compare_products(&p, u, rows[k]);
        if (k < 2) compare_judges(&p, u, rows[k]);
        for (int i = 0; i < 2; i++)
            wgdn_unit_input_close(&u[i]);
        close_pair(&p);
    }
}

static void allocations(void)
{
    for (int k = 0; k < 3; k++) {
        pair p;
        wgdn_unit_input u;
        double few[WGDN_DRAWS], near;
        wgdn_outcome one;
        open_pair(&p, 60, 8, k == 2);
        const wgdn_probe_input *in = &p.in[k > 0];
        const wgdn_parts parts = {
            .train = 20, .val = 10, .test = 30, .row = p.row, .label = p.label};
        const wgdn_targets a = {3, p.label, NULL, NULL};
        const wgdn_stream s = {.seed = 1};
        const int former = wgdn_threads_use(1);
        CHECK_ALLOCATIONS(wgdn_unit_input_open(&u, in, NULL), wgdn_unit_input_close(&u));
        CHECK(wgdn_unit_input_open(&u, in, NULL) == WGDN_OK);
        CHECK_ALLOCATIONS(wgdn_logistic_evaluate(&one, &u, &a, &parts, NULL), (void)0);
        CHECK_ALLOCATIONS(wgdn_few_shot(few, &u, &a, &parts, s, NULL), (void)0);
        CHECK_ALLOCATIONS(wgdn_knn_accuracy(&near, &u, &parts, NULL), (void)0);
        wgdn_threads_use(former);
        wgdn_unit_input_close(&u);
        close_pair(&p);
    }
}

/* ---- draws ---- */

/* Classes of 20, 7 and 3 training nodes: five, five and all three, of these nodes, each once. */
static void draws(void)
{
    enum { TRAIN = 30 };
    int64_t row[TRAIN], one[TRAIN], two[TRAIN], again[TRAIN], count = 0, same = 0;
    int32_t label[TRAIN];
    for (int i = 0; i < TRAIN; i++) {
        row[i] = 3 * i + 1;
        label[i] = i < 20 ? 0 : i < 27 ? 1 : 2;
    }
    const wgdn_parts p = {.train = TRAIN, .row = row, .label = label};
    const wgdn_stream s = {.seed = 4, .epoch = 2, .call = 1};
    CHECK(wgdn_few_shot_draw(one, &count, &p, s, 0, NULL) == WGDN_OK && count == 13);
    CHECK(wgdn_few_shot_draw(again, &count, &p, s, 0, NULL) == WGDN_OK && count == 13);
    CHECK(wgdn_few_shot_draw(two, &count, &p, s, 1, NULL) == WGDN_OK && count == 13);
    CHECK(memcmp(one, again, 13 * sizeof *one) == 0);
    int of[3] = {0};
    for (int i = 0; i < 13; i++) {
        CHECK(one[i] % 3 == 1 && (i == 0 || one[i] > one[i - 1]));
        of[label[one[i] / 3]]++;
        same += one[i] == two[i];
    }
    CHECK(of[0] == 5 && of[1] == 5 && of[2] == 3 && same < 13);
    CHECK_ALLOCATIONS(wgdn_few_shot_draw(one, &count, &p, s, 0, NULL), (void)0);
}

/* ---- neighbors ---- */

/* Vectors by their angle in degrees, of any length. */
static void logistic_turn(float *x, double degrees, double length)
{
    x[0] = (float)(length * cos(degrees * 3.14159265358979 / 180));
    x[1] = (float)(length * sin(degrees * 3.14159265358979 / 180));
}

/*
 * Six training nodes at 0 (a), 10 (b), 20 (b), 50 (a), 60 (c), 170 (c). A query at 2 has 0 10 20
 * 50 60: two a, two b, one c, and a is nearest. One at 12: 10 20 0 50 60, b is nearest. At 65: 60
 * 50 20 10 0, two a and two b, of which 50 (a) is nearest. One at 100: 60 50 170 20 10: two c and
 * two b, c is nearest.
 */
static void votes(void)
{
    static const double angle[] = {0, 10, 20, 50, 60, 170, 2, 12, 65, 100};
    int32_t label[] = {0, 1, 1, 0, 2, 2, 0, 1, 0, 2};
    const int64_t row[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
    float x[20];
    double accuracy = 0;
    wgdn_unit_input u;
    for (int i = 0; i < 10; i++)
        logistic_turn(x + 2 * i, angle[i], 1 + i % 3);
    const wgdn_probe_input in = {.n = 10, .width = 2, .classes = 3, .dense = x};
    wgdn_parts p = {.train = 6, .test = 4, .row = (int64_t *)row, .label = label};
    CHECK(wgdn_unit_input_open(&u, &in, NULL) == WGDN_OK);
    CHECK(wgdn_knn_accuracy(&accuracy, &u, &p, NULL) == WGDN_OK);
    CHECK_NEAR(accuracy, 1, 0);
    label[8] = 1;
    CHECK(wgdn_knn_accuracy(&accuracy, &u, &p, NULL) == WGDN_OK);
    CHECK_NEAR(accuracy, 0.75, 0);
    p.train = 1; /* fewer than five: whatever there is */
    p.val = 5;
    CHECK(wgdn_knn_accuracy(&accuracy, &u, &p, NULL) == WGDN_OK);
    CHECK_NEAR(accuracy, 0.25, 0);
    wgdn_unit_input_close(&u);
}

/* ---- whole runs ---- */

enum { LOGISTIC_N = 400, LOGISTIC_WIDTH = 12 };

/* Classes along their own axes, every ninth node without a label. */
static wgdn_dataset *blobs(float *x, int kinds, double apart)
{
    static int32_t label[LOGISTIC_N];
    wgdn_dataset *d = NULL;
    const wgdn_dataset_arrays a = {.struct_size = sizeof a, .nodes = LOGISTIC_N, .label = label};
    wgdn_random_normals(x, LOGISTIC_WIDTH, (wgdn_stream){.seed = 5}, 0, LOGISTIC_N, 0,
                        LOGISTIC_WIDTH);
    for (int64_t i = 0; i < LOGISTIC_N; i++) {
        x[i * LOGISTIC_WIDTH + i % kinds] += (float)apart;
        label[i] = i % 9 == 8 ? -1 : (int32_t)(i % kinds);
    }
    CHECK(wgdn_dataset_from_arrays(&d, &a, NULL) == WGDN_OK);
    return d;
}

static void logistic_runs(void)
{
    float x[LOGISTIC_N * LOGISTIC_WIDTH];
    double each[10] = {0};
    wgdn_eval_options o;
    wgdn_dataset *d = blobs(x, 3, 2);
    wgdn_probe_result r = {.struct_size = sizeof r, .each = each}, again;
    wgdn_eval_options_init(&o);
    o.threads = 1;
    CHECK(probe_array(&r, d, x, LOGISTIC_WIDTH, &o, NULL) == WGDN_OK);
    CHECK(r.runs == 10 && r.splits == 10 && r.classes == 3);
    CHECK(r.source == WGDN_SPLITS_STRATIFIED_RANDOM);
    CHECK(r.train == 35 && r.val == 36 && r.test == 285);
    CHECK(r.validation_selected.mean > 0.6 && r.f1.mean > 0.6 && r.few_shot.mean > 0.5);
    CHECK(r.neighbors.mean > 0.6 && r.few_shot_draws == 30 && r.neighbor_splits == 3);
    CHECK(r.micro_f1.mean == r.validation_selected.mean);
    CHECK(isnan(r.auc.mean) && isnan(r.test_selected.mean));
    CHECK_NEAR(wgdn_spread_of(each, 10).mean, r.validation_selected.mean, 1e-12);
    for (int threads = 2; threads <= 4; threads++) {
        o.threads = threads;
        memset(&again, 0, sizeof again);
        again.struct_size = sizeof again;
        again.each = each;
        CHECK(probe_array(&again, d, x, LOGISTIC_WIDTH, &o, NULL) == WGDN_OK);
        CHECK(memcmp(&r, &again, sizeof r) == 0);
    }
    o.validation_fraction = 0; /* C 64 then */
    CHECK(probe_array(&r, d, x, LOGISTIC_WIDTH, &o, NULL) == WGDN_OK && r.val == 0);
    CHECK(r.validation_selected.mean > 0.6);
    o.threads = 1;
    o.runs = 2;
    CHECK_ALLOCATIONS(probe_array(&r, d, x, LOGISTIC_WIDTH, &o, NULL), (void)0);
    wgdn_dataset_free(d);
}

/* Two classes: AUC beside accuracy; scores that say nothing have 0.5. */
static void two_classes(void)
{
    float x[LOGISTIC_N * LOGISTIC_WIDTH];
    double each[4] = {0};
    wgdn_eval_options o;
    wgdn_dataset *d = blobs(x, 2, 1.5);
    wgdn_probe_result r = {.struct_size = sizeof r, .each = each};
    wgdn_eval_options_init(&o);
    o.runs = 4;
    o.train_fraction = 0.3;
    CHECK(probe_array(&r, d, x, LOGISTIC_WIDTH, &o, NULL) == WGDN_OK);
    CHECK(r.auc.mean > r.validation_selected.mean && r.auc.mean < 1 && r.auc.mean > 0.8);
    CHECK_NEAR(wgdn_spread_of(each, 4).mean, r.auc.mean, 1e-12);
    memset(x, 0, sizeof x);
    CHECK(probe_array(&r, d, x, LOGISTIC_WIDTH, &o, NULL) == WGDN_OK);
    CHECK_NEAR(r.auc.mean, 0.5, 1e-12);
    wgdn_dataset_free(d);
}

/* ---- several labels ---- */

/*
 * Node 0 has 0 and 2 and gets 2 and 1; node 1 has 1 and gets 1; node 2 has 0, 1 and 3 and gets 3,
 * 0 and 2, of equal scores the first. 4 hits of 6 labels. By label: 0 has 1 hit of 1 guessed and
 * 2 there, 2/3; 1 has 1 of 2 and 2, 1/2; 2 has 1 of 2 and 1, 2/3; 3 has 1 of 1 and 1, 1; 4 does
 * not occur.
 */
static void several_f1(void)
{
    int64_t offset[] = {0, 2, 3, 6};
    int32_t column[] = {0, 2, 1, 0, 1, 3};
    const wgdn_csr lists = {3, 5, offset, column, NULL};
    const float y[] = {0, 1, 2, -1, -2, 0, 5, 1, 2, 3, 1, 0, 1, 4, 0};
    const int64_t row[] = {0, 1, 2};
    double micro = 0, macro = 0;
    CHECK(wgdn_multilabel_f1(&micro, &macro, y, &lists, row, 3, NULL) == WGDN_OK);
    CHECK_NEAR(micro, 4.0 / 6, 1e-15);
    CHECK_NEAR(macro, (2.0 / 3 + 0.5 + 2.0 / 3 + 1) / 4, 1e-15);
    CHECK_ALLOCATIONS(wgdn_multilabel_f1(&micro, &macro, y, &lists, row, 3, NULL), (void)0);
}

/* Columns by themselves: two labels of which each is a problem of two classes. */
static void several_columns(void)
{
    enum { ROWS = 200 };
    float *x = random_matrix(9, ROWS, LOGISTIC_WIDTH);
    int64_t row[ROWS], offset[ROWS + 1] = {0};
    int32_t column[2 * ROWS], one[2][ROWS];
    for (int64_t i = 0; i < ROWS; i++) {
        row[i] = i;
        offset[i + 1] = offset[i];
        for (int32_t k = 0; k < 2; k++) {
            one[k][i] = x[i * LOGISTIC_WIDTH + k] + 0.5F * x[i * LOGISTIC_WIDTH + 2 + k] > 0.3F;
            if (one[k][i]) column[offset[i + 1]++] = k;
        }
    }
    const wgdn_csr lists = {ROWS, 2, offset, column, NULL};
    const wgdn_probe_input in = {.n = ROWS, .width = LOGISTIC_WIDTH, .classes = 2, .dense = x};
    const wgdn_targets both = {2, one[0], &lists, NULL};
    wgdn_unit_input u;
    wgdn_logistic f, g;
    CHECK(wgdn_unit_input_open(&u, &in, NULL) == WGDN_OK);
    CHECK(wgdn_logistic_open(&f, &u, &both, row, ROWS, NULL) == WGDN_OK && f.cols == 2);
    CHECK(wgdn_logistic_fit(&f, 8, NULL) == WGDN_OK);
    for (int k = 0; k < 2; k++) {
        const wgdn_targets a = {2, one[k], NULL, NULL};
        CHECK(wgdn_logistic_open(&g, &u, &a, row, ROWS, NULL) == WGDN_OK && g.cols == 1);
        CHECK(wgdn_logistic_fit(&g, 8, NULL) == WGDN_OK);
        for (int64_t j = 0; j <= LOGISTIC_WIDTH; j++) /* 2e-5 over the least curvature, 1 / (C n) */
            CHECK_NEAR(f.param[2 * j + k], g.param[j], 2e-5 * 8 * ROWS);
        wgdn_logistic_close(&g);
    }
    wgdn_logistic_close(&f);
    wgdn_unit_input_close(&u);
    wgdn_release(x);
}

/* Labels 0 .. 3 by the signs of four columns: as many as a node has are found. */
static void several_runs(void)
{
    float x[LOGISTIC_N * LOGISTIC_WIDTH];
    double each[4];
    wgdn_eval_options o;
    wgdn_error err;
    wgdn_dataset *d = blobs(x, 4, 1);
    wgdn_label_pairs p = {.node = wgdn_alloc(4 * LOGISTIC_N, sizeof(int64_t)),
                          .label = wgdn_alloc(4 * LOGISTIC_N, sizeof(int32_t))};
    for (int64_t i = 0; i < 4 * LOGISTIC_N; i++)
        if (i / 4 % 9 != 8 && x[i / 4 * LOGISTIC_WIDTH + i % 4] > 0) {
            p.node[p.count] = i / 4;
            p.label[p.count++] = (int32_t)(i % 4);
        }
    CHECK(wgdn_lists_gather(d, &p, NULL) == WGDN_OK && d->lists.offset);
    wgdn_probe_result r = {.struct_size = sizeof r, .each = each}, again = r;
    wgdn_eval_options_init(&o);
    o.runs = 4;
    o.threads = 1;
    CHECK(probe_array(&r, d, x, LOGISTIC_WIDTH, &o, NULL) == WGDN_OK);
    CHECK(r.multi_label && r.source == WGDN_SPLITS_RANDOM && r.splits == 4);
    CHECK(r.train > 4 * r.val && r.train < 6 * r.val); /* half of the labels, and a tenth */
    CHECK(r.micro_f1.mean > 0.9 && r.micro_f1.mean < 1 && r.f1.mean > 0.9);
    CHECK(isnan(r.validation_selected.mean) && isnan(r.few_shot.mean) && isnan(r.neighbors.mean));
    CHECK_NEAR(wgdn_spread_of(each, 4).mean, r.micro_f1.mean, 1e-12);
    o.threads = 3;
    CHECK(probe_array(&again, d, x, LOGISTIC_WIDTH, &o, NULL) == WGDN_OK);
    CHECK(memcmp(&r, &again, sizeof r) == 0);
    o.classifier = WGDN_CLASSIFIER_ADAM;
    CHECK(probe_array(&r, d, x, LOGISTIC_WIDTH, &o, &err) == WGDN_EINVAL);
    CHECK(strstr(err.message, "several labels") != NULL);
    wgdn_cluster_result c = {.struct_size = sizeof c};
    CHECK(cluster_array(&c, d, x, LOGISTIC_WIDTH, &o, &err) == WGDN_EINVAL);
    CHECK(strstr(err.message, "several labels") != NULL);
    wgdn_release(p.label);
    wgdn_release(p.node);
    wgdn_dataset_free(d);
}

static int logistic_tests(void)
{
    RUN(minimum);
    RUN(by_hand);
    RUN(kinds_of_rows);
    RUN(allocations);
    RUN(draws);
    RUN(votes);
    RUN(logistic_runs);
    RUN(two_classes);
    RUN(several_f1);
    RUN(several_columns);
    RUN(several_runs);
    return check_result();
}

/* ---- probe ---- */

/* The probe against golden.json and the plain reference, both protocols, and runs as a whole. */

enum { NODES = 6, D = 4, CLASSES = 3, STEPS = 5, PROBE_SIZE = (D + 1) * CLASSES };

/* The file's W is classes x D; ours lies the other way. */
static void probe_turn(double *out, const double *p)
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
    double Z[NODES * D], number[NODES], p[PROBE_SIZE], want[PROBE_SIZE], turned[PROBE_SIZE],
        losses[STEPS];
    float x[NODES * D];
    int32_t label[NODES], column[NODES * D];
    int64_t row[NODES + 1], offset[NODES + 1];
    json_t *root = golden_load(), *node = golden_at(root, "linear_probe");
    CHECK(golden_read(Z, NODES * D, golden_at(node, "Z")) == NODES * D);
    CHECK(golden_read(number, NODES, golden_at(node, "labels")) == NODES);
    CHECK(golden_read(p, PROBE_SIZE, golden_at(node, "W0")) == D * CLASSES);
    CHECK(golden_read(p + D * CLASSES, CLASSES, golden_at(node, "b0")) == CLASSES);
    CHECK(golden_read(want, PROBE_SIZE, golden_at(node, "W_after_5")) == D * CLASSES);
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
    probe_turn(turned, p);
    for (int i = 0; i < PROBE_SIZE; i++)
        probe.param[i] = (float)turned[i];
    for (int t = 0; t < STEPS; t++) {
        wgdn_probe_scores g;
        CHECK(wgdn_probe_evaluate(&probe, &g, NULL) == WGDN_OK);
        CHECK_NEAR(g.loss, losses[t], 2e-6);
        CHECK(wgdn_probe_step(&probe, golden_number(golden_at(node, "lr")),
                              golden_number(golden_at(node, "weight_decay")), NULL) == WGDN_OK);
    }
    probe_turn(turned, want);
    CHECK_NEAR(distance(probe.param, turned, PROBE_SIZE), 0, 2e-6);
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
    wgdn_selection r = {0}, blind = {0};
    for (int t = 0; t < 7; t++) {
        CHECK(wgdn_selection_add(&r, val[t], test[t], true) == best[t]);
        CHECK(wgdn_selection_add(&blind, 0, test[t], false));
    }
    CHECK(r.by_validation == 40 && r.by_test == 65);
    CHECK(blind.by_validation == 45 &&
          blind.by_test == 90); /* nothing to validate: the last step */
    wgdn_selection zero = {0};
    CHECK(wgdn_selection_add(&zero, 0, 3, true) && !wgdn_selection_add(&zero, 0, 4, true));
    CHECK(zero.by_validation == 3 && zero.by_test == 4);
}

enum { PROBE_N = 240, PROBE_WIDTH = 9, KINDS = 3 };

/* Three classes around three points, on a graph of a ring; every seventh node has no label. */
static wgdn_dataset *dataset(float *x, bool splits)
{
    static int64_t from[PROBE_N], to[PROBE_N];
    static int32_t label[PROBE_N];
    static int8_t split[2 * PROBE_N];
    const wgdn_stream s = {.seed = 5};
    wgdn_dataset_arrays a = {.struct_size = sizeof a,
                             .nodes = PROBE_N,
                             .edges = PROBE_N,
                             .source = from,
                             .target = to,
                             .features = PROBE_WIDTH,
                             .dense = x,
                             .label = label,
                             .splits = splits ? 2 : 0,
                             .split = split};
    wgdn_dataset *d = NULL;
    wgdn_random_normals(x, PROBE_WIDTH, s, 0, PROBE_N, 0, PROBE_WIDTH);
    for (int64_t i = 0; i < PROBE_N; i++) {
        from[i] = i;
        to[i] = (i + KINDS) % PROBE_N;
        x[i * PROBE_WIDTH + i % KINDS] += 2;
        label[i] = i % 7 == 6 ? -1 : (int32_t)(i % KINDS);
        split[i] = (int8_t)(1 + i % 10 / 4);
        split[PROBE_N + i] = (int8_t)(1 + i % 11 / 4);
    }
    CHECK(wgdn_dataset_from_arrays(&d, &a, NULL) == WGDN_OK);
    return d;
}

static void probe_runs(void)
{
    float x[PROBE_N * PROBE_WIDTH];
    wgdn_eval_options o;
    wgdn_probe_result r = {.struct_size = sizeof r}, again;
    wgdn_dataset *d = dataset(x, true);
    wgdn_eval_options_init(&o);
    o.classifier = WGDN_CLASSIFIER_ADAM;
    o.runs = 6;
    o.threads = 1;
    CHECK(probe_array(&r, d, x, PROBE_WIDTH, &o, NULL) == WGDN_OK);
    CHECK(r.runs == 6 && r.splits == 2 && r.source == WGDN_SPLITS_DATASET);
    CHECK(r.train + r.val + r.test < PROBE_N && r.train > 0 && r.val > 0);
    CHECK(r.validation_selected.mean > 0.75 && r.validation_selected.mean <= r.test_selected.mean &&
          r.test_selected.mean <= 1);
    CHECK(r.validation_selected.deviation > 0 && r.f1.mean > 0.7 && r.classes == KINDS);
    CHECK(isnan(r.auc.mean) && isnan(r.few_shot.mean) && isnan(r.neighbors.mean));
    for (int threads = 2; threads <= 4; threads++) {
        o.threads = threads;
        memset(&again, 0, sizeof again);
        again.struct_size = sizeof again;
        CHECK(probe_array(&again, d, x, PROBE_WIDTH, &o, NULL) == WGDN_OK);
        CHECK(memcmp(&r, &again, sizeof r) == 0);
    }
    o.splits = WGDN_SPLITS_STRATIFIED;
    CHECK(probe_array(&r, d, x, PROBE_WIDTH, &o, NULL) == WGDN_OK);
    CHECK(r.splits == 6 && r.source == WGDN_SPLITS_STRATIFIED && r.validation_selected.mean > 0.75);
    o.splits = WGDN_SPLITS_PAPER;
    CHECK(probe_array(&r, d, x, PROBE_WIDTH, &o, NULL) == WGDN_OK);
    CHECK(r.source == WGDN_SPLITS_PAPER && r.train <= PROBE_N / 10);
    o.runs = 2;
    o.steps = 3;
    CHECK_ALLOCATIONS(probe_array(&r, d, x, PROBE_WIDTH, &o, NULL), (void)0);
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
        o.label_kind = WGDN_LABEL_KIND_CLASS;
        CHECK(wgdn_embedding_probe(&r, e, d, &o, NULL) == WGDN_OK && !r.numeric);
        wgdn_embedding_free(e);
        wgdn_dataset_free(d);
    }
}

static void baselines(void)
{
    float x[PROBE_N * PROBE_WIDTH];
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
            CHECK(wgdn_embedding_rows(e) == PROBE_N);
            CHECK(wgdn_embedding_dim(e) == (b == WGDN_BASELINE_RANDOM ? 16 : PROBE_WIDTH));
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
    wgdn_graph *g = random_graph(PROBE_N, 3);
    wgdn_csr a = random_csr(PROBE_N, F, 4, true), at = {0};
    const double series[] = {0.7, -0.4, 0.2};
    float *x = matrix(PROBE_N, F), *smooth = matrix(PROBE_N, F);
    float *work = wgdn_alloc(wgdn_poly_work(PROBE_N, F, 2), sizeof *work);
    int64_t row[PROBE_N];
    int32_t label[PROBE_N];
    wgdn_probe p[2];
    CHECK(wgdn_csr_transpose(&at, &a, NULL) == WGDN_OK);
    for (int64_t i = 0; i < PROBE_N; i++) {
        row[i] = i;
        label[i] = (int32_t)(i % KINDS);
        for (int64_t k = a.offset[i]; k < a.offset[i + 1]; k++)
            x[i * F + a.column[k]] = a.value[k];
    }
    const wgdn_poly poly = {
        .graph = g, .d = F, .channels = 1, .order = 2, .a = {series}, .work = work};
    wgdn_poly_filter(&smooth, &poly, x, NULL, false);
    const wgdn_probe_input in[2] = {{.n = PROBE_N, .width = F, .classes = KINDS, .dense = smooth},
                                    {.n = PROBE_N,
                                     .width = F,
                                     .classes = KINDS,
                                     .sparse = &a,
                                     .transposed = &at,
                                     .graph = g,
                                     .series = series,
                                     .order = 2}};
    const wgdn_parts parts = {.train = 100, .val = 40, .test = 100, .row = row, .label = label};
    wgdn_probe_scores look[2];
    for (int k = 0; k < 2; k++) {
        CHECK(wgdn_probe_open(&p[k], &in[k], &parts, NULL) == WGDN_OK);
        CHECK(wgdn_probe_start(&p[k], 3, 0, NULL) == WGDN_OK);
        for (int t = 0; t < 4; t++) {
            CHECK(wgdn_probe_evaluate(&p[k], &look[k], NULL) == WGDN_OK);
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
    float x[PROBE_N * PROBE_WIDTH];
    wgdn_eval_options o;
    wgdn_error err;
    wgdn_probe_result r = {.struct_size = sizeof r};
    wgdn_dataset *d = dataset(x, false);
    wgdn_eval_options_init(&o);
    o.splits = WGDN_SPLITS_DATASET;
    CHECK(probe_array(&r, d, x, PROBE_WIDTH, &o, &err) == WGDN_EINVAL);
    CHECK_TEXT(err.message, "splits: the dataset has no splits of its own; use random ones");
    x[5] = NAN;
    CHECK(probe_array(&r, d, x, PROBE_WIDTH, NULL, &err) == WGDN_EINVAL);
    CHECK(strstr(err.message, "row 0, column 5") != NULL);
    wgdn_dataset_free(d);
}

static int probe_tests(void)
{
    RUN(golden_dense);
    RUN(golden_sparse);
    RUN(protocols);
    RUN(probe_runs);
    RUN(baselines);
    RUN(numbers);
    RUN(smoothed_on_the_way);
    RUN(refused);
    return check_result();
}

int main(int argc, char **argv)
{
    static const check_group groups[] = {
        {"logistic", logistic_tests},
        {"probe", probe_tests},
    };
    return check_groups(groups, sizeof groups / sizeof *groups, argc, argv);
}
