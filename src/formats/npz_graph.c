/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads and writes graphs as named arrays in .npz and .npy files: the gnn-benchmark layout, SciPy
 * sparse matrices, and plain arrays of edges. It builds on io/archive.c, and the registry calls it
 * by suffix or by first bytes.
 */
#include "npz_graph.h"
#include "io/archive.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Reads edges from named arrays: one array of pairs, or one for each end, and optional weights. */

/* Edge k joins end[0][k * step] and end[1][k * step]. */
typedef struct pairs {
    int64_t *block[2]; /* what to release */
    const int64_t *end[2];
    int64_t count, step;
    int64_t nodes;              /* of a matrix; else 0 */
    const wgdn_tensor *weights; /* or NULL */
    float *weight;
} pairs;

static const char *const label_names[] = {"labels", "node_labels", "y", "label"};

static const wgdn_tensor *find_tensor(const wgdn_archive *a, const char *const *name, size_t count)
{
    const wgdn_tensor *t = NULL;
    for (size_t i = 0; !t && i < count; i++)
        t = wgdn_archive_find(a, name[i]);
    return t;
}

/* m x 2 or 2 x m; two edges of two nodes are read as m x 2, unless the name implies 2 x m. */
static wgdn_status read_list(pairs *p, const wgdn_tensor *t, const char *name, wgdn_error *err)
{
    const bool across = t->rank == 2 && t->shape[0] == 2 &&
                        (t->shape[1] != 2 || strcmp(t->name, "edge_index") == 0);
    if (t->rank != 2 || (!across && t->shape[1] != 2))
        return wgdn_fail_in(err, WGDN_EFORMAT, name, "expected %.40s as m x 2 or 2 x m", t->name);
    const wgdn_status st = wgdn_array_int64(&p->block[0], NULL, t, name, err);
    if (st) return st;
    p->count = across ? t->shape[1] : t->shape[0];
    p->step = across ? 1 : 2;
    p->end[0] = p->block[0];
    p->end[1] = p->block[0] + (across ? p->count : 1);
    return WGDN_OK;
}

/* ---- a single array of any name ---- */

static bool is_list(const wgdn_tensor *t)
{
    return t->rank == 2 && t->dtype <= WGDN_U64 && t->dtype != WGDN_BOOL &&
           (t->shape[0] == 2 || t->shape[1] == 2);
}

static bool is_square(const wgdn_tensor *t)
{
    return t->rank == 2 && t->dtype != WGDN_TEXT && t->shape[0] == t->shape[1] && t->shape[0] > 2;
}

/* The entries of an adjacency matrix that are not 0. */
static wgdn_status read_square(pairs *p, const wgdn_tensor *t, const char *name, wgdn_error *err)
{
    const int64_t n = t->shape[0];
    float *all = NULL;
    wgdn_status st = wgdn_array_floats(&all, NULL, t, name, err);
    if (st) return st;
    for (int64_t k = 0; k < n * n; k++)
        p->count += all[k] != 0;
    for (int i = 0; i < 2; i++)
        p->end[i] = p->block[i] = wgdn_alloc((size_t)p->count, sizeof *p->block[i]);
    p->weight = wgdn_alloc((size_t)p->count, sizeof *p->weight);
    if (!p->block[0] || !p->block[1] || !p->weight)
        st = wgdn_fail_in(err, WGDN_ENOMEM, name, "a matrix of %lld nodes", (long long)n);
    for (int64_t k = 0, to = 0; k < n * n && !st; k++) {
        if (all[k] == 0) continue;
        p->block[0][to] = k / n;
        p->block[1][to] = k % n;
        p->weight[to++] = all[k];
    }
    wgdn_release(all);
    p->step = 1;
    p->nodes = n;
    return st;
}

/* ---- named arrays ---- */

