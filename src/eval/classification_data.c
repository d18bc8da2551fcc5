/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Multiplies with all rows that are classified, prepares those that the classifiers learn from,
 * scaled to length 1 and filtered if needed, and evaluates multi-label predictions. logistic.c, knn.c, probe.c and svm.c build on it.
 */
#include "probe.h"

#include <math.h>
#include <string.h>

/*
 * Computes Y = P(L) (X W) over all nodes, and dW = X^T (P(L) Y), where P(L) is symmetric.
 *
 * Sparse products are several times slower if rows are not whole vectors: with 15 classes, 60 % of
 * the time was spent on the rest of a row. Rows are therefore padded with zeros for the product,
 * which changes no bit of the other columns.
 */

enum { LANES = 16 }; /* floats of the widest vectors there are */

wgdn_status wgdn_node_product_open(wgdn_node_product *s, const wgdn_probe_input *in, int64_t cols,
                                   wgdn_error *err)
{
    const int64_t n = in->n, padded = (cols + LANES - 1) / LANES * LANES;
    *s = (wgdn_node_product){.in = in, .cols = cols, .stride = in->dense ? cols : padded};
    const size_t row = (size_t)s->stride * sizeof(float);
    wgdn_arrays *a = &s->arrays;
    s->full = wgdn_arrays_add(a, (size_t)n, row);
    if (!in->dense) {
        s->wide = wgdn_arrays_add_zero(a, (size_t)in->width, row);
        s->work = wgdn_arrays_add(a, wgdn_spmm_tn_work(wgdn_alone(n), s->stride), 1);
    }
    if (!in->dense && in->graph) {
        const size_t work = wgdn_poly_work(n, s->stride, in->order);
        s->filtered = wgdn_arrays_add(a, (size_t)n, row);
        s->poly_work = wgdn_arrays_add(a, work, sizeof *s->poly_work);
    }
    if (!a->failed) return WGDN_OK;
    wgdn_node_product_close(s);
    return wgdn_fail(err, WGDN_ENOMEM, "probe: scores of %lld nodes, %lld classes", (long long)n,
                     (long long)cols);
}

/* P(L) of what is in s->full, where there is a graph, in the product's own memory: n x stride. */
static float *filter_product(wgdn_node_product *s)
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

wgdn_status wgdn_node_product_forward(float **y, wgdn_node_product *s, const float *w,
                                      wgdn_error *err)
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
    *y = filter_product(s);
    restride(*y, s->cols, *y, s->stride, in->n);
    return WGDN_OK;
}

void wgdn_node_product_back(float *dw, wgdn_node_product *s)
{
    const wgdn_csr *t = s->in->transposed;
    wgdn_spmm_tn(s->wide, t, filter_product(s), wgdn_alone(t->cols), s->stride, s->work);
    restride(dw, s->cols, s->wide, s->stride, s->in->width);
}

/*
 * Provides the rows to learn from, each of length 1: Y = X W and dW = X^T Y.
 *
 * Few rows of P(L) X are formed explicitly. For many rows, the product over all nodes, P(L) (X W),
 * moves less memory than they would.
 */

enum {
    FORMED_MAX = 1 << 22, /* entries of P(L) X that are worth forming */
    CHUNK = 64,           /* rows of it at a time */
};

/* ---- dense rows ---- */

static void gather_dense(int64_t first, int64_t count, void *context)
{
    const wgdn_row_subset *l = context;
    const int64_t width = l->unit->in->width;
    for (int64_t i = first; i < first + count; i++) {
        const float *from = l->unit->in->dense + l->row[i] * width;
        const float a = l->unit->inverse[l->row[i]];
        for (int64_t j = 0; j < width; j++)
            l->dense[i * width + j] = a * from[j];
    }
}

/* Row i of P(L) X is X^T (P(L) e_i), a column of what the sweep makes of unit vectors. */
static wgdn_status form_rows(wgdn_row_subset *l, wgdn_error *err)
{
    const wgdn_probe_input *in = l->unit->in;
    const int64_t chunk = wgdn_min(l->rows, CHUNK);
    wgdn_node_product s = {0};
    float *turned = wgdn_alloc((size_t)in->width, (size_t)chunk * sizeof *turned);
    wgdn_status st = turned ? wgdn_node_product_open(&s, in, chunk, err)
                            : wgdn_fail(err, WGDN_ENOMEM, "probe: %lld rows", (long long)l->rows);
    for (int64_t first = 0; !st && first < l->rows; first += chunk) {
        const int64_t count = wgdn_min(chunk, l->rows - first);
        memset(s.full, 0, (size_t)(in->n * s.stride) * sizeof *s.full);
        for (int64_t i = 0; i < count; i++)
            s.full[l->row[first + i] * s.stride + i] = l->unit->inverse[l->row[first + i]];
        wgdn_node_product_back(turned, &s);
        for (int64_t i = 0; i < count; i++)
            for (int64_t j = 0; j < in->width; j++)
                l->dense[(first + i) * in->width + j] = turned[j * chunk + i];
    }
    wgdn_node_product_close(&s);
    wgdn_release(turned);
    return st;
}

