/* SPDX-License-Identifier: Apache-2.0 */
/* What an embedding is worth: splits, probes, clusters, links, neighbours, and what to compare. */
#ifndef WGDN_EVAL_EVAL_H
#define WGDN_EVAL_EVAL_H

#include "data/embedding.h"
#include "model/train.h"

/* ---- vectors: metrics.c ---- */

/* Refuse what is not finite, naming row and column from 0. */
WGDN_MUST_CHECK wgdn_status wgdn_vectors_check(const float *x, int64_t n, int64_t width,
                                               wgdn_error *err);

/* Dense vectors of an embedding: its own, or made of sparse ones. To be closed anyhow. */
typedef struct wgdn_vectors {
    int64_t n, width;
    const float *x; /* n x width */
    float *made;    /* NULL: the embedding's own */
} wgdn_vectors;

WGDN_MUST_CHECK wgdn_status wgdn_vectors_open(wgdn_vectors *v, const wgdn_embedding *e,
                                              wgdn_error *err);
/* The same in the order of a dataset's nodes, and finite. */
WGDN_MUST_CHECK wgdn_status wgdn_vectors_open_for(wgdn_vectors *v, const wgdn_embedding *e,
                                                  const wgdn_dataset *d, wgdn_error *err);
void wgdn_vectors_close(wgdn_vectors *v);
/* The row of each node, to be released anyhow, and whether that is the node itself. */
WGDN_MUST_CHECK wgdn_status wgdn_vectors_in_order(bool *same, int64_t **row,
                                                  const wgdn_embedding *e, const wgdn_dataset *d,
                                                  wgdn_error *err);

wgdn_spread wgdn_spread_of(const double *x, int64_t all); /* NAN: passed over */
/* Rows of length 1, whose squared distances are 2 - 2 cosine; zero rows stay. cluster.c */
void wgdn_unit_rows(float *y, const float *x, int64_t n, int64_t width);
/* Tell the caller how far it is; WGDN_ESTOPPED when it wants no more. */
WGDN_MUST_CHECK wgdn_status wgdn_eval_tell(const wgdn_eval_options *o, int64_t done, int64_t total,
                                           wgdn_error *err);

/*
 * The same from within tasks that several threads share: the thread that made it tells, and all
 * see whether the caller wants no more. splits.c
 */
typedef struct wgdn_pulse {
    const wgdn_eval_options *o;
    const void *caller; /* which thread */
    int64_t done, total;
    int stopped;
} wgdn_pulse;

wgdn_pulse wgdn_pulse_of(const wgdn_eval_options *o, int64_t total);
/* WGDN_ESTOPPED once the caller wants no more; p NULL: never. */
WGDN_MUST_CHECK wgdn_status wgdn_pulse_beat(wgdn_pulse *p, wgdn_error *err);

/* ---- the generator behind published splits: splits.c ---- */

typedef struct wgdn_twister {
    uint32_t word[624];
    int used;
} wgdn_twister;

void wgdn_twister_seed(wgdn_twister *t, uint32_t seed);

/* ---- splits: splits.c ---- */

/* The permutation behind published split k = seed; p has room for n. */
void wgdn_published_permutation(int64_t *p, int64_t n, uint32_t seed);

/* Labelled nodes in ascending order: those to learn from, then to validate, then to test. */
typedef struct wgdn_parts {
    int64_t train, val, test;
    int64_t *row;   /* train + val + test nodes */
    int32_t *label; /* of each */
} wgdn_parts;

/* Whether labels are predicted as numbers. */
bool wgdn_eval_numeric(const wgdn_dataset *d, const wgdn_eval_options *o);
/* Of two classes the one with fewer labels, and how many it has, of how many in all. */
int64_t wgdn_rarest_class(int64_t *labels, int32_t *class, const wgdn_dataset *d);
wgdn_splits wgdn_splits_source(const wgdn_dataset *d, const wgdn_eval_options *o);
/* Splits that differ, among the runs. */
int wgdn_split_count(const wgdn_dataset *d, const wgdn_eval_options *o);
/* Which split a run has; equal numbers mean the same split. */
int64_t wgdn_split_of_run(const wgdn_dataset *d, const wgdn_eval_options *o, int run);
WGDN_MUST_CHECK wgdn_status wgdn_parts_make(wgdn_parts *out, const wgdn_dataset *d,
                                            const wgdn_eval_options *o, int64_t split,
                                            wgdn_error *err);
void wgdn_parts_free(wgdn_parts *p);
void wgdn_parts_rows_free(wgdn_parts *p); /* the rows; how many they were stays */

/* ---- folds and support vector machines: splits.c, svm.c, svm.c, svm.c ---- */

/*
 * The fold, 0 .. folds - 1, of each of n labels in [0, classes), as scikit-learn's StratifiedKFold
 * deals them: class after class in stretches, or, with a generator, shuffled within each class.
 */
WGDN_MUST_CHECK wgdn_status wgdn_folds_make(int32_t *fold, const int32_t *label, int64_t n,
                                            int64_t classes, int folds, wgdn_twister *shuffle,
                                            wgdn_error *err);

