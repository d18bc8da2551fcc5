/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Prepares the features that the model is fed with, and creates them from degrees or random walks
 * if the dataset has none. The trainer, embed.c and the baselines open their input here.
 */
#include "base/streams.h"
#include "data/dataset.h"
#include "stopping.h"

#include <math.h>
#include <string.h>

enum { WALK_STEPS = 3, DEGREE_COLUMNS = 32 };

static bool made(const wgdn_dataset *d)
{
    return wgdn_dataset_features(d) == 0;
}

int64_t wgdn_feed_width(const wgdn_dataset *d, const wgdn_train_options *o)
{
    if (!made(d)) return wgdn_dataset_features(d);
    return o->features == WGDN_STRUCTURAL_FEATURES_DEGREE ? DEGREE_COLUMNS : o->structural_dim;
}

/* One column per power of two: column k where 2^k <= degree + 1 < 2^(k + 1). */
static void degree_rows(float *x, const wgdn_graph *g)
{
    const int64_t n = wgdn_graph_nodes(g);
    memset(x, 0, (size_t)(n * DEGREE_COLUMNS) * sizeof *x);
    for (int64_t i = 0; i < n; i++)
        x[i * DEGREE_COLUMNS + 63 - __builtin_clzll((uint64_t)wgdn_graph_degree(g, i) + 1)] = 1;
}

/*
 * X = sum_k M^k Z / |M^k Z| row by row, k = 1 .. 3, M = D^-1 A, Z normal: nodes that the same walks
 * reach get like rows, whatever Z is. A row of Z depends on its node's id alone.
 */
static wgdn_status walk_rows(float *x, const wgdn_graph *g, const uint64_t *key, int64_t d,
                             uint64_t seed, wgdn_error *err)
{
    const wgdn_span rows = wgdn_graph_span(g);
    const int64_t n = rows.count;
    wgdn_arrays a = {0};
    float *z = wgdn_arrays_add(&a, (size_t)(n * d), sizeof *z);
    float *next = wgdn_arrays_add(&a, (size_t)(n * d), sizeof *next);
    float *side = wgdn_arrays_add(&a, (size_t)(n * d), sizeof *side);
    wgdn_status st = WGDN_OK;
    if (a.failed)
        st = wgdn_fail(err, WGDN_ENOMEM, "random-walk features: three %lld x %lld buffers",
                       (long long)n, (long long)d);
    st = wgdn_span_agree(rows, st, err);
    if (st) {
        wgdn_arrays_release(&a);
        return st;
    }
    memset(x, 0, (size_t)(n * d) * sizeof *x);
    for (int64_t i = 0; i < n; i++)
        wgdn_random_normals(z + i * d, d, (wgdn_stream){.seed = seed, .call = WGDN_CALL_WALK},
                            wgdn_key_row(key[i]), 1, 0, d);
    for (int k = 0; k < WALK_STEPS; k++) {
        float *was = z;
        wgdn_laplacian_mean(side, next, g, z, d, WGDN_AVERAGE_ROW);
        for (int64_t i = 0; i < n; i++) {
            double norm = 0;
            for (int64_t j = 0; j < d; j++)
                norm += (double)next[i * d + j] * next[i * d + j];
            const float part = norm > 0 ? (float)(1 / sqrt(norm)) : 0;
            for (int64_t j = 0; j < d; j++)
                x[i * d + j] += part * next[i * d + j];
        }
        z = next;
        next = was;
    }
    wgdn_arrays_release(&a);
    return WGDN_OK;
}

static wgdn_status make_features(wgdn_feed *s, const wgdn_dataset *d, const wgdn_model *m,
                                 wgdn_error *err)
{
    const wgdn_graph *g = wgdn_dataset_get_graph(d);
    const int64_t width = wgdn_feed_width(d, &m->options);
    s->owned = wgdn_alloc((size_t)(wgdn_graph_nodes(g) * width), sizeof *s->owned);
    if (!s->owned)
        return wgdn_fail(err, WGDN_ENOMEM, "structural features: %lld x %lld",
                         (long long)wgdn_graph_nodes(g), (long long)width);
    s->input.dense = s->owned;
    if (m->options.features == WGDN_STRUCTURAL_FEATURES_DEGREE) {
        degree_rows(s->owned, g);
        return WGDN_OK;
    }
    uint64_t *key = NULL;
    wgdn_status st = wgdn_dataset_keys(&key, d, err);
    if (!st) st = walk_rows(s->owned, g, key, width, m->options.seed, err);
    wgdn_release(key);
    return st;
}

