/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pooled cosines, reduced.                                                       [WGDN:graph-basis]
 *
 *     B = (T - 1 m^T) C,   B ~ U diag(s) V^T,   vectors B V (s / s_0)^-p = U s^(1-p) s_0^p
 *
 * C scales each block to rows of mean squared length 1. Dividing by a part of the singular values
 * lets small differences between graphs count, which a kernel on the vectors would not see else.
 * What is kept is m and C V (s / s_0)^-p.
 */
#include "base/streams.h"
#include "graphs.h"

#include <math.h>

enum { ROUNDS = 4, WIDTH = WGDN_GRAPH_WIDTH };

const double wgdn_graph_power = 0.25;
static const double least = 1e-5; /* of the largest singular value: below, there is rounding only */

typedef struct pooled {
    float *t; /* graphs x WIDTH */
    wgdn_span graphs;
    double *factor; /* WIDTH: C */
    float *centre;  /* WIDTH: m */
    float *side;    /* graphs x k */
    void *work;
} pooled;

static wgdn_status times(float *y, const float *q, int64_t k, void *self, wgdn_error *err)
{
    const pooled *b = self;
    const wgdn_product p = wgdn_product_of(y, b->t, q, b->graphs, WIDTH, k);
    return wgdn_gemm_nn(&p, err);
}

static wgdn_status normal(float *q, int64_t k, void *self, wgdn_error *err)
{
    const pooled *b = self;
    const wgdn_status st = times(b->side, q, k, self, err);
    wgdn_product p = wgdn_product_of(q, b->t, b->side, b->graphs, WIDTH, k);
    p.work = b->work;
    return st ? st : wgdn_gemm_tn(&p, err);
}

static void centre_rows(int64_t first, int64_t count, double *sums, void *context)
{
    const pooled *b = context;
    (void)sums;
    for (int64_t g = first; g < first + count; g++)
        for (int64_t j = 0; j < WIDTH; j++)
            b->t[g * WIDTH + j] -= b->centre[j];
}

static void scale_rows(int64_t first, int64_t count, double *sums, void *context)
{
    const pooled *b = context;
    (void)sums;
    for (int64_t g = first; g < first + count; g++)
        for (int64_t j = 0; j < WIDTH; j++)
            b->t[g * WIDTH + j] = (float)(b->t[g * WIDTH + j] * b->factor[j]);
}

/* T becomes B. sum: 2 x WIDTH */
static void standardise(pooled *b, double *sum)
{
    double *squares = sum + WIDTH;
    wgdn_column_sums(sum, NULL, b->t, b->graphs, WIDTH, b->work);
    for (int64_t j = 0; j < WIDTH; j++)
        b->centre[j] = (float)(sum[j] / (double)b->graphs.total);
    wgdn_for_blocks(b->graphs, centre_rows, b, NULL, 0, NULL);
    wgdn_column_sums(sum, squares, b->t, b->graphs, WIDTH, b->work);
    for (int i = 0; i < WGDN_GRAPH_BLOCKS; i++) {
        const int64_t at = (int64_t)i * WGDN_GRAPH_COSINES;
        const double all = wgdn_tree_sum(squares + at, WGDN_GRAPH_COSINES);
        const double factor = all > 0 ? sqrt((double)b->graphs.total / all) : 0;
        for (int64_t j = at; j < at + WGDN_GRAPH_COSINES; j++)
            b->factor[j] = factor;
    }
    wgdn_for_blocks(b->graphs, scale_rows, b, NULL, 0, NULL);
}

/* Columns that have something in them, at least one. */
static int64_t columns_of(const wgdn_subspace *s, int64_t most)
{
    int64_t dim = 1;
    while (dim < s->k && dim < most && s->value[dim] > least * s->value[0])
        dim++;
    return dim;
}

static wgdn_status keep(wgdn_graph_form *form, const wgdn_subspace *s, const double *factor,
                        int64_t dim, wgdn_error *err)
{
    form->dim = dim;
    form->basis = wgdn_alloc(WIDTH * (size_t)dim, sizeof *form->basis);
    if (!form->basis)
        return wgdn_fail(err, WGDN_ENOMEM, "basis of %d x %lld", WIDTH, (long long)dim);
    for (int64_t j = 0; j < dim; j++) {
        const double part = s->value[0] > 0 ? pow(s->value[j] / s->value[0], -wgdn_graph_power) : 0;
        for (int64_t i = 0; i < WIDTH; i++)
            form->basis[i * dim + j] = (float)(s->v[i * s->k + j] * factor[i] * part);
    }
    return WGDN_OK;
}

wgdn_status wgdn_graph_basis_learn(wgdn_graph_form *form, float *t, int64_t graphs,
                                   const wgdn_fit_options *o, wgdn_error *err)
{
    pooled b = {.t = t, .graphs = wgdn_alone(graphs)};
    const int64_t k = wgdn_min(wgdn_min((int64_t)o->dim + WGDN_FIT_SPARE, graphs), WIDTH);
    const size_t n = (size_t)(graphs * k);
    wgdn_subspace s = {.k = k};
    wgdn_status st = WGDN_OK;
    b.centre = form->centre = wgdn_alloc(WIDTH, sizeof *form->centre);
    b.factor = wgdn_alloc(3 * (size_t)WIDTH, sizeof *b.factor);
    b.side = wgdn_alloc(n, sizeof *b.side);
    b.work = wgdn_alloc(
        wgdn_larger(wgdn_gemm_tn_work(b.graphs, WIDTH, k), wgdn_reduce_work(b.graphs, WIDTH)), 1);
    s.v = wgdn_alloc((size_t)(WIDTH * k), sizeof *s.v);
    s.value = wgdn_alloc((size_t)k, sizeof *s.value);
    if (!b.centre || !b.factor || !b.side || !b.work || !s.v || !s.value)
        st = wgdn_fail(err, WGDN_ENOMEM, "vectors of graphs: matrices of %lld x %lld",
                       (long long)graphs, (long long)k);
    if (!st) {
        const wgdn_operator op = {.rows = b.graphs,
                                  .cols = wgdn_alone(WIDTH),
                                  .times = times,
                                  .normal = normal,
                                  .self = &b};
        standardise(&b, b.factor + WIDTH);
        wgdn_random_normals(s.v, k, (wgdn_stream){.seed = o->seed, .call = WGDN_CALL_SKETCH}, 0,
                            WIDTH, 0, k);
        st = wgdn_subspace_find(&s, &op, ROUNDS, err);
    }
    if (!st) st = keep(form, &s, b.factor, columns_of(&s, o->dim), err);
    wgdn_release(s.value);
    wgdn_release(s.v);
    wgdn_release(b.work);
    wgdn_release(b.side);
    wgdn_release(b.factor);
    return st;
}
