/* SPDX-License-Identifier: Apache-2.0 */
#define _DEFAULT_SOURCE
#include "scratch.h"

#include "formats/graphml.h"

static wgdn_error err;

static wgdn_status load(wgdn_dataset **d, const char *text, const wgdn_dataset_options *o)
{
    err.message[0] = '\0';
    *d = NULL;
    scratch_write("g.graphml", text, strlen(text));
    return wgdn_dataset_read(d, scratch("g.graphml").text, o, &err);
}

#define HEAD                                            \
    "<?xml version='1.0' encoding='utf-8'?>\n<graphml " \
    "xmlns='http://graphml.graphdrawing.org/xmlns'>\n"
#define TAIL "</graphml>\n"
#define GRAPH(inside) "<graph edgedefault='undirected'>\n" inside "</graph>\n"

static const char small[] = HEAD
    "<key id='w' for='edge' attr.name='weight' attr.type='double'/>\n"
    "<key id='k' for='edge' attr.name='kind' attr.type='string'/>\n"
    "<key id='a' for='node' attr.name='age' attr.type='long'/>\n"
    "<key id='b' for='node' attr.name='on' attr.type='boolean'><default>true</default></key>\n"
    "<key id='c' for='node' attr.name='class' attr.type='string'><default>r</default></key>\n"
    "<key id='d' for='node' attr.name='motto' attr.type='string'/>\n" GRAPH(
        "<desc>of <b>people</b></desc>\n"
        "<edge source='bob' target='ann'><data key='w'>2.5</data><data key='k'>x</data></edge>\n"
        "<node id='ann'><data key='b'>False</data><data key='a'> 31 </data></node>\n"
        "<node id='bob'><data key='c'>g</data><data key='d'>a &amp; <i>b</i></data></node>\n"
        "<node id='cleo &#233;'/>\n"
        "<edge directed='true' source='ann' target='bob'/>\n"
        "<edge source='ann' target='ann'/>\n"
        "<edge source='ann' target='cleo &#233;'><data key='w'>0</data></edge>\n") TAIL;

static void known_answer(void)
{
    wgdn_dataset *d;
    wgdn_dataset_info c = {.struct_size = sizeof c};
    CHECK(load(&d, small, NULL) == WGDN_OK);
    if (!d) {
        CHECK_TEXT(err.message, "");
        return;
    }
    wgdn_dataset_get_info(&c, d);
    CHECK(wgdn_dataset_nodes(d) == 3 && edge_count(d) == 1);
    CHECK(c.edges_read == 4 && c.self_loops == 1 && c.repeats == 1 && c.zero_weights == 1);
    CHECK(c.weighted && c.weight_min == 3.5 && c.weight_max == 3.5); /* 2.5 one way, 1 back */
    CHECK(c.other_weights == 0 && c.without_features == 0 && c.attributes_ignored == 2);
    /* Nodes as they first appear: bob, in an edge; then ann, then cleo. */
    CHECK(wgdn_dataset_find(d, "bob", 3) == 0 && wgdn_dataset_find(d, "ann", 3) == 1);
    CHECK(wgdn_dataset_find(d, "cleo \xc3\xa9", 7) == 2);
    CHECK(wgdn_graph_degree(wgdn_dataset_get_graph(d), 2) == 0);
    const float want[] = {0, 1, 31, 0, 0, 1};
    CHECK(wgdn_dataset_features(d) == 2 && wgdn_dataset_get_dense(d));
    for (int i = 0; i < 6; i++)
        CHECK(wgdn_dataset_get_dense(d)[i] == want[i]);
    CHECK(wgdn_dataset_classes(d) == 2); /* g, r */
    CHECK(wgdn_dataset_label(d, 0) == 0 && wgdn_dataset_label(d, 1) == 1);
    CHECK(wgdn_dataset_label(d, 2) == 1);
    wgdn_dataset_free(d);
}

/* Integer ids are numbered by value, as everywhere; features and labels go with them. */
static void integers_are_numbered_by_value(void)
{
    wgdn_dataset *d;
    CHECK(load(&d,
               HEAD "<key id='x' for='all' attr.name='x' attr.type='float'/>\n"
                    "<key id='y' for='node' attr.name='label' attr.type='int'/>\n" GRAPH(
                        "<node id='2'><data key='x'>2</data><data key='y'>7</data></node>\n"
                        "<node id='0'><data key='x'>-1</data><data key='y'>5</data></node>\n"
                        "<node id='1'/><edge source='2' target='0'/>\n") TAIL,
               NULL) == WGDN_OK);
    if (!d) {
        CHECK_TEXT(err.message, "");
        return;
    }
    const float want[] = {-1, 0, 2};
    CHECK(!info_of(d).has_ids && wgdn_dataset_features(d) == 1);
    for (int i = 0; i < 3; i++)
        CHECK(wgdn_dataset_get_dense(d)[i] == want[i]);
    CHECK(wgdn_dataset_label(d, 0) == 0 && wgdn_dataset_label(d, 1) == -1);
    CHECK(wgdn_dataset_label(d, 2) == 1);
    CHECK(wgdn_graph_degree(wgdn_dataset_get_graph(d), 1) == 0);
    wgdn_dataset_free(d);
}

