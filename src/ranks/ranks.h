/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Ranks: processes that share the rows of one graph and of every matrix over its nodes. Each owns a
 * run of rows, whole leaves of the tree that sums over rows are made in, and knows the rows of
 * others that its own neighbor on: its halo. What crosses from one to another goes through one
 * table of calls of MPI, which is called nowhere else. A process alone has none.
 */
#ifndef WGDN_RANKS_RANKS_H
#define WGDN_RANKS_RANKS_H

#include "graph/graph.h"

#include <string.h>

/* ---- blocks: blocks.c ---- */

int64_t wgdn_block_rows(int64_t n); /* rows of a block of a matrix with n rows */
/* blocks it has */
static inline int64_t wgdn_block_count(int64_t n)
{
    const int64_t rows = wgdn_block_rows(n);
    return (n + rows - 1) / rows;
}

/* The number of rows up to n that has the most blocks: work for it serves all of them. */
int64_t wgdn_max_blocks(int64_t n);
/* Rows of a leaf of A^T B, 2^k blocks; what a rank owns is whole leaves. */
int64_t wgdn_leaf_rows(int64_t n);

/* ---- who owns what: blocks.c ---- */

/* How the rows of a graph are shared. */
typedef struct wgdn_dist {
    wgdn_ranks *ranks;
    int64_t total;
    int64_t *start; /* ranks + 1: the first row of each; some may have none, the first has some */
} wgdn_dist;

/*
 * The rows of a matrix that are here: count of them, from `first` on, of `total`. dist is NULL
 * where these are all there are.
 */
typedef struct wgdn_span {
    int64_t count, first, total;
    const wgdn_dist *dist;
} wgdn_span;

static inline wgdn_span wgdn_alone(int64_t n)
{
    return (wgdn_span){.count = n, .total = n};
}

/*
 * Shares that are even by rows and entries, given the offsets of all rows; looked at in a few
 * places only. The same on every rank. A boundary is moved a little where that makes it a multiple
 * of a higher power of two: sums then travel in fewer pieces.
 */
WGDN_MUST_CHECK wgdn_status wgdn_dist_open(wgdn_dist *d, wgdn_ranks *ranks, const int64_t *offset,
                                           int64_t total, wgdn_error *err);
static inline void wgdn_dist_close(wgdn_dist *d)
{
    wgdn_release(d->start);
    *d = (wgdn_dist){0};
}

/* ---- rows of others: blocks.c ---- */

/*
 * A graph's rows here have their columns renumbered: 0 .. rows - 1 are rows here, rows + k is row k
 * of the halo. The order of a row's entries stays that of the whole graph. One buffer holds the
 * halo of whatever matrix is being gathered from.
 */
struct wgdn_halo {
    const wgdn_dist *dist;
    int64_t count;          /* rows of others */
    int64_t *row;           /* their numbers, ascending */
    int64_t *from;          /* ranks + 1: where those of each rank begin */
    int64_t sends;          /* rows here that others need, once for each who does */
    int32_t *send;          /* their local numbers, rank by rank */
    int64_t *to;            /* ranks + 1: where those for each rank begin */
    int64_t boundaries;     /* rows here that have neighbors elsewhere */
    int32_t *boundary;      /* which */
    bool *outward;          /* of each row here, whether it is one of them */
    int64_t width;          /* columns that the buffers have room for */
    float *buffer, *packed; /* count x width, sends x width */
    void *body;             /* of the calls */
};

/*
 * Renumber the columns of this rank's rows, which are rows of the whole so far, and find out who
 * needs what. All ranks together. adjacency.cols becomes rows + halo.
 */
WGDN_MUST_CHECK wgdn_status wgdn_halo_open(wgdn_halo **out, wgdn_csr *a, const wgdn_dist *d,
                                           wgdn_error *err);

void wgdn_halo_close(wgdn_halo *h);
/* Room for matrices of this width; what others need of the halo is then known. */
WGDN_MUST_CHECK wgdn_status wgdn_halo_reserve(wgdn_halo *h, int64_t width, wgdn_error *err);
/* A number a row: what stands behind those of the rows here comes from their owners. There must be
 * room for width 1. */
void wgdn_halo_fill(wgdn_halo *h, float *x, int64_t rows);
/* The weights of the halo's nodes, from their owners; there must be room for width 1. */
void wgdn_graph_weigh_halo(wgdn_graph *g);
/* The row of the whole that column j stands for; `first` is the one that is row 0 here. */
static inline int64_t wgdn_column_row(const wgdn_graph *g, int64_t first, int64_t j)
{
    const int64_t here = g->adjacency.rows;
    return j < here ? first + j : g->halo->row[j - here];
}

/* ---- a rank's portion of a graph, as far as sizes go: blocks.c ---- */

typedef struct wgdn_portion {
    wgdn_span rows;
    int64_t edges;             /* of its rows, each in both directions */
    int64_t halo, sends;       /* rows of others; rows here, once for each who needs them */
    int64_t boundaries, peers; /* rows with neighbors elsewhere; ranks that these belong to */
} wgdn_portion;

/* Of the rank that d->ranks says it is, from the whole graph. None of them has to be there. */
WGDN_MUST_CHECK wgdn_status wgdn_portion_count(wgdn_portion *out, const wgdn_csr *whole,
                                               const wgdn_dist *d, wgdn_error *err);

/* ---- the calls: mpi.c ---- */

/*
 * Data that does not arrive ends the program: there is nobody left to report to. Messages are cut
 * to `limit` bytes.
 */
