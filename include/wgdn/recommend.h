/* SPDX-License-Identifier: Apache-2.0 */
/** @file recommend.h What to offer whom: the most likely new neighbors of nodes. */
#ifndef WGDN_RECOMMEND_API_H
#define WGDN_RECOMMEND_API_H

#include <wgdn/embedding.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * A recommender scores all items for a user by a filter of the graph, or by a ridge regression over
 * items. In a bipartite graph users are the side of the first column and items the other. In any
 * other graph both are the nodes. Which score it is, the recommender chooses on interactions that it
 * holds out of the data.
 */
typedef struct wgdn_recommender wgdn_recommender; /**< fitted; immutable, safe to share */

/** What weights of interactions, such as ratings or counts, are for. */
typedef enum wgdn_interaction_values {
    WGDN_INTERACTION_VALUES_AUTO = 0,  /**< one or log, whichever finds held-out interactions */
    WGDN_INTERACTION_VALUES_ONE = 1,   /**< nothing: every interaction counts the same */
    WGDN_INTERACTION_VALUES_LOG = 2,   /**< log(1 + weight) */
    WGDN_INTERACTION_VALUES_WEIGHT = 3 /**< the weight itself */
} wgdn_interaction_values;

/** How a recommender is fitted. Set it up with wgdn_recommend_options_init(). */
typedef struct wgdn_recommend_options {
    size_t struct_size; /**< set by _init */
    uint64_t seed;      /**< default 1; fixes what is held out */
    double hold_out;    /**< fraction held out to choose the score, 0.01..0.5, default 0.2 */
    int sample;         /**< users, or edges of one kind of nodes, the choice looks at; 10..1e6,
                             default 2000 */
    int columns;        /**< at most, of the low-pass part, 8..1024, default 512 */
    int ridge_items;    /**< largest catalog of a ridge over items, 0..20000, default 5000 */
    wgdn_interaction_values values; /**< default WGDN_INTERACTION_VALUES_AUTO */
    int threads;                    /**< 0..4096, 0 = whatever OpenMP offers, default 0 */
} wgdn_recommend_options;

static inline void wgdn_recommend_options_init(wgdn_recommend_options *o)
{
    wgdn_options_init(WGDN_OPTIONS_KIND_RECOMMEND, o, sizeof *o);
}

/**
 * Fit a recommender to the edges of a dataset.
 *
 * @param out  receives it, to be released with wgdn_recommender_free(); untouched on failure
 * @param o    NULL for the defaults
 * @return WGDN_OK, WGDN_EINVAL (no edges, several graphs), WGDN_ENOMEM, WGDN_ENOSUPPORT (ranks share
 *         the data), WGDN_ESTOPPED
 */
WGDN_API WGDN_MUST_CHECK wgdn_status wgdn_recommender_fit(wgdn_recommender **out,
                                                          const wgdn_dataset *d,
                                                          const wgdn_recommend_options *o,
                                                          wgdn_error *err);
WGDN_API void wgdn_recommender_free(wgdn_recommender *r); /**< NULL is fine */

/** What a recommender and lists for all users will need. Fields may be added at the end. */
typedef struct wgdn_recommend_needs {
    size_t struct_size; /**< set by _init */
    int64_t data;       /**< bytes: what the process has, and the interactions */
    int64_t workspace;  /**< bytes: of the largest stage beside these */
    int64_t total;      /**< bytes of the process at its peak */
    double seconds;     /**< roughly: by products with the interactions, which are measured */
    int64_t columns;    /**< of the low-pass part at most; a memory limit leaves fewer */
    int threads;        /**< with parts of their own; a memory limit leaves one */
} wgdn_recommend_needs;

static inline void wgdn_recommend_needs_init(wgdn_recommend_needs *o)
{
    wgdn_struct_init(o, sizeof *o);
}

/**
 * Estimate what wgdn_recommender_fit() and lists for all users will need, by the sizes that a memory
 * limit goes by.
 *
 * @param o  NULL for the defaults
 * @return WGDN_OK, WGDN_EINVAL, WGDN_ENOMEM (also beyond the memory limit), WGDN_ENOSUPPORT
 */
