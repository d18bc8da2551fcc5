/* SPDX-License-Identifier: Apache-2.0 */
/* Files of arrays: npy, npz, safetensors. */
#define _DEFAULT_SOURCE
#include "arrays.h"
#include "scratch.h"

#include "io/zip.h"

#include <time.h>

/* ---- npy ---- */

static wgdn_error err;
static wgdn_archive a;

/* An .npy of version 1 (or 2, 3) with this dict and data; returns its size. */
static size_t make_npy(unsigned char *out, int version, const char *dict, const void *data,
                       size_t size)
{
    const size_t length = strlen(dict), at = version == 1 ? 10 : 12;
    memcpy(out, "\x93NUMPY", 6);
    out[6] = (unsigned char)version;
    out[7] = 0;
    for (size_t i = 8; i < at; i++)
        out[i] = (unsigned char)(length >> (8 * (i - 8)));
    memcpy(out + at, dict, length);
    memcpy(out + at + length, data, size);
    return at + length + size;
}

static wgdn_status parse_dict(const char *dict, const void *data, size_t size)
{
    unsigned char file[2048];
    const size_t length = make_npy(file, 1, dict, data, size);
    unsigned char *exact = malloc(length); /* so that a sanitizer sees its end */
    memcpy(exact, file, length);
    const wgdn_status st = parse_bytes(&a, exact, length, 1 << 20, &err);
    CHECK(st == WGDN_OK || st == WGDN_EFORMAT);
    if (st == WGDN_OK && a.tensor->data >= (void *)exact &&
        a.tensor->data <= (void *)(exact + length)) { /* lent: keep it alive a little */
        static unsigned char kept[2048];
        memcpy(kept, a.tensor->data, size);
        a.tensor->data = kept;
    }
    free(exact);
    return st;
}

static void reads_what_numpy_writes(void)
{
    const float x[] = {1, 2, 3, 4, 5, 6};
    static const char *const dicts[] = {
        "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }   \n",
        "{\"shape\":(2,3),\"fortran_order\":False,\"descr\":\"=f4\"}",
        "{'descr': '<f4', 'shape': (2L, 3L,), 'fortran_order': False}",
    };
    for (size_t i = 0; i < sizeof dicts / sizeof *dicts; i++) {
        CHECK(parse_dict(dicts[i], x, sizeof x) == WGDN_OK);
        CHECK(a.tensors == 1 && a.tensor->rank == 2 && a.tensor->dtype == WGDN_F32);
        CHECK(a.tensor->shape[0] == 2 && a.tensor->shape[1] == 3 && a.tensor->width == 4);
        CHECK(memcmp(a.tensor->data, x, sizeof x) == 0);
        CHECK_TEXT(a.tensor->name, "");
        wgdn_archive_free(&a);
    }
    for (int version = 1; version <= 4; version++) {
        unsigned char file[256];
        const size_t size = make_npy(file, version, dicts[0], x, sizeof x);
        CHECK((parse_bytes(&a, file, size, 100, &err) == WGDN_OK) == (version < 4));
        CHECK(version == 4 || wgdn_tensor_count(a.tensor) == 6);
        wgdn_archive_free(&a);
    }
    CHECK(strstr(err.message, "version 4.0"));
}

static void turns_order_and_endianness(void)
{
    const unsigned char big[] = {0, 1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6};
    const int16_t straight[] = {1, 2, 3, 4, 5, 6}, turned[] = {1, 3, 5, 2, 4, 6};
    CHECK(parse_dict("{'descr':'>i2','fortran_order':False,'shape':(2,3)}", big, 12) == WGDN_OK);
    CHECK(memcmp(a.tensor->data, straight, 12) == 0);
    wgdn_archive_free(&a);
    CHECK(parse_dict("{'descr':'>i2','fortran_order':True,'shape':(2,3)}", big, 12) == WGDN_OK);
    CHECK(memcmp(a.tensor->data, turned, 12) == 0);
    wgdn_archive_free(&a);
    CHECK(parse_dict("{'descr':'<i2','fortran_order':True,'shape':(2,3)}", straight, 12) == 0);
    CHECK(memcmp(a.tensor->data, turned, 12) == 0);
    wgdn_archive_free(&a);
    CHECK(parse_dict("{'descr':'<i2','fortran_order':True,'shape':(6,)}", straight, 12) == 0);
    CHECK(memcmp(a.tensor->data, straight, 12) == 0);
    wgdn_archive_free(&a);
    CHECK(parse_dict("{'descr':'<i2','fortran_order':True,'shape':(1,2,3)}", straight, 12) != 0);
    CHECK(strstr(err.message, "ascontiguousarray"));
}

