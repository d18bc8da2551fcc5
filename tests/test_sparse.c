/* SPDX-License-Identifier: Apache-2.0 */
#include "support.h"

typedef struct sparse_case {
    wgdn_csr a, at;
    int64_t d;
    const float *x, *u, *v;
} sparse_case;

static void run_spmm(float *y, void *context)
{
    const sparse_case *c = context;
    wgdn_spmm(y, &c->a, c->x, c->d);
}

static void run_spmm_tn(float *y, void *context)
{
    const sparse_case *c = context;
    void *work = wgdn_alloc(wgdn_spmm_tn_work(wgdn_alone(c->a.rows), c->d), 1);
    wgdn_spmm_tn(y, &c->at, c->u, wgdn_alone(c->at.cols), c->d, work);
    wgdn_release(work);
}

static void run_sddmm(float *out, void *context)
{
    const sparse_case *c = context;
    void *work = wgdn_alloc(wgdn_for_blocks_work(wgdn_alone(c->a.rows), 1), 1);
    wgdn_sddmm(
        &(wgdn_sddmm_product){
            .out = out, .a = &c->a, .rows = wgdn_alone(c->a.rows), .u = c->u, .v = c->v, .d = c->d},
        work);
    wgdn_release(work);
}

/* The values of A in place of what was sampled, so that Y = A V. */
static double values_of(float *out, int64_t from, int64_t to, void *context)
{
    const wgdn_csr *a = context;
    for (int64_t k = from; k < to; k++)
        out[k] = a->value ? a->value[k] : 1;
    return (double)(to - from);
}

static void run_edited(float *y, void *context)
{
    sparse_case *c = context;
    const int64_t entries = wgdn_csr_entries(&c->a);
    void *work = wgdn_alloc(wgdn_for_blocks_work(wgdn_alone(c->a.rows), 1), 1);
    float *out = matrix(entries, 1);
    const wgdn_sddmm_product p = {.out = out,
                                  .y = y,
                                  .a = &c->a,
                                  .rows = wgdn_alone(c->a.rows),
                                  .u = c->u,
                                  .v = c->v,
                                  .d = c->d,
                                  .edit = values_of,
                                  .context = &c->a};
    CHECK(wgdn_sddmm(&p, work) == (double)entries);
    wgdn_release(out);
    wgdn_release(work);
}

/* All three products by their sums, in double. */
static void naive(double *y, double *yt, double *sampled, const sparse_case *c)
{
    memset(y, 0, (size_t)(c->a.rows * c->d) * sizeof *y);
    memset(yt, 0, (size_t)(c->a.cols * c->d) * sizeof *yt);
    for (int64_t i = 0; i < c->a.rows; i++)
        for (int64_t k = c->a.offset[i]; k < c->a.offset[i + 1]; k++) {
            const int64_t j = c->a.column[k];
            const double w = c->a.value ? c->a.value[k] : 1;
            sampled[k] = 0;
            for (int64_t t = 0; t < c->d; t++) {
                y[i * c->d + t] += w * c->x[j * c->d + t];
                yt[j * c->d + t] += w * c->u[i * c->d + t];
                sampled[k] += (double)c->u[i * c->d + t] * c->v[j * c->d + t];
            }
        }
}

static void check_case(int64_t rows, int64_t cols, int64_t per_row, int64_t d, bool values)
{
    sparse_case c = {.a = random_csr(rows, cols, per_row, values), .d = d};
    const int64_t entries = wgdn_csr_entries(&c.a);
    float *x = random_matrix(1, cols, d), *u = random_matrix(2, rows, d);
    double *y = wgdn_alloc((size_t)(rows * d), sizeof *y);
    double *yt = wgdn_alloc((size_t)(cols * d), sizeof *yt);
    double *sampled = wgdn_alloc((size_t)entries, sizeof *sampled);
    c.x = c.v = x;
    c.u = u;
    CHECK(wgdn_csr_transpose(&c.at, &c.a, NULL) == WGDN_OK);
    naive(y, yt, sampled, &c);
    check_levels(run_spmm, &c, rows * d, y, 2e-6);
    check_levels(run_spmm_tn, &c, cols * d, yt, 2e-6);
    check_levels(run_sddmm, &c, entries, sampled, 2e-6);
    check_levels(run_edited, &c, rows * d, y, 2e-6);
    wgdn_release(sampled);
    wgdn_release(yt);
    wgdn_release(y);
    wgdn_release(u);
    wgdn_release(x);
    wgdn_csr_free(&c.at);
    wgdn_csr_free(&c.a);
}

static void widths(void)
{
    const int64_t widths[] = {1, 3, 15, 16, 17, 31, 63, 64, 65, 127, 128, 129, 255, 300};
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++)
        for (int values = 0; values < 2; values++)
            check_case(61, 43, 6, widths[i], values);
}

static void shapes(void)
{
    check_case(1, 1, 1, 5, true);
    check_case(2, 700, 3, 20, true);
    check_case(1500, 9, 2, 33, false); /* a long sum over nodes in many blocks */
    check_case(600, 600, 40, 16, true);
}

static void empty_matrix(void)
{
    int64_t offset[4] = {0};
    int32_t none[1] = {0};
    const wgdn_csr a = {.rows = 3, .cols = 2, .offset = offset, .column = none};
    const float x[2] = {1, 2};
    float y[3] = {7, 7, 7};
    wgdn_spmm(y, &a, x, 1);
    CHECK(y[0] == 0 && y[1] == 0 && y[2] == 0);
}

int main(void)
{
    RUN(widths);
    RUN(shapes);
    RUN(empty_matrix);
    return check_result();
}
