/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Collects edges as pairs of node numbers and builds the compressed rows of the graph from them,
 * in parallel. Most format readers add their edges here through a draft.
 */
#include "edges.h"
#include "io/text.h"
#include "row_sort.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

wgdn_status wgdn_edges_reserve(wgdn_edges *e, int64_t more, const char *name, wgdn_error *err)
{
    if (e->count + more > e->max)
        return wgdn_fail_in(err, WGDN_ERANGE, name, "more than %lld edges, the maximum allowed",
                            (long long)e->max);
    if (!wgdn_grow(&e->end, &e->room, 2 * (e->count + more), sizeof *e->end) ||
        (e->weight && !wgdn_grow(&e->weight, &e->weight_room, e->count + more, sizeof *e->weight)))
        return wgdn_fail_in(err, WGDN_ENOMEM, name, "more than %lld edges", (long long)e->count);
    return WGDN_OK;
}

/* Weights of 1 for edges that have none yet; false: no memory. */
static bool edges_weigh(wgdn_edges *e)
{
    if (e->weight) return true;
    if (!wgdn_grow(&e->weight, &e->weight_room, e->room / 2, sizeof *e->weight)) return false;
    for (int64_t k = 0; k < e->count; k++)
        e->weight[k] = 1;
    return true;
}

/* FILE:LINE: the weight W, or FILE: the weight W of WHAT K, where there are no lines. */
static wgdn_status refuse_weight(double weight, const char *name, int64_t line, const char *what,
                                 wgdn_error *err)
{
    char at[64] = "";
    if (line > 0) snprintf(at, sizeof at, ":%lld", (long long)line);
    return wgdn_fail(err, WGDN_EFORMAT,
                     "%s%s: the weight %g%s %s; --weights ignore takes the edges alone",
                     wgdn_show_name(name).text, at, weight, what,
                     weight < 0          ? "is negative"
                     : !isfinite(weight) ? "is not a finite number"
                                         : "is not 0 and not within 1e-30 .. 1e+20");
}

static const double largest_sum = 1e36;

wgdn_status wgdn_weights_check(const float *value, int64_t entries, const char *name,
                               wgdn_error *err)
{
    for (int64_t k = 0; k < entries; k++)
        if (!(value[k] >= wgdn_weight_min / 2 && value[k] <= largest_sum)) {
            char what[64];
            snprintf(what, sizeof what, " of entry %lld", (long long)k);
            return refuse_weight(value[k], name, 0, what, err);
        }
    return WGDN_OK;
}

wgdn_status wgdn_edges_add(wgdn_edges *e, int32_t source, int32_t target, double weight,
                           const char *name, wgdn_error *err)
{
    if (weight == 0) {
        e->zero_weights++;
        return WGDN_OK;
    }
    if (e->weights == WGDN_WEIGHTS_IGNORE) {
        e->other_weights += weight != 1;
        weight = 1;
    } else if (!(weight >= wgdn_weight_min && weight <= wgdn_weight_max)) {
        const int64_t at = e->count + e->zero_weights;
        char what[64] = "";
        if (!e->line) snprintf(what, sizeof what, " of edge %lld", (long long)at);
        return refuse_weight(weight, name, e->line, what, err);
    }
    const wgdn_status st = wgdn_edges_reserve(e, 1, name, err);
    if (st) return st;
    if (weight != 1 && !edges_weigh(e)) /* the first one: all before it get theirs */
        return wgdn_fail_in(err, WGDN_ENOMEM, name, "weights of %lld edges", (long long)e->count);
    if (e->weight) e->weight[e->count] = (float)weight;
    e->end[2 * e->count] = source;
    e->end[2 * e->count + 1] = target;
    e->count++;
    return WGDN_OK;
}

/*
 * Computes the weights of the entries of finished rows. The weights given from i to j are summed in
 * double, in the order of the edges: f_ij. Then
 *
 *     A_ij = f_ij               if F is symmetric: every edge was given in both directions
 *     A_ij = f_ij + f_ji        otherwise
 *
 * A is symmetric to the last bit, and the same for any number of threads: each thread walks over
 * all edges, but adds only those of its own rows.
 */

enum { FEW = 1 << 15 };

