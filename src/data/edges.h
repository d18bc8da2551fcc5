/* SPDX-License-Identifier: Apache-2.0 */
/* Edges as pairs of node numbers, on their way to a graph. */
#ifndef WGDN_DATA_EDGES_H
#define WGDN_DATA_EDGES_H

#include "graph/graph.h"
#include "io/text.h"

/* Rows of a list that are no edges, and the first line of each sort. */
typedef struct wgdn_dropped_rows {
    int64_t ends, first_end;       /* source or target is missing */
    int64_t weights, first_weight; /* the weight is */
    int64_t headers, first_header; /* row 1 again */
} wgdn_dropped_rows;

/* As read: self loops and repeats are still there. */
typedef struct wgdn_edges {
    int32_t *end;  /* source and target in turn */
    float *weight; /* of each edge; NULL while all are 1 */
    int32_t *type; /* of each edge, among the draft's types; or NULL */
    bool mutual;   /* the format says that edges have no direction */
    int64_t count, room, weight_room, type_room;
    int64_t max;           /* edges allowed */
    int64_t loops;         /* self loops among them, once there is a graph */
    int64_t zero_weights;  /* edges of weight 0, which are not there */
    int64_t other_weights; /* edges whose weight is neither 0 nor 1, but counts as 1 */
    wgdn_weights weights;  /* what is made of them */
    int64_t line;          /* of the edge that is being added, for messages; 0: not known */
    bool summed;           /* weights were added up, once there is a graph */
    bool counted; /* weights were given, even if all are 1: those of repeated edges add up */
    wgdn_dropped_rows dropped;
} wgdn_edges;

/* Weights are 0 or in this range, so that no sum of them leaves that of a float. */
static const double wgdn_weight_min = 1e-30, wgdn_weight_max = 1e20;

/*
 * The graph of n nodes with these edges, self loops dropped and counted. Repeats are merged, or
 * summed where edges have weights. May take the block of the ends for its rows: they are gone then,
 * also on failure.
 */
WGDN_MUST_CHECK wgdn_status wgdn_edges_graph(wgdn_graph **out, int64_t n, wgdn_edges *e,
                                             int threads, wgdn_error *err);
/* Turns sums into weights as the option says, in place; returns whether one is not 1. */
bool wgdn_weights_settle(float *value, int64_t entries, wgdn_weights how);
/* Checks that all weights can be used; the message names the first that cannot. */
WGDN_MUST_CHECK wgdn_status wgdn_weights_check(const float *value, int64_t entries,
                                               const char *name, wgdn_error *err);
/* Adds an edge unless its weight is 0. name is that of the file, for messages. */
WGDN_MUST_CHECK wgdn_status wgdn_edges_add(wgdn_edges *e, int32_t source, int32_t target,
                                           double weight, const char *name, wgdn_error *err);
/* Sets the type of the edge that was added last; either all edges have one or none. */
WGDN_MUST_CHECK static inline wgdn_status wgdn_edges_mark(wgdn_edges *e, int32_t type,
                                                          const char *name, wgdn_error *err)
{
    if (!wgdn_grow(&e->type, &e->type_room, e->count, sizeof *e->type))
        return wgdn_fail_in(err, WGDN_ENOMEM, name, "types of %lld edges", (long long)e->count);
    e->type[e->count - 1] = type;
    return WGDN_OK;
}

/* Makes room for more edges. */
WGDN_MUST_CHECK wgdn_status wgdn_edges_reserve(wgdn_edges *e, int64_t more, const char *name,
                                               wgdn_error *err);
/* Without edges and counts again; the memory of the ends stays. */
static inline void wgdn_edges_clear(wgdn_edges *e)
{
    wgdn_release(e->weight);
    e->weight = NULL;
    e->weight_room = e->count = e->zero_weights = e->other_weights = 0;
    e->dropped = (wgdn_dropped_rows){0};
}

static inline void wgdn_edges_free(wgdn_edges *e)
{
    wgdn_release(e->type);
    wgdn_release(e->weight);
    wgdn_release(e->end);
    *e = (wgdn_edges){0};
}

#endif
