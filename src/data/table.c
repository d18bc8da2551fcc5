/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Collects features row by row from tables, decides how each column is encoded, and returns the
 * feature matrix. The text readers in formats feed it; columns.c defines the encodings.
 */
#include "table.h"
#include "columns.h"
#include "dataset.h"

#include <float.h>
#include <math.h>
#include <string.h>

void wgdn_table_free(wgdn_table *t)
{
    wgdn_release(t->line);
    wgdn_release(t->value);
    wgdn_release(t->column);
    wgdn_release(t->offset);
    wgdn_release(t->node);
    *t = (wgdn_table){.max = t->max, .known = t->known, .strict = t->strict};
}

static void see_unknown(wgdn_table *t, wgdn_text id)
{
    if (t->unknown < 2) t->first[t->unknown] = wgdn_show(id);
    t->unknown++;
}

bool wgdn_table_skips(wgdn_table *t, const wgdn_ids *ids, wgdn_text id)
{
    const bool missing = wgdn_field_missing(id);
    if ((!missing && (!ids->fixed || t->strict)) || wgdn_ids_find(ids, id) >= 0) return false;
    t->nameless += missing;
    t->skipped += !missing;
    if (!missing) see_unknown(t, id);
    return true;
}

static wgdn_status no_memory(const wgdn_table *t, wgdn_error *err)
{
    return wgdn_fail_in(err, WGDN_ENOMEM, t->name, "features beyond row %lld", (long long)t->rows);
}

/* Remember where a node was seen; a second row for it is refused. */
static wgdn_status see(wgdn_table *t, int32_t node, wgdn_text id, int64_t line, wgdn_error *err)
{
    const int64_t old = t->line_room;
    if (!wgdn_grow(&t->line, &t->line_room, (int64_t)node + 1, sizeof *t->line))
        return no_memory(t, err);
    if (t->line_room > old)
        memset(t->line + old, 0, (size_t)(t->line_room - old) * sizeof *t->line);
    if (t->line[node])
        return wgdn_fail_at(err, WGDN_EFORMAT, t->name, line,
                            "features of %s again: the first are on line %lld", wgdn_show(id).text,
                            (long long)t->line[node]);
    t->line[node] = line;
    return WGDN_OK;
}

wgdn_status wgdn_table_row(wgdn_table *t, wgdn_ids *ids, wgdn_text id, int64_t line,
                           wgdn_error *err)
{
    int32_t node;
    wgdn_status st = wgdn_ids_add(ids, &id, 1, &node, err);
    if (st == WGDN_ERANGE)
        return wgdn_fail_at(err, st, t->name, line,
                            "more than %lld different nodes, the most allowed here",
                            (long long)ids->max);
    if (st) return st;
    if (node < 0)
        return wgdn_fail_at(err, WGDN_EFORMAT, t->name, line, "%s is not a node of the graph",
                            wgdn_show(id).text);
    if (node >= t->known) see_unknown(t, id);
    st = see(t, node, id, line, err);
    if (st) return st;
    if (!wgdn_grow(&t->node, &t->node_room, t->rows + 1, sizeof *t->node) ||
        !wgdn_grow(&t->offset, &t->offset_room, t->rows + 2, sizeof *t->offset))
        return no_memory(t, err);
    if (t->rows == 0) t->offset[0] = 0;
    t->node[t->rows] = node;
    t->offset[t->rows + 1] = t->offset[t->rows];
    t->rows++;
    return WGDN_OK;
}

wgdn_status wgdn_table_entry(wgdn_table *t, int32_t column, float value, wgdn_error *err)
{
    const int64_t at = t->offset[t->rows];
    if (at >= t->max)
        return wgdn_fail_in(err, WGDN_ERANGE, t->name,
                            "more than %lld features, the most allowed here", (long long)t->max);
    if (!wgdn_grow(&t->column, &t->column_room, at + 1, sizeof *t->column) ||
        !wgdn_grow(&t->value, &t->value_room, at + 1, sizeof *t->value))
        return no_memory(t, err);
    t->column[at] = column;
    t->value[at] = value;
    t->offset[t->rows]++;
    return WGDN_OK;
}

