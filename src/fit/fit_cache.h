/* SPDX-License-Identifier: Apache-2.0 */
/* Y and p(S) Y, from learning to embedding the same dataset. */
#ifndef WGDN_FIT_FIT_CACHE_H
#define WGDN_FIT_FIT_CACHE_H

#include "column_blocks.h"

#include <stdatomic.h>

struct wgdn_kept {
    atomic_flag taken; /* by one embedding, whichever thread is first */
    uint64_t serial;   /* of the dataset */
    bool filled; /* a rank without rows has something here, too: all of them take it or none */
    wgdn_signal y;
    wgdn_columns filtered;
};

wgdn_kept *wgdn_kept_new(uint64_t serial);
/* Both are its own from now on. */
void wgdn_kept_put(wgdn_kept *k, wgdn_signal *y, wgdn_columns *filtered);
/* Both are the caller's from now on, if they are of the dataset of `in` and still there. */
bool wgdn_kept_take(wgdn_signal *y, wgdn_columns *filtered, wgdn_kept *k, const wgdn_fit_input *in);

#endif
