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
#include "dist/dist.h"
#include "synthetic.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PARTS_MOST = 1024 };

/* Of one part; sends are what all others together need of it. */
typedef struct part {
    int64_t halo, sends, boundary, peers;
} part;

static wgdn_graph *make_graph(const char *what)
{
    const char *size = strchr(what, ':');
    const int64_t count = size ? (int64_t)atof(size + 1) : 0;
    const size_t length = size ? (size_t)(size - what) : 0;
    if (count >= PARTS_MOST && length == 4 && strncmp(what, "rmat", 4) == 0)
        return synthetic_rmat_graph(count);
    if (count >= PARTS_MOST && length == 9 && strncmp(what, "clustered", 9) == 0)
        return synthetic_clustered_graph(count, false);
    if (count >= PARTS_MOST && length == 8 && strncmp(what, "shuffled", 8) == 0)
        return synthetic_clustered_graph(count, true);
    fprintf(stderr, "bench_halo: '%s' is none of rmat:EDGES, clustered:NODES, shuffled:NODES\n",
            what);
    exit(2);
}

static int32_t owner_of(const wgdn_dist *d, int64_t row)
{
    int32_t low = 0, high = d->ranks->count;
    while (high - low > 1) {
        const int32_t middle = low + (high - low) / 2;
        if (row < d->start[middle])
            high = middle;
        else
            low = middle;
    }
    return low;
}

/* seen[j] is the last part that was found to need row j, asked[r] the last that needs any of r. */
static void count_part(part *all, int32_t p, const wgdn_csr *a, const wgdn_dist *d, int32_t *seen,
                       int32_t *asked)
{
    const int64_t first = d->start[p], end = d->start[p + 1];
    for (int64_t i = first; i < end; i++) {
        bool outward = false;
        for (int64_t k = a->offset[i]; k < a->offset[i + 1]; k++) {
            const int32_t j = a->column[k];
            if (j >= first && j < end) continue;
            outward = true;
            if (seen[j] == p) continue;
            const int32_t owner = owner_of(d, j);
            seen[j] = p;
            all[p].halo++;
            all[p].peers += asked[owner] != p;
            asked[owner] = p;
            all[owner].sends++;
        }
        all[p].boundary += outward;
    }
}

static void report(const char *what, const wgdn_csr *a, const wgdn_dist *d, const part *of)
{
    const int parts = d->ranks->count;
    const double n = (double)a->rows, even = n / parts;
    part sum = {0}, most = {0};
    int64_t rows = 0, entries = 0, used = 0;
    for (int p = 0; p < parts; p++) {
        sum.halo += of[p].halo;
        sum.boundary += of[p].boundary;
        sum.peers += of[p].peers;
        most.halo = of[p].halo > most.halo ? of[p].halo : most.halo;
        most.sends = of[p].sends > most.sends ? of[p].sends : most.sends;
        const int64_t own = d->start[p + 1] - d->start[p];
        const int64_t here = a->offset[d->start[p + 1]] - a->offset[d->start[p]];
        rows = own > rows ? own : rows;
        entries = here > entries ? here : entries;
    }
    for (int64_t i = 0; i < a->rows; i++)
        used += a->offset[i] < a->offset[i + 1];
    printf("{\"case\": \"%s\", \"nodes\": %lld, \"with_edges\": %lld, \"entries\": %lld, "
           "\"parts\": %d, \"halo\": %.5f, \"boundary\": %.5f, \"most_halo\": %.5f, "
           "\"most_sends\": %.5f, \"most_rows\": %.5f, \"most_entries\": %.5f, \"peers\": %.1f}\n",
           what, (long long)a->rows, (long long)used, (long long)wgdn_csr_entries(a), parts,
           (double)sum.halo / n, (double)sum.boundary / n, (double)most.halo / even,
           (double)most.sends / even, (double)rows / even,
           (double)entries * parts / (double)wgdn_csr_entries(a), (double)sum.peers / parts);
    fflush(stdout);
}

static void count(const char *what)
{
    wgdn_graph *g = make_graph(what);
    const wgdn_csr *a = &g->adjacency;
    int32_t *seen = wgdn_alloc((size_t)a->rows, sizeof *seen), asked[PARTS_MOST];
    if (!seen) abort();
    for (int parts = 2; parts <= PARTS_MOST; parts *= 2) {
        wgdn_ranks ranks = {.count = parts};
        wgdn_dist d;
        wgdn_error err;
        part of[PARTS_MOST] = {{0}};
        if (wgdn_dist_open(&d, &ranks, a->offset, a->rows, &err)) abort();
        memset(seen, 255, (size_t)a->rows * sizeof *seen);
        memset(asked, 255, sizeof asked);
        for (int32_t p = 0; p < parts; p++)
            count_part(of, p, a, &d, seen, asked);
        report(what, a, &d, of);
        wgdn_dist_close(&d);
    }
    wgdn_release(seen);
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
