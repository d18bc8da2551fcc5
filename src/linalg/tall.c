/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Stores tall matrices in memory or in a scratch file, and maps or sums them by column blocks and
 * row chunks, and finds their leading singular vectors. The closed form (src/fit) works on large matrices
 * through it alone.
 */
#include "tall.h"
#include "wide_rows.h"

#include <math.h>
#include <string.h>

/* ---- chunks of rows ---- */

enum {
    CHUNK = 1 << 15,  /* rows of a chunk, at least */
    WINDOW = 1 << 17, /* rows of a block that are copied before their pages are released, */
    LEAST = 1 << 12   /* and at least */
};

int64_t wgdn_chunk_rows(wgdn_span rows)
{
    int64_t size = wgdn_leaf_rows(rows.total);
    if (rows.dist) return rows.count;
    while (size < CHUNK)
        size *= 2;
    return wgdn_min(size, rows.count);
}

/* ---- buffers ---- */

enum { COLUMNS_X, COLUMNS_Y, ROWS_X, ROWS_Y, TREE, SCRATCH };

static void *reserve(wgdn_tall_work *w, int which, size_t bytes)
{
    if (w->at[which] && w->size[which] >= bytes) return w->at[which];
    wgdn_release(w->at[which]);
    w->at[which] = wgdn_alloc(bytes, 1);
    w->size[which] = bytes;
    return w->at[which];
}

static float *reserve_floats(wgdn_tall_work *w, int which, int64_t rows, int64_t k)
{
    return reserve(w, which, wgdn_size_product((size_t)rows, (size_t)k, sizeof(float)));
}

/* Whether all ranks have allocated what they need. */
static wgdn_status allocated(bool here, const wgdn_tall *t, int64_t columns, wgdn_error *err)
{
    wgdn_status st = WGDN_OK;
    if (!here)
        st = wgdn_fail(err, WGDN_ENOMEM, "matrices of %lld x %lld", (long long)t->rows.count,
                       (long long)columns);
    return wgdn_span_agree(t->rows, st, err);
}

/* ---- storage ---- */

static int64_t block_width(const wgdn_tall *t, int64_t at)
{
    return wgdn_min(t->width, t->k - at);
}

/* Where row `first` of the columns from `at` on begins, and how far apart its rows are. */
static float *numbers_at(int64_t *stride, const wgdn_tall *t, int64_t first, int64_t at,
                         int64_t width)
{
    *stride = t->stride ? t->stride : width;
    if (t->stride) return t->x + first * t->stride + at;
    return t->x + t->rows.count * at + first * width;
}

/* Gives back the pages of these rows, whole rows where blocks lie side by side. */
static void release_pages(const wgdn_tall *t, int64_t first, int64_t count, int64_t at,
                          int64_t width)
{
    int64_t stride;
    if (!t->store.in_file) return;
    const float *from = numbers_at(&stride, t, first, t->stride ? 0 : at, width);
    const size_t row = (size_t)stride * sizeof *from;
    size_t before = (size_t)((const char *)from - (const char *)t->store.at);
    if (t->stride) before = before / row * row;
    wgdn_storage_release(&t->store, before, before + (size_t)count * row);
}

/* A block with memory of its own, or NULL. */
static float *block_at(const wgdn_tall *t, int64_t at)
{
    if (!t->x || t->store.in_file) return NULL;
    if (!t->stride) return t->x + t->rows.count * at;
    return t->width >= t->k && t->stride == t->k ? t->x : NULL;
}

/* Rows of a block that are copied before their pages are released; rows of other blocks beside it,
 * which share these pages, count as well. */
static int64_t window_rows(const wgdn_tall *t, int64_t width)
{
    const int64_t rows = t->stride > width ? WINDOW * width / t->stride : WINDOW;
    return rows > LEAST ? rows : LEAST;
}

static void read_block(float *to, const wgdn_tall *t, int64_t at, int64_t width)
{
    for (int64_t i = 0; i < wgdn_chunk_count(t->rows) && t->make; i++) {
        const wgdn_span chunk = wgdn_chunk(t->rows, i);
        t->make(to + wgdn_chunk_first(chunk) * width, chunk, at, width, t->of);
    }
    const int64_t window = window_rows(t, width);
    for (int64_t i = 0; i < t->rows.count && t->x; i += window) {
        const int64_t count = wgdn_min(window, t->rows.count - i);
        int64_t stride;
        const float *from = numbers_at(&stride, t, i, at, width);
        wgdn_copy_columns(to + i * width, width, from, stride, count, width);
        release_pages(t, i, count, at, width);
    }
}

