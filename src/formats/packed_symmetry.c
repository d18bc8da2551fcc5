/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Symmetry of a graph whose rows are shared. Edges within the rows of a rank are compared one by
 * one. For edges between two ranks each sums up a hash of (lower node, higher node, weight), and
 * the two sums are compared: what one has and the other has not shows there.
 */
#include "packed.h"

#include <string.h>

typedef struct search {
    const wgdn_csr *a;
    wgdn_span rows;
    const wgdn_packed_rows *file;
    const char *name;
    wgdn_error *err;
} search;

static wgdn_status lopsided(const search *s, int64_t i, int64_t j)
{
    return wgdn_fail(s->err, WGDN_EFORMAT,
                     "%s: the graph is not symmetric between nodes %lld and %lld",
                     wgdn_show_name(s->name).text, (long long)i, (long long)j);
}

/* Where the columns of a row reach this one. */
static int64_t reach(const wgdn_csr *a, int64_t row, int64_t column)
{
    int64_t low = a->offset[row], high = a->offset[row + 1];
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (a->column[middle] < column)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* As wgdn_symmetry_check, for the square of the rows here. */
static wgdn_status check_here(const search *s)
{
    const wgdn_csr *a = s->a;
    const int64_t first = s->rows.first, end = first + s->rows.count;
    wgdn_status st = WGDN_OK;
    int64_t *next = wgdn_alloc((size_t)a->rows, sizeof *next);
    if (!next)
        return wgdn_fail(s->err, WGDN_ENOMEM, "%s: checking %lld rows",
                         wgdn_show_name(s->name).text, (long long)a->rows);
    for (int64_t i = 0; i < a->rows; i++)
        next[i] = reach(a, i, first);
    for (int64_t i = 0; !st && i < a->rows; i++)
        for (int64_t k = reach(a, i, first); !st && k < a->offset[i + 1] && a->column[k] < end;
             k++) {
            const int64_t j = a->column[k] - first, m = next[j]++;
            if (j == i)
                st = wgdn_fail(s->err, WGDN_EFORMAT, "%s: the graph has a loop on node %lld (%lld)",
                               wgdn_show_name(s->name).text, (long long)(first + i),
                               (long long)(first + j));
            else if (m >= a->offset[j + 1] || a->column[m] != first + i ||
                     (a->value && a->value[m] != a->value[k]))
                st = lopsided(s, first + i, first + j);
        }
    wgdn_release(next);
    return st;
}

static uint64_t mix(uint64_t x)
{
    x = (x ^ x >> 33) * 0xff51afd7ed558ccd;
    x = (x ^ x >> 33) * 0xc4ceb9fe1a85ec53;
    return x ^ x >> 33;
}

static uint64_t edge_hash(int64_t i, int64_t j, const float *value)
{
    const uint64_t low = (uint64_t)(i < j ? i : j), high = (uint64_t)(i < j ? j : i);
    uint32_t bits = 0;
    if (value) memcpy(&bits, value, sizeof bits);
    return mix(mix(low << 32 | high) + bits);
}

/* sum[r]: of the edges between the rows here and those of rank r. */
static void sum_edges(uint64_t *sum, const search *s)
{
    const wgdn_dist *d = s->rows.dist;
    const wgdn_csr *a = s->a;
    for (int64_t i = 0; i < a->rows; i++) {
        int rank = 0;
        for (int64_t k = a->offset[i]; k < a->offset[i + 1]; k++) {
            while (a->column[k] >= d->start[rank + 1])
                rank++;
            if (rank == d->ranks->rank) continue;
            sum[rank] += edge_hash(s->rows.first + i, a->column[k], a->value ? a->value + k : NULL);
        }
    }
}

/* Whether the file has the entry (i, j), as far as its rows make sense, with this weight. */
static bool file_has(const wgdn_packed_rows *f, int64_t i, int64_t j, const float *value)
{
    const int64_t begin = f->offset[i], end = f->offset[i + 1];
    if (begin < 0 || end > f->entries) return false;
    for (int64_t k = begin; k < end; k++)
        if (f->column[k] == j) return !value || !f->value || f->value[k] == *value;
    return false;
}

/* An edge to the rows of a rank that the file here has in one direction only. */
static wgdn_status find_edge(const search *s, int rank)
{
    const wgdn_dist *d = s->rows.dist;
    const wgdn_csr *a = s->a;
    for (int64_t i = 0; i < a->rows; i++)
        for (int64_t k = reach(a, i, d->start[rank]);
             k < a->offset[i + 1] && a->column[k] < d->start[rank + 1]; k++) {
            const int64_t row = s->rows.first + i, at = s->file->offset[row] + k - a->offset[i];
            const float *value = s->file->value ? s->file->value + at : NULL;
            if (!file_has(s->file, a->column[k], row, a->value ? value : NULL))
                return lopsided(s, row, a->column[k]);
        }
    return WGDN_OK;
}

static wgdn_status compare(const search *s, const uint64_t *mine, const uint64_t *theirs)
{
    wgdn_ranks *r = s->rows.dist->ranks;
    int64_t other = 0; /* and 1 */
    for (int k = r->count - 1; k >= 0; k--)
        if (mine[k] != theirs[k]) other = k + 1;
    int64_t any = other;
    wgdn_status st = wgdn_ranks_meet(r, WGDN_OK, &any, s->err);
    if (st || !any) return st;
    st = wgdn_ranks_agree(r, other ? find_edge(s, (int)other - 1) : WGDN_OK, s->err);
    if (st) return st;
    if (other)
        st = wgdn_fail(s->err, WGDN_EFORMAT,
                       "%s: it has other edges to the nodes of rank %lld than that rank",
                       wgdn_show_name(s->name).text, (long long)other - 1);
    return wgdn_ranks_agree(r, st, s->err);
}

wgdn_status wgdn_packed_symmetry(const wgdn_csr *a, wgdn_span rows, const wgdn_packed_rows *file,
                                 const char *name, wgdn_error *err)
{
    const search s = {a, rows, file, name, err};
    wgdn_ranks *r = rows.dist->ranks;
    const size_t ranks = (size_t)r->count;
    uint64_t *sum = wgdn_alloc_zero(2 * ranks, sizeof *sum);
    size_t *bytes = (size_t *)(void *)r->join;
    wgdn_status st = check_here(&s);
    if (!st && !sum) st = wgdn_fail(err, WGDN_ENOMEM, "sums of %d ranks", r->count);
    st = wgdn_ranks_agree(r, st, err);
    if (!st) {
        sum_edges(sum, &s);
        for (size_t k = 0; k < ranks; k++)
            bytes[k] = sizeof *sum;
        r->call->swap(r, sum, bytes, sum + ranks, bytes);
        st = compare(&s, sum, sum + ranks);
    }
    wgdn_release(sum);
    return st;
}
