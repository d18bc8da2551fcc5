/* SPDX-License-Identifier: Apache-2.0 */
/* Files under way to a name: beside it, locked while somebody writes them. */
#ifndef WGDN_IO_OUTPUT_FILE_H
#define WGDN_IO_OUTPUT_FILE_H

#include "source.h"

enum { WGDN_TEMPORARY_EXTRA = 24 }; /* bytes that a name gets beyond its target's, NUL included */

/*
 * A new file NAME.wgdn-K.tmp with the smallest K that nobody uses; its name goes to `name`, which
 * has room for it. The lock (flock) ends with the process however that ends, and with the last
 * duplicate of the descriptor: files of that name without one are of dead runs and are removed.
 * Where the file system has no locks, nothing is. -1 and errno on failure.
 */
int wgdn_temporary_open(char *name, const char *target, mode_t mode);
/* Remove what dead runs of this user left beside the target. The room of `name` is used. */
void wgdn_temporary_sweep(char *name, const char *target);

#endif
