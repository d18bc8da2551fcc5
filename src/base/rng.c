/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Random numbers by address. Philox 4x32-10 (Random123) turns a 128-bit counter and a 64-bit key
 * into four 32-bit words; counter and key are the address:
 *
 *     key     seed
 *     counter row (48 bits), call (16), group (32), epoch (32)
 *
 * A group is one Philox call and serves four columns, 16 apart: within a stripe of 64 columns,
 * column 64 s + 16 j + l is word j of group 16 s + l. So a row is filled with whole vectors, one
 * per word, and never shuffled. rng_rows.h does this for 16 groups at once; here is the choice of
 * the variant, and one address at a time for tests and for small needs.
 */
#include "rng.h"

#include <Random123/philox.h>

static const wgdn_rng_ops *const variants[] = {
    [WGDN_CPU_PLAIN] = &wgdn_rng_base,
    [WGDN_CPU_BASE] = &wgdn_rng_base,
#if defined(__x86_64__)
    [WGDN_CPU_V3] = &wgdn_rng_v3,
    [WGDN_CPU_V4] = &wgdn_rng_v4,
#endif
};

void wgdn_random_normals(float *z, int64_t ld, wgdn_stream s, int64_t row0, int64_t rows,
                         int64_t col0, int64_t cols)
{
    const wgdn_rng_ops *ops = variants[wgdn_cpu_level()];
    for (int64_t i = 0; i < rows; i++)
        ops->normal_row(z + i * ld, s, row0 + i, col0, cols);
}

void wgdn_random_uniforms(float *u, int64_t ld, wgdn_stream s, int64_t row0, int64_t rows,
                          int64_t col0, int64_t cols)
{
    const wgdn_rng_ops *ops = variants[wgdn_cpu_level()];
    for (int64_t i = 0; i < rows; i++)
        ops->uniform_row(u + i * ld, s, row0 + i, col0, cols);
}

uint32_t wgdn_random_bits(wgdn_stream s, int64_t row, int64_t col)
{
    const int64_t group = col / WGDN_RNG_STRIPE * WGDN_RNG_LANES + col % WGDN_RNG_LANES;
    const philox4x32_key_t key = {{(uint32_t)s.seed, (uint32_t)(s.seed >> 32)}};
    const philox4x32_ctr_t counter = {{(uint32_t)row,
                                       (uint32_t)((uint64_t)row >> 32) | (uint32_t)s.call << 16,
                                       (uint32_t)group, s.epoch}};
    return philox4x32(counter, key).v[col % WGDN_RNG_STRIPE / WGDN_RNG_LANES];
}
