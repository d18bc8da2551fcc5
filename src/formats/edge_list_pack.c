/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads an edge list with a limit of memory: the text to sorted runs, the runs to the rows of the
 * graph in scratch files, which the dataset then maps. After each stage, and after each block of the
 * text, it saves a manifest, so that a run that was killed resumes.
 */
#define _DEFAULT_SOURCE
#include "base/system.h"
#include "edge_list.h"
#include "io/source.h"

#include <stdio.h>
#include <string.h>
#include <xxhash.h>

/*
 * Turns an edge list that does not fit in memory into sorted runs of entries and merges these into
 * the rows of the graph. Slabs of the text become records (edge_list_records.c) and entries, both
 * directions of every edge. Ids that are small integers keep their values until the merge; other ids
 * have their numbers already (edge_list_ids.c).
 */

/* ---- slabs of the text to runs ---- */

static const int64_t longest_slab = (int64_t)1 << 26, shortest_slab = (int64_t)1 << 14;
static const int64_t longest_line = (int64_t)1 << 16;

/* Ids below this are used as integers. */
static int64_t reach_of(const wgdn_pack *p)
{
    return p->state.mode == WGDN_PACK_FIXED ? p->state.nodes : p->bits.reach;
}

/* The end of a line about a slab from here. */
static const unsigned char *slab_end(const wgdn_pack *p, const wgdn_lines *l)
{
    int64_t size = p->memory / 32;
    if (size > longest_slab) size = longest_slab;
    if (size < shortest_slab) size = shortest_slab;
    if (l->end - l->at <= size) return l->end;
    const unsigned char *const from = l->at + size;
    const int64_t left = l->end - from, look = left < longest_line ? left : longest_line;
    const unsigned char *end = memchr(from, '\n', (size_t)look);
    return end ? end + 1 : from;
}

/* Keeps a node whose edge has weight 0. */
static wgdn_status keep_lone_node(wgdn_pack *p, int64_t node, wgdn_error *err)
{
    if (!wgdn_grow(&p->alone, &p->alone_room, p->alones + 1, sizeof *p->alone))
        return wgdn_fail(err, WGDN_ENOMEM, "edges of weight 0");
    p->alone[p->alones++] = (int32_t)node;
    return WGDN_OK;
}

static wgdn_status add_batch(void *user, const wgdn_lines *l, const wgdn_edge_batch *b,
                             wgdn_error *err)
{
    wgdn_pack *const p = user;
    wgdn_edges *const e = &p->w->edges;
    const int64_t reach = reach_of(p);
    wgdn_status st = WGDN_OK;
    for (int64_t r = 0; r < b->rows && !st; r++) {
        int64_t end[2];
        for (int s = 0; s < 2; s++) {
            if (wgdn_text_index(b->id[2 * r + s], &end[s]) && end[s] < reach) continue;
            if (p->state.mode == WGDN_PACK_FIXED)
                return wgdn_edge_refuse(l, b, 2 * r + s, reach, err);
            p->leave = true;
            return WGDN_ENOSUPPORT;
        }
        const int64_t zeros = e->zero_weights;
        e->line = b->line[r];
        st = wgdn_edges_add(e, (int32_t)end[0], (int32_t)end[1], b->weight[r], l->name, err);
        for (int s = 0; s < 2 && !st && e->zero_weights > zeros; s++)
            st = keep_lone_node(p, end[s], err);
    }
    return st;
}

/* Reads one slab into the draft's edges, between the integers themselves. */
static wgdn_status read_slab(wgdn_pack *p, wgdn_lines *l, wgdn_error *err)
{
    wgdn_edges *const e = &p->w->edges;
    wgdn_lines part = *l;
    int32_t largest = 0;
    bool good = false;
    wgdn_status st = WGDN_OK;
    part.end = slab_end(p, l);
    if (!e->weight)
        st = wgdn_edge_pairs_read(e, &part, p->y, p->w->o->threads, &largest, &good, err);
    if (st) return st;
    if (good && largest < reach_of(p)) {
        l->at = part.end;
        l->next += e->count;
        return WGDN_OK;
    }
    e->count = 0;
    return wgdn_edge_rows_read(l, p->y, p->w, part.end, &(wgdn_edge_sink){add_batch, p}, err);
}

static void mark_id(wgdn_pack *p, int64_t node)
{
    if (p->bits.word) wgdn_bits_set(&p->bits, node);
}

/* Writes the block as runs and saves the manifest. */
static wgdn_status write_run(wgdn_pack *p, wgdn_error *err)
{
    wgdn_status st = wgdn_sorter_flush(&p->sorter, err);
    if (!st) {
        memcpy(p->manifest.state, &p->saved, sizeof p->saved);
        st = wgdn_manifest_save(&p->manifest, p->scratch, err);
    }
    return st;
}

