/* SPDX-License-Identifier: Apache-2.0 */
/* What the control groups of this process let it have. */
#include "limits.h"

#include <limits.h>
#include <stdio.h>

static int64_t or_zero(int64_t number)
{
    return number > 0 ? number : 0;
}

/*
 * Used bytes that the kernel takes back before it kills: pages of files on its two lists, without
 * those that must be written first. Memory of tmpfs ("shmem") is part of "file", but not of the
 * lists, which is why these are counted. Swap is never counted: memory that has to be swapped out
 * makes training slower by orders of magnitude.
 */
static int64_t reclaimable(const wgdn_group *g)
{
    static const char *const word[2][4] = {
        {"inactive_file", "active_file", "file_dirty", "file_writeback"},
        {"total_inactive_file", "total_active_file", "total_dirty", "total_writeback"}};
    int64_t bytes[4];
    for (int i = 0; i < 4; i++)
        bytes[i] =
            or_zero(wgdn_file_entry(g->folder, "memory.stat", word[g->of != WGDN_UNIFIED][i]));
    return or_zero(bytes[0] + bytes[1] - bytes[2] - bytes[3]);
}

static void bound_memory(wgdn_groups *all, const wgdn_group *g, int64_t limit, const char *file)
{
    if (limit < 0) return;
    const bool v2 = g->of == WGDN_UNIFIED;
    const int64_t usage =
        or_zero(wgdn_file_number(g->folder, v2 ? "memory.current" : "memory.usage_in_bytes"));
    const int64_t used = or_zero(usage - reclaimable(g));
    wgdn_bound_lower(&all->limit, limit, "%s of control group %s", file, g->name);
    wgdn_bound_lower(&all->room, or_zero(limit - used), "%s of control group %s", file, g->name);
}

/* Above memory.high a process is not killed but slowed down until it hardly moves. */
static void read_unified(wgdn_groups *all, const wgdn_group *g)
{
    static const char *const file[] = {"memory.max", "memory.high"};
    for (int i = 0; i < 2; i++)
        bound_memory(all, g, wgdn_file_number(g->folder, file[i]), file[i]);
}

/* Groups above count unless they were made without use_hierarchy; some cannot be seen. */
static bool read_v1_memory(wgdn_groups *all, const wgdn_group *g)
{
    if (!g->own && wgdn_file_number(g->folder, "memory.use_hierarchy") == 0) return false;
    bound_memory(all, g, wgdn_file_number(g->folder, "memory.limit_in_bytes"),
                 "memory.limit_in_bytes");
    if (g->own)
        bound_memory(all, g, wgdn_file_entry(g->folder, "memory.stat", "hierarchical_memory_limit"),
                     "hierarchical_memory_limit");
    return true;
}

/* quota / period, rounded up; a period of 0 is none. */
static void bound_cpus(wgdn_groups *all, const wgdn_group *g, int64_t quota, int64_t period)
{
    if (quota <= 0 || period <= 0) return;
    const int64_t cpus = quota / period + (quota % period > 0);
    wgdn_bound_lower(&all->cpus, wgdn_min(cpus, INT_MAX), "%s of control group %s",
                     g->of == WGDN_UNIFIED ? "cpu.max" : "cpu.cfs_quota_us", g->name);
}

/* "150000 100000" or "max 100000" */
static void read_cpu_max(wgdn_groups *all, const wgdn_group *g)
{
    char path[WGDN_GROUP_PATH + 16];
    long long quota = 0, period = 0;
    snprintf(path, sizeof path, "%s/cpu.max", g->folder);
    FILE *f = fopen(path, "re");
    if (!f) return;
    if (fscanf(f, "%lld %lld", &quota, &period) == 2) /* NOLINT: a kernel's numbers */
        bound_cpus(all, g, quota, period);
    fclose(f);
}

static void read_pids(wgdn_groups *all, const wgdn_group *g)
{
    const int64_t max = wgdn_file_number(g->folder, "pids.max");
    const int64_t now = or_zero(wgdn_file_number(g->folder, "pids.current"));
    if (max >= 0)
        wgdn_bound_lower(&all->tasks, or_zero(max - now), "pids.max of control group %s", g->name);
}

static bool visit(const wgdn_group *g, void *user)
{
    wgdn_groups *all = user;
    switch (g->of) {
    case WGDN_V1_MEMORY: return read_v1_memory(all, g);
    case WGDN_V1_CPU:
        bound_cpus(all, g, wgdn_file_number(g->folder, "cpu.cfs_quota_us"),
                   wgdn_file_number(g->folder, "cpu.cfs_period_us"));
        return true;
    case WGDN_V1_PIDS: read_pids(all, g); return true;
    default:
        read_unified(all, g);
        read_cpu_max(all, g);
        read_pids(all, g);
        return true;
    }
}

void wgdn_groups_read(wgdn_groups *out, const char *root)
{
    *out = (wgdn_groups){.limit.value = -1, .room.value = -1, .cpus.value = -1, .tasks.value = -1};
    wgdn_groups_find(root, visit, out);
}
