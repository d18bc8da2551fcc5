/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels, and the spectrum exactly and by its density. */
#include "check.h"
#include "graphs.h"

#include "spectral/spectral.h"

#include <locale.h>

/* ---- kernel ---- */

static wgdn_kernel *kernel(const char *text)
{
    wgdn_error err = {WGDN_OK, ""};
    wgdn_kernel *k = NULL;
    if (wgdn_kernel_parse(&k, text, &err)) {
        fprintf(stderr, "%s: %s\n", text, err.message);
        abort();
    }
    return k;
}

static void value_is(const char *text, double lambda, double expected)
{
    wgdn_kernel *k = kernel(text);
    CHECK_NEAR(wgdn_kernel_value(k, lambda), expected, 1e-15);
    wgdn_kernel_free(k);
}

static void known_values(void)
{
    value_is("gcn", 0.25, 0.75);
    value_is("gcn", 1, 0);
    value_is("heat", 1, 0.36787944117144233);
    value_is("heat:t=2", 0.5, 0.36787944117144233);
    value_is("ppr", 1.5, 1.0 / 7);
    value_is("ppr:alpha=0.5", 2, 0.5 / 1.5);
    value_is("ppr:alpha=1", 2, 1);
    value_is("band", 1, 1);
    value_is("band", 0, exp(-2)); /* (0 - 1)^2 / (2 * 0.5^2) = 2 */
    value_is("band:mu=0", 1, exp(-2));
    value_is("band:width=2,mu=0", 2, exp(-0.5));
    value_is("band:mu=0.3,width=0.1", 0.5, exp(-2));
    value_is("band:mu=2,width=0.01", 0, 0);
    value_is("poly:1,-0.5,0.25", 2, 1);
    value_is("poly:3", 1.2, 3);
    value_is("table:0=1,1=0.5,2=0.25", 0.5, 0.75);
    value_is("table:0=1,1=0.5,2=0.25", 1.5, 0.375);
    value_is("table:0.5=1,1.5=0.5", 0, 1);
    value_is("table:0.5=1,1.5=0.5", 2, 0.5);
    value_is("table:1=7", 0.3, 7);
}

static void text_is(const char *text, const char *expected)
{
    wgdn_kernel *k = kernel(text);
    CHECK_TEXT(wgdn_kernel_text(k), expected);
    wgdn_kernel *again = kernel(wgdn_kernel_text(k));
    CHECK(wgdn_kernel_value(again, 0.7) == wgdn_kernel_value(k, 0.7));
    wgdn_kernel_free(again);
    wgdn_kernel_free(k);
}

static void text_goes_round(void)
{
    text_is("gcn", "gcn");
    text_is("heat", "heat:t=1");
    text_is("heat:t=0.10", "heat:t=0.1");
    text_is("ppr", "ppr:alpha=0.2");
    text_is("band", "band:mu=1,width=0.5");
    text_is("band:width=.25", "band:mu=1,width=0.25");
    text_is("band:width=2e-1,mu=0", "band:mu=0,width=0.2");
    text_is("poly:1,-.5,1e-3", "poly:1,-0.5,0.001");
    text_is("poly:0.1234567890123456789", "poly:0.12345678901234568");
    text_is("table:0=1,1=+0.4,2=-1e-300", "table:0=1,1=0.4,2=-1e-300");
}

