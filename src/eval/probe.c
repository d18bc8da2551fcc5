/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The linear probe: multinomial logistic regression by full-batch Adam.               [WGDN:probe]
 *
 *     l = (1/n) sum_i [ log sum_k exp(y_ik) - y_i,label(i) ],   Y = X W + 1 b^T
 *     dl / dy_ik = (softmax(y_i)_k - [k = label(i)]) / n,   dW = X^T dY + l2 W,   db = dY^T 1 + l2
 * b
 *
 * with n the rows to learn from. The same Y answers for validation and test, so an evaluation after
 * each step costs nothing but the rows.
 */
#include "probe.h"
#include "base/streams.h"

#include <math.h>
#include <string.h>

static int64_t rows_of(const wgdn_parts *p)
{
    return p->train + p->val + p->test;
}

static size_t work_bytes(const wgdn_probe *p)
{
    const int64_t train = p->parts->train, c = p->in->classes;
    size_t bytes = p->in->dense ? wgdn_gemm_tn_work(wgdn_alone(train), p->in->width, c) : 0;
    bytes = wgdn_larger(bytes, wgdn_reduce_work(wgdn_alone(train), c));
    return wgdn_larger(bytes, wgdn_for_blocks_work(wgdn_alone(rows_of(p->parts)), 4));
}

typedef struct gathering {
    float *to;
    const float *from;
    const int64_t *row;
    int64_t width;
} gathering;

static void gather_rows(int64_t first, int64_t count, double *sums, void *context)
{
    const gathering *g = context;
    (void)sums;
    for (int64_t i = first; i < first + count; i++)
        memcpy(g->to + i * g->width, g->from + g->row[i] * g->width,
               (size_t)g->width * sizeof *g->to);
}

static wgdn_status take_memory(wgdn_probe *p, wgdn_error *err)
{
    const int64_t rows = rows_of(p->parts), c = p->in->classes, d = p->in->width;
    const size_t size = (size_t)((d + 1) * c);
    bool good;
    p->param = wgdn_alloc(size, sizeof *p->param);
    p->grad = wgdn_alloc(size, sizeof *p->grad);
    p->y = wgdn_alloc((size_t)(rows * c), sizeof *p->y);
    p->guess = wgdn_alloc((size_t)rows, sizeof *p->guess);
    p->work = wgdn_alloc(work_bytes(p), 1);
    good = p->param && p->grad && p->y && p->guess && p->work;
    if (p->in->dense) {
        p->x = wgdn_alloc((size_t)rows, (size_t)d * sizeof *p->x);
        good = good && p->x;
    }
    if (good) return p->in->dense ? WGDN_OK : wgdn_sweep_open(&p->sweep, p->in, c, err);
    return wgdn_fail(err, WGDN_ENOMEM, "probe: %lld rows of width %lld, %lld classes",
                     (long long)rows, (long long)d, (long long)c);
}

wgdn_status wgdn_probe_open(wgdn_probe *p, const wgdn_probe_input *in, const wgdn_parts *parts,
                            wgdn_error *err)
{
    *p = (wgdn_probe){.in = in, .parts = parts};
    const wgdn_status st = take_memory(p, err);
    if (st) {
        wgdn_probe_close(p);
        return st;
    }
    if (in->dense) {
        gathering g = {p->x, in->dense, parts->row, in->width};
        wgdn_for_blocks(wgdn_alone(rows_of(parts)), gather_rows, &g, NULL, 0, NULL);
    }
    return WGDN_OK;
}

void wgdn_probe_close(wgdn_probe *p)
{
    wgdn_optimiser_free(&p->optimiser);
    wgdn_sweep_close(&p->sweep);
    wgdn_release(p->x);
    wgdn_release(p->work);
    wgdn_release(p->guess);
    wgdn_release(p->y);
    wgdn_release(p->grad);
    wgdn_release(p->param);
    *p = (wgdn_probe){0};
}

wgdn_status wgdn_probe_start(wgdn_probe *p, uint64_t seed, int run, wgdn_error *err)
{
    const int64_t d = p->in->width, c = p->in->classes;
    const float s = (float)sqrt(6.0 / (double)(d + c));
    wgdn_optimiser_free(&p->optimiser);
    wgdn_random_uniforms(p->param, c, (wgdn_stream){seed, (uint32_t)run, WGDN_CALL_PROBE}, 0, d, 0,
                         c);
    for (int64_t i = 0; i < d * c; i++)
        p->param[i] = (2 * p->param[i] - 1) * s;
    memset(p->param + d * c, 0, (size_t)c * sizeof *p->param);
    p->steps = 0;
    return wgdn_optimiser_new(&p->optimiser, &wgdn_adam, (d + 1) * c, err);
}

