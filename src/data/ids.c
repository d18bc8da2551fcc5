/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Maps node ids to numbers from 0 to n - 1, with a table for small integers and a hash table for
 * other texts. It also sorts the different texts of labels into classes.
 */
#include "ids.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

/* 16 bytes: four to a cache line. place = start << 16 | length of the text; index -1 is empty. */
struct wgdn_id_slot {
    uint64_t place;
    uint32_t tag; /* hash bits that do not choose the slot */
    int32_t index;
};

enum { BATCH = 256 };

static wgdn_status no_memory(const wgdn_ids *ids, wgdn_error *err)
{
    return wgdn_fail(err, WGDN_ENOMEM, "ids: a table of more than %lld", (long long)ids->count);
}

static wgdn_status too_many(const wgdn_ids *ids, wgdn_error *err)
{
    return wgdn_fail(err, WGDN_ERANGE, "ids: more than %lld different ones, the maximum allowed",
                     (long long)ids->max);
}

wgdn_status wgdn_ids_open_fixed(wgdn_ids *ids, int64_t count, int64_t first, wgdn_error *err)
{
    wgdn_ids_open(ids, count);
    ids->index = wgdn_alloc_zero((size_t)(first + count), sizeof *ids->index);
    ids->value = wgdn_alloc((size_t)count, sizeof *ids->value);
    if (!ids->index || !ids->value) {
        wgdn_ids_close(ids);
        return no_memory(ids, err);
    }
    for (int64_t i = 0; i < count; i++) {
        ids->index[first + i] = (int32_t)(i + 1);
        ids->value[i] = first + i;
    }
    ids->count = ids->value_room = count;
    ids->reach = first + count;
    ids->fixed = true;
    return WGDN_OK;
}

/* ---- text and hash ---- */

/* Seeded: whoever writes a file cannot choose ids that meet in one slot. */
static uint64_t hash_of(wgdn_text id)
{
    return XXH3_64bits_withSeed(id.at, id.size, wgdn_hash_seed());
}

static int64_t probe(const wgdn_ids *ids, wgdn_text id, uint64_t hash)
{
    const int64_t mask = ids->slots - 1;
    const uint32_t tag = (uint32_t)(hash >> 32);
    int64_t at = (int64_t)hash & mask;
    for (;; at = (at + 1) & mask) {
        const wgdn_id_slot *s = &ids->slot[at];
        if (s->index < 0) return at;
        if (s->tag == tag && (s->place & 0xffff) == id.size &&
            memcmp(ids->text + (s->place >> 16), id.at, id.size) == 0)
            return at;
    }
}

static wgdn_status rehash(wgdn_ids *ids, int64_t slots, wgdn_error *err)
{
    wgdn_id_slot *old = ids->slot, *fresh = wgdn_alloc((size_t)slots, sizeof *fresh);
    if (!fresh) return no_memory(ids, err);
    memset(fresh, 0xff, (size_t)slots * sizeof *fresh);
    for (int64_t i = 0; i < ids->slots; i++) {
        if (old[i].index < 0) continue;
        const unsigned char *text = ids->text + (old[i].place >> 16);
        int64_t at = (int64_t)hash_of(wgdn_text_of(text, old[i].place & 0xffff)) & (slots - 1);
        while (fresh[at].index >= 0)
            at = (at + 1) & (slots - 1);
        fresh[at] = old[i];
    }
    wgdn_release(old);
    ids->slot = fresh;
    ids->slots = slots;
    return WGDN_OK;
}

/* Makes room for more ids with a total of `bytes`, at half load at most. */
static wgdn_status reserve(wgdn_ids *ids, int64_t more, int64_t bytes, wgdn_error *err)
{
    const int64_t used = ids->start ? ids->start[ids->count] : 0;
    const bool fresh = !ids->start;
    int64_t slots =
        ids->slots ? ids->slots : 8; /* a table of 100,000 columns has as many of these */
    if (!wgdn_grow(&ids->start, &ids->start_room, ids->count + more + 1, sizeof *ids->start) ||
        !wgdn_grow(&ids->text, &ids->text_room, used + bytes + 1, 1))
        return no_memory(ids, err);
    if (fresh) ids->start[0] = 0;
    while (slots < 2 * (ids->count + more))
        slots *= 2;
    return slots > ids->slots ? rehash(ids, slots, err) : WGDN_OK;
}

