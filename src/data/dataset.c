/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Implements the dataset handle: access to its graph, features, ids, labels and splits, and stores
 * labels. It also builds datasets from arrays and from whole graphs, and reorders their rows.
 */
#include "dataset.h"
#include "edges.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

void wgdn_dataset_number(wgdn_dataset *d)
{
    static _Atomic uint64_t last;
    d->serial = atomic_fetch_add_explicit(&last, 1, memory_order_relaxed) + 1;
}

void wgdn_dataset_free(wgdn_dataset *d)
{
    if (!d) return;
    wgdn_release(d->encoding);
    wgdn_release(d->reading);
    wgdn_release(d->choice.id);
    wgdn_release(d->choice.graph);
    wgdn_release(d->choice.type);
    wgdn_release(d->choice.weight);
    wgdn_release(d->choice.target);
    wgdn_release(d->choice.source);
    wgdn_remarks_free(&d->remarks);
    wgdn_names_free(&d->graph_class_names);
    wgdn_release(d->graph_label);
    wgdn_ids_close(&d->graph_ids);
    wgdn_release(d->graph_start);
    wgdn_ids_close(&d->ids);
    wgdn_release(d->split);
    wgdn_names_free(&d->class_names);
    wgdn_csr_free(&d->lists);
    wgdn_release(d->label);
    wgdn_release(d->order);
    wgdn_features_free(&d->features);
    wgdn_relations_free(&d->relations);
    wgdn_graph_free(d->graph);
    wgdn_release(d->edge_value);
    wgdn_release(d->feature_offset);
    wgdn_halo_close(d->halo);
    wgdn_dist_close(&d->dist);
    wgdn_archive_free(&d->feature_archive);
    wgdn_archive_free(&d->archive);
    wgdn_scratch_remove(d->scratch);
    wgdn_release(d->folder);
    wgdn_release(d);
}

void wgdn_dataset_describe(wgdn_dataset_info *info, const wgdn_dataset *d)
{
    const wgdn_dataset_info made = {.nodes = d->nodes,
                                    .edges = wgdn_dataset_edges(d),
                                    .features = d->features.width,
                                    .entries = d->features.entries,
                                    .classes = d->classes,
                                    .splits = d->splits,
                                    .has_ids = wgdn_dataset_has_ids(d),
                                    .graphs = d->graphs,
                                    .graph_classes = d->graph_classes,
                                    .edges_read = d->counts.edges_read,
                                    .self_loops = d->counts.self_loops,
                                    .repeats = d->counts.repeats,
                                    .zero_weights = d->counts.zero_weights,
                                    .other_weights = d->counts.other_weights,
                                    .without_features = d->counts.without_features,
                                    .attributes_ignored = d->counts.attributes_ignored,
                                    .label_offset = d->lists.offset,
                                    .label_list = d->lists.column,
                                    .remarks = d->remarks.count,
                                    .remark = d->remarks.list,
                                    .relations = d->relations.count,
                                    .encoding = d->encoding,
                                    .reading = d->reading,
                                    .weighted = wgdn_dataset_weighted(d),
                                    .weight_min = d->weight_range[0],
                                    .weight_max = d->weight_range[1],
                                    .numeric_labels = wgdn_labels_numeric(d)};
    (void)wgdn_result_give(info, &made, sizeof made, NULL);
}

void wgdn_dataset_weigh(wgdn_dataset *d)
{
    const wgdn_csr *a = &d->graph->adjacency;
    const int64_t entries = a->value ? wgdn_csr_entries(a) : 0;
    if (d->scratch) return; /* known since the values were written */
    d->weight_range[0] = d->weight_range[1] = entries ? a->value[0] : 1;
    for (int64_t k = 0; k < entries; k++) {
        if (a->value[k] < d->weight_range[0]) d->weight_range[0] = a->value[k];
        if (a->value[k] > d->weight_range[1]) d->weight_range[1] = a->value[k];
    }
}

int64_t wgdn_dataset_nodes(const wgdn_dataset *d)
{
    return d->nodes;
}

const wgdn_graph *wgdn_dataset_get_graph(const wgdn_dataset *d)
{
    return d->graph;
}

const int32_t *wgdn_dataset_get_order(const wgdn_dataset *d)
{
    return d->order;
}

