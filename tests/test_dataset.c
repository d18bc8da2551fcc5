/* SPDX-License-Identifier: Apache-2.0 */
#define _DEFAULT_SOURCE
#include "scratch.h"

#include "data/draft.h"
#include "data/reading.h"
#include "vectors.h"

#include <stdlib.h>

static wgdn_error err;

static void put(const char *name, const char *text)
{
    scratch_write(name, text, strlen(text));
}

static bool same_text(wgdn_text a, wgdn_text b)
{
    return wgdn_text_compare(a, b) == 0;
}

static bool same_rows(const wgdn_csr *a, const wgdn_csr *b)
{
    const int64_t entries = wgdn_csr_entries(a);
    return a->rows == b->rows && a->cols == b->cols &&
           memcmp(a->offset, b->offset, ((size_t)a->rows + 1) * sizeof *a->offset) == 0 &&
           memcmp(a->column, b->column, (size_t)entries * sizeof *a->column) == 0 &&
           !a->value == !b->value &&
           (!a->value || memcmp(a->value, b->value, (size_t)entries * sizeof *a->value) == 0);
}

enum { GRAPH = 1, FEATURES = 2, LABELS = 4, SPLITS = 8, GRAPHS = 16, ALL = 31 };

static void check_same(const wgdn_dataset *a, const wgdn_dataset *b, int what)
{
    CHECK(a->nodes == b->nodes && same_rows(&a->graph->adjacency, &b->graph->adjacency));
    for (int64_t i = 0; i < a->nodes; i++) {
        char x[WGDN_INDEX_TEXT], y[WGDN_INDEX_TEXT];
        const wgdn_text id = wgdn_dataset_name(a, i, x);
        CHECK(same_text(id, wgdn_dataset_name(b, i, y)) && wgdn_dataset_seek(b, id) == i);
    }
    if (what & FEATURES) {
        CHECK(a->features.width == b->features.width && a->features.entries == b->features.entries);
        CHECK(!a->features.dense == !b->features.dense);
        if (a->features.dense)
            CHECK(memcmp(a->features.dense, b->features.dense,
                         (size_t)(a->nodes * a->features.width) * sizeof(float)) == 0);
        else if (a->features.width)
            CHECK(same_rows(&a->features.sparse, &b->features.sparse));
    }
    if (what & LABELS) {
        CHECK(a->classes == b->classes && !a->label == !b->label);
        for (int64_t i = 0; i < a->nodes; i++)
            CHECK(wgdn_dataset_label(a, i) == wgdn_dataset_label(b, i));
        for (int64_t c = 0; c < a->class_names.count; c++)
            CHECK(
                same_text(wgdn_names_get(&a->class_names, c), wgdn_names_get(&b->class_names, c)));
    }
    if (what & SPLITS) {
        CHECK(a->splits == b->splits);
        CHECK(a->splits == 0 || memcmp(a->split, b->split, (size_t)(a->splits * a->nodes)) == 0);
    }
    if (what & GRAPHS) {
        CHECK(a->graphs == b->graphs && a->graph_classes == b->graph_classes);
        for (int64_t g = 0; g <= a->graphs; g++)
            CHECK(wgdn_dataset_graph_start(a, g) == wgdn_dataset_graph_start(b, g) &&
                  wgdn_dataset_graph_label(a, g) == wgdn_dataset_graph_label(b, g));
    }
}

/* ---- arrays ---- */

/* Two paths: a - b - c, d - e, then f alone in the second graph. */
static const int64_t source[] = {0, 1, 1, 3, 2, 4}, target[] = {1, 0, 2, 4, 2, 3};
static const float dense[] = {1, 0, 0, 2, 0.5f, -3, 0, 0, 1e-30f, 4, 0, 0};
static const int64_t f_offset[] = {0, 1, 3, 3, 4, 4, 5};
static const int32_t f_column[] = {0, 1, 8, 2, 9};
static const float f_value[] = {1, 2, 3, -1, 0.1f};
static const int32_t label[] = {0, 2, -1, 1, 0, 0};
static const int8_t split[] = {1, 2, 3, 0, 1, 1, 0, 0, 1, 2, 3, 3};
static const char *const id[] = {"a", "b c", "\xff\xfe", "\"q\"", "#5", "Zo\xc3\xab"};
static const int64_t graph_start[] = {0, 3, 6};
static const int32_t graph_label[] = {1, 0};

static wgdn_dataset_arrays arrays(void)
{
    return (wgdn_dataset_arrays){
        .struct_size = sizeof(wgdn_dataset_arrays),
        .nodes = 6,
        .edges = 6,
        .source = source,
        .target = target,
        .features = 2,
        .dense = dense,
        .label = label,
        .splits = 1,
        .split = split,
        .id = id,
    };
}

static wgdn_dataset_arrays sparse_arrays(void)
{
    wgdn_dataset_arrays a = arrays();
    a.dense = NULL;
    a.features = 10;
    a.feature_offset = f_offset;
    a.feature_column = f_column;
    a.feature_value = f_value;
    return a;
}

static wgdn_dataset_arrays full_arrays(void)
{
    wgdn_dataset_arrays a = sparse_arrays();
    a.splits = 2;
    a.graphs = 2;
    a.graph_start = graph_start;
    a.graph_label = graph_label;
    return a;
}

static wgdn_dataset *make(wgdn_dataset_arrays a)
{
    wgdn_dataset *d = NULL;
    err.message[0] = '\0';
    CHECK(wgdn_dataset_from_arrays(&d, &a, &err) == WGDN_OK);
    if (!d) {
        fprintf(stderr, "%s\n", err.message);
        exit(EXIT_FAILURE);
    }
    return d;
}

static wgdn_dataset *load(const char *name, const wgdn_dataset_options *o)
{
    wgdn_dataset *d = NULL;
    err.message[0] = '\0';
    CHECK(wgdn_dataset_read(&d, scratch(name).text, o, &err) == WGDN_OK);
    if (!d) {
        fprintf(stderr, "%s\n", err.message);
        exit(EXIT_FAILURE);
    }
    return d;
}

static void from_arrays(void)
{
    wgdn_dataset *d = make(arrays());
    wgdn_dataset_info c = {.struct_size = sizeof c};
    char text[8];
    wgdn_dataset_describe(&c, d);
    CHECK(c.edges_read == 6 && c.self_loops == 1 && c.repeats == 2);
    CHECK(wgdn_dataset_nodes(d) == 6 && edge_count(d) == 3);
    CHECK(wgdn_dataset_features(d) == 2 && info_of(d).entries == 6);
    CHECK_NEAR(wgdn_dataset_density(d), 0.5, 0);
    CHECK(wgdn_dataset_get_dense(d) != dense && wgdn_dataset_get_dense(d)[3] == 2);
    CHECK(wgdn_dataset_classes(d) == 3 && wgdn_dataset_label(d, 2) == -1);
    CHECK(wgdn_dataset_label(d, 6) == -1 && wgdn_dataset_label(d, -1) == -1);
    CHECK(wgdn_dataset_split(d, 0, 1) == WGDN_SPLIT_VAL);
    CHECK(wgdn_dataset_split(d, 1, 1) == WGDN_SPLIT_NONE);
    CHECK(wgdn_dataset_id(text, 3, d, 1) == 3 && strcmp(text, "b ") == 0);
    CHECK(wgdn_dataset_id(text, 3, d, 6) == -1);
    CHECK(wgdn_dataset_find(d, "\xff\xfe", 2) == 2 && wgdn_dataset_find(d, "0", 1) == -1);
    CHECK(wgdn_dataset_graphs(d) == 1 && wgdn_dataset_graph_start(d, 1) == 6);
    CHECK(wgdn_dataset_graph_start(d, 2) == -1);
    wgdn_dataset_free(d);
}