static void insert(wgdn_ids *ids, int64_t at, wgdn_text id, uint64_t hash)
{
    const int64_t start = ids->start[ids->count];
    memcpy(ids->text + start, id.at, id.size);
    ids->slot[at] = (wgdn_id_slot){(uint64_t)start << 16 | id.size, (uint32_t)(hash >> 32),
                                   (int32_t)ids->count};
    ids->start[++ids->count] = start + (int64_t)id.size;
}

static wgdn_status add_text(wgdn_ids *ids, const wgdn_text *id, int64_t count, int32_t *out,
                            wgdn_error *err)
{
    uint64_t hash[BATCH];
    int64_t bytes = 0;
    for (int64_t k = 0; k < count; k++)
        bytes += id[k].size <= WGDN_ID_MAX ? (int64_t)id[k].size : 0;
    const wgdn_status st = reserve(ids, count, bytes, err);
    if (st) return st;
    for (int64_t k = 0; k < count; k++) {
        hash[k] = hash_of(id[k]);
        __builtin_prefetch(&ids->slot[(int64_t)hash[k] & (ids->slots - 1)]);
    }
    for (int64_t k = 0; k < count; k++) {
        const wgdn_id_slot *s = &ids->slot[(int64_t)hash[k] & (ids->slots - 1)];
        if (s->index >= 0) __builtin_prefetch(ids->text + (s->place >> 16));
    }
    for (int64_t k = 0; k < count; k++) {
        out[k] = -1;
        if (id[k].size > WGDN_ID_MAX) continue;
        const int64_t at = probe(ids, id[k], hash[k]);
        if (ids->slot[at].index < 0) {
            if (ids->fixed) continue;
            if (ids->count >= ids->max) return too_many(ids, err);
            if (ids->numeric && !wgdn_ids_canonical(id[k])) ids->numeric = false;
            insert(ids, at, id[k], hash[k]);
        }
        out[k] = ids->slot[at].index;
    }
    return WGDN_OK;
}

/* ---- integers ---- */

/* Write out the integers as text; from here on the hash table serves. */
static wgdn_status leave_direct(wgdn_ids *ids, wgdn_error *err)
{
    const int64_t count = ids->count;
    ids->count = 0;
    const wgdn_status st = reserve(ids, count, count * WGDN_INDEX_TEXT, err);
    if (st) {
        ids->count = count;
        return st;
    }
    for (int64_t i = 0; i < count; i++) {
        char digits[WGDN_INDEX_TEXT];
        const wgdn_text id = wgdn_text_of(digits, wgdn_print_index(digits, ids->value[i]));
        const uint64_t hash = hash_of(id);
        insert(ids, probe(ids, id, hash), id, hash);
    }
    wgdn_release(ids->value);
    wgdn_release(ids->index);
    ids->value = NULL;
    ids->index = NULL;
    ids->value_room = ids->reach = 0;
    ids->direct = false;
    return WGDN_OK;
}

/* Let the table reach an integer, unless that would cost far more than the ids are worth. */
static wgdn_status extend(wgdn_ids *ids, int64_t value, bool *reached, wgdn_error *err)
{
    const int64_t old = ids->reach;
    *reached = wgdn_ids_near(value, ids->count);
    if (!*reached) return WGDN_OK;
    if (!wgdn_grow(&ids->index, &ids->reach, value < 1024 ? 1024 : value + 1, sizeof *ids->index))
        return no_memory(ids, err);
    memset(ids->index + old, 0, (size_t)(ids->reach - old) * sizeof *ids->index);
    return WGDN_OK;
}

