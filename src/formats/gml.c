/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads GML, as NetworkX, igraph and Gephi write it. It has its own tokenizer and passes nodes and
 * edges to attributes.c.
 */
#include "attributes.h"
#include "formats.h"
#include "io/text.h"

#include <string.h>

/* GML as tokens: keys, numbers, strings and brackets. */
typedef enum wgdn_gml_kind {
    WGDN_GML_END,
    WGDN_GML_WORD,
    WGDN_GML_NUMBER,
    WGDN_GML_STRING,
    WGDN_GML_OPEN,
    WGDN_GML_CLOSE,
} wgdn_gml_kind;

typedef struct wgdn_gml_token {
    wgdn_gml_kind kind;
    wgdn_text text; /* of a string: between its quotes, entities as they are */
} wgdn_gml_token;

/* The rest of a file, and what is made of it, whose line is kept. */
typedef struct wgdn_gml {
    wgdn_attributes g;
    const unsigned char *at, *end;
} wgdn_gml;

/* Text whose entities are undone; to be released. */
typedef struct wgdn_gml_plain {
    unsigned char *at;
    int64_t room;
} wgdn_gml_plain;

static bool is_blank(unsigned char c)
{
    return c <= ' ';
}

static void skip_blanks(wgdn_gml *r)
{
    for (; r->at < r->end && (is_blank(*r->at) || *r->at == '#'); r->at++) {
        if (*r->at == '#') {
            const unsigned char *line = memchr(r->at, '\n', (size_t)(r->end - r->at));
            r->at = line ? line : r->end - 1;
        }
        r->g.line += *r->at == '\n';
    }
}

static wgdn_status read_string(wgdn_gml_token *t, wgdn_gml *r)
{
    const unsigned char *from = r->at + 1, *to = memchr(from, '"', (size_t)(r->end - from));
    if (!to) return wgdn_attributes_refuse(&r->g, "a quote opens here and never closes");
    for (const unsigned char *p = from; p < to; p++)
        r->g.line += *p == '\n';
    *t = (wgdn_gml_token){WGDN_GML_STRING, wgdn_text_of(from, (size_t)(to - from))};
    r->at = to + 1;
    return WGDN_OK;
}

static wgdn_status gml_next(wgdn_gml_token *t, wgdn_gml *r)
{
    skip_blanks(r);
    *t = (wgdn_gml_token){.kind = WGDN_GML_END};
    if (r->at == r->end) return WGDN_OK;
    if (*r->at == '"') return read_string(t, r);
    const unsigned char *from = r->at;
    if (*from == '[' || *from == ']') {
        r->at++;
        *t = (wgdn_gml_token){*from == '[' ? WGDN_GML_OPEN : WGDN_GML_CLOSE, wgdn_text_of(from, 1)};
        return WGDN_OK;
    }
    while (r->at < r->end && !is_blank(*r->at) && !strchr("[]\"", *r->at))
        r->at++;
    if (r->at == from) r->at++; /* NUL, which strchr finds in every string */
    const bool word =
        (*from >= 'a' && *from <= 'z') || (*from >= 'A' && *from <= 'Z') || *from == '_';
    *t = (wgdn_gml_token){word ? WGDN_GML_WORD : WGDN_GML_NUMBER,
                          wgdn_text_of(from, (size_t)(r->at - from))};
    return WGDN_OK;
}

/* To behind the bracket that closes the one just read. */
static wgdn_status gml_skip(wgdn_gml *r)
{
    wgdn_gml_token t;
    for (int64_t depth = 1; depth > 0;) {
        const wgdn_status st = gml_next(&t, r);
        if (st) return st;
        if (t.kind == WGDN_GML_END)
            return wgdn_attributes_refuse(&r->g, "the file ends before a ]");
        depth += (t.kind == WGDN_GML_OPEN) - (t.kind == WGDN_GML_CLOSE);
    }
    return WGDN_OK;
}

/* A key and its value, or *more = false behind the closing bracket, or at the end of the file. */
static wgdn_status gml_pair(wgdn_gml_token *key, wgdn_gml_token *value, bool *more, bool inside,
                            wgdn_gml *r)
{
    *key = *value = (wgdn_gml_token){.kind = WGDN_GML_END}; /* where nothing is left */
    wgdn_status st = gml_next(key, r);
    *more = !st && key->kind != (inside ? WGDN_GML_CLOSE : WGDN_GML_END);
    if (st || !*more) return st;
    if (key->kind == WGDN_GML_END) return wgdn_attributes_refuse(&r->g, "the file ends before a ]");
    if (key->kind != WGDN_GML_WORD)
        return wgdn_attributes_refuse(&r->g, "%s: expected a key%s", wgdn_show(key->text).text,
                                      inside ? " or ]" : "");
    st = gml_next(value, r);
    if (!st && (value->kind == WGDN_GML_END || value->kind == WGDN_GML_CLOSE))
        return wgdn_attributes_refuse(&r->g, "the key %s without a value",
                                      wgdn_show(key->text).text);
    return st;
}

