/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Computes products with both factors rounded to bf16 (to nearest, ties to even) and sums in fp32.
 * dense.c calls it where the option `precision` is bf16.
 *
 * The reference path rounds the factors, keeps them in fp32 and multiplies them as usual; it
 * defines the result and runs on every machine. The fast path multiplies 16-bit numbers with the
 * processor's bf16 units, through the engine. Products of two bf16 numbers are exact in fp32, so
 * the two paths differ only in the order of the sums.
 *
 * Blocks of A are converted while they are in the cache, B once for all blocks. All blocks have the
 * same shape, and the last one is padded with zeros: the engine generates code for every shape, and
 * batches of graphs have many sizes.
 */
#include "dense.h"
#include "rows.h"
#include "wide_rows.h"

#include <omp.h>
#include <string.h>

static bool fast(void)
{
    return wgdn_cpu_level() == WGDN_CPU_V4 && wgdn_engine_bf16_unit();
}

const char *wgdn_bf16_unit(void)
{
    return fast() ? wgdn_engine_bf16_unit() : "rounded";
}

static size_t aligned(size_t bytes)
{
    return (bytes + 63) / 64 * 64;
}

static size_t matrix_bytes(int64_t rows, int64_t cols)
{
    return aligned((size_t)rows * (size_t)cols * (fast() ? sizeof(uint16_t) : sizeof(float)));
}

/* rows x d, rounded, from `count` rows at x that lie `stride` apart; the others are zeros. */
static void convert(void *to, const float *x, int64_t count, int64_t rows, int64_t d,
                    int64_t stride)
{
    const wgdn_wide_ops *ops = wgdn_wide_rows();
    uint16_t *half = to;
    float *single = to;
    const bool narrow = fast();
    for (int64_t i = 0; i < count; i++)
        if (narrow)
            ops->halve(half + i * d, x + i * stride, d);
        else
            ops->coarsen(single + i * d, x + i * stride, d);
    if (narrow) memset(half + count * d, 0, (size_t)((rows - count) * d) * sizeof *half);
}

/* Where things lie in the room of A op(B): B, B in the engine's order, and for each thread a block
 * of A and one of C. */
typedef struct rows_room {
    int64_t rows; /* of a block */
    size_t b, packed, a, c;
} rows_room;

static rows_room room_of(wgdn_span n, int64_t k, int64_t m)
{
    const size_t tiles = aligned((size_t)k) * aligned((size_t)m); /* whole tiles of the engine */
    rows_room r = {.rows = wgdn_block_rows(n.total), .b = matrix_bytes(k, m)};
    r.a = matrix_bytes(r.rows, k);
    if (!fast()) return r;
    r.packed = tiles * sizeof(uint16_t);
    r.c = aligned((size_t)(r.rows * m) * sizeof(float));
    return r;
}

size_t wgdn_product_bf16_work(wgdn_span n, int64_t k, int64_t m)
{
    const rows_room r = room_of(n, k, m);
    return r.b + r.packed + (size_t)omp_get_max_threads() * (r.a + r.c);
}

/* C of one block; it passes through c unless the engine can put it in place. */
static bool fast_block(const wgdn_product *p, const wgdn_engine_bf16 *e, const uint16_t *a,
                       const uint16_t *b, float *c, int64_t first, bool whole, int64_t count)
{
    const wgdn_row_ops *ops = wgdn_rows();
    const bool direct = whole && p->alpha == 1 && p->beta == 0;
    float *to = p->c + first * p->m;
    if (!wgdn_engine_bf16_gemm(e, a, b, direct ? to : c)) return false;
    for (int64_t i = 0; !direct && i < count; i++)
        if (p->beta != 0)
            ops->combine(to + i * p->m, p->alpha, c + i * p->m, p->beta, to + i * p->m, p->m);
        else
            ops->scale(to + i * p->m, p->alpha, c + i * p->m, p->m);
    return true;
}

