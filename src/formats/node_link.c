/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads node-link JSON, as NetworkX and D3 write it. It parses with io/json.c and passes nodes and
 * links to attributes.c.
 */
#include "attributes.h"
#include "formats.h"
#include "io/json.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct reading {
    wgdn_attributes g;
    json_t *nodes, *links;
    const char *id; /* the key that names a node; NULL: its place in the list does */
    bool places;    /* ends of links are places in the list of nodes */
    bool failed;    /* there was no memory for a word */
} reading;

/* The text of an id or a value; buffer holds numbers, *made what has to be freed. */
typedef struct word {
    char buffer[40];
    char *made;
    wgdn_text text;
} word;

static void word_free(word *w)
{
    wgdn_release(w->made);
    w->made = NULL;
}

/* An id may be a number, a text, or a list, as NetworkX has tuples; else the text is empty. */
static wgdn_text write_word(word *w, reading *r, const json_t *value)
{
    w->made = NULL;
    w->text = wgdn_text_of("", 0);
    if (json_is_string(value)) {
        w->text = wgdn_text_of(json_string_value(value), json_string_length(value));
    } else if (json_is_integer(value) || json_is_boolean(value)) {
        if (json_is_integer(value))
            snprintf(w->buffer, sizeof w->buffer, "%" JSON_INTEGER_FORMAT,
                     json_integer_value(value));
        else
            snprintf(w->buffer, sizeof w->buffer, "%s", json_is_true(value) ? "true" : "false");
        w->text = wgdn_attributes_text(w->buffer);
    } else if (json_is_array(value) || json_is_real(value)) {
        w->made = wgdn_json_text(value, JSON_COMPACT | JSON_ENCODE_ANY | JSON_REAL_PRECISION(15));
        w->text = wgdn_attributes_text(w->made);
        r->failed |= !w->made;
    }
    return w->text;
}

static wgdn_text write_place(word *w, int64_t at)
{
    w->made = NULL;
    snprintf(w->buffer, sizeof w->buffer, "%lld", (long long)at);
    return w->text = wgdn_attributes_text(w->buffer);
}

static wgdn_text id_of(word *w, reading *r, int64_t at)
{
    const json_t *node = json_array_get(r->nodes, (size_t)at);
    return r->id ? write_word(w, r, json_object_get(node, r->id)) : write_place(w, at);
}

/* ---- contents of the file ---- */

static wgdn_attribute_type type_of(const json_t *value)
{
    switch (json_typeof(value)) {
    case JSON_TRUE:
    case JSON_FALSE: return WGDN_ATTRIBUTE_BOOLEAN;
    case JSON_INTEGER: return WGDN_ATTRIBUTE_INTEGER;
    case JSON_REAL: return WGDN_ATTRIBUTE_FLOAT;
    case JSON_STRING: return WGDN_ATTRIBUTE_STRING;
    default: return WGDN_ATTRIBUTE_NESTED;
    }
}

static bool is_end(const reading *r, int side, const char *key)
{
    if (side == WGDN_ATTRIBUTE_NODE) return r->id && strcmp(key, r->id) == 0;
    return strcmp(key, "source") == 0 || strcmp(key, "target") == 0;
}

/* Do all nodes have it, and each another? */
static wgdn_status names_nodes(bool *all, reading *r, const char *key)
{
    const int64_t count = (int64_t)json_array_size(r->nodes);
    wgdn_status st = WGDN_OK;
    wgdn_ids ids;
    wgdn_ids_open(&ids, INT32_MAX);
    for (int64_t i = 0; !st && i < count && ids.count == i; i++) {
        word w;
        int32_t at;
        const wgdn_text text =
            write_word(&w, r, json_object_get(json_array_get(r->nodes, (size_t)i), key));
        if (text.size > 0) st = wgdn_ids_add(&ids, &text, 1, &at, r->g.err);
        word_free(&w);
    }
    *all = ids.count == count;
    wgdn_ids_close(&ids);
    return st;
}

