/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Encodes table columns as features: numbers, categories, hashed text and dates. It stores the
 * encoding as text in model files, so that other tables can be encoded alike; the readers of
 * feature tables call it.
 */
#include "columns.h"
#include "io/lines.h"

#include <stdio.h>
#include <string.h>
#include <xxhash.h>

/*
 * Writes and reads an encoding as text:
 *
 *     columns 1
 *     array 128
 *     numbers 5
 *     table standard headed 3 4            three of its four columns
 *     number FLAG MEAN SHIFT UNIT NAME
 *     category FLAG NAME red green
 *     hashed FLAG 32 NAME
 *     month-first FLAG MEAN SHIFT UNIT NAME      dates as 12/31/2024; date: as 31/12/2024
 *
 * Bytes outside visible ASCII, and %, are written as %xx; an empty word is written as %.
 */

static const char *const column_words[] = {"number",   "date",   "boolean",
                                           "category", "hashed", "month-first"};
enum { MONTH_FIRST = 5 }; /* a date in another order */
static const char *const block_words[] = {"array", "numbers", "table"};
static const char *const scale_words[] = {"auto", "standard", "none", "row"};

enum { WIDEST = INT32_MAX };

/* ---- writing ---- */

typedef struct writer {
    char *text;
    int64_t used, room;
    bool failed;
} writer;

static void put_bytes(writer *w, const char *text, size_t size)
{
    if (w->failed || !wgdn_grow(&w->text, &w->room, w->used + (int64_t)size + 1, 1)) {
        w->failed = true;
        return;
    }
    memcpy(w->text + w->used, text, size);
    w->used += (int64_t)size;
    w->text[w->used] = '\0';
}

static void put_word(writer *w, const char *word)
{
    put_bytes(w, word, strlen(word));
}

static void put_text(writer *w, wgdn_text t)
{
    put_word(w, t.size ? " " : " %");
    for (size_t i = 0; i < t.size; i++) {
        char code[4];
        put_bytes(w, code, wgdn_text_escape(code, t.at[i]));
    }
}

static void put_number(writer *w, double x)
{
    char text[40];
    wgdn_number_text(text, sizeof text, x);
    put_word(w, " ");
    put_word(w, text);
}

static void put_count(writer *w, int64_t x)
{
    char text[40];
    snprintf(text, sizeof text, " %lld", (long long)x);
    put_word(w, text);
}

static void put_column(writer *w, const wgdn_column *c)
{
    put_word(w, column_words[c->order == WGDN_MONTH_FIRST ? MONTH_FIRST : (int)c->kind]);
    put_count(w, c->flagged);
    if (c->kind < WGDN_FEATURE_CATEGORY) {
        put_number(w, c->mean);
        put_number(w, c->shift);
        put_number(w, c->unit);
    }
    if (c->kind == WGDN_FEATURE_HASHED) put_count(w, c->buckets);
    put_text(w, c->name.count ? wgdn_names_get(&c->name, 0) : wgdn_text_of("", 0));
    for (int64_t i = 0; i < c->category.count; i++)
        put_text(w, wgdn_names_get(&c->category, i));
    put_word(w, "\n");
}

wgdn_status wgdn_encoding_text(char **out, const wgdn_encoding *e, wgdn_error *err)
{
    writer w = {0};
    put_word(&w, "columns 1\n");
    for (int64_t i = 0; i < e->blocks; i++) {
        const wgdn_block *b = &e->block[i];
        put_word(&w, block_words[b->kind]);
        if (b->kind == WGDN_BLOCK_TABLE) {
            put_word(&w, " ");
            put_word(&w, scale_words[b->scale]);
            put_word(&w, b->headed ? " headed" : " bare");
            put_count(&w, b->columns);
            put_count(&w, b->of);
        } else {
            put_count(&w, b->width);
        }
        put_word(&w, "\n");
        for (int64_t k = 0; k < b->columns; k++)
            put_column(&w, &b->column[k]);
    }
    if (w.failed) {
        wgdn_release(w.text);
        return wgdn_fail(err, WGDN_ENOMEM, "features: their encoding as text");
    }
    *out = w.text;
    return WGDN_OK;
}

/* ---- reading ---- */

typedef struct word_reader {
    const char *at;
    unsigned char *text; /* the current word, its escapes undone */
    size_t size;
    int64_t room;
    bool full; /* without memory */
} word_reader;

