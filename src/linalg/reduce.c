/* SPDX-License-Identifier: Apache-2.0 */
/* Sums over all entries or over rows: within fixed blocks first, then over blocks in a tree. */
#include "linalg.h"
#include "rows.h"
#include "wide_rows.h"

#include <string.h>

size_t wgdn_reduce_work(wgdn_span n, int64_t d)
{
    return wgdn_size_product(wgdn_span_room(n), (size_t)d, 2 * sizeof(double));
}

typedef enum { SUM, SQUARES, DOT } what;

/* The value of one row, in double. */
static double row_value(what w, const float *x, const float *y, int64_t d, const wgdn_row_ops *ops)
{
    double squares;
    if (w == DOT) return ops->dot(x, y, d);
    const double sum = ops->moments(&squares, x, d);
    return w == SUM ? sum : squares;
}

static double reduce(what w, const float *x, const float *y, wgdn_span n, int64_t d, void *work)
{
    const wgdn_row_ops *ops = wgdn_rows();
    const int64_t rows = wgdn_block_rows(n.total), blocks = wgdn_span_blocks(n);
    double *partial = work;
    if (wgdn_span_tally(NULL, 1, n)) return 1;
#pragma omp parallel for schedule(static) if (!wgdn_forked())
    for (int64_t b = 0; b < blocks; b++) {
        double sum = 0;
        for (int64_t i = b * rows; i < n.count && i < (b + 1) * rows; i++)
            sum += row_value(w, x + i * d, y ? y + i * d : NULL, d, ops);
        partial[b] = sum;
    }
    wgdn_span_fold(partial, 1, 1, n);
    return partial[0];
}

double wgdn_sum(const float *x, wgdn_span n, int64_t d, void *work)
{
    return reduce(SUM, x, NULL, n, d, work);
}

double wgdn_sum_squares(const float *x, wgdn_span n, int64_t d, void *work)
{
    return reduce(SQUARES, x, NULL, n, d, work);
}

double wgdn_dot(const float *x, const float *y, wgdn_span n, int64_t d, void *work)
{
    return reduce(DOT, x, y, n, d, work);
}

/*
 * One pass: squares are taken about the first entry, which lies as near the mean as the others do,
 * so that their sum does not cancel whatever the mean is.
 */
void wgdn_mean_variance(double *mean, double *variance, const float *x, wgdn_span n, int64_t d,
                        void *work)
{
    const wgdn_row_ops *ops = wgdn_rows();
    const int64_t rows = wgdn_block_rows(n.total), blocks = wgdn_span_blocks(n);
    const double count = (double)n.total * (double)d;
    if (wgdn_span_tally(NULL, 2, n)) {
        wgdn_tally_broadcast(1, n.dist);
        *mean = *variance = 1;
        return;
    }
    double *partial = work, pivot = n.count ? x[0] : 0;
    if (n.dist) n.dist->ranks->call->broadcast(n.dist->ranks, &pivot, sizeof pivot);
#pragma omp parallel for schedule(static) if (!wgdn_forked())
    for (int64_t b = 0; b < blocks; b++) {
        double sum = 0, spread = 0, squares;
        for (int64_t i = b * rows; i < n.count && i < (b + 1) * rows; i++) {
            sum += ops->moments(&squares, x + i * d, d) - (double)d * pivot;
            spread += ops->spread(x + i * d, pivot, d);
        }
        partial[2 * b] = sum;
        partial[2 * b + 1] = spread;
    }
    wgdn_span_fold(partial, 2, 2, n);
    *mean = pivot + partial[0] / count;
    *variance = count > 1 ? (partial[1] - partial[0] * partial[0] / count) / (count - 1) : 0;
}

void wgdn_weighted_sum(float *y, const float *weight, const float *x, wgdn_span n, int64_t d,
                       float alpha, float beta, void *work)
{
    const wgdn_wide_ops *ops = wgdn_wide_rows();
    const int64_t rows = wgdn_block_rows(n.total), blocks = wgdn_span_blocks(n);
    double *partial = work;
    if (wgdn_span_tally(NULL, d, n)) return;
#pragma omp parallel for schedule(static) if (!wgdn_forked())
    for (int64_t b = 0; b < blocks; b++) {
        memset(partial + b * d, 0, (size_t)d * sizeof *partial);
        for (int64_t i = b * rows; i < n.count && i < (b + 1) * rows; i++)
            ops->accumulate(partial + b * d, weight ? weight[i] : 1, x + i * d, d);
    }
    wgdn_span_fold(partial, d, d, n);
    for (int64_t j = 0; j < d; j++)
        y[j] = (float)(alpha * partial[j]) + (beta != 0 ? beta * y[j] : 0);
}

void wgdn_column_sums(double *sum, double *squares, const float *x, wgdn_span n, int64_t d,
                      void *work)
{
    const wgdn_row_ops *ops = wgdn_rows();
    const int64_t rows = wgdn_block_rows(n.total), blocks = wgdn_span_blocks(n);
    const int64_t width = squares ? 2 * d : d;
    double *partial = work;
    if (wgdn_span_tally(NULL, width, n)) return;
#pragma omp parallel for schedule(static) if (!wgdn_forked())
    for (int64_t b = 0; b < blocks; b++) {
        double *at = partial + b * width;
        memset(at, 0, (size_t)width * sizeof *at);
        for (int64_t i = b * rows; i < n.count && i < (b + 1) * rows; i++) {
            ops->accumulate(at, x + i * d, d);
            if (squares) ops->accumulate_squares(at + d, x + i * d, d);
        }
    }
    wgdn_span_fold(partial, width, width, n);
    memcpy(sum, partial, (size_t)d * sizeof *sum);
    if (squares) memcpy(squares, partial + d, (size_t)d * sizeof *squares);
}
