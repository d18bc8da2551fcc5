/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a fit and its vectors will need: memory (room.c), and time, by the products that they are
 * made of, at the rate of products with L that are made now.
 */
#define _POSIX_C_SOURCE 200809L
#include "room.h"

#include <string.h>
#include <time.h>

enum {
    TRY = 32,              /* columns of the product that is measured; fewer where slabs are */
    TIMES = 5,             /* of which the shortest counts */
    STRETCHES = 8,         /* of rows that stand for all, where there are many */
    TRY_ENTRIES = 1 << 25, /* entries of these together */
    HEAT_ORDER = 7,        /* of exp(-2 L) */
};

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Columns that products with L have, summed over all of them. */
static double product_columns(const wgdn_sizes *s)
{
    const double transitions = s->weighted ? 3 : 2; /* products each */
    if (s->structure)                               /* two rounds of order 13, three of 16; 7 */
        return s->k * (2 * 13 + 3 * 16 + 2 * 7 + 7 * transitions) + (1 + transitions) * s->dim / 2;
    const double scales = 32 * (double)wgdn_scale_columns((int64_t)s->n);
    return scales + s->inner * (1 + 2 * HEAT_ORDER);
}

/* Multiplications of dense products, and of sparse ones with X. */
static double other_work(const wgdn_dataset *d, const wgdn_sizes *s)
{
    const double square = s->n * s->k * s->k;
    if (s->structure) return 2 * 25 * square;
    const double x = (s->reduces ? 5 * s->k : 0) + s->dim;
    return s->nonzeros * x * (wgdn_matrix_is_sparse(d) ? 10 : 1) +
           (s->reduces ? 7 : 4) * square; /* three covariances and a map */
}

/* Rows of the graph, spread over it, that stand for all of them. */
static double multiply(double *entries, float *y, const wgdn_graph *g, const float *x, int64_t k)
{
    const wgdn_csr *a = &g->adjacency;
    const int64_t all = wgdn_csr_entries(a) + a->rows;
    const int64_t stretches = all > TRY_ENTRIES ? STRETCHES : 1;
    const double share = all > TRY_ENTRIES ? (double)TRY_ENTRIES / (double)all : 1;
    const double start = seconds();
    *entries = 0;
    for (int64_t i = 0; i < stretches; i++) {
        wgdn_graph part = *g;
        const int64_t first = a->rows / stretches * i;
        part.adjacency.offset += first;
        part.adjacency.rows =
            share < 1 ? (int64_t)((double)a->rows / (double)stretches * share) : a->rows;
        wgdn_laplacian(y, &part, x, k);
        *entries += (double)(part.adjacency.offset[part.adjacency.rows] - part.adjacency.offset[0] +
                             part.adjacency.rows);
    }
    return seconds() - start;
}

/* Seconds of an entry times a column in a product with L, and of a dense multiplication. */
static wgdn_status measure(double *sparse, double *dense, const wgdn_graph *g, int64_t k,
                           wgdn_error *err)
{
    const int64_t n = g->adjacency.rows, rows = wgdn_min(n, 1 << 20);
    float *x = wgdn_alloc_zero((size_t)n * (size_t)k, sizeof *x);
    float *y = wgdn_alloc((size_t)n * (size_t)k, sizeof *y);
    float *v = wgdn_alloc_zero((size_t)(k * k), sizeof *v);
    double entries = 0;
    wgdn_status st = WGDN_OK;
    if (!x || !y || !v) {
        st = wgdn_fail(err, WGDN_ENOMEM, "estimate: a product of %lld x %lld", (long long)n,
                       (long long)k);
    } else {
        const wgdn_product p = wgdn_product_of(y, x, v, wgdn_alone(rows), k, k);
        memset(y, 0, (size_t)(n * k) * sizeof *y); /* pages are there from now on */
        (void)multiply(&entries, y, g, x, k);
        for (int i = 0; i < TIMES && !st; i++) {
            const double a = multiply(&entries, y, g, x, k) / (entries * (double)k);
            const double start = seconds();
            st = wgdn_gemm_nn(&p, err);
            const double b = (seconds() - start) / ((double)rows * (double)(k * k));
            if (i == 0 || a < *sparse) *sparse = a;
            if (i == 0 || b < *dense) *dense = b;
        }
    }
    wgdn_release(v);
    wgdn_release(y);
    wgdn_release(x);
    return st;
}

wgdn_status wgdn_fit_estimate(wgdn_fit_needs *out, const wgdn_dataset *d, const wgdn_fit_options *o,
                              wgdn_error *err)
{
    wgdn_fit_options opt;
    wgdn_room room;
    double sparse = 0, dense = 0;
    wgdn_status st = wgdn_fit_options_read(&opt, o, err);
    if (!st) st = wgdn_room_find(&room, d, &opt, err);
    if (st) return st;
    const wgdn_sizes s = wgdn_sizes_of(d, &opt);
    const int former = wgdn_threads_use(opt.threads);
    st = measure(&sparse, &dense, wgdn_dataset_get_graph(d),
                 room.slab ? wgdn_min(TRY, room.slab) : TRY, err);
    wgdn_threads_use(former);
    if (st) return st;
    const double dataset = wgdn_sizes_dataset(d, &s),
                 workspace = wgdn_sizes_workspace(d, &s, room.slab);
    /* Pages of mapped features are given back, those of the graph are not. */
    const double held = room.slab ? wgdn_sizes_graph(&s) : dataset;
    const wgdn_fit_needs made = {.dataset = (int64_t)dataset,
                                 .workspace = (int64_t)workspace,
                                 .total = (int64_t)(held + workspace) + WGDN_FIT_PROCESS,
                                 .seconds = product_columns(&s) * (s.entries + s.n) * sparse +
                                            other_work(d, &s) * dense,
                                 .slab = room.slab,
                                 .disk = room.slab ? (int64_t)(8 * s.n * s.inner) : 0};
    return wgdn_result_give(out, &made, sizeof made, err);
}
