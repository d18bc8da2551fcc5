/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WGDN_IO_SAFETENSORS_H
#define WGDN_IO_SAFETENSORS_H

#include "archive.h"

/*
 * Between the reader and the writer of .safetensors: what their checksums are.
 *
 * A file that we write carries in __metadata__
 *     xxh3:<name>   XXH3-64 of each tensor's bytes, 16 hex digits
 *     xxh3.of       "tensors and header": the sign that the others must be there
 *     xxh3          XXH3-64 of the header's meaning: names, types, shapes, places, metadata
 * so that no bit of it can flip unseen. Files without any of these are read as they are.
 */
#define WGDN_HASH_TENSOR "xxh3:"
#define WGDN_HASH_SIGN "xxh3.of"
#define WGDN_HASH_SIGN_VALUE "tensors and header"
#define WGDN_HASH_HEADER "xxh3"

enum { WGDN_HASH_TEXT = 17 }; /* 16 digits and a NUL */

/* JSON may take a hundred times its length in memory; real headers stay far below this. */
enum { WGDN_SAFETENSORS_HEADER_MAX = 16 << 20 };

/* A tensor's entry in the header; begin and end count from the first byte of the data. */
typedef struct wgdn_safetensors_entry {
    wgdn_tensor tensor;
    uint64_t begin, end;
} wgdn_safetensors_entry;

/* The checksum of bytes. in: NULL, or where they lie, of which a window is in memory at a time
 * and forgotten then (wgdn_archive_forget_at). */
void wgdn_checksum_of(char out[WGDN_HASH_TEXT], const void *data, size_t size,
                      const wgdn_archive *in, bool soon);
#endif
