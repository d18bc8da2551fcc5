/* SPDX-License-Identifier: Apache-2.0 */
/* What the machine has and what limits allow. */
#define _GNU_SOURCE
#include "check.h"
#include "scratch.h"

#include "base/limits.h"
#include "base/system.h"
#include "linalg/linalg.h"

#include <ftw.h>
#include <omp.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

/* ---- limits ---- */

/* Limits of control groups, read from made-up trees; limits of the process, set for real. */

static char root[SCRATCH_PATH];
static int trees;

/* A file below the tree of the case, with the folders that lead to it. */
static void put(const char *path, const char *text)
{
    char at[SCRATCH_PATH * 2];
    snprintf(at, sizeof at, "%s/%s", root, path);
    for (char *slash = at + strlen(root) + 1; (slash = strchr(slash, '/')); slash++) {
        *slash = '\0';
        (void)mkdir(at, 0755);
        *slash = '/';
    }
    FILE *f = fopen(at, "w");
    CHECK(f && fputs(text, f) >= 0);
    if (f) fclose(f);
}

static void tree(const char *groups, const char *mounts)
{
    snprintf(root, sizeof root, "%s/tree%d", scratch_folder, trees++);
    (void)mkdir(root, 0755);
    put("proc/self/cgroup", groups);
    put("proc/self/mountinfo", mounts);
}

static wgdn_groups groups(void)
{
    wgdn_groups g;
    wgdn_os_groups(&g, root);
    return g;
}

#define V2 "30 23 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate\n"
#define V1(name) \
    "35 31 0:32 / /sys/fs/cgroup/" name " rw,relatime shared:9 - cgroup cgroup rw," name "\n"
#define MIB(n) ((int64_t)(n) << 20)

/* What the old code saw was the root's file alone. */
static void nested(void)
{
    tree("0::/slice/job/step\n", "22 1 8:1 / / rw - ext4 /dev/sda1 rw\n" V2);
    put("sys/fs/cgroup/slice/memory.max", "1073741824\n");
    put("sys/fs/cgroup/slice/memory.current", "1048576\n");
    put("sys/fs/cgroup/slice/job/memory.max", "52428800\n");
    put("sys/fs/cgroup/slice/job/memory.current", "20971520\n");
    put("sys/fs/cgroup/slice/job/memory.stat", "anon 10485760\nfile 10485760\n");
    put("sys/fs/cgroup/slice/job/step/memory.max", "max\n");
    put("sys/fs/cgroup/slice/job/step/memory.current", "20971520\n");
    wgdn_groups g = groups();
    CHECK(g.limit.value == MIB(50) && g.room.value == MIB(30));
    CHECK_TEXT(g.limit.by, "memory.max of control group /slice/job");
    CHECK_TEXT(g.room.by, "memory.max of control group /slice/job");
    /* A group further up with less left, though its limit is larger. */
    put("sys/fs/cgroup/slice/memory.current", "1063741824\n");
    g = groups();
    CHECK(g.limit.value == MIB(50) && g.room.value == 10000000);
    CHECK_TEXT(g.room.by, "memory.max of control group /slice");
}

static void high_counts(void)
{
    tree("0::/a\n", V2);
    put("sys/fs/cgroup/a/memory.max", "104857600\n");
    put("sys/fs/cgroup/a/memory.high", "83886080\n");
    put("sys/fs/cgroup/a/memory.current", "1048576\n");
    CHECK(groups().limit.value == MIB(80) && groups().room.value == MIB(79));
    CHECK_TEXT(groups().room.by, "memory.high of control group /a");
}

/* A container with a full cache can be used; tmpfs and dirty pages cannot be taken back. */
static void cache_is_free(void)
{
    tree("0::/\n", V2);
    put("sys/fs/cgroup/memory.max", "104857600\n");
    put("sys/fs/cgroup/memory.current", "104857600\n");
    put("sys/fs/cgroup/memory.stat", "anon 10485760\nfile 94371840\nshmem 10485760\n"
                                     "file_mapped 1\nfile_dirty 1048576\nfile_writeback 1048576\n"
                                     "inactive_anon 0\ninactive_file 41943040\n"
                                     "active_file 41943040\n");
    CHECK(groups().room.value == MIB(78));
    put("sys/fs/cgroup/memory.stat", "inactive_file 99999999999999\n");
    CHECK(groups().room.value == MIB(100)); /* never more than the limit */
    put("sys/fs/cgroup/memory.stat", "file_dirty 5000\n");
    CHECK(groups().room.value == 0);
}

