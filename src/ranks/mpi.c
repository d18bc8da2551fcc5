/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Contains every call of MPI: start-up, messages, reductions of bytes, and the check for ranks
 * that no longer answer. ranks.c reaches it through one table of calls, which the build can leave
 * out.
 */
#define _POSIX_C_SOURCE 200809L
#include "base/limits.h"
#include "base/system.h"
#include "ranks.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <mpi.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { WGDN_MPI_TAG = 7 }; /* and the next one for the roll */

/* Where ranks meet: messages elsewhere do not mix with these. */
static inline MPI_Comm wgdn_mpi_meeting(const wgdn_ranks *r)
{
    return *(const MPI_Comm *)r->body;
}

/* Requests that are under way together. */
typedef struct wgdn_requests {
    MPI_Request *at;
    int64_t count, room;
} wgdn_requests;

/* Bytes of the next message where so many are left. */
static inline int wgdn_mpi_piece(const wgdn_ranks *r, size_t left)
{
    return (int)(left < r->limit ? left : r->limit);
}

enum {
    NAMES = 160,
    PATIENCE = 8, /* seconds that a rank with a failure waits for the others to hear of it */
};

/* What a call of MPI returned; comes back only if that was success. */
static void check_call(wgdn_ranks *r, int code, const char *call)
{
    char text[MPI_MAX_ERROR_STRING + 128], why[MPI_MAX_ERROR_STRING] = "no reason is known";
    int length;
    r->calls++;
    if (wgdn_fault_is(r, "call", r->calls)) code = MPI_ERR_OTHER;
    if (wgdn_fault_is(r, "stop", r->calls)) raise(SIGSTOP);
    if (wgdn_fault_is(r, "kill", r->calls)) raise(SIGKILL);
    if (code == MPI_SUCCESS) return;
    MPI_Error_string(code, why, &length);
    snprintf(text, sizeof text, "%s failed: %s", call, why);
    wgdn_ranks_end(r, text);
}

/* An MPI function that is called, and looked after: MPI_Isend(...) as WGDN_MPI(r, Isend, ...). */
#define WGDN_MPI(r, call, ...) check_call((r), MPI_##call(__VA_ARGS__), "MPI_" #call)

/* room for one more */
static MPI_Request *mpi_another(wgdn_requests *q, wgdn_ranks *r)
{
    if (!wgdn_grow(&q->at, &q->room, q->count + 1, sizeof *q->at))
        wgdn_ranks_end(r, "out of memory for messages");
    return &q->at[q->count++];
}

/* Say to all that one is there, and list those from whom nothing comes in the time given. */
static int missing(char names[NAMES], const wgdn_ranks *r, double patience)
{
    MPI_Request *in = malloc((size_t)r->count * sizeof *in), out;
    char *word = malloc((size_t)r->count);
    const double until = wgdn_seconds() + patience;
    int away = 0;
    size_t used = 0;
    names[0] = '\0';
    for (int k = 0; in && word && k < r->count; k++) {
        MPI_Irecv(word + k, 1, MPI_BYTE, k, WGDN_MPI_TAG + 1, MPI_COMM_WORLD, &in[k]);
        MPI_Isend(word, 0, MPI_BYTE, k, WGDN_MPI_TAG + 1, MPI_COMM_WORLD, &out);
        MPI_Request_free(&out);
    }
    for (int here = 0; in && word && here < r->count && wgdn_seconds() < until;) {
        here = 0;
        for (int k = 0; k < r->count; k++) {
            int done;
            MPI_Test(&in[k], &done, MPI_STATUS_IGNORE); /* stays true once it came */
            here += done;
        }
        sched_yield();
    }
    for (int k = 0; in && word && k < r->count; k++) {
        if (in[k] == MPI_REQUEST_NULL) continue;
        away++;
        if (used + 16 < NAMES)
            used += (size_t)snprintf(names + used, NAMES - used, "%s%d", used ? ", " : "", k);
    }
    return away; /* word and in stay: they may be written to until the end, which is near */
}

/* A liveness check, made by all who wait in vain; they began to wait within a
 * step of each other. */
