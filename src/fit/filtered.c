/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Features filtered by the graph, and reduced.                                        [WGDN:filtered]
 *
 *     Z = p(S) R X V,    S = D^-1/2 A D^-1/2,  R: rows of length 1,  V: the basis, features x dim
 *
 * V are the leading right singular vectors of p(S) R X, which is never formed: V goes in, the
 * filter has as many columns as V. A^T A of the iteration is X^T R p(S)^2 R X, one filter.
 */
#include "base/streams.h"
#include "fit.h"

#include <string.h>

enum { ROUNDS = 2 };

static const size_t slab_bytes = (size_t)1 << 28; /* of a matrix that is filtered at once */

typedef struct filtering {
    const wgdn_fit_input *in;
    double once[WGDN_FIT_ORDER_MAX + 1], twice[WGDN_FIT_ORDER_MAX + 1];
    int once_order, twice_order;
    float *side, *other; /* rows x k */
    float *poly;
    void *work;
} filtering;

static wgdn_status open_filtering(filtering *f, const wgdn_fitted_part *p, const wgdn_fit_input *in,
                                  int64_t k, bool learn, wgdn_error *err)
{
    const size_t n = (size_t)in->rows.count;
    *f = (filtering){.in = in};
    f->once_order = wgdn_part_series(f->once, p, false);
    f->twice_order = learn ? wgdn_part_series(f->twice, p, true) : 0;
    const int order = f->once_order > f->twice_order ? f->once_order : f->twice_order;
    const size_t sum = !learn         ? 0
                       : in->x.sparse ? wgdn_spmm_tn_work(in->rows, k)
                                      : wgdn_gemm_tn_work(in->rows, in->features, k);
    f->side = wgdn_alloc(n * (size_t)k, sizeof *f->side);
    f->other = wgdn_alloc(n * (size_t)k, sizeof *f->other);
    f->poly = wgdn_alloc(wgdn_poly_work(in->rows.count, k, order), sizeof *f->poly);
    f->work = wgdn_alloc(sum, 1);
    if (f->side && f->other && f->poly && f->work) return WGDN_OK;
    return wgdn_fail(err, WGDN_ENOMEM, "filtered features: four matrices of %lld x %lld",
                     (long long)n, (long long)k);
}

static void close_filtering(filtering *f)
{
    wgdn_release(f->work);
    wgdn_release(f->poly);
    wgdn_release(f->other);
    wgdn_release(f->side);
}

/* y = p(S) x, or p(S)^2 x */
static void filter(float *y, const filtering *f, const float *x, int64_t k, bool squared)
{
    const wgdn_poly p = {.graph = f->in->graph,
                         .d = k,
                         .channels = 1,
                         .order = squared ? f->twice_order : f->once_order,
                         .a = {squared ? f->twice : f->once},
                         .work = f->poly};
    wgdn_poly_apply(y, &p, x);
}

static wgdn_status times(float *y, const float *q, int64_t k, void *self, wgdn_error *err)
{
    const filtering *f = self;
    const wgdn_status st = wgdn_scaled_product(f->side, f->in, q, k, err);
    if (!st) filter(y, f, f->side, k, false);
    return st;
}

static wgdn_status normal(float *q, int64_t k, void *self, wgdn_error *err)
{
    const filtering *f = self;
    const wgdn_fit_input *in = f->in;
    wgdn_status st = wgdn_scaled_product(f->side, in, q, k, err);
    if (st) return st;
    filter(f->other, f, f->side, k, true);
    wgdn_scale_rows(f->other, in->inv_norm, in->rows, k);
    if (in->x.sparse) {
        wgdn_spmm_tn(q, &in->turned, f->other, in->rows, k, f->work);
        return WGDN_OK;
    }
    wgdn_product p = wgdn_product_of(q, in->x.dense, f->other, in->rows, in->features, k);
    p.work = f->work;
    return wgdn_gemm_tn(&p, err);
}

/* The leading columns of the n x k at x. */
static float *first_columns(const float *x, int64_t n, int64_t k, int64_t keep)
{
    float *y = wgdn_alloc((size_t)n * (size_t)keep, sizeof *y);
    for (int64_t i = 0; y && i < n; i++)
        memcpy(y + i * keep, x + i * k, (size_t)keep * sizeof *y);
    return y;
}

