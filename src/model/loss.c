/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Computes the reconstruction losses and their gradients, with the reconstruction in memory or,
 * for sparse features, without it. step.c calls one of them by its row in a table; workspace.c
 * decides which form pays.
 */
#include "loss.h"
#include "linalg/wide_rows.h"

#include <math.h>
#include <string.h>

/* The sums of (scale R - X)^2 over what is held out of row i and over its zeros are added; R becomes
 * 0 where it is held out, as X is. */
static void add_held_row(double *sums, float *r, const wgdn_held *h, int64_t i, double scale)
{
    for (int64_t k = h->zero_offset[i]; k < h->zero_offset[i + 1]; k++) {
        const double e = scale * r[h->zero_column[k]];
        sums[1] += e * e;
    }
    for (int64_t k = h->offset[i]; k < h->offset[i + 1]; k++) {
        const double e = scale * r[h->column[k]] - h->truth[k];
        sums[0] += e * e;
        r[h->column[k]] = 0;
    }
}

/*
 * Computes the loss of a linear last layer without its reconstruction                   [WGDN:gram]
 *
 * R = B W^T + 1 v^T with B (n x h), W (f x h), v = k b. With Omega the non-zeros of X,
 *
 *     S = sum_all w (R - X)^2 = sum_all R^2 + sum_Omega [ r (R - x)^2 - R^2 ]
 *     sum_all R^2 = sum_j [ w_j^T G w_j + 2 v_j w_j^T g + n v_j^2 ],   G = B^T B,  g = B^T 1
 *
 * so R is needed only at Omega. With E sparse on Omega, E = 2 r (R - x) - 2 R, and s = dloss/dS:
 *
 *     dW = s (2 W G + 2 v g^T + E^T B)         dv = s (2 W g + 2 n v + E^T 1)
 *     dB = s (2 B (W^T W) + 2 1 (v^T W) + E W)
 *
 * The cost is n h^2 + f h^2 + |Omega| h instead of 3 n f h, and no matrix has size n x f.
 */

typedef struct sample_call {
    const wgdn_csr *x;
    const bool *held; /* entries that weigh nothing, or NULL */
    const float *b;
    float k;
    double balance;
} sample_call;

/* The part of S on Omega, and E in place of R without the bias, not yet times s. What is held out
 * of X has r = 0: E = -2 R. */
static double residuals(float *out, int64_t from, int64_t to, void *context)
{
    const sample_call *c = context;
    double sum = 0;
    for (int64_t at = from; at < to; at++) {
        const double r = (double)out[at] + (double)c->k * c->b[c->x->column[at]];
        const double e = r - (c->x->value ? c->x->value[at] : 1);
        const double weight = c->held && c->held[at] ? 0 : c->balance;
        sum += weight * e * e - r * r;
        out[at] = (float)(2 * (weight * e - r));
    }
    return sum;
}

typedef struct weight_call {
    const wgdn_layer_ops *ops;
    const wgdn_gram_call *c;
    double sum, s; /* 1^T beta, dloss/dS */
} weight_call;

/* v_j */
static double shift_of(const wgdn_gram_call *c, int64_t j)
{
    return (double)c->k * c->b[j];
}

/* sum_j [ w_j^T G w_j + 2 v_j w_j^T g + n v_j^2 ] with W G at product. */
static void square_rows(int64_t first, int64_t count, double *sums, void *context)
{
    const weight_call *call = context;
    const wgdn_gram_call *c = call->c;
    for (int64_t j = first; j < first + count; j++) {
        const float *w = c->w + j * c->h, *wg = c->at->product + j * c->h;
        const double v = shift_of(c, j);
        double linear;
        const double quadratic = call->ops->dots(&linear, w, wg, c->at->column, c->h);
        sums[0] += quadratic + 2 * v * linear + call->sum * v * v;
    }
}

/* dW and db from what stands in them already, E^T B and E^T 1. */
static void gradient_rows(int64_t first, int64_t count, void *context)
{
    const weight_call *call = context;
    const wgdn_gram_call *c = call->c;
    for (int64_t j = first; j < first + count; j++) {
        const float *w = c->w + j * c->h, *wg = c->at->product + j * c->h;
        const double v = shift_of(c, j);
        double linear;
        (void)call->ops->dots(&linear, w, wg, c->at->column, c->h);
        call->ops->blend(c->dw + j * c->h, wg, v, c->at->column, call->s, c->h);
        c->db[j] = (float)(c->k * call->s * (2 * (linear + call->sum * v) + c->db[j]));
    }
}

