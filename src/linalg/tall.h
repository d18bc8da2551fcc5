/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tall matrices: rows x k, one row for each node or feature, in memory or in a scratch file. The
 * type owns the storage, its column blocks, its row chunks, and the release of pages. Algorithms
 * map columns (products with the graph), map rows, and sum over rows; they never loop over blocks.
 *
 * The result of an operation does not depend on where a matrix is stored, nor on the width of its
 * blocks: columns do not influence each other, and a chunk of rows is a whole subtree of the
 * summation tree.
 */
#ifndef WGDN_LINALG_TALL_H
#define WGDN_LINALG_TALL_H

#include "io/scratch.h"
#include "linalg.h"

/*
 * Chunks of rows. A chunk is a whole subtree of blocks and of leaves: sums over chunks, pushed as
 * the leaves of a tree, are the sum over all rows, bit by bit. Rows that ranks share are one chunk.
 */
int64_t wgdn_chunk_rows(wgdn_span rows); /* at most */

static inline int64_t wgdn_chunk_count(wgdn_span rows)
{
    const int64_t size = wgdn_chunk_rows(rows);
    return rows.dist || size < 1 ? 1 : (rows.count + size - 1) / size;
}

static inline wgdn_span wgdn_chunk(wgdn_span rows, int64_t i)
{
    const int64_t size = wgdn_chunk_rows(rows), first = i * size;
    if (rows.dist) return rows;
    return (wgdn_span){
        .first = first, .count = wgdn_min(size, rows.count - first), .total = rows.total};
}

/* The first row of a chunk among the rows here. */
static inline int64_t wgdn_chunk_first(wgdn_span chunk)
{
    return chunk.dist ? 0 : chunk.first;
}

/* Computes columns [at, at + width) of a chunk of rows. */
typedef void (*wgdn_tall_make)(float *to, wgdn_span chunk, int64_t at, int64_t width,
                               const void *of);

typedef struct wgdn_tall {
    wgdn_span rows;
    int64_t k;
    int64_t width;  /* columns of a block; the last block may have fewer */
    int64_t stride; /* floats between two rows; 0: blocks of rows x width, one after another */
    float *x;
    wgdn_storage store;  /* what x is in */
    bool borrowed;       /* the store belongs to someone else */
    wgdn_tall_make make; /* instead of x: numbers are computed whenever they are read */
    const void *of;
} wgdn_tall;

/* Buffers that operations allocate as they need them, and reuse; all zero at first. */
enum { WGDN_TALL_BUFFERS = 6 };
typedef struct wgdn_tall_work {
    void *at[WGDN_TALL_BUFFERS];
    size_t size[WGDN_TALL_BUFFERS];
} wgdn_tall_work;

static inline void wgdn_tall_work_free(wgdn_tall_work *w)
{
    for (int i = 0; i < WGDN_TALL_BUFFERS; i++)
        wgdn_release(w->at[i]);
    *w = (wgdn_tall_work){0};
}

/* Allocates rows x k, in a file in `folder` unless that is NULL. */
WGDN_MUST_CHECK static inline wgdn_status wgdn_tall_open(wgdn_tall *t, wgdn_span rows, int64_t k,
                                                         int64_t width, const char *folder,
                                                         wgdn_error *err)
{
    const size_t bytes = wgdn_size_product((size_t)rows.count, (size_t)k, sizeof(float));
    *t = (wgdn_tall){.rows = rows, .k = k, .width = wgdn_min(width, k)};
    if (width >= k) t->stride = k;
    const wgdn_status st = wgdn_storage_open(&t->store, bytes, folder, "columns of nodes", err);
    t->x = t->store.at;
    return st;
}

static inline void wgdn_tall_close(wgdn_tall *t)
{
    if (!t->borrowed) wgdn_storage_close(&t->store);
    *t = (wgdn_tall){.k = 0};
}

/* Rows of k floats at x, which stay the caller's. */
static inline wgdn_tall wgdn_tall_of(float *x, wgdn_span rows, int64_t k)
{
    return (wgdn_tall){.rows = rows, .k = k, .width = k, .stride = k, .x = x, .borrowed = true};
}

/* Copies the rows of a chunk, k floats each. */
void wgdn_tall_get_rows(float *rows, const wgdn_tall *t, wgdn_span chunk);
void wgdn_tall_put_rows(const wgdn_tall *t, wgdn_span chunk, const float *rows);
/* Returns the block of columns [at, at + width): where it is in memory, or a copy in `buffer`. */
float *wgdn_tall_get_columns(const wgdn_tall *t, int64_t at, int64_t width, float *buffer);

/*
 * Computes `to` from `from`, one column block at a time. x has a block of `from`, and the call
 * returns where the result is; x and y are rows x width. The matrices may be the same, and then x
 * may always be overwritten.
 */
