/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Leading eigenvectors of S, each weighted by exp(-t (1 - w)).                            [WGDN:eigen]
 *
 *     S U = U diag(w);   rows of U exp(-t (1 - w));   u_i = (1/w) s_i sum_j s_j u_j  (Nystroem)
 *
 * U is found by subspace iteration with a low-pass filter of S in place of S itself, from a sketch
 * that is addressed by the nodes' keys. Two rounds with exp(-6 L) tell roughly where the wanted
 * eigenvalues end; a few more have a filter that is cut off there. What is kept is s_j u_j exp(-t (1 - w)) / w of each node j:
 * the sum over a node's neighbours is its vector but for a factor, whether it was there or not.
 */
#include "base/streams.h"
#include "columns.h"

#include <math.h>

enum { FIRST = 2, THEN = 3, ORDER = 16 }; /* rounds of either filter; order of the second */

static const double filter_scale = 6; /* of the first: exp(-6 L) */
static const double smallest = 0.05;  /* eigenvalue that the formula above divides by */

/* A filter of S. */
typedef struct spectrum {
    const wgdn_fit_input *in;
    double once[WGDN_FIT_ORDER_MAX + 1], often[WGDN_FIT_ORDER_MAX + 1];
    int once_order, often_order;
    float *poly;
} spectrum;

static float *filter(float *x, float *y, int64_t width, const spectrum *s, bool often)
{
    const wgdn_poly p = {.graph = s->in->graph,
                         .d = width,
                         .channels = 1,
                         .order = often ? s->often_order : s->once_order,
                         .a = {often ? s->often : s->once},
                         .work = s->poly};
    wgdn_poly_apply(y, &p, x);
    return y;
}

static float *times(float *x, float *y, int64_t width, void *self)
{
    return filter(x, y, width, self, false);
}

static float *normal(float *x, float *y, int64_t width, void *self)
{
    return filter(x, y, width, self, true);
}

typedef struct laying {
    float *v;
    const uint64_t *key;
    int64_t k;
    wgdn_stream stream;
} laying;

static void lay_rows(int64_t first, int64_t count, double *sums, void *context)
{
    const laying *l = context;
    (void)sums;
    for (int64_t i = first; i < first + count; i++)
        wgdn_random_normals(l->v + i * l->k, l->k, l->stream, wgdn_key_row(l->key[i]), 1, 0, l->k);
}

/* Weights between 1 and 1.05, by the nodes' keys. */
static void tie_rows(int64_t first, int64_t count, double *sums, void *context)
{
    const laying *l = context;
    (void)sums;
    for (int64_t i = first; i < first + count; i++) {
        wgdn_random_uniforms(l->v + i, 1, l->stream, wgdn_key_row(l->key[i]), 1, 0, 1);
        l->v[i] = 1 + 0.05F * l->v[i];
    }
}

void wgdn_ties_break(float *tie, const wgdn_fit_input *in, uint64_t seed)
{
    laying l = {tie, in->key, 1, {.seed = seed, .call = WGDN_CALL_SIGNS}};
    wgdn_for_blocks(in->rows, tie_rows, &l, NULL, 0, NULL);
}

void wgdn_sketch_nodes(float *v, const wgdn_fit_input *in, int64_t k, wgdn_stream stream)
{
    laying l = {v, in->key, k, stream};
    wgdn_for_blocks(in->rows, lay_rows, &l, NULL, 0, NULL);
}

/* value = exp(-t (1 - w)) becomes exp(-t (1 - w)) / w; 0 where w is too small to divide by. */
static void nystroem_factors(double *value, int64_t k, double t)
{
    for (int64_t j = 0; j < k; j++) {
        const double w = value[j] > 0 ? 1 + log(value[j]) / t : 0;
        value[j] = w > smallest ? value[j] / w : 0;
    }
}

/* 1 - w of a column: where a filter may cut off, if it is the last one. */
static double end_of(const double *value, int64_t column, double t)
{
    const double last = value[column], end = last > 0 ? -log(last) / t : 1.5;
    return fmin(fmax(end, 0.02), 1.5);
}

/* The first eigenvector is the degrees'. A part of one column keeps the second one instead, in units
 * of its mean. */
static void keep_second(wgdn_fitted_part *p, const wgdn_fit_input *in)
{
    const double unit = sqrt((double)in->rows.total);
    for (int64_t i = 0; i < in->rows.count; i++)
        p->basis[i] = (float)(unit * p->basis[2 * i + 1]);
    p->dim = 1;
}

wgdn_status wgdn_eigen_learn(wgdn_fitted_part *p, const wgdn_fit_input *in, uint64_t seed,
                             wgdn_error *err)
{
    const bool single = p->dim == 1;
    p->dim = wgdn_min(single ? 2 : p->dim, in->rows.total);
    const int64_t k = wgdn_min(p->dim + WGDN_FIT_SPARE, in->rows.total);
    spectrum self = {.in = in};
    wgdn_leading l;
    wgdn_status st = wgdn_leading_open(&l, in, k, seed, err);
    l.times = times;
    l.normal = normal;
    l.self = &self;
    self.once_order = wgdn_part_series(self.once, p, false);
    self.often_order = wgdn_heat_series(self.often, filter_scale);
    self.poly = wgdn_alloc(wgdn_poly_work(in->rows.count, l.v.width, 2), sizeof *self.poly);
    if (!st && !self.poly) st = wgdn_fail(err, WGDN_ENOMEM, "eigenvectors: a slab of columns");
    st = wgdn_span_agree(in->rows, st, err);
    if (!st) st = wgdn_leading_find(&l, FIRST, err);
    if (!st) {
        const double end = end_of(l.value, k - 1, p->scale);
        self.often_order = wgdn_low_pass_series(self.often, end, ORDER);
        st = wgdn_leading_find(&l, THEN, err);
    }
    if (!st) {
        p->last = 1 - end_of(l.value, p->dim - 1, p->scale);
        nystroem_factors(l.value, k, p->scale);
        while (p->dim > 1 && l.value[p->dim - 1] == 0)
            p->dim--;
        p->empty = l.value[0] == 0;
        st = wgdn_leading_basis(p, &l, in->graph->inv_sqrt_degree, err);
        if (!st && single && p->dim == 2) keep_second(p, in);
    }
    wgdn_release(self.poly);
    wgdn_leading_close(&l);
    return wgdn_span_agree(in->rows, st, err);
}
