/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds the nearest rows by cosine, and classifies nodes by their nearest training nodes. `wgdn
 * similar`, `wgdn compare`, t-SNE and the few-shot evaluation use the search.
 */
#include "probe.h"

#include <math.h>
#include <string.h>

/*
 * Finds the k rows of X most similar to each query. Products are computed by the dense engine, one
 * tile of queries against one chunk of rows at a time; a heap per query holds the best rows, the
 * worst on top.
 */

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
    wgdn_arrays arrays;
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

static void norm_rows(int64_t first, int64_t count, void *context)
{
    const search *s = context;
    for (int64_t i = s->first + first; i < s->first + first + count; i++)
        s->inverse[i] = wgdn_inverse_length(wgdn_row_squares(s->x + i * s->width, s->width));
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

/* Whether any of the queries wants this row: a loop without branches, as nearly none ever does. */
static bool wanted(const float *score, const float *limit, float factor, int64_t count)
{
    int any = 0;
    for (int64_t q = 0; q < count; q++)
        any |= factor * score[q] > limit[q];
    return any != 0;
}

/* Offer the chunk's scores to the heaps of some queries. Rows come in ascending order. */
static void offer(int64_t first, int64_t count, void *context)
{
    const search *s = context;
    for (int64_t i = 0; i < s->count; i++) {
        const int64_t row = s->first + i, held = s->held + i;
        const float *score = s->score + i * s->tile;
        const float factor = s->inverse ? s->inverse[row] : 1;
        if (held >= s->k && !wanted(score + first, s->limit + first, factor, count)) continue;
        for (int64_t q = first; q < first + count; q++) {
            const found one = {factor * score[q], row};
            if (held < s->k)
                fill(s, q, held, one);
            else if (one.score > s->limit[q]) {
                found *heap = s->heap + q * s->k;
                heap[0] = one;
                sink(heap, s->k, 0);
                s->limit[q] = heap[0].score;
            }
        }
    }
}

/* Take the worst away again and again: what is left in place is sorted, best first. */
static void sort_heaps(int64_t first, int64_t count, void *context)
{
    const search *s = context;
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
        wgdn_for_rows(wgdn_alone(s->tile), offer, s);
        s->held += s->count;
    }
    wgdn_for_rows(wgdn_alone(s->tile), sort_heaps, s);
    return WGDN_OK;
}

static void load_queries(search *s, const float *query)
{
    memcpy(s->query, query, (size_t)(s->tile * s->width) * sizeof *query);
    for (int64_t q = 0; s->inverse && q < s->tile; q++) {
        float *x = s->query + q * s->width;
        const float a = wgdn_inverse_length(wgdn_row_squares(x, s->width));
        for (int64_t j = 0; j < s->width; j++)
            x[j] *= a;
    }
}

static wgdn_status search_all(search *s, int64_t *index, float *score, const float *query,
                              int64_t queries, wgdn_error *err)
{
    const int64_t most = queries < TILE ? queries : TILE, chunk = s->n < CHUNK ? s->n : CHUNK;
    s->query = wgdn_arrays_add(&s->arrays, (size_t)(most * s->width), sizeof *s->query);
    s->score = wgdn_arrays_add(&s->arrays, (size_t)(most * chunk), sizeof *s->score);
    s->heap = wgdn_arrays_add(&s->arrays, (size_t)most, (size_t)s->k * sizeof *s->heap);
    s->limit = wgdn_arrays_add(&s->arrays, (size_t)most, sizeof *s->limit);
    if (s->arrays.failed)
        return wgdn_fail(err, WGDN_ENOMEM, "neighbors: %lld of %lld rows for %lld queries",
                         (long long)s->k, (long long)s->n, (long long)queries);
    s->first = s->count = 0;
    while (s->inverse && next_chunk(s))
        wgdn_for_rows(wgdn_alone(s->count), norm_rows, s);
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
    if (s.n < 1 || s.width < 1 || s.k < 1 || s.k > s.n)
        return wgdn_fail(err, WGDN_EINVAL, "neighbors: %lld of %lld rows of %lld dimensions",
                         (long long)s.k, (long long)s.n, (long long)s.width);
    if (in->queries == 0) return WGDN_OK;
    if (in->cosine) s.inverse = wgdn_arrays_add(&s.arrays, (size_t)s.n, sizeof *s.inverse);
    const wgdn_status st = search_all(&s, index, score, in->query, in->queries, err);
    wgdn_arrays_release(&s.arrays);
    return st;
}

