/* SPDX-License-Identifier: Apache-2.0 */
/* Dense products: rows cut into fixed blocks, each one single-thread call of the engine. */
#include "engine.h"
#include "layer_rows.h"
#include "linalg.h"
#include "rows.h"

#include <string.h>

static wgdn_status engine_failed(wgdn_error *err, const char *what, int64_t n, int64_t k, int64_t m)
{
    return wgdn_fail(err, WGDN_EENGINE, "%s: product %s of %lld x %lld x %lld failed",
                     wgdn_engine_name, what, (long long)n, (long long)k, (long long)m);
}

/*
 * C = alpha A op(B) + beta C + column bias^T (column NULL: 1); a row of C depends on the same row
 * of A only. The bias is added while a block is in the cache.
 */
static bool rows_product(float *c, const float *a, const float *b, bool tb, wgdn_span n, int64_t k,
                         int64_t m, float alpha, float beta, const float *column, const float *bias)
{
    const wgdn_row_ops *ops = wgdn_rows();
    const int64_t rows = wgdn_block_rows(n.total), blocks = wgdn_span_blocks(n);
    int failed = 0;

#pragma omp parallel reduction(| : failed)
    {
        wgdn_engine_single_thread();
#pragma omp for schedule(dynamic)
        for (int64_t t = 0; t < blocks; t++) {
            const int64_t first = t * rows, count = wgdn_least(rows, n.count - first);
            failed |= !wgdn_engine_gemm(false, tb, count, m, k, alpha, a + first * k, k, b,
                                        tb ? k : m, beta, c + first * m, m);
            for (int64_t i = first; bias && i < first + count; i++)
                ops->axpy(c + i * m, column ? column[i] : 1, bias, m);
        }
    }
    return !failed;
}

wgdn_status wgdn_gemm_nn(float *c, const float *a, const float *b, wgdn_span n, int64_t k,
                         int64_t m, float alpha, float beta, const float *bias, wgdn_error *err)
{
    if (rows_product(c, a, b, false, n, k, m, alpha, beta, NULL, bias)) return WGDN_OK;
    return engine_failed(err, "A B", n.count, k, m);
}

wgdn_status wgdn_gemm_nn_outer(float *c, const float *a, const float *b, wgdn_span n, int64_t k,
                               int64_t m, const float *column, const float *bias, wgdn_error *err)
{
    if (rows_product(c, a, b, false, n, k, m, 1, 0, column, bias)) return WGDN_OK;
    return engine_failed(err, "A B", n.count, k, m);
}

wgdn_status wgdn_gemm_nt(float *c, const float *a, const float *b, wgdn_span n, int64_t k,
                         int64_t m, float alpha, float beta, const float *bias, wgdn_error *err)
{
    if (rows_product(c, a, b, true, n, k, m, alpha, beta, NULL, bias)) return WGDN_OK;
    return engine_failed(err, "A B^T", n.count, k, m);
}

/*
 * C = alpha A^T B + beta C, a sum over n rows.
 *
 * A leaf is the product of one unit of rows: a block, or so many small ones that it is worth a
 * place in the tree, 2^j of them, which is a subtree. C is cut into tiles (bands of its rows) so
 * that the leaves of a tile stay small; leaves are made in waves, each leaf by one thread, or in
 * bands by several where leaves are few, and then added to the tree, in which every stretch of C
 * has its own stack of partial sums. Which leaves share a wave does not matter to the sum: the tree
 * is given by their numbers. Where ranks share the rows, the sum of each subtree that is here is
 * kept, tile by tile, until it meets those of the others.
 */
enum {
    WAVE = 32,          /* leaves alive at once */
    TILE_MOST = 262144, /* floats of a leaf */
    STRETCH = 512,      /* floats that walk the tree together */
    FEW = 8,
    BANDS = 4, /* with fewer leaves than that, so many bands */
};

typedef struct tn_plan {
    int64_t rows, first, blocks, bands, tile, wave, levels; /* rows of a leaf, leaves here */
    int subtrees;                                           /* of these, to be kept; else 0 */
    int64_t start[WGDN_SUBTREES_MOST + 1];
    size_t leaf; /* floats */
} tn_plan;

static tn_plan plan_tn(wgdn_span n, int64_t k, int64_t m)
{
    tn_plan p = {.rows = wgdn_leaf_rows(n.total)};
    p.first = n.first / p.rows;
    p.blocks = (n.count + p.rows - 1) / p.rows;
    p.bands = p.blocks < FEW ? BANDS : 1;
    p.tile = wgdn_least(k, m < TILE_MOST ? TILE_MOST / m : 1);
    p.wave = wgdn_least(p.blocks, WAVE);
    p.levels = wgdn_tree_levels(p.blocks);
    p.subtrees = n.dist ? wgdn_subtrees(p.start, n, p.rows) : 0;
    p.leaf = ((size_t)(p.tile * m) + STRETCH - 1) / STRETCH * STRETCH;
    return p;
}

