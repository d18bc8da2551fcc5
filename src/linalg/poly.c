/* SPDX-License-Identifier: Apache-2.0 */
#include "laplacian.h"
#include "linalg.h"

enum { ROWS_A_TURN = 64 };

size_t wgdn_poly_work(int64_t n, int64_t d, int order)
{
    /* Two running powers of L; order 1 needs one, only to have somewhere to write rows. */
    return (size_t)(order < 1 ? 0 : order == 1 ? 1 : 2) * (size_t)n * (size_t)d;
}

/* y = a x, or y = y + a x */
static void put(float *y, bool add, float a, const float *x, int64_t d, const wgdn_row_ops *ops)
{
    if (add)
        ops->axpy(y, a, x, d);
    else
        ops->scale(y, a, x, d);
}

/* Degrees 0 and 1 of one row; degree 1 only when there is a row for it. */
static void begin_row(float *y, bool add, const double *c, const float *x, const float *first,
                      int64_t d, const wgdn_row_ops *ops)
{
    if (first && !add) {
        ops->combine(y, (float)c[0], x, (float)c[1], first, d);
        return;
    }
    put(y, add, (float)c[0], x, d, ops);
    if (first) ops->axpy(y, (float)c[1], first, d);
}

/*
 * Y_q = sum_k c_q[k] L^k X,   q = 0 .. channels - 1                [WGDN:poly-filter]
 *
 * X, Y_q : n x d, Y_q apart from X.   c_q : order + 1, constant term first.
 *
 * Horner's rule would multiply by L once per channel and degree. Walking up the powers lets all
 * channels share each L^k X, and products with L are what costs. A row of L^k X is added to the
 * channels while it is still in the cache; degrees 0 and 1 are written by the first pass that
 * comes by, which is that of degree 2 when L X was made elsewhere.
 */
void wgdn_poly_filter(float *const *y, int channels, bool add, const wgdn_graph *g, const float *x,
                      const float *first, int64_t d, const double *const *c, int order, float *work)
{
    const wgdn_row_ops *ops = wgdn_rows();
    const int64_t n = g->adjacency.rows;
    const float *power = first ? first : x;
    const int start = first ? 2 : 1;

    if (order < start) {
#pragma omp parallel for schedule(static)
        for (int64_t i = 0; i < n; i++)
            for (int q = 0; q < channels; q++)
                begin_row(y[q] + i * d, add, c[q], x + i * d, order == 1 ? first + i * d : NULL, d,
                          ops);
    }
    for (int k = start; k <= order; k++) {
        float *next = work + (k % 2 == 0 ? n * d : 0);
#pragma omp parallel for schedule(dynamic, ROWS_A_TURN)
        for (int64_t i = 0; i < n; i++) {
            float *row = next + i * d;
            wgdn_laplacian_row(row, g, i, power, d, ops);
            for (int q = 0; q < channels; q++) {
                float *yq = y[q] + i * d;
                if (k == start)
                    begin_row(yq, add, c[q], x + i * d, first ? first + i * d : row, d, ops);
                if (k > 1) ops->axpy(yq, (float)c[q][k], row, d);
            }
        }
        power = next;
    }
}

/* row = sum_q c_q[k] dY_q at node i */
static void mix(float *row, int channels, const float *const *dy, const double *const *c, int k,
                int64_t i, int64_t d, const wgdn_row_ops *ops)
{
    ops->scale(row, (float)c[0][k], dy[0] + i * d, d);
    for (int q = 1; q < channels; q++)
        ops->axpy(row, (float)c[q][k], dy[q] + i * d, d);
}

/*
 * The loss sees X through every Y_q, and L is symmetric, so
 *     dX = sum_q sum_k c_q[k] L^k dY_q = sum_k L^k ( sum_q c_q[k] dY_q ).
 * Here Horner's rule is the cheap one: the channels are mixed first, and a degree costs a single
 * product whatever their number:  Z <- L Z + sum_q c_q[k] dY_q,  k = order - 1 .. 0.
 */
void wgdn_poly_gradient(float *dx, int channels, const wgdn_graph *g, const float *const *dy,
                        int64_t d, const double *const *c, int order, float *work)
{
    const wgdn_row_ops *ops = wgdn_rows();
    const int64_t n = g->adjacency.rows;
    float *z = order == 0 ? dx : work;

#pragma omp parallel for schedule(static)
    for (int64_t i = 0; i < n; i++)
        mix(z + i * d, channels, dy, c, order, i, d, ops);
    for (int k = order - 1; k >= 0; k--) {
        float *next = k == 0 ? dx : z == work ? work + n * d : work;
#pragma omp parallel for schedule(dynamic, ROWS_A_TURN)
        for (int64_t i = 0; i < n; i++) {
            float *row = next + i * d;
            wgdn_laplacian_row(row, g, i, z, d, ops);
            for (int q = 0; q < channels; q++)
                ops->axpy(row, (float)c[q][k], dy[q] + i * d, d);
        }
        z = next;
    }
}
