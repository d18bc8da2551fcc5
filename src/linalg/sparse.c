/* SPDX-License-Identifier: Apache-2.0 */
/* Sparse times dense. A row of the result belongs to one thread and is summed in column order. */
#include "layer_rows.h"
#include "linalg.h"
#include "rows.h"

#include <omp.h>

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
#pragma omp parallel for schedule(dynamic, ROWS_A_TURN)
    for (int64_t i = 0; i < a->rows; i++) {
        const wgdn_row row = entries_of(a, a->offset[i], a->offset[i + 1]);
        ops->gather(y + i * d, &row, x, d);
    }
}

static size_t tree_bytes(int64_t n, int64_t d)
{
    const size_t doubles = (size_t)(wgdn_tree_levels(wgdn_block_count(n)) * d);
    return (doubles * sizeof(double) + (size_t)d * sizeof(float) + 63) / 64 * 64;
}

size_t wgdn_spmm_tn_work(int64_t n, int64_t d)
{
    return (size_t)omp_get_max_threads() * tree_bytes(n, d);
}

/* Row j of A^T X: its entries ascend by node, so a block of nodes is a run of entries. */
static void gather_blocks(float *y, const wgdn_csr *at, int64_t j, const float *x, int64_t d,
                          const wgdn_row_ops *ops, double *store, float *part)
{
    const int64_t rows = wgdn_block_rows(at->cols);
    wgdn_tree tree;

    wgdn_tree_begin(&tree, store, d);
    for (int64_t k = at->offset[j], end = at->offset[j + 1]; k < end;) {
        const int64_t block = at->column[k] / rows, limit = (block + 1) * rows;
        int64_t to = k + 1;
        while (to < end && at->column[to] < limit)
            to++;
        const wgdn_row run = entries_of(at, k, to);
        double *leaf = wgdn_tree_push(&tree, block);
        ops->gather(part, &run, x, d);
        wgdn_layer_rows()->widen(leaf, part, d);
        k = to;
    }
    const double *sum = wgdn_tree_end(&tree);
    for (int64_t c = 0; c < d; c++)
        y[c] = sum ? (float)sum[c] : 0;
}

void wgdn_spmm_tn(float *y, const wgdn_csr *at, const float *x, int64_t d, void *work)
{
    const wgdn_row_ops *ops = wgdn_rows();
    const size_t each = tree_bytes(at->cols, d);
    const int64_t doubles = wgdn_tree_levels(wgdn_block_count(at->cols)) * d;
#pragma omp parallel
    {
        double *store = (double *)(void *)((char *)work + (size_t)omp_get_thread_num() * each);
#pragma omp for schedule(dynamic, ROWS_A_TURN)
        for (int64_t j = 0; j < at->rows; j++)
            gather_blocks(y + j * d, at, j, x, d, ops, store, (float *)(store + doubles));
    }
}

void wgdn_sampled(float *out, const wgdn_csr *a, const float *u, const float *v, int64_t d)
{
    const wgdn_row_ops *ops = wgdn_rows();
#pragma omp parallel for schedule(dynamic, ROWS_A_TURN)
    for (int64_t i = 0; i < a->rows; i++)
        for (int64_t k = a->offset[i]; k < a->offset[i + 1]; k++)
            out[k] = ops->dot(u + i * d, v + a->column[k] * d, d);
}
