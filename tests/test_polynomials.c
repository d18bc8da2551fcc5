/* SPDX-License-Identifier: Apache-2.0 */
/* Approximations by polynomials, and filters by them. */
#include "check.h"
#include "golden/coefs.h"
#include "support.h"

#include "linalg/rows.h"
#include "linalg/wide_rows.h"
#include "spectral/spectral.h"

#include <float.h>

/* ---- fit ---- */

static wgdn_kernel *kernel(const char *text)
{
    wgdn_kernel *k = NULL;
    if (wgdn_kernel_parse(&k, text, NULL)) abort();
    return k;
}

/* 1e-9 relative, and half a unit of the ninth digit that the reference was printed with. */
static double printed(double reference)
{
    if (reference == 0) return 1e-12;
    return 0.5 * pow(10, floor(log10(fabs(reference))) - 8) + 1e-9 * fabs(reference);
}

/*
 * Beside that 5e-12 of the largest coefficient, which matters for two numbers: c_5 and c_6 of gcn
 * at penalty 10 are a thousandth of c_0. In 60 digits c_5 is 8.82088055234e-05: the reference,
 * which solves with powers in double, is 2e-9 off and this library 1.4e-9.
 */
static void golden_wiener_coefficients(void)
{
    for (size_t i = 0; i < sizeof golden_wiener / sizeof *golden_wiener; i++) {
        const struct golden_wiener *r = &golden_wiener[i];
        double a[10], c[10], *as[] = {a};
        wgdn_approximator *f = NULL;
        wgdn_kernel *k = kernel(r->kernel);
        CHECK(wgdn_approximator_new(&f, r->order, NULL) == WGDN_OK);
        CHECK(wgdn_response_series(as, f, wgdn_wiener_response, k, &r->penalty, 1, NULL) ==
              WGDN_OK);
        wgdn_series_to_powers(c, a, r->order);
        double most = 0;
        for (int m = 0; m <= r->order; m++)
            most = fmax(most, fabs(c[m]));
        for (int m = 0; m <= r->order; m++)
            CHECK_NEAR(c[m], r->c[m], printed(r->c[m]) + 5e-12 * most);
        wgdn_kernel_free(k);
        wgdn_approximator_free(f);
    }
}

static void golden_encoder_coefficients(void)
{
    for (size_t i = 0; i < sizeof golden_encoder / sizeof *golden_encoder; i++) {
        const struct golden_encoder *r = &golden_encoder[i];
        double a[4], c[4], whole[4];
        wgdn_approximator *f = NULL;
        wgdn_kernel *k = kernel(r->kernel);
        const wgdn_filter filter = {k, 0};
        const wgdn_response response = r->inverse ? wgdn_inverse_response : wgdn_wiener_response;
        CHECK(wgdn_approximator_new(&f, r->order, NULL) == WGDN_OK);
        if (r->inverse)
            CHECK(wgdn_approximate_response(a, f, response, &filter, NULL) == WGDN_OK);
        else
            CHECK(wgdn_approximate_response(a, f, wgdn_kernel_response, k, NULL) == WGDN_OK);
        wgdn_series_to_powers(c, a, r->order);
        for (int m = 0; m <= r->order; m++)
            CHECK_NEAR(c[m], r->c[m], printed(r->c[m]));
        CHECK(wgdn_kernel_coefficients(whole, k, r->order, WGDN_APPROXIMATION_ONE_STEP, NULL) ==
              WGDN_OK);
        for (int m = 0; m <= r->order && !r->inverse; m++)
            CHECK_NEAR(whole[m], c[m], 1e-13);
        wgdn_kernel_free(k);
        wgdn_approximator_free(f);
    }
}

static void golden_nodes(void)
{
    wgdn_approximator *f = NULL;
    CHECK(wgdn_approximator_new(&f, 9, NULL) == WGDN_OK);
    for (int i = 0; i < 11; i++)
        CHECK_NEAR(f->node[i], golden_nodes_9[i], printed(golden_nodes_9[i]));
    CHECK(f->node[5] == 1);
    wgdn_approximator_free(f);
    CHECK(wgdn_approximator_new(&f, 2, NULL) == WGDN_OK);
    for (int i = 0; i < 4; i++)
        CHECK_NEAR(f->node[i], golden_nodes_2[i], printed(golden_nodes_2[i]));
    wgdn_approximator_free(f);
}

/* The defining equations, at every order: p(x_i) - f(x_i) is the same at all nodes but for sign. */
static void equations_hold_at_every_order(void)
{
    wgdn_kernel *k = kernel("ppr");
    for (int order = 0; order <= WGDN_ORDER_MAX; order++) {
        double a[WGDN_ORDER_MAX + 1];
        wgdn_approximator *f = NULL;
        CHECK(wgdn_approximator_new(&f, order, NULL) == WGDN_OK);
        CHECK(wgdn_approximate_response(a, f, wgdn_kernel_response, k, NULL) == WGDN_OK);
        double first = 0;
        for (int i = 0; i < order + 2; i++) {
            const double e =
                (wgdn_series_value(a, order, f->node[i]) - wgdn_kernel_value(k, f->node[i])) *
                (i % 2 ? -1 : 1);
            if (i == 0) first = e;
            CHECK_NEAR(e, first, 64 * DBL_EPSILON);
        }
        wgdn_approximator_free(f);
    }
    wgdn_kernel_free(k);
}

