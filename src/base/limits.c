/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The governor: what this process may take of memory and processors, by the least of what the
 * machine has, its control groups, its own limits and its neighbours among the ranks leave.
 */
#define _GNU_SOURCE /* sched_getaffinity */
#include "limits.h"

#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum {
    THREADS_MAX = 4096,  /* as options allow */
    RESERVE = 16 << 20,  /* of address space: what libraries map on their own */
    STACK = 8 << 20,     /* of a thread, where no limit says it */
    AFFINITY_SET = 8192, /* bytes: 65536 processors */
};

static atomic_int ranks_here = 1, cpus_of_ranks;

void wgdn_limits_share(int ranks, int cpus)
{
    atomic_store(&ranks_here, ranks > 1 ? ranks : 1);
    atomic_store(&cpus_of_ranks, cpus);
}

int wgdn_limits_ranks(void)
{
    return atomic_load(&ranks_here);
}

void wgdn_bound_lower(wgdn_bound *b, int64_t value, const char *format, ...)
{
    va_list args;
    if (value < 0 || (b->value >= 0 && b->value <= value)) return;
    b->value = value;
    va_start(args, format);
    vsnprintf(b->by, sizeof b->by, format, args);
    va_end(args);
}

/* ---- memory ---- */

/* Bytes: all that is mapped, what of it is in memory and not of a file, and what is data. */
typedef struct mapped {
    int64_t all, own, data;
} mapped;

static mapped mapped_now(const char *root)
{
    char path[WGDN_GROUP_PATH];
    long long page[6] = {0};
    const int64_t size = sysconf(_SC_PAGESIZE);
    snprintf(path, sizeof path, "%s/proc/self/statm", root);
    FILE *f = fopen(path, "re");
    if (!f) return (mapped){0};
    for (int i = 0; i < 6; i++)
        if (fscanf(f, "%lld", &page[i]) != 1) break; /* NOLINT: a kernel's number */
    fclose(f);
    return (mapped){page[0] * size, (page[1] - page[2]) * size, page[5] * size};
}

