/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WGDN_IO_ARCHIVE_H
#define WGDN_IO_ARCHIVE_H

#include "bytes.h"
#include "output_file.h"

/* Named arrays in a file: .npy (one, named ""), .npz, .safetensors. */
typedef enum wgdn_dtype {
    WGDN_BOOL,
    WGDN_I8,
    WGDN_U8,
    WGDN_I16,
    WGDN_U16,
    WGDN_I32,
    WGDN_U32,
    WGDN_I64,
    WGDN_U64,
    WGDN_F16,
    WGDN_BF16, /* the upper half of a float; .npy has no such type */
    WGDN_F32,
    WGDN_F64,
    WGDN_TEXT, /* npy unicode or bytes: fixed-width strings, as UTF-8 once read */
} wgdn_dtype;

enum { WGDN_RANK_MAX = 8 };

/* A view: C order, little endian, dense. TEXT: width bytes each, padded with NUL. */
typedef struct wgdn_tensor {
    const char *name;
    wgdn_dtype dtype;
    int rank;
    int64_t shape[WGDN_RANK_MAX];
    size_t width; /* bytes of one element */
    const void *data;
    const struct wgdn_archive *in; /* whose pages are given back once they were used; or NULL */
} wgdn_tensor;

typedef struct wgdn_text_pair {
    const char *key, *value;
} wgdn_text_pair;

/* What was read. Owns everything its tensors point at; large data stays mapped. */
typedef struct wgdn_archive {
    wgdn_tensor *tensor;
    int64_t tensors;
    wgdn_text_pair *metadata; /* safetensors only; hashes are checked and left out */
    int64_t metadata_count;
    void *inside;             /* what holds the memory */
    wgdn_text_pair *left_out; /* npz only: members of object dtype, and the sentence why */
    int64_t left_out_count;
    bool sparing;        /* memory is short: pages of mapped files go once they were used, */
    const char *scratch; /* and what has to be copied goes to a file in this folder; or NULL */
    bool unread; /* tensors' checksums are left alone; they are here then, name and digits: */
    const wgdn_text_pair *checksum;
    int64_t checksums; /* as many as tensors, or none */
    uint64_t digest;   /* of the header's meaning, checksums included */
} wgdn_archive;

/* By the file's first bytes, not by its name. Status WGDN_EFORMAT names the byte and the wish. */
WGDN_MUST_CHECK wgdn_status wgdn_archive_open(wgdn_archive *a, const char *path, wgdn_error *err);
/* The same without looking at the data of a .safetensors: pages come when they are touched. */
WGDN_MUST_CHECK wgdn_status wgdn_archive_open_header(wgdn_archive *a, const char *path,
                                                     wgdn_error *err);

/* or NULL */
static inline const wgdn_tensor *wgdn_archive_find(const wgdn_archive *a, const char *name)
{
    for (int64_t i = 0; i < a->tensors; i++)
        if (strcmp(a->tensor[i].name, name) == 0) return &a->tensor[i];
    return NULL;
}

/* With this type, rank 1 and so many elements, -1: any number; or NULL. */
static inline const wgdn_tensor *wgdn_archive_find_vector(const wgdn_archive *a, const char *name,
                                                          wgdn_dtype dtype, int64_t count)
{
    const wgdn_tensor *t = wgdn_archive_find(a, name);
    const bool good = t && t->dtype == dtype && t->rank == 1 && (count < 0 || t->shape[0] == count);
    return good ? t : NULL;
}

/* or NULL */
static inline const char *wgdn_archive_metadata(const wgdn_archive *a, const char *key)
{
    for (int64_t i = 0; i < a->metadata_count; i++)
        if (strcmp(a->metadata[i].key, key) == 0) return a->metadata[i].value;
    return NULL;
}

/* Give back the pages of mapped files that have been touched; they come again
 * when they are needed. */
void wgdn_archive_forget(const wgdn_archive *a);
/* Those of size bytes at data, where that file is mapped and the archive is sparing. soon: they are
 * needed again soon, and the system may keep what the process does not. */
