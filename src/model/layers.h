/* SPDX-License-Identifier: Apache-2.0 */
/* Pieces of a layer, between encoder.c, decoder.c and step.c. Matrices are n x d, n a span of rows
 * where sums over them are made. */
#ifndef WGDN_LAYERS_H
#define WGDN_LAYERS_H

#include "model.h"
#include "model/loops/layer_rows.h"

/* Scratch for sums over blocks: bytes for any of the calls below. */
size_t wgdn_layers_work(wgdn_span n, int64_t d);

/* ---- norm.c ---- */

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
/* What applies to row i from column j on; and y = scale (x - mean) inv + shift there. */
wgdn_norm_row wgdn_norm_at(const wgdn_norm_state *s, int64_t i, int64_t j);
void wgdn_norm_apply(float *y, const wgdn_norm_state *s, const float *x, int64_t i, int64_t j,
                     int64_t width, const wgdn_layer_ops *ops);

/* ---- activation.c ---- */

/* y = prelu(norm(x)); y may be x. slope NULL: no PReLU. */
void wgdn_activate(float *y, const wgdn_norm_state *s, const float *slope, const float *x,
                   int64_t n, int64_t d);
/*
 * dx, in which dy stands, from x, what went in; and the gradients of slope, scale and shift as far
 * as there are any.
 */
void wgdn_activate_back(float *dx, float *dslope, float *dscale, float *dshift,
                        const wgdn_norm_state *s, const float *slope, const float *x, wgdn_span n,
                        int64_t d, void *work);

/* ---- channels.c ---- */

/* t = or += weight * aggregate_q prelu(o_q, a) */
void wgdn_channels(float *t, bool add, float weight, wgdn_aggregate how, float *const *o,
                   int channels, float a, int64_t n, int64_t d);
/* o_q becomes its own gradient, given dt; returns the slope's. */
double wgdn_channels_back(float *const *o, float weight, wgdn_aggregate how, int channels, float a,
                          const float *dt, wgdn_span n, int64_t d, void *work);

/* ---- gram.c ---- */

/* Scratch of a loss without its reconstruction (loss.h), n nodes, f features, width h. */
typedef struct wgdn_gram {
    float *gram;    /* h x h: B^T B, then W^T W */
    float *product; /* f x h: W G */
    float *row;     /* h */
    double *column; /* h: B^T 1 */
    float *sampled; /* non-zeros of X: R there, then E */
    float *swapped; /* E in the order of X^T */
    void *tn;       /* wgdn_gram_work() bytes */
} wgdn_gram;

size_t wgdn_gram_work(wgdn_span n, int64_t f, int64_t h);

#endif
