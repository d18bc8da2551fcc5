/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads edge lists that do not fit in memory into sorted runs of entries. edge_list_rows.c drives
 * it and merges the runs; ids that are not small integers go through edge_list_ids.c.
 */
#include "edge_list_pack.h"
#include "edge_list_rows.h"
#include "io/compression.h"
#include "io/file_kind.h"

#include <string.h>

/* Writes the integers that occur as the texts of the nodes' ids. */

enum { BUFFER = 1 << 16 };

/* 0, 1, 2, ... without a gap need no texts. */
static bool plain(const wgdn_bits *b)
{
    for (int64_t i = 0; i < b->count; i++)
        if (!wgdn_bits_get(b, i)) return false;
    return true;
}

static wgdn_status put_ids(wgdn_tape *start, wgdn_tape *text, const wgdn_bits *b, wgdn_error *err)
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

wgdn_status wgdn_pack_integers(wgdn_pack *p, wgdn_error *err)
{
    wgdn_tape start = {.fd = -1}, text = {.fd = -1};
    p->state.named = !plain(&p->bits);
    if (!p->state.named) return WGDN_OK;
    wgdn_status st = wgdn_tape_create(&start, p->scratch, "ids.start", BUFFER, err);
    if (!st) st = wgdn_tape_create(&text, p->scratch, "ids.text", BUFFER, err);
    if (!st) st = put_ids(&start, &text, &p->bits, err);
    if (!st) st = wgdn_pack_finish(p, &start, "ids.start", err);
    if (!st) st = wgdn_pack_finish(p, &text, "ids.text", err);
    wgdn_tape_close(&start);
    wgdn_tape_close(&text);
    return st;
}

/* Turns an edge list with ids of any kind into runs of entries. */

enum {
    MOST = 64,
    LEAST_ROOM = 1 << 12,
    MOST_ROOM = 1 << 18,
    TIMES = 16,
    EDGE_PACK_TEXT_BUFFER = 1 << 16
};

/* As many buckets as make each one's table fit: sixteen times the text is more than that is. */
static wgdn_status open_ids(wgdn_pack_ids *d, wgdn_pack *p, wgdn_error *err)
{
    *d = (wgdn_pack_ids){.p = p, .buckets = 1};
    d->tag.fd = d->weight.fd = -1;
    while (d->buckets < MOST && (int64_t)p->in->size / d->buckets > p->memory / TIMES)
        d->buckets *= 2;
    d->room = (size_t)p->memory / 4 / (size_t)d->buckets;
    if (d->room < LEAST_ROOM) d->room = LEAST_ROOM;
    if (d->room > MOST_ROOM) d->room = MOST_ROOM;
    d->count = wgdn_alloc_zero((size_t)d->buckets, sizeof *d->count);
    d->tape = wgdn_alloc_zero((size_t)d->buckets, sizeof *d->tape);
    d->other = wgdn_alloc_zero((size_t)d->buckets, sizeof *d->other);
    d->third = wgdn_alloc_zero((size_t)d->buckets, sizeof *d->third);
    if (d->count && d->tape && d->other && d->third) return WGDN_OK;
    return wgdn_fail(err, WGDN_ENOMEM, "%d buckets of ids", d->buckets);
}

static void close_ids(wgdn_pack_ids *d)
{
    wgdn_release(d->third);
    wgdn_release(d->other);
    wgdn_release(d->tape);
    wgdn_release(d->count);
}

/* ---- second pass over the rows, as numbers ---- */

static wgdn_status take_end(wgdn_pack_ids *d, int32_t *end, wgdn_error *err)
{
    uint16_t bucket = 0;
    const wgdn_status st = wgdn_tape_take(&d->tag, &bucket, sizeof bucket, err);
    return st ? st : wgdn_tape_take(&d->tape[bucket & (d->buckets - 1)], end, sizeof *end, err);
}

typedef wgdn_status visit(void *user, int32_t u, int32_t v, float weight, wgdn_error *err);

static bool is_node(const wgdn_pack_ids *d, int32_t end)
{
    return end >= 0 && end < d->p->state.nodes;
}

