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

enum { STRETCH = 256, LANES = 16 }; /* entries that go through all channels together */

/* v = prelu(o_q) summed over channels, or the largest of them and whose it is. */
static void gather(float *v, int32_t *who, const channel_call *c, int64_t at, int64_t count)
{
    for (int q = 0; q < c->channels; q++) {
        const float *o = c->o[q] + at, a = c->a;
        if (q == 0)
            for (int64_t j = 0; j < count; j++) {
                v[j] = prelu(o[j], a);
                who[j] = 0;
            }
        else if (c->how == WGDN_AGGREGATE_MAX)
            for (int64_t j = 0; j < count; j++) {
                const float y = prelu(o[j], a);
                who[j] = y > v[j] ? q : who[j];
                v[j] = y > v[j] ? y : v[j];
            }
        else
            for (int64_t j = 0; j < count; j++)
                v[j] += prelu(o[j], a);
    }
}

static float share_of(const channel_call *c)
{
    return c->how == WGDN_AGGREGATE_MEAN ? c->weight / (float)c->channels : c->weight;
}

static int64_t stretch(int64_t left)
{
    return left < STRETCH ? left : STRETCH;
}

static void forward(int64_t first, int64_t count, double *sums, void *context)
{
    const channel_call *c = context;
    const float share = share_of(c);
    const int64_t end = (first + count) * c->d;
    (void)sums;
    for (int64_t at = first * c->d; at < end; at += STRETCH) {
        const int64_t some = stretch(end - at);
        float v[STRETCH], *t = c->t + at;
        int32_t who[STRETCH];
        gather(v, who, c, at, some);
        for (int64_t j = 0; c->add && j < some; j++)
            t[j] += share * v[j];
        for (int64_t j = 0; !c->add && j < some; j++)
            t[j] = share * v[j];
    }
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

/* One channel of one stretch: o becomes do; the slope's gradient goes to the lanes. */
static void back_channel(float *o, double *lane, const channel_call *c, const float *dt,
                         const int32_t *who, int32_t q, int64_t count)
{
    const float share = share_of(c), a = c->a;
    const bool all = c->how != WGDN_AGGREGATE_MAX;
    float part[STRETCH];
    for (int64_t j = 0; j < count; j++) {
        const float x = o[j], dy = all || who[j] == q ? share * dt[j] : 0;
        part[j] = x > 0 ? 0 : dy * x;
        o[j] = x > 0 ? dy : a * dy;
    }
    for (int64_t j = count; j % LANES; j++)
        part[j] = 0;
    for (int64_t j = 0; j < count; j += LANES)
        for (int l = 0; l < LANES; l++)
            lane[l] += part[j + l];
}

static void backward(int64_t first, int64_t count, double *sums, void *context)
{
    const channel_call *c = context;
    const int64_t end = (first + count) * c->d;
    double lane[LANES] = {0};
    for (int64_t at = first * c->d; at < end; at += STRETCH) {
        const int64_t some = stretch(end - at);
        float v[STRETCH];
        int32_t who[STRETCH];
        if (c->how == WGDN_AGGREGATE_MAX) gather(v, who, c, at, some);
        for (int q = 0; q < c->channels; q++)
            back_channel(c->o[q] + at, lane, c, c->dt + at, who, q, some);
    }
    for (int l = 0; l < LANES; l++)
        sums[0] += lane[l];
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
