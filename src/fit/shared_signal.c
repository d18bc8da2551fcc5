/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Computes the part of the closed form that keeps the signal that features share with neighbors,
 * as a Wiener filter over directions. fit.c calls it to learn the map and to embed.
 */
#include "fit.h"
#include "linalg/wide_rows.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

/*
 * Computes the small matrices of a shared part, k x k in double. Vectors are rows: z = y M.
 *                                                                                 [WGDN:shared-map]
 *
 *     M = (C^-1 N)^q = L^-T A^q L^T,   A = L^-1 N L^-T,   C = L L^T,   0 <= A <= 1
 *
 * C is the covariance of nodes, N that of nodes with their neighbors. Suppose that a node is signal
 * plus independent noise, and that neighbors share the signal. Then N is the covariance of the
 * signal, and q = 1 gives M = C^-1 N, the Wiener filter over directions; a smaller q shrinks less.
 *
 * Where signal lies in many directions, more of them can be given up: q grows with the square of the
 * rank that q = 1/2 leaves, (sum of g)^2 / sum of g^2 over the variances g of the principal axes. Noise
 * of the edges adds to this rank as it takes from the agreement, so the rank counts in proportion to
 * an agreement below `sure`.
 */

static const double ridge = 0.5; /* of the mean eigenvalue of C, added to all */
static const double power_least = 0.5, power_most = 2; /* q */
static const double rank_of_one = 16;                  /* that gives q = 1 */
static const double sure = 0.25;                       /* agreement with which it counts whole */

enum {
    ROWS = 4,     /* of a product that are made while a row of the other factor is at hand */
    COLUMNS = 64, /* of a solution that a thread makes */
    TILE = 16     /* of a transpose */
};

/* C = A B, all k x k. */
static void times(double *c, const double *a, const double *b, int64_t k)
{
    const wgdn_wide_ops *ops = wgdn_wide_rows();
#pragma omp parallel for schedule(dynamic) if (!wgdn_forked())
    for (int64_t i = 0; i < k; i += ROWS) {
        const int64_t end = wgdn_min(i + ROWS, k);
        memset(c + i * k, 0, (size_t)((end - i) * k) * sizeof *c);
        for (int64_t l = 0; l < k; l++)
            for (int64_t r = i; r < end; r++)
                ops->axpy(c + r * k, a[r * k + l], b + l * k, k);
    }
}

/* A becomes its transpose. */
static void turn(double *a, int64_t k)
{
    for (int64_t top = 0; top < k; top += TILE)
        for (int64_t left = 0; left <= top; left += TILE)
            for (int64_t i = top; i < wgdn_min(top + TILE, k); i++)
                for (int64_t j = left; j < wgdn_min(left + TILE, i); j++) {
                    const double x = a[i * k + j];
                    a[i * k + j] = a[j * k + i];
                    a[j * k + i] = x;
                }
}

static void make_symmetric(double *a, int64_t k)
{
    for (int64_t i = 0; i < k; i++)
        for (int64_t j = 0; j < i; j++)
            a[i * k + j] = a[j * k + i] = (a[i * k + j] + a[j * k + i]) / 2;
}

/* Row i times by(value_i). */
static void scale_rows(double *a, const double *value, double exponent, int64_t k)
{
    for (int64_t i = 0; i < k; i++) {
        const double by = value[i] > 0 ? pow(value[i], exponent) : 0;
        for (int64_t j = 0; j < k; j++)
            a[i * k + j] *= by;
    }
}

/* L of A = L L^T in the lower half; A is not singular. */
static void cholesky(double *a, int64_t k)
{
    for (int64_t i = 0; i < k; i++)
        for (int64_t j = 0; j <= i; j++) {
            const double sum = a[i * k + j] - wgdn_wide_rows()->dot(a + i * k, a + j * k, j);
            a[i * k + j] = i == j ? sqrt(fmax(sum, 1e-300)) : sum / a[j * k + j];
        }
}

/* `width` columns of B <- L^-1 B */
static void solve_columns(const double *l, double *b, int64_t k, int64_t width)
{
    const wgdn_wide_ops *ops = wgdn_wide_rows();
    for (int64_t i = 0; i < k; i++) {
        for (int64_t r = 0; r < i; r++)
            ops->axpy(b + i * k, -l[i * k + r], b + r * k, width);
        for (int64_t j = 0; j < width; j++)
            b[i * k + j] /= l[i * k + i];
    }
}

