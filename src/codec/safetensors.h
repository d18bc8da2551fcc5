/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Between the reader and the writer of .safetensors: what their checksums are.
 *
 * A file that we write carries in __metadata__
 *     xxh3:<name>   XXH3-64 of each tensor's bytes, 16 hex digits
 *     xxh3.of       "tensors and header": the sign that the others must be there
 *     xxh3          XXH3-64 of the header's meaning: names, types, shapes, places, metadata
 * so that no bit of it can flip unseen. Files without any of these are read as they are.
 */
#ifndef WGDN_SAFETENSORS_H
#define WGDN_SAFETENSORS_H

#include "archive.h"

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

void wgdn_hash_text(char out[WGDN_HASH_TEXT], uint64_t hash);

/*
 * The hash of the header's meaning. Sorts both lists: entries by name, pairs by key. The pair
 * WGDN_HASH_HEADER itself does not count.
 */
uint64_t wgdn_safetensors_digest(wgdn_safetensors_entry *entry, size_t entries,
                                 wgdn_text_pair *pair, size_t pairs);

#endif
