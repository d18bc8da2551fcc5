/* SPDX-License-Identifier: Apache-2.0 */
/* What a run will need, by the same plans that it will follow. */
#include "dataset/dataset.h"
#include "train.h"

enum {
    PROCESS = 24 << 20, /* program, libraries, and what the dense engine packs */
    RANK = 16 << 20,    /* what MPI takes besides */
};

/* Graph and features of a part, and who gives what to whom. */
static int64_t dataset_bytes(const wgdn_dataset *d, const wgdn_portion *p, const wgdn_input *shape)
{
    const size_t n = (size_t)p->rows.count, halo = (size_t)p->halo;
    const size_t local = (size_t)(p->sends + p->boundaries); /* rows by their numbers here */
    const int64_t *offset;
    const int32_t *column;
    const float *value;
    const bool weighted = wgdn_dataset_weighted(d);
    size_t bytes = (n + 1) * sizeof *offset +
                   (size_t)p->edges * (sizeof *column + (weighted ? sizeof *value : 0));
    bytes += (n + halo) * 2 * sizeof(float); /* 1 / degree and its root */
    if (p->rows.dist) bytes += n * sizeof(bool) + halo * sizeof(int64_t) + local * sizeof(int32_t);
    if (wgdn_dataset_get_order(d)) bytes += n * sizeof(int32_t);
    if (wgdn_dataset_get_dense(d)) bytes += n * (size_t)wgdn_dataset_features(d) * sizeof(float);
    if (wgdn_dataset_get_sparse(&offset, &column, &value, d))
        bytes += (n + 1) * sizeof *offset +
                 (size_t)shape->nonzeros * (sizeof *column + (value ? sizeof *value : 0));
    return (int64_t)bytes;
}

wgdn_status wgdn_portion_needs(wgdn_train_needs *out, wgdn_input *shape, const wgdn_dataset *d,
                               const wgdn_portion *part, const wgdn_model *m, wgdn_error *err)
{
    size_t features;
    const wgdn_status st = wgdn_batches_bytes(&features, shape, d, part, m, err);
    if (st) return st;
    out->dataset = dataset_bytes(d, part, shape);
    out->features = (int64_t)features;
    out->model = (2 + wgdn_adam.states) * (int64_t)sizeof(float) *
                 m->layout.size; /* parameters, gradient, what the optimiser keeps */
    if (m->options.patience > 0) /* the best of them */
        out->model += (int64_t)sizeof(float) * (m->layout.size + m->layout.buffer_size);
    out->workspace = (int64_t)wgdn_workspace_bytes(m, shape, true);
    out->total = out->dataset + out->features + out->model + out->workspace + PROCESS;
    out->rows = part->rows.count;
    out->entries = part->edges;
    out->halo_rows = part->halo;
    out->sent_rows = part->sends;
    if (part->rows.dist) out->total += RANK + (int64_t)sizeof(double) * WGDN_JOIN_DOUBLES;
    return WGDN_OK;
}

/*
 * Rows of the halo go out for every column of every product with L; sums as they are joined; what
 * all have to know of the first node, from rank 0.
 */
static void count_sent(wgdn_train_needs *out, const wgdn_portion *p, const wgdn_tally *c)
{
    const wgdn_ranks *r = p->rows.dist->ranks;
    const int64_t told = r->rank == 0 ? (r->count - 1) * c->broadcast : 0;
    out->halo_bytes = (int64_t)sizeof(float) * p->sends * c->exchanged;
    out->sum_bytes = c->sent + (int64_t)sizeof(double) * told;
}

wgdn_status wgdn_train_plan(wgdn_model **m, const wgdn_dataset *d, const wgdn_train_options *o,
                            wgdn_error *err)
{
    wgdn_train_options opt;
    const wgdn_status st = wgdn_train_options_read(&opt, o, err);
    return st ? st : wgdn_model_plan(m, &opt, wgdn_feed_width(d, &opt), err);
}

static wgdn_status estimate_here(wgdn_train_needs *out, const wgdn_dataset *d, const wgdn_model *m,
                                 wgdn_error *err)
{
    const wgdn_portion part = wgdn_portion_here(wgdn_dataset_get_graph(d));
    wgdn_input shape;
    return wgdn_portion_needs(out, &shape, d, &part, m, err);
}

static wgdn_status estimate_rank(wgdn_train_needs *out, const wgdn_dataset *d, const wgdn_model *m,
                                 wgdn_ranks *ranks, wgdn_error *err)
{
    const wgdn_csr *a = &wgdn_dataset_get_graph(d)->adjacency;
    wgdn_dist dist = {0};
    wgdn_input shape;
    wgdn_portion part;
    wgdn_tally c = {0};
    if (wgdn_dataset_graphs(d) > 1)
        return wgdn_fail(err, WGDN_EINVAL,
                         "estimate: the data has %lld graphs, and ranks share one: sets of graphs "
                         "are trained by one process",
                         (long long)wgdn_dataset_graphs(d));
    if (wgdn_dataset_ranks(d))
        return wgdn_fail(err, WGDN_EINVAL, "estimate: of ranks, it needs the whole dataset");
    wgdn_status st = wgdn_dist_open(&dist, ranks, a->offset, a->rows, err);
    if (!st) st = wgdn_portion_count(&part, a, &dist, err);
    if (!st) st = wgdn_portion_needs(out, &shape, d, &part, m, err);
    if (!st) st = wgdn_step_tally(&c, m, &shape, err);
    if (!st) count_sent(out, &part, &c);
    wgdn_dist_close(&dist);
    return st;
}

wgdn_status wgdn_train_estimate(wgdn_train_needs *out, const wgdn_dataset *d,
                                const wgdn_train_options *o, int rank, int ranks, wgdn_error *err)
{
    wgdn_ranks all = {.rank = rank, .count = ranks};
    wgdn_train_needs made = {0};
    wgdn_model *m = NULL;
    if (rank < 0 || rank >= ranks)
        return wgdn_fail(err, WGDN_EINVAL, "estimate: rank %d of %d", rank, ranks);
    wgdn_status st = wgdn_train_plan(&m, d, o, err);
    if (st) return st;
    const int former = wgdn_threads_use(m->options.threads);
    st = ranks == 1 ? estimate_here(&made, d, m, err) : estimate_rank(&made, d, m, &all, err);
    if (!st) st = wgdn_result_give(out, &made, sizeof made, err);
    wgdn_threads_use(former);
    wgdn_model_free(m);
    return st;
}
