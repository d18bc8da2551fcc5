/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Leading singular vectors by subspace iteration from a random sketch.                 [WGDN:subspace]
 *
 *     V = orth(A^T A V), a few times;   B = A V;   B^T B = W diag(s^2) W^T;   V <- V W
 *
 * A few columns to spare make a few rounds enough: what decides is how far the last wanted singular
 * value stands above the first one beyond the spare columns.
 */
#include "linalg.h"

#include <math.h>

typedef struct scratch {
    float *b;    /* rows x k, unless the operator has a gram */
    double *g;   /* k x k */
    float *turn; /* k x k */
    void *work;
} scratch;

static wgdn_status open_scratch(scratch *w, const wgdn_operator *a, int64_t k, wgdn_error *err)
{
    const size_t square = (size_t)(k * k), rows = (size_t)a->rows.count;
    const size_t work =
        wgdn_larger(wgdn_larger(wgdn_orthonormal_work(a->cols, k), wgdn_symmetric_work(k)),
                    a->gram ? 0 : wgdn_tall_work(a->rows, k));
    w->b = wgdn_alloc(a->gram ? 0 : rows * (size_t)k, sizeof *w->b);
    w->g = wgdn_alloc(square, sizeof *w->g);
    w->turn = wgdn_alloc(square, sizeof *w->turn);
    w->work = wgdn_alloc(work, 1);
    if (w->b && w->g && w->turn && w->work) return WGDN_OK;
    return wgdn_fail(err, WGDN_ENOMEM, "singular vectors: %lld of %lld x %lld", (long long)k,
                     (long long)a->rows.total, (long long)a->cols.total);
}

static void close_scratch(scratch *w)
{
    wgdn_release(w->work);
    wgdn_release(w->turn);
    wgdn_release(w->g);
    wgdn_release(w->b);
}

/* B^T B, B = A V */
static wgdn_status gram(const wgdn_subspace *s, const scratch *w, const wgdn_operator *a,
                        wgdn_error *err)
{
    const wgdn_tall b = {.n = a->rows, .k = s->k, .x = w->b};
    if (a->gram) return a->gram(w->g, s->v, s->k, a->self, err);
    const wgdn_status st = a->times(w->b, s->v, s->k, a->self, err);
    return st ? st : wgdn_tall_gram(w->g, &b, NULL, w->work, err);
}

static void make_symmetric(double *g, int64_t k)
{
    for (int64_t i = 0; i < k; i++) /* with weights both halves are rounded apart */
        for (int64_t j = 0; j < i; j++)
            g[i * k + j] = g[j * k + i] = (g[i * k + j] + g[j * k + i]) / 2;
}

/* Eigenvectors of B^T B as rows of g, their values into s. */
static void ritz(wgdn_subspace *s, const scratch *w)
{
    make_symmetric(w->g, s->k);
    wgdn_symmetric_eigen(s->value, w->g, s->k, w->work);
    for (int64_t j = 0; j < s->k; j++)
        s->value[j] = sqrt(fmax(s->value[j], 0));
}

/* ---- columns of the same value ---- */

static const double same = 1e-6; /* singular values that differ by less, of the larger one */

/* Columns from `first` on that have the same value. */
static int64_t tied_columns(const wgdn_subspace *s, int64_t first)
{
    int64_t end = first + 1;
    while (end < s->k && s->value[end] > 0 &&
           s->value[end - 1] - s->value[end] <= same * s->value[end - 1])
        end++;
    return end - first;
}

/* Rows [first, first + m) of g become the eigenvectors of the weighted sums t within their span.
 * room: m x (2 k + m + 1) */
static void order_ties(double *g, const double *t, int64_t first, int64_t m, int64_t k,
                       double *room, void *work)
{
    double *rows = room, *half = rows + m * k, *small = half + m * k, *value = small + m * m;
    for (int64_t i = 0; i < m * k; i++)
        rows[i] = g[first * k + i];
    for (int64_t i = 0; i < m; i++) /* rows t */
        for (int64_t j = 0; j < k; j++) {
            double sum = 0;
            for (int64_t l = 0; l < k; l++)
                sum += rows[i * k + l] * t[l * k + j];
            half[i * k + j] = sum;
        }
    for (int64_t i = 0; i < m; i++)
        for (int64_t j = 0; j < m; j++) {
            double sum = 0;
            for (int64_t l = 0; l < k; l++)
                sum += half[i * k + l] * rows[j * k + l];
            small[i * m + j] = sum;
        }
    make_symmetric(small, m);
    wgdn_symmetric_eigen(value, small, m, work);
    for (int64_t i = 0; i < m; i++)
        for (int64_t j = 0; j < k; j++) {
            double sum = 0;
            for (int64_t l = 0; l < m; l++)
                sum += small[i * m + l] * rows[l * k + j];
            g[(first + i) * k + j] = sum;
        }
}

/* Without weights, directions within columns of the same value would be rounding. */
static wgdn_status break_ties(wgdn_subspace *s, const scratch *w, const wgdn_operator *a,
                              wgdn_error *err)
{
    const int64_t k = s->k;
    int64_t most = 1;
    for (int64_t j = 0; j < k; j += tied_columns(s, j))
        most = tied_columns(s, j) > most ? tied_columns(s, j) : most;
    if (!a->tied || most == 1) return WGDN_OK;
    double *t = wgdn_alloc((size_t)(k * k), sizeof *t);
    double *room = wgdn_alloc((size_t)(most * (2 * k + most + 1)), sizeof *room);
    wgdn_status st = WGDN_OK;
    if (!t || !room)
        st = wgdn_fail(err, WGDN_ENOMEM, "singular vectors: %lld of the same value",
                       (long long)most);
    st = wgdn_span_agree(a->rows, st, err);
    if (!st) st = a->tied(t, s->v, k, a->self, err);
    for (int64_t j = 0, m; j < k && !st; j += m) {
        m = tied_columns(s, j);
        if (m > 1) order_ties(w->g, t, j, m, k, room, w->work);
    }
    wgdn_release(room);
    wgdn_release(t);
    return st;
}

static void turn_of(const scratch *w, int64_t k)
{
    for (int64_t j = 0; j < k; j++)
        for (int64_t i = 0; i < k; i++)
            w->turn[i * k + j] = (float)w->g[j * k + i];
}

wgdn_status wgdn_subspace_find(wgdn_subspace *s, const wgdn_operator *a, int rounds,
                               wgdn_error *err)
{
    const wgdn_tall near = {.n = a->cols, .k = s->k, .x = s->v};
    const wgdn_tall *v = s->far ? s->far : &near;
    scratch w = {0};
    wgdn_status st = open_scratch(&w, a, s->k, err);
    st = wgdn_span_agree(a->rows, st, err);
    for (int i = 0; i < rounds && !st; i++) {
        st = a->normal(s->v, s->k, a->self, err);
        if (!st) st = wgdn_orthonormalise(v, w.work, err);
    }
    if (!st) st = gram(s, &w, a, err);
    if (!st) ritz(s, &w);
    if (!st) st = break_ties(s, &w, a, err);
    if (!st) turn_of(&w, s->k);
    if (!st) st = wgdn_tall_turn(v, w.turn, w.work, err); /* V <- V W */
    if (!st) wgdn_tall_signs(v, w.g, w.work);
    close_scratch(&w);
    return st;
}
