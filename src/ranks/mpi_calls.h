/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The calls over MPI. Values travel as bytes and are added by nobody on the way, so their sum has
 * one order. A message is never longer than the limit; those of a halo are made once for each
 * width and started again and again. A call of MPI that fails ends all ranks with a message; who
 * waits too long calls the roll, names those who do not answer, and ends all as well.
 */
#ifndef WGDN_RANKS_MPI_CALLS_H
#define WGDN_RANKS_MPI_CALLS_H

#include "ranks.h"

#include <mpi.h>

enum { WGDN_MPI_TAG = 7 }; /* and the next one for the roll */

/* What a call of MPI returned; comes back only if that was success. */
void wgdn_mpi_did(wgdn_ranks *r, int code, const char *call);
/* An MPI function that is called, and looked after: MPI_Isend(...) as WGDN_MPI(r, Isend, ...). */
#define WGDN_MPI(r, call, ...) wgdn_mpi_did((r), MPI_##call(__VA_ARGS__), "MPI_" #call)
/* Where ranks meet: messages elsewhere do not mix with these. */
static inline MPI_Comm wgdn_mpi_meeting(const wgdn_ranks *r)
{
    return *(const MPI_Comm *)r->body;
}

/* ---- messages under way: mpi.c ---- */

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

/* ---- rows of halos: mpi.c ---- */

/* ---- the start: mpi.c ---- */

#endif
