/* SPDX-License-Identifier: Apache-2.0 */
/* Chebyshev degrees one by one; moments of a signal along the spectrum, two per product with L. */
#include "poly.h"

#include <omp.h>

typedef struct stepping {
    const wgdn_graph *g;
    const wgdn_row_ops *ops;
    float *next;
    const float *cur, *prev;
    int64_t d;
} stepping;

static void step_row(int64_t i, float *scratch, void *context)
{
    const stepping *s = context;
    const int64_t at = i * s->d;
    wgdn_chebyshev_row(s->next + at, scratch, s->cur, s->prev ? s->prev + at : NULL, s->g, i, s->d,
                       s->ops);
}

void wgdn_chebyshev_step(float *next, const wgdn_graph *g, const float *cur, const float *prev,
                         int64_t d, float *work)
{
    stepping s = {g, wgdn_rows(), next, cur, prev, d};
    wgdn_for_gather(g, cur, d, step_row, &s, work, wgdn_poly_scratch(d));
}

/* Two degrees and the rows of scratch, to whole cache lines. */
static size_t floats(int64_t n, int64_t d)
{
    return (wgdn_poly_work(n, d, 3) + 15) / 16 * 16;
}

size_t wgdn_chebyshev_moments_work(wgdn_span s, int64_t d)
{
    return floats(s.count, d) * sizeof(float) +
           wgdn_reduce_work(s, d); /* two doubles a block, or more */
}

/* next = T_(k+1) X; sums[0] = |T_(k+1) X|^2, sums[1] = |T_(k+1) X - T_k X|^2. */
static void step_sums(double sums[2], float *next, const float *cur, const float *prev,
                      const wgdn_graph *g, int64_t d, float *scratches, double *partial)
{
    const wgdn_row_ops *ops = wgdn_rows();
    const int64_t n = g->adjacency.rows, rows = wgdn_block_rows(n), blocks = wgdn_block_count(n);
#pragma omp parallel if (!wgdn_forked())
    {
        float *scratch = scratches + omp_get_thread_num() * wgdn_poly_scratch(d);
#pragma omp for schedule(dynamic)
        for (int64_t b = 0; b < blocks; b++) {
            double squares, all = 0, apart = 0;
            for (int64_t i = b * rows; i < n && i < (b + 1) * rows; i++) {
                wgdn_chebyshev_row(next + i * d, scratch, cur, prev ? prev + i * d : NULL, g, i, d,
                                   ops);
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
    float *rows = work, *store = rows + omp_get_max_threads() * wgdn_poly_scratch(d);
    double *partial = (double *)(void *)(rows + floats(n, d));
    const float *prev = NULL, *cur = x;
    double before = wgdn_sum_squares(x, wgdn_alone(n), d, partial); /* |T_k X|^2 */

    m[0] = before;
    for (int k = 0; 2 * k < order; k++) {
        float *next = store + (k % 2 == 1 ? n * d : 0);
        double sums[2];
        step_sums(sums, next, cur, prev, g, d, rows, partial);
        const double twice = sums[0] + before - sums[1]; /* 2 <T_(k+1) X, T_k X> */
        m[2 * k + 1] = k == 0 ? twice / 2 : twice - m[1];
        if (2 * k + 2 <= order) m[2 * k + 2] = 2 * sums[0] - m[0];
        before = sums[0];
        prev = cur;
        cur = next;
    }
}
