/* SPDX-License-Identifier: Apache-2.0 */
/* Logistic regression on rows of length 1, and what else is read off such rows. */
#ifndef WGDN_EVAL_LOGISTIC_H
#define WGDN_EVAL_LOGISTIC_H

#include "probe.h"

/* ---- rows of length 1: classification_data.c ---- */

typedef struct wgdn_unit_input {
    const wgdn_probe_input *in;
    float *inverse;              /* n: 1 / |x_i|, 0 for a row of zeros */
    wgdn_shared_progress *pulse; /* NULL, or what may end a regression on them early */
} wgdn_unit_input;

WGDN_MUST_CHECK wgdn_status wgdn_unit_input_open(wgdn_unit_input *u, const wgdn_probe_input *in,
                                                 wgdn_error *err);
void wgdn_unit_input_close(wgdn_unit_input *u);

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
void wgdn_row_subset_close(wgdn_row_subset *l); /* also when it was never opened, if zeroed */
/* Y = X W, rows x cols, and dW = X^T Y. */
WGDN_MUST_CHECK wgdn_status wgdn_row_subset_forward(float *y, wgdn_row_subset *l, const float *w,
                                                    wgdn_error *err);
WGDN_MUST_CHECK wgdn_status wgdn_row_subset_back(float *dw, wgdn_row_subset *l, const float *y,
                                                 wgdn_error *err);

double wgdn_row_subset_cost(const wgdn_row_subset *l); /* multiplications of either */

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
void wgdn_logistic_close(wgdn_logistic *f); /* also when it was never opened, if zeroed */
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
