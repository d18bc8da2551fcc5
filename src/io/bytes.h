/* SPDX-License-Identifier: Apache-2.0 */
/* A whole file as bytes in memory, and the calls of the system by which files are read and written. */
#ifndef WGDN_IO_BYTES_H
#define WGDN_IO_BYTES_H

#include "text.h"

#include <sys/stat.h>
#include <sys/types.h>

/*
 * The contents of a file. Small files and streams are read, large files mapped, so that opening
 * is cheap and pages are read when they are accessed. A mapped file may change between two accesses.
 * Free both with wgdn_bytes_free().
 */
typedef struct wgdn_bytes {
    const unsigned char *data;
    size_t size;
    const char *name; /* for messages; lives as long as the caller's path */
    void *block;      /* the memory to release, or NULL */
    bool mapped;
    int held;           /* of a mapped file: a descriptor + 1, to detect changes; or 0 */
    int64_t changed[2]; /* time of the last change: seconds, nanoseconds */
} wgdn_bytes;

/* Bytes that one file may unpack to: as the caller says, or half of the available memory. */
size_t wgdn_unpack_limit(int64_t max_bytes);
/* A file as it is, packed or not. max_bytes <= 0: a mapped file may be of any size. */
WGDN_MUST_CHECK wgdn_status wgdn_bytes_open(wgdn_bytes *b, const char *path, int64_t max_bytes,
                                            wgdn_error *err);
WGDN_MUST_CHECK static inline wgdn_status wgdn_bytes_map(wgdn_bytes *b, const char *path,
                                                         wgdn_error *err)
{
    return wgdn_bytes_open(b, path, 0, err);
}
/* The same, of any size, for a descriptor, which is closed; below 0, errno says why it could not be opened. */
WGDN_MUST_CHECK wgdn_status wgdn_bytes_map_file(wgdn_bytes *b, int fd, const char *name,
                                                wgdn_error *err);
void wgdn_bytes_free(wgdn_bytes *b);
/* Releases the pages of bytes from .. to - 1 of a mapped file, which are not needed soon. */
void wgdn_bytes_forget(const wgdn_bytes *b, size_t from, size_t to);
/* Whether a mapped file was modified or truncated since it was opened; stores its name if so. */
bool wgdn_bytes_changed(const wgdn_bytes *b, char *name, size_t size);

/* ---- paths ---- */

/* Returns WGDN_EIO if the path cannot be examined. */
WGDN_MUST_CHECK wgdn_status wgdn_path_exists(bool *there, const char *path, wgdn_error *err);

/* Whether a path ends so, ASCII letters in either case. */
static inline bool wgdn_path_ends(const char *path, const char *suffix)
{
    const size_t size = strlen(path), tail = strlen(suffix);
    return size >= tail && wgdn_text_is(wgdn_text_of(path + size - tail, tail), suffix);
}

/* ---- file operations ---- */

/* The file operations of the library. Tests can make each of them fail. */
/* As the calls they are named after: -1 (NULL for map) and errno on failure; EINTR is retried. */
int wgdn_system_open(const char *path, int flags, mode_t mode);
int wgdn_system_open_in(int folder, const char *name, int flags, mode_t mode); /* openat */
int wgdn_system_stat(const char *path, struct stat *s);
/* Whether a file can be read more than once. */
static inline bool wgdn_path_is_file(const char *path)
{
    struct stat s;
    return wgdn_system_stat(path, &s) == 0 && S_ISREG(s.st_mode);
}
ssize_t wgdn_system_read(int fd, void *data, size_t size);
int wgdn_system_write(int fd, const void *data, size_t size); /* all of it, or -1 */
int wgdn_system_fsync(int fd);
int wgdn_system_rename(const char *from, const char *to);
int wgdn_system_open_unnamed(const char *folder); /* a file without a name */
int wgdn_system_allocate(int fd, size_t size);    /* room on the disk: 0, or why there is none */

/* For tests: the calling thread's next n file operations succeed, later ones fail; -1 removes the limit. */
void wgdn_io_allow(int64_t n);

#endif
