/* SPDX-License-Identifier: Apache-2.0 */
#define _DEFAULT_SOURCE
#include "tape.h"

#include "codec/system.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

static const int64_t drop_every = (int64_t)16 << 20;

static wgdn_status failed(const wgdn_tape *s, wgdn_error *err)
{
    return wgdn_fail(err, s->writing ? WGDN_EWRITE : WGDN_EIO, "%s: cannot be %s: %s", s->path,
                     s->writing ? "written" : "read", strerror(errno));
}

static wgdn_status start(wgdn_tape *s, const wgdn_scratch *in, const char *name, size_t room,
                         wgdn_error *err)
{
    s->fd = -1;
    s->path = wgdn_scratch_path(in, name);
    s->buffer = wgdn_alloc(room, 1);
    s->room = room;
    if (s->writing) s->hash = XXH3_createState();
    if (!s->path || !s->buffer || (s->writing && !s->hash))
        return wgdn_fail(err, WGDN_ENOMEM, "scratch: a buffer of %zu bytes", room);
    if (s->writing) (void)XXH3_64bits_reset(s->hash);
    s->fd = s->writing ? wgdn_scratch_create(in, name) : wgdn_scratch_reopen(in, name, O_RDONLY);
    return s->fd < 0 ? failed(s, err) : WGDN_OK;
}

wgdn_status wgdn_tape_create(wgdn_tape *s, const wgdn_scratch *in, const char *name, size_t room,
                             wgdn_error *err)
{
    *s = (wgdn_tape){.writing = true};
    return start(s, in, name, room, err);
}

wgdn_status wgdn_tape_open(wgdn_tape *s, const wgdn_scratch *in, const char *name, size_t room,
                           wgdn_error *err)
{
    *s = (wgdn_tape){.writing = false};
    struct stat about;
    wgdn_status st = start(s, in, name, room, err);
    if (!st && fstat(s->fd, &about) != 0) st = failed(s, err);
    if (st) return st;
    s->length = about.st_size;
    (void)posix_fadvise(s->fd, 0, 0, POSIX_FADV_SEQUENTIAL);
    return WGDN_OK;
}

static wgdn_status put_all(wgdn_tape *s, const unsigned char *data, size_t size, wgdn_error *err)
{
    (void)XXH3_64bits_update(s->hash, data, size);
    return wgdn_system_write(s->fd, data, size) < 0 ? failed(s, err) : WGDN_OK;
}

static wgdn_status flush(wgdn_tape *s, wgdn_error *err)
{
    const size_t filled = s->filled;
    s->filled = 0;
    return put_all(s, s->buffer, filled, err);
}

wgdn_status wgdn_tape_put(wgdn_tape *s, const void *data, size_t size, wgdn_error *err)
{
    s->size += (int64_t)size;
    if (size > s->room - s->filled) {
        const wgdn_status st = flush(s, err);
        if (st) return st;
        if (size >= s->room) return put_all(s, data, size, err);
    }
    if (size) memcpy(s->buffer + s->filled, data, size);
    s->filled += size;
    return WGDN_OK;
}

wgdn_status wgdn_tape_finish(wgdn_tape *s, uint64_t *hash, wgdn_error *err)
{
    wgdn_status st = flush(s, err);
    *hash = XXH3_64bits_digest(s->hash);
    if (!st && close(s->fd) != 0) st = failed(s, err); /* some report a full disk here */
    s->fd = -1;
    wgdn_tape_close(s);
    return st;
}

/* What was read is not needed again: other files may have its place in the page cache. */
static void drop_behind(wgdn_tape *s)
{
    if (s->size - s->dropped < drop_every) return;
    (void)posix_fadvise(s->fd, s->dropped, s->size - s->dropped, POSIX_FADV_DONTNEED);
    s->dropped = s->size;
}

wgdn_status wgdn_tape_take(wgdn_tape *s, void *data, size_t size, wgdn_error *err)
{
    unsigned char *to = data;
    while (size > 0) {
        if (s->at == s->filled) {
            const ssize_t got = wgdn_system_read(s->fd, s->buffer, s->room);
            if (got < 0) return failed(s, err);
            if (got == 0)
                return wgdn_fail(err, WGDN_EIO, "%s: was cut at byte %lld; start again", s->path,
                                 (long long)s->size);
            s->at = 0;
            s->filled = (size_t)got;
            drop_behind(s);
        }
        const size_t left = s->filled - s->at, part = size < left ? size : left;
        memcpy(to, s->buffer + s->at, part);
        s->at += part;
        s->size += (int64_t)part;
        to += part;
        size -= part;
    }
    return WGDN_OK;
}

void wgdn_tape_close(wgdn_tape *s)
{
    if (s->fd >= 0 && s->path) close(s->fd);
    if (s->hash) (void)XXH3_freeState(s->hash);
    wgdn_release(s->buffer);
    wgdn_release(s->path);
    *s = (wgdn_tape){.fd = -1};
}

bool wgdn_tape_digest(const wgdn_scratch *in, const char *name, int64_t *size, uint64_t *hash)
{
    enum { ROOM = 1 << 18 };
    wgdn_tape s;
    XXH3_state_t *sum = XXH3_createState();
    ssize_t got = -1;
    *size = 0;
    if (sum && !wgdn_tape_open(&s, in, name, ROOM, NULL)) {
        (void)XXH3_64bits_reset(sum);
        while ((got = wgdn_system_read(s.fd, s.buffer, s.room)) > 0) {
            (void)XXH3_64bits_update(sum, s.buffer, (size_t)got);
            *size += got;
        }
        *hash = XXH3_64bits_digest(sum);
    }
    if (sum) wgdn_tape_close(&s);
    (void)XXH3_freeState(sum);
    return got == 0;
}