/* Every row in turn; weight 0: no edge. */
static wgdn_status walk(wgdn_pack_ids *d, visit *see, void *user, wgdn_error *err)
{
    const wgdn_scratch *s = d->p->scratch;
    wgdn_status st = wgdn_tape_open(&d->tag, s, "tag", EDGE_PACK_TEXT_BUFFER, err);
    if (!st) st = wgdn_buckets_open(d->tape, d, "end", false, err);
    if (!st && d->p->state.has_weights)
        st = wgdn_tape_open(&d->weight, s, "weight", EDGE_PACK_TEXT_BUFFER, err);
    for (int64_t r = 0; r < d->p->state.rows && !st; r++) {
        int32_t end[2];
        float weight = 1;
        st = take_end(d, &end[0], err);
        if (!st) st = take_end(d, &end[1], err);
        if (!st && d->p->state.has_weights)
            st = wgdn_tape_take(&d->weight, &weight, sizeof weight, err);
        if (!st && !(is_node(d, end[0]) && is_node(d, end[1])))
            st = wgdn_fail(err, WGDN_EFORMAT, "%s: names a node that is not there; start again",
                           d->p->scratch->folder);
        if (!st) st = see(user, end[0], end[1], weight, err);
    }
    wgdn_tape_close(&d->weight);
    wgdn_buckets_close(d->tape, d);
    wgdn_tape_close(&d->tag);
    return st;
}

/* Nodes have their numbers already: one without edges needs no entry. */
static wgdn_status sort_edge(void *user, int32_t u, int32_t v, float weight, wgdn_error *err)
{
    wgdn_pack *const p = user;
    wgdn_status st = WGDN_OK;
    if (weight == 0) return WGDN_OK;
    p->state.loops += u == v;
    if (u == v) return WGDN_OK;
    if (!wgdn_sorter_fits(&p->sorter, 2)) st = wgdn_sorter_flush(&p->sorter, err);
    wgdn_pack_edge(&p->sorter, u, v, weight);
    return st;
}

static wgdn_status sort_edges(wgdn_pack_ids *d, wgdn_error *err)
{
    wgdn_pack *const p = d->p;
    wgdn_status st =
        wgdn_sorter_open(&p->sorter, p->scratch, &p->manifest, (size_t)p->memory / 8 * 5, err);
    p->sorter.threads = wgdn_threads_count(p->w->o->threads);
    p->sorter.words = p->state.weighted ? 2 : 1;
    if (!st) st = walk(d, sort_edge, p, err);
    if (!st) st = wgdn_sorter_finish(&p->sorter, err);
    wgdn_sorter_close(&p->sorter);
    return st;
}

/* ---- row 1: a header or an edge ---- */

/*
 * The rule of edge_list.c: row 1 is a header if it is the one edge whose two ids appear nowhere
 * else.
 */
typedef struct stranger {
    wgdn_bits once, more;
    int64_t row, alone;
    bool first;
} stranger;

static void count_id(stranger *s, int32_t id)
{
    wgdn_bits_set(wgdn_bits_get(&s->once, id) ? &s->more : &s->once, id);
}

static wgdn_status count_ids(void *user, int32_t u, int32_t v, float weight, wgdn_error *err)
{
    (void)weight;
    (void)err;
    count_id(user, u);
    count_id(user, v);
    return WGDN_OK;
}

static wgdn_status look_at(void *user, int32_t u, int32_t v, float weight, wgdn_error *err)
{
    stranger *const s = user;
    const bool alone = !wgdn_bits_get(&s->more, u) && !wgdn_bits_get(&s->more, v);
    (void)weight;
    (void)err;
    s->alone += alone;
    if (s->row++ == 0) s->first = alone;
    return WGDN_OK;
}