/* The next word of this line; false at its end, and for an escape that is none. */
static bool next_word(word_reader *w)
{
    const char *p = w->at;
    if (*p == ' ') p++;
    if (*p == '\0' || *p == '\n' || *p == ' ') return false;
    const size_t most = strcspn(p, " \n");
    if (!wgdn_grow(&w->text, &w->room, (int64_t)most + 1, 1)) {
        w->full = true;
        return false;
    }
    w->size = 0;
    for (const char *end = p + most; p < end; p++) {
        if (*p == '%' && most == 1) continue; /* the empty word */
        if (*p == '%') {
            const int byte = wgdn_text_unescape(p);
            if (byte < 0) return false;
            w->text[w->size++] = (unsigned char)byte;
            p += 2;
        } else {
            w->text[w->size++] = (unsigned char)*p;
        }
    }
    w->text[w->size] = '\0';
    w->at = p;
    return true;
}

static bool next_line(word_reader *w)
{
    if (*w->at != '\n') return false;
    w->at++;
    return true;
}

/* The place of the next word among some. */
static int next_choice(word_reader *w, const char *const *choice, int count)
{
    if (!next_word(w)) return -1;
    for (int i = 0; i < count; i++)
        if (strcmp((const char *)w->text, choice[i]) == 0) return i;
    return -1;
}

static bool next_count(word_reader *w, int64_t low, int64_t high, int64_t *out)
{
    return next_word(w) && wgdn_text_index(wgdn_text_of(w->text, w->size), out) && *out >= low &&
           *out <= high;
}

static bool next_number(word_reader *w, double *out)
{
    return next_word(w) && wgdn_number_read(out, (const char *)w->text) && *out - *out == 0;
}

/* The words left of a line. */
static wgdn_status rest_of_line(wgdn_names *out, word_reader *w, wgdn_error *err)
{
    const char *const from = w->at;
    int64_t count = 0, bytes = 0;
    while (next_word(w)) {
        count++;
        bytes += (int64_t)w->size;
    }
    *out = (wgdn_names){.count = count};
    out->start = wgdn_alloc((size_t)count + 1, sizeof *out->start);
    out->text = wgdn_alloc((size_t)bytes, 1);
    if (!out->start || !out->text) {
        wgdn_names_free(out);
        return wgdn_fail(err, WGDN_ENOMEM, "features: %lld names", (long long)count);
    }
    out->start[0] = 0;
    w->at = from;
    for (int64_t i = 0; i < count && next_word(w); i++) {
        if (w->size) memcpy(out->text + out->start[i], w->text, w->size);
        out->start[i + 1] = out->start[i] + (int64_t)w->size;
    }
    return WGDN_OK;
}

static bool wrong(wgdn_status *st, wgdn_error *err)
{
    *st = wgdn_fail(err, WGDN_EFORMAT,
                    "the features' encoding is not what a model or a packed dataset holds");
    return false;
}

static bool parse_column(wgdn_column *c, const wgdn_block *b, word_reader *w, wgdn_status *st,
                         wgdn_error *err)
{
    int64_t flag = 0, place;
    const int word = next_choice(w, column_words, 6);
    const int kind = word == MONTH_FIRST ? WGDN_FEATURE_DATE : word;
    if (kind < 0 || !next_count(w, 0, 1, &flag)) return wrong(st, err);
    c->kind = (wgdn_feature_kind)kind;
    c->order = word == MONTH_FIRST ? WGDN_MONTH_FIRST : WGDN_DAY_FIRST;
    c->flagged = flag != 0;
    if (kind < WGDN_FEATURE_CATEGORY &&
        (!next_number(w, &c->mean) || !next_number(w, &c->shift) || !next_number(w, &c->unit)))
        return wrong(st, err);
    if (kind == WGDN_FEATURE_HASHED && !next_count(w, 1, WIDEST, &c->buckets))
        return wrong(st, err);
    if (!next_word(w)) return wrong(st, err);
    const wgdn_text name = wgdn_text_of(w->text, w->size);
    if (!b->headed && (!wgdn_text_index(name, &place) || place < 1 || place > b->of))
        return wrong(st, err);
    *st = wgdn_names_from(&c->name, &name, 1, err);
    if (!*st && kind == WGDN_FEATURE_CATEGORY) *st = rest_of_line(&c->category, w, err);
    if (*st) return false;
    return next_line(w) ? true : wrong(st, err);
}

