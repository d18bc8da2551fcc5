/* SPDX-License-Identifier: Apache-2.0 */
#include "check.h"
#include "graphs.h"
#include "spectral/spectral.h"

#ifndef WGDN_HAVE_LAPACK
static void says_what_is_missing(void)
{
    wgdn_graph *g = shaped_graph(2, 4, 0);
    wgdn_spectrum *s = NULL;
    wgdn_error err;
    CHECK(wgdn_spectrum_from_graph(&s, g, &err) == WGDN_ENOSUPPORT);
    CHECK_TEXT(err.message, "spectrum: this libwgdn was built without LAPACK");
    wgdn_graph_free(g);
}

int main(void)
{
    RUN(says_what_is_missing);
    return check_result();
}
#else

static const double pi = 3.14159265358979323846;

static wgdn_spectrum *spectrum(const wgdn_graph *g)
{
    wgdn_spectrum *s = NULL;
    if (wgdn_spectrum_from_graph(&s, g, NULL)) abort();
    return s;
}

/* Path: 1 - cos(pi k / (n - 1)). Star: 0, 1 (n - 2 times), 2. No edges: 1. */
static void known_spectra(void)
{
    enum { N = 40 };
    for (int shape = 2; shape <= 3; shape++) {
        wgdn_graph *g = shaped_graph(shape, N, 0);
        wgdn_spectrum *s = spectrum(g);
        const double *value = wgdn_spectrum_get_values(s);
        for (int k = 0; k < N; k++)
            CHECK_NEAR(value[k],
                       shape == 2   ? 1 - cos(pi * k / (N - 1))
                       : k == 0     ? 0
                       : k == N - 1 ? 2
                                    : 1,
                       1e-13);
        wgdn_spectrum_free(s);
        wgdn_graph_free(g);
    }
    wgdn_graph *g = NULL;
    CHECK(wgdn_graph_from_edges(&g, 3, 0, NULL, NULL, NULL) == WGDN_OK);
    wgdn_spectrum *s = spectrum(g);
    for (int k = 0; k < 3; k++)
        CHECK(wgdn_spectrum_get_values(s)[k] == 1);
    wgdn_spectrum_free(s);
    wgdn_graph_free(g);
}

/*
 * A triangle with weights: 0 is one of its values, the others sum up to 3 and their squares to
 * 3 + 2 s, s = sum over edges of w^2 / (d_i d_j).
 */
static void weighted_triangle(void)
{
    int64_t offset[] = {0, 2, 4, 6};
    int32_t column[] = {1, 2, 0, 2, 0, 1};
    float w[] = {2, 0.5f, 2, 7.25f, 0.5f, 7.25f};
    const wgdn_csr rows = {3, 3, offset, column, w};
    const double d[] = {2.5, 9.25, 7.75};
    const double s = 4 / (d[0] * d[1]) + 0.25 / (d[0] * d[2]) + 7.25 * 7.25 / (d[1] * d[2]);
    wgdn_graph *g = NULL;
    CHECK(wgdn_graph_from_rows(&g, &rows, true, NULL) == WGDN_OK);
    wgdn_spectrum *all = spectrum(g);
    const double *value = wgdn_spectrum_get_values(all);
    CHECK_NEAR(value[0], 0, 1e-14);
    CHECK_NEAR(value[1], (3 - sqrt(4 * s - 3)) / 2, 1e-14);
    CHECK_NEAR(value[2], (3 + sqrt(4 * s - 3)) / 2, 1e-14);
    wgdn_spectrum_free(all);
    wgdn_graph_free(g);
}