static void borrowed_features_are_not_copied(void)
{
    wgdn_dataset_arrays a = arrays(), s = sparse_arrays();
    const int64_t *offset;
    const int32_t *column;
    const float *value;
    a.borrow = s.borrow = 1;
    wgdn_dataset *d = make(a), *e = make(s);
    CHECK(wgdn_dataset_get_dense(d) == dense);
    CHECK(wgdn_dataset_get_sparse(&offset, &column, &value, e) && column == f_column);
    CHECK(!wgdn_dataset_get_sparse(&offset, &column, &value, d) && !wgdn_dataset_get_dense(e));
    wgdn_dataset_free(d);
    wgdn_dataset_free(e);
}

static void wrong_arrays_are_refused(void)
{
    static const int64_t falls[] = {0, 2, 1, 3, 4, 4, 5}, crossing[] = {0, 2, 6};
    static const int32_t out[] = {0, 8, 1, 2, 10}, low[] = {0, -2, 0, 0, 0, 0};
    static const float nan_row[] = {1, 0, 0, 2, NAN, -3, 0, 0, 0, 4, 0, 0};
    static const int8_t four[] = {1, 2, 3, 4, 1, 1};
    static const char *const twice[] = {"a", "b", "c", "d", "e", "b"};
    wgdn_dataset_arrays bad[10];
    static const char *const says[] = {
        "nodes", "edges",           "row 2, column 0", "element 3 of split", "as well", "row 1",
        "row 1", "label of node 1", "an edge",         "no array of"};
    for (int i = 0; i < 10; i++)
        bad[i] = arrays();
    bad[0].nodes = 0;
    bad[1].edges = -1;
    bad[2].dense = nan_row;
    bad[3].split = four;
    bad[4].id = twice;
    bad[5] = bad[6] = sparse_arrays();
    bad[5].feature_offset = falls;
    bad[6].feature_column = out;
    bad[7].label = low;
    bad[8] = full_arrays();
    bad[8].graph_start = crossing;
    bad[9].dense = NULL;
    for (int i = 0; i < 10; i++) {
        wgdn_dataset *d = NULL;
        CHECK(wgdn_dataset_from_arrays(&d, &bad[i], &err) == WGDN_EINVAL && !d);
        CHECK(err.code == WGDN_EINVAL);
        if (!strstr(err.message, says[i])) CHECK_TEXT(err.message, says[i]);
    }
    wgdn_dataset *d = NULL;
    CHECK(wgdn_dataset_from_arrays(&d, &(wgdn_dataset_arrays){0}, &err) == WGDN_EINVAL);
}

/* ---- there and back ---- */

static void packed_keeps_everything(void)
{
    const wgdn_dataset_arrays kind[] = {arrays(), sparse_arrays(), full_arrays()};
    for (int i = 0; i < 3; i++) {
        wgdn_dataset *a = make(kind[i]);
        CHECK(wgdn_dataset_write(a, scratch("d.safetensors").text, "safetensors", &err) == WGDN_OK);
        wgdn_dataset *b = load("d.safetensors", NULL);
        check_same(a, b, ALL);
        CHECK(b->graph->borrowed && b->features.borrowed);
        CHECK(b->counts.self_loops == 1 && b->counts.repeats == 2);
        wgdn_dataset_free(a);
        wgdn_dataset_free(b);
    }
}

static void npz_keeps_one_graph(void)
{
    const wgdn_dataset_arrays kind[] = {arrays(), sparse_arrays()};
    for (int i = 0; i < 2; i++) {
        wgdn_dataset *a = make(kind[i]);
        CHECK(wgdn_dataset_write(a, scratch("d.npz").text, "npz", &err) == WGDN_OK);
        wgdn_dataset *b = load("d.npz", NULL);
        check_same(a, b, ALL);
        wgdn_dataset_free(a);
        wgdn_dataset_free(b);
    }
    wgdn_dataset *d = make(full_arrays());
    CHECK(wgdn_dataset_write(d, scratch("e.npz").text, "npz", &err) == WGDN_EINVAL);
    CHECK(wgdn_dataset_write(d, scratch("e.mtx").text, "mtx", &err) == WGDN_EINVAL);
    wgdn_dataset_free(d);
}

static void text_keeps_the_parts(void)
{
    const scratch_name x = scratch("x.tsv"), y = scratch("y.tsv"), z = scratch("z.tsv");
    const wgdn_dataset_arrays kind[] = {arrays(), sparse_arrays()};
    for (int i = 0; i < 2; i++) {
        wgdn_dataset_options o;
        wgdn_dataset *a = make(kind[i]);
        CHECK(wgdn_dataset_write(a, scratch("e.tsv").text, "edges", &err) == WGDN_OK);
        CHECK(wgdn_dataset_write_part(a, x.text, WGDN_PART_FEATURES, &err) == WGDN_OK);
        CHECK(wgdn_dataset_write_part(a, y.text, WGDN_PART_LABELS, &err) == WGDN_OK);
        CHECK(wgdn_dataset_write_part(a, z.text, WGDN_PART_SPLITS, &err) == WGDN_OK);
        wgdn_dataset_options_init(&o);
        o.features = x.text;
        o.labels = y.text;
        o.splits = z.text;
        wgdn_dataset *b = load("e.tsv", &o);
        check_same(a, b, GRAPH | FEATURES | LABELS | SPLITS);
        wgdn_dataset_free(a);
        wgdn_dataset_free(b);
    }
    wgdn_dataset_arrays bare = arrays();
    bare.features = 0;
    wgdn_dataset *d = make(bare);
    CHECK(wgdn_dataset_write_part(d, x.text, WGDN_PART_FEATURES, &err) == WGDN_EINVAL);
    wgdn_dataset_free(d);
}

static void embeddings_come_back_with_their_ids(void)
{
    static const char *const format[] = {"tsv", "word2vec"};
    static const float values[] = {1, 2, 3, -0.1f, 1e-20f, 3e38f, 0, 0, 0,
                                   5, 6, 7, 8,     9,      10,    1, 1, 1};
    static const char *const plain[] = {"x", "y", "z", "u", "v", "w"};
    wgdn_dataset_arrays a = arrays();
    wgdn_dataset *d = make(a), *e;
    CHECK(write_array(d, scratch("v").text, "word2vec", values, 3, &err) ==
          WGDN_EINVAL); /* an id with a blank in it */
    CHECK(strstr(err.message, "word2vec"));
    wgdn_dataset_free(d);
    a.id = plain;
    d = make(a);
    CHECK(wgdn_dataset_write(d, scratch("e.tsv").text, "edges", &err) == WGDN_OK);
    for (int i = 0; i < 2; i++) {
        const scratch_name v = scratch("v.txt");
        wgdn_dataset_options o;
        CHECK(write_array(d, v.text, format[i], values, 3, &err) == WGDN_OK);
        wgdn_dataset_options_init(&o);
        o.features = v.text;
        e = load("e.tsv", &o);
        CHECK(e->features.width == 3 && e->features.dense);
        for (int64_t k = 0; k < 6; k++)
            CHECK(memcmp(e->features.dense + 3 * wgdn_dataset_find(e, plain[k], 1), values + 3 * k,
                         3 * sizeof(float)) == 0);
        wgdn_dataset_free(e);
    }
    static const char *const array[] = {"npy", "npz", "safetensors"};
    for (int i = 0; i < 3; i++) {
        wgdn_archive file = {0};
        CHECK(write_array(d, scratch("v.x").text, array[i], values, 3, &err) == WGDN_OK);
        CHECK(wgdn_archive_open(&file, scratch("v.x").text, &err) == WGDN_OK);
        const wgdn_tensor *t = i ? wgdn_archive_find(&file, "embedding") : &file.tensor[0];
        CHECK(t && t->shape[0] == 6 && memcmp(t->data, values, sizeof values) == 0);
        CHECK(i != 1 || wgdn_archive_find(&file, "ids"));
        CHECK(i != 2 || wgdn_archive_find(&file, "ids.text"));
        wgdn_archive_free(&file);
    }
    CHECK(write_array(d, scratch("v.x").text, "tu", values, 3, &err) == WGDN_EINVAL);
    wgdn_dataset_free(d);
}

