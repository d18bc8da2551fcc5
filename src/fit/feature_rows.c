/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lengths of the rows of X, and what X is worth: extreme values are refused by the node that has
 * them, and features that tell no more than the node's identity are recognized.
 *
 * Products with X are made in float before rows are scaled to length 1. Values between 1e-30 and
 * 1e30 can neither overflow nor vanish there.
 */
#include "base/streams.h"
#include "fit.h"

#include <math.h>
#include <string.h>

static const double longest = 1e30, shortest = 1e-30; /* rows; a shorter one counts as zeros */
static const double alike = 1e-10; /* variance of rows of length 1 that counts as none */

enum { FEW_COLUMNS = 256 };                   /* whose entries are counted */
enum { SEEN = 2 };                            /* random columns that rows are compared by */
enum { NO_ENTRY = -1, MANY = -2, TINY = -3 }; /* instead of a row's only column */

typedef struct measuring {
    wgdn_fit_input *in;
    const float *g;  /* features x SEEN, or NULL */
    double *seen;    /* rows x SEEN: R X G */
    int64_t *column; /* of the only entry of a row, or one of the below */
    int64_t first;   /* row that the chunk begins with */
} measuring;

/* A row's sums, while its entries go by. */
typedef struct row_sums {
    double squares, seen[SEEN];
    int64_t entries, last;
} row_sums;

static void add_entry(row_sums *s, const float *g, int64_t column, double x)
{
    if (x == 0) return;
    s->squares += x * x;
    s->entries++;
    s->last = column;
    for (int j = 0; g && j < SEEN; j++)
        s->seen[j] += x * g[column * SEEN + j];
}

static void measure_rows(int64_t first, int64_t count, double *sums, void *context)
{
    const measuring *m = context;
    const wgdn_csr *x = m->in->x.sparse;
    (void)sums;
    for (int64_t i = first; i < first + count; i++) {
        row_sums s = {.last = -1};
        const float *row = x ? NULL : m->in->x.dense + i * m->in->features;
        for (int64_t j = 0; row && j < m->in->features; j++)
            add_entry(&s, m->g, j, row[j]);
        for (int64_t k = x ? x->offset[i] : 0; x && k < x->offset[i + 1]; k++)
            add_entry(&s, m->g, x->column[k], x->value ? x->value[k] : 1);
        const double length = sqrt(s.squares);
        const bool none = length < shortest;
        m->in->inv_norm[i] = length > longest ? -1 : none ? 0 : (float)(1 / length);
        for (int j = 0; m->g && j < SEEN; j++)
            m->seen[(m->first + i) * SEEN + j] = none ? 0 : s.seen[j] / length;
        if (m->column)
            m->column[m->first + i] = !s.entries      ? NO_ENTRY
                                      : none          ? TINY
                                      : s.entries > 1 ? MANY
                                                      : s.last;
    }
}

/* Refuses the first row that is too long, by the name of its node. */
static wgdn_status check_rows(const wgdn_fit_input *in, const wgdn_dataset *d, wgdn_error *err)
{
    const int32_t *order = wgdn_dataset_get_order(d);
    for (int64_t i = 0; i < in->rows.count; i++) {
        char buffer[WGDN_INDEX_TEXT];
        const int64_t row = in->rows.first + i, node = order ? order[row] : row;
        if (in->inv_norm[i] >= 0) continue;
        return wgdn_fail(err, WGDN_EINVAL,
                         "features: node %s has a value of 1e30 or more; such values often stand "
                         "for missing data: leave them empty, or replace them by 0",
                         wgdn_show(wgdn_dataset_name(d, node, buffer)).text);
    }
    return WGDN_OK;
}

/* ---- what features tell ---- */

/* Sums: rows with features, tiny ones, rows with more than one entry, and for the variance. */
enum { ROWS, TINY_ROWS, MANY_ROWS, SQUARES, SUM, SUMS = SUM + SEEN };

static void add_rows(int64_t first, int64_t count, double *sums, void *context)
{
    const measuring *m = context;
    for (int64_t i = first; i < first + count; i++) {
        const double *seen = m->seen + i * SEEN;
        sums[ROWS] += m->column[i] >= 0 || m->column[i] == MANY;
        sums[TINY_ROWS] += m->column[i] == TINY;
        sums[MANY_ROWS] += m->column[i] == MANY;
        for (int j = 0; j < SEEN; j++) {
            sums[SQUARES] += seen[j] * seen[j];
            sums[SUM + j] += seen[j];
        }
    }
}

/* Whether rows of length 1 are one and the same row, as far as there are any. */
static bool are_equal(const double *sums)
{
    double variance = sums[SQUARES];
    for (int j = 0; j < SEEN && sums[ROWS] > 0; j++)
        variance -= sums[SUM + j] * sums[SUM + j] / sums[ROWS];
    return variance <= alike * sums[SQUARES];
}

/* Whether no two rows have their only entry in the same column. */
static wgdn_status are_apart(bool *apart, const measuring *m, wgdn_error *err)
{
    const wgdn_fit_input *in = m->in;
    int64_t *all = wgdn_gather_rows(m->column, sizeof *all, in);
    char *used = wgdn_alloc_zero((size_t)in->features, 1);
    wgdn_status st = WGDN_OK;
    if (!all || !used)
        st = wgdn_fail(err, WGDN_ENOMEM, "features: columns of %lld rows",
                       (long long)in->rows.total);
    st = wgdn_span_agree(in->rows, st, err);
    *apart = !st;
    for (int64_t i = 0; i < in->rows.total && *apart; i++) {
        if (all[i] < 0) continue;
        *apart = !used[all[i]];
        used[all[i]] = 1;
    }
    wgdn_release(used);
    wgdn_release(all);
    return st;
}

