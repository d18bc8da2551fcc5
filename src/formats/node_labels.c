/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads the labels and splits of nodes from files beside a graph, and finds the column of a table
 * that holds the ids. The registry calls wgdn_notes_read() after the graph is read.
 */
#include "io/archive.h"
#include "io/source.h"
#include "node_table.h"

#include <stdio.h>
#include <string.h>

/* ---- the column of ids, by its heading and by its values ---- */

enum {
    COLUMNS = 256, /* looked at; an id stands near the start of a row */
    ROWS = 1000,   /* with a known id, after which the choice is made */
};

/* -1 if no node has it */
static int64_t known_find(const wgdn_known *k, wgdn_text id)
{
    return k->ids ? wgdn_ids_find(k->ids, id) : wgdn_dataset_seek(k->d, id);
}

/* Whether a heading is common above a column of ids. */
static bool is_id_heading(wgdn_text t)
{
    static const char *const word[] = {
        "id",       "ids",       "node",       "nodes",  "node_id", "nodeid", "node id",
        "vertex",   "vertex_id", "name",       "user",   "graph",   "graphs", "uid",
        "graph_id", "user_id",   "userid",     "iban",   "account", "konto",  "kunde",
        "key",      "kundennr",  "customer",   "client", "compte",  "cuenta", "kunden_id",
        "knoten",   "uuid",      "identifier", NULL};
    static const char *const end[] = {"_id", " id", "_nr", "_no", "-id", NULL};
    if (wgdn_text_is_any(t, word)) return true;
    if (t.size > 2 && memcmp(t.at + t.size - 2, "Id", 2) == 0) return true;
    return t.size > 3 && wgdn_text_is_any(wgdn_text_of(t.at + t.size - 3, 3), end);
}

/* Whether a heading means the ids of nodes and nothing else. */
static bool is_exact_heading(wgdn_text t)
{
    static const char *const word[] = {"id",      "node",      "node_id", "nodeid", "vertex",
                                       "node id", "vertex_id", "knoten",  NULL};
    return wgdn_text_is_any(t, word);
}

/* Row 1, and how many of the rows below have a known id in each column. */
typedef struct id_look {
    const wgdn_known *known;
    int64_t columns;
    int64_t rows; /* with a known id somewhere */
    int64_t hits[COLUMNS];
    bool exact[COLUMNS], likely[COLUMNS]; /* by the heading */
    bool unnamed;                         /* the first column has an empty heading */
} id_look;

static void see_first(id_look *k, const wgdn_lines *l, wgdn_header header)
{
    k->columns = wgdn_min(l->fields, COLUMNS);
    for (int64_t j = 0; j < k->columns; j++) {
        if (header == WGDN_HEADER_NO || known_find(k->known, l->field[j]) >= 0) continue;
        k->exact[j] = is_exact_heading(l->field[j]);
        k->likely[j] = is_id_heading(l->field[j]);
    }
    k->unnamed = l->field[0].size == 0;
}

static void see_row(id_look *k, const wgdn_lines *l)
{
    bool any = false;
    for (int64_t j = 0; j < wgdn_min(l->fields, k->columns); j++) {
        const bool hit = l->field[j].size > 0 && known_find(k->known, l->field[j]) >= 0;
        k->hits[j] += hit;
        any = any || hit;
    }
    k->rows += any;
}

/*
 * A heading that means ids decides where the values agree. Else the first column holds the ids if
 * about as many of its values are known as of any other column's; else the column of which most
 * are. A dataframe's index, which has no heading, is used only if no other column looks like ids.
 */
static int64_t choose(const id_look *k)
{
    int64_t best = 0;
    for (int64_t j = 1; j < k->columns; j++)
        if (k->hits[j] > k->hits[best]) best = j;
    for (int64_t j = 0; j < k->columns; j++)
        if (k->exact[j] && 2 * k->hits[j] >= k->hits[best]) return j;
    for (int64_t j = 1; k->unnamed && j < k->columns; j++)
        if (k->likely[j] && k->hits[j] > 0 && k->hits[j] >= k->hits[0]) return j;
    if (k->hits[best] == 0)
        for (int64_t j = 0; j < k->columns; j++)
            if (k->likely[j]) return j;
    return 2 * k->hits[0] >= k->hits[best] ? 0 : best;
}