static void write_block(const wgdn_tall *t, int64_t at, int64_t width, const float *from)
{
    const int64_t window = window_rows(t, width);
    for (int64_t i = 0; i < t->rows.count; i += window) {
        const int64_t count = wgdn_min(window, t->rows.count - i);
        int64_t stride;
        float *to = numbers_at(&stride, t, i, at, width);
        wgdn_copy_columns(to, stride, from + i * width, width, count, width);
        release_pages(t, i, count, at, width);
    }
}

float *wgdn_tall_get_columns(const wgdn_tall *t, int64_t at, int64_t width, float *buffer)
{
    float *here = block_at(t, at);
    if (here) return here;
    read_block(buffer, t, at, width);
    return buffer;
}

void wgdn_tall_get_rows(float *rows, const wgdn_tall *t, wgdn_span chunk)
{
    const int64_t first = wgdn_chunk_first(chunk);
    if (t->make) t->make(rows, chunk, 0, t->k, t->of);
    for (int64_t at = 0; at < t->k && t->x; at += t->width) {
        const int64_t width = block_width(t, at);
        int64_t stride;
        const float *from = numbers_at(&stride, t, first, at, width);
        wgdn_copy_columns(rows + at, t->k, from, stride, chunk.count, width);
        release_pages(t, first, chunk.count, at, width);
    }
}

void wgdn_tall_put_rows(const wgdn_tall *t, wgdn_span chunk, const float *rows)
{
    const int64_t first = wgdn_chunk_first(chunk);
    for (int64_t at = 0; at < t->k; at += t->width) {
        const int64_t width = block_width(t, at);
        int64_t stride;
        float *to = numbers_at(&stride, t, first, at, width);
        wgdn_copy_columns(to, stride, rows + at, t->k, chunk.count, width);
        release_pages(t, first, chunk.count, at, width);
    }
}

/* The rows of a chunk where they lie, if each has all of its columns side by side; or NULL. */
static float *rows_at(const wgdn_tall *t, wgdn_span chunk)
{
    return t->x && t->stride == t->k ? t->x + wgdn_chunk_first(chunk) * t->k : NULL;
}

/* ---- columns ---- */

/*
 * Reading a few columns of a computed matrix costs as much as reading all of them. If there are many
 * blocks, all rows are written to the file first, in one pass, and blocks are read from there.
 */
static bool spread(const wgdn_tall *to, const wgdn_tall *from, float *buffer)
{
    const int64_t rows = wgdn_chunk_rows(to->rows);
    if (!from->make || !to->store.in_file || to->stride || to->k <= 2 * to->width ||
        rows * to->k > to->rows.count * to->width)
        return false;
    for (int64_t i = 0; i < wgdn_chunk_count(to->rows); i++) {
        const wgdn_span chunk = wgdn_chunk(to->rows, i);
        wgdn_tall_get_rows(buffer, from, chunk);
        wgdn_tall_put_rows(to, chunk, buffer);
    }
    return true;
}

wgdn_status wgdn_tall_map_columns(wgdn_tall *to, const wgdn_tall *from, wgdn_columns_use use,
                                  wgdn_columns_call call, void *self, wgdn_tall_work *w,
                                  wgdn_error *err)
{
    const bool same = to == from, copies = !block_at(from, 0) || (use && !same);
    const bool buffered = use != WGDN_COLUMNS_IN_PLACE && (same || !block_at(to, 0));
    float *x = copies ? reserve_floats(w, COLUMNS_X, to->rows.count, to->width) : NULL;
    float *y = buffered ? reserve_floats(w, COLUMNS_Y, to->rows.count, to->width) : NULL;
    const wgdn_status st = allocated((x || !copies) && (y || !buffered), to, to->width, err);
    if (st) return st;
    if (copies && spread(to, from, x)) from = to;
    for (int64_t at = 0; at < to->k; at += to->width) {
        if (wgdn_stop_check(err)) return WGDN_ESTOPPED;
        const int64_t width = block_width(to, at);
        float *place = block_at(to, at), *in = copies ? x : block_at(from, at);
        float *out = buffered ? y : use == WGDN_COLUMNS_IN_PLACE ? NULL : place;
        if (copies) read_block(x, from, at, width);
        const float *made = call(in, out, at, width, self);
        if (made != place) write_block(to, at, width, made);
    }
    return WGDN_OK;
}

