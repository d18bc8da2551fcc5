/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Orthonormal columns by Cholesky, three times over.                                [WGDN:orthonormal]
 *
 *     G = Q^T Q (+ shift I, the first time);   G = R^T R;   Q <- Q R^-1
 *
 * G is summed in the fixed tree, R and its inverse are small and in double. One pass halves the
 * digits that are lacking; the shift carries the first one over columns that are almost dependent.
 */
#include "linalg.h"

#include <math.h>
#include <string.h>

enum { PASSES = 3 };

static const double shift = 1e-6;    /* of the largest diagonal entry; floats give G to 1e-7 */
static const double nothing = 1e-10; /* of its own diagonal entry: what is left is rounding */

size_t wgdn_orthonormal_work(wgdn_span n, int64_t k)
{
    const size_t square =
        wgdn_size_product((size_t)k, (size_t)k, 2 * sizeof(double) + sizeof(float));
    return wgdn_size_sum(wgdn_gemm_tn_work(n, k, k), square);
}

/* The lower half of G becomes R^T; a row of zeros where nothing is left. */
static void cholesky(double *g, int64_t k)
{
    for (int64_t i = 0; i < k; i++) {
        double *row = g + i * k;
        const double whole = row[i];
        for (int64_t j = 0; j < i; j++) {
            const double *other = g + j * k;
            double sum = row[j];
            for (int64_t l = 0; l < j; l++)
                sum -= row[l] * other[l];
            row[j] = other[j] > 0 ? sum / other[j] : 0;
        }
        double left = whole;
        for (int64_t l = 0; l < i; l++)
            left -= row[l] * row[l];
        row[i] = left > nothing * whole ? sqrt(left) : 0;
    }
}

/* Row i of X = (R^T)^-1, lower triangular: x_i = (e_i - sum_j r_ij x_j) / r_ii. */
static void invert(double *x, const double *r, int64_t k)
{
    memset(x, 0, (size_t)(k * k) * sizeof *x);
    for (int64_t i = 0; i < k; i++) {
        double *row = x + i * k;
        if (r[i * k + i] <= 0) continue;
        for (int64_t j = 0; j < i; j++)
            for (int64_t l = 0; l <= j; l++)
                row[l] -= r[i * k + j] * x[j * k + l];
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

wgdn_status wgdn_orthonormalise(float *q, float *other, wgdn_span n, int64_t k, void *work,
                                wgdn_error *err)
{
    double *g = (double *)((char *)work + wgdn_gemm_tn_work(n, k, k)), *x = g + k * k;
    float *turn = (float *)(x + k * k);
    wgdn_status st = WGDN_OK;
    for (int pass = 0; pass < PASSES && !st; pass++) {
        wgdn_product gram = wgdn_product_of(NULL, q, q, n, k, k);
        gram.wide = g;
        gram.work = work;
        st = wgdn_gemm_tn(&gram, err);
        if (st) break;
        if (pass == 0) shift_diagonal(g, k);
        cholesky(g, k);
        invert(x, g, k);
        for (int64_t i = 0; i < k; i++) /* R^-1 is X transposed */
            for (int64_t j = 0; j < k; j++)
                turn[j * k + i] = (float)x[i * k + j];
        const wgdn_product p = wgdn_product_of(other, q, turn, n, k, k);
        st = wgdn_gemm_nn(&p, err);
        if (!st) wgdn_copy(q, other, n.count, k);
    }
    return st;
}
