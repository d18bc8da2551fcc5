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

/* ---- the separator, by the first lines ---- */

enum { WGDN_SEPARATOR_LINES = 100, WGDN_SEPARATOR_BYTES = 1 << 18 };

/* The first lines of a text. Where only a part of a line is there, it is left out if it can be. */
typedef struct window {
    const unsigned char *p, *end;
    bool cut; /* the text goes on behind it */
} window;

static window window_of(const unsigned char *p, const unsigned char *end)
{
    const bool cut = end - p > WGDN_SEPARATOR_BYTES;
    return (window){p, cut ? p + WGDN_SEPARATOR_BYTES : end, cut};
}

/* The next line with data, from its first byte that is not blank; false at the end. */
static bool next_line(window *w)
{
    while (w->p < w->end) {
        const unsigned char *p = w->p;
        while (p < w->end && (*p == ' ' || *p == '\r'))
            p++;
        const unsigned char *first = p;
        while (first < w->end && blank(*first))
            first++;
        if (first < w->end && *first != '\n' && *first != '#' && *first != '%') {
            w->p = p;
            return true;
        }
        p = first < w->end ? memchr(first, '\n', (size_t)(w->end - first)) : NULL;
        w->p = p ? p + 1 : w->end;
    }
    return false;
}

/* The field at w->p, which is left at its separator or at the end of the line. */
static wgdn_text next_field(window *w, char separator)
{
    const unsigned char *p = w->p, *const end = w->end;
    while (p < end && (separator == ' ' ? blank(*p) : *p == ' ' && separator != '\t'))
        p++;
    const unsigned char *const from = p;
    if (separator == ' ') {
        while (p < end && !blank(*p) && *p != '\n')
            p++;
    } else {
        bool quoted = p < end && *p == '"';
        for (p += quoted; p < end && (quoted || (*p != (unsigned char)separator && *p != '\n'));
             p++)
            if (quoted && *p == '"') quoted = false;
    }
    const unsigned char *to = p;
    while (to > from && blank(to[-1]))
        to--;
    w->p = p;
    return wgdn_text_of(from, (size_t)(to - from));
}

/* Over what stands between two fields; false at the end of the line, which is passed over too. */
static bool next_begins(window *w, char separator)
{
    const unsigned char *p = w->p;
    if (separator == ' ')
        while (p < w->end && blank(*p))
            p++;
    const bool more = p < w->end && *p != '\n';
    w->p = p < w->end && (separator != ' ' || !more) ? p + 1 : p;
    return more;
}

/* 1,5 with a comma or 1.5 with a point; no sign is needed, digits on both sides are. */
static bool is_decimal(wgdn_text t, char point)
{
    size_t i = t.size > 0 && (t.at[0] == '-' || t.at[0] == '+'), digits = 0, points = 0;
    for (; i < t.size; i++) {
        const bool digit = t.at[i] >= '0' && t.at[i] <= '9';
        if (!digit && (t.at[i] != (unsigned char)point || digits == 0 || points++)) return false;
        digits = digit ? digits + 1 : 0;
    }
    return points == 1 && digits > 0;
}

typedef struct candidate {
    char separator;
    int64_t lines, same; /* looked at; those with the most common number of fields */
    int64_t fields;      /* that number, at least 2; 0: no line has two */
    bool decimals;       /* commas stand in numbers alone, once in each, and there are some */
} candidate;

static void weigh(candidate *c, const int64_t *fields)
{
    for (int64_t i = 0; i < c->lines; i++) {
        int64_t same = 0;
        for (int64_t k = 0; k < c->lines; k++)
            same += fields[k] == fields[i];
        if (fields[i] < 2 || same <= c->same) continue;
        c->same = same;
        c->fields = fields[i];
    }
}

static candidate try_separator(window w, char separator)
{
    int64_t fields[WGDN_SEPARATOR_LINES];
    candidate c = {.separator = separator};
    bool commas = false, others = false;
    while (c.lines < WGDN_SEPARATOR_LINES && next_line(&w)) {
        int64_t count = 0;
        do {
            const wgdn_text t = next_field(&w, separator);
            const bool comma = t.size > 0 && memchr(t.at, ',', t.size);
            commas = commas || comma;
            others = others || (comma && !is_decimal(t, ','));
            count++;
        } while (next_begins(&w, separator));
        if (w.p < w.end || !w.cut || c.lines == 0) fields[c.lines++] = count;
    }
    weigh(&c, fields);
    c.decimals = commas && !others;
    return c;
}

static bool is_better(const candidate *a, const candidate *b)
{
    if (a->fields == 0 || b->fields == 0) return a->fields > 0;
    /* Whether a cuts a larger part of its lines alike than b; 0: as large. */
    const int64_t x = a->same * b->lines, y = b->same * a->lines;
    const int order = (x > y) - (x < y);
    if (order) return order > 0;
    if (b->separator == ',' && a->decimals) return true;
    if (b->separator == '\t' || a->separator == ' ') return false;
    return a->fields > b->fields;
}

