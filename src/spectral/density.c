/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Estimates how eigenvalues, or the energy of a signal, are distributed along the spectrum, and
 * computes exact spectra of small graphs. Restoration and `wgdn plot` use these densities.
 */
#include "base/streams.h"
#include "spectral.h"

#include <math.h>
#include <string.h>

/*
 * Estimates densities along the spectrum by the kernel polynomial method, with products with L
 * only.                                                                              [WGDN:density]
 *
 * Let t = lambda - 1 = cos(theta) and mu_k = sum_i w_i T_k(t_i). The weights w_i at the eigenvalues
 * (1/n each, or the energy of a signal) have the density
 *
 *     rho(lambda) = (1 / (pi sin theta)) [ mu_0 + 2 sum_k j_k mu_k cos(k theta) ]
 *
 * The Jackson factors j_k turn each eigenvalue into a bump of width about pi / order in theta that
 * is nowhere negative.
 */

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

static double density_value(const double *m, int order, double lambda)
{
    const double t = lambda - 1;
    return wgdn_series_value(m, order, lambda) / sqrt(1 - t * t);
}

static wgdn_status check_points(const double *lambda, int64_t points, wgdn_error *err)
{
    if (points < 1)
        return wgdn_fail(err, WGDN_EINVAL, "density: %lld points; there must be at least 1",
                         (long long)points);
    for (int64_t i = 0; i < points; i++)
        if (!(lambda[i] > 0 && lambda[i] < 2))
            return wgdn_fail(err, WGDN_EINVAL,
                             "density: point %lld is %g; it must be between 0 and 2", (long long)i,
                             lambda[i]);
    return WGDN_OK;
}

wgdn_status wgdn_graph_density(double *density, const wgdn_graph *g, const double *lambda,
                               int64_t points, const float *x, int64_t width,
                               const wgdn_density_options *o, wgdn_error *err)
{
    wgdn_density_options opt;
    wgdn_status st = wgdn_options_read(&opt, o, WGDN_OPTIONS_KIND_DENSITY, err);
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
        density[i] = density_value(m, opt.moments, lambda[i]);
    wgdn_release(m);
    return st;
}

/* Computes all eigenpairs of L by LAPACK, for graphs small enough to afford n^3. */

enum { NODES_MAX = 5000 };

struct wgdn_spectrum {
    int64_t n;
    double *value;  /* n, ascending */
    double *vector; /* column i, contiguous, belongs to value i */
};

#ifdef WGDN_HAVE_LAPACK
#include <lapacke.h>

/* L, its weights in double from the degrees themselves, which wait on the diagonal. */
static void fill_laplacian(double *l, const wgdn_graph *g)
{
    const int64_t n = wgdn_graph_nodes(g);
    const wgdn_csr *a = &g->adjacency;
    memset(l, 0, (size_t)(n * n) * sizeof *l);
    for (int64_t i = 0; i < n; i++)
        l[i * n + i] = wgdn_graph_strength(a, i);
    for (int64_t i = 0; i < n; i++)
        for (int64_t k = a->offset[i]; k < a->offset[i + 1]; k++) {
            const int64_t j = a->column[k];
            const double degrees = l[i * n + i] * l[j * n + j];
            l[i * n + j] = -(a->value ? a->value[k] : 1) / sqrt(degrees);
        }
    for (int64_t i = 0; i < n; i++)
        l[i * n + i] = 1;
}

static wgdn_status decompose(wgdn_spectrum *s, wgdn_error *err)
{
    const int64_t n = s->n;
    double size = 0, *work = NULL;
    lapack_int whole_size = 0, *whole = NULL;
    wgdn_status st = WGDN_OK;
    __typeof__(LAPACKE_dsyevd_work) *dsyevd;
    *(void **)&dsyevd = wgdn_library_find(WGDN_HAVE_LAPACK, "LAPACKE_dsyevd_work");
    if (!dsyevd)
        return wgdn_fail(err, WGDN_ENOSUPPORT, "spectrum: %s cannot be loaded; install LAPACKE",
                         WGDN_HAVE_LAPACK);

    /* First the question how much memory it wants, then the work. */
    lapack_int info = dsyevd(LAPACK_COL_MAJOR, 'V', 'U', (lapack_int)n, s->vector, (lapack_int)n,
                             s->value, &size, -1, &whole_size, -1);
    if (info) goto failed;
    work = wgdn_alloc((size_t)size, sizeof *work);
    whole = wgdn_alloc((size_t)whole_size, sizeof *whole);
    if (!work || !whole) {
        st = wgdn_fail(err, WGDN_ENOMEM, "spectrum of %lld nodes: %.0f numbers of workspace",
                       (long long)n, size);
        goto done;
    }
    const int former = wgdn_blas_threads_use(WGDN_HAVE_LAPACK, 1);
    info = dsyevd(LAPACK_COL_MAJOR, 'V', 'U', (lapack_int)n, s->vector, (lapack_int)n, s->value,
                  work, (lapack_int)size, whole, whole_size);
    wgdn_blas_threads_use(WGDN_HAVE_LAPACK, former);

failed:
    if (info)
        st = wgdn_fail(err, WGDN_EENGINE,
                       "spectrum of %lld nodes: dsyevd of LAPACK failed with code %d", (long long)n,
                       (int)info);
done:
    wgdn_release(whole);
    wgdn_release(work);
    return st;
}