wgdn_status wgdn_table_features(wgdn_features *f, int64_t *absent, const wgdn_table *t,
                                int64_t nodes, const int32_t *rank, wgdn_error *err)
{
    const int64_t entries = t->rows ? t->offset[t->rows] : 0;
    wgdn_csr a;
    if (!wgdn_csr_alloc(&a, nodes, t->width, entries, true)) return no_memory(t, err);
    for (int64_t r = 0; r < t->rows; r++)
        a.offset[(rank ? rank[t->node[r]] : t->node[r]) + 1] = t->offset[r + 1] - t->offset[r];
    for (int64_t i = 0; i < nodes; i++)
        a.offset[i + 1] += a.offset[i];
    for (int64_t r = 0; r < t->rows; r++) {
        const int64_t to = a.offset[rank ? rank[t->node[r]] : t->node[r]];
        const int64_t size = t->offset[r + 1] - t->offset[r];
        if (size == 0) continue;
        memcpy(a.column + to, t->column + t->offset[r], (size_t)size * sizeof *a.column);
        memcpy(a.value + to, t->value + t->offset[r], (size_t)size * sizeof *a.value);
    }
    *absent = nodes - t->rows;
    wgdn_status st = wgdn_features_from_csr(f, &a, t->name, err);
    if (!st) st = wgdn_features_settle(f, err);
    if (st) wgdn_features_free(f);
    return st;
}

/* Counts the kinds of values in the columns of a table, and decides how each column is encoded. */

enum {
    VALUES_MAX = 1 << 16, /* different values that are counted */
    LONG = 64,            /* bytes on average, from which on different values are text */
};

/* mean_k = mean + (x - mean) / k,   squares_k = squares + (x - mean) (x - mean_k) */
static void add_value(double *mean, double *squares, double k, double x)
{
    const double before = x - *mean;
    *mean += before / k;
    *squares += before * (x - *mean);
}

bool wgdn_survey_see(wgdn_survey *s, wgdn_text field, int64_t line)
{
    double x, y;
    const wgdn_field is = wgdn_field_of(field, s->decimal, WGDN_DAY_FIRST, &x);
    s->rows++;
    if (is == WGDN_FIELD_MISSING) {
        s->missing++;
        return true;
    }
    if (!(fabs(x) <= (double)FLT_MAX)) return false;
    if (is == WGDN_FIELD_NUMBER) s->numbers++;
    if (is == WGDN_FIELD_NUMBER && x == 0) s->zeros++;
    if (is == WGDN_FIELD_DAY) s->days++;
    if (is == WGDN_FIELD_BOOLEAN) s->booleans++;
    if (is != WGDN_FIELD_NUMBER && !s->odd_number) s->odd_number = line;
    if (is != WGDN_FIELD_DAY && !s->odd_day) s->odd_day = line;
    s->largest = fmax(s->largest, fabs(x));
    const bool day = (is == WGDN_FIELD_DAY || is == WGDN_FIELD_WORD) &&
                     wgdn_text_day(field, WGDN_MONTH_FIRST, &y);
    if (!day) y = x;
    s->month_days += day;
    if (!day && !s->odd_month_day) s->odd_month_day = line;
    if (day && is == WGDN_FIELD_DAY && x != y) s->two_orders = true;
    const double k = (double)(s->rows - s->missing);
    add_value(&s->mean, &s->squares, k, x);
    add_value(&s->month_mean, &s->month_squares, k, y);
    return true;
}

void wgdn_survey_settle(wgdn_survey *s)
{
    if (s->month_days < s->days) s->two_orders = false; /* a day above 12 shows the order */
    if (s->month_days <= s->days) return;
    s->order = WGDN_MONTH_FIRST;
    s->days = s->month_days;
    s->odd_day = s->odd_month_day;
    s->mean = s->month_mean;
    s->squares = s->month_squares;
    s->two_orders = false;
}

static int64_t known(const wgdn_survey *s)
{
    return s->rows - s->missing;
}

bool wgdn_survey_words(const wgdn_survey *s)
{
    const int64_t all = known(s);
    return s->numbers < all && s->days < all && s->booleans < all;
}

wgdn_status wgdn_survey_count(wgdn_survey *s, wgdn_text field, wgdn_error *err)
{
    double x;
    int32_t index;
    if (s->full || wgdn_field_of(field, s->decimal, s->order, &x) == WGDN_FIELD_MISSING)
        return WGDN_OK;
    if (s->seen == 0) wgdn_ids_open(&s->value, VALUES_MAX);
    s->seen++;
    s->bytes += (int64_t)field.size;
    if (memchr(field.at, ' ', field.size)) s->blanks++;
    if (field.size > WGDN_ID_MAX) field.size = WGDN_ID_MAX;
    const wgdn_status st = wgdn_ids_add(&s->value, &field, 1, &index, err);
    s->full = st == WGDN_ERANGE;
    return s->full ? WGDN_OK : st;
}

void wgdn_survey_free(wgdn_survey *s)
{
    if (s->seen) wgdn_ids_close(&s->value);
    *s = (wgdn_survey){0};
}

double wgdn_survey_deviation(const wgdn_survey *s)
{
    return known(s) > 0 ? sqrt(s->squares / (double)known(s)) : 0;
}

