/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The k rows of X most similar to each query: products by the dense engine, a tile of queries
 * against a chunk of rows at a time, and for every query a heap of the best, the worst on top.
 */
#include "eval.h"

#include <math.h>
#include <string.h>

enum {
    CHUNK = 8192, /* rows at a time: 256 to an engine call, and 8 MB of scores with ... */
    TILE = 256,   /* ... so many queries */
};

typedef struct found {
    float score;
    int64_t row;
} found;

typedef struct search {
    const float *x;
    int64_t n, width, k;
    float *inverse; /* 1 / |x_i|, or NULL for dot products */
    float *query;   /* TILE x width, of length 1 for cosines */
    float *score;   /* CHUNK x tile */
    found *heap;    /* TILE x k */
    float *limit;   /* TILE: what a row must beat */
    int64_t tile, first, count, held;
    const wgdn_archive *in; /* whose pages are not needed soon once they were used; or NULL */
} search;

static bool worse(const found *a, const found *b)
{
    return a->score < b->score || (a->score == b->score && a->row > b->row);
}

/* Let the element at `at` sink to its place among count; the worst is on top. */
static void sink(found *heap, int64_t count, int64_t at)
{
    const found moving = heap[at];
    for (;;) {
        int64_t child = 2 * at + 1;
        if (child >= count) break;
        if (child + 1 < count && worse(&heap[child + 1], &heap[child])) child++;
        if (!worse(&heap[child], &moving)) break;
        heap[at] = heap[child];
        at = child;
    }
    heap[at] = moving;
}

static float inverse_norm(const float *x, int64_t width)
{
    double sum = 0;
    for (int64_t j = 0; j < width; j++)
        sum += (double)x[j] * x[j];
    return sum > 0 ? (float)(1 / sqrt(sum)) : 0;
}

static void norm_rows(int64_t first, int64_t count, double *sums, void *context)
{
    const search *s = context;
    (void)sums;
    for (int64_t i = s->first + first; i < s->first + first + count; i++)
        s->inverse[i] = inverse_norm(s->x + i * s->width, s->width);
}

/* Whether there is a chunk behind the last one; of the first, behind none. */
static bool next_chunk(search *s)
{
    if (s->in && s->count)
        wgdn_archive_forget_at(s->in, s->x + s->first * s->width,
                               (size_t)(s->count * s->width) * sizeof *s->x, true);
    s->first += s->count;
    s->count = s->n - s->first < CHUNK ? s->n - s->first : CHUNK;
    return s->count > 0;
}

static void measure(search *s)
{
    s->first = s->count = 0;
    while (s->inverse && next_chunk(s))
        wgdn_for_blocks(wgdn_alone(s->count), norm_rows, s, NULL, 0, NULL);
}

/* While there are fewer than k rows all are kept; with the last of these the heap is made. */
static void fill(const search *s, int64_t q, int64_t held, found one)
{
    found *heap = s->heap + q * s->k;
    heap[held] = one;
    if (held < s->k - 1) return;
    for (int64_t at = s->k / 2 - 1; at >= 0; at--)
        sink(heap, s->k, at);
    s->limit[q] = heap[0].score;
}

static void replace(const search *s, int64_t q, found one)
{
    found *heap = s->heap + q * s->k;
    heap[0] = one;
    sink(heap, s->k, 0);
    s->limit[q] = heap[0].score;
}

/* Whether any of the queries wants this row: a loop without branches, as nearly none ever does. */
static bool wanted(const float *score, const float *limit, float factor, int64_t count)
{
    int any = 0;
    for (int64_t q = 0; q < count; q++)
        any |= factor * score[q] > limit[q];
    return any != 0;
}

/* Offer the chunk's scores to the heaps of some queries. Rows come in ascending order. */
static void offer(int64_t first, int64_t count, double *sums, void *context)
{
    const search *s = context;
    (void)sums;
    for (int64_t i = 0; i < s->count; i++) {
        const int64_t row = s->first + i, held = s->held + i;
        const float *score = s->score + i * s->tile;
        const float factor = s->inverse ? s->inverse[row] : 1;
        if (held >= s->k && !wanted(score + first, s->limit + first, factor, count)) continue;
        for (int64_t q = first; q < first + count; q++) {
            const found one = {factor * score[q], row};
            if (held < s->k)
                fill(s, q, held, one);
            else if (one.score > s->limit[q])
                replace(s, q, one);
        }
    }
}

/* Take the worst away again and again: what is left in place is sorted, best first. */
static void sort_heaps(int64_t first, int64_t count, double *sums, void *context)
{
    const search *s = context;
    (void)sums;
    for (int64_t q = first; q < first + count; q++) {
        found *heap = s->heap + q * s->k;
        for (int64_t last = s->k - 1; last > 0; last--) {
            const found worst = heap[0];
            heap[0] = heap[last];
            heap[last] = worst;
            sink(heap, last, 0);
        }
    }
}

