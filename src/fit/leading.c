/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What eigenvectors and transitions have in common: leading vectors of an operator whose products
 * with columns do not depend on each other. Products are made slab by slab, sums chunk by chunk of rows;
 * where memory is short, V and A V lie in scratch files.
 */
#include "base/streams.h"
#include "columns.h"

/* Ranks share sums over rows that are here as one piece. */
static wgdn_status open_columns(wgdn_columns *c, const wgdn_fit_input *in, int64_t k,
                                wgdn_error *err)
{
    const wgdn_status st = wgdn_columns_open(c, in, k, err);
    if (!st && in->rows.dist) c->width = k;
    return st;
}

static void get_rows(float *rows, int64_t first, int64_t count, void *of)
{
    wgdn_columns_get_rows(rows, of, first, count);
}

static void put_rows(void *of, int64_t first, int64_t count, const float *rows)
{
    wgdn_columns_put_rows(of, first, count, rows);
}

static wgdn_tall tall(wgdn_columns *c, wgdn_span n)
{
    const bool plain = !c->store.in_file && c->width >= c->k;
    return (wgdn_tall){.n = n,
                       .k = c->k,
                       .x = plain ? c->store.at : NULL,
                       .get = get_rows,
                       .put = put_rows,
                       .of = c};
}

static wgdn_status sketch(wgdn_leading *l, uint64_t seed, wgdn_error *err)
{
    const wgdn_span all = l->in->rows;
    const wgdn_stream stream = {.seed = seed, .call = WGDN_CALL_SKETCH};
    float *rows = wgdn_alloc((size_t)wgdn_chunk_rows(all) * (size_t)l->k, sizeof *rows);
    if (!rows) return wgdn_fail(err, WGDN_ENOMEM, "structure: a chunk of rows");
    for (int64_t i = 0; i < wgdn_chunk_count(all); i++) {
        wgdn_fit_input part = *l->in;
        part.rows = wgdn_chunk(all, i);
        part.key += wgdn_chunk_first(part.rows);
        wgdn_sketch_nodes(rows, &part, l->k, stream);
        wgdn_columns_put_rows(&l->v, wgdn_chunk_first(part.rows), part.rows.count, rows);
    }
    wgdn_release(rows);
    return WGDN_OK;
}

wgdn_status wgdn_leading_open(wgdn_leading *l, const wgdn_fit_input *in, int64_t k, uint64_t seed,
                              wgdn_error *err)
{
    const size_t n = (size_t)in->rows.count;
    *l = (wgdn_leading){.in = in, .k = k};
    wgdn_status st = open_columns(&l->v, in, k, err);
    const size_t slab = n * (size_t)l->v.width;
    l->value = wgdn_alloc((size_t)k, sizeof *l->value);
    l->x = wgdn_alloc(slab, sizeof *l->x);
    l->y = wgdn_alloc(slab, sizeof *l->y);
    l->tie = wgdn_alloc(n, sizeof *l->tie);
    l->work = wgdn_alloc(wgdn_tall_work(in->rows, k), 1);
    if (!st && (!l->value || !l->x || !l->y || !l->tie || !l->work))
        st = wgdn_fail(err, WGDN_ENOMEM, "structure: matrices of %lld x %lld", (long long)n,
                       (long long)l->v.width);
    if (!st) st = sketch(l, seed, err);
    if (!st) wgdn_ties_break(l->tie, in, seed);
    return wgdn_span_agree(in->rows, st, err);
}

void wgdn_leading_close(wgdn_leading *l)
{
    wgdn_release(l->work);
    wgdn_release(l->tie);
    wgdn_release(l->y);
    wgdn_release(l->x);
    wgdn_release(l->value);
    wgdn_columns_close(&l->v);
}

static wgdn_status normal(float *q, int64_t k, void *self, wgdn_error *err)
{
    wgdn_leading *l = self;
    (void)q, (void)k, (void)err;
    wgdn_columns_map(&l->v, &l->v, l->normal, l->self, l->x, l->y);
    return WGDN_OK;
}

/* With weights near 1, by which columns of almost the same value are told apart: without them their
 * directions within what they span would be rounding. */
static wgdn_status gram(double *g, const float *q, int64_t k, void *self, wgdn_error *err)
{
    wgdn_leading *l = self;
    wgdn_columns b;
    (void)q;
    wgdn_status st = wgdn_span_agree(l->in->rows, open_columns(&b, l->in, k, err), err);
    if (!st) {
        const wgdn_tall t = tall(&b, l->in->rows);
        wgdn_columns_map(&b, &l->v, l->times, l->self, l->x, l->y);
        st = wgdn_tall_gram(g, &t, l->tie, l->work, err);
    }
    wgdn_columns_close(&b);
    return st;
}

wgdn_status wgdn_leading_find(wgdn_leading *l, int rounds, wgdn_error *err)
{
    const wgdn_tall v = tall(&l->v, l->in->rows);
    wgdn_subspace s = {.k = l->k, .value = l->value, .far = &v};
    const wgdn_operator op = {
        .rows = l->in->rows, .cols = l->in->rows, .gram = gram, .normal = normal, .self = l};
    return wgdn_subspace_find(&s, &op, rounds, err);
}

typedef struct keeping {
    float *to;
    const float *rows, *by_row;
    const double *factor;
    int64_t dim, k;
} keeping;

static void keep_rows(int64_t first, int64_t count, double *sums, void *context)
{
    const keeping *p = context;
    (void)sums;
    for (int64_t i = first; i < first + count; i++)
        for (int64_t j = 0; j < p->dim; j++)
            p->to[i * p->dim + j] =
                (float)(p->rows[i * p->k + j] * p->factor[j] * (p->by_row ? p->by_row[i] : 1));
}

wgdn_status wgdn_leading_basis(wgdn_fitted_part *p, const wgdn_leading *l, const float *by_row,
                               wgdn_error *err)
{
    const wgdn_span all = l->in->rows;
    const size_t row = (size_t)p->dim * sizeof *p->basis;
    float *rows = wgdn_alloc((size_t)wgdn_chunk_rows(all) * (size_t)l->k, sizeof *rows);
    wgdn_status st = wgdn_spill_open(&p->held, (size_t)all.count * row, l->in->room.scratch,
                                     "a basis of nodes", err);
    if (!st && !rows) st = wgdn_fail(err, WGDN_ENOMEM, "structure: a chunk of rows");
    p->rows = all.count;
    p->basis = p->held.at;
    for (int64_t i = 0; i < wgdn_chunk_count(all) && !st; i++) {
        const wgdn_span here = wgdn_chunk(all, i);
        const int64_t first = wgdn_chunk_first(here);
        keeping keep = {p->basis + first * p->dim,
                        rows,
                        by_row ? by_row + first : NULL,
                        l->value,
                        p->dim,
                        l->k};
        wgdn_columns_get_rows(rows, &l->v, first, here.count);
        wgdn_for_blocks(here, keep_rows, &keep, NULL, 0, NULL);
        wgdn_spill_forget(&p->held, (size_t)first * row, (size_t)(first + here.count) * row);
    }
    wgdn_release(rows);
    return st;
}
