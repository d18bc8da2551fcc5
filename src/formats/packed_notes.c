/* SPDX-License-Identifier: Apache-2.0 */
/* What a packed dataset knows besides graph and features. */
#include "packed.h"

#include <string.h>

/* ---- order ---- */

/* The node of each row: every one once. */
static wgdn_status read_order(wgdn_dataset *d, const wgdn_archive *a, const char *name,
                              wgdn_error *err)
{
    if (!wgdn_archive_find(a, "order")) return WGDN_OK;
    const wgdn_tensor *t = wgdn_packed_need(a, "order", d->nodes, name, err);
    if (!t) return WGDN_EFORMAT;
    wgdn_status st = wgdn_array_int32(&d->order, NULL, t, name, err);
    if (st) return st;
    bool *seen = wgdn_alloc_zero((size_t)d->nodes, sizeof *seen);
    if (!seen) return wgdn_fail(err, WGDN_ENOMEM, "%s: order", wgdn_show_name(name).text);
    for (int64_t r = 0; !st && r < d->nodes; r++) {
        const int32_t node = d->order[r];
        if (node < 0 || node >= d->nodes || seen[node])
            st = wgdn_packed_refuse("order", "every node once", name, err);
        else
            seen[node] = true;
    }
    wgdn_release(seen);
    return st;
}

/* Elements of the rows, which a file has, become those of the nodes, in place. */
static wgdn_status to_nodes(void *data, size_t size, const wgdn_dataset *d, const char *name,
                            wgdn_error *err)
{
    const size_t bytes = (size_t)d->nodes * size;
    if (!d->order || !data) return WGDN_OK;
    char *rows = wgdn_alloc((size_t)d->nodes, size);
    if (!rows) return wgdn_fail(err, WGDN_ENOMEM, "%s: order", wgdn_show_name(name).text);
    memcpy(rows, data, bytes);
    for (int64_t r = 0; r < d->nodes; r++)
        memcpy((char *)data + (size_t)d->order[r] * size, rows + (size_t)r * size, size);
    wgdn_release(rows);
    return WGDN_OK;
}

/* ---- names ---- */

