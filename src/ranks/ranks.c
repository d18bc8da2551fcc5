/* SPDX-License-Identifier: Apache-2.0 */
#include "ranks.h"

#include <stdio.h>

enum { TIMEOUT_USUAL = 600 }; /* seconds: longer than any step takes, or reading */

wgdn_status wgdn_ranks_open(wgdn_ranks **out, wgdn_error *err)
{
    return wgdn_ranks_open_within(out, TIMEOUT_USUAL, err);
}

wgdn_status wgdn_ranks_open_within(wgdn_ranks **out, double seconds, wgdn_error *err)
{
    wgdn_ranks *r = wgdn_alloc_zero(1, sizeof *r);
    if (!r) return wgdn_fail(err, WGDN_ENOMEM, "ranks: handle");
    *r = (wgdn_ranks){.count = 1, .call = &wgdn_calls_alone, .timeout = seconds};
    if (wgdn_mpi_join(r) && r->count > 1) {
        r->join = wgdn_alloc(WGDN_JOIN_DOUBLES, sizeof *r->join);
        if (!r->join) wgdn_ranks_end(r, "no memory to start with");
        wgdn_fault_read(r);
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

/* Negative numbers count from their own end. Who is told here that another rank has failed has no
 * place for its message but standard error. */
int wgdn_ranks_allreduce_max(wgdn_ranks *r, int number)
{
    int64_t all = (int64_t)number - INT32_MIN;
    wgdn_error err = {WGDN_OK, ""};
    if (wgdn_ranks_meet(r, WGDN_OK, &all, &err)) {
        if (r->rank == 0) fprintf(stderr, "wgdn: %s\n", err.message);
        return number > 1 ? number : 1;
    }
    return (int)(all + INT32_MIN);
}

void wgdn_ranks_gather(int64_t *all, wgdn_ranks *r, int64_t number)
{
    size_t *bytes = (size_t *)(void *)r->join; /* sums are over by now */
    if (r->rank == 0) all[0] = number;
    if (r->count == 1 || r->failed) return; /* all[0] is rank 0's own */
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