/* E in the order of X^T. */
static void swap_rows(int64_t first, int64_t count, void *context)
{
    const wgdn_gram_call *c = ((const weight_call *)context)->c;
    const wgdn_csr *t = &c->in->transposed;
    for (int64_t at = t->offset[first]; at < t->offset[first + count]; at++)
        c->at->swapped[at] = c->at->sampled[c->in->entry[at]];
}

/*
 * dW and db of dR = s (E + 2 diag(beta) R): E on the non-zeros of X in at->sampled,
 * W (B^T diag(beta) B) in at->product, B^T beta in at->column; sum = 1^T beta.
 */
static void gram_weights(const wgdn_gram_call *c, double sum, double s)
{
    const wgdn_model_input *in = c->in;
    const wgdn_span f = wgdn_alone(in->features);
    weight_call call = {.ops = wgdn_layer_rows(), .c = c, .sum = sum, .s = s};
    wgdn_csr et = in->transposed;
    et.value = c->at->swapped;
    wgdn_for_rows(f, swap_rows, &call);
    wgdn_spmm_tn(c->dw, &et, c->big, in->rows, c->h, c->at->tn);
    wgdn_spmm_tn(c->db, &et, in->ones, in->rows, 1, c->at->tn);
    wgdn_for_rows(f, gradient_rows, &call);
}

/* S, E on Omega, and E W into dB; W G is left at product. */
static wgdn_status sum_of_squares(double *sum, const wgdn_gram_call *c, double balance,
                                  wgdn_error *err)
{
    const wgdn_model_input *in = c->in;
    const wgdn_gram *at = c->at;
    const wgdn_span f = wgdn_alone(in->features);
    weight_call call = {.ops = wgdn_layer_rows(), .c = c, .sum = (double)in->rows.total};
    sample_call sample = {in->sparse, in->held ? in->held->mark : NULL, c->b, c->k, balance};
    double all;
    wgdn_product gram = wgdn_product_of(at->gram, c->big, c->big, in->rows, c->h, c->h);
    const wgdn_product wg = wgdn_product_of(at->product, c->w, at->gram, f, c->h, c->h);
    gram.gram = true;
    gram.work = at->tn;
    wgdn_status st = wgdn_gemm_tn(&gram, err);
    if (!st) st = wgdn_gemm_nn(&wg, err);
    if (st) return st;
    wgdn_column_sums(at->column, NULL, c->big, in->rows, c->h, c->work);
    wgdn_for_blocks(f, square_rows, &call, &all, 1, c->work);
    *sum = all + wgdn_sddmm(&(wgdn_sddmm_product){.out = at->sampled,
                                                  .y = c->dbig,
                                                  .a = in->sparse,
                                                  .rows = in->rows,
                                                  .u = c->big,
                                                  .v = c->w,
                                                  .d = c->h,
                                                  .edit = residuals,
                                                  .context = &sample},
                            c->work);
    return WGDN_OK;
}

/* The sum of R^2 over the zeros of row i that in->held lists. */
static double gram_zeros(const wgdn_gram_call *c, int64_t i)
{
    const wgdn_held *h = c->in->held;
    const wgdn_row_ops *ops = wgdn_rows();
    double sum = 0;
    for (int64_t k = h->zero_offset[i]; k < h->zero_offset[i + 1]; k++) {
        const int64_t j = h->zero_column[k];
        const double r =
            (double)ops->dot(c->big + i * c->h, c->w + j * c->h, c->h) + shift_of(c, j);
        sum += r * r;
    }
    return sum;
}

/* The sums of (R - X)^2 over what is held out, where R is -E / 2, and over some zeros. */
static void held_rows(int64_t first, int64_t count, double *sums, void *context)
{
    const wgdn_gram_call *c = context;
    const wgdn_held *h = c->in->held;
    for (int64_t k = h->offset[first]; k < h->offset[first + count]; k++) {
        const double e = -0.5 * c->at->sampled[h->entry[k]] - h->truth[k];
        sums[0] += e * e;
    }
    for (int64_t i = first; i < first + count; i++)
        sums[1] += gram_zeros(c, i);
}

