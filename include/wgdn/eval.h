/* SPDX-License-Identifier: Apache-2.0 */
/** @file eval.h What an embedding is worth. */
#ifndef WGDN_EVAL_API_H
#define WGDN_EVAL_API_H

#include <wgdn/model.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Which nodes teach and which are asked. */
typedef enum wgdn_splits {
    WGDN_SPLITS_AUTO = 0,      /**< the dataset's own if it has any, else stratified folds */
    WGDN_SPLITS_DATASET = 1,   /**< the dataset's own */
    WGDN_SPLITS_PAPER = 2,     /**< run k: permutation k behind published numbers, 10/10/80 % */
    WGDN_SPLITS_STRATIFIED = 3 /**< folds with the classes' shares; the next fold validates */
} wgdn_splits;

/** How a probe is fitted. */
typedef enum wgdn_classifier {
    WGDN_CLASSIFIER_ADAM = 0,     /**< one linear layer, full-batch Adam, as published */
    WGDN_CLASSIFIER_LIBLINEAR = 1 /**< logistic regression, its C chosen on the validation nodes */
} wgdn_classifier;

/** How something is evaluated. Set it up with wgdn_eval_options_init(). */
typedef struct wgdn_eval_options {
    size_t struct_size;         /**< set by _init */
    uint64_t seed;              /**< default 1; fixes every random choice */
    wgdn_splits splits;         /**< default WGDN_SPLITS_AUTO */
    int runs;                   /**< probes, 1..10000, default 20; run k has split k, in a circle */
    wgdn_classifier classifier; /**< default WGDN_CLASSIFIER_ADAM */
    int steps;                  /**< of a probe, 1..1000000, default 300 */
    double learning_rate;       /**< of its Adam, default 0.01 */
    double weight_decay;        /**< its weight decay, default 0 */
    int folds;                  /**< 3..1000, default 10 */
    int restarts;               /**< of k-means, 1..1000, default 10 */
    double test_edge_fraction;  /**< share of the edges held out, 0..0.9, default 0.1 */
    wgdn_similarity metric;     /**< of links; clusters of unit vectors, or as they are for
                                     WGDN_SIMILARITY_DOT; default WGDN_SIMILARITY_COSINE */
    int threads;                /**< 0..4096, 0 = whatever OpenMP offers, default 0 */
    /** NULL, or told after every probe or restart how many are done; what is not 0 stops it. */
    int (*progress)(void *user, int64_t done, int64_t total);
    void *progress_user; /**< handed to progress */
} wgdn_eval_options;

static inline void wgdn_eval_options_init(wgdn_eval_options *o)
{
    wgdn_options_init(WGDN_OPTIONS_EVAL, o, sizeof *o);
}

/** A number over several runs; the deviation is that of a sample, 0 for a single run. */
typedef struct wgdn_spread {
    double mean, deviation;
} wgdn_spread;

/** What linear probes read from vectors. Fields may be added at the end. */
typedef struct wgdn_probe_result {
    size_t struct_size;       /**< sizeof(wgdn_probe_result), set by the caller */
    int runs;                 /**< probes */
    int splits;               /**< different splits among them */
    wgdn_splits source;       /**< of these; never WGDN_SPLITS_AUTO */
    int64_t train, val, test; /**< labelled nodes in the first one */
    wgdn_spread
        validation_selected;   /**< test accuracy at the first step with the best validation */
    wgdn_spread test_selected; /**< the best test accuracy of all steps at which validation tied or
                                beat its best so far: it looks at test labels */
    wgdn_spread f1;            /**< macro-F1 at the honest step */
} wgdn_probe_result;

/**
 * Fit linear probes to the labels and tell their accuracies. Without validation nodes the honest
 * step is the last one. Nodes without a label take no part.
 *
 * @param x      nodes x width, finite
 * @param width  at least 1
 * @param o      NULL for the defaults
 * @return WGDN_OK, WGDN_EINVAL (no labels, no such splits, an empty part), WGDN_ENOMEM,
 *         WGDN_ENOSUPPORT (a classifier that this build lacks), WGDN_ESTOPPED
 */
WGDN_API WGDN_MUST_CHECK wgdn_status wgdn_probe_vectors(wgdn_probe_result *out,
                                                        const wgdn_dataset *d, const float *x,
                                                        int64_t width, const wgdn_eval_options *o,
                                                        wgdn_error *err);

/** What to compare with; none of them has learnt anything from the graph. */
typedef enum wgdn_baseline {
    WGDN_BASELINE_RAW = 0,    /**< the features as they are */
    WGDN_BASELINE_SMOOTH = 1, /**< filtered with the model's kernel */
    WGDN_BASELINE_RANDOM = 2, /**< the encoder with fresh parameters */
    WGDN_BASELINE_PCA = 3     /**< principal components of the filtered ones, at most width */
} wgdn_baseline;

/** "raw features", ...; NULL beyond the last. Lent, for ever. */
WGDN_API const char *wgdn_baseline_name(int baseline);
/**
 * The same probes on a baseline. Sparse features stay sparse.
 *
 * @param model  kernel, width, seed and features of the model to compare with; NULL: the defaults
 */
WGDN_API WGDN_MUST_CHECK wgdn_status
wgdn_probe_baseline(wgdn_probe_result *out, const wgdn_dataset *d, wgdn_baseline baseline,
                    const wgdn_train_options *model, const wgdn_eval_options *o, wgdn_error *err);
/** Its vectors, all of them dense, without ids; to be released with wgdn_embedding_free(). */
WGDN_API WGDN_MUST_CHECK wgdn_status wgdn_embedding_from_baseline(wgdn_embedding **out,
                                                                  const wgdn_dataset *d,
                                                                  wgdn_baseline baseline,
                                                                  const wgdn_train_options *model,
                                                                  wgdn_error *err);