/* The entry of row i at column j, which is there. */
static int64_t entry_of(const wgdn_csr *a, int64_t i, int32_t j)
{
    int64_t low = a->offset[i], high = a->offset[i + 1];
    while (high - low > 1) {
        const int64_t middle = low + (high - low) / 2;
        if (a->column[middle] > j)
            high = middle;
        else
            low = middle;
    }
    return low;
}

/* f of the rows from first to before end. */
static void add_given(double *f, const wgdn_csr *a, const wgdn_edges *e, int64_t first, int64_t end)
{
    for (int64_t k = 0; k < e->count; k++) {
        const int32_t i = e->end[2 * k], j = e->end[2 * k + 1];
        if (i >= first && i < end && i != j) f[entry_of(a, i, j)] += e->weight[k];
    }
}

/* value = f + f^T; whether f is its own transpose */
static bool add_mirrored(float *value, const wgdn_csr *a, const double *f, int threads)
{
    bool same = true;
#pragma omp parallel for schedule(static) num_threads(threads) reduction(&& : same) if (!wgdn_forked())
    for (int64_t i = 0; i < a->rows; i++)
        for (int64_t k = a->offset[i]; k < a->offset[i + 1]; k++) {
            const double back = f[entry_of(a, a->column[k], (int32_t)i)];
            value[k] = (float)(f[k] + back);
            same = same && f[k] == back;
        }
    return same;
}

bool wgdn_weights_settle(float *value, int64_t entries, wgdn_weights how)
{
    bool ones = true;
    for (int64_t k = 0; k < entries; k++) {
        if (how == WGDN_WEIGHTS_LOG) value[k] = (float)log1p((double)value[k]);
        ones = ones && value[k] == 1;
    }
    return !ones;
}

/* a->value of the rows of these edges, or NULL where all are 1; false: no memory. */
static bool edges_values(wgdn_csr *a, wgdn_edges *e, int threads)
{
    const int64_t entries = wgdn_csr_entries(a);
    double *f = wgdn_alloc_zero((size_t)entries, sizeof *f);
    float *value = wgdn_alloc((size_t)entries, sizeof *value);
    const int parts = e->count < FEW ? 1 : wgdn_threads_count(threads);
    if (f && value) {
#pragma omp parallel for schedule(static, 1) num_threads(parts) if (!wgdn_forked())
        for (int p = 0; p < parts; p++)
            add_given(f, a, e, a->rows * p / parts, a->rows * (p + 1) / parts);
        const bool same = add_mirrored(value, a, f, parts);
        for (int64_t k = 0; same && k < entries; k++)
            value[k] = (float)f[k];
        e->summed = !same;
        a->value = value;
        if (wgdn_weights_settle(value, entries, e->weights)) value = NULL;
        if (value) a->value = NULL;
    }
    const bool good = f && (value || a->value);
    wgdn_release(value);
    wgdn_release(f);
    return good;
}

/*
 * Turns pairs of ends into the rows of a graph. Scattering every entry directly to its row would
 * wait for memory each time. Entries therefore go first to buckets of adjacent rows, each of which
 * then fits into a cache. Pieces and buckets are the same for any number of threads, and so is
 * every result.
 *
 * Clearing fresh pages costs most of the time, so few blocks are allocated: an entry takes 32 bits
 * where the row within the bucket and the column fit, and the finished rows reuse the block that
 * held the pairs.
 */

enum { PIECES = 64, BUCKETS = 1024, EDGE_ROWS_FEW = 1 << 15 };

static wgdn_row_sort *const sort_short[] = WGDN_VARIANTS(wgdn_row_sort_base, wgdn_row_sort);

typedef struct work {
    int64_t n, m;
    const int32_t *end;
    int shift;        /* row >> shift is its bucket */
    int column_bits;  /* of an entry; the row within its bucket stands above them */
    int64_t buckets;  /* of them in use */
    int pieces;       /* of the pairs */
    int64_t *start;   /* bucket -> its first entry; pieces of them each, then the total */
    int64_t *kept;    /* bucket -> entries left of it; then where they go */
    uint32_t *narrow; /* entries, bucket by bucket: either these */
    uint64_t *wide;   /* or these; then, as 32-bit columns, each bucket's finished rows */
    int32_t *column;  /* row by row */
    int64_t *offset;
    int threads;
} work;

static int64_t piece_start(const work *w, int piece)
{
    return w->m / w->pieces * piece + (piece < w->m % w->pieces ? piece : w->m % w->pieces);
}

