/* SPDX-License-Identifier: Apache-2.0 */
/* Probes: the linear layer trained by Adam, logistic regression on rows of length 1, and runs over splits. */
#ifndef WGDN_EVAL_PROBE_H
#define WGDN_EVAL_PROBE_H

#include "eval.h"

/* ---- what is probed ---- */

/*
 * X dense, or sparse with its transpose; then, with a graph, P(L) X by the series
 * of P, without ever being formed: P(L) (X W).
 */
typedef struct wgdn_probe_input {
    int64_t n, width, classes;
    const float *dense; /* n x width, or NULL */
    const wgdn_csr *sparse, *transposed;
    const wgdn_graph *graph; /* or NULL: X itself; for sparse X only */
    const double *series;
    int order;
} wgdn_probe_input;

/* ---- products with all rows of what is probed: classification_data.c ---- */

/* Room for P(L) X W and its transpose, W with `cols` columns. */
typedef struct wgdn_node_product {
    const wgdn_probe_input *in;
    int64_t cols, stride;   /* stride: floats of a row of full */
    float *full, *filtered; /* n x stride; the latter with a graph */
    float *wide;            /* width x stride: W, or its gradient; zeros behind each row's end */
    float *poly_work;
    void *work; /* of sums over rows, for sparse X */
    wgdn_arrays arrays;
} wgdn_node_product;

WGDN_MUST_CHECK wgdn_status wgdn_node_product_open(wgdn_node_product *s, const wgdn_probe_input *in,
                                                   int64_t cols, wgdn_error *err);

/* Harmless on a zeroed one. */
static inline void wgdn_node_product_close(wgdn_node_product *s)
{
    wgdn_arrays_release(&s->arrays);
    *s = (wgdn_node_product){0};
}

/* P(L) X W, n x cols, in the sweep's own room. */
WGDN_MUST_CHECK wgdn_status wgdn_node_product_forward(float **y, wgdn_node_product *s,
                                                      const float *w, wgdn_error *err);
/*
 * dW = X^T P(L) Y, width x cols, Y being in s->full, n x stride, with zeros behind the columns;
 * sparse X only.
 */
void wgdn_node_product_back(float *dw, wgdn_node_product *s);

/* ---- the linear layer by Adam: probe.c ---- */

/* Y = X W + 1 b^T on the rows of the parts. param: W (width x classes), then b. */
typedef struct wgdn_probe {
    const wgdn_probe_input *in;
    const wgdn_parts *parts;
    float *param, *grad;
    wgdn_optimizer optimizer;
    int64_t steps;
    float *x;                /* dense X: the rows of the parts */
    float *y;                /* rows x classes: Y, then, on the rows to learn from, its gradient */
    wgdn_node_product sweep; /* sparse X */
    int32_t *guess;          /* the class that each row would get */
    void *work;
    wgdn_arrays arrays;
} wgdn_probe;

/* What one look at the parameters tells. */
typedef struct wgdn_probe_scores {
    double loss;              /* mean cross-entropy of the rows to learn from */
    int64_t val, test, train; /* rows that are right */
} wgdn_probe_scores;

WGDN_MUST_CHECK wgdn_status wgdn_probe_open(wgdn_probe *p, const wgdn_probe_input *in,
                                            const wgdn_parts *parts, wgdn_error *err);

/* also when it was never opened, if zeroed */
static inline void wgdn_probe_close(wgdn_probe *p)
{
    wgdn_optimizer_free(&p->optimizer);
    wgdn_node_product_close(&p->sweep);
    wgdn_arrays_release(&p->arrays);
    *p = (wgdn_probe){0};
}

/* Fresh parameters: W uniform(-s, s), s = sqrt(6 / (width + classes)), b = 0. */
WGDN_MUST_CHECK wgdn_status wgdn_probe_start(wgdn_probe *p, uint64_t seed, int run,
                                             wgdn_error *err);
/* Y and what it is worth; then, from the same Y, a step of Adam. */
WGDN_MUST_CHECK wgdn_status wgdn_probe_evaluate(wgdn_probe *p, wgdn_probe_scores *g,
                                                wgdn_error *err);
WGDN_MUST_CHECK wgdn_status wgdn_probe_step(wgdn_probe *p, double rate, double l2, wgdn_error *err);

/* ---- protocols and runs: splits.c, probe.c ---- */

/*
 * Reduces the accuracies after each step to one number.                            [WGDN:protocols]
 *
 * Validation-selected: the test accuracy at the first step with the best validation accuracy.
 * Test-selected: the largest test accuracy over all steps at which validation tied or beat its best
 * so far. The second protocol uses test labels; it exists because published numbers were computed
 * this way.
 */

