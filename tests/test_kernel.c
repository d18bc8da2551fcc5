/* SPDX-License-Identifier: Apache-2.0 */
#include "check.h"
#include "graphs.h"
#include "spectral/spectral.h"

#include <locale.h>

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
    {"haet", "no 'haet', did you mean 'heat'?; expected one of gcn, heat:t=2"},
    {"", "no ''"},
    {"pagerank", "no 'pagerank'; expected one of"},
    {"gnc", "did you mean 'gcn'?"},
    {"polly:1", "did you mean 'poly'?"},
    {"a-name-that-is-longer-than-any-other", "expected one of"},
    {"gcn:1", "gcn: takes nothing, not '1'"},
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
    {"band:mu=1,mu=1", "band: mu is given twice"},
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
    {"table:0=1,3=2", "point 1 is at 3, not within 0 .. 2"},
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
    CHECK_TEXT(err.message, "kernel poly: 66 entries; there may be 65");
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
    wgdn_option_info info = {0};
    char text[512];
    for (int i = 0; i < wgdn_options_count(WGDN_OPTIONS_TRAIN); i++) {
        CHECK(wgdn_options_info(&info, text, sizeof text, WGDN_OPTIONS_TRAIN, i, NULL) == WGDN_OK);
        if (strcmp(info.name, "kernel") == 0) break;
    }
    for (int i = 0; (f = wgdn_kernel_form_get(i)); i++) {
        wgdn_kernel *k = kernel(f->example);
        CHECK(strncmp(wgdn_kernel_text(k), f->name, strlen(f->name)) == 0);
        if (!strstr(info.help, f->name)) CHECK_TEXT(info.help, f->name);
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

static double shifted(double lambda, void *user)
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

static void same_bits_for_any_threads(void)
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
            o.fit = (wgdn_fit_mode)fit;
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

static double infinite(double lambda, void *user)
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
    CHECK(o.order == 24 && o.fit == WGDN_FIT_ONE_STEP && o.threads == 0);
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
    CHECK(wgdn_kernel_coefficients(c, k, 31, WGDN_FIT_ONE_STEP, NULL) == WGDN_EINVAL);
    CHECK(wgdn_kernel_coefficients(c, k, -1, WGDN_FIT_ONE_STEP, NULL) == WGDN_EINVAL);
    CHECK(wgdn_kernel_coefficients(c, bad, 4, WGDN_FIT_REMEZ, NULL) == WGDN_EINVAL);
    CHECK_ALLOCATIONS(wgdn_kernel_coefficients(c, k, 4, WGDN_FIT_REMEZ, NULL), (void)0);
    wgdn_kernel_free(bad);
    wgdn_kernel_free(k);
    wgdn_graph_free(g);
}

int main(void)
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
    RUN(same_bits_for_any_threads);
    RUN(apply_refuses);
    return check_result();
}
