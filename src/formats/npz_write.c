/* SPDX-License-Identifier: Apache-2.0 */
/* A dataset in the gnn-benchmark layout. */
#include "npz.h"

#include "codec/bundle.h"

#include <string.h>

/* Texts as fixed-width strings, which cannot end in NUL. */
static void add_text(wgdn_bundle *b, const char *name, int64_t count, const wgdn_dataset *d,
                     const wgdn_names *names)
{
    char buffer[WGDN_INDEX_TEXT];
    size_t width = 1;
    for (int pass = 0; pass < 2 && !b->st; pass++) {
        char *text = pass ? wgdn_bundle_block(b, (size_t)count, width) : NULL;
        for (int64_t i = 0; !b->st && i < count; i++) {
            const wgdn_text t = names ? wgdn_names_get(names, i) : wgdn_dataset_name(d, i, buffer);
            if (pass) memcpy(text + (size_t)i * width, t.at, t.size);
            if (t.size > width) width = t.size;
            if (t.size > 0 && t.at[t.size - 1] == 0)
                b->st = wgdn_fail(b->err, WGDN_EINVAL, "%s: %s ends in NUL, which npz cannot hold",
                                  name, wgdn_show(t).text);
        }
        if (pass) wgdn_bundle_add(b, name, WGDN_TEXT, count, -1, text);
        if (pass && !b->st) b->tensor[b->tensors - 1].width = width;
    }
}

static void add_shape(wgdn_bundle *b, const char *name, int64_t rows, int64_t columns)
{
    int64_t *p = wgdn_bundle_block(b, 2, sizeof *p);
    if (p) p[0] = rows, p[1] = columns;
    wgdn_bundle_add(b, name, WGDN_I64, 2, -1, p);
}

static void add_ones(wgdn_bundle *b, const char *name, int64_t count, const float *value)
{
    if (!value) {
        float *ones = wgdn_bundle_block(b, (size_t)count, sizeof *ones);
        for (int64_t k = 0; ones && k < count; k++)
            ones[k] = 1;
        value = ones;
    }
    wgdn_bundle_add(b, name, WGDN_F32, count, -1, value);
}

/* The nodes of one part of the only split. */
static void add_part(wgdn_bundle *b, const char *name, const wgdn_dataset *d, int kind)
{
    int64_t count = 0;
    for (int64_t i = 0; i < d->nodes; i++)
        count += d->split[i] == kind;
    int64_t *node = wgdn_bundle_block(b, (size_t)count, sizeof *node);
    count = 0;
    for (int64_t i = 0; node && i < d->nodes; i++)
        if (d->split[i] == kind) node[count++] = i;
    wgdn_bundle_add(b, name, WGDN_I64, count, -1, node);
}

wgdn_status wgdn_npz_write(const wgdn_dataset *d, const char *path, wgdn_error *err)
{
    wgdn_bundle b = {.err = err};
    const wgdn_csr *g = &d->graph->adjacency, *s = &d->features.sparse;
    if (d->graph_start || d->graph_label || d->splits > 1)
        return wgdn_fail(err, WGDN_EINVAL,
                         "%s: npz holds one graph and one split, here are %lld and %lld: write "
                         "safetensors",
                         wgdn_show_name(path).text, (long long)d->graphs, (long long)d->splits);
    if (d->lists.offset)
        return wgdn_fail(err, WGDN_EINVAL,
                         "%s: npz holds one label a node, here are several: write safetensors",
                         wgdn_show_name(path).text);
    wgdn_bundle_add(&b, "adj_indptr", WGDN_I64, d->nodes + 1, -1, g->offset);
    wgdn_bundle_add(&b, "adj_indices", WGDN_I32, wgdn_csr_entries(g), -1, g->column);
    add_ones(&b, "adj_data", wgdn_csr_entries(g), g->value);
    add_shape(&b, "adj_shape", d->nodes, d->nodes);
    if (d->features.dense) {
        wgdn_bundle_add(&b, "attr_matrix", WGDN_F32, d->nodes, d->features.width,
                        d->features.dense);
    } else if (d->features.width > 0) {
        wgdn_bundle_add(&b, "attr_indptr", WGDN_I64, d->nodes + 1, -1, s->offset);
        wgdn_bundle_add(&b, "attr_indices", WGDN_I32, wgdn_csr_entries(s), -1, s->column);
        add_ones(&b, "attr_data", wgdn_csr_entries(s), s->value);
        add_shape(&b, "attr_shape", d->nodes, d->features.width);
    }
    if (d->label) wgdn_bundle_add(&b, "labels", WGDN_I32, d->nodes, -1, d->label);
    if (d->class_names.count) add_text(&b, "class_names", d->class_names.count, d, &d->class_names);
    if (wgdn_dataset_has_ids(d)) add_text(&b, "node_names", d->nodes, d, NULL);
    if (d->split) {
        add_part(&b, "train_idx", d, WGDN_SPLIT_TRAIN);
        add_part(&b, "val_idx", d, WGDN_SPLIT_VAL);
        add_part(&b, "test_idx", d, WGDN_SPLIT_TEST);
    }
    if (!b.st) b.st = wgdn_write_npz(path, b.tensor, b.tensors, err);
    wgdn_bundle_free(&b);
    return b.st;
}
