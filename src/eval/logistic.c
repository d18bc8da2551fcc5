/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Logistic regression on rows of length 1.                                         [WGDN:logistic]
 *
 *     least of  1/2 |W|^2 + C sum_i l_i,   Y = X W + 1 b^T,   b without a penalty
 *     l_i = log sum_k exp(y_ik) - y_i,label(i)                     classes, one for each row
 *     l_i = sum_k log(1 + exp(y_ik)) - sum_{k of row i} y_ik       a column for each label, several
 *                                                                  for a row; or one for two classes
 *     dl_i / dy_ik = softmax(y_i)_k - [k = label(i)],  or  1 / (1 + exp(-y_ik)) - [k of row i]
 *
 * What is minimised is this over C n, n the rows: a mean loss, whose gradient has the same size for
 * every C. Two classes in one column, and every label for itself, is what scikit-learn does, too.
 */
#include "logistic.h"

#include <math.h>
#include <string.h>

/* Of the mean loss's gradient: test accuracy to 0.02 points, micro-F1 of several labels to 0.05. */
static const double tolerance = 5e-6, several_tolerance = 2e-5;
enum { STEPS_MAX = 1000, SUMS = 1 };
static const double small = 0x1p23; /* multiplications that are over before a thread is awake */

int64_t wgdn_answers_columns(const wgdn_answers *a)
{
    return a->classes == 2 && !a->lists ? 1 : a->classes;
}

/* ---- loss and gradient of a row: y becomes dl/dy, times share ---- */

static double softmax_row(float *y, int64_t cols, int32_t label, float share)
{
    double sum = 0;
    float most = y[0];
    for (int64_t k = 1; k < cols; k++)
        most = y[k] > most ? y[k] : most;
    const double own = (double)y[label] - most;
    for (int64_t k = 0; k < cols; k++) {
        y[k] = expf(y[k] - most);
        sum += y[k];
    }
    for (int64_t k = 0; k < cols; k++)
        y[k] *= share / (float)sum;
    y[label] -= share;
    return log(sum) - own;
}

/*
 * Without its labels: log(1 + exp(y)) = max(y, 0) + log(1 + e), e = exp(-|y|). Factors 1 + e, at
 * most 2, are multiplied and have one logarithm together: it would take most of the time.
 */
static double sigmoid_row(float *y, int64_t cols, float share)
{
    double loss = 0, product = 1;
    for (int64_t k = 0; k < cols; k++) {
        const float up = y[k] > 0 ? y[k] : 0, e = expf(y[k] - 2 * up), one = 1 + e;
        loss += (double)up;
        product *= (double)one;
        if (k % 512 == 511) {
            loss += log(product);
            product = 1;
        }
        y[k] = share * (y[k] > 0 ? 1 : e) / one;
    }
    return loss + log(product);
}

static double several_row(float *y, const wgdn_logistic *f, int64_t node, float share)
{
    const wgdn_csr *a = f->answers->lists;
    double loss = 0;
    for (int64_t k = a->offset[node]; k < a->offset[node + 1]; k++)
        loss -= y[a->column[k]];
    loss += sigmoid_row(y, f->cols, share);
    for (int64_t k = a->offset[node]; k < a->offset[node + 1]; k++)
        y[a->column[k]] -= share;
    return loss;
}

static double two_row(float *y, int32_t label, float share)
{
    const double own = label == 1 ? (double)*y : 0;
    const double loss = sigmoid_row(y, 1, share) - own;
    if (label == 1) *y -= share;
    return loss;
}

static void loss_rows(int64_t first, int64_t count, double *sums, void *context)
{
    const wgdn_logistic *f = context;
    const float share = 1 / (float)f->lesson.rows;
    const float *bias = f->now + f->width * f->cols;
    for (int64_t i = first; i < first + count; i++) {
        const int64_t node = f->lesson.row[i];
        float *y = f->y + i * f->cols;
        for (int64_t k = 0; k < f->cols; k++)
            y[k] += bias[k];
        sums[0] += f->answers->lists ? several_row(y, f, node, share)
                   : f->cols == 1    ? two_row(y, f->answers->label[node], share)
                                     : softmax_row(y, f->cols, f->answers->label[node], share);
    }
}

/* ---- the whole of it ---- */