/* Columns of the widest matrix that is filtered: X itself where it is dense. */
static int64_t widest(const wgdn_model *m, bool sparse)
{
    const bool narrow = sparse || m->shape.features < m->shape.width;
    return narrow ? m->shape.width : m->shape.features;
}

/* What is held out; the structural and the changed features are ours to do so in. */
static wgdn_status hold_out(wgdn_feed *s, const wgdn_dataset *d, const wgdn_model *m,
                            wgdn_error *err)
{
    uint64_t *key = NULL;
    float *own = s->owned ? s->owned : s->matrix.owned;
    wgdn_status st = wgdn_dataset_keys(&key, d, err);
    if (!st) st = wgdn_held_take(&s->held, &s->input, own, key, m->options.seed, err);
    wgdn_release(key);
    return st;
}

wgdn_status wgdn_feed_open(wgdn_feed *s, const wgdn_dataset *d, const wgdn_model *m, bool training,
                           wgdn_error *err)
{
    const bool other = d->degrees && d->features.width != m->shape.features;
    const wgdn_span rows = wgdn_dataset_rows(d);
    const int64_t f = other ? m->shape.features : wgdn_feed_width(d, &m->options);
    wgdn_status st = WGDN_OK;
    *s = (wgdn_feed){.input = {.rows = rows, .features = f, .order = wgdn_dataset_get_order(d)}};
    if (f != m->shape.features)
        return wgdn_fail(
            err, WGDN_EINVAL,
            "features: %lld columns, but the model was made for %lld; give the same columns",
            (long long)f, (long long)m->shape.features);
    st = wgdn_halo_reserve(d->halo, widest(m, wgdn_matrix_is_sparse(d)), err);
    if (st) return st;
    if (made(d)) {
        st = make_features(s, d, m, err);
    } else {
        st = wgdn_matrix_open(&s->matrix, d, f, m->options.binarize, err);
        s->input.dense = s->matrix.dense;
        s->input.sparse = s->matrix.sparse;
    }
    st = wgdn_span_agree(rows, st, err);
    if (!st && training && m->options.patience > 0) st = hold_out(s, d, m, err);
    if (!st) st = wgdn_model_input_prepare(&s->input, m, wgdn_dataset_get_graph(d), err);
    if (st) wgdn_feed_free(s);
    return st;
}

/* Non-zeros of the features in a part of the rows; the dataset has these, or all there are. */
static int64_t entries_of(const wgdn_csr *csr, wgdn_span rows)
{
    const int64_t first = csr->rows == rows.count ? 0 : rows.first;
    return csr->offset[first + rows.count] - csr->offset[first];
}

size_t wgdn_feed_bytes(wgdn_model_input *shape, const wgdn_dataset *d, const wgdn_portion *part,
                       const wgdn_model *m)
{
    static const float any = 0;
    static const wgdn_csr none = {0};
    const int64_t n = part->rows.count, f = wgdn_feed_width(d, &m->options);
    wgdn_csr csr;
    const bool sparse = !made(d) && wgdn_matrix_lend(&csr, d);
    const int64_t entries = sparse ? entries_of(&csr, part->rows) : n * f;
    const size_t matrix = (size_t)n * (size_t)f * sizeof(float);
    size_t bytes = (size_t)n * sizeof *shape->ones;
    *shape = (wgdn_model_input){.rows = part->rows,
                                .features = f,
                                .nonzeros = entries,
                                .all_nonzeros = d->features.entries,
                                .edges = part->edges,
                                .all_edges = 2 * wgdn_dataset_edges(d),
                                .halo = part->halo,
                                .weighted = wgdn_dataset_weighted(d)};
    /* rows that come and go */
    bytes += (size_t)(part->halo + part->sends) * (size_t)widest(m, wgdn_matrix_is_sparse(d)) *
             sizeof(float);
    const bool own = sparse || made(d) || m->options.binarize; /* dense X that was made */
    if (wgdn_matrix_is_sparse(d)) {
        shape->sparse = &none;
        if (m->options.patience > 0) bytes += wgdn_held_bytes(shape, entries, false);
        return bytes + (size_t)entries * wgdn_transpose_bytes(true) +
               (size_t)f * sizeof *shape->transposed.offset;
    }
    shape->dense = &any;
    if (own) bytes += matrix;
    if (m->options.patience > 0) bytes += wgdn_held_bytes(shape, entries, own);
    return bytes + matrix + (size_t)n * sizeof *shape->smooth_one; /* P(L) X and P(L) 1 */
}
