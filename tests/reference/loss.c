/* SPDX-License-Identifier: Apache-2.0 */
/* The losses. E_ij = w_ij (R_ij - X_ij)^2, w = #zeros / #non-zeros on non-zeros of X. */
#include "reference/internal.h"

#include <math.h>
#include <stddef.h>

static double ratio(const double *X, int64_t count)
{
    int64_t zeros = 0;
    for (int64_t i = 0; i < count; i++)
        zeros += X[i] == 0;
    return zeros == count ? 1 : (double)zeros / (double)(count - zeros);
}

/*
 * l = scale sqrt(sum E):  dl / dR = scale w (R - X) / sqrt(sum E), and 0 where the root is 0.
 * Over `count` entries from X and R on.
 */
static double root(double *dR, const double *R, const double *X, int64_t count, double r,
                   double scale)
{
    double sum = 0;
    for (int64_t i = 0; i < count; i++)
        sum += (X[i] != 0 ? r : 1) * (R[i] - X[i]) * (R[i] - X[i]);
    for (int64_t i = 0; dR && i < count; i++)
        dR[i] = sum > 0 ? scale * (X[i] != 0 ? r : 1) * (R[i] - X[i]) / sqrt(sum) : 0;
    return scale * sqrt(sum);
}

/* l = scale sum E:  dl / dR = 2 scale w (R - X) */
static double square(double *dR, const double *R, const double *X, int64_t count, double r,
                     double scale)
{
    double sum = 0;
    for (int64_t i = 0; i < count; i++) {
        const double e = (X[i] != 0 ? r : 1) * (R[i] - X[i]);
        sum += e * (R[i] - X[i]);
        if (dR) dR[i] = 2 * scale * e;
    }
    return scale * sum;
}

static double dot(const double *a, const double *b, int count)
{
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += a[i] * b[i];
    return sum;
}

/*
 * l = scale (1 - x . r / (|x| |r|)):  dl / dr = -scale (x / (|x| |r|) - (x . r) r / (|x| |r|^3)).
 * Nothing where x is 0; where r is, scale, without a gradient.
 */
static double cosine(double *dr, const double *r, const double *x, int count, double scale)
{
    const double xx = dot(x, x, count), rr = dot(r, r, count), xr = dot(x, r, count);
    const double lengths = sqrt(xx) * sqrt(rr);
    for (int i = 0; dr && i < count; i++)
        dr[i] = lengths > 0 ? -scale * (x[i] - xr / rr * r[i]) / lengths : 0;
    if (xx == 0) return 0;
    return lengths > 0 ? scale * (1 - xr / lengths) : scale;
}

static int64_t rows_not_zero(const double *X, int64_t n, int F)
{
    int64_t rows = 0;
    for (int64_t i = 0; i < n; i++)
        rows += dot(X + i * F, X + i * F, F) > 0;
    return rows;
}

/*
 * rmse      sqrt((1/n) sum_ij E_ij)
 * row rmse  (1/n) sum_i sqrt((1/F) sum_j E_ij)
 * mse       (1/(n F)) sum_ij E_ij
 * cosine    mean of 1 - cos(x_i, r_i) over the rows x_i that are not 0
 */
double ref_loss_value(const ref_state *s, double *dR)
{
    const int F = s->config.features;
    const int64_t n = s->graph->n;
    const double *R = s->reconstruction, *X = s->X;
    const double r = s->config.balanced ? ratio(X, n * F) : 1;
    double sum = 0;
    if (s->config.loss == REF_RMSE) return root(dR, R, X, n * F, r, 1 / sqrt((double)n));
    if (s->config.loss == REF_MSE) return square(dR, R, X, n * F, r, 1 / (double)(n * F));
    if (s->config.loss == REF_COSINE) {
        const double scale = 1 / (double)rows_not_zero(X, n, F);
        for (int64_t i = 0; i < n; i++)
            sum += cosine(dR ? dR + i * F : NULL, R + i * F, X + i * F, F, scale);
        return sum;
    }
    for (int64_t i = 0; i < n; i++)
        sum += root(dR ? dR + i * F : NULL, R + i * F, X + i * F, F, r, 1 / ((double)n * sqrt(F)));
    return sum;
}