/* Makes room for more entries within a slab: that run cannot be resumed from without the rest of the slab. */
static wgdn_status make_room(wgdn_pack *p, int64_t entries, wgdn_error *err)
{
    if (wgdn_sorter_fits(&p->sorter, entries)) return WGDN_OK;
    p->torn = true;
    return wgdn_sorter_flush(&p->sorter, err);
}

/* Ends a run before a slab, where a later run can resume. */
static wgdn_status end_run(wgdn_pack *p, wgdn_error *err)
{
    const wgdn_edges *e = &p->w->edges;
    wgdn_sorter *const s = &p->sorter;
    const int words = e->weight ? 2 : 1;
    wgdn_status st = WGDN_OK;
    if (s->filled && (words != s->words || !wgdn_sorter_fits(s, 2 * e->count + p->alones)))
        st = write_run(p, err);
    if (!s->filled) s->words = words;
    return st;
}

/* Adds the slab's edges to the block as entries. */
static wgdn_status add_entries(wgdn_pack *p, wgdn_error *err)
{
    wgdn_edges *const e = &p->w->edges;
    wgdn_status st = end_run(p, err);
    for (int64_t k = 0; k < e->count && !st; k++) {
        const int64_t u = e->end[2 * k], v = e->end[2 * k + 1];
        st = make_room(p, 2, err);
        wgdn_pack_edge(&p->sorter, u, v, e->weight ? e->weight[k] : 1);
        p->state.loops += u == v;
        mark_id(p, u);
        mark_id(p, v);
    }
    for (int64_t k = 0; k < p->alones && !st; k++) {
        st = make_room(p, 1, err);
        wgdn_pack_edge(&p->sorter, p->alone[k], p->alone[k], 1);
        mark_id(p, p->alone[k]);
    }
    p->state.edges += e->count;
    e->max -= e->count;
    e->count = p->alones = 0;
    return st;
}

static void note_position(wgdn_pack *p, const wgdn_lines *l)
{
    const wgdn_edges *e = &p->w->edges;
    p->state.at = l->at - l->start;
    p->state.line = l->next;
    p->state.zeros = e->zero_weights;
    p->state.other_weights = e->other_weights;
    p->state.dropped = e->dropped;
    p->state.weighted = e->weight != NULL;
}

static wgdn_status read_text(wgdn_pack *p, wgdn_lines *l, wgdn_error *err)
{
    wgdn_status st = WGDN_OK;
    const int64_t size = l->end - l->start;
    while (l->at < l->end && !st) {
        const int64_t from = l->at - l->start;
        st = read_slab(p, l, err);
        if (st == WGDN_ERANGE)
            wgdn_error_in(err, st, l->name, "more than %lld edges, the maximum allowed",
                          (long long)p->w->o->max_entries);
        if (!st) st = add_entries(p, err);
        note_position(p, l);
        p->saved = p->state;
        if (!st && p->torn) st = write_run(p, err);
        p->torn = false;
        wgdn_bytes_forget(p->file, (size_t)from, (size_t)p->state.at);
        if (!st) st = wgdn_pack_report(p, 0.5 * (double)p->state.at / (double)size, err);
    }
    return st;
}

/* Where to begin: behind the header, or where an earlier run stopped. */
static wgdn_status open_text(wgdn_pack *p, wgdn_lines *l, wgdn_error *err)
{
    wgdn_edges *const e = &p->w->edges;
    e->max = p->w->o->max_entries - p->state.edges;
    e->zero_weights = p->state.zeros;
    e->other_weights = p->state.other_weights;
    e->dropped = p->state.dropped;
    wgdn_status st = wgdn_edge_lines_open(l, &p->quiet, p->y, err);
    if (!st && p->state.at > 0) {
        l->at = l->start + p->state.at;
        l->next = p->state.line;
        if (p->state.weighted && !wgdn_grow(&e->weight, &e->weight_room, 1, sizeof *e->weight))
            st = wgdn_fail(err, WGDN_ENOMEM, "weights of edges");
    }
    note_position(p, l);
    p->saved = p->state;
    return st;
}

