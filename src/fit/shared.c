/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Features that neighbours share.                                                       [WGDN:shared]
 *
 *     Y = R X V                        V: leading right singular vectors of R X, or all features
 *     Z = [(u(p(S) Y) - a) M P,  w (u(Y) - b) M Q]           u: rows of length 1;  a, b: their means
 *
 * M shrinks what a node does not have in common with its neighbours (shared_map.c), P and Q are
 * principal axes: the node as its neighbourhood sees it, and, with less weight, by itself. Rows of
 * zeros, nodes of which nothing is known, stay rows of zeros.
 *
 * Products with the graph go by slabs of columns, sums over nodes by chunks of rows: nothing of
 * nodes x columns need lie in memory. Vectors are made of it in shared_embed.c.
 */
#include "shared.h"

#include <math.h>
#include <string.h>

static const double own_weight = 0.3; /* w */

enum { ENOUGH = 16 }; /* nodes for each column of a covariance */

int64_t wgdn_shared_inner(int64_t dim, int64_t nodes)
{
    const int64_t most = wgdn_min(2 * dim, nodes / ENOUGH), least = dim + WGDN_FIT_SPARE;
    return most > least ? most : least;
}

/* What is needed on the way. */
typedef struct learning {
    const wgdn_fit_input *in;
    int64_t k;
    wgdn_signal y;
    wgdn_columns other;       /* L u(Y), then p(S) Y */
    float *length;            /* of each row of Y, inverted; 0: a row of zeros */
    float *here, *there;      /* chunks of rows, k long */
    double *mean;             /* k + 1: the last counts rows that are not 0 */
    double *c, *n, *m;        /* k x k */
    double *own_c, *own_mean; /* c and mean of rows as they are */
    double *tree;             /* of sums over chunks */
    void *sums, *products, *small;
} learning;

static wgdn_status open_learning(learning *l, const wgdn_fit_input *in, int64_t k, wgdn_error *err)
{
    const size_t chunk = (size_t)wgdn_chunk_rows(in->rows), square = (size_t)(k * k);
    const size_t levels = (size_t)wgdn_tree_levels(wgdn_chunk_count(in->rows));
    const wgdn_span one = wgdn_chunk(in->rows, 0);
    *l = (learning){.in = in, .k = k};
    l->length = wgdn_alloc((size_t)in->rows.count, sizeof *l->length);
    l->here = wgdn_alloc(chunk * (size_t)k, sizeof *l->here);
    l->there = wgdn_alloc(chunk * (size_t)k, sizeof *l->there);
    l->mean = wgdn_alloc((size_t)k + 1, sizeof *l->mean);
    l->c = wgdn_alloc(square, sizeof *l->c);
    l->n = wgdn_alloc(square, sizeof *l->n);
    l->m = wgdn_alloc(square, sizeof *l->m);
    l->own_c = wgdn_alloc(square, sizeof *l->own_c);
    l->own_mean = wgdn_alloc((size_t)k, sizeof *l->own_mean);
    l->tree = wgdn_alloc(levels * (square + (size_t)k + 1), sizeof *l->tree);
    l->sums = wgdn_alloc(wgdn_for_blocks_work(one, k + 1), 1);
    l->products = wgdn_alloc(wgdn_gemm_tn_work(one, k, k), 1);
    l->small = wgdn_alloc(wgdn_shared_work(k), 1);
    if (l->length && l->here && l->there && l->mean && l->c && l->n && l->m && l->own_c &&
        l->own_mean && l->tree && l->sums && l->products && l->small)
        return wgdn_columns_open(&l->other, in, k, err);
    return wgdn_fail(err, WGDN_ENOMEM, "shared features: covariances of %lld columns",
                     (long long)k);
}

static void close_learning(learning *l)
{
    wgdn_columns_close(&l->other);
    wgdn_signal_close(&l->y);
    wgdn_release(l->small);
    wgdn_release(l->products);
    wgdn_release(l->sums);
    wgdn_release(l->tree);
    wgdn_release(l->own_mean);
    wgdn_release(l->own_c);
    wgdn_release(l->m);
    wgdn_release(l->n);
    wgdn_release(l->c);
    wgdn_release(l->mean);
    wgdn_release(l->there);
    wgdn_release(l->here);
    wgdn_release(l->length);
}

/* ---- rows of length 1, less their mean ---- */

typedef struct settling {
    float *y, *length;
    const double *mean;
    int64_t k;
} settling;

/* Rows of length 1, their sum and how many are not 0. */
static void unit_rows(int64_t first, int64_t count, double *sums, void *context)
{
    const settling *s = context;
    for (int64_t i = first; i < first + count; i++) {
        float *y = s->y + i * s->k;
        s->length[i] = wgdn_row_to_length(y, s->k, 1);
        for (int64_t j = 0; j < s->k; j++)
            sums[j] += y[j];
        sums[s->k] += s->length[i] != 0;
    }
}