static wgdn_status search_tile(search *s, wgdn_error *err)
{
    s->held = s->first = s->count = 0;
    while (next_chunk(s)) {
        const wgdn_product p = wgdn_product_of(s->score, s->x + s->first * s->width, s->query,
                                               wgdn_alone(s->count), s->width, s->tile);
        const wgdn_status st = wgdn_gemm_nt(&p, err);
        if (st) return st;
        wgdn_for_blocks(wgdn_alone(s->tile), offer, s, NULL, 0, NULL);
        s->held += s->count;
    }
    wgdn_for_blocks(wgdn_alone(s->tile), sort_heaps, s, NULL, 0, NULL);
    return WGDN_OK;
}

static void load_queries(search *s, const float *query)
{
    memcpy(s->query, query, (size_t)(s->tile * s->width) * sizeof *query);
    for (int64_t q = 0; s->inverse && q < s->tile; q++) {
        float *x = s->query + q * s->width;
        const float a = inverse_norm(x, s->width);
        for (int64_t j = 0; j < s->width; j++)
            x[j] *= a;
    }
}

static wgdn_status search_all(search *s, int64_t *index, float *score, const float *query,
                              int64_t queries, wgdn_error *err)
{
    const int64_t most = queries < TILE ? queries : TILE, chunk = s->n < CHUNK ? s->n : CHUNK;
    s->query = wgdn_alloc((size_t)(most * s->width), sizeof *s->query);
    s->score = wgdn_alloc((size_t)(most * chunk), sizeof *s->score);
    s->heap = wgdn_alloc((size_t)most, (size_t)s->k * sizeof *s->heap);
    s->limit = wgdn_alloc((size_t)most, sizeof *s->limit);
    if (!s->query || !s->score || !s->heap || !s->limit)
        return wgdn_fail(err, WGDN_ENOMEM, "neighbours: %lld of %lld rows for %lld queries",
                         (long long)s->k, (long long)s->n, (long long)queries);
    measure(s);
    for (int64_t q = 0; q < queries; q += s->tile) {
        s->tile = queries - q < TILE ? queries - q : TILE;
        load_queries(s, query + q * s->width);
        const wgdn_status st = search_tile(s, err);
        if (st) return st;
        for (int64_t i = 0; i < s->tile * s->k; i++) {
            index[q * s->k + i] = s->heap[i].row;
            if (score) score[q * s->k + i] = s->heap[i].score;
        }
    }
    return WGDN_OK;
}

wgdn_status wgdn_search_rows(int64_t *index, float *score, const wgdn_search *in, wgdn_error *err)
{
    search s = {.x = in->x, .n = in->n, .width = in->width, .k = in->k, .in = in->in};
    wgdn_status st = WGDN_OK;
    if (s.n < 1 || s.width < 1 || s.k < 1 || s.k > s.n)
        return wgdn_fail(err, WGDN_EINVAL, "neighbours: %lld of %lld rows of %lld dimensions",
                         (long long)s.k, (long long)s.n, (long long)s.width);
    if (in->queries == 0) return WGDN_OK;
    if (in->cosine) {
        s.inverse = wgdn_alloc((size_t)s.n, sizeof *s.inverse);
        if (!s.inverse)
            st = wgdn_fail(err, WGDN_ENOMEM, "neighbours: %lld lengths", (long long)s.n);
    }
    if (!st) st = search_all(&s, index, score, in->query, in->queries, err);
    wgdn_release(s.limit);
    wgdn_release(s.heap);
    wgdn_release(s.score);
    wgdn_release(s.query);
    wgdn_release(s.inverse);
    return st;
}

wgdn_status wgdn_embedding_search(int64_t *index, float *score, const wgdn_embedding *e,
                                  const wgdn_embedding *queries, int64_t k, wgdn_similarity metric,
                                  const wgdn_compute_options *o, wgdn_error *err)
{
    wgdn_compute_options opt;
    wgdn_vectors x = {0}, q = {0};
    wgdn_status st = wgdn_compute_options_read(&opt, o, err);
    if (st) return st;
    if (queries && queries->vectors.width != e->vectors.width)
        return wgdn_fail(err, WGDN_EINVAL, "neighbours: queries of %lld dimensions among %lld",
                         (long long)queries->vectors.width, (long long)e->vectors.width);
    const int former = wgdn_threads_use(opt.threads);
    st = wgdn_vectors_open(&x, e, err);
    if (!st && queries) st = wgdn_vectors_open(&q, queries, err);
    if (!st) {
        const wgdn_vectors *ask = queries ? &q : &x;
        const wgdn_search s = {x.x,
                               x.n,
                               x.width,
                               ask->x,
                               ask->n,
                               k,
                               metric == WGDN_SIMILARITY_COSINE,
                               e->archive.sparing ? &e->archive : NULL};
        st = wgdn_search_rows(index, score, &s, err);
    }
    wgdn_vectors_close(&q);
    wgdn_vectors_close(&x);
    wgdn_threads_use(former);
    return st;
}