/* ---- what the files mean ---- */

static void nodes_come_from_edges_and_features(void)
{
    const scratch_name x = scratch("x.csv"), y = scratch("y.csv"), z = scratch("z.csv");
    wgdn_dataset_options o;
    wgdn_dataset_options_init(&o);
    put("e.csv", "source,target\nbob,eve\neve,bob\nbob,bob\n");
    put("x.csv", "id,age\neve,2\nzoe,0\n");
    put("y.csv", "id,label\nzoe,10\nbob,9\neve,\n");
    put("z.csv", "id,first,second\nzoe,train,test\nbob,VALID,none\n");
    o.features = x.text;
    o.labels = y.text;
    o.splits = z.text;
    wgdn_dataset *d = load("e.csv", &o);
    wgdn_dataset_info c = {.struct_size = sizeof c};
    size_t size = 0;
    wgdn_dataset_describe(&c, d);
    CHECK(wgdn_dataset_nodes(d) == 3 && wgdn_dataset_find(d, "zoe", 3) == 2);
    CHECK(c.without_features == 1 && c.self_loops == 1 && c.repeats == 1);
    CHECK(wgdn_dataset_label(d, 0) == 0 && wgdn_dataset_label(d, 2) == 1); /* 9 before 10 */
    CHECK(wgdn_dataset_label(d, 1) == -1 && wgdn_dataset_classes(d) == 2);
    const char *name = wgdn_dataset_get_class_name(&size, d, 1);
    CHECK(size == 2 && name && memcmp(name, "10", 2) == 0);
    CHECK(!wgdn_dataset_get_class_name(&size, d, 2));
    CHECK(info_of(d).splits == 2 && wgdn_dataset_split(d, 0, 0) == WGDN_SPLIT_VAL);
    CHECK(wgdn_dataset_split(d, 1, 2) == WGDN_SPLIT_TEST);
    CHECK(wgdn_dataset_split(d, 0, 1) == WGDN_SPLIT_NONE);
    wgdn_dataset_free(d);
}

static void integer_ids_are_numbered_by_value(void)
{
    put("e.tsv", "30\t10\n20\t30\n");
    wgdn_dataset *d = load("e.tsv", NULL);
    CHECK(info_of(d).has_ids && wgdn_dataset_find(d, "20", 2) == 1);
    CHECK(wgdn_graph_degree(wgdn_dataset_get_graph(d), 2) == 2);
    wgdn_dataset_free(d);
    put("e.tsv", "2\t0\n1\t2\n");
    d = load("e.tsv", NULL);
    CHECK(!info_of(d).has_ids && wgdn_dataset_find(d, "2", 1) == 2);
    CHECK(wgdn_dataset_find(d, "3", 1) == -1 && wgdn_dataset_find(d, "02", 2) == -1);
    wgdn_dataset_free(d);
}

static void rows_of_an_array_are_the_nodes(void)
{
    const scratch_name x = scratch("x.npy"), y = scratch("y.npy");
    const float values[] = {1, 2, 3, 4};
    const int64_t classes[] = {1, 0, 1, -1};
    wgdn_tensor t = {
        .name = "", .dtype = WGDN_F32, .rank = 2, .shape = {4, 1}, .width = 4, .data = values};
    wgdn_tensor l = {
        .name = "", .dtype = WGDN_I64, .rank = 1, .shape = {4}, .width = 8, .data = classes};
    wgdn_dataset_options o;
    wgdn_dataset *d;
    CHECK(wgdn_write_npy(x.text, &t, &err) == WGDN_OK &&
          wgdn_write_npy(y.text, &l, &err) == WGDN_OK);
    wgdn_dataset_options_init(&o);
    o.features = x.text;
    o.labels = y.text;
    put("e.tsv", "0 1\n");
    d = load("e.tsv", &o);
    CHECK(wgdn_dataset_nodes(d) == 4 && wgdn_dataset_get_dense(d)[3] == 4);
    CHECK(wgdn_dataset_label(d, 0) == 1 && wgdn_dataset_label(d, 3) == -1);
    wgdn_dataset_free(d);
    put("e.tsv", "");
    d = load("e.tsv", &o); /* features alone make nodes, too */
    CHECK(wgdn_dataset_nodes(d) == 4 && edge_count(d) == 0);
    wgdn_dataset_free(d);
    d = NULL;
    put("e.tsv", "0 1\n1 4\n");
    CHECK(wgdn_dataset_read(&d, scratch("e.tsv").text, &o, &err) == WGDN_EFORMAT);
    CHECK(strstr(err.message, ":2: \"4\" is not a node"));
    put("e.tsv", "0 1\n1 x\n");
    CHECK(wgdn_dataset_read(&d, scratch("e.tsv").text, &o, &err) == WGDN_EFORMAT);
    o.features = NULL;
    put("e.tsv", "0 1\n");
    CHECK(wgdn_dataset_read(&d, scratch("e.tsv").text, &o, &err) == WGDN_EFORMAT);
    CHECK(strstr(err.message, "a label for each of 2 nodes"));
}

static void binarized_features(void)
{
    const scratch_name x = scratch("x.tsv");
    wgdn_dataset_options o;
    wgdn_dataset_options_init(&o);
    o.features = x.text;
    o.binarize = 1;
    put("e.tsv", "a b\n");
    put("x.tsv", "a 3 -1 0 0.5\nb 0 0 0 0\n");
    wgdn_dataset *d = load("e.tsv", &o);
    CHECK(info_of(d).entries == 2 && wgdn_dataset_get_dense(d)[0] == 1);
    CHECK(wgdn_dataset_get_dense(d)[1] == 0);
    wgdn_dataset_free(d);
    d = make(sparse_arrays());
    CHECK(wgdn_dataset_write(d, scratch("d.safetensors").text, "safetensors", &err) == WGDN_OK);
    wgdn_dataset_free(d);
    o.features = NULL;
    d = load("d.safetensors", &o);
    CHECK(info_of(d).entries == 4 && !d->features.sparse.value && !d->features.borrowed);
    wgdn_dataset_free(d);
}

/* The labels of a node as "0 2", from what everybody may ask. */
static const char *labels_of(const wgdn_dataset *d, int64_t node)
{
    static char text[64];
    const wgdn_dataset_info info = info_of(d);
    size_t used = 0;
    text[0] = '\0';
    for (int64_t k = info.label_offset[node]; k < info.label_offset[node + 1]; k++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%d", used ? " " : "",
                                 info.label_list[k]);
    return text;
}

static void check_several(const wgdn_dataset *d)
{
    size_t size = 0;
    CHECK(d->lists.offset && info_of(d).classes == 3);
    CHECK_TEXT(labels_of(d, wgdn_dataset_find(d, "a", 1)), "0 2");
    CHECK_TEXT(labels_of(d, wgdn_dataset_find(d, "b", 1)), "1");
    CHECK_TEXT(labels_of(d, wgdn_dataset_find(d, "c", 1)), "");
    CHECK_TEXT(labels_of(d, wgdn_dataset_find(d, "d", 1)), "0 1 2");
    CHECK(wgdn_dataset_label(d, wgdn_dataset_find(d, "d", 1)) == 0);
    CHECK(wgdn_dataset_label(d, wgdn_dataset_find(d, "c", 1)) == -1);
    CHECK(memcmp(wgdn_dataset_get_class_name(&size, d, 2), "red", 3) == 0 && size == 3);
}

