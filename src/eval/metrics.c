/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Computes F1, NMI, ARI, AUC and average precision, and opens vectors for an evaluation.
 * Most evaluations in this folder use it.
 */
#include "eval.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* F1 of a class: 2 hits / (guessed + there). */
wgdn_status wgdn_macro_f1(double *out, const int32_t *guess, const int32_t *label, int64_t n,
                          int64_t classes, wgdn_error *err)
{
    int64_t *count = wgdn_alloc_zero(2 * (size_t)classes, sizeof *count), present = 0;
    double sum = 0;
    if (!count) return wgdn_fail(err, WGDN_ENOMEM, "macro-F1: %lld classes", (long long)classes);
    for (int64_t i = 0; i < n; i++) {
        const int64_t said = guess[i], is = label[i];
        count[2 * said]++;
        count[2 * is]++;
        if (said == is) count[2 * is + 1]++;
    }
    for (int64_t k = 0; k < classes; k++) {
        if (count[2 * k] == 0) continue;
        present++;
        sum += 2 * (double)count[2 * k + 1] / (double)count[2 * k];
    }
    *out = present ? sum / (double)present : 0;
    wgdn_release(count);
    return WGDN_OK;
}

/* ---- two partitions ---- */

static double pairs(double x)
{
    return x * (x - 1) / 2;
}

/* -p log p; 0 at 0 */
static double surprise(double p)
{
    return p > 0 ? -p * log(p) : 0;
}

/*
 * With n_ij nodes in part i of one and j of the other, row sums a_i and column sums b_j:
 *     NMI = 2 I / (H_a + H_b),   I = H_a + H_b - H_ab;  1 when both have a single part
 *     ARI = (S - E) / (M - E),   S = sum_ij C(n_ij, 2),  E = A B / C(n, 2),  M = (A + B) / 2,
 * where A = sum_i C(a_i, 2) and B = sum_j C(b_j, 2).
 */
static void compare_parts(double *nmi, double *ari, const double *table, int64_t a, int64_t b)
{
    const double *rows = table + a * b, *cols = rows + a, n = table[a * b + a + b];
    double joint = 0, ha = 0, hb = 0, same = 0, same_a = 0, same_b = 0;
    for (int64_t k = 0; k < a * b; k++) {
        joint += surprise(table[k] / n);
        same += pairs(table[k]);
    }
    for (int64_t i = 0; i < a; i++) {
        ha += surprise(rows[i] / n);
        same_a += pairs(rows[i]);
    }
    for (int64_t j = 0; j < b; j++) {
        hb += surprise(cols[j] / n);
        same_b += pairs(cols[j]);
    }
    const double expected = n > 1 ? same_a * same_b / pairs(n) : 0;
    const double most = (same_a + same_b) / 2;
    *nmi = ha + hb > 0 ? fmax(0, 2 * (ha + hb - joint) / (ha + hb)) : 1;
    *ari = most > expected ? (same - expected) / (most - expected) : 1;
}

wgdn_status wgdn_nmi_ari(double *nmi, double *ari, const int32_t *x, int64_t a, const int32_t *y,
                         int64_t b, int64_t n, wgdn_error *err)
{
    double *table = wgdn_alloc_zero((size_t)(a * b + a + b + 1), sizeof *table);
    if (!table)
        return wgdn_fail(err, WGDN_ENOMEM, "clusters: %lld x %lld table", (long long)a,
                         (long long)b);
    for (int64_t i = 0; i < n; i++) {
        if (x[i] < 0 || y[i] < 0) continue;
        table[x[i] * b + y[i]]++;
        table[a * b + x[i]]++;
        table[a * b + a + y[i]]++;
        table[a * b + a + b]++;
    }
    if (table[a * b + a + b] > 0)
        compare_parts(nmi, ari, table, a, b);
    else
        *nmi = *ari = 0;
    wgdn_release(table);
    return WGDN_OK;
}

/* ---- ranked scores ---- */

typedef struct ranked {
    double score;
    uint8_t truth;
} ranked;

static int best_first(const void *a, const void *b)
{
    const double x = ((const ranked *)a)->score, y = ((const ranked *)b)->score;
    return (x < y) - (x > y);
}

