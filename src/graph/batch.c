/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Concatenates graphs of a set into one block-diagonal graph, in arrays that are allocated once.
 * model/batches.c calls it for every training step on whole graphs.
 */
#include "graph.h"

#include <string.h>

size_t wgdn_batch_bytes(wgdn_batch_room room)
{
    const wgdn_graph *g = NULL;
    const size_t node =
        sizeof *g->adjacency.offset + sizeof *g->inv_sqrt_degree + sizeof *g->inv_degree;
    return (size_t)(room.graphs + 1) * sizeof(int64_t) + (size_t)room.nodes * node +
           (size_t)room.entries *
               (sizeof *g->adjacency.column + (room.weighted ? sizeof *g->adjacency.value : 0));
}

wgdn_status wgdn_batch_new(wgdn_batch *b, wgdn_batch_room room, wgdn_error *err)
{
    wgdn_graph *g = &b->graph;
    *b = (wgdn_batch){.room = room};
    b->start = wgdn_alloc((size_t)room.graphs + 1, sizeof *b->start);
    g->adjacency.offset = wgdn_alloc((size_t)room.nodes + 1, sizeof *g->adjacency.offset);
    g->adjacency.column = wgdn_alloc((size_t)room.entries, sizeof *g->adjacency.column);
    if (room.weighted)
        g->adjacency.value = wgdn_alloc((size_t)room.entries, sizeof *g->adjacency.value);
    g->inv_sqrt_degree = wgdn_alloc((size_t)room.nodes, sizeof *g->inv_sqrt_degree);
    g->inv_degree = wgdn_alloc((size_t)room.nodes, sizeof *g->inv_degree);
    if (b->start && g->adjacency.offset && g->adjacency.column && g->inv_sqrt_degree &&
        g->inv_degree && (!room.weighted || g->adjacency.value))
        return WGDN_OK;
    wgdn_batch_free(b);
    return wgdn_fail(err, WGDN_ENOMEM, "batch: %lld graphs with %lld nodes", (long long)room.graphs,
                     (long long)room.nodes);
}

void wgdn_batch_free(wgdn_batch *b)
{
    wgdn_release(b->graph.inv_degree);
    wgdn_release(b->graph.inv_sqrt_degree);
    wgdn_csr_free(&b->graph.adjacency);
    wgdn_release(b->start);
    *b = (wgdn_batch){0};
}

/* One graph of the set behind what is there: its rows as they are, its columns moved along. */
static void append(wgdn_graph *to, const wgdn_graph *whole, int64_t first, int64_t end)
{
    const wgdn_csr *from = &whole->adjacency;
    wgdn_csr *a = &to->adjacency;
    const int64_t entries = from->offset[end] - from->offset[first], at = a->offset[a->rows];
    const int64_t shift = at - from->offset[first];
    const int32_t move = (int32_t)(a->rows - first);
    const size_t nodes = (size_t)(end - first);
    memcpy(to->inv_sqrt_degree + a->rows, whole->inv_sqrt_degree + first, nodes * sizeof(float));
    memcpy(to->inv_degree + a->rows, whole->inv_degree + first, nodes * sizeof(float));
    for (int64_t i = first; i < end; i++)
        a->offset[++a->rows] = from->offset[i + 1] + shift;
    for (int64_t k = 0; k < entries; k++)
        a->column[at + k] = from->column[from->offset[first] + k] + move;
    if (a->value)
        memcpy(a->value + at, from->value + from->offset[first], (size_t)entries * sizeof(float));
}

void wgdn_batch_gather(wgdn_batch *b, const wgdn_graph *whole, const int64_t *start,
                       const int64_t *member, int64_t count)
{
    wgdn_csr *a = &b->graph.adjacency;
    a->rows = 0;
    a->offset[0] = 0;
    b->graphs = count;
    for (int64_t k = 0; k < count; k++) {
        b->start[k] = a->rows;
        append(&b->graph, whole, start[member[k]], start[member[k] + 1]);
    }
    b->start[count] = a->cols = a->rows;
}
