/* SPDX-License-Identifier: Apache-2.0 */
#include "base/streams.h"
#include "model.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void add_view(wgdn_layout *l, int64_t rows, int64_t cols, const char *side, int layer,
                     const char *what)
{
    wgdn_view *v = &l->view[l->views++];
    snprintf(v->name, sizeof v->name, "%s.%d.%s", side, layer, what);
    v->offset = l->size;
    v->rows = rows;
    v->cols = cols;
    l->size += rows * cols;
}

static void add_norm(wgdn_layout *l, const wgdn_shape *s, wgdn_norm norm, const char *side,
                     int layer)
{
    if (norm == WGDN_NORM_NONE) return;
    add_view(l, 1, s->width, side, layer, "norm.scale");
    add_view(l, 1, s->width, side, layer, "norm.shift");
    if (norm == WGDN_NORM_LAYER) return;
    for (int k = 0; k < 2; k++) {
        wgdn_view *v = &l->buffer[l->buffers++];
        snprintf(v->name, sizeof v->name, "%s.%d.norm.%s", side, layer, k ? "variance" : "mean");
        v->offset = l->buffer_size;
        v->rows = 1;
        v->cols = s->width;
        l->buffer_size += s->width;
    }
}

static bool last_is_active(const wgdn_train_options *o)
{
    return o->embedding_activation != 0;
}

void wgdn_layout_make(wgdn_layout *l, const wgdn_shape *s, const wgdn_train_options *o)
{
    memset(l, 0, sizeof *l);
    for (int k = 0; k < s->encoder_layers; k++) {
        add_view(l, k ? s->width : s->features, s->width, "encoder", k, "weight");
        add_view(l, 1, s->width, "encoder", k, "bias");
        add_norm(l, s, o->norm, "encoder", k);
        if (k < s->encoder_layers - 1 || last_is_active(o))
            add_view(l, 1, 1, "encoder", k, "slope");
    }
    for (int k = 0; k < s->decoder_layers; k++) {
        const bool last = k == s->decoder_layers - 1;
        const int64_t out = last ? s->features : s->width;
        for (int c = 0; c < s->channels; c++) {
            char what[32];
            snprintf(what, sizeof what, "channel.%d.weight", c);
            add_view(l, out, s->width, "decoder", k, what);
            snprintf(what, sizeof what, "channel.%d.bias", c);
            add_view(l, 1, out, "decoder", k, what);
        }
        if (s->channels > 1) add_view(l, 1, 1, "decoder", k, "channel.slope");
        if (last) continue;
        add_norm(l, s, o->norm, "decoder", k);
        add_view(l, 1, 1, "decoder", k, "slope");
    }
}

/* Where a view's floats go, by its name; NULL for a name that this struct does not know. */
static float **slot(wgdn_params *p, const char *name)
{
    int layer = 0, channel = 0, used = 0;
    if (sscanf(name, "encoder.%d.%n", &layer, &used) == 1 && used) {
        wgdn_encoder_layer *e = &p->encoder[layer];
        name += used;
        return strcmp(name, "weight") == 0       ? &e->weight
               : strcmp(name, "bias") == 0       ? &e->bias
               : strcmp(name, "norm.scale") == 0 ? &e->scale
               : strcmp(name, "norm.shift") == 0 ? &e->shift
                                                 : &e->slope;
    }
    if (sscanf(name, "decoder.%d.%n", &layer, &used) != 1) return NULL;
    wgdn_decoder_layer *d = &p->decoder[layer];
    name += used;
    used = 0;
    if (sscanf(name, "channel.%d.%n", &channel, &used) == 1 && used)
        return strcmp(name + used, "weight") == 0 ? &d->weight[channel] : &d->bias[channel];
    return strcmp(name, "channel.slope") == 0 ? &d->channel_slope
           : strcmp(name, "norm.scale") == 0  ? &d->scale
           : strcmp(name, "norm.shift") == 0  ? &d->shift
                                              : &d->slope;
}

void wgdn_params_bind(wgdn_params *p, const wgdn_layout *l, float *block)
{
    memset(p, 0, sizeof *p);
    for (int k = 0; k < l->views; k++) {
        float **at = slot(p, l->view[k].name);
        if (at) *at = block + l->view[k].offset;
    }
}

static bool ends_with(const char *text, const char *end)
{
    const size_t a = strlen(text), b = strlen(end);
    return a >= b && strcmp(text + a - b, end) == 0;
}

/*
 * Weights uniform in (-s, s), s = sqrt(6 / (in + out)); biases and shifts 0, norm scales 1, slopes
 * 1/4. Each view draws from its own rows, so a layer's numbers do not depend on the others'.
 */
void wgdn_params_init(float *block, const wgdn_layout *l, uint64_t seed)
{
    for (int k = 0; k < l->views; k++) {
        const wgdn_view *v = &l->view[k];
        float *x = block + v->offset;
        const int64_t count = v->rows * v->cols;
        if (ends_with(v->name, ".weight")) {
            const float s = (float)sqrt(6.0 / (double)(v->rows + v->cols));
            wgdn_random_uniforms(x, v->cols, (wgdn_stream){seed, (uint32_t)k, WGDN_CALL_INIT}, 0,
                                 v->rows, 0, v->cols);
            for (int64_t i = 0; i < count; i++)
                x[i] = (2 * x[i] - 1) * s;
        } else {
            const float start = ends_with(v->name, "slope")   ? 0.25f
                                : ends_with(v->name, "scale") ? 1
                                                              : 0;
            for (int64_t i = 0; i < count; i++)
                x[i] = start;
        }
    }
}
