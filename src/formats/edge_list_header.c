/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whether row 1 of an edge list holds names of columns, by the first thousand rows. It does if the
 * options name one of its fields; else not if one of them is a number, or if one in the place of an
 * id is an id again below. Then it does if it stands over numbers, or names a source and a target
 * unless row 2 is of the same form (node1 and node2 over node3 and node4).
 * What is left, words over words, is for the whole list to tell (edge_list_read.c).
 */
#include "edge_list.h"

#include <math.h>
#include <string.h>

enum { ROWS = 1000 };

/* A column below row 1, as far as it was looked at. */
typedef struct column {
    int64_t filled, numbers, times;
    int64_t first; /* of those that count */
    bool counts;   /* 0, 1, 2, ..., or from 1 on */
} column;

typedef struct sample {
    column *column;
    int64_t rows; /* with as many fields as row 1 */
    bool even;    /* the first of them is row 2 */
} sample;

static bool is_number(const wgdn_lines *l, wgdn_text t)
{
    double x;
    return wgdn_lines_number(l, t, &x) && isfinite(x);
}

/* Seconds from 1980 to 2128: as weights they would say nothing. */
static bool is_time(wgdn_text t)
{
    int64_t value;
    return wgdn_text_index(t, &value) && value >= 315532800 && value < 5000000000;
}

static wgdn_status keep_names(wgdn_edge_layout *y, const wgdn_lines *l, wgdn_error *err)
{
    size_t size = 0;
    for (int64_t j = 0; j < l->fields; j++)
        size += l->field[j].size;
    y->name = wgdn_alloc((size_t)l->fields, sizeof *y->name);
    y->text = wgdn_alloc(size + 1, 1);
    y->kind = wgdn_alloc_zero((size_t)l->fields, sizeof *y->kind);
    if (!y->name || !y->text || !y->kind)
        return wgdn_fail(err, WGDN_ENOMEM, "%s: a row of %lld fields", wgdn_show_name(l->name).text,
                         (long long)l->fields);
    y->columns = l->fields;
    size = 0;
    for (int64_t j = 0; j < l->fields; j++) {
        const wgdn_text t = l->field[j];
        if (t.size) memcpy(y->text + size, t.at, t.size);
        y->name[j] = wgdn_text_of(y->text + size, t.size);
        size += t.size;
    }
    return WGDN_OK;
}

static void look_at_row(sample *s, const wgdn_lines *l)
{
    for (int64_t j = 0; j < l->fields; j++) {
        int64_t value = -1;
        column *c = &s->column[j];
        c->filled += l->field[j].size > 0;
        c->numbers += is_number(l, l->field[j]);
        c->times += is_time(l->field[j]);
        c->counts = c->counts && wgdn_text_index(l->field[j], &value);
        if (s->rows == 0) c->first = value;
        c->counts = c->counts && c->first <= 1 && value == c->first + s->rows;
    }
    s->rows++;
}

/* Gephi's. */
static bool says_directed(const wgdn_edge_layout *y, const wgdn_lines *l)
{
    for (int64_t j = 0; j < y->columns; j++)
        if (wgdn_text_is(y->name[j], "type") && wgdn_text_is(l->field[j], "directed")) return true;
    return false;
}

/* The rows from where l stands; the caller closes. */
static wgdn_status take_sample(sample *s, wgdn_edge_layout *y, wgdn_lines *l, wgdn_error *err)
{
    bool more = true;
    s->column = wgdn_alloc_zero((size_t)y->columns, sizeof *s->column);
    if (!s->column)
        return wgdn_fail(err, WGDN_ENOMEM, "%s: %lld columns", wgdn_show_name(l->name).text,
                         (long long)y->columns);
    for (int64_t j = 0; j < y->columns; j++)
        s->column[j].counts = true;
    for (int row = 0; row < ROWS; row++) {
        const wgdn_status st = wgdn_lines_next(l, &more, err);
        if (st) return st;
        if (!more) break;
        if (row == 0) s->even = l->fields == y->columns;
        if (l->fields != y->columns) continue;
        look_at_row(s, l);
        y->directed = y->directed || says_directed(y, l);
    }
    return WGDN_OK;
}

static bool is_end(const wgdn_edge_layout *y, wgdn_text t)
{
    return wgdn_text_compare(t, y->name[y->source]) == 0 ||
           wgdn_text_compare(t, y->name[y->target]) == 0;
}

/* What both names begin with, such as node of node1 and node2, begins both ids of the row too. */
static bool is_alike(const wgdn_edge_layout *y, const wgdn_lines *l)
{
    const wgdn_text a = y->name[y->source], b = y->name[y->target];
    const wgdn_text c = l->field[y->source], d = l->field[y->target];
    size_t size = 0;
    while (size < a.size && size < b.size && a.at[size] == b.at[size])
        size++;
    return size > 0 && c.size >= size && d.size >= size && memcmp(a.at, c.at, size) == 0 &&
           memcmp(a.at, d.at, size) == 0;
}

/* Whether a field of row 1 in the place of an id is one below as well, or row 2 is like row 1. */
static wgdn_status find_again(bool *again, bool *alike, const wgdn_edge_layout *y, wgdn_lines *l,
                              wgdn_error *err)
{
    bool more = true;
    *alike = false;
    *again = wgdn_text_compare(y->name[y->source], y->name[y->target]) == 0;
    for (int row = 0; row < ROWS && !*again; row++) {
        const wgdn_status st = wgdn_lines_next(l, &more, err);
        if (st) return st;
        if (!more) break;
        if (l->fields != y->columns) continue;
        *again = is_end(y, l->field[y->source]) || is_end(y, l->field[y->target]);
        *alike = *alike || (row == 0 && is_alike(y, l));
    }
    return WGDN_OK;
}

