/* SPDX-License-Identifier: Apache-2.0 */
/* Vectors as a dataset without edges, for what is keyed by their ids. */
#include "dataset/embedding.h"
#include "formats.h"
#include "parts.h"

#include <string.h>

static wgdn_status copy_ids(wgdn_dataset *d, const wgdn_embedding *e, wgdn_error *err)
{
    wgdn_status st = WGDN_OK;
    wgdn_ids_open(&d->ids, INT32_MAX);
    d->named = wgdn_embedding_has_ids(e);
    for (int64_t i = 0; d->named && !st && i < d->nodes; i++) {
        char digits[WGDN_INDEX_TEXT];
        const wgdn_text id = wgdn_embedding_name(e, i, digits);
        int32_t at;
        st = wgdn_ids_add(&d->ids, &id, 1, &at, err); /* at = i: they differ over there */
    }
    return st;
}

wgdn_status wgdn_dataset_from_embedding(wgdn_dataset **out, const wgdn_embedding *e,
                                        const wgdn_dataset_options *options, wgdn_error *err)
{
    wgdn_dataset_options o;
    wgdn_status st = wgdn_dataset_options_read(&o, options, err);
    if (st) return st;
    o.max_bytes = wgdn_unpack_limit(&o);
    if (e->vectors.rows > o.max_nodes)
        return wgdn_fail(err, WGDN_ERANGE, "%lld vectors; the most allowed here are %lld",
                         (long long)e->vectors.rows, (long long)o.max_nodes);
    wgdn_dataset *d = wgdn_alloc_zero(1, sizeof *d);
    if (!d) return wgdn_fail(err, WGDN_ENOMEM, "dataset: handle");
    d->graphs = 1;
    d->nodes = e->vectors.rows;
    st = wgdn_graph_from_edges(&d->graph, d->nodes, 0, NULL, NULL, err);
    if (!st) st = copy_ids(d, e, err);
    if (!st) st = wgdn_notes_read(d, &o, err);
    if (st)
        wgdn_dataset_free(d);
    else
        *out = d;
    return st;
}
