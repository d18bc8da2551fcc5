/* SPDX-License-Identifier: Apache-2.0 */
/* Graph and features of a packed dataset. */
#include "packed.h"

#include <stdio.h>
#include <string.h>

const wgdn_tensor *wgdn_packed_need(const wgdn_packed *p, const char *what, int64_t count)
{
    const wgdn_tensor *t = wgdn_archive_find(p->archive, what);
    if (!t || (count >= 0 && wgdn_tensor_count(t) != count)) {
        (void)wgdn_packed_refuse(p, what, t ? "another number of elements" : "to be there");
        return NULL;
    }
    return t;
}

wgdn_status wgdn_packed_number(int64_t *out, const wgdn_packed *p, const char *what,
                               int64_t otherwise)
{
    *out = otherwise;
    if (!wgdn_archive_find(p->archive, what)) return WGDN_OK;
    const wgdn_tensor *t = wgdn_packed_need(p, what, 1);
    return t ? wgdn_tensor_to_i64(out, t, p->err) : WGDN_EFORMAT;
}

/* ---- rows ---- */

/* what.offset and what.column of so many rows, checked. Both are borrowed, or both are copies. */
static wgdn_status read_rows(wgdn_csr *out, bool *borrowed, const wgdn_packed *p, const char *what)
{
    bool borrowed_offset = false, borrowed_column = false;
    char offset[32], column[32];
    snprintf(offset, sizeof offset, "%s.offset", what);
    snprintf(column, sizeof column, "%s.column", what);
    const wgdn_tensor *o = wgdn_packed_need(p, offset, out->rows + 1);
    const wgdn_tensor *c = o ? wgdn_packed_need(p, column, -1) : NULL;
    if (!c) return WGDN_EFORMAT;
    wgdn_status st =
        wgdn_array_int64(&out->offset, borrowed ? &borrowed_offset : NULL, o, p->name, p->err);
    if (!st)
        st = wgdn_array_int32(&out->column, borrowed ? &borrowed_column : NULL, c, p->name, p->err);
    if (!st && borrowed_offset != borrowed_column) { /* cannot be said in one flag: copy both */
        if (!borrowed_offset) wgdn_release(out->offset);
        if (!borrowed_column) wgdn_release(out->column);
        out->offset = NULL;
        out->column = NULL;
        *borrowed = false;
        return read_rows(out, NULL, p, what);
    }
    if (borrowed) *borrowed = borrowed_offset;
    if (!st) st = wgdn_rows_check(out, wgdn_tensor_count(c), what, p->name, p->err);
    if (st && !borrowed_offset) wgdn_csr_free(out);
    return st;
}

/* The weights of the edges. A graph frees all of its arrays or none: where it borrows the others, a
 * copy is the dataset's. *ignored: entries other than 1 that the option leaves out. */
static wgdn_status read_weights(wgdn_csr *rows, int64_t *ignored, wgdn_dataset *d,
                                const wgdn_packed *p, wgdn_weights how, bool borrowed_rows)
{
    const int64_t entries = wgdn_csr_entries(rows);
    const bool lend = borrowed_rows && how != WGDN_WEIGHTS_LOG;
    bool borrowed = false;
    if (!wgdn_archive_find(p->archive, "graph.value")) return WGDN_OK;
    const wgdn_tensor *t = wgdn_packed_need(p, "graph.value", entries);
    if (!t) return WGDN_EFORMAT;
    wgdn_status st = wgdn_array_floats(&rows->value, lend ? &borrowed : NULL, t, p->name, p->err);
    if (st) return st;
    if (borrowed_rows && !borrowed) d->edge_value = rows->value;
    if (how == WGDN_WEIGHTS_IGNORE)
        for (int64_t k = 0; k < entries; k++)
            *ignored += rows->value[k] != 1;
    else
        st = wgdn_weights_check(rows->value, entries, p->name, p->err);
    if (how == WGDN_WEIGHTS_IGNORE || (!st && !wgdn_weights_settle(rows->value, entries, how))) {
        if (!borrowed_rows) wgdn_release(rows->value);
        rows->value = NULL;
    }
    return st;
}

wgdn_status wgdn_packed_ignored(wgdn_dataset *d, int64_t entries, wgdn_error *err)
{
    const int64_t edges = entries / 2;
    if (edges == 0) return WGDN_OK;
    d->counts.other_weights += edges;
    return wgdn_remarks_add(&d->remarks, "weights-ignored", edges, err, "%lld %s", (long long)edges,
                            edges == 1 ? "weight other than 1 counts as 1"
                                       : "weights other than 1 count as 1");
}

static wgdn_status read_graph(wgdn_dataset *d, int64_t *ignored, const wgdn_packed *p,
                              wgdn_weights how)
{
    bool borrowed = true;
    wgdn_csr rows = {.rows = d->nodes, .cols = d->nodes};
    wgdn_status st = read_rows(&rows, &borrowed, p, "graph");
    if (st) return st;
    st = read_weights(&rows, ignored, d, p, how, borrowed);
    if (!st) st = wgdn_symmetry_check(&rows, p->name, p->err);
    if (!st) st = wgdn_graph_from_rows(&d->graph, &rows, borrowed, p->err);
    if (st && !borrowed) wgdn_csr_free(&rows);
    return st;
}

