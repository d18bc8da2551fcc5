/* SPDX-License-Identifier: Apache-2.0 */
/* What a packed dataset knows besides graph and features. */
#include "packed.h"

#include <stdio.h>
#include <string.h>

/* ---- order ---- */

/* The node of each row: every one once. */
static wgdn_status read_order(wgdn_dataset *d, const wgdn_packed *p)
{
    if (!wgdn_archive_find(p->archive, "order")) return WGDN_OK;
    const wgdn_tensor *t = wgdn_packed_need(p, "order", d->nodes);
    if (!t) return WGDN_EFORMAT;
    wgdn_status st = wgdn_array_int32(&d->order, NULL, t, p->name, p->err);
    if (st) return st;
    bool *seen = wgdn_alloc_zero((size_t)d->nodes, sizeof *seen);
    if (!seen) return wgdn_fail(p->err, WGDN_ENOMEM, "%s: order", wgdn_show_name(p->name).text);
    for (int64_t r = 0; !st && r < d->nodes; r++) {
        const int32_t node = d->order[r];
        if (node < 0 || node >= d->nodes || seen[node])
            st = wgdn_packed_refuse(p, "order", "every node once");
        else
            seen[node] = true;
    }
    wgdn_release(seen);
    return st;
}

/* Elements of the rows, which a file has, become those of the nodes, in place. */
static wgdn_status to_nodes(void *data, size_t size, const wgdn_dataset *d, const wgdn_packed *p)
{
    const size_t bytes = (size_t)d->nodes * size;
    if (!d->order || !data) return WGDN_OK;
    char *rows = wgdn_alloc((size_t)d->nodes, size);
    if (!rows) return wgdn_fail(p->err, WGDN_ENOMEM, "%s: order", wgdn_show_name(p->name).text);
    memcpy(rows, data, bytes);
    for (int64_t r = 0; r < d->nodes; r++)
        memcpy((char *)data + (size_t)d->order[r] * size, rows + (size_t)r * size, size);
    wgdn_release(rows);
    return WGDN_OK;
}

/* ---- names ---- */

/* stem.start and stem.text as the pieces they describe; *piece is new. */
static wgdn_status read_pieces(wgdn_text **piece, int64_t *count, const wgdn_packed *p,
                               const char *stem)
{
    char start_name[32], text_name[32];
    int64_t *start = NULL;
    wgdn_status st;
    snprintf(start_name, sizeof start_name, "%s.start", stem);
    snprintf(text_name, sizeof text_name, "%s.text", stem);
    const wgdn_tensor *s = wgdn_packed_need(p, start_name, -1);
    const wgdn_tensor *t = s ? wgdn_packed_need(p, text_name, -1) : NULL;
    if (!t) return WGDN_EFORMAT;
    const int64_t bytes = wgdn_tensor_count(t);
    *count = wgdn_tensor_count(s) - 1;
    if (t->dtype != WGDN_U8 || *count < 0)
        return wgdn_packed_refuse(p, text_name, "bytes and starts");
    st = wgdn_array_int64(&start, NULL, s, p->name, p->err);
    if (st) return st;
    *piece = wgdn_alloc((size_t)*count, sizeof **piece);
    if (!*piece)
        st = wgdn_fail(p->err, WGDN_ENOMEM, "%s: %lld names", wgdn_show_name(p->name).text,
                       (long long)*count);
    for (int64_t i = 0; !st && i < *count; i++) {
        if (start[0] != 0 || start[*count] != bytes || start[i] < 0 || start[i] > start[i + 1] ||
            start[i + 1] > bytes)
            st = wgdn_packed_refuse(p, start_name, "to ascend from 0 to the end of the text");
        else
            (*piece)[i] = wgdn_text_of((const unsigned char *)t->data + start[i],
                                       (size_t)(start[i + 1] - start[i]));
    }
    if (st) {
        wgdn_release(*piece);
        *piece = NULL;
    }
    wgdn_release(start);
    return st;
}

static bool has_names(const wgdn_packed *p, const char *stem)
{
    char start[32];
    snprintf(start, sizeof start, "%s.start", stem);
    return wgdn_archive_find(p->archive, start) != NULL;
}

static wgdn_status refuse_count(const wgdn_packed *p, const char *stem, const char *expected)
{
    char start[32];
    snprintf(start, sizeof start, "%s.start", stem);
    return wgdn_packed_refuse(p, start, expected);
}

wgdn_status wgdn_packed_names(wgdn_names *out, int64_t classes, const wgdn_packed *p,
                              const char *stem)
{
    wgdn_text *piece = NULL;
    int64_t count;
    if (!has_names(p, stem)) return WGDN_OK;
    wgdn_status st = read_pieces(&piece, &count, p, stem);
    if (!st && count != classes) st = refuse_count(p, stem, "a name for each");
    if (!st) st = wgdn_names_from(out, piece, count, p->err);
    wgdn_release(piece);
    return st;
}