static double largest_error(const double *a, const double *c, int order, const wgdn_kernel *k)
{
    double most = 0;
    for (int i = 0; i <= 2000; i++) {
        const double lambda = i * 1e-3;
        double p = 0;
        for (int m = order; c && m >= 0; m--)
            p = p * lambda + c[m];
        if (a) p = wgdn_series_value(a, order, lambda);
        most = fmax(most, fabs(p - wgdn_kernel_value(k, lambda)));
    }
    return most;
}

/*
 * Order 30 without loss. Series: heat is at rounding, ppr at what its pole allows (2.62^-30 =
 * 3e-13). Powers: the conversion must not add more than sum_m |c_m| 2^m roundings to that.
 */
static void order_30_keeps_its_accuracy(void)
{
    static const struct {
        const char *kernel;
        double most;
    } cases[] = {{"heat", 1e-15}, {"heat:t=3", 1e-15}, {"ppr", 1e-9}, {"ppr:alpha=0.5", 1e-15}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int order = 26; order <= 30; order++) {
            double a[31], c[31], back[31], size = 0;
            wgdn_kernel *k = kernel(cases[i].kernel);
            CHECK(wgdn_approximate_any(a, order, WGDN_APPROXIMATION_ONE_STEP, wgdn_kernel_response,
                                       k, NULL) == 0);
            wgdn_series_to_powers(c, a, order);
            for (int m = 0; m <= order; m++)
                size += fabs(c[m]) * ldexp(1, m);
            const double series = largest_error(a, NULL, order, k);
            const double powers = largest_error(NULL, c, order, k);
            if (order == 30) {
                printf("     %s, order 30: series %.1e, powers %.1e of sum |c| 2^m = %.1e\n",
                       cases[i].kernel, series, powers, size);
                CHECK(series < 2 * cases[i].most);
            }
            CHECK(powers <= series + 4 * size * DBL_EPSILON);
            wgdn_series_from_powers(back, c, order);
            for (int m = 0; m <= order; m++)
                CHECK_NEAR(back[m], a[m], 4 * size * DBL_EPSILON);
            wgdn_kernel_free(k);
        }
}

/* T_3(lambda - 1) = 4 t^3 - 3 t = -1 + 9 lambda - 12 lambda^2 + 4 lambda^3. */
static void powers_by_hand(void)
{
    const double a[4] = {0, 0, 0, 1}, expected[4] = {-1, 9, -12, 4};
    double c[4], back[4];
    wgdn_series_to_powers(c, a, 3);
    wgdn_series_from_powers(back, expected, 3);
    for (int m = 0; m < 4; m++) {
        CHECK(c[m] == expected[m]);
        CHECK_NEAR(back[m], a[m], 1e-15);
    }
}

static void limits(void)
{
    wgdn_approximator *f = NULL;
    wgdn_error err;
    CHECK(wgdn_approximator_new(&f, -1, &err) == WGDN_EINVAL);
    CHECK(wgdn_approximator_new(&f, WGDN_ORDER_MAX + 1, &err) == WGDN_EINVAL);
    CHECK_TEXT(err.message, "polynomial approximation: order 65 is not within 0 .. 64");
    CHECK_ALLOCATIONS(wgdn_approximator_new(&f, 5, NULL), wgdn_approximator_free(f));
    wgdn_approximator_free(NULL);
}

static int fit_tests(void)
{
    RUN(golden_nodes);
    RUN(golden_wiener_coefficients);
    RUN(golden_encoder_coefficients);
    RUN(equations_hold_at_every_order);
    RUN(order_30_keeps_its_accuracy);
    RUN(powers_by_hand);
    RUN(limits);
    return check_result();
}

/* ---- remez ---- */

static const double pi = 3.14159265358979323846;
static const double penalties[] = {0.01, 0.1, 1, 10};
static const char *const kernels[] = {"heat", "ppr", "gcn"};

static double error_at(const double *a, int order, const wgdn_filter *f, double lambda)
{
    return wgdn_wiener_response(lambda, f) - wgdn_series_value(a, order, lambda);
}

static double grid_error(const double *a, int order, const wgdn_filter *f)
{
    double most = 0;
    for (int i = 0; i < 10000; i++)
        most = fmax(most, fabs(error_at(a, order, f, 2.0 * i / 9999)));
    return most;
}

/*
 * Tops of the runs of equal sign on a grid of 10^5 angles, fine enough to see a top to 1e-7 of its
 * height, and how many of them in a row are at least `least` high: the longest such row.
 */