/* Lines of one node are labels of it; the same line again is nothing; c has an empty one. */
static void several_labels(void)
{
    const scratch_name y = scratch("y.csv"), e = scratch("e.csv"), s = scratch("s.safetensors");
    const scratch_name z = scratch("z.npz"), part = scratch("p.tsv");
    wgdn_dataset_options o;
    wgdn_dataset *d, *again = NULL;
    wgdn_dataset_options_init(&o);
    put("e.csv", "a,b\nb,c\nc,d\nd,a\n");
    put("y.csv", "id,label\nd,red\na,red\nb,green\na,blue\nd,blue\na,red\nd,green\nc,\nd,red\n");
    o.labels = y.text;
    d = load("e.csv", &o);
    check_several(d);
    CHECK(wgdn_dataset_write(d, s.text, NULL, NULL) == WGDN_OK);
    again = load("s.safetensors", NULL);
    check_several(again);
    wgdn_dataset_free(again);
    CHECK(wgdn_dataset_write(d, z.text, NULL, &err) == WGDN_EINVAL);
    CHECK(strstr(err.message, "one label per node") != NULL);
    CHECK(wgdn_dataset_write_part(d, part.text, WGDN_PART_LABELS, NULL) == WGDN_OK);
    o.labels = part.text;
    again = load("e.csv", &o);
    check_several(again);
    wgdn_dataset_free(again);
    int32_t *order = wgdn_alloc(4, sizeof *order); /* rows of the file in another order */
    for (int32_t i = 0; i < 4; i++)
        order[i] = 3 - i;
    d->order = order;
    CHECK(wgdn_dataset_write(d, s.text, NULL, NULL) == WGDN_OK);
    again = load("s.safetensors", NULL);
    check_several(again);
    wgdn_dataset_free(again);
    wgdn_dataset_free(d);
    o.labels = y.text;
    CHECK_ALLOCATIONS(wgdn_dataset_read(&again, e.text, &o, NULL), wgdn_dataset_free(again));
    CHECK_ALLOCATIONS(wgdn_dataset_read(&again, s.text, NULL, NULL), wgdn_dataset_free(again));
    put("y.csv", "a,x\nb,y\na,x\n"); /* one label each after all */
    d = load("e.csv", &o);
    CHECK(!d->lists.offset && info_of(d).classes == 2 && !info_of(d).label_offset);
    wgdn_dataset_free(d);
}

/* The same in memory, in any order; a list that nobody can have is refused. */
static void several_labels_in_memory(void)
{
    static const int64_t offset[] = {0, 3, 4, 4, 7}, falls[] = {0, 3, 2, 4, 7};
    static const int32_t list[] = {2, 0, 2, 1, 1, 2, 0}, low[] = {2, 0, -1, 1, 1, 2, 0};
    static const char *const name[] = {"a", "b", "c", "d"}, *const class[] = {"blue", "green",
                                                                              "red"};
    wgdn_dataset_arrays a = {.struct_size = sizeof a,
                             .nodes = 4,
                             .edges = 3,
                             .source = source,
                             .target = target,
                             .id = name,
                             .classes = 3,
                             .class_name = class,
                             .label_offset = offset,
                             .label_list = list};
    wgdn_dataset *d = make(a), *none = NULL;
    check_several(d);
    wgdn_dataset_free(d);
    CHECK_ALLOCATIONS(wgdn_dataset_from_arrays(&d, &a, NULL), wgdn_dataset_free(d));
    a.label_list = low;
    CHECK(wgdn_dataset_from_arrays(&none, &a, &err) == WGDN_EINVAL && !none);
    CHECK(strstr(err.message, "label -1") != NULL);
    a.label_offset = falls;
    CHECK(wgdn_dataset_from_arrays(&none, &a, &err) == WGDN_EINVAL && !none);
    CHECK(strstr(err.message, "do not ascend") != NULL);
}

static void bad_sides_are_named(void)
{
    static const struct {
        const char *labels, *splits, *says;
    } bad[] = {
        {"a,x\nq,y\n", NULL, "y.csv:2:1: \"q\" is not a node"},
        {"a,x\nb\n", NULL, "y.csv:2:1: 1 columns: expected 2"},
        {"", NULL, "no rows"},
        {NULL, "a,train\nb,later\n", "z.csv:2:3: \"later\": expected train, val, test or none"},
        {NULL, "a,train\nb,train,test\n", "3 columns"},
        {NULL, "a,train\nq,test\n", "\"q\" is not a node"},
        {NULL, "a,train\na,test\n", "a second split"},
        {NULL, "", "expected an id and one of"},
        {NULL, "a\n", "expected an id and one of"},
    };
    const scratch_name y = scratch("y.csv"), z = scratch("z.csv");
    put("e.csv", "a,b\n");
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        wgdn_dataset *d = NULL;
        wgdn_dataset_options o;
        wgdn_dataset_options_init(&o);
        if (bad[i].labels) put("y.csv", bad[i].labels);
        if (bad[i].splits) put("z.csv", bad[i].splits);
        o.labels = bad[i].labels ? y.text : NULL;
        o.splits = bad[i].splits ? z.text : NULL;
        o.strict = 1;
        CHECK(wgdn_dataset_read(&d, scratch("e.csv").text, &o, &err) == WGDN_EFORMAT && !d);
        if (!strstr(err.message, bad[i].says)) CHECK_TEXT(err.message, bad[i].says);
    }
}

static void label_columns_by_name(void)
{
    const scratch_name y = scratch("y.csv");
    wgdn_dataset_options o;
    wgdn_dataset *d = NULL;
    wgdn_dataset_options_init(&o);
    put("e.csv", "0,1\n");
    put("y.csv", "id,class,color\n0,p,red\n1,q,red\n");
    o.labels = y.text;
    d = load("e.csv", &o);
    CHECK(wgdn_dataset_classes(d) == 2);
    wgdn_dataset_free(d);
    o.label_column = "color";
    d = load("e.csv", &o);
    CHECK(wgdn_dataset_classes(d) == 1);
    wgdn_dataset_free(d);
    o.label_column = "shape";
    CHECK(wgdn_dataset_read(&d, scratch("e.csv").text, &o, &err) == WGDN_EFORMAT);
    CHECK(strstr(err.message, "no column has the heading 'shape'"));
}

static void small_and_empty(void)
{
    wgdn_dataset *d = NULL;
    put("e.tsv", "only only\n");
    d = load("e.tsv", NULL);
    CHECK(wgdn_dataset_nodes(d) == 1 && edge_count(d) == 0);
    wgdn_dataset_free(d);
    d = NULL;
    put("e.tsv", "");
    CHECK(wgdn_dataset_read(&d, scratch("e.tsv").text, NULL, &err) == WGDN_EFORMAT);
    CHECK(strstr(err.message, "no rows"));
    CHECK(wgdn_dataset_read(&d, scratch("nowhere.tsv").text, NULL, &err) == WGDN_EIO);
    CHECK(wgdn_dataset_read(&d, NULL, NULL, &err) == WGDN_EINVAL && !d);
}

