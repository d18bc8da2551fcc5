/* SPDX-License-Identifier: Apache-2.0 */
/* Small graphs of several shapes for the tests of the spectral stage. */
#ifndef WGDN_TEST_GRAPHS_H
#define WGDN_TEST_GRAPHS_H

#include "check.h"

enum { EDGES_MAX = 20000, SHAPES = 6 };

typedef struct edge_list {
    int64_t m, src[EDGES_MAX], dst[EDGES_MAX];
} edge_list;

static inline void add_edge(edge_list *e, int64_t a, int64_t b)
{
    if (e->m == EDGES_MAX) abort();
    e->src[e->m] = a;
    e->dst[e->m++] = b;
}

static inline double chance(uint64_t seed, int64_t i, int64_t j)
{
    return wgdn_random_bits((wgdn_stream){.seed = seed, .call = 77}, i, j) * 0x1p-32;
}

/* Edges between i < j with probability inside or outside of `blocks` equal blocks. */
static inline void random_edges(edge_list *e, int64_t n, int64_t blocks, double inside,
                                double outside, uint64_t seed)
{
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = i + 1; j < n; j++)
            if (chance(seed, i, j) < (i * blocks / n == j * blocks / n ? inside : outside))
                add_edge(e, i, j);
}

/*
 * Shape 0: Erdos-Renyi, 1: block model, 2: path, 3: star, 4: grid, 5: a sparse random graph whose
 * last quarter of nodes has no edges.
 */
static inline wgdn_graph *shaped_graph(int shape, int64_t n, uint64_t seed)
{
    static edge_list e;
    wgdn_graph *g = NULL;
    const int64_t side = (int64_t)sqrt((double)n);
    e.m = 0;
    if (shape == 0) random_edges(&e, n, 1, 6.0 / (double)n, 0, seed);
    if (shape == 1) random_edges(&e, n, 3, 18.0 / (double)n, 1.5 / (double)n, seed);
    for (int64_t i = 1; shape == 2 && i < n; i++)
        add_edge(&e, i - 1, i);
    for (int64_t i = 1; shape == 3 && i < n; i++)
        add_edge(&e, 0, i);
    for (int64_t i = 0; shape == 4 && i < side * side; i++) {
        if (i % side + 1 < side) add_edge(&e, i, i + 1);
        if (i + side < side * side) add_edge(&e, i, i + side);
    }
    if (shape == 4) n = side * side;
    if (shape == 5) random_edges(&e, n - n / 4, 1, 4.0 / (double)n, 0, seed);
    if (wgdn_graph_from_edges(&g, n, e.m, e.src, e.dst, NULL)) abort();
    return g;
}

static inline float *normals(int64_t n, int64_t d, uint64_t seed, uint16_t call)
{
    float *z = malloc((size_t)(n * d) * sizeof *z);
    if (!z) abort();
    wgdn_random_normals(z, d, (wgdn_stream){.seed = seed, .call = call}, 0, n, 0, d);
    return z;
}

#endif
