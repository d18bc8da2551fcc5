/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Mean over the rows x_i of X that are not 0 of 1 - c_i, the cosine between x_i and its
 * reconstruction r_i                                                         [WGDN:loss-cosine]
 *
 *     s_i = x_i . r_i,   q_i = |r_i|^2,   c_i = s_i / (|x_i| sqrt(q_i))
 *     dr_i = (a_i x_i + 2 beta_i r_i) / rows,   a_i = -1 / (|x_i| sqrt(q_i)),   beta_i = c_i / (2
 * q_i)
 *
 * Where r_i = 0 there is no direction: c_i and its gradient are 0. Without R = B W^T + 1 v^T, where
 * v = k b, G = W^T W and u = W^T v:
 *
 *     s_i = b_i . (X W)_i + x_i . v,   q_i = b_i . (B G)_i + 2 b_i . u + v . v
 *     dB = a o (X W) + 2 beta o (B G + 1 u^T)
 *     dW = X^T (a o B) + 2 W (B^T (beta o B)) + 2 v (B^T beta)^T
 *     dv = X^T a + 2 W (B^T beta) + 2 v sum(beta),      all over the number of rows,
 *
 * o scaling rows. Where X is held out R counts as 0: q_i is without these squares, dR is 0 there. So nothing of size n x f is made: n h^2 twice, f h^2 twice, products with X.
 */
#include "linalg/wide_rows.h"
#include "loss.h"

#include <math.h>
#include <string.h>

/* How dr is made of x and r, before the division by the number of rows. */
typedef struct pull {
    double a, beta;
} pull;

enum { LOSS, COUNT, BETA, HELD, ZEROS, GRAM_SUMS };

static pull pull_of(double *sums, double s, double q, double squares_of_x)
{
    if (!(squares_of_x > 0)) return (pull){0, 0};
    sums[COUNT] += 1;
    sums[LOSS] += 1;
    if (!(q > 0)) return (pull){0, 0};
    const double lengths = sqrt(squares_of_x) * sqrt(q), c = s / lengths;
    sums[LOSS] -= c;
    return (pull){-1 / lengths, c / (2 * q)};
}

/* x_i . y for a row in compressed form, and |x_i|^2. */
static double dot_sparse(double *squares, const wgdn_csr *x, int64_t i, const float *y)
{
    double sum = 0;
    *squares = 0;
    for (int64_t k = x->offset[i]; k < x->offset[i + 1]; k++) {
        const double value = x->value ? x->value[k] : 1;
        sum += value * y[x->column[k]];
        *squares += value * value;
    }
    return sum;
}

static void row_sparse(double *sums, float *r, int64_t i, double q, const wgdn_loss_call *c)
{
    const wgdn_csr *x = c->in->sparse;
    double squares;
    const double s = dot_sparse(&squares, x, i, r);
    const pull p = pull_of(sums, s, q, squares);
    c->rows->scale(r, (float)(2 * p.beta), r, c->in->features);
    for (int64_t k = x->offset[i]; k < x->offset[i + 1]; k++)
        r[x->column[k]] += (float)(p.a * (x->value ? x->value[k] : 1));
}

static void row(double *sums, float *r, int64_t i, const wgdn_loss_call *c)
{
    const int64_t f = c->in->features;
    double q, squares;
    (void)c->rows->moments(&q, r, f);
    if (c->in->sparse) {
        row_sparse(sums, r, i, q, c);
        return;
    }
    const float *x = c->in->dense + i * f;
    (void)c->rows->moments(&squares, x, f);
    const pull p = pull_of(sums, c->rows->dot(x, r, f), q, squares);
    c->rows->combine(r, (float)p.a, x, (float)(2 * p.beta), r, f);
}

static double finish(double *factor, const double *sums, double n, double f)
{
    (void)n;
    (void)f;
    *factor = sums[COUNT] > 0 ? 1 / sums[COUNT] : 0;
    return sums[LOSS] * *factor;
}

typedef struct rows_call {
    const wgdn_gram_call *c;
    const wgdn_row_ops *rows;
    const wgdn_layer_ops *layer;
    double squares_of_v;
} rows_call;

/* R where X is held out, to sampled; its squares, which are not part of q. */
static double held_squares(const rows_call *call, int64_t i)
{
    const wgdn_gram_call *c = call->c;
    const wgdn_held *h = c->in->held;
    double squares = 0;
    for (int64_t k = h->offset[i]; k < h->offset[i + 1]; k++) {
        const int64_t j = h->column[k];
        const double r = (double)call->rows->dot(c->big + i * c->h, c->w + j * c->h, c->h) +
                         (double)c->k * c->b[j];
        squares += r * r;
        c->at->sampled[h->entry[k]] = (float)r;
    }
    return squares;
}

/* (R - X)^2 over what is held out and over zeros, with rows of R as long as those of X. */
static void held_sums(double *sums, const rows_call *call, int64_t i, double scale)
{
    const wgdn_gram_call *c = call->c;
    const wgdn_held *h = c->in->held;
    sums[ZEROS] += scale * scale * wgdn_gram_zeros(c, i);
    for (int64_t k = h->offset[i]; k < h->offset[i + 1]; k++) {
        const double e = scale * c->at->sampled[h->entry[k]] - h->truth[k];
        sums[HELD] += e * e;
    }
}