/* Ids of `count` things: a text each, or the number of the first one. */
typedef struct id_list {
    const char *stem, *first, *each;
    int64_t count;
    const wgdn_dataset *rows; /* they stand in the order of its rows; NULL: in their own */
    wgdn_ids *ids;
    bool *named;
    int64_t *first_id;
} id_list;

static wgdn_status read_ids(const id_list *l, const wgdn_packed *p)
{
    wgdn_text *piece = NULL;
    int64_t found = 0;
    wgdn_status st = wgdn_packed_number(l->first_id, p, l->first, 0);
    if (!st && (*l->first_id < 0 || *l->first_id > WGDN_NODES_MAX))
        st = wgdn_packed_refuse(p, l->first, "0 .. 2^31 - 1");
    if (st || !has_names(p, l->stem)) return st;
    st = read_pieces(&piece, &found, p, l->stem);
    if (!st && found != l->count) st = refuse_count(p, l->stem, l->each);
    if (!st && l->rows) st = to_nodes(piece, sizeof *piece, l->rows, p);
    wgdn_ids_open(l->ids, INT32_MAX);
    for (int64_t i = 0; !st && i < l->count; i++) {
        int32_t at;
        st = wgdn_ids_add(l->ids, &piece[i], 1, &at, p->err);
        if (!st && at != i)
            st = wgdn_fail(p->err, WGDN_EFORMAT,
                           "%s: the id %s, number %lld of %s.start, is too long or not its own",
                           wgdn_show_name(p->name).text, wgdn_show(piece[i]).text, (long long)i,
                           l->stem);
    }
    *l->named = true;
    wgdn_release(piece);
    return st;
}

static wgdn_status read_node_ids(wgdn_dataset *d, const wgdn_packed *p)
{
    const id_list l = {"ids",   "ids.first", "an id for each node", d->nodes, d,
                       &d->ids, &d->named,   &d->first_id};
    return read_ids(&l, p);
}

static wgdn_status read_graph_ids(wgdn_dataset *d, const wgdn_packed *p)
{
    const id_list l = {"graphs.ids", "graphs.first", "an id for each graph", d->graphs,
                       NULL,         &d->graph_ids,  &d->graphs_named,       &d->first_graph};
    return read_ids(&l, p);
}

/* ---- labels, splits, graphs ---- */

static wgdn_status read_label_array(int32_t **out, int64_t *classes, int64_t count,
                                    const wgdn_packed *p, const char *what, const char *total)
{
    int64_t max = 0;
    if (!wgdn_archive_find(p->archive, what)) return WGDN_OK;
    const wgdn_tensor *t = wgdn_packed_need(p, what, count);
    if (!t) return WGDN_EFORMAT;
    wgdn_status st = wgdn_array_int32(out, NULL, t, p->name, p->err);
    for (int64_t i = 0; !st && i < count; i++) {
        if ((*out)[i] < -1 || (*out)[i] == INT32_MAX)
            st = wgdn_packed_refuse(p, what, "-1, 0, 1, 2, ...");
        else if ((*out)[i] >= max)
            max = (int64_t)(*out)[i] + 1;
    }
    if (!st) st = wgdn_packed_number(classes, p, total, max);
    if (!st && *classes < max) st = wgdn_packed_refuse(p, total, "more than the largest label");
    if (!st && *classes > WGDN_CLASSES_MAX) st = wgdn_packed_refuse(p, total, "less than 2^31 - 1");
    if (!st && *classes > max + WGDN_CLASSES_SPARE)
        st = wgdn_packed_refuse(p, total, "about as many as the labels have");
    return st;
}

/* Several labels a node: rows of the file, which become the nodes'. */
static wgdn_status read_lists(wgdn_dataset *d, const wgdn_packed *p)
{
    wgdn_csr rows = {.rows = d->nodes, .cols = d->classes};
    wgdn_label_pairs pairs = {0};
    if (!wgdn_archive_find(p->archive, "labels.offset")) return WGDN_OK;
    const wgdn_tensor *o = wgdn_packed_need(p, "labels.offset", d->nodes + 1);
    const wgdn_tensor *c = o ? wgdn_packed_need(p, "labels.column", -1) : NULL;
    if (!c) return WGDN_EFORMAT;
    pairs.count = wgdn_tensor_count(c);
    wgdn_status st = wgdn_array_int64(&rows.offset, NULL, o, p->name, p->err);
    if (!st) st = wgdn_array_int32(&rows.column, NULL, c, p->name, p->err);
    if (!st) st = wgdn_rows_check(&rows, pairs.count, "labels", p->name, p->err);
    pairs.node = st ? NULL : wgdn_alloc((size_t)pairs.count, sizeof *pairs.node);
    if (!st && !pairs.node)
        st = wgdn_fail(p->err, WGDN_ENOMEM, "%s: labels", wgdn_show_name(p->name).text);
    for (int64_t r = 0; !st && r < d->nodes; r++)
        for (int64_t k = rows.offset[r]; k < rows.offset[r + 1]; k++)
            pairs.node[k] = d->order ? d->order[r] : r;
    pairs.label = rows.column;
    if (!st) st = wgdn_lists_gather(d, &pairs, p->err);
    wgdn_release(pairs.node);
    wgdn_csr_free(&rows);
    return st;
}

