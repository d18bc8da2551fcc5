/* SPDX-License-Identifier: Apache-2.0 */
/* The layers put together: encoder, decoder, loss, and the way back. */
#include "reference/internal.h"

#include <math.h>
#include <string.h>

static void copy(double *to, const double *from, int64_t count)
{
    memcpy(to, from, (size_t)count * sizeof *to);
}

static const double *encoder_input(const ref_state *s, int l)
{
    return l ? s->encoder[l - 1].H : s->X;
}

static int encoder_in(const ref_state *s, int l)
{
    return l ? s->config.width : s->config.features;
}

/* (mean, variance) of the k-th norm, encoder first; NULL where there is none */
static double *running_of(const ref_config *c, double *buffers, int k)
{
    const bool any = buffers && c->norm == REF_NORM_BATCH;
    return any ? buffers + (int64_t)2 * c->width * k : NULL;
}

/* Layers with a norm or an activation are `width` wide; the last of the decoder has neither. */
void ref_after_forward(const ref_state *s, const ref_after *after, const ref_layer_layout *layer,
                       const double *p, double *running, ref_mode mode)
{
    const int d = s->config.width;
    const int64_t n = s->graph->n;
    if (layer->scale < 0)
        copy(after->V, after->U, n * d);
    else
        ref_norm_forward(after, s->config.norm, p + layer->scale, p + layer->shift,
                         mode == REF_FROZEN ? NULL : running, mode == REF_EVALUATE, n, d);
    if (layer->slope < 0)
        copy(after->H, after->V, n * d);
    else
        ref_prelu(after->H, after->V, p[layer->slope], n * d);
}

void ref_after_back(const ref_state *s, const ref_after *after, const ref_layer_layout *layer,
                    const double *p, double *g, double *D)
{
    const int d = s->config.width;
    const int64_t n = s->graph->n;
    if (layer->slope >= 0) ref_prelu_back(D, g + layer->slope, D, after->V, p[layer->slope], n * d);
    if (layer->scale >= 0)
        ref_norm_back(D, g + layer->scale, g + layer->shift, after, s->config.norm,
                      p + layer->scale, n, d);
}

/* h_{l+1} = act( norm( sum_m c_m L^m (h_l W_l^T + 1 b_l^T) ) ) */
void ref_encode(ref_state *s, const double *p, const double *X, double *buffers, ref_mode mode)
{
    const ref_config *c = &s->config;
    s->X = X;
    for (int l = 0; l < c->encoder_layers; l++) {
        const ref_layer_layout *at = &s->layout.encoder[l];
        ref_linear(s->work[1], encoder_input(s, l), p + at->W[0], p + at->b[0], s->graph->n,
                   encoder_in(s, l), c->width);
        ref_filter(s->encoder[l].U, s->graph, s->work[1], c->width, s->encoder_coefficient,
                   c->encoder_order, s->work[0]);
        ref_after_forward(s, &s->encoder[l], at, p, running_of(c, buffers, l), mode);
    }
}

/* With D = dU: the filter is its own gradient, Q = p(L) D;  dW = Q^T h_l, db = 1^T Q,
 * dh_l += Q W. */
static void encode_back(ref_state *s, const double *p, double *g)
{
    const ref_config *c = &s->config;
    const int64_t n = s->graph->n;
    for (int l = c->encoder_layers - 1; l >= 0; l--) {
        const ref_layer_layout *at = &s->layout.encoder[l];
        double *D = s->dH[l + 1], *Q = s->work[1], *dh = s->work[2];
        ref_after_back(s, &s->encoder[l], at, p, g, D);
        ref_filter(Q, s->graph, D, c->width, s->encoder_coefficient, c->encoder_order, s->work[0]);
        ref_linear_back(g + at->W[0], g + at->b[0], Q, encoder_input(s, l), n, encoder_in(s, l),
                        c->width);
        ref_linear_input(dh, Q, p + at->W[0], n, encoder_in(s, l), c->width);
        for (int64_t i = 0; i < n * encoder_in(s, l); i++)
            s->dH[l][i] += dh[i];
    }
}

/*
 * x = keep h + beta std(h) Z; std over all entries, unbiased, a constant for the gradient:
 * dh = keep dx
 */