/* Responses 1 and lambda are X and L X, on every shape. */
static void applies_what_it_is_given(void)
{
    enum { N = 50, D = 3 };
    for (int shape = 0; shape < SHAPES; shape++) {
        wgdn_graph *g = shaped_graph(shape, N, 9);
        wgdn_spectrum *s = spectrum(g);
        const int64_t n = wgdn_graph_nodes(g);
        float *x = normals(n, D, 4, 1), *y = normals(n, D, 4, 2), *z = normals(n, D, 4, 3);
        double ones[N];
        for (int i = 0; i < N; i++)
            ones[i] = 1;
        CHECK(wgdn_spectrum_apply(y, s, ones, x, D, NULL, NULL) == WGDN_OK);
        for (int64_t i = 0; i < n * D; i++)
            CHECK_NEAR(y[i], x[i], 1e-6);
        CHECK(wgdn_spectrum_apply(y, s, wgdn_spectrum_get_values(s), x, D, NULL, NULL) == WGDN_OK);
        wgdn_laplacian(z, g, x, D);
        for (int64_t i = 0; i < n * D; i++)
            CHECK_NEAR(y[i], z[i], 4e-6); /* the right side is summed in float */
        free(z);
        free(y);
        free(x);
        wgdn_spectrum_free(s);
        wgdn_graph_free(g);
    }
}

/*
 * The published decoder for gcn, order 9, at its hardest: in powers of L its coefficients would
 * reach thousands and cost a float three digits; as a Chebyshev series it keeps them.
 */
static void high_orders_keep_their_digits(void)
{
    enum { N = 200, D = 2, ORDER = 9 };
    wgdn_graph *g = shaped_graph(1, N, 17);
    wgdn_spectrum *s = spectrum(g);
    wgdn_kernel *k = NULL;
    double a[ORDER + 1], response[N], most = 0, apart = 0;
    float *x = normals(N, D, 7, 1), *y = normals(N, D, 7, 2), *truth = normals(N, D, 7, 4);
    float *work = wgdn_alloc(wgdn_poly_work(N, D, ORDER), sizeof *work);
    CHECK(wgdn_kernel_parse(&k, "gcn", NULL) == WGDN_OK);
    const wgdn_filter f = {k, 0.01};
    CHECK(wgdn_fit_any(a, ORDER, WGDN_FIT_ONE_STEP, wgdn_wiener_response, &f, NULL) == WGDN_OK);
    for (int i = 0; i < N; i++)
        response[i] = wgdn_series_value(a, ORDER, wgdn_spectrum_get_values(s)[i]);
    CHECK(wgdn_spectrum_apply(truth, s, response, x, D, NULL, NULL) == WGDN_OK);
    const wgdn_poly p = {.graph = g, .d = D, .channels = 1, .order = ORDER, .a = {a}, .work = work};
    wgdn_poly_filter(&y, &p, x, NULL, false);
    for (int i = 0; i < N * D; i++) {
        most = fmax(most, fabsf(truth[i]));
        apart = fmax(apart, fabsf(y[i] - truth[i]));
    }
    CHECK(apart < 2e-6 * most);
    wgdn_release(work);
    free(truth);
    free(y);
    free(x);
    wgdn_kernel_free(k);
    wgdn_spectrum_free(s);
    wgdn_graph_free(g);
}

/* Parseval: energies add up to |X|^2, and weighted by lambda to <X, L X>. */
static void energies_add_up(void)
{
    enum { N = 60, D = 4 };
    wgdn_graph *g = shaped_graph(1, N, 2);
    wgdn_spectrum *s = spectrum(g);
    float *x = normals(N, D, 5, 1), *y = normals(N, D, 5, 2);
    double energy[N], all = 0, rough = 0, squares = 0, form = 0;
    CHECK(wgdn_spectrum_energy(energy, s, x, D, NULL, NULL) == WGDN_OK);
    wgdn_laplacian(y, g, x, D);
    for (int i = 0; i < N; i++) {
        CHECK(energy[i] >= 0);
        all += energy[i];
        rough += energy[i] * wgdn_spectrum_get_values(s)[i];
    }
    for (int i = 0; i < N * D; i++) {
        squares += (double)x[i] * x[i];
        form += (double)x[i] * y[i];
    }
    CHECK_NEAR(all, squares, 1e-10 * squares);
    CHECK_NEAR(rough, form, 1e-5 * form);
    free(y);
    free(x);
    wgdn_spectrum_free(s);
    wgdn_graph_free(g);
}