/* `width` columns of B <- L^-T B */
static void solve_columns_turned(const double *l, double *b, int64_t k, int64_t width)
{
    const wgdn_wide_ops *ops = wgdn_wide_rows();
    for (int64_t i = k - 1; i >= 0; i--) {
        for (int64_t j = 0; j < width; j++)
            b[i * k + j] /= l[i * k + i];
        for (int64_t r = 0; r < i; r++)
            ops->axpy(b + r * k, -l[i * k + r], b + i * k, width);
    }
}

static void solve(const double *l, double *b, int64_t k, bool turned)
{
#pragma omp parallel for schedule(dynamic) if (!wgdn_forked())
    for (int64_t first = 0; first < k; first += COLUMNS) {
        const int64_t width = wgdn_min(COLUMNS, k - first);
        if (turned)
            solve_columns_turned(l, b + first, k, width);
        else
            solve_columns(l, b + first, k, width);
    }
}

/* Numbers of `value`, so that what lies behind begins on a line. */
static int64_t padded(int64_t k)
{
    return (k + 7) / 8 * 8;
}

size_t wgdn_shared_work(int64_t k)
{
    return (size_t)(7 * k * k + 2 * padded(k)) * sizeof(double) + wgdn_symmetric_work(k);
}

/* L^-T T^T, T L^T and diag(A) of A = T^T diag(A) T, at the end of the work. */
typedef struct factors {
    double *left, *right, *value;
    void *rest; /* of the work, for wgdn_symmetric_eigen() */
} factors;

static factors factors_of(void *work, int64_t k)
{
    double *left = (double *)work + 5 * k * k, *value = left + 2 * k * k;
    return (factors){left, left + k * k, value, value + 2 * padded(k)};
}

void wgdn_shared_factors(const double *c, const double *n, int64_t k, void *work)
{
    const size_t square = (size_t)(k * k);
    const factors f = factors_of(work, k);
    double *l = work, *t = f.left, *lower = l + square, mean = 0;
    memcpy(l, c, square * sizeof *l);
    for (int64_t i = 0; i < k; i++)
        mean += c[i * k + i] / (double)k;
    for (int64_t i = 0; i < k; i++)
        l[i * k + i] += ridge * mean + 1e-300;
    cholesky(l, k);
    memcpy(t, n, square * sizeof *t); /* A = L^-1 N L^-T */
    solve(l, t, k, false);
    turn(t, k);
    solve(l, t, k, false);
    make_symmetric(t, k);
    wgdn_symmetric_eigen(f.value, t, k, f.rest); /* rows of T */
    memcpy(lower, l, square * sizeof *lower);
    for (int64_t i = 0; i < k; i++) {
        f.value[i] = f.value[i] < 1 ? f.value[i] : 1;
        memset(lower + i * k + i + 1, 0, (size_t)(k - i - 1) * sizeof *lower);
    }
    turn(lower, k);
    times(f.right, t, lower, k);
    turn(t, k);
    solve(l, t, k, true);
}

void wgdn_shared_map(double *m, double power, int64_t k, void *work)
{
    const factors f = factors_of(work, k);
    double *shrunk = work;
    memcpy(shrunk, f.right, (size_t)(k * k) * sizeof *shrunk);
    scale_rows(shrunk, f.value, power, k);
    times(m, f.left, shrunk, k);
}

/* G = M^T C M, the covariance after M, for shared_axes(). */
static double *spread(const double *m, const double *c, int64_t k, void *work)
{
    const size_t square = (size_t)(k * k);
    double *t = work, *g = t + square, *half = g + square;
    memcpy(t, m, square * sizeof *t);
    turn(t, k);
    times(half, t, c, k);
    times(g, half, m, k);
    make_symmetric(g, k);
    return g;
}