/* What a wrong text must be answered with: part of the message. */
static const struct {
    const char *text, *answer;
} refused[] = {
    {"haet", "'haet' is unknown (did you mean 'heat'?); use one of gcn, heat:t=2"},
    {"", "'' is unknown"},
    {"pagerank", "'pagerank' is unknown; use one of"},
    {"gnc", "did you mean 'gcn'?"},
    {"polly:1", "did you mean 'poly'?"},
    {"a-name-that-is-longer-than-any-other", "use one of"},
    {"gcn:1", "gcn: has no parameters; leave out ':1'"},
    {"heat:", "expected t=..., as in heat:t=2"},
    {"heat:2", "expected t=..., as in heat:t=2, not '2'"},
    {"heat:t=", "expected a number at ''"},
    {"heat:t=x", "expected a number at 'x'"},
    {"heat:t=1 ", "expected a number at ' '"},
    {"heat:t= 1", "expected a number at ' 1'"},
    {"heat:t=nan", "expected a number at 'nan'"},
    {"heat:t=1e999", "expected a number at '1e999'"},
    {"heat:t=0", "t = 0; it must be above 0 and at most 100"},
    {"heat:t=-1", "t = -1; it must be above 0"},
    {"ppr:alpha=1.5", "alpha = 1.5; it must be above 0 and at most 1"},
    {"ppr:t=1", "expected alpha=..."},
    {"band:", "band: expected mu=... or width=..., as in band:mu=1,width=0.5, not ''"},
    {"band:mu=1,", "expected mu=... or width=..."},
    {"band:mu=1;width=1", "expected a number at ';width=1'"},
    {"band:mu=1,mu=1", "band: mu is given twice; give it once"},
    {"band:mu=2.1", "mu = 2.1; it must be at least 0 and at most 2"},
    {"band:width=0", "width = 0; it must be above 0 and at most 2"},
    {"poly", "its numbers are missing, as in poly:1,-0.5,0.1"},
    {"poly:", "expected a number at ''"},
    {"poly:1,", "expected a number at ''"},
    {"poly:1,,2", "expected a number at ',2'"},
    {"poly:1;2", "expected a number at ';2'"},
    {"table:0,1", "expected lambda=value at entry 0"},
    {"table:0=1,2", "expected lambda=value at entry 1"},
    {"table:0=1,0=2", "points must ascend, but 0 comes after 0"},
    {"table:0=1,3=2", "point 1 is at 3; it must be within 0 .. 2"},
};

static void wrong_text_is_explained(void)
{
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        wgdn_error err = {WGDN_OK, ""};
        wgdn_kernel *k = NULL;
        CHECK(wgdn_kernel_parse(&k, refused[i].text, &err) == WGDN_EINVAL);
        CHECK(k == NULL);
        if (!strstr(err.message, refused[i].answer)) CHECK_TEXT(err.message, refused[i].answer);
    }
    wgdn_kernel *k = NULL;
    CHECK(wgdn_kernel_parse(NULL, "gcn", NULL) == WGDN_EINVAL);
    CHECK(wgdn_kernel_parse(&k, NULL, NULL) == WGDN_EINVAL);
    CHECK(wgdn_kernel_from_function(&k, NULL, NULL, NULL) == WGDN_EINVAL);
}

static void too_many_coefficients(void)
{
    char text[400] = "poly:1";
    wgdn_error err;
    wgdn_kernel *k = NULL;
    for (int i = 0; i < 64; i++)
        strcat(text, ",1");
    CHECK(wgdn_kernel_parse(&k, text, &err) == WGDN_OK);
    wgdn_kernel_free(k);
    strcat(text, ",1");
    CHECK(wgdn_kernel_parse(&k, text, &err) == WGDN_EINVAL);
    CHECK_TEXT(err.message, "kernel poly: 66 entries; the maximum is 65");
}

/* Where a comma separates decimals, the text form still has a point. Runs if
 * such a locale exists. */
static void locale_does_not_matter(void)
{
    if (!setlocale(LC_ALL, "de_DE.UTF-8")) return;
    text_is("heat:t=0.10", "heat:t=0.1");
    value_is("poly:1,5", 1, 6);
    setlocale(LC_ALL, "C");
}

/* The option's help names every kernel, and what a message gives as an example is one. */
static void forms_are_told(void)
{
    const wgdn_kernel_form *f;
    const wgdn_option_info *info;
    int row = 0;
    while ((info = wgdn_options_get_info(WGDN_OPTIONS_KIND_TRAIN, row)) &&
           strcmp(info->name, "kernel") != 0)
        row++;
    CHECK(info != NULL);
    if (!info) return;
    for (int i = 0; (f = wgdn_kernel_form_get(i)); i++) {
        wgdn_kernel *k = kernel(f->example);
        CHECK(strncmp(wgdn_kernel_text(k), f->name, strlen(f->name)) == 0);
        if (!strstr(info->help, f->name)) CHECK_TEXT(info->help, f->name);
        wgdn_kernel_free(k);
    }
}

