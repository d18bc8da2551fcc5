/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Computes Wiener and inverse responses of a kernel, and estimates the signal and noise energies
 * that set their penalty. The decoder calls it in every step; restoration and `wgdn plot` use the
 * same responses.
 */
#include "spectral.h"

double wgdn_wiener_response(double lambda, const void *filter)
{
    const wgdn_filter *f = filter;
    return wgdn_wiener(wgdn_kernel_value(f->kernel, lambda), f->penalty);
}

double wgdn_inverse_response(double lambda, const void *filter)
{
    const wgdn_filter *f = filter;
    return wgdn_inverse(wgdn_kernel_value(f->kernel, lambda));
}

/*
 * signal = sum_j [ var_j(x) + mean_i x_ij^2 ],  noise = sum_j mean_i (x - M x)_ij^2
 *                                                                              [WGDN:estimates]
 * var is unbiased, and 0 for a single node. The row of a node without edges is all noise.
 */
wgdn_signal_noise wgdn_wiener_estimate(const wgdn_signal_sums *sums, int64_t n)
{
    const double spread = sums->squares - sums->means; /* may round below 0 for equal rows */
    const double variance = n > 1 && spread > 0 ? spread / (double)(n - 1) : 0;
    return (wgdn_signal_noise){.signal = variance + sums->squares / (double)n,
                               .noise = sums->noise / (double)n};
}

/* penalty_c = noise / (gamma_c signal)                                         [WGDN:penalty] */
wgdn_status wgdn_wiener_penalties(double *penalty, const wgdn_signal_noise *e, const double *gamma,
                                  int channels, const char *where, wgdn_error *err)
{
    if (!(e->signal > 0 && e->signal <= 1e300 && e->noise >= 0 && e->noise <= 1e300))
        return wgdn_fail(err, WGDN_EINVAL,
                         "%s: signal %g and noise %g give no Wiener filter; is the input all zero, "
                         "or not finite?",
                         where, e->signal, e->noise);
    for (int c = 0; c < channels; c++) {
        if (!(gamma[c] > 0))
            return wgdn_fail(err, WGDN_EINVAL, "%s: gamma of channel %d is %g, not above 0", where,
                             c, gamma[c]);
        penalty[c] = e->noise / (gamma[c] * e->signal);
    }
    return WGDN_OK;
}

static const wgdn_response_form forms[] = {
    [WGDN_DECODER_WIENER] = {"wiener", wgdn_wiener_response, true},
    [WGDN_DECODER_INVERSE] = {"inverse", wgdn_inverse_response, false},
};

const wgdn_response_form *wgdn_response_form_get(int decoder)
{
    return decoder >= 0 && decoder < (int)(sizeof forms / sizeof *forms) ? &forms[decoder] : NULL;
}

wgdn_status wgdn_response_series(double *const *a, const wgdn_approximator *f,
                                 wgdn_response response, const wgdn_kernel *k,
                                 const double *penalty, int channels, wgdn_error *err)
{
    for (int q = 0; q < channels; q++) {
        const wgdn_filter filter = {k, penalty[q]};
        const wgdn_status st = wgdn_approximate_response(a[q], f, response, &filter, err);
        if (st) return st;
    }
    return WGDN_OK;
}

wgdn_status wgdn_graph_measure_noise(wgdn_signal_noise *out, const wgdn_graph *g, const float *x,
                                     int64_t width, wgdn_average average,
                                     const wgdn_compute_options *o, wgdn_error *err)
{
    const int64_t n = wgdn_graph_nodes(g);
    wgdn_compute_options opt;
    wgdn_signal_sums sums;
    wgdn_status st = wgdn_options_read(&opt, o, WGDN_OPTIONS_KIND_COMPUTE, err);
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