/* Without R, for losses of S = sum w (R - X)^2. */
static wgdn_status gram_squares(double *loss, const wgdn_loss_form *form, const wgdn_gram_call *c,
                                wgdn_error *err)
{
    const wgdn_model_input *in = c->in;
    const wgdn_gram *at = c->at;
    const wgdn_span f = wgdn_alone(in->features);
    const double n = (double)in->rows.total;
    double sum = 0, factor;
    wgdn_status st = sum_of_squares(&sum, c, form->balanced ? in->balance : 1, err);
    if (st) return st;
    if (in->held && c->held)
        wgdn_for_blocks(in->rows, held_rows, (void *)c, c->held, WGDN_HELD_SUMS, c->work);
    *loss = form->finish(&factor, &sum, n, (double)in->features);
    const double s = factor / 2; /* S changes by 2 w (R - X) */

    gram_weights(c, n, s);
    wgdn_weighted_sum(at->row, c->b, c->w, f, c->h, (float)(2 * s * c->k), 0, c->work);
    wgdn_product gram = wgdn_product_of(at->gram, c->w, c->w, f, c->h, c->h);
    gram.gram = true;
    gram.work = at->tn;
    st = wgdn_gemm_tn(&gram, err);
    if (st) return st;
    wgdn_product dbig = wgdn_product_of(c->dbig, c->big, at->gram, in->rows, c->h, c->h);
    dbig.alpha = (float)(2 * s);
    dbig.beta = (float)s;
    dbig.bias = at->row;
    return wgdn_gemm_nn(&dbig, err);
}

/*
 * Computes the losses of a reconstruction R in memory from the weighted squares of its errors.
 *                                                                                       [WGDN:loss]
 *
 *     E_ij = w_ij (R_ij - X_ij)^2,  w = r at the non-zeros of X, 1 elsewhere (r = 1: plain)
 *
 *     rmse      sqrt( 1/n sum E )                  dR = w (R - X) / (n loss)
 *     row-rmse  1/n sum_i sqrt( 1/f sum_j E_ij )   dR = w (R - X) / (n f s_i),  s_i the row's root
 *     mse       mean of (R - X)^2, w = 1           dR = 2 (R - X) / (n f)
 *
 * Held-out entries of X have R = X = 0 and therefore no weight. The gradient of a root at 0 is 0.
 * One pass turns R into w (R - X); the remaining factor is known only after the whole sum, and the
 * products that follow apply it.
 */

/* The same with X in compressed rows: all squares, then what the non-zeros change. */
static double residual_sparse(float *r, int64_t i, const wgdn_loss_call *c)
{
    const wgdn_csr *x = c->in->sparse;
    double sum;
    (void)c->rows->moments(&sum, r, c->in->features);
    for (int64_t k = x->offset[i]; k < x->offset[i + 1]; k++) {
        float *at = r + x->column[k];
        const double e = (double)*at - (x->value ? x->value[k] : 1);
        sum += c->balance * e * e - (double)*at * *at;
        *at = (float)(c->balance * e);
    }
    return sum;
}

/* r becomes w (r - x); the sum of w (r - x)^2. */
static double residual(float *r, int64_t i, const wgdn_loss_call *c)
{
    const int64_t f = c->in->features;
    if (c->in->sparse) return residual_sparse(r, i, c);
    return c->layer->loss(r, c->in->dense + i * f, (float)c->balance, f);
}

static void square_row(double *sums, float *r, int64_t i, const wgdn_loss_call *c)
{
    sums[0] += residual(r, i, c);
}

static void root_row(double *sums, float *r, int64_t i, const wgdn_loss_call *c)
{
    const int64_t f = c->in->features;
    const double root = sqrt(fmax(residual(r, i, c), 0) / (double)f);
    sums[0] += root;
    c->rows->scale(r, root > 0 ? (float)(1 / root) : 0, r, f);
}

static double finish_rmse(double *factor, const double *sums, double n, double f)
{
    const double loss = sqrt(fmax(sums[0], 0) / n);
    (void)f;
    *factor = loss > 0 ? 1 / (n * loss) : 0;
    return loss;
}

static double finish_row_rmse(double *factor, const double *sums, double n, double f)
{
    *factor = 1 / (n * f);
    return sums[0] / n;
}

static double finish_mse(double *factor, const double *sums, double n, double f)
{
    *factor = 2 / (n * f);
    return sums[0] / (n * f);
}

static const wgdn_loss_form rmse = {.name = "rmse",
                                    .balanced = true,
                                    .sums = 1,
                                    .gram_sums = 1,
                                    .row = square_row,
                                    .finish = finish_rmse,
                                    .gram = gram_squares};
static const wgdn_loss_form row_rmse = {
    .name = "row-rmse", .balanced = true, .sums = 1, .row = root_row, .finish = finish_row_rmse};
static const wgdn_loss_form mse = {.name = "mse",
                                   .sums = 1,
                                   .gram_sums = 1,
                                   .row = square_row,
                                   .finish = finish_mse,
                                   .gram = gram_squares};

typedef struct dense_call {
    wgdn_loss_call row;
    const wgdn_loss_form *form;
    float *r;
} dense_call;

