/* SPDX-License-Identifier: Apache-2.0 */
#include "check.h"

#include <Random123/philox.h>

static const wgdn_stream stream = {.seed = 0x0123456789abcdefU, .epoch = 41, .call = 5};
static const double tau = 6.283185307179586;

/* The address is the counter: spelled out here once more, against Random123 itself. */
static void bits_are_philox(void)
{
    const int64_t row = (INT64_C(9) << 40) + 77, col = 64 * 3 + 16 * 2 + 11;
    const philox4x32_key_t key = {{0x89abcdefU, 0x01234567U}};
    const philox4x32_ctr_t counter = {{77, 9 << 8 | 5U << 16, 16 * 3 + 11, 41}};
    CHECK(wgdn_random_bits(stream, row, col) == philox4x32(counter, key).v[2]);
}

/* Normals from the bits by libm in double; the float series and the 24-bit mantissa explain the
 * tolerance, which is largest where the radius is close to zero. */
static double normal_by_libm(int64_t row, int64_t col, double *slack)
{
    const int word = (int)(col % 64 / 16);
    const int64_t first = col - 16 * (word % 2);
    const double u = ((wgdn_random_bits(stream, row, first) >> 1) + 0.5) / 2147483648.0;
    const double angle = tau * wgdn_random_bits(stream, row, first + 16) / 4294967296.0;
    const double r = sqrt(-2 * log(u));
    *slack = 1e-6 + 6e-8 / fmax(r, 1e-3);
    return r * (word % 2 ? sin(angle) : cos(angle));
}

static void normals_are_box_muller(void)
{
    float z[300];
    for (int64_t row = 0; row < 200; row++) {
        wgdn_random_normals(z, 300, stream, row, 1, 0, 300);
        for (int64_t j = 0; j < 300; j++) {
            double slack;
            const double expected = normal_by_libm(row, j, &slack);
            CHECK_NEAR(z[j], expected, slack);
        }
    }
}

/* Element (row, column) is the same whatever part of the matrix is filled, on every level. */
static void any_part_is_the_same(void)
{
    enum { ROWS = 9, COLS = 333 };
    static float whole[ROWS * COLS], uniform[ROWS * COLS], part[ROWS * COLS];
    const int64_t cuts[][4] = {{0, 9, 0, 333}, {3, 1, 17, 1},   {2, 5, 1, 63},   {0, 9, 64, 64},
                               {8, 1, 0, 333}, {4, 2, 100, 65}, {1, 3, 250, 83}, {5, 4, 63, 2}};
    wgdn_cpu_limit(WGDN_CPU_BASE);
    wgdn_random_normals(whole, COLS, stream, 1000, ROWS, 0, COLS);
    wgdn_random_uniforms(uniform, COLS, stream, 1000, ROWS, 0, COLS);
    for (int level = 0; level <= (int)wgdn_cpu_best(); level++) {
        wgdn_cpu_limit((wgdn_cpu)level);
        for (size_t c = 0; c < sizeof cuts / sizeof *cuts; c++)
            for (int kind = 0; kind < 2; kind++) {
                const int64_t *k = cuts[c];
                const float *expected = kind ? uniform : whole;
                (kind ? wgdn_random_uniforms : wgdn_random_normals)(part, k[3], stream, 1000 + k[0],
                                                                    k[1], k[2], k[3]);
                for (int64_t i = 0; i < k[1]; i++)
                    CHECK(memcmp(part + i * k[3], expected + (k[0] + i) * COLS + k[2],
                                 (size_t)k[3] * sizeof *part) == 0);
            }
    }
    wgdn_cpu_limit(WGDN_CPU_V4);
}

/* Every part of the address matters. */
static void addresses_differ(void)
{
    const wgdn_stream others[] = {
        {.seed = stream.seed + 1, .epoch = 41, .call = 5},
        {.seed = stream.seed ^ (UINT64_C(1) << 63), .epoch = 41, .call = 5},
        {.seed = stream.seed, .epoch = 42, .call = 5},
        {.seed = stream.seed, .epoch = 41, .call = 6},
    };
    const uint32_t here = wgdn_random_bits(stream, 3, 4);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        CHECK(wgdn_random_bits(others[i], 3, 4) != here);
    CHECK(wgdn_random_bits(stream, 4, 4) != here);
    CHECK(wgdn_random_bits(stream, 3 + (INT64_C(1) << 40), 4) != here);
    CHECK(wgdn_random_bits(stream, 3, 5) != here);
    CHECK(wgdn_random_bits(stream, 3, 4 + (INT64_C(1) << 33)) != here);
}

