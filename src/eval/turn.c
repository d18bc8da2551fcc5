/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rows in the eigenbasis of X^T X. A rotation: linear machines find what they would have found, but
 * much sooner. Entries of an embedding go together, so that conjugate gradients take hundreds of
 * steps in its own basis; in this one 1 + 2 C X^T X is diagonal but for the rows beyond the margin,
 * and the diagonal is what LIBLINEAR divides by.
 */
#include "eval.h"
#include "linalg/layer_rows.h"

#include <string.h>

typedef struct turning {
    float *out;
    const float *x;
    int64_t n, width;
    double *square, *basis; /* width x width; eigenvectors are rows of the basis */
} turning;

static void row_of_square(int64_t p, void *context)
{
    const turning *t = context;
    double *row = t->square + p * t->width;
    memset(row, 0, (size_t)t->width * sizeof *row);
    for (int64_t i = 0; i < t->n; i++)
        wgdn_layer_rows()->accumulate(row, t->x[i * t->width + p], t->x + i * t->width, t->width);
}

static void turn_row(int64_t i, void *context)
{
    const turning *t = context;
    const float *x = t->x + i * t->width;
    for (int64_t k = 0; k < t->width; k++) {
        const double *v = t->basis + k * t->width;
        double sum = 0;
        for (int64_t j = 0; j < t->width; j++)
            sum += v[j] * x[j];
        t->out[i * t->width + k] = (float)sum;
    }
}

wgdn_status wgdn_turn_rows(float *out, const float *x, int64_t n, int64_t width, wgdn_error *err)
{
    const size_t size = (size_t)width * (size_t)width;
    turning t = {.out = out, .x = x, .n = n, .width = width};
    t.square = wgdn_alloc(size, sizeof *t.square);
    t.basis = wgdn_alloc(size, sizeof *t.basis);
    const bool good = t.square && t.basis;
    if (good) {
        wgdn_for_each(width, row_of_square, &t);
        wgdn_diagonalise(t.square, t.basis, width);
        wgdn_for_each(n, turn_row, &t);
    }
    wgdn_release(t.basis);
    wgdn_release(t.square);
    return good ? WGDN_OK
                : wgdn_fail(err, WGDN_ENOMEM, "%lld x %lld turned", (long long)n, (long long)width);
}
