/* SPDX-License-Identifier: Apache-2.0 */
#include "unpack.h"

#include <string.h>

/* A frame, or one to be skipped, with which some writers begin. */
static bool is_zstd(const unsigned char *data, size_t size)
{
    if (size < 4) return false;
    return memcmp(data, "\x28\xb5\x2f\xfd", 4) == 0 ||
           ((data[0] & 0xf0) == 0x50 && memcmp(data + 1, "\x2a\x4d\x18", 3) == 0);
}

#ifdef WGDN_HAVE_ZSTD
#include <zstd.h>
#include <zstd_errors.h>

#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION
enum { WINDOW_LOG_MAX = 16 }; /* clearing more takes most of a run */
#else
enum { WINDOW_LOG_MAX = 27 }; /* 128 MiB: what zstd itself accepts unasked */
#endif

static void close_zstd(void *state)
{
    ZSTD_freeDCtx(state);
}

static bool open_zstd(void **state)
{
    ZSTD_DCtx *z = ZSTD_createDCtx();
    if (!z) return false;
    (void)ZSTD_DCtx_setParameter(z, ZSTD_d_windowLogMax, WINDOW_LOG_MAX);
    *state = z;
    return true;
}

static wgdn_step step_zstd(void *state, wgdn_flow *f)
{
    ZSTD_inBuffer in = {f->in, f->in_left, 0};
    ZSTD_outBuffer out = {f->out, f->out_left, 0};
    const size_t code = ZSTD_decompressStream(state, &out, &in);
    f->in += in.pos;
    f->in_left -= in.pos;
    f->out += out.pos;
    f->out_left -= out.pos;
    if (code == 0) return WGDN_STEP_END;
    if (!ZSTD_isError(code)) return WGDN_STEP_MORE;
    switch (ZSTD_getErrorCode(code)) {
    case ZSTD_error_memory_allocation: return WGDN_STEP_NO_MEMORY;
    case ZSTD_error_dstSize_tooSmall:
    case ZSTD_error_noForwardProgress_destFull: return WGDN_STEP_MORE;
    case ZSTD_error_frameParameter_windowTooLarge:
        f->why = "its window is above 128 MiB: pack it again without --long";
        break;
    default: f->why = ZSTD_getErrorName(code);
    }
    return WGDN_STEP_BROKEN;
}

static bool zstd_again(void *state)
{
    return !ZSTD_isError(ZSTD_DCtx_reset(state, ZSTD_reset_session_only));
}

const wgdn_packing wgdn_packing_zstd = {
    "zstd", ".zst", "libzstd-dev", is_zstd, open_zstd, step_zstd, zstd_again, close_zstd,
};
#else
const wgdn_packing wgdn_packing_zstd = {
    .name = "zstd", .suffix = ".zst", .package = "libzstd-dev", .is = is_zstd};
#endif
