/* SPDX-License-Identifier: Apache-2.0 */
#define _DEFAULT_SOURCE
#include "scratch.h"

static wgdn_error err;

typedef struct set {
    const char *edges, *indicator, *graph_labels, *node_labels;
} set;

/* A triangle, then a path of two with a loop; labels out of order. */
static const set small = {"1, 2\n2, 1\n2,3\n3, 1\n1, 3\n4, 5\n5, 5\n4, 5\n", "1\n1\n1\n2\n2\n",
                          "7\n-1\n", "4\n6\n4\n5\n4\n"};

static void put(const char *name, const char *text)
{
    if (text)
        scratch_write(name, text, strlen(text));
    else
        (void)unlink(scratch(name).text);
}

static wgdn_status load(wgdn_dataset **d, set s)
{
    put("S_A.txt", s.edges);
    put("S_graph_indicator.txt", s.indicator);
    put("S_graph_labels.txt", s.graph_labels);
    put("S_node_labels.txt", s.node_labels);
    err.message[0] = '\0';
    *d = NULL;
    return wgdn_dataset_read(d, scratch_folder, NULL, &err);
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

static void known_answer(void)
{
    wgdn_dataset *d;
    wgdn_dataset_info c = {.struct_size = sizeof c};
    CHECK(load(&d, small) == WGDN_OK);
    CHECK_TEXT(err.message, "");
    if (!d) return;
    wgdn_dataset_get_info(&c, d);
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
    set s = small;
    s.node_labels = s.graph_labels = NULL;
    CHECK(load(&d, s) == WGDN_OK);
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
    CHECK(load(&d, (set){edges, indicator, NULL, NULL}) == WGDN_OK);
    if (!d) return;
    CHECK(wgdn_dataset_features(d) == 401 && column(d, 0) == 400 && column(d, 1) == 1);
    wgdn_dataset_free(d);
}

static void bad_files_are_named(void)
{
    static const struct {
        set s;
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
        CHECK(load(&d, bad[i].s) == WGDN_EFORMAT && !d);
        if (!strstr(err.message, bad[i].says)) CHECK_TEXT(err.message, bad[i].says);
    }
}

static void failures_leave_nothing(void)
{
    wgdn_dataset *d;
    CHECK(load(&d, small) == WGDN_OK);
    wgdn_dataset_free(d);
    CHECK_ALLOCATIONS(wgdn_dataset_read(&d, scratch_folder, NULL, NULL), wgdn_dataset_free(d));
    CHECK_FILE_OPERATIONS(wgdn_dataset_read(&d, scratch_folder, NULL, NULL), wgdn_dataset_free(d));
}

int main(void)
{
    scratch_begin();
    RUN(known_answer);
    RUN(degrees_where_nodes_have_no_labels);
    RUN(large_degrees_are_clipped);
    RUN(bad_files_are_named);
    RUN(failures_leave_nothing);
    scratch_end();
    return check_result();
}
