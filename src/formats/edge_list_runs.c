/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Turns an edge list that does not fit in memory into sorted runs of entries and merges these into
 * the rows of the graph. Slabs of the text become records (edge_list_records.c) and entries, both
 * directions of every edge. Ids that are small integers keep their values until the merge; other ids
 * have their numbers already (edge_list_ids.c).
 */
#include "edge_list.h"
#include "edge_list_pack.h"

#include <string.h>

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
            wgdn_error_in(err, st, l->name, "more than %lld edges, the most allowed here",
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

wgdn_status wgdn_pack_read_integers(wgdn_pack *p, wgdn_error *err)
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

wgdn_status wgdn_pack_write_rows(wgdn_pack *p, wgdn_error *err)
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
