/* SPDX-License-Identifier: Apache-2.0 */
/** @file embedding.h Vectors and their ids: read, written, searched, projected to the plane. */
#ifndef WGDN_EMBEDDING_API_H
#define WGDN_EMBEDDING_API_H

#include <wgdn/dataset.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * An embedding has a vector for each row, an id for each vector and a word on where it came from.
 * wgdn_model_embed(), wgdn_embedding_read() and the two calls below make one. Those made of a
 * dataset borrow their ids from it, so it must outlive them. Baselines of sparse features stay
 * sparse: they are evaluated like any other, but have no dense values to get or to write.
 */

/** Cosine, or the dot product as it is. */
typedef enum wgdn_similarity {
    WGDN_SIMILARITY_COSINE = 0,
    WGDN_SIMILARITY_DOT = 1
} wgdn_similarity;

/** What the numbers of a file of vectors are; to the nearest, ties to even. */
typedef enum wgdn_numbers {
    WGDN_NUMBERS_F32 = 0,
    WGDN_NUMBERS_F16 = 1, /**< IEEE halves: three digits, up to 65504 */
    WGDN_NUMBERS_BF16 = 2 /**< bfloat16: two digits, as far as floats; .safetensors alone */
} wgdn_numbers;

/** Format i of vectors, from 0 on; NULL beyond the last. */
WGDN_API const wgdn_format_info *wgdn_embedding_get_format(int i);

/**
 * An embedding over values in memory.
 *
 * @param out     receives it, to be released with wgdn_embedding_free(); untouched on failure
 * @param values  rows x dim, borrowed: they must outlive the embedding
 * @param rows    at least 1
 * @param dim     at least 1
 * @param ids_of  a dataset with a node for each row, whose ids are borrowed; NULL: 0, 1, 2, ...
 * @return WGDN_OK, WGDN_EINVAL (a count is out of range), WGDN_ENOMEM
 */
WGDN_API WGDN_MUST_CHECK wgdn_status wgdn_embedding_from_values(wgdn_embedding **out,
                                                                const float *values, int64_t rows,
                                                                int64_t dim,
                                                                const wgdn_dataset *ids_of,
                                                                wgdn_error *err);

/**
 * Read vectors: .npy, .npz and .safetensors (the matrix `embedding`, or the only one there is;
 * with ids where the file has them), or text with an id and its numbers per line, with or without
 * a row of column names, also word2vec's.
 *
 * @param out  receives them, to be released with wgdn_embedding_free(); untouched on failure
 * @return WGDN_OK, WGDN_EINVAL, WGDN_ENOMEM, WGDN_EIO, WGDN_EFORMAT
 */
WGDN_API WGDN_MUST_CHECK wgdn_status wgdn_embedding_read(wgdn_embedding **out, const char *path,
                                                         wgdn_error *err);
/** How vectors are written. Set it up with wgdn_write_options_init(). */
typedef struct wgdn_write_options {
    size_t struct_size; /**< set by _init */
    const char *format; /**< of the file; NULL or "auto", the default: by the suffix of its name */
    wgdn_numbers numbers; /**< of .npy, .npz and .safetensors, default WGDN_NUMBERS_F32 */
    int no_header;        /**< 0 or 1: TSV and CSV without the row id, v0, v1, ...; default 0 */
} wgdn_write_options;

static inline void wgdn_write_options_init(wgdn_write_options *o)
{
    wgdn_options_init(WGDN_OPTIONS_KIND_WRITE, o, sizeof *o);
}

/**
 * Write every vector beside its id.
 *
 * @param o  NULL for the defaults
 * @return WGDN_OK, WGDN_EINVAL (no such format, an id that it cannot hold, numbers that it cannot
 *         hold, or no dense values), WGDN_ENOMEM, WGDN_ERANGE (a number beyond such a type),
 *         WGDN_EWRITE
 */
WGDN_API WGDN_MUST_CHECK wgdn_status wgdn_embedding_write(const wgdn_embedding *e, const char *path,
                                                          const wgdn_write_options *o,
                                                          wgdn_error *err);
WGDN_API void wgdn_embedding_free(wgdn_embedding *e); /**< NULL is fine */

