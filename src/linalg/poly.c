/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Polynomial filters in the Chebyshev basis of B = L - 1, whose spectrum lies in [-1, 1]:
 *
 *     T_0 = 1,  T_1 = B,  T_(k+1) = 2 B T_k - T_(k-1),   (B x)_i = -s_i sum_j s_j x_j
 *                                                                            [WGDN:chebyshev]
 * Powers of L cost as many products but reach 2^k: the gcn decoder of order 9 has coefficients near
 * 900 there, and three digits of a float are lost. No T_k X is larger than X.
 */
#include "poly.h"
#include "layer_rows.h"

#include <omp.h>

enum { ROWS_A_TURN = 64, LINE = 16 }; /* floats of a cache line */

int64_t wgdn_poly_scratch(int64_t d)
{
    return (d + LINE - 1) / LINE * LINE;
}

static size_t scratches(int64_t d)
{
    return (size_t)omp_get_max_threads() * (size_t)wgdn_poly_scratch(d);
}

size_t wgdn_poly_work(int64_t n, int64_t d, int order)
{
    const size_t kept = order < 2 ? 1 : order == 2 ? 1 : 2; /* matrices */
    return kept * (size_t)n * (size_t)d + scratches(d);
}

float *wgdn_poly_first(float *work, int64_t d)
{
    return work + scratches(d);
}

void wgdn_chebyshev_row(float *next, float *scratch, const float *cur, const float *prev,
                        const wgdn_graph *g, int64_t i, int64_t d, const wgdn_row_ops *ops)
{
    const wgdn_row row = wgdn_neighbours(g, i);
    const float s = g->inv_sqrt_degree[i];
    ops->gather(scratch, &row, cur, d);
    if (prev)
        ops->combine(next, -2 * s, scratch, -1, prev, d);
    else
        ops->scale(next, -s, scratch, d);
}

/* Degrees 0 and 1 of one row; degree 1 only when there is a row for it. */
static void begin_row(float *y, bool add, const double *a, const float *x, const float *first,
                      int64_t d, const wgdn_row_ops *ops)
{
    if (add)
        ops->axpy(y, (float)a[0], x, d);
    else if (first)
        ops->combine(y, (float)a[0], x, (float)a[1], first, d);
    else
        ops->scale(y, (float)a[0], x, d);
    if (add && first) ops->axpy(y, (float)a[1], first, d);
}

/*
 * Y_q = sum_k a_q[k] T_k(B) X,   q = 0 .. channels - 1                     [WGDN:poly-filter]
 *
 * X, Y_q : n x d, Y_q apart from X.   a_q : order + 1.
 *
 * Walking up the degrees lets all channels share each T_k X, and products with B are what costs. A
 * row is added to the channels while it is still in the cache; degrees 0 and 1 are written by the
 * first pass that comes by, which is that of degree 2 when B X was made elsewhere. T_(k+1) may
 * lie on T_(k-1), of which it needs the same row only; the last degree is not kept at all.
 */
void wgdn_poly_filter(float *const *y, int channels, bool add, const wgdn_graph *g, const float *x,
                      const float *first, int64_t d, const double *const *a, int order, float *work)
{
    const wgdn_row_ops *ops = wgdn_rows();
    const int64_t n = g->adjacency.rows, stride = wgdn_poly_scratch(d);
    float *kept = work + scratches(d);
    const float *cur = first ? first : x, *prev = first ? x : NULL;
    const int start = first ? 2 : 1;

    if (order < start) {
#pragma omp parallel for schedule(static)
        for (int64_t i = 0; i < n; i++)
            for (int q = 0; q < channels; q++)
                begin_row(y[q] + i * d, add, a[q], x + i * d, order == 1 ? first + i * d : NULL, d,
                          ops);
    }
    for (int k = start; k <= order; k++) {
        float *next = kept + (k % 2 == 0 ? n * d : 0);
#pragma omp parallel
        {
            float *scratch = work + omp_get_thread_num() * stride;
#pragma omp for schedule(dynamic, ROWS_A_TURN)
            for (int64_t i = 0; i < n; i++) {
                float *row = k < order ? next + i * d : scratch;
                wgdn_chebyshev_row(row, scratch, cur, prev ? prev + i * d : NULL, g, i, d, ops);
                for (int q = 0; q < channels; q++) {
                    float *yq = y[q] + i * d;
                    if (k == start)
                        begin_row(yq, add, a[q], x + i * d, first ? first + i * d : row, d, ops);
                    if (k > 1) ops->axpy(yq, (float)a[q][k], row, d);
                }
            }
        }
        prev = cur;
        cur = next;
    }
}

