/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pairs of ends to the rows of a graph. Scattering every entry to its row at once would wait for
 * memory each time, so entries first go to buckets of neighbouring rows, each of which then fits a
 * cache. Pieces and buckets are the same for any number of threads, and so is every result.
 */
#include "io/edges.h"

#include <omp.h>
#include <string.h>

enum { PIECES = 64, BUCKETS = 1024, FEW = 1 << 15, SHORT = 64 };

typedef struct work {
    int64_t n, m;
    const int32_t *end;
    int shift;       /* row >> shift is its bucket */
    int64_t buckets; /* of them in use */
    int64_t *start;  /* bucket -> its first entry; PIECES of them each, then the total */
    uint64_t *entry; /* row << 32 | column, bucket by bucket */
    int32_t *column; /* row by row */
    int64_t *offset;
    int threads;
} work;

static int64_t piece_start(const work *w, int piece)
{
    return w->m / PIECES * piece + (piece < w->m % PIECES ? piece : w->m % PIECES);
}

/* start[bucket * PIECES + piece] = entries, then where they go. */
static int64_t count_entries(work *w)
{
    int64_t total = 0;
#pragma omp parallel for schedule(dynamic, 1) num_threads(w->threads)
    for (int p = 0; p < PIECES; p++) {
        int64_t count[BUCKETS] = {0};
        for (int64_t k = piece_start(w, p); k < piece_start(w, p + 1); k++) {
            const int32_t u = w->end[2 * k], v = w->end[2 * k + 1];
            count[u >> w->shift] += u != v;
            count[v >> w->shift] += u != v;
        }
        for (int64_t b = 0; b < w->buckets; b++)
            w->start[b * PIECES + p] = count[b];
    }
    for (int64_t i = 0; i < w->buckets * PIECES; i++) {
        const int64_t count = w->start[i];
        w->start[i] = total;
        total += count;
    }
    w->start[w->buckets * PIECES] = total;
    return total;
}

static void fill_buckets(work *w)
{
#pragma omp parallel for schedule(dynamic, 1) num_threads(w->threads)
    for (int p = 0; p < PIECES; p++) {
        int64_t at[BUCKETS];
        for (int64_t b = 0; b < w->buckets; b++)
            at[b] = w->start[b * PIECES + p];
        for (int64_t k = piece_start(w, p); k < piece_start(w, p + 1); k++) {
            const uint64_t u = (uint64_t)w->end[2 * k], v = (uint64_t)w->end[2 * k + 1];
            if (u == v) continue;
            w->entry[at[u >> w->shift]++] = u << 32 | v;
            w->entry[at[v >> w->shift]++] = v << 32 | u;
        }
    }
}

/*
 * A short row: how many are smaller is an element's place. Equal ones meet in one place and leave a
 * hole behind it, so repeats drop out by the way. No branch depends on the values. Gives what is
 * left.
 */
static int64_t sort_short(int32_t *to, const int32_t *row, int count)
{
    enum { LANES = 8 };
    int32_t value[SHORT], place[SHORT], sorted[SHORT];
    const int padded = (count + LANES - 1) / LANES * LANES; /* at least count: all of it is set */
    int64_t kept = 0;
    for (int i = 0; i < padded; i++) {
        value[i] = i < count ? row[i] : -1;
        place[i] = 0;
        sorted[i] = -1;
    }
    for (int j = 0; j < count; j++)
        for (int i = 0; i < padded; i++)
            place[i] += value[j] < value[i]; // NOLINT(clang-analyzer-core.*)
    for (int i = 0; i < count; i++)
        sorted[place[i]] = value[i]; // NOLINT(clang-analyzer-core.*)
    for (int i = 0; i < count; i++) {
        to[kept] = sorted[i];
        kept += sorted[i] >= 0;
    }
    return kept;
}

/* A long row byte by byte; spare has room for as many. */
static int64_t sort_long(int32_t *to, int32_t *row, int64_t count, int32_t *spare, int64_t n)
{
    int64_t kept = 0;
    int32_t previous = -1;
    for (int shift = 0; shift < 32 && n >> shift > 0; shift += 8) {
        int64_t at[257] = {0};
        for (int64_t i = 0; i < count; i++)
            at[(row[i] >> shift & 255) + 1]++;
        for (int i = 0; i < 256; i++)
            at[i + 1] += at[i];
        for (int64_t i = 0; i < count; i++)
            spare[at[row[i] >> shift & 255]++] = row[i];
        memcpy(row, spare, (size_t)count * sizeof *row);
    }
    for (int64_t i = 0; i < count; i++)
        if (row[i] != previous) previous = to[kept++] = row[i];
    return kept;
}

