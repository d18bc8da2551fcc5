/* SPDX-License-Identifier: Apache-2.0 */
/* Edge lists: source, target and perhaps a weight on every line. */
#ifndef WGDN_EDGES_H
#define WGDN_EDGES_H

#include "io/ids.h"
#include "io/lines.h"

typedef enum wgdn_header { WGDN_HEADER_AUTO, WGDN_HEADER_NO, WGDN_HEADER_YES } wgdn_header;

/* As read: self loops and repeats are still there, ids are numbered by first appearance. */
typedef struct wgdn_edges {
    int32_t *end; /* source and target in turn */
    int64_t count, room;
    int64_t most;          /* edges allowed */
    int64_t zero_weights;  /* lines whose edge has weight 0 and is not there */
    int64_t other_weights; /* edges whose weight is neither 0 nor 1, and is not used yet */
    wgdn_watch watch;
} wgdn_edges;

WGDN_MUST_CHECK wgdn_status wgdn_edges_read(wgdn_edges *e, wgdn_ids *ids, const void *data,
                                            size_t size, const char *name, wgdn_header header,
                                            wgdn_error *err);
WGDN_MUST_CHECK wgdn_status wgdn_edges_add(wgdn_edges *e, int32_t source, int32_t target,
                                           const char *name, wgdn_error *err);
int64_t wgdn_edges_loops(const wgdn_edges *e); /* self loops among them */
void wgdn_edges_free(wgdn_edges *e);

#endif
