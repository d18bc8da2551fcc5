/* SPDX-License-Identifier: Apache-2.0 */
/* Edge lists as text: source, target and perhaps a weight on every line; written as TSV. */
#ifndef WGDN_EDGE_LIST_H
#define WGDN_EDGE_LIST_H

#include "formats.h"

extern const wgdn_format wgdn_edges_format;

/* Ids are numbered by value if all are integers, else by first appearance. 0 threads: OpenMP's. */
WGDN_MUST_CHECK wgdn_status wgdn_edge_list_read(wgdn_edges *e, wgdn_ids *ids, const wgdn_input *in,
                                                int threads, wgdn_error *err);
/* What is left of l, if it is lines of two integers and nothing else; *done = false and no edges
 * if it is not. */
WGDN_MUST_CHECK wgdn_status wgdn_edge_list_integers(wgdn_edges *e, wgdn_ids *ids,
                                                    const wgdn_lines *l, int threads, bool *done,
                                                    wgdn_error *err);
/* The weight in a field. */
WGDN_MUST_CHECK wgdn_status wgdn_edge_weight(double *weight, const wgdn_lines *l, int64_t field,
                                             wgdn_error *err);

/* Whether an edge list is headed by a column of graphs; then, how it is read. */
WGDN_MUST_CHECK wgdn_status wgdn_graph_edges_look(bool *are, const wgdn_input *in, wgdn_error *err);
WGDN_MUST_CHECK wgdn_status wgdn_graph_edges_read(wgdn_draft *w, const wgdn_input *in,
                                                  wgdn_error *err);

#endif