/* The limits stand in for 2^31 nodes and more entries than memory holds. */
static void limits(void)
{
    static const struct {
        int64_t nodes, entries, bytes;
        wgdn_status expected;
    } limit[] = {
        {3, 1000, 1000, WGDN_OK},  {2, 1000, 1000, WGDN_ERANGE}, {3, 2, 1000, WGDN_OK},
        {3, 1, 1000, WGDN_ERANGE}, {3, 1000, 7, WGDN_EFORMAT},
    };
    put("e.tsv", "0 1\n1 2\n");
    put("g.mtx", "%%MatrixMarket matrix coordinate pattern general\n3 3 2\n1 2\n2 3\n");
    for (size_t i = 0; i < sizeof limit / sizeof *limit; i++) {
        wgdn_dataset *d = NULL;
        wgdn_dataset_options o;
        wgdn_dataset_options_init(&o);
        o.max_nodes = limit[i].nodes;
        o.max_entries = limit[i].entries;
        o.max_bytes = limit[i].bytes;
        CHECK(wgdn_dataset_read(&d, scratch("e.tsv").text, &o, &err) == limit[i].expected);
        wgdn_dataset_free(d);
        d = NULL;
        CHECK(wgdn_dataset_read(&d, scratch("g.mtx").text, &o, &err) == limit[i].expected);
        wgdn_dataset_free(d);
    }
    wgdn_dataset_options o;
    wgdn_dataset *d = NULL;
    wgdn_dataset_options_init(&o);
    o.max_nodes = 0;
    CHECK(wgdn_dataset_read(&d, scratch("e.tsv").text, &o, &err) == WGDN_EINVAL);
}

/* ---- layouts of npz ---- */

static wgdn_tensor tensor(const char *name, wgdn_dtype dtype, int64_t rows, int64_t cols,
                          const void *data)
{
    return (wgdn_tensor){name, dtype, cols ? 2 : 1, {rows, cols}, wgdn_dtype_width(dtype),
                         data, NULL};
}

static const int32_t indptr[] = {0, 2, 3, 3}, indices[] = {2, 1, 0};
static const double weight[] = {1, 2, 0};
static const int64_t square[] = {3, 3};

static void scipy_matrices(void)
{
    wgdn_tensor t[] = {
        tensor("indptr", WGDN_I32, 4, 0, indptr), tensor("indices", WGDN_I32, 3, 0, indices),
        tensor("data", WGDN_F64, 3, 0, weight), tensor("shape", WGDN_I64, 2, 0, square)};
    wgdn_dataset *d;
    CHECK(wgdn_write_npz(scratch("d.npz").text, t, 4, &err) == WGDN_OK);
    d = load("d.npz", NULL);
    CHECK(wgdn_dataset_nodes(d) == 3 && edge_count(d) == 2);
    CHECK(d->counts.zero_weights == 1 && d->counts.other_weights == 0);
    CHECK(info_of(d).weighted && info_of(d).weight_min == 1 && info_of(d).weight_max == 2);
    wgdn_dataset_free(d);
    const scratch_name x = scratch("d.npz");
    wgdn_dataset_options o;
    wgdn_dataset_options_init(&o);
    o.features = x.text;
    put("e.tsv", "0 1\n");
    d = load("e.tsv", &o); /* the same matrix as features: columns sorted, the zero dropped */
    CHECK(wgdn_dataset_nodes(d) == 3 && info_of(d).entries == 2);
    CHECK(d->features.sparse.column[0] == 1 && d->features.sparse.value[0] == 2);
    wgdn_dataset_free(d);
}

static void plain_arrays(void)
{
    static const int64_t edges[] = {0, 1, 1, 2, 2, 2}, labels[] = {1, 0, 1};
    static const double x[] = {1, 2, 3};
    static const uint8_t train[] = {1, 0, 0, 0, 1, 0}, test[] = {0, 1, 0, 0, 0, 1};
    wgdn_tensor t[] = {
        tensor("edges", WGDN_I64, 3, 2, edges), tensor("node_features", WGDN_F64, 3, 1, x),
        tensor("node_labels", WGDN_I64, 3, 0, labels),
        tensor("train_masks", WGDN_BOOL, 2, 3, train), tensor("test_masks", WGDN_BOOL, 2, 3, test)};
    CHECK(wgdn_write_npz(scratch("d.npz").text, t, 5, &err) == WGDN_OK);
    wgdn_dataset *d = load("d.npz", NULL);
    CHECK(edge_count(d) == 2 && d->counts.self_loops == 1);
    CHECK(info_of(d).splits == 2 && wgdn_dataset_split(d, 1, 1) == WGDN_SPLIT_TRAIN);
    CHECK(wgdn_dataset_split(d, 0, 1) == WGDN_SPLIT_TEST && wgdn_dataset_classes(d) == 2);
    wgdn_dataset_free(d);
    t[0] = tensor("edge_index", WGDN_I64, 2, 3, edges);
    CHECK(wgdn_write_npz(scratch("d.npz").text, t, 1, &err) == WGDN_OK);
    d = load("d.npz", NULL); /* 0-2 1-2 1-2 */
    CHECK(edge_count(d) == 2 && d->counts.repeats == 1 && wgdn_dataset_nodes(d) == 3);
    wgdn_dataset_free(d);
}

/* Arrays by the names that other programs give them: what they hold, or what is wrong with them. */
typedef struct odd_npz {
    const char *says; /* NULL: it is read */
    int64_t nodes, edges;
    int arrays;
    wgdn_tensor array[6];
} odd_npz;