typedef enum wgdn_columns_use {
    WGDN_COLUMNS_READ,     /* x is only read, the result is in y */
    WGDN_COLUMNS_EDIT,     /* x may be overwritten, the result is in x or in y */
    WGDN_COLUMNS_IN_PLACE, /* the result is in x; y is NULL */
} wgdn_columns_use;
typedef float *(*wgdn_columns_call)(float *x, float *y, int64_t at, int64_t width, void *self);
WGDN_MUST_CHECK wgdn_status wgdn_tall_map_columns(wgdn_tall *to, const wgdn_tall *from,
                                                  wgdn_columns_use use, wgdn_columns_call call,
                                                  void *self, wgdn_tall_work *w, wgdn_error *err);
/* Y = p(S) X; p has all but its width and its work. Y may be X. */
WGDN_MUST_CHECK wgdn_status wgdn_tall_filter(wgdn_tall *y, const wgdn_poly *p, const wgdn_tall *x,
                                             wgdn_tall_work *w, wgdn_error *err);

/*
 * Computes `to` from `from`, one chunk of rows at a time. The call may overwrite the rows of `from`,
 * which are a copy. Either may be NULL. If `to` is `from`, both pointers are the same, and rows are
 * `stride` floats apart, or k if that is 0.
 */
typedef wgdn_status (*wgdn_rows_call)(float *to, float *from, wgdn_span chunk, void *self,
                                      wgdn_error *err);
WGDN_MUST_CHECK wgdn_status wgdn_tall_map_rows(wgdn_tall *to, const wgdn_tall *from,
                                               wgdn_rows_call call, void *self, wgdn_tall_work *w,
                                               wgdn_error *err);

/* A sum over all rows; the call sets the sum of a chunk, and has `scratch` bytes to work in. */
typedef wgdn_status (*wgdn_sum_call)(double *sum, float *rows, wgdn_span chunk, void *scratch,
                                     void *self, wgdn_error *err);
typedef struct wgdn_tall_sums {
    const wgdn_tall *from; /* without x and make: the call fills the rows itself */
    bool edits;            /* the call overwrites the rows, so they have to be a copy */
    int64_t size;          /* numbers that are summed */
    size_t scratch;
    wgdn_sum_call call;
    void *self;
} wgdn_tall_sums;
/* *sum lies in w until that is used again. */
WGDN_MUST_CHECK wgdn_status wgdn_tall_sum(const double **sum, const wgdn_tall_sums *s,
                                          wgdn_tall_work *w, wgdn_error *err);

/* G = X^T W X, k x k; weight: of each row, or NULL. */
WGDN_MUST_CHECK wgdn_status wgdn_tall_gram(double *g, const wgdn_tall *x, const float *weight,
                                           wgdn_tall_work *w, wgdn_error *err);

/* ---- leading singular vectors ---- */

/*
 * Q <- Q R^-1 with orthonormal columns. A column that depends on others becomes 0.
 * small: wgdn_orthonormal_work(k) bytes.
 */
WGDN_MUST_CHECK wgdn_status wgdn_orthonormalize(wgdn_tall *q, void *small, wgdn_tall_work *w,
                                                wgdn_error *err);

static inline size_t wgdn_orthonormal_work(int64_t k)
{
    return wgdn_size_product((size_t)k, (size_t)k, 2 * sizeof(double) + sizeof(float));
}

/* A matrix A that is known by its products with V. */
typedef struct wgdn_operator {
    wgdn_span rows;
    /* Y = A V, rows x k in memory; only needed without `gram`. */
    wgdn_status (*times)(float *y, const wgdn_tall *v, void *self, wgdn_error *err);
    /* G = (A V)^T A V, k x k, if A V is not to be stored in memory; or NULL. */
    wgdn_status (*gram)(double *g, const wgdn_tall *v, void *self, wgdn_error *err);
    /* NULL, or (A V)^T T A V with weights T of the rows, which orders columns of equal value. */
    wgdn_status (*tied)(double *g, const wgdn_tall *v, void *self, wgdn_error *err);
    /* V <- A^T A V, or what has the same singular vectors in the same order. */
    wgdn_status (*normal)(wgdn_tall *v, void *self, wgdn_error *err);
    void *self;
} wgdn_operator;

/* The columns of A V become orthogonal, longest first, those of V have length 1. */
typedef struct wgdn_subspace {
    wgdn_tall *v;         /* the sketch at first; its columns include the spare ones */
    double *value;        /* of each column: the length of A v */
    wgdn_tall_work *work; /* shared with the operator, or NULL */
} wgdn_subspace;

/*
 * Applies A^T A `rounds` times to the sketch in V, then rotates V to the eigenvectors of
 * (A V)^T A V (Rayleigh-Ritz). The cubes of a column of V have a sum >= 0.
 */
WGDN_MUST_CHECK wgdn_status wgdn_subspace_find(wgdn_subspace *s, const wgdn_operator *a, int rounds,
                                               wgdn_error *err);

#endif
