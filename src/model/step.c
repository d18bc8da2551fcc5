/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Computes one training step: encoder, augmentation, decoder, loss and the backward pass. The trainer calls it; the same
 * code with an open tally counts the cost of a step for the estimates. The decoder consists of Wiener filters that
 * reconstruct the features from the noisy code; spectral/approximation.c provides the responses.
 */
#include "base/streams.h"
#include "base/tally.h"
#include "encoder.h"
#include "linalg/rows.h"
#include "loss.h"
#include "model.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/*
 * Distorts an embedding between the encoder and the decoder, so that the decoder has something to
 * restore:
 *
 *     noise      x = h + beta std(h) Z,  std over all entries, unbiased            [WGDN:noise]
 *     drop-node  x_i = 0 with probability p, else h_i                              [WGDN:drop]
 *     drop-edge  x = h, and every edge is missing from the decoder's graph with probability p
 *
 * The choices are constants for the gradient: dh = dx, without the rows of dropped nodes. They are
 * functions of (seed, epoch) and the node or the edge, so they are equal for all layers of a step
 * and are drawn again rather than stored. Only the graph without dropped edges is stored, once per
 * step.
 */

static bool drops(const wgdn_model *m, wgdn_augment what)
{
    return m->options.augment == what && m->options.drop_rate > 0;
}

/* Whether the node, or the edge between two of them, is missing. */
static bool dropped(wgdn_stream s, double p, int64_t low, int64_t high)
{
    s.call = WGDN_CALL_DROP;
    return wgdn_random_bits(s, low, high) < p * 0x1p32;
}

typedef struct row_drop {
    float *x;
    int64_t d, first; /* row of the whole that is row 0 here */
    double p;
    wgdn_stream step;
} row_drop;

static void drop_rows(int64_t first, int64_t count, void *context)
{
    const row_drop *r = context;
    for (int64_t i = first; i < first + count; i++)
        if (dropped(r->step, r->p, r->first + i, 0))
            memset(r->x + i * r->d, 0, (size_t)r->d * sizeof *r->x);
}

/* dx of what went in, from dx of what came out, in place. */
static void augment_rows_back(float *dx, const wgdn_pass *p)
{
    const wgdn_model *m = p->m;
    const wgdn_span rows = p->w->rows;
    row_drop r = {dx, m->shape.width, rows.first, m->options.drop_rate, p->noise};
    if (drops(m, WGDN_AUGMENT_DROP_NODE)) wgdn_for_rows(rows, drop_rows, &r);
}

/* x = aug(x), for decoder layer k. */
static void augment_rows(float *x, const wgdn_pass *p, int k)
{
    const wgdn_train_options *o = &p->m->options;
    const wgdn_span rows = p->w->rows;
    const int64_t h = p->m->shape.width;
    wgdn_stream noise = p->noise;
    double mean, variance;
    augment_rows_back(x, p); /* dropping is its own gradient */
    if (o->augment != WGDN_AUGMENT_NOISE || o->beta == 0) return;
    wgdn_mean_variance(&mean, &variance, x, rows, h, p->w->sums);
    const float a = (float)(o->beta * sqrt(variance));
    noise.call = (uint16_t)(noise.call + k);
    if (p->draws)
        wgdn_axpy(x, a, p->draws[k], rows.count, h);
    else
        wgdn_add_normals(x, x, a, noise, rows, h);
}

typedef struct edge_drop {
    const wgdn_graph *graph; /* before anything is dropped */
    int64_t first;
    double p;
    wgdn_stream step;
} edge_drop;

/* Row i here, and what its column j stands for, by their numbers in the whole. */
static bool edge_stays(int64_t i, int64_t j, const void *context)
{
    const edge_drop *e = context;
    j = wgdn_column_row(e->graph, e->first, j);
    i += e->first;
    return !dropped(e->step, e->p, i < j ? i : j, i < j ? j : i);
}

/* The graph that the decoder works on in this step: g itself, or g without some edges. */
static const wgdn_graph *augment_graph(const wgdn_pass *p)
{
    const wgdn_graph *g = p->g;
    wgdn_workspace *w = p->w;
    const edge_drop e = {g, w->rows.first, p->m->options.drop_rate, p->noise};
    if (!drops(p->m, WGDN_AUGMENT_DROP_EDGE)) return g;
    wgdn_thin_count(&w->thin, g, w->rows, edge_stays, &e);
    wgdn_thin_fill(&w->thin, g, w->rows, edge_stays, &e);
    wgdn_graph_weigh_halo(&w->thin);
    return &w->thin;
}

