/* SPDX-License-Identifier: Apache-2.0 */
#define _DEFAULT_SOURCE /* flock */
#include "temporary.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SWEPT = 8, MOST = 10000, EXTRA = 24 };

static char *call_it(const char *path, int k)
{
    const size_t size = strlen(path) + EXTRA;
    char *name = malloc(size);
    if (name) snprintf(name, size, "%s.wgdn-%d.tmp", path, k);
    return name;
}

bool is_named(int fd, const char *path)
{
    struct stat held, named;
    return fstat(fd, &held) == 0 && lstat(path, &named) == 0 && held.st_ino == named.st_ino &&
           held.st_dev == named.st_dev;
}

/* The lock ends with the process: a regular file that nobody holds is of one that is dead. */
static bool sweep(const char *name)
{
    const int flags = O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC;
    struct stat s;
    if (!name || lstat(name, &s) != 0) return false;
    if (!S_ISREG(s.st_mode)) return true;
    int fd = open(name, O_WRONLY | flags);
    if (fd < 0 && errno == EACCES) fd = open(name, O_RDONLY | flags);
    if (fd < 0) return true;
    if (flock(fd, LOCK_EX | LOCK_NB) == 0 && is_named(fd, name)) (void)unlink(name);
    close(fd);
    return true;
}

void temporary_sweep(const char *path)
{
    bool there = true;
    for (int k = 0; k < SWEPT || (there && k < MOST); k++) {
        char *name = call_it(path, k);
        there = sweep(name);
        free(name);
    }
}

/* Somebody may take it for a dead run's, and remove it, before it is locked. */
static bool keep(int fd)
{
    struct stat s;
    if (flock(fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) return false;
    return fstat(fd, &s) != 0 || s.st_nlink > 0;
}

int temporary_open(char **name, const char *path, mode_t mode)
{
    temporary_sweep(path);
    for (int k = 0; k < MOST && (*name = call_it(path, k)); k++) {
        const int fd = open(*name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
        if (fd >= 0 && keep(fd)) return fd;
        const int why = fd >= 0 ? EEXIST : errno;
        if (fd >= 0) close(fd);
        free(*name);
        *name = NULL;
        errno = why;
        if (why != EEXIST) break;
    }
    return -1;
}
