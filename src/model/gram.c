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
#include "loss.h"

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
static void gradient_rows(int64_t first, int64_t count, double *sums, void *context)
{
    const weight_call *call = context;
    const wgdn_gram_call *c = call->c;
    (void)sums;
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
static void swap_rows(int64_t first, int64_t count, double *sums, void *context)
{
    const wgdn_gram_call *c = ((const weight_call *)context)->c;
    const wgdn_csr *t = &c->in->transposed;
    (void)sums;
    for (int64_t at = t->offset[first]; at < t->offset[first + count]; at++)
        c->at->swapped[at] = c->at->sampled[c->in->entry[at]];
}

void wgdn_gram_weights(const wgdn_gram_call *c, double sum, double s)
{
    const wgdn_input *in = c->in;
    const wgdn_span f = wgdn_alone(in->features);
    weight_call call = {.ops = wgdn_layer_rows(), .c = c, .sum = sum, .s = s};
    wgdn_csr et = in->transposed;
    et.value = c->at->swapped;
    wgdn_for_blocks(f, swap_rows, &call, NULL, 0, NULL);
    wgdn_spmm_tn(c->dw, &et, c->big, in->rows, c->h, c->at->tn);
    wgdn_spmm_tn(c->db, &et, in->ones, in->rows, 1, c->at->tn);
    wgdn_for_blocks(f, gradient_rows, &call, NULL, 0, NULL);
}

/* S, E on Omega, and E W into dB; W G is left at product. */
static wgdn_status sum_of_squares(double *sum, const wgdn_gram_call *c, double balance,
                                  wgdn_error *err)
{
    const wgdn_input *in = c->in;
    const wgdn_gram *at = c->at;
    const wgdn_span f = wgdn_alone(in->features);
    weight_call call = {.ops = wgdn_layer_rows(), .c = c, .sum = (double)in->rows.total};
    sample_call sample = {in->sparse, in->held ? in->held->mark : NULL, c->b, c->k, balance};
    double all;
    wgdn_product gram = wgdn_product_of(at->gram, c->big, c->big, in->rows, c->h, c->h);
    const wgdn_product wg = wgdn_product_of(at->product, c->w, at->gram, f, c->h, c->h);
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
        sums[1] += wgdn_gram_zeros(c, i);
}

double wgdn_gram_zeros(const wgdn_gram_call *c, int64_t i)
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

wgdn_status wgdn_gram_squares(double *loss, const wgdn_loss_form *form, const wgdn_gram_call *c,
                              wgdn_error *err)
{
    const wgdn_input *in = c->in;
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

    wgdn_gram_weights(c, n, s);
    wgdn_weighted_sum(at->row, c->b, c->w, f, c->h, (float)(2 * s * c->k), 0, c->work);
    wgdn_product gram = wgdn_product_of(at->gram, c->w, c->w, f, c->h, c->h);
    gram.work = at->tn;
    st = wgdn_gemm_tn(&gram, err);
    if (st) return st;
    wgdn_product dbig = wgdn_product_of(c->dbig, c->big, at->gram, in->rows, c->h, c->h);
    dbig.alpha = (float)(2 * s);
    dbig.beta = (float)s;
    dbig.bias = at->row;
    return wgdn_gemm_nn(&dbig, err);
}
