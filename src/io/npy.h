/* SPDX-License-Identifier: Apache-2.0 */
/* Between the reader and the writers of .npy, and those of .npz. */
#ifndef WGDN_IO_NPY_H
#define WGDN_IO_NPY_H

#include "archive.h"

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

/* The sentence for object dtype; formatted into the error, which may be NULL. */
extern const char wgdn_npy_object_reason[];

/* A tensor as the bytes of an .npy, in two pieces: head, then data. */
typedef struct wgdn_npy_image {
    char head[512];
    size_t head_size;
    const void *data; /* the tensor's, or block */
    size_t data_size;
    void *block; /* to be released */
} wgdn_npy_image;

#endif
