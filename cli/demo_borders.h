/* SPDX-License-Identifier: Apache-2.0 */
/* The files of 'wgdn demo', and of the demo in Python. */
#ifndef CLI_DEMO_BORDERS_H
#define CLI_DEMO_BORDERS_H

#include <stddef.h>

/* Each as text of so many bytes, to be freed; NULL: no memory. */
char *demo_borders(size_t *size);
char *demo_continents(size_t *size);

#endif
