/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a layer does to one row besides products: a table per CPU level, as in rows.h. All levels
 * are one text, layer_rows_loops.h; plain reads it as it stands, the others let sums run in lanes.
 */
#ifndef WGDN_MODEL_LAYER_ROWS_H
#define WGDN_MODEL_LAYER_ROWS_H

#include "base/base.h"

/* What normalizes one row: scalars for LayerNorm, a number per column for BatchNorm. */
typedef struct wgdn_norm_row {
    const float *scale, *shift; /* per column */
    const float *mean, *inv;    /* one each, or per column */
} wgdn_norm_row;

typedef struct wgdn_layer_ops {
    /* y = x > 0 ? x : a x; y may be x */
    void (*prelu)(float *y, const float *x, float a, int64_t d);
    /* dx = f dy * (x > 0 ? 1 : a), dx may be dy or x; returns the sum of f dy x over x <= 0 */
    double (*prelu_back)(float *dx, float f, const float *dy, const float *x, float a, int64_t d);
    /* t = or += f * the largest prelu(o_q, a) */
    void (*most)(float *t, bool add, float f, const float *const *o, int channels, float a,
                 int64_t d);
    /* t = or += f * sum_q prelu(o_q, a) */
    void (*total)(float *t, bool add, float f, const float *const *o, int channels, float a,
                  int64_t d);
    /* o_q becomes its gradient from f dt, which the first of the largest
     * gets; returns the slope's */
    double (*most_back)(float *const *o, int channels, float f, const float *dt, float a,
                        int64_t d);
    /* y = scale (x - mean) inv + shift, one mean a row; y may be x */
    void (*normalize)(float *y, const float *x, const wgdn_norm_row *p, int64_t d);
    /* the same, one mean a column */
    void (*normalize_columns)(float *y, const float *x, const wgdn_norm_row *p, int64_t d);
    /* LayerNorm's dx from dy, which it may be; dshift and dscale are added to */
    void (*normalize_back)(float *dx, double *dshift, double *dscale, const float *dy,
                           const float *x, const wgdn_norm_row *p, int64_t d);
    /* sum_j += (x_j - mean_j)^2 */
    void (*spread_columns)(double *sum, const float *x, const double *mean, int64_t d);
    /* BatchNorm: dshift_j += dy_j, dscale_j += dy_j xhat_j */
    void (*normalize_sums)(double *dshift, double *dscale, const float *dy, const float *x,
                           const wgdn_norm_row *p, int64_t d);
    /* BatchNorm's dx from dy, which it may be, given the columns' means of dxhat and dxhat xhat */
    void (*normalize_back_columns)(float *dx, const double *mean_dy, const double *mean_dyx,
                                   const float *dy, const float *x, const wgdn_norm_row *p,
                                   int64_t d);
    /* r becomes w (r - x), w = balance where x is not 0, else 1; returns the sum of w (r - x)^2 */
    double (*loss)(float *r, const float *x, float balance, int64_t d);
    /* one step of Adam: see model/optimizer.c */
    void (*adam)(float *p, float *m, float *v, const float *g, double step, double root, int64_t d);
    /* sum_j u_j v_j, and sum_j u_j w_j into *second, in double */
    double (*dots)(double *second, const float *u, const float *v, const double *w, int64_t d);
    /* y = s (2 (x + v w) + y) */
    void (*blend)(float *y, const float *x, double v, const double *w, double s, int64_t d);
} wgdn_layer_ops;

extern const wgdn_layer_ops wgdn_layer_rows_plain, wgdn_layer_rows_base, wgdn_layer_rows_v3,
    wgdn_layer_rows_v4;

const wgdn_layer_ops *wgdn_layer_rows(void); /* the table of the CPU level in use */

#endif
