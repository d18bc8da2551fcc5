/* SPDX-License-Identifier: Apache-2.0 */
#include "train.h"

wgdn_status wgdn_optimiser_new(wgdn_optimiser *o, const wgdn_optimiser_form *form, int64_t size,
                               wgdn_error *err)
{
    bool all = true;
    *o = (wgdn_optimiser){.form = form, .size = size};
    for (int k = 0; k < form->states; k++) {
        o->state[k] = wgdn_alloc_zero((size_t)size, sizeof *o->state[k]);
        all = all && o->state[k];
    }
    if (all) return WGDN_OK;
    wgdn_optimiser_free(o);
    return wgdn_fail(err, WGDN_ENOMEM, "%s: %d x %lld numbers", form->name, form->states,
                     (long long)size);
}

void wgdn_optimiser_free(wgdn_optimiser *o)
{
    for (int k = WGDN_STATES_MAX - 1; k >= 0; k--)
        wgdn_release(o->state[k]);
    *o = (wgdn_optimiser){0};
}
