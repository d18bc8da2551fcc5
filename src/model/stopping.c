/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Holds out some feature entries, measures their reconstruction error, and decides when training
 * stops. The trainer calls it if the option `patience` is above 0.
 */
#include "stopping.h"
#include "base/streams.h"
#include "data/dataset.h"
#include "loss.h"

#include <math.h>
#include <string.h>

/*
 * Training ends when the reconstruction of the held-out entries stops improving. Of the errors,
 * which are measured every 5 epochs,
 *
 *     best   the smallest: its parameters are kept
 *     mark   the last that was below (1 - 0.005) times the mark before it
 *     done   the mark is `patience` epochs old
 *
 * The error is that of the step, noise included, so it costs no extra pass. Losses jump now and
 * then, and errors with them: a single one decides nothing.
 */

static const double least = 0.005; /* gain that counts as one */

bool wgdn_stop_better(wgdn_run_stop *s, double error, int64_t epoch)
{
    const bool better = !s->seen || error < s->best;
    if (!s->seen || error < (1 - least) * s->mark) {
        s->mark = error;
        s->mark_epoch = epoch;
    }
    if (better) {
        s->best = error;
        s->epoch = epoch;
    }
    s->seen = true;
    s->error = error;
    return better;
}

/*
 * Holds out some non-zero entries of X, the set H                                   [WGDN:held-out]
 *
 *     (i, j) in H  if  X_ij != 0 and bits(seed, id of i, j) < 2^32 p,   p = min(1/10, 4000 / nnz)
 *     error^2 = a / |H| sum_H (R_ij - X_ij)^2 + (1 - a) / |Z| sum_Z R_ij^2
 *
 * The encoder sees 0 there, and no loss counts these entries. A few thousand are as informative as
 * more would be, and the model learns from the rest. Z are zeros of X: each row draws with
 * replacement as many columns as are held out per row on average, rounded up, so a reconstruction
 * that is larger everywhere is no better. For a loss that compares only directions, the rows of R
 * are scaled to the lengths of those of X without the held-out entries. a is the weight of the
 * non-zeros in the loss: 1/2 where it is balanced, else their share. The choice of entries does not
 * depend on the order of rows, on threads or on ranks.
 */

static const int64_t most_held = 4000; /* about so many, of a large X */

/* Who is held out, of what. */
typedef struct draw {
    const uint64_t *key;
    wgdn_stream stream;
    int64_t below; /* 2^32 p */
} draw;

/* Non-zero entries of the rows here. */
static int64_t count_entries(const wgdn_model_input *in)
{
    const wgdn_csr *x = in->sparse;
    const float *value = x ? x->value : in->dense;
    const int64_t entries = x ? wgdn_csr_entries(x) : in->rows.count * in->features;
    int64_t count = 0;
    if (!value) return entries;
    for (int64_t k = 0; k < entries; k++)
        count += value[k] != 0;
    return count;
}

/* Those of row i, from `at` on; they are counted alone while there is no room for them. */
static int64_t take_row(wgdn_held *h, const wgdn_model_input *in, const draw *d, int64_t i,
                        int64_t at)
{
    const int64_t node = wgdn_key_row(d->key[i]);
    const wgdn_csr *x = in->sparse;
    const int64_t f = in->features;
    const int64_t from = x ? x->offset[i] : i * f, to = x ? x->offset[i + 1] : (i + 1) * f;
    for (int64_t k = from; k < to; k++) {
        const int32_t column = x ? x->column[k] : (int32_t)(k - from);
        const float value = !x ? in->dense[k] : x->value ? x->value[k] : 1;
        if (value == 0 || wgdn_random_bits(d->stream, node, column) >= d->below) continue;
        if (h->column) {
            h->column[at] = column;
            h->truth[at] = value;
            h->entry[at] = k;
        }
        at++;
    }
    return at;
}

static void take_rows(wgdn_held *h, const wgdn_model_input *in, const draw *d)
{
    h->offset[0] = 0;
    for (int64_t i = 0; i < in->rows.count; i++)
        h->offset[i + 1] = take_row(h, in, d, i, h->offset[i]);
}

static bool is_zero(const wgdn_model_input *in, int64_t i, int64_t j)
{
    const wgdn_csr *x = in->sparse;
    if (!x) return in->dense[i * in->features + j] == 0;
    for (int64_t k = x->offset[i]; k < x->offset[i + 1]; k++)
        if (x->column[k] == j) return x->value && x->value[k] == 0;
    return true;
}

/* So many columns of every row; those that are 0 are listed. */
static void draw_zeros(wgdn_held *h, const wgdn_model_input *in, const uint64_t *key, uint64_t seed,
                       int64_t columns)
{
    const wgdn_stream s = {.seed = seed, .epoch = 1, .call = WGDN_CALL_HELD};
    const uint64_t f = (uint64_t)in->features;
    int64_t at = 0;
    for (int64_t i = 0; i < in->rows.count; i++) {
        h->zero_offset[i] = at;
        for (int64_t k = 0; k < columns; k++) {
            const uint64_t bits = wgdn_random_bits(s, wgdn_key_row(key[i]), k);
            const int64_t j = (int64_t)(bits * f >> 32);
            if (is_zero(in, i, j)) h->zero_column[at++] = (int32_t)j;
        }
    }
    h->zero_offset[in->rows.count] = at;
}

static int64_t sum_of(const wgdn_model_input *in, int64_t here)
{
    const wgdn_dist *d = in->rows.dist;
    return d ? d->ranks->call->sum(d->ranks, here) : here;
}