static wgdn_status read_sparse(wgdn_dataset *d, const wgdn_packed *p)
{
    wgdn_features *f = &d->features;
    const wgdn_tensor *value = wgdn_archive_find(p->archive, "features.value");
    int64_t width;
    bool borrowed = true;
    wgdn_status st = wgdn_packed_number(&width, p, "features.width", 0);
    if (st) return st;
    if (width < 1 || width > WGDN_COLUMNS_MAX)
        return wgdn_packed_refuse(p, "features.width", "1 .. 2^31 - 1");
    wgdn_csr rows = {.rows = d->nodes, .cols = width};
    st = read_rows(&rows, &borrowed, p, "features");
    if (st) return st;
    *f = (wgdn_features){.rows = d->nodes, .width = width, .sparse = rows, .borrowed = borrowed};
    if (!value) return wgdn_features_check(f, p->name, p->err);
    if (wgdn_tensor_count(value) != wgdn_csr_entries(&rows))
        return wgdn_packed_refuse(p, "features.value", "one for each column");
    bool borrowed_value = borrowed;
    st = wgdn_array_floats(&f->sparse.value, borrowed ? &borrowed_value : NULL, value, p->name,
                           p->err);
    if (!st && borrowed && !borrowed_value) {
        wgdn_release(f->sparse.value);
        f->sparse.value = NULL;
        return wgdn_packed_refuse(p, "features.value", "F32 at a multiple of four bytes");
    }
    return st ? st : wgdn_features_check(f, p->name, p->err);
}

static wgdn_status read_features(wgdn_dataset *d, const wgdn_packed *p)
{
    const wgdn_tensor *dense = wgdn_archive_find(p->archive, "features.dense");
    if (dense) return wgdn_features_from_tensor(&d->features, dense, &d->archive, p->name, p->err);
    int64_t degrees = 0;
    if (!wgdn_archive_find(p->archive, "features.offset")) return WGDN_OK;
    const wgdn_status st = wgdn_packed_number(&degrees, p, "features.degrees", 0);
    d->degrees = degrees != 0;
    return st ? st : read_sparse(d, p);
}

wgdn_status wgdn_packed_recognise(const wgdn_packed *p)
{
    const char *kind = wgdn_archive_metadata(p->archive, "wgdn.kind");
    const char *version = wgdn_archive_metadata(p->archive, "wgdn.version");
    if (kind && strcmp(kind, "dataset") == 0 && version && strcmp(version, "1") == 0)
        return WGDN_OK;
    return wgdn_packed_refuse(p, "the metadata", "wgdn.kind = dataset and wgdn.version = 1");
}

wgdn_status wgdn_packed_parse(wgdn_dataset *d, const char *name, const wgdn_dataset_options *o,
                              wgdn_error *err)
{
    const wgdn_archive *a = &d->archive;
    const wgdn_packed p = {a, name, err};
    if (wgdn_packed_recognise(&p)) return WGDN_EFORMAT;
    const wgdn_tensor *t = wgdn_packed_need(&p, "graph.offset", -1);
    if (!t) return WGDN_EFORMAT;
    d->nodes = wgdn_tensor_count(t) - 1;
    if (d->nodes < 1) return wgdn_packed_refuse(&p, "graph.offset", "one node at least");
    if (d->nodes > o->max_nodes)
        return wgdn_fail(err, WGDN_ERANGE, "%s: %lld nodes; the most allowed here are %lld",
                         wgdn_show_name(name).text, (long long)d->nodes, (long long)o->max_nodes);
    int64_t ignored = 0;
    wgdn_status st = read_graph(d, &ignored, &p, o->weights);
    if (!st && wgdn_csr_entries(&d->graph->adjacency) / 2 > o->max_entries)
        st = wgdn_fail(err, WGDN_ERANGE, "%s: more than %lld edges, the most allowed here",
                       wgdn_show_name(name).text, (long long)o->max_entries);
    if (!st) st = read_features(d, &p);
    if (!st) st = wgdn_packed_relations(d, &p);
    if (!st) st = wgdn_packed_notes(d, name, err);
    if (!st) st = wgdn_packed_encoding(d, name, err);
    if (!st) st = wgdn_packed_ignored(d, ignored, err);
    return st ? st : wgdn_dataset_check(d, name, err);
}

static wgdn_status load(wgdn_draft *w, const char *path, wgdn_error *err)
{
    const wgdn_status st = wgdn_archive_open(&w->d->archive, path, err);
    w->whole = true;
    if (st) return st;
    wgdn_draft_spare(w, &w->d->archive);
    return wgdn_packed_parse(w->d, path, w->o, err);
}

static bool look(wgdn_text start)
{
    const char *suffix = wgdn_start_archive(start);
    return suffix && strcmp(suffix, ".safetensors") == 0;
}

const wgdn_format wgdn_packed_format = {
    .info = {"safetensors", (const char *const[]){".safetensors", NULL},
             "The packed dataset, which keeps everything", 1, 1},
    .look = look,
    .load = load,
    .share = wgdn_packed_share,
    .write = wgdn_packed_write,
    .keeps_order = true,
};
