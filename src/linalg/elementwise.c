/* SPDX-License-Identifier: Apache-2.0 */
#include "linalg.h"
#include "rows.h"

#include <string.h>

void wgdn_copy_columns(float *y, int64_t y_width, const float *x, int64_t x_width, int64_t n,
                       int64_t d)
{
    if (wgdn_tally_rows()) return;
#pragma omp parallel for schedule(static) if (!wgdn_forked())
    for (int64_t i = 0; i < n; i++)
        memcpy(y + i * y_width, x + i * x_width, (size_t)d * sizeof *y);
}

void wgdn_copy(float *y, const float *x, int64_t n, int64_t d)
{
    wgdn_copy_columns(y, d, x, d, n, d);
}

void wgdn_scale(float *y, float a, int64_t n, int64_t d)
{
    const wgdn_row_ops *ops = wgdn_rows();
    if (wgdn_tally_rows()) return;
#pragma omp parallel for schedule(static) if (!wgdn_forked())
    for (int64_t i = 0; i < n; i++)
        ops->scale(y + i * d, a, y + i * d, d);
}

void wgdn_axpy(float *y, float a, const float *x, int64_t n, int64_t d)
{
    const wgdn_row_ops *ops = wgdn_rows();
    if (wgdn_tally_rows()) return;
#pragma omp parallel for schedule(static) if (!wgdn_forked())
    for (int64_t i = 0; i < n; i++)
        ops->axpy(y + i * d, a, x + i * d, d);
}

void wgdn_add_row(float *y, float a, const float *row, int64_t n, int64_t d)
{
    const wgdn_row_ops *ops = wgdn_rows();
    if (wgdn_tally_rows()) return;
#pragma omp parallel for schedule(static) if (!wgdn_forked())
    for (int64_t i = 0; i < n; i++)
        ops->axpy(y + i * d, a, row, d);
}

void wgdn_add_outer(float *y, const float *column, const float *row, int64_t n, int64_t d)
{
    const wgdn_row_ops *ops = wgdn_rows();
    if (wgdn_tally_rows()) return;
#pragma omp parallel for schedule(static) if (!wgdn_forked())
    for (int64_t i = 0; i < n; i++)
        ops->axpy(y + i * d, column[i], row, d);
}

enum { NORMALS_A_TURN = 256 };

/* The noise is drawn in pieces that stay in the first-level cache and is never stored. */
void wgdn_add_normals(float *y, const float *x, float a, wgdn_stream s, wgdn_span n, int64_t d)
{
    const wgdn_row_ops *ops = wgdn_rows();
    if (wgdn_tally_rows()) return;
#pragma omp parallel for schedule(static) if (!wgdn_forked())
    for (int64_t i = 0; i < n.count; i++)
        for (int64_t j = 0; j < d; j += NORMALS_A_TURN) {
            const int64_t width = d - j < NORMALS_A_TURN ? d - j : NORMALS_A_TURN;
            float z[NORMALS_A_TURN];
            wgdn_random_normals(z, width, s, n.first + i, 1, j, width);
            ops->combine(y + i * d + j, 1, x + i * d + j, a, z, width);
        }
}

typedef struct scaling {
    float *y;
    const float *by, *x;
    int64_t d;
} scaling;

static void scale_rows(int64_t first, int64_t count, double *sums, void *context)
{
    const scaling *s = context;
    (void)sums;
    for (int64_t i = first; i < first + count; i++)
        for (int64_t j = i * s->d; j < (i + 1) * s->d; j++)
            s->y[j] = s->by[i] * s->x[j];
}

void wgdn_scale_rows(float *y, const float *by, const float *x, wgdn_span n, int64_t d)
{
    wgdn_for_blocks(n, scale_rows, &(scaling){y, by, x, d}, NULL, 0, NULL);
}