/* The text to runs; p->leave and no message where an id is not a small integer. */
static wgdn_status pack_read_integers(wgdn_pack *p, wgdn_error *err)
{
    wgdn_lines l = {0};
    wgdn_status st =
        wgdn_sorter_open(&p->sorter, p->scratch, &p->manifest, (size_t)p->memory / 8 * 5, err);
    p->sorter.threads = wgdn_threads_count(p->w->o->threads);
    if (!st) st = open_text(p, &l, err);
    if (!st) st = read_text(p, &l, err);
    if (!st) st = wgdn_sorter_finish(&p->sorter, err);
    wgdn_sorter_close(&p->sorter);
    wgdn_lines_close(&l);
    return st;
}

/* ---- runs to rows ---- */

/*
 * Merges sorted entries into rows in files. The weights are those of data/edges.c: f_ij is the sum
 * of the weights given from i to j, in double and in the order of the edges, and
 *
 *     A_ij = f_ij               if F is symmetric
 *     A_ij = f_ij + f_ji        otherwise
 *
 * The choice is known only at the end; f + f is then halved, which is exact.
 */

enum { BATCH = 1 << 12, BUFFER = 1 << 20, SMALL_BUFFER = 1 << 16 };

static const char sums_name[] = "value.raw";

typedef struct row_writer {
    wgdn_pack *p;
    const wgdn_bits *bits; /* NULL: rows and columns are nodes' numbers already */
    wgdn_tape offset, column, value;
    int64_t next;    /* row whose end is not written */
    int64_t entries; /* so far */
    uint64_t pair;   /* the entry at hand, without its direction; UINT64_MAX: none */
    double sum[2];   /* of its weights, as given and the other way round */
    bool symmetric;
    bool valued;      /* weights are summed */
    int64_t seen_row; /* the last one, and whether it was a source, a target */
    unsigned seen;
    bool both;    /* some row was either */
    int32_t *out; /* columns on their way to the stream */
    int64_t outs;
} row_writer;

static inline int64_t node_of(const row_writer *r, int64_t id)
{
    return r->bits ? wgdn_bits_below(r->bits, id) : id;
}

static wgdn_status put_columns(row_writer *r, wgdn_error *err)
{
    const size_t size = (size_t)r->outs * sizeof *r->out;
    r->outs = 0;
    return wgdn_tape_put(&r->column, r->out, size, err);
}

/* Rows before this one end here, and those that are not written yet open_text. */
static wgdn_status end_rows(row_writer *r, int64_t row, wgdn_error *err)
{
    wgdn_status st = WGDN_OK;
    for (; r->next < row && !st; r->next++)
        st = wgdn_tape_put(&r->offset, &r->entries, sizeof r->entries, err);
    return st;
}

/* The weight of the entry at hand is complete. */
static wgdn_status end_value(row_writer *r, wgdn_error *err)
{
    const float value = (float)(r->sum[0] + r->sum[1]);
    r->symmetric = r->symmetric && r->sum[0] == r->sum[1];
    r->sum[0] = r->sum[1] = 0;
    return wgdn_tape_put(&r->value, &value, sizeof value, err);
}

static void note_end(row_writer *r, int64_t row, unsigned backward)
{
    if (row != r->seen_row) r->seen = 0;
    r->seen_row = row;
    r->seen |= 1U << backward;
    r->both = r->both || r->seen == 3;
}

static wgdn_status add_records(row_writer *r, const wgdn_record *record, int64_t count,
                               wgdn_error *err)
{
    const bool weighted = r->valued;
    wgdn_status st = WGDN_OK;
    for (int64_t k = 0; k < count && !st; k++) {
        const uint64_t key = record[k].key, pair = key >> 1;
        const int64_t row = (int64_t)(key >> 32), column = (int64_t)(key & UINT32_MAX) >> 1;
        if (row != column && pair != r->pair) {
            if (weighted && r->pair != UINT64_MAX) st = end_value(r, err);
            if (!st && row != (int64_t)(r->pair >> 31)) st = end_rows(r, node_of(r, row) + 1, err);
            r->pair = pair;
            r->out[r->outs++] = (int32_t)node_of(r, column);
            r->entries++;
            if (!st && r->outs == BATCH) st = put_columns(r, err);
        }
        if (row != column) r->sum[key & 1] += record[k].weight;
        if (row != column) note_end(r, row, key & 1);
    }
    return st;
}