static void text_becomes_utf8(void)
{
    const unsigned char wide[] = {'a', 0, 0, 0, 0, 0, 0, 0, 0xe9, 0, 0, 0, 0x00, 0xf6, 0x01, 0};
    const unsigned char big[] = {0, 0, 0, 'a', 0, 0, 0, 0, 0, 0, 0, 0xe9, 0, 1, 0xf6, 0};
    const unsigned char utf8[] = {'a', 0, 0, 0, 0, 0, 0xc3, 0xa9, 0xf0, 0x9f, 0x98, 0x80};
    CHECK(parse_dict("{'descr':'<U2','fortran_order':False,'shape':(2,)}", wide, 16) == WGDN_OK);
    CHECK(a.tensor->dtype == WGDN_TEXT && a.tensor->width == 6);
    CHECK(memcmp(a.tensor->data, utf8, 12) == 0);
    wgdn_archive_free(&a);
    CHECK(parse_dict("{'descr':'>U2','fortran_order':False,'shape':(2,)}", big, 16) == WGDN_OK);
    CHECK(memcmp(a.tensor->data, utf8, 12) == 0);
    wgdn_archive_free(&a);
    CHECK(parse_dict("{'descr':'|S3','fortran_order':False,'shape':(2,)}", "ab\0\xff\xfe\xfd", 6) ==
          WGDN_OK);
    CHECK(a.tensor->width == 3 && memcmp(a.tensor->data, "ab\0\xff\xfe\xfd", 6) == 0);
    wgdn_archive_free(&a);
    CHECK(parse_dict("{'descr':'|S3','fortran_order':False,'shape':(1,)}", "a\0b", 3) != WGDN_OK);
    CHECK(parse_dict("{'descr':'<U1','fortran_order':False,'shape':(1,)}", "\0\xd8\0", 4) != 0);
    CHECK(parse_dict("{'descr':'<U2','fortran_order':False,'shape':(1,)}", "\0\0\0\0a\0\0\0", 8));
    CHECK(parse_dict("{'descr':'<U0','fortran_order':False,'shape':(9,)}", "", 0) != WGDN_OK);
}

static void refuses_pickles(void)
{
    CHECK(parse_dict("{'descr': '|O', 'fortran_order': False, 'shape': (1,), }", "\x80\3", 2) ==
          WGDN_EFORMAT);
    CHECK(strstr(err.message, "pickle runs code") && strstr(err.message, "astype"));
}

static void npy_refuses_what_is_wrong(void)
{
    static const char *const dicts[] = {
        "",
        "{",
        "{}",
        "{'descr'",
        "{'descr': '<f4', 'fortran_order': False}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (6)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (7,)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (5,)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (-6,)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (6,,)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (3 2)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': [6]}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (6,)} x",
        "{'descr': '<f4', 'fortran_order': 0, 'shape': (6,)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (6,), 'more': 1}",
        "{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': (6,)}",
        "{'descr': '<f4' 'fortran_order': False, 'shape': (6,)}",
        "{'descr': '|f4', 'fortran_order': False, 'shape': (6,)}",
        "{'descr': 'f4', 'fortran_order': False, 'shape': (6,)}",
        "{'descr': '<f3', 'fortran_order': False, 'shape': (8,)}",
        "{'descr': '<c8', 'fortran_order': False, 'shape': (3,)}",
        "{'descr': '<M8[ns]', 'fortran_order': False, 'shape': (3,)}",
        "{'descr': '<V4', 'fortran_order': False, 'shape': (6,)}",
        "{'descr': '<f', 'fortran_order': False, 'shape': (6,)}",
        "{'descr': '<f4x', 'fortran_order': False, 'shape': (6,)}",
        "{'descr': '<U99999999999', 'fortran_order': False, 'shape': (1,)}",
        "{'descr': [('x', '<f4')], 'fortran_order': False, 'shape': (6,)}",
        "{'descr': '<\\f4', 'fortran_order': False, 'shape': (6,)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (1,1,1,1,1,1,1,1,6)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (9223372036854775808,)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (9223372036854775807,)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (4294967296, 4294967296)}",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (4294967296, 4294967296, 0)}",
        "{'descr': '<i1', 'fortran_order': False, 'shape': (4611686018427387904, 4, 6)}",
    };
    const float x[6] = {0};
    for (size_t i = 0; i < sizeof dicts / sizeof *dicts; i++) {
        if (parse_dict(dicts[i], x, sizeof x) == WGDN_OK) {
            fprintf(stderr, "taken: %s\n", dicts[i]);
            check_failures++;
            wgdn_archive_free(&a);
        }
        CHECK(strncmp(err.message, "memory: ", 8) == 0);
    }
    CHECK(parse_dict("{'descr': '<f4', 'fortran_order': 0, 'shape': (6,)}", x, sizeof x) != 0);
    CHECK_TEXT(err.message, "memory: npy header, byte 44: expected True or False, found "
                            "'0, 'shape': (6,)}'");
}

static void any_cut_is_seen(void)
{
    unsigned char file[256];
    const float x[] = {1, 2, 3, 4};
    const size_t size =
        make_npy(file, 1, "{'descr': '<f4', 'fortran_order': False, 'shape': (4,)}", x, sizeof x);
    for (size_t cut = 0; cut < size; cut++) {
        unsigned char *part = malloc(cut + 1);
        memcpy(part, file, cut);
        CHECK(parse_bytes(&a, part, cut, 0, &err) == WGDN_EFORMAT);
        free(part);
    }
    CHECK(parse_bytes(&a, file, size + 1, 0, &err) == WGDN_EFORMAT);
    CHECK(strstr(err.message, "added behind"));
}

