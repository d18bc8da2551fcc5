/* SPDX-License-Identifier: Apache-2.0 */
/* Slabs of an edge list whose ids are small integers, to runs of entries. */
#include "edge_pack.h"

#include <string.h>

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
