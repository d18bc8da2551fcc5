/* SPDX-License-Identifier: Apache-2.0 */
/* Deflate by zlib, whose memory comes from wgdn_alloc; gzip is in unpack.h. */
#ifndef WGDN_INFLATE_H
#define WGDN_INFLATE_H

#include "bytes.h"

enum { WGDN_DEFLATE_RATIO = 1032 }; /* deflate cannot pack better, so no honest file claims it */

/*
 * A raw deflate stream that must take all of its `packed` bytes and give exactly `size`. `at` is
 * where it begins in the file called `name`, for messages.
 */
WGDN_MUST_CHECK wgdn_status wgdn_inflate(void *out, size_t size, const void *in, size_t packed,
                                         const char *name, size_t at, wgdn_error *err);

/* Deflate fast into a new block, to be released; *packed is its size. */
WGDN_MUST_CHECK wgdn_status wgdn_deflate(void **out, size_t *packed, const void *in, size_t size,
                                         wgdn_error *err);

#endif
