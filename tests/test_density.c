/* SPDX-License-Identifier: Apache-2.0 */
#include "check.h"
#include "graphs.h"
#include "spectral/spectral.h"

static const double pi = 3.14159265358979323846;

/* The same moments by the recurrence in L X, one product a degree, summed outright. */
static void moments_against_the_definition(void)
{
    enum { D = 3, ORDER = 17 };
    wgdn_graph *g = shaped_graph(5, 80, 11);
    const int64_t n = wgdn_graph_nodes(g);
    float *x = normals(n, D, 1, 1), *t0 = normals(n, D, 1, 1), *t1 = normals(n, D, 1, 2),
          *lx = normals(n, D, 1, 3);
    double m[ORDER + 1];
    void *work = wgdn_alloc(wgdn_chebyshev_moments_work(wgdn_alone(n), D), 1);
    CHECK(work != NULL);
    wgdn_chebyshev_moments(m, g, x, D, ORDER, work);
    for (int k = 0; k <= ORDER; k++) { /* t0 = T_k X, t1 = T_(k-1) X, by L X alone */
        double expected = 0;
        for (int64_t i = 0; i < n * D; i++)
            expected += (double)x[i] * t0[i];
        CHECK_NEAR(m[k], expected, 2e-6 * m[0]);
        wgdn_laplacian(lx, g, t0, D);
        for (int64_t i = 0; i < n * D; i++) {
            const float b = lx[i] - t0[i], next = k == 0 ? b : 2 * b - t1[i];
            t1[i] = t0[i];
            t0[i] = next;
        }
    }
    wgdn_release(work);
    free(lx);
    free(t1);
    free(t0);
    free(x);
    wgdn_graph_free(g);
}

/* Midpoints in theta, where the density is smooth; the integral of a series of cosines is exact. */
enum { GRID = 400 };
static double grid_lambda(int i)
{
    return 1 - cos(pi * (i + 0.5) / GRID);
}

static double integral(const double *density)
{
    double sum = 0;
    for (int i = 0; i < GRID; i++)
        sum += density[i] * sin(pi * (i + 0.5) / GRID) * pi / GRID;
    return sum;
}

static void integrals(void)
{
    enum { D = 2 };
    double lambda[GRID], density[GRID], squares = 0;
    for (int i = 0; i < GRID; i++)
        lambda[i] = grid_lambda(i);
    for (int shape = 0; shape < SHAPES; shape++) {
        wgdn_graph *g = shaped_graph(shape, 100, 3);
        const int64_t n = wgdn_graph_nodes(g);
        float *x = normals(n, D, 2, 1);
        CHECK(wgdn_graph_density(density, g, lambda, GRID, NULL, 0, NULL, NULL) == WGDN_OK);
        CHECK_NEAR(integral(density), 1, 1e-12);
        for (int i = 0; i < GRID; i++)
            CHECK(density[i] > -1e-6); /* Jackson; what is left is the rounding of the moments */
        CHECK(wgdn_graph_density(density, g, lambda, GRID, x, D, NULL, NULL) == WGDN_OK);
        squares = 0;
        for (int64_t i = 0; i < n * D; i++)
            squares += (double)x[i] * x[i];
        CHECK_NEAR(integral(density), squares, 1e-9 * squares);
        free(x);
        wgdn_graph_free(g);
    }
}

/* A long cycle has density 1 / (pi sin theta): even in theta. Probe noise is 2 / sqrt(n probes). */
static void cycle_is_even(void)
{
    enum { N = 4000 };
    static edge_list e;
    wgdn_graph *g = NULL;
    double lambda[GRID], density[GRID];
    e.m = 0;
    for (int64_t i = 0; i < N; i++)
        add_edge(&e, i, (i + 1) % N);
    CHECK(wgdn_graph_from_edges(&g, N, e.m, e.src, e.dst, NULL) == WGDN_OK);
    for (int i = 0; i < GRID; i++)
        lambda[i] = grid_lambda(i);
    CHECK(wgdn_graph_density(density, g, lambda, GRID, NULL, 0, NULL, NULL) == WGDN_OK);
    double worst = 0;
    for (int i = 0; i < GRID; i++)
        worst = fmax(worst, fabs(density[i] * pi * sin(pi * (i + 0.5) / GRID) - 1));
    printf("     cycle: at most %.3f from even\n", worst);
    CHECK(worst < 0.03); /* 219 eigenvalues a bump, 128 probes: 4 sqrt(2 / (219 * 128)) */
    wgdn_graph_free(g);
}