double wgdn_shared_power(double *m, const double *c, double agreement, int64_t k, void *work)
{
    double trace = 0, squares = 0;
    wgdn_shared_map(m, power_least, k, work);
    const double *g = spread(m, c, k, work);
    for (int64_t i = 0; i < k; i++) {
        trace += g[i * k + i];
        squares += wgdn_wide_rows()->dot(g + i * k, g + i * k, k);
    }
    const double rank = squares > 0 ? trace * trace / squares : 0;
    const double power = pow(rank / rank_of_one * fmin(agreement / sure, 1), 2);
    if (power <= power_least) return power_least;
    wgdn_shared_map(m, fmin(power, power_most), k, work);
    (void)spread(m, c, k, work);
    return fmin(power, power_most);
}

/* The column of a basis with the sign that makes the sum of its cubes >= 0. */
static void fix_sign(float *basis, int64_t j, int64_t k, int64_t ld)
{
    double sum = 0;
    for (int64_t i = 0; i < k; i++)
        sum += pow(basis[i * ld + j], 3);
    for (int64_t i = 0; sum < 0 && i < k; i++)
        basis[i * ld + j] = -basis[i * ld + j];
}

/*
 * Columns [0, dim) of the basis, k x ld: M times the leading principal axes of what spread() left in the work,
 * scaled so that the mean square of their lengths is length^2. Returns how many are not 0.
 */
static int64_t shared_axes(float *basis, int64_t ld, int64_t dim, const double *m, int64_t k,
                           double length, void *work)
{
    const factors f = factors_of(work, k);
    double *g = (double *)work + k * k, *half = g + k * k, *value = f.value + padded(k), sum = 0;
    wgdn_symmetric_eigen(value, g, k, f.rest);
    for (int64_t j = 0; j < dim; j++)
        sum += fmax(value[j], 0);
    const double by = sum > 0 ? length / sqrt(sum) : 0;
    turn(g, k);
    times(half, m, g, k); /* columns in the order of their values */
    for (int64_t j = 0; j < dim; j++) {
        for (int64_t i = 0; i < k; i++)
            basis[i * ld + j] = (float)(by * half[i * k + j]);
        fix_sign(basis, j, k, ld);
    }
    while (dim > 0 && !(value[dim - 1] > WGDN_FIT_RANK * WGDN_FIT_RANK * value[0]))
        dim--;
    return dim;
}

/*
 * Learns the features that neighbors share.                                           [WGDN:shared]
 *
 *     Y = R X V                        V: leading right singular vectors of R X, or all features
 *     Z = [(u(p(S) Y) - a) M P,  w (u(Y) - b) M Q]       u: rows of length 1;  a, b: their means
 *
 * The map M shrinks the components that a node does not share with its neighbors. P and Q are
 * principal axes: of the node as its neighborhood sees it, and, with less weight, of the node
 * itself. Rows of zeros, nodes without any features, remain rows of zeros.
 *
 * No matrix of nodes x columns has to fit in memory.
 */

static const double own_weight = 0.3; /* w */

typedef struct learning {
    const wgdn_fit_input *in;
    int64_t k;
    double agreement; /* of the scale that predicts best */
    wgdn_tall y;
    wgdn_tall other;          /* L u(Y), then p(S) Y */
    float *length;            /* of each row of Y, inverted; 0: a row of zeros */
    float *there;             /* a chunk of rows of `other` */
    double *mean;             /* k + 1: the last counts rows that are not 0 */
    double *c, *n, *m;        /* k x k */
    double *own_c, *own_mean; /* c and mean of rows as they are */
    void *small;
    wgdn_tall_work work;
    wgdn_arrays arrays;
} learning;

static wgdn_status open_learning(learning *l, const wgdn_fit_input *in, int64_t k, wgdn_error *err)
{
    const size_t chunk = (size_t)wgdn_chunk_rows(in->rows), square = (size_t)(k * k);
    *l = (learning){.in = in, .k = k};
    l->length = wgdn_arrays_add(&l->arrays, (size_t)in->rows.count, sizeof *l->length);
    l->there = wgdn_arrays_add(&l->arrays, chunk * (size_t)k, sizeof *l->there);
    l->mean = wgdn_arrays_add(&l->arrays, (size_t)k + 1, sizeof *l->mean);
    l->c = wgdn_arrays_add(&l->arrays, square, sizeof *l->c);
    l->n = wgdn_arrays_add(&l->arrays, square, sizeof *l->n);
    l->m = wgdn_arrays_add(&l->arrays, square, sizeof *l->m);
    l->own_c = wgdn_arrays_add(&l->arrays, square, sizeof *l->own_c);
    l->own_mean = wgdn_arrays_add(&l->arrays, (size_t)k, sizeof *l->own_mean);
    l->small = wgdn_arrays_add(&l->arrays, wgdn_shared_work(k), 1);
    if (!l->arrays.failed) return wgdn_columns_open(&l->other, in, k, err);
    return wgdn_fail(err, WGDN_ENOMEM, "shared features: covariances of %lld columns",
                     (long long)k);
}

