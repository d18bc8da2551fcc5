/* SPDX-License-Identifier: Apache-2.0 */
/* What the element types are, and reading any of them as float or as integer. */
#include "archive_build.h"
#include "unicode.h"

#include <math.h>
#include <string.h>

static const struct {
    const char *name;
    size_t width;
} types[] = {
    [WGDN_BOOL] = {"BOOL", 1}, [WGDN_I8] = {"I8", 1},     [WGDN_U8] = {"U8", 1},
    [WGDN_I16] = {"I16", 2},   [WGDN_U16] = {"U16", 2},   [WGDN_I32] = {"I32", 4},
    [WGDN_U32] = {"U32", 4},   [WGDN_I64] = {"I64", 8},   [WGDN_U64] = {"U64", 8},
    [WGDN_F16] = {"F16", 2},   [WGDN_BF16] = {"BF16", 2}, [WGDN_F32] = {"F32", 4},
    [WGDN_F64] = {"F64", 8},   [WGDN_TEXT] = {"TEXT", 0},
};

const char *wgdn_dtype_name(wgdn_dtype dtype)
{
    return (int)dtype >= 0 && dtype <= WGDN_TEXT ? types[dtype].name : "?";
}

size_t wgdn_dtype_width(wgdn_dtype dtype)
{
    return (int)dtype >= 0 && dtype <= WGDN_TEXT ? types[dtype].width : 0;
}

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

int64_t wgdn_tensor_count(const wgdn_tensor *t)
{
    int64_t count = 1;
    for (int i = 0; i < t->rank; i++)
        if (t->shape[i] == 0) return 0;
    for (int i = 0; i < t->rank; i++)
        count *= t->shape[i];
    return count;
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
