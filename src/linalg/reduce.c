/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Adds values over rows in a fixed binary tree in double, across threads and ranks, so the result
 * always has the same bits. Every product and loss that sums over nodes ends here.
 */
#include "linalg.h"
#include "rows.h"
#include "wide_rows.h"

#include <string.h>

/* Height at which two leaves meet. */
static int meet(int64_t a, int64_t b)
{
    const uint64_t differ = (uint64_t)(a ^ b);
    return differ ? 64 - __builtin_clzll(differ) : 0;
}

int64_t wgdn_tree_levels(int64_t leaves)
{
    return meet(0, leaves > 1 ? leaves - 1 : 0) + 1;
}

/* Add the last partial sum to the one before it. */
static void fold(wgdn_tree *t)
{
    double *left = t->store + (t->held - 2) * t->width, *right = left + t->width;
    wgdn_wide_rows()->add(left, right, t->width);
    t->leaf[t->held - 2] = t->leaf[t->held - 1];
    t->held--;
}

/*
 * Two neighbors on the stack are complete once the new leaf lies outside the smallest subtree
 * that holds them both.
 */
double *wgdn_tree_push(wgdn_tree *t, int64_t leaf)
{
    while (t->held >= 2 &&
           meet(t->leaf[t->held - 2], t->leaf[t->held - 1]) < meet(t->leaf[t->held - 1], leaf))
        fold(t);
    t->leaf[t->held] = leaf;
    return t->store + t->held++ * t->width;
}

const double *wgdn_tree_end(wgdn_tree *t)
{
    if (t->held == 0) return NULL;
    while (t->held > 1)
        fold(t);
    return t->store;
}

void wgdn_tree_fold(double *x, int64_t count, int64_t stride, int64_t width)
{
    for (int64_t step = 1; step < count; step *= 2)
        for (int64_t i = 0; i + step < count; i += 2 * step) {
            double *left = x + i * stride, *right = x + (i + step) * stride;
            wgdn_wide_rows()->add(left, right, width);
        }
}

/*
 * Sums over the rows of all ranks. A rank owns a run of leaves of the tree, which is a few whole
 * subtrees. Their sums are sent, in the order of the leaves, to the rank that adds them, in the
 * same tree that one process would use. The result is sent to all ranks, so its bits do not depend
 * on their number.
 *
 * Many numbers are added by slices: every rank receives one slice of them from all others, adds it,
 * and sends the result to all. No rank receives more than subtrees / ranks + 1 times the summed
 * data; rank 0 alone would receive all subtrees. A few numbers go by way of rank 0 all the same.
 */

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
        for (int i = 0; i < j->mine && subtree[i]; i++, to += size)
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

/* Sums over all entries or over rows: first within fixed blocks, then over blocks in a tree. */

/* The value of one row, in double. */
static double row_value(wgdn_reduction w, const float *x, const float *y, int64_t d,
                        const wgdn_row_ops *ops)
{
    double squares;
    if (w == WGDN_REDUCE_DOT) return ops->dot(x, y, d);
    const double sum = ops->moments(&squares, x, d);
    return w == WGDN_REDUCE_SUM ? sum : squares;
}

double wgdn_reduce(wgdn_reduction w, const float *x, const float *y, wgdn_span n, int64_t d,
                   void *work)
{
    const wgdn_row_ops *ops = wgdn_rows();
    const int64_t rows = wgdn_block_rows(n.total), blocks = wgdn_span_blocks(n);
    double *partial = work;
    if (wgdn_span_tally(NULL, 1, n)) return 1;
#pragma omp parallel for schedule(static) if (!wgdn_forked())
    for (int64_t b = 0; b < blocks; b++) {
        double sum = 0;
        for (int64_t i = b * rows; i < n.count && i < (b + 1) * rows; i++)
            sum += row_value(w, x + i * d, y ? y + i * d : NULL, d, ops);
        partial[b] = sum;
    }
    wgdn_span_fold(partial, 1, 1, n);
    return partial[0];
}

/*
 * One pass: squares are taken about the first entry, which lies as near the mean as the others do,
 * so that their sum does not cancel whatever the mean is.
 */
