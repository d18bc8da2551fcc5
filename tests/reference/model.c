/* SPDX-License-Identifier: Apache-2.0 */
/* The layers put together: parameters, memory, encoder, decoder, loss, and the way back. */
#include "reference/internal.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- layout ---- */

/* What a model's block of parameters holds, and where. */

void ref_config_init(ref_config *c, ref_kernel kernel, int features, int width)
{
    *c = (ref_config){
        .kernel = kernel,
        .parameter = kernel == REF_PPR ? 0.2 : 1,
        .encoder_layers = 2,
        .decoder_layers = 2,
        .encoder_order = kernel == REF_GCN ? 1 : 2,
        .decoder_order = kernel == REF_GCN ? 9 : 2,
        .features = features,
        .width = width,
        .channels = 1,
        .gamma = {1},
        .balanced = true,
        .decoder = REF_WIENER,
    };
}

static bool in_range(const ref_config *c)
{
    return c->encoder_layers >= 1 && c->encoder_layers <= REF_LAYERS && c->decoder_layers >= 1 &&
           c->decoder_layers <= c->encoder_layers && c->encoder_order >= 1 &&
           c->encoder_order <= REF_ORDER && c->decoder_order >= 0 &&
           c->decoder_order <= REF_ORDER && c->features >= 1 && c->width >= 1 && c->channels >= 1 &&
           c->channels <= REF_CHANNELS && c->decoder != REF_FORWARD;
}

__attribute__((format(printf, 4, 5))) static int64_t add(ref_layout *l, int rows, int cols,
                                                         const char *format, ...)
{
    ref_slice *s = &l->slice[l->count++];
    va_list args;
    *s = (ref_slice){.offset = l->size, .rows = rows, .cols = cols};
    va_start(args, format);
    vsnprintf(s->name, sizeof s->name, format, args);
    va_end(args);
    l->size += (int64_t)rows * cols;
    return s->offset;
}

static void add_encoder(ref_layout *l, const ref_config *c)
{
    const int activated = c->encoder_layers - (c->embedding_activation ? 0 : 1);
    for (int k = 0; k < c->encoder_layers; k++) {
        const int in = k ? c->width : c->features;
        l->encoder[k].W[0] = add(l, c->width, in, "encoder.encs.%d.lin.weight", k);
        l->encoder[k].b[0] = add(l, 1, c->width, "encoder.encs.%d.lin.bias", k);
    }
    for (int k = 0; k < activated; k++)
        l->encoder[k].slope = add(l, 1, 1, "encoder.enc_acts.%d.weight", k);
    for (int k = 0; k < c->encoder_layers && c->norm; k++) {
        l->encoder[k].scale = add(l, 1, c->width, "encoder.enc_norms.%d.weight", k);
        l->encoder[k].shift = add(l, 1, c->width, "encoder.enc_norms.%d.bias", k);
    }
}

/* The channels' slope is there with one channel too, unused, as in the golden file. */
static void add_decoder(ref_layout *l, const ref_config *c)
{
    for (int k = 0; k < c->decoder_layers; k++) {
        const int out = ref_decoder_out(c, k);
        l->decoder[k].channel_slope = add(l, 1, 1, "decoder.decs.%d.act.weight", k);
        for (int q = 0; q < c->channels; q++) {
            l->decoder[k].W[q] = add(l, out, c->width, "decoder.decs.%d.lin.%d.weight", k, q);
            l->decoder[k].b[q] = add(l, 1, out, "decoder.decs.%d.lin.%d.bias", k, q);
        }
    }
    for (int k = 0; k < c->decoder_layers - 1; k++)
        l->decoder[k].slope = add(l, 1, 1, "decoder.dec_acts.%d.weight", k);
    for (int k = 0; k < c->decoder_layers - 1 && c->norm; k++) {
        l->decoder[k].scale = add(l, 1, c->width, "decoder.dec_norms.%d.weight", k);
        l->decoder[k].shift = add(l, 1, c->width, "decoder.dec_norms.%d.bias", k);
    }
}

