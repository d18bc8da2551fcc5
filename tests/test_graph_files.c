/* SPDX-License-Identifier: Apache-2.0 */
/* GEXF, GML, JSON, NetworkX's lists and METIS: one small graph in each, and what may go wrong. */
#define _DEFAULT_SOURCE
#include "scratch.h"

#include "data/dataset.h"

static wgdn_error err;

/* ann - bob (2.5), bob - cleo, ann - cleo twice; a loop; dan alone. Features where it has any. */
static const struct {
    const char *name, *text;
    const char *id; /* of the second node */
    int64_t nodes, read, repeats, loops, features, classes, ignored, remarks;
    bool xml;
} file[] = {
    {"g.gexf",
     "<?xml version='1.0'?><gexf><graph defaultedgetype='directed'><attributes class='node'>"
     "<attribute id='0' title='age' type='integer'><default>7</default></attribute>"
     "<attribute id='1' title='x' type='float'/><attribute id='2' title='class'/></attributes>"
     "<attributes class='edge'><attribute id='0' title='kind' type='string'/></attributes><nodes>"
     "<node id='ann' label='A'><attvalues><attvalue for='0' value='3'/><attvalue for='2' "
     "value='r'/>"
     "</attvalues></node><node id='bob'/><node id='cleo'><attvalues><attvalue for='1' value='.5'/>"
     "<attvalue for='2' value='r'/></attvalues></node><node id='dan'/></nodes><edges>"
     "<edge source='ann' target='bob' weight='2.5'/><edge source='bob' target='cleo'/>"
     "<edge source='ann' target='cleo' type='undirected'><attvalues><attvalue for='0' value='k'/>"
     "</attvalues></edge><edge source='cleo' target='ann'/><edge source='bob' target='bob'/>"
     "</edges></graph></gexf>",
     "bob", 4, 5, 1, 1, 2, 1, 2, 2, true},
    {"g.gml",
     "graph [ directed 1 node [ id 1 label \"ann\" age 3 ] node [ label \"b&#246;b\" id 2 age 1 "
     "tag \"x\" tag \"y\" ]\nnode [ id 3 label \"cleo\" y \"r\" ] node [ id 4 label \"dan\" y "
     "\"r\" "
     "] "
     "edge [ source 1 target 2 weight 2.5 ] edge [ source 2 target 3 ]\n"
     "edge [ source 1 target 3 kind \"k\" ] edge [ source 3 target 1 ] edge [ source 2 target 2 ] "
     "]",
     "b\xc3\xb6"
     "b",
     4, 5, 1, 1, 1, 1, 2, 2, false},
    {"g.json",
     "{\"directed\": true, \"nodes\": [{\"id\": \"ann\", \"age\": 3}, {\"id\": \"bob\", \"age\": "
     "true, \"z\": [1]}, {\"id\": \"cleo\", \"y\": \"r\", \"age\": null}, {\"id\": \"dan\", \"y\": "
     "\"r\"}], \"links\": [{\"source\": \"ann\", \"target\": \"bob\", \"weight\": 2.5}, "
     "{\"source\": "
     "\"bob\", \"target\": \"cleo\"}, {\"source\": \"ann\", \"target\": \"cleo\", \"kind\": 1}, "
     "{\"source\": \"cleo\", \"target\": \"ann\"}, {\"source\": \"bob\", \"target\": \"bob\"}]}",
     "bob", 4, 5, 1, 1, 1, 1, 2, 2, false},
    {"g.list",
     "ann bob {'weight': 2.5}\nbob cleo {}\nann cleo {'kind': 'k'}\ncleo ann {}\nbob bob {}\n"
     "dan dan {}\n",
     "bob", 4, 6, 1, 2, 0, 0, 1, 0, false},
    {"g.graph", "4 3 111 2\n5 1 0 2 2.5 3 1\n5 0 0 1 2.5 3 1 2 1\n5 2 1 1 1 2 1\n5 0 7\n", "2", 4,
     4, 0, 1, 2, 0, 0, 1, false},
};
enum { FILES = sizeof file / sizeof *file };

static bool have_expat(void)
{
    const wgdn_build_feature *f;
    for (int i = 0; (f = wgdn_build_get_feature(i)) && strcmp(f->name, "expat") != 0;)
        i++;
    return f && f->present;
}

