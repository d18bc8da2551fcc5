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

/* Eigenvectors of B^T B as columns of turn, their values into s. */
static void ritz(wgdn_subspace *s, const scratch *w)
{
    const int64_t k = s->k;
    for (int64_t i = 0; i < k; i++) /* with weights both halves are rounded apart */
        for (int64_t j = 0; j < i; j++)
            w->g[i * k + j] = w->g[j * k + i] = (w->g[i * k + j] + w->g[j * k + i]) / 2;
    wgdn_symmetric_eigen(s->value, w->g, k, w->work);
    for (int64_t j = 0; j < k; j++) {
        s->value[j] = sqrt(fmax(s->value[j], 0));
        for (int64_t i = 0; i < k; i++)
            w->turn[i * k + j] = (float)w->g[j * k + i];
    }
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
    if (!st) st = wgdn_tall_turn(v, w.turn, w.work, err); /* V <- V W */
    if (!st) wgdn_tall_signs(v, w.g, w.work);
    close_scratch(&w);
    return st;
}
