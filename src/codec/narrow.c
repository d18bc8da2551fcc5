/* SPDX-License-Identifier: Apache-2.0 */
/* Floats in two bytes: IEEE halves, and bfloat16, the upper half of a float. */
#include "archive.h"

#include <string.h>

/* To the nearest half, ties to even; what is 65520 or more becomes infinite. */
static uint16_t to_half(uint32_t u)
{
    const uint32_t sign = u >> 16 & 0x8000, a = u & 0x7fffffff;
    if (a > 0x7f800000) return (uint16_t)(sign | 0x7e00); /* no number */
    if (a >= 0x477ff000) return (uint16_t)(sign | 0x7c00);
    if (a < 0x38800000) { /* below 2^-14 halves are multiples of 2^-24, as floats near 1/2 are */
        float x;
        uint32_t rounded;
        memcpy(&x, &a, sizeof x);
        x += 0.5f;
        memcpy(&rounded, &x, sizeof rounded);
        return (uint16_t)(sign | (rounded - 0x3f000000));
    }
    return (uint16_t)(sign | (a - 0x38000000 + 0xfff + (a >> 13 & 1)) >> 13);
}

static uint16_t to_bfloat(uint32_t u)
{
    if ((u & 0x7fffffff) > 0x7f800000) return (uint16_t)(u >> 16 | 0x40); /* no number */
    return (uint16_t)((u + 0x7fff + (u >> 16 & 1)) >> 16);
}

int64_t wgdn_narrow(void *out, const float *x, int64_t count, wgdn_dtype dtype)
{
    const uint16_t infinite = dtype == WGDN_F16 ? 0x7c00 : 0x7f80;
    int64_t lost = 0;
    for (int64_t i = 0; i < count; i++) {
        uint32_t u;
        memcpy(&u, x + i, sizeof u);
        const uint16_t h = dtype == WGDN_F16 ? to_half(u) : to_bfloat(u);
        lost += (h & 0x7fff) == infinite && (u & 0x7fffffff) < 0x7f800000;
        memcpy((char *)out + i * (int64_t)sizeof h, &h, sizeof h);
    }
    return lost;
}