static void conversion_is_limited(void)
{
    unsigned char file[256];
    const size_t size =
        make_npy(file, 1, "{'descr': '>i4', 'fortran_order': False, 'shape': (2,)}", "12345678", 8);
    CHECK(parse_bytes(&a, file, size, 7, &err) == WGDN_EFORMAT && strstr(err.message, "allowed"));
    CHECK(parse_bytes(&a, file, size, 8, &err) == WGDN_OK);
    wgdn_archive_free(&a);
    CHECK_ALLOCATIONS(parse_bytes(&a, file, size, 8, NULL), wgdn_archive_free(&a));
}

static void npy_round_trip(void)
{
    scratch_name path = scratch("x.npy");
    for (int i = 0; i < ARRAYS; i++) {
        CHECK(wgdn_write_npy(path.text, &arrays[i], &err) == WGDN_OK);
        CHECK(wgdn_archive_open(&a, path.text, &err) == WGDN_OK);
        CHECK(a.tensors == 1 && same_tensor(a.tensor, &arrays[i]));
        wgdn_archive_free(&a);
    }
    const wgdn_tensor *ids = &arrays[ARRAYS - 1];
    CHECK_ALLOCATIONS(wgdn_write_npy(path.text, ids, NULL), (void)0);
    CHECK_FILE_OPERATIONS(wgdn_write_npy(path.text, ids, NULL), (void)0);
    CHECK_ALLOCATIONS(wgdn_archive_open(&a, path.text, NULL), wgdn_archive_free(&a));
    CHECK_FILE_OPERATIONS(wgdn_archive_open(&a, path.text, NULL), wgdn_archive_free(&a));
    const wgdn_tensor latin = {
        .name = "", .dtype = WGDN_TEXT, .rank = 1, .shape = {1}, .width = 2, .data = "\xe9x"};
    CHECK(wgdn_write_npy(path.text, &latin, &err) == WGDN_OK);
    CHECK(wgdn_archive_open(&a, path.text, &err) == WGDN_OK && same_tensor(a.tensor, &latin));
    wgdn_archive_free(&a);
    CHECK(scratch_files(true) == 1);
}

static void numbers_of_any_type(void)
{
    float f[6];
    int64_t n[6];
    for (int i = 0; i < ARRAYS_NO_TEXT; i++)
        CHECK(wgdn_tensor_to_f32(f, &arrays[i], &err) == WGDN_OK);
    CHECK(wgdn_tensor_to_f32(f, &arrays[9], &err) == WGDN_OK);
    CHECK(f[0] == 1 && f[1] == -2 && f[2] == 0x1p-24f);
    CHECK(wgdn_tensor_to_f32(f, &arrays[7], &err) == WGDN_OK && f[0] == -5e9f);
    CHECK(wgdn_tensor_to_i64(n, &arrays[7], &err) == WGDN_OK && n[1] == 5000000000);
    CHECK(wgdn_tensor_to_i64(n, &arrays[5], &err) == WGDN_OK && n[0] == -70000 && n[5] == 4);
    CHECK(wgdn_tensor_to_i64(n, &arrays[0], &err) == WGDN_OK && n[0] == 1 && n[1] == 0);
    CHECK(wgdn_tensor_to_i64(n, &arrays[8], &err) == WGDN_EFORMAT); /* beyond 2^63 */
    CHECK(wgdn_tensor_to_i64(n, &arrays[10], &err) == WGDN_EFORMAT);
    CHECK(strstr(err.message, "element 0 is 1.5"));
    CHECK(wgdn_tensor_to_i64(n, &arrays[11], &err) == WGDN_EFORMAT);
    CHECK(wgdn_tensor_to_f32(f, &arrays[13], &err) == WGDN_EFORMAT);
    CHECK(strstr(err.message, "text") && strstr(err.message, "ids"));
    const uint16_t odd[] = {0x7c00, 0xfc00, 0x7e00, 0x7bff, 0x8000};
    const wgdn_tensor t = {
        .name = "odd", .dtype = WGDN_F16, .rank = 1, .shape = {5}, .width = 2, .data = odd};
    CHECK(wgdn_tensor_to_f32(f, &t, &err) == WGDN_OK);
    CHECK(isinf(f[0]) && f[0] > 0 && isinf(f[1]) && f[1] < 0 && isnan(f[2]) && f[3] == 65504);
    CHECK(f[4] == 0 && signbit(f[4]));
    CHECK(wgdn_tensor_to_i64(n, &t, &err) == WGDN_EFORMAT);
}

static float of_bits(uint32_t u)
{
    float x;
    memcpy(&x, &u, sizeof x);
    return x;
}

