/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Approximates a spectral response by a polynomial of the Laplacian, and converts between
 * Chebyshev series and powers. Kernels and Wiener filters get their coefficients here; remez.c
 * improves them on request.
 */
#include "spectral.h"

#include <float.h>
#include <math.h>
#include <string.h>

/*
 * The one-step fit: K + 2 Chebyshev nodes, one linear system                        [WGDN:one-step]
 *
 *     p(x_i) + (-1)^i e = f(x_i),   x_i = 1 + t_i,   t_i = -cos((2i + 1) pi / (2N)),   N = K + 2.
 *
 * On these nodes T_0 .. T_(N-1) are orthogonal, so the solution is explicit and needs no
 * factorization. Let f^_m = (2 - [m = 0]) / N sum_i f(x_i) T_m(t_i) be the coefficients of f on the
 * nodes, and s^_m those of (-1)^i. The coefficient m = K + 1 must come from e alone:
 *
 *     e = f^_(K+1) / s^_(K+1),     a_m = f^_m - e s^_m,   m = 0 .. K.
 *
 * This is a constant matrix times f(x_0 .. x_(K+1)), well conditioned at every order.
 */

static const double pi = 3.14159265358979323846;

/* (2 - [m = 0]) / N T_m(t_i), by its angle: T_m(-cos(u)) = (-1)^m cos(m u). */
static double basis(int m, int i, int n)
{
    /* The angle m (2i + 1) pi / 2N is reduced in integers first: whole turns are 4N. */
    const int64_t angle = (int64_t)m * (2 * i + 1) % (4 * (int64_t)n);
    const double value = cos((double)angle * pi / (2.0 * n));
    return (m == 0 ? 1.0 : 2.0) / n * (m % 2 ? -value : value);
}

static void fill(wgdn_approximator *f)
{
    const int n = f->order + 2, last = n - 1;
    double share[WGDN_ORDER_MAX + 2]; /* s^_m */

    /* 1 - cos u = 2 sin^2(u / 2) does not cancel; the middle node is 1 to the bit,
     * where gcn is 0. */
    for (int i = 0; i < n; i++)
        f->node[i] = 2 * i + 1 == n ? 1 : 2 * pow(sin((2 * i + 1) * pi / (4.0 * n)), 2);
    for (int m = 0; m < n; m++) {
        share[m] = 0;
        for (int i = 0; i < n; i++)
            share[m] += i % 2 ? -basis(m, i, n) : basis(m, i, n);
    }
    for (int m = 0; m < last; m++)
        for (int i = 0; i < n; i++)
            f->matrix[m * n + i] = basis(m, i, n) - share[m] / share[last] * basis(last, i, n);
}

wgdn_status wgdn_approximator_new(wgdn_approximator **out, int order, wgdn_error *err)
{
    if (order < 0 || order > WGDN_ORDER_MAX)
        return wgdn_fail(err, WGDN_EINVAL, "polynomial fit: order %d is not within 0 .. %d", order,
                         WGDN_ORDER_MAX);
    const size_t n = (size_t)order + 2;
    wgdn_approximator *f = wgdn_alloc_zero(1, sizeof *f);
    if (f) {
        f->order = order;
        f->node = wgdn_alloc(n, sizeof *f->node);
        f->matrix = wgdn_alloc((n - 1) * n, sizeof *f->matrix);
    }
    if (!f || !f->node || !f->matrix) {
        wgdn_approximator_free(f);
        return wgdn_fail(err, WGDN_ENOMEM, "polynomial fit of order %d", order);
    }
    fill(f);
    *out = f;
    return WGDN_OK;
}

void wgdn_approximator_free(wgdn_approximator *f)
{
    if (!f) return;
    wgdn_release(f->matrix);
    wgdn_release(f->node);
    wgdn_release(f);
}

/* a = matrix * values, values being the response at the nodes. */
static void fit_series(double *a, const wgdn_approximator *f, const double *values)
{
    const int n = f->order + 2;
    for (int m = 0; m < n - 1; m++) {
        const double *row = f->matrix + (ptrdiff_t)m * n;
        double sum = 0;
        for (int i = 0; i < n; i++)
            sum += row[i] * values[i];
        a[m] = sum;
    }
}

wgdn_status wgdn_approximate_response(double *a, const wgdn_approximator *f, wgdn_response response,
                                      const void *what, wgdn_error *err)
{
    double values[WGDN_ORDER_MAX + 2];
    for (int i = 0; i < f->order + 2; i++) {
        values[i] = response(f->node[i], what);
        if (!isfinite(values[i]))
            return wgdn_fail(err, WGDN_EINVAL, "polynomial fit: the response at lambda = %g is %g",
                             f->node[i], values[i]);
    }
    fit_series(a, f, values);
    return WGDN_OK;
}

wgdn_status wgdn_approximate_any(double *a, int order, wgdn_approximation mode,
                                 wgdn_response response, const void *what, wgdn_error *err)
{
    wgdn_approximator *f = NULL;
    if (mode == WGDN_APPROXIMATION_REMEZ) return wgdn_remez(a, NULL, order, response, what, err);
    wgdn_status st = wgdn_approximator_new(&f, order, err);
    if (!f) return st;
    st = wgdn_approximate_response(a, f, response, what, err);
    wgdn_approximator_free(f);
    return st;
}

