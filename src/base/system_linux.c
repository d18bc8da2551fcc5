/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Asks Linux what only Linux knows: control groups, processors and memory of this process, and what
 * it does with pages and files. system_posix.c takes its place on other systems.
 */
#define _GNU_SOURCE /* sched_getaffinity, O_TMPFILE, madvise */
#include "limits.h"
#include "system.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <unistd.h>

/* ---- control groups ---- */

/* The hierarchies: all of version 2, and the three of version 1 that matter here. */
typedef enum hierarchy { UNIFIED, V1_MEMORY, V1_CPU, V1_PIDS, HIERARCHIES } hierarchy;

typedef struct group {
    hierarchy of;
    bool own;                     /* it is the process's */
    char folder[WGDN_GROUP_PATH]; /* where its files are */
    char name[WGDN_GROUP_PATH];   /* what it is called */
} group;
/* Called for the process's group and for each above it, up to what is mounted. False: groups above do not count any more. */
typedef bool group_visit(const group *g, void *user);

/*
 * Finds the files of the process's control groups. /proc/self/cgroup names the group in each
 * hierarchy, and /proc/self/mountinfo lists which part of a hierarchy is mounted where. In a
 * namespace, names are relative to its root, and names of groups beside or above it begin
 * with "/..".
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

static const char *const controller[HIERARCHIES] = {"", "memory", "cpu", "pids"};

typedef struct names {
    char of[HIERARCHIES][WGDN_GROUP_PATH]; /* "" where the process is in no group */
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
    for (int k = 0; k < HIERARCHIES; k++)
        if (k == UNIFIED ? *list == '\0' : lists(list, controller[k]))
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
    return k == UNIFIED ? m->unified : !m->unified && lists(m->options, controller[k]);
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
    bool found[HIERARCHIES];
    group_visit *visit;
    void *user;
    group g;
} search;

