/* SPDX-License-Identifier: Apache-2.0 */
/*
 * E_ij = w_ij (R_ij - X_ij)^2,  w = r at the non-zeros of X, 1 elsewhere (r = 1: plain) [WGDN:loss]
 *
 *     rmse      sqrt( 1/n sum E )                  dR = w (R - X) / (n loss)
 *     row-rmse  1/n sum_i sqrt( 1/f sum_j E_ij )   dR = w (R - X) / (n f s_i),  s_i the root of row
 * i mse       mean of (R - X)^2, w = 1           dR = 2 (R - X) / (n f)
 *
 * The gradient of a root at 0 is 0.
 */
#include "layers.h"

#include <math.h>

typedef struct loss_call {
    float *r;
    const wgdn_input *in;
    wgdn_loss kind;
    double balance; /* w at the non-zeros */
} loss_call;

/* R becomes w (R - X), and the row's sum of E is returned. */
static double residual_row(const loss_call *c, int64_t i)
{
    const wgdn_input *in = c->in;
    float *r = c->r + i * in->features;
    double sum = 0;
    if (in->sparse) {
        const wgdn_csr *x = in->sparse;
        for (int64_t j = 0; j < in->features; j++)
            sum += (double)r[j] * r[j];
        for (int64_t k = x->offset[i]; k < x->offset[i + 1]; k++) {
            float *at = r + x->column[k];
            const double e = (double)*at - (x->value ? x->value[k] : 1);
            sum += c->balance * e * e - (double)*at * *at;
            *at = (float)(c->balance * e);
        }
        return sum;
    }
    const float *x = in->dense + i * in->features;
    for (int64_t j = 0; j < in->features; j++) {
        const double e = (double)r[j] - x[j], w = x[j] != 0 ? c->balance : 1;
        sum += w * e * e;
        r[j] = (float)(w * e);
    }
    return sum;
}

static void rows(int64_t first, int64_t count, double *sums, void *context)
{
    const loss_call *c = context;
    const int64_t f = c->in->features;
    for (int64_t i = first; i < first + count; i++) {
        const double sum = residual_row(c, i);
        if (c->kind != WGDN_LOSS_ROW_RMSE) {
            sums[0] += sum;
            continue;
        }
        const double root = sqrt(fmax(sum, 0) / (double)f);
        const float scale = root > 0 ? (float)(1 / ((double)c->in->n * (double)f * root)) : 0;
        sums[0] += root;
        for (int64_t j = 0; j < f; j++)
            c->r[i * f + j] *= scale;
    }
}

double wgdn_loss_dense(float *r, const wgdn_input *in, const wgdn_train_options *o, void *work)
{
    const double n = (double)in->n, f = (double)in->features;
    loss_call c = {.r = r, .in = in, .kind = o->loss};
    double sum, loss;
    c.balance = o->loss == WGDN_LOSS_MSE ? 1 : in->balance;
    wgdn_for_blocks(in->n, rows, &c, &sum, 1, work);
    switch (o->loss) {
    case WGDN_LOSS_ROW_RMSE: return sum / n;
    case WGDN_LOSS_MSE:
        wgdn_scale(r, (float)(2 / (n * f)), in->n, in->features);
        return sum / (n * f);
    case WGDN_LOSS_RMSE: break;
    }
    loss = sqrt(fmax(sum, 0) / n);
    wgdn_scale(r, loss > 0 ? (float)(1 / (n * loss)) : 0, in->n, in->features);
    return loss;
}