static int alternations(const double *a, int order, const wgdn_filter *f, double least)
{
    enum { STEPS = 100000 };
    double top = 0;
    int longest = 0, row = 0, sign = 0;
    for (int i = 0; i <= STEPS + 1; i++) {
        const double e = i > STEPS ? 0 : error_at(a, order, f, 1 - cos(pi * i / STEPS));
        const int here = i > STEPS ? 2 : e < 0 ? -1 : 1;
        if (here != sign && sign != 0) {
            row = top >= least ? row + 1 : 0;
            if (row > longest) longest = row;
            top = 0;
        }
        sign = here;
        top = fmax(top, fabs(e));
    }
    return longest;
}

static void error_equioscillates_and_is_least(void)
{
    int floored = 0, rounds = 0;
    for (int i = 0; i < 3; i++)
        for (int p = 0; p < 4; p++)
            for (int order = 1; order <= 12; order++) {
                wgdn_kernel *k = kernel(kernels[i]);
                const wgdn_filter f = {k, penalties[p]};
                double a[13], one[13];
                wgdn_remez_result r;
                CHECK(wgdn_remez(a, &r, order, wgdn_wiener_response, &f, NULL) == WGDN_OK);
                CHECK(wgdn_approximate_any(one, order, WGDN_APPROXIMATION_ONE_STEP,
                                           wgdn_wiener_response, &f, NULL) == WGDN_OK);
                const double scale = 1 / (2 * sqrt(penalties[p])); /* no response exceeds it */
                const double rounding = 4 * DBL_EPSILON * scale;   /* in response and series */
                if (rounding > 1e-6 * r.error) floored++;
                const int points = alternations(a, order, &f, r.error * (1 - 1e-6) - rounding);
                if (points < order + 2)
                    fprintf(stderr, "%s, penalty %g, order %d: %d points, error %g\n", kernels[i],
                            penalties[p], order, points, r.error);
                CHECK(points >= order + 2);
                CHECK(grid_error(a, order, &f) <= r.error * (1 + 1e-9) + rounding);
                CHECK(grid_error(a, order, &f) <= grid_error(one, order, &f) + rounding);
                if (r.rounds > rounds) rounds = r.rounds;
                wgdn_kernel_free(k);
            }
    printf("     at most %d rounds; in %d of 144 cases rounding is above 1e-6 of the error\n",
           rounds, floored);
}

static double absolute(double lambda, const void *what)
{
    (void)what;
    return fabs(lambda - 1);
}

/* The best quadratic for |t| on [-1, 1] is t^2 + 1/8, with error 1/8 at five points. */
static void known_best_polynomial(void)
{
    double a[4], c[4];
    wgdn_remez_result r;
    CHECK(wgdn_remez(a, &r, 2, absolute, NULL, NULL) == WGDN_OK);
    wgdn_series_to_powers(c, a, 2);
    CHECK_NEAR(r.error, 0.125, 1e-10);
    CHECK_NEAR(c[0], 1.125, 1e-9); /* (lambda - 1)^2 + 1/8 */
    CHECK_NEAR(c[1], -2, 1e-9);
    CHECK_NEAR(c[2], 1, 1e-9);
    CHECK(wgdn_remez(a, &r, 3, absolute, NULL, NULL) == WGDN_OK);
    CHECK_NEAR(r.error, 0.125, 1e-10);
}

/* Nothing to exchange when the response is a polynomial itself: the error is rounding. */
static void polynomials_are_met(void)
{
    wgdn_kernel *k = kernel("poly:1,-2,0.5,0.25");
    double a[9];
    wgdn_remez_result r;
    for (int order = 3; order <= 8; order++) {
        CHECK(wgdn_remez(a, &r, order, wgdn_kernel_response, k, NULL) == WGDN_OK);
        CHECK(r.error < 1e-14);
    }
    wgdn_kernel_free(k);
}

static double jump(double lambda, const void *what)
{
    (void)what;
    return lambda < 0.7 ? 1 : 0;
}

/* No polynomial comes nearer than half a jump; the search must end and not be worse for it. */
static void jumps_end(void)
{
    double a[31], one[31], worst = 0, before = 0;
    wgdn_remez_result r;
    for (int order = 0; order <= 30; order++) {
        CHECK(wgdn_remez(a, &r, order, jump, NULL, NULL) == WGDN_OK);
        CHECK(wgdn_approximate_any(one, order, WGDN_APPROXIMATION_ONE_STEP, jump, NULL, NULL) ==
              WGDN_OK);
        worst = before = 0;
        for (int i = 0; i <= 10000; i++) {
            const double lambda = 2e-4 * i;
            worst = fmax(worst, fabs(jump(lambda, NULL) - wgdn_series_value(a, order, lambda)));
            before = fmax(before, fabs(jump(lambda, NULL) - wgdn_series_value(one, order, lambda)));
        }
        CHECK(worst <= before + 1e-3);
    }
}

