/* SPDX-License-Identifier: Apache-2.0 */
#include "inflate.h"

#include "unpack.h"

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

/* ---- gzip ---- */

static bool is_gzip(const unsigned char *data, size_t size)
{
    return size >= 2 && data[0] == 0x1f && data[1] == 0x8b;
}

static void close_gzip(void *state)
{
    inflateEnd(state);
    wgdn_release(state);
}

static bool open_gzip(void **state)
{
    z_stream *z = wgdn_alloc_zero(1, sizeof *z);
    if (!z) return false;
    z->zalloc = take;
    z->zfree = give_back;
    if (inflateInit2(z, GZIP) != Z_OK) {
        wgdn_release(z);
        return false;
    }
    *state = z;
    return true;
}

static wgdn_step step_gzip(void *state, wgdn_flow *f)
{
    z_stream *z = state;
    z->next_in = (z_const Bytef *)f->in;
    z->avail_in = portion(f->in_left);
    z->next_out = f->out;
    z->avail_out = portion(f->out_left);
    const uInt had = z->avail_in, free_before = z->avail_out;
    const int code = inflate(z, Z_NO_FLUSH);
    f->in = z->next_in;
    f->out = z->next_out;
    f->in_left -= had - z->avail_in;
    f->out_left -= free_before - z->avail_out;
    if (code == Z_STREAM_END) return WGDN_STEP_END;
    if (code == Z_MEM_ERROR) return WGDN_STEP_NO_MEMORY;
    if (code == Z_OK || code == Z_BUF_ERROR) return WGDN_STEP_MORE;
    f->why = z->msg;
    return WGDN_STEP_BROKEN;
}

static bool gzip_again(void *state)
{
    return inflateReset(state) == Z_OK;
}

const wgdn_packing wgdn_packing_gzip = {
    "gzip", ".gz", "zlib1g-dev", is_gzip, open_gzip, step_gzip, gzip_again, close_gzip,
};

/* ---- deflate without a frame ---- */

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
