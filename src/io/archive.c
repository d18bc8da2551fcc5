/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Opens files of named arrays (.npy, .npz and .safetensors) and gives access to their tensors,
 * metadata and owned memory. Datasets, vectors and models are read through it; npy.c and
 * safetensors.c parse the containers.
 */
#define _DEFAULT_SOURCE /* _SC_PHYS_PAGES */
#include "archive.h"
#include "base/system.h"
#include "compression.h"
#include "source.h"
#include "text.h"

#include <math.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "tensors are little endian in files and in memory; this machine is not"
#endif

/* Everything the tensors may point at, in the order of taking. */
typedef struct holdings {
    wgdn_bytes *kept;
    int64_t count, room;
} holdings;

static wgdn_status start(wgdn_archive *a, wgdn_error *err)
{
    a->inside = wgdn_alloc_zero(1, sizeof(holdings));
    return a->inside ? WGDN_OK : wgdn_fail(err, WGDN_ENOMEM, "archive: no memory to begin");
}

wgdn_status wgdn_archive_keep(wgdn_archive *a, wgdn_bytes *b, wgdn_error *err)
{
    if (!a->inside && start(a, err)) return WGDN_ENOMEM;
    holdings *h = a->inside;
    if (!wgdn_grow(&h->kept, &h->room, h->count + 1, sizeof *h->kept))
        return wgdn_fail(err, WGDN_ENOMEM, "archive: a list of %lld blocks", (long long)h->count);
    h->kept[h->count++] = *b;
    *b = (wgdn_bytes){0};
    return WGDN_OK;
}

void *wgdn_archive_room(wgdn_archive *a, size_t size, const char *what, wgdn_error *err)
{
    void *block = wgdn_alloc(size, 1);
    wgdn_bytes b = {.data = block, .size = size, .block = block};
    if (!block) {
        wgdn_error_set(err, WGDN_ENOMEM, "%s: no memory for %zu bytes", what, size);
        return NULL;
    }
    if (wgdn_archive_keep(a, &b, err) != WGDN_OK) {
        wgdn_release(block);
        return NULL;
    }
    return block;
}

void wgdn_archive_forget(const wgdn_archive *a)
{
    const holdings *h = a->inside;
    for (int64_t i = 0; h && i < h->count; i++)
        if (h->kept[i].mapped) wgdn_os_forget(h->kept[i].block, h->kept[i].size);
}

void wgdn_archive_forget_at(const wgdn_archive *a, const void *data, size_t size, bool soon)
{
    const holdings *h = a->inside;
    for (int64_t i = 0; h && a->sparing && i < h->count; i++) {
        wgdn_bytes b = h->kept[i];
        const uintptr_t from = (uintptr_t)data - (uintptr_t)b.data; /* far beyond where before it */
        if (soon) b.held = 0;
        if (b.mapped && from < b.size) wgdn_bytes_forget(&b, from, from + size);
    }
}

wgdn_status wgdn_archive_copy(wgdn_output *o, const wgdn_archive *a, const void *data, size_t size,
                              wgdn_error *err)
{
    wgdn_status st = WGDN_OK;
    for (size_t at = 0, part; at < size && !st; at += part) {
        part = wgdn_archive_window(a, size - at);
        st = wgdn_output_write(o, (const char *)data + at, part, err);
        if (a) wgdn_archive_forget_at(a, (const char *)data + at, part, false);
    }
    return st;
}

bool wgdn_archive_changed(const wgdn_archive *a, char *name, size_t size)
{
    const holdings *h = a->inside;
    for (int64_t i = 0; h && i < h->count; i++)
        if (wgdn_bytes_changed(&h->kept[i], name, size)) return true;
    return false;
}

void wgdn_archive_free(wgdn_archive *a)
{
    if (!a) return;
    holdings *h = a->inside;
    for (int64_t i = 0; h && i < h->count; i++)
        wgdn_bytes_free(&h->kept[i]);
    if (h) wgdn_release(h->kept);
    wgdn_release(h);
    wgdn_release(a->left_out);
    wgdn_release(a->metadata);
    wgdn_release(a->tensor);
    *a = (wgdn_archive){0};
}

