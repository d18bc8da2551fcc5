/* SPDX-License-Identifier: Apache-2.0 */
#include "linalg/wide_rows.h"
#include "support.h"

typedef enum { NN, NT, TN } form;

typedef struct product {
    form kind;
    int64_t n, k, m;
    float alpha, beta;
    const float *a, *b, *c, *bias;
    wgdn_precision precision;
    bool transposes; /* NT with room to transpose B in */
} product;

static int64_t out_rows(const product *p)
{
    return p->kind == TN ? p->k : p->n;
}

/* To the nearest number with eight bits, ties to even: what halve and coarsen do by integers. */
static float rounded(float x)
{
    int exponent;
    const float fraction = frexpf(x, &exponent);
    return ldexpf(rintf(fraction * 256) / 256, exponent);
}

/* With factors as they are, or as bf16 rounds them. */
static void naive(double *out, const product *p, bool rounds)
{
    for (int64_t i = 0; i < out_rows(p); i++)
        for (int64_t j = 0; j < p->m; j++) {
            double sum = 0;
            for (int64_t t = 0; t < (p->kind == TN ? p->n : p->k); t++) {
                const float a = p->kind == TN ? p->a[t * p->k + i] : p->a[i * p->k + t];
                const float b = p->kind == NT ? p->b[j * p->k + t] : p->b[t * p->m + j];
                sum += rounds ? (double)rounded(a) * rounded(b) : (double)a * b;
            }
            sum *= p->alpha;
            if (p->beta != 0) sum += (double)p->beta * p->c[i * p->m + j];
            if (p->bias) sum += p->bias[j];
            out[i * p->m + j] = sum;
        }
}

static void run(float *out, void *context)
{
    const product *p = context;
    const bool bf16 = p->precision == WGDN_PRECISION_BF16;
    const wgdn_span n = wgdn_alone(p->n);
    wgdn_product q = wgdn_product_of(out, p->a, p->b, n, p->k, p->m);
    void *work = wgdn_alloc(bf16            ? wgdn_gemm_bf16_work(n, p->k, p->m)
                            : p->kind == NT ? wgdn_gemm_nt_work(p->k, p->m)
                                            : wgdn_gemm_tn_work(n, p->k, p->m),
                            1);
    q.alpha = p->alpha;
    q.beta = p->beta;
    q.bias = p->bias;
    q.precision = p->precision;
    q.work = p->kind == NT && !bf16 && !p->transposes ? NULL : work;
    if (p->beta != 0) memcpy(out, p->c, (size_t)(out_rows(p) * p->m) * sizeof *out);
    CHECK((p->kind == TN   ? wgdn_gemm_tn(&q, NULL)
           : p->kind == NT ? wgdn_gemm_nt(&q, NULL)
                           : wgdn_gemm_nn(&q, NULL)) == WGDN_OK);
    wgdn_release(work);
}

static void check_product(form kind, int64_t n, int64_t k, int64_t m, bool with_extras)
{
    const int64_t brows = kind == NN ? k : kind == NT ? m : n, bcols = kind == NT ? k : m;
    float *a = random_matrix(1, n, k), *b = random_matrix(2, brows, bcols);
    float *c = random_matrix(3, kind == TN ? k : n, m), *bias = random_matrix(4, 1, m);
    product p = {kind, n, k, m, 1, 0, a, b, c, NULL, WGDN_PRECISION_FP32, false};
    double *truth = wgdn_alloc((size_t)(out_rows(&p) * m), sizeof *truth);
    if (with_extras) {
        p.alpha = -0.5f;
        p.beta = 2;
        if (kind != TN) p.bias = bias;
    }
    /* Rounding of a sum of t terms: about sqrt(t) units of 6e-8 against its own size. */
    const int64_t terms = kind == TN ? n : k;
    const double tolerance = 3e-7 * (2 + sqrt((double)terms) / 4);
    naive(truth, &p, false);
    check_levels(run, &p, out_rows(&p) * m, truth, tolerance);
    p.transposes = true;
    if (kind == NT) check_levels(run, &p, out_rows(&p) * m, truth, tolerance);
    /* In bf16 both ways are that near the product of rounded factors ... */
    p.precision = WGDN_PRECISION_BF16;
    naive(truth, &p, true);
    check_levels(run, &p, out_rows(&p) * m, truth, tolerance);
    /* ... and within 2^-8, which no factor is off by, of that of the factors themselves. */
    naive(truth, &p, false);
    if (out_rows(&p) * m > 1000) check_levels(run, &p, out_rows(&p) * m, truth, 0x1p-8);
    wgdn_release(truth);
    wgdn_release(bias);
    wgdn_release(c);
    wgdn_release(b);
    wgdn_release(a);
}