static bool parse_table(wgdn_block *b, word_reader *w, wgdn_status *st, wgdn_error *err)
{
    static const char *const heads[] = {"bare", "headed"};
    int64_t columns;
    const int scale = next_choice(w, scale_words, 4), head = next_choice(w, heads, 2);
    if (scale < 1 || head < 0 || !next_count(w, 1, WIDEST, &columns) ||
        !next_count(w, columns, WIDEST, &b->of) || !next_line(w))
        return wrong(st, err);
    b->scale = (wgdn_feature_scale)scale;
    b->headed = head == 1;
    for (int64_t k = 0; k < columns; k++) {
        wgdn_column *c = NULL;
        *st = wgdn_block_add(b, &c, err);
        if (*st || !parse_column(c, b, w, st, err)) return false;
    }
    wgdn_block_lay_out(b);
    return b->width <= WIDEST ? true : wrong(st, err);
}

static bool parse_block(wgdn_encoding *e, word_reader *w, wgdn_status *st, wgdn_error *err)
{
    wgdn_block *b = NULL;
    const int kind = next_choice(w, block_words, 3);
    if (kind < 0) return wrong(st, err);
    *st = wgdn_encoding_add(e, &b, err);
    if (*st) return false;
    b->kind = (wgdn_block_kind)kind;
    if (kind == WGDN_BLOCK_TABLE) return parse_table(b, w, st, err);
    return next_count(w, 1, WIDEST, &b->width) && next_line(w) ? true : wrong(st, err);
}

wgdn_status wgdn_encoding_parse(wgdn_encoding *e, const char *text, wgdn_error *err)
{
    static const char head[] = "columns 1\n";
    wgdn_status st = WGDN_OK;
    word_reader w = {.at = text + sizeof head - 1};
    *e = (wgdn_encoding){0};
    if (strncmp(text, head, sizeof head - 1) != 0)
        (void)wrong(&st, err);
    else
        while (*w.at && parse_block(e, &w, &st, err)) {
        }
    if (!st && e->blocks == 0) (void)wrong(&st, err);
    if (st && w.full) st = wgdn_fail(err, WGDN_ENOMEM, "features: their encoding");
    wgdn_release(w.text);
    if (st) wgdn_encoding_free(e);
    return st;
}

/* Reads dates and times: ISO 8601, or with the day or the month first. */

typedef struct reader {
    const unsigned char *at, *end;
} reader;

/* Exactly so many digits. */
static bool digits(reader *r, int count, int *out)
{
    *out = 0;
    if (r->end - r->at < count) return false;
    for (int i = 0; i < count; i++, r->at++) {
        if (*r->at < '0' || *r->at > '9') return false;
        *out = 10 * *out + (*r->at - '0');
    }
    return true;
}

/* One digit or two. */
static bool short_digits(reader *r, int *out)
{
    const reader start = *r;
    if (digits(r, 2, out)) return true;
    *r = start;
    return digits(r, 1, out);
}

static bool next_is(reader *r, char c)
{
    if (r->at == r->end || *r->at != (unsigned char)c) return false;
    r->at++;
    return true;
}

static bool leap(int year)
{
    return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
}

static int days_of_month(int year, int month)
{
    static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    return days[month - 1] + (month == 2 && leap(year));
}

/* Days from 1 January of the year 0 to that of a year: leap years are those before it. */
static int days_before(int year)
{
    const int past = year - 1;
    return year == 0 ? 0 : 365 * year + past / 4 - past / 100 + past / 400 + 1;
}

/* Days since 1970. */
static bool count_days(int year, int month, int day, int *out)
{
    int all;
    if (month < 1 || month > 12 || day < 1 || day > days_of_month(year, month)) return false;
    all = days_before(year) - days_before(1970) + day - 1;
    for (int m = 1; m < month; m++)
        all += days_of_month(year, m);
    *out = all;
    return true;
}

static bool read_iso_date(reader *r, int *out)
{
    int year, month, day;
    if (!digits(r, 4, &year)) return false;
    const char between = (char)(r->at < r->end && *r->at == '/' ? '/' : '-');
    if (!next_is(r, between) || !digits(r, 2, &month) || !next_is(r, between) ||
        !digits(r, 2, &day))
        return false;
    return count_days(year, month, day, out);
}

/* The year last; *between is the mark, and a point says that the day is first. */
static bool read_local_date(reader *r, wgdn_day_order order, int *out)
{
    int first, second, year;
    if (!short_digits(r, &first) || r->at == r->end) return false;
    const char between = (char)*r->at;
    if (between != '.' && between != '/' && between != '-') return false;
    if (!next_is(r, between) || !short_digits(r, &second) || !next_is(r, between) ||
        !digits(r, 4, &year))
        return false;
    const bool swap = order == WGDN_MONTH_FIRST && between != '.';
    return count_days(year, swap ? first : second, swap ? second : first, out);
}