static void orders_are(const char *text, int encoder, int decoder)
{
    wgdn_kernel *k = kernel(text);
    CHECK(wgdn_kernel_encoder_order(k) == encoder);
    CHECK(wgdn_kernel_decoder_order(k) == decoder);
    wgdn_kernel_free(k);
}

static void orders(void)
{
    char text[200] = "poly:1";
    orders_are("gcn", 1, 9);
    orders_are("heat", 2, 2);
    orders_are("ppr", 2, 2);
    orders_are("band", 6, 6);
    orders_are("poly:1", 0, 2);
    orders_are("poly:1,2,3,4", 3, 2);
    orders_are("table:0=1,1=0,2=1", 2, 2);
    for (int i = 0; i < 40; i++)
        strcat(text, ",1");
    orders_are(text, 30, 2);
}

static double shifted(void *user, double lambda)
{
    return lambda + *(double *)user;
}

static void functions_are_kernels(void)
{
    double by = 3;
    wgdn_kernel *k = NULL;
    CHECK(wgdn_kernel_from_function(&k, shifted, &by, NULL) == WGDN_OK);
    CHECK(wgdn_kernel_value(k, 0.5) == 3.5);
    CHECK_TEXT(wgdn_kernel_text(k), "function");
    wgdn_kernel_free(k);
    wgdn_kernel_free(NULL);
}

static void allocations(void)
{
    wgdn_kernel *k = NULL;
    CHECK_ALLOCATIONS(wgdn_kernel_parse(&k, "gcn", NULL), wgdn_kernel_free(k));
    CHECK_ALLOCATIONS(wgdn_kernel_parse(&k, "heat", NULL), wgdn_kernel_free(k));
    CHECK_ALLOCATIONS(wgdn_kernel_parse(&k, "band:mu=0.5", NULL), wgdn_kernel_free(k));
    CHECK_ALLOCATIONS(wgdn_kernel_parse(&k, "table:0=1,2=0", NULL), wgdn_kernel_free(k));
    CHECK_ALLOCATIONS(wgdn_kernel_from_function(&k, shifted, NULL, NULL), wgdn_kernel_free(k));
}

/* ---- applied to a matrix ---- */

/* The path 0 - 1 - 2 - 3 has L_ij = 1, -1/sqrt 2, -1/2, -1/sqrt 2: small enough by hand. */
static void polynomials_are_exact(void)
{
    const int64_t src[] = {0, 1, 2}, dst[] = {1, 2, 3};
    const float x[4] = {1, 2, 4, 8};
    const double r = sqrt(0.5);
    float y[4];
    wgdn_graph *g = NULL;
    wgdn_kernel *k = kernel("poly:2,3");
    CHECK(wgdn_graph_from_edges(&g, 4, 3, src, dst, NULL) == WGDN_OK);
    CHECK(wgdn_kernel_apply(y, k, g, x, 1, NULL, NULL) == WGDN_OK);
    CHECK_NEAR(y[0], 2 + 3 * (1 - 2 * r), 1e-6 * 10);
    CHECK_NEAR(y[1], 4 + 3 * (2 - r - 2), 1e-6 * 10);
    CHECK_NEAR(y[2], 8 + 3 * (4 - 1 - 8 * r), 1e-6 * 10);
    CHECK_NEAR(y[3], 16 + 3 * (8 - 4 * r), 1e-6 * 30);
    wgdn_kernel_free(k);
    wgdn_graph_free(g);
}

/* heat(1) twice is heat(2): the order, the fit and the filter together. */
static void semigroup(void)
{
    enum { D = 5 };
    wgdn_graph *g = shaped_graph(5, 200, 3);
    const int64_t n = wgdn_graph_nodes(g);
    float *x = normals(n, D, 1, 1), *y = normals(n, D, 1, 2), *z = normals(n, D, 1, 3);
    wgdn_kernel *one = kernel("heat"), *two = kernel("heat:t=2");
    CHECK(wgdn_kernel_apply(y, one, g, x, D, NULL, NULL) == WGDN_OK);
    CHECK(wgdn_kernel_apply(z, one, g, y, D, NULL, NULL) == WGDN_OK);
    CHECK(wgdn_kernel_apply(y, two, g, x, D, NULL, NULL) == WGDN_OK);
    for (int64_t i = 0; i < n * D; i++)
        CHECK_NEAR(y[i], z[i], 4e-6); /* a few dozen float roundings of entries below 5 */
    wgdn_kernel_free(two);
    wgdn_kernel_free(one);
    free(z);
    free(y);
    free(x);
    wgdn_graph_free(g);
}