/* As many as fit the table of integers; gives how many were done. */
static wgdn_status add_direct(wgdn_ids *ids, const wgdn_text *id, int64_t count, int32_t *out,
                              int64_t *done, wgdn_error *err)
{
    int64_t k = 0;
    wgdn_status st = WGDN_OK;
    if (!wgdn_grow(&ids->value, &ids->value_room, ids->count + count, sizeof *ids->value))
        st = no_memory(ids, err);
    for (; !st && k < count; k++) {
        int64_t value;
        bool reached = true;
        const bool integer = wgdn_text_index(id[k], &value);
        if (ids->fixed) {
            out[k] = integer && value < ids->reach ? ids->index[value] - 1 : -1;
            continue;
        }
        if (!integer) break;
        if (value >= ids->reach) st = extend(ids, value, &reached, err);
        if (st || !reached) break;
        if (!ids->index[value]) {
            if (ids->count >= ids->max) return too_many(ids, err);
            ids->value[ids->count] = value;
            ids->index[value] = (int32_t)++ids->count;
        }
        out[k] = ids->index[value] - 1;
    }
    *done = k;
    return st;
}

/* ---- borrowed texts ---- */

wgdn_status wgdn_ids_index(wgdn_ids *ids, wgdn_error *err)
{
    int64_t slots = 1024;
    while (slots < 2 * ids->count)
        slots *= 2;
    const wgdn_status st = rehash(ids, slots, err);
    for (int64_t i = 0; i < ids->count && !st; i++) {
        const wgdn_text id = wgdn_ids_text(ids, i, NULL);
        const uint64_t hash = hash_of(id);
        ids->slot[probe(ids, id, hash)] = (wgdn_id_slot){(uint64_t)ids->start[i] << 16 | id.size,
                                                         (uint32_t)(hash >> 32), (int32_t)i};
    }
    return st;
}

/* Without an index. */
static int64_t look_through(const wgdn_ids *ids, wgdn_text id)
{
    int64_t low = 0, high = ids->count;
    if (!ids->numeric) {
        while (low < high && wgdn_text_compare(wgdn_ids_text(ids, low, NULL), id) != 0)
            low++;
        return low < high ? low : -1;
    }
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        const wgdn_text t = wgdn_ids_text(ids, middle, NULL);
        const int order =
            t.size != id.size ? (t.size < id.size ? -1 : 1) : memcmp(t.at, id.at, id.size);
        if (order == 0) return middle;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return -1;
}

/* ---- both representations ---- */

wgdn_status wgdn_ids_add(wgdn_ids *ids, const wgdn_text *id, int64_t count, int32_t *out,
                         wgdn_error *err)
{
    wgdn_status st = WGDN_OK;
    for (int64_t k = 0; !st && k < count;) {
        const int64_t batch = count - k < BATCH ? count - k : BATCH;
        int64_t done = batch;
        if (ids->direct)
            st = add_direct(ids, id + k, batch, out + k, &done, err);
        else
            st = add_text(ids, id + k, batch, out + k, err);
        k += done;
        if (!st && done < batch) st = leave_direct(ids, err);
    }
    return st;
}

int64_t wgdn_ids_find(const wgdn_ids *ids, wgdn_text id)
{
    int64_t value;
    if (ids->direct)
        return wgdn_text_index(id, &value) && value < ids->reach ? ids->index[value] - 1 : -1;
    if (id.size > WGDN_ID_MAX) return -1;
    if (!ids->slots) return ids->borrowed ? look_through(ids, id) : -1;
    return ids->slot[probe(ids, id, hash_of(id))].index;
}

typedef struct numbered {
    wgdn_text text;
    int32_t index;
} numbered;

/* Digits without needless zeros: the longer one is the larger one. */
static int by_value(const void *a, const void *b)
{
    const wgdn_text x = ((const numbered *)a)->text, y = ((const numbered *)b)->text;
    if (x.size != y.size) return x.size < y.size ? -1 : 1;
    return memcmp(x.at, y.at, x.size);
}

static wgdn_status ids_sort_no_memory(const wgdn_ids *ids, wgdn_error *err)
{
    return wgdn_fail(err, WGDN_ENOMEM, "ids: sorting %lld", (long long)ids->count);
}

static bool ascending(const wgdn_ids *ids)
{
    for (int64_t i = 1; i < ids->count; i++)
        if (ids->value[i] < ids->value[i - 1]) return false;
    return true;
}