#ifdef WGDN_HAVE_LAPACK
/* Energy below lambda, smooth and exact: they differ by what lies within a bump of the cut. */
static void energy_against_the_exact_spectrum(void)
{
    enum { N = 300, D = 5 };
    wgdn_graph *g = shaped_graph(1, N, 21);
    wgdn_spectrum *s = NULL;
    wgdn_kernel *heat = NULL;
    wgdn_density_options o;
    float *x = normals(N, D, 3, 1), *y = normals(N, D, 3, 2);
    double lambda[GRID], density[GRID], energy[N], all = 0, worst = 0;

    CHECK(wgdn_spectrum_from_graph(&s, g, NULL) == WGDN_OK);
    CHECK(wgdn_kernel_parse(&heat, "heat:t=2", NULL) == WGDN_OK);
    CHECK(wgdn_kernel_apply(y, heat, g, x, D, NULL, NULL) == WGDN_OK);
    CHECK(wgdn_spectrum_energy(energy, s, y, D, NULL, NULL) == WGDN_OK);
    for (int i = 0; i < N; i++)
        all += energy[i];
    for (int i = 0; i < GRID; i++)
        lambda[i] = grid_lambda(i);
    wgdn_density_options_init(&o);
    o.moments = 256;
    CHECK(wgdn_graph_density(density, g, lambda, GRID, y, D, &o, NULL) == WGDN_OK);
    double below = 0;
    for (int i = 0, k = 0; i < GRID; i++) {
        double exact = 0;
        below += density[i] * sin(pi * (i + 0.5) / GRID) * pi / GRID;
        while (k < N && wgdn_spectrum_get_values(s)[k] < 1 - cos(pi * (i + 1.0) / GRID))
            k++;
        for (int j = 0; j < k; j++)
            exact += energy[j];
        if (i > 20) worst = fmax(worst, fabs(below - exact) / all);
    }
    printf("     energy below lambda: at most %.3f of all apart\n", worst);
    CHECK(worst < 0.03);
    free(y);
    free(x);
    wgdn_kernel_free(heat);
    wgdn_spectrum_free(s);
    wgdn_graph_free(g);
}
#endif

static void same_bits_for_any_threads(void)
{
    enum { N = 700, D = 9 };
    wgdn_graph *g = shaped_graph(0, N, 13);
    float *x = normals(N, D, 4, 1);
    double lambda[GRID], one[2][GRID], many[GRID];
    for (int i = 0; i < GRID; i++)
        lambda[i] = grid_lambda(i);
    for (int threads = 1; threads <= 4; threads++)
        for (int signal = 0; signal < 2; signal++) {
            wgdn_density_options o;
            wgdn_density_options_init(&o);
            o.threads = threads;
            CHECK(wgdn_graph_density(threads == 1 ? one[signal] : many, g, lambda, GRID,
                                     signal ? x : NULL, D, &o, NULL) == WGDN_OK);
            if (threads > 1) CHECK(memcmp(one[signal], many, sizeof many) == 0);
        }
    CHECK_ALLOCATIONS(wgdn_graph_density(many, g, lambda, GRID, NULL, 0, NULL, NULL), (void)0);
    CHECK_ALLOCATIONS(wgdn_graph_density(many, g, lambda, GRID, x, D, NULL, NULL), (void)0);
    free(x);
    wgdn_graph_free(g);
}

static void refusals(void)
{
    wgdn_graph *g = shaped_graph(2, 4, 0);
    wgdn_error err;
    wgdn_density_options o;
    float x[4] = {1, 2, 3, 4};
    double lambda[2] = {0.5, 2}, density[2];
    CHECK(wgdn_graph_density(density, g, lambda, 2, NULL, 0, NULL, &err) == WGDN_EINVAL);
    CHECK_TEXT(err.message, "density: point 1 is 2, not between 0 and 2");
    CHECK(wgdn_graph_density(density, g, lambda, 0, NULL, 0, NULL, NULL) == WGDN_EINVAL);
    CHECK(wgdn_graph_density(density, NULL, lambda, 1, NULL, 0, NULL, NULL) == WGDN_EINVAL);
    CHECK(wgdn_graph_density(density, g, lambda, 1, x, 0, NULL, NULL) == WGDN_EINVAL);
    wgdn_density_options_init(&o);
    o.moments = 7;
    CHECK(wgdn_graph_density(density, g, lambda, 1, x, 1, &o, &err) == WGDN_EINVAL);
    CHECK_TEXT(err.message, "density options: moments = 7 is not within 8 .. 4096");
    wgdn_graph_free(g);
}

int main(void)
{
    RUN(moments_against_the_definition);
    RUN(integrals);
    RUN(cycle_is_even);
#ifdef WGDN_HAVE_LAPACK
    RUN(energy_against_the_exact_spectrum);
#endif
    RUN(same_bits_for_any_threads);
    RUN(refusals);
    return check_result();
}
