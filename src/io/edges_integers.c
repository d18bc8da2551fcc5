/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The common case of an edge list, fast: nothing but lines of two integers. Chunks of the text are
 * read by several threads; whatever else a line may hold leaves the whole text to the reader of
 * general lists, so that both give the same dataset.
 */
#include "io/edges.h"

#include <omp.h>
#include <string.h>

static const int64_t chunk_bytes = (int64_t)1 << 20;

typedef struct job {
    const unsigned char *text, *end;
    char separator;
    int64_t chunks;
    int64_t *first; /* chunk -> its first edge; then their number */
    int32_t *to;
    int32_t largest;
    bool good;
    int threads;
    wgdn_watch watch;
    int64_t finished; /* chunks; this and the next are shared by the threads */
    int stopped;
} job;

/* Where the first line that starts in chunk c or later starts. */
static const unsigned char *chunk_start(const job *j, int64_t c)
{
    if (c == 0) return j->text;
    if (c * chunk_bytes > j->end - j->text) return j->end;
    const unsigned char *p = j->text + c * chunk_bytes - 1;
    p = p < j->end ? memchr(p, '\n', (size_t)(j->end - p)) : NULL;
    return p ? p + 1 : j->end;
}

static int64_t count_lines(const unsigned char *p, const unsigned char *end)
{
    int64_t lines = end > p && end[-1] != '\n';
    while (p < end) { /* small sums, which vectorise */
        const int64_t size = end - p < 255 ? end - p : 255;
        uint8_t sum = 0;
        for (int64_t i = 0; i < size; i++)
            sum += p[i] == '\n';
        lines += sum;
        p += size;
    }
    return lines;
}

/*
 * Up to eight digits at a time, without a branch per digit: find the first byte that is none, move
 * the digits to the high end, then join neighbours, neighbouring pairs, and the two halves.
 */
static inline const unsigned char *read_integer(const unsigned char *p, const unsigned char *end,
                                                int32_t *out)
{
    int64_t value = 0;
    int digits = 0;
    if (end - p > 8 && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__) {
        uint64_t t;
        memcpy(&t, p, sizeof t);
        t ^= UINT64_C(0x3030303030303030);
        const uint64_t other =
            ((t + UINT64_C(0x7676767676767676)) | t) & UINT64_C(0x8080808080808080);
        digits = other ? __builtin_ctzll(other) / 8 : 8;
        if (digits == 0) return NULL;
        t <<= 64 - 8 * digits;
        t = (t * 10 + (t >> 8)) & UINT64_C(0x00ff00ff00ff00ff);
        t = (t * 100 + (t >> 16)) & UINT64_C(0x0000ffff0000ffff);
        value = (int64_t)((t * 10000 + (t >> 32)) & 0xffffffff);
    }
    const bool onward = digits == 0 || digits == 8;
    for (const unsigned char *q = p + digits; onward && q < end; q++) {
        const unsigned digit = *q - (unsigned)'0';
        if (digit > 9) break;
        value = value * 10 + digit;
        digits = (int)(q - p) + 1;
        if (digits > 10) return NULL;
    }
    if (digits == 0 || (digits > 1 && *p == '0') || value >= INT32_MAX) return NULL;
    *out = (int32_t)value;
    return p + digits;
}

/* Lines from p to end into to; false for anything that is not two integers. */
static bool read_chunk(const unsigned char *p, const unsigned char *end, char separator,
                       int32_t *to, int32_t *largest)
{
    int32_t most = 0;
    while (p < end) {
        for (int side = 0; side < 2; side++) {
            p = read_integer(p, end, to);
            if (!p) return false;
            most = *to > most ? *to : most;
            to++;
            if (side) break;
            if (p == end || (*p != (unsigned char)separator && !(separator == ' ' && *p == '\t')))
                return false;
            p++;
            while (p < end && separator != '\t' && *p == ' ')
                p++;
        }
        if (p < end && *p == '\r') p++;
        if (p < end && *p++ != '\n') return false;
    }
    *largest = most;
    return true;
}

/* One more chunk is read. The caller's thread alone tells, so that nobody must lock anything. */
static void tell(job *j)
{
    const int64_t total = j->end - j->text;
    const int64_t done = __atomic_add_fetch(&j->finished, 1, __ATOMIC_RELAXED) * chunk_bytes;
    if (!j->watch.tell || omp_get_thread_num() != 0) return;
    if (j->watch.tell(j->watch.user, done < total ? done : total, total))
        __atomic_store_n(&j->stopped, 1, __ATOMIC_RELAXED);
}