typedef enum { NPY, NPZ, SAFETENSORS, OTHER } kind;

static bool begins(const wgdn_bytes *b, const char *magic, size_t size)
{
    return b->size >= size && memcmp(b->data, magic, size) == 0;
}

static kind kind_of(const wgdn_bytes *b)
{
    if (begins(b, "\x93NUMPY", 6)) return NPY;
    if (begins(b, "PK\3\4", 4) || begins(b, "PK\5\6", 4)) return NPZ;
    if (b->size > 8 && b->data[8] == '{') return SAFETENSORS;
    return OTHER;
}

static bool is_text(unsigned char c)
{
    return c >= 0x20 || c == '\t' || c == '\n' || c == '\r' || c == '\f';
}

/* A file without arrays: what it is, as far as its first bytes show, and what to do about it. */
static wgdn_status refuse(const wgdn_bytes *b, wgdn_error *err)
{
    const wgdn_packing *packing = wgdn_packing_of(b->data, b->size);
    const char *name = packing ? packing->name : wgdn_foreign_name(b->data, b->size);
    const char *advice = packing ? ": unpack it first" : name ? ": use numpy.savez" : "";
    bool text = true;
    for (size_t i = 0; i < b->size && i < 512; i++)
        text = text && is_text(b->data[i]);
    if (!name) name = b->size == 0 ? "an empty file" : text ? "text" : "nothing known here";
    return wgdn_fail(err, WGDN_EFORMAT,
                     "%s: the file looks like %s%s; expected .npy, .npz or .safetensors by its "
                     "first bytes",
                     b->name, name, advice);
}

static wgdn_status parse(wgdn_archive *a, const wgdn_bytes *file, size_t limit, wgdn_error *err)
{
    wgdn_status st;
    switch (kind_of(file)) {
    case NPY:
        st = wgdn_archive_reserve(a, 1, 0, 0, err);
        if (st != WGDN_OK) return st;
        a->tensor->name = "";
        st = wgdn_read_npy(a, a->tensor, file, &limit, err);
        a->tensors = 1;
        return st;
    case NPZ: return wgdn_read_npz(a, file, limit, err);
    case SAFETENSORS: return wgdn_read_safetensors(a, file, err);
    case OTHER: break;
    }
    return refuse(file, err);
}

static wgdn_status take(wgdn_archive *a, wgdn_bytes *b, size_t limit, bool unread, wgdn_error *err)
{
    wgdn_archive made = {.unread = unread};
    const wgdn_bytes file = *b; /* stays a valid view once the archive owns it */
    wgdn_status st = start(&made, err);
    if (st == WGDN_OK) st = wgdn_archive_keep(&made, b, err);
    if (st == WGDN_OK) st = parse(&made, &file, limit, err);
    if (st == WGDN_OK)
        *a = made;
    else
        wgdn_archive_free(&made);
    wgdn_bytes_free(b);
    return st;
}

wgdn_status wgdn_archive_parse(wgdn_archive *a, wgdn_bytes *b, size_t limit, wgdn_error *err)
{
    return take(a, b, limit, false, err);
}

/* What can be unpacked at all: the memory of the machine. */
static size_t memory_limit(void)
{
    const long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    size_t bytes;
    if (pages <= 0 || page <= 0 || !wgdn_size_mul(&bytes, (size_t)pages, (size_t)page))
        return SIZE_MAX;
    return bytes;
}

wgdn_status wgdn_archive_open(wgdn_archive *a, const char *path, wgdn_error *err)
{
    wgdn_bytes b = {0};
    wgdn_status st = wgdn_bytes_map(&b, path, err);
    return st == WGDN_OK ? wgdn_archive_parse(a, &b, memory_limit(), err) : st;
}

