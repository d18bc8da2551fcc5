/* SPDX-License-Identifier: Apache-2.0 */
/* Evaluation of embeddings: splits, probes, clusters, links, neighbors, and what to compare. */
#ifndef WGDN_EVAL_EVAL_H
#define WGDN_EVAL_EVAL_H

#include "data/embedding.h"
#include "model/train.h"

#include <math.h>

/* ---- vectors: metrics.c ---- */

/*
 * Vectors of an embedding: its own, or dense copies. They have to be closed also after a failure. finite: refuses other
 * numbers, naming row and column from 0.
 */
typedef struct wgdn_vectors {
    int64_t n, width;
    const float *x;         /* n x width, or NULL */
    const wgdn_csr *sparse; /* the embedding's own, or NULL */
    float *made;            /* NULL: the embedding's own */
} wgdn_vectors;

WGDN_MUST_CHECK wgdn_status wgdn_vectors_open(wgdn_vectors *v, const wgdn_embedding *e, bool finite,
                                              wgdn_error *err);
/* The same in the order of a dataset's nodes, and finite. With keep_sparse, sparse vectors that
 * are in this order stay sparse. */
WGDN_MUST_CHECK wgdn_status wgdn_vectors_open_for(wgdn_vectors *v, const wgdn_embedding *e,
                                                  const wgdn_dataset *d, bool keep_sparse,
                                                  wgdn_error *err);
/* Scales the rows to length 1, so that squared distances are 2 - 2 cosine; zero rows stay. */
WGDN_MUST_CHECK wgdn_status wgdn_vectors_normalize(wgdn_vectors *v, wgdn_error *err);
static inline void wgdn_vectors_close(wgdn_vectors *v)
{
    wgdn_release(v->made);
    *v = (wgdn_vectors){0};
}

static inline double wgdn_row_squares(const float *x, int64_t width)
{
    double sum = 0;
    for (int64_t j = 0; j < width; j++)
        sum += (double)x[j] * x[j];
    return sum;
}

/* 1 over the length of a row, given the sum of its squares; 0 for a row of zeros. */
static inline float wgdn_inverse_length(double squares)
{
    return squares > 0 ? (float)(1 / sqrt(squares)) : 0;
}

wgdn_spread wgdn_spread_of(const double *x, int64_t all); /* NAN: passed over */
/* Tell the caller how far it is; WGDN_ESTOPPED when it wants no more. */
static inline wgdn_status wgdn_eval_progress(const wgdn_eval_options *o, int64_t done,
                                             int64_t total, wgdn_error *err)
{
    if (!o->progress || !o->progress(o->progress_user, done, total)) return WGDN_OK;
    return wgdn_fail(err, WGDN_ESTOPPED, "stopped after %lld of %lld", (long long)done,
                     (long long)total);
}

/*
 * The same from within tasks that several threads share: the thread that made it tells, and all
 * see whether the caller wants no more. splits.c
 */
typedef struct wgdn_shared_progress {
    const wgdn_eval_options *o;
    const void *caller; /* which thread */
    int64_t done, total;
    int stopped;
} wgdn_shared_progress;

wgdn_shared_progress wgdn_shared_progress_of(const wgdn_eval_options *o, int64_t total);
/* WGDN_ESTOPPED once the caller wants no more; p NULL: never. */
WGDN_MUST_CHECK wgdn_status wgdn_shared_progress_report(wgdn_shared_progress *p, wgdn_error *err);

/* ---- the generator behind published splits: splits.c ---- */

typedef struct wgdn_twister {
    uint32_t word[624];
    int used;
} wgdn_twister;

void wgdn_twister_seed(wgdn_twister *t, uint32_t seed);

/* ---- splits: splits.c ---- */

/* Labeled nodes in random order, class after class. */
typedef struct wgdn_ticket {
    int32_t label;
    uint32_t draw;
    int64_t node;
} wgdn_ticket;

void wgdn_tickets_sort(wgdn_ticket *t, int64_t count);

/* The permutation behind published split k = seed; p has room for n. */
void wgdn_published_permutation(int64_t *p, int64_t n, uint32_t seed);

