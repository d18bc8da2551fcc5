/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Implements the model handle: it checks the options, plans kernels and filters, and lays out and
 * initializes the parameters. The trainer, the file reader and the public calls work on this handle; a fitted
 * closed form is wrapped in it, too.
 */
#include "model.h"
#include "base/streams.h"
#include "data/reading.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* "0.1,1,10": positive numbers between commas. */
static wgdn_status read_gamma(wgdn_shape *s, const char *text, wgdn_error *err)
{
    const char *at = text;
    s->channels = 0;
    for (;;) {
        double gamma;
        const char *end = wgdn_number_begin(&gamma, at);
        if (!end || !(gamma > 0) || gamma > 1e9 || (*end && *end != ','))
            return wgdn_fail(
                err, WGDN_EINVAL,
                "gamma = '%s': must be numbers above 0, separated by commas, as in 0.1,1,10", text);
        if (s->channels == WGDN_CHANNELS_MAX)
            return wgdn_fail(err, WGDN_EINVAL, "gamma = '%s': more than %d numbers; leave some out",
                             text, WGDN_CHANNELS_MAX);
        s->gamma[s->channels++] = gamma;
        if (!*end) return WGDN_OK;
        at = end + 1;
    }
}

/* The orders of the kernel, unless the options set others. */
static wgdn_status read_shape(wgdn_shape *s, const wgdn_train_options *o, int64_t features,
                              const wgdn_kernel *kernel, wgdn_error *err)
{
    if (features < 1 || features > WGDN_COLUMNS_MAX)
        return wgdn_fail(err, WGDN_EINVAL, "model: %lld columns of features; there must be 1 to %d",
                         (long long)features, WGDN_COLUMNS_MAX);
    if (o->decoder_layers > 1 && o->decoder_layers != o->layers)
        return wgdn_fail(err, WGDN_EINVAL,
                         "decoder-layers = %d: must be 1 or layers (%d); 0 means layers",
                         o->decoder_layers, o->layers);
    s->features = features;
    s->width = o->dim;
    s->encoder_layers = o->layers;
    s->decoder_layers = o->decoder_layers ? o->decoder_layers : o->layers;
    s->encoder_order = o->encoder_order ? o->encoder_order : wgdn_kernel_encoder_order(kernel);
    s->decoder_order = o->decoder_order ? o->decoder_order : wgdn_kernel_decoder_order(kernel);
    return read_gamma(s, o->gamma, err);
}

/* P as a series, and what the decoder's response is fitted with. */
static wgdn_status make_filters(wgdn_model *m, wgdn_error *err)
{
    const wgdn_shape *s = &m->shape;
    double *a = m->fixed_a;
    wgdn_status st =
        wgdn_approximate_any(m->encoder_a, s->encoder_order, WGDN_APPROXIMATION_ONE_STEP,
                             wgdn_kernel_response, m->kernel, err);
    if (!st) st = wgdn_approximator_new(&m->fit, s->decoder_order, err);
    if (!st && !m->response->estimates)
        st = wgdn_response_series(&a, m->fit, m->response->response, m->kernel, &(double){0}, 1,
                                  err);
    return st;
}

/* What the options name, by their tables. */
static wgdn_status find_forms(wgdn_model *m, wgdn_error *err)
{
    m->loss = wgdn_loss_form_get((int)m->options.loss);
    m->response = wgdn_response_form_get((int)m->options.decoder);
    if (!m->loss || !m->response)
        return wgdn_fail(
            err, WGDN_EINVAL,
            "model: loss %d or decoder %d is unknown; use the enumerators of wgdn/train.h",
            (int)m->options.loss, (int)m->options.decoder);
    return WGDN_OK;
}

/* Lays out the parameters: names, places and first values. */

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

