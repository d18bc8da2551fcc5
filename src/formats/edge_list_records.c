/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads the text of an edge list as records: the two ids of an edge, its weight, its type and its
 * graph. All readers of edge lists use it, so one set of rules decides what a row means, whether the
 * edges are kept in memory (edge_list.c) or sorted on disk (edge_list_pack.c, edge_list_ids.c).
 *
 * Lines of two integers, with or without fields that are ignored or a weight of 1, are parsed by
 * several threads. A text with any other line is read row by row, with the same result.
 */
#include "edge_list.h"
#include "io/lines.h"

#include <math.h>
#include <omp.h>
#include <string.h>

/* ---- pairs of integers ---- */

/* A text of whole lines, and where its numbers go: room for as many lines as were counted. */
typedef struct pair_text {
    const unsigned char *p, *end;
    int32_t *to, *to_end;
} pair_text;

/* What else is on every line: so many fields that nobody wants, or one that is 1. */
typedef struct pair_rest {
    int64_t fields;
    bool one;
} pair_rest;

static int64_t count_lines(const unsigned char *p, const unsigned char *end)
{
    int64_t lines = end > p && end[-1] != '\n';
    while (p < end) { /* small sums, which vectorize */
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
 * One to seven digits without a branch per digit: find the first byte that is none, move the digits
 * to the high end, then join neighbors, neighboring pairs, and the two halves, each by a product
 * that adds ten, a hundred and ten thousand times the one before. Gives how many digits there are,
 * seven where more follow; 0 for none and for a needless zero in front. Reads eight bytes.
 */
static inline int quick_integer(const unsigned char *p, int32_t *out)
{
    const uint64_t high = UINT64_C(0x8080808080808080), eighth = UINT64_C(1) << 63;
    uint64_t t;
    memcpy(&t, p, sizeof t);
    t ^= UINT64_C(0x3030303030303030);
    const uint64_t other = (((t + UINT64_C(0x7676767676767676)) | t) & high) | eighth;
    const int bit = __builtin_ctzll(other); /* 7 of the first byte that is no digit */
    if (bit == 7 || (bit > 15 && (t & 255) == 0)) return 0;
    t = t << 8 << (bit ^ 63);
    t = t * (1 + (10 << 8)) >> 8 & UINT64_C(0x00ff00ff00ff00ff);
    t = t * (1 + (100 << 16)) >> 16 & UINT64_C(0x0000ffff0000ffff);
    *out = (int32_t)(t * (1 + (UINT64_C(10000) << 32)) >> 32);
    return bit >> 3;
}

enum { QUICK_LINE = 32 }; /* bytes that quick_line() may look at */

/* Behind a line as most are; NULL for one that read_line() should look at. */
static inline const unsigned char *quick_line(const unsigned char *p, char separator, int32_t *to)
{
    const int digits = quick_integer(p, to);
    p += digits;
    if (digits == 0 || *p++ != (unsigned char)separator) return NULL;
    const int more = quick_integer(p, to + 1);
    p += more;
    if (*p == '\r') p++;
    return more > 0 && *p == '\n' ? p + 1 : NULL;
}

static const unsigned char *read_integer(const unsigned char *p, const unsigned char *end,
                                         int32_t *out)
{
    int64_t value = 0;
    const unsigned char *const first = p;
    for (; p < end && *p >= '0' && *p <= '9'; p++) {
        value = value * 10 + (*p - '0');
        if (value >= INT32_MAX) return NULL;
    }
    if (p == first || (p - first > 1 && *first == '0')) return NULL;
    *out = (int32_t)value;
    return p;
}

/* Behind the fields after two integers; NULL where they are not as they should be. */
static const unsigned char *pass_rest(const unsigned char *p, const unsigned char *end,
                                      char separator, pair_rest rest)
{
    const unsigned char between = (unsigned char)separator;
    const unsigned char blank = separator == ' ' ? '\t' : '\n'; /* also between blanks */
    for (int64_t k = 0; k < rest.fields; k++) {
        if (p == end || *p++ != between) return NULL;
        const unsigned char *const from = p;
        while (p < end && *p != between && *p != '\n' && *p != blank)
            p++;
        if (rest.one) {
            if (p == from || *from != '1') return NULL;
            p = from + 1;
        } else if (p > from ? *from == '"' || *from == ' ' : separator == ' ') {
            return NULL;
        }
    }
    return p;
}

/* Any line of two integers; false for what is none, and for one line more than were counted. */
static bool read_line(pair_text *c, char separator, pair_rest rest)
{
    const unsigned char *p = c->p, *const end = c->end;
    if (c->to == c->to_end) return false;
    p = read_integer(p, end, c->to);
    if (!p || p == end) return false;
    if (*p != (unsigned char)separator && !(separator == ' ' && *p == '\t')) return false;
    p++;
    while (p < end && separator != '\t' && *p == ' ')
        p++;
    p = read_integer(p, end, c->to + 1);
    if (p && rest.fields) p = pass_rest(p, end, separator, rest);
    if (!p) return false;
    if (p < end && *p == '\r') p++;
    if (p < end && *p++ != '\n') return false;
    c->p = p;
    c->to += 2;
    return true;
}

/* Lines that may be read quickly from where c stands, whatever they are. */
static int64_t quick_lines(const pair_text *c)
{
    const int64_t lines = (c->end - c->p) / QUICK_LINE, room = (c->to_end - c->to) / 2;
    if (__BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__) return 0;
    return lines < room ? lines : room;
}

/* One text of such lines. False as above, and where a field is quoted or its blanks are many. */
static bool read_pair_rows(pair_text *c, char separator, pair_rest rest)
{
    while (c->p < c->end)
        if (!read_line(c, separator, rest)) return false;
    return c->to == c->to_end;
}

/*
 * Two texts in turn: where a line starts depends on the line before, so that a processor which
 * reads one text waits most of the time. False for anything that is not two integers below 2^31 - 1
 * in their canonical spelling, and if there are not as many lines as were counted: the text may be a
 * mapped file that somebody writes to.
 */
static bool read_pair_lines(pair_text *a, pair_text *b, char separator)
{
    const pair_rest none = {.fields = 0};
    for (;;) {
        const int64_t x = quick_lines(a), y = quick_lines(b), lines = x < y ? x : y;
        const unsigned char *p = a->p, *q = b->p;
        int64_t done = 0;
        if (lines == 0) break;
        for (; done < lines; done++) {
            const unsigned char *const after_p = quick_line(p, separator, a->to + 2 * done);
            const unsigned char *const after_q = quick_line(q, separator, b->to + 2 * done);
            if (!after_p || !after_q) break;
            p = after_p;
            q = after_q;
        }
        a->p = p;
        b->p = q;
        a->to += 2 * done;
        b->to += 2 * done;
        if (done < lines && !(read_line(a, separator, none) && read_line(b, separator, none)))
            return false;
    }
    return read_pair_rows(a, separator, none) && read_pair_rows(b, separator, none);
}

static const int64_t chunk_max = (int64_t)1 << 19; /* bytes */
static const int64_t line_max = (int64_t)1 << 16;  /* a longer line does not hold two integers */

typedef struct pair_reader {
    const unsigned char *text, *end;
    char separator;
    pair_rest rest;
    int64_t chunk_bytes;
    int64_t chunks;              /* an even number: two are read at a time */
    const unsigned char **start; /* chunk -> the first line that starts in it or later; the end */
    int64_t *first;              /* chunk -> its first edge; then their number */
    int threads;
    wgdn_watch watch;
    int64_t finished; /* chunks; this and the next are shared by the threads */
    int stopped;
} pair_reader;

/* Where chunks start; false for a very long line, which every chunk would search again. */
static bool find_starts(pair_reader *r)
{
    r->start[0] = r->text;
    for (int64_t c = 1; c <= r->chunks; c++) {
        r->start[c] = r->end;
        if (c * r->chunk_bytes > r->end - r->text) continue;
        const unsigned char *const from = r->text + c * r->chunk_bytes - 1;
        const int64_t left = r->end - from, look = left < line_max ? left : line_max;
        const unsigned char *p = look > 0 ? memchr(from, '\n', (size_t)look) : NULL;
        if (!p && look < left) return false;
        if (p) r->start[c] = p + 1;
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

/* After two more chunks. Only the caller's thread reports, so no lock is needed. */
static void report_progress(pair_reader *r)
{
    const int64_t total = r->end - r->text;
    const int64_t done = __atomic_add_fetch(&r->finished, 2, __ATOMIC_RELAXED) * r->chunk_bytes;
    if (!r->watch.tell || omp_get_thread_num() != 0) return;
    if (r->watch.tell(r->watch.user, done < total ? done : total, total))
        __atomic_store_n(&r->stopped, 1, __ATOMIC_RELAXED);
}

static pair_text chunk_of(const pair_reader *r, int64_t c, int32_t *end)
{
    return (pair_text){.p = r->start[c],
                       .end = r->start[c + 1],
                       .to = end + 2 * r->first[c],
                       .to_end = end + 2 * r->first[c + 1]};
}

static bool read_two_chunks(const pair_reader *r, pair_text *x, pair_text *y)
{
    if (r->rest.fields == 0) return read_pair_lines(x, y, r->separator);
    return read_pair_rows(x, r->separator, r->rest) && read_pair_rows(y, r->separator, r->rest);
}

/* *good = false for a text that has to be read row by row. */
static wgdn_status read_chunks(pair_reader *r, wgdn_edges *e, int32_t *largest, bool *good,
                               const char *name, wgdn_error *err)
{
    bool all = true;
    int32_t top = 0;
    const int64_t size = r->end - r->text;
    r->chunk_bytes = size < 2 * chunk_max ? size / 2 + 1 : chunk_max;
    r->chunks = (size / r->chunk_bytes + 2) / 2 * 2;
    r->first = wgdn_alloc_zero((size_t)r->chunks + 1, sizeof *r->first);
    r->start = wgdn_alloc((size_t)r->chunks + 1, sizeof(const unsigned char *));
    if (!r->first || !r->start) goto no_memory;
    if (!find_starts(r)) return WGDN_OK;
#pragma omp parallel for schedule(dynamic, 1) num_threads(r->threads) if (!wgdn_forked())
    for (int64_t c = 0; c < r->chunks; c++)
        r->first[c + 1] = count_lines(r->start[c], r->start[c + 1]);
    for (int64_t c = 0; c < r->chunks; c++)
        r->first[c + 1] += r->first[c];
    const int64_t count = r->first[r->chunks];
    if (count > e->max) return WGDN_OK; /* refused by its line */
    if (!wgdn_grow(&e->end, &e->room, 2 * count, sizeof *e->end)) goto no_memory;
#pragma omp parallel for schedule(dynamic, 1) num_threads(r->threads) if (!wgdn_forked()) reduction(&& : all) \
    reduction(max : top)
    for (int64_t c = 0; c < r->chunks; c += 2) {
        if (__atomic_load_n(&r->stopped, __ATOMIC_RELAXED)) continue;
        pair_text x = chunk_of(r, c, e->end), y = chunk_of(r, c + 1, e->end);
        const int32_t *const first = x.to; /* the chunks' numbers follow one another */
        all = all && read_two_chunks(r, &x, &y);
        const int32_t max = all ? largest_of(first, y.to) : 0;
        top = max > top ? max : top;
        if (all) report_progress(r);
    }
    if (r->stopped) return wgdn_fail_in(err, WGDN_ESTOPPED, name, "stopped on request");
    *good = all;
    *largest = top;
    if (all) e->count = count;
    return WGDN_OK;

no_memory:
    return wgdn_fail_in(err, WGDN_ENOMEM, name, "reading it in %lld chunks", (long long)r->chunks);
}

/* Source and target come first, then fields that are ignored, or a weight that may be 1 throughout. */
static bool may_be_pairs(const wgdn_edge_layout *y)
{
    const bool weighted = y->weight >= 0;
    return y->columns > 1 && y->source == 0 && y->target == 1 && y->type < 0 && y->graph < 0 &&
           !y->bipartite && (!weighted || (y->weight == 2 && y->columns == 3));
}

wgdn_status wgdn_edge_pairs_read(wgdn_edges *e, const wgdn_lines *l, const wgdn_edge_layout *y,
                                 int threads, int32_t *largest, bool *good, wgdn_error *err)
{
    pair_reader r = {.text = l->at, .end = l->end, .separator = l->separator, .watch = l->watch};
    const int64_t size = l->end - l->at;
    *largest = 0;
    *good = false;
    if (!may_be_pairs(y) || size == 0) return WGDN_OK;
    r.rest = (pair_rest){.fields = y->columns - 2, .one = y->weight >= 0};
    r.threads = size < chunk_max ? 1 : wgdn_threads_count(threads);
    const wgdn_status st = read_chunks(&r, e, largest, good, l->name, err);
    wgdn_release((void *)r.start);
    wgdn_release(r.first);
    if (!*good) e->count = 0;
    return st;
}

/* ---- what a row says ---- */

wgdn_status wgdn_edge_refuse(const wgdn_lines *l, const wgdn_edge_batch *b, int64_t k,
                             int64_t nodes, wgdn_error *err)
{
    wgdn_lines at = *l;
    at.line = b->line[k / 2];
    if (b->id[k].size > WGDN_ID_MAX)
        return wgdn_lines_fail(&at, -1, err, "an id of %zu bytes; the longest may have %d",
                               b->id[k].size, WGDN_ID_MAX);
    return wgdn_lines_fail(&at, -1, err,
                           "%s is not a node: the features are %lld rows, so ids are 0 .. %lld",
                           wgdn_show(b->id[k]).text, (long long)nodes, (long long)nodes - 1);
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
                ? "; lists of neighbors are no edge list, networkx.write_edgelist makes one"
                : "");
    if (y->graph >= 0 && l->field[y->graph].size == 0)
        return wgdn_lines_fail(l, y->graph, err, "the graph is empty: expected an id");
    return WGDN_OK;
}

static void count_dropped(int64_t *count, int64_t *first, const wgdn_lines *l)
{
    if ((*count)++ == 0) *first = l->line;
}

/* Whether a row is an edge: not row 1 again, with two ends and a weight. Other rows are counted, or
 * refused where the options are strict. */
static wgdn_status check_row(bool *keep, wgdn_draft *w, const wgdn_lines *l,
                             const wgdn_edge_layout *y, wgdn_error *err)
{
    wgdn_dropped_rows *const dropped = &w->edges.dropped;
    const bool no_source = wgdn_edge_missing(l->field[y->source]);
    *keep = false;
    if (y->header == WGDN_HEADER_YES && wgdn_edge_layout_repeats(y, l)) {
        count_dropped(&dropped->headers, &dropped->first_header, l);
    } else if (no_source || wgdn_edge_missing(l->field[y->target])) {
        const int64_t field = no_source ? y->source : y->target;
        if (w->o->strict)
            return wgdn_lines_fail(l, field, err, "the %s is missing: %s",
                                   no_source ? "source" : "target",
                                   wgdn_show(l->field[field]).text);
        count_dropped(&dropped->ends, &dropped->first_end, l);
    } else if (y->weight >= 0 && w->o->weights != WGDN_WEIGHTS_IGNORE && !w->o->strict &&
               wgdn_edge_missing(l->field[y->weight])) {
        count_dropped(&dropped->weights, &dropped->first_weight, l);
    } else {
        *keep = true;
    }
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

/* The weight in a field; 1 for what is not a number where weights are ignored. */
static wgdn_status read_weight(double *weight, const wgdn_draft *w, const wgdn_lines *l,
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

static wgdn_status read_type(int32_t *type, wgdn_ids *types, const wgdn_lines *l, int64_t field,
                             wgdn_error *err)
{
    const wgdn_status st = wgdn_ids_add(types, &l->field[field], 1, type, err);
    if (st || *type >= 0) return st;
    return wgdn_lines_fail(l, field, err, "a type of %zu bytes; the longest may have %d",
                           l->field[field].size, WGDN_ID_MAX);
}

/* ---- ids with a prefix: KIND:ID, or GRAPH/NODE ---- */

/* The heading of an end's column, or source and target. */
static wgdn_text kind_of(const wgdn_edge_layout *y, bool target)
{
    const wgdn_text own = y->name[target ? y->target : y->source],
                    other = y->name[target ? y->source : y->target];
    if (y->header == WGDN_HEADER_YES && own.size > 0 && own.size < 256 &&
        wgdn_text_compare(own, other) != 0)
        return own;
    return target ? wgdn_text_of("target", 6) : wgdn_text_of("source", 6);
}

/* Id k of the batch gets a prefix, in memory that lasts until the batch is handed over. */
static wgdn_status add_prefix(wgdn_edge_batch *b, int64_t k, wgdn_text prefix, char sign,
                              const wgdn_lines *l, wgdn_error *err)
{
    const wgdn_text id = b->id[k];
    const int64_t size = (int64_t)(prefix.size + id.size) + 1;
    if (!wgdn_grow(&b->text, &b->text_room, b->text_used + size, 1))
        return wgdn_fail_at(err, WGDN_ENOMEM, l->name, l->line, "an id of %zu bytes", id.size);
    unsigned char *to = b->text + b->text_used;
    memcpy(to, prefix.at, prefix.size);
    to[prefix.size] = (unsigned char)sign;
    memcpy(to + prefix.size + 1, id.at, id.size);
    b->id[k] = wgdn_text_of(NULL, (size_t)size); /* the memory may move until the batch is full */
    b->text_used += size;
    return WGDN_OK;
}

/* ---- rows ---- */

static wgdn_status read_row(wgdn_edge_batch *b, wgdn_draft *w, const wgdn_lines *l,
                            const wgdn_edge_layout *y, wgdn_error *err)
{
    const int64_t r = b->rows, k = 2 * r;
    bool keep = false;
    wgdn_status st = check_columns(l, y, err);
    if (!st) st = check_row(&keep, w, l, y, err);
    if (st || !keep) return st;
    b->weight[r] = 1;
    b->type[r] = -1;
    if (y->weight >= 0) st = read_weight(&b->weight[r], w, l, y->weight, err);
    if (!st && y->type >= 0 && y->graph < 0)
        st = read_type(&b->type[r], &w->types, l, y->type, err);
    if (st) return st;
    b->id[k] = l->field[y->source];
    b->id[k + 1] = l->field[y->target];
    b->line[r] = l->line;
    b->rows++;
    if (y->graph >= 0) b->graph[r] = l->field[y->graph];
    for (int end = 0; end < 2 && !st; end++) {
        if (y->graph >= 0) st = add_prefix(b, k + end, b->graph[r], '/', l, err);
        if (y->bipartite) st = add_prefix(b, k + end, kind_of(y, end), ':', l, err);
    }
    return st;
}

static wgdn_status hand_over(wgdn_edge_batch *b, const wgdn_lines *l, const wgdn_edge_sink *to,
                             wgdn_error *err)
{
    const unsigned char *at = b->text;
    for (int64_t k = 0; b->text_used > 0 && k < 2 * b->rows; k++) {
        b->id[k].at = at;
        at += b->id[k].size;
    }
    b->text_used = 0;
    const wgdn_status st = to->add(to->user, l, b, err);
    b->rows = 0;
    return st;
}

wgdn_status wgdn_edge_rows_read(wgdn_lines *l, const wgdn_edge_layout *y, wgdn_draft *w,
                                const unsigned char *stop, const wgdn_edge_sink *to,
                                wgdn_error *err)
{
    wgdn_edge_batch b = {.rows = 0};
    bool more = true;
    wgdn_status st = WGDN_OK;
    while (!st && (l->at < stop || stop == l->end)) { /* at the end until there is no more */
        st = wgdn_lines_next(l, &more, err);
        if (st || !more) break;
        st = read_row(&b, w, l, y, err);
        if (!st && (b.rows == WGDN_EDGE_BATCH || l->scratch_used)) st = hand_over(&b, l, to, err);
    }
    if (!st) st = hand_over(&b, l, to, err);
    wgdn_release(b.text);
    return st;
}

/*
 * Finds ids in the first rows of an edge list that spreadsheets and exports spoil: one id in two
 * spellings, and numbers that were rounded. edge_list_layout.c reports them; no id is changed.
 */

static bool is_digit(unsigned char c)
{
    return c >= '0' && c <= '9';
}

static size_t count_digits(wgdn_text t, size_t from)
{
    size_t at = from;
    while (at < t.size && is_digit(t.at[at]))
        at++;
    return at - from;
}

static wgdn_text cut(wgdn_text t, size_t front, size_t back)
{
    return wgdn_text_of(t.at + front, t.size - front - back);
}

/* Without single quotes, hard spaces, leading zeros and a fraction of zeros. */
static wgdn_text plain(wgdn_text t)
{
    static const char space[] = "\xc2\xa0"; /* UTF-8 */
    while (t.size > 2 && memcmp(t.at, space, 2) == 0)
        t = cut(t, 2, 0);
    while (t.size > 2 && memcmp(t.at + t.size - 2, space, 2) == 0)
        t = cut(t, 0, 2);
    if (t.size > 2 && t.at[0] == '\'' && t.at[t.size - 1] == '\'') t = cut(t, 1, 1);
    /* The number 7 of 007 and of 7.0. */
    const size_t digits = count_digits(t, 0);
    size_t zeros = 0, end = digits + 1;
    if (digits == 0) return t;
    while (digits < t.size && t.at[digits] == '.' && end < t.size && t.at[end] == '0')
        end++;
    if (digits < t.size && (end < t.size || end == digits + 1)) return t;
    while (zeros + 1 < digits && t.at[zeros] == '0')
        zeros++;
    return cut(t, zeros, t.size - digits);
}

/* 1.23E+15 */
static bool is_rounded(wgdn_text t)
{
    size_t at = 1;
    if (count_digits(t, 0) != 1) return false;
    if (at < t.size && (t.at[at] == '.' || t.at[at] == ',')) at += 1 + count_digits(t, at + 1);
    return at + 3 < t.size && (t.at[at] == 'E' || t.at[at] == 'e') && t.at[at + 1] == '+' &&
           count_digits(t, at + 2) == t.size - at - 2;
}

void wgdn_edge_spelling_find(wgdn_edge_spelling *out, const wgdn_ids *const end[2])
{
    char buffer[WGDN_INDEX_TEXT];
    *out = (wgdn_edge_spelling){.twice = {""}};
    for (int k = 0; k < 2; k++)
        for (int64_t i = 0; i < end[k]->count; i++) {
            const wgdn_text id = wgdn_ids_text(end[k], i, buffer), other = plain(id);
            if (!out->rounded[0] && is_rounded(id))
                wgdn_text_put(out->rounded, sizeof out->rounded, id);
            if (out->twice[0][0] || other.size == id.size ||
                (wgdn_ids_find(end[0], other) < 0 && wgdn_ids_find(end[1], other) < 0))
                continue;
            wgdn_text_put(out->twice[0], sizeof out->twice[0], id);
            wgdn_text_put(out->twice[1], sizeof out->twice[1], other);
        }
}
