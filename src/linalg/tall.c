/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Computes Gram matrices, rotations and signs of tall matrices, one chunk of rows at a time.
 * Chunks are whole subtrees of the summation tree, so the bits do not depend on where the matrix
 * is stored.
 */
#include "linalg.h"

enum { CHUNK = 1 << 15 }; /* rows, at least */

int64_t wgdn_chunk_rows(wgdn_span rows)
{
    int64_t size = wgdn_leaf_rows(rows.total);
    if (rows.dist) return rows.count;
    while (size < CHUNK)
        size *= 2;
    return wgdn_min(size, rows.count);
}

int64_t wgdn_chunk_count(wgdn_span rows)
{
    const int64_t size = wgdn_chunk_rows(rows);
    return rows.dist || size < 1 ? 1 : (rows.count + size - 1) / size;
}

wgdn_span wgdn_chunk(wgdn_span rows, int64_t i)
{
    const int64_t size = wgdn_chunk_rows(rows), first = i * size;
    if (rows.dist) return rows;
    return (wgdn_span){
        .first = first, .count = wgdn_min(size, rows.count - first), .total = rows.total};
}

/*
 * Processes tall matrices one chunk of rows at a time: the sums equal those over all rows, bit by
 * bit.
 */

/* What a call has room for: sums of a chunk, and the chunk after and, if it is far, before; rows
 * that ranks share are one chunk, and never far. */
typedef struct room {
    void *product;
    double *tree;
    float *other, *rows;
} room;

static size_t sums_work(wgdn_span n, int64_t k)
{
    const wgdn_span one = wgdn_chunk(n, 0);
    const size_t gram = wgdn_gemm_tn_work(one, k, k), cubes = wgdn_for_blocks_work(one, k);
    const size_t most = gram > cubes ? gram : cubes;
    return (most + 63) / 64 * 64;
}

static size_t tree_room(wgdn_span n, int64_t k)
{
    return wgdn_size_product((size_t)wgdn_tree_levels(wgdn_chunk_count(n)), (size_t)k, (size_t)k);
}

size_t wgdn_tall_work(wgdn_span n, int64_t k)
{
    const size_t chunk = wgdn_size_product((size_t)wgdn_chunk_rows(n), (size_t)k, sizeof(float));
    const size_t tree = wgdn_size_product(tree_room(n, k), 1, sizeof(double));
    return wgdn_size_sum(wgdn_size_sum(sums_work(n, k), tree),
                         wgdn_size_product(n.dist ? 1 : 2, chunk, 1));
}

static room room_in(void *work, const wgdn_tall *t)
{
    room r = {.product = work, .tree = (double *)((char *)work + sums_work(t->n, t->k))};
    r.other = (float *)(r.tree + tree_room(t->n, t->k));
    r.rows = r.other + wgdn_chunk_rows(t->n) * t->k;
    return r;
}

static float *get_rows(const wgdn_tall *t, wgdn_span chunk, const room *r)
{
    const int64_t first = wgdn_chunk_first(chunk);
    if (t->x) return t->x + first * t->k;
    t->get(r->rows, first, chunk.count, t->of);
    return r->rows;
}

static void put_rows(const wgdn_tall *t, wgdn_span chunk, const float *rows)
{
    const int64_t first = wgdn_chunk_first(chunk);
    float *const place = t->x ? t->x + first * t->k : NULL;
    if (place && place != rows) wgdn_copy(place, rows, chunk.count, t->k);
    if (!place) t->put(t->of, first, chunk.count, rows);
}

wgdn_status wgdn_tall_gram(double *g, const wgdn_tall *t, const float *weight, void *work,
                           wgdn_error *err)
{
    const room r = room_in(work, t);
    const int64_t k = t->k;
    wgdn_status st = WGDN_OK;
    wgdn_tree tree;
    wgdn_tree_begin(&tree, r.tree, k * k);
    for (int64_t i = 0; i < wgdn_chunk_count(t->n) && !st; i++) {
        const wgdn_span here = wgdn_chunk(t->n, i);
        const float *rows = get_rows(t, here, &r);
        wgdn_product p = wgdn_product_of(NULL, rows, weight ? r.other : rows, here, k, k);
        if (weight) wgdn_scale_rows(r.other, weight + wgdn_chunk_first(here), rows, here, k);
        p.wide = wgdn_tree_push(&tree, i);
        p.gram = !weight;
        p.work = r.product;
        st = wgdn_gemm_tn(&p, err);
    }
    const double *sum = st ? NULL : wgdn_tree_end(&tree);
    for (int64_t i = 0; sum && i < k * k; i++)
        g[i] = sum[i];
    return st;
}

wgdn_status wgdn_tall_turn(const wgdn_tall *t, const float *b, void *work, wgdn_error *err)
{
    const room r = room_in(work, t);
    wgdn_status st = WGDN_OK;
    for (int64_t i = 0; i < wgdn_chunk_count(t->n) && !st; i++) {
        const wgdn_span here = wgdn_chunk(t->n, i);
        const wgdn_product p = wgdn_product_of(r.other, get_rows(t, here, &r), b, here, t->k, t->k);
        st = wgdn_gemm_nn(&p, err);
        if (!st) put_rows(t, here, r.other);
    }
    return st;
}

typedef struct signing {
    float *x;
    const double *sum;
    int64_t k;
} signing;

static void cube_rows(int64_t first, int64_t count, double *sums, void *context)
{
    const signing *s = context;
    for (int64_t i = first; i < first + count; i++)
        for (int64_t j = 0; j < s->k; j++) {
            const double x = s->x[i * s->k + j];
            sums[j] += x * x * x;
        }
}

static void sign_rows(int64_t first, int64_t count, double *sums, void *context)
{
    const signing *s = context;
    (void)sums;
    for (int64_t i = first; i < first + count; i++)
        for (int64_t j = 0; j < s->k; j++)
            if (s->sum[j] < 0) s->x[i * s->k + j] = -s->x[i * s->k + j];
}

void wgdn_tall_signs(const wgdn_tall *t, double *sum, void *work)
{
    const room r = room_in(work, t);
    wgdn_tree tree;
    wgdn_tree_begin(&tree, r.tree, t->k);
    for (int64_t i = 0; i < wgdn_chunk_count(t->n); i++) {
        const wgdn_span here = wgdn_chunk(t->n, i);
        signing s = {get_rows(t, here, &r), NULL, t->k};
        wgdn_for_blocks(here, cube_rows, &s, wgdn_tree_push(&tree, i), t->k, r.product);
    }
    const double *all = wgdn_tree_end(&tree);
    for (int64_t j = 0; j < t->k; j++)
        sum[j] = all[j];
    for (int64_t i = 0; i < wgdn_chunk_count(t->n); i++) {
        const wgdn_span here = wgdn_chunk(t->n, i);
        signing s = {get_rows(t, here, &r), sum, t->k};
        wgdn_for_blocks(here, sign_rows, &s, NULL, 0, NULL);
        put_rows(t, here, s.x);
    }
}
