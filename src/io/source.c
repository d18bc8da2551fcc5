/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Opens inputs as bytes: files, pipes, compressed files and single members of zip archives. It also
 * looks at the first bytes of a file.
 */
#define _DEFAULT_SOURCE
#include "source.h"
#include "compression.h"
#include "file_kind.h"
#include "text.h"
#include "zip.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

wgdn_status wgdn_bytes_read(wgdn_bytes *b, const char *path, int64_t max_bytes, wgdn_error *err)
{
    const size_t limit = wgdn_unpack_limit(max_bytes);
    wgdn_bytes raw = {0};
    wgdn_status st = wgdn_bytes_open(&raw, path, max_bytes, err);
    if (st) return st;
    const wgdn_packing *packing = wgdn_packing_of(raw.data, raw.size);
    if (packing) {
        wgdn_bytes plain = {0};
        st = wgdn_unpack(&plain, packing, &raw, limit, err);
        if (!st) *b = plain;
    } else if (raw.size > limit && (max_bytes > 0 || !raw.mapped)) {
        st = wgdn_fail(err, WGDN_EFORMAT, "%s: holds more than the %zu bytes allowed", path, limit);
    } else {
        *b = raw;
        return WGDN_OK;
    }
    wgdn_bytes_free(&raw);
    return st;
}

/* A block of bzip2 gives nothing before it is whole. */
static const size_t packed_start = (size_t)1 << 20;

/* The one file in a zip; folders have no size. */
static wgdn_status only_member(int64_t *at, const wgdn_zip *z, const char *path, wgdn_error *err)
{
    int64_t files = 0;
    for (int64_t i = 0; i < z->members; i++) {
        const size_t size = strlen(z->member[i].name);
        if (size > 0 && z->member[i].name[size - 1] == '/') continue;
        *at = i;
        files++;
    }
    if (files == 1) return WGDN_OK;
    return wgdn_fail_in(err, WGDN_EFORMAT, path,
                        "a zip of %lld files: expected one text file in it", (long long)files);
}

/* ---- the first bytes ---- */

/* So many of them, or all there are; -1 and errno. */
static ssize_t read_start(const char *path, void *out, size_t size)
{
    size_t used = 0;
    ssize_t got = 1;
    const int fd = wgdn_system_open(path, O_RDONLY, 0);
    if (fd < 0) return -1;
    while (got > 0 && used < size) {
        got = wgdn_system_read(fd, (char *)out + used, size - used);
        if (got > 0) used += (size_t)got;
    }
    const int why = errno;
    (void)close(fd);
    errno = why;
    return got < 0 ? -1 : (ssize_t)used;
}

static wgdn_status unpack_head(unsigned char *out, size_t room, size_t *size, const char *path,
                               const wgdn_packing *p, wgdn_error *err)
{
    unsigned char *raw = wgdn_alloc(packed_start, 1);
    if (!raw) return wgdn_fail_in(err, WGDN_ENOMEM, path, "its first bytes");
    const ssize_t got = read_start(path, raw, packed_start);
    *size = got > 0 ? wgdn_unpack_start(out, room, p, raw, (size_t)got) : 0;
    wgdn_release(raw);
    if (got >= 0) return WGDN_OK;
    return wgdn_fail_in(err, WGDN_EIO, path, "cannot be read: %s", strerror(errno));
}

wgdn_status wgdn_source_head(unsigned char *out, size_t room, size_t *size, const char *path,
                             wgdn_error *err)
{
    *size = 0;
    if (!wgdn_path_is_file(path)) return WGDN_OK; /* whoever reads it reports what is wrong */
    const ssize_t got = read_start(path, out, room);
    if (got < 0) return wgdn_fail_in(err, WGDN_EIO, path, "cannot be opened: %s", strerror(errno));
    *size = (size_t)got;
    const wgdn_packing *p = wgdn_packing_of(out, *size);
    return p ? unpack_head(out, room, size, path, p, err) : WGDN_OK;
}

const char *wgdn_start_archive(wgdn_text start)
{
    const unsigned char *b = start.at;
    if (start.size < 16) return NULL;
    if (memcmp(b, "\x93NUMPY", 6) == 0) return ".npy";
    /* A zip whose first member is an array; a length, then JSON. */
    if (memcmp(b, "PK\3\4", 4) == 0)
        return wgdn_text_holds(wgdn_text_of(b, start.size < 256 ? start.size : 256), ".npy")
                   ? ".npz"
                   : NULL;
    return b[8] == '{' && b[9] == '"' && !b[5] && !b[6] && !b[7] ? ".safetensors" : NULL;
}

bool wgdn_path_is_archive(const char *path)
{
    wgdn_start s;
    if (wgdn_path_ends(path, ".npy") || wgdn_path_ends(path, ".npz") ||
        wgdn_path_ends(path, ".safetensors"))
        return true;
    return wgdn_source_start(&s, path, NULL) == WGDN_OK &&
           wgdn_start_archive(wgdn_text_of(s.byte, s.size));
}

/* ---- a whole file ---- */

/* A block of zero bytes is no text, and packs so well that it is recognized before all of it is unpacked. */
wgdn_status wgdn_zeros_refuse(const char *path, wgdn_error *err)
{
    wgdn_start start;
    size_t zeros = 0;
    const wgdn_status st = wgdn_source_start(&start, path, err);
    if (st) return st;
    while (zeros < start.size && start.byte[zeros] == 0)
        zeros++;
    if (zeros < sizeof start.byte) return WGDN_OK;
    return wgdn_fail_in(err, WGDN_EFORMAT, path,
                        "begins with %zu bytes of zeros: it is no text; create or fetch it again",
                        zeros);
}

wgdn_status wgdn_source_read(wgdn_source *s, const char *path, int64_t max_bytes, wgdn_error *err)
{
    int64_t at = 0;
    *s = (wgdn_source){.name = path};
    wgdn_status st = wgdn_zeros_refuse(path, err);
    if (!st) st = wgdn_bytes_read(&s->file, path, max_bytes, err);
    if (st) return st;
    if (s->file.size < 4 || memcmp(s->file.data, "PK\3\4", 4) != 0) {
        st = wgdn_foreign_refuse(s->file.data, s->file.size, path, err);
        if (st) goto done;
        s->data = s->file.data;
        s->size = s->file.size;
        return WGDN_OK;
    }
    wgdn_zip *z = wgdn_alloc_zero(1, sizeof *z);
    if (!z) {
        st = wgdn_fail_in(err, WGDN_ENOMEM, path, "the zip's directory");
        goto done;
    }
    st = wgdn_zip_open(z, &s->file, err);
    if (st) {
        wgdn_release(z);
        goto done;
    }
    s->zip = z;
    st = wgdn_foreign_refuse_zip(z, path, err);
    if (!st) st = only_member(&at, z, path, err);
    if (!st) st = wgdn_zip_extract(&s->member, z, at, wgdn_unpack_limit(max_bytes), err);
    if (!st) st = wgdn_foreign_refuse(s->member.data, s->member.size, path, err);
    s->data = s->member.data;
    s->size = s->member.size;

done:
    if (st) wgdn_source_free(s);
    return st;
}

void wgdn_source_free(wgdn_source *s)
{
    wgdn_bytes_free(&s->member);
    if (s->zip) wgdn_zip_free(s->zip);
    wgdn_release(s->zip);
    wgdn_bytes_free(&s->file);
    *s = (wgdn_source){0};
}
