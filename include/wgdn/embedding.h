/* SPDX-License-Identifier: Apache-2.0 */
/** @file embedding.h Vectors and their ids. */
#ifndef WGDN_EMBEDDING_API_H
#define WGDN_EMBEDDING_API_H

#include <wgdn/dataset.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum wgdn_similarity {
    WGDN_SIMILARITY_COSINE = 0,
    WGDN_SIMILARITY_DOT = 1
} wgdn_similarity;

/** Format i of vectors, from 0 on; NULL beyond the last. */
WGDN_API const wgdn_format_info *wgdn_embedding_format(int i);

/**
 * Write one vector per node beside the node's id.
 *
 * @param values  nodes x width
 * @param format  name of a format that is written; NULL or "auto": by the suffix of path
 * @return WGDN_OK, WGDN_EINVAL (no such format, or an id that it cannot hold), WGDN_ENOMEM, WGDN_EIO
 */
WGDN_API WGDN_MUST_CHECK wgdn_status wgdn_embedding_write(const wgdn_dataset *d, const char *path,
                                                          const char *format, const float *values,
                                                          int64_t width, wgdn_error *err);

/**
 * Read vectors: .npy, .npz and .safetensors (the matrix `embedding`, or the only one there is;
 * with ids where the file has them), or text with an id and its numbers per line, also word2vec's.
 *
 * @param out  receives the vectors, to be released with wgdn_embedding_free(); untouched on failure
 * @return WGDN_OK, WGDN_EINVAL, WGDN_ENOMEM, WGDN_EIO, WGDN_EFORMAT
 */
WGDN_API WGDN_MUST_CHECK wgdn_status wgdn_embedding_read(wgdn_embedding **out, const char *path,
                                                         wgdn_error *err);
WGDN_API void wgdn_embedding_free(wgdn_embedding *e); /**< NULL is fine */
WGDN_API int64_t wgdn_embedding_rows(const wgdn_embedding *e);
WGDN_API int64_t wgdn_embedding_dim(const wgdn_embedding *e);
WGDN_API const float *wgdn_embedding_get_values(const wgdn_embedding *e); /**< rows x width, lent */
/** As wgdn_dataset_id() and wgdn_dataset_find(); rows without names have their numbers. */
WGDN_API int64_t wgdn_embedding_id(const wgdn_embedding *e, int64_t row, char *buffer, size_t size);
WGDN_API int64_t wgdn_embedding_find(const wgdn_embedding *e, const char *id, size_t size);
/**
 * The vectors in the order of a dataset's nodes, by id; vectors without ids are taken in order.
 *
 * @param out  nodes x width
 * @return WGDN_OK, WGDN_EFORMAT (a node has no vector, or there are not as many)
 */
WGDN_API WGDN_MUST_CHECK wgdn_status wgdn_embedding_match(float *out, const wgdn_embedding *e,
                                                          const wgdn_dataset *d, wgdn_error *err);

/**
 * The k rows of x that are most similar to each query, best first, ties by row; exact.
 *
 * @param index    receives queries x k rows of x
 * @param score    receives queries x k similarities, or NULL; 0 for the cosine of a zero vector
 * @param x        n x width, finite
 * @param query    queries x width, finite
 * @param k        1 .. n
 * @param o        NULL for the defaults
 * @return WGDN_OK, WGDN_EINVAL, WGDN_ENOMEM, WGDN_EENGINE
 */
WGDN_API WGDN_MUST_CHECK wgdn_status wgdn_vectors_search(int64_t *index, float *score,
                                                         const float *x, int64_t n, int64_t width,
                                                         const float *query, int64_t queries,
                                                         int64_t k, wgdn_similarity metric,
                                                         const wgdn_compute_options *o,
                                                         wgdn_error *err);

/** How vectors become points of the plane. */
typedef enum wgdn_projection {
    WGDN_PROJECTION_TSNE = 0, /**< t-SNE: neighbours stay neighbours, distances say little */
    WGDN_PROJECTION_PCA = 1   /**< the two principal components: a shadow, in no time */
} wgdn_projection;

/** How a map is made. Set it up with wgdn_projection_options_init(). */
typedef struct wgdn_projection_options {
    size_t struct_size;         /**< set by _init */
    uint64_t seed;              /**< default 1; fixes every random choice */
    wgdn_projection projection; /**< default WGDN_PROJECTION_TSNE */
    double perplexity;      /**< neighbours that count, 2..1000, default 30; (n - 1) / 3 at most */
    int steps;              /**< of t-SNE, 0..1e6, default 750 */
    double theta;           /**< 0..0.7, default 0.5: what is far counts as one point; 0: exact */
    wgdn_similarity metric; /**< WGDN_SIMILARITY_COSINE, the default: unit vectors are shown;
                                 WGDN_SIMILARITY_DOT: vectors as they are */
    int threads;            /**< 0..4096, 0 = whatever OpenMP offers, default 0 */
    /** NULL, or told after every step by the calling thread; what is not 0 stops. */
    int (*progress)(void *user, int64_t done, int64_t total);
    void *progress_user; /**< handed to progress */
} wgdn_projection_options;

WGDN_API void wgdn_projection_options_init_sized(wgdn_projection_options *o, size_t size);
#define wgdn_projection_options_init(o) wgdn_projection_options_init_sized((o), sizeof *(o))
/** As their namesakes of training. */
WGDN_API WGDN_MUST_CHECK wgdn_status wgdn_projection_options_set(wgdn_projection_options *o,
                                                                 const char *name,
                                                                 const char *value,
                                                                 wgdn_error *err);
WGDN_API int wgdn_projection_option_count(void);
WGDN_API WGDN_MUST_CHECK wgdn_status wgdn_projection_option_info(wgdn_option_info *info, char *text,
                                                                 size_t size, int i,
                                                                 wgdn_error *err);

/** What a map is worth. Fields may be added at the end. */
typedef struct wgdn_projection_result {
    size_t struct_size; /**< sizeof(wgdn_projection_result), set by the caller */
    double kl;          /**< t-SNE: how far the map's neighbours are from the vectors'; else 0 */
    double share[2];    /**< of the variance, on the two principal components */
} wgdn_projection_result;

/**
 * Points of the plane for vectors. t-SNE looks at the 50 leading principal components, begins with
 * the first two of them, and takes time n log n; fewer than 4 vectors get their components.
 *
 * @param out     receives n x 2
 * @param result  or NULL
 * @param x       n x width, finite
 * @param n       1 .. 2^30 - 1
 * @param width   at least 1
 * @param o       NULL for the defaults
 * @return WGDN_OK, WGDN_EINVAL, WGDN_ENOMEM, WGDN_EENGINE, WGDN_ESTOPPED (out is then undefined)
 */
WGDN_API WGDN_MUST_CHECK wgdn_status wgdn_vectors_project(float *out,
                                                          wgdn_projection_result *result,
                                                          const float *x, int64_t n, int64_t width,
                                                          const wgdn_projection_options *o,
                                                          wgdn_error *err);

#ifdef __cplusplus
}
#endif

#endif