/* pandas names the columns and leaves the index without a name; a name may be a number. */
static bool has_index(const wgdn_edge_layout *y, const sample *s)
{
    return y->columns > 2 && y->name[0].size == 0 && s->rows > 0 && s->column[0].counts;
}

static bool any_number(const wgdn_edge_layout *y, const wgdn_lines *l)
{
    for (int64_t j = 0; j < y->columns; j++)
        if (is_number(l, y->name[j])) return true;
    return false;
}

static bool over_numbers(const wgdn_edge_layout *y, const sample *s)
{
    for (int64_t j = 0; j < y->columns; j++)
        if (y->name[j].size > 0 && s->column[j].numbers > 0 &&
            s->column[j].numbers == s->column[j].filled)
            return true;
    return false;
}

static wgdn_status settle(wgdn_edge_layout *y, wgdn_header header)
{
    y->header = header;
    return WGDN_OK;
}

/* l stands behind row 1. */
static wgdn_status decide(wgdn_edge_layout *y, const sample *s, wgdn_lines *l,
                          const wgdn_dataset_options *o, wgdn_error *err)
{
    bool again = false, alike = false;
    const bool known = wgdn_edge_layout_known(y);
    if (wgdn_edge_layout_asked(y, o)) return settle(y, WGDN_HEADER_YES);
    if (s->rows == 0 || !s->even) return settle(y, known ? WGDN_HEADER_YES : WGDN_HEADER_NO);
    if (has_index(y, s)) return settle(y, WGDN_HEADER_YES);
    if (any_number(y, l)) return settle(y, WGDN_HEADER_NO);
    y->header = WGDN_HEADER_YES;
    wgdn_status st = wgdn_edge_layout_assign(y, l->name, o, err);
    if (!st) st = find_again(&again, &alike, y, l, err);
    if (again)
        y->header = WGDN_HEADER_NO;
    else if ((!known || alike) && !over_numbers(y, s))
        y->header = WGDN_HEADER_AUTO;
    return st;
}

/* Half of them numbers make a column of numbers, so that a bad one is found by its line. */
static void note_kinds(wgdn_edge_layout *y, const sample *s, const wgdn_lines *l)
{
    const bool data = y->header != WGDN_HEADER_YES;
    for (int64_t j = 0; j < y->columns; j++) {
        const column *c = &s->column[j];
        double x;
        const int64_t numbers = c->numbers + (data && wgdn_lines_number(l, y->name[j], &x));
        const int64_t filled = c->filled + (data && y->name[j].size > 0);
        const int64_t times = c->times + (data && is_time(y->name[j]));
        y->kind[j] = filled == 0             ? WGDN_COLUMN_EMPTY
                     : times == filled       ? WGDN_COLUMN_TIMES
                     : 2 * numbers >= filled ? WGDN_COLUMN_NUMBERS
                                             : WGDN_COLUMN_WORDS;
    }
}

/* Whoever says what columns hold has edges. */
static bool asks(const wgdn_dataset_options *o)
{
    return o->source || o->target || o->weight || o->graph || o->type || o->bipartite == 1;
}

static wgdn_status look(wgdn_edge_layout *y, sample *s, wgdn_lines *l, const wgdn_input *in,
                        const wgdn_dataset_options *o, wgdn_error *err)
{
    bool more;
    wgdn_status st = wgdn_lines_next(l, &more, err);
    if (st || !more) return st;
    st = keep_names(y, l, err);
    const unsigned char *const row_2 = l->at;
    if (!st && !asks(o) && !wgdn_edge_layout_known(y))
        st = wgdn_adjacency_look(&y->matrix, l, y->name, y->columns, err);
    if (st || y->matrix.is) return st;
    l->at = row_2;
    st = take_sample(s, y, l, err);
    if (st) return st;
    if (y->header == WGDN_HEADER_AUTO && y->columns > 1) {
        l->at = row_2;
        st = decide(y, s, l, o, err);
    }
    if (st) return st;
    note_kinds(y, s, l);
    return wgdn_edge_layout_assign(y, in->name, o, err);
}

wgdn_status wgdn_edge_layout_find(wgdn_edge_layout *y, const wgdn_input *in,
                                  const wgdn_dataset_options *o, wgdn_error *err)
{
    wgdn_lines l;
    sample s = {.rows = 0};
    wgdn_input quiet = *in; /* nobody waits for this */
    quiet.watch = (wgdn_watch){0};
    wgdn_lines_open(&l, &quiet);
    *y = (wgdn_edge_layout){.header = in->header,
                            .separator = l.separator,
                            .decimal = l.decimal,
                            .source = 0,
                            .target = 1,
                            .weight = -1,
                            .graph = -1,
                            .type = -1};
    const wgdn_status st = look(y, &s, &l, in, o, err);
    wgdn_release(s.column);
    wgdn_lines_close(&l);
    return st;
}

void wgdn_edge_layout_free(wgdn_edge_layout *y)
{
    wgdn_release(y->kind);
    wgdn_release(y->text);
    wgdn_release(y->name);
    *y = (wgdn_edge_layout){0};
}
