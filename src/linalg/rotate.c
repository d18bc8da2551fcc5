/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Into and out of an eigenbasis, in double. Columns of X are taken a band at a time, so that the
 * rows at hand stay in the cache; each entry is summed in the order of k by one thread.
 */
#include "linalg.h"

#include <string.h>

enum { BAND = 128, ROWS_A_TURN = 8 };

/* y += sum_k u[k * stride] x_k over n rows of X, columns [0, width) */
static void add_rows(double *y, const double *u, int64_t stride, const double *x, int64_t ld,
                     int64_t n, int64_t width)
{
    for (int64_t k = 0; k < n; k++) {
        const double factor = u[k * stride];
        const double *row = x + k * ld;
        for (int64_t j = 0; j < width; j++)
            y[j] += factor * row[j];
    }
}

void wgdn_rotate(double *y, const double *u, bool inverse, const double *x, int64_t n, int64_t d)
{
    for (int64_t from = 0; from < d; from += BAND) {
        const int64_t width = wgdn_min(BAND, d - from);
#pragma omp parallel for schedule(dynamic, ROWS_A_TURN) if (!wgdn_forked())
        for (int64_t i = 0; i < n; i++) {
            double *row = y + i * d + from;
            memset(row, 0, (size_t)width * sizeof *row);
            add_rows(row, inverse ? u + i : u + i * n, inverse ? n : 1, x + from, d, n, width);
        }
    }
}
