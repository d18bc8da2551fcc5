/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Encodes tables as people have them: numbers, categories, dates, booleans, gaps. The text is read
 * several times: first for the kinds of values in each column, then for the words, then for the
 * rows. The columns are used as the values suggest, or as the encoding of a model says.
 */
#include "table_columns.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* ---- rows of a table ---- */

/* Called for every row of data. */
typedef wgdn_status row_visit(wgdn_table_reading *r, const wgdn_lines *l, wgdn_error *err);

static wgdn_status no_memory(const wgdn_table_reading *r, wgdn_error *err)
{
    return wgdn_fail_in(err, WGDN_ENOMEM, r->in->name, "%lld columns", (long long)r->columns);
}

/* Moves the id in front of the other fields of a row. */
static void id_first(const wgdn_lines *l, int64_t id)
{
    if (id >= l->fields) return;
    const wgdn_text own = l->field[id];
    memmove(l->field + 1, l->field, (size_t)id * sizeof *l->field);
    l->field[0] = own;
}

static wgdn_status walk_rows(wgdn_table_reading *r, bool skip, row_visit *visit, wgdn_error *err)
{
    wgdn_lines l;
    wgdn_status st = WGDN_OK;
    wgdn_lines_open(&l, r->in);
    if (skip) (void)wgdn_lines_more(&l, &st, err);
    while (wgdn_lines_more(&l, &st, err)) {
        if (l.fields < 2)
            st = wgdn_lines_fail(&l, 0, err, "%s alone: expected an id and its features",
                                 wgdn_show(l.field[0]).text);
        else if (r->columns && l.fields - 1 != r->columns)
            st = wgdn_lines_fail(&l, l.fields - 1, err,
                                 "%lld features, where the rows before have %lld",
                                 (long long)l.fields - 1, (long long)r->columns);
        if (!st) r->columns = l.fields - 1;
        if (!st) id_first(&l, r->id);
        if (!st) st = visit(r, &l, err);
    }
    wgdn_lines_close(&l);
    return st;
}

static wgdn_status reserve_columns(wgdn_table_reading *r, int64_t columns, wgdn_error *err)
{
    r->place = wgdn_arrays_add(&r->arrays, (size_t)columns, sizeof *r->place);
    r->missing = wgdn_arrays_add_zero(&r->arrays, (size_t)columns, sizeof *r->missing);
    r->unknown = wgdn_arrays_add_zero(&r->arrays, (size_t)columns, sizeof *r->unknown);
    r->cell = wgdn_arrays_add(&r->arrays, WGDN_CELLS * (size_t)columns, sizeof *r->cell);
    return r->arrays.failed ? no_memory(r, err) : WGDN_OK;
}

static wgdn_status read_head(wgdn_table_reading *r, wgdn_error *err)
{
    wgdn_lines l;
    bool more = false;
    wgdn_lines_open(&l, r->in);
    wgdn_status st = wgdn_lines_next(&l, &more, err);
    if (!st && !more)
        st = wgdn_fail_in(err, WGDN_EFORMAT, r->in->name,
                          "no rows: expected an id and its features per line");
    if (!st) st = wgdn_table_find_id(&r->id, &r->id_named, &l, r->in, err);
    if (!st) id_first(&l, r->id);
    if (!st) st = wgdn_names_from(&r->head, l.field, l.fields, err);
    r->decimal = l.decimal;
    wgdn_lines_close(&l);
    return st;
}

/* ---- the values of a column ---- */

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

static bool see_value(wgdn_survey *s, wgdn_text field, int64_t line)
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

static void settle_order(wgdn_survey *s)
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

static bool has_words(const wgdn_survey *s)
{
    const int64_t all = known(s);
    return s->numbers < all && s->days < all && s->booleans < all;
}

static wgdn_status count_value(wgdn_survey *s, wgdn_text field, wgdn_error *err)
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

static void free_survey(wgdn_survey *s)
{
    if (s->seen) wgdn_ids_close(&s->value);
    *s = (wgdn_survey){0};
}

static double deviation_of(const wgdn_survey *s)
{
    return known(s) > 0 ? sqrt(s->squares / (double)known(s)) : 0;
}

