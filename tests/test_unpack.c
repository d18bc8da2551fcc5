/* SPDX-License-Identifier: Apache-2.0 */
#define _DEFAULT_SOURCE
#include "scratch.h"

#include "codec/unpack.h"

#include <zlib.h>
#ifdef WGDN_HAVE_ZSTD
#include <zstd.h>
#endif
#ifdef WGDN_HAVE_LZMA
#include <lzma.h>
#endif
#ifdef WGDN_HAVE_BZIP2
#include <bzlib.h>
#endif

static wgdn_error err;

enum { PLAIN = 200000 };
static unsigned char plain[PLAIN], packed[PLAIN];

/* Each packs as one stream and returns its size. */

static size_t pack_gzip(unsigned char *out, size_t room, const void *in, size_t size)
{
    z_stream z = {0};
    CHECK(deflateInit2(&z, 9, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY) == Z_OK);
    z.next_in = (z_const Bytef *)in;
    z.avail_in = (uInt)size;
    z.next_out = out;
    z.avail_out = (uInt)room;
    CHECK(deflate(&z, Z_FINISH) == Z_STREAM_END);
    deflateEnd(&z);
    return room - z.avail_out;
}

#ifdef WGDN_HAVE_ZSTD
static size_t pack_zstd(unsigned char *out, size_t room, const void *in, size_t size)
{
    ZSTD_CCtx *z = ZSTD_createCCtx();
    (void)ZSTD_CCtx_setParameter(z, ZSTD_c_checksumFlag, 1); /* as the program does */
    const size_t made = ZSTD_compress2(z, out, room, in, size);
    CHECK(!ZSTD_isError(made));
    ZSTD_freeCCtx(z);
    return made;
}
#endif
#ifdef WGDN_HAVE_LZMA
static size_t pack_xz(unsigned char *out, size_t room, const void *in, size_t size)
{
    size_t made = 0;
    CHECK(lzma_easy_buffer_encode(6, LZMA_CHECK_CRC64, NULL, in, size, out, &made, room) ==
          LZMA_OK);
    return made;
}
#endif
#ifdef WGDN_HAVE_BZIP2
static size_t pack_bzip2(unsigned char *out, size_t room, const void *in, size_t size)
{
    unsigned made = (unsigned)room;
    CHECK(BZ2_bzBuffToBuffCompress((char *)out, &made, (char *)(uintptr_t)in, (unsigned)size, 1, 0,
                                   0) == BZ_OK);
    return made;
}
#endif

static const struct {
    const wgdn_packing *packing;
    size_t (*pack)(unsigned char *out, size_t room, const void *in, size_t size);
} way[] = {
    {&wgdn_packing_gzip, pack_gzip},
#ifdef WGDN_HAVE_ZSTD
    {&wgdn_packing_zstd, pack_zstd},
#endif
#ifdef WGDN_HAVE_LZMA
    {&wgdn_packing_xz, pack_xz},
#endif
#ifdef WGDN_HAVE_BZIP2
    {&wgdn_packing_bzip2, pack_bzip2},
#endif
};
enum { WAYS = sizeof way / sizeof *way };

static size_t pack_two(int w)
{
    for (int i = 0; i < PLAIN; i++)
        plain[i] = (unsigned char)("hello\n"[i % 6] + (i % 1000 == 0));
    const size_t first = way[w].pack(packed, sizeof packed, plain, PLAIN / 2);
    return first + way[w].pack(packed + first, sizeof packed - first, plain + PLAIN / 2, PLAIN / 2);
}

static wgdn_status unpack(wgdn_bytes *b, int w, size_t size, size_t limit)
{
    const wgdn_bytes in = {.data = packed, .size = size, .name = "part"};
    return wgdn_unpack(b, way[w].packing, &in, limit, &err);
}

