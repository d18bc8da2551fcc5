/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads GEXF, the XML format of Gephi, for one graph. It parses with xml.c and passes nodes and
 * edges to attributes.c.
 */
#include "formats.h"
#include "xml.h"

#include <string.h>

typedef enum place {
    OUTSIDE,
    GEXF,
    GRAPH,
    ATTRIBUTES,
    ATTRIBUTE,
    DEFAULT,
    NODES,
    NODE,
    NODE_VALUES,
    NODE_VALUE,
    EDGES,
    EDGE,
    EDGE_VALUES,
    EDGE_VALUE,
} place;

typedef struct reading {
    wgdn_xml x;
    int side;       /* of the attributes that are declared */
    bool settled;   /* all of them are */
    bool captioned; /* some caption differs from its node's id, and serves for nothing */
    int64_t times;  /* nodes and edges that are there for a while only */
} reading;

/* The caption of a node is an attribute of its own, behind those that are declared. */
static const char caption[] = "a caption";

static wgdn_text value_of(const char *const *attribute, const char *name)
{
    return wgdn_attributes_text(wgdn_xml_get(attribute, name));
}

static wgdn_status begin_graph(reading *r, const char *const *attribute)
{
    if (r->x.graph_seen)
        return wgdn_attributes_refuse(&r->x.g, "a second graph: expected one in a file");
    r->x.graph_seen = true;
    r->x.g.all_directed = wgdn_text_is(value_of(attribute, "defaultedgetype"), "directed");
    r->x.at = GRAPH;
    return WGDN_OK;
}

static wgdn_status begin_attributes(reading *r, const char *const *attribute)
{
    const wgdn_text of = value_of(attribute, "class");
    const bool nodes = wgdn_text_is(of, "node");
    if (r->settled)
        return wgdn_attributes_refuse(&r->x.g, "attributes behind nodes or edges: expected before");
    if (!nodes && !wgdn_text_is(of, "edge"))
        return wgdn_attributes_refuse(&r->x.g, "attributes of %s: expected class node or edge",
                                      wgdn_show(of).text);
    r->side = nodes ? WGDN_ATTRIBUTE_NODE : WGDN_ATTRIBUTE_EDGE;
    r->x.at = ATTRIBUTES;
    return WGDN_OK;
}

static wgdn_status begin_attribute(reading *r, const char *const *attribute)
{
    const char *title = wgdn_xml_get(attribute, "title");
    const wgdn_text id = value_of(attribute, "id");
    r->x.at = ATTRIBUTE;
    return wgdn_attributes_declare(&r->x.g, r->side, id, title ? wgdn_attributes_text(title) : id,
                                   wgdn_attributes_type(wgdn_xml_get(attribute, "type")));
}

static wgdn_status settle_attributes(reading *r)
{
    wgdn_attributes *g = &r->x.g;
    const wgdn_text id = wgdn_attributes_text(caption);
    if (r->settled) return WGDN_OK;
    r->settled = true;
    wgdn_status st = wgdn_attributes_declare(g, WGDN_ATTRIBUTE_NODE, id,
                                             wgdn_attributes_text("label"), WGDN_ATTRIBUTE_STRING);
    if (!st) st = wgdn_attributes_settle(g);
    if (!st && !g->key[g->key_ids.count - 1].use[WGDN_ATTRIBUTE_NODE]) g->ignored--;
    return st;
}

static void count_times(reading *r, const char *const *attribute)
{
    static const char *const word[] = {"start", "end", "startopen", "endopen", "timestamp"};
    for (size_t i = 0; i < sizeof word / sizeof *word; i++)
        if (wgdn_xml_get(attribute, word[i])) {
            r->times++;
            return;
        }
}

/* A caption that repeats the id says nothing. */
static wgdn_status begin_node(reading *r, const char *const *attribute)
{
    wgdn_attributes *g = &r->x.g;
    const wgdn_text id = value_of(attribute, "id"), label = value_of(attribute, "label");
    r->x.at = NODE;
    count_times(r, attribute);
    const wgdn_status st = wgdn_attributes_begin_node(g, id);
    if (st || label.size == 0 || wgdn_text_compare(id, label) == 0) return st;
    wgdn_attribute_key *k =
        wgdn_attributes_find_declared(g, WGDN_ATTRIBUTE_NODE, wgdn_attributes_text(caption));
    if (!k) return WGDN_EFORMAT;
    r->captioned = r->captioned || !k->use[WGDN_ATTRIBUTE_NODE];
    return wgdn_attributes_value(g, k, WGDN_ATTRIBUTE_NODE, label);
}

static wgdn_status begin_edge(reading *r, const char *const *attribute)
{
    wgdn_attributes *g = &r->x.g;
    const wgdn_text weight = value_of(attribute, "weight"), type = value_of(attribute, "type");
    r->x.at = EDGE;
    count_times(r, attribute);
    wgdn_status st =
        wgdn_attributes_begin_edge(g, value_of(attribute, "source"), value_of(attribute, "target"));
    if (type.size > 0) g->directed = wgdn_text_is(type, "directed");
    if (!st && weight.size > 0) st = wgdn_attributes_weigh(g, weight);
    return st;
}