wgdn_status wgdn_embedding_search(int64_t *index, float *score, const wgdn_embedding *e,
                                  const wgdn_embedding *queries, int64_t k, wgdn_similarity metric,
                                  const wgdn_compute_options *o, wgdn_error *err)
{
    wgdn_compute_options opt;
    wgdn_vectors x = {0}, q = {0};
    wgdn_status st = wgdn_options_read(&opt, o, WGDN_OPTIONS_KIND_COMPUTE, err);
    if (st) return st;
    if (queries && queries->vectors.width != e->vectors.width)
        return wgdn_fail(err, WGDN_EINVAL, "neighbors: queries of %lld dimensions among %lld",
                         (long long)queries->vectors.width, (long long)e->vectors.width);
    const int former = wgdn_threads_use(opt.threads);
    st = wgdn_vectors_open(&x, e, false, err);
    if (!st && queries) st = wgdn_vectors_open(&q, queries, false, err);
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

/*
 * Classifies test nodes by their nearest training nodes: by cosines and the majority of
 * WGDN_NEIGHBORS, or by the class of the nearest if the majority is a tie. Among equal cosines the
 * first node counts as nearer.
 */

enum {
    KNN_TILE = 4096, /* dense queries gathered at a time */
    STRIPES = 16,    /* sparse queries: row i is in stripe i % STRIPES */
    KNN_CHUNK = 256, /* training nodes whose cosines with all nodes are formed at a time ... */
    ROOM = 1 << 24,  /* ... if these are not more than so many */
};

/* The nearest of each test node so far, best first. */
typedef struct ranking {
    const wgdn_unit_input *u;
    const wgdn_parts *p;
    int64_t k;      /* neighbors: WGDN_NEIGHBORS, or all there are */
    int64_t *index; /* test x k: which training node; -1 behind the last */
    float *score;
} ranking;

static const int64_t *test_rows(const wgdn_parts *p)
{
    return p->row + p->train + p->val;
}

/* Training nodes come in ascending order, so an equal score is further away. */
static void knn_offer(ranking *r, int64_t query, int64_t node, float score)
{
    int64_t *index = r->index + query * r->k, at = r->k;
    float *held = r->score + query * r->k;
    while (at > 0 && (index[at - 1] < 0 || score > held[at - 1])) {
        if (at < r->k) {
            index[at] = index[at - 1];
            held[at] = held[at - 1];
        }
        at--;
    }
    if (at == r->k) return;
    index[at] = node;
    held[at] = score;
}

/* ---- dense rows ---- */

static void gather(float *to, const wgdn_probe_input *in, const int64_t *row, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        memcpy(to + i * in->width, in->dense + row[i] * in->width, (size_t)in->width * sizeof *to);
}

static wgdn_status rank_dense(ranking *r, wgdn_error *err)
{
    const wgdn_probe_input *in = r->u->in;
    const wgdn_parts *p = r->p;
    const size_t row = (size_t)in->width * sizeof(float);
    float *train_rows = wgdn_alloc((size_t)p->train, row);
    float *query = wgdn_alloc((size_t)wgdn_min(KNN_TILE, p->test), row);
    wgdn_status st = WGDN_OK;
    if (!train_rows || !query)
        st = wgdn_fail(err, WGDN_ENOMEM, "k-NN: %lld rows", (long long)p->train);
    if (!st) gather(train_rows, in, p->row, p->train);
    for (int64_t first = 0; !st && first < p->test; first += KNN_TILE) {
        const int64_t count = wgdn_min(KNN_TILE, p->test - first);
        const wgdn_search s = {train_rows, p->train, in->width, query, count, r->k, true, NULL};
        gather(query, in, test_rows(p) + first, count);
        st = wgdn_search_rows(r->index + first * r->k, NULL, &s, err);
    }
    wgdn_release(query);
    wgdn_release(train_rows);
    return st;
}

/* ---- sparse rows: along the columns of a query, over the training nodes that have them ---- */

typedef struct walking {
    ranking *r;
    const wgdn_csr *turned; /* width x train, of rows of length 1 */
    float *score;           /* STRIPES x train */
} walking;

static void walk_stripe(int64_t stripe, void *context)
{
    const walking *w = context;
    const wgdn_csr *a = w->r->u->in->sparse, *t = w->turned;
    const int64_t train = w->r->p->train;
    float *score = w->score + stripe * train;
    for (int64_t q = stripe; q < w->r->p->test; q += STRIPES) {
        const int64_t node = test_rows(w->r->p)[q];
        memset(score, 0, (size_t)train * sizeof *score);
        for (int64_t k = a->offset[node]; k < a->offset[node + 1]; k++) {
            const int64_t column = a->column[k];
            const float x = w->r->u->inverse[node] * (a->value ? a->value[k] : 1);
            for (int64_t e = t->offset[column]; e < t->offset[column + 1]; e++)
                score[t->column[e]] += x * t->value[e];
        }
        for (int64_t i = 0; i < train; i++)
            knn_offer(w->r, q, i, score[i]);
    }
}

static wgdn_status rank_sparse(ranking *r, wgdn_error *err)
{
    wgdn_row_subset l = {0};
    wgdn_status st = wgdn_row_subset_open(&l, r->u, r->p->row, r->p->train, 1, err);
    walking w = {r, &l.transposed, NULL};
    if (!st) {
        w.score = wgdn_alloc((size_t)r->p->train, STRIPES * sizeof *w.score);
        if (!w.score) st = wgdn_fail(err, WGDN_ENOMEM, "k-NN: %lld rows", (long long)r->p->train);
    }
    if (!st) wgdn_for_each(STRIPES, walk_stripe, &w);
    wgdn_release(w.score);
    wgdn_row_subset_close(&l);
    return st;
}

/* ---- rows of P(L) X: cosines of all nodes with some training nodes at a time ---- */

typedef struct offering {
    ranking *r;
    const float *y; /* n x chunk: products with training nodes first .. */
    int64_t chunk, first, count;
} offering;

static void offer_rows(int64_t first, int64_t count, void *context)
{
    const offering *o = context;
    for (int64_t q = first; q < first + count; q++) {
        const int64_t node = test_rows(o->r->p)[q];
        for (int64_t i = 0; i < o->count; i++)
            knn_offer(o->r, q, o->first + i, o->r->u->inverse[node] * o->y[node * o->chunk + i]);
    }
}

static wgdn_status rank_filtered(ranking *r, wgdn_error *err)
{
    const wgdn_probe_input *in = r->u->in;
    const int64_t fit = ROOM / in->n < 1 ? 1 : ROOM / in->n;
    const int64_t chunk = wgdn_min(r->p->train, wgdn_min(KNN_CHUNK, fit));
    wgdn_node_product s = {0};
    float *y = NULL, *turned = wgdn_alloc((size_t)in->width, (size_t)chunk * sizeof *turned);
    wgdn_status st = turned ? wgdn_node_product_open(&s, in, chunk, err)
                            : wgdn_fail(err, WGDN_ENOMEM, "k-NN: %lld rows", (long long)chunk);
    for (int64_t first = 0; !st && first < r->p->train; first += chunk) {
        const int64_t count = wgdn_min(chunk, r->p->train - first);
        memset(s.full, 0, (size_t)(in->n * s.stride) * sizeof *s.full);
        for (int64_t i = 0; i < count; i++) {
            const int64_t node = r->p->row[first + i];
            s.full[node * s.stride + i] = r->u->inverse[node];
        }
        wgdn_node_product_back(turned, &s);
        st = wgdn_node_product_forward(&y, &s, turned, err);
        offering o = {r, y, chunk, first, count};
        if (!st) wgdn_for_rows(wgdn_alone(r->p->test), offer_rows, &o);
    }
    wgdn_node_product_close(&s);
    wgdn_release(turned);
    return st;
}

/* ---- votes ---- */

/* Neighbors come nearest first: of equal votes the class that was met first stays ahead. */
static int32_t majority(const int64_t *index, int64_t k, const int32_t *label)
{
    int32_t best = label[index[0]];
    int64_t most = 0;
    for (int64_t i = 0; i < k; i++) {
        int64_t votes = 0;
        for (int64_t j = 0; j < k; j++)
            votes += label[index[j]] == label[index[i]];
        if (votes > most) {
            most = votes;
            best = label[index[i]];
        }
    }
    return best;
}

wgdn_status wgdn_knn_accuracy(double *accuracy, const wgdn_unit_input *u, const wgdn_parts *p,
                              wgdn_error *err)
{
    ranking r = {.u = u, .p = p, .k = wgdn_min(WGDN_NEIGHBORS, p->train)};
    const size_t size = (size_t)(p->test * r.k);
    int64_t right = 0;
    r.index = wgdn_alloc(size, sizeof *r.index);
    r.score = wgdn_alloc(size, sizeof *r.score);
    wgdn_status st = WGDN_OK;
    if (!r.index || !r.score) {
        st = wgdn_fail(err, WGDN_ENOMEM, "k-NN: %lld nodes", (long long)p->test);
        goto done;
    }
    memset(r.index, -1, size * sizeof *r.index);
    st = (u->in->dense ? rank_dense : u->in->graph ? rank_filtered : rank_sparse)(&r, err);
    for (int64_t i = 0; !st && i < p->test; i++)
        right += majority(r.index + i * r.k, r.k, p->label) == p->label[p->train + p->val + i];
    *accuracy = (double)right / (double)p->test;

done:
    wgdn_release(r.score);
    wgdn_release(r.index);
    return st;
}