/* An array for each end. */
static wgdn_status read_ends(pairs *p, const wgdn_tensor *const t[2], const char *name,
                             wgdn_error *err)
{
    wgdn_status st = WGDN_OK;
    if (wgdn_tensor_count(t[0]) != wgdn_tensor_count(t[1]))
        return wgdn_fail_in(err, WGDN_EFORMAT, name,
                            "%.40s has %lld elements, %.40s %lld: expected one for each edge",
                            t[0]->name, (long long)wgdn_tensor_count(t[0]), t[1]->name,
                            (long long)wgdn_tensor_count(t[1]));
    for (int i = 0; !st && i < 2; i++)
        st = wgdn_array_int64(&p->block[i], NULL, t[i], name, err);
    p->count = wgdn_tensor_count(t[0]);
    p->step = 1;
    p->end[0] = p->block[0];
    p->end[1] = p->block[1];
    return st;
}

static wgdn_status read_pairs(pairs *p, const wgdn_archive *a, const char *name, wgdn_error *err)
{
    static const char *const list[] = {"edges", "edge_index", "edge_list"};
    static const char *const ends[][2] = {{"src", "dst"}, {"row", "col"}, {"source", "target"}};
    const wgdn_tensor *t = find_tensor(a, list, 3);
    if (t) return read_list(p, t, name, err);
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        const wgdn_tensor *const two[2] = {wgdn_archive_find(a, ends[i][0]),
                                           wgdn_archive_find(a, ends[i][1])};
        if (!two[0] || !two[1]) continue;
        if (i == 1) p->weights = wgdn_archive_find(a, "data"); /* SciPy's coo */
        return read_ends(p, two, name, err);
    }
    t = a->tensors == 1 ? &a->tensor[0] : NULL;
    if (t && is_list(t)) return read_list(p, t, name, err);
    if (t && is_square(t)) return read_square(p, t, name, err);
    return wgdn_fail_in(
        err, WGDN_EFORMAT, name,
        "no graph in it: expected adj_indptr, adj_indices and adj_shape, or indptr, indices and "
        "shape, or edges, or one array of m x 2 integers or n x n%s",
        a->left_out_count ? "; arrays of Python objects are not read" : "");
}

static wgdn_status read_weights(pairs *p, const wgdn_archive *a, const char *name, wgdn_error *err)
{
    static const char *const word[] = {"edge_weight", "edge_weights", "weight"};
    if (!p->weights) p->weights = find_tensor(a, word, 3);
    if (!p->weights) return WGDN_OK;
    if (wgdn_tensor_count(p->weights) != p->count)
        return wgdn_fail_in(
            err, WGDN_EFORMAT, name, "%.40s has %lld elements: expected %lld, one for each edge",
            p->weights->name, (long long)wgdn_tensor_count(p->weights), (long long)p->count);
    return wgdn_array_floats(&p->weight, NULL, p->weights, name, err);
}

/* One number in an array of one, or the first of a shape, which is square. */
static wgdn_status read_count(int64_t *out, const wgdn_tensor *t, const char *name, wgdn_error *err)
{
    int64_t *value = NULL;
    const wgdn_status st = wgdn_array_int64(&value, NULL, t, name, err);
    const int64_t count = wgdn_tensor_count(t);
    const bool good = !st && (count == 1 || (count == 2 && value[0] == value[1]));
    if (good) *out = value[0];
    wgdn_release(value);
    if (st || good) return st;
    return wgdn_fail_in(err, WGDN_EFORMAT, name, "%.40s: expected one number of nodes", t->name);
}

/* What says how many nodes there are; for want of all else, the largest number in the edges. */
static wgdn_status count_nodes(int64_t *nodes, const wgdn_draft *w, const wgdn_archive *a,
                               const pairs *p, const char *name, wgdn_error *err)
{
    static const char *const count[] = {"num_nodes", "shape"};
    const wgdn_tensor *t = find_tensor(a, count, 2);
    *nodes = p->nodes ? p->nodes : w->d->features.rows;
    if (*nodes > 0) return WGDN_OK;
    if (t) return read_count(nodes, t, name, err);
    t = find_tensor(a, label_names, 4);
    if (t) {
        *nodes = wgdn_tensor_count(t);
        return WGDN_OK;
    }
    for (int64_t k = 0; k < p->count; k++)
        for (int i = 0; i < 2; i++) {
            const int64_t end = p->end[i][k * p->step];
            if (end >= *nodes && end < INT32_MAX) *nodes = end + 1;
        }
    return WGDN_OK;
}

