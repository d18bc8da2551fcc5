/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Multiplies by the normalized Laplacian of the graph, by the normalized adjacency, and by row
 * averages. Polynomial filters, noise estimates and walks build on its gathering loop, which also
 * overlaps the exchange of halo rows.
 *
 *     L = I - S A S,   S = D^-1/2,   (L x)_i = x_i - s_i sum_j A_ij s_j x_j        [WGDN:laplacian]
 *
 * A node without edges gathers nothing and keeps x_i.
 */
#include "laplacian.h"
#include "linalg.h"

#include <omp.h>
#include <string.h>

enum {
    ROWS_A_TURN = 64,
    WINDOW_FLOATS = 1 << 28
}; /* gathered between two looks at whether to stop */

wgdn_row wgdn_neighbors(const wgdn_graph *g, int64_t i)
{
    const wgdn_csr *a = &g->adjacency;
    const int64_t from = a->offset[i];
    return (wgdn_row){.column = a->column + from,
                      .value = a->value ? a->value + from : NULL,
                      .scale = g->inv_sqrt_degree,
                      .count = a->offset[i + 1] - from,
                      .ahead = wgdn_csr_entries(a) - from,
                      .halo = g->halo ? g->halo->buffer : NULL,
                      .own = a->rows};
}

/* Rows of x that others need, to where they are sent from. */
static void pack(const wgdn_halo *h, const float *x, int64_t d)
{
#pragma omp parallel for schedule(static) if (!wgdn_forked())
    for (int64_t k = 0; k < h->sends; k++)
        memcpy(h->packed + k * d, x + h->send[k] * d, (size_t)d * sizeof *x);
}