static void high_orders(void)
{
    wgdn_kernel *k = kernel("gcn");
    const wgdn_filter f = {k, 0.01};
    for (int order = 20; order <= WGDN_ORDER_MAX; order += 11) {
        double a[WGDN_ORDER_MAX + 1];
        wgdn_remez_result r;
        CHECK(wgdn_remez(a, &r, order, wgdn_wiener_response, &f, NULL) == WGDN_OK);
        CHECK(alternations(a, order, &f, r.error * (1 - 1e-5)) >= order + 2);
    }
    wgdn_kernel_free(k);
}

static double nowhere(double lambda, const void *what)
{
    (void)what;
    return lambda > 1.9999 ? NAN : 1 / (1 + lambda);
}

static void refusals(void)
{
    double a[4];
    wgdn_error err;
    CHECK(wgdn_remez(a, NULL, 3, nowhere, NULL, &err) == WGDN_EINVAL);
    CHECK_TEXT(err.message, "Remez approximation: the response at lambda = 2 is not finite; it "
                            "must be finite on 0 .. 2");
    CHECK_ALLOCATIONS(wgdn_remez(a, NULL, 3, absolute, NULL, NULL), (void)0);
}

static int remez_tests(void)
{
    RUN(known_best_polynomial);
    RUN(polynomials_are_met);
    RUN(error_equioscillates_and_is_least);
    RUN(high_orders);
    RUN(jumps_end);
    RUN(refusals);
    return check_result();
}

/* ---- wiener ---- */

static void responses_by_hand(void)
{
    CHECK_NEAR(wgdn_wiener(0.5, 0.25), 1, 1e-15);
    CHECK_NEAR(wgdn_wiener(-0.5, 0.25), -1, 1e-15);
    CHECK_NEAR(wgdn_wiener(2, 0), 0.5, 1e-15);
    CHECK_NEAR(wgdn_inverse(4), 0.25, 1e-15);
}

/* 0/0 := 0 at every penalty, and nothing overflows beside it. */
static void zero_stays_zero(void)
{
    CHECK(wgdn_wiener(0, 0) == 0);
    CHECK(wgdn_wiener(0, 1) == 0);
    CHECK(wgdn_inverse(0) == 0);
    CHECK_NEAR(wgdn_wiener(1e-200, 0), 1e200, 1e185); /* g^2 alone would be 0 */
    CHECK(wgdn_wiener(1e-200, 1) == 1e-200);
}

/* gcn is 0 at the middle node of every odd order; penalty 0 must not spoil the fit. */
static void gcn_without_noise(void)
{
    wgdn_kernel *k = kernel("gcn");
    const double none = 0;
    for (int order = 1; order <= 15; order++) {
        double a[16], c[16], *as[] = {a};
        wgdn_approximator *f = NULL;
        CHECK(wgdn_approximator_new(&f, order, NULL) == WGDN_OK);
        CHECK(wgdn_response_series(as, f, wgdn_wiener_response, k, &none, 1, NULL) == WGDN_OK);
        wgdn_series_to_powers(c, a, order);
        for (int m = 0; m <= order; m++)
            CHECK(isfinite(c[m]) && fabs(c[m]) < 1e12);
        wgdn_approximator_free(f);
    }
    wgdn_kernel_free(k);
}

static void sums_of(wgdn_signal_sums *s, const wgdn_graph *g, const float *x, int64_t d,
                    wgdn_average m)
{
    const int64_t n = wgdn_graph_nodes(g);
    void *work = wgdn_alloc(wgdn_laplacian_sums_work(wgdn_alone(n), d), 1);
    if (!work) abort();
    wgdn_laplacian_sums(s, NULL, g, x, d, m, work);
    wgdn_release(work);
}

/* Penalties of the reference's decoder layers; x was printed with nine digits and is float here. */
static void golden_penalties(void)
{
    wgdn_graph *g = NULL;
    CHECK(wgdn_graph_from_edges(&g, 6, 5, golden_src, golden_dst, NULL) == WGDN_OK);
    for (size_t i = 0; i < sizeof golden_layers / sizeof *golden_layers; i++) {
        const struct golden_layer *l = &golden_layers[i];
        wgdn_signal_sums sums;
        double penalty[3];
        sums_of(&sums, g, l->x, 4, l->column_average ? WGDN_AVERAGE_COLUMN : WGDN_AVERAGE_ROW);
        const wgdn_signal_noise e = wgdn_wiener_estimate(&sums, 6);
        CHECK(wgdn_wiener_penalties(penalty, &e, golden_gamma, 3, "layer", NULL) == WGDN_OK);
        for (int c = 0; c < 3; c++)
            CHECK_NEAR(penalty[c], l->penalty[c], 2e-6 * l->penalty[c]);
    }
    wgdn_graph_free(g);
}

