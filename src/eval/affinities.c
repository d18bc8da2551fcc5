/* SPDX-License-Identifier: Apache-2.0 */
/* Who is near whom, as probabilities: the side of t-SNE that never changes.
 * [WGDN:tsne] */
#include "map.h"

#include <math.h>

enum { HALVINGS = 64 }; /* of the range of a row's precision */

typedef struct nearness {
    const float *x;
    int64_t n, width, k;
    double entropy;  /* that each row is to have */
    float *point;    /* n x (width + 1): x, then -|x|^2 / 2 */
    float *query;    /* n x (width + 1): x, then 1 */
    int64_t *found;  /* n x (k + 1) */
    double *squares; /* n x k: distances */
    wgdn_csr rows;   /* n x n: k weights a row */
} nearness;

static wgdn_status open_nearness(nearness *a, wgdn_error *err)
{
    const size_t n = (size_t)a->n, wide = (size_t)a->width + 1, k = (size_t)a->k;
    a->point = wgdn_alloc(n, wide * sizeof *a->point);
    a->query = wgdn_alloc(n, wide * sizeof *a->query);
    a->found = wgdn_alloc(n, (k + 1) * sizeof *a->found);
    a->squares = wgdn_alloc(n, k * sizeof *a->squares);
    a->rows = (wgdn_csr){.rows = a->n, .cols = a->n};
    a->rows.offset = wgdn_alloc(n + 1, sizeof *a->rows.offset);
    a->rows.column = wgdn_alloc(n, k * sizeof *a->rows.column);
    a->rows.value = wgdn_alloc(n, k * sizeof *a->rows.value);
    if (a->point && a->query && a->found && a->squares && a->rows.offset && a->rows.column &&
        a->rows.value)
        return WGDN_OK;
    return wgdn_fail(err, WGDN_ENOMEM, "affinities: %lld neighbours of %lld points",
                     (long long)a->k, (long long)a->n);
}

static void close_nearness(nearness *a)
{
    wgdn_csr_free(&a->rows);
    wgdn_release(a->squares);
    wgdn_release(a->found);
    wgdn_release(a->query);
    wgdn_release(a->point);
}

/* q . x - |x|^2 / 2 is largest where |q - x| is least: a search by dot
 * product finds the nearest. */
static void extend(int64_t first, int64_t count, double *sums, void *context)
{
    const nearness *a = context;
    (void)sums;
    for (int64_t i = first; i < first + count; i++) {
        float *p = a->point + i * (a->width + 1), *q = a->query + i * (a->width + 1);
        double square = 0;
        for (int64_t j = 0; j < a->width; j++) {
            p[j] = q[j] = a->x[i * a->width + j];
            square += (double)p[j] * p[j];
        }
        p[a->width] = (float)(-square / 2);
        q[a->width] = 1;
    }
}

static double distance(const nearness *a, int64_t i, int64_t j)
{
    const float *x = a->x + i * a->width, *y = a->x + j * a->width;
    double sum = 0;
    for (int64_t c = 0; c < a->width; c++)
        sum += ((double)x[c] - y[c]) * ((double)x[c] - y[c]);
    return sum;
}

/* Weights exp(-precision d) and their sum; the entropy of the weights over their sum. */
static double weigh(float *weight, double *total, const double *d, int64_t k, double least,
                    double precision)
{
    double sum = 0, mean = 0;
    for (int64_t j = 0; j < k; j++) {
        const double w = exp(-precision * (d[j] - least));
        weight[j] = (float)w;
        sum += w;
        mean += w * (d[j] - least);
    }
    *total = sum;
    return log(sum) + precision * mean / sum;
}

/* The precision at which a row has the entropy wanted; beyond reach, the nearest to it. */
static void weigh_row(const nearness *a, float *weight, const double *d)
{
    double low = 0, high = INFINITY, precision = 1, least = INFINITY, sum = 1, mean = 0;
    for (int64_t j = 0; j < a->k; j++) {
        least = fmin(least, d[j]);
        mean += d[j] / (double)a->k;
    }
    if (mean > least) precision = 1 / (mean - least);
    for (int halving = 0; halving < HALVINGS; halving++) {
        const double over = weigh(weight, &sum, d, a->k, least, precision) - a->entropy;
        if (fabs(over) < 1e-6) break;
        if (over > 0)
            low = precision;
        else
            high = precision;
        precision = isfinite(high) ? (low + high) / 2 : 2 * low;
    }
    for (int64_t j = 0; j < a->k; j++)
        weight[j] = (float)(weight[j] / sum);
}

