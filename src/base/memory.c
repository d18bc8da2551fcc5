/* SPDX-License-Identifier: Apache-2.0 */
/* How much memory there is, for those who must say beforehand what will not fit. */
#include "limits.h"

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

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

bool wgdn_memory_take(size_t bytes)
{
    const int64_t size = bytes < INT64_MAX ? (int64_t)bytes : INT64_MAX;
    const bool good =
        atomic_load(&budget) >= size ? (atomic_fetch_sub(&budget, size), true) : look(size);
    if (!good) refused = true;
    return good;
}

void wgdn_memory_held(int64_t more)
{
    atomic_fetch_add(&held, more);
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

/* The bracketed word of "always [madvise] never". */
const char *wgdn_memory_huge_pages(void)
{
    static const char *const word[] = {"always", "madvise", "never"};
    char line[64] = "";
    FILE *f = fopen("/sys/kernel/mm/transparent_hugepage/enabled", "r");
    if (!f) return "unknown";
    const bool read = fgets(line, sizeof line, f) != NULL;
    fclose(f);
    for (int i = 0; read && i < 3; i++) {
        const char *at = strstr(line, word[i]);
        if (at && at > line && at[-1] == '[') return word[i];
    }
    return "unknown";
}