static wgdn_status settle_header(wgdn_pack_ids *d, bool *names, wgdn_error *err)
{
    enum { ENOUGH = 10 };
    const wgdn_pack_state *state = &d->p->state;
    stranger s = {.row = 0};
    *names = false;
    if (state->edges < ENOUGH || state->zeros > 0) return WGDN_OK;
    wgdn_status st =
        wgdn_bits_open(&s.once, state->nodes) && wgdn_bits_open(&s.more, state->nodes)
            ? WGDN_OK
            : wgdn_fail(err, WGDN_ENOMEM, "edges: %lld nodes", (long long)state->nodes);
    if (!st) st = walk(d, count_ids, &s, err);
    if (!st) st = walk(d, look_at, &s, err);
    *names = s.first && s.alone == 1;
    wgdn_bits_close(&s.more);
    wgdn_bits_close(&s.once);
    return st;
}

/* ---- the stages; an interrupted run resumes at each of them ---- */

static wgdn_status split(wgdn_pack_ids *d, wgdn_error *err)
{
    wgdn_status st = wgdn_ids_split(d, err);
    d->p->state.stage = WGDN_PACK_SPLIT;
    return st ? st : wgdn_pack_save(d->p, err);
}

static wgdn_status number(wgdn_pack_ids *d, bool *names, wgdn_error *err)
{
    wgdn_pack *const p = d->p;
    wgdn_status st = wgdn_ids_gather(d, err);
    if (!st) st = wgdn_ids_number(d, err);
    if (!st) st = wgdn_ids_resolve(d, err);
    if (!st && p->y->header == WGDN_HEADER_AUTO) {
        st = settle_header(d, names, err);
        p->y->header = *names ? WGDN_HEADER_YES : WGDN_HEADER_NO;
        p->y->inferred = *names;
    }
    if (st || *names) return st;
    p->state.header = p->y->header;
    p->state.stage = WGDN_PACK_NUMBERED;
    wgdn_pack_unlist(p, "text");
    st = wgdn_pack_save(p, err);
    wgdn_buckets_drop(d, "text");
    return st;
}

static wgdn_status sort(wgdn_pack_ids *d, wgdn_error *err)
{
    wgdn_pack *const p = d->p;
    wgdn_status st = sort_edges(d, err);
    wgdn_pack_unlist(p, "end");
    wgdn_pack_unlist(p, "tag");
    wgdn_pack_unlist(p, "weight");
    p->state.stage = WGDN_PACK_SORTED;
    if (!st) st = wgdn_pack_save(p, err);
    wgdn_buckets_drop(d, "end");
    wgdn_scratch_drop(p->scratch, "tag");
    wgdn_scratch_drop(p->scratch, "weight");
    return st;
}

wgdn_status wgdn_pack_read_text(wgdn_pack *p, wgdn_error *err)
{
    wgdn_pack_ids d;
    bool names = false;
    wgdn_status st = open_ids(&d, p, err);
    if (!st && p->state.stage < WGDN_PACK_SPLIT) st = split(&d, err);
    if (!st && p->state.stage < WGDN_PACK_NUMBERED) st = number(&d, &names, err);
    if (!st && !names) st = sort(&d, err);
    close_ids(&d);
    if (st || !names) return st;
    st = wgdn_edge_layout_assign(p->y, p->in->name, p->w->o, err); /* without its two nodes */
    if (!st) st = wgdn_pack_anew(p, WGDN_PACK_TEXT, err);
    return st ? st : wgdn_pack_read_text(p, err);
}

/* Turns chunks of an edge list whose ids are small integers into runs of entries. */

static const int64_t longest_slab = (int64_t)1 << 26, shortest_slab = (int64_t)1 << 14;
static const int64_t longest_line = (int64_t)1 << 16;

/* Integers below this are taken as they are. */
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

/* A node whose edge is not there. */
static wgdn_status keep_alone(wgdn_pack *p, int64_t node, wgdn_error *err)
{
    if (!wgdn_grow(&p->alone, &p->alone_room, p->alones + 1, sizeof *p->alone))
        return wgdn_fail(err, WGDN_ENOMEM, "edges of weight 0");
    p->alone[p->alones++] = (int32_t)node;
    return WGDN_OK;
}

static wgdn_status take_batch(void *user, const wgdn_lines *l, const wgdn_edge_batch *b,
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
            st = keep_alone(p, end[s], err);
    }
    return st;
}

