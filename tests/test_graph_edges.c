/* SPDX-License-Identifier: Apache-2.0 */
#define _DEFAULT_SOURCE /* mkdtemp */
/* Edge lists with a column of graphs. */
#include "check.h"
#include "dataset/dataset.h"
#include "scratch.h"

static const char text[] = "graph\tsource\ttarget\tweight\n"
                           "10\tx\ty\t1\n"
                           "9\tx\tz\t2\n"
                           "10\ty\tz\t1\n"
                           "9\tz\tw\t0\n"
                           "11\tx\tx\t1\n";

static wgdn_dataset *read_set(const char *name, const wgdn_dataset_options *o)
{
    wgdn_dataset *d = NULL;
    wgdn_error err = {WGDN_OK, ""};
    CHECK(wgdn_dataset_read(&d, scratch(name).text, o, &err) == WGDN_OK);
    if (!d) printf("     %s\n", err.message);
    return d;
}

static void check_ids(const wgdn_dataset *d, const char *const *id)
{
    char found[16];
    for (int64_t i = 0; i < wgdn_dataset_nodes(d); i++) {
        (void)wgdn_dataset_id(found, sizeof found, d, i);
        CHECK_TEXT(found, id[i]);
    }
}

/* Graphs by value, since all are integers; their nodes as they came, apart by graph. */
static void names_and_order(void)
{
    static const char *const nodes[] = {"9/x", "9/z", "9/w", "10/x", "10/y", "10/z", "11/x"};
    static const char *const graphs[] = {"9", "10", "11"};
    wgdn_dataset_options o;
    wgdn_dataset *g = NULL;
    wgdn_dataset_options_init(&o);
    scratch_write("many.tsv", text, sizeof text - 1);
    scratch_write("labels.tsv", "10\tb\n9\ta\n", 9);
    scratch_write("x.tsv", "9/x\t1.5\t0\n11/x\t0\t2\n", 19);
    const scratch_name labels = scratch("labels.tsv"), features = scratch("x.tsv");
    o.labels = labels.text;
    o.features = features.text;
    wgdn_dataset *d = read_set("many.tsv", &o);
    CHECK(wgdn_dataset_nodes(d) == 7 && edge_count(d) == 3 && wgdn_dataset_graphs(d) == 3);
    CHECK(wgdn_dataset_graph_start(d, 1) == 3 && wgdn_dataset_graph_start(d, 2) == 6);
    CHECK(wgdn_dataset_features(d) == 2 && info_of(d).graph_classes == 2);
    CHECK(wgdn_dataset_graph_label(d, 0) == 0 && wgdn_dataset_graph_label(d, 1) == 1 &&
          wgdn_dataset_graph_label(d, 2) == -1);
    CHECK(wgdn_dataset_classes(d) == 0); /* labels are the graphs' */
    check_ids(d, nodes);
    CHECK(wgdn_dataset_from_graphs(&g, d, NULL) == WGDN_OK);
    check_ids(g, graphs);
    CHECK(wgdn_dataset_find(g, "10", 2) == 1);
    wgdn_dataset_free(g);
    g = NULL;

    const scratch_name packed = scratch("many.safetensors");
    CHECK(wgdn_dataset_write(d, packed.text, "safetensors", NULL) == WGDN_OK);
    wgdn_dataset *again = read_set("many.safetensors", NULL);
    check_ids(again, nodes);
    CHECK(wgdn_dataset_from_graphs(&g, again, NULL) == WGDN_OK);
    check_ids(g, graphs);
    CHECK(wgdn_dataset_label(g, 1) == 1);
    CHECK_ALLOCATIONS(wgdn_dataset_write(d, packed.text, "safetensors", NULL), (void)0);
    wgdn_dataset_free(g);
    wgdn_dataset_free(again);
    wgdn_dataset_free(d);
    d = NULL;
    const scratch_name many = scratch("many.tsv");
    CHECK_ALLOCATIONS(wgdn_dataset_read(&d, many.text, &o, NULL), wgdn_dataset_free(d));
    CHECK_FILE_OPERATIONS(wgdn_dataset_read(&d, many.text, &o, NULL), wgdn_dataset_free(d));
}

/* Without features the degrees serve, as in the TU collection's sets. */
static void degrees(void)
{
    wgdn_dataset *d = read_set("many.tsv", NULL);
    CHECK(wgdn_dataset_features(d) == 3 && info_of(d).entries == 7);
    wgdn_dataset_free(d);
}

/* A weight of three columns without the heading is an edge list as ever. */
static void only_by_the_heading(void)
{
    scratch_write("plain.tsv", "a\tb\t1\nb\tc\t2\n", 12);
    wgdn_dataset *d = read_set("plain.tsv", NULL);
    CHECK(wgdn_dataset_graphs(d) == 1 && wgdn_dataset_nodes(d) == 3);
    wgdn_dataset_free(d);
}

int main(void)
{
    scratch_begin();
    RUN(names_and_order);
    RUN(degrees);
    RUN(only_by_the_heading);
    scratch_end();
    return check_result();
}
