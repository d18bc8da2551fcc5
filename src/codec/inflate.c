/* SPDX-License-Identifier: Apache-2.0 */
#include "inflate.h"

#include <limits.h>
#include <string.h>
#include <zlib.h>

enum { RAW = -MAX_WBITS, GZIP = 16 + MAX_WBITS };

static voidpf take(voidpf opaque, uInt items, uInt size)
{
    (void)opaque;
    return wgdn_alloc(items, size);
}

static void give_back(voidpf opaque, voidpf block)
{
    (void)opaque;
    wgdn_release(block);
}

/* zlib counts in unsigned int: hand it at most that much at once. */
static uInt portion(size_t left)
{
    return left < UINT_MAX ? (uInt)left : UINT_MAX;
}

static const char *reason(const z_stream *z, int code)
{
    if (z->msg) return z->msg;
    return code == Z_BUF_ERROR ? "it ends too early" : "the stream is broken";
}

bool wgdn_is_gzip(const unsigned char *data, size_t size)
{
    return size >= 2 && data[0] == 0x1f && data[1] == 0x8b;
}

static wgdn_status grow(wgdn_bytes *b, size_t *room, size_t limit, wgdn_error *err)
{
    size_t wider;
    if (*room >= limit)
        return wgdn_fail(err, WGDN_EFORMAT, "%s: unpacks to more than the %zu bytes allowed",
                         b->name, limit);
    if (!wgdn_size_mul(&wider, *room, 2) || wider > limit) wider = limit;
    void *next = wgdn_alloc(wider, 1);
    if (!next)
        return wgdn_fail(err, WGDN_ENOMEM, "%s: no memory to unpack %zu bytes", b->name, wider);
    if (b->size) memcpy(next, b->block, b->size);
    wgdn_release(b->block);
    b->data = b->block = next;
    *room = wider;
    return WGDN_OK;
}

/* One gzip member from in + *used on; more room is made whenever the unpacked bytes fill it. */
static wgdn_status gunzip_member(wgdn_bytes *b, size_t *room, z_stream *z, const wgdn_bytes *in,
                                 size_t *used, size_t limit, wgdn_error *err)
{
    for (;;) {
        z->next_in = (z_const Bytef *)in->data + *used;
        z->avail_in = portion(in->size - *used);
        z->next_out = (Bytef *)b->block + b->size;
        z->avail_out = portion(*room - b->size);
        const uInt had = z->avail_in, free_before = z->avail_out;
        const int code = inflate(z, Z_NO_FLUSH);
        *used += had - z->avail_in;
        b->size += free_before - z->avail_out;
        if (code == Z_STREAM_END) return WGDN_OK;
        if (code == Z_MEM_ERROR) return wgdn_fail(err, WGDN_ENOMEM, "%s: unpacking", b->name);
        if (code != Z_OK && code != Z_BUF_ERROR)
            return wgdn_fail(err, WGDN_EFORMAT, "%s: gzip stream broken at byte %zu: %s", b->name,
                             *used, reason(z, code));
        if (b->size == *room) {
            wgdn_status st = grow(b, room, limit, err);
            if (st != WGDN_OK) return st;
        } else if (*used == in->size) {
            return wgdn_fail(err, WGDN_EFORMAT,
                             "%s: gzip stream cut short at byte %zu: fetch the file again", b->name,
                             *used);
        }
    }
}

