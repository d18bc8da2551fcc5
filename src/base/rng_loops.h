/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One row of random numbers, 64 columns at a time; compiled once per CPU level (cmake/variants.cmake),
 * which only changes how many lanes an instruction holds. Everything is IEEE arithmetic without
 * contraction, so all levels give the same bits.
 */
#include "lanes.h"
#include "rng.h"

#include <Random123/philox.h>
#include <string.h>
#if defined(__SSE2__)
#include <immintrin.h>
#endif

/* 16 groups are made as 16 / LANES vectors. */
enum { GROUPS = WGDN_RNG_LANES, STRIPE = WGDN_RNG_STRIPE };

typedef uint32_t u32_lanes __attribute__((vector_size(4 * LANES)));
typedef int32_t i32_lanes __attribute__((vector_size(4 * LANES)));
typedef float f32_lanes __attribute__((vector_size(4 * LANES)));
typedef uint64_t u64_half __attribute__((vector_size(4 * LANES)));

/* The 64-bit products of the even 32-bit lanes: what compilers do not find by themselves. */
static inline u64_half multiply_even(u64_half a, u64_half b)
{
#if defined(__AVX512F__)
    return (u64_half)_mm512_mul_epu32((__m512i)a, (__m512i)b);
#elif defined(__AVX2__)
    return (u64_half)_mm256_mul_epu32((__m256i)a, (__m256i)b);
#elif defined(__SSE2__)
    return (u64_half)_mm_mul_epu32((__m128i)a, (__m128i)b);
#else
    return (a & 0xffffffffU) * (b & 0xffffffffU);
#endif
}

static inline void multiply(u32_lanes *high, u32_lanes *low, u32_lanes a, uint32_t by)
{
    const u64_half m = (u64_half){0} + by;
    const u64_half even = multiply_even((u64_half)a, m), odd = multiply_even((u64_half)a >> 32, m);
    *high = (u32_lanes)((even >> 32) | (odd & 0xffffffff00000000U));
    *low = (u32_lanes)((even & 0xffffffffU) | (odd << 32));
}

/* Philox 4x32-10 of counters that differ in their third word only: group, group + 1, ... */
static inline void philox(u32_lanes word[4], wgdn_stream s, int64_t row, uint32_t group)
{
    u32_lanes c0 = (u32_lanes){0} + (uint32_t)row;
    u32_lanes c1 = (u32_lanes){0} + ((uint32_t)((uint64_t)row >> 32) | (uint32_t)s.call << 16);
    u32_lanes c2 = (u32_lanes){0} + group;
    for (uint32_t l = 0; l < LANES; l++)
        c2[l] += l;
    u32_lanes c3 = (u32_lanes){0} + s.epoch;
    uint32_t k0 = (uint32_t)s.seed, k1 = (uint32_t)(s.seed >> 32);

    for (int round = 0; round < PHILOX4x32_DEFAULT_ROUNDS; round++) {
        u32_lanes high0, low0, high1, low1;
        multiply(&high0, &low0, c0, PHILOX_M4x32_0);
        multiply(&high1, &low1, c2, PHILOX_M4x32_1);
        c0 = high1 ^ c1 ^ k0;
        c1 = low1;
        c2 = high0 ^ c3 ^ k1;
        c3 = low0;
        k0 += PHILOX_W32_0;
        k1 += PHILOX_W32_1;
    }
    word[0] = c0;
    word[1] = c1;
    word[2] = c2;
    word[3] = c3;
}

static inline f32_lanes float_from(i32_lanes i)
{
    return __builtin_convertvector(i, f32_lanes);
}

static inline f32_lanes square_root(f32_lanes x)
{
    float y[LANES]; /* an array, because lanes of a vector are not vectorized again */
    memcpy(y, &x, sizeof y);
    for (int l = 0; l < LANES; l++)
        y[l] = __builtin_sqrtf(y[l]);
    memcpy(&x, y, sizeof y);
    return x;
}

/*
 * sqrt(-2 log u) for u = (b + 1/2) / 2^31, b = bits >> 1; at most 6.6.
 *
 * u = 2^e m with m in [sqrt(1/2), sqrt(2)), and log m = 2 atanh(t), t = (m - 1) / (m + 1), whose
 * series in t^2 <= 0.0295 is exact to float after five terms.
 */
