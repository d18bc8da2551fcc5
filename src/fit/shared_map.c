/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The small matrices of a shared part, k x k in double. Vectors are rows: z = y M.
 *
 *     M = (C^-1 N)^q = L^-T A^q L^T,   A = L^-1 N L^-T,   C = L L^T,   0 <= A <= 1   [WGDN:shared-map]
 *
 * C is the covariance of nodes, N that of nodes with their neighbours. Where a node is signal plus noise of its
 * own, and neighbours have the signal in common, N is the covariance of the signal, and q = 1
 * gives M = C^-1 N, Wiener's filter over directions; a smaller q shrinks less.
 */
#include "shared.h"

#include "linalg/wide_rows.h"

#include <math.h>
#include <string.h>

static const double ridge = 0.5; /* of the mean eigenvalue of C, added to all */
static const double power = 0.5; /* q */

enum {
    ROWS = 4,     /* of a product that are made while a row of the other factor is at hand */
    COLUMNS = 64, /* of a solution that a thread makes */
    TILE = 16     /* of a transpose */
};

/* C = A B, all k x k. */
static void times(double *c, const double *a, const double *b, int64_t k)
{
    const wgdn_wide_ops *ops = wgdn_wide_rows();
#pragma omp parallel for schedule(dynamic) if (!wgdn_forked())
    for (int64_t i = 0; i < k; i += ROWS) {
        const int64_t end = wgdn_min(i + ROWS, k);
        memset(c + i * k, 0, (size_t)((end - i) * k) * sizeof *c);
        for (int64_t l = 0; l < k; l++)
            for (int64_t r = i; r < end; r++)
                ops->axpy(c + r * k, a[r * k + l], b + l * k, k);
    }
}

/* A becomes its transpose. */
static void turn(double *a, int64_t k)
{
    for (int64_t top = 0; top < k; top += TILE)
        for (int64_t left = 0; left <= top; left += TILE)
            for (int64_t i = top; i < wgdn_min(top + TILE, k); i++)
                for (int64_t j = left; j < wgdn_min(left + TILE, i); j++) {
                    const double x = a[i * k + j];
                    a[i * k + j] = a[j * k + i];
                    a[j * k + i] = x;
                }
}

static void make_symmetric(double *a, int64_t k)
{
    for (int64_t i = 0; i < k; i++)
        for (int64_t j = 0; j < i; j++)
            a[i * k + j] = a[j * k + i] = (a[i * k + j] + a[j * k + i]) / 2;
}

/* Row i times by(value_i). */
static void scale_rows(double *a, const double *value, double exponent, int64_t k)
{
    for (int64_t i = 0; i < k; i++) {
        const double by = value[i] > 0 ? pow(value[i], exponent) : 0;
        for (int64_t j = 0; j < k; j++)
            a[i * k + j] *= by;
    }
}

/* L of A = L L^T in the lower half; A is not singular. */
static void cholesky(double *a, int64_t k)
{
    for (int64_t i = 0; i < k; i++)
        for (int64_t j = 0; j <= i; j++) {
            const double sum = a[i * k + j] - wgdn_wide_rows()->dot(a + i * k, a + j * k, j);
            a[i * k + j] = i == j ? sqrt(fmax(sum, 1e-300)) : sum / a[j * k + j];
        }
}

/* `width` columns of B <- L^-1 B */
static void solve_columns(const double *l, double *b, int64_t k, int64_t width)
{
    const wgdn_wide_ops *ops = wgdn_wide_rows();
    for (int64_t i = 0; i < k; i++) {
        for (int64_t r = 0; r < i; r++)
            ops->axpy(b + i * k, -l[i * k + r], b + r * k, width);
        for (int64_t j = 0; j < width; j++)
            b[i * k + j] /= l[i * k + i];
    }
}

/* `width` columns of B <- L^-T B */
static void solve_columns_turned(const double *l, double *b, int64_t k, int64_t width)
{
    const wgdn_wide_ops *ops = wgdn_wide_rows();
    for (int64_t i = k - 1; i >= 0; i--) {
        for (int64_t j = 0; j < width; j++)
            b[i * k + j] /= l[i * k + i];
        for (int64_t r = 0; r < i; r++)
            ops->axpy(b + r * k, -l[i * k + r], b + i * k, width);
    }
}

