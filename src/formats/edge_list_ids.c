/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Numbers ids of any kind with bounded memory, for edge lists that do not fit in memory. Every end
 * of every row goes to a bucket by the hash of its id, and its bucket's number to the file of tags.
 * A bucket's ids fit into memory: they are numbered within it. Following the tags, the first
 * appearance of each then gives its number in the whole; where all ids are integers, the buckets'
 * sorted ids are merged instead. A second pass over each bucket turns its numbers into those, and
 * following the tags once more gives all ends in the order of the rows. Every file is read from
 * start to end.
 */
#include "edge_list.h"

#include <stdio.h>
#include <string.h>
#include <xxhash.h>

enum {
    BUCKETS_MAX = 64,
    ROOM_MIN = 1 << 12, /* bytes of a bucket's buffer */
    ROOM_MAX = 1 << 18,
    TEXT_TIMES = 16, /* a bucket's table takes less than so many times its text */
    BUFFER = 1 << 16,
    BATCH = 256
};

/* A file for each bucket. */
typedef struct bucket_files {
    wgdn_tape of[BUCKETS_MAX];
} bucket_files;

typedef struct id_buckets {
    wgdn_pack *p;
    int buckets;
    size_t room;                /* bytes of a bucket's buffer */
    int64_t count[BUCKETS_MAX]; /* different ids of each */
    wgdn_tape tag, weight;
    bucket_files ends, nodes, locals;
} id_buckets;

/* KIND-BUCKET. */
typedef struct bucket_name {
    char text[24];
} bucket_name;
static bucket_name bucket_name_of(const char *kind, int bucket)
{
    bucket_name name;
    snprintf(name.text, sizeof name.text, "%.12s-%d", kind, bucket);
    return name;
}

static wgdn_status open_files(bucket_files *f, const id_buckets *d, const char *kind, bool writing,
                              wgdn_error *err)
{
    wgdn_status st = WGDN_OK;
    for (int b = 0; b < d->buckets && !st; b++) {
        const bucket_name name = bucket_name_of(kind, b);
        st = (writing ? wgdn_tape_create : wgdn_tape_open)(&f->of[b], d->p->scratch, name.text,
                                                           d->room, err);
    }
    return st;
}

/* Finishes the files of all buckets and lists them in the manifest. */
static wgdn_status finish_files(bucket_files *f, const id_buckets *d, const char *kind,
                                wgdn_error *err)
{
    wgdn_status st = WGDN_OK;
    for (int b = 0; b < d->buckets && !st; b++)
        st = wgdn_pack_finish(d->p, &f->of[b], bucket_name_of(kind, b).text, err);
    return st;
}

static void close_files(bucket_files *f, const id_buckets *d)
{
    for (int b = 0; b < d->buckets; b++)
        wgdn_tape_close(&f->of[b]);
}

static void drop_files(const id_buckets *d, const char *kind)
{
    for (int b = 0; b < d->buckets; b++)
        wgdn_scratch_drop(d->p->scratch, bucket_name_of(kind, b).text);
}

/* ---- rows ---- */

static wgdn_status put_id(id_buckets *d, wgdn_text id, wgdn_error *err)
{
    const uint64_t hash = XXH3_64bits_withSeed(id.at, id.size, wgdn_hash_seed());
    const uint16_t bucket = (uint16_t)(hash >> 40 & (unsigned)(d->buckets - 1));
    const uint16_t size = (uint16_t)id.size;
    wgdn_tape *const to = &d->ends.of[bucket];
    d->p->state.numeric = d->p->state.numeric && wgdn_ids_canonical(id);
    wgdn_status st = wgdn_tape_put(&d->tag, &bucket, sizeof bucket, err);
    if (!st) st = wgdn_tape_put(to, &size, sizeof size, err);
    return st ? st : wgdn_tape_put(to, id.at, id.size, err);
}

/* Stores the weight that an edge in memory would get; 0 if the row is no edge. */
static wgdn_status put_weight(id_buckets *d, double given, const char *name, wgdn_error *err)
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