/* Two nodes, one edge, one column 1, 3: var 2, mean square 5, M x = 3, 1. */
static void estimates_by_hand(void)
{
    const int64_t src[] = {0}, dst[] = {1};
    const float x[2] = {1, 3};
    wgdn_graph *g = NULL;
    wgdn_signal_sums sums;
    CHECK(wgdn_graph_from_edges(&g, 2, 1, src, dst, NULL) == WGDN_OK);
    sums_of(&sums, g, x, 1, WGDN_AVERAGE_ROW);
    const wgdn_signal_noise e = wgdn_wiener_estimate(&sums, 2);
    CHECK_NEAR(e.signal, 7, 1e-12);
    CHECK_NEAR(e.noise, 4, 1e-12);
    wgdn_signal_noise same = {0};
    CHECK_ALLOCATIONS(wgdn_graph_measure_noise(&same, g, x, 1, WGDN_AVERAGE_ROW, NULL, NULL),
                      (void)0);
    CHECK(same.signal == e.signal && same.noise == e.noise);
    CHECK(wgdn_graph_measure_noise(&same, g, x, 0, WGDN_AVERAGE_ROW, NULL, NULL) == WGDN_EINVAL);
    CHECK(wgdn_graph_measure_noise(&same, g, x, 1, (wgdn_average)2, NULL, NULL) == WGDN_EINVAL);
    wgdn_graph_free(g);
}

/* Without edges all is noise: noise = mean square; with one node the variance is 0. */
static void isolated_nodes_are_noise(void)
{
    const float x[6] = {1, 2, 3, 4, 5, 6};
    wgdn_graph *g = NULL;
    wgdn_signal_sums sums;
    CHECK(wgdn_graph_from_edges(&g, 3, 0, NULL, NULL, NULL) == WGDN_OK);
    for (int m = 0; m < 2; m++) {
        sums_of(&sums, g, x, 2, (wgdn_average)m);
        const wgdn_signal_noise e = wgdn_wiener_estimate(&sums, 3);
        CHECK_NEAR(e.noise, 91.0 / 3, 1e-12);
        CHECK_NEAR(e.signal, 91.0 / 3 + 8, 1e-12); /* var 4 in either column */
    }
    wgdn_graph_free(g);
    CHECK(wgdn_graph_from_edges(&g, 1, 0, NULL, NULL, NULL) == WGDN_OK);
    sums_of(&sums, g, x + 2, 1, WGDN_AVERAGE_ROW);
    const wgdn_signal_noise e = wgdn_wiener_estimate(&sums, 1);
    CHECK(e.signal == 9 && e.noise == 9);
    wgdn_graph_free(g);
}

/* Equal rows on a regular graph: no noise, penalty 0, and a spread that must not go below 0. */
static void constant_signal(void)
{
    const int64_t src[] = {0, 1, 2}, dst[] = {1, 2, 0};
    const float x[3] = {0.1f, 0.1f, 0.1f};
    const double gamma = 1;
    double penalty = -1;
    wgdn_graph *g = NULL;
    wgdn_signal_sums sums;
    CHECK(wgdn_graph_from_edges(&g, 3, 3, src, dst, NULL) == WGDN_OK);
    sums_of(&sums, g, x, 1, WGDN_AVERAGE_ROW);
    const wgdn_signal_noise e = wgdn_wiener_estimate(&sums, 3);
    CHECK_NEAR(e.signal, 0.01, 1e-8);
    CHECK(wgdn_wiener_penalties(&penalty, &e, &gamma, 1, "here", NULL) == WGDN_OK);
    CHECK(penalty >= 0 && penalty < 1e-12);
    wgdn_graph_free(g);
}

static void refusals_name_the_place(void)
{
    const double one = 1, zero = 0;
    double penalty = 7;
    wgdn_error err;
    wgdn_signal_noise e = {0, 0};
    CHECK(wgdn_wiener_penalties(&penalty, &e, &one, 1, "decoder layer 2", &err) == WGDN_EINVAL);
    CHECK(strstr(err.message, "decoder layer 2: signal 0 and noise 0"));
    e = (wgdn_signal_noise){1, NAN};
    CHECK(wgdn_wiener_penalties(&penalty, &e, &one, 1, "here", &err) == WGDN_EINVAL);
    e = (wgdn_signal_noise){INFINITY, 1};
    CHECK(wgdn_wiener_penalties(&penalty, &e, &one, 1, "here", &err) == WGDN_EINVAL);
    e = (wgdn_signal_noise){1, 1};
    CHECK(wgdn_wiener_penalties(&penalty, &e, &zero, 1, "here", &err) == WGDN_EINVAL);
    CHECK_TEXT(err.message, "here: gamma of channel 0 is 0; it must be above 0");
    CHECK(penalty == 7);
}

static int wiener_tests(void)
{
    RUN(responses_by_hand);
    RUN(zero_stays_zero);
    RUN(gcn_without_noise);
    RUN(golden_penalties);
    RUN(estimates_by_hand);
    RUN(isolated_nodes_are_noise);
    RUN(constant_signal);
    RUN(refusals_name_the_place);
    return check_result();
}

