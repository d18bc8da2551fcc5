/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From the columns of X to its principal axes:                                         [WGDN:pca]
 *
 *     C = X^T X / (n - 1) = R diag(variance) R^T,   X becomes X R
 *
 * Maps need them because orthogonal iteration finds the span of the leading components long before
 * it tells them apart. Linear machines find on X R what they would have found on X, but much
 * sooner: entries of an embedding go together, so that conjugate gradients take hundreds of steps
 * in its own basis; in this one 1 + 2 C X^T X is diagonal but for the rows beyond the margin, and
 * the diagonal is what LIBLINEAR divides by.
 */
#include "eval.h"
#include "linalg/wide_rows.h"

#include <math.h>
#include <string.h>

enum { SWEEPS = 30 };

typedef struct turning {
    float *out;
    const float *x;
    int64_t n, r;
    double *square, *basis; /* r x r; an axis in each row of the basis */
} turning;

static void row_of_square(int64_t p, void *context)
{
    const turning *t = context;
    double *row = t->square + p * t->r;
    memset(row, 0, (size_t)t->r * sizeof *row);
    for (int64_t i = 0; i < t->n; i++)
        wgdn_wide_rows()->accumulate(row, t->x[i * t->r + p], t->x + i * t->r, t->r);
}

/* Rotate rows and columns p and q of C so that C_pq = 0, and rows p and q of R along. */
static void rotate(double *c, double *basis, int64_t r, int64_t p, int64_t q)
{
    const double ratio = (c[q * r + q] - c[p * r + p]) / (2 * c[p * r + q]);
    const double tangent = copysign(1, ratio) / (fabs(ratio) + sqrt(ratio * ratio + 1));
    const double a = 1 / sqrt(tangent * tangent + 1), b = tangent * a;
    for (int64_t k = 0; k < r; k++) {
        const double x = c[k * r + p], y = c[k * r + q];
        c[k * r + p] = a * x - b * y;
        c[k * r + q] = b * x + a * y;
    }
    for (int64_t k = 0; k < r; k++) {
        const double x = c[p * r + k], y = c[q * r + k];
        const double u = basis[p * r + k], v = basis[q * r + k];
        c[p * r + k] = a * x - b * y;
        c[q * r + k] = b * x + a * y;
        basis[p * r + k] = a * u - b * v;
        basis[q * r + k] = b * u + a * v;
    }
}

/* Jacobi's method. */
static void diagonalise(double *c, double *basis, int64_t r)
{
    for (int64_t k = 0; k < r * r; k++)
        basis[k] = k % (r + 1) == 0;
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        bool still = true;
        for (int64_t p = 0; p < r; p++)
            for (int64_t q = p + 1; q < r; q++) {
                const double small = 1e-15 * sqrt(fabs(c[p * r + p] * c[q * r + q]));
                if (fabs(c[p * r + q]) <= small) continue;
                rotate(c, basis, r, p, q);
                still = false;
            }
        if (still) return;
    }
}

static void exchange(double *a, double *b)
{
    const double kept = *a;
    *a = *b;
    *b = kept;
}

static void sort(double *variance, double *basis, int64_t r)
{
    for (int64_t i = 0; i < r; i++) {
        int64_t best = i;
        for (int64_t j = i + 1; j < r; j++)
            if (variance[j] > variance[best]) best = j;
        exchange(&variance[i], &variance[best]);
        for (int64_t k = 0; k < r; k++)
            exchange(&basis[i * r + k], &basis[best * r + k]);
    }
}

static void turn_row(int64_t i, void *context)
{
    const turning *t = context;
    const float *x = t->x + i * t->r;
    for (int64_t k = 0; k < t->r; k++) {
        const double *axis = t->basis + k * t->r;
        double sum = 0;
        for (int64_t j = 0; j < t->r; j++)
            sum += axis[j] * x[j];
        t->out[i * t->r + k] = (float)sum;
    }
}

wgdn_status wgdn_principal_axes(float *out, double *variance, const float *x, int64_t n, int64_t r,
                                wgdn_error *err)
{
    const size_t size = (size_t)r * (size_t)r;
    turning t = {.out = out, .x = x, .n = n, .r = r};
    t.square = wgdn_alloc(size, sizeof *t.square);
    t.basis = wgdn_alloc(size, sizeof *t.basis);
    const bool good = t.square && t.basis;
    if (good) {
        wgdn_for_each(r, row_of_square, &t);
        diagonalise(t.square, t.basis, r);
        for (int64_t k = 0; variance && k < r; k++)
            variance[k] = fmax(t.square[k * (r + 1)], 0) / (double)(n > 1 ? n - 1 : 1);
        if (variance) sort(variance, t.basis, r);
        wgdn_for_each(n, turn_row, &t);
    }
    wgdn_release(t.basis);
    wgdn_release(t.square);
    return good ? WGDN_OK
                : wgdn_fail(err, WGDN_ENOMEM, "axes of %lld x %lld", (long long)n, (long long)r);
}