/** What support vector machines read from vectors. Fields may be added at the end. */
typedef struct wgdn_svm_result {
    size_t struct_size; /**< sizeof(wgdn_svm_result), set by the caller */
    int folds;
    int64_t rows, classes;   /**< vectors with a label, and different ones of these */
    int has_rbf, has_linear; /**< 0 where this build lacks LIBSVM or LIBLINEAR */
    wgdn_spread rbf;    /**< accuracy over the folds; kernel exp(-g |x - y|^2), one against one,
                             1/g = width times the variance of all entries to learn from */
    wgdn_spread linear; /**< entries divided by their deviation, one against the rest */
} wgdn_svm_result;

/**
 * Classify labelled vectors by support vector machines: stratified folds, each tested once, C of
 * {0.001, 0.01, 0.1, 1, 10} chosen by five folds within what is learnt from. For vectors of graphs,
 * d is what wgdn_dataset_from_graphs() gives.
 *
 * @param x      nodes x width, finite
 * @param width  at least 1
 * @param o      NULL for the defaults; seed and folds count
 * @return WGDN_OK, WGDN_EINVAL (no labels, or a class with fewer rows than folds), WGDN_ENOMEM,
 *         WGDN_ENOSUPPORT (neither LIBSVM nor LIBLINEAR)
 */
WGDN_API WGDN_MUST_CHECK wgdn_status wgdn_svm_vectors(wgdn_svm_result *out, const wgdn_dataset *d,
                                                      const float *x, int64_t width,
                                                      const wgdn_eval_options *o, wgdn_error *err);
/** The fold in which each node is tested, -1 for one without a label. @return as above */
WGDN_API WGDN_MUST_CHECK wgdn_status wgdn_svm_folds(int32_t *fold, const wgdn_dataset *d,
                                                    const wgdn_eval_options *o, wgdn_error *err);

/** What vectors of graphs are compared with; none of them was trained. */
typedef enum wgdn_graph_baseline {
    WGDN_GRAPH_BASELINE_RAW = 0,     /**< the features, pooled */
    WGDN_GRAPH_BASELINE_RANDOM = 1,  /**< the encoder with fresh parameters, pooled */
    WGDN_GRAPH_BASELINE_SUBTREES = 2 /**< counts of Weisfeiler-Lehman subtrees, 3 iterations */
} wgdn_graph_baseline;

/** "pooled raw features", ...; NULL beyond the last. Lent, for ever. */
WGDN_API const char *wgdn_graph_baseline_name(int baseline);
/**
 * The same machines on a baseline of a dataset with several graphs.
 *
 * @param model  width, seed and pooling of the model to compare with; NULL: the defaults
 */
WGDN_API WGDN_MUST_CHECK wgdn_status wgdn_svm_baseline(wgdn_svm_result *out, const wgdn_dataset *d,
                                                       wgdn_graph_baseline baseline,
                                                       const wgdn_train_options *model,
                                                       const wgdn_eval_options *o, wgdn_error *err);

/** What k-means finds, against the labels. Fields may be added at the end. */
typedef struct wgdn_cluster_result {
    size_t struct_size; /**< sizeof(wgdn_cluster_result), set by the caller */
    int restarts;
    int64_t clusters; /**< as many as there are classes */
    double nmi, ari;  /**< of the restart with the least inertia: no label chooses it */
    double inertia;   /**< its sum of squared distances */
    wgdn_spread nmi_spread, ari_spread; /**< over the restarts */
} wgdn_cluster_result;

/** @return WGDN_OK, WGDN_EINVAL (no labels), WGDN_ENOMEM, WGDN_ESTOPPED */
WGDN_API WGDN_MUST_CHECK wgdn_status wgdn_cluster_vectors(wgdn_cluster_result *out,
                                                          const wgdn_dataset *d, const float *x,
                                                          int64_t width, const wgdn_eval_options *o,
                                                          wgdn_error *err);

typedef struct wgdn_links wgdn_links; /**< a graph without some edges, and these; immutable */

/**
 * Hold out a share of the edges, and draw as many pairs of nodes without an edge, with replacement.
 *
 * @param out  receives them, to be released with wgdn_links_free(); untouched on failure
 * @param d    one graph; it must outlive the result, which borrows its features
 * @return WGDN_OK, WGDN_EINVAL (too few edges, several graphs, hardly a pair without an edge),
 *         WGDN_ENOMEM
 */
WGDN_API WGDN_MUST_CHECK wgdn_status wgdn_links_hold(wgdn_links **out, const wgdn_dataset *d,
                                                     const wgdn_eval_options *o, wgdn_error *err);
WGDN_API void wgdn_links_free(wgdn_links *l); /**< NULL is fine */
/** The dataset without the held-out edges, to train on. Lent. */
WGDN_API const wgdn_dataset *wgdn_links_get_dataset(const wgdn_links *l);
WGDN_API int64_t wgdn_links_held(const wgdn_links *l); /**< edges held out */

/** How well the vectors' similarity tells edges from other pairs. */
typedef struct wgdn_links_result {
    size_t struct_size; /**< sizeof(wgdn_links_result), set by the caller */
    int64_t held;
    double auc, average_precision;
} wgdn_links_result;

/**
 * Score the held-out edges against the pairs without an edge.
 *
 * @param x  nodes x width, finite; made without the held-out edges
 * @return WGDN_OK, WGDN_EINVAL, WGDN_ENOMEM
 */
WGDN_API WGDN_MUST_CHECK wgdn_status wgdn_links_score(wgdn_links_result *out, const wgdn_links *l,
                                                      const float *x, int64_t width,
                                                      const wgdn_eval_options *o, wgdn_error *err);

#ifdef __cplusplus
}
#endif

#endif
