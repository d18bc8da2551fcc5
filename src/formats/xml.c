/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads GraphML, and GEXF, the format of Gephi, for one graph. Both are XML, which expat parses with
 * bounds on depth, value sizes and entities; nodes, edges and their keys go to attributes.c.
 */
#include "attributes.h"
#include "formats.h"

#include <string.h>

typedef struct xml_reader xml_reader;
struct xml_reader {
    wgdn_attributes g; /* what is read; its line is kept */
    /* An element begins or ends; attributes are names and values in turn, NULL behind them. */
    wgdn_status (*begin)(xml_reader *x, const char *name, const char *const *attribute);
    wgdn_status (*end)(xml_reader *x);
    int at;          /* the reader's own: where in the file it is */
    bool graph_seen; /* likewise: at the end there must have been one */
    int skipped;     /* elements that are open and nobody reads: 1 skips the one that begins */
    bool collects;   /* text counts; it is forgotten when that begins: */
    char *text;      /* of a value */
    int64_t size, room;
    int depth; /* elements that are open */
    void *parser;
    const wgdn_input *in;
    wgdn_watch watch;
    wgdn_status st; /* the first failure; the rest is quiet */
};

static const char *find_attribute(const char *const *attribute, const char *name)
{
    for (; attribute[0]; attribute += 2)
        if (strcmp(attribute[0], name) == 0) return attribute[1];
    return NULL;
}

/* Text counts from here on. */
static void collect_text(xml_reader *x)
{
    x->collects = true;
    x->size = 0;
}

/* The text, which counts no further. */
static wgdn_text end_text(xml_reader *x)
{
    x->collects = false;
    return wgdn_text_of(x->size ? x->text : "", (size_t)x->size);
}

#ifdef WGDN_HAVE_EXPAT
#include <expat.h>

enum { DEEPEST = 64 };                    /* elements within one another */
static const int64_t piece_max = 1 << 30; /* expat counts in int; small ones it would join again */

/* ---- memory for expat, with the size in front ---- */

enum { HEAD = 16 };

static void *allocate(size_t size)
{
    size_t *block = size < SIZE_MAX - HEAD ? wgdn_alloc(size + HEAD, 1) : NULL;
    if (!block) return NULL;
    *block = size;
    return (char *)block + HEAD;
}

static void release(void *p)
{
    if (p) wgdn_release((char *)p - HEAD);
}

static void *reallocate(void *p, size_t size)
{
    void *wider = allocate(size);
    if (!wider || !p) return wider;
    const size_t old = *(const size_t *)(const void *)((const char *)p - HEAD);
    memcpy(wider, p, old < size ? old : size);
    release(p);
    return wider;
}

/* ---- callbacks of expat ---- */

static void stop(xml_reader *x, wgdn_status st)
{
    if (!st || x->st) return;
    x->st = st;
    (void)XML_StopParser(x->parser, XML_FALSE);
}

static void XMLCALL on_begin(void *user, const char *name, const char **attribute)
{
    xml_reader *x = user;
    if (x->st) return;
    x->g.line = (int64_t)XML_GetCurrentLineNumber(x->parser);
    const int64_t at = (int64_t)XML_GetCurrentByteIndex(x->parser), all = (int64_t)x->in->size;
    stop(x, wgdn_watch_tell(&x->watch, at, all, x->g.name, x->g.line, x->g.err));
    if (++x->depth > DEEPEST)
        stop(x,
             wgdn_attributes_refuse(&x->g, "elements within one another, more than %d", DEEPEST));
    else if (x->skipped)
        x->skipped++;
    else if (!x->st)
        stop(x, x->begin(x, name, attribute));
}

static void XMLCALL on_end(void *user, const char *name)
{
    xml_reader *x = user;
    (void)name;
    if (x->st) return;
    x->g.line = (int64_t)XML_GetCurrentLineNumber(x->parser);
    x->depth--;
    if (x->skipped)
        x->skipped--;
    else
        stop(x, x->end(x));
}

static void XMLCALL on_text(void *user, const char *text, int size)
{
    xml_reader *x = user;
    if (x->st || x->skipped || !x->collects) return;
    if (x->size + size > WGDN_ID_MAX)
        stop(x, wgdn_attributes_refuse(&x->g, "a value of more than %d bytes", WGDN_ID_MAX));
    else if (!wgdn_grow(&x->text, &x->room, x->size + size, 1))
        stop(x, wgdn_fail_in(x->g.err, WGDN_ENOMEM, x->g.name, "a value"));
    else
        memcpy(x->text + x->size, text, (size_t)size);
    x->size += size;
}

