/* SPDX-License-Identifier: Apache-2.0 */
/** @file fit.h The closed form: vectors in seconds, without training. */
#ifndef WGDN_FIT_API_H
#define WGDN_FIT_API_H

#include <wgdn/model.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What vectors are made of. */
typedef enum wgdn_fit_features {
    WGDN_FIT_FEATURES_AUTO = 0, /**< features, if there are any, and structure where they need it */
    WGDN_FIT_FEATURES_GIVEN = 1,     /**< features, filtered by the graph */
    WGDN_FIT_FEATURES_STRUCTURE = 2, /**< the graph alone */
    WGDN_FIT_FEATURES_BOTH = 3       /**< both side by side */
} wgdn_fit_features;

/** How a closed form is fitted. Set it up with wgdn_fit_options_init(). */
typedef struct wgdn_fit_options {
    size_t struct_size; /**< set by _init */
    uint64_t seed;      /**< default 1; fixes every random choice */
    int dim;            /**< of the embedding, 1..65536, default 256; fewer if the rank is lower */
    wgdn_fit_features features; /**< default WGDN_FIT_FEATURES_AUTO */
    double scale;               /**< t of the filter exp(-t L), 0..16; -1, the default: chosen */
    int binarize;               /**< 0 or 1: features become x > 0, default 0 */
    wgdn_task task;             /**< default WGDN_TASK_AUTO */
    int threads;                /**< 0..4096, 0 = whatever OpenMP offers, default 0 */
    /** NULL, or called after each part of the work, of which there are one to four, and after each epoch of refine: with
     * the number done; return non-zero to cancel. A part of a large graph takes minutes: wgdn_stop_use() is asked within. */
    int (*progress)(void *user, int64_t done, int64_t total);
    void *progress_user; /**< handed to progress */
    /** 1: vectors of the same dataset are wanted next; what was filtered is kept for them. Default 0. */
    int keep;
    int refine; /**< epochs of a small network on top of features that neighbors share, 0..10000, default 0 */
    /** 0 or 1, default 1: a model of the graph's structure holds the ids of its nodes and finds known nodes by
     * them; without, by 64-bit hashes of the ids, which the model holds either way. */
    int ids;
    int pad; /**< 0 or 1: vectors of exactly dim columns, filled up with zeros, default 0 */
} wgdn_fit_options;

static inline void wgdn_fit_options_init(wgdn_fit_options *o)
{
    wgdn_options_init(WGDN_OPTIONS_KIND_FIT, o, sizeof *o);
}

/**
 * Fit the closed form to a dataset: features filtered by the graph and reduced to their leading
 * singular vectors, the graph's own leading vectors, or both. No label is looked at, nothing is
 * trained. The model embeds this dataset, a grown one, or another one with the same features.
 * Whole graphs, where they are the task: random cosines of what is seen within three hops of a
 * node, its features, degree and clustering coefficient, summed up over nodes and reduced.
 *
 * @param out  receives the model, to be released with wgdn_model_free(); untouched on failure
 * @param o    NULL for the defaults
 * @return WGDN_OK, WGDN_EINVAL, WGDN_ENOMEM, WGDN_ERANGE, WGDN_EENGINE, WGDN_ESTOPPED
 */
WGDN_API WGDN_MUST_CHECK wgdn_status wgdn_model_fit(wgdn_model **out, const wgdn_dataset *d,
                                                    const wgdn_fit_options *o, wgdn_error *err);

/** What a fit and its vectors will need. Fields may be added at the end. */
typedef struct wgdn_fit_needs {
    size_t struct_size; /**< set by _init */
    int64_t dataset;    /**< bytes: graph and features as they are */
    int64_t workspace;  /**< bytes: of the largest stage, the vectors included */
    int64_t total;      /**< bytes of the process at its peak */
    double seconds;     /**< by products with L, which are measured */
    int64_t slab;       /**< columns at a time, where memory is short; 0: it is not */
    int64_t disk;       /**< bytes in the scratch folder then */
} wgdn_fit_needs;

static inline void wgdn_fit_needs_init(wgdn_fit_needs *o)
{
    wgdn_struct_init(o, sizeof *o);
}

/**
 * Estimate what fitting and embedding will need.
 *
 * @param o  NULL for the defaults
 * @return WGDN_OK, WGDN_EINVAL, WGDN_ENOMEM, WGDN_EENGINE
 */
WGDN_API WGDN_MUST_CHECK wgdn_status wgdn_fit_estimate(wgdn_fit_needs *out, const wgdn_dataset *d,
                                                       const wgdn_fit_options *o, wgdn_error *err);

/** A part of the vectors of a fitted model. The layout of this struct never changes. */
typedef struct wgdn_fit_part {
    const char *name; /**< "features, filtered", ...; static lifetime */
    double scale;     /**< t of its filter exp(-t L), or how many steps it goes; 0: none */
    int64_t dim;      /**< its columns */
    double weight;    /**< length of its rows */
} wgdn_fit_part;

/** What was chosen and why. Fields may be added at the end. */
typedef struct wgdn_fit_report {
    size_t struct_size;        /**< set by _init */
    int parts;                 /**< side by side in every vector; of graphs: reduced together */
    const wgdn_fit_part *part; /**< borrowed from the model */
    int scales;                /**< that were compared; 0: none, the scale was given */
    const double *scale;       /**< borrowed */
    const double *agreement;   /**< borrowed: how well each predicts a node from its neighbors, as
                                   a cosine; 0: not at all */
    double best;               /**< the largest of these */
    double refined[2];         /**< loss in the first epoch and in the last; 0: not refined */
    int64_t halo_bytes;        /**< that this rank sent while it was fitted: rows of matrices; */
    int64_t sum_bytes;         /**< sums; both 0 for a model that was loaded, or without ranks */
    int64_t remarks;           /**< on what the fit decided; 0 for a model that was loaded */
    const wgdn_remark *remark; /**< borrowed from the model */
} wgdn_fit_report;

static inline void wgdn_fit_report_init(wgdn_fit_report *o)
{
    wgdn_struct_init(o, sizeof *o);
}

/**
 * Tell what a fitted model is made of.
 *
 * @return WGDN_OK, WGDN_EINVAL (the model was trained, not fitted)
 */
WGDN_API WGDN_MUST_CHECK wgdn_status wgdn_model_describe_fit(wgdn_fit_report *out,
                                                             const wgdn_model *m, wgdn_error *err);

#ifdef __cplusplus
}
#endif

#endif
