/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Allocates all memory of the library, with checked sizes, cache-line alignment and huge pages for
 * large blocks. It counts the bytes in use and refuses allocations beyond the limits that limits.c
 * reports.
 */
#include "base.h"
#include "limits.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Reports total and available memory, for estimates that are made before anything is allocated. */

void wgdn_memory_get(int64_t *total, int64_t *available)
{
    wgdn_limits l;
    wgdn_limits_read(&l, "");
    *total = l.total.value;
    *available = l.available.value;
}

/* ---- blocks of memory ---- */

enum { SPARE = 4 << 20 }; /* for what does not come from wgdn_alloc */

static atomic_int_fast64_t budget; /* bytes that can be had before limits are looked at again */
static atomic_int_fast64_t held;   /* bytes of live blocks */
static _Thread_local bool refused; /* a block that the thread asked for, since the last message */

/*
 * A block is taken when it is asked for, and used when it is written to; limits count the second.
 * What is asked for but not used yet is at most what blocks hold less what the process has in
 * memory. Half of what is left may be asked for before the next look: others take memory, too.
 */
static bool look(int64_t bytes)
{
    wgdn_limits l;
    wgdn_limits_read(&l, "");
    if (l.available.value < 0) {
        atomic_store(&budget, INT64_MAX / 2);
        return true;
    }
    const int64_t coming = atomic_load(&held) - l.resident;
    const int64_t spare = wgdn_min(SPARE, l.available.value / 8);
    const int64_t room = l.available.value - spare - (coming > 0 ? coming : 0);
    atomic_store(&budget, bytes < room ? (room - bytes) / 2 : 0);
    return bytes <= room;
}

static bool memory_take(size_t bytes)
{
    const int64_t size = bytes < INT64_MAX ? (int64_t)bytes : INT64_MAX;
    const bool good =
        atomic_load(&budget) >= size ? (atomic_fetch_sub(&budget, size), true) : look(size);
    if (!good) refused = true;
    return good;
}

void wgdn_memory_short(void)
{
    refused = true;
}

bool wgdn_memory_can_map(int64_t bytes)
{
    wgdn_limits l;
    wgdn_limits_read(&l, "");
    return l.mapping.value < 0 || bytes <= l.mapping.value;
}

/* "1.5 GB" */
static void show(char *text, size_t size, int64_t bytes)
{
    static const char *const unit[] = {"bytes", "kB", "MB", "GB", "TB"};
    double value = (double)bytes;
    int k = 0;
    for (; value >= 999.5 && k < 4; k++)
        value /= 1000;
    snprintf(text, size, k ? "%.1f %s" : "%.0f %s", value, unit[k]);
}

void wgdn_memory_why(char *text, size_t size)
{
    wgdn_limits l;
    char left[32], all[32];
    if (!refused) return;
    refused = false;
    wgdn_limits_read(&l, "");
    if (l.available.value < 0) return;
    show(left, sizeof left, l.available.value);
    show(all, sizeof all, l.total.value);
    snprintf(text, size, "; %s of %s are available: %s", left, all, l.available.by);
}

wgdn_status wgdn_memory_need(const char *task, int64_t bytes, wgdn_error *err)
{
    wgdn_limits l;
    char needed[32];
    wgdn_limits_read(&l, "");
    if (l.available.value < 0 || bytes <= l.available.value) return WGDN_OK;
    show(needed, sizeof needed, bytes);
    wgdn_memory_short(); /* the message ends with the limit */
    return wgdn_fail(err, WGDN_ENOMEM, "%s needs %s more", task, needed);
}

/* Bytes that a block takes, as the C library says; 0: it does not. */
#if defined(__GLIBC__)
#include <malloc.h>
#define block_size malloc_usable_size
#elif defined(__APPLE__)
#include <malloc/malloc.h>
#define block_size malloc_size
#else
#define block_size(block) ((size_t)0)
#endif

enum { CACHE_LINE = 64 };
static const size_t huge_page = (size_t)2 << 20;
static const size_t huge_from = (size_t)4 << 20;

/* Seen by tests only; the library itself never reads them back. */
static _Thread_local int64_t allowed = -1;
static _Thread_local size_t largest = SIZE_MAX;
static atomic_int_fast64_t live;

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

static bool alloc_refused(void)
{
    if (allowed < 0) return false;
    if (allowed == 0) return true;
    allowed--;
    return false;
}

/* Large blocks are counted by what the C library says that they hold. */
static void hold(void *block, int sign)
{
    const size_t bytes = block_size(block);
    if (bytes >= WGDN_BLOCK_LARGE) atomic_fetch_add(&held, sign * (int64_t)bytes);
}

void *wgdn_alloc(size_t count, size_t size)
{
    size_t bytes;
    if (!wgdn_size_mul(&bytes, count, size) || bytes > largest || alloc_refused()) return NULL;

    /* aligned_alloc needs a multiple of the alignment, and at least one of them. */
    const size_t align = bytes >= huge_from ? huge_page : CACHE_LINE;
    if (!wgdn_size_add(&bytes, bytes ? bytes : 1, align - 1)) return NULL;
    bytes -= bytes % align;

    if (bytes >= WGDN_BLOCK_LARGE && !memory_take(bytes)) return NULL;
    void *block = aligned_alloc(align, bytes);
    if (!block) {
        wgdn_memory_short();
        return NULL;
    }
    hold(block, 1);
    if (align == huge_page) wgdn_os_use_huge_pages(block, bytes);
    atomic_fetch_add(&live, 1);
    return block;
}

void wgdn_release(void *block)
{
    if (!block) return;
    atomic_fetch_sub(&live, 1);
    hold(block, -1);
    free(block);
}

void *wgdn_arrays_add(wgdn_arrays *a, size_t count, size_t size)
{
    const bool can = !a->failed && a->count < WGDN_ARRAYS_MAX;
    void *block = can ? wgdn_alloc(count, size) : NULL;
    if (!block) a->failed = true;
    if (block) a->array[a->count++] = block;
    return block;
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
