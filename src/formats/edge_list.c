/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads edge lists into memory and writes them. It chooses between the fast reader of integer
 * lists, the general reader, the reader of many graphs, and the out-of-core reader in
 * edge_list_rows.c.
 */
#include "edge_list.h"
#include "edge_list_rows.h"
#include "io/lines.h"
#include "io/source.h"
#include "node_table.h"

#include <math.h>
#include <omp.h>
#include <string.h>

/*
 * Reads the common case of an edge list fast: lines of two integers, with or without further fields
 * that are ignored or a weight of 1. Several threads read chunks of the text. If a line has any
 * other form, the whole text goes to the reader of general lists, so both give the same dataset.
 */

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

/* What is left of l, if it is lines of two integers and then of nothing that counts; *done = false
 * and no edges if it is not. */
static wgdn_status edge_list_integers(wgdn_draft *w, const wgdn_lines *l, const wgdn_edge_layout *y,
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

/* Reads any edge list: source, target and an optional weight on every line. */

typedef wgdn_edge_batch pending;

wgdn_status wgdn_edge_refuse(const wgdn_lines *l, const wgdn_edge_batch *p, int64_t k,
                             int64_t nodes, wgdn_error *err)
{
    wgdn_lines at = *l;
    at.line = p->line[k / 2];
    if (p->id[k].size > WGDN_ID_MAX)
        return wgdn_lines_fail(&at, -1, err, "an id of %zu bytes; the longest may have %d",
                               p->id[k].size, WGDN_ID_MAX);
    return wgdn_lines_fail(&at, -1, err,
                           "%s is not a node: the features are %lld rows, so ids are 0 .. %lld",
                           wgdn_show(p->id[k]).text, (long long)nodes, (long long)nodes - 1);
}

/* The draft takes a batch. */
static wgdn_status take_batch(void *user, const wgdn_lines *l, const wgdn_edge_batch *p,
                              wgdn_error *err)
{
    wgdn_draft *const w = user;
    wgdn_edges *const e = &w->edges;
    wgdn_ids *const ids = &w->ids;
    int32_t index[2 * WGDN_EDGE_BATCH];
    wgdn_status st = wgdn_ids_add(ids, p->id, 2 * p->rows, index, err);
    if (st == WGDN_ERANGE)
        wgdn_error_set(err, st,
                       "%s: by line %lld, more than %lld different nodes, the most allowed here",
                       wgdn_show_name(l->name).text, (long long)l->line, (long long)ids->max);
    if (st) return st;
    for (int64_t k = 0; k < 2 * p->rows; k++)
        if (index[k] < 0) return wgdn_edge_refuse(l, p, k, ids->count, err);
    for (int64_t r = 0; r < p->rows && !st; r++) {
        e->line = p->line[r];
        const int64_t before = e->count;
        st = wgdn_edges_add(e, index[2 * r], index[2 * r + 1], p->weight[r], l->name, err);
        if (!st && p->type[r] >= 0 && e->count > before)
            st = wgdn_edges_mark(e, p->type[r], l->name, err);
    }
    return st;
}

static wgdn_status check_columns(const wgdn_lines *l, const wgdn_edge_layout *y, wgdn_error *err)
{
    if (l->fields < 2)
        return wgdn_lines_fail(l, 0, err,
                               "%s alone: expected source, target and perhaps a weight; for a node "
                               "without edges name it twice",
                               wgdn_show(l->field[0]).text);
    if (l->fields != y->columns)
        return wgdn_lines_fail(
            l, l->fields - 1, err, "%lld columns, where the rows before have %lld%s",
            (long long)l->fields, (long long)y->columns,
            y->columns > 3 && y->separator == ' '
                ? "; lists of neighbours are no edge list, networkx.write_edgelist makes one"
                : "");
    return WGDN_OK;
}

/* One more row that is no edge. */
static void count_dropped(int64_t *count, int64_t *first, const wgdn_lines *l)
{
    if ((*count)++ == 0) *first = l->line;
}

/* Whether row l is to be read: not row 1 again, its ends and its weight are there. What is not is
 * counted in the draft's edges, or refused where the options are strict. */
static wgdn_status edge_row_check(bool *keep, wgdn_draft *w, const wgdn_lines *l,
                                  const wgdn_edge_layout *y, wgdn_error *err)
{
    wgdn_dropped_rows *const dropped = &w->edges.dropped;
    const bool no_source = wgdn_edge_missing(l->field[y->source]);
    *keep = false;
    if (y->header == WGDN_HEADER_YES && wgdn_edge_layout_repeats(y, l)) {
        count_dropped(&dropped->headers, &dropped->first_header, l);
        return WGDN_OK;
    }
    if (no_source || wgdn_edge_missing(l->field[y->target])) {
        const int64_t field = no_source ? y->source : y->target;
        if (w->o->strict)
            return wgdn_lines_fail(l, field, err, "the %s is missing: %s",
                                   no_source ? "source" : "target",
                                   wgdn_show(l->field[field]).text);
        count_dropped(&dropped->ends, &dropped->first_end, l);
        return WGDN_OK;
    }
    if (y->weight >= 0 && w->o->weights != WGDN_WEIGHTS_IGNORE && !w->o->strict &&
        wgdn_edge_missing(l->field[y->weight])) {
        count_dropped(&dropped->weights, &dropped->first_weight, l);
        return WGDN_OK;
    }
    *keep = true;
    return WGDN_OK;
}

/* What to do about a comma in a number: three digits behind it may be thousands. */
static const char *comma_hint(const wgdn_lines *l, wgdn_text t)
{
    const unsigned char *comma = t.size && l->decimal != ',' ? memchr(t.at, ',', t.size) : NULL;
    if (!comma) return "";
    return t.at + t.size - comma == 4
               ? "; --decimal , reads a comma as the point; if it sets thousands apart, take it out"
               : "; --decimal , reads a comma as the point";
}

/* The weight in a field; 1 for what is no number where weights are ignored. */
static wgdn_status edge_weight(double *weight, const wgdn_draft *w, const wgdn_lines *l,
                               int64_t field, wgdn_error *err)
{
    const wgdn_text text = l->field[field];
    *weight = 1;
    if (text.size == 1 && text.at[0] == '1') return WGDN_OK;
    if (wgdn_lines_number(l, text, weight) && isfinite(*weight)) return WGDN_OK;
    *weight = 1;
    if (w->o->weights != WGDN_WEIGHTS_IGNORE)
        return wgdn_lines_fail(l, field, err, "the weight %s is not a finite number%s",
                               wgdn_show(text).text, comma_hint(l, text));
    return WGDN_OK;
}

/* ---- ids of two kinds ---- */

/* What stands before an id: the heading of its column, or source and target. */
static wgdn_text prefix_of(const wgdn_edge_layout *y, bool target)
{
    const wgdn_text own = y->name[target ? y->target : y->source],
                    other = y->name[target ? y->source : y->target];
    if (y->header == WGDN_HEADER_YES && own.size > 0 && own.size < 256 &&
        wgdn_text_compare(own, other) != 0)
        return own;
    return target ? wgdn_text_of("target", 6) : wgdn_text_of("source", 6);
}

/* Id k of the batch becomes prefix:id, in memory that lasts until the batch is done. */
static wgdn_status put_prefix(pending *p, int64_t k, wgdn_text prefix, const wgdn_lines *l,
                              wgdn_error *err)
{
    const wgdn_text id = p->id[k];
    const int64_t size = (int64_t)(prefix.size + id.size) + 1;
    if (!wgdn_grow(&p->text, &p->text_room, p->text_used + size, 1))
        return wgdn_fail(err, WGDN_ENOMEM, "%s:%lld: an id of %zu bytes",
                         wgdn_show_name(l->name).text, (long long)l->line, id.size);
    unsigned char *to = p->text + p->text_used;
    memcpy(to, prefix.at, prefix.size);
    to[prefix.size] = ':';
    memcpy(to + prefix.size + 1, id.at, id.size);
    p->id[k] = wgdn_text_of(NULL, (size_t)size); /* the text may move yet */
    p->text_used += size;
    return WGDN_OK;
}

static void find_prefixed(pending *p)
{
    const unsigned char *at = p->text;
    for (int64_t k = 0; k < 2 * p->rows; k++) {
        p->id[k].at = at;
        at += p->id[k].size;
    }
    p->text_used = 0;
}

/* ---- rows ---- */

static wgdn_status find_type(int32_t *type, wgdn_ids *types, const wgdn_lines *l, int64_t field,
                             wgdn_error *err)
{
    const wgdn_status st = wgdn_ids_add(types, &l->field[field], 1, type, err);
    if (st || *type >= 0) return st;
    return wgdn_lines_fail(l, field, err, "a type of %zu bytes; the longest may have %d",
                           l->field[field].size, WGDN_ID_MAX);
}

static wgdn_status take_row(pending *p, wgdn_draft *w, const wgdn_lines *l,
                            const wgdn_edge_layout *y, wgdn_error *err)
{
    const int64_t k = 2 * p->rows;
    bool keep;
    wgdn_status st = check_columns(l, y, err);
    if (!st) st = edge_row_check(&keep, w, l, y, err);
    if (st || !keep) return st;
    p->weight[p->rows] = 1;
    p->type[p->rows] = -1;
    if (!st && y->weight >= 0) st = edge_weight(&p->weight[p->rows], w, l, y->weight, err);
    if (!st && y->type >= 0) st = find_type(&p->type[p->rows], &w->types, l, y->type, err);
    if (st) return st;
    p->id[k] = l->field[y->source];
    p->id[k + 1] = l->field[y->target];
    p->line[p->rows++] = l->line;
    if (y->bipartite) st = put_prefix(p, k, prefix_of(y, false), l, err);
    if (!st && y->bipartite) st = put_prefix(p, k + 1, prefix_of(y, true), l, err);
    return st;
}

static wgdn_status hand_over(pending *p, const wgdn_lines *l, const wgdn_edge_layout *y,
                             const wgdn_edge_taker *to, wgdn_error *err)
{
    if (y->bipartite) find_prefixed(p);
    const wgdn_status st = to->take(to->user, l, p, err);
    p->rows = 0;
    return st;
}

wgdn_status wgdn_edge_rows_read(wgdn_lines *l, const wgdn_edge_layout *y, wgdn_draft *w,
                                const unsigned char *stop, const wgdn_edge_taker *to,
                                wgdn_error *err)
{
    pending p = {.rows = 0};
    bool more = true;
    wgdn_status st = WGDN_OK;
    while (!st && (l->at < stop || stop == l->end)) { /* at the end until there is no more */
        st = wgdn_lines_next(l, &more, err);
        if (st || !more) break;
        st = take_row(&p, w, l, y, err);
        if (!st && (p.rows == WGDN_EDGE_BATCH || l->scratch_used))
            st = hand_over(&p, l, y, to, err);
    }
    if (!st) st = hand_over(&p, l, y, to, err);
    wgdn_release(p.text);
    return st;
}

static wgdn_status sort_ids(wgdn_edges *e, wgdn_ids *ids, wgdn_error *err)
{
    int32_t *rank;
    const wgdn_status st = wgdn_ids_sort(ids, &rank, err);
    if (st || !rank) return st;
    for (int64_t k = 0; k < 2 * e->count; k++)
        e->end[k] = rank[e->end[k]];
    wgdn_release(rank);
    return WGDN_OK;
}

/*
 * Words over words: row 1 is a header if it is the one row, among ten at least, whose two ids are
 * nowhere else. Where other rows are like it, edges apart from all others are common here.
 */
static wgdn_status is_stranger(bool *is, const wgdn_edges *e, int64_t nodes, wgdn_error *err)
{
    enum { ENOUGH = 10 };
    int64_t alone = 0;
    *is = false;
    if (e->count < ENOUGH || e->zero_weights > 0) return WGDN_OK;
    unsigned char *seen = wgdn_alloc_zero((size_t)nodes, 1); /* once, or more than once */
    if (!seen) return wgdn_fail(err, WGDN_ENOMEM, "edges: %lld nodes", (long long)nodes);
    for (int64_t k = 0; k < 2 * e->count; k++)
        seen[e->end[k]] = seen[e->end[k]] ? 2 : 1;
    for (int64_t k = 0; k < e->count; k++) {
        alone += seen[e->end[2 * k]] == 1 && seen[e->end[2 * k + 1]] == 1;
        if (k == 0) *is = alone == 1;
    }
    *is = *is && alone == 1;
    wgdn_release(seen);
    return WGDN_OK;
}

static wgdn_status read_list(wgdn_draft *w, const wgdn_input *in, const wgdn_edge_layout *y,
                             wgdn_error *err)
{
    wgdn_lines l;
    bool done = false, more;
    wgdn_status st = WGDN_OK;
    w->edges.counted = y->weight >= 0 && w->o->weights != WGDN_WEIGHTS_IGNORE;
    wgdn_lines_open(&l, in);
    if (y->header == WGDN_HEADER_YES) st = wgdn_lines_next(&l, &more, err);
    if (!st && y->columns > 1) st = edge_list_integers(w, &l, y, &done, err);
    if (!st && !done)
        st = wgdn_edge_rows_read(&l, y, w, l.end, &(wgdn_edge_taker){take_batch, w}, err);
    wgdn_lines_close(&l);
    return st;
}

/* All of it, by another layout. */
static wgdn_status read_again(wgdn_draft *w, const wgdn_input *in, const wgdn_edge_layout *y,
                              wgdn_error *err)
{
    wgdn_edges *const e = &w->edges;
    wgdn_release(e->weight);
    e->weight = NULL;
    e->weight_room = e->count = e->zero_weights = e->other_weights = 0;
    e->dropped = (wgdn_dropped_rows){0};
    wgdn_ids_close(&w->ids);
    wgdn_ids_open(&w->ids, w->o->max_nodes);
    wgdn_ids_close(&w->types);
    wgdn_ids_open(&w->types, INT32_MAX);
    return read_list(w, in, y, err);
}

static wgdn_status settle_header(wgdn_draft *w, const wgdn_input *in, wgdn_edge_layout *y,
                                 wgdn_error *err)
{
    bool names = false;
    wgdn_status st = w->ids.fixed ? WGDN_OK : is_stranger(&names, &w->edges, w->ids.count, err);
    y->header = names ? WGDN_HEADER_YES : WGDN_HEADER_NO;
    y->inferred = names;
    if (st || !names) return st;
    st = wgdn_edge_layout_assign(y, in->name, w->o, err); /* without its two nodes */
    return st ? st : read_again(w, in, y, err);
}

/* An id in both columns: whoever names customers and products means two nodes. */
static wgdn_status settle_kinds(wgdn_draft *w, const wgdn_input *in, wgdn_edge_layout *y,
                                wgdn_error *err)
{
    const wgdn_edges *e = &w->edges;
    bool both = false;
    unsigned char *seen = wgdn_alloc_zero((size_t)w->ids.count + 1, 1); /* as source, as target */
    if (!seen) return wgdn_fail(err, WGDN_ENOMEM, "edges: %lld nodes", (long long)w->ids.count);
    for (int64_t k = 0; k < 2 * e->count && !both; k++) {
        seen[e->end[k]] |= k % 2 ? 2 : 1;
        both = seen[e->end[k]] == 3;
    }
    wgdn_release(seen);
    y->undecided = false;
    y->bipartite = both;
    return both ? read_again(w, in, y, err) : WGDN_OK;
}

wgdn_status wgdn_edge_list_read(wgdn_draft *w, const wgdn_input *in, wgdn_edge_layout *y,
                                wgdn_error *err)
{
    if (y->bipartite && w->ids.fixed)
        return wgdn_fail(err, WGDN_EINVAL,
                         "%s: with --bipartite features are text keyed by KIND:ID",
                         wgdn_show_name(w->o->features).text);
    wgdn_status st = y->matrix.is ? wgdn_adjacency_read(w, in, &y->matrix, y->name, err)
                                  : read_list(w, in, y, err);
    if (!st && !y->matrix.is && y->header == WGDN_HEADER_AUTO) st = settle_header(w, in, y, err);
    if (!st && y->undecided) st = settle_kinds(w, in, y, err);
    return st ? st : sort_ids(&w->edges, &w->ids, err);
}

/* Reads many graphs from one edge list, in which a column names the graph of each edge. */

/* What is known while rows come in. */
typedef struct reading {
    wgdn_draft *w;
    const wgdn_edge_layout *y;
    wgdn_lines l;
    wgdn_ids graphs;
    int32_t *graph; /* of each node */
    int64_t graph_room;
    unsigned char *name; /* scratch: GRAPH/NODE */
    int64_t name_room;
} reading;

static wgdn_status no_memory(const reading *r, wgdn_error *err)
{
    return wgdn_fail(err, WGDN_ENOMEM, "%s: more than %lld nodes", wgdn_show_name(r->l.name).text,
                     (long long)r->w->ids.count);
}

static wgdn_status check_row(bool *keep, reading *r, wgdn_error *err)
{
    const wgdn_lines *l = &r->l;
    const wgdn_edge_layout *y = r->y;
    if (l->fields != y->columns)
        return wgdn_lines_fail(l, -1, err,
                               "%lld columns: expected graph, source, target and perhaps a weight, "
                               "as in the header",
                               (long long)l->fields);
    const wgdn_status st = edge_row_check(keep, r->w, l, y, err);
    if (!st && *keep && l->field[y->graph].size == 0)
        return wgdn_lines_fail(l, y->graph, err, "the graph is empty: expected an id");
    return st;
}

/* The node that a field names within its graph; its id in the dataset is GRAPH/NODE. */
static wgdn_status find_node(int32_t *node, reading *r, int32_t graph, int64_t field,
                             wgdn_error *err)
{
    const wgdn_text g = r->l.field[r->y->graph], n = r->l.field[field];
    const int64_t before = r->w->ids.count;
    if (!wgdn_grow(&r->name, &r->name_room, (int64_t)(g.size + n.size) + 1, 1))
        return no_memory(r, err);
    memcpy(r->name, g.at, g.size);
    r->name[g.size] = '/';
    memcpy(r->name + g.size + 1, n.at, n.size);
    const wgdn_text name = wgdn_text_of(r->name, g.size + n.size + 1);
    const wgdn_status st = wgdn_ids_add(&r->w->ids, &name, 1, node, err);
    if (st == WGDN_ERANGE)
        return wgdn_fail(err, st, "%s:%lld: more than %lld different nodes, the most allowed here",
                         wgdn_show_name(r->l.name).text, (long long)r->l.line,
                         (long long)r->w->ids.max);
    if (st) return st;
    if (*node < 0)
        return wgdn_lines_fail(&r->l, field, err,
                               "graph and node have %zu bytes together; the most are %d", name.size,
                               WGDN_ID_MAX);
    if (!wgdn_grow(&r->graph, &r->graph_room, (int64_t)*node + 1, sizeof *r->graph))
        return no_memory(r, err);
    if (r->w->ids.count > before) r->graph[*node] = graph;
    if (r->graph[*node] != graph)
        return wgdn_lines_fail(&r->l, field, err,
                               "%s is a node of another graph as well: a / in the graph's name "
                               "makes two of them one",
                               wgdn_show(name).text);
    return WGDN_OK;
}

static wgdn_status read_row(reading *r, wgdn_error *err)
{
    const wgdn_edge_layout *y = r->y;
    int32_t graph, u, v;
    double weight = 1;
    bool keep = false;
    wgdn_status st = check_row(&keep, r, err);
    if (st || !keep) return st;
    st = wgdn_ids_add(&r->graphs, &r->l.field[y->graph], 1, &graph, err);
    if (!st && graph < 0)
        st = wgdn_lines_fail(&r->l, y->graph, err,
                             "the name of the graph has %zu bytes; the most are %d",
                             r->l.field[y->graph].size, WGDN_ID_MAX);
    if (!st && y->weight >= 0) st = edge_weight(&weight, r->w, &r->l, y->weight, err);
    if (!st) st = find_node(&u, r, graph, y->source, err);
    if (!st) st = find_node(&v, r, graph, y->target, err);
    r->w->edges.line = r->l.line;
    return st ? st : wgdn_edges_add(&r->w->edges, u, v, weight, r->l.name, err);
}

static wgdn_status read_rows(reading *r, wgdn_error *err)
{
    bool more = true;
    wgdn_status st = WGDN_OK;
    r->w->edges.counted = r->y->weight >= 0 && r->w->o->weights != WGDN_WEIGHTS_IGNORE;
    if (r->y->header == WGDN_HEADER_YES) st = wgdn_lines_next(&r->l, &more, err);
    while (!st) {
        st = wgdn_lines_next(&r->l, &more, err);
        if (st || !more) break;
        st = read_row(r, err);
    }
    if (!st && r->w->ids.count == 0)
        st = wgdn_fail(err, WGDN_EFORMAT, "%s: no rows behind the header",
                       wgdn_show_name(r->l.name).text);
    return st;
}

/* New numbers for the nodes, graph after graph, within each as they came; rank[old] = new. */
static wgdn_status order_nodes(reading *r, int32_t *rank, int64_t *start, wgdn_error *err)
{
    const int64_t nodes = r->w->ids.count;
    wgdn_ids sorted;
    wgdn_status st = WGDN_OK;
    int32_t *old = wgdn_alloc((size_t)nodes, sizeof *old);
    if (!old) return no_memory(r, err);
    for (int64_t i = 0; i < nodes; i++)
        start[r->graph[i] + 1]++;
    for (int64_t g = 0; g < r->graphs.count; g++)
        start[g + 1] += start[g];
    for (int64_t i = 0; i < nodes; i++) {
        rank[i] = (int32_t)start[r->graph[i]]++; /* now the start of the next graph */
        old[rank[i]] = (int32_t)i;
    }
    for (int64_t g = r->graphs.count; g > 0; g--)
        start[g] = start[g - 1];
    start[0] = 0;
    wgdn_ids_open(&sorted, nodes);
    for (int64_t i = 0; !st && i < nodes; i++) {
        char buffer[WGDN_INDEX_TEXT];
        const wgdn_text id = wgdn_ids_text(&r->w->ids, old[i], buffer);
        int32_t at;
        st = wgdn_ids_add(&sorted, &id, 1, &at, err);
    }
    wgdn_release(old);
    if (st) {
        wgdn_ids_close(&sorted);
        return st;
    }
    wgdn_ids_close(&r->w->ids);
    r->w->ids = sorted;
    return WGDN_OK;
}

/* Graphs in the order of their ids, as nodes would be; then the nodes by graphs. */
static wgdn_status finish(reading *r, wgdn_error *err)
{
    wgdn_draft *w = r->w;
    wgdn_dataset *d = w->d;
    int32_t *graph_rank = NULL;
    const int64_t nodes = w->ids.count;
    int32_t *rank = wgdn_alloc((size_t)nodes, sizeof *rank);
    d->graph_start = wgdn_alloc_zero((size_t)r->graphs.count + 1, sizeof *d->graph_start);
    wgdn_status st =
        rank && d->graph_start ? wgdn_ids_sort(&r->graphs, &graph_rank, err) : no_memory(r, err);
    for (int64_t i = 0; !st && graph_rank && i < nodes; i++)
        r->graph[i] = graph_rank[r->graph[i]];
    if (!st) st = order_nodes(r, rank, d->graph_start, err);
    if (!st) {
        for (int64_t k = 0; k < 2 * w->edges.count; k++)
            w->edges.end[k] = rank[w->edges.end[k]];
        d->graphs = r->graphs.count;
        d->graph_ids = r->graphs;
        d->graphs_named = d->named = true;
        r->graphs = (wgdn_ids){0};
        w->ids.fixed = true; /* features cannot bring nodes of no graph */
        w->degrees = true;
    }
    wgdn_release(graph_rank);
    wgdn_release(rank);
    return st;
}

wgdn_status wgdn_graph_edges_read(wgdn_draft *w, const wgdn_input *in, const wgdn_edge_layout *y,
                                  wgdn_error *err)
{
    reading r = {.w = w, .y = y};
    if (y->bipartite)
        return wgdn_fail(err, WGDN_EINVAL, "%s: --bipartite does not go with a column of graphs",
                         wgdn_show_name(in->name).text);
    wgdn_lines_open(&r.l, in);
    wgdn_ids_open(&r.graphs, w->o->max_nodes);
    wgdn_status st = read_rows(&r, err);
    if (!st) st = finish(&r, err);
    wgdn_release(r.name);
    wgdn_release(r.graph);
    wgdn_ids_close(&r.graphs);
    wgdn_lines_close(&r.l);
    return st;
}

/* Features in an array say how many nodes there are, so they come before the edges. */
static wgdn_status read_array(wgdn_draft *w, bool graphs, bool packed, wgdn_error *err)
{
    bool arrays;
    wgdn_status st = wgdn_features_list(&arrays, w, err);
    if (st || !arrays) return st;
    if (graphs)
        return wgdn_fail(err, WGDN_EINVAL,
                         "%s: with a column of graphs, features are text keyed by graph/node",
                         wgdn_show_name(w->o->features).text);
    st = wgdn_features_arrays(w, err);
    return st || packed ? st : wgdn_draft_number(w, w->array_rows, 0, w->o->features, err);
}

/* A first row such as "2708 5429" may count nodes and edges; nobody but the user knows. */
static wgdn_status remark_counts(const wgdn_edge_layout *y, wgdn_draft *w, wgdn_error *err)
{
    const int64_t rows = w->edges.count + w->edges.zero_weights;
    int64_t nodes, edges;
    if (y->columns != 2 || y->matrix.is || y->header == WGDN_HEADER_YES || rows < 4) return WGDN_OK;
    if (!wgdn_text_index(y->name[0], &nodes) || !wgdn_text_index(y->name[1], &edges) ||
        edges != rows - 1 || nodes < w->ids.count - 2)
        return WGDN_OK;
    return wgdn_remarks_add(&w->d->remarks, "first-row", 1, err,
                            "row 1 was read as an edge from %lld to %lld; if it counts nodes and "
                            "edges, --header yes passes over it",
                            (long long)nodes, (long long)edges);
}

/* What is not done in files. */
static wgdn_status check_packing(const wgdn_draft *w, const wgdn_edge_layout *y,
                                 const wgdn_input *in, wgdn_error *err)
{
    const char *what = y->matrix.is                             ? "an adjacency matrix"
                       : y->graph >= 0                          ? "a column of graphs"
                       : y->type >= 0                           ? "a column of types"
                       : w->o->directed != WGDN_DIRECTED_IGNORE ? "--directed"
                       : w->o->binarise                         ? "--binarise"
                       : w->files > 1                           ? "several files of features"
                       : w->files == 1 && !w->file[0].array     ? "features as text"
                                                                : NULL;
    if (!what) return WGDN_OK;
    return wgdn_fail(err, WGDN_EINVAL,
                     "%s: with %s it is read at once, which takes about %.1f MB: allow that by "
                     "--memory",
                     wgdn_show_name(in->name).text, what,
                     WGDN_PACK_TIMES * (double)in->size / (1 << 20) + 0.1);
}

/* The heading of a column, or its number. */
static wgdn_status copy_column(char **out, const wgdn_edge_layout *y, int64_t j, wgdn_error *err)
{
    char number[WGDN_INDEX_TEXT];
    if (j < 0) return WGDN_OK;
    wgdn_text t = y->header == WGDN_HEADER_YES ? y->name[j] : wgdn_text_of(NULL, 0);
    if (t.size == 0) t = wgdn_text_of(number, wgdn_print_index(number, j + 1));
    *out = wgdn_alloc(t.size + 1, 1);
    if (!*out) return wgdn_fail(err, WGDN_ENOMEM, "the heading of a column");
    wgdn_text_put(*out, t.size + 1, t);
    return WGDN_OK;
}

static wgdn_status keep_choice(wgdn_draft *w, const wgdn_edge_layout *y, wgdn_error *err)
{
    wgdn_edge_choice *const c = &w->d->choice;
    if (y->matrix.is || y->columns < 2) return WGDN_OK;
    c->bipartite = y->bipartite;
    c->weights = w->o->weights;
    wgdn_status st = copy_column(&c->source, y, y->source, err);
    if (!st) st = copy_column(&c->target, y, y->target, err);
    if (!st) st = copy_column(&c->weight, y, y->weight, err);
    if (!st) st = copy_column(&c->type, y, y->type, err);
    return st ? st : copy_column(&c->graph, y, y->graph, err);
}

static wgdn_status load_rows(wgdn_draft *w, const wgdn_input *in, const wgdn_bytes *file,
                             wgdn_edge_layout *y, wgdn_error *err)
{
    const bool packed = wgdn_pack_needed(w->o, (int64_t)in->size);
    wgdn_status st = wgdn_edge_layout_find(y, in, w->o, err);
    if (!st) st = read_array(w, y->graph >= 0, packed, err);
    if (w->array_rows && w->o->bipartite < 0)
        y->bipartite = y->undecided = false; /* ids are rows */
    if (!st && packed) st = check_packing(w, y, in, err);
    if (!st && packed)
        st = wgdn_edge_pack(w, in, file, y, err);
    else if (!st && y->graph >= 0)
        st = wgdn_graph_edges_read(w, in, y, err);
    else if (!st)
        st = wgdn_edge_list_read(w, in, y, err);
    if (!st) st = wgdn_edge_layout_remark(y, w, err);
    if (!st) st = keep_choice(w, y, err);
    return st ? st : remark_counts(y, w, err);
}

static wgdn_status load(wgdn_draft *w, const char *path, wgdn_error *err)
{
    wgdn_source s;
    wgdn_edge_layout y;
    wgdn_status st = wgdn_pack_source(&s, w, path, err);
    if (st) return st;
    const wgdn_input in = wgdn_draft_input(w, &s);
    st = load_rows(w, &in, &s.file, &y, err);
    wgdn_edge_layout_free(&y);
    wgdn_source_free(&s);
    return st;
}

/* ---- writing ---- */

static void put_id(wgdn_page *p, const wgdn_dataset *d, int64_t node)
{
    char buffer[WGDN_INDEX_TEXT];
    wgdn_page_field(p, wgdn_dataset_name(d, node, buffer));
}

static wgdn_status write(const wgdn_dataset *d, const char *path, wgdn_error *err)
{
    const wgdn_csr *a = &d->graph->adjacency;
    wgdn_page *p = NULL;
    const wgdn_status st = wgdn_page_open(&p, path, err);
    if (st) return st;
    wgdn_page_word(p, a->value ? "source\ttarget\tweight\n" : "source\ttarget\n");
    for (int64_t i = 0; !p->st && i < d->nodes; i++) {
        int64_t k = a->offset[i];
        if (k == a->offset[i + 1]) { /* a loop is dropped again, the node stays */
            put_id(p, d, i);
            wgdn_page_put(p, "\t", 1);
            put_id(p, d, i);
            wgdn_page_word(p, a->value ? "\t1\n" : "\n");
        }
        for (; k < a->offset[i + 1]; k++) {
            if (a->column[k] < i) continue;
            put_id(p, d, i);
            wgdn_page_put(p, "\t", 1);
            put_id(p, d, a->column[k]);
            if (a->value) {
                wgdn_page_put(p, "\t", 1);
                wgdn_page_float(p, a->value[k]);
            }
            wgdn_page_put(p, "\n", 1);
        }
    }
    return wgdn_page_close(p);
}

const wgdn_format wgdn_edges_format = {
    .info = {"edges", (const char *const[]){".tsv", ".txt", ".edges", NULL},
             "Edge list as text: TSV, CSV or blanks, also zipped; written as TSV", 1, 1},
    .columns = true,
    .load = load,
    .write = write,
};