static float *apply_filter(float *x, float *y, int64_t at, int64_t width, void *self)
{
    wgdn_poly *p = self;
    (void)at;
    p->d = width;
    wgdn_poly_apply(y, p, x);
    return y;
}

wgdn_status wgdn_tall_filter(wgdn_tall *y, const wgdn_poly *p, const wgdn_tall *x,
                             wgdn_tall_work *w, wgdn_error *err)
{
    const int kept = p->order < 2 ? p->order : 2; /* degrees that are stored */
    const size_t floats = wgdn_poly_work(y->rows.count, y->width, kept);
    wgdn_poly self = *p;
    self.work = reserve(w, SCRATCH, wgdn_size_product(floats, 1, sizeof(float)));
    const wgdn_status st = allocated(self.work, y, y->width, err);
    return st ? st : wgdn_tall_map_columns(y, x, WGDN_COLUMNS_READ, apply_filter, &self, w, err);
}

/* ---- rows ---- */

wgdn_status wgdn_tall_map_rows(wgdn_tall *to, const wgdn_tall *from, wgdn_rows_call call,
                               void *self, wgdn_tall_work *w, wgdn_error *err)
{
    const wgdn_tall *any = to ? to : from;
    const int64_t rows = wgdn_chunk_rows(any->rows);
    const bool same = to == from, in_place = same && to->stride;
    const bool reads = from && !in_place, writes = to && !same && to->stride != to->k;
    float *x = reads ? reserve_floats(w, ROWS_X, rows, from->k) : NULL;
    float *y = writes ? reserve_floats(w, ROWS_Y, rows, to->k) : NULL;
    wgdn_status st = allocated((x || !reads) && (y || !writes), any, any->k, err);
    for (int64_t i = 0; i < wgdn_chunk_count(any->rows) && !st; i++) {
        const wgdn_span chunk = wgdn_chunk(any->rows, i);
        const int64_t first = wgdn_chunk_first(chunk);
        float *in = in_place ? to->x + first * to->stride : x;
        float *out = !to ? NULL : same ? in : writes ? y : rows_at(to, chunk);
        if (reads) wgdn_tall_get_rows(x, from, chunk);
        st = call(out, in, chunk, self, err);
        if (st || !to) continue;
        if (out == x || out == y)
            wgdn_tall_put_rows(to, chunk, out);
        else
            release_pages(to, first, chunk.count, 0, to->k);
    }
    return st;
}

wgdn_status wgdn_tall_sum(const double **sum, const wgdn_tall_sums *s, wgdn_tall_work *w,
                          wgdn_error *err)
{
    const wgdn_tall *t = s->from;
    const size_t levels = (size_t)wgdn_tree_levels(wgdn_chunk_count(t->rows));
    const bool direct = !s->edits && t->x && t->stride == t->k;
    double *store = reserve(w, TREE, wgdn_size_product(levels, (size_t)s->size, sizeof *store));
    float *copy = direct ? NULL : reserve_floats(w, ROWS_X, wgdn_chunk_rows(t->rows), t->k);
    void *scratch = reserve(w, SCRATCH, s->scratch);
    wgdn_status st = allocated(store && (copy || direct) && scratch, t, t->k, err);
    wgdn_tree tree;
    if (st) return st;
    wgdn_tree_begin(&tree, store, s->size);
    for (int64_t i = 0; i < wgdn_chunk_count(t->rows) && !st; i++) {
        const wgdn_span chunk = wgdn_chunk(t->rows, i);
        if (!direct) wgdn_tall_get_rows(copy, t, chunk);
        float *rows = direct ? rows_at(t, chunk) : copy;
        st = s->call(wgdn_tree_push(&tree, i), rows, chunk, scratch, s->self, err);
        if (direct) release_pages(t, wgdn_chunk_first(chunk), chunk.count, 0, t->k);
    }
    if (!st) *sum = wgdn_tree_end(&tree);
    return st;
}

/* ---- Gram matrices, rotations and signs ---- */