bool ref_layout_init(ref_layout *l, const ref_config *c)
{
    if (!in_range(c)) return false;
    memset(l, 0, sizeof *l);
    memset(l->encoder, 0xff, sizeof l->encoder); /* -1: there is none */
    memset(l->decoder, 0xff, sizeof l->decoder);
    add_encoder(l, c);
    add_decoder(l, c);
    return true;
}

int64_t ref_buffers_size(const ref_config *c)
{
    if (c->norm != REF_NORM_BATCH) return 0;
    return (int64_t)2 * c->width * (c->encoder_layers + c->decoder_layers - 1);
}

void ref_buffers_init(double *buffers, const ref_config *c)
{
    for (int64_t i = 0; i < ref_buffers_size(c); i++)
        buffers[i] = (i / c->width) % 2; /* mean 0, variance 1 */
}

/* ---- state ---- */

/* Memory of one model on one graph. */

/* count zeros that belong to the state; NULL is noticed once, at the end of ref_state_new(). */
static double *take(ref_state *s, int64_t count)
{
    double *block = s->blocks < REF_BLOCKS ? calloc((size_t)count, sizeof *block) : NULL;
    s->owned[s->blocks < REF_BLOCKS ? s->blocks++ : 0] = block;
    return block;
}

static void take_after(ref_state *s, ref_after *after, int d)
{
    const int64_t n = s->graph->n, size = n * d;
    after->U = take(s, size);
    after->unit = take(s, size);
    after->inverse = take(s, n > d ? n : d);
    after->V = take(s, size);
    after->H = take(s, size);
}

static void take_call(ref_state *s, ref_call *call, int in, int out)
{
    const int64_t n = s->graph->n;
    call->x = take(s, n * in);
    call->R = take(s, n * out);
    for (int q = 0; q < s->config.channels; q++) {
        call->B[q] = take(s, n * in);
        call->O[q] = take(s, n * out);
    }
}

static void take_all(ref_state *s)
{
    const ref_config *c = &s->config;
    const int64_t n = s->graph->n, widest = c->features > c->width ? c->features : c->width;
    for (int l = 0; l < c->encoder_layers; l++)
        take_after(s, &s->encoder[l], c->width);
    for (int l = 0; l <= c->encoder_layers; l++)
        s->dH[l] = take(s, n * (l ? c->width : c->features));
    for (int l = 0; l < c->decoder_layers; l++) {
        const int out = ref_decoder_out(c, l);
        take_after(s, &s->decoder[l].after, out);
        take_call(s, &s->decoder[l].call[0], c->width, out);
        take_call(s, &s->decoder[l].call[1], c->width, out);
    }
    for (int k = 0; k < 4; k++)
        s->work[k] = take(s, n * widest * (k ? 1 : 2));
}

static bool complete(const ref_state *s)
{
    if (s->blocks == REF_BLOCKS) return false;
    for (int k = 0; k < s->blocks; k++)
        if (!s->owned[k]) return false;
    return true;
}

/* A gcn encoder is 1 - x itself, to the last bit: isolated nodes are exactly 0. */
static bool set_encoder(ref_state *s)
{
    const ref_config *c = &s->config;
    double *out = s->encoder_coefficient;
    if (c->kernel == REF_GCN) {
        out[0] = 1;
        out[1] = -1;
        return true;
    }
    return ref_coefficients(out, c->encoder_order, c->kernel, c->parameter, REF_FORWARD, 0);
}

ref_state *ref_state_new(const ref_config *c, const ref_graph *g)
{
    ref_state *s = calloc(1, sizeof *s);
    if (!s) return NULL;
    s->config = *c;
    s->graph = s->decoding = g;
    if (!ref_layout_init(&s->layout, c) || !set_encoder(s)) goto fail;
    take_all(s);
    if (complete(s)) return s;
fail:
    ref_state_free(s);
    return NULL;
}

void ref_state_free(ref_state *s)
{
    if (!s) return;
    for (int k = 0; k < s->blocks; k++)
        free(s->owned[k]);
    free(s);
}

/* ---- model ---- */

/* The layers put together: encoder, decoder, loss, and the way back. */

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
