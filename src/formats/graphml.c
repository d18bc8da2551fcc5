/* SPDX-License-Identifier: Apache-2.0 */
#include "graphml.h"

#ifdef WGDN_HAVE_EXPAT
#include "graphml_build.h"

#include <expat.h>
#include <string.h>

enum { DEEPEST = 64 }; /* elements within one another */
static const int64_t tell_every = 1 << 20;
static const int64_t piece_max = 1 << 30; /* expat counts in int; small ones it would join again */

/* ---- expat's memory: as ours, with the size in front ---- */

enum { HEAD = 16 };

static void *take(size_t size)
{
    size_t *block = size < SIZE_MAX - HEAD ? wgdn_alloc(size + HEAD, 1) : NULL;
    if (!block) return NULL;
    *block = size;
    return (char *)block + HEAD;
}

static void give(void *p)
{
    if (p) wgdn_release((char *)p - HEAD);
}

static void *retake(void *p, size_t size)
{
    void *wider = take(size);
    if (!wider || !p) return wider;
    const size_t old = *(const size_t *)(const void *)((const char *)p - HEAD);
    memcpy(wider, p, old < size ? old : size);
    give(p);
    return wider;
}

/* ---- elements ---- */

typedef enum place { OUTSIDE, GRAPHML, KEY, DEFAULT, GRAPH, NODE, EDGE, DATA } place;

typedef struct reading {
    wgdn_graphml g;
    XML_Parser parser;
    const wgdn_input *in;
    int64_t told;
    wgdn_status st; /* the first failure; the rest is quiet */
    place at, data_of;
    bool graph_seen;
    int depth, skipped;    /* elements that are open; those of them that nobody reads */
    wgdn_graphml_key *key; /* of the data that is open */
    char *text;            /* of a value */
    int64_t size, room;
} reading;

static void stop(reading *r, wgdn_status st)
{
    if (!st || r->st) return;
    r->st = st;
    (void)XML_StopParser(r->parser, XML_FALSE);
}

static void tell(reading *r)
{
    const int64_t at = (int64_t)XML_GetCurrentByteIndex(r->parser);
    if (!r->in->watch.tell || at - r->told < tell_every) return;
    r->told = at;
    if (r->in->watch.tell(r->in->watch.user, at, (int64_t)r->in->size))
        stop(r, wgdn_fail(r->g.err, WGDN_ESTOPPED, "%s:%lld: stopped on request",
                          wgdn_show_name(r->g.name).text, (long long)r->g.line));
}

static const char *get(const char *const *attribute, const char *name)
{
    for (; attribute[0]; attribute += 2)
        if (strcmp(attribute[0], name) == 0) return attribute[1];
    return NULL;
}

static wgdn_status begin_graph(reading *r)
{
    if (r->graph_seen) return wgdn_graphml_refuse(&r->g, "a second graph: expected one in a file");
    r->graph_seen = true;
    r->at = GRAPH;
    return wgdn_graphml_settle(&r->g);
}

static wgdn_status begin_key(reading *r, const char *const *attribute)
{
    if (r->graph_seen) return wgdn_graphml_refuse(&r->g, "a key behind the graph: expected before");
    r->at = KEY;
    return wgdn_graphml_add_key(&r->g, get(attribute, "id"), get(attribute, "for"),
                                get(attribute, "attr.name"), get(attribute, "attr.type"));
}

static wgdn_status begin_edge(reading *r, const char *const *attribute)
{
    if (get(attribute, "sourceport") || get(attribute, "targetport"))
        return wgdn_graphml_refuse(&r->g, "an edge with ports, which are not read");
    r->at = EDGE;
    return wgdn_graphml_begin_edge(&r->g, get(attribute, "source"), get(attribute, "target"));
}

/* Values that are not used are passed over, whatever they hold. */
static wgdn_status begin_data(reading *r, const char *const *attribute)
{
    const int side = r->at == NODE ? WGDN_GRAPHML_NODE : WGDN_GRAPHML_EDGE;
    r->key = wgdn_graphml_find_key(&r->g, get(attribute, "key"));
    if (!r->key) return WGDN_EFORMAT;
    if (!r->key->use[side]) {
        r->skipped = 1;
        return WGDN_OK;
    }
    r->data_of = r->at;
    r->at = DATA;
    r->size = 0;
    return WGDN_OK;
}