static bool is_last(const wgdn_model *m, int k)
{
    return k == m->shape.decoder_layers - 1;
}

static int64_t columns_out(const wgdn_model *m, int k)
{
    return is_last(m, k) ? m->shape.features : m->shape.width;
}

/*
 * Aggregates several noise levels into one: t = aggregate_q prelu(o_q, a)           [WGDN:channels]
 *
 * For max, the gradient goes to the winning channel, the first one in case of a tie.
 */

typedef struct channel_call {
    const wgdn_layer_ops *ops;
    const wgdn_channel_set *s;
    float *t;
    const float *dt;
    bool add;
    float share; /* of each channel, where they are added */
} channel_call;

static float share_of(const wgdn_channel_set *s)
{
    return s->how == WGDN_AGGREGATE_MEAN ? s->weight / (float)s->channels : s->weight;
}

/* The channels at one row. */
static void row_of(float *row[WGDN_CHANNELS_MAX], const wgdn_channel_set *s, int64_t i)
{
    for (int q = 0; q < s->channels; q++)
        row[q] = s->o[q] + i * s->d;
}

static void forward(int64_t first, int64_t count, void *context)
{
    const channel_call *c = context;
    const wgdn_channel_set *s = c->s;
    float *o[WGDN_CHANNELS_MAX];
    for (int64_t i = first; i < first + count; i++) {
        row_of(o, s, i);
        (s->how == WGDN_AGGREGATE_MAX ? c->ops->most : c->ops->total)(
            c->t + i * s->d, c->add, c->share, (const float *const *)o, s->channels, s->slope,
            s->d);
    }
}

void wgdn_channels(float *t, const wgdn_channel_set *s, bool add)
{
    channel_call c = {.ops = wgdn_layer_rows(), .s = s, .t = t, .add = add, .share = share_of(s)};
    wgdn_for_rows(s->n, forward, &c);
}

static void backward(int64_t first, int64_t count, double *sums, void *context)
{
    const channel_call *c = context;
    const wgdn_channel_set *s = c->s;
    float *o[WGDN_CHANNELS_MAX];
    for (int64_t i = first; i < first + count; i++) {
        const float *dt = c->dt + i * s->d;
        row_of(o, s, i);
        if (s->how == WGDN_AGGREGATE_MAX)
            sums[0] += c->ops->most_back(o, s->channels, c->share, dt, s->slope, s->d);
        else
            for (int q = 0; q < s->channels; q++)
                sums[0] += c->ops->prelu_back(o[q], c->share, dt, o[q], s->slope, s->d);
    }
}

double wgdn_channels_back(const wgdn_channel_set *s, const float *dt, void *work)
{
    channel_call c = {.ops = wgdn_layer_rows(), .s = s, .dt = dt, .share = share_of(s)};
    double slope;
    wgdn_for_blocks(s->n, backward, &c, &slope, 1, work);
    return slope;
}

/*
 * Decoder layer, branches x_1 .. x_B (the layer below and, with skip, an augmented encoder output):
 *                                                                                    [WGDN:decoder]
 *
 *     t = share * sum_b Dec(x_b),   d' = prelu(norm(t))
 *     Dec(x) = aggregate_q prelu( (sum_m k_qm L^m x) W_q^T + 1 b_q^T ),
 *
 * The coefficients k come from the Wiener response at the penalty of x. They are estimated in every
 * call and are constants for the gradient; a response without a penalty is approximated once. One
 * channel has no activation, so its branches are added before the product:
 *
 *     t = B W^T + (share * branches) 1 b^T,  B = share * sum_b p_b(L) x_b.
 *
 * Backward with one channel, and with several, where do_bq comes from the aggregate:
 *
 *     dW = dt^T B,  db = share * branches * dt^T 1,  dB = dt W,  dx_b = share * p_b(L) dB
 *     dW_q = sum_b do_bq^T f_bq,  db_q = sum_b do_bq^T 1,  dx_b = sum_q p_bq(L) (do_bq W_q)
 */

/* How often the bias of a one-channel layer counts, and what a branch's share is. */
static float decoder_share(const wgdn_model *m, const wgdn_decoder_saved *d)
{
    return d->branches > 1 && m->options.skip == WGDN_SKIP_MEAN ? 0.5f : 1;
}

/*
 * What branch b of layer k is filtered with, forward and backward: a series per channel. A single
 * channel's takes its share in, and lies in scaled.
 */
