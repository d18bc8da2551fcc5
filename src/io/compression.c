/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Decompresses gzip, zstd, xz and bzip2 behind one streaming interface, and compresses with
 * deflate. File reading in source.c, zip members and large edge lists use it.
 */
#include "compression.h"
#include "text.h"

#include <limits.h>
#include <string.h>
#include <zlib.h>

static const wgdn_packing *const packings[] = {&wgdn_packing_gzip, &wgdn_packing_zstd,
                                               &wgdn_packing_xz, &wgdn_packing_bzip2, NULL};

const wgdn_packing *wgdn_packing_of(const unsigned char *data, size_t size)
{
    const wgdn_packing *const *p = packings;
    while (*p && !(*p)->is(data, size))
        p++;
    return *p;
}

size_t wgdn_packing_stem(const char *path)
{
    for (const wgdn_packing *const *p = packings; *p; p++)
        if (wgdn_path_ends(path, (*p)->suffix)) return strlen(path) - strlen((*p)->suffix);
    return strlen(path);
}

/* Where the bytes go: all of them into memory, or a buffer after another to a sink. */
typedef struct target {
    wgdn_bytes b;
    size_t room, limit;
    size_t gone; /* bytes that the sink has */
    const wgdn_sink *sink;
} target;

static wgdn_status grow(target *t, wgdn_error *err)
{
    wgdn_bytes *const b = &t->b;
    size_t wider;
    if (!wgdn_size_mul(&wider, t->room, 2) || wider > t->limit) wider = t->limit;
    void *next = wgdn_alloc(wider, 1);
    if (!next)
        return wgdn_fail(err, WGDN_ENOMEM, "%s: no memory to unpack %zu bytes", b->name, wider);
    if (b->size) memcpy(next, b->block, b->size);
    wgdn_release(b->block);
    b->data = b->block = next;
    t->room = wider;
    return WGDN_OK;
}

static wgdn_status flush(target *t, wgdn_error *err)
{
    const size_t size = t->b.size;
    t->gone += size;
    t->b.size = 0;
    if (t->room > t->limit - t->gone) t->room = t->limit - t->gone;
    return t->sink->put(t->sink->user, t->b.block, size, err);
}

static wgdn_status make_room(target *t, wgdn_error *err)
{
    if (t->b.size < t->room) return WGDN_OK;
    if (t->sink) return t->b.size ? flush(t, err) : WGDN_OK;
    return t->room < t->limit ? grow(t, err) : WGDN_OK;
}

static wgdn_status broken(const wgdn_packing *p, const char *why, const char *name, size_t used,
                          wgdn_error *err)
{
    return wgdn_fail_in(err, WGDN_EFORMAT, name, "%s stream broken at byte %zu: %s", p->name, used,
                        why ? why : "the data is wrong");
}

/* One stream from in + *used on; more room is made whenever the unpacked bytes fill it. */
static wgdn_status unpack_stream(target *t, const wgdn_packing *p, void *state,
                                 const wgdn_bytes *in, size_t *used, wgdn_error *err)
{
    wgdn_bytes *const b = &t->b;
    unsigned char beyond; /* room for the byte that must not come */
    for (;;) {
        const wgdn_status st = make_room(t, err);
        if (st) return st;
        const bool full = b->size == t->room;
        wgdn_flow f = {.in = in->data + *used,
                       .in_left = in->size - *used,
                       .out = full ? &beyond : (unsigned char *)b->block + b->size,
                       .out_left = full ? 1 : t->room - b->size};
        const size_t in_before = f.in_left, out_before = f.out_left;
        const wgdn_step step = p->step(state, &f);
        if (t->sink) wgdn_bytes_forget(in, *used, *used + in_before - f.in_left);
        *used += in_before - f.in_left;
        if (full && f.out_left == 0)
            return wgdn_fail(err, WGDN_EFORMAT, "%s: unpacks to more than the %zu bytes allowed",
                             b->name, t->limit);
        b->size += out_before - f.out_left;
        if (step == WGDN_STEP_END) return WGDN_OK;
        if (step == WGDN_STEP_NO_MEMORY)
            return wgdn_fail(err, WGDN_ENOMEM, "%s: unpacking", b->name);
        if (step == WGDN_STEP_BROKEN) return broken(p, f.why, b->name, *used, err);
        if (f.in_left == 0 && f.out_left > 0)
            return wgdn_fail(err, WGDN_EFORMAT,
                             "%s: %s stream cut short at byte %zu: fetch the file again", b->name,
                             p->name, *used);
        if (f.in_left == in_before && f.out_left == out_before)
            return broken(p, f.why, b->name, *used, err);
    }
}

