/* SPDX-License-Identifier: Apache-2.0 */
/* Features with a single 1 in every row. */
#include "dataset.h"

wgdn_status wgdn_features_one_hot(wgdn_features *f, int64_t nodes, int64_t width,
                                  const int64_t *column, wgdn_error *err)
{
    wgdn_csr a = {.rows = nodes, .cols = width};
    a.offset = wgdn_alloc((size_t)nodes + 1, sizeof *a.offset);
    a.column = wgdn_alloc((size_t)nodes, sizeof *a.column);
    if (!a.offset || !a.column) {
        wgdn_csr_free(&a);
        return wgdn_fail(err, WGDN_ENOMEM, "features: %lld nodes", (long long)nodes);
    }
    for (int64_t i = 0; i < nodes; i++) {
        a.offset[i] = i;
        a.column[i] = (int32_t)column[i];
    }
    a.offset[nodes] = nodes;
    *f = (wgdn_features){.rows = nodes, .width = width, .sparse = a, .entries = nodes};
    return WGDN_OK;
}

wgdn_status wgdn_dataset_degrees(wgdn_dataset *d, wgdn_error *err)
{
    enum { CLIP = 400 };
    int64_t max = 0;
    int64_t *column = wgdn_alloc((size_t)d->nodes, sizeof *column);
    if (!column) return wgdn_fail(err, WGDN_ENOMEM, "features: %lld degrees", (long long)d->nodes);
    for (int64_t i = 0; i < d->nodes; i++) {
        const int64_t degree = wgdn_graph_degree(d->graph, i);
        column[i] = degree < CLIP ? degree : CLIP;
        if (column[i] > max) max = column[i];
    }
    const wgdn_status st = wgdn_features_one_hot(&d->features, d->nodes, max + 1, column, err);
    d->degrees = !st;
    wgdn_release(column);
    return st;
}
