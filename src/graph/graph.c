/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Builds the graph: a symmetric sparse matrix in compressed rows, with the degrees that its
 * Laplacian needs. It also transposes and merges compressed rows; every later stage receives the
 * graph from here.
 */
#include "graph.h"

/*
 * Counting sort by column. Rows are visited in order, so the new columns ascend and no row needs
 * sorting afterwards.
 */
void wgdn_csr_turn(wgdn_csr *t, int64_t *entry, const wgdn_csr *a)
{
    const int64_t entries = wgdn_csr_entries(a);
    t->rows = a->cols;
    t->cols = a->rows;
    for (int64_t j = 0; j <= t->rows; j++)
        t->offset[j] = 0;
    for (int64_t k = 0; k < entries; k++)
        t->offset[a->column[k] + 1]++;
    for (int64_t j = 0; j < t->rows; j++)
        t->offset[j + 1] += t->offset[j];
    for (int64_t i = 0; i < a->rows; i++)
        for (int64_t k = a->offset[i]; k < a->offset[i + 1]; k++) {
            const int64_t at = t->offset[a->column[k]]++; /* now the start of the next row */
            t->column[at] = (int32_t)i;
            if (entry) entry[at] = k;
            if (t->value) t->value[at] = a->value[k];
        }
    for (int64_t j = t->rows; j > 0; j--)
        t->offset[j] = t->offset[j - 1];
    t->offset[0] = 0;
}

wgdn_status wgdn_csr_transpose(wgdn_csr *out, const wgdn_csr *a, wgdn_error *err)
{
    const int64_t entries = wgdn_csr_entries(a);
    wgdn_csr t;

    if (a->rows > INT32_MAX)
        return wgdn_fail(err, WGDN_ERANGE, "transpose: %lld rows do not fit 32-bit columns",
                         (long long)a->rows);
    if (!wgdn_csr_alloc(&t, a->cols, a->rows, entries, a->value != NULL))
        return wgdn_fail(err, WGDN_ENOMEM, "transpose: %lld x %lld with %lld entries",
                         (long long)a->rows, (long long)a->cols, (long long)entries);
    wgdn_csr_turn(&t, NULL, a);
    *out = t;
    return WGDN_OK;
}

void wgdn_csr_merge(wgdn_csr *a)
{
    int64_t kept = 0, start = 0;
    for (int64_t i = 0; i < a->rows; i++) {
        const int64_t end = a->offset[i + 1];
        int32_t last = -1;
        for (int64_t k = start; k < end; k++)
            if (a->column[k] != last) last = a->column[kept++] = a->column[k];
        a->offset[i + 1] = kept;
        start = end;
    }
}

static wgdn_status check_edges(int64_t n, int64_t m, const int64_t *src, const int64_t *dst,
                               wgdn_error *err)
{
    if (n < 1 || n > WGDN_NODES_MAX)
        return wgdn_fail(err, WGDN_EINVAL, "graph: %lld nodes; there must be 1 .. %d", (long long)n,
                         WGDN_NODES_MAX);
    if (m < 0 || m > INT64_MAX / 4)
        return wgdn_fail(err, WGDN_EINVAL, "graph: %lld edges", (long long)m);
    if (m > 0 && (!src || !dst))
        return wgdn_fail(err, WGDN_EINVAL, "graph: %lld edges, but no array of %s", (long long)m,
                         src ? "targets" : "sources");
    for (int64_t k = 0; k < m; k++)
        if (src[k] < 0 || src[k] >= n || dst[k] < 0 || dst[k] >= n)
            return wgdn_fail(err, WGDN_EINVAL,
                             "graph: edge %lld is %lld - %lld, nodes are 0 .. %lld", (long long)k,
                             (long long)src[k], (long long)dst[k], (long long)n - 1);
    return WGDN_OK;
}