static void version_1(void)
{
    tree("4:memory:/docker/abc\n3:cpuset:/\n2:cpu,cpuacct:/docker/abc\n1:name=systemd:/x\n0::/\n",
         V1("memory") V1("cpu") V1("cpuset"));
    put("sys/fs/cgroup/memory/docker/abc/memory.limit_in_bytes", "209715200\n");
    put("sys/fs/cgroup/memory/docker/abc/memory.usage_in_bytes", "104857600\n");
    put("sys/fs/cgroup/memory/docker/abc/memory.stat",
        "inactive_file 1\ntotal_inactive_file 52428800\ntotal_active_file 0\n"
        "hierarchical_memory_limit 209715200\n");
    put("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
    put("sys/fs/cgroup/cpu/docker/abc/cpu.cfs_quota_us", "250000\n");
    put("sys/fs/cgroup/cpu/docker/abc/cpu.cfs_period_us", "100000\n");
    put("sys/fs/cgroup/cpu/cpu.cfs_quota_us", "-1\n");
    put("sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n");
    const wgdn_groups g = groups();
    CHECK(g.limit.value == MIB(200) && g.room.value == MIB(150) && g.cpus.value == 3);
    CHECK_TEXT(g.limit.by, "memory.limit_in_bytes of control group /docker/abc");
    CHECK_TEXT(g.cpus.by, "cpu.cfs_quota_us of control group /docker/abc");
}

/* Above the part that is mounted nothing can be read, but the kernel tells the least limit. */
static void version_1_unseen_parent(void)
{
    tree("4:memory:/pod/c\n",
         "35 31 0:32 /pod/c /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n");
    put("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
    put("sys/fs/cgroup/memory/memory.usage_in_bytes", "1048576\n");
    put("sys/fs/cgroup/memory/memory.stat", "hierarchical_memory_limit 104857600\n");
    CHECK(groups().limit.value == MIB(100) && groups().room.value == MIB(99));
}

static void version_1_flat(void)
{
    tree("4:memory:/a/b\n", V1("memory"));
    put("sys/fs/cgroup/memory/a/b/memory.limit_in_bytes", "104857600\n");
    put("sys/fs/cgroup/memory/a/memory.limit_in_bytes", "10485760\n");
    put("sys/fs/cgroup/memory/a/memory.use_hierarchy", "0\n");
    CHECK(groups().limit.value == MIB(100));
    put("sys/fs/cgroup/memory/a/memory.use_hierarchy", "1\n");
    CHECK(groups().limit.value == MIB(10));
}

/* Version 1 for memory, version 2 beside it for the rest. */
static void hybrid(void)
{
    tree("4:memory:/m\n0::/u/v\n",
         V1("memory") "41 31 0:38 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n");
    put("sys/fs/cgroup/memory/m/memory.limit_in_bytes", "104857600\n");
    put("sys/fs/cgroup/unified/u/cpu.max", "50000 100000\n");
    put("sys/fs/cgroup/unified/u/v/cpu.max", "max 100000\n");
    put("sys/fs/cgroup/unified/u/v/pids.max", "100\n");
    put("sys/fs/cgroup/unified/u/v/pids.current", "40\n");
    const wgdn_groups g = groups();
    CHECK(g.limit.value == MIB(100) && g.cpus.value == 1 && g.tasks.value == 60);
    CHECK_TEXT(g.cpus.by, "cpu.max of control group /u");
}

static void quotas(void)
{
    static const struct {
        const char *text;
        int64_t cpus;
    } quota[] = {{"max 100000\n", -1},   {"100000 100000\n", 1},
                 {"100001 100000\n", 2}, {"1000 100000\n", 1},
                 {"800000 50000\n", 16}, {"100000 0\n", -1},
                 {"0 100000\n", -1},     {"", -1},
                 {"nonsense\n", -1},     {"-5 100000\n", -1},
                 {"100000\n", -1},       {"9000000000000000000 1\n", INT32_MAX}};
    for (size_t i = 0; i < sizeof quota / sizeof *quota; i++) {
        tree("0::/q\n", V2);
        put("sys/fs/cgroup/q/cpu.max", quota[i].text);
        CHECK(groups().cpus.value == quota[i].cpus);
    }
}

static void odd_numbers(void)
{
    static const struct {
        const char *text;
        int64_t limit;
    } max[] = {{"max\n", -1},  {"\n", -1},
               {"", -1},       {"18446744073709551615\n", -1},
               {"-1\n", -1},   {"99999999999999999999999999\n", -1},
               {"0\n", 0},     {"9223372036854771712\n", -1},
               {"4096", 4096}, {"1099511627776\n", (int64_t)1 << 40},
               {"word\n", -1}};
    for (size_t i = 0; i < sizeof max / sizeof *max; i++) {
        tree("0::/q\n", V2);
        put("sys/fs/cgroup/q/memory.max", max[i].text);
        CHECK(groups().limit.value == max[i].limit);
        CHECK(groups().room.value == max[i].limit); /* no file of what is used */
    }
}

/* In a namespace the group is / and what is mounted is it. Outside of it names climb. */
static void namespaces(void)
{
    tree("0::/\n", V2);
    put("sys/fs/cgroup/memory.max", "104857600\n");
    CHECK(groups().limit.value == MIB(100));

    tree("0::/../../other\n", V2);
    put("sys/fs/cgroup/memory.max", "104857600\n");
    put("sys/other/memory.max", "1\n"); /* what a path with .. in it would find */
    put("sys/fs/other/memory.max", "1\n");
    CHECK(groups().limit.value == MIB(100));

    tree("0::/\n", "30 23 0:26 /../.. /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n");
    put("sys/fs/cgroup/memory.max", "104857600\n");
    CHECK(groups().limit.value == MIB(100));
    CHECK_TEXT(groups().limit.by, "memory.max of control group /../..");

    tree("0::/../b\n", "30 23 0:26 /.. /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n");
    put("sys/fs/cgroup/memory.max", "104857600\n");
    put("sys/fs/cgroup/b/memory.max", "52428800\n");
    CHECK(groups().limit.value == MIB(50));
}

/* A part of the tree is mounted: names begin with its root, by whole words. */
static void bind_mounts(void)
{
    tree("0::/kube/pod1/c\n", "30 23 0:26 /kube/pod1 /cg rw - cgroup2 cgroup2 rw\n");
    put("cg/memory.max", "104857600\n");
    put("cg/c/memory.max", "52428800\n");
    CHECK(groups().limit.value == MIB(50));
    CHECK_TEXT(groups().limit.by, "memory.max of control group /kube/pod1/c");

    tree("0::/kube/pod12\n", "30 23 0:26 /kube/pod1 /cg rw - cgroup2 cgroup2 rw\n");
    put("cg/memory.max", "104857600\n");
    put("cg/2/memory.max", "1\n");
    CHECK(groups().limit.value == MIB(100));

    tree("0::/a b\n", "30 23 0:26 / /my\\040groups rw - cgroup2 cgroup2 rw\n");
    put("my groups/a b/memory.max", "52428800\n");
    CHECK(groups().limit.value == MIB(50));

    /* Twice: the part that shows the group itself counts as well as the other. */
    tree("0::/x/y\n", V2 "31 23 0:26 /elsewhere /cg rw - cgroup2 cgroup2 rw\n");
    put("sys/fs/cgroup/x/memory.max", "104857600\n");
    put("cg/memory.max", "1\n");
    CHECK(groups().limit.value == MIB(100));
}

static void nothing_there(void)
{
    static const char *const odd[] = {"",     "\n",     "0::\n", "0::relative\n", ":\n",
                                      "::\n", "0:/x\n", "abc\n", "4:memory:\n"};
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) {
        tree(odd[i], V2);
        CHECK(groups().limit.value == -1 && groups().cpus.value == -1);
    }
    tree("0::/a\n", "30\n30 23 0:26\n - cgroup2\n30 23 0:26 / - cgroup2 cgroup2 rw\n"
                    "30 23 0:26 / /sys/fs/cgroup rw - cgroup2\n\n - \n");
    CHECK(groups().limit.value == -1);
    snprintf(root, sizeof root, "%s/none", scratch_folder);
    CHECK(groups().limit.value == -1 && groups().tasks.value == -1);
}

static void long_names(void)
{
    char name[3 * WGDN_GROUP_PATH] = "0::", mount[sizeof name + 128];
    for (size_t at = 3; at + 3 < sizeof name; at += 2)
        memcpy(name + at, "/a", 3);
    snprintf(mount, sizeof mount, "30 23 0:26 %s /cg rw - cgroup2 cgroup2 rw\n", name + 3);
    tree(name, mount);
    CHECK(groups().limit.value == -1);
    name[WGDN_GROUP_PATH - 10] = '\0';
    tree(name, V2);
    CHECK(groups().limit.value == -1);
}

/* ---- all limits together ---- */

static void least_of_all(void)
{
    wgdn_limits l;
    tree("0::/q\n", V2);
    put("proc/meminfo",
        "MemTotal:        1000000 kB\nMemFree: 5 kB\nMemAvailable:     500000 kB\n");
    put("proc/self/statm", "1000 500 100 10 0 300 0\n");
    wgdn_limits_read(&l, root);
    CHECK(l.total.value == 1024000000 && l.available.value == 512000000);
    CHECK_TEXT(l.available.by, "the machine");
    CHECK(l.resident == 400 * sysconf(_SC_PAGESIZE));
    put("sys/fs/cgroup/q/memory.max", "104857600\n");
    put("sys/fs/cgroup/q/cpu.max", "100000 100000\n");
    wgdn_limits_read(&l, root);
    CHECK(l.total.value == MIB(100) && l.available.value == MIB(100));
    CHECK_TEXT(l.available.by, "memory.max of control group /q");
    CHECK(l.cpus.value == 1);
    /* Four ranks share it. */
    wgdn_limits_share(4, 8);
    put("sys/fs/cgroup/q/cpu.max", "max 100000\n");
    wgdn_limits_read(&l, root);
    CHECK(l.available.value == MIB(25) && l.cpus.value <= 2);
    CHECK_TEXT(l.available.by, "memory.max of control group /q, shared by 4 ranks");
    wgdn_limits_share(1, 0);
}

static void user_knows_better(void)
{
    static const struct {
        const char *text;
        int64_t total;
    } said[] = {{"2G", MIB(2048)}, {"300M", MIB(300)},    {"7000", 7000}, {"1T", MIB(1 << 20)},
                {"9K", 9216},      {"1.5GiB", MIB(1536)}, {"", MIB(100)}, {"8MB", MIB(8)}};
    static const char *const wrong[] = {"2X",  "-1",  "2GG",   "G",        "1.5.2G",
                                        " 2G", "2 G", "1e400", "99999999T"};
    wgdn_limits l;
    tree("0::/q\n", V2);
    put("sys/fs/cgroup/q/memory.max", "104857600\n");
    for (size_t i = 0; i < sizeof said / sizeof *said; i++) {
        setenv("WGDN_MEMORY", said[i].text, 1);
        wgdn_limits_read(&l, root);
        CHECK(l.total.value == said[i].total && wgdn_memory_check(NULL) == WGDN_OK);
    }
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        wgdn_error why = {0};
        wgdn_dataset *d = NULL;
        setenv("WGDN_MEMORY", wrong[i], 1);
        CHECK(wgdn_dataset_read(&d, "nowhere", NULL, &why) == WGDN_EINVAL);
        CHECK(strncmp(why.message, "WGDN_MEMORY: '", 14) == 0 && strstr(why.message, "1.5G"));
    }
    unsetenv("WGDN_MEMORY");
}

