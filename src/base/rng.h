/* SPDX-License-Identifier: Apache-2.0 */
/* Between rng.c and its variants. */
#ifndef WGDN_BASE_RNG_H
#define WGDN_BASE_RNG_H

#include "base.h"

enum {
    WGDN_RNG_LANES = 16,                  /* groups made at once */
    WGDN_RNG_STRIPE = 4 * WGDN_RNG_LANES, /* columns that they fill */
};

typedef struct wgdn_rng_ops {
    void (*normal_row)(float *z, wgdn_stream s, int64_t row, int64_t col0, int64_t cols);
    void (*uniform_row)(float *u, wgdn_stream s, int64_t row, int64_t col0, int64_t cols);
} wgdn_rng_ops;

extern const wgdn_rng_ops wgdn_rng_base, wgdn_rng_v3, wgdn_rng_v4;

#endif