static void kernel_same_bits_for_any_threads(void)
{
    enum { D = 7 };
    wgdn_graph *g = shaped_graph(1, 400, 5);
    const int64_t n = wgdn_graph_nodes(g);
    float *x = normals(n, D, 2, 1), *y = normals(n, D, 2, 2), *z = normals(n, D, 2, 3);
    wgdn_kernel *k = kernel("ppr");
    wgdn_apply_options o;
    for (int fit = 0; fit < 2; fit++)
        for (int threads = 1; threads <= 4; threads++) {
            wgdn_apply_options_init(&o);
            o.threads = threads;
            o.approximation = (wgdn_approximation)fit;
            CHECK(wgdn_kernel_apply(threads == 1 ? y : z, k, g, x, D, &o, NULL) == WGDN_OK);
            if (threads > 1) CHECK(memcmp(y, z, (size_t)(n * D) * sizeof *y) == 0);
        }
    CHECK_ALLOCATIONS(wgdn_kernel_apply(y, k, g, x, D, &o, NULL), (void)0);
    wgdn_kernel_free(k);
    free(z);
    free(y);
    free(x);
    wgdn_graph_free(g);
}

static double infinite(void *user, double lambda)
{
    (void)user;
    return lambda < 1.7 ? 1 : INFINITY;
}

static void apply_refuses(void)
{
    wgdn_graph *g = shaped_graph(2, 4, 0);
    float x[4] = {1, 2, 3, 4}, y[4];
    double c[40];
    wgdn_error err;
    wgdn_apply_options o;
    wgdn_kernel *k = kernel("heat"), *bad = NULL;
    CHECK(wgdn_kernel_from_function(&bad, infinite, NULL, NULL) == WGDN_OK);
    wgdn_apply_options_init(&o);
    CHECK(o.order == 24 && o.approximation == WGDN_APPROXIMATION_ONE_STEP && o.threads == 0);
    CHECK(wgdn_kernel_apply(x, k, g, x, 1, NULL, NULL) == WGDN_EINVAL);
    CHECK(wgdn_kernel_apply(y, k, NULL, x, 1, NULL, NULL) == WGDN_EINVAL);
    CHECK(wgdn_kernel_apply(y, NULL, g, x, 1, NULL, NULL) == WGDN_EINVAL);
    CHECK(wgdn_kernel_apply(y, k, g, x, 0, NULL, NULL) == WGDN_EINVAL);
    CHECK(wgdn_kernel_apply(y, k, g, x, INT64_MAX, NULL, NULL) == WGDN_ERANGE);
    CHECK(wgdn_kernel_apply(y, bad, g, x, 1, NULL, &err) == WGDN_EINVAL);
    CHECK(strstr(err.message, "response at lambda"));
    o.order = 65;
    CHECK(wgdn_kernel_apply(y, k, g, x, 1, &o, &err) == WGDN_EINVAL);
    CHECK_TEXT(err.message, "apply options: order = 65 is not within 0 .. 64");
    CHECK(wgdn_kernel_coefficients(c, k, 31, WGDN_APPROXIMATION_ONE_STEP, NULL) == WGDN_EINVAL);
    CHECK(wgdn_kernel_coefficients(c, k, -1, WGDN_APPROXIMATION_ONE_STEP, NULL) == WGDN_EINVAL);
    CHECK(wgdn_kernel_coefficients(c, bad, 4, WGDN_APPROXIMATION_REMEZ, NULL) == WGDN_EINVAL);
    CHECK_ALLOCATIONS(wgdn_kernel_coefficients(c, k, 4, WGDN_APPROXIMATION_REMEZ, NULL), (void)0);
    wgdn_kernel_free(bad);
    wgdn_kernel_free(k);
    wgdn_graph_free(g);
}