/* ---- u(Y) - a: rows of length 1, minus their mean ---- */

/* Columns [at, at + k) of rows, with what belongs to these rows and columns. */
typedef struct centering {
    float *y, *length;
    const double *mean;
    int64_t k;
} centering;

/* Scales rows to length 1; sums them, and counts those that are not 0. */
static void unit_rows(int64_t first, int64_t count, double *sums, void *context)
{
    const centering *s = context;
    for (int64_t i = first; i < first + count; i++) {
        float *y = s->y + i * s->k;
        s->length[i] = wgdn_row_to_length(y, s->k, 1);
        for (int64_t j = 0; j < s->k; j++)
            sums[j] += y[j];
        sums[s->k] += s->length[i] != 0;
    }
}

static wgdn_status sum_unit_rows(double *sum, float *rows, wgdn_span chunk, void *scratch,
                                 void *self, wgdn_error *err)
{
    const learning *l = self;
    centering s = {rows, l->length + wgdn_chunk_first(chunk), NULL, l->k};
    (void)err;
    wgdn_for_blocks(chunk, unit_rows, &s, sum, l->k + 1, scratch);
    return WGDN_OK;
}

/* Measures the lengths of all rows, and the mean of rows of length 1. */
static wgdn_status measure(learning *l, const wgdn_tall *y, wgdn_error *err)
{
    const wgdn_tall_sums s = {.from = y,
                              .edits = true,
                              .size = l->k + 1,
                              .scratch = wgdn_for_blocks_work(wgdn_chunk(l->in->rows, 0), l->k + 1),
                              .call = sum_unit_rows,
                              .self = l};
    const double *sum = NULL;
    const wgdn_status st = wgdn_tall_sum(&sum, &s, &l->work, err);
    for (int64_t j = 0; j < l->k && !st; j++)
        l->mean[j] = sum[j] / (sum[l->k] > 0 ? sum[l->k] : 1);
    return st;
}

static void center_rows(int64_t first, int64_t count, void *context)
{
    const centering *s = context;
    for (int64_t i = first; i < first + count; i++)
        for (int64_t j = 0; j < s->k && s->length[i] != 0; j++)
            s->y[i * s->k + j] = (float)(s->y[i * s->k + j] * s->length[i] - s->mean[j]);
}

/* ---- C and N ---- */

typedef struct covering {
    learning *l;
    const wgdn_tall *other; /* or NULL */
} covering;

static wgdn_status sum_products(double *sum, float *rows, wgdn_span chunk, void *scratch,
                                void *self, wgdn_error *err)
{
    const covering *v = self;
    const learning *l = v->l;
    centering s = {rows, l->length + wgdn_chunk_first(chunk), l->mean, l->k};
    wgdn_for_rows(chunk, center_rows, &s);
    if (v->other) wgdn_tall_get_rows(l->there, v->other, chunk);
    wgdn_product p = wgdn_product_of(NULL, rows, v->other ? l->there : rows, chunk, l->k, l->k);
    p.wide = sum;
    p.gram = !v->other;
    p.work = scratch;
    return wgdn_gemm_tn(&p, err);
}

/* C = (u(Y) - a)^T (u(Y) - a) / n, or with `other` in place of the second factor. */
static wgdn_status covariance(double *c, learning *l, const wgdn_tall *y, const wgdn_tall *other,
                              wgdn_error *err)
{
    covering self = {l, other};
    const wgdn_tall_sums s = {.from = y,
                              .edits = true,
                              .size = l->k * l->k,
                              .scratch = wgdn_gemm_tn_work(wgdn_chunk(l->in->rows, 0), l->k, l->k),
                              .call = sum_products,
                              .self = &self};
    const double *sum = NULL;
    const wgdn_status st = wgdn_tall_sum(&sum, &s, &l->work, err);
    for (int64_t i = 0; i < s.size && !st; i++)
        c[i] = sum[i] / (double)l->in->rows.total;
    return st;
}

