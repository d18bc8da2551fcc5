/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Refinement: the closed form's vectors Z, and what a small network adds to them,
 *
 *     C = Z + W relu(W Z A) B,        W = (D + w)^-1/2 (A + w) (D + w)^-1/2                [refine]
 *
 * w the mean weight of an edge. It learns that two views of the graph, each without some of the
 * edges, give the same vectors, whose columns do not repeat each other. B = 0 at first.
 */
#ifndef WGDN_FIT_REFINE_H
#define WGDN_FIT_REFINE_H

#include "fit.h"

/* ---- a graph whose nodes count among their own neighbors: refine.c ---- */

/*
 * W is a graph whose inv_sqrt_degree counts the loop, and whose inv_degree is w / (d + w): both as
 * wgdn_walk_loop() leaves them. open: of the whole graph, whose rows and halo it borrows. thin:
 * without a random share of the edges, both directions alike; s: of the view. Either has the plain
 * degrees at first, as filters want them, and goes by wgdn_graph_free().
 */
WGDN_MUST_CHECK static inline wgdn_status wgdn_walk_open(wgdn_graph **out, const wgdn_fit_input *in,
                                                         wgdn_error *err)
{
    const wgdn_status st = wgdn_graph_from_rows(out, &in->graph->adjacency, true, err);
    if (!st) (*out)->halo = in->graph->halo;
    return st;
}

WGDN_MUST_CHECK wgdn_status wgdn_walk_thin(wgdn_graph **out, const wgdn_fit_input *in, double share,
                                           wgdn_stream s, wgdn_error *err);
void wgdn_walk_loop(wgdn_graph *w, double loop);
/* w: the mean weight of an edge */
WGDN_MUST_CHECK wgdn_status wgdn_walk_weight(double *w, const wgdn_fit_input *in, wgdn_error *err);
/* Y = W X, Y another matrix than X. */
void wgdn_walk_product(float *y, const wgdn_graph *w, const float *x, int64_t d);

/* ---- two codes that shall agree: refine.c ---- */

typedef struct wgdn_agreement {
    wgdn_span n;
    int64_t d;
    float *code[2];     /* n x d; columns have mean 0 and deviation 1 afterwards */
    float *gradient[2]; /* n x d, of the loss by the codes as they were */
    double *small;      /* wgdn_agreement_doubles(d) */
    void *work;         /* wgdn_agreement_work(n, d) bytes */
} wgdn_agreement;

WGDN_MUST_CHECK wgdn_status wgdn_agreement_make(double *loss, const wgdn_agreement *a,
                                                wgdn_error *err);

static inline size_t wgdn_agreement_doubles(int64_t d)
{
    return (size_t)(2 * d * d + d * d / 2 + 1 + 4 * d);
}

size_t wgdn_agreement_work(wgdn_span n, int64_t d);

/* ---- the network: refine.c ---- */

/* Matrices that it needs for one set of rows. */
typedef struct wgdn_refining {
    wgdn_span n;
    int64_t d;
    const float *in, *out; /* A and B */
    float *hidden, *other; /* relu(W Z A), n x d; scratch, n x d */
} wgdn_refining;

/* code = Z + W relu(W Z A) B; code is another matrix than z. */
WGDN_MUST_CHECK wgdn_status wgdn_refine_forward(float *code, const wgdn_refining *r,
                                                const wgdn_graph *w, const float *z,
                                                wgdn_error *err);
/* Adds the gradient by A and B to da and db, dcode being that by the code, which is used up. */
WGDN_MUST_CHECK wgdn_status wgdn_refine_backward(float *da, float *db, const wgdn_refining *r,
                                                 const wgdn_graph *w, const float *z, float *dcode,
                                                 void *work, wgdn_error *err);

#endif
