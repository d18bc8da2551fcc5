/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Detects the layout of an edge list: its separator, its header row, and the role of each column.
 * It also reports these decisions; both readers of edge lists start with it.
 */
#include "edge_list.h"
#include "io/text.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/*
 * Assigns a role to each column of an edge list: as the options ask for, or as edge_list_ends.c
 * finds them.
 */

bool wgdn_edge_layout_repeats(const wgdn_edge_layout *y, const wgdn_lines *l)
{
    if (l->fields != y->columns) return false;
    for (int64_t j = 0; j < y->columns; j++) {
        wgdn_text t = l->field[j];
        if (j == 0 && t.size >= 3 && memcmp(t.at, "\xef\xbb\xbf", 3) == 0)
            t = wgdn_text_of(t.at + 3, t.size - 3); /* the next file's byte order mark */
        if (wgdn_text_compare(t, y->name[j]) != 0) return false;
    }
    return true;
}

/* ---- columns named by options ---- */

typedef struct column_option {
    const char *option, *text;
    int64_t *place;
} column_option;

enum { COLUMN_OPTIONS = 5 };

static void list_column_options(column_option *w, wgdn_edge_layout *y,
                                const wgdn_dataset_options *o)
{
    w[0] = (column_option){"source", o->source, &y->source};
    w[1] = (column_option){"target", o->target, &y->target};
    w[2] = (column_option){"weight", o->weight, &y->weight};
    w[3] = (column_option){"graph", o->graph, &y->graph};
    w[4] = (column_option){"type", o->type, &y->type};
}

static int64_t find_heading(const wgdn_edge_layout *y, const char *text)
{
    for (int64_t j = 0; j < y->columns; j++)
        if (wgdn_text_is(y->name[j], text)) return j;
    return -1;
}

/* Whether row 1 holds names that the options ask for. */
static bool is_named_by_options(const wgdn_edge_layout *y, const wgdn_dataset_options *o)
{
    wgdn_edge_layout copy = *y;
    column_option w[COLUMN_OPTIONS];
    int64_t number;
    list_column_options(w, &copy, o);
    for (int i = 0; i < COLUMN_OPTIONS; i++)
        if (w[i].text && find_heading(y, w[i].text) >= 0 &&
            !wgdn_text_index(wgdn_text_of(w[i].text, strlen(w[i].text)), &number))
            return true;
    return false;
}

static wgdn_status assign_option(const wgdn_edge_layout *y, const column_option *w,
                                 const char *file, wgdn_error *err)
{
    int64_t number;
    *w->place = y->header == WGDN_HEADER_YES ? find_heading(y, w->text) : -1;
    if (*w->place >= 0) return WGDN_OK;
    if (!wgdn_text_index(wgdn_text_of(w->text, strlen(w->text)), &number))
        return wgdn_fail_in(
            err, WGDN_EFORMAT, file, "--%s %.40s: no column has that heading%s", w->option, w->text,
            y->header == WGDN_HEADER_YES ? "" : ", as row 1 is data; number the columns from 1");
    if (number < 1 || number > y->columns)
        return wgdn_fail_in(err, WGDN_EFORMAT, file, "--%s %.40s: there are columns 1 .. %lld",
                            w->option, w->text, (long long)y->columns);
    *w->place = number - 1;
    return WGDN_OK;
}

static wgdn_status assign_options(wgdn_edge_layout *y, const char *file,
                                  const wgdn_dataset_options *o, wgdn_error *err)
{
    column_option w[COLUMN_OPTIONS];
    list_column_options(w, y, o);
    for (int i = 0; i < COLUMN_OPTIONS; i++) {
        const wgdn_status st = w[i].text ? assign_option(y, &w[i], file, err) : WGDN_OK;
        if (st) return st;
        for (int k = 0; k < i && *w[i].place >= 0; k++)
            if (*w[k].place == *w[i].place)
                return wgdn_fail_in(err, WGDN_EFORMAT, file,
                                    "--%s and --%s are the same column, %lld", w[k].option,
                                    w[i].option, (long long)*w[i].place + 1);
    }
    return WGDN_OK;
}