typedef struct weighing {
    const wgdn_tall *t;
    const float *weight;
    float *weighted; /* a chunk */
} weighing;

static wgdn_status gram_rows(double *sum, float *rows, wgdn_span chunk, void *scratch, void *self,
                             wgdn_error *err)
{
    const weighing *g = self;
    const int64_t k = g->t->k;
    wgdn_product p = wgdn_product_of(NULL, rows, g->weight ? g->weighted : rows, chunk, k, k);
    if (g->weight)
        wgdn_scale_rows(g->weighted, g->weight + wgdn_chunk_first(chunk), rows, chunk, k);
    p.wide = sum;
    p.gram = !g->weight;
    p.work = scratch;
    return wgdn_gemm_tn(&p, err);
}

static size_t gram_scratch(const wgdn_tall *x)
{
    const wgdn_span one = wgdn_chunk(x->rows, 0);
    return wgdn_larger(wgdn_gemm_tn_work(one, x->k, x->k), wgdn_for_blocks_work(one, x->k));
}

wgdn_status wgdn_tall_gram(double *g, const wgdn_tall *x, const float *weight, wgdn_tall_work *w,
                           wgdn_error *err)
{
    const int64_t rows = weight ? wgdn_chunk_rows(x->rows) : 0;
    weighing self = {x, weight, reserve_floats(w, ROWS_Y, rows, x->k)};
    const wgdn_tall_sums s = {.from = x,
                              .size = x->k * x->k,
                              .scratch = gram_scratch(x),
                              .call = gram_rows,
                              .self = &self};
    const double *sum = NULL;
    wgdn_status st = allocated(self.weighted, x, x->k, err);
    if (!st) st = wgdn_tall_sum(&sum, &s, w, err);
    for (int64_t i = 0; i < s.size && !st; i++)
        g[i] = sum[i];
    return st;
}

typedef struct turning {
    const wgdn_tall *t;
    const float *b;
    float *made; /* a chunk */
} turning;

static wgdn_status turn_rows(float *to, float *from, wgdn_span chunk, void *self, wgdn_error *err)
{
    const turning *t = self;
    const int64_t k = t->t->k;
    const wgdn_product p = wgdn_product_of(t->made, from, t->b, chunk, k, k);
    const wgdn_status st = wgdn_gemm_nn(&p, err);
    if (!st) wgdn_copy(to, t->made, chunk.count, k);
    return st;
}

/* X <- X B, B: k x k. */
static wgdn_status tall_times(wgdn_tall *x, const float *b, wgdn_tall_work *w, wgdn_error *err)
{
    turning self = {x, b, reserve_floats(w, ROWS_Y, wgdn_chunk_rows(x->rows), x->k)};
    const wgdn_status st = allocated(self.made, x, x->k, err);
    return st ? st : wgdn_tall_map_rows(x, x, turn_rows, &self, w, err);
}

typedef struct signing {
    float *x;
    const double *sum;
    int64_t k;
} signing;

static void cube_rows(int64_t first, int64_t count, double *sums, void *context)
{
    const signing *s = context;
    for (int64_t i = first; i < first + count; i++)
        for (int64_t j = 0; j < s->k; j++) {
            const double x = s->x[i * s->k + j];
            sums[j] += x * x * x;
        }
}

static wgdn_status sum_cubes(double *sum, float *rows, wgdn_span chunk, void *scratch, void *self,
                             wgdn_error *err)
{
    signing s = *(const signing *)self;
    (void)err;
    s.x = rows;
    wgdn_for_blocks(chunk, cube_rows, &s, sum, s.k, scratch);
    return WGDN_OK;
}

static void sign_rows(int64_t first, int64_t count, void *context)
{
    const signing *s = context;
    for (int64_t i = first; i < first + count; i++)
        for (int64_t j = 0; j < s->k; j++)
            if (s->sum[j] < 0) s->x[i * s->k + j] = -s->x[i * s->k + j];
}

static wgdn_status sign_chunk(float *to, float *from, wgdn_span chunk, void *self, wgdn_error *err)
{
    signing s = *(const signing *)self;
    (void)from, (void)err;
    s.x = to;
    wgdn_for_rows(chunk, sign_rows, &s);
    return WGDN_OK;
}

