/* SPDX-License-Identifier: Apache-2.0 */
/* What a run will need, by the same plans that it will follow. */
#include "io/dataset.h"
#include "train.h"

enum { PROCESS = 24 << 20 }; /* program, libraries, and what the dense engine packs */

static int64_t dataset_bytes(const wgdn_dataset *d)
{
    const wgdn_csr *a = &wgdn_dataset_get_graph(d)->adjacency;
    const int64_t n = wgdn_dataset_rows(d).count;
    const int64_t *offset;
    const int32_t *column;
    const float *value;
    int64_t bytes = 8 * (n + 1) + 4 * wgdn_csr_entries(a) + 8 * a->cols;
    if (wgdn_dataset_get_dense(d)) bytes += 4 * n * wgdn_dataset_width(d);
    if (wgdn_dataset_get_sparse(d, &offset, &column, &value))
        bytes += 8 * (n + 1) + (value ? 8 : 4) * offset[n];
    return bytes;
}

wgdn_status wgdn_train_estimate(wgdn_memory *out, const wgdn_dataset *d,
                                const wgdn_train_options *o, wgdn_error *err)
{
    wgdn_train_options opt;
    wgdn_model *m = NULL;
    wgdn_input shape;
    size_t features;
    wgdn_status st = wgdn_train_options_read(&opt, o, err);
    if (st) return st;
    st = wgdn_model_plan(&m, &opt, wgdn_feed_width(d, &opt), err);
    if (st) return st;
    const int former = wgdn_threads_use(opt.threads);
    st = wgdn_batches_bytes(&features, &shape, d, m, err);
    if (st) goto done;
    out->dataset = dataset_bytes(d);
    out->features = (int64_t)features;
    out->model =
        4 * (int64_t)sizeof(float) * m->layout.size; /* parameters, gradient, two moments */
    out->workspace = (int64_t)wgdn_workspace_bytes(m, &shape, true);
    out->total = out->dataset + out->features + out->model + out->workspace + PROCESS;

done:
    wgdn_threads_use(former);
    wgdn_model_free(m);
    return st;
}
