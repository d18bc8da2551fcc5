/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sums over the rows of all ranks. A rank owns a run of leaves of the tree, which is a few whole
 * subtrees. Their sums travel in the order of the leaves to where they are added, in the same tree
 * that one process would have used, and the result travels to all: the bits do not tell how many
 * ranks there were.
 *
 * Many numbers are added by slices: every rank gets one slice of them from all others, adds it, and
 * hands the result out. Nobody gets more than subtrees / ranks + 1 times what there is to sum up,
 * where rank 0 alone would get all subtrees. A few numbers go to rank 0 all the same, and back.
 */
#include "linalg.h"

#include <string.h>

/* The largest subtree that begins at leaf `at` and ends no later than `end`. */
static int64_t subtree_size(int64_t at, int64_t end)
{
    int64_t size = 1;
    while (at % (2 * size) == 0 && at + 2 * size <= end)
        size *= 2;
    return size;
}

static int subtrees_of(int64_t *start, int64_t first_row, int64_t end_row, int64_t leaf_rows)
{
    const int64_t end = (end_row + leaf_rows - 1) / leaf_rows;
    int count = 0;
    start[0] = first_row / leaf_rows;
    while (first_row < end_row && start[count] < end) {
        start[count + 1] = start[count] + subtree_size(start[count], end);
        count++;
    }
    return count;
}

int wgdn_subtrees(int64_t *start, wgdn_span s, int64_t leaf_rows)
{
    return subtrees_of(start, s.first, s.first + s.count, leaf_rows);
}

int wgdn_subtrees_max(wgdn_span s, int64_t leaf_rows)
{
    int64_t start[WGDN_SUBTREES_MAX + 1];
    int most = 0;
    for (int r = 0; r < s.dist->ranks->count; r++) {
        const int count = subtrees_of(start, s.dist->start[r], s.dist->start[r + 1], leaf_rows);
        if (count > most) most = count;
    }
    return most;
}

enum { SLICES_FROM = 2048 }; /* numbers */

/* What is summed over the rows of a span, a part of its numbers at a time. */
typedef struct joining {
    wgdn_span s;
    wgdn_ranks *r;
    int64_t leaf_rows, all, levels; /* subtrees of all ranks; of the tree */
    int mine;                       /* subtrees here */
    int64_t room;                   /* numbers of a part, at most; the same for all ranks */
} joining;

/* Subtrees of a rank. */
static int subtrees_at(int64_t *start, const joining *j, int rank)
{
    const wgdn_dist *d = j->s.dist;
    return subtrees_of(start, d->start[rank], d->start[rank + 1], j->leaf_rows);
}

static joining join_open(wgdn_span s, int64_t leaf_rows)
{
    int64_t start[WGDN_SUBTREES_MAX + 1];
    joining j = {.s = s, .r = s.dist->ranks, .leaf_rows = leaf_rows};
    j.mine = wgdn_subtrees(start, s, leaf_rows);
    for (int k = 0; k < j.r->count; k++)
        j.all += subtrees_at(start, &j, k);
    j.levels = wgdn_tree_levels((s.total + leaf_rows - 1) / leaf_rows) + 1;
    j.room = (WGDN_JOIN_DOUBLES - 4 * (int64_t)j.r->count) / (2 * j.all + j.levels + 2);
    return j;
}

static bool in_slices(int64_t part)
{
    return part >= SLICES_FROM;
}

/* The first number of a part that rank k adds. */
static int64_t slice_at(const joining *j, int64_t part, int k)
{
    return part * k / j->r->count;
}

static int64_t slice_size(const joining *j, int64_t part, int k)
{
    return slice_at(j, part, k + 1) - slice_at(j, part, k);
}

/* Numbers that this rank sends for a part. */
static int64_t part_sent(const joining *j, int64_t part)
{
    const int64_t others = j->r->count - 1, own = slice_size(j, part, j->r->rank);
    if (in_slices(part)) return j->mine * (part - own) + others * own;
    return j->r->rank == 0 ? others * part : j->mine * part;
}

int64_t wgdn_join_sent(int64_t width, wgdn_span s, int64_t leaf_rows)
{
    const joining j = join_open(s, leaf_rows);
    int64_t sent = 0;
    for (int64_t at = 0; at < width; at += j.room)
        sent += part_sent(&j, wgdn_min(j.room, width - at));
    return sent * (int64_t)sizeof(double);
}