static bool is_here(int i)
{
    return !file[i].xml || have_expat();
}

static wgdn_status load(wgdn_dataset **d, int i, const wgdn_dataset_options *o)
{
    err.message[0] = '\0';
    *d = NULL;
    scratch_write(file[i].name, file[i].text, strlen(file[i].text));
    return wgdn_dataset_read(d, scratch(file[i].name).text, o, &err);
}

static void known_answer(void)
{
    for (int i = 0; i < FILES; i++) {
        wgdn_dataset *d;
        wgdn_dataset_info c = {.struct_size = sizeof c};
        if (!is_here(i)) continue;
        CHECK(load(&d, i, NULL) == WGDN_OK);
        if (!d) {
            CHECK_TEXT(err.message, "");
            continue;
        }
        wgdn_dataset_describe(&c, d);
        CHECK(wgdn_dataset_nodes(d) == file[i].nodes && c.edges_read == file[i].read);
        CHECK(c.repeats == file[i].repeats && c.self_loops == file[i].loops);
        CHECK(c.weighted == 1 && c.other_weights == 0 && c.attributes_ignored == file[i].ignored);
        CHECK(wgdn_dataset_features(d) == file[i].features);
        CHECK(wgdn_dataset_classes(d) == file[i].classes);
        CHECK(wgdn_dataset_find(d, file[i].id, strlen(file[i].id)) == 1);
        int64_t own = 0; /* remarks beyond those that every reader counts */
        for (int64_t k = 0; k < c.remarks; k++)
            own += strcmp(c.remark[k].what, "directions-ignored") == 0 ||
                   strcmp(c.remark[k].what, "missing-values") == 0 ||
                   strcmp(c.remark[k].what, "sizes-ignored") == 0;
        CHECK(own == file[i].remarks);
        wgdn_dataset_free(d);
    }
}

/* Integer and default, float, boolean among integers: as they are meant. */
static void features_are_values(void)
{
    static const struct {
        int file, node, column;
        float value;
    } want[] = {{0, 0, 0, 3}, {0, 1, 0, 7}, {0, 2, 1, .5f}, {1, 0, 0, 3}, {1, 3, 0, 0},
                {2, 0, 0, 3}, {2, 1, 0, 1}, {4, 0, 0, 1},   {4, 2, 1, 1}, {4, 3, 0, 0}};
    for (size_t k = 0; k < sizeof want / sizeof *want; k++) {
        wgdn_dataset *d;
        if (!is_here(want[k].file)) continue;
        CHECK(load(&d, want[k].file, NULL) == WGDN_OK);
        if (!d) continue;
        const float *x = wgdn_dataset_get_dense(d);
        CHECK(x && x[want[k].node * wgdn_dataset_features(d) + want[k].column] == want[k].value);
        wgdn_dataset_free(d);
    }
}

static void limits(void)
{
    for (int i = 0; i < FILES; i++) {
        wgdn_dataset_options o;
        wgdn_dataset *d;
        if (!is_here(i)) continue;
        wgdn_dataset_options_init(&o);
        o.max_nodes = 2;
        CHECK(load(&d, i, &o) == WGDN_ERANGE);
        wgdn_dataset_options_init(&o);
        o.max_entries = 1;
        CHECK(load(&d, i, &o) == WGDN_ERANGE);
        wgdn_dataset_options_init(&o);
        o.max_bytes = 20;
        CHECK(load(&d, i, &o) == WGDN_EFORMAT && strstr(err.message, "bytes allowed"));
    }
}

static int stop_now(void *user, int64_t done, int64_t total)
{
    (void)user, (void)done, (void)total;
    return 1;
}