/*
 * Down the scores, a group of equal ones at a time, with p of P positives and q of Q negatives
 * seen: AUC adds the group's negatives times (positives before it + half of its own) over P Q; AP
 * adds (the group's positives / P) times the precision p / (p + q) after the group.
 */
wgdn_status wgdn_auc_ap(double *auc, double *ap, const double *score, const uint8_t *truth,
                        int64_t n, wgdn_error *err)
{
    double seen[2] = {0, 0}, area = 0, precision = 0;
    ranked *r = wgdn_alloc((size_t)n, sizeof *r);
    if (!r) return wgdn_fail(err, WGDN_ENOMEM, "AUC: %lld scores", (long long)n);
    for (int64_t i = 0; i < n; i++)
        r[i] = (ranked){score[i], truth[i] != 0};
    qsort(r, (size_t)n, sizeof *r, best_first);
    for (int64_t i = 0; i < n;) {
        const double level = r[i].score;
        double here[2] = {0, 0};
        for (; i < n && r[i].score == level; i++)
            here[r[i].truth]++;
        area += here[0] * (seen[1] + here[1] / 2);
        seen[0] += here[0];
        seen[1] += here[1];
        precision += here[1] * seen[1] / (seen[0] + seen[1]);
    }
    wgdn_release(r);
    if (seen[0] == 0 || seen[1] == 0)
        return wgdn_fail(err, WGDN_EINVAL, "AUC: %g positives, %g negatives", seen[1], seen[0]);
    *auc = area / (seen[0] * seen[1]);
    *ap = precision / seen[1];
    return WGDN_OK;
}

/* Opens vectors for evaluations: dense, finite, and in the order of a dataset's nodes. */

/* Refuses numbers that are not finite, naming row and column from 0. */
static wgdn_status check_finite(const float *x, int64_t n, int64_t width, wgdn_error *err)
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

wgdn_status wgdn_vectors_open(wgdn_vectors *v, const wgdn_embedding *e, bool finite,
                              wgdn_error *err)
{
    wgdn_status st = WGDN_OK;
    *v = (wgdn_vectors){.n = e->vectors.rows, .width = e->vectors.width, .x = e->vectors.dense};
    if (!v->x && e->vectors.sparse.offset) {
        v->x = v->made = wgdn_alloc((size_t)v->n, (size_t)v->width * sizeof *v->made);
        st = v->made ? make_dense(v->made, e, err) : no_memory(v, err);
    }
    if (!st && (finite || !v->x)) st = check_finite(v->x, v->n, v->width, err);
    return st;
}

/* Finds the row of each node, which has to be released, and whether that is the node itself. */
static wgdn_status find_rows(bool *same, int64_t **row, const wgdn_embedding *e,
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
                                  bool keep_sparse, wgdn_error *err)
{
    const int64_t n = wgdn_dataset_nodes(d), width = e->vectors.width;
    int64_t *row = NULL;
    bool same = false;
    *v = (wgdn_vectors){.n = n, .width = width};
    wgdn_status st = find_rows(&same, &row, e, d, err);
    if (!st && keep_sparse && same && !e->vectors.dense) {
        v->sparse = &e->vectors.sparse;
        goto done;
    }
    if (!st) st = wgdn_vectors_open(v, e, true, err);
    if (!st && !same) {
        float *x = wgdn_alloc((size_t)n, (size_t)width * sizeof *x);
        for (int64_t i = 0; x && i < n; i++)
            memcpy(x + i * width, v->x + row[i] * width, (size_t)width * sizeof *x);
        if (!x) st = no_memory(v, err);
        wgdn_release(v->made);
        *v = (wgdn_vectors){.n = n, .width = width, .x = x, .made = x};
    }

done:
    wgdn_release(row);
    return st;
}

wgdn_status wgdn_vectors_normalize(wgdn_vectors *v, wgdn_error *err)
{
    float *y = v->made ? v->made : wgdn_alloc((size_t)v->n, (size_t)v->width * sizeof *y);
    if (!y) return no_memory(v, err);
    for (int64_t i = 0; i < v->n; i++) {
        const float *x = v->x + i * v->width;
        const float a = wgdn_inverse_length(wgdn_row_squares(x, v->width));
        for (int64_t j = 0; j < v->width; j++)
            y[i * v->width + j] = a * x[j];
    }
    v->x = v->made = y;
    return WGDN_OK;
}
