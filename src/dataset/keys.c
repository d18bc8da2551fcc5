/* SPDX-License-Identifier: Apache-2.0 */
#include "matrix.h"

#include <xxhash.h>

static uint64_t key_of(const wgdn_dataset *d, int64_t node)
{
    char buffer[WGDN_INDEX_TEXT];
    const wgdn_text id = wgdn_dataset_name(d, node, buffer);
    return XXH3_64bits(id.at, id.size);
}

/* Those of all nodes, from rank 0. */
static void share_keys(uint64_t *all, const wgdn_dataset *d)
{
    wgdn_ranks *r = wgdn_dataset_ranks(d);
    for (int64_t i = 0; i < d->nodes && r->rank == 0; i++)
        all[i] = key_of(d, i);
    r->call->broadcast(r, all, (size_t)d->nodes * sizeof *all);
}

wgdn_status wgdn_dataset_keys(uint64_t **out, const wgdn_dataset *d, wgdn_error *err)
{
    const wgdn_span rows = wgdn_dataset_rows(d);
    uint64_t *key = wgdn_alloc((size_t)rows.count, sizeof *key);
    uint64_t *all = rows.dist ? wgdn_alloc((size_t)d->nodes, sizeof *all) : NULL;
    wgdn_status st = WGDN_OK;
    if (!key || (rows.dist && !all))
        st = wgdn_fail(err, WGDN_ENOMEM, "keys of %lld nodes", (long long)rows.count);
    st = wgdn_span_agree(rows, st, err);
    if (!st && rows.dist) share_keys(all, d);
    for (int64_t i = 0; i < rows.count && !st; i++) {
        const int64_t node = d->order ? d->order[i] : rows.first + i;
        key[i] = all ? all[node] : key_of(d, node);
    }
    wgdn_release(all);
    if (st)
        wgdn_release(key);
    else
        *out = key;
    return st;
}