static wgdn_poly decoder_filter(double scaled[WGDN_POWERS_MAX + 1], const wgdn_pass *p, int k,
                                int b)
{
    const wgdn_shape *s = &p->m->shape;
    const wgdn_decoder_saved *d = &p->w->decoder[k];
    wgdn_poly poly = {.graph = p->decoded,
                      .d = s->width,
                      .channels = s->channels,
                      .order = s->decoder_order,
                      .precision = p->w->precision,
                      .work = p->w->powers};
    for (int q = 0; q < s->channels; q++)
        poly.a[q] = d->call[b].a[q];
    if (s->channels > 1) return poly;
    for (int i = 0; i <= s->decoder_order; i++)
        scaled[i] = (double)decoder_share(p->m, d) * d->call[b].a[0][i];
    poly.a[0] = scaled;
    return poly;
}

/* of layer k's t */
static wgdn_activation decoder_activation(const wgdn_pass *p, int k)
{
    const wgdn_decoder_saved *d = &p->w->decoder[k];
    return (wgdn_activation){.norm = &d->norm,
                             .slope = p->m->at.decoder[k].slope,
                             .x = d->t,
                             .n = p->w->rows,
                             .d = p->m->shape.width};
}

/* The input of branch b of layer k: 0 the layer below, 1 the encoder's output on the same level. */
static void decoder_input(float *x, const wgdn_pass *p, int k, int b)
{
    if (k > 0 && b == 0) {
        const wgdn_activation below = decoder_activation(p, k - 1);
        wgdn_activate(x, &below);
        return;
    }
    wgdn_encoder_output(x, p, p->m->shape.encoder_layers - k);
    augment_rows(x, p, k);
}

/*
 * Penalties and coefficients of one call and, where the response estimates them, (L - 1) x in
 * first, where somebody wants it (else NULL).
 */
static wgdn_status decoder_estimate(wgdn_dec_call *call, float *first, const wgdn_pass *p,
                                    const float *x, int k, wgdn_error *err)
{
    const wgdn_model *m = p->m;
    const wgdn_shape *s = &m->shape;
    double *a[WGDN_CHANNELS_MAX];
    wgdn_signal_sums sums;
    char where[48];
    wgdn_status st;
    if (!m->response->estimates) {
        for (int q = 0; q < s->channels; q++)
            for (int i = 0; i <= s->decoder_order; i++)
                call->a[q][i] = m->fixed_a[i];
        return WGDN_OK;
    }
    wgdn_laplacian_sums(&sums, first, p->decoded, x, s->width, m->options.average, p->w->sums);
    const wgdn_signal_noise e = wgdn_wiener_estimate(&sums, p->w->rows.total);
    call->signal = e.signal;
    call->noise = e.noise;
    snprintf(where, sizeof where, "decoder layer %d", k);
    st = wgdn_wiener_penalties(call->penalty, &e, s->gamma, s->channels, where, err);
    if (st) return st;
    for (int q = 0; q < s->channels; q++)
        a[q] = call->a[q];
    return wgdn_response_series(a, m->fit, m->response->response, m->kernel, call->penalty,
                                s->channels, err);
}

/* Filter w->input into B, or into the branch's channels, with the coefficients of the call. */
static void filter_branch(const wgdn_pass *p, int k, int b, const float *first)
{
    wgdn_decoder_saved *d = &p->w->decoder[k];
    double scaled[WGDN_POWERS_MAX + 1];
    const wgdn_poly poly = decoder_filter(scaled, p, k, b);
    wgdn_poly_filter(poly.channels > 1 ? d->filtered[b] : &d->big, &poly, p->w->input, first,
                     poly.channels == 1 && b > 0);
}

/* One channel: t from B. */
static wgdn_status product(const wgdn_pass *p, int k, wgdn_error *err)
{
    const wgdn_decoder_layer *l = &p->m->at.decoder[k];
    const wgdn_decoder_saved *d = &p->w->decoder[k];
    const int64_t out = columns_out(p->m, k);
    const float times = decoder_share(p->m, d) * (float)d->branches;
    wgdn_product bw =
        wgdn_workspace_product(p->w, d->t, d->big, l->weight[0], p->m->shape.width, out);
    if (times == 1) bw.bias = l->bias[0];
    const wgdn_status st = wgdn_gemm_nt(&bw, err);
    if (!st && times != 1) wgdn_add_row(d->t, times, l->bias[0], p->w->rows.count, out);
    return st;
}