/* Labeled nodes in ascending order: those to learn from, then to validate, then to test. */
typedef struct wgdn_parts {
    int64_t train, val, test;
    int64_t *row;   /* train + val + test nodes */
    int32_t *label; /* of each */
} wgdn_parts;

/* Whether labels are predicted as numbers. */
static inline bool wgdn_eval_numeric(const wgdn_dataset *d, const wgdn_eval_options *o)
{
    if (o->label_kind != WGDN_LABEL_KIND_AUTO) return o->label_kind == WGDN_LABEL_KIND_NUMBER;
    return wgdn_labels_numeric(d);
}

/* Of two classes the one with fewer labels, and how many it has, of how many in all. */
int64_t wgdn_rarest_class(int64_t *labels, int32_t *class, const wgdn_dataset *d);
wgdn_splits wgdn_splits_source(const wgdn_dataset *d, const wgdn_eval_options *o);
/* Splits that differ, among the runs. */
static inline int wgdn_split_count(const wgdn_dataset *d, const wgdn_eval_options *o)
{
    const bool own = wgdn_splits_source(d, o) == WGDN_SPLITS_DATASET && d->splits > 0;
    return own && d->splits < o->runs ? (int)d->splits : o->runs;
}

/* Which split a run has; equal numbers mean the same split. */
static inline int64_t wgdn_split_of_run(const wgdn_dataset *d, const wgdn_eval_options *o, int run)
{
    const int64_t own = d->splits;
    return wgdn_splits_source(d, o) == WGDN_SPLITS_DATASET && own > 0 ? run % own : run;
}

WGDN_MUST_CHECK wgdn_status wgdn_parts_make(wgdn_parts *out, const wgdn_dataset *d,
                                            const wgdn_eval_options *o, int64_t split,
                                            wgdn_error *err);
/* the rows; their numbers stay */
static inline void wgdn_parts_free(wgdn_parts *p)
{
    wgdn_release(p->label);
    wgdn_release(p->row);
    p->label = NULL;
    p->row = NULL;
}

/* ---- folds: splits.c ---- */

/*
 * The fold, 0 .. folds - 1, of each of n labels in [0, classes), as scikit-learn's StratifiedKFold
 * deals them: class after class in stretches, or, with a generator, shuffled within each class.
 */
WGDN_MUST_CHECK wgdn_status wgdn_folds_make(int32_t *fold, const int32_t *label, int64_t n,
                                            int64_t classes, int folds, wgdn_twister *shuffle,
                                            wgdn_error *err);

/* ---- metrics: metrics.c ---- */

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
typedef struct wgdn_kmeans_task {
    const float *x; /* n x width */
    int64_t n, width, k;
    uint64_t seed;
    int restarts;          /* at least 1, or 0 with a start */
    const int32_t *start;  /* NULL, or n parts, -1 for none, whose means one more run starts from */
    const wgdn_csr *graph; /* NULL, or whose neighbors pull on the best parts in the end: */
    double pull;           /* pull (1 - share of the neighbors in a part) is added to distances */
} wgdn_kmeans_task;
/* The parts of the run with the least inertia. */
WGDN_MUST_CHECK wgdn_status wgdn_kmeans_find(int32_t *part, const wgdn_kmeans_task *t,
                                             wgdn_error *err);

/* ---- neighbors: knn.c ---- */

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
 * Scores of the leading components of P(L) X, columns centered: n x components, best first.
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

/* ---- two sides: links.c ---- */

/*
 * Sides of a bipartite graph: 0 for the side of the first node, 1 for the other, 2 for nodes of
 * neither; untouched where there are none. *kinds: ids name the side before a colon.
 */
WGDN_MUST_CHECK wgdn_status wgdn_sides_find(uint8_t **side, bool *kinds, const wgdn_dataset *d,
                                            wgdn_error *err);

/* Test edges: pairs of nodes, one after another; returns how many. */
int64_t wgdn_links_get_edges(const int64_t **pair, const wgdn_links *l);

#endif
