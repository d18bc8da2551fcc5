/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WGDN_CLI_DATASET_H
#define WGDN_CLI_DATASET_H

#include "cli.h"

/*
 * Read what a path and the options name, with a progress bar; - is standard input. Gives an exit
 * code; what went wrong has been said.
 */
int dataset_read(wgdn_dataset **out, const cli *c, const char *path);
/* DONE, or BAD_INPUT after a complaint that there is no such file. */
int path_check(const char *path);

#endif
