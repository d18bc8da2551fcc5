/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The one-step fit: K + 2 Chebyshev nodes, one linear system                     [WGDN:one-step]
 *
 *     p(x_i) + (-1)^i e = f(x_i),   x_i = 1 + t_i,   t_i = -cos((2i + 1) pi / (2N)),   N = K + 2.
 *
 * On these nodes T_0 .. T_(N-1) are orthogonal, so the solve is written down rather than factored:
 * with f^_m = (2 - [m = 0]) / N sum_i f(x_i) T_m(t_i) the coefficients of f on the nodes, and s^_m
 * those of (-1)^i, the coefficient m = K + 1 must be left to e alone:
 *
 *     e = f^_(K+1) / s^_(K+1),     a_m = f^_m - e s^_m,   m = 0 .. K.
 *
 * That is a constant matrix times f(x_0 .. x_(K+1)), well conditioned at every order.
 */
#include "spectral.h"

#include <math.h>

static const double pi = 3.14159265358979323846;

/* (2 - [m = 0]) / N T_m(t_i), by its angle: T_m(-cos(u)) = (-1)^m cos(m u). */
static double basis(int m, int i, int n)
{
    /* The angle m (2i + 1) pi / 2N is reduced in integers first: whole turns are 4N. */
    const int64_t angle = (int64_t)m * (2 * i + 1) % (4 * (int64_t)n);
    const double value = cos((double)angle * pi / (2.0 * n));
    return (m == 0 ? 1.0 : 2.0) / n * (m % 2 ? -value : value);
}

static void fill(wgdn_fit *f)
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

wgdn_status wgdn_fit_new(wgdn_fit **out, int order, wgdn_error *err)
{
    if (order < 0 || order > WGDN_ORDER_MAX)
        return wgdn_fail(err, WGDN_EINVAL, "polynomial fit: order %d is not within 0 .. %d", order,
                         WGDN_ORDER_MAX);
    const size_t n = (size_t)order + 2;
    wgdn_fit *f = wgdn_alloc_zero(1, sizeof *f);
    if (f) {
        f->order = order;
        f->node = wgdn_alloc(n, sizeof *f->node);
        f->matrix = wgdn_alloc((n - 1) * n, sizeof *f->matrix);
    }
    if (!f || !f->node || !f->matrix) {
        wgdn_fit_free(f);
        return wgdn_fail(err, WGDN_ENOMEM, "polynomial fit of order %d", order);
    }
    fill(f);
    *out = f;
    return WGDN_OK;
}

void wgdn_fit_free(wgdn_fit *f)
{
    if (!f) return;
    wgdn_release(f->matrix);
    wgdn_release(f->node);
    wgdn_release(f);
}

void wgdn_fit_series(double *a, const wgdn_fit *f, const double *values)
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

wgdn_status wgdn_fit_response(double *a, const wgdn_fit *f, wgdn_response response,
                              const void *what, wgdn_error *err)
{
    double values[WGDN_ORDER_MAX + 2];
    for (int i = 0; i < f->order + 2; i++) {
        values[i] = response(f->node[i], what);
        if (!isfinite(values[i]))
            return wgdn_fail(err, WGDN_EINVAL, "polynomial fit: the response at lambda = %g is %g",
                             f->node[i], values[i]);
    }
    wgdn_fit_series(a, f, values);
    return WGDN_OK;
}

wgdn_status wgdn_fit_any(double *a, int order, wgdn_fit_mode mode, wgdn_response response,
                         const void *what, wgdn_error *err)
{
    wgdn_fit *f = NULL;
    if (mode == WGDN_FIT_REMEZ) return wgdn_remez(a, NULL, order, response, what, err);
    wgdn_status st = wgdn_fit_new(&f, order, err);
    if (!f) return st;
    st = wgdn_fit_response(a, f, response, what, err);
    wgdn_fit_free(f);
    return st;
}
