/* SPDX-License-Identifier: Apache-2.0 */
/* Between order.c and the libraries that cut graphs. */
#ifndef WGDN_GRAPH_ORDER_H
#define WGDN_GRAPH_ORDER_H

#include "graph.h"

/*
 * piece[i] in 0 .. pieces - 1 for every node: about equal pieces, few edges between them, numbered
 * by halving, so that those with close numbers are near. The same for the same graph, every time.
 * WGDN_ENOSUPPORT where the library is not built in.
 */
WGDN_MUST_CHECK wgdn_status wgdn_cut_metis(int32_t *piece, int64_t pieces, const wgdn_csr *a,
                                           wgdn_error *err);
WGDN_MUST_CHECK wgdn_status wgdn_cut_scotch(int32_t *piece, int64_t pieces, const wgdn_csr *a,
                                            wgdn_error *err);

#endif