static wgdn_status sort_text(wgdn_ids *ids, int32_t *rank, wgdn_error *err)
{
    wgdn_status st = WGDN_OK;
    wgdn_ids sorted;
    numbered *list = wgdn_alloc((size_t)ids->count, sizeof *list);
    wgdn_ids_open(&sorted, ids->max);
    if (!list) return ids_sort_no_memory(ids, err);
    for (int64_t i = 0; i < ids->count; i++)
        list[i] = (numbered){wgdn_ids_text(ids, i, NULL), (int32_t)i};
    qsort(list, (size_t)ids->count, sizeof *list, by_value);
    for (int64_t i = 0; !st && i < ids->count; i++) {
        int32_t at;
        rank[list[i].index] = (int32_t)i;
        st = wgdn_ids_add(&sorted, &list[i].text, 1, &at, err);
    }
    if (!st) {
        wgdn_ids_close(ids);
        *ids = sorted;
    } else {
        wgdn_ids_close(&sorted);
    }
    wgdn_release(list);
    return st;
}

wgdn_status wgdn_ids_sort(wgdn_ids *ids, int32_t **rank, wgdn_error *err)
{
    wgdn_status st = WGDN_OK;
    *rank = NULL;
    if (!ids->numeric || ids->fixed || (ids->direct && ascending(ids))) return WGDN_OK;
    int32_t *r = wgdn_alloc((size_t)ids->count, sizeof *r);
    if (!r) return ids_sort_no_memory(ids, err);
    if (ids->direct) {
        /* The table of integers is sorted as it stands: walk over it. */
        int32_t next = 0;
        for (int64_t v = 0; v < ids->reach; v++) {
            if (!ids->index[v]) continue;
            r[ids->index[v] - 1] = next;
            ids->value[next] = v;
            ids->index[v] = ++next;
        }
    } else
        st = sort_text(ids, r, err);
    if (st)
        wgdn_release(r);
    else
        *rank = r;
    return st;
}

wgdn_status wgdn_ids_from_present(wgdn_ids *ids, const unsigned char *present, int64_t reach,
                                  wgdn_error *err)
{
    int64_t count = 0;
    for (int64_t v = 0; v < reach; v++)
        count += present[v];
    if (count > ids->max)
        return wgdn_fail(err, WGDN_ERANGE, "ids: %lld different ones; the maximum allowed is %lld",
                         (long long)count, (long long)ids->max);
    ids->index = wgdn_alloc_zero((size_t)reach, sizeof *ids->index);
    ids->value = wgdn_alloc((size_t)count, sizeof *ids->value);
    if (!ids->index || !ids->value) return ids_sort_no_memory(ids, err);
    for (int64_t v = 0; v < reach; v++) {
        if (!present[v]) continue;
        ids->value[ids->count] = v;
        ids->index[v] = (int32_t)++ids->count;
    }
    ids->reach = reach;
    ids->value_room = count;
    return WGDN_OK;
}

/* ---- texts in a row, and classes ---- */

typedef struct named {
    wgdn_text text;
    int64_t value;
    double number;
    int32_t index;
    char digits[WGDN_INDEX_TEXT];
} named;

wgdn_status wgdn_names_from(wgdn_names *n, const wgdn_text *text, int64_t count, wgdn_error *err)
{
    size_t bytes = 0, used = 0;
    for (int64_t i = 0; i < count; i++)
        bytes += text[i].size;
    *n = (wgdn_names){.count = count};
    n->start = wgdn_alloc((size_t)count + 1, sizeof *n->start);
    n->text = wgdn_alloc(bytes, 1);
    if (!n->start || !n->text) {
        wgdn_names_free(n);
        return wgdn_fail(err, WGDN_ENOMEM, "names: %lld of them", (long long)count);
    }
    for (int64_t i = 0; i < count; i++) {
        n->start[i] = (int64_t)used;
        if (text[i].size) memcpy(n->text + used, text[i].at, text[i].size);
        used += text[i].size;
    }
    n->start[count] = (int64_t)used;
    return WGDN_OK;
}

