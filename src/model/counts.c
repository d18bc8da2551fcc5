/* SPDX-License-Identifier: Apache-2.0 */
/* What a step comes to, counted along the way that step.c takes. */
#include "loss.h"

typedef struct counting {
    const wgdn_model *m;
    const wgdn_input *in;
    wgdn_last last;
    bool wiener, recompute;
    wgdn_step_counts all;
} counting;

/* Forward BatchNorm adds up twice; backward comes the slope, and with a norm its scale and shift.
 */
static void count_activation(counting *c, bool slope)
{
    const wgdn_norm norm = c->m->options.norm;
    const int64_t h = c->m->shape.width;
    if (norm == WGDN_NORM_BATCH) c->all.sums += 2 * h;
    if (norm != WGDN_NORM_NONE)
        c->all.sums += 2 * h + 1;
    else if (slope)
        c->all.sums += 1;
}

static void count_encoder(counting *c)
{
    const wgdn_shape *s = &c->m->shape;
    const int64_t h = s->width, order = s->encoder_order, first = s->features * h;
    for (int k = 0; k < s->encoder_layers; k++) {
        const bool last = k == s->encoder_layers - 1;
        if (k > 0 || c->in->sparse) c->all.columns += 2 * order * h;
        *(k == 0 && c->in->sparse ? &c->all.sums : &c->all.leaf_sums) += k == 0 ? first : h * h;
        c->all.sums += h;
        count_activation(c, !last || c->m->options.embedding_activation);
    }
}

/* Mean and variance of an encoder's output, about its first entry, if it is to be fed with noise.
 */
static void count_noise(counting *c, int k, int b, int64_t times)
{
    const wgdn_train_options *o = &c->m->options;
    const bool noise = o->augment == WGDN_AUGMENT_NOISE && o->beta > 0;
    if (!noise || (k > 0 && b == 0)) return;
    c->all.sums += 2 * times;
    c->all.told += times;
}

/* Estimate, filter forward and backward; between, what recomputes makes the input again. */
static void count_branch(counting *c, int k, int b, int branches)
{
    const wgdn_shape *s = &c->m->shape;
    const bool last = k == s->decoder_layers - 1, narrow = last && c->last == WGDN_LAST_NARROW;
    const bool kept = last && (s->channels == 1 || b == branches - 1);
    const bool again = !narrow && c->recompute && !kept;
    const int64_t order = s->decoder_order, h = s->width;
    const int64_t there = c->wiener && order > 0 ? order - 1 : order; /* the first is shared */
    count_noise(c, k, b, again || narrow ? 2 : 1);
    if (c->wiener) c->all.sums += 2 + h;
    if (c->wiener) c->all.columns += h;
    c->all.columns += narrow ? 2 * order * s->channels * s->features : (there + order) * h;
    if (again) c->all.columns += order * h;
}

static void count_decoder(counting *c, int k)
{
    const wgdn_shape *s = &c->m->shape;
    const bool last = k == s->decoder_layers - 1, several = s->channels > 1;
    const int branches = k > 0 && c->m->options.skip != WGDN_SKIP_NONE ? 2 : 1;
    const int64_t h = s->width, out = last ? s->features : h;
    const bool apart = several || (last && c->last == WGDN_LAST_NARROW); /* branch by branch */
    for (int b = 0; b < branches; b++)
        count_branch(c, k, b, branches);
    if (last && c->last == WGDN_LAST_GRAM) { /* B^T B, B^T 1, E^T B, E^T 1, and the loss */
        c->all.leaf_sums += h * h;
        c->all.sums += h + out * h + out + c->m->loss->gram_sums;
        return;
    }
    const int64_t times = (apart ? branches : 1) * (int64_t)s->channels;
    c->all.leaf_sums += times * out * h;
    c->all.sums += times * out + (several ? branches : 0);
    if (last)
        c->all.sums += c->m->loss->sums;
    else
        count_activation(c, true);
}

wgdn_step_counts wgdn_step_count(const wgdn_model *m, const wgdn_input *in)
{
    const wgdn_train_options *o = &m->options;
    counting c = {.m = m,
                  .in = in,
                  .last = wgdn_last_choice(m, in),
                  .recompute = wgdn_recompute_choice(m, in),
                  .wiener = o->decoder != WGDN_DECODER_INVERSE};
    count_encoder(&c);
    for (int k = 0; k < m->shape.decoder_layers; k++)
        count_decoder(&c, k);
    c.all.exchanged = c.all.columns;
    if (o->augment == WGDN_AUGMENT_DROP_EDGE && o->drop_rate > 0) c.all.exchanged += 2;
    return c.all;
}