/* The channels of branch b of layer k, several, as they meet in t with the branch's share. */
static wgdn_channel_set decoder_channels(const wgdn_pass *p, int k, int b)
{
    const wgdn_decoder_saved *d = &p->w->decoder[k];
    return (wgdn_channel_set){.o = d->product[b],
                              .channels = p->m->shape.channels,
                              .how = p->m->options.aggregate,
                              .weight = decoder_share(p->m, d),
                              .slope = *p->m->at.decoder[k].channel_slope,
                              .n = p->w->rows,
                              .d = columns_out(p->m, k)};
}

/* Several: o_bq = f_bq W_q^T + 1 b_q^T of one branch, and their aggregate added to t. */
static wgdn_status products(const wgdn_pass *p, int k, int b, wgdn_error *err)
{
    const wgdn_decoder_layer *l = &p->m->at.decoder[k];
    const wgdn_decoder_saved *d = &p->w->decoder[k];
    const wgdn_channel_set set = decoder_channels(p, k, b);
    for (int q = 0; q < set.channels; q++) {
        wgdn_product o = wgdn_workspace_product(p->w, set.o[q], d->filtered[b][q], l->weight[q],
                                                p->m->shape.width, set.d);
        o.bias = l->bias[q];
        const wgdn_status st = wgdn_gemm_nt(&o, err);
        if (st) return st;
    }
    wgdn_channels(d->t, &set, b > 0);
    return WGDN_OK;
}

/* Estimate and filter the branches of one layer, and t from there, unless R is never formed. */
static wgdn_status layer_forward(const wgdn_pass *p, int k, wgdn_error *err)
{
    const wgdn_model *m = p->m;
    wgdn_workspace *w = p->w;
    float *first = m->response->estimates ? wgdn_poly_first(w->powers, m->shape.width) : NULL;
    wgdn_status st = WGDN_OK;
    for (int b = 0; b < w->decoder[k].branches && !st; b++) {
        decoder_input(w->input, p, k, b);
        st = decoder_estimate(&w->decoder[k].call[b], first, p, w->input, k, err);
        if (st) return st;
        filter_branch(p, k, b, first);
        if (m->shape.channels > 1) st = products(p, k, b, err);
    }
    if (st || m->shape.channels > 1) return st;
    if (is_last(m, k) && w->last == WGDN_LAST_GRAM) return WGDN_OK;
    return product(p, k, err);
}

/* Filter branch b of layer k again, for the backward pass in a workspace that recomputes. */
static void decoder_again(const wgdn_pass *p, int k, int b)
{
    decoder_input(p->w->input, p, k, b);
    filter_branch(p, k, b, NULL);
}

static void estimate_norm(const wgdn_pass *p, int k)
{
    wgdn_decoder_saved *d = &p->w->decoder[k];
    const int64_t h = p->m->shape.width;
    float *running = p->running ? p->running + 2 * h * (p->m->shape.encoder_layers + k) : NULL;
    d->norm.scale = p->m->at.decoder[k].scale;
    d->norm.shift = p->m->at.decoder[k].shift;
    wgdn_norm_estimate(&d->norm, d->t, p->w->rows, h, running, running ? running + h : NULL,
                       p->w->sums);
}

/*
 * A last decoder layer with few output columns and many inputs: W before L, so that the filters see
 * few columns.                                                                [WGDN:decoder-narrow]
 *
 *     o_bq = p_bq(L) (x_b W_q^T) + 1 b_q^T,   t = share * sum_b aggregate_q prelu(o_bq)
 *     t = share * sum_b o_b                                                      with one channel
 *
 * Backward, with e_bq = p_bq(L) do_bq:
 *
 *     dW_q = sum_b e_bq^T x_b,  dx_b = sum_q e_bq W_q
 *
 * No matrix of width h is kept: x_b is recomputed.
 */

/* One branch, and the filters of its channels. */
typedef struct branch {
    const wgdn_pass *p;
    int k, b;
    double scaled[WGDN_POWERS_MAX + 1];
    wgdn_poly filters;
} branch;

/* The filter of channel q alone, of matrices as wide as the output. */
static wgdn_poly channel_filter(const branch *n, int q)
{
    wgdn_poly p = n->filters;
    p.d = n->p->m->shape.features;
    p.channels = 1;
    p.a[0] = n->filters.a[q];
    return p;
}

