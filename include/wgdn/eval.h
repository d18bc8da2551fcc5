/* SPDX-License-Identifier: Apache-2.0 */
/** @file eval.h Evaluation of embeddings on downstream tasks. */
#ifndef WGDN_EVAL_API_H
#define WGDN_EVAL_API_H

#include <wgdn/train.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Each evaluation takes an embedding and a dataset with labels, and finds the vector of each node
 * by its id. For vectors of graphs the dataset is what wgdn_dataset_from_graphs() gives.
 */

/** Where the nodes for training, validation and test come from. */
typedef enum wgdn_splits {
    WGDN_SPLITS_AUTO = 0,       /**< the dataset's own if it has any and train_fraction is 0; else
                                     stratified-random, or stratified where that would leave fewer
                                     than 5 training nodes a class (of the rarer one, with two
                                     classes), and for graphs; random for several labels a node and
                                     for numbers */
    WGDN_SPLITS_DATASET = 1,    /**< the dataset's own */
    WGDN_SPLITS_PAPER = 2,      /**< run k: permutation k behind published numbers, 10/10/80 % */
    WGDN_SPLITS_STRATIFIED = 3, /**< folds with the classes' shares; the next fold validates */
    WGDN_SPLITS_RANDOM = 4,     /**< run k: a permutation of the labeled nodes that seed, k and
                                     their number fix, cut by the fractions */
    WGDN_SPLITS_STRATIFIED_RANDOM = 5 /**< the same within each class, which keeps its share */
} wgdn_splits;

/** What labels are: names of classes, or numbers to be predicted. */
typedef enum wgdn_label_kind {
    WGDN_LABEL_KIND_AUTO = 0,  /**< numbers where wgdn_dataset_info.numeric_labels says so */
    WGDN_LABEL_KIND_CLASS = 1, /**< classes, whatever they look like */
    WGDN_LABEL_KIND_NUMBER = 2 /**< numbers; each label has to be one */
} wgdn_label_kind;

/** How a probe is fitted. */
typedef enum wgdn_classifier {
    WGDN_CLASSIFIER_LOGISTIC = 0, /**< logistic regression on rows scaled to length 1, C of
                                       {1, 8, 64, 512} chosen on the validation nodes, 64 without */
    WGDN_CLASSIFIER_ADAM = 1      /**< one linear layer, full-batch Adam, as published */
} wgdn_classifier;

/** Which support vector machines classify. */
typedef enum wgdn_svm { WGDN_SVM_BOTH = 0, WGDN_SVM_RBF = 1, WGDN_SVM_LINEAR = 2 } wgdn_svm;

/** How something is evaluated. Set it up with wgdn_eval_options_init(). */
typedef struct wgdn_eval_options {
    size_t struct_size;         /**< set by _init */
    uint64_t seed;              /**< default 1; fixes every random choice */
    wgdn_splits splits;         /**< default WGDN_SPLITS_AUTO */
    int runs;                   /**< probes, 1..10000, default 10; run k has split k, cyclically;
                                     logistic regression runs once a split */
    wgdn_classifier classifier; /**< default WGDN_CLASSIFIER_LOGISTIC */
    int steps;                  /**< of Adam, 1..1e6, default 300 */
    double learning_rate;       /**< of Adam, 0..1e6, default 0.01 */
    double weight_decay;        /**< of Adam, 0..1e6, default 0 */
    int folds;                  /**< 3..1000, default 10 */
    int restarts;               /**< of k-means, 1..1000, default 10 */
    double test_edge_fraction;  /**< of all edges, 0..0.9, default 0.1 */
    wgdn_similarity metric;     /**< of links; clusters of unit vectors, or as they are for
                                     WGDN_SIMILARITY_DOT; default WGDN_SIMILARITY_COSINE */
    int threads;                /**< 0..4096, 0 = whatever OpenMP offers, default 0 */
    /** NULL, or called after and within every probe or restart, with the number done; return
        non-zero to cancel. */
    int (*progress)(void *user, int64_t done, int64_t total);
    void *progress_user;        /**< handed to progress */
    double train_fraction;      /**< of the labeled nodes, for random splits, 0..1, default 0:
                                     0.1, or 0.5 where nodes have several labels */
    double validation_fraction; /**< likewise, 0..1, default 0.1 */
    wgdn_svm svm;               /**< default WGDN_SVM_BOTH */
    wgdn_label_kind label_kind; /**< default WGDN_LABEL_KIND_AUTO */
} wgdn_eval_options;

