/* SPDX-License-Identifier: Apache-2.0 */
/* The option tables in options.c, for option_access.c. */
#ifndef WGDN_BASE_OPTIONS_H
#define WGDN_BASE_OPTIONS_H

#include "base.h"

typedef struct wgdn_option_set {
    const char *what; /* for messages */
    const char
        *section; /* of an INI text, for this set alone; NULL: all sections that no set owns */
    const wgdn_option_info *row;
    size_t count;
    size_t size; /* of the struct */
} wgdn_option_set;

/* NULL: there is no such kind. */
const wgdn_option_set *wgdn_option_set_of(wgdn_options_kind kind);

#endif