wgdn_status wgdn_gunzip(wgdn_bytes *out, const wgdn_bytes *in, size_t limit, wgdn_error *err)
{
    wgdn_bytes b = {.name = in->name};
    z_stream z = {.zalloc = take, .zfree = give_back};
    size_t used = 0, room = 0;
    wgdn_status st = WGDN_OK;

    /* Text packs four to eight times. */
    if (!wgdn_size_mul(&room, in->size, 4) || room > limit) room = limit;
    b.data = b.block = wgdn_alloc(room, 1);
    if (!b.block || inflateInit2(&z, GZIP) != Z_OK) {
        st = wgdn_fail(err, WGDN_ENOMEM, "%s: no memory to unpack %zu bytes", b.name, room);
        goto done;
    }
    do {
        st = gunzip_member(&b, &room, &z, in, &used, limit, err);
        if (st != WGDN_OK) goto done;
        if (used < in->size && !wgdn_is_gzip(in->data + used, in->size - used)) {
            st = wgdn_fail(err, WGDN_EFORMAT,
                           "%s: %zu bytes follow the gzip stream at byte %zu; expected the end",
                           b.name, in->size - used, used);
            goto done;
        }
    } while (used < in->size && inflateReset(&z) == Z_OK);
    *out = b;
    b = (wgdn_bytes){0};

done:
    inflateEnd(&z);
    wgdn_bytes_free(&b);
    return st;
}

wgdn_status wgdn_inflate(void *out, size_t size, const void *in, size_t packed, const char *name,
                         size_t at, wgdn_error *err)
{
    z_stream z = {.zalloc = take, .zfree = give_back};
    size_t used = 0, made = 0;
    unsigned char beyond; /* room for the byte that must not come */
    wgdn_status st = WGDN_OK;
    int code;

    if (inflateInit2(&z, RAW) != Z_OK)
        return wgdn_fail(err, WGDN_ENOMEM, "%s: no memory to unpack", name);
    do {
        z.next_in = (z_const Bytef *)in + used;
        z.avail_in = portion(packed - used);
        z.next_out = made < size ? (Bytef *)out + made : &beyond;
        z.avail_out = made < size ? portion(size - made) : 1;
        const uInt had = z.avail_in, free_before = z.avail_out;
        code = inflate(&z, Z_NO_FLUSH);
        used += had - z.avail_in;
        made += free_before - z.avail_out;
    } while (code == Z_OK && made <= size);
    if (code == Z_MEM_ERROR)
        st = wgdn_fail(err, WGDN_ENOMEM, "%s: no memory to unpack", name);
    else if (made > size)
        st = wgdn_fail(err, WGDN_EFORMAT,
                       "%s: packed data at byte %zu gives more than the %zu bytes declared", name,
                       at, size);
    else if (code != Z_STREAM_END)
        st = wgdn_fail(err, WGDN_EFORMAT, "%s: packed data broken at byte %zu: %s", name, at + used,
                       reason(&z, code));
    else if (made != size || used != packed)
        st = wgdn_fail(err, WGDN_EFORMAT,
                       "%s: packed data at byte %zu: %zu bytes gave %zu, declared %zu and %zu",
                       name, at, used, made, packed, size);
    inflateEnd(&z);
    return st;
}

wgdn_status wgdn_deflate(void **out, size_t *packed, const void *in, size_t size, wgdn_error *err)
{
    z_stream z = {.zalloc = take, .zfree = give_back};
    wgdn_status st = WGDN_OK;
    void *block = NULL;

    if (size > UINT_MAX / 2) return wgdn_fail(err, WGDN_ERANGE, "deflate: %zu bytes at once", size);
    if (deflateInit2(&z, 1, Z_DEFLATED, RAW, 8, Z_DEFAULT_STRATEGY) != Z_OK)
        return wgdn_fail(err, WGDN_ENOMEM, "deflate: no memory for its state");
    const uLong room = deflateBound(&z, (uLong)size);
    block = wgdn_alloc(room, 1);
    if (!block) {
        st = wgdn_fail(err, WGDN_ENOMEM, "deflate: no memory for %lu bytes", room);
        goto done;
    }
    z.next_in = (z_const Bytef *)in;
    z.avail_in = (uInt)size;
    z.next_out = block;
    z.avail_out = (uInt)room;
    if (deflate(&z, Z_FINISH) != Z_STREAM_END) {
        st = wgdn_fail(err, WGDN_EIO, "deflate: %zu bytes did not fit their bound", size);
        goto done;
    }
    *out = block;
    *packed = (size_t)z.total_out;
    block = NULL;

done:
    deflateEnd(&z);
    wgdn_release(block);
    return st;
}
