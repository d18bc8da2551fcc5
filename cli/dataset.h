/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WGDN_CLI_DATASET_H
#define WGDN_CLI_DATASET_H

#include "cli.h"

/*
 * Read what a path and the options name, with a progress bar; - is standard input. Gives an exit
 * code; what went wrong has been said.
 */
int dataset_read(wgdn_dataset **out, const cli *c, const char *path);
/* Prints the remarks on what was read. */
void dataset_tell(const cli *c, const char *name, const wgdn_dataset *d);
/* Scratch beside the output, unless the user says where; the folder's name goes to `folder`. */
void dataset_scratch(cli *c, const char *output, char *folder, size_t size);
/* From now on data is read as that which a model was made of. DONE, or a complaint. */
int dataset_encode(cli *c, const wgdn_model *m);
/* What it holds. */
wgdn_dataset_info dataset_info(const wgdn_dataset *d);
/* DONE, or BAD_INPUT after a complaint that there is no such file. */
int path_check(const char *path);

#endif
