/* SPDX-License-Identifier: Apache-2.0 */
/* The loops of wide_rows.h, compiled once per CPU level. */
#include "base/simd.h"
#include "wide_rows.h"

#include <string.h>

static void accumulate(double *sum, float a, const float *x, int64_t d)
{
    LANES()
    for (int64_t j = 0; j < d; j++)
        sum[j] += (double)a * x[j];
}

static void widen(double *y, const float *x, int64_t d)
{
    LANES()
    for (int64_t j = 0; j < d; j++)
        y[j] = x[j];
}

static void add(double *y, const double *x, int64_t d)
{
    LANES()
    for (int64_t j = 0; j < d; j++)
        y[j] += x[j];
}

static void axpy(double *y, double a, const double *x, int64_t d)
{
    LANES()
    for (int64_t j = 0; j < d; j++)
        y[j] += a * x[j];
}

/* In lanes that are written out, so that every level adds in the same order. */
static double dot(const double *x, const double *y, int64_t d)
{
    enum { SUMS = 16 };
    double sum[SUMS] = {0}, rest = 0;
    int64_t j = 0;
    for (; j + SUMS <= d; j += SUMS) {
        LANES()
        for (int k = 0; k < SUMS; k++)
            sum[k] += x[j + k] * y[j + k];
    }
    for (; j < d; j++)
        rest += x[j] * y[j];
    for (int half = SUMS / 2; half > 0; half /= 2)
        for (int k = 0; k < half; k++)
            sum[k] += sum[k + half];
    return sum[0] + rest;
}

static void rotate(double *x, double *y, double c, double s, int64_t d)
{
    LANES()
    for (int64_t j = 0; j < d; j++) {
        const double u = x[j], v = y[j];
        y[j] = s * u + c * v;
        x[j] = c * u - s * v;
    }
}

static void narrow(float *y, float a, const double *x, float b, int64_t d)
{
    if (b == 0) {
        LANES()
        for (int64_t j = 0; j < d; j++)
            y[j] = (float)(a * x[j]);
    } else {
        LANES()
        for (int64_t j = 0; j < d; j++)
            y[j] = (float)(a * x[j]) + b * y[j];
    }
}

/* The upper half of x, rounded: carries run into the exponent as they should, up to infinity. */
static inline uint32_t upper(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    const uint32_t rounded = bits + 0x7fff + (bits >> 16 & 1);
    return x == x ? rounded >> 16 : bits >> 16 | 0x40;
}

static void halve(uint16_t *y, const float *x, int64_t d)
{
    LANES()
    for (int64_t j = 0; j < d; j++)
        y[j] = (uint16_t)upper(x[j]);
}

static void coarsen(float *y, const float *x, int64_t d)
{
    LANES()
    for (int64_t j = 0; j < d; j++) {
        const uint32_t bits = upper(x[j]) << 16;
        memcpy(&y[j], &bits, sizeof bits);
    }
}

const wgdn_wide_ops WGDN_LEVEL_OPS = {
    .accumulate = accumulate,
    .widen = widen,
    .add = add,
    .axpy = axpy,
    .dot = dot,
    .rotate = rotate,
    .narrow = narrow,
    .halve = halve,
    .coarsen = coarsen,
};