/* ---- poly ---- */

enum { CHANNELS = 3, ORDER_MAX = 4 };

static const double c0[] = {1, -0.5, 0.25, 0.125, -0.0625};
static const double c1[] = {0.3, 0.2, -0.1, 0.05, 0.4};
static const double c2[] = {-1, 0, 0.7, -0.6, 0.1};
static const double *const poly_powers[CHANNELS] = {c0, c1, c2};

/* The same polynomials as Chebyshev series. */
typedef double poly_series[CHANNELS][ORDER_MAX + 1];

typedef struct poly_case {
    const wgdn_graph *g;
    int64_t d;
    int order, channels;
    wgdn_precision precision; /* of the gradient's messages */
    const float *x;
    const float *dy[CHANNELS];
} poly_case;

static wgdn_poly poly_of(poly_series s, const poly_case *c, float *work)
{
    wgdn_poly p = {.graph = c->g,
                   .d = c->d,
                   .channels = c->channels,
                   .order = c->order,
                   .precision = c->precision,
                   .work = work};
    for (int q = 0; q < c->channels; q++) {
        wgdn_series_from_powers(s[q], poly_powers[q], c->order);
        p.a[q] = s[q];
    }
    return p;
}

static void run_filter(float *out, void *context)
{
    const poly_case *c = context;
    poly_series s;
    const int64_t size = wgdn_graph_nodes(c->g) * c->d;
    float *y[CHANNELS], *work;
    work = wgdn_alloc(wgdn_poly_work(wgdn_graph_nodes(c->g), c->d, c->order), sizeof *work);
    for (int q = 0; q < CHANNELS; q++)
        y[q] = out + q * size;
    const wgdn_poly p = poly_of(s, c, work);
    wgdn_poly_filter(y, &p, c->x, NULL, false);
    wgdn_release(work);
}

/* Minus the filter first, then the filter twice by adding, once with (L - 1) X given. */
static void run_add(float *out, void *context)
{
    const poly_case *c = context;
    poly_series s;
    const int64_t n = wgdn_graph_nodes(c->g), size = n * c->d;
    float *y[CHANNELS], *work = wgdn_alloc(wgdn_poly_work(n, c->d, 2 + c->order), sizeof *work);
    float *first = matrix(n, c->d);
    run_filter(out, context);
    for (int q = 0; q < CHANNELS; q++) {
        y[q] = out + q * size;
        if (q < c->channels) wgdn_scale(y[q], -1, n, c->d);
    }
    wgdn_laplacian(first, c->g, c->x, c->d);
    wgdn_axpy(first, -1, c->x, n, c->d);
    const wgdn_poly p = poly_of(s, c, work);
    wgdn_poly_filter(y, &p, c->x, NULL, true);
    wgdn_copy(wgdn_poly_first(work, c->d), first, n, c->d);
    wgdn_poly_filter(y, &p, c->x, c->order > 0 ? wgdn_poly_first(work, c->d) : NULL, true);
    wgdn_release(first);
    wgdn_release(work);
}

static void run_gradient(float *dx, void *context)
{
    const poly_case *c = context;
    poly_series s;
    float *work = wgdn_alloc(wgdn_poly_work(wgdn_graph_nodes(c->g), c->d, c->order), sizeof *work);
    const wgdn_poly p = poly_of(s, c, work);
    wgdn_poly_gradient(dx, &p, c->dy);
    wgdn_release(work);
}

/* sum_k c[k] L^k x for one column, in double. */
static void naive(double *y, const poly_case *c, const float *x, int64_t t, const double *coef)
{
    const wgdn_csr *a = &c->g->adjacency;
    const int64_t n = a->rows;
    double *power = wgdn_alloc((size_t)n, sizeof *power), *next = wgdn_alloc((size_t)n, 8);
    for (int64_t i = 0; i < n; i++)
        power[i] = x[i * c->d + t];
    for (int k = 0; k <= c->order; k++) {
        for (int64_t i = 0; i < n; i++) {
            const double di = wgdn_graph_strength(a, i);
            y[i * c->d + t] += coef[k] * power[i];
            next[i] = power[i];
            for (int64_t e = a->offset[i]; e < a->offset[i + 1]; e++)
                next[i] -= (a->value ? a->value[e] : 1) * power[a->column[e]] /
                           sqrt(di * wgdn_graph_strength(a, a->column[e]));
        }
        memcpy(power, next, (size_t)n * sizeof *power);
    }
    wgdn_release(next);
    wgdn_release(power);
}

