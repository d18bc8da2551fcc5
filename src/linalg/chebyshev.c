/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Chebyshev polynomials of B = L - 1, whose spectrum lies in [-1, 1]:
 *     T_0 = 1,  T_1 = B,  T_(k+1) = 2 B T_k - T_(k-1),   (B x)_i = -s_i sum_j s_j x_j.
 *                                                                       [WGDN:chebyshev]
 * No T_k X is larger than X, so rounding does not grow with the order as it does with the powers
 * of L, which reach 2^k.
 */
#include "laplacian.h"
#include "linalg.h"

#include <omp.h>

enum { ROWS_A_TURN = 64, LINE = 16 }; /* floats of a cache line */

/* A row of scratch per thread, on cache lines of its own. */
static int64_t scratch_floats(int64_t d)
{
    return (d + LINE - 1) / LINE * LINE;
}

size_t wgdn_chebyshev_work(int64_t n, int64_t d)
{
    return 2 * (size_t)n * (size_t)d + (size_t)omp_get_max_threads() * (size_t)scratch_floats(d);
}

/*
 * Row i of T_(k+1) X from T_k X and, unless k = 0, T_(k-1) X. The new row may lie on the old one
 * of T_(k-1): the neighbours are gathered aside first.
 */
static void next_row(float *next, const float *cur, const float *prev, const wgdn_graph *g,
                     int64_t i, int64_t d, float *scratch, const wgdn_row_ops *ops)
{
    const wgdn_row row = wgdn_neighbours(g, i);
    const float s = g->inv_sqrt_degree[i];
    ops->gather(scratch, &row, cur, d);
    if (prev)
        ops->combine(next + i * d, -2 * s, scratch, -1, prev + i * d, d);
    else
        ops->scale(next + i * d, -s, scratch, d);
}

/*
 * Y_q = sum_k a_q[k] T_k(L - 1) X,   q = 0 .. channels - 1
 *
 * X, Y_q : n x d, Y_q apart from X.   a_q : order + 1.
 */
void wgdn_chebyshev_filter(float *const *y, int channels, const wgdn_graph *g, const float *x,
                           int64_t d, const double *const *a, int order, float *work)
{
    const wgdn_row_ops *ops = wgdn_rows();
    const int64_t n = g->adjacency.rows;
    const float *prev = NULL, *cur = x;

    if (order == 0)
        for (int q = 0; q < channels; q++) {
            wgdn_copy(y[q], x, n, d);
            wgdn_scale(y[q], (float)a[q][0], n, d);
        }
    for (int k = 1; k <= order; k++) {
        float *next = work + (k % 2 == 0 ? n * d : 0);
#pragma omp parallel
        {
            float *scratch = work + 2 * n * d + omp_get_thread_num() * scratch_floats(d);
#pragma omp for schedule(dynamic, ROWS_A_TURN)
            for (int64_t i = 0; i < n; i++) {
                next_row(next, cur, prev, g, i, d, scratch, ops);
                for (int q = 0; q < channels; q++) {
                    float *yq = y[q] + i * d;
                    const float ak = (float)a[q][k];
                    if (k == 1)
                        ops->combine(yq, (float)a[q][0], x + i * d, ak, next + i * d, d);
                    else
                        ops->axpy(yq, ak, next + i * d, d);
                }
            }
        }
        prev = cur;
        cur = next;
    }
}

size_t wgdn_chebyshev_moments_work(int64_t n, int64_t d)
{
    const size_t floats = (wgdn_chebyshev_work(n, d) + LINE - 1) / LINE * LINE;
    return floats * sizeof(float) + wgdn_reduce_work(n, d); /* two doubles a block, or more */
}

/* next = T_(k+1) X; sums[0] = |T_(k+1) X|^2, sums[1] = |T_(k+1) X - T_k X|^2. */
static void step_sums(double sums[2], float *next, const float *cur, const float *prev,
                      const wgdn_graph *g, int64_t d, float *scratches, double *partial)
{
    const wgdn_row_ops *ops = wgdn_rows();
    const int64_t n = g->adjacency.rows, rows = wgdn_block_rows(n), blocks = wgdn_block_count(n);
#pragma omp parallel
    {
        float *scratch = scratches + omp_get_thread_num() * scratch_floats(d);
#pragma omp for schedule(dynamic)
        for (int64_t b = 0; b < blocks; b++) {
            double squares, all = 0, apart = 0;
            for (int64_t i = b * rows; i < n && i < (b + 1) * rows; i++) {
                next_row(next, cur, prev, g, i, d, scratch, ops);
                (void)ops->moments(&squares, next + i * d, d);
                all += squares;
                apart += ops->residual(next + i * d, 1, cur + i * d, d);
            }
            partial[2 * b] = all;
            partial[2 * b + 1] = apart;
        }
    }
    wgdn_tree_fold(partial, blocks, 2, 2);
    sums[0] = partial[0];
    sums[1] = partial[1];
}

/*
 * m[k] = <X, T_k(L - 1) X>, summed over columns, k = 0 .. order              [WGDN:moments]
 *
 * 2 T_i T_j = T_(i+j) + T_|i-j| gives two moments per product:
 *     m[2k] = 2 |T_k X|^2 - m[0],   m[2k+1] = 2 <T_(k+1) X, T_k X> - m[1],
 * and 2 <u, v> = |u|^2 + |v|^2 - |u - v|^2, whose three sums are made in double.
 */
void wgdn_chebyshev_moments(double *m, const wgdn_graph *g, const float *x, int64_t d, int order,
                            void *work)
{
    const int64_t n = g->adjacency.rows;
    const size_t floats = (wgdn_chebyshev_work(n, d) + LINE - 1) / LINE * LINE;
    float *store = work;
    double *partial = (double *)(void *)(store + floats);
    const float *prev = NULL, *cur = x;
    double before = wgdn_sum_squares(x, n, d, partial); /* |T_k X|^2 */

    m[0] = before;
    for (int k = 0; 2 * k < order; k++) {
        float *next = store + (k % 2 == 1 ? n * d : 0);
        double sums[2];
        step_sums(sums, next, cur, prev, g, d, store + 2 * n * d, partial);
        const double twice = sums[0] + before - sums[1]; /* 2 <T_(k+1) X, T_k X> */
        m[2 * k + 1] = k == 0 ? twice / 2 : twice - m[1];
        if (2 * k + 2 <= order) m[2 * k + 2] = 2 * sums[0] - m[0];
        before = sums[0];
        prev = cur;
        cur = next;
    }
}