static inline void wgdn_eval_options_init(wgdn_eval_options *o)
{
    wgdn_options_init(WGDN_OPTIONS_KIND_EVAL, o, sizeof *o);
}

/** A number over several runs; the deviation is that of a sample, 0 for a single run. */
typedef struct wgdn_spread {
    double mean, deviation;
} wgdn_spread;

/* ---- Node classification by linear probes ---- */

/** What a classifier or the labels do not have is NAN. Fields may be added at the end. */
typedef struct wgdn_probe_result {
    size_t struct_size;              /**< set by _init */
    int runs;                        /**< probes */
    int splits;                      /**< different splits among them */
    wgdn_splits source;              /**< of these; never WGDN_SPLITS_AUTO */
    int64_t train, val, test;        /**< labeled nodes in the first one */
    wgdn_spread validation_selected; /**< test accuracy, with the C or at the first step of Adam
                                          that is best on the validation nodes; at Adam's last one
                                          without these */
    wgdn_spread test_selected;       /**< best test accuracy of all steps of Adam at which
                                          validation tied or beat its best so far: it looks at test
                                          labels */
    wgdn_spread f1;                  /**< macro-F1 of what is validation-selected */
    int64_t classes;
    int multi_label;       /**< 1: nodes have several labels; each gets as many as it has, the most
                                 likely first, and there is no accuracy */
    wgdn_spread micro_f1;  /**< the accuracy, where a node has one label */
    wgdn_spread auc;       /**< area under the ROC curve, with two classes; validation then
                                 chooses by it */
    wgdn_spread few_shot;  /**< test accuracy from 5 training nodes a class, C 64; over draws */
    int few_shot_draws;    /**< ten on each of the first three splits */
    wgdn_spread neighbors; /**< test accuracy of the majority of the 5 nearest training nodes by
                                 cosine, ties by the nearest; over these splits */
    int neighbor_splits;
    double *each;   /**< set by the caller: NULL, or room for o->runs numbers: the test AUC of
                       each run with two classes, NAN where its test nodes are of one class; its
                       micro-F1 with several labels, its R^2 with numbers, else its accuracy */
    int numeric;    /**< 1: the labels are numbers, predicted by ridge regression; r2 and spearman
                       are there, fields of classes above are not */
    wgdn_spread r2; /**< of the test nodes, against their mean */
    wgdn_spread spearman; /**< rank correlation of predictions and labels of the test nodes */
} wgdn_probe_result;

static inline void wgdn_probe_result_init(wgdn_probe_result *o)
{
    wgdn_struct_init(o, sizeof *o);
}

/**
 * Fit linear probes to the labels. Nodes without a label take no part. Few-shot and neighbors come
 * with logistic regression, test_selected with Adam. Numbers are predicted by ridge regression, its
 * penalty chosen on the validation nodes.
 *
 * @param e  finite vectors
 * @param o  NULL for the defaults
 * @return WGDN_OK, WGDN_EINVAL (no labels, all of them equal, one of two classes with fewer than 3,
 *         no such splits, an empty part), WGDN_ENOMEM, WGDN_EFORMAT (a node has no vector),
 *         WGDN_ESTOPPED
 */
WGDN_API WGDN_MUST_CHECK wgdn_status wgdn_embedding_probe(wgdn_probe_result *out,
                                                          const wgdn_embedding *e,
                                                          const wgdn_dataset *d,
                                                          const wgdn_eval_options *o,
                                                          wgdn_error *err);

/* ---- Classification by support vector machines ---- */

/** Fields may be added at the end. */
typedef struct wgdn_svm_result {
    size_t struct_size; /**< set by _init */
    int folds;
    int64_t rows, classes;   /**< vectors with a label, and different ones of these */
    int has_rbf, has_linear; /**< 0: not asked for, or the build lacks LIBSVM or LIBLINEAR */
    wgdn_spread rbf;    /**< accuracy over the folds; kernel exp(-g |x - y|^2), one against one,
                             1/g = dim times the variance of all entries to learn from */
    wgdn_spread linear; /**< entries divided by their deviation, one against the rest */
    int32_t *fold;      /**< set by the caller: NULL, or room for the fold in which each node is
                             tested, -1 for one without a label */
} wgdn_svm_result;