/* The row after those of one window, which begins at `first`. */
static int64_t window_end(const wgdn_graph *g, int64_t first, int64_t d)
{
    const wgdn_csr *a = &g->adjacency;
    int64_t low = first + 1, high = a->rows;
    const int64_t most = g->used ? WGDN_GATHER_WINDOW : 1 + WINDOW_FLOATS / d;
    while (low < high) { /* the last that ends within it */
        const int64_t middle = low + (high - low + 1) / 2;
        if (a->offset[middle] - a->offset[first] <= most)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

void wgdn_for_gather(const wgdn_graph *g, const float *x, int64_t d, wgdn_gather_call row,
                     void *context, float *scratch, int64_t stride)
{
    const wgdn_halo *h = g->halo;
    if (wgdn_tally_add(WGDN_TALLY_LAPLACIAN, g->adjacency.rows, 0, d)) return;
    if (h) {
        pack(h, x, d);
        wgdn_halo_begin(g->halo, d);
    }
    for (int64_t first = 0, end; first < g->adjacency.rows && !wgdn_stopping(); first = end) {
        end = window_end(g, first, d);
#pragma omp parallel if (!wgdn_forked())
        {
            float *mine = scratch ? scratch + omp_get_thread_num() * stride : NULL;
#pragma omp for schedule(dynamic, ROWS_A_TURN)
            for (int64_t i = first; i < end; i++)
                if (!h || !h->outward[i]) row(i, mine, context);
        }
        if (g->used) g->used(g, g->adjacency.offset[first], g->adjacency.offset[end]);
    }
    if (!h) return;
    wgdn_halo_finish(g->halo, d);
#pragma omp parallel if (!wgdn_forked())
    {
        float *mine = scratch ? scratch + omp_get_thread_num() * stride : NULL;
#pragma omp for schedule(dynamic, ROWS_A_TURN)
        for (int64_t k = 0; k < h->boundaries; k++)
            row(h->boundary[k], mine, context);
    }
}

/* Matrices of a product with L. */
typedef struct product {
    const wgdn_graph *g;
    const wgdn_row_ops *ops;
    float *y, *z; /* z: M x, or what it is made in */
    const float *x;
    int64_t d;
    wgdn_average m;
    double *noise; /* of each row */
} product;

static void laplacian_row(int64_t i, float *scratch, void *context)
{
    const product *p = context;
    (void)scratch;
    wgdn_laplacian_row(p->y + i * p->d, p->g, i, p->x, p->d, p->ops);
}

void wgdn_laplacian(float *y, const wgdn_graph *g, const float *x, int64_t d)
{
    product p = {.g = g, .ops = wgdn_rows(), .y = y, .x = x, .d = d};
    wgdn_for_gather(g, x, d, laplacian_row, &p, NULL, 0);
}

static void adjacency_row(int64_t i, float *scratch, void *context)
{
    const product *p = context;
    wgdn_row row = wgdn_neighbors(p->g, i);
    (void)scratch;
    row.scale = NULL;
    p->ops->gather(p->y + i * p->d, &row, p->x, p->d);
}

void wgdn_adjacency(float *y, const wgdn_graph *g, const float *x, int64_t d)
{
    product p = {.g = g, .ops = wgdn_rows(), .y = y, .x = x, .d = d};
    wgdn_for_gather(g, x, d, adjacency_row, &p, NULL, 0);
}

/*
 * M x at node i is a sum of (M = A D^-1: divided by the neighbor's degree) neighbors, which
 * gather2 collects beside (L - 1) x, times a factor of the node (M = D^-1 A: its own degree).
 */
static float mean_row(float *y, float *z, const product *p, int64_t i)
{
    const wgdn_graph *g = p->g;
    const wgdn_row row = wgdn_neighbors(g, i);
    p->ops->gather2(y, z, &row, p->m == WGDN_AVERAGE_COLUMN ? g->inv_degree : NULL, p->x, p->d);
    p->ops->scale(y, -g->inv_sqrt_degree[i], y, p->d);
    return p->m == WGDN_AVERAGE_ROW ? g->inv_degree[i] : 1;
}

static void laplacian_mean_row(int64_t i, float *scratch, void *context)
{
    const product *p = context;
    float *y = p->y + i * p->d, *z = p->z + i * p->d;
    (void)scratch;
    const float factor = mean_row(y, z, p, i);
    p->ops->axpy(y, 1, p->x + i * p->d, p->d);
    p->ops->scale(z, factor, z, p->d);
}

void wgdn_laplacian_mean(float *y, float *z, const wgdn_graph *g, const float *x, int64_t d,
                         wgdn_average m)
{
    product p = {.g = g, .ops = wgdn_rows(), .y = y, .z = z, .x = x, .d = d, .m = m};
    wgdn_for_gather(g, x, d, laplacian_mean_row, &p, NULL, 0);
}

/* Per block: squares, noise, then d column sums. */
static size_t block_doubles(int64_t d)
{
    return ((size_t)(2 + d) + 7) / 8 * 8;
}

/* Per thread: a row of M x, and one of (L - 1) x that nobody wants. */
static int64_t thread_floats(int64_t d)
{
    return (2 * d + 15) / 16 * 16;
}

size_t wgdn_laplacian_sums_work(wgdn_span s, int64_t d)
{
    const size_t threads = (size_t)omp_get_max_threads() * (size_t)thread_floats(d);
    const size_t noise = s.dist ? ((size_t)s.count + 7) / 8 * 8 : 0;
    return (wgdn_span_room(s) * block_doubles(d) + noise) * sizeof(double) +
           threads * sizeof(float);
}

/* (x - M x)^2 of one row, and its (L - 1) x. */
static double noise_row(const product *p, int64_t i, float *scratch)
{
    const float factor = mean_row(p->y ? p->y + i * p->d : scratch + p->d, scratch, p, i);
    return p->ops->residual(p->x + i * p->d, factor, scratch, p->d);
}

static void keep_noise(int64_t i, float *scratch, void *context)
{
    const product *p = context;
    p->noise[i] = noise_row(p, i, scratch);
}

/*
 * Sums go through the rows of a block in order, and gathering does not where rows of others are
 * waited for: then it goes first and leaves a number a row.
 */
static void block_sums(double *sum, const product *p, int64_t first, int64_t count, float *scratch)
{
    memset(sum, 0, (size_t)(2 + p->d) * sizeof *sum);
    for (int64_t i = first; i < first + count; i++) {
        const float *x = p->x + i * p->d;
        double squares;
        sum[1] += p->noise ? p->noise[i] : noise_row(p, i, scratch);
        (void)p->ops->moments(&squares, x, p->d);
        sum[0] += squares;
        p->ops->accumulate(sum + 2, x, p->d);
    }
}

void wgdn_laplacian_sums(wgdn_signal_sums *sums, float *y, const wgdn_graph *g, const float *x,
                         int64_t d, wgdn_average m, void *work)
{
    const wgdn_span s = wgdn_graph_span(g);
    if (wgdn_span_tally(NULL, 2 + d, s) && wgdn_tally_add(WGDN_TALLY_LAPLACIAN, s.count, 0, d)) {
        *sums = (wgdn_signal_sums){.squares = 2, .means = 1, .noise = 1};
        return;
    }
    const int64_t rows = wgdn_block_rows(s.total), blocks = wgdn_span_blocks(s);
    const int64_t stride = (int64_t)block_doubles(d), floats = thread_floats(d);
    product p = {.g = g, .ops = wgdn_rows(), .y = y, .x = x, .d = d, .m = m};
    double *partial = work, *noise = partial + wgdn_span_room(s) * (size_t)stride;
    float *scratch = (float *)(noise + (s.dist ? (s.count + 7) / 8 * 8 : 0));

    if (s.dist) {
        p.noise = noise;
        wgdn_for_gather(g, x, d, keep_noise, &p, scratch, floats);
    }
#pragma omp parallel if (!wgdn_forked())
    {
        float *mine = scratch + omp_get_thread_num() * floats;
#pragma omp for schedule(dynamic)
        for (int64_t b = 0; b < blocks; b++)
            block_sums(partial + b * stride, &p, b * rows, wgdn_min(rows, s.count - b * rows),
                       mine);
    }

    wgdn_span_fold(partial, stride, 2 + d, s);
    double means = 0;
    for (int64_t j = 0; j < d; j++)
        means += partial[2 + j] * partial[2 + j];
    *sums = (wgdn_signal_sums){
        .squares = partial[0], .means = means / (double)s.total, .noise = partial[1]};
}
