/* SPDX-License-Identifier: Apache-2.0 */
#include "arrays.h"

wgdn_text wgdn_tensor_text(const wgdn_tensor *t, int64_t k)
{
    const unsigned char *at = (const unsigned char *)t->data + (size_t)k * t->width;
    size_t size = t->width;
    while (size > 0 && at[size - 1] == 0)
        size--;
    return wgdn_text_of(at, size);
}

/* May the tensor's memory serve as it is? */
static bool borrow(void *out, bool *borrowed, const wgdn_tensor *t, wgdn_dtype dtype)
{
    if (!borrowed) return false;
    *borrowed = t->dtype == dtype && (uintptr_t)t->data % t->width == 0;
    if (*borrowed) *(const void **)out = t->data;
    return *borrowed;
}

static wgdn_status no_memory(const wgdn_tensor *t, const char *name, wgdn_error *err)
{
    return wgdn_fail(err, WGDN_ENOMEM, "%s: %lld elements of %.40s", wgdn_show_name(name).text,
                     (long long)wgdn_tensor_count(t), t->name);
}

wgdn_status wgdn_array_floats(float **out, bool *borrowed, const wgdn_tensor *t, const char *name,
                              wgdn_error *err)
{
    const void *own;
    if (borrow(&own, borrowed, t, WGDN_F32)) {
        *out = (float *)(uintptr_t)own;
        return WGDN_OK;
    }
    float *block = wgdn_alloc((size_t)wgdn_tensor_count(t), sizeof *block);
    if (!block) return no_memory(t, name, err);
    const wgdn_status st = wgdn_tensor_to_f32(block, t, err);
    if (st)
        wgdn_release(block);
    else
        *out = block;
    return st;
}

wgdn_status wgdn_array_int64(int64_t **out, bool *borrowed, const wgdn_tensor *t, const char *name,
                             wgdn_error *err)
{
    const void *own;
    if (borrow(&own, borrowed, t, WGDN_I64)) {
        *out = (int64_t *)(uintptr_t)own;
        return WGDN_OK;
    }
    int64_t *block = wgdn_alloc((size_t)wgdn_tensor_count(t), sizeof *block);
    if (!block) return no_memory(t, name, err);
    const wgdn_status st = wgdn_tensor_to_i64(block, t, err);
    if (st)
        wgdn_release(block);
    else
        *out = block;
    return st;
}

wgdn_status wgdn_array_int32(int32_t **out, bool *borrowed, const wgdn_tensor *t, const char *name,
                             wgdn_error *err)
{
    const int64_t count = wgdn_tensor_count(t);
    const void *own;
    int64_t *wide = NULL;
    if (borrow(&own, borrowed, t, WGDN_I32)) {
        *out = (int32_t *)(uintptr_t)own;
        return WGDN_OK;
    }
    wgdn_status st = wgdn_array_int64(&wide, NULL, t, name, err);
    if (st) return st;
    int32_t *block = wgdn_alloc((size_t)count, sizeof *block);
    if (!block) st = no_memory(t, name, err);
    for (int64_t k = 0; !st && k < count; k++) {
        if (wide[k] < INT32_MIN || wide[k] > INT32_MAX)
            st = wgdn_fail(err, WGDN_EFORMAT, "%s: element %lld of %.40s is %lld, beyond 32 bits",
                           wgdn_show_name(name).text, (long long)k, t->name, (long long)wide[k]);
        block[k] = (int32_t)wide[k];
    }
    wgdn_release(wide);
    if (st)
        wgdn_release(block);
    else
        *out = block;
    return st;
}