/* Files of three megabytes, made of one line again and again; JSON is parsed at once. */
static void a_watcher_stops(void)
{
    static const struct {
        const char *name, *head, *line;
    } large[] = {{"l.gml", "graph [\n", "node [ id %d ]\n"},
                 {"l.txt", "a b {}\n", "a %d {'weight': 2}\n"},
                 {"l.graph", "150000 0\n", "%%%d: a comment, and a node alone\n\n"}};
    enum { LARGE = 3 << 20 };
    char *text = wgdn_alloc(LARGE + 1024, 1);
    for (size_t i = 0; text && i < sizeof large / sizeof *large; i++) {
        wgdn_dataset_options o;
        wgdn_dataset *d = NULL;
        int used = sprintf(text, "%s", large[i].head);
        for (int k = 0; used < LARGE; k++)
            used += sprintf(text + used, large[i].line, k);
        scratch_write(large[i].name, text, (size_t)used);
        wgdn_dataset_options_init(&o);
        o.progress = stop_now;
        CHECK(wgdn_dataset_read(&d, scratch(large[i].name).text, &o, &err) == WGDN_ESTOPPED);
        if (!strstr(err.message, "stopped on request")) CHECK_TEXT(err.message, large[i].name);
    }
    wgdn_release(text);
}

/* What begins like a file of another program is named, wherever a text is read. */
static void foreign_files_are_named(void)
{
    static const struct {
        const char *start, *says;
        size_t size;
    } foreign[] = {{"PAR1....PAR1", "a Parquet file", 12},
                   {"ARROW1\0\0", "Feather", 8},
                   {"\x89HDF\r\n\x1a\n", "HDF5", 8},
                   {"\x80\x04\x95....K\1.", "pickle", 10},
                   {"SQLite format 3\0", "SQLite", 16},
                   {"12345678DUCK\x40\0\0\0\0\0\0\0", "a DuckDB database", 20},
                   {"ORC\n\3..ORC\x17", "an ORC file", 11},
                   {"Obj\1\4\x14", "Avro", 6},
                   {"%PDF-1.7\n", "a PDF", 9},
                   {"<?xml?><svg/>", "neither GraphML nor GEXF", 13}};
    for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++) {
        wgdn_dataset *d = NULL;
        wgdn_dataset_options o;
        scratch_write("f", foreign[i].start, foreign[i].size);
        CHECK(wgdn_dataset_read(&d, scratch("f").text, NULL, &err) == WGDN_EFORMAT);
        if (!strstr(err.message, foreign[i].says)) CHECK_TEXT(err.message, foreign[i].says);
        scratch_write("e.tsv", "a\tb\n", 4);
        wgdn_dataset_options_init(&o);
        const scratch_name path = scratch("f");
        o.labels = path.text;
        CHECK(wgdn_dataset_read(&d, scratch("e.tsv").text, &o, &err) == WGDN_EFORMAT);
        if (!strstr(err.message, foreign[i].says)) CHECK_TEXT(err.message, foreign[i].says);
    }
}

/* Ids may begin like them. */
static void words_are_no_files(void)
{
    static const char *const text[] = {"ORCL\tMSFT\n", "PAR1\tPAR2\n",
                                       "a\tb\nb\tc\nDUCK\tGOOSE\tY\n", "BZhang\tLi\n"};
    for (size_t i = 0; i < sizeof text / sizeof *text; i++) {
        wgdn_dataset *d = NULL;
        scratch_write("w.tsv", text[i], strlen(text[i]));
        const wgdn_status st = wgdn_dataset_read(&d, scratch("w.tsv").text, NULL, &err);
        CHECK(st == WGDN_OK || !strstr(err.message, "make it CSV"));
        wgdn_dataset_free(d);
    }
}

static void failures_leave_nothing(void)
{
    for (int i = 0; i < FILES; i++) {
        wgdn_dataset *d = NULL;
        if (!is_here(i)) continue;
        const scratch_name path = scratch(file[i].name);
        scratch_write(file[i].name, file[i].text, strlen(file[i].text));
        CHECK_ALLOCATIONS(wgdn_dataset_read(&d, path.text, NULL, NULL), wgdn_dataset_free(d));
        CHECK_FILE_OPERATIONS(wgdn_dataset_read(&d, path.text, NULL, NULL), wgdn_dataset_free(d));
    }
}

int main(void)
{
    scratch_begin();
    RUN(known_answer);
    RUN(features_are_values);
    RUN(limits);
    RUN(a_watcher_stops);
    RUN(foreign_files_are_named);
    RUN(words_are_no_files);
    RUN(failures_leave_nothing);
    CHECK(wgdn_alloc_live() == 0);
    scratch_end();
    return check_result();
}