static wgdn_status merge_runs(row_writer *r, wgdn_error *err)
{
    wgdn_pack *const p = r->p;
    const double all = (double)p->state.edges * 2 + 1;
    int64_t count = 1, done = 0;
    wgdn_merge *g = NULL;
    wgdn_record *record = wgdn_alloc(BATCH, sizeof *record);
    wgdn_status st = record ? WGDN_OK : wgdn_fail(err, WGDN_ENOMEM, "merging: a batch");
    if (!st) st = wgdn_merge_open(&g, p->scratch, &p->manifest, (size_t)p->memory / 2, err);
    while (!st && count > 0) {
        st = wgdn_merge_take(g, record, BATCH, &count, err);
        if (!st) st = add_records(r, record, count, err);
        done += count;
        if (!st && done / BATCH % 64 == 0)
            st = wgdn_pack_report(p, 0.5 + 0.45 * (double)done / all, err);
    }
    if (!st && r->valued && r->pair != UINT64_MAX) st = end_value(r, err);
    if (!st) st = put_columns(r, err);
    if (!st) st = end_rows(r, p->state.nodes + 1, err);
    wgdn_merge_close(g);
    wgdn_release(record);
    return st;
}

static wgdn_status open_files(row_writer *r, wgdn_error *err)
{
    const wgdn_scratch *s = r->p->scratch;
    const size_t room = r->p->memory < ((int64_t)1 << 26) ? SMALL_BUFFER : BUFFER;
    wgdn_status st = wgdn_tape_create(&r->offset, s, "offset", room, err);
    if (!st) st = wgdn_tape_create(&r->column, s, "column", room, err);
    if (!st && r->valued) st = wgdn_tape_create(&r->value, s, sums_name, room, err);
    r->out = wgdn_alloc(BATCH, sizeof *r->out);
    if (!st && !r->out) st = wgdn_fail(err, WGDN_ENOMEM, "merging: a batch");
    return st;
}

/* Turns the sums into weights, as the options say, and finds their range; ones are not stored. */
static wgdn_status finish_values(row_writer *r, wgdn_error *err)
{
    wgdn_pack_state *const s = &r->p->state;
    const wgdn_weights how = r->p->w->edges.weights;
    wgdn_tape from = {.fd = -1}, to = {.fd = -1};
    float value[BATCH];
    wgdn_status st = wgdn_tape_open(&from, r->p->scratch, sums_name, BUFFER, err);
    if (!st) st = wgdn_tape_create(&to, r->p->scratch, "value", BUFFER, err);
    for (int64_t left = r->entries; left > 0 && !st;) {
        const int64_t count = left < BATCH ? left : BATCH;
        st = wgdn_tape_take(&from, value, (size_t)count * sizeof *value, err);
        if (st) break;
        for (int64_t k = 0; k < count && r->symmetric; k++)
            value[k] *= 0.5F;
        if (wgdn_weights_settle(value, count, how)) s->valued = 1;
        if (left == r->entries) s->range[0] = s->range[1] = value[0];
        for (int64_t k = 0; k < count; k++) {
            if (value[k] < s->range[0]) s->range[0] = value[k];
            if (value[k] > s->range[1]) s->range[1] = value[k];
        }
        st = wgdn_tape_put(&to, value, (size_t)count * sizeof *value, err);
        left -= count;
    }
    if (!st && s->valued) st = wgdn_pack_finish(r->p, &to, "value", err);
    wgdn_tape_close(&from);
    wgdn_tape_close(&to);
    wgdn_scratch_drop(r->p->scratch, sums_name);
    if (!s->valued) wgdn_scratch_drop(r->p->scratch, "value");
    return st;
}

/* The runs to the files offset, column and value. */
static wgdn_status write_rows(wgdn_pack *p, wgdn_error *err)
{
    uint64_t unused;
    row_writer r = {.p = p,
                    .bits = p->bits.word ? &p->bits : NULL,
                    .pair = UINT64_MAX,
                    .symmetric = true,
                    .seen_row = -1};
    r.offset.fd = r.column.fd = r.value.fd = -1;
    p->state.valued = p->state.summed = 0;
    r.valued = p->state.weighted || (p->y->weight >= 0 && p->w->o->weights != WGDN_WEIGHTS_IGNORE);
    wgdn_status st = open_files(&r, err);
    if (!st) st = merge_runs(&r, err);
    if (!st) st = wgdn_pack_finish(p, &r.offset, "offset", err);
    if (!st) st = wgdn_pack_finish(p, &r.column, "column", err);
    const bool repeats = p->state.edges - p->state.loops > r.entries / 2;
    if (!st && r.valued) st = wgdn_tape_finish(&r.value, &unused, err);
    if (!st && r.valued && (p->state.weighted || repeats)) {
        p->state.summed = !r.symmetric;
        st = finish_values(&r, err);
    } else if (r.valued) { /* weights of 1, each edge once */
        wgdn_scratch_drop(p->scratch, sums_name);
    }
    p->state.entries = r.entries;
    p->state.both = r.both || p->state.loops > 0;
    wgdn_release(r.out);
    wgdn_tape_close(&r.value);
    wgdn_tape_close(&r.column);
    wgdn_tape_close(&r.offset);
    return st;
}

