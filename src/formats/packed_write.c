/* SPDX-License-Identifier: Apache-2.0 */
/* A dataset as a safetensors file that keeps all of it. */
#include "packed.h"

#include "codec/bundle.h"

#include <string.h>

static void add_names(wgdn_bundle *b, const char *start, const char *text, const wgdn_names *n)
{
    if (n->count == 0) return;
    wgdn_bundle_add(b, start, WGDN_I64, n->count + 1, -1, n->start);
    wgdn_bundle_add(b, text, WGDN_U8, n->start[n->count], -1, n->text);
}

/* Elements of the nodes as those of the rows, a vector of them after another. */
static const void *in_rows(wgdn_bundle *b, const wgdn_dataset *d, const void *from, int64_t vectors,
                           size_t size)
{
    if (!d->order) return from;
    char *to = wgdn_bundle_block(b, (size_t)(vectors * d->nodes), size);
    for (int64_t k = 0; to && k < vectors; k++)
        for (int64_t r = 0; r < d->nodes; r++)
            memcpy(to + (size_t)(k * d->nodes + r) * size,
                   (const char *)from + (size_t)(k * d->nodes + d->order[r]) * size, size);
    return to;
}

static int64_t node_of(const wgdn_dataset *d, int64_t row)
{
    return d->order ? d->order[row] : row;
}

/* The ids of the rows as text, also where numbers stand for it. */
static void add_ids(wgdn_bundle *b, const wgdn_dataset *d, const char *start_name,
                    const char *text_name)
{
    char buffer[WGDN_INDEX_TEXT];
    size_t bytes = 0;
    if (d->ids.borrowed && !d->order) { /* as they are to be */
        wgdn_bundle_add(b, start_name, WGDN_I64, d->nodes + 1, -1, d->ids.start);
        wgdn_bundle_add(b, text_name, WGDN_U8, d->ids.start[d->nodes], -1, d->ids.text);
        return;
    }
    int64_t *start = wgdn_bundle_block(b, (size_t)d->nodes + 1, sizeof *start);
    for (int64_t i = 0; !b->st && i < d->nodes; i++) {
        bytes += wgdn_dataset_name(d, node_of(d, i), buffer).size;
        start[i + 1] = (int64_t)bytes;
    }
    unsigned char *text = wgdn_bundle_block(b, bytes, 1);
    for (int64_t i = 0; !b->st && i < d->nodes; i++) {
        const wgdn_text id = wgdn_dataset_name(d, node_of(d, i), buffer);
        if (id.size) memcpy(text + start[i], id.at, id.size);
    }
    wgdn_bundle_add(b, start_name, WGDN_I64, d->nodes + 1, -1, start);
    wgdn_bundle_add(b, text_name, WGDN_U8, (int64_t)bytes, -1, text);
}

static void add_graph_ids(wgdn_bundle *b, const wgdn_dataset *d)
{
    wgdn_dataset *g = NULL;
    if (d->graphs_named && !b->st) b->st = wgdn_dataset_from_graphs(&g, d, b->err);
    if (g)
        add_ids(b, g, "graphs.ids.start", "graphs.ids.text");
    else if (d->first_graph)
        wgdn_bundle_number(b, "graphs.first", d->first_graph);
    wgdn_dataset_free(g);
}

/* Labels of nodes that have several, row by row. */
static void add_lists(wgdn_bundle *b, const wgdn_dataset *d)
{
    const wgdn_csr *a = &d->lists;
    const int64_t all = wgdn_csr_entries(a);
    int64_t *offset = wgdn_bundle_block(b, (size_t)d->nodes + 1, sizeof *offset);
    int32_t *column = wgdn_bundle_block(b, (size_t)all, sizeof *column);
    for (int64_t r = 0, at = 0; offset && column && r < d->nodes; r++) {
        const int64_t i = node_of(d, r), count = a->offset[i + 1] - a->offset[i];
        memcpy(column + at, a->column + a->offset[i], (size_t)count * sizeof *column);
        at += count;
        offset[r + 1] = at;
    }
    wgdn_bundle_add(b, "labels.offset", WGDN_I64, d->nodes + 1, -1, offset);
    wgdn_bundle_add(b, "labels.column", WGDN_I32, all, -1, column);
}

