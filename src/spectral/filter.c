/* SPDX-License-Identifier: Apache-2.0 */
/* Polynomial filters with their own scratch: a series, and the public call with powers of L. */
#include "spectral.h"

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
    wgdn_status st = wgdn_compute_options_read(&opt, o, err);
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
