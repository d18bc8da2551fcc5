/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Determines how much memory and how many processors this process may use. It combines control
 * groups, rlimits, CPU affinity and the share of each rank on a host. Memory allocation (memory.c)
 * and the choice of threads (machine.c) ask here; MPI start-up adds the ranks of the host.
 */
#define _GNU_SOURCE /* sched_getaffinity */
#include "limits.h"

#include <errno.h>
#include <limits.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/*
 * Finds the files of the process's control groups. /proc/self/cgroup names the group in each
 * hierarchy, and /proc/self/mountinfo lists which part of a hierarchy is mounted where. In a
 * namespace, names are relative to its root, and names of groups beside or above it begin with /..
 * .
 */

static FILE *open_below(const char *folder, const char *name)
{
    char path[WGDN_GROUP_PATH + 64];
    const int length = snprintf(path, sizeof path, "%s/%s", folder, name);
    return length > 0 && (size_t)length < sizeof path ? fopen(path, "re") : NULL;
}

/* Version 1 says "no limit" by a number close to 2^63. */
static int64_t number_at(const char *text)
{
    static const unsigned long long none = 1ULL << 60;
    char *end = NULL;
    while (*text == ' ' || *text == '\t')
        text++;
    if (*text < '0' || *text > '9') return -1;
    errno = 0;
    const unsigned long long number = strtoull(text, &end, 10);
    return errno || number >= none ? -1 : (int64_t)number;
}

/* The number behind a word at the start of a line; -1 if there is none. */
static int64_t file_entry(const char *folder, const char *name, const char *word)
{
    char line[256];
    const size_t length = strlen(word);
    int64_t found = -1;
    FILE *f = open_below(folder, name);
    if (!f) return -1;
    while (fgets(line, sizeof line, f))
        if (strncmp(line, word, length) == 0 &&
            (length == 0 || line[length] == ' ' || line[length] == ':')) {
            found = number_at(line + length + (line[length] == ':'));
            break;
        }
    fclose(f);
    return found;
}

/* The number that a file holds; -1 for "max", for no file, and for what is no limit in practice. */
static int64_t file_number(const char *folder, const char *name)
{
    return file_entry(folder, name, "");
}

/* ---- names of groups ---- */

static bool lists(const char *list, const char *word)
{
    const size_t length = strlen(word);
    for (const char *at = list; at; at = strchr(at, ',')) {
        if (*at == ',') at++;
        if (strncmp(at, word, length) == 0 && strchr(",\n", at[length])) return true;
    }
    return false;
}

static const char *const controller[WGDN_HIERARCHIES] = {"", "memory", "cpu", "pids"};

typedef struct names {
    char of[WGDN_HIERARCHIES][WGDN_GROUP_PATH]; /* "" where the process is in no group */
} names;

/* 4:memory,hugetlb:/path, or 0::/path of version 2 */
static void take_name(names *n, char *line)
{
    char *list = strchr(line, ':');
    char *path = list ? strchr(list + 1, ':') : NULL;
    if (!path || path[1] != '/') return;
    *path++ = '\0';
    path[strcspn(path, "\n")] = '\0';
    list++;
    if (strlen(path) >= WGDN_GROUP_PATH) return;
    for (int k = 0; k < WGDN_HIERARCHIES; k++)
        if (k == WGDN_UNIFIED ? *list == '\0' : lists(list, controller[k]))
            memcpy(n->of[k], path, strlen(path) + 1);
}

/* ---- mounts ---- */

typedef struct mount {
    bool unified;
    char root[WGDN_GROUP_PATH], point[WGDN_GROUP_PATH];
    const char *options; /* of the file system */
} mount;

/* A word of mountinfo: blanks and backslashes are written as \040. */
static bool take_word(char out[WGDN_GROUP_PATH], const char *from)
{
    size_t used = 0;
    for (; *from && *from != ' '; from++) {
        if (used + 1 >= WGDN_GROUP_PATH) return false;
        if (from[0] == '\\' && from[1] >= '0' && from[1] <= '3' && from[2] && from[3]) {
            out[used++] = (char)((from[1] - '0') * 64 + (from[2] - '0') * 8 + (from[3] - '0'));
            from += 3;
        } else {
            out[used++] = *from;
        }
    }
    out[used] = '\0';
    return true;
}

/* 36 35 98:0 /root /point rw,noatime master:1 - cgroup cgroup rw,memory */
static bool take_mount(mount *m, const char *line)
{
    const char *at = line, *kind = strstr(line, " - ");
    for (int skip = 0; skip < 3 && at; skip++) {
        at = strchr(at, ' ');
        if (at) at++;
    }
    if (!at || !kind || at > kind || !take_word(m->root, at)) return false;
    at = strchr(at, ' ');
    if (!at || at > kind || !take_word(m->point, at + 1)) return false;
    kind += 3;
    m->unified = strncmp(kind, "cgroup2 ", 8) == 0;
    if (!m->unified && strncmp(kind, "cgroup ", 7) != 0) return false;
    m->options = strchr(kind, ' ');
    m->options = m->options ? strchr(m->options + 1, ' ') : NULL;
    m->options = m->options ? m->options + 1 : "";
    return true;
}