static void solve(const double *l, double *b, int64_t k, bool turned)
{
#pragma omp parallel for schedule(dynamic) if (!wgdn_forked())
    for (int64_t first = 0; first < k; first += COLUMNS) {
        const int64_t width = wgdn_min(COLUMNS, k - first);
        if (turned)
            solve_columns_turned(l, b + first, k, width);
        else
            solve_columns(l, b + first, k, width);
    }
}

/* Numbers of `value`, so that what lies behind begins on a line. */
static int64_t padded(int64_t k)
{
    return (k + 7) / 8 * 8;
}

size_t wgdn_shared_work(int64_t k)
{
    return (size_t)(5 * k * k + padded(k)) * sizeof(double) + wgdn_symmetric_work(k);
}

void wgdn_shared_map(double *m, const double *c, const double *n, int64_t k, void *work)
{
    const size_t square = (size_t)(k * k);
    double *l = work, *t = l + square, *value = t + 4 * square, mean = 0;
    void *rest = value + padded(k);
    memcpy(l, c, square * sizeof *l);
    for (int64_t i = 0; i < k; i++)
        mean += c[i * k + i] / (double)k;
    for (int64_t i = 0; i < k; i++)
        l[i * k + i] += ridge * mean + 1e-300;
    cholesky(l, k);
    memcpy(t, n, square * sizeof *t); /* A = L^-1 N L^-T */
    solve(l, t, k, false);
    turn(t, k);
    solve(l, t, k, false);
    make_symmetric(t, k);
    wgdn_symmetric_eigen(value, t, k, rest); /* rows of T */
    double *both = t + square, *lower = t + 2 * square;
    memcpy(lower, l, square * sizeof *lower);
    for (int64_t i = 0; i < k; i++) {
        value[i] = value[i] < 1 ? value[i] : 1;
        memset(lower + i * k + i + 1, 0, (size_t)(k - i - 1) * sizeof *lower);
    }
    turn(lower, k);
    times(both, t, lower, k); /* T L^T, shrunk */
    scale_rows(both, value, power, k);
    turn(t, k);
    times(m, t, both, k);
    solve(l, m, k, true); /* M = L^-T T^T r^q T L^T */
}

/* The column of a basis with the sign that makes the sum of its cubes >= 0. */
static void fix_sign(float *basis, int64_t j, int64_t k, int64_t ld)
{
    double sum = 0;
    for (int64_t i = 0; i < k; i++)
        sum += pow(basis[i * ld + j], 3);
    for (int64_t i = 0; sum < 0 && i < k; i++)
        basis[i * ld + j] = -basis[i * ld + j];
}

int64_t wgdn_shared_axes(float *basis, int64_t ld, int64_t dim, const double *m, const double *c,
                         int64_t k, double length, void *work)
{
    const size_t square = (size_t)(k * k);
    double *t = work, *g = t + square, *value = g + 4 * square, sum = 0;
    void *rest = value + padded(k);
    memcpy(t, m, square * sizeof *t);
    turn(t, k);
    double *half = g + square;
    times(half, t, c, k); /* G = M^T C M */
    times(g, half, m, k);
    make_symmetric(g, k);
    wgdn_symmetric_eigen(value, g, k, rest);
    for (int64_t j = 0; j < dim; j++)
        sum += fmax(value[j], 0);
    const double by = sum > 0 ? length / sqrt(sum) : 0;
    turn(g, k);
    times(half, m, g, k); /* columns in the order of their values */
    for (int64_t j = 0; j < dim; j++) {
        for (int64_t i = 0; i < k; i++)
            basis[i * ld + j] = (float)(by * half[i * k + j]);
        fix_sign(basis, j, k, ld);
    }
    while (dim > 0 && !(value[dim - 1] > WGDN_FIT_RANK * WGDN_FIT_RANK * value[0]))
        dim--;
    return dim;
}
