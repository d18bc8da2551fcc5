/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Multiplies sparse by dense matrices, in both orientations, samples dense products at the
 * non-zeros (SDDMM), and removes edges from a graph. The sparse features of the model, the closed
 * form and the probes use it.
 */
#include "linalg.h"
#include "rows.h"
#include "wide_rows.h"

#include <omp.h>

/*
 * Multiplies sparse by dense. A row of the result belongs to one thread and is summed in column
 * order.
 */

enum { ROWS_A_TURN = 64 }; /* taken by a thread at once: few enough to even out long rows */

/* Entries [from, to) of a sparse matrix. */
static wgdn_row entries_of(const wgdn_csr *a, int64_t from, int64_t to)
{
    return (wgdn_row){.column = a->column + from,
                      .value = a->value ? a->value + from : NULL,
                      .count = to - from,
                      .ahead = wgdn_csr_entries(a) - from};
}

void wgdn_spmm(float *y, const wgdn_csr *a, const float *x, int64_t d)
{
    const wgdn_row_ops *ops = wgdn_rows();
    if (wgdn_tally_add(WGDN_TALLY_FEATURES, a->rows, 0, d)) return;
#pragma omp parallel for schedule(dynamic, ROWS_A_TURN) if (!wgdn_forked())
    for (int64_t i = 0; i < a->rows; i++) {
        const wgdn_row row = entries_of(a, a->offset[i], a->offset[i + 1]);
        ops->gather(y + i * d, &row, x, d);
    }
}

/*
 * Rows of Y are made in bands. Where ranks share the rows of A, a band's sums of each subtree that
 * is here are kept until they meet those of the others; else each is written at once.
 */
enum { BAND_DOUBLES = 1 << 19 };

typedef struct tn_plan {
    int64_t rows, levels, band; /* rows of a block; rows of Y in a band */
    int subtrees;
    int64_t start[WGDN_SUBTREES_MAX + 1];
    size_t thread; /* bytes of a thread's tree and row */
} tn_plan;

static tn_plan plan_tn(wgdn_span s, int64_t d)
{
    tn_plan p = {.rows = wgdn_block_rows(s.total)};
    p.levels = wgdn_tree_levels(wgdn_span_blocks(s));
    p.thread = ((size_t)(p.levels * d) * sizeof(double) + (size_t)d * sizeof(float) + 63) / 64 * 64;
    p.subtrees = s.dist ? wgdn_subtrees(p.start, s, p.rows) : 0;
    p.band = INT64_MAX;
    if (s.dist) p.band = 1 + BAND_DOUBLES / (d * (wgdn_subtrees_max(s, p.rows) + 1));
    return p;
}

size_t wgdn_spmm_tn_work(wgdn_span s, int64_t d)
{
    const tn_plan p = plan_tn(s, d);
    const size_t kept = s.dist ? (size_t)((p.subtrees + 1) * p.band * d) * sizeof(double) : 0;
    return (size_t)omp_get_max_threads() * p.thread + kept;
}

/* One row of A^T X, whose entries ascend by node: a block of nodes is a run of entries. */
typedef struct tn_row {
    const tn_plan *p;
    const wgdn_csr *at;
    const float *x;
    int64_t d, first; /* row of the whole that is row 0 here */
    const wgdn_row_ops *ops;
    double *store;
    float *part;
} tn_row;

/* The sum of the entries from *k on that lie in blocks before `end`; NULL without any. */
static const double *gather_blocks(const tn_row *r, int64_t *k, int64_t last, int64_t end)
{
    const wgdn_csr *at = r->at;
    wgdn_tree tree;
    wgdn_tree_begin(&tree, r->store, r->d);
    while (*k < last) {
        const int64_t block = (r->first + at->column[*k]) / r->p->rows;
        const int64_t limit = (block + 1) * r->p->rows - r->first;
        int64_t to = *k + 1;
        if (block >= end) break;
        while (to < last && at->column[to] < limit)
            to++;
        const wgdn_row run = entries_of(at, *k, to);
        double *leaf = wgdn_tree_push(&tree, block);
        r->ops->gather(r->part, &run, r->x, r->d);
        wgdn_wide_rows()->widen(leaf, r->part, r->d);
        *k = to;
    }
    return wgdn_tree_end(&tree);
}

/* + 0 makes 0 of -0, so that it does not matter whether an empty subtree is left out or added. */
static void put_row(float *y, const double *sum, int64_t d)
{
    for (int64_t c = 0; c < d; c++)
        y[c] = sum ? (float)(sum[c] + 0.0) : 0;
}

/* Sums of row j by subtrees; -0 where a subtree has no entries, which changes no sum. */
static void keep_row(double *kept, int64_t stride, const tn_row *r, int64_t j)
{
    int64_t k = r->at->offset[j];
    for (int i = 0; i < r->p->subtrees; i++, kept += stride) {
        const double *sum = gather_blocks(r, &k, r->at->offset[j + 1], r->p->start[i + 1]);
        for (int64_t c = 0; c < r->d; c++)
            kept[c] = sum ? sum[c] : -0.0;
    }
}

