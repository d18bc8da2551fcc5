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

const wgdn_wide_ops WGDN_WIDE_OPS = {
    .accumulate = accumulate,
    .widen = widen,
    .add = add,
    .narrow = narrow,
    .halve = halve,
    .coarsen = coarsen,
};