typedef struct wgdn_selection {
    int64_t steps;
    int64_t best_val;
    int64_t by_validation; /* test rows right at the first step with the best validation */
    int64_t by_test;       /* most test rows right where validation tied or beat its best so far */
} wgdn_selection;

/* Adds a step; true when it is the one with the best validation so far. */
static inline bool wgdn_selection_add(wgdn_selection *r, int64_t val, int64_t test, bool validated)
{
    const bool first = r->steps++ == 0;
    const bool better = first || !validated || val > r->best_val;
    if (first || !validated || val >= r->best_val)
        r->by_test = test > r->by_test ? test : r->by_test;
    if (!better) return false;
    r->best_val = val;
    r->by_validation = test;
    return true;
}

/* One run: accuracies by both protocols, and more by the first; NAN: not asked. */
typedef struct wgdn_outcome {
    double by_validation, by_test, f1, auc, micro_f1;
} wgdn_outcome;

/* Ridge regression on labels that are numbers. ridge.c */
WGDN_MUST_CHECK wgdn_status wgdn_ridge_runs(wgdn_probe_result *out, const wgdn_dataset *d,
                                            const wgdn_vectors *v, const wgdn_eval_options *o,
                                            wgdn_error *err);
/*
 * The same from the training nodes of p alone, for every penalty: rows of width weights and a constant.
 * value: of each label.
 */
enum { WGDN_RIDGE_PENALTIES = 7 };
WGDN_MUST_CHECK wgdn_status wgdn_ridge_path(float *weight, const float *x, int64_t width,
                                            const double *value, const wgdn_parts *p,
                                            wgdn_error *err);
/* The number that each label is, to be released; WGDN_EINVAL if one is none. */
WGDN_MUST_CHECK wgdn_status wgdn_label_values(double **value, const wgdn_dataset *d,
                                              wgdn_error *err);
/* Rank correlation; 0 where either is constant. */
WGDN_MUST_CHECK wgdn_status wgdn_spearman(double *out, const double *x, const double *y, int64_t n,
                                          wgdn_error *err);

/* ---- rows of length 1: classification_data.c ---- */

typedef struct wgdn_unit_input {
    const wgdn_probe_input *in;
    float *inverse;              /* n: 1 / |x_i|, 0 for a row of zeros */
    wgdn_shared_progress *pulse; /* NULL, or what may end a regression on them early */
} wgdn_unit_input;

WGDN_MUST_CHECK wgdn_status wgdn_unit_input_open(wgdn_unit_input *u, const wgdn_probe_input *in,
                                                 wgdn_error *err);
static inline void wgdn_unit_input_close(wgdn_unit_input *u)
{
    wgdn_release(u->inverse);
    *u = (wgdn_unit_input){0};
}

/* Some rows of length 1, to learn from: dense, sparse, or by products with all rows. */
typedef struct wgdn_row_subset {
    const wgdn_unit_input *unit;
    const int64_t *row;
    int64_t rows, cols;
    float *dense; /* rows x width, and what its products need */
    void *work;
    wgdn_csr sparse, transposed; /* rows x width and its transpose */
    wgdn_probe_input picked;     /* these, as something to be swept */
    wgdn_node_product sweep;     /* of these, or of all rows */
} wgdn_row_subset;

WGDN_MUST_CHECK wgdn_status wgdn_row_subset_open(wgdn_row_subset *l, const wgdn_unit_input *u,
                                                 const int64_t *row, int64_t rows, int64_t cols,
                                                 wgdn_error *err);

/* Harmless on a zeroed one. */
static inline void wgdn_row_subset_close(wgdn_row_subset *l)
{
    wgdn_release(l->work);
    wgdn_node_product_close(&l->sweep);
    wgdn_csr_free(&l->transposed);
    wgdn_csr_free(&l->sparse);
    wgdn_release(l->dense);
    *l = (wgdn_row_subset){0};
}

/* Y = X W, rows x cols, and dW = X^T Y. */
WGDN_MUST_CHECK wgdn_status wgdn_row_subset_forward(float *y, wgdn_row_subset *l, const float *w,
                                                    wgdn_error *err);
WGDN_MUST_CHECK wgdn_status wgdn_row_subset_back(float *dw, wgdn_row_subset *l, const float *y,
                                                 wgdn_error *err);

/* multiplications of either */
static inline double wgdn_row_subset_cost(const wgdn_row_subset *l)
{
    const double rows = (double)l->rows * (double)l->unit->in->width;
    return (double)l->cols * (l->dense ? rows : (double)wgdn_csr_entries(l->sweep.in->sparse));
}

/* ---- minimization: logistic.c ---- */

/* f at x and its gradient there. */
typedef wgdn_status (*wgdn_gradient_call)(double *f, float *g, const float *x, void *context,
                                          wgdn_error *err);

