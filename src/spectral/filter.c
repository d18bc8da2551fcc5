/* SPDX-License-Identifier: Apache-2.0 */
/* The public face of the polynomial filter. */
#include "spectral.h"

wgdn_status wgdn_graph_filter(float *y, const wgdn_graph *g, const float *x, int64_t width,
                              const double *c, int order, const wgdn_compute_options *o,
                              wgdn_error *err)
{
    wgdn_compute_options opt;
    wgdn_status st = wgdn_compute_options_read(&opt, o, err);
    double series[WGDN_ORDER_MOST + 1];
    size_t entries;
    if (st) return st;
    if (!y || !g || !x || !c || y == x)
        return wgdn_fail(err, WGDN_EINVAL, "filter: graph, x, y and c are needed, y apart from x");
    if (width < 1 || order < 0 || order > WGDN_ORDER_MOST)
        return wgdn_fail(err, WGDN_EINVAL, "filter: width %lld, order %d; order is 0 .. %d",
                         (long long)width, order, WGDN_ORDER_MOST);
    const int64_t n = wgdn_graph_nodes(g);
    if (!wgdn_size_mul(&entries, (size_t)n, (size_t)width) || entries > SIZE_MAX / 8)
        return wgdn_fail(err, WGDN_ERANGE, "filter: a %lld x %lld matrix", (long long)n,
                         (long long)width);

    float *work = wgdn_alloc(wgdn_poly_work(n, width, order), sizeof *work);
    if (!work)
        return wgdn_fail(err, WGDN_ENOMEM, "filter: buffers of %lld x %lld", (long long)n,
                         (long long)width);
    const int former = wgdn_threads_use(opt.threads);
    wgdn_series_from_powers(series, c, order);
    wgdn_poly_filter(&y, 1, false, g, x, NULL, width, &(const double *){series}, order, work);
    wgdn_threads_use(former);
    wgdn_release(work);
    return WGDN_OK;
}
