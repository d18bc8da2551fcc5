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
#include "fit.h"

#include <math.h>

enum { FIRST = 2, THEN = 3, ORDER = 16 }; /* rounds of either filter; order of the second */

static const double filter_scale = 6; /* of the first: exp(-6 L) */
static const double smallest = 0.05;  /* eigenvalue that the formula above divides by */

typedef struct spectrum {
    const wgdn_fit_input *in;
    double once[WGDN_FIT_ORDER_MAX + 1], often[WGDN_FIT_ORDER_MAX + 1];
    int once_order, often_order;
    float *side; /* rows x k */
    float *poly;
} spectrum;

static wgdn_status times(float *y, const float *q, int64_t k, void *self, wgdn_error *err)
{
    const spectrum *s = self;
    const wgdn_poly p = {.graph = s->in->graph,
                         .d = k,
                         .channels = 1,
                         .order = s->once_order,
                         .a = {s->once},
                         .work = s->poly};
    (void)err;
    wgdn_poly_apply(y, &p, q);
    return WGDN_OK;
}

static wgdn_status normal(float *q, int64_t k, void *self, wgdn_error *err)
{
    const spectrum *s = self;
    const wgdn_poly p = {.graph = s->in->graph,
                         .d = k,
                         .channels = 1,
                         .order = s->often_order,
                         .a = {s->often},
                         .work = s->poly};
    (void)err;
    wgdn_poly_apply(s->side, &p, q);
    wgdn_copy(q, s->side, s->in->rows.count, k);
    return WGDN_OK;
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

/* The basis of rows here: columns of V times `factor`, rows times s, unless NULL. */
wgdn_status wgdn_basis_from(wgdn_fitted_part *p, const wgdn_subspace *s, const double *factor,
                            const float *by_row, int64_t n, wgdn_error *err)
{
    p->rows = n;
    p->basis = wgdn_alloc((size_t)n * (size_t)p->dim, sizeof *p->basis);
    if (!p->basis)
        return wgdn_fail(err, WGDN_ENOMEM, "basis of %lld x %lld", (long long)n, (long long)p->dim);
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < p->dim; j++)
            p->basis[i * p->dim + j] =
                (float)(s->v[i * s->k + j] * factor[j] * (by_row ? by_row[i] : 1));
    return WGDN_OK;
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
static double end_of(const wgdn_subspace *s, int64_t column, double t)
{
    const double last = s->value[column], end = last > 0 ? -log(last) / t : 1.5;
    return fmin(fmax(end, 0.02), 1.5);
}

wgdn_status wgdn_eigen_learn(wgdn_fitted_part *p, const wgdn_fit_input *in, uint64_t seed,
                             wgdn_error *err)
{
    const int64_t n = in->rows.count;
    p->dim = wgdn_min(p->dim, in->rows.total);
    const int64_t k = wgdn_min(p->dim + WGDN_FIT_SPARE, in->rows.total);
    spectrum self = {.in = in};
    wgdn_subspace s = {.k = k};
    wgdn_status st = WGDN_OK;
    self.once_order = wgdn_part_series(self.once, p, false);
    self.often_order = wgdn_heat_series(self.often, filter_scale);
    const int most = self.often_order > ORDER ? self.often_order : ORDER;
    const int order = self.once_order > most ? self.once_order : most;
    self.side = wgdn_alloc((size_t)(n * k), sizeof *self.side);
    self.poly = wgdn_alloc(wgdn_poly_work(n, k, order), sizeof *self.poly);
    s.v = wgdn_alloc((size_t)(n * k), sizeof *s.v);
    s.value = wgdn_alloc((size_t)k, sizeof *s.value);
    float *tie = wgdn_alloc((size_t)n, sizeof *tie);
    s.tie = tie;
    if (!self.side || !self.poly || !s.v || !s.value || !tie)
        st = wgdn_fail(err, WGDN_ENOMEM, "eigenvectors: five matrices of %lld x %lld", (long long)n,
                       (long long)k);
    st = wgdn_span_agree(in->rows, st, err);
    if (!st) {
        const wgdn_operator op = {
            .rows = in->rows, .cols = in->rows, .times = times, .normal = normal, .self = &self};
        wgdn_sketch_nodes(s.v, in, k, (wgdn_stream){.seed = seed, .call = WGDN_CALL_SKETCH});
        wgdn_ties_break(tie, in, seed);
        st = wgdn_subspace_find(&s, &op, FIRST, err);
        if (!st) {
            self.often_order = wgdn_low_pass_series(self.often, end_of(&s, k - 1, p->scale), ORDER);
            st = wgdn_subspace_find(&s, &op, THEN, err);
        }
    }
    if (!st) {
        p->last = 1 - end_of(&s, p->dim - 1, p->scale);
        nystroem_factors(s.value, k, p->scale);
        st = wgdn_basis_from(p, &s, s.value, in->graph->inv_sqrt_degree, n, err);
    }
    wgdn_release(tie);
    wgdn_release(s.value);
    wgdn_release(s.v);
    wgdn_release(self.poly);
    wgdn_release(self.side);
    return wgdn_span_agree(in->rows, st, err);
}