static void settle_rows(int64_t first, int64_t count, double *sums, void *context)
{
    const settling *s = context;
    (void)sums;
    for (int64_t i = first; i < first + count; i++)
        for (int64_t j = 0; j < s->k && s->length[i] != 0; j++)
            s->y[i * s->k + j] = (float)(s->y[i * s->k + j] * s->length[i] - s->mean[j]);
}

/* Rows of a chunk: of Y, or of what was made of it. */
static void take_rows(float *to, const learning *l, bool made, wgdn_span here)
{
    if (made)
        wgdn_columns_get_rows(to, &l->other, wgdn_chunk_first(here), here.count);
    else
        wgdn_signal_rows(to, &l->y, here);
}

static void settle(const learning *l, float *rows, wgdn_span here)
{
    settling s = {rows, l->length + wgdn_chunk_first(here), l->mean, l->k};
    wgdn_for_blocks(here, settle_rows, &s, NULL, 0, NULL);
}

/* The lengths of all rows, and the mean of rows of length 1. */
static void measure(learning *l, bool made)
{
    const wgdn_span all = l->in->rows;
    wgdn_tree tree;
    wgdn_tree_begin(&tree, l->tree, l->k + 1);
    for (int64_t i = 0; i < wgdn_chunk_count(all); i++) {
        const wgdn_span here = wgdn_chunk(all, i);
        settling s = {l->here, l->length + wgdn_chunk_first(here), NULL, l->k};
        take_rows(l->here, l, made, here);
        wgdn_for_blocks(here, unit_rows, &s, wgdn_tree_push(&tree, i), l->k + 1, l->sums);
    }
    const double *sum = wgdn_tree_end(&tree);
    for (int64_t j = 0; j < l->k; j++)
        l->mean[j] = sum[j] / (sum[l->k] > 0 ? sum[l->k] : 1);
}

/* C of settled rows, and with n that of nodes with what `other` holds. Over the number of nodes. */
static wgdn_status covariance(double *to, learning *l, bool made, bool with_other, wgdn_error *err)
{
    const wgdn_span all = l->in->rows;
    const int64_t square = l->k * l->k;
    wgdn_status st = WGDN_OK;
    wgdn_tree tree;
    wgdn_tree_begin(&tree, l->tree, square);
    for (int64_t i = 0; i < wgdn_chunk_count(all) && !st; i++) {
        const wgdn_span here = wgdn_chunk(all, i);
        take_rows(l->here, l, made, here);
        settle(l, l->here, here);
        if (with_other) take_rows(l->there, l, true, here);
        wgdn_product p =
            wgdn_product_of(NULL, l->here, with_other ? l->there : l->here, here, l->k, l->k);
        p.wide = wgdn_tree_push(&tree, i);
        p.work = l->products;
        st = wgdn_gemm_tn(&p, err);
    }
    if (st) return st;
    const double *sum = wgdn_tree_end(&tree);
    for (int64_t i = 0; i < square; i++)
        to[i] = sum[i] / (double)all.total;
    return WGDN_OK;
}

/* ---- N ---- */

/* other = L u(Y), a slab at a time. */
static wgdn_status meet_neighbours(learning *l, wgdn_error *err)
{
    const wgdn_span all = l->in->rows;
    const size_t room = (size_t)all.count * (size_t)l->other.width;
    float *slab = wgdn_alloc(room, sizeof *slab), *met = wgdn_alloc(room, sizeof *met);
    wgdn_status st = WGDN_OK;
    if (!slab || !met)
        st = wgdn_fail(err, WGDN_ENOMEM, "shared features: two slabs of %lld columns",
                       (long long)l->other.width);
    st = wgdn_span_agree(all, st, err);
    const bool there = !st && wgdn_signal_spread(&l->other, &l->y, slab);
    for (int64_t at = 0; at < l->k && !st; at += l->other.width) {
        const int64_t width = wgdn_columns_left(&l->other, at);
        settling s = {slab, l->length, l->mean + at, width};
        if (there)
            wgdn_columns_get(slab, &l->other, at);
        else
            wgdn_signal_slab(slab, &l->y, at, width);
        wgdn_for_blocks(all, settle_rows, &s, NULL, 0, NULL);
        wgdn_laplacian(met, l->in->graph, slab, width);
        wgdn_columns_put(&l->other, at, met);
    }
    wgdn_release(met);
    wgdn_release(slab);
    return st;
}

/* N = Y^T S Y = C - Y^T L Y, its two halves rounded alike. */
static void take_from(double *n, const double *c, int64_t k)
{
    for (int64_t i = 0; i < k; i++)
        for (int64_t j = 0; j <= i; j++)
            n[i * k + j] = n[j * k + i] = c[i * k + j] - (n[i * k + j] + n[j * k + i]) / 2;
}

