/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sums over the rows of all ranks. A rank owns a run of leaves of the tree, which is a few whole
 * subtrees. Their sums travel to rank 0 in the order of the leaves, are added there in the same
 * tree that one process would have used, and the result travels back: the bits do not tell how many
 * ranks there were.
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

/* Rank 0: add what came in, rank by rank, subtree by subtree. */
static void add_up(double *sum, const double *in, int64_t width, const wgdn_dist *d,
                   int64_t leaf_rows, double *store)
{
    int64_t start[WGDN_SUBTREES_MAX + 1];
    const size_t bytes = (size_t)width * sizeof *in;
    wgdn_tree tree;
    wgdn_tree_begin(&tree, store, width);
    for (int r = 0; r < d->ranks->count; r++) {
        const int count = subtrees_of(start, d->start[r], d->start[r + 1], leaf_rows);
        for (int k = 0; k < count; k++, in += width)
            memcpy(wgdn_tree_push(&tree, start[k]), in, bytes); /* any leaf of it says where */
    }
    memcpy(sum, wgdn_tree_end(&tree), bytes);
}

/* Subtrees of all ranks, and the bytes that each sends for `width` columns, unless NULL. */
static int64_t all_subtrees(size_t *bytes, int64_t width, const wgdn_dist *d, int64_t leaf_rows)
{
    int64_t start[WGDN_SUBTREES_MAX + 1], all = 0;
    for (int r = 0; r < d->ranks->count; r++) {
        const int count = subtrees_of(start, d->start[r], d->start[r + 1], leaf_rows);
        if (bytes) bytes[r] = (size_t)(count * width) * sizeof(double);
        all += count;
    }
    return all;
}

void wgdn_join(double *sum, const double *const *subtree, int64_t width, wgdn_span s,
               int64_t leaf_rows)
{
    wgdn_ranks *r = s.dist->ranks;
    int64_t start[WGDN_SUBTREES_MAX + 1];
    const int mine = wgdn_subtrees(start, s, leaf_rows);
    const int64_t all = all_subtrees(NULL, 0, s.dist, leaf_rows);
    const int64_t levels = wgdn_tree_levels((s.total + leaf_rows - 1) / leaf_rows) + 1;
    const int64_t ranks = r->count; /* their byte counts lie at the front */
    const int64_t room = (WGDN_JOIN_DOUBLES - ranks) / (2 * all + levels); /* the same for all */
    size_t *bytes = (size_t *)(void *)r->join;
    for (int64_t at = 0; at < width; at += room) {
        const int64_t part = wgdn_min(room, width - at);
        double *out = r->join + ranks, *in = out + mine * part, *store = in + all * part;
        (void)all_subtrees(bytes, part, s.dist, leaf_rows);
        for (int k = 0; k < mine && subtree[k]; k++)
            memcpy(out + k * part, subtree[k] + at, (size_t)part * sizeof *out);
        r->call->gather(r, out, bytes[r->rank], in, bytes);
        if (r->rank == 0) add_up(sum + at, in, part, s.dist, leaf_rows, store);
        r->call->broadcast(r, sum + at, (size_t)part * sizeof *sum);
    }
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
