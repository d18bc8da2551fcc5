/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Detects the CPU level, chooses the number of threads, tracks forks and reads the clock. Loops
 * that are compiled once per CPU level and all parallel regions depend on it; processor limits
 * come from limits.c.
 */
#define _POSIX_C_SOURCE 200809L /* clock_gettime */
#include "base.h"
#include "limits.h"

#include <dlfcn.h>
#include <limits.h>
#include <omp.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const char *const names[] = {"plain", "base", "v3", "v4"};

/* The level in use, found on first use; -1 before. Every finder finds the same. */
static atomic_int chosen = -1;

wgdn_cpu wgdn_cpu_best(void)
{
#if defined(__x86_64__)
    __builtin_cpu_init();
    const bool v3 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                    __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
    const bool v4 = v3 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                    __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
                    __builtin_cpu_supports("avx512vl");
    if (v4) return WGDN_CPU_V4;
    if (v3) return WGDN_CPU_V3;
#endif
    return WGDN_CPU_BASE;
}

void wgdn_cpu_limit(wgdn_cpu most)
{
    const wgdn_cpu best = wgdn_cpu_best();
    atomic_store(&chosen, (int)(most < best ? most : best));
}

wgdn_cpu wgdn_cpu_level(void)
{
    if (atomic_load(&chosen) < 0) {
        const char *wish = getenv("WGDN_CPU");
        wgdn_cpu most = WGDN_CPU_V4;
        for (int i = 0; wish && i <= WGDN_CPU_V4; i++)
            if (strcmp(wish, names[i]) == 0) most = (wgdn_cpu)i;
        wgdn_cpu_limit(most);
    }
    return (wgdn_cpu)atomic_load(&chosen);
}

const char *wgdn_cpu_name(wgdn_cpu level)
{
    return names[level];
}

/*
 * What OpenMP offers is what its host program or OMP_NUM_THREADS says, or else all processors of
 * the process's affinity. The second does not know of quotas and of other ranks: limits.c does.
 */
static atomic_int cpus_known, threads_known; /* 0: not looked yet */
static _Thread_local bool threads_chosen;    /* the thread is in a call that has chosen */

static void look(void)
{
    wgdn_limits l;
    wgdn_limits_read(&l, "");
    atomic_store(&threads_known, (int)wgdn_min(l.threads.value, INT_MAX));
    atomic_store(&cpus_known, (int)wgdn_min(l.cpus.value, INT_MAX));
}

void wgdn_threads_look_again(void)
{
    atomic_store(&cpus_known, 0);
}

/* Nobody has said how many: neither the environment nor the host program. */
static bool unsaid(int offered)
{
    return !getenv("OMP_NUM_THREADS") && offered == omp_get_num_procs();
}

int wgdn_threads_count(int threads)
{
    const int offered = omp_get_max_threads();
    if (threads <= 0 && (threads_chosen || omp_in_parallel())) return offered;
    if (!atomic_load(&cpus_known)) look();
    const int cpus = atomic_load(&cpus_known), most = atomic_load(&threads_known);
    /* Too many to start is a mistake, and no wish for as many as can be. */
    if (threads <= 0) return offered > most || (unsaid(offered) && offered > cpus) ? cpus : offered;
    return threads > most ? cpus : threads;
}

int wgdn_threads_use(int threads)
{
    const int former = omp_get_max_threads();
    if (threads < 0) { /* what the host program had */
        omp_set_num_threads(-threads);
        threads_chosen = false;
        return former;
    }
    const bool within = threads_chosen || omp_in_parallel();
    const int use = wgdn_threads_count(threads);
    if (use != former) omp_set_num_threads(use);
    if (!within) threads_chosen = true;
    return within ? former : -former;
}

/*
 * A BLAS with threads of its own cuts its products by their number, which shows in the last bits.
 * The one that does so widely can be set otherwise, for the whole process, so it is set to what it
 * was before when we are done.
 */
