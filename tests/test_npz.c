/* SPDX-License-Identifier: Apache-2.0 */
#define _DEFAULT_SOURCE
#include "arrays.h"
#include "scratch.h"

#include "codec/zip_write.h"

static wgdn_error err;
static wgdn_archive a;

static void round_trip(void)
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

static void refuses_what_is_wrong(void)
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
static void bit_flips(void)
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

int main(void)
{
    scratch_begin();
    RUN(round_trip);
    RUN(large_arrays_are_stored);
    RUN(objects_are_left_out);
    RUN(refuses_what_is_wrong);
    RUN(unpacking_is_limited);
    RUN(bit_flips);
    scratch_end();
    return check_result();
}