/* The key that names nodes: an id, if any has one; else what each has another of. */
static wgdn_status find_id(reading *r)
{
    static const char *const key[] = {"name", "key"};
    wgdn_status st = WGDN_OK;
    for (size_t i = 0; i < json_array_size(r->nodes) && !r->id; i++)
        if (json_object_get(json_array_get(r->nodes, i), "id")) r->id = "id";
    for (size_t i = 0; !st && i < 2 && !r->id; i++) {
        bool all = false;
        st = names_nodes(&all, r, key[i]);
        if (all) r->id = key[i];
    }
    return st;
}

/* Nodes and links are counted from 1 in messages, as lines are. */
static wgdn_status note_attributes(reading *r, json_t *list, int side)
{
    wgdn_status st = WGDN_OK;
    r->g.unit = side == WGDN_ATTRIBUTE_NODE ? "node" : "link";
    for (size_t i = 0; !st && i < json_array_size(list); i++) {
        json_t *element = json_array_get(list, i), *value;
        const char *key;
        r->g.line = (int64_t)i + 1;
        if (!json_is_object(element)) return wgdn_attributes_refuse(&r->g, "expected {...}");
        wgdn_attributes_next(&r->g);
        json_object_foreach(element, key, value)
        {
            if (st || json_is_null(value) || is_end(r, side, key)) continue;
            st = wgdn_attributes_note(&r->g, side, wgdn_attributes_text(key), type_of(value));
        }
    }
    return st;
}

/* ---- nodes ---- */

static wgdn_status read_values(reading *r, json_t *element, int side)
{
    wgdn_status st = WGDN_OK;
    json_t *value;
    const char *key;
    json_object_foreach(element, key, value)
    {
        word w;
        if (st || json_is_null(value) || is_end(r, side, key)) continue;
        wgdn_attribute_key *k =
            wgdn_attributes_find_declared(&r->g, side, wgdn_attributes_text(key));
        if (!k) return WGDN_EFORMAT;
        if (!k->use[side]) continue;
        wgdn_text text = write_word(&w, r, value);
        if (json_is_boolean(value) && k->type != WGDN_ATTRIBUTE_BOOLEAN &&
            k->type != WGDN_ATTRIBUTE_STRING)
            text = wgdn_attributes_text(json_is_true(value) ? "1" : "0");
        st = wgdn_attributes_value(&r->g, k, side, text);
        word_free(&w);
    }
    return st;
}

static wgdn_status read_nodes(reading *r)
{
    wgdn_status st = WGDN_OK;
    r->g.unit = "node";
    for (size_t i = 0; !st && i < json_array_size(r->nodes); i++) {
        word w;
        r->g.line = (int64_t)i + 1;
        st = wgdn_attributes_begin_node(&r->g, id_of(&w, r, (int64_t)i));
        word_free(&w);
        if (!st) st = read_values(r, json_array_get(r->nodes, i), WGDN_ATTRIBUTE_NODE);
        if (!st) st = wgdn_attributes_end_node(&r->g);
    }
    return st;
}

/* ---- links ---- */

static bool is_node(reading *r, const json_t *end)
{
    word w;
    const bool is = wgdn_ids_find(&r->g.w->ids, write_word(&w, r, end)) >= 0;
    word_free(&w);
    return is;
}

/* Ends are ids if all of them are; else they are places, if they can be. */
static bool ends_are_places(reading *r)
{
    const int64_t nodes = (int64_t)json_array_size(r->nodes);
    bool ids = true, places = true;
    for (size_t i = 0; i < json_array_size(r->links) && places; i++)
        for (int e = 0; e < 2; e++) {
            const json_t *end =
                json_object_get(json_array_get(r->links, i), e ? "target" : "source");
            ids = ids && is_node(r, end);
            places = places && json_is_integer(end) && json_integer_value(end) >= 0 &&
                     json_integer_value(end) < nodes;
        }
    return places && !ids;
}

