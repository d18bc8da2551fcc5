/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WGDN_IO_COMPRESSION_H
#define WGDN_IO_COMPRESSION_H

#include "bytes.h"

/* Deflate by zlib, whose memory comes from wgdn_alloc; gzip is in compression.h. */
enum { WGDN_DEFLATE_RATIO = 1032 }; /* deflate cannot pack better, so no valid file claims it */

/*
 * A raw deflate stream that must take all of its `packed` bytes and give exactly `size`. `at` is
 * where it begins in the file called `name`, for messages.
 */
WGDN_MUST_CHECK wgdn_status wgdn_inflate(void *out, size_t size, const void *in, size_t packed,
                                         const char *name, size_t at, wgdn_error *err);

/* Deflate fast into a new block, to be released; *packed is its size. */
WGDN_MUST_CHECK wgdn_status wgdn_deflate(void **out, size_t *packed, const void *in, size_t size,
                                         wgdn_error *err);

/* Packed files: gzip, zstd, xz and bzip2, several streams in a row, bounded in what they give. */
/* What is left of both sides; a step moves them on. */
typedef struct wgdn_flow {
    const unsigned char *in;
    unsigned char *out;
    size_t in_left, out_left;
    const char *why; /* a stream is broken, or NULL */
} wgdn_flow;

typedef enum wgdn_step {
    WGDN_STEP_MORE, /* give it more on either side */
    WGDN_STEP_END,  /* of a stream */
    WGDN_STEP_BROKEN,
    WGDN_STEP_NO_MEMORY,
} wgdn_step;

/* One way to pack; a row is defined beside the library that undoes it. */
typedef struct wgdn_packing {
    const char *name; /* also of the program that unpacks it with -dc */
    const char *suffix, *package;
    bool (*is)(const unsigned char *data, size_t size); /* by its first bytes */
    bool (*open)(void **state);                         /* NULL: this build has it not */
    wgdn_step (*step)(void *state, wgdn_flow *f);
    bool (*again)(void *state); /* another stream follows */
    void (*close)(void *state);
} wgdn_packing;

extern const wgdn_packing wgdn_packing_gzip, wgdn_packing_zstd, wgdn_packing_xz, wgdn_packing_bzip2;

const wgdn_packing *wgdn_packing_of(const unsigned char *data, size_t size); /* or NULL */
/* The length of path without .gz, .zst, .xz or .bz2. */
size_t wgdn_packing_stem(const char *path);

/* All streams of a file into new memory, at most limit bytes of them. */
WGDN_MUST_CHECK wgdn_status wgdn_unpack(wgdn_bytes *out, const wgdn_packing *p,
                                        const wgdn_bytes *in, size_t limit, wgdn_error *err);
/* The same to somebody who takes them as they come. */
typedef struct wgdn_sink {
    wgdn_status (*put)(void *user, const void *data, size_t size, wgdn_error *err);
    void *user;
} wgdn_sink;
WGDN_MUST_CHECK wgdn_status wgdn_unpack_to(const wgdn_sink *sink, const wgdn_packing *p,
                                           const wgdn_bytes *in, size_t limit, wgdn_error *err);
/* What the first bytes of a file give, as far as they go; the number of bytes. */
size_t wgdn_unpack_start(void *out, size_t room, const wgdn_packing *p, const void *in,
                         size_t size);

#endif
