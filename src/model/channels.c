/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Several noise levels into one:  t = aggregate_q prelu(o_q, a)             [WGDN:channels]
 *
 * max: the gradient goes to the winning channel, the first one if there are several.
 */
#include "layers.h"

typedef struct channel_call {
    float *t;
    const float *dt;
    float *const *o;
    wgdn_aggregate how;
    int channels;
    bool add;
    float weight, a;
    int64_t d;
} channel_call;

static inline float prelu(float x, float a)
{
    return x > 0 ? x : a * x;
}

/* The channel that wins at one entry. */
static inline int winner(const channel_call *c, int64_t at)
{
    int best = 0;
    float most = prelu(c->o[0][at], c->a);
    for (int q = 1; q < c->channels; q++) {
        const float v = prelu(c->o[q][at], c->a);
        if (v > most) {
            most = v;
            best = q;
        }
    }
    return best;
}

static inline float aggregate(const channel_call *c, int64_t at)
{
    float sum = 0;
    if (c->how == WGDN_AGGREGATE_MAX) return prelu(c->o[winner(c, at)][at], c->a);
    for (int q = 0; q < c->channels; q++)
        sum += prelu(c->o[q][at], c->a);
    return c->how == WGDN_AGGREGATE_MEAN ? sum / (float)c->channels : sum;
}

static void forward(int64_t first, int64_t count, double *sums, void *context)
{
    const channel_call *c = context;
    (void)sums;
    for (int64_t at = first * c->d; at < (first + count) * c->d; at++)
        c->t[at] = (c->add ? c->t[at] : 0) + c->weight * aggregate(c, at);
}

void wgdn_channels(float *t, bool add, float weight, wgdn_aggregate how, float *const *o,
                   int channels, float a, int64_t n, int64_t d)
{
    channel_call c = {.t = t,
                      .o = o,
                      .how = how,
                      .channels = channels,
                      .add = add,
                      .weight = weight,
                      .a = a,
                      .d = d};
    wgdn_for_blocks(n, forward, &c, NULL, 0, NULL);
}

static void backward(int64_t first, int64_t count, double *sums, void *context)
{
    const channel_call *c = context;
    const float share = c->how == WGDN_AGGREGATE_MEAN ? c->weight / (float)c->channels : c->weight;
    double slope = 0;
    for (int64_t at = first * c->d; at < (first + count) * c->d; at++) {
        const int only = c->how == WGDN_AGGREGATE_MAX ? winner(c, at) : -1;
        for (int q = 0; q < c->channels; q++) {
            const float x = c->o[q][at];
            const float dy = only < 0 || q == only ? share * c->dt[at] : 0;
            slope += x > 0 ? 0 : (double)dy * x;
            c->o[q][at] = x > 0 ? dy : c->a * dy;
        }
    }
    sums[0] += slope;
}

double wgdn_channels_back(float *const *o, float weight, wgdn_aggregate how, int channels, float a,
                          const float *dt, int64_t n, int64_t d, void *work)
{
    channel_call c = {
        .dt = dt, .o = o, .how = how, .channels = channels, .weight = weight, .a = a, .d = d};
    double slope;
    wgdn_for_blocks(n, backward, &c, &slope, 1, work);
    return slope;
}
