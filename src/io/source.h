/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WGDN_IO_SOURCE_H
#define WGDN_IO_SOURCE_H

#include "base/base.h"
#include "text.h"

#include <sys/stat.h>
#include <sys/types.h>

/* A whole file as bytes in memory, and files that appear whole or not at all. */
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

/* Bytes that one file may unpack to: as the caller says, or half of the available memory. */
size_t wgdn_unpack_limit(int64_t max_bytes);
/* Packed files (compression.h) come out unpacked. max_bytes <= 0: the default, which is for what is held in memory. */
WGDN_MUST_CHECK wgdn_status wgdn_bytes_read(wgdn_bytes *b, const char *path, int64_t max_bytes,
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

/* A text file's bytes, whatever it is packed in, and what a path says. */
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

/* The first bytes of a file that can be read again, unpacked; of a pipe or a folder none. */
typedef struct wgdn_start {
    size_t size;
    unsigned char byte[4096];
} wgdn_start;
WGDN_MUST_CHECK wgdn_status wgdn_source_start(wgdn_start *s, const char *path, wgdn_error *err);
/* The same with another number of bytes: how many there are goes to *size. */
WGDN_MUST_CHECK wgdn_status wgdn_source_head(unsigned char *out, size_t room, size_t *size,
                                             const char *path, wgdn_error *err);
/* The suffix of the named arrays that begin so, or NULL: .npy, .npz or .safetensors. */
const char *wgdn_start_archive(wgdn_text start);

/* WGDN_EIO when that cannot be said. */
WGDN_MUST_CHECK wgdn_status wgdn_path_exists(bool *there, const char *path, wgdn_error *err);
bool wgdn_path_is_file(const char *path);                  /* that can be read more than once */
bool wgdn_path_ends(const char *path, const char *suffix); /* ASCII letters in either case */
bool wgdn_path_is_archive(const char *path); /* .npy, .npz or .safetensors, or it begins like one */

/* Text on its way to a file, in lines of fields; compressed where the name ends in .gz. */
/* Lines are gathered here; the first failure is kept and the rest is quiet. */
typedef struct wgdn_page {
    wgdn_output *out;
    wgdn_status st;
    wgdn_error *err;
    char between;           /* two fields */
    struct wgdn_gzip *gzip; /* NULL: the file holds plain text */
    size_t used;
    char text[1 << 16];
} wgdn_page;

WGDN_MUST_CHECK wgdn_status wgdn_page_open(wgdn_page **out, const char *path, wgdn_error *err);
void wgdn_page_put(wgdn_page *p, const void *text, size_t size);
void wgdn_page_word(wgdn_page *p, const char *word);
void wgdn_page_float(wgdn_page *p, float value);
void wgdn_page_field(wgdn_page *p, wgdn_text t); /* in quotes if a reader would mistake it */
/* Writes what is left, or nothing after a failure; frees p. */
WGDN_MUST_CHECK wgdn_status wgdn_page_close(wgdn_page *p);

/* The file operations of the library, each one a place where a test may inject a failure. */
/* As the calls they are named after: -1 (NULL for map) and errno on failure; EINTR is retried. */
int wgdn_system_open(const char *path, int flags, mode_t mode);
int wgdn_system_open_in(int folder, const char *name, int flags, mode_t mode); /* openat */
int wgdn_system_stat(const char *path, struct stat *s);
ssize_t wgdn_system_read(int fd, void *data, size_t size);
int wgdn_system_write(int fd, const void *data, size_t size); /* all of it, or -1 */
int wgdn_system_fsync(int fd);
int wgdn_system_rename(const char *from, const char *to);
int wgdn_system_allocate(int fd, size_t size); /* room on the disk: 0, or why there is none */

#endif
