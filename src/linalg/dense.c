/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Computes dense products over the rows of tall matrices, and the elementwise operations on them.
 * Rows are split into fixed blocks, so the bits do not depend on the threads; each block is one
 * call of the engine in engine.h.
 */
#include "engine.h"
#include "linalg.h"
#include "rows.h"
#include "wide_rows.h"

#include <omp.h>
#include <string.h>

/*
 * Computes products with both factors rounded to bf16 (to nearest, ties to even) and sums in fp32.
 * Used where the option `precision` is bf16.
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

/*
 * A leaf of A^T B: C (height x m) = A^T B over `count` rows of A (stride k) and B (m wide). In bf16
 * leaves have `rows` rows, the last one too: rows that are missing count as zeros, so that there
 * are few shapes. Opened by each thread, with room of its own.
 */
typedef struct leaf_bf16 {
    void *a, *b;
    int64_t rows, m;
    int64_t height; /* of the shape that is open; 0: none is */
    wgdn_engine_bf16 engine;
} leaf_bf16;

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

/* The bias of these rows, added while a block is in the cache. */
static void product_bias(const wgdn_product *p, int64_t first, int64_t count)
{
    const wgdn_row_ops *ops = wgdn_rows();
    for (int64_t i = first; p->bias && i < first + count; i++)
        ops->axpy(p->c + i * p->m, p->column ? p->column[i] : 1, p->bias, p->m);
}

static bool product_bf16(const wgdn_product *p, bool tb)
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
            product_bias(p, first, count);
        }
        if (narrow) wgdn_engine_bf16_close(&e);
    }
    return !failed;
}

/* bytes for a thread */
static size_t leaf_bf16_work(int64_t rows, int64_t height, int64_t m)
{
    return matrix_bytes(rows, height) + matrix_bytes(rows, m);
}

static leaf_bf16 leaf_bf16_of(void *work, int64_t rows, int64_t height, int64_t m)
{
    return (leaf_bf16){
        .a = work, .b = (char *)work + matrix_bytes(rows, height), .rows = rows, .m = m};
}

static void leaf_bf16_close(leaf_bf16 *l)
{
    if (l->height) wgdn_engine_bf16_close(&l->engine);
    l->height = 0;
}

static bool leaf_bf16_make(leaf_bf16 *l, float *c, const float *a, const float *b, int64_t count,
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
        leaf_bf16_close(l);
        if (!wgdn_engine_bf16_open(&l->engine, true, false, height, l->m, l->rows, 0)) return false;
        l->height = height;
    }
    return wgdn_engine_bf16_gemm(&l->engine, l->a, l->b, c);
}

/*
 * Multiplies dense matrices: rows are cut into fixed blocks, and each block is one single-thread
 * call of the engine.
 */

enum { STRIP = 16 }; /* rows of B that are transposed together */

#ifdef WGDN_HAVE_CBLAS
#define OR_MISSING ", or " WGDN_HAVE_CBLAS " may be missing"
#else
#define OR_MISSING ""
#endif

static wgdn_status engine_failed(wgdn_error *err, const char *what, const wgdn_product *p)
{
    const int64_t room = wgdn_engine_room();
    if (!wgdn_memory_can_map(room)) {
        wgdn_memory_short();
        return wgdn_fail(err, WGDN_ENOMEM, "%s, the matrix library, needs %lld MB of workspace",
                         wgdn_engine_name, (long long)room >> 20);
    }
    return wgdn_fail(
        err, WGDN_EENGINE,
        "%s: the product %s of %lld x %lld x %lld failed; it may be out of memory" OR_MISSING,
        wgdn_engine_name, what, (long long)p->n.count, (long long)p->k, (long long)p->m);
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
            for (int64_t j = 0; j < p->m; j += STRIP) {
                /* Rows [j, j + STRIP) of B, m x k, as columns of its transpose. */
                const int64_t width = wgdn_min(STRIP, p->m - j);
                for (int64_t i = 0; i < p->k; i++)
                    for (int64_t l = 0; l < width; l++)
                        transposed[i * p->m + j + l] = p->b[(j + l) * p->k + i];
            }
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
            product_bias(p, first, count);
        }
    }
    return !failed;
}

static bool product(const wgdn_product *p, bool tb)
{
    return p->precision == WGDN_PRECISION_BF16 ? product_bf16(p, tb) : product_fp32(p, tb);
}