/* Before anything is hidden. */
static wgdn_status list_zeros(wgdn_held *h, const wgdn_model_input *in, const uint64_t *key,
                              uint64_t seed, wgdn_error *err)
{
    const int64_t n = in->rows.count, columns = (h->all + in->rows.total - 1) / in->rows.total;
    h->zero_offset = wgdn_arrays_add(&h->arrays, (size_t)n + 1, sizeof *h->zero_offset);
    h->zero_column = wgdn_arrays_add(&h->arrays, (size_t)(n * columns), sizeof *h->zero_column);
    if (h->arrays.failed)
        return wgdn_fail(err, WGDN_ENOMEM, "held-out features: %lld zeros",
                         (long long)(n * columns));
    draw_zeros(h, in, key, seed, columns);
    return WGDN_OK;
}

static wgdn_status make_list(wgdn_held *h, const wgdn_model_input *in, const draw *d,
                             wgdn_error *err)
{
    const size_t n = (size_t)in->rows.count;
    h->offset = wgdn_arrays_add(&h->arrays, n + 1, sizeof *h->offset);
    if (h->offset) {
        take_rows(h, in, d);
        const size_t count = (size_t)h->offset[n];
        h->column = wgdn_arrays_add(&h->arrays, count, sizeof *h->column);
        h->truth = wgdn_arrays_add(&h->arrays, count, sizeof *h->truth);
        h->entry = wgdn_arrays_add(&h->arrays, count, sizeof *h->entry);
    }
    if (h->arrays.failed) return wgdn_fail(err, WGDN_ENOMEM, "held-out features of %zu rows", n);
    take_rows(h, in, d);
    return WGDN_OK;
}

/* Compressed rows with values of their own, and a mark for every entry. */
static wgdn_status show_sparse(wgdn_held *h, wgdn_model_input *in, wgdn_error *err)
{
    const wgdn_csr *x = in->sparse;
    const int64_t entries = wgdn_csr_entries(x), count = h->offset[in->rows.count];
    h->shown = wgdn_arrays_add(&h->arrays, (size_t)entries, sizeof *h->shown);
    h->mark = wgdn_arrays_add_zero(&h->arrays, (size_t)entries, sizeof *h->mark);
    if (h->arrays.failed)
        return wgdn_fail(err, WGDN_ENOMEM, "held-out features among %lld", (long long)entries);
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

static wgdn_status show_dense(wgdn_held *h, wgdn_model_input *in, float *own, wgdn_error *err)
{
    const int64_t entries = in->rows.count * in->features, count = h->offset[in->rows.count];
    if (!own) own = h->shown = wgdn_arrays_add(&h->arrays, (size_t)entries, sizeof *h->shown);
    if (!own)
        return wgdn_fail(err, WGDN_ENOMEM, "held-out features among %lld", (long long)entries);
    if (own != in->dense) memcpy(own, in->dense, (size_t)entries * sizeof *own);
    for (int64_t k = 0; k < count; k++)
        own[h->entry[k]] = 0;
    in->dense = own;
    return WGDN_OK;
}

wgdn_status wgdn_held_take(wgdn_held *h, wgdn_model_input *in, float *own, const uint64_t *key,
                           uint64_t seed, wgdn_error *err)
{
    *h = (wgdn_held){0};
    const int64_t entries = sum_of(in, count_entries(in)), whole = (int64_t)1 << 32;
    const draw d = {key,
                    {.seed = seed, .call = WGDN_CALL_HELD},
                    entries > 10 * most_held ? most_held * whole / entries : whole / 10};
    wgdn_status st = make_list(h, in, &d, err);
    st = wgdn_span_agree(in->rows, st, err);
    if (st) return st;
    h->all = sum_of(in, h->offset[in->rows.count]);
    if (h->all == 0)
        return wgdn_fail(err, WGDN_EINVAL,
                         "patience: the features have too few non-zero entries to hold out a tenth "
                         "of them; leave it out");
    st = list_zeros(h, in, key, seed, err);
    if (!st) st = in->sparse ? show_sparse(h, in, err) : show_dense(h, in, own, err);
    st = wgdn_span_agree(in->rows, st, err);
    if (st) return st;
    h->zeros = sum_of(in, h->zero_offset[in->rows.count]);
    in->held = h;
    return WGDN_OK;
}

size_t wgdn_held_bytes(const wgdn_model_input *shape, int64_t entries, bool own)
{
    const wgdn_held *h = NULL;
    const size_t listed = sizeof *h->column + sizeof *h->truth + sizeof *h->entry;
    const size_t zeros = sizeof *h->zero_column;
    const size_t most = (size_t)wgdn_min(entries / 10, 2 * most_held);
    size_t bytes =
        (size_t)shape->rows.count * (2 * sizeof *h->offset + zeros) + most * (listed + zeros);
    if (!own) bytes += (size_t)entries * sizeof *h->shown;
    if (shape->sparse) bytes += (size_t)entries * sizeof *h->mark;
    return bytes;
}

double wgdn_held_error(const wgdn_model *m, const wgdn_model_input *in, const double *sums)
{
    const wgdn_held *h = in->held;
    const double ones = (double)(in->all_nonzeros - h->all);
    const double zeros = (double)(in->rows.total * in->features - in->all_nonzeros);
    const double mean = sums[0] / (double)h->all, w = ones * (m->loss->balanced ? in->balance : 1);
    if (h->zeros == 0) return sqrt(mean);
    return sqrt((w * mean + zeros * sums[1] / (double)h->zeros) / (w + zeros));
}