/* start and text as the pieces they describe; *piece is new. */
static wgdn_status read_pieces(wgdn_text **piece, int64_t *count, const wgdn_archive *a,
                               const char *start_name, const char *text_name, const char *name,
                               wgdn_error *err)
{
    int64_t *start = NULL;
    wgdn_status st;
    const wgdn_tensor *s = wgdn_packed_need(a, start_name, -1, name, err);
    const wgdn_tensor *t = s ? wgdn_packed_need(a, text_name, -1, name, err) : NULL;
    if (!t) return WGDN_EFORMAT;
    const int64_t bytes = wgdn_tensor_count(t);
    *count = wgdn_tensor_count(s) - 1;
    if (t->dtype != WGDN_U8 || *count < 0)
        return wgdn_packed_refuse(text_name, "bytes and starts", name, err);
    st = wgdn_array_int64(&start, NULL, s, name, err);
    if (st) return st;
    *piece = wgdn_alloc((size_t)*count, sizeof **piece);
    if (!*piece)
        st = wgdn_fail(err, WGDN_ENOMEM, "%s: %lld names", wgdn_show_name(name).text,
                       (long long)*count);
    for (int64_t i = 0; !st && i < *count; i++) {
        if (start[0] != 0 || start[*count] != bytes || start[i] < 0 || start[i] > start[i + 1] ||
            start[i + 1] > bytes)
            st = wgdn_packed_refuse(start_name, "to ascend from 0 to the end of the text", name,
                                    err);
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

static wgdn_status read_names(wgdn_names *out, int64_t classes, const wgdn_archive *a,
                              const char *start, const char *text, const char *name,
                              wgdn_error *err)
{
    wgdn_text *piece = NULL;
    int64_t count;
    if (!wgdn_archive_find(a, start)) return WGDN_OK;
    wgdn_status st = read_pieces(&piece, &count, a, start, text, name, err);
    if (!st && count != classes) st = wgdn_packed_refuse(start, "a name for each class", name, err);
    if (!st) st = wgdn_names_from(out, piece, count, err);
    wgdn_release(piece);
    return st;
}

/* Names of `count` things, or the number of the first one. */
typedef struct id_names {
    const char *start, *text, *first, *each;
} id_names;

static wgdn_status read_ids(wgdn_ids *ids, bool *named, int64_t *first, int64_t count,
                            const id_names *is, const wgdn_dataset *d, const wgdn_archive *a,
                            const char *name, wgdn_error *err)
{
    wgdn_text *piece = NULL;
    int64_t found = 0;
    wgdn_status st = wgdn_packed_number(first, a, is->first, 0, name, err);
    if (!st && (*first < 0 || *first > INT32_MAX))
        st = wgdn_packed_refuse(is->first, "0 .. 2^31 - 1", name, err);
    if (st || !wgdn_archive_find(a, is->start)) return st;
    st = read_pieces(&piece, &found, a, is->start, is->text, name, err);
    if (!st && found != count) st = wgdn_packed_refuse(is->start, is->each, name, err);
    if (!st && d) st = to_nodes(piece, sizeof *piece, d, name, err);
    wgdn_ids_open(ids, INT32_MAX);
    for (int64_t i = 0; !st && i < count; i++) {
        int32_t at;
        st = wgdn_ids_add(ids, &piece[i], 1, &at, err);
        if (!st && at != i)
            st = wgdn_fail(
                err, WGDN_EFORMAT, "%s: the id %s, number %lld of %s, is too long or not its own",
                wgdn_show_name(name).text, wgdn_show(piece[i]).text, (long long)i, is->start);
    }
    *named = true;
    wgdn_release(piece);
    return st;
}

static wgdn_status read_node_ids(wgdn_dataset *d, const wgdn_archive *a, const char *name,
                                 wgdn_error *err)
{
    static const id_names is = {"ids.start", "ids.text", "ids.first", "an id for each node"};
    return read_ids(&d->ids, &d->named, &d->first_id, d->nodes, &is, d, a, name, err);
}

static wgdn_status read_graph_ids(wgdn_dataset *d, const wgdn_archive *a, const char *name,
                                  wgdn_error *err)
{
    static const id_names is = {"graphs.ids.start", "graphs.ids.text", "graphs.first",
                                "an id for each graph"};
    return read_ids(&d->graph_ids, &d->graphs_named, &d->first_graph, d->graphs, &is, NULL, a, name,
                    err);
}

/* ---- labels, splits, graphs ---- */

static wgdn_status read_label_array(int32_t **out, int64_t *classes, int64_t count,
                                    const wgdn_archive *a, const char *what, const char *total,
                                    const char *name, wgdn_error *err)
{
    int64_t most = 0;
    if (!wgdn_archive_find(a, what)) return WGDN_OK;
    const wgdn_tensor *t = wgdn_packed_need(a, what, count, name, err);
    if (!t) return WGDN_EFORMAT;
    wgdn_status st = wgdn_array_int32(out, NULL, t, name, err);
    for (int64_t i = 0; !st && i < count; i++) {
        if ((*out)[i] < -1 || (*out)[i] == INT32_MAX)
            st = wgdn_packed_refuse(what, "-1, 0, 1, 2, ...", name, err);
        else if ((*out)[i] >= most)
            most = (int64_t)(*out)[i] + 1;
    }
    if (!st) st = wgdn_packed_number(classes, a, total, most, name, err);
    if (!st && *classes < most)
        st = wgdn_packed_refuse(total, "more than the largest label", name, err);
    return st;
}

static wgdn_status read_splits(wgdn_dataset *d, const wgdn_archive *a, const char *name,
                               wgdn_error *err)
{
    const wgdn_tensor *t = wgdn_archive_find(a, "split");
    if (!t) return WGDN_OK;
    if (t->rank != 2 || t->shape[1] != d->nodes || t->dtype != WGDN_I8 || t->shape[0] < 1)
        return wgdn_packed_refuse("split", "I8, splits x nodes", name, err);
    const int8_t *from = t->data;
    const int64_t all = wgdn_tensor_count(t);
    for (int64_t k = 0; k < all; k++)
        if (from[k] < WGDN_SPLIT_NONE || from[k] > WGDN_SPLIT_TEST)
            return wgdn_packed_refuse("split", "0 none, 1 train, 2 val, 3 test", name, err);
    d->split = wgdn_alloc((size_t)all, 1);
    if (!d->split) return wgdn_fail(err, WGDN_ENOMEM, "%s: splits", wgdn_show_name(name).text);
    memcpy(d->split, from, (size_t)all);
    d->splits = t->shape[0];
    wgdn_status st = WGDN_OK;
    for (int64_t k = 0; !st && k < d->splits; k++)
        st = to_nodes(d->split + k * d->nodes, 1, d, name, err);
    return st;
}

static wgdn_status read_graphs(wgdn_dataset *d, const wgdn_archive *a, const char *name,
                               wgdn_error *err)
{
    const wgdn_tensor *t = wgdn_archive_find(a, "graphs.start");
    wgdn_status st = WGDN_OK;
    if (t && d->order) return wgdn_packed_refuse("order", "one graph beside it", name, err);
    if (t) {
        d->graphs = wgdn_tensor_count(t) - 1;
        if (d->graphs < 1 || d->graphs > d->nodes)
            return wgdn_packed_refuse("graphs.start", "1 .. nodes of them, and the end", name, err);
        st = wgdn_array_int64(&d->graph_start, NULL, t, name, err);
        if (!st) st = wgdn_graphs_check(d, name, err);
        if (!st) st = read_graph_ids(d, a, name, err);
    }
    if (!st)
        st = read_label_array(&d->graph_label, &d->graph_classes, d->graphs, a, "graphs.label",
                              "graphs.classes", name, err);
    if (!st)
        st = read_names(&d->graph_class_names, d->graph_classes, a, "graphs.class.start",
                        "graphs.class.text", name, err);
    return st;
}

static wgdn_status read_counts(wgdn_dataset *d, const wgdn_archive *a, const char *name,
                               wgdn_error *err)
{
    int64_t c[6] = {0};
    if (!wgdn_archive_find(a, "counts")) return WGDN_OK;
    const wgdn_tensor *t = wgdn_packed_need(a, "counts", 6, name, err);
    if (!t) return WGDN_EFORMAT;
    const wgdn_status st = wgdn_tensor_to_i64(c, t, err);
    d->counts = (wgdn_dataset_counts){c[0], c[1], c[2], c[3], c[4], c[5]};
    return st;
}

wgdn_status wgdn_packed_notes(wgdn_dataset *d, const char *name, wgdn_error *err)
{
    const wgdn_archive *a = &d->archive;
    wgdn_status st = read_order(d, a, name, err);
    if (!st)
        st = read_label_array(&d->label, &d->classes, d->nodes, a, "label", "classes", name, err);
    if (!st) st = to_nodes(d->label, sizeof *d->label, d, name, err);
    if (!st)
        st = read_names(&d->class_names, d->classes, a, "class.start", "class.text", name, err);
    if (!st) st = read_splits(d, a, name, err);
    if (!st) st = read_node_ids(d, a, name, err);
    if (!st) st = read_graphs(d, a, name, err);
    if (!st) st = read_counts(d, a, name, err);
    return st;
}