/* Where LAPACK's BLAS has threads of its own, they are set to what the test is about, and must stay. 300
 * nodes are enough for LAPACK to use blocked products, where threads of a BLAS would show. */
static void same_bits_for_any_threads(void)
{
    enum { N = 300, D = 130 };
    wgdn_graph *g = shaped_graph(0, N, 7);
    float *x = normals(N, D, 6, 1), *y = normals(N, D, 6, 2), *z = normals(N, D, 6, 3);
    double e1[N], e2[N], values[N];
    for (int threads = 1; threads <= 4; threads++) {
        const int former = wgdn_threads_use(threads);
        const int before = wgdn_blas_threads_use(WGDN_HAVE_LAPACK, threads);
        wgdn_spectrum *s = spectrum(g);
        CHECK(before == 0 || wgdn_blas_threads_use(WGDN_HAVE_LAPACK, 0) == threads);
        wgdn_compute_options o;
        wgdn_compute_options_init(&o);
        o.threads = threads;
        const double *value = wgdn_spectrum_get_values(s);
        if (threads == 1) memcpy(values, value, sizeof values);
        CHECK(wgdn_spectrum_apply(threads == 1 ? y : z, s, value, x, D, &o, NULL) == WGDN_OK);
        CHECK(wgdn_spectrum_energy(threads == 1 ? e1 : e2, s, x, D, &o, NULL) == WGDN_OK);
        CHECK(memcmp(values, value, sizeof values) == 0);
        if (threads > 1) CHECK(memcmp(y, z, N * D * sizeof *y) == 0);
        if (threads > 1) CHECK(memcmp(e1, e2, sizeof e1) == 0);
        wgdn_spectrum_free(s);
        wgdn_threads_use(former);
    }
    free(z);
    free(y);
    free(x);
    wgdn_graph_free(g);
}

static void refusals(void)
{
    wgdn_graph *g = NULL;
    wgdn_spectrum *s = NULL;
    wgdn_error err;
    float x[4] = {1, 2, 3, 4}, y[4];
    double r[4] = {1, 1, 1, 1};
    CHECK(wgdn_graph_from_edges(&g, 5001, 0, NULL, NULL, NULL) == WGDN_OK);
    CHECK(wgdn_spectrum_from_graph(&s, g, &err) == WGDN_ERANGE);
    CHECK(strstr(err.message, "5001 nodes, exact to 5000"));
    wgdn_graph_free(g);
    g = shaped_graph(2, 4, 0);
    CHECK(wgdn_spectrum_from_graph(NULL, g, NULL) == WGDN_EINVAL);
    s = spectrum(g);
    CHECK(wgdn_spectrum_apply(x, s, r, x, 1, NULL, NULL) == WGDN_EINVAL);
    CHECK(wgdn_spectrum_apply(y, s, NULL, x, 1, NULL, NULL) == WGDN_EINVAL);
    CHECK(wgdn_spectrum_apply(y, s, r, x, 0, NULL, NULL) == WGDN_EINVAL);
    CHECK(wgdn_spectrum_energy(NULL, s, x, 1, NULL, NULL) == WGDN_EINVAL);
    CHECK(wgdn_spectrum_energy(r, s, x, INT64_MAX, NULL, NULL) == WGDN_ERANGE);
    CHECK_ALLOCATIONS(wgdn_spectrum_energy(r, s, x, 1, NULL, NULL), (void)0);
    CHECK_ALLOCATIONS(wgdn_spectrum_apply(y, s, r, x, 1, NULL, NULL), (void)0);
    wgdn_spectrum_free(s);
    CHECK_ALLOCATIONS(wgdn_spectrum_from_graph(&s, g, NULL), wgdn_spectrum_free(s));
    wgdn_spectrum_free(NULL);
    wgdn_graph_free(g);
}

int main(void)
{
    RUN(known_spectra);
    RUN(weighted_triangle);
    RUN(applies_what_it_is_given);
    RUN(high_orders_keep_their_digits);
    RUN(energies_add_up);
    RUN(same_bits_for_any_threads);
    RUN(refusals);
    return check_result();
}
#endif
