/* SPDX-License-Identifier: Apache-2.0 */
/* Compressed rows, and the graph with what its Laplacian needs. */
#ifndef WGDN_GRAPH_GRAPH_H
#define WGDN_GRAPH_GRAPH_H

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
/*
 * The same into arrays that are there: of A's entries and columns, with values if t has an array of
 * them. entry, unless NULL, receives which entry of A each one is.
 */
void wgdn_csr_turn(wgdn_csr *t, int64_t *entry, const wgdn_csr *a);
void wgdn_csr_merge(wgdn_csr *a); /* drops repeats from rows that are sorted; values are not kept */
/* Frees the arrays, not the struct, which is zeroed. */
static inline void wgdn_csr_free(wgdn_csr *a)
{
    wgdn_release(a->value);
    wgdn_release(a->column);
    wgdn_release(a->offset);
    *a = (wgdn_csr){0};
}

/* Room for so many entries, all offsets 0; false with nothing allocated when memory is short. */
static inline bool wgdn_csr_alloc(wgdn_csr *a, int64_t rows, int64_t cols, int64_t entries,
                                  bool values)
{
    *a = (wgdn_csr){.rows = rows, .cols = cols};
    a->offset = wgdn_alloc_zero((size_t)rows + 1, sizeof *a->offset);
    a->column = wgdn_alloc((size_t)entries, sizeof *a->column);
    if (values) a->value = wgdn_alloc((size_t)entries, sizeof *a->value);
    if (a->offset && a->column && (!values || a->value)) return true;
    wgdn_csr_free(a);
    return false;
}

/*
 * L = I - D^-1/2 A D^-1/2, d_i = sum_j A_ij. Its weights follow from A and the degrees, so an entry
 * costs four bytes, or eight where edges have weights. A node without edges has 0 in both arrays
 * below, and L_ii = 1.
 */
typedef struct wgdn_halo wgdn_halo; /* rows that other ranks own: dist.h */

enum { WGDN_GATHER_WINDOW = 1 << 24 }; /* entries between calls of used(), but for a longer row */

struct wgdn_graph {
    wgdn_csr adjacency; /* n x n, symmetric, no diagonal, values > 0; or this rank's rows of it */
    wgdn_halo *halo;    /* NULL where all rows are here; the arrays below then continue with it */
    float *inv_sqrt_degree; /* d_i^-1/2 */
    float *inv_degree;      /* d_i^-1 */
    bool borrowed;          /* the adjacency's arrays belong to somebody else */
    /* Where memory is short and the arrays are mapped: entries that were used may go; or NULL. */
    void (*used)(const wgdn_graph *g, int64_t from, int64_t to);
    const void *of; /* what `used` needs to know */
};

/* d_i = sum_j A_ij, in the order of the columns */
static inline double wgdn_graph_strength(const wgdn_csr *a, int64_t i)
{
    double d = 0;
    if (!a->value) return (double)(a->offset[i + 1] - a->offset[i]);
    for (int64_t k = a->offset[i]; k < a->offset[i + 1]; k++)
        d += a->value[k];
    return d;
}

/* Both arrays at node i, from its row. */
static inline void wgdn_graph_weigh(wgdn_graph *g, int64_t i)
{
    const double d = wgdn_graph_strength(&g->adjacency, i);
    g->inv_sqrt_degree[i] = d > 0 ? (float)(1 / sqrt(d)) : 0;
    g->inv_degree[i] = d > 0 ? (float)(1 / d) : 0;
}

/* A graph over rows that are what wgdn_graph wants already. Takes the arrays, unless borrowed. */
WGDN_MUST_CHECK wgdn_status wgdn_graph_from_rows(wgdn_graph **out, const wgdn_csr *rows,
                                                 bool borrowed, wgdn_error *err);

/* ---- order: order.c ---- */

/* node[r] for every place r of an order in which neighbors lie near each other. */
WGDN_MUST_CHECK wgdn_status wgdn_graph_order(int32_t *node, const wgdn_graph *g, wgdn_order how,
                                             wgdn_error *err);
/* The same graph with row[r] of g as its row r. */
WGDN_MUST_CHECK wgdn_status wgdn_graph_arrange(wgdn_graph **out, const wgdn_graph *g,
                                               const int32_t *row, wgdn_error *err);

#endif