wgdn_status wgdn_archive_open_header(wgdn_archive *a, const char *path, wgdn_error *err)
{
    wgdn_bytes b = {0};
    wgdn_status st = wgdn_bytes_map(&b, path, err);
    return st == WGDN_OK ? take(a, &b, memory_limit(), true, err) : st;
}

/* Describes the element types and converts their values to float or to integer. */

const wgdn_dtype_form wgdn_dtypes[] = {
    [WGDN_BOOL] = {"BOOL", 1}, [WGDN_I8] = {"I8", 1},     [WGDN_U8] = {"U8", 1},
    [WGDN_I16] = {"I16", 2},   [WGDN_U16] = {"U16", 2},   [WGDN_I32] = {"I32", 4},
    [WGDN_U32] = {"U32", 4},   [WGDN_I64] = {"I64", 8},   [WGDN_U64] = {"U64", 8},
    [WGDN_F16] = {"F16", 2},   [WGDN_BF16] = {"BF16", 2}, [WGDN_F32] = {"F32", 4},
    [WGDN_F64] = {"F64", 8},   [WGDN_TEXT] = {"TEXT", 0},
};

bool wgdn_shape_size(size_t *count, size_t *bytes, const int64_t *shape, int rank, size_t width)
{
    size_t full = width;
    bool empty = false;
    for (int i = 0; i < rank; i++) {
        if (shape[i] < 0) return false;
        empty |= shape[i] == 0;
        if (shape[i] > 0 && !wgdn_size_mul(&full, full, (size_t)shape[i])) return false;
        if (full > INT64_MAX) return false;
    }
    *bytes = empty ? 0 : full;
    *count = empty || width == 0 ? 0 : full / width;
    return true;
}

/* IEEE half: 1 sign bit, 5 of exponent, 10 of fraction; all halves are floats. */
static float half(uint16_t h)
{
    const int exponent = h >> 10 & 31;
    const float fraction = (float)(h & 1023);
    float value;
    if (exponent == 0)
        value = ldexpf(fraction, -24);
    else if (exponent < 31)
        value = ldexpf(1024.0f + fraction, exponent - 25);
    else
        value = fraction > 0 ? NAN : INFINITY;
    return h >> 15 ? -value : value;
}

static float bfloat(uint16_t h)
{
    const uint32_t u = (uint32_t)h << 16;
    float value;
    memcpy(&value, &u, sizeof value);
    return value;
}

static wgdn_status no_number(const wgdn_tensor *t, wgdn_error *err)
{
    return wgdn_fail(err, WGDN_EFORMAT, "array '%s' holds %s; numbers were expected",
                     wgdn_quote(t->name, strlen(t->name)).text,
                     t->dtype == WGDN_TEXT ? "text" : wgdn_dtype_name(t->dtype));
}

#define EACH(type, expression)                 \
    do {                                       \
        const type *v = (const type *)t->data; \
        for (int64_t i = 0; i < count; i++)    \
            out[i] = (expression);             \
    } while (0)

/* The types whose values are all integers of 64 bits, and floats once rounded. */
#define WHOLE_TYPES(to)                              \
    case WGDN_BOOL: EACH(uint8_t, v[i] != 0); break; \
    case WGDN_I8: EACH(int8_t, (to)v[i]); break;     \
    case WGDN_U8: EACH(uint8_t, (to)v[i]); break;    \
    case WGDN_I16: EACH(int16_t, (to)v[i]); break;   \
    case WGDN_U16: EACH(uint16_t, (to)v[i]); break;  \
    case WGDN_I32: EACH(int32_t, (to)v[i]); break;   \
    case WGDN_U32: EACH(uint32_t, (to)v[i]); break;  \
    case WGDN_I64: EACH(int64_t, (to)v[i]); break

