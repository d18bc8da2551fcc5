/* SPDX-License-Identifier: Apache-2.0 */
/* A whole file as bytes in memory, and files that appear whole or not at all. */
#ifndef WGDN_BYTES_H
#define WGDN_BYTES_H

#include "base/base.h"

/*
 * The contents of a file. Small files and streams are read, large files mapped, so that opening
 * costs nothing and pages come when touched; whoever looks twice must not count on seeing the same.
 * Ends with wgdn_bytes_free() either way.
 */
typedef struct wgdn_bytes {
    const unsigned char *data;
    size_t size;
    const char *name; /* for messages; lives as long as the caller's path */
    void *block;      /* what to release, or NULL */
    bool mapped;
    int held;           /* of a mapped file: a descriptor + 1, to see whether it changes; or 0 */
    int64_t changed[2]; /* and when it did last: seconds, nanoseconds */
} wgdn_bytes;

/* At most limit bytes; what is packed (unpack.h; by its first bytes) comes out unpacked. */
WGDN_MUST_CHECK wgdn_status wgdn_bytes_read(wgdn_bytes *b, const char *path, size_t limit,
                                            wgdn_error *err);
WGDN_MUST_CHECK wgdn_status wgdn_bytes_map(wgdn_bytes *b, const char *path, wgdn_error *err);
/* The same for a descriptor, which is closed; below 0, errno says why it could not be opened. */
WGDN_MUST_CHECK wgdn_status wgdn_bytes_map_file(wgdn_bytes *b, int fd, const char *name,
                                                wgdn_error *err);
void wgdn_bytes_free(wgdn_bytes *b);
/* Bytes from .. to - 1 are not needed soon: a mapped file's pages go; what was read stays. */
void wgdn_bytes_forget(const wgdn_bytes *b, size_t from, size_t to);
/* Whether a mapped file was written to, or cut, since; its name then. What was read cannot change. */
bool wgdn_bytes_changed(const wgdn_bytes *b, char *name, size_t size);

/*
 * Write a file atomically: a temporary name beside it, then fsync, rename and fsync of the folder.
 * Until wgdn_output_commit() nothing is seen under the real name; wgdn_output_abandon() after any
 * failure leaves no trace. Writes may fail late: commit reports it.
 */
typedef struct wgdn_output wgdn_output;
WGDN_MUST_CHECK wgdn_status wgdn_output_open(wgdn_output **out, const char *path, wgdn_error *err);
WGDN_MUST_CHECK wgdn_status wgdn_output_write(wgdn_output *o, const void *data, size_t size,
                                              wgdn_error *err);
WGDN_MUST_CHECK wgdn_status wgdn_output_commit(wgdn_output *o, wgdn_error *err); /* frees o */
void wgdn_output_abandon(wgdn_output *o);                                        /* NULL is fine */

/* For tests: let the calling thread's next n file operations succeed, the rest fail; -1 lifts. */
void wgdn_io_allow(int64_t n);

#endif
