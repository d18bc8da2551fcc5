/* SPDX-License-Identifier: Apache-2.0 */
#include "ranks.h"

#include <stdio.h>
#include <string.h>

enum { TIMEOUT_USUAL = 600 }; /* seconds: longer than any step takes, or reading */

wgdn_status wgdn_ranks_open(wgdn_ranks **out, wgdn_error *err)
{
    wgdn_ranks *r = wgdn_alloc_zero(1, sizeof *r);
    if (!r) return wgdn_fail(err, WGDN_ENOMEM, "ranks: handle");
    *r = (wgdn_ranks){.count = 1, .call = &wgdn_calls_alone, .timeout = TIMEOUT_USUAL};
    if (wgdn_mpi_join(r) && r->count > 1) {
        r->join = wgdn_alloc(WGDN_JOIN_DOUBLES, sizeof *r->join);
        if (!r->join) wgdn_ranks_end(r, "no memory to start with");
    }
    *out = r;
    return WGDN_OK;
}

void wgdn_ranks_close(wgdn_ranks *r)
{
    if (!r) return;
    r->call->close(r);
    wgdn_release(r->join);
    wgdn_release(r);
}

int wgdn_ranks_rank(const wgdn_ranks *r)
{
    return r->rank;
}

int wgdn_ranks_count(const wgdn_ranks *r)
{
    return r->count;
}

void wgdn_ranks_set_timeout(wgdn_ranks *r, double seconds)
{
    r->timeout = seconds;
}

int wgdn_ranks_allreduce_max(wgdn_ranks *r, int number)
{
    return r->failed ? number : (int)r->call->max(r, number);
}

void wgdn_ranks_gather(int64_t *all, wgdn_ranks *r, int64_t number)
{
    size_t *bytes = (size_t *)(void *)r->join; /* sums are over by now */
    if (r->rank == 0) all[0] = number;
    if (r->count == 1 || r->failed) return;
    for (int k = 0; k < r->count; k++)
        bytes[k] = sizeof number;
    r->call->gather(r, &number, sizeof number, all, bytes);
}

void wgdn_ranks_end(wgdn_ranks *r, const char *why)
{
    fprintf(stderr, "wgdn: rank %d of %d: %s\n", r->rank, r->count, why);
    fflush(stderr);
    r->call->end(r, 1);
    __builtin_unreachable();
}

/* The lowest rank that failed, told by the maximum of what counts down from there. */
wgdn_status wgdn_ranks_settle(wgdn_ranks *r, wgdn_status st, wgdn_error *err)
{
    wgdn_error told = {.code = st, .message = ""};
    if (!r || r->count == 1 || r->failed) return st;
    const int64_t first = r->count - r->call->max(r, st ? r->count - r->rank : 0);
    if (first == r->count) return WGDN_OK;
    r->failed = true;
    size_t *bytes = (size_t *)(void *)r->join; /* from the one that failed to all */
    if (st && err) told = *err;
    if (!told.message[0]) snprintf(told.message, sizeof told.message, "%s", wgdn_status_text(st));
    for (int k = 0; k < r->count; k++)
        bytes[k] = k == first ? sizeof told : 0;
    r->call->gather(r, &told, r->rank == first ? sizeof told : 0, &told, bytes);
    r->call->broadcast(r, &told, sizeof told);
    if (err && !st)
        wgdn_error_set(err, told.code, "rank %lld: %.230s", (long long)first, told.message);
    return told.code;
}
