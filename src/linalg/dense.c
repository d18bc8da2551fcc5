/* SPDX-License-Identifier: Apache-2.0 */
/* Dense products: rows cut into fixed blocks, each one single-thread call of the engine. */
#include "engine.h"
#include "layer_rows.h"
#include "linalg.h"
#include "rows.h"

static wgdn_status engine_failed(wgdn_error *err, const char *what, int64_t n, int64_t k, int64_t m)
{
    return wgdn_fail(err, WGDN_EENGINE, "%s: product %s of %lld x %lld x %lld failed",
                     wgdn_engine_name, what, (long long)n, (long long)k, (long long)m);
}

/*
 * C = alpha A op(B) + beta C + column bias^T (column NULL: 1); a row of C depends on the same row
 * of A only. The bias is added while a block is in the cache.
 */
static bool rows_product(float *c, const float *a, const float *b, bool tb, int64_t n, int64_t k,
                         int64_t m, float alpha, float beta, const float *column, const float *bias)
{
    const wgdn_row_ops *ops = wgdn_rows();
    const int64_t rows = wgdn_block_rows(n), blocks = wgdn_block_count(n);
    int failed = 0;

#pragma omp parallel reduction(| : failed)
    {
        wgdn_engine_single_thread();
#pragma omp for schedule(dynamic)
        for (int64_t t = 0; t < blocks; t++) {
            const int64_t first = t * rows, count = wgdn_least(rows, n - first);
            failed |= !wgdn_engine_gemm(false, tb, count, m, k, alpha, a + first * k, k, b,
                                        tb ? k : m, beta, c + first * m, m);
            for (int64_t i = first; bias && i < first + count; i++)
                ops->axpy(c + i * m, column ? column[i] : 1, bias, m);
        }
    }
    return !failed;
}

wgdn_status wgdn_gemm_nn(float *c, const float *a, const float *b, int64_t n, int64_t k, int64_t m,
                         float alpha, float beta, const float *bias, wgdn_error *err)
{
    if (rows_product(c, a, b, false, n, k, m, alpha, beta, NULL, bias)) return WGDN_OK;
    return engine_failed(err, "A B", n, k, m);
}

wgdn_status wgdn_gemm_nn_outer(float *c, const float *a, const float *b, int64_t n, int64_t k,
                               int64_t m, const float *column, const float *bias, wgdn_error *err)
{
    if (rows_product(c, a, b, false, n, k, m, 1, 0, column, bias)) return WGDN_OK;
    return engine_failed(err, "A B", n, k, m);
}

wgdn_status wgdn_gemm_nt(float *c, const float *a, const float *b, int64_t n, int64_t k, int64_t m,
                         float alpha, float beta, const float *bias, wgdn_error *err)
{
    if (rows_product(c, a, b, true, n, k, m, alpha, beta, NULL, bias)) return WGDN_OK;
    return engine_failed(err, "A B^T", n, k, m);
}

/*
 * C = alpha A^T B + beta C, a sum over n rows.
 *
 * A leaf is the product of one block of rows, or of so many small ones that it is worth a place in
 * the tree: 2^j of them, which is a subtree. C is cut into tiles (bands of its rows) so that the
 * leaves of a tile stay small; leaves are made in waves, each leaf by one thread, or in bands by
 * several where leaves are few, and then added to the tree, in which every stretch of C has its own
 * stack of partial sums. Which leaves share a wave does not matter to the sum: the tree is given by
 * their numbers.
 */
enum {
    WAVE = 32,          /* leaves alive at once */
    TILE_MOST = 262144, /* floats of a leaf */
    STRETCH = 512,      /* floats that walk the tree together */
    LEAF_ROWS = 512,    /* below this a leaf costs more in the tree than in the product */
    FEW = 8,
    BANDS = 4, /* with fewer leaves than that, so many bands */
};

typedef struct tn_plan {
    int64_t rows, blocks, bands, tile, wave, levels; /* rows of a leaf, leaves */
    size_t leaf;                                     /* floats */
} tn_plan;

