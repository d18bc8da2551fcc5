/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Counts the operations, bytes and messages of a computation by walking its own code. While a tally is
 * open in a thread, products, loops over rows and sums in linalg count themselves and touch no matrix;
 * sums become 1. model/step.c converts the counts to the cost of a step.
 */
#ifndef WGDN_BASE_TALLY_H
#define WGDN_BASE_TALLY_H

#include "base.h"

typedef enum wgdn_tally_kind {
    WGDN_TALLY_DENSE,        /* n x k by k x m, a row at a time */
    WGDN_TALLY_DENSE_SUM,    /* A^T B, k x m, a sum over n rows */
    WGDN_TALLY_LAPLACIAN,    /* L times n x m */
    WGDN_TALLY_FEATURES,     /* X in compressed rows times m columns, or SDDMM of such rows */
    WGDN_TALLY_FEATURES_SUM, /* X^T, a sum over n rows, times m columns */
    WGDN_TALLY_KINDS
} wgdn_tally_kind;

typedef struct wgdn_tally_product {
    wgdn_tally_kind kind;
    int64_t n, k, m; /* k is 0 for sparse products */
} wgdn_tally_product;

typedef struct wgdn_tally {
    int64_t columns[WGDN_TALLY_KINDS]; /* m of all products */
    double dense;                      /* floating-point operations of dense products: 2 n k m */
    int64_t exchanged;                 /* columns of all matrices whose rows ranks exchange */
    int64_t sums;                      /* numbers that are summed over the nodes, block by block */
    int64_t leaf_sums;                 /* and leaf by leaf: dense products A^T B */
    int64_t sent;                      /* bytes that the rank sends for these */
    int64_t broadcast;                 /* numbers of the first node that all ranks need to know */
    void (*each)(const wgdn_tally_product *p, void *user); /* or NULL: told of every product */
    void *user;
} wgdn_tally;

/* The open tally of this thread, whose counts continue from what they are; NULL: none is open. */
extern _Thread_local wgdn_tally *wgdn_tally_open; /* status.c */

/* For those who count: false when no tally is open and there is work to do. */
static inline bool wgdn_tally_add(wgdn_tally_kind kind, int64_t n, int64_t k, int64_t m)
{
    const wgdn_tally_product p = {kind, n, k, m};
    wgdn_tally *t = wgdn_tally_open;
    if (!t) return false;
    t->columns[kind] += m;
    t->dense += 2.0 * (double)n * (double)k * (double)m;
    if (kind == WGDN_TALLY_LAPLACIAN) t->exchanged += m;
    if (t->each) t->each(&p, t->user);
    return true;
}

/* A loop over rows without sums. */
static inline bool wgdn_tally_rows(void)
{
    return wgdn_tally_open != NULL;
}

/* Sums of A^T B. */
static inline bool wgdn_tally_leaves(int64_t count, bool joined)
{
    if (wgdn_tally_open && joined) wgdn_tally_open->leaf_sums += count;
    return wgdn_tally_open != NULL;
}

/* Rows that ranks need of each other. */
static inline bool wgdn_tally_exchange(int64_t columns)
{
    if (wgdn_tally_open) wgdn_tally_open->exchanged += columns;
    return wgdn_tally_open != NULL;
}

static inline void wgdn_tally_sent(int64_t bytes)
{
    if (wgdn_tally_open) wgdn_tally_open->sent += bytes;
}

static inline void wgdn_tally_broadcast(int64_t count, bool joined)
{
    if (wgdn_tally_open && joined) wgdn_tally_open->broadcast += count;
}

/* `count` sums over rows, which become 1 in out unless NULL; `joined`: over the rows of all ranks. */
static inline bool wgdn_tally_sums(double *out, int64_t count, bool joined)
{
    if (!wgdn_tally_open) return false;
    if (joined) wgdn_tally_open->sums += count;
    for (int64_t i = 0; out && i < count; i++)
        out[i] = 1;
    return true;
}

#endif
