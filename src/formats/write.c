/* SPDX-License-Identifier: Apache-2.0 */
/* Datasets as named arrays: the packed form, and the gnn-benchmark layout in npz. */
#include "dataset/dataset.h"

#include <string.h>

enum { MOST = 24 };

/* Tensors on their way out, and the blocks that were made for them. */
typedef struct bundle {
    wgdn_tensor tensor[MOST];
    int64_t tensors;
    void *block[MOST];
    int blocks;
    wgdn_status st;
    wgdn_error *err;
} bundle;

static void add(bundle *b, const char *name, wgdn_dtype dtype, int64_t rows, int64_t columns,
                const void *data)
{
    if (b->st) return;
    b->tensor[b->tensors++] = (wgdn_tensor){.name = name,
                                            .dtype = dtype,
                                            .rank = columns < 0 ? 1 : 2,
                                            .shape = {rows, columns < 0 ? 0 : columns},
                                            .width = wgdn_dtype_width(dtype),
                                            .data = data};
}

static void *block(bundle *b, size_t count, size_t size)
{
    void *p = b->st ? NULL : wgdn_alloc_zero(count, size);
    if (!p && !b->st) b->st = wgdn_fail(b->err, WGDN_ENOMEM, "dataset: writing it");
    b->block[b->blocks++] = p;
    return p;
}

static void add_number(bundle *b, const char *name, int64_t value)
{
    int64_t *p = block(b, 1, sizeof *p);
    if (p) *p = value;
    add(b, name, WGDN_I64, 1, -1, p);
}

static void add_names(bundle *b, const char *start, const char *text, const wgdn_names *n)
{
    if (n->count == 0) return;
    add(b, start, WGDN_I64, n->count + 1, -1, n->start);
    add(b, text, WGDN_U8, n->start[n->count], -1, n->text);
}

