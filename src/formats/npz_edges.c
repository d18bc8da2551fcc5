/* SPDX-License-Identifier: Apache-2.0 */
/* Edges in named arrays: one array of pairs, or one for each end, and weights beside them. */
#include "npz.h"

#include "codec/arrays.h"

#include <string.h>

/* Edge k joins end[0][k * step] and end[1][k * step]. */
typedef struct pairs {
    int64_t *block[2]; /* what to release */
    const int64_t *end[2];
    int64_t count, step;
    int64_t nodes;              /* of a matrix; else 0 */
    const wgdn_tensor *weights; /* or NULL */
    float *weight;
} pairs;

static void pairs_free(pairs *p)
{
    wgdn_release(p->weight);
    wgdn_release(p->block[1]);
    wgdn_release(p->block[0]);
}

static const wgdn_tensor *find(const wgdn_archive *a, const char *const *name, size_t count)
{
    const wgdn_tensor *t = NULL;
    for (size_t i = 0; !t && i < count; i++)
        t = wgdn_archive_find(a, name[i]);
    return t;
}

/* m x 2 or 2 x m; two edges of two nodes are read as m x 2, unless the name says otherwise. */
static wgdn_status read_list(pairs *p, const wgdn_tensor *t, const char *name, wgdn_error *err)
{
    const bool across = t->rank == 2 && t->shape[0] == 2 &&
                        (t->shape[1] != 2 || strcmp(t->name, "edge_index") == 0);
    if (t->rank != 2 || (!across && t->shape[1] != 2))
        return wgdn_fail(err, WGDN_EFORMAT, "%s: expected %.40s as m x 2 or 2 x m",
                         wgdn_show_name(name).text, t->name);
    const wgdn_status st = wgdn_array_int64(&p->block[0], NULL, t, name, err);
    if (st) return st;
    p->count = across ? t->shape[1] : t->shape[0];
    p->step = across ? 1 : 2;
    p->end[0] = p->block[0];
    p->end[1] = p->block[0] + (across ? p->count : 1);
    return WGDN_OK;
}

/* ---- an array alone, whatever its name ---- */

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
        st = wgdn_fail(err, WGDN_ENOMEM, "%s: a matrix of %lld nodes", wgdn_show_name(name).text,
                       (long long)n);
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
        return wgdn_fail(err, WGDN_EFORMAT,
                         "%s: %.40s has %lld elements, %.40s %lld: expected "
                         "one for each edge",
                         wgdn_show_name(name).text, t[0]->name, (long long)wgdn_tensor_count(t[0]),
                         t[1]->name, (long long)wgdn_tensor_count(t[1]));
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
    const wgdn_tensor *t = find(a, list, 3);
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
    return wgdn_fail(
        err, WGDN_EFORMAT,
        "%s: no graph in it: expected adj_indptr, adj_indices and adj_shape, or "
        "indptr, indices and shape, or edges, or one array of m x 2 integers or n x n%s",
        wgdn_show_name(name).text,
        a->left_out_count ? "; arrays of Python objects are not read" : "");
}

static wgdn_status read_weights(pairs *p, const wgdn_archive *a, const char *name, wgdn_error *err)
{
    static const char *const word[] = {"edge_weight", "edge_weights", "weight"};
    if (!p->weights) p->weights = find(a, word, 3);
    if (!p->weights) return WGDN_OK;
    if (wgdn_tensor_count(p->weights) != p->count)
        return wgdn_fail(err, WGDN_EFORMAT,
                         "%s: %.40s has %lld elements: expected %lld, one for "
                         "each edge",
                         wgdn_show_name(name).text, p->weights->name,
                         (long long)wgdn_tensor_count(p->weights), (long long)p->count);
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
    return wgdn_fail(err, WGDN_EFORMAT, "%s: %.40s: expected one number of nodes",
                     wgdn_show_name(name).text, t->name);
}

/* What says how many nodes there are; for want of all else, the largest number in the edges. */
static wgdn_status count_nodes(int64_t *nodes, const wgdn_draft *w, const wgdn_archive *a,
                               const pairs *p, const char *name, wgdn_error *err)
{
    static const char *const count[] = {"num_nodes", "shape"};
    static const char *const labels[] = {"labels", "node_labels", "y", "label"};
    const wgdn_tensor *t = find(a, count, 2);
    *nodes = p->nodes ? p->nodes : w->d->features.rows;
    if (*nodes > 0) return WGDN_OK;
    if (t) return read_count(nodes, t, name, err);
    t = find(a, labels, 4);
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
        return wgdn_fail(err, WGDN_EFORMAT, "%s: edge %lld is %lld - %lld: nodes are 0 .. %lld",
                         wgdn_show_name(name).text, (long long)k, (long long)u, (long long)v,
                         (long long)nodes - 1);
    if (weight - weight != 0)
        return wgdn_fail(err, WGDN_EFORMAT, "%s: edge %lld has the weight %g",
                         wgdn_show_name(name).text, (long long)k, (double)weight);
    return wgdn_edges_add(&w->edges, (int32_t)u, (int32_t)v, (double)weight, name, err);
}

wgdn_status wgdn_npz_edges(wgdn_draft *w, const wgdn_archive *a, const char *name, wgdn_error *err)
{
    pairs p = {0};
    int64_t nodes = 0;
    wgdn_status st = read_pairs(&p, a, name, err);
    if (!st && !p.nodes) st = read_weights(&p, a, name, err);
    if (!st) st = count_nodes(&nodes, w, a, &p, name, err);
    if (!st) st = wgdn_draft_number(w, nodes, 0, name, err);
    for (int64_t k = 0; !st && k < p.count; k++)
        st = add_edge(w, &p, k, nodes, name, err);
    pairs_free(&p);
    return st;
}
