/* SPDX-License-Identifier: Apache-2.0 */
#include "mpi_calls.h"

#include <stdlib.h>
#include <string.h>

enum { LIMIT_USUAL = 1 << 28, LIMIT_LEAST = 64 };

/* ---- messages in pieces ---- */

static void receive(wgdn_requests *q, wgdn_ranks *r, void *data, size_t bytes, int from)
{
    for (size_t at = 0; at < bytes; at += r->limit)
        WGDN_MPI(r, Irecv, (char *)data + at, wgdn_mpi_piece(r, bytes - at), MPI_BYTE, from,
                 WGDN_MPI_TAG, MPI_COMM_WORLD, wgdn_mpi_another(q, r));
}

static void send(wgdn_requests *q, wgdn_ranks *r, const void *data, size_t bytes, int to)
{
    for (size_t at = 0; at < bytes; at += r->limit)
        WGDN_MPI(r, Isend, (const char *)data + at, wgdn_mpi_piece(r, bytes - at), MPI_BYTE, to,
                 WGDN_MPI_TAG, MPI_COMM_WORLD, wgdn_mpi_another(q, r));
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
    wgdn_mpi_wait(q.at, q.count, r);
    wgdn_release(q.at);
}

static void broadcast(wgdn_ranks *r, void *data, size_t bytes)
{
    MPI_Request q;
    for (size_t at = 0; at < bytes; at += r->limit) {
        WGDN_MPI(r, Ibcast, (char *)data + at, wgdn_mpi_piece(r, bytes - at), MPI_BYTE, 0,
                 MPI_COMM_WORLD, &q);
        wgdn_mpi_wait(&q, 1, r);
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
    wgdn_mpi_wait(q.at, q.count, r);
    wgdn_release(q.at);
}

static int64_t sum(wgdn_ranks *r, int64_t value)
{
    uint64_t all = 0, mine = (uint64_t)value; /* which may come round */
    MPI_Request q;
    WGDN_MPI(r, Iallreduce, &mine, &all, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD, &q);
    wgdn_mpi_wait(&q, 1, r);
    return (int64_t)all;
}

static int64_t max(wgdn_ranks *r, int64_t value)
{
    int64_t all = 0;
    MPI_Request q;
    WGDN_MPI(r, Iallreduce, &value, &all, 1, MPI_INT64_T, MPI_MAX, wgdn_mpi_meeting(r), &q);
    wgdn_mpi_wait(&q, 1, r);
    return all;
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
    wgdn_release(r->body);
    MPI_Finalize();
}

static const wgdn_ranks_calls calls = {.gather = gather,
                                       .broadcast = broadcast,
                                       .swap = swap,
                                       .sum = sum,
                                       .max = max,
                                       .begin = wgdn_mpi_begin,
                                       .finish = wgdn_mpi_finish,
                                       .forget = wgdn_mpi_forget,
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
    wgdn_mpi_watch_start(r->timeout);
    MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &r->rank);
    MPI_Comm_size(MPI_COMM_WORLD, &r->count);
    r->call = &calls;
    r->body = meeting = wgdn_alloc_zero(1, sizeof *meeting);
    if (!meeting) wgdn_ranks_end(r, "no memory to start with");
    MPI_Comm_dup(MPI_COMM_WORLD, meeting);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(*meeting, MPI_ERRORS_RETURN);
    r->limit = LIMIT_USUAL;
    if (limit && atol(limit) >= LIMIT_LEAST && atol(limit) < LIMIT_USUAL)
        r->limit = (size_t)atol(limit);
    wgdn_mpi_share_host();
    wgdn_mpi_started();
    return true;
}