/* In a process of its own, which the limits end with. */
static void apart(void (*test)(void))
{
    int status = 1;
#ifdef __SANITIZE_ADDRESS__ /* it takes more than any limit leaves */
    return;
#endif
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        check_failures = 0;
        test();
        _exit(check_failures > 0);
    }
    CHECK(child > 0 && waitpid(child, &status, 0) == child && status == 0);
}

static void with_address_space(void)
{
    wgdn_limits l, before;
    struct rlimit limit = {.rlim_cur = (rlim_t)4 << 30, .rlim_max = RLIM_INFINITY};
    wgdn_limits_read(&before, "");
    CHECK(setrlimit(RLIMIT_AS, &limit) == 0);
    wgdn_limits_read(&l, "");
    CHECK(l.total.value <= MIB(4096));
    CHECK(l.available.value < MIB(4096)); /* something is mapped already */
    if (before.available.value > MIB(4096)) CHECK_TEXT(l.available.by, "RLIMIT_AS (ulimit -v)");
    CHECK(l.threads.value >= 1 && l.threads.value < before.threads.value);
    limit.rlim_cur = 1 << 20; /* below what there is */
    CHECK(setrlimit(RLIMIT_AS, &limit) == 0);
    wgdn_limits_read(&l, "");
    CHECK(l.available.value == 0 && l.threads.value == 1);
}

