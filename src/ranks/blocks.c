/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Decides which rows belong to each fixed block and to each rank. Sums in linalg and the readers
 * of packed datasets use these blocks, so results do not depend on threads or ranks.
 */
#include "ranks.h"

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

/* The first unit, of so many, before which the rows weigh this much at least. */
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
    if (!d->start) return wgdn_fail(err, WGDN_ENOMEM, "shares of %d ranks", ranks->count);
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
