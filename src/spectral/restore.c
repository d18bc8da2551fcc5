/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Restores X from Y = g(L) X + noise of variance sigma^2 per entry, by one of three filters. It is
 * the public call wgdn_graph_restore(), built on the densities and the Wiener responses.
 * [WGDN:restore]
 *
 *     average     w = g / (g^2 + penalty), one penalty from the mean energies of signal and noise
 *     resolved    w = g / (g^2 + sigma^2 / E(lambda)), one penalty per eigenvalue
 *     inverse     w = 1 / g
 *
 * For `resolved`, the energy of Y per eigenvalue and column is g^2 E + sigma^2 on average, so that
 *
 *     r(lambda) = e_Y(lambda) / (n d rho(lambda)),   E = (r - sigma^2) / g^2
 *     w = (1 / g) (1 - sigma^2 / r)
 *
 * Because r is an estimate, sigma^2 is raised by two of its standard errors: otherwise 1 / g would
 * amplify mere scatter.
 */
#include "spectral.h"

#include <math.h>
#include <stdlib.h>

static const double pi = 3.14159265358979323846;

/* Energy of Y per eigenvalue along the spectrum, from damped moments. */
typedef struct profile {
    double *energy, *density; /* order + 1 each */
    int order;
    double count;   /* n d */
    double scatter; /* relative standard error of r where the spectrum is even in theta */
} profile;

/* What a response needs to know; penalty or sigma2 and profile, as the mode has it. */
typedef struct plan {
    wgdn_filter filter; /* first: a plan serves where a filter does */
    double sigma2;
    profile profile;
} plan;

/*
 * r(lambda), and how dense the spectrum is there against an even one in theta. Where there are no
 * eigenvalues r is of no consequence and the mean stands in.
 */
static double energy_ratio(const profile *p, double lambda, double *dense)
{
    const double rho = wgdn_series_value(p->density, p->order, lambda);
    const double mean = pi * p->energy[0] / p->count;
    *dense = pi * rho;
    if (!(*dense > 1e-6)) return mean;
    const double r = wgdn_series_value(p->energy, p->order, lambda) / (p->count * rho);
    return r > 0 ? r : 0;
}

/*
 * w = (1 / g) max(1 - sigma^2 (1 + 2 scatter) / r, least), where a share `least` passes even if
 * noise explains all. r comes of k = 3.5 n rho pi / order eigenvalues (the width of a Jackson
 * bump), each with d normal deviates above and `probes` below: scatter^2 = (2 / k) (1 / d + 1 /
 * probes).
 */
static double resolved_response(double lambda, const void *what)
{
    static const double least = 1e-6;
    const plan *p = what;
    double dense;
    const double g = wgdn_kernel_value(p->filter.kernel, lambda);
    const double r = energy_ratio(&p->profile, lambda, &dense);
    const double scatter = p->profile.scatter / sqrt(dense > 1e-6 ? dense : 1e-6);
    const double share = r > 0 ? 1 - p->sigma2 * (1 + 2 * scatter) / r : 0;
    return wgdn_inverse(g) * (share > least ? share : least);
}

static const struct {
    wgdn_response response; /* of a plan */
    bool profile;           /* looks at it */
} modes[] = {
    [WGDN_RESTORE_MODE_AVERAGE] = {wgdn_wiener_response, false},
    [WGDN_RESTORE_MODE_RESOLVED] = {resolved_response, true},
    [WGDN_RESTORE_MODE_INVERSE] = {wgdn_inverse_response, false},
};

typedef struct place {
    double r, dense;
} place;

/*
 * sigma^2 as the mean of r over that tenth of the eigenvalues where it is least. What is left there
 * of the signal makes it too large, the scatter of r too small; the minimum alone would be all
 * scatter.                                                                [WGDN:noise-floor]
 */
static wgdn_status noise_floor(double *sigma2, const profile *p, wgdn_error *err)
{
    const int count = 4 * p->order;
    double mass = 0, sum = 0, all = 0;
    place *places = wgdn_alloc((size_t)count, sizeof *places);
    if (!places) return wgdn_fail(err, WGDN_ENOMEM, "restore: %d points of the spectrum", count);
    for (int i = 0; i < count; i++) {
        places[i].r = energy_ratio(p, 1 - cos(pi * (i + 0.5) / count), &places[i].dense);
        if (!(places[i].dense > 0)) places[i].dense = 0;
        all += places[i].dense;
    }
    qsort(places, (size_t)count, sizeof *places, wgdn_by_double);
    for (int i = 0; i < count && (mass < 0.1 * all || i == 0); i++) {
        mass += places[i].dense;
        sum += places[i].dense * places[i].r;
    }
    *sigma2 = mass > 0 ? sum / mass : 0;
    wgdn_release(places);
    return WGDN_OK;
}

