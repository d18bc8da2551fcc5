/* SPDX-License-Identifier: Apache-2.0 */
/* One step: forward, loss, backward. */
#include "augment.h"
#include "base/streams.h"
#include "decoder.h"
#include "encoder.h"
#include "loss.h"

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

wgdn_pass wgdn_pass_of(wgdn_model *m, wgdn_workspace *w, const wgdn_graph *g, const wgdn_input *in,
                       uint32_t step)
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
                        const wgdn_input *in, wgdn_error *err)
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
