/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads labels and splits from text files beside a graph, and decides how the columns of a feature
 * table are used. It also writes one part of a dataset as TSV; node_table.c calls the readers.
 */
#include "data/dataset.h"
#include "io/source.h"
#include "node_match.h"
#include "node_table.h"

#include <stdio.h>
#include <string.h>

/* Reads labels: the id of a node and a word on every line. */

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
    wgdn_lines_open(&l, in);
    wgdn_status st = find_columns(w, &l, in, column, err);
    while (wgdn_lines_more(&l, &st, err)) {
        st = read_label(w, &l, err);
    }
    wgdn_lines_close(&l);
    return st;
}

/* First and further labels together, as pairs. */
static wgdn_status keep_several_labels(wgdn_dataset *d, labelling *w, wgdn_error *err)
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

static wgdn_status keep_labels(wgdn_dataset *d, labelling *w, wgdn_error *err)
{
    wgdn_names names = {0};
    if (w->more.count > 0) return keep_several_labels(d, w, err);
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
    static const char *const val[] = {"val", "valid", "validation", "dev"};
    static const char *const none[] = {"", "-", "none", "unused"};
    if (wgdn_text_is(t, "train")) return WGDN_SPLIT_TRAIN;
    if (wgdn_text_is(t, "test")) return WGDN_SPLIT_TEST;
    if (wgdn_is_any(t, val, 4)) return WGDN_SPLIT_VAL;
    return wgdn_is_any(t, none, 4) ? WGDN_SPLIT_NONE : -1;
}

