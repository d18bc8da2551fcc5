/* SPDX-License-Identifier: Apache-2.0 */
/** @file graph.h A graph, its Laplacian and polynomial filters. */
#ifndef WGDN_GRAPH_API_H
#define WGDN_GRAPH_API_H

#include <wgdn/base.h>

#ifdef __cplusplus
extern "C" {
#endif

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
/** Number of neighbors of a node in [0, nodes); -1 for any other. */
WGDN_API int64_t wgdn_graph_degree(const wgdn_graph *g, int64_t node);

/**
 * The symmetric adjacency matrix as compressed rows, borrowed: offset has nodes + 1 entries, columns ascend within a
 * row. value is NULL when all weights are 1.
 */
WGDN_API void wgdn_graph_get_rows(const int64_t **offset, const int32_t **column,
                                  const float **value, const wgdn_graph *g);

/**
 * Filter a matrix on the graph: Y = sum_k c[k] L^k X with L = I - D^-1/2 A D^-1/2.
 * A node without edges has L_ii = 1.
 *
 * @param y      nodes x width; must not alias x
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

/** Columns of a table of edges, from 0; -1: none. Set struct_size before the call. */
typedef struct wgdn_edge_columns {
    size_t struct_size;
    int64_t source, target, weight, graph;
    int known; /**< 1: the headings alone name the two ends, such as from and to */
    int two_kinds; /**< 1: nodes of two kinds, such as customer and product: an id in both is two nodes */
} wgdn_edge_columns;

/**
 * Find the columns of a table of edges that is in memory, by the rules for edge lists.
 *
 * @param c     receives the columns
 * @param text  the headings and up to 1000 rows below them, as CSV; size bytes
 * @return WGDN_OK, WGDN_EINVAL, WGDN_ENOMEM, WGDN_EFORMAT (the caller has to choose; the message names candidates)
 */
WGDN_API WGDN_MUST_CHECK wgdn_status wgdn_edge_columns_find(wgdn_edge_columns *c, const char *text,
                                                            size_t size, wgdn_error *err);

#ifdef __cplusplus
}
#endif

#endif