/* One slab into the draft's edges, as pairs of the integers. */
static wgdn_status read_slab(wgdn_pack *p, wgdn_lines *l, wgdn_error *err)
{
    wgdn_edges *const e = &p->w->edges;
    wgdn_lines part = *l;
    int32_t largest = 0;
    bool good = false;
    wgdn_status st = WGDN_OK;
    part.end = slab_end(p, l);
    if (!e->weight && p->y->columns > 1)
        st = wgdn_edge_list_pairs(e, &part, p->y, p->w->o->threads, &largest, &good, err);
    if (st) return st;
    if (good && largest < reach_of(p)) {
        l->at = part.end;
        l->next += e->count;
        return WGDN_OK;
    }
    e->count = 0;
    return wgdn_edge_rows_read(l, p->y, p->w, part.end, &(wgdn_edge_taker){take_batch, p}, err);
}

static void see(wgdn_pack *p, int64_t node)
{
    if (p->bits.word) wgdn_bits_set(&p->bits, node);
}

/* The block to runs, and word of it. */
static wgdn_status flush(wgdn_pack *p, wgdn_error *err)
{
    wgdn_status st = wgdn_sorter_flush(&p->sorter, err);
    if (!st) {
        memcpy(p->manifest.state, &p->saved, sizeof p->saved);
        st = wgdn_manifest_save(&p->manifest, p->scratch, err);
    }
    return st;
}

/* Room for more entries within a slab: such a run is of no use without the rest of the slab. */
static wgdn_status make_room(wgdn_pack *p, int64_t entries, wgdn_error *err)
{
    if (wgdn_sorter_fits(&p->sorter, entries)) return WGDN_OK;
    p->torn = true;
    return wgdn_sorter_flush(&p->sorter, err);
}

/* A run ends before a slab, from where one can go on. */
static wgdn_status end_run(wgdn_pack *p, wgdn_error *err)
{
    const wgdn_edges *e = &p->w->edges;
    wgdn_sorter *const s = &p->sorter;
    const int words = e->weight ? 2 : 1;
    wgdn_status st = WGDN_OK;
    if (s->filled && (words != s->words || !wgdn_sorter_fits(s, 2 * e->count + p->alones)))
        st = flush(p, err);
    if (!s->filled) s->words = words;
    return st;
}

/* The slab's edges to entries. */
static wgdn_status drain(wgdn_pack *p, wgdn_error *err)
{
    wgdn_edges *const e = &p->w->edges;
    wgdn_status st = end_run(p, err);
    for (int64_t k = 0; k < e->count && !st; k++) {
        const int64_t u = e->end[2 * k], v = e->end[2 * k + 1];
        st = make_room(p, 2, err);
        wgdn_pack_edge(&p->sorter, u, v, e->weight ? e->weight[k] : 1);
        p->state.loops += u == v;
        see(p, u);
        see(p, v);
    }
    for (int64_t k = 0; k < p->alones && !st; k++) {
        st = make_room(p, 1, err);
        wgdn_pack_edge(&p->sorter, p->alone[k], p->alone[k], 1);
        see(p, p->alone[k]);
    }
    p->state.edges += e->count;
    e->max -= e->count;
    e->count = p->alones = 0;
    return st;
}

static void note_state(wgdn_pack *p, const wgdn_lines *l)
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
            wgdn_error_set(err, st, "%s: more than %lld edges, the most allowed here",
                           wgdn_show_name(l->name).text, (long long)p->w->o->max_entries);
        if (!st) st = drain(p, err);
        note_state(p, l);
        p->saved = p->state;
        if (!st && p->torn) st = flush(p, err);
        p->torn = false;
        wgdn_bytes_forget(p->file, (size_t)from, (size_t)p->state.at);
        if (!st) st = wgdn_pack_tell(p, 0.5 * (double)p->state.at / (double)size, err);
    }
    return st;
}