/* What is held out has no gradient: dB loses 2 beta r w_j, and E is -2 beta r. */
static void held_back(float *db, const rows_call *call, int64_t i, double beta)
{
    const wgdn_gram_call *c = call->c;
    const wgdn_held *h = c->in->held;
    for (int64_t k = h->offset[i]; k < h->offset[i + 1]; k++) {
        float *r = c->at->sampled + h->entry[k];
        *r = (float)(-2 * beta * *r);
        call->rows->axpy(db, *r, c->w + h->column[k] * c->h, c->h);
    }
}

/* X W at dB becomes dB, B G at room becomes beta o B; u is at column and row, a o X goes to
 * sampled. */
static void gram_rows(int64_t first, int64_t count, double *sums, void *context)
{
    const rows_call *call = context;
    const wgdn_gram_call *c = call->c;
    const wgdn_csr *x = c->in->sparse;
    const bool *mark = c->in->held ? c->in->held->mark : NULL;
    const int64_t h = c->h;
    for (int64_t i = first; i < first + count; i++) {
        const float *b = c->big + i * h;
        float *xw = c->dbig + i * h, *bg = c->room + i * h;
        double squares, linear;
        const double shift = c->k * dot_sparse(&squares, x, i, c->b);
        const double s = call->layer->dots(&linear, b, xw, c->at->column, h) + shift;
        double q =
            call->layer->dots(&linear, b, bg, c->at->column, h) + 2 * linear + call->squares_of_v;
        if (mark) q -= held_squares(call, i);
        if (mark) held_sums(sums, call, i, q > 0 ? sqrt(squares / q) : 1);
        const pull p = pull_of(sums, s, q, squares);
        sums[BETA] += p.beta;
        call->rows->combine(xw, (float)p.a, xw, (float)(2 * p.beta), bg, h);
        call->rows->axpy(xw, (float)(2 * p.beta), c->at->row, h);
        call->rows->scale(bg, (float)p.beta, b, h);
        for (int64_t k = x->offset[i]; k < x->offset[i + 1]; k++)
            if (!mark || !mark[k]) c->at->sampled[k] = (float)(p.a * (x->value ? x->value[k] : 1));
        if (mark) held_back(xw, call, i, p.beta);
    }
}

/* X W, B G, u and v . v, in the places where gram_rows looks for them. */
static wgdn_status prepare(rows_call *call, wgdn_error *err)
{
    const wgdn_gram_call *c = call->c;
    const wgdn_gram *at = c->at;
    const wgdn_span f = wgdn_alone(c->in->features);
    wgdn_product square = wgdn_product_of(at->gram, c->w, c->w, f, c->h, c->h);
    const wgdn_product bg = wgdn_product_of(c->room, c->big, at->gram, c->in->rows, c->h, c->h);
    square.work = at->tn;
    wgdn_status st = wgdn_gemm_tn(&square, err);
    if (!st) st = wgdn_gemm_nn(&bg, err);
    if (st) return st;
    wgdn_spmm(c->dbig, c->in->sparse, c->w, c->h);
    wgdn_weighted_sum(at->row, c->b, c->w, f, c->h, c->k, 0, c->work);
    wgdn_wide_rows()->widen(at->column, at->row, c->h);
    call->squares_of_v = (double)c->k * c->k * wgdn_sum_squares(c->b, f, 1, c->work);
    return WGDN_OK;
}

static wgdn_status gram(double *loss, const wgdn_loss_form *form, const wgdn_gram_call *c,
                        wgdn_error *err)
{
    const wgdn_input *in = c->in;
    const wgdn_gram *at = c->at;
    const int64_t h = c->h;
    rows_call call = {.c = c, .rows = wgdn_rows(), .layer = wgdn_layer_rows()};
    double sums[GRAM_SUMS], factor;
    wgdn_status st = prepare(&call, err);
    if (st) return st;
    wgdn_for_blocks(in->rows, gram_rows, &call, sums, GRAM_SUMS, c->work);
    if (in->held && c->held) memcpy(c->held, sums + HELD, WGDN_HELD_SUMS * sizeof *c->held);
    *loss = form->finish(&factor, sums, (double)in->rows.total, (double)in->features);
    wgdn_scale(c->dbig, (float)factor, in->rows.count, h);

    wgdn_column_sums(at->column, NULL, c->room, in->rows, h, c->work);
    wgdn_product weighted = wgdn_product_of(at->gram, c->big, c->room, in->rows, h, h);
    const wgdn_product wg =
        wgdn_product_of(at->product, c->w, at->gram, wgdn_alone(in->features), h, h);
    weighted.work = at->tn;
    st = wgdn_gemm_tn(&weighted, err);
    if (!st) st = wgdn_gemm_nn(&wg, err);
    if (!st) wgdn_gram_weights(c, sums[BETA], factor);
    return st;
}

const wgdn_loss_form wgdn_loss_cosine = {.name = "cosine",
                                         .directions = true,
                                         .sums = 2,
                                         .gram_sums = GRAM_SUMS,
                                         .row = row,
                                         .finish = finish,
                                         .gram = gram};