/* Mostly different, and sentences or long. */
static bool is_text(const wgdn_survey *s, int64_t most)
{
    if (2 * s->value.count <= s->seen) return false;
    const bool sentences = 2 * s->blanks > s->seen, large = s->bytes > LONG * s->seen;
    return (s->value.count > most && (sentences || large)) || (sentences && large && s->seen > 1);
}

static wgdn_verdict judge_words(wgdn_column *c, const wgdn_survey *s, int64_t most)
{
    const int64_t all = known(s);
    if (is_text(s, most)) return WGDN_VERDICT_TEXT;
    c->kind = s->value.count > most ? WGDN_FEATURE_HASHED : WGDN_FEATURE_CATEGORY;
    if (c->kind == WGDN_FEATURE_HASHED && (10 * s->numbers >= 9 * all || 10 * s->days >= 9 * all))
        return WGDN_VERDICT_ODD;
    if (c->kind == WGDN_FEATURE_HASHED) c->buckets = most;
    return WGDN_VERDICT_TAKE;
}

wgdn_status wgdn_survey_judge(wgdn_column *c, wgdn_verdict *verdict, const wgdn_survey *s,
                              int64_t most, wgdn_error *err)
{
    const int64_t all = known(s);
    *verdict = all == 0 ? WGDN_VERDICT_EMPTY : WGDN_VERDICT_TAKE;
    if (all == 0) return WGDN_OK;
    c->flagged = s->missing > 0;
    if (wgdn_survey_words(s)) {
        *verdict = judge_words(c, s, most);
        if (*verdict != WGDN_VERDICT_TAKE || c->kind == WGDN_FEATURE_HASHED) return WGDN_OK;
        return wgdn_classes_sort(&c->category, NULL, 0, &s->value, err);
    }
    c->mean = s->mean;
    c->order = s->numbers ? WGDN_DAY_FIRST : s->order;
    c->kind = s->numbers ? WGDN_FEATURE_NUMBER : s->days ? WGDN_FEATURE_DATE : WGDN_FEATURE_BOOLEAN;
    return WGDN_OK;
}

wgdn_feature_scale wgdn_survey_scale(const wgdn_survey *s, int64_t columns)
{
    double zeros = 0, all = 0, least = INFINITY, largest = 0;
    bool far = false, unit = true;
    for (int64_t j = 0; j < columns; j++) {
        if (s[j].ignored) continue;
        const double deviation = wgdn_survey_deviation(&s[j]);
        const double size = hypot(s[j].mean, deviation);
        if (s[j].missing || s[j].numbers < s[j].rows) return WGDN_SCALE_STANDARD;
        zeros += (double)s[j].zeros;
        all += (double)s[j].rows;
        if (s[j].largest > 1) unit = false;
        if (deviation == 0) continue;
        if (size < least) least = size;
        if (size > largest) largest = size;
        if (fabs(s[j].mean) > 3 * deviation) far = true;
    }
    if (unit || 2 * zeros >= all) return WGDN_SCALE_NONE;
    return far || largest > 10 * least ? WGDN_SCALE_STANDARD : WGDN_SCALE_NONE;
}

/* Builds features with a single 1 in every row. */

wgdn_status wgdn_features_one_hot(wgdn_features *f, int64_t nodes, int64_t width,
                                  const int64_t *column, wgdn_error *err)
{
    wgdn_csr a;
    if (!wgdn_csr_alloc(&a, nodes, width, nodes, false))
        return wgdn_fail(err, WGDN_ENOMEM, "features: %lld nodes", (long long)nodes);
    for (int64_t i = 0; i < nodes; i++) {
        a.offset[i] = i;
        a.column[i] = (int32_t)column[i];
    }
    a.offset[nodes] = nodes;
    *f = (wgdn_features){.rows = nodes, .width = width, .sparse = a, .entries = nodes};
    return WGDN_OK;
}

wgdn_status wgdn_dataset_degrees(wgdn_dataset *d, wgdn_error *err)
{
    enum { CLIP = 400 };
    int64_t max = 0;
    int64_t *column = wgdn_alloc((size_t)d->nodes, sizeof *column);
    if (!column) return wgdn_fail(err, WGDN_ENOMEM, "features: %lld degrees", (long long)d->nodes);
    for (int64_t i = 0; i < d->nodes; i++) {
        const int64_t degree = wgdn_graph_degree(d->graph, i);
        column[i] = degree < CLIP ? degree : CLIP;
        if (column[i] > max) max = column[i];
    }
    const wgdn_status st = wgdn_features_one_hot(&d->features, d->nodes, max + 1, column, err);
    d->degrees = !st;
    wgdn_release(column);
    return st;
}
