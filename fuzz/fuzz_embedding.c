/* SPDX-License-Identifier: Apache-2.0 */
/* Vectors: an archive by its first bytes, else text. */
#include "fuzz.h"

#include "formats/vectors_file.h"

#include <math.h>
#include <string.h>

static bool is_archive(const uint8_t *data, size_t size)
{
    return size > 8 && (data[0] == 0x93 || memcmp(data, "PK", 2) == 0 || data[8] == '{');
}

static wgdn_status read(wgdn_embedding **e, const uint8_t *data, size_t size, wgdn_error *err)
{
    wgdn_archive a = {0};
    wgdn_bytes b = {.data = data, .size = size, .name = "input"};
    const wgdn_input in = wgdn_input_of(&b);
    if (!is_archive(data, size)) return wgdn_embedding_from_text(e, &in, err);
    const wgdn_status st = wgdn_archive_parse(&a, &b, FUZZ_LIMIT, err);
    return st ? st : wgdn_embedding_from_archive(e, &a, "input", err);
}

static void look_at(const wgdn_embedding *e)
{
    const int64_t rows = wgdn_embedding_rows(e), width = wgdn_embedding_dim(e);
    const float *values = wgdn_embedding_get_values(e);
    FUZZ_EXPECT(rows > 0 && width > 0);
    for (int64_t k = 0; k < rows * width; k++)
        FUZZ_EXPECT(isfinite(values[k]));
    for (int64_t i = 0; i < rows; i++) {
        char id[256];
        const int64_t size = wgdn_embedding_id(id, sizeof id, e, i);
        FUZZ_EXPECT(size >= 0);
        if (size < (int64_t)sizeof id) FUZZ_EXPECT(wgdn_embedding_find(e, id, (size_t)size) == i);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    wgdn_embedding *e = NULL;
    wgdn_error err;
    const int64_t live = wgdn_alloc_live();
    const wgdn_status st = read(&e, data, size, &err);
    FUZZ_EXPECT(st == WGDN_OK || st == WGDN_EFORMAT);
    FUZZ_EXPECT(st == WGDN_OK || strlen(err.message) > 0);
    if (!st) look_at(e);
    wgdn_embedding_free(e);
    FUZZ_EXPECT(wgdn_alloc_live() == live);
    return 0;
}
