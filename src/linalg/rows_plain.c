/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Defines the inner loops of linalg on one row in plain C, and selects the variant for the CPU
 * level in use. The vectorized variants are compiled from rows_loops.h and wide_rows_loops.h; the
 * plain loops are their reference.
 */
#include "rows.h"
#include "wide_rows.h"

/* The inner loops in their simplest form, and the choice between the variants. */

static float weight(const wgdn_row *r, int64_t k)
{
    const float scale = r->scale ? r->scale[r->column[k]] : 1;
    return r->value ? r->value[k] * scale : scale;
}

static void gather(float *y, const wgdn_row *r, const float *x, int64_t d)
{
    for (int64_t j = 0; j < d; j++)
        y[j] = 0;
    for (int64_t k = 0; k < r->count; k++) {
        const float *from = wgdn_row_at(r, x, r->halo, r->column[k], d);
        for (int64_t j = 0; j < d; j++)
            y[j] += weight(r, k) * from[j];
    }
}

static void gather_half(float *y, const wgdn_row *r, const uint16_t *x, int64_t d)
{
    for (int64_t j = 0; j < d; j++)
        y[j] = 0;
    for (int64_t k = 0; k < r->count; k++)
        for (int64_t j = 0; j < d; j++)
            y[j] += weight(r, k) * wgdn_half_value(x[r->column[k] * d + j]);
}

static void gather2(float *y, float *y2, const wgdn_row *r, const float *scale2, const float *x,
                    int64_t d)
{
    wgdn_row second = *r;
    second.scale = scale2;
    gather(y, r, x, d);
    gather(y2, &second, x, d);
}

static void combine(float *y, float a, const float *x, float b, const float *t, int64_t d)
{
    for (int64_t j = 0; j < d; j++)
        y[j] = a * x[j] + b * t[j];
}

static void scale(float *y, float a, const float *x, int64_t d)
{
    for (int64_t j = 0; j < d; j++)
        y[j] = a * x[j];
}

static void axpy(float *y, float a, const float *x, int64_t d)
{
    for (int64_t j = 0; j < d; j++)
        y[j] += a * x[j];
}

static float dot(const float *u, const float *v, int64_t d)
{
    float sum = 0;
    for (int64_t j = 0; j < d; j++)
        sum += u[j] * v[j];
    return sum;
}

static double residual(const float *x, float a, const float *t, int64_t d)
{
    double sum = 0;
    for (int64_t j = 0; j < d; j++) {
        const double e = x[j] - (double)a * t[j];
        sum += e * e;
    }
    return sum;
}

static double moments(double *squares, const float *x, int64_t d)
{
    double sum = 0, square = 0;
    for (int64_t j = 0; j < d; j++) {
        sum += x[j];
        square += (double)x[j] * x[j];
    }
    *squares = square;
    return sum;
}

static double spread(const float *x, double mean, int64_t d)
{
    double sum = 0;
    for (int64_t j = 0; j < d; j++)
        sum += (x[j] - mean) * (x[j] - mean);
    return sum;
}

static void accumulate(double *sum, const float *x, int64_t d)
{
    for (int64_t j = 0; j < d; j++)
        sum[j] += x[j];
}

static void accumulate_squares(double *sum, const float *x, int64_t d)
{
    for (int64_t j = 0; j < d; j++)
        sum[j] += (double)x[j] * x[j];
}

const wgdn_row_ops wgdn_rows_plain = {gather,  gather_half, gather2,    combine,
                                      scale,   axpy,        dot,        residual,
                                      moments, spread,      accumulate, accumulate_squares};

const wgdn_row_ops *wgdn_rows(void)
{
    static const wgdn_row_ops *const variants[] = WGDN_VARIANTS(wgdn_rows_plain, wgdn_rows);
    return variants[wgdn_cpu_level()];
}

const wgdn_wide_ops *wgdn_wide_rows(void)
{
    static const wgdn_wide_ops *const variants[] =
        WGDN_VARIANTS(wgdn_wide_rows_plain, wgdn_wide_rows);
    return variants[wgdn_cpu_level()];
}