wgdn_status wgdn_gemm_nn(const wgdn_product *p, wgdn_error *err)
{
    if (wgdn_tally_add(WGDN_TALLY_DENSE, p->n.count, p->k, p->m)) return WGDN_OK;
    return product(p, false) ? wgdn_stop_check(err) : engine_failed(err, "A B", p);
}

wgdn_status wgdn_gemm_nt(const wgdn_product *p, wgdn_error *err)
{
    if (wgdn_tally_add(WGDN_TALLY_DENSE, p->n.count, p->k, p->m)) return WGDN_OK;
    return product(p, true) ? wgdn_stop_check(err) : engine_failed(err, "A B^T", p);
}

/*
 * C = alpha A^T B + beta C, a sum over n rows.
 *
 * A leaf is the product of one block of rows, or of enough small blocks to be worth a place in the
 * tree: 2^j of them, which is a subtree (wgdn_leaf_rows). C is cut into tiles (bands of its rows),
 * so that the leaves of a tile remain small. Leaves are computed in waves, each by one thread, or
 * in bands by several threads if there are few leaves. They are then added to the tree, in which
 * every stretch of C has its own stack of partial sums. The assignment of leaves to waves does not
 * affect the sum, because their numbers define the tree. If ranks share the rows, the sums of the
 * local subtrees are kept, tile by tile, until they are added to those of the other ranks.
 *
 * Of A^T A only the upper half is computed, in narrower bands, each from its diagonal on; the lower
 * half is its mirror image.
 *
 * In bf16 a product is so fast that the tree would take half of the time. Leaves then have more
 * rows, tiles are larger and bands fewer, since a leaf's rows of B are converted again for each
 * band. These leaves are not subtrees of the ranks' rows: bf16 is for one process.
 */

enum {
    WAVE = 32,         /* leaves alive at once */
    TILE_MAX = 262144, /* floats of a leaf */
    STRETCH = 512,     /* floats that walk the tree together */
    FEW = 8,
    BANDS = 4,      /* with fewer leaves than that, so many bands */
    MIRRORED = 128, /* rows of a band of A^T A */
    MIRROR_STRIP = 16,
    /* the same in bf16 */
    WAVE_BF16 = 16,
    TILE_MAX_BF16 = 1048576,
    BANDS_BF16 = 2,
    LEAVES_BF16 = 16, /* of up to LEAF_ROWS each if these are enough, of up to so many if not: */
    LEAF_ROWS = 512,
    LEAF_ROWS_MAX = 4096,
    ROWS_STEP = 32, /* the engine makes code for each number of rows */
};

typedef struct tn_plan {
    int64_t rows, first, blocks, bands, tile, wave, levels; /* rows of a leaf, leaves here */
    bool mirrored;
    bool shared;  /* between ranks */
    int subtrees; /* of the leaves here, if so */
    int64_t start[WGDN_SUBTREES_MAX + 1];
    size_t leaf; /* floats */
} tn_plan;

static int64_t ceiling(int64_t n, int64_t parts)
{
    return (n + parts - 1) / parts;
}

static int64_t in_steps(int64_t rows)
{
    return ceiling(rows, ROWS_STEP) * ROWS_STEP;
}

static int64_t leaf_rows_most(int64_t n)
{
    const int64_t few = ceiling(n, LEAVES_BF16);
    return few > LEAF_ROWS ? in_steps(wgdn_min(few, LEAF_ROWS_MAX)) : LEAF_ROWS;
}

/* Even leaves: what the last one lacks is filled up with zeros, and multiplied all the same. */
static int64_t leaf_rows_bf16(int64_t n)
{
    return n > 0 ? in_steps(ceiling(n, ceiling(n, leaf_rows_most(n)))) : ROWS_STEP;
}