wgdn_status wgdn_id_look(wgdn_input *in, const wgdn_known *known, wgdn_error *err)
{
    wgdn_lines l;
    int64_t said = 0;
    id_look k = {.known = known};
    wgdn_status st = WGDN_OK;
    if (in->id_at || (in->id && !wgdn_text_index(wgdn_text_of(in->id, strlen(in->id)), &said)))
        return WGDN_OK;
    wgdn_lines_open(&l, in);
    if (wgdn_lines_more(&l, &st, err)) see_first(&k, &l, in->header);
    /* If --id names a place, only the heading of that column counts. */
    while (!in->id && k.rows < ROWS && wgdn_lines_more(&l, &st, err))
        see_row(&k, &l);
    wgdn_lines_close(&l);
    if (st || k.columns == 0) return st;
    if (in->id && (said < 1 || said > k.columns)) return WGDN_OK;
    const int64_t j = in->id ? said - 1 : choose(&k);
    in->id_at = j + 1;
    in->id_named = k.exact[j] || (j > 0 && k.likely[j]);
    return WGDN_OK;
}

/* A number is a place, unless --header yes says that row 1 has headings: there it may be one of its values. */
wgdn_status wgdn_table_find_id(int64_t *id, bool *named, const wgdn_lines *l, const wgdn_input *in,
                               wgdn_error *err)
{
    int64_t place = 0;
    *id = in->id_at > 0 && in->id_at <= l->fields ? in->id_at - 1 : 0;
    *named = in->id_at > 0 && in->id_named;
    if (!in->id) return WGDN_OK;
    const bool placed = wgdn_text_index(wgdn_text_of(in->id, strlen(in->id)), &place) &&
                        place >= 1 && place <= l->fields;
    const bool headed = placed ? in->header == WGDN_HEADER_YES : in->header != WGDN_HEADER_NO;
    *named = false;
    for (int64_t j = 0; j < l->fields && headed && !*named; j++)
        if (wgdn_text_is(l->field[j], in->id)) {
            *id = j;
            *named = true;
        }
    if (*named) return WGDN_OK;
    *id = place - 1;
    *named = placed && in->id_named && in->id_at == place;
    return placed ? WGDN_OK
                  : wgdn_lines_fail(l, -1, err, "--id %.40s: no column has that heading or number",
                                    in->id);
}

/* ---- rows of labels and splits ---- */

/* A file of labels or splits that is being read: its column of ids, and the rows skipped so far. */
typedef struct wgdn_notes {
    const wgdn_dataset *d;
    const char *what;    /* "labeled", "split": the ids of the file */
    const char *wanted;  /* beside the id, for messages */
    int64_t id;          /* the column of ids */
    bool named;          /* row 1 holds column names */
    bool guessed;        /* they may be data of an unknown id, too */
    bool strict;         /* an unknown id is an error */
    int64_t rows;        /* with an id */
    int64_t unknown;     /* of them, with an id that no node has */
    int64_t nameless;    /* rows without an id */
    wgdn_shown first[2]; /* unknown ids */
} wgdn_notes;

/* Whether the next row belongs to a node and has as many fields. */
static bool node_follows(const wgdn_notes *n, const wgdn_lines *l)
{
    wgdn_lines ahead = {.name = l->name, .at = l->at, .end = l->end, .next = l->next};
    bool more = false;
    ahead.separator = l->separator;
    const bool is = !wgdn_lines_next(&ahead, &more, NULL) && more && ahead.fields == l->fields &&
                    wgdn_dataset_seek(n->d, ahead.field[n->id]) >= 0;
    wgdn_lines_close(&ahead);
    return is;
}

/* Sets whether row 1 holds column names: they are no node's, and over ids, or unlike them. */
static void judge_first(wgdn_notes *n, const wgdn_lines *l, wgdn_header header)
{
    static const char *const word[] = {"label", "labels", "class", "target",
                                       "split", "splits", NULL};
    const wgdn_dataset *d = n->d;
    const wgdn_text id = l->field[n->id];
    int64_t value;
    n->named = header == WGDN_HEADER_YES;
    if (header != WGDN_HEADER_AUTO || wgdn_dataset_seek(d, id) >= 0) return;
    n->named = is_id_heading(id);
    for (int64_t j = 0; j < l->fields && !n->named; j++)
        n->named = j != n->id && wgdn_text_is_any(l->field[j], word);
    if (n->named) return;
    n->guessed =
        ((!d->named || d->ids.numeric) && !wgdn_text_integer(id, &value)) || node_follows(n, l);
    n->named = n->guessed;
}

