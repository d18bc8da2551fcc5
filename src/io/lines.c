/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Splits text files into lines of fields, with a fast path for lines of two integers. All readers
 * of delimited text build on it; it also turns options into the metadata pairs of model files.
 */
#include "lines.h"
#include "text.h"

#include <stdio.h>
#include <string.h>

static bool blank(unsigned char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

/* To the first byte of a line with data, or to the end. */
static void skip_idle_lines(wgdn_lines *l)
{
    while (l->at < l->end) {
        const unsigned char *p = l->at;
        while (p < l->end && blank(*p))
            p++;
        if (p < l->end && *p != '\n' && *p != '#' && *p != '%') return;
        p = p < l->end ? memchr(p, '\n', (size_t)(l->end - p)) : NULL;
        l->at = p ? p + 1 : l->end;
        l->next++;
    }
}

/* Excel's first line, sep=; or "sep=;", which names the separator; 0: there is none. */
static char take_separator(wgdn_lines *l)
{
    const unsigned char *p = l->at, *end = memchr(p, '\n', (size_t)(l->end - p));
    if (!end) return 0;
    const unsigned char *const next = end + 1;
    if (end > p && end[-1] == '\r') end--;
    if (end - p == 7 && p[0] == '"' && p[6] == '"') p++, end--;
    if (end - p != 5 || memcmp(p, "sep=", 4) != 0) return 0;
    l->at = next;
    l->next++;
    return (char)p[4];
}

void wgdn_lines_open(wgdn_lines *l, const wgdn_input *in)
{
    *l = (wgdn_lines){.name = in->name, .next = 1, .watch = in->watch};
    l->at = in->size ? in->data : (const unsigned char *)"";
    l->end = l->at + in->size;
    l->start = l->told = l->at;
    if (in->size >= 3 && memcmp(l->at, "\xef\xbb\xbf", 3) == 0) l->at += 3;
    const char said = take_separator(l);
    skip_idle_lines(l);
    l->separator = in->separator ? in->separator : said;
    if (!l->separator) l->separator = wgdn_find_separator(l->at, l->end);
    l->decimal = in->decimal;
    if (!l->decimal) l->decimal = wgdn_find_decimal(l->at, l->end, l->separator);
}

void wgdn_lines_close(wgdn_lines *l)
{
    wgdn_release(l->scratch);
    wgdn_release(l->field);
    *l = (wgdn_lines){0};
}

void wgdn_lines_again(wgdn_lines *l)
{
    l->at = l->row;
    l->next = l->line;
}

static wgdn_status no_memory(const wgdn_lines *l, wgdn_error *err)
{
    return wgdn_fail(err, WGDN_ENOMEM, "%s:%lld: a row of more than %lld fields",
                     wgdn_show_name(l->name).text, (long long)l->line, (long long)l->fields);
}

static wgdn_status push(wgdn_lines *l, const unsigned char *from, const unsigned char *to,
                        wgdn_error *err)
{
    if (l->fields == WGDN_FIELDS_MAX)
        return wgdn_fail(err, WGDN_EFORMAT,
                         "%s:%lld: a row has more than %d fields; choose another separator, or "
                         "pass the data as an array (.npy)",
                         wgdn_show_name(l->name).text, (long long)l->line, WGDN_FIELDS_MAX);
    if (l->fields == l->room && !wgdn_grow(&l->field, &l->room, l->fields + 1, sizeof *l->field))
        return no_memory(l, err);
    l->field[l->fields++] = wgdn_text_of(from, (size_t)(to - from));
    return WGDN_OK;
}

static wgdn_status split_blanks(wgdn_lines *l, wgdn_error *err)
{
    const unsigned char *p = l->at, *const end = l->end;
    for (;;) {
        while (p < end && blank(*p))
            p++;
        if (p == end || *p == '\n') break;
        const unsigned char *from = p;
        while (p < end && !blank(*p) && *p != '\n')
            p++;
        const wgdn_status st = push(l, from, p, err);
        if (st) return st;
    }
    l->at = p < end ? p + 1 : p;
    return WGDN_OK;
}

/* Copy a quoted field with its doubled quotes made single; earlier fields may have to move. */
static wgdn_status undouble(wgdn_lines *l, const unsigned char *from, const unsigned char *to,
                            wgdn_error *err)
{
    const uintptr_t old = (uintptr_t)l->scratch, old_end = old + (uintptr_t)l->scratch_used;
    const int64_t start = l->scratch_used;
    if (!wgdn_grow(&l->scratch, &l->scratch_room, start + (to - from), 1)) return no_memory(l, err);
    for (int64_t i = 0; i < l->fields && (uintptr_t)l->scratch != old; i++) {
        const uintptr_t at = (uintptr_t)l->field[i].at;
        if (at >= old && at < old_end) l->field[i].at = l->scratch + (at - old);
    }
    for (const unsigned char *p = from; p < to; p++) {
        l->scratch[l->scratch_used++] = *p;
        if (*p == '"') p++;
    }
    return push(l, l->scratch + start, l->scratch + l->scratch_used, err);
}

/* A field that opens with a quote at *at; leaves *at behind the closing one. */
static wgdn_status split_quoted(wgdn_lines *l, const unsigned char **at, wgdn_error *err)
{
    const unsigned char *const from = *at + 1, *p = from;
    bool doubled = false;
    for (;; p += 2) {
        p = p < l->end ? memchr(p, '"', (size_t)(l->end - p)) : NULL;
        if (!p)
            return wgdn_fail(err, WGDN_EFORMAT,
                             "%s:%lld: a quote opens in this row and never closes: close it, or "
                             "write a quote inside a field as \"\"",
                             wgdn_show_name(l->name).text, (long long)l->line);
        if (p + 1 == l->end || p[1] != '"') break;
        doubled = true;
    }
    for (const unsigned char *q = from; q < p; q++)
        if (*q == '\n') l->next++;
    *at = p + 1;
    return doubled ? undouble(l, from, p, err) : push(l, from, p, err);
}

static wgdn_status split_separated(wgdn_lines *l, wgdn_error *err)
{
    const unsigned char *p = l->at, *const end = l->end;
    const unsigned char separator = (unsigned char)l->separator;
    const bool trim = separator != '\t';
    for (;;) {
        wgdn_status st;
        while (trim && p < end && *p == ' ')
            p++;
        if (p < end && *p == '"') {
            st = split_quoted(l, &p, err);
            while (!st && p < end && blank(*p) && *p != separator)
                p++;
            if (!st && p < end && *p != separator && *p != '\n')
                return wgdn_lines_fail(l, l->fields - 1, err,
                                       "text after a closing quote: write a quote inside a field "
                                       "as \"\"");
        } else {
            const unsigned char *from = p;
            while (p < end && *p != separator && *p != '\n')
                p++;
            const unsigned char *to = p;
            if (to > from && (p == end || *p == '\n') && to[-1] == '\r') to--;
            while (trim && to > from && to[-1] == ' ')
                to--;
            st = push(l, from, to, err);
        }
        if (st) return st;
        if (p == end || *p == '\n') break;
        p++;
    }
    l->at = p < end ? p + 1 : p;
    return WGDN_OK;
}

static wgdn_status tell(wgdn_lines *l, wgdn_error *err)
{
    l->told = l->at;
    if (l->watch.tell(l->watch.user, l->at - l->start, l->end - l->start) == 0) return WGDN_OK;
    return wgdn_fail(err, WGDN_ESTOPPED, "%s:%lld: stopped on request",
                     wgdn_show_name(l->name).text, (long long)l->next);
}

wgdn_status wgdn_lines_next(wgdn_lines *l, bool *more, wgdn_error *err)
{
    enum { TELL_EVERY = 1 << 20 };
    if (l->watch.tell && l->at - l->told >= TELL_EVERY) {
        const wgdn_status stop = tell(l, err);
        if (stop) return stop;
    }
    l->fields = 0;
    l->scratch_used = 0;
    skip_idle_lines(l);
    l->row = l->at;
    l->line = l->next;
    *more = l->at < l->end;
    if (!*more) return WGDN_OK;
    const wgdn_status st = l->separator == ' ' ? split_blanks(l, err) : split_separated(l, err);
    l->next++;
    return st;
}

bool wgdn_lines_number(const wgdn_lines *l, wgdn_text t, double *out)
{
    unsigned char copy[64];
    if (l->decimal != ',') return wgdn_text_number(t, out);
    if (t.size > sizeof copy) return false;
    for (size_t i = 0; i < t.size; i++) {
        if (t.at[i] == '.') return false;
        copy[i] = t.at[i] == ',' ? '.' : t.at[i];
    }
    return wgdn_text_number(wgdn_text_of(copy, t.size), out);
}

wgdn_status wgdn_lines_fail(const wgdn_lines *l, int64_t field, wgdn_error *err, const char *format,
                            ...)
{
    char said[sizeof err->message];
    const unsigned char *at = field >= 0 && field < l->fields ? l->field[field].at : NULL;
    va_list args;
    va_start(args, format);
    vsnprintf(said, sizeof said, format, args);
    va_end(args);
    if (!at || at < l->row || at > l->end)
        return wgdn_fail(err, WGDN_EFORMAT, "%s:%lld: %s", wgdn_show_name(l->name).text,
                         (long long)l->line, said);
    return wgdn_fail(err, WGDN_EFORMAT, "%s:%lld:%lld: %s", wgdn_show_name(l->name).text,
                     (long long)l->line, (long long)(at - l->row) + 1, said);
}

int64_t wgdn_count_lines(const unsigned char *p, const unsigned char *end)
{
    int64_t lines = end > p && end[-1] != '\n';
    while (p < end) { /* small sums, which vectorise */
        const int64_t size = end - p < 255 ? end - p : 255;
        uint8_t sum = 0;
        for (int64_t i = 0; i < size; i++)
            sum += p[i] == '\n';
        lines += sum;
        p += size;
    }
    return lines;
}

/*
 * One to seven digits without a branch per digit: find the first byte that is none, move the digits
 * to the high end, then join neighbours, neighbouring pairs, and the two halves, each by a product
 * that adds ten, a hundred and ten thousand times the one before. Gives how many digits there are,
 * seven where more follow; 0 for none and for a needless zero in front. Reads eight bytes.
 */
static inline int quick_integer(const unsigned char *p, int32_t *out)
{
    const uint64_t high = UINT64_C(0x8080808080808080), eighth = UINT64_C(1) << 63;
    uint64_t t;
    memcpy(&t, p, sizeof t);
    t ^= UINT64_C(0x3030303030303030);
    const uint64_t other = (((t + UINT64_C(0x7676767676767676)) | t) & high) | eighth;
    const int bit = __builtin_ctzll(other); /* 7 of the first byte that is no digit */
    if (bit == 7 || (bit > 15 && (t & 255) == 0)) return 0;
    t = t << 8 << (bit ^ 63);
    t = t * (1 + (10 << 8)) >> 8 & UINT64_C(0x00ff00ff00ff00ff);
    t = t * (1 + (100 << 16)) >> 16 & UINT64_C(0x0000ffff0000ffff);
    *out = (int32_t)(t * (1 + (UINT64_C(10000) << 32)) >> 32);
    return bit >> 3;
}

enum { QUICK_LINE = 32 }; /* bytes that quick_line() may look at */

/* Behind a line as most are; NULL for one that read_line() should look at. */
static inline const unsigned char *quick_line(const unsigned char *p, char separator, int32_t *to)
{
    const int digits = quick_integer(p, to);
    p += digits;
    if (digits == 0 || *p++ != (unsigned char)separator) return NULL;
    const int more = quick_integer(p, to + 1);
    p += more;
    if (*p == '\r') p++;
    return more > 0 && *p == '\n' ? p + 1 : NULL;
}

static const unsigned char *read_integer(const unsigned char *p, const unsigned char *end,
                                         int32_t *out)
{
    int64_t value = 0;
    const unsigned char *const first = p;
    for (; p < end && *p >= '0' && *p <= '9'; p++) {
        value = value * 10 + (*p - '0');
        if (value >= INT32_MAX) return NULL;
    }
    if (p == first || (p - first > 1 && *first == '0')) return NULL;
    *out = (int32_t)value;
    return p;
}

/* Behind the fields after two integers; NULL where they are not as they should be. */
static const unsigned char *pass_rest(const unsigned char *p, const unsigned char *end,
                                      char separator, wgdn_integer_rest rest)
{
    const unsigned char between = (unsigned char)separator;
    const unsigned char blank = separator == ' ' ? '\t' : '\n'; /* also between blanks */
    for (int64_t k = 0; k < rest.fields; k++) {
        if (p == end || *p++ != between) return NULL;
        const unsigned char *const from = p;
        while (p < end && *p != between && *p != '\n' && *p != blank)
            p++;
        if (rest.one) {
            if (p == from || *from != '1') return NULL;
            p = from + 1;
        } else if (p > from ? *from == '"' || *from == ' ' : separator == ' ') {
            return NULL;
        }
    }
    return p;
}

/* Any line of two integers; false for what is none, and for one line more than were counted. */
static bool read_line(wgdn_integer_text *c, char separator, wgdn_integer_rest rest)
{
    const unsigned char *p = c->p, *const end = c->end;
    if (c->to == c->to_end) return false;
    p = read_integer(p, end, c->to);
    if (!p || p == end) return false;
    if (*p != (unsigned char)separator && !(separator == ' ' && *p == '\t')) return false;
    p++;
    while (p < end && separator != '\t' && *p == ' ')
        p++;
    p = read_integer(p, end, c->to + 1);
    if (p && rest.fields) p = pass_rest(p, end, separator, rest);
    if (!p) return false;
    if (p < end && *p == '\r') p++;
    if (p < end && *p++ != '\n') return false;
    c->p = p;
    c->to += 2;
    return true;
}

/* Lines that may be read quickly from where c stands, whatever they are. */
static int64_t quick_lines(const wgdn_integer_text *c)
{
    const int64_t lines = (c->end - c->p) / QUICK_LINE, room = (c->to_end - c->to) / 2;
    if (__BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__) return 0;
    return lines < room ? lines : room;
}

bool wgdn_integer_rows(wgdn_integer_text *c, char separator, wgdn_integer_rest rest)
{
    while (c->p < c->end)
        if (!read_line(c, separator, rest)) return false;
    return c->to == c->to_end;
}

bool wgdn_integer_lines(wgdn_integer_text *a, wgdn_integer_text *b, char separator)
{
    const wgdn_integer_rest none = {.fields = 0};
    for (;;) {
        const int64_t x = quick_lines(a), y = quick_lines(b), lines = x < y ? x : y;
        const unsigned char *p = a->p, *q = b->p;
        int64_t done = 0;
        if (lines == 0) break;
        for (; done < lines; done++) {
            const unsigned char *const after_p = quick_line(p, separator, a->to + 2 * done);
            const unsigned char *const after_q = quick_line(q, separator, b->to + 2 * done);
            if (!after_p || !after_q) break;
            p = after_p;
            q = after_q;
        }
        a->p = p;
        b->p = q;
        a->to += 2 * done;
        b->to += 2 * done;
        if (done < lines && !(read_line(a, separator, none) && read_line(b, separator, none)))
            return false;
    }
    return wgdn_integer_rows(a, separator, none) && wgdn_integer_rows(b, separator, none);
}

void wgdn_pairs_add(wgdn_pairs *p, const char *prefix, const char *key, const char *value)
{
    const int i = p->count++;
    snprintf(p->key[i], sizeof p->key[i], "%s%s", prefix, key);
    snprintf(p->value[i], sizeof p->value[i], "%s", value);
    p->pair[i] = (wgdn_text_pair){p->key[i], p->value[i]};
}

void wgdn_pairs_lend(wgdn_pairs *p, const char *key, const char *value)
{
    if (value) p->pair[p->count++] = (wgdn_text_pair){key, value};
}

bool wgdn_how_not_what(const char *name)
{
    return strcmp(name, "threads") == 0 || strcmp(name, "workspace") == 0;
}

/* Files of runs without it are as they were before there was such an option. */
static bool unused(const char *name, const char *value)
{
    if (strcmp(name, "ids") == 0) return true; /* they are there, or not */
    return strcmp(name, "patience") == 0 && strcmp(value, "0") == 0;
}

wgdn_status wgdn_pairs_add_options(wgdn_pairs *p, wgdn_options_kind kind, const void *o,
                                   wgdn_error *err)
{
    const wgdn_option_set *set = wgdn_option_set_of(kind);
    for (size_t i = 0; i < set->count; i++) {
        const char *name = set->row[i].name;
        char value[WGDN_PAIR_TEXT];
        const wgdn_status st = wgdn_option_get_text(value, sizeof value, o, set, name, err);
        if (st) return st;
        if (!wgdn_how_not_what(name) && !unused(name, value))
            wgdn_pairs_add(p, "option.", name, value);
    }
    return WGDN_OK;
}

wgdn_status wgdn_pairs_read_options(void *o, wgdn_options_kind kind, const wgdn_archive *a,
                                    const char *path, wgdn_error *err)
{
    wgdn_error why = {WGDN_OK, ""};
    for (int64_t i = 0; i < a->metadata_count; i++) {
        const wgdn_text_pair *p = &a->metadata[i];
        if (strncmp(p->key, "option.", 7) != 0) continue;
        if (wgdn_options_set(kind, o, p->key + 7, p->value, &why))
            return wgdn_fail(err, WGDN_EFORMAT, "%s: %.180s", path, why.message);
    }
    return WGDN_OK;
}

wgdn_tensor wgdn_tensor_of(const char *name, const float *data, int64_t rows, int64_t cols)
{
    return (wgdn_tensor){.name = name,
                         .dtype = WGDN_F32,
                         .rank = 2,
                         .shape = {rows, cols},
                         .width = sizeof *data,
                         .data = data};
}

wgdn_status wgdn_tensor_fetch(float *to, const wgdn_archive *a, const wgdn_tensor *shape,
                              const char *path, wgdn_error *err)
{
    const int64_t rows = shape->shape[0], cols = shape->shape[1];
    const wgdn_tensor *t = wgdn_archive_find(a, shape->name);
    if (!t || t->dtype != WGDN_F32 || t->rank != 2 || t->shape[0] != rows || t->shape[1] != cols)
        return wgdn_fail(err, WGDN_EFORMAT, "%s: tensor %s of %lld x %lld floats is not there",
                         path, shape->name, (long long)rows, (long long)cols);
    memcpy(to, t->data, (size_t)(rows * cols) * sizeof *to);
    return WGDN_OK;
}

wgdn_status wgdn_pairs_version(const wgdn_archive *a, const char *path, wgdn_error *err)
{
    const char *version = wgdn_archive_metadata(a, "wgdn.version");
    if (version && strcmp(version, "1") == 0) return WGDN_OK;
    return wgdn_fail(err, WGDN_EFORMAT,
                     "%s: its version is %.20s; this library reads version 1: take a newer one",
                     path, version ? version : "missing");
}
