/* SPDX-License-Identifier: Apache-2.0 */
/* One row of the Chebyshev recurrence, for those who fuse something to it. */
#ifndef WGDN_LINALG_POLY_H
#define WGDN_LINALG_POLY_H

#include "laplacian.h"
#include "linalg.h"

/* Floats of a row of scratch, on cache lines of its own; one per thread stands first in work. */
int64_t wgdn_poly_scratch(int64_t d);

/*
 * Row i of T_(k+1) X from T_k X and row i of T_(k-1) X (NULL: k = 0). next may be scratch, or lie
 * on prev: the neighbours are gathered aside first.
 */
void wgdn_chebyshev_row(float *next, float *scratch, const float *cur, const float *prev,
                        const wgdn_graph *g, int64_t i, int64_t d, const wgdn_row_ops *ops);

#endif