static void give_up(wgdn_ranks *r)
{
    char names[NAMES], text[NAMES + 64];
    if (r->reason) wgdn_ranks_end(r, r->reason);
    const int away = missing(names, r, r->timeout / 4 > 2 ? r->timeout / 4 : 2);
    if (away)
        snprintf(text, sizeof text, "no answer for %.0f s from rank %s", r->timeout, names);
    else
        snprintf(text, sizeof text,
                 "no data for %.0f s, though all ranks run; --rank-timeout sets the limit",
                 r->timeout);
    wgdn_ranks_end(r, text);
}

/* In MPICH the place for results that nobody wants is the address 1, and gcc looks at its size. */
#pragma GCC diagnostic ignored "-Wstringop-overflow"

static void mpi_wait(MPI_Request *at, int64_t count, wgdn_ranks *r)
{
    const double began = wgdn_seconds();
    const bool short_of_time = r->reason && (r->timeout <= 0 || r->timeout > PATIENCE);
    const double limit = short_of_time ? PATIENCE : r->timeout;
    for (int64_t k = 0; k < count; k += INT32_MAX)
        for (int done = 0; !done;) {
            const int code = MPI_Testall((int)wgdn_min(INT32_MAX, count - k), at + k, &done,
                                         MPI_STATUSES_IGNORE);
            if (done || code != MPI_SUCCESS) check_call(r, code, "MPI_Testall");
            if (done) break;
            if (limit > 0 && wgdn_seconds() - began > limit) give_up(r);
            sched_yield(); /* ranks may be more than cores */
        }
}

enum { WIDTHS = 4 };

/* The messages of a width: made once, started every time. */
typedef struct route {
    int64_t width;
    wgdn_requests q;
} route;

typedef struct routes {
    route of[WIDTHS];
    int next; /* to be given up for another width */
} routes;

static void drop(route *w)
{
    for (int64_t k = 0; k < w->q.count; k++)
        MPI_Request_free(&w->q.at[k]);
    w->q.count = 0;
    w->width = 0;
}

static void prepare(route *w, wgdn_halo *h, int64_t width)
{
    wgdn_ranks *r = h->dist->ranks;
    const size_t row = (size_t)width * sizeof(float);
    w->width = width;
    for (int k = 0; k < r->count; k++) {
        char *in = (char *)h->buffer + (size_t)h->from[k] * row;
        char *out = (char *)h->packed + (size_t)h->to[k] * row;
        const size_t in_bytes = (size_t)(h->from[k + 1] - h->from[k]) * row;
        const size_t out_bytes = (size_t)(h->to[k + 1] - h->to[k]) * row;
        for (size_t at = 0; at < in_bytes; at += r->limit)
            WGDN_MPI(r, Recv_init, in + at, wgdn_mpi_piece(r, in_bytes - at), MPI_BYTE, k,
                     WGDN_MPI_TAG, MPI_COMM_WORLD, mpi_another(&w->q, r));
        for (size_t at = 0; at < out_bytes; at += r->limit)
            WGDN_MPI(r, Send_init, out + at, wgdn_mpi_piece(r, out_bytes - at), MPI_BYTE, k,
                     WGDN_MPI_TAG, MPI_COMM_WORLD, mpi_another(&w->q, r));
    }
}

static route *route_of(wgdn_halo *h, int64_t width)
{
    routes *all = h->body;
    if (!all) {
        h->body = all = wgdn_alloc_zero(1, sizeof *all);
        if (!all) wgdn_ranks_end(h->dist->ranks, "out of memory for messages");
    }
    for (int k = 0; k < WIDTHS; k++)
        if (all->of[k].width == width) return &all->of[k];
    route *w = &all->of[all->next];
    all->next = (all->next + 1) % WIDTHS;
    drop(w);
    prepare(w, h, width);
    return w;
}

static void mpi_begin(wgdn_halo *h, int64_t width)
{
    route *w = route_of(h, width);
    for (int64_t k = 0; k < w->q.count; k += INT32_MAX)
        WGDN_MPI(h->dist->ranks, Startall, (int)wgdn_min(INT32_MAX, w->q.count - k), w->q.at + k);
}

static void mpi_finish(wgdn_halo *h, int64_t width)
{
    const route *w = route_of(h, width);
    mpi_wait(w->q.at, w->q.count, h->dist->ranks);
}

