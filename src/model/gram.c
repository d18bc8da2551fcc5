/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The loss of a linear last layer without its reconstruction                    [WGDN:gram]
 *
 * R = B W^T + 1 v^T with B (n x h), W (f x h), v = k b. With Omega the non-zeros of X,
 *
 *     S = sum_all w (R - X)^2 = sum_all R^2 + sum_Omega [ r (R - x)^2 - R^2 ]
 *     sum_all R^2 = sum_j [ w_j^T G w_j + 2 v_j w_j^T g + n v_j^2 ],   G = B^T B,  g = B^T 1
 *
 * so R is needed at Omega only. With E sparse on Omega, E = 2 r (R - x) - 2 R, and s = dloss/dS:
 *
 *     dW = s (2 W G + 2 v g^T + E^T B)         dv = s (2 W g + 2 n v + E^T 1)
 *     dB = s (2 B (W^T W) + 2 1 (v^T W) + E W)
 *
 * Cost n h^2 + f h^2 + |Omega| h instead of 3 n f h; nothing of size n x f.
 */
#include "layers.h"

#include <math.h>

size_t wgdn_gram_work(wgdn_span n, int64_t f, int64_t h)
{
    const size_t sizes[] = {wgdn_gemm_tn_work(n, h, h), wgdn_gemm_tn_work(wgdn_alone(f), h, h),
                            wgdn_spmm_tn_work(n, h)};
    size_t most = 0;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        most = sizes[i] > most ? sizes[i] : most;
    return most;
}

typedef struct sample_call {
    const wgdn_csr *x;
    const float *b;
    float k;
    double balance;
} sample_call;

/* The part of S on Omega, and E in place of R without the bias, not yet times s. */
static double residuals(float *out, int64_t from, int64_t to, void *context)
{
    const sample_call *c = context;
    double sum = 0;
    for (int64_t at = from; at < to; at++) {
        const double r = (double)out[at] + (double)c->k * c->b[c->x->column[at]];
        const double e = r - (c->x->value ? c->x->value[at] : 1);
        sum += c->balance * e * e - r * r;
        out[at] = (float)(2 * (c->balance * e - r));
    }
    return sum;
}

typedef struct weight_call {
    const wgdn_layer_ops *ops;
    const float *w, *b, *product;
    const double *g; /* B^T 1 */
    float *dw, *db;  /* E^T B and E^T 1 to begin with */
    int64_t h;
    double n, k, s;
} weight_call;

/* sum_j [ w_j^T G w_j + 2 v_j w_j^T g + n v_j^2 ] with W G at product. */
static void square_rows(int64_t first, int64_t count, double *sums, void *context)
{
    const weight_call *c = context;
    for (int64_t j = first; j < first + count; j++) {
        const float *w = c->w + j * c->h, *wg = c->product + j * c->h;
        const double v = c->k * c->b[j];
        double linear;
        const double quadratic = c->ops->dots(&linear, w, wg, c->g, c->h);
        sums[0] += quadratic + 2 * v * linear + c->n * v * v;
    }
}

/* dW and db from what stands in them already, E^T B and E^T 1. */
static void gradient_rows(int64_t first, int64_t count, double *sums, void *context)
{
    const weight_call *c = context;
    (void)sums;
    for (int64_t j = first; j < first + count; j++) {
        const float *w = c->w + j * c->h, *wg = c->product + j * c->h;
        const double v = c->k * c->b[j];
        double linear;
        (void)c->ops->dots(&linear, w, wg, c->g, c->h);
        c->ops->blend(c->dw + j * c->h, wg, v, c->g, c->s, c->h);
        c->db[j] = (float)(c->k * c->s * (2 * (linear + c->n * v) + c->db[j]));
    }
}

typedef struct swap_call {
    float *out;
    const float *e;
    const wgdn_input *in;
} swap_call;

