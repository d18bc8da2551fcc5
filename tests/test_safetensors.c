/* SPDX-License-Identifier: Apache-2.0 */
#define _DEFAULT_SOURCE
#include "arrays.h"
#include "scratch.h"

static wgdn_error err;
static wgdn_archive a;
static const wgdn_text_pair pairs[] = {{"made by", "a test"}, {"empty", ""}, {"\xc3\xa9", "\"\n"}};

static void round_trip(void)
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

static void refuses_what_is_wrong(void)
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
static void bit_flips(void)
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

int main(void)
{
    scratch_begin();
    RUN(round_trip);
    RUN(nothing_at_all);
    RUN(writer_refuses);
    RUN(files_of_others);
    RUN(refuses_what_is_wrong);
    RUN(bit_flips);
    RUN(header_alone);
    scratch_end();
    return check_result();
}
