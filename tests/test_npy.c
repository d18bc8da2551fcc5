/* SPDX-License-Identifier: Apache-2.0 */
#define _DEFAULT_SOURCE
#include "arrays.h"
#include "scratch.h"

#include <time.h>

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

static void refuses_what_is_wrong(void)
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

static void round_trip(void)
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

/* A sparse file of 1 GB: what opening costs must not depend on the size. */
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
    clock_gettime(CLOCK_MONOTONIC, &before);
    CHECK(wgdn_archive_open(&a, path.text, &err) == WGDN_OK);
    CHECK(a.tensors == 1 && ((const float *)a.tensor->data)[gigabyte / 4 - 1] == 0);
    clock_gettime(CLOCK_MONOTONIC, &after);
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
        {"\x89HDF\r\n\x1a\n", "HDF5"}, {"\x1f\x8b\x08", "gzip"},          {"\x80\x04", "pickle"},
        {"a\tb\n1\t2\n", "like text"}, {"\x01\x02\x03", "nothing known"}, {"", "empty"},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        CHECK(parse_bytes(&a, known[i][0], strlen(known[i][0]), 0, &err) == WGDN_EFORMAT);
        CHECK(strstr(err.message, known[i][1]) && strstr(err.message, ".safetensors"));
    }
}

int main(void)
{
    scratch_begin();
    RUN(reads_what_numpy_writes);
    RUN(turns_order_and_endianness);
    RUN(text_becomes_utf8);
    RUN(refuses_pickles);
    RUN(refuses_what_is_wrong);
    RUN(any_cut_is_seen);
    RUN(conversion_is_limited);
    RUN(round_trip);
    RUN(numbers_of_any_type);
    RUN(numbers_in_two_bytes);
    RUN(large_files_are_mapped);
    RUN(says_what_the_file_looks_like);
    scratch_end();
    return check_result();
}