/* Columns whose cubes have a negative sum change their sign. */
static wgdn_status tall_signs(wgdn_tall *x, wgdn_tall_work *w, wgdn_error *err)
{
    signing self = {NULL, NULL, x->k};
    const wgdn_tall_sums s = {
        .from = x, .size = x->k, .scratch = gram_scratch(x), .call = sum_cubes, .self = &self};
    const wgdn_status st = wgdn_tall_sum(&self.sum, &s, w, err);
    return st ? st : wgdn_tall_map_rows(x, x, sign_chunk, &self, w, err);
}

/* Allocates what these three need, so that none of them can fail later for lack of memory. */
static wgdn_status tall_reserve(wgdn_tall_work *w, const wgdn_tall *x, wgdn_error *err)
{
    const int64_t rows = wgdn_chunk_rows(x->rows), apart = x->stride == x->k ? 0 : rows;
    const size_t levels = (size_t)wgdn_tree_levels(wgdn_chunk_count(x->rows));
    const size_t square = wgdn_size_product((size_t)x->k, (size_t)x->k, sizeof(double));
    const int64_t block = block_at(x, 0) ? 0 : x->rows.count;
    if (reserve(w, TREE, wgdn_size_product(levels, square, 1)) &&
        reserve(w, SCRATCH, gram_scratch(x)) && reserve_floats(w, ROWS_X, apart, x->k) &&
        reserve_floats(w, ROWS_Y, rows, x->k) && reserve_floats(w, COLUMNS_X, block, x->width))
        return WGDN_OK;
    return wgdn_fail(err, WGDN_ENOMEM, "a chunk of %lld rows and %lld columns", (long long)rows,
                     (long long)x->k);
}

/*
 * Finds leading singular vectors by subspace iteration, with Cholesky orthonormalization and a
 * final rotation in double. Each part of the closed form supplies its operator as a product.
 */

/*
 * Orthonormalizes columns by Cholesky, two or three times.                       [WGDN:orthonormal]
 *
 *     G = Q^T Q (+ shift I, the first time);   G = R^T R;   Q <- Q R^-1
 *
 * G is summed in the fixed tree; R and its inverse are small and in double. One pass halves the
 * number of missing digits; the shift lets the first pass handle columns that are almost dependent.
 * Once |G - I| <= 1/2, one more pass leaves only rounding errors and is the last.
 */

enum { PASSES = 3 };

static const double shift = 1e-6;    /* of the largest diagonal entry; floats give G to 1e-7 */
static const double nothing = 1e-10; /* of its own diagonal entry: what is left is rounding */

/* The lower half of G becomes R^T; a row of zeros where nothing is left. */
static void cholesky(double *g, int64_t k)
{
    const wgdn_wide_ops *ops = wgdn_wide_rows();
    for (int64_t i = 0; i < k; i++) {
        double *row = g + i * k;
        const double whole = row[i];
        for (int64_t j = 0; j < i; j++) {
            const double *other = g + j * k;
            row[j] = other[j] > 0 ? (row[j] - ops->dot(row, other, j)) / other[j] : 0;
        }
        const double left = whole - ops->dot(row, row, i);
        row[i] = left > nothing * whole ? sqrt(left) : 0;
    }
}

/* Row i of X = (R^T)^-1, lower triangular: x_i = (e_i - sum_j r_ij x_j) / r_ii. */
static void invert(double *x, const double *r, int64_t k)
{
    const wgdn_wide_ops *ops = wgdn_wide_rows();
    memset(x, 0, (size_t)(k * k) * sizeof *x);
    for (int64_t i = 0; i < k; i++) {
        double *row = x + i * k;
        if (r[i * k + i] <= 0) continue;
        for (int64_t j = 0; j < i; j++)
            ops->axpy(row, -r[i * k + j], x + j * k, j + 1);
        row[i] = 1;
        for (int64_t l = 0; l <= i; l++)
            row[l] /= r[i * k + i];
    }
}

static void shift_diagonal(double *g, int64_t k)
{
    double most = 0;
    for (int64_t i = 0; i < k; i++)
        most = fmax(most, g[i * k + i]);
    for (int64_t i = 0; i < k; i++)
        if (g[i * k + i] > 0) g[i * k + i] += shift * most;
}