/* y = L (u(x) - a) */
static float *neighbor_columns(float *x, float *y, int64_t at, int64_t width, void *self)
{
    const learning *l = self;
    centering s = {x, l->length, l->mean + at, width};
    wgdn_for_rows(l->in->rows, center_rows, &s);
    wgdn_laplacian(y, l->in->graph, x, width);
    return y;
}

/* N = Y^T S Y = C - Y^T L Y, its two halves rounded alike. */
static void take_from(double *n, const double *c, int64_t k)
{
    for (int64_t i = 0; i < k; i++)
        for (int64_t j = 0; j <= i; j++)
            n[i * k + j] = n[j * k + i] = c[i * k + j] - (n[i * k + j] + n[j * k + i]) / 2;
}

/* ---- the map ---- */

/* Columns [at, at + dim) of the map and of what is taken off afterwards. */
static int64_t put_axes(wgdn_fitted_part *p, const learning *l, int64_t at, int64_t dim,
                        double length)
{
    const int64_t rank = shared_axes(p->map + at, p->dim, dim, l->m, l->k, length, l->small);
    for (int64_t j = at; j < at + dim; j++) {
        double sum = 0;
        for (int64_t i = 0; i < l->k; i++)
            sum += l->mean[i] * p->map[i * p->dim + j];
        p->center[j] = (float)sum;
    }
    return rank;
}

/* The first `near` columns stay, and `own` of those that are not filtered; at least one in all. */
static void keep_columns(wgdn_fitted_part *p, int64_t near, int64_t own)
{
    const int64_t from = p->dim - p->own, old = p->dim;
    p->empty = near + own == 0;
    if (near == 0) near = 1;
    p->own = own;
    p->dim = near + own;
    if (p->dim == old) return;
    for (int64_t i = 0; i < p->inner; i++) {
        memmove(p->map + i * p->dim, p->map + i * old, (size_t)near * sizeof *p->map);
        memmove(p->map + i * p->dim + near, p->map + i * old + from, (size_t)own * sizeof *p->map);
    }
    memmove(p->center + near, p->center + from, (size_t)own * sizeof *p->center);
}

/* Of what is filtered first; columns that it leaves are for features as they are. */
static void learn_axes(wgdn_fitted_part *p, learning *l)
{
    const int64_t near = put_axes(p, l, 0, p->dim - p->own, 1);
    int64_t own = 0;
    if (p->own) {
        double *const mean = l->mean;
        p->own = p->dim - (near > 0 ? near : 1);
        (void)spread(l->m, l->own_c, l->k, l->small);
        l->mean = l->own_mean;
        own = put_axes(p, l, p->dim - p->own, p->own, own_weight);
        l->mean = mean;
    }
    keep_columns(p, near, own);
}

static wgdn_status learn_map(wgdn_fitted_part *p, learning *l, wgdn_error *err)
{
    wgdn_status st = wgdn_features_open(&l->y, p->basis, l->in, l->k, err);
    if (!st) st = measure(l, &l->y, err);
    if (!st) st = covariance(l->c, l, &l->y, NULL, err);
    if (!st)
        st = wgdn_tall_map_columns(&l->other, &l->y, WGDN_COLUMNS_EDIT, neighbor_columns, l,
                                   &l->work, err);
    wgdn_tall_work_free(&l->work); /* whose blocks of columns are not needed any more */
    if (!st) st = covariance(l->n, l, &l->y, &l->other, err);
    if (st) return st;
    take_from(l->n, l->c, l->k);
    wgdn_shared_factors(l->c, l->n, l->k, l->small);
    if (p->own) {
        memcpy(l->own_c, l->c, (size_t)(l->k * l->k) * sizeof *l->c);
        memcpy(l->own_mean, l->mean, (size_t)l->k * sizeof *l->mean);
    }
    st = wgdn_part_filter(&l->other, &l->y, p, false, l->in, err);
    if (!st) st = measure(l, &l->other, err);
    if (!st) st = covariance(l->c, l, &l->other, NULL, err);
    if (st) return st;
    (void)wgdn_shared_power(l->m, l->c, l->agreement, l->k, l->small);
    learn_axes(p, l);
    return WGDN_OK;
}

