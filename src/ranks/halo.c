/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Exchanges the rows of neighbors that other ranks own. The gathering loop in linalg starts an
 * exchange, computes the interior rows, and then finishes the boundary rows.
 */
#include "base/tally.h"
#include "ranks.h"

#include <string.h>

enum { WORD = 64 };

/* A bit for every row of the whole, and how many are set before each word. */
typedef struct row_set {
    uint64_t *word;
    int64_t *before;
    int64_t words;
} row_set;

static bool has(const row_set *s, int64_t row)
{
    return s->word[row / WORD] >> row % WORD & 1;
}

/* The place of a row among those that are set. */
static int64_t place(const row_set *s, int64_t row)
{
    const uint64_t below = s->word[row / WORD] & (((uint64_t)1 << row % WORD) - 1);
    return s->before[row / WORD] + __builtin_popcountll(below);
}

static wgdn_status no_memory(const wgdn_dist *d, wgdn_error *err)
{
    return wgdn_fail(err, WGDN_ENOMEM, "halo: rows of %d other ranks", d->ranks->count - 1);
}

/* The rows of others among the columns of a, and the rows here that have such. */
static wgdn_status find(wgdn_halo *h, row_set *s, const wgdn_csr *a, wgdn_span here,
                        wgdn_error *err)
{
    s->words = here.total / WORD + 1;
    s->word = wgdn_alloc_zero((size_t)s->words, sizeof *s->word);
    s->before = wgdn_alloc((size_t)s->words + 1, sizeof *s->before);
    h->outward = wgdn_alloc_zero((size_t)here.count, sizeof *h->outward);
    if (!s->word || !s->before || !h->outward) return no_memory(here.dist, err);
    for (int64_t i = 0; i < here.count; i++) {
        for (int64_t k = a->offset[i]; k < a->offset[i + 1]; k++) {
            const int64_t j = a->column[k];
            if (j >= here.first && j < here.first + here.count) continue;
            s->word[j / WORD] |= (uint64_t)1 << j % WORD;
            h->outward[i] = true;
        }
        h->boundaries += h->outward[i];
    }
    s->before[0] = 0;
    for (int64_t w = 0; w < s->words; w++)
        s->before[w + 1] = s->before[w] + __builtin_popcountll(s->word[w]);
    h->count = s->before[s->words];
    h->row = wgdn_alloc((size_t)h->count, sizeof *h->row);
    h->boundary = wgdn_alloc((size_t)h->boundaries, sizeof *h->boundary);
    return h->row && h->boundary ? WGDN_OK : no_memory(here.dist, err);
}

/* Their numbers, whose they are, and the columns anew. */
static void number(wgdn_halo *h, const row_set *s, wgdn_csr *a, wgdn_span here)
{
    const wgdn_dist *d = here.dist;
    int64_t at = 0;
    int rank = 0;
    for (int64_t w = 0; w < s->words; w++)
        for (uint64_t bits = s->word[w]; bits; bits &= bits - 1)
            h->row[at++] = w * WORD + __builtin_ctzll(bits);
    h->from[0] = 0;
    for (at = 0; at < h->count; at++)
        while (h->row[at] >= d->start[rank + 1])
            h->from[++rank] = at;
    while (rank < d->ranks->count)
        h->from[++rank] = h->count;
    for (int64_t i = 0, b = 0; i < here.count; i++)
        if (h->outward[i]) h->boundary[b++] = (int32_t)i;
    const int64_t entries = wgdn_csr_entries(a);
    for (int64_t k = 0; k < entries; k++) {
        const int64_t j = a->column[k];
        a->column[k] = (int32_t)(has(s, j) ? here.count + place(s, j) : j - here.first);
    }
    a->cols = here.count + h->count;
}

