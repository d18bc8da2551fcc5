/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file wgdn.h
 * The whole public interface of libwgdn: embeddings of graph nodes by Wiener graph deconvolution.
 *
 * Conventions. The result comes first, the error slot last; a call that can fail returns a
 * wgdn_status and leaves its result untouched on failure. Matrices are row-major, float, without
 * padding. Handles are opaque, immutable once built unless said otherwise, and may be shared
 * between threads. The library keeps no state between calls and starts no threads of its own
 * beyond OpenMP's; the number of threads never changes a result.
 */
#ifndef WGDN_H
#define WGDN_H

#include <stddef.h>
#include <stdint.h>

#define WGDN_VERSION_MAJOR 0
#define WGDN_VERSION_MINOR 1
#define WGDN_VERSION_PATCH 0

#if defined(_WIN32)
#define WGDN_API
#elif defined(__GNUC__)
#define WGDN_API __attribute__((visibility("default")))
#else
#define WGDN_API
#endif

#if defined(__GNUC__)
#define WGDN_MUST_CHECK __attribute__((warn_unused_result))
#else
#define WGDN_MUST_CHECK
#endif

#ifdef __cplusplus
extern "C" {
#endif

/** Zero is success; failures are negative and never renumbered. */
typedef enum wgdn_status {
    WGDN_OK = 0,
    WGDN_EINVAL = -1,  /**< an argument is out of its range */
    WGDN_ENOMEM = -2,  /**< memory could not be had */
    WGDN_ERANGE = -3,  /**< a size is beyond what this build can address */
    WGDN_EENGINE = -4, /**< the dense engine refused a product */
    WGDN_EIO = -5,     /**< a file could not be opened, read or written */
    WGDN_EFORMAT = -6, /**< a file does not hold what it should */
} wgdn_status;

/** Why a call failed. The caller owns it; pass NULL to do without. */
typedef struct wgdn_error {
    wgdn_status code;
    char message[256];
} wgdn_error;

/** "0.1.0": the version of the library in use, which may differ from the header's. */
WGDN_API const char *wgdn_version(void);

/** A few words for a status; never NULL, also for unknown numbers. */
WGDN_API const char *wgdn_status_text(wgdn_status status);

/** How a call may use the machine. Set it up with wgdn_compute_options_init(). */
typedef struct wgdn_compute_options {
    size_t struct_size; /**< set by _init; lets an old program meet a new library */
    int threads;        /**< 0..4096, 0 = whatever OpenMP offers, default 0 */
} wgdn_compute_options;

WGDN_API void wgdn_compute_options_init_sized(wgdn_compute_options *o, size_t size);
#define wgdn_compute_options_init(o) wgdn_compute_options_init_sized((o), sizeof *(o))

typedef struct wgdn_graph wgdn_graph; /**< graph and its Laplacian; immutable, safe to share */

/**
 * Build a graph from an undirected edge list. Self-loops and repeats are dropped; an edge may be
 * given in either direction or in both; nodes without edges stay. Arrays are copied.
 *
 * @param out  receives the graph, to be released with wgdn_graph_free(); untouched on failure
 * @param n    number of nodes, 1 .. 2^31 - 1
 * @param m    number of edges, >= 0; src and dst hold m endpoints each, all in [0, n)
 * @return WGDN_OK, WGDN_EINVAL (a count or an endpoint is out of range), WGDN_ENOMEM
 */
WGDN_API WGDN_MUST_CHECK wgdn_status wgdn_graph_from_edges(wgdn_graph **out, int64_t n, int64_t m,
                                                           const int64_t *src, const int64_t *dst,
                                                           wgdn_error *err);
WGDN_API void wgdn_graph_free(wgdn_graph *g); /**< NULL is fine */

WGDN_API int64_t wgdn_graph_nodes(const wgdn_graph *g);
/** Undirected edges kept: each counts once. */
WGDN_API int64_t wgdn_graph_edges(const wgdn_graph *g);
/** Number of neighbours of a node in [0, nodes); -1 for any other. */
WGDN_API int64_t wgdn_graph_degree(const wgdn_graph *g, int64_t node);

/**
 * Filter a matrix on the graph: Y = sum_k c[k] L^k X with L = I - D^-1/2 A D^-1/2.
 * A node without edges has L_ii = 1.
 *
 * @param y      nodes x width, apart from x
 * @param x      nodes x width
 * @param width  columns of x and y, at least 1
 * @param c      order + 1 coefficients, constant term first
 * @param order  0..64
 * @param o      NULL for the defaults
 * @return WGDN_OK, WGDN_EINVAL, WGDN_ENOMEM, WGDN_ERANGE
 */
WGDN_API WGDN_MUST_CHECK wgdn_status wgdn_graph_filter(float *y, const wgdn_graph *g,
                                                       const float *x, int64_t width,
                                                       const double *c, int order,
                                                       const wgdn_compute_options *o,
                                                       wgdn_error *err);

/* ---- the machine: what the library found, and what it was built with ---- */

/** Set struct_size and call wgdn_machine_get(). Fields may be added at the end. */
typedef struct wgdn_machine {
    size_t struct_size;       /**< sizeof(wgdn_machine), set by the caller */
    const char *cpu_best;     /**< the richest level there is: base, v3 (AVX2) or v4 (AVX-512) */
    const char *cpu_used;     /**< the one in use; WGDN_CPU in the environment may ask for less */
    const char *engine;       /**< what makes dense products: onednn or cblas */
    const char *huge_pages;   /**< transparent ones: always, madvise, never or unknown */
    int cores;                /**< that are online */
    int threads;              /**< that a call takes unless its options say otherwise */
    int64_t memory_total;     /**< bytes, after the limits of container and process; -1: unknown */
    int64_t memory_available; /**< bytes that can be had without swapping; -1: unknown */
} wgdn_machine;
WGDN_API void wgdn_machine_get(wgdn_machine *machine);

/** Something that a build may have or lack. */
typedef struct wgdn_feature {
    const char *name;
    int present;
    const char *purpose; /**< what it is good for */
    const char *package; /**< what brings it, by its name in Debian */
} wgdn_feature;
WGDN_API const wgdn_feature *wgdn_feature_get(int i); /**< i = 0, 1, ...; NULL after the last */

#ifdef __cplusplus
}
#endif

#endif
