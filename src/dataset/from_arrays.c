/* SPDX-License-Identifier: Apache-2.0 */
/* A dataset from arrays in memory. */
#include "dataset.h"
#include "edges.h"

#include <string.h>

static const char *const where = "dataset from arrays";

static wgdn_status no_memory(wgdn_error *err)
{
    return wgdn_fail(err, WGDN_ENOMEM, "%s", where);
}

static void *copy(const void *data, int64_t count, size_t size)
{
    void *block = wgdn_alloc((size_t)count, size);
    if (block && count) memcpy(block, data, (size_t)count * size);
    return block;
}

static wgdn_status copy_features(wgdn_features *f, wgdn_error *err)
{
    size_t all;
    wgdn_csr *s = &f->sparse;
    f->borrowed = false;
    if (f->dense) {
        const float *from = f->dense;
        f->dense = wgdn_size_mul(&all, (size_t)f->rows, (size_t)f->width)
                       ? copy(from, (int64_t)all, sizeof *from)
                       : NULL;
        return f->dense ? WGDN_OK : no_memory(err);
    }
    const wgdn_csr from = *s;
    const int64_t entries = wgdn_csr_entries(&from);
    s->offset = copy(from.offset, from.rows + 1, sizeof *s->offset);
    s->column = copy(from.column, entries, sizeof *s->column);
    s->value = from.value ? copy(from.value, entries, sizeof *s->value) : NULL;
    return s->offset && s->column && (!from.value || s->value) ? WGDN_OK : no_memory(err);
}

static wgdn_status set_features(wgdn_dataset *d, const wgdn_dataset_arrays *a, wgdn_error *err)
{
    wgdn_features *f = &d->features;
    wgdn_status st = WGDN_OK;
    if (a->features == 0) return WGDN_OK;
    if (a->features < 0 || a->features > WGDN_COLUMNS_MAX ||
        (!a->dense && (!a->feature_offset || !a->feature_column)))
        return wgdn_fail(err, WGDN_EINVAL, "%s: features of width %lld, but no array of them",
                         where, (long long)a->features);
    *f = (wgdn_features){.rows = a->nodes, .width = a->features, .borrowed = true};
    if (a->dense) {
        f->dense = (float *)(uintptr_t)a->dense;
    } else {
        f->sparse = (wgdn_csr){a->nodes, a->features, (int64_t *)(uintptr_t)a->feature_offset,
                               (int32_t *)(uintptr_t)a->feature_column,
                               (float *)(uintptr_t)a->feature_value};
        st = wgdn_rows_check(&f->sparse, a->feature_offset[a->nodes], "features", where, err);
    }
    if (!st) st = wgdn_features_check(f, where, err);
    if (!st && !a->borrow) st = copy_features(f, err);
    return st;
}

static wgdn_status set_ids(wgdn_dataset *d, const char *const *id, wgdn_error *err)
{
    wgdn_status st = WGDN_OK;
    if (!id) return WGDN_OK;
    wgdn_ids_open(&d->ids, INT32_MAX);
    for (int64_t i = 0; !st && i < d->nodes; i++) {
        const wgdn_text text = wgdn_text_of(id[i], strlen(id[i]));
        int32_t at;
        st = wgdn_ids_add(&d->ids, &text, 1, &at, err);
        if (!st && at != i)
            st = wgdn_fail(err, WGDN_EINVAL, "%s: the id %s of node %lld is %s", where,
                           wgdn_show(text).text, (long long)i,
                           at < 0 ? "too long" : "another node's as well");
    }
    d->named = true;
    return st;
}

static wgdn_status set_splits(wgdn_dataset *d, const wgdn_dataset_arrays *a, wgdn_error *err)
{
    size_t all;
    if (a->splits == 0) return WGDN_OK;
    if (a->splits < 0 || !a->split || !wgdn_size_mul(&all, (size_t)a->splits, (size_t)a->nodes) ||
        all > INT64_MAX)
        return wgdn_fail(err, WGDN_EINVAL, "%s: %lld splits, but no array of them", where,
                         (long long)a->splits);
    for (size_t k = 0; k < all; k++)
        if (a->split[k] < WGDN_SPLIT_NONE || a->split[k] > WGDN_SPLIT_TEST)
            return wgdn_fail(err, WGDN_EINVAL, "%s: element %zu of split is %d: expected 0 .. 3",
                             where, k, a->split[k]);
    d->split = copy(a->split, (int64_t)all, 1);
    d->splits = a->splits;
    return d->split ? WGDN_OK : no_memory(err);
}

