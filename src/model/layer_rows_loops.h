/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The loops of layer_rows.h, compiled once per CPU level. LANES(...) lets the compiler keep a sum
 * in as many lanes as the level has; the order of the sum then depends on the level and on d alone.
 */
#include "base/simd.h"
#include "layer_rows.h"

#include <math.h>

static inline float rectified(float x, float a)
{
    return x > 0 ? x : a * x;
}

static void prelu(float *y, const float *x, float a, int64_t d)
{
    LANES()
    for (int64_t j = 0; j < d; j++)
        y[j] = rectified(x[j], a);
}

static double prelu_back(float *dx, float f, const float *dy, const float *x, float a, int64_t d)
{
    double slope = 0;
    LANES(reduction(+ : slope))
    for (int64_t j = 0; j < d; j++) {
        const float g = f * dy[j], off = x[j] > 0 ? 0 : x[j];
        slope += (double)g * off;
        dx[j] = x[j] > 0 ? g : a * g;
    }
    return slope;
}

/* Channels meet in pieces that stay in the first-level cache. */
enum { PIECE = 64 };

static int64_t piece(int64_t j, int64_t d)
{
    return d - j < PIECE ? d - j : PIECE;
}

static void put(float *t, bool add, float f, const float *y, int64_t d)
{
    if (add) { /* NOLINT: the loops do differ, but the check does not look behind the pragma */
        LANES()
        for (int64_t j = 0; j < d; j++)
            t[j] += f * y[j];
    } else {
        LANES()
        for (int64_t j = 0; j < d; j++)
            t[j] = f * y[j];
    }
}

static void most(float *t, bool add, float f, const float *const *o, int channels, float a,
                 int64_t d)
{
    for (int64_t at = 0; at < d; at += PIECE) {
        const int64_t width = piece(at, d);
        float best[PIECE];
        prelu(best, o[0] + at, a, width);
        for (int q = 1; q < channels; q++) {
            const float *x = o[q] + at;
            LANES()
            for (int64_t j = 0; j < width; j++) {
                const float v = rectified(x[j], a);
                best[j] = v > best[j] ? v : best[j];
            }
        }
        put(t + at, add, f, best, width);
    }
}

static void total(float *t, bool add, float f, const float *const *o, int channels, float a,
                  int64_t d)
{
    for (int64_t at = 0; at < d; at += PIECE) {
        const int64_t width = piece(at, d);
        float sum[PIECE];
        prelu(sum, o[0] + at, a, width);
        for (int q = 1; q < channels; q++) {
            const float *x = o[q] + at;
            LANES()
            for (int64_t j = 0; j < width; j++)
                sum[j] += rectified(x[j], a);
        }
        put(t + at, add, f, sum, width);
    }
}

static double most_back(float *const *o, int channels, float f, const float *dt, float a, int64_t d)
{
    double slope = 0;
    for (int64_t at = 0; at < d; at += PIECE) {
        const int64_t width = piece(at, d);
        float best[PIECE], share[PIECE];
        int32_t winner[PIECE] = {0};
        prelu(best, o[0] + at, a, width);
        for (int32_t q = 1; q < channels; q++) {
            const float *x = o[q] + at;
            LANES()
            for (int64_t j = 0; j < width; j++) {
                const float v = rectified(x[j], a);
                winner[j] = v > best[j] ? q : winner[j];
                best[j] = v > best[j] ? v : best[j];
            }
        }
        for (int32_t q = 0; q < channels; q++) {
            LANES()
            for (int64_t j = 0; j < width; j++)
                share[j] = winner[j] == q ? dt[at + j] : 0;
            slope += prelu_back(o[q] + at, f, share, o[q] + at, a, width);
        }
    }
    return slope;
}

static void normalize(float *y, const float *x, const wgdn_norm_row *p, int64_t d)
{
    const float *scale = p->scale, *shift = p->shift, mean = *p->mean, inv = *p->inv;
    LANES()
    for (int64_t j = 0; j < d; j++)
        y[j] = scale[j] * ((x[j] - mean) * inv) + shift[j];
}

static void normalize_columns(float *y, const float *x, const wgdn_norm_row *p, int64_t d)
{
    const float *scale = p->scale, *shift = p->shift, *mean = p->mean, *inv = p->inv;
    LANES()
    for (int64_t j = 0; j < d; j++)
        y[j] = scale[j] * ((x[j] - mean[j]) * inv[j]) + shift[j];
}