/* Both directions of every edge into rows, in the order given: rows not sorted, repeats kept. */
static wgdn_status scatter(wgdn_csr *a, int64_t n, int64_t m, const int64_t *src,
                           const int64_t *dst, wgdn_error *err)
{
    int64_t entries = 0;
    *a = (wgdn_csr){.rows = n, .cols = n};
    a->offset = wgdn_alloc_zero((size_t)n + 1, sizeof *a->offset);
    if (!a->offset) goto no_memory;
    for (int64_t k = 0; k < m; k++) {
        if (src[k] == dst[k]) continue;
        a->offset[src[k] + 1]++;
        a->offset[dst[k] + 1]++;
        entries += 2;
    }
    a->column = wgdn_alloc((size_t)entries, sizeof *a->column);
    if (!a->column) goto no_memory;
    for (int64_t i = 0; i < n; i++)
        a->offset[i + 1] += a->offset[i];
    for (int64_t k = 0; k < m; k++) {
        if (src[k] == dst[k]) continue;
        a->column[a->offset[src[k]]++] = (int32_t)dst[k];
        a->column[a->offset[dst[k]]++] = (int32_t)src[k];
    }
    for (int64_t i = n; i > 0; i--)
        a->offset[i] = a->offset[i - 1];
    a->offset[0] = 0;
    return WGDN_OK;

no_memory:
    wgdn_csr_free(a);
    return wgdn_fail(err, WGDN_ENOMEM, "graph: %lld nodes, %lld edges", (long long)n, (long long)m);
}

static wgdn_status set_degrees(wgdn_graph *g, wgdn_error *err)
{
    const int64_t n = g->adjacency.rows;
    const size_t columns = (size_t)g->adjacency.cols; /* more than rows where others own some */
    g->inv_sqrt_degree = wgdn_alloc(columns, sizeof *g->inv_sqrt_degree);
    g->inv_degree = wgdn_alloc(columns, sizeof *g->inv_degree);
    if (!g->inv_sqrt_degree || !g->inv_degree)
        return wgdn_fail(err, WGDN_ENOMEM, "graph: degrees of %lld nodes", (long long)n);
    for (int64_t i = 0; i < n; i++)
        wgdn_graph_weigh(g, i);
    return WGDN_OK;
}

/*
 * The scattered rows form a symmetric matrix, so its transpose is the same matrix with sorted
 * rows: two counting sorts, no comparison, linear in the edges.
 */
wgdn_status wgdn_graph_from_edges(wgdn_graph **out, int64_t n, int64_t m, const int64_t *src,
                                  const int64_t *dst, wgdn_error *err)
{
    wgdn_graph *g = NULL;
    wgdn_csr scattered = {0};
    wgdn_status st = check_edges(n, m, src, dst, err);
    if (st) return st;

    g = wgdn_alloc_zero(1, sizeof *g);
    if (!g) return wgdn_fail(err, WGDN_ENOMEM, "graph: handle");
    st = scatter(&scattered, n, m, src, dst, err);
    if (st) goto done;
    st = wgdn_csr_transpose(&g->adjacency, &scattered, err);
    if (st) goto done;
    wgdn_csr_merge(&g->adjacency);
    st = set_degrees(g, err);

done:
    wgdn_csr_free(&scattered);
    if (st)
        wgdn_graph_free(g);
    else
        *out = g;
    return st;
}

wgdn_status wgdn_graph_from_rows(wgdn_graph **out, const wgdn_csr *rows, bool borrowed,
                                 wgdn_error *err)
{
    wgdn_graph *g = wgdn_alloc_zero(1, sizeof *g);
    if (!g) return wgdn_fail(err, WGDN_ENOMEM, "graph: handle");
    g->adjacency = *rows;
    g->borrowed = true; /* the caller's, until nothing can fail */
    const wgdn_status st = set_degrees(g, err);
    if (st) {
        wgdn_graph_free(g);
        return st;
    }
    g->borrowed = borrowed;
    *out = g;
    return WGDN_OK;
}

void wgdn_graph_free(wgdn_graph *g)
{
    if (!g) return;
    wgdn_release(g->inv_degree);
    wgdn_release(g->inv_sqrt_degree);
    if (!g->borrowed) wgdn_csr_free(&g->adjacency);
    wgdn_release(g);
}

int64_t wgdn_graph_nodes(const wgdn_graph *g)
{
    return g->adjacency.rows;
}

int64_t wgdn_graph_edges(const wgdn_graph *g)
{
    return wgdn_csr_entries(&g->adjacency) / 2;
}

void wgdn_graph_get_rows(const int64_t **offset, const int32_t **column, const float **value,
                         const wgdn_graph *g)
{
    *offset = g->adjacency.offset;
    *column = g->adjacency.column;
    *value = g->adjacency.value;
}

int64_t wgdn_graph_degree(const wgdn_graph *g, int64_t node)
{
    if (node < 0 || node >= g->adjacency.rows) return -1;
    return g->adjacency.offset[node + 1] - g->adjacency.offset[node];
}