static bool holds(const mount *m, int k)
{
    return k == WGDN_UNIFIED ? m->unified : !m->unified && lists(m->options, controller[k]);
}

static bool climbs(const char *path)
{
    for (const char *at = strstr(path, "/.."); at; at = strstr(at + 1, "/.."))
        if (at[3] == '/' || at[3] == '\0') return true;
    return false;
}

/* What follows the mount's root in the group's name, "" or "/a/b"; NULL if it is not below it. */
static const char *below(const mount *m, const char *name)
{
    const size_t length = strcmp(m->root, "/") == 0 ? 0 : strlen(m->root);
    if (strncmp(name, m->root, length) != 0) return NULL;
    const char *rest = name + length;
    if (*rest != '/' && *rest != '\0') return NULL;
    if (climbs(rest)) return NULL;
    return strcmp(rest, "/") == 0 ? "" : rest;
}

typedef struct search {
    const char *root;
    names names;
    bool found[WGDN_HIERARCHIES];
    wgdn_group_visit *visit;
    void *user;
    wgdn_group g;
} search;

static void walk(search *s, const mount *m, int k, const char *name, const char *rest)
{
    wgdn_group *g = &s->g;
    g->of = (wgdn_hierarchy)k;
    g->own = true;
    const int length = snprintf(g->folder, sizeof g->folder, "%s%s%s", s->root, m->point, rest);
    if (length < 0 || (size_t)length >= sizeof g->folder) return;
    memcpy(g->name, name, strlen(name) + 1);
    for (size_t left = strlen(rest);; g->own = false) {
        if (!s->visit(g, s->user) || left == 0) return;
        /* up one: the last part of folder and name goes */
        while (left > 0 && rest[left - 1] != '/')
            left--;
        left -= left > 0;
        g->folder[(size_t)length - strlen(rest) + left] = '\0';
        char *slash = strrchr(g->name, '/');
        if (slash) slash[slash == g->name] = '\0';
    }
}

/*
 * A group that is not below anything mounted, as in a namespace that it was moved out of or whose
 * mount begins further up: what is mounted is all that can be seen, and it counts.
 */
static void use_mount(search *s, const mount *m, bool last_resort)
{
    for (int k = 0; k < WGDN_HIERARCHIES; k++) {
        if (!s->names.of[k][0] || !holds(m, k)) continue;
        const char *rest = below(m, s->names.of[k]);
        if (last_resort ? s->found[k] : !rest) continue;
        if (last_resort) {
            walk(s, m, k, m->root, "");
        } else {
            s->found[k] = true;
            walk(s, m, k, s->names.of[k], rest);
        }
    }
}

static void groups_find(const char *root, wgdn_group_visit *visit, void *user)
{
    char folder[WGDN_GROUP_PATH];
    char *line = NULL;
    size_t room = 0;
    search *s = calloc(1, sizeof *s);
    mount *m = calloc(1, sizeof *m);
    snprintf(folder, sizeof folder, "%s/proc/self", root);
    FILE *f = s && m ? open_below(folder, "cgroup") : NULL;
    if (f) {
        s->root = root;
        s->visit = visit;
        s->user = user;
        while (getline(&line, &room, f) > 0)
            take_name(&s->names, line);
        fclose(f);
        for (int pass = 0; pass < 2; pass++) {
            f = open_below(folder, "mountinfo");
            while (f && getline(&line, &room, f) > 0)
                if (take_mount(m, line)) use_mount(s, m, pass == 1);
            if (f) fclose(f);
        }
    }
    free(line);
    free(m);
    free(s);
}

/* Reads the limits that the control groups set for this process. */

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
        bytes[i] = or_zero(file_entry(g->folder, "memory.stat", word[g->of != WGDN_UNIFIED][i]));
    return or_zero(bytes[0] + bytes[1] - bytes[2] - bytes[3]);
}

/* Lower the bound if the number is below it; numbers below 0 are none. */
static void bound_lower(wgdn_bound *b, int64_t value, const char *format, ...)
{
    va_list args;
    if (value < 0 || (b->value >= 0 && b->value <= value)) return;
    b->value = value;
    va_start(args, format);
    vsnprintf(b->by, sizeof b->by, format, args);
    va_end(args);
}

static void bound_memory(wgdn_groups *all, const wgdn_group *g, int64_t limit, const char *file)
{
    if (limit < 0) return;
    const bool v2 = g->of == WGDN_UNIFIED;
    const int64_t usage =
        or_zero(file_number(g->folder, v2 ? "memory.current" : "memory.usage_in_bytes"));
    const int64_t used = or_zero(usage - reclaimable(g));
    bound_lower(&all->limit, limit, "%s of control group %s", file, g->name);
    bound_lower(&all->room, or_zero(limit - used), "%s of control group %s", file, g->name);
}

/* Above memory.high a process is not killed but slowed down until it hardly moves. */
static void read_unified(wgdn_groups *all, const wgdn_group *g)
{
    static const char *const file[] = {"memory.max", "memory.high"};
    for (int i = 0; i < 2; i++)
        bound_memory(all, g, file_number(g->folder, file[i]), file[i]);
}

