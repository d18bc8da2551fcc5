/* SPDX-License-Identifier: Apache-2.0 */
/* Vectors as evaluations take them: dense, finite, and in the order of a dataset's nodes. */
#include "eval.h"

#include <math.h>
#include <string.h>

wgdn_status wgdn_vectors_check(const float *x, int64_t n, int64_t width, wgdn_error *err)
{
    if (!x || n < 1 || width < 1)
        return wgdn_fail(err, WGDN_EINVAL, "vectors: %lld x %lld", (long long)n, (long long)width);
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < width; j++)
            if (!isfinite(x[i * width + j]))
                return wgdn_fail(err, WGDN_EINVAL,
                                 "vectors: row %lld, column %lld (from 0) is %g: expected a "
                                 "finite number",
                                 (long long)i, (long long)j, (double)x[i * width + j]);
    return WGDN_OK;
}

static void fill_dense(float *x, const wgdn_csr *a, int64_t width)
{
    memset(x, 0, (size_t)(a->rows * width) * sizeof *x);
    for (int64_t i = 0; i < a->rows; i++)
        for (int64_t k = a->offset[i]; k < a->offset[i + 1]; k++)
            x[i * width + a->column[k]] = a->value ? a->value[k] : 1;
}

/* X, or P(L) X, of sparse vectors. */
static wgdn_status make_dense(float *x, const wgdn_embedding *e, wgdn_error *err)
{
    const int64_t n = e->vectors.rows, width = e->vectors.width;
    if (!e->graph) {
        fill_dense(x, &e->vectors.sparse, width);
        return WGDN_OK;
    }
    float *raw = wgdn_alloc((size_t)n, (size_t)width * sizeof *raw);
    wgdn_poly p = {
        .graph = e->graph, .d = width, .channels = 1, .order = e->order, .a = {e->series}};
    p.work = wgdn_alloc(wgdn_poly_work(n, width, e->order), sizeof *p.work);
    const bool good = raw && p.work;
    if (good) {
        fill_dense(raw, &e->vectors.sparse, width);
        wgdn_poly_filter(&x, &p, raw, NULL, false);
    }
    wgdn_release(p.work);
    wgdn_release(raw);
    if (good) return WGDN_OK;
    return wgdn_fail(err, WGDN_ENOMEM, "vectors: %lld x %lld, filtered", (long long)n,
                     (long long)width);
}

static wgdn_status no_memory(const wgdn_vectors *v, wgdn_error *err)
{
    return wgdn_fail(err, WGDN_ENOMEM, "%lld vectors of %lld dimensions", (long long)v->n,
                     (long long)v->width);
}

wgdn_status wgdn_vectors_open(wgdn_vectors *v, const wgdn_embedding *e, wgdn_error *err)
{
    wgdn_status st = WGDN_OK;
    *v = (wgdn_vectors){.n = e->vectors.rows, .width = e->vectors.width, .x = e->vectors.dense};
    if (!v->x && e->vectors.sparse.offset) {
        v->x = v->made = wgdn_alloc((size_t)v->n, (size_t)v->width * sizeof *v->made);
        st = v->made ? make_dense(v->made, e, err) : no_memory(v, err);
    }
    if (!v->x && !st) st = wgdn_vectors_check(v->x, v->n, v->width, err);
    return st;
}

wgdn_status wgdn_vectors_in_order(bool *same, int64_t **row, const wgdn_embedding *e,
                                  const wgdn_dataset *d, wgdn_error *err)
{
    const int64_t n = wgdn_dataset_nodes(d);
    *row = wgdn_alloc((size_t)n, sizeof **row);
    if (!*row) return wgdn_fail(err, WGDN_ENOMEM, "vectors of %lld nodes", (long long)n);
    const wgdn_status st = wgdn_embedding_match(*row, e, d, err);
    *same = n == e->vectors.rows;
    for (int64_t i = 0; !st && *same && i < n; i++)
        *same = (*row)[i] == i;
    return st;
}

wgdn_status wgdn_vectors_open_for(wgdn_vectors *v, const wgdn_embedding *e, const wgdn_dataset *d,
                                  wgdn_error *err)
{
    const int64_t n = wgdn_dataset_nodes(d), width = e->vectors.width;
    int64_t *row = NULL;
    bool same = false;
    *v = (wgdn_vectors){0};
    wgdn_status st = wgdn_vectors_in_order(&same, &row, e, d, err);
    if (!st) st = wgdn_vectors_open(v, e, err);
    if (!st) st = wgdn_vectors_check(v->x, v->n, v->width, err);
    if (!st && !same) {
        float *x = wgdn_alloc((size_t)n, (size_t)width * sizeof *x);
        for (int64_t i = 0; x && i < n; i++)
            memcpy(x + i * width, v->x + row[i] * width, (size_t)width * sizeof *x);
        if (!x) st = no_memory(v, err);
        wgdn_release(v->made);
        *v = (wgdn_vectors){.n = n, .width = width, .x = x, .made = x};
    }
    wgdn_release(row);
    return st;
}

void wgdn_vectors_close(wgdn_vectors *v)
{
    wgdn_release(v->made);
    *v = (wgdn_vectors){0};
}
