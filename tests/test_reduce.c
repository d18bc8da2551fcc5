/* SPDX-License-Identifier: Apache-2.0 */
#include "support.h"

typedef struct matrix_case {
    int64_t n, d;
    const float *x, *y;
} matrix_case;

enum { SCALARS = 5 };

/* All sums as raw bits, so that check_levels can hold thread counts together. */
static void run_sums(float *out, void *context)
{
    const matrix_case *c = context;
    void *work = wgdn_alloc(wgdn_reduce_work(wgdn_alone(c->n), c->d), 1);
    double s[SCALARS], *columns = wgdn_alloc((size_t)(2 * c->d), sizeof *columns);
    s[0] = wgdn_sum(c->x, wgdn_alone(c->n), c->d, work);
    s[1] = wgdn_sum_squares(c->x, wgdn_alone(c->n), c->d, work);
    s[2] = wgdn_dot(c->x, c->y, wgdn_alone(c->n), c->d, work);
    wgdn_mean_variance(&s[3], &s[4], c->x, wgdn_alone(c->n), c->d, work);
    wgdn_column_sums(columns, columns + c->d, c->x, wgdn_alone(c->n), c->d, work);
    memcpy(out, s, sizeof s);
    memcpy(out + 2 * SCALARS, columns, (size_t)(2 * c->d) * sizeof *columns);
    wgdn_column_sums(columns, NULL, c->x, wgdn_alone(c->n), c->d, work);
    CHECK(memcmp(out + 2 * SCALARS, columns, (size_t)c->d * sizeof *columns) == 0);
    wgdn_release(columns);
    wgdn_release(work);
}

static void check_sums(int64_t n, int64_t d)
{
    float *x = random_matrix(1, n, d), *y = random_matrix(2, n, d);
    double out[2 * SCALARS + 1024], sum = 0, squares = 0, dot = 0, spread = 0;
    matrix_case c = {n, d, x, y};
    const double count = (double)n * (double)d;
    for (int64_t i = 0; i < n * d; i++)
        x[i] += 3; /* a mean that a careless variance would trip over */
    for (int64_t i = 0; i < n * d; i++) {
        sum += x[i];
        squares += (double)x[i] * x[i];
        dot += (double)x[i] * y[i];
    }
    for (int64_t i = 0; i < n * d; i++)
        spread += (x[i] - sum / count) * (x[i] - sum / count);
    check_levels(run_sums, &c, 2 * (SCALARS + 2 * d), NULL, 0);
    run_sums((float *)out, &c);
    CHECK_NEAR(out[0] / sum, 1, 1e-12);
    CHECK_NEAR(out[1] / squares, 1, 1e-12);
    CHECK_NEAR(out[2], dot, 1e-5 * sqrt(count) + 1e-5);
    CHECK_NEAR(out[3], sum / count, 1e-12);
    CHECK_NEAR(out[4], count > 1 ? spread / (count - 1) : 0, 1e-11);
    for (int64_t j = 0; j < d; j++) {
        double column = 0, column2 = 0;
        for (int64_t i = 0; i < n; i++) {
            column += x[i * d + j];
            column2 += (double)x[i * d + j] * x[i * d + j];
        }
        CHECK_NEAR(out[SCALARS + j] / column, 1, 1e-12);
        CHECK_NEAR(out[SCALARS + d + j] / column2, 1, 1e-12);
    }
    wgdn_release(y);
    wgdn_release(x);
}

static void sums(void)
{
    check_sums(1, 1);
    check_sums(1, 129);
    check_sums(129, 1);
    check_sums(37, 127);
    check_sums(5000, 33);
}

static void run_elementwise(float *out, void *context)
{
    const matrix_case *c = context;
    wgdn_copy(out, c->x, c->n, c->d);
    wgdn_scale(out, -2, c->n, c->d);
    wgdn_axpy(out, 0.5f, c->y, c->n, c->d);
    wgdn_add_row(out, 2, c->y, c->n, c->d);
    wgdn_add_outer(out, c->x, c->y, c->n, c->d);
    wgdn_add_normals(out, out, 0.25f, (wgdn_stream){.seed = 9}, wgdn_alone(c->n), c->d);
}

static void elementwise(void)
{
    const int64_t widths[] = {1, 15, 16, 127, 128, 129, 300};
    for (size_t w = 0; w < sizeof widths / sizeof *widths; w++) {
        const int64_t n = 77, d = widths[w];
        float *x = random_matrix(1, n, d), *y = random_matrix(2, n, d), *z = matrix(n, d);
        double *truth = wgdn_alloc((size_t)(n * d), sizeof *truth);
        matrix_case c = {n, d, x, y};
        wgdn_random_normals(z, d, (wgdn_stream){.seed = 9}, 0, n, 0, d);
        for (int64_t i = 0; i < n; i++)
            for (int64_t j = 0; j < d; j++)
                truth[i * d + j] = -2.0 * x[i * d + j] + 0.5 * y[i * d + j] + 2.0 * y[j] +
                                   (double)x[i] * y[j] + 0.25 * z[i * d + j];
        check_levels(run_elementwise, &c, n * d, truth, 3e-7);
        wgdn_release(truth);
        wgdn_release(z);
        wgdn_release(y);
        wgdn_release(x);
    }
}

int main(void)
{
    RUN(sums);
    RUN(elementwise);
    return check_result();
}