/* Add what came in, rank by rank, subtree by subtree. */
static void add_up(double *sum, const double *in, int64_t width, const joining *j, double *store)
{
    int64_t start[WGDN_SUBTREES_MAX + 1];
    const size_t bytes = (size_t)width * sizeof *in;
    wgdn_tree tree;
    wgdn_tree_begin(&tree, store, width);
    for (int r = 0; r < j->r->count; r++) {
        const int count = subtrees_at(start, j, r);
        for (int k = 0; k < count; k++, in += width)
            memcpy(wgdn_tree_push(&tree, start[k]), in, bytes); /* any leaf of it says where */
    }
    memcpy(sum, wgdn_tree_end(&tree), bytes);
}

static void join_at_root(double *sum, const double *const *subtree, int64_t at, int64_t part,
                         const joining *j)
{
    wgdn_ranks *r = j->r;
    int64_t start[WGDN_SUBTREES_MAX + 1];
    size_t *bytes = (size_t *)(void *)r->join; /* at the front */
    double *out = r->join + 4 * (ptrdiff_t)r->count, *in = out + j->mine * part;
    for (int k = 0; k < r->count; k++)
        bytes[k] = (size_t)(subtrees_at(start, j, k) * part) * sizeof *in;
    for (int k = 0; k < j->mine && subtree[k]; k++)
        memcpy(out + k * part, subtree[k] + at, (size_t)part * sizeof *out);
    r->call->gather(r, out, bytes[r->rank], in, bytes);
    if (r->rank == 0) add_up(sum + at, in, part, j, in + j->all * part);
    r->call->broadcast(r, sum + at, (size_t)part * sizeof *sum);
}

static void join_by_slices(double *sum, const double *const *subtree, int64_t at, int64_t part,
                           const joining *j)
{
    wgdn_ranks *r = j->r;
    int64_t start[WGDN_SUBTREES_MAX + 1];
    size_t *out_bytes = (size_t *)(void *)r->join, *in_bytes = out_bytes + r->count;
    const int64_t own = slice_size(j, part, r->rank);
    double *out = r->join + 4 * (ptrdiff_t)r->count, *in = out + j->mine * part, *to = out;
    double *store = in + j->all * own, *result = store + j->levels * own;
    for (int k = 0; k < r->count; k++) {
        const int64_t first = slice_at(j, part, k), size = slice_size(j, part, k);
        for (int i = 0; i < j->mine; i++, to += size)
            memcpy(to, subtree[i] + at + first, (size_t)size * sizeof *to);
        out_bytes[k] = (size_t)(j->mine * size) * sizeof *out;
        in_bytes[k] = (size_t)(subtrees_at(start, j, k) * own) * sizeof *in;
    }
    r->call->swap(r, out, out_bytes, in, in_bytes);
    add_up(result, in, own, j, store);
    for (int k = 0; k < r->count; k++) { /* the same to everyone */
        if (k > 0) memcpy(result + k * own, result, (size_t)own * sizeof *result);
        out_bytes[k] = (size_t)own * sizeof *out;
        in_bytes[k] = (size_t)slice_size(j, part, k) * sizeof *in;
    }
    r->call->swap(r, result, out_bytes, sum + at, in_bytes);
    r->sums_sent += part_sent(j, part) * (int64_t)sizeof(double);
}

void wgdn_join(double *sum, const double *const *subtree, int64_t width, wgdn_span s,
               int64_t leaf_rows)
{
    const joining j = join_open(s, leaf_rows);
    for (int64_t at = 0; at < width; at += j.room) {
        const int64_t part = wgdn_min(j.room, width - at);
        if (in_slices(part))
            join_by_slices(sum, subtree, at, part, &j);
        else
            join_at_root(sum, subtree, at, part, &j);
    }
}

bool wgdn_span_tally(double *out, int64_t count, wgdn_span s)
{
    if (!wgdn_tally_sums(out, count, s.dist)) return false;
    if (s.dist) wgdn_tally_sent(wgdn_join_sent(count, s, wgdn_block_rows(s.total)));
    return true;
}

void wgdn_span_fold(double *x, int64_t stride, int64_t width, wgdn_span s)
{
    const int64_t rows = wgdn_block_rows(s.total);
    int64_t start[WGDN_SUBTREES_MAX + 1];
    const double *subtree[WGDN_SUBTREES_MAX] = {NULL};
    if (!s.dist) {
        wgdn_tree_fold(x, wgdn_span_blocks(s), stride, width);
        return;
    }
    const int count = wgdn_subtrees(start, s, rows);
    for (int k = 0; k < count; k++) {
        double *first = x + (start[k] - start[0]) * stride;
        wgdn_tree_fold(first, start[k + 1] - start[k], stride, width);
        subtree[k] = first;
    }
    wgdn_join(x, subtree, width, s, rows);
}
