/* SPDX-License-Identifier: Apache-2.0 */
#include "support.h"

typedef enum { NN, NT, TN } form;

typedef struct product {
    form kind;
    int64_t n, k, m;
    float alpha, beta;
    const float *a, *b, *c, *bias;
} product;

static int64_t out_rows(const product *p)
{
    return p->kind == TN ? p->k : p->n;
}

static void naive(double *out, const product *p)
{
    for (int64_t i = 0; i < out_rows(p); i++)
        for (int64_t j = 0; j < p->m; j++) {
            double sum = 0;
            for (int64_t t = 0; t < (p->kind == TN ? p->n : p->k); t++) {
                const float a = p->kind == TN ? p->a[t * p->k + i] : p->a[i * p->k + t];
                const float b = p->kind == NT ? p->b[j * p->k + t] : p->b[t * p->m + j];
                sum += (double)a * b;
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
    void *work = wgdn_alloc(wgdn_gemm_tn_work(wgdn_alone(p->n), p->k, p->m), 1);
    wgdn_status st;
    if (p->beta != 0) memcpy(out, p->c, (size_t)(out_rows(p) * p->m) * sizeof *out);
    if (p->kind == TN)
        st = wgdn_gemm_tn(out, p->a, p->b, wgdn_alone(p->n), p->k, p->m, p->alpha, p->beta, work,
                          NULL);
    else
        st = (p->kind == NN ? wgdn_gemm_nn : wgdn_gemm_nt)(out, p->a, p->b, wgdn_alone(p->n), p->k,
                                                           p->m, p->alpha, p->beta, p->bias, NULL);
    CHECK(st == WGDN_OK);
    wgdn_release(work);
}

static void check_product(form kind, int64_t n, int64_t k, int64_t m, bool with_extras)
{
    const int64_t brows = kind == NN ? k : kind == NT ? m : n, bcols = kind == NT ? k : m;
    float *a = random_matrix(1, n, k), *b = random_matrix(2, brows, bcols);
    float *c = random_matrix(3, kind == TN ? k : n, m), *bias = random_matrix(4, 1, m);
    product p = {kind, n, k, m, 1, 0, a, b, c, NULL};
    double *truth = wgdn_alloc((size_t)(out_rows(&p) * m), sizeof *truth);
    if (with_extras) {
        p.alpha = -0.5f;
        p.beta = 2;
        if (kind != TN) p.bias = bias;
    }
    naive(truth, &p);
    /* Rounding of a sum of t terms: about sqrt(t) units of 6e-8 against its own size. */
    const int64_t terms = kind == TN ? n : k;
    check_levels(run, &p, out_rows(&p) * m, truth, 3e-7 * (2 + sqrt((double)terms) / 4));
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
    CHECK(wgdn_gemm_nt(c, a, b, wgdn_alone(1), 2, 1, 1, 0, NULL, NULL) == WGDN_OK && c[0] == 11);
    c[0] = NAN;
    CHECK(wgdn_gemm_tn(c, a, b, wgdn_alone(2), 1, 1, 1, 0, work, NULL) == WGDN_OK && c[0] == 11);
}

int main(void)
{
    printf("engine: %s\n", wgdn_engine_name);
    RUN(shapes);
    RUN(long_sums);
    RUN(untouched_output_may_be_nan);
    return check_result();
}
