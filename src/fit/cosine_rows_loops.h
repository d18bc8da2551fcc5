/* SPDX-License-Identifier: Apache-2.0 */
/* The loops of cosine_rows.h, compiled once per CPU level. */
#include "base/simd.h"
#include "cosine_rows.h"

#include <math.h>

enum { SLAB = WGDN_GRAPH_SLAB };

/*
 * cos(2 pi t): the nearest integer comes off exactly, which leaves r; with u = 1/4 - |r| it is
 * sin(2 pi u), by its series up to u^11 (6e-8 at a quarter). Beyond 2^21 turns a float knows no
 * angle; any will do, but a number it is.
 */
static inline float cosine(float t)
{
    const float most = 2097152;    /* 2^21 */
    const float rounds = 12582912; /* 1.5 x 2^23: floats around it are 1 apart */
    const float low = t < most ? t : most, in = low > -most ? low : -most;
    const float r = in - ((in + rounds) - rounds), u = 0.25F - fabsf(r), v = u * u;
    return u * (6.2831853F +
                v * (-41.341702F +
                     v * (81.605249F + v * (-76.705860F + v * (42.058694F + v * -15.094643F)))));
}

static void angles(float *t, const wgdn_angles *a)
{
    const float *w0 = a->weight, *w1 = w0 + SLAB, *x = a->x, *s = a->s;
    const float c0 = a->column[0], c1 = a->column[1], f = a->factor;
    LANES()
    for (int j = 0; j < SLAB; j++)
        t[j] = c0 * w0[j] + c1 * w1[j];
    if (x) {
        LANES()
        for (int j = 0; j < SLAB; j++)
            t[j] += x[j];
    }
    if (s) {
        LANES()
        for (int j = 0; j < SLAB; j++)
            t[j] += f * s[j];
    }
}

static void pool(double *sum, const wgdn_angles *a, const float *phase)
{
    float t[SLAB];
    angles(t, a);
    LANES()
    for (int j = 0; j < SLAB; j++)
        t[j] = cosine(t[j] + phase[j]);
    LANES()
    for (int j = 0; j < SLAB; j++)
        sum[j] += t[j];
}

const wgdn_cosine_ops WGDN_LEVEL_OPS = {.angles = angles, .pool = pool};
