/* SPDX-License-Identifier: Apache-2.0 */
/* Compressed files and zip archives. */
#define _DEFAULT_SOURCE
#include "scratch.h"

#include "io/compression.h"
#include "io/zip.h"

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

/* ---- unpack ---- */

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

static int unpack_tests(void)
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

/* ---- zip ---- */

/* Three members: one that packs well, one that does not, one empty. */
static wgdn_status write_three(const char *path, uint64_t wide_from, wgdn_error *e)
{
    static char zeros[5000];
    wgdn_zip_writer w = {0};
    wgdn_status st = wgdn_zip_begin(&w, path, e);
    if (st != WGDN_OK) return st;
    w.wide_from = wide_from;
    st = wgdn_zip_add(&w, "zeros", "head", 4, zeros, sizeof zeros, e);
    if (st == WGDN_OK) st = wgdn_zip_add(&w, "set/short.txt", "x", 1, "y", 1, e);
    if (st == WGDN_OK) st = wgdn_zip_add(&w, "\xc3\xa9", "", 0, NULL, 0, e);
    if (st == WGDN_OK) return wgdn_zip_commit(&w, e);
    wgdn_zip_abandon(&w);
    return st;
}

static wgdn_bytes three(uint64_t wide_from)
{
    wgdn_bytes b = {0};
    scratch_name path = scratch("three.zip");
    CHECK(write_three(path.text, wide_from, &err) == WGDN_OK);
    CHECK(wgdn_bytes_read(&b, path.text, 1 << 20, &err) == WGDN_OK);
    b.name = "three.zip";
    return b;
}

static void check_three(const wgdn_bytes *b)
{
    wgdn_zip z = {0};
    wgdn_bytes m = {0};
    CHECK(wgdn_zip_open(&z, b, &err) == WGDN_OK);
    CHECK(z.members == 3 && z.member[0].deflated && !z.member[1].deflated);
    CHECK(wgdn_zip_find(&z, "short.txt") == 1 && wgdn_zip_find(&z, "nothing") == -1);
    CHECK_TEXT(z.member[2].name, "\xc3\xa9");
    CHECK(z.member[0].size == 5004 && z.member[1].size == 2 && z.member[2].size == 0);
    CHECK(wgdn_zip_extract(&m, &z, 0, 5004, &err) == WGDN_OK);
    CHECK(m.size == 5004 && memcmp(m.data, "head\0\0", 6) == 0 && m.data[5003] == 0);
    wgdn_bytes_free(&m);
    CHECK(wgdn_zip_extract(&m, &z, 0, 5003, &err) == WGDN_EFORMAT);
    CHECK(strstr(err.message, "zeros") && strstr(err.message, "5003 are allowed"));
    CHECK(wgdn_zip_borrow(&m, &z, 1, &err) == WGDN_OK && memcmp(m.data, "xy", 2) == 0 && !m.block);
    CHECK(wgdn_zip_borrow(&m, &z, 0, &err) == WGDN_EFORMAT);
    CHECK(wgdn_zip_extract(&m, &z, 2, 0, &err) == WGDN_OK && m.size == 0);
    wgdn_bytes_free(&m);
    CHECK_ALLOCATIONS(wgdn_zip_extract(&m, &z, 0, 5004, NULL), wgdn_bytes_free(&m));
    wgdn_zip_free(&z);
    CHECK_ALLOCATIONS(wgdn_zip_open(&z, b, NULL), wgdn_zip_free(&z));
}

static void round_trip(void)
{
    const uint64_t wide_from[] = {UINT32_MAX, 0, 3}; /* plain, all zip64, some */
    for (int i = 0; i < 3; i++) {
        wgdn_bytes b = three(wide_from[i]);
        check_three(&b);
        wgdn_bytes_free(&b);
    }
    scratch_name path = scratch("three.zip");
    CHECK_ALLOCATIONS(write_three(path.text, 0, NULL), (void)0);
    CHECK_FILE_OPERATIONS(write_three(path.text, 0, NULL), (void)0);
    CHECK(scratch_files(true) == 1);
}