static wgdn_status not_built(const wgdn_packing *p, const char *name, wgdn_error *err)
{
    return wgdn_fail_in(err, WGDN_ENOSUPPORT, name,
                        "packed with %s, which this build does not read: install %s and build "
                        "again, or pipe it in: %s -dc FILE | wgdn info -",
                        p->name, p->package, p->name);
}

/* All streams, one behind another. */
static wgdn_status unpack_all(target *t, const wgdn_packing *p, const wgdn_bytes *in,
                              wgdn_error *err)
{
    void *state = NULL;
    size_t used = 0;
    wgdn_status st = WGDN_OK;

    if (!p->open) return not_built(p, in->name, err);
    t->b.name = in->name;
    t->b.data = t->b.block = wgdn_alloc(t->room, 1);
    if (!t->b.block || !p->open(&state))
        return wgdn_fail(err, WGDN_ENOMEM, "%s: no memory to unpack %zu bytes", in->name, t->room);
    for (;;) {
        st = unpack_stream(t, p, state, in, &used, err);
        if (st || used == in->size) break;
        if (!p->is(in->data + used, in->size - used)) {
            st = wgdn_fail(err, WGDN_EFORMAT,
                           "%s: %zu bytes follow the %s stream at byte %zu; expected the end",
                           in->name, in->size - used, p->name, used);
            break;
        }
        if (!p->again(state)) {
            st = wgdn_fail(err, WGDN_ENOMEM, "%s: unpacking", in->name);
            break;
        }
    }
    if (!st && t->sink) st = flush(t, err);
    p->close(state);
    return st;
}

wgdn_status wgdn_unpack(wgdn_bytes *out, const wgdn_packing *p, const wgdn_bytes *in, size_t limit,
                        wgdn_error *err)
{
    target t = {.limit = limit};
    /* Text packs four to eight times. */
    if (!wgdn_size_mul(&t.room, in->size, 4) || t.room > limit) t.room = limit;
    const wgdn_status st = unpack_all(&t, p, in, err);
    if (st)
        wgdn_bytes_free(&t.b);
    else
        *out = t.b;
    return st;
}

wgdn_status wgdn_unpack_to(const wgdn_sink *sink, const wgdn_packing *p, const wgdn_bytes *in,
                           size_t limit, wgdn_error *err)
{
    const size_t buffer = (size_t)1 << 18;
    target t = {.limit = limit, .room = limit < buffer ? limit : buffer, .sink = sink};
    const wgdn_status st = unpack_all(&t, p, in, err);
    wgdn_bytes_free(&t.b);
    return st;
}

size_t wgdn_unpack_start(void *out, size_t room, const wgdn_packing *p, const void *in, size_t size)
{
    wgdn_flow f = {.in = in, .in_left = size, .out = out, .out_left = room};
    void *state = NULL;
    size_t before;
    if (!p->open || !p->open(&state)) return 0;
    do
        before = f.in_left + f.out_left;
    while (p->step(state, &f) == WGDN_STEP_MORE && f.out_left > 0 && f.in_left > 0 &&
           f.in_left + f.out_left < before);
    p->close(state);
    return room - f.out_left;
}

enum { RAW = -MAX_WBITS, GZIP = 16 + MAX_WBITS };

static voidpf take(voidpf opaque, uInt items, uInt size)
{
    (void)opaque;
    return wgdn_alloc(items, size);
}

static void give_back(void *opaque, void *block)
{
    (void)opaque;
    wgdn_release(block);
}

