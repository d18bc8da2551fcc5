/* SPDX-License-Identifier: Apache-2.0 */
#include "check.h"
#include "spectral/spectral.h"

#include <float.h>

static const double pi = 3.14159265358979323846;
static const double penalties[] = {0.01, 0.1, 1, 10};
static const char *const kernels[] = {"heat", "ppr", "gcn"};

static wgdn_kernel *kernel(const char *text)
{
    wgdn_kernel *k = NULL;
    if (wgdn_kernel_parse(&k, text, NULL)) abort();
    return k;
}

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
                CHECK(wgdn_fit_any(one, order, WGDN_FIT_ONE_STEP, wgdn_wiener_response, &f, NULL) ==
                      WGDN_OK);
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
        CHECK(wgdn_fit_any(one, order, WGDN_FIT_ONE_STEP, jump, NULL, NULL) == WGDN_OK);
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
    CHECK_TEXT(err.message, "Remez fit: the response at lambda = 2 is not finite");
    CHECK_ALLOCATIONS(wgdn_remez(a, NULL, 3, absolute, NULL, NULL), (void)0);
}

int main(void)
{
    RUN(known_best_polynomial);
    RUN(polynomials_are_met);
    RUN(error_equioscillates_and_is_least);
    RUN(high_orders);
    RUN(jumps_end);
    RUN(refusals);
    return check_result();
}
