/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads and writes the packed dataset, a safetensors file that keeps everything a dataset holds.
 * `wgdn convert` writes it; packed_ranks.c reads it when several ranks share the rows.
 */
#include "packed.h"
#include "io/archive.h"

#include <stdio.h>
#include <string.h>

static const wgdn_tensor *packed_need(const wgdn_packed *p, const char *what, int64_t count);

/* Reads the contents of a packed dataset besides graph and features. */

/* ---- order ---- */

/* The node of each row: every one once. */
static wgdn_status read_order(wgdn_dataset *d, const wgdn_packed *p)
{
    if (!wgdn_archive_find(p->archive, "order")) return WGDN_OK;
    const wgdn_tensor *t = packed_need(p, "order", d->nodes);
    if (!t) return WGDN_EFORMAT;
    wgdn_status st = wgdn_array_int32(&d->order, NULL, t, p->name, p->err);
    if (st) return st;
    bool *seen = wgdn_alloc_zero((size_t)d->nodes, sizeof *seen);
    if (!seen) return wgdn_fail_in(p->err, WGDN_ENOMEM, p->name, "order");
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
    if (!rows) return wgdn_fail_in(p->err, WGDN_ENOMEM, p->name, "order");
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
    const wgdn_tensor *s = packed_need(p, start_name, -1);
    const wgdn_tensor *t = s ? packed_need(p, text_name, -1) : NULL;
    if (!t) return WGDN_EFORMAT;
    const int64_t bytes = wgdn_tensor_count(t);
    *count = wgdn_tensor_count(s) - 1;
    if (t->dtype != WGDN_U8 || *count < 0)
        return wgdn_packed_refuse(p, text_name, "bytes and starts");
    st = wgdn_array_int64(&start, NULL, s, p->name, p->err);
    if (st) return st;
    *piece = wgdn_alloc((size_t)*count, sizeof **piece);
    if (!*piece) st = wgdn_fail_in(p->err, WGDN_ENOMEM, p->name, "%lld names", (long long)*count);
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

/* stem.start and stem.text as so many names; none where they are not there. */
static wgdn_status packed_names(wgdn_names *out, int64_t classes, const wgdn_packed *p,
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

static wgdn_status packed_number(int64_t *out, const wgdn_packed *p, const char *what,
                                 int64_t otherwise);

static wgdn_status read_ids(const id_list *l, const wgdn_packed *p)
{
    wgdn_text *piece = NULL;
    int64_t found = 0;
    wgdn_status st = packed_number(l->first_id, p, l->first, 0);
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
            st = wgdn_fail_in(p->err, WGDN_EFORMAT, p->name,
                              "the id %s, number %lld of %s.start, is too long or not its own",
                              wgdn_show(piece[i]).text, (long long)i, l->stem);
    }
    *l->named = true;
    wgdn_release(piece);
    return st;
}

/* ---- labels, splits, graphs ---- */

static wgdn_status read_label_array(int32_t **out, int64_t *classes, int64_t count,
                                    const wgdn_packed *p, const char *what, const char *total)
{
    int64_t max = 0;
    if (!wgdn_archive_find(p->archive, what)) return WGDN_OK;
    const wgdn_tensor *t = packed_need(p, what, count);
    if (!t) return WGDN_EFORMAT;
    wgdn_status st = wgdn_array_int32(out, NULL, t, p->name, p->err);
    for (int64_t i = 0; !st && i < count; i++) {
        if ((*out)[i] < -1 || (*out)[i] == INT32_MAX)
            st = wgdn_packed_refuse(p, what, "-1, 0, 1, 2, ...");
        else if ((*out)[i] >= max)
            max = (int64_t)(*out)[i] + 1;
    }
    if (!st) st = packed_number(classes, p, total, max);
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
    const wgdn_tensor *o = packed_need(p, "labels.offset", d->nodes + 1);
    const wgdn_tensor *c = o ? packed_need(p, "labels.column", -1) : NULL;
    if (!c) return WGDN_EFORMAT;
    pairs.count = wgdn_tensor_count(c);
    wgdn_status st = wgdn_array_int64(&rows.offset, NULL, o, p->name, p->err);
    if (!st) st = wgdn_array_int32(&rows.column, NULL, c, p->name, p->err);
    if (!st) st = wgdn_rows_check(&rows, pairs.count, "labels", p->name, p->err);
    pairs.node = st ? NULL : wgdn_alloc((size_t)pairs.count, sizeof *pairs.node);
    if (!st && !pairs.node) st = wgdn_fail_in(p->err, WGDN_ENOMEM, p->name, "labels");
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
    if (!d->split) return wgdn_fail_in(p->err, WGDN_ENOMEM, p->name, "splits");
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
        if (!st) {
            const id_list l = {"graphs.ids",     "graphs.first", "an id for each graph",
                               d->graphs,        NULL,           &d->graph_ids,
                               &d->graphs_named, &d->first_graph};
            st = read_ids(&l, p);
        }
    }
    if (!st)
        st = read_label_array(&d->graph_label, &d->graph_classes, d->graphs, p, "graphs.label",
                              "graphs.classes");
    if (!st) st = packed_names(&d->graph_class_names, d->graph_classes, p, "graphs.class");
    return st;
}