static tn_plan plan_tn(wgdn_span n, int64_t k, int64_t m, bool bf16)
{
    const int64_t most = bf16 ? TILE_MAX_BF16 : TILE_MAX;
    tn_plan p = {.rows = bf16 ? leaf_rows_bf16(n.total) : wgdn_leaf_rows(n.total),
                 .shared = n.dist != NULL};
    p.first = n.first / p.rows;
    p.blocks = ceiling(n.count, p.rows);
    /* By all leaves, not by those here: the engine adds in another order when a band is one row. */
    p.bands = ceiling(n.total, p.rows) >= FEW ? 1 : bf16 ? BANDS_BF16 : BANDS;
    p.tile = wgdn_min(k, m < most ? most / m : 1);
    p.wave = wgdn_min(p.blocks, bf16 ? WAVE_BF16 : WAVE);
    p.levels = wgdn_tree_levels(p.blocks);
    p.subtrees = p.shared ? wgdn_subtrees(p.start, n, p.rows) : 0;
    p.leaf = (size_t)(ceiling(p.tile * m, STRETCH) * STRETCH);
    return p;
}

static size_t tree_bytes(const tn_plan *p)
{
    const size_t kept = p->shared ? (size_t)p->subtrees + 1 : 0; /* and the sum of all */
    const size_t each =
        (size_t)p->wave * sizeof(float) + ((size_t)p->levels + kept) * sizeof(double);
    return wgdn_size_product(p->leaf, each, 1);
}

size_t wgdn_gemm_tn_work(wgdn_span n, int64_t k, int64_t m)
{
    const tn_plan p = plan_tn(n, k, m, false);
    return tree_bytes(&p);
}

/* Room for n rows serves fewer, of which there may be more or larger leaves. */
size_t wgdn_gemm_bf16_work(wgdn_span n, int64_t k, int64_t m)
{
    const int64_t rows = leaf_rows_most(n.total), leaves = ceiling(n.total, rows);
    tn_plan p = plan_tn(n, k, m, true);
    p.blocks = rows > LEAF_ROWS && leaves < LEAVES_BF16 ? LEAVES_BF16 : leaves;
    p.wave = wgdn_min(p.blocks, WAVE_BF16);
    p.levels = wgdn_tree_levels(p.blocks);
    const size_t leaf = leaf_bf16_work(wgdn_min(rows, in_steps(n.total)), p.tile, m);
    const size_t tn = tree_bytes(&p) + (size_t)omp_get_max_threads() * leaf;
    const rows_room r = room_of(n, k, m);
    const size_t nn = r.b + r.packed + (size_t)omp_get_max_threads() * (r.a + r.c);
    return tn > nn ? tn : nn;
}

/* One tile of C, from its row `top` on, on its way. */
typedef struct tn_tile {
    const wgdn_product *product;
    const tn_plan *p;
    float *c;
    int64_t top, size; /* floats */
    double *store, *kept;
    float *leaves;
    char *threads; /* room of each thread in bf16 */
} tn_tile;

/* The whole sum of a stretch, or that of a subtree whose last leaf has been pushed. */
static void take(const tn_tile *t, wgdn_tree *tree, int64_t from, int64_t width, int subtree)
{
    const double *sum = wgdn_tree_end(tree);
    double *wide = t->product->wide;
    if (!t->p->shared && wide)
        memcpy(wide + t->top * t->product->m + from, sum, (size_t)width * sizeof *sum);
    else if (!t->p->shared)
        wgdn_wide_rows()->narrow(t->c + from, t->product->alpha, sum, t->product->beta, width);
    else
        memcpy(t->kept + (size_t)subtree * t->p->leaf + from, sum, (size_t)width * sizeof *sum);
    tree->held = 0;
}

/* Push leaves [first, first + count) of one stretch. */
static void push_wave(const tn_tile *t, wgdn_tree *tree, int64_t first, int64_t count, int64_t from)
{
    const tn_plan *p = t->p;
    const int64_t width = wgdn_min(STRETCH, t->size - from);
    int subtree = 0;
    for (int64_t b = 0; b < count; b++) {
        const int64_t leaf = p->first + first + b;
        double *sum = wgdn_tree_push(tree, leaf);
        wgdn_wide_rows()->widen(sum, t->leaves + (size_t)b * p->leaf + from, width);
        while (subtree < p->subtrees && p->start[subtree + 1] <= leaf)
            subtree++;
        if (p->shared ? leaf + 1 == p->start[subtree + 1] : first + b + 1 == p->blocks)
            take(t, tree, from, width, subtree);
    }
}

/* Rows of a leaf of C, from `top` and column `left` on, summed over the rows of A and B from `at` on. */
typedef struct tn_piece {
    float *to;
    int64_t at, count, top, height, left;
} tn_piece;

