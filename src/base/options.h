/* SPDX-License-Identifier: Apache-2.0 */
/* The tables of options.c, and what is done with one: option_access.c. */
#ifndef WGDN_BASE_OPTIONS_H
#define WGDN_BASE_OPTIONS_H

#include "base.h"

typedef struct wgdn_option_set {
    const char *what;    /* for messages */
    const char *section; /* of an INI text, that is its alone; NULL: all that are nobody's */
    const wgdn_option_info *row;
    size_t count;
    size_t size; /* of the struct */
} wgdn_option_set;

/* Room for any of the structs. */
typedef union wgdn_option_room {
    size_t struct_size;
    wgdn_compute_options compute;
    wgdn_apply_options apply;
    wgdn_restore_options restore;
    wgdn_density_options density;
    wgdn_dataset_options dataset;
    wgdn_train_options train;
    wgdn_fit_options fit;
    wgdn_embed_options embed;
    wgdn_eval_options eval;
    wgdn_projection_options projection;
} wgdn_option_room;

/* Whether a field points to the caller's text instead of holding it. */
bool wgdn_option_borrows(const wgdn_option_info *r);
/* NULL: there is no such kind. */
const wgdn_option_set *wgdn_option_set_of(wgdn_options_kind kind);

/* Zero a struct of this size and set the defaults of those fields that it has. */
void wgdn_option_defaults(void *o, size_t size, const wgdn_option_set *set);
/* Defaults, then as many bytes of the caller's struct as both sides know; then the ranges. */
wgdn_status wgdn_option_read(void *out, const void *in, const wgdn_option_set *set,
                             wgdn_error *err);
/* One field, which the struct must have, from and to text; '-' and '_' are the same in a name. */
wgdn_status wgdn_option_set_text(void *o, const wgdn_option_set *set, const char *name,
                                 const char *value, wgdn_error *err);
wgdn_status wgdn_option_get_text(char *out, size_t size, const void *o, const wgdn_option_set *set,
                                 const char *name, wgdn_error *err);

#endif
