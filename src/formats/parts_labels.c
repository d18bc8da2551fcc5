/* SPDX-License-Identifier: Apache-2.0 */
/* Labels: an id, then a word, on every line. */
#include "parts_notes.h"

bool wgdn_is_any(wgdn_text t, const char *const *word, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (wgdn_text_is(t, word[i])) return true;
    return false;
}

/* No node has this id, and it is what people write over a column of ids, or no number like them. */
static bool is_heading(const wgdn_dataset *d, wgdn_text t)
{
    static const char *const word[] = {"id",    "ids",      "node",  "nodes",  "node_id",
                                       "name",  "node id",  "user",  "vertex", "nodeid",
                                       "graph", "graph_id", "graphs"};
    int64_t value;
    if (wgdn_dataset_seek(d, t) >= 0) return false;
    if (wgdn_is_any(t, word, sizeof word / sizeof *word)) return true;
    return (!d->named || d->ids.numeric) && !wgdn_text_integer(t, &value);
}

/* The row behind the current one starts with a node, and is as long. */
static bool node_follows(const wgdn_dataset *d, const wgdn_lines *l)
{
    wgdn_lines ahead = {.name = l->name, .at = l->at, .end = l->end, .next = l->next};
    bool more = false;
    ahead.separator = l->separator;
    const bool is = !wgdn_lines_next(&ahead, &more, NULL) && more && ahead.fields == l->fields &&
                    wgdn_dataset_seek(d, ahead.field[0]) >= 0;
    wgdn_lines_close(&ahead);
    return is;
}

bool wgdn_names_columns(const wgdn_dataset *d, const wgdn_lines *l, wgdn_header header)
{
    if (header != WGDN_HEADER_AUTO) return header == WGDN_HEADER_YES;
    return is_heading(d, l->field[0]) ||
           (wgdn_dataset_seek(d, l->field[0]) < 0 && node_follows(d, l));
}

wgdn_status wgdn_note_node(int64_t *node, const wgdn_dataset *d, const wgdn_lines *l,
                           wgdn_error *err)
{
    *node = wgdn_dataset_seek(d, l->field[0]);
    if (*node >= 0) return WGDN_OK;
    return wgdn_lines_fail(l, 0, err, "%s is not a %s", wgdn_show(l->field[0]).text,
                           d->of_graphs ? "graph of the set" : "node of the graph");
}

/* Labels while rows come in. */
typedef struct labelling {
    const wgdn_dataset *d;
    int32_t *label;        /* of each node, -1 for none, classes as they came */
    wgdn_label_pairs more; /* further labels of nodes that have one */
    wgdn_ids classes;
    int64_t at, fields; /* the column of the label, of so many */
    int64_t again;      /* lines that say what one before said */
    wgdn_ids heading;   /* what stands over the labels, if anything does */
} labelling;

/* Which column holds the label; passes over the header, if there is one. */
static wgdn_status find_column(labelling *w, wgdn_lines *l, wgdn_header header, const char *column,
                               wgdn_error *err)
{
    const wgdn_dataset *d = w->d;
    int64_t *const at = &w->at;
    int32_t place;
    static const char *const word[] = {"label", "class", "target", "y"};
    bool more;
    const wgdn_status st = wgdn_lines_next(l, &more, err);
    if (st) return st;
    if (!more)
        return wgdn_fail(err, WGDN_EFORMAT, "%s: no rows: expected an id and a label per line",
                         wgdn_show_name(l->name).text);
    *at = l->fields - 1;
    const bool named = wgdn_names_columns(d, l, header);
    for (int64_t j = l->fields - 1; named && j > 0; j--)
        if (column ? wgdn_text_is(l->field[j], column) : wgdn_is_any(l->field[j], word, 4)) *at = j;
    if (column && !(named && *at > 0 && wgdn_text_is(l->field[*at], column)))
        return wgdn_lines_fail(l, -1, err, "no column has the heading '%.40s'", column);
    if (named) return wgdn_ids_add(&w->heading, &l->field[*at], 1, &place, err);
    wgdn_lines_again(l);
    return WGDN_OK;
}

/* A heading is no label. If it is one further below, row 1 was data, and of no node. */
static wgdn_status settle_heading(labelling *w, wgdn_dataset *d, const wgdn_input *in,
                                  wgdn_error *err)
{
    char buffer[WGDN_INDEX_TEXT];
    if (w->heading.count == 0) return WGDN_OK;
    const wgdn_text heading = wgdn_ids_text(&w->heading, 0, buffer);
    if (in->header == WGDN_HEADER_AUTO && wgdn_ids_find(&w->classes, heading) >= 0)
        return wgdn_fail(err, WGDN_EFORMAT,
                         "%s:1: is it data or a header? %s is a label of other rows, but the row "
                         "names no %s; --header yes passes over it",
                         wgdn_show_name(in->name).text, wgdn_show(heading).text,
                         d->of_graphs ? "graph of the set" : "node of the graph");
    return wgdn_remarks_add(&d->remarks, "labels-header", 0, err,
                            "%s: row 1 holds column names, the label is %s",
                            wgdn_show_name(in->name).text, wgdn_show(heading).text);
}

