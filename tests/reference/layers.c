/* SPDX-License-Identifier: Apache-2.0 */
/* Linear layer, PReLU, LayerNorm and BatchNorm: forward above, gradient below. */
#include "reference/internal.h"

#include <math.h>

static const double norm_epsilon = 1e-5, norm_momentum = 0.1;

void ref_linear(double *Y, const double *X, const double *W, const double *b, int64_t n, int in,
                int out)
{
    for (int64_t i = 0; i < n; i++)
        for (int o = 0; o < out; o++) {
            double sum = b[o];
            for (int k = 0; k < in; k++)
                sum += X[i * in + k] * W[o * in + k];
            Y[i * out + o] = sum;
        }
}

void ref_linear_back(double *dW, double *db, const double *dY, const double *X, int64_t n, int in,
                     int out)
{
    for (int64_t i = 0; i < n; i++)
        for (int o = 0; o < out; o++) {
            const double dy = dY[i * out + o];
            db[o] += dy;
            for (int k = 0; k < in; k++)
                dW[o * in + k] += dy * X[i * in + k];
        }
}

void ref_linear_input(double *dX, const double *dY, const double *W, int64_t n, int in, int out)
{
    for (int64_t i = 0; i < n; i++)
        for (int k = 0; k < in; k++) {
            double sum = 0;
            for (int o = 0; o < out; o++)
                sum += dY[i * out + o] * W[o * in + k];
            dX[i * in + k] = sum;
        }
}

void ref_prelu(double *y, const double *x, double a, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        y[i] = x[i] > 0 ? x[i] : a * x[i];
}

void ref_prelu_back(double *dx, double *da, const double *dy, const double *x, double a,
                    int64_t count)
{
    for (int64_t i = 0; i < count; i++) {
        if (!(x[i] > 0)) *da += dy[i] * x[i];
        dx[i] = x[i] > 0 ? dy[i] : a * dy[i];
    }
}

/*
 * What is normalised together: entry e of group k is at k * step + e * stride. A row for
 * LayerNorm, a column for BatchNorm; scale and shift go by column in both.
 */
typedef struct groups {
    int64_t count, size, step, stride;
} groups;

static groups norm_groups(ref_norm kind, int64_t n, int d)
{
    return kind == REF_NORM_LAYER ? (groups){n, d, d, 1} : (groups){d, n, 1, d};
}

/* mean and biased variance of group k */
static void moments(double *mean, double *variance, const double *x, groups by, int64_t k)
{
    *mean = *variance = 0;
    for (int64_t e = 0; e < by.size; e++)
        *mean += x[k * by.step + e * by.stride] / (double)by.size;
    for (int64_t e = 0; e < by.size; e++) {
        const double t = x[k * by.step + e * by.stride] - *mean;
        *variance += t * t / (double)by.size;
    }
}

/* Running averages keep the unbiased variance, although the batch is divided by the biased one. */
static void move_running(double *running, int64_t k, int d, double mean, double variance, int64_t n)
{
    const double unbiased = variance * (double)n / (double)(n - 1);
    running[k] += norm_momentum * (mean - running[k]);
    running[d + k] += norm_momentum * (unbiased - running[d + k]);
}

/* unit = (u - mean) / sqrt(variance + eps),  v = scale unit + shift */
void ref_norm_forward(const ref_after *after, ref_norm kind, const double *scale,
                      const double *shift, double *running, bool evaluate, int64_t n, int d)
{
    const groups by = norm_groups(kind, n, d);
    for (int64_t k = 0; k < by.count; k++) {
        double mean, variance;
        moments(&mean, &variance, after->U, by, k);
        if (kind == REF_NORM_BATCH && evaluate) {
            mean = running[k];
            variance = running[d + k];
        } else if (kind == REF_NORM_BATCH && running) {
            move_running(running, k, d, mean, variance, n);
        }
        after->inverse[k] = 1 / sqrt(variance + norm_epsilon);
        for (int64_t e = 0; e < by.size; e++) {
            const int64_t i = k * by.step + e * by.stride;
            after->unit[i] = (after->U[i] - mean) * after->inverse[k];
            after->V[i] = scale[i % d] * after->unit[i] + shift[i % d];
        }
    }
}

/*
 * With s = 1 / sqrt(var + eps), z = s (u - mean) and t = scale dv, in a group of m entries:
 *   d mean / du_i = 1 / m,  d s / du_i = -s^2 z_i / m   (since d var / du_i = 2 (u_i - mean) / m)
 *   dz_j / du_i = s (delta_ij - 1 / m) - s z_i z_j / m
 *   du_i = sum_j t_j dz_j / du_i = s (t_i - mean(t) - z_i mean(t z)).
 */
void ref_norm_back(double *D, double *dscale, double *dshift, const ref_after *after, ref_norm kind,
                   const double *scale, int64_t n, int d)
{
    const groups by = norm_groups(kind, n, d);
    for (int64_t k = 0; k < by.count; k++) {
        double mean = 0, along = 0;
        for (int64_t e = 0; e < by.size; e++) {
            const int64_t i = k * by.step + e * by.stride;
            dscale[i % d] += D[i] * after->unit[i];
            dshift[i % d] += D[i];
            D[i] *= scale[i % d];
            mean += D[i] / (double)by.size;
            along += D[i] * after->unit[i] / (double)by.size;
        }
        for (int64_t e = 0; e < by.size; e++) {
            const int64_t i = k * by.step + e * by.stride;
            D[i] = after->inverse[k] * (D[i] - mean - after->unit[i] * along);
        }
    }
}
