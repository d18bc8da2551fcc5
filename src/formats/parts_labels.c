/* SPDX-License-Identifier: Apache-2.0 */
/* Labels: the id of a node and a word on every line. */
#include "parts_notes.h"

/* Labels while rows come in. */
typedef struct labelling {
    wgdn_notes notes;
    int32_t *label;        /* of each node, -1 for none, classes as they came */
    wgdn_label_pairs more; /* further labels of nodes that have one */
    wgdn_ids classes;
    int64_t at, fields; /* the column of the label, of so many */
    int64_t again;      /* lines that say what one before said */
    int64_t missing;    /* nodes whose label is empty, NA or the like */
    wgdn_ids heading;   /* row 1 over ids and labels, if it is a header */
} labelling;

/* The column of labels by the headings in row 1: a known word, else the last column. */
static int64_t label_by_heading(const labelling *w, const wgdn_lines *l)
{
    static const char *const word[] = {"label", "class",    "target", "y",        "labels",
                                       "group", "category", "klasse", "is_fraud", "fraud"};
    for (size_t i = 0; i < sizeof word / sizeof *word && w->notes.named; i++)
        for (int64_t j = 0; j < l->fields; j++)
            if (j != w->notes.id && wgdn_text_is(l->field[j], word[i])) return j;
    return l->fields - 1 - (w->notes.id == l->fields - 1);
}

/* Which columns hold ids and labels; passes over the header, if there is one. */
static wgdn_status find_columns(labelling *w, wgdn_lines *l, const wgdn_input *in,
                                const char *column, wgdn_error *err)
{
    int32_t place;
    wgdn_notes *n = &w->notes;
    wgdn_status st = wgdn_notes_open(n, l, in, err);
    if (st) return st;
    w->at = column ? -1 : label_by_heading(w, l);
    for (int64_t j = l->fields - 1; column && n->named && j >= 0; j--)
        if (j != n->id && wgdn_text_is(l->field[j], column)) w->at = j;
    if (w->at < 0) return wgdn_lines_fail(l, -1, err, "no column has the heading '%.40s'", column);
    if (!n->named) {
        wgdn_lines_again(l);
        return WGDN_OK;
    }
    st = wgdn_ids_add(&w->heading, &l->field[n->id], 1, &place, err);
    return st ? st : wgdn_ids_add(&w->heading, &l->field[w->at], 1, &place, err);
}

/* A heading is no label. If it is one further below, row 1 was data, and of an unknown id. */
static wgdn_status settle_heading(labelling *w, wgdn_dataset *d, const wgdn_input *in,
                                  wgdn_error *err)
{
    char one[WGDN_INDEX_TEXT], two[WGDN_INDEX_TEXT];
    wgdn_notes *n = &w->notes;
    if (!n->named && n->id == 0) return WGDN_OK;
    if (!n->named)
        return wgdn_remarks_add(&d->remarks, "labels-header", 0, err,
                                "%s: ids are in column %lld, labels in column %lld",
                                wgdn_show_name(in->name).text, (long long)n->id + 1,
                                (long long)w->at + 1);
    const wgdn_text id = wgdn_ids_text(&w->heading, 0, one);
    const wgdn_text heading = wgdn_ids_text(&w->heading, w->heading.count - 1, two);
    if (n->guessed && wgdn_ids_find(&w->classes, heading) >= 0) {
        if (n->strict)
            return wgdn_fail(err, WGDN_EFORMAT, "%s:1: %s is not a %s; --header yes skips the row",
                             wgdn_show_name(in->name).text, wgdn_show(id).text,
                             d->of_graphs ? "graph of the set" : "node of the graph");
        wgdn_note_unknown(n, id);
        return WGDN_OK;
    }
    return wgdn_remarks_add(&d->remarks, "labels-header", 0, err,
                            "%s: row 1 holds column names, the label is %s%s%s",
                            wgdn_show_name(in->name).text, wgdn_show(heading).text,
                            n->id ? ", the id is " : "", n->id ? wgdn_show(id).text : "");
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
    if (w->notes.d->of_graphs)
        return wgdn_lines_fail(l, w->notes.id, err, "a second label for %s",
                               wgdn_show(l->field[w->notes.id]).text);
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
    st = wgdn_note_node(&node, &w->notes, l, err);
    if (st || node < 0) return st;
    if (wgdn_field_missing(l->field[w->at])) {
        w->missing++;
        return WGDN_OK;
    }
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
    wgdn_status st = find_columns(w, &l, in, column, err);
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

static wgdn_status report_labels(labelling *w, wgdn_dataset *d, const char *name, wgdn_error *err)
{
    wgdn_status st = wgdn_notes_report(&w->notes, d, name, err);
    if (!st && w->missing > 0)
        st = wgdn_remarks_add(&d->remarks, "labels-missing", w->missing, err,
                              "%s: %lld label%s missing (empty, NA or the like): no label",
                              wgdn_show_name(name).text, (long long)w->missing,
                              w->missing == 1 ? " is" : "s are");
    if (!st && w->again > 0)
        st = wgdn_remarks_add(&d->remarks, "labels-repeated", w->again, err,
                              "%lld label%s given again", (long long)w->again,
                              w->again == 1 ? " was" : "s were");
    return st;
}

wgdn_status wgdn_labels_read(wgdn_dataset *d, const wgdn_input *in, const wgdn_dataset_options *o,
                             wgdn_error *err)
{
    labelling w = {.notes = {.d = d, .what = "labeled", .wanted = "a label", .strict = o->strict}};
    wgdn_input found = *in;
    wgdn_status st = wgdn_id_look(&found, &(wgdn_known){.d = d}, err);
    w.label = wgdn_alloc((size_t)d->nodes, sizeof *w.label);
    wgdn_ids_open(&w.classes, INT32_MAX - 1);
    wgdn_ids_open(&w.heading, 2);
    if (!st && !w.label)
        st = wgdn_fail(err, WGDN_ENOMEM, "%s: %lld labels", wgdn_show_name(in->name).text,
                       (long long)d->nodes);
    for (int64_t i = 0; !st && i < d->nodes; i++)
        w.label[i] = -1;
    if (!st) st = read_labels(&w, &found, o->label_column, err);
    if (!st) st = settle_heading(&w, d, in, err);
    if (!st) st = report_labels(&w, d, in->name, err);
    if (!st) st = take_labels(d, &w, err);
    wgdn_ids_close(&w.heading);
    wgdn_ids_close(&w.classes);
    wgdn_release(w.more.label);
    wgdn_release(w.more.node);
    wgdn_release(w.label);
    return st;
}