static wgdn_status read_split(wgdn_notes *n, int8_t *split, int64_t splits, const wgdn_lines *l,
                              wgdn_error *err)
{
    int64_t node, k = 0;
    if (l->fields != splits + 1)
        return wgdn_lines_fail(l, l->fields - 1, err,
                               "%lld columns, where the rows before have %lld",
                               (long long)l->fields, (long long)splits + 1);
    const wgdn_status st = wgdn_note_node(&node, n, l, err);
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
    const wgdn_status st = wgdn_notes_open(n, l, in, err);
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
    if (!st) st = wgdn_notes_report(&n, d, in->name, err);
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

/*
 * Decides how the columns of a table are used: two passes over all rows, whether row 1 is a header,
 * then a decision.
 */

/* ---- two passes over the columns ---- */

/* What is counted for a column takes as much memory as many rows of it, so a table that is wide has some. */
enum { WIDE = 4096, ROWS_WIDE = 24 };

static wgdn_status check_shape(const wgdn_table_reading *r, const wgdn_lines *l, wgdn_error *err)
{
    int64_t rows = 0;
    const unsigned char *p = l->start;
    while (r->columns > WIDE && rows < ROWS_WIDE && p &&
           (p = memchr(p, '\n', (size_t)(l->end - p)))) {
        rows++;
        p++;
    }
    if (r->columns <= WIDE || rows == ROWS_WIDE) return WGDN_OK;
    return wgdn_fail_in(err, WGDN_EFORMAT, r->in->name,
                        "%lld columns, but fewer than %d rows: a table has a row for each node; "
                        "transpose it, or pass the numbers as an array (.npy)",
                        (long long)r->columns + 1, ROWS_WIDE);
}

static wgdn_status survey_row(wgdn_table_reading *r, const wgdn_lines *l, wgdn_error *err)
{
    if (!r->survey) {
        const wgdn_status st = check_shape(r, l, err);
        if (st) return st;
        r->survey = wgdn_alloc_zero((size_t)r->columns, sizeof *r->survey);
        if (!r->survey) return wgdn_table_reading_no_memory(r, err);
        for (int64_t j = 0; j < r->columns; j++)
            r->survey[j].decimal = r->decimal;
    }
    for (int64_t j = 0; j < r->columns; j++) {
        const wgdn_text field = l->field[j + 1];
        if (!wgdn_survey_see(&r->survey[j], field, l->line))
            return wgdn_lines_fail(l, j + 1, err, "%s is not a finite number",
                                   wgdn_show(field).text);
    }
    return WGDN_OK;
}

static wgdn_status count_row(wgdn_table_reading *r, const wgdn_lines *l, wgdn_error *err)
{
    wgdn_status st = WGDN_OK;
    for (int64_t j = 0; j < r->columns && !st; j++)
        if (wgdn_survey_words(&r->survey[j]))
            st = wgdn_survey_count(&r->survey[j], l->field[j + 1], err);
    return st;
}

void wgdn_table_reading_forget(wgdn_table_reading *r)
{
    for (int64_t j = 0; r->survey && j < r->columns; j++)
        wgdn_survey_free(&r->survey[j]);
    wgdn_release(r->survey);
    r->survey = NULL;
}

static wgdn_status examine_columns(wgdn_table_reading *r, bool skip, wgdn_error *err)
{
    bool words = false;
    wgdn_table_reading_forget(r);
    r->columns = 0;
    wgdn_status st = wgdn_table_reading_walk(r, skip, survey_row, err);
    for (int64_t j = 0; !st && r->survey && j < r->columns; j++) {
        wgdn_survey_settle(&r->survey[j]);
        if (wgdn_survey_words(&r->survey[j])) words = true;
    }
    return !st && words ? wgdn_table_reading_walk(r, skip, count_row, err) : st;
}

/* ---- is row 1 a header? ---- */

static bool is_word(wgdn_text t, char decimal)
{
    double x;
    return wgdn_field_of(t, decimal, WGDN_DAY_FIRST, &x) == WGDN_FIELD_WORD;
}

/* Names of columns: not the id of a node, as many as there are columns. */
static bool may_be_head(const wgdn_table_reading *r)
{
    const int64_t extra = r->head.count - r->columns;
    if (!r->survey || (extra != 0 && extra != 1)) return false;
    return extra == 0 || wgdn_ids_find(r->ids, wgdn_names_get(&r->head, 0)) < 0;
}

/*
 * Having looked at all other rows: a word over a column without words is a heading; so are words
 * that are found nowhere below.
 */
static bool is_head(const wgdn_table_reading *r)
{
    const int64_t extra = r->head.count - r->columns;
    bool nowhere = true;
    if (r->id_named) return true;
    if (!may_be_head(r)) return false;
    if (extra == 1 && wgdn_names_get(&r->head, 0).size == 0) return true; /* a dataframe's index */
    for (int64_t j = 0; j < r->columns; j++) {
        const wgdn_text t = wgdn_names_get(&r->head, j + extra);
        const wgdn_survey *s = &r->survey[j];
        const bool word = is_word(t, r->decimal);
        if (word && s->rows > s->missing && !wgdn_survey_words(s)) return true;
        if (!word || (s->seen && wgdn_ids_find(&s->value, t) >= 0)) nowhere = false;
    }
    return nowhere;
}

static wgdn_status examine_header(wgdn_table_reading *r, wgdn_error *err)
{
    const wgdn_header said = r->in->header;
    wgdn_status st = examine_columns(r, said != WGDN_HEADER_NO, err);
    if (st) return st;
    r->headed = said == WGDN_HEADER_YES || (said == WGDN_HEADER_AUTO && is_head(r));
    const int64_t extra = r->head.count - r->columns;
    if (said == WGDN_HEADER_YES && r->survey && extra != 0 && extra != 1)
        return wgdn_fail(err, WGDN_EFORMAT, "%s:1: %lld headings over %lld columns",
                         wgdn_show_name(r->in->name).text, (long long)r->head.count,
                         (long long)r->columns + 1);
    if (!r->headed && said == WGDN_HEADER_AUTO) st = examine_columns(r, false, err);
    if (!st && !r->survey)
        st = wgdn_fail_in(err, WGDN_EFORMAT, r->in->name,
                          "no rows: expected an id and its features per line");
    return st;
}

/* ---- ignored columns ---- */

static int64_t find_named(const wgdn_table_reading *r, wgdn_text name)
{
    int64_t place;
    for (int64_t j = 0; r->headed && j < r->columns; j++)
        if (wgdn_text_compare(wgdn_names_get(&r->head, j + r->head.count - r->columns), name) == 0)
            return j;
    return wgdn_text_index(name, &place) && place >= 1 && place <= r->columns ? place - 1 : -1;
}

static wgdn_status ignore_columns(wgdn_table_reading *r, wgdn_error *err)
{
    for (const char *at = r->plan->ignore; at && *at;) {
        const size_t size = strcspn(at, ",");
        const wgdn_text name = wgdn_text_of(at, size);
        const int64_t j = find_named(r, name);
        if (j >= 0)
            r->survey[j].ignored = true;
        else if (!r->plan->several)
            return wgdn_fail_in(err, WGDN_EINVAL, r->in->name,
                                "no column %s, which is to be ignored", wgdn_show(name).text);
        at += size + (at[size] == ',');
    }
    return WGDN_OK;
}

/* ---- the encoding of the columns ---- */

static wgdn_status refuse_text(const wgdn_table_reading *r, int64_t j, wgdn_error *err)
{
    const wgdn_shown name = wgdn_table_reading_name(r, j);
    return wgdn_fail_in(err, WGDN_EFORMAT, r->in->name,
                        "column %s is text: make vectors of it with a language model and give them "
                        "as .npy, or leave it out: --ignore %s",
                        name.text, name.text);
}

static wgdn_status refuse_odd(const wgdn_table_reading *r, int64_t j, wgdn_error *err)
{
    const wgdn_survey *s = &r->survey[j];
    const bool numbers = s->numbers > s->days;
    return wgdn_fail_at(
        err, WGDN_EFORMAT, r->in->name, (numbers ? s->odd_number : s->odd_day),
        "column %s: no %s, where nearly all of the column are: correct it, or write NA",
        wgdn_table_reading_name(r, j).text, numbers ? "number" : "date");
}

static wgdn_status name_column(wgdn_column *c, const wgdn_table_reading *r, int64_t j,
                               wgdn_error *err)
{
    char digits[WGDN_INDEX_TEXT];
    wgdn_text name = wgdn_text_of(digits, wgdn_print_index(digits, j + 1));
    if (r->headed) name = wgdn_names_get(&r->head, j + r->head.count - r->columns);
    return wgdn_names_from(&c->name, &name, 1, err);
}

static wgdn_status judge(wgdn_table_reading *r, int64_t j, wgdn_error *err)
{
    wgdn_block *b = r->block;
    wgdn_column *c = NULL;
    wgdn_verdict verdict;
    wgdn_status st = wgdn_block_add(b, &c, err);
    if (!st) st = name_column(c, r, j, err);
    if (!st) st = wgdn_survey_judge(c, &verdict, &r->survey[j], r->plan->max_categories, err);
    if (st) return st;
    if (verdict == WGDN_VERDICT_TEXT) return refuse_text(r, j, err);
    if (verdict == WGDN_VERDICT_ODD) return refuse_odd(r, j, err);
    if (verdict == WGDN_VERDICT_EMPTY) {
        wgdn_names_free(&c->name);
        b->columns--;
        return WGDN_OK;
    }
    if (b->scale == WGDN_SCALE_STANDARD &&
        (c->kind == WGDN_FEATURE_NUMBER || c->kind == WGDN_FEATURE_DATE)) {
        c->shift = c->mean;
        c->unit = wgdn_survey_deviation(&r->survey[j]);
    }
    r->place[b->columns - 1] = j;
    return WGDN_OK;
}

/* v0, v1, v2, ...: the parts of a vector, which belong together. */
static bool is_vector(const wgdn_table_reading *r)
{
    const int64_t extra = r->head.count - r->columns;
    int64_t first = -1;
    size_t prefix = 0;
    if (!r->headed || r->columns < 2) return false;
    for (int64_t j = 0; j < r->columns; j++) {
        const wgdn_text t = wgdn_names_get(&r->head, j + extra);
        const wgdn_survey *s = &r->survey[j];
        int64_t number;
        if (s->ignored || s->missing || s->numbers < s->rows) return false;
        while (j == 0 && prefix < t.size && (t.at[prefix] < '0' || t.at[prefix] > '9'))
            prefix++;
        if (t.size <= prefix || memcmp(t.at, r->head.text + r->head.start[extra], prefix) != 0 ||
            !wgdn_text_index(wgdn_text_of(t.at + prefix, t.size - prefix), &number))
            return false;
        if (j == 0) first = number;
        if (first > 1 || number != first + j) return false;
    }
    return true;
}

static wgdn_feature_scale choose_scale(const wgdn_table_reading *r)
{
    if (r->plan->scale != WGDN_SCALE_AUTO) return r->plan->scale;
    return is_vector(r) ? WGDN_SCALE_NONE : wgdn_survey_scale(r->survey, r->columns);
}

wgdn_status wgdn_table_reading_decide(wgdn_table_reading *r, wgdn_error *err)
{
    wgdn_block *b = r->block;
    wgdn_status st = examine_header(r, err);
    if (!st) st = ignore_columns(r, err);
    if (!st) st = wgdn_table_reading_reserve(r, r->columns, err);
    if (st) return st;
    b->kind = WGDN_BLOCK_TABLE;
    b->headed = r->headed;
    b->of = r->columns;
    b->scale = choose_scale(r);
    for (int64_t j = 0; j < r->columns && !st; j++)
        if (!r->survey[j].ignored) st = judge(r, j, err);
    if (!st && r->headed) st = wgdn_table_reading_unique(r, err);
    if (st) return st;
    wgdn_block_lay_out(b);
    if (b->columns == 0 || b->width > INT32_MAX)
        return wgdn_fail_in(err, WGDN_EFORMAT, r->in->name,
                            "its columns become %lld features: expected 1 .. 2^31 - 1",
                            (long long)b->width);
    return WGDN_OK;
}

/* Reports how the columns of a table were used. */

enum { LINES_MAX = 20 };

static const char *many(int64_t count)
{
    return count == 1 ? "" : "s";
}

/* ---- summary in one line ---- */

static void count_kinds(char *text, size_t size, const wgdn_block *b)
{
    static const char *const word[] = {"of numbers", "of dates", "of booleans", "of categories",
                                       "hashed"};
    int64_t count[5] = {0};
    size_t used = 0;
    text[0] = '\0';
    for (int64_t k = 0; k < b->columns; k++)
        count[b->column[k].kind]++;
    for (int i = 0; i < 5 && used < size; i++)
        if (count[i])
            used += (size_t)snprintf(text + used, size - used, "%s%lld %s", used ? ", " : "",
                                     (long long)count[i], word[i]);
}

static bool has_numbers(const wgdn_block *b)
{
    for (int64_t k = 0; k < b->columns; k++)
        if (b->column[k].kind <= WGDN_FEATURE_DATE) return true;
    return false;
}

static wgdn_status sum_up(const wgdn_table_reading *r, wgdn_error *err)
{
    static const char *const scales[] = {"", "; numbers and dates get mean 0 and deviation 1",
                                         "; numbers stay as they are", "; rows get length 1"};
    char kinds[160];
    const wgdn_block *b = r->block;
    count_kinds(kinds, sizeof kinds, b);
    return wgdn_remarks_add(r->plan->remarks, "feature-table", r->columns, err,
                            "%s: row 1 is %s; %lld column%s (%s) become%s %lld feature%s%s%s",
                            wgdn_show_name(r->in->name).text, r->headed ? "the header" : "data",
                            (long long)b->columns, many(b->columns), kinds,
                            b->columns == 1 ? "s" : "", (long long)b->width, many(b->width),
                            has_numbers(b) || b->scale == WGDN_SCALE_ROW ? scales[b->scale] : "",
                            r->plan->given ? ", as the model says" : "");
}

/* ---- column by column ---- */

/* A number with a sign before or behind it, of a currency or per cent, or with marks between its digits. */
static bool is_dressed(wgdn_text t)
{
    static const char *const signs[] = {"$",        "%",       "+", "-", " ", "\xe2\x82\xac",
                                        "\xc2\xa3", "\xc2\xa5"};
    enum { SIGNS = sizeof signs / sizeof *signs };
    int64_t digits = 0;
    for (size_t at = 0; at < t.size;) {
        size_t step = strchr("0123456789,.'", t.at[at]) ? 1 : 0;
        digits += t.at[at] >= '0' && t.at[at] <= '9';
        for (int i = 0; i < SIGNS && !step; i++) {
            const size_t size = strlen(signs[i]);
            if (t.size - at >= size && memcmp(t.at + at, signs[i], size) == 0) step = size;
        }
        if (!step || t.at[at] == '\0') return false;
        at += step;
    }
    return digits > 0;
}

/* All of the first hundred. */
static bool are_dressed(const wgdn_survey *s)
{
    enum { ENOUGH = 3, MOST = 100 };
    bool all = s->value.count >= ENOUGH;
    for (int64_t i = 0; i < s->value.count && i < MOST && all; i++) {
        char buffer[WGDN_INDEX_TEXT];
        all = is_dressed(wgdn_ids_text(&s->value, i, buffer));
    }
    return all;
}

static void describe(char *text, size_t size, const wgdn_table_reading *r, int64_t k)
{
    const wgdn_column *c = &r->block->column[k];
    const wgdn_survey *s = &r->survey[r->place[k]];
    const bool constant = c->kind < WGDN_FEATURE_CATEGORY && s->squares == 0;
    switch (c->kind) {
    case WGDN_FEATURE_NUMBER: snprintf(text, size, "numbers"); break;
    case WGDN_FEATURE_DATE:
        snprintf(text, size, "dates, as days since 1970%s",
                 c->order == WGDN_MONTH_FIRST ? "; read as month/day/year"
                 : s->two_orders ? "; read as day/month/year, but month/day/year fits, too"
                                 : "");
        break;
    case WGDN_FEATURE_BOOLEAN: snprintf(text, size, "booleans, as 0 and 1"); break;
    case WGDN_FEATURE_CATEGORY:
        snprintf(text, size, "%lld categor%s, a feature each", (long long)c->category.count,
                 c->category.count == 1 ? "y" : "ies");
        break;
    case WGDN_FEATURE_HASHED:
        snprintf(text, size, "%s%lld different values, hashed to %lld features",
                 s->full ? "more than " : "", (long long)s->value.count, (long long)c->buckets);
        break;
    }
    const size_t used = strlen(text);
    if (constant) snprintf(text + used, size - used, ", all the same");
    if (c->kind >= WGDN_FEATURE_CATEGORY && are_dressed(s))
        snprintf(
            text + used, size - used,
            "; they look like numbers: written as such, 1500 for $1,500 or 5 for 5%%, they are "
            "one feature");
}

static wgdn_status report_column(const wgdn_table_reading *r, int64_t k, wgdn_error *err)
{
    char kind[240], gaps[120] = "";
    const int64_t missing = r->missing[k];
    describe(kind, sizeof kind, r, k);
    if (missing)
        snprintf(gaps, sizeof gaps, "; %lld of %lld missing: %s a flag", (long long)missing,
                 (long long)r->t->rows,
                 r->block->column[k].kind < WGDN_FEATURE_CATEGORY ? "the mean and" : "zeros and");
    return wgdn_remarks_add(r->plan->remarks, "feature-column", missing, err, "%s: column %s: %s%s",
                            wgdn_show_name(r->in->name).text,
                            wgdn_table_reading_name(r, r->place[k]).text, kind, gaps);
}

/* Columns that are no part of the features. */
static wgdn_status report_dropped(const wgdn_table_reading *r, wgdn_error *err)
{
    wgdn_status st = WGDN_OK;
    int64_t dropped = 0;
    for (int64_t j = 0; j < r->columns && !st; j++) {
        const wgdn_survey *s = &r->survey[j];
        if (!s->ignored && s->missing < s->rows) continue;
        if (++dropped <= LINES_MAX)
            st = wgdn_remarks_add(r->plan->remarks, "feature-column-dropped", 1, err,
                                  "%s: column %s: %s", wgdn_show_name(r->in->name).text,
                                  wgdn_table_reading_name(r, j).text,
                                  s->ignored ? "ignored as asked" : "left out, no value in it");
    }
    if (!st && dropped > LINES_MAX)
        st = wgdn_remarks_add(r->plan->remarks, "feature-column-dropped", dropped - LINES_MAX, err,
                              "%s: and %lld more columns are left out",
                              wgdn_show_name(r->in->name).text, (long long)(dropped - LINES_MAX));
    return st;
}

/* A table of numbers without gaps needs no list. */
static bool is_plain(const wgdn_table_reading *r)
{
    for (int64_t k = 0; k < r->block->columns; k++)
        if (r->block->column[k].kind != WGDN_FEATURE_NUMBER || r->missing[k]) return false;
    return true;
}

static wgdn_status report_columns(const wgdn_table_reading *r, wgdn_error *err)
{
    const int64_t all = r->block->columns, told = wgdn_min(all, LINES_MAX);
    wgdn_status st = WGDN_OK;
    if (is_plain(r)) return WGDN_OK;
    for (int64_t k = 0; k < told && !st; k++)
        st = report_column(r, k, err);
    if (!st && all > told)
        st = wgdn_remarks_add(r->plan->remarks, "feature-column", all - told, err,
                              "%s: and %lld more column%s", wgdn_show_name(r->in->name).text,
                              (long long)(all - told), many(all - told));
    return st;
}

/* ---- columns known to a model ---- */

static wgdn_status report_changes(const wgdn_table_reading *r, wgdn_error *err)
{
    const wgdn_block *b = r->block;
    const int64_t extra = r->columns - (b->headed ? b->columns : b->of);
    wgdn_status st = WGDN_OK;
    for (int64_t k = 0; k < b->columns && !st; k++) {
        const wgdn_shown name = wgdn_table_reading_name(r, r->place[k]);
        if (r->unknown[k])
            st = wgdn_remarks_add(r->plan->remarks, "categories-unknown", r->unknown[k], err,
                                  "%s: column %s: %lld value%s not among the model's categories: "
                                  "zeros",
                                  wgdn_show_name(r->in->name).text, name.text,
                                  (long long)r->unknown[k], r->unknown[k] == 1 ? " is" : "s are");
        if (!st && r->missing[k])
            st = wgdn_remarks_add(
                r->plan->remarks, "values-missing", r->missing[k], err,
                "%s: column %s: %lld of %lld missing: %s%s", wgdn_show_name(r->in->name).text,
                name.text, (long long)r->missing[k], (long long)r->t->rows,
                b->column[k].kind < WGDN_FEATURE_CATEGORY ? "the model's mean" : "zeros",
                b->column[k].flagged ? " and a flag" : "");
    }
    if (!st && extra > 0)
        st = wgdn_remarks_add(r->plan->remarks, "feature-column-dropped", extra, err,
                              "%s: %lld column%s ignored: the model was made without",
                              wgdn_show_name(r->in->name).text, (long long)extra,
                              extra == 1 ? " is" : "s are");
    return st;
}

wgdn_status wgdn_table_reading_remark(const wgdn_table_reading *r, wgdn_error *err)
{
    wgdn_status st = sum_up(r, err);
    if (!st && r->plan->given) return report_changes(r, err);
    if (!st) st = report_columns(r, err);
    return st ? st : report_dropped(r, err);
}

/* Writes one part of a dataset as TSV keyed by id. */

static void put_id(wgdn_page *p, const wgdn_dataset *d, int64_t node)
{
    char buffer[WGDN_INDEX_TEXT];
    wgdn_page_field(p, wgdn_dataset_name(d, node, buffer));
}

static void put_features(wgdn_page *p, const wgdn_features *f, int64_t i)
{
    const wgdn_csr *s = &f->sparse;
    int64_t k = f->dense ? 0 : s->offset[i];
    for (int64_t j = 0; j < f->width; j++) {
        wgdn_page_put(p, "\t", 1);
        if (f->dense)
            wgdn_page_float(p, f->dense[i * f->width + j]);
        else if (k < s->offset[i + 1] && s->column[k] == j)
            wgdn_page_float(p, s->value ? s->value[k++] : (k++, 1.0f));
        else
            wgdn_page_put(p, "0", 1);
    }
}

static void put_label(wgdn_page *p, const wgdn_dataset *d, int32_t label)
{
    char digits[WGDN_INDEX_TEXT];
    wgdn_page_put(p, "\t", 1);
    if (label < 0) return;
    if (d->class_names.count)
        wgdn_page_field(p, wgdn_names_get(&d->class_names, label));
    else
        wgdn_page_put(p, digits, wgdn_print_index(digits, label));
}

/* A line for each of several. */
static void put_labels(wgdn_page *p, const wgdn_dataset *d, int64_t i)
{
    const wgdn_csr *a = &d->lists;
    put_label(p, d, wgdn_dataset_label(d, i));
    for (int64_t k = a->offset ? a->offset[i] + 1 : 0; a->offset && k < a->offset[i + 1]; k++) {
        wgdn_page_put(p, "\n", 1);
        put_id(p, d, i);
        put_label(p, d, a->column[k]);
    }
}

static void put_splits(wgdn_page *p, const wgdn_dataset *d, int64_t i)
{
    static const char *const word[] = {"\tnone", "\ttrain", "\tval", "\ttest"};
    for (int64_t k = 0; k < d->splits; k++)
        wgdn_page_word(p, word[wgdn_dataset_split(d, k, i)]);
}

static wgdn_status write_part(const wgdn_dataset *d, const char *path, wgdn_part part,
                              wgdn_error *err)
{
    static const char *const word[] = {"features", "labels", "splits"};
    const bool there[] = {d->features.width > 0, d->label != NULL, d->split != NULL};
    wgdn_page *p = NULL;
    if ((int)part < 0 || (int)part > 2 || !there[part])
        return wgdn_fail_in(err, WGDN_EINVAL, path, "the dataset has no %s",
                            (int)part < 0 || (int)part > 2 ? "such part" : word[part]);
    const wgdn_status st = wgdn_page_open(&p, path, err);
    if (st) return st;
    if (part == WGDN_PART_LABELS) wgdn_page_word(p, "id\tlabel\n");
    for (int64_t i = 0; !p->st && i < d->nodes; i++) {
        put_id(p, d, i);
        if (part == WGDN_PART_FEATURES) put_features(p, &d->features, i);
        if (part == WGDN_PART_LABELS) put_labels(p, d, i);
        if (part == WGDN_PART_SPLITS) put_splits(p, d, i);
        wgdn_page_put(p, "\n", 1);
    }
    return wgdn_page_close(p);
}

wgdn_status wgdn_dataset_write_part(const wgdn_dataset *d, const char *path, wgdn_part part,
                                    wgdn_error *err)
{
    wgdn_plain plain;
    wgdn_status st = wgdn_plain_open(&plain, d, err);
    if (!st) st = write_part(plain.d, path, part, err);
    wgdn_plain_close(&plain);
    return st;
}
