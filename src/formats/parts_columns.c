/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tables as people have them: numbers, categories, dates, booleans, gaps. The text is read several
 * times: what kinds of values a column has, then which words, then the rows.
 */
#include "parts_columns.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef wgdn_status take_row(wgdn_reading *r, const wgdn_lines *l, wgdn_error *err);

static wgdn_status no_memory(const wgdn_reading *r, wgdn_error *err)
{
    return wgdn_fail(err, WGDN_ENOMEM, "%s: %lld columns", wgdn_show_name(r->in->name).text,
                     (long long)r->columns);
}

/* Every row of data; the first sets how many columns there are. */
static wgdn_status walk(wgdn_reading *r, bool skip, take_row *take, wgdn_error *err)
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
        if (!st) st = take(r, &l, err);
    }
    wgdn_lines_close(&l);
    return st;
}

wgdn_shown wgdn_reading_name(const wgdn_reading *r, int64_t j)
{
    wgdn_shown s;
    if (r->headed) return wgdn_show(wgdn_names_get(&r->head, j + r->head.count - r->columns));
    snprintf(s.text, sizeof s.text, "%lld", (long long)j + 1);
    return s;
}

/* ---- two looks at the columns ---- */

static wgdn_status see_row(wgdn_reading *r, const wgdn_lines *l, wgdn_error *err)
{
    if (!r->survey) {
        r->survey = wgdn_alloc_zero((size_t)r->columns, sizeof *r->survey);
        if (!r->survey) return no_memory(r, err);
    }
    for (int64_t j = 0; j < r->columns; j++) {
        const wgdn_text field = l->field[j + 1];
        if (!wgdn_survey_see(&r->survey[j], field, l->line))
            return wgdn_lines_fail(l, j + 1, err, "%s is not a finite number",
                                   wgdn_show(field).text);
    }
    return WGDN_OK;
}

static wgdn_status count_row(wgdn_reading *r, const wgdn_lines *l, wgdn_error *err)
{
    wgdn_status st = WGDN_OK;
    for (int64_t j = 0; j < r->columns && !st; j++)
        if (wgdn_survey_words(&r->survey[j]))
            st = wgdn_survey_count(&r->survey[j], l->field[j + 1], err);
    return st;
}

static void forget_survey(wgdn_reading *r)
{
    for (int64_t j = 0; r->survey && j < r->columns; j++)
        wgdn_survey_free(&r->survey[j]);
    wgdn_release(r->survey);
    r->survey = NULL;
}

static wgdn_status look(wgdn_reading *r, bool skip, wgdn_error *err)
{
    bool words = false;
    forget_survey(r);
    r->columns = 0;
    wgdn_status st = walk(r, skip, see_row, err);
    for (int64_t j = 0; !st && r->survey && j < r->columns; j++)
        if (wgdn_survey_words(&r->survey[j])) words = true;
    return !st && words ? walk(r, skip, count_row, err) : st;
}

/* ---- is row 1 a header? ---- */

static wgdn_status read_head(wgdn_reading *r, wgdn_error *err)
{
    wgdn_lines l;
    bool more = false;
    wgdn_lines_open(&l, r->in);
    wgdn_status st = wgdn_lines_next(&l, &more, err);
    if (!st && !more)
        st = wgdn_fail(err, WGDN_EFORMAT, "%s: no rows: expected an id and its features per line",
                       wgdn_show_name(r->in->name).text);
    if (!st) st = wgdn_names_from(&r->head, l.field, l.fields, err);
    wgdn_lines_close(&l);
    return st;
}

static bool is_word(wgdn_text t)
{
    double x;
    return wgdn_field_of(t, &x) == WGDN_FIELD_WORD;
}

/* Names of columns: not the id of a node, as many as there are columns. */
static bool may_be_head(const wgdn_reading *r)
{
    const int64_t extra = r->head.count - r->columns;
    if (!r->survey || (extra != 0 && extra != 1)) return false;
    return extra == 0 || wgdn_ids_find(r->ids, wgdn_names_get(&r->head, 0)) < 0;
}

/*
 * Having looked at all other rows: a word over a column without words is a heading; so are words
 * that are found nowhere below.
 */
