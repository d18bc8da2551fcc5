/* SPDX-License-Identifier: Apache-2.0 */
#include "ranks.h"

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

void wgdn_dist_close(wgdn_dist *d)
{
    wgdn_release(d->start);
    *d = (wgdn_dist){0};
}

wgdn_span wgdn_dist_span(const wgdn_dist *d)
{
    const int64_t first = d->start[d->ranks->rank];
    return (wgdn_span){.count = d->start[d->ranks->rank + 1] - first,
                       .first = first,
                       .total = d->total,
                       .dist = d};
}