typedef struct wgdn_ranks_calls {
    /* Bytes of all ranks to rank 0, in the order of the ranks; of[r] from rank r. */
    void (*gather)(wgdn_ranks *r, const void *mine, size_t bytes, void *all, const size_t *of);
    void (*broadcast)(wgdn_ranks *r, void *data, size_t bytes); /* from rank 0 */
    /* To every rank its part of out and from everyone a part of in, each in the ranks' order. */
    void (*swap)(wgdn_ranks *r, const void *out, const size_t *out_bytes, void *in,
                 const size_t *in_bytes);
    int64_t (*sum)(wgdn_ranks *r, int64_t value);
    int64_t (*max)(wgdn_ranks *r, int64_t value);
    void (*begin)(wgdn_halo *h, int64_t width); /* packed of here to the buffers of others */
    void (*finish)(wgdn_halo *h, int64_t width);
    void (*forget)(wgdn_halo *h);         /* what begin keeps */
    void (*end)(wgdn_ranks *r, int code); /* of all ranks, at once */
    void (*close)(wgdn_ranks *r);
} wgdn_ranks_calls;

enum { WGDN_JOIN_DOUBLES = 1 << 20 }; /* what sums on their way take at most, per rank */

struct wgdn_ranks {
    int rank, count;
    const wgdn_ranks_calls *call; /* NULL: one process */
    size_t limit;                 /* bytes of a message, at most */
    double timeout;               /* seconds to wait for others; 0: without end */
    double *join;                 /* WGDN_JOIN_DOUBLES */
    bool failed;                  /* they have agreed on that */
    const char *reason;           /* why this rank fails, while it tells the others; else NULL */
    struct {
        char what[16]; /* "" but in tests: ranks.c */
        int64_t at;
    } fault;
    int64_t calls;     /* of MPI, so far */
    void *body;        /* of the calls */
    int64_t halo_sent; /* bytes, so far */
    int64_t sums_sent;
};

/* Joins the ranks that were started together; false where this build or this run has no others. */
bool wgdn_mpi_join(wgdn_ranks *r);

/* this rank's */
static inline wgdn_span wgdn_dist_span(const wgdn_dist *d)
{
    const int64_t first = d->start[d->ranks->rank];
    return (wgdn_span){.count = d->start[d->ranks->rank + 1] - first,
                       .first = first,
                       .total = d->total,
                       .dist = d};
}

static inline wgdn_span wgdn_graph_span(const wgdn_graph *g)
{
    return g->halo ? wgdn_dist_span(g->halo->dist) : wgdn_alone(g->adjacency.rows);
}

/* Send the rows in packed, of width d, to who needs them; buffer is complete after finish. */
static inline void wgdn_halo_begin(wgdn_halo *h, int64_t d)
{
    h->dist->ranks->halo_sent += h->sends * d * (int64_t)sizeof *h->packed;
    h->dist->ranks->call->begin(h, d);
}

static inline void wgdn_halo_finish(wgdn_halo *h, int64_t d)
{
    h->dist->ranks->call->finish(h, d);
}

/* ---- agreement: ranks.c ---- */

/*
 * Before ranks talk about data: the status of the first that failed, and its message, on all, with
 * the rank named unless all failed alike. They are of no use after that, and there is nothing to
 * agree on any more. r may be NULL. Who fails while the others are elsewhere waits a few seconds
 * for them and then ends all with its message.
 */
wgdn_status wgdn_ranks_settle(wgdn_ranks *r, wgdn_status st, wgdn_error *err);
/* The same; where all are well, *number becomes the largest of theirs, which are 0 .. 2^61. */
wgdn_status wgdn_ranks_meet(wgdn_ranks *r, wgdn_status st, int64_t *number, wgdn_error *err);

/* What has to be the same on all ranks, a line each: "name = value". */
typedef struct wgdn_facts {
    char text[6144];
    size_t used;
    wgdn_status status; /* of a difference; 0: WGDN_EINVAL */
} wgdn_facts;

__attribute__((format(printf, 3, 4))) void wgdn_facts_add(wgdn_facts *f, const char *name,
                                                          const char *format, ...);
/* The digest of bytes that have to be the same. */
void wgdn_facts_digest(wgdn_facts *f, const char *name, const void *data, size_t size);
/* All options of a kind but the number of threads; of a dataset, those that are no text. */
void wgdn_facts_options(wgdn_facts *f, wgdn_options_kind kind, const void *o);
/* Settle, and compare; an error names a rank, what differs there, and what it is on rank 0. */
wgdn_status wgdn_ranks_compare(wgdn_ranks *r, wgdn_status st, const wgdn_facts *f, wgdn_error *err);

/* ---- faults made on purpose, for tests: ranks.c ---- */

/* Whether the fault of this name is due, at this number. */
static inline bool wgdn_fault_is(const wgdn_ranks *r, const char *what, int64_t number)
{
    return r && r->fault.what[0] && number == r->fault.at && strcmp(r->fault.what, what) == 0;
}

static inline wgdn_status wgdn_ranks_agree(wgdn_ranks *r, wgdn_status st, wgdn_error *err)
{
    const wgdn_status all = wgdn_ranks_settle(r, st, err);
    return all ? all : st; /* who fails here fails in any case, which analyzers see only here */
}
static inline wgdn_status wgdn_span_agree(wgdn_span s, wgdn_status st, wgdn_error *err)
{
    return s.dist ? wgdn_ranks_agree(s.dist->ranks, st, err) : st;
}
/* End all ranks with a message that names this one. Does not come back. */
__attribute__((noreturn)) void wgdn_ranks_end(wgdn_ranks *r, const char *why);

#endif