wgdn_status wgdn_packed_write(const wgdn_dataset *d, const char *path, wgdn_error *err)
{
    const wgdn_text_pair metadata[] = {
        {"wgdn.kind", "dataset"}, {"wgdn.version", "1"}, {"wgdn.encoding", d->encoding}};
    wgdn_bundle b = {.err = err};
    const wgdn_csr *g = &d->graph->adjacency, *s = &d->features.sparse;
    const wgdn_dataset_counts *c = &d->counts;
    int64_t counts[7] = {c->edges_read,        c->self_loops,    c->repeats,
                         c->zero_weights,      c->other_weights, c->without_features,
                         c->attributes_ignored};
    wgdn_bundle_add(&b, "graph.offset", WGDN_I64, d->nodes + 1, -1, g->offset);
    wgdn_bundle_add(&b, "graph.column", WGDN_I32, wgdn_csr_entries(g), -1, g->column);
    if (g->value) wgdn_bundle_add(&b, "graph.value", WGDN_F32, wgdn_csr_entries(g), -1, g->value);
    if (d->relations.count) {
        const wgdn_csr *r = &d->relations.rows;
        wgdn_bundle_add(&b, "relations.offset", WGDN_I64, r->rows + 1, -1, r->offset);
        wgdn_bundle_add(&b, "relations.column", WGDN_I32, wgdn_csr_entries(r), -1, r->column);
        wgdn_bundle_add(&b, "relations.value", WGDN_F32, wgdn_csr_entries(r), -1, r->value);
        add_names(&b, "relations.start", "relations.text", &d->relations.names);
    }
    if (d->order) wgdn_bundle_add(&b, "order", WGDN_I32, d->nodes, -1, d->order);
    if (d->features.dense) {
        const wgdn_features *f = &d->features;
        wgdn_bundle_add(&b, "features.dense", f->narrow ? f->narrow_type : WGDN_F32, d->nodes,
                        f->width, f->narrow ? f->narrow : f->dense);
    } else if (d->features.width > 0) {
        wgdn_bundle_add(&b, "features.offset", WGDN_I64, d->nodes + 1, -1, s->offset);
        wgdn_bundle_add(&b, "features.column", WGDN_I32, wgdn_csr_entries(s), -1, s->column);
        if (s->value)
            wgdn_bundle_add(&b, "features.value", WGDN_F32, wgdn_csr_entries(s), -1, s->value);
        wgdn_bundle_number(&b, "features.width", d->features.width);
        if (d->degrees) wgdn_bundle_number(&b, "features.degrees", 1);
    }
    if (d->label) {
        wgdn_bundle_add(&b, "label", WGDN_I32, d->nodes, -1,
                        in_rows(&b, d, d->label, 1, sizeof *d->label));
        wgdn_bundle_number(&b, "classes", d->classes);
        if (d->lists.offset) add_lists(&b, d);
    }
    add_names(&b, "class.start", "class.text", &d->class_names);
    if (d->split)
        wgdn_bundle_add(&b, "split", WGDN_I8, d->splits, d->nodes,
                        in_rows(&b, d, d->split, d->splits, 1));
    if (d->named)
        add_ids(&b, d, "ids.start", "ids.text");
    else if (d->first_id)
        wgdn_bundle_number(&b, "ids.first", d->first_id);
    if (d->graph_start)
        wgdn_bundle_add(&b, "graphs.start", WGDN_I64, d->graphs + 1, -1, d->graph_start);
    if (d->graph_start) add_graph_ids(&b, d);
    if (d->graph_label) {
        wgdn_bundle_add(&b, "graphs.label", WGDN_I32, d->graphs, -1, d->graph_label);
        wgdn_bundle_number(&b, "graphs.classes", d->graph_classes);
    }
    add_names(&b, "graphs.class.start", "graphs.class.text", &d->graph_class_names);
    wgdn_bundle_add(&b, "counts", WGDN_I64, 7, -1, counts);
    for (int64_t i = 0; i < b.tensors; i++)
        b.tensor[i].in = strncmp(b.tensor[i].name, "features.", 9) == 0 && d->feature_archive.inside
                             ? &d->feature_archive
                             : &d->archive;
    if (!b.st)
        b.st =
            wgdn_write_safetensors(path, b.tensor, b.tensors, metadata, d->encoding ? 3 : 2, err);
    wgdn_bundle_free(&b);
    return b.st;
}
