/* SPDX-License-Identifier: Apache-2.0 */
/* The file operations of the library, each one a place where a test may inject a failure. */
#ifndef WGDN_SYSTEM_H
#define WGDN_SYSTEM_H

#include "bytes.h"

#include <sys/stat.h>
#include <sys/types.h>

/* As the calls they are named after: -1 (NULL for map) and errno on failure; EINTR is retried. */
int wgdn_system_open(const char *path, int flags, mode_t mode);
int wgdn_system_open_in(int folder, const char *name, int flags, mode_t mode); /* openat */
int wgdn_system_stat(const char *path, struct stat *s);
int wgdn_system_fstat(int fd, struct stat *s);
ssize_t wgdn_system_read(int fd, void *data, size_t size);
int wgdn_system_write(int fd, const void *data, size_t size); /* all of it, or -1 */
int wgdn_system_fsync(int fd);
int wgdn_system_rename(const char *from, const char *to);
void *wgdn_system_map(int fd, size_t size);
int wgdn_system_allocate(int fd, size_t size); /* room on the disk: 0, or why there is none */

#endif