static wgdn_status add_edge(wgdn_draft *w, const pairs *p, int64_t k, int64_t nodes,
                            const char *name, wgdn_error *err)
{
    const int64_t u = p->end[0][k * p->step], v = p->end[1][k * p->step];
    const float weight = p->weight ? p->weight[k] : 1;
    if (u < 0 || v < 0 || u >= nodes || v >= nodes)
        return wgdn_fail_in(err, WGDN_EFORMAT, name,
                            "edge %lld is %lld - %lld: nodes are 0 .. %lld", (long long)k,
                            (long long)u, (long long)v, (long long)nodes - 1);
    if (weight - weight != 0)
        return wgdn_fail_in(err, WGDN_EFORMAT, name, "edge %lld has the weight %g", (long long)k,
                            (double)weight);
    return wgdn_edges_add(&w->edges, (int32_t)u, (int32_t)v, (double)weight, name, err);
}

/* Edges as pairs, with weights or without, as PyG, DGL and SciPy's coo have them. */
static wgdn_status npz_edges(wgdn_draft *w, const wgdn_archive *a, const char *name,
                             wgdn_error *err)
{
    pairs p = {0};
    int64_t nodes = 0;
    wgdn_status st = read_pairs(&p, a, name, err);
    if (!st && !p.nodes) st = read_weights(&p, a, name, err);
    if (!st) st = count_nodes(&nodes, w, a, &p, name, err);
    if (!st) st = wgdn_draft_number(w, nodes, 0, name, err);
    for (int64_t k = 0; !st && k < p.count; k++)
        st = add_edge(w, &p, k, nodes, name, err);
    wgdn_release(p.weight);
    wgdn_release(p.block[1]);
    wgdn_release(p.block[0]);
    return st;
}

/* Reads the named arrays about nodes besides their features: labels, splits, names. */

static wgdn_status wrong_size(const wgdn_tensor *t, const char *expected, const char *name,
                              wgdn_error *err)
{
    return wgdn_fail_in(err, WGDN_EFORMAT, name, "%.40s has %lld elements: expected %s", t->name,
                        (long long)wgdn_tensor_count(t), expected);
}

static wgdn_status read_labels(wgdn_dataset *d, const wgdn_archive *a, const char *name,
                               wgdn_error *err)
{
    int32_t *label = NULL;
    const wgdn_tensor *t = find_tensor(a, label_names, 4);
    if (!t) return WGDN_OK;
    if (wgdn_tensor_count(t) != d->nodes) return wrong_size(t, "one for each node", name, err);
    wgdn_status st = wgdn_array_int32(&label, NULL, t, name, err);
    if (!st) st = wgdn_labels_set(d, label, name, err);
    wgdn_release(label);
    return st;
}

static wgdn_status read_class_names(wgdn_dataset *d, const wgdn_archive *a, const char *name,
                                    wgdn_error *err)
{
    const wgdn_tensor *t = wgdn_archive_find(a, "class_names");
    if (!t || t->dtype != WGDN_TEXT || !d->label) return WGDN_OK;
    const int64_t count = wgdn_tensor_count(t);
    if (count < d->classes) return wrong_size(t, "one for each class", name, err);
    wgdn_text *text = wgdn_alloc((size_t)count, sizeof *text);
    if (!text) return wgdn_fail_in(err, WGDN_ENOMEM, name, "%lld classes", (long long)count);
    for (int64_t i = 0; i < count; i++)
        text[i] = wgdn_tensor_text(t, i);
    const wgdn_status st = wgdn_names_from(&d->class_names, text, count, err);
    if (!st) d->classes = count;
    wgdn_release(text);
    return st;
}