static wgdn_status judge(wgdn_fit_input *in, measuring *m, wgdn_error *err)
{
    double sums[SUMS] = {0};
    bool apart = false;
    void *work = wgdn_alloc(wgdn_for_blocks_work(in->rows, SUMS), 1);
    wgdn_status st = work ? WGDN_OK : wgdn_fail(err, WGDN_ENOMEM, "features: sums of rows");
    st = wgdn_span_agree(in->rows, st, err);
    if (!st) {
        wgdn_for_blocks(in->rows, add_rows, m, sums, SUMS, work);
        in->tiny = (int64_t)sums[TINY_ROWS];
        in->worth = sums[ROWS] == 0   ? WGDN_WORTH_NOTHING
                    : are_equal(sums) ? WGDN_WORTH_CONSTANT
                                      : WGDN_WORTH_SOMETHING;
        if (in->worth == WGDN_WORTH_SOMETHING && sums[MANY_ROWS] == 0 &&
            sums[ROWS] <= (double)in->features)
            st = are_apart(&apart, m, err);
        if (apart) in->worth = WGDN_WORTH_IDENTITY;
    }
    wgdn_release(work);
    return st;
}

/* ---- columns ---- */

static void count_entries(int64_t first, int64_t count, double *sums, void *context)
{
    const wgdn_fit_input *in = context;
    const wgdn_csr *x = in->x.sparse;
    for (int64_t i = first; i < first + count; i++) {
        for (int64_t j = 0; !x && j < in->features; j++)
            sums[j] += in->x.dense[i * in->features + j] != 0 && in->inv_norm[i] > 0;
        for (int64_t k = x ? x->offset[i] : 0; x && k < x->offset[i + 1]; k++)
            sums[x->column[k]] += (!x->value || x->value[k] != 0) && in->inv_norm[i] > 0;
    }
}

/* Counts the nodes that have a value in each column. */
static wgdn_status count_used(wgdn_fit_input *in, wgdn_error *err)
{
    const int64_t f = in->features;
    double *sums = wgdn_alloc((size_t)f, sizeof *sums);
    void *work = wgdn_alloc(wgdn_for_blocks_work(in->rows, f), 1);
    in->used = wgdn_alloc_zero((size_t)f, sizeof *in->used);
    wgdn_status st = WGDN_OK;
    if (!sums || !work || !in->used)
        st = wgdn_fail(err, WGDN_ENOMEM, "features: sums of %lld columns", (long long)f);
    st = wgdn_span_agree(in->rows, st, err);
    for (int64_t i = 0; i < wgdn_chunk_count(in->rows) && !st; i++) {
        wgdn_fit_input part;
        wgdn_fit_rows(&part, in, wgdn_chunk(in->rows, i));
        wgdn_for_blocks(part.rows, count_entries, &part, sums, f, work);
        for (int64_t j = 0; j < f; j++)
            in->used[j] += sums[j];
        wgdn_fit_forget(&part);
    }
    wgdn_release(work);
    wgdn_release(sums);
    return st;
}

wgdn_status wgdn_features_measure(wgdn_fit_input *in, const wgdn_dataset *d, uint64_t seed,
                                  bool learn, wgdn_error *err)
{
    const size_t n = (size_t)in->rows.count, width = learn ? (size_t)in->features * SEEN : 0;
    float *g = wgdn_alloc(width, sizeof *g);
    measuring m = {.in = in, .g = learn ? g : NULL};
    m.seen = wgdn_alloc(learn ? n * SEEN : 0, sizeof *m.seen);
    m.column = learn ? wgdn_alloc(n, sizeof *m.column) : NULL;
    in->inv_norm = wgdn_alloc(n, sizeof *in->inv_norm);
    wgdn_status st = WGDN_OK;
    if (!g || !m.seen || !in->inv_norm || (learn && !m.column))
        st = wgdn_fail(err, WGDN_ENOMEM, "features: lengths of %lld rows", (long long)n);
    if (!st && learn)
        wgdn_random_normals(g, SEEN, (wgdn_stream){.seed = seed, .call = WGDN_CALL_SCALE}, 0,
                            in->features, 0, SEEN);
    for (int64_t i = 0; i < wgdn_chunk_count(in->rows) && !st; i++) {
        wgdn_fit_input part;
        wgdn_fit_rows(&part, in, wgdn_chunk(in->rows, i));
        m.in = &part;
        m.first = wgdn_chunk_first(part.rows);
        wgdn_for_blocks(part.rows, measure_rows, &m, NULL, 0, NULL);
        wgdn_fit_forget(&part);
    }
    m.in = in;
    if (!st) st = check_rows(in, d, err);
    st = wgdn_span_agree(in->rows, st, err);
    if (!st && learn) st = judge(in, &m, err);
    if (!st && learn && in->features <= FEW_COLUMNS) st = count_used(in, err);
    wgdn_release(m.column);
    wgdn_release(m.seen);
    wgdn_release(g);
    return st;
}
