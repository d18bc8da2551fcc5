/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which algebraic optimisations a run uses and what they are worth, in operations of one epoch (a
 * multiplication and an addition count as two) and in bytes kept. n nodes, m entries of the
 * adjacency, f features, z of them not zero, h width, K order of a filter:
 *
 *     a dense product of n x k by k x m        2 n k m
 *     a sparse product of width h              2 (entries) h
 *
 * The choices are not made here but where they are used: features.c (sparse features, the first
 * layer), workspace.c (the last layer).
 */
#include "train.h"

typedef struct counts {
    const wgdn_model *model;
    double n, m, f, z, h;
    double encoder, decoder; /* orders */
    int calls, noisy;        /* Dec calls in an epoch; how many of them draw noise */
    bool sparse, estimates, noise, skip;
    wgdn_last last;
} counts;

static counts count_up(const wgdn_model *m, const wgdn_dataset *d, const wgdn_input *in)
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
    const wgdn_optimisation table[] = {
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
                      const wgdn_input *in)
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
    wgdn_input shape;
    wgdn_tally t = {0};
    wgdn_status st = wgdn_train_plan(&m, d, o, err);
    if (st) return st;
    wgdn_result_ask(&asked, out, sizeof asked);
    made.list = asked.list;
    made.room = asked.list ? asked.room : 0;
    const wgdn_portion part = wgdn_portion_here(wgdn_dataset_get_graph(d));
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
