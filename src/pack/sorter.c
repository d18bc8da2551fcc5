/* SPDX-License-Identifier: Apache-2.0 */
#define _DEFAULT_SOURCE
#include "sorter.h"

#include "codec/system.h"
#include "radix.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>
#include <xxhash.h>

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