static void odd_arrays(void)
{
    static const int32_t start[] = {0, 2, 3, 3}, column[] = {0, 2, 1};
    static const int32_t left[] = {0, -1, 1};
    static const int64_t none[] = {0, 2, 0};
    static const int64_t wide[] = {2, 3}, three[] = {2, 3, 1}, heavy[] = {1, 2, 3}, high[] = {3, 3},
                         four[] = {4};
    static const int64_t u[] = {0, 1, 2}, v[] = {1, 2, 0}, below[] = {0, 1, -1}, zero[] = {0};
    static const float full[] = {0, 1, 0, 1, 0, 2, 0, 2, 0}, nan_weight[] = {1, NAN, 1};
    static const uint8_t mask[] = {1, 0, 0, 1, 0, 0};
    const wgdn_tensor starts = tensor("indptr", WGDN_I32, 3, 0, start);
    const wgdn_tensor columns = tensor("indices", WGDN_I32, 3, 0, column);
    const wgdn_tensor shape = tensor("shape", WGDN_I64, 2, 0, wide);
    const wgdn_tensor src = tensor("src", WGDN_I64, 3, 0, u),
                      dst = tensor("dst", WGDN_I64, 3, 0, v);
    const odd_npz odd[] = {
        {NULL, 5, 3, 3, {starts, columns, shape}},
        {"has 3 elements: expected rows",
         0,
         0,
         3,
         {starts, columns, tensor("shape", WGDN_I64, 3, 0, three)}},
        {"with 3 row starts", 0, 0, 3, {starts, columns, tensor("shape", WGDN_I64, 2, 0, high)}},
        {NULL, 3, 2, 1, {tensor("a", WGDN_F32, 3, 3, full)}},
        {NULL, 3, 3, 2, {src, dst}},
        {NULL, 4, 3, 3, {src, dst, tensor("num_nodes", WGDN_I64, 1, 0, four)}},
        {NULL,
         3,
         3,
         4,
         {tensor("row", WGDN_I64, 3, 0, u), tensor("col", WGDN_I64, 3, 0, v),
          tensor("data", WGDN_I64, 3, 0, heavy), tensor("shape", WGDN_I64, 2, 0, high)}},
        {NULL,
         3,
         3,
         3,
         {tensor("source", WGDN_I64, 3, 0, u), tensor("target", WGDN_I64, 3, 0, v),
          tensor("labels", WGDN_I64, 3, 0, v)}},
        {"expected one for each edge", 0, 0, 2, {src, tensor("dst", WGDN_I64, 2, 0, v)}},
        {"expected 3, one for each edge",
         0,
         0,
         3,
         {src, dst, tensor("edge_weight", WGDN_F32, 2, 0, full)}},
        {"has the weight", 0, 0, 3, {src, dst, tensor("weight", WGDN_F32, 3, 0, nan_weight)}},
        {"expected one number of nodes",
         0,
         0,
         3,
         {src, dst, tensor("num_nodes", WGDN_I64, 2, 0, wide)}},
        {"edge 2 is -1 - 0", 0, 0, 2, {tensor("src", WGDN_I64, 3, 0, below), dst}},
        {"node 0 in two parts",
         0,
         0,
         4,
         {src, dst, tensor("train_idx", WGDN_I64, 1, 0, zero),
          tensor("test_idx", WGDN_I64, 1, 0, zero)}},
        {"a row for each split", 0, 0, 3, {src, dst, tensor("train_mask", WGDN_BOOL, 2, 0, mask)}},
        {NULL, 3, 3, 3, {src, dst, tensor("train_mask", WGDN_BOOL, 3, 2, mask)}},
        {"expected edges as m x 2 or 2 x m", 0, 0, 1, {tensor("edges", WGDN_I64, 3, 0, u)}},
        {"expected edges as m x 2 or 2 x m", 0, 0, 1, {tensor("edges", WGDN_I64, 1, 3, u)}},
        {"no graph", 0, 0, 1, {tensor("a", WGDN_I64, 3, 0, u)}},
        {"no graph", 0, 0, 1, {tensor("a", WGDN_F32, 3, 2, full)}},
        {"no graph", 0, 0, 1, {tensor("src", WGDN_I64, 3, 0, u)}},
        {NULL, 3, 3, 3, {src, dst, tensor("num_nodes", WGDN_I64, 2, 0, high)}},
        {"edge 2 is 2 - -1",
         0,
         0,
         2,
         {tensor("src", WGDN_I64, 3, 0, u), tensor("dst", WGDN_I64, 3, 0, below)}},
        {"nodes are 0 .. 0", 0, 0, 3, {src, dst, tensor("num_nodes", WGDN_I64, 1, 0, heavy)}},
        {"element 0 of train_idx is -1",
         0,
         0,
         3,
         {src, dst, tensor("train_idx", WGDN_I64, 1, 0, below + 2)}},
        {"a row for each split",
         0,
         0,
         4,
         {src, dst, tensor("train_mask", WGDN_BOOL, 3, 0, mask),
          tensor("test_mask", WGDN_BOOL, 3, 2, mask)}},
        {"a row for each split", 0, 0, 3, {src, dst, tensor("train_mask", WGDN_BOOL, 2, 2, mask)}},
        {"a matrix of 0 x 2", 0, 0, 3, {starts, columns, tensor("shape", WGDN_I64, 2, 0, none)}},
        {"a matrix of 2 x 0",
         0,
         0,
         3,
         {starts, columns, tensor("shape", WGDN_I64, 2, 0, none + 1)}},
        {"indptr does not fit 2 rows and 3",
         0,
         0,
         3,
         {tensor("indptr", WGDN_I32, 3, 0, start + 1), columns, shape}},
        {"indptr does not fit 2 rows and 2",
         0,
         0,
         3,
         {starts, tensor("indices", WGDN_I32, 2, 0, column), shape}},
        {"data has 2 elements: expected 3, one for each of indices",
         0,
         0,
         4,
         {starts, columns, shape, tensor("data", WGDN_F32, 2, 0, full)}},
        {"element 1 of indices is -1",
         0,
         0,
         3,
         {starts, tensor("indices", WGDN_I32, 3, 0, left), shape}},
        {NULL, 5, 3, 4, {starts, columns, shape, tensor("format", WGDN_I64, 1, 0, four)}},
    };
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) {
        wgdn_dataset *d = NULL;
        CHECK(wgdn_write_npz(scratch("d.npz").text, odd[i].array, odd[i].arrays, &err) == WGDN_OK);
        const wgdn_status st = wgdn_dataset_read(&d, scratch("d.npz").text, NULL, &err);
        CHECK(st == (odd[i].says ? WGDN_EFORMAT : WGDN_OK) && !d == !!odd[i].says);
        if (odd[i].says && !strstr(err.message, odd[i].says)) CHECK_TEXT(err.message, odd[i].says);
        if (d) CHECK(wgdn_dataset_nodes(d) == odd[i].nodes && edge_count(d) == odd[i].edges);
        wgdn_dataset_free(d);
    }
    /* rows and columns are two kinds of nodes, unless they are said to be one */
    wgdn_dataset_options o;
    wgdn_dataset *d = NULL;
    wgdn_dataset_options_init(&o);
    CHECK(wgdn_write_npz(scratch("d.npz").text, odd[0].array, 3, &err) == WGDN_OK);
    o.bipartite = 0;
    CHECK(wgdn_dataset_read(&d, scratch("d.npz").text, &o, &err) == WGDN_EFORMAT && !d);
    CHECK(strstr(err.message, "2 x 3: expected a square"));
    wgdn_dataset_options_init(&o);
    o.max_nodes = 4;
    CHECK(wgdn_dataset_read(&d, scratch("d.npz").text, &o, &err) == WGDN_ERANGE && !d);
}

static void bad_npz(void)
{
    static const int32_t falls[] = {0, 2, 1, 3}, beyond[] = {2, 1, 3};
    static const int64_t flat[] = {3, 2}, node[] = {3};
    static const float nan_weight[] = {1, NAN, 1};
    const wgdn_tensor good[] = {tensor("adj_indptr", WGDN_I32, 4, 0, indptr),
                                tensor("adj_indices", WGDN_I32, 3, 0, indices),
                                tensor("adj_data", WGDN_F64, 3, 0, weight),
                                tensor("adj_shape", WGDN_I64, 2, 0, square)};
    static const char *const says[] = {"falls",
                                       "is 3: expected 0",
                                       "is 3: nodes",
                                       "weight",
                                       "no graph",
                                       "expected 0 .. 1",
                                       "elements: expected one for each node"};
    for (int i = 0; i < 7; i++) {
        wgdn_tensor t[5];
        wgdn_dataset *d = NULL;
        int64_t count = 4;
        memcpy(t, good, sizeof good);
        if (i == 0) t[0].data = falls;
        if (i == 1) t[1].data = beyond;
        if (i == 2) t[count++] = tensor("train_idx", WGDN_I64, 1, 0, node);
        if (i == 3) t[2] = tensor("adj_data", WGDN_F32, 3, 0, nan_weight);
        if (i == 4) t[0].name = "other";
        if (i == 5) t[3].data = flat;
        if (i == 6) t[count++] = tensor("labels", WGDN_I64, 2, 0, flat);
        CHECK(wgdn_write_npz(scratch("d.npz").text, t, count, &err) == WGDN_OK);
        CHECK(wgdn_dataset_read(&d, scratch("d.npz").text, NULL, &err) == WGDN_EFORMAT && !d);
        if (!strstr(err.message, says[i])) CHECK_TEXT(err.message, says[i]);
    }
}

/* ---- packed files that lie ---- */