/* Groups above count unless they were made without use_hierarchy; some cannot be seen. */
static bool read_v1_memory(wgdn_groups *all, const wgdn_group *g)
{
    if (!g->own && file_number(g->folder, "memory.use_hierarchy") == 0) return false;
    bound_memory(all, g, file_number(g->folder, "memory.limit_in_bytes"), "memory.limit_in_bytes");
    if (g->own)
        bound_memory(all, g, file_entry(g->folder, "memory.stat", "hierarchical_memory_limit"),
                     "hierarchical_memory_limit");
    return true;
}

/* quota / period, rounded up; a period of 0 is none. */
static void bound_cpus(wgdn_groups *all, const wgdn_group *g, int64_t quota, int64_t period)
{
    if (quota <= 0 || period <= 0) return;
    const int64_t cpus = quota / period + (quota % period > 0);
    bound_lower(&all->cpus, wgdn_min(cpus, INT_MAX), "%s of control group %s",
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
    const int64_t max = file_number(g->folder, "pids.max");
    const int64_t now = or_zero(file_number(g->folder, "pids.current"));
    if (max >= 0)
        bound_lower(&all->tasks, or_zero(max - now), "pids.max of control group %s", g->name);
}

static bool visit(const wgdn_group *g, void *user)
{
    wgdn_groups *all = user;
    switch (g->of) {
    case WGDN_V1_MEMORY: return read_v1_memory(all, g);
    case WGDN_V1_CPU:
        bound_cpus(all, g, file_number(g->folder, "cpu.cfs_quota_us"),
                   file_number(g->folder, "cpu.cfs_period_us"));
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
    groups_find(root, visit, out);
}

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

static void bound_machine(wgdn_limits *l, const wgdn_groups *g, const char *root, int ranks)
{
    char proc[WGDN_GROUP_PATH];
    char shared[64] = "";
    snprintf(proc, sizeof proc, "%s/proc", root);
    const int64_t all = file_entry(proc, "meminfo", "MemTotal");
    const int64_t available = file_entry(proc, "meminfo", "MemAvailable");
    const long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
    if (ranks > 1) snprintf(shared, sizeof shared, ", shared by %d ranks", ranks);
    const int64_t total = all >= 0                ? all * 1024
                          : pages > 0 && size > 0 ? (int64_t)pages * size
                                                  : -1;
    const int64_t left = available >= 0 ? available * 1024 : total;
    bound_lower(&l->total, total, "the machine%s", shared);
    bound_lower(&l->total, g->limit.value, "%.120s%s", g->limit.by, shared);
    if (left >= 0) bound_lower(&l->available, left / ranks, "the machine%s", shared);
    if (g->room.value >= 0)
        bound_lower(&l->available, g->room.value / ranks, "%.120s%s", g->room.by, shared);
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
        bound_lower(&l->total, limit, "%s", own[i].by);
        const int64_t left = room - wgdn_min(stacks, room / 4);
        bound_lower(&l->available, left, "%s", own[i].by);
        bound_lower(&l->mapping, left, "%s", own[i].by);
        bound_lower(&l->threads, 1 + room / 4 / stack, "%s", own[i].by);
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

void wgdn_limits_read(wgdn_limits *out, const char *root)
{
    const int ranks = atomic_load(&ranks_here);
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
    /* What several ranks share is cut into equal parts, of at least one processor. */
    _Alignas(8) unsigned char set[AFFINITY_SET];
    const int allowed = wgdn_limits_affinity(set, sizeof set);
    const int together = atomic_load(&cpus_of_ranks);
    const long online = sysconf(_SC_NPROCESSORS_ONLN);
    out->cores = online > 0 ? (int)online : 1;
    bound_lower(&out->cpus, out->cores, "the machine");
    if (allowed > 0) bound_lower(&out->cpus, allowed, "the affinity of the process");
    if (ranks > 1 && together > 0)
        bound_lower(&out->cpus, together > ranks ? together / ranks : 1, "%d ranks on %d cores",
                    ranks, together);
    if (g.cpus.value > 0)
        bound_lower(&out->cpus, g.cpus.value > ranks ? g.cpus.value / ranks : 1, "%s", g.cpus.by);
    bound_lower(&out->threads, THREADS_MAX, "the library");
    if (g.tasks.value >= 0) bound_lower(&out->threads, 1 + g.tasks.value / ranks, "%s", g.tasks.by);
    bound_lower(&out->cpus, out->threads.value, "%s", out->threads.by);
    if (said >= 0) {
        bound_lower(&out->total, said, "WGDN_MEMORY");
        bound_lower(&out->available, or_zero(said - now.own), "WGDN_MEMORY");
    } else {
        bound_machine(out, &g, root, ranks);
    }
    bound_process(out, &now);
    out->resident = now.own;
    out->ranks = ranks;
    bound_lower(&out->available, out->total.value, "%s", out->total.by);
    bound_lower(&out->cpus, out->threads.value, "%s", out->threads.by);
}
