/* SPDX-License-Identifier: Apache-2.0 */
/* Rows to buckets of ids; a tape for each bucket. */
#include "edge_pack_text.h"

#include <stdio.h>
#include <xxhash.h>

wgdn_bucket_name wgdn_bucket_name_of(const char *kind, int bucket)
{
    wgdn_bucket_name name;
    snprintf(name.text, sizeof name.text, "%.12s-%d", kind, bucket);
    return name;
}

wgdn_status wgdn_buckets_open(wgdn_tape *tape, const wgdn_pack_ids *d, const char *kind,
                              bool writing, wgdn_error *err)
{
    wgdn_status st = WGDN_OK;
    for (int b = 0; b < d->buckets && !st; b++) {
        const wgdn_bucket_name name = wgdn_bucket_name_of(kind, b);
        st = (writing ? wgdn_tape_create : wgdn_tape_open)(&tape[b], d->p->scratch, name.text,
                                                           d->room, err);
    }
    return st;
}

wgdn_status wgdn_buckets_finish(wgdn_tape *tape, const wgdn_pack_ids *d, const char *kind,
                                wgdn_error *err)
{
    wgdn_status st = WGDN_OK;
    for (int b = 0; b < d->buckets && !st; b++)
        st = wgdn_pack_finish(d->p, &tape[b], wgdn_bucket_name_of(kind, b).text, err);
    return st;
}

void wgdn_buckets_close(wgdn_tape *tape, const wgdn_pack_ids *d)
{
    for (int b = 0; tape && b < d->buckets; b++)
        wgdn_tape_close(&tape[b]);
}

void wgdn_buckets_drop(const wgdn_pack_ids *d, const char *kind)
{
    for (int b = 0; b < d->buckets; b++)
        wgdn_scratch_drop(d->p->scratch, wgdn_bucket_name_of(kind, b).text);
}

/* ---- rows ---- */

static wgdn_status put_id(wgdn_pack_ids *d, wgdn_text id, wgdn_error *err)
{
    const uint64_t hash = XXH3_64bits_withSeed(id.at, id.size, wgdn_hash_seed());
    const uint16_t bucket = (uint16_t)(hash >> 40 & (unsigned)(d->buckets - 1));
    const uint16_t size = (uint16_t)id.size;
    wgdn_tape *const to = &d->tape[bucket];
    d->p->state.numeric = d->p->state.numeric && wgdn_ids_canonical(id);
    wgdn_status st = wgdn_tape_put(&d->tag, &bucket, sizeof bucket, err);
    if (!st) st = wgdn_tape_put(to, &size, sizeof size, err);
    return st ? st : wgdn_tape_put(to, id.at, id.size, err);
}

/* What counts of its weight is found as for edges in memory; 0: there is no edge. */
static wgdn_status put_weight(wgdn_pack_ids *d, double given, const char *name, wgdn_error *err)
{
    wgdn_edges *const e = &d->p->w->edges;
    float weight = 0;
    const wgdn_status st = wgdn_edges_add(e, 0, 0, given, name, err);
    if (st) return st;
    if (e->count) weight = e->weight ? e->weight[e->count - 1] : 1;
    d->p->state.edges += e->count;
    e->max -= e->count;
    e->count = 0;
    return d->p->state.has_weights ? wgdn_tape_put(&d->weight, &weight, sizeof weight, err)
                                   : WGDN_OK;
}

static wgdn_status take_batch(void *user, const wgdn_lines *l, const wgdn_edge_batch *b,
                              wgdn_error *err)
{
    wgdn_pack_ids *const d = user;
    wgdn_status st = WGDN_OK;
    for (int64_t r = 0; r < b->rows && !st; r++) {
        for (int s = 0; s < 2 && !st; s++) {
            if (b->id[2 * r + s].size > WGDN_ID_MAX)
                return wgdn_edge_refuse(l, b, 2 * r + s, 0, err);
            st = put_id(d, b->id[2 * r + s], err);
        }
        d->p->w->edges.line = b->line[r];
        if (!st) st = put_weight(d, b->weight[r], l->name, err);
        d->p->state.rows++;
    }
    if (st == WGDN_ERANGE)
        wgdn_error_set(err, st, "%s: more than %lld edges, the most allowed here",
                       wgdn_show_name(l->name).text, (long long)d->p->w->o->max_entries);
    return st;
}

static wgdn_status read_rows(wgdn_pack_ids *d, wgdn_lines *l, wgdn_error *err)
{
    const wgdn_pack *p = d->p;
    const int64_t slab = (int64_t)1 << 20, size = l->end - l->start;
    wgdn_status st = WGDN_OK;
    bool more;
    if (p->y->header == WGDN_HEADER_YES) st = wgdn_lines_next(l, &more, err);
    while (l->at < l->end && !st) {
        const int64_t from = l->at - l->start;
        const unsigned char *stop = l->end - l->at > slab ? l->at + slab : l->end;
        st = wgdn_edge_rows_read(l, p->y, p->w, stop, &(wgdn_edge_taker){take_batch, d}, err);
        wgdn_bytes_forget(p->file, (size_t)from, (size_t)(l->at - l->start));
        if (!st) st = wgdn_pack_tell(p, 0.35 * (double)(l->at - l->start) / (double)size, err);
    }
    return st;
}

wgdn_status wgdn_ids_split(wgdn_pack_ids *d, wgdn_error *err)
{
    wgdn_pack *const p = d->p;
    wgdn_lines l = {0};
    p->state.numeric = 1;
    p->state.has_weights = p->y->weight >= 0;
    p->w->edges.max = p->w->o->max_entries;
    wgdn_lines_open(&l, p->in);
    l.watch = (wgdn_watch){0};
    wgdn_status st = wgdn_buckets_open(d->tape, d, "text", true, err);
    if (!st) st = wgdn_tape_create(&d->tag, p->scratch, "tag", d->room, err);
    if (!st && p->state.has_weights)
        st = wgdn_tape_create(&d->weight, p->scratch, "weight", d->room, err);
    if (!st) st = read_rows(d, &l, err);
    if (!st) st = wgdn_buckets_finish(d->tape, d, "text", err);
    if (!st) st = wgdn_pack_finish(p, &d->tag, "tag", err);
    if (!st && p->state.has_weights) st = wgdn_pack_finish(p, &d->weight, "weight", err);
    p->state.zeros = p->w->edges.zero_weights;
    p->state.other_weights = p->w->edges.other_weights;
    p->state.dropped = p->w->edges.dropped;
    p->state.weighted = p->w->edges.weight != NULL;
    wgdn_tape_close(&d->weight);
    wgdn_tape_close(&d->tag);
    wgdn_buckets_close(d->tape, d);
    wgdn_lines_close(&l);
    return st;
}
