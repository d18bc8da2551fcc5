/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Several noise levels into one:  t = aggregate_q prelu(o_q, a)             [WGDN:channels]
 *
 * max: the gradient goes to the winning channel, the first one if there are several.
 */
#include "layers.h"

typedef struct channel_call {
    const wgdn_layer_ops *ops;
    float *t;
    const float *dt;
    float *const *o;
    wgdn_aggregate how;
    int channels;
    bool add;
    float share, a; /* share: weight of what the channels come to */
    int64_t d;
} channel_call;

static float share_of(float weight, wgdn_aggregate how, int channels)
{
    return how == WGDN_AGGREGATE_MEAN ? weight / (float)channels : weight;
}

/* The channels at one row. */
static void row_of(float *row[WGDN_CHANNELS_MAX], const channel_call *c, int64_t i)
{
    for (int q = 0; q < c->channels; q++)
        row[q] = c->o[q] + i * c->d;
}

static void forward(int64_t first, int64_t count, double *sums, void *context)
{
    const channel_call *c = context;
    float *o[WGDN_CHANNELS_MAX];
    (void)sums;
    for (int64_t i = first; i < first + count; i++) {
        row_of(o, c, i);
        (c->how == WGDN_AGGREGATE_MAX ? c->ops->most : c->ops->total)(
            c->t + i * c->d, c->add, c->share, (const float *const *)o, c->channels, c->a, c->d);
    }
}

void wgdn_channels(float *t, bool add, float weight, wgdn_aggregate how, float *const *o,
                   int channels, float a, int64_t n, int64_t d)
{
    channel_call c = {.ops = wgdn_layer_rows(),
                      .t = t,
                      .o = o,
                      .how = how,
                      .channels = channels,
                      .add = add,
                      .share = share_of(weight, how, channels),
                      .a = a,
                      .d = d};
    wgdn_for_blocks(wgdn_alone(n), forward, &c, NULL, 0, NULL);
}

static void backward(int64_t first, int64_t count, double *sums, void *context)
{
    const channel_call *c = context;
    float *o[WGDN_CHANNELS_MAX];
    for (int64_t i = first; i < first + count; i++) {
        const float *dt = c->dt + i * c->d;
        row_of(o, c, i);
        if (c->how == WGDN_AGGREGATE_MAX)
            sums[0] += c->ops->most_back(o, c->channels, c->share, dt, c->a, c->d);
        else
            for (int q = 0; q < c->channels; q++)
                sums[0] += c->ops->prelu_back(o[q], c->share, dt, o[q], c->a, c->d);
    }
}

double wgdn_channels_back(float *const *o, float weight, wgdn_aggregate how, int channels, float a,
                          const float *dt, wgdn_span n, int64_t d, void *work)
{
    channel_call c = {.ops = wgdn_layer_rows(),
                      .dt = dt,
                      .o = o,
                      .how = how,
                      .channels = channels,
                      .share = share_of(weight, how, channels),
                      .a = a,
                      .d = d};
    double slope;
    wgdn_for_blocks(n, backward, &c, &slope, 1, work);
    return slope;
}