static inline void wgdn_svm_result_init(wgdn_svm_result *o)
{
    wgdn_struct_init(o, sizeof *o);
}

/**
 * Classify labeled vectors by SVMs: stratified folds, each tested once, C of
 * {0.001, 0.01, 0.1, 1, 10} chosen by five folds within what is learned from.
 *
 * @param e  finite vectors
 * @param o  NULL for the defaults; seed and folds count
 * @return WGDN_OK, WGDN_EINVAL (no labels, or fewer labeled rows than folds), WGDN_ENOMEM,
 *         WGDN_EFORMAT (a node has no vector), WGDN_ENOSUPPORT (neither LIBSVM nor LIBLINEAR)
 */
WGDN_API WGDN_MUST_CHECK wgdn_status wgdn_embedding_classify(wgdn_svm_result *out,
                                                             const wgdn_embedding *e,
                                                             const wgdn_dataset *d,
                                                             const wgdn_eval_options *o,
                                                             wgdn_error *err);

/* ---- Clusters ---- */

/** What k-means finds, against the labels. Fields may be added at the end. */
typedef struct wgdn_cluster_result {
    size_t struct_size; /**< set by _init */
    int restarts;
    int64_t clusters; /**< as many as there are classes */
    double nmi, ari;  /**< of the restart with the least inertia: no label chooses it */
    double inertia;   /**< its sum of squared distances */
    wgdn_spread nmi_spread, ari_spread; /**< over the restarts */
} wgdn_cluster_result;

static inline void wgdn_cluster_result_init(wgdn_cluster_result *o)
{
    wgdn_struct_init(o, sizeof *o);
}

/**
 * Cluster vectors by k-means and compare the clusters with the labels.
 *
 * @return WGDN_OK, WGDN_EINVAL (no labels), WGDN_EFORMAT (a node has no vector), WGDN_ENOMEM,
 *         WGDN_ESTOPPED
 */
WGDN_API WGDN_MUST_CHECK wgdn_status wgdn_embedding_cluster(wgdn_cluster_result *out,
                                                            const wgdn_embedding *e,
                                                            const wgdn_dataset *d,
                                                            const wgdn_eval_options *o,
                                                            wgdn_error *err);

/* ---- Link prediction ---- */

typedef struct wgdn_links wgdn_links; /**< a graph without its test edges, and these; immutable */

/**
 * Take test edges out of a graph, and draw as many pairs of nodes without an edge, with
 * replacement. In a bipartite graph each pair is the left end of a test edge and a random node of
 * the right side. A graph counts as bipartite if its file names two kinds of nodes, or if it has
 * more edges than nodes and all of its cycles have even length. Left is the side with more nodes.
 *
 * @param out  receives them, to be released with wgdn_links_free(); untouched on failure
 * @param d    one graph; it must outlive the result, which borrows its features
 * @param o    NULL for the defaults; seed and test_edge_fraction count
 * @return WGDN_OK, WGDN_EINVAL (too few edges, several graphs, hardly a pair without an edge),
 *         WGDN_ENOMEM
 */
WGDN_API WGDN_MUST_CHECK wgdn_status wgdn_links_from_dataset(wgdn_links **out,
                                                             const wgdn_dataset *d,
                                                             const wgdn_eval_options *o,
                                                             wgdn_error *err);
WGDN_API void wgdn_links_free(wgdn_links *l); /**< NULL is fine */
/** The dataset without the test edges, to train on. Borrowed. */
WGDN_API const wgdn_dataset *wgdn_links_get_dataset(const wgdn_links *l);

/** How well the vectors' similarity tells edges from other pairs. Fields may be
 * added at the end. */
typedef struct wgdn_links_result {
    size_t struct_size; /**< set by _init */
    int64_t test_edges; /**< and as many pairs without an edge */
    double auc, average_precision;
    int64_t right; /**< nodes of the right side of a bipartite graph; 0: it is not bipartite */
} wgdn_links_result;