static int64_t limit_of(int resource)
{
    struct rlimit limit;
    if (getrlimit(resource, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return -1;
    return limit.rlim_cur >= (rlim_t)1 << 60 ? -1 : (int64_t)limit.rlim_cur;
}

/* WGDN_MEMORY=2G: what a user knows better; -1 if it is not set. */
static wgdn_status read_memory(int64_t *bytes, wgdn_error *err)
{
    const char *text = getenv("WGDN_MEMORY");
    wgdn_error why = {0};
    *bytes = -1;
    if (!text || !*text || !wgdn_size_parse(bytes, text, &why)) return WGDN_OK;
    return wgdn_fail(err, WGDN_EINVAL, "WGDN_MEMORY: %s", why.message);
}

wgdn_status wgdn_memory_check(wgdn_error *err)
{
    int64_t unused;
    return read_memory(&unused, err);
}

static int64_t or_zero(int64_t number)
{
    return number > 0 ? number : 0;
}

static void bound_machine(wgdn_limits *l, const wgdn_groups *g, const char *root, int ranks)
{
    char proc[WGDN_GROUP_PATH];
    char shared[64] = "";
    snprintf(proc, sizeof proc, "%s/proc", root);
    const int64_t all = wgdn_file_entry(proc, "meminfo", "MemTotal");
    const int64_t available = wgdn_file_entry(proc, "meminfo", "MemAvailable");
    const long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
    if (ranks > 1) snprintf(shared, sizeof shared, ", shared by %d ranks", ranks);
    const int64_t total = all >= 0                ? all * 1024
                          : pages > 0 && size > 0 ? (int64_t)pages * size
                                                  : -1;
    const int64_t left = available >= 0 ? available * 1024 : total;
    wgdn_bound_lower(&l->total, total, "the machine%s", shared);
    wgdn_bound_lower(&l->total, g->limit.value, "%.120s%s", g->limit.by, shared);
    if (left >= 0) wgdn_bound_lower(&l->available, left / ranks, "the machine%s", shared);
    if (g->room.value >= 0)
        wgdn_bound_lower(&l->available, g->room.value / ranks, "%.120s%s", g->room.by, shared);
}

/*
 * Limits of the process count what is mapped, used or not. Threads that have not started yet will
 * map their stacks; that much, up to a quarter, is not for data.
 */
static void bound_process(wgdn_limits *l, const mapped *now)
{
    const struct {
        int resource;
        int64_t taken;
        const char *by;
    } own[] = {{RLIMIT_AS, now->all, "RLIMIT_AS (ulimit -v)"},
               {RLIMIT_DATA, now->data, "RLIMIT_DATA (ulimit -d)"}};
    const int64_t said = limit_of(RLIMIT_STACK), stack = said > 0 ? said : STACK;
    for (int i = 0; i < 2; i++) {
        const int64_t limit = limit_of(own[i].resource);
        if (limit < 0) continue;
        const int64_t room = or_zero(limit - own[i].taken - RESERVE);
        const int64_t stacks = (l->cpus.value - 1) * stack;
        wgdn_bound_lower(&l->total, limit, "%s", own[i].by);
        const int64_t left = room - wgdn_min(stacks, room / 4);
        wgdn_bound_lower(&l->available, left, "%s", own[i].by);
        wgdn_bound_lower(&l->mapping, left, "%s", own[i].by);
        wgdn_bound_lower(&l->threads, 1 + room / 4 / stack, "%s", own[i].by);
    }
}

/* ---- processors ---- */

int wgdn_limits_affinity(unsigned char *set, size_t size)
{
    int count = 0;
    memset(set, 0, size);
    if (sched_getaffinity(0, size, (cpu_set_t *)(void *)set) != 0) return 0;
    for (size_t i = 0; i < size; i++)
        count += __builtin_popcount(set[i]);
    return count;
}

/* What several ranks share is cut into equal parts, of at least one processor. */
static void bound_cpus(wgdn_limits *l, const wgdn_groups *g, int ranks)
{
    _Alignas(8) unsigned char set[AFFINITY_SET];
    const int allowed = wgdn_limits_affinity(set, sizeof set);
    const int together = atomic_load(&cpus_of_ranks);
    const long online = sysconf(_SC_NPROCESSORS_ONLN);
    l->cores = online > 0 ? (int)online : 1;
    wgdn_bound_lower(&l->cpus, l->cores, "the machine");
    if (allowed > 0) wgdn_bound_lower(&l->cpus, allowed, "the affinity of the process");
    if (ranks > 1 && together > 0)
        wgdn_bound_lower(&l->cpus, together > ranks ? together / ranks : 1, "%d ranks on %d cores",
                         ranks, together);
    if (g->cpus.value > 0)
        wgdn_bound_lower(&l->cpus, g->cpus.value > ranks ? g->cpus.value / ranks : 1, "%s",
                         g->cpus.by);
    wgdn_bound_lower(&l->threads, THREADS_MAX, "the library");
    if (g->tasks.value >= 0)
        wgdn_bound_lower(&l->threads, 1 + g->tasks.value / ranks, "%s", g->tasks.by);
    wgdn_bound_lower(&l->cpus, l->threads.value, "%s", l->threads.by);
}

void wgdn_limits_read(wgdn_limits *out, const char *root)
{
    const int ranks = wgdn_limits_ranks();
    int64_t said;
    const mapped now = mapped_now(root);
    wgdn_groups g;
    *out = (wgdn_limits){.total.value = -1,
                         .available.value = -1,
                         .mapping.value = -1,
                         .cpus.value = -1,
                         .threads.value = -1};
    (void)read_memory(&said, NULL); /* wgdn_memory_check() has refused what cannot be read */
    wgdn_groups_read(&g, root);
    bound_cpus(out, &g, ranks);
    if (said >= 0) {
        wgdn_bound_lower(&out->total, said, "WGDN_MEMORY");
        wgdn_bound_lower(&out->available, or_zero(said - now.own), "WGDN_MEMORY");
    } else {
        bound_machine(out, &g, root, ranks);
    }
    bound_process(out, &now);
    out->resident = now.own;
    wgdn_bound_lower(&out->available, out->total.value, "%s", out->total.by);
    wgdn_bound_lower(&out->cpus, out->threads.value, "%s", out->threads.by);
}
