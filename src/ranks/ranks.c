/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Opens the group of ranks, lets ranks agree on failures, and compares the facts that must be
 * equal on all of them. Every stage that exchanges data meets here; a process without MPI has
 * nothing to exchange.
 */
#include "ranks.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

/*
 * Agreement between ranks. Every meeting begins with the maximum of one number from each rank,
 * whatever the meeting is about, so a rank that has failed meets the others wherever they are. A
 * failure is a number larger than any other. It decreases with the rank, so the first failed rank
 * wins.
 */

static const int64_t failure = (int64_t)1 << 62;

/* The message of rank `first` to all. */
static void spread(wgdn_ranks *r, wgdn_error *told, int first)
{
    size_t *bytes = (size_t *)(void *)r->join;
    for (int k = 0; k < r->count; k++)
        bytes[k] = k == first ? sizeof *told : 0;
    r->call->gather(r, told, r->rank == first ? sizeof *told : 0, told, bytes);
    r->call->broadcast(r, told, sizeof *told);
}

wgdn_status wgdn_ranks_meet(wgdn_ranks *r, wgdn_status st, int64_t *number, wgdn_error *err)
{
    wgdn_error own = {.code = st, .message = ""};
    if (!r || r->count == 1 || r->failed) return st;
    if (st && err) own = *err;
    if (st && !own.message[0])
        snprintf(own.message, sizeof own.message, "%s", wgdn_status_text(st));
    r->reason = st ? own.message : NULL;
    const int64_t all = r->call->max(r, st ? failure + r->count - r->rank : *number);
    r->reason = NULL;
    if (all < failure) {
        *number = all;
        return WGDN_OK;
    }
    wgdn_error told = own;
    const int first = r->count - (int)(all - failure);
    r->failed = true;
    spread(r, &told, first);
    const bool same = st && strcmp(own.message, told.message) == 0;
    const bool alike = r->call->sum(r, same) == r->count;
    if (alike)
        wgdn_error_set(err, told.code, "%s", told.message);
    else
        wgdn_error_set(err, told.code, "rank %d: %.240s", first, told.message);
    return told.code;
}

wgdn_status wgdn_ranks_settle(wgdn_ranks *r, wgdn_status st, wgdn_error *err)
{
    int64_t nothing = 0;
    const wgdn_status all = wgdn_ranks_meet(r, st, &nothing, err);
    if (!all && nothing != 0)
        wgdn_ranks_end(r, "other ranks are at another step; start all ranks with the same command");
    return all;
}

/* ---- facts that must be equal ---- */

void wgdn_facts_add(wgdn_facts *f, const char *name, const char *format, ...)
{
    const size_t room = sizeof f->text - f->used;
    char value[256];
    va_list args;
    va_start(args, format);
    vsnprintf(value, sizeof value, format, args);
    va_end(args);
    const int size = snprintf(f->text + f->used, room, "%s = %s\n", name, value);
    f->used += size < 0 ? 0 : (size_t)size < room ? (size_t)size : room - 1;
}

void wgdn_facts_digest(wgdn_facts *f, const char *name, const void *data, size_t size)
{
    wgdn_facts_add(f, name, "%016llx", (unsigned long long)(size ? XXH3_64bits(data, size) : 0));
}

void wgdn_facts_options(wgdn_facts *f, wgdn_options_kind kind, const void *o)
{
    const wgdn_option_info *row;
    for (int i = 0; (row = wgdn_options_get_info(kind, i)); i++) {
        char value[160];
        if (strcmp(row->name, "threads") == 0) continue;
        if (wgdn_option_borrows(row)) continue;
        if (!wgdn_options_get(value, sizeof value, kind, o, row->name, NULL))
            wgdn_facts_add(f, row->name, "%s", value);
    }
}

