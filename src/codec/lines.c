/* SPDX-License-Identifier: Apache-2.0 */
#include "lines.h"

#include "separator.h"

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

void wgdn_lines_open(wgdn_lines *l, const wgdn_input *in)
{
    *l = (wgdn_lines){.name = in->name, .next = 1, .watch = in->watch};
    l->at = in->size ? in->data : (const unsigned char *)"";
    l->end = l->at + in->size;
    l->start = l->told = l->at;
    if (in->size >= 3 && memcmp(l->at, "\xef\xbb\xbf", 3) == 0) l->at += 3;
    skip_idle_lines(l);
    l->separator = in->separator;
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