static wgdn_status set_graphs(wgdn_dataset *d, const wgdn_dataset_arrays *a, wgdn_error *err)
{
    if (a->graphs < 0 || a->graphs > a->nodes || (a->graphs > 1 && !a->graph_start))
        return wgdn_fail(err, WGDN_EINVAL, "%s: %lld graphs, but no array of their starts", where,
                         (long long)a->graphs);
    if (a->graphs > 1) {
        d->graphs = a->graphs;
        d->graph_start = copy(a->graph_start, a->graphs + 1, sizeof *d->graph_start);
        if (!d->graph_start) return no_memory(err);
        const wgdn_status st = wgdn_graphs_check(d, where, err);
        if (st) return st;
    }
    if (!a->graph_label) return WGDN_OK;
    d->graph_label = copy(a->graph_label, d->graphs, sizeof *d->graph_label);
    if (!d->graph_label) return no_memory(err);
    for (int64_t g = 0; g < d->graphs; g++) {
        if (d->graph_label[g] < -1)
            return wgdn_fail(err, WGDN_EINVAL, "%s: the label of graph %lld is %d", where,
                             (long long)g, d->graph_label[g]);
        if (d->graph_label[g] >= d->graph_classes)
            d->graph_classes = (int64_t)d->graph_label[g] + 1;
    }
    return WGDN_OK;
}

/* Edges that have weights, which wgdn_graph_from_edges() found to be good. */
static wgdn_status set_weighted(wgdn_dataset *d, const wgdn_dataset_arrays *a, wgdn_error *err)
{
    wgdn_edges e = {.max = INT64_MAX / 4};
    wgdn_graph *graph = NULL;
    wgdn_status st = wgdn_edges_reserve(&e, a->edges, where, err);
    for (int64_t k = 0; k < a->edges && !st; k++)
        st = wgdn_edges_add(&e, (int32_t)a->source[k], (int32_t)a->target[k], a->weight[k], where,
                            err);
    if (!st) st = wgdn_edges_graph(&graph, a->nodes, &e, 0, err);
    if (!st) {
        wgdn_graph_free(d->graph);
        d->graph = graph;
        d->counts.edges_read = a->edges;
        d->counts.zero_weights = e.zero_weights;
        d->counts.self_loops = e.loops;
        d->counts.repeats = e.count - e.loops - wgdn_graph_edges(graph);
    }
    wgdn_edges_free(&e);
    return st;
}

static wgdn_status set_graph(wgdn_dataset *d, const wgdn_dataset_arrays *a, wgdn_error *err)
{
    const wgdn_status st =
        wgdn_graph_from_edges(&d->graph, a->nodes, a->edges, a->source, a->target, err);
    if (st) return st;
    if (a->weight) return set_weighted(d, a, err);
    d->counts.edges_read = a->edges;
    for (int64_t k = 0; k < a->edges; k++)
        d->counts.self_loops += a->source[k] == a->target[k];
    d->counts.repeats = a->edges - d->counts.self_loops - wgdn_graph_edges(d->graph);
    return WGDN_OK;
}

static wgdn_status set_class_names(wgdn_dataset *d, const wgdn_dataset_arrays *a, wgdn_error *err)
{
    if (a->classes < d->classes)
        return wgdn_fail(err, WGDN_EINVAL, "%lld names of %lld classes", (long long)a->classes,
                         (long long)d->classes);
    wgdn_text *text = wgdn_alloc((size_t)d->classes, sizeof *text);
    if (!text) return wgdn_fail(err, WGDN_ENOMEM, "names of %lld classes", (long long)d->classes);
    for (int64_t k = 0; k < d->classes; k++)
        text[k] = wgdn_text_of(a->class_name[k], strlen(a->class_name[k]));
    const wgdn_status st = wgdn_names_from(&d->class_names, text, d->classes, err);
    wgdn_release(text);
    return st;
}

wgdn_status wgdn_dataset_from_arrays(wgdn_dataset **out, const wgdn_dataset_arrays *given,
                                     wgdn_error *err)
{
    wgdn_dataset_arrays a = {0};
    if (!given || given->struct_size < sizeof(size_t))
        return wgdn_fail(err, WGDN_EINVAL, "%s: struct_size is not set", where);
    memcpy(&a, given, given->struct_size < sizeof a ? given->struct_size : sizeof a);
    wgdn_status st = wgdn_memory_check(err);
    if (st) return st;
    wgdn_dataset *d = wgdn_alloc_zero(1, sizeof *d);
    if (!d) return no_memory(err);
    d->graphs = 1;
    d->nodes = a.nodes;
    wgdn_dataset_number(d);
    st = set_graph(d, &a, err);
    if (!st) wgdn_dataset_weigh(d);
    if (!st) st = set_features(d, &a, err);
    if (!st && a.label) st = wgdn_labels_set(d, a.label, where, err);
    if (!st && a.label && a.class_name) st = set_class_names(d, &a, err);
    if (!st) st = set_splits(d, &a, err);
    if (!st) st = set_ids(d, a.id, err);
    if (!st) st = set_graphs(d, &a, err);
    if (st == WGDN_EFORMAT) { /* arguments, not a file */
        st = WGDN_EINVAL;
        if (err) err->code = st;
    }
    if (st)
        wgdn_dataset_free(d);
    else
        *out = d;
    return st;
}
