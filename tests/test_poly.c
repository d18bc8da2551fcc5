/* SPDX-License-Identifier: Apache-2.0 */
#include "linalg/laplacian.h"
#include "linalg/wide_rows.h"
#include "spectral/spectral.h"
#include "support.h"

enum { CHANNELS = 3, ORDER_MAX = 4 };

static const double c0[] = {1, -0.5, 0.25, 0.125, -0.0625};
static const double c1[] = {0.3, 0.2, -0.1, 0.05, 0.4};
static const double c2[] = {-1, 0, 0.7, -0.6, 0.1};
static const double *const powers[CHANNELS] = {c0, c1, c2};

/* The same polynomials as Chebyshev series. */
typedef double series[CHANNELS][ORDER_MAX + 1];

typedef struct poly_case {
    const wgdn_graph *g;
    int64_t d;
    int order, channels;
    wgdn_precision precision; /* of the gradient's messages */
    const float *x;
    const float *dy[CHANNELS];
} poly_case;

static wgdn_poly poly_of(series s, const poly_case *c, float *work)
{
    wgdn_poly p = {.graph = c->g,
                   .d = c->d,
                   .channels = c->channels,
                   .order = c->order,
                   .precision = c->precision,
                   .work = work};
    for (int q = 0; q < c->channels; q++) {
        wgdn_series_from_powers(s[q], powers[q], c->order);
        p.a[q] = s[q];
    }
    return p;
}

static void run_filter(float *out, void *context)
{
    const poly_case *c = context;
    series s;
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
    series s;
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
    series s;
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
            naive(y + q * n * d, &c, x, t, powers[q]);
            naive(dx, &c, dy[q], t, powers[q]);
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
                const wgdn_row row = wgdn_neighbours(g, i);
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

int main(void)
{
    RUN(against_naive);
    RUN(weighted);
    RUN(gathered_halves);
    RUN(central_differences);
    return check_result();
}
