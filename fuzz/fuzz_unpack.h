/* SPDX-License-Identifier: Apache-2.0 */
/* One body for the ways to pack: they differ in the first bytes and the seeds only. */
#include "fuzz.h"

#include "codec/unpack.h"

static void fuzz_unpack(const wgdn_packing *p, const uint8_t *data, size_t size)
{
    const wgdn_bytes in = {.data = data, .size = size, .name = "input"};
    const int64_t live = wgdn_alloc_live();
    wgdn_bytes out = {0};
    unsigned char start[64];
    if (!p->is(data, size)) return;
    const wgdn_status st = wgdn_unpack(&out, p, &in, FUZZ_LIMIT, NULL);
    const size_t first = wgdn_unpack_start(start, sizeof start, p, data, size);
    FUZZ_EXPECT(st == WGDN_OK || st == WGDN_EFORMAT);
    FUZZ_EXPECT(first <= sizeof start);
    if (st == WGDN_OK) {
        FUZZ_EXPECT(out.size <= FUZZ_LIMIT);
        FUZZ_EXPECT(first == 0 || (first <= out.size && out.data[0] == start[0]));
        fuzz_touch(out.data, out.size);
        wgdn_bytes_free(&out);
    }
    FUZZ_EXPECT(wgdn_alloc_live() == live);
}
