/* SPDX-License-Identifier: Apache-2.0 */
/* The fast model beside the reference: configurations, parameters and graphs of
 * one as the other's. */
#ifndef WGDN_MODEL_SUPPORT_H
#define WGDN_MODEL_SUPPORT_H

#include "model/encoder.h"
#include "reference/reference.h"
#include "support.h"

static inline wgdn_train_options options_of(const ref_config *c, ref_average average)
{
    static const char *const kernels[] = {"gcn", "heat", "ppr"};
    wgdn_train_options o;
    size_t used = 0;
    wgdn_train_options_init(&o);
    snprintf(o.kernel, sizeof o.kernel, "%s%s", kernels[c->kernel], "");
    if (c->kernel == REF_HEAT) snprintf(o.kernel, sizeof o.kernel, "heat:t=%.17g", c->parameter);
    if (c->kernel == REF_PPR) snprintf(o.kernel, sizeof o.kernel, "ppr:alpha=%.17g", c->parameter);
    for (int q = 0; q < c->channels; q++)
        used += (size_t)snprintf(o.gamma + used, sizeof o.gamma - used, "%s%.17g", q ? "," : "",
                                 c->gamma[q]);
    o.dim = c->width;
    o.layers = c->encoder_layers;
    o.decoder_layers = c->decoder_layers;
    o.encoder_order = c->encoder_order;
    o.decoder_order = c->decoder_order;
    o.aggregate = (wgdn_aggregate)c->aggregate;
    o.skip = (wgdn_skip)c->skip;
    o.norm = (wgdn_norm)c->norm;
    o.embedding_activation = c->embedding_activation;
    o.average = (wgdn_average)average;
    o.decoder = c->decoder == REF_INVERSE ? WGDN_DECODER_INVERSE : WGDN_DECODER_WIENER;
    o.loss = (wgdn_loss)c->loss;
    o.balance = c->balanced ? WGDN_BALANCE_BALANCED : WGDN_BALANCE_PLAIN;
    o.beta = c->beta;
    return o;
}

/* One array of ours and its place in the reference's block; the
 * encoder's weights lie transposed. */
typedef void (*pair_call)(float *ours, double *theirs, int64_t rows, int64_t cols, bool transposed,
                          void *context);

static inline void pair_up(pair_call call, void *context, const wgdn_params *p, double *block,
                           const ref_config *c, const ref_layout *l)
{
    const int64_t h = c->width;
#define PAIR(ours, offset, rows, cols, transposed)                               \
    do {                                                                         \
        CHECK(((ours) != NULL) == ((offset) >= 0));                              \
        if (ours) call(ours, block + (offset), rows, cols, transposed, context); \
    } while (0)
    for (int k = 0; k < c->encoder_layers; k++) {
        const ref_layer_layout *r = &l->encoder[k];
        const wgdn_encoder_layer *e = &p->encoder[k];
        PAIR(e->weight, r->W[0], h, k ? h : c->features, true);
        PAIR(e->bias, r->b[0], 1, h, false);
        PAIR(e->scale, r->scale, 1, h, false);
        PAIR(e->shift, r->shift, 1, h, false);
        PAIR(e->slope, r->slope, 1, 1, false);
    }
    for (int k = 0; k < c->decoder_layers; k++) {
        const ref_layer_layout *r = &l->decoder[k];
        const wgdn_decoder_layer *d = &p->decoder[k];
        const int64_t out = k == c->decoder_layers - 1 ? c->features : h;
        for (int q = 0; q < c->channels; q++) {
            PAIR(d->weight[q], r->W[q], out, h, false);
            PAIR(d->bias[q], r->b[q], 1, out, false);
        }
        /* The reference has a channel slope for a single channel too, without use. */
        if (c->channels > 1) PAIR(d->channel_slope, r->channel_slope, 1, 1, false);
        PAIR(d->scale, r->scale, 1, h, false);
        PAIR(d->shift, r->shift, 1, h, false);
        PAIR(d->slope, r->slope, 1, 1, false);
    }
#undef PAIR
}

static inline int64_t other_index(int64_t i, int64_t rows, int64_t cols, bool transposed)
{
    return transposed ? i % cols * rows + i / cols : i;
}

static inline void copy_to_ours(float *ours, double *theirs, int64_t rows, int64_t cols,
                                bool transposed, void *context)
{
    (void)context;
    for (int64_t i = 0; i < rows * cols; i++)
        ours[other_index(i, rows, cols, transposed)] = (float)theirs[i];
}

/* What compare_arrays is told: tolerances relative to the largest entry of the array, and plain. */
typedef struct pair_tolerance {
    double own, plain;
    const double *block, *grad; /* parameters after steps of Adam, and the first gradient */
    double largest;             /* of that gradient */
    double steps;               /* steps x rate */
} pair_tolerance;

/*
 * Adam divides a gradient by its own size, so a gradient of float rounding (2e-6 of the largest
 * one, through all layers) moves its parameter by a whole rate in any direction; one of a healthy
 * size is off by the quotient of the two.
 */
static inline double adam_slack(const pair_tolerance *t, const double *theirs)
{
    const double g = fabs(t->grad[theirs - t->block]);
    return t->steps * fmin(2, 2e-6 * t->largest / fmax(g, 1e-30));
}

static inline void compare_arrays(float *ours, double *theirs, int64_t rows, int64_t cols,
                                  bool transposed, void *context)
{
    const pair_tolerance *t = context;
    double most = 0;
    for (int64_t i = 0; i < rows * cols; i++)
        most = fmax(most, fabs(theirs[i]));
    for (int64_t i = 0; i < rows * cols; i++)
        CHECK_NEAR(ours[other_index(i, rows, cols, transposed)], theirs[i],
                   t->own * most + t->plain + (t->grad ? adam_slack(t, theirs + i) : 0));
}

/* X in compressed rows, zeros left out; free with wgdn_csr_free. */
static inline wgdn_csr sparse_of(const float *x, int64_t n, int64_t f)
{
    wgdn_csr a = {.rows = n, .cols = f};
    int64_t at = 0;
    a.offset = wgdn_alloc_zero((size_t)n + 1, sizeof *a.offset);
    a.column = wgdn_alloc((size_t)(n * f), sizeof *a.column);
    a.value = wgdn_alloc((size_t)(n * f), sizeof *a.value);
    for (int64_t i = 0; i < n; i++) {
        for (int64_t j = 0; j < f; j++)
            if (x[i * f + j] != 0) {
                a.column[at] = (int32_t)j;
                a.value[at++] = x[i * f + j];
            }
        a.offset[i + 1] = at;
    }
    return a;
}

#endif