/* Whether the rows of |G - I|, but for columns of zeros, sum up to 1/2 at most. */
static bool almost(const double *g, int64_t k)
{
    for (int64_t i = 0; i < k; i++) {
        const double *row = g + i * k, length = row[i];
        double sum = length > 0 ? fabs(length - 1) - length : 0;
        for (int64_t j = 0; j < k; j++)
            sum += fabs(row[j]);
        if (sum > 0.5) return false;
    }
    return true;
}

wgdn_status wgdn_orthonormalize(wgdn_tall *q, void *small, wgdn_tall_work *w, wgdn_error *err)
{
    const int64_t k = q->k;
    double *g = small, *x = g + k * k;
    float *turn = (float *)(x + k * k);
    wgdn_status st = WGDN_OK;
    bool last = false;
    for (int pass = 0; pass < PASSES && !last && !st; pass++) {
        st = wgdn_tall_gram(g, q, NULL, w, err);
        if (st) break;
        last = almost(g, k);
        if (pass == 0 && !last) shift_diagonal(g, k);
        cholesky(g, k);
        invert(x, g, k);
        for (int64_t i = 0; i < k; i++) /* R^-1 is X transposed */
            for (int64_t j = 0; j < k; j++)
                turn[j * k + i] = (float)x[i * k + j];
        st = tall_times(q, turn, w, err);
    }
    return st;
}

/*
 * Finds leading singular vectors by subspace iteration from a random sketch.        [WGDN:subspace]
 *
 *     V = orth(A^T A V), a few times;   B = A V;   B^T B = W diag(s^2) W^T;   V <- V W
 *
 * With a few spare columns, a few rounds are enough: convergence depends on the ratio of the last
 * wanted singular value to the first one beyond the spare columns.
 */

typedef struct scratch {
    wgdn_tall b; /* rows x k, unless the operator has a gram */
    double *g;   /* k x k */
    float *turn; /* k x k */
    void *small;
    wgdn_tall_work own, *work;
} scratch;

static wgdn_status open_scratch(scratch *w, const wgdn_subspace *s, const wgdn_operator *a,
                                wgdn_error *err)
{
    const int64_t k = s->v->k;
    const size_t square = (size_t)(k * k);
    w->work = s->work ? s->work : &w->own;
    w->g = wgdn_alloc(square, sizeof *w->g);
    w->turn = wgdn_alloc(square, sizeof *w->turn);
    w->small = wgdn_alloc(wgdn_larger(wgdn_orthonormal_work(k), wgdn_symmetric_work(k)), 1);
    if (!w->g || !w->turn || !w->small)
        return wgdn_fail(err, WGDN_ENOMEM, "%lld singular vectors of %lld x %lld", (long long)k,
                         (long long)a->rows.total, (long long)s->v->rows.total);
    wgdn_status st = tall_reserve(w->work, s->v, err);
    if (!st && !a->gram) st = wgdn_tall_open(&w->b, a->rows, k, k, NULL, err);
    return st;
}

/* B^T B, B = A V */
static wgdn_status gram(const wgdn_subspace *s, const scratch *w, const wgdn_operator *a,
                        wgdn_error *err)
{
    if (a->gram) return a->gram(w->g, s->v, a->self, err);
    const wgdn_status st = a->times(w->b.x, s->v, a->self, err);
    return st ? st : wgdn_tall_gram(w->g, &w->b, NULL, w->work, err);
}

static void make_symmetric(double *g, int64_t k)
{
    for (int64_t i = 0; i < k; i++) /* with weights both halves are rounded apart */
        for (int64_t j = 0; j < i; j++)
            g[i * k + j] = g[j * k + i] = (g[i * k + j] + g[j * k + i]) / 2;
}

/* Eigenvectors of B^T B as rows of g, their values into s. */
static void ritz(wgdn_subspace *s, const scratch *w)
{
    make_symmetric(w->g, s->v->k);
    wgdn_symmetric_eigen(s->value, w->g, s->v->k, w->small);
    for (int64_t j = 0; j < s->v->k; j++)
        s->value[j] = sqrt(fmax(s->value[j], 0));
}

/* ---- columns with equal singular values ---- */

static const double same = 1e-6; /* singular values that differ by less, of the larger one */

