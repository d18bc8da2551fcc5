/* SPDX-License-Identifier: Apache-2.0 */
/* Pieces of a layer, between encoder.c and step.c. Matrices are n x d, n a span of rows
 * where sums over them are made. */
#ifndef WGDN_MODEL_LAYERS_H
#define WGDN_MODEL_LAYERS_H

#include "layer_rows.h"
#include "model.h"

/* Scratch for sums over blocks: bytes for any of the calls below. */
static inline size_t wgdn_layers_work(wgdn_span n, int64_t d)
{
    /* Two rows of results and scalars, and as much for each block. */
    return (size_t)(2 * d + 2) * sizeof(double) + wgdn_for_blocks_work(n, 2 * d + 2);
}

/* ---- layers.c ---- */

/* What a norm remembers of one forward: per row (layer) or per column (batch). */
typedef struct wgdn_norm_state {
    wgdn_norm kind;
    const float *scale, *shift;
    float *mean, *inv; /* n each for layer, d each for batch */
} wgdn_norm_state;

/* Estimate mean and inverse deviation of x into the state; batch: and move the running averages. */
void wgdn_norm_estimate(wgdn_norm_state *s, const float *x, wgdn_span n, int64_t d,
                        float *running_mean, float *running_variance, void *work);
/* For embedding with BatchNorm: the running averages instead. */
void wgdn_norm_from_running(wgdn_norm_state *s, const float *running_mean,
                            const float *running_variance, int64_t d);

/* ---- layers.c ---- */

/* prelu(norm(x)), x: n x d. slope NULL: no PReLU. */
typedef struct wgdn_activation {
    const wgdn_norm_state *norm;
    const float *slope, *x;
    wgdn_span n;
    int64_t d;
} wgdn_activation;

void wgdn_activate(float *y, const wgdn_activation *a); /* y may be x */
/* dx in place of dy, and the gradients of slope, scale and shift as far as there are any. */
void wgdn_activate_back(float *dx, float *dslope, float *dscale, float *dshift,
                        const wgdn_activation *a, void *work);

/* ---- step.c ---- */

/* weight * aggregate_q prelu(o_q, slope), o_q: n x d */
typedef struct wgdn_channel_set {
    float *const *o;
    int channels;
    wgdn_aggregate how;
    float weight, slope;
    wgdn_span n;
    int64_t d;
} wgdn_channel_set;

void wgdn_channels(float *t, const wgdn_channel_set *s, bool add); /* t = or += that */
/* o_q becomes its own gradient, given dt; returns the slope's. */
double wgdn_channels_back(const wgdn_channel_set *s, const float *dt, void *work);

/* ---- loss.c ---- */

/* Scratch of a loss without its reconstruction (loss.h), n nodes, f features, width h. */
typedef struct wgdn_gram {
    float *gram;    /* h x h: B^T B, then W^T W */
    float *product; /* f x h: W G */
    float *row;     /* h */
    double *column; /* h: B^T 1 */
    float *sampled; /* non-zeros of X: R there, then E */
    float *swapped; /* E in the order of X^T */
    void *tn;       /* what workspace.c counts for it */
} wgdn_gram;

#endif
