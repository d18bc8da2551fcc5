/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Several noise levels into one:  t = aggregate_q prelu(o_q, a)             [WGDN:channels]
 *
 * max: the gradient goes to the winning channel, the first one if there are several.
 */
#include "layers.h"

typedef struct channel_call {
    const wgdn_layer_ops *ops;
    const wgdn_channel_set *s;
    float *t;
    const float *dt;
    bool add;
    float share; /* of each channel, where they are added */
} channel_call;

static float share_of(const wgdn_channel_set *s)
{
    return s->how == WGDN_AGGREGATE_MEAN ? s->weight / (float)s->channels : s->weight;
}

/* The channels at one row. */
static void row_of(float *row[WGDN_CHANNELS_MAX], const wgdn_channel_set *s, int64_t i)
{
    for (int q = 0; q < s->channels; q++)
        row[q] = s->o[q] + i * s->d;
}

static void forward(int64_t first, int64_t count, double *sums, void *context)
{
    const channel_call *c = context;
    const wgdn_channel_set *s = c->s;
    float *o[WGDN_CHANNELS_MAX];
    (void)sums;
    for (int64_t i = first; i < first + count; i++) {
        row_of(o, s, i);
        (s->how == WGDN_AGGREGATE_MAX ? c->ops->most : c->ops->total)(
            c->t + i * s->d, c->add, c->share, (const float *const *)o, s->channels, s->slope,
            s->d);
    }
}

void wgdn_channels(float *t, const wgdn_channel_set *s, bool add)
{
    channel_call c = {.ops = wgdn_layer_rows(), .s = s, .t = t, .add = add, .share = share_of(s)};
    wgdn_for_blocks(s->n, forward, &c, NULL, 0, NULL);
}

static void backward(int64_t first, int64_t count, double *sums, void *context)
{
    const channel_call *c = context;
    const wgdn_channel_set *s = c->s;
    float *o[WGDN_CHANNELS_MAX];
    for (int64_t i = first; i < first + count; i++) {
        const float *dt = c->dt + i * s->d;
        row_of(o, s, i);
        if (s->how == WGDN_AGGREGATE_MAX)
            sums[0] += c->ops->most_back(o, s->channels, c->share, dt, s->slope, s->d);
        else
            for (int q = 0; q < s->channels; q++)
                sums[0] += c->ops->prelu_back(o[q], c->share, dt, o[q], s->slope, s->d);
    }
}

double wgdn_channels_back(const wgdn_channel_set *s, const float *dt, void *work)
{
    channel_call c = {.ops = wgdn_layer_rows(), .s = s, .dt = dt, .share = share_of(s)};
    double slope;
    wgdn_for_blocks(s->n, backward, &c, &slope, 1, work);
    return slope;
}
