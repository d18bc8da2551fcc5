/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Decides which rows belong to each fixed block and to each rank, and exchanges rows of neighbors that
 * other ranks own. Sums in linalg and the readers of packed datasets use these blocks, so results do not
 * depend on threads or ranks.
 */
#include "base/tally.h"
#include "ranks.h"

#include <string.h>

/*
 * Rows are cut into blocks that depend on the number of rows alone, so neither threads nor ranks
 * affect a sum.
 */

enum {
    BLOCKS_WANTED = 32, /* enough for the threads of one machine to share evenly */
    BLOCKS_FEW = 8,     /* and of a small matrix, so many rather than small ones */
    ROWS_GOOD = 256, /* below, dense products and the sums over their blocks cost a quarter more */
    ROWS_MAX = 1024, /* dense products are no faster beyond, measured at widths 512 and 1024 */
    ROWS_STEP = 16,  /* whole tiles of the dense engine */
    LEAF_ROWS = 512, /* below this a leaf of A^T B costs more in the tree than in the product */
};

static int64_t share(int64_t n, int64_t blocks)
{
    const int64_t even = (n + blocks - 1) / blocks;
    return even < 1 ? ROWS_STEP : (even + ROWS_STEP - 1) / ROWS_STEP * ROWS_STEP;
}

int64_t wgdn_block_rows(int64_t n)
{
    const int64_t many = share(n, BLOCKS_WANTED), few = share(n, BLOCKS_FEW);
    const int64_t least = few < ROWS_GOOD ? few : ROWS_GOOD;
    return many < least ? least : many > ROWS_MAX ? ROWS_MAX : many;
}

/* Blocks grow by ROWS_STEP rows at multiples of this, and there are fewer of them just behind. */
int64_t wgdn_max_blocks(int64_t n)
{
    static const int64_t step[] = {(int64_t)BLOCKS_WANTED * ROWS_STEP,
                                   (int64_t)BLOCKS_FEW * ROWS_STEP};
    int64_t best = n;
    for (int k = 0; k < 2; k++) {
        const int64_t whole = n / step[k] * step[k];
        if (whole > 0 && wgdn_block_count(whole) > wgdn_block_count(best)) best = whole;
    }
    return best;
}

int64_t wgdn_leaf_rows(int64_t n)
{
    int64_t rows = wgdn_block_rows(n);
    while (rows < LEAF_ROWS && rows < n)
        rows *= 2;
    return rows;
}

/* A row weighs as much as so many entries: what is done with it besides gathering. */
enum { ROW_WEIGHT = 128, SLACK = 25 }; /* boundaries may move by a part in SLACK of a share */

/* Of the rows before `row`. */
static double weight(const int64_t *offset, int64_t row)
{
    return (double)offset[row] - (double)offset[0] + (double)ROW_WEIGHT * (double)row;
}

