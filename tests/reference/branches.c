/* SPDX-License-Identifier: Apache-2.0 */
/* On which smooth piece of the loss a forward was. */
#include "reference/internal.h"

static uint64_t mix(uint64_t hash, int branch) /* FNV-1a */
{
    return (hash ^ (uint64_t)branch) * UINT64_C(1099511628211);
}

static uint64_t mix_signs(uint64_t hash, const double *x, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        hash = mix(hash, x[i] > 0);
    return hash;
}

static uint64_t mix_call(uint64_t hash, const ref_state *s, const ref_call *call, double slope,
                         int64_t size)
{
    for (int q = 0; q < s->config.channels; q++)
        hash = mix_signs(hash, call->O[q], size);
    for (int64_t i = 0; i < size && s->config.aggregate == REF_MAX; i++)
        hash = mix(hash, ref_winner(s, call, slope, i));
    return hash;
}

uint64_t ref_branches(const ref_state *s, const double *p)
{
    const ref_config *c = &s->config;
    const int64_t n = s->graph->n;
    uint64_t hash = UINT64_C(14695981039346656037);
    for (int l = 0; l < c->encoder_layers; l++)
        if (s->layout.encoder[l].slope >= 0) hash = mix_signs(hash, s->encoder[l].V, n * c->width);
    for (int l = 0; l < c->decoder_layers; l++) {
        const int64_t size = n * ref_decoder_out(c, l);
        const double slope = p[s->layout.decoder[l].channel_slope];
        for (int k = 0; k < 2 && c->channels > 1; k++)
            hash = mix_call(hash, s, &s->decoder[l].call[k], slope, size);
        if (l < c->decoder_layers - 1) hash = mix_signs(hash, s->decoder[l].after.V, n * c->width);
    }
    return hash;
}