static wgdn_status open_notes(wgdn_notes *n, wgdn_lines *l, const wgdn_input *in, wgdn_error *err)
{
    bool more, named = false;
    wgdn_status st = wgdn_lines_next(l, &more, err);
    if (st) return st;
    if (!more || l->fields < 2)
        return wgdn_fail_in(err, WGDN_EFORMAT, in->name, "%sexpected an id and %s per line",
                            more ? "" : "no rows: ", n->wanted);
    st = wgdn_table_find_id(&n->id, &named, l, in, err);
    if (st) return st;
    judge_first(n, l, in->header);
    if (named && !n->named) {
        n->named = true;
        n->guessed = false;
    }
    return WGDN_OK;
}

static void count_unknown(wgdn_notes *n, wgdn_text id)
{
    if (n->unknown < 2) n->first[n->unknown] = wgdn_show(id);
    n->unknown++;
    n->rows++;
}

static wgdn_status find_row_node(int64_t *node, wgdn_notes *n, const wgdn_lines *l, wgdn_error *err)
{
    const wgdn_text id = l->field[n->id];
    *node = wgdn_dataset_seek(n->d, id);
    if (*node >= 0) {
        n->rows++;
    } else if (wgdn_field_missing(id)) {
        n->nameless++;
    } else if (n->strict) {
        return wgdn_lines_fail(l, n->id, err, "%s is not a %s", wgdn_show(id).text,
                               n->d->of_graphs ? "graph of the set" : "node of the graph");
    } else {
        count_unknown(n, id);
    }
    return WGDN_OK;
}

/* Writes two ids of nodes as examples: "17", "42". */
static const char *show_nodes(char *text, size_t size, const wgdn_dataset *d)
{
    char buffer[WGDN_INDEX_TEXT];
    const wgdn_shown a = wgdn_show(wgdn_dataset_name(d, 0, buffer));
    snprintf(text, size, "%s", a.text);
    if (d->nodes > 1)
        snprintf(text, size, "%s, %s", a.text,
                 wgdn_show(wgdn_dataset_name(d, d->nodes / 2, buffer)).text);
    return text;
}

static wgdn_status report_notes(wgdn_notes *n, wgdn_dataset *d, const char *name, wgdn_error *err)
{
    char nodes[400];
    const wgdn_shown file = wgdn_show_name(name);
    const char *where = d->of_graphs ? "set" : "graph";
    if (n->rows == n->unknown && n->rows > 0)
        return wgdn_fail(err, WGDN_EFORMAT,
                         "%s: none of the %lld %s ids is in the %s; first: %s; ids of the %s look "
                         "like %s; --id names another column of ids",
                         file.text, (long long)n->rows, n->what, where, n->first[0].text, where,
                         show_nodes(nodes, sizeof nodes, d));
    wgdn_status st = WGDN_OK;
    if (n->unknown)
        st = wgdn_remarks_add(&d->remarks, "ids-unknown", n->unknown, err,
                              "%s: %lld of %lld %s ids %s not in the %s: skipped; first: %s",
                              file.text, (long long)n->unknown, (long long)n->rows, n->what,
                              n->unknown == 1 ? "is" : "are", where, n->first[0].text);
    if (!st && n->nameless)
        st = wgdn_remarks_add(&d->remarks, "ids-missing", n->nameless, err,
                              "%s: %lld row%s skipped", file.text, (long long)n->nameless,
                              n->nameless == 1 ? " without an id was" : "s without an id were");
    return st;
}
/* Reads labels: the id of a node and a word on every line. */

