/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rows to learn from, each of length 1: Y = X W and dW = X^T Y.
 *
 * Rows of P(L) X are formed where they are few. Where they are many the product over all nodes,
 * P(L) (X W), moves less than they would.
 */
#include "logistic.h"

#include <string.h>

enum {
    FORMED_MAX = 1 << 22, /* entries of P(L) X that are worth forming */
    CHUNK = 64,           /* rows of it at a time */
};

/* ---- dense rows ---- */

static void gather_dense(int64_t first, int64_t count, double *sums, void *context)
{
    const wgdn_lesson *l = context;
    const int64_t width = l->unit->in->width;
    (void)sums;
    for (int64_t i = first; i < first + count; i++) {
        const float *from = l->unit->in->dense + l->row[i] * width;
        const float a = l->unit->inverse[l->row[i]];
        for (int64_t j = 0; j < width; j++)
            l->dense[i * width + j] = a * from[j];
    }
}

/* Row i of P(L) X is X^T (P(L) e_i), a column of what the sweep makes of unit vectors. */
static wgdn_status form_rows(wgdn_lesson *l, wgdn_error *err)
{
    const wgdn_probe_input *in = l->unit->in;
    const int64_t chunk = wgdn_min(l->rows, CHUNK);
    wgdn_sweep s = {0};
    float *turned = wgdn_alloc((size_t)in->width, (size_t)chunk * sizeof *turned);
    wgdn_status st = turned ? wgdn_sweep_open(&s, in, chunk, err)
                            : wgdn_fail(err, WGDN_ENOMEM, "probe: %lld rows", (long long)l->rows);
    for (int64_t first = 0; !st && first < l->rows; first += chunk) {
        const int64_t count = wgdn_min(chunk, l->rows - first);
        memset(s.full, 0, (size_t)(in->n * s.stride) * sizeof *s.full);
        for (int64_t i = 0; i < count; i++)
            s.full[l->row[first + i] * s.stride + i] = l->unit->inverse[l->row[first + i]];
        wgdn_sweep_back(turned, &s);
        for (int64_t i = 0; i < count; i++)
            for (int64_t j = 0; j < in->width; j++)
                l->dense[(first + i) * in->width + j] = turned[j * chunk + i];
    }
    wgdn_sweep_close(&s);
    wgdn_release(turned);
    return st;
}

static wgdn_status open_dense(wgdn_lesson *l, wgdn_error *err)
{
    const wgdn_probe_input *in = l->unit->in;
    l->dense = wgdn_alloc((size_t)l->rows, (size_t)in->width * sizeof *l->dense);
    l->work = wgdn_alloc(wgdn_gemm_tn_work(wgdn_alone(l->rows), in->width, l->cols), 1);
    if (!l->dense || !l->work)
        return wgdn_fail(err, WGDN_ENOMEM, "probe: %lld rows of width %lld", (long long)l->rows,
                         (long long)in->width);
    if (!in->dense) return form_rows(l, err);
    wgdn_for_blocks(wgdn_alone(l->rows), gather_dense, l, NULL, 0, NULL);
    return WGDN_OK;
}

/* ---- sparse rows ---- */

static wgdn_status open_sparse(wgdn_lesson *l, wgdn_error *err)
{
    const wgdn_csr *a = l->unit->in->sparse;
    wgdn_csr *b = &l->sparse;
    int64_t entries = 0;
    for (int64_t i = 0; i < l->rows; i++)
        entries += a->offset[l->row[i] + 1] - a->offset[l->row[i]];
    *b = (wgdn_csr){.rows = l->rows, .cols = a->cols};
    b->offset = wgdn_alloc((size_t)l->rows + 1, sizeof *b->offset);
    b->column = wgdn_alloc((size_t)entries, sizeof *b->column);
    b->value = wgdn_alloc((size_t)entries, sizeof *b->value);
    if (!b->offset || !b->column || !b->value)
        return wgdn_fail(err, WGDN_ENOMEM, "probe: %lld rows, %lld entries", (long long)l->rows,
                         (long long)entries);
    entries = 0;
    for (int64_t i = 0; i < l->rows; i++) {
        const int64_t at = l->row[i];
        b->offset[i] = entries;
        for (int64_t k = a->offset[at]; k < a->offset[at + 1]; k++, entries++) {
            b->column[entries] = a->column[k];
            b->value[entries] = l->unit->inverse[at] * (a->value ? a->value[k] : 1);
        }
    }
    b->offset[l->rows] = entries;
    l->picked = (wgdn_probe_input){
        .n = l->rows, .width = a->cols, .sparse = b, .transposed = &l->transposed};
    const wgdn_status st = wgdn_csr_transpose(&l->transposed, b, err);
    return st ? st : wgdn_sweep_open(&l->sweep, &l->picked, l->cols, err);
}