/* Whether most values are different, and long or sentences. */
static bool is_text(const wgdn_survey *s, int64_t most)
{
    if (2 * s->value.count <= s->seen) return false;
    const bool sentences = 2 * s->blanks > s->seen, large = s->bytes > LONG * s->seen;
    return (s->value.count > most && (sentences || large)) || (sentences && large && s->seen > 1);
}

/* What to do with a column. */
typedef enum column_verdict {
    VERDICT_TAKE,
    VERDICT_EMPTY, /* all of it is missing */
    VERDICT_TEXT,  /* prose, or names: no categories */
    VERDICT_ODD    /* numbers or dates, but for a few: see odd_number, odd_day */
} column_verdict;
static column_verdict judge_words(wgdn_column *c, const wgdn_survey *s, int64_t most)
{
    const int64_t all = known(s);
    if (is_text(s, most)) return VERDICT_TEXT;
    c->kind = s->value.count > most ? WGDN_FEATURE_HASHED : WGDN_FEATURE_CATEGORY;
    if (c->kind == WGDN_FEATURE_HASHED && (10 * s->numbers >= 9 * all || 10 * s->days >= 9 * all))
        return VERDICT_ODD;
    if (c->kind == WGDN_FEATURE_HASHED) c->buckets = most;
    return VERDICT_TAKE;
}

static wgdn_status judge_survey(wgdn_column *c, column_verdict *verdict, const wgdn_survey *s,
                                int64_t most, wgdn_error *err)
{
    const int64_t all = known(s);
    *verdict = all == 0 ? VERDICT_EMPTY : VERDICT_TAKE;
    if (all == 0) return WGDN_OK;
    c->flagged = s->missing > 0;
    if (has_words(s)) {
        *verdict = judge_words(c, s, most);
        if (*verdict != VERDICT_TAKE || c->kind == WGDN_FEATURE_HASHED) return WGDN_OK;
        return wgdn_classes_sort(&c->category, NULL, 0, &s->value, err);
    }
    c->mean = s->mean;
    c->order = s->numbers ? WGDN_DAY_FIRST : s->order;
    c->kind = s->numbers ? WGDN_FEATURE_NUMBER : s->days ? WGDN_FEATURE_DATE : WGDN_FEATURE_BOOLEAN;
    return WGDN_OK;
}

static wgdn_feature_scale scale_of(const wgdn_survey *s, int64_t columns)
{
    double zeros = 0, all = 0, least = INFINITY, largest = 0;
    bool far = false, unit = true;
    for (int64_t j = 0; j < columns; j++) {
        if (s[j].ignored) continue;
        const double deviation = deviation_of(&s[j]);
        const double size = hypot(s[j].mean, deviation);
        if (s[j].missing || s[j].numbers < s[j].rows) return WGDN_FEATURE_SCALE_STANDARD;
        zeros += (double)s[j].zeros;
        all += (double)s[j].rows;
        if (s[j].largest > 1) unit = false;
        if (deviation == 0) continue;
        if (size < least) least = size;
        if (size > largest) largest = size;
        if (fabs(s[j].mean) > 3 * deviation) far = true;
    }
    if (unit || 2 * zeros >= all) return WGDN_FEATURE_SCALE_NONE;
    return far || largest > 10 * least ? WGDN_FEATURE_SCALE_STANDARD : WGDN_FEATURE_SCALE_NONE;
}

/* ---- columns of an encoding that was decided before ---- */

static wgdn_status refuse_missing(const wgdn_table_reading *r, int64_t k, wgdn_error *err)
{
    return wgdn_fail_in(
        err, WGDN_EFORMAT, r->in->name,
        "no column %s, which the model was made with: its headings must be there, in any order",
        wgdn_show(wgdn_names_get(&r->block->column[k].name, 0)).text);
}

static wgdn_status refuse_twice(const wgdn_table_reading *r, int64_t j, wgdn_error *err)
{
    return wgdn_fail_in(err, WGDN_EFORMAT, r->in->name,
                        "more than one column is headed %s: rename it",
                        wgdn_table_reading_name(r, j).text);
}