int wgdn_blas_threads_use(const char *library, int threads)
{
    int (*get)(void);
    void (*set)(int);
    *(void **)&get = wgdn_library_find(library, "openblas_get_num_threads");
    *(void **)&set = wgdn_library_find(library, "openblas_set_num_threads");
    if (!get || !set) return 0;
    const int former = get();
    if (threads > 0) set(threads);
    return former;
}

void *wgdn_library_find(const char *library, const char *name)
{
    void *loaded = dlopen(library, RTLD_NOW | RTLD_LOCAL); /* the same one each time */
    return loaded ? dlsym(loaded, name) : NULL;            /* or of what it is linked to */
}

/* Reports the features of this build and of this machine. */

/* Whether the build defines this name: one that is not defined expands to itself. */
#define TEXT_OF(name) #name
#define EXPANDED(name) TEXT_OF(name)
#define HAS(name) (EXPANDED(WGDN_HAVE_##name)[0] != 'W')

void wgdn_machine_describe(wgdn_machine *machine)
{
    wgdn_machine m = {0};
    wgdn_limits l;

    wgdn_limits_read(&l, "");
    m.cpu_best = wgdn_cpu_name(wgdn_cpu_best());
    m.cpu_used = wgdn_cpu_name(wgdn_cpu_level());
    m.engine = wgdn_engine_name;
    m.bf16 = wgdn_bf16_unit();
    m.huge_pages = wgdn_os_huge_pages();
    m.cores = l.cores;
    m.threads = wgdn_threads_count(0);
    m.memory_total = l.total.value;
    m.memory_available = l.available.value;
    m.cpus = (int)l.cpus.value;
    m.ranks = l.ranks;
    m.threads_max = (int)l.threads.value;
    snprintf(m.memory_limit, sizeof m.memory_limit, "%s", l.available.by);
    snprintf(m.threads_limit, sizeof m.threads_limit, "%s", l.threads.by);
    snprintf(m.cpu_limit, sizeof m.cpu_limit, "%s", l.cpus.by);
    (void)wgdn_result_give(machine, &m, sizeof m, NULL);
}

const wgdn_build_feature *wgdn_build_get_feature(int i)
{
    static const wgdn_build_feature feature[] = {
        {"lapack", HAS(LAPACK), "exact spectra of small graphs", "liblapacke-dev"},
        {"liblinear", HAS(LIBLINEAR), "linear SVMs for eval of graphs", "liblinear-dev"},
        {"libsvm", HAS(LIBSVM), "support vector machines for eval of graphs", "libsvm-dev"},
        {"metis", HAS(METIS), "convert --order metis: neighbors near each other", "libmetis-dev"},
        {"scotch", HAS(SCOTCH), "convert --order scotch, likewise", "libscotch-dev"},
        {"expat", HAS(EXPAT), "reading GraphML and GEXF", "libexpat1-dev"},
        {"zstd", HAS(ZSTD), "reading files packed with zstd", "libzstd-dev"},
        {"xz", HAS(LZMA), "reading files packed with xz", "liblzma-dev"},
        {"bzip2", HAS(BZIP2), "reading files packed with bzip2", "libbz2-dev"},
        {"mpi", HAS(MPI), "one graph shared by the processes of mpirun",
         "libopenmpi-dev, say -DWGDN_MPI=ON"},
    };
    const int count = sizeof feature / sizeof *feature;
    return i >= 0 && i < count ? &feature[i] : NULL;
}

/*
 * After fork() the child has one thread. GNU's OpenMP does not know this, and its next parallel
 * region would wait for threads that no longer exist. Every parallel region therefore asks
 * wgdn_forked(). The child's handler only sets a flag: other OpenMP libraries hold locks while they
 * fork.
 */

static atomic_bool child;

static void note(void)
{
    atomic_store(&child, true);
}

__attribute__((constructor)) static void watch(void)
{
    (void)pthread_atfork(NULL, NULL, note); /* out of memory this early: as it was without */
}

bool wgdn_forked(void)
{
    return atomic_load_explicit(&child, memory_order_relaxed);
}

double wgdn_seconds(void)
{
    struct timespec t = {0};
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}
