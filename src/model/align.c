/* SPDX-License-Identifier: Apache-2.0 */
/*
 * New vectors turned onto old ones.                                                    [WGDN:align]
 *
 *     R = argmin |E R - O|^2 over rotations, E and O the rows of ids that both have
 *       = M (M^T M)^(-1/2),  M = E^T O
 *
 * Lengths and cosines stay as they are. A little of the identity is added to M, so that directions
 * in which there is nothing to compare stay where they are.
 */
#include "dataset/embedding.h"
#include "model.h"

#include <math.h>
#include <string.h>

static const double little = 1e-9; /* of the trace of M^T M, under the root */

/* Rows of the ids that both have, side by side; returns how many. */
static int64_t pair_rows(float *x, float *y, const wgdn_embedding *e, const wgdn_embedding *old)
{
    const int64_t k = e->vectors.width;
    int64_t pairs = 0;
    for (int64_t i = 0; i < e->vectors.rows; i++) {
        char buffer[WGDN_INDEX_TEXT];
        const wgdn_text id = wgdn_embedding_name(e, i, buffer);
        const int64_t at = wgdn_embedding_find(old, (const char *)id.at, id.size);
        if (at < 0) continue;
        memcpy(x + pairs * k, e->vectors.dense + i * k, (size_t)k * sizeof *x);
        memcpy(y + pairs++ * k, old->vectors.dense + at * k, (size_t)k * sizeof *y);
    }
    return pairs;
}

/* turn = M (M^T M)^(-1/2), both k x k */
static void polar(float *turn, double *m, int64_t k, double *room, void *work)
{
    double *g = room, *value = g + k * k, *half = value + k, trace = 0;
    for (int64_t i = 0; i < k * k; i++)
        trace += m[i] * m[i];
    for (int64_t i = 0; i < k; i++)
        m[i * k + i] += sqrt(little * trace / (double)k) + 1e-30;
    for (int64_t i = 0; i < k; i++)
        for (int64_t j = 0; j < k; j++) {
            double sum = 0;
            for (int64_t r = 0; r < k; r++)
                sum += m[r * k + i] * m[r * k + j];
            g[i * k + j] = sum;
        }
    wgdn_symmetric_eigen(value, g, k, work);
    memset(half, 0, (size_t)(k * k) * sizeof *half);
    for (int64_t r = 0; r < k; r++) /* sum_r v_r v_r^T / sqrt(value_r) */
        for (int64_t i = 0; i < k; i++)
            for (int64_t j = 0; j < k; j++)
                half[i * k + j] += g[r * k + i] * g[r * k + j] / sqrt(fmax(value[r], 1e-300));
    for (int64_t i = 0; i < k; i++)
        for (int64_t j = 0; j < k; j++) {
            double sum = 0;
            for (int64_t r = 0; r < k; r++)
                sum += m[i * k + r] * half[r * k + j];
            turn[i * k + j] = (float)sum;
        }
}

static wgdn_status turn_onto(wgdn_embedding *e, const wgdn_embedding *old, wgdn_error *err)
{
    const int64_t k = e->vectors.width, n = e->vectors.rows;
    const size_t square = (size_t)(k * k), rows = (size_t)n * (size_t)k;
    float *x = wgdn_alloc(rows, sizeof *x), *y = wgdn_alloc(rows, sizeof *y);
    float *turn = wgdn_alloc(square, sizeof *turn);
    double *m = wgdn_alloc(3 * square + (size_t)k, sizeof *m);
    void *work = wgdn_alloc(wgdn_symmetric_work(k), 1);
    void *sums = wgdn_alloc(wgdn_gemm_tn_work(wgdn_alone(n), k, k), 1);
    wgdn_status st = WGDN_OK;
    if (!x || !y || !turn || !m || !work || !sums) {
        st = wgdn_fail(err, WGDN_ENOMEM, "align: %lld x %lld", (long long)n, (long long)k);
        goto done;
    }
    const int64_t pairs = pair_rows(x, y, e, old);
    if (pairs < n) { /* rows of zeros count for nothing, and the sum has the blocks of n rows */
        memset(x + pairs * k, 0, (size_t)((n - pairs) * k) * sizeof *x);
        memset(y + pairs * k, 0, (size_t)((n - pairs) * k) * sizeof *y);
    }
    if (pairs < 1) {
        st = wgdn_fail(err, WGDN_EINVAL, "align: the old vectors have none of these ids");
        goto done;
    }
    wgdn_product p = wgdn_product_of(NULL, x, y, wgdn_alone(n), k, k);
    p.wide = m;
    p.work = sums;
    st = wgdn_gemm_tn(&p, err);
    if (st) goto done;
    polar(turn, m, k, m + square, work);
    const wgdn_product q = wgdn_product_of(y, e->vectors.dense, turn, wgdn_alone(n), k, k);
    st = wgdn_gemm_nn(&q, err);
    if (!st) memcpy(e->vectors.dense, y, rows * sizeof *y);

done:
    wgdn_release(sums);
    wgdn_release(work);
    wgdn_release(m);
    wgdn_release(turn);
    wgdn_release(y);
    wgdn_release(x);
    return st;
}

wgdn_status wgdn_align(wgdn_embedding *e, const wgdn_embedding *old, wgdn_error *err)
{
    const long long dim = e->vectors.width, before = old->vectors.width;
    if (dim != before)
        return wgdn_fail(err, WGDN_EINVAL, "align: %lld columns onto %lld; they must be as many",
                         dim, before);
    if (!old->vectors.dense)
        return wgdn_fail(err, WGDN_EINVAL, "align: the old vectors are sparse");
    for (int64_t i = 0; i < old->vectors.rows * before; i++)
        if (!isfinite(old->vectors.dense[i]))
            return wgdn_fail(err, WGDN_EINVAL, "align: row %lld of the old vectors is not finite",
                             (long long)(i / before));
    return turn_onto(e, old, err);
}
