/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Random Fourier features of what is seen within some hops, pooled.              [WGDN:graph-cosines]
 *
 *     z_v = cos(sum_h (P^h F W_h)_v + b),   P = D^-1 A,   F = [X, node columns]
 *     t_G = sum over v in G of z_v / |G|^1/2
 *
 * By Horner's rule Z <- F W_h + P Z, from the farthest hop to the node itself, a slab of cosines
 * and a run of graphs at a time. W ~ N(0, 1 / sigma^2) and b are addressed by (block, hop, column
 * of F, cosine). Angles are counted in turns: W and b have 1 / (2 pi) in them.
 */
#include "base/streams.h"
#include "graphs.h"

#include <math.h>

enum { SLAB = WGDN_GRAPH_SLAB, EPOCHS_A_BLOCK = 16 };

static const double two_pi = 6.283185307179586;

/* ---- a slab of a run ---- */

typedef struct pass {
    const wgdn_cosines *c;
    const wgdn_cosine_ops *ops;
    const float *weight; /* of this hop */
    int64_t graph, node; /* the run's first */
    bool farther;        /* there is a hop behind this one, whose sums are in c->sum */
    float *out;          /* of the run's first graph, rows of ld */
    int64_t ld;
} pass;

/* (F W_h + P Z)_i */
static wgdn_angles angles_of(const pass *p, int64_t i)
{
    const wgdn_cosines *c = p->c;
    const float *own = c->in->column + (p->node + i) * WGDN_NODE_COLUMNS;
    return (wgdn_angles){.column = {own[0], own[1]},
                         .factor = c->in->graph->inv_degree[p->node + i],
                         .weight = p->weight,
                         .x = c->in->features ? c->fx + i * SLAB : NULL,
                         .s = p->farther ? c->sum + i * SLAB : NULL};
}

static void hop_rows(int64_t first, int64_t count, double *sums, void *context)
{
    const pass *p = context;
    (void)sums;
    for (int64_t i = first; i < first + count; i++) {
        const wgdn_angles a = angles_of(p, i);
        p->ops->angles(p->c->z + i * SLAB, &a);
    }
}

static void pool_graph(int64_t g, void *context)
{
    const pass *p = context;
    const int64_t *start = p->c->in->start + p->graph + g;
    double sum[SLAB] = {0};
    for (int64_t i = start[0] - p->node; i < start[1] - p->node; i++) {
        const wgdn_angles a = angles_of(p, i);
        p->ops->pool(sum, &a, p->c->phase);
    }
    const double root = sqrt((double)(start[1] - start[0]));
    for (int j = 0; j < SLAB; j++)
        p->out[g * p->ld + j] = (float)(sum[j] / root);
}

/* fx = X W of the rows of a run */
static wgdn_status features(const wgdn_cosines *c, const pass *p, int64_t rows, wgdn_error *err)
{
    const wgdn_graph_input *in = c->in;
    const float *w = p->weight + (ptrdiff_t)WGDN_NODE_COLUMNS * SLAB;
    if (!in->features) return WGDN_OK;
    if (in->x.sparse) {
        wgdn_csr x = *in->x.sparse;
        x.offset += p->node;
        x.rows = rows;
        wgdn_spmm(c->fx, &x, w, SLAB);
        return WGDN_OK;
    }
    const wgdn_product product = wgdn_product_of(c->fx, in->x.dense + p->node * in->features, w,
                                                 wgdn_alone(rows), in->features, SLAB);
    return wgdn_gemm_nn(&product, err);
}

static int64_t weights_of_hop(const wgdn_cosines *c)
{
    return (WGDN_NODE_COLUMNS + c->in->features) * SLAB;
}

