/* SPDX-License-Identifier: Apache-2.0 */
/* All eigenpairs of L by LAPACK, for graphs small enough to afford n^3. */
#include "spectral.h"

#include <math.h>
#include <string.h>

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
        st = wgdn_fail(err, WGDN_EENGINE, "spectrum of %lld nodes: dsyevd says %d", (long long)n,
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
    return wgdn_fail(err, WGDN_ENOSUPPORT, "spectrum: this libwgdn was built without LAPACK");
}
#endif

wgdn_status wgdn_spectrum_from_graph(wgdn_spectrum **out, const wgdn_graph *g, wgdn_error *err)
{
    if (!out || !g) return wgdn_fail(err, WGDN_EINVAL, "spectrum: a graph and a result are needed");
    const int64_t n = wgdn_graph_nodes(g);
    if (n > NODES_MAX)
        return wgdn_fail(err, WGDN_ERANGE,
                         "spectrum: %lld nodes, exact to %d; wgdn_graph_density() has no limit",
                         (long long)n, NODES_MAX);
    wgdn_spectrum *s = wgdn_alloc_zero(1, sizeof *s);
    if (!s) return wgdn_fail(err, WGDN_ENOMEM, "spectrum: handle");
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
    wgdn_status st = wgdn_compute_options_read(&opt, o, err);
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
    wgdn_status st = wgdn_compute_options_read(&opt, o, err);
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
