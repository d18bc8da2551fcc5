/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds leading singular vectors by subspace iteration, with Cholesky orthonormalization and a
 * final rotation in double. Each part of the closed form supplies its operator as a product.
 */
#include "tall.h"
#include "wide_rows.h"

#include <math.h>
#include <string.h>

/*
 * Orthonormalizes columns by Cholesky, two or three times.                       [WGDN:orthonormal]
 *
 *     G = Q^T Q (+ shift I, the first time);   G = R^T R;   Q <- Q R^-1
 *
 * G is summed in the fixed tree; R and its inverse are small and in double. One pass halves the
 * number of missing digits; the shift lets the first pass handle columns that are almost dependent.
 * Once |G - I| <= 1/2, one more pass leaves only rounding errors and is the last.
 */

enum { PASSES = 3 };

static const double shift = 1e-6;    /* of the largest diagonal entry; floats give G to 1e-7 */
static const double nothing = 1e-10; /* of its own diagonal entry: what is left is rounding */

/* The lower half of G becomes R^T; a row of zeros where nothing is left. */
static void cholesky(double *g, int64_t k)
{
    const wgdn_wide_ops *ops = wgdn_wide_rows();
    for (int64_t i = 0; i < k; i++) {
        double *row = g + i * k;
        const double whole = row[i];
        for (int64_t j = 0; j < i; j++) {
            const double *other = g + j * k;
            row[j] = other[j] > 0 ? (row[j] - ops->dot(row, other, j)) / other[j] : 0;
        }
        const double left = whole - ops->dot(row, row, i);
        row[i] = left > nothing * whole ? sqrt(left) : 0;
    }
}

/* Row i of X = (R^T)^-1, lower triangular: x_i = (e_i - sum_j r_ij x_j) / r_ii. */
static void invert(double *x, const double *r, int64_t k)
{
    const wgdn_wide_ops *ops = wgdn_wide_rows();
    memset(x, 0, (size_t)(k * k) * sizeof *x);
    for (int64_t i = 0; i < k; i++) {
        double *row = x + i * k;
        if (r[i * k + i] <= 0) continue;
        for (int64_t j = 0; j < i; j++)
            ops->axpy(row, -r[i * k + j], x + j * k, j + 1);
        row[i] = 1;
        for (int64_t l = 0; l <= i; l++)
            row[l] /= r[i * k + i];
    }
}

static void shift_diagonal(double *g, int64_t k)
{
    double most = 0;
    for (int64_t i = 0; i < k; i++)
        most = fmax(most, g[i * k + i]);
    for (int64_t i = 0; i < k; i++)
        if (g[i * k + i] > 0) g[i * k + i] += shift * most;
}

/* Whether the rows of |G - I|, but for columns of zeros, sum up to 1/2 at most. */
static bool almost(const double *g, int64_t k)
{
    for (int64_t i = 0; i < k; i++) {
        const double *row = g + i * k, length = row[i];
        double sum = length > 0 ? fabs(length - 1) - length : 0;
        for (int64_t j = 0; j < k; j++)
            sum += fabs(row[j]);
        if (sum > 0.5) return false;
    }
    return true;
}

wgdn_status wgdn_orthonormalize(wgdn_tall *q, void *small, wgdn_tall_work *w, wgdn_error *err)
{
    const int64_t k = q->k;
    double *g = small, *x = g + k * k;
    float *turn = (float *)(x + k * k);
    wgdn_status st = WGDN_OK;
    bool last = false;
    for (int pass = 0; pass < PASSES && !last && !st; pass++) {
        st = wgdn_tall_gram(g, q, NULL, w, err);
        if (st) break;
        last = almost(g, k);
        if (pass == 0 && !last) shift_diagonal(g, k);
        cholesky(g, k);
        invert(x, g, k);
        for (int64_t i = 0; i < k; i++) /* R^-1 is X transposed */
            for (int64_t j = 0; j < k; j++)
                turn[j * k + i] = (float)x[i * k + j];
        st = wgdn_tall_times(q, turn, w, err);
    }
    return st;
}

/*
 * Finds leading singular vectors by subspace iteration from a random sketch.        [WGDN:subspace]
 *
 *     V = orth(A^T A V), a few times;   B = A V;   B^T B = W diag(s^2) W^T;   V <- V W
 *
 * With a few spare columns, a few rounds are enough: convergence depends on the ratio of the last
 * wanted singular value to the first one beyond the spare columns.
 */

typedef struct scratch {
    wgdn_tall b; /* rows x k, unless the operator has a gram */
    double *g;   /* k x k */
    float *turn; /* k x k */
    void *small;
    wgdn_tall_work own, *work;
} scratch;