/* Entities that a file declares can grow without bound; no writer of graphs has any. */
static void XMLCALL on_doctype(void *user, const char *name, const char *system_id,
                               const char *public_id, int declares)
{
    xml_reader *x = user;
    (void)name, (void)system_id, (void)public_id, (void)declares;
    x->g.line = (int64_t)XML_GetCurrentLineNumber(x->parser);
    stop(x, wgdn_attributes_refuse(&x->g, "a DOCTYPE, which may declare entities: expected none"));
}

/* ---- reading a file ---- */

static wgdn_status failure(const xml_reader *x)
{
    const enum XML_Error why = XML_GetErrorCode(x->parser);
    if (x->st) return x->st;
    if (why == XML_ERROR_NO_MEMORY)
        return wgdn_fail_in(x->g.err, WGDN_ENOMEM, x->g.name, "reading XML");
    return wgdn_fail(x->g.err, WGDN_EFORMAT, "%s:%lld:%lld: %s", wgdn_show_name(x->g.name).text,
                     (long long)XML_GetCurrentLineNumber(x->parser),
                     (long long)XML_GetCurrentColumnNumber(x->parser) + 1, XML_ErrorString(why));
}

static wgdn_status parse(xml_reader *x)
{
    const char *at = x->in->size ? x->in->data : "";
    int64_t left = (int64_t)x->in->size;
    do {
        const int size = (int)wgdn_min(left, piece_max);
        left -= size;
        if (XML_Parse(x->parser, at, size, left == 0) != XML_STATUS_OK) return failure(x);
        at += size;
    } while (left > 0);
    if (!x->graph_seen) return wgdn_fail_in(x->g.err, WGDN_EFORMAT, x->g.name, "no graph in it");
    return wgdn_attributes_finish(&x->g);
}

/* begin and end are set. Gives the draft what was read. */
static wgdn_status read_xml(xml_reader *x, wgdn_draft *w, const wgdn_input *in, wgdn_error *err)
{
    static const XML_Memory_Handling_Suite memory = {allocate, reallocate, release};
    wgdn_status st;
    wgdn_attributes_open(&x->g, w, in, err);
    x->in = in;
    x->watch = in->watch;
    x->parser = XML_ParserCreate_MM(NULL, &memory, NULL);
    if (x->parser) {
        XML_SetUserData(x->parser, x);
        XML_SetElementHandler(x->parser, on_begin, on_end);
        XML_SetCharacterDataHandler(x->parser, on_text);
        XML_SetStartDoctypeDeclHandler(x->parser, on_doctype);
        st = parse(x);
        XML_ParserFree(x->parser);
    } else {
        st = wgdn_fail_in(err, WGDN_ENOMEM, in->name, "reading XML");
    }
    wgdn_release(x->text);
    wgdn_attributes_close(&x->g);
    return st;
}

#else

static wgdn_status read_xml(xml_reader *x, wgdn_draft *w, const wgdn_input *in, wgdn_error *err)
{
    (void)x, (void)w;
    return wgdn_fail_in(err, WGDN_ENOSUPPORT, in->name,
                        "GraphML and GEXF are read with expat, which this build does not have");
}

#endif

/* ---- GraphML ---- */

typedef enum graphml_place {
    GRAPHML_OUTSIDE,
    GRAPHML_ROOT,
    GRAPHML_KEY,
    GRAPHML_DEFAULT,
    GRAPHML_GRAPH,
    GRAPHML_NODE,
    GRAPHML_EDGE,
    GRAPHML_DATA
} graphml_place;

typedef struct graphml_reading {
    xml_reader x;
    graphml_place data_of;
    wgdn_attribute_key *key; /* of the data that is open */
} graphml_reading;

static wgdn_status begin_graphml_graph(graphml_reading *r, const char *const *attribute)
{
    const char *directed = find_attribute(attribute, "edgedefault");
    if (r->x.graph_seen)
        return wgdn_attributes_refuse(&r->x.g, "a second graph: expected one in a file");
    r->x.graph_seen = true;
    r->x.at = GRAPHML_GRAPH;
    r->x.g.all_directed = directed && strcmp(directed, "directed") == 0;
    return wgdn_attributes_settle(&r->x.g);
}