void wgdn_archive_forget_at(const wgdn_archive *a, const void *data, size_t size, bool soon);
/* Bytes of a mapped file that are looked at at once, at most `left`; all of what is not mapped. */
static inline size_t wgdn_archive_window(const wgdn_archive *a, size_t left)
{
    const size_t window = (size_t)1 << 25;
    return a && left > window ? window : left;
}
/* Write what may lie in an archive, which is not needed soon afterwards; a may be NULL. */
WGDN_MUST_CHECK wgdn_status wgdn_archive_copy(wgdn_output *o, const wgdn_archive *a,
                                              const void *data, size_t size, wgdn_error *err);
/* Whether a mapped file changed since it was opened; its name then, as far as it is known. */
bool wgdn_archive_changed(const wgdn_archive *a, char *name, size_t size);
void wgdn_archive_free(wgdn_archive *a);

/*
 * The same from bytes in memory, which the archive takes over: *b is empty afterwards, whatever the
 * outcome. At most limit bytes are unpacked or converted; open() allows what the machine has.
 */
WGDN_MUST_CHECK wgdn_status wgdn_archive_parse(wgdn_archive *a, wgdn_bytes *b, size_t limit,
                                               wgdn_error *err);

/* The number of elements, which cannot overflow once the tensor was read. */
static inline int64_t wgdn_tensor_count(const wgdn_tensor *t)
{
    int64_t count = 1;
    for (int i = 0; i < t->rank; i++)
        if (t->shape[i] == 0) return 0;
    for (int i = 0; i < t->rank; i++)
        count *= t->shape[i];
    return count;
}

typedef struct wgdn_dtype_form {
    const char *name; /* as safetensors has it */
    size_t width;     /* bytes; 0: they differ */
} wgdn_dtype_form;
extern const wgdn_dtype_form wgdn_dtypes[];

static inline const char *wgdn_dtype_name(wgdn_dtype dtype)
{
    return (int)dtype >= 0 && dtype <= WGDN_TEXT ? wgdn_dtypes[dtype].name : "?";
}

static inline size_t wgdn_dtype_width(wgdn_dtype dtype)
{
    return (int)dtype >= 0 && dtype <= WGDN_TEXT ? wgdn_dtypes[dtype].width : 0;
}

/* A tensor of one dimension around data that stays the caller's. */
static inline wgdn_tensor wgdn_tensor_of_vector(const char *name, wgdn_dtype dtype, int64_t count,
                                                const void *data)
{
    return (wgdn_tensor){.name = name,
                         .dtype = dtype,
                         .rank = 1,
                         .shape = {count},
                         .width = wgdn_dtype_width(dtype),
                         .data = data};
}

/*
 * Every element as a float or as an integer, in C order; booleans are 0 and 1, a float is the
 * nearest one (the caller asks whether it is finite). WGDN_EFORMAT for text, and for numbers that
 * are no integer or beyond 64 bits.
 */
WGDN_MUST_CHECK wgdn_status wgdn_tensor_to_f32(float *out, const wgdn_tensor *t, wgdn_error *err);
WGDN_MUST_CHECK wgdn_status wgdn_tensor_to_i64(int64_t *out, const wgdn_tensor *t, wgdn_error *err);

/*
 * Floats as F16 or BF16, to the nearest, ties to even; out may be where x is. Returns how many became infinite.
 */
int64_t wgdn_narrow(void *out, const float *x, int64_t count, wgdn_dtype dtype);

/*
 * Writers, all atomic. npy and npz hold text as NumPy's U, or as S where it is no UTF-8, and keep
 * no metadata. safetensors holds no text: store bytes and offsets. Equal input gives equal bytes.
 */
WGDN_MUST_CHECK wgdn_status wgdn_write_npy(const char *path, const wgdn_tensor *t, wgdn_error *err);
/* The head of a matrix, whose rows the caller writes. */
WGDN_MUST_CHECK wgdn_status wgdn_npy_begin(wgdn_output **out, const char *path, wgdn_dtype dtype,
                                           int64_t rows, int64_t width, wgdn_error *err);