/* o += or = p_q(L) (x W_q^T) + 1 b_q^T; one channel: o is t, and the bias has the branch's share. */
static wgdn_status channel_forward(const branch *n, int q, wgdn_error *err)
{
    const wgdn_shape *s = &n->p->m->shape;
    const wgdn_workspace *w = n->p->w;
    const wgdn_decoder_layer *l = &n->p->m->at.decoder[n->k];
    const wgdn_decoder_saved *d = &w->decoder[n->k];
    const bool several = s->channels > 1;
    const wgdn_poly filter = channel_filter(n, q);
    const wgdn_product xw =
        wgdn_workspace_product(w, d->big, w->input, l->weight[q], s->width, s->features);
    float *o = several ? d->product[n->b][q] : d->t;
    const wgdn_status st = wgdn_gemm_nt(&xw, err);
    if (st) return st;
    wgdn_poly_filter(&o, &filter, d->big, NULL, !several && n->b > 0);
    wgdn_add_row(o, several ? 1 : decoder_share(n->p->m, d), l->bias[q], w->rows.count,
                 s->features);
    return WGDN_OK;
}

static wgdn_status narrow_forward(const wgdn_pass *p, int k, wgdn_error *err)
{
    wgdn_workspace *w = p->w;
    wgdn_decoder_saved *d = &w->decoder[k];
    for (int b = 0; b < d->branches; b++) {
        branch n = {.p = p, .k = k, .b = b};
        decoder_input(w->input, p, k, b);
        wgdn_status st = decoder_estimate(&d->call[b], NULL, p, w->input, k, err);
        n.filters = decoder_filter(n.scaled, p, k, b);
        for (int q = 0; q < n.filters.channels && !st; q++)
            st = channel_forward(&n, q, err);
        if (st) return st;
        if (n.filters.channels == 1) continue;
        const wgdn_channel_set set = decoder_channels(p, k, b);
        wgdn_channels(d->t, &set, b > 0);
    }
    return WGDN_OK;
}

/*
 * All layers, from the encoder's outputs to the last layer's t (the reconstruction), or to its
 * filtered input B when R is never formed.
 */
static wgdn_status decoder_forward(const wgdn_pass *p, wgdn_error *err)
{
    for (int k = 0; k < p->m->shape.decoder_layers; k++) {
        const bool last = is_last(p->m, k);
        if (last && p->w->last == WGDN_LAST_NARROW) return narrow_forward(p, k, err);
        const wgdn_status st = layer_forward(p, k, err);
        if (st) return st;
        if (!last) estimate_norm(p, k);
    }
    return WGDN_OK;
}

/* dW_q, db_q, and dx, given factor * dO; x in w->input. */
static wgdn_status channel_back(wgdn_decoder_layer *dp, float *dx, const branch *n, int q,
                                wgdn_error *err)
{
    const wgdn_model *m = n->p->m;
    const wgdn_workspace *w = n->p->w;
    const wgdn_decoder_saved *d = &w->decoder[n->k];
    const int64_t h = m->shape.width, out = m->shape.features;
    const bool several = m->shape.channels > 1;
    const float *dout = several ? d->product[n->b][q] : d->t;
    const float factor = several ? 1 : w->factor, before = n->b > 0 ? 1 : 0;
    const float share = several ? 1 : decoder_share(m, d);
    const wgdn_poly filter = channel_filter(n, q);
    wgdn_product dw = wgdn_workspace_product(w, dp->weight[q], d->big, w->input, out, h);
    wgdn_product below =
        wgdn_workspace_product(w, dx, d->big, m->at.decoder[n->k].weight[q], out, h);
    dw.alpha = below.alpha = factor;
    dw.beta = before;
    below.beta = q > 0 ? 1 : 0;
    wgdn_weighted_sum(dp->bias[q], NULL, dout, w->rows, out, factor * share, before, w->sums);
    wgdn_poly_apply(d->big, &filter, dout);
    const wgdn_status st = wgdn_gemm_tn(&dw, err);
    return st ? st : wgdn_gemm_nn(&below, err);
}

/* do_bq over o_bq of one branch with several channels, from factor * dt; returns the slope's. */
static double decoder_channels_back(const wgdn_pass *p, int k, int b, const float *dt, float factor)
{
    wgdn_channel_set set = decoder_channels(p, k, b);
    set.weight *= factor;
    return wgdn_channels_back(&set, dt, p->w->sums);
}