static wgdn_status read_splits(wgdn_dataset *d, const wgdn_packed *p)
{
    const wgdn_tensor *t = wgdn_archive_find(p->archive, "split");
    if (!t) return WGDN_OK;
    if (t->rank != 2 || t->shape[1] != d->nodes || t->dtype != WGDN_I8 || t->shape[0] < 1)
        return wgdn_packed_refuse(p, "split", "I8, splits x nodes");
    const int8_t *from = t->data;
    const int64_t all = wgdn_tensor_count(t);
    for (int64_t k = 0; k < all; k++)
        if (from[k] < WGDN_SPLIT_NONE || from[k] > WGDN_SPLIT_TEST)
            return wgdn_packed_refuse(p, "split", "0 none, 1 train, 2 val, 3 test");
    d->split = wgdn_alloc((size_t)all, 1);
    if (!d->split)
        return wgdn_fail(p->err, WGDN_ENOMEM, "%s: splits", wgdn_show_name(p->name).text);
    memcpy(d->split, from, (size_t)all);
    d->splits = t->shape[0];
    wgdn_status st = WGDN_OK;
    for (int64_t k = 0; !st && k < d->splits; k++)
        st = to_nodes(d->split + k * d->nodes, 1, d, p);
    return st;
}

static wgdn_status read_graphs(wgdn_dataset *d, const wgdn_packed *p)
{
    const wgdn_tensor *t = wgdn_archive_find(p->archive, "graphs.start");
    wgdn_status st = WGDN_OK;
    if (t && d->order) return wgdn_packed_refuse(p, "order", "one graph beside it");
    if (t) {
        d->graphs = wgdn_tensor_count(t) - 1;
        if (d->graphs < 1 || d->graphs > d->nodes)
            return wgdn_packed_refuse(p, "graphs.start", "1 .. nodes of them, and the end");
        st = wgdn_array_int64(&d->graph_start, NULL, t, p->name, p->err);
        if (!st) st = wgdn_graphs_check(d, p->name, p->err);
        if (!st) st = read_graph_ids(d, p);
    }
    if (!st)
        st = read_label_array(&d->graph_label, &d->graph_classes, d->graphs, p, "graphs.label",
                              "graphs.classes");
    if (!st) st = wgdn_packed_names(&d->graph_class_names, d->graph_classes, p, "graphs.class");
    return st;
}

static wgdn_status read_counts(wgdn_dataset *d, const wgdn_packed *p)
{
    int64_t c[7] = {0};
    if (!wgdn_archive_find(p->archive, "counts")) return WGDN_OK;
    const wgdn_tensor *t = wgdn_packed_need(p, "counts", 7);
    if (!t) return WGDN_EFORMAT;
    const wgdn_status st = wgdn_tensor_to_i64(c, t, p->err);
    d->counts = (wgdn_dataset_counts){c[0], c[1], c[2], c[3], c[4], c[5], c[6]};
    return st;
}

wgdn_status wgdn_packed_encoding(wgdn_dataset *d, const char *name, wgdn_error *err)
{
    const char *text = wgdn_archive_metadata(&d->archive, "wgdn.encoding");
    wgdn_encoding e = {0};
    wgdn_error why = {WGDN_OK, ""};
    if (!text) return WGDN_OK;
    wgdn_status st = wgdn_encoding_parse(&e, text, &why);
    if (!st) st = wgdn_encoding_text(&d->encoding, &e, &why);
    wgdn_encoding_free(&e);
    return st ? wgdn_fail(err, st, "%s: %s", wgdn_show_name(name).text, why.message) : WGDN_OK;
}

wgdn_status wgdn_packed_notes(wgdn_dataset *d, const char *name, wgdn_error *err)
{
    const wgdn_packed p = {&d->archive, name, err};
    wgdn_status st = read_order(d, &p);
    if (!st) st = read_label_array(&d->label, &d->classes, d->nodes, &p, "label", "classes");
    if (!st) st = to_nodes(d->label, sizeof *d->label, d, &p);
    if (!st) st = read_lists(d, &p);
    if (!st) st = wgdn_packed_names(&d->class_names, d->classes, &p, "class");
    if (!st) st = read_splits(d, &p);
    if (!st) st = read_node_ids(d, &p);
    if (!st) st = read_graphs(d, &p);
    if (!st) st = read_counts(d, &p);
    return st;
}