static wgdn_status begin_key(graphml_reading *r, const char *const *attribute)
{
    if (r->x.graph_seen)
        return wgdn_attributes_refuse(&r->x.g, "a key behind the graph: expected before");
    r->x.at = GRAPHML_KEY;
    return wgdn_attributes_add_key(
        &r->x.g, find_attribute(attribute, "id"), find_attribute(attribute, "for"),
        find_attribute(attribute, "attr.name"), find_attribute(attribute, "attr.type"));
}

static wgdn_status begin_graphml_edge(graphml_reading *r, const char *const *attribute)
{
    wgdn_attributes *g = &r->x.g;
    const char *directed = find_attribute(attribute, "directed");
    if (find_attribute(attribute, "sourceport") || find_attribute(attribute, "targetport"))
        return wgdn_attributes_refuse(&r->x.g, "an edge with ports, which are not read");
    r->x.at = GRAPHML_EDGE;
    const wgdn_status st =
        wgdn_attributes_begin_edge(g, wgdn_attributes_text(find_attribute(attribute, "source")),
                                   wgdn_attributes_text(find_attribute(attribute, "target")));
    if (directed) g->directed = strcmp(directed, "true") == 0;
    return st;
}

/* Begins a value; values that are not used are skipped, whatever they contain. */
static wgdn_status begin_data(graphml_reading *r, const char *const *attribute)
{
    const int side = r->x.at == GRAPHML_NODE ? WGDN_ATTRIBUTE_NODE : WGDN_ATTRIBUTE_EDGE;
    r->key = wgdn_attributes_find_key(&r->x.g, find_attribute(attribute, "key"));
    if (!r->key) return WGDN_EFORMAT;
    if (!r->key->use[side]) {
        r->x.skipped = 1;
        return WGDN_OK;
    }
    r->data_of = (graphml_place)r->x.at;
    r->x.at = GRAPHML_DATA;
    collect_text(&r->x);
    return WGDN_OK;
}

static wgdn_status refuse_graphml(const graphml_reading *r, const char *name)
{
    static const char *const where[] = {"the file", "<graphml>", "<key>",  "<default>",
                                        "<graph>",  "<node>",    "<edge>", "<data>"};
    if (strcmp(name, "hyperedge") == 0 || strcmp(name, "port") == 0)
        return wgdn_attributes_refuse(&r->x.g, "<%s>: edges between two nodes are read, no others",
                                      name);
    if (strcmp(name, "graph") == 0)
        return wgdn_attributes_refuse(&r->x.g, "a graph within %s: nested graphs are not read",
                                      where[r->x.at]);
    return wgdn_attributes_refuse(&r->x.g, "<%.40s> is not expected in %s", name, where[r->x.at]);
}

static wgdn_status begin_graphml(xml_reader *x, const char *name, const char *const *attribute)
{
    graphml_reading *r = (graphml_reading *)x;
    const bool data = strcmp(name, "data") == 0;
    if (r->x.at == GRAPHML_OUTSIDE && strcmp(name, "graphml") == 0) {
        r->x.at = GRAPHML_ROOT;
        return WGDN_OK;
    }
    if (r->x.at == GRAPHML_OUTSIDE)
        return wgdn_attributes_refuse(&r->x.g, "<%.40s>: expected <graphml>", name);
    if (strcmp(name, "desc") == 0 ||
        (data && (r->x.at == GRAPHML_ROOT || r->x.at == GRAPHML_GRAPH))) {
        r->x.skipped = 1;
        return WGDN_OK;
    }
    if (data && (r->x.at == GRAPHML_NODE || r->x.at == GRAPHML_EDGE))
        return begin_data(r, attribute);
    if (r->x.at == GRAPHML_ROOT && strcmp(name, "key") == 0) return begin_key(r, attribute);
    if (r->x.at == GRAPHML_ROOT && strcmp(name, "graph") == 0)
        return begin_graphml_graph(r, attribute);
    if (r->x.at == GRAPHML_GRAPH && strcmp(name, "edge") == 0)
        return begin_graphml_edge(r, attribute);
    if (r->x.at == GRAPHML_GRAPH && strcmp(name, "node") == 0) {
        r->x.at = GRAPHML_NODE;
        return wgdn_attributes_begin_node(&r->x.g,
                                          wgdn_attributes_text(find_attribute(attribute, "id")));
    }
    if (r->x.at == GRAPHML_KEY && strcmp(name, "default") == 0) {
        r->x.at = GRAPHML_DEFAULT;
        collect_text(&r->x);
        return WGDN_OK;
    }
    return refuse_graphml(r, name);
}

