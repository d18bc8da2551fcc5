/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An encoding as text:
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
 * Bytes other than visible ASCII, and %, are %xx; an empty word is %.
 */
#include "columns.h"

#include <stdio.h>
#include <string.h>

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
        char hex[4] = {(char)t.at[i], '\0'};
        if (t.at[i] <= ' ' || t.at[i] > '~' || t.at[i] == '%')
            snprintf(hex, sizeof hex, "%%%02x", t.at[i]);
        put_word(w, hex);
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

typedef struct words {
    const char *at;
    unsigned char *text; /* the current word, its escapes undone */
    size_t size;
    int64_t room;
    bool full; /* without memory */
} words;

static int hex_of(char c)
{
    if (c >= '0' && c <= '9') return c - '0';
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* The next word of this line; false at its end, and for an escape that is none. */
static bool next_word(words *w)
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
            const int high = end - p > 2 ? hex_of(p[1]) : -1, low = high < 0 ? -1 : hex_of(p[2]);
            if (low < 0) return false;
            w->text[w->size++] = (unsigned char)(16 * high + low);
            p += 2;
        } else {
            w->text[w->size++] = (unsigned char)*p;
        }
    }
    w->text[w->size] = '\0';
    w->at = p;
    return true;
}

static bool next_line(words *w)
{
    if (*w->at != '\n') return false;
    w->at++;
    return true;
}

/* The place of the next word among some. */
static int next_choice(words *w, const char *const *choice, int count)
{
    if (!next_word(w)) return -1;
    for (int i = 0; i < count; i++)
        if (strcmp((const char *)w->text, choice[i]) == 0) return i;
    return -1;
}

static bool next_count(words *w, int64_t low, int64_t high, int64_t *out)
{
    return next_word(w) && wgdn_text_index(wgdn_text_of(w->text, w->size), out) && *out >= low &&
           *out <= high;
}

static bool next_number(words *w, double *out)
{
    return next_word(w) && wgdn_number_read(out, (const char *)w->text) && *out - *out == 0;
}

/* The words left of a line. */
static wgdn_status rest_of_line(wgdn_names *out, words *w, wgdn_error *err)
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

static bool parse_column(wgdn_column *c, const wgdn_block *b, words *w, wgdn_status *st,
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

static bool parse_table(wgdn_block *b, words *w, wgdn_status *st, wgdn_error *err)
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

static bool parse_block(wgdn_encoding *e, words *w, wgdn_status *st, wgdn_error *err)
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
    words w = {.at = text + sizeof head - 1};
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