/* Noise is stored, though it would shrink a little; digits are deflated; both come back. */
static void what_hardly_shrinks_is_stored(void)
{
    enum { N = 500000 };
    unsigned char *noise = wgdn_alloc(N, 1), *digits = wgdn_alloc(N, 1);
    uint32_t state = 1;
    for (int i = 0; i < N; i++) {
        state = state * 1664525u + 1013904223u;
        noise[i] = i % 4 == 3 ? 63 : (unsigned char)(state >> 24); /* as the exponents of floats */
        digits[i] = (unsigned char)('0' + (state >> 24) % 10);
    }
    wgdn_zip_writer w = {0};
    wgdn_bytes b = {0}, m = {0};
    wgdn_zip z = {0};
    scratch_name path = scratch("two.zip");
    CHECK(wgdn_zip_begin(&w, path.text, &err) == WGDN_OK);
    CHECK(wgdn_zip_add(&w, "noise", "", 0, noise, N, &err) == WGDN_OK);
    CHECK(wgdn_zip_add(&w, "digits", "", 0, digits, N, &err) == WGDN_OK);
    CHECK(wgdn_zip_commit(&w, &err) == WGDN_OK);
    CHECK(wgdn_bytes_read(&b, path.text, 1 << 20, &err) == WGDN_OK);
    CHECK(wgdn_zip_open(&z, &b, &err) == WGDN_OK);
    CHECK(z.members == 2 && !z.member[0].deflated && z.member[1].deflated);
    CHECK(wgdn_zip_borrow(&m, &z, 0, &err) == WGDN_OK && memcmp(m.data, noise, N) == 0);
    CHECK(wgdn_zip_extract(&m, &z, 1, N, &err) == WGDN_OK && memcmp(m.data, digits, N) == 0);
    wgdn_bytes_free(&m);
    wgdn_zip_free(&z);
    wgdn_bytes_free(&b);
    wgdn_release(digits);
    wgdn_release(noise);
    scratch_files(true);
}

static void names_must_differ(void)
{
    wgdn_zip_writer w = {0};
    CHECK(wgdn_zip_begin(&w, scratch("two.zip").text, &err) == WGDN_OK);
    CHECK(wgdn_zip_add(&w, "a", "1", 1, NULL, 0, &err) == WGDN_OK);
    CHECK(wgdn_zip_add(&w, "a", "2", 1, NULL, 0, &err) == WGDN_EINVAL);
    CHECK(wgdn_zip_add(&w, "\xff", "2", 1, NULL, 0, &err) == WGDN_EINVAL);
    wgdn_zip_abandon(&w);
    CHECK(scratch_files(true) == 0);
}

/* Change bytes at an offset of the n-th record that begins with PK and these two bytes. */
static void patch(unsigned char *data, size_t size, const char *kind, int n, size_t at,
                  const void *with, size_t length)
{
    for (size_t i = 0; i + 4 <= size; i++) {
        if (memcmp(data + i, "PK", 2) != 0 || memcmp(data + i + 2, kind, 2) != 0) continue;
        if (n-- > 0) continue;
        memcpy(data + i + at, with, length);
        return;
    }
    CHECK(!"no such record");
}

static wgdn_status open_and_extract(const wgdn_bytes *b)
{
    wgdn_zip z = {0};
    wgdn_bytes m = {0};
    wgdn_status st = wgdn_zip_open(&z, b, &err);
    if (st != WGDN_OK) return st;
    for (int64_t i = 0; st == WGDN_OK && i < z.members; i++) {
        st = wgdn_zip_extract(&m, &z, i, 1 << 20, &err);
        if (st == WGDN_OK) wgdn_bytes_free(&m);
    }
    wgdn_zip_free(&z);
    return st;
}

static void refuses_what_is_wrong(void)
{
    static const struct {
        const char *kind;
        int n;
        size_t at;
        const char *with;
        size_t length;
        const char *says;
    } cases[] = {
        {"\1\2", 0, 8, "\1", 1, "encrypted"},
        {"\3\4", 0, 6, "\1", 1, "disagree"},
        {"\1\2", 0, 10, "\x0c", 1, "stored or deflated"},
        {"\1\2", 1, 10, "\x08", 1, "disagree"},
        {"\3\4", 1, 30, "S", 1, "disagree"},
        {"\1\2", 1, 46, "\0", 1, "NUL"},
        {"\1\2", 1, 34, "\1", 1, "another disk"},
        {"\1\2", 1, 42, "\0\0\0\0", 4, "disagree"},
        {"\1\2", 1, 42, "\0\0\1\0", 4, "no local header"},
        {"\1\2", 1, 20, "\3", 1, "two sizes differ"},
        {"\1\2", 0, 24, "\0\0\0\x10", 4, "more than deflate"},
        {"\1\2", 0, 24, "\x8d", 1, "declared"},      /* one more than there is */
        {"\1\2", 0, 24, "\x8b", 1, "declared"},      /* one less */
        {"\1\2", 0, 20, "\xff\xff\0\0", 4, "leave"}, /* out of the file */
        {"\1\2", 0, 28, "\xff\xff", 2, "directory entry"},
        {"\1\2", 0, 30, "\1", 1, "directory entry"},
        {"\5\6", 0, 4, "\1", 1, "one disk"},
        {"\5\6", 0, 10, "\4", 1, "one disk"},
        {"\5\6", 0, 8, "\4\0\4\0", 4, "more members"},
        {"\5\6", 0, 8, "\2\0\2\0", 4, "after the last"},
        {"\5\6", 0, 8, "\xff\xff\xff\xff", 4, "more members"},
        {"\5\6", 0, 16, "\xff\xff\xff\xff", 4, "does not end"},
        {"\5\6", 0, 12, "\0", 1, "does not end"},
        {"\5\6", 0, 20, "\1", 1, "no end record"},
        {"\3\4", 1, 43, "X", 1, "checksum"},
    };
    wgdn_bytes b = three(UINT32_MAX);
    unsigned char *copy = malloc(b.size);
    const wgdn_bytes view = {.data = copy, .size = b.size, .name = "three.zip"};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        memcpy(copy, b.data, b.size);
        patch(copy, b.size, "\3\4", 0, 6, "\x08", 1); /* leave its sizes to the directory */
        patch(copy, b.size, cases[i].kind, cases[i].n, cases[i].at, cases[i].with, cases[i].length);
        CHECK(open_and_extract(&view) == WGDN_EFORMAT);
        if (!strstr(err.message, cases[i].says)) {
            fprintf(stderr, "case %zu: %s\n", i, err.message);
            check_failures++;
        }
    }
    free(copy);
    wgdn_bytes_free(&b);
    scratch_files(true);
}