/* Every half and every bfloat16 comes back; what lies between two goes to the nearer, ties to even. */
static void numbers_in_two_bytes(void)
{
    static const wgdn_dtype types[] = {WGDN_F16, WGDN_BF16};
    static uint16_t all[65536], back[65536];
    static float x[65536];
    for (int k = 0; k < 2; k++) {
        const wgdn_tensor t = {
            .name = "x", .dtype = types[k], .rank = 1, .shape = {65536}, .width = 2, .data = all};
        const uint32_t infinite = k ? 0x7f80 : 0x7c00;
        for (int i = 0; i < 65536; i++)
            all[i] = (uint16_t)i;
        CHECK(wgdn_tensor_to_f32(x, &t, &err) == WGDN_OK);
        CHECK(wgdn_narrow(back, x, 65536, types[k]) == 0);
        for (uint32_t i = 0; i < 65536; i++)
            CHECK((i & 0x7fff) > infinite ? (back[i] & 0x7fff) > infinite : back[i] == i);
        for (uint32_t i = 0; i + 1 < infinite;
             i++) { /* three places between a number and the next */
            const double low = x[i], high = x[i + 1], step = (high - low) / 4;
            const float between[] = {(float)(low + step), (float)(low + 2 * step),
                                     (float)(low + 3 * step)};
            uint16_t made[3];
            CHECK(wgdn_narrow(made, between, 3, types[k]) == 0);
            if ((double)between[0] - low < (high - low) / 2) CHECK(made[0] == i);
            if ((double)between[1] - low == (high - low) / 2) CHECK(made[1] == i + (i & 1));
            if ((double)between[2] - low > (high - low) / 2) CHECK(made[2] == i + 1);
        }
    }
    const float large[] = {65519.996f, -65520, INFINITY};
    uint16_t made[3];
    CHECK(wgdn_narrow(made, large, 3, WGDN_F16) == 1 && made[0] == 0x7bff && made[1] == 0xfc00);
    const float largest[] = {of_bits(0x7f7f7fff), of_bits(0x7f7f8000)};
    CHECK(wgdn_narrow(made, largest, 2, WGDN_BF16) == 1 && made[0] == 0x7f7f);
    const wgdn_tensor bfloats = {
        .name = "b", .dtype = WGDN_BF16, .rank = 1, .shape = {1}, .width = 2, .data = made};
    const scratch_name path = scratch("b.npy");
    CHECK(wgdn_write_npy(path.text, &bfloats, &err) == WGDN_EINVAL);
    CHECK(strstr(err.message, "no bfloat16"));
}

/* A sparse file of 1 GB: what opening costs the processor must not depend on the size. */
static void large_files_are_mapped(void)
{
    const size_t gigabyte = (size_t)1 << 30;
    scratch_name path = scratch("large.npy");
    unsigned char head[128] = {0};
    struct timespec before, after;
    (void)make_npy(head, 1,
                   "{'descr': '<f4', 'fortran_order': False, 'shape': (268435456,), }"
                   "                                                    \n",
                   "", 0);
    scratch_write("large.npy", head, sizeof head);
    CHECK(truncate(path.text, (off_t)(gigabyte + sizeof head)) == 0);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &before);
    CHECK(wgdn_archive_open(&a, path.text, &err) == WGDN_OK);
    CHECK(a.tensors == 1 && ((const float *)a.tensor->data)[gigabyte / 4 - 1] == 0);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &after);
    const double ms = (double)(after.tv_sec - before.tv_sec) * 1e3 +
                      (double)(after.tv_nsec - before.tv_nsec) / 1e6;
    printf("     a .npy of 1 GB opened in %.3f ms\n", ms);
    CHECK(ms < 50);
    wgdn_archive_free(&a);
    scratch_files(true);
}

static void says_what_the_file_looks_like(void)
{
    static const char *const known[][2] = {
        {"\x89HDF\r\n\x1a\n", "HDF5"}, {"\x1f\x8b\x08", "gzip"},          {"\x80\x04N.", "pickle"},
        {"a\tb\n1\t2\n", "like text"}, {"\x01\x02\x03", "nothing known"}, {"", "empty"},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        CHECK(parse_bytes(&a, known[i][0], strlen(known[i][0]), 0, &err) == WGDN_EFORMAT);
        CHECK(strstr(err.message, known[i][1]) && strstr(err.message, ".safetensors"));
    }
}

static int npy_tests(void)
{
    scratch_begin();
    RUN(reads_what_numpy_writes);
    RUN(turns_order_and_endianness);
    RUN(text_becomes_utf8);
    RUN(refuses_pickles);
    RUN(npy_refuses_what_is_wrong);
    RUN(any_cut_is_seen);
    RUN(conversion_is_limited);
    RUN(npy_round_trip);
    RUN(numbers_of_any_type);
    RUN(numbers_in_two_bytes);
    RUN(large_files_are_mapped);
    RUN(says_what_the_file_looks_like);
    scratch_end();
    return check_result();
}

/* ---- npz ---- */

static void npz_round_trip(void)
{
    scratch_name path = scratch("x.npz");
    wgdn_bytes first = {0}, second = {0};
    CHECK(wgdn_write_npz(path.text, arrays, ARRAYS, &err) == WGDN_OK);
    CHECK(wgdn_archive_open(&a, path.text, &err) == WGDN_OK);
    CHECK(a.tensors == ARRAYS && a.left_out_count == 0 && a.metadata_count == 0);
    for (int i = 0; i < ARRAYS; i++) {
        CHECK(same_tensor(&a.tensor[i], &arrays[i]));
        CHECK(wgdn_archive_find(&a, arrays[i].name) == &a.tensor[i]);
    }
    CHECK(!wgdn_archive_find(&a, "nothing") && !wgdn_archive_metadata(&a, "nothing"));
    wgdn_archive_free(&a);

    CHECK(wgdn_bytes_read(&first, path.text, 1 << 20, &err) == WGDN_OK);
    CHECK(wgdn_write_npz(path.text, arrays, ARRAYS, &err) == WGDN_OK);
    CHECK(wgdn_bytes_read(&second, path.text, 1 << 20, &err) == WGDN_OK);
    CHECK(first.size == second.size && memcmp(first.data, second.data, first.size) == 0);
    wgdn_bytes_free(&first);
    wgdn_bytes_free(&second);

    CHECK_ALLOCATIONS(wgdn_write_npz(path.text, arrays, ARRAYS, NULL), (void)0);
    CHECK_FILE_OPERATIONS(wgdn_write_npz(path.text, arrays, ARRAYS, NULL), (void)0);
    CHECK_ALLOCATIONS(wgdn_archive_open(&a, path.text, NULL), wgdn_archive_free(&a));
    CHECK_FILE_OPERATIONS(wgdn_archive_open(&a, path.text, NULL), wgdn_archive_free(&a));
    CHECK(scratch_files(true) == 1);
}

