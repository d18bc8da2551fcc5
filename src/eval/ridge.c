/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fits ridge regression on numeric labels, over splits. probe.c calls it where the labels are
 * numbers. [WGDN:ridge]
 *
 *     w = (Z^T Z + p I)^-1 Z^T t   or, with fewer rows than columns,   w = Z^T (Z Z^T + p I)^-1 t
 *
 * Z holds the training rows, each column minus its mean and divided by its standard deviation; t
 * holds the labels minus their mean. p is a factor of 1e-4, 1e-3, ..., 100 times the mean of the
 * diagonal, chosen by the smallest squared error on the validation nodes.
 */
#include "probe.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double factor[] = {1e-4, 1e-3, 1e-2, 0.1, 1, 10, 100};
enum { FACTORS = WGDN_RIDGE_PENALTIES, WITHOUT = 4, SIZE_MAX_EXACT = 8192 };

/* One split: everything that its regression needs. */
typedef struct ridge {
    const float *x; /* n x width */
    int64_t width, size;
    bool dual;              /* size is the number of training rows, else the width */
    const double *value;    /* of each class of labels */
    double *mean, *scale;   /* width: of the columns; 1 / deviation, or 0 */
    double center;          /* mean of the labels to learn from */
    float *z;               /* training rows, standardized; transposed with dual */
    float *gram;            /* size x size */
    double *factored, *rhs; /* size x size, size */
    double *weight;         /* width */
    double *guess, *truth;  /* of the test nodes; the former also of the validation nodes */
    wgdn_arrays arrays;
} ridge;

static double label_of(const ridge *r, const wgdn_parts *p, int64_t i)
{
    return r->value[p->label[i]];
}

static void find_scales(ridge *r, const wgdn_parts *p)
{
    const double n = (double)p->train;
    double most = 0;
    for (int64_t j = 0; j < r->width; j++) {
        double sum = 0, squares = 0;
        for (int64_t i = 0; i < p->train; i++)
            sum += r->x[p->row[i] * r->width + j];
        r->mean[j] = sum / n;
        for (int64_t i = 0; i < p->train; i++) {
            const double part = r->x[p->row[i] * r->width + j] - r->mean[j];
            squares += part * part;
        }
        r->scale[j] = sqrt(squares / n);
        most = fmax(most, r->scale[j]);
    }
    for (int64_t j = 0; j < r->width; j++)
        r->scale[j] = r->scale[j] > 1e-6 * most ? 1 / r->scale[j] : 0;
    r->center = 0;
    for (int64_t i = 0; i < p->train; i++)
        r->center += label_of(r, p, i) / n;
}

/* Z, or Z^T with dual, and the product of either with itself. */
static wgdn_status make_gram(ridge *r, const wgdn_parts *p, wgdn_error *err)
{
    const int64_t rows = r->dual ? r->width : p->train;
    for (int64_t i = 0; i < p->train; i++)
        for (int64_t j = 0; j < r->width; j++)
            r->z[r->dual ? j * p->train + i : i * r->width + j] =
                (float)((r->x[p->row[i] * r->width + j] - r->mean[j]) * r->scale[j]);
    wgdn_product q = wgdn_product_of(r->gram, r->z, r->z, wgdn_alone(rows), r->size, r->size);
    q.gram = true;
    q.work = wgdn_alloc(wgdn_gemm_tn_work(wgdn_alone(rows), r->size, r->size), 1);
    const wgdn_status st = q.work ? wgdn_gemm_tn(&q, err)
                                  : wgdn_fail(err, WGDN_ENOMEM, "regression: %lld training nodes",
                                              (long long)p->train);
    wgdn_release(q.work);
    for (int64_t k = 0; k < r->size; k++) {
        double sum = r->dual ? label_of(r, p, k) - r->center : 0;
        for (int64_t i = 0; !r->dual && i < p->train; i++)
            sum += r->z[i * r->width + k] * (label_of(r, p, i) - r->center);
        r->rhs[k] = sum;
    }
    return st;
}

/* The lower half of G + penalty I becomes its Cholesky factor; solve for b in place. */
static void solve(double *b, double *f, const float *gram, int64_t size, double penalty)
{
    for (int64_t i = 0; i < size; i++)
        for (int64_t j = 0; j <= i; j++) {
            double sum = gram[i * size + j] + (i == j ? penalty : 0);
            for (int64_t k = 0; k < j; k++)
                sum -= f[i * size + k] * f[j * size + k];
            f[i * size + j] = i == j ? sqrt(fmax(sum, 1e-12 * penalty)) : sum / f[j * size + j];
        }
    for (int64_t i = 0; i < size; i++) {
        for (int64_t k = 0; k < i; k++)
            b[i] -= f[i * size + k] * b[k];
        b[i] /= f[i * size + i];
    }
    for (int64_t i = size - 1; i >= 0; i--) {
        for (int64_t k = i + 1; k < size; k++)
            b[i] -= f[k * size + i] * b[k];
        b[i] /= f[i * size + i];
    }
}