/* ---- Y and p(S) Y, from the fit to the first embedding of the same dataset ---- */

static wgdn_kept *kept_new(uint64_t serial)
{
    wgdn_kept *k = wgdn_alloc_zero(1, sizeof *k);
    if (!k) return NULL;
    atomic_flag_clear(&k->taken);
    k->serial = serial;
    return k;
}

/* Moves a matrix. */
static void move(wgdn_tall *to, wgdn_tall *from)
{
    *to = *from;
    *from = (wgdn_tall){.k = 0};
}

/* Moves both to the caller, if they are of the dataset of `in` and still there. */
static bool kept_take(wgdn_tall *y, wgdn_tall *filtered, wgdn_kept *k, const wgdn_fit_input *in)
{
    if (!wgdn_kept_is_of(k, in->serial) || atomic_flag_test_and_set(&k->taken)) return false;
    move(y, &k->y);
    move(filtered, &k->filtered);
    y->of = in; /* that of the fit is gone */
    return true;
}

static wgdn_status shared_learn(wgdn_fitted_part *p, const wgdn_fitted *f, const wgdn_fit_input *in,
                                wgdn_error *err)
{
    wgdn_fitted_part columns = {.kind = WGDN_PART_FILTERED,
                                .hops = -1,
                                .weight = 1,
                                .dim = wgdn_shared_inner(p->dim, in->rows.total)};
    learning l = {0};
    wgdn_status st = wgdn_filtered_part.learn(&columns, f, in, err);
    p->basis = columns.basis;
    p->rows = in->features;
    p->inner = columns.dim;
    p->dim = wgdn_min(p->dim, p->inner);
    if (st) return st;
    p->map = wgdn_alloc((size_t)(p->inner * p->dim), sizeof *p->map);
    p->center = wgdn_alloc((size_t)p->dim, sizeof *p->center);
    if (in->keep) p->kept = kept_new(in->serial);
    if (!p->map || !p->center || (in->keep && !p->kept))
        st = wgdn_fail(err, WGDN_ENOMEM, "shared features: a map of %lld x %lld",
                       (long long)p->inner, (long long)p->dim);
    if (!st) st = open_learning(&l, in, p->inner, err);
    for (int t = 0; t < f->scales; t++)
        l.agreement = fmax(l.agreement, f->agreement[t]);
    st = wgdn_span_agree(in->rows, st, err);
    if (!st) st = learn_map(p, &l, err);
    if (!st && in->keep) {
        move(&p->kept->y, &l.y);
        move(&p->kept->filtered, &l.other);
        p->kept->filled = true;
    }
    wgdn_tall_work_free(&l.work);
    wgdn_tall_close(&l.other);
    wgdn_tall_close(&l.y);
    wgdn_arrays_release(&l.arrays);
    return wgdn_span_agree(in->rows, st, err);
}

/* Embeds with the learned map, one chunk of rows at a time. */

/* Rows of Y, or of p(S) Y, and the columns [at, at + dim) that they become. */
typedef struct half {
    int64_t at, dim;
    float *columns; /* of the map, inner x dim */
} half;

typedef struct mapping {
    const wgdn_fitted_part *p;
    const wgdn_fit_input *in;
    const wgdn_destination *to;
    wgdn_tall y, filtered, *from; /* from: p(S) Y, which may replace Y */
    bool kept;                    /* p(S) Y is there already */
    half near, own;
    float *rows;          /* of the current chunk, x inner */
    float *mapped, *made; /* a chunk, x dim of the wider half, x dim */
    wgdn_arrays arrays;
} mapping;

static bool is_zero(const float *y, int64_t k)
{
    for (int64_t j = 0; j < k; j++)
        if (y[j] != 0) return false;
    return true;
}

static void shared_embed_unit_rows(int64_t first, int64_t count, void *context)
{
    const mapping *m = context;
    for (int64_t i = first; i < first + count; i++)
        (void)wgdn_row_to_length(m->rows + i * m->p->inner, m->p->inner, 1);
}

typedef struct putting {
    const mapping *m;
    const half *h;
} putting;