/* One bucket's rows: sorted, repeats dropped, at the bucket's start; lengths go to offset + 1. */
static void finish_bucket(work *w, int64_t b)
{
    const int64_t first = w->start[b * PIECES], last = w->start[(b + 1) * PIECES];
    const int64_t row0 = b << w->shift;
    const int64_t row1 = (b + 1) << w->shift < w->n ? (b + 1) << w->shift : w->n;
    int64_t *at = w->offset + 1; /* at[i]: the length of row i, then its end, then its length */
    int64_t sum = first, kept = first, start = first;
    for (int64_t k = first; k < last; k++)
        at[w->entry[k] >> 32]++;
    for (int64_t i = row0; i < row1; i++) {
        const int64_t count = at[i];
        at[i] = sum;
        sum += count;
    }
    for (int64_t k = first; k < last; k++)
        w->column[at[w->entry[k] >> 32]++] = (int32_t)(w->entry[k] & 0xffffffff);
    for (int64_t i = row0; i < row1; i++) {
        const int64_t end = at[i];
        at[i] = end - start <= SHORT
                    ? sort_short(w->column + kept, w->column + start, (int)(end - start))
                    : sort_long(w->column + kept, w->column + start, end - start,
                                (int32_t *)(void *)(w->entry + first), w->n);
        kept += at[i];
        start = end;
    }
}

/* Close the gaps that repeats left at the end of each bucket. */
static void close_gaps(work *w)
{
    for (int64_t i = 0; i < w->n; i++)
        w->offset[i + 1] += w->offset[i];
    for (int64_t b = 0; b < w->buckets; b++) {
        const int64_t row0 = b << w->shift;
        const int64_t row1 = (b + 1) << w->shift < w->n ? (b + 1) << w->shift : w->n;
        const int64_t to = w->offset[row0], size = w->offset[row1] - to;
        if (to != w->start[b * PIECES] && size > 0)
            memmove(w->column + to, w->column + w->start[b * PIECES],
                    (size_t)size * sizeof *w->column);
    }
}

wgdn_status wgdn_edges_graph(wgdn_graph **out, int64_t n, const wgdn_edges *e, int threads,
                             wgdn_error *err)
{
    wgdn_status st = WGDN_ENOMEM;
    work w = {.n = n, .m = e->count, .end = e->end};
    w.threads = e->count < FEW ? 1 : threads > 0 ? threads : omp_get_max_threads();
    while ((n - 1) >> w.shift >= BUCKETS)
        w.shift++;
    w.buckets = ((n - 1) >> w.shift) + 1;
    w.start = wgdn_alloc((size_t)(w.buckets * PIECES) + 1, sizeof *w.start);
    w.offset = wgdn_alloc_zero((size_t)n + 1, sizeof *w.offset);
    if (!w.start || !w.offset) goto done;
    const int64_t entries = count_entries(&w);
    w.entry = wgdn_alloc((size_t)entries, sizeof *w.entry);
    w.column = wgdn_alloc((size_t)entries, sizeof *w.column);
    if (!w.entry || !w.column) goto done;

    fill_buckets(&w);
#pragma omp parallel for schedule(dynamic, 1) num_threads(w.threads)
    for (int64_t b = 0; b < w.buckets; b++)
        finish_bucket(&w, b);
    close_gaps(&w);
    const wgdn_csr rows = {.rows = n, .cols = n, .offset = w.offset, .column = w.column};
    st = wgdn_graph_from_rows(out, &rows, false, err);
    if (!st) {
        w.offset = NULL;
        w.column = NULL;
    }

done:
    if (st == WGDN_ENOMEM)
        wgdn_error_set(err, st, "graph: %lld nodes, %lld edges", (long long)n, (long long)e->count);
    wgdn_release(w.column);
    wgdn_release(w.entry);
    wgdn_release(w.offset);
    wgdn_release(w.start);
    return st;
}
