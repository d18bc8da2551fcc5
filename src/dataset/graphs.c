/* SPDX-License-Identifier: Apache-2.0 */
/* The graphs of a dataset as the nodes of another. */
#include "dataset.h"

#include <string.h>

static wgdn_status copy_ids(wgdn_dataset *to, const wgdn_dataset *d, wgdn_error *err)
{
    wgdn_status st = WGDN_OK;
    to->first_id = d->first_graph;
    if (!d->graphs_named) return WGDN_OK;
    wgdn_ids_open(&to->ids, INT32_MAX);
    to->named = true;
    for (int64_t g = 0; !st && g < d->graphs; g++) {
        char buffer[WGDN_INDEX_TEXT];
        const wgdn_text id = wgdn_ids_text(&d->graph_ids, g, buffer);
        int32_t at;
        st = wgdn_ids_add(&to->ids, &id, 1, &at, err);
    }
    return st;
}

static wgdn_status copy_labels(wgdn_dataset *to, const wgdn_dataset *d, wgdn_error *err)
{
    const wgdn_names *names = &d->graph_class_names;
    wgdn_status st = d->graph_label ? wgdn_labels_set(to, d->graph_label, "graphs", err) : WGDN_OK;
    wgdn_text *text = NULL;
    if (st || names->count == 0) return st;
    text = wgdn_alloc((size_t)names->count, sizeof *text);
    if (!text)
        return wgdn_fail(err, WGDN_ENOMEM, "graphs: names of %lld classes",
                         (long long)names->count);
    for (int64_t c = 0; c < names->count; c++)
        text[c] = wgdn_names_get(names, c);
    st = wgdn_names_from(&to->class_names, text, names->count, err);
    to->classes = d->graph_classes;
    wgdn_release(text);
    return st;
}

wgdn_status wgdn_dataset_from_graphs(wgdn_dataset **out, const wgdn_dataset *d, wgdn_error *err)
{
    wgdn_dataset *g = wgdn_alloc_zero(1, sizeof *g);
    wgdn_status st;
    if (!g) return wgdn_fail(err, WGDN_ENOMEM, "graphs: a dataset of them");
    g->nodes = d->graphs;
    g->of_graphs = true;
    g->graphs = 1;
    st = wgdn_graph_from_edges(&g->graph, d->graphs, 0, NULL, NULL, err);
    if (!st) st = copy_ids(g, d, err);
    if (!st) st = copy_labels(g, d, err);
    if (st)
        wgdn_dataset_free(g);
    else
        *out = g;
    return st;
}
