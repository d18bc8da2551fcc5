/* SPDX-License-Identifier: Apache-2.0 */
/* How much memory there is, for those who must say beforehand what will not fit. */
#define _DEFAULT_SOURCE
#include "base.h"

#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/* The number of kB that /proc/meminfo gives under a name, as bytes; -1 if it does not. */
static int64_t meminfo(const char *name)
{
    char line[128];
    int64_t found = -1;
    const size_t length = strlen(name);
    FILE *f = fopen("/proc/meminfo", "r");
    if (!f) return -1;
    while (found < 0 && fgets(line, sizeof line, f)) {
        long long kb = 0;
        if (strncmp(line, name, length) == 0 && line[length] == ':' &&
            sscanf(line + length + 1, "%lld", &kb) == 1) /* NOLINT: a kernel's number */
            found = (int64_t)kb * 1024;
    }
    fclose(f);
    return found;
}

/* A file that holds one number, as control groups have them; -1 for "max" and for no file. */
static int64_t number_in(const char *path)
{
    long long number = -1;
    FILE *f = fopen(path, "r");
    if (!f) return -1;
    if (fscanf(f, "%lld", &number) != 1) number = -1; /* NOLINT: a kernel's number */
    fclose(f);
    return (int64_t)number;
}

static void lower(int64_t *least, int64_t other)
{
    if (other >= 0 && (*least < 0 || other < *least)) *least = other;
}

static int64_t address_space(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return -1;
    return limit.rlim_cur > INT64_MAX ? -1 : (int64_t)limit.rlim_cur;
}

/* Both kinds of control group: a container's limit counts, not the machine's memory. */
void wgdn_memory_get(int64_t *total, int64_t *available)
{
    const int64_t group2 = number_in("/sys/fs/cgroup/memory.max");
    const int64_t group1 = number_in("/sys/fs/cgroup/memory/memory.limit_in_bytes");
    const int64_t used2 = number_in("/sys/fs/cgroup/memory.current");
    const int64_t used1 = number_in("/sys/fs/cgroup/memory/memory.usage_in_bytes");
    const long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);

    *total = pages > 0 && size > 0 ? (int64_t)pages * size : -1;
    lower(total, meminfo("MemTotal"));
    *available = meminfo("MemAvailable");
    if (*available < 0) *available = *total;
    if (group2 >= 0 && used2 >= 0) lower(available, group2 > used2 ? group2 - used2 : 0);
    if (group1 >= 0 && used1 >= 0) lower(available, group1 > used1 ? group1 - used1 : 0);
    lower(total, group2);
    lower(total, group1);
    lower(total, address_space());
    lower(available, *total);
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