/* Names that are all different become the ids; others say nothing about a node. */
static wgdn_status read_names(wgdn_draft *w, const wgdn_archive *a, wgdn_error *err)
{
    const wgdn_tensor *t = wgdn_archive_find(a, "node_names");
    wgdn_ids ids;
    wgdn_status st = WGDN_OK;
    if (!t || t->dtype != WGDN_TEXT || wgdn_tensor_count(t) != w->d->nodes) return WGDN_OK;
    wgdn_ids_open(&ids, INT32_MAX);
    for (int64_t i = 0; !st && i < w->d->nodes && ids.count == i; i++) {
        const wgdn_text name = wgdn_tensor_text(t, i);
        int32_t at;
        st = wgdn_ids_add(&ids, &name, 1, &at, err);
    }
    if (!st && ids.count == w->d->nodes) {
        wgdn_ids_close(&w->ids);
        ids.fixed = true; /* the order is the file's */
        w->ids = ids;
        w->d->named = !wgdn_ids_plain(&ids);
        return WGDN_OK;
    }
    wgdn_ids_close(&ids);
    return st;
}

/* ---- splits ---- */

static wgdn_status alloc_splits(wgdn_dataset *d, int64_t splits, const char *name, wgdn_error *err)
{
    size_t all;
    if (d->split) return WGDN_OK;
    if (wgdn_size_mul(&all, (size_t)splits, (size_t)d->nodes)) d->split = wgdn_alloc_zero(all, 1);
    if (!d->split) return wgdn_fail_in(err, WGDN_ENOMEM, name, "%lld splits", (long long)splits);
    d->splits = splits;
    return WGDN_OK;
}

static wgdn_status set_split(wgdn_dataset *d, int64_t split, int64_t node, int kind,
                             const char *name, wgdn_error *err)
{
    int8_t *at = &d->split[split * d->nodes + node];
    if (*at != WGDN_SPLIT_NONE && *at != kind)
        return wgdn_fail_in(err, WGDN_EFORMAT, name, "split %lld has node %lld in two parts",
                            (long long)split, (long long)node);
    *at = (int8_t)kind;
    return WGDN_OK;
}

/* Numbers of nodes. */
static wgdn_status read_index(wgdn_dataset *d, const wgdn_tensor *t, int kind, const char *name,
                              wgdn_error *err)
{
    int64_t *node = NULL;
    wgdn_status st = alloc_splits(d, 1, name, err);
    if (!st) st = wgdn_array_int64(&node, NULL, t, name, err);
    for (int64_t k = 0; !st && k < wgdn_tensor_count(t); k++) {
        if (node[k] < 0 || node[k] >= d->nodes)
            st = wgdn_fail_in(err, WGDN_EFORMAT, name,
                              "element %lld of %.40s is %lld: nodes are 0 .. %lld", (long long)k,
                              t->name, (long long)node[k], (long long)d->nodes - 1);
        else
            st = set_split(d, 0, node[k], kind, name, err);
    }
    wgdn_release(node);
    return st;
}

/* A truth value per node, in one row per split, or, as PyG has it, one column. */
static wgdn_status read_mask(wgdn_dataset *d, const wgdn_tensor *t, int kind, const char *name,
                             wgdn_error *err)
{
    int64_t *mask = NULL;
    const int64_t count = wgdn_tensor_count(t);
    const int64_t splits = count / d->nodes;
    const bool columns = t->rank == 2 && t->shape[0] == d->nodes && t->shape[1] != d->nodes;
    if (count == 0 || count % d->nodes || (!columns && t->shape[t->rank - 1] != d->nodes) ||
        (d->split && count != d->splits * d->nodes))
        return wrong_size(t, "a row for each split, a column for each node", name, err);
    wgdn_status st = alloc_splits(d, splits, name, err);
    if (!st) st = wgdn_array_int64(&mask, NULL, t, name, err);
    for (int64_t k = 0; !st && k < count; k++)
        if (mask[k])
            st = columns ? set_split(d, k % splits, k / splits, kind, name, err)
                         : set_split(d, k / d->nodes, k % d->nodes, kind, name, err);
    wgdn_release(mask);
    return st;
}

