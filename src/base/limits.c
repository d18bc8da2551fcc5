/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Determines how much memory and how many processors this process may use. It combines control
 * groups, rlimits, CPU affinity and the share of each rank on a host. Memory allocation (memory.c)
 * and the choice of threads (machine.c) ask here; MPI start-up adds the ranks of the host.
 */
#define _DEFAULT_SOURCE /* _SC_PHYS_PAGES */
#include "limits.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/*
 * Combines all limits. The process may use the minimum of the machine's resources, the limits of
 * its control groups, its own limits, and its share among the ranks on this host.
 */

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

static void bound_machine(wgdn_limits *l, const wgdn_groups *g, const char *root, int ranks)
{
    char shared[64] = "";
    int64_t total, left;
    wgdn_os_memory(&total, &left, root);
    if (ranks > 1) snprintf(shared, sizeof shared, ", shared by %d ranks", ranks);
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
static void bound_process(wgdn_limits *l, const wgdn_mapped *now)
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
        const int64_t room = wgdn_max(limit - own[i].taken - RESERVE, 0);
        const int64_t stacks = (l->cpus.value - 1) * stack;
        wgdn_bound_lower(&l->total, limit, "%s", own[i].by);
        const int64_t left = room - wgdn_min(stacks, room / 4);
        wgdn_bound_lower(&l->available, left, "%s", own[i].by);
        wgdn_bound_lower(&l->mapping, left, "%s", own[i].by);
        wgdn_bound_lower(&l->threads, 1 + room / 4 / stack, "%s", own[i].by);
    }
}

void wgdn_limits_read(wgdn_limits *out, const char *root)
{
    const int ranks = atomic_load(&ranks_here);
    int64_t said;
    const wgdn_mapped now = wgdn_os_mapped(root);
    wgdn_groups g;
    *out = (wgdn_limits){.total.value = -1,
                         .available.value = -1,
                         .mapping.value = -1,
                         .cpus.value = -1,
                         .threads.value = -1};
    (void)read_memory(&said, NULL); /* wgdn_memory_check() has refused what cannot be read */
    wgdn_os_groups(&g, root);
    /* What several ranks share is cut into equal parts, of at least one processor. */
    _Alignas(8) unsigned char set[AFFINITY_SET];
    const int allowed = wgdn_os_processors(set, sizeof set);
    const int together = atomic_load(&cpus_of_ranks);
    const long online = sysconf(_SC_NPROCESSORS_ONLN);
    out->cores = online > 0 ? (int)online : 1;
    wgdn_bound_lower(&out->cpus, out->cores, "the machine");
    if (allowed > 0) wgdn_bound_lower(&out->cpus, allowed, "the affinity of the process");
    if (ranks > 1 && together > 0)
        wgdn_bound_lower(&out->cpus, together > ranks ? together / ranks : 1,
                         "%d ranks on %d cores", ranks, together);
    if (g.cpus.value > 0)
        wgdn_bound_lower(&out->cpus, g.cpus.value > ranks ? g.cpus.value / ranks : 1, "%s",
                         g.cpus.by);
    wgdn_bound_lower(&out->threads, THREADS_MAX, "the library");
    if (g.tasks.value >= 0)
        wgdn_bound_lower(&out->threads, 1 + g.tasks.value / ranks, "%s", g.tasks.by);
    wgdn_bound_lower(&out->cpus, out->threads.value, "%s", out->threads.by);
    if (said >= 0) {
        wgdn_bound_lower(&out->total, said, "WGDN_MEMORY");
        wgdn_bound_lower(&out->available, wgdn_max(said - now.own, 0), "WGDN_MEMORY");
    } else {
        bound_machine(out, &g, root, ranks);
    }
    bound_process(out, &now);
    out->resident = now.own;
    out->ranks = ranks;
    wgdn_bound_lower(&out->available, out->total.value, "%s", out->total.by);
    wgdn_bound_lower(&out->cpus, out->threads.value, "%s", out->threads.by);
}
