/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads files into memory or maps them, and wraps the system calls, so that tests can make them fail.
 * source.c unpacks what is packed; archives and scratch files are mapped as they are.
 */
#define _DEFAULT_SOURCE /* MAP_PRIVATE with the rest of POSIX */
#include "bytes.h"
#include "base/limits.h"
#include "base/system.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
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

static int system_fstat(int fd, struct stat *s)
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
        why = wgdn_os_allocate(fd, size);
    while (why == EINTR);
    return why;
}

int wgdn_system_open_unnamed(const char *folder)
{
    return refused() ? -1 : wgdn_os_open_unnamed(folder);
}

static void *system_map(int fd, size_t size)
{
    if (refused()) return NULL;
    void *map = mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0);
    return map == MAP_FAILED ? NULL : map;
}

size_t wgdn_unpack_limit(int64_t max_bytes)
{
    enum { LEAST = 1 << 26 };
    wgdn_limits l;
    if (max_bytes > 0) return (size_t)max_bytes;
    wgdn_limits_read(&l, "");
    return l.available.value / 2 > LEAST ? (size_t)(l.available.value / 2) : LEAST;
}

/* Below this a copy costs less than a map, and cannot change under us. Above it, half the time of a
 * read went into clearing pages that the copy then filled. */
static const size_t map_from = (size_t)1 << 20;
static const size_t first_room = (size_t)64 << 10;

static wgdn_status examine(struct stat *s, int fd, const char *path, wgdn_error *err)
{
    if (fd < 0) return wgdn_fail(err, WGDN_EIO, "%s: cannot be opened: %s", path, strerror(errno));
    if (system_fstat(fd, s) != 0)
        return wgdn_fail(err, WGDN_EIO, "%s: cannot be examined: %s", path, strerror(errno));
    if (S_ISDIR(s->st_mode))
        return wgdn_fail(err, WGDN_EIO, "%s: is a folder, a file was expected", path);
    return WGDN_OK;
}

static wgdn_status too_long(const char *path, size_t limit, wgdn_error *err)
{
    return wgdn_fail(err, WGDN_EFORMAT, "%s: holds more than the %zu bytes allowed", path, limit);
}

static wgdn_status grow(void **block, size_t *room, size_t used, size_t max, const char *path,
                        wgdn_error *err)
{
    size_t wider;
    if (!wgdn_size_mul(&wider, *room, 2) || wider > max) wider = max;
    void *next = wgdn_alloc(wider, 1);
    if (!next)
        return wgdn_fail(err, WGDN_ENOMEM, "%s: no memory for its first %zu bytes", path, wider);
    memcpy(next, *block, used);
    wgdn_release(*block);
    *block = next;
    *room = wider;
    return WGDN_OK;
}

/* Reads the rest of fd, whatever size it declared; more than limit bytes are refused. */
static wgdn_status read_all(wgdn_bytes *b, int fd, size_t expected, size_t limit, wgdn_error *err)
{
    wgdn_status st = WGDN_OK;
    const size_t max = limit < SIZE_MAX ? limit + 1 : limit; /* one more shows that it is over */
    size_t room = expected && expected < max ? expected + 1 : first_room, used = 0;
    void *block = NULL;

    if (room > max) room = max;
    block = wgdn_alloc(room, 1);
    if (!block) {
        st = wgdn_fail(err, WGDN_ENOMEM, "%s: no memory for its %zu bytes", b->name, room);
        goto done;
    }
    for (;;) {
        if (used == room && used == max) {
            st = too_long(b->name, limit, err);
            goto done;
        }
        if (used == room && (st = grow(&block, &room, used, max, b->name, err)) != WGDN_OK)
            goto done;
        const ssize_t got = wgdn_system_read(fd, (char *)block + used, room - used);
        if (got < 0) {
            st = wgdn_fail(err, WGDN_EIO, "%s: cannot be read after byte %zu: %s", b->name, used,
                           strerror(errno));
            goto done;
        }
        if (got == 0) break;
        used += (size_t)got;
    }
    b->data = b->block = block;
    b->size = used;
    block = NULL;

done:
    wgdn_release(block);
    return st;
}

