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
    if (c.rows < 1 || c.cols < 1 || c.rows > WGDN_NODES_MAX || c.cols > WGDN_COLUMNS_MAX ||
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

wgdn_status wgdn_npz_features(wgdn_features *f, wgdn_archive *a, const char *name, wgdn_error *err)
{
    parts p;
    wgdn_csr c;
    if (find_parts(&p, a, "attr_") || (!find_part(a, "adj_", "indptr") && find_parts(&p, a, ""))) {
        const wgdn_status st = join_parts(&c, &p, a, name, err);
        return st ? st : wgdn_features_from_csr(f, &c, name, err);
    }
    const wgdn_tensor *t = a->tensors == 1 ? &a->tensor[0] : find_any(a, dense, DENSE + 1);
    if (!t)
        return wgdn_fail(err, WGDN_EFORMAT,
                         "%s: no features in it: expected one matrix, or indptr, indices, data and "
                         "shape",
                         wgdn_show_name(name).text);
    return wgdn_features_from_tensor(f, t, a, name, err);
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

static wgdn_status read_graph(wgdn_draft *w, const wgdn_archive *a, const char *name,
                              wgdn_error *err)
{
    parts p;
    wgdn_csr c;
    if (!find_parts(&p, a, "adj_") && !find_parts(&p, a, ""))
        return wgdn_npz_edges(w, a, name, err);
    wgdn_status st = join_parts(&c, &p, a, name, err);
    if (st) return st;
    st = wgdn_draft_number(w, c.rows, 0, name, err);
    if (!st) st = edges_from_csr(w, &c, name, err);
    wgdn_csr_free(&c);
    return st;
}

/* ---- all of it ---- */

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
    if (find_part(&d->archive, "attr_", "indptr") || find_any(&d->archive, dense, DENSE))
        st = wgdn_npz_features(&d->features, &d->archive, path, err);
    if (!st) st = read_graph(w, &d->archive, path, err);
    if (!st) st = wgdn_npz_notes(w, &d->archive, path, err);
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

static bool look(wgdn_text start)
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
    .look = look,
    .load = load,
    .write = wgdn_npz_write,
};

const wgdn_format wgdn_npy_format = {
    .info = {"npy", (const char *const[]){".npy", NULL},
             "One array: pairs of nodes, or an adjacency matrix", 1, 0},
    .look = look_npy,
    .load = load,
};