static wgdn_status read_counts(wgdn_dataset *d, const wgdn_packed *p)
{
    int64_t c[7] = {0};
    if (!wgdn_archive_find(p->archive, "counts")) return WGDN_OK;
    const wgdn_tensor *t = packed_need(p, "counts", 7);
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
    return st ? wgdn_fail_in(err, st, name, "%s", why.message) : WGDN_OK;
}

wgdn_status wgdn_packed_notes(wgdn_dataset *d, const char *name, wgdn_error *err)
{
    const wgdn_packed p = {&d->archive, name, err};
    wgdn_status st = read_order(d, &p);
    if (!st) st = read_label_array(&d->label, &d->classes, d->nodes, &p, "label", "classes");
    if (!st) st = to_nodes(d->label, sizeof *d->label, d, &p);
    if (!st) st = read_lists(d, &p);
    if (!st) st = packed_names(&d->class_names, d->classes, &p, "class");
    if (!st) st = read_splits(d, &p);
    if (!st) {
        const id_list l = {"ids",   "ids.first", "an id for each node", d->nodes, d,
                           &d->ids, &d->named,   &d->first_id};
        st = read_ids(&l, &p);
    }
    if (!st) st = read_graphs(d, &p);
    if (!st) st = read_counts(d, &p);
    return st;
}

/* Reads directions and types of edges from a packed dataset. */

/* Every value a share of its row. */
static wgdn_status check_values(const wgdn_csr *a, const wgdn_packed *p)
{
    for (int64_t k = 0; k < wgdn_csr_entries(a); k++)
        if (!(a->value[k] >= 0 && a->value[k] <= 1))
            return wgdn_packed_refuse(p, "relations.value", "numbers from 0 to 1");
    return WGDN_OK;
}

static wgdn_status packed_relations(wgdn_dataset *d, const wgdn_packed *p)
{
    wgdn_relations *r = &d->relations;
    const wgdn_tensor *o = wgdn_archive_find(p->archive, "relations.offset");
    if (!o) return WGDN_OK;
    const int64_t rows = wgdn_tensor_count(o) - 1, count = rows / d->nodes;
    if (rows < 1 || rows % d->nodes || count > WGDN_RELATIONS_MAX)
        return wgdn_packed_refuse(p, "relations.offset", "rows of all nodes, up to 128 times");
    const wgdn_tensor *c = packed_need(p, "relations.column", -1);
    const wgdn_tensor *v = c ? packed_need(p, "relations.value", wgdn_tensor_count(c)) : NULL;
    if (!v) return WGDN_EFORMAT;
    r->rows = (wgdn_csr){.rows = rows, .cols = d->nodes};
    wgdn_status st = wgdn_array_int64(&r->rows.offset, NULL, o, p->name, p->err);
    if (!st) st = wgdn_array_int32(&r->rows.column, NULL, c, p->name, p->err);
    if (!st) st = wgdn_array_floats(&r->rows.value, NULL, v, p->name, p->err);
    if (!st) st = wgdn_rows_check(&r->rows, wgdn_tensor_count(c), "relations", p->name, p->err);
    if (!st) st = check_values(&r->rows, p);
    if (!st) st = packed_names(&r->names, count, p, "relations");
    if (!st && r->names.count != count)
        st = wgdn_packed_refuse(p, "relations.start", "a name for each relation");
    if (!st) r->count = count;
    return st;
}

