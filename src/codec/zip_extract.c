/* SPDX-License-Identifier: Apache-2.0 */
#include "inflate.h"
#include "unicode.h"
#include "zip.h"

#include <string.h>
#include <zlib.h>

int64_t wgdn_zip_find(const wgdn_zip *z, const char *suffix)
{
    const size_t size = strlen(suffix);
    for (int64_t i = 0; i < z->members; i++) {
        const size_t length = strlen(z->member[i].name);
        if (length >= size && strcmp(z->member[i].name + (length - size), suffix) == 0) return i;
    }
    return -1;
}

static wgdn_status check_sum(const wgdn_bytes *out, const wgdn_zip *z, const wgdn_zip_member *m,
                             wgdn_error *err)
{
#if defined(FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION)
    return WGDN_OK; /* a fuzzer that had to guess checksums would see nothing behind them */
#endif
    if (crc32_z(0, out->data, out->size) == m->crc) return WGDN_OK;
    return wgdn_zip_refuse(z->bytes, m, "its checksum is wrong: the file is damaged", err);
}

wgdn_status wgdn_zip_extract(wgdn_bytes *out, const wgdn_zip *z, int64_t i, size_t limit,
                             wgdn_error *err)
{
    const wgdn_zip_member *m = &z->member[i];
    const unsigned char *packed = z->bytes->data + m->offset;
    wgdn_status st = WGDN_OK;
    if (m->size > limit)
        return wgdn_fail(err, WGDN_EFORMAT,
                         "%s: zip member '%s' unpacks to %zu bytes; %zu are allowed",
                         z->bytes->name, wgdn_quote(m->name, strlen(m->name)).text, m->size, limit);
    wgdn_bytes made = {.size = m->size, .name = m->name, .block = wgdn_alloc(m->size, 1)};
    made.data = made.block;
    if (!made.block)
        return wgdn_fail(err, WGDN_ENOMEM, "%s: no memory to unpack %zu bytes", z->bytes->name,
                         m->size);
    if (m->deflated)
        st = wgdn_inflate(made.block, m->size, packed, m->packed, z->bytes->name, m->offset, err);
    else if (m->size)
        memcpy(made.block, packed, m->size);
    if (st == WGDN_OK) st = check_sum(&made, z, m, err);
    if (st == WGDN_OK)
        *out = made;
    else
        wgdn_bytes_free(&made);
    return st;
}

wgdn_status wgdn_zip_borrow(wgdn_bytes *out, const wgdn_zip *z, int64_t i, wgdn_error *err)
{
    const wgdn_zip_member *m = &z->member[i];
    const wgdn_bytes view = {.data = z->bytes->data + m->offset, .size = m->size, .name = m->name};
    if (m->deflated)
        return wgdn_zip_refuse(z->bytes, m, "it is deflated and cannot be borrowed", err);
    wgdn_status st = check_sum(&view, z, m, err);
    if (st == WGDN_OK) *out = view;
    return st;
}