static wgdn_status open_dense(wgdn_row_subset *l, wgdn_error *err)
{
    const wgdn_probe_input *in = l->unit->in;
    l->dense = wgdn_alloc((size_t)l->rows, (size_t)in->width * sizeof *l->dense);
    l->work = wgdn_alloc(wgdn_gemm_tn_work(wgdn_alone(l->rows), in->width, l->cols), 1);
    if (!l->dense || !l->work)
        return wgdn_fail(err, WGDN_ENOMEM, "probe: %lld rows of width %lld", (long long)l->rows,
                         (long long)in->width);
    if (!in->dense) return form_rows(l, err);
    wgdn_for_rows(wgdn_alone(l->rows), gather_dense, l);
    return WGDN_OK;
}

/* ---- sparse rows ---- */

static wgdn_status open_sparse(wgdn_row_subset *l, wgdn_error *err)
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
    return st ? st : wgdn_node_product_open(&l->sweep, &l->picked, l->cols, err);
}

/* ---- products ---- */

wgdn_status wgdn_row_subset_open(wgdn_row_subset *l, const wgdn_unit_input *u, const int64_t *row,
                                 int64_t rows, int64_t cols, wgdn_error *err)
{
    const wgdn_probe_input *in = u->in;
    *l = (wgdn_row_subset){.unit = u, .row = row, .rows = rows, .cols = cols};
    const wgdn_status st = in->dense || (in->graph && rows <= FORMED_MAX / in->width)
                               ? open_dense(l, err)
                           : in->graph ? wgdn_node_product_open(&l->sweep, in, cols, err)
                                       : open_sparse(l, err);
    if (st) wgdn_row_subset_close(l);
    return st;
}

/* Where row i is among those that are swept, and what it is scaled by on the way. */
static int64_t place_of(const wgdn_row_subset *l, int64_t i, float *scale)
{
    *scale = l->sparse.offset ? 1 : l->unit->inverse[l->row[i]];
    return l->sparse.offset ? i : l->row[i];
}

wgdn_status wgdn_row_subset_forward(float *y, wgdn_row_subset *l, const float *w, wgdn_error *err)
{
    const int64_t c = l->cols;
    float *full, scale;
    if (l->dense) {
        const wgdn_product q =
            wgdn_product_of(y, l->dense, w, wgdn_alone(l->rows), l->unit->in->width, c);
        return wgdn_gemm_nn(&q, err);
    }
    const wgdn_status st = wgdn_node_product_forward(&full, &l->sweep, w, err);
    for (int64_t i = 0; !st && i < l->rows; i++) {
        const float *from = full + place_of(l, i, &scale) * c;
        for (int64_t k = 0; k < c; k++)
            y[i * c + k] = scale * from[k];
    }
    return st;
}

wgdn_status wgdn_row_subset_back(float *dw, wgdn_row_subset *l, const float *y, wgdn_error *err)
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
    wgdn_node_product_back(dw, &l->sweep);
    return WGDN_OK;
}

/* Measures the lengths of the rows of X, or of P(L) X. */

enum { UNIT_CHUNK = 256 }; /* columns of P(L) X that are formed at a time */

/* ---- lengths of stored rows ---- */

static void measure_rows(int64_t first, int64_t count, void *context)
{
    const wgdn_unit_input *u = context;
    const wgdn_probe_input *in = u->in;
    const wgdn_csr *a = in->sparse;
    for (int64_t i = first; i < first + count; i++) {
        if (!a) {
            u->inverse[i] =
                wgdn_inverse_length(wgdn_row_squares(in->dense + i * in->width, in->width));
            continue;
        }
        const int64_t entries = a->offset[i + 1] - a->offset[i];
        u->inverse[i] = wgdn_inverse_length(
            a->value ? wgdn_row_squares(a->value + a->offset[i], entries) : (double)entries);
    }
}

/* ---- lengths of rows that are never formed: some columns at a time ---- */

typedef struct strip {
    const float *y; /* n x count, of P(L) X */
    int64_t count;
    double *sum; /* n: squares so far */
} strip;

static void add_squares(int64_t first, int64_t count, void *context)
{
    const strip *s = context;
    for (int64_t i = first; i < first + count; i++)
        s->sum[i] += wgdn_row_squares(s->y + i * s->count, s->count);
}

