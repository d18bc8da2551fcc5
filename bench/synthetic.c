/* SPDX-License-Identifier: Apache-2.0 */
#include "synthetic.h"
#include "graphs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const wgdn_stream stream = {.seed = 2024};

typedef struct sized {
    const char *name, *preset;
    int64_t nodes, edges, width;
    double density; /* of the features; 1: dense */
} sized;

static const sized known[] = {
    {"arxiv-sized", "arxiv", 169343, 1157799, 128, 1},
    {"pubmed-sized", "pubmed", 19717, 44324, 500, 0.1},
};

static void *must_alloc(int64_t count, size_t size)
{
    void *block = wgdn_alloc((size_t)count, size);
    if (!block) abort();
    return block;
}

static int by_key(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return x < y ? -1 : x > y;
}

/* Draw half as many again, drop loops and repeats, and keep evenly as many as were asked for. */
static void draw_edges(int64_t *src, int64_t *dst, int64_t n, int64_t edges)
{
    const int64_t drawn = edges + edges / 2;
    int64_t *key = must_alloc(drawn, sizeof *key), count = 0, kept = 0;
    for (int64_t k = 0; k < drawn; k++) {
        const int64_t u = bench_endpoint(k, 0, n, true), v = bench_endpoint(k, 1, n, true);
        if (u != v) key[count++] = u < v ? u * n + v : v * n + u;
    }
    qsort(key, (size_t)count, sizeof *key, by_key);
    for (int64_t k = 0; k < count; k++)
        if (kept == 0 || key[k] != key[kept - 1]) key[kept++] = key[k];
    if (kept < edges) abort();
    for (int64_t k = 0; k < edges; k++) {
        src[k] = key[k * kept / edges] / n;
        dst[k] = key[k * kept / edges] % n;
    }
    wgdn_release(key);
}

/* Positive values at random places, and at least one a row. */
static void draw_sparse(wgdn_csr *x, double density)
{
    float *u = must_alloc(x->cols, sizeof *u);
    int64_t at = 0;
    for (int64_t i = 0; i < x->rows; i++) {
        wgdn_random_uniforms(u, x->cols, stream, i, 1, 0, x->cols);
        x->offset[i] = at;
        for (int64_t j = 0; j < x->cols; j++)
            if (u[j] < density || j == i % x->cols) {
                x->column[at] = (int32_t)j;
                x->value[at++] = 0.01f + u[j];
            }
    }
    x->offset[x->rows] = at;
    wgdn_release(u);
}

static wgdn_dataset *finish(wgdn_dataset_arrays *a)
{
    wgdn_dataset *d = NULL;
    wgdn_error err;
    if (wgdn_dataset_from_arrays(&d, a, &err)) {
        fprintf(stderr, "synthetic dataset: %s\n", err.message);
        exit(EXIT_FAILURE);
    }
    return d;
}

static wgdn_dataset *make(const sized *s)
{
    int64_t *src = must_alloc(s->edges, sizeof *src), *dst = must_alloc(s->edges, sizeof *dst);
    wgdn_csr x = {.rows = s->nodes, .cols = s->width};
    wgdn_dataset_arrays a = {.struct_size = sizeof a,
                             .nodes = s->nodes,
                             .edges = s->edges,
                             .source = src,
                             .target = dst,
                             .features = s->width};
    const int64_t cells = s->nodes * s->width;
    draw_edges(src, dst, s->nodes, s->edges);
    x.value = must_alloc(cells, sizeof *x.value);
    if (s->density < 1) {
        x.offset = must_alloc(s->nodes + 1, sizeof *x.offset);
        x.column = must_alloc(cells, sizeof *x.column);
        draw_sparse(&x, s->density);
        a.feature_offset = x.offset;
        a.feature_column = x.column;
        a.feature_value = x.value;
    } else {
        wgdn_random_normals(x.value, s->width, stream, 0, s->nodes, 0, s->width);
        a.dense = x.value;
    }
    wgdn_dataset *d = finish(&a);
    wgdn_csr_free(&x);
    wgdn_release(dst);
    wgdn_release(src);
    return d;
}

wgdn_dataset *synthetic_sized(const char *name, const char **preset)
{
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(name, known[i].name) == 0) {
            *preset = known[i].preset;
            return make(&known[i]);
        }
    return NULL;
}

/* One edge: a quarter of the matrix is chosen at each level, two random bits' worth of chance. */
static void rmat_edge(int64_t *u, int64_t *v, int64_t k, int levels)
{
    int64_t row = 0, col = 0;
    for (int l = 0; l < levels; l++) {
        const uint32_t percent = wgdn_random_bits(stream, k, l) % 100;
        row = 2 * row + (percent >= 76);
        col = 2 * col + ((percent >= 57 && percent < 76) || percent >= 95);
    }
    *u = row;
    *v = col;
}

/* The ends of edges, as drawn. */
typedef struct edge_list {
    int64_t nodes, count, *source, *target;
} edge_list;

static edge_list list_new(int64_t nodes, int64_t count)
{
    return (edge_list){nodes, count, must_alloc(count, sizeof(int64_t)),
                       must_alloc(count, sizeof(int64_t))};
}

static void list_free(edge_list *l)
{
    wgdn_release(l->target);
    wgdn_release(l->source);
}

static int levels_of(int64_t nodes)
{
    int levels = 0;
    while ((int64_t)1 << levels < nodes)
        levels++;
    return levels;
}