WGDN_API int64_t wgdn_embedding_rows(const wgdn_embedding *e);
WGDN_API int64_t wgdn_embedding_dim(const wgdn_embedding *e);
/** Vectors that are zero in every column, of those that wgdn_model_embed() made; else 0. */
WGDN_API int64_t wgdn_embedding_zeros(const wgdn_embedding *e);
/** rows x dim, borrowed; NULL when the embedding is sparse. */
WGDN_API const float *wgdn_embedding_get_values(const wgdn_embedding *e);
/** Where it came from, for people: a path, a model's options, a baseline's name. Borrowed. */
WGDN_API const char *wgdn_embedding_get_source(const wgdn_embedding *e);
/** As wgdn_dataset_id() and wgdn_dataset_find(); rows without names have their numbers. */
WGDN_API int64_t wgdn_embedding_id(char *buffer, size_t size, const wgdn_embedding *e, int64_t row);
WGDN_API int64_t wgdn_embedding_find(const wgdn_embedding *e, const char *id, size_t size);
/**
 * The row of each node's vector, by id; an embedding without ids is taken in order. Calls that
 * take an embedding and a dataset do this by themselves.
 *
 * @param row  receives one number for each node of d
 * @return WGDN_OK, WGDN_EFORMAT (a node has no vector, or there are not as many)
 */
WGDN_API WGDN_MUST_CHECK wgdn_status wgdn_embedding_match(int64_t *row, const wgdn_embedding *e,
                                                          const wgdn_dataset *d, wgdn_error *err);

/**
 * The k rows of e that are most similar to each query, best first, ties by row; exact.
 *
 * @param index    receives a row of k for each query: rows of e
 * @param score    receives their similarities, or NULL; 0 for the cosine of a zero vector
 * @param queries  vectors as long as e's; NULL: all of e
 * @param k        1 .. rows of e
 * @param o        NULL for the defaults
 * @return WGDN_OK, WGDN_EINVAL, WGDN_ENOMEM, WGDN_EENGINE
 */
WGDN_API WGDN_MUST_CHECK wgdn_status wgdn_embedding_search(
    int64_t *index, float *score, const wgdn_embedding *e, const wgdn_embedding *queries, int64_t k,
    wgdn_similarity metric, const wgdn_compute_options *o, wgdn_error *err);

/** How vectors become points of the plane. */
typedef enum wgdn_projection {
    WGDN_PROJECTION_TSNE = 0, /**< t-SNE: neighbors stay neighbors, distances say little */
    WGDN_PROJECTION_PCA = 1   /**< the two principal components: a fast linear projection */
} wgdn_projection;

/** How a 2-D projection is made. Set it up with wgdn_projection_options_init(). */
typedef struct wgdn_projection_options {
    size_t struct_size;         /**< set by _init */
    uint64_t seed;              /**< default 1; fixes every random choice */
    wgdn_projection projection; /**< default WGDN_PROJECTION_TSNE */
    double perplexity;      /**< neighbors that count, 2..1000, default 30; (n - 1) / 3 at most */
    int steps;              /**< of t-SNE, 0..1e6, default 750 */
    double theta;           /**< 0..0.7, default 0.5: what is far counts as one point; 0: exact */
    wgdn_similarity metric; /**< WGDN_SIMILARITY_COSINE, the default: unit vectors are shown;
                                 WGDN_SIMILARITY_DOT: vectors as they are */
    int threads;            /**< 0..4096, 0 = whatever OpenMP offers, default 0 */
    /** NULL, or called after every step by the calling thread; return non-zero to cancel. */
    int (*progress)(void *user, int64_t done, int64_t total);
    void *progress_user; /**< handed to progress */
} wgdn_projection_options;

static inline void wgdn_projection_options_init(wgdn_projection_options *o)
{
    wgdn_options_init(WGDN_OPTIONS_KIND_PROJECTION, o, sizeof *o);
}

/** What a 2-D projection is worth. Fields may be added at the end. */
typedef struct wgdn_projection_result {
    size_t struct_size; /**< set by _init */
    double kl;          /**< t-SNE: divergence of the points' neighbors from the vectors'; or 0 */
    double share[2];    /**< of the variance, on the two principal components */
} wgdn_projection_result;

static inline void wgdn_projection_result_init(wgdn_projection_result *o)
{
    wgdn_struct_init(o, sizeof *o);
}

/**
 * Points of the plane for vectors. t-SNE looks at the 50 leading principal components, begins with
 * the first two of them, and takes time n log n; fewer than 4 vectors get their components.
 *
 * @param out     receives rows x 2
 * @param result  or NULL
 * @param e       finite vectors, 2^30 - 1 at most
 * @param o       NULL for the defaults
 * @return WGDN_OK, WGDN_EINVAL, WGDN_ENOMEM, WGDN_EENGINE, WGDN_ESTOPPED (out is then undefined)
 */
WGDN_API WGDN_MUST_CHECK wgdn_status wgdn_embedding_project(float *out,
                                                            wgdn_projection_result *result,
                                                            const wgdn_embedding *e,
                                                            const wgdn_projection_options *o,
                                                            wgdn_error *err);

#ifdef __cplusplus
}
#endif

#endif