/* A line for a node that has a label: the same once more, or one of several. */
static wgdn_status add_label(labelling *w, const wgdn_lines *l, int64_t node, int32_t label,
                             wgdn_error *err)
{
    wgdn_label_pairs *p = &w->more;
    if (label == w->label[node]) {
        w->again++;
        return WGDN_OK;
    }
    if (w->d->of_graphs)
        return wgdn_lines_fail(l, 0, err, "a second label for %s", wgdn_show(l->field[0]).text);
    if (!wgdn_grow(&p->node, &p->room[0], p->count + 1, sizeof *p->node) ||
        !wgdn_grow(&p->label, &p->room[1], p->count + 1, sizeof *p->label))
        return wgdn_fail(err, WGDN_ENOMEM, "labels: %lld more than nodes", (long long)p->count);
    p->node[p->count] = node;
    p->label[p->count++] = label;
    return WGDN_OK;
}

static wgdn_status read_label(labelling *w, const wgdn_lines *l, wgdn_error *err)
{
    int64_t node;
    int32_t label = -1;
    wgdn_status st;
    if (w->fields == 0) w->fields = l->fields;
    if (w->at >= w->fields) return wgdn_lines_fail(l, -1, err, "fewer columns than the header");
    if (l->fields != w->fields || l->fields < 2)
        return wgdn_lines_fail(l, l->fields - 1, err, "%lld columns: expected %lld",
                               (long long)l->fields, (long long)(w->fields < 2 ? 2 : w->fields));
    st = wgdn_note_node(&node, w->d, l, err);
    if (st) return st;
    if (l->field[w->at].size == 0) return WGDN_OK; /* no label */
    st = wgdn_ids_add(&w->classes, &l->field[w->at], 1, &label, err);
    if (!st && label < 0)
        st = wgdn_lines_fail(l, w->at, err, "a label of %zu bytes", l->field[w->at].size);
    if (!st && w->label[node] >= 0) return add_label(w, l, node, label, err);
    if (!st) w->label[node] = label;
    return st;
}

static wgdn_status read_labels(labelling *w, const wgdn_input *in, const char *column,
                               wgdn_error *err)
{
    wgdn_lines l;
    bool more = true;
    wgdn_lines_open(&l, in);
    wgdn_status st = find_column(w, &l, in->header, column, err);
    while (!st) {
        st = wgdn_lines_next(&l, &more, err);
        if (st || !more) break;
        st = read_label(w, &l, err);
    }
    wgdn_lines_close(&l);
    return st;
}

/* First and further labels together, as pairs. */
static wgdn_status take_several(wgdn_dataset *d, labelling *w, wgdn_error *err)
{
    wgdn_names names = {0};
    wgdn_label_pairs *p = &w->more;
    const int64_t all = p->count + d->nodes;
    if (!wgdn_grow(&p->node, &p->room[0], all, sizeof *p->node) ||
        !wgdn_grow(&p->label, &p->room[1], all, sizeof *p->label))
        return wgdn_fail(err, WGDN_ENOMEM, "labels: %lld of them", (long long)all);
    for (int64_t i = 0; i < d->nodes; i++)
        if (w->label[i] >= 0) {
            p->node[p->count] = i;
            p->label[p->count++] = w->label[i];
        }
    const wgdn_status st = wgdn_classes_sort(&names, p->label, p->count, &w->classes, err);
    if (st) return st;
    wgdn_labels_take(d, NULL, &names);
    return wgdn_lists_gather(d, p, err);
}

static wgdn_status take_labels(wgdn_dataset *d, labelling *w, wgdn_error *err)
{
    wgdn_names names = {0};
    if (w->more.count > 0) return take_several(d, w, err);
    const wgdn_status st = wgdn_classes_sort(&names, w->label, d->nodes, &w->classes, err);
    if (st) return st;
    wgdn_labels_take(d, w->label, &names);
    w->label = NULL;
    return WGDN_OK;
}

wgdn_status wgdn_labels_read(wgdn_dataset *d, const wgdn_input *in, const char *column,
                             wgdn_error *err)
{
    labelling w = {.d = d};
    wgdn_status st = WGDN_OK;
    w.label = wgdn_alloc((size_t)d->nodes, sizeof *w.label);
    wgdn_ids_open(&w.classes, INT32_MAX - 1);
    wgdn_ids_open(&w.heading, 1);
    if (!w.label)
        st = wgdn_fail(err, WGDN_ENOMEM, "%s: %lld labels", wgdn_show_name(in->name).text,
                       (long long)d->nodes);
    for (int64_t i = 0; !st && i < d->nodes; i++)
        w.label[i] = -1;
    if (!st) st = read_labels(&w, in, column, err);
    if (!st) st = settle_heading(&w, d, in, err);
    if (!st) st = take_labels(d, &w, err);
    if (!st && w.again > 0)
        st = wgdn_remarks_add(&d->remarks, "labels-repeated", w.again, err,
                              "%lld label%s given again", (long long)w.again,
                              w.again == 1 ? " was" : "s were");
    wgdn_ids_close(&w.heading);
    wgdn_ids_close(&w.classes);
    wgdn_release(w.more.label);
    wgdn_release(w.more.node);
    wgdn_release(w.label);
    return st;
}
