/* SPDX-License-Identifier: Apache-2.0 */
/* What a model was made of, as far as its file tells it. */
#include "origin.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

wgdn_origin wgdn_origin_of(const wgdn_dataset *d)
{
    return (wgdn_origin){.nodes = wgdn_dataset_nodes(d),
                         .edges = wgdn_dataset_edges(d),
                         .graphs = wgdn_dataset_graphs(d)};
}

static void add(wgdn_pairs *p, const char *key, int64_t value)
{
    char text[24];
    snprintf(text, sizeof text, "%" PRId64, value);
    wgdn_pairs_add(p, "wgdn.made.", key, text);
}

void wgdn_origin_add(wgdn_pairs *p, const wgdn_origin *o)
{
    if (o->nodes < 1) return;
    add(p, "nodes", o->nodes);
    add(p, "edges", o->edges);
    add(p, "graphs", o->graphs);
}

static int64_t read_count(const wgdn_archive *a, const char *key)
{
    const char *text = wgdn_archive_metadata(a, key);
    const long long value = text ? strtoll(text, NULL, 10) : 0;
    return value > 0 ? (int64_t)value : 0;
}

wgdn_origin wgdn_origin_read(const wgdn_archive *a)
{
    return (wgdn_origin){.nodes = read_count(a, "wgdn.made.nodes"),
                         .edges = read_count(a, "wgdn.made.edges"),
                         .graphs = read_count(a, "wgdn.made.graphs")};
}
