/* SPDX-License-Identifier: Apache-2.0 */
#include "check.h"
#include "golden/coefs.h"
#include "spectral/spectral.h"

static wgdn_kernel *kernel(const char *text)
{
    wgdn_kernel *k = NULL;
    if (wgdn_kernel_parse(&k, text, NULL)) abort();
    return k;
}

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
        wgdn_fit *f = NULL;
        CHECK(wgdn_fit_new(&f, order, NULL) == WGDN_OK);
        CHECK(wgdn_response_series(as, f, wgdn_wiener_response, k, &none, 1, NULL) == WGDN_OK);
        wgdn_series_to_powers(c, a, order);
        for (int m = 0; m <= order; m++)
            CHECK(isfinite(c[m]) && fabs(c[m]) < 1e12);
        wgdn_fit_free(f);
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
        const wgdn_estimate e = wgdn_wiener_estimate(&sums, 6);
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
    const wgdn_estimate e = wgdn_wiener_estimate(&sums, 2);
    CHECK_NEAR(e.signal, 7, 1e-12);
    CHECK_NEAR(e.noise, 4, 1e-12);
    wgdn_estimate same = {0};
    CHECK_ALLOCATIONS(wgdn_graph_estimate(&same, g, x, 1, WGDN_AVERAGE_ROW, NULL, NULL), (void)0);
    CHECK(same.signal == e.signal && same.noise == e.noise);
    CHECK(wgdn_graph_estimate(&same, g, x, 0, WGDN_AVERAGE_ROW, NULL, NULL) == WGDN_EINVAL);
    CHECK(wgdn_graph_estimate(&same, g, x, 1, (wgdn_average)2, NULL, NULL) == WGDN_EINVAL);
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
        const wgdn_estimate e = wgdn_wiener_estimate(&sums, 3);
        CHECK_NEAR(e.noise, 91.0 / 3, 1e-12);
        CHECK_NEAR(e.signal, 91.0 / 3 + 8, 1e-12); /* var 4 in either column */
    }
    wgdn_graph_free(g);
    CHECK(wgdn_graph_from_edges(&g, 1, 0, NULL, NULL, NULL) == WGDN_OK);
    sums_of(&sums, g, x + 2, 1, WGDN_AVERAGE_ROW);
    const wgdn_estimate e = wgdn_wiener_estimate(&sums, 1);
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
    const wgdn_estimate e = wgdn_wiener_estimate(&sums, 3);
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
    wgdn_estimate e = {0, 0};
    CHECK(wgdn_wiener_penalties(&penalty, &e, &one, 1, "decoder layer 2", &err) == WGDN_EINVAL);
    CHECK(strstr(err.message, "decoder layer 2: signal 0 and noise 0"));
    e = (wgdn_estimate){1, NAN};
    CHECK(wgdn_wiener_penalties(&penalty, &e, &one, 1, "here", &err) == WGDN_EINVAL);
    e = (wgdn_estimate){INFINITY, 1};
    CHECK(wgdn_wiener_penalties(&penalty, &e, &one, 1, "here", &err) == WGDN_EINVAL);
    e = (wgdn_estimate){1, 1};
    CHECK(wgdn_wiener_penalties(&penalty, &e, &zero, 1, "here", &err) == WGDN_EINVAL);
    CHECK_TEXT(err.message, "here: gamma of channel 0 is 0, not above 0");
    CHECK(penalty == 7);
}

int main(void)
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
