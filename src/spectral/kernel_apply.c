/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels as polynomials in L: their coefficients, and their product with a matrix. */
#include "spectral.h"

#include <string.h>

wgdn_status wgdn_matrix_check(int64_t n, int64_t width, const char *task, wgdn_error *err)
{
    size_t entries;
    if (width < 1)
        return wgdn_fail(err, WGDN_EINVAL, "%s: width %lld; it must be at least 1", task,
                         (long long)width);
    if (!wgdn_size_mul(&entries, (size_t)n, (size_t)width) || entries > SIZE_MAX / 32)
        return wgdn_fail(err, WGDN_ERANGE, "%s: a %lld x %lld matrix", task, (long long)n,
                         (long long)width);
    return WGDN_OK;
}

/* A polynomial kernel of low enough degree needs no fit. */
static bool exact_powers(double *c, const wgdn_kernel *k, int order)
{
    if (!k->form->polynomial || k->count > order + 1) return false;
    memset(c, 0, (size_t)(order + 1) * sizeof *c);
    memcpy(c, k->value, (size_t)k->count * sizeof *c);
    return true;
}

wgdn_status wgdn_kernel_coefficients(double *c, const wgdn_kernel *k, int order, wgdn_fit_mode fit,
                                     wgdn_error *err)
{
    double a[WGDN_ORDER_MAX + 1];
    if (!c || !k || order < 0 || order > WGDN_POWERS_MAX)
        return wgdn_fail(err, WGDN_EINVAL, "kernel coefficients: order %d; it must be 0 .. %d",
                         order, WGDN_POWERS_MAX);
    if (exact_powers(c, k, order)) return WGDN_OK;
    const wgdn_status st = wgdn_fit_any(a, order, fit, wgdn_kernel_response, k, err);
    if (!st) wgdn_series_to_powers(c, a, order);
    return st;
}

static wgdn_status kernel_series(double *a, const wgdn_kernel *k, int order, wgdn_fit_mode fit,
                                 wgdn_error *err)
{
    double c[WGDN_ORDER_MAX + 1];
    if (!exact_powers(c, k, order))
        return wgdn_fit_any(a, order, fit, wgdn_kernel_response, k, err);
    wgdn_series_from_powers(a, c, order);
    return WGDN_OK;
}

wgdn_status wgdn_kernel_apply(float *y, const wgdn_kernel *k, const wgdn_graph *g, const float *x,
                              int64_t width, const wgdn_apply_options *o, wgdn_error *err)
{
    double series[WGDN_ORDER_MAX + 1];
    wgdn_apply_options opt;
    wgdn_status st = wgdn_apply_options_read(&opt, o, err);
    if (st) return st;
    if (!y || !g || !k || !x || y == x)
        return wgdn_fail(err, WGDN_EINVAL,
                         "apply: graph, kernel, x and y are needed, and y must not alias x");
    st = wgdn_matrix_check(wgdn_graph_nodes(g), width, "apply", err);
    if (!st) st = kernel_series(series, k, opt.order, opt.fit, err);
    if (st) return st;
    const wgdn_poly p = {.graph = g, .d = width, .channels = 1, .order = opt.order, .a = {series}};
    return wgdn_series_apply(y, &p, x, opt.threads, "apply", err);
}