/* Labels while rows come in. */
typedef struct labeling {
    wgdn_notes notes;
    int32_t *label;        /* of each node, -1 for none, classes as they came */
    wgdn_label_pairs more; /* further labels of nodes that have one */
    wgdn_ids classes;
    int64_t at, fields; /* the column of the label, and the number of columns */
    int64_t again;      /* lines that say what one before said */
    int64_t missing;    /* nodes whose label is empty, NA or the like */
    wgdn_ids heading;   /* row 1 over ids and labels, if it is a header */
} labeling;

/* The column of labels by the headings in row 1: a known word, else the last column. */
static int64_t label_by_heading(const labeling *w, const wgdn_lines *l)
{
    static const char *const word[] = {"label", "class",    "target", "y",        "labels",
                                       "group", "category", "klasse", "is_fraud", "fraud"};
    for (size_t i = 0; i < sizeof word / sizeof *word && w->notes.named; i++)
        for (int64_t j = 0; j < l->fields; j++)
            if (j != w->notes.id && wgdn_text_is(l->field[j], word[i])) return j;
    return l->fields - 1 - (w->notes.id == l->fields - 1);
}

/* Which columns hold ids and labels; passes over the header, if there is one. */
static wgdn_status find_columns(labeling *w, wgdn_lines *l, const wgdn_input *in,
                                const char *column, wgdn_error *err)
{
    int32_t place;
    wgdn_notes *n = &w->notes;
    wgdn_status st = open_notes(n, l, in, err);
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

/* Reports the header row. If its label occurs again below, row 1 was data with an unknown id. */
static wgdn_status settle_heading(labeling *w, wgdn_dataset *d, const wgdn_input *in,
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
        count_unknown(n, id);
        return WGDN_OK;
    }
    return wgdn_remarks_add(&d->remarks, "labels-header", 0, err,
                            "%s: row 1 holds column names, the label is %s%s%s",
                            wgdn_show_name(in->name).text, wgdn_show(heading).text,
                            n->id ? ", the id is " : "", n->id ? wgdn_show(id).text : "");
}