/* AM or PM, if one follows: 12 AM is hour 0. */
static bool read_half(reader *r, int *hour)
{
    const reader start = *r;
    (void)next_is(r, ' ');
    const bool am = next_is(r, 'A') || next_is(r, 'a');
    const bool pm = !am && (next_is(r, 'P') || next_is(r, 'p'));
    if (!am && !pm) {
        *r = start;
        return true;
    }
    if (!next_is(r, 'M') && !next_is(r, 'm')) return false;
    if (*hour < 1 || *hour > 12) return false;
    *hour = *hour % 12 + (pm ? 12 : 0);
    return true;
}

/* Seconds of a day. */
static bool read_time(reader *r, double *out)
{
    int hour, minute, second = 0;
    double part = 0, unit = 1;
    if (!short_digits(r, &hour) || !next_is(r, ':') || !digits(r, 2, &minute)) return false;
    if (next_is(r, ':')) {
        if (!digits(r, 2, &second)) return false;
        if (next_is(r, '.')) {
            const unsigned char *first = r->at;
            for (; r->at < r->end && *r->at >= '0' && *r->at <= '9'; r->at++) {
                unit /= 10;
                part += unit * (*r->at - '0');
            }
            if (r->at == first) return false;
        }
    }
    if (!read_half(r, &hour)) return false;
    *out = 3600.0 * hour + 60.0 * minute + second + part;
    return hour < 24 && minute < 60 && second <= 60;
}

/* Seconds by which local time is ahead of UTC. */
static bool read_offset(reader *r, double *out)
{
    int hour, minute = 0;
    *out = 0;
    if (r->at == r->end || next_is(r, 'Z') || next_is(r, 'z')) return true;
    const bool behind = *r->at == '-';
    if (!next_is(r, '-') && !next_is(r, '+')) return false;
    if (!digits(r, 2, &hour)) return false;
    if (r->at < r->end) {
        (void)next_is(r, ':');
        if (!digits(r, 2, &minute)) return false;
    }
    *out = (behind ? -1 : 1) * (3600.0 * hour + 60.0 * minute);
    return hour < 24 && minute < 60;
}

bool wgdn_text_day(wgdn_text t, wgdn_day_order order, double *out)
{
    reader r = {t.at, t.at + t.size};
    int day;
    double seconds = 0, offset = 0;
    if (t.size < 8 || t.size > 40) return false;
    if (!read_iso_date(&r, &day)) {
        r.at = t.at;
        if (!read_local_date(&r, order, &day)) return false;
    }
    if (r.at < r.end) {
        if (!next_is(&r, 'T') && !next_is(&r, 't') && !next_is(&r, ' ')) return false;
        if (!read_time(&r, &seconds) || !read_offset(&r, &offset)) return false;
    }
    *out = day + (seconds - offset) / 86400.0;
    return r.at == r.end;
}

wgdn_field wgdn_field_of(wgdn_text t, char decimal, wgdn_day_order order, double *value)
{
    static const char *const no[] = {"false", "no", NULL}, *const yes[] = {"true", "yes", NULL};
    const wgdn_lines l = {.decimal = decimal};
    *value = 0;
    if (t.size && t.at[0] >= '0' && t.at[0] <= '9' && wgdn_lines_number(&l, t, value))
        return WGDN_FIELD_NUMBER; /* the most frequent ones first */
    if (wgdn_field_missing(t)) return WGDN_FIELD_MISSING;
    if (wgdn_lines_number(&l, t, value)) /* nan in another spelling is missing, too */
        return *value == *value ? WGDN_FIELD_NUMBER : WGDN_FIELD_MISSING;
    if (wgdn_text_day(t, order, value)) return WGDN_FIELD_DAY;
    *value = 0;
    if (t.size <= 5 && wgdn_text_is_any(t, no)) return WGDN_FIELD_BOOLEAN;
    *value = 1;
    return t.size <= 5 && wgdn_text_is_any(t, yes) ? WGDN_FIELD_BOOLEAN : WGDN_FIELD_WORD;
}

/* ---- rows ---- */

static int64_t find_category(const wgdn_names *n, wgdn_text t)
{
    for (int64_t i = 0; i < n->count; i++)
        if (wgdn_text_compare(wgdn_names_get(n, i), t) == 0) return i;
    return -1;
}

static void put(wgdn_cell *out, int *count, int64_t column, double value)
{
    if ((float)value == 0) return;
    out[(*count)++] = (wgdn_cell){(int32_t)column, (float)value};
}