int64_t wgdn_dataset_features(const wgdn_dataset *d)
{
    return d->features.width;
}

const float *wgdn_dataset_get_dense(const wgdn_dataset *d)
{
    return d->features.dense;
}

int wgdn_dataset_get_sparse(const int64_t **offset, const int32_t **column, const float **value,
                            const wgdn_dataset *d)
{
    if (d->features.dense || d->features.width == 0) return 0;
    *offset = d->features.sparse.offset;
    *column = d->features.sparse.column;
    *value = d->features.sparse.value;
    return 1;
}

int64_t wgdn_dataset_classes(const wgdn_dataset *d)
{
    return d->classes;
}

int32_t wgdn_dataset_label(const wgdn_dataset *d, int64_t node)
{
    return d->label && node >= 0 && node < d->nodes ? d->label[node] : -1;
}

const char *wgdn_dataset_get_class_name(size_t *size, const wgdn_dataset *d, int64_t c)
{
    if (c < 0 || c >= d->class_names.count) return NULL;
    const wgdn_text name = wgdn_names_get(&d->class_names, c);
    *size = name.size;
    return (const char *)name.at;
}

wgdn_split wgdn_dataset_split(const wgdn_dataset *d, int64_t split, int64_t node)
{
    if (split < 0 || split >= d->splits || node < 0 || node >= d->nodes) return WGDN_SPLIT_NONE;
    return (wgdn_split)d->split[split * d->nodes + node];
}

/* ---- ids ---- */

int64_t wgdn_dataset_id(char *buffer, size_t size, const wgdn_dataset *d, int64_t node)
{
    char digits[WGDN_INDEX_TEXT];
    if (node < 0 || node >= d->nodes) return -1;
    return wgdn_text_put(buffer, size, wgdn_dataset_name(d, node, digits));
}

int64_t wgdn_dataset_find(const wgdn_dataset *d, const char *id, size_t size)
{
    return wgdn_dataset_seek(d, wgdn_text_of(id, size));
}

/* ---- several graphs ---- */

int64_t wgdn_dataset_graphs(const wgdn_dataset *d)
{
    return d->graphs;
}

int64_t wgdn_dataset_graph_start(const wgdn_dataset *d, int64_t g)
{
    if (g < 0 || g > d->graphs) return -1;
    if (d->graph_start) return d->graph_start[g];
    return g ? d->nodes : 0;
}

int32_t wgdn_dataset_graph_label(const wgdn_dataset *d, int64_t g)
{
    return d->graph_label && g >= 0 && g < d->graphs ? d->graph_label[g] : -1;
}

/* Builds a dataset from arrays in memory. */

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
    if (st || a->borrow) return st;
    const wgdn_features given = *f;
    return wgdn_features_arrange(f, &given, NULL, err);
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

/* Directions and types of the edges, as the closed form filters by them. */
static wgdn_status set_relations(wgdn_dataset *d, const wgdn_dataset_arrays *a, const wgdn_edges *e,
                                 wgdn_error *err)
{
    wgdn_names names = {0};
    wgdn_status st = WGDN_OK;
    if (a->type) {
        wgdn_text *text = wgdn_alloc((size_t)a->types, sizeof *text);
        if (!text) return no_memory(err);
        for (int64_t k = 0; k < a->types; k++)
            text[k] = wgdn_text_of(a->type_name[k], strlen(a->type_name[k]));
        st = wgdn_names_from(&names, text, a->types, err);
        wgdn_release(text);
    }
    if (!st) st = wgdn_relations_make(&d->relations, e, d->nodes, a->directed, &names, err);
    wgdn_names_free(&names);
    return st;
}

static wgdn_status check_types(const wgdn_dataset_arrays *a, wgdn_error *err)
{
    if (a->type && (a->types < 1 || !a->type_name))
        return wgdn_fail(err, WGDN_EINVAL, "%s: types of edges without names", where);
    for (int64_t k = 0; a->type && k < a->edges; k++)
        if (a->type[k] < 0 || a->type[k] >= a->types)
            return wgdn_fail(err, WGDN_EINVAL, "%s: edge %lld has type %d of %lld", where,
                             (long long)k, a->type[k], (long long)a->types);
    return WGDN_OK;
}

