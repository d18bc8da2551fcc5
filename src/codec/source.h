/* SPDX-License-Identifier: Apache-2.0 */
/* A text file's bytes, whatever it is packed in, and what a path says. */
#ifndef WGDN_SOURCE_H
#define WGDN_SOURCE_H

#include "bytes.h"
#include "text.h"

/* Read, unpacked (unpack.h), or the one file inside a zip; freed by wgdn_source_free(). */
typedef struct wgdn_source {
    wgdn_bytes file, member;
    void *zip;
    const unsigned char *data;
    size_t size;
    const char *name; /* the caller's path */
} wgdn_source;

WGDN_MUST_CHECK wgdn_status wgdn_source_read(wgdn_source *s, const char *path, int64_t max_bytes,
                                             wgdn_error *err);
void wgdn_source_free(wgdn_source *s);

/* The first bytes of a file that can be read again, unpacked; of a pipe or a folder none. */
typedef struct wgdn_start {
    size_t size;
    unsigned char byte[4096];
} wgdn_start;
WGDN_MUST_CHECK wgdn_status wgdn_source_start(wgdn_start *s, const char *path, wgdn_error *err);
/* The suffix of the named arrays that begin so, or NULL: .npy, .npz or .safetensors. */
const char *wgdn_start_archive(wgdn_text start);

/* WGDN_EIO when that cannot be said. */
WGDN_MUST_CHECK wgdn_status wgdn_path_exists(bool *there, const char *path, wgdn_error *err);
bool wgdn_path_is_file(const char *path);                  /* that can be read more than once */
bool wgdn_path_ends(const char *path, const char *suffix); /* ASCII letters in either case */
bool wgdn_path_is_archive(const char *path); /* .npy, .npz or .safetensors, or it begins like one */

#endif
