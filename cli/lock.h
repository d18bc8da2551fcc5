/* SPDX-License-Identifier: Apache-2.0 */
/* One run an output: FILE.wgdn-lock beside it, locked while the run lasts. */
#ifndef WGDN_CLI_LOCK_H
#define WGDN_CLI_LOCK_H

#include "cli.h"

/*
 * DONE, or after two seconds FAILED and a complaint that names who has it. The lock (flock) ends with the process
 * however that ends; what dead runs have left beside the path is removed. Devices, pipes and
 * standard output are not locked, nor is what lies in a folder that cannot be written to.
 */
int lock_output(const cli *c, const char *path);
/* Give up all that this process took, and remove their files; at the end. */
void lock_release(void);
/* The same in a signal handler. */
void lock_forget(void);

#endif
