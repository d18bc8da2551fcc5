/* SPDX-License-Identifier: Apache-2.0 */
/* A target for each way to pack: FUZZ_PACKING is that of this one. */
#include "fuzz.h"

#include "io/compression.h"

#ifdef FUZZ_BZIP2
/*
 * A stream of bzip2 takes 0.4 to 3.6 MB as soon as its first bytes are right, and the sanitizer
 * maps and unmaps such a block each time, which was nine tenths of an execution. Here it is one
 * block that stays; bzlib itself is not instrumented, so nothing goes unseen by that.
 */
#include <bzlib.h>

static unsigned char large[4 << 20];
static bool taken;
static void *(*usual_take)(void *, int, int);
static void (*usual_give_back)(void *, void *);

static void *take(void *opaque, int items, int size)
{
    const size_t bytes = (size_t)items * (size_t)size;
    if (taken || bytes < 1 << 17 || bytes > sizeof large) return usual_take(opaque, items, size);
    taken = true;
    return large;
}

static void give_back(void *opaque, void *block)
{
    if (block == large)
        taken = false;
    else
        usual_give_back(opaque, block);
}

int __real_BZ2_bzDecompressInit(bz_stream *z, int verbosity, int small);
int __wrap_BZ2_bzDecompressInit(bz_stream *z, int verbosity, int small);
int __wrap_BZ2_bzDecompressInit(bz_stream *z, int verbosity, int small)
{
    usual_take = z->bzalloc;
    usual_give_back = z->bzfree;
    z->bzalloc = take;
    z->bzfree = give_back;
    return __real_BZ2_bzDecompressInit(z, verbosity, small);
}
#else
static const bool taken = false;
#endif

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const wgdn_packing *const p = &FUZZ_PACKING;
    const wgdn_bytes in = {.data = data, .size = size, .name = "input"};
    const int64_t live = wgdn_alloc_live();
    wgdn_bytes out = {0};
    unsigned char start[64];
    if (!p->is(data, size)) return 0;
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
    FUZZ_EXPECT(!taken);
    return 0;
}
