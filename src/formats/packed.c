/* SPDX-License-Identifier: Apache-2.0 */
/* Graph and features of a packed dataset. */
#include "packed.h"

#include <string.h>

const wgdn_tensor *wgdn_packed_need(const wgdn_archive *a, const char *what, int64_t count,
                                    const char *name, wgdn_error *err)
{
    const wgdn_tensor *t = wgdn_archive_find(a, what);
    if (!t || (count >= 0 && wgdn_tensor_count(t) != count)) {
        (void)wgdn_packed_refuse(what, t ? "another number of elements" : "to be there", name, err);
        return NULL;
    }
    return t;
}

wgdn_status wgdn_packed_number(int64_t *out, const wgdn_archive *a, const char *what, int64_t usual,
                               const char *name, wgdn_error *err)
{
    *out = usual;
    if (!wgdn_archive_find(a, what)) return WGDN_OK;
    const wgdn_tensor *t = wgdn_packed_need(a, what, 1, name, err);
    return t ? wgdn_tensor_to_i64(out, t, err) : WGDN_EFORMAT;
}

/* ---- rows ---- */

/* Offsets and columns of so many rows, checked. Both are lent, or both are copies. */
static wgdn_status read_rows(wgdn_csr *out, bool *lent, const wgdn_archive *a, const char *offset,
                             const char *column, const char *what, const char *name,
                             wgdn_error *err)
{
    bool lent_offset = false, lent_column = false;
    const wgdn_tensor *o = wgdn_packed_need(a, offset, out->rows + 1, name, err);
    const wgdn_tensor *c = o ? wgdn_packed_need(a, column, -1, name, err) : NULL;
    if (!c) return WGDN_EFORMAT;
    wgdn_status st = wgdn_array_int64(&out->offset, lent ? &lent_offset : NULL, o, name, err);
    if (!st) st = wgdn_array_int32(&out->column, lent ? &lent_column : NULL, c, name, err);
    if (!st && lent_offset != lent_column) { /* cannot be said in one flag: copy both */
        if (!lent_offset) wgdn_release(out->offset);
        if (!lent_column) wgdn_release(out->column);
        out->offset = NULL;
        out->column = NULL;
        *lent = false;
        return read_rows(out, NULL, a, offset, column, what, name, err);
    }
    if (lent) *lent = lent_offset;
    if (!st) st = wgdn_rows_check(out, wgdn_tensor_count(c), what, name, err);
    if (st && !lent_offset) wgdn_csr_free(out);
    return st;
}

static wgdn_status read_graph(wgdn_dataset *d, const wgdn_archive *a, const char *name,
                              wgdn_error *err)
{
    bool lent = true;
    wgdn_csr rows = {.rows = d->nodes, .cols = d->nodes};
    wgdn_status st = read_rows(&rows, &lent, a, "graph.offset", "graph.column", "graph", name, err);
    if (st) return st;
    st = wgdn_symmetry_check(&rows, name, err);
    if (!st) st = wgdn_graph_from_rows(&d->graph, &rows, lent, err);
    if (st && !lent) wgdn_csr_free(&rows);
    return st;
}

static wgdn_status read_sparse(wgdn_dataset *d, const wgdn_archive *a, const char *name,
                               wgdn_error *err)
{
    wgdn_features *f = &d->features;
    const wgdn_tensor *value = wgdn_archive_find(a, "features.value");
    int64_t width;
    bool lent = true;
    wgdn_status st = wgdn_packed_number(&width, a, "features.width", 0, name, err);
    if (st) return st;
    if (width < 1 || width > INT32_MAX)
        return wgdn_packed_refuse("features.width", "1 .. 2^31 - 1", name, err);
    wgdn_csr rows = {.rows = d->nodes, .cols = width};
    st = read_rows(&rows, &lent, a, "features.offset", "features.column", "features", name, err);
    if (st) return st;
    *f = (wgdn_features){.rows = d->nodes, .width = width, .sparse = rows, .lent = lent};
    if (!value) return wgdn_features_check(f, name, err);
    if (wgdn_tensor_count(value) != wgdn_csr_entries(&rows))
        return wgdn_packed_refuse("features.value", "one for each column", name, err);
    bool lent_value = lent;
    st = wgdn_array_floats(&f->sparse.value, lent ? &lent_value : NULL, value, name, err);
    if (!st && lent && !lent_value) {
        wgdn_release(f->sparse.value);
        f->sparse.value = NULL;
        return wgdn_packed_refuse("features.value", "F32 at a multiple of four bytes", name, err);
    }
    return st ? st : wgdn_features_check(f, name, err);
}

static wgdn_status read_features(wgdn_dataset *d, const wgdn_archive *a, const char *name,
                                 wgdn_error *err)
{
    const wgdn_tensor *dense = wgdn_archive_find(a, "features.dense");
    if (dense) return wgdn_features_from_tensor(&d->features, dense, name, err);
    int64_t degrees = 0;
    if (!wgdn_archive_find(a, "features.offset")) return WGDN_OK;
    const wgdn_status st = wgdn_packed_number(&degrees, a, "features.degrees", 0, name, err);
    d->degrees = degrees != 0;
    return st ? st : read_sparse(d, a, name, err);
}

wgdn_status wgdn_packed_parse(wgdn_dataset *d, const char *name, const wgdn_dataset_options *o,
                              wgdn_error *err)
{
    const wgdn_archive *a = &d->archive;
    const char *kind = wgdn_archive_metadata(a, "wgdn.kind");
    const char *version = wgdn_archive_metadata(a, "wgdn.version");
    if (!kind || strcmp(kind, "dataset") != 0 || !version || strcmp(version, "1") != 0)
        return wgdn_packed_refuse("the metadata", "wgdn.kind = dataset and wgdn.version = 1", name,
                                  err);
    const wgdn_tensor *t = wgdn_packed_need(a, "graph.offset", -1, name, err);
    if (!t) return WGDN_EFORMAT;
    d->nodes = wgdn_tensor_count(t) - 1;
    if (d->nodes < 1) return wgdn_packed_refuse("graph.offset", "one node at least", name, err);
    if (d->nodes > o->max_nodes)
        return wgdn_fail(err, WGDN_ERANGE, "%s: %lld nodes; the most allowed here are %lld",
                         wgdn_show_name(name).text, (long long)d->nodes, (long long)o->max_nodes);
    wgdn_status st = read_graph(d, a, name, err);
    if (!st && wgdn_csr_entries(&d->graph->adjacency) / 2 > o->max_entries)
        st = wgdn_fail(err, WGDN_ERANGE, "%s: more than %lld edges, the most allowed here",
                       wgdn_show_name(name).text, (long long)o->max_entries);
    if (!st) st = read_features(d, a, name, err);
    if (!st) st = wgdn_packed_notes(d, name, err);
    return st ? st : wgdn_dataset_check(d, name, err);
}

wgdn_status wgdn_load_packed(wgdn_draft *w, const char *path, wgdn_error *err)
{
    const wgdn_status st = wgdn_archive_open(&w->d->archive, path, err);
    w->whole = true;
    return st ? st : wgdn_packed_parse(w->d, path, w->o, err);
}
