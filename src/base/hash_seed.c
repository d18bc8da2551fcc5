/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Draws the seed of hash tables in memory whose keys come from a file. Nobody who writes the file knows it, so
 * that ids cannot be chosen to share a slot. It never shows in a result.
 */
#define _DEFAULT_SOURCE
#include "base.h"

#include <stdatomic.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

static _Atomic uint64_t drawn; /* 0: not yet */

/* Early at boot the system may have no entropy; the clock and an address then serve. */
static uint64_t draw(void)
{
    uint64_t seed = 0;
    struct timespec now;
    if (getrandom(&seed, sizeof seed, GRND_NONBLOCK) == (ssize_t)sizeof seed && seed) return seed;
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
