/* SPDX-License-Identifier: Apache-2.0 */
/* The files of 'wgdn demo', and of the demo in Python. */
#ifndef CLI_DEMO_BORDERS_H
#define CLI_DEMO_BORDERS_H

#include <stddef.h>

/* Each returns a text and its size; the caller frees it. NULL: out of memory. */
char *demo_borders(size_t *size);
char *demo_continents(size_t *size);

#endif