static wgdn_status begin_value(reading *r, const char *const *attribute)
{
    const int side = r->x.at == NODE_VALUES ? WGDN_ATTRIBUTE_NODE : WGDN_ATTRIBUTE_EDGE;
    const char *key = wgdn_xml_get(attribute, "for");
    if (!key) key = wgdn_xml_get(attribute, "id"); /* in GEXF 1.0 */
    r->x.at = r->x.at == NODE_VALUES ? NODE_VALUE : EDGE_VALUE;
    wgdn_attribute_key *k = wgdn_attributes_find_declared(&r->x.g, side, wgdn_attributes_text(key));
    if (!k) return WGDN_EFORMAT;
    return wgdn_attributes_value(&r->x.g, k, side, value_of(attribute, "value"));
}

static wgdn_status go(reading *r, place at)
{
    r->x.at = at;
    return WGDN_OK;
}

/* What stands beside the graph's own elements: looks, comments, times. */
static bool is_passed_over(const char *name)
{
    static const char *const word[] = {"meta", "spells", "slices", "parents", "options"};
    if (strchr(name, ':')) return true;
    for (size_t i = 0; i < sizeof word / sizeof *word; i++)
        if (strcmp(name, word[i]) == 0) return true;
    return false;
}

static wgdn_status refuse_element(const reading *r, const char *name)
{
    if (strcmp(name, "nodes") == 0 || strcmp(name, "edges") == 0)
        return wgdn_attributes_refuse(&r->x.g,
                                      "<%s> within a node: graphs within nodes are not read", name);
    return wgdn_attributes_refuse(&r->x.g, "<%.40s> is not expected here", name);
}

static wgdn_status begin_element(wgdn_xml *x, const char *name, const char *const *attribute)
{
    reading *r = (reading *)x;
    const bool values = strcmp(name, "attvalues") == 0, value = strcmp(name, "attvalue") == 0;
    if (x->at == OUTSIDE) {
        if (strcmp(name, "gexf") != 0)
            return wgdn_attributes_refuse(&x->g, "<%.40s>: expected <gexf>", name);
        return go(r, GEXF);
    }
    if (is_passed_over(name)) {
        r->times += strcmp(name, "spells") == 0;
        x->skipped = 1;
        return WGDN_OK;
    }
    if (x->at == GEXF && strcmp(name, "graph") == 0) return begin_graph(r, attribute);
    if (x->at == GRAPH && strcmp(name, "attributes") == 0) return begin_attributes(r, attribute);
    if (x->at == ATTRIBUTES && strcmp(name, "attribute") == 0) return begin_attribute(r, attribute);
    if (x->at == ATTRIBUTE && strcmp(name, "default") == 0) {
        wgdn_xml_collect(x);
        return go(r, DEFAULT);
    }
    if (x->at == GRAPH && (strcmp(name, "nodes") == 0 || strcmp(name, "edges") == 0)) {
        x->at = name[0] == 'n' ? NODES : EDGES;
        return settle_attributes(r);
    }
    if (x->at == NODES && strcmp(name, "node") == 0) return begin_node(r, attribute);
    if (x->at == EDGES && strcmp(name, "edge") == 0) return begin_edge(r, attribute);
    if (values && x->at == NODE) return go(r, NODE_VALUES);
    if (values && x->at == EDGE) return go(r, EDGE_VALUES);
    if (value && (x->at == NODE_VALUES || x->at == EDGE_VALUES)) return begin_value(r, attribute);
    return refuse_element(r, name);
}

static wgdn_status end(wgdn_xml *x)
{
    static const place back[] = {
        [OUTSIDE] = OUTSIDE,      [GEXF] = OUTSIDE,           [GRAPH] = GEXF,  [ATTRIBUTES] = GRAPH,
        [ATTRIBUTE] = ATTRIBUTES, [DEFAULT] = ATTRIBUTE,      [NODES] = GRAPH, [NODE] = NODES,
        [NODE_VALUES] = NODE,     [NODE_VALUE] = NODE_VALUES, [EDGES] = GRAPH, [EDGE] = EDGES,
        [EDGE_VALUES] = EDGE,     [EDGE_VALUE] = EDGE_VALUES,
    };
    const int at = x->at;
    x->at = back[at];
    if (at == DEFAULT) return wgdn_attributes_default(&x->g, wgdn_xml_text(x));
    if (at == NODE) return wgdn_attributes_end_node(&x->g);
    if (at == EDGE) return wgdn_attributes_end_edge(&x->g);
    return WGDN_OK;
}

static wgdn_status parse_gexf(wgdn_draft *w, const wgdn_input *in, wgdn_error *err)
{
    reading r = {.x = {.begin = begin_element, .end = end}};
    const wgdn_status st = wgdn_xml_read(&r.x, w, in, err);
    if (st) return st;
    w->d->counts.attributes_ignored += r.captioned;
    if (r.times == 0) return WGDN_OK;
    return wgdn_remarks_add(&w->d->remarks, "times-ignored", r.times, err,
                            "%lld nodes or edges have times, which are not used",
                            (long long)r.times);
}

static bool recognize_start(wgdn_text start)
{
    return wgdn_text_holds(start, "<gexf");
}

const wgdn_format wgdn_gexf_format = {
    .info = {"gexf", (const char *const[]){".gexf", ".gexf.gz", NULL},
             "One graph as XML, as Gephi and NetworkX write it", 1, 0},
    .look = recognize_start,
    .parse = parse_gexf,
};
