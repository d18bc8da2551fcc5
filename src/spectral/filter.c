/* SPDX-License-Identifier: Apache-2.0 */
/* Polynomial filters with their own scratch: a series, and the public call with powers of L. */
#include "spectral.h"

wgdn_status wgdn_series_apply(float *y, const wgdn_graph *g, const float *x, int64_t width,
                              const double *series, int order, int threads, const char *task,
                              wgdn_error *err)
{
    const int64_t n = wgdn_graph_nodes(g);
    const int former = wgdn_threads_use(threads); /* first: scratch is per thread */
    float *work = wgdn_alloc(wgdn_poly_work(n, width, order), sizeof *work);
    if (work) wgdn_poly_filter(&y, 1, false, g, x, NULL, width, &series, order, work);
    wgdn_threads_use(former);
    if (!work)
        return wgdn_fail(err, WGDN_ENOMEM, "%s: buffers of %lld x %lld", task, (long long)n,
                         (long long)width);
    wgdn_release(work);
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
        return wgdn_fail(err, WGDN_EINVAL, "filter: graph, x, y and c are needed, y apart from x");
    if (order < 0 || order > WGDN_ORDER_MAX)
        return wgdn_fail(err, WGDN_EINVAL, "filter: order %d; it may be 0 .. %d", order,
                         WGDN_ORDER_MAX);
    st = wgdn_matrix_check(wgdn_graph_nodes(g), width, "filter", err);
    if (st) return st;
    wgdn_series_from_powers(series, c, order);
    return wgdn_series_apply(y, g, x, width, series, order, opt.threads, "filter", err);
}
