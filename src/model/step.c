/* SPDX-License-Identifier: Apache-2.0 */
/* One step: forward, loss, backward. */
#include "augment.h"
#include "base/streams.h"
#include "decoder.h"
#include "encoder.h"
#include "loss.h"

#include <string.h>

/* The loss and its gradient: in place of R, or without R into w->other and the last layer's. */
static wgdn_status loss_of(double *loss, wgdn_params *grad, wgdn_model *m, wgdn_workspace *w,
                           const wgdn_input *in, wgdn_error *err)
{
    const int last = m->shape.decoder_layers - 1;
    const wgdn_decoder_saved *d = &w->decoder[last];
    const wgdn_decoder_layer *p = &m->at.decoder[last];
    if (w->last != WGDN_LAST_GRAM) {
        *loss = wgdn_loss_dense(&w->factor, d->t, in, m->loss, w->sums);
        return WGDN_OK;
    }
    const wgdn_gram_call c = {.in = in,
                              .big = d->big,
                              .w = p->weight[0],
                              .b = p->bias[0],
                              .k = wgdn_decoder_share(m, d) * (float)d->branches,
                              .h = m->shape.width,
                              .dw = grad->decoder[last].weight[0],
                              .db = grad->decoder[last].bias[0],
                              .dbig = w->other,
                              .room = w->dh,
                              .at = &w->gram,
                              .work = w->sums};
    return m->loss->gram(loss, m->loss, &c, err);
}

wgdn_status wgdn_step(double *loss, float *grad, wgdn_model *m, wgdn_workspace *w,
                      const wgdn_graph *g, const wgdn_input *in, uint32_t step,
                      const float *const *draws, wgdn_error *err)
{
    const wgdn_stream noise = {m->options.seed, step, WGDN_CALL_NOISE};
    wgdn_params at;
    wgdn_status st;
    const wgdn_graph *decoded = wgdn_augment_graph(m, w, g, noise);
    wgdn_params_bind(&at, &m->layout, grad);
    st = wgdn_encoder_forward(m, w, g, in, true, m->buffer, err);
    if (!st) st = wgdn_decoder_forward(m, w, decoded, noise, draws, err);
    if (!st) st = loss_of(loss, &at, m, w, in, err);
    if (!st) st = wgdn_decoder_backward(&at, w->dh, m, w, decoded, noise, draws, err);
    if (!st) st = wgdn_encoder_backward(&at, w->dh, m, w, g, in, err);
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
    wgdn_status st = wgdn_encoder_forward(m, w, g, in, false, NULL, err);
    if (st) return st;
    wgdn_encoder_output(in->order ? w->input : out, m, w, m->shape.encoder_layers);
    if (in->order)
        wgdn_for_blocks(w->rows, scatter_rows,
                        &(scatter_call){out, w->input, in->order, m->shape.width}, NULL, 0, NULL);
    return WGDN_OK;
}
