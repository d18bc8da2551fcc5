/* SPDX-License-Identifier: Apache-2.0 */
/* info --json: one object on a line. */
#include "info.h"
#include "json.h"

#include <string.h>

static void put_spread(json *j, const char *key, const spread *s)
{
    json_put_open(j, key, '{');
    json_put_integer(j, "min", s->min);
    json_put_real(j, "median", s->median);
    json_put_real(j, "mean", s->mean);
    json_put_integer(j, "max", s->max);
    json_put_close(j, '}');
}

static void put_histogram(json *j, const summary *s)
{
    json_put_open(j, "degree_histogram", '[');
    for (int i = 0; i < BINS; i++) {
        int64_t from = 0, to = 0;
        if (s->bin[i] == 0) continue;
        bin_range(i, &from, &to);
        json_put_open(j, NULL, '{');
        json_put_integer(j, "from", from);
        json_put_integer(j, "to", to);
        json_put_integer(j, "nodes", s->bin[i]);
        json_put_close(j, '}');
    }
    json_put_close(j, ']');
}

static void put_features(json *j, const wgdn_dataset *d, const summary *s)
{
    const int64_t *offset = NULL;
    const int32_t *column = NULL;
    const float *value = NULL;
    if (s->info.features == 0) {
        json_put_null(j, "features");
        return;
    }
    const bool sparse = wgdn_dataset_get_sparse(&offset, &column, &value, d);
    json_put_open(j, "features", '{');
    json_put_integer(j, "dim", s->info.features);
    json_put_integer(j, "entries", s->info.entries);
    json_put_real(j, "density", s->density);
    json_put_text(j, "kind", sparse ? "sparse" : "dense");
    json_put_bool(j, "ones", sparse && !value);
    json_put_close(j, '}');
}

static void put_classes(json *j, const wgdn_dataset *d, const summary *s)
{
    const int64_t classes = s->info.classes;
    json_put_open(j, "classes", '[');
    for (int64_t c = 0; c < classes; c++) {
        size_t size = 0;
        const char *name = wgdn_dataset_get_class_name(&size, d, c);
        json_put_open(j, NULL, '{');
        if (name)
            json_put_bytes(j, "name", name, size);
        else
            json_put_null(j, "name");
        json_put_integer(j, "nodes", s->class_size[c]);
        json_put_close(j, '}');
    }
    json_put_close(j, ']');
    json_put_integer(j, "unlabelled", s->class_size[classes]);
    if (s->info.label_offset) json_put_bool(j, "multi_label", true);
}

static void put_splits(json *j, const summary *s)
{
    static const char *const name[] = {"none", "train", "val", "test"};
    json_put_open(j, "splits", '[');
    for (int64_t k = 0; k < s->info.splits; k++) {
        json_put_open(j, NULL, '{');
        for (int i = 0; i < 4; i++)
            json_put_integer(j, name[i], s->split_size[4 * k + i]);
        json_put_close(j, '}');
    }
    json_put_close(j, ']');
}

static void put_graphs(json *j, const summary *s)
{
    json_put_integer(j, "graphs", s->info.graphs);
    put_spread(j, "graph_nodes", &s->graph_nodes);
    json_put_open(j, "graph_classes", '[');
    for (int64_t c = 0; c < s->info.graph_classes; c++)
        json_put_integer(j, NULL, s->graph_class_size[c]);
    json_put_close(j, ']');
}

static void put_counts(json *j, const wgdn_dataset_info *n)
{
    json_put_open(j, "read", '{');
    json_put_integer(j, "edges", n->edges_read);
    json_put_integer(j, "self_loops_dropped", n->self_loops);
    json_put_integer(j, "duplicates_merged", n->repeats);
    json_put_integer(j, "zero_weights_dropped", n->zero_weights);
    json_put_integer(j, "weights_ignored", n->other_weights);
    json_put_integer(j, "nodes_without_features", n->without_features);
    json_put_integer(j, "attributes_ignored", n->attributes_ignored);
    json_put_close(j, '}');
    json_put_open(j, "remarks", '[');
    for (int64_t i = 0; i < n->remarks; i++) {
        json_put_open(j, NULL, '{');
        json_put_text(j, "what", n->remark[i].what);
        json_put_integer(j, "count", n->remark[i].count);
        json_put_bytes(j, "text", n->remark[i].text, strlen(n->remark[i].text));
        json_put_close(j, '}');
    }
    json_put_close(j, ']');
}

void info_json(FILE *to, const char *path, const wgdn_dataset *d, const summary *s)
{
    json j = {.to = to};
    json_put_open(&j, NULL, '{');
    json_put_text(&j, "path", path);
    json_put_integer(&j, "nodes", s->info.nodes);
    json_put_integer(&j, "edges", s->info.edges);
    json_put_integer(&j, "directed_edges", 2 * s->info.edges);
    if (s->info.weighted) {
        json_put_open(&j, "weights", '{');
        json_put_real(&j, "min", s->info.weight_min);
        json_put_real(&j, "max", s->info.weight_max);
        json_put_close(&j, '}');
    }
    json_put_text(&j, "ids", s->info.has_ids ? "given" : "numbers");
    json_put_bool(&j, "ordered", wgdn_dataset_get_order(d) != NULL);
    json_put_integer(&j, "isolated", s->isolated);
    put_spread(&j, "degree", &s->degree);
    put_histogram(&j, s);
    put_features(&j, d, s);
    put_classes(&j, d, s);
    put_splits(&j, s);
    put_graphs(&j, s);
    put_counts(&j, &s->info);
    json_put_close(&j, '}');
    fputc('\n', to);
}
