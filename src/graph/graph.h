/* SPDX-License-Identifier: Apache-2.0 */
/* Compressed rows, and the graph with what its Laplacian needs. */
#ifndef WGDN_GRAPH_H
#define WGDN_GRAPH_H

#include "base/base.h"

#include <math.h>

/*
 * Sparse matrix in compressed rows. Row i has the entries offset[i] .. offset[i + 1] - 1; columns
 * ascend within a row and do not repeat. value is NULL when every entry is 1. The struct itself
 * does not say who owns the arrays: wgdn_csr_free() belongs to whoever made them.
 */
typedef struct wgdn_csr {
    int64_t rows, cols;
    int64_t *offset; /* rows + 1 */
    int32_t *column;
    float *value;
} wgdn_csr;

static inline int64_t wgdn_csr_entries(const wgdn_csr *a)
{
    return a->offset[a->rows];
}

/* *out = A^T, with rows again in ascending order. out's arrays are new. */
WGDN_MUST_CHECK wgdn_status wgdn_csr_transpose(wgdn_csr *out, const wgdn_csr *a, wgdn_error *err);
void wgdn_csr_merge(wgdn_csr *a); /* drops repeats from rows that are sorted; values are not kept */
void wgdn_csr_free(wgdn_csr *a);  /* the arrays, not the struct, which is zeroed */

/*
 * L = I - D^-1/2 A D^-1/2. Its weights follow from the degrees, so an edge costs four bytes.
 * A node without edges has 0 in both arrays below, and L_ii = 1.
 */
struct wgdn_graph {
    wgdn_csr adjacency;     /* n x n, symmetric, no diagonal, no values */
    float *inv_sqrt_degree; /* d_i^-1/2 */
    float *inv_degree;      /* d_i^-1 */
    bool lent;              /* the adjacency's arrays belong to somebody else */
};

/* Both arrays at node i, from the length of its row. */
static inline void wgdn_graph_weigh(wgdn_graph *g, int64_t i)
{
    const double d = (double)(g->adjacency.offset[i + 1] - g->adjacency.offset[i]);
    g->inv_sqrt_degree[i] = d > 0 ? (float)(1 / sqrt(d)) : 0;
    g->inv_degree[i] = d > 0 ? (float)(1 / d) : 0;
}

/* A graph over rows that are what wgdn_graph wants already. Takes the arrays, unless lent. */
WGDN_MUST_CHECK wgdn_status wgdn_graph_from_rows(wgdn_graph **out, const wgdn_csr *rows, bool lent,
                                                 wgdn_error *err);

#endif
