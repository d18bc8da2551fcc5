/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include "mpi_calls.h"

#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    NAMES = 160,
    PATIENCE = 8, /* seconds that a rank with a failure waits for the others to hear of it */
};

void wgdn_mpi_did(wgdn_ranks *r, int code, const char *call)
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

MPI_Request *wgdn_mpi_another(wgdn_requests *q, wgdn_ranks *r)
{
    if (!wgdn_grow(&q->at, &q->room, q->count + 1, sizeof *q->at))
        wgdn_ranks_end(r, "no memory for messages");
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
        snprintf(text, sizeof text, "waited %.0f s for data, though all ranks are there",
                 r->timeout);
    wgdn_ranks_end(r, text);
}

/* In MPICH the place for results that nobody wants is the address 1, and gcc looks at its size. */
#pragma GCC diagnostic ignored "-Wstringop-overflow"

void wgdn_mpi_wait(MPI_Request *at, int64_t count, wgdn_ranks *r)
{
    const double began = wgdn_seconds();
    const bool short_of_time = r->reason && (r->timeout <= 0 || r->timeout > PATIENCE);
    const double limit = short_of_time ? PATIENCE : r->timeout;
    for (int64_t k = 0; k < count; k += INT32_MAX)
        for (int done = 0; !done;) {
            const int code = MPI_Testall((int)wgdn_min(INT32_MAX, count - k), at + k, &done,
                                         MPI_STATUSES_IGNORE);
            if (done || code != MPI_SUCCESS) wgdn_mpi_did(r, code, "MPI_Testall");
            if (done) break;
            if (limit > 0 && wgdn_seconds() - began > limit) give_up(r);
            sched_yield(); /* ranks may be more than cores */
        }
}