static void walk(search *s, const mount *m, int k, const char *name, const char *rest)
{
    group *g = &s->g;
    g->of = (hierarchy)k;
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
    for (int k = 0; k < HIERARCHIES; k++) {
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

static void groups_find(const char *root, group_visit *visit, void *user)
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

/*
 * Used bytes that the kernel takes back before it kills: pages of files on its two lists, without
 * those that must be written first. Memory of tmpfs ("shmem") is part of "file", but not of the
 * lists, which is why these are counted. Swap is never counted: memory that has to be swapped out
 * makes training slower by orders of magnitude.
 */
static int64_t reclaimable(const group *g)
{
    static const char *const word[2][4] = {
        {"inactive_file", "active_file", "file_dirty", "file_writeback"},
        {"total_inactive_file", "total_active_file", "total_dirty", "total_writeback"}};
    int64_t bytes[4];
    for (int i = 0; i < 4; i++)
        bytes[i] = wgdn_max(file_entry(g->folder, "memory.stat", word[g->of != UNIFIED][i]), 0);
    return wgdn_max(bytes[0] + bytes[1] - bytes[2] - bytes[3], 0);
}

static void bound_memory(wgdn_groups *all, const group *g, int64_t limit, const char *file)
{
    if (limit < 0) return;
    const bool v2 = g->of == UNIFIED;
    const int64_t usage =
        wgdn_max(file_number(g->folder, v2 ? "memory.current" : "memory.usage_in_bytes"), 0);
    const int64_t used = wgdn_max(usage - reclaimable(g), 0);
    wgdn_bound_lower(&all->limit, limit, "%s of control group %s", file, g->name);
    wgdn_bound_lower(&all->room, wgdn_max(limit - used, 0), "%s of control group %s", file,
                     g->name);
}

/* Above memory.high a process is not killed but slowed down until it hardly moves. */
static void read_unified(wgdn_groups *all, const group *g)
{
    static const char *const file[] = {"memory.max", "memory.high"};
    for (int i = 0; i < 2; i++)
        bound_memory(all, g, file_number(g->folder, file[i]), file[i]);
}

/* Groups above count unless they were made without use_hierarchy; some cannot be seen. */
static bool read_v1_memory(wgdn_groups *all, const group *g)
{
    if (!g->own && file_number(g->folder, "memory.use_hierarchy") == 0) return false;
    bound_memory(all, g, file_number(g->folder, "memory.limit_in_bytes"), "memory.limit_in_bytes");
    if (g->own)
        bound_memory(all, g, file_entry(g->folder, "memory.stat", "hierarchical_memory_limit"),
                     "hierarchical_memory_limit");
    return true;
}

/* quota / period, rounded up; a period of 0 is none. */
static void bound_cpus(wgdn_groups *all, const group *g, int64_t quota, int64_t period)
{
    if (quota <= 0 || period <= 0) return;
    const int64_t cpus = quota / period + (quota % period > 0);
    wgdn_bound_lower(&all->cpus, wgdn_min(cpus, INT_MAX), "%s of control group %s",
                     g->of == UNIFIED ? "cpu.max" : "cpu.cfs_quota_us", g->name);
}

/* "150000 100000" or "max 100000" */
static void read_cpu_max(wgdn_groups *all, const group *g)
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

static void read_pids(wgdn_groups *all, const group *g)
{
    const int64_t max = file_number(g->folder, "pids.max");
    const int64_t now = wgdn_max(file_number(g->folder, "pids.current"), 0);
    if (max >= 0)
        wgdn_bound_lower(&all->tasks, wgdn_max(max - now, 0), "pids.max of control group %s",
                         g->name);
}

static bool visit(const group *g, void *user)
{
    wgdn_groups *all = user;
    switch (g->of) {
    case V1_MEMORY: return read_v1_memory(all, g);
    case V1_CPU:
        bound_cpus(all, g, file_number(g->folder, "cpu.cfs_quota_us"),
                   file_number(g->folder, "cpu.cfs_period_us"));
        return true;
    case V1_PIDS: read_pids(all, g); return true;
    default:
        read_unified(all, g);
        read_cpu_max(all, g);
        read_pids(all, g);
        return true;
    }
}

void wgdn_os_groups(wgdn_groups *out, const char *root)
{
    *out = (wgdn_groups){.limit.value = -1, .room.value = -1, .cpus.value = -1, .tasks.value = -1};
    groups_find(root, visit, out);
}

/* ---- memory and processors ---- */

wgdn_mapped wgdn_os_mapped(const char *root)
{
    char path[WGDN_GROUP_PATH];
    long long page[6] = {0};
    const int64_t size = sysconf(_SC_PAGESIZE);
    snprintf(path, sizeof path, "%s/proc/self/statm", root);
    FILE *f = fopen(path, "re");
    if (!f) return (wgdn_mapped){0};
    for (int i = 0; i < 6; i++)
        if (fscanf(f, "%lld", &page[i]) != 1) break; /* NOLINT: a kernel's number */
    fclose(f);
    return (wgdn_mapped){page[0] * size, (page[1] - page[2]) * size, page[5] * size};
}

void wgdn_os_memory(int64_t *total, int64_t *available, const char *root)
{
    char proc[WGDN_GROUP_PATH];
    snprintf(proc, sizeof proc, "%s/proc", root);
    const int64_t all = file_entry(proc, "meminfo", "MemTotal");
    const int64_t left = file_entry(proc, "meminfo", "MemAvailable");
    const long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
    *total = all >= 0 ? all * 1024 : pages > 0 && size > 0 ? (int64_t)pages * size : -1;
    *available = left >= 0 ? left * 1024 : *total;
}

int wgdn_os_processors(unsigned char *set, size_t size)
{
    int count = 0;
    memset(set, 0, size);
    if (sched_getaffinity(0, size, (cpu_set_t *)(void *)set) != 0) return 0;
    for (size_t i = 0; i < size; i++)
        count += __builtin_popcount(set[i]);
    return count;
}

/* The bracketed word of "always [madvise] never". */
const char *wgdn_os_huge_pages(void)
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

void wgdn_os_use_huge_pages(void *block, size_t size)
{
    (void)madvise(block, size, MADV_HUGEPAGE);
}

void wgdn_os_forget(void *at, size_t size)
{
    (void)madvise(at, size, MADV_DONTNEED);
}

void wgdn_os_page_out(void *at, size_t size)
{
#ifdef MADV_PAGEOUT
    (void)madvise(at, size, MADV_PAGEOUT);
#else
    (void)at, (void)size;
#endif
}

/* ---- files ---- */

void wgdn_os_forget_file(int fd, int64_t from, int64_t size)
{
    (void)posix_fadvise(fd, from, size, POSIX_FADV_DONTNEED);
}

void wgdn_os_read_ahead(int fd)
{
    (void)posix_fadvise(fd, 0, 0, POSIX_FADV_SEQUENTIAL);
}

int wgdn_os_allocate(int fd, size_t size)
{
    return posix_fallocate(fd, 0, (off_t)size);
}

int wgdn_os_open_unnamed(const char *folder)
{
    return open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
}

bool wgdn_os_find_path(int fd, char *path, size_t size)
{
    char link[40];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    const ssize_t length = readlink(link, path, size - 1);
    path[length > 0 ? length : 0] = '\0';
    return length > 0;
}

/* ---- chance ---- */

bool wgdn_os_random(void *to, size_t size)
{
    return getrandom(to, size, GRND_NONBLOCK) == (ssize_t)size;
}