/* What is classified: n rows, dense or compressed, and what their kernels are made of. */
typedef struct wgdn_svm_input {
    int64_t n, width, classes;
    const float *dense;     /* n x width, or NULL */
    const wgdn_csr *sparse; /* of that width before its singleton columns were folded */
    const int32_t *label;
    double *dot;           /* n x n: every row times every other */
    double *sum, *squares; /* n each: of the entries of a row */
} wgdn_svm_input;

enum { WGDN_PENALTIES = 5 }; /* 1e-3 .. 10 */

/*
 * Learn from the first `learn` rows and guess the others: once for each of the penalties
 * first .. first + count - 1, the k-th of them into guess[k * rows + learn] and behind. False when
 * memory is short.
 */
typedef bool (*wgdn_svm_call)(int32_t *guess, const wgdn_svm_input *in, const int64_t *row,
                              int64_t learn, int64_t rows, int first, int count);
bool wgdn_svm_rbf(int32_t *guess, const wgdn_svm_input *in, const int64_t *row, int64_t learn,
                  int64_t rows, int first, int count);
bool wgdn_svm_linear(int32_t *guess, const wgdn_svm_input *in, const int64_t *row, int64_t learn,
                     int64_t rows, int first, int count);
extern const bool wgdn_svm_has_rbf, wgdn_svm_has_linear;
/* LIBLINEAR is loaded at its first use; false: it is not installed, or there is no memory. */
bool wgdn_svm_linear_loads(void);
int wgdn_svm_linear_threads(int threads); /* of its BLAS; returns the former number */

/* Columns that one row alone has, folded into one; products of rows stay. out's arrays are new. */
WGDN_MUST_CHECK wgdn_status wgdn_fold_singletons(wgdn_csr *out, const wgdn_csr *a, wgdn_error *err);

/* Counts of Weisfeiler and Lehman's subtrees, a row for each graph: baselines.c. */
WGDN_MUST_CHECK wgdn_status wgdn_subtree_counts(wgdn_csr *out, const wgdn_dataset *d,
                                                int iterations, wgdn_error *err);

/* ---- metrics: metrics.c ---- */

double wgdn_accuracy(const int32_t *guess, const int32_t *label, int64_t n);
/* Mean over the classes that occur in either. */
WGDN_MUST_CHECK wgdn_status wgdn_macro_f1(double *out, const int32_t *guess, const int32_t *label,
                                          int64_t n, int64_t classes, wgdn_error *err);
/* Of two partitions into a and b parts; labels below 0 are passed over. */
WGDN_MUST_CHECK wgdn_status wgdn_nmi_ari(double *nmi, double *ari, const int32_t *x, int64_t a,
                                         const int32_t *y, int64_t b, int64_t n, wgdn_error *err);
/*
 * Area under the ROC curve and average precision of scores; truth is 0 or 1, and each occurs.
 * Equal scores share a threshold.
 */
WGDN_MUST_CHECK wgdn_status wgdn_auc_ap(double *auc, double *ap, const double *score,
                                        const uint8_t *truth, int64_t n, wgdn_error *err);

/* ---- k-means: cluster.c ---- */

enum { WGDN_CLUSTERS_MAX = 1024 };

typedef struct wgdn_kmeans {
    int64_t n, width, k;
    const float *x;
    double *norm;     /* |x_i|^2 */
    double *distance; /* to the nearest centre */
    int32_t *part;    /* which one that is */
    float *centre;    /* k x width */
    float *product;   /* n x k */
    double *size;     /* k */
    void *work;
} wgdn_kmeans;

/* ---- bipartite graphs: links.c ---- */

/* ---- neighbours: knn.c ---- */

/* Which k of the n rows of x are most similar to each query. */
typedef struct wgdn_search {
    const float *x; /* n x width */
    int64_t n, width;
    const float *query; /* queries x width */
    int64_t queries, k;
    bool cosine;            /* else dot products */
    const wgdn_archive *in; /* that x lies in, where memory is short; or NULL */
} wgdn_search;

/* index and score: queries x k, best first; score may be NULL. */
WGDN_MUST_CHECK wgdn_status wgdn_search_rows(int64_t *index, float *score, const wgdn_search *s,
                                             wgdn_error *err);

/* ---- baselines: baselines.c, baselines.c, projection.c ---- */

/*
 * Scores of the leading components of P(L) X, columns centred: n x components, best first.
 * in: prepared; components <= min(n, features).                                      [WGDN:pca]
 */
WGDN_MUST_CHECK wgdn_status wgdn_pca_smooth(float *out, const wgdn_model_input *in,
                                            const wgdn_model *m, const wgdn_graph *g,
                                            int64_t components, wgdn_error *err);
/*
 * X, n x r, turned until its columns are orthogonal, the largest variance first, and these into
 * variance (r); in any order with NULL.
 */
WGDN_MUST_CHECK wgdn_status wgdn_principal_axes(float *out, double *variance, const float *x,
                                                int64_t n, int64_t r, wgdn_error *err);

#endif
