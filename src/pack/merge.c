/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A tournament of runs: tree[0] is the run with the least key, every other place has the loser of
 * its match, so that a new key meets one run per level. Equal keys go by the run's number, which
 * keeps the order in which they came.
 */
#define _DEFAULT_SOURCE
#include "sorter.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

enum { LEAST = 4096, MOST = 1 << 22 }; /* bytes of a buffer */

typedef struct run {
    uint64_t *buffer;
    int64_t at, filled; /* words */
    int64_t next, end;  /* bytes in the file that are not in the buffer yet */
    int64_t words;
} run;

/* A run's next key, UINT64_MAX at its end. */
typedef struct match {
    uint64_t key;
    int64_t run;
} match;

struct wgdn_merge {
    int fd;
    char *path;
    run *run;
    match *tree;
    int64_t runs;
    uint64_t *buffers;
    size_t room; /* bytes of each */
};

static wgdn_status fill(wgdn_merge *g, int64_t k, wgdn_error *err)
{
    run *r = &g->run[k];
    char *to = (char *)r->buffer;
    const int64_t left = r->end - r->next;
    size_t size = left < (int64_t)g->room ? (size_t)left : g->room;
    r->at = 0;
    r->filled = (int64_t)size / 8;
    while (size > 0) {
        const ssize_t got = pread(g->fd, to, size, r->next);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0)
            return wgdn_fail(err, WGDN_EIO, "%s: cannot be read at byte %lld: %s", g->path,
                             (long long)r->next, got < 0 ? strerror(errno) : "it was cut");
        (void)posix_fadvise(g->fd, r->next, got, POSIX_FADV_DONTNEED);
        to += got;
        size -= (size_t)got;
        r->next += got;
    }
    return WGDN_OK;
}

static inline match next_of(const wgdn_merge *g, int64_t k)
{
    const run *r = &g->run[k];
    return (match){r->at < r->filled ? r->buffer[r->at] : UINT64_MAX, k};
}

/* Without a branch: nobody could predict it. */
static inline bool before(match a, match b)
{
    return (a.key < b.key) | ((a.key == b.key) & (a.run < b.run));
}

/* Run w.run has a new key: up to the top. */
static inline void replay(wgdn_merge *g, match w)
{
    for (int64_t node = (w.run + g->runs) / 2; node > 0; node /= 2) {
        const match there = g->tree[node];
        const bool lost = before(there, w);
        g->tree[node] = (match){lost ? w.key : there.key, lost ? w.run : there.run};
        w = (match){lost ? there.key : w.key, lost ? there.run : w.run};
    }
    g->tree[0] = w;
}

/* All matches once: a place that is still free takes whoever comes first. */
static void play_all(wgdn_merge *g)
{
    for (int64_t i = 0; i < g->runs; i++)
        g->tree[i].run = -1;
    for (int64_t k = g->runs - 1; k >= 0; k--) {
        match w = next_of(g, k);
        int64_t node = (k + g->runs) / 2;
        for (; node > 0 && g->tree[node].run >= 0; node /= 2)
            if (before(g->tree[node], w)) {
                const match winner = g->tree[node];
                g->tree[node] = w;
                w = winner;
            }
        g->tree[node] = w;
    }
}

static wgdn_status take_memory(wgdn_merge *g, const wgdn_manifest *m, size_t bytes, wgdn_error *err)
{
    for (int64_t i = 0; i < m->pieces; i++)
        g->runs += !m->piece[i].name[0];
    const size_t runs = (size_t)g->runs;
    g->room = runs ? bytes / runs / LEAST * LEAST : LEAST;
    if (g->room > MOST) g->room = MOST;
    if (g->room < LEAST)
        return wgdn_fail(err, WGDN_ENOMEM,
                         "merging %zu sorted runs needs %zu bytes for buffers: allow about %.1f "
                         "times the memory",
                         runs, runs * LEAST, (double)runs * LEAST / (double)bytes + 0.1);
    g->run = wgdn_alloc_zero(runs + 1, sizeof *g->run);
    g->tree = wgdn_alloc_zero(runs + 1, sizeof *g->tree);
    g->buffers = wgdn_alloc(runs + 1, g->room);
    if (!g->run || !g->tree || !g->buffers)
        return wgdn_fail(err, WGDN_ENOMEM, "merging: %zu buffers of %zu bytes", runs, g->room);
    return WGDN_OK;
}

static wgdn_status start(wgdn_merge *g, const wgdn_manifest *m, wgdn_error *err)
{
    int64_t end = 0;
    int64_t k = 0;
    wgdn_status st = WGDN_OK;
    for (int64_t i = 0; i < m->pieces && !st; i++) {
        const wgdn_piece *p = &m->piece[i];
        if (p->name[0]) continue;
        g->run[k] = (run){.buffer = g->buffers + (size_t)k * (g->room / 8),
                          .next = end,
                          .end = end + p->bytes,
                          .words = p->words};
        end += p->bytes;
        st = fill(g, k++, err);
    }
    if (!st) play_all(g);
    return st;
}

wgdn_status wgdn_merge_open(wgdn_merge **out, const wgdn_scratch *in, const wgdn_manifest *m,
                            size_t bytes, wgdn_error *err)
{
    wgdn_merge *g = wgdn_alloc_zero(1, sizeof *g);
    if (!g) return wgdn_fail(err, WGDN_ENOMEM, "merging: a table of runs");
    g->fd = -1;
    g->path = wgdn_scratch_path(in, wgdn_runs_name);
    wgdn_status st = g->path ? take_memory(g, m, bytes, err)
                             : wgdn_fail(err, WGDN_ENOMEM, "merging: the name of a file");
    if (!st) g->fd = wgdn_scratch_reopen(in, wgdn_runs_name, O_RDONLY);
    if (!st && g->fd < 0)
        st = wgdn_fail(err, WGDN_EIO, "%s: cannot be opened: %s", g->path, strerror(errno));
    if (!st) st = start(g, m, err);
    if (st)
        wgdn_merge_close(g);
    else
        *out = g;
    return st;
}

wgdn_status wgdn_merge_take(wgdn_merge *g, wgdn_record *out, int64_t room, int64_t *count,
                            wgdn_error *err)
{
    int64_t n = 0;
    *count = 0;
    if (g->runs == 0) return WGDN_OK;
    for (; n < room; n++) {
        const match first = g->tree[0];
        run *const r = &g->run[first.run];
        if (first.key == UINT64_MAX) break;
        out[n] = (wgdn_record){.key = first.key, .weight = 1};
        if (r->words == 2) memcpy(&out[n].weight, &r->buffer[r->at + 1], sizeof out[n].weight);
        r->at += r->words;
        if (r->at == r->filled) {
            const wgdn_status st = fill(g, first.run, err);
            if (st) return st;
        }
        replay(g, next_of(g, first.run));
    }
    *count = n;
    return WGDN_OK;
}

void wgdn_merge_close(wgdn_merge *g)
{
    if (!g) return;
    if (g->fd >= 0) close(g->fd);
    wgdn_release(g->buffers);
    wgdn_release(g->tree);
    wgdn_release(g->run);
    wgdn_release(g->path);
    wgdn_release(g);
}
