/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds the leading singular vectors of the normalized interactions, which the low-pass part of a
 * score is made of. linalg/subspace.c iterates; the products with N and its transpose are here.
 */
#include "base/streams.h"
#include "linalg/tall.h"
#include "ranking.h"

typedef struct basis {
    const wgdn_interactions *x;
    float *side;         /* users x WGDN_BAND */
    float *other, *band; /* items x WGDN_BAND */
    double *block;       /* WGDN_BAND x WGDN_BAND */
    void *sums;
    wgdn_arrays arrays;
    wgdn_tall_work work;
} basis;

/* side = N v, for `width` columns of v; v is items x width. */
static void image(basis *b, const float *v, int64_t width)
{
    const wgdn_interactions *x = b->x;
    wgdn_scale_rows(b->other, x->item_scale, v, wgdn_alone(x->r.cols), width);
    wgdn_spmm(b->side, &x->r, b->other, width);
    wgdn_scale_rows(b->side, x->user_scale, b->side, wgdn_alone(x->r.rows), width);
}

/* v <- G v */
static void square(basis *b, float *v, int64_t width)
{
    const wgdn_interactions *x = b->x;
    image(b, v, width);
    wgdn_scale_rows(b->side, x->user_scale, b->side, wgdn_alone(x->r.rows), width);
    wgdn_spmm(v, &x->t, b->side, width);
    wgdn_scale_rows(v, x->item_scale, v, wgdn_alone(x->r.cols), width);
}

/* v <- G^2 v: two products cost less than making the columns orthogonal between them. */
static float *normal_columns(float *v, float *y, int64_t at, int64_t width, void *self)
{
    (void)y;
    (void)at;
    square(self, v, width);
    square(self, v, width);
    return v;
}

static wgdn_status normal(wgdn_tall *v, void *self, wgdn_error *err)
{
    basis *b = self;
    return wgdn_tall_map_columns(v, v, WGDN_COLUMNS_IN_PLACE, normal_columns, b, &b->work, err);
}

/* V^T G V, a band of columns at a time: nothing has users x k numbers. */
static wgdn_status gram(double *g, const wgdn_tall *v, void *self, wgdn_error *err)
{
    basis *b = self;
    wgdn_status st = WGDN_OK;
    for (int64_t at = 0; !st && at < v->k; at += WGDN_BAND) {
        const int64_t width = wgdn_min(WGDN_BAND, v->k - at);
        wgdn_copy(b->band, wgdn_tall_get_columns(v, at, width, NULL), v->rows.count, width);
        square(b, b->band, width);
        for (int64_t of = 0; !st && of < v->k; of += WGDN_BAND) {
            const int64_t height = wgdn_min(WGDN_BAND, v->k - of);
            const float *columns = wgdn_tall_get_columns(v, of, height, NULL);
            wgdn_product p = wgdn_product_of(NULL, columns, b->band, v->rows, height, width);
            p.wide = b->block;
            p.work = b->sums;
            st = wgdn_gemm_tn(&p, err);
            for (int64_t i = 0; i < height; i++)
                memcpy(g + (of + i) * v->k + at, b->block + i * width, (size_t)width * sizeof *g);
        }
    }
    return st;
}

static wgdn_status open_basis(basis *b, const wgdn_interactions *x, wgdn_error *err)
{
    *b = (basis){.x = x};
    b->side = wgdn_arrays_add(&b->arrays, (size_t)x->r.rows * WGDN_BAND, sizeof *b->side);
    b->other = wgdn_arrays_add(&b->arrays, (size_t)x->r.cols * WGDN_BAND, sizeof *b->other);
    b->band = wgdn_arrays_add(&b->arrays, (size_t)x->r.cols * WGDN_BAND, sizeof *b->band);
    b->block = wgdn_arrays_add(&b->arrays, (size_t)WGDN_BAND * WGDN_BAND, sizeof *b->block);
    b->sums = wgdn_arrays_add(&b->arrays,
                              wgdn_gemm_tn_work(wgdn_alone(x->r.cols), WGDN_BAND, WGDN_BAND), 1);
    if (!b->arrays.failed) return WGDN_OK;
    return wgdn_fail(err, WGDN_ENOMEM, "recommend: %d columns of %lld + %lld rows", (int)WGDN_BAND,
                     (long long)x->r.rows, (long long)x->r.cols);
}

