/* SPDX-License-Identifier: Apache-2.0 */
/* A graph without some of its edges: rows are counted, then filled. */
#include "linalg.h"

typedef struct thinning {
    wgdn_graph *to;
    const wgdn_csr *from;
    wgdn_stays_call stays;
    const void *context;
} thinning;

static void count_rows(int64_t first, int64_t count, double *sums, void *context)
{
    const thinning *t = context;
    (void)sums;
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
    wgdn_for_blocks(rows, count_rows, &t, NULL, 0, NULL);
    for (int64_t i = 0; i < rows.count && !wgdn_tally_rows(); i++)
        a->offset[i + 1] += a->offset[i];
}

static void fill_rows(int64_t first, int64_t count, double *sums, void *context)
{
    const thinning *t = context;
    const wgdn_csr *from = t->from, *thin = &t->to->adjacency;
    (void)sums;
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
    wgdn_for_blocks(rows, fill_rows, &t, NULL, 0, NULL);
}