static tn_plan plan_tn(int64_t n, int64_t k, int64_t m)
{
    tn_plan p;
    for (p.rows = wgdn_block_rows(n); p.rows < LEAF_ROWS && p.rows < n;)
        p.rows *= 2;
    p.blocks = (n + p.rows - 1) / p.rows;
    p.bands = p.blocks < FEW ? BANDS : 1;
    p.tile = wgdn_least(k, m < TILE_MOST ? TILE_MOST / m : 1);
    p.wave = wgdn_least(p.blocks, WAVE);
    p.levels = wgdn_tree_levels(p.blocks);
    p.leaf = ((size_t)(p.tile * m) + STRETCH - 1) / STRETCH * STRETCH;
    return p;
}

size_t wgdn_gemm_tn_work(int64_t n, int64_t k, int64_t m)
{
    const tn_plan p = plan_tn(n, k, m);
    return p.leaf * ((size_t)p.wave * sizeof(float) + (size_t)p.levels * sizeof(double));
}

/* Push leaves [first, first + count) of one stretch, width floats wide. */
static void push_wave(wgdn_tree *tree, const float *leaves, size_t leaf, int64_t first,
                      int64_t count, int64_t width)
{
    for (int64_t b = 0; b < count; b++) {
        double *sum = wgdn_tree_push(tree, first + b);
        wgdn_layer_rows()->widen(sum, leaves + (size_t)b * leaf, width);
    }
}

static void finish(float *c, wgdn_tree *tree, int64_t width, float alpha, float beta)
{
    const double *sum = wgdn_tree_end(tree);
    for (int64_t j = 0; j < width; j++)
        c[j] = (float)(alpha * sum[j]) + (beta != 0 ? beta * c[j] : 0);
}

/* One band of C: rows [top, top + height), columns top .. of A. */
static bool tile_product(float *c, const float *a, const float *b, int64_t n, int64_t k, int64_t m,
                         float alpha, float beta, const tn_plan *p, int64_t top, int64_t height,
                         void *work)
{
    const int64_t size = height * m, band = (height + p->bands - 1) / p->bands;
    const int64_t stretches = (size + STRETCH - 1) / STRETCH;
    double *store = work;
    float *leaves = (float *)(store + p->leaf * (size_t)p->levels);
    wgdn_tree shape; /* the same for every stretch but for its store */
    int failed = 0;

    wgdn_tree_begin(&shape, NULL, STRETCH);
    for (int64_t first = 0; first < p->blocks && !failed; first += p->wave) {
        const int64_t count = wgdn_least(p->wave, p->blocks - first);
        const bool last = first + count == p->blocks;
        wgdn_tree after = shape;
#pragma omp parallel reduction(| : failed)
        {
            wgdn_engine_single_thread();
#pragma omp for schedule(dynamic)
            for (int64_t t = 0; t < count * p->bands; t++) {
                const int64_t leaf = t / p->bands, at = (first + leaf) * p->rows;
                const int64_t from = t % p->bands * band;
                if (from >= height) continue;
                failed |= !wgdn_engine_gemm(true, false, wgdn_least(band, height - from), m,
                                            wgdn_least(p->rows, n - at), 1, a + at * k + top + from,
                                            k, b + at * m, m, 0,
                                            leaves + (size_t)leaf * p->leaf + from * m, m);
            }
#pragma omp for schedule(static)
            for (int64_t s = 0; s < stretches; s++) {
                const int64_t from = s * STRETCH, width = wgdn_least(STRETCH, size - from);
                wgdn_tree tree = shape;
                tree.store = store + (size_t)(from * p->levels);
                push_wave(&tree, leaves + from, p->leaf, first, count, width);
                if (s == 0) after = tree;
                if (last) finish(c + top * m + from, &tree, width, alpha, beta);
            }
        }
        shape = after;
    }
    return !failed;
}

wgdn_status wgdn_gemm_tn(float *c, const float *a, const float *b, int64_t n, int64_t k, int64_t m,
                         float alpha, float beta, void *work, wgdn_error *err)
{
    const tn_plan p = plan_tn(n, k, m);
    for (int64_t top = 0; top < k; top += p.tile)
        if (!tile_product(c, a, b, n, k, m, alpha, beta, &p, top, wgdn_least(p.tile, k - top),
                          work))
            return engine_failed(err, "A^T B", n, k, m);
    return WGDN_OK;
}
