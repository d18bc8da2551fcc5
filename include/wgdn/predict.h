/* SPDX-License-Identifier: Apache-2.0 */
/** @file predict.h Labels or numbers of some nodes in, those of all other nodes out. */
#ifndef WGDN_PREDICT_API_H
#define WGDN_PREDICT_API_H

#include <wgdn/eval.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What predictions are made from. */
typedef enum wgdn_predict_method {
    WGDN_PREDICT_METHOD_AUTO = 0,      /**< the best one in cross-validation */
    WGDN_PREDICT_METHOD_VECTORS = 1,   /**< logistic or ridge regression on the vectors */
    WGDN_PREDICT_METHOD_COMBINED = 2,  /**< times what is smoothed over the graph from labels and
                                            these predictions; for numbers plus smoothed residuals */
    WGDN_PREDICT_METHOD_NEIGHBORS = 3, /**< what is smoothed alone; not for numbers */
    WGDN_PREDICT_METHOD_MIXING = 4     /**< times the likelihood of the neighbors' classes, by how
                                            often classes are linked; for one label a node */
} wgdn_predict_method;

/** What is predicted. */
typedef enum wgdn_predict_kind {
    WGDN_PREDICT_KIND_CLASS = 0,   /**< one class for each node */
    WGDN_PREDICT_KIND_SEVERAL = 1, /**< several labels for each node */
    WGDN_PREDICT_KIND_NUMBER = 2   /**< a number for each node */
} wgdn_predict_kind;

/** How labels are predicted. Set it up with wgdn_predict_options_init(). */
typedef struct wgdn_predict_options {
    size_t struct_size;         /**< set by _init */
    uint64_t seed;              /**< default 1; fixes the folds */
    wgdn_label_kind label_kind; /**< default WGDN_LABEL_KIND_AUTO */
    wgdn_predict_method method; /**< default WGDN_PREDICT_METHOD_AUTO */
    int folds;                  /**< of cross-validation, 2..100, default 5; one a node at most */
    int balance;                /**< 0 or 1: all classes weigh the same, however rare, default 0 */
    int threads;                /**< 0..4096, 0 = whatever OpenMP offers, default 0 */
    /** NULL, or called after and within every regression; return non-zero to cancel. */
    int (*progress)(void *user, int64_t done, int64_t total);
    void *progress_user; /**< handed to progress */
} wgdn_predict_options;

static inline void wgdn_predict_options_init(wgdn_predict_options *o)
{
    wgdn_options_init(WGDN_OPTIONS_KIND_PREDICT, o, sizeof *o);
}

/**
 * What was chosen, and how good it is on labeled nodes that were held out: every labeled node once,
 * predicted by what was learned from other folds. What a kind does not have is NAN. Fields may be
 * added at the end.
 */
typedef struct wgdn_predict_report {
    size_t struct_size; /**< set by _init */
    wgdn_predict_kind kind;
    wgdn_predict_method method; /**< that was chosen; never WGDN_PREDICT_METHOD_AUTO */
    int folds;
    int64_t labeled, classes;
    double accuracy, macro_f1;
    double micro_f1;               /**< of several labels a node */
    double auc, average_precision; /**< of the rarer one of two classes */
    int64_t positive;              /**< which class that is; -1: there are not two */
    double log_loss, ece;          /**< of the probabilities; expected calibration error, 15 bins */
    double r2, error;              /**< of numbers; error: root of the mean squared error */
    double baseline;               /**< accuracy of the most frequent class; of several labels its
                                        micro-F1; of numbers the error of their mean */
    double c;                      /**< penalty of the regression: 1 / C, or that of the ridge */
    double temperature;            /**< that scores are divided by to be calibrated */
    double threshold;              /**< probability from which a label of several is predicted */
    /** Of the best of each method, by its number: accuracy; AUC with two classes; micro-F1 with
     * several labels; R^2 with numbers. NAN: it was not tried. */
    double method_score[5];
} wgdn_predict_report;

static inline void wgdn_predict_report_init(wgdn_predict_report *o)
{
    wgdn_struct_init(o, sizeof *o);
}

typedef struct wgdn_predictor wgdn_predictor; /**< what was learned; immutable, safe to share */