static void close_basis(basis *b)
{
    wgdn_tall_work_free(&b->work);
    wgdn_arrays_release(&b->arrays);
}

/* Columns of start, then random numbers that the keys of the items fix. */
static void fill_sketch(const wgdn_tall *v, const float *start, int64_t start_k,
                        const wgdn_interactions *x)
{
    const wgdn_stream s = {.seed = 1, .call = WGDN_CALL_ITEMS};
    for (int64_t at = 0; at < v->k && !wgdn_stopping(); at += v->width) {
        const int64_t width = wgdn_min(v->width, v->k - at);
        float *block = v->stride ? v->x : v->x + v->rows.count * at;
        const int64_t stride = v->stride ? v->stride : width;
        for (int64_t i = 0; i < x->r.cols; i++) {
            float *row = block + i * stride;
            wgdn_random_normals(row, width, s, (int64_t)(x->item_key[i] >> 17), 1, at, width);
            for (int64_t j = at; start && j < wgdn_min(at + width, start_k); j++)
                row[j - at] = start[i * start_k + j];
        }
    }
}

static int64_t wide_of(int64_t k, const wgdn_interactions *x)
{
    return wgdn_min(k + k / 8 + 8, wgdn_min(x->r.rows, x->r.cols));
}

double wgdn_basis_bytes(int64_t k, const wgdn_interactions *x)
{
    const wgdn_span rows = wgdn_alone(x->r.cols);
    const int64_t wide = wide_of(k, x), chunk = wgdn_chunk_rows(rows);
    const double items = (double)x->r.cols, users = (double)x->r.rows, columns = (double)wide;
    const double levels = (double)wgdn_tree_levels(wgdn_chunk_count(rows));
    const double numbers = items * (columns + 3 * WGDN_BAND) + users * WGDN_BAND;
    if (k == 0) return 0;
    return sizeof(float) * (numbers + 2 * (double)chunk * columns) +
           sizeof(double) * columns * columns * (levels + 4) +
           (double)wgdn_gemm_tn_work(wgdn_chunk(rows, 0), wide, wide);
}

wgdn_status wgdn_basis_find(float *v, double *value, int64_t k, const float *start, int64_t start_k,
                            int rounds, const wgdn_interactions *x, wgdn_error *err)
{
    const int64_t wide = wide_of(k, x);
    basis b;
    wgdn_tall q = {0};
    double *values = wgdn_alloc((size_t)wide, sizeof *values);
    wgdn_status st = open_basis(&b, x, err);
    if (!st && !values)
        st = wgdn_fail(err, WGDN_ENOMEM, "recommend: %lld singular values", (long long)wide);
    if (!st) st = wgdn_tall_open(&q, wgdn_alone(x->r.cols), wide, WGDN_BAND, NULL, err);
    if (!st) {
        wgdn_subspace s = {.v = &q, .value = values, .work = &b.work};
        const wgdn_operator a = {
            .rows = wgdn_alone(x->r.rows), .gram = gram, .normal = normal, .self = &b};
        fill_sketch(&q, start, start_k, x);
        st = wgdn_subspace_find(&s, &a, rounds, err);
    }
    for (int64_t at = 0; !st && at < k; at += q.width) {
        const int64_t width = wgdn_min(q.width, q.k - at), used = wgdn_min(width, k - at);
        const float *block = q.stride ? q.x : q.x + q.rows.count * at;
        wgdn_copy_columns(v + at, k, block, q.stride ? q.stride : width, x->r.cols, used);
    }
    if (!st) memcpy(value, values, (size_t)k * sizeof *value);
    wgdn_tall_close(&q);
    close_basis(&b);
    wgdn_release(values);
    return st;
}

wgdn_status wgdn_basis_image(float *y, const float *v, int64_t k, const wgdn_interactions *x,
                             wgdn_error *err)
{
    basis b;
    wgdn_status st = open_basis(&b, x, err);
    for (int64_t at = 0; !st && at < k; at += WGDN_BAND) {
        const int64_t width = wgdn_min(WGDN_BAND, k - at);
        wgdn_copy_columns(b.band, width, v + at, k, x->r.cols, width);
        image(&b, b.band, width);
        wgdn_copy_columns(y + at, k, b.side, width, x->r.rows, width);
    }
    close_basis(&b);
    return st;
}