static size_t size_of(const struct stat *s)
{
    return S_ISREG(s->st_mode) && s->st_size > 0 ? (size_t)s->st_size : 0;
}

/* The limit is on what comes out; what goes in may be a little longer, as packing can fail. */
static size_t packed_limit(size_t limit)
{
    size_t more;
    return wgdn_size_add(&more, limit, limit / 1000 + 1024) ? more : SIZE_MAX;
}

bool wgdn_bytes_changed(const wgdn_bytes *b, char *name, size_t size)
{
    struct stat s;
    if (!b->held || fstat(b->held - 1, &s) != 0) return false;
    if (size_of(&s) == b->size && s.st_mtim.tv_sec == b->changed[0] &&
        s.st_mtim.tv_nsec == b->changed[1])
        return false;
    if (!wgdn_os_find_path(b->held - 1, name, size)) /* the caller's path is gone */
        snprintf(name, size, "the file of the dataset");
    return true;
}

/* Keep the file open: its name may by now be another one's. Without a descriptor nobody looks. */
static void hold(wgdn_bytes *b, int fd)
{
    struct stat s;
    if (fstat(fd, &s) != 0) return;
    b->held = fcntl(fd, F_DUPFD_CLOEXEC, 3) + 1;
    b->changed[0] = s.st_mtim.tv_sec;
    b->changed[1] = s.st_mtim.tv_nsec;
}

/* A large file is mapped, all else read. Mapping takes no memory, so the default is no limit on it. */
static wgdn_status map_or_read(wgdn_bytes *b, int fd, size_t size, int64_t max_bytes,
                               wgdn_error *err)
{
    const size_t limit = packed_limit(wgdn_unpack_limit(max_bytes));
    if (size < map_from) return read_all(b, fd, size, limit, err);
    if (size > limit && max_bytes > 0) return too_long(b->name, limit, err);
    b->block = system_map(fd, size);
    if (!b->block)
        return wgdn_fail(err, WGDN_EIO, "%s: its %zu bytes cannot be mapped: %s", b->name, size,
                         strerror(errno));
    b->data = b->block;
    b->size = size;
    b->mapped = true;
    hold(b, fd);
    return WGDN_OK;
}

/* The descriptor is closed. */
static wgdn_status map_file(wgdn_bytes *b, int fd, const char *name, int64_t max_bytes,
                            wgdn_error *err)
{
    wgdn_bytes got = {.name = name};
    struct stat s = {0};
    wgdn_status st = examine(&s, fd, name, err);
    if (st == WGDN_OK) st = map_or_read(&got, fd, size_of(&s), max_bytes, err);
    if (st == WGDN_OK) *b = got;
    if (fd >= 0) close(fd);
    return st;
}

wgdn_status wgdn_bytes_open(wgdn_bytes *b, const char *path, int64_t max_bytes, wgdn_error *err)
{
    return map_file(b, wgdn_system_open(path, O_RDONLY, 0), path, max_bytes, err);
}

wgdn_status wgdn_bytes_map_file(wgdn_bytes *b, int fd, const char *name, wgdn_error *err)
{
    return map_file(b, fd, name, 0, err);
}

void wgdn_bytes_forget(const wgdn_bytes *b, size_t from, size_t to)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    if (!b->mapped) return;
    from = from / page * page;
    if (to > b->size) to = b->size;
    if (to < b->size) to = to / page * page;
    if (from >= to) return;
    wgdn_os_forget((char *)b->block + from, to - from);
    if (b->held) wgdn_os_forget_file(b->held - 1, (int64_t)from, (int64_t)(to - from));
}

void wgdn_bytes_free(wgdn_bytes *b)
{
    if (!b) return;
    if (b->mapped && b->block)
        munmap(b->block, b->size);
    else
        wgdn_release(b->block);
    if (b->held) close(b->held - 1);
    *b = (wgdn_bytes){0};
}

wgdn_status wgdn_path_exists(bool *there, const char *path, wgdn_error *err)
{
    struct stat s;
    *there = wgdn_system_stat(path, &s) == 0;
    if (*there || errno == ENOENT || errno == ENOTDIR) return WGDN_OK;
    return wgdn_fail_in(err, WGDN_EIO, path, "cannot be examined: %s", strerror(errno));
}