wgdn_status wgdn_names_read(wgdn_names *n, const wgdn_archive *a, const char *stem, int64_t count,
                            const char *path, const char *what, wgdn_error *err)
{
    char start_name[64], text_name[64];
    snprintf(start_name, sizeof start_name, "%s.start", stem);
    snprintf(text_name, sizeof text_name, "%s.text", stem);
    const wgdn_tensor *start =
        wgdn_archive_find_vector(a, start_name, WGDN_I64, count < 0 ? -1 : count + 1);
    const wgdn_tensor *text = wgdn_archive_find_vector(a, text_name, WGDN_U8, -1);
    bool good = start && text && start->shape[0] > 0;
    *n = (wgdn_names){0};
    if (good) {
        count = start->shape[0] - 1;
        *n = (wgdn_names){count, wgdn_alloc((size_t)count + 1, sizeof *n->start),
                          wgdn_alloc((size_t)text->shape[0], 1)};
        if (!n->start || !n->text) {
            wgdn_names_free(n);
            return wgdn_fail(err, WGDN_ENOMEM, "%s: %lld names", path, (long long)count);
        }
        memcpy(n->start, start->data, ((size_t)count + 1) * sizeof *n->start);
        if (text->shape[0]) memcpy(n->text, text->data, (size_t)text->shape[0]);
        good = n->start[0] == 0 && n->start[count] == text->shape[0];
        for (int64_t i = 0; good && i < count; i++)
            good = n->start[i] <= n->start[i + 1] && n->start[i + 1] - n->start[i] <= WGDN_ID_MAX;
        if (good) return WGDN_OK;
        wgdn_names_free(n);
    }
    return wgdn_fail(err, WGDN_EFORMAT, "%s: %s is missing or damaged", path, what);
}

static int by_integer(const void *a, const void *b)
{
    const int64_t x = ((const named *)a)->value, y = ((const named *)b)->value;
    if (x != y) return x < y ? -1 : 1;
    return wgdn_text_compare(((const named *)a)->text, ((const named *)b)->text);
}

static int by_number(const void *a, const void *b)
{
    const double x = ((const named *)a)->number, y = ((const named *)b)->number;
    if (x != y) return x < y ? -1 : 1;
    return wgdn_text_compare(((const named *)a)->text, ((const named *)b)->text);
}

static int by_bytes(const void *a, const void *b)
{
    return wgdn_text_compare(((const named *)a)->text, ((const named *)b)->text);
}

wgdn_status wgdn_classes_sort(wgdn_names *names, int32_t *label, int64_t count, const wgdn_ids *ids,
                              wgdn_error *err)
{
    wgdn_status st = WGDN_OK;
    bool integers = true, numbers = true;
    named *list = wgdn_alloc((size_t)ids->count, sizeof *list);
    wgdn_text *text = wgdn_alloc((size_t)ids->count, sizeof *text);
    int32_t *rank = wgdn_alloc((size_t)ids->count, sizeof *rank);
    if (!list || !text || !rank) {
        st = wgdn_fail(err, WGDN_ENOMEM, "labels: %lld classes", (long long)ids->count);
        goto done;
    }
    for (int64_t i = 0; i < ids->count; i++) {
        list[i].text = wgdn_ids_text(ids, i, list[i].digits);
        list[i].index = (int32_t)i;
        if (!wgdn_text_integer(list[i].text, &list[i].value)) integers = false;
        if (!wgdn_text_number(list[i].text, &list[i].number) || isnan(list[i].number))
            numbers = false;
        if (ids->direct) list[i].text.at = NULL; /* moves with the element: see below */
    }
    if (ids->direct)
        qsort(list, (size_t)ids->count, sizeof *list, by_integer);
    else
        qsort(list, (size_t)ids->count, sizeof *list,
              integers  ? by_integer
              : numbers ? by_number
                        : by_bytes);
    for (int64_t i = 0; i < ids->count; i++) {
        if (ids->direct) list[i].text.at = (const unsigned char *)list[i].digits;
        rank[list[i].index] = (int32_t)i;
        text[i] = list[i].text;
    }
    st = wgdn_names_from(names, text, ids->count, err);
    for (int64_t k = 0; !st && k < count; k++)
        if (label[k] >= 0) label[k] = rank[label[k]];

done:
    wgdn_release(rank);
    wgdn_release(text);
    wgdn_release(list);
    return st;
}