static wgdn_status read_splits(wgdn_dataset *d, const wgdn_archive *a, const char *name,
                               wgdn_error *err)
{
    static const struct {
        const char *name;
        int kind;
        bool mask;
    } part[] = {
        {"train_idx", WGDN_SPLIT_TRAIN, false}, {"val_idx", WGDN_SPLIT_VAL, false},
        {"test_idx", WGDN_SPLIT_TEST, false},   {"train_masks", WGDN_SPLIT_TRAIN, true},
        {"val_masks", WGDN_SPLIT_VAL, true},    {"test_masks", WGDN_SPLIT_TEST, true},
        {"train_mask", WGDN_SPLIT_TRAIN, true}, {"val_mask", WGDN_SPLIT_VAL, true},
        {"test_mask", WGDN_SPLIT_TEST, true},
    };
    wgdn_status st = WGDN_OK;
    for (size_t i = 0; !st && i < sizeof part / sizeof *part; i++) {
        const wgdn_tensor *t = wgdn_archive_find(a, part[i].name);
        if (!t) continue;
        st = part[i].mask ? read_mask(d, t, part[i].kind, name, err)
                          : read_index(d, t, part[i].kind, name, err);
    }
    return st;
}

/* Labels, splits and names beside them. */
static wgdn_status npz_notes(wgdn_draft *w, const wgdn_archive *a, const char *name,
                             wgdn_error *err)
{
    w->d->nodes = w->ids.count;
    wgdn_status st = read_labels(w->d, a, name, err);
    if (!st) st = read_class_names(w->d, a, name, err);
    if (!st) st = read_splits(w->d, a, name, err);
    if (!st) st = read_names(w, a, err);
    return st;
}

/* Writes and reads a dataset in the gnn-benchmark layout. */

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