/* Elements of the nodes as those of the rows, a vector of them after another. */
static const void *in_rows(bundle *b, const wgdn_dataset *d, const void *from, int64_t vectors,
                           size_t size)
{
    if (!d->order) return from;
    char *to = block(b, (size_t)(vectors * d->nodes), size);
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
static void add_ids(bundle *b, const wgdn_dataset *d, const char *start_name, const char *text_name)
{
    char buffer[WGDN_INDEX_TEXT];
    size_t bytes = 0;
    int64_t *start = block(b, (size_t)d->nodes + 1, sizeof *start);
    for (int64_t i = 0; !b->st && i < d->nodes; i++) {
        bytes += wgdn_dataset_name(d, node_of(d, i), buffer).size;
        start[i + 1] = (int64_t)bytes;
    }
    unsigned char *text = block(b, bytes, 1);
    for (int64_t i = 0; !b->st && i < d->nodes; i++) {
        const wgdn_text id = wgdn_dataset_name(d, node_of(d, i), buffer);
        if (id.size) memcpy(text + start[i], id.at, id.size);
    }
    add(b, start_name, WGDN_I64, d->nodes + 1, -1, start);
    add(b, text_name, WGDN_U8, (int64_t)bytes, -1, text);
}

static void add_graph_ids(bundle *b, const wgdn_dataset *d)
{
    wgdn_dataset *g = NULL;
    if (d->graphs_named && !b->st) b->st = wgdn_dataset_from_graphs(&g, d, b->err);
    if (g)
        add_ids(b, g, "graphs.ids.start", "graphs.ids.text");
    else if (d->first_graph)
        add_number(b, "graphs.first", d->first_graph);
    wgdn_dataset_free(g);
}

static void release(bundle *b)
{
    while (b->blocks > 0)
        wgdn_release(b->block[--b->blocks]);
}

wgdn_status wgdn_write_packed(const wgdn_dataset *d, const char *path, wgdn_error *err)
{
    static const wgdn_text_pair metadata[] = {{"wgdn.kind", "dataset"}, {"wgdn.version", "1"}};
    bundle b = {.err = err};
    const wgdn_csr *g = &d->graph->adjacency, *s = &d->features.sparse;
    const wgdn_dataset_counts *c = &d->counts;
    int64_t counts[6] = {c->edges_read,   c->self_loops,    c->repeats,
                         c->zero_weights, c->other_weights, c->without_features};
    add(&b, "graph.offset", WGDN_I64, d->nodes + 1, -1, g->offset);
    add(&b, "graph.column", WGDN_I32, wgdn_csr_entries(g), -1, g->column);
    if (d->order) add(&b, "order", WGDN_I32, d->nodes, -1, d->order);
    if (d->features.dense) {
        add(&b, "features.dense", WGDN_F32, d->nodes, d->features.width, d->features.dense);
    } else if (d->features.width > 0) {
        add(&b, "features.offset", WGDN_I64, d->nodes + 1, -1, s->offset);
        add(&b, "features.column", WGDN_I32, wgdn_csr_entries(s), -1, s->column);
        if (s->value) add(&b, "features.value", WGDN_F32, wgdn_csr_entries(s), -1, s->value);
        add_number(&b, "features.width", d->features.width);
        if (d->degrees) add_number(&b, "features.degrees", 1);
    }
    if (d->label) {
        add(&b, "label", WGDN_I32, d->nodes, -1, in_rows(&b, d, d->label, 1, sizeof *d->label));
        add_number(&b, "classes", d->classes);
    }
    add_names(&b, "class.start", "class.text", &d->class_names);
    if (d->split)
        add(&b, "split", WGDN_I8, d->splits, d->nodes, in_rows(&b, d, d->split, d->splits, 1));
    if (d->named)
        add_ids(&b, d, "ids.start", "ids.text");
    else if (d->first_id)
        add_number(&b, "ids.first", d->first_id);
    if (d->graph_start) add(&b, "graphs.start", WGDN_I64, d->graphs + 1, -1, d->graph_start);
    if (d->graph_start) add_graph_ids(&b, d);
    if (d->graph_label) {
        add(&b, "graphs.label", WGDN_I32, d->graphs, -1, d->graph_label);
        add_number(&b, "graphs.classes", d->graph_classes);
    }
    add_names(&b, "graphs.class.start", "graphs.class.text", &d->graph_class_names);
    add(&b, "counts", WGDN_I64, 6, -1, counts);
    if (!b.st) b.st = wgdn_write_safetensors(path, b.tensor, b.tensors, metadata, 2, err);
    release(&b);
    return b.st;
}

/* ---- npz ---- */

/* Texts as fixed-width strings, which cannot end in NUL. */
static void add_text(bundle *b, const char *name, int64_t count, const wgdn_dataset *d,
                     const wgdn_names *names)
{
    char buffer[WGDN_INDEX_TEXT];
    size_t width = 1;
    for (int pass = 0; pass < 2 && !b->st; pass++) {
        char *text = pass ? block(b, (size_t)count, width) : NULL;
        for (int64_t i = 0; !b->st && i < count; i++) {
            const wgdn_text t = names ? wgdn_names_get(names, i) : wgdn_dataset_name(d, i, buffer);
            if (pass) memcpy(text + (size_t)i * width, t.at, t.size);
            if (t.size > width) width = t.size;
            if (t.size > 0 && t.at[t.size - 1] == 0)
                b->st = wgdn_fail(b->err, WGDN_EINVAL, "%s: %s ends in NUL, which npz cannot hold",
                                  name, wgdn_show(t).text);
        }
        if (pass) add(b, name, WGDN_TEXT, count, -1, text);
        if (pass && !b->st) b->tensor[b->tensors - 1].width = width;
    }
}

static void add_shape(bundle *b, const char *name, int64_t rows, int64_t columns)
{
    int64_t *p = block(b, 2, sizeof *p);
    if (p) p[0] = rows, p[1] = columns;
    add(b, name, WGDN_I64, 2, -1, p);
}

static void add_ones(bundle *b, const char *name, int64_t count, const float *value)
{
    if (!value) {
        float *ones = block(b, (size_t)count, sizeof *ones);
        for (int64_t k = 0; ones && k < count; k++)
            ones[k] = 1;
        value = ones;
    }
    add(b, name, WGDN_F32, count, -1, value);
}

/* The nodes of one part of the only split. */
static void add_part(bundle *b, const char *name, const wgdn_dataset *d, int kind)
{
    int64_t count = 0;
    for (int64_t i = 0; i < d->nodes; i++)
        count += d->split[i] == kind;
    int64_t *node = block(b, (size_t)count, sizeof *node);
    count = 0;
    for (int64_t i = 0; node && i < d->nodes; i++)
        if (d->split[i] == kind) node[count++] = i;
    add(b, name, WGDN_I64, count, -1, node);
}

wgdn_status wgdn_write_npz_dataset(const wgdn_dataset *d, const char *path, wgdn_error *err)
{
    bundle b = {.err = err};
    const wgdn_csr *g = &d->graph->adjacency, *s = &d->features.sparse;
    if (d->graph_start || d->graph_label || d->splits > 1)
        return wgdn_fail(err, WGDN_EINVAL,
                         "%s: npz holds one graph and one split, here are %lld and %lld: write "
                         "safetensors",
                         wgdn_show_name(path).text, (long long)d->graphs, (long long)d->splits);
    add(&b, "adj_indptr", WGDN_I64, d->nodes + 1, -1, g->offset);
    add(&b, "adj_indices", WGDN_I32, wgdn_csr_entries(g), -1, g->column);
    add_ones(&b, "adj_data", wgdn_csr_entries(g), NULL);
    add_shape(&b, "adj_shape", d->nodes, d->nodes);
    if (d->features.dense) {
        add(&b, "attr_matrix", WGDN_F32, d->nodes, d->features.width, d->features.dense);
    } else if (d->features.width > 0) {
        add(&b, "attr_indptr", WGDN_I64, d->nodes + 1, -1, s->offset);
        add(&b, "attr_indices", WGDN_I32, wgdn_csr_entries(s), -1, s->column);
        add_ones(&b, "attr_data", wgdn_csr_entries(s), s->value);
        add_shape(&b, "attr_shape", d->nodes, d->features.width);
    }
    if (d->label) add(&b, "labels", WGDN_I32, d->nodes, -1, d->label);
    if (d->class_names.count) add_text(&b, "class_names", d->class_names.count, d, &d->class_names);
    if (wgdn_dataset_has_ids(d)) add_text(&b, "node_names", d->nodes, d, NULL);
    if (d->split) {
        add_part(&b, "train_idx", d, WGDN_SPLIT_TRAIN);
        add_part(&b, "val_idx", d, WGDN_SPLIT_VAL);
        add_part(&b, "test_idx", d, WGDN_SPLIT_TEST);
    }
    if (!b.st) b.st = wgdn_write_npz(path, b.tensor, b.tensors, err);
    release(&b);
    return b.st;
}