/* igraph makes ids up and keeps names beside them; Gephi calls its captions labels. */
static void names_and_captions(void)
{
    static const char named[] =
        HEAD "<key id='v_name' for='node' attr.name='name' attr.type='string'/>\n"
             "<key id='l' for='node' attr.name='label' attr.type='string'/>\n" GRAPH(
                 "<node id='n0'><data key='v_name'>x</data><data key='l'>one</data></node>\n"
                 "<node id='n1'><data key='v_name'>7</data><data key='l'>two</data></node>\n") TAIL;
    wgdn_dataset_options o;
    wgdn_dataset_info c = {.struct_size = sizeof c};
    wgdn_dataset *d;
    CHECK(load(&d, named, NULL) == WGDN_OK);
    if (!d) return;
    wgdn_dataset_get_info(&c, d);
    CHECK(wgdn_dataset_find(d, "7", 1) == 1 && wgdn_dataset_find(d, "n0", 2) == -1);
    CHECK(wgdn_dataset_classes(d) == 0 && c.attributes_ignored == 1);
    wgdn_dataset_free(d);

    wgdn_dataset_options_init(&o);
    o.label_column = "label"; /* asked for, so they are classes */
    CHECK(load(&d, named, &o) == WGDN_OK && wgdn_dataset_classes(d) == 2);
    wgdn_dataset_free(d);
    o.label_column = "colour";
    CHECK(load(&d, named, &o) == WGDN_EFORMAT);
    CHECK(strstr(err.message, "no key of nodes has the name 'colour'"));
}