/* 20 MB is stored, not deflated, and comes out of the map. */
static void large_arrays_are_stored(void)
{
    enum { N = 5 << 20 };
    float *x = wgdn_alloc_zero(N, sizeof *x);
    const wgdn_tensor t[2] = {
        {.name = "x", .dtype = WGDN_F32, .rank = 1, .shape = {N}, .width = 4, .data = x},
        arrays[5]};
    scratch_name path = scratch("large.npz");
    x[N - 1] = 7;
    CHECK(wgdn_write_npz(path.text, t, 2, &err) == WGDN_OK);
    CHECK(wgdn_archive_open(&a, path.text, &err) == WGDN_OK);
    CHECK(a.tensors == 2 && same_tensor(&a.tensor[0], &t[0]) && same_tensor(&a.tensor[1], &t[1]));
    CHECK((uintptr_t)a.tensor[0].data % 64 == 0);
    wgdn_archive_free(&a);
    wgdn_release(x);
    scratch_files(true);
}

static const char object[] = "\x93NUMPY\1\0\x40\0"
                             "{'descr': '|O', 'fortran_order': False, 'shape': (1,), }       \n"
                             "\x80\3";
static const char plain[] = "\x93NUMPY\1\0\x40\0"
                            "{'descr': '|u1', 'fortran_order': False, 'shape': (2,), }      \n"
                            "ab";

static wgdn_status parse_members(const char *const (*member)[2], const size_t *size, int count)
{
    wgdn_zip_writer w = {0};
    scratch_name path = scratch("made.npz");
    CHECK(wgdn_zip_begin(&w, path.text, &err) == WGDN_OK);
    for (int i = 0; i < count; i++)
        CHECK(wgdn_zip_add(&w, member[i][0], member[i][1], size[i], NULL, 0, &err) == WGDN_OK);
    CHECK(wgdn_zip_commit(&w, &err) == WGDN_OK);
    return wgdn_archive_open(&a, path.text, &err);
}

/* Published sets carry pickled names beside plain arrays: those arrays can still be read. */
static void objects_are_left_out(void)
{
    const char *const both[][2] = {
        {"names.npy", object}, {"x.npy", plain}, {"folder/", ""}, {"folder/y.npy", plain}};
    const size_t sizes[] = {sizeof object - 1, sizeof plain - 1, 0, sizeof plain - 1};
    CHECK(parse_members(both, sizes, 4) == WGDN_OK);
    CHECK(a.tensors == 2 && a.left_out_count == 1 && wgdn_archive_find(&a, "folder/y"));
    CHECK_TEXT(a.left_out->key, "names");
    CHECK(strstr(a.left_out->value, "pickle runs code"));
    wgdn_archive_free(&a);
    CHECK(parse_members(both, sizes, 1) == WGDN_EFORMAT);
    CHECK(strstr(err.message, "pickle runs code"));
    scratch_files(true);
}

static void npz_refuses_what_is_wrong(void)
{
    const char *const torch[][2] = {{"m/data.pkl", "x"}}, *const text[][2] = {{"a.txt", "x"}};
    const char *const broken[][2] = {{"x\n.npy", "\x93NUMPY"}};
    const size_t one = 1, six = 6;
    CHECK(parse_members(torch, &one, 1) == WGDN_EFORMAT && strstr(err.message, "PyTorch"));
    CHECK(parse_members(text, &one, 1) == WGDN_EFORMAT && strstr(err.message, "'a.txt'"));
    CHECK(parse_members(broken, &six, 1) == WGDN_EFORMAT && strstr(err.message, "x?.npy"));
    CHECK(parse_members(broken, &six, 0) == WGDN_OK && a.tensors == 0);
    wgdn_archive_free(&a);
    const wgdn_tensor twice[] = {arrays[0], arrays[0]};
    CHECK(wgdn_write_npz(scratch("twice.npz").text, twice, 2, &err) == WGDN_EINVAL);
    CHECK(scratch_files(true) == 1);
}

static void unpacking_is_limited(void)
{
    wgdn_bytes b = {0};
    scratch_name path = scratch("x.npz");
    const wgdn_tensor t = {.name = "zeros",
                           .dtype = WGDN_U8,
                           .rank = 1,
                           .shape = {100000},
                           .width = 1,
                           .data = wgdn_alloc_zero(100000, 1)};
    CHECK(wgdn_write_npz(path.text, &t, 1, &err) == WGDN_OK);
    CHECK(wgdn_bytes_read(&b, path.text, 1 << 20, &err) == WGDN_OK && b.size < 2000);
    CHECK(parse_bytes(&a, b.data, b.size, 100127, &err) == WGDN_EFORMAT);
    CHECK(strstr(err.message, "'zeros.npy'"));
    CHECK(parse_bytes(&a, b.data, b.size, 100128, &err) == WGDN_OK);
    wgdn_archive_free(&a);
    wgdn_bytes_free(&b);
    wgdn_release((void *)t.data);
    scratch_files(true);
}