/* The first unit before which the rows weigh at least this much. */
static int64_t seek(const int64_t *offset, int64_t total, int64_t unit, double wanted)
{
    int64_t low = 0, high = (total + unit - 1) / unit;
    while (low < high) {
        const int64_t middle = (low + high) / 2;
        if (weight(offset, wgdn_min(total, middle * unit)) < wanted)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The number in low .. high that has the most factors of two. */
static int64_t roundest(int64_t low, int64_t high)
{
    int64_t best = high;
    for (int64_t step = 1; high / step * step >= low; step *= 2) {
        best = high / step * step;
        if (best == 0) break;
    }
    return best;
}

wgdn_status wgdn_dist_open(wgdn_dist *d, wgdn_ranks *ranks, const int64_t *offset, int64_t total,
                           wgdn_error *err)
{
    const int64_t unit = wgdn_leaf_rows(total), units = (total + unit - 1) / unit;
    const double all = weight(offset, total), share = all / ranks->count;
    *d = (wgdn_dist){.ranks = ranks, .total = total};
    d->start = wgdn_alloc((size_t)ranks->count + 1, sizeof *d->start);
    if (!d->start) return wgdn_fail(err, WGDN_ENOMEM, "the shares of %d ranks", ranks->count);
    int64_t last = 1; /* the first rank owns something */
    d->start[0] = 0;
    for (int r = 1; r < ranks->count; r++) {
        const int64_t low = seek(offset, total, unit, share * (r - 1.0 / SLACK));
        const int64_t high = seek(offset, total, unit, share * (r + 1.0 / SLACK));
        const int64_t here = roundest(low, wgdn_min(high, units));
        if (here > last) last = here;
        d->start[r] = wgdn_min(total, last * unit);
    }
    d->start[ranks->count] = total;
    return WGDN_OK;
}

enum { WORD = 64 };

/* What has been met so far: rows of others, ranks at the current row and at any row. */
typedef struct met {
    uint64_t *row;
    int64_t *at;
} met;

static void count_row(wgdn_portion *p, met *m, const wgdn_csr *a, const wgdn_dist *d, int64_t i)
{
    const int64_t first = p->rows.first, end = first + p->rows.count;
    bool outward = false;
    for (int64_t k = a->offset[i]; k < a->offset[i + 1]; k++) {
        const int64_t j = a->column[k];
        const uint64_t bit = (uint64_t)1 << j % WORD;
        if (j >= first && j < end) continue;
        int low = 0, high = d->ranks->count;
        while (high - low > 1) {
            const int middle = low + (high - low) / 2;
            if (j < d->start[middle])
                high = middle;
            else
                low = middle;
        }
        const int owner = low;
        outward = true;
        p->halo += !(m->row[j / WORD] & bit);
        m->row[j / WORD] |= bit;
        p->peers += m->at[owner] == -1;
        p->sends += m->at[owner] != i; /* edges have two ends: who is needed needs this row */
        m->at[owner] = i;
    }
    p->boundaries += outward;
}

wgdn_status wgdn_portion_count(wgdn_portion *out, const wgdn_csr *whole, const wgdn_dist *d,
                               wgdn_error *err)
{
    wgdn_portion p = {.rows = wgdn_dist_span(d)};
    const int64_t first = p.rows.first, end = first + p.rows.count;
    met m = {.row = wgdn_alloc_zero((size_t)(whole->rows / WORD + 1), sizeof *m.row),
             .at = wgdn_alloc((size_t)d->ranks->count, sizeof *m.at)};
    wgdn_status st = WGDN_OK;
    if (!m.row || !m.at)
        st = wgdn_fail(err, WGDN_ENOMEM, "portion of rank %d of %d", d->ranks->rank,
                       d->ranks->count);
    for (int k = 0; !st && k < d->ranks->count; k++)
        m.at[k] = -1;
    for (int64_t i = first; !st && i < end; i++)
        count_row(&p, &m, whole, d, i);
    p.edges = whole->offset[end] - whole->offset[first];
    if (!st) *out = p;
    wgdn_release(m.at);
    wgdn_release(m.row);
    return st;
}

/*
 * Exchanges the rows of neighbors that other ranks own. The gathering loop in linalg starts an
 * exchange, computes the interior rows, and then finishes the boundary rows.
 */

enum { BITS = 64 };

/* A bit for every row of the whole, and how many are set before each word. */
typedef struct row_set {
    uint64_t *word;
    int64_t *before;
    int64_t words;
} row_set;

static bool has(const row_set *s, int64_t row)
{
    return s->word[row / BITS] >> row % BITS & 1;
}

/* The place of a row among those that are set. */
static int64_t place(const row_set *s, int64_t row)
{
    const uint64_t below = s->word[row / BITS] & (((uint64_t)1 << row % BITS) - 1);
    return s->before[row / BITS] + __builtin_popcountll(below);
}

static wgdn_status no_memory(const wgdn_dist *d, wgdn_error *err)
{
    return wgdn_fail(err, WGDN_ENOMEM, "halo: rows of %d other ranks", d->ranks->count - 1);
}

/* The rows of others among the columns of a, and the rows here that have such. */
static wgdn_status find(wgdn_halo *h, row_set *s, const wgdn_csr *a, wgdn_span here,
                        wgdn_error *err)
{
    s->words = here.total / BITS + 1;
    s->word = wgdn_alloc_zero((size_t)s->words, sizeof *s->word);
    s->before = wgdn_alloc((size_t)s->words + 1, sizeof *s->before);
    h->outward = wgdn_alloc_zero((size_t)here.count, sizeof *h->outward);
    if (!s->word || !s->before || !h->outward) return no_memory(here.dist, err);
    for (int64_t i = 0; i < here.count; i++) {
        for (int64_t k = a->offset[i]; k < a->offset[i + 1]; k++) {
            const int64_t j = a->column[k];
            if (j >= here.first && j < here.first + here.count) continue;
            s->word[j / BITS] |= (uint64_t)1 << j % BITS;
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
            h->row[at++] = w * BITS + __builtin_ctzll(bits);
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
        st = wgdn_fail(err, WGDN_ERANGE,
                       "halo: %lld own rows and %lld of other ranks are too many; use more ranks",
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
        st = wgdn_fail(err, WGDN_ENOMEM,
                       "halo: %lld rows to receive and %lld to send, of %lld columns",
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
