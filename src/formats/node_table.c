/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads the files that accompany a graph: features as text, tables or JSON, and the labels and
 * splits for its nodes. The registry calls it after the graph is read; node_match.c finds the node
 * of each row.
 */
#include "node_table.h"
#include "io/archive.h"
#include "io/json.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* Where there are features, too, --id is theirs, unless a column here has that heading. */
static wgdn_input input_of(const wgdn_source *s, const wgdn_dataset_options *o)
{
    wgdn_input in =
        wgdn_text_input(&(wgdn_bytes){.data = s->data, .size = s->size, .name = s->name}, o);
    if (in.id && o->features && !has_heading(&in, in.id)) in.id = NULL;
    return in;
}

static wgdn_status read_labels(wgdn_dataset *d, const wgdn_dataset_options *o, wgdn_error *err)
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
        st = wgdn_fail(err, WGDN_EFORMAT,
                       "%s: expected one array with a label for each of %lld nodes",
                       wgdn_show_name(o->labels).text, (long long)d->nodes);
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
    if (!st) st = read_labels(g, o, err);
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

static wgdn_status read_splits(wgdn_dataset *d, const wgdn_dataset_options *o, wgdn_error *err)
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
    if (o->labels) st = (d->graphs_named ? read_graph_labels : read_labels)(d, o, err);
    if (!st && o->splits) st = read_splits(d, o, err);
    return st;
}

/* Reads features as text: an id and its numbers on every line. */

static wgdn_status read_row(wgdn_table *t, wgdn_ids *ids, const wgdn_lines *l, int64_t id,
                            wgdn_error *err)
{
    int32_t column = 0;
    if (l->fields < 2)
        return wgdn_lines_fail(l, 0, err, "%s alone: expected an id and its features",
                               wgdn_show(l->field[0]).text);
    if (t->rows == 0) t->width = l->fields - 1;
    if (l->fields - 1 != t->width)
        return wgdn_lines_fail(l, l->fields - 1, err,
                               "%lld features, where the rows before have %lld",
                               (long long)l->fields - 1, (long long)t->width);
    if (wgdn_table_skips(t, ids, l->field[id])) return WGDN_OK;
    wgdn_status st = wgdn_table_row(t, ids, l->field[id], l->line, err);
    for (int64_t j = 0; !st && j < l->fields; j++) {
        const wgdn_text text = l->field[j];
        double x;
        if (j == id) continue;
        const int32_t at = column++;
        if (text.size == 1 && text.at[0] == '0') continue;
        if (!wgdn_lines_number(l, text, &x) || !(fabs(x) <= (double)FLT_MAX))
            return wgdn_lines_fail(l, j, err, "%s is not a finite number", wgdn_show(text).text);
        if ((float)x != 0) st = wgdn_table_entry(t, at, (float)x, err);
    }
    return st;
}

/* word2vec opens with "rows width". */
static bool has_counts(const wgdn_lines *l, int64_t next_fields)
{
    int64_t rows, width;
    return l->fields == 2 && next_fields > 2 && wgdn_text_index(l->field[0], &rows) &&
           wgdn_text_index(l->field[1], &width) && width == next_fields - 1;
}

