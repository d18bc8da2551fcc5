/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the ranks of a run would need of each other: the rows of a graph are shared as training
 * shares them, and the halo of every part is counted, for 2, 4, ... 1024 parts.
 *
 *     bench_halo [rmat:EDGES | clustered:NODES | shuffled:NODES] ...
 *
 * One object a graph and number of parts. Everything but the counts of nodes, entries and parts is
 * a share: of the nodes (halo, boundary), or of an even part's rows or entries (most_*).
 */
#include "ranks/ranks.h"
#include "synthetic.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PARTS_MAX = 1024 };

static wgdn_graph *make_graph(const char *what)
{
    const char *size = strchr(what, ':');
    const int64_t count = size ? (int64_t)atof(size + 1) : 0;
    const size_t length = size ? (size_t)(size - what) : 0;
    if (count >= PARTS_MAX && length == 4 && strncmp(what, "rmat", 4) == 0)
        return synthetic_rmat_graph(count);
    if (count >= PARTS_MAX && length == 9 && strncmp(what, "clustered", 9) == 0)
        return synthetic_clustered_graph(count, false);
    if (count >= PARTS_MAX && length == 8 && strncmp(what, "shuffled", 8) == 0)
        return synthetic_clustered_graph(count, true);
    fprintf(stderr, "bench_halo: '%s' is none of rmat:EDGES, clustered:NODES, shuffled:NODES\n",
            what);
    exit(2);
}

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* Sums over all parts, and the most of any. */
static void add(wgdn_portion *sum, wgdn_portion *most, const wgdn_portion *p)
{
    sum->halo += p->halo;
    sum->boundaries += p->boundaries;
    sum->peers += p->peers;
    most->halo = larger(most->halo, p->halo);
    most->sends = larger(most->sends, p->sends);
    most->rows.count = larger(most->rows.count, p->rows.count);
    most->edges = larger(most->edges, p->edges);
}

static void report(const char *what, const wgdn_csr *a, int parts, const wgdn_portion *sum,
                   const wgdn_portion *most)
{
    const double n = (double)a->rows, even = n / parts;
    int64_t used = 0;
    for (int64_t i = 0; i < a->rows; i++)
        used += a->offset[i] < a->offset[i + 1];
    printf("{\"case\": \"%s\", \"nodes\": %lld, \"with_edges\": %lld, \"entries\": %lld, "
           "\"parts\": %d, \"halo\": %.5f, \"boundary\": %.5f, \"most_halo\": %.5f, "
           "\"most_sends\": %.5f, \"most_rows\": %.5f, \"max_entries\": %.5f, \"peers\": %.1f}\n",
           what, (long long)a->rows, (long long)used, (long long)wgdn_csr_entries(a), parts,
           (double)sum->halo / n, (double)sum->boundaries / n, (double)most->halo / even,
           (double)most->sends / even, (double)most->rows.count / even,
           (double)most->edges * parts / (double)wgdn_csr_entries(a), (double)sum->peers / parts);
    fflush(stdout);
}

static void count(const char *what)
{
    wgdn_graph *g = make_graph(what);
    const wgdn_csr *a = &g->adjacency;
    for (int parts = 2; parts <= PARTS_MAX; parts *= 2) {
        wgdn_ranks ranks = {.count = parts};
        wgdn_portion sum = {0}, most = {0}, part;
        wgdn_dist d;
        wgdn_error err;
        if (wgdn_dist_open(&d, &ranks, a->offset, a->rows, &err)) abort();
        for (ranks.rank = 0; ranks.rank < parts; ranks.rank++) {
            if (wgdn_portion_count(&part, a, &d, &err)) abort();
            add(&sum, &most, &part);
        }
        report(what, a, parts, &sum, &most);
        wgdn_dist_close(&d);
    }
    wgdn_graph_free(g);
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        fprintf(stderr, "usage: bench_halo GRAPH ...\n");
        return 2;
    }
    for (int i = 1; i < argc; i++)
        count(argv[i]);
    return 0;
}