/* ---- ids of integers ---- */

/* 0, 1, 2, ... without a gap need no texts. */
static bool has_no_gap(const wgdn_bits *b)
{
    for (int64_t i = 0; i < b->count; i++)
        if (!wgdn_bits_get(b, i)) return false;
    return true;
}

static wgdn_status put_integers(wgdn_tape *start, wgdn_tape *text, const wgdn_bits *b,
                                wgdn_error *err)
{
    int64_t end = 0;
    wgdn_status st = wgdn_tape_put(start, &end, sizeof end, err);
    for (int64_t w = 0; w <= b->reach / 64 && !st; w++)
        for (uint64_t left = b->word[w]; left && !st; left &= left - 1) {
            char digits[WGDN_INDEX_TEXT];
            const size_t size = wgdn_print_index(digits, 64 * w + __builtin_ctzll(left));
            end += (int64_t)size;
            st = wgdn_tape_put(text, digits, size, err);
            if (!st) st = wgdn_tape_put(start, &end, sizeof end, err);
        }
    return st;
}

static wgdn_status write_integers(wgdn_pack *p, wgdn_error *err)
{
    wgdn_tape start = {.fd = -1}, text = {.fd = -1};
    p->state.named = !has_no_gap(&p->bits);
    if (!p->state.named) return WGDN_OK;
    wgdn_status st = wgdn_tape_create(&start, p->scratch, "ids.start", SMALL_BUFFER, err);
    if (!st) st = wgdn_tape_create(&text, p->scratch, "ids.text", SMALL_BUFFER, err);
    if (!st) st = put_integers(&start, &text, &p->bits, err);
    if (!st) st = wgdn_pack_finish(p, &start, "ids.start", err);
    if (!st) st = wgdn_pack_finish(p, &text, "ids.text", err);
    wgdn_tape_close(&start);
    wgdn_tape_close(&text);
    return st;
}

/* ---- the stage ---- */

/* How many nodes there are. */
static wgdn_status count_nodes(wgdn_pack *p, wgdn_error *err)
{
    if (p->state.mode == WGDN_PACK_INTEGERS) {
        if (!wgdn_bits_rank(&p->bits)) return wgdn_fail(err, WGDN_ENOMEM, "places of ids");
        p->state.nodes = p->bits.count;
    }
    if (p->state.nodes == 0)
        return wgdn_fail_in(err, WGDN_EFORMAT, p->in->name,
                            "no rows: expected at least one edge, or features that name nodes");
    if (p->state.nodes > p->w->o->max_nodes)
        return wgdn_edge_nodes_refuse(p->in->name, p->w->o->max_nodes, err);
    return WGDN_OK;
}

/* The runs to the files offset, column and value, and integers that occur to ids.start, ids.text. */
static wgdn_status pack_write_rows(wgdn_pack *p, wgdn_error *err)
{
    wgdn_status st = count_nodes(p, err);
    if (!st) st = write_rows(p, err);
    if (!st && p->state.mode == WGDN_PACK_INTEGERS) st = write_integers(p, err);
    if (st) return st;
    wgdn_pack_unlist(p, NULL);
    p->state.stage = WGDN_PACK_ROWS;
    st = wgdn_pack_save(p, err);
    if (!st) wgdn_scratch_drop(p->scratch, wgdn_runs_name);
    return st;
}

wgdn_status wgdn_pack_finish(wgdn_pack *p, wgdn_tape *t, const char *name, wgdn_error *err)
{
    wgdn_piece piece = {.bytes = t->size};
    const wgdn_status st = wgdn_tape_finish(t, &piece.hash, err);
    snprintf(piece.name, sizeof piece.name, "%s", name);
    return st ? st : wgdn_manifest_add(&p->manifest, &piece, err);
}

/* ---- the state ---- */

/* ---- resuming an earlier run ---- */

static uint64_t add_text(uint64_t hash, const char *text)
{
    return text ? XXH3_64bits_withSeed(text, strlen(text) + 1, hash) : hash * 31 + 7;
}