static bool is_head(const wgdn_reading *r)
{
    const int64_t extra = r->head.count - r->columns;
    bool nowhere = true;
    if (!may_be_head(r)) return false;
    for (int64_t j = 0; j < r->columns; j++) {
        const wgdn_text t = wgdn_names_get(&r->head, j + extra);
        const wgdn_survey *s = &r->survey[j];
        const bool word = is_word(t);
        if (word && s->rows > s->missing && !wgdn_survey_words(s)) return true;
        if (!word || (s->seen && wgdn_ids_find(&s->value, t) >= 0)) nowhere = false;
    }
    return nowhere;
}

static wgdn_status look_twice(wgdn_reading *r, wgdn_error *err)
{
    const wgdn_header said = r->in->header;
    wgdn_status st = look(r, said != WGDN_HEADER_NO, err);
    if (st) return st;
    r->headed = said == WGDN_HEADER_YES || (said == WGDN_HEADER_AUTO && is_head(r));
    const int64_t extra = r->head.count - r->columns;
    if (said == WGDN_HEADER_YES && r->survey && extra != 0 && extra != 1)
        return wgdn_fail(err, WGDN_EFORMAT, "%s:1: %lld headings over %lld columns",
                         wgdn_show_name(r->in->name).text, (long long)r->head.count,
                         (long long)r->columns + 1);
    if (!r->headed && said == WGDN_HEADER_AUTO) st = look(r, false, err);
    if (!st && !r->survey)
        st = wgdn_fail(err, WGDN_EFORMAT, "%s: no rows: expected an id and its features per line",
                       wgdn_show_name(r->in->name).text);
    return st;
}

/* ---- what is left out ---- */

static int64_t find_named(const wgdn_reading *r, wgdn_text name)
{
    int64_t place;
    for (int64_t j = 0; r->headed && j < r->columns; j++)
        if (wgdn_text_compare(wgdn_names_get(&r->head, j + r->head.count - r->columns), name) == 0)
            return j;
    return wgdn_text_index(name, &place) && place >= 1 && place <= r->columns ? place - 1 : -1;
}

static wgdn_status ignore_columns(wgdn_reading *r, wgdn_error *err)
{
    for (const char *at = r->plan->ignore; at && *at;) {
        const size_t size = strcspn(at, ",");
        const wgdn_text name = wgdn_text_of(at, size);
        const int64_t j = find_named(r, name);
        if (j >= 0)
            r->survey[j].ignored = true;
        else if (!r->plan->several)
            return wgdn_fail(err, WGDN_EINVAL, "%s: no column %s, which is to be ignored",
                             wgdn_show_name(r->in->name).text, wgdn_show(name).text);
        at += size + (at[size] == ',');
    }
    return WGDN_OK;
}

/* ---- the encoding of the columns that were looked at ---- */

static wgdn_status refuse_text(const wgdn_reading *r, int64_t j, wgdn_error *err)
{
    const wgdn_shown name = wgdn_reading_name(r, j);
    return wgdn_fail(
        err, WGDN_EFORMAT,
        "%s: column %s is text: make vectors of it with a language model and give them "
        "as .npy, or leave it out: --ignore %s",
        wgdn_show_name(r->in->name).text, name.text, name.text);
}

static wgdn_status refuse_odd(const wgdn_reading *r, int64_t j, wgdn_error *err)
{
    const wgdn_survey *s = &r->survey[j];
    const bool numbers = s->numbers > s->days;
    return wgdn_fail(
        err, WGDN_EFORMAT,
        "%s:%lld: column %s: no %s, where nearly all of the column are: correct it, or "
        "write NA",
        wgdn_show_name(r->in->name).text, (long long)(numbers ? s->odd_number : s->odd_day),
        wgdn_reading_name(r, j).text, numbers ? "number" : "date");
}

static wgdn_status name_column(wgdn_column *c, const wgdn_reading *r, int64_t j, wgdn_error *err)
{
    char digits[WGDN_INDEX_TEXT];
    wgdn_text name = wgdn_text_of(digits, wgdn_print_index(digits, j + 1));
    if (r->headed) name = wgdn_names_get(&r->head, j + r->head.count - r->columns);
    return wgdn_names_from(&c->name, &name, 1, err);
}