/* ---- the other columns ---- */

static bool is_free(const wgdn_edge_layout *y, int64_t j)
{
    return j >= 0 && j != y->source && j != y->target && j != y->weight && j != y->graph &&
           j != y->type;
}

/* One of two places if it is free, else the first free column. */
static int64_t choose_end(const wgdn_edge_layout *y, int64_t first, int64_t second)
{
    if (is_free(y, first)) return first;
    if (is_free(y, second)) return second;
    for (int64_t j = 0; j < y->columns; j++)
        if (is_free(y, j)) return j;
    return -1;
}

static void list_columns(char *to, size_t size, const wgdn_edge_layout *y, const wgdn_edge_ends *e)
{
    const int count = e->candidates ? e->candidates : (int)(y->columns < 6 ? y->columns : 6);
    size_t used = 0;
    for (int i = 0; i < count && used < size; i++) {
        const int64_t j = e->candidates ? e->candidate[i] : i;
        const bool named = y->header == WGDN_HEADER_YES && y->name[j].size > 0;
        char number[32];
        snprintf(number, sizeof number, "column %lld", (long long)j + 1);
        const int n = snprintf(to + used, size - used, "%s%s", i ? ", " : "",
                               named ? wgdn_show(y->name[j]).text : number);
        used += n > 0 ? (size_t)n : 0;
    }
}

/* Asks the user to choose the columns of the ends. */
static wgdn_status refuse_doubt(const wgdn_edge_layout *y, const wgdn_edge_ends *e,
                                const char *file, wgdn_error *err)
{
    char list[400] = "";
    list_columns(list, sizeof list, y, e);
    if (e->candidates >= 2)
        return wgdn_fail_in(err, WGDN_EFORMAT, file,
                            "cannot tell which columns are the two ends of an edge: %s; choose "
                            "with --source and --target",
                            list);
    return wgdn_fail_in(err, WGDN_EFORMAT, file,
                        "no two columns look like the ends of an edge (%s); choose them with "
                        "--source and --target, or pass a table of nodes to --features",
                        list);
}

/* Without headings: the one column beside the ends, where it has numbers. */
static wgdn_status unnamed_weight(wgdn_edge_layout *y, const char *file, bool asked,
                                  wgdn_error *err)
{
    int64_t left = -1, count = 0;
    for (int64_t j = 0; j < y->columns; j++)
        if (is_free(y, j)) {
            left = j;
            count++;
        }
    if (count != 1) return WGDN_OK;
    if (y->kind[left] == WGDN_COLUMN_NUMBERS) y->weight = left;
    if (y->kind[left] == WGDN_COLUMN_DATES) return WGDN_OK;
    if (y->kind[left] != WGDN_COLUMN_WORDS || asked) return WGDN_OK;
    return wgdn_fail_in(err, WGDN_EFORMAT, file,
                        "column %lld cannot be the weight, because %s is not a number; name the "
                        "columns: --source 1 "
                        "--target 3 for triples, or --header yes if row 1 has names",
                        (long long)left + 1, wgdn_show(y->name[left]).text);
}

