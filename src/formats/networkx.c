/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads NetworkX edge lists, in which a Python dictionary of attributes follows each pair of
 * nodes. The registry selects it by the form of the first line; edges go straight to the draft.
 */
#include "formats.h"
#include "node_table.h"

#include <math.h>
#include <string.h>

/* A line: the pair, and the dictionary behind it, without its braces. */
typedef struct row {
    wgdn_text end[2], inside;
} row;

static bool is_blank(unsigned char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

static wgdn_text trimmed(wgdn_text t)
{
    while (t.size > 0 && is_blank(t.at[0]))
        t = wgdn_text_of(t.at + 1, t.size - 1);
    while (t.size > 0 && is_blank(t.at[t.size - 1]))
        t.size--;
    return t;
}

/* The first line with data, without blanks around it; t goes on behind it. */
static wgdn_text next_line(wgdn_text *t, int64_t *number)
{
    wgdn_text line = {0};
    while (t->size > 0 && line.size == 0) {
        const unsigned char *end = memchr(t->at, '\n', t->size);
        const size_t size = end ? (size_t)(end - t->at) : t->size;
        line = trimmed(wgdn_text_of(t->at, size));
        if (line.size > 0 && line.at[0] == '#') line.size = 0;
        *t = wgdn_text_of(t->at + size + (end != NULL), t->size - size - (end != NULL));
        ++*number;
    }
    return line;
}

/* Where the dictionary begins; the line ends with it. */
static const unsigned char *find_brace(wgdn_text line)
{
    if (line.size < 5 || line.at[line.size - 1] != '}') return NULL;
    for (size_t i = 3; i < line.size; i++)
        if (line.at[i] == '{' && strchr(" \t,;|", line.at[i - 1])) return line.at + i;
    return NULL;
}

/* How long the first of several nodes is; blanks in the parentheses of a tuple are its own. */
static size_t node_size(wgdn_text t, unsigned char by)
{
    const bool blanks = by == ' ';
    int64_t depth = 0;
    size_t i = 0;
    for (; i < t.size; i++) {
        depth += (t.at[i] == '(') - (t.at[i] == ')');
        if (depth <= 0 && (blanks ? is_blank(t.at[i]) : t.at[i] == by)) break;
    }
    return i;
}

/* The separator is what stands before the brace; of spaces any number. */
static bool split(row *r, wgdn_text line)
{
    const unsigned char *brace = find_brace(line);
    if (!brace) return false;
    const unsigned char by = brace[-1];
    const wgdn_text pair = trimmed(wgdn_text_of(line.at, (size_t)(brace - 1 - line.at)));
    const size_t cut = node_size(pair, by);
    if (cut == pair.size) return false;
    r->end[0] = trimmed(wgdn_text_of(pair.at, cut));
    r->end[1] = trimmed(wgdn_text_of(pair.at + cut + 1, pair.size - cut - 1));
    r->inside = wgdn_text_of(brace + 1, line.size - (size_t)(brace + 2 - line.at));
    return r->end[0].size > 0 && r->end[1].size > 0 && node_size(r->end[1], by) == r->end[1].size;
}

/* ---- the dictionary ---- */

/* Up to a colon or comma that is in no quotes and no brackets; t goes on behind it. */
static bool next_part(wgdn_text *part, wgdn_text *t, unsigned char stop)
{
    int64_t depth = 0;
    unsigned char quote = 0;
    size_t i = 0;
    for (; i < t->size; i++) {
        const unsigned char c = t->at[i];
        if (quote) {
            i += c == '\\';
            if (c == quote) quote = 0;
            continue;
        }
        if (c == '\'' || c == '"') quote = c;
        if (c == '(' || c == '[' || c == '{') depth++;
        if (c == ')' || c == ']' || c == '}') depth--;
        if (c == stop && depth == 0) break;
    }
    if (quote || depth) return false;
    *part = trimmed(wgdn_text_of(t->at, i < t->size ? i : t->size));
    *t = i < t->size ? wgdn_text_of(t->at + i + 1, t->size - i - 1) : (wgdn_text){0};
    return part->size > 0;
}

/* What a key or a number is without quotes, and without the np.float64() of NumPy around it. */
static wgdn_text bare(wgdn_text t)
{
    const unsigned char *open = NULL;
    if (t.size >= 2 && (t.at[0] == '\'' || t.at[0] == '"') && t.at[t.size - 1] == t.at[0])
        return wgdn_text_of(t.at + 1, t.size - 2);
    if (t.size > 4 && memcmp(t.at, "np.", 3) == 0 && t.at[t.size - 1] == ')')
        open = memchr(t.at, '(', t.size);
    return open ? wgdn_text_of(open + 1, (size_t)(t.at + t.size - open - 2)) : t;
}

typedef struct reading {
    wgdn_draft *w;
    const wgdn_input *in;
    wgdn_error *err;
    int64_t line;
    wgdn_ids ignored; /* keys other than weight */
} reading;

static wgdn_status refuse(const reading *r, const char *what, wgdn_text text)
{
    return wgdn_fail_at(r->err, WGDN_EFORMAT, r->in->name, r->line, "%s %s", what,
                        wgdn_show(text).text);
}

static wgdn_status read_dictionary(double *weight, reading *r, wgdn_text t)
{
    const wgdn_text all = t;
    wgdn_status st = WGDN_OK;
    *weight = 1;
    while (!st && trimmed(t).size > 0) {
        wgdn_text key, value;
        int32_t at;
        if (!next_part(&key, &t, ':') || !next_part(&value, &t, ','))
            return refuse(r, "expected {'key': value, ...} of Python, not", all);
        key = bare(key);
        if (!wgdn_text_is(key, "weight")) {
            st = wgdn_ids_add(&r->ignored, &key, 1, &at, r->err);
        } else if (!wgdn_text_number(bare(value), weight) || !isfinite(*weight)) {
            return refuse(r, "expected a finite number as weight, not", value);
        }
    }
    return st;
}

static wgdn_status read_row(reading *r, const row *e)
{
    wgdn_draft *w = r->w;
    int32_t at[2] = {-1, -1};
    double weight = 1;
    wgdn_status st = read_dictionary(&weight, r, e->inside);
    if (!st) st = wgdn_ids_add(&w->ids, e->end, 2, at, r->err);
    if (st == WGDN_ERANGE)
        return wgdn_fail_at(r->err, st, r->in->name, r->line,
                            "more than %lld different nodes, the maximum allowed",
                            (long long)w->ids.max);
    if (st) return st;
    for (int i = 0; i < 2; i++)
        if (at[i] < 0) return refuse(r, "no node of the features, or an id too long:", e->end[i]);
    return wgdn_edges_add(&w->edges, at[0], at[1], weight, r->in->name, r->err);
}

static wgdn_status read_rows(reading *r)
{
    wgdn_text rest = wgdn_text_of(r->in->data, r->in->size), line;
    wgdn_watch watch = r->in->watch;
    wgdn_status st = WGDN_OK;
    while (!st && (line = next_line(&rest, &r->line)).size > 0) {
        row e;
        st = wgdn_watch_tell(&watch, (int64_t)(r->in->size - rest.size), (int64_t)r->in->size,
                             r->in->name, r->line, r->err);
        if (st) break;
        st = split(&e, line) ? read_row(r, &e)
                             : refuse(r, "expected two nodes, then {...}, not", line);
    }
    return st;
}

/* Rows of an array are the nodes, so they come before the edges. */
static wgdn_status read_array(wgdn_draft *w, wgdn_error *err)
{
    if (!w->o->features || !wgdn_path_is_archive(w->o->features)) return WGDN_OK;
    const wgdn_status st = wgdn_features_read(w, err);
    return st ? st : wgdn_draft_number(w, w->d->features.rows, 0, w->o->features, err);
}

static wgdn_status parse_networkx(wgdn_draft *w, const wgdn_input *in, wgdn_error *err)
{
    reading r = {.w = w, .in = in, .err = err};
    wgdn_status st = read_array(w, err);
    wgdn_ids_open(&r.ignored, INT32_MAX);
    if (!st) st = read_rows(&r);
    if (!st) w->d->counts.attributes_ignored = r.ignored.count;
    for (int64_t i = 0; !st && i < r.ignored.count; i++) {
        char buffer[WGDN_INDEX_TEXT];
        wgdn_dataset_ignore(w->d, wgdn_ids_text(&r.ignored, i, buffer));
    }
    wgdn_ids_close(&r.ignored);
    return st;
}

static bool recognize_start(wgdn_text start)
{
    row e;
    int64_t number = 0;
    const wgdn_text line = next_line(&start, &number);
    return split(&e, line);
}

const wgdn_format wgdn_networkx_format = {
    .info = {"networkx", (const char *const[]){NULL},
             "Edge list by NetworkX's write_edgelist: source, target, {'weight': 1.5}", 1, 0},
    .look = recognize_start,
    .parse = parse_networkx,
};