static wgdn_status judge(wgdn_reading *r, int64_t j, wgdn_error *err)
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
        (c->kind == WGDN_COLUMN_NUMBER || c->kind == WGDN_COLUMN_DATE)) {
        c->shift = c->mean;
        c->unit = wgdn_survey_deviation(&r->survey[j]);
    }
    r->place[b->columns - 1] = j;
    return WGDN_OK;
}

static wgdn_status reserve(wgdn_reading *r, int64_t columns, wgdn_error *err)
{
    r->place = wgdn_alloc((size_t)columns, sizeof *r->place);
    r->missing = wgdn_alloc_zero((size_t)columns, sizeof *r->missing);
    r->unknown = wgdn_alloc_zero((size_t)columns, sizeof *r->unknown);
    r->cell = wgdn_alloc(WGDN_CELLS * (size_t)columns, sizeof *r->cell);
    return r->place && r->missing && r->unknown && r->cell ? WGDN_OK : no_memory(r, err);
}

static wgdn_status decide(wgdn_reading *r, wgdn_error *err)
{
    wgdn_block *b = r->block;
    wgdn_status st = ignore_columns(r, err);
    if (!st) st = reserve(r, r->columns, err);
    if (st) return st;
    b->kind = WGDN_BLOCK_TABLE;
    b->headed = r->headed;
    b->of = r->columns;
    b->scale = r->plan->scale == WGDN_SCALE_AUTO ? wgdn_survey_scale(r->survey, r->columns)
                                                 : r->plan->scale;
    for (int64_t j = 0; j < r->columns && !st; j++)
        if (!r->survey[j].ignored) st = judge(r, j, err);
    if (st) return st;
    wgdn_block_lay_out(b);
    if (b->columns == 0 || b->width > INT32_MAX)
        return wgdn_fail(err, WGDN_EFORMAT,
                         "%s: its columns become %lld features: expected 1 .. "
                         "2^31 - 1",
                         wgdn_show_name(r->in->name).text, (long long)b->width);
    return WGDN_OK;
}

/* ---- an encoding that was decided before ---- */

static wgdn_status refuse_missing(const wgdn_reading *r, int64_t k, wgdn_error *err)
{
    return wgdn_fail(err, WGDN_EFORMAT,
                     "%s: no column %s, which the model was made with: its headings must be there, "
                     "in any order",
                     wgdn_show_name(r->in->name).text,
                     wgdn_show(wgdn_names_get(&r->block->column[k].name, 0)).text);
}

static wgdn_status find_places(wgdn_reading *r, wgdn_error *err)
{
    const int64_t extra = r->head.count - r->columns;
    for (int64_t k = 0; k < r->block->columns; k++) {
        const wgdn_text name = wgdn_names_get(&r->block->column[k].name, 0);
        int64_t j = k; /* most often they are where they were */
        if (j >= r->columns || wgdn_text_compare(wgdn_names_get(&r->head, j + extra), name) != 0)
            for (j = 0; j < r->columns; j++)
                if (wgdn_text_compare(wgdn_names_get(&r->head, j + extra), name) == 0) break;
        if (j == r->columns) return refuse_missing(r, k, err);
        r->place[k] = j;
    }
    return WGDN_OK;
}

/* Without headings: columns go by their places, and row 1 is one where it does not fit them. */
static wgdn_status take_places(wgdn_reading *r, wgdn_error *err)
{
    const int64_t extra = r->head.count - r->columns;
    if (r->columns != r->block->of)
        return wgdn_fail(err, WGDN_EFORMAT, "%s: %lld columns, where the model was made with %lld",
                         wgdn_show_name(r->in->name).text, (long long)r->columns,
                         (long long)r->block->of);
    r->headed = r->in->header == WGDN_HEADER_YES;
    for (int64_t k = 0; k < r->block->columns; k++) {
        wgdn_cell cell[WGDN_CELLS];
        int count;
        (void)wgdn_text_index(wgdn_names_get(&r->block->column[k].name, 0), &r->place[k]);
        r->place[k]--;
        if (r->in->header == WGDN_HEADER_AUTO && (extra == 0 || extra == 1) &&
            wgdn_column_cells(cell, &count, &r->block->column[k],
                              wgdn_names_get(&r->head, r->place[k] + extra)) == WGDN_CELL_WRONG)
            r->headed = extra == 0 || wgdn_ids_find(r->ids, wgdn_names_get(&r->head, 0)) < 0;
    }
    return WGDN_OK;
}