static wgdn_status end_graphml(xml_reader *x)
{
    graphml_reading *r = (graphml_reading *)x;
    const graphml_place at = (graphml_place)x->at;
    switch (at) {
    case GRAPHML_OUTSIDE: break;
    case GRAPHML_ROOT: r->x.at = GRAPHML_OUTSIDE; break;
    case GRAPHML_KEY:
    case GRAPHML_GRAPH: r->x.at = GRAPHML_ROOT; break;
    case GRAPHML_DEFAULT:
        r->x.at = GRAPHML_KEY;
        return wgdn_attributes_default(&r->x.g, end_text(x));
    case GRAPHML_NODE: r->x.at = GRAPHML_GRAPH; return wgdn_attributes_end_node(&r->x.g);
    case GRAPHML_EDGE: r->x.at = GRAPHML_GRAPH; return wgdn_attributes_end_edge(&r->x.g);
    case GRAPHML_DATA:
        r->x.at = r->data_of;
        return wgdn_attributes_value(
            &r->x.g, r->key, r->x.at == GRAPHML_NODE ? WGDN_ATTRIBUTE_NODE : WGDN_ATTRIBUTE_EDGE,
            end_text(x));
    }
    return WGDN_OK;
}

static wgdn_status parse_graphml(wgdn_draft *w, const wgdn_input *in, wgdn_error *err)
{
    graphml_reading r = {.x = {.begin = begin_graphml, .end = end_graphml}};
    return read_xml(&r.x, w, in, err);
}

static bool is_graphml(wgdn_text start)
{
    return wgdn_text_holds(start, "<graphml");
}

const wgdn_format wgdn_graphml_format = {
    .info = {"graphml", (const char *const[]){".graphml", ".graphml.gz", NULL},
             "One graph as XML, as NetworkX, igraph, Gephi and yEd write it", 1, 0},
    .look = is_graphml,
    .parse = parse_graphml,
};

/* ---- GEXF ---- */

typedef enum gexf_place {
    GEXF_OUTSIDE,
    GEXF_ROOT,
    GEXF_GRAPH,
    GEXF_ATTRIBUTES,
    GEXF_ATTRIBUTE,
    GEXF_DEFAULT,
    GEXF_NODES,
    GEXF_NODE,
    GEXF_NODE_VALUES,
    GEXF_NODE_VALUE,
    GEXF_EDGES,
    GEXF_EDGE,
    GEXF_EDGE_VALUES,
    GEXF_EDGE_VALUE,
} gexf_place;

typedef struct gexf_reading {
    xml_reader x;
    int side;       /* of the attributes that are declared */
    bool settled;   /* all of them are */
    bool captioned; /* some caption differs from its node's id, and serves for nothing */
    int64_t times;  /* nodes and edges that are there for a while only */
} gexf_reading;

/* The caption of a node is an attribute of its own, behind those that are declared. */
static const char caption[] = "a caption";

static wgdn_text value_of(const char *const *attribute, const char *name)
{
    return wgdn_attributes_text(find_attribute(attribute, name));
}

static wgdn_status begin_gexf_graph(gexf_reading *r, const char *const *attribute)
{
    if (r->x.graph_seen)
        return wgdn_attributes_refuse(&r->x.g, "a second graph: expected one in a file");
    r->x.graph_seen = true;
    r->x.g.all_directed = wgdn_text_is(value_of(attribute, "defaultedgetype"), "directed");
    r->x.at = GEXF_GRAPH;
    return WGDN_OK;
}

static wgdn_status begin_attributes(gexf_reading *r, const char *const *attribute)
{
    const wgdn_text of = value_of(attribute, "class");
    const bool nodes = wgdn_text_is(of, "node");
    if (r->settled)
        return wgdn_attributes_refuse(&r->x.g, "attributes behind nodes or edges: expected before");
    if (!nodes && !wgdn_text_is(of, "edge"))
        return wgdn_attributes_refuse(&r->x.g, "attributes of %s: expected class node or edge",
                                      wgdn_show(of).text);
    r->side = nodes ? WGDN_ATTRIBUTE_NODE : WGDN_ATTRIBUTE_EDGE;
    r->x.at = GEXF_ATTRIBUTES;
    return WGDN_OK;
}

static wgdn_status begin_attribute(gexf_reading *r, const char *const *attribute)
{
    const char *title = find_attribute(attribute, "title");
    const wgdn_text id = value_of(attribute, "id");
    r->x.at = GEXF_ATTRIBUTE;
    return wgdn_attributes_declare(&r->x.g, r->side, id, title ? wgdn_attributes_text(title) : id,
                                   wgdn_attributes_type(find_attribute(attribute, "type")));
}

