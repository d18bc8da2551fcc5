/* SPDX-License-Identifier: Apache-2.0 */
#include "unpack.h"

#include <string.h>

static bool is_xz(const unsigned char *data, size_t size)
{
    return size >= 6 && memcmp(data,
                               "\xfd"
                               "7zXZ\0",
                               6) == 0;
}

#ifdef WGDN_HAVE_LZMA
#include <lzma.h>

#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION
static const uint64_t memory_max = (uint64_t)1 << 20; /* clearing more takes most of a run */
#else
static const uint64_t memory_max = (uint64_t)256 << 20; /* xz -9 takes 65 MiB */
#endif

static void *take(void *opaque, size_t items, size_t size)
{
    (void)opaque;
    return wgdn_alloc(items, size);
}

static void give_back(void *opaque, void *block)
{
    (void)opaque;
    wgdn_release(block);
}

static void close_xz(void *state)
{
    lzma_end(state);
    wgdn_release(state);
}

static bool xz_again(void *state)
{
    return lzma_stream_decoder(state, memory_max, LZMA_CONCATENATED) == LZMA_OK;
}

static bool open_xz(void **state)
{
    static const lzma_allocator memory = {take, give_back, NULL};
    const lzma_stream clean = LZMA_STREAM_INIT;
    lzma_stream *z = wgdn_alloc(1, sizeof *z);
    if (!z) return false;
    *z = clean;
    z->allocator = &memory;
    if (!xz_again(z)) {
        close_xz(z);
        return false;
    }
    *state = z;
    return true;
}

/* Streams that follow one another, and zeros between them, are the decoder's own business. */
static wgdn_step step_xz(void *state, wgdn_flow *f)
{
    lzma_stream *z = state;
    z->next_in = f->in;
    z->avail_in = f->in_left;
    z->next_out = f->out;
    z->avail_out = f->out_left;
    const lzma_ret code = lzma_code(z, LZMA_FINISH);
    f->in = z->next_in;
    f->in_left = z->avail_in;
    f->out = z->next_out;
    f->out_left = z->avail_out;
    switch (code) {
    case LZMA_STREAM_END: return WGDN_STEP_END;
    case LZMA_OK:
    case LZMA_BUF_ERROR: return WGDN_STEP_MORE;
    case LZMA_MEM_ERROR: return WGDN_STEP_NO_MEMORY;
    case LZMA_MEMLIMIT_ERROR: f->why = "it takes more than 256 MiB: pack it again with -9"; break;
    case LZMA_OPTIONS_ERROR: f->why = "a filter that is not known here"; break;
    default: f->why = NULL;
    }
    return WGDN_STEP_BROKEN;
}

const wgdn_packing wgdn_packing_xz = {
    "xz", ".xz", "liblzma-dev", is_xz, open_xz, step_xz, xz_again, close_xz,
};
#else
const wgdn_packing wgdn_packing_xz = {
    .name = "xz", .suffix = ".xz", .package = "liblzma-dev", .is = is_xz};
#endif
