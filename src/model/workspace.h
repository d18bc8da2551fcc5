/* SPDX-License-Identifier: Apache-2.0 */
/* The buffers of a step, planned once. Each field states how long it lives. */
#ifndef WGDN_MODEL_WORKSPACE_H
#define WGDN_MODEL_WORKSPACE_H

#include "layers.h"

/* Of an encoder layer: v = P(L)(h W + 1 b^T), from which h' = prelu(norm(v)) is made anew. */
typedef struct wgdn_encoder_saved {
    float *v; /* n x width */
    wgdn_norm_state norm;
} wgdn_encoder_saved;

/*
 * Of a decoder layer. One channel: B, the filtered inputs of all branches added, since the layer is
 * linear in it. Several: the filtered input and the product of every branch and channel. A narrow
 * layer keeps the products alone.
 */
typedef struct wgdn_decoder_saved {
    int branches;
    wgdn_dec_call call[WGDN_BRANCHES_MAX];
    float *big; /* n x width; of a narrow layer n x out: x W^T, and its gradient filtered */
    float *filtered[WGDN_BRANCHES_MAX][WGDN_CHANNELS_MAX]; /* n x width each */
    float *product[WGDN_BRANCHES_MAX][WGDN_CHANNELS_MAX];  /* n x out each */
    float *t; /* n x out, before norm; the last layer's is R, or NULL when R is never formed */
    wgdn_norm_state norm;
} wgdn_decoder_saved;

struct wgdn_workspace {
    wgdn_span rows; /* n of them are here */
    wgdn_encoder_saved encoder[WGDN_LAYERS_MAX];
    wgdn_decoder_saved decoder[WGDN_LAYERS_MAX];
    float *input; /* n x width: what a layer is fed with, made anew when needed */
    float *other; /* n x width: dB; lies on input, which forward alone needs */
    float *dh;    /* n x width: a gradient on its way down; on R or the last products if it fits */
    float *skip[WGDN_LAYERS_MAX]; /* n x width: gradient of an encoder output from its branch */
    float *powers, *powers_back;  /* of the filters, forward and backward */
    size_t front;                 /* floats of them before dh and the last B, if they lie there */
    void *sums;                   /* of everything that adds up over nodes */
    void *tn;                     /* of sparse products with a factor transposed */
    void *dense;                  /* of dense products; in fp32 the same place */
    wgdn_precision precision;     /* of dense products and of the filters of one result */
    float factor;                 /* what the last layer's dt is still to be multiplied by */
    bool recompute;               /* decoder layers share what they are filtered into */
    wgdn_last last;               /* never auto */
    wgdn_gram gram;
    wgdn_graph thin; /* the graph without the edges that the step drops; its arrays are below */
    float *block;    /* all of the above */
};

/* C = op(A) op(B) over the rows of the workspace, in its precision and with its scratch. */
static inline wgdn_product wgdn_workspace_product(const wgdn_workspace *w, float *c, const float *a,
                                                  const float *b, int64_t k, int64_t m)
{
    wgdn_product p = wgdn_product_of(c, a, b, w->rows, k, m);
    p.precision = w->precision;
    p.work = w->dense;
    return p;
}

#endif
