/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Plans all memory of a training step in one block, so that the loop allocates nothing. The same
 * walk counts the bytes and assigns the buffers; it also decides which matrices are stored and
 * which are recomputed.
 */
#include "workspace.h"
#include "loss.h"

#include <string.h>

/*
 * A plan hands out stretches of one block. The first walk has no block and only counts, the second
 * binds: both walk the same code, so the count cannot be wrong.
 */
typedef struct plan {
    char *block;
    size_t used;
} plan;

static void *take(plan *p, size_t bytes)
{
    void *at = p->block ? p->block + p->used : NULL;
    p->used = wgdn_size_sum(p->used, bytes < WGDN_SIZE_HUGE ? (bytes + 63) / 64 * 64 : bytes);
    return at;
}

static float *take_matrix(plan *p, int64_t n, int64_t d)
{
    return take(p, wgdn_size_product((size_t)n, (size_t)d, sizeof(float)));
}

/* The same with `front` floats before it, so that a filter can work there while it is idle. */
static float *take_behind(plan *p, size_t front, int64_t n, int64_t d)
{
    const size_t matrix = wgdn_size_product((size_t)n, (size_t)d, sizeof(float));
    float *at = take(p, wgdn_size_sum(wgdn_size_product(front, sizeof *at, 1), matrix));
    return at ? at + front : NULL;
}

static void plan_norm(plan *p, wgdn_norm_state *s, const wgdn_model *m, int64_t n)
{
    const int64_t length = m->options.norm == WGDN_NORM_LAYER ? n : m->shape.width;
    s->kind = m->options.norm;
    if (s->kind == WGDN_NORM_NONE) return;
    s->mean = take_matrix(p, length, 1);
    s->inv = take_matrix(p, length, 1);
}

static size_t largest(const size_t *sizes, size_t count)
{
    size_t most = 0;
    for (size_t i = 0; i < count; i++)
        most = sizes[i] > most ? sizes[i] : most;
    return most;
}

/*
 * Without R pays when X is sparse: compare n h^2 + f h^2 + nonzeros h with n f h, the latter in
 * dense products, the entries of SDDMM at about a tenth of their speed.
 */
static bool gram_pays(const wgdn_model *m, const wgdn_model_input *in)
{
    const double n = (double)in->rows.total, f = (double)in->features, h = (double)m->shape.width;
    const double dense = 3 * n * f * h,
                 gram = 3 * (n + f) * h * h + 30.0 * (double)in->all_nonzeros * h;
    return gram < dense;
}

static int last_branches(const wgdn_model *m)
{
    return m->shape.decoder_layers > 1 && m->options.skip != WGDN_SKIP_NONE ? 2 : 1;
}

/*
 * Products first pay when the filters then move fewer columns, those of the noise estimate
 * included, which needs the wide rows. Branches of one channel would have to give up their common
 * product, which costs more. The sizes of the data have no part in it: all batches agree.
 */
static bool narrow_pays(const wgdn_model *m)
{
    const wgdn_shape *s = &m->shape;
    const int64_t both = 2 * (int64_t)s->decoder_order, h = s->width;
    const int64_t alone = m->response->estimates ? h : 0;
    return (s->channels > 1 || last_branches(m) == 1) &&
           alone + both * s->channels * s->features < both * h;
}

wgdn_last wgdn_last_choice(const wgdn_model *m, const wgdn_model_input *in)
{
    const bool gram = in->sparse && m->shape.channels == 1 && m->loss->gram;
    if (m->last == WGDN_LAST_GRAM) return gram ? WGDN_LAST_GRAM : WGDN_LAST_PLAIN;
    if (m->last != WGDN_LAST_AUTO) return m->last;
    if (gram && gram_pays(m, in)) return WGDN_LAST_GRAM;
    return narrow_pays(m) ? WGDN_LAST_NARROW : WGDN_LAST_PLAIN;
}

static void plan_gram(plan *p, wgdn_workspace *w, const wgdn_model_input *in, int64_t h)
{
    wgdn_gram *g = &w->gram;
    g->gram = take_matrix(p, h, h);
    g->product = take_matrix(p, in->features, h);
    g->row = take_matrix(p, 1, h);
    g->column = take(p, (size_t)h * sizeof(double));
    g->sampled = take_matrix(p, in->nonzeros, 1);
    g->swapped = take_matrix(p, in->nonzeros, 1);
    g->tn = w->tn; /* nobody else is at work then */
}

/*
 * What a layer's inputs are filtered into: its own matrices or, where they are recomputed, those of the
 * first that needed some. There, channels share from branch to branch, too.
 */
static void plan_filtered(plan *p, wgdn_decoder_saved *d, const wgdn_decoder_saved *shared,
                          const wgdn_model *m, size_t front, int64_t n)
{
    const wgdn_shape *s = &m->shape;
    if (s->channels == 1) d->big = shared ? shared->big : take_behind(p, front, n, s->width);
    for (int b = 0; s->channels > 1 && b < d->branches; b++)
        for (int q = 0; q < s->channels; q++)
            d->filtered[b][q] = shared ? shared->filtered[0][q] : take_matrix(p, n, s->width);
}