static void weigh_rows(int64_t first, int64_t count, double *sums, void *context)
{
    const nearness *a = context;
    (void)sums;
    for (int64_t i = first; i < first + count; i++) {
        const int64_t *found = a->found + i * (a->k + 1);
        int32_t *column = a->rows.column + i * a->k;
        double *d = a->squares + i * a->k;
        int64_t kept = 0;
        for (int64_t j = 0; j <= a->k && kept < a->k; j++)
            if (found[j] != i) column[kept++] = (int32_t)found[j];
        for (int64_t j = 0; j < a->k; j++)
            d[j] = distance(a, i, column[j]);
        weigh_row(a, a->rows.value + i * a->k, d);
    }
}

/* p = (a + b) / 2n; the rows of both ascend. */
static wgdn_status join(wgdn_csr *p, const wgdn_csr *a, const wgdn_csr *b, wgdn_error *err)
{
    const int64_t n = a->rows, most = 2 * wgdn_csr_entries(a);
    const float share = (float)(1 / (2.0 * (double)n));
    int64_t at = 0;
    *p = (wgdn_csr){.rows = n, .cols = n};
    p->offset = wgdn_alloc_zero((size_t)n + 1, sizeof *p->offset);
    p->column = wgdn_alloc((size_t)most, sizeof *p->column);
    p->value = wgdn_alloc((size_t)most, sizeof *p->value);
    if (!p->offset || !p->column || !p->value) {
        wgdn_csr_free(p);
        return wgdn_fail(err, WGDN_ENOMEM, "affinities: %lld pairs", (long long)most);
    }
    for (int64_t i = 0; i < n; i++) {
        int64_t k = a->offset[i], l = b->offset[i];
        while (k < a->offset[i + 1] || l < b->offset[i + 1]) {
            const int32_t left = k < a->offset[i + 1] ? a->column[k] : INT32_MAX;
            const int32_t right = l < b->offset[i + 1] ? b->column[l] : INT32_MAX;
            float sum = 0;
            if (left <= right) sum += a->value[k++];
            if (right <= left) sum += b->value[l++];
            p->column[at] = left < right ? left : right;
            p->value[at++] = sum * share;
        }
        p->offset[i + 1] = at;
    }
    return WGDN_OK;
}

wgdn_status wgdn_affinities(wgdn_csr *p, const float *x, int64_t n, int64_t width,
                            double perplexity, wgdn_error *err)
{
    const double fair = fmin(perplexity, fmax((double)(n - 1) / 3, 1));
    const double wanted = ceil(3 * fair);
    nearness a = {.x = x, .n = n, .width = width, .entropy = log(fair)};
    wgdn_csr turned = {0}, sorted = {0};
    a.k = wanted < (double)(n - 1) ? (int64_t)wanted : n - 1;
    wgdn_status st = open_nearness(&a, err);
    if (!st) {
        wgdn_for_blocks(wgdn_alone(n), extend, &a, NULL, 0, NULL);
        const wgdn_search s = {a.point, n, width + 1, a.query, n, a.k + 1, false, NULL};
        st = wgdn_search_rows(a.found, NULL, &s, err);
    }
    if (!st) {
        for (int64_t i = 0; i <= n; i++)
            a.rows.offset[i] = i * a.k;
        wgdn_for_blocks(wgdn_alone(n), weigh_rows, &a, NULL, 0, NULL);
        st = wgdn_csr_transpose(&turned, &a.rows, err);
    }
    if (!st) st = wgdn_csr_transpose(&sorted, &turned, err); /* the rows again, in order */
    if (!st) st = join(p, &sorted, &turned, err);
    wgdn_csr_free(&sorted);
    wgdn_csr_free(&turned);
    close_nearness(&a);
    return st;
}