static void make_layout(wgdn_layout *l, const wgdn_shape *s, const wgdn_train_options *o)
{
    memset(l, 0, sizeof *l);
    for (int k = 0; k < s->encoder_layers; k++) {
        add_view(l, k ? s->width : s->features, s->width, "encoder", k, "weight");
        add_view(l, 1, s->width, "encoder", k, "bias");
        add_norm(l, s, o->norm, "encoder", k);
        if (k < s->encoder_layers - 1 || o->embedding_activation)
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
static void init_params(float *block, const wgdn_layout *l, uint64_t seed)
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

wgdn_status wgdn_model_plan(wgdn_model **out, const wgdn_train_options *o, int64_t features,
                            wgdn_error *err)
{
    wgdn_model *m = wgdn_alloc_zero(1, sizeof *m);
    wgdn_status st;
    if (!m) return wgdn_fail(err, WGDN_ENOMEM, "a model");
    st = wgdn_options_read(&m->options, o, WGDN_OPTIONS_KIND_TRAIN, err);
    if (!st) st = find_forms(m, err);
    if (!st) st = wgdn_kernel_parse(&m->kernel, m->options.kernel, err);
    if (!st) st = read_shape(&m->shape, &m->options, features, m->kernel, err);
    if (!st) st = make_filters(m, err);
    if (st) {
        wgdn_model_free(m);
        return st;
    }
    make_layout(&m->layout, &m->shape, &m->options);
    *out = m;
    return WGDN_OK;
}

wgdn_status wgdn_model_fill(wgdn_model *m, wgdn_error *err)
{
    m->param = wgdn_alloc((size_t)m->layout.size, sizeof *m->param);
    if (m->layout.buffers) m->buffer = wgdn_alloc((size_t)m->layout.buffer_size, sizeof *m->buffer);
    if (!m->param || (m->layout.buffers && !m->buffer))
        return wgdn_fail(err, WGDN_ENOMEM, "model: %lld parameters", (long long)m->layout.size);
    wgdn_params_bind(&m->at, &m->layout, m->param);
    for (int k = 0; k < m->layout.buffers; k++) /* means 0, variances 1 */
        for (int64_t j = 0; j < m->shape.width; j++)
            m->buffer[m->layout.buffer[k].offset + j] = (float)(k % 2);
    return WGDN_OK;
}

wgdn_status wgdn_model_make(wgdn_model **out, const wgdn_train_options *o, int64_t features,
                            wgdn_error *err)
{
    wgdn_model *m = NULL;
    wgdn_status st = wgdn_model_plan(&m, o, features, err);
    if (!st) st = wgdn_model_fill(m, err);
    if (st) {
        wgdn_model_free(m);
        return st;
    }
    init_params(m->param, &m->layout, m->options.seed);
    *out = m;
    return WGDN_OK;
}

void wgdn_model_free(wgdn_model *m)
{
    if (!m) return;
    wgdn_release(m->reading);
    wgdn_release(m->encoding);
    wgdn_fitted_free(m->fitted);
    wgdn_release(m->buffer);
    wgdn_release(m->param);
    wgdn_approximator_free(m->fit);
    wgdn_kernel_free(m->kernel);
    wgdn_release(m);
}

/*
 * Checks whether a model is sound: its numbers are finite, and its encoder keeps enough directions.
 */

static int64_t count_not_finite(const float *x, int64_t count)
{
    int64_t bad = 0;
    for (int64_t i = 0; i < count; i++)
        bad += !isfinite(x[i]);
    return bad;
}

/*
 * (sum s)^2 / sum s^2 over the squared singular values s of W, rows x cols: 1 for one direction,
 * cols for all alike. sum s is the trace of G = W^T W, sum s^2 its squared norm.
 */
static double effective_rank(const float *w, int64_t rows, int64_t cols, double *room)
{
    double trace = 0, squares = 0;
    for (int64_t i = 0; i < cols * cols; i++)
        room[i] = 0;
    for (int64_t r = 0; r < rows; r++)
        for (int64_t i = 0; i < cols; i++)
            for (int64_t j = 0; j <= i; j++)
                room[i * cols + j] += (double)w[r * cols + i] * (double)w[r * cols + j];
    for (int64_t i = 0; i < cols; i++)
        for (int64_t j = 0; j <= i; j++) {
            const double g = room[i * cols + j];
            trace += i == j ? g : 0;
            squares += (i == j ? 1 : 2) * g * g;
        }
    return squares > 0 ? trace * trace / squares : 0;
}

/* Parameters, and what is wrong with them. */
static void examine(wgdn_model_info *info, const wgdn_model *m)
{
    enum { WIDTH_MAX = 1024, ROWS_MAX = 4096 }; /* beyond it takes longer than a glance */
    const wgdn_fitted *f = m->fitted;
    for (int i = 0; f && i < f->parts; i++) {
        const wgdn_fitted_part *p = &f->part[i];
        if (p->basis) info->parameters += p->rows * wgdn_basis_columns(f, p);
        if (p->map) info->parameters += (p->inner + 1) * p->dim;
    }
    if (f && f->refined.in) info->parameters += 2 * wgdn_fitted_width(f) * wgdn_fitted_width(f);
    if (f) return; /* readers refuse what is not finite */
    const int64_t width = m->shape.width, last = m->shape.encoder_layers - 1;
    const int64_t rows = last > 0 ? width : m->shape.features;
    info->parameters = m->layout.size;
    info->not_finite = count_not_finite(m->param, m->layout.size);
    if (info->not_finite || width > WIDTH_MAX || rows > ROWS_MAX) return;
    double *room = wgdn_alloc((size_t)(width * width), sizeof *room);
    if (room) info->rank = effective_rank(m->at.encoder[last].weight, rows, width, room);
    wgdn_release(room);
}

void wgdn_model_describe(wgdn_model_info *info, const wgdn_model *m)
{
    const wgdn_fitted *f = m->fitted;
    const wgdn_origin *o = f ? &f->origin : &m->origin;
    wgdn_model_info asked = {0};
    wgdn_result_ask(&asked, info, sizeof asked);
    wgdn_model_info made = {.method = f ? WGDN_METHOD_FITTED : WGDN_METHOD_TRAINED,
                            .dim = f ? wgdn_fitted_dim(f) : m->shape.width,
                            .features = f ? f->features : m->shape.features,
                            .train = f ? NULL : &m->options,
                            .fit = f ? &f->options : NULL,
                            .encoding = m->encoding,
                            .nodes = o->nodes,
                            .edges = o->edges,
                            .graphs = o->graphs,
                            .step = m->at_run.step,
                            .steps = m->at_run.steps,
                            .seconds = m->at_run.seconds,
                            .data = m->at_run.data,
                            .examine = asked.examine,
                            .epochs = m->end.epochs,
                            .best_epoch = m->end.best_epoch,
                            .held_out = m->end.held_out,
                            .known = f ? f->known : 0,
                            .reading = m->reading,
                            .has_ids = f && f->holds_ids};
    if (asked.examine) examine(&made, m);
    (void)wgdn_result_give(info, &made, sizeof made, NULL);
}

/* Wraps the closed form as a model. */

wgdn_status wgdn_model_fit(wgdn_model **out, const wgdn_dataset *d, const wgdn_fit_options *o,
                           wgdn_error *err)
{
    wgdn_fit_options opt;
    wgdn_fitted *f = NULL;
    wgdn_model *m = NULL;
    wgdn_status st = wgdn_options_read(&opt, o, WGDN_OPTIONS_KIND_FIT, err);
    if (st) return st;
    const int former = wgdn_threads_use(opt.threads);
    const bool asked = wgdn_stop_enter(!wgdn_dataset_ranks(d));
    st = wgdn_fitted_make(&f, d, &opt, err);
    st = wgdn_stop_leave(asked, st, err);
    wgdn_threads_use(former);
    if (st && f) wgdn_fitted_free(f);
    if (!st) st = wgdn_model_enclose(&m, f, err);
    if (!st) st = wgdn_dataset_unchanged(d, err);
    if (!st) st = wgdn_model_keep_encoding(m, f->features ? d->encoding : NULL, err);
    if (!st && d->choice.read) st = wgdn_reading_text(&m->reading, d, err);
    if (st)
        wgdn_model_free(m);
    else
        *out = m;
    return st;
}

wgdn_status wgdn_model_describe_fit(wgdn_fit_report *out, const wgdn_model *m, wgdn_error *err)
{
    const wgdn_fitted *f = m->fitted;
    if (!f)
        return wgdn_fail(err, WGDN_EINVAL,
                         "this model was trained; only fitted models have a scale");
    wgdn_fit_report made = {.parts = f->shows,
                            .part = f->shown,
                            .scales = f->scales,
                            .scale = f->scale,
                            .agreement = f->agreement,
                            .refined = {f->refined.loss[0], f->refined.loss[1]},
                            .halo_bytes = f->halo_sent,
                            .sum_bytes = f->sums_sent,
                            .remarks = f->remarks.count,
                            .remark = f->remarks.list};
    for (int t = 0; t < f->scales; t++)
        if (t == 0 || f->agreement[t] > made.best) made.best = f->agreement[t];
    return wgdn_result_give(out, &made, sizeof made, err);
}
