/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A set of graphs, cut into runs of whole graphs. The matrices of a run stay near the caches, and
 * a set of any size needs no more of them. Columns of the adjacency count from the first node of a
 * run, so that a part of its arrays is the adjacency of the run.
 */
#include "graphs.h"

enum { RUN_NODES = 8192 };

/* Runs, and how many nodes the largest has; run may be NULL. */
static void cut(wgdn_graph_input *in)
{
    int64_t first = 0;
    in->runs = 0;
    while (first < in->graphs) {
        int64_t end = first + 1;
        while (end < in->graphs && in->start[end + 1] - in->start[first] <= RUN_NODES)
            end++;
        const int64_t nodes = in->start[end] - in->start[first];
        in->run[in->runs++] = first;
        if (nodes > in->nodes_max) in->nodes_max = nodes;
        first = end;
    }
    in->run[in->runs] = first;
}

static void count_from_runs(wgdn_graph_input *in)
{
    const wgdn_csr *a = &in->graph->adjacency;
    for (int64_t r = 0; r < in->runs; r++) {
        const int64_t first = in->start[in->run[r]], end = in->start[in->run[r + 1]];
        for (int64_t k = a->offset[first]; k < a->offset[end]; k++)
            in->local[k] = (int32_t)(a->column[k] - first);
    }
}

static wgdn_status open_features(wgdn_graph_input *in, const wgdn_dataset *d, const wgdn_fitted *f,
                                 wgdn_error *err)
{
    const int64_t there = d->degrees ? 0 : wgdn_dataset_features(d);
    if (f->features == 0) return WGDN_OK;
    if (there != f->features)
        return wgdn_fail(err, WGDN_EINVAL,
                         "features: %lld columns, but the model was made for %lld",
                         (long long)there, (long long)f->features);
    return wgdn_matrix_open(&in->x, d, f->features, f->options.binarise, err);
}

wgdn_status wgdn_graph_input_open(wgdn_graph_input *in, const wgdn_dataset *d, const wgdn_fitted *f,
                                  wgdn_error *err)
{
    *in = (wgdn_graph_input){.graph = wgdn_dataset_get_graph(d),
                             .nodes = wgdn_dataset_nodes(d),
                             .graphs = wgdn_dataset_graphs(d),
                             .features = f->features};
    if (wgdn_dataset_rows(d).dist)
        return wgdn_fail(err, WGDN_EINVAL, "vectors of graphs: not from ranks; do without mpirun");
    wgdn_status st = open_features(in, d, f, err);
    if (st) goto done;
    const wgdn_csr *a = &in->graph->adjacency;
    in->start = wgdn_alloc((size_t)in->graphs + 1, sizeof *in->start);
    in->run = wgdn_alloc((size_t)in->graphs + 1, sizeof *in->run);
    in->local = wgdn_alloc((size_t)wgdn_csr_entries(a), sizeof *in->local);
    in->column = wgdn_alloc((size_t)in->nodes, WGDN_NODE_COLUMNS * sizeof *in->column);
    if (!in->start || !in->run || !in->local || !in->column) {
        st = wgdn_fail(err, WGDN_ENOMEM, "%lld graphs of %lld nodes", (long long)in->graphs,
                       (long long)in->nodes);
        goto done;
    }
    for (int64_t g = 0; g <= in->graphs; g++)
        in->start[g] = wgdn_dataset_graph_start(d, g);
    cut(in);
    count_from_runs(in);
    wgdn_node_columns(in->column, a);

done:
    if (st) wgdn_graph_input_close(in);
    return st;
}

void wgdn_graph_input_close(wgdn_graph_input *in)
{
    wgdn_release(in->column);
    wgdn_release(in->local);
    wgdn_release(in->run);
    wgdn_release(in->start);
    wgdn_matrix_free(&in->x);
    *in = (wgdn_graph_input){0};
}
