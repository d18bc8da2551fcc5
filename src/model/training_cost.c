/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Estimates the memory and operations of a training run and explains which algebraic optimizations
 * it uses. `wgdn estimate` and `--explain` print the results; the counts come from the plan in
 * workspace.c and the tally in step.c.
 */
#include "data/dataset.h"
#include "train.h"

/* Estimates the memory of a run from the same plans that the run will follow. */

enum {
    PROCESS = 24 << 20, /* program, libraries, and what the dense engine packs */
    RANK = 16 << 20,    /* what MPI takes besides */
};

/* Graph and features of a part, and who gives what to whom. */
static int64_t dataset_bytes(const wgdn_dataset *d, const wgdn_portion *p,
                             const wgdn_model_input *shape)
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

wgdn_status wgdn_portion_needs(wgdn_train_needs *out, wgdn_model_input *shape,
                               const wgdn_dataset *d, const wgdn_portion *part, const wgdn_model *m,
                               wgdn_error *err)
{
    size_t features;
    const wgdn_status st = wgdn_batches_bytes(&features, shape, d, part, m, err);
    if (st) return st;
    out->dataset = dataset_bytes(d, part, shape);
    out->features = (int64_t)features;
    out->model = (2 + wgdn_adam.states) * (int64_t)sizeof(float) *
                 m->layout.size; /* parameters, gradient, what the optimizer keeps */
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

/* The portion of this process. */
static wgdn_portion portion_here(const wgdn_graph *g)
{
    const wgdn_halo *h = g->halo;
    wgdn_portion p = {.rows = wgdn_graph_span(g), .edges = wgdn_csr_entries(&g->adjacency)};
    if (!h) return p;
    p.halo = h->count;
    p.sends = h->sends;
    p.boundaries = h->boundaries;
    for (int k = 0; k < h->dist->ranks->count; k++)
        p.peers += h->from[k] < h->from[k + 1];
    return p;
}

static wgdn_status estimate_here(wgdn_train_needs *out, const wgdn_dataset *d, const wgdn_model *m,
                                 wgdn_error *err)
{
    const wgdn_portion part = portion_here(wgdn_dataset_get_graph(d));
    wgdn_model_input shape;
    return wgdn_portion_needs(out, &shape, d, &part, m, err);
}

static wgdn_status estimate_rank(wgdn_train_needs *out, const wgdn_dataset *d, const wgdn_model *m,
                                 wgdn_ranks *ranks, wgdn_error *err)
{
    const wgdn_csr *a = &wgdn_dataset_get_graph(d)->adjacency;
    wgdn_dist dist = {0};
    wgdn_model_input shape;
    wgdn_portion part;
    wgdn_tally c = {0};
    if (wgdn_dataset_graphs(d) > 1)
        return wgdn_fail(err, WGDN_EINVAL,
                         "estimate: the data has %lld graphs, but ranks share one graph; leave out "
                         "--ranks",
                         (long long)wgdn_dataset_graphs(d));
    if (wgdn_dataset_ranks(d))
        return wgdn_fail(err, WGDN_EINVAL,
                         "estimate: not supported with MPI; run it without mpirun");
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
        return wgdn_fail(err, WGDN_EINVAL, "estimate: rank %d of %d; ranks count from 0", rank,
                         ranks);
    wgdn_status st = wgdn_train_plan(&m, d, o, err);
    if (st) return st;
    const int former = wgdn_threads_use(m->options.threads);
    st = ranks == 1 ? estimate_here(&made, d, m, err) : estimate_rank(&made, d, m, &all, err);
    if (!st) st = wgdn_result_give(out, &made, sizeof made, err);
    wgdn_threads_use(former);
    wgdn_model_free(m);
    return st;
}

/*
 * Explains which algebraic optimizations a run uses and how much they save, in operations of one
 * epoch (a multiplication and an addition count as two) and in bytes kept. n nodes, m entries of
 * the adjacency, f features, z of them not zero, h width, K order of a filter:
 *
 *     a dense product of n x k by k x m        2 n k m
 *     a sparse product of width h              2 (entries) h
 *
 * The choices are made where they are used: structural_features.c (sparse features, the first
 * layer) and workspace.c (the last layer).
 */

typedef struct counts {
    const wgdn_model *model;
    double n, m, f, z, h;
    double encoder, decoder; /* orders */
    int calls, noisy;        /* Dec calls in an epoch; how many of them draw noise */
    bool sparse, estimates, noise, skip;
    wgdn_last last;
} counts;

static counts count_up(const wgdn_model *m, const wgdn_dataset *d, const wgdn_model_input *in)
{
    const wgdn_shape *s = &m->shape;
    const bool skip = m->options.skip != WGDN_SKIP_NONE && s->decoder_layers > 1;
    const int more = skip ? s->decoder_layers - 1 : 0;
    return (counts){.model = m,
                    .n = (double)in->rows.total,
                    .m = (double)wgdn_csr_entries(&wgdn_dataset_get_graph(d)->adjacency),
                    .f = (double)in->features,
                    .z = (double)in->all_nonzeros,
                    .h = (double)s->width,
                    .encoder = s->encoder_order,
                    .decoder = s->decoder_order,
                    .calls = s->decoder_layers + more,
                    .noisy = 1 + more,
                    .sparse = in->sparse != NULL,
                    .estimates = m->response->estimates,
                    .noise = m->options.augment == WGDN_AUGMENT_NOISE && m->options.beta > 0,
                    .skip = skip,
                    .last = wgdn_last_choice(m, in)};
}

/* Products with L, of width h, that the last layer's filters come to, forward and backward. */
static double last_filters(const counts *c, wgdn_last form)
{
    const double branches = c->skip ? 2 : 1, both = 2 * c->decoder;
    if (form != WGDN_LAST_NARROW) return branches * both;
    return branches * (c->estimates + both * c->model->shape.channels * c->f / c->h);
}

/* What each comes to in an epoch, with and without, of the part that it touches. */
static void fill_list(wgdn_explanation *e, const counts *c)
{
    static const char operations[] = "operations";
    const bool without_r = c->last == WGDN_LAST_GRAM, narrow = c->last == WGDN_LAST_NARROW;
    const bool early = c->sparse && c->f > c->h;
    const double h = c->h, product = 2 * c->m * h; /* with L */
    const double dense = 2 * 2 * c->n * c->f * h, gathered = 2 * 2 * c->z * h;
    const double formed = 3 * 2 * c->n * c->f * h;
    const double gram = 4 * (c->n + c->f) * h * h + 3 * 2 * c->z * h;
    const double filter = 2 * c->encoder * product; /* of the first layer, forward and backward */
    const int below = c->calls - c->noisy - 1; /* layers with two branches before the last one */
    const double joined = below * 3 * 2 * c->n * h * h + (without_r ? gram : formed);
    const wgdn_optimization table[] = {
        {"features multiplied as sparse rows", operations, c->sparse, gathered, dense},
        {"loss without the reconstruction", operations, without_r, gram, formed},
        {"first layer filtered once, before training", operations, !c->sparse, 0, filter},
        {"noise estimate shares a filter's first product", operations, c->estimates,
         c->calls * 2 * c->decoder * product, c->calls * (2 * c->decoder + 1) * product},
        {"filter on the narrower side of a product", operations, early || narrow,
         (c->sparse ? filter : 0) + last_filters(c, c->last) * product,
         (early       ? filter / h * c->f
          : c->sparse ? filter
                      : 0) +
             last_filters(c, WGDN_LAST_PLAIN) * product},
        {"noise drawn again, not stored", "bytes", c->noise, 0,
         c->noisy * (double)sizeof(float) * c->n * h},
        {"skip branches joined before the product", operations,
         c->skip && c->model->shape.channels == 1, joined, 2 * joined},
    };
    e->count = sizeof table / sizeof *table;
    for (int i = 0; i < e->count && i < e->room; i++)
        e->list[i] = table[i];
}

/* All dense and sparse products of an epoch as it will run. */
static void fill_work(wgdn_explanation *e, const counts *c, const wgdn_tally *t,
                      const wgdn_model_input *in)
{
    const double filtered = (double)t->columns[WGDN_TALLY_LAPLACIAN];
    const double features =
        (double)t->columns[WGDN_TALLY_FEATURES] + (double)t->columns[WGDN_TALLY_FEATURES_SUM];
    e->dense = t->dense;
    e->sparse = 2 * (c->m * filtered + c->z * features);
    e->bytes = wgdn_gathered_bytes(t, c->model, in);
}

wgdn_status wgdn_train_explain(wgdn_explanation *out, const wgdn_dataset *d,
                               const wgdn_train_options *o, wgdn_error *err)
{
    wgdn_explanation asked, made = {0};
    wgdn_model *m = NULL;
    wgdn_model_input shape;
    wgdn_tally t = {0};
    wgdn_status st = wgdn_train_plan(&m, d, o, err);
    if (st) return st;
    wgdn_result_ask(&asked, out, sizeof asked);
    made.list = asked.list;
    made.room = asked.list ? asked.room : 0;
    const wgdn_portion part = portion_here(wgdn_dataset_get_graph(d));
    (void)wgdn_feed_bytes(&shape, d, &part, m);
    const counts c = count_up(m, d, &shape);
    made.encoder_order = m->shape.encoder_order;
    made.decoder_order = m->shape.decoder_order;
    fill_list(&made, &c);
    st = wgdn_step_tally(&t, m, &shape, err);
    if (!st) fill_work(&made, &c, &t, &shape);
    if (!st) st = wgdn_result_give(out, &made, sizeof made, err);
    wgdn_model_free(m);
    return st;
}