/* ---- entities ---- */

/* The character that the text begins with as &...;, and how long that is; 0 for none. */
static uint32_t entity(wgdn_text t, size_t *length)
{
    static const struct {
        const char *word;
        uint32_t is;
    } known[] = {{"&quot;", '"'}, {"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&apos;", '\''}};
    uint32_t point = 0;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        *length = strlen(known[i].word);
        if (t.size >= *length && memcmp(t.at, known[i].word, *length) == 0) return known[i].is;
    }
    if (t.size < 4 || t.at[1] != '#') return 0;
    const bool hex = t.at[2] == 'x';
    size_t i = hex ? 3 : 2;
    for (; i < t.size && i < 12 && t.at[i] != ';'; i++) {
        const unsigned char c = t.at[i];
        const uint32_t digit = c >= '0' && c <= '9'          ? c - '0'
                               : hex && c >= 'a' && c <= 'f' ? c - 'a' + 10
                               : hex && c >= 'A' && c <= 'F' ? c - 'A' + 10
                                                             : 99;
        if (digit == 99 || point > 0x10ffff) return 0;
        point = point * (hex ? 16 : 10) + digit;
    }
    *length = i + 1;
    return i < t.size && t.at[i] == ';' ? point : 0;
}

/* An entity is longer than what it stands for. */
static wgdn_status gml_undo(wgdn_text *out, wgdn_gml *r, wgdn_gml_plain *p, const wgdn_gml_token *t)
{
    size_t used = 0;
    *out = t->text;
    if (t->kind != WGDN_GML_STRING || !t->text.size || !memchr(t->text.at, '&', t->text.size))
        return WGDN_OK;
    if (!wgdn_grow(&p->at, &p->room, (int64_t)t->text.size, 1))
        return wgdn_fail_in(r->g.err, WGDN_ENOMEM, r->g.name, "a value");
    for (size_t i = 0; i < t->text.size;) {
        size_t length = 0;
        const wgdn_text rest = wgdn_text_of(t->text.at + i, t->text.size - i);
        const uint32_t point = *rest.at == '&' ? entity(rest, &length) : 0;
        const size_t made = point ? wgdn_utf8_encode(p->at + used, point) : 0;
        if (!made) p->at[used] = *rest.at;
        used += made ? made : 1;
        i += made ? length : 1;
    }
    *out = wgdn_text_of(p->at, used);
    return WGDN_OK;
}

typedef struct reading {
    wgdn_gml t;
    const unsigned char *start;
    wgdn_watch watch;
    bool noting; /* the first time over: names and types */
    bool graph_seen;
    wgdn_gml_plain scratch[2];
} reading;

/* ---- nodes and edges ---- */

static wgdn_attribute_type type_of(const wgdn_gml_token *t)
{
    int64_t whole;
    if (t->kind == WGDN_GML_OPEN) return WGDN_ATTRIBUTE_NESTED;
    if (t->kind != WGDN_GML_NUMBER) return WGDN_ATTRIBUTE_STRING;
    return wgdn_text_integer(t->text, &whole) ? WGDN_ATTRIBUTE_INTEGER : WGDN_ATTRIBUTE_FLOAT;
}

static bool is_end(int side, wgdn_text key)
{
    if (side == WGDN_ATTRIBUTE_NODE) return wgdn_text_is(key, "id");
    return wgdn_text_is(key, "source") || wgdn_text_is(key, "target");
}

/* The id of a node, or the two ends of an edge, which may stand behind what else it has. */
static wgdn_status begin_element(reading *r, int side)
{
    const unsigned char *const at = r->t.at;
    const int64_t line = r->t.g.line;
    wgdn_text end[2] = {{0}, {0}};
    wgdn_gml_token key, value;
    bool more = true;
    wgdn_status st = WGDN_OK;
    while (!st && more) {
        st = gml_pair(&key, &value, &more, true, &r->t);
        if (st || !more) break;
        if (value.kind == WGDN_GML_OPEN) {
            st = gml_skip(&r->t);
        } else if (is_end(side, key.text)) {
            const int which = wgdn_text_is(key.text, "target");
            st = gml_undo(&end[which], &r->t, &r->scratch[which], &value);
        }
    }
    r->t.at = at;
    r->t.g.line = line;
    if (st) return st;
    return side == WGDN_ATTRIBUTE_NODE ? wgdn_attributes_begin_node(&r->t.g, end[0])
                                       : wgdn_attributes_begin_edge(&r->t.g, end[0], end[1]);
}

static wgdn_status read_value(reading *r, int side, const wgdn_gml_token *key,
                              const wgdn_gml_token *value)
{
    wgdn_text text;
    if (r->noting) return wgdn_attributes_note(&r->t.g, side, key->text, type_of(value));
    wgdn_attribute_key *k = wgdn_attributes_find_declared(&r->t.g, side, key->text);
    if (!k) return WGDN_EFORMAT;
    if (!k->use[side]) return WGDN_OK;
    const wgdn_status st = gml_undo(&text, &r->t, &r->scratch[0], value);
    return st ? st : wgdn_attributes_value(&r->t.g, k, side, text);
}

