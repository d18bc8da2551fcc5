/* SPDX-License-Identifier: Apache-2.0 */
#include "summary.h"

#include <stdlib.h>

typedef int64_t (*quantity)(const wgdn_dataset *d, int64_t i);

static int64_t degree_of(const wgdn_dataset *d, int64_t node)
{
    return wgdn_graph_degree(wgdn_dataset_get_graph(d), node);
}

static int64_t nodes_of(const wgdn_dataset *d, int64_t graph)
{
    return wgdn_dataset_graph_start(d, graph + 1) - wgdn_dataset_graph_start(d, graph);
}

/* The k-th smallest by counting: values are at most the number of nodes. */
static int64_t ranked(const int64_t *times, int64_t k)
{
    int64_t value = 0;
    for (int64_t below = times[0]; below <= k; below += times[value])
        value++;
    return value;
}

static bool spread_of(spread *s, const wgdn_dataset *d, quantity f, int64_t count)
{
    double sum = 0;
    *s = (spread){.min = INT64_MAX};
    for (int64_t i = 0; i < count; i++) {
        const int64_t x = f(d, i);
        if (x < s->min) s->min = x;
        if (x > s->max) s->max = x;
        sum += (double)x;
    }
    if (count == 0) s->min = 0;
    if (count == 0) return true;

    int64_t *times = calloc((size_t)s->max + 1, sizeof *times);
    if (!times) return false;
    for (int64_t i = 0; i < count; i++)
        times[f(d, i)]++;
    s->median = 0.5 * (double)(ranked(times, (count - 1) / 2) + ranked(times, count / 2));
    s->mean = sum / (double)count;
    free(times);
    return true;
}

int bin_of(int64_t degree)
{
    int bin = 1;
    if (degree < 1) return 0;
    while (bin < BINS - 1 && ((int64_t)1 << (bin - 1)) < degree)
        bin++;
    return bin;
}

void bin_range(int bin, int64_t *from, int64_t *to)
{
    *to = bin < 1 ? 0 : (int64_t)1 << (bin - 1);
    *from = bin < 3 ? *to : ((int64_t)1 << (bin - 2)) + 1;
}

static void count_nodes(summary *s, const wgdn_dataset *d)
{
    const int64_t nodes = wgdn_dataset_nodes(d), classes = wgdn_dataset_classes(d);
    const int64_t splits = s->info.splits, *offset = s->info.label_offset;
    for (int64_t i = 0; i < nodes; i++) {
        const int32_t label = wgdn_dataset_label(d, i);
        s->bin[bin_of(degree_of(d, i))]++;
        s->class_size[label < 0 ? classes : label]++;
        for (int64_t k = offset ? offset[i] + 1 : 0; offset && k < offset[i + 1]; k++)
            s->class_size[s->info.label_list[k]]++; /* the first is counted */
        for (int64_t k = 0; k < splits; k++)
            s->split_size[4 * k + (int)wgdn_dataset_split(d, k, i)]++;
    }
    s->isolated = s->bin[0];
}

static void count_graphs(summary *s, const wgdn_dataset *d)
{
    const int64_t graphs = s->info.graphs, classes = s->info.graph_classes;
    for (int64_t g = 0; g < graphs; g++) {
        const int32_t label = wgdn_dataset_graph_label(d, g);
        s->graph_class_size[label < 0 ? classes : label]++;
    }
}

bool summary_make(summary *s, const wgdn_dataset *d)
{
    *s = (summary){.info.struct_size = sizeof s->info};
    wgdn_dataset_get_info(&s->info, d);
    if (s->info.features > 0)
        s->density = (double)s->info.entries / ((double)s->info.nodes * (double)s->info.features);
    s->class_size = calloc((size_t)s->info.classes + 1, sizeof(int64_t));
    s->split_size = calloc((size_t)s->info.splits + 1, 4 * sizeof(int64_t));
    s->graph_class_size = calloc((size_t)s->info.graph_classes + 1, sizeof(int64_t));
    if (!s->class_size || !s->split_size || !s->graph_class_size ||
        !spread_of(&s->degree, d, degree_of, wgdn_dataset_nodes(d)) ||
        !spread_of(&s->graph_nodes, d, nodes_of, wgdn_dataset_graphs(d))) {
        summary_free(s);
        return false;
    }
    count_nodes(s, d);
    count_graphs(s, d);
    return true;
}

void summary_free(summary *s)
{
    free(s->graph_class_size);
    free(s->split_size);
    free(s->class_size);
    *s = (summary){0};
}