static wgdn_status npz_write(const wgdn_dataset *d, const char *path, wgdn_error *err)
{
    wgdn_bundle b = {.err = err};
    const wgdn_csr *g = &d->graph->adjacency, *s = &d->features.sparse;
    if (d->graph_start || d->graph_label || d->splits > 1)
        return wgdn_fail_in(
            err, WGDN_EINVAL, path,
            "npz holds one graph and one split, here are %lld and %lld: write safetensors",
            (long long)d->graphs, (long long)d->splits);
    if (d->lists.offset)
        return wgdn_fail_in(
            err, WGDN_EINVAL, path,
            "npz stores one label per node, but nodes have several; write .safetensors");
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

/* A matrix of features, by the first of these names; the last one is for files of features alone. */
enum { DENSE = 6 };
static const char *const dense[DENSE + 1] = {"attr_matrix", "node_features", "features", "x",
                                             "feat",        "feature",       "embedding"};

/* ---- compressed rows in parts ---- */

/* prefix_indptr and its kin; with the prefix "" the names that scipy gives them. */
typedef struct parts {
    const wgdn_tensor *indptr, *indices, *data, *shape;
} parts;

static const wgdn_tensor *find_part(const wgdn_archive *a, const char *prefix, const char *part)
{
    char name[32];
    snprintf(name, sizeof name, "%s%s", prefix, part);
    return wgdn_archive_find(a, name);
}

static bool find_parts(parts *p, const wgdn_archive *a, const char *prefix)
{
    p->indptr = find_part(a, prefix, "indptr");
    p->indices = find_part(a, prefix, "indices");
    p->data = find_part(a, prefix, "data");
    p->shape = find_part(a, prefix, "shape");
    return p->indptr && p->indices && p->shape;
}

static wgdn_status check_parts(const wgdn_csr *a, const parts *p, const char *name, wgdn_error *err)
{
    const int64_t entries = wgdn_tensor_count(p->indices);
    if (wgdn_tensor_count(p->indptr) != a->rows + 1 || a->offset[0] != 0 ||
        a->offset[a->rows] != entries)
        return wgdn_fail_in(
            err, WGDN_EFORMAT, name, "%.40s does not fit %lld rows and %lld entries of %.40s",
            p->indptr->name, (long long)a->rows, (long long)entries, p->indices->name);
    if (p->data && wgdn_tensor_count(p->data) != entries)
        return wgdn_fail_in(err, WGDN_EFORMAT, name,
                            "%.40s has %lld elements: expected %lld, one for each of %.40s",
                            p->data->name, (long long)wgdn_tensor_count(p->data),
                            (long long)entries, p->indices->name);
    for (int64_t i = 0; i < a->rows; i++)
        if (a->offset[i] > a->offset[i + 1])
            return wgdn_fail_in(err, WGDN_EFORMAT, name, "%.40s falls at element %lld",
                                p->indptr->name, (long long)i + 1);
    for (int64_t k = 0; k < entries; k++)
        if (a->column[k] < 0 || a->column[k] >= a->cols)
            return wgdn_fail_in(err, WGDN_EFORMAT, name,
                                "element %lld of %.40s is %d: expected 0 .. %lld", (long long)k,
                                p->indices->name, a->column[k], (long long)a->cols - 1);
    return WGDN_OK;
}

/* The parts as compressed rows, in range but not tidy. New arrays. */
static wgdn_status join_parts(wgdn_csr *out, const parts *p, const wgdn_archive *a,
                              const char *name, wgdn_error *err)
{
    wgdn_csr c = {0};
    int64_t *shape = NULL;
    const wgdn_tensor *format = wgdn_archive_find(a, "format");
    if (format && format->dtype == WGDN_TEXT && wgdn_tensor_count(format) == 1 &&
        !wgdn_text_is(wgdn_tensor_text(format, 0), "csr"))
        return wgdn_fail_in(err, WGDN_EFORMAT, name, "the matrix is stored as %s: expected csr",
                            wgdn_show(wgdn_tensor_text(format, 0)).text);
    if (wgdn_tensor_count(p->shape) != 2)
        return wgdn_fail_in(err, WGDN_EFORMAT, name,
                            "%.40s has %lld elements: expected rows, columns", p->shape->name,
                            (long long)wgdn_tensor_count(p->shape));
    wgdn_status st = wgdn_array_int64(&shape, NULL, p->shape, name, err);
    if (st) return st;
    c.rows = shape[0];
    c.cols = shape[1];
    wgdn_release(shape);
    if (c.rows < 1 || c.cols < 1 || c.rows > WGDN_NODES_MAX || c.cols > WGDN_COLUMNS_MAX ||
        wgdn_tensor_count(p->indptr) != c.rows + 1)
        return wgdn_fail_in(err, WGDN_EFORMAT, name, "a matrix of %lld x %lld with %lld row starts",
                            (long long)c.rows, (long long)c.cols,
                            (long long)wgdn_tensor_count(p->indptr));
    st = wgdn_array_int64(&c.offset, NULL, p->indptr, name, err);
    if (!st) st = wgdn_array_int32(&c.column, NULL, p->indices, name, err);
    if (!st && p->data) st = wgdn_array_floats(&c.value, NULL, p->data, name, err);
    if (!st) st = check_parts(&c, p, name, err);
    if (st)
        wgdn_csr_free(&c);
    else
        *out = c;
    return st;
}

/* ---- features ---- */

wgdn_status wgdn_npz_features(wgdn_features *f, wgdn_archive *a, const char *name, wgdn_error *err)
{
    parts p;
    wgdn_csr c;
    if (find_parts(&p, a, "attr_") || (!find_part(a, "adj_", "indptr") && find_parts(&p, a, ""))) {
        const wgdn_status st = join_parts(&c, &p, a, name, err);
        return st ? st : wgdn_features_from_csr(f, &c, name, err);
    }
    const wgdn_tensor *t = a->tensors == 1 ? &a->tensor[0] : find_tensor(a, dense, DENSE + 1);
    if (!t)
        return wgdn_fail_in(
            err, WGDN_EFORMAT, name,
            "it contains no features: expected one matrix, or indptr, indices, data and shape");
    return wgdn_features_from_tensor(f, t, a, name, err);
}

/* ---- edges ---- */

static wgdn_status edges_from_csr(wgdn_draft *w, const wgdn_csr *c, const char *name,
                                  wgdn_error *err)
{
    const int32_t first = c->rows == c->cols ? 0 : (int32_t)c->rows; /* of the columns */
    wgdn_status st = WGDN_OK;
    for (int64_t i = 0; i < c->rows; i++)
        for (int64_t k = c->offset[i]; !st && k < c->offset[i + 1]; k++) {
            const float weight = c->value ? c->value[k] : 1;
            if (w->o->weights != WGDN_WEIGHTS_IGNORE && !(weight >= 0 && isfinite(weight)))
                return wgdn_fail_in(err, WGDN_EFORMAT, name,
                                    "edge %lld - %d has the weight %g: expected 0 or more; "
                                    "--weights ignore takes the edges alone",
                                    (long long)i, c->column[k], (double)weight);
            st = wgdn_edges_add(&w->edges, (int32_t)i, first + c->column[k], (double)weight, name,
                                err);
        }
    return st;
}

/* A matrix that is not square has two kinds of nodes, row:I and column:J, as users and items. */
static wgdn_status number_sides(wgdn_draft *w, const wgdn_csr *c, const char *name, wgdn_error *err)
{
    wgdn_status st = WGDN_OK;
    if (w->o->bipartite == 0 || w->d->features.width > 0 || c->rows < 1 || c->cols < 1)
        return wgdn_fail_in(err, WGDN_EFORMAT, name,
                            "the adjacency is %lld x %lld: expected a square", (long long)c->rows,
                            (long long)c->cols);
    if (c->rows > w->o->max_nodes - c->cols)
        return wgdn_fail_in(err, WGDN_ERANGE, name, "%lld nodes; the maximum allowed is %lld",
                            (long long)(c->rows + c->cols), (long long)w->o->max_nodes);
    for (int64_t i = 0; !st && i < c->rows + c->cols; i++) {
        char text[40];
        int32_t at;
        const int size = i < c->rows
                             ? snprintf(text, sizeof text, "row:%lld", (long long)i)
                             : snprintf(text, sizeof text, "column:%lld", (long long)(i - c->rows));
        const wgdn_text id = wgdn_text_of(text, (size_t)size);
        st = wgdn_ids_add(&w->ids, &id, 1, &at, err);
        if (!st && at != (int32_t)i)
            st = wgdn_fail_in(err, WGDN_EFORMAT, name, "two kinds of nodes cannot have features");
    }
    if (st) return st;
    return wgdn_remarks_add(&w->d->remarks, "two-kinds", 0, err,
                            "the matrix is %lld x %lld: rows and columns are two kinds of nodes, "
                            "row:0 and column:0 are the first of each",
                            (long long)c->rows, (long long)c->cols);
}

static wgdn_status read_graph(wgdn_draft *w, const wgdn_archive *a, const char *name,
                              wgdn_error *err)
{
    parts p;
    wgdn_csr c;
    if (!find_parts(&p, a, "adj_") && !find_parts(&p, a, "")) return npz_edges(w, a, name, err);
    wgdn_status st = join_parts(&c, &p, a, name, err);
    if (st) return st;
    st = c.rows == c.cols ? wgdn_draft_number(w, c.rows, 0, name, err)
                          : number_sides(w, &c, name, err);
    if (!st) st = edges_from_csr(w, &c, name, err);
    wgdn_csr_free(&c);
    return st;
}

/* ---- the whole dataset ---- */

static bool is_read(const char *name)
{
    static const char *const word[] = {
        "adj_indptr",  "adj_indices", "adj_data",      "adj_shape",   "attr_indptr", "attr_indices",
        "attr_data",   "attr_shape",  "indptr",        "indices",     "data",        "shape",
        "format",      "attr_matrix", "node_features", "features",    "x",           "feat",
        "feature",     "edges",       "edge_index",    "edge_list",   "src",         "dst",
        "row",         "col",         "source",        "target",      "edge_weight", "edge_weights",
        "weight",      "num_nodes",   "labels",        "node_labels", "y",           "label",
        "class_names", "node_names",  "train_idx",     "val_idx",     "test_idx",    "train_masks",
        "val_masks",   "test_masks",  "train_mask",    "val_mask",    "test_mask",
    };
    for (size_t i = 0; i < sizeof word / sizeof *word; i++)
        if (strcmp(word[i], name) == 0) return true;
    return false;
}

/* Arrays that nobody asks for are named, and those of Python objects, which cannot be read. */
static wgdn_status remark(wgdn_dataset *d, wgdn_error *err)
{
    const wgdn_archive *a = &d->archive;
    char names[200] = "";
    size_t used = 0;
    int64_t count = a->left_out_count;
    for (int64_t i = 0; i < a->left_out_count && used < sizeof names; i++)
        used += (size_t)snprintf(names + used, sizeof names - used, "%s%.40s", used ? ", " : "",
                                 a->left_out[i].key);
    for (int64_t i = 0; i < a->tensors; i++) {
        if (is_read(a->tensor[i].name) || a->tensors == 1) continue;
        count++;
        if (used < sizeof names)
            used += (size_t)snprintf(names + used, sizeof names - used, "%s%.40s", used ? ", " : "",
                                     a->tensor[i].name);
    }
    if (count == 0) return WGDN_OK;
    return wgdn_remarks_add(&d->remarks, "arrays-ignored", count, err, "%lld %s not used: %s",
                            (long long)count, count == 1 ? "array is" : "arrays are", names);
}

wgdn_status wgdn_npz_read(wgdn_draft *w, const char *path, wgdn_error *err)
{
    wgdn_dataset *d = w->d;
    wgdn_status st = WGDN_OK;
    if (find_part(&d->archive, "attr_", "indptr") || find_tensor(&d->archive, dense, DENSE))
        st = wgdn_npz_features(&d->features, &d->archive, path, err);
    if (!st) st = read_graph(w, &d->archive, path, err);
    if (!st) st = npz_notes(w, &d->archive, path, err);
    if (!st) st = remark(d, err);
    if (!d->features.borrowed && !d->features.narrow)
        wgdn_archive_free(&d->archive); /* all of it was copied */
    return st;
}

static wgdn_status load(wgdn_draft *w, const char *path, wgdn_error *err)
{
    const wgdn_status st = wgdn_archive_open(&w->d->archive, path, err);
    return st ? st : wgdn_npz_read(w, path, err);
}

static bool starts_as(const char *suffix, wgdn_text start)
{
    const char *is = wgdn_start_archive(start);
    return is && strcmp(is, suffix) == 0;
}

static bool recognize_start(wgdn_text start)
{
    return starts_as(".npz", start);
}

static bool look_npy(wgdn_text start)
{
    return starts_as(".npy", start);
}

const wgdn_format wgdn_npz_format = {
    .info = {"npz", (const char *const[]){".npz", NULL},
             "Named arrays in a zip: gnn-benchmark, scipy's matrix or plain arrays", 1, 1},
    .look = recognize_start,
    .load = load,
    .write = npz_write,
};

const wgdn_format wgdn_npy_format = {
    .info = {"npy", (const char *const[]){".npy", NULL},
             "One array: pairs of nodes, or an adjacency matrix", 1, 0},
    .look = look_npy,
    .load = load,
};