static wgdn_status forward(wgdn_probe *p, wgdn_error *err)
{
    const wgdn_probe_input *in = p->in;
    const int64_t rows = rows_of(p->parts), c = in->classes;
    const float *bias = p->param + in->width * c;
    if (in->dense) {
        wgdn_product q = wgdn_product_of(p->y, p->x, p->param, wgdn_alone(rows), in->width, c);
        q.bias = bias;
        return wgdn_gemm_nn(&q, err);
    }
    float *full;
    const wgdn_status st = wgdn_sweep_forward(&full, &p->sweep, p->param, err);
    if (st) return st;
    gathering g = {p->y, full, p->parts->row, c};
    wgdn_for_blocks(wgdn_alone(rows), gather_rows, &g, NULL, 0, NULL);
    wgdn_add_row(p->y, 1, bias, rows, c);
    return WGDN_OK;
}

enum { LOSS, RIGHT_TRAIN, RIGHT_VAL, RIGHT_TEST, SUMS };

/* y = (softmax(y) - [label]) / n; returns the cross-entropy. */
static double softmax_gradient(float *y, int64_t classes, int32_t label, float most, double n)
{
    double sum = 0;
    for (int64_t k = 0; k < classes; k++)
        sum += exp((double)y[k] - most);
    const double loss = log(sum) + most - y[label];
    for (int64_t k = 0; k < classes; k++)
        y[k] = (float)((exp((double)y[k] - most) / sum - (k == label)) / n);
    return loss;
}

static void judge_rows(int64_t first, int64_t count, double *sums, void *context)
{
    wgdn_probe *p = context;
    const int64_t c = p->in->classes, train = p->parts->train, val = p->parts->val;
    for (int64_t i = first; i < first + count; i++) {
        float *y = p->y + i * c;
        int32_t best = 0;
        for (int64_t k = 1; k < c; k++)
            if (y[k] > y[best]) best = (int32_t)k;
        p->guess[i] = best;
        sums[i < train         ? RIGHT_TRAIN
             : i < train + val ? RIGHT_VAL
                               : RIGHT_TEST] += best == p->parts->label[i];
        if (i < train)
            sums[LOSS] += softmax_gradient(y, c, p->parts->label[i], y[best], (double)train);
    }
}

wgdn_status wgdn_probe_look(wgdn_probe *p, wgdn_glance *g, wgdn_error *err)
{
    double sums[SUMS];
    const wgdn_status st = forward(p, err);
    if (st) return st;
    wgdn_for_blocks(wgdn_alone(rows_of(p->parts)), judge_rows, p, sums, SUMS, p->work);
    *g = (wgdn_glance){.loss = sums[LOSS] / (double)p->parts->train,
                       .train = (int64_t)sums[RIGHT_TRAIN],
                       .val = (int64_t)sums[RIGHT_VAL],
                       .test = (int64_t)sums[RIGHT_TEST]};
    return WGDN_OK;
}

static wgdn_status weight_gradient(wgdn_probe *p, wgdn_error *err)
{
    const wgdn_probe_input *in = p->in;
    const int64_t c = in->classes, train = p->parts->train;
    if (in->dense) {
        wgdn_product q = wgdn_product_of(p->grad, p->x, p->y, wgdn_alone(train), in->width, c);
        q.work = p->work;
        return wgdn_gemm_tn(&q, err);
    }
    const int64_t stride = p->sweep.stride;
    memset(p->sweep.full, 0, (size_t)(in->n * stride) * sizeof *p->sweep.full);
    for (int64_t i = 0; i < train; i++)
        memcpy(p->sweep.full + p->parts->row[i] * stride, p->y + i * c, (size_t)c * sizeof *p->y);
    wgdn_sweep_back(p->grad, &p->sweep);
    return WGDN_OK;
}

wgdn_status wgdn_probe_step(wgdn_probe *p, double rate, double l2, wgdn_error *err)
{
    const int64_t d = p->in->width, c = p->in->classes, train = p->parts->train;
    float *bias = p->grad + d * c;
    const wgdn_status st = weight_gradient(p, err);
    if (st) return st;
    for (int64_t k = 0; k < c; k++) {
        double sum = 0;
        for (int64_t i = 0; i < train; i++)
            sum += p->y[i * c + k];
        bias[k] = (float)sum;
    }
    if (l2 > 0) wgdn_axpy(p->grad, (float)l2, p->param, d + 1, c);
    p->steps++;
    p->optimiser.form->step(&p->optimiser, p->param, p->grad, rate, p->steps);
    return WGDN_OK;
}
