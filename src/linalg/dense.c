/* SPDX-License-Identifier: Apache-2.0 */
/* Dense products: rows cut into fixed blocks, each one single-thread call of the engine. */
#include "dense.h"
#include "rows.h"

enum { STRIP = 16 }; /* rows of B that are turned together */

wgdn_status wgdn_engine_failed(wgdn_error *err, const char *what, int64_t n, int64_t k, int64_t m)
{
    return wgdn_fail(err, WGDN_EENGINE, "%s: product %s of %lld x %lld x %lld failed",
                     wgdn_engine_name, what, (long long)n, (long long)k, (long long)m);
}

void wgdn_product_bias(const wgdn_product *p, int64_t first, int64_t count)
{
    const wgdn_row_ops *ops = wgdn_rows();
    for (int64_t i = first; p->bias && i < first + count; i++)
        ops->axpy(p->c + i * p->m, p->column ? p->column[i] : 1, p->bias, p->m);
}

/* Rows [j, j + width) of B, m x k, as columns of its transpose. */
static void turn(float *to, const float *b, int64_t k, int64_t m, int64_t j)
{
    const int64_t width = wgdn_min(STRIP, m - j);
    for (int64_t i = 0; i < k; i++)
        for (int64_t l = 0; l < width; l++)
            to[i * m + j + l] = b[(j + l) * k + i];
}

/*
 * The engine turns B for every block anew, which with blocks of 64 to 256 rows makes A B^T a
 * quarter to a tenth slower than A B; turned once for all blocks it costs next to nothing.
 */
static bool product_fp32(const wgdn_product *p)
{
    const int64_t rows = wgdn_block_rows(p->n.total), blocks = wgdn_span_blocks(p->n);
    const bool tb = p->tb && !p->turned;
    const float *b = p->tb && p->turned ? p->turned : p->b;
    int failed = 0;

#pragma omp parallel reduction(| : failed)
    {
        wgdn_engine_single_thread();
        if (p->tb && p->turned) {
#pragma omp for schedule(static)
            for (int64_t j = 0; j < p->m; j += STRIP)
                turn(p->turned, p->b, p->k, p->m, j);
        }
#pragma omp for schedule(dynamic)
        for (int64_t t = 0; t < blocks; t++) {
            const int64_t first = t * rows, count = wgdn_min(rows, p->n.count - first);
            failed |=
                !wgdn_engine_gemm(false, tb, count, p->m, p->k, p->alpha, p->a + first * p->k, p->k,
                                  b, tb ? p->k : p->m, p->beta, p->c + first * p->m, p->m);
            wgdn_product_bias(p, first, count);
        }
    }
    return !failed;
}

static wgdn_status product(const wgdn_product *p, void *half, wgdn_error *err)
{
    if (half ? wgdn_product_bf16(p, half) : product_fp32(p)) return WGDN_OK;
    return wgdn_engine_failed(err, p->tb ? "A B^T" : "A B", p->n.count, p->k, p->m);
}

wgdn_status wgdn_gemm_nn(float *c, const float *a, const float *b, wgdn_span n, int64_t k,
                         int64_t m, float alpha, float beta, const float *bias, void *half,
                         wgdn_error *err)
{
    const wgdn_product p = {c, a, b, false, n, k, m, alpha, beta, NULL, bias, NULL};
    return product(&p, half, err);
}

wgdn_status wgdn_gemm_nn_outer(float *c, const float *a, const float *b, wgdn_span n, int64_t k,
                               int64_t m, const float *column, const float *bias, void *half,
                               wgdn_error *err)
{
    const wgdn_product p = {c, a, b, false, n, k, m, 1, 0, column, bias, NULL};
    return product(&p, half, err);
}

size_t wgdn_gemm_nt_work(int64_t k, int64_t m)
{
    return (size_t)k * (size_t)m * sizeof(float);
}

wgdn_status wgdn_gemm_nt(float *c, const float *a, const float *b, wgdn_span n, int64_t k,
                         int64_t m, float alpha, float beta, const float *bias, void *work,
                         void *half, wgdn_error *err)
{
    const wgdn_product p = {c, a, b, true, n, k, m, alpha, beta, NULL, bias, work};
    return product(&p, half, err);
}