/* row += sum of a_q[k] dY_q at node i over the channels from `first` on */
static void mix(float *row, int first, int channels, const float *const *dy, const double *const *a,
                int k, int64_t i, int64_t d, const wgdn_row_ops *ops)
{
    for (int q = first; q < channels; q++)
        ops->axpy(row, (float)a[q][k], dy[q] + i * d, d);
}

/*
 * The loss sees X through every Y_q, and B is symmetric, so
 *     dX = sum_q sum_k a_q[k] T_k(B) dY_q = sum_k T_k(B) u_k,   u_k = sum_q a_q[k] dY_q.
 * Here Clenshaw's rule is the cheap one: the channels are mixed first, and a degree costs a single
 * product whatever their number:
 *     b_k = u_k + 2 B b_(k+1) - b_(k+2),  k = order .. 1,    dX = u_0 + B b_1 - b_2.
 * b_k may lie on b_(k+2): those of even k lie on dX, those of odd k in work. A channel that is
 * alone has b_order = a[order] dY, which is not made: b_(order-1) gathers dY itself, b_(order-2)
 * takes it from u.
 *
 * With half, what is gathered is rounded to bf16, which halves what has to be moved; a node's own
 * row is not. These copies take turns in work where the filter would keep its second matrix. b_1 is
 * gathered and nothing else, so it is there alone.
 */
void wgdn_poly_gradient(float *dx, int channels, const wgdn_graph *g, const float *const *dy,
                        int64_t d, const double *const *a, int order, bool half, float *work)
{
    const wgdn_row_ops *ops = wgdn_rows();
    const int64_t n = g->adjacency.rows, stride = wgdn_poly_scratch(d);
    const bool alone = channels == 1 && order > 0;
    float *const kept = work + scratches(d), *const at[2] = {dx, kept};
    uint16_t *const even = (uint16_t *)(void *)(kept + (order > 2 ? n * d : 0));
    uint16_t *const copy[2] = {even, even + n * d}; /* of b_k, even and odd k */
    void (*const halve)(uint16_t *, const float *, int64_t) = wgdn_layer_rows()->halve;

    if (!alone || half) {
#pragma omp parallel
        {
            float *scratch = work + omp_get_thread_num() * stride;
#pragma omp for schedule(static)
            for (int64_t i = 0; i < n; i++) {
                float *top = half && order == 1 ? scratch : at[order % 2] + i * d;
                if (!alone) {
                    ops->scale(top, (float)a[0][order], dy[0] + i * d, d);
                    mix(top, 1, channels, dy, a, order, i, d, ops);
                }
                if (half && order > 0)
                    halve(copy[order % 2] + i * d, alone ? dy[0] + i * d : top, d);
            }
        }
    }
    for (int k = order - 1; k >= 0; k--) {
        const bool bare = alone && k == order - 1;   /* b_(k+1) is dY but for a factor */
        const bool stored = k + 2 + alone <= order;  /* b_(k+2) lies where b_k will */
        const bool inside = alone && k + 2 == order; /* b_(k+2) is taken from u */
        const double factor = (k > 0 ? -2 : -1) * (bare ? a[0][order] : 1);
        const float u = (float)(a[0][k] - (inside ? a[0][order] : 0));
        const float *above = bare ? dy[0] : at[(k + 1) % 2];
#pragma omp parallel
        {
            float *scratch = work + omp_get_thread_num() * stride;
#pragma omp for schedule(dynamic, ROWS_A_TURN)
            for (int64_t i = 0; i < n; i++) {
                const wgdn_row row = wgdn_neighbours(g, i);
                const float s = (float)(factor * g->inv_sqrt_degree[i]);
                float *lies = at[k % 2] + i * d, *here = half && k == 1 ? scratch : lies;
                if (half)
                    ops->gather_half(scratch, &row, copy[(k + 1) % 2], d);
                else
                    ops->gather(scratch, &row, above, d);
                if (stored)
                    ops->combine(here, -1, lies, s, scratch, d);
                else
                    ops->combine(here, u, dy[0] + i * d, s, scratch, d);
                mix(here, stored ? 0 : 1, channels, dy, a, k, i, d, ops);
                if (half && k > 0) halve(copy[k % 2] + i * d, here, d);
            }
        }
    }
}

/* The filter is its own gradient, and there nothing is shared that the gradient does not share. */
void wgdn_poly_apply(float *y, const wgdn_graph *g, const float *x, int64_t d, const double *a,
                     int order, bool half, float *work)
{
    wgdn_poly_gradient(y, 1, g, &x, d, &a, order, half, work);
}
