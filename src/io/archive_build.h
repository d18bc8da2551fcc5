/* SPDX-License-Identifier: Apache-2.0 */
/* Between archive.c and the readers of its formats. */
#ifndef WGDN_IO_ARCHIVE_BUILD_H
#define WGDN_IO_ARCHIVE_BUILD_H

#include "archive.h"

/* Let the archive own b; *b is empty on success. */
WGDN_MUST_CHECK wgdn_status wgdn_archive_keep(wgdn_archive *a, wgdn_bytes *b, wgdn_error *err);
/* New memory that the archive owns, or NULL with the error set; what names it in the message. */
void *wgdn_archive_room(wgdn_archive *a, size_t size, const char *what, wgdn_error *err);
/* A copy of text, ended with NUL. */
char *wgdn_archive_text(wgdn_archive *a, const char *text, size_t size, wgdn_error *err);
/* Room for count tensors (and pairs) in all; call once. */
WGDN_MUST_CHECK wgdn_status wgdn_archive_reserve(wgdn_archive *a, size_t tensors, size_t metadata,
                                                 size_t left_out, wgdn_error *err);

/*
 * The elements and the bytes that a shape calls for, or false when either is beyond 2^63 - 1, also
 * if one dimension is 0: what the others ask for must be sayable.
 */
bool wgdn_shape_size(size_t *count, size_t *bytes, const int64_t *shape, int rank, size_t width);

/* What the header of an .npy says: where its data begins and what the bytes are. */
typedef struct wgdn_npy_header {
    wgdn_dtype dtype;
    bool unicode; /* text of four bytes a character */
    bool swapped; /* big endian */
    bool fortran;
    bool object;  /* pickled Python objects: nothing but this and the name of the type is set */
    size_t width; /* bytes of an element in the file */
    int rank;
    int64_t shape[WGDN_RANK_MAX];
    size_t data; /* offset of the first element */
} wgdn_npy_header;
/* Strict: exactly the three keys, each once, nothing after them but spaces. */
WGDN_MUST_CHECK wgdn_status wgdn_npy_header_read(wgdn_npy_header *h, const wgdn_bytes *file,
                                                 wgdn_error *err);

/* One reader per format. file: all of it, owned by a or by who calls. limit as in archive_parse. */
WGDN_MUST_CHECK wgdn_status wgdn_read_npy(wgdn_archive *a, wgdn_tensor *t, const wgdn_bytes *file,
                                          size_t *limit, wgdn_error *err);
WGDN_MUST_CHECK wgdn_status wgdn_read_npz(wgdn_archive *a, const wgdn_bytes *file, size_t limit,
                                          wgdn_error *err);
WGDN_MUST_CHECK wgdn_status wgdn_read_safetensors(wgdn_archive *a, const wgdn_bytes *file,
                                                  wgdn_error *err);

#endif