static wgdn_status check_unique(const wgdn_table_reading *r, wgdn_error *err)
{
    wgdn_ids ids;
    wgdn_status st = WGDN_OK;
    int32_t *index = wgdn_alloc((size_t)r->columns, sizeof *index);
    int64_t *count = wgdn_alloc_zero((size_t)r->columns, sizeof *count);
    wgdn_ids_open(&ids, r->columns);
    if (!index || !count) {
        st = no_memory(r, err);
        goto done;
    }
    for (int64_t j = 0; j < r->columns && !st; j++) {
        const wgdn_text name = wgdn_names_get(&r->head, j + r->head.count - r->columns);
        st = wgdn_ids_add(&ids, &name, 1, &index[j], err);
        if (!st && index[j] >= 0) count[index[j]]++;
    }
    for (int64_t k = 0; k < r->block->columns && !st; k++) {
        const int64_t j = r->place[k];
        if (index[j] < 0 || count[index[j]] > 1) st = refuse_twice(r, j, err);
    }

done:
    wgdn_ids_close(&ids);
    wgdn_release(count);
    wgdn_release(index);
    return st;
}

static wgdn_status find_places(wgdn_table_reading *r, wgdn_error *err)
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
static wgdn_status take_places(wgdn_table_reading *r, wgdn_error *err)
{
    const int64_t extra = r->head.count - r->columns;
    if (r->columns != r->block->of)
        return wgdn_fail_in(err, WGDN_EFORMAT, r->in->name,
                            "%lld columns, where the model was made with %lld",
                            (long long)r->columns, (long long)r->block->of);
    r->headed = r->in->header == WGDN_HEADER_YES;
    for (int64_t k = 0; k < r->block->columns; k++) {
        wgdn_cell cell[WGDN_CELLS];
        int count;
        (void)wgdn_text_index(wgdn_names_get(&r->block->column[k].name, 0), &r->place[k]);
        r->place[k]--;
        if (r->in->header == WGDN_HEADER_AUTO && (extra == 0 || extra == 1) &&
            wgdn_column_cells(cell, &count, &r->block->column[k],
                              wgdn_names_get(&r->head, r->place[k] + extra),
                              r->decimal) == WGDN_CELL_WRONG)
            r->headed = extra == 0 || wgdn_ids_find(r->ids, wgdn_names_get(&r->head, 0)) < 0;
    }
    return WGDN_OK;
}

static wgdn_status count_columns(wgdn_table_reading *r, const wgdn_lines *l, wgdn_error *err)
{
    (void)r, (void)l, (void)err;
    return WGDN_OK;
}

static wgdn_status match_columns(wgdn_table_reading *r, wgdn_error *err)
{
    r->headed = r->block->headed;
    wgdn_status st =
        walk_rows(r, r->headed || r->in->header == WGDN_HEADER_YES, count_columns, err);
    if (!st && r->columns == 0) r->columns = r->head.count - 1;
    if (!st) st = reserve_columns(r, r->block->columns, err);
    if (st) return st;
    const int64_t extra = r->head.count - r->columns;
    if (r->headed && extra != 0 && extra != 1) return refuse_missing(r, 0, err);
    if (!r->headed) return take_places(r, err);
    st = find_places(r, err);
    return st ? st : check_unique(r, err);
}

/*
 * Decides how the columns of a table are used: two passes over all rows, whether row 1 is a header,
 * then a decision.
 */

/* ---- two passes over the columns ---- */

/* What is counted for a column takes as much memory as many rows of it, so a table that is wide has some. */
enum { WIDE = 4096, ROWS_WIDE = 24 };

static wgdn_status check_shape(const wgdn_table_reading *r, const wgdn_lines *l, wgdn_error *err)
{
    int64_t rows = 0;
    const unsigned char *p = l->start;
    while (r->columns > WIDE && rows < ROWS_WIDE && p &&
           (p = memchr(p, '\n', (size_t)(l->end - p)))) {
        rows++;
        p++;
    }
    if (r->columns <= WIDE || rows == ROWS_WIDE) return WGDN_OK;
    return wgdn_fail_in(err, WGDN_EFORMAT, r->in->name,
                        "%lld columns, but fewer than %d rows: a table has a row for each node; "
                        "transpose it, or pass the numbers as an array (.npy)",
                        (long long)r->columns + 1, ROWS_WIDE);
}

