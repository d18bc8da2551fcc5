/* SPDX-License-Identifier: Apache-2.0 */
/* The pieces of a layer at every CPU level and thread count, against naive versions in double. */
#include "model/layers.h"
#include "model/loops/layer_rows.h"
#include "support.h"

enum { CHANNELS = 3 };

typedef struct layer_case {
    wgdn_norm norm;
    wgdn_aggregate how;
    int64_t n, d;
    const float *x, *dy, *scale, *shift, *o[CHANNELS];
} layer_case;

static const float slope = 0.25f;

static double prelu(double x)
{
    return x > 0 ? x : slope * x;
}

/* ---- norm and activation, there and back ---- */

/* y, dx, dscale, dshift, dslope one behind another. */
static void run_activation(float *out, void *context)
{
    const layer_case *c = context;
    const int64_t n = c->n, d = c->d, size = n * d, length = c->norm == WGDN_NORM_LAYER ? n : d;
    void *work = wgdn_alloc(wgdn_layers_work(wgdn_alone(n), d), 1);
    float *dscale = out + 2 * size, *dshift = dscale + d;
    wgdn_norm_state s = {.kind = c->norm,
                         .scale = c->scale,
                         .shift = c->shift,
                         .mean = matrix(length, 1),
                         .inv = matrix(length, 1)};
    wgdn_norm_estimate(&s, c->x, wgdn_alone(n), d, NULL, NULL, work);
    const wgdn_activation a = {&s, &slope, c->x, wgdn_alone(n), d};
    wgdn_activate(out, &a);
    memcpy(out + size, c->dy, (size_t)size * sizeof *out);
    memset(dscale, 0, (size_t)(2 * d) * sizeof *dscale); /* stay so without a norm */
    wgdn_activate_back(out + size, dshift + d, dscale, dshift, &a, work);
    wgdn_release(s.inv);
    wgdn_release(s.mean);
    wgdn_release(work);
}

/* Mean and inverse deviation of `count` numbers `step` apart. */
static void naive_norm(double *mean, double *inv, const float *x, int64_t count, int64_t step)
{
    double sum = 0, spread = 0;
    for (int64_t k = 0; k < count; k++)
        sum += x[k * step];
    *mean = sum / (double)count;
    for (int64_t k = 0; k < count; k++)
        spread += (x[k * step] - *mean) * (x[k * step] - *mean);
    *inv = 1 / sqrt(spread / (double)count + 1e-5);
}

/* One row (or column) that shares a mean: `count` entries from `at` on, `step` apart. */
static void naive_group(double *out, const layer_case *c, int64_t at, int64_t count, int64_t step)
{
    const int64_t size = c->n * c->d;
    const bool norm = c->norm != WGDN_NORM_NONE;
    double mean = 0, inv = 1, average = 0, average_x = 0;
    if (norm) naive_norm(&mean, &inv, c->x + at, count, step);
    for (int pass = 0; pass < 2; pass++)
        for (int64_t k = 0; k < count; k++) {
            const int64_t i = at + k * step, j = i % c->d;
            const double xhat = (c->x[i] - mean) * inv;
            const double z = norm ? c->scale[j] * xhat + c->shift[j] : c->x[i];
            const double dz = z > 0 ? c->dy[i] : slope * c->dy[i];
            const double dxhat = norm ? c->scale[j] * dz : dz;
            if (pass == 0) {
                out[i] = prelu(z);
                out[2 * size + 2 * c->d] += z > 0 ? 0 : c->dy[i] * z;
                if (!norm) continue;
                average += dxhat / (double)count;
                average_x += dxhat * xhat / (double)count;
                out[2 * size + j] += dz * xhat;
                out[2 * size + c->d + j] += dz;
            } else {
                out[size + i] = norm ? inv * (dxhat - average - xhat * average_x) : dz;
            }
        }
}

static void check_activation(layer_case *c)
{
    const int64_t n = c->n, d = c->d, count = 2 * n * d + 2 * d + 1;
    double *truth = wgdn_alloc_zero((size_t)count, sizeof *truth);
    if (c->norm == WGDN_NORM_BATCH)
        for (int64_t j = 0; j < d; j++)
            naive_group(truth, c, j, n, d);
    else
        for (int64_t i = 0; i < n; i++)
            naive_group(truth, c, i * d, d, 1);
    check_levels(run_activation, c, count, truth, 2e-6);
    wgdn_release(truth);
}

/* ---- channels, forward and backward ---- */

/* t after setting and after adding, the three do, and the slope's gradient. */
static void run_channels(float *out, void *context)
{
    const layer_case *c = context;
    const int64_t n = c->n, d = c->d, size = n * d;
    void *work = wgdn_alloc(wgdn_layers_work(wgdn_alone(n), d), 1);
    float *o[CHANNELS];
    for (int q = 0; q < CHANNELS; q++) {
        o[q] = out + (1 + q) * size;
        memcpy(o[q], c->o[q], (size_t)size * sizeof *out);
    }
    wgdn_channel_set s = {o, CHANNELS, c->how, 1, slope, wgdn_alone(n), d};
    wgdn_channels(out, &s, false);
    s.weight = 0.5f;
    wgdn_channels(out, &s, true);
    out[4 * size] = (float)wgdn_channels_back(&s, c->dy, work);
    wgdn_release(work);
}

