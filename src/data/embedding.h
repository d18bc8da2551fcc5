/* SPDX-License-Identifier: Apache-2.0 */
/* Vectors as they were read, or as another stage made them, and whose ids they have. */
#ifndef WGDN_DATA_EMBEDDING_H
#define WGDN_DATA_EMBEDDING_H

#include "dataset.h"

struct wgdn_embedding {
    wgdn_features vectors; /* dense, or sparse; neither on ranks but the first */
    wgdn_csr transposed;   /* of sparse vectors, borrowed; or not there */
    /* Sparse vectors X may stand for P(L) X: the graph, and P as a Chebyshev series; borrowed. */
    const wgdn_graph *graph;
    const double *series;
    int order;
    bool named; /* ids has a name for every row */
    wgdn_ids ids;
    const wgdn_dataset *of; /* else the ids are those of its nodes; NULL: row i has the number i */
    bool of_graphs;         /* ... of its graphs instead */
    bool no_header;         /* write text without a row of column names */
    wgdn_numbers numbers;   /* what is written */
    int64_t zeros;          /* rows of zeros, where a model made them */
    char source[256];       /* where the vectors came from, for people */
    wgdn_archive archive;   /* what the vectors are borrowed from */
    void *keeper;           /* or this, which release takes back */
    void (*release)(void *keeper);
};

/* Room for dense vectors, to be filled by the caller: in a file there, or, with NULL, in memory. */
WGDN_MUST_CHECK wgdn_status wgdn_embedding_new(wgdn_embedding **out, int64_t rows, int64_t dim,
                                               const char *folder, wgdn_error *err);
/* The type, and floats as that: WGDN_ERANGE where it cannot hold one. */
static inline wgdn_dtype wgdn_numbers_type(wgdn_numbers n)
{
    return n == WGDN_NUMBERS_F16 ? WGDN_F16 : n == WGDN_NUMBERS_BF16 ? WGDN_BF16 : WGDN_F32;
}

WGDN_MUST_CHECK wgdn_status wgdn_numbers_make(void *out, const float *x, int64_t count,
                                              wgdn_numbers n, wgdn_error *err);
/* The same into a file. in: as of wgdn_archive_copy(). */
WGDN_MUST_CHECK wgdn_status wgdn_numbers_write(wgdn_output *o, const wgdn_archive *in,
                                               const float *x, int64_t count, wgdn_numbers n,
                                               wgdn_error *err);
/* A .npy of the vectors, where there are dense ones. */
WGDN_MUST_CHECK wgdn_status wgdn_embedding_write_npy(const wgdn_embedding *e, const char *path,
                                                     wgdn_numbers n, wgdn_error *err);

/* false: rows have their numbers */
static inline bool wgdn_embedding_has_ids(const wgdn_embedding *e)
{
    if (e->named || !e->of) return e->named;
    return e->of_graphs ? e->of->graphs_named || e->of->first_graph != 0
                        : wgdn_dataset_has_ids(e->of);
}

wgdn_text wgdn_embedding_name(const wgdn_embedding *e, int64_t row, char buffer[WGDN_INDEX_TEXT]);

#endif
