/* SPDX-License-Identifier: Apache-2.0 */
/*
 * C = alpha A^T B + beta C, a sum over n rows.
 *
 * A leaf is the product of one block of rows, or of so many small ones that it is worth a place in
 * the tree: 2^j of them, which is a subtree. C is cut into tiles (bands of its rows) so that the
 * leaves of a tile stay small; leaves are made in waves, each leaf by one thread, or in bands by
 * several where leaves are few, and then added to the tree, in which every stretch of C has its own
 * stack of partial sums. Which leaves share a wave does not matter to the sum: the tree is given by
 * their numbers.
 *
 * In bf16 a product is over so soon that the tree would be half of the work: leaves have more rows,
 * and tiles are larger, since a leaf's rows of B are converted again for every tile.
 */
#include "dense.h"
#include "layer_rows.h"

#include <omp.h>

enum {
    WAVE = 32,          /* leaves alive at once */
    TILE_MOST = 262144, /* floats of a leaf */
    STRETCH = 512,      /* floats that walk the tree together */
    LEAF_ROWS = 512,    /* below this a leaf costs more in the tree than in the product */
    FEW = 8,
    BANDS = 4, /* with fewer leaves than that, so many bands */
    /* the same in bf16 */
    WAVE_BF16 = 16,
    TILE_MOST_BF16 = 1048576,
    LEAVES_BF16 = 16, /* of LEAF_ROWS at least, of so many at most: */
    LEAF_ROWS_MOST = 4096,
    ROWS_STEP = 16,
};

typedef struct tn_plan {
    int64_t rows, blocks, bands, tile, wave, levels; /* rows of a leaf, leaves */
    size_t leaf;                                     /* floats */
} tn_plan;

static int64_t leaf_rows(int64_t n)
{
    int64_t rows = wgdn_block_rows(n);
    while (rows < LEAF_ROWS && rows < n)
        rows *= 2;
    return rows;
}

/* Grows with n, so that room for n rows serves fewer. */
static int64_t leaf_rows_bf16(int64_t n)
{
    const int64_t few = (n + LEAVES_BF16 - 1) / LEAVES_BF16;
    const int64_t rows =
        few > LEAF_ROWS ? wgdn_least(few, LEAF_ROWS_MOST) : wgdn_least(n, LEAF_ROWS);
    return (rows + ROWS_STEP - 1) / ROWS_STEP * ROWS_STEP;
}

static tn_plan plan_tn(int64_t n, int64_t k, int64_t m, bool half)
{
    const int64_t most = half ? TILE_MOST_BF16 : TILE_MOST;
    tn_plan p;
    p.rows = half ? leaf_rows_bf16(n) : leaf_rows(n);
    p.blocks = (n + p.rows - 1) / p.rows;
    p.bands = p.blocks < FEW ? BANDS : 1;
    p.tile = wgdn_least(k, m < most ? most / m : 1);
    p.wave = wgdn_least(p.blocks, half ? WAVE_BF16 : WAVE);
    p.levels = wgdn_tree_levels(p.blocks);
    p.leaf = ((size_t)(p.tile * m) + STRETCH - 1) / STRETCH * STRETCH;
    return p;
}

static size_t tree_bytes(const tn_plan *p)
{
    return p->leaf * ((size_t)p->wave * sizeof(float) + (size_t)p->levels * sizeof(double));
}

size_t wgdn_gemm_tn_work(int64_t n, int64_t k, int64_t m)
{
    const tn_plan p = plan_tn(n, k, m, false);
    return tree_bytes(&p);
}

size_t wgdn_gemm_bf16_work(int64_t n, int64_t k, int64_t m)
{
    const tn_plan p = plan_tn(n, k, m, true);
    const size_t leaves = (size_t)omp_get_max_threads() * wgdn_leaf_bf16_work(p.rows, p.tile, m);
    const size_t turned = tree_bytes(&p) + leaves, plain = wgdn_product_bf16_work(n, k, m);
    return turned > plain ? turned : plain;
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
                         bool half, void *work)
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
            char *own = (char *)work + tree_bytes(p) +
                        (size_t)omp_get_thread_num() * wgdn_leaf_bf16_work(p->rows, p->tile, m);
            wgdn_leaf_bf16 small = wgdn_leaf_bf16_of(own, p->rows, p->tile, m);
            wgdn_engine_single_thread();
#pragma omp for schedule(dynamic)
            for (int64_t t = 0; t < count * p->bands; t++) {
                const int64_t leaf = t / p->bands, at = (first + leaf) * p->rows;
                const int64_t from = t % p->bands * band, rows = wgdn_least(p->rows, n - at);
                const int64_t high = wgdn_least(band, height - from);
                const float *left = a + at * k + top + from, *right = b + at * m;
                float *to = leaves + (size_t)leaf * p->leaf + from * m;
                if (high <= 0) continue;
                failed |= half ? !wgdn_leaf_bf16_make(&small, to, left, right, rows, k, high)
                               : !wgdn_engine_gemm(true, false, high, m, rows, 1, left, k, right, m,
                                                   0, to, m);
            }
            wgdn_leaf_bf16_close(&small);
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
                         float alpha, float beta, void *work, void *half, wgdn_error *err)
{
    const tn_plan p = plan_tn(n, k, m, half);
    for (int64_t top = 0; top < k; top += p.tile)
        if (!tile_product(c, a, b, n, k, m, alpha, beta, &p, top, wgdn_least(p.tile, k - top), half,
                          half ? half : work))
            return wgdn_engine_failed(err, "A^T B", n, k, m);
    return WGDN_OK;
}