static wgdn_status survey_row(wgdn_table_reading *r, const wgdn_lines *l, wgdn_error *err)
{
    if (!r->survey) {
        const wgdn_status st = check_shape(r, l, err);
        if (st) return st;
        r->survey = wgdn_alloc_zero((size_t)r->columns, sizeof *r->survey);
        if (!r->survey) return no_memory(r, err);
        for (int64_t j = 0; j < r->columns; j++)
            r->survey[j].decimal = r->decimal;
    }
    for (int64_t j = 0; j < r->columns; j++) {
        const wgdn_text field = l->field[j + 1];
        if (!see_value(&r->survey[j], field, l->line))
            return wgdn_lines_fail(l, j + 1, err, "%s is not a finite number",
                                   wgdn_show(field).text);
    }
    return WGDN_OK;
}

static wgdn_status count_row(wgdn_table_reading *r, const wgdn_lines *l, wgdn_error *err)
{
    wgdn_status st = WGDN_OK;
    for (int64_t j = 0; j < r->columns && !st; j++)
        if (has_words(&r->survey[j])) st = count_value(&r->survey[j], l->field[j + 1], err);
    return st;
}

static void forget_survey(wgdn_table_reading *r)
{
    for (int64_t j = 0; r->survey && j < r->columns; j++)
        free_survey(&r->survey[j]);
    wgdn_release(r->survey);
    r->survey = NULL;
}

static wgdn_status examine_columns(wgdn_table_reading *r, bool skip, wgdn_error *err)
{
    bool words = false;
    forget_survey(r);
    r->columns = 0;
    wgdn_status st = walk_rows(r, skip, survey_row, err);
    for (int64_t j = 0; !st && r->survey && j < r->columns; j++) {
        settle_order(&r->survey[j]);
        if (has_words(&r->survey[j])) words = true;
    }
    return !st && words ? walk_rows(r, skip, count_row, err) : st;
}

/* ---- is row 1 a header? ---- */

static bool is_word(wgdn_text t, char decimal)
{
    double x;
    return wgdn_field_of(t, decimal, WGDN_DAY_FIRST, &x) == WGDN_FIELD_WORD;
}

/* Whether row 1 has as many fields as there are columns and does not start with the id of a node. */
static bool may_be_head(const wgdn_table_reading *r)
{
    const int64_t extra = r->head.count - r->columns;
    if (!r->survey || (extra != 0 && extra != 1)) return false;
    return extra == 0 || wgdn_ids_find(r->ids, wgdn_names_get(&r->head, 0)) < 0;
}

/*
 * Having looked at all other rows: a word over a column without words is a heading; so are words
 * that are found nowhere below.
 */
static bool is_head(const wgdn_table_reading *r)
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
        if (word && s->rows > s->missing && !has_words(s)) return true;
        if (!word || (s->seen && wgdn_ids_find(&s->value, t) >= 0)) nowhere = false;
    }
    return nowhere;
}

static wgdn_status examine_header(wgdn_table_reading *r, wgdn_error *err)
{
    const wgdn_header said = r->in->header;
    wgdn_status st = examine_columns(r, said != WGDN_HEADER_NO, err);
    if (st) return st;
    r->headed = said == WGDN_HEADER_YES || (said == WGDN_HEADER_AUTO && is_head(r));
    const int64_t extra = r->head.count - r->columns;
    if (said == WGDN_HEADER_YES && r->survey && extra != 0 && extra != 1)
        return wgdn_fail(err, WGDN_EFORMAT, "%s:1: %lld headings over %lld columns",
                         wgdn_show_name(r->in->name).text, (long long)r->head.count,
                         (long long)r->columns + 1);
    if (!r->headed && said == WGDN_HEADER_AUTO) st = examine_columns(r, false, err);
    if (!st && !r->survey)
        st = wgdn_fail_in(err, WGDN_EFORMAT, r->in->name,
                          "no rows: expected an id and its features per line");
    return st;
}

