/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Directions and types of edges beside features, a block of columns each.           [WGDN:related]
 *
 *     Z_r = (exp(t P_r) - I) Y,   P_r: random walk of relation r,   t = 1
 *
 * rows scaled to length 1, with a last column for the number of edges. Y is R X V, features in a
 * basis of their own. Models from before singular.c have no features: there Y is random by the key of
 * the node, over the root of its degree. A node's own row is left out: the other parts have it. All
 * terms of the series are averages, so none of them can grow.
 */
#include "base/streams.h"
#include "fit.h"

#include <math.h>
#include <string.h>

enum { STEPS = 5 }; /* of the walk; what lies beyond has a share of 0.1 percent */

static const double by_degree = 0.1; /* times log(1 + edges), beside a length of 1 */

/* Columns of a relation's block before the last one. */
static int64_t signal_width(const wgdn_fitted_part *p, const wgdn_fitted *f)
{
    return p->dim / f->relations.count - 1;
}

wgdn_status wgdn_related_learn(wgdn_fitted_part *p, const wgdn_fitted *f, const wgdn_fit_input *in,
                               wgdn_error *err)
{
    const int64_t width = signal_width(p, f);
    wgdn_fitted_part signal = {
        .kind = WGDN_PART_FILTERED, .hops = -1, .scale = 1, .weight = 1, .dim = width};
    const wgdn_status st = wgdn_filtered_learn(&signal, in, f->options.seed, err);
    p->rows = in->features;
    p->basis = signal.basis;
    p->dim = f->relations.count * (signal.dim + 1);
    return st;
}

/* ---- the signal ---- */

typedef struct walking {
    const wgdn_fit_input *in;
    float *to, *from; /* rows x width */
    float *sum;
    double factor;
    int64_t width, ld;
    const wgdn_csr *step;
    float *out; /* the block, rows of ld */
} walking;

/* Y, into w->to. */
static wgdn_status make_signal(walking *w, const wgdn_fitted_part *p, const wgdn_fitted *f,
                               wgdn_error *err)
{
    if (!w->in->features) {
        const wgdn_stream s = {.seed = f->options.seed, .call = WGDN_CALL_RELATED};
        wgdn_sketch_nodes(w->to, w->in, w->width, s);
        wgdn_scale_rows(w->to, w->in->graph->inv_sqrt_degree, w->to, w->in->rows, w->width);
        return WGDN_OK;
    }
    const wgdn_fitted_part signal = {.kind = WGDN_PART_FILTERED,
                                     .hops = 0,
                                     .weight = 1,
                                     .dim = w->width,
                                     .rows = p->rows,
                                     .basis = p->basis};
    const wgdn_place to = {.out = w->to, .ld = w->width};
    return wgdn_filtered_embed(&to, &signal, w->in, err);
}

/* ---- the walk ---- */

static void add_rows(int64_t first, int64_t count, double *sums, void *context)
{
    const walking *w = context;
    (void)sums;
    for (int64_t k = first * w->width; k < (first + count) * w->width; k++)
        w->sum[k] = (float)(w->sum[k] + w->factor * w->from[k]);
}

static void put_rows(int64_t first, int64_t count, double *sums, void *context)
{
    const walking *w = context;
    (void)sums;
    for (int64_t i = first; i < first + count; i++) {
        float *out = w->out + i * w->ld;
        memcpy(out, w->sum + i * w->width, (size_t)w->width * sizeof *out);
        (void)wgdn_row_to_length(out, w->width, 1);
        out[w->width] =
            (float)(by_degree * log1p((double)(w->step->offset[i + 1] - w->step->offset[i])));
    }
}

/* sum over k of t^k / k! P^k Y into the block; y stays. */
static void walk(walking *w, const float *y)
{
    const size_t bytes = (size_t)(w->in->rows.count * w->width) * sizeof *w->sum;
    float *const pair[2] = {w->to, w->from};
    const float *at = y;
    memset(w->sum, 0, bytes);
    w->factor = 1;
    for (int k = 1; k <= STEPS; k++) {
        float *next = pair[k % 2];
        wgdn_spmm(next, w->step, at, w->width);
        w->factor /= k;
        w->from = next;
        wgdn_for_blocks(w->in->rows, add_rows, w, NULL, 0, NULL);
        at = next;
    }
    w->to = pair[0];
    w->from = pair[1];
    wgdn_for_blocks(w->in->rows, put_rows, w, NULL, 0, NULL);
}

static void clear_rows(int64_t first, int64_t count, double *sums, void *context)
{
    const walking *w = context;
    (void)sums;
    for (int64_t i = first; i < first + count; i++)
        memset(w->out + i * w->ld, 0, (size_t)(w->width + 1) * sizeof *w->out);
}

/* A block for each relation of the model; zeros where the data has no such one. */
static wgdn_status embed_all(walking *w, const wgdn_fitted *f, const wgdn_relations *there,
                             const float *y, wgdn_error *err)
{
    int64_t found = 0;
    for (int64_t r = 0; r < f->relations.count; r++, w->out += w->width + 1) {
        const int64_t k = wgdn_relations_find(there, wgdn_names_get(&f->relations, r));
        if (k < 0) {
            wgdn_for_blocks(w->in->rows, clear_rows, w, NULL, 0, NULL);
            continue;
        }
        const wgdn_csr step = wgdn_relations_get(there, k);
        w->step = &step;
        walk(w, y);
        w->step = NULL;
        found++;
    }
    return found ? WGDN_OK : wgdn_relations_missing(f, err);
}

wgdn_status wgdn_relations_missing(const wgdn_fitted *f, wgdn_error *err)
{
    return wgdn_fail(err, WGDN_EINVAL,
                     "the model uses directions or types of edges (%s, ...), which the data was "
                     "read without: give --directed and --type as for the model",
                     wgdn_show(wgdn_names_get(&f->relations, 0)).text);
}

wgdn_status wgdn_related_embed(float *out, int64_t ld, const wgdn_fitted_part *p,
                               const wgdn_fitted *f, const wgdn_fit_input *in, wgdn_error *err)
{
    const int64_t width = signal_width(p, f);
    const size_t matrix = (size_t)in->rows.count * (size_t)width;
    float *store = wgdn_alloc(4 * matrix, sizeof *store);
    walking w = {.in = in, .to = store, .width = width, .ld = ld, .out = out};
    if (!store)
        return wgdn_fail(err, WGDN_ENOMEM, "directions and types: four matrices of %lld x %lld",
                         (long long)in->rows.count, (long long)width);
    wgdn_status st = make_signal(&w, p, f, err);
    w.to = store + matrix;
    w.from = store + 2 * matrix;
    w.sum = store + 3 * matrix;
    if (!st) st = embed_all(&w, f, in->relations, store, err);
    wgdn_release(store);
    return st;
}
