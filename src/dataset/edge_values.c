/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Weights of the entries of finished rows. Those that are given from i to j are summed in double, in
 * the order of the edges: f_ij. Then
 *
 *     A_ij = f_ij               if F is symmetric: every edge was given in both directions
 *     A_ij = f_ij + f_ji        else
 *
 * which is symmetric to the last bit, and the same for any number of threads: each of them walks
 * over all edges, but adds those of its own rows alone.
 */
#include "edges.h"

#include <math.h>

enum { FEW = 1 << 15 };

/* The entry of row i at column j, which is there. */
static int64_t entry_of(const wgdn_csr *a, int64_t i, int32_t j)
{
    int64_t low = a->offset[i], high = a->offset[i + 1];
    while (high - low > 1) {
        const int64_t middle = low + (high - low) / 2;
        if (a->column[middle] > j)
            high = middle;
        else
            low = middle;
    }
    return low;
}

/* f of the rows from first to before end. */
static void add_given(double *f, const wgdn_csr *a, const wgdn_edges *e, int64_t first, int64_t end)
{
    for (int64_t k = 0; k < e->count; k++) {
        const int32_t i = e->end[2 * k], j = e->end[2 * k + 1];
        if (i >= first && i < end && i != j) f[entry_of(a, i, j)] += e->weight[k];
    }
}

/* value = f + f^T; whether f is its own transpose */
static bool add_mirrored(float *value, const wgdn_csr *a, const double *f, int threads)
{
    bool same = true;
#pragma omp parallel for schedule(static) num_threads(threads) reduction(&& : same) if (!wgdn_forked())
    for (int64_t i = 0; i < a->rows; i++)
        for (int64_t k = a->offset[i]; k < a->offset[i + 1]; k++) {
            const double back = f[entry_of(a, a->column[k], (int32_t)i)];
            value[k] = (float)(f[k] + back);
            same = same && f[k] == back;
        }
    return same;
}

bool wgdn_weights_settle(float *value, int64_t entries, wgdn_weights how)
{
    bool ones = true;
    for (int64_t k = 0; k < entries; k++) {
        if (how == WGDN_WEIGHTS_LOG) value[k] = (float)log1p((double)value[k]);
        ones = ones && value[k] == 1;
    }
    return !ones;
}

bool wgdn_edges_values(wgdn_csr *a, wgdn_edges *e, int threads)
{
    const int64_t entries = wgdn_csr_entries(a);
    double *f = wgdn_alloc_zero((size_t)entries, sizeof *f);
    float *value = wgdn_alloc((size_t)entries, sizeof *value);
    const int parts = e->count < FEW ? 1 : wgdn_threads_count(threads);
    if (f && value) {
#pragma omp parallel for schedule(static, 1) num_threads(parts) if (!wgdn_forked())
        for (int p = 0; p < parts; p++)
            add_given(f, a, e, a->rows * p / parts, a->rows * (p + 1) / parts);
        const bool same = add_mirrored(value, a, f, parts);
        for (int64_t k = 0; same && k < entries; k++)
            value[k] = (float)f[k];
        e->summed = !same;
        a->value = value;
        if (wgdn_weights_settle(value, entries, e->weights)) value = NULL;
        if (value) a->value = NULL;
    }
    const bool good = f && (value || a->value);
    wgdn_release(value);
    wgdn_release(f);
    return good;
}