static void with_data(void)
{
    wgdn_limits l;
    struct rlimit limit = {.rlim_cur = (rlim_t)256 << 20, .rlim_max = RLIM_INFINITY};
    CHECK(setrlimit(RLIMIT_DATA, &limit) == 0);
    wgdn_limits_read(&l, "");
    CHECK(l.available.value < MIB(256));
    CHECK_TEXT(l.available.by, "RLIMIT_DATA (ulimit -d)");
}

#ifdef __linux__
static void with_one_cpu(void)
{
    wgdn_limits l;
    cpu_set_t one, all;
    CPU_ZERO(&one);
    CHECK(sched_getaffinity(0, sizeof all, &all) == 0);
    for (int k = 0; k < CPU_SETSIZE && CPU_COUNT(&one) == 0; k++)
        if (CPU_ISSET(k, &all)) CPU_SET(k, &one);
    CHECK(sched_setaffinity(0, sizeof one, &one) == 0);
    wgdn_limits_read(&l, "");
    CHECK(l.cpus.value == 1);
}
#endif

static void process_limits(void)
{
    apart(with_address_space);
    apart(with_data);
#ifdef __linux__ /* no processor can be taken away elsewhere */
    apart(with_one_cpu);
#endif
}

/* Blocks that are not used yet count: two of 60 % do not fit, one after the other does. */
static void blocks_fit(void)
{
    wgdn_limits l;
    wgdn_error err = {WGDN_OK, ""};
    setenv("WGDN_MEMORY", "300M", 1);
    wgdn_limits_read(&l, "");
    const size_t part = (size_t)l.available.value / 10 * 6;
    void *first = wgdn_alloc(part, 1);
    CHECK(first && !wgdn_alloc(part, 1));
    CHECK(wgdn_fail(&err, WGDN_ENOMEM, "a test") == WGDN_ENOMEM);
    CHECK(strstr(err.message, "a test; ") && strstr(err.message, "are available: WGDN_MEMORY"));
    CHECK(wgdn_fail(&err, WGDN_ENOMEM, "another") == WGDN_ENOMEM);
    CHECK_TEXT(err.message, "another");
    wgdn_release(first);
    first = wgdn_alloc(part, 1);
    CHECK(first != NULL);
    wgdn_release(first);
    CHECK(wgdn_memory_need("work", (int64_t)part, &err) == WGDN_OK);
    CHECK(wgdn_memory_need("work", (int64_t)1 << 40, &err) == WGDN_ENOMEM);
    CHECK(strstr(err.message, "work needs 1.1 TB more; ") && strstr(err.message, "WGDN_MEMORY"));
    unsetenv("WGDN_MEMORY");
}

