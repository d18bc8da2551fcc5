/* SPDX-License-Identifier: Apache-2.0 */
/* Random sparse matrices for measurements: exactly so many entries, uniform or power-law. */
#ifndef WGDN_BENCH_GRAPHS_H
#define WGDN_BENCH_GRAPHS_H

#include "graph/graph.h"

/*
 * n x n with the given number of entries and normal values. Power-law: endpoint v is chosen with
 * a chance falling as a power of its rank, which gives degrees from 1 to a few percent of n; ranks
 * are scattered over the rows. Rows are sorted; an entry may repeat, which costs what it costs.
 */
wgdn_csr bench_matrix(int64_t n, int64_t entries, bool power_law);
/* End 0 or 1 of entry k of such a matrix. */
int64_t bench_endpoint(int64_t k, int64_t side, int64_t n, bool power_law);

#endif
