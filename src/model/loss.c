/* SPDX-License-Identifier: Apache-2.0 */
/*
 * E_ij = w_ij (R_ij - X_ij)^2,  w = r at the non-zeros of X, 1 elsewhere (r = 1: plain) [WGDN:loss]
 *
 *     rmse      sqrt( 1/n sum E )                  dR = w (R - X) / (n loss)
 *     row-rmse  1/n sum_i sqrt( 1/f sum_j E_ij )   dR = w (R - X) / (n f s_i),  s_i the row's root
 *     mse       mean of (R - X)^2, w = 1           dR = 2 (R - X) / (n f)
 *
 * With R = X = 0 where X is held out, these entries weigh nothing. The gradient of a root at 0 is 0. One pass turns R into w (R - X); the factor that is known only
 * after the whole sum is left to the products that follow.
 */
#include "loss.h"
#include "held.h"

#include <math.h>
#include <string.h>

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
                                    .gram = wgdn_gram_squares};
static const wgdn_loss_form row_rmse = {
    .name = "row-rmse", .balanced = true, .sums = 1, .row = root_row, .finish = finish_row_rmse};
static const wgdn_loss_form mse = {.name = "mse",
                                   .sums = 1,
                                   .gram_sums = 1,
                                   .row = square_row,
                                   .finish = finish_mse,
                                   .gram = wgdn_gram_squares};

static const wgdn_loss_form *const forms[] = {[WGDN_LOSS_RMSE] = &rmse,
                                              [WGDN_LOSS_ROW_RMSE] = &row_rmse,
                                              [WGDN_LOSS_MSE] = &mse,
                                              [WGDN_LOSS_COSINE] = &wgdn_loss_cosine};

const wgdn_loss_form *wgdn_loss_form_get(int loss)
{
    const int count = sizeof forms / sizeof *forms; /* NOLINT: pointers are what is counted */
    return loss >= 0 && loss < count ? forms[loss] : NULL;
}

typedef struct dense_call {
    wgdn_loss_call row;
    const wgdn_loss_form *form;
    float *r;
} dense_call;

/* |x_i| / |r_i| without what is held out. */
static double length_ratio(const float *r, int64_t i, const wgdn_loss_call *c)
{
    const wgdn_input *in = c->in;
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
            wgdn_held_row(sums + c->form->sums, r, c->row.in->held, i, scale);
        }
        c->form->row(sums, r, i, &c->row);
    }
}

double wgdn_loss_dense(float *factor, double *held, float *r, const wgdn_input *in,
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
