/* SPDX-License-Identifier: Apache-2.0 */
/* Rows in double, and between float, double and bf16: a table per CPU level, as in rows.h. */
#ifndef WGDN_LINALG_WIDE_ROWS_H
#define WGDN_LINALG_WIDE_ROWS_H

#include "base/base.h"

typedef struct wgdn_wide_ops {
    /* sum += a x */
    void (*accumulate)(double *sum, float a, const float *x, int64_t d);
    /* y = x, y += x, in double */
    void (*widen)(double *y, const float *x, int64_t d);
    void (*add)(double *y, const double *x, int64_t d);
    /* y += a x; the product of x and y; x <- c x - s y and y <- s x + c y, in double */
    void (*axpy)(double *y, double a, const double *x, int64_t d);
    double (*dot)(const double *x, const double *y, int64_t d);
    void (*rotate)(double *x, double *y, double c, double s, int64_t d);
    /* y = a x + b y, which is not read where b is 0 */
    void (*narrow)(float *y, float a, const double *x, float b, int64_t d);
    /* y = x rounded to bf16: the upper half of a float, nearest, ties to even; NaN stays NaN */
    void (*halve)(uint16_t *y, const float *x, int64_t d);
    void (*coarsen)(float *y, const float *x, int64_t d); /* the same numbers as floats */
} wgdn_wide_ops;

extern const wgdn_wide_ops wgdn_wide_rows_plain, wgdn_wide_rows_base, wgdn_wide_rows_v3,
    wgdn_wide_rows_v4;

const wgdn_wide_ops *wgdn_wide_rows(void); /* the table of the CPU level in use */

#endif
