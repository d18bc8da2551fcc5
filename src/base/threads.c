/* SPDX-License-Identifier: Apache-2.0 */
#include "limits.h"

#include <dlfcn.h>
#include <limits.h>
#include <omp.h>
#include <stdatomic.h>
#include <stdlib.h>

/*
 * What OpenMP offers is what its host program or OMP_NUM_THREADS says, or else all processors of
 * the process's affinity. The second does not know of quotas and of other ranks: limits.c does.
 */
static atomic_int cpus_known, threads_known; /* 0: not looked yet */
static _Thread_local bool chosen;            /* the thread is in a call that has chosen */

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
    if (threads <= 0 && (chosen || omp_in_parallel())) return offered;
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
        chosen = false;
        return former;
    }
    const bool within = chosen || omp_in_parallel();
    const int use = wgdn_threads_count(threads);
    if (use != former) omp_set_num_threads(use);
    if (!within) chosen = true;
    return within ? former : -former;
}

/*
 * A BLAS with threads of its own cuts its products by their number, which shows in the last bits.
 * The one that does so widely can be told otherwise, for the whole process, so it is told what it
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
