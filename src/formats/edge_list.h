/* SPDX-License-Identifier: Apache-2.0 */
/* Edge lists as text: source, target and perhaps a weight on every line; written as TSV. */
#ifndef WGDN_FORMATS_EDGE_LIST_H
#define WGDN_FORMATS_EDGE_LIST_H

#include "edge_list_layout.h"

extern const wgdn_format wgdn_edges_format;

/* Ids are numbered by value if all are integers, else by first appearance. Settles y->header. */
WGDN_MUST_CHECK wgdn_status wgdn_edge_list_read(wgdn_draft *w, const wgdn_input *in,
                                                wgdn_edge_layout *y, wgdn_error *err);
/* There are more than max nodes. */
WGDN_MUST_CHECK wgdn_status wgdn_edge_nodes_refuse(const char *name, int64_t max, wgdn_error *err);

/* Calls visit for every edge in the order of the rows. */
typedef wgdn_status wgdn_edge_visit(void *user, int32_t u, int32_t v, float weight,
                                    wgdn_error *err);
typedef wgdn_status wgdn_edge_walk(void *edges, wgdn_edge_visit *visit, void *user,
                                   wgdn_error *err);
/*
 * Words over words: row 1 is a header if it is the one row, among ten at least, whose two ids are
 * nowhere else. Where other rows are like it, edges apart from all others are common here.
 */
static inline bool wgdn_edge_header_possible(int64_t edges, int64_t zero_weights)
{
    enum { ENOUGH = 10 };
    return edges >= ENOUGH && zero_weights == 0;
}
WGDN_MUST_CHECK wgdn_status wgdn_edge_header_find(bool *is, wgdn_edge_walk *walk, void *edges,
                                                  int64_t nodes, wgdn_error *err);

#endif