static wgdn_status refuse_element(const reading *r, const char *name)
{
    static const char *const where[] = {"the file", "<graphml>", "<key>",  "<default>",
                                        "<graph>",  "<node>",    "<edge>", "<data>"};
    if (strcmp(name, "hyperedge") == 0 || strcmp(name, "port") == 0)
        return wgdn_graphml_refuse(&r->g, "<%s>: edges between two nodes are read, no others",
                                   name);
    if (strcmp(name, "graph") == 0)
        return wgdn_graphml_refuse(&r->g, "a graph within %s: nested graphs are not read",
                                   where[r->at]);
    return wgdn_graphml_refuse(&r->g, "<%.40s> is not expected in %s", name, where[r->at]);
}

static wgdn_status begin(reading *r, const char *name, const char *const *attribute)
{
    const bool data = strcmp(name, "data") == 0;
    if (r->at == OUTSIDE && strcmp(name, "graphml") == 0) {
        r->at = GRAPHML;
        return WGDN_OK;
    }
    if (r->at == OUTSIDE) return wgdn_graphml_refuse(&r->g, "<%.40s>: expected <graphml>", name);
    if (strcmp(name, "desc") == 0 || (data && (r->at == GRAPHML || r->at == GRAPH))) {
        r->skipped = 1;
        return WGDN_OK;
    }
    if (data && (r->at == NODE || r->at == EDGE)) return begin_data(r, attribute);
    if (r->at == GRAPHML && strcmp(name, "key") == 0) return begin_key(r, attribute);
    if (r->at == GRAPHML && strcmp(name, "graph") == 0) return begin_graph(r);
    if (r->at == GRAPH && strcmp(name, "edge") == 0) return begin_edge(r, attribute);
    if (r->at == GRAPH && strcmp(name, "node") == 0) {
        r->at = NODE;
        return wgdn_graphml_begin_node(&r->g, get(attribute, "id"));
    }
    if (r->at == KEY && strcmp(name, "default") == 0) {
        r->at = DEFAULT;
        r->size = 0;
        return WGDN_OK;
    }
    return refuse_element(r, name);
}

static wgdn_status end(reading *r)
{
    const wgdn_text text = wgdn_text_of(r->size ? r->text : "", (size_t)r->size);
    const place at = r->at;
    switch (at) {
    case OUTSIDE: break;
    case GRAPHML: r->at = OUTSIDE; break;
    case KEY:
    case GRAPH: r->at = GRAPHML; break;
    case DEFAULT: r->at = KEY; return wgdn_graphml_default(&r->g, text);
    case NODE: r->at = GRAPH; return wgdn_graphml_end_node(&r->g);
    case EDGE: r->at = GRAPH; return wgdn_graphml_end_edge(&r->g);
    case DATA:
        r->at = r->data_of;
        return wgdn_graphml_value(&r->g, r->key,
                                  r->at == NODE ? WGDN_GRAPHML_NODE : WGDN_GRAPHML_EDGE, text);
    }
    return WGDN_OK;
}

/* ---- what expat calls ---- */

static void XMLCALL on_begin(void *user, const char *name, const char **attribute)
{
    reading *r = user;
    if (r->st) return;
    r->g.line = (int64_t)XML_GetCurrentLineNumber(r->parser);
    tell(r);
    if (++r->depth > DEEPEST)
        stop(r, wgdn_graphml_refuse(&r->g, "elements within one another, more than %d", DEEPEST));
    else if (r->skipped)
        r->skipped++;
    else if (!r->st)
        stop(r, begin(r, name, attribute));
}

static void XMLCALL on_end(void *user, const char *name)
{
    reading *r = user;
    (void)name;
    if (r->st) return;
    r->g.line = (int64_t)XML_GetCurrentLineNumber(r->parser);
    r->depth--;
    if (r->skipped)
        r->skipped--;
    else
        stop(r, end(r));
}

