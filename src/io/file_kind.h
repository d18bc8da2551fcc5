/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WGDN_IO_FILE_KIND_H
#define WGDN_IO_FILE_KIND_H

#include "archive.h"
#include "zip.h"

/* Tensors on their way out, and the blocks that were made for them. */
enum { WGDN_BUNDLE_MAX = 32 };

/* The first failure is kept and the rest is quiet. */
typedef struct wgdn_bundle {
    wgdn_tensor tensor[WGDN_BUNDLE_MAX];
    int64_t tensors;
    void *block[WGDN_BUNDLE_MAX];
    int blocks;
    wgdn_status st;
    wgdn_error *err;
} wgdn_bundle;

/* columns -1: a vector. The data are borrowed until the bundle is written. */
void wgdn_bundle_add(wgdn_bundle *b, const char *name, wgdn_dtype dtype, int64_t rows,
                     int64_t columns, const void *data);
void wgdn_bundle_number(wgdn_bundle *b, const char *name, int64_t value);
/* Zeroed memory that the bundle owns, or NULL with its status set. */
void *wgdn_bundle_block(wgdn_bundle *b, size_t count, size_t size);
void wgdn_bundle_free(wgdn_bundle *b);

/* Files of other programs that are not read: named, with the command that turns them into CSV. */
/* WGDN_EFORMAT if the first bytes are such a file's. */
WGDN_MUST_CHECK wgdn_status wgdn_foreign_refuse(const unsigned char *data, size_t size,
                                                const char *path, wgdn_error *err);
/* Likewise for what is a zip: workbooks and PyTorch's files. */
WGDN_MUST_CHECK wgdn_status wgdn_foreign_refuse_zip(const wgdn_zip *z, const char *path,
                                                    wgdn_error *err);

#endif