static bool make_piece(const wgdn_product *q, const tn_piece *l, leaf_bf16 *bf16)
{
    const float *a = q->a + l->at * q->k + l->top, *b = q->b + l->at * q->m + l->left;
    if (q->precision == WGDN_PRECISION_BF16)
        return leaf_bf16_make(bf16, l->to, a, b, l->count, q->k, l->height);
    for (int64_t i = 0; i < l->height; i++)
        memset(l->to + i * q->m, 0, (size_t)l->left * sizeof *l->to);
    return wgdn_engine_gemm(&(wgdn_engine_product){.ta = true,
                                                   .m = l->height,
                                                   .n = q->m - l->left,
                                                   .k = l->count,
                                                   .alpha = 1,
                                                   .a = a,
                                                   .lda = q->k,
                                                   .b = b,
                                                   .ldb = q->m,
                                                   .c = l->to + l->left,
                                                   .ldc = q->m});
}

static bool tile_leaves(const tn_tile *t)
{
    const tn_plan *p = t->p;
    const wgdn_product *q = t->product;
    const bool bf16 = q->precision == WGDN_PRECISION_BF16;
    const int64_t height = t->size / q->m;
    const int64_t band = p->mirrored ? MIRRORED : ceiling(height, p->bands);
    const int64_t stretches = ceiling(t->size, STRETCH);
    wgdn_tree shape; /* the same for every stretch but for its store */
    int failed = 0;

    wgdn_tree_begin(&shape, NULL, STRETCH);
    for (int64_t first = 0; first < p->blocks && !failed && !wgdn_stopping(); first += p->wave) {
        const int64_t count = wgdn_min(p->wave, p->blocks - first);
        wgdn_tree after = shape;
#pragma omp parallel reduction(| : failed) if (!wgdn_forked())
        {
            const size_t each = bf16 ? leaf_bf16_work(p->rows, p->tile, q->m) : 0;
            char *own = t->threads + (size_t)omp_get_thread_num() * each;
            leaf_bf16 small = {0};
            if (bf16) small = leaf_bf16_of(own, p->rows, p->tile, q->m);
            wgdn_engine_single_thread();
#pragma omp for schedule(dynamic)
            for (int64_t i = 0; i < count * p->bands; i++) {
                const int64_t leaf = i / p->bands, at = (first + leaf) * p->rows;
                const int64_t from = i % p->bands * band;
                const tn_piece piece = {t->leaves + (size_t)leaf * p->leaf + from * q->m,
                                        at,
                                        wgdn_min(p->rows, q->n.count - at),
                                        t->top + from,
                                        wgdn_min(band, height - from),
                                        p->mirrored ? t->top + from : 0};
                if (piece.height > 0) failed |= !make_piece(q, &piece, &small);
            }
            leaf_bf16_close(&small);
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

/* The lower half of C from the upper one, strip by strip. */
static void mirror(const wgdn_product *q)
{
#pragma omp parallel for schedule(dynamic) if (!wgdn_forked())
    for (int64_t first = 0; first < q->k; first += MIRROR_STRIP)
        for (int64_t j = first; j < q->k; j++)
            for (int64_t i = first; i < wgdn_min(first + MIRROR_STRIP, j); i++) {
                if (q->wide)
                    q->wide[j * q->k + i] = q->wide[i * q->k + j];
                else
                    q->c[j * q->k + i] = q->c[i * q->k + j];
            }
}

wgdn_status wgdn_gemm_tn(const wgdn_product *q, wgdn_error *err)
{
    const bool bf16 = q->precision == WGDN_PRECISION_BF16;
    tn_plan p = plan_tn(q->n, q->k, q->m, bf16);
    p.mirrored = q->gram && (q->wide || q->beta == 0) && !bf16;
    if (p.mirrored) p.bands = ceiling(p.tile, MIRRORED);
    if (wgdn_tally_leaves(q->k * q->m, q->n.dist) &&
        wgdn_tally_add(WGDN_TALLY_DENSE_SUM, q->n.count, q->k,
                       p.mirrored ? wgdn_min(q->m, (q->m + MIRRORED) / 2) : q->m)) {
        for (int64_t top = 0; top < q->k && p.shared; top += p.tile)
            wgdn_tally_sent(wgdn_join_sent(wgdn_min(p.tile, q->k - top) * q->m, q->n, p.rows));
        return WGDN_OK;
    }
    double *store = q->work, *kept = store + p.leaf * (size_t)p.levels;
    double *all = kept + p.leaf * (size_t)p.subtrees;
    for (int64_t top = 0; top < q->k; top += p.tile) {
        const tn_tile t = {.product = q,
                           .p = &p,
                           .c = q->wide ? NULL : q->c + top * q->m,
                           .top = top,
                           .size = wgdn_min(p.tile, q->k - top) * q->m,
                           .store = store,
                           .kept = kept,
                           .leaves = (float *)(p.shared ? all + p.leaf : kept),
                           .threads = (char *)q->work + tree_bytes(&p)};
        if (!tile_leaves(&t)) return engine_failed(err, "A^T B", q);
        if (!p.shared) continue;
        const double *subtree[WGDN_SUBTREES_MAX];
        for (int i = 0; i < p.subtrees; i++)
            subtree[i] = kept + (size_t)i * p.leaf;
        wgdn_join(all, subtree, t.size, q->n, p.rows);
        if (q->wide)
            memcpy(q->wide + top * q->m, all, (size_t)t.size * sizeof *all);
        else
            wgdn_wide_rows()->narrow(t.c, q->alpha, all, q->beta, t.size);
    }
    if (p.mirrored) mirror(q);
    return wgdn_stop_check(err);
}

void wgdn_copy_columns(float *y, int64_t y_width, const float *x, int64_t x_width, int64_t n,
                       int64_t d)
{
    if (wgdn_tally_rows()) return;
#pragma omp parallel for schedule(static) if (!wgdn_forked())
    for (int64_t i = 0; i < n; i++)
        memcpy(y + i * y_width, x + i * x_width, (size_t)d * sizeof *y);
}

void wgdn_scale(float *y, float a, int64_t n, int64_t d)
{
    const wgdn_row_ops *ops = wgdn_rows();
    if (wgdn_tally_rows()) return;
#pragma omp parallel for schedule(static) if (!wgdn_forked())
    for (int64_t i = 0; i < n; i++)
        ops->scale(y + i * d, a, y + i * d, d);
}

void wgdn_axpy(float *y, float a, const float *x, int64_t n, int64_t d)
{
    const wgdn_row_ops *ops = wgdn_rows();
    if (wgdn_tally_rows()) return;
#pragma omp parallel for schedule(static) if (!wgdn_forked())
    for (int64_t i = 0; i < n; i++)
        ops->axpy(y + i * d, a, x + i * d, d);
}

void wgdn_add_row(float *y, float a, const float *row, int64_t n, int64_t d)
{
    const wgdn_row_ops *ops = wgdn_rows();
    if (wgdn_tally_rows()) return;
#pragma omp parallel for schedule(static) if (!wgdn_forked())
    for (int64_t i = 0; i < n; i++)
        ops->axpy(y + i * d, a, row, d);
}

enum { NORMALS_A_TURN = 256 };

/* The noise is drawn in pieces that stay in the first-level cache and is never stored. */
void wgdn_add_normals(float *y, const float *x, float a, wgdn_stream s, wgdn_span n, int64_t d)
{
    const wgdn_row_ops *ops = wgdn_rows();
    if (wgdn_tally_rows()) return;
#pragma omp parallel for schedule(static) if (!wgdn_forked())
    for (int64_t i = 0; i < n.count; i++)
        for (int64_t j = 0; j < d; j += NORMALS_A_TURN) {
            const int64_t width = d - j < NORMALS_A_TURN ? d - j : NORMALS_A_TURN;
            float z[NORMALS_A_TURN];
            wgdn_random_normals(z, width, s, n.first + i, 1, j, width);
            ops->combine(y + i * d + j, 1, x + i * d + j, a, z, width);
        }
}

typedef struct scaling {
    float *y;
    const float *by, *x;
    int64_t d;
} scaling;

static void scale_rows(int64_t first, int64_t count, void *context)
{
    const scaling *s = context;
    for (int64_t i = first; i < first + count; i++)
        for (int64_t j = i * s->d; j < (i + 1) * s->d; j++)
            s->y[j] = s->by[i] * s->x[j];
}

void wgdn_scale_rows(float *y, const float *by, const float *x, wgdn_span n, int64_t d)
{
    wgdn_for_rows(n, scale_rows, &(scaling){y, by, x, d});
}