/* Columns first .. of X, as many as the sweep has; zeros beyond the last. */
static void fill_columns(wgdn_node_product *s, int64_t first)
{
    const wgdn_csr *t = s->in->transposed;
    memset(s->full, 0, (size_t)(s->in->n * s->stride) * sizeof *s->full);
    for (int64_t j = 0; j < s->cols && first + j < t->rows; j++)
        for (int64_t k = t->offset[first + j]; k < t->offset[first + j + 1]; k++)
            s->full[t->column[k] * s->stride + j] = t->value ? t->value[k] : 1;
}

static wgdn_status measure_filtered(wgdn_unit_input *u, wgdn_error *err)
{
    const wgdn_probe_input *in = u->in;
    wgdn_node_product s = {0};
    double *sum = wgdn_alloc_zero((size_t)in->n, sizeof *sum);
    wgdn_status st =
        sum ? wgdn_node_product_open(&s, in, wgdn_min(in->width, UNIT_CHUNK), err)
            : wgdn_fail(err, WGDN_ENOMEM, "probe: lengths of %lld rows", (long long)in->n);
    for (int64_t first = 0; !st && first < in->width; first += s.cols) {
        fill_columns(&s, first);
        strip now = {filter_product(&s), s.stride, sum};
        wgdn_for_rows(wgdn_alone(in->n), add_squares, &now);
    }
    for (int64_t i = 0; !st && i < in->n; i++)
        u->inverse[i] = wgdn_inverse_length(sum[i]);
    wgdn_node_product_close(&s);
    wgdn_release(sum);
    return st;
}

wgdn_status wgdn_unit_input_open(wgdn_unit_input *u, const wgdn_probe_input *in, wgdn_error *err)
{
    *u = (wgdn_unit_input){.in = in, .inverse = wgdn_alloc((size_t)in->n, sizeof *u->inverse)};
    if (!u->inverse)
        return wgdn_fail(err, WGDN_ENOMEM, "probe: lengths of %lld rows", (long long)in->n);
    const wgdn_status st = in->graph ? measure_filtered(u, err) : WGDN_OK;
    if (!in->graph) wgdn_for_rows(wgdn_alone(in->n), measure_rows, u);
    if (st) wgdn_unit_input_close(u);
    return st;
}

/*
 * Computes F1 for nodes with several labels. A node is assigned as many labels as it has, those
 * with the largest scores and the first of equal ones. There are as many guesses as labels, and
 *
 *     micro-F1 = hits / labels,   macro-F1 = mean of 2 hits_k / (guessed_k + there_k)
 *
 * over the labels k that occur in either.
 */

typedef struct tally {
    int64_t hits, guessed, there;
} tally;

static bool has_label(const wgdn_csr *a, int64_t node, int32_t label)
{
    for (int64_t k = a->offset[node]; k < a->offset[node + 1]; k++)
        if (a->column[k] == label) return true;
    return false;
}

/* The best label behind the last one in the order of (score, number). */
static int32_t next_best(const float *y, int64_t classes, int32_t last)
{
    int32_t best = -1;
    for (int32_t k = 0; k < classes; k++) {
        const bool behind = last < 0 || y[k] < y[last] || (y[k] == y[last] && k > last);
        if (behind && (best < 0 || y[k] > y[best])) best = k;
    }
    return best;
}

static void guess_node(tally *t, const float *y, const wgdn_csr *a, int64_t node)
{
    int32_t label = -1;
    for (int64_t k = a->offset[node]; k < a->offset[node + 1]; k++) {
        t[a->column[k]].there++;
        label = next_best(y, a->cols, label);
        t[label].guessed++;
        t[label].hits += has_label(a, node, label);
    }
}

wgdn_status wgdn_multilabel_f1(double *micro, double *macro, const float *y, const wgdn_csr *lists,
                               const int64_t *row, int64_t rows, wgdn_error *err)
{
    const int64_t classes = lists->cols;
    int64_t hits = 0, there = 0, present = 0;
    double sum = 0;
    tally *t = wgdn_alloc_zero((size_t)classes, sizeof *t);
    if (!t) return wgdn_fail(err, WGDN_ENOMEM, "F1: %lld labels", (long long)classes);
    for (int64_t i = 0; i < rows; i++)
        guess_node(t, y + row[i] * classes, lists, row[i]);
    for (int64_t k = 0; k < classes; k++) {
        hits += t[k].hits;
        there += t[k].there;
        if (t[k].guessed + t[k].there == 0) continue;
        present++;
        sum += 2 * (double)t[k].hits / (double)(t[k].guessed + t[k].there);
    }
    *micro = there ? (double)hits / (double)there : 0;
    *macro = present ? sum / (double)present : 0;
    wgdn_release(t);
    return WGDN_OK;
}
