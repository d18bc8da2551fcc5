/* SPDX-License-Identifier: Apache-2.0 */
/* Pieces of a layer, between encoder.c, decoder.c and step.c. Matrices are n x d. */
#ifndef WGDN_LAYERS_H
#define WGDN_LAYERS_H

#include "model.h"

/* Scratch for sums over blocks: bytes for any of the calls below. */
size_t wgdn_layers_work(int64_t n, int64_t d);

/* ---- activation.c ---- */

/* y = x > 0 ? x : a x; y may be x. */
void wgdn_prelu(float *y, const float *x, float a, int64_t n, int64_t d);
/* dx = dy * (x > 0 ? 1 : a), dx may be dy; returns da = sum of dy x over x <= 0. */
double wgdn_prelu_back(float *dx, const float *dy, const float *x, float a, int64_t n, int64_t d,
                       void *work);

/* ---- norm.c ---- */

/* What a norm remembers of one forward: per row (layer) or per column (batch). */
typedef struct wgdn_norm_state {
    wgdn_norm kind;
    const float *scale, *shift;
    float *mean, *inv; /* n each for layer, d each for batch */
} wgdn_norm_state;

/* Estimate mean and inverse deviation of x into the state; batch: and move the running averages. */
void wgdn_norm_estimate(wgdn_norm_state *s, const float *x, int64_t n, int64_t d,
                        float *running_mean, float *running_variance, void *work);
/* For embedding with BatchNorm: the running averages instead. */
void wgdn_norm_from_running(wgdn_norm_state *s, const float *running_mean,
                            const float *running_variance, int64_t d);
/* y = scale (x - mean) inv + shift; y may be x. Kind none copies. */
void wgdn_norm_apply(float *y, const wgdn_norm_state *s, const float *x, int64_t n, int64_t d);
/* dx from dy and x (what went in), and dscale, dshift; dx may be dy. */
void wgdn_norm_back(float *dx, float *dscale, float *dshift, const wgdn_norm_state *s,
                    const float *dy, const float *x, int64_t n, int64_t d, void *work);

/* ---- channels.c ---- */

/* t = or += weight * aggregate_q prelu(o_q, a) */
void wgdn_channels(float *t, bool add, float weight, wgdn_aggregate how, float *const *o,
                   int channels, float a, int64_t n, int64_t d);
/* o_q becomes its own gradient, given dt; returns the slope's. */
double wgdn_channels_back(float *const *o, float weight, wgdn_aggregate how, int channels, float a,
                          const float *dt, int64_t n, int64_t d, void *work);

/* ---- loss.c ---- */

/* Loss of a reconstruction R (n x f), which becomes its own gradient. */
double wgdn_loss_dense(float *r, const wgdn_input *in, const wgdn_train_options *o, void *work);

/* ---- gram.c ---- */

/* Scratch of the loss below, n nodes, f features, width h. */
typedef struct wgdn_gram {
    float *gram;    /* h x h: B^T B, then W^T W */
    float *product; /* f x h: W G */
    float *row;     /* h */
    double *column; /* h: B^T 1 */
    float *sampled; /* non-zeros of X: R there, then E */
    float *swapped; /* E in the order of X^T */
    void *tn;       /* wgdn_gram_work() bytes */
} wgdn_gram;

size_t wgdn_gram_work(int64_t n, int64_t f, int64_t h);

/* Loss of R = B W^T + 1 (k b)^T without R, and dW (f x h), db (f), dB (n x h). */
WGDN_MUST_CHECK wgdn_status wgdn_loss_gram(double *loss, float *dw, float *db, float *dbig,
                                           const float *big, const float *w, const float *b,
                                           float k, const wgdn_input *in, int64_t h,
                                           const wgdn_train_options *o, const wgdn_gram *at,
                                           void *work, wgdn_error *err);

#endif