static void bad_packed(void)
{
    static const int64_t offset[] = {0, 1, 2, 2}, falls[] = {0, 2, 1, 2}, start[] = {0, 1, 2, 9};
    static const int32_t column[] = {1, 0}, one_way[] = {1, 2}, loop[] = {0, 1}, far[] = {1, 9};
    static const int8_t four[] = {0, 4, 0};
    static const int32_t low[] = {0, -5, 1};
    static const float infinite[] = {0, 1, INFINITY};
    static const int64_t width[] = {1}, graphs[] = {0, 1, 3};
    static const wgdn_text_pair good[] = {{"wgdn.kind", "dataset"}, {"wgdn.version", "1"}};
    static const wgdn_text_pair other[] = {{"wgdn.kind", "model"}, {"wgdn.version", "1"}};
    static const char *const says[] = {"row 1",           "not symmetric", "a loop",
                                       "range or order",  "split",         "label",
                                       "row 2, column 0", "ids.start",     "wgdn.kind",
                                       "leaves graph",    "to be there",   "another number"};
    for (int i = 0; i < 12; i++) {
        wgdn_tensor t[5] = {tensor("graph.offset", WGDN_I64, 4, 0, offset),
                            tensor("graph.column", WGDN_I32, 2, 0, column)};
        wgdn_dataset *d = NULL;
        int64_t count = 2;
        if (i == 0) t[0].data = falls;
        if (i == 1) t[1].data = one_way;
        if (i == 2) t[1].data = loop;
        if (i == 3) t[1].data = far;
        if (i == 4) t[count++] = tensor("split", WGDN_I8, 1, 3, four);
        if (i == 5) t[count++] = tensor("label", WGDN_I32, 3, 0, low);
        if (i == 6) t[count++] = tensor("features.dense", WGDN_F32, 3, 1, infinite);
        if (i == 7) {
            t[count++] = tensor("ids.start", WGDN_I64, 4, 0, start);
            t[count++] = tensor("ids.text", WGDN_U8, 3, 0, "abc");
        }
        if (i == 9) t[count++] = tensor("graphs.start", WGDN_I64, 3, 0, graphs);
        if (i == 10) count = 1;
        if (i == 11) {
            t[count++] = tensor("features.offset", WGDN_I64, 3, 0, offset);
            t[count++] = tensor("features.column", WGDN_I32, 2, 0, column);
            t[count++] = tensor("features.width", WGDN_I64, 1, 0, width);
        }
        CHECK(wgdn_write_safetensors(scratch("d.safetensors").text, t, count, i == 8 ? other : good,
                                     2, &err) == WGDN_OK);
        CHECK(wgdn_dataset_read(&d, scratch("d.safetensors").text, NULL, &err) == WGDN_EFORMAT &&
              !d);
        if (!strstr(err.message, says[i])) CHECK_TEXT(err.message, says[i]);
    }
}

/* Offsets of another type are copied, and the columns with them. */
static void packed_of_other_types(void)
{
    static const uint32_t offset[] = {0, 1, 2, 2};
    static const int32_t column[] = {1, 0};
    static const wgdn_text_pair kind[] = {{"wgdn.kind", "dataset"}, {"wgdn.version", "1"}};
    const wgdn_tensor t[] = {tensor("graph.offset", WGDN_U32, 4, 0, offset),
                             tensor("graph.column", WGDN_I32, 2, 0, column)};
    CHECK(wgdn_write_safetensors(scratch("d.safetensors").text, t, 2, kind, 2, &err) == WGDN_OK);
    wgdn_dataset *d = load("d.safetensors", NULL);
    CHECK(edge_count(d) == 1 && !d->graph->borrowed);
    wgdn_dataset_free(d);
}

/* ---- failures ---- */

static void failures_leave_nothing(void)
{
    const scratch_name x = scratch("x.tsv"), y = scratch("y.tsv"), z = scratch("z.tsv");
    const scratch_name e = scratch("e.tsv"), p = scratch("d.safetensors"), n = scratch("d.npz");
    const wgdn_dataset_arrays full = full_arrays();
    wgdn_dataset *d = make(sparse_arrays()), *r = NULL;
    wgdn_dataset_options o;
    CHECK_ALLOCATIONS(wgdn_dataset_from_arrays(&r, &full, NULL), wgdn_dataset_free(r));

    CHECK_ALLOCATIONS(wgdn_dataset_write(d, p.text, "safetensors", NULL), (void)0);
    CHECK_ALLOCATIONS(wgdn_dataset_write(d, n.text, "npz", NULL), (void)0);
    CHECK_ALLOCATIONS(wgdn_dataset_write(d, e.text, "edges", NULL), (void)0);
    CHECK_ALLOCATIONS(wgdn_dataset_write_part(d, x.text, WGDN_PART_FEATURES, NULL), (void)0);
    CHECK_FILE_OPERATIONS(wgdn_dataset_write(d, p.text, "safetensors", NULL), (void)0);
    CHECK_FILE_OPERATIONS(wgdn_dataset_write(d, n.text, "npz", NULL), (void)0);
    CHECK_FILE_OPERATIONS(wgdn_dataset_write(d, e.text, "edges", NULL), (void)0);
    CHECK_FILE_OPERATIONS(wgdn_dataset_write_part(d, x.text, WGDN_PART_FEATURES, NULL), (void)0);
    CHECK(wgdn_dataset_write_part(d, y.text, WGDN_PART_LABELS, NULL) == WGDN_OK);
    CHECK(wgdn_dataset_write_part(d, z.text, WGDN_PART_SPLITS, NULL) == WGDN_OK);
    CHECK_ALLOCATIONS(write_array(d, scratch("v").text, "npz", dense, 2, NULL), (void)0);
    CHECK_ALLOCATIONS(write_array(d, scratch("v").text, "tsv", dense, 2, NULL), (void)0);

    CHECK_ALLOCATIONS(wgdn_dataset_read(&r, p.text, NULL, NULL), wgdn_dataset_free(r));
    CHECK_ALLOCATIONS(wgdn_dataset_read(&r, n.text, NULL, NULL), wgdn_dataset_free(r));
    CHECK_FILE_OPERATIONS(wgdn_dataset_read(&r, p.text, NULL, NULL), wgdn_dataset_free(r));
    CHECK_FILE_OPERATIONS(wgdn_dataset_read(&r, n.text, NULL, NULL), wgdn_dataset_free(r));
    wgdn_dataset_options_init(&o);
    o.features = x.text;
    o.labels = y.text;
    o.splits = z.text;
    o.binarize = 1;
    CHECK_ALLOCATIONS(wgdn_dataset_read(&r, e.text, &o, NULL), wgdn_dataset_free(r));
    CHECK_FILE_OPERATIONS(wgdn_dataset_read(&r, e.text, &o, NULL), wgdn_dataset_free(r));
    o.features = n.text; /* arrays beside an edge list: its ids are no numbers */
    r = NULL;
    CHECK(wgdn_dataset_read(&r, e.text, &o, NULL) == WGDN_EFORMAT && !r);
    wgdn_dataset_free(d);
}

/* ---- options that do not fit the input ---- */

static wgdn_dataset_options plain_options(void)
{
    wgdn_dataset_options o;
    wgdn_dataset_options_init(&o);
    return o;
}

static const char *refused_with(const char *name, const wgdn_dataset_options *o)
{
    wgdn_dataset *d = NULL;
    err.message[0] = '\0';
    const wgdn_status st = wgdn_dataset_read(&d, scratch(name).text, o, &err);
    wgdn_dataset_free(d);
    CHECK(st != WGDN_OK || !err.message[0]);
    return err.message;
}

