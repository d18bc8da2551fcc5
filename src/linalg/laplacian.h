/* SPDX-License-Identifier: Apache-2.0 */
/* One row of L x, for those who fuse something to it. */
#ifndef WGDN_LAPLACIAN_H
#define WGDN_LAPLACIAN_H

#include "graph/graph.h"
#include "rows.h"

wgdn_row wgdn_neighbours(const wgdn_graph *g, int64_t i); /* with the weights s_j */

/* y = (L x)_i */
static inline void wgdn_laplacian_row(float *y, const wgdn_graph *g, int64_t i, const float *x,
                                      int64_t d, const wgdn_row_ops *ops)
{
    const wgdn_row row = wgdn_neighbours(g, i);
    ops->gather(y, &row, x, d);
    ops->combine(y, 1, x + i * d, -g->inv_sqrt_degree[i], y, d);
}

#endif
