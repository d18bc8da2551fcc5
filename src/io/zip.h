/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WGDN_IO_ZIP_H
#define WGDN_IO_ZIP_H

#include "bytes.h"
#include "output_file.h"

/* The members of a zip file that is already in memory; nothing in it is believed unchecked. */
enum { WGDN_ZIP_MEMBERS_MAX = 1 << 20 };

typedef struct wgdn_zip_member {
    const char *name;    /* ends with NUL and holds no other; not checked for UTF-8 */
    size_t size;         /* unpacked, as declared: extraction insists on it */
    size_t packed;       /* bytes in the file */
    size_t offset;       /* of the packed bytes */
    size_t local_offset; /* of the local header before them */
    uint32_t crc;
    bool deflated; /* else stored as it is */
} wgdn_zip_member;

/* The directory, in the order of the file's own. Borrows from b, which must outlive it. */
typedef struct wgdn_zip {
    wgdn_zip_member *member;
    int64_t members;
    const wgdn_bytes *bytes;
    char *names; /* what the members' names point into */
} wgdn_zip;

/*
 * Read the directory. Stored and deflated members only; refused with WGDN_EFORMAT: encryption,
 * several disks, two members of one name, members that overlap or leave the file.
 */
WGDN_MUST_CHECK wgdn_status wgdn_zip_open(wgdn_zip *z, const wgdn_bytes *b, wgdn_error *err);

static inline void wgdn_zip_free(wgdn_zip *z)
{
    if (!z) return;
    wgdn_release(z->names);
    wgdn_release(z->member);
    *z = (wgdn_zip){0};
}

/* The first member whose name ends so, or -1. */
static inline int64_t wgdn_zip_find(const wgdn_zip *z, const char *suffix)
{
    const size_t size = strlen(suffix);
    for (int64_t i = 0; i < z->members; i++) {
        const size_t length = strlen(z->member[i].name);
        if (length >= size && strcmp(z->member[i].name + (length - size), suffix) == 0) return i;
    }
    return -1;
}

/*
 * Unpack member i into new memory, ended with wgdn_bytes_free(); its name is the member's and lives
 * as long as z. More than limit bytes are refused before anything is unpacked, and so is a member
 * whose real size or CRC-32 is not the declared one.
 */
WGDN_MUST_CHECK wgdn_status wgdn_zip_extract(wgdn_bytes *out, const wgdn_zip *z, int64_t i,
                                             size_t limit, wgdn_error *err);
/* A stored member where it lies, checked in the same way; nothing to free. */
WGDN_MUST_CHECK wgdn_status wgdn_zip_borrow(wgdn_bytes *out, const wgdn_zip *z, int64_t i,
                                            wgdn_error *err);

/* A zip file member by member, with the same bytes for the same members at any time. */
typedef struct wgdn_zip_written wgdn_zip_written;

typedef struct wgdn_zip_writer {
    wgdn_output *output;
    wgdn_zip_written *member;
    size_t members;
    int64_t room;
    uint64_t offset;
    uint64_t wide_from; /* sizes and offsets from here on take zip64 records; tests lower it */
    const char *path;
} wgdn_zip_writer;

WGDN_MUST_CHECK static inline wgdn_status wgdn_zip_begin(wgdn_zip_writer *w, const char *path,
                                                         wgdn_error *err)
{
    *w = (wgdn_zip_writer){.path = path, .wide_from = UINT32_MAX};
    return wgdn_output_open(&w->output, path, err);
}

/* A member of two pieces, deflated when that is cheap and helps. Names must differ. */
WGDN_MUST_CHECK wgdn_status wgdn_zip_add(wgdn_zip_writer *w, const char *name, const void *head,
                                         size_t head_size, const void *body, size_t body_size,
                                         wgdn_error *err);
WGDN_MUST_CHECK wgdn_status wgdn_zip_commit(wgdn_zip_writer *w, wgdn_error *err); /* or nothing */
void wgdn_zip_abandon(wgdn_zip_writer *w);
#endif
