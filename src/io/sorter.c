/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sorts more 64-bit keys than fit in memory: sorted runs are written to scratch files and merged.
 * The out-of-core reader of edge lists turns entries into rows with it.
 */
#define _DEFAULT_SOURCE
#include "sorter.h"
#include "base/system.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

/* Sorts byte by byte, from the lowest on; bytes that are equal in all keys are skipped. */

enum { BYTES = 8 };

static void count_bytes(int64_t count[BYTES][256], const uint64_t *record, int64_t n, int words)
{
    for (int64_t i = 0; i < n; i++) {
        const uint64_t key = record[i * words];
        for (int b = 0; b < BYTES; b++)
            count[b][key >> (8 * b) & 255]++;
    }
}

static void move_one(uint64_t *to, const uint64_t *from, int64_t n, int64_t at[256], int shift)
{
    for (int64_t i = 0; i < n; i++)
        to[at[from[i] >> shift & 255]++] = from[i];
}

static void move_two(uint64_t *to, const uint64_t *from, int64_t n, int64_t at[256], int shift)
{
    for (int64_t i = 0; i < n; i++) {
        const int64_t k = at[from[2 * i] >> shift & 255]++;
        to[2 * k] = from[2 * i];
        to[2 * k + 1] = from[2 * i + 1];
    }
}

uint64_t *wgdn_radix_sort(uint64_t *record, uint64_t *other, int64_t count, int words)
{
    int64_t seen[BYTES][256];
    memset(seen, 0, sizeof seen);
    count_bytes(seen, record, count, words);
    for (int b = 0; b < BYTES && count > 1; b++) {
        int64_t at[256], sum = 0;
        if (seen[b][record[0] >> (8 * b) & 255] == count) continue;
        for (int i = 0; i < 256; i++) {
            at[i] = sum;
            sum += seen[b][i];
        }
        if (words == 1)
            move_one(other, record, count, at, 8 * b);
        else
            move_two(other, record, count, at, 8 * b);
        uint64_t *const swap = record;
        record = other;
        other = swap;
    }
    return record;
}

const char wgdn_runs_name[] = "runs";

/* A large block is sorted in parts by several threads: the parts do not depend on their number. */
enum { PARTS = 4 };
static const int64_t large = (int64_t)1 << 22; /* words */

static wgdn_status failed(const wgdn_sorter *s, wgdn_error *err)
{
    return wgdn_fail(err, WGDN_EWRITE, "%s: cannot be written: %s", s->path, strerror(errno));
}

static int64_t runs_end(const wgdn_manifest *m)
{
    int64_t end = 0;
    for (int64_t i = 0; i < m->pieces; i++)
        end += m->piece[i].name[0] ? 0 : m->piece[i].bytes;
    return end;
}

wgdn_status wgdn_sorter_open(wgdn_sorter *s, const wgdn_scratch *in, wgdn_manifest *m, size_t bytes,
                             wgdn_error *err)
{
    *s = (wgdn_sorter){.scratch = in, .manifest = m, .words = 1, .threads = 1, .fd = -1};
    s->room = (int64_t)(bytes / 2 / sizeof *s->block) & ~(int64_t)1;
    s->end = runs_end(m);
    s->block = wgdn_alloc((size_t)s->room, sizeof *s->block);
    s->other = wgdn_alloc((size_t)s->room, sizeof *s->other);
    s->path = wgdn_scratch_path(in, wgdn_runs_name);
    if (!s->block || !s->other || !s->path)
        return wgdn_fail(err, WGDN_ENOMEM, "sorting: two blocks of %zu bytes", bytes / 2);
    s->fd = s->end ? wgdn_scratch_reopen(in, wgdn_runs_name, O_WRONLY)
                   : wgdn_scratch_create(in, wgdn_runs_name);
    if (s->fd < 0 || ftruncate(s->fd, s->end) != 0 || lseek(s->fd, s->end, SEEK_SET) != s->end)
        return failed(s, err);
    return WGDN_OK;
}

static wgdn_status put(wgdn_sorter *s, const void *data, size_t size, wgdn_error *err)
{
    return wgdn_system_write(s->fd, data, size) < 0 ? failed(s, err) : WGDN_OK;
}

static wgdn_status put_run(wgdn_sorter *s, const uint64_t *record, int64_t words, uint64_t hash,
                           wgdn_error *err)
{
    const wgdn_piece p = {
        .bytes = words * (int64_t)sizeof *record, .hash = hash, .words = s->words};
    if (words == 0) return WGDN_OK;
    wgdn_status st = put(s, record, (size_t)p.bytes, err);
    if (!st) st = wgdn_manifest_add(s->manifest, &p, err);
    s->end += p.bytes;
    return st;
}