/* A digest of the input and of the options that change the result. */
static wgdn_status find_digest(uint64_t *digest, const wgdn_pack *p, wgdn_error *err)
{
    const wgdn_dataset_options *o = p->w->o;
    struct stat s;
    if (wgdn_system_stat(p->in->name, &s) != 0)
        return wgdn_fail_in(err, WGDN_EIO, p->in->name, "cannot be examined");
    const int64_t number[] = {(int64_t)s.st_size,
                              (int64_t)s.st_mtim.tv_sec,
                              (int64_t)s.st_mtim.tv_nsec,
                              (int64_t)s.st_ino,
                              o->header,
                              o->bipartite,
                              o->strict,
                              o->weights,
                              o->memory,
                              o->max_nodes,
                              o->max_entries,
                              p->w->array_rows};
    uint64_t hash = XXH3_64bits(number, sizeof number);
    for (const char *const *more = o->more; more && *more; more++) {
        if (wgdn_system_stat(*more, &s) != 0)
            return wgdn_fail(err, WGDN_EIO, "%s: cannot be examined", wgdn_show_name(*more).text);
        const int64_t other[] = {(int64_t)s.st_size, (int64_t)s.st_mtim.tv_sec,
                                 (int64_t)s.st_mtim.tv_nsec, (int64_t)s.st_ino};
        hash = XXH3_64bits_withSeed(other, sizeof other, hash);
    }
    const char *const text[] = {wgdn_version(), o->source,    o->target,
                                o->weight,      o->separator, o->decimal};
    for (size_t i = 0; i < sizeof text / sizeof *text; i++)
        hash = add_text(hash, text[i]);
    *digest = hash;
    return WGDN_OK;
}

/* Marks the nodes of a run; p->broken for a node that is out of range. */
static void check_records(void *user, const uint64_t *record, int64_t count, int words)
{
    wgdn_pack *const p = user;
    const int64_t reach = p->bits.word ? p->bits.reach : p->state.nodes;
    for (int64_t i = 0; i < count; i++) {
        const uint64_t key = record[i * words];
        const int64_t row = (int64_t)(key >> 32), column = (int64_t)(key & UINT32_MAX) >> 1;
        p->broken = p->broken || row >= reach || column >= reach;
        if (p->broken || !p->bits.word) continue;
        wgdn_bits_set(&p->bits, row);
        wgdn_bits_set(&p->bits, column);
    }
}

/* Whether a manifest's numbers can be those of a run over this input. */
static bool is_possible(const wgdn_pack_state *s, const wgdn_pack *p)
{
    const int64_t count[] = {s->at,   s->line,  s->edges,  s->loops, s->zeros, s->other_weights,
                             s->rows, s->nodes, s->entries};
    for (size_t i = 0; i < sizeof count / sizeof *count; i++)
        if (count[i] < 0 || count[i] > INT64_MAX / 16) return false;
    return s->stage >= WGDN_PACK_READING && s->stage <= WGDN_PACK_ROWS &&
           s->mode >= WGDN_PACK_INTEGERS && s->mode <= WGDN_PACK_TEXT &&
           s->at <= (int64_t)p->in->size && s->nodes <= p->w->o->max_nodes &&
           s->edges <= p->w->o->max_entries && s->header >= WGDN_HEADER_AUTO &&
           s->header <= WGDN_HEADER_YES && (s->stage < WGDN_PACK_ROWS || s->nodes > 0) &&
           (s->mode != WGDN_PACK_FIXED || s->nodes == p->w->array_rows);
}

/* The size and the hash of a file; false if it does not exist or cannot be read. */
static bool tape_digest(const wgdn_scratch *in, const char *name, int64_t *size, uint64_t *hash)
{
    enum { ROOM = 1 << 18 };
    wgdn_tape s;
    XXH3_state_t *sum = XXH3_createState();
    ssize_t got = -1;
    *size = 0;
    if (sum && !wgdn_tape_open(&s, in, name, ROOM, NULL)) {
        (void)XXH3_64bits_reset(sum);
        while ((got = wgdn_system_read(s.fd, s.buffer, s.room)) > 0) {
            (void)XXH3_64bits_update(sum, s.buffer, (size_t)got);
            *size += got;
        }
        *hash = XXH3_64bits_digest(sum);
    }
    if (sum) wgdn_tape_close(&s);
    (void)XXH3_freeState(sum);
    return got == 0;
}

/* Whether all files of the manifest are unchanged. */
static bool verify(wgdn_pack *p)
{
    bool good = true, runs = false;
    for (int64_t i = 0; i < p->manifest.pieces && good; i++) {
        const wgdn_piece *f = &p->manifest.piece[i];
        int64_t size = 0;
        uint64_t hash = 0;
        runs = runs || !f->name[0];
        if (f->name[0])
            good = tape_digest(p->scratch, f->name, &size, &hash) && size == f->bytes &&
                   hash == f->hash;
    }
    return good && (!runs || wgdn_sorter_verify(p->scratch, &p->manifest, check_records, p)) &&
           !p->broken;
}

