/* SPDX-License-Identifier: Apache-2.0 */
#include "ids.h"

#include <stdlib.h>
#include <string.h>

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

static wgdn_status no_memory(const wgdn_ids *ids, wgdn_error *err)
{
    return wgdn_fail(err, WGDN_ENOMEM, "ids: sorting %lld", (long long)ids->count);
}

static bool ascending(const wgdn_ids *ids)
{
    for (int64_t i = 1; i < ids->count; i++)
        if (ids->value[i] < ids->value[i - 1]) return false;
    return true;
}

/* The table of integers is sorted as it stands: walk over it. */
static void sort_direct(wgdn_ids *ids, int32_t *rank)
{
    int32_t next = 0;
    for (int64_t v = 0; v < ids->reach; v++) {
        if (!ids->index[v]) continue;
        rank[ids->index[v] - 1] = next;
        ids->value[next] = v;
        ids->index[v] = ++next;
    }
}

static wgdn_status sort_text(wgdn_ids *ids, int32_t *rank, wgdn_error *err)
{
    wgdn_status st = WGDN_OK;
    wgdn_ids sorted;
    numbered *list = wgdn_alloc((size_t)ids->count, sizeof *list);
    wgdn_ids_open(&sorted, ids->max);
    if (!list) return no_memory(ids, err);
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
    if (!r) return no_memory(ids, err);
    if (ids->direct)
        sort_direct(ids, r);
    else
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
        return wgdn_fail(err, WGDN_ERANGE,
                         "ids: %lld different ones; the most allowed here are %lld",
                         (long long)count, (long long)ids->max);
    ids->index = wgdn_alloc_zero((size_t)reach, sizeof *ids->index);
    ids->value = wgdn_alloc((size_t)count, sizeof *ids->value);
    if (!ids->index || !ids->value) return no_memory(ids, err);
    for (int64_t v = 0; v < reach; v++) {
        if (!present[v]) continue;
        ids->value[ids->count] = v;
        ids->index[v] = (int32_t)++ids->count;
    }
    ids->reach = reach;
    ids->value_room = count;
    return WGDN_OK;
}