static void plan_decoder(plan *p, wgdn_workspace *w, const wgdn_model *m, int64_t n, int k)
{
    const wgdn_shape *s = &m->shape;
    const bool last = k == s->decoder_layers - 1;
    const int64_t out = last ? s->features : s->width;
    const size_t front = last ? w->front : 0;
    wgdn_decoder_saved *d = &w->decoder[k];
    d->branches = k > 0 ? last_branches(m) : 1;
    if (last && w->last == WGDN_LAST_NARROW)
        d->big = take_matrix(p, n, out);
    else
        plan_filtered(p, d, w->recompute && k > 0 ? &w->decoder[0] : NULL, m, front, n);
    for (int b = 0; s->channels > 1 && b < d->branches; b++)
        for (int q = 0; q < s->channels; q++)
            d->product[b][q] = take_matrix(p, n, out);
    if (!last || w->last != WGDN_LAST_GRAM) d->t = take_behind(p, front, n, out);
    if (!last) plan_norm(p, &d->norm, m, n);
    if (d->branches > 1) w->skip[s->encoder_layers - k] = take_matrix(p, n, s->width);
}

/* Room for the graph of a step that drops edges: as large as the whole one. */
static void plan_thin(plan *p, wgdn_graph *g, const wgdn_model_input *in)
{
    const int64_t n = in->rows.count, columns = n + in->halo;
    g->adjacency.offset = take(p, (size_t)(n + 1) * sizeof *g->adjacency.offset);
    g->adjacency.column = take(p, (size_t)in->edges * sizeof *g->adjacency.column);
    if (in->weighted) g->adjacency.value = take_matrix(p, in->edges, 1);
    g->inv_sqrt_degree = take_matrix(p, columns, 1);
    g->inv_degree = take_matrix(p, columns, 1);
}

/* Bytes for products of the Gram form of the loss. */
static size_t gram_work(wgdn_span n, int64_t f, int64_t h)
{
    const size_t sizes[] = {wgdn_gemm_tn_work(n, h, h), wgdn_gemm_tn_work(wgdn_alone(f), h, h),
                            wgdn_spmm_tn_work(n, h)};
    size_t most = 0;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        most = sizes[i] > most ? sizes[i] : most;
    return most;
}

static void plan_training(plan *p, wgdn_workspace *w, const wgdn_model *m,
                          const wgdn_model_input *in)
{
    const wgdn_shape *s = &m->shape;
    const int64_t h = s->width, f = s->features, n = in->rows.count;
    const bool gram = w->last == WGDN_LAST_GRAM;
    const bool bf16 = m->options.precision == WGDN_PRECISION_BF16;
    size_t sums = 0, tn = 0, half = 0;
    for (int i = 0; i < (in->varies ? 2 : 1); i++) { /* what is made of blocks */
        const wgdn_span rows = i ? wgdn_alone(wgdn_max_blocks(n)) : in->rows;
        const size_t sizes[] = {sums, wgdn_laplacian_sums_work(rows, h), wgdn_layers_work(rows, h),
                                wgdn_layers_work(rows, f), wgdn_layers_work(wgdn_alone(f), h)};
        const bool wide = in->dense || !gram; /* products with F columns */
        const size_t products[] = {tn,
                                   bf16 ? 0 : wgdn_gemm_tn_work(rows, h, h),
                                   wide && !bf16 ? wgdn_gemm_tn_work(rows, f, h) : 0,
                                   bf16 ? 0 : wgdn_gemm_nt_work(h, wide && f > h ? f : h),
                                   in->sparse ? wgdn_spmm_tn_work(rows, h) : 0,
                                   gram ? gram_work(rows, f, h) : 0};
        const size_t halves[] = {half, wgdn_gemm_bf16_work(rows, h, h),
                                 wide ? wgdn_gemm_bf16_work(rows, f, h) : 0,
                                 wide ? wgdn_gemm_bf16_work(rows, h, f) : 0};
        sums = largest(sizes, sizeof sizes / sizeof *sizes);
        tn = largest(products, sizeof products / sizeof *products);
        half = largest(halves, sizeof halves / sizeof *halves);
    }
    for (int k = 0; k < s->decoder_layers; k++)
        plan_decoder(p, w, m, n, k);
    w->other = w->input;
    const wgdn_decoder_saved *end = &w->decoder[s->decoder_layers - 1];
    const bool plain = w->last == WGDN_LAST_PLAIN;
    if (plain && f >= h)
        w->dh = end->t;
    else if (plain && s->channels > 1 && f * end->branches * s->channels >= h)
        w->dh = end->product[0][0]; /* and those that follow it */
    else
        w->dh = take_behind(p, w->front, n, h);
    if (w->front && w->dh) {
        w->powers = w->dh - w->front;
        w->powers_back = end->big - w->front;
    }
    w->sums = take(p, sums);
    w->tn = take(p, tn);
    w->dense = bf16 ? take(p, half) : w->tn;
    w->precision = m->options.precision;
    if (gram) plan_gram(p, w, in, h);
    if (m->options.augment == WGDN_AUGMENT_DROP_EDGE) plan_thin(p, &w->thin, in);
}

