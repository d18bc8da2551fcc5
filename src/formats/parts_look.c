/* SPDX-License-Identifier: Apache-2.0 */
/* What the columns of a table are: two looks at all rows, is row 1 a header, then a decision. */
#include "parts_columns.h"

#include <string.h>

/* ---- two looks at the columns ---- */

static wgdn_status see_row(wgdn_reading *r, const wgdn_lines *l, wgdn_error *err)
{
    if (!r->survey) {
        r->survey = wgdn_alloc_zero((size_t)r->columns, sizeof *r->survey);
        if (!r->survey) return wgdn_reading_no_memory(r, err);
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

static wgdn_status count_row(wgdn_reading *r, const wgdn_lines *l, wgdn_error *err)
{
    wgdn_status st = WGDN_OK;
    for (int64_t j = 0; j < r->columns && !st; j++)
        if (wgdn_survey_words(&r->survey[j]))
            st = wgdn_survey_count(&r->survey[j], l->field[j + 1], err);
    return st;
}

void wgdn_reading_forget(wgdn_reading *r)
{
    for (int64_t j = 0; r->survey && j < r->columns; j++)
        wgdn_survey_free(&r->survey[j]);
    wgdn_release(r->survey);
    r->survey = NULL;
}

static wgdn_status look(wgdn_reading *r, bool skip, wgdn_error *err)
{
    bool words = false;
    wgdn_reading_forget(r);
    r->columns = 0;
    wgdn_status st = wgdn_reading_walk(r, skip, see_row, err);
    for (int64_t j = 0; !st && r->survey && j < r->columns; j++) {
        wgdn_survey_settle(&r->survey[j]);
        if (wgdn_survey_words(&r->survey[j])) words = true;
    }
    return !st && words ? wgdn_reading_walk(r, skip, count_row, err) : st;
}

/* ---- is row 1 a header? ---- */

static bool is_word(wgdn_text t, char decimal)
{
    double x;
    return wgdn_field_of(t, decimal, WGDN_DAY_FIRST, &x) == WGDN_FIELD_WORD;
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
        (c->kind == WGDN_FEATURE_NUMBER || c->kind == WGDN_FEATURE_DATE)) {
        c->shift = c->mean;
        c->unit = wgdn_survey_deviation(&r->survey[j]);
    }
    r->place[b->columns - 1] = j;
    return WGDN_OK;
}

/* v0, v1, v2, ...: the parts of a vector, which belong together. */
static bool is_vector(const wgdn_reading *r)
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

static wgdn_feature_scale choose_scale(const wgdn_reading *r)
{
    if (r->plan->scale != WGDN_SCALE_AUTO) return r->plan->scale;
    return is_vector(r) ? WGDN_SCALE_NONE : wgdn_survey_scale(r->survey, r->columns);
}

wgdn_status wgdn_reading_decide(wgdn_reading *r, wgdn_error *err)
{
    wgdn_block *b = r->block;
    wgdn_status st = look_twice(r, err);
    if (!st) st = ignore_columns(r, err);
    if (!st) st = wgdn_reading_reserve(r, r->columns, err);
    if (st) return st;
    b->kind = WGDN_BLOCK_TABLE;
    b->headed = r->headed;
    b->of = r->columns;
    b->scale = choose_scale(r);
    for (int64_t j = 0; j < r->columns && !st; j++)
        if (!r->survey[j].ignored) st = judge(r, j, err);
    if (!st && r->headed) st = wgdn_reading_unique(r, err);
    if (st) return st;
    wgdn_block_lay_out(b);
    if (b->columns == 0 || b->width > INT32_MAX)
        return wgdn_fail(err, WGDN_EFORMAT,
                         "%s: its columns become %lld features: expected 1 .. "
                         "2^31 - 1",
                         wgdn_show_name(r->in->name).text, (long long)b->width);
    return WGDN_OK;
}
