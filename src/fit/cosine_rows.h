/* SPDX-License-Identifier: Apache-2.0 */
/* One node's row of a slab of cosines: a table per CPU level. */
#ifndef WGDN_FIT_COSINE_ROWS_H
#define WGDN_FIT_COSINE_ROWS_H

#include "base/base.h"

enum { WGDN_GRAPH_SLAB = 64 }; /* cosines that are made at once */

/* Angle j, in turns: column[0] weight[j] + column[1] weight[SLAB + j] + x_j + factor s_j. */
typedef struct wgdn_angles {
    float column[2], factor;
    const float *weight; /* 2 x SLAB */
    const float *x, *s;  /* SLAB each, or NULL */
} wgdn_angles;

typedef struct wgdn_cosine_ops {
    /* t = angles */
    void (*angles)(float *t, const wgdn_angles *a);
    /* sum += cos(2 pi (angles + phase)) */
    void (*pool)(double *sum, const wgdn_angles *a, const float *phase);
} wgdn_cosine_ops;

extern const wgdn_cosine_ops wgdn_cosine_rows_plain, wgdn_cosine_rows_base, wgdn_cosine_rows_v3,
    wgdn_cosine_rows_v4;

#endif