static wgdn_status find_all(wgdn_spectrum *s, const wgdn_graph *g, wgdn_error *err)
{
    fill_laplacian(s->vector, g);
    return decompose(s, err);
}
#else
static wgdn_status find_all(wgdn_spectrum *s, const wgdn_graph *g, wgdn_error *err)
{
    (void)s, (void)g;
    return wgdn_fail(
        err, WGDN_ENOSUPPORT,
        "spectrum: this libwgdn was built without LAPACK; install LAPACKE and build it again");
}
#endif

wgdn_status wgdn_spectrum_from_graph(wgdn_spectrum **out, const wgdn_graph *g, wgdn_error *err)
{
    if (!out || !g) return wgdn_fail(err, WGDN_EINVAL, "spectrum: the graph or the result is NULL");
    const int64_t n = wgdn_graph_nodes(g);
    if (n > NODES_MAX)
        return wgdn_fail(
            err, WGDN_ERANGE,
            "spectrum: %lld nodes are more than %d; use wgdn_graph_density(), which has no limit",
            (long long)n, NODES_MAX);
    wgdn_spectrum *s = wgdn_alloc_zero(1, sizeof *s);
    if (!s) return wgdn_fail(err, WGDN_ENOMEM, "a spectrum");
    s->n = n;
    s->value = wgdn_alloc((size_t)n, sizeof *s->value);
    s->vector = wgdn_alloc((size_t)(n * n), sizeof *s->vector);
    const wgdn_status st = s->value && s->vector
                               ? find_all(s, g, err)
                               : wgdn_fail(err, WGDN_ENOMEM, "spectrum: %lld x %lld eigenvectors",
                                           (long long)n, (long long)n);
    if (st)
        wgdn_spectrum_free(s);
    else
        *out = s;
    return st;
}

void wgdn_spectrum_free(wgdn_spectrum *s)
{
    if (!s) return;
    wgdn_release(s->vector);
    wgdn_release(s->value);
    wgdn_release(s);
}

const double *wgdn_spectrum_get_values(const wgdn_spectrum *s)
{
    return s->value;
}

/* x in double and room for its transform. */
static wgdn_status widen(double **x2, double **spectral, const wgdn_spectrum *s, const float *x,
                         int64_t width, wgdn_error *err)
{
    const wgdn_status st = wgdn_matrix_check(s->n, width, "spectrum", err);
    if (st) return st;
    const size_t entries = (size_t)s->n * (size_t)width;
    *x2 = wgdn_alloc(entries, sizeof **x2);
    *spectral = wgdn_alloc(entries, sizeof **spectral);
    if (!*x2 || !*spectral)
        return wgdn_fail(err, WGDN_ENOMEM, "spectrum: two %lld x %lld buffers", (long long)s->n,
                         (long long)width);
    for (size_t k = 0; k < entries; k++)
        (*x2)[k] = x[k];
    return WGDN_OK;
}

/* energy_i = sum_j (U^T X)_ij^2                                                  [WGDN:energy] */
wgdn_status wgdn_spectrum_energy(double *energy, const wgdn_spectrum *s, const float *x,
                                 int64_t width, const wgdn_compute_options *o, wgdn_error *err)
{
    wgdn_compute_options opt;
    double *x2 = NULL, *spectral = NULL;
    wgdn_status st = wgdn_options_read(&opt, o, WGDN_OPTIONS_KIND_COMPUTE, err);
    if (st) return st;
    if (!energy || !s || !x)
        return wgdn_fail(err, WGDN_EINVAL, "spectral energy: spectrum, x and energy are needed");
    st = widen(&x2, &spectral, s, x, width, err);
    if (st) goto done;
    const int former = wgdn_threads_use(opt.threads);
    wgdn_rotate(spectral, s->vector, false, x2, s->n, width);
    wgdn_threads_use(former);
    for (int64_t i = 0; i < s->n; i++) {
        energy[i] = 0;
        for (int64_t j = 0; j < width; j++)
            energy[i] += spectral[i * width + j] * spectral[i * width + j];
    }

done:
    wgdn_release(spectral);
    wgdn_release(x2);
    return st;
}

/* Y = U diag(response) U^T X */
wgdn_status wgdn_spectrum_apply(float *y, const wgdn_spectrum *s, const double *response,
                                const float *x, int64_t width, const wgdn_compute_options *o,
                                wgdn_error *err)
{
    wgdn_compute_options opt;
    double *x2 = NULL, *spectral = NULL;
    wgdn_status st = wgdn_options_read(&opt, o, WGDN_OPTIONS_KIND_COMPUTE, err);
    if (st) return st;
    if (!y || !s || !response || !x || y == x)
        return wgdn_fail(
            err, WGDN_EINVAL,
            "exact filter: spectrum, response, x and y are needed, and y must not alias x");
    st = widen(&x2, &spectral, s, x, width, err);
    if (st) goto done;
    const int former = wgdn_threads_use(opt.threads);
    wgdn_rotate(spectral, s->vector, false, x2, s->n, width);
    for (int64_t i = 0; i < s->n; i++)
        for (int64_t j = 0; j < width; j++)
            spectral[i * width + j] *= response[i];
    wgdn_rotate(x2, s->vector, true, spectral, s->n, width);
    wgdn_threads_use(former);
    for (int64_t k = 0; k < s->n * width; k++)
        y[k] = (float)x2[k];

done:
    wgdn_release(spectral);
    wgdn_release(x2);
    return st;
}