wgdn_status wgdn_tensor_to_f32(float *out, const wgdn_tensor *t, wgdn_error *err)
{
    const int64_t count = wgdn_tensor_count(t);
    switch (t->dtype) {
        WHOLE_TYPES(float);
    case WGDN_U64: EACH(uint64_t, (float)v[i]); break;
    case WGDN_F16: EACH(uint16_t, half(v[i])); break;
    case WGDN_BF16: EACH(uint16_t, bfloat(v[i])); break;
    case WGDN_F32: memcpy(out, t->data, (size_t)count * sizeof *out); break;
    case WGDN_F64: EACH(double, (float)v[i]); break;
    case WGDN_TEXT: return no_number(t, err);
    }
    return WGDN_OK;
}

static bool whole(int64_t *out, double value)
{
    if (!(value >= -0x1p63 && value < 0x1p63) || value != trunc(value)) return false;
    *out = (int64_t)value;
    return true;
}

/* One by one, as each may be refused. */
static wgdn_status whole_numbers(int64_t *out, const wgdn_tensor *t, int64_t count, wgdn_error *err)
{
    for (int64_t i = 0; i < count; i++) {
        double value;
        if (t->dtype == WGDN_U64) {
            const uint64_t u = ((const uint64_t *)t->data)[i];
            out[i] = (int64_t)u;
            if (u <= INT64_MAX) continue;
            value = (double)u;
        } else {
            value = t->dtype == WGDN_F16    ? half(((const uint16_t *)t->data)[i])
                    : t->dtype == WGDN_BF16 ? bfloat(((const uint16_t *)t->data)[i])
                    : t->dtype == WGDN_F32  ? ((const float *)t->data)[i]
                                            : ((const double *)t->data)[i];
            if (whole(&out[i], value)) continue;
        }
        return wgdn_fail(err, WGDN_EFORMAT,
                         "array '%s': element %lld is %.17g; expected an integer of 64 bits",
                         wgdn_quote(t->name, strlen(t->name)).text, (long long)i, value);
    }
    return WGDN_OK;
}

wgdn_status wgdn_tensor_to_i64(int64_t *out, const wgdn_tensor *t, wgdn_error *err)
{
    const int64_t count = wgdn_tensor_count(t);
    switch (t->dtype) {
        WHOLE_TYPES(int64_t);
    case WGDN_U64:
    case WGDN_F16:
    case WGDN_BF16:
    case WGDN_F32:
    case WGDN_F64: return whole_numbers(out, t, count, err);
    case WGDN_TEXT: return no_number(t, err);
    }
    return WGDN_OK;
}

static wgdn_status no_memory(const wgdn_tensor *t, const char *name, wgdn_error *err)
{
    return wgdn_fail_in(err, WGDN_ENOMEM, name, "%lld elements of %.40s",
                        (long long)wgdn_tensor_count(t), t->name);
}

/* Whether the tensor's memory serves as it is; *out is that then. */
static bool borrow(void **out, bool *borrowed, const wgdn_tensor *t, wgdn_dtype dtype)
{
    if (!borrowed) return false;
    *borrowed = t->dtype == dtype && (uintptr_t)t->data % t->width == 0;
    if (*borrowed) *out = (void *)(uintptr_t)t->data;
    return *borrowed;
}

/* As F32 or as I64. */
static wgdn_status array_of(void **out, bool *borrowed, const wgdn_tensor *t, wgdn_dtype dtype,
                            const char *name, wgdn_error *err)
{
    if (borrow(out, borrowed, t, dtype)) return WGDN_OK;
    void *block = wgdn_alloc((size_t)wgdn_tensor_count(t), wgdn_dtype_width(dtype));
    if (!block) return no_memory(t, name, err);
    const wgdn_status st =
        dtype == WGDN_F32 ? wgdn_tensor_to_f32(block, t, err) : wgdn_tensor_to_i64(block, t, err);
    if (st)
        wgdn_release(block);
    else
        *out = block;
    return st;
}

wgdn_status wgdn_array_floats(float **out, bool *borrowed, const wgdn_tensor *t, const char *name,
                              wgdn_error *err)
{
    void *made = NULL;
    const wgdn_status st = array_of(&made, borrowed, t, WGDN_F32, name, err);
    if (!st) *out = made;
    return st;
}

