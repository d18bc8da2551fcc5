/* SPDX-License-Identifier: Apache-2.0 */
/* Memory of one model on one graph. */
#include "reference/internal.h"

#include <stdlib.h>

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
