/* SPDX-License-Identifier: Apache-2.0 */
#define _DEFAULT_SOURCE /* flock */
#include "temporary.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

enum { SWEPT = 8, MOST = 10000 }; /* so many names are always looked at; so many are tried */

static void call_it(char *name, const char *target, int k)
{
    snprintf(name, strlen(target) + WGDN_TEMPORARY_EXTRA, "%s.wgdn-%d.tmp", target, k);
}

/* The file, if it is a regular one of this user, under its lock; else -1. NFS locks only what it may write. */
static int take(const char *name)
{
    const int flags = O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC;
    struct stat s;
    int fd = open(name, O_WRONLY | flags);
    if (fd < 0 && errno == EACCES) fd = open(name, O_RDONLY | flags);
    if (fd < 0) return -1;
    if (fstat(fd, &s) == 0 && S_ISREG(s.st_mode) && s.st_uid == geteuid() &&
        flock(fd, LOCK_EX | LOCK_NB) == 0)
        return fd;
    close(fd);
    return -1;
}

/* Remove what a dead run left; false if there is no such file. Who has the lock may remove. */
static bool sweep(const char *name)
{
    struct stat held, named;
    if (lstat(name, &named) != 0) return false;
    const int fd = take(name);
    if (fd < 0) return true;
    if (fstat(fd, &held) == 0 && lstat(name, &named) == 0 && held.st_ino == named.st_ino &&
        held.st_dev == named.st_dev)
        (void)unlink(name);
    close(fd);
    return true;
}

/* Between its creation and its lock somebody may have taken it for a dead run's, and removed it. */
static bool keep(int fd)
{
    struct stat s;
    if (flock(fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) return false;
    return fstat(fd, &s) != 0 || s.st_nlink > 0;
}

void wgdn_temporary_sweep(char *name, const char *target)
{
    bool there = true;
    for (int k = 0; k < SWEPT || (there && k < MOST); k++) {
        call_it(name, target, k);
        there = sweep(name);
    }
}

int wgdn_temporary_open(char *name, const char *target, mode_t mode)
{
    int fd = -1;
    wgdn_temporary_sweep(name, target);
    for (int k = 0; fd < 0 && k < MOST; k++) {
        call_it(name, target, k);
        fd = wgdn_system_open(name, O_WRONLY | O_CREAT | O_EXCL, mode);
        if (fd < 0 && errno != EEXIST) return -1;
        if (fd < 0 || keep(fd)) continue;
        close(fd);
        fd = -1;
        errno = EEXIST;
    }
    return fd;
}