static wgdn_status count_columns(wgdn_reading *r, const wgdn_lines *l, wgdn_error *err)
{
    (void)r, (void)l, (void)err;
    return WGDN_OK;
}

static wgdn_status match(wgdn_reading *r, wgdn_error *err)
{
    r->headed = r->block->headed;
    wgdn_status st = walk(r, r->headed || r->in->header == WGDN_HEADER_YES, count_columns, err);
    if (!st && r->columns == 0) r->columns = r->head.count - 1;
    if (!st) st = reserve(r, r->block->columns, err);
    if (st) return st;
    const int64_t extra = r->head.count - r->columns;
    if (r->headed && extra != 0 && extra != 1) return refuse_missing(r, 0, err);
    return r->headed ? find_places(r, err) : take_places(r, err);
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

static wgdn_status encode_row(wgdn_reading *r, const wgdn_lines *l, wgdn_error *err)
{
    const wgdn_block *b = r->block;
    int64_t cells = 0;
    wgdn_status st = wgdn_table_row(r->t, r->ids, l->field[0], l->line, err);
    for (int64_t k = 0; k < b->columns && !st; k++) {
        const wgdn_text field = l->field[r->place[k] + 1];
        int count;
        const wgdn_cell_news news =
            wgdn_column_cells(r->cell + cells, &count, &b->column[k], field);
        if (news == WGDN_CELL_MISSING) r->missing[k]++;
        if (news == WGDN_CELL_UNKNOWN) r->unknown[k]++;
        if (news == WGDN_CELL_WRONG) {
            static const char *const wanted[] = {"number", "date", "boolean"};
            return wgdn_lines_fail(
                l, r->place[k] + 1, err, "%s is not a %s, as column %s is one of %ss",
                wgdn_show(field).text, wanted[b->column[k].kind],
                wgdn_reading_name(r, r->place[k]).text, wanted[b->column[k].kind]);
        }
        cells += count;
    }
    if (b->scale == WGDN_SCALE_ROW) scale_row(r->cell, cells);
    for (int64_t i = 0; i < cells && !st; i++)
        st = wgdn_table_entry(r->t, r->cell[i].column, r->cell[i].value, err);
    return st;
}

static wgdn_status read_columns(wgdn_reading *r, wgdn_error *err)
{
    wgdn_status st = read_head(r, err);
    if (!st && r->plan->given) {
        st = match(r, err);
    } else if (!st) {
        st = look_twice(r, err);
        if (!st) st = decide(r, err);
    }
    if (!st) st = walk(r, r->headed, encode_row, err);
    if (!st) r->t->width = r->block->width;
    if (!st) st = wgdn_reading_remark(r, err);
    return st;
}

/* ---- numbers alone, as they are ---- */

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
                            wgdn_show_name(in->name).text, (long long)t->line[t->node[0]],
                            (long long)t->width, t->width == 1 ? "" : "s");
}

/* Without headings and without a wish, numbers are read at once; true when that was all. */
static bool try_numbers(wgdn_status *st, wgdn_table *t, wgdn_ids *ids, const wgdn_input *in,
                        const wgdn_table_plan *plan, wgdn_error *err)
{
    const bool wish = plan->ignore || plan->scale == WGDN_SCALE_STANDARD ||
                      plan->scale == WGDN_SCALE_ROW || plan->given;
    const int64_t max = t->max;
    wgdn_error why = {WGDN_OK, ""};
    if (wish || !wgdn_table_starts_bare(in)) return false;
    *st = read_numbers(t, ids, in, plan, &why);
    if (*st == WGDN_EFORMAT) { /* not numbers, after all */
        wgdn_table_free(t);
        *t = (wgdn_table){.max = max, .name = in->name};
        *st = WGDN_OK;
        return false;
    }
    if (*st) *st = wgdn_fail(err, *st, "%s", why.message);
    return true;
}

wgdn_status wgdn_table_read_columns(wgdn_table *t, wgdn_ids *ids, const wgdn_input *in,
                                    const wgdn_table_plan *plan, wgdn_error *err)
{
    wgdn_reading r = {.t = t, .ids = ids, .in = in, .plan = plan};
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
    forget_survey(&r);
    wgdn_names_free(&r.head);
    return st;
}
