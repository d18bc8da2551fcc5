/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Features filtered by the graph, and reduced.                                        [WGDN:filtered]
 *
 *     Z = p(S) R X V,    S = D^-1/2 A D^-1/2,  R: rows of length 1,  V: the basis, features x dim
 *
 * V are the leading right singular vectors of p(S) R X, which is never formed: V goes in, the
 * filter has as many columns as V (reduced.c).
 */
#include "base/streams.h"
#include "columns.h"

enum { ROUNDS = 2 };

static const size_t slab_bytes = (size_t)1 << 28; /* of a slab, where memory is not short */

/* Features as they are, but for columns that are zero for every node. */
static wgdn_status leave_out_unused(wgdn_fitted_part *p, const wgdn_fit_input *in, wgdn_error *err)
{
    const int64_t f = in->features;
    int64_t used = 0, at = 0;
    for (int64_t j = 0; in->used && j < f; j++)
        used += in->used[j] > 0;
    if (!in->used || used == f || used == 0) return WGDN_OK;
    p->dim = used;
    p->basis = wgdn_alloc_zero((size_t)(f * used), sizeof *p->basis);
    wgdn_status st = WGDN_OK;
    if (!p->basis) st = wgdn_fail(err, WGDN_ENOMEM, "basis of %lld rows", (long long)f);
    for (int64_t j = 0; j < f && !st; j++)
        if (in->used[j] > 0) p->basis[j * used + at++] = 1;
    return wgdn_span_agree(in->rows, st, err);
}

wgdn_status wgdn_filtered_learn(wgdn_fitted_part *p, const wgdn_fit_input *in, uint64_t seed,
                                wgdn_error *err)
{
    const int64_t f = in->features, k = wgdn_min(p->dim + WGDN_FIT_SPARE, f);
    const wgdn_stream sketch = {.seed = seed, .call = WGDN_CALL_SKETCH};
    double series[WGDN_FIT_ORDER_MAX + 1];
    wgdn_subspace s = {.k = k};
    wgdn_status st = WGDN_OK;
    if (f <= p->dim) { /* nothing to reduce */
        p->dim = p->rows = f;
        return leave_out_unused(p, in, err);
    }
    s.v = wgdn_alloc((size_t)f * (size_t)k, sizeof *s.v);
    s.value = wgdn_alloc((size_t)k, sizeof *s.value);
    if (!s.v || !s.value)
        st = wgdn_fail(err, WGDN_ENOMEM, "basis of %lld x %lld", (long long)f, (long long)k);
    st = wgdn_span_agree(in->rows, st, err);
    if (!st) wgdn_random_normals(s.v, k, sketch, 0, f, 0, k);
    const bool plain = wgdn_part_series(series, p, false) == 0;
    if (!st) st = wgdn_reduced_find(&s, plain ? NULL : p, in, ROUNDS, seed, err);
    if (!st) {
        p->rows = f;
        while (p->dim > 1 && !(s.value[p->dim - 1] > WGDN_FIT_RANK * s.value[0]))
            p->dim--;
        p->empty = !(s.value[0] > 0);
        p->basis = wgdn_alloc((size_t)(f * p->dim), sizeof *p->basis);
        if (p->basis)
            wgdn_copy_columns(p->basis, p->dim, s.v, k, f, p->dim);
        else
            st = wgdn_fail(err, WGDN_ENOMEM, "basis of %lld rows", (long long)f);
    }
    wgdn_release(s.value);
    wgdn_release(s.v);
    return wgdn_span_agree(in->rows, st, err);
}

/* ---- embedding, a slab of columns at a time ---- */

int64_t wgdn_slab_usual(int64_t rows, int64_t dim)
{
    const int64_t fits = (int64_t)(slab_bytes / sizeof(float)) / (rows > 0 ? rows : 1) / 16 * 16;
    return wgdn_min(dim, fits > 32 ? fits : 32);
}

int64_t wgdn_slab_width(const wgdn_fit_input *in, int64_t dim)
{
    return in->room.slab > 0 ? wgdn_min(in->room.slab, dim) : wgdn_slab_usual(in->rows.count, dim);
}

/* p(S) or p(S)^2, and what it works with: slabs of rows x width, unless these lie in memory. */
typedef struct filtering {
    wgdn_poly p;
    double series[WGDN_FIT_ORDER_MAX + 1];
    float *side, *other, *work;
} filtering;

/* Where the slab of the signal lies, NULL if it has to be made or read. */
static const float *lies_at(const wgdn_signal *s, int64_t at)
{
    return s->there ? wgdn_columns_at(&s->made, at) : NULL;
}