static wgdn_text end_of(word *w, reading *r, const json_t *link, const char *key)
{
    const json_t *end = json_object_get(link, key);
    return r->places ? id_of(w, r, json_integer_value(end)) : write_word(w, r, end);
}

static wgdn_status read_links(reading *r)
{
    wgdn_status st = WGDN_OK;
    r->g.unit = "link";
    r->places = ends_are_places(r);
    for (size_t i = 0; !st && i < json_array_size(r->links); i++) {
        json_t *link = json_array_get(r->links, i);
        word source, target;
        r->g.line = (int64_t)i + 1;
        const wgdn_text from = end_of(&source, r, link, "source");
        st = wgdn_attributes_begin_edge(&r->g, from, end_of(&target, r, link, "target"));
        word_free(&target);
        word_free(&source);
        if (!st) st = read_values(r, link, WGDN_ATTRIBUTE_EDGE);
        if (!st) st = wgdn_attributes_end_edge(&r->g);
    }
    if (!st && r->places && r->id)
        st = wgdn_remarks_add(&r->g.w->d->remarks, "ends-are-places", 0, r->g.err,
                              "ends of links are places in the list of nodes, from 0");
    return st;
}

/* ---- reading a file ---- */

static wgdn_status read_root(reading *r, const json_t *root)
{
    r->nodes = json_object_get(root, "nodes");
    r->links = json_object_get(root, "links");
    if (!r->links) r->links = json_object_get(root, "edges");
    if (json_is_array(root))
        return wgdn_fail_in(
            r->g.err, WGDN_EFORMAT, r->g.name,
            "a list; if it is one of edges, make it CSV: jq -r '.[] | %s@csv' FILE | wgdn info -",
            json_is_array(json_array_get(root, 0)) ? "" : "[.source, .target] | ");
    if (!json_is_array(r->nodes) || !json_is_array(r->links))
        return wgdn_fail_in(
            r->g.err, WGDN_EFORMAT, r->g.name,
            "expected {\"nodes\": [...], \"links\": [...]}, or \"edges\" for the latter");
    r->g.all_directed = json_is_true(json_object_get(root, "directed"));
    wgdn_status st = find_id(r);
    if (!st) st = note_attributes(r, r->nodes, WGDN_ATTRIBUTE_NODE);
    if (!st) st = note_attributes(r, r->links, WGDN_ATTRIBUTE_EDGE);
    if (!st) st = wgdn_attributes_settle(&r->g);
    if (!st) st = read_nodes(r);
    if (!st) st = read_links(r);
    return st ? st : wgdn_attributes_finish(&r->g);
}

static wgdn_status parse_node_link(wgdn_draft *w, const wgdn_input *in, wgdn_error *err)
{
    reading r = {0};
    json_error_t why;
    json_t *root = wgdn_json_load(in->data, in->size, &why);
    if (!root)
        return wgdn_fail(err, WGDN_EFORMAT, "%s:%d:%d: %.100s", wgdn_show_name(in->name).text,
                         why.line, why.column, why.text);
    wgdn_attributes_open(&r.g, w, in, err);
    r.g.by_value = true;
    wgdn_status st = read_root(&r, root);
    if (r.failed) /* whatever was made of the word that is missing */
        st = wgdn_fail_in(err, WGDN_ENOMEM, in->name, "ids and values");
    wgdn_attributes_close(&r.g);
    json_decref(root);
    return st;
}

static bool recognize_start(wgdn_text start)
{
    size_t at = 0;
    while (at < start.size && start.at[at] <= ' ')
        at++;
    return at < start.size && start.at[at] == '{' &&
           (wgdn_text_holds(start, "\"nodes\"") || wgdn_text_holds(start, "\"links\"") ||
            wgdn_text_holds(start, "\"directed\""));
}

const wgdn_format wgdn_node_link_format = {
    .info = {"json", (const char *const[]){".json", ".json.gz", NULL},
             "Nodes and links as JSON, as NetworkX's node_link_data and D3 have them", 1, 0},
    .look = recognize_start,
    .parse = parse_node_link,
};
