/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A tenth of the non-zero entries of X, H, is held out                            [WGDN:held-out]
 *
 *     (i, j) in H  if  X_ij != 0 and bits(seed, id of i, j) < 2^32 / 10
 *     error = sqrt( 1 / |H| sum_H (R_ij - X_ij)^2 )
 *
 * The encoder sees 0 there and no loss counts these entries. Which they are does not depend on the
 * order of rows, on threads or on ranks.
 */
#include "held.h"

#include "base/streams.h"
#include "dataset/matrix.h"

#include <string.h>

static const uint32_t tenth = 429496730; /* of 2^32 */

/* Those of row i, from `at` on; they are counted alone while there is no room for them. */
static int64_t take_row(wgdn_held *h, const wgdn_input *in, wgdn_stream s, int64_t node, int64_t i,
                        int64_t at)
{
    const wgdn_csr *x = in->sparse;
    const int64_t f = in->features;
    const int64_t from = x ? x->offset[i] : i * f, to = x ? x->offset[i + 1] : (i + 1) * f;
    for (int64_t k = from; k < to; k++) {
        const int32_t column = x ? x->column[k] : (int32_t)(k - from);
        const float value = !x ? in->dense[k] : x->value ? x->value[k] : 1;
        if (value == 0 || wgdn_random_bits(s, node, column) >= tenth) continue;
        if (h->column) {
            h->column[at] = column;
            h->truth[at] = value;
            h->entry[at] = k;
        }
        at++;
    }
    return at;
}

static void take_rows(wgdn_held *h, const wgdn_input *in, const uint64_t *key, uint64_t seed)
{
    const wgdn_stream s = {.seed = seed, .call = WGDN_CALL_HELD};
    h->offset[0] = 0;
    for (int64_t i = 0; i < in->rows.count; i++)
        h->offset[i + 1] = take_row(h, in, s, wgdn_key_row(key[i]), i, h->offset[i]);
}

static wgdn_status make_list(wgdn_held *h, const wgdn_input *in, const uint64_t *key, uint64_t seed,
                             wgdn_error *err)
{
    const size_t n = (size_t)in->rows.count;
    h->offset = wgdn_alloc(n + 1, sizeof *h->offset);
    if (h->offset) {
        take_rows(h, in, key, seed);
        const size_t count = (size_t)h->offset[n];
        h->column = wgdn_alloc(count, sizeof *h->column);
        h->truth = wgdn_alloc(count, sizeof *h->truth);
        h->entry = wgdn_alloc(count, sizeof *h->entry);
    }
    if (!h->offset || !h->column || !h->truth || !h->entry)
        return wgdn_fail(err, WGDN_ENOMEM, "features held out, of %zu rows", n);
    take_rows(h, in, key, seed);
    return WGDN_OK;
}

/* Compressed rows with values of their own, and a mark for every entry. */
static wgdn_status show_sparse(wgdn_held *h, wgdn_input *in, wgdn_error *err)
{
    const wgdn_csr *x = in->sparse;
    const int64_t entries = wgdn_csr_entries(x), count = h->offset[in->rows.count];
    h->shown = wgdn_alloc((size_t)entries, sizeof *h->shown);
    h->mark = wgdn_alloc_zero((size_t)entries, sizeof *h->mark);
    if (!h->shown || !h->mark)
        return wgdn_fail(err, WGDN_ENOMEM, "features held out, of %lld", (long long)entries);
    for (int64_t k = 0; k < entries; k++)
        h->shown[k] = x->value ? x->value[k] : 1;
    for (int64_t k = 0; k < count; k++) {
        h->shown[h->entry[k]] = 0;
        h->mark[h->entry[k]] = true;
    }
    h->rows = *x;
    h->rows.value = h->shown;
    in->sparse = &h->rows;
    return WGDN_OK;
}

static wgdn_status show_dense(wgdn_held *h, wgdn_input *in, float *own, wgdn_error *err)
{
    const int64_t entries = in->rows.count * in->features, count = h->offset[in->rows.count];
    if (!own) own = h->shown = wgdn_alloc((size_t)entries, sizeof *h->shown);
    if (!own) return wgdn_fail(err, WGDN_ENOMEM, "features held out, of %lld", (long long)entries);
    if (own != in->dense) memcpy(own, in->dense, (size_t)entries * sizeof *own);
    for (int64_t k = 0; k < count; k++)
        own[h->entry[k]] = 0;
    in->dense = own;
    return WGDN_OK;
}

wgdn_status wgdn_held_take(wgdn_held *h, wgdn_input *in, float *own, const uint64_t *key,
                           uint64_t seed, wgdn_error *err)
{
    const wgdn_dist *d = in->rows.dist;
    *h = (wgdn_held){0};
    wgdn_status st = make_list(h, in, key, seed, err);
    if (!st) st = in->sparse ? show_sparse(h, in, err) : show_dense(h, in, own, err);
    st = wgdn_span_agree(in->rows, st, err);
    if (st) return st;
    const int64_t here = h->offset[in->rows.count];
    h->all = d ? d->ranks->call->sum(d->ranks, here) : here;
    in->held = h;
    if (h->all > 0) return WGDN_OK;
    return wgdn_fail(err, WGDN_EINVAL,
                     "patience: the features have too few non-zero entries to hold out a tenth of "
                     "them; leave it out");
}

void wgdn_held_free(wgdn_held *h)
{
    wgdn_release(h->mark);
    wgdn_release(h->shown);
    wgdn_release(h->entry);
    wgdn_release(h->truth);
    wgdn_release(h->column);
    wgdn_release(h->offset);
    *h = (wgdn_held){0};
}

size_t wgdn_held_bytes(const wgdn_input *shape, int64_t entries, bool own)
{
    const wgdn_held *h = NULL;
    const size_t listed = sizeof *h->column + sizeof *h->truth + sizeof *h->entry;
    size_t bytes = (size_t)shape->rows.count * sizeof *h->offset + (size_t)entries / 10 * listed;
    if (!own) bytes += (size_t)entries * sizeof *h->shown;
    if (shape->sparse) bytes += (size_t)entries * sizeof *h->mark;
    return bytes;
}

double wgdn_held_row(float *r, const wgdn_held *h, int64_t i)
{
    double sum = 0;
    for (int64_t k = h->offset[i]; k < h->offset[i + 1]; k++) {
        const double e = (double)r[h->column[k]] - h->truth[k];
        sum += e * e;
        r[h->column[k]] = 0;
    }
    return sum;
}