bool synthetic_rmat_text(FILE *to, int64_t edges, int64_t first, int64_t end)
{
    const int64_t nodes = edges / 8;
    const int levels = levels_of(nodes);
    bool good = true;
    for (int64_t k = first; k < end && good; k++) {
        int64_t u, v;
        rmat_edge(&u, &v, k, levels);
        good = fprintf(to, "%lld\t%lld\n", (long long)(u % nodes), (long long)(v % nodes)) > 0;
    }
    return good;
}

/* Magic, version 1.0, and the dict on a line of 128. */
static bool put_npy_head(FILE *to, int64_t rows, int64_t width)
{
    char head[129], dict[119];
    const int used = snprintf(dict, sizeof dict,
                              "{'descr': '<f4', 'fortran_order': False, 'shape': (%lld, %lld), }",
                              (long long)rows, (long long)width);
    memcpy(head, "\x93NUMPY\1\0\x76\0", 10);
    memset(head + 10, ' ', 117);
    memcpy(head + 10, dict, (size_t)used);
    head[127] = '\n';
    return fwrite(head, 1, 128, to) == 128;
}

bool synthetic_rmat_features(FILE *to, int64_t edges, int64_t width)
{
    enum { BITS_MAX = 64 };
    static const float noise = 0.1F;
    const wgdn_stream axes = {.seed = 1, .call = 7}, own = {.seed = 1, .call = 8};
    const int64_t nodes = edges / 8;
    const int levels = levels_of(nodes);
    float *v = wgdn_alloc((size_t)(BITS_MAX * width), sizeof *v), *x = wgdn_alloc((size_t)width, 4);
    bool good = v && x && put_npy_head(to, nodes, width);
    if (good) wgdn_random_normals(v, width, axes, 0, levels, 0, width);
    for (int64_t i = 0; i < nodes && good; i++) {
        wgdn_random_normals(x, width, own, i, 1, 0, width);
        for (int64_t j = 0; j < width; j++)
            x[j] *= noise;
        for (int b = 0; b < levels; b++)
            for (int64_t j = 0; j < width; j++)
                x[j] += ((i >> b & 1) ? v[b * width + j] : -v[b * width + j]) / (float)levels;
        good = fwrite(x, sizeof *x, (size_t)width, to) == (size_t)width;
    }
    wgdn_release(x);
    wgdn_release(v);
    return good;
}

static edge_list rmat_edges(int64_t edges)
{
    edge_list l = list_new(edges / 8, edges);
    const int levels = levels_of(l.nodes);
    for (int64_t k = 0; k < edges; k++) {
        rmat_edge(l.source + k, l.target + k, k, levels);
        l.source[k] %= l.nodes;
        l.target[k] %= l.nodes;
    }
    return l;
}

enum { COMMUNITY = 700, EDGES_A_NODE = 8 };

/* Near the golden section, which lays any run of nodes evenly over all, and without a common
 * factor. */
static int64_t stride(int64_t nodes)
{
    for (int64_t step = nodes * 618034 / 1000000;; step++) {
        int64_t x = nodes, y = step;
        while (y != 0) {
            const int64_t rest = x % y;
            x = y;
            y = rest;
        }
        if (x == 1) return step;
    }
}

static edge_list clustered_edges(int64_t nodes, bool shuffled)
{
    edge_list l = list_new(nodes, nodes * EDGES_A_NODE);
    const int64_t step = shuffled ? stride(nodes) : 1;
    for (int64_t k = 0; k < l.count; k++) {
        const int64_t u = k / EDGES_A_NODE, far = wgdn_random_bits(stream, k, 0) % 10 == 0;
        const int64_t first = u / COMMUNITY * COMMUNITY, room = wgdn_min(COMMUNITY, nodes - first);
        const int64_t v = wgdn_random_bits(stream, k, 1);
        l.source[k] = u * step % nodes;
        l.target[k] = (far ? v % nodes : first + v % room) * step % nodes;
    }
    return l;
}

/* With dense normal features. Takes the edges. */
static wgdn_dataset *dataset_of(edge_list l, int64_t width)
{
    float *x = must_alloc(l.nodes * width, sizeof *x);
    wgdn_random_normals(x, width, stream, 0, l.nodes, 0, width);
    wgdn_dataset_arrays a = {.struct_size = sizeof a,
                             .nodes = l.nodes,
                             .edges = l.count,
                             .source = l.source,
                             .target = l.target,
                             .features = width,
                             .dense = x};
    wgdn_dataset *d = finish(&a);
    wgdn_release(x);
    list_free(&l);
    return d;
}

static wgdn_graph *graph_of(edge_list l)
{
    wgdn_graph *g = NULL;
    wgdn_error err;
    if (wgdn_graph_from_edges(&g, l.nodes, l.count, l.source, l.target, &err)) {
        fprintf(stderr, "synthetic graph: %s\n", err.message);
        exit(EXIT_FAILURE);
    }
    list_free(&l);
    return g;
}

wgdn_dataset *synthetic_rmat(int64_t edges, int64_t width)
{
    return dataset_of(rmat_edges(edges), width);
}

wgdn_dataset *synthetic_clustered(int64_t nodes)
{
    return dataset_of(clustered_edges(nodes, true), 1);
}

wgdn_graph *synthetic_rmat_graph(int64_t edges)
{
    return graph_of(rmat_edges(edges));
}

wgdn_graph *synthetic_clustered_graph(int64_t nodes, bool shuffled)
{
    return graph_of(clustered_edges(nodes, shuffled));
}
