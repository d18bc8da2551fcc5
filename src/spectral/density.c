/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Densities along the spectrum by the kernel polynomial method: products with L only.
 *                                                                             [WGDN:density]
 * With t = lambda - 1 = cos(theta) and mu_k = sum_i w_i T_k(t_i), the weights w_i at the
 * eigenvalues (1/n each, or the energy of a signal) have the density rho(lambda) = (1 / (pi sin
 * theta)) [ mu_0 + 2 sum_k j_k mu_k cos(k theta) ]. The Jackson factors j_k turn each eigenvalue
 * into a bump of width about pi / order in theta that is nowhere negative.
 */
#include "base/streams.h"
#include "spectral.h"

#include <math.h>
#include <string.h>

enum { PROBE_BAND = 16 };

static const double pi = 3.14159265358979323846;

/* m_k = (2 - [k = 0]) j_k mu_k / pi, in place. */
static void damp(double *m, int order)
{
    const int n = order + 1;
    const double q = pi / (n + 1);
    for (int k = 0; k <= order; k++) {
        const double jackson = ((n - k + 1) * cos(q * k) + sin(q * k) * cos(q) / sin(q)) / (n + 1);
        m[k] *= (k == 0 ? 1 : 2) * jackson / pi;
    }
}

static wgdn_status moments(double *m, const wgdn_graph *g, const float *x, int64_t d, int order,
                           const char *what, wgdn_error *err)
{
    const int64_t n = wgdn_graph_nodes(g);
    void *work = wgdn_alloc(wgdn_chebyshev_moments_work(wgdn_alone(n), d), 1);
    if (!work)
        return wgdn_fail(err, WGDN_ENOMEM, "%s: two %lld x %lld buffers", what, (long long)n,
                         (long long)d);
    wgdn_chebyshev_moments(m, g, x, d, order, work);
    wgdn_release(work);
    return WGDN_OK;
}

/* mu_k = <X, T_k(L - 1) X> is exact: no probes. */
wgdn_status wgdn_energy_moments(double *m, const wgdn_graph *g, const float *x, int64_t d,
                                int order, wgdn_error *err)
{
    const wgdn_status st = moments(m, g, x, d, order, "energy density", err);
    if (!st) damp(m, order);
    return st;
}

/*
 * mu_k = trace T_k(L - 1) / n, estimated as <z, T_k(L - 1) z> / <z, z> over normal probes z. Its
 * standard error is below sqrt(2 / (n probes)). Probes are drawn a band at a time: memory does not
 * grow with their number.
 */
wgdn_status wgdn_spectral_moments(double *m, const wgdn_graph *g, int order, int probes,
                                  uint64_t seed, wgdn_error *err)
{
    const int64_t n = wgdn_graph_nodes(g);
    const wgdn_stream stream = {.seed = seed, .call = WGDN_CALL_DENSITY};
    wgdn_status st = WGDN_OK;
    float *z = wgdn_alloc((size_t)n, PROBE_BAND * sizeof *z);
    double *part = wgdn_alloc((size_t)order + 1, sizeof *part);
    if (!z || !part) {
        st = wgdn_fail(err, WGDN_ENOMEM, "spectral density: %d probes of %lld nodes", PROBE_BAND,
                       (long long)n);
        goto done;
    }
    memset(m, 0, (size_t)(order + 1) * sizeof *m);
    for (int from = 0; from < probes && !st; from += PROBE_BAND) {
        const int width = probes - from < PROBE_BAND ? probes - from : PROBE_BAND;
        wgdn_random_normals(z, width, stream, 0, n, from, width);
        st = moments(part, g, z, width, order, "spectral density", err);
        for (int k = 0; !st && k <= order; k++)
            m[k] += part[k];
    }
    if (st) goto done;
    for (int k = order; k >= 0; k--)
        m[k] /= m[0];
    damp(m, order);

done:
    wgdn_release(part);
    wgdn_release(z);
    return st;
}

double wgdn_density_value(const double *m, int order, double lambda)
{
    const double t = lambda - 1;
    return wgdn_series_value(m, order, lambda) / sqrt(1 - t * t);
}

static wgdn_status check_points(const double *lambda, int64_t points, wgdn_error *err)
{
    if (points < 1) return wgdn_fail(err, WGDN_EINVAL, "density: %lld points", (long long)points);
    for (int64_t i = 0; i < points; i++)
        if (!(lambda[i] > 0 && lambda[i] < 2))
            return wgdn_fail(err, WGDN_EINVAL, "density: point %lld is %g, not between 0 and 2",
                             (long long)i, lambda[i]);
    return WGDN_OK;
}

wgdn_status wgdn_graph_density(double *density, const wgdn_graph *g, const double *lambda,
                               int64_t points, const float *x, int64_t width,
                               const wgdn_density_options *o, wgdn_error *err)
{
    wgdn_density_options opt;
    wgdn_status st = wgdn_density_options_read(&opt, o, err);
    if (st) return st;
    if (!density || !g || !lambda)
        return wgdn_fail(err, WGDN_EINVAL, "density: graph, points and density are needed");
    st = check_points(lambda, points, err);
    if (!st) st = wgdn_matrix_check(wgdn_graph_nodes(g), x ? width : opt.probes, "density", err);
    if (st) return st;

    double *m = wgdn_alloc((size_t)opt.moments + 1, sizeof *m);
    if (!m) return wgdn_fail(err, WGDN_ENOMEM, "density: %d moments", opt.moments);
    const int former = wgdn_threads_use(opt.threads);
    st = x ? wgdn_energy_moments(m, g, x, width, opt.moments, err)
           : wgdn_spectral_moments(m, g, opt.moments, opt.probes, opt.seed, err);
    wgdn_threads_use(former);
    for (int64_t i = 0; !st && i < points; i++)
        density[i] = wgdn_density_value(m, opt.moments, lambda[i]);
    wgdn_release(m);
    return st;
}
