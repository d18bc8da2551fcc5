/* SPDX-License-Identifier: Apache-2.0 */
#include "gml_tokens.h"

#include "codec/unicode.h"

#include <string.h>

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

wgdn_status wgdn_gml_next(wgdn_gml_token *t, wgdn_gml *r)
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

wgdn_status wgdn_gml_skip(wgdn_gml *r)
{
    wgdn_gml_token t;
    for (int64_t depth = 1; depth > 0;) {
        const wgdn_status st = wgdn_gml_next(&t, r);
        if (st) return st;
        if (t.kind == WGDN_GML_END)
            return wgdn_attributes_refuse(&r->g, "the file ends before a ]");
        depth += (t.kind == WGDN_GML_OPEN) - (t.kind == WGDN_GML_CLOSE);
    }
    return WGDN_OK;
}

wgdn_status wgdn_gml_pair(wgdn_gml_token *key, wgdn_gml_token *value, bool *more, bool inside,
                          wgdn_gml *r)
{
    wgdn_status st = wgdn_gml_next(key, r);
    *more = !st && key->kind != (inside ? WGDN_GML_CLOSE : WGDN_GML_END);
    if (st || !*more) return st;
    if (key->kind == WGDN_GML_END) return wgdn_attributes_refuse(&r->g, "the file ends before a ]");
    if (key->kind != WGDN_GML_WORD)
        return wgdn_attributes_refuse(&r->g, "%s: expected a key%s", wgdn_show(key->text).text,
                                      inside ? " or ]" : "");
    st = wgdn_gml_next(value, r);
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
wgdn_status wgdn_gml_undo(wgdn_text *out, wgdn_gml *r, wgdn_gml_plain *p, const wgdn_gml_token *t)
{
    size_t used = 0;
    *out = t->text;
    if (t->kind != WGDN_GML_STRING || !t->text.size || !memchr(t->text.at, '&', t->text.size))
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
