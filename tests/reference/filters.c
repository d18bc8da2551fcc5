/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels, their responses, and the polynomial through Chebyshev nodes. */
#include "reference/reference.h"

#include <math.h>

enum { ROWS = REF_ORDER + 2 };

/* gcn 1 - x;  heat exp(-t x);  ppr alpha / (1 - (1 - alpha)(1 - x)) */
double ref_kernel_value(ref_kernel kernel, double parameter, double x)
{
    switch (kernel) {
    case REF_GCN: return 1 - x;
    case REF_HEAT: return exp(-parameter * x);
    case REF_PPR: return parameter / (1 - (1 - parameter) * (1 - x));
    }
    return NAN;
}

/*
 * The Wiener response of g = 0 is 0 for every penalty > 0; that is also its value for penalty 0,
 * where the formula has 0 / 0.
 */
static double response(double g, ref_response f, double penalty)
{
    switch (f) {
    case REF_FORWARD: return g;
    case REF_WIENER: return g == 0 ? 0 : g / (g * g + penalty);
    case REF_INVERSE: return 1 / g;
    }
    return NAN;
}

/* x_i = 1 + cos((2i + 1) pi / (2 (K + 2))), i = K + 1 .. 0; the middle one is 1, not nearly 1. */
void ref_nodes(double *x, int order)
{
    const int count = order + 2;
    const double pi = acos(-1);
    for (int k = 0; k < count; k++) {
        const int i = count - 1 - k;
        x[k] = 2 * i + 1 == count ? 1 : 1 + cos((2 * i + 1) * pi / (2 * count));
    }
}

static void swap_rows(long double a[ROWS][ROWS + 1], int i, int j, int n)
{
    for (int k = 0; k <= n; k++) {
        const long double t = a[i][k];
        a[i][k] = a[j][k];
        a[j][k] = t;
    }
}

/* Gaussian elimination with row pivoting; the right-hand side is column n
 * and becomes the answer. */
static void solve(long double a[ROWS][ROWS + 1], int n)
{
    for (int k = 0; k < n; k++) {
        int pivot = k;
        for (int i = k + 1; i < n; i++)
            if (fabsl(a[i][k]) > fabsl(a[pivot][k])) pivot = i;
        swap_rows(a, k, pivot, n);
        for (int i = k + 1; i < n; i++) {
            const long double factor = a[i][k] / a[k][k];
            for (int j = k; j <= n; j++)
                a[i][j] -= factor * a[k][j];
        }
    }
    for (int k = n - 1; k >= 0; k--) {
        for (int j = k + 1; j < n; j++)
            a[k][n] -= a[k][j] * a[j][n];
        a[k][n] /= a[k][k];
    }
}

/*
 * sum_{m<=K} c_m x_i^m + (-1)^i e = f(x_i),  i = 0 .. K + 1,  nodes ascending.
 *
 * long double, because powers of order 9 leave a matrix with a condition near 1e7.
 */
bool ref_coefficients(double *c, int order, ref_kernel kernel, double parameter, ref_response f,
                      double penalty)
{
    const int count = order + 2;
    double x[ROWS];
    long double a[ROWS][ROWS + 1];
    ref_nodes(x, order);
    for (int i = 0; i < count; i++) {
        const double value = response(ref_kernel_value(kernel, parameter, x[i]), f, penalty);
        long double power = 1;
        if (!isfinite(value)) return false;
        for (int m = 0; m <= order; m++, power *= x[i])
            a[i][m] = power;
        a[i][count - 1] = i % 2 ? -1 : 1;
        a[i][count] = value;
    }
    solve(a, count);
    for (int m = 0; m <= order; m++)
        c[m] = (double)a[m][count];
    return true;
}