/* ---- products ---- */

wgdn_status wgdn_lesson_open(wgdn_lesson *l, const wgdn_unit *u, const int64_t *row, int64_t rows,
                             int64_t cols, wgdn_error *err)
{
    const wgdn_probe_input *in = u->in;
    *l = (wgdn_lesson){.unit = u, .row = row, .rows = rows, .cols = cols};
    const wgdn_status st = in->dense || (in->graph && rows <= FORMED_MAX / in->width)
                               ? open_dense(l, err)
                           : in->graph ? wgdn_sweep_open(&l->sweep, in, cols, err)
                                       : open_sparse(l, err);
    if (st) wgdn_lesson_close(l);
    return st;
}

void wgdn_lesson_close(wgdn_lesson *l)
{
    wgdn_release(l->work);
    wgdn_sweep_close(&l->sweep);
    wgdn_csr_free(&l->transposed);
    wgdn_csr_free(&l->sparse);
    wgdn_release(l->dense);
    *l = (wgdn_lesson){0};
}

double wgdn_lesson_cost(const wgdn_lesson *l)
{
    const double rows = (double)l->rows * (double)l->unit->in->width;
    return (double)l->cols * (l->dense ? rows : (double)wgdn_csr_entries(l->sweep.in->sparse));
}

/* Where row i is among those that are swept, and what it is scaled by on the way. */
static int64_t place_of(const wgdn_lesson *l, int64_t i, float *scale)
{
    *scale = l->sparse.offset ? 1 : l->unit->inverse[l->row[i]];
    return l->sparse.offset ? i : l->row[i];
}

wgdn_status wgdn_lesson_forward(float *y, wgdn_lesson *l, const float *w, wgdn_error *err)
{
    const int64_t c = l->cols;
    float *full, scale;
    if (l->dense) {
        const wgdn_product q =
            wgdn_product_of(y, l->dense, w, wgdn_alone(l->rows), l->unit->in->width, c);
        return wgdn_gemm_nn(&q, err);
    }
    const wgdn_status st = wgdn_sweep_forward(&full, &l->sweep, w, err);
    for (int64_t i = 0; !st && i < l->rows; i++) {
        const float *from = full + place_of(l, i, &scale) * c;
        for (int64_t k = 0; k < c; k++)
            y[i * c + k] = scale * from[k];
    }
    return st;
}

wgdn_status wgdn_lesson_back(float *dw, wgdn_lesson *l, const float *y, wgdn_error *err)
{
    const int64_t c = l->cols, stride = l->sweep.stride;
    float *full = l->sweep.full, scale;
    if (l->dense) {
        wgdn_product q =
            wgdn_product_of(dw, l->dense, y, wgdn_alone(l->rows), l->unit->in->width, c);
        q.work = l->work;
        return wgdn_gemm_tn(&q, err);
    }
    memset(full, 0, (size_t)(l->sweep.in->n * stride) * sizeof *full);
    for (int64_t i = 0; i < l->rows; i++) {
        float *to = full + place_of(l, i, &scale) * stride;
        for (int64_t k = 0; k < c; k++)
            to[k] = scale * y[i * c + k];
    }
    wgdn_sweep_back(dw, &l->sweep);
    return WGDN_OK;
}