void wgdn_spmm_tn(float *y, const wgdn_csr *at, const float *x, wgdn_span s, int64_t d, void *work)
{
    const tn_plan p = plan_tn(s, d);
    if (wgdn_tally_sums(NULL, at->rows * d, s.dist) &&
        wgdn_tally_add(WGDN_TALLY_FEATURES_SUM, s.count, 0, d)) {
        for (int64_t top = 0; top < at->rows && s.dist; top += wgdn_min(p.band, at->rows - top))
            wgdn_tally_sent(wgdn_join_sent(wgdn_min(p.band, at->rows - top) * d, s, p.rows));
        return;
    }
    double *kept = (double *)(void *)((char *)work + (size_t)omp_get_max_threads() * p.thread);
    const int64_t stride = s.dist ? p.band * d : 0;
    double *all = kept + p.subtrees * stride;
    for (int64_t top = 0; top < at->rows; top += wgdn_min(p.band, at->rows - top)) {
        const int64_t end = top + wgdn_min(p.band, at->rows - top);
#pragma omp parallel if (!wgdn_forked())
        {
            char *mine = (char *)work + (size_t)omp_get_thread_num() * p.thread;
            tn_row r = {&p, at, x, d, s.first, wgdn_rows(), (double *)(void *)mine, NULL};
            r.part = (float *)(r.store + p.levels * d);
#pragma omp for schedule(dynamic, ROWS_A_TURN)
            for (int64_t j = top; j < end; j++) {
                int64_t k = at->offset[j];
                if (s.dist)
                    keep_row(kept + (j - top) * d, stride, &r, j);
                else
                    put_row(y + j * d, gather_blocks(&r, &k, at->offset[j + 1], INT64_MAX), d);
            }
        }
        if (!s.dist) continue;
        const double *subtree[WGDN_SUBTREES_MAX];
        for (int i = 0; i < p.subtrees; i++)
            subtree[i] = kept + i * stride;
        wgdn_join(all, subtree, (end - top) * d, s, p.rows);
        put_row(y + top * d, all, (end - top) * d);
    }
}

static void sddmm_rows(int64_t first, int64_t count, double *sums, void *context)
{
    const wgdn_sddmm_product *p = context;
    const wgdn_row_ops *ops = wgdn_rows();
    wgdn_csr e = *p->a;
    e.value = p->out;
    for (int64_t i = first; i < first + count; i++) {
        const int64_t from = e.offset[i], to = e.offset[i + 1];
        for (int64_t k = from; k < to; k++)
            p->out[k] = ops->dot(p->u + i * p->d, p->v + e.column[k] * p->d, p->d);
        if (p->edit) sums[0] += p->edit(p->out, from, to, p->context);
        const wgdn_row row = entries_of(&e, from, to);
        if (p->y) ops->gather(p->y + i * p->d, &row, p->v, p->d);
    }
}

double wgdn_sddmm(const wgdn_sddmm_product *p, void *work)
{
    wgdn_sddmm_product product = *p;
    double sum;
    (void)wgdn_tally_add(WGDN_TALLY_FEATURES, p->rows.count, 0, p->d);
    if (p->y) (void)wgdn_tally_add(WGDN_TALLY_FEATURES, p->rows.count, 0, p->d);
    wgdn_for_blocks(p->rows, sddmm_rows, &product, &sum, 1, work);
    return sum;
}

/* Removes some edges from a graph: rows are counted, then filled. */

typedef struct thinning {
    wgdn_graph *to;
    const wgdn_csr *from;
    wgdn_stays_call stays;
    const void *context;
} thinning;

static void count_rows(int64_t first, int64_t count, void *context)
{
    const thinning *t = context;
    for (int64_t i = first; i < first + count; i++) {
        int64_t kept = 0;
        for (int64_t k = t->from->offset[i]; k < t->from->offset[i + 1]; k++)
            kept += t->stays(i, t->from->column[k], t->context);
        t->to->adjacency.offset[i + 1] = kept;
    }
}

void wgdn_thin_count(wgdn_graph *to, const wgdn_graph *from, wgdn_span rows, wgdn_stays_call stays,
                     const void *context)
{
    wgdn_csr *a = &to->adjacency;
    thinning t = {to, &from->adjacency, stays, context};
    a->rows = rows.count;
    a->cols = from->adjacency.cols;
    a->offset[0] = 0;
    to->halo = from->halo;
    wgdn_for_rows(rows, count_rows, &t);
    for (int64_t i = 0; i < rows.count && !wgdn_tally_rows(); i++)
        a->offset[i + 1] += a->offset[i];
}

static void fill_rows(int64_t first, int64_t count, void *context)
{
    const thinning *t = context;
    const wgdn_csr *from = t->from, *thin = &t->to->adjacency;
    for (int64_t i = first; i < first + count; i++) {
        int64_t to = thin->offset[i];
        for (int64_t k = from->offset[i]; k < from->offset[i + 1]; k++) {
            if (!t->stays(i, from->column[k], t->context)) continue;
            if (thin->value) thin->value[to] = from->value[k];
            thin->column[to++] = from->column[k];
        }
        if (t->to->inv_degree) wgdn_graph_weigh(t->to, i);
    }
}

void wgdn_thin_fill(wgdn_graph *to, const wgdn_graph *from, wgdn_span rows, wgdn_stays_call stays,
                    const void *context)
{
    thinning t = {to, &from->adjacency, stays, context};
    wgdn_for_rows(rows, fill_rows, &t);
}
