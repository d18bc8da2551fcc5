/* SPDX-License-Identifier: Apache-2.0 */
#include "unpack.h"

#include <limits.h>
#include <string.h>

/* BZh, the size of blocks, then a block or the end of an empty stream. */
static bool is_bzip2(const unsigned char *data, size_t size)
{
    return size >= 10 && memcmp(data, "BZh", 3) == 0 && data[3] >= '1' && data[3] <= '9' &&
           (memcmp(data + 4, "1AY&SY", 6) == 0 || memcmp(data + 4, "\x17rE8P\x90", 6) == 0);
}

#ifdef WGDN_HAVE_BZIP2
#include <bzlib.h>

static void *take(void *opaque, int items, int size)
{
    (void)opaque;
    return wgdn_alloc((size_t)items, (size_t)size);
}

static void give_back(void *opaque, void *block)
{
    (void)opaque;
    wgdn_release(block);
}

static void close_bzip2(void *state)
{
    (void)BZ2_bzDecompressEnd(state);
    wgdn_release(state);
}

static bool begin(bz_stream *z)
{
    *z = (bz_stream){.bzalloc = take, .bzfree = give_back};
    return BZ2_bzDecompressInit(z, 0, 0) == BZ_OK;
}

static bool open_bzip2(void **state)
{
    bz_stream *z = wgdn_alloc(1, sizeof *z);
    if (!z) return false;
    if (!begin(z)) {
        wgdn_release(z);
        return false;
    }
    *state = z;
    return true;
}

static bool bzip2_again(void *state)
{
    (void)BZ2_bzDecompressEnd(state);
    return begin(state);
}

/* bzlib counts in unsigned int: hand it at most that much at once. */
static unsigned portion(size_t left)
{
    return left < UINT_MAX ? (unsigned)left : UINT_MAX;
}

static wgdn_step step_bzip2(void *state, wgdn_flow *f)
{
    bz_stream *z = state;
    const unsigned in = portion(f->in_left), out = portion(f->out_left);
    z->next_in = (char *)(uintptr_t)f->in;
    z->avail_in = in;
    z->next_out = (char *)f->out;
    z->avail_out = out;
    const int code = BZ2_bzDecompress(z);
    f->in += in - z->avail_in;
    f->in_left -= in - z->avail_in;
    f->out += out - z->avail_out;
    f->out_left -= out - z->avail_out;
    switch (code) {
    case BZ_STREAM_END: return WGDN_STEP_END;
    case BZ_OK: return WGDN_STEP_MORE;
    case BZ_MEM_ERROR: return WGDN_STEP_NO_MEMORY;
    default: return WGDN_STEP_BROKEN;
    }
}

const wgdn_packing wgdn_packing_bzip2 = {
    "bzip2", ".bz2", "libbz2-dev", is_bzip2, open_bzip2, step_bzip2, bzip2_again, close_bzip2,
};
#else
const wgdn_packing wgdn_packing_bzip2 = {
    .name = "bzip2", .suffix = ".bz2", .package = "libbz2-dev", .is = is_bzip2};
#endif
