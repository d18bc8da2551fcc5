/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Computes one training step: encoder, decoder, loss and the backward pass. The trainer calls it;
 * the same code with an open tally counts the cost of a step for the estimates.
 */
#include "augment.h"
#include "base/streams.h"
#include "base/tally.h"
#include "decoder.h"
#include "encoder.h"
#include "loss.h"
#include "model.h"

#include <string.h>

/* The loss and its gradient: in place of R, or without R into w->other and the last layer's. */
static wgdn_status loss_of(double *loss, wgdn_params *grad, const wgdn_pass *pass, wgdn_error *err)
{
    const wgdn_model *m = pass->m;
    wgdn_workspace *w = pass->w;
    const int last = m->shape.decoder_layers - 1;
    const wgdn_decoder_saved *d = &w->decoder[last];
    const wgdn_decoder_layer *p = &m->at.decoder[last];
    if (w->last != WGDN_LAST_GRAM) {
        *loss = wgdn_loss_dense(&w->factor, pass->held, d->t, pass->in, m->loss, w->sums);
        return WGDN_OK;
    }
    const wgdn_gram_call c = {.in = pass->in,
                              .big = d->big,
                              .w = p->weight[0],
                              .b = p->bias[0],
                              .k = wgdn_decoder_share(m, d) * (float)d->branches,
                              .h = m->shape.width,
                              .dw = grad->decoder[last].weight[0],
                              .db = grad->decoder[last].bias[0],
                              .dbig = w->other,
                              .room = w->dh,
                              .held = pass->held,
                              .at = &w->gram,
                              .work = w->sums};
    return m->loss->gram(loss, m->loss, &c, err);
}

wgdn_pass wgdn_pass_of(wgdn_model *m, wgdn_workspace *w, const wgdn_graph *g,
                       const wgdn_model_input *in, uint32_t step)
{
    return (wgdn_pass){.m = m,
                       .w = w,
                       .g = g,
                       .in = in,
                       .running = m->buffer,
                       .noise = {m->options.seed, step, WGDN_CALL_NOISE}};
}

wgdn_status wgdn_step(double *loss, float *grad, const wgdn_pass *pass, wgdn_error *err)
{
    wgdn_pass p = *pass;
    wgdn_params at;
    wgdn_status st;
    p.decoded = wgdn_augment_graph(&p);
    wgdn_params_bind(&at, &p.m->layout, grad);
    st = wgdn_encoder_forward(&p, err);
    if (!st) st = wgdn_decoder_forward(&p, err);
    if (!st) st = loss_of(loss, &at, &p, err);
    if (!st) st = wgdn_decoder_backward(&at, p.w->dh, &p, err);
    if (!st) st = wgdn_encoder_backward(&at, p.w->dh, &p, err);
    return st;
}

typedef struct scatter_call {
    float *out;
    const float *rows;
    const int32_t *order;
    int64_t d;
} scatter_call;

static void scatter_rows(int64_t first, int64_t count, double *sums, void *context)
{
    const scatter_call *c = context;
    (void)sums;
    for (int64_t i = first; i < first + count; i++)
        memcpy(c->out + c->order[i] * c->d, c->rows + i * c->d, (size_t)c->d * sizeof *c->out);
}

wgdn_status wgdn_encode(float *out, const wgdn_model *m, wgdn_workspace *w, const wgdn_graph *g,
                        const wgdn_model_input *in, wgdn_error *err)
{
    const wgdn_pass p = {.m = m, .w = w, .g = g, .in = in};
    const wgdn_status st = wgdn_encoder_forward(&p, err);
    if (st) return st;
    wgdn_encoder_output(in->order ? w->input : out, &p, m->shape.encoder_layers);
    if (in->order)
        wgdn_for_blocks(w->rows, scatter_rows,
                        &(scatter_call){out, w->input, in->order, m->shape.width}, NULL, 0, NULL);
    return WGDN_OK;
}

/* Counts the cost of a step: the code above runs with a tally open and without data. */

/* One row stands for all: products and loops over rows only count, so nobody looks at the others.
 * How the step is computed follows from the numbers of all rows, which stay. */
static wgdn_model_input one_row(const wgdn_model_input *in)
{
    wgdn_model_input one = *in;
    one.rows = (wgdn_span){.count = 1, .total = in->rows.total};
    one.nonzeros = one.edges = one.halo = 0;
    one.varies = false;
    return one;
}

/* All parameters on one place, which is large enough for what a step reads besides products. */
static float *flatten(wgdn_model *m)
{
    const wgdn_shape *s = &m->shape;
    const int64_t rows = s->width + s->features + m->layout.buffer_size;
    float *room = wgdn_alloc_zero((size_t)rows, sizeof *room);
    for (int i = 0; i < m->layout.views; i++)
        m->layout.view[i].offset = 0;
    if (room) wgdn_params_bind(&m->at, &m->layout, room);
    m->buffer = room;
    return room;
}

wgdn_status wgdn_step_tally(wgdn_tally *t, const wgdn_model *m, const wgdn_model_input *in,
                            wgdn_error *err)
{
    const wgdn_model_input planned = one_row(in);
    wgdn_model_input walked = *in;
    wgdn_halo halo = {.dist = in->rows.dist};
    const wgdn_graph graph = {
        .adjacency = {.rows = in->rows.count, .cols = in->rows.count + in->halo},
        .halo = in->rows.dist ? &halo : NULL};
    wgdn_model *copy = wgdn_alloc(1, sizeof *copy);
    wgdn_workspace *w = NULL;
    float *room = NULL;
    double loss;
    wgdn_status st = WGDN_OK;

    if (copy) *copy = *m;
    if (copy) room = flatten(copy);
    if (!room) st = wgdn_fail(err, WGDN_ENOMEM, "cost of a step: a copy of the model");
    if (!st) st = wgdn_workspace_new(&w, copy, &planned, true, err);
    if (!st) {
        const wgdn_pass pass = wgdn_pass_of(copy, w, &graph, &walked, 0);
        walked.transposed.rows = in->features;
        wgdn_workspace_fit(w, in->rows);
        wgdn_tally_open = t;
        st = wgdn_step(&loss, room, &pass, err);
        wgdn_tally_open = NULL;
    }
    wgdn_workspace_free(w);
    wgdn_release(room);
    wgdn_release(copy);
    return st;
}

/* A product gathers a row for each entry, reads the entry's column and, of X and of edges that have
 * weights, its value, and writes its result. */
double wgdn_gathered_bytes(const wgdn_tally *t, const wgdn_model *m, const wgdn_model_input *in)
{
    const double filtered = (double)t->columns[WGDN_TALLY_LAPLACIAN];
    const double features =
        (double)t->columns[WGDN_TALLY_FEATURES] + (double)t->columns[WGDN_TALLY_FEATURES_SUM];
    const double n = (double)in->rows.count, edges = (double)in->edges, z = (double)in->nonzeros;
    const double number = sizeof(float), column = sizeof(int32_t), h = (double)m->shape.width;
    const double entry = column + (in->weighted ? number : 0);
    return filtered * number * (edges + n) + filtered / h * entry * edges + features * number * z +
           features / h * (number + column) * z;
}
