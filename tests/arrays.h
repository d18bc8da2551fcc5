/* SPDX-License-Identifier: Apache-2.0 */
/* Small arrays to write and compare, and parsing from memory. */
#ifndef WGDN_ARRAYS_H
#define WGDN_ARRAYS_H

#include "check.h"
#include "io/archive.h"

/* Parse bytes that stay the caller's. */
static inline wgdn_status parse_bytes(wgdn_archive *a, const void *data, size_t size, size_t limit,
                                      wgdn_error *err)
{
    wgdn_bytes b = {.data = data, .size = size, .name = "memory"};
    return wgdn_archive_parse(a, &b, limit, err);
}

static inline bool same_tensor(const wgdn_tensor *a, const wgdn_tensor *b)
{
    if (a->dtype != b->dtype || a->rank != b->rank || a->width != b->width) return false;
    for (int i = 0; i < a->rank; i++)
        if (a->shape[i] != b->shape[i]) return false;
    const size_t size = (size_t)wgdn_tensor_count(a) * a->width;
    return size == 0 || memcmp(a->data, b->data, size) == 0;
}

/* One of each type, rank 0 to 3, one empty, one with ids beyond ASCII. */
static const uint8_t array_bool[] = {1, 0, 1};
static const int8_t array_i8[] = {-1, 2};
static const uint8_t array_u8[] = {255};
static const int16_t array_i16[] = {-300, 300};
static const uint16_t array_u16[] = {65535, 1};
static const int32_t array_i32[] = {-70000, 70000, 1, 2, 3, 4};
static const uint32_t array_u32[] = {4000000000U};
static const int64_t array_i64[] = {-5000000000, 5000000000};
static const uint64_t array_u64[] = {18000000000000000000U};
static const uint16_t array_f16[] = {0x3c00, 0xc000, 0x0001}; /* 1, -2, 2^-24 */
static const float array_f32[] = {1.5f, -2.25f, 3, 4, 5, 6};
static const double array_f64[] = {0.1, -1e300};
static const char array_ids[3][5] = {"a", "\xc3\xa9t\xc3\xa9", ""};

enum { ARRAYS = 14, ARRAYS_NO_TEXT = 13 };
static const wgdn_tensor arrays[ARRAYS] = {
    {.name = "bool", .dtype = WGDN_BOOL, .rank = 1, .shape = {3}, .width = 1, .data = array_bool},
    {.name = "i8", .dtype = WGDN_I8, .rank = 2, .shape = {1, 2}, .width = 1, .data = array_i8},
    {.name = "u8", .dtype = WGDN_U8, .rank = 0, .width = 1, .data = array_u8},
    {.name = "i16", .dtype = WGDN_I16, .rank = 1, .shape = {2}, .width = 2, .data = array_i16},
    {.name = "u16", .dtype = WGDN_U16, .rank = 1, .shape = {2}, .width = 2, .data = array_u16},
    {.name = "i32", .dtype = WGDN_I32, .rank = 2, .shape = {3, 2}, .width = 4, .data = array_i32},
    {.name = "u32", .dtype = WGDN_U32, .rank = 1, .shape = {1}, .width = 4, .data = array_u32},
    {.name = "i64", .dtype = WGDN_I64, .rank = 1, .shape = {2}, .width = 8, .data = array_i64},
    {.name = "u64", .dtype = WGDN_U64, .rank = 1, .shape = {1}, .width = 8, .data = array_u64},
    {.name = "f16", .dtype = WGDN_F16, .rank = 1, .shape = {3}, .width = 2, .data = array_f16},
    {.name = "f32",
     .dtype = WGDN_F32,
     .rank = 3,
     .shape = {1, 2, 3},
     .width = 4,
     .data = array_f32},
    {.name = "f64", .dtype = WGDN_F64, .rank = 1, .shape = {2}, .width = 8, .data = array_f64},
    {.name = "none \xe2\x88\x85",
     .dtype = WGDN_F32,
     .rank = 2,
     .shape = {0, 7},
     .width = 4,
     .data = ""},
    {.name = "ids", .dtype = WGDN_TEXT, .rank = 1, .shape = {3}, .width = 5, .data = array_ids},
};

#endif