static int kernel_tests(void)
{
    RUN(known_values);
    RUN(text_goes_round);
    RUN(wrong_text_is_explained);
    RUN(too_many_coefficients);
    RUN(locale_does_not_matter);
    RUN(forms_are_told);
    RUN(orders);
    RUN(functions_are_kernels);
    RUN(allocations);
    RUN(polynomials_are_exact);
    RUN(semigroup);
    RUN(kernel_same_bits_for_any_threads);
    RUN(apply_refuses);
    return check_result();
}

/* ---- density ---- */

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

static void density_same_bits_for_any_threads(void)
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

static void density_refusals(void)
{
    wgdn_graph *g = shaped_graph(2, 4, 0);
    wgdn_error err;
    wgdn_density_options o;
    float x[4] = {1, 2, 3, 4};
    double lambda[2] = {0.5, 2}, density[2];
    CHECK(wgdn_graph_density(density, g, lambda, 2, NULL, 0, NULL, &err) == WGDN_EINVAL);
    CHECK_TEXT(err.message, "density: point 1 is 2; it must be between 0 and 2");
    CHECK(wgdn_graph_density(density, g, lambda, 0, NULL, 0, NULL, NULL) == WGDN_EINVAL);
    CHECK(wgdn_graph_density(density, NULL, lambda, 1, NULL, 0, NULL, NULL) == WGDN_EINVAL);
    CHECK(wgdn_graph_density(density, g, lambda, 1, x, 0, NULL, NULL) == WGDN_EINVAL);
    wgdn_density_options_init(&o);
    o.moments = 7;
    CHECK(wgdn_graph_density(density, g, lambda, 1, x, 1, &o, &err) == WGDN_EINVAL);
    CHECK_TEXT(err.message, "density options: moments = 7 is not within 8 .. 4096");
    wgdn_graph_free(g);
}

static int density_tests(void)
{
    RUN(moments_against_the_definition);
    RUN(integrals);
    RUN(cycle_is_even);
#ifdef WGDN_HAVE_LAPACK
    RUN(energy_against_the_exact_spectrum);
#endif
    RUN(density_same_bits_for_any_threads);
    RUN(density_refusals);
    return check_result();
}

/* ---- exact ---- */

#ifndef WGDN_HAVE_LAPACK
static void says_what_is_missing(void)
{
    wgdn_graph *g = shaped_graph(2, 4, 0);
    wgdn_spectrum *s = NULL;
    wgdn_error err;
    CHECK(wgdn_spectrum_from_graph(&s, g, &err) == WGDN_ENOSUPPORT);
    CHECK_TEXT(
        err.message,
        "spectrum: this libwgdn was built without LAPACK; install LAPACKE and build it again");
    wgdn_graph_free(g);
}

static int exact_tests(void)
{
    RUN(says_what_is_missing);
    return check_result();
}
#else

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
    CHECK(wgdn_approximate_any(a, ORDER, WGDN_APPROXIMATION_ONE_STEP, wgdn_wiener_response, &f,
                               NULL) == WGDN_OK);
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
static void exact_same_bits_for_any_threads(void)
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

static void exact_refusals(void)
{
    wgdn_graph *g = NULL;
    wgdn_spectrum *s = NULL;
    wgdn_error err;
    float x[4] = {1, 2, 3, 4}, y[4];
    double r[4] = {1, 1, 1, 1};
    CHECK(wgdn_graph_from_edges(&g, 5001, 0, NULL, NULL, NULL) == WGDN_OK);
    CHECK(wgdn_spectrum_from_graph(&s, g, &err) == WGDN_ERANGE);
    CHECK(strstr(err.message, "5001 nodes are more than 5000"));
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

static int exact_tests(void)
{
    RUN(known_spectra);
    RUN(weighted_triangle);
    RUN(applies_what_it_is_given);
    RUN(high_orders_keep_their_digits);
    RUN(energies_add_up);
    RUN(exact_same_bits_for_any_threads);
    RUN(exact_refusals);
    return check_result();
}
#endif

int main(int argc, char **argv)
{
    static const check_group groups[] = {
        {"kernel", kernel_tests},
        {"density", density_tests},
        {"exact", exact_tests},
    };
    return check_groups(groups, sizeof groups / sizeof *groups, argc, argv);
}
