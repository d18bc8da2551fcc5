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

#endif