static void augment(const ref_state *s, ref_call *call, const double *h, const double *Z,
                    ref_mode mode)
{
    const int64_t size = s->graph->n * s->config.width;
    call->keep = s->keep;
    double mean = 0, square = 0;
    for (int64_t i = 0; i < size; i++)
        mean += h[i] / (double)size;
    for (int64_t i = 0; i < size; i++)
        square += (h[i] - mean) * (h[i] - mean);
    if (mode != REF_FROZEN) call->std = sqrt(square / (double)(size - 1));
    for (int64_t i = 0; i < size; i++)
        call->x[i] = (s->keep ? s->keep[i / s->config.width] : 1) * h[i] +
                     (Z ? s->config.beta * call->std * Z[i] : 0);
}

/*
 * l = 0:      t = Dec_0(aug(h_Le))
 * no skip:    t = Dec_l(d_l)
 * skip:       t = Dec_l(aug(h_{Le-l})) + Dec_l(d_l), or half of it
 */
static bool decode_layer(ref_state *s, int l, const double *p, const double *Z, double *running,
                         ref_mode mode)
{
    const ref_config *c = &s->config;
    ref_decoder_layer *layer = &s->decoder[l];
    const int64_t n = s->graph->n, size = n * ref_decoder_out(c, l);
    const bool aug = l == 0 || c->skip, plain = l > 0;
    const double weight = aug && plain && c->skip == REF_SKIP_MEAN ? 0.5 : 1;
    if (aug) {
        augment(s, &layer->call[0], s->encoder[c->encoder_layers - 1 - l].H, Z, mode);
        if (!ref_call_forward(s, &layer->call[0], l, p, mode)) return false;
    }
    if (plain) {
        copy(layer->call[1].x, s->decoder[l - 1].after.H, n * c->width);
        if (!ref_call_forward(s, &layer->call[1], l, p, mode)) return false;
    }
    for (int64_t i = 0; i < size; i++)
        layer->after.U[i] =
            weight * ((aug ? layer->call[0].R[i] : 0) + (plain ? layer->call[1].R[i] : 0));
    if (l < c->decoder_layers - 1)
        ref_after_forward(s, &layer->after, &s->layout.decoder[l], p, running, mode);
    return true;
}

bool ref_forward(ref_state *s, const double *p, const double *X, const double *const *Z,
                 double *buffers, ref_mode mode)
{
    const ref_config *c = &s->config;
    s->failed_layer = -1;
    ref_encode(s, p, X, buffers, mode);
    for (int l = 0; l < c->decoder_layers; l++)
        if (!decode_layer(s, l, p, Z && (l == 0 || c->skip) ? Z[l] : NULL,
                          running_of(c, buffers, c->encoder_layers + l), mode))
            return false;
    s->reconstruction = s->decoder[c->decoder_layers - 1].after.U;
    s->loss = ref_loss_value(s, NULL);
    return true;
}

/*
 * D = dU of the layer, weighted as the branches were; one Dec's dx goes to h_{Le-l}, the other's
 * back to d_l. The weights serve both, so their gradients add.
 */
static void decode_layer_back(ref_state *s, int l, const double *p, double *g)
{
    const ref_config *c = &s->config;
    ref_decoder_layer *layer = &s->decoder[l];
    const int64_t n = s->graph->n, size = n * ref_decoder_out(c, l);
    double *D = layer->after.H; /* the forward's output is not needed any more */
    if (l < c->decoder_layers - 1) ref_after_back(s, &layer->after, &s->layout.decoder[l], p, g, D);
    for (int64_t i = 0; i < size && l > 0 && c->skip == REF_SKIP_MEAN; i++)
        D[i] *= 0.5;
    if (l == 0 || c->skip)
        ref_call_back(s, &layer->call[0], l, p, g, s->dH[c->encoder_layers - l], D);
    if (l > 0) {
        double *below = s->decoder[l - 1].after.H;
        memset(below, 0, (size_t)(n * c->width) * sizeof *below);
        ref_call_back(s, &layer->call[1], l, p, g, below, D);
    }
}

void ref_backward(ref_state *s, const double *p, double *g)
{
    const ref_config *c = &s->config;
    const int64_t n = s->graph->n;
    memset(g, 0, (size_t)s->layout.size * sizeof *g);
    for (int l = 0; l <= c->encoder_layers; l++)
        memset(s->dH[l], 0, (size_t)(n * (l ? c->width : c->features)) * sizeof **s->dH);
    ref_loss_value(s, s->decoder[c->decoder_layers - 1].after.H);
    for (int l = c->decoder_layers - 1; l >= 0; l--)
        decode_layer_back(s, l, p, g);
    encode_back(s, p, g);
}