/* Where the slab that is made of it may be written at once. */
static float *goes_to(const wgdn_columns *to, const wgdn_signal *s, int64_t at)
{
    return to == &s->made ? NULL : wgdn_columns_at(to, at);
}

static wgdn_status open_filtering(filtering *f, const wgdn_columns *to, const wgdn_signal *s,
                                  const wgdn_fitted_part *by, bool twice, wgdn_error *err)
{
    const int64_t n = to->rows, width = to->width;
    const size_t slab = (size_t)n * (size_t)width;
    const int order = wgdn_part_series(f->series, by, twice);
    f->side = wgdn_alloc(lies_at(s, 0) ? 0 : slab, sizeof *f->side);
    f->other = wgdn_alloc(goes_to(to, s, 0) ? 0 : slab, sizeof *f->other);
    f->work = wgdn_alloc(wgdn_poly_work(n, width, order < 2 ? order : 2), sizeof *f->work);
    f->p = (wgdn_poly){
        .graph = s->in->graph, .channels = 1, .order = order, .a = {f->series}, .work = f->work};
    if (f->side && f->other && f->work) return WGDN_OK;
    return wgdn_fail(err, WGDN_ENOMEM, "filtered features: slabs of %lld x %lld", (long long)n,
                     (long long)width);
}

static void close_filtering(filtering *f)
{
    wgdn_release(f->work);
    wgdn_release(f->other);
    wgdn_release(f->side);
}

static void filter_slabs(wgdn_columns *to, const wgdn_signal *s, filtering *f)
{
    const bool spread = wgdn_signal_spread(to, s, f->side);
    for (int64_t at = 0; at < to->k; at += to->width) {
        const float *from = lies_at(s, at);
        float *place = goes_to(to, s, at);
        f->p.d = wgdn_columns_left(to, at);
        if (spread)
            wgdn_columns_get(f->side, to, at);
        else if (!from)
            wgdn_signal_slab(f->side, s, at, f->p.d);
        wgdn_poly_apply(place ? place : f->other, &f->p, from ? from : f->side);
        if (!place) wgdn_columns_put(to, at, f->other);
    }
}

wgdn_status wgdn_signal_filter(wgdn_columns *to, const wgdn_signal *s, const wgdn_fitted_part *by,
                               bool twice, wgdn_error *err)
{
    filtering f;
    wgdn_status st = open_filtering(&f, to, s, by, twice, err);
    st = wgdn_span_agree(s->in->rows, st, err);
    if (!st) filter_slabs(to, s, &f);
    close_filtering(&f);
    return st;
}

/* Rows of the signal, or of what was made of it, to their places. */
static wgdn_status place_all(const wgdn_place *to, const wgdn_signal *s, const wgdn_columns *made,
                             wgdn_error *err)
{
    const wgdn_span all = s->in->rows;
    float *rows = wgdn_alloc((size_t)wgdn_chunk_rows(all), (size_t)s->k * sizeof *rows);
    if (!rows) return wgdn_fail(err, WGDN_ENOMEM, "features: a chunk of rows");
    wgdn_status st = WGDN_OK;
    for (int64_t i = 0; i < wgdn_chunk_count(all) && !st; i++) {
        const wgdn_span here = wgdn_chunk(all, i);
        const int64_t first = wgdn_chunk_first(here);
        if (made)
            wgdn_columns_get_rows(rows, made, first, here.count);
        else
            wgdn_signal_rows(rows, s, here);
        st = wgdn_place_rows(to, rows, s->k, first, here.count, err);
    }
    wgdn_release(rows);
    return st;
}

wgdn_status wgdn_filtered_embed(const wgdn_place *to, const wgdn_fitted_part *p,
                                const wgdn_fit_input *in, wgdn_error *err)
{
    double series[WGDN_FIT_ORDER_MAX + 1];
    const bool as_it_is = wgdn_part_series(series, p, false) == 0;
    wgdn_signal s;
    wgdn_columns own = {.rows = 0}, *made = as_it_is ? NULL : p->basis ? &s.made : &own;
    wgdn_status st = wgdn_signal_open(&s, p->basis, in, p->dim, err);
    if (!st && made == &own) st = wgdn_columns_open(&own, in, p->dim, err);
    st = wgdn_span_agree(in->rows, st, err);
    if (!st && made) st = wgdn_signal_filter(made, &s, p, false, err);
    if (!st) st = place_all(to, &s, made, err);
    wgdn_columns_close(&own);
    wgdn_signal_close(&s);
    return wgdn_span_agree(in->rows, st, err);
}