static void check_graph(wgdn_graph *g, int64_t d, int order, int channels)
{
    const int64_t n = wgdn_graph_nodes(g);
    float *x = random_matrix(1, n, d), *dy[CHANNELS];
    poly_case c = {.g = g, .d = d, .order = order, .channels = channels, .x = x};
    double *y = wgdn_alloc_zero((size_t)(channels * n * d), sizeof *y);
    double *dx = wgdn_alloc_zero((size_t)(n * d), sizeof *dx);
    for (int q = 0; q < CHANNELS; q++)
        c.dy[q] = dy[q] = random_matrix((uint16_t)(2 + q), n, d);
    for (int q = 0; q < channels; q++)
        for (int64_t t = 0; t < d; t++) {
            naive(y + q * n * d, &c, x, t, poly_powers[q]);
            naive(dx, &c, dy[q], t, poly_powers[q]);
        }
    check_levels(run_filter, &c, channels * n * d, y, 3e-6);
    check_levels(run_add, &c, channels * n * d, y, 6e-6);
    check_levels(run_gradient, &c, n * d, dx, 3e-6);
    /* A message is off by up to 2^-9, and there are ORDER_MAX generations of them. */
    c.precision = WGDN_PRECISION_BF16;
    check_levels(run_gradient, &c, n * d, dx, ORDER_MAX * 0x1p-8);
    for (int q = 0; q < CHANNELS; q++)
        wgdn_release(dy[q]);
    wgdn_release(dx);
    wgdn_release(y);
    wgdn_release(x);
    wgdn_graph_free(g);
}

static void check_case(int64_t n, int64_t d, int order, int channels)
{
    check_graph(random_graph(n, 3), d, order, channels);
}

static void weighted(void)
{
    for (int order = 0; order <= ORDER_MAX; order += 3)
        for (int channels = 1; channels <= CHANNELS; channels += 2) {
            check_graph(weigh(random_graph(700, 3)), 5, order, channels);
            check_graph(weigh(random_graph(90, 3)), 129, order, channels);
        }
}

static void against_naive(void)
{
    const int64_t widths[] = {1, 5, 127, 128, 129};
    for (int order = 0; order <= ORDER_MAX; order++)
        for (size_t i = 0; i < sizeof widths / sizeof *widths; i++)
            for (int channels = 1; channels <= CHANNELS; channels += 2)
                check_case(i < 2 ? 700 : 90, widths[i], order, channels);
    check_case(1, 4, 3, 2);
}

/* Gathering bf16 is gathering the same numbers as floats, bit for bit. */
static void gathered_halves(void)
{
    enum { N = 60 };
    const int64_t widths[] = {1, 7, 16, 33, 128, 300};
    wgdn_graph *g = weigh(random_graph(N, 5));
    for (size_t w = 0; w < sizeof widths / sizeof *widths; w++) {
        const int64_t d = widths[w];
        float *x = random_matrix(1, N, d), *rounded = matrix(N, d), *y = matrix(2, d);
        uint16_t *half = wgdn_alloc((size_t)(N * d), sizeof *half);
        for (int level = 0; level <= (int)wgdn_cpu_best(); level++) {
            wgdn_cpu_limit((wgdn_cpu)level);
            wgdn_wide_rows()->halve(half, x, N * d);
            wgdn_wide_rows()->coarsen(rounded, x, N * d);
            for (int64_t i = 0; i < N; i++) {
                const wgdn_csr *const a = &g->adjacency;
                const wgdn_row row = {.column = a->column + a->offset[i],
                                      .value = a->value + a->offset[i],
                                      .scale = g->inv_sqrt_degree,
                                      .count = a->offset[i + 1] - a->offset[i],
                                      .ahead = wgdn_csr_entries(a) - a->offset[i]};
                wgdn_rows()->gather(y, &row, rounded, d);
                wgdn_rows()->gather_half(y + d, &row, half, d);
                CHECK(memcmp(y, y + d, (size_t)d * sizeof *y) == 0);
            }
        }
        wgdn_cpu_limit(WGDN_CPU_V4);
        wgdn_release(half);
        wgdn_release(y);
        wgdn_release(rounded);
        wgdn_release(x);
    }
    wgdn_graph_free(g);
}

/*
 * The loss f(X) = sum_q <Y_q(X), Y_q(X)> / 2 has dY_q = Y_q, so the gradient must match central
 * differences of f. f is quadratic: the difference is exact, and float rounding of Y (6e-8) over
 * the step sets the tolerance.
 */
static double loss(const poly_case *c, float *y)
{
    double sum = 0;
    run_filter(y, (void *)(uintptr_t)c);
    for (int64_t i = 0; i < c->channels * wgdn_graph_nodes(c->g) * c->d; i++)
        sum += 0.5 * (double)y[i] * y[i];
    return sum;
}

