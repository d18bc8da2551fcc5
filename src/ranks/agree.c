/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Ranks that agree. Every meeting begins with the maximum of one number of each, whatever it is
 * about, so that who has failed meets who has not wherever that one is. A failure is a number that
 * is larger than any other, and counts down from the first rank.
 */
#include "base/options.h"
#include "ranks.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <xxhash.h>

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
    if (!all && nothing != 0) wgdn_ranks_end(r, "other ranks are at another place of the program");
    return all;
}

/* ---- what has to be the same ---- */

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
    const wgdn_option_set *set = wgdn_option_set_of(kind);
    for (size_t i = 0; i < set->count; i++) {
        const wgdn_option_row *row = &set->row[i];
        char value[160];
        if (strcmp(row->name, "threads") == 0) continue;
        if (kind == WGDN_OPTIONS_DATASET && row->type == OPTION_TEXT) continue;
        if (!wgdn_option_get_text(value, sizeof value, o, set, row->name, NULL))
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
    if (ranks > 1) snprintf(more, sizeof more, "; so on %lld ranks", (long long)ranks);
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