/* Weights of the columns as they are, into r->weight; returns the constant. */
static double fit(ridge *r, const wgdn_parts *p, double part, double *b)
{
    double trace = 0, constant = r->center;
    for (int64_t k = 0; k < r->size; k++)
        trace += r->gram[k * r->size + k];
    memcpy(b, r->rhs, (size_t)r->size * sizeof *b);
    memset(r->weight, 0, (size_t)r->width * sizeof *r->weight);
    if (trace <= 0) return constant; /* every column is constant */
    solve(b, r->factored, r->gram, r->size, part * trace / (double)r->size);
    for (int64_t j = 0; j < r->width; j++) {
        double sum = r->dual ? 0 : b[j];
        for (int64_t i = 0; r->dual && i < p->train; i++)
            sum += r->z[j * p->train + i] * b[i];
        r->weight[j] = sum * r->scale[j];
        constant -= r->weight[j] * r->mean[j];
    }
    return constant;
}

/* Predictions of `count` nodes from the first on; returns the sum of squared errors. */
static double predict(const ridge *r, const wgdn_parts *p, int64_t first, int64_t count,
                      double constant)
{
    double errors = 0;
    for (int64_t i = 0; i < count; i++) {
        const float *x = r->x + p->row[first + i] * r->width;
        r->guess[i] = constant;
        for (int64_t j = 0; j < r->width; j++)
            r->guess[i] += r->weight[j] * x[j];
        const double off = r->guess[i] - label_of(r, p, first + i);
        errors += off * off;
    }
    return errors;
}

/* ---- R^2 and Spearman's rank correlation ---- */

typedef struct placed {
    double value;
    int64_t at;
} placed;

/* Equal numbers share the mean of their ranks. */
static void rank_values(double *rank, const double *x, placed *room, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        room[i] = (placed){x[i], i};
    qsort(room, (size_t)n, sizeof *room, wgdn_by_double);
    for (int64_t i = 0, end; i < n; i = end) {
        for (end = i + 1; end < n && room[end].value == room[i].value;)
            end++;
        for (int64_t k = i; k < end; k++)
            rank[room[k].at] = (double)(i + end - 1) / 2;
    }
}

wgdn_status wgdn_spearman(double *out, const double *x, const double *y, int64_t n, wgdn_error *err)
{
    placed *room = wgdn_alloc((size_t)n, sizeof *room);
    double *rank = wgdn_alloc(2 * (size_t)n, sizeof *rank);
    const double middle = (double)(n - 1) / 2;
    double xx = 0, yy = 0, xy = 0;
    const bool good = room && rank;
    if (good) {
        rank_values(rank, x, room, n);
        rank_values(rank + n, y, room, n);
    }
    for (int64_t i = 0; good && i < n; i++) {
        const double a = rank[i] - middle, b = rank[n + i] - middle;
        xx += a * a;
        yy += b * b;
        xy += a * b;
    }
    *out = xx > 0 && yy > 0 ? xy / sqrt(xx * yy) : 0;
    wgdn_release(rank);
    wgdn_release(room);
    return good ? WGDN_OK : wgdn_fail(err, WGDN_ENOMEM, "ranks of %lld numbers", (long long)n);
}

static wgdn_status measure_test(double *r2, double *spearman, const ridge *r, const wgdn_parts *p,
                                double errors, wgdn_error *err)
{
    double mean = 0, all = 0;
    for (int64_t i = 0; i < p->test; i++) {
        r->truth[i] = label_of(r, p, p->train + p->val + i);
        mean += r->truth[i] / (double)p->test;
    }
    for (int64_t i = 0; i < p->test; i++)
        all += (r->truth[i] - mean) * (r->truth[i] - mean);
    *r2 = all > 0 ? 1 - errors / all : 0;
    return wgdn_spearman(spearman, r->guess, r->truth, p->test, err);
}

/* ---- splits ---- */

