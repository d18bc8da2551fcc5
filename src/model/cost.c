/* SPDX-License-Identifier: Apache-2.0 */
/* What a step comes to: step.c itself, walked with a tally open and no data behind it. */
#include "base/tally.h"
#include "model.h"

/* One row stands for all: products and loops over rows only count, so nobody looks at the others.
 * How the step is computed follows from the numbers of all rows, which stay. */
static wgdn_input one_row(const wgdn_input *in)
{
    wgdn_input one = *in;
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

wgdn_status wgdn_step_tally(wgdn_tally *t, const wgdn_model *m, const wgdn_input *in,
                            wgdn_error *err)
{
    const wgdn_input planned = one_row(in);
    wgdn_input walked = *in;
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
        wgdn_tally_open(t);
        st = wgdn_step(&loss, room, &pass, err);
        wgdn_tally_close();
    }
    wgdn_workspace_free(w);
    wgdn_release(room);
    wgdn_release(copy);
    return st;
}

/* A product gathers a row for each entry, reads the entry's column and, of X and of edges that have
 * weights, its value, and writes its result. */
double wgdn_gathered_bytes(const wgdn_tally *t, const wgdn_model *m, const wgdn_input *in)
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
