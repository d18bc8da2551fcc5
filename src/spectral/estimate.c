/* SPDX-License-Identifier: Apache-2.0 */
#include "spectral.h"

wgdn_status wgdn_graph_estimate(wgdn_estimate *out, const wgdn_graph *g, const float *x,
                                int64_t width, wgdn_average average, const wgdn_compute_options *o,
                                wgdn_error *err)
{
    const int64_t n = wgdn_graph_nodes(g);
    wgdn_compute_options opt;
    wgdn_signal_sums sums;
    wgdn_status st = wgdn_compute_options_read(&opt, o, err);
    if (st) return st;
    if (width < 1 || (average != WGDN_AVERAGE_ROW && average != WGDN_AVERAGE_COLUMN))
        return wgdn_fail(err, WGDN_EINVAL, "estimate: width %lld, average %d", (long long)width,
                         (int)average);
    void *work = wgdn_alloc(wgdn_laplacian_sums_work(wgdn_alone(n), width), 1);
    if (!work)
        return wgdn_fail(err, WGDN_ENOMEM, "estimate: sums of %lld x %lld", (long long)n,
                         (long long)width);
    const int former = wgdn_threads_use(opt.threads);
    wgdn_laplacian_sums(&sums, NULL, g, x, width, average, work);
    wgdn_threads_use(former);
    wgdn_release(work);
    *out = wgdn_wiener_estimate(&sums, n);
    return WGDN_OK;
}
