/* SPDX-License-Identifier: Apache-2.0 */
#include "check.h"
#include "golden/coefs.h"
#include "spectral/spectral.h"

#include <float.h>

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
        wgdn_fit *f = NULL;
        wgdn_kernel *k = kernel(r->kernel);
        CHECK(wgdn_fit_new(&f, r->order, NULL) == WGDN_OK);
        CHECK(wgdn_response_series(as, f, wgdn_wiener_response, k, &r->penalty, 1, NULL) ==
              WGDN_OK);
        wgdn_series_to_powers(c, a, r->order);
        double most = 0;
        for (int m = 0; m <= r->order; m++)
            most = fmax(most, fabs(c[m]));
        for (int m = 0; m <= r->order; m++)
            CHECK_NEAR(c[m], r->c[m], printed(r->c[m]) + 5e-12 * most);
        wgdn_kernel_free(k);
        wgdn_fit_free(f);
    }
}

static void golden_encoder_coefficients(void)
{
    for (size_t i = 0; i < sizeof golden_encoder / sizeof *golden_encoder; i++) {
        const struct golden_encoder *r = &golden_encoder[i];
        double a[4], c[4], whole[4];
        wgdn_fit *f = NULL;
        wgdn_kernel *k = kernel(r->kernel);
        const wgdn_filter filter = {k, 0};
        const wgdn_response response = r->inverse ? wgdn_inverse_response : wgdn_wiener_response;
        CHECK(wgdn_fit_new(&f, r->order, NULL) == WGDN_OK);
        if (r->inverse)
            CHECK(wgdn_fit_response(a, f, response, &filter, NULL) == WGDN_OK);
        else
            CHECK(wgdn_fit_response(a, f, wgdn_kernel_response, k, NULL) == WGDN_OK);
        wgdn_series_to_powers(c, a, r->order);
        for (int m = 0; m <= r->order; m++)
            CHECK_NEAR(c[m], r->c[m], printed(r->c[m]));
        CHECK(wgdn_kernel_coefficients(whole, k, r->order, WGDN_FIT_ONE_STEP, NULL) == WGDN_OK);
        for (int m = 0; m <= r->order && !r->inverse; m++)
            CHECK_NEAR(whole[m], c[m], 1e-13);
        wgdn_kernel_free(k);
        wgdn_fit_free(f);
    }
}

static void golden_nodes(void)
{
    wgdn_fit *f = NULL;
    CHECK(wgdn_fit_new(&f, 9, NULL) == WGDN_OK);
    for (int i = 0; i < 11; i++)
        CHECK_NEAR(f->node[i], golden_nodes_9[i], printed(golden_nodes_9[i]));
    CHECK(f->node[5] == 1);
    wgdn_fit_free(f);
    CHECK(wgdn_fit_new(&f, 2, NULL) == WGDN_OK);
    for (int i = 0; i < 4; i++)
        CHECK_NEAR(f->node[i], golden_nodes_2[i], printed(golden_nodes_2[i]));
    wgdn_fit_free(f);
}

/* The defining equations, at every order: p(x_i) - f(x_i) is the same at all nodes but for sign. */
static void equations_hold_at_every_order(void)
{
    wgdn_kernel *k = kernel("ppr");
    for (int order = 0; order <= WGDN_ORDER_MAX; order++) {
        double a[WGDN_ORDER_MAX + 1];
        wgdn_fit *f = NULL;
        CHECK(wgdn_fit_new(&f, order, NULL) == WGDN_OK);
        CHECK(wgdn_fit_response(a, f, wgdn_kernel_response, k, NULL) == WGDN_OK);
        double first = 0;
        for (int i = 0; i < order + 2; i++) {
            const double e =
                (wgdn_series_value(a, order, f->node[i]) - wgdn_kernel_value(k, f->node[i])) *
                (i % 2 ? -1 : 1);
            if (i == 0) first = e;
            CHECK_NEAR(e, first, 64 * DBL_EPSILON);
        }
        wgdn_fit_free(f);
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
            CHECK(wgdn_fit_any(a, order, WGDN_FIT_ONE_STEP, wgdn_kernel_response, k, NULL) == 0);
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
    wgdn_fit *f = NULL;
    wgdn_error err;
    CHECK(wgdn_fit_new(&f, -1, &err) == WGDN_EINVAL);
    CHECK(wgdn_fit_new(&f, WGDN_ORDER_MAX + 1, &err) == WGDN_EINVAL);
    CHECK_TEXT(err.message, "polynomial fit: order 65 is not within 0 .. 64");
    CHECK_ALLOCATIONS(wgdn_fit_new(&f, 5, NULL), wgdn_fit_free(f));
    wgdn_fit_free(NULL);
}

int main(void)
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