static void check_channels(layer_case *c)
{
    const int64_t size = c->n * c->d;
    const double share = c->how == WGDN_AGGREGATE_MEAN ? 1.0 / CHANNELS : 1;
    double *truth = wgdn_alloc_zero((size_t)(4 * size + 1), sizeof *truth);
    for (int64_t i = 0; i < size; i++) {
        double sum = 0;
        int best = 0;
        for (int q = 0; q < CHANNELS; q++) {
            sum += prelu(c->o[q][i]);
            if (prelu(c->o[q][i]) > prelu(c->o[best][i])) best = q;
        }
        truth[i] = 1.5 * (c->how == WGDN_AGGREGATE_MAX ? prelu(c->o[best][i]) : share * sum);
        for (int q = 0; q < CHANNELS; q++) {
            const bool gets = c->how != WGDN_AGGREGATE_MAX || q == best;
            const double dy = gets ? 0.5 * share * c->dy[i] : 0, o = c->o[q][i];
            truth[(1 + q) * size + i] = o > 0 ? dy : slope * dy;
            truth[4 * size] += o > 0 ? 0 : dy * o;
        }
    }
    check_levels(run_channels, c, 4 * size + 1, truth, 1e-6);
    wgdn_release(truth);
}

/* ---- sums over rows, and a step of Adam ---- */

static void run_sums(float *out, void *context)
{
    const layer_case *c = context;
    void *work = wgdn_alloc(wgdn_reduce_work(wgdn_alone(c->n), c->d), 1);
    memcpy(out + c->d, c->scale, (size_t)c->d * sizeof *out);
    wgdn_weighted_sum(out, c->o[0], c->x, wgdn_alone(c->n), c->d, 2, 0, work);
    wgdn_weighted_sum(out + c->d, NULL, c->x, wgdn_alone(c->n), c->d, 1, -1, work);
    wgdn_release(work);
}

static void check_sums(layer_case *c)
{
    double *truth = wgdn_alloc_zero((size_t)(2 * c->d), sizeof *truth);
    for (int64_t j = 0; j < c->d; j++) {
        truth[c->d + j] = -c->scale[j];
        for (int64_t i = 0; i < c->n; i++) {
            truth[j] += 2.0 * c->o[0][i] * c->x[i * c->d + j];
            truth[c->d + j] += c->x[i * c->d + j];
        }
    }
    check_levels(run_sums, c, 2 * c->d, truth, 1e-6);
    wgdn_release(truth);
}

static void run_adam(float *out, void *context)
{
    const layer_case *c = context;
    const size_t bytes = (size_t)c->n * sizeof *out;
    float *m = out + c->n, *v = m + c->n;
    memcpy(out, c->x, bytes);
    memcpy(m, c->dy, bytes);
    for (int64_t i = 0; i < c->n; i++)
        v[i] = c->dy[i] * c->dy[i];
    wgdn_layer_rows()->adam(out, m, v, c->o[0], 0.01, 1.5, c->n);
}

static void check_adam(layer_case *c)
{
    double *truth = wgdn_alloc_zero((size_t)(3 * c->n), sizeof *truth);
    for (int64_t i = 0; i < c->n; i++) {
        const double g = c->o[0][i], was = c->dy[i];
        const double m = 0.9 * was + 0.1 * g, v = 0.999 * was * was + 0.001 * g * g;
        truth[i] = c->x[i] - 0.01 * m / (sqrt(v) * 1.5 + 1e-8);
        truth[c->n + i] = m;
        truth[2 * c->n + i] = v;
    }
    check_levels(run_adam, c, 3 * c->n, truth, 1e-6);
    wgdn_release(truth);
}

static void all_of(int64_t n, int64_t d)
{
    float *x = random_matrix(1, n, d), *dy = random_matrix(2, n, d),
          *scale = random_matrix(3, 1, d);
    float *shift = random_matrix(4, 1, d), *o[CHANNELS];
    layer_case c = {.n = n, .d = d, .x = x, .dy = dy, .scale = scale, .shift = shift};
    for (int q = 0; q < CHANNELS; q++)
        c.o[q] = o[q] = random_matrix((uint16_t)(5 + q), n, d);
    for (int norm = WGDN_NORM_NONE; norm <= WGDN_NORM_BATCH; norm++) {
        c.norm = (wgdn_norm)norm;
        check_activation(&c);
    }
    for (int how = WGDN_AGGREGATE_MAX; how <= WGDN_AGGREGATE_MEAN; how++) {
        c.how = (wgdn_aggregate)how;
        check_channels(&c);
    }
    check_sums(&c);
    check_adam(&c);
    for (int q = 0; q < CHANNELS; q++)
        wgdn_release(o[q]);
    wgdn_release(shift);
    wgdn_release(scale);
    wgdn_release(dy);
    wgdn_release(x);
}

static void narrow(void)
{
    all_of(40, 1);
    all_of(77, 15);
}

static void wide(void)
{
    all_of(3, 300);
    all_of(600, 64);
}

int main(void)
{
    RUN(narrow);
    RUN(wide);
    return check_result();
}