static void mpi_forget(wgdn_halo *h)
{
    routes *all = h->body;
    for (int k = 0; all && k < WIDTHS; k++) {
        drop(&all->of[k]);
        wgdn_release(all->of[k].q.at);
    }
    wgdn_release(all);
    h->body = NULL;
}

/*
 * Counts the ranks on this host, which share its memory and its processors, and finds the
 * processors they run on.
 */

enum { SET = 8192 }; /* bytes: 65536 processors */

/* Tell limits.c who else is on this host. All ranks together, once. */
static void mpi_share_host(void)
{
    _Alignas(8) unsigned char set[SET], all[SET];
    MPI_Comm host;
    int ranks = 1, cpus = 0;
    if (MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &host)) return;
    (void)wgdn_os_processors(set, sizeof set);
    MPI_Comm_size(host, &ranks);
    if (MPI_Allreduce(set, all, SET, MPI_UNSIGNED_CHAR, MPI_BOR, host) == MPI_SUCCESS)
        for (int i = 0; i < SET; i++)
            cpus += __builtin_popcount(all[i]);
    MPI_Comm_free(&host);
    wgdn_limits_share(ranks, cpus);
    wgdn_threads_look_again();
}

/*
 * Watches the start of the ranks. Until MPI is initialized, no rank can ask another whether it is
 * alive. A thread waits for the time limit, looks for the ranks of this host among the processes,
 * names those that are stopped or gone, and ends this process; mpirun then ends the others.
 */

enum { RANKS_MAX = 4096, MPI_START_NAMES = 200, ENVIRON_MAX = 1 << 18 };

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
static int list(char names[MPI_START_NAMES], const char *state, int count, char which)
{
    size_t used = 0;
    int found = 0;
    names[0] = '\0';
    for (int r = 0; r < count; r++) {
        if (state[r] != which) continue;
        found++;
        if (used + 16 < MPI_START_NAMES)
            used +=
                (size_t)snprintf(names + used, MPI_START_NAMES - used, "%s%d", used ? ", " : "", r);
    }
    return found;
}

static _Noreturn void mpi_start_give_up(void)
{
    static char state[RANKS_MAX];
    char names[MPI_START_NAMES];
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
    if (!started) mpi_start_give_up();
    return NULL;
}

/* Ends this process with a message if mpi_started() is not called within so many seconds; 0: no limit. */
static void mpi_watch_start(double seconds)
{
    pthread_condattr_t by;
    watch.limit = seconds;
    pthread_condattr_init(&by);
    pthread_condattr_setclock(&by, CLOCK_MONOTONIC);
    pthread_cond_init(&watch.over, &by);
    pthread_condattr_destroy(&by);
    watch.watching = seconds > 0 && !pthread_create(&watch.thread, NULL, wait_for_start, NULL);
}

static void mpi_started(void)
{
    if (!watch.watching) return;
    pthread_mutex_lock(&watch.lock);
    watch.started = true;
    pthread_cond_signal(&watch.over);
    pthread_mutex_unlock(&watch.lock);
    pthread_join(watch.thread, NULL);
    watch.watching = false;
}

enum { LIMIT_USUAL = 1 << 28, LIMIT_LEAST = 64 };

/* ---- messages in pieces ---- */

static void receive(wgdn_requests *q, wgdn_ranks *r, void *data, size_t bytes, int from)
{
    for (size_t at = 0; at < bytes; at += r->limit)
        WGDN_MPI(r, Irecv, (char *)data + at, wgdn_mpi_piece(r, bytes - at), MPI_BYTE, from,
                 WGDN_MPI_TAG, MPI_COMM_WORLD, mpi_another(q, r));
}

static void send(wgdn_requests *q, wgdn_ranks *r, const void *data, size_t bytes, int to)
{
    for (size_t at = 0; at < bytes; at += r->limit)
        WGDN_MPI(r, Isend, (const char *)data + at, wgdn_mpi_piece(r, bytes - at), MPI_BYTE, to,
                 WGDN_MPI_TAG, MPI_COMM_WORLD, mpi_another(q, r));
}

