/* SPDX-License-Identifier: Apache-2.0 */
#include "gml.h"

#include "attribute_build.h"
#include "codec/unicode.h"

#include <string.h>

enum { TELL_EVERY = 1 << 20 };

typedef enum kind { END, WORD, NUMBER, STRING, OPEN, CLOSE } kind;

typedef struct token {
    kind kind;
    wgdn_text text; /* of a string: between its quotes, entities as they are */
} token;

/* Text whose entities are undone. */
typedef struct plain {
    unsigned char *at;
    int64_t room;
} plain;

typedef struct reading {
    wgdn_attributes g;
    const unsigned char *at, *end, *start, *told;
    wgdn_watch watch;
    bool noting; /* the first time over: names and types */
    bool graph_seen;
    plain scratch[2];
} reading;

/* ---- tokens ---- */

static bool is_blank(unsigned char c)
{
    return c <= ' ';
}

static void skip_blanks(reading *r)
{
    for (; r->at < r->end && (is_blank(*r->at) || *r->at == '#'); r->at++) {
        if (*r->at == '#') {
            const unsigned char *line = memchr(r->at, '\n', (size_t)(r->end - r->at));
            r->at = line ? line : r->end - 1;
        }
        r->g.line += *r->at == '\n';
    }
}

static wgdn_status read_string(token *t, reading *r)
{
    const unsigned char *from = r->at + 1, *to = memchr(from, '"', (size_t)(r->end - from));
    if (!to) return wgdn_attributes_refuse(&r->g, "a quote opens here and never closes");
    for (const unsigned char *p = from; p < to; p++)
        r->g.line += *p == '\n';
    *t = (token){STRING, wgdn_text_of(from, (size_t)(to - from))};
    r->at = to + 1;
    return WGDN_OK;
}

static wgdn_status next(token *t, reading *r)
{
    skip_blanks(r);
    *t = (token){.kind = END};
    if (r->at == r->end) return WGDN_OK;
    if (*r->at == '"') return read_string(t, r);
    const unsigned char *from = r->at;
    if (*from == '[' || *from == ']') {
        r->at++;
        *t = (token){*from == '[' ? OPEN : CLOSE, wgdn_text_of(from, 1)};
        return WGDN_OK;
    }
    while (r->at < r->end && !is_blank(*r->at) && !strchr("[]\"", *r->at))
        r->at++;
    if (r->at == from) r->at++; /* NUL, which strchr finds in every string */
    const bool word =
        (*from >= 'a' && *from <= 'z') || (*from >= 'A' && *from <= 'Z') || *from == '_';
    *t = (token){word ? WORD : NUMBER, wgdn_text_of(from, (size_t)(r->at - from))};
    return WGDN_OK;
}

/* To behind the bracket that closes the one just read. */
static wgdn_status skip_list(reading *r)
{
    token t;
    for (int64_t depth = 1; depth > 0;) {
        const wgdn_status st = next(&t, r);
        if (st) return st;
        if (t.kind == END) return wgdn_attributes_refuse(&r->g, "the file ends before a ]");
        depth += (t.kind == OPEN) - (t.kind == CLOSE);
    }
    return WGDN_OK;
}