static void whole_files(void)
{
    for (int w = 0; w < WAYS; w++) {
        wgdn_bytes b = {0};
        scratch_write("text", packed, pack_two(w));
        const scratch_name path = scratch("text");
        CHECK(wgdn_bytes_read(&b, path.text, PLAIN, &err) == WGDN_OK);
        CHECK(b.size == PLAIN && memcmp(b.data, plain, PLAIN) == 0);
        wgdn_bytes_free(&b);
        CHECK(wgdn_bytes_read(&b, path.text, PLAIN - 1, &err) == WGDN_EFORMAT);
        CHECK(strstr(err.message, "more than the 199999 bytes allowed"));
        CHECK(wgdn_bytes_read(&b, path.text, PLAIN / 2, &err) == WGDN_EFORMAT);
        CHECK_ALLOCATIONS(wgdn_bytes_read(&b, path.text, PLAIN, NULL), wgdn_bytes_free(&b));
        CHECK_FILE_OPERATIONS(wgdn_bytes_read(&b, path.text, PLAIN, NULL), wgdn_bytes_free(&b));
    }
    scratch_files(true);
}

/* Any cut is seen, but for that between the two. */
static void cuts_and_damage(void)
{
    for (int w = 0; w < WAYS; w++) {
        wgdn_bytes b = {0};
        const size_t size = pack_two(w);
        for (size_t cut = 10; cut < size; cut++) {
            const wgdn_status st = unpack(&b, w, cut, PLAIN);
            CHECK(st == WGDN_EFORMAT || (st == WGDN_OK && b.size == PLAIN / 2));
            if (st == WGDN_OK) wgdn_bytes_free(&b);
        }
        CHECK(unpack(&b, w, size - 1, PLAIN) == WGDN_EFORMAT && strstr(err.message, "cut short"));
        packed[size] = 'x';
        CHECK(unpack(&b, w, size + 1, PLAIN) == WGDN_EFORMAT);
        packed[size / 4] ^= 0x10;
        CHECK(unpack(&b, w, size, PLAIN) == WGDN_EFORMAT);
        CHECK(strstr(err.message, way[w].packing->name));
    }
}

static void small_files(void)
{
    for (int w = 0; w < WAYS; w++) {
        wgdn_bytes b = {0};
        size_t size = way[w].pack(packed, sizeof packed, "", 0);
        CHECK(unpack(&b, w, size, 0) == WGDN_OK && b.size == 0);
        wgdn_bytes_free(&b);
        size = way[w].pack(packed, sizeof packed, "abc", 3);
        CHECK(wgdn_packing_of(packed, size) == way[w].packing);
        CHECK(unpack(&b, w, size, 3) == WGDN_OK && b.size == 3 && memcmp(b.data, "abc", 3) == 0);
        wgdn_bytes_free(&b);
        CHECK(unpack(&b, w, size, 2) == WGDN_EFORMAT);
    }
    CHECK(!wgdn_packing_of((const unsigned char *)"BZhang Wei\tann\n", 15));
    CHECK(wgdn_packing_stem("a.tsv.ZST") == 5 && wgdn_packing_stem("a.tsv") == 5);
}

static void first_bytes(void)
{
    for (int w = 0; w < WAYS; w++) {
        char start[64];
        const size_t size = pack_two(w);
        CHECK(wgdn_unpack_start(start, sizeof start, way[w].packing, packed, size) == 64);
        CHECK(memcmp(start, plain, sizeof start) == 0);
        CHECK(wgdn_unpack_start(start, sizeof start, way[w].packing, packed, 10) < 64);
    }
}

/* Zeros between two streams of xz; a frame that zstd skips. */
static void padding(void)
{
    wgdn_bytes b = {0};
    for (int w = 0; w < WAYS; w++) {
        size_t size = way[w].pack(packed, sizeof packed, "abc", 3);
        const char *between = strcmp(way[w].packing->name, "xz") == 0     ? "\0\0\0\0"
                              : strcmp(way[w].packing->name, "zstd") == 0 ? "\x51\x2a\x4d\x18"
                                                                          : NULL;
        if (!between) continue;
        memcpy(packed + size, between, 4);
        size += 4;
        if (between[0]) {
            memcpy(packed + size, "\2\0\0\0xy", 6);
            size += 6;
        }
        size += way[w].pack(packed + size, sizeof packed - size, "def", 3);
        CHECK(unpack(&b, w, size, 6) == WGDN_OK && b.size == 6 && memcmp(b.data, "abcdef", 6) == 0);
        wgdn_bytes_free(&b);
    }
}

int main(void)
{
    scratch_begin();
    RUN(whole_files);
    RUN(cuts_and_damage);
    RUN(small_files);
    RUN(first_bytes);
    RUN(padding);
    CHECK(wgdn_alloc_live() == 0);
    scratch_end();
    return check_result();
}
