/* SPDX-License-Identifier: Apache-2.0 */
#include "separator.h"

#include <string.h>

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

static bool blank(unsigned char c)
{
    return c == ' ' || c == '\t' || c == '\r';
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

/* Whether a cuts a larger part of its lines alike than b; 0: as large. */
static int compare(const candidate *a, const candidate *b)
{
    const int64_t x = a->same * b->lines, y = b->same * a->lines;
    return (x > y) - (x < y);
}

static bool is_better(const candidate *a, const candidate *b)
{
    if (a->fields == 0 || b->fields == 0) return a->fields > 0;
    const int order = compare(a, b);
    if (order) return order > 0;
    if (b->separator == ',' && a->decimals) return true;
    if (b->separator == '\t' || a->separator == ' ') return false;
    return a->fields > b->fields;
}

char wgdn_find_separator(const unsigned char *p, const unsigned char *end)
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

char wgdn_find_decimal(const unsigned char *p, const unsigned char *end, char separator)
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