/* ---- the map ---- */

/* Columns [at, at + dim) of the map and of what is taken off afterwards, of rows with covariance c. */
static int64_t put_axes(wgdn_fitted_part *p, const learning *l, int64_t at, int64_t dim,
                        double length)
{
    const int64_t rank =
        wgdn_shared_axes(p->map + at, p->dim, dim, l->m, l->c, l->k, length, l->small);
    for (int64_t j = at; j < at + dim; j++) {
        double sum = 0;
        for (int64_t i = 0; i < l->k; i++)
            sum += l->mean[i] * p->map[i * p->dim + j];
        p->centre[j] = (float)sum;
    }
    return rank;
}

/* The first `near` columns stay, and `own` of those that are not filtered; at least one in all. */
static void keep_columns(wgdn_fitted_part *p, int64_t near, int64_t own)
{
    const int64_t from = p->dim - p->own, old = p->dim;
    p->empty = near + own == 0;
    if (near == 0) near = 1;
    p->own = own;
    p->dim = near + own;
    if (p->dim == old) return;
    for (int64_t i = 0; i < p->inner; i++) {
        memmove(p->map + i * p->dim, p->map + i * old, (size_t)near * sizeof *p->map);
        memmove(p->map + i * p->dim + near, p->map + i * old + from, (size_t)own * sizeof *p->map);
    }
    memmove(p->centre + near, p->centre + from, (size_t)own * sizeof *p->centre);
}

/* Of what is filtered first; columns that it leaves are for features as they are. */
static void learn_axes(wgdn_fitted_part *p, learning *l)
{
    const int64_t near = put_axes(p, l, 0, p->dim - p->own, 1);
    int64_t own = 0;
    if (p->own) {
        double *const c = l->c, *const mean = l->mean;
        p->own = p->dim - (near > 0 ? near : 1);
        l->c = l->own_c;
        l->mean = l->own_mean;
        own = put_axes(p, l, p->dim - p->own, p->own, own_weight);
        l->c = c;
        l->mean = mean;
    }
    keep_columns(p, near, own);
}

static wgdn_status learn_map(wgdn_fitted_part *p, learning *l, wgdn_error *err)
{
    wgdn_status st = wgdn_signal_open(&l->y, p->basis, l->in, l->k, err);
    if (st) return st;
    measure(l, false);
    st = covariance(l->c, l, false, false, err);
    if (!st) st = meet_neighbours(l, err);
    if (!st) st = covariance(l->n, l, false, true, err);
    if (st) return st;
    take_from(l->n, l->c, l->k);
    wgdn_shared_map(l->m, l->c, l->n, l->k, l->small);
    if (p->own) {
        memcpy(l->own_c, l->c, (size_t)(l->k * l->k) * sizeof *l->c);
        memcpy(l->own_mean, l->mean, (size_t)l->k * sizeof *l->mean);
    }
    st = wgdn_signal_filter(&l->other, &l->y, p, false, err);
    if (st) return st;
    measure(l, true);
    st = covariance(l->c, l, true, false, err);
    if (!st) learn_axes(p, l);
    return st;
}

wgdn_status wgdn_shared_learn(wgdn_fitted_part *p, const wgdn_fit_input *in, uint64_t seed,
                              wgdn_error *err)
{
    wgdn_fitted_part columns = {.kind = WGDN_PART_FILTERED,
                                .hops = -1,
                                .weight = 1,
                                .dim = wgdn_shared_inner(p->dim, in->rows.total)};
    learning l = {0};
    wgdn_status st = wgdn_filtered_learn(&columns, in, seed, err);
    p->basis = columns.basis;
    p->rows = in->features;
    p->inner = columns.dim;
    p->dim = wgdn_min(p->dim, p->inner);
    if (st) return st;
    p->map = wgdn_alloc((size_t)(p->inner * p->dim), sizeof *p->map);
    p->centre = wgdn_alloc((size_t)p->dim, sizeof *p->centre);
    if (in->keep) p->kept = wgdn_kept_new(in->serial);
    if (!p->map || !p->centre || (in->keep && !p->kept))
        st = wgdn_fail(err, WGDN_ENOMEM, "shared features: a map of %lld x %lld",
                       (long long)p->inner, (long long)p->dim);
    if (!st) st = open_learning(&l, in, p->inner, err);
    st = wgdn_span_agree(in->rows, st, err);
    if (!st) st = learn_map(p, &l, err);
    if (!st && in->keep) wgdn_kept_put(p->kept, &l.y, &l.other);
    close_learning(&l);
    return wgdn_span_agree(in->rows, st, err);
}
