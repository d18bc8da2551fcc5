/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Watches the start of the ranks. Until MPI is initialized no rank can ask another whether it is alive, so a
 * thread waits for the limit, looks for the ranks of this host among the processes, names those that
 * are stopped or gone, and ends this process; the starter then ends the others.
 */
#define _POSIX_C_SOURCE 200809L
#include "mpi_calls.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { RANKS_MAX = 4096, NAMES = 200, ENVIRON_MAX = 1 << 18 };

static struct {
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t over;
    bool started, watching;
    double limit;
} watch = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* ---- the ranks of this host ---- */

/* The value of a variable in a block of NAME=VALUE, each ended by a NUL; NULL: not there. */
static const char *value_in(const char *block, size_t size, const char *name)
{
    const size_t length = strlen(name);
    for (const char *at = block; at < block + size; at += strlen(at) + 1)
        if (strncmp(at, name, length) == 0 && at[length] == '=') return at + length + 1;
    return NULL;
}

static const char *first_of(const char *block, size_t size, const char *const name[2])
{
    const char *value = value_in(block, size, name[0]);
    return value ? value : value_in(block, size, name[1]);
}

/* A file below /proc/PID, ended by a NUL; its size, or 0. */
static size_t read_of(char *to, size_t room, const char *pid, const char *name)
{
    char path[64];
    size_t size = 0;
    ssize_t more = 1;
    snprintf(path, sizeof path, "/proc/%.20s/%s", pid, name);
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    while (file >= 0 && size + 1 < room && (more = read(file, to + size, room - 1 - size)) > 0)
        size += (size_t)more;
    if (file >= 0) close(file);
    to[size] = '\0';
    return size;
}

/* 'T': stopped, 'Z': ended; from "PID (NAME) STATE ..." */
static char state_of(const char *pid)
{
    char text[512];
    const size_t size = read_of(text, sizeof text, pid, "stat");
    const char *end = size ? strrchr(text, ')') : NULL;
    return end && end[1] ? end[2] : 'Z';
}

static const char *const rank_name[2] = {"OMPI_COMM_WORLD_RANK", "PMI_RANK"};
static const char *const size_name[2] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"};
static const char job_name[] = "PMIX_NAMESPACE";

static int number_of(const char *const name[2])
{
    const char *text = getenv(name[0]) ? getenv(name[0]) : getenv(name[1]);
    return text ? atoi(text) : -1;
}

/* state[r] becomes that of rank r, 0 where no process of this job and host is that rank. */
static void look_for_ranks(char *state, int count)
{
    static char block[ENVIRON_MAX];
    const char *job = getenv(job_name);
    DIR *all = opendir("/proc");
    for (struct dirent *e = all ? readdir(all) : NULL; e; e = readdir(all)) {
        if (e->d_name[0] < '0' || e->d_name[0] > '9') continue;
        const size_t size = read_of(block, sizeof block, e->d_name, "environ");
        const char *rank = size ? first_of(block, size, rank_name) : NULL;
        const char *its = size ? value_in(block, size, job_name) : NULL;
        if (!rank || (job && (!its || strcmp(its, job) != 0))) continue;
        const int r = atoi(rank);
        if (r < 0 || r >= count) continue;
        const char now = state_of(e->d_name);
        if (now != 'Z' && state[r] != 'T') state[r] = now;
    }
    if (all) closedir(all);
}

/* The names of the ranks of this host in a state, "1, 3"; how many they are. */
static int list(char names[NAMES], const char *state, int count, char which)
{
    size_t used = 0;
    int found = 0;
    names[0] = '\0';
    for (int r = 0; r < count; r++) {
        if (state[r] != which) continue;
        found++;
        if (used + 16 < NAMES)
            used += (size_t)snprintf(names + used, NAMES - used, "%s%d", used ? ", " : "", r);
    }
    return found;
}

static _Noreturn void give_up(void)
{
    static char state[RANKS_MAX];
    char names[NAMES];
    const int count = (int)wgdn_min(number_of(size_name), RANKS_MAX);
    const char *here = getenv("OMPI_COMM_WORLD_LOCAL_SIZE");
    const bool all_here = here && atoi(here) == number_of(size_name);
    fprintf(stderr, "wgdn: rank %d of %d: not all ranks started within %.0f s",
            number_of(rank_name), number_of(size_name), watch.limit);
    if (count > 0) look_for_ranks(state, count);
    if (list(names, state, count, 'T'))
        fprintf(stderr, ": stopped: rank %s\n", names);
    else if (all_here && list(names, state, count, 0))
        fprintf(stderr, ": ended: rank %s\n", names);
    else
        fprintf(stderr, "; no rank of this host is stopped\n");
    fflush(stderr);
    _exit(1);
}

/* ---- the thread ---- */

static void *wait_for_start(void *context)
{
    struct timespec until;
    int code = 0;
    (void)context;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += (time_t)watch.limit;
    pthread_mutex_lock(&watch.lock);
    while (!watch.started && code != ETIMEDOUT)
        code = pthread_cond_timedwait(&watch.over, &watch.lock, &until);
    const bool started = watch.started;
    pthread_mutex_unlock(&watch.lock);
    if (!started) give_up();
    return NULL;
}

void wgdn_mpi_watch_start(double seconds)
{
    pthread_condattr_t by;
    watch.limit = seconds;
    pthread_condattr_init(&by);
    pthread_condattr_setclock(&by, CLOCK_MONOTONIC);
    pthread_cond_init(&watch.over, &by);
    pthread_condattr_destroy(&by);
    watch.watching = seconds > 0 && !pthread_create(&watch.thread, NULL, wait_for_start, NULL);
}

void wgdn_mpi_started(void)
{
    if (!watch.watching) return;
    pthread_mutex_lock(&watch.lock);
    watch.started = true;
    pthread_cond_signal(&watch.over);
    pthread_mutex_unlock(&watch.lock);
    pthread_join(watch.thread, NULL);
    watch.watching = false;
}
