/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Vectors of whole graphs: cosines of random combinations of what is seen within some hops of a
 * node, summed up over the nodes of a graph, and reduced.
 */
#ifndef WGDN_FIT_GRAPHS_H
#define WGDN_FIT_GRAPHS_H

#include "cosine_rows.h"
#include "fit.h"

enum {
    WGDN_GRAPH_SCALES = 2,
    WGDN_GRAPH_HOPS = 3, /* the farthest */
    WGDN_GRAPH_BLOCKS = WGDN_GRAPH_SCALES * (WGDN_GRAPH_HOPS + 2),
    WGDN_GRAPH_COSINES = 256, /* of a block */
    WGDN_GRAPH_WIDTH = WGDN_GRAPH_BLOCKS * WGDN_GRAPH_COSINES,
    WGDN_NODE_COLUMNS = 2, /* log(1 + degree), clustering coefficient */
};

/* What was learned. */
struct wgdn_graph_form {
    float nodes[2][WGDN_NODE_COLUMNS]; /* means and deviations of the node columns */
    int64_t dim;
    float *center; /* WIDTH: means of the pooled cosines over graphs */
    float *basis;  /* WIDTH x dim, with scales of blocks and of columns in it */
};

/* ---- which blocks there are: graph_vectors.c ---- */

/* Cosines of W_0 F + W_1 P F + ... + W_hops P^hops F, normals of deviation 1 / sigma in W. */
typedef struct wgdn_cosine_block {
    const char *name;
    double scale, sigma;
    int hops;
    int columns; /* of the node columns, behind the features in F: 1 or 2 */
} wgdn_cosine_block;
wgdn_cosine_block wgdn_cosine_block_get(int i);
/* All of them in words: a file is of no use where they differ. */
void wgdn_cosine_blocks_text(char *text, size_t size);

/* ---- what is looked at: graph_vectors.c over graph_vectors.c ---- */

/* Runs are of whole graphs, as many nodes as is good for the caches. */
typedef struct wgdn_graph_input {
    const wgdn_graph *graph;
    int64_t nodes, graphs, features;
    wgdn_matrix x;           /* as it is; of no use where features is 0 */
    float *column;           /* nodes x WGDN_NODE_COLUMNS */
    int64_t *start;          /* graphs + 1: the first node of each */
    int64_t *run;            /* runs + 1: the first graph of each */
    int64_t runs, nodes_max; /* of a run */
    int32_t *local;          /* columns of the adjacency, counted from their run's first node */
} wgdn_graph_input;

WGDN_MUST_CHECK wgdn_status wgdn_graph_input_open(wgdn_graph_input *in, const wgdn_dataset *d,
                                                  const wgdn_fitted *f, wgdn_error *err);
void wgdn_graph_input_close(wgdn_graph_input *in);

/* Means and deviations of them, the latter at least a thousandth. */
void wgdn_node_columns_scale(float *column, int64_t nodes, const wgdn_graph_form *form);

/* ---- cosines, pooled: graph_vectors.c ---- */

typedef struct wgdn_cosines {
    const wgdn_graph_input *in;
    uint64_t seed;
    wgdn_cosine_block block;
    float *weight;       /* HOPS + 1 matrices, (2 + features) x SLAB */
    float *phase;        /* SLAB */
    float *z, *sum, *fx; /* nodes of a run x SLAB */
} wgdn_cosines;

WGDN_MUST_CHECK wgdn_status wgdn_cosines_open(wgdn_cosines *c, const wgdn_graph_input *in,
                                              uint64_t seed, wgdn_error *err);
void wgdn_cosines_close(wgdn_cosines *c);
/* Columns at .. at + SLAB - 1 of WIDTH for every graph, into rows of ld. */
WGDN_MUST_CHECK wgdn_status wgdn_cosines_pool(float *out, int64_t ld, wgdn_cosines *c, int64_t at,
                                              wgdn_error *err);

/* ---- fitting and embedding: graph_vectors.c over graph_vectors.c ---- */

WGDN_MUST_CHECK wgdn_status wgdn_graph_form_learn(wgdn_fitted *f, const wgdn_dataset *d,
                                                  wgdn_error *err);
void wgdn_graph_form_free(wgdn_graph_form *form);
WGDN_MUST_CHECK wgdn_status wgdn_graph_form_embed(float *out, const wgdn_fitted *f,
                                                  const wgdn_dataset *d, wgdn_error *err);
extern const double wgdn_graph_power; /* of the singular values, that is taken out */

/* ---- its part of the file: fit_file.c ---- */

enum { WGDN_GRAPH_TENSORS = 3 };

#endif