/* Edges with weights, types or directions, whose ends wgdn_graph_from_edges() found to be good. */
static wgdn_status set_edges(wgdn_dataset *d, const wgdn_dataset_arrays *a, wgdn_error *err)
{
    wgdn_edges e = {.max = INT64_MAX / 4, .counted = a->weight != NULL, .weights = a->weights};
    wgdn_graph *graph = NULL;
    wgdn_status st = check_types(a, err);
    if (!st) st = wgdn_edges_reserve(&e, a->edges, where, err);
    for (int64_t k = 0; k < a->edges && !st; k++) {
        const int64_t before = e.count;
        st = wgdn_edges_add(&e, (int32_t)a->source[k], (int32_t)a->target[k],
                            a->weight ? (double)a->weight[k] : 1, where, err);
        if (!st && a->type && e.count > before) st = wgdn_edges_mark(&e, a->type[k], where, err);
    }
    if (!st && (a->type || a->directed)) st = set_relations(d, a, &e, err);
    if (!st) st = wgdn_edges_graph(&graph, a->nodes, &e, 0, err);
    if (!st) {
        wgdn_graph_free(d->graph);
        d->graph = graph;
        d->summed = e.summed;
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
    if (a->weight || a->type || a->directed) return set_edges(d, a, err);
    d->counts.edges_read = a->edges;
    for (int64_t k = 0; k < a->edges; k++)
        d->counts.self_loops += a->source[k] == a->target[k];
    d->counts.repeats = a->edges - d->counts.self_loops - wgdn_graph_edges(d->graph);
    return WGDN_OK;
}

static wgdn_status copy_text(char **to, const char *text, wgdn_error *err)
{
    if (!text) return WGDN_OK;
    *to = copy(text, (int64_t)strlen(text) + 1, 1);
    return *to ? WGDN_OK : no_memory(err);
}

/* How the features were encoded, and the memory that the closed form may use. */
static wgdn_status set_limits(wgdn_dataset *d, const wgdn_dataset_arrays *a, wgdn_error *err)
{
    if (a->memory < 0 || (int)a->weights < WGDN_WEIGHTS_USE || a->weights > WGDN_WEIGHTS_LOG ||
        (int)a->directed < WGDN_DIRECTION_IGNORE || a->directed > WGDN_DIRECTION_BOTH)
        return wgdn_fail(err, WGDN_EINVAL, "%s: memory %lld, weights %d, directed %d", where,
                         (long long)a->memory, (int)a->weights, (int)a->directed);
    d->memory = a->memory;
    const wgdn_status st = copy_text(&d->folder, a->scratch, err);
    return st ? st : copy_text(&d->encoding, a->encoding, err);
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

/* Lists of labels. */
static wgdn_status set_lists(wgdn_dataset *d, const wgdn_dataset_arrays *a, wgdn_error *err)
{
    const int64_t *offset = a->label_offset;
    wgdn_label_pairs p = {0};
    bool sound = offset[0] == 0;
    for (int64_t i = 0; sound && i < d->nodes; i++)
        sound = offset[i] <= offset[i + 1];
    if (!sound)
        return wgdn_fail(err, WGDN_EINVAL, "%s: the offsets of the labels do not ascend from 0",
                         where);
    p.count = offset[d->nodes];
    for (int64_t k = 0; k < p.count; k++) {
        if (a->label_list[k] < 0 || a->label_list[k] == INT32_MAX)
            return wgdn_fail(err, WGDN_EINVAL, "%s: the label %d in a list", where,
                             a->label_list[k]);
        if (a->label_list[k] >= d->classes) d->classes = (int64_t)a->label_list[k] + 1;
    }
    p.node = wgdn_alloc((size_t)p.count, sizeof *p.node);
    p.label = copy(a->label_list, p.count, sizeof *p.label);
    for (int64_t i = 0; p.node && i < d->nodes; i++)
        for (int64_t k = offset[i]; k < offset[i + 1]; k++)
            p.node[k] = i;
    const wgdn_status st = p.node && p.label ? wgdn_lists_gather(d, &p, err) : no_memory(err);
    wgdn_release(p.label);
    wgdn_release(p.node);
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
    st = set_limits(d, &a, err);
    if (!st) st = set_graph(d, &a, err);
    if (!st) wgdn_dataset_weigh(d);
    if (!st) st = set_features(d, &a, err);
    if (!st && a.label) st = wgdn_labels_set(d, a.label, where, err);
    if (!st && !a.label && a.label_offset) st = set_lists(d, &a, err);
    if (!st && d->label && a.class_name) st = set_class_names(d, &a, err);
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

/* Builds a dataset whose nodes are the graphs of another dataset. */

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

/* Stores the rows of graph and features in another order than that of the nodes. */

static wgdn_status order_no_memory(int64_t n, wgdn_error *err)
{
    return wgdn_fail(err, WGDN_ENOMEM, "order: of %lld nodes", (long long)n);
}

/* to[from[r]] = r */
static void invert(int32_t *to, const int32_t *from, int64_t n)
{
    for (int64_t r = 0; r < n; r++)
        to[from[r]] = (int32_t)r;
}

/* What lies in rows: all of it is arranged together. */
typedef struct in_rows {
    wgdn_graph *graph;
    wgdn_relations relations;
    wgdn_features features;
} in_rows;

/* Row row[r] of d as row r. */
static wgdn_status arrange(in_rows *to, const wgdn_dataset *d, const int32_t *row, wgdn_error *err)
{
    wgdn_status st = wgdn_features_arrange(&to->features, &d->features, row, err);
    if (st) return st;
    st = wgdn_relations_arrange(&to->relations, &d->relations, row, err);
    if (!st) st = wgdn_graph_arrange(&to->graph, d->graph, row, err);
    if (st) wgdn_relations_free(&to->relations);
    if (st) wgdn_features_free(&to->features);
    return st;
}

static void put(wgdn_dataset *d, const in_rows *from)
{
    d->graph = from->graph;
    d->relations = from->relations;
    d->features = from->features;
}

wgdn_status wgdn_plain_open(wgdn_plain *p, const wgdn_dataset *d, wgdn_error *err)
{
    *p = (wgdn_plain){.d = d};
    if (!d->order) return WGDN_OK;
    int32_t *row = wgdn_alloc((size_t)d->nodes, sizeof *row);
    if (!row) return order_no_memory(d->nodes, err);
    invert(row, d->order, d->nodes);
    p->view = *d;
    p->view.serial = 0;
    p->view.order = NULL;
    in_rows plain;
    const wgdn_status st = arrange(&plain, d, row, err);
    wgdn_release(row);
    if (st) return st;
    put(&p->view, &plain);
    p->d = &p->view;
    return WGDN_OK;
}

/* Row r becomes what row[r] was. */
static wgdn_status replace(wgdn_dataset *d, const int32_t *row, wgdn_error *err)
{
    in_rows arranged;
    const wgdn_status st = arrange(&arranged, d, row, err);
    if (st) return st;
    wgdn_graph_free(d->graph);
    wgdn_relations_free(&d->relations);
    wgdn_features_free(&d->features);
    put(d, &arranged);
    return WGDN_OK;
}

static wgdn_status forget(wgdn_dataset *d, int32_t *row, wgdn_error *err)
{
    if (!d->order) return WGDN_OK;
    invert(row, d->order, d->nodes);
    const wgdn_status st = replace(d, row, err);
    if (st) return st;
    wgdn_release(d->order);
    d->order = NULL;
    return WGDN_OK;
}

wgdn_status wgdn_dataset_reorder(wgdn_dataset *d, wgdn_order how, wgdn_error *err)
{
    int32_t *row;
    if ((int)how < WGDN_ORDER_NONE || how > WGDN_ORDER_SCOTCH)
        return wgdn_fail(err, WGDN_EINVAL, "order: %d is neither none, metis nor scotch", (int)how);
    if (how == WGDN_ORDER_NONE && !d->order) return WGDN_OK;
    if (d->graph_start)
        return wgdn_fail(err, WGDN_EINVAL,
                         "order: %lld graphs keep theirs; it is for the nodes of one graph",
                         (long long)d->graphs);
    row = wgdn_alloc((size_t)d->nodes, sizeof *row);
    if (!row) return order_no_memory(d->nodes, err);
    wgdn_dataset_number(d);
    wgdn_status st = forget(d, row, err);
    if (!st && how != WGDN_ORDER_NONE) {
        st = wgdn_graph_order(row, d->graph, how, err);
        if (!st) st = replace(d, row, err);
        if (!st) {
            d->order = row;
            row = NULL;
        }
    }
    wgdn_release(row);
    return st;
}

/*
 * Stores the labels of a dataset, one or several per node, and decides whether they are numbers for
 * regression. Format readers call it before a dataset is finished.
 */

/* ---- several labels per node ---- */

/* The first label of each list; and if no list has more, there are none. */
static wgdn_status first_labels(wgdn_dataset *d, wgdn_error *err)
{
    const wgdn_csr *a = &d->lists;
    int32_t *label = wgdn_alloc((size_t)d->nodes, sizeof *label);
    bool several = false;
    if (!label) return wgdn_fail(err, WGDN_ENOMEM, "labels: of %lld nodes", (long long)d->nodes);
    for (int64_t i = 0; i < d->nodes; i++) {
        label[i] = a->offset[i] < a->offset[i + 1] ? a->column[a->offset[i]] : -1;
        several = several || a->offset[i + 1] - a->offset[i] > 1;
    }
    wgdn_release(d->label);
    d->label = label;
    if (!several) wgdn_csr_free(&d->lists);
    return WGDN_OK;
}

wgdn_status wgdn_lists_gather(wgdn_dataset *d, const wgdn_label_pairs *p, wgdn_error *err)
{
    wgdn_csr *a = &d->lists;
    wgdn_csr_free(a);
    if (!wgdn_csr_alloc(a, d->nodes, d->classes, p->count, false))
        return wgdn_fail(err, WGDN_ENOMEM, "labels: %lld of %lld nodes", (long long)p->count,
                         (long long)d->nodes);
    /* Rows of pairs, each sorted; repeats go. */
    for (int64_t k = 0; k < p->count; k++)
        a->offset[p->node[k] + 1]++;
    for (int64_t i = 0; i < a->rows; i++)
        a->offset[i + 1] += a->offset[i];
    for (int64_t k = 0; k < p->count; k++)
        a->column[a->offset[p->node[k]]++] = p->label[k];
    for (int64_t i = a->rows; i > 0; i--)
        a->offset[i] = a->offset[i - 1];
    a->offset[0] = 0;
    for (int64_t i = 0; i < a->rows; i++)
        qsort(a->column + a->offset[i], (size_t)(a->offset[i + 1] - a->offset[i]),
              sizeof *a->column, wgdn_by_int32);
    wgdn_csr_merge(a);
    return first_labels(d, err);
}

/* ---- one label per node ---- */

wgdn_status wgdn_labels_set(wgdn_dataset *d, const int32_t *label, const char *name,
                            wgdn_error *err)
{
    int64_t classes = 0;
    for (int64_t i = 0; i < d->nodes; i++) {
        if (label[i] < -1 || label[i] == INT32_MAX)
            return wgdn_fail_in(
                err, WGDN_EFORMAT, name,
                "the label of node %lld is %d: expected 0, 1, 2, ... or -1 for none", (long long)i,
                label[i]);
        if (label[i] >= classes) classes = (int64_t)label[i] + 1;
    }
    int32_t *copy = wgdn_alloc((size_t)d->nodes, sizeof *copy);
    if (!copy) return wgdn_fail_in(err, WGDN_ENOMEM, name, "%lld labels", (long long)d->nodes);
    memcpy(copy, label, (size_t)d->nodes * sizeof *copy);
    wgdn_labels_take(d, copy, &(wgdn_names){0});
    d->classes = classes;
    return WGDN_OK;
}

/* ---- numeric labels ---- */

bool wgdn_labels_numeric(const wgdn_dataset *d)
{
    enum { FRACTIONS_MIN = 10, INTEGERS_MIN = 100, NODES_EACH = 5 };
    const int64_t different = d->class_names.count;
    int64_t labels = 0;
    bool integers = true;
    if (different < FRACTIONS_MIN || !d->label || d->lists.offset || d->of_graphs) return false;
    for (int64_t k = 0; k < different; k++) {
        double value;
        if (!wgdn_label_number(&value, d, k)) return false;
        integers = integers && value == floor(value);
    }
    if (!integers) return true;
    for (int64_t i = 0; i < d->nodes; i++)
        labels += d->label[i] >= 0;
    return different > INTEGERS_MIN && labels < NODES_EACH * different;
}