static wgdn_status open_scratch(scratch *w, const wgdn_subspace *s, const wgdn_operator *a,
                                wgdn_error *err)
{
    const int64_t k = s->v->k;
    const size_t square = (size_t)(k * k);
    w->work = s->work ? s->work : &w->own;
    w->g = wgdn_alloc(square, sizeof *w->g);
    w->turn = wgdn_alloc(square, sizeof *w->turn);
    w->small = wgdn_alloc(wgdn_larger(wgdn_orthonormal_work(k), wgdn_symmetric_work(k)), 1);
    if (!w->g || !w->turn || !w->small)
        return wgdn_fail(err, WGDN_ENOMEM, "singular vectors: %lld of %lld x %lld", (long long)k,
                         (long long)a->rows.total, (long long)s->v->rows.total);
    wgdn_status st = wgdn_tall_reserve(w->work, s->v, err);
    if (!st && !a->gram) st = wgdn_tall_open(&w->b, a->rows, k, k, NULL, err);
    return st;
}

static void close_scratch(scratch *w)
{
    wgdn_tall_close(&w->b);
    wgdn_tall_work_free(&w->own);
    wgdn_release(w->small);
    wgdn_release(w->turn);
    wgdn_release(w->g);
}

/* B^T B, B = A V */
static wgdn_status gram(const wgdn_subspace *s, const scratch *w, const wgdn_operator *a,
                        wgdn_error *err)
{
    if (a->gram) return a->gram(w->g, s->v, a->self, err);
    const wgdn_status st = a->times(w->b.x, s->v, a->self, err);
    return st ? st : wgdn_tall_gram(w->g, &w->b, NULL, w->work, err);
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
    make_symmetric(w->g, s->v->k);
    wgdn_symmetric_eigen(s->value, w->g, s->v->k, w->small);
    for (int64_t j = 0; j < s->v->k; j++)
        s->value[j] = sqrt(fmax(s->value[j], 0));
}

/* ---- columns with equal singular values ---- */

static const double same = 1e-6; /* singular values that differ by less, of the larger one */

/* Columns from `first` on that have the same value. */
static int64_t tied_columns(const wgdn_subspace *s, int64_t first)
{
    int64_t end = first + 1;
    while (end < s->v->k && s->value[end] > 0 &&
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
    const int64_t k = s->v->k;
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
    if (!st) st = a->tied(t, s->v, a->self, err);
    for (int64_t j = 0, m; j < k && !st; j += m) {
        m = tied_columns(s, j);
        if (m > 1) order_ties(w->g, t, j, m, k, room, w->small);
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
    scratch w = {0};
    wgdn_status st = open_scratch(&w, s, a, err);
    st = wgdn_span_agree(a->rows, st, err);
    for (int i = 0; i < rounds && !st; i++) {
        st = a->normal(s->v, a->self, err);
        if (!st) st = wgdn_orthonormalize(s->v, w.small, w.work, err);
    }
    if (!st) st = gram(s, &w, a, err);
    if (!st) ritz(s, &w);
    if (!st) st = break_ties(s, &w, a, err);
    if (!st) turn_of(&w, s->v->k);
    if (!st) st = wgdn_tall_times(s->v, w.turn, w.work, err); /* V <- V W */
    if (!st) st = wgdn_tall_signs(s->v, w.work, err);
    close_scratch(&w);
    return st;
}

/*
 * Rotates into and out of an eigenbasis, in double. Columns of X are processed one band at a time,
 * so that the current rows stay in the cache; one thread sums each entry in the order of k.
 */

enum { BAND = 128, ROWS_A_TURN = 8 };

/* y += sum_k u[k * stride] x_k over n rows of X, columns [0, width) */
static void add_rows(double *y, const double *u, int64_t stride, const double *x, int64_t ld,
                     int64_t n, int64_t width)
{
    for (int64_t k = 0; k < n; k++) {
        const double factor = u[k * stride];
        const double *row = x + k * ld;
        for (int64_t j = 0; j < width; j++)
            y[j] += factor * row[j];
    }
}

void wgdn_rotate(double *y, const double *u, bool inverse, const double *x, int64_t n, int64_t d)
{
    for (int64_t from = 0; from < d; from += BAND) {
        const int64_t width = wgdn_min(BAND, d - from);
#pragma omp parallel for schedule(dynamic, ROWS_A_TURN) if (!wgdn_forked())
        for (int64_t i = 0; i < n; i++) {
            double *row = y + i * d + from;
            memset(row, 0, (size_t)width * sizeof *row);
            add_rows(row, inverse ? u + i : u + i * n, inverse ? n : 1, x + from, d, n, width);
        }
    }
}