static wgdn_status read_element(reading *r, int side)
{
    wgdn_gml_token key, value;
    bool more = true;
    wgdn_status st = WGDN_OK;
    if (r->noting)
        wgdn_attributes_next(&r->t.g);
    else
        st = begin_element(r, side);
    while (!st) {
        st = gml_pair(&key, &value, &more, true, &r->t);
        if (st || !more) break;
        if (!is_end(side, key.text)) st = read_value(r, side, &key, &value);
        if (!st && value.kind == WGDN_GML_OPEN) st = gml_skip(&r->t);
    }
    if (st || r->noting) return st;
    return side == WGDN_ATTRIBUTE_NODE ? wgdn_attributes_end_node(&r->t.g)
                                       : wgdn_attributes_end_edge(&r->t.g);
}

static wgdn_status read_graph(reading *r)
{
    wgdn_gml_token key, value;
    bool more = true;
    if (r->graph_seen)
        return wgdn_attributes_refuse(&r->t.g, "a second graph: expected one in a file");
    r->graph_seen = true;
    for (;;) {
        /* Each time over the file is half of the way. */
        const int64_t all = r->t.end - r->start, done = r->t.at - r->start + (r->noting ? 0 : all);
        wgdn_status st =
            wgdn_watch_tell(&r->watch, done / 2, all, r->t.g.name, r->t.g.line, r->t.g.err);
        if (!st) st = gml_pair(&key, &value, &more, true, &r->t);
        if (st || !more) return st;
        const bool list = value.kind == WGDN_GML_OPEN;
        if (list && wgdn_text_is(key.text, "node"))
            st = read_element(r, WGDN_ATTRIBUTE_NODE);
        else if (list && wgdn_text_is(key.text, "edge"))
            st = read_element(r, WGDN_ATTRIBUTE_EDGE);
        else if (list)
            st = gml_skip(&r->t);
        else if (wgdn_text_is(key.text, "directed"))
            r->t.g.all_directed = wgdn_text_is(value.text, "1");
        if (st) return st;
    }
}

/* Once over the file: first to note what there is, then to read it. */
static wgdn_status read_file(reading *r, bool noting)
{
    wgdn_gml_token key, value;
    bool more = true;
    r->t.at = r->start;
    r->t.g.line = 1;
    r->noting = noting;
    r->graph_seen = false;
    if (r->t.end - r->t.at >= 3 && memcmp(r->t.at, "\xef\xbb\xbf", 3) == 0) r->t.at += 3;
    for (;;) {
        wgdn_status st = gml_pair(&key, &value, &more, false, &r->t);
        if (st || !more) return st;
        if (value.kind == WGDN_GML_OPEN)
            st = wgdn_text_is(key.text, "graph") ? read_graph(r) : gml_skip(&r->t);
        if (st) return st;
    }
}

static wgdn_status parse_gml(wgdn_draft *w, const wgdn_input *in, wgdn_error *err)
{
    reading r = {.watch = in->watch};
    wgdn_attributes_open(&r.t.g, w, in, err);
    r.t.g.numbered = r.t.g.by_value = true;
    r.start = in->size ? in->data : (const unsigned char *)"";
    r.t.end = r.start + in->size;
    wgdn_status st = read_file(&r, true);
    if (!st && !r.graph_seen)
        st = wgdn_fail_in(err, WGDN_EFORMAT, in->name, "no graph in it: expected graph [ ... ]");
    if (!st) st = wgdn_attributes_settle(&r.t.g);
    if (!st) st = read_file(&r, false);
    if (!st) st = wgdn_attributes_finish(&r.t.g);
    wgdn_release(r.scratch[1].at);
    wgdn_release(r.scratch[0].at);
    wgdn_attributes_close(&r.t.g);
    return st;
}

/* graph [, behind a creator, comments and the like. */
static bool recognize_start(wgdn_text start)
{
    wgdn_gml r = {.at = start.at, .end = start.at + start.size};
    wgdn_gml_token key, value;
    wgdn_error quiet;
    r.g.err = &quiet;
    r.g.name = "";
    for (int i = 0; i < 16; i++) {
        if (gml_next(&key, &r) || key.kind != WGDN_GML_WORD || gml_next(&value, &r)) return false;
        if (wgdn_text_is(key.text, "graph")) return value.kind == WGDN_GML_OPEN;
        if (value.kind != WGDN_GML_STRING && value.kind != WGDN_GML_NUMBER) return false;
    }
    return false;
}

const wgdn_format wgdn_gml_format = {
    .info = {"gml", (const char *const[]){".gml", ".gml.gz", NULL},
             "One graph in brackets, as NetworkX, igraph and Gephi write it", 1, 0},
    .look = recognize_start,
    .parse = parse_gml,
};