/* So it does, or something is no number over the numbers. */
static bool is_header(const wgdn_lines *l, int64_t id, int64_t next_fields)
{
    const wgdn_text *field = l->field;
    const int64_t fields = l->fields;
    double x;
    if (has_counts(l, next_fields)) return true;
    if (fields > 1 && field[id].size == 0) return true; /* a dataframe's index has no name */
    for (int64_t j = 0; j < fields; j++)
        if (j != id && !wgdn_lines_number(l, field[j], &x)) return true;
    return false;
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

/* The fields of the row behind the current one. */
static int64_t next_fields(const wgdn_lines *l)
{
    wgdn_lines ahead = {.name = l->name, .at = l->at, .end = l->end, .next = l->next};
    bool more = false;
    ahead.separator = l->separator;
    const int64_t fields = !wgdn_lines_next(&ahead, &more, NULL) && more ? ahead.fields : 0;
    wgdn_lines_close(&ahead);
    return fields;
}

/* Row 1 has numbers behind the id, or the two counts of word2vec. */
static bool table_starts_bare(const wgdn_input *in)
{
    wgdn_lines l;
    bool more = false, named = false, bare = false;
    int64_t id = 0;
    double x;
    wgdn_lines_open(&l, in);
    if (!wgdn_lines_next(&l, &more, NULL) && more &&
        !wgdn_table_find_id(&id, &named, &l, in, NULL)) {
        bare = in->header != WGDN_HEADER_YES && !named && l.field[id].size > 0;
        for (int64_t j = 0; j < l.fields && bare; j++)
            bare = j == id || (wgdn_lines_number(&l, l.field[j], &x) && x == x);
        if (l.fields == 2) bare = bare || has_counts(&l, next_fields(&l));
    }
    wgdn_lines_close(&l);
    return bare;
}

static wgdn_status skip_header(wgdn_lines *l, int64_t *id, const wgdn_input *in, wgdn_error *err)
{
    const wgdn_header header = in->header;
    bool more, named = false;
    *id = 0;
    wgdn_status st = wgdn_lines_next(l, &more, err);
    if (!st && more) st = wgdn_table_find_id(id, &named, l, in, err);
    if (st || !more || named || header == WGDN_HEADER_YES) return st;
    if (header == WGDN_HEADER_AUTO) {
        if (l->fields == 2) { /* word2vec? the next line tells */
            wgdn_lines ahead = {.name = l->name, .at = l->at, .end = l->end, .next = l->next};
            ahead.separator = l->separator;
            st = wgdn_lines_next(&ahead, &more, err);
            const int64_t next = ahead.fields;
            wgdn_lines_close(&ahead);
            if (st || is_header(l, *id, next)) return st;
        } else if (is_header(l, *id, 0)) {
            return WGDN_OK;
        }
    }
    wgdn_lines_again(l);
    return WGDN_OK;
}

wgdn_status wgdn_table_read(wgdn_table *t, wgdn_ids *ids, const wgdn_input *in, wgdn_error *err)
{
    wgdn_lines l;
    bool more = true;
    t->name = in->name;
    wgdn_lines_open(&l, in);
    int64_t id = 0;
    wgdn_status st = skip_header(&l, &id, in, err);
    while (!st && more) {
        st = wgdn_lines_next(&l, &more, err);
        if (!st && more) st = read_row(t, ids, &l, id, err);
    }
    wgdn_lines_close(&l);
    if (!st && t->rows + t->skipped == 0)
        st = wgdn_fail(err, WGDN_EFORMAT, "%s: no rows: expected an id and its features per line",
                       wgdn_show_name(in->name).text);
    return st;
}

/*
 * Reads tables as people have them: numbers, categories, dates, booleans, gaps. The text is read
 * several times: first for the kinds of values in each column, then for the words, then for the
 * rows.
 */

wgdn_status wgdn_table_reading_no_memory(const wgdn_table_reading *r, wgdn_error *err)
{
    return wgdn_fail(err, WGDN_ENOMEM, "%s: %lld columns", wgdn_show_name(r->in->name).text,
                     (long long)r->columns);
}

/* The id before the other fields of a row. */
static void id_first(const wgdn_lines *l, int64_t id)
{
    if (id >= l->fields) return;
    const wgdn_text own = l->field[id];
    memmove(l->field + 1, l->field, (size_t)id * sizeof *l->field);
    l->field[0] = own;
}

wgdn_status wgdn_table_reading_walk(wgdn_table_reading *r, bool skip, wgdn_row_visit *visit,
                                    wgdn_error *err)
{
    wgdn_lines l;
    bool more = true;
    wgdn_lines_open(&l, r->in);
    wgdn_status st = skip ? wgdn_lines_next(&l, &more, err) : WGDN_OK;
    while (!st && more) {
        st = wgdn_lines_next(&l, &more, err);
        if (st || !more) break;
        if (l.fields < 2)
            st = wgdn_lines_fail(&l, 0, err, "%s alone: expected an id and its features",
                                 wgdn_show(l.field[0]).text);
        else if (r->columns && l.fields - 1 != r->columns)
            st = wgdn_lines_fail(&l, l.fields - 1, err,
                                 "%lld features, where the rows before have %lld",
                                 (long long)l.fields - 1, (long long)r->columns);
        if (!st) r->columns = l.fields - 1;
        if (!st) id_first(&l, r->id);
        if (!st) st = visit(r, &l, err);
    }
    wgdn_lines_close(&l);
    return st;
}

wgdn_shown wgdn_table_reading_name(const wgdn_table_reading *r, int64_t j)
{
    wgdn_shown s;
    if (r->headed) return wgdn_show(wgdn_names_get(&r->head, j + r->head.count - r->columns));
    snprintf(s.text, sizeof s.text, "%lld", (long long)j + 1);
    return s;
}

wgdn_status wgdn_table_reading_reserve(wgdn_table_reading *r, int64_t columns, wgdn_error *err)
{
    r->place = wgdn_alloc((size_t)columns, sizeof *r->place);
    r->missing = wgdn_alloc_zero((size_t)columns, sizeof *r->missing);
    r->unknown = wgdn_alloc_zero((size_t)columns, sizeof *r->unknown);
    r->cell = wgdn_alloc(WGDN_CELLS * (size_t)columns, sizeof *r->cell);
    return r->place && r->missing && r->unknown && r->cell ? WGDN_OK
                                                           : wgdn_table_reading_no_memory(r, err);
}

static wgdn_status read_head(wgdn_table_reading *r, wgdn_error *err)
{
    wgdn_lines l;
    bool more = false;
    wgdn_lines_open(&l, r->in);
    wgdn_status st = wgdn_lines_next(&l, &more, err);
    if (!st && !more)
        st = wgdn_fail(err, WGDN_EFORMAT, "%s: no rows: expected an id and its features per line",
                       wgdn_show_name(r->in->name).text);
    if (!st) st = wgdn_table_find_id(&r->id, &r->id_named, &l, r->in, err);
    if (!st) id_first(&l, r->id);
    if (!st) st = wgdn_names_from(&r->head, l.field, l.fields, err);
    r->decimal = l.decimal;
    wgdn_lines_close(&l);
    return st;
}

/* ---- the rows ---- */

/* x / |x|; a row of zeros stays one. */
static void scale_row(wgdn_cell *cell, int64_t count)
{
    double squares = 0;
    for (int64_t k = 0; k < count; k++)
        squares += (double)cell[k].value * (double)cell[k].value;
    for (int64_t k = 0; k < count; k++)
        cell[k].value = (float)((double)cell[k].value / sqrt(squares));
}

static wgdn_status encode_row(wgdn_table_reading *r, const wgdn_lines *l, wgdn_error *err)
{
    const wgdn_block *b = r->block;
    int64_t cells = 0;
    if (wgdn_table_skips(r->t, r->ids, l->field[0])) return WGDN_OK;
    wgdn_status st = wgdn_table_row(r->t, r->ids, l->field[0], l->line, err);
    for (int64_t k = 0; k < b->columns && !st; k++) {
        const wgdn_text field = l->field[r->place[k] + 1];
        int count;
        const wgdn_cell_news news =
            wgdn_column_cells(r->cell + cells, &count, &b->column[k], field, r->decimal);
        if (news == WGDN_CELL_MISSING) r->missing[k]++;
        if (news == WGDN_CELL_UNKNOWN) r->unknown[k]++;
        if (news == WGDN_CELL_WRONG) {
            static const char *const wanted[] = {"number", "date", "boolean"};
            return wgdn_lines_fail(
                l, r->place[k] + 1, err, "%s is not a %s, as column %s is one of %ss",
                wgdn_show(field).text, wanted[b->column[k].kind],
                wgdn_table_reading_name(r, r->place[k]).text, wanted[b->column[k].kind]);
        }
        cells += count;
    }
    if (b->scale == WGDN_SCALE_ROW) scale_row(r->cell, cells);
    for (int64_t i = 0; i < cells && !st; i++)
        st = wgdn_table_entry(r->t, r->cell[i].column, r->cell[i].value, err);
    return st;
}

static wgdn_status read_columns(wgdn_table_reading *r, wgdn_error *err)
{
    wgdn_status st = read_head(r, err);
    if (!st && r->plan->given) {
        st = wgdn_table_reading_match(r, err);
    } else if (!st) {
        st = wgdn_table_reading_decide(r, err);
    }
    if (!st) st = wgdn_table_reading_walk(r, r->headed, encode_row, err);
    if (!st) r->t->width = r->block->width;
    if (!st) st = wgdn_table_reading_remark(r, err);
    return st;
}

/* ---- tables of numbers only ---- */

static wgdn_status read_numbers(wgdn_table *t, wgdn_ids *ids, const wgdn_input *in,
                                const wgdn_table_plan *plan, wgdn_error *err)
{
    wgdn_status st = wgdn_table_read(t, ids, in, err);
    if (st) return st;
    plan->made->kind = WGDN_BLOCK_NUMBERS;
    plan->made->width = t->width;
    if (plan->given && plan->given->width != t->width)
        return wgdn_fail(err, WGDN_EINVAL, "%s: %lld columns, where the model was made with %lld",
                         wgdn_show_name(in->name).text, (long long)t->width,
                         (long long)plan->given->width);
    return wgdn_remarks_add(plan->remarks, "feature-table", t->width, err,
                            "%s: data from line %lld on; %lld column%s of numbers, which stay as "
                            "they are",
                            wgdn_show_name(in->name).text,
                            (long long)(t->rows ? t->line[t->node[0]] : 1), (long long)t->width,
                            t->width == 1 ? "" : "s");
}

/* Without headings and without a wish, numbers are read at once; true when that was all. */
static bool try_numbers(wgdn_status *st, wgdn_table *t, wgdn_ids *ids, const wgdn_input *in,
                        const wgdn_table_plan *plan, wgdn_error *err)
{
    const bool wish = plan->ignore || plan->scale == WGDN_SCALE_STANDARD ||
                      plan->scale == WGDN_SCALE_ROW || plan->given;
    wgdn_error why = {WGDN_OK, ""};
    if (wish || !table_starts_bare(in)) return false;
    *st = read_numbers(t, ids, in, plan, &why);
    if (*st == WGDN_EFORMAT) { /* not numbers, after all */
        wgdn_table_free(t);
        t->name = in->name;
        *st = WGDN_OK;
        return false;
    }
    if (*st) *st = wgdn_fail(err, *st, "%s", why.message);
    return true;
}

wgdn_status wgdn_table_read_columns(wgdn_table *t, wgdn_ids *ids, const wgdn_input *in,
                                    const wgdn_table_plan *plan, wgdn_error *err)
{
    wgdn_table_reading r = {.t = t, .ids = ids, .in = in, .plan = plan};
    wgdn_status st = WGDN_OK;
    t->name = in->name;
    if (plan->numbers || (plan->given && plan->given->kind == WGDN_BLOCK_NUMBERS))
        return read_numbers(t, ids, in, plan, err);
    if (plan->given && plan->given->kind == WGDN_BLOCK_ARRAY)
        return wgdn_fail(err, WGDN_EINVAL, "%s: the model was made with an array here, not a table",
                         wgdn_show_name(in->name).text);
    if (try_numbers(&st, t, ids, in, plan, err)) return st;
    r.block = plan->given ? plan->given : plan->made;
    st = read_columns(&r, err);
    wgdn_release(r.cell);
    wgdn_release(r.unknown);
    wgdn_release(r.missing);
    wgdn_release(r.place);
    wgdn_table_reading_forget(&r);
    wgdn_names_free(&r.head);
    return st;
}

/* Reads features as JSON: {"id": [feature, ...], ...}. */

static int by_number(const void *a, const void *b)
{
    const int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return x < y ? -1 : x > y;
}

static wgdn_status refuse(const char *key, const json_t *item, const char *name, wgdn_error *err)
{
    char number[32] = "not a number";
    if (json_is_integer(item))
        snprintf(number, sizeof number, "%" JSON_INTEGER_FORMAT, json_integer_value(item));
    return wgdn_fail(err, WGDN_EFORMAT,
                     "%s: a feature of %s is %s: expected numbers of features, from 0 below 2^31",
                     wgdn_show_name(name).text, wgdn_show(wgdn_text_of(key, strlen(key))).text,
                     number);
}

/* The numbers of one node's features, in an array that grows. */
typedef struct numbers {
    int32_t *at;
    int64_t room;
} numbers;

/* One node: its features sorted, a repeat counted once. */
static wgdn_status read_node(wgdn_table *t, wgdn_ids *ids, void *member, int64_t line, numbers *n,
                             wgdn_error *err)
{
    const char *key = json_object_iter_key(member);
    const json_t *list = json_object_iter_value(member);
    const int64_t count = (int64_t)json_array_size(list);
    const wgdn_text id = wgdn_text_of(key, strlen(key));
    if (!json_is_array(list))
        return wgdn_fail(err, WGDN_EFORMAT, "%s: %s is not a list: expected {\"id\": [0, 5, ...]}",
                         wgdn_show_name(t->name).text, wgdn_show(id).text);
    if (!wgdn_grow(&n->at, &n->room, count, sizeof *n->at))
        return wgdn_fail(err, WGDN_ENOMEM, "%s: %lld features", wgdn_show_name(t->name).text,
                         (long long)count);
    for (int64_t k = 0; k < count; k++) {
        const json_t *item = json_array_get(list, (size_t)k);
        const json_int_t value = json_is_integer(item) ? json_integer_value(item) : -1;
        if (value < 0 || value >= INT32_MAX) return refuse(key, item, t->name, err);
        n->at[k] = (int32_t)value;
    }
    if (wgdn_table_skips(t, ids, id)) return WGDN_OK;
    if (count) qsort(n->at, (size_t)count, sizeof *n->at, by_number);
    wgdn_status st = wgdn_table_row(t, ids, id, line, err);
    for (int64_t k = 0; !st && k < count; k++) {
        if (k > 0 && n->at[k] == n->at[k - 1]) continue;
        st = wgdn_table_entry(t, n->at[k], 1, err);
        if (n->at[k] >= t->width) t->width = (int64_t)n->at[k] + 1;
    }
    return st;
}

wgdn_status wgdn_table_read_json(wgdn_table *t, wgdn_ids *ids, const wgdn_input *in,
                                 wgdn_error *err)
{
    wgdn_status st = WGDN_OK;
    json_error_t why;
    numbers n = {0};
    int64_t line = 0;
    const wgdn_shown name = wgdn_show_name(in->name);
    json_t *root = wgdn_json_load(in->data, in->size, &why);
    t->name = in->name;
    if (!root)
        return wgdn_fail(err, WGDN_EFORMAT, "%s:%d:%d: %.100s", name.text, why.line, why.column,
                         why.text);
    if (!json_is_object(root))
        st = wgdn_fail(err, WGDN_EFORMAT, "%s: expected an object {\"id\": [0, 5, ...], ...}",
                       name.text);
    for (void *i = st ? NULL : json_object_iter(root); !st && i; i = json_object_iter_next(root, i))
        st = read_node(t, ids, i, ++line, &n, err);
    if (!st && (t->rows + t->skipped == 0 || (t->width == 0 && !t->skipped)))
        st = wgdn_fail(err, WGDN_EFORMAT, "%s: no features in it", name.text);
    wgdn_release(n.at);
    json_decref(root);
    return st;
}
