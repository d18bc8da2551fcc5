/* SPDX-License-Identifier: Apache-2.0 */
/** @file cluster.h Groups of nodes, found without labels. */
#ifndef WGDN_CLUSTER_API_H
#define WGDN_CLUSTER_API_H

#include <wgdn/eval.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What clusters are made from. */
typedef enum wgdn_cluster_method {
    WGDN_CLUSTER_METHOD_AUTO = 0,    /**< the vectors, then the neighbors pull on every node */
    WGDN_CLUSTER_METHOD_VECTORS = 1, /**< k-means on vectors of length 1 */
    WGDN_CLUSTER_METHOD_GRAPH = 2 /**< communities of large modularity; they choose their number */
} wgdn_cluster_method;

/** How nodes are clustered. Set it up with wgdn_cluster_options_init(). */
typedef struct wgdn_cluster_options {
    size_t struct_size;         /**< set by _init */
    uint64_t seed;              /**< default 1; fixes every random choice */
    int clusters;               /**< 0..1024, default 0: chosen by the silhouette, 2 to 64 */
    wgdn_cluster_method method; /**< default WGDN_CLUSTER_METHOD_AUTO */
    int restarts;               /**< of k-means, 1..1000, default 4 */
    int threads;                /**< 0..4096, 0 = whatever OpenMP offers, default 0 */
    /** NULL, or called after every k-means with the number done; return non-zero to cancel. */
    int (*progress)(void *user, int64_t done, int64_t total);
    void *progress_user; /**< handed to progress */
} wgdn_cluster_options;

static inline void wgdn_cluster_options_init(wgdn_cluster_options *o)
{
    wgdn_options_init(WGDN_OPTIONS_KIND_CLUSTER, o, sizeof *o);
}

typedef struct wgdn_clusters wgdn_clusters; /**< a cluster for each node; immutable, shareable */

/** What was found. Fields may be added at the end. */
typedef struct wgdn_clusters_report {
    size_t struct_size; /**< set by _init */
    int64_t nodes, clusters;
    wgdn_cluster_method method; /**< WGDN_CLUSTER_METHOD_VECTORS where there are no edges */
    int chosen;                 /**< 1 if the number of clusters was chosen */
    double silhouette; /**< mean of (b - a) / max(a, b), a and b the mean cosine distances to the
                            other nodes of the own and of the nearest other cluster; 1 is best */
    double modularity; /**< of the edges; NAN without edges */
    double community_modularity; /**< that of communities of the graph alone, for comparison; NAN */
    int64_t communities;         /**< how many these are; 0 without edges */
} wgdn_clusters_report;

static inline void wgdn_clusters_report_init(wgdn_clusters_report *o)
{
    wgdn_struct_init(o, sizeof *o);
}

enum { WGDN_CLUSTER_TYPICAL = 5 };
/** One cluster; the largest is number 0. Fields may be added at the end. */
typedef struct wgdn_cluster_info {
    size_t struct_size;                    /**< set by _init */
    int64_t size;                          /**< nodes */
    double cohesion;                       /**< mean cosine of its nodes and its center */
    int64_t typical[WGDN_CLUSTER_TYPICAL]; /**< nodes nearest to the center, -1 beyond the last */
} wgdn_cluster_info;

static inline void wgdn_cluster_info_init(wgdn_cluster_info *o)
{
    wgdn_struct_init(o, sizeof *o);
}

/**
 * Cluster the nodes of a dataset by their vectors and edges, without labels.
 *
 * @param out  receives the clusters, to be released with wgdn_clusters_free(); untouched on failure
 * @param e    finite vectors of the nodes of d
 * @param o    NULL for the defaults
 * @return WGDN_OK, WGDN_EINVAL (more clusters than nodes, a number with method graph, a graph without
 *         edges), WGDN_ENOMEM, WGDN_EFORMAT (a node has no vector), WGDN_EENGINE, WGDN_ESTOPPED
 */
WGDN_API WGDN_MUST_CHECK wgdn_status wgdn_clusters_find(wgdn_clusters **out,
                                                        const wgdn_embedding *e,
                                                        const wgdn_dataset *d,
                                                        const wgdn_cluster_options *o,
                                                        wgdn_error *err);
WGDN_API void wgdn_clusters_free(wgdn_clusters *c); /**< NULL is fine */
WGDN_API void wgdn_clusters_describe(wgdn_clusters_report *out, const wgdn_clusters *c);
/** Cluster k, from 0 on; all zeros beyond the last. */
WGDN_API void wgdn_clusters_describe_one(wgdn_cluster_info *out, const wgdn_clusters *c, int64_t k);
/** The cluster of every node, borrowed. */
WGDN_API const int32_t *wgdn_clusters_get_groups(const wgdn_clusters *c);
/** The cosine of every node and the center of its cluster, borrowed. */
WGDN_API const float *wgdn_clusters_get_similarity(const wgdn_clusters *c);
/**
 * Write a table: id, cluster, similarity.
 *
 * @param d       the dataset they were found in
 * @param path    ends in .csv, .tsv, .jsonl (each perhaps with .gz) or .npz
 * @param format  one of these without its point, NULL: by the path
 * @return WGDN_OK, WGDN_EINVAL (no such format), WGDN_ENOMEM, WGDN_EWRITE
 */
WGDN_API WGDN_MUST_CHECK wgdn_status wgdn_clusters_write(const wgdn_clusters *c,
                                                         const wgdn_dataset *d, const char *path,
                                                         const char *format, wgdn_error *err);

#ifdef __cplusplus
}
#endif

#endif