static void XMLCALL on_text(void *user, const char *text, int size)
{
    reading *r = user;
    if (r->st || r->skipped || (r->at != DATA && r->at != DEFAULT)) return;
    if (r->size + size > WGDN_ID_MAX)
        stop(r, wgdn_graphml_refuse(&r->g, "a value of more than %d bytes", WGDN_ID_MAX));
    else if (!wgdn_grow(&r->text, &r->room, r->size + size, 1))
        stop(r, wgdn_fail(r->g.err, WGDN_ENOMEM, "%s: a value", wgdn_show_name(r->g.name).text));
    else
        memcpy(r->text + r->size, text, (size_t)size);
    r->size += size;
}

/* Entities that a file declares can grow without bound; no writer of GraphML has any. */
static void XMLCALL on_doctype(void *user, const char *name, const char *system_id,
                               const char *public_id, int declares)
{
    reading *r = user;
    (void)name, (void)system_id, (void)public_id, (void)declares;
    r->g.line = (int64_t)XML_GetCurrentLineNumber(r->parser);
    stop(r, wgdn_graphml_refuse(&r->g, "a DOCTYPE, which may declare entities: expected none"));
}

/* ---- a file ---- */

static wgdn_status failure(const reading *r)
{
    const enum XML_Error why = XML_GetErrorCode(r->parser);
    if (r->st) return r->st;
    if (why == XML_ERROR_NO_MEMORY)
        return wgdn_fail(r->g.err, WGDN_ENOMEM, "%s: reading XML", wgdn_show_name(r->g.name).text);
    return wgdn_fail(r->g.err, WGDN_EFORMAT, "%s:%lld:%lld: %s", wgdn_show_name(r->g.name).text,
                     (long long)XML_GetCurrentLineNumber(r->parser),
                     (long long)XML_GetCurrentColumnNumber(r->parser) + 1, XML_ErrorString(why));
}

static wgdn_status parse(reading *r)
{
    const char *at = r->in->size ? r->in->data : "";
    int64_t left = (int64_t)r->in->size;
    do {
        const int size = (int)wgdn_min(left, piece_max);
        left -= size;
        if (XML_Parse(r->parser, at, size, left == 0) != XML_STATUS_OK) return failure(r);
        at += size;
    } while (left > 0);
    if (!r->graph_seen)
        return wgdn_fail(r->g.err, WGDN_EFORMAT, "%s: no graph in it",
                         wgdn_show_name(r->g.name).text);
    return wgdn_graphml_finish(&r->g);
}

wgdn_status wgdn_graphml_parse(wgdn_draft *w, const wgdn_input *in, wgdn_error *err)
{
    static const XML_Memory_Handling_Suite memory = {take, retake, give};
    reading r = {.in = in};
    wgdn_status st;
    wgdn_graphml_open(&r.g, w, in->name, err);
    r.parser = XML_ParserCreate_MM(NULL, &memory, NULL);
    if (r.parser) {
        XML_SetUserData(r.parser, &r);
        XML_SetElementHandler(r.parser, on_begin, on_end);
        XML_SetCharacterDataHandler(r.parser, on_text);
        XML_SetStartDoctypeDeclHandler(r.parser, on_doctype);
        st = parse(&r);
        XML_ParserFree(r.parser);
    } else {
        st = wgdn_fail(err, WGDN_ENOMEM, "%s: reading XML", wgdn_show_name(in->name).text);
    }
    wgdn_release(r.text);
    wgdn_graphml_close(&r.g);
    return st;
}

#else

wgdn_status wgdn_graphml_parse(wgdn_draft *w, const wgdn_input *in, wgdn_error *err)
{
    (void)w;
    return wgdn_fail(err, WGDN_ENOSUPPORT,
                     "%s: GraphML is read with expat, which this build does not have",
                     wgdn_show_name(in->name).text);
}

#endif

static wgdn_status load(wgdn_draft *w, const char *path, wgdn_error *err)
{
    wgdn_source s;
    wgdn_status st = wgdn_source_read(&s, path, w->o->max_bytes, err);
    if (st) return st;
    const wgdn_input in = wgdn_draft_input(w, &s);
    st = wgdn_graphml_parse(w, &in, err);
    wgdn_source_free(&s);
    return st;
}

const wgdn_format wgdn_graphml_format = {
    .info = {"graphml", (const char *const[]){".graphml", ".graphml.gz", NULL},
             "One graph as XML, as NetworkX, igraph, Gephi and yEd write it", 1, 0},
    .magic = "<?xml",
    .load = load,
};
