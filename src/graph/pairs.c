/* SPDX-License-Identifier: Apache-2.0 */
#include "graph.h"

/* offset[i + 1] = entries of row i, then their sums: where each row starts. */
static int64_t count_rows(int64_t *offset, int64_t n, int64_t m, const int32_t *ends)
{
    int64_t loops = 0;
    for (int64_t k = 0; k < m; k++) {
        const int32_t u = ends[2 * k], v = ends[2 * k + 1];
        loops += u == v;
        offset[u + 1] += u != v;
        offset[v + 1] += u != v;
    }
    for (int64_t i = 0; i < n; i++)
        offset[i + 1] += offset[i];
    return loops;
}

/* A cursor per row walked to the next row's start; put the starts back. */
static void rewind_rows(int64_t *offset, int64_t n)
{
    for (int64_t i = n; i > 0; i--)
        offset[i] = offset[i - 1];
    offset[0] = 0;
}

/*
 * The writes go all over memory, far more of them than caches hold, so each one's line is asked for
 * some steps ahead.
 */
static void scatter_pairs(wgdn_csr *a, int64_t m, const int32_t *ends)
{
    enum { AHEAD = 16 };
    for (int64_t k = 0; k < m; k++) {
        if (k + AHEAD < m) {
            __builtin_prefetch(&a->column[a->offset[ends[2 * (k + AHEAD)]]], 1);
            __builtin_prefetch(&a->column[a->offset[ends[2 * (k + AHEAD) + 1]]], 1);
        }
        const int32_t u = ends[2 * k], v = ends[2 * k + 1];
        if (u == v) continue;
        a->column[a->offset[u]++] = v;
        a->column[a->offset[v]++] = u;
    }
    rewind_rows(a->offset, a->rows);
}

/* out has the same pattern and offsets as the symmetric a, and comes out with its rows sorted. */
static void sort_rows(wgdn_csr *out, const wgdn_csr *a)
{
    enum { AHEAD = 16 };
    const int64_t entries = wgdn_csr_entries(a);
    for (int64_t i = 0; i < a->rows; i++)
        for (int64_t k = a->offset[i]; k < a->offset[i + 1]; k++) {
            if (k + AHEAD < entries)
                __builtin_prefetch(&out->column[out->offset[a->column[k + AHEAD]]], 1);
            out->column[out->offset[a->column[k]]++] = (int32_t)i;
        }
    rewind_rows(out->offset, out->rows);
}

wgdn_status wgdn_graph_from_pairs(wgdn_graph **out, int64_t n, int64_t m, const int32_t *ends,
                                  wgdn_error *err)
{
    wgdn_status st;
    wgdn_csr a = {.rows = n, .cols = n}, sorted = {.rows = n, .cols = n};
    a.offset = wgdn_alloc_zero((size_t)n + 1, sizeof *a.offset);
    sorted.offset = wgdn_alloc((size_t)n + 1, sizeof *sorted.offset);
    if (!a.offset || !sorted.offset) goto no_memory;
    const int64_t entries = 2 * (m - count_rows(a.offset, n, m, ends));
    a.column = wgdn_alloc((size_t)entries, sizeof *a.column);
    sorted.column = wgdn_alloc((size_t)entries, sizeof *sorted.column);
    if (!a.column || !sorted.column) goto no_memory;

    for (int64_t i = 0; i <= n; i++)
        sorted.offset[i] = a.offset[i];
    scatter_pairs(&a, m, ends);
    sort_rows(&sorted, &a);
    wgdn_csr_merge(&sorted);
    wgdn_csr_free(&a);
    st = wgdn_graph_from_rows(out, &sorted, false, err);
    if (st) wgdn_csr_free(&sorted);
    return st;

no_memory:
    wgdn_csr_free(&sorted);
    wgdn_csr_free(&a);
    return wgdn_fail(err, WGDN_ENOMEM, "graph: %lld nodes, %lld edges", (long long)n, (long long)m);
}