/* Columns from `first` on that have the same value. */
static int64_t tied_columns(const wgdn_subspace *s, int64_t first)
{
    int64_t end = first + 1;
    while (end < s->v->k && s->value[end] > 0 &&
           s->value[end - 1] - s->value[end] <= same * s->value[end - 1])
        end++;
    return end - first;
}

/* Rows [first, first + m) of g become the eigenvectors of the weighted sums t within their span.
 * room: m x (2 k + m + 1) */
static void order_ties(double *g, const double *t, int64_t first, int64_t m, int64_t k,
                       double *room, void *work)
{
    double *rows = room, *half = rows + m * k, *small = half + m * k, *value = small + m * m;
    for (int64_t i = 0; i < m * k; i++)
        rows[i] = g[first * k + i];
    for (int64_t i = 0; i < m; i++) /* rows t */
        for (int64_t j = 0; j < k; j++) {
            double sum = 0;
            for (int64_t l = 0; l < k; l++)
                sum += rows[i * k + l] * t[l * k + j];
            half[i * k + j] = sum;
        }
    for (int64_t i = 0; i < m; i++)
        for (int64_t j = 0; j < m; j++) {
            double sum = 0;
            for (int64_t l = 0; l < k; l++)
                sum += half[i * k + l] * rows[j * k + l];
            small[i * m + j] = sum;
        }
    make_symmetric(small, m);
    wgdn_symmetric_eigen(value, small, m, work);
    for (int64_t i = 0; i < m; i++)
        for (int64_t j = 0; j < k; j++) {
            double sum = 0;
            for (int64_t l = 0; l < m; l++)
                sum += small[i * m + l] * rows[l * k + j];
            g[(first + i) * k + j] = sum;
        }
}

/* Without weights, directions within columns of the same value would be rounding. */
static wgdn_status break_ties(wgdn_subspace *s, const scratch *w, const wgdn_operator *a,
                              wgdn_error *err)
{
    const int64_t k = s->v->k;
    int64_t most = 1;
    for (int64_t j = 0; j < k; j += tied_columns(s, j))
        most = tied_columns(s, j) > most ? tied_columns(s, j) : most;
    if (!a->tied || most == 1) return WGDN_OK;
    double *t = wgdn_alloc((size_t)(k * k), sizeof *t);
    double *room = wgdn_alloc((size_t)(most * (2 * k + most + 1)), sizeof *room);
    wgdn_status st = WGDN_OK;
    if (!t || !room)
        st =
            wgdn_fail(err, WGDN_ENOMEM, "%lld singular vectors of the same value", (long long)most);
    st = wgdn_span_agree(a->rows, st, err);
    if (!st) st = a->tied(t, s->v, a->self, err);
    for (int64_t j = 0, m; j < k && !st; j += m) {
        m = tied_columns(s, j);
        if (m > 1) order_ties(w->g, t, j, m, k, room, w->small);
    }
    wgdn_release(room);
    wgdn_release(t);
    return st;
}

static void turn_of(const scratch *w, int64_t k)
{
    for (int64_t j = 0; j < k; j++)
        for (int64_t i = 0; i < k; i++)
            w->turn[i * k + j] = (float)w->g[j * k + i];
}

wgdn_status wgdn_subspace_find(wgdn_subspace *s, const wgdn_operator *a, int rounds,
                               wgdn_error *err)
{
    scratch w = {0};
    wgdn_status st = open_scratch(&w, s, a, err);
    st = wgdn_span_agree(a->rows, st, err);
    for (int i = 0; i < rounds && !st; i++) {
        st = a->normal(s->v, a->self, err);
        if (!st) st = wgdn_orthonormalize(s->v, w.small, w.work, err);
    }
    if (!st) st = gram(s, &w, a, err);
    if (!st) ritz(s, &w);
    if (!st) st = break_ties(s, &w, a, err);
    if (!st) turn_of(&w, s->v->k);
    if (!st) st = tall_times(s->v, w.turn, w.work, err); /* V <- V W */
    if (!st) st = tall_signs(s->v, w.work, err);
    wgdn_tall_close(&w.b);
    wgdn_tall_work_free(&w.own);
    wgdn_release(w.small);
    wgdn_release(w.turn);
    wgdn_release(w.g);
    return st;
}

/*
 * Rotates into and out of an eigenbasis, in double. Columns of X are processed one band at a time,
 * so that the current rows stay in the cache; one thread sums each entry in the order of k.
 */

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
