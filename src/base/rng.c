/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Draws random numbers that depend only on their address, so the results do not depend on threads,
 * ranks or the order of calls. Every random choice in the library starts here; streams.h lists the
 * callers.
 */
#define _DEFAULT_SOURCE
#include "rng.h"
#include "base.h"
#include "system.h"

#include <Random123/philox.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

/*
 * Random numbers by address. Philox 4x32-10 (Random123) turns a 128-bit counter and a 64-bit key
 * into four 32-bit words; counter and key are the address:
 *
 *     key     seed
 *     counter row (48 bits), call (16), group (32), epoch (32)
 *
 * A group is one Philox call and serves four columns, 16 apart: within a stripe of 64 columns,
 * column 64 s + 16 j + l is word j of group 16 s + l. A row is therefore filled with whole vectors,
 * one per word, and never shuffled. rng_loops.h draws 16 groups at once. The functions here choose
 * its variant, and draw single addresses for tests and for small amounts.
 */

static const wgdn_rng_ops *const variants[] = WGDN_VARIANTS(wgdn_rng_base, wgdn_rng);

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

/*
 * Draws the seed of hash tables in memory whose keys come from a file. The author of the file does
 * not know the seed and cannot choose ids that share a slot. It never affects a result.
 */

static _Atomic uint64_t drawn; /* 0: not yet */

/* Early at boot the system may have no entropy; the clock and an address then serve. */
static uint64_t draw(void)
{
    uint64_t seed = 0;
    struct timespec now;
    if (wgdn_os_random(&seed, sizeof seed) && seed) return seed;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    seed = ((uint64_t)now.tv_sec << 30 ^ (uint64_t)now.tv_nsec) * 0x9e3779b97f4a7c15u;
    return (seed ^ (uint64_t)(uintptr_t)&now ^ (uint64_t)getpid() << 48) | 1;
}

uint64_t wgdn_hash_seed(void)
{
    uint64_t seed = atomic_load_explicit(&drawn, memory_order_relaxed);
    if (seed) return seed;
    const uint64_t fresh = draw();
    return atomic_compare_exchange_strong(&drawn, &seed, fresh) ? fresh : seed;
}
