/* SPDX-License-Identifier: Apache-2.0 */
/* One row of L x, for those who fuse something to it. */
#ifndef WGDN_LINALG_LAPLACIAN_H
#define WGDN_LINALG_LAPLACIAN_H

#include "ranks/ranks.h"
#include "rows.h"

wgdn_row wgdn_neighbors(const wgdn_graph *g, int64_t i); /* with A_ij s_j */

/*
 * Call row(i, scratch, context) for every row here, each on one thread; it may gather from x, n x
 * d. Rows that have no neighbors elsewhere come first, while those of x that others own are on
 * their way. scratch is the thread's own: stride floats each, one per thread.
 */
typedef void (*wgdn_gather_call)(int64_t i, float *scratch, void *context);
void wgdn_for_gather(const wgdn_graph *g, const float *x, int64_t d, wgdn_gather_call row,
                     void *context, float *scratch, int64_t stride);

/* y = (L x)_i */
static inline void wgdn_laplacian_row(float *y, const wgdn_graph *g, int64_t i, const float *x,
                                      int64_t d, const wgdn_row_ops *ops)
{
    const wgdn_row row = wgdn_neighbors(g, i);
    ops->gather(y, &row, x, d);
    ops->combine(y, 1, x + i * d, -g->inv_sqrt_degree[i], y, d);
}

#endif
