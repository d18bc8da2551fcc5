/* SPDX-License-Identifier: Apache-2.0 */
/* Counts what kinds of values the columns of a table have, and decides what they become. */
#include "survey.h"

#include <float.h>
#include <math.h>
#include <string.h>

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
