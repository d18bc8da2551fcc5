/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Products with L = I - S A S, S = D^-1/2:   (L x)_i = x_i - s_i sum_j s_j x_j   over neighbours j.
 * A node without edges gathers nothing and keeps x_i.                        [WGDN:laplacian]
 */
#include "laplacian.h"
#include "linalg.h"

#include <string.h>

enum { ROWS_A_TURN = 64 };

wgdn_row wgdn_neighbours(const wgdn_graph *g, int64_t i)
{
    const wgdn_csr *a = &g->adjacency;
    const int64_t from = a->offset[i];
    return (wgdn_row){.column = a->column + from,
                      .scale = g->inv_sqrt_degree,
                      .count = a->offset[i + 1] - from,
                      .ahead = wgdn_csr_entries(a) - from};
}

void wgdn_laplacian(float *y, const wgdn_graph *g, const float *x, int64_t d)
{
    const wgdn_row_ops *ops = wgdn_rows();
#pragma omp parallel for schedule(dynamic, ROWS_A_TURN)
    for (int64_t i = 0; i < g->adjacency.rows; i++)
        wgdn_laplacian_row(y + i * d, g, i, x, d, ops);
}

/*
 * M x at node i is a sum of (M = A D^-1: divided by the neighbour's degree) neighbours, which
 * gather2 collects beside (L - 1) x, times a factor of the node (M = D^-1 A: its own degree).
 */
static float mean_row(float *y, float *z, const wgdn_graph *g, int64_t i, const float *x, int64_t d,
                      wgdn_average m, const wgdn_row_ops *ops)
{
    const wgdn_row row = wgdn_neighbours(g, i);
    ops->gather2(y, z, &row, m == WGDN_AVERAGE_COLUMN ? g->inv_degree : NULL, x, d);
    ops->scale(y, -g->inv_sqrt_degree[i], y, d);
    return m == WGDN_AVERAGE_ROW ? g->inv_degree[i] : 1;
}

void wgdn_laplacian_mean(float *y, float *z, const wgdn_graph *g, const float *x, int64_t d,
                         wgdn_average m)
{
    const wgdn_row_ops *ops = wgdn_rows();
#pragma omp parallel for schedule(dynamic, ROWS_A_TURN)
    for (int64_t i = 0; i < g->adjacency.rows; i++) {
        float *zi = z + i * d;
        const float factor = mean_row(y + i * d, zi, g, i, x, d, m, ops);
        ops->axpy(y + i * d, 1, x + i * d, d);
        ops->scale(zi, factor, zi, d);
    }
}

/* Per block: squares, noise, then d column sums; beside them two rows of scratch. */
static size_t block_doubles(int64_t d)
{
    return ((size_t)(2 + d) + (size_t)d + 7) / 8 * 8;
}

size_t wgdn_laplacian_sums_work(int64_t n, int64_t d)
{
    return (size_t)wgdn_block_count(n) * block_doubles(d) * sizeof(double);
}

void wgdn_laplacian_sums(wgdn_signal_sums *sums, float *y, const wgdn_graph *g, const float *x,
                         int64_t d, wgdn_average m, void *work)
{
    const wgdn_row_ops *ops = wgdn_rows();
    const int64_t n = g->adjacency.rows, rows = wgdn_block_rows(n), blocks = wgdn_block_count(n);
    const size_t stride = block_doubles(d);
    double *partial = work;

#pragma omp parallel for schedule(dynamic)
    for (int64_t b = 0; b < blocks; b++) {
        double *sum = partial + (size_t)b * stride;
        float *scratch = (float *)(sum + 2 + d); /* a row of M x, a row of (L - 1) x nobody wants */
        memset(sum, 0, (size_t)(2 + d) * sizeof *sum);
        for (int64_t i = b * rows; i < n && i < (b + 1) * rows; i++) {
            const float *xi = x + i * d;
            float *yi = y ? y + i * d : scratch + d;
            const float factor = mean_row(yi, scratch, g, i, x, d, m, ops);
            double squares;
            (void)ops->moments(&squares, xi, d);
            sum[0] += squares;
            sum[1] += ops->residual(xi, factor, scratch, d);
            ops->accumulate(sum + 2, xi, d);
        }
    }

    wgdn_tree_fold(partial, blocks, (int64_t)stride, 2 + d);
    double means = 0;
    for (int64_t j = 0; j < d; j++)
        means += partial[2 + j] * partial[2 + j];
    *sums =
        (wgdn_signal_sums){.squares = partial[0], .means = means / (double)n, .noise = partial[1]};
}
