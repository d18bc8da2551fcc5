/* SPDX-License-Identifier: Apache-2.0 */
/* Edge lists: source, target and perhaps a weight on every line. */
#ifndef WGDN_EDGES_H
#define WGDN_EDGES_H

#include "codec/lines.h"
#include "graph/graph.h"
#include "ids.h"

typedef enum wgdn_header { WGDN_HEADER_AUTO, WGDN_HEADER_NO, WGDN_HEADER_YES } wgdn_header;

/* As read: self loops and repeats are still there. */
typedef struct wgdn_edges {
    int32_t *end; /* source and target in turn */
    int64_t count, room;
    int64_t most;          /* edges allowed */
    int64_t loops;         /* self loops among them, once there is a graph */
    int64_t zero_weights;  /* lines whose edge has weight 0 and is not there */
    int64_t other_weights; /* edges whose weight is neither 0 nor 1, and is not used yet */
    wgdn_watch watch;
} wgdn_edges;

/* Ids are numbered by value if all are integers, else by first appearance. 0 threads: OpenMP's. */
WGDN_MUST_CHECK wgdn_status wgdn_edges_read(wgdn_edges *e, wgdn_ids *ids, const void *data,
                                            size_t size, const char *name, wgdn_header header,
                                            int threads, wgdn_error *err);
/* The same for lines of two integers and nothing else; *done = false and no edges if it is not. */
WGDN_MUST_CHECK wgdn_status wgdn_edges_read_integers(wgdn_edges *e, wgdn_ids *ids, wgdn_text text,
                                                     char separator, int threads, bool *done,
                                                     const char *name, wgdn_error *err);
/*
 * The graph of n nodes with these edges, repeats and self loops dropped and the latter counted. May
 * take the block of the ends for its rows: they are gone then, also on failure.
 */
WGDN_MUST_CHECK wgdn_status wgdn_edges_graph(wgdn_graph **out, int64_t n, wgdn_edges *e,
                                             int threads, wgdn_error *err);
WGDN_MUST_CHECK wgdn_status wgdn_edges_add(wgdn_edges *e, int32_t source, int32_t target,
                                           const char *name, wgdn_error *err);
/* A weight: counted if it is neither 0 nor 1; *absent when it is 0. */
WGDN_MUST_CHECK wgdn_status wgdn_edges_weight(wgdn_edges *e, const wgdn_lines *l, int64_t field,
                                              bool *absent, wgdn_error *err);
void wgdn_edges_free(wgdn_edges *e);

#endif