/* Writes a dataset as a safetensors file that keeps all of it. */

static void add_names(wgdn_bundle *b, const char *start, const char *text, const wgdn_names *n)
{
    if (n->count == 0) return;
    wgdn_bundle_add(b, start, WGDN_I64, n->count + 1, -1, n->start);
    wgdn_bundle_add(b, text, WGDN_U8, n->start[n->count], -1, n->text);
}

/* Elements of the nodes as those of the rows, a vector of them after another. */
static const void *in_rows(wgdn_bundle *b, const wgdn_dataset *d, const void *from, int64_t vectors,
                           size_t size)
{
    if (!d->order) return from;
    char *to = wgdn_bundle_block(b, (size_t)(vectors * d->nodes), size);
    for (int64_t k = 0; to && k < vectors; k++)
        for (int64_t r = 0; r < d->nodes; r++)
            memcpy(to + (size_t)(k * d->nodes + r) * size,
                   (const char *)from + (size_t)(k * d->nodes + d->order[r]) * size, size);
    return to;
}

static int64_t node_of(const wgdn_dataset *d, int64_t row)
{
    return d->order ? d->order[row] : row;
}

/* The ids of the rows as text, also where numbers stand for it. */
static void add_ids(wgdn_bundle *b, const wgdn_dataset *d, const char *start_name,
                    const char *text_name)
{
    char buffer[WGDN_INDEX_TEXT];
    size_t bytes = 0;
    if (d->ids.borrowed && !d->order) { /* as they are to be */
        wgdn_bundle_add(b, start_name, WGDN_I64, d->nodes + 1, -1, d->ids.start);
        wgdn_bundle_add(b, text_name, WGDN_U8, d->ids.start[d->nodes], -1, d->ids.text);
        return;
    }
    int64_t *start = wgdn_bundle_block(b, (size_t)d->nodes + 1, sizeof *start);
    for (int64_t i = 0; !b->st && i < d->nodes; i++) {
        bytes += wgdn_dataset_name(d, node_of(d, i), buffer).size;
        start[i + 1] = (int64_t)bytes;
    }
    unsigned char *text = wgdn_bundle_block(b, bytes, 1);
    for (int64_t i = 0; !b->st && i < d->nodes; i++) {
        const wgdn_text id = wgdn_dataset_name(d, node_of(d, i), buffer);
        if (id.size) memcpy(text + start[i], id.at, id.size);
    }
    wgdn_bundle_add(b, start_name, WGDN_I64, d->nodes + 1, -1, start);
    wgdn_bundle_add(b, text_name, WGDN_U8, (int64_t)bytes, -1, text);
}

static void bundle_number(wgdn_bundle *b, const char *name, int64_t value)
{
    int64_t *p = wgdn_bundle_block(b, 1, sizeof *p);
    if (p) *p = value;
    wgdn_bundle_add(b, name, WGDN_I64, 1, -1, p);
}

static void add_graph_ids(wgdn_bundle *b, const wgdn_dataset *d)
{
    wgdn_dataset *g = NULL;
    if (d->graphs_named && !b->st) b->st = wgdn_dataset_from_graphs(&g, d, b->err);
    if (g)
        add_ids(b, g, "graphs.ids.start", "graphs.ids.text");
    else if (d->first_graph)
        bundle_number(b, "graphs.first", d->first_graph);
    wgdn_dataset_free(g);
}

/* Labels of nodes that have several, row by row. */
static void add_lists(wgdn_bundle *b, const wgdn_dataset *d)
{
    const wgdn_csr *a = &d->lists;
    const int64_t all = wgdn_csr_entries(a);
    int64_t *offset = wgdn_bundle_block(b, (size_t)d->nodes + 1, sizeof *offset);
    int32_t *column = wgdn_bundle_block(b, (size_t)all, sizeof *column);
    for (int64_t r = 0, at = 0; offset && column && r < d->nodes; r++) {
        const int64_t i = node_of(d, r), count = a->offset[i + 1] - a->offset[i];
        memcpy(column + at, a->column + a->offset[i], (size_t)count * sizeof *column);
        at += count;
        offset[r + 1] = at;
    }
    wgdn_bundle_add(b, "labels.offset", WGDN_I64, d->nodes + 1, -1, offset);
    wgdn_bundle_add(b, "labels.column", WGDN_I32, all, -1, column);
}

