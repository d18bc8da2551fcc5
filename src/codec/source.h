/* SPDX-License-Identifier: Apache-2.0 */
/* A text file's bytes, whatever it is packed in, and what a path says. */
#ifndef WGDN_SOURCE_H
#define WGDN_SOURCE_H

#include "bytes.h"

/* Read, unpacked if it is gzip, or the one file inside a zip; freed by wgdn_source_free(). */
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

/* WGDN_EIO when that cannot be said. */
WGDN_MUST_CHECK wgdn_status wgdn_path_exists(bool *there, const char *path, wgdn_error *err);
bool wgdn_path_ends(const char *path, const char *suffix); /* ASCII letters in either case */
bool wgdn_path_is_archive(const char *path);               /* .npy, .npz or .safetensors */

#endif