/* The layer's gradients, and those of its inputs in dx, one for each branch. */
static wgdn_status narrow_backward(wgdn_params *grad, float *const *dx, const wgdn_pass *p, int k,
                                   wgdn_error *err)
{
    wgdn_workspace *w = p->w;
    const wgdn_decoder_saved *d = &w->decoder[k];
    const bool several = p->m->shape.channels > 1;
    double slope = 0;
    for (int b = 0; b < WGDN_BRANCHES_MAX && b < d->branches; b++) {
        branch n = {.p = p, .k = k, .b = b};
        wgdn_status st = WGDN_OK;
        n.filters = decoder_filter(n.scaled, p, k, b);
        decoder_input(w->input, p, k, b);
        if (several) slope += decoder_channels_back(p, k, b, d->t, w->factor);
        for (int q = 0; q < n.filters.channels && !st; q++)
            st = channel_back(&grad->decoder[k], dx[b], &n, q, err);
        if (st) return st;
    }
    if (several) *grad->decoder[k].channel_slope = (float)slope;
    return WGDN_OK;
}

/* dx of one branch: the branch's own filters, applied to dB or to its df_q. */
static void filter_back(float *dx, const wgdn_pass *p, int k, int b)
{
    const float *dy[WGDN_CHANNELS_MAX];
    double scaled[WGDN_POWERS_MAX + 1];
    wgdn_poly poly = decoder_filter(scaled, p, k, b);
    poly.work = p->w->powers_back;
    for (int q = 0; q < poly.channels; q++)
        dy[q] = poly.channels > 1 ? p->w->decoder[k].filtered[b][q] : p->w->other;
    wgdn_poly_gradient(dx, &poly, dy);
}

/* One channel: dW, db, dB (into w->other) from factor * dt, unless the loss
 * has been here already. */
static wgdn_status product_back(wgdn_decoder_layer *dp, const float *dt, float factor,
                                const wgdn_pass *p, int k, wgdn_error *err)
{
    const wgdn_model *m = p->m;
    wgdn_workspace *w = p->w;
    const wgdn_decoder_saved *d = &w->decoder[k];
    const int64_t h = m->shape.width, out = columns_out(m, k);
    const float times = decoder_share(m, d) * (float)d->branches;
    wgdn_product dw = wgdn_workspace_product(w, dp->weight[0], dt, d->big, out, h);
    wgdn_product db = wgdn_workspace_product(w, w->other, dt, m->at.decoder[k].weight[0], out, h);
    if (is_last(m, k) && w->last == WGDN_LAST_GRAM) return WGDN_OK;
    dw.alpha = db.alpha = factor;
    wgdn_weighted_sum(dp->bias[0], NULL, dt, w->rows, out, factor * times, 0, w->sums);
    const wgdn_status st = wgdn_gemm_tn(&dw, err);
    return st ? st : wgdn_gemm_nn(&db, err);
}

/* Several: dW_q, db_q, and df_bq over f_bq, from do_bq over o_bq, of one branch. */
static wgdn_status products_back(wgdn_decoder_layer *dp, bool add, const wgdn_pass *p, int k, int b,
                                 wgdn_error *err)
{
    wgdn_workspace *w = p->w;
    const wgdn_decoder_saved *d = &w->decoder[k];
    const int64_t h = p->m->shape.width, out = columns_out(p->m, k);
    const float before = add ? 1 : 0;
    for (int q = 0; q < p->m->shape.channels; q++) {
        float *f = d->filtered[b][q], *doq = d->product[b][q];
        wgdn_product dw = wgdn_workspace_product(w, dp->weight[q], doq, f, out, h);
        const wgdn_product df =
            wgdn_workspace_product(w, f, doq, p->m->at.decoder[k].weight[q], out, h);
        dw.beta = before;
        wgdn_weighted_sum(dp->bias[q], NULL, doq, w->rows, out, 1, before, w->sums);
        wgdn_status st = wgdn_gemm_tn(&dw, err);
        if (!st) st = wgdn_gemm_nn(&df, err);
        if (st) return st;
    }
    return WGDN_OK;
}

/* dt of a layer from dx of its output, in place. */
static void activation_back(wgdn_decoder_layer *dp, float *dx, const wgdn_pass *p, int k)
{
    const wgdn_activation a = decoder_activation(p, k);
    wgdn_activate_back(dx, dp->slope, dp->scale, dp->shift, &a, p->w->sums);
}

/*
 * All of layer k from dt, which is in dx[0] unless it is the last one's: its own gradients, and dx.
 * Branches go from the last to the first, whose dx takes dt's place. In a workspace that recomputes
 * they are filtered again, but for what the forward pass did last.
 */