static void normalize_back(float *dx, double *dshift, double *dscale, const float *dy,
                           const float *x, const wgdn_norm_row *p, int64_t d)
{
    const float *scale = p->scale;
    const double mu = *p->mean, inv = *p->inv;
    double mean = 0, mean_x = 0;
    LANES(reduction(+ : mean, mean_x))
    for (int64_t j = 0; j < d; j++) {
        const double g = dy[j], xhat = (x[j] - mu) * inv;
        mean += scale[j] * g;
        mean_x += scale[j] * g * xhat;
        dshift[j] += g;
        dscale[j] += g * xhat;
    }
    mean /= (double)d;
    mean_x /= (double)d;
    LANES()
    for (int64_t j = 0; j < d; j++) {
        const double xhat = (x[j] - mu) * inv;
        dx[j] = (float)(inv * ((double)scale[j] * dy[j] - mean - xhat * mean_x));
    }
}

static void spread_columns(double *sum, const float *x, const double *mean, int64_t d)
{
    LANES()
    for (int64_t j = 0; j < d; j++)
        sum[j] += (x[j] - mean[j]) * (x[j] - mean[j]);
}

static void normalize_sums(double *dshift, double *dscale, const float *dy, const float *x,
                           const wgdn_norm_row *p, int64_t d)
{
    const float *mean = p->mean, *inv = p->inv;
    LANES()
    for (int64_t j = 0; j < d; j++) {
        dshift[j] += dy[j];
        dscale[j] += dy[j] * (((double)x[j] - mean[j]) * inv[j]);
    }
}

static void normalize_back_columns(float *dx, const double *mean_dy, const double *mean_dyx,
                                   const float *dy, const float *x, const wgdn_norm_row *p,
                                   int64_t d)
{
    const float *scale = p->scale, *mean = p->mean, *inv = p->inv;
    LANES()
    for (int64_t j = 0; j < d; j++) {
        const double xhat = ((double)x[j] - mean[j]) * inv[j];
        dx[j] = (float)(inv[j] * ((double)scale[j] * dy[j] - mean_dy[j] - xhat * mean_dyx[j]));
    }
}

static double loss(float *r, const float *x, float balance, int64_t d)
{
    double sum = 0;
    LANES(reduction(+ : sum))
    for (int64_t j = 0; j < d; j++) {
        const float e = r[j] - x[j], we = x[j] != 0 ? balance * e : e;
        sum += (double)we * e;
        r[j] = we;
    }
    return sum;
}

static void adam(float *p, float *m, float *v, const float *g, double step, double root, int64_t d)
{
    LANES()
    for (int64_t j = 0; j < d; j++) {
        const double first = 0.9 * m[j] + 0.1 * g[j];
        const double second = 0.999 * v[j] + 0.001 * g[j] * g[j];
        m[j] = (float)first;
        v[j] = (float)second;
        p[j] = (float)(p[j] - step * first / (sqrt(second) * root + 1e-8));
    }
}

static double dots(double *second, const float *u, const float *v, const double *w, int64_t d)
{
    double uv = 0, uw = 0;
    LANES(reduction(+ : uv, uw))
    for (int64_t j = 0; j < d; j++) {
        uv += (double)u[j] * v[j];
        uw += u[j] * w[j];
    }
    *second = uw;
    return uv;
}

static void blend(float *y, const float *x, double v, const double *w, double s, int64_t d)
{
    LANES()
    for (int64_t j = 0; j < d; j++)
        y[j] = (float)(s * (2 * (x[j] + v * w[j]) + y[j]));
}

const wgdn_layer_ops WGDN_LEVEL_OPS = {
    .prelu = prelu,
    .prelu_back = prelu_back,
    .most = most,
    .total = total,
    .most_back = most_back,
    .normalize = normalize,
    .normalize_columns = normalize_columns,
    .normalize_back = normalize_back,
    .spread_columns = spread_columns,
    .normalize_sums = normalize_sums,
    .normalize_back_columns = normalize_back_columns,
    .loss = loss,
    .adam = adam,
    .dots = dots,
    .blend = blend,
};
