/* SPDX-License-Identifier: Apache-2.0 */
/* Dense operators of a small graph, and the polynomial filter. */
#include "reference/reference.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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
