/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From a subspace to its principal axes: orthogonal iteration finds the span of the leading
 * components long before it tells them apart.                                          [WGDN:pca]
 *
 *     C = T^T T / (n - 1) = R diag(variance) R^T,   T becomes T R
 */
#include "eval.h"

#include <math.h>
#include <string.h>

enum { SWEEPS = 30, MOST = 64 };

typedef struct turned {
    float *t;
    int64_t r;
    const double *basis; /* r x r, a component in each row */
} turned;

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
void wgdn_diagonalise(double *c, double *basis, int64_t r)
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

static void sort(double *variance, double *basis, int64_t r)
{
    double row[MOST];
    for (int64_t i = 0; i < r; i++) {
        int64_t best = i;
        for (int64_t j = i + 1; j < r; j++)
            if (variance[j] > variance[best]) best = j;
        const double v = variance[i];
        variance[i] = variance[best];
        variance[best] = v;
        memcpy(row, basis + i * r, (size_t)r * sizeof *row);
        memcpy(basis + i * r, basis + best * r, (size_t)r * sizeof *row);
        memcpy(basis + best * r, row, (size_t)r * sizeof *row);
    }
}

static void turn(int64_t first, int64_t count, double *sums, void *context)
{
    const turned *u = context;
    double row[MOST];
    (void)sums;
    for (int64_t i = first; i < first + count; i++) {
        float *t = u->t + i * u->r;
        for (int64_t k = 0; k < u->r; k++) {
            row[k] = 0;
            for (int64_t j = 0; j < u->r; j++)
                row[k] += u->basis[k * u->r + j] * t[j];
        }
        for (int64_t k = 0; k < u->r; k++)
            t[k] = (float)row[k];
    }
}

static void products(int64_t first, int64_t count, double *sums, void *context)
{
    const turned *u = context;
    for (int64_t i = first; i < first + count; i++)
        for (int64_t p = 0; p < u->r; p++)
            for (int64_t q = 0; q < u->r; q++)
                sums[p * u->r + q] += (double)u->t[i * u->r + p] * u->t[i * u->r + q];
}

wgdn_status wgdn_principal_axes(float *scores, double *variance, int64_t n, int64_t r,
                                wgdn_error *err)
{
    double *c = wgdn_alloc((size_t)(r * r), sizeof *c);
    double *basis = wgdn_alloc((size_t)(r * r), sizeof *basis);
    void *work = wgdn_alloc(wgdn_for_blocks_work(wgdn_alone(n), r * r), 1);
    turned u = {scores, r, basis};
    wgdn_status st = WGDN_OK;
    if (!c || !basis || !work) {
        st = wgdn_fail(err, WGDN_ENOMEM, "principal axes: %lld x %lld", (long long)n, (long long)r);
        goto done;
    }
    wgdn_for_blocks(wgdn_alone(n), products, &u, c, r * r, work);
    wgdn_diagonalise(c, basis, r);
    for (int64_t k = 0; k < r; k++)
        variance[k] = fmax(c[k * (r + 1)], 0) / (double)(n > 1 ? n - 1 : 1);
    sort(variance, basis, r);
    wgdn_for_blocks(wgdn_alone(n), turn, &u, NULL, 0, NULL);

done:
    wgdn_release(work);
    wgdn_release(basis);
    wgdn_release(c);
    return st;
}
