/* SPDX-License-Identifier: Apache-2.0 */
/* Three targets, for the three formats of arrays: they differ in the first bytes and the seeds only. */
#include "fuzz.h"

#include "io/archive.h"

#include <string.h>

static void look_at(const wgdn_tensor *t)
{
    const int64_t count = wgdn_tensor_count(t);
    FUZZ_EXPECT(t->name && t->rank >= 0 && t->rank <= WGDN_RANK_MAX && count >= 0);
    FUZZ_EXPECT(t->width > 0 && (t->dtype == WGDN_TEXT || t->width == wgdn_dtype_width(t->dtype)));
    fuzz_touch(t->name, strlen(t->name));
    fuzz_touch(t->data, (size_t)count * t->width);
    if (count > 1 << 16) return;
    int64_t *n = wgdn_alloc((size_t)count, sizeof *n);
    FUZZ_EXPECT(n);
    (void)!wgdn_tensor_to_i64(n, t, NULL);
    (void)!wgdn_tensor_to_f32((float *)(void *)n, t, NULL);
    wgdn_release(n);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    wgdn_archive a = {0};
    wgdn_error err;
    const int64_t live = wgdn_alloc_live();
    wgdn_bytes b = {.data = data, .size = size, .name = "input"};
    const wgdn_status st = wgdn_archive_parse(&a, &b, FUZZ_LIMIT, &err);
    FUZZ_EXPECT(st == WGDN_OK || st == WGDN_EFORMAT);
    FUZZ_EXPECT(st == WGDN_OK || strlen(err.message) > 0);
    for (int64_t i = 0; st == WGDN_OK && i < a.tensors; i++) {
        look_at(&a.tensor[i]);
        FUZZ_EXPECT(wgdn_archive_find(&a, a.tensor[i].name) == &a.tensor[i]);
    }
    for (int64_t i = 0; st == WGDN_OK && i < a.metadata_count; i++)
        FUZZ_EXPECT(wgdn_archive_metadata(&a, a.metadata[i].key) == a.metadata[i].value);
    wgdn_archive_free(&a);
    FUZZ_EXPECT(wgdn_alloc_live() == live);
    return 0;
}