/* |x_i| / |r_i| without what is held out. */
static double length_ratio(const float *r, int64_t i, const wgdn_loss_call *c)
{
    const wgdn_model_input *in = c->in;
    const wgdn_csr *x = in->sparse;
    const wgdn_held *h = in->held;
    double q, squares = 0;
    (void)c->rows->moments(&q, r, in->features);
    for (int64_t k = h->offset[i]; k < h->offset[i + 1]; k++)
        q -= (double)r[h->column[k]] * r[h->column[k]];
    if (!x) (void)c->rows->moments(&squares, in->dense + i * in->features, in->features);
    for (int64_t k = x ? x->offset[i] : 0; x && k < x->offset[i + 1]; k++)
        squares += (double)x->value[k] * x->value[k];
    return q > 0 ? sqrt(squares / q) : 1;
}

static void rows(int64_t first, int64_t count, double *sums, void *context)
{
    const dense_call *c = context;
    for (int64_t i = first; i < first + count; i++) {
        float *r = c->r + i * c->row.in->features;
        if (c->row.in->held) {
            const double scale = c->form->directions ? length_ratio(r, i, &c->row) : 1;
            add_held_row(sums + c->form->sums, r, c->row.in->held, i, scale);
        }
        c->form->row(sums, r, i, &c->row);
    }
}

double wgdn_loss_dense(float *factor, double *held, float *r, const wgdn_model_input *in,
                       const wgdn_loss_form *form, void *work)
{
    dense_call c = {
        .row = {.rows = wgdn_rows(), .layer = wgdn_layer_rows(), .in = in}, .form = form, .r = r};
    double sums[WGDN_LOSS_SUMS + WGDN_HELD_SUMS], times;
    c.row.balance = form->balanced ? in->balance : 1;
    wgdn_for_blocks(in->rows, rows, &c, sums, form->sums + (in->held ? WGDN_HELD_SUMS : 0), work);
    if (in->held && held) memcpy(held, sums + form->sums, WGDN_HELD_SUMS * sizeof *held);
    const double loss = form->finish(&times, sums, (double)in->rows.total, (double)in->features);
    *factor = (float)times;
    return loss;
}

/*
 * Computes the mean of 1 - c_i over the non-zero rows x_i of X, c_i the cosine between x_i and its
 * reconstruction r_i                                                             [WGDN:loss-cosine]
 *
 *     s_i = x_i . r_i,   q_i = |r_i|^2,   c_i = s_i / (|x_i| sqrt(q_i))
 *     dr_i = (a_i x_i + 2 beta_i r_i) / rows,   a_i = -1 / (|x_i| sqrt(q_i)),
 *     beta_i = c_i / (2 q_i)
 *
 * Where r_i = 0 there is no direction: c_i and its gradient are 0. Without R = B W^T + 1 v^T, where
 * v = k b, G = W^T W and u = W^T v:
 *
 *     s_i = b_i . (X W)_i + x_i . v,   q_i = b_i . (B G)_i + 2 b_i . u + v . v
 *     dB = a o (X W) + 2 beta o (B G + 1 u^T)
 *     dW = X^T (a o B) + 2 W (B^T (beta o B)) + 2 v (B^T beta)^T
 *     dv = X^T a + 2 W (B^T beta) + 2 v sum(beta),      all divided by the number of rows,
 *
 * where o scales rows. Where X is held out, R counts as 0: q_i omits these squares, and dR is 0
 * there. No matrix has size n x f: the cost is n h^2 twice, f h^2 twice, and the products with X.
 */

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
    sums[ZEROS] += scale * scale * gram_zeros(c, i);
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
    square.gram = true;
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
    const wgdn_model_input *in = c->in;
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
    if (!st) gram_weights(c, sums[BETA], factor);
    return st;
}

static const wgdn_loss_form cosine = {.name = "cosine",
                                      .directions = true,
                                      .sums = 2,
                                      .gram_sums = GRAM_SUMS,
                                      .row = row,
                                      .finish = finish,
                                      .gram = gram};

static const wgdn_loss_form *const forms[] = {[WGDN_LOSS_RMSE] = &rmse,
                                              [WGDN_LOSS_ROW_RMSE] = &row_rmse,
                                              [WGDN_LOSS_MSE] = &mse,
                                              [WGDN_LOSS_COSINE] = &cosine};

const wgdn_loss_form *wgdn_loss_form_get(int loss)
{
    const int count = sizeof forms / sizeof *forms; /* NOLINT: pointers are what is counted */
    return loss >= 0 && loss < count ? forms[loss] : NULL;
}