static wgdn_status read_text(job *j, wgdn_edges *e, const char *name, wgdn_error *err)
{
    bool good = true;
    int32_t largest = 0;
    j->chunks = (j->end - j->text) / chunk_bytes + 1;
    j->first = wgdn_alloc_zero((size_t)j->chunks + 1, sizeof *j->first);
    if (!j->first) goto no_memory;
#pragma omp parallel for schedule(dynamic, 1) num_threads(j->threads)
    for (int64_t c = 0; c < j->chunks; c++)
        j->first[c + 1] = count_lines(chunk_start(j, c), chunk_start(j, c + 1));
    for (int64_t c = 0; c < j->chunks; c++)
        j->first[c + 1] += j->first[c];
    const int64_t count = j->first[j->chunks];
    j->good = count <= e->most;
    if (!j->good) return WGDN_OK; /* the other reader says it better */
    if (!wgdn_grow(&e->end, &e->room, 2 * count, sizeof *e->end)) goto no_memory;
#pragma omp parallel for schedule(dynamic, 1) num_threads(j->threads) reduction(&& : good) \
    reduction(max : largest)
    for (int64_t c = 0; c < j->chunks; c++) {
        int32_t most = 0;
        if (__atomic_load_n(&j->stopped, __ATOMIC_RELAXED)) continue;
        good = good && read_chunk(chunk_start(j, c), chunk_start(j, c + 1), j->separator,
                                  e->end + 2 * j->first[c], &most);
        largest = most > largest ? most : largest;
        if (good) tell(j);
    }
    if (j->stopped)
        return wgdn_fail(err, WGDN_ESTOPPED, "%s: stopped on request", wgdn_show_name(name).text);
    j->good = good;
    j->largest = largest;
    if (good) e->count = count;
    return WGDN_OK;

no_memory:
    return wgdn_fail(err, WGDN_ENOMEM, "%s: reading it in %lld chunks", wgdn_show_name(name).text,
                     (long long)j->chunks);
}

/* The ids are the integers that occur, by value; edges get their ranks. */
static wgdn_status number(job *j, wgdn_edges *e, wgdn_ids *ids, wgdn_error *err)
{
    const int64_t ends = 2 * e->count;
    unsigned char *present = wgdn_alloc_zero((size_t)j->largest + 1, 1);
    if (!present) return wgdn_fail(err, WGDN_ENOMEM, "ids: integers up to %d", j->largest);
#pragma omp parallel for schedule(static) num_threads(j->threads)
    for (int64_t k = 0; k < ends; k++)
        __atomic_store_n(&present[e->end[k]], 1, __ATOMIC_RELAXED);
    const wgdn_status st = wgdn_ids_from_present(ids, present, (int64_t)j->largest + 1, err);
    wgdn_release(present);
    if (st || ids->count == ids->reach) return st;
#pragma omp parallel for schedule(static) num_threads(j->threads)
    for (int64_t k = 0; k < ends; k++)
        e->end[k] = ids->index[e->end[k]] - 1;
    return WGDN_OK;
}

wgdn_status wgdn_edges_read_integers(wgdn_edges *e, wgdn_ids *ids, wgdn_text text, char separator,
                                     int threads, bool *done, const char *name, wgdn_error *err)
{
    job j = {.text = text.at, .end = text.at + text.size, .separator = separator};
    j.watch = e->watch;
    *done = false;
    if (ids->fixed || ids->count > 0 || text.size == 0) return WGDN_OK;
    j.threads = text.size < (size_t)chunk_bytes ? 1 : threads > 0 ? threads : omp_get_max_threads();
    wgdn_status st = read_text(&j, e, name, err);
    wgdn_release(j.first);
    if (st || !j.good || !wgdn_ids_near(j.largest, e->count)) {
        e->count = 0;
        return st;
    }
    *done = true;
    st = number(&j, e, ids, err);
    if (st == WGDN_ERANGE)
        wgdn_error_set(err, st, "%s: more than %lld different nodes, the most allowed here",
                       wgdn_show_name(name).text, (long long)ids->most);
    return st;
}