/* Everybody tells everybody what they need. */
static wgdn_status ask(wgdn_halo *h, wgdn_span here, wgdn_error *err)
{
    wgdn_ranks *r = here.dist->ranks;
    const size_t ranks = (size_t)r->count;
    int64_t *count = wgdn_alloc(2 * ranks, sizeof *count), *asked = NULL;
    size_t *bytes = wgdn_alloc(2 * ranks, sizeof *bytes);
    wgdn_status st = count && bytes ? WGDN_OK : no_memory(here.dist, err);
    st = wgdn_ranks_agree(r, st, err);
    if (st) goto done;
    for (size_t k = 0; k < ranks; k++) {
        count[k] = h->from[k + 1] - h->from[k];
        bytes[k] = bytes[ranks + k] = sizeof *count;
    }
    r->call->swap(r, count, bytes, count + ranks, bytes + ranks);
    h->to[0] = 0;
    for (size_t k = 0; k < ranks; k++) {
        h->to[k + 1] = h->to[k] + count[ranks + k];
        bytes[k] = (size_t)count[k] * sizeof *h->row;
        bytes[ranks + k] = (size_t)count[ranks + k] * sizeof *h->row;
    }
    h->sends = h->to[ranks];
    asked = wgdn_alloc((size_t)h->sends, sizeof *asked);
    h->send = wgdn_alloc((size_t)h->sends, sizeof *h->send);
    st = wgdn_ranks_agree(r, asked && h->send ? WGDN_OK : no_memory(here.dist, err), err);
    if (st) goto done;
    r->call->swap(r, h->row, bytes, asked, bytes + ranks);
    for (int64_t k = 0; k < h->sends; k++)
        h->send[k] = (int32_t)(asked[k] - here.first);

done:
    wgdn_release(asked);
    wgdn_release(bytes);
    wgdn_release(count);
    return st;
}

wgdn_status wgdn_halo_open(wgdn_halo **out, wgdn_csr *a, const wgdn_dist *d, wgdn_error *err)
{
    const wgdn_span here = wgdn_dist_span(d);
    const size_t ranks = (size_t)d->ranks->count;
    row_set s = {0};
    wgdn_halo *h = wgdn_alloc_zero(1, sizeof *h);
    wgdn_status st = h ? WGDN_OK : no_memory(d, err);
    if (h) {
        h->dist = d;
        h->from = wgdn_alloc(ranks + 1, sizeof *h->from);
        h->to = wgdn_alloc(ranks + 1, sizeof *h->to);
        st = h->from && h->to ? find(h, &s, a, here, err) : no_memory(d, err);
    }
    if (!st && here.count + h->count > INT32_MAX)
        st = wgdn_fail(err, WGDN_ERANGE, "halo: %lld rows here and %lld of others: use more ranks",
                       (long long)here.count, (long long)h->count);
    st = wgdn_ranks_agree(d->ranks, st, err);
    if (!st) number(h, &s, a, here);
    if (!st) st = ask(h, here, err);
    wgdn_release(s.before);
    wgdn_release(s.word);
    if (st)
        wgdn_halo_close(h);
    else
        *out = h;
    return st;
}

void wgdn_halo_close(wgdn_halo *h)
{
    if (!h) return;
    h->dist->ranks->call->forget(h);
    wgdn_release(h->packed);
    wgdn_release(h->buffer);
    wgdn_release(h->outward);
    wgdn_release(h->boundary);
    wgdn_release(h->to);
    wgdn_release(h->send);
    wgdn_release(h->from);
    wgdn_release(h->row);
    wgdn_release(h);
}

wgdn_status wgdn_halo_reserve(wgdn_halo *h, int64_t width, wgdn_error *err)
{
    wgdn_status st = WGDN_OK;
    if (!h || width <= h->width) return WGDN_OK;
    h->dist->ranks->call->forget(h);
    wgdn_release(h->packed);
    wgdn_release(h->buffer);
    h->buffer = wgdn_alloc((size_t)h->count, (size_t)width * sizeof *h->buffer);
    h->packed = wgdn_alloc((size_t)h->sends, (size_t)width * sizeof *h->packed);
    h->width = h->buffer && h->packed ? width : 0;
    if (!h->width)
        st = wgdn_fail(err, WGDN_ENOMEM, "halo: %lld rows in, %lld out, of width %lld",
                       (long long)h->count, (long long)h->sends, (long long)width);
    return wgdn_ranks_agree(h->dist->ranks, st, err);
}

void wgdn_halo_fill(wgdn_halo *h, float *x, int64_t rows)
{
    for (int64_t k = 0; k < h->sends; k++)
        h->packed[k] = x[h->send[k]];
    wgdn_halo_begin(h, 1);
    wgdn_halo_finish(h, 1);
    memcpy(x + rows, h->buffer, (size_t)h->count * sizeof *x);
}

void wgdn_graph_weigh_halo(wgdn_graph *g)
{
    if (wgdn_tally_exchange(2) || !g->halo) return;
    wgdn_halo_fill(g->halo, g->inv_sqrt_degree, g->adjacency.rows);
    wgdn_halo_fill(g->halo, g->inv_degree, g->adjacency.rows);
}
