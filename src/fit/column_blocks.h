/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Matrices of rows x k that are made and filtered by slabs of columns, and looked at by chunks of
 * rows. Where memory is short they lie in a scratch file: slab after slab, each of them rows x
 * width, so that both ways go through it in long stretches.
 */
#ifndef WGDN_FIT_COLUMN_BLOCKS_H
#define WGDN_FIT_COLUMN_BLOCKS_H

#include "fit.h"
#include "io/scratch.h"

typedef struct wgdn_columns {
    int64_t rows, k, width; /* of a slab; the last may have fewer */
    wgdn_storage store;
} wgdn_columns;

/* Slabs and scratch as the input says. */
WGDN_MUST_CHECK wgdn_status wgdn_columns_open(wgdn_columns *c, const wgdn_fit_input *in, int64_t k,
                                              wgdn_error *err);
void wgdn_columns_close(wgdn_columns *c);
int64_t wgdn_columns_left(const wgdn_columns *c,
                          int64_t at); /* columns of the slab that begins at */

/* The slab that begins at column `at`, rows x its columns. */
void wgdn_columns_put(wgdn_columns *c, int64_t at, const float *slab);
void wgdn_columns_get(float *slab, const wgdn_columns *c, int64_t at);
/* Where it lies, NULL if that is in a file. */
float *wgdn_columns_at(const wgdn_columns *c, int64_t at);
/* Rows [first, first + count), each k long. */
void wgdn_columns_get_rows(float *rows, const wgdn_columns *c, int64_t first, int64_t count);

/* ---- R X V: column_blocks.c ---- */

/* It is made once; without V it is R X, and stands for itself. */
typedef struct wgdn_signal {
    const wgdn_fit_input *in;
    int64_t k;
    wgdn_columns made; /* not opened without V */
    bool there;
} wgdn_signal;

WGDN_MUST_CHECK wgdn_status wgdn_signal_open(wgdn_signal *s, const float *v,
                                             const wgdn_fit_input *in, int64_t k, wgdn_error *err);
void wgdn_signal_close(wgdn_signal *s);
void wgdn_signal_rows(float *rows, const wgdn_signal *s, wgdn_span chunk);
void wgdn_signal_slab(float *slab, const wgdn_signal *s, int64_t at, int64_t width);
/*
 * Where memory is short and a signal lies in a file by rows, each slab would read all of it: then it
 * goes to `to` first, in one pass, and slabs are got from there. Whether it did. room: rows x width.
 */
bool wgdn_signal_spread(wgdn_columns *to, const wgdn_signal *s, float *room);

/* ---- its filter: filtered.c ---- */

/* to = p(S) of the signal, or p(S)^2; each slab of it is looked at before it is written: they may be one. */
WGDN_MUST_CHECK wgdn_status wgdn_signal_filter(wgdn_columns *to, const wgdn_signal *s,
                                               const wgdn_fitted_part *by, bool twice,
                                               wgdn_error *err);

#endif