static void shapes(void)
{
    const int64_t sizes[][3] = {{1, 1, 1},     {1, 129, 3},   {2, 1, 128},
                                {17, 5, 1},    {127, 33, 64}, {128, 128, 128},
                                {129, 7, 127}, {513, 64, 65}, {1100, 31, 40}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (int kind = NN; kind <= TN; kind++)
            for (int extras = 0; extras < 2; extras++)
                check_product(kind, sizes[i][0], sizes[i][1], sizes[i][2], extras);
}

/* More leaves than a wave holds, and more floats than a tile. */
static void long_sums(void)
{
    check_product(TN, 40 * 1024 + 5, 3, 5, true);
    check_product(TN, 70, 600, 513, false);
}

/* beta = 0 must not read C, whatever is there. */
static void untouched_output_may_be_nan(void)
{
    const float a[2] = {1, 2}, b[2] = {3, 4};
    float c[1] = {NAN}, work[1 << 16];
    CHECK(wgdn_gemm_tn_work(wgdn_alone(2), 1, 1) <= sizeof work);
    const wgdn_product nt = wgdn_product_of(c, a, b, wgdn_alone(1), 2, 1);
    wgdn_product tn = wgdn_product_of(c, a, b, wgdn_alone(2), 1, 1);
    CHECK(wgdn_gemm_nt(&nt, NULL) == WGDN_OK && c[0] == 11);
    c[0] = NAN;
    tn.work = work;
    CHECK(wgdn_gemm_tn(&tn, NULL) == WGDN_OK && c[0] == 11);
}

/* Of every kind of number; the conversion is the same on every level. */
static void rounding(void)
{
    const float x[] = {0,       -0.0f,         1,       1.00390625f, 1.01171875f,
                       -1.004f, 3.3895314e38f, 3.4e38f, INFINITY,    -INFINITY,
                       1e-40f,  0x1.fffp-127f, 255.5f,  0.1f};
    const float y[] = {0,        -0.0f,    1,         1, 1.015625f, -1.0078125f, 3.3895314e38f,
                       INFINITY, INFINITY, -INFINITY, 0, 0x1p-126f, 256,         0.10009765625f};
    enum { COUNT = sizeof x / sizeof *x };
    for (int level = 0; level <= (int)wgdn_cpu_best(); level++) {
        float back[COUNT], nan = NAN;
        uint16_t half[COUNT], none;
        wgdn_cpu_limit((wgdn_cpu)level);
        wgdn_wide_rows()->coarsen(back, x, COUNT);
        wgdn_wide_rows()->halve(half, x, COUNT);
        for (int i = 0; i < COUNT; i++) {
            uint32_t bits;
            memcpy(&bits, &back[i], sizeof bits);
            CHECK(bits == (uint32_t)half[i] << 16);
            CHECK(back[i] == y[i] || fabsf(x[i]) < 1e-39f);
        }
        wgdn_wide_rows()->halve(&none, &nan, 1);
        CHECK((none & 0x7f80) == 0x7f80 && (none & 0x7f) != 0);
    }
    wgdn_cpu_limit(WGDN_CPU_V4);
}

/* More rows than a leaf of bf16 has, several tiles, and bands that do not divide the height. */
static void long_sums_bf16(void)
{
    check_product(TN, 17 * 4096 + 5, 33, 3, true);
    check_product(TN, 70, 1100, 1025, false);
    check_product(TN, 1240, 65, 33, true);
}

/* Room for n rows serves fewer, also where their leaves are larger than those of n. */
static void room_of_bf16_serves_fewer(void)
{
    enum { K = 20, M = 24, BEHIND = 64 };
    const int64_t rows[][2] = {
        {1025, 1024}, {1025, 512}, {8200, 8192}, {8256, 7700}, {70000, 65536}};
    float c[K * M];
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const int64_t n = rows[i][0];
        const size_t size = wgdn_gemm_bf16_work(wgdn_alone(n), K, M);
        float *a = random_matrix(1, n, K), *b = random_matrix(2, n, M);
        char *work = wgdn_alloc(size + BEHIND, 1);
        wgdn_product p = wgdn_product_of(c, a, b, wgdn_alone(rows[i][1]), K, M);
        memset(work + size, 7, BEHIND);
        p.precision = WGDN_PRECISION_BF16;
        p.work = work;
        CHECK(wgdn_gemm_tn(&p, NULL) == WGDN_OK);
        for (int k = 0; k < BEHIND; k++)
            CHECK(work[size + (size_t)k] == 7);
        wgdn_release(work);
        wgdn_release(b);
        wgdn_release(a);
    }
}

int main(void)
{
    printf("engine: %s, bf16 by %s\n", wgdn_engine_name, wgdn_bf16_unit());
    RUN(rounding);
    RUN(shapes);
    RUN(long_sums);
    RUN(long_sums_bf16);
    RUN(room_of_bf16_serves_fewer);
    RUN(untouched_output_may_be_nan);
    return check_result();
}
