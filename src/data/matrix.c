/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Presents the features of a dataset to the products in linalg, and computes the keys that address
 * the random numbers of its nodes.
 */
#include "matrix.h"

#include <xxhash.h>

/*
 * A sparse product moves about a tenth of the entries a second that a dense one does, so from this
 * density on X is multiplied as a full matrix.
 */
static const double full_from = 0.1;

/* All entries of the compressed rows as 1, without a copy: possible when none is negative. */
static wgdn_status binarize_sparse(wgdn_csr *csr, wgdn_error *err)
{
    for (int64_t i = 0; csr->value && i < csr->rows; i++)
        for (int64_t k = csr->offset[i]; k < csr->offset[i + 1]; k++)
            if (csr->value[k] < 0)
                return wgdn_fail(
                    err, WGDN_EINVAL,
                    "binarize: feature %d of node %lld is %g; sparse features must not "
                    "be negative for that",
                    csr->column[k], (long long)i, csr->value[k]);
    csr->value = NULL;
    return WGDN_OK;
}

static wgdn_status matrix_binarize_dense(wgdn_matrix *x, const float *from, int64_t n, int64_t f,
                                         wgdn_error *err)
{
    x->dense = x->owned = wgdn_alloc((size_t)(n * f), sizeof *x->owned);
    if (!x->owned)
        return wgdn_fail(err, WGDN_ENOMEM, "binarize: %lld x %lld features", (long long)n,
                         (long long)f);
    for (int64_t k = 0; k < n * f; k++)
        x->owned[k] = from[k] > 0 ? 1.0F : 0.0F;
    return WGDN_OK;
}

bool wgdn_matrix_lend(wgdn_csr *csr, const wgdn_dataset *d)
{
    const wgdn_features *f = &d->features;
    if (f->dense || f->width == 0) return false;
    *csr = f->sparse;
    csr->rows = wgdn_dataset_rows(d).count;
    csr->cols = f->width;
    return true;
}

bool wgdn_matrix_is_sparse(const wgdn_dataset *d)
{
    wgdn_csr csr;
    return wgdn_matrix_lend(&csr, d) && wgdn_dataset_density(d) < full_from;
}

/* One-hot degrees of another set than the model's: as many columns as it knows,
 * the last for more. */
static wgdn_status clip_degrees(wgdn_matrix *x, int64_t width, wgdn_error *err)
{
    const int64_t entries = wgdn_csr_entries(&x->csr);
    x->columns = wgdn_alloc((size_t)entries, sizeof *x->columns);
    if (!x->columns)
        return wgdn_fail(err, WGDN_ENOMEM, "features: %lld degrees", (long long)entries);
    for (int64_t k = 0; k < entries; k++)
        x->columns[k] = x->csr.column[k] < width ? x->csr.column[k] : (int32_t)width - 1;
    x->csr.column = x->columns;
    x->csr.cols = width;
    return WGDN_OK;
}

wgdn_status wgdn_matrix_open(wgdn_matrix *x, const wgdn_dataset *d, int64_t width, bool binarize,
                             wgdn_error *err)
{
    const int64_t n = wgdn_dataset_rows(d).count;
    const float *dense = wgdn_dataset_get_dense(d);
    wgdn_status st = WGDN_OK;
    *x = (wgdn_matrix){.dense = dense};
    if (!wgdn_matrix_lend(&x->csr, d))
        return binarize ? matrix_binarize_dense(x, dense, n, width, err) : WGDN_OK;
    if (width != x->csr.cols) st = clip_degrees(x, width, err);
    if (!st && binarize) st = binarize_sparse(&x->csr, err);
    if (st) return st;
    if (wgdn_dataset_density(d) < full_from) {
        x->sparse = &x->csr;
        return WGDN_OK;
    }
    x->dense = x->owned = wgdn_rows_dense(&x->csr);
    return x->owned ? WGDN_OK
                    : wgdn_fail(err, WGDN_ENOMEM, "features: dense, %lld x %lld", (long long)n,
                                (long long)width);
}

void wgdn_matrix_free(wgdn_matrix *x)
{
    wgdn_release(x->owned);
    wgdn_release(x->columns);
    x->owned = NULL;
    x->columns = NULL;
}

/* ---- keys ---- */

static uint64_t key_of(const wgdn_dataset *d, int64_t node)
{
    char buffer[WGDN_INDEX_TEXT];
    const wgdn_text id = wgdn_dataset_name(d, node, buffer);
    return XXH3_64bits(id.at, id.size);
}

/* Those of all nodes, from rank 0. */
static void share_keys(uint64_t *all, const wgdn_dataset *d)
{
    wgdn_ranks *r = wgdn_dataset_ranks(d);
    for (int64_t i = 0; i < d->nodes && r->rank == 0; i++)
        all[i] = key_of(d, i);
    r->call->broadcast(r, all, (size_t)d->nodes * sizeof *all);
}

wgdn_status wgdn_dataset_keys(uint64_t **out, const wgdn_dataset *d, wgdn_error *err)
{
    const wgdn_span rows = wgdn_dataset_rows(d);
    uint64_t *key = wgdn_alloc((size_t)rows.count, sizeof *key);
    uint64_t *all = rows.dist ? wgdn_alloc((size_t)d->nodes, sizeof *all) : NULL;
    wgdn_status st = WGDN_OK;
    if (!key || (rows.dist && !all))
        st = wgdn_fail(err, WGDN_ENOMEM, "keys of %lld nodes", (long long)rows.count);
    st = wgdn_span_agree(rows, st, err);
    if (!st && rows.dist) share_keys(all, d);
    for (int64_t i = 0; i < rows.count && !st; i++) {
        const int64_t node = d->order ? d->order[i] : rows.first + i;
        key[i] = all ? all[node] : key_of(d, node);
    }
    wgdn_release(all);
    if (st)
        wgdn_release(key);
    else
        *out = key;
    return st;
}
