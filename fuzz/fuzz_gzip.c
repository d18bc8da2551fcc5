/* SPDX-License-Identifier: Apache-2.0 */
#include "fuzz.h"

#include "codec/inflate.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const wgdn_bytes in = {.data = data, .size = size, .name = "input"};
    const int64_t live = wgdn_alloc_live();
    wgdn_bytes out = {0};
    if (!wgdn_is_gzip(data, size)) return 0;
    const wgdn_status st = wgdn_gunzip(&out, &in, FUZZ_LIMIT, NULL);
    FUZZ_EXPECT(st == WGDN_OK || st == WGDN_EFORMAT);
    if (st == WGDN_OK) {
        FUZZ_EXPECT(out.size <= FUZZ_LIMIT);
        fuzz_touch(out.data, out.size);
        wgdn_bytes_free(&out);
    }
    FUZZ_EXPECT(wgdn_alloc_live() == live);
    return 0;
}
