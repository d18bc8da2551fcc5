/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The calls over MPI. Values travel as bytes and are added by nobody on the way, so their sum has
 * one order. A message is never longer than the limit; those of a halo are made once for each
 * width and started again and again. MPI ends all ranks when one of its calls fails; who waits too
 * long calls the roll, names those who do not answer, and ends all as well.
 */
#define _POSIX_C_SOURCE 200809L
#include "dist.h"

#include <mpi.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { TAG = 7, WIDTHS = 4, LIMIT_USUAL = 1 << 28, LIMIT_LEAST = 64, NAMES = 160 };

/* ---- waiting ---- */

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Say to all that one is there, and list those from whom nothing comes in the time given. */
static int missing(char names[NAMES], const wgdn_ranks *r, double patience)
{
    MPI_Request *in = malloc((size_t)r->count * sizeof *in), out;
    char *word = malloc((size_t)r->count);
    const double until = seconds() + patience;
    int away = 0;
    size_t used = 0;
    names[0] = '\0';
    for (int k = 0; in && word && k < r->count; k++) {
        MPI_Irecv(word + k, 1, MPI_BYTE, k, TAG + 1, MPI_COMM_WORLD, &in[k]);
        MPI_Isend(word, 0, MPI_BYTE, k, TAG + 1, MPI_COMM_WORLD, &out);
        MPI_Request_free(&out);
    }
    for (int here = 0; in && word && here < r->count && seconds() < until;) {
        here = 0;
        for (int k = 0; k < r->count; k++) {
            int done;
            MPI_Test(&in[k], &done, MPI_STATUS_IGNORE); /* true for ever once it came */
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

/* The roll is called by all who wait in vain; they began to wait within a step of each other. */
static void give_up(wgdn_ranks *r)
{
    char names[NAMES], text[NAMES + 64];
    const int away = missing(names, r, r->timeout / 4 > 2 ? r->timeout / 4 : 2);
    if (away)
        snprintf(text, sizeof text, "no answer for %.0f s from rank %s", r->timeout, names);
    else
        snprintf(text, sizeof text, "waited %.0f s for data, though all ranks are there",
                 r->timeout);
    wgdn_ranks_end(r, text);
}

static void wait_all(MPI_Request *at, int64_t count, wgdn_ranks *r)
{
    const double began = seconds();
    for (int64_t k = 0; k < count; k += INT32_MAX)
        for (int done = 0; !done;) {
            MPI_Testall((int)wgdn_least(INT32_MAX, count - k), at + k, &done, MPI_STATUSES_IGNORE);
            if (done) break;
            if (r->timeout > 0 && seconds() - began > r->timeout) give_up(r);
            sched_yield(); /* ranks may be more than cores */
        }
}

/* ---- messages in pieces ---- */

/* Bytes of the next message where so many are left. */
static int piece(const wgdn_ranks *r, size_t left)
{
    return (int)(left < r->limit ? left : r->limit);
}

/* Requests that are under way together. */
typedef struct requests {
    MPI_Request *at;
    int64_t count, room;
} requests;

static MPI_Request *another(requests *q, wgdn_ranks *r)
{
    if (!wgdn_grow(&q->at, &q->room, q->count + 1, sizeof *q->at))
        wgdn_ranks_end(r, "no memory for messages");
    return &q->at[q->count++];
}

static void receive(requests *q, wgdn_ranks *r, void *data, size_t bytes, int from)
{
    for (size_t at = 0; at < bytes; at += r->limit)
        MPI_Irecv((char *)data + at, piece(r, bytes - at), MPI_BYTE, from, TAG, MPI_COMM_WORLD,
                  another(q, r));
}

static void send(requests *q, wgdn_ranks *r, const void *data, size_t bytes, int to)
{
    for (size_t at = 0; at < bytes; at += r->limit)
        MPI_Isend((const char *)data + at, piece(r, bytes - at), MPI_BYTE, to, TAG, MPI_COMM_WORLD,
                  another(q, r));
}

static void gather(wgdn_ranks *r, const void *mine, size_t bytes, void *all, const size_t *of)
{
    requests q = {0};
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
    wait_all(q.at, q.count, r);
    wgdn_release(q.at);
}

static void broadcast(wgdn_ranks *r, void *data, size_t bytes)
{
    MPI_Request q;
    for (size_t at = 0; at < bytes; at += r->limit) {
        MPI_Ibcast((char *)data + at, piece(r, bytes - at), MPI_BYTE, 0, MPI_COMM_WORLD, &q);
        wait_all(&q, 1, r);
    }
    if (r->rank == 0) r->sums_sent += (int64_t)bytes * (r->count - 1);
}

static void swap(wgdn_ranks *r, const void *out, const size_t *out_bytes, void *in,
                 const size_t *in_bytes)
{
    requests q = {0};
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
    wait_all(q.at, q.count, r);
    wgdn_release(q.at);
}

static int64_t sum(wgdn_ranks *r, int64_t value)
{
    uint64_t all = 0, mine = (uint64_t)value; /* which may come round */
    MPI_Request q;
    MPI_Iallreduce(&mine, &all, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD, &q);
    wait_all(&q, 1, r);
    return (int64_t)all;
}

static int64_t most(wgdn_ranks *r, int64_t value)
{
    int64_t all = 0;
    MPI_Request q;
    MPI_Iallreduce(&value, &all, 1, MPI_INT64_T, MPI_MAX, MPI_COMM_WORLD, &q);
    wait_all(&q, 1, r);
    return all;
}

/* ---- halos ---- */

/* The messages of a width: made once, started every time. */
typedef struct route {
    int64_t width;
    requests q;
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
            MPI_Recv_init(in + at, piece(r, in_bytes - at), MPI_BYTE, k, TAG, MPI_COMM_WORLD,
                          another(&w->q, r));
        for (size_t at = 0; at < out_bytes; at += r->limit)
            MPI_Send_init(out + at, piece(r, out_bytes - at), MPI_BYTE, k, TAG, MPI_COMM_WORLD,
                          another(&w->q, r));
    }
}

static route *route_of(wgdn_halo *h, int64_t width)
{
    routes *all = h->body;
    if (!all) {
        h->body = all = wgdn_alloc_zero(1, sizeof *all);
        if (!all) wgdn_ranks_end(h->dist->ranks, "no memory for messages");
    }
    for (int k = 0; k < WIDTHS; k++)
        if (all->of[k].width == width) return &all->of[k];
    route *w = &all->of[all->next];
    all->next = (all->next + 1) % WIDTHS;
    drop(w);
    prepare(w, h, width);
    return w;
}

static void begin(wgdn_halo *h, int64_t width)
{
    route *w = route_of(h, width);
    for (int64_t k = 0; k < w->q.count; k += INT32_MAX)
        MPI_Startall((int)wgdn_least(INT32_MAX, w->q.count - k), w->q.at + k);
}

static void finish(wgdn_halo *h, int64_t width)
{
    const route *w = route_of(h, width);
    wait_all(w->q.at, w->q.count, h->dist->ranks);
}

static void forget(wgdn_halo *h)
{
    routes *all = h->body;
    for (int k = 0; all && k < WIDTHS; k++) {
        drop(&all->of[k]);
        wgdn_release(all->of[k].q.at);
    }
    wgdn_release(all);
    h->body = NULL;
}

/* ---- coming and going ---- */

static void end(wgdn_ranks *r, int code)
{
    (void)r;
    MPI_Abort(MPI_COMM_WORLD, code);
    abort();
}

static void leave(wgdn_ranks *r)
{
    (void)r;
    MPI_Finalize();
}

static const wgdn_ranks_calls calls = {.gather = gather,
                                       .broadcast = broadcast,
                                       .swap = swap,
                                       .sum = sum,
                                       .most = most,
                                       .begin = begin,
                                       .finish = finish,
                                       .forget = forget,
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
    if (!started_together()) return false;
    MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &r->rank);
    MPI_Comm_size(MPI_COMM_WORLD, &r->count);
    r->call = &calls;
    r->limit = LIMIT_USUAL;
    if (limit && atol(limit) >= LIMIT_LEAST && atol(limit) < LIMIT_USUAL)
        r->limit = (size_t)atol(limit);
    return true;
}
