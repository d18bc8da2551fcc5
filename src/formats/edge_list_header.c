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

enum { ROWS = 1000, COLUMNS_MAX = 65536 };

/* A column below row 1, as far as it was looked at. */
typedef struct column {
    int64_t filled, numbers, times, days, fractions, amounts, integers, digits;
    int64_t first; /* of those that count */
    bool counts;   /* 0, 1, 2, ..., or from 1 on */
    wgdn_ids value;
} column;

typedef struct sample {
    column *column;
    int64_t columns;
    int64_t rows; /* with as many fields as row 1 */
    bool even;    /* the first of them is row 2 */
} sample;

static bool is_number(const wgdn_lines *l, wgdn_text t)
{
    double x;
    return wgdn_lines_number(l, t, &x) && isfinite(x);
}

static bool is_digit(unsigned char c)
{
    return c >= '0' && c <= '9';
}

/* Seconds or milliseconds from 1980 to 2128: as weights they would say nothing. */
static bool is_time(wgdn_text t)
{
    int64_t value;
    if (!wgdn_text_index(t, &value)) return false;
    if (value >= 1000 * (int64_t)315532800) value /= 1000;
    return value >= 315532800 && value < 5000000000;
}

/* Digits of up to so many numbers with one sign of the same sort between them; how many numbers. */
static int read_numbers(wgdn_text t, const char *between, int value[3], int length[3], size_t *used)
{
    int count = 0;
    size_t at = 0;
    unsigned char sign = 0;
    while (count < 3) {
        value[count] = length[count] = 0;
        for (; at < t.size && is_digit(t.at[at]) && length[count] < 5; at++, length[count]++)
            value[count] = 10 * value[count] + (t.at[at] - '0');
        if (length[count] == 0) break;
        count++;
        *used = at;
        if (count == 3 || at == t.size || !strchr(between, t.at[at]) || (sign && t.at[at] != sign))
            break;
        sign = t.at[at++];
    }
    return count;
}

/* 2024-01-31, 31.01.2024, 1/31/24, 20240131, any of them with a time behind it, or a time alone. */
static bool is_date(wgdn_text t)
{
    int v[3], n[3];
    size_t used = 0;
    if (t.size < 5 || t.size > 40) return false;
    const int clock = read_numbers(t, ":", v, n, &used);
    if (clock >= 2 && n[0] <= 2 && n[1] == 2 && v[0] < 24 && v[1] < 60)
        return used == t.size || t.at[used] == '.' || t.at[used] == ' ';
    const int parts = read_numbers(t, "-./", v, n, &used);
    if (parts != 3 || n[1] > 2 || n[1] < 1) return false;
    const bool year_first = n[0] == 4 && n[2] <= 2,
               year_last = n[0] <= 2 && (n[2] == 4 || n[2] == 2);
    const int small = year_first ? v[2] : v[0];
    if (!(year_first || year_last) || v[1] < 1 || v[1] > 31 || small < 1 || small > 31)
        return false;
    if (v[1] > 12 && small > 12) return false;
    return used == t.size || t.at[used] == ' ' || t.at[used] == 'T' || t.at[used] == 't' ||
           t.at[used] == ',';
}

/* 1.234,56 and $12.50: a number that holds more signs than those of edge lists. *fraction: it is no integer. */
static bool is_amount(const wgdn_lines *l, wgdn_text t, bool *fraction)
{
    double x;
    size_t at = 0, digits = 0, last = 0;
    char point = 0, group = 0;
    *fraction = false;
    if (is_number(l, t) && wgdn_lines_number(l, t, &x)) {
        *fraction = x != floor(x);
        return true;
    }
    while (at < t.size && (t.at[at] >= 0x80 || strchr("+-$ ", t.at[at])))
        at++;
    for (; at < t.size && (is_digit(t.at[at]) || (t.at[at] && strchr(".,'", t.at[at]))); at++) {
        if (is_digit(t.at[at])) {
            digits++;
            last++;
            continue;
        }
        if (digits == 0 || (point && (group || last != 3)))
            return false; /* groups have three digits */
        if (point) group = point;
        if (group && group == (char)t.at[at] && last != 3) return false;
        point = (char)t.at[at];
        last = 0;
    }
    while (at < t.size && (t.at[at] >= 0x80 || strchr(" $", t.at[at])))
        at++;
    if (digits == 0 || at != t.size || !point || point == group) return false;
    *fraction = last == 1 || last == 2;
    return last > 0 && last < 4;
}

