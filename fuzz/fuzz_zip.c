/* SPDX-License-Identifier: Apache-2.0 */
#include "fuzz.h"

#include "io/zip.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const wgdn_bytes b = {.data = data, .size = size, .name = "input"};
    const int64_t live = wgdn_alloc_live();
    wgdn_zip z = {0};
    wgdn_status st = wgdn_zip_open(&z, &b, NULL);
    FUZZ_EXPECT(st == WGDN_OK || st == WGDN_EFORMAT);
    for (int64_t i = 0; st == WGDN_OK && i < z.members; i++) {
        wgdn_bytes out = {0};
        FUZZ_EXPECT(strlen(z.member[i].name) > 0 && wgdn_zip_find(&z, z.member[i].name) >= 0);
        if (wgdn_zip_borrow(&out, &z, i, NULL) == WGDN_OK) fuzz_touch(out.data, out.size);
        const wgdn_status got = wgdn_zip_extract(&out, &z, i, FUZZ_LIMIT, NULL);
        FUZZ_EXPECT(got == WGDN_OK || got == WGDN_EFORMAT);
        if (got != WGDN_OK) continue;
        FUZZ_EXPECT(out.size == z.member[i].size);
        fuzz_touch(out.data, out.size);
        wgdn_bytes_free(&out);
    }
    wgdn_zip_free(&z);
    FUZZ_EXPECT(wgdn_alloc_live() == live);
    return 0;
}
