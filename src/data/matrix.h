/* SPDX-License-Identifier: Apache-2.0 */
/* The features of a dataset as products take them, and what addresses a node's random numbers. */
#ifndef WGDN_DATA_MATRIX_H
#define WGDN_DATA_MATRIX_H

#include "dataset.h"

/* X as it is, as a dense copy where it is sparse but full, or changed on the way. */
typedef struct wgdn_matrix {
    const float *dense;     /* rows x width, or NULL */
    const wgdn_csr *sparse; /* or NULL; it is csr */
    wgdn_csr csr;           /* borrowed, but for columns */
    int32_t *columns;       /* of csr, where one-hot degrees are clipped at another width */
    float *owned;           /* what dense points to, if it was made */
} wgdn_matrix;

/*
 * X with `width` columns: those the dataset has, or fewer or more where they are one-hot degrees.
 * binarize: x > 0. The caller frees it, also after a failure.
 */
WGDN_MUST_CHECK wgdn_status wgdn_matrix_open(wgdn_matrix *x, const wgdn_dataset *d, int64_t width,
                                             bool binarize, wgdn_error *err);
void wgdn_matrix_free(wgdn_matrix *x);
/* The dataset's compressed rows, lent; false where it has none. */
bool wgdn_matrix_lend(wgdn_csr *csr, const wgdn_dataset *d);
/* Whether X is multiplied as compressed rows. */
bool wgdn_matrix_is_sparse(const wgdn_dataset *d);

/*
 * A hash of each row's id: what a node's random numbers are addressed by, so that they do not
 * depend on where its row lies, and what a model knows it by. To be released. Ranks call together:
 * rank 0 alone has ids.
 */
WGDN_MUST_CHECK wgdn_status wgdn_dataset_keys(uint64_t **out, const wgdn_dataset *d,
                                              wgdn_error *err);

/* The row of a random number for a key; rows are below 2^48. */
static inline int64_t wgdn_key_row(uint64_t key)
{
    return (int64_t)(key >> 16);
}

#endif
