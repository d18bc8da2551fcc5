/* SPDX-License-Identifier: Apache-2.0 */
/* Features as text: an id and its numbers on every line. */
#include "parts.h"

#include <float.h>
#include <math.h>
#include <string.h>

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

wgdn_status wgdn_table_find_id(int64_t *id, bool *named, const wgdn_lines *l, const wgdn_input *in,
                               wgdn_error *err)
{
    *id = in->id_at > 0 && in->id_at <= l->fields ? in->id_at - 1 : 0;
    *named = in->id_at > 0 && in->id_named;
    if (!in->id) return WGDN_OK;
    *named = false;
    for (int64_t j = 0; j < l->fields && in->header != WGDN_HEADER_NO && !*named; j++)
        if (wgdn_text_is(l->field[j], in->id)) {
            *id = j;
            *named = true;
        }
    if (*named || (wgdn_text_index(wgdn_text_of(in->id, strlen(in->id)), id) && *id >= 1 &&
                   *id <= l->fields)) {
        *id -= !*named;
        return WGDN_OK;
    }
    return wgdn_lines_fail(l, -1, err, "--id %.40s: no column has that heading or number", in->id);
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

bool wgdn_table_starts_bare(const wgdn_input *in)
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
