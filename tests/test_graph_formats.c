/* SPDX-License-Identifier: Apache-2.0 */
/* Formats of graphs, and which one a file has. */
#define _DEFAULT_SOURCE
#include "scratch.h"

#include "formats/formats.h"

#include <sys/stat.h>
#include <zlib.h>

/* ---- formats ---- */

/* The registry: what it says of formats, and which one it takes. */

/* Every row of both tables says who it is, and does what it says. */
static void formats_describe_themselves(void)
{
    const wgdn_format *const *const table[] = {wgdn_dataset_formats, wgdn_embedding_formats};
    const wgdn_format_info *(*const get[])(int) = {wgdn_dataset_get_format,
                                                   wgdn_embedding_get_format};
    for (int t = 0; t < 2; t++) {
        int count = 0;
        for (; table[t][count]; count++) {
            const wgdn_format *f = table[t][count];
            CHECK(get[t](count) == &f->info);
            CHECK(strlen(f->info.name) > 0 && strlen(f->info.description) > 10);
            CHECK((f->load || f->parse || f->load_vectors) == (f->info.reads != 0));
            CHECK((f->write || f->write_vectors) == (f->info.writes != 0));
            CHECK(f->folders || f->look || f->info.suffixes[0]);
            for (int i = 0; i < count; i++)
                CHECK(strcmp(table[t][i]->info.name, f->info.name) != 0);
        }
        CHECK(count > 5 && !get[t](count) && !get[t](-1));
    }
}

/* The name decides; one that nobody knows, or that says little, leaves it to the first bytes. */
static void the_format_is_found(void)
{
    static const struct {
        const char *name, *text, *format;
    } file[] = {
        {"g.mtx", "0 1\n", "mtx"},
        {"g.MTX", "0 1\n", "mtx"},
        {"g.x", "%%MatrixMarket matrix", "mtx"},
        {"g.tsv", "%%MatrixMarket matrix", "mtx"},
        {"g.txt", "{\"nodes\": []}", "json"},
        {"g.edges", "a b {}\n", "networkx"},
        {"g.Gexf", "", "gexf"},
        {"g.GML.zst", "", "gml"},
        {"g.csv", "0,1\n", "edges"},
        {"g.npz", "0 1\n", "npz"},
    };
    const wgdn_format *f = NULL;
    wgdn_error err;
    for (size_t i = 0; i < sizeof file / sizeof *file; i++) {
        const scratch_name path = scratch(file[i].name);
        scratch_write(file[i].name, file[i].text, strlen(file[i].text));
        CHECK(wgdn_format_to_read(&f, wgdn_dataset_formats, "auto", path.text, &err) == WGDN_OK);
        CHECK_TEXT(f->info.name, file[i].format);
        CHECK_FILE_OPERATIONS(wgdn_format_to_read(&f, wgdn_dataset_formats, NULL, path.text, NULL),
                              (void)0);
    }
    CHECK(wgdn_format_to_read(&f, wgdn_dataset_formats, "gmx", "g", &err) == WGDN_EINVAL);
    CHECK(strstr(err.message, "format = 'gmx': it may be auto, edges, npz, npy, mtx, ogb, tu"));
    CHECK(wgdn_format_to_write(&f, wgdn_dataset_formats, "mtx", "g", &err) == WGDN_EINVAL);
    CHECK_TEXT(err.message, "format = 'mtx': it may be auto, edges, npz or safetensors");
    CHECK(wgdn_format_to_write(&f, wgdn_dataset_formats, NULL, "g.mtx", &err) == WGDN_EINVAL);
    CHECK_TEXT(err.message,
               "g.mtx: cannot infer the format from the file name; end it with .tsv, .txt, "
               ".edges, .npz or .safetensors");
    CHECK(wgdn_format_to_write(&f, wgdn_embedding_formats, "auto", "v.w2v", &err) == WGDN_OK);
    CHECK_TEXT(f->info.name, "word2vec");
}

