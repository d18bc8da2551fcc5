/* SPDX-License-Identifier: Apache-2.0 */
/* Files under way to a name, called and locked as the library does it: NAME.wgdn-K.tmp. */
#ifndef WGDN_CLI_TEMPORARY_H
#define WGDN_CLI_TEMPORARY_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* Whether the descriptor's file is the one that has this name. */
bool is_named(int fd, const char *path);
/* Remove what runs that are dead have left beside the path; files that are locked stay. */
void temporary_sweep(const char *path);
/* A new one, locked until it is closed; its name is to be freed. -1 and errno on failure. */
int temporary_open(char **name, const char *path, mode_t mode);

#endif
