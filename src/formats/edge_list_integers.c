/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The common case of an edge list, fast: lines of two integers, perhaps with fields behind them that are
 * ignored or with a weight of 1. Chunks of the text are
 * read by several threads; whatever else a line may hold leaves the whole text to the reader of
 * general lists, so that both give the same dataset.
 */
#include "codec/integer_lines.h"
#include "edge_list.h"

#include <omp.h>
#include <string.h>

static const int64_t max_bytes = (int64_t)1 << 19; /* of a chunk */
static const int64_t max_line = (int64_t)1 << 16;  /* what is longer is no line of integers */

typedef struct job {
    const unsigned char *text, *end;
    char separator;
    wgdn_integer_rest rest;
    int64_t chunk_bytes;
    int64_t chunks;              /* an even number: two are read at a time */
    const unsigned char **start; /* chunk -> the first line that starts in it or later; the end */
    int64_t *first;              /* chunk -> its first edge; then their number */
    int32_t largest;
    bool good;
    int threads;
    wgdn_watch watch;
    int64_t finished; /* chunks; this and the next are shared by the threads */
    int stopped;
} job;

/* Where chunks start; false if some line is too long: it would be looked through for each. */
static bool find_starts(job *j)
{
    j->start[0] = j->text;
    for (int64_t c = 1; c <= j->chunks; c++) {
        j->start[c] = j->end;
        if (c * j->chunk_bytes > j->end - j->text) continue;
        const unsigned char *const from = j->text + c * j->chunk_bytes - 1;
        const int64_t left = j->end - from, look = left < max_line ? left : max_line;
        const unsigned char *p = look > 0 ? memchr(from, '\n', (size_t)look) : NULL;
        if (!p && look < left) return false;
        if (p) j->start[c] = p + 1;
    }
    return true;
}

static int32_t largest_of(const int32_t *value, const int32_t *end)
{
    int32_t largest = 0;
    for (; value < end; value++)
        largest = *value > largest ? *value : largest;
    return largest;
}

/* Two more chunks are read. The caller's thread alone tells, so that nobody must lock anything. */
static void tell(job *j)
{
    const int64_t total = j->end - j->text;
    const int64_t done = __atomic_add_fetch(&j->finished, 2, __ATOMIC_RELAXED) * j->chunk_bytes;
    if (!j->watch.tell || omp_get_thread_num() != 0) return;
    if (j->watch.tell(j->watch.user, done < total ? done : total, total))
        __atomic_store_n(&j->stopped, 1, __ATOMIC_RELAXED);
}

static wgdn_integer_text chunk(const job *j, int64_t c, int32_t *end)
{
    return (wgdn_integer_text){.p = j->start[c],
                               .end = j->start[c + 1],
                               .to = end + 2 * j->first[c],
                               .to_end = end + 2 * j->first[c + 1]};
}

static bool read_two(const job *j, wgdn_integer_text *x, wgdn_integer_text *y)
{
    if (j->rest.fields == 0) return wgdn_integer_lines(x, y, j->separator);
    return wgdn_integer_rows(x, j->separator, j->rest) &&
           wgdn_integer_rows(y, j->separator, j->rest);
}

