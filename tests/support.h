/* SPDX-License-Identifier: Apache-2.0 */
/* Random matrices and graphs for tests, and the sweep over CPU levels and thread counts. */
#ifndef WGDN_SUPPORT_H
#define WGDN_SUPPORT_H

#include "check.h"
#include "linalg/linalg.h"

/* n x d normals; another call, other numbers. */
static inline float *random_matrix(uint16_t call, int64_t n, int64_t d)
{
    float *x = wgdn_alloc((size_t)(n * d), sizeof *x);
    wgdn_random_normals(x, d, (wgdn_stream){.seed = 7, .call = call}, 0, n, 0, d);
    return x;
}

static inline float *matrix(int64_t n, int64_t d)
{
    return wgdn_alloc_zero((size_t)(n * d), sizeof(float));
}

/*
 * n nodes: node 0 knows everybody but the last one, the last is isolated, and about `degree`
 * random edges a node lie in between.
 */
static inline wgdn_graph *random_graph(int64_t n, int64_t degree)
{
    const int64_t random = n > 2 ? n * degree : 0, hub = n > 2 ? n - 2 : 0;
    int64_t *src = wgdn_alloc((size_t)(random + hub), sizeof *src);
    int64_t *dst = wgdn_alloc((size_t)(random + hub), sizeof *dst);
    const wgdn_stream s = {.seed = 11, .call = 1};
    wgdn_graph *g = NULL;
    for (int64_t k = 0; k < random; k++) {
        src[k] = wgdn_random_bits(s, k, 0) % (n - 1);
        dst[k] = wgdn_random_bits(s, k, 1) % (n - 1);
    }
    for (int64_t k = 0; k < hub; k++) {
        src[random + k] = 0;
        dst[random + k] = k + 1;
    }
    CHECK(wgdn_graph_from_edges(&g, n, random + hub, src, dst, NULL) == WGDN_OK);
    wgdn_release(dst);
    wgdn_release(src);
    return g;
}

/* The same graph with weights between about 0.05 and 20. */
static inline wgdn_graph *weigh(wgdn_graph *g)
{
    wgdn_csr *a = &g->adjacency;
    const wgdn_stream s = {.seed = 12, .call = 1};
    a->value = wgdn_alloc((size_t)wgdn_csr_entries(a), sizeof *a->value);
    for (int64_t i = 0; i < a->rows; i++)
        for (int64_t k = a->offset[i]; k < a->offset[i + 1]; k++) {
            const int64_t j = a->column[k];
            float z;
            wgdn_random_normals(&z, 1, s, i < j ? i : j, 1, i < j ? j : i, 1);
            a->value[k] = expf(z);
        }
    for (int64_t i = 0; i < a->rows; i++)
        wgdn_graph_weigh(g, i);
    return g;
}

/* rows x cols with about `per_row` entries a row; every fifth row is empty, row 1 is full. */
static inline wgdn_csr random_csr(int64_t rows, int64_t cols, int64_t per_row, bool values)
{
    const wgdn_stream s = {.seed = 13, .call = 2};
    const uint32_t chance = (uint32_t)(4294967295.0 * fmin(1, (double)per_row / (double)cols));
    wgdn_csr a = {.rows = rows, .cols = cols};
    a.offset = wgdn_alloc_zero((size_t)rows + 1, sizeof *a.offset);
    a.column = wgdn_alloc((size_t)(rows * cols), sizeof *a.column);
    if (values) a.value = wgdn_alloc((size_t)(rows * cols), sizeof *a.value);
    for (int64_t i = 0; i < rows; i++) {
        int64_t at = a.offset[i];
        for (int64_t j = 0; j < cols; j++)
            if (i == 1 || (i % 5 != 4 && wgdn_random_bits(s, i, j) < chance)) {
                if (values) wgdn_random_normals(a.value + at, 1, s, i, 1, j, 1);
                a.column[at++] = (int32_t)j;
            }
        a.offset[i + 1] = at;
    }
    return a;
}

/* Largest |a - b| over the largest |b|: what rounding makes of a sum. */
static inline double distance(const float *a, const double *b, int64_t count)
{
    double worst = 0, size = 1e-30;
    for (int64_t i = 0; i < count; i++) {
        const double e = fabs((double)a[i] - b[i]);
        if (!(e <= worst)) worst = e; /* NaN too */
        size = fmax(size, fabs(b[i]));
    }
    return worst / size;
}

/*
 * Run `work(out, count, context)` on every CPU level with 1, 2, 3 and 4 threads. The bits must not
 * depend on the threads; each level must lie within `tolerance` of `truth` (NULL: not compared).
 */
static inline void check_levels(void (*work)(float *out, void *context), void *context,
                                int64_t count, const double *truth, double tolerance)
{
    float *first = matrix(count, 1), *again = matrix(count, 1);
    for (int level = 0; level <= (int)wgdn_cpu_best(); level++) {
        wgdn_cpu_limit((wgdn_cpu)level);
        for (int threads = 1; threads <= 4; threads++) {
            const int former = wgdn_threads_use(threads);
            memset(again, 0xff, (size_t)count * sizeof *again); /* NaN: all of it must be written */
            work(again, context);
            wgdn_threads_use(former);
            if (threads == 1)
                memcpy(first, again, (size_t)count * sizeof *first);
            else
                CHECK(memcmp(first, again, (size_t)count * sizeof *first) == 0);
        }
        if (truth) CHECK_NEAR(distance(first, truth, count), 0, tolerance);
    }
    wgdn_cpu_limit(WGDN_CPU_V4);
    wgdn_release(again);
    wgdn_release(first);
}

#endif
