/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Y = P(L) (X W) over all nodes, and dW = X^T (P(L) Y), P(L) being symmetric.
 *
 * Sparse products of rows that are not whole vectors are several times slower than of those that
 * are: with 15 classes 60 % of the time was spent on the rest of a row. So rows get zeros behind
 * them on the way, which changes no bit of the others.
 */
#include "probe.h"

#include <string.h>

enum { LANES = 16 }; /* floats of the widest vectors there are */

static bool take_memory(wgdn_sweep *s)
{
    const wgdn_probe_input *in = s->in;
    const size_t row = (size_t)s->stride * sizeof(float);
    s->full = wgdn_alloc((size_t)in->n, row);
    if (in->dense) return s->full;
    s->wide = wgdn_alloc_zero((size_t)in->width, row);
    s->work = wgdn_alloc(wgdn_spmm_tn_work(wgdn_alone(in->n), s->stride), 1);
    if (!in->graph) return s->full && s->wide && s->work;
    s->filtered = wgdn_alloc((size_t)in->n, row);
    s->poly_work = wgdn_alloc(wgdn_poly_work(in->n, s->stride, in->order), sizeof *s->poly_work);
    return s->full && s->wide && s->work && s->filtered && s->poly_work;
}

wgdn_status wgdn_sweep_open(wgdn_sweep *s, const wgdn_probe_input *in, int64_t cols,
                            wgdn_error *err)
{
    const int64_t padded = (cols + LANES - 1) / LANES * LANES;
    *s = (wgdn_sweep){.in = in, .cols = cols, .stride = in->dense ? cols : padded};
    if (take_memory(s)) return WGDN_OK;
    wgdn_sweep_close(s);
    return wgdn_fail(err, WGDN_ENOMEM, "probe: scores of %lld nodes, %lld classes",
                     (long long)in->n, (long long)cols);
}

void wgdn_sweep_close(wgdn_sweep *s)
{
    wgdn_release(s->poly_work);
    wgdn_release(s->filtered);
    wgdn_release(s->work);
    wgdn_release(s->wide);
    wgdn_release(s->full);
    *s = (wgdn_sweep){0};
}

float *wgdn_sweep_filter(wgdn_sweep *s)
{
    const wgdn_probe_input *in = s->in;
    if (!in->graph) return s->full;
    const wgdn_poly poly = {.graph = in->graph,
                            .d = s->stride,
                            .channels = 1,
                            .order = in->order,
                            .a = {in->series},
                            .work = s->poly_work};
    wgdn_poly_filter(&s->filtered, &poly, s->full, NULL, false);
    return s->filtered;
}

/* Rows of `from` floats as rows of `to`, first row first or, with more room, into another place. */
static void restride(float *y, int64_t to, const float *x, int64_t from, int64_t rows)
{
    const size_t bytes = (size_t)(to < from ? to : from) * sizeof *y;
    for (int64_t i = 0; i < rows; i++)
        memmove(y + i * to, x + i * from, bytes);
}

wgdn_status wgdn_sweep_forward(float **y, wgdn_sweep *s, const float *w, wgdn_error *err)
{
    const wgdn_probe_input *in = s->in;
    *y = s->full;
    if (in->dense) {
        const wgdn_product q =
            wgdn_product_of(s->full, in->dense, w, wgdn_alone(in->n), in->width, s->cols);
        return wgdn_gemm_nn(&q, err);
    }
    restride(s->wide, s->stride, w, s->cols, in->width);
    wgdn_spmm(s->full, in->sparse, s->wide, s->stride);
    *y = wgdn_sweep_filter(s);
    restride(*y, s->cols, *y, s->stride, in->n);
    return WGDN_OK;
}

void wgdn_sweep_back(float *dw, wgdn_sweep *s)
{
    const wgdn_csr *t = s->in->transposed;
    wgdn_spmm_tn(s->wide, t, wgdn_sweep_filter(s), wgdn_alone(t->cols), s->stride, s->work);
    restride(dw, s->cols, s->wide, s->stride, s->in->width);
}
