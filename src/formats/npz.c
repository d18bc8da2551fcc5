/* SPDX-License-Identifier: Apache-2.0 */
#include "npz.h"

#include "codec/arrays.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const wgdn_tensor *find_any(const wgdn_archive *a, const char *const *name, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const wgdn_tensor *t = wgdn_archive_find(a, name[i]);
        if (t) return t;
    }
    return NULL;
}

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
        a->offset[a->rows] != entries || (p->data && wgdn_tensor_count(p->data) != entries))
        return wgdn_fail(err, WGDN_EFORMAT,
                         "%s: %.40s does not fit %lld rows and %lld entries of %.40s",
                         wgdn_show_name(name).text, p->indptr->name, (long long)a->rows,
                         (long long)entries, p->indices->name);
    for (int64_t i = 0; i < a->rows; i++)
        if (a->offset[i] > a->offset[i + 1])
            return wgdn_fail(err, WGDN_EFORMAT, "%s: %.40s falls at element %lld",
                             wgdn_show_name(name).text, p->indptr->name, (long long)i + 1);
    for (int64_t k = 0; k < entries; k++)
        if (a->column[k] < 0 || a->column[k] >= a->cols)
            return wgdn_fail(err, WGDN_EFORMAT,
                             "%s: element %lld of %.40s is %d: expected 0 .. %lld",
                             wgdn_show_name(name).text, (long long)k, p->indices->name,
                             a->column[k], (long long)a->cols - 1);
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
        return wgdn_fail(err, WGDN_EFORMAT, "%s: the matrix is stored as %s: expected csr",
                         wgdn_show_name(name).text, wgdn_show(wgdn_tensor_text(format, 0)).text);
    if (wgdn_tensor_count(p->shape) != 2)
        return wgdn_fail(err, WGDN_EFORMAT, "%s: %.40s has %lld elements: expected rows, columns",
                         wgdn_show_name(name).text, p->shape->name,
                         (long long)wgdn_tensor_count(p->shape));
    wgdn_status st = wgdn_array_int64(&shape, NULL, p->shape, name, err);
    if (st) return st;
    c.rows = shape[0];
    c.cols = shape[1];
    wgdn_release(shape);
    if (c.rows < 1 || c.cols < 1 || c.rows > INT32_MAX || c.cols > INT32_MAX ||
        wgdn_tensor_count(p->indptr) != c.rows + 1)
        return wgdn_fail(err, WGDN_EFORMAT, "%s: a matrix of %lld x %lld with %lld row starts",
                         wgdn_show_name(name).text, (long long)c.rows, (long long)c.cols,
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

wgdn_status wgdn_npz_features(wgdn_features *f, const wgdn_archive *a, const char *name,
                              wgdn_error *err)
{
    static const char *const dense[] = {"attr_matrix", "node_features", "features", "x",
                                        "embedding"};
    parts p;
    wgdn_csr c;
    if (find_parts(&p, a, "attr_") || (!find_part(a, "adj_", "indptr") && find_parts(&p, a, ""))) {
        const wgdn_status st = join_parts(&c, &p, a, name, err);
        return st ? st : wgdn_features_from_csr(f, &c, name, err);
    }
    const wgdn_tensor *t = a->tensors == 1 ? &a->tensor[0] : find_any(a, dense, 5);
    if (!t)
        return wgdn_fail(err, WGDN_EFORMAT,
                         "%s: no features in it: expected one matrix, or indptr, indices, data and "
                         "shape",
                         wgdn_show_name(name).text);
    return wgdn_features_from_tensor(f, t, name, err);
}

/* ---- edges ---- */

static wgdn_status edges_from_csr(wgdn_draft *w, const wgdn_csr *c, const char *name,
                                  wgdn_error *err)
{
    wgdn_status st = WGDN_OK;
    if (c->rows != c->cols)
        return wgdn_fail(err, WGDN_EFORMAT, "%s: the adjacency is %lld x %lld: expected a square",
                         wgdn_show_name(name).text, (long long)c->rows, (long long)c->cols);
    for (int64_t i = 0; i < c->rows; i++)
        for (int64_t k = c->offset[i]; !st && k < c->offset[i + 1]; k++) {
            const float weight = c->value ? c->value[k] : 1;
            if (w->o->weights != WGDN_WEIGHTS_IGNORE && !(weight >= 0 && isfinite(weight)))
                return wgdn_fail(err, WGDN_EFORMAT,
                                 "%s: edge %lld - %d has the weight %g: expected 0 or more; "
                                 "--weights ignore takes the edges alone",
                                 wgdn_show_name(name).text, (long long)i, c->column[k],
                                 (double)weight);
            st = wgdn_edges_add(&w->edges, (int32_t)i, c->column[k], (double)weight, name, err);
        }
    return st;
}

/* m x 2 or 2 x m; two edges of two nodes are read as m x 2, unless the name says otherwise. */
static wgdn_status edges_from_list(wgdn_draft *w, const wgdn_tensor *t, int64_t nodes,
                                   const char *name, wgdn_error *err)
{
    int64_t *end = NULL;
    wgdn_status st;
    const bool across = t->rank == 2 && t->shape[0] == 2 &&
                        (t->shape[1] != 2 || strcmp(t->name, "edge_index") == 0);
    if (t->rank != 2 || (!across && t->shape[1] != 2))
        return wgdn_fail(err, WGDN_EFORMAT, "%s: expected %.40s as m x 2 or 2 x m",
                         wgdn_show_name(name).text, t->name);
    st = wgdn_array_int64(&end, NULL, t, name, err);
    const int64_t m = across ? t->shape[1] : t->shape[0];
    for (int64_t k = 0; !st && k < m; k++) {
        const int64_t u = across ? end[k] : end[2 * k], v = across ? end[m + k] : end[2 * k + 1];
        if (u < 0 || v < 0 || u >= nodes || v >= nodes)
            st = wgdn_fail(err, WGDN_EFORMAT, "%s: edge %lld is %lld - %lld: nodes are 0 .. %lld",
                           wgdn_show_name(name).text, (long long)k, (long long)u, (long long)v,
                           (long long)nodes - 1);
        else
            st = wgdn_edges_add(&w->edges, (int32_t)u, (int32_t)v, 1, name, err);
    }
    wgdn_release(end);
    return st;
}

/* The largest number in a list of edges, plus one: for want of any other count of nodes. */
static wgdn_status count_nodes(int64_t *nodes, const wgdn_tensor *t, const char *name,
                               wgdn_error *err)
{
    int64_t *end = NULL;
    const wgdn_status st = wgdn_array_int64(&end, NULL, t, name, err);
    *nodes = 0;
    for (int64_t k = 0; !st && k < wgdn_tensor_count(t); k++)
        if (end[k] >= *nodes && end[k] < INT32_MAX) *nodes = end[k] + 1;
    wgdn_release(end);
    return st;
}

static wgdn_status read_graph(wgdn_draft *w, const wgdn_archive *a, const char *name,
                              wgdn_error *err)
{
    static const char *const list[] = {"edges", "edge_index", "edge_list"};
    const wgdn_tensor *t = find_any(a, list, 3);
    const wgdn_features *f = &w->d->features;
    parts p;
    wgdn_csr c;
    int64_t nodes = f->rows;
    wgdn_status st = WGDN_OK;
    if (find_parts(&p, a, "adj_") || find_parts(&p, a, "")) {
        st = join_parts(&c, &p, a, name, err);
        if (st) return st;
        st = wgdn_draft_number(w, c.rows, 0, name, err);
        if (!st) st = edges_from_csr(w, &c, name, err);
        wgdn_csr_free(&c);
        return st;
    }
    if (!t)
        return wgdn_fail(err, WGDN_EFORMAT,
                         "%s: no graph in it: expected adj_indptr, adj_indices and adj_shape, or "
                         "indptr, indices and shape, or edges%s",
                         wgdn_show_name(name).text,
                         a->left_out_count ? "; arrays of Python objects are not read" : "");
    if (nodes == 0) st = count_nodes(&nodes, t, name, err);
    if (!st) st = wgdn_draft_number(w, nodes, 0, name, err);
    return st ? st : edges_from_list(w, t, nodes, name, err);
}

static wgdn_status load(wgdn_draft *w, const char *path, wgdn_error *err)
{
    wgdn_dataset *d = w->d;
    static const char *const dense[] = {"attr_matrix", "node_features", "features", "x"};
    wgdn_status st = wgdn_archive_open(&d->archive, path, err);
    if (st) return st;
    if (find_part(&d->archive, "attr_", "indptr") || find_any(&d->archive, dense, 4))
        st = wgdn_npz_features(&d->features, &d->archive, path, err);
    if (!st) st = read_graph(w, &d->archive, path, err);
    if (!st) st = wgdn_npz_notes(w, &d->archive, path, err);
    if (!d->features.borrowed) wgdn_archive_free(&d->archive); /* all of it was copied */
    return st;
}

const wgdn_format wgdn_npz_format = {
    .info = {"npz", (const char *const[]){".npz", NULL},
             "Named arrays in a zip: gnn-benchmark, scipy's matrix or plain arrays", 1, 1},
    .load = load,
    .write = wgdn_npz_write,
};