/*
 * Whether filtering again in the backward pass costs so little of a step that the memory is worth more:
 * less than a thirtieth of the dense products of the decoder, which sparse ones are 15 times slower
 * than.
 */
static bool recompute_pays(const wgdn_model *m, const wgdn_model_input *in)
{
    const wgdn_shape *s = &m->shape;
    const double layers = s->decoder_layers, out = (double)(layers > 1 ? s->width : s->features);
    const double filter = 15.0 * s->decoder_order * (double)in->all_edges;
    return 30 * filter < 3.0 * s->channels * (double)in->rows.total * out;
}

/* Two layers of one channel have nothing to gain: their filters would need a place of their own. */
static bool recompute_choice(const wgdn_model *m, const wgdn_model_input *in)
{
    if (m->shape.channels == 1 && m->shape.decoder_layers < 3) return false;
    return m->options.workspace == WGDN_WORKSPACE_POLICY_AUTO
               ? recompute_pays(m, in)
               : m->options.workspace == WGDN_WORKSPACE_POLICY_RECOMPUTE;
}

/* Of all filters there are: width h, and in a narrow last layer its own. */
static size_t powers_floats(const wgdn_model *m, const wgdn_workspace *w, int64_t n, bool training)
{
    const wgdn_shape *s = &m->shape;
    const bool narrow = training && w->last == WGDN_LAST_NARROW;
    const int wide = training && s->decoder_layers > narrow ? s->decoder_order : 1;
    const size_t sizes[] = {wgdn_poly_work(n, s->width, s->encoder_order),
                            wgdn_poly_work(n, s->width, wide),
                            narrow ? wgdn_poly_work(n, s->features, s->decoder_order) : 0};
    return largest(sizes, sizeof sizes / sizeof *sizes);
}

/*
 * Filters of one channel can work in matrices that are idle: forward in dh, which is R's place or
 * else nobody's yet, backward in the last layer's B, which is done with first. Not where the
 * backward pass filters again, nor where B is narrow. Floats to set aside before these two, or 0.
 */
static size_t powers_front(const wgdn_model *m, const wgdn_workspace *w, int64_t n, size_t needed)
{
    const wgdn_shape *s = &m->shape;
    const size_t front = wgdn_poly_work(0, s->width, 1), there = (size_t)n * (size_t)s->width;
    /* in bf16 a filter keeps as much backward as forward, and B is no wider than the width */
    const bool wide = w->last == WGDN_LAST_PLAIN && s->features >= s->width &&
                      m->options.precision == WGDN_PRECISION_FP32;
    const size_t room = front + (wide ? (size_t)n * (size_t)s->features : there);
    const bool can = s->channels == 1 && w->last != WGDN_LAST_NARROW &&
                     (s->decoder_layers == 1 || !w->recompute);
    return can && needed <= room ? front : 0;
}

static void plan_all(plan *p, wgdn_workspace *w, const wgdn_model *m, const wgdn_model_input *in,
                     bool training)
{
    const wgdn_shape *s = &m->shape;
    const int64_t n = in->rows.count;
    w->rows = in->rows;
    w->last = wgdn_last_choice(m, in);
    w->recompute = recompute_choice(m, in);
    for (int k = 0; k < s->encoder_layers; k++) {
        /* For embedding alone, two buffers take turns. */
        w->encoder[k].v = !training && k > 1 ? w->encoder[k - 2].v : take_matrix(p, n, s->width);
        plan_norm(p, &w->encoder[k].norm, m, n);
    }
    w->input = take_matrix(p, n, s->width);
    const size_t powers = powers_floats(m, w, n, training);
    w->front = training ? powers_front(m, w, n, powers) : 0;
    if (!w->front) w->powers = w->powers_back = take(p, powers * sizeof(float));
    if (training) plan_training(p, w, m, in);
}

size_t wgdn_workspace_bytes(const wgdn_model *m, const wgdn_model_input *in, bool training)
{
    wgdn_workspace w = {0};
    plan p = {0};
    plan_all(&p, &w, m, in, training);
    return p.used;
}

wgdn_status wgdn_workspace_new(wgdn_workspace **out, const wgdn_model *m,
                               const wgdn_model_input *in, bool training, wgdn_error *err)
{
    const size_t bytes = wgdn_workspace_bytes(m, in, training);
    wgdn_workspace *w = wgdn_alloc_zero(1, sizeof *w);
    if (w) w->block = wgdn_alloc(bytes, 1);
    if (!w || !w->block) {
        wgdn_workspace_free(w);
        return wgdn_fail(err, WGDN_ENOMEM, "a workspace of %.1f MB for %lld nodes",
                         (double)bytes / 1e6, (long long)in->rows.count);
    }
    plan_all(&(plan){.block = (char *)w->block}, w, m, in, training);
    *out = w;
    return WGDN_OK;
}

void wgdn_workspace_free(wgdn_workspace *w)
{
    if (!w) return;
    wgdn_release(w->block);
    wgdn_release(w);
}

void wgdn_workspace_fit(wgdn_workspace *w, wgdn_span rows)
{
    w->rows = rows;
}
