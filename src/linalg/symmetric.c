/* SPDX-License-Identifier: Apache-2.0 */
/*
 * All eigenvectors of a small symmetric matrix, in double, one thread.                  [WGDN:symmetric]
 *
 *     A = Q T Q^T     T tridiagonal, by n - 2 reflections
 *     T = W diag(w) W^T     by implicit QL steps with Wilkinson's shift
 *
 * Everything runs along rows: vectors are kept as rows of the matrix, and a rotation of two of them
 * is one pass over both.
 */
#include "linalg.h"
#include "wide_rows.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { SWEEPS = 60 }; /* of one eigenvalue; three are usual */

static const double below = 1e-20; /* of the largest entry: rounding */

size_t wgdn_symmetric_work(int64_t n)
{
    return (size_t)(n * n + 3 * n) * sizeof(double);
}

/*
 * x becomes v with (I - v v^T) x = (0, ..., 0, alpha), |v|^2 = 2: its last entry is the one that
 * stays. Returns alpha; v = 0 where x has that form already, but for what is below rounding: its
 * square might be too small for a number.
 */
static double reflector(double *x, int64_t n, double tiny)
{
    const double rest = wgdn_wide_rows()->dot(x, x, n - 1), last = x[n - 1];
    if (rest <= tiny * tiny) {
        memset(x, 0, (size_t)n * sizeof *x);
        return last;
    }
    const double norm = sqrt(rest + last * last), alpha = last > 0 ? -norm : norm;
    x[n - 1] = last - alpha;
    const double scale = sqrt(2 / (rest + x[n - 1] * x[n - 1]));
    for (int64_t j = 0; j < n; j++)
        x[j] *= scale;
    return alpha;
}

/*
 * Rows of A from the last one up: reflect row i to its place next to the diagonal. The vector of
 * each reflection is left in its row. A <- (I - v v^T) A (I - v v^T) = A - v p^T - p v^T with
 * p = A v - (v^T A v / 2) v, for the leading part of A, both halves of which are kept.
 */
static void tridiagonalise(double *a, double *diagonal, double *beside, double *p, int64_t n)
{
    const wgdn_wide_ops *ops = wgdn_wide_rows();
    double largest = 0;
    for (int64_t i = 0; i < n * n; i++)
        largest = fmax(largest, fabs(a[i]));
    for (int64_t i = n - 1; i >= 1; i--) {
        double *v = a + i * n;
        diagonal[i] = v[i];
        beside[i] = reflector(v, i, below * largest);
        for (int64_t k = 0; k < i; k++)
            p[k] = ops->dot(a + k * n, v, i);
        ops->axpy(p, -ops->dot(p, v, i) / 2, v, i);
        for (int64_t k = 0; k < i; k++) {
            ops->axpy(a + k * n, -v[k], p, i);
            ops->axpy(a + k * n, -p[k], v, i);
        }
    }
    diagonal[0] = a[0];
    beside[0] = 0;
}

/* Z = Q^T, its rows to become eigenvectors: Q = H_(n-1) ... H_1, so its transpose starts at H_1. */
static void accumulate(double *z, const double *a, int64_t n)
{
    const wgdn_wide_ops *ops = wgdn_wide_rows();
    memset(z, 0, (size_t)(n * n) * sizeof *z);
    for (int64_t i = 0; i < n; i++)
        z[i * n + i] = 1;
    for (int64_t i = 1; i < n; i++) {
        const double *v = a + i * n;
        for (int64_t k = 0; k < i; k++) {
            double *row = z + k * n;
            ops->axpy(row, -ops->dot(row, v, i), v, i);
        }
    }
}

/* One QL step on the part [l, m] of T, and the same rotations on the rows of Z. */
static void ql_step(double *d, double *e, double *z, int64_t l, int64_t m, int64_t n)
{
    double g = (d[l + 1] - d[l]) / (2 * e[l]), r = hypot(g, 1), s = 1, c = 1, p = 0;
    g = d[m] - d[l] + e[l] / (g + copysign(r, g));
    for (int64_t i = m - 1; i >= l; i--) {
        const double f = s * e[i], b = c * e[i];
        r = hypot(f, g);
        e[i + 1] = r;
        if (r == 0) { /* the matrix falls apart here */
            d[i + 1] -= p;
            e[m] = 0;
            return;
        }
        s = f / r;
        c = g / r;
        g = d[i + 1] - p;
        r = (d[i] - g) * s + 2 * c * b;
        p = s * r;
        d[i + 1] = g + p;
        g = c * r - b;
        wgdn_wide_rows()->rotate(z + i * n, z + (i + 1) * n, c, s, n);
    }
    d[l] -= p;
    e[l] = g;
    e[m] = 0;
}

/* Where the part that begins at l ends: at an entry beside the diagonal that is as good as 0. */
static int64_t end_of_part(const double *d, const double *e, int64_t l, int64_t n)
{
    int64_t m = l;
    while (m < n - 1 && fabs(e[m]) > DBL_EPSILON * (fabs(d[m]) + fabs(d[m + 1])))
        m++;
    return m;
}

static void diagonalise(double *d, double *e, double *z, int64_t n)
{
    for (int64_t l = 0; l < n; l++)
        for (int sweep = 0; sweep < SWEEPS; sweep++) {
            const int64_t m = end_of_part(d, e, l, n);
            if (m == l) break;
            ql_step(d, e, z, l, m, n);
        }
}

/* Eigenvalues in descending order, and their vectors in the rows of `vector`. */
static void sort(double *value, double *vector, const double *d, const double *z, int64_t n)
{
    for (int64_t k = 0; k < n; k++) {
        int64_t rank = 0;
        for (int64_t j = 0; j < n; j++)
            rank += d[j] > d[k] || (d[j] == d[k] && j < k);
        value[rank] = d[k];
        memcpy(vector + rank * n, z + k * n, (size_t)n * sizeof *z);
    }
}

void wgdn_symmetric_eigen(double *value, double *a, int64_t n, void *work)
{
    double *z = work, *d = z + n * n, *e = d + n, *p = e + n;
    tridiagonalise(a, d, e, p, n);
    accumulate(z, a, n);
    memmove(e, e + 1, (size_t)(n - 1) * sizeof *e); /* e[i] lies between i and i + 1 from here on */
    e[n - 1] = 0;
    diagonalise(d, e, z, n);
    sort(value, a, d, z, n);
}
