/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reports how the columns of a table became features, as remarks of the dataset: a sentence on the
 * table, then one for each column that is not plain numbers. table_columns.c calls it.
 */
#include "table_columns.h"

#include <stdio.h>
#include <string.h>

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
    return wgdn_remarks_add(
        r->plan->remarks, "feature-table", r->columns, err,
        "%s: row 1 is %s; %lld column%s (%s) become%s %lld feature%s%s%s",
        wgdn_show_name(r->in->name).text, r->headed ? "the header" : "data", (long long)b->columns,
        many(b->columns), kinds, b->columns == 1 ? "s" : "", (long long)b->width, many(b->width),
        has_numbers(b) || b->scale == WGDN_FEATURE_SCALE_ROW ? scales[b->scale] : "",
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

/* Whether all of the first hundred values look like that. */
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

/* Reports the columns that are not among the features. */
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

/* Whether a table holds numbers without gaps, which needs no list of columns. */
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