bool wgdn_product_bf16(const wgdn_product *p, bool tb)
{
    const rows_room r = room_of(p->n, p->k, p->m);
    const int64_t blocks = wgdn_span_blocks(p->n);
    const int64_t brows = tb ? p->m : p->k, bcols = tb ? p->k : p->m;
    const bool narrow = fast();
    const int64_t width = bcols * (int64_t)(narrow ? sizeof(uint16_t) : sizeof(float));
    char *const plain = p->work, *const packed = plain + r.b;
    const uint16_t *b = NULL;
    int failed = 0;

#pragma omp parallel reduction(| : failed) if (!wgdn_forked())
    {
        char *a = packed + r.packed + (size_t)omp_get_thread_num() * (r.a + r.c);
        wgdn_engine_bf16 e = {0};
        wgdn_engine_single_thread();
        if (narrow) failed = !wgdn_engine_bf16_open(&e, false, tb, r.rows, p->m, p->k, r.packed);
#pragma omp for schedule(static)
        for (int64_t i = 0; i < brows; i++)
            convert(plain + i * width, p->b + i * bcols, 1, 1, bcols, bcols);
#pragma omp single
        if (narrow && !failed) b = wgdn_engine_bf16_pack(&e, (uint16_t *)(void *)packed, p->work);
        failed |= narrow && !b;
#pragma omp for schedule(dynamic)
        for (int64_t t = 0; t < blocks; t++) {
            const int64_t first = t * r.rows, count = wgdn_min(r.rows, p->n.count - first);
            if (failed) continue;
            convert(a, p->a + first * p->k, count, r.rows, p->k, p->k);
            if (narrow)
                failed = !fast_block(p, &e, (const uint16_t *)(void *)a, b,
                                     (float *)(void *)(a + r.a), first, count == r.rows, count);
            else
                failed = !wgdn_engine_gemm(&(wgdn_engine_product){.tb = tb,
                                                                  .m = count,
                                                                  .n = p->m,
                                                                  .k = p->k,
                                                                  .alpha = p->alpha,
                                                                  .a = (const float *)(void *)a,
                                                                  .lda = p->k,
                                                                  .b = p->work,
                                                                  .ldb = bcols,
                                                                  .beta = p->beta,
                                                                  .c = p->c + first * p->m,
                                                                  .ldc = p->m});
            wgdn_product_bias(p, first, count);
        }
        if (narrow) wgdn_engine_bf16_close(&e);
    }
    return !failed;
}

size_t wgdn_leaf_bf16_work(int64_t rows, int64_t height, int64_t m)
{
    return matrix_bytes(rows, height) + matrix_bytes(rows, m);
}

wgdn_leaf_bf16 wgdn_leaf_bf16_of(void *work, int64_t rows, int64_t height, int64_t m)
{
    return (wgdn_leaf_bf16){
        .a = work, .b = (char *)work + matrix_bytes(rows, height), .rows = rows, .m = m};
}

bool wgdn_leaf_bf16_make(wgdn_leaf_bf16 *l, float *c, const float *a, const float *b, int64_t count,
                         int64_t k, int64_t height)
{
    convert(l->a, a, count, l->rows, height, k);
    convert(l->b, b, count, l->rows, l->m, l->m);
    if (!fast())
        return wgdn_engine_gemm(&(wgdn_engine_product){.ta = true,
                                                       .m = height,
                                                       .n = l->m,
                                                       .k = count,
                                                       .alpha = 1,
                                                       .a = l->a,
                                                       .lda = height,
                                                       .b = l->b,
                                                       .ldb = l->m,
                                                       .c = c,
                                                       .ldc = l->m});
    if (l->height != height) { /* the last band, or the first call */
        wgdn_leaf_bf16_close(l);
        if (!wgdn_engine_bf16_open(&l->engine, true, false, height, l->m, l->rows, 0)) return false;
        l->height = height;
    }
    return wgdn_engine_bf16_gemm(&l->engine, l->a, l->b, c);
}

void wgdn_leaf_bf16_close(wgdn_leaf_bf16 *l)
{
    if (l->height) wgdn_engine_bf16_close(&l->engine);
    l->height = 0;
}