/* start[bucket * pieces + piece] = entries, then where they go. */
static int64_t count_entries(work *w)
{
    int64_t total = 0;
#pragma omp parallel for schedule(dynamic, 1) num_threads(w->threads) if (!wgdn_forked())
    for (int p = 0; p < w->pieces; p++) {
        int64_t count[BUCKETS];
        memset(count, 0, (size_t)w->buckets * sizeof *count);
        for (int64_t k = piece_start(w, p); k < piece_start(w, p + 1); k++) {
            const int32_t u = w->end[2 * k], v = w->end[2 * k + 1];
            count[u >> w->shift] += u != v;
            count[v >> w->shift] += u != v;
        }
        for (int64_t b = 0; b < w->buckets; b++)
            w->start[b * w->pieces + p] = count[b];
    }
    for (int64_t i = 0; i < w->buckets * w->pieces; i++) {
        const int64_t count = w->start[i];
        w->start[i] = total;
        total += count;
    }
    w->start[w->buckets * w->pieces] = total;
    return total;
}

static inline void put(const work *w, int64_t at, int32_t row, int32_t column)
{
    const uint32_t within = (uint32_t)row & ((1u << w->shift) - 1);
    if (w->narrow)
        w->narrow[at] = within << w->column_bits | (uint32_t)column;
    else
        w->wide[at] = (uint64_t)within << w->column_bits | (uint32_t)column;
}

static inline uint64_t get(const work *w, int64_t at)
{
    return w->narrow ? w->narrow[at] : w->wide[at];
}

static void fill_buckets(work *w)
{
#pragma omp parallel for schedule(dynamic, 1) num_threads(w->threads) if (!wgdn_forked())
    for (int p = 0; p < w->pieces; p++) {
        int64_t at[BUCKETS];
        const work v = *w; /* stores through its blocks cannot change it */
        for (int64_t b = 0; b < w->buckets; b++)
            at[b] = w->start[b * w->pieces + p];
        for (int64_t k = piece_start(w, p); k < piece_start(w, p + 1); k++) {
            const int32_t i = v.end[2 * k], j = v.end[2 * k + 1];
            if (i == j) continue;
            put(&v, at[i >> v.shift]++, i, j);
            put(&v, at[j >> v.shift]++, j, i);
        }
    }
}

/* A long row byte by byte; to has room for as many and serves as the other half of the passes. */
static int64_t sort_long(int32_t *to, int32_t *row, int64_t count, int64_t n)
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
            to[at[row[i] >> shift & 255]++] = row[i];
        memcpy(row, to, (size_t)count * sizeof *row);
    }
    for (int64_t i = 0; i < count; i++)
        if (row[i] != previous) previous = to[kept++] = row[i];
    return kept;
}

static int64_t row_start(const work *w, int64_t bucket)
{
    return bucket << w->shift < w->n ? bucket << w->shift : w->n;
}

/* Where a bucket's finished rows wait: over its entries, which nobody needs any more. */
static int32_t *finished(const work *w, int64_t bucket)
{
    const int64_t first = w->start[bucket * w->pieces];
    return w->narrow ? (int32_t *)w->narrow + first : (int32_t *)(void *)(w->wide + first);
}

/* One bucket's rows: sorted, repeats dropped; where they end in the bucket goes to offset + 1. */
static void finish_bucket(const work *w, int64_t b)
{
    const int64_t first = w->start[b * w->pieces], last = w->start[(b + 1) * w->pieces];
    const int64_t rows = row_start(w, b + 1) - row_start(w, b);
    const uint64_t mask = (UINT64_C(1) << w->column_bits) - 1;
    int64_t *at = w->offset + 1 + row_start(w, b); /* of a row: its length, its end, its last end */
    int32_t *const row = w->column + first, *const to = finished(w, b);
    wgdn_row_sort *const sort = sort_short[wgdn_cpu_level()];
    int64_t sum = 0, kept = 0, start = 0;
    for (int64_t k = first; k < last; k++)
        at[get(w, k) >> w->column_bits]++;
    for (int64_t i = 0; i < rows; i++) {
        const int64_t count = at[i];
        at[i] = sum;
        sum += count;
    }
    for (int64_t k = first; k < last; k++) {
        const uint64_t entry = get(w, k);
        row[at[entry >> w->column_bits]++] = (int32_t)(entry & mask);
    }
    for (int64_t i = 0; i < rows; i++) {
        const int64_t end = at[i], count = end - start;
        kept += count <= WGDN_ROW_SHORT ? sort(to + kept, row + start, (int)count)
                                        : sort_long(to + kept, row + start, count, w->n);
        at[i] = kept;
        start = end;
    }
    w->kept[b] = kept;
}