static void block_budget(void)
{
    apart(blocks_fit);
}

/* ---- threads ---- */

static void threads_chosen(void)
{
    unsetenv("OMP_NUM_THREADS");
    const int offered = omp_get_max_threads();
    const int former = wgdn_threads_use(3);
    CHECK(omp_get_max_threads() == 3 && wgdn_threads_count(0) == 3);
    const int inner = wgdn_threads_use(0); /* a call within the call */
    CHECK(omp_get_max_threads() == 3);
    wgdn_threads_use(inner);
    const int single = wgdn_threads_use(1);
    CHECK(omp_get_max_threads() == 1);
    wgdn_threads_use(single);
    CHECK(omp_get_max_threads() == 3);
    wgdn_threads_use(former);
    CHECK(omp_get_max_threads() == offered);
    omp_set_num_threads(5); /* the host program's word */
    CHECK(wgdn_threads_count(0) == 5);
    omp_set_num_threads(1000000);
    const int million = wgdn_threads_use(0);
    CHECK(omp_get_max_threads() <= omp_get_num_procs());
    wgdn_threads_use(million);
    CHECK(omp_get_max_threads() == 1000000);
    omp_set_num_threads(offered);
}

static int remove_one(const char *path, const struct stat *s, int kind, struct FTW *at)
{
    (void)s, (void)kind, (void)at;
    return remove(path);
}