static void bad_files_are_named(void)
{
    static const struct {
        const char *text, *says;
    } bad[] = {
        {"", "g.graphml:1:1: no element found"},
        {"0 1\n", "g.graphml:1:1: "},
        {"<gexf/>", "g.graphml:1: <gexf>: expected <graphml>"},
        {HEAD TAIL, "no graph in it"},
        {HEAD GRAPH("") TAIL, "no nodes in it"},
        {HEAD GRAPH("<node id='a'/>\n<node>"), "g.graphml:5: a node without an id"},
        {HEAD GRAPH("<node id='a'/>\n<node id='a'/>"), "again: the first is on line 4"},
        {HEAD GRAPH("<node id='a'/>\n<edge source='a' target='b'/>\n") TAIL,
         "g.graphml:5: an end of the edge is \"b\", which is no node of the graph"},
        {HEAD GRAPH("<edge source='a'/>"), "an edge without source or target"},
        {HEAD GRAPH("<edge source='a' target='b' sourceport='p'/>"), "with ports"},
        {HEAD GRAPH("<hyperedge/>"), "<hyperedge>: edges between two nodes are read"},
        {HEAD GRAPH("<node id='a'><port name='p'/></node>"), "<port>: edges between"},
        {HEAD GRAPH("<node id='a'><graph/></node>"), "within <node>: nested graphs"},
        {HEAD GRAPH("") GRAPH(""), "a second graph"},
        {HEAD GRAPH("<node id='a'><x/></node>"), "<x> is not expected in <node>"},
        {HEAD GRAPH("<node id='a'><data key='x'/></node>"), "\"x\", which is not declared"},
        {HEAD "<key id='x'/><key id='x'/>", "the key \"x\" again"},
        {HEAD "<key for='node'/>", "a key without an id"},
        {HEAD GRAPH("") "<key id='x'/>", "a key behind the graph"},
        {HEAD
         "<key id='x' attr.type='int'/>" GRAPH("<node id='a'>\n<data key='x'>nan</data></node>"),
         "g.graphml:5: \"nan\" is not a finite number"},
        {HEAD "<key id='x' attr.type='int'><default>one</default></key>",
         "\"one\" is not a finite"},
        {HEAD "<key id='x' attr.type='int'/>" GRAPH(
             "<node id='a'><data key='x'>1</data><data key='x'>1</data></node>"),
         "the key \"x\" twice"},
        {HEAD
         "<key id='x' attr.type='int'/>" GRAPH("<node id='a'><data key='x'><b/></data></node>"),
         "<b> is not expected in <data>"},
        {HEAD "<key id='w' attr.name='weight' for='edge' attr.type='float'/>" GRAPH(
             "<edge source='a' target='b'><data key='w'>1e99</data></edge>"),
         "\"1e99\" is not a finite number"},
        {HEAD GRAPH("<node id='a'>"), "mismatched tag"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        wgdn_dataset *d;
        CHECK(load(&d, bad[i].text, NULL) == WGDN_EFORMAT && !d);
        if (!strstr(err.message, bad[i].says)) CHECK_TEXT(err.message, bad[i].says);
    }
}

/* Entities that blow up, elements without end, long values: refused before they cost anything. */
static void attacks_are_refused(void)
{
    enum { LONG = 100000 };
    wgdn_dataset *d;
    char *text = wgdn_alloc(LONG, 4);
    CHECK(load(&d,
               "<!DOCTYPE graphml [<!ENTITY a 'aaaaaaaaaa'><!ENTITY b '&a;&a;&a;&a;&a;&a;'>]>\n"
               "<graphml>&b;</graphml>",
               NULL) == WGDN_EFORMAT);
    CHECK(strstr(err.message, "g.graphml:1: a DOCTYPE"));
    if (!text) return;
    int used = sprintf(text, HEAD "<graph><desc>");
    for (int i = 0; i < LONG; i++)
        used += sprintf(text + used, "<a>");
    CHECK(load(&d, text, NULL) == WGDN_EFORMAT && strstr(err.message, "more than 64"));
    used = sprintf(text, HEAD "<key id='x' attr.type='int'><default>");
    memset(text + used, '1', LONG);
    text[used + LONG] = '\0';
    CHECK(load(&d, text, NULL) == WGDN_EFORMAT && strstr(err.message, "more than 65535 bytes"));
    wgdn_release(text);
}

static void limits(void)
{
    wgdn_dataset_options o;
    wgdn_dataset *d;
    wgdn_dataset_options_init(&o);
    o.max_nodes = 2;
    CHECK(load(&d, small, &o) == WGDN_ERANGE && strstr(err.message, "more than 2 different nodes"));
    wgdn_dataset_options_init(&o);
    o.max_entries = 1;
    CHECK(load(&d, small, &o) == WGDN_ERANGE);
    wgdn_dataset_options_init(&o);
    o.max_bytes = 100;
    CHECK(load(&d, small, &o) == WGDN_EFORMAT && strstr(err.message, "bytes allowed"));
}

static int stop_at_once(void *user, int64_t done, int64_t total)
{
    *(int64_t *)user = done;
    return done > total;
}

static int stop_now(void *user, int64_t done, int64_t total)
{
    (void)user, (void)done, (void)total;
    return 1;
}

static void a_watcher_is_told(void)
{
    enum { LARGE = 3 << 20 };
    wgdn_dataset_options o;
    wgdn_dataset *d;
    int64_t done = 0;
    char *text = wgdn_alloc(LARGE + 1024, 1);
    if (!text) return;
    int used = sprintf(text, HEAD "<graph>");
    for (int i = 0; used < LARGE; i++)
        used += sprintf(text + used, "<node id='%d'/>\n", i);
    sprintf(text + used, "</graph>" TAIL);
    wgdn_dataset_options_init(&o);
    o.progress = stop_at_once;
    o.progress_user = &done;
    CHECK(load(&d, text, &o) == WGDN_OK && done > 2 << 20);
    wgdn_dataset_free(d);
    o.progress = stop_now;
    CHECK(load(&d, text, &o) == WGDN_ESTOPPED && strstr(err.message, "stopped on request"));
    wgdn_release(text);
}

static void failures_leave_nothing(void)
{
    wgdn_dataset *d = NULL;
    scratch_write("g.graphml", small, strlen(small));
    CHECK_ALLOCATIONS(wgdn_dataset_read(&d, scratch("g.graphml").text, NULL, NULL),
                      wgdn_dataset_free(d));
    CHECK_FILE_OPERATIONS(wgdn_dataset_read(&d, scratch("g.graphml").text, NULL, NULL),
                          wgdn_dataset_free(d));
}

int main(void)
{
    const wgdn_feature *f;
    for (int i = 0; (f = wgdn_feature_get(i)) && strcmp(f->name, "expat") != 0;)
        i++;
    if (!f || !f->present) return 77;
    scratch_begin();
    RUN(known_answer);
    RUN(integers_are_numbered_by_value);
    RUN(names_and_captions);
    RUN(bad_files_are_named);
    RUN(attacks_are_refused);
    RUN(limits);
    RUN(a_watcher_is_told);
    RUN(failures_leave_nothing);
    CHECK(wgdn_alloc_live() == 0);
    scratch_end();
    return check_result();
}