static wgdn_status add_batch(void *user, const wgdn_lines *l, const wgdn_edge_batch *b,
                             wgdn_error *err)
{
    id_buckets *const d = user;
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
        wgdn_error_in(err, st, l->name, "more than %lld edges, the maximum allowed",
                      (long long)d->p->w->o->max_entries);
    return st;
}

static wgdn_status read_rows(id_buckets *d, wgdn_lines *l, wgdn_error *err)
{
    const wgdn_pack *p = d->p;
    const int64_t slab = (int64_t)1 << 20, size = l->end - l->start;
    wgdn_status st = WGDN_OK;
    while (l->at < l->end && !st) {
        const int64_t from = l->at - l->start;
        const unsigned char *stop = l->end - l->at > slab ? l->at + slab : l->end;
        st = wgdn_edge_rows_read(l, p->y, p->w, stop, &(wgdn_edge_sink){add_batch, d}, err);
        wgdn_bytes_forget(p->file, (size_t)from, (size_t)(l->at - l->start));
        if (!st) st = wgdn_pack_report(p, 0.35 * (double)(l->at - l->start) / (double)size, err);
    }
    return st;
}

static wgdn_status split_rows(id_buckets *d, wgdn_error *err)
{
    wgdn_pack *const p = d->p;
    wgdn_lines l = {0};
    p->state.numeric = 1;
    p->state.has_weights = p->y->weight >= 0;
    p->w->edges.max = p->w->o->max_entries;
    wgdn_status st = wgdn_edge_lines_open(&l, &p->quiet, p->y, err);
    if (!st) st = open_files(&d->ends, d, "text", true, err);
    if (!st) st = wgdn_tape_create(&d->tag, p->scratch, "tag", d->room, err);
    if (!st && p->state.has_weights)
        st = wgdn_tape_create(&d->weight, p->scratch, "weight", d->room, err);
    if (!st) st = read_rows(d, &l, err);
    if (!st) st = finish_files(&d->ends, d, "text", err);
    if (!st) st = wgdn_pack_finish(p, &d->tag, "tag", err);
    if (!st && p->state.has_weights) st = wgdn_pack_finish(p, &d->weight, "weight", err);
    p->state.zeros = p->w->edges.zero_weights;
    p->state.other_weights = p->w->edges.other_weights;
    p->state.dropped = p->w->edges.dropped;
    p->state.weighted = p->w->edges.weight != NULL;
    wgdn_tape_close(&d->weight);
    wgdn_tape_close(&d->tag);
    close_files(&d->ends, d);
    wgdn_lines_close(&l);
    p->state.stage = WGDN_PACK_SPLIT;
    return st ? st : wgdn_pack_save(p, err);
}

/* Reads bucket by bucket the distinct ids of each and, later, the numbers of its ends. */

/* A bucket's texts, in memory. */
typedef struct id_bucket {
    wgdn_bytes file;
    size_t at;
} id_bucket;

