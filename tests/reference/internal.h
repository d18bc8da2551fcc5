/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of the reference share. A gradient is the name with a d in front. */
#ifndef WGDN_REFERENCE_INTERNAL_H
#define WGDN_REFERENCE_INTERNAL_H

#include "reference/reference.h"

/* Y = X W^T + 1 b^T: X n x in, Y n x out. */
void ref_linear(double *Y, const double *X, const double *W, const double *b, int64_t n, int in,
                int out);
/* dW += dY^T X, db += 1^T dY; and dX = dY W. */
void ref_linear_back(double *dW, double *db, const double *dY, const double *X, int64_t n, int in,
                     int out);
void ref_linear_input(double *dX, const double *dY, const double *W, int64_t n, int in, int out);

/* y = x > 0 ? x : a x */
void ref_prelu(double *y, const double *x, double a, int64_t count);
/* dx = dy (x > 0 ? 1 : a), *da += sum over x <= 0 of dy x. dx may be dy. */
void ref_prelu_back(double *dx, double *da, const double *dy, const double *x, double a,
                    int64_t count);

/* after->V of after->U; `running` (mean, variance) is moved, or used when evaluating; or NULL. */
void ref_norm_forward(const ref_after *after, ref_norm kind, const double *scale,
                      const double *shift, double *running, bool evaluate, int64_t n, int d);
/* dU of dV, in place in D; dscale and dshift are added to. */
void ref_norm_back(double *D, double *dscale, double *dshift, const ref_after *after, ref_norm kind,
                   const double *scale, int64_t n, int d);

/* Loss of s->reconstruction, and dR when it is not NULL. */
double ref_loss_value(const ref_state *s, double *dR);

/* Everything that follows a filter or a Dec: H = act(norm(U)). Slope NULL: no activation. */
void ref_after_forward(const ref_state *s, const ref_after *after, const ref_layer_layout *layer,
                       const double *p, double *running, ref_mode mode);
/* dU of dH, in place in D. */
void ref_after_back(const ref_state *s, const ref_after *after, const ref_layer_layout *layer,
                    const double *p, double *g, double *D);

/* Dec of layer l on call->x, into call->R; false when its statistics cannot be used. */
bool ref_call_forward(ref_state *s, ref_call *call, int l, const double *p, ref_mode mode);
/* dx += the gradient through Dec of dR; weights' gradients are added to g. */
void ref_call_back(ref_state *s, const ref_call *call, int l, const double *p, double *g,
                   double *dx, const double *dR);
/* The channel that max took at entry i of the call: the first largest PReLU(o_c). */
int ref_winner(const ref_state *s, const ref_call *call, double slope, int64_t i);

static inline int ref_decoder_out(const ref_config *c, int l)
{
    return l == c->decoder_layers - 1 ? c->features : c->width;
}

#endif
