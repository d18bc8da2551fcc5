/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Numbers node ids with bounded memory: rows are split into buckets by the hash of their ids, and
 * each bucket is numbered in memory. The out-of-core reader in edge_list_pack.c calls it for ids
 * that are not small integers.
 */
#include "edge_list_pack.h"

#include <stdio.h>
#include <string.h>
#include <xxhash.h>

/* Splits rows into buckets of ids, with one tape for each bucket. */

static wgdn_bucket_name bucket_name_of(const char *kind, int bucket)
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
        const wgdn_bucket_name name = bucket_name_of(kind, b);
        st = (writing ? wgdn_tape_create : wgdn_tape_open)(&tape[b], d->p->scratch, name.text,
                                                           d->room, err);
    }
    return st;
}

/* Written, and listed. */
static wgdn_status buckets_finish(wgdn_tape *tape, const wgdn_pack_ids *d, const char *kind,
                                  wgdn_error *err)
{
    wgdn_status st = WGDN_OK;
    for (int b = 0; b < d->buckets && !st; b++)
        st = wgdn_pack_finish(d->p, &tape[b], bucket_name_of(kind, b).text, err);
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
        wgdn_scratch_drop(d->p->scratch, bucket_name_of(kind, b).text);
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
    if (!st) st = buckets_finish(d->tape, d, "text", err);
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

/* Reads bucket by bucket the distinct ids of each and, later, the numbers of its ends. */

enum { BATCH = 256 };

/* A bucket's texts, in memory. */
typedef struct id_bucket {
    wgdn_bytes file;
    size_t at;
} id_bucket;

/* The next ones; how many. */
static int64_t take_texts(id_bucket *b, wgdn_text id[BATCH])
{
    int64_t count = 0;
    while (count < BATCH && b->at + sizeof(uint16_t) <= b->file.size) {
        uint16_t size;
        memcpy(&size, b->file.data + b->at, sizeof size);
        b->at += sizeof size;
        if (size > b->file.size - b->at) break; /* somebody has cut it */
        id[count++] = wgdn_text_of(b->file.data + b->at, size);
        b->at += size;
    }
    return count;
}

/* The numbers of all ends within the bucket, and the table of its ids. */
static wgdn_status number_ends(wgdn_ids *ids, wgdn_tape *local, id_bucket *b, bool numeric,
                               wgdn_error *err)
{
    wgdn_text id[BATCH];
    int32_t index[BATCH], *rank = NULL;
    wgdn_status st = WGDN_OK;
    for (int64_t count; !st && (count = take_texts(b, id)) > 0;) {
        st = wgdn_ids_add(ids, id, count, index, err);
        if (!st && !numeric) st = wgdn_tape_put(local, index, (size_t)count * sizeof *index, err);
    }
    if (st || !numeric) return st;
    st = wgdn_ids_sort(ids, &rank, err);
    wgdn_release(rank);
    b->at = 0;
    for (int64_t count; !st && (count = take_texts(b, id)) > 0;) {
        for (int64_t k = 0; k < count; k++)
            index[k] = (int32_t)wgdn_ids_find(ids, id[k]);
        st = wgdn_tape_put(local, index, (size_t)count * sizeof *index, err);
    }
    return st;
}

static wgdn_status put_ids(wgdn_tape *to, const wgdn_ids *ids, wgdn_error *err)
{
    wgdn_status st = WGDN_OK;
    for (int64_t i = 0; i < ids->count && !st; i++) {
        char buffer[WGDN_INDEX_TEXT];
        const wgdn_text id = wgdn_ids_text(ids, i, buffer);
        const uint16_t size = (uint16_t)id.size;
        st = wgdn_tape_put(to, &size, sizeof size, err);
        if (!st) st = wgdn_tape_put(to, id.at, id.size, err);
    }
    return st;
}

static wgdn_status gather(wgdn_pack_ids *d, int k, wgdn_error *err)
{
    const wgdn_scratch *s = d->p->scratch;
    const wgdn_bucket_name from = bucket_name_of("text", k);
    wgdn_tape local = {.fd = -1}, distinct = {.fd = -1};
    uint64_t unused;
    wgdn_ids ids;
    id_bucket b = {.at = 0};
    wgdn_status st = wgdn_scratch_map(&b.file, s, from.text, err);
    wgdn_ids_open(&ids, INT32_MAX);
    if (!st) st = wgdn_tape_create(&local, s, bucket_name_of("local", k).text, d->room, err);
    if (!st) st = wgdn_tape_create(&distinct, s, bucket_name_of("id", k).text, d->room, err);
    if (!st) st = number_ends(&ids, &local, &b, d->p->state.numeric != 0, err);
    if (!st) st = put_ids(&distinct, &ids, err);
    if (!st) st = wgdn_tape_finish(&local, &unused, err);
    if (!st) st = wgdn_tape_finish(&distinct, &unused, err);
    d->count[k] = ids.count;
    wgdn_ids_close(&ids);
    wgdn_tape_close(&distinct);
    wgdn_tape_close(&local);
    wgdn_bytes_free(&b.file);
    return st;
}

wgdn_status wgdn_ids_gather(wgdn_pack_ids *d, wgdn_error *err)
{
    wgdn_status st = WGDN_OK;
    for (int k = 0; k < d->buckets && !st; k++) {
        st = gather(d, k, err);
        if (!st) st = wgdn_pack_tell(d->p, 0.35 + 0.15 * (k + 1) / d->buckets, err);
    }
    return st;
}

/* ---- from numbers within a bucket to global numbers ---- */

static wgdn_status translate(wgdn_tape *to, wgdn_tape *from, int64_t ends, const int32_t *node,
                             int64_t nodes, wgdn_error *err)
{
    int32_t index[BATCH];
    wgdn_status st = WGDN_OK;
    while (ends > 0 && !st) {
        const int64_t count = ends < BATCH ? ends : BATCH;
        st = wgdn_tape_take(from, index, (size_t)count * sizeof *index, err);
        for (int64_t i = 0; i < count && !st; i++) {
            if (index[i] < 0 || index[i] >= nodes)
                return wgdn_fail(err, WGDN_EIO, "%s: was changed; start again", from->path);
            index[i] = node[index[i]];
        }
        if (!st) st = wgdn_tape_put(to, index, (size_t)count * sizeof *index, err);
        ends -= count;
    }
    return st;
}

static wgdn_status resolve(wgdn_pack_ids *d, int k, wgdn_error *err)
{
    const wgdn_scratch *s = d->p->scratch;
    const wgdn_bucket_name local = bucket_name_of("local", k);
    const wgdn_bucket_name end = bucket_name_of("end", k);
    const wgdn_bucket_name node_name = bucket_name_of("node", k);
    wgdn_tape from = {.fd = -1}, to = {.fd = -1}, nodes = {.fd = -1};
    int32_t *node = wgdn_alloc((size_t)d->count[k], sizeof *node);
    wgdn_status st =
        node ? WGDN_OK : wgdn_fail(err, WGDN_ENOMEM, "%lld ids", (long long)d->count[k]);
    if (!st) st = wgdn_tape_open(&nodes, s, node_name.text, d->room, err);
    if (!st) st = wgdn_tape_take(&nodes, node, (size_t)d->count[k] * sizeof *node, err);
    if (!st) st = wgdn_tape_open(&from, s, local.text, d->room, err);
    if (!st) st = wgdn_tape_create(&to, s, end.text, d->room, err);
    if (!st)
        st = translate(&to, &from, from.length / (int64_t)sizeof *node, node, d->count[k], err);
    if (!st) st = wgdn_pack_finish(d->p, &to, end.text, err);
    wgdn_tape_close(&nodes);
    wgdn_tape_close(&to);
    wgdn_tape_close(&from);
    wgdn_release(node);
    wgdn_scratch_drop(s, local.text);
    wgdn_scratch_drop(s, node_name.text);
    return st;
}

wgdn_status wgdn_ids_resolve(wgdn_pack_ids *d, wgdn_error *err)
{
    wgdn_status st = WGDN_OK;
    for (int k = 0; k < d->buckets && !st; k++)
        st = resolve(d, k, err);
    return st;
}

/* Assigns a global number to the ids of each bucket: by first appearance, or by value. */

enum { BUFFER = 1 << 16 };

typedef struct numbering {
    wgdn_pack_ids *d;
    wgdn_tape start, text;
    int64_t end; /* of the texts so far */
    int32_t next;
    bool plain; /* so far, ids are 0, 1, 2, ... */
    unsigned char *id;
} numbering;

static wgdn_status take_id(wgdn_tape *from, unsigned char *to, uint16_t *size, wgdn_error *err)
{
    const wgdn_status st = wgdn_tape_take(from, size, sizeof *size, err);
    return st ? st : wgdn_tape_take(from, to, *size, err);
}

/* The next number goes to an id of this bucket. */
static wgdn_status give(numbering *n, int bucket, const unsigned char *id, uint16_t size,
                        wgdn_error *err)
{
    int64_t value;
    n->end += size;
    n->plain = n->plain && wgdn_text_index(wgdn_text_of(id, size), &value) && value == n->next;
    wgdn_status st = wgdn_tape_put(&n->text, id, size, err);
    if (!st) st = wgdn_tape_put(&n->start, &n->end, sizeof n->end, err);
    if (!st) st = wgdn_tape_put(&n->d->other[bucket], &n->next, sizeof n->next, err);
    n->next++;
    return st;
}

/* A bucket's ids are numbered as they first appear: one with the next number is new. */
static wgdn_status by_appearance(numbering *n, wgdn_error *err)
{
    wgdn_pack_ids *const d = n->d;
    int64_t *seen = wgdn_alloc_zero((size_t)d->buckets, sizeof *seen);
    wgdn_status st = seen ? wgdn_tape_open(&d->tag, d->p->scratch, "tag", BUFFER, err)
                          : wgdn_fail(err, WGDN_ENOMEM, "buckets of ids");
    if (!st) st = wgdn_buckets_open(d->third, d, "local", false, err);
    for (int64_t k = 0; k < 2 * d->p->state.rows && !st; k++) {
        uint16_t bucket = 0, size;
        int32_t local;
        st = wgdn_tape_take(&d->tag, &bucket, sizeof bucket, err);
        bucket &= (uint16_t)(d->buckets - 1);
        if (!st) st = wgdn_tape_take(&d->third[bucket], &local, sizeof local, err);
        if (st || local != seen[bucket]) continue;
        seen[bucket]++;
        st = take_id(&d->tape[bucket], n->id, &size, err);
        if (!st) st = give(n, bucket, n->id, size, err);
    }
    wgdn_buckets_close(d->third, d);
    wgdn_tape_close(&d->tag);
    wgdn_release(seen);
    return st;
}

/* Digits without needless zeros: the longer one is the larger one. */
static bool is_less(const unsigned char *a, uint16_t a_size, const unsigned char *b,
                    uint16_t b_size)
{
    return a_size != b_size ? a_size < b_size : memcmp(a, b, a_size) < 0;
}

/* A bucket's ids are sorted: the least of the buckets' first ones is next. */
static wgdn_status by_value(numbering *n, wgdn_error *err)
{
    wgdn_pack_ids *const d = n->d;
    const size_t each = WGDN_ID_MAX;
    unsigned char *head = wgdn_alloc((size_t)d->buckets, each);
    uint16_t *size = wgdn_alloc_zero((size_t)d->buckets, sizeof *size);
    int64_t *left = wgdn_alloc((size_t)d->buckets, sizeof *left);
    wgdn_status st = head && size && left ? WGDN_OK : wgdn_fail(err, WGDN_ENOMEM, "buckets of ids");
    for (int b = 0; b < d->buckets && !st; b++) {
        left[b] = d->count[b];
        if (left[b]) st = take_id(&d->tape[b], head + (size_t)b * each, &size[b], err);
    }
    while (!st) {
        int least = -1;
        for (int b = 0; b < d->buckets; b++)
            if (left[b] && (least < 0 || is_less(head + (size_t)b * each, size[b],
                                                 head + (size_t)least * each, size[least])))
                least = b;
        if (least < 0) break;
        unsigned char *const at = head + (size_t)least * each;
        st = give(n, least, at, size[least], err);
        if (!st && --left[least]) st = take_id(&d->tape[least], at, &size[least], err);
    }
    wgdn_release(left);
    wgdn_release(size);
    wgdn_release(head);
    return st;
}

static wgdn_status check_count(const wgdn_pack_ids *d, wgdn_error *err)
{
    int64_t all = 0;
    for (int b = 0; b < d->buckets; b++)
        all += d->count[b];
    if (all <= d->p->w->o->max_nodes) return WGDN_OK;
    return wgdn_fail(err, WGDN_ERANGE, "%s: more than %lld different nodes, the most allowed here",
                     wgdn_show_name(d->p->in->name).text, (long long)d->p->w->o->max_nodes);
}

wgdn_status wgdn_ids_number(wgdn_pack_ids *d, wgdn_error *err)
{
    wgdn_pack *const p = d->p;
    numbering n = {.d = d, .plain = true};
    n.start.fd = n.text.fd = -1;
    n.id = wgdn_alloc(WGDN_ID_MAX, 1);
    wgdn_status st = n.id ? check_count(d, err) : wgdn_fail(err, WGDN_ENOMEM, "an id");
    if (!st) st = wgdn_tape_create(&n.start, p->scratch, "ids.start", BUFFER, err);
    if (!st) st = wgdn_tape_create(&n.text, p->scratch, "ids.text", BUFFER, err);
    if (!st) st = wgdn_tape_put(&n.start, &n.end, sizeof n.end, err);
    if (!st) st = wgdn_buckets_open(d->tape, d, "id", false, err);
    if (!st) st = wgdn_buckets_open(d->other, d, "node", true, err);
    if (!st) st = p->state.numeric ? by_value(&n, err) : by_appearance(&n, err);
    if (!st) st = buckets_finish(d->other, d, "node", err);
    wgdn_pack_unlist(p, "node");
    p->state.nodes = n.next;
    p->state.named = n.plain ? 0 : p->state.numeric ? 1 : 2;
    if (!st && !n.plain) st = wgdn_pack_finish(p, &n.start, "ids.start", err);
    if (!st && !n.plain) st = wgdn_pack_finish(p, &n.text, "ids.text", err);
    wgdn_buckets_close(d->other, d);
    wgdn_buckets_close(d->tape, d);
    wgdn_buckets_drop(d, "id");
    wgdn_tape_close(&n.text);
    wgdn_tape_close(&n.start);
    wgdn_release(n.id);
    return st;
}