/*
 * Converts between Chebyshev series on [0, 2], p(lambda) = sum_k a_k T_k(lambda - 1), and powers of
 * lambda.                                                                             [WGDN:series]
 *
 * Published filters are written in powers, which is the weaker form: T_k(lambda-1) has coefficients
 * up to about 5.8^k / 4, which alternate. Unless the a_k decrease faster than that, the powers c_k
 * are huge and cancel, and an evaluation loses log10(sum_k |c_k| 2^k / |p|) digits with any
 * conversion. Smooth responses (heat, ppr at moderate penalties) decrease fast enough; gcn at a
 * small penalty does not.
 */

/* Clenshaw:  b_k = a_k + 2 t b_(k+1) - b_(k+2),  p = a_0 + t b_1 - b_2,  t = lambda - 1. */
double wgdn_series_value(const double *a, int order, double lambda)
{
    const double t = lambda - 1;
    double b1 = 0, b2 = 0;
    for (int k = order; k > 0; k--) {
        const double b = a[k] + 2 * t * b1 - b2;
        b2 = b1;
        b1 = b;
    }
    return a[0] + t * b1 - b2;
}

/* The order without the last coefficients that are rounding: they would be blown up 5.8^k times. */
static int true_order(const double *a, int order)
{
    double most = 0;
    for (int k = 0; k <= order; k++)
        if (fabs(a[k]) > most) most = fabs(a[k]);
    while (order > 0 && fabs(a[order]) <= 2 * DBL_EPSILON * most)
        order--;
    return order;
}

/*
 * Clenshaw again, with polynomials in lambda for the b_k: 2 t b = 2 lambda b - 2 b. In long double,
 * which is wider than double on some machines and never narrower.
 */
void wgdn_series_to_powers(double *c, const double *a, int order)
{
    long double b1[WGDN_ORDER_MAX + 2] = {0}, b2[WGDN_ORDER_MAX + 2] = {0};
    const int last = true_order(a, order);
    for (int k = last; k >= 0; k--) {
        const long double factor = k > 0 ? 2 : 1; /* the last step has t b_1, not 2 t b_1 */
        for (int j = last - k; j >= 0; j--) {
            const long double shifted = (j > 0 ? b1[j - 1] : 0) - b1[j];
            const long double b = (j == 0 ? (long double)a[k] : 0) + factor * shifted - b2[j];
            b2[j] = b; /* b_(k+2) is not needed again; swapped with b_(k+1) below */
        }
        for (int j = 0; j <= last; j++) {
            const long double swap = b1[j];
            b1[j] = b2[j];
            b2[j] = swap;
        }
    }
    for (int j = 0; j <= order; j++)
        c[j] = j <= last ? (double)b1[j] : 0;
}

/* Horner in the Chebyshev basis: lambda T_k = T_k + (T_(k+1) + T_|k-1|) / 2. */
void wgdn_series_from_powers(double *a, const double *c, int order)
{
    memset(a, 0, (size_t)(order + 1) * sizeof *a);
    for (int m = order; m >= 0; m--) {
        double next[WGDN_ORDER_MAX + 1] = {0};
        for (int k = 0; k <= order - m - 1; k++) {
            next[k] += a[k];
            next[k + 1] += k == 0 ? a[k] : a[k] / 2;
            if (k > 0) next[k - 1] += a[k] / 2;
        }
        next[0] += c[m];
        memcpy(a, next, (size_t)(order + 1) * sizeof *a);
    }
}

/*
 * Applies polynomial filters with their own scratch memory: a series, and the public call with
 * powers of L.
 */

wgdn_status wgdn_series_apply(float *y, const wgdn_poly *p, const float *x, int threads,
                              const char *task, wgdn_error *err)
{
    const int64_t n = wgdn_graph_nodes(p->graph);
    const int former = wgdn_threads_use(threads); /* first: scratch is per thread */
    wgdn_poly poly = *p;
    poly.work = wgdn_alloc(wgdn_poly_work(n, p->d, p->order), sizeof *poly.work);
    if (poly.work) wgdn_poly_filter(&y, &poly, x, NULL, false);
    wgdn_threads_use(former);
    if (!poly.work)
        return wgdn_fail(err, WGDN_ENOMEM, "%s: buffers of %lld x %lld", task, (long long)n,
                         (long long)p->d);
    wgdn_release(poly.work);
    return WGDN_OK;
}

wgdn_status wgdn_graph_filter(float *y, const wgdn_graph *g, const float *x, int64_t width,
                              const double *c, int order, const wgdn_compute_options *o,
                              wgdn_error *err)
{
    double series[WGDN_ORDER_MAX + 1];
    wgdn_compute_options opt;
    wgdn_status st = wgdn_options_read(&opt, o, WGDN_OPTIONS_KIND_COMPUTE, err);
    if (st) return st;
    if (!y || !g || !x || !c || y == x)
        return wgdn_fail(err, WGDN_EINVAL,
                         "filter: graph, x, y and c are needed, and y must not alias x");
    if (order < 0 || order > WGDN_ORDER_MAX)
        return wgdn_fail(err, WGDN_EINVAL, "filter: order %d; it may be 0 .. %d", order,
                         WGDN_ORDER_MAX);
    st = wgdn_matrix_check(wgdn_graph_nodes(g), width, "filter", err);
    if (st) return st;
    wgdn_series_from_powers(series, c, order);
    const wgdn_poly p = {.graph = g, .d = width, .channels = 1, .order = order, .a = {series}};
    return wgdn_series_apply(y, &p, x, opt.threads, "filter", err);
}