WGDN_API WGDN_MUST_CHECK wgdn_status wgdn_recommend_estimate(wgdn_recommend_needs *out,
                                                             const wgdn_dataset *d,
                                                             const wgdn_recommend_options *o,
                                                             wgdn_error *err);

/** Means over users, or over edges between nodes of one kind. */
typedef struct wgdn_list_quality {
    double recall; /**< fraction of the wanted items among the first 20 */
    double ndcg;   /**< normalized discounted cumulative gain of the first 20 */
    double mrr; /**< 1 / rank of the first wanted item; of each edge, where nodes are of one kind */
    double hits; /**< users with a wanted item among the first 20; edges among the first 10 */
} wgdn_list_quality;

/** What a recommender is. Fields may be added at the end. */
typedef struct wgdn_recommender_info {
    size_t struct_size;             /**< set by _init */
    int64_t users, items;           /**< the same nodes if bipartite is 0 */
    int64_t interactions;           /**< pairs of them; each edge once */
    int bipartite;                  /**< 1: users and items are two kinds of nodes */
    int64_t columns;                /**< of the low-pass part; 0: there is none */
    double ridge;                   /**< penalty of the ridge over items; 0: a filter */
    wgdn_interaction_values values; /**< never WGDN_INTERACTION_VALUES_AUTO */
    char formula[192];              /**< the score that was chosen, for people */
    int64_t held_users;             /**< who chose it */
    int64_t held_interactions;      /**< that they had to find again; 0: too few data to choose */
    wgdn_list_quality held;         /**< of the choice, on what was held out */
    wgdn_list_quality popular;      /**< of the most popular items */
    wgdn_list_quality paths;        /**< of Adamic-Adar */
    const char *reading; /**< as in wgdn_dataset_info; borrowed from the recommender, or NULL */
} wgdn_recommender_info;

static inline void wgdn_recommender_info_init(wgdn_recommender_info *o)
{
    wgdn_struct_init(o, sizeof *o);
}
WGDN_API void wgdn_recommender_describe(wgdn_recommender_info *info, const wgdn_recommender *r);

/** Which side of the data an id belongs to. */
typedef enum wgdn_side { WGDN_SIDE_USERS = 0, WGDN_SIDE_ITEMS = 1 } wgdn_side;

/** As wgdn_dataset_id(): an id as the data has it, without the kind of node that reading adds. */
WGDN_API int64_t wgdn_recommender_id(char *buffer, size_t size, const wgdn_recommender *r,
                                     wgdn_side side, int64_t i);
/** The number of an id on a side, or -1. */
WGDN_API int64_t wgdn_recommender_find(const wgdn_recommender *r, wgdn_side side, const char *id,
                                       size_t size);

/** For whom, and what may be listed. Set it up with wgdn_recommend_query_init(). */
typedef struct wgdn_recommend_query {
    size_t struct_size;  /**< set by _init */
    int64_t count;       /**< lists */
    const int64_t *user; /**< count of them; or NULL: users 0 .. count - 1, or the rows below */
    /** NULL; or the interactions of new users in compressed rows: offset has count + 1 numbers,
     * items ascend within a row. */
    const int64_t *offset;
    const int32_t *item;
    const float *weight;  /**< of these; NULL: 1. Only recommenders of weighted data look at it */
    int64_t k;            /**< length of a list, at least 1 */
    int include_seen;     /**< 1: items that the user has may be listed */
    const int64_t *among; /**< NULL, or the items that may be listed */
    int64_t among_count;
    int threads; /**< 0..4096, 0 = whatever OpenMP offers */
} wgdn_recommend_query;

static inline void wgdn_recommend_query_init(wgdn_recommend_query *o)
{
    wgdn_struct_init(o, sizeof *o);
    o->k = 10;
}

/**
 * The k items with the highest scores for each user, best first. Items with equal scores come in the
 * order of their popularity, then of their ids.
 *
 * @param item   count x k; -1 behind the last item that may be listed
 * @param score  count x k
 * @return WGDN_OK, WGDN_EINVAL (a user or item out of range), WGDN_ENOMEM, WGDN_ESTOPPED
 */
WGDN_API WGDN_MUST_CHECK wgdn_status wgdn_recommender_rank(int64_t *item, float *score,
                                                           const wgdn_recommender *r,
                                                           const wgdn_recommend_query *q,
                                                           wgdn_error *err);