/* Reads the next ids; returns how many. */
static int64_t read_texts(id_bucket *b, wgdn_text id[BATCH])
{
    int64_t count = 0;
    while (count < BATCH && b->at + sizeof(uint16_t) <= b->file.size) {
        uint16_t size;
        memcpy(&size, b->file.data + b->at, sizeof size);
        b->at += sizeof size;
        if (size > b->file.size - b->at) break; /* the file was truncated */
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
    for (int64_t count; !st && (count = read_texts(b, id)) > 0;) {
        st = wgdn_ids_add(ids, id, count, index, err);
        if (!st && !numeric) st = wgdn_tape_put(local, index, (size_t)count * sizeof *index, err);
    }
    if (st || !numeric) return st;
    st = wgdn_ids_sort(ids, &rank, err);
    wgdn_release(rank);
    b->at = 0;
    for (int64_t count; !st && (count = read_texts(b, id)) > 0;) {
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

static wgdn_status gather_bucket(id_buckets *d, int k, wgdn_error *err)
{
    const wgdn_scratch *s = d->p->scratch;
    const bucket_name from = bucket_name_of("text", k);
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

static wgdn_status gather_ids(id_buckets *d, wgdn_error *err)
{
    wgdn_status st = WGDN_OK;
    for (int k = 0; k < d->buckets && !st; k++) {
        st = gather_bucket(d, k, err);
        if (!st) st = wgdn_pack_report(d->p, 0.35 + 0.15 * (k + 1) / d->buckets, err);
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

static wgdn_status resolve_bucket(id_buckets *d, int k, wgdn_error *err)
{
    const wgdn_scratch *s = d->p->scratch;
    const bucket_name local = bucket_name_of("local", k);
    const bucket_name end = bucket_name_of("end", k);
    const bucket_name node_name = bucket_name_of("node", k);
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

static wgdn_status resolve_ends(id_buckets *d, wgdn_error *err)
{
    wgdn_status st = WGDN_OK;
    for (int k = 0; k < d->buckets && !st; k++)
        st = resolve_bucket(d, k, err);
    return st;
}

/* Assigns a global number to the ids of each bucket: by first appearance, or by value. */

typedef struct numbering {
    id_buckets *d;
    wgdn_tape start, text;
    int64_t end; /* of the texts so far */
    int32_t next;
    bool plain; /* so far, ids are 0, 1, 2, ... */
    unsigned char *id;
} numbering;

static wgdn_status read_id(wgdn_tape *from, unsigned char *to, uint16_t *size, wgdn_error *err)
{
    const wgdn_status st = wgdn_tape_take(from, size, sizeof *size, err);
    return st ? st : wgdn_tape_take(from, to, *size, err);
}

/* Gives the next number to an id of this bucket. */
static wgdn_status assign_next(numbering *n, int bucket, const unsigned char *id, uint16_t size,
                               wgdn_error *err)
{
    int64_t value;
    n->end += size;
    n->plain = n->plain && wgdn_text_index(wgdn_text_of(id, size), &value) && value == n->next;
    wgdn_status st = wgdn_tape_put(&n->text, id, size, err);
    if (!st) st = wgdn_tape_put(&n->start, &n->end, sizeof n->end, err);
    if (!st) st = wgdn_tape_put(&n->d->nodes.of[bucket], &n->next, sizeof n->next, err);
    n->next++;
    return st;
}

/* A bucket's ids are numbered as they first appear: one with the next number is new. */
static wgdn_status number_by_appearance(numbering *n, wgdn_error *err)
{
    id_buckets *const d = n->d;
    int64_t *seen = wgdn_alloc_zero((size_t)d->buckets, sizeof *seen);
    wgdn_status st = seen ? wgdn_tape_open(&d->tag, d->p->scratch, "tag", BUFFER, err)
                          : wgdn_fail(err, WGDN_ENOMEM, "buckets of ids");
    if (!st) st = open_files(&d->locals, d, "local", false, err);
    for (int64_t k = 0; k < 2 * d->p->state.rows && !st; k++) {
        uint16_t bucket = 0, size;
        int32_t local;
        st = wgdn_tape_take(&d->tag, &bucket, sizeof bucket, err);
        bucket &= (uint16_t)(d->buckets - 1);
        if (!st) st = wgdn_tape_take(&d->locals.of[bucket], &local, sizeof local, err);
        if (st || local != seen[bucket]) continue;
        seen[bucket]++;
        st = read_id(&d->ends.of[bucket], n->id, &size, err);
        if (!st) st = assign_next(n, bucket, n->id, size, err);
    }
    close_files(&d->locals, d);
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
static wgdn_status number_by_value(numbering *n, wgdn_error *err)
{
    id_buckets *const d = n->d;
    const size_t each = WGDN_ID_MAX;
    unsigned char *head = wgdn_alloc((size_t)d->buckets, each);
    uint16_t *size = wgdn_alloc_zero((size_t)d->buckets, sizeof *size);
    int64_t *left = wgdn_alloc((size_t)d->buckets, sizeof *left);
    wgdn_status st = head && size && left ? WGDN_OK : wgdn_fail(err, WGDN_ENOMEM, "buckets of ids");
    for (int b = 0; b < d->buckets && !st; b++) {
        left[b] = d->count[b];
        if (left[b]) st = read_id(&d->ends.of[b], head + (size_t)b * each, &size[b], err);
    }
    while (!st) {
        int least = -1;
        for (int b = 0; b < d->buckets; b++)
            if (left[b] && (least < 0 || is_less(head + (size_t)b * each, size[b],
                                                 head + (size_t)least * each, size[least])))
                least = b;
        if (least < 0) break;
        unsigned char *const at = head + (size_t)least * each;
        st = assign_next(n, least, at, size[least], err);
        if (!st && --left[least]) st = read_id(&d->ends.of[least], at, &size[least], err);
    }
    wgdn_release(left);
    wgdn_release(size);
    wgdn_release(head);
    return st;
}

static wgdn_status check_count(const id_buckets *d, wgdn_error *err)
{
    int64_t all = 0;
    for (int b = 0; b < d->buckets; b++)
        all += d->count[b];
    if (all <= d->p->w->o->max_nodes) return WGDN_OK;
    return wgdn_edge_nodes_refuse(d->p->in->name, d->p->w->o->max_nodes, err);
}

static wgdn_status number_ids(id_buckets *d, wgdn_error *err)
{
    wgdn_pack *const p = d->p;
    numbering n = {.d = d, .plain = true};
    n.start.fd = n.text.fd = -1;
    n.id = wgdn_alloc(WGDN_ID_MAX, 1);
    wgdn_status st = n.id ? check_count(d, err) : wgdn_fail(err, WGDN_ENOMEM, "an id");
    if (!st) st = wgdn_tape_create(&n.start, p->scratch, "ids.start", BUFFER, err);
    if (!st) st = wgdn_tape_create(&n.text, p->scratch, "ids.text", BUFFER, err);
    if (!st) st = wgdn_tape_put(&n.start, &n.end, sizeof n.end, err);
    if (!st) st = open_files(&d->ends, d, "id", false, err);
    if (!st) st = open_files(&d->nodes, d, "node", true, err);
    if (!st) st = p->state.numeric ? number_by_value(&n, err) : number_by_appearance(&n, err);
    if (!st) st = finish_files(&d->nodes, d, "node", err);
    wgdn_pack_unlist(p, "node");
    p->state.nodes = n.next;
    p->state.named = n.plain ? 0 : p->state.numeric ? 1 : 2;
    if (!st && !n.plain) st = wgdn_pack_finish(p, &n.start, "ids.start", err);
    if (!st && !n.plain) st = wgdn_pack_finish(p, &n.text, "ids.text", err);
    close_files(&d->nodes, d);
    close_files(&d->ends, d);
    drop_files(d, "id");
    wgdn_tape_close(&n.text);
    wgdn_tape_close(&n.start);
    wgdn_release(n.id);
    return st;
}
/* As many buckets as make the table of each fit. */
static void plan_buckets(id_buckets *d, wgdn_pack *p)
{
    *d = (id_buckets){.p = p, .buckets = 1};
    d->tag.fd = d->weight.fd = -1;
    while (d->buckets < BUCKETS_MAX && (int64_t)p->in->size / d->buckets > p->memory / TEXT_TIMES)
        d->buckets *= 2;
    d->room = (size_t)p->memory / 4 / (size_t)d->buckets;
    if (d->room < ROOM_MIN) d->room = ROOM_MIN;
    if (d->room > ROOM_MAX) d->room = ROOM_MAX;
}

/* ---- second pass over the rows, as numbers ---- */

static wgdn_status read_end(id_buckets *d, int32_t *end, wgdn_error *err)
{
    uint16_t bucket = 0;
    const wgdn_status st = wgdn_tape_take(&d->tag, &bucket, sizeof bucket, err);
    return st ? st : wgdn_tape_take(&d->ends.of[bucket & (d->buckets - 1)], end, sizeof *end, err);
}

static bool is_node(const id_buckets *d, int32_t end)
{
    return end >= 0 && end < d->p->state.nodes;
}

/* Visits every row in order; weight 0: the row is no edge. */
static wgdn_status walk_rows(void *buckets, wgdn_edge_visit *visit, void *user, wgdn_error *err)
{
    id_buckets *const d = buckets;
    const wgdn_scratch *s = d->p->scratch;
    wgdn_status st = wgdn_tape_open(&d->tag, s, "tag", BUFFER, err);
    if (!st) st = open_files(&d->ends, d, "end", false, err);
    if (!st && d->p->state.has_weights) st = wgdn_tape_open(&d->weight, s, "weight", BUFFER, err);
    for (int64_t r = 0; r < d->p->state.rows && !st; r++) {
        int32_t end[2];
        float weight = 1;
        st = read_end(d, &end[0], err);
        if (!st) st = read_end(d, &end[1], err);
        if (!st && d->p->state.has_weights)
            st = wgdn_tape_take(&d->weight, &weight, sizeof weight, err);
        if (!st && !(is_node(d, end[0]) && is_node(d, end[1])))
            st = wgdn_fail(err, WGDN_EFORMAT, "%s: names a node that is not there; start again",
                           d->p->scratch->folder);
        if (!st) st = visit(user, end[0], end[1], weight, err);
    }
    wgdn_tape_close(&d->weight);
    close_files(&d->ends, d);
    wgdn_tape_close(&d->tag);
    return st;
}

/* A node without edges needs no entry, as nodes have their numbers. */
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

static wgdn_status sort_edges(id_buckets *d, wgdn_error *err)
{
    wgdn_pack *const p = d->p;
    wgdn_status st =
        wgdn_sorter_open(&p->sorter, p->scratch, &p->manifest, (size_t)p->memory / 8 * 5, err);
    p->sorter.threads = wgdn_threads_count(p->w->o->threads);
    p->sorter.words = p->state.weighted ? 2 : 1;
    if (!st) st = walk_rows(d, sort_edge, p, err);
    if (!st) st = wgdn_sorter_finish(&p->sorter, err);
    wgdn_sorter_close(&p->sorter);
    return st;
}

/* ---- the stages; an interrupted run resumes at each of them ---- */

static wgdn_status number_rows(id_buckets *d, bool *names, wgdn_error *err)
{
    wgdn_pack *const p = d->p;
    wgdn_status st = gather_ids(d, err);
    if (!st) st = number_ids(d, err);
    if (!st) st = resolve_ends(d, err);
    if (!st && p->y->header == WGDN_HEADER_AUTO) {
        if (wgdn_edge_header_possible(p->state.edges, p->state.zeros))
            st = wgdn_edge_header_find(names, walk_rows, d, p->state.nodes, err);
        p->y->header = *names ? WGDN_HEADER_YES : WGDN_HEADER_NO;
        p->y->inferred = *names;
    }
    if (st || *names) return st;
    p->state.header = p->y->header;
    p->state.stage = WGDN_PACK_NUMBERED;
    wgdn_pack_unlist(p, "text");
    st = wgdn_pack_save(p, err);
    drop_files(d, "text");
    return st;
}

static wgdn_status sort_rows(id_buckets *d, wgdn_error *err)
{
    wgdn_pack *const p = d->p;
    wgdn_status st = sort_edges(d, err);
    wgdn_pack_unlist(p, "end");
    wgdn_pack_unlist(p, "tag");
    wgdn_pack_unlist(p, "weight");
    p->state.stage = WGDN_PACK_SORTED;
    if (!st) st = wgdn_pack_save(p, err);
    drop_files(d, "end");
    wgdn_scratch_drop(p->scratch, "tag");
    wgdn_scratch_drop(p->scratch, "weight");
    return st;
}

wgdn_status wgdn_pack_read_text(wgdn_pack *p, wgdn_error *err)
{
    id_buckets d;
    bool names = false;
    wgdn_status st = WGDN_OK;
    plan_buckets(&d, p);
    if (p->state.stage < WGDN_PACK_SPLIT) st = split_rows(&d, err);
    if (!st && p->state.stage < WGDN_PACK_NUMBERED) st = number_rows(&d, &names, err);
    if (!st && !names) st = sort_rows(&d, err);
    if (st || !names) return st;
    st = wgdn_edge_layout_assign(p->y, p->in->name, p->w->o, err); /* without its two nodes */
    if (!st) st = wgdn_pack_restart(p, WGDN_PACK_TEXT, err);
    return st ? st : wgdn_pack_read_text(p, err);
}
