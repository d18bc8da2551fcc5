/* SPDX-License-Identifier: Apache-2.0 */
#define _DEFAULT_SOURCE /* MAP_PRIVATE with the rest of POSIX */
#include "system.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

/* Seen by tests only; the library itself never reads it back. */
static _Thread_local int64_t allowed = -1;

void wgdn_io_allow(int64_t n)
{
    allowed = n;
}

static bool refused(void)
{
    if (allowed < 0) return false;
    if (allowed > 0) {
        allowed--;
        return false;
    }
    errno = EIO;
    return true;
}

int wgdn_system_open_in(int folder, const char *name, int flags, mode_t mode)
{
    int fd;
    if (refused()) return -1;
    do
        fd = openat(folder, name, flags | O_CLOEXEC, mode);
    while (fd < 0 && errno == EINTR);
    return fd;
}

int wgdn_system_open(const char *path, int flags, mode_t mode)
{
    return wgdn_system_open_in(AT_FDCWD, path, flags, mode);
}

int wgdn_system_stat(const char *path, struct stat *s)
{
    return refused() ? -1 : stat(path, s);
}

int wgdn_system_fstat(int fd, struct stat *s)
{
    return refused() ? -1 : fstat(fd, s);
}

ssize_t wgdn_system_read(int fd, void *data, size_t size)
{
    const size_t max = (size_t)1 << 30; /* some systems refuse more than 2^31 - 1 at once */
    ssize_t got;
    if (refused()) return -1;
    do
        got = read(fd, data, size < max ? size : max);
    while (got < 0 && errno == EINTR);
    return got;
}

int wgdn_system_write(int fd, const void *data, size_t size)
{
    const size_t max = (size_t)1 << 30;
    const unsigned char *at = data;
    while (size > 0) {
        ssize_t put;
        if (refused()) return -1;
        do
            put = write(fd, at, size < max ? size : max);
        while (put < 0 && errno == EINTR);
        if (put < 0) return -1;
        at += put;
        size -= (size_t)put;
    }
    return 0;
}

int wgdn_system_fsync(int fd)
{
    int result;
    if (refused()) return -1;
    do
        result = fsync(fd);
    while (result < 0 && errno == EINTR);
    return result;
}

int wgdn_system_rename(const char *from, const char *to)
{
    return refused() ? -1 : rename(from, to);
}

int wgdn_system_allocate(int fd, size_t size)
{
    int why;
    if (refused()) return errno;
    do
        why = posix_fallocate(fd, 0, (off_t)size);
    while (why == EINTR);
    return why;
}

void *wgdn_system_map(int fd, size_t size)
{
    if (refused()) return NULL;
    void *map = mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0);
    return map == MAP_FAILED ? NULL : map;
}
