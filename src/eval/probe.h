/* SPDX-License-Identifier: Apache-2.0 */
/* Probes: what is probed, the linear layer trained by Adam, and runs over splits. */
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

/* ---- products with all rows of what is probed: logistic.c ---- */

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
void wgdn_node_product_close(wgdn_node_product *s); /* also when it was never opened, if zeroed */
/* P(L) X W, n x cols, in the sweep's own room. */
WGDN_MUST_CHECK wgdn_status wgdn_node_product_forward(float **y, wgdn_node_product *s,
                                                      const float *w, wgdn_error *err);
/* P(L) of what is in s->full, where there is a graph, in the sweep's own room: n x stride. */
float *wgdn_node_product_filter(wgdn_node_product *s);
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
    wgdn_optimiser optimiser;
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
void wgdn_probe_close(wgdn_probe *p); /* also when it was never opened, if zeroed */
/* Fresh parameters: W uniform(-s, s), s = sqrt(6 / (width + classes)), b = 0. */
WGDN_MUST_CHECK wgdn_status wgdn_probe_start(wgdn_probe *p, uint64_t seed, int run,
                                             wgdn_error *err);
/* Y and what it is worth; then, from the same Y, a step of Adam. */
WGDN_MUST_CHECK wgdn_status wgdn_probe_evaluate(wgdn_probe *p, wgdn_probe_scores *g,
                                                wgdn_error *err);
WGDN_MUST_CHECK wgdn_status wgdn_probe_step(wgdn_probe *p, double rate, double l2, wgdn_error *err);

/* ---- protocols and runs: splits.c, probe.c, probe.c ---- */

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
/* Rank correlation; 0 where either is constant. */
WGDN_MUST_CHECK wgdn_status wgdn_spearman(double *out, const double *x, const double *y, int64_t n,
                                          wgdn_error *err);

#endif