wgdn_status wgdn_array_int64(int64_t **out, bool *borrowed, const wgdn_tensor *t, const char *name,
                             wgdn_error *err)
{
    void *made = NULL;
    const wgdn_status st = array_of(&made, borrowed, t, WGDN_I64, name, err);
    if (!st) *out = made;
    return st;
}

wgdn_status wgdn_array_int32(int32_t **out, bool *borrowed, const wgdn_tensor *t, const char *name,
                             wgdn_error *err)
{
    const int64_t count = wgdn_tensor_count(t);
    void *own = NULL;
    int64_t *wide = NULL;
    if (borrow(&own, borrowed, t, WGDN_I32)) {
        *out = own;
        return WGDN_OK;
    }
    wgdn_status st = wgdn_array_int64(&wide, NULL, t, name, err);
    if (st) return st;
    int32_t *block = wgdn_alloc((size_t)count, sizeof *block);
    if (!block) st = no_memory(t, name, err);
    for (int64_t k = 0; !st && k < count; k++) {
        if (wide[k] < INT32_MIN || wide[k] > INT32_MAX)
            st = wgdn_fail_in(err, WGDN_EFORMAT, name,
                              "element %lld of %.40s is %lld, beyond 32 bits", (long long)k,
                              t->name, (long long)wide[k]);
        block[k] = (int32_t)wide[k];
    }
    wgdn_release(wide);
    if (st)
        wgdn_release(block);
    else
        *out = block;
    return st;
}

/* Converts floats to two bytes: IEEE halves, and bfloat16, the upper half of a float. */

/* To the nearest half, ties to even; what is 65520 or more becomes infinite. */
static uint16_t to_half(uint32_t u)
{
    const uint32_t sign = u >> 16 & 0x8000, a = u & 0x7fffffff;
    if (a > 0x7f800000) return (uint16_t)(sign | 0x7e00); /* no number */
    if (a >= 0x477ff000) return (uint16_t)(sign | 0x7c00);
    if (a < 0x38800000) { /* below 2^-14 halves are multiples of 2^-24, as floats near 1/2 are */
        float x;
        uint32_t rounded;
        memcpy(&x, &a, sizeof x);
        x += 0.5f;
        memcpy(&rounded, &x, sizeof rounded);
        return (uint16_t)(sign | (rounded - 0x3f000000));
    }
    return (uint16_t)(sign | (a - 0x38000000 + 0xfff + (a >> 13 & 1)) >> 13);
}

static uint16_t to_bfloat(uint32_t u)
{
    if ((u & 0x7fffffff) > 0x7f800000) return (uint16_t)(u >> 16 | 0x40); /* no number */
    return (uint16_t)((u + 0x7fff + (u >> 16 & 1)) >> 16);
}

int64_t wgdn_narrow(void *out, const float *x, int64_t count, wgdn_dtype dtype)
{
    const uint16_t infinite = dtype == WGDN_F16 ? 0x7c00 : 0x7f80;
    int64_t lost = 0;
    for (int64_t i = 0; i < count; i++) {
        uint32_t u;
        memcpy(&u, x + i, sizeof u);
        const uint16_t h = dtype == WGDN_F16 ? to_half(u) : to_bfloat(u);
        lost += (h & 0x7fff) == infinite && (u & 0x7fffffff) < 0x7f800000;
        memcpy((char *)out + i * (int64_t)sizeof h, &h, sizeof h);
    }
    return lost;
}

/* ---- tensors for the writers of datasets ---- */

void wgdn_bundle_add(wgdn_bundle *b, const char *name, wgdn_dtype dtype, int64_t rows,
                     int64_t columns, const void *data)
{
    if (b->st) return;
    b->tensor[b->tensors++] = (wgdn_tensor){.name = name,
                                            .dtype = dtype,
                                            .rank = columns < 0 ? 1 : 2,
                                            .shape = {rows, columns < 0 ? 0 : columns},
                                            .width = wgdn_dtype_width(dtype),
                                            .data = data};
}
