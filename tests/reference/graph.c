/* SPDX-License-Identifier: Apache-2.0 */
/* Dense operators of a small graph, kernels, and polynomial filters. */
#include "reference/reference.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- graph ---- */

/* Dense operators of a small graph, and the polynomial filter. */

static double inverse_or_zero(double x)
{
    return x > 0 ? 1 / x : 0;
}

/* L and M of the adjacency that stands in g->average; 1 / 0 := 0, so an isolated node
 * has L_ii = 1. */
static void operators(ref_graph *g, double *degree, ref_average average)
{
    for (int64_t i = 0; i < g->n; i++)
        for (int64_t j = 0; j < g->n; j++)
            degree[i] += g->average[i * g->n + j];
    for (int64_t i = 0; i < g->n; i++)
        for (int64_t j = 0; j < g->n; j++) {
            const double a = g->average[i * g->n + j];
            const double by = degree[average == REF_ROW ? i : j];
            g->laplacian[i * g->n + j] =
                (i == j) - a * inverse_or_zero(sqrt(degree[i] * degree[j]));
            g->average[i * g->n + j] = a * inverse_or_zero(by);
        }
}

static bool room(ref_graph *g, int64_t n)
{
    *g = (ref_graph){.n = n};
    g->laplacian = calloc((size_t)(n * n), sizeof *g->laplacian);
    g->average = calloc((size_t)(n * n), sizeof *g->average);
    if (g->laplacian && g->average) return true;
    ref_graph_free(g);
    return false;
}

static void connect(ref_graph *g, int64_t i, int64_t j, double weight)
{
    if (i == j) return;
    g->average[i * g->n + j] = weight;
    g->average[j * g->n + i] = weight;
}

static bool finish(ref_graph *g, ref_average average)
{
    double *degree = calloc((size_t)g->n, sizeof *degree);
    if (degree) operators(g, degree, average);
    if (!degree) ref_graph_free(g);
    free(degree);
    return g->laplacian != NULL;
}

bool ref_graph_from_edges(ref_graph *g, int64_t n, int64_t m, const int64_t *src,
                          const int64_t *dst, const double *weight, ref_average average)
{
    if (!room(g, n)) return false;
    for (int64_t e = 0; e < m; e++)
        connect(g, src[e], dst[e], weight ? weight[e] : 1);
    return finish(g, average);
}

bool ref_graph_from_rows(ref_graph *g, int64_t n, const int64_t *offset, const int32_t *column,
                         const float *value, ref_average average)
{
    if (!room(g, n)) return false;
    for (int64_t i = 0; i < n; i++)
        for (int64_t e = offset[i]; e < offset[i + 1]; e++)
            connect(g, i, column[e], value ? value[e] : 1);
    return finish(g, average);
}

void ref_graph_free(ref_graph *g)
{
    free(g->laplacian);
    free(g->average);
    *g = (ref_graph){0};
}

/* Y = L X */
static void product(double *Y, const ref_graph *g, const double *X, int d)
{
    memset(Y, 0, (size_t)(g->n * d) * sizeof *Y);
    for (int64_t i = 0; i < g->n; i++)
        for (int64_t k = 0; k < g->n; k++)
            for (int j = 0; j < d; j++)
                Y[i * d + j] += g->laplacian[i * g->n + k] * X[k * d + j];
}

/* L is symmetric: the gradient of a filter is the same filter. */
void ref_filter(double *Y, const ref_graph *g, const double *X, int d, const double *c, int order,
                double *work)
{
    const int64_t size = g->n * d;
    double *power = work, *next = work + size;
    memcpy(power, X, (size_t)size * sizeof *X);
    memset(Y, 0, (size_t)size * sizeof *Y);
    for (int m = 0;; m++) {
        for (int64_t i = 0; i < size; i++)
            Y[i] += c[m] * power[i];
        if (m == order) return;
        product(next, g, power, d);
        memcpy(power, next, (size_t)size * sizeof *next);
    }
}

/* ---- filters ---- */

/* Kernels, their responses, and the polynomial through Chebyshev nodes. */

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