/* Every member has a checksum: a flip is refused or the arrays are the same. */
static void npz_bit_flips(void)
{
    wgdn_bytes b = {0};
    scratch_name path = scratch("x.npz");
    CHECK(wgdn_write_npz(path.text, arrays + 9, 5, &err) == WGDN_OK);
    CHECK(wgdn_bytes_read(&b, path.text, 1 << 20, &err) == WGDN_OK);
    unsigned char *data = b.block;
    for (size_t bit = 0; bit < 8 * b.size; bit++) {
        data[bit / 8] ^= (unsigned char)(1U << bit % 8);
        if (parse_bytes(&a, data, b.size, 1 << 20, NULL) == WGDN_OK) {
            CHECK(a.tensors == 5);
            for (int i = 0; i < 5; i++)
                CHECK(same_tensor(&a.tensor[i], &arrays[9 + i]) &&
                      strcmp(a.tensor[i].name, arrays[9 + i].name) == 0);
            wgdn_archive_free(&a);
        }
        data[bit / 8] ^= (unsigned char)(1U << bit % 8);
    }
    wgdn_bytes_free(&b);
    scratch_files(true);
}

static int npz_tests(void)
{
    scratch_begin();
    RUN(npz_round_trip);
    RUN(large_arrays_are_stored);
    RUN(objects_are_left_out);
    RUN(npz_refuses_what_is_wrong);
    RUN(unpacking_is_limited);
    RUN(npz_bit_flips);
    scratch_end();
    return check_result();
}

/* ---- safetensors ---- */

static const wgdn_text_pair pairs[] = {{"made by", "a test"}, {"empty", ""}, {"\xc3\xa9", "\"\n"}};

static void safetensors_round_trip(void)
{
    scratch_name path = scratch("x.safetensors");
    wgdn_bytes first = {0}, second = {0};
    CHECK(wgdn_write_safetensors(path.text, arrays, ARRAYS_NO_TEXT, pairs, 3, &err) == WGDN_OK);
    CHECK(wgdn_archive_open(&a, path.text, &err) == WGDN_OK);
    CHECK(a.tensors == ARRAYS_NO_TEXT && a.metadata_count == 3);
    for (int i = 0; i < ARRAYS_NO_TEXT; i++) {
        CHECK(same_tensor(&a.tensor[i], &arrays[i]));
        CHECK_TEXT(a.tensor[i].name, arrays[i].name);
        CHECK((uintptr_t)a.tensor[i].data % a.tensor[i].width == 0);
    }
    for (int i = 0; i < 3; i++)
        CHECK_TEXT(wgdn_archive_metadata(&a, pairs[i].key), pairs[i].value);
    wgdn_archive_free(&a);

    CHECK(wgdn_bytes_read(&first, path.text, 1 << 20, &err) == WGDN_OK);
    CHECK((8 + first.data[0] + 256 * first.data[1]) % 64 == 0); /* where the data begin */
    CHECK(wgdn_write_safetensors(path.text, arrays, ARRAYS_NO_TEXT, pairs, 3, &err) == WGDN_OK);
    CHECK(wgdn_bytes_read(&second, path.text, 1 << 20, &err) == WGDN_OK);
    CHECK(first.size == second.size && memcmp(first.data, second.data, first.size) == 0);
    wgdn_bytes_free(&first);
    wgdn_bytes_free(&second);

    CHECK_ALLOCATIONS(wgdn_write_safetensors(path.text, arrays, ARRAYS_NO_TEXT, pairs, 3, NULL),
                      (void)0);
    CHECK_FILE_OPERATIONS(wgdn_write_safetensors(path.text, arrays, ARRAYS_NO_TEXT, pairs, 3, NULL),
                          (void)0);
    CHECK_ALLOCATIONS(wgdn_archive_open(&a, path.text, NULL), wgdn_archive_free(&a));
    CHECK_FILE_OPERATIONS(wgdn_archive_open(&a, path.text, NULL), wgdn_archive_free(&a));
    CHECK(scratch_files(true) == 1);
}

static void nothing_at_all(void)
{
    scratch_name path = scratch("none.safetensors");
    CHECK(wgdn_write_safetensors(path.text, NULL, 0, NULL, 0, &err) == WGDN_OK);
    CHECK(wgdn_archive_open(&a, path.text, &err) == WGDN_OK);
    CHECK(a.tensors == 0 && a.metadata_count == 0);
    wgdn_archive_free(&a);
    scratch_files(true);
}