/**
 * Learn from the nodes of d that have labels. Nodes without a label take part by their vectors and
 * edges alone.
 *
 * @param out  receives the predictor, to be released with wgdn_predictor_free(); untouched on failure
 * @param e    finite vectors of the nodes of d
 * @param o    NULL for the defaults
 * @return WGDN_OK, WGDN_EINVAL (no labels, one class alone, fewer than 2 labels of one of two
 *         classes, a method that the labels do not have), WGDN_ENOMEM, WGDN_EFORMAT (a node has no
 *         vector), WGDN_ERANGE, WGDN_EENGINE, WGDN_ESTOPPED
 */
WGDN_API WGDN_MUST_CHECK wgdn_status wgdn_predictor_fit(wgdn_predictor **out,
                                                        const wgdn_embedding *e,
                                                        const wgdn_dataset *d,
                                                        const wgdn_predict_options *o,
                                                        wgdn_error *err);
WGDN_API void wgdn_predictor_free(wgdn_predictor *p); /**< NULL is fine */
WGDN_API void wgdn_predictor_describe(wgdn_predict_report *out, const wgdn_predictor *p);
/** Bytes and their number, borrowed; NULL beyond the classes, and for numbers. */
WGDN_API const char *wgdn_predictor_get_class_name(size_t *size, const wgdn_predictor *p,
                                                   int64_t c);
/**
 * Predict all nodes of a dataset: the one learned from, or another one whose vectors are of the same
 * model. Labels that d has take part, also in the prediction of their own node.
 *
 * @param values  receives nodes x classes probabilities, or a number for each node
 * @param best    receives the most likely class of each node, or NULL
 * @param o       NULL for the defaults
 * @return WGDN_OK, WGDN_EINVAL (vectors of another length), WGDN_ENOMEM, WGDN_EFORMAT (a node has no
 *         vector, a label is none of the classes), WGDN_EENGINE
 */
WGDN_API WGDN_MUST_CHECK wgdn_status
wgdn_predictor_apply(float *values, int32_t *best, const wgdn_predictor *p, const wgdn_embedding *e,
                     const wgdn_dataset *d, const wgdn_compute_options *o, wgdn_error *err);
/**
 * Write a table of predictions: id, the class and its probability, and the probability of every
 * class; or id, labels separated by `;`, and probabilities; or id and value.
 *
 * @param values  of wgdn_predictor_apply()
 * @param path    ends in .csv, .tsv, .jsonl (each perhaps with .gz) or .npz
 * @param format  one of these without its point, NULL: by the path
 * @param all     0: nodes without a label; 1: all
 * @return WGDN_OK, WGDN_EINVAL (no such format), WGDN_ENOMEM, WGDN_EWRITE
 */
WGDN_API WGDN_MUST_CHECK wgdn_status wgdn_predictor_write(const wgdn_predictor *p,
                                                          const float *values,
                                                          const wgdn_dataset *d, const char *path,
                                                          const char *format, int all,
                                                          wgdn_error *err);
/**
 * Save a predictor with the model that its vectors are of, as a safetensors file that is also that
 * model's, complete or not at all.
 *
 * @param m  fitted by wgdn_model_fit()
 * @return WGDN_OK, WGDN_EINVAL (a trained model), WGDN_ENOMEM, WGDN_ERANGE, WGDN_EWRITE
 */
WGDN_API WGDN_MUST_CHECK wgdn_status wgdn_predictor_save(const wgdn_predictor *p,
                                                         const wgdn_model *m, const char *path,
                                                         wgdn_error *err);
/**
 * Load both.
 *
 * @param out    receives the predictor, to be released with wgdn_predictor_free(); untouched on failure
 * @param model  receives the model, to be released with wgdn_model_free(); untouched on failure
 * @return WGDN_OK, WGDN_ENOMEM, WGDN_EIO, WGDN_EFORMAT (a model alone, another version, damage)
 */
WGDN_API WGDN_MUST_CHECK wgdn_status wgdn_predictor_load(wgdn_predictor **out, wgdn_model **model,
                                                         const char *path, wgdn_error *err);

#ifdef __cplusplus
}
#endif

#endif
