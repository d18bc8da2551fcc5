/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is watched while a model trains: how many directions its code has, columns that do not vary,
 * and features that no training makes sense of. Nothing here changes the training.
 */
#include "watch.h"

#include "encoder.h"

#include <math.h>
#include <string.h>

/* The code is looked at in so many columns, evenly spread: enough to tell one direction from some. */
enum { COLUMNS = WGDN_WATCHED_COLUMNS };

static const double dead_share = 1e-5; /* of the code's root mean square */

typedef struct pick_call {
    float *y;       /* n x k */
    const float *x; /* n x h */
    int64_t h, k;
} pick_call;

static void pick_rows(int64_t first, int64_t count, double *sums, void *context)
{
    const pick_call *c = context;
    (void)sums;
    for (int64_t i = first; i < first + count; i++)
        for (int64_t j = 0; j < c->k; j++)
            c->y[i * c->k + j] = c->x[i * c->h + j * c->h / c->k];
}

/* Rows of length 1; rows of zeros stay. Their number is summed, and it is exact. */
static void scale_rows(int64_t first, int64_t count, double *sums, void *context)
{
    const pick_call *c = context;
    for (int64_t i = first; i < first + count; i++) {
        float *y = c->y + i * c->k;
        double squares = 0;
        for (int64_t j = 0; j < c->k; j++)
            squares += (double)y[j] * (double)y[j];
        const double scale = squares > 0 ? 1 / sqrt(squares) : 0;
        for (int64_t j = 0; j < c->k; j++)
            y[j] = (float)((double)y[j] * scale);
        sums[0] += squares > 0;
    }
}

/* Columns whose deviation is next to nothing beside the root mean square of the code. */
static double dead_columns(const double *sum, const double *squares, int64_t n, int64_t k)
{
    double all = 0;
    int64_t dead = 0;
    for (int64_t j = 0; j < k; j++)
        all += squares[j] / (double)n / (double)k;
    for (int64_t j = 0; j < k; j++) {
        const double mean = sum[j] / (double)n;
        dead += squares[j] / (double)n - mean * mean <= dead_share * dead_share * all;
    }
    return (double)dead / (double)k;
}

/* m^2 / sum of squares of G = U^T U, whose trace is m, the number of rows of length 1. */
static double rank_of(const float *gram, int64_t k, double trace)
{
    double squares = 0;
    for (int64_t i = 0; i < k * k; i++)
        squares += (double)gram[i] * (double)gram[i];
    return squares > 0 ? trace * trace / squares : 0;
}

/*
 * The effective rank of the code's directions:  U: rows of the code, scaled to length 1,
 *
 *     rank = (sum s)^2 / sum s^2 over the eigenvalues s of U^T U,   1: all nodes on one line.
 *
 * Lengths are left out: they follow the degrees, and one long row would be all that is seen.
 */
wgdn_status wgdn_watch_code(wgdn_code_seen *out, float *gram, const wgdn_pass *p, wgdn_error *err)
{
    wgdn_workspace *w = p->w;
    wgdn_ranks *ranks = w->rows.dist ? w->rows.dist->ranks : NULL;
    const int64_t sent = ranks ? ranks->sums_sent : 0; /* what a step sends does not count this */
    const int64_t h = p->m->shape.width, k = h < COLUMNS ? h : COLUMNS;
    const pick_call c = {.y = w->dh, .x = w->input, .h = h, .k = k};
    const wgdn_product product = wgdn_workspace_product(w, gram, w->dh, w->dh, k, k);
    double sum[COLUMNS], squares[COLUMNS], rows = 0;
    wgdn_encoder_output(w->input, p, p->m->shape.encoder_layers);
    wgdn_for_blocks(w->rows, pick_rows, (void *)&c, NULL, 0, NULL);
    wgdn_column_sums(sum, squares, w->dh, w->rows, k, w->sums);
    wgdn_for_blocks(w->rows, scale_rows, (void *)&c, &rows, 1, w->sums);
    const wgdn_status st = wgdn_gemm_tn(&product, err);
    if (st) return st;
    out->dead = dead_columns(sum, squares, w->rows.total, k);
    out->rank = rank_of(gram, k, rows);
    out->columns = k;
    if (ranks) ranks->sums_sent = sent;
    return WGDN_OK;
}

/* ---- features ---- */

/* The largest absolute value of each column of X, here. */
static void column_tops(float *top, const wgdn_input *in)
{
    const wgdn_csr *s = in->sparse;
    const int64_t f = in->features, n = in->rows.count;
    memset(top, 0, (size_t)f * sizeof *top);
    for (int64_t i = 0; in->dense && i < n; i++)
        for (int64_t j = 0; j < f; j++)
            top[j] = fmaxf(top[j], fabsf(in->dense[i * f + j]));
    for (int64_t k = 0; s && k < s->offset[n]; k++)
        top[s->column[k]] = fmaxf(top[s->column[k]], s->value ? fabsf(s->value[k]) : 1);
}

/* Of all ranks; positive floats are in the order of their bits. */
static wgdn_status largest(float *x, wgdn_ranks *ranks, wgdn_error *err)
{
    uint32_t bits;
    memcpy(&bits, x, sizeof bits);
    int64_t number = bits;
    const wgdn_status st = wgdn_ranks_meet(ranks, WGDN_OK, &number, err);
    bits = (uint32_t)number;
    memcpy(x, &bits, sizeof bits);
    return st;
}

/* The largest of all, which column that is, and the largest of the other columns. */
static wgdn_status two_tops(wgdn_features_seen *out, const float *top, int64_t f, wgdn_ranks *ranks,
                            wgdn_error *err)
{
    int64_t column = 0; /* counted from 1 */
    for (int64_t j = 0; j < f; j++)
        out->top = fmaxf(out->top, top[j]);
    wgdn_status st = largest(&out->top, ranks, err);
    for (int64_t j = 0; j < f; j++)
        if (top[j] == out->top) column = j + 1;
    if (!st) st = wgdn_ranks_meet(ranks, WGDN_OK, &column, err);
    for (int64_t j = 0; j < f; j++)
        if (j != column - 1) out->others = fmaxf(out->others, top[j]);
    if (!st) st = largest(&out->others, ranks, err);
    out->column = column - 1;
    return st;
}

wgdn_status wgdn_watch_features(wgdn_features_seen *out, const wgdn_input *in, wgdn_error *err)
{
    wgdn_ranks *ranks = in->rows.dist ? in->rows.dist->ranks : NULL;
    float *top = wgdn_alloc((size_t)in->features, sizeof *top);
    wgdn_status st = top ? WGDN_OK
                         : wgdn_fail(err, WGDN_ENOMEM, "largest values of %lld features",
                                     (long long)in->features);
    st = wgdn_ranks_agree(ranks, st, err);
    *out = (wgdn_features_seen){0};
    if (!st && top) {
        column_tops(top, in);
        st = two_tops(out, top, in->features, ranks, err);
    }
    wgdn_release(top);
    return st;
}
