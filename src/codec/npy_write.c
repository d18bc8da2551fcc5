/* SPDX-License-Identifier: Apache-2.0 */
#include "archive_build.h"
#include "npy.h"
#include "unicode.h"

#include <stdio.h>
#include <string.h>

enum { ALIGN = 64 };

/* The length of a text element without its padding. */
static size_t text_length(const unsigned char *p, size_t width)
{
    const unsigned char *nul = memchr(p, 0, width);
    return nul ? (size_t)(nul - p) : width;
}

/* The most code points of any element; false if some element is no UTF-8. */
static bool text_points(size_t *max, const wgdn_tensor *t, size_t count)
{
    *max = 1;
    for (size_t k = 0; k < count; k++) {
        const unsigned char *p = (const unsigned char *)t->data + k * t->width;
        size_t left = text_length(p, t->width), points = 0, used;
        for (; left > 0; p += used, left -= used, points++)
            if (wgdn_utf8_decode(p, left, &used) < 0) return false;
        if (points > *max) *max = points;
    }
    return true;
}

/* NumPy's U: four bytes a character, padded with zeros. */
static wgdn_status to_unicode(wgdn_npy_image *m, const wgdn_tensor *t, size_t count, size_t points,
                              wgdn_error *err)
{
    size_t size;
    if (!wgdn_size_mul(&size, points, 4 * sizeof(unsigned char)) ||
        !wgdn_size_mul(&size, size, count))
        return wgdn_fail(err, WGDN_ERANGE, "npy: %zu strings of %zu characters", count, points);
    unsigned char *out = m->block = wgdn_alloc_zero(size, 1);
    if (!out) return wgdn_fail(err, WGDN_ENOMEM, "npy: no memory for %zu bytes of text", size);
    for (size_t k = 0; k < count; k++) {
        const unsigned char *p = (const unsigned char *)t->data + k * t->width;
        size_t left = text_length(p, t->width), used;
        unsigned char *to = out + 4 * k * points;
        for (; left > 0; p += used, left -= used, to += 4) {
            const int32_t point = wgdn_utf8_decode(p, left, &used);
            to[0] = (unsigned char)point;
            to[1] = (unsigned char)(point >> 8);
            to[2] = (unsigned char)(point >> 16);
        }
    }
    m->data = out;
    m->data_size = size;
    return WGDN_OK;
}

/* Magic, version 1.0, and the dict, filled with spaces so that the data begin on a line of 64. */
static void make_head(wgdn_npy_image *m, const wgdn_tensor *t, const char *type)
{
    char *dict = m->head + 10;
    const size_t room = sizeof m->head - 10;
    size_t used =
        (size_t)snprintf(dict, room, "{'descr': '%s', 'fortran_order': False, 'shape': (", type);
    for (int i = 0; i < t->rank; i++)
        used += (size_t)snprintf(dict + used, room - used, "%lld%s", (long long)t->shape[i],
                                 t->rank == 1      ? ","
                                 : i + 1 < t->rank ? ", "
                                                   : "");
    used += (size_t)snprintf(dict + used, room - used, "), }");
    for (; (10 + used + 1) % ALIGN != 0; used++)
        dict[used] = ' ';
    dict[used++] = '\n';
    memcpy(m->head, "\x93NUMPY\1\0", 8);
    m->head[8] = (char)(used & 255);
    m->head[9] = (char)(used >> 8);
    m->head_size = 10 + used;
}

static wgdn_status check_tensor(size_t *count, size_t *bytes, const wgdn_tensor *t, wgdn_error *err)
{
    const size_t width = t->dtype == WGDN_TEXT ? t->width : wgdn_dtype_width(t->dtype);
    if (t->rank < 0 || t->rank > WGDN_RANK_MAX || width == 0 ||
        !wgdn_shape_size(count, bytes, t->shape, t->rank, width))
        return wgdn_fail(err, WGDN_EINVAL, "npy: array '%s' of type %s: bad rank, shape or width",
                         wgdn_quote(t->name, strlen(t->name)).text, wgdn_dtype_name(t->dtype));
    return WGDN_OK;
}

wgdn_status wgdn_npy_image_make(wgdn_npy_image *m, const wgdn_tensor *t, wgdn_error *err)
{
    static const char *const types[] = {
        [WGDN_BOOL] = "|b1", [WGDN_I8] = "|i1",  [WGDN_U8] = "|u1",  [WGDN_I16] = "<i2",
        [WGDN_U16] = "<u2",  [WGDN_I32] = "<i4", [WGDN_U32] = "<u4", [WGDN_I64] = "<i8",
        [WGDN_U64] = "<u8",  [WGDN_F16] = "<f2", [WGDN_F32] = "<f4", [WGDN_F64] = "<f8",
    };
    size_t count = 0, bytes = 0, points = 0;
    char type[32];
    wgdn_status st = check_tensor(&count, &bytes, t, err);
    if (st != WGDN_OK) return st;
    if (t->dtype == WGDN_BF16)
        return wgdn_fail(err, WGDN_EINVAL,
                         "npy: NumPy has no bfloat16: write float16, or a .safetensors");
    *m = (wgdn_npy_image){.data = t->data, .data_size = bytes};
    if (t->dtype != WGDN_TEXT) {
        make_head(m, t, types[t->dtype]);
        return WGDN_OK;
    }
    if (text_points(&points, t, count)) {
        st = to_unicode(m, t, count, points, err);
        snprintf(type, sizeof type, "<U%zu", points);
    } else {
        snprintf(type, sizeof type, "|S%zu", t->width);
    }
    make_head(m, t, type);
    return st;
}

/* A file that has the head, and wants the data. */
static wgdn_status begin(wgdn_output **out, const char *path, const wgdn_npy_image *m,
                         wgdn_error *err)
{
    wgdn_output *o = NULL;
    wgdn_status st = wgdn_output_open(&o, path, err);
    if (st == WGDN_OK) st = wgdn_output_write(o, m->head, m->head_size, err);
    if (st == WGDN_OK)
        *out = o;
    else
        wgdn_output_abandon(o);
    return st;
}

wgdn_status wgdn_npy_begin(wgdn_output **out, const char *path, wgdn_dtype dtype, int64_t rows,
                           int64_t width, wgdn_error *err)
{
    const wgdn_tensor t = {.name = "rows",
                           .dtype = dtype,
                           .rank = 2,
                           .shape = {rows, width},
                           .width = wgdn_dtype_width(dtype)};
    wgdn_npy_image m = {.block = NULL};
    const wgdn_status st = wgdn_npy_image_make(&m, &t, err);
    return st == WGDN_OK ? begin(out, path, &m, err) : st;
}

wgdn_status wgdn_write_npy(const char *path, const wgdn_tensor *t, wgdn_error *err)
{
    wgdn_npy_image m = {.block = NULL};
    wgdn_output *o = NULL;
    wgdn_status st = wgdn_npy_image_make(&m, t, err);
    if (st == WGDN_OK) st = begin(&o, path, &m, err);
    if (st == WGDN_OK) st = wgdn_archive_copy(o, t->in, m.data, m.data_size, err);
    if (st == WGDN_OK)
        st = wgdn_output_commit(o, err);
    else
        wgdn_output_abandon(o);
    wgdn_release(m.block);
    return st;
}