static wgdn_status open_split(ridge *r, const wgdn_parts *p, wgdn_error *err)
{
    r->dual = p->train < r->width;
    r->size = r->dual ? p->train : r->width;
    if (r->size > SIZE_MAX_EXACT)
        return wgdn_fail(err, WGDN_ERANGE,
                         "regression: %lld columns and %lld training nodes; one of them may be "
                         "%d at most",
                         (long long)r->width, (long long)p->train, SIZE_MAX_EXACT);
    const size_t square = (size_t)(r->size * r->size);
    wgdn_arrays *a = &r->arrays;
    r->mean = wgdn_arrays_add(a, (size_t)r->width, sizeof *r->mean);
    r->scale = wgdn_arrays_add(a, (size_t)r->width, sizeof *r->scale);
    r->weight = wgdn_arrays_add(a, (size_t)r->width, sizeof *r->weight);
    r->z = wgdn_arrays_add(a, (size_t)p->train, (size_t)r->width * sizeof *r->z);
    r->gram = wgdn_arrays_add(a, square, sizeof *r->gram);
    r->factored = wgdn_arrays_add(a, square, sizeof *r->factored);
    r->rhs = wgdn_arrays_add(a, 2 * (size_t)r->size, sizeof *r->rhs);
    r->guess = wgdn_arrays_add(a, (size_t)(p->test > p->val ? p->test : p->val), sizeof *r->guess);
    r->truth = wgdn_arrays_add(a, (size_t)p->test, sizeof *r->truth);
    if (!a->failed) return WGDN_OK;
    return wgdn_fail(err, WGDN_ENOMEM, "regression: %lld training nodes, %lld columns",
                     (long long)p->train, (long long)r->width);
}

static wgdn_status run_split(double *r2, double *spearman, ridge *r, const wgdn_parts *p,
                             wgdn_error *err)
{
    double least = INFINITY;
    wgdn_status st = open_split(r, p, err);
    if (!st) {
        find_scales(r, p);
        st = make_gram(r, p, err);
    }
    for (int k = 0; !st && k < FACTORS; k++) {
        if (p->val == 0 && k != WITHOUT) continue;
        const double constant = fit(r, p, factor[k], r->rhs + r->size);
        const double off = predict(r, p, p->train, p->val, constant);
        if (off >= least) continue;
        least = off;
        const double errors = predict(r, p, p->train + p->val, p->test, constant);
        st = measure_test(r2, spearman, r, p, errors, err);
    }
    wgdn_arrays_release(&r->arrays);
    return st;
}

wgdn_status wgdn_ridge_path(float *weight, const float *x, int64_t width, const double *value,
                            const wgdn_parts *p, wgdn_error *err)
{
    ridge r = {.x = x, .width = width, .value = value};
    wgdn_status st = open_split(&r, p, err);
    if (!st) {
        find_scales(&r, p);
        st = make_gram(&r, p, err);
    }
    for (int k = 0; !st && k < FACTORS; k++, weight += width + 1) {
        weight[width] = (float)fit(&r, p, factor[k], r.rhs + r.size);
        for (int64_t j = 0; j < width; j++)
            weight[j] = (float)r.weight[j];
    }
    wgdn_arrays_release(&r.arrays);
    return st;
}

wgdn_status wgdn_label_values(double **value, const wgdn_dataset *d, wgdn_error *err)
{
    const int64_t classes = wgdn_dataset_classes(d);
    *value = wgdn_alloc((size_t)classes, sizeof **value);
    if (!*value) return wgdn_fail(err, WGDN_ENOMEM, "%lld labels", (long long)classes);
    if (d->lists.offset)
        return wgdn_fail(err, WGDN_EINVAL,
                         "nodes have several labels; a regression predicts one number each");
    for (int64_t k = 0; k < classes; k++) {
        if (d->class_names.count == 0)
            (*value)[k] = (double)k; /* numbers are their own names */
        else if (!wgdn_label_number(&(*value)[k], d, k))
            return wgdn_fail(err, WGDN_EINVAL, "the label %s is not a number",
                             wgdn_show(wgdn_names_get(&d->class_names, k)).text);
    }
    return WGDN_OK;
}

wgdn_status wgdn_ridge_runs(wgdn_probe_result *out, const wgdn_dataset *d, const wgdn_vectors *v,
                            const wgdn_eval_options *o, wgdn_error *err)
{
    const int splits = wgdn_split_count(d, o);
    double *value = NULL, *r2 = wgdn_alloc_zero(2 * (size_t)splits, sizeof *r2);
    wgdn_status st = r2 ? wgdn_label_values(&value, d, err)
                        : wgdn_fail(err, WGDN_ENOMEM, "regression: %d splits", splits);
    for (int k = 0; !st && k < splits; k++) {
        ridge r = {.x = v->x, .width = v->width, .value = value};
        wgdn_parts p = {0};
        st = wgdn_parts_make(&p, d, o, k, err);
        if (!st && k == 0) {
            out->train = p.train;
            out->val = p.val;
            out->test = p.test;
        }
        if (!st) st = run_split(&r2[k], &r2[splits + k], &r, &p, err);
        wgdn_parts_free(&p);
        if (!st) st = wgdn_eval_progress(o, k + 1, splits, err);
    }
    if (!st) {
        out->numeric = 1;
        out->runs = out->splits = splits;
        out->r2 = wgdn_spread_of(r2, splits);
        out->spearman = wgdn_spread_of(r2 + splits, splits);
        for (int k = 0; out->each && k < splits; k++)
            out->each[k] = r2[k];
    }
    wgdn_release(value);
    wgdn_release(r2);
    return st;
}
