/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WGDN_IO_SOURCE_H
#define WGDN_IO_SOURCE_H

#include "bytes.h"

/* Packed files (compression.h) come out unpacked. max_bytes <= 0: the default, which is for what is held in memory. */
WGDN_MUST_CHECK wgdn_status wgdn_bytes_read(wgdn_bytes *b, const char *path, int64_t max_bytes,
                                            wgdn_error *err);
/* Read, unpacked (compression.h), or the one file inside a zip; freed by wgdn_source_free(). */
typedef struct wgdn_source {
    wgdn_bytes file, member;
    void *zip;
    const unsigned char *data;
    size_t size;
    const char *name; /* the caller's path */
} wgdn_source;

/* Refuses a file that begins with a block of zeros, once it is unpacked. */
WGDN_MUST_CHECK wgdn_status wgdn_zeros_refuse(const char *path, wgdn_error *err);
WGDN_MUST_CHECK wgdn_status wgdn_source_read(wgdn_source *s, const char *path, int64_t max_bytes,
                                             wgdn_error *err);

void wgdn_source_free(wgdn_source *s);
/* The first bytes of a file that can be read again, unpacked, and how many there are; of a pipe or a folder none. */
WGDN_MUST_CHECK wgdn_status wgdn_source_head(unsigned char *out, size_t room, size_t *size,
                                             const char *path, wgdn_error *err);
typedef struct wgdn_start {
    size_t size;
    unsigned char byte[4096];
} wgdn_start;
WGDN_MUST_CHECK static inline wgdn_status wgdn_source_start(wgdn_start *s, const char *path,
                                                            wgdn_error *err)
{
    return wgdn_source_head(s->byte, sizeof s->byte, &s->size, path, err);
}
/* The suffix of the named arrays that begin so, or NULL: .npy, .npz or .safetensors. */
const char *wgdn_start_archive(wgdn_text start);

bool wgdn_path_is_archive(const char *path); /* .npy, .npz or .safetensors, or it begins like one */

/* Files of other programs that are not read: named, with the command that turns them into CSV. */
/* WGDN_EFORMAT if the first bytes are such a file's. */
WGDN_MUST_CHECK wgdn_status wgdn_foreign_refuse(const unsigned char *data, size_t size,
                                                const char *path, wgdn_error *err);
/* What such a file is called; NULL if it is none. */
const char *wgdn_foreign_name(const unsigned char *data, size_t size);

#endif