/* E in the order of X^T. */
static void swap_rows(int64_t first, int64_t count, double *sums, void *context)
{
    const swap_call *c = context;
    const wgdn_csr *t = &c->in->transposed;
    (void)sums;
    for (int64_t at = t->offset[first]; at < t->offset[first + count]; at++)
        c->out[at] = c->e[c->in->entry[at]];
}

/* S, E on Omega, and E W into ew; W G is left at at->product. */
static wgdn_status sum_of_squares(double *sum, float *ew, weight_call *c, const float *big,
                                  const wgdn_input *in, double balance, const wgdn_gram *at,
                                  void *work, wgdn_error *err)
{
    const int64_t f = in->features, h = c->h;
    sample_call sample = {in->sparse, c->b, (float)c->k, balance};
    double all;
    wgdn_product square = wgdn_product_of(at->gram, big, big, in->rows, h, h);
    const wgdn_product wg = wgdn_product_of(at->product, c->w, at->gram, wgdn_alone(f), h, h);
    square.work = at->tn;
    wgdn_status st = wgdn_gemm_tn(&square, err);
    if (!st) st = wgdn_gemm_nn(&wg, err);
    if (st) return st;
    wgdn_column_sums(at->column, NULL, big, in->rows, h, work);
    wgdn_for_blocks(wgdn_alone(f), square_rows, c, &all, 1, work);
    *sum = all + wgdn_sddmm(&(wgdn_sddmm_product){.out = at->sampled,
                                                  .y = ew,
                                                  .a = in->sparse,
                                                  .rows = in->rows,
                                                  .u = big,
                                                  .v = c->w,
                                                  .d = h,
                                                  .edit = residuals,
                                                  .context = &sample},
                            work);
    return WGDN_OK;
}

wgdn_status wgdn_loss_gram(double *loss, float *dw, float *db, float *dbig, const float *big,
                           const float *w, const float *b, float k, const wgdn_input *in, int64_t h,
                           const wgdn_train_options *o, const wgdn_gram *at, void *work,
                           wgdn_error *err)
{
    const bool mse = o->loss == WGDN_LOSS_MSE;
    const int64_t f = in->features;
    weight_call c = {.ops = wgdn_layer_rows(),
                     .w = w,
                     .b = b,
                     .product = at->product,
                     .g = at->column,
                     .dw = dw,
                     .db = db,
                     .h = h,
                     .n = (double)in->rows.total,
                     .k = k};
    wgdn_csr et = in->transposed;
    double sum = 0;
    wgdn_status st = sum_of_squares(&sum, dbig, &c, big, in, mse ? 1 : in->balance, at, work, err);
    if (st) return st;
    const double count = c.n * (mse ? (double)f : 1);
    *loss = mse ? sum / count : sqrt(fmax(sum, 0) / count);
    c.s = mse ? 1 / count : *loss > 0 ? 1 / (2 * count * *loss) : 0;

    et.value = at->swapped;
    wgdn_for_blocks(wgdn_alone(f), swap_rows, &(swap_call){at->swapped, at->sampled, in}, NULL, 0,
                    NULL);
    wgdn_spmm_tn(dw, &et, big, in->rows, h, at->tn);
    wgdn_spmm_tn(db, &et, in->ones, in->rows, 1, at->tn);
    wgdn_for_blocks(wgdn_alone(f), gradient_rows, &c, NULL, 0, NULL);

    wgdn_weighted_sum(at->row, b, w, wgdn_alone(f), h, (float)(2 * c.s * k), 0, work);
    wgdn_product square = wgdn_product_of(at->gram, w, w, wgdn_alone(f), h, h);
    square.work = at->tn;
    st = wgdn_gemm_tn(&square, err);
    if (st) return st;
    wgdn_product rest = wgdn_product_of(dbig, big, at->gram, in->rows, h, h);
    rest.alpha = (float)(2 * c.s);
    rest.beta = (float)c.s;
    rest.bias = at->row;
    return wgdn_gemm_nn(&rest, err);
}