static void put_rows(int64_t first, int64_t count, void *context)
{
    const putting *q = context;
    const mapping *m = q->m;
    const int64_t dim = q->h->dim, inner = m->p->inner;
    const float *center = m->p->center + q->h->at;
    for (int64_t i = first; i < first + count; i++) {
        float *to = m->made + i * m->p->dim + q->h->at;
        if (is_zero(m->rows + i * inner, inner))
            memset(to, 0, (size_t)dim * sizeof *to);
        else
            for (int64_t j = 0; j < dim; j++)
                to[j] = m->mapped[i * dim + j] - center[j];
    }
}

/* The rows of a chunk, which lie in m->rows, into their half of it. */
static wgdn_status map_rows(const mapping *m, const half *h, wgdn_span here, wgdn_error *err)
{
    putting q = {m, h};
    const wgdn_product p =
        wgdn_product_of(m->mapped, m->rows, h->columns, here, m->p->inner, h->dim);
    wgdn_for_rows(here, shared_embed_unit_rows, (void *)(uintptr_t)m);
    const wgdn_status st = wgdn_gemm_nn(&p, err);
    if (!st) wgdn_for_rows(here, put_rows, &q);
    return st;
}

static wgdn_status embed_chunk(float *to, float *rows, wgdn_span here, void *self, wgdn_error *err)
{
    mapping *m = self;
    (void)to;
    m->rows = rows;
    wgdn_status st = map_rows(m, &m->near, here, err);
    if (!st && m->own.dim) {
        wgdn_tall_get_rows(rows, &m->y, here);
        st = map_rows(m, &m->own, here, err);
    }
    return st ? st : wgdn_destination_put(m->to, m->made, m->p->dim, here, err);
}

static void open_half(half *h, mapping *m, int64_t at, int64_t dim)
{
    const wgdn_fitted_part *p = m->p;
    *h = (half){.at = at, .dim = dim};
    h->columns = wgdn_arrays_add(&m->arrays, (size_t)(p->inner * dim), sizeof *h->columns);
    if (h->columns) wgdn_copy_columns(h->columns, dim, p->map + at, p->dim, p->inner, dim);
}

static wgdn_status open_mapping(mapping *m, wgdn_error *err)
{
    const wgdn_fitted_part *p = m->p;
    const size_t chunk = (size_t)wgdn_chunk_rows(m->in->rows);
    const int64_t near = p->dim - p->own;
    const size_t wider = (size_t)(near > p->own ? near : p->own);
    m->mapped = wgdn_arrays_add(&m->arrays, chunk * wider, sizeof *m->mapped);
    m->made = wgdn_arrays_add(&m->arrays, chunk * (size_t)p->dim, sizeof *m->made);
    open_half(&m->near, m, 0, near);
    open_half(&m->own, m, near, p->own);
    if (m->arrays.failed)
        return wgdn_fail(err, WGDN_ENOMEM, "shared features: a chunk of %zu rows", chunk);
    const bool over = p->basis && !p->own;
    m->kept = kept_take(&m->y, &m->filtered, p->kept, m->in);
    m->from = over && !m->kept ? &m->y : &m->filtered;
    if (m->kept) return WGDN_OK;
    wgdn_status st = wgdn_features_open(&m->y, p->basis, m->in, p->inner, err);
    if (!st && !over) st = wgdn_columns_open(&m->filtered, m->in, p->inner, err);
    return st;
}

static wgdn_status shared_embed(const wgdn_destination *to, const wgdn_fitted_part *p,
                                const wgdn_fitted *f, const wgdn_fit_input *in, wgdn_error *err)
{
    (void)f;
    mapping m = {.p = p, .in = in, .to = to};
    wgdn_tall_work work = {0};
    wgdn_status st = wgdn_span_agree(in->rows, open_mapping(&m, err), err);
    if (!st && !m.kept) st = wgdn_part_filter(m.from, &m.y, p, false, in, err);
    if (!st) st = wgdn_tall_map_rows(NULL, m.from, embed_chunk, &m, &work, err);
    wgdn_tall_work_free(&work);
    wgdn_tall_close(&m.filtered);
    wgdn_tall_close(&m.y);
    wgdn_arrays_release(&m.arrays);
    return wgdn_span_agree(in->rows, st, err);
}

const wgdn_part_calls wgdn_shared_part = {"features that neighbors share", shared_learn,
                                          shared_embed};