static inline void wgdn_links_result_init(wgdn_links_result *o)
{
    wgdn_struct_init(o, sizeof *o);
}

/**
 * Score the test edges against the pairs without an edge.
 *
 * @param e  finite vectors, made without the test edges
 * @param o  NULL for the defaults; metric counts
 * @return WGDN_OK, WGDN_EINVAL, WGDN_EFORMAT (a node has no vector), WGDN_ENOMEM
 */
WGDN_API WGDN_MUST_CHECK wgdn_status wgdn_links_score(wgdn_links_result *out, const wgdn_links *l,
                                                      const wgdn_embedding *e,
                                                      const wgdn_eval_options *o, wgdn_error *err);

/** Scores of a pair that need no vectors. */
typedef enum wgdn_link_score {
    WGDN_LINK_SCORE_DEGREE_PRODUCT = 0,     /**< product of the degrees of both ends */
    WGDN_LINK_SCORE_ADAMIC_ADAR = 1,        /**< sum of 1 / log(degree) of the common neighbors */
    WGDN_LINK_SCORE_RESOURCE_ALLOCATION = 2 /**< sum of 1 / degree of the common neighbors */
} wgdn_link_score;

/** "degree product", ...; NULL beyond the last. Static lifetime. */
WGDN_API const char *wgdn_link_score_name(wgdn_link_score score);
/**
 * The same by a score of the graph without the test edges. In a bipartite graph, where ends of an
 * edge have no common neighbors, the sums go over paths of three edges between the ends, with the
 * product over the two nodes on the way.
 *
 * @param o  NULL for the defaults; threads count
 * @return WGDN_OK, WGDN_EINVAL (no such score), WGDN_ENOMEM
 */
WGDN_API WGDN_MUST_CHECK wgdn_status wgdn_links_score_graph(wgdn_links_result *out,
                                                            const wgdn_links *l,
                                                            wgdn_link_score score,
                                                            const wgdn_eval_options *o,
                                                            wgdn_error *err);

/* ---- Baselines ---- */

/** What to compare with; none of them was trained. */
typedef enum wgdn_baseline {
    WGDN_BASELINE_RAW = 0,    /**< the features as they are; of graphs, pooled */
    WGDN_BASELINE_SMOOTH = 1, /**< filtered with the model's kernel; nodes only */
    WGDN_BASELINE_RANDOM = 2, /**< the encoder with fresh parameters; of graphs, pooled */
    WGDN_BASELINE_PCA = 3,    /**< principal components of the filtered ones, dim at most; nodes */
    WGDN_BASELINE_SUBTREES = 4, /**< counts of Weisfeiler-Lehman subtrees, 3 iterations; graphs */
    WGDN_BASELINE_DEGREE = 5, /**< logarithms of a node's degree and of the mean, least and largest
                                   degree of its neighbors; nodes */
    WGDN_BASELINE_ADJACENCY = 6 /**< which neighbors a node has: rows of the adjacency matrix,
                                     without weights; nodes */
} wgdn_baseline;

/** 1 if a baseline says something of a dataset: the first four of nodes need features, the last
    two are for nodes without. */
WGDN_API int wgdn_baseline_fits(wgdn_baseline baseline, const wgdn_dataset *d, wgdn_task task);

/** "raw features", ...; NULL where a task does not have it. Static lifetime. */
WGDN_API const char *wgdn_baseline_name(wgdn_baseline baseline, wgdn_task task);
/**
 * The vectors of a baseline. They borrow ids and features from d, which must outlive them.
 *
 * @param out    receives them, to be released with wgdn_embedding_free(); untouched on failure
 * @param model  task, kernel, dim, seed, features and pooling of the model to compare with; NULL:
 *               the defaults
 * @return WGDN_OK, WGDN_EINVAL (the task does not have it), WGDN_ENOMEM, WGDN_ERANGE
 */
WGDN_API WGDN_MUST_CHECK wgdn_status wgdn_embedding_from_baseline(wgdn_embedding **out,
                                                                  const wgdn_dataset *d,
                                                                  wgdn_baseline baseline,
                                                                  const wgdn_train_options *model,
                                                                  wgdn_error *err);

#ifdef __cplusplus
}
#endif

#endif