static wgdn_status settle_attributes(gexf_reading *r)
{
    wgdn_attributes *g = &r->x.g;
    const wgdn_text id = wgdn_attributes_text(caption);
    if (r->settled) return WGDN_OK;
    r->settled = true;
    wgdn_status st = wgdn_attributes_declare(g, WGDN_ATTRIBUTE_NODE, id,
                                             wgdn_attributes_text("label"), WGDN_ATTRIBUTE_STRING);
    if (!st) st = wgdn_attributes_settle(g);
    if (!st && !g->key[g->key_ids.count - 1].use[WGDN_ATTRIBUTE_NODE]) {
        g->key[g->key_ids.count - 1].hidden = true;
        g->ignored--;
    }
    return st;
}

static void count_times(gexf_reading *r, const char *const *attribute)
{
    static const char *const word[] = {"start", "end", "startopen", "endopen", "timestamp"};
    for (size_t i = 0; i < sizeof word / sizeof *word; i++)
        if (find_attribute(attribute, word[i])) {
            r->times++;
            return;
        }
}

/* Reads a node; a caption that repeats the id is ignored. */
static wgdn_status begin_gexf_node(gexf_reading *r, const char *const *attribute)
{
    wgdn_attributes *g = &r->x.g;
    const wgdn_text id = value_of(attribute, "id"), label = value_of(attribute, "label");
    r->x.at = GEXF_NODE;
    count_times(r, attribute);
    const wgdn_status st = wgdn_attributes_begin_node(g, id);
    if (st || label.size == 0 || wgdn_text_compare(id, label) == 0) return st;
    wgdn_attribute_key *k =
        wgdn_attributes_find_declared(g, WGDN_ATTRIBUTE_NODE, wgdn_attributes_text(caption));
    if (!k) return WGDN_EFORMAT;
    r->captioned = r->captioned || !k->use[WGDN_ATTRIBUTE_NODE];
    return wgdn_attributes_value(g, k, WGDN_ATTRIBUTE_NODE, label);
}

static wgdn_status begin_gexf_edge(gexf_reading *r, const char *const *attribute)
{
    wgdn_attributes *g = &r->x.g;
    const wgdn_text weight = value_of(attribute, "weight"), type = value_of(attribute, "type");
    r->x.at = GEXF_EDGE;
    count_times(r, attribute);
    wgdn_status st =
        wgdn_attributes_begin_edge(g, value_of(attribute, "source"), value_of(attribute, "target"));
    if (type.size > 0) g->directed = wgdn_text_is(type, "directed");
    if (!st && weight.size > 0) st = wgdn_attributes_weigh(g, weight);
    return st;
}

static wgdn_status begin_value(gexf_reading *r, const char *const *attribute)
{
    const int side = r->x.at == GEXF_NODE_VALUES ? WGDN_ATTRIBUTE_NODE : WGDN_ATTRIBUTE_EDGE;
    const char *key = find_attribute(attribute, "for");
    if (!key) key = find_attribute(attribute, "id"); /* in GEXF_ROOT 1.0 */
    r->x.at = r->x.at == GEXF_NODE_VALUES ? GEXF_NODE_VALUE : GEXF_EDGE_VALUE;
    wgdn_attribute_key *k = wgdn_attributes_find_declared(&r->x.g, side, wgdn_attributes_text(key));
    if (!k) return WGDN_EFORMAT;
    return wgdn_attributes_value(&r->x.g, k, side, value_of(attribute, "value"));
}

static wgdn_status go(gexf_reading *r, gexf_place at)
{
    r->x.at = at;
    return WGDN_OK;
}

/* Whether an element is skipped: appearance, comments, times. */
static bool is_passed_over(const char *name)
{
    static const char *const word[] = {"meta", "spells", "slices", "parents", "options"};
    if (strchr(name, ':')) return true;
    for (size_t i = 0; i < sizeof word / sizeof *word; i++)
        if (strcmp(name, word[i]) == 0) return true;
    return false;
}