static int limits_tests(void)
{
    scratch_begin();
    RUN(nested);
    RUN(high_counts);
    RUN(cache_is_free);
    RUN(version_1);
    RUN(version_1_unseen_parent);
    RUN(version_1_flat);
    RUN(hybrid);
    RUN(quotas);
    RUN(odd_numbers);
    RUN(namespaces);
    RUN(bind_mounts);
    RUN(nothing_there);
    RUN(long_names);
    RUN(least_of_all);
    RUN(user_knows_better);
    RUN(process_limits);
    RUN(block_budget);
    RUN(threads_chosen);
    CHECK(nftw(scratch_folder, remove_one, 16, FTW_DEPTH | FTW_PHYS) == 0);
    return check_result();
}

/* ---- machine ---- */

/* What the library says of the machine must at least be possible. */

static bool one_of(const char *word, const char *const *words)
{
    for (; *words; words++)
        if (strcmp(word, *words) == 0) return true;
    return false;
}

static void possible(void)
{
    static const char *const levels[] = {"plain", "base", "v3", "v4", NULL};
    static const char *const states[] = {"always", "madvise", "never", "unknown", NULL};
    static const char *const engines[] = {"onednn", "cblas", NULL};
    static const char *const units[] = {"amx", "avx512", "rounded", NULL};
    wgdn_machine m = {.struct_size = sizeof m};
    wgdn_machine_describe(&m);
    CHECK(one_of(m.cpu_best, levels));
    CHECK(one_of(m.cpu_used, levels));
    CHECK(one_of(m.huge_pages, states));
    CHECK(one_of(m.engine, engines));
    CHECK(one_of(m.bf16, units));
    CHECK(m.cores >= 1 && m.threads >= 1);
    CHECK(m.memory_total == -1 || m.memory_total > 1 << 20);
    CHECK(m.memory_available >= -1 && m.memory_available <= m.memory_total);
}

/* A program compiled against a shorter struct keeps the bytes behind it. */
static void older_program(void)
{
    wgdn_machine m;
    memset(&m, 0x5a, sizeof m);
    const int64_t behind = m.memory_available;
    m.struct_size = offsetof(wgdn_machine, memory_available);
    wgdn_machine_describe(&m);
    CHECK(m.threads >= 1);
    CHECK(m.memory_available == behind);
}

static void follows_limits(void)
{
    wgdn_machine m = {.struct_size = sizeof m};
    wgdn_cpu_limit(WGDN_CPU_BASE);
    const int former = wgdn_threads_use(3);
    wgdn_machine_describe(&m);
    CHECK_TEXT(m.cpu_used, "base");
    CHECK_TEXT(m.bf16, "rounded");
    CHECK(m.threads == 3);
    wgdn_threads_use(former);
    wgdn_cpu_limit(WGDN_CPU_V4);
}

static void features(void)
{
    int count = 0;
    for (; wgdn_build_get_feature(count); count++) {
        const wgdn_build_feature *f = wgdn_build_get_feature(count);
        CHECK(f->name[0] && f->purpose[0] && f->package[0]);
        CHECK(f->present == 0 || f->present == 1);
    }
    CHECK(count >= 1);
    CHECK(!wgdn_build_get_feature(-1));
}

static int machine_tests(void)
{
    RUN(possible);
    RUN(older_program);
    RUN(follows_limits);
    RUN(features);
    return check_result();
}

int main(int argc, char **argv)
{
    static const check_group groups[] = {
        {"limits", limits_tests},
        {"machine", machine_tests},
    };
    return check_groups(groups, sizeof groups / sizeof *groups, argc, argv);
}
