/* SPDX-License-Identifier: Apache-2.0 */
/** @file model.h Models: what they are, what they embed, their files. */
#ifndef WGDN_MODEL_API_H
#define WGDN_MODEL_API_H

#include <wgdn/embedding.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What is learned and embedded: nodes of one graph, or whole graphs of a set of them. */
typedef enum wgdn_task {
    WGDN_TASK_AUTO = 0, /**< graphs where the dataset has several, else nodes */
    WGDN_TASK_NODE = 1, /**< every step sees all nodes */
    WGDN_TASK_GRAPH = 2 /**< every step sees a batch of graphs */
} wgdn_task;

/** How the vectors of a graph's nodes become the graph's. */
typedef enum wgdn_pool {
    WGDN_POOL_MEAN = 0,
    WGDN_POOL_SUM = 1,
    WGDN_POOL_MAX = 2,
    WGDN_POOL_AUTO = 3 /**< as the model's options say; only where a model embeds */
} wgdn_pool;

typedef struct wgdn_model wgdn_model; /**< what was learned, and how; immutable */

WGDN_API void wgdn_model_free(wgdn_model *m); /**< NULL is fine */

/** Where a model comes from. */
typedef enum wgdn_method {
    WGDN_METHOD_TRAINED = 0, /**< wgdn_model_train(): an autoencoder */
    WGDN_METHOD_FITTED = 1   /**< wgdn_model_fit(): the closed form */
} wgdn_method;

/** What a model is. Fields may be added at the end. */
typedef struct wgdn_model_info {
    size_t struct_size; /**< set by _init */
    wgdn_method method;
    int64_t dim;                            /**< of its embeddings */
    int64_t features;                       /**< columns that it takes; 0: it looks at none */
    const struct wgdn_train_options *train; /**< borrowed; NULL unless it was trained */
    const struct wgdn_fit_options *fit;     /**< borrowed; NULL unless it was fitted */
    const char *encoding; /**< how its features came of tables: wgdn_dataset_options takes it, so
                               that new rows are read alike; borrowed, NULL: they were numbers */
    int64_t nodes, edges, graphs; /**< of the data it was made of; 0: its file does not say */
    int64_t step;                 /**< of a checkpoint: steps taken; 0: it is a complete model */
    int64_t steps;                /**< of a checkpoint: of an epoch; 0: its file does not say */
    double seconds;               /**< of a checkpoint: of the run so far */
    uint64_t data;                /**< of a checkpoint: digest of the data; else 0 */
    int examine;                  /**< set by the caller: 1 looks at every number, for the rest */
    int64_t parameters;           /**< how many numbers were learned */
    int64_t not_finite;           /**< of these */
    double rank; /**< effective rank of the last encoder weights, dim at most; 0: not known */
    /** Of a model that was trained with patience: after how many epochs training ended, and after
        how many the parameters were those that it has, the ones with the smallest error of held-out
        features. Else 0. */
    int64_t epochs, best_epoch;
    double held_out; /**< that error, root mean squared */
    int64_t known;   /**< nodes that a model of the graph's structure knows; 0: it knows none */
    /** How its data was read: wgdn_dataset_options takes it, so that other data is read alike; borrowed,
     * NULL: its file does not say. */
    const char *reading;
    int has_ids; /**< 1 if their ids are in the model; 0: only 64-bit hashes of them */
} wgdn_model_info;

static inline void wgdn_model_info_init(wgdn_model_info *o)
{
    wgdn_struct_init(o, sizeof *o);
}
WGDN_API void wgdn_model_describe(wgdn_model_info *info, const wgdn_model *m);

/** What is embedded. Set it up with wgdn_embed_options_init(). */
typedef struct wgdn_embed_options {
    size_t struct_size; /**< set by _init */
    wgdn_task task;     /**< default WGDN_TASK_AUTO: what the model was trained for */
    wgdn_pool pool;     /**< of graphs, default WGDN_POOL_AUTO */
    int threads;        /**< 0..4096, 0 = whatever OpenMP offers, default 0 */
    float *values;      /**< room for rows x dim, borrowed, to embed into; default NULL: its own */
    const wgdn_embedding
        *align; /**< NULL, or old vectors, of as many columns, that the new ones are
                                      turned onto, by the ids that both have; lengths and cosines
                                      stay as they are */
    /** NULL, or a .npy that vectors are written to: as they are made, where memory is short. */
    const char *path;
    wgdn_numbers numbers; /**< of that file, default WGDN_NUMBERS_F32; .npy has no bfloat16 */
} wgdn_embed_options;

static inline void wgdn_embed_options_init(wgdn_embed_options *o)
{
    wgdn_options_init(WGDN_OPTIONS_KIND_EMBED, o, sizeof *o);
}

/**
 * Embed a dataset: the one trained on, a grown one, or another one with the same features. Nodes
 * get a vector each; graphs that of their nodes, pooled, in memory that does not grow with them.
 *
 * @param out  receives the vectors, to be released with wgdn_embedding_free(); untouched on
 *             failure. They borrow their ids from d. Where ranks share d, all call together, and
 *             rank 0 alone gets vectors: the embeddings of the others have no rows.
 * @param o    NULL for the defaults
 * @return WGDN_OK, WGDN_EINVAL (other features), WGDN_ENOMEM, WGDN_ERANGE
 */
WGDN_API WGDN_MUST_CHECK wgdn_status wgdn_model_embed(wgdn_embedding **out, const wgdn_model *m,
                                                      const wgdn_dataset *d,
                                                      const wgdn_embed_options *o, wgdn_error *err);

/**
 * Save a model as a safetensors file, complete or not at all.
 *
 * @return WGDN_OK, WGDN_ENOMEM, WGDN_EWRITE
 */
WGDN_API WGDN_MUST_CHECK wgdn_status wgdn_model_save(const wgdn_model *m, const char *path,
                                                     wgdn_error *err);
/**
 * Load a model that was saved.
 *
 * @param out  receives the model, to be released with wgdn_model_free(); untouched on failure
 * @return WGDN_OK, WGDN_ENOMEM, WGDN_EIO, WGDN_EFORMAT
 */
WGDN_API WGDN_MUST_CHECK wgdn_status wgdn_model_load(wgdn_model **out, const char *path,
                                                     wgdn_error *err);

#ifdef __cplusplus
}
#endif

#endif
