/* SPDX-License-Identifier: Apache-2.0 */
/* Bucket by bucket: the different ids of one, and later the numbers of its ends. */
#include "edge_pack_text.h"

#include <string.h>

enum { BATCH = 256 };

/* A bucket's texts, in memory. */
typedef struct bucket {
    wgdn_bytes file;
    size_t at;
} bucket;

/* The next ones; how many. */
static int64_t take_texts(bucket *b, wgdn_text id[BATCH])
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
static wgdn_status number_ends(wgdn_ids *ids, wgdn_tape *local, bucket *b, bool numeric,
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
    const wgdn_bucket_name from = wgdn_bucket_name_of("text", k);
    wgdn_tape local = {.fd = -1}, distinct = {.fd = -1};
    uint64_t unused;
    wgdn_ids ids;
    bucket b = {.at = 0};
    wgdn_status st = wgdn_scratch_map(&b.file, s, from.text, err);
    wgdn_ids_open(&ids, INT32_MAX);
    if (!st) st = wgdn_tape_create(&local, s, wgdn_bucket_name_of("local", k).text, d->room, err);
    if (!st) st = wgdn_tape_create(&distinct, s, wgdn_bucket_name_of("id", k).text, d->room, err);
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

/* ---- numbers within the bucket to numbers in the whole ---- */

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
    const wgdn_bucket_name local = wgdn_bucket_name_of("local", k);
    const wgdn_bucket_name end = wgdn_bucket_name_of("end", k);
    const wgdn_bucket_name node_name = wgdn_bucket_name_of("node", k);
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