static void central_differences(void)
{
    enum { N = 12, D = 3 };
    wgdn_graph *g = random_graph(N, 2);
    float *x = random_matrix(1, N, D), y[CHANNELS * N * D], dx[N * D];
    for (int order = 0; order <= ORDER_MAX; order++) {
        poly_case c = {.g = g, .d = D, .order = order, .channels = CHANNELS, .x = x};
        run_filter(y, &c);
        for (int q = 0; q < CHANNELS; q++)
            c.dy[q] = y + q * N * D;
        run_gradient(dx, &c);
        for (int i = 0; i < N * D; i++) {
            const float before = x[i], step = 0.125f;
            float moved[CHANNELS * N * D];
            x[i] = before + step;
            const double up = loss(&c, moved);
            x[i] = before - step;
            const double down = loss(&c, moved);
            x[i] = before;
            CHECK_NEAR((up - down) / (2 * step), dx[i], 1e-4);
        }
    }
    wgdn_release(x);
    wgdn_graph_free(g);
}

static int poly_tests(void)
{
    RUN(against_naive);
    RUN(weighted);
    RUN(gathered_halves);
    RUN(central_differences);
    return check_result();
}

/* ---- filter ---- */

/* The path 0 - 1 - 2: L = I - S A S with S = diag(1, 1/sqrt 2, 1), so L x by hand is easy. */
static void known_answer(void)
{
    const int64_t src[] = {0, 1}, dst[] = {1, 2};
    const float x[3] = {1, 2, 4};
    const double c[2] = {1, -0.5}, r = sqrt(0.5);
    float y[3];
    wgdn_graph *g = NULL;
    CHECK(wgdn_graph_from_edges(&g, 3, 2, src, dst, NULL) == WGDN_OK);
    CHECK(wgdn_graph_filter(y, g, x, 1, c, 1, NULL, NULL) == WGDN_OK);
    CHECK_NEAR(y[0], 1 - 0.5 * (1 - 2 * r), 1e-6);
    CHECK_NEAR(y[1], 2 - 0.5 * (2 - 5 * r), 1e-6);
    CHECK_NEAR(y[2], 4 - 0.5 * (4 - 2 * r), 1e-6);
    wgdn_graph_free(g);
}

static void wrong_calls(void)
{
    const double c[1] = {1};
    float x[4] = {0}, y[4];
    wgdn_compute_options o;
    wgdn_graph *g = random_graph(4, 1);
    wgdn_error err;
    wgdn_compute_options_init(&o);
    CHECK(wgdn_graph_filter(x, g, x, 1, c, 0, NULL, &err) == WGDN_EINVAL);
    CHECK(wgdn_graph_filter(y, NULL, x, 1, c, 0, NULL, &err) == WGDN_EINVAL);
    CHECK(wgdn_graph_filter(y, g, x, 0, c, 0, NULL, &err) == WGDN_EINVAL);
    CHECK(wgdn_graph_filter(y, g, x, 1, c, 65, NULL, &err) == WGDN_EINVAL);
    CHECK_TEXT(err.message, "filter: order 65 is not within 0 .. 64");
    CHECK(wgdn_graph_filter(y, g, x, INT64_MAX, c, 0, NULL, &err) == WGDN_ERANGE);
    o.threads = 5000;
    CHECK(wgdn_graph_filter(y, g, x, 1, c, 0, &o, &err) == WGDN_EINVAL);
    wgdn_graph_free(g);
}

/* Threads by option: same bits, and the caller's own setting is left as it was. */
static void threads_by_option(void)
{
    enum { N = 900, D = 40 };
    const double c[] = {0.5, -0.25, 0.125};
    wgdn_graph *g = random_graph(N, 5);
    float *x = random_matrix(1, N, D), *y = matrix(N, D), *again = matrix(N, D);
    const int before = wgdn_threads_count(0);
    for (int threads = 1; threads <= 4; threads++) {
        wgdn_compute_options o;
        wgdn_compute_options_init(&o);
        o.threads = threads;
        CHECK(wgdn_graph_filter(threads == 1 ? y : again, g, x, D, c, 2, &o, NULL) == WGDN_OK);
        if (threads > 1) CHECK(memcmp(y, again, sizeof *y * N * D) == 0);
    }
    CHECK(wgdn_threads_count(0) == before);
    wgdn_release(again);
    wgdn_release(y);
    wgdn_release(x);
    wgdn_graph_free(g);
}

static void allocations(void)
{
    const double c[] = {1, 1, 1};
    wgdn_graph *g = random_graph(5, 1);
    float x[5] = {1, 2, 3, 4, 5}, y[5];
    CHECK_ALLOCATIONS(wgdn_graph_filter(y, g, x, 1, c, 2, NULL, NULL), (void)0);
    wgdn_graph_free(g);
}

static int filter_tests(void)
{
    RUN(known_answer);
    RUN(wrong_calls);
    RUN(threads_by_option);
    RUN(allocations);
    return check_result();
}

int main(int argc, char **argv)
{
    static const check_group groups[] = {
        {"fit", fit_tests},   {"remez", remez_tests},   {"wiener", wiener_tests},
        {"poly", poly_tests}, {"filter", filter_tests},
    };
    return check_groups(groups, sizeof groups / sizeof *groups, argc, argv);
}