static void gather(wgdn_ranks *r, const void *mine, size_t bytes, void *all, const size_t *of)
{
    wgdn_requests q = {0};
    char *to = all;
    if (r->rank != 0) {
        send(&q, r, mine, bytes, 0);
        r->sums_sent += (int64_t)bytes;
    }
    for (int k = 0; r->rank == 0 && k < r->count; k++) {
        if (k == 0)
            memmove(to, mine, bytes);
        else
            receive(&q, r, to, of[k], k);
        to += of[k];
    }
    mpi_wait(q.at, q.count, r);
    wgdn_release(q.at);
}

static void broadcast(wgdn_ranks *r, void *data, size_t bytes)
{
    MPI_Request q;
    for (size_t at = 0; at < bytes; at += r->limit) {
        WGDN_MPI(r, Ibcast, (char *)data + at, wgdn_mpi_piece(r, bytes - at), MPI_BYTE, 0,
                 MPI_COMM_WORLD, &q);
        mpi_wait(&q, 1, r);
    }
    if (r->rank == 0) r->sums_sent += (int64_t)bytes * (r->count - 1);
}

static void swap(wgdn_ranks *r, const void *out, const size_t *out_bytes, void *in,
                 const size_t *in_bytes)
{
    wgdn_requests q = {0};
    const char *from = out;
    char *to = in;
    for (int k = 0; k < r->count; k++) {
        receive(&q, r, to, in_bytes[k], k);
        to += in_bytes[k];
    }
    for (int k = 0; k < r->count; k++) {
        send(&q, r, from, out_bytes[k], k);
        from += out_bytes[k];
    }
    mpi_wait(q.at, q.count, r);
    wgdn_release(q.at);
}

static int64_t sum(wgdn_ranks *r, int64_t value)
{
    uint64_t all = 0, mine = (uint64_t)value; /* which may come round */
    MPI_Request q;
    WGDN_MPI(r, Iallreduce, &mine, &all, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD, &q);
    mpi_wait(&q, 1, r);
    return (int64_t)all;
}

static int64_t max(wgdn_ranks *r, int64_t value)
{
    int64_t all = 0;
    MPI_Request q;
    WGDN_MPI(r, Iallreduce, &value, &all, 1, MPI_INT64_T, MPI_MAX, wgdn_mpi_meeting(r), &q);
    mpi_wait(&q, 1, r);
    return all;
}

/* ---- joining and leaving ---- */

static void end(wgdn_ranks *r, int code)
{
    (void)r;
    MPI_Abort(MPI_COMM_WORLD, code);
    abort();
}

static void leave(wgdn_ranks *r)
{
    wgdn_release(r->body);
    MPI_Finalize();
}

static const wgdn_ranks_calls calls = {.gather = gather,
                                       .broadcast = broadcast,
                                       .swap = swap,
                                       .sum = sum,
                                       .max = max,
                                       .begin = mpi_begin,
                                       .finish = mpi_finish,
                                       .forget = mpi_forget,
                                       .end = end,
                                       .close = leave};

/* What starters tell the processes they start: Open MPI, MPICH and its kin, PMIx. */
static bool started_together(void)
{
    static const char *const sign[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMIX_RANK",
                                       "MPI_LOCALNRANKS"};
    for (size_t k = 0; k < sizeof sign / sizeof *sign; k++)
        if (getenv(sign[k])) return true;
    return false;
}

bool wgdn_mpi_join(wgdn_ranks *r)
{
    const char *limit = getenv("WGDN_MESSAGE_BYTES");
    int level;
    MPI_Comm *meeting;
    if (!started_together()) return false;
    mpi_watch_start(r->timeout);
    MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &r->rank);
    MPI_Comm_size(MPI_COMM_WORLD, &r->count);
    r->call = &calls;
    r->body = meeting = wgdn_alloc_zero(1, sizeof *meeting);
    if (!meeting) wgdn_ranks_end(r, "out of memory at the start");
    MPI_Comm_dup(MPI_COMM_WORLD, meeting);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(*meeting, MPI_ERRORS_RETURN);
    r->limit = LIMIT_USUAL;
    if (limit && atol(limit) >= LIMIT_LEAST && atol(limit) < LIMIT_USUAL)
        r->limit = (size_t)atol(limit);
    mpi_share_host();
    mpi_started();
    return true;
}
