/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a node of a set of graphs is told by beside its features.
 *
 *     log(1 + d_i),    t_i / (d_i (d_i - 1)),  0 for d_i < 2
 *
 * t_i: pairs (j, k) of neighbours of i that are neighbours of each other, either way round. Both
 * are centred and divided by their deviation over all nodes that were fitted.
 */
#include "graphs.h"

#include <math.h>

static const double deviation_min = 1e-3;

/* Columns of row i that row j has, too: those of the shorter row are looked for in the longer. */
static int64_t common(const wgdn_csr *a, int64_t i, int64_t j)
{
    const bool swap = a->offset[i + 1] - a->offset[i] > a->offset[j + 1] - a->offset[j];
    const int64_t from = swap ? j : i, in = swap ? i : j;
    int64_t low = a->offset[in], found = 0;
    for (int64_t k = a->offset[from]; k < a->offset[from + 1]; k++) {
        int64_t high = a->offset[in + 1];
        while (low < high) { /* the first that is not smaller */
            const int64_t middle = low + (high - low) / 2;
            if (a->column[middle] < a->column[k])
                low = middle + 1;
            else
                high = middle;
        }
        if (low == a->offset[in + 1]) break;
        found += a->column[low] == a->column[k];
    }
    return found;
}

typedef struct columns {
    float *column;
    const wgdn_csr *a;
    const wgdn_graph_form *form;
    double mean[WGDN_NODE_COLUMNS];
} columns;

static void fill_rows(int64_t first, int64_t count, double *sums, void *context)
{
    const columns *c = context;
    (void)sums;
    for (int64_t i = first; i < first + count; i++) {
        const double d = (double)(c->a->offset[i + 1] - c->a->offset[i]);
        int64_t pairs = 0;
        for (int64_t k = c->a->offset[i]; k < c->a->offset[i + 1]; k++)
            pairs += common(c->a, i, c->a->column[k]);
        float *to = c->column + i * WGDN_NODE_COLUMNS;
        to[0] = (float)log1p(d);
        to[1] = d > 1 ? (float)((double)pairs / (d * (d - 1))) : 0;
    }
}

void wgdn_node_columns(float *column, const wgdn_csr *a)
{
    columns c = {.column = column, .a = a};
    wgdn_for_blocks(wgdn_alone(a->rows), fill_rows, &c, NULL, 0, NULL);
}

static void add_squares(int64_t first, int64_t count, double *sums, void *context)
{
    const columns *c = context;
    for (int64_t i = first; i < first + count; i++)
        for (int k = 0; k < WGDN_NODE_COLUMNS; k++)
            sums[k] += pow(c->column[i * WGDN_NODE_COLUMNS + k] - c->mean[k], 2);
}

wgdn_status wgdn_node_columns_measure(wgdn_graph_form *form, const float *column, int64_t nodes,
                                      wgdn_error *err)
{
    const wgdn_span all = wgdn_alone(nodes);
    const size_t sums = wgdn_reduce_work(all, WGDN_NODE_COLUMNS);
    const size_t blocks = wgdn_for_blocks_work(all, WGDN_NODE_COLUMNS);
    columns c = {.column = (float *)(uintptr_t)column};
    double squares[WGDN_NODE_COLUMNS];
    void *work = wgdn_alloc(sums > blocks ? sums : blocks, 1);
    if (!work) return wgdn_fail(err, WGDN_ENOMEM, "means of %lld nodes", (long long)nodes);
    wgdn_column_sums(c.mean, NULL, column, all, WGDN_NODE_COLUMNS, work);
    for (int k = 0; k < WGDN_NODE_COLUMNS; k++)
        c.mean[k] /= (double)nodes;
    wgdn_for_blocks(all, add_squares, &c, squares, WGDN_NODE_COLUMNS, work);
    for (int k = 0; k < WGDN_NODE_COLUMNS; k++) {
        form->nodes[0][k] = (float)c.mean[k];
        form->nodes[1][k] = (float)fmax(sqrt(squares[k] / (double)nodes), deviation_min);
    }
    wgdn_release(work);
    return WGDN_OK;
}

static void scale_rows(int64_t first, int64_t count, double *sums, void *context)
{
    const columns *c = context;
    (void)sums;
    for (int64_t i = first; i < first + count; i++)
        for (int k = 0; k < WGDN_NODE_COLUMNS; k++) {
            float *x = c->column + i * WGDN_NODE_COLUMNS + k;
            *x = (*x - c->form->nodes[0][k]) / c->form->nodes[1][k];
        }
}

void wgdn_node_columns_scale(float *column, int64_t nodes, const wgdn_graph_form *form)
{
    columns c = {.column = column, .form = form};
    wgdn_for_blocks(wgdn_alone(nodes), scale_rows, &c, NULL, 0, NULL);
}
