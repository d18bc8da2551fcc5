/* SPDX-License-Identifier: Apache-2.0 */
/* Dense products: rows cut into fixed blocks, each one single-thread call of the engine. */
#include "dense.h"
#include "engine.h"
#include "rows.h"

enum { STRIP = 16 }; /* rows of B that are transposed together */

wgdn_status wgdn_engine_failed(wgdn_error *err, const char *what, const wgdn_product *p)
{
    if (!wgdn_memory_can_map(WGDN_ENGINE_ROOM)) {
        wgdn_memory_short();
        return wgdn_fail(err, WGDN_ENOMEM, "%s, which makes the products, needs %d MB to work in",
                         wgdn_engine_name, WGDN_ENGINE_ROOM >> 20);
    }
    return wgdn_fail(
        err, WGDN_EENGINE, "%s: product %s of %lld x %lld x %lld failed; out of memory?",
        wgdn_engine_name, what, (long long)p->n.count, (long long)p->k, (long long)p->m);
}

void wgdn_product_bias(const wgdn_product *p, int64_t first, int64_t count)
{
    const wgdn_row_ops *ops = wgdn_rows();
    for (int64_t i = first; p->bias && i < first + count; i++)
        ops->axpy(p->c + i * p->m, p->column ? p->column[i] : 1, p->bias, p->m);
}

/* Rows [j, j + STRIP) of B, m x k, as columns of its transpose. */
static void transpose_strip(float *to, const wgdn_product *p, int64_t j)
{
    const int64_t width = wgdn_min(STRIP, p->m - j);
    for (int64_t i = 0; i < p->k; i++)
        for (int64_t l = 0; l < width; l++)
            to[i * p->m + j + l] = p->b[(j + l) * p->k + i];
}

/*
 * The engine transposes B for every block anew, which with blocks of 64 to 256 rows makes A B^T a
 * quarter to a tenth slower than A B; transposed once for all blocks it costs next to nothing.
 */
static bool product_fp32(const wgdn_product *p, bool tb)
{
    const int64_t rows = wgdn_block_rows(p->n.total), blocks = wgdn_span_blocks(p->n);
    float *transposed = tb ? p->work : NULL;
    const bool by_engine = tb && !transposed;
    int failed = 0;

#pragma omp parallel reduction(| : failed) if (!wgdn_forked())
    {
        wgdn_engine_single_thread();
        if (transposed) {
#pragma omp for schedule(static)
            for (int64_t j = 0; j < p->m; j += STRIP)
                transpose_strip(transposed, p, j);
        }
#pragma omp for schedule(dynamic)
        for (int64_t t = 0; t < blocks; t++) {
            const int64_t first = t * rows, count = wgdn_min(rows, p->n.count - first);
            failed |= !wgdn_engine_gemm(&(wgdn_engine_product){.tb = by_engine,
                                                               .m = count,
                                                               .n = p->m,
                                                               .k = p->k,
                                                               .alpha = p->alpha,
                                                               .a = p->a + first * p->k,
                                                               .lda = p->k,
                                                               .b = transposed ? transposed : p->b,
                                                               .ldb = by_engine ? p->k : p->m,
                                                               .beta = p->beta,
                                                               .c = p->c + first * p->m,
                                                               .ldc = p->m});
            wgdn_product_bias(p, first, count);
        }
    }
    return !failed;
}

static bool product(const wgdn_product *p, bool tb)
{
    return p->precision == WGDN_PRECISION_BF16 ? wgdn_product_bf16(p, tb) : product_fp32(p, tb);
}

wgdn_status wgdn_gemm_nn(const wgdn_product *p, wgdn_error *err)
{
    if (wgdn_tally_add(WGDN_TALLY_DENSE, p->n.count, p->k, p->m)) return WGDN_OK;
    return product(p, false) ? WGDN_OK : wgdn_engine_failed(err, "A B", p);
}

size_t wgdn_gemm_nt_work(int64_t k, int64_t m)
{
    return wgdn_size_product((size_t)k, (size_t)m, sizeof(float));
}

wgdn_status wgdn_gemm_nt(const wgdn_product *p, wgdn_error *err)
{
    if (wgdn_tally_add(WGDN_TALLY_DENSE, p->n.count, p->k, p->m)) return WGDN_OK;
    return product(p, true) ? WGDN_OK : wgdn_engine_failed(err, "A B^T", p);
}
