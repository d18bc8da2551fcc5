/* SPDX-License-Identifier: Apache-2.0 */
/* The inner loops, one row at a time: a table per CPU level. One thread; order of sums fixed. */
#ifndef WGDN_LINALG_ROWS_H
#define WGDN_LINALG_ROWS_H

#include "base/base.h"

#include <string.h>

/* Entries of one sparse row: w_k = value[k] scale[column[k]], 1 for what is not there. */
typedef struct wgdn_row {
    const int32_t *column;
    const float *value; /* or NULL */
    const float *scale; /* or NULL */
    int64_t count;
    int64_t ahead;     /* entries readable from column on, >= count: what prefetch may look at */
    const float *halo; /* or NULL; else columns from `own` on are its rows 0, 1, ... */
    int64_t own;
} wgdn_row;

/* A number of bf16 as a float. */
static inline float wgdn_half_value(uint16_t x)
{
    const uint32_t bits = (uint32_t)x << 16;
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* Where the row of x that column c names lies; x at column j of its rows, halo likewise. */
static inline const float *wgdn_row_at(const wgdn_row *r, const float *x, const float *halo,
                                       int64_t c, int64_t d)
{
    return halo && c >= r->own ? halo + (c - r->own) * d : x + c * d;
}

typedef struct wgdn_row_ops {
    /* y = sum_k w_k x[column k], in the order of k */
    void (*gather)(float *y, const wgdn_row *r, const float *x, int64_t d);
    /* the same from bf16, the upper halves of floats, all of them here; sums in fp32 */
    void (*gather_half)(float *y, const wgdn_row *r, const uint16_t *x, int64_t d);
    /* as gather, and y2 with scale2 instead of scale, in the same pass */
    void (*gather2)(float *y, float *y2, const wgdn_row *r, const float *scale2, const float *x,
                    int64_t d);
    /* y = a x + b t; y may be t or x */
    void (*combine)(float *y, float a, const float *x, float b, const float *t, int64_t d);
    /* y = a x; y may be x */
    void (*scale)(float *y, float a, const float *x, int64_t d);
    /* y = y + a x */
    void (*axpy)(float *y, float a, const float *x, int64_t d);
    /* sum_j u_j v_j */
    float (*dot)(const float *u, const float *v, int64_t d);
    /* sum_j (x_j - a t_j)^2 */
    double (*residual)(const float *x, float a, const float *t, int64_t d);
    /* sum_j x_j, and sum_j x_j^2 into *squares */
    double (*moments)(double *squares, const float *x, int64_t d);
    /* sum_j (x_j - mean)^2 */
    double (*spread)(const float *x, double mean, int64_t d);
    /* sum_j += x_j, and sum_j += x_j^2 */
    void (*accumulate)(double *sum, const float *x, int64_t d);
    void (*accumulate_squares)(double *sum, const float *x, int64_t d);
} wgdn_row_ops;

extern const wgdn_row_ops wgdn_rows_plain, wgdn_rows_base, wgdn_rows_v3, wgdn_rows_v4;

const wgdn_row_ops *wgdn_rows(void); /* the table of the CPU level in use */

#endif