static double scaled(const wgdn_column *c, double x)
{
    return c->unit > 0 ? (x - c->shift) / c->unit : 0;
}

static wgdn_cell_news category_cells(wgdn_cell *out, int *count, const wgdn_column *c,
                                     wgdn_text field)
{
    int64_t place;
    if (c->kind == WGDN_FEATURE_HASHED)
        place = (int64_t)(XXH3_64bits(field.at, field.size) % (uint64_t)c->buckets);
    else
        place = find_category(&c->category, field);
    if (place < 0) return WGDN_CELL_UNKNOWN;
    put(out, count, c->first + place, 1);
    return WGDN_CELL_FINE;
}

wgdn_cell_news wgdn_column_cells(wgdn_cell out[WGDN_CELLS], int *count, const wgdn_column *c,
                                 wgdn_text field, char decimal)
{
    static const wgdn_field wanted[] = {WGDN_FIELD_NUMBER, WGDN_FIELD_DAY, WGDN_FIELD_BOOLEAN};
    const bool words = c->kind >= WGDN_FEATURE_CATEGORY;
    double x;
    const wgdn_field is = wgdn_field_of(field, decimal, c->order, &x);
    *count = 0;
    if (is == WGDN_FIELD_MISSING) {
        if (!words) put(out, count, c->first, scaled(c, c->mean));
        if (c->flagged) put(out, count, c->first + c->width - 1, 1);
        return WGDN_CELL_MISSING;
    }
    if (words) return category_cells(out, count, c, field);
    const bool digit = c->kind == WGDN_FEATURE_BOOLEAN && is == WGDN_FIELD_NUMBER;
    if (!(digit && (x == 0 || x == 1)) && is != wanted[c->kind]) return WGDN_CELL_WRONG;
    x = scaled(c, x);
    if (!((float)x - (float)x == 0)) return WGDN_CELL_WRONG; /* beyond what a float holds */
    put(out, count, c->first, x);
    return WGDN_CELL_FINE;
}

void wgdn_block_lay_out(wgdn_block *b)
{
    int64_t at = 0;
    for (int64_t i = 0; i < b->columns; i++) {
        wgdn_column *c = &b->column[i];
        const int64_t own = c->kind == WGDN_FEATURE_CATEGORY ? c->category.count
                            : c->kind == WGDN_FEATURE_HASHED ? c->buckets
                                                             : 1;
        c->first = at;
        c->width = own + c->flagged;
        at += c->width;
    }
    b->width = at;
}

/* ---- memory ---- */

/* ---- comparing encodings ---- */

static bool same_names(const wgdn_names *a, const wgdn_names *b)
{
    if (a->count != b->count) return false;
    for (int64_t i = 0; i < a->count; i++)
        if (wgdn_text_compare(wgdn_names_get(a, i), wgdn_names_get(b, i)) != 0) return false;
    return true;
}

static bool same_column(const wgdn_column *a, const wgdn_column *b)
{
    return a->kind == b->kind && a->order == b->order && a->flagged == b->flagged &&
           a->shift == b->shift && a->unit == b->unit && a->buckets == b->buckets &&
           same_names(&a->name, &b->name) && same_names(&a->category, &b->category);
}

bool wgdn_encoding_same(const wgdn_encoding *a, const wgdn_encoding *b)
{
    if (a->blocks != b->blocks) return false;
    for (int64_t i = 0; i < a->blocks; i++) {
        const wgdn_block *x = &a->block[i], *y = &b->block[i];
        if (x->kind != y->kind || x->width != y->width || x->scale != y->scale ||
            x->columns != y->columns)
            return false;
        for (int64_t k = 0; k < x->columns; k++)
            if (!same_column(&x->column[k], &y->column[k])) return false;
    }
    return true;
}

wgdn_status wgdn_encodings_agree(const char *model, const char *data, wgdn_error *err)
{
    wgdn_encoding a = {0}, b = {0};
    if (!model || !data || strcmp(model, data) == 0) return WGDN_OK;
    wgdn_status st = wgdn_encoding_parse(&a, model, err);
    if (!st) st = wgdn_encoding_parse(&b, data, err);
    if (!st && !wgdn_encoding_same(&a, &b))
        st = wgdn_fail(err, WGDN_EINVAL,
                       "features: the model knows other columns, categories or scales: give it the "
                       "table itself (--features), and it is encoded as the model's was");
    wgdn_encoding_free(&b);
    wgdn_encoding_free(&a);
    return st;
}