static wgdn_status begin_gexf(xml_reader *x, const char *name, const char *const *attribute)
{
    gexf_reading *r = (gexf_reading *)x;
    const bool values = strcmp(name, "attvalues") == 0, value = strcmp(name, "attvalue") == 0;
    if (x->at == GEXF_OUTSIDE) {
        if (strcmp(name, "gexf") != 0)
            return wgdn_attributes_refuse(&x->g, "<%.40s>: expected <gexf>", name);
        return go(r, GEXF_ROOT);
    }
    if (is_passed_over(name)) {
        r->times += strcmp(name, "spells") == 0;
        x->skipped = 1;
        return WGDN_OK;
    }
    if (x->at == GEXF_ROOT && strcmp(name, "graph") == 0) return begin_gexf_graph(r, attribute);
    if (x->at == GEXF_GRAPH && strcmp(name, "attributes") == 0)
        return begin_attributes(r, attribute);
    if (x->at == GEXF_ATTRIBUTES && strcmp(name, "attribute") == 0)
        return begin_attribute(r, attribute);
    if (x->at == GEXF_ATTRIBUTE && strcmp(name, "default") == 0) {
        collect_text(x);
        return go(r, GEXF_DEFAULT);
    }
    if (x->at == GEXF_GRAPH && (strcmp(name, "nodes") == 0 || strcmp(name, "edges") == 0)) {
        x->at = name[0] == 'n' ? GEXF_NODES : GEXF_EDGES;
        return settle_attributes(r);
    }
    if (x->at == GEXF_NODES && strcmp(name, "node") == 0) return begin_gexf_node(r, attribute);
    if (x->at == GEXF_EDGES && strcmp(name, "edge") == 0) return begin_gexf_edge(r, attribute);
    if (values && x->at == GEXF_NODE) return go(r, GEXF_NODE_VALUES);
    if (values && x->at == GEXF_EDGE) return go(r, GEXF_EDGE_VALUES);
    if (value && (x->at == GEXF_NODE_VALUES || x->at == GEXF_EDGE_VALUES))
        return begin_value(r, attribute);
    if (strcmp(name, "nodes") == 0 || strcmp(name, "edges") == 0)
        return wgdn_attributes_refuse(&r->x.g,
                                      "<%s> within a node: graphs within nodes are not read", name);
    return wgdn_attributes_refuse(&r->x.g, "<%.40s> is not expected here", name);
}

static wgdn_status end_gexf(xml_reader *x)
{
    static const gexf_place back[] = {
        [GEXF_OUTSIDE] = GEXF_OUTSIDE,      [GEXF_ROOT] = GEXF_OUTSIDE,
        [GEXF_GRAPH] = GEXF_ROOT,           [GEXF_ATTRIBUTES] = GEXF_GRAPH,
        [GEXF_ATTRIBUTE] = GEXF_ATTRIBUTES, [GEXF_DEFAULT] = GEXF_ATTRIBUTE,
        [GEXF_NODES] = GEXF_GRAPH,          [GEXF_NODE] = GEXF_NODES,
        [GEXF_NODE_VALUES] = GEXF_NODE,     [GEXF_NODE_VALUE] = GEXF_NODE_VALUES,
        [GEXF_EDGES] = GEXF_GRAPH,          [GEXF_EDGE] = GEXF_EDGES,
        [GEXF_EDGE_VALUES] = GEXF_EDGE,     [GEXF_EDGE_VALUE] = GEXF_EDGE_VALUES,
    };
    const int at = x->at;
    x->at = back[at];
    if (at == GEXF_DEFAULT) return wgdn_attributes_default(&x->g, end_text(x));
    if (at == GEXF_NODE) return wgdn_attributes_end_node(&x->g);
    if (at == GEXF_EDGE) return wgdn_attributes_end_edge(&x->g);
    return WGDN_OK;
}

static wgdn_status parse_gexf(wgdn_draft *w, const wgdn_input *in, wgdn_error *err)
{
    gexf_reading r = {.x = {.begin = begin_gexf, .end = end_gexf}};
    const wgdn_status st = read_xml(&r.x, w, in, err);
    if (st) return st;
    w->d->counts.attributes_ignored += r.captioned;
    if (r.captioned) wgdn_dataset_ignore(w->d, wgdn_attributes_text("label"));
    if (r.times == 0) return WGDN_OK;
    return wgdn_remarks_add(&w->d->remarks, "times-ignored", r.times, err,
                            "%lld nodes or edges have times, which are not used",
                            (long long)r.times);
}

static bool is_gexf(wgdn_text start)
{
    return wgdn_text_holds(start, "<gexf");
}

const wgdn_format wgdn_gexf_format = {
    .info = {"gexf", (const char *const[]){".gexf", ".gexf.gz", NULL},
             "One graph as XML, as Gephi and NetworkX write it", 1, 0},
    .look = is_gexf,
    .parse = parse_gexf,
};