/* Finished rows to where they belong, now that it is known how many repeats
 * fell out before them. */
static void join_buckets(work *w)
{
    int64_t total = 0;
    for (int64_t b = 0; b < w->buckets; b++) {
        const int64_t count = w->kept[b];
        w->kept[b] = total;
        total += count;
    }
#pragma omp parallel for schedule(dynamic, 1) num_threads(w->threads) if (!wgdn_forked())
    for (int64_t b = 0; b < w->buckets; b++) {
        const int64_t count = w->offset[row_start(w, b + 1)];
        memcpy(w->column + w->kept[b], finished(w, b), (size_t)count * sizeof *w->column);
        for (int64_t i = row_start(w, b); i < row_start(w, b + 1); i++)
            w->offset[i + 1] += w->kept[b];
    }
}

/* Blocks for so many entries. The pairs' own block serves if it is not much too large for rows. */
static bool take_blocks(work *w, wgdn_edges *e, int64_t entries)
{
    if (w->shift + w->column_bits <= 32)
        w->narrow = wgdn_alloc((size_t)entries, sizeof *w->narrow);
    else
        w->wide = wgdn_alloc((size_t)entries, sizeof *w->wide);
    if (!w->narrow && !w->wide) return false;
    fill_buckets(w);
    if (!e->weight && !e->counted && e->room > 0 && e->room >= entries &&
        e->room - entries <= e->room / 8) {
        w->column = e->end;
        e->end = NULL;
        e->room = 0;
    } else {
        w->column = wgdn_alloc((size_t)entries, sizeof *w->column);
    }
    return w->column != NULL;
}

wgdn_status wgdn_edges_graph(wgdn_graph **out, int64_t n, wgdn_edges *e, int threads,
                             wgdn_error *err)
{
    wgdn_status st = WGDN_ENOMEM;
    work w = {.n = n, .m = e->count, .end = e->end};
    w.threads = e->count < EDGE_ROWS_FEW ? 1 : wgdn_threads_count(threads);
    w.pieces = e->count < EDGE_ROWS_FEW ? 1 : PIECES;
    while ((n - 1) >> w.shift >= BUCKETS)
        w.shift++;
    while ((n - 1) >> w.column_bits > 0)
        w.column_bits++;
    w.buckets = ((n - 1) >> w.shift) + 1;
    w.start = wgdn_alloc((size_t)(w.buckets * w.pieces) + 1, sizeof *w.start);
    w.kept = wgdn_alloc((size_t)w.buckets, sizeof *w.kept);
    w.offset = wgdn_alloc_zero((size_t)n + 1, sizeof *w.offset);
    if (!w.start || !w.kept || !w.offset) goto done;
    const int64_t entries = count_entries(&w);
    e->loops = e->count - entries / 2;
    if (!take_blocks(&w, e, entries)) goto done;
#pragma omp parallel for schedule(dynamic, 1) num_threads(w.threads) if (!wgdn_forked())
    for (int64_t b = 0; b < w.buckets; b++)
        finish_bucket(&w, b);
    join_buckets(&w);
    wgdn_csr rows = {.rows = n, .cols = n, .offset = w.offset, .column = w.column};
    const bool repeats = wgdn_csr_entries(&rows) < entries;
    if (e->counted && repeats && !edges_weigh(e)) goto done;
    if (e->weight && !edges_values(&rows, e, threads)) goto done;
    st = wgdn_graph_from_rows(out, &rows, false, err);
    if (st) wgdn_release(rows.value);
    if (!st) {
        w.offset = NULL;
        w.column = NULL;
    }

done:
    if (st == WGDN_ENOMEM)
        wgdn_error_set(err, st, "graph: %lld nodes, %lld edges", (long long)n, (long long)e->count);
    wgdn_release(w.column);
    wgdn_release(w.wide);
    wgdn_release(w.narrow);
    wgdn_release(w.offset);
    wgdn_release(w.kept);
    wgdn_release(w.start);
    return st;
}
