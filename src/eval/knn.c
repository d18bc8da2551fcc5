/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Test nodes by their nearest training nodes: cosines, the majority of WGDN_NEIGHBOURS, the class of
 * the nearest where it is not one alone. Among equal cosines the first node counts as nearer.
 */
#include "logistic.h"

#include <string.h>

enum {
    TILE = 4096,    /* dense queries gathered at a time */
    STRIPES = 16,   /* sparse queries: row i is in stripe i % STRIPES */
    CHUNK = 256,    /* training nodes whose cosines with all nodes are formed at a time ... */
    ROOM = 1 << 24, /* ... if these are not more than so many */
};

/* The nearest of each test node so far, best first. */
typedef struct ranking {
    const wgdn_unit *u;
    const wgdn_parts *p;
    int64_t k;      /* neighbours: WGDN_NEIGHBOURS, or all there are */
    int64_t *index; /* test x k: which training node; -1 behind the last */
    float *score;
} ranking;

static const int64_t *test_rows(const wgdn_parts *p)
{
    return p->row + p->train + p->val;
}

/* Training nodes come in ascending order, so an equal score is further away. */
static void offer(ranking *r, int64_t query, int64_t node, float score)
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
    float *learnt = wgdn_alloc((size_t)p->train, row);
    float *query = wgdn_alloc((size_t)wgdn_min(TILE, p->test), row);
    wgdn_status st = WGDN_OK;
    if (!learnt || !query) st = wgdn_fail(err, WGDN_ENOMEM, "k-NN: %lld rows", (long long)p->train);
    if (!st) gather(learnt, in, p->row, p->train);
    for (int64_t first = 0; !st && first < p->test; first += TILE) {
        const int64_t count = wgdn_min(TILE, p->test - first);
        const wgdn_search s = {learnt, p->train, in->width, query, count, r->k, true, NULL};
        gather(query, in, test_rows(p) + first, count);
        st = wgdn_search_rows(r->index + first * r->k, NULL, &s, err);
    }
    wgdn_release(query);
    wgdn_release(learnt);
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
            offer(w->r, q, i, score[i]);
    }
}

static wgdn_status rank_sparse(ranking *r, wgdn_error *err)
{
    wgdn_lesson l = {0};
    wgdn_status st = wgdn_lesson_open(&l, r->u, r->p->row, r->p->train, 1, err);
    walking w = {r, &l.transposed, NULL};
    if (!st) {
        w.score = wgdn_alloc((size_t)r->p->train, STRIPES * sizeof *w.score);
        if (!w.score) st = wgdn_fail(err, WGDN_ENOMEM, "k-NN: %lld rows", (long long)r->p->train);
    }
    if (!st) wgdn_for_each(STRIPES, walk_stripe, &w);
    wgdn_release(w.score);
    wgdn_lesson_close(&l);
    return st;
}

/* ---- rows of P(L) X: cosines of all nodes with some training nodes at a time ---- */

typedef struct offering {
    ranking *r;
    const float *y; /* n x chunk: products with training nodes first .. */
    int64_t chunk, first, count;
} offering;

static void offer_rows(int64_t first, int64_t count, double *sums, void *context)
{
    const offering *o = context;
    (void)sums;
    for (int64_t q = first; q < first + count; q++) {
        const int64_t node = test_rows(o->r->p)[q];
        for (int64_t i = 0; i < o->count; i++)
            offer(o->r, q, o->first + i, o->r->u->inverse[node] * o->y[node * o->chunk + i]);
    }
}

static wgdn_status rank_filtered(ranking *r, wgdn_error *err)
{
    const wgdn_probe_input *in = r->u->in;
    const int64_t fit = ROOM / in->n < 1 ? 1 : ROOM / in->n;
    const int64_t chunk = wgdn_min(r->p->train, wgdn_min(CHUNK, fit));
    wgdn_sweep s = {0};
    float *y = NULL, *turned = wgdn_alloc((size_t)in->width, (size_t)chunk * sizeof *turned);
    wgdn_status st = turned ? wgdn_sweep_open(&s, in, chunk, err)
                            : wgdn_fail(err, WGDN_ENOMEM, "k-NN: %lld rows", (long long)chunk);
    for (int64_t first = 0; !st && first < r->p->train; first += chunk) {
        const int64_t count = wgdn_min(chunk, r->p->train - first);
        memset(s.full, 0, (size_t)(in->n * s.stride) * sizeof *s.full);
        for (int64_t i = 0; i < count; i++) {
            const int64_t node = r->p->row[first + i];
            s.full[node * s.stride + i] = r->u->inverse[node];
        }
        wgdn_sweep_back(turned, &s);
        st = wgdn_sweep_forward(&y, &s, turned, err);
        offering o = {r, y, chunk, first, count};
        if (!st) wgdn_for_blocks(wgdn_alone(r->p->test), offer_rows, &o, NULL, 0, NULL);
    }
    wgdn_sweep_close(&s);
    wgdn_release(turned);
    return st;
}

/* ---- votes ---- */

/* Neighbours come nearest first: of equal votes the class that was met first stays ahead. */
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

wgdn_status wgdn_neighbour_accuracy(double *accuracy, const wgdn_unit *u, const wgdn_parts *p,
                                    wgdn_error *err)
{
    ranking r = {.u = u, .p = p, .k = wgdn_min(WGDN_NEIGHBOURS, p->train)};
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
