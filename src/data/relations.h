/* SPDX-License-Identifier: Apache-2.0 */
/* Edges by direction and type: what the graph itself, which is undirected, does not tell. */
#ifndef WGDN_DATA_RELATIONS_H
#define WGDN_DATA_RELATIONS_H

#include "edges.h"
#include "ids.h"

/*
 * Random-walk matrices of n nodes: row i of relation r has the nodes that one step leads to from
 * node i, and the share of each in the weight of all. They lie one behind another: relation r is
 * rows r n to r n + n - 1.
 */
typedef struct wgdn_relations {
    int64_t count; /* 0: none are kept */
    wgdn_csr rows; /* count x n */
    wgdn_names names;
} wgdn_relations;

/* The relations that the direction and the edges' types ask for; types are 0 .. names->count - 1. */
WGDN_MUST_CHECK wgdn_status wgdn_relations_make(wgdn_relations *r, const wgdn_edges *e, int64_t n,
                                                wgdn_direction direction, const wgdn_names *types,
                                                wgdn_error *err);

static inline void wgdn_relations_free(wgdn_relations *r)
{
    wgdn_names_free(&r->names);
    wgdn_csr_free(&r->rows);
    *r = (wgdn_relations){0};
}

/* A view of one. */
static inline wgdn_csr wgdn_relations_get(const wgdn_relations *r, int64_t k)
{
    const int64_t n = r->rows.cols;
    wgdn_csr a = r->rows;
    a.rows = n;
    a.offset += k * n;
    return a;
}

/* -1: no such one */
static inline int64_t wgdn_relations_find(const wgdn_relations *r, wgdn_text name)
{
    for (int64_t k = 0; k < r->count; k++)
        if (wgdn_text_compare(wgdn_names_get(&r->names, k), name) == 0) return k;
    return -1;
}

/* The same with node row[i] in place i. */
WGDN_MUST_CHECK wgdn_status wgdn_relations_arrange(wgdn_relations *out, const wgdn_relations *r,
                                                   const int32_t *row, wgdn_error *err);

#endif