static wgdn_status keep_names(wgdn_edge_layout *y, const wgdn_lines *l, wgdn_error *err)
{
    size_t size = 0;
    if (l->fields > COLUMNS_MAX)
        return wgdn_lines_fail(l, 0, err, "%lld columns: an edge list has up to %d",
                               (long long)l->fields, COLUMNS_MAX);
    for (int64_t j = 0; j < l->fields; j++)
        size += l->field[j].size;
    y->name = wgdn_alloc((size_t)l->fields, sizeof *y->name);
    y->text = wgdn_alloc(size + 1, 1);
    y->kind = wgdn_alloc_zero((size_t)l->fields, sizeof *y->kind);
    y->look = wgdn_alloc_zero((size_t)l->fields, sizeof *y->look);
    if (!y->name || !y->text || !y->kind || !y->look)
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

static void look_at_field(column *c, const wgdn_lines *l, wgdn_text t)
{
    bool fraction, digit = false;
    int64_t value;
    const bool amount = is_amount(l, t, &fraction);
    for (size_t i = 0; i < t.size; i++)
        digit = digit || is_digit(t.at[i]);
    c->filled++;
    c->numbers += is_number(l, t);
    c->times += is_time(t);
    c->days += is_date(t);
    c->amounts += amount;
    c->fractions += amount && fraction;
    c->integers += wgdn_text_integer(t, &value);
    c->digits += digit;
}

static wgdn_status look_at_row(sample *s, const wgdn_lines *l, wgdn_error *err)
{
    wgdn_status st = WGDN_OK;
    for (int64_t j = 0; j < l->fields && !st; j++) {
        const wgdn_text t = l->field[j];
        int64_t value = -1;
        int32_t index;
        column *c = &s->column[j];
        c->counts = c->counts && wgdn_text_index(t, &value);
        if (s->rows == 0) c->first = value;
        c->counts = c->counts && c->first <= 1 && value == c->first + s->rows;
        if (wgdn_edge_missing(t)) continue;
        look_at_field(c, l, t);
        if (j < WGDN_LOOK_COLUMNS && t.size <= WGDN_ID_MAX)
            st = wgdn_ids_add(&c->value, &t, 1, &index, err);
    }
    s->rows++;
    return st;
}

/* How many values of a are values of b. */
static int64_t count_shared(const column *a, const column *b)
{
    int64_t count = 0;
    char buffer[WGDN_INDEX_TEXT];
    for (int64_t i = 0; i < a->value.count; i++)
        count += wgdn_ids_find(&b->value, wgdn_ids_text(&a->value, i, buffer)) >= 0;
    return count;
}

static wgdn_status keep_look(wgdn_edge_layout *y, const sample *s, wgdn_error *err)
{
    const int64_t few = y->columns < WGDN_LOOK_COLUMNS ? y->columns : WGDN_LOOK_COLUMNS;
    y->rows = s->rows;
    for (int64_t j = 0; j < y->columns; j++) {
        const column *c = &s->column[j];
        const bool all = c->filled > 0;
        y->look[j] =
            (wgdn_column_look){.filled = c->filled,
                               .distinct = c->value.count,
                               .dates = all && c->days == c->filled,
                               .times = all && c->times == c->filled,
                               .amounts = c->fractions > 0 && 10 * c->amounts >= 9 * c->filled,
                               .integers = all && c->integers == c->filled,
                               .digits = 2 * c->digits > c->filled,
                               .names_itself = is_date(y->name[j])};
    }
    y->shared = wgdn_alloc_zero((size_t)WGDN_LOOK_COLUMNS * WGDN_LOOK_COLUMNS, sizeof *y->shared);
    if (!y->shared) return wgdn_fail(err, WGDN_ENOMEM, "values of columns");
    for (int64_t i = 0; i < few; i++)
        for (int64_t j = 0; j < i; j++)
            y->shared[i * WGDN_LOOK_COLUMNS + j] = y->shared[j * WGDN_LOOK_COLUMNS + i] =
                count_shared(&s->column[i], &s->column[j]);
    return WGDN_OK;
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
    s->columns = y->columns;
    for (int64_t j = 0; j < y->columns; j++) {
        s->column[j].counts = true;
        wgdn_ids_open(&s->column[j].value, ROWS);
    }
    for (int row = 0; row < ROWS; row++) {
        wgdn_status st = wgdn_lines_next(l, &more, err);
        if (st) return st;
        if (!more) break;
        if (row == 0) s->even = l->fields == y->columns;
        if (l->fields != y->columns || wgdn_edge_layout_repeats(y, l)) continue;
        st = look_at_row(s, l, err);
        if (st) return st;
        y->directed = y->directed || says_directed(y, l);
    }
    return keep_look(y, s, err);
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
static wgdn_status find_again(bool *again, bool *alike, const wgdn_edge_layout *y, bool sure,
                              wgdn_lines *l, wgdn_error *err)
{
    bool more = true;
    *alike = false;
    *again = wgdn_text_compare(y->name[y->source], y->name[y->target]) == 0;
    for (int row = 0; row < ROWS && !*again; row++) {
        const wgdn_status st = wgdn_lines_next(l, &more, err);
        if (st) return st;
        if (!more) break;
        if (l->fields != y->columns || (sure && wgdn_edge_layout_repeats(y, l))) continue;
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
        if (is_number(l, y->name[j]) || y->look[j].names_itself) return true;
    return false;
}

/* A word over numbers or dates; the word weight also over nothing. */
static bool over_numbers(const wgdn_edge_layout *y, const sample *s)
{
    const int64_t weight = wgdn_edge_ends_column(y, true);
    for (int64_t j = 0; j < y->columns; j++) {
        const column *c = &s->column[j];
        const bool numbers = c->filled > 0 && (c->numbers == c->filled || c->days == c->filled);
        if (y->name[j].size > 0 && !wgdn_edge_missing(y->name[j]) && numbers) return true;
        if (j == weight && c->filled == 0) return true;
    }
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
    const bool known = wgdn_edge_ends_known(y), sure = known || over_numbers(y, s);
    if (wgdn_edge_layout_asked(y, o)) return settle(y, WGDN_HEADER_YES);
    if (s->rows == 0 || !s->even) return settle(y, known ? WGDN_HEADER_YES : WGDN_HEADER_NO);
    if (has_index(y, s)) return settle(y, WGDN_HEADER_YES);
    if (any_number(y, l)) return settle(y, WGDN_HEADER_NO);
    y->header = WGDN_HEADER_YES;
    y->asking = false; /* only if it is a header */
    wgdn_status st = wgdn_edge_layout_assign(y, l->name, o, err);
    y->asking = true;
    if (!st) st = find_again(&again, &alike, y, sure, l, err);
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
        const int64_t days = c->days + (data && is_date(y->name[j]));
        y->kind[j] = filled == 0             ? WGDN_COLUMN_EMPTY
                     : times == filled       ? WGDN_COLUMN_TIMES
                     : days == filled        ? WGDN_COLUMN_DATES
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
    if (!st && !asks(o) && !wgdn_edge_ends_known(y))
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
                            .type = -1,
                            .asking = true};
    const wgdn_status st = look(y, &s, &l, in, o, err);
    for (int64_t j = 0; j < s.columns; j++)
        wgdn_ids_close(&s.column[j].value);
    wgdn_release(s.column);
    wgdn_lines_close(&l);
    return st;
}

void wgdn_edge_layout_free(wgdn_edge_layout *y)
{
    wgdn_release(y->shared);
    wgdn_release(y->look);
    wgdn_release(y->kind);
    wgdn_release(y->text);
    wgdn_release(y->name);
    *y = (wgdn_edge_layout){0};
}
