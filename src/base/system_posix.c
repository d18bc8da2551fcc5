/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Takes the place of system_linux.c on other POSIX systems: what POSIX does not tell is unknown, and
 * wishes about pages are ignored. A build for tests uses it on Linux, too (-DWGDN_SYSTEM=posix).
 */
#define _DEFAULT_SOURCE
#if defined(__APPLE__)
#define _DARWIN_C_SOURCE /* arc4random_buf, _SC_PHYS_PAGES */
#endif
#include "system.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void wgdn_os_groups(wgdn_groups *out, const char *root)
{
    (void)root;
    *out = (wgdn_groups){.limit.value = -1, .room.value = -1, .cpus.value = -1, .tasks.value = -1};
}

wgdn_mapped wgdn_os_mapped(const char *root)
{
    (void)root;
    return (wgdn_mapped){0};
}

void wgdn_os_memory(int64_t *total, int64_t *available, const char *root)
{
    const long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
    (void)root;
    *available = *total = pages > 0 && size > 0 ? (int64_t)pages * size : -1;
}

int wgdn_os_processors(unsigned char *set, size_t size)
{
    memset(set, 0, size);
    return 0;
}

const char *wgdn_os_huge_pages(void)
{
    return "unknown";
}

void wgdn_os_use_huge_pages(void *block, size_t size)
{
    (void)block, (void)size;
}

void wgdn_os_forget(void *at, size_t size)
{
    (void)at, (void)size;
}

void wgdn_os_page_out(void *at, size_t size)
{
    (void)at, (void)size;
}

void wgdn_os_forget_file(int fd, int64_t from, int64_t size)
{
    (void)fd, (void)from, (void)size;
}

void wgdn_os_read_ahead(int fd)
{
    (void)fd;
}

/* A hole in a mapped file would end the process when the disk is full, so every byte is written. */
int wgdn_os_allocate(int fd, size_t size)
{
    static const char zeros[1 << 16];
    for (size_t at = 0; at < size;) {
        const size_t left = size - at;
        const ssize_t put = pwrite(fd, zeros, left < sizeof zeros ? left : sizeof zeros, (off_t)at);
        if (put < 0) return errno;
        at += (size_t)put;
    }
    return 0;
}

int wgdn_os_open_unnamed(const char *folder)
{
    (void)folder;
    errno = EOPNOTSUPP;
    return -1;
}

bool wgdn_os_find_path(int fd, char *path, size_t size)
{
    (void)fd;
    if (size) *path = '\0';
    return false;
}

bool wgdn_os_random(void *to, size_t size)
{
#if defined(__APPLE__)
    arc4random_buf(to, size);
    return true;
#else
    const int fd = open("/dev/urandom", O_RDONLY | O_CLOEXEC);
    const ssize_t got = fd < 0 ? -1 : read(fd, to, size);
    if (fd >= 0) close(fd);
    return got == (ssize_t)size;
#endif
}