wgdn_status wgdn_sorter_flush(wgdn_sorter *s, wgdn_error *err)
{
    const int64_t records = s->filled / s->words;
    const int parts = s->filled >= large ? PARTS : 1;
    uint64_t hash[PARTS];
    const uint64_t *sorted[PARTS];
    wgdn_status st = WGDN_OK;
#pragma omp parallel for schedule(dynamic, 1) num_threads(s->threads) if (!wgdn_forked())
    for (int p = 0; p < parts; p++) {
        const int64_t first = records * p / parts, count = records * (p + 1) / parts - first;
        sorted[p] = wgdn_radix_sort(s->block + first * s->words, s->other + first * s->words, count,
                                    s->words);
        hash[p] = XXH3_64bits(sorted[p], (size_t)(count * s->words) * sizeof **sorted);
    }
    for (int p = 0; p < parts && !st; p++) {
        const int64_t first = records * p / parts, count = records * (p + 1) / parts - first;
        st = put_run(s, sorted[p], count * s->words, hash[p], err);
    }
    s->filled = 0;
    return st;
}

wgdn_status wgdn_sorter_finish(wgdn_sorter *s, wgdn_error *err)
{
    wgdn_status st = wgdn_sorter_flush(s, err);
    const int fd = s->fd;
    s->fd = -1;
    if (fd >= 0 && close(fd) != 0 && !st) st = failed(s, err);
    wgdn_sorter_close(s);
    return st;
}

void wgdn_sorter_close(wgdn_sorter *s)
{
    if (s->path && s->fd >= 0) close(s->fd);
    wgdn_release(s->path);
    wgdn_release(s->other);
    wgdn_release(s->block);
    *s = (wgdn_sorter){.fd = -1};
}

/* One run, a buffer after another. */
static bool verify_run(wgdn_tape *t, const wgdn_piece *p,
                       void (*see)(void *, const uint64_t *, int64_t, int), void *user)
{
    enum { WORDS = 1 << 13 };
    uint64_t record[WORDS];
    XXH3_state_t *sum = XXH3_createState();
    bool good = sum && (p->words == 1 || p->words == 2) && p->bytes % (8 * p->words) == 0;
    if (sum) (void)XXH3_64bits_reset(sum);
    for (int64_t left = p->bytes / 8; good && left > 0;) {
        const int64_t words = left < WORDS ? left : WORDS;
        good = !wgdn_tape_take(t, record, (size_t)words * sizeof *record, NULL);
        if (!good) break;
        (void)XXH3_64bits_update(sum, record, (size_t)words * sizeof *record);
        if (see) see(user, record, words / p->words, (int)p->words);
        left -= words;
    }
    good = good && XXH3_64bits_digest(sum) == p->hash;
    (void)XXH3_freeState(sum);
    return good;
}

bool wgdn_sorter_verify(const wgdn_scratch *in, const wgdn_manifest *m,
                        void (*see)(void *user, const uint64_t *record, int64_t count, int words),
                        void *user)
{
    enum { ROOM = 1 << 18 };
    wgdn_tape t;
    bool good = !wgdn_tape_open(&t, in, wgdn_runs_name, ROOM, NULL);
    for (int64_t i = 0; good && i < m->pieces; i++)
        if (!m->piece[i].name[0]) good = verify_run(&t, &m->piece[i], see, user);
    wgdn_tape_close(&t);
    return good;
}

/*
 * Merges runs with a tournament tree: tree[0] is the run with the smallest key, and every other
 * place holds the loser of its match, so a new key is compared with one run per level. Equal keys
 * are ordered by the number of the run, which keeps their original order.
 */

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
        wgdn_os_forget_file(g->fd, r->next, got);
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

static wgdn_status merge_start(wgdn_merge *g, const wgdn_manifest *m, wgdn_error *err)
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
    if (!st) st = merge_start(g, m, err);
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

bool wgdn_bits_rank(wgdn_bits *b)
{
    const int64_t words = b->reach / 64 + 1;
    wgdn_release(b->below);
    b->below = wgdn_alloc((size_t)words, sizeof *b->below);
    b->count = 0;
    for (int64_t k = 0; b->below && k < words; k++) {
        b->below[k] = (uint32_t)b->count;
        b->count += __builtin_popcountll(b->word[k]);
    }
    return b->below != NULL;
}