/*
 * Of tab, comma, semicolon, pipe and blanks the one that cuts the largest part of the first lines
 * into the same number of fields, two at least. Among equals: tab; then the one with most fields of
 * the next three; blanks last. A comma loses where with another one as good it stands in nothing but
 * numbers such as 1,5. Blanks where none of them cuts anything. p is at a line with data.
 */
static char find_separator(const unsigned char *p, const unsigned char *end)
{
    static const char all[] = {'\t', ',', ';', '|', ' '};
    const window w = window_of(p, end);
    candidate best = {.separator = ' '};
    for (size_t i = 0; i < sizeof all; i++) {
        const candidate c = try_separator(w, all[i]);
        if (is_better(&c, &best)) best = c;
    }
    return best.separator;
}

/* ',' where fields between semicolons are numbers such as 1,5 and none is one such as 1.5; else '.' */
static char find_decimal(const unsigned char *p, const unsigned char *end, char separator)
{
    window w = window_of(p, end);
    bool commas = false;
    if (separator != ';') return '.';
    for (int lines = 0; lines < WGDN_SEPARATOR_LINES && next_line(&w); lines++)
        do {
            const wgdn_text t = next_field(&w, separator);
            if (is_decimal(t, '.')) return '.';
            commas = commas || is_decimal(t, ',');
        } while (next_begins(&w, separator));
    return commas ? ',' : '.';
}

/* ---- names ---- */

static const struct {
    char separator;
    const char *name, *many;
} named[] = {{'\t', "tab", "tabs"},  {',', "comma", "commas"},  {';', "semicolon", "semicolons"},
             {'|', "pipe", "pipes"}, {' ', "blanks", "blanks"}, {' ', "space", NULL},
             {'\t', "\\t", NULL}};

bool wgdn_separator_parse(char *out, const char *text)
{
    for (size_t i = 0; i < sizeof named / sizeof *named; i++)
        if (wgdn_text_is(wgdn_text_of(text, strlen(text)), named[i].name)) {
            *out = named[i].separator;
            return true;
        }
    if (strlen(text) != 1 || strchr("\"\r\n#%", text[0])) return false;
    *out = text[0];
    return true;
}

const char *wgdn_separator_word(char separator)
{
    for (size_t i = 0; i < sizeof named / sizeof *named; i++)
        if (named[i].separator == separator) return named[i].many;
    return NULL;
}

/* ---- rows ---- */

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
    l->start = l->at;
    if (in->size >= 3 && memcmp(l->at, "\xef\xbb\xbf", 3) == 0) l->at += 3;
    const char said = take_separator(l);
    skip_idle_lines(l);
    l->separator = in->separator;
    if (!l->separator) l->separator = said;
    if (!l->separator) l->separator = find_separator(l->at, l->end);
    l->decimal = in->decimal;
    if (!l->decimal) l->decimal = find_decimal(l->at, l->end, l->separator);
}

static wgdn_status no_memory(const wgdn_lines *l, wgdn_error *err)
{
    return wgdn_fail_at(err, WGDN_ENOMEM, l->name, l->line, "a row of more than %lld fields",
                        (long long)l->fields);
}

static wgdn_status push(wgdn_lines *l, const unsigned char *from, const unsigned char *to,
                        wgdn_error *err)
{
    if (l->fields == WGDN_FIELDS_MAX)
        return wgdn_fail_at(err, WGDN_EFORMAT, l->name, l->line,
                            "a row has more than %d fields; choose another separator, or pass the "
                            "data as an array (.npy)",
                            WGDN_FIELDS_MAX);
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
            return wgdn_fail_at(err, WGDN_EFORMAT, l->name, l->line,
                                "a quote opens in this row and never closes: close it, or write a "
                                "quote inside a field as \"\"");
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

wgdn_status wgdn_lines_next(wgdn_lines *l, bool *more, wgdn_error *err)
{
    if (l->watch.tell) {
        const wgdn_status stop =
            wgdn_watch_tell(&l->watch, l->at - l->start, l->end - l->start, l->name, l->next, err);
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
        return wgdn_fail_at(err, WGDN_EFORMAT, l->name, l->line, "%s", said);
    return wgdn_fail(err, WGDN_EFORMAT, "%s:%lld:%lld: %s", wgdn_show_name(l->name).text,
                     (long long)l->line, (long long)(at - l->row) + 1, said);
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
    const wgdn_option_info *row;
    for (int i = 0; (row = wgdn_options_get_info(kind, i)); i++) {
        const char *name = row->name;
        char value[WGDN_PAIR_TEXT];
        const wgdn_status st = wgdn_options_get(value, sizeof value, kind, o, name, err);
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