static wgdn_status packed_write(const wgdn_dataset *d, const char *path, wgdn_error *err)
{
    const wgdn_text_pair metadata[] = {
        {"wgdn.kind", "dataset"}, {"wgdn.version", "1"}, {"wgdn.encoding", d->encoding}};
    wgdn_bundle b = {.err = err};
    const wgdn_csr *g = &d->graph->adjacency, *s = &d->features.sparse;
    const wgdn_dataset_counts *c = &d->counts;
    int64_t counts[7] = {c->edges_read,        c->self_loops,    c->repeats,
                         c->zero_weights,      c->other_weights, c->without_features,
                         c->attributes_ignored};
    wgdn_bundle_add(&b, "graph.offset", WGDN_I64, d->nodes + 1, -1, g->offset);
    wgdn_bundle_add(&b, "graph.column", WGDN_I32, wgdn_csr_entries(g), -1, g->column);
    if (g->value) wgdn_bundle_add(&b, "graph.value", WGDN_F32, wgdn_csr_entries(g), -1, g->value);
    if (d->relations.count) {
        const wgdn_csr *r = &d->relations.rows;
        wgdn_bundle_add(&b, "relations.offset", WGDN_I64, r->rows + 1, -1, r->offset);
        wgdn_bundle_add(&b, "relations.column", WGDN_I32, wgdn_csr_entries(r), -1, r->column);
        wgdn_bundle_add(&b, "relations.value", WGDN_F32, wgdn_csr_entries(r), -1, r->value);
        add_names(&b, "relations.start", "relations.text", &d->relations.names);
    }
    if (d->order) wgdn_bundle_add(&b, "order", WGDN_I32, d->nodes, -1, d->order);
    if (d->features.dense) {
        const wgdn_features *f = &d->features;
        wgdn_bundle_add(&b, "features.dense", f->narrow ? f->narrow_type : WGDN_F32, d->nodes,
                        f->width, f->narrow ? f->narrow : f->dense);
    } else if (d->features.width > 0) {
        wgdn_bundle_add(&b, "features.offset", WGDN_I64, d->nodes + 1, -1, s->offset);
        wgdn_bundle_add(&b, "features.column", WGDN_I32, wgdn_csr_entries(s), -1, s->column);
        if (s->value)
            wgdn_bundle_add(&b, "features.value", WGDN_F32, wgdn_csr_entries(s), -1, s->value);
        bundle_number(&b, "features.width", d->features.width);
        if (d->degrees) bundle_number(&b, "features.degrees", 1);
    }
    if (d->label) {
        wgdn_bundle_add(&b, "label", WGDN_I32, d->nodes, -1,
                        in_rows(&b, d, d->label, 1, sizeof *d->label));
        bundle_number(&b, "classes", d->classes);
        if (d->lists.offset) add_lists(&b, d);
    }
    add_names(&b, "class.start", "class.text", &d->class_names);
    if (d->split)
        wgdn_bundle_add(&b, "split", WGDN_I8, d->splits, d->nodes,
                        in_rows(&b, d, d->split, d->splits, 1));
    if (d->named)
        add_ids(&b, d, "ids.start", "ids.text");
    else if (d->first_id)
        bundle_number(&b, "ids.first", d->first_id);
    if (d->graph_start)
        wgdn_bundle_add(&b, "graphs.start", WGDN_I64, d->graphs + 1, -1, d->graph_start);
    if (d->graph_start) add_graph_ids(&b, d);
    if (d->graph_label) {
        wgdn_bundle_add(&b, "graphs.label", WGDN_I32, d->graphs, -1, d->graph_label);
        bundle_number(&b, "graphs.classes", d->graph_classes);
    }
    add_names(&b, "graphs.class.start", "graphs.class.text", &d->graph_class_names);
    wgdn_bundle_add(&b, "counts", WGDN_I64, 7, -1, counts);
    for (int64_t i = 0; i < b.tensors; i++)
        b.tensor[i].in = strncmp(b.tensor[i].name, "features.", 9) == 0 && d->feature_archive.inside
                             ? &d->feature_archive
                             : &d->archive;
    if (!b.st)
        b.st =
            wgdn_write_safetensors(path, b.tensor, b.tensors, metadata, d->encoding ? 3 : 2, err);
    wgdn_bundle_free(&b);
    return b.st;
}

