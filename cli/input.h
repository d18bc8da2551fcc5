/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WGDN_CLI_INPUT_H
#define WGDN_CLI_INPUT_H

#include "cli.h"

/*
 * Where an input is -, let it be standard input: kept, so that it can be looked at and read again
 * like a file. There can be one. Gives an exit code; what went wrong has been said.
 */
int input_open(cli *c);
/* How to call a path in what is printed: standard input is -. */
const char *input_name(const char *path);
/*
 * The files of an option: "a.csv,b.npy,structure" are two and a word, unless there is a file of that
 * whole name. Visits each until one gives something other than DONE, and gives that.
 */
int input_each(const char *list, int (*visit)(void *user, const char *path), void *user);

#endif