/* The first line in which two texts differ; of rank 0's the value alone, if the names are the same. */
static void differing(char mine[160], char root[160], const char *a, const char *b)
{
    for (;;) {
        const size_t n = strcspn(a, "\n"), m = strcspn(b, "\n");
        snprintf(mine, 160, "%.*s", (int)n, a);
        snprintf(root, 160, "%.*s", (int)m, b);
        if (n != m || memcmp(a, b, n) != 0 || !a[n] || !b[m]) break;
        a += n + 1;
        b += m + 1;
    }
    const char *value = strstr(root, " = ");
    if (value && strncmp(mine, root, (size_t)(value - root) + 3) == 0)
        memmove(root, value + 3, strlen(value + 3) + 1);
}

static wgdn_status differ(const wgdn_facts *f, const wgdn_facts *root, int64_t ranks,
                          wgdn_error *err)
{
    const wgdn_status st = f->status ? f->status : WGDN_EINVAL;
    char mine[160], its[160], more[64] = "";
    differing(mine, its, f->text, root->text);
    if (ranks > 1) snprintf(more, sizeof more, "; %lld ranks differ from it", (long long)ranks);
    return wgdn_fail(err, st, "%.90s, but %.90s on rank 0%s", mine[0] ? mine : "nothing",
                     its[0] ? its : "nothing", more);
}

wgdn_status wgdn_ranks_compare(wgdn_ranks *r, wgdn_status st, const wgdn_facts *f, wgdn_error *err)
{
    if (!r || r->count == 1) return st;
    const int64_t most = (int64_t)1 << 60;
    const int64_t digest = (int64_t)(XXH3_64bits(f->text, f->used) % (uint64_t)most);
    int64_t high = digest, low = most - digest;
    wgdn_facts root = *f;
    const wgdn_status met = wgdn_ranks_meet(r, st, &high, err);
    if (st || met) return met ? met : st;
    st = wgdn_ranks_meet(r, WGDN_OK, &low, err);
    if (st || high + low == most) return st;
    r->call->broadcast(r, &root, sizeof root);
    const bool other = strcmp(root.text, f->text) != 0;
    const int64_t others = r->call->sum(r, other);
    return wgdn_ranks_settle(r, other ? differ(f, &root, others, err) : WGDN_OK, err);
}

/*
 * Injects faults for tests: a test sets WGDN_RANK_FAULT, and one rank then fails at a known place.
 * Builds without tests, as packages are, ignore it.
 *
 *   1:call:17        its 17th call of MPI returns an error
 *   1:stop:17        it stops before that call, like a host that hangs
 *   1:kill:17        it is killed there
 *   1:version:0      it reports another version
 *   1:parameters:5   one bit of its parameters changes after step 5
 *   1:step:5         its step 5 fails
 */

/* WGDN_RANK_FAULT=RANK:WHAT:NUMBER, if this is the rank. */
static void fault_read(wgdn_ranks *r)
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

#ifndef WGDN_HAVE_MPI
bool wgdn_mpi_join(wgdn_ranks *r)
{
    (void)r;
    return false;
}
#endif

enum { TIMEOUT_USUAL = 600 }; /* seconds: longer than any step takes, or reading */

wgdn_status wgdn_ranks_open(wgdn_ranks **out, wgdn_error *err)
{
    return wgdn_ranks_open_within(out, TIMEOUT_USUAL, err);
}

wgdn_status wgdn_ranks_open_within(wgdn_ranks **out, double seconds, wgdn_error *err)
{
    wgdn_ranks *r = wgdn_alloc_zero(1, sizeof *r);
    if (!r) return wgdn_fail(err, WGDN_ENOMEM, "the state of the ranks");
    *r = (wgdn_ranks){.count = 1, .timeout = seconds};
    if (wgdn_mpi_join(r) && r->count > 1) {
        r->join = wgdn_alloc(WGDN_JOIN_DOUBLES, sizeof *r->join);
        if (!r->join) wgdn_ranks_end(r, "out of memory at the start");
        fault_read(r);
    }
    *out = r;
    return WGDN_OK;
}

void wgdn_ranks_close(wgdn_ranks *r)
{
    if (!r) return;
    if (r->call) r->call->close(r);
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

/* Negative numbers count from their own end. A rank that learns here that another one has failed has no
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
    if (r->call) r->call->end(r, 1);
    exit(1);
}