/* Where to begin: behind the header, or where an earlier run stopped. */
static wgdn_status begin(wgdn_pack *p, wgdn_lines *l, wgdn_error *err)
{
    wgdn_edges *const e = &p->w->edges;
    bool more;
    wgdn_status st = WGDN_OK;
    e->max = p->w->o->max_entries - p->state.edges;
    e->zero_weights = p->state.zeros;
    e->other_weights = p->state.other_weights;
    e->dropped = p->state.dropped;
    wgdn_lines_open(l, p->in);
    l->watch = (wgdn_watch){0};
    if (p->state.at > 0) {
        l->at = l->start + p->state.at;
        l->next = p->state.line;
        if (p->state.weighted && !wgdn_grow(&e->weight, &e->weight_room, 1, sizeof *e->weight))
            st = wgdn_fail(err, WGDN_ENOMEM, "weights of edges");
    } else if (p->y->header == WGDN_HEADER_YES) {
        st = wgdn_lines_next(l, &more, err);
    }
    note_state(p, l);
    p->saved = p->state;
    return st;
}

wgdn_status wgdn_pack_read(wgdn_pack *p, wgdn_error *err)
{
    wgdn_lines l = {0};
    wgdn_status st =
        wgdn_sorter_open(&p->sorter, p->scratch, &p->manifest, (size_t)p->memory / 8 * 5, err);
    p->sorter.threads = wgdn_threads_count(p->w->o->threads);
    if (!st) st = begin(p, &l, err);
    if (!st) st = read_text(p, &l, err);
    if (!st) st = wgdn_sorter_finish(&p->sorter, err);
    wgdn_sorter_close(&p->sorter);
    wgdn_lines_close(&l);
    return st;
}

/* Opens the text of an edge list: as it is, or decompressed into the scratch folder. */

enum { EDGE_PACK_SOURCE_BUFFER = 1 << 18, RATIO = 4 }; /* text packs four times and better */

static const size_t DISK_MAX = (size_t)1 << 40;

static const char text_name[] = "text";

static wgdn_status put(void *user, const void *data, size_t size, wgdn_error *err)
{
    return wgdn_tape_put(user, data, size, err);
}

static wgdn_status unpack(wgdn_source *s, wgdn_draft *w, const wgdn_packing *packing,
                          const wgdn_bytes *raw, wgdn_error *err)
{
    const char *path = raw->name;
    wgdn_tape to = {.fd = -1};
    uint64_t unused;
    wgdn_status st = wgdn_scratch_open(&w->d->scratch, w->o->scratch, path, err);
    if (st) return st;
    st = wgdn_tape_create(&to, w->d->scratch, text_name, EDGE_PACK_SOURCE_BUFFER, err);
    if (!st)
        st = wgdn_unpack_to(&(wgdn_sink){put, &to}, packing, raw,
                            w->o->max_bytes > 0 ? (size_t)w->o->max_bytes : DISK_MAX, err);
    if (!st) st = wgdn_tape_finish(&to, &unused, err);
    wgdn_tape_close(&to);
    if (!st) st = wgdn_scratch_map(&s->file, w->d->scratch, text_name, err);
    s->file.name = s->name = path;
    s->data = s->file.data;
    s->size = s->file.size;
    return st ? st : wgdn_foreign_refuse(s->data, s->size, path, err);
}

wgdn_status wgdn_pack_source(wgdn_source *s, wgdn_draft *w, const char *path, wgdn_error *err)
{
    wgdn_bytes raw = {0};
    const wgdn_packing *packing = NULL;
    *s = (wgdn_source){.name = path};
    if (w->o->memory > 0 && wgdn_path_is_file(path)) {
        const wgdn_status st = wgdn_bytes_map(&raw, path, err);
        if (st) return st;
        packing = wgdn_packing_of(raw.data, raw.size);
    }
    const bool needed = packing && wgdn_pack_needed(w->o, RATIO * (int64_t)raw.size);
    wgdn_status st = WGDN_OK;
    if (needed) st = unpack(s, w, packing, &raw, err);
    wgdn_bytes_free(&raw);
    if (needed && st) wgdn_source_free(s);
    return needed ? st : wgdn_source_read(s, path, w->o->max_bytes, err);
}
