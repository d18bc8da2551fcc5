/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Orthonormal columns by Cholesky, two or three times over.                         [WGDN:orthonormal]
 *
 *     G = Q^T Q (+ shift I, the first time);   G = R^T R;   Q <- Q R^-1
 *
 * G is summed in the fixed tree, R and its inverse are small and in double. One pass halves the
 * digits that are lacking; the shift carries the first one over columns that are almost dependent.
 * From |G - I| <= 1/2 on, one pass leaves rounding alone, and is the last.
 */
#include "linalg.h"
#include "wide_rows.h"

#include <math.h>
#include <string.h>

enum { PASSES = 3 };

static const double shift = 1e-6;    /* of the largest diagonal entry; floats give G to 1e-7 */
static const double nothing = 1e-10; /* of its own diagonal entry: what is left is rounding */

size_t wgdn_orthonormal_work(wgdn_span n, int64_t k)
{
    const size_t square =
        wgdn_size_product((size_t)k, (size_t)k, 2 * sizeof(double) + sizeof(float));
    return wgdn_size_sum(wgdn_tall_work(n, k), square);
}

/* The lower half of G becomes R^T; a row of zeros where nothing is left. */
static void cholesky(double *g, int64_t k)
{
    const wgdn_wide_ops *ops = wgdn_wide_rows();
    for (int64_t i = 0; i < k; i++) {
        double *row = g + i * k;
        const double whole = row[i];
        for (int64_t j = 0; j < i; j++) {
            const double *other = g + j * k;
            row[j] = other[j] > 0 ? (row[j] - ops->dot(row, other, j)) / other[j] : 0;
        }
        const double left = whole - ops->dot(row, row, i);
        row[i] = left > nothing * whole ? sqrt(left) : 0;
    }
}

/* Row i of X = (R^T)^-1, lower triangular: x_i = (e_i - sum_j r_ij x_j) / r_ii. */
static void invert(double *x, const double *r, int64_t k)
{
    const wgdn_wide_ops *ops = wgdn_wide_rows();
    memset(x, 0, (size_t)(k * k) * sizeof *x);
    for (int64_t i = 0; i < k; i++) {
        double *row = x + i * k;
        if (r[i * k + i] <= 0) continue;
        for (int64_t j = 0; j < i; j++)
            ops->axpy(row, -r[i * k + j], x + j * k, j + 1);
        row[i] = 1;
        for (int64_t l = 0; l <= i; l++)
            row[l] /= r[i * k + i];
    }
}

static void shift_diagonal(double *g, int64_t k)
{
    double most = 0;
    for (int64_t i = 0; i < k; i++)
        most = fmax(most, g[i * k + i]);
    for (int64_t i = 0; i < k; i++)
        if (g[i * k + i] > 0) g[i * k + i] += shift * most;
}

/* Whether the rows of |G - I|, but for columns of zeros, sum up to 1/2 at most. */
static bool almost(const double *g, int64_t k)
{
    for (int64_t i = 0; i < k; i++) {
        const double *row = g + i * k, length = row[i];
        double sum = length > 0 ? fabs(length - 1) - length : 0;
        for (int64_t j = 0; j < k; j++)
            sum += fabs(row[j]);
        if (sum > 0.5) return false;
    }
    return true;
}

wgdn_status wgdn_orthonormalise(const wgdn_tall *q, void *work, wgdn_error *err)
{
    const int64_t k = q->k;
    double *g = (double *)((char *)work + wgdn_tall_work(q->n, k)), *x = g + k * k;
    float *turn = (float *)(x + k * k);
    wgdn_status st = WGDN_OK;
    bool last = false;
    for (int pass = 0; pass < PASSES && !last && !st; pass++) {
        st = wgdn_tall_gram(g, q, NULL, work, err);
        if (st) break;
        last = almost(g, k);
        if (pass == 0 && !last) shift_diagonal(g, k);
        cholesky(g, k);
        invert(x, g, k);
        for (int64_t i = 0; i < k; i++) /* R^-1 is X transposed */
            for (int64_t j = 0; j < k; j++)
                turn[j * k + i] = (float)x[i * k + j];
        st = wgdn_tall_turn(q, turn, work, err);
    }
    return st;
}