/*
 * 4 million normals. A moment's standard error is sqrt(var(z^k) / n): var of z, z^2, z^3, z^4 is
 * 1, 2, 15, 96. Five of them is a bound that a right generator passes always (fixed seed).
 */
static void moments(void)
{
    enum { ROWS = 8192, COLS = 512 };
    const double n = (double)ROWS * COLS;
    float *z = wgdn_alloc((size_t)ROWS * COLS, sizeof *z);
    double m[5] = {0}, largest = 0;
    int64_t beyond = 0;
    wgdn_random_normals(z, COLS, stream, 0, ROWS, 0, COLS);
    for (int64_t i = 0; i < (int64_t)ROWS * COLS; i++) {
        double power = 1;
        for (int k = 1; k <= 4; k++)
            m[k] += (power *= z[i]);
        largest = fmax(largest, fabs(z[i]));
        beyond += fabs(z[i]) > 3;
    }
    CHECK_NEAR(m[1] / n, 0, 5 * sqrt(1 / n));
    CHECK_NEAR(m[2] / n, 1, 5 * sqrt(2 / n));
    CHECK_NEAR(m[3] / n, 0, 5 * sqrt(15 / n));
    CHECK_NEAR(m[4] / n, 3, 5 * sqrt(96 / n));
    CHECK_NEAR((double)beyond / n, 0.0026997961, 5 * sqrt(0.0027 / n));
    CHECK(largest > 4.5 && largest < 6.7);
    wgdn_release(z);
}

/* Correlations between neighbours in every direction of the address. */
static void independence(void)
{
    enum { ROWS = 2048, COLS = 512, N = (ROWS - 1) * (COLS - 64) };
    const wgdn_stream next = {stream.seed, stream.epoch + 1, stream.call};
    float *z = wgdn_alloc((size_t)ROWS * COLS, sizeof *z), *w = wgdn_alloc((size_t)ROWS * COLS, 4);
    const int steps[] = {1, 16, 32, 64, COLS, COLS + 1};
    wgdn_random_normals(z, COLS, stream, 0, ROWS, 0, COLS);
    wgdn_random_normals(w, COLS, next, 0, ROWS, 0, COLS);
    for (size_t s = 0; s <= sizeof steps / sizeof *steps; s++) {
        const float *other = s < 6 ? z + steps[s] : w;
        double first = 0, second = 0;
        for (int64_t i = 0; i < ROWS - 1; i++)
            for (int64_t j = 0; j < COLS - 64; j++) {
                const double a = z[i * COLS + j], b = other[i * COLS + j];
                first += a * b;
                second += (a * a - 1) * (b * b - 1);
            }
        CHECK_NEAR(first / N, 0, 5 / sqrt(N));
        CHECK_NEAR(second / N, 0, 5 * 2 / sqrt(N));
    }
    wgdn_release(w);
    wgdn_release(z);
}

static void uniforms(void)
{
    enum { N = 1 << 20 };
    float *u = wgdn_alloc(N, sizeof *u);
    double sum = 0, squares = 0;
    wgdn_random_uniforms(u, 1024, stream, 0, N / 1024, 0, 1024);
    for (int i = 0; i < N; i++) {
        CHECK(u[i] > 0 && u[i] < 1);
        sum += u[i];
        squares += (double)u[i] * u[i];
    }
    CHECK_NEAR(sum / N, 0.5, 5 * sqrt(1.0 / 12 / N));
    CHECK_NEAR(squares / N, 1.0 / 3, 5 * sqrt(4.0 / 45 / N));
    wgdn_release(u);
}

int main(void)
{
    RUN(bits_are_philox);
    RUN(normals_are_box_muller);
    RUN(any_part_is_the_same);
    RUN(addresses_differ);
    RUN(moments);
    RUN(independence);
    RUN(uniforms);
    return check_result();
}