/* Two entries of the directory that point at the same bytes, and two of one name. */
static void refuses_overlap_and_doubles(void)
{
    wgdn_zip_writer w = {0};
    wgdn_bytes b = {0};
    scratch_name path = scratch("two.zip");
    CHECK(wgdn_zip_begin(&w, path.text, &err) == WGDN_OK);
    CHECK(wgdn_zip_add(&w, "a", "1234", 4, NULL, 0, &err) == WGDN_OK);
    CHECK(wgdn_zip_add(&w, "b", "1234", 4, NULL, 0, &err) == WGDN_OK);
    CHECK(wgdn_zip_commit(&w, &err) == WGDN_OK);
    CHECK(wgdn_bytes_read(&b, path.text, 1 << 20, &err) == WGDN_OK);
    unsigned char *data = b.block;
    CHECK(open_and_extract(&b) == WGDN_OK);
    patch(data, b.size, "\1\2", 1, 46, "a", 1);
    patch(data, b.size, "\3\4", 1, 30, "a", 1);
    CHECK(open_and_extract(&b) == WGDN_EFORMAT && strstr(err.message, "two of this name"));
    patch(data, b.size, "\1\2", 1, 46, "b", 1);
    patch(data, b.size, "\3\4", 1, 30, "b", 1);
    patch(data, b.size, "\3\4", 0, 28, "\5", 1);         /* five bytes of extra field ... */
    patch(data, b.size, "\1\2", 0, 20, "\4\0\0\0\4", 5); /* ... push the data into the next */
    CHECK(open_and_extract(&b) == WGDN_EFORMAT && strstr(err.message, "overlaps"));
    wgdn_bytes_free(&b);
    scratch_files(true);
}

/* The sizes and checksum of a member are in its directory entry, so a flip anywhere in data or
 * directory is seen or leaves every member as it was. */
static void bit_flips_are_seen_or_harmless(void)
{
    for (int wide = 0; wide < 2; wide++) {
        wgdn_bytes b = three(wide ? 0 : UINT32_MAX);
        unsigned char *data = b.block;
        int harmless = 0;
        for (size_t bit = 0; bit < 8 * b.size; bit++) {
            data[bit / 8] ^= (unsigned char)(1U << bit % 8);
            if (open_and_extract(&b) == WGDN_OK) harmless++;
            data[bit / 8] ^= (unsigned char)(1U << bit % 8);
        }
        CHECK(open_and_extract(&b) == WGDN_OK);
        printf("     %zu bits, %d harmless (times, versions, attributes)\n", 8 * b.size, harmless);
        wgdn_bytes_free(&b);
    }
    scratch_files(true);
}

static int zip_tests(void)
{
    scratch_begin();
    RUN(round_trip);
    RUN(what_hardly_shrinks_is_stored);
    RUN(names_must_differ);
    RUN(refuses_what_is_wrong);
    RUN(refuses_overlap_and_doubles);
    RUN(bit_flips_are_seen_or_harmless);
    scratch_end();
    return check_result();
}

int main(int argc, char **argv)
{
    static const check_group groups[] = {
        {"unpack", unpack_tests},
        {"zip", zip_tests},
    };
    return check_groups(groups, sizeof groups / sizeof *groups, argc, argv);
}