/* ---- ignored columns ---- */

static int64_t find_named(const wgdn_table_reading *r, wgdn_text name)
{
    int64_t place;
    for (int64_t j = 0; r->headed && j < r->columns; j++)
        if (wgdn_text_compare(wgdn_names_get(&r->head, j + r->head.count - r->columns), name) == 0)
            return j;
    return wgdn_text_index(name, &place) && place >= 1 && place <= r->columns ? place - 1 : -1;
}

static wgdn_status ignore_columns(wgdn_table_reading *r, wgdn_error *err)
{
    for (const char *at = r->plan->ignore; at && *at;) {
        const size_t size = strcspn(at, ",");
        const wgdn_text name = wgdn_text_of(at, size);
        const int64_t j = find_named(r, name);
        if (j >= 0)
            r->survey[j].ignored = true;
        else if (!r->plan->several)
            return wgdn_fail_in(err, WGDN_EINVAL, r->in->name,
                                "no column %s, which is to be ignored", wgdn_show(name).text);
        at += size + (at[size] == ',');
    }
    return WGDN_OK;
}

/* ---- the encoding of the columns ---- */

static wgdn_status refuse_text(const wgdn_table_reading *r, int64_t j, wgdn_error *err)
{
    const wgdn_shown name = wgdn_table_reading_name(r, j);
    return wgdn_fail_in(err, WGDN_EFORMAT, r->in->name,
                        "column %s is text: make vectors of it with a language model and give them "
                        "as .npy, or leave it out: --ignore %s",
                        name.text, name.text);
}

static wgdn_status refuse_odd(const wgdn_table_reading *r, int64_t j, wgdn_error *err)
{
    const wgdn_survey *s = &r->survey[j];
    const bool numbers = s->numbers > s->days;
    return wgdn_fail_at(
        err, WGDN_EFORMAT, r->in->name, (numbers ? s->odd_number : s->odd_day),
        "column %s: no %s, where nearly all of the column are: correct it, or write NA",
        wgdn_table_reading_name(r, j).text, numbers ? "number" : "date");
}

static wgdn_status name_column(wgdn_column *c, const wgdn_table_reading *r, int64_t j,
                               wgdn_error *err)
{
    char digits[WGDN_INDEX_TEXT];
    wgdn_text name = wgdn_text_of(digits, wgdn_print_index(digits, j + 1));
    if (r->headed) name = wgdn_names_get(&r->head, j + r->head.count - r->columns);
    return wgdn_names_from(&c->name, &name, 1, err);
}

static wgdn_status judge(wgdn_table_reading *r, int64_t j, wgdn_error *err)
{
    wgdn_block *b = r->block;
    wgdn_column *c = NULL;
    column_verdict verdict;
    wgdn_status st = wgdn_block_add(b, &c, err);
    if (!st) st = name_column(c, r, j, err);
    if (!st) st = judge_survey(c, &verdict, &r->survey[j], r->plan->max_categories, err);
    if (st) return st;
    if (verdict == VERDICT_TEXT) return refuse_text(r, j, err);
    if (verdict == VERDICT_ODD) return refuse_odd(r, j, err);
    if (verdict == VERDICT_EMPTY) {
        wgdn_names_free(&c->name);
        b->columns--;
        return WGDN_OK;
    }
    if (b->scale == WGDN_FEATURE_SCALE_STANDARD &&
        (c->kind == WGDN_FEATURE_NUMBER || c->kind == WGDN_FEATURE_DATE)) {
        c->shift = c->mean;
        c->unit = deviation_of(&r->survey[j]);
    }
    r->place[b->columns - 1] = j;
    return WGDN_OK;
}

/* v0, v1, v2, ...: the parts of a vector, which belong together. */
static bool is_vector(const wgdn_table_reading *r)
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

static wgdn_feature_scale choose_scale(const wgdn_table_reading *r)
{
    if (r->plan->scale != WGDN_FEATURE_SCALE_AUTO) return r->plan->scale;
    return is_vector(r) ? WGDN_FEATURE_SCALE_NONE : scale_of(r->survey, r->columns);
}

