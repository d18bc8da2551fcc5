/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What an order of the nodes is worth: the time of a filter of order 2, in turns, and the rows that
 * parts of the graph need of each other, counted.
 *
 *     OMP_NUM_THREADS=2 bench_order ROUNDS [FILE | arxiv-sized | clustered:NODES | rmat:EDGES] ...
 */
#include "data/dataset.h"
#include "linalg/linalg.h"
#include "synthetic.h"
#include "timing.h"

#include <string.h>

enum { WIDTH = 512, ORDERS = 3, ORDER = 2, PARTS_MAX = 1024 };

static const char *const name_of[ORDERS] = {"none", "metis", "scotch"};

typedef struct contender {
    wgdn_graph *graph;
    double order_seconds, t[ROUNDS_MAX];
} contender;

static void must(wgdn_status st, const wgdn_error *err)
{
    if (st == WGDN_OK) return;
    fprintf(stderr, "bench_order: %s\n", err->message);
    exit(EXIT_FAILURE);
}

static wgdn_dataset *open_data(const char *what)
{
    const char *preset;
    wgdn_dataset *d = synthetic_sized(what, &preset);
    wgdn_error err = {WGDN_OK, ""};
    if (d) return d;
    if (strncmp(what, "clustered:", 10) == 0) return synthetic_clustered((int64_t)atof(what + 10));
    if (strncmp(what, "rmat:", 5) == 0) return synthetic_rmat((int64_t)atof(what + 5), 1);
    must(wgdn_dataset_read(&d, what, NULL, &err), &err);
    return d;
}

/* Rows that `parts` equal runs of rows need of others, over all rows. */
static double halo(const wgdn_graph *g, int64_t parts, int32_t *seen)
{
    const wgdn_csr *a = &g->adjacency;
    int64_t needed = 0;
    memset(seen, 255, (size_t)a->rows * sizeof *seen);
    for (int64_t p = 0; p < parts; p++) {
        const int64_t first = a->rows * p / parts, end = a->rows * (p + 1) / parts;
        for (int64_t k = a->offset[first]; k < a->offset[end]; k++) {
            const int32_t j = a->column[k];
            if ((j >= first && j < end) || seen[j] == p) continue;
            seen[j] = (int32_t)p;
            needed++;
        }
    }
    return (double)needed / (double)a->rows;
}

static void arrange(contender *c, const wgdn_graph *g, wgdn_order how)
{
    wgdn_error err = {WGDN_OK, ""};
    int32_t *row = wgdn_alloc((size_t)g->adjacency.rows, sizeof *row);
    for (int64_t i = 0; row && i < g->adjacency.rows; i++)
        row[i] = (int32_t)i;
    const double start = seconds();
    if (how != WGDN_ORDER_NONE) must(wgdn_graph_order(row, g, how, &err), &err);
    c->order_seconds = seconds() - start;
    must(wgdn_graph_arrange(&c->graph, g, row, &err), &err);
    wgdn_release(row);
}

static void measure(const char *what, const wgdn_dataset *d, int rounds)
{
    static const double series[ORDER + 1] = {1, -0.5, 0.25};
    const int64_t n = wgdn_dataset_nodes(d);
    contender c[ORDERS] = {{0}};
    float *x = wgdn_alloc((size_t)n * WIDTH, sizeof *x), *y = wgdn_alloc((size_t)n * WIDTH, 4);
    float *work = wgdn_alloc(wgdn_poly_work(n, WIDTH, ORDER), sizeof *work);
    int32_t *seen = wgdn_alloc((size_t)n, sizeof *seen);
    if (!x || !y || !work || !seen) abort();
    wgdn_random_normals(x, WIDTH, (wgdn_stream){.seed = 1}, 0, n, 0, WIDTH);
    for (int k = 0; k < ORDERS; k++)
        arrange(&c[k], wgdn_dataset_get_graph(d), (wgdn_order)k);
    for (int r = -1; r < rounds; r++)
        for (int k = 0; k < ORDERS; k++) {
            const double start = seconds();
            const wgdn_poly p = {.graph = c[k].graph,
                                 .d = WIDTH,
                                 .channels = 1,
                                 .order = ORDER,
                                 .a = {series},
                                 .work = work};
            wgdn_poly_apply(y, &p, x);
            if (r >= 0) c[k].t[r] = seconds() - start;
        }
    for (int k = 0; k < ORDERS; k++) {
        printf("{\"case\": \"%s\", \"order\": \"%s\", \"order_seconds\": %.2f, \"ms\": %.2f, "
               "\"halo\": {",
               what, name_of[k], c[k].order_seconds, median(c[k].t, rounds) * 1e3);
        for (int64_t p = 2; p <= PARTS_MAX && p * 256 <= n; p *= 2)
            printf("%s\"%lld\": %.4f", p > 2 ? ", " : "", (long long)p, halo(c[k].graph, p, seen));
        printf("}}\n");
        wgdn_graph_free(c[k].graph);
    }
    fflush(stdout);
    wgdn_release(seen);
    wgdn_release(work);
    wgdn_release(y);
    wgdn_release(x);
}

int main(int argc, char **argv)
{
    const int rounds = argc > 1 ? atoi(argv[1]) : 0;
    if (argc < 3 || rounds < 1 || rounds > ROUNDS_MAX) {
        fprintf(stderr, "usage: bench_order ROUNDS DATA ...\n");
        return 2;
    }
    for (int i = 2; i < argc; i++) {
        wgdn_dataset *d = open_data(argv[i]);
        measure(argv[i], d, rounds);
        wgdn_dataset_free(d);
    }
    return 0;
}
