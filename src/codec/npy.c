/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The data of an .npy as a tensor. Little-endian arrays in C order are borrowed from the file, so a
 * mapped one costs nothing until touched; all others are converted into new memory.
 */
#include "npy.h"

#include "archive_build.h"
#include "unicode.h"

#include <string.h>

/* What takes part in each step: the header, the file's bytes, and where new memory comes from. */
typedef struct job {
    const wgdn_npy_header *h;
    const unsigned char *data;
    size_t count;
    const wgdn_bytes *file;
    wgdn_archive *a;
    size_t *limit;
    wgdn_error *err;
} job;

static wgdn_status take_room(unsigned char **out, const job *j, size_t size)
{
    if (size > *j->limit)
        return wgdn_fail(j->err, WGDN_EFORMAT, "%s: needs %zu bytes to convert; %zu are allowed",
                         j->file->name, size, *j->limit);
    *j->limit -= size;
    *out = wgdn_archive_room(j->a, size, j->file->name, j->err);
    return *out ? WGDN_OK : WGDN_ENOMEM;
}

/* Whether the order of the elements is another than C's. */
static bool moved(const wgdn_npy_header *h)
{
    return h->fortran && h->rank == 2 && h->shape[0] > 1 && h->shape[1] > 1;
}

/* Where element k in C order stands in the file. */
static size_t source_of(const job *j, size_t k)
{
    if (!moved(j->h)) return k;
    const size_t rows = (size_t)j->h->shape[0], cols = (size_t)j->h->shape[1];
    return k % cols * rows + k / cols;
}

static void copy_element(unsigned char *out, const unsigned char *in, size_t width, bool swap)
{
    if (!swap) {
        memcpy(out, in, width);
        return;
    }
    for (size_t i = 0; i < width; i++)
        out[i] = in[width - 1 - i];
}

static wgdn_status convert_plain(const job *j, wgdn_tensor *t)
{
    const size_t width = j->h->width, size = j->count * width; /* as long as the file's: fits */
    unsigned char *out = NULL;
    wgdn_status st = take_room(&out, j, size);
    if (!out) return st;
    t->data = out;
    if (!moved(j->h) && !j->h->swapped) {
        memcpy(out, j->data, size);
        return WGDN_OK;
    }
    for (size_t k = 0; k < j->count; k++)
        copy_element(out + k * width, j->data + source_of(j, k) * width, width, j->h->swapped);
    return WGDN_OK;
}

static uint32_t point_at(const unsigned char *p, bool swapped)
{
    return swapped ? (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3]
                   : (uint32_t)p[3] << 24 | (uint32_t)p[2] << 16 | (uint32_t)p[1] << 8 | p[0];
}

/* The UTF-8 of one element into out, or only its length when out is NULL; false if it has none. */
static bool text_element(unsigned char *out, size_t *length, const job *j, size_t k)
{
    const size_t points = j->h->width / 4;
    const unsigned char *p = j->data + source_of(j, k) * j->h->width;
    size_t used = points;
    while (used > 0 && point_at(p + 4 * (used - 1), j->h->swapped) == 0)
        used--;
    *length = 0;
    for (size_t i = 0; i < used; i++) {
        const uint32_t point = point_at(p + 4 * i, j->h->swapped);
        const size_t n = point ? wgdn_utf8_encode(out ? out + *length : NULL, point) : 0;
        if (n == 0) return false;
        *length += n;
    }
    return true;
}

static wgdn_status bad_text(const job *j, size_t k)
{
    return wgdn_fail(j->err, WGDN_EFORMAT,
                     "%s: string %zu at byte %zu holds a NUL or no Unicode character",
                     j->file->name, k, j->h->data + source_of(j, k) * j->h->width);
}

static wgdn_status convert_unicode(const job *j, wgdn_tensor *t)
{
    size_t width = 1, length;
    for (size_t k = 0; k < j->count; k++) {
        if (!text_element(NULL, &length, j, k)) return bad_text(j, k);
        if (length > width) width = length;
    }
    const size_t size = j->count * width; /* a character is four bytes there, at most four here */
    unsigned char *out = NULL;
    wgdn_status st = take_room(&out, j, size);
    if (!out) return st;
    memset(out, 0, size);
    for (size_t k = 0; k < j->count; k++)
        (void)text_element(out + k * width, &length, j, k);
    t->width = width;
    t->data = out;
    return WGDN_OK;
}

/* A NUL may only be padding, else the end of a string could not be told. */
static wgdn_status check_bytes(const job *j)
{
    for (size_t k = 0; k < j->count; k++) {
        const unsigned char *p = j->data + k * j->h->width;
        const unsigned char *nul = memchr(p, 0, j->h->width);
        for (; nul && nul < p + j->h->width; nul++)
            if (*nul)
                return wgdn_fail(j->err, WGDN_EFORMAT, "%s: string %zu at byte %zu holds a NUL",
                                 j->file->name, k, j->h->data + k * j->h->width);
    }
    return WGDN_OK;
}

/* Exactly the bytes of the shape must follow: NumPy passes over more, but more is a mistake. */
static wgdn_status check_size(job *j)
{
    const wgdn_npy_header *h = j->h;
    const size_t left = j->file->size - h->data;
    size_t bytes;
    if (h->width == 0)
        return wgdn_fail(j->err, WGDN_EFORMAT, "%s: strings of width 0; expected at least 1",
                         j->file->name);
    if (!wgdn_shape_size(&j->count, &bytes, h->shape, h->rank, h->width))
        return wgdn_fail(j->err, WGDN_EFORMAT, "%s: the shape asks for more than 2^63 bytes",
                         j->file->name);
    if (bytes != left)
        return wgdn_fail(j->err, WGDN_EFORMAT,
                         "%s: %zu bytes follow the header at byte %zu; its shape and type ask for "
                         "%zu: %s",
                         j->file->name, left, h->data, bytes,
                         bytes > left ? "the file is cut short" : "something was added behind");
    if (h->fortran && h->rank > 2 && j->count > 1)
        return wgdn_fail(j->err, WGDN_EFORMAT,
                         "%s: Fortran order with %d dimensions; at most 2 are read: save "
                         "numpy.ascontiguousarray(a)",
                         j->file->name, h->rank);
    return WGDN_OK;
}

wgdn_status wgdn_read_npy(wgdn_archive *a, wgdn_tensor *t, const wgdn_bytes *file, size_t *limit,
                          wgdn_error *err)
{
    wgdn_npy_header h;
    wgdn_status st = wgdn_npy_header_read(&h, file, err);
    if (st != WGDN_OK) return st;
    if (h.object) return wgdn_npy_refuse_object(file->name, err);
    job j = {
        .h = &h, .data = file->data + h.data, .file = file, .a = a, .limit = limit, .err = err};
    st = check_size(&j);
    if (st != WGDN_OK) return st;

    t->dtype = h.dtype;
    t->rank = h.rank;
    memcpy(t->shape, h.shape, sizeof t->shape);
    t->width = h.width;
    t->data = j.data;
    if (h.unicode) return convert_unicode(&j, t);
    if (h.dtype == WGDN_TEXT && (st = check_bytes(&j)) != WGDN_OK) return st;
    const bool aligned = h.dtype == WGDN_TEXT || (uintptr_t)j.data % h.width == 0;
    return moved(&h) || h.swapped || !aligned ? convert_plain(&j, t) : WGDN_OK;
}