static wgdn_status decide_columns(wgdn_table_reading *r, wgdn_error *err)
{
    wgdn_block *b = r->block;
    wgdn_status st = examine_header(r, err);
    if (!st) st = ignore_columns(r, err);
    if (!st) st = reserve_columns(r, r->columns, err);
    if (st) return st;
    b->kind = WGDN_BLOCK_TABLE;
    b->headed = r->headed;
    b->of = r->columns;
    b->scale = choose_scale(r);
    for (int64_t j = 0; j < r->columns && !st; j++)
        if (!r->survey[j].ignored) st = judge(r, j, err);
    if (!st && r->headed) st = check_unique(r, err);
    if (st) return st;
    wgdn_block_lay_out(b);
    if (b->columns == 0 || b->width > INT32_MAX)
        return wgdn_fail_in(err, WGDN_EFORMAT, r->in->name,
                            "its columns become %lld features: expected 1 .. 2^31 - 1",
                            (long long)b->width);
    return WGDN_OK;
}

/* ---- the rows ---- */

/* Scales a row to length 1; a row of zeros stays as it is. */
static void scale_row(wgdn_cell *cell, int64_t count)
{
    double squares = 0;
    for (int64_t k = 0; k < count; k++)
        squares += (double)cell[k].value * (double)cell[k].value;
    for (int64_t k = 0; k < count; k++)
        cell[k].value = (float)((double)cell[k].value / sqrt(squares));
}

static wgdn_status encode_row(wgdn_table_reading *r, const wgdn_lines *l, wgdn_error *err)
{
    const wgdn_block *b = r->block;
    int64_t cells = 0;
    if (wgdn_table_skips(r->t, r->ids, l->field[0])) return WGDN_OK;
    wgdn_status st = wgdn_table_row(r->t, r->ids, l->field[0], l->line, err);
    for (int64_t k = 0; k < b->columns && !st; k++) {
        const wgdn_text field = l->field[r->place[k] + 1];
        int count;
        const wgdn_cell_news news =
            wgdn_column_cells(r->cell + cells, &count, &b->column[k], field, r->decimal);
        if (news == WGDN_CELL_MISSING) r->missing[k]++;
        if (news == WGDN_CELL_UNKNOWN) r->unknown[k]++;
        if (news == WGDN_CELL_WRONG) {
            static const char *const wanted[] = {"number", "date", "boolean"};
            return wgdn_lines_fail(
                l, r->place[k] + 1, err, "%s is not a %s, as column %s is one of %ss",
                wgdn_show(field).text, wanted[b->column[k].kind],
                wgdn_table_reading_name(r, r->place[k]).text, wanted[b->column[k].kind]);
        }
        cells += count;
    }
    if (b->scale == WGDN_FEATURE_SCALE_ROW) scale_row(r->cell, cells);
    for (int64_t i = 0; i < cells && !st; i++)
        st = wgdn_table_entry(r->t, r->cell[i].column, r->cell[i].value, err);
    return st;
}

static wgdn_status read_columns(wgdn_table_reading *r, wgdn_error *err)
{
    wgdn_status st = read_head(r, err);
    if (!st && r->plan->given) {
        st = match_columns(r, err);
    } else if (!st) {
        st = decide_columns(r, err);
    }
    if (!st) st = walk_rows(r, r->headed, encode_row, err);
    if (!st) r->t->width = r->block->width;
    if (!st) st = wgdn_table_reading_remark(r, err);
    return st;
}

wgdn_status wgdn_table_encode(wgdn_table *t, wgdn_ids *ids, const wgdn_input *in,
                              const wgdn_table_plan *plan, wgdn_error *err)
{
    wgdn_table_reading r = {.t = t, .ids = ids, .in = in, .plan = plan};
    r.block = plan->given ? plan->given : plan->made;
    const wgdn_status st = read_columns(&r, err);
    wgdn_arrays_release(&r.arrays);
    forget_survey(&r);
    wgdn_names_free(&r.head);
    return st;
}