static void writer_refuses(void)
{
    const wgdn_tensor twice[] = {arrays[0], arrays[1], arrays[0]};
    wgdn_tensor named = arrays[0], shaped = arrays[0];
    const wgdn_text_pair hash = {"xxh3:x", "0"}, doubled[] = {{"k", "1"}, {"k", "2"}};
    const char *path = scratch_folder;
    named.name = "__metadata__";
    shaped.shape[0] = -1;
    CHECK(wgdn_write_safetensors(path, twice, 3, NULL, 0, &err) == WGDN_EINVAL);
    CHECK(strstr(err.message, "'bool'"));
    CHECK(wgdn_write_safetensors(path, &arrays[13], 1, NULL, 0, &err) == WGDN_EINVAL);
    CHECK(strstr(err.message, "text"));
    CHECK(wgdn_write_safetensors(path, &named, 1, NULL, 0, &err) == WGDN_EINVAL);
    CHECK(wgdn_write_safetensors(path, &shaped, 1, NULL, 0, &err) == WGDN_EINVAL);
    CHECK(wgdn_write_safetensors(path, arrays, 1, &hash, 1, &err) == WGDN_EINVAL);
    CHECK(wgdn_write_safetensors(path, arrays, 1, doubled, 2, &err) == WGDN_EINVAL);
}

/* A file with this header and so many bytes of data 0, 1, 2, ...; of others, without hashes. */
static wgdn_status parse_header(const char *json, size_t data)
{
    const size_t length = strlen(json);
    unsigned char *file = calloc(8 + length + data, 1);
    for (int i = 0; i < 8; i++)
        file[i] = (unsigned char)(length >> (8 * i));
    memcpy(file + 8, json, length);
    for (size_t i = 0; i < data; i++)
        file[8 + length + i] = (unsigned char)i;
    const wgdn_status st = parse_bytes(&a, file, 8 + length + data, 0, &err);
    if (st == WGDN_OK && a.tensors > 0) {
        const unsigned char *p = a.tensor[0].data;
        CHECK(p[0] == 0 && p[1] == 1);
    }
    wgdn_archive_free(&a);
    free(file);
    return st;
}

static void files_of_others(void)
{
    CHECK(parse_header("{\"x\":{\"dtype\":\"F32\",\"shape\":[1,2],\"data_offsets\":[0,8]}}", 8) ==
          WGDN_OK);
    CHECK(parse_header("{\"__metadata__\":{\"format\":\"pt\"},\"b\":{\"shape\":[3],\"dtype\":"
                       "\"U8\",\"data_offsets\":[0,3]},\"a\":{\"dtype\":\"F64\",\"shape\":[],"
                       "\"data_offsets\":[3,11]}}  ",
                       11) == WGDN_OK);
    CHECK(parse_header("{}", 0) == WGDN_OK);
}

static void safetensors_refuses_what_is_wrong(void)
{
#define X "\"dtype\":\"U8\",\"shape\":[4],\"data_offsets\":[0,4]"
    static const char *const headers[][2] = {
        {"{", "byte"},
        {"{} x", "byte"},
        {"{\"x\":{" X "}", "byte"},
        {"{\"x\":{" X "},\"x\":{" X "}}", "duplicate"},
        {"{\"x\":{" X ",\"shape\":[4]}}", "duplicate"},
        {"{\"x\":{" X ",\"y\":1}}", "no other key"},
        {"{\"x\":[]}", "no other key"},
        {"{\"x\":{\"dtype\":\"U8\",\"shape\":[4]}}", "no other key"},
        {"{\"x\":{\"dtype\":\"U9\",\"shape\":[4],\"data_offsets\":[0,4]}}", "dtype must be"},
        {"{\"x\":{\"dtype\":8,\"shape\":[4],\"data_offsets\":[0,4]}}", "expected dtype"},
        {"{\"x\":{\"dtype\":\"U8\",\"shape\":4,\"data_offsets\":[0,4]}}", "list"},
        {"{\"x\":{\"dtype\":\"U8\",\"shape\":[4.0],\"data_offsets\":[0,4]}}", "integers"},
        {"{\"x\":{\"dtype\":\"U8\",\"shape\":[-4],\"data_offsets\":[0,4]}}", "integers"},
        {"{\"x\":{\"dtype\":\"U8\",\"shape\":[1,1,1,1,1,1,1,1,4],\"data_offsets\":[0,4]}}",
         "8 dim"},
        {"{\"x\":{\"dtype\":\"U8\",\"shape\":[3],\"data_offsets\":[0,4]}}", "ask for"},
        {"{\"x\":{\"dtype\":\"F32\",\"shape\":[4611686018427387905],\"data_offsets\":[0,4]}}",
         "ask for"},
        {"{\"x\":{\"dtype\":\"U8\",\"shape\":[4294967296,4294967296,0],\"data_offsets\":[0,0]}}",
         "ask for"},
        {"{\"x\":{\"dtype\":\"U8\",\"shape\":[9223372036854775808],\"data_offsets\":[0,4]}}",
         "big"},
        {"{\"x\":{\"dtype\":\"U8\",\"shape\":[5],\"data_offsets\":[0,5]}}", "within the file"},
        {"{\"x\":{\"dtype\":\"U8\",\"shape\":[4],\"data_offsets\":[4,0]}}", "within the file"},
        {"{\"x\":{\"dtype\":\"U8\",\"shape\":[4],\"data_offsets\":[-4,0]}}", "within the file"},
        {"{\"x\":{\"dtype\":\"U8\",\"shape\":[4],\"data_offsets\":[0,4,4]}}", "within the file"},
        {"{\"x\":{\"dtype\":\"U8\",\"shape\":[3],\"data_offsets\":[0,3]}}", "accounts for 3"},
        {"{\"x\":{\"dtype\":\"U8\",\"shape\":[3],\"data_offsets\":[1,4]}}", "hole"},
        {"{\"x\":{" X "},\"y\":{" X "}}", "overlaps"},
        {"{\"__metadata__\":[],\"x\":{" X "}}", "object of strings"},
        {"{\"__metadata__\":{\"k\":1},\"x\":{" X "}}", "must be a string"},
        {"{\"__metadata__\":{\"xxh3:x\":\"0\"},\"x\":{" X "}}", "but not all"},
        {"{\"__metadata__\":{\"xxh3\":\"0\"},\"x\":{" X "}}", "but not all"},
        {"{\"a\\u0000b\":{" X "}}", "byte"},
        {"{\"\xff\":{" X "}}", "byte"},
    };
    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++) {
        CHECK(parse_header(headers[i][0], 4) == WGDN_EFORMAT);
        if (!strstr(err.message, headers[i][1])) {
            fprintf(stderr, "header %zu: %s\n", i, err.message);
            check_failures++;
        }
    }
    CHECK(parse_bytes(&a, "\xff\xff\xff\xff\0\0\0\0{}", 10, 0, &err) == WGDN_EFORMAT);
    CHECK(strstr(err.message, "4294967295 bytes"));
    CHECK(parse_bytes(&a, "\3\0\0\0\0\0\0\0{}", 10, 0, &err) == WGDN_EFORMAT);