size_t wgdn_gemm_tn_work(wgdn_span n, int64_t k, int64_t m)
{
    const tn_plan p = plan_tn(n, k, m);
    const size_t kept = n.dist ? (size_t)p.subtrees + 1 : 0; /* and the sum of all */
    return p.leaf * ((size_t)p.wave * sizeof(float) + ((size_t)p.levels + kept) * sizeof(double));
}

/* One tile of C, rows [top, top + height), on its way. */
typedef struct tn_tile {
    const tn_plan *p;
    float *c;
    int64_t size; /* floats */
    float alpha, beta;
    double *store, *kept;
    float *leaves;
} tn_tile;

static void finish(const tn_tile *t, const double *sum, int64_t from, int64_t width)
{
    for (int64_t j = 0; j < width; j++) {
        float *c = t->c + from + j;
        *c = (float)(t->alpha * sum[j]) + (t->beta != 0 ? t->beta * *c : 0);
    }
}

/* The whole sum of a stretch, or that of a subtree whose last leaf has been pushed. */
static void take(const tn_tile *t, wgdn_tree *tree, int64_t from, int64_t width, int subtree)
{
    const double *sum = wgdn_tree_end(tree);
    if (!t->p->subtrees)
        finish(t, sum, from, width);
    else
        memcpy(t->kept + (size_t)subtree * t->p->leaf + from, sum, (size_t)width * sizeof *sum);
    tree->held = 0;
}

/* Push leaves [first, first + count) of one stretch. */
static void push_wave(const tn_tile *t, wgdn_tree *tree, int64_t first, int64_t count, int64_t from)
{
    const tn_plan *p = t->p;
    const int64_t width = wgdn_least(STRETCH, t->size - from);
    int subtree = 0;
    for (int64_t b = 0; b < count; b++) {
        const int64_t leaf = p->first + first + b;
        double *sum = wgdn_tree_push(tree, leaf);
        wgdn_layer_rows()->widen(sum, t->leaves + (size_t)b * p->leaf + from, width);
        while (subtree < p->subtrees && p->start[subtree + 1] <= leaf)
            subtree++;
        if (p->subtrees ? leaf + 1 == p->start[subtree + 1] : first + b + 1 == p->blocks)
            take(t, tree, from, width, subtree);
    }
}

static bool tile_leaves(tn_tile *t, const float *a, const float *b, wgdn_span n, int64_t k,
                        int64_t m, int64_t top)
{
    const tn_plan *p = t->p;
    const int64_t height = t->size / m, band = (height + p->bands - 1) / p->bands;
    const int64_t stretches = (t->size + STRETCH - 1) / STRETCH;
    wgdn_tree shape; /* the same for every stretch but for its store */
    int failed = 0;

    wgdn_tree_begin(&shape, NULL, STRETCH);
    for (int64_t first = 0; first < p->blocks && !failed; first += p->wave) {
        const int64_t count = wgdn_least(p->wave, p->blocks - first);
        wgdn_tree after = shape;
#pragma omp parallel reduction(| : failed)
        {
            wgdn_engine_single_thread();
#pragma omp for schedule(dynamic)
            for (int64_t i = 0; i < count * p->bands; i++) {
                const int64_t leaf = i / p->bands, at = (first + leaf) * p->rows;
                const int64_t from = i % p->bands * band;
                if (from >= height) continue;
                failed |= !wgdn_engine_gemm(true, false, wgdn_least(band, height - from), m,
                                            wgdn_least(p->rows, n.count - at), 1,
                                            a + at * k + top + from, k, b + at * m, m, 0,
                                            t->leaves + (size_t)leaf * p->leaf + from * m, m);
            }
#pragma omp for schedule(static)
            for (int64_t s = 0; s < stretches; s++) {
                wgdn_tree tree = shape;
                tree.store = t->store + (size_t)(s * STRETCH * p->levels);
                push_wave(t, &tree, first, count, s * STRETCH);
                if (s == 0) after = tree;
            }
        }
        shape = after;
    }
    return !failed;
}

wgdn_status wgdn_gemm_tn(float *c, const float *a, const float *b, wgdn_span n, int64_t k,
                         int64_t m, float alpha, float beta, void *work, wgdn_error *err)
{
    const tn_plan p = plan_tn(n, k, m);
    double *store = work, *kept = store + p.leaf * (size_t)p.levels;
    double *all = kept + p.leaf * (size_t)p.subtrees;
    for (int64_t top = 0; top < k; top += p.tile) {
        tn_tile t = {.p = &p,
                     .c = c + top * m,
                     .size = wgdn_least(p.tile, k - top) * m,
                     .alpha = alpha,
                     .beta = beta,
                     .store = store,
                     .kept = kept,
                     .leaves = (float *)(n.dist ? all + p.leaf : kept)};
        if (!tile_leaves(&t, a, b, n, k, m, top)) return engine_failed(err, "A^T B", n.count, k, m);
        if (!n.dist) continue;
        const double *subtree[WGDN_SUBTREES_MOST];
        for (int i = 0; i < p.subtrees; i++)
            subtree[i] = kept + (size_t)i * p.leaf;
        wgdn_join(all, subtree, t.size, n, p.rows);
        finish(&t, all, 0, t.size);
    }
    return WGDN_OK;
}
