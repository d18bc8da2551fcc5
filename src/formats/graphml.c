/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads GraphML for one graph. It parses with xml.c and passes nodes, edges and their keys to
 * attributes.c.
 */
#include "formats.h"
#include "xml.h"

#include <string.h>

typedef enum place { OUTSIDE, GRAPHML, KEY, DEFAULT, GRAPH, NODE, EDGE, DATA } place;

typedef struct reading {
    wgdn_xml x;
    place data_of;
    wgdn_attribute_key *key; /* of the data that is open */
} reading;

static wgdn_status begin_graph(reading *r, const char *const *attribute)
{
    const char *directed = wgdn_xml_get(attribute, "edgedefault");
    if (r->x.graph_seen)
        return wgdn_attributes_refuse(&r->x.g, "a second graph: expected one in a file");
    r->x.graph_seen = true;
    r->x.at = GRAPH;
    r->x.g.all_directed = directed && strcmp(directed, "directed") == 0;
    return wgdn_attributes_settle(&r->x.g);
}

static wgdn_status begin_key(reading *r, const char *const *attribute)
{
    if (r->x.graph_seen)
        return wgdn_attributes_refuse(&r->x.g, "a key behind the graph: expected before");
    r->x.at = KEY;
    return wgdn_attributes_add_key(
        &r->x.g, wgdn_xml_get(attribute, "id"), wgdn_xml_get(attribute, "for"),
        wgdn_xml_get(attribute, "attr.name"), wgdn_xml_get(attribute, "attr.type"));
}

static wgdn_status begin_edge(reading *r, const char *const *attribute)
{
    wgdn_attributes *g = &r->x.g;
    const char *directed = wgdn_xml_get(attribute, "directed");
    if (wgdn_xml_get(attribute, "sourceport") || wgdn_xml_get(attribute, "targetport"))
        return wgdn_attributes_refuse(&r->x.g, "an edge with ports, which are not read");
    r->x.at = EDGE;
    const wgdn_status st =
        wgdn_attributes_begin_edge(g, wgdn_attributes_text(wgdn_xml_get(attribute, "source")),
                                   wgdn_attributes_text(wgdn_xml_get(attribute, "target")));
    if (directed) g->directed = strcmp(directed, "true") == 0;
    return st;
}

/* Values that are not used are passed over, whatever they hold. */
static wgdn_status begin_data(reading *r, const char *const *attribute)
{
    const int side = r->x.at == NODE ? WGDN_ATTRIBUTE_NODE : WGDN_ATTRIBUTE_EDGE;
    r->key = wgdn_attributes_find_key(&r->x.g, wgdn_xml_get(attribute, "key"));
    if (!r->key) return WGDN_EFORMAT;
    if (!r->key->use[side]) {
        r->x.skipped = 1;
        return WGDN_OK;
    }
    r->data_of = (place)r->x.at;
    r->x.at = DATA;
    wgdn_xml_collect(&r->x);
    return WGDN_OK;
}

static wgdn_status refuse_element(const reading *r, const char *name)
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

static wgdn_status begin_element(wgdn_xml *x, const char *name, const char *const *attribute)
{
    reading *r = (reading *)x;
    const bool data = strcmp(name, "data") == 0;
    if (r->x.at == OUTSIDE && strcmp(name, "graphml") == 0) {
        r->x.at = GRAPHML;
        return WGDN_OK;
    }
    if (r->x.at == OUTSIDE)
        return wgdn_attributes_refuse(&r->x.g, "<%.40s>: expected <graphml>", name);
    if (strcmp(name, "desc") == 0 || (data && (r->x.at == GRAPHML || r->x.at == GRAPH))) {
        r->x.skipped = 1;
        return WGDN_OK;
    }
    if (data && (r->x.at == NODE || r->x.at == EDGE)) return begin_data(r, attribute);
    if (r->x.at == GRAPHML && strcmp(name, "key") == 0) return begin_key(r, attribute);
    if (r->x.at == GRAPHML && strcmp(name, "graph") == 0) return begin_graph(r, attribute);
    if (r->x.at == GRAPH && strcmp(name, "edge") == 0) return begin_edge(r, attribute);
    if (r->x.at == GRAPH && strcmp(name, "node") == 0) {
        r->x.at = NODE;
        return wgdn_attributes_begin_node(&r->x.g,
                                          wgdn_attributes_text(wgdn_xml_get(attribute, "id")));
    }
    if (r->x.at == KEY && strcmp(name, "default") == 0) {
        r->x.at = DEFAULT;
        wgdn_xml_collect(&r->x);
        return WGDN_OK;
    }
    return refuse_element(r, name);
}

static wgdn_status end(wgdn_xml *x)
{
    reading *r = (reading *)x;
    const place at = (place)x->at;
    switch (at) {
    case OUTSIDE: break;
    case GRAPHML: r->x.at = OUTSIDE; break;
    case KEY:
    case GRAPH: r->x.at = GRAPHML; break;
    case DEFAULT: r->x.at = KEY; return wgdn_attributes_default(&r->x.g, wgdn_xml_text(x));
    case NODE: r->x.at = GRAPH; return wgdn_attributes_end_node(&r->x.g);
    case EDGE: r->x.at = GRAPH; return wgdn_attributes_end_edge(&r->x.g);
    case DATA:
        r->x.at = r->data_of;
        return wgdn_attributes_value(&r->x.g, r->key,
                                     r->x.at == NODE ? WGDN_ATTRIBUTE_NODE : WGDN_ATTRIBUTE_EDGE,
                                     wgdn_xml_text(x));
    }
    return WGDN_OK;
}

static wgdn_status parse_graphml(wgdn_draft *w, const wgdn_input *in, wgdn_error *err)
{
    reading r = {.x = {.begin = begin_element, .end = end}};
    return wgdn_xml_read(&r.x, w, in, err);
}

static bool recognize_start(wgdn_text start)
{
    return wgdn_text_holds(start, "<graphml");
}

const wgdn_format wgdn_graphml_format = {
    .info = {"graphml", (const char *const[]){".graphml", ".graphml.gz", NULL},
             "One graph as XML, as NetworkX, igraph, Gephi and yEd write it", 1, 0},
    .look = recognize_start,
    .parse = parse_graphml,
};