static wgdn_status read_text(job *j, wgdn_edges *e, const char *name, wgdn_error *err)
{
    bool good = true;
    int32_t largest = 0;
    const int64_t size = j->end - j->text;
    j->chunk_bytes = size < 2 * max_bytes ? size / 2 + 1 : max_bytes;
    j->chunks = (size / j->chunk_bytes + 2) / 2 * 2;
    j->first = wgdn_alloc_zero((size_t)j->chunks + 1, sizeof *j->first);
    j->start = wgdn_alloc((size_t)j->chunks + 1, sizeof(const unsigned char *));
    if (!j->first || !j->start) goto no_memory;
    j->good = find_starts(j);
    if (!j->good) return WGDN_OK; /* the other reader says what is wrong */
#pragma omp parallel for schedule(dynamic, 1) num_threads(j->threads) if (!wgdn_forked())
    for (int64_t c = 0; c < j->chunks; c++)
        j->first[c + 1] = wgdn_count_lines(j->start[c], j->start[c + 1]);
    for (int64_t c = 0; c < j->chunks; c++)
        j->first[c + 1] += j->first[c];
    const int64_t count = j->first[j->chunks];
    j->good = count <= e->max;
    if (!j->good) return WGDN_OK; /* the other reader says it better */
    if (!wgdn_grow(&e->end, &e->room, 2 * count, sizeof *e->end)) goto no_memory;
#pragma omp parallel for schedule(dynamic, 1) num_threads(j->threads) if (!wgdn_forked()) reduction(&& : good) \
    reduction(max : largest)
    for (int64_t c = 0; c < j->chunks; c += 2) {
        if (__atomic_load_n(&j->stopped, __ATOMIC_RELAXED)) continue;
        wgdn_integer_text x = chunk(j, c, e->end), y = chunk(j, c + 1, e->end);
        const int32_t *const first = x.to; /* the chunks' numbers follow one another */
        good = good && read_two(j, &x, &y);
        const int32_t max = good ? largest_of(first, y.to) : 0;
        largest = max > largest ? max : largest;
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
#pragma omp parallel for schedule(static) num_threads(j->threads) if (!wgdn_forked())
    for (int64_t k = 0; k < ends; k++) { /* a look first: stores would take the line from others */
        unsigned char *const at = &present[e->end[k]];
        if (!__atomic_load_n(at, __ATOMIC_RELAXED)) __atomic_store_n(at, 1, __ATOMIC_RELAXED);
    }
    const wgdn_status st = wgdn_ids_from_present(ids, present, (int64_t)j->largest + 1, err);
    wgdn_release(present);
    if (st || ids->count == ids->reach) return st;
#pragma omp parallel for schedule(static) num_threads(j->threads) if (!wgdn_forked())
    for (int64_t k = 0; k < ends; k++)
        e->end[k] = ids->index[e->end[k]] - 1;
    return WGDN_OK;
}

/* Source and target first, then what nobody wants, or a weight that may be 1 throughout. */
static bool may_be_integers(const wgdn_edge_layout *y)
{
    const bool weighted = y->weight >= 0;
    return y->source == 0 && y->target == 1 && y->type < 0 && !y->bipartite &&
           (!weighted || (y->weight == 2 && y->columns == 3));
}

static wgdn_status read_pairs(job *j, wgdn_edges *e, const wgdn_lines *l, const wgdn_edge_layout *y,
                              int threads, wgdn_error *err)
{
    const int64_t size = l->end - l->at;
    *j = (job){.text = l->at, .end = l->end, .separator = l->separator, .watch = l->watch};
    j->rest = (wgdn_integer_rest){.fields = y->columns - 2, .one = y->weight >= 0};
    if (!may_be_integers(y) || size == 0) return WGDN_OK;
    j->threads = size < max_bytes ? 1 : wgdn_threads_count(threads);
    const wgdn_status st = read_text(j, e, l->name, err);
    wgdn_release((void *)j->start);
    wgdn_release(j->first);
    if (st || !j->good) e->count = 0;
    return st;
}

wgdn_status wgdn_edge_list_pairs(wgdn_edges *e, const wgdn_lines *l, const wgdn_edge_layout *y,
                                 int threads, int32_t *largest, bool *good, wgdn_error *err)
{
    job j;
    const wgdn_status st = read_pairs(&j, e, l, y, threads, err);
    *good = !st && j.good;
    *largest = j.largest;
    return st;
}

wgdn_status wgdn_edge_list_integers(wgdn_draft *w, const wgdn_lines *l, const wgdn_edge_layout *y,
                                    bool *done, wgdn_error *err)
{
    wgdn_edges *const e = &w->edges;
    wgdn_ids *const ids = &w->ids;
    job j;
    *done = false;
    if (ids->fixed || ids->count > 0) return WGDN_OK;
    wgdn_status st = read_pairs(&j, e, l, y, w->o->threads, err);
    if (st || !j.good || !wgdn_ids_near(j.largest, e->count)) {
        e->count = 0;
        return st;
    }
    *done = true;
    st = number(&j, e, ids, err);
    if (st == WGDN_ERANGE)
        wgdn_error_set(err, st, "%s: more than %lld different nodes, the most allowed here",
                       wgdn_show_name(l->name).text, (long long)ids->max);
    return st;
}
