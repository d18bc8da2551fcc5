/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The checksum of a tensor, taken in pieces that different processes hold: each adds its own and
 * hands the state on. Processes of one architecture and one version of xxHash.
 */
#ifndef WGDN_CHECKSUM_H
#define WGDN_CHECKSUM_H

#include "safetensors.h"

typedef struct wgdn_checksum {
    _Alignas(64) unsigned char state[640];
} wgdn_checksum;

void wgdn_checksum_begin(wgdn_checksum *c);
void wgdn_checksum_resume(wgdn_checksum *c); /* after it came from another process */
void wgdn_checksum_add(wgdn_checksum *c, const void *data, size_t size);
void wgdn_checksum_text(char out[WGDN_HASH_TEXT], const wgdn_checksum *c);
/* Of bytes that are all here. in: NULL, or where they lie, of which a window is in memory at a time
 * and forgotten then (wgdn_archive_forget_at). */
void wgdn_checksum_of(char out[WGDN_HASH_TEXT], const void *data, size_t size,
                      const wgdn_archive *in, bool soon);
/* What states have to have in common to be handed on. */
unsigned wgdn_checksum_version(void);

#endif