static wgdn_status open_bits(wgdn_pack *p, wgdn_error *err)
{
    const int64_t reach = p->memory < INT32_MAX ? p->memory : INT32_MAX - 1;
    wgdn_bits_close(&p->bits);
    if (p->state.mode != WGDN_PACK_INTEGERS || wgdn_bits_open(&p->bits, reach)) return WGDN_OK;
    return wgdn_fail(err, WGDN_ENOMEM, "a bit for each id below %lld", (long long)reach);
}

wgdn_status wgdn_pack_restart(wgdn_pack *p, wgdn_pack_mode mode, wgdn_error *err)
{
    wgdn_scratch_clear(p->scratch);
    p->manifest.pieces = 0;
    p->state = (wgdn_pack_state){
        .mode = mode, .header = p->y->header, .inferred = p->y->inferred, .kinds = p->kinds};
    if (mode == WGDN_PACK_FIXED) p->state.nodes = p->w->array_rows;
    wgdn_edges_clear(&p->w->edges);
    p->alones = 0;
    return open_bits(p, err);
}

/* Ids that are in both columns are two nodes. */
static void set_kinds(wgdn_pack *p)
{
    p->kinds = p->y->bipartite = true;
    p->y->undecided = false;
}

/* Resumes where an earlier run of the same input and options stopped. */
static wgdn_status resume(wgdn_pack *p, wgdn_error *err)
{
    wgdn_status st = find_digest(&p->manifest.digest, p, err);
    if (st) return st;
    if (wgdn_manifest_load(&p->manifest, p->scratch)) {
        memcpy(&p->state, p->manifest.state, sizeof p->state);
        const bool possible = is_possible(&p->state, p);
        st = possible ? open_bits(p, err) : WGDN_OK;
        if (st) return st;
        p->resumed = possible && verify(p);
        if (p->resumed) {
            p->y->header = (wgdn_header)p->state.header;
            p->y->inferred = p->state.inferred != 0;
            if (p->y->inferred) st = wgdn_edge_layout_assign(p->y, p->in->name, p->w->o, err);
            if (p->state.kinds) set_kinds(p);
            return st;
        }
    }
    return wgdn_pack_restart(p, p->w->array_rows ? WGDN_PACK_FIXED : WGDN_PACK_INTEGERS, err);
}

/* ---- the stages ---- */

static wgdn_status read_runs(wgdn_pack *p, wgdn_error *err)
{
    wgdn_status st = WGDN_OK;
    if (p->state.mode != WGDN_PACK_TEXT) st = pack_read_integers(p, err);
    if (p->leave) {
        p->leave = false;
        st = wgdn_pack_restart(p, WGDN_PACK_TEXT, err);
    }
    if (!st && p->state.mode == WGDN_PACK_TEXT) st = wgdn_pack_read_text(p, err);
    char name[200];
    if (!st && wgdn_bytes_changed(p->file, name, sizeof name))
        st = wgdn_fail_in(err, WGDN_EIO, p->in->name, "was changed while it was read; start again");
    if (st) return st;
    p->state.stage = WGDN_PACK_SORTED;
    return wgdn_pack_save(p, err);
}

static wgdn_status read_all(wgdn_pack *p, wgdn_error *err)
{
    wgdn_status st = WGDN_OK;
    if (p->state.stage < WGDN_PACK_SORTED) st = read_runs(p, err);
    return st || p->state.stage >= WGDN_PACK_ROWS ? st : pack_write_rows(p, err);
}

/* ---- the result ---- */

static wgdn_status map_file(const void **out, wgdn_pack *p, const char *name, int64_t size,
                            wgdn_error *err)
{
    wgdn_bytes b = {0};
    wgdn_status st = wgdn_scratch_map(&b, p->scratch, name, err);
    *out = b.data;
    if (!st && b.size != (size_t)size)
        st = wgdn_fail(err, WGDN_EFORMAT, "%s/%s: %zu bytes, expected %lld; start again",
                       p->scratch->folder, name, b.size, (long long)size);
    if (!st) st = wgdn_archive_keep(&p->w->d->archive, &b, err);
    wgdn_bytes_free(&b);
    return st;
}

/* Files of an earlier run are checked like a packed dataset. */
static wgdn_status check_graph(const wgdn_pack *p, const wgdn_csr *a, wgdn_error *err)
{
    const char *name = p->scratch->folder;
    wgdn_status st = wgdn_rows_check(a, p->state.entries, "graph", name, err);
    if (!st && a->value) st = wgdn_weights_check(a->value, p->state.entries, name, err);
    return st ? st : wgdn_symmetry_check(a, name, err);
}

