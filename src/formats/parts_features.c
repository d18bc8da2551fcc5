/* SPDX-License-Identifier: Apache-2.0 */
/* Features as text: an id and its numbers on every line. */
#include "parts.h"

#include <float.h>
#include <math.h>

static wgdn_status read_row(wgdn_table *t, wgdn_ids *ids, const wgdn_lines *l, wgdn_error *err)
{
    if (l->fields < 2)
        return wgdn_lines_fail(l, 0, err, "%s alone: expected an id and its features",
                               wgdn_show(l->field[0]).text);
    if (t->rows == 0) t->width = l->fields - 1;
    if (l->fields - 1 != t->width)
        return wgdn_lines_fail(l, l->fields - 1, err,
                               "%lld features, where the rows before have %lld",
                               (long long)l->fields - 1, (long long)t->width);
    wgdn_status st = wgdn_table_row(t, ids, l->field[0], l->line, err);
    for (int64_t j = 1; !st && j < l->fields; j++) {
        const wgdn_text text = l->field[j];
        double x;
        if (text.size == 1 && text.at[0] == '0') continue;
        if (!wgdn_text_number(text, &x) || !(fabs(x) <= (double)FLT_MAX))
            return wgdn_lines_fail(l, j, err, "%s is not a finite number", wgdn_show(text).text);
        if ((float)x != 0) st = wgdn_table_entry(t, (int32_t)(j - 1), (float)x, err);
    }
    return st;
}

/* word2vec opens with "rows width". */
static bool has_counts(const wgdn_text *field, int64_t fields, int64_t next_fields)
{
    int64_t rows, width;
    return fields == 2 && next_fields > 2 && wgdn_text_index(field[0], &rows) &&
           wgdn_text_index(field[1], &width) && width == next_fields - 1;
}

/* So it does, or something is no number over the numbers. */
static bool is_header(const wgdn_text *field, int64_t fields, int64_t next_fields)
{
    double x;
    if (has_counts(field, fields, next_fields)) return true;
    for (int64_t j = 1; j < fields; j++)
        if (!wgdn_text_number(field[j], &x)) return true;
    return false;
}

bool wgdn_table_starts_bare(const wgdn_input *in)
{
    wgdn_lines l;
    bool more = false, bare = false;
    int64_t next = 0;
    double x;
    wgdn_lines_open(&l, in);
    if (!wgdn_lines_next(&l, &more, NULL) && more) {
        bare = in->header != WGDN_HEADER_YES;
        for (int64_t j = 1; j < l.fields && bare; j++)
            bare = wgdn_text_number(l.field[j], &x) && x == x;
        if (l.fields == 2) {
            wgdn_lines ahead = {.name = l.name, .at = l.at, .end = l.end, .next = l.next};
            ahead.separator = l.separator;
            if (!wgdn_lines_next(&ahead, &more, NULL) && more) next = ahead.fields;
            wgdn_lines_close(&ahead);
            bare = bare || has_counts(l.field, 2, next);
        }
    }
    wgdn_lines_close(&l);
    return bare;
}

static wgdn_status skip_header(wgdn_lines *l, wgdn_header header, wgdn_error *err)
{
    bool more;
    wgdn_status st = wgdn_lines_next(l, &more, err);
    if (st || !more || header == WGDN_HEADER_YES) return st;
    if (header == WGDN_HEADER_AUTO) {
        if (l->fields == 2) { /* word2vec? the next line tells */
            wgdn_lines ahead = {.name = l->name, .at = l->at, .end = l->end, .next = l->next};
            ahead.separator = l->separator;
            st = wgdn_lines_next(&ahead, &more, err);
            const int64_t next = ahead.fields;
            wgdn_lines_close(&ahead);
            if (st || is_header(l->field, l->fields, next)) return st;
        } else if (is_header(l->field, l->fields, 0)) {
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
    wgdn_status st = skip_header(&l, in->header, err);
    while (!st && more) {
        st = wgdn_lines_next(&l, &more, err);
        if (!st && more) st = read_row(t, ids, &l, err);
    }
    wgdn_lines_close(&l);
    if (!st && t->rows == 0)
        st = wgdn_fail(err, WGDN_EFORMAT, "%s: no rows: expected an id and its features per line",
                       wgdn_show_name(in->name).text);
    return st;
}
