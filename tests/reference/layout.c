/* SPDX-License-Identifier: Apache-2.0 */
/* What a model's block of parameters holds, and where. */
#include "reference/internal.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

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