static wgdn_status make_graph(wgdn_pack *p, wgdn_error *err)
{
    wgdn_dataset *const d = p->w->d;
    const void *offset = NULL, *column = NULL, *value = NULL;
    d->archive.sparing = true;
    const int64_t rows = p->state.nodes, entries = p->state.entries;
    wgdn_status st = map_file(&offset, p, "offset", 8 * (rows + 1), err);
    if (!st) st = map_file(&column, p, "column", 4 * entries, err);
    if (!st && p->state.valued) st = map_file(&value, p, "value", 4 * entries, err);
    const wgdn_csr a = {.rows = rows,
                        .cols = rows,
                        .offset = (int64_t *)(uintptr_t)offset,
                        .column = (int32_t *)(uintptr_t)column,
                        .value = (float *)(uintptr_t)value};
    if (!st && p->resumed) st = check_graph(p, &a, err);
    if (!st) st = wgdn_graph_from_rows(&d->graph, &a, true, err);
    wgdn_archive_forget(&d->archive);
    return st;
}

static wgdn_status make_ids(wgdn_pack *p, wgdn_error *err)
{
    wgdn_dataset *const d = p->w->d;
    const void *start = NULL, *text = NULL;
    const int64_t nodes = p->state.nodes;
    if (!p->state.named) return WGDN_OK;
    wgdn_status st = map_file(&start, p, "ids.start", 8 * (nodes + 1), err);
    const int64_t *const at = start;
    if (!st) st = map_file(&text, p, "ids.text", at[nodes], err);
    for (int64_t i = 0; i < nodes && p->resumed && !st; i++)
        if (at[0] != 0 || at[i] > at[i + 1] || at[i + 1] > at[nodes])
            st = wgdn_fail(err, WGDN_EFORMAT, "%s/ids.start: id %lld is out of order; start again",
                           p->scratch->folder, (long long)i);
    if (st) return st;
    d->named = true;
    wgdn_ids_borrow(&d->ids, p->state.nodes, start, text);
    d->ids.numeric = p->state.named == 1;
    return p->w->o->labels || p->w->o->splits ? wgdn_ids_index(&d->ids, err) : WGDN_OK;
}

static wgdn_status make_dataset(wgdn_pack *p, wgdn_error *err)
{
    const wgdn_pack_state *s = &p->state;
    wgdn_dataset *const d = p->w->d;
    d->nodes = s->nodes;
    wgdn_status st = make_graph(p, err);
    if (!st) st = make_ids(p, err);
    if (st) return st;
    d->summed = s->summed != 0;
    d->weight_range[0] = s->valued ? s->range[0] : 1;
    d->weight_range[1] = s->valued ? s->range[1] : 1;
    d->counts.edges_read = s->edges + s->zeros;
    d->counts.self_loops = s->loops;
    d->counts.repeats = s->edges - s->loops - s->entries / 2;
    d->counts.zero_weights = s->zeros;
    d->counts.other_weights = s->other_weights;
    p->w->edges.count = s->edges; /* for remarks; the edges themselves are gone */
    p->w->edges.zero_weights = s->zeros;
    p->w->edges.dropped = s->dropped;
    p->w->ids.count = s->nodes;
    p->w->streamed = true;
    return WGDN_OK;
}

wgdn_status wgdn_edge_pack(wgdn_draft *w, const wgdn_input *in, const wgdn_bytes *file,
                           wgdn_edge_layout *y, wgdn_error *err)
{
    wgdn_pack p = {.w = w, .in = in, .file = file, .y = y, .memory = w->o->memory};
    p.scratch = w->d->scratch;
    p.quiet = *in;
    p.quiet.watch = (wgdn_watch){0};
    p.sorter.fd = -1;
    wgdn_status st = WGDN_OK;
    if (!p.scratch) st = wgdn_scratch_open(&p.scratch, w->o->scratch, in->name, err);
    w->d->scratch = p.scratch; /* goes with the dataset, whatever becomes of it */
    if (!st) st = resume(&p, err);
    if (!st) st = read_all(&p, err);
    if (!st && y->undecided && p.state.both) { /* once more, with names of two kinds */
        set_kinds(&p);
        st = wgdn_pack_restart(&p, WGDN_PACK_TEXT, err);
        if (!st) st = read_all(&p, err);
    }
    wgdn_bits_close(&p.bits);
    wgdn_release(p.alone);
    wgdn_edges_free(&w->edges);
    wgdn_alloc_trim();
    if (!st) st = make_dataset(&p, err);
    if (st == WGDN_ESTOPPED) { /* the same command resumes here */
        wgdn_scratch_close(w->d->scratch);
        w->d->scratch = NULL;
    }
    wgdn_manifest_free(&p.manifest);
    return st;
}
