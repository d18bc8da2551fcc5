/* SPDX-License-Identifier: Apache-2.0 */
/* The data of 'wgdn demo'. */
#ifndef WGDN_CLI_DEMO_H
#define WGDN_CLI_DEMO_H

#include <stddef.h>

typedef struct country {
    const char *name, *continent, *neighbours; /* separated by commas */
} country;

extern const country countries[]; /* NULL after the last */

#endif