/* A key and its value, or *more = false behind the closing bracket, or at the end of the file. */
static wgdn_status next_pair(token *key, token *value, bool *more, bool inside, reading *r)
{
    wgdn_status st = next(key, r);
    *more = !st && key->kind != (inside ? CLOSE : END);
    if (st || !*more) return st;
    if (key->kind == END) return wgdn_attributes_refuse(&r->g, "the file ends before a ]");
    if (key->kind != WORD)
        return wgdn_attributes_refuse(&r->g, "%s: expected a key%s", wgdn_show(key->text).text,
                                      inside ? " or ]" : "");
    st = next(value, r);
    if (!st && (value->kind == END || value->kind == CLOSE))
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

/* A value as it is meant; an entity becomes shorter by that. */
static wgdn_status undo(wgdn_text *out, reading *r, plain *p, const token *t)
{
    size_t used = 0;
    *out = t->text;
    if (t->kind != STRING || !t->text.size || !memchr(t->text.at, '&', t->text.size))
        return WGDN_OK;
    if (!wgdn_grow(&p->at, &p->room, (int64_t)t->text.size, 1))
        return wgdn_fail(r->g.err, WGDN_ENOMEM, "%s: a value", wgdn_show_name(r->g.name).text);
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

/* ---- nodes and edges ---- */

static wgdn_attribute_type type_of(const token *t)
{
    int64_t whole;
    if (t->kind == OPEN) return WGDN_ATTRIBUTE_NESTED;
    if (t->kind != NUMBER) return WGDN_ATTRIBUTE_STRING;
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
    const unsigned char *const at = r->at;
    const int64_t line = r->g.line;
    wgdn_text end[2] = {{0}, {0}};
    token key, value;
    bool more = true;
    wgdn_status st = WGDN_OK;
    while (!st && more) {
        st = next_pair(&key, &value, &more, true, r);
        if (st || !more) break;
        if (value.kind == OPEN) {
            st = skip_list(r);
        } else if (is_end(side, key.text)) {
            const int which = wgdn_text_is(key.text, "target");
            st = undo(&end[which], r, &r->scratch[which], &value);
        }
    }
    r->at = at;
    r->g.line = line;
    if (st) return st;
    return side == WGDN_ATTRIBUTE_NODE ? wgdn_attributes_begin_node(&r->g, end[0])
                                       : wgdn_attributes_begin_edge(&r->g, end[0], end[1]);
}

static wgdn_status read_value(reading *r, int side, const token *key, const token *value)
{
    wgdn_text text;
    if (r->noting) return wgdn_attributes_note(&r->g, side, key->text, type_of(value));
    wgdn_attribute_key *k = wgdn_attributes_find_declared(&r->g, side, key->text);
    if (!k) return WGDN_EFORMAT;
    if (!k->use[side]) return WGDN_OK;
    const wgdn_status st = undo(&text, r, &r->scratch[0], value);
    return st ? st : wgdn_attributes_value(&r->g, k, side, text);
}

static wgdn_status read_element(reading *r, int side)
{
    token key, value;
    bool more = true;
    wgdn_status st = WGDN_OK;
    if (r->noting)
        wgdn_attributes_next(&r->g);
    else
        st = begin_element(r, side);
    while (!st) {
        st = next_pair(&key, &value, &more, true, r);
        if (st || !more) break;
        if (!is_end(side, key.text)) st = read_value(r, side, &key, &value);
        if (!st && value.kind == OPEN) st = skip_list(r);
    }
    if (st || r->noting) return st;
    return side == WGDN_ATTRIBUTE_NODE ? wgdn_attributes_end_node(&r->g)
                                       : wgdn_attributes_end_edge(&r->g);
}

/* Each time over the file is half of the way. */
static wgdn_status tell(reading *r)
{
    const int64_t all = r->end - r->start;
    if (!r->watch.tell || r->at - r->told < TELL_EVERY) return WGDN_OK;
    r->told = r->at;
    if (r->watch.tell(r->watch.user, (r->at - r->start + (r->noting ? 0 : all)) / 2, all) == 0)
        return WGDN_OK;
    return wgdn_fail(r->g.err, WGDN_ESTOPPED, "%s:%lld: stopped on request",
                     wgdn_show_name(r->g.name).text, (long long)r->g.line);
}

static wgdn_status read_graph(reading *r)
{
    token key, value;
    bool more = true;
    if (r->graph_seen)
        return wgdn_attributes_refuse(&r->g, "a second graph: expected one in a file");
    r->graph_seen = true;
    for (;;) {
        wgdn_status st = tell(r);
        if (!st) st = next_pair(&key, &value, &more, true, r);
        if (st || !more) return st;
        const bool list = value.kind == OPEN;
        if (list && wgdn_text_is(key.text, "node"))
            st = read_element(r, WGDN_ATTRIBUTE_NODE);
        else if (list && wgdn_text_is(key.text, "edge"))
            st = read_element(r, WGDN_ATTRIBUTE_EDGE);
        else if (list)
            st = skip_list(r);
        else if (wgdn_text_is(key.text, "directed"))
            r->g.all_directed = wgdn_text_is(value.text, "1");
        if (st) return st;
    }
}

/* Once over the file: first to note what there is, then to read it. */
static wgdn_status read_file(reading *r, bool noting)
{
    token key, value;
    bool more = true;
    r->at = r->told = r->start;
    r->g.line = 1;
    r->noting = noting;
    r->graph_seen = false;
    if (r->end - r->at >= 3 && memcmp(r->at, "\xef\xbb\xbf", 3) == 0) r->at += 3;
    for (;;) {
        wgdn_status st = next_pair(&key, &value, &more, false, r);
        if (st || !more) return st;
        if (value.kind == OPEN) st = wgdn_text_is(key.text, "graph") ? read_graph(r) : skip_list(r);
        if (st) return st;
    }
}

wgdn_status wgdn_gml_parse(wgdn_draft *w, const wgdn_input *in, wgdn_error *err)
{
    reading r = {.watch = in->watch};
    wgdn_attributes_open(&r.g, w, in->name, err);
    r.g.numbered = r.g.by_value = true;
    r.start = in->size ? in->data : (const unsigned char *)"";
    r.end = r.start + in->size;
    wgdn_status st = read_file(&r, true);
    if (!st && !r.graph_seen)
        st = wgdn_fail(err, WGDN_EFORMAT, "%s: no graph in it: expected graph [ ... ]",
                       wgdn_show_name(in->name).text);
    if (!st) st = wgdn_attributes_settle(&r.g);
    if (!st) st = read_file(&r, false);
    if (!st) st = wgdn_attributes_finish(&r.g);
    wgdn_release(r.scratch[1].at);
    wgdn_release(r.scratch[0].at);
    wgdn_attributes_close(&r.g);
    return st;
}

/* graph [, behind a creator, comments and the like. */
static bool look(wgdn_text start)
{
    reading r = {.at = start.at, .end = start.at + start.size};
    token key, value;
    wgdn_error quiet;
    r.g.err = &quiet;
    r.g.name = "";
    for (int i = 0; i < 16; i++) {
        if (next(&key, &r) || key.kind != WORD || next(&value, &r)) return false;
        if (wgdn_text_is(key.text, "graph")) return value.kind == OPEN;
        if (value.kind != STRING && value.kind != NUMBER) return false;
    }
    return false;
}

const wgdn_format wgdn_gml_format = {
    .info = {"gml", (const char *const[]){".gml", ".gml.gz", NULL},
             "One graph in brackets, as NetworkX, igraph and Gephi write it", 1, 0},
    .look = look,
    .parse = wgdn_gml_parse,
};