wgdn_status wgdn_edge_layout_assign(wgdn_edge_layout *y, const char *file,
                                    const wgdn_dataset_options *o, wgdn_error *err)
{
    const bool names = y->header == WGDN_HEADER_YES;
    wgdn_edge_ends e;
    y->source = y->target = y->weight = y->graph = y->type = -1;
    if (y->columns < 2) return WGDN_OK; /* whoever reads the rows says it better */
    wgdn_status st = assign_options(y, file, o, err);
    if (st) return st;
    if (names && y->graph < 0 && y->columns > 2) y->graph = wgdn_edge_ends_column(y, false);
    if (names && y->weight < 0) y->weight = wgdn_edge_ends_column(y, true);
    if (!is_free(y, y->graph) && y->graph >= 0 && (y->graph == y->source || y->graph == y->target))
        y->graph = -1;
    (names ? wgdn_edge_ends_named : wgdn_edge_ends_placed)(&e, y);
    if (y->asking && !o->source && !o->target && (e.doubt || e.source < 0))
        return refuse_doubt(y, &e, file, err);
    if (y->source < 0) y->source = choose_end(y, e.source, e.target);
    if (y->target < 0) y->target = choose_end(y, e.target, e.source);
    if (y->source < 0 || y->target < 0)
        return wgdn_fail_in(err, WGDN_EFORMAT, file,
                            "%lld columns, of which none is left for %s; expected two ids",
                            (long long)y->columns, y->source < 0 ? "the source" : "the target");
    /* Decides by the first rows whether source and target are two kinds of nodes. */
    const bool open = o->bipartite < 0 && y->graph < 0;
    y->two_kinds =
        y->header == WGDN_HEADER_YES && wgdn_edge_ends_two_kinds(y, y->source, y->target);
    const bool meet = y->two_kinds && wgdn_edge_ends_meet(y, y->source, y->target);
    y->bipartite = o->bipartite == 1 || (open && (meet || (o->sides && y->two_kinds)));
    y->undecided = open && y->two_kinds && !y->bipartite;
    if (!names && y->weight < 0) st = unnamed_weight(y, file, o->source && o->target, err);
    return st;
}

/*
 * Decides whether row 1 of an edge list is a header row, by the first thousand rows. It is one if
 * the options name one of its fields. Otherwise it is not if one of its fields is a number, or if a
 * field in the place of an id appears again as an id below. Otherwise it is one if it is above
 * numbers. It is also one if it names a source and a target, unless row 2 has the same form (node1
 * and node2 over node3 and node4). The remaining case, words over words, needs the whole list: the
 * reader decides.
 */

enum { ROWS = 1000, COLUMNS_MAX = 65536 };