static wgdn_status layer_back(wgdn_params *grad, float *const *dx, const wgdn_pass *p, int k,
                              wgdn_error *err)
{
    const bool last = is_last(p->m, k), several = p->m->shape.channels > 1;
    const wgdn_workspace *w = p->w;
    const wgdn_decoder_saved *d = &w->decoder[k];
    wgdn_decoder_layer *dp = &grad->decoder[k];
    const float *dt = last ? d->t : dx[0];
    const float factor = last ? w->factor : 1;
    wgdn_status st = WGDN_OK;
    double slope = 0;
    if (last && w->last == WGDN_LAST_NARROW) return narrow_backward(grad, dx, p, k, err);
    for (int b = 0; b < d->branches && w->recompute && !last && !several; b++)
        decoder_again(p, k, b);
    if (!several) st = product_back(dp, dt, factor, p, k, err);
    for (int b = WGDN_BRANCHES_MAX - 1; b >= 0 && !st; b--) {
        const bool latest = b == d->branches - 1;
        if (b >= d->branches) continue;
        if (several) {
            slope += decoder_channels_back(p, k, b, dt, factor);
            if (w->recompute && !(last && latest)) decoder_again(p, k, b);
            st = products_back(dp, !latest, p, k, b, err);
        }
        if (!st) filter_back(dx[b], p, k, b);
    }
    if (several) *dp->channel_slope = (float)slope;
    return st;
}

/*
 * From the loss's gradient (dR / w->factor in the last t, or dB in w->other with the last layer's
 * own gradients done) to all decoder gradients; dh receives the gradient of the encoder's last
 * output, and w->skip those of the others.
 */
static wgdn_status decoder_backward(wgdn_params *grad, float *dh, const wgdn_pass *p,
                                    wgdn_error *err)
{
    const wgdn_shape *s = &p->m->shape;
    for (int k = s->decoder_layers - 1; k >= 0; k--) {
        float *const dx[WGDN_BRANCHES_MAX] = {dh, p->w->skip[s->encoder_layers - k]};
        const wgdn_status st = layer_back(grad, dx, p, k, err);
        if (st) return st;
        if (p->w->decoder[k].branches > 1) augment_rows_back(dx[1], p);
        if (k > 0) activation_back(&grad->decoder[k - 1], dh, p, k - 1);
    }
    augment_rows_back(dh, p);
    return WGDN_OK;
}

/* The loss and its gradient: in place of R, or without R into w->other and the last layer's. */
static wgdn_status loss_of(double *loss, wgdn_params *grad, const wgdn_pass *pass, wgdn_error *err)
{
    const wgdn_model *m = pass->m;
    wgdn_workspace *w = pass->w;
    const int last = m->shape.decoder_layers - 1;
    const wgdn_decoder_saved *d = &w->decoder[last];
    const wgdn_decoder_layer *p = &m->at.decoder[last];
    if (w->last != WGDN_LAST_GRAM) {
        *loss = wgdn_loss_dense(&w->factor, pass->held, d->t, pass->in, m->loss, w->sums);
        return WGDN_OK;
    }
    const wgdn_gram_call c = {.in = pass->in,
                              .big = d->big,
                              .w = p->weight[0],
                              .b = p->bias[0],
                              .k = decoder_share(m, d) * (float)d->branches,
                              .h = m->shape.width,
                              .dw = grad->decoder[last].weight[0],
                              .db = grad->decoder[last].bias[0],
                              .dbig = w->other,
                              .room = w->dh,
                              .held = pass->held,
                              .at = &w->gram,
                              .work = w->sums};
    return m->loss->gram(loss, m->loss, &c, err);
}

wgdn_pass wgdn_pass_of(wgdn_model *m, wgdn_workspace *w, const wgdn_graph *g,
                       const wgdn_model_input *in, uint32_t step)
{
    return (wgdn_pass){.m = m,
                       .w = w,
                       .g = g,
                       .in = in,
                       .running = m->buffer,
                       .noise = {m->options.seed, step, WGDN_CALL_NOISE}};
}

wgdn_status wgdn_step(double *loss, float *grad, const wgdn_pass *pass, wgdn_error *err)
{
    wgdn_pass p = *pass;
    wgdn_params at;
    wgdn_status st;
    p.decoded = augment_graph(&p);
    wgdn_params_bind(&at, &p.m->layout, grad);
    st = wgdn_encoder_forward(&p, err);
    if (!st) st = decoder_forward(&p, err);
    if (!st) st = loss_of(loss, &at, &p, err);
    if (!st) st = decoder_backward(&at, p.w->dh, &p, err);
    if (!st) st = wgdn_encoder_backward(&at, p.w->dh, &p, err);
    return st;
}