static wgdn_status pool_run(float *out, int64_t ld, const wgdn_cosines *c, int64_t run,
                            wgdn_error *err)
{
    const wgdn_graph_input *in = c->in;
    const int64_t g = in->run[run], end = in->run[run + 1], first = in->start[g];
    const int64_t rows = in->start[end] - first;
    const wgdn_graph here = {.adjacency = {.rows = rows,
                                           .cols = rows,
                                           .offset = in->graph->adjacency.offset + first,
                                           .column = in->local,
                                           .value = in->graph->adjacency.value}};
    pass p = {.c = c,
              .ops = wgdn_cosine_rows(),
              .graph = g,
              .node = first,
              .out = out + g * ld,
              .ld = ld};
    wgdn_status st = WGDN_OK;
    for (int h = c->block.hops; h >= 0 && !st; h--) {
        p.weight = c->weight + h * weights_of_hop(c);
        p.farther = h < c->block.hops;
        if (p.farther) wgdn_adjacency(c->sum, &here, c->z, SLAB);
        st = features(c, &p, rows, err);
        if (!st && h > 0) wgdn_for_blocks(wgdn_alone(rows), hop_rows, &p, NULL, 0, NULL);
    }
    if (!st) wgdn_for_each(end - g, pool_graph, &p);
    return st;
}

/* ---- all of it ---- */

static void draw(wgdn_cosines *c, int block, int64_t from)
{
    const int64_t rows = WGDN_NODE_COLUMNS + c->in->features;
    wgdn_stream s = {.seed = c->seed, .call = WGDN_CALL_COSINES};
    for (int h = 0; h <= c->block.hops; h++) {
        float *w = c->weight + h * weights_of_hop(c);
        s.epoch = (uint32_t)(block * EPOCHS_A_BLOCK + h);
        wgdn_random_normals(w, SLAB, s, 0, rows, from, SLAB);
        wgdn_scale(w, (float)(1 / (two_pi * c->block.sigma)), rows, SLAB);
        for (int64_t j = (int64_t)c->block.columns * SLAB; j < (int64_t)WGDN_NODE_COLUMNS * SLAB;
             j++)
            w[j] = 0;
    }
    s = (wgdn_stream){.seed = c->seed, .epoch = (uint32_t)block, .call = WGDN_CALL_PHASES};
    wgdn_random_uniforms(c->phase, SLAB, s, 0, 1, from, SLAB);
}

wgdn_status wgdn_cosines_open(wgdn_cosines *c, const wgdn_graph_input *in, uint64_t seed,
                              wgdn_error *err)
{
    const size_t slab = (size_t)in->nodes_max * SLAB;
    *c = (wgdn_cosines){.in = in, .seed = seed};
    c->weight = wgdn_alloc((WGDN_GRAPH_HOPS + 1) * (size_t)weights_of_hop(c), sizeof *c->weight);
    c->phase = wgdn_alloc(SLAB, sizeof *c->phase);
    c->z = wgdn_alloc(slab, sizeof *c->z);
    c->sum = wgdn_alloc(slab, sizeof *c->sum);
    c->fx = wgdn_alloc(in->features ? slab : 0, sizeof *c->fx);
    if (c->weight && c->phase && c->z && c->sum && c->fx) return WGDN_OK;
    wgdn_cosines_close(c);
    return wgdn_fail(err, WGDN_ENOMEM, "cosines: three matrices of %lld x %d",
                     (long long)in->nodes_max, SLAB);
}

void wgdn_cosines_close(wgdn_cosines *c)
{
    wgdn_release(c->fx);
    wgdn_release(c->sum);
    wgdn_release(c->z);
    wgdn_release(c->phase);
    wgdn_release(c->weight);
    *c = (wgdn_cosines){0};
}

wgdn_status wgdn_cosines_pool(float *out, int64_t ld, wgdn_cosines *c, int64_t at, wgdn_error *err)
{
    const int block = (int)(at / WGDN_GRAPH_COSINES);
    wgdn_status st = WGDN_OK;
    c->block = wgdn_cosine_block_get(block);
    draw(c, block, at % WGDN_GRAPH_COSINES);
    for (int64_t r = 0; r < c->in->runs && !st; r++)
        st = pool_run(out, ld, c, r, err);
    return st;
}