static void options_without_a_use(void)
{
    put("g.gml", "graph [ node [ id 1 ] node [ id 2 ] edge [ source 1 target 2 ] ]\n");
    put("g.csv", "source,target\n1,2\n2,3\n");
    put("f.csv", "key;v\n1;0,5\n2;1,5\n");
    put("many.csv", "key,v\n7,1\n8,2\n9,1\n1,3\n,4\n");
    put("none.csv", "key,v\n17,1\n18,2\n");
    wgdn_dataset_options o = plain_options();
    o.separator = "tab";
    CHECK(strstr(refused_with("g.gml", &o), "--separator is for edge lists as text"));
    o = plain_options();
    o.decimal = ",";
    CHECK(strstr(refused_with("g.gml", &o), "--decimal is for edge lists as text"));
    o.features = scratch("f.csv").text;
    const char *const features = strdup(o.features);
    o.features = features;
    CHECK_TEXT(refused_with("g.gml", &o), "");
    o.separator = ";";
    CHECK_TEXT(refused_with("g.gml", &o), "");
    o.separator = ",";
    CHECK_TEXT(refused_with("g.csv", &o), "separator and decimal are both ','");
    o = plain_options();
    o.id = "key";
    CHECK(strstr(refused_with("g.csv", &o), "--id names the column of ids"));
    o.memory = 1000;
    CHECK(strstr(refused_with("g.csv", &o), "memory = 1000"));
    free((void *)(uintptr_t)features);
    /* Ids that the graph does not have: of most rows, of all, and where strict refuses the first. */
    o = plain_options();
    char table[2][512];
    snprintf(table[0], sizeof table[0], "%s", scratch("many.csv").text);
    snprintf(table[1], sizeof table[1], "%s", scratch("none.csv").text);
    o.features = table[0];
    o.id = "key";
    CHECK_TEXT(refused_with("g.csv", &o), "");
    o.strict = 1;
    (void)refused_with("g.csv", &o);
    o.strict = 0;
    o.features = table[1];
    CHECK(strstr(refused_with("g.csv", &o), "none of its 2 ids is in the graph"));
}

/* ---- vectors as text, compressed ---- */

static void compressed_vectors(void)
{
    enum { ROWS = 300, DIM = 300 };
    static float x[ROWS * DIM];
    static const char *const names[] = {"v.csv.gz", "v.tsv.gz", "v.jsonl.gz", "v.jsonl"};
    wgdn_embedding *e = NULL;
    wgdn_write_options lines;
    wgdn_write_options_init(&lines);
    lines.format = "jsonl";
    for (int i = 0; i < ROWS * DIM; i++)
        x[i] = (float)(i % 997) / 31;
    CHECK(wgdn_embedding_from_values(&e, x, ROWS, DIM, NULL, &err) == WGDN_OK);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        CHECK_ALLOCATIONS(wgdn_embedding_write(e, scratch(names[i]).text, NULL, NULL), (void)0);
    CHECK(wgdn_embedding_write(e, "/dev/full", &lines, &err) == WGDN_EWRITE);
    CHECK(wgdn_embedding_write(e, scratch("no/v.csv.gz").text, NULL, &err) == WGDN_EWRITE);
    lines.numbers = WGDN_NUMBERS_F16;
    CHECK(wgdn_embedding_write(e, scratch("v.jsonl").text, &lines, &err) == WGDN_EINVAL);
    CHECK(strstr(err.message, "text formats cannot store 16-bit floats"));
    wgdn_embedding_free(e);
    CHECK(wgdn_embedding_read(&e, scratch("v.csv.gz").text, &err) == WGDN_OK);
    CHECK(wgdn_embedding_rows(e) == ROWS && wgdn_embedding_dim(e) == DIM);
    CHECK(memcmp(wgdn_embedding_get_values(e), x, sizeof x) == 0);
    wgdn_embedding_free(e);
}

/* ---- how data was read, as a model holds it ---- */

/* Options o after a model that holds the text was applied to a file with this first row; or why not. */
static const char *applied(const char *text, wgdn_dataset_options *o, const char *head)
{
    static char out[512];
    wgdn_reading r;
    err.message[0] = '\0';
    wgdn_status st = wgdn_reading_parse(&r, text, &err);
    if (!st) st = wgdn_reading_apply(o, &r, true, wgdn_text_of(head, strlen(head)), &err);
    snprintf(out, sizeof out, "%s %s %s %s %d %d %d", o->source ? o->source : "-",
             o->target ? o->target : "-", o->weight ? o->weight : "-", o->id ? o->id : "-",
             o->bipartite, (int)o->weights, (int)o->directed);
    wgdn_reading_free(&r);
    return st ? err.message : out;
}

#define READING \
    "reading 1\nsource a%20b\ntarget to\nweight w\nbipartite no\nweights use\ndirected both\n"

static void reading_is_applied(void)
{
    static const char *const broken[] = {
        "",
        "reading 2\n",
        "reading 1\nsource\n",
        "reading 1\nsource a%2\n",
        "reading 1\nsource a%zz\n",
        "reading 1\nsource %00\n",
        "reading 1\nsource \n",
        "reading 1\nbipartite maybe\n",
        "reading 1\nweights some\n",
        "reading 1\ndirected up\n",
        "reading 1\nsource a",
    };
    wgdn_dataset_options o = plain_options();
    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++)
        CHECK(strstr(applied(broken[i], &o, ""), "is not what a model holds"));
    CHECK_TEXT(applied(READING, &o, "a b,to,w"), "a b to w - 0 0 3");
    o = plain_options();
    o.features = "x.csv";
    CHECK_TEXT(applied("reading 1\nid key\nnews of later\n", &o, ""), "- - - key -1 0 0");
    o = plain_options();
    o.source = "a b";
    CHECK_TEXT(applied(READING, &o, ""), "a b to w - 0 0 3");
    o = plain_options();
    o.source = "1"; /* it may be the same column */
    CHECK_TEXT(applied(READING, &o, "a b,to,w"), "1 to w - 0 0 3");
    o = plain_options(); /* other headings: ends are found, a weight has to be named */
    CHECK(strstr(applied(READING, &o, "from,to"), "--weight names the column here"));
    o = plain_options();
    o.target = "other";
    CHECK(strstr(applied(READING, &o, ""), "--target other contradicts"));
    o = plain_options();
    o.type = "kind";
    CHECK(strstr(applied(READING, &o, ""), "without a column of types"));
    o = plain_options();
    o.weights = WGDN_WEIGHTS_LOG;
    CHECK(strstr(applied(READING, &o, ""), "--weights log contradicts"));
    o = plain_options();
    o.directed = WGDN_DIRECTION_FORWARD;
    CHECK(strstr(applied(READING, &o, ""), "--directed forward contradicts"));
    o = plain_options();
    o.bipartite = 1;
    CHECK(strstr(applied(READING, &o, ""), "--bipartite yes contradicts"));
    wgdn_reading r;
    o = plain_options();
    CHECK_ALLOCATIONS(wgdn_reading_parse(&r, READING, NULL), wgdn_reading_free(&r));
}

int main(void)
{
    scratch_begin();
    RUN(from_arrays);
    RUN(borrowed_features_are_not_copied);
    RUN(wrong_arrays_are_refused);
    RUN(packed_keeps_everything);
    RUN(npz_keeps_one_graph);
    RUN(text_keeps_the_parts);
    RUN(embeddings_come_back_with_their_ids);
    RUN(nodes_come_from_edges_and_features);
    RUN(integer_ids_are_numbered_by_value);
    RUN(rows_of_an_array_are_the_nodes);
    RUN(binarized_features);
    RUN(several_labels);
    RUN(several_labels_in_memory);
    RUN(bad_sides_are_named);
    RUN(label_columns_by_name);
    RUN(small_and_empty);
    RUN(limits);
    RUN(scipy_matrices);
    RUN(plain_arrays);
    RUN(odd_arrays);
    RUN(bad_npz);
    RUN(bad_packed);
    RUN(packed_of_other_types);
    RUN(failures_leave_nothing);
    RUN(reading_is_applied);
    RUN(compressed_vectors);
    RUN(options_without_a_use);
    CHECK(wgdn_alloc_live() == 0);
    scratch_end();
    return check_result();
}
