/* SPDX-License-Identifier: Apache-2.0 */
/* Which number each bucket's ids have in the whole: by first appearance, or by value. */
#include "edge_pack_text.h"

#include <string.h>

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
    if (!st) st = wgdn_buckets_finish(d->other, d, "node", err);
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