/* zlib and bzlib count in unsigned int: they get at most that much at once. */
static unsigned portion(size_t left)
{
    return left < UINT_MAX ? (unsigned)left : UINT_MAX;
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

/* A frame, or one to be skipped, with which some writers begin. */
static bool is_zstd(const unsigned char *data, size_t size)
{
    if (size < 4) return false;
    return memcmp(data, "\x28\xb5\x2f\xfd", 4) == 0 ||
           ((data[0] & 0xf0) == 0x50 && memcmp(data + 1, "\x2a\x4d\x18", 3) == 0);
}

#ifdef WGDN_HAVE_ZSTD
#include <zstd.h>
#include <zstd_errors.h>

#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION
enum { WINDOW_LOG_MAX = 16 }; /* clearing more takes most of a run */
#else
enum { WINDOW_LOG_MAX = 27 }; /* 128 MiB: what zstd itself accepts unasked */
#endif

static void close_zstd(void *state)
{
    ZSTD_freeDCtx(state);
}

static bool open_zstd(void **state)
{
    ZSTD_DCtx *z = ZSTD_createDCtx();
    if (!z) return false;
    (void)ZSTD_DCtx_setParameter(z, ZSTD_d_windowLogMax, WINDOW_LOG_MAX);
    *state = z;
    return true;
}

static wgdn_step step_zstd(void *state, wgdn_flow *f)
{
    ZSTD_inBuffer in = {f->in, f->in_left, 0};
    ZSTD_outBuffer out = {f->out, f->out_left, 0};
    const size_t code = ZSTD_decompressStream(state, &out, &in);
    f->in += in.pos;
    f->in_left -= in.pos;
    f->out += out.pos;
    f->out_left -= out.pos;
    if (code == 0) return WGDN_STEP_END;
    if (!ZSTD_isError(code)) return WGDN_STEP_MORE;
    switch (ZSTD_getErrorCode(code)) {
    case ZSTD_error_memory_allocation: return WGDN_STEP_NO_MEMORY;
    case ZSTD_error_dstSize_tooSmall:
    case ZSTD_error_noForwardProgress_destFull: return WGDN_STEP_MORE;
    case ZSTD_error_frameParameter_windowTooLarge:
        f->why = "its window is above 128 MiB: pack it again without --long";
        break;
    default: f->why = ZSTD_getErrorName(code);
    }
    return WGDN_STEP_BROKEN;
}

static bool zstd_again(void *state)
{
    return !ZSTD_isError(ZSTD_DCtx_reset(state, ZSTD_reset_session_only));
}

const wgdn_packing wgdn_packing_zstd = {
    "zstd", ".zst", "libzstd-dev", is_zstd, open_zstd, step_zstd, zstd_again, close_zstd,
};
#else
const wgdn_packing wgdn_packing_zstd = {
    .name = "zstd", .suffix = ".zst", .package = "libzstd-dev", .is = is_zstd};
#endif

static bool is_xz(const unsigned char *data, size_t size)
{
    return size >= 6 && memcmp(data,
                               "\xfd"
                               "7zXZ\0",
                               6) == 0;
}

#ifdef WGDN_HAVE_LZMA
#include <lzma.h>

#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION
static const uint64_t memory_max = (uint64_t)1 << 20; /* clearing more takes most of a run */
#else
static const uint64_t memory_max = (uint64_t)256 << 20; /* xz -9 takes 65 MiB */
#endif

static void *xz_take(void *opaque, size_t items, size_t size)
{
    (void)opaque;
    return wgdn_alloc(items, size);
}

static void close_xz(void *state)
{
    lzma_end(state);
    wgdn_release(state);
}

static bool xz_again(void *state)
{
    return lzma_stream_decoder(state, memory_max, LZMA_CONCATENATED) == LZMA_OK;
}

static bool open_xz(void **state)
{
    static const lzma_allocator memory = {xz_take, give_back, NULL};
    const lzma_stream clean = LZMA_STREAM_INIT;
    lzma_stream *z = wgdn_alloc(1, sizeof *z);
    if (!z) return false;
    *z = clean;
    z->allocator = &memory;
    if (!xz_again(z)) {
        close_xz(z);
        return false;
    }
    *state = z;
    return true;
}

/* Streams that follow one another, and zeros between them, are the decoder's own business. */
static wgdn_step step_xz(void *state, wgdn_flow *f)
{
    lzma_stream *z = state;
    z->next_in = f->in;
    z->avail_in = f->in_left;
    z->next_out = f->out;
    z->avail_out = f->out_left;
    const lzma_ret code = lzma_code(z, LZMA_FINISH);
    f->in = z->next_in;
    f->in_left = z->avail_in;
    f->out = z->next_out;
    f->out_left = z->avail_out;
    switch (code) {
    case LZMA_STREAM_END: return WGDN_STEP_END;
    case LZMA_OK:
    case LZMA_BUF_ERROR: return WGDN_STEP_MORE;
    case LZMA_MEM_ERROR: return WGDN_STEP_NO_MEMORY;
    case LZMA_MEMLIMIT_ERROR: f->why = "it takes more than 256 MiB: pack it again with -9"; break;
    case LZMA_OPTIONS_ERROR: f->why = "a filter that is not known here"; break;
    default: f->why = NULL;
    }
    return WGDN_STEP_BROKEN;
}

const wgdn_packing wgdn_packing_xz = {
    "xz", ".xz", "liblzma-dev", is_xz, open_xz, step_xz, xz_again, close_xz,
};
#else
const wgdn_packing wgdn_packing_xz = {
    .name = "xz", .suffix = ".xz", .package = "liblzma-dev", .is = is_xz};
#endif

/* BZh, the size of blocks, then a block or the end of an empty stream. */
static bool is_bzip2(const unsigned char *data, size_t size)
{
    return size >= 10 && memcmp(data, "BZh", 3) == 0 && data[3] >= '1' && data[3] <= '9' &&
           (memcmp(data + 4, "1AY&SY", 6) == 0 || memcmp(data + 4, "\x17rE8P\x90", 6) == 0);
}

#ifdef WGDN_HAVE_BZIP2
#include <bzlib.h>

static void *bzip2_take(void *opaque, int items, int size)
{
    (void)opaque;
    return wgdn_alloc((size_t)items, (size_t)size);
}

static void close_bzip2(void *state)
{
    (void)BZ2_bzDecompressEnd(state);
    wgdn_release(state);
}

static bool begin(bz_stream *z)
{
    *z = (bz_stream){.bzalloc = bzip2_take, .bzfree = give_back};
    return BZ2_bzDecompressInit(z, 0, 0) == BZ_OK;
}

static bool open_bzip2(void **state)
{
    bz_stream *z = wgdn_alloc(1, sizeof *z);
    if (!z) return false;
    if (!begin(z)) {
        wgdn_release(z);
        return false;
    }
    *state = z;
    return true;
}

static bool bzip2_again(void *state)
{
    (void)BZ2_bzDecompressEnd(state);
    return begin(state);
}

static wgdn_step step_bzip2(void *state, wgdn_flow *f)
{
    bz_stream *z = state;
    const unsigned in = portion(f->in_left), out = portion(f->out_left);
    z->next_in = (char *)(uintptr_t)f->in;
    z->avail_in = in;
    z->next_out = (char *)f->out;
    z->avail_out = out;
    const int code = BZ2_bzDecompress(z);
    f->in += in - z->avail_in;
    f->in_left -= in - z->avail_in;
    f->out += out - z->avail_out;
    f->out_left -= out - z->avail_out;
    switch (code) {
    case BZ_STREAM_END: return WGDN_STEP_END;
    case BZ_OK: return WGDN_STEP_MORE;
    case BZ_MEM_ERROR: return WGDN_STEP_NO_MEMORY;
    default: return WGDN_STEP_BROKEN;
    }
}

const wgdn_packing wgdn_packing_bzip2 = {
    "bzip2", ".bz2", "libbz2-dev", is_bzip2, open_bzip2, step_bzip2, bzip2_again, close_bzip2,
};
#else
const wgdn_packing wgdn_packing_bzip2 = {
    .name = "bzip2", .suffix = ".bz2", .package = "libbz2-dev", .is = is_bzip2};
#endif
