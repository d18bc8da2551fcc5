/* SPDX-License-Identifier: Apache-2.0 */
/* Node features as the rest of the library wants them: dense, or compressed rows. */
#ifndef WGDN_DATA_FEATURES_H
#define WGDN_DATA_FEATURES_H

#include "graph/graph.h"
#include "io/archive.h"

typedef struct wgdn_features {
    int64_t rows, width; /* width 0: there are none */
    float *dense;        /* rows x width, or NULL */
    wgdn_csr sparse;     /* when dense is NULL; no zeros stored */
    int64_t entries;     /* values that are not 0 */
    bool borrowed;       /* the arrays belong to somebody else */
    const void *narrow;  /* what dense was made of, if that has two bytes a number; borrowed */
    wgdn_dtype narrow_type;
} wgdn_features;

void wgdn_features_free(wgdn_features *f);

/* Count what is not 0 and refuse what is not finite, naming row and column from 0. */
WGDN_MUST_CHECK wgdn_status wgdn_features_check(wgdn_features *f, const char *name,
                                                wgdn_error *err);
/* x > 0 becomes 1, all else 0. */
WGDN_MUST_CHECK wgdn_status wgdn_features_binarize(wgdn_features *f, wgdn_error *err);

/*
 * Compressed rows as they come (columns in any order, repeats to be added up, zeros) to how they
 * should be. Takes the arrays of *a, also on failure.
 */
WGDN_MUST_CHECK wgdn_status wgdn_features_from_csr(wgdn_features *f, wgdn_csr *a, const char *name,
                                                   wgdn_error *err);
/* Dense instead, if that takes less memory and time: a quarter of the entries or more. */
WGDN_MUST_CHECK wgdn_status wgdn_features_settle(wgdn_features *f, wgdn_error *err);

/* A matrix in an archive, of any number type; one that is float already is borrowed, not copied. */
WGDN_MUST_CHECK wgdn_status wgdn_features_from_tensor(wgdn_features *f, const wgdn_tensor *t,
                                                      wgdn_archive *in, const char *name,
                                                      wgdn_error *err);
/* A 1 in the column given for each of so many rows, below width. */
WGDN_MUST_CHECK wgdn_status wgdn_features_one_hot(wgdn_features *f, int64_t rows, int64_t width,
                                                  const int64_t *column, wgdn_error *err);
/* The columns of several, side by side; all have the same rows. */
WGDN_MUST_CHECK wgdn_status wgdn_features_join(wgdn_features *out, const wgdn_features *part,
                                               int64_t parts, wgdn_error *err);
/* Row r is row[r] of f, or r where row is NULL, in arrays of its own. */
WGDN_MUST_CHECK wgdn_status wgdn_features_arrange(wgdn_features *out, const wgdn_features *f,
                                                  const int32_t *row, wgdn_error *err);

#endif
