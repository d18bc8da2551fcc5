/* SPDX-License-Identifier: Apache-2.0 */
/*
 * E_ij = w_ij (R_ij - X_ij)^2,  w = r at the non-zeros of X, 1 elsewhere (r = 1: plain) [WGDN:loss]
 *
 *     rmse      sqrt( 1/n sum E )                  dR = w (R - X) / (n loss)
 *     row-rmse  1/n sum_i sqrt( 1/f sum_j E_ij )   dR = w (R - X) / (n f s_i),  s_i the row's root
 *     mse       mean of (R - X)^2, w = 1           dR = 2 (R - X) / (n f)
 *
 * The gradient of a root at 0 is 0. One pass turns R into w (R - X); the factor that is known only
 * after the whole sum is left to the products that follow.
 */
#include "layers.h"
#include "linalg/rows.h"

#include <math.h>

typedef struct loss_call {
    const wgdn_row_ops *rows;
    const wgdn_layer_ops *layer;
    float *r;
    const wgdn_input *in;
    wgdn_loss kind;
    double balance; /* w at the non-zeros */
} loss_call;

/* The same with X in compressed rows: all squares, then what the non-zeros change. */
static double residual_sparse(const loss_call *c, float *r, int64_t i)
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

static void rows(int64_t first, int64_t count, double *sums, void *context)
{
    const loss_call *c = context;
    const int64_t f = c->in->features;
    for (int64_t i = first; i < first + count; i++) {
        float *r = c->r + i * f;
        const double sum = c->in->sparse
                               ? residual_sparse(c, r, i)
                               : c->layer->loss(r, c->in->dense + i * f, (float)c->balance, f);
        if (c->kind != WGDN_LOSS_ROW_RMSE) {
            sums[0] += sum;
            continue;
        }
        const double root = sqrt(fmax(sum, 0) / (double)f);
        sums[0] += root;
        c->rows->scale(r, root > 0 ? (float)(1 / root) : 0, r, f);
    }
}

double wgdn_loss_dense(float *factor, float *r, const wgdn_input *in, const wgdn_train_options *o,
                       void *work)
{
    const double n = (double)in->rows.total, f = (double)in->features;
    loss_call c = {
        .rows = wgdn_rows(), .layer = wgdn_layer_rows(), .r = r, .in = in, .kind = o->loss};
    double sum;
    c.balance = o->loss == WGDN_LOSS_MSE ? 1 : in->balance;
    wgdn_for_blocks(in->rows, rows, &c, &sum, 1, work);
    if (o->loss == WGDN_LOSS_ROW_RMSE) {
        *factor = (float)(1 / (n * f));
        return sum / n;
    }
    if (o->loss == WGDN_LOSS_MSE) {
        *factor = (float)(2 / (n * f));
        return sum / (n * f);
    }
    const double loss = sqrt(fmax(sum, 0) / n);
    *factor = loss > 0 ? (float)(1 / (n * loss)) : 0;
    return loss;
}