WGDN_MUST_CHECK wgdn_status wgdn_write_npz(const char *path, const wgdn_tensor *t, int64_t count,
                                           wgdn_error *err);
WGDN_MUST_CHECK wgdn_status wgdn_write_safetensors(const char *path, const wgdn_tensor *t,
                                                   int64_t count, const wgdn_text_pair *metadata,
                                                   int64_t metadata_count, wgdn_error *err);

/* Tensors of any number type as arrays of the one type that is wanted. */
/*
 * *out has wgdn_tensor_count(t) elements: the tensor's own memory (*borrowed = true) if type and
 * alignment are right, else a copy; borrowed NULL always copies. Integers that do not fit, and values
 * that are not integers, are refused. name is the file's.
 */
WGDN_MUST_CHECK wgdn_status wgdn_array_floats(float **out, bool *borrowed, const wgdn_tensor *t,
                                              const char *name, wgdn_error *err);
WGDN_MUST_CHECK wgdn_status wgdn_array_int64(int64_t **out, bool *borrowed, const wgdn_tensor *t,
                                             const char *name, wgdn_error *err);
WGDN_MUST_CHECK wgdn_status wgdn_array_int32(int32_t **out, bool *borrowed, const wgdn_tensor *t,
                                             const char *name, wgdn_error *err);

/* Tensors to be written, and the blocks that were made for them; the first failure is kept. */
enum { WGDN_BUNDLE_MAX = 32 };

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
/* Zeroed memory that the bundle owns, or NULL with its status set. */
static inline void *wgdn_bundle_block(wgdn_bundle *b, size_t count, size_t size)
{
    void *p = b->st ? NULL : wgdn_alloc_zero(count, size);
    if (!p && !b->st) b->st = wgdn_fail(b->err, WGDN_ENOMEM, "dataset: writing it");
    b->block[b->blocks++] = p;
    return p;
}

static inline void wgdn_bundle_free(wgdn_bundle *b)
{
    while (b->blocks > 0)
        wgdn_release(b->block[--b->blocks]);
}

/* Text element k, without the padding. */
static inline wgdn_text wgdn_tensor_text(const wgdn_tensor *t, int64_t k)
{
    const unsigned char *at = (const unsigned char *)t->data + (size_t)k * t->width;
    size_t size = t->width;
    while (size > 0 && at[size - 1] == 0)
        size--;
    return wgdn_text_of(at, size);
}

/* ---- between archive.c and the readers of its formats ---- */

/* Let the archive own b; *b is empty on success. */
WGDN_MUST_CHECK wgdn_status wgdn_archive_keep(wgdn_archive *a, wgdn_bytes *b, wgdn_error *err);
/* New memory that the archive owns, or NULL with the error set; what names it in the message. */
void *wgdn_archive_room(wgdn_archive *a, size_t size, const char *what, wgdn_error *err);
/* A copy of text, ended with NUL. */
static inline char *wgdn_archive_text(wgdn_archive *a, const char *text, size_t size,
                                      wgdn_error *err)
{
    char *copy = wgdn_archive_room(a, size + 1, "archive: a name", err);
    if (!copy) return NULL;
    if (size) memcpy(copy, text, size);
    copy[size] = '\0';
    return copy;
}

/* Room for count tensors (and pairs) in all; call once. */
WGDN_MUST_CHECK static inline wgdn_status wgdn_archive_reserve(wgdn_archive *a, size_t tensors,
                                                               size_t metadata, size_t left_out,
                                                               wgdn_error *err)
{
    a->tensor = wgdn_alloc_zero(tensors, sizeof *a->tensor);
    a->metadata = wgdn_alloc_zero(metadata, sizeof *a->metadata);
    a->left_out = wgdn_alloc_zero(left_out, sizeof *a->left_out);
    if (!a->tensor || !a->metadata || !a->left_out)
        return wgdn_fail(err, WGDN_ENOMEM, "archive: no memory to list %zu arrays", tensors);
    return WGDN_OK;
}

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