static inline f32_lanes radius(u32_lanes bits)
{
    const f32_lanes u = (float_from((i32_lanes)(bits >> 1)) + 0.5f) * 0x1p-31f;
    const i32_lanes shifted = (i32_lanes)u - 0x3f3504f3; /* the bits of sqrt(1/2) */
    const i32_lanes e = shifted >> 23;
    const f32_lanes m = (f32_lanes)((shifted & 0x007fffff) + 0x3f3504f3);
    const f32_lanes t = (m - 1.0f) / (m + 1.0f), q = t * t;
    const f32_lanes series =
        1.0f + q * (1.0f / 3 + q * (1.0f / 5 + q * (1.0f / 7 + q * (1.0f / 9))));
    const f32_lanes log_u = float_from(e) * 0.693147181f + 2.0f * t * series;
    const f32_lanes r2 = -2.0f * log_u;
    return square_root((f32_lanes)((i32_lanes)r2 & (r2 > 0.0f))); /* log 1 may round below 0 */
}

/*
 * cos and sin of 2 pi bits / 2^32. The two top bits, rounded, say which quarter turn is nearest;
 * what is left lies within +-pi/4, where the Taylor series end after x^8 and x^9.
 */
static inline void direction(f32_lanes *cosine, f32_lanes *sine, u32_lanes bits)
{
    const u32_lanes quarter = (bits + 0x20000000U) >> 30;
    const f32_lanes x =
        float_from((i32_lanes)(bits - (quarter << 30))) * (float)(3.14159265358979 / 0x1p31);
    const f32_lanes q = x * x;
    const f32_lanes c =
        1.0f + q * (-1.0f / 2 + q * (1.0f / 24 + q * (-1.0f / 720 + q * (1.0f / 40320))));
    const f32_lanes s =
        x + x * q * (-1.0f / 6 + q * (1.0f / 120 + q * (-1.0f / 5040 + q * (1.0f / 362880))));

    const i32_lanes swap = -(i32_lanes)(quarter & 1U); /* all ones in odd quarters */
    const u32_lanes cos_sign = ((quarter + 1U) & 2U) << 30, sin_sign = (quarter & 2U) << 30;
    const i32_lanes cbits = ((i32_lanes)s & swap) | ((i32_lanes)c & ~swap);
    const i32_lanes sbits = ((i32_lanes)c & swap) | ((i32_lanes)s & ~swap);
    *cosine = (f32_lanes)((u32_lanes)cbits ^ cos_sign);
    *sine = (f32_lanes)((u32_lanes)sbits ^ sin_sign);
}

/* Box and Muller: words 0 and 1 give two normals, words 2 and 3 two more. */
static inline void normal_lanes(float *z, const u32_lanes word[4])
{
    for (int64_t pair = 0; pair < 2; pair++) {
        f32_lanes cosine, sine;
        const f32_lanes r = radius(word[2 * pair]);
        direction(&cosine, &sine, word[2 * pair + 1]);
        cosine *= r;
        sine *= r;
        memcpy(z + (2 * pair) * GROUPS, &cosine, sizeof cosine);
        memcpy(z + (2 * pair + 1) * GROUPS, &sine, sizeof sine);
    }
}

static inline void uniform_lanes(float *u, const u32_lanes word[4])
{
    for (int64_t j = 0; j < 4; j++) {
        const f32_lanes v = (float_from((i32_lanes)(word[j] >> 8)) + 0.5f) * 0x1p-24f;
        memcpy(u + j * GROUPS, &v, sizeof v);
    }
}

/* Whole stripes go straight to the row; the first and last may be parts, by way of a buffer. */
static inline void fill_row(float *out, wgdn_stream s, int64_t row, int64_t col0, int64_t cols,
                            void (*fill)(float *, const u32_lanes[4]))
{
    const int64_t end = col0 + cols;
    for (int64_t col = col0; col < end;) {
        const int64_t start = col - col % STRIPE, stop = start + STRIPE;
        const int64_t upto = stop < end ? stop : end;
        const bool whole = col == start && upto == stop;
        float part[STRIPE], *stripe = whole ? out + (col - col0) : part;
        for (int l = 0; l < GROUPS; l += LANES) {
            u32_lanes word[4];
            philox(word, s, row, (uint32_t)(start / STRIPE * GROUPS + l));
            fill(stripe + l, word);
        }
        if (!whole)
            memcpy(out + (col - col0), part + (col - start), (size_t)(upto - col) * sizeof *part);
        col = upto;
    }
}

static void normal_row(float *z, wgdn_stream s, int64_t row, int64_t col0, int64_t cols)
{
    fill_row(z, s, row, col0, cols, normal_lanes);
}

static void uniform_row(float *u, wgdn_stream s, int64_t row, int64_t col0, int64_t cols)
{
    fill_row(u, s, row, col0, cols, uniform_lanes);
}

const wgdn_rng_ops WGDN_LEVEL_OPS = {normal_row, uniform_row};