static wgdn_status make_profile(profile *p, const wgdn_graph *g, const float *y, int64_t d,
                                const wgdn_restore_options *o, wgdn_error *err)
{
    p->order = o->moments;
    p->count = (double)wgdn_graph_nodes(g) * (double)d;
    p->scatter = sqrt(2 * o->moments / (3.5 * (double)wgdn_graph_nodes(g)) *
                      (1 / (double)d + 1 / (double)o->probes));
    p->energy = wgdn_alloc((size_t)o->moments + 1, sizeof *p->energy);
    p->density = wgdn_alloc((size_t)o->moments + 1, sizeof *p->density);
    if (!p->energy || !p->density)
        return wgdn_fail(err, WGDN_ENOMEM, "restore: %d moments", o->moments);
    const wgdn_status st = wgdn_energy_moments(p->energy, g, y, d, o->moments, err);
    if (st) return st;
    return wgdn_spectral_moments(p->density, g, o->moments, o->probes, o->seed, err);
}

static wgdn_status estimate(wgdn_signal_noise *e, const wgdn_graph *g, const float *y, int64_t d,
                            wgdn_average average, wgdn_error *err)
{
    const int64_t n = wgdn_graph_nodes(g);
    wgdn_signal_sums sums;
    void *work = wgdn_alloc(wgdn_laplacian_sums_work(wgdn_alone(n), d), 1);
    if (!work) return wgdn_fail(err, WGDN_ENOMEM, "restore: sums over %lld columns", (long long)d);
    wgdn_laplacian_sums(&sums, NULL, g, y, d, average, work);
    wgdn_release(work);
    *e = wgdn_wiener_estimate(&sums, n);
    return WGDN_OK;
}

/* Statistics of y, and from them all that the mode's response looks at. */
static wgdn_status prepare(plan *p, const wgdn_graph *g, const float *y, int64_t d,
                           const wgdn_restore_options *o, wgdn_error *err)
{
    wgdn_signal_noise e = {0};
    wgdn_status st = estimate(&e, g, y, d, o->average, err);
    if (st) return st;
    if (modes[o->mode].profile || o->noise == WGDN_NOISE_FLOOR) {
        st = make_profile(&p->profile, g, y, d, o, err);
        if (st) return st;
    }
    if (o->noise == WGDN_NOISE_GIVEN) e.noise = (double)d * o->sigma * o->sigma;
    p->sigma2 = e.noise / (double)d;
    if (o->noise == WGDN_NOISE_FLOOR) st = noise_floor(&p->sigma2, &p->profile, err);
    if (st) return st;
    e.noise = (double)d * p->sigma2;
    return wgdn_wiener_penalties(&p->filter.penalty, &e, &o->gamma, 1, "restore", err);
}

static wgdn_status filter(float *x, const wgdn_graph *g, const float *y, int64_t d, const plan *p,
                          const wgdn_restore_options *o, wgdn_error *err)
{
    double series[WGDN_ORDER_MAX + 1];
    const wgdn_status st =
        wgdn_approximate_any(series, o->order, o->approximation, modes[o->mode].response, p, err);
    if (st) return st;
    const wgdn_poly poly = {.graph = g, .d = d, .channels = 1, .order = o->order, .a = {series}};
    return wgdn_series_apply(x, &poly, y, 0, "restore", err);
}

wgdn_status wgdn_graph_restore(float *x, const wgdn_graph *g, const wgdn_kernel *k, const float *y,
                               int64_t width, const wgdn_restore_options *o, wgdn_error *err)
{
    wgdn_restore_options opt;
    wgdn_status st = wgdn_options_read(&opt, o, WGDN_OPTIONS_KIND_RESTORE, err);
    if (st) return st;
    if (!x || !g || !k || !y || x == y)
        return wgdn_fail(err, WGDN_EINVAL,
                         "restore: graph, kernel, y and x are needed, and x must not alias y");
    const int64_t n = wgdn_graph_nodes(g);
    st = wgdn_matrix_check(n, width, "restore", err);
    if (!st) st = wgdn_matrix_check(n, opt.probes, "restore, probes", err);
    if (st) return st;

    plan p = {.filter.kernel = k};
    const int former = wgdn_threads_use(opt.threads);
    st = prepare(&p, g, y, width, &opt, err);
    if (!st) st = filter(x, g, y, width, &p, &opt, err);
    wgdn_threads_use(former);
    wgdn_release(p.profile.density);
    wgdn_release(p.profile.energy);
    return st;
}
