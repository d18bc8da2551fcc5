/* SPDX-License-Identifier: Apache-2.0 */
#define _DEFAULT_SOURCE /* madvise */
#include "base.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#if defined(__GLIBC__)
#include <malloc.h>
#endif

enum { CACHE_LINE = 64 };
static const size_t huge_page = (size_t)2 << 20;
static const size_t huge_from = (size_t)4 << 20;

/* Seen by tests only; the library itself never reads them back. */
static _Thread_local int64_t allowed = -1;
static _Thread_local size_t largest = SIZE_MAX;
static atomic_int_fast64_t live;

bool wgdn_size_mul(size_t *out, size_t a, size_t b)
{
    return !__builtin_mul_overflow(a, b, out);
}

bool wgdn_size_add(size_t *out, size_t a, size_t b)
{
    return !__builtin_add_overflow(a, b, out);
}

size_t wgdn_size_product(size_t a, size_t b, size_t c)
{
    size_t all;
    if (a == 0 || b == 0 || c == 0) return 0;
    const bool fits = wgdn_size_mul(&all, a, b) && wgdn_size_mul(&all, all, c);
    return fits && all < WGDN_SIZE_HUGE ? all : WGDN_SIZE_HUGE;
}

size_t wgdn_size_sum(size_t a, size_t b)
{
    size_t all;
    return wgdn_size_add(&all, a, b) && all < WGDN_SIZE_HUGE ? all : WGDN_SIZE_HUGE;
}

void wgdn_alloc_allow(int64_t n)
{
    allowed = n;
}

void wgdn_alloc_limit(size_t bytes)
{
    largest = bytes;
}

int64_t wgdn_alloc_live(void)
{
    return atomic_load(&live);
}

static bool refused(void)
{
    if (allowed < 0) return false;
    if (allowed == 0) return true;
    allowed--;
    return false;
}

/* Large blocks are counted by what the C library says that they hold. */
static void hold(void *block, int sign)
{
#if defined(__GLIBC__)
    const size_t bytes = malloc_usable_size(block);
    if (bytes >= WGDN_BLOCK_LARGE) wgdn_memory_held(sign * (int64_t)bytes);
#else
    (void)block;
    (void)sign;
#endif
}

void *wgdn_alloc(size_t count, size_t size)
{
    size_t bytes;
    if (!wgdn_size_mul(&bytes, count, size) || bytes > largest || refused()) return NULL;

    /* aligned_alloc needs a multiple of the alignment, and at least one of them. */
    const size_t align = bytes >= huge_from ? huge_page : CACHE_LINE;
    if (!wgdn_size_add(&bytes, bytes ? bytes : 1, align - 1)) return NULL;
    bytes -= bytes % align;

    if (bytes >= WGDN_BLOCK_LARGE && !wgdn_memory_take(bytes)) return NULL;
    void *block = aligned_alloc(align, bytes);
    if (!block) {
        wgdn_memory_short();
        return NULL;
    }
    hold(block, 1);
    if (align == huge_page) (void)madvise(block, bytes, MADV_HUGEPAGE); /* a wish, not a need */
    atomic_fetch_add(&live, 1);
    return block;
}

void *wgdn_alloc_zero(size_t count, size_t size)
{
    void *block = wgdn_alloc(count, size);
    if (block) memset(block, 0, count * size);
    return block;
}

void wgdn_release(void *block)
{
    if (!block) return;
    atomic_fetch_sub(&live, 1);
    hold(block, -1);
    free(block);
}

bool wgdn_grow(void *slot, int64_t *room, int64_t need, size_t size)
{
    void *old, *block;
    if (need <= *room) return true;
    memcpy(&old, slot, sizeof old);
    if (*room <= INT64_MAX / 2 && need < *room * 2) need = *room * 2;
    if (need < 16) need = 16;
    block = wgdn_alloc((size_t)need, size);
    if (!block) return false;
    if (*room) memcpy(block, old, (size_t)*room * size);
    wgdn_release(old);
    memcpy(slot, &block, sizeof block);
    *room = need;
    return true;
}

void wgdn_alloc_trim(void)
{
#if defined(__GLIBC__)
    (void)malloc_trim(0);
#endif
}