static wgdn_status gradient(double *value, float *g, const float *x, void *context, wgdn_error *err)
{
    wgdn_logistic *f = context;
    const int64_t rows = f->lesson.rows, c = f->cols;
    const wgdn_span all = wgdn_alone(rows);
    wgdn_status st = wgdn_pulse_beat(f->lesson.unit->pulse, err);
    if (!st) st = wgdn_lesson_forward(f->y, &f->lesson, x, err);
    if (st) return st;
    f->now = x;
    wgdn_for_blocks(all, loss_rows, f, value, SUMS, f->work);
    *value /= (double)rows;
    st = wgdn_lesson_back(g, &f->lesson, f->y, err);
    if (st) return st;
    wgdn_weighted_sum(g + f->width * c, NULL, f->y, all, c, 1, 0, f->work);
    *value += f->penalty / 2 * wgdn_sum_squares(x, wgdn_alone(f->width), c, f->work);
    wgdn_axpy(g, (float)f->penalty, x, f->width, c);
    return WGDN_OK;
}

static size_t work_bytes(int64_t rows, int64_t width, int64_t cols)
{
    const wgdn_span all = wgdn_alone(rows);
    const size_t sums = wgdn_larger(wgdn_for_blocks_work(all, SUMS), wgdn_reduce_work(all, cols));
    const size_t squares = wgdn_reduce_work(wgdn_alone(width), cols);
    return wgdn_larger(wgdn_larger(sums, squares), wgdn_lbfgs_work((width + 1) * cols));
}

wgdn_status wgdn_logistic_open(wgdn_logistic *f, const wgdn_unit *u, const wgdn_answers *a,
                               const int64_t *row, int64_t rows, wgdn_error *err)
{
    const int64_t width = u->in->width, cols = wgdn_answers_columns(a);
    *f = (wgdn_logistic){.answers = a, .width = width, .cols = cols};
    const int64_t size = (width + 1) * cols;
    f->param = wgdn_alloc_zero((size_t)wgdn_lbfgs_padded(size), sizeof *f->param);
    f->y = wgdn_alloc((size_t)rows, (size_t)cols * sizeof *f->y);
    f->store = wgdn_alloc(wgdn_lbfgs_room(size), sizeof *f->store);
    f->work = wgdn_alloc(work_bytes(rows, width, cols), 1);
    const wgdn_status st =
        f->param && f->y && f->store && f->work
            ? wgdn_lesson_open(&f->lesson, u, row, rows, cols, err)
            : wgdn_fail(err, WGDN_ENOMEM, "logistic regression: width %lld, %lld columns",
                        (long long)width, (long long)cols);
    if (st) wgdn_logistic_close(f);
    return st;
}

void wgdn_logistic_close(wgdn_logistic *f)
{
    wgdn_lesson_close(&f->lesson);
    wgdn_release(f->work);
    wgdn_release(f->store);
    wgdn_release(f->y);
    wgdn_release(f->param);
    *f = (wgdn_logistic){0};
}

wgdn_status wgdn_logistic_fit(wgdn_logistic *f, double c, wgdn_error *err)
{
    wgdn_lbfgs m = {.size = (f->width + 1) * f->cols,
                    .gradient = gradient,
                    .context = f,
                    .tolerance = f->answers->lists ? several_tolerance : tolerance,
                    .steps_max = STEPS_MAX,
                    .x = f->param,
                    .store = f->store,
                    .work = f->work};
    f->penalty = 1 / (c * (double)f->lesson.rows);
    const int former = wgdn_threads_use(wgdn_lesson_cost(&f->lesson) < small ? 1 : 0);
    const wgdn_status st = wgdn_lbfgs_run(&m, err);
    wgdn_threads_use(former);
    return st;
}

/* ---- scores ---- */

typedef struct scoring {
    float *y;
    const float *inverse, *bias;
    int64_t cols;
} scoring;

static void scale_rows(int64_t first, int64_t count, double *sums, void *context)
{
    const scoring *s = context;
    (void)sums;
    for (int64_t i = first; i < first + count; i++)
        for (int64_t k = 0; k < s->cols; k++)
            s->y[i * s->cols + k] = s->inverse[i] * s->y[i * s->cols + k] + s->bias[k];
}

wgdn_status wgdn_logistic_scores(float **y, const wgdn_logistic *f, wgdn_sweep *s, wgdn_error *err)
{
    const wgdn_unit *u = f->lesson.unit;
    const wgdn_status st = wgdn_sweep_forward(y, s, f->param, err);
    scoring now = {*y, u->inverse, f->param + f->width * f->cols, f->cols};
    if (!st) wgdn_for_blocks(wgdn_alone(u->in->n), scale_rows, &now, NULL, 0, NULL);
    return st;
}