/* Adds another label of a node: a repeat, or one of several labels. */
static wgdn_status add_label(labeling *w, const wgdn_lines *l, int64_t node, int32_t label,
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

static wgdn_status read_label(labeling *w, const wgdn_lines *l, wgdn_error *err)
{
    int64_t node;
    int32_t label = -1;
    wgdn_status st;
    if (w->fields == 0) w->fields = l->fields;
    if (w->at >= w->fields) return wgdn_lines_fail(l, -1, err, "fewer columns than the header");
    if (l->fields != w->fields || l->fields < 2)
        return wgdn_lines_fail(l, l->fields - 1, err, "%lld columns: expected %lld",
                               (long long)l->fields, (long long)(w->fields < 2 ? 2 : w->fields));
    st = find_row_node(&node, &w->notes, l, err);
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

static wgdn_status read_labels(labeling *w, const wgdn_input *in, const char *column,
                               wgdn_error *err)
{
    wgdn_lines l;
    wgdn_lines_open(&l, in);
    wgdn_status st = find_columns(w, &l, in, column, err);
    while (wgdn_lines_more(&l, &st, err)) {
        st = read_label(w, &l, err);
    }
    wgdn_lines_close(&l);
    return st;
}

/* First and further labels together, as pairs. */
static wgdn_status keep_several_labels(wgdn_dataset *d, labeling *w, wgdn_error *err)
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

static wgdn_status keep_labels(wgdn_dataset *d, labeling *w, wgdn_error *err)
{
    wgdn_names names = {0};
    if (w->more.count > 0) return keep_several_labels(d, w, err);
    const wgdn_status st = wgdn_classes_sort(&names, w->label, d->nodes, &w->classes, err);
    if (st) return st;
    wgdn_labels_take(d, w->label, &names);
    w->label = NULL;
    return WGDN_OK;
}

static wgdn_status report_labels(labeling *w, wgdn_dataset *d, const char *name, wgdn_error *err)
{
    wgdn_status st = report_notes(&w->notes, d, name, err);
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
    labeling w = {.notes = {.d = d, .what = "labeled", .wanted = "a label", .strict = o->strict}};
    wgdn_input found = *in;
    wgdn_status st = wgdn_id_look(&found, &(wgdn_known){.d = d}, err);
    w.label = wgdn_alloc((size_t)d->nodes, sizeof *w.label);
    wgdn_ids_open(&w.classes, INT32_MAX - 1);
    wgdn_ids_open(&w.heading, 2);
    if (!st && !w.label)
        st = wgdn_fail_in(err, WGDN_ENOMEM, in->name, "%lld labels", (long long)d->nodes);
    for (int64_t i = 0; !st && i < d->nodes; i++)
        w.label[i] = -1;
    if (!st) st = read_labels(&w, &found, o->label_column, err);
    if (!st) st = settle_heading(&w, d, in, err);
    if (!st) st = report_labels(&w, d, in->name, err);
    if (!st) st = keep_labels(d, &w, err);
    wgdn_ids_close(&w.heading);
    wgdn_ids_close(&w.classes);
    wgdn_release(w.more.label);
    wgdn_release(w.more.node);
    wgdn_release(w.label);
    return st;
}

/* Reads splits: an id, then train, val or test, on every line, with a column for each split. */

static int split_of(wgdn_text t)
{
    static const char *const val[] = {"val", "valid", "validation", "dev", NULL};
    static const char *const none[] = {"", "-", "none", "unused", NULL};
    if (wgdn_text_is(t, "train")) return WGDN_SPLIT_TRAIN;
    if (wgdn_text_is(t, "test")) return WGDN_SPLIT_TEST;
    if (wgdn_text_is_any(t, val)) return WGDN_SPLIT_VAL;
    return wgdn_text_is_any(t, none) ? WGDN_SPLIT_NONE : -1;
}

static wgdn_status read_split(wgdn_notes *n, int8_t *split, int64_t splits, const wgdn_lines *l,
                              wgdn_error *err)
{
    int64_t node, k = 0;
    if (l->fields != splits + 1)
        return wgdn_lines_fail(l, l->fields - 1, err,
                               "%lld columns, where the rows before have %lld",
                               (long long)l->fields, (long long)splits + 1);
    const wgdn_status st = find_row_node(&node, n, l, err);
    if (st || node < 0) return st;
    if (split[node] >= 0)
        return wgdn_lines_fail(l, n->id, err, "a second split for %s",
                               wgdn_show(l->field[n->id]).text);
    for (int64_t j = 0; j < l->fields; j++) {
        if (j == n->id) continue;
        const int kind = split_of(l->field[j]);
        if (kind < 0)
            return wgdn_lines_fail(l, j, err, "%s: expected train, val, test or none",
                                   wgdn_show(l->field[j]).text);
        split[k++ * n->d->nodes + node] = (int8_t)kind;
    }
    return WGDN_OK;
}

static wgdn_status open_splits(int8_t **split, int64_t *splits, wgdn_notes *n, wgdn_lines *l,
                               const wgdn_input *in, wgdn_error *err)
{
    size_t all;
    const wgdn_status st = open_notes(n, l, in, err);
    if (st) return st;
    *splits = l->fields - 1;
    if (!n->named) wgdn_lines_again(l);
    *split = wgdn_size_mul(&all, (size_t)*splits, (size_t)n->d->nodes) ? wgdn_alloc(all, 1) : NULL;
    if (!*split)
        return wgdn_fail_in(err, WGDN_ENOMEM, in->name, "%lld splits of %lld nodes",
                            (long long)*splits, (long long)n->d->nodes);
    memset(*split, -1, all); /* not seen yet */
    return WGDN_OK;
}

wgdn_status wgdn_splits_read(wgdn_dataset *d, const wgdn_input *in, const wgdn_dataset_options *o,
                             wgdn_error *err)
{
    wgdn_lines l = {0};
    wgdn_input found = *in;
    wgdn_notes n = {
        .d = d, .what = "split", .wanted = "one of train, val and test", .strict = o->strict};
    int64_t splits = 0;
    int8_t *split = NULL;
    wgdn_status st = wgdn_id_look(&found, &(wgdn_known){.d = d}, err);
    if (st) return st;
    wgdn_lines_open(&l, &found);
    st = open_splits(&split, &splits, &n, &l, &found, err);
    while (wgdn_lines_more(&l, &st, err)) {
        st = read_split(&n, split, splits, &l, err);
    }
    wgdn_lines_close(&l);
    if (!st) st = report_notes(&n, d, in->name, err);
    if (st) {
        wgdn_release(split);
        return st;
    }
    for (int64_t k = 0; k < splits * d->nodes; k++)
        if (split[k] < 0) split[k] = WGDN_SPLIT_NONE;
    wgdn_release(d->split);
    d->split = split;
    d->splits = splits;
    return WGDN_OK;
}

/* ---- files of labels and splits ---- */

static bool has_heading(const wgdn_input *in, const char *heading)
{
    wgdn_lines l;
    bool more = false, has = false;
    wgdn_lines_open(&l, in);
    if (!wgdn_lines_next(&l, &more, NULL) && more)
        for (int64_t j = 0; j < l.fields && !has; j++)
            has = wgdn_text_is(l.field[j], heading);
    wgdn_lines_close(&l);
    return has;
}

/* If features are given too, --id applies to them, unless a column here has that heading. */
static wgdn_input input_of(const wgdn_source *s, const wgdn_dataset_options *o)
{
    wgdn_input in =
        wgdn_text_input(&(wgdn_bytes){.data = s->data, .size = s->size, .name = s->name}, o);
    if (in.id && o->features && !has_heading(&in, in.id)) in.id = NULL;
    return in;
}

static wgdn_status read_label_file(wgdn_dataset *d, const wgdn_dataset_options *o, wgdn_error *err)
{
    wgdn_source s;
    wgdn_archive a = {0};
    int32_t *label = NULL;
    wgdn_status st;
    if (!wgdn_path_is_archive(o->labels)) {
        st = wgdn_source_read(&s, o->labels, o->max_bytes, err);
        if (st) return st;
        const wgdn_input in = input_of(&s, o);
        st = wgdn_labels_read(d, &in, o, err);
        wgdn_source_free(&s);
        return st;
    }
    st = wgdn_archive_open(&a, o->labels, err);
    if (st) return st;
    if (a.tensors != 1 || wgdn_tensor_count(&a.tensor[0]) != d->nodes)
        st = wgdn_fail_in(err, WGDN_EFORMAT, o->labels,
                          "expected one array with a label for each of %lld nodes",
                          (long long)d->nodes);
    if (!st) st = wgdn_array_int32(&label, NULL, &a.tensor[0], o->labels, err);
    if (!st) st = wgdn_labels_set(d, label, o->labels, err);
    wgdn_release(label);
    wgdn_archive_free(&a);
    return st;
}

/* Where an edge list names its graphs, labels are theirs. */
static wgdn_status read_graph_labels(wgdn_dataset *d, const wgdn_dataset_options *o,
                                     wgdn_error *err)
{
    wgdn_dataset *g = NULL;
    wgdn_status st = wgdn_dataset_from_graphs(&g, d, err);
    if (!st) st = read_label_file(g, o, err);
    if (!st) {
        wgdn_release(d->graph_label);
        wgdn_names_free(&d->graph_class_names);
        d->graph_label = g->label;
        d->graph_classes = g->classes;
        d->graph_class_names = g->class_names;
        g->label = NULL;
        g->class_names = (wgdn_names){0};
    }
    for (int64_t i = 0; !st && i < g->remarks.count; i++)
        st = wgdn_remarks_add(&d->remarks, g->remarks.list[i].what, g->remarks.list[i].count, err,
                              "%s", g->remarks.list[i].text);
    wgdn_dataset_free(g);
    return st;
}

static wgdn_status read_split_file(wgdn_dataset *d, const wgdn_dataset_options *o, wgdn_error *err)
{
    wgdn_source s;
    wgdn_status st = wgdn_source_read(&s, o->splits, o->max_bytes, err);
    if (st) return st;
    const wgdn_input in = input_of(&s, o);
    st = wgdn_splits_read(d, &in, o, err);
    wgdn_source_free(&s);
    return st;
}

wgdn_status wgdn_notes_read(wgdn_dataset *d, const wgdn_dataset_options *o, wgdn_error *err)
{
    wgdn_status st = WGDN_OK;
    if (o->labels) st = (d->graphs_named ? read_graph_labels : read_label_file)(d, o, err);
    if (!st && o->splits) st = read_split_file(d, o, err);
    return st;
}
