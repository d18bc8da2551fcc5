/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Faults made on purpose: a test sets WGDN_RANK_FAULT, and one rank then fails at a known place. Builds
 * without tests, as packages are, ignore it.
 *   1:call:17        its 17th call of MPI returns an error
 *   1:stop:17        it stops before that call, as a host that hangs
 *   1:kill:17        it is killed there
 *   1:version:0      it says that it is of another version
 *   1:parameters:5   a bit of its parameters changes after step 5
 *   1:step:5         its step 5 fails
 */
#include "ranks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void wgdn_fault_read(wgdn_ranks *r)
{
#ifdef WGDN_RANK_FAULTS
    const char *text = getenv("WGDN_RANK_FAULT");
    char what[sizeof r->fault.what];
    int rank;
    long long at;
    if (!text || sscanf(text, "%d:%15[a-z]:%lld", &rank, what, &at) != 3 || rank != r->rank) return;
    memcpy(r->fault.what, what, sizeof what);
    r->fault.at = at;
#else
    (void)r;
#endif
}

bool wgdn_fault_is(const wgdn_ranks *r, const char *what, int64_t number)
{
    return r && r->fault.what[0] && number == r->fault.at && strcmp(r->fault.what, what) == 0;
}