wgdn_status wgdn_filtered_learn(wgdn_fitted_part *p, const wgdn_fit_input *in, uint64_t seed,
                                wgdn_error *err)
{
    const int64_t f = in->features, k = wgdn_min(p->dim + WGDN_FIT_SPARE, f);
    filtering self;
    wgdn_subspace s = {.k = k};
    wgdn_status st = WGDN_OK;
    if (f <= p->dim) { /* nothing to reduce */
        p->dim = p->rows = f;
        return WGDN_OK;
    }
    st = open_filtering(&self, p, in, k, true, err);
    s.v = wgdn_alloc((size_t)f * (size_t)k, sizeof *s.v);
    s.b = wgdn_alloc((size_t)in->rows.count * (size_t)k, sizeof *s.b);
    s.value = wgdn_alloc((size_t)k, sizeof *s.value);
    if (!st && (!s.v || !s.b || !s.value))
        st = wgdn_fail(err, WGDN_ENOMEM, "basis of %lld x %lld", (long long)f, (long long)k);
    st = wgdn_span_agree(in->rows, st, err);
    if (!st) {
        const wgdn_operator op = {.rows = in->rows,
                                  .cols = wgdn_alone(f),
                                  .times = times,
                                  .normal = normal,
                                  .self = &self};
        wgdn_random_normals(s.v, k, (wgdn_stream){.seed = seed, .call = WGDN_CALL_SKETCH}, 0, f, 0,
                            k);
        st = wgdn_subspace_find(&s, &op, ROUNDS, err);
    }
    if (!st) {
        p->rows = f;
        p->basis = first_columns(s.v, f, k, p->dim);
        if (!p->basis) st = wgdn_fail(err, WGDN_ENOMEM, "basis of %lld rows", (long long)f);
    }
    wgdn_release(s.value);
    wgdn_release(s.b);
    wgdn_release(s.v);
    close_filtering(&self);
    return wgdn_span_agree(in->rows, st, err);
}

/* ---- embedding, a slab of columns at a time ---- */

typedef struct slab {
    const wgdn_fit_input *in;
    float *to, *from; /* the slab, rows x width */
    int64_t at, width, ld;
    float *out; /* rows of ld, the slab's columns from `at` on */
} slab;

/* R X without a basis: columns of X */
static void take_columns(int64_t first, int64_t count, double *sums, void *context)
{
    const slab *s = context;
    const wgdn_csr *x = s->in->x.sparse;
    (void)sums;
    for (int64_t i = first; i < first + count; i++) {
        float *to = s->to + i * s->width;
        const float r = s->in->inv_norm[i];
        memset(to, 0, (size_t)s->width * sizeof *to);
        for (int64_t j = 0; !x && j < s->width; j++)
            to[j] = r * s->in->x.dense[i * s->in->features + s->at + j];
        for (int64_t k = x ? x->offset[i] : 0; x && k < x->offset[i + 1]; k++) {
            const int64_t j = x->column[k] - s->at;
            if (j >= 0 && j < s->width) to[j] = r * (x->value ? x->value[k] : 1);
        }
    }
}

static void put_columns(int64_t first, int64_t count, double *sums, void *context)
{
    const slab *s = context;
    (void)sums;
    for (int64_t i = first; i < first + count; i++)
        memcpy(s->out + i * s->ld + s->at, s->from + i * s->width,
               (size_t)s->width * sizeof *s->out);
}

static wgdn_status fill_slab(slab *s, const wgdn_fitted_part *p, float *v, wgdn_error *err)
{
    if (!p->basis) {
        wgdn_for_blocks(s->in->rows, take_columns, s, NULL, 0, NULL);
        return WGDN_OK;
    }
    for (int64_t i = 0; i < p->rows; i++)
        memcpy(v + i * s->width, p->basis + i * p->dim + s->at, (size_t)s->width * sizeof *v);
    return wgdn_scaled_product(s->to, s->in, v, s->width, err);
}

int64_t wgdn_slab_width(int64_t rows, int64_t dim)
{
    const int64_t fits = (int64_t)(slab_bytes / sizeof(float)) / (rows > 0 ? rows : 1) / 16 * 16;
    return wgdn_min(dim, fits > 32 ? fits : 32);
}

wgdn_status wgdn_filtered_embed(float *out, int64_t ld, const wgdn_fitted_part *p,
                                const wgdn_fit_input *in, wgdn_error *err)
{
    const int64_t most = wgdn_slab_width(in->rows.count, p->dim);
    filtering f;
    wgdn_status st = open_filtering(&f, p, in, most, false, err);
    float *v = p->basis ? wgdn_alloc((size_t)(p->rows * most), sizeof *v) : NULL;
    if (!st && p->basis && !v)
        st = wgdn_fail(err, WGDN_ENOMEM, "basis of %lld columns", (long long)most);
    st = wgdn_span_agree(in->rows, st, err);
    for (int64_t at = 0; at < p->dim && !st; at += most) {
        slab s = {.in = in,
                  .to = f.side,
                  .from = f.other,
                  .at = at,
                  .width = wgdn_min(most, p->dim - at),
                  .ld = ld,
                  .out = out};
        st = fill_slab(&s, p, v, err);
        if (st) break;
        filter(f.other, &f, f.side, s.width, false);
        wgdn_for_blocks(in->rows, put_columns, &s, NULL, 0, NULL);
    }
    wgdn_release(v);
    close_filtering(&f);
    return st;
}