/* A column below row 1, as far as it was looked at. */
typedef struct column {
    int64_t filled, numbers, times, days, fractions, amounts, integers, digits, signs;
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

/* Seconds or milliseconds of the years 1980 to 2128, which are no weights. */
static bool is_time(wgdn_text t)
{
    int64_t value;
    if (!wgdn_text_index(t, &value)) return false;
    if (value >= 1000 * (int64_t)315532800) value /= 1000;
    return value >= 315532800 && value < 5000000000;
}

/* Reads up to three numbers with the same sign between them; returns how many there are. */
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

/* 1.234,56 and $12.50: a number with signs that edge lists do not have. *fraction: it is not an integer. */
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
        return wgdn_fail_in(err, WGDN_ENOMEM, l->name, "a row of %lld fields",
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

static void count_field(column *c, const wgdn_lines *l, wgdn_text t)
{
    bool fraction, digit = false, sign = true;
    int64_t value;
    const bool amount = is_amount(l, t, &fraction);
    for (size_t i = 0; i < t.size; i++) {
        digit = digit || is_digit(t.at[i]);
        sign = sign && strchr("-=><~|:+", t.at[i]); /* never the end of t */
    }
    c->filled++;
    c->numbers += is_number(l, t);
    c->times += is_time(t);
    c->days += is_date(t);
    c->amounts += amount;
    c->fractions += amount && fraction;
    c->integers += wgdn_text_integer(t, &value);
    c->digits += digit;
    c->signs += sign;
}

static wgdn_status count_row(sample *s, const wgdn_lines *l, wgdn_error *err)
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
        count_field(c, l, t);
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

static wgdn_status keep_statistics(wgdn_edge_layout *y, const sample *s, wgdn_error *err)
{
    const int64_t few = y->columns < WGDN_LOOK_COLUMNS ? y->columns : WGDN_LOOK_COLUMNS;
    y->rows = s->rows;
    for (int64_t j = 0; j < y->columns; j++) {
        const column *c = &s->column[j];
        const bool all = c->filled > 0;
        y->look[j] = (wgdn_column_look){
            .filled = c->filled,
            .distinct = c->value.count,
            .dates = all && c->days == c->filled,
            .times = all && c->times == c->filled,
            .amounts = c->fractions > 0 && 10 * c->amounts >= 9 * c->filled,
            .integers = all && c->integers == c->filled,
            .digits = 2 * c->digits > c->filled,
            .names_itself = is_date(y->name[j]),
            .signs = y->columns > 2 && all && c->value.count == 1 && c->signs == c->filled};
    }
    y->shared = wgdn_alloc_zero((size_t)WGDN_LOOK_COLUMNS * WGDN_LOOK_COLUMNS, sizeof *y->shared);
    if (!y->shared) return wgdn_fail(err, WGDN_ENOMEM, "values of columns");
    for (int64_t i = 0; i < few; i++)
        for (int64_t j = 0; j < i; j++)
            y->shared[i * WGDN_LOOK_COLUMNS + j] = y->shared[j * WGDN_LOOK_COLUMNS + i] =
                count_shared(&s->column[i], &s->column[j]);
    return WGDN_OK;
}

/* As Gephi writes it. */
static bool says_directed(const wgdn_edge_layout *y, const wgdn_lines *l)
{
    for (int64_t j = 0; j < y->columns; j++)
        if (wgdn_text_is(y->name[j], "type") && wgdn_text_is(l->field[j], "directed")) return true;
    return false;
}

/* Reads rows from the current line of l; the caller closes the sample. */
static wgdn_status read_sample(sample *s, wgdn_edge_layout *y, wgdn_lines *l, wgdn_error *err)
{
    wgdn_status st = WGDN_OK;
    s->column = wgdn_alloc_zero((size_t)y->columns, sizeof *s->column);
    if (!s->column)
        return wgdn_fail_in(err, WGDN_ENOMEM, l->name, "%lld columns", (long long)y->columns);
    s->columns = y->columns;
    for (int64_t j = 0; j < y->columns; j++) {
        s->column[j].counts = true;
        wgdn_ids_open(&s->column[j].value, ROWS);
    }
    for (int row = 0; row < ROWS && wgdn_lines_more(l, &st, err); row++) {
        if (row == 0) s->even = l->fields == y->columns;
        if (l->fields != y->columns || wgdn_edge_layout_repeats(y, l)) continue;
        st = count_row(s, l, err);
        y->directed = y->directed || says_directed(y, l);
    }
    return st ? st : keep_statistics(y, s, err);
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
    wgdn_status st = WGDN_OK;
    *alike = false;
    *again = !sure && wgdn_text_compare(y->name[y->source], y->name[y->target]) == 0;
    for (int row = 0; row < ROWS && !*again && wgdn_lines_more(l, &st, err); row++) {
        if (l->fields != y->columns || (sure && wgdn_edge_layout_repeats(y, l))) continue;
        *again = is_end(y, l->field[y->source]) || is_end(y, l->field[y->target]);
        *alike = *alike || (row == 0 && is_alike(y, l));
    }
    return st;
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

static wgdn_status set_header(wgdn_edge_layout *y, wgdn_header header)
{
    y->header = header;
    return WGDN_OK;
}

/* The current line of l is row 2. */
static wgdn_status decide_header(wgdn_edge_layout *y, const sample *s, wgdn_lines *l,
                                 const wgdn_dataset_options *o, wgdn_error *err)
{
    bool again = false, alike = false;
    const bool known = wgdn_edge_ends_known(y), sure = known || over_numbers(y, s);
    if (is_named_by_options(y, o)) return set_header(y, WGDN_HEADER_YES);
    if (s->rows == 0 || !s->even) return set_header(y, known ? WGDN_HEADER_YES : WGDN_HEADER_NO);
    if (has_index(y, s)) return set_header(y, WGDN_HEADER_YES);
    if (any_number(y, l)) return set_header(y, WGDN_HEADER_NO);
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

/* Options that name columns are for edges, not for a matrix. */
static bool names_columns(const wgdn_dataset_options *o)
{
    return o->source || o->target || o->weight || o->graph || o->type || o->bipartite == 1;
}

static wgdn_status examine_rows(wgdn_edge_layout *y, sample *s, wgdn_lines *l, const wgdn_input *in,
                                const wgdn_dataset_options *o, wgdn_error *err)
{
    bool more;
    wgdn_status st = wgdn_lines_next(l, &more, err);
    if (st || !more) return st;
    st = keep_names(y, l, err);
    const unsigned char *const row_2 = l->at;
    if (!st && !names_columns(o) && !wgdn_edge_ends_known(y))
        st = wgdn_adjacency_look(&y->matrix, l, y->name, y->columns, err);
    if (st || y->matrix.is) return st;
    l->at = row_2;
    st = read_sample(s, y, l, err);
    if (st) return st;
    if (y->header == WGDN_HEADER_AUTO && y->columns > 1) {
        l->at = row_2;
        st = decide_header(y, s, l, o, err);
    }
    if (st) return st;
    /* A column is one of numbers if half of its values are: a bad one is then reported by its line. */
    const bool data = y->header != WGDN_HEADER_YES;
    for (int64_t j = 0; j < y->columns; j++) {
        const column *c = &s->column[j];
        double x;
        const int64_t numbers = c->numbers + (data && wgdn_lines_number(l, y->name[j], &x));
        const int64_t filled = c->filled + (data && y->name[j].size > 0);
        const int64_t times = c->times + (data && is_time(y->name[j]));
        const int64_t days = c->days + (data && is_date(y->name[j]));
        y->kind[j] = filled == 0 || y->look[j].signs ? WGDN_COLUMN_EMPTY
                     : times == filled               ? WGDN_COLUMN_TIMES
                     : days == filled                ? WGDN_COLUMN_DATES
                     : 2 * numbers >= filled         ? WGDN_COLUMN_NUMBERS
                                                     : WGDN_COLUMN_WORDS;
    }
    st = wgdn_edge_layout_assign(y, in->name, o, err);
    if (st || y->columns < 2 || y->source >= WGDN_LOOK_COLUMNS || y->target >= WGDN_LOOK_COLUMNS)
        return st;
    const wgdn_ids *const ids[2] = {&s->column[y->source].value, &s->column[y->target].value};
    if (!y->two_kinds && !y->bipartite) wgdn_edge_spelling_find(&y->spelling, ids);
    return WGDN_OK;
}

wgdn_status wgdn_edge_layout_find(wgdn_edge_layout *y, const wgdn_input *in,
                                  const wgdn_dataset_options *o, wgdn_error *err)
{
    wgdn_lines l;
    sample s = {.rows = 0};
    wgdn_input quiet = *in; /* short: no progress is reported */
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
    const wgdn_status st = examine_rows(y, &s, &l, in, o, err);
    for (int64_t j = 0; j < s.columns; j++)
        wgdn_ids_close(&s.column[j].value);
    wgdn_release(s.column);
    wgdn_lines_close(&l);
    return st;
}

wgdn_status wgdn_edge_columns_find(wgdn_edge_columns *c, const char *text, size_t size,
                                   wgdn_error *err)
{
    const wgdn_input in = {.data = text,
                           .size = size,
                           .name = "edges",
                           .header = WGDN_HEADER_YES,
                           .separator = ',',
                           .decimal = '.'};
    wgdn_dataset_options o;
    wgdn_edge_layout y;
    wgdn_dataset_options_init(&o);
    if (!c || !text) return wgdn_fail(err, WGDN_EINVAL, "edges: no columns, or no place for them");
    wgdn_status st = wgdn_edge_layout_find(&y, &in, &o, err);
    if (!st && y.columns < 2)
        st = wgdn_fail(err, WGDN_EFORMAT, "edges: %lld columns, of which two are the ends",
                       (long long)y.columns);
    if (!st && y.matrix.is)
        st = wgdn_fail(err, WGDN_EFORMAT, "edges: an adjacency matrix of %lld nodes",
                       (long long)y.matrix.nodes);
    if (!st) {
        const wgdn_edge_columns made = {.source = y.source,
                                        .target = y.target,
                                        .weight = y.weight,
                                        .graph = y.graph,
                                        .known = wgdn_edge_ends_known(&y),
                                        .two_kinds = y.two_kinds && y.graph < 0};
        st = wgdn_result_give(c, &made, sizeof made, err);
    }
    wgdn_edge_layout_free(&y);
    return st;
}

/* Reports in sentences how the columns of an edge list were used. */

typedef struct sentence {
    char text[440];
    size_t used;
} sentence;

__attribute__((format(printf, 2, 3))) static void append(sentence *s, const char *format, ...)
{
    va_list args;
    if (s->used >= sizeof s->text) return;
    va_start(args, format);
    const int size = vsnprintf(s->text + s->used, sizeof s->text - s->used, format, args);
    va_end(args);
    if (size > 0) s->used += (size_t)size;
}

static void append_column(sentence *s, const wgdn_edge_layout *y, int64_t j)
{
    if (y->header == WGDN_HEADER_YES && y->name[j].size > 0)
        append(s, "%s", wgdn_show(y->name[j]).text);
    else
        append(s, "column %lld", (long long)j + 1);
}

static void append_role(sentence *s, const wgdn_edge_layout *y, const char *role, int64_t j)
{
    if (j < 0) return;
    append(s, "%s%s is ", s->used ? ", " : "", role);
    append_column(s, y, j);
}

static void append_separator(sentence *s, const wgdn_edge_layout *y)
{
    const char *word = wgdn_separator_word(y->separator);
    const wgdn_shown shown = wgdn_show(wgdn_text_of(&y->separator, 1));
    append(s, "; separated by %s%s", word ? word : shown.text,
           y->decimal == ',' ? ", with decimal commas" : "");
}

/* Names the first ignored columns. */
static void append_ignored(sentence *s, const wgdn_edge_layout *y)
{
    enum { NAMED = 6 };
    int64_t named = 0;
    for (int64_t j = 0; j < y->columns; j++) {
        if (j == y->source || j == y->target || j == y->weight || j == y->graph || j == y->type)
            continue;
        if (named == NAMED) append(s, ", ...");
        if (named++ >= NAMED) continue;
        append(s, named == 1 ? "" : ", ");
        append_column(s, y, j);
    }
}

static wgdn_status remark_ignored(const wgdn_edge_layout *y, wgdn_remarks *r, wgdn_error *err)
{
    sentence s = {.used = 0};
    const int64_t used = 2 + (y->weight >= 0) + (y->graph >= 0) + (y->type >= 0);
    const int64_t ignored = y->columns - used;
    bool times = ignored == 1, numbers = false;
    if (ignored < 1) return WGDN_OK;
    for (int64_t j = 0; j < y->columns; j++)
        if (j != y->source && j != y->target && j != y->weight && j != y->graph && j != y->type) {
            times = times && y->kind[j] == WGDN_COLUMN_TIMES;
            numbers = numbers || y->kind[j] == WGDN_COLUMN_NUMBERS;
        }
    append_ignored(&s, y);
    return wgdn_remarks_add(r, "columns-ignored", ignored, err, "not used: %s%s", s.text,
                            times ? " (timestamps are not weights)"
                            : numbers && y->weight < 0
                                ? " (--weight COLUMN uses a column as the weight)"
                                : "");
}

static wgdn_status remark_matrix(const wgdn_edge_layout *y, wgdn_remarks *r, wgdn_error *err)
{
    sentence s = {.used = 0};
    append_separator(&s, y);
    return wgdn_remarks_add(
        r, "matrix", y->matrix.nodes, err,
        "an adjacency matrix of %lld nodes%s%s; --source 1 --target 2 would read edges",
        (long long)y->matrix.nodes, y->matrix.header ? ", row 1 names them" : ", numbered from 0",
        s.text);
}

static wgdn_status remark_kinds(const wgdn_edge_layout *y, wgdn_remarks *r, wgdn_error *err)
{
    sentence s = {.used = 0};
    append_column(&s, y, y->source);
    append(&s, " and ");
    append_column(&s, y, y->target);
    return wgdn_remarks_add(r, "two-kinds", 0, err,
                            "%s are two kinds of nodes: the same id in both columns is two nodes, "
                            "named by heading and id; --no-bipartite reads it as one",
                            s.text);
}

static wgdn_status remark_rows(wgdn_remarks *r, const char *what, int64_t count, int64_t first,
                               const char *why, wgdn_error *err)
{
    if (count == 0) return WGDN_OK;
    return wgdn_remarks_add(r, what, count, err, "%lld row%s skipped: %s; the first is line %lld",
                            (long long)count, count == 1 ? " was" : "s were", why,
                            (long long)first);
}

static wgdn_status remark_dropped(const wgdn_dropped_rows *d, wgdn_remarks *r, wgdn_error *err)
{
    wgdn_status st =
        remark_rows(r, "missing-ends", d->ends, d->first_end,
                    "the source or the target is missing (empty, NA, NULL, NaN, None)", err);
    if (!st)
        st = remark_rows(r, "missing-weights", d->weights, d->first_weight,
                         "the weight is missing; --weights ignore reads the edge", err);
    return st ? st : remark_rows(r, "header-rows", d->headers, d->first_header, "row 1 again", err);
}

static wgdn_status edge_spelling_remark(const wgdn_edge_spelling *s, wgdn_remarks *r,
                                        wgdn_error *err)
{
    wgdn_status st = WGDN_OK;
    if (s->twice[0][0])
        st = wgdn_remarks_add(r, "ids-alike", 0, err,
                              "ids such as %s and %s are different nodes; write them alike if they "
                              "are the same",
                              wgdn_show_name(s->twice[0]).text, wgdn_show_name(s->twice[1]).text);
    if (!st && s->rounded[0])
        st = wgdn_remarks_add(r, "ids-rounded", 0, err,
                              "ids such as %s are numbers that a spreadsheet rounded: different "
                              "ids may have become one; export them as text",
                              wgdn_show_name(s->rounded).text);
    return st;
}

wgdn_status wgdn_edge_layout_remark(const wgdn_edge_layout *y, wgdn_draft *w, wgdn_error *err)
{
    wgdn_remarks *const r = &w->d->remarks;
    sentence s = {.used = 0};
    wgdn_status st;
    if (y->columns < 2) return WGDN_OK;
    if (y->matrix.is) return remark_matrix(y, r, err);
    append_role(&s, y, "graph", y->graph);
    append_role(&s, y, "source", y->source);
    append_role(&s, y, "target", y->target);
    append_role(&s, y, "weight", y->weight);
    append_role(&s, y, "type", y->type);
    append_separator(&s, y);
    st =
        wgdn_remarks_add(r, "columns", y->columns, err, "row 1 %s: %s%s",
                         y->header == WGDN_HEADER_YES ? "holds column names" : "is data", s.text,
                         y->inferred ? "; its words are nowhere else, --header no reads them" : "");
    if (!st) st = remark_ignored(y, r, err);
    if (!st && y->matrix.perhaps)
        st = wgdn_remarks_add(
            r, "matrix", y->columns, err,
            "as many rows as columns, all numbers: if it is an adjacency matrix, put "
            "names of nodes before its rows and columns");
    if (!st && y->type >= 0 && y->graph >= 0)
        st = wgdn_remarks_add(r, "types-ignored", 1, err,
                              "types of edges are ignored beside a column of graphs: column %lld",
                              (long long)y->type + 1);
    if (!st && y->directed && w->o->directed == WGDN_DIRECTION_IGNORE)
        st = wgdn_remarks_add(r, "directions-ignored", 0, err,
                              "the type of edges is Directed: directions are ignored; --directed "
                              "both uses them");
    if (!st && y->two_kinds && y->bipartite && w->o->bipartite < 0) st = remark_kinds(y, r, err);
    if (!st) st = edge_spelling_remark(&y->spelling, r, err);
    return st ? st : remark_dropped(&w->edges.dropped, r, err);
}