/* Reads the graph and the features of a packed dataset. */

/* A tensor of this name and number of elements; -1 leaves the number open. NULL: err says why. */
static const wgdn_tensor *packed_need(const wgdn_packed *p, const char *what, int64_t count)
{
    const wgdn_tensor *t = wgdn_archive_find(p->archive, what);
    if (!t || (count >= 0 && wgdn_tensor_count(t) != count)) {
        (void)wgdn_packed_refuse(p, what, t ? "another number of elements" : "to be there");
        return NULL;
    }
    return t;
}

/* The number of this name, or the default. */
static wgdn_status packed_number(int64_t *out, const wgdn_packed *p, const char *what,
                                 int64_t otherwise)
{
    *out = otherwise;
    if (!wgdn_archive_find(p->archive, what)) return WGDN_OK;
    const wgdn_tensor *t = packed_need(p, what, 1);
    return t ? wgdn_tensor_to_i64(out, t, p->err) : WGDN_EFORMAT;
}

/* ---- rows ---- */

/* what.offset and what.column of the given rows, checked. Both are borrowed, or both are copies. */
static wgdn_status read_rows(wgdn_csr *out, bool *borrowed, const wgdn_packed *p, const char *what)
{
    bool borrowed_offset = false, borrowed_column = false;
    char offset[32], column[32];
    snprintf(offset, sizeof offset, "%s.offset", what);
    snprintf(column, sizeof column, "%s.column", what);
    const wgdn_tensor *o = packed_need(p, offset, out->rows + 1);
    const wgdn_tensor *c = o ? packed_need(p, column, -1) : NULL;
    if (!c) return WGDN_EFORMAT;
    wgdn_status st =
        wgdn_array_int64(&out->offset, borrowed ? &borrowed_offset : NULL, o, p->name, p->err);
    if (!st)
        st = wgdn_array_int32(&out->column, borrowed ? &borrowed_column : NULL, c, p->name, p->err);
    if (!st && borrowed_offset != borrowed_column) { /* one flag cannot express this: copy both */
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
    const wgdn_tensor *t = packed_need(p, "graph.value", entries);
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
    wgdn_status st = packed_number(&width, p, "features.width", 0);
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
    const wgdn_status st = packed_number(&degrees, p, "features.degrees", 0);
    d->degrees = degrees != 0;
    return st ? st : read_sparse(d, p);
}

wgdn_status wgdn_packed_recognize(const wgdn_packed *p)
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
    if (wgdn_packed_recognize(&p)) return WGDN_EFORMAT;
    const wgdn_tensor *t = packed_need(&p, "graph.offset", -1);
    if (!t) return WGDN_EFORMAT;
    d->nodes = wgdn_tensor_count(t) - 1;
    if (d->nodes < 1) return wgdn_packed_refuse(&p, "graph.offset", "one node at least");
    if (d->nodes > o->max_nodes)
        return wgdn_fail_in(err, WGDN_ERANGE, name, "%lld nodes; the maximum allowed is %lld",
                            (long long)d->nodes, (long long)o->max_nodes);
    int64_t ignored = 0;
    wgdn_status st = read_graph(d, &ignored, &p, o->weights);
    if (!st && wgdn_csr_entries(&d->graph->adjacency) / 2 > o->max_entries)
        st = wgdn_fail_in(err, WGDN_ERANGE, name, "more than %lld edges, the maximum allowed",
                          (long long)o->max_entries);
    if (!st) st = read_features(d, &p);
    if (!st) st = packed_relations(d, &p);
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

static bool recognize_start(wgdn_text start)
{
    const char *suffix = wgdn_start_archive(start);
    return suffix && strcmp(suffix, ".safetensors") == 0;
}

const wgdn_format wgdn_packed_format = {
    .info = {"safetensors", (const char *const[]){".safetensors", NULL},
             "The packed dataset, which keeps everything", 1, 1},
    .look = recognize_start,
    .load = load,
    .share = wgdn_packed_share,
    .write = packed_write,
    .keeps_order = true,
};
