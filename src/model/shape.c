/* SPDX-License-Identifier: Apache-2.0 */
#include "model.h"

/* "0.1,1,10": positive numbers between commas. */
static wgdn_status read_gamma(wgdn_shape *s, const char *text, wgdn_error *err)
{
    const char *at = text;
    s->channels = 0;
    for (;;) {
        double gamma;
        const char *end = wgdn_number_begin(&gamma, at);
        if (!end || !(gamma > 0) || gamma > 1e9 || (*end && *end != ','))
            return wgdn_fail(err, WGDN_EINVAL,
                             "gamma = '%s': numbers above 0 between commas, such as 0.1,1,10",
                             text);
        if (s->channels == WGDN_CHANNELS_MAX)
            return wgdn_fail(err, WGDN_EINVAL, "gamma = '%s': more than %d channels", text,
                             WGDN_CHANNELS_MAX);
        s->gamma[s->channels++] = gamma;
        if (!*end) return WGDN_OK;
        at = end + 1;
    }
}

/* The orders of the kernel, unless the options say otherwise. */
wgdn_status wgdn_shape_from(wgdn_shape *s, const wgdn_train_options *o, int64_t features,
                            const wgdn_kernel *kernel, wgdn_error *err)
{
    if (features < 1 || features > WGDN_COLUMNS_MAX)
        return wgdn_fail(err, WGDN_EINVAL, "model: %lld features; there must be 1 .. %d",
                         (long long)features, WGDN_COLUMNS_MAX);
    if (o->decoder_layers > 1 && o->decoder_layers != o->layers)
        return wgdn_fail(err, WGDN_EINVAL,
                         "decoder-layers = %d: as many as layers (%d), or 1; 0 means the former",
                         o->decoder_layers, o->layers);
    s->features = features;
    s->width = o->dim;
    s->encoder_layers = o->layers;
    s->decoder_layers = o->decoder_layers ? o->decoder_layers : o->layers;
    s->encoder_order = o->encoder_order ? o->encoder_order : wgdn_kernel_encoder_order(kernel);
    s->decoder_order = o->decoder_order ? o->decoder_order : wgdn_kernel_decoder_order(kernel);
    return read_gamma(s, o->gamma, err);
}