typedef struct scatter_call {
    float *out;
    const float *rows;
    const int32_t *order;
    int64_t d;
} scatter_call;

static void scatter_rows(int64_t first, int64_t count, void *context)
{
    const scatter_call *c = context;
    for (int64_t i = first; i < first + count; i++)
        memcpy(c->out + c->order[i] * c->d, c->rows + i * c->d, (size_t)c->d * sizeof *c->out);
}

wgdn_status wgdn_encode(float *out, const wgdn_model *m, wgdn_workspace *w, const wgdn_graph *g,
                        const wgdn_model_input *in, wgdn_error *err)
{
    const wgdn_pass p = {.m = m, .w = w, .g = g, .in = in};
    const wgdn_status st = wgdn_encoder_forward(&p, err);
    if (st) return st;
    wgdn_encoder_output(in->order ? w->input : out, &p, m->shape.encoder_layers);
    if (in->order)
        wgdn_for_rows(w->rows, scatter_rows,
                      &(scatter_call){out, w->input, in->order, m->shape.width});
    return WGDN_OK;
}

/* Counts the cost of a step: the code above runs with a tally open and without data. */

/* Points all parameters to one small block that is large enough for all that a step reads outside of products. */
static float *flatten(wgdn_model *m)
{
    const wgdn_shape *s = &m->shape;
    const int64_t rows = s->width + s->features + m->layout.buffer_size;
    float *room = wgdn_alloc_zero((size_t)rows, sizeof *room);
    for (int i = 0; i < m->layout.views; i++)
        m->layout.view[i].offset = 0;
    if (room) wgdn_params_bind(&m->at, &m->layout, room);
    m->buffer = room;
    return room;
}

wgdn_status wgdn_step_tally(wgdn_tally *t, const wgdn_model *m, const wgdn_model_input *in,
                            wgdn_error *err)
{
    /* One row stands for all: products and loops over rows only count, so nobody looks at the others.
     * How the step is computed follows from the numbers of all rows, which stay. */
    wgdn_model_input planned = *in;
    planned.rows = (wgdn_span){.count = 1, .total = in->rows.total};
    planned.nonzeros = planned.edges = planned.halo = 0;
    planned.varies = false;
    wgdn_model_input walked = *in;
    wgdn_halo halo = {.dist = in->rows.dist};
    const wgdn_graph graph = {
        .adjacency = {.rows = in->rows.count, .cols = in->rows.count + in->halo},
        .halo = in->rows.dist ? &halo : NULL};
    wgdn_model *copy = wgdn_alloc(1, sizeof *copy);
    wgdn_workspace *w = NULL;
    float *room = NULL;
    double loss;
    wgdn_status st = WGDN_OK;

    if (copy) *copy = *m;
    if (copy) room = flatten(copy);
    if (!room) st = wgdn_fail(err, WGDN_ENOMEM, "a copy of the model, to count the cost of a step");
    if (!st) st = wgdn_workspace_new(&w, copy, &planned, true, err);
    if (!st) {
        const wgdn_pass pass = wgdn_pass_of(copy, w, &graph, &walked, 0);
        walked.transposed.rows = in->features;
        wgdn_workspace_fit(w, in->rows);
        wgdn_tally_open = t;
        st = wgdn_step(&loss, room, &pass, err);
        wgdn_tally_open = NULL;
    }
    wgdn_workspace_free(w);
    wgdn_release(room);
    wgdn_release(copy);
    return st;
}

/* A product gathers a row for each entry, reads the entry's column and, of X and of edges that have
 * weights, its value, and writes its result. */
double wgdn_gathered_bytes(const wgdn_tally *t, const wgdn_model *m, const wgdn_model_input *in)
{
    const double filtered = (double)t->columns[WGDN_TALLY_LAPLACIAN];
    const double features =
        (double)t->columns[WGDN_TALLY_FEATURES] + (double)t->columns[WGDN_TALLY_FEATURES_SUM];
    const double n = (double)in->rows.count, edges = (double)in->edges, z = (double)in->nonzeros;
    const double number = sizeof(float), column = sizeof(int32_t), h = (double)m->shape.width;
    const double entry = column + (in->weighted ? number : 0);
    return filtered * number * (edges + n) + filtered / h * entry * edges + features * number * z +
           features / h * (number + column) * z;
}