static int formats_tests(void)
{
    scratch_begin();
    RUN(formats_describe_themselves);
    RUN(the_format_is_found);
    scratch_end();
    CHECK(wgdn_alloc_live() == 0);
    return check_result();
}

/* ---- graphml ---- */

static wgdn_error the_err;

static wgdn_status graphml_load(wgdn_dataset **d, const char *text, const wgdn_dataset_options *o)
{
    the_err.message[0] = '\0';
    *d = NULL;
    scratch_write("g.graphml", text, strlen(text));
    return wgdn_dataset_read(d, scratch("g.graphml").text, o, &the_err);
}

#define HEAD                                            \
    "<?xml version='1.0' encoding='utf-8'?>\n<graphml " \
    "xmlns='http://graphml.graphdrawing.org/xmlns'>\n"
#define TAIL "</graphml>\n"
#define GRAPH(inside) "<graph edgedefault='undirected'>\n" inside "</graph>\n"

static const char graphml_small[] = HEAD
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

static void graphml_known_answer(void)
{
    wgdn_dataset *d;
    wgdn_dataset_info c = {.struct_size = sizeof c};
    CHECK(graphml_load(&d, graphml_small, NULL) == WGDN_OK);
    if (!d) {
        CHECK_TEXT(the_err.message, "");
        return;
    }
    wgdn_dataset_describe(&c, d);
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
    CHECK(graphml_load(&d,
                       HEAD
                       "<key id='x' for='all' attr.name='x' attr.type='float'/>\n"
                       "<key id='y' for='node' attr.name='label' attr.type='int'/>\n" GRAPH(
                           "<node id='2'><data key='x'>2</data><data key='y'>7</data></node>\n"
                           "<node id='0'><data key='x'>-1</data><data key='y'>5</data></node>\n"
                           "<node id='1'/><edge source='2' target='0'/>\n") TAIL,
                       NULL) == WGDN_OK);
    if (!d) {
        CHECK_TEXT(the_err.message, "");
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
    CHECK(graphml_load(&d, named, NULL) == WGDN_OK);
    if (!d) return;
    wgdn_dataset_describe(&c, d);
    CHECK(wgdn_dataset_find(d, "7", 1) == 1 && wgdn_dataset_find(d, "n0", 2) == -1);
    CHECK(wgdn_dataset_classes(d) == 0 && c.attributes_ignored == 1);
    wgdn_dataset_free(d);

    wgdn_dataset_options_init(&o);
    o.label_column = "label"; /* asked for, so they are classes */
    CHECK(graphml_load(&d, named, &o) == WGDN_OK && wgdn_dataset_classes(d) == 2);
    wgdn_dataset_free(d);
    o.label_column = "color";
    CHECK(graphml_load(&d, named, &o) == WGDN_EFORMAT);
    CHECK(strstr(the_err.message, "no key of nodes has the name 'color'"));
}

static void graphml_bad_files_are_named(void)
{
    static const struct {
        const char *text, *says;
    } bad[] = {
        {"", "g.graphml:1:1: no element found"},
        {"0 1\n", "g.graphml:1:1: "},
        {"<gexf/>", "g.graphml:1: <gexf>: expected <graphml>"},
        {HEAD TAIL, "no graph in it"},
        {HEAD GRAPH("") TAIL, "it contains no nodes"},
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
        CHECK(graphml_load(&d, bad[i].text, NULL) == WGDN_EFORMAT && !d);
        if (!strstr(the_err.message, bad[i].says)) CHECK_TEXT(the_err.message, bad[i].says);
    }
}

/* Entities that blow up, elements without end, long values: refused before they cost anything. */
static void attacks_are_refused(void)
{
    enum { LONG = 100000 };
    wgdn_dataset *d;
    char *text = wgdn_alloc(LONG, 4);
    CHECK(graphml_load(
              &d,
              "<!DOCTYPE graphml [<!ENTITY a 'aaaaaaaaaa'><!ENTITY b '&a;&a;&a;&a;&a;&a;'>]>\n"
              "<graphml>&b;</graphml>",
              NULL) == WGDN_EFORMAT);
    CHECK(strstr(the_err.message, "g.graphml:1: a DOCTYPE"));
    if (!text) return;
    int used = sprintf(text, HEAD "<graph><desc>");
    for (int i = 0; i < LONG; i++)
        used += sprintf(text + used, "<a>");
    CHECK(graphml_load(&d, text, NULL) == WGDN_EFORMAT && strstr(the_err.message, "more than 64"));
    used = sprintf(text, HEAD "<key id='x' attr.type='int'><default>");
    memset(text + used, '1', LONG);
    text[used + LONG] = '\0';
    CHECK(graphml_load(&d, text, NULL) == WGDN_EFORMAT &&
          strstr(the_err.message, "more than 65535 bytes"));
    wgdn_release(text);
}

static void limits(void)
{
    wgdn_dataset_options o;
    wgdn_dataset *d;
    wgdn_dataset_options_init(&o);
    o.max_nodes = 2;
    CHECK(graphml_load(&d, graphml_small, &o) == WGDN_ERANGE &&
          strstr(the_err.message, "more than 2 different nodes"));
    wgdn_dataset_options_init(&o);
    o.max_entries = 1;
    CHECK(graphml_load(&d, graphml_small, &o) == WGDN_ERANGE);
    wgdn_dataset_options_init(&o);
    o.max_bytes = 100;
    CHECK(graphml_load(&d, graphml_small, &o) == WGDN_EFORMAT &&
          strstr(the_err.message, "bytes allowed"));
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
    CHECK(graphml_load(&d, text, &o) == WGDN_OK && done > 2 << 20);
    wgdn_dataset_free(d);
    o.progress = stop_now;
    CHECK(graphml_load(&d, text, &o) == WGDN_ESTOPPED &&
          strstr(the_err.message, "stopped on request"));
    wgdn_release(text);
}

static void graphml_failures_leave_nothing(void)
{
    wgdn_dataset *d = NULL;
    scratch_write("g.graphml", graphml_small, strlen(graphml_small));
    CHECK_ALLOCATIONS(wgdn_dataset_read(&d, scratch("g.graphml").text, NULL, NULL),
                      wgdn_dataset_free(d));
    CHECK_FILE_OPERATIONS(wgdn_dataset_read(&d, scratch("g.graphml").text, NULL, NULL),
                          wgdn_dataset_free(d));
}

static int graphml_tests(void)
{
    const wgdn_build_feature *f;
    for (int i = 0; (f = wgdn_build_get_feature(i)) && strcmp(f->name, "expat") != 0;)
        i++;
    if (!f || !f->present) return 77;
    scratch_begin();
    RUN(graphml_known_answer);
    RUN(integers_are_numbered_by_value);
    RUN(names_and_captions);
    RUN(graphml_bad_files_are_named);
    RUN(attacks_are_refused);
    RUN(limits);
    RUN(a_watcher_is_told);
    RUN(graphml_failures_leave_nothing);
    CHECK(wgdn_alloc_live() == 0);
    scratch_end();
    return check_result();
}

/* ---- matrix_market ---- */

static wgdn_status matrix_market_load(wgdn_dataset **d, const char *text)
{
    the_err.message[0] = '\0';
    scratch_write("g.mtx", text, strlen(text));
    return wgdn_dataset_read(d, scratch("g.mtx").text, NULL, &the_err);
}

static void matrix_market_known_answer(void)
{
    wgdn_dataset *d = NULL;
    wgdn_dataset_info c = {.struct_size = sizeof c};
    CHECK(matrix_market_load(&d,
                             "%%MatrixMarket matrix coordinate real general\n% a comment\n4 4 6\n"
                             "1 2 1\n2 1 1.0\n2 3 0\n3 3 5\n1 3 2\n1 3 7\n") == WGDN_OK);
    if (!d) {
        CHECK_TEXT(the_err.message, "");
        return;
    }
    wgdn_dataset_describe(&c, d);
    CHECK(wgdn_dataset_nodes(d) == 4 && c.edges == 2);
    CHECK(c.edges_read == 6 && c.self_loops == 1 && c.repeats == 2 && c.zero_weights == 1);
    CHECK(c.other_weights == 0 && c.weighted && c.weight_min == 2 && c.weight_max == 9);
    char id[8];
    CHECK(wgdn_dataset_id(id, sizeof id, d, 0) == 1 && strcmp(id, "1") == 0); /* as in the file */
    CHECK(wgdn_dataset_find(d, "4", 1) == 3 && wgdn_dataset_find(d, "0", 1) == -1);
    CHECK(wgdn_graph_degree(wgdn_dataset_get_graph(d), 3) == 0);
    wgdn_dataset_free(d);
}

static void other_kinds(void)
{
    wgdn_dataset *d = NULL;
    CHECK(matrix_market_load(
              &d, "%%matrixmarket MATRIX coordinate pattern symmetric\n2 2 1\n2 1\n") == WGDN_OK);
    CHECK(d && edge_count(d) == 1);
    wgdn_dataset_free(d);
    d = NULL;
    CHECK(matrix_market_load(
              &d, "%%MatrixMarket matrix coordinate complex hermitian\r\n2 2 1\r\n2 1 0 1\r\n") ==
          WGDN_OK);
    CHECK(d && edge_count(d) == 1 && info_of(d).other_weights == 1 && !info_of(d).weighted);
    wgdn_dataset_free(d);
    d = NULL;
    CHECK(matrix_market_load(&d, "%%MatrixMarket matrix coordinate pattern general\n1 1 0\n") ==
          WGDN_OK);
    CHECK(d && wgdn_dataset_nodes(d) == 1 && edge_count(d) == 0);
    wgdn_dataset_free(d);
}

static void matrix_market_bad_files_are_named(void)
{
    static const struct {
        const char *text, *says;
    } bad[] = {
        {"", "expected %%MatrixMarket"},
        {"1 1 0\n", "expected %%MatrixMarket"},
        {"%%MatrixMarket matrix array real general\n2 2\n", "expected %%MatrixMarket"},
        {"%%MatrixMarket matrix coordinate real general\n", "three counts"},
        {"%%MatrixMarket matrix coordinate real general\n2 3 1\n1 1 1\n",
         "a graph's matrix is square"},
        {"%%MatrixMarket matrix coordinate real general\n2 2 1\n0 1 1\n",
         "g.mtx:3:1: \"0\" is not a row"},
        {"%%MatrixMarket matrix coordinate real general\n2 2 1\n1 3 1\n", "\"3\" is not a column"},
        {"%%MatrixMarket matrix coordinate real general\n2 2 1\n1 -1 1\n",
         "\"-1\" is not a column"},
        {"%%MatrixMarket matrix coordinate real general\n2 2 1\n1 2 nan\n", "not a finite number"},
        {"%%MatrixMarket matrix coordinate real general\n2 2 1\n1 2\n", "2 numbers: expected 3"},
        {"%%MatrixMarket matrix coordinate real general\n2 2 2\n1 2 1\n", "promises 2"},
        {"%%MatrixMarket matrix coordinate real general\n0 0 0\n", "no nodes"},
        {"%%MatrixMarket matrix coordinate real general\n2000000000 2000000000 0\n",
         "in a file of"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        wgdn_dataset *d = NULL;
        CHECK(matrix_market_load(&d, bad[i].text) == WGDN_EFORMAT && !d);
        if (!strstr(the_err.message, bad[i].says)) CHECK_TEXT(the_err.message, bad[i].says);
    }
}

static void matrix_market_failures_leave_nothing(void)
{
    wgdn_dataset *d = NULL;
    const char *text = "%%MatrixMarket matrix coordinate real general\n3 3 2\n1 2 1\n2 3 1\n";
    scratch_write("g.mtx", text, strlen(text));
    CHECK_ALLOCATIONS(wgdn_dataset_read(&d, scratch("g.mtx").text, NULL, NULL),
                      wgdn_dataset_free(d));
    CHECK_FILE_OPERATIONS(wgdn_dataset_read(&d, scratch("g.mtx").text, NULL, NULL),
                          wgdn_dataset_free(d));
}

static int matrix_market_tests(void)
{
    scratch_begin();
    RUN(matrix_market_known_answer);
    RUN(other_kinds);
    RUN(matrix_market_bad_files_are_named);
    RUN(matrix_market_failures_leave_nothing);
    scratch_end();
    return check_result();
}

/* ---- ogb ---- */

typedef struct ogb_set {
    const char *edges, *count, *features, *labels, *train, *valid, *test;
} ogb_set;

static const ogb_set ogb_small = {
    "0,1\n1,2\n2,2\n", "4\n", "1,0.5\n-1,2\n0,0\n3,3\n", "2\n0\nnan\n0\n", "0\n3\n", "1\n", "2\n"};

static void ogb_put(const char *name, const char *text)
{
    gzFile f;
    (void)unlink(scratch(name).text);
    if (!text) return;
    f = gzopen(scratch(name).text, "wb");
    CHECK(f && (strlen(text) == 0 || gzwrite(f, text, (unsigned)strlen(text)) > 0));
    if (f) gzclose(f);
}

static wgdn_status ogb_load(wgdn_dataset **d, ogb_set s)
{
    ogb_put("raw/edge.csv.gz", s.edges);
    ogb_put("raw/num-node-list.csv.gz", s.count);
    ogb_put("raw/node-feat.csv.gz", s.features);
    ogb_put("raw/node-label.csv.gz", s.labels);
    ogb_put("split/time/train.csv.gz", s.train);
    ogb_put("split/time/valid.csv.gz", s.valid);
    ogb_put("split/time/test.csv.gz", s.test);
    the_err.message[0] = '\0';
    *d = NULL;
    return wgdn_dataset_read(d, scratch_folder, NULL, &the_err);
}

static void ogb_known_answer(void)
{
    wgdn_dataset *d;
    CHECK(ogb_load(&d, ogb_small) == WGDN_OK);
    CHECK_TEXT(the_err.message, "");
    if (!d) return;
    CHECK(wgdn_dataset_nodes(d) == 4 && edge_count(d) == 2);
    CHECK(wgdn_dataset_features(d) == 2 && info_of(d).entries == 6);
    CHECK(wgdn_dataset_get_dense(d) && wgdn_dataset_get_dense(d)[1] == 0.5f);
    CHECK(wgdn_dataset_classes(d) == 3 && wgdn_dataset_label(d, 0) == 2);
    CHECK(wgdn_dataset_label(d, 2) == -1);
    CHECK(info_of(d).splits == 1 && wgdn_dataset_split(d, 0, 3) == WGDN_SPLIT_TRAIN);
    CHECK(wgdn_dataset_split(d, 0, 1) == WGDN_SPLIT_VAL);
    CHECK(wgdn_dataset_split(d, 0, 2) == WGDN_SPLIT_TEST);
    wgdn_dataset_free(d);
}

static void ogb_bad_files_are_named(void)
{
#define SET(field, text)       \
    {                          \
        ogb_set s = ogb_small; \
        s.field = text;        \
        bad[count++] = s;      \
    }
    static const char *const says[] = {"is not a node",
                                       "the number of nodes",
                                       "several graphs",
                                       "row 2 has 1 features",
                                       "3 rows for 4 nodes",
                                       "not a finite number",
                                       "expected one class",
                                       "1 labels for 4",
                                       "is not a node",
                                       "in the split already",
                                       "no split/time/test.csv.gz",
                                       "num-node-list",
                                       "no rows for so many"};
    ogb_set bad[13];
    int count = 0;
    SET(edges, "0,4\n")
    SET(count, "x\n")
    SET(count, "4\n5\n")
    SET(features, "1,2\n3\n")
    SET(features, "1,2\n1,2\n1,2\n")
    SET(features, "1,nan\n")
    SET(labels, "1.5\n")
    SET(labels, "1\n")
    SET(train, "4\n")
    SET(valid, "0\n")
    SET(test, NULL)
    SET(count, NULL)
    SET(count, "2147483646\n")
#undef SET
    for (int i = 0; i < count; i++) {
        wgdn_dataset *d;
        CHECK(ogb_load(&d, bad[i]) == WGDN_EFORMAT && !d);
        if (!strstr(the_err.message, says[i])) CHECK_TEXT(the_err.message, says[i]);
    }
}

/* A count without rows that it could be compared with: isolated nodes, but not 2^31 of them. */
static void counts_are_held_by_the_files(void)
{
    ogb_set bare = {
        .edges = "0,1\n", .count = "1000000\n", .train = "0\n", .valid = "", .test = ""};
    wgdn_dataset *d;
    CHECK(ogb_load(&d, bare) == WGDN_OK);
    CHECK_TEXT(the_err.message, "");
    if (d) CHECK(wgdn_dataset_nodes(d) == 1000000);
    wgdn_dataset_free(d);
    bare.count = "2147483646\n";
    CHECK(ogb_load(&d, bare) == WGDN_EFORMAT && !d);
    CHECK(strstr(the_err.message, "only 4 bytes of edges"));
}

static void ogb_failures_leave_nothing(void)
{
    wgdn_dataset *d;
    CHECK(ogb_load(&d, ogb_small) == WGDN_OK);
    wgdn_dataset_free(d);
    CHECK_ALLOCATIONS(wgdn_dataset_read(&d, scratch_folder, NULL, NULL), wgdn_dataset_free(d));
    CHECK_FILE_OPERATIONS(wgdn_dataset_read(&d, scratch_folder, NULL, NULL), wgdn_dataset_free(d));
}

static int ogb_tests(void)
{
    static const char *const folder[] = {"raw", "split", "split/time"};
    scratch_begin();
    for (int i = 0; i < 3; i++)
        CHECK(mkdir(scratch(folder[i]).text, 0700) == 0);
    RUN(ogb_known_answer);
    RUN(ogb_bad_files_are_named);
    RUN(counts_are_held_by_the_files);
    RUN(ogb_failures_leave_nothing);
    (void)ogb_load(&(wgdn_dataset *){NULL}, (ogb_set){0});
    for (int i = 2; i >= 0; i--)
        (void)rmdir(scratch(folder[i]).text);
    scratch_end();
    return check_result();
}

/* ---- tu ---- */

typedef struct tu_set {
    const char *edges, *indicator, *graph_labels, *node_labels;
} tu_set;

/* A triangle, then a path of two with a loop; labels out of order. */
static const tu_set tu_small = {"1, 2\n2, 1\n2,3\n3, 1\n1, 3\n4, 5\n5, 5\n4, 5\n",
                                "1\n1\n1\n2\n2\n", "7\n-1\n", "4\n6\n4\n5\n4\n"};

static void tu_put(const char *name, const char *text)
{
    if (text)
        scratch_write(name, text, strlen(text));
    else
        (void)unlink(scratch(name).text);
}

static wgdn_status tu_load(wgdn_dataset **d, tu_set s)
{
    tu_put("S_A.txt", s.edges);
    tu_put("S_graph_indicator.txt", s.indicator);
    tu_put("S_graph_labels.txt", s.graph_labels);
    tu_put("S_node_labels.txt", s.node_labels);
    the_err.message[0] = '\0';
    *d = NULL;
    return wgdn_dataset_read(d, scratch_folder, NULL, &the_err);
}

static int32_t column(const wgdn_dataset *d, int64_t i)
{
    const int64_t *offset;
    const int32_t *col;
    const float *value;
    CHECK(wgdn_dataset_get_sparse(&offset, &col, &value, d) && !value);
    CHECK(offset[i + 1] - offset[i] == 1);
    return col[offset[i]];
}

static void tu_known_answer(void)
{
    wgdn_dataset *d;
    wgdn_dataset_info c = {.struct_size = sizeof c};
    CHECK(tu_load(&d, tu_small) == WGDN_OK);
    CHECK_TEXT(the_err.message, "");
    if (!d) return;
    wgdn_dataset_describe(&c, d);
    CHECK(wgdn_dataset_graphs(d) == 2 && wgdn_dataset_nodes(d) == 5 && edge_count(d) == 4);
    CHECK(c.edges_read == 8 && c.self_loops == 1 && c.repeats == 3);
    CHECK(wgdn_dataset_graph_start(d, 1) == 3 && wgdn_dataset_graph_start(d, 2) == 5);
    CHECK(info_of(d).graph_classes == 2);
    CHECK(wgdn_dataset_graph_label(d, 0) == 1 && wgdn_dataset_graph_label(d, 1) == 0);
    CHECK(wgdn_dataset_features(d) == 3 && column(d, 0) == 0 && column(d, 1) == 2 &&
          column(d, 3) == 1);
    CHECK(wgdn_dataset_find(d, "5", 1) == 4);
    wgdn_dataset_free(d);
}

static void degrees_where_nodes_have_no_labels(void)
{
    wgdn_dataset *d;
    tu_set s = tu_small;
    s.node_labels = s.graph_labels = NULL;
    CHECK(tu_load(&d, s) == WGDN_OK);
    if (!d) return;
    CHECK(wgdn_dataset_features(d) == 3 && column(d, 0) == 2 && column(d, 4) == 1);
    CHECK(info_of(d).graph_classes == 0 && wgdn_dataset_graph_label(d, 0) == -1);
    wgdn_dataset_free(d);
}

static void large_degrees_are_clipped(void)
{
    enum { N = 420 };
    static char edges[N * 10], indicator[N * 2 + 1];
    size_t used = 0;
    wgdn_dataset *d;
    for (int i = 2; i <= N; i++)
        used += (size_t)snprintf(edges + used, sizeof edges - used, "1,%d\n", i);
    for (int i = 0; i < N; i++)
        memcpy(indicator + 2 * i, "1\n", 3);
    CHECK(tu_load(&d, (tu_set){edges, indicator, NULL, NULL}) == WGDN_OK);
    if (!d) return;
    CHECK(wgdn_dataset_features(d) == 401 && column(d, 0) == 400 && column(d, 1) == 1);
    wgdn_dataset_free(d);
}

static void tu_bad_files_are_named(void)
{
    static const struct {
        tu_set s;
        const char *says;
    } bad[] = {
        {{"1, 4\n", "1\n1\n2\n2\n", 0, 0}, "S_A.txt:1:4: node 1 is in graph 1, node 4 is not"},
        {{"1, 9\n", "1\n1\n", 0, 0}, "S_A.txt:1:1: expected two nodes, 1 .. 2 each"},
        {{"0, 1\n", "1\n1\n", 0, 0}, "expected two nodes"},
        {{"1\n", "1\n1\n", 0, 0}, "expected two nodes"},
        {{"1,2\n", "1\n3\n", 0, 0}, "expected a graph, 1, 2, 3"},
        {{"1,2\n", "1\n2\n1\n2\n", 0, 0}, "graphs one after another"},
        {{"1,2\n", "0\n1\n2\n", 0, 0}, "node 1 is in graph 0"},
        {{"1,2\n", "x\n", 0, 0}, "S_graph_indicator.txt:1:1: \"x\" is not an integer"},
        {{"1,2\n", "", 0, 0}, "expected a graph, 1, 2, 3"},
        {{"1,2\n", "1\n1\n", "1\n2\n", 0}, "2 labels for 1 graphs"},
        {{"1,2\n", "1\n1\n", "1\n", "1\n"}, "1 labels for 2 nodes"},
        {{"1,2\n", "1\n1\n", "1\n", "-2147483648\n2147483647\n"}, "too far apart"},
        {{"1,2\n", "1\n1\n", "1\n", "1\n99999999999\n"}, "beyond 32 bits"},
        {{0, "1\n1\n", 0, 0}, "ends in _A.txt"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        wgdn_dataset *d;
        CHECK(tu_load(&d, bad[i].s) == WGDN_EFORMAT && !d);
        if (!strstr(the_err.message, bad[i].says)) CHECK_TEXT(the_err.message, bad[i].says);
    }
}

static void tu_failures_leave_nothing(void)
{
    wgdn_dataset *d;
    CHECK(tu_load(&d, tu_small) == WGDN_OK);
    wgdn_dataset_free(d);
    CHECK_ALLOCATIONS(wgdn_dataset_read(&d, scratch_folder, NULL, NULL), wgdn_dataset_free(d));
    CHECK_FILE_OPERATIONS(wgdn_dataset_read(&d, scratch_folder, NULL, NULL), wgdn_dataset_free(d));
}

static int tu_tests(void)
{
    scratch_begin();
    RUN(tu_known_answer);
    RUN(degrees_where_nodes_have_no_labels);
    RUN(large_degrees_are_clipped);
    RUN(tu_bad_files_are_named);
    RUN(tu_failures_leave_nothing);
    scratch_end();
    return check_result();
}

/* ---- watch ---- */

/* A long reading tells how far it is, and stops when it is told to. */

enum { LINES = 400000 };

typedef struct listener {
    int calls, stop_at;
    int64_t last, total;
    bool ascending;
} listener;

static int listen(void *user, int64_t done, int64_t total)
{
    listener *l = user;
    if (done <= l->last || done > total) l->ascending = false;
    l->last = done;
    l->total = total;
    return ++l->calls == l->stop_at;
}

static wgdn_status read_with(listener *l, int threads, const char *path, wgdn_dataset **d,
                             wgdn_error *err)
{
    wgdn_dataset_options o;
    wgdn_dataset_options_init(&o);
    o.threads = threads;
    o.progress = listen;
    o.progress_user = l;
    return wgdn_dataset_read(d, path, &o, err);
}

/* Integers are read by several threads, names by one. */
static void tells_and_stops(const char *format)
{
    const scratch_name path = scratch("edges.tsv");
    wgdn_dataset *d = NULL;
    wgdn_error err;
    listener l = {.ascending = true}, many = l, impatient = {.stop_at = 2};
    FILE *f = fopen(path.text, "w");
    int64_t size = 0;
    for (int i = 0; f && i < LINES; i++)
        size += fprintf(f, format, i, i / 2);
    if (f) fclose(f);

    CHECK(read_with(&l, 1, path.text, &d, &err) == WGDN_OK);
    CHECK(l.ascending && l.calls >= 3);
    CHECK(l.total == size);
    wgdn_dataset_free(d);
    d = NULL;
    CHECK(read_with(&many, 3, path.text, &d, &err) == WGDN_OK);
    CHECK(many.ascending); /* how often depends on who gets the work */
    wgdn_dataset_free(d);
    d = NULL;

    const int64_t live = wgdn_alloc_live();
    CHECK(read_with(&impatient, 1, path.text, &d, &err) == WGDN_ESTOPPED);
    CHECK(impatient.calls == 2);
    CHECK(!d && wgdn_alloc_live() == live);
}

static void integers(void)
{
    tells_and_stops("%d\t%d\n");
}

static void names(void)
{
    tells_and_stops("n%d\tn%d\n");
}

static int watch_tests(void)
{
    scratch_begin();
    RUN(integers);
    RUN(names);
    scratch_end();
    return check_result();
}

int main(int argc, char **argv)
{
    static const check_group groups[] = {
        {"formats", formats_tests},
        {"graphml", graphml_tests},
        {"matrix_market", matrix_market_tests},
        {"ogb", ogb_tests},
        {"tu", tu_tests},
        {"watch", watch_tests},
    };
    return check_groups(groups, sizeof groups / sizeof *groups, argc, argv);
}
