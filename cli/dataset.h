/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WGDN_CLI_DATASET_H
#define WGDN_CLI_DATASET_H

#include "cli.h"

/*
 * Read what a path and the options name, with a progress bar; - is standard input. Gives an exit
 * code; what went wrong has been said.
 */
int dataset_read(wgdn_dataset **out, const cli *c, const char *path);
/* Whether --features asks for features made of the graph instead of naming a file. */
bool features_are_made(const cli *c);

#endif
