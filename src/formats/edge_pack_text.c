/* SPDX-License-Identifier: Apache-2.0 */
/* An edge list with ids of any kind, to runs of entries. */
#include "edge_pack_text.h"

enum { MOST = 64, LEAST_ROOM = 1 << 12, MOST_ROOM = 1 << 18, TIMES = 16, BUFFER = 1 << 16 };

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

/* ---- the rows once more, as numbers ---- */

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
    wgdn_status st = wgdn_tape_open(&d->tag, s, "tag", BUFFER, err);
    if (!st) st = wgdn_buckets_open(d->tape, d, "end", false, err);
    if (!st && d->p->state.has_weights) st = wgdn_tape_open(&d->weight, s, "weight", BUFFER, err);
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

/* ---- row 1: names, or an edge ---- */

/* As edge_list_read.c decides it: the one edge whose two ids are nowhere else. */
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

/* ---- the stages, each of which a run that was killed goes on from ---- */

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