#undef X
}

static bool same_as_written(int tensors, int count)
{
    if (a.tensors != tensors || a.metadata_count != count) return false;
    for (int i = 0; i < tensors; i++)
        if (!same_tensor(&a.tensor[i], &arrays[5 + i]) ||
            strcmp(a.tensor[i].name, arrays[5 + i].name) != 0)
            return false;
    for (int i = 0; i < count; i++)
        if (strcmp(a.metadata[i].key, pairs[i].key) != 0 ||
            strcmp(a.metadata[i].value, pairs[i].value) != 0)
            return false;
    return true;
}

/* Every single bit of a file: refused, or read as it was written. */
static void safetensors_bit_flips(void)
{
    for (int tensors = 0; tensors <= 4; tensors += 2) {
        wgdn_bytes b = {0};
        scratch_name path = scratch("flip.safetensors");
        int harmless = 0;
        CHECK(wgdn_write_safetensors(path.text, arrays + 5, tensors, pairs, 3, &err) == WGDN_OK);
        CHECK(wgdn_bytes_read(&b, path.text, 1 << 20, &err) == WGDN_OK);
        unsigned char *data = b.block;
        for (size_t bit = 0; bit < 8 * b.size; bit++) {
            data[bit / 8] ^= (unsigned char)(1U << bit % 8);
            const wgdn_status st = parse_bytes(&a, data, b.size, 0, &err);
            CHECK(st == WGDN_EFORMAT || (st == WGDN_OK && same_as_written(tensors, 3)));
            harmless += st == WGDN_OK;
            if (st == WGDN_OK) wgdn_archive_free(&a);
            data[bit / 8] ^= (unsigned char)(1U << bit % 8);
        }
        printf("     %d tensors: %zu flips refused, %d harmless\n", tensors,
               8 * b.size - (size_t)harmless, harmless);
        for (size_t cut = 0; cut < b.size; cut++)
            CHECK(parse_bytes(&a, data, cut, 0, NULL) == WGDN_EFORMAT);
        wgdn_bytes_free(&b);
    }
    scratch_files(true);
}

/* Ranks open a file that is larger than what they may touch of it. */
static void header_alone(void)
{
    scratch_name path = scratch("header.safetensors");
    CHECK(wgdn_write_safetensors(path.text, arrays + 5, 2, pairs, 3, &err) == WGDN_OK);
    CHECK(wgdn_archive_open_header(&a, path.text, &err) == WGDN_OK && a.tensors == 2);
    wgdn_archive_forget(&a);
    CHECK(same_tensor(&a.tensor[0], &arrays[5]) && same_tensor(&a.tensor[1], &arrays[6]));
    wgdn_archive_free(&a);
    FILE *f = fopen(path.text, "r+b");
    CHECK(f && fseek(f, -1, SEEK_END) == 0 && fputc(0x55, f) == 0x55 && fclose(f) == 0);
    CHECK(wgdn_archive_open(&a, path.text, &err) == WGDN_EFORMAT);
    CHECK(wgdn_archive_open_header(&a, path.text, &err) == WGDN_OK);
    wgdn_archive_free(&a);
    scratch_files(true);
}

static int safetensors_tests(void)
{
    scratch_begin();
    RUN(safetensors_round_trip);
    RUN(nothing_at_all);
    RUN(writer_refuses);
    RUN(files_of_others);
    RUN(safetensors_refuses_what_is_wrong);
    RUN(safetensors_bit_flips);
    RUN(header_alone);
    scratch_end();
    return check_result();
}

int main(int argc, char **argv)
{
    static const check_group groups[] = {
        {"npy", npy_tests},
        {"npz", npz_tests},
        {"safetensors", safetensors_tests},
    };
    return check_groups(groups, sizeof groups / sizeof *groups, argc, argv);
}