typedef struct wgdn_lbfgs {
    int64_t size; /* of x and its gradient */
    wgdn_gradient_call gradient;
    void *context;
    double tolerance; /* of the largest entry of the gradient */
    int steps_max;
    float *x; /* size: the start, then the end */
    double f; /* there */
    int steps;
} wgdn_lbfgs;

WGDN_MUST_CHECK wgdn_status wgdn_lbfgs_run(wgdn_lbfgs *m, wgdn_error *err);

/* ---- the regression: logistic.c ---- */

/* What nodes are: label of each, or several, then as rows of a matrix. */
typedef struct wgdn_targets {
    int64_t classes;
    const int32_t *label;  /* n: -1 for none */
    const wgdn_csr *lists; /* n x classes, or NULL: one label each */
    const float *weight;   /* of the classes, where each node has one; NULL: all 1 */
} wgdn_targets;

/* Columns of W: a single one tells two classes apart. */
static inline int64_t wgdn_target_columns(const wgdn_targets *a)
{
    return a->classes == 2 && !a->lists ? 1 : a->classes;
}

typedef struct wgdn_logistic {
    wgdn_row_subset lesson;
    const wgdn_targets *answers;
    int64_t width, cols;
    float *param;     /* W (width x cols), then b */
    const float *now; /* the same while it is looked for */
    float *y;         /* rows x cols: Y, then dl/dY */
    void *work;
    wgdn_arrays arrays;
    double penalty; /* 1 / (C rows) */
} wgdn_logistic;

WGDN_MUST_CHECK wgdn_status wgdn_logistic_open(wgdn_logistic *f, const wgdn_unit_input *u,
                                               const wgdn_targets *a, const int64_t *row,
                                               int64_t rows, wgdn_error *err);

/* Harmless on a zeroed one. */
static inline void wgdn_logistic_close(wgdn_logistic *f)
{
    wgdn_row_subset_close(&f->lesson);
    wgdn_arrays_release(&f->arrays);
    *f = (wgdn_logistic){0};
}

/* Fit from where the last fit ended; the first one starts at 0. */
WGDN_MUST_CHECK wgdn_status wgdn_logistic_fit(wgdn_logistic *f, double c, wgdn_error *err);
/* Scores of all nodes, n x cols, in the room of the sweep, which has as many columns. */
WGDN_MUST_CHECK wgdn_status wgdn_logistic_scores(float **y, const wgdn_logistic *f,
                                                 wgdn_node_product *s, wgdn_error *err);

/*
 * Micro and macro-F1 of nodes with several labels: each gets as many as it has, the most likely
 * first. y: scores of all nodes, n x classes. classification_data.c
 */
WGDN_MUST_CHECK wgdn_status wgdn_multilabel_f1(double *micro, double *macro, const float *y,
                                               const wgdn_csr *lists, const int64_t *row,
                                               int64_t rows, wgdn_error *err);

/* ---- one split: logistic.c, probe.c, knn.c ---- */

/* The class that scores say; a single one tells 1 from 0 by its sign. */
static inline int32_t wgdn_best_column(const float *y, int64_t cols)
{
    int32_t best = 0;
    if (cols == 1) return *y > 0;
    for (int64_t k = 1; k < cols; k++)
        if (y[k] > y[best]) best = (int32_t)k;
    return best;
}

enum { WGDN_SHOTS = 5, WGDN_DRAWS = 10, WGDN_NEIGHBORS = 5 };

/* C chosen on the validation nodes; accuracies on the test nodes. */
WGDN_MUST_CHECK wgdn_status wgdn_logistic_evaluate(wgdn_outcome *out, const wgdn_unit_input *u,
                                                   const wgdn_targets *a, const wgdn_parts *p,
                                                   wgdn_error *err);
/* So many of the training nodes of each class, in order; returns how many. row: room for all. */
WGDN_MUST_CHECK wgdn_status wgdn_few_shot_draw(int64_t *row, int64_t *count, const wgdn_parts *p,
                                               wgdn_stream s, int draw, wgdn_error *err);
/* Test accuracy of a regression on each of WGDN_DRAWS draws. */
WGDN_MUST_CHECK wgdn_status wgdn_few_shot(double *accuracy, const wgdn_unit_input *u,
                                          const wgdn_targets *a, const wgdn_parts *p, wgdn_stream s,
                                          wgdn_error *err);
/* Test accuracy of the majority of the nearest training nodes by cosine; ties by the nearest. */
WGDN_MUST_CHECK wgdn_status wgdn_knn_accuracy(double *accuracy, const wgdn_unit_input *u,
                                              const wgdn_parts *p, wgdn_error *err);

#endif