/**
 * Write lists to a file with a row for each entry: user, item, score; or id, neighbor, score.
 *
 * @param visitors  NULL, or interactions of users who need not be known, in place of q->user and
 *                  q->offset: each of its users gets a list
 * @param path      ends in .csv, .tsv, .jsonl or .npz, unless format is one of these words
 * @param format    NULL: by the path
 * @return WGDN_OK, WGDN_EINVAL (no item of the visitors is known), WGDN_ENOMEM, WGDN_EWRITE,
 *         WGDN_ESTOPPED
 */
WGDN_API WGDN_MUST_CHECK wgdn_status wgdn_recommender_write(const wgdn_recommender *r,
                                                            const wgdn_recommend_query *q,
                                                            const wgdn_dataset *visitors,
                                                            const char *path, const char *format,
                                                            wgdn_error *err);

/* ---- Files and vectors ---- */

/**
 * Save a recommender with its interactions and ids as .safetensors.
 *
 * @return WGDN_OK, WGDN_ENOMEM, WGDN_EWRITE
 */
WGDN_API WGDN_MUST_CHECK wgdn_status wgdn_recommender_save(const wgdn_recommender *r,
                                                           const char *path, wgdn_error *err);
/** @return WGDN_OK, WGDN_ENOMEM, WGDN_EIO, WGDN_EFORMAT (no recommender, or a damaged one) */
WGDN_API WGDN_MUST_CHECK wgdn_status wgdn_recommender_load(wgdn_recommender **out, const char *path,
                                                           wgdn_error *err);

/**
 * Vectors of users and items whose dot products approximate the scores, for an index of nearest
 * neighbors. Rows are user:ID for all users, then item:ID for all items.
 *
 * @param out    receives them, to be released with wgdn_embedding_free(); untouched on failure
 * @param dim    columns, 1..4096; fewer where there are fewer users or items
 * @param kept   NULL, or receives the fraction of the best 20 unseen items of up to 1000 users that
 *               are among the best 20 by dot product, too
 * @return WGDN_OK, WGDN_EINVAL, WGDN_ENOMEM
 */
WGDN_API WGDN_MUST_CHECK wgdn_status wgdn_recommender_embed(wgdn_embedding **out, double *kept,
                                                            const wgdn_recommender *r, int dim,
                                                            const wgdn_compute_options *o,
                                                            wgdn_error *err);

/* ---- Evaluation ---- */

/** A kind of list and its quality on interactions that nothing has seen. */
typedef struct wgdn_recommend_row {
    const char *name; /**< static lifetime */
    wgdn_list_quality quality;
} wgdn_recommend_row;

/** Fields may be added at the end. */
typedef struct wgdn_recommend_report {
    size_t struct_size;   /**< set by _init */
    int64_t users;        /**< with test interactions: means are over them, or over the edges */
    int64_t interactions; /**< of the test */
    int64_t unknown;      /**< test interactions with a user or item that the data lacks */
    int rows;             /**< popularity, common neighbors, Adamic-Adar, resource allocation,
                                  cosine of vectors, recommender */
    wgdn_recommend_row row[8];
    wgdn_recommender_info info; /**< of the recommender that was fitted */
} wgdn_recommend_report;

static inline void wgdn_recommend_report_init(wgdn_recommend_report *o)
{
    wgdn_struct_init(o, sizeof *o);
}

/**
 * Fit a recommender without the test interactions, and judge its lists, beside those of simpler
 * scores. Each list ranks all items that the user does not have.
 *
 * @param test       NULL: a fraction of the edges of d, drawn at random, else further interactions
 * @param o          of the fit; NULL for the defaults
 * @param fraction   of the edges, above 0 and below 0.9, where test is NULL
 * @param baselines  0: only the recommender
 * @return WGDN_OK, WGDN_EINVAL, WGDN_ENOMEM, WGDN_ESTOPPED
 */
WGDN_API WGDN_MUST_CHECK wgdn_status wgdn_recommend_evaluate(
    wgdn_recommend_report *out, const wgdn_dataset *d, const wgdn_dataset *test,
    const wgdn_recommend_options *o, double fraction, int baselines, wgdn_error *err);

#ifdef __cplusplus
}
#endif

#endif