void wgdn_mean_variance(double *mean, double *variance, const float *x, wgdn_span n, int64_t d,
                        void *work)
{
    const wgdn_row_ops *ops = wgdn_rows();
    const int64_t rows = wgdn_block_rows(n.total), blocks = wgdn_span_blocks(n);
    const double count = (double)n.total * (double)d;
    if (wgdn_span_tally(NULL, 2, n)) {
        wgdn_tally_broadcast(1, n.dist);
        *mean = *variance = 1;
        return;
    }
    double *partial = work, pivot = n.count ? x[0] : 0;
    if (n.dist) n.dist->ranks->call->broadcast(n.dist->ranks, &pivot, sizeof pivot);
#pragma omp parallel for schedule(static) if (!wgdn_forked())
    for (int64_t b = 0; b < blocks; b++) {
        double sum = 0, spread = 0, squares;
        for (int64_t i = b * rows; i < n.count && i < (b + 1) * rows; i++) {
            sum += ops->moments(&squares, x + i * d, d) - (double)d * pivot;
            spread += ops->spread(x + i * d, pivot, d);
        }
        partial[2 * b] = sum;
        partial[2 * b + 1] = spread;
    }
    wgdn_span_fold(partial, 2, 2, n);
    *mean = pivot + partial[0] / count;
    *variance = count > 1 ? (partial[1] - partial[0] * partial[0] / count) / (count - 1) : 0;
}

void wgdn_weighted_sum(float *y, const float *weight, const float *x, wgdn_span n, int64_t d,
                       float alpha, float beta, void *work)
{
    const wgdn_wide_ops *ops = wgdn_wide_rows();
    const int64_t rows = wgdn_block_rows(n.total), blocks = wgdn_span_blocks(n);
    double *partial = work;
    if (wgdn_span_tally(NULL, d, n)) return;
#pragma omp parallel for schedule(static) if (!wgdn_forked())
    for (int64_t b = 0; b < blocks; b++) {
        memset(partial + b * d, 0, (size_t)d * sizeof *partial);
        for (int64_t i = b * rows; i < n.count && i < (b + 1) * rows; i++)
            ops->accumulate(partial + b * d, weight ? weight[i] : 1, x + i * d, d);
    }
    wgdn_span_fold(partial, d, d, n);
    for (int64_t j = 0; j < d; j++)
        y[j] = (float)(alpha * partial[j]) + (beta != 0 ? beta * y[j] : 0);
}

void wgdn_column_sums(double *sum, double *squares, const float *x, wgdn_span n, int64_t d,
                      void *work)
{
    const wgdn_row_ops *ops = wgdn_rows();
    const int64_t rows = wgdn_block_rows(n.total), blocks = wgdn_span_blocks(n);
    const int64_t width = squares ? 2 * d : d;
    double *partial = work;
    if (wgdn_span_tally(NULL, width, n)) return;
#pragma omp parallel for schedule(static) if (!wgdn_forked())
    for (int64_t b = 0; b < blocks; b++) {
        double *at = partial + b * width;
        memset(at, 0, (size_t)width * sizeof *at);
        for (int64_t i = b * rows; i < n.count && i < (b + 1) * rows; i++) {
            ops->accumulate(at, x + i * d, d);
            if (squares) ops->accumulate_squares(at + d, x + i * d, d);
        }
    }
    wgdn_span_fold(partial, width, width, n);
    memcpy(sum, partial, (size_t)d * sizeof *sum);
    if (squares) memcpy(squares, partial + d, (size_t)d * sizeof *squares);
}

void wgdn_for_blocks(wgdn_span s, wgdn_block_rows_call rows, void *context, double *sums,
                     int64_t width, void *work)
{
    const int64_t size = wgdn_block_rows(s.total), blocks = wgdn_span_blocks(s);
    double *partial = work;
    if (wgdn_span_tally(sums, width, s)) return;
    if (width > 0) memset(partial, 0, wgdn_for_blocks_work(s, width));
#pragma omp parallel for schedule(dynamic) if (!wgdn_forked())
    for (int64_t b = 0; b < blocks; b++)
        rows(b * size, wgdn_min(size, s.count - b * size), width > 0 ? partial + b * width : NULL,
             context);
    if (width == 0) return;
    wgdn_span_fold(partial, width, width, s);
    memcpy(sums, partial, (size_t)width * sizeof *sums);
}

void wgdn_for_rows(wgdn_span s, wgdn_span_rows_call rows, void *context)
{
    const int64_t size = wgdn_block_rows(s.total), blocks = wgdn_span_blocks(s);
    if (wgdn_span_tally(NULL, 0, s)) return;
#pragma omp parallel for schedule(dynamic) if (!wgdn_forked())
    for (int64_t b = 0; b < blocks; b++)
        rows(b * size, wgdn_min(size, s.count - b * size), context);
}

void wgdn_for_each(int64_t count, wgdn_item_call item, void *context)
{
    if (wgdn_tally_rows()) return;
#pragma omp parallel for schedule(dynamic) if (!wgdn_forked())
    for (int64_t i = 0; i < count; i++)
        item(i, context);
}
