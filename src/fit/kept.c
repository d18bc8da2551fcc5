/* SPDX-License-Identifier: Apache-2.0 */
/* Y and p(S) Y of a dataset, from learning what is made of them to making it: once. */
#include "kept.h"

wgdn_kept *wgdn_kept_new(uint64_t serial)
{
    wgdn_kept *k = wgdn_alloc_zero(1, sizeof *k);
    if (!k) return NULL;
    atomic_flag_clear(&k->taken);
    k->serial = serial;
    return k;
}

void wgdn_kept_put(wgdn_kept *k, wgdn_signal *y, wgdn_columns *filtered)
{
    k->y = *y;
    k->filtered = *filtered;
    k->filled = true;
    *y = (wgdn_signal){.in = NULL};
    *filtered = (wgdn_columns){.rows = 0};
}

bool wgdn_kept_is_of(const wgdn_kept *k, uint64_t serial)
{
    return k && serial && k->serial == serial && k->filled;
}

bool wgdn_kept_take(wgdn_signal *y, wgdn_columns *filtered, wgdn_kept *k, const wgdn_fit_input *in)
{
    if (!wgdn_kept_is_of(k, in->serial) || atomic_flag_test_and_set(&k->taken)) return false;
    *y = k->y;
    y->in = in;
    *filtered = k->filtered;
    return true;
}

void wgdn_kept_free(wgdn_kept *k)
{
    if (!k) return;
    if (!atomic_flag_test_and_set(&k->taken)) {
        wgdn_columns_close(&k->filtered);
        wgdn_signal_close(&k->y);
    }
    wgdn_release(k);
}
