/* SPDX-License-Identifier: Apache-2.0 */
#include "base/streams.h"
#include "dataset/dataset.h"
#include "model.h"

#include <math.h>
#include <string.h>

/*
 * A sparse product moves about a tenth of the entries a second that a dense one does, so from this
 * density on X is multiplied as a full matrix.
 */
static const double full_from = 0.1;

enum { WALK_STEPS = 3, DEGREE_COLUMNS = 32 };

static bool made(const wgdn_dataset *d)
{
    return wgdn_dataset_features(d) == 0;
}

int64_t wgdn_feed_width(const wgdn_dataset *d, const wgdn_train_options *o)
{
    if (!made(d)) return wgdn_dataset_features(d);
    return o->features == WGDN_FEATURES_DEGREE ? DEGREE_COLUMNS : o->structural_dim;
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
 * reach get like rows, whatever Z is. A row of Z depends on its node's number alone.
 */
static wgdn_status walk_rows(float *x, const wgdn_graph *g, const int32_t *order, int64_t d,
                             uint64_t seed, wgdn_error *err)
{
    const wgdn_span rows = wgdn_graph_span(g);
    const int64_t n = rows.count;
    float *z = wgdn_alloc((size_t)(n * d), sizeof *z);
    float *next = wgdn_alloc((size_t)(n * d), sizeof *next), *side = wgdn_alloc((size_t)(n * d), 4);
    wgdn_status st = WGDN_OK;
    if (!z || !next || !side)
        st = wgdn_fail(err, WGDN_ENOMEM, "random-walk features: three %lld x %lld buffers",
                       (long long)n, (long long)d);
    st = wgdn_span_agree(rows, st, err);
    if (st) goto done;
    memset(x, 0, (size_t)(n * d) * sizeof *x);
    for (int64_t i = 0; i < n; i++)
        wgdn_random_normals(z + i * d, d, (wgdn_stream){.seed = seed, .call = WGDN_CALL_WALK},
                            order ? order[i] : rows.first + i, 1, 0, d);
    for (int k = 0; k < WALK_STEPS; k++) {
        float *was = z;
        wgdn_laplacian_mean(side, next, g, z, d, WGDN_AVERAGE_ROW);
        for (int64_t i = 0; i < n; i++) {
            double norm = 0;
            for (int64_t j = 0; j < d; j++)
                norm += (double)next[i * d + j] * next[i * d + j];
            const float a = norm > 0 ? (float)(1 / sqrt(norm)) : 0;
            for (int64_t j = 0; j < d; j++)
                x[i * d + j] += a * next[i * d + j];
        }
        z = next;
        next = was;
    }

done:
    wgdn_release(side);
    wgdn_release(next);
    wgdn_release(z);
    return st;
}

static wgdn_status make_features(wgdn_feed *s, const wgdn_dataset *d, const wgdn_model *m,
                                 wgdn_error *err)
{
    const wgdn_graph *g = wgdn_dataset_get_graph(d);
    const int64_t width = wgdn_feed_width(d, &m->options);
    s->owned = wgdn_alloc((size_t)(wgdn_graph_nodes(g) * width), sizeof *s->owned);
    if (!s->owned)
        return wgdn_fail(err, WGDN_ENOMEM, "features of the graph: %lld x %lld",
                         (long long)wgdn_graph_nodes(g), (long long)width);
    s->input.dense = s->owned;
    if (m->options.features == WGDN_FEATURES_DEGREE) {
        degree_rows(s->owned, g);
        return WGDN_OK;
    }
    return walk_rows(s->owned, g, s->input.order, width, m->options.seed, err);
}

/* All entries of the compressed rows as 1, without a copy: possible when none is negative. */
static wgdn_status binarise_sparse(wgdn_csr *csr, wgdn_error *err)
{
    for (int64_t i = 0; csr->value && i < csr->rows; i++)
        for (int64_t k = csr->offset[i]; k < csr->offset[i + 1]; k++)
            if (csr->value[k] < 0)
                return wgdn_fail(
                    err, WGDN_EINVAL,
                    "binarise: feature %d of node %lld is %g; sparse features must not "
                    "be negative for that",
                    csr->column[k], (long long)i, csr->value[k]);
    csr->value = NULL;
    return WGDN_OK;
}

static wgdn_status binarise_dense(wgdn_feed *s, const float *x, wgdn_error *err)
{
    const int64_t count = s->input.rows.count * s->input.features;
    s->owned = wgdn_alloc((size_t)count, sizeof *s->owned);
    if (!s->owned)
        return wgdn_fail(err, WGDN_ENOMEM, "binarise: %lld x %lld features",
                         (long long)s->input.rows.count, (long long)s->input.features);
    for (int64_t k = 0; k < count; k++)
        s->owned[k] = x[k] > 0 ? 1.0F : 0.0F;
    s->input.dense = s->owned;
    return WGDN_OK;
}

static wgdn_status fill(wgdn_feed *s, int64_t n, int64_t f, wgdn_error *err)
{
    s->owned = wgdn_alloc_zero((size_t)(n * f), sizeof *s->owned);
    if (!s->owned)
        return wgdn_fail(err, WGDN_ENOMEM, "features: dense, %lld x %lld", (long long)n,
                         (long long)f);
    for (int64_t i = 0; i < n; i++)
        for (int64_t k = s->csr.offset[i]; k < s->csr.offset[i + 1]; k++)
            s->owned[i * f + s->csr.column[k]] = s->csr.value ? s->csr.value[k] : 1;
    s->input.dense = s->owned;
    return WGDN_OK;
}

/* Lend the dataset's compressed rows; false when it has none. */
static bool lend(wgdn_csr *csr, const wgdn_dataset *d)
{
    const int64_t *offset;
    const int32_t *column;
    const float *value;
    if (!wgdn_dataset_get_sparse(&offset, &column, &value, d)) return false;
    *csr = (wgdn_csr){.rows = wgdn_dataset_rows(d).count,
                      .cols = wgdn_dataset_features(d),
                      .offset = (int64_t *)(uintptr_t)offset,
                      .column = (int32_t *)(uintptr_t)column,
                      .value = (float *)(uintptr_t)value};
    return true;
}

/* One-hot degrees of another set than the model's: as many columns as it knows,
 * the last for more. */
static wgdn_status clip_degrees(wgdn_feed *s, int64_t width, wgdn_error *err)
{
    const int64_t entries = wgdn_csr_entries(&s->csr);
    s->columns = wgdn_alloc((size_t)entries, sizeof *s->columns);
    if (!s->columns)
        return wgdn_fail(err, WGDN_ENOMEM, "features: %lld degrees", (long long)entries);
    for (int64_t k = 0; k < entries; k++)
        s->columns[k] = s->csr.column[k] < width ? s->csr.column[k] : (int32_t)width - 1;
    s->csr.column = s->columns;
    s->csr.cols = width;
    return WGDN_OK;
}

/* Whether X is multiplied as compressed rows. */
static bool stays_sparse(const wgdn_dataset *d)
{
    wgdn_csr csr;
    return !made(d) && lend(&csr, d) && wgdn_dataset_density(d) < full_from;
}

/* Columns of the widest matrix that is filtered: X itself where it is dense. */
static int64_t widest(const wgdn_model *m, bool sparse)
{
    const bool narrow = sparse || m->shape.features < m->shape.width;
    return narrow ? m->shape.width : m->shape.features;
}

wgdn_status wgdn_feed_open(wgdn_feed *s, const wgdn_dataset *d, const wgdn_model *m,
                           wgdn_error *err)
{
    const bool other = d->degrees && d->features.width != m->shape.features;
    const wgdn_span rows = wgdn_dataset_rows(d);
    const int64_t n = rows.count;
    const int64_t f = other ? m->shape.features : wgdn_feed_width(d, &m->options);
    wgdn_status st = WGDN_OK;
    *s = (wgdn_feed){.input = {.rows = rows, .features = f, .order = wgdn_dataset_get_order(d)}};
    if (f != m->shape.features)
        return wgdn_fail(err, WGDN_EINVAL,
                         "features: %lld columns, but the model was made for %lld", (long long)f,
                         (long long)m->shape.features);
    st = wgdn_halo_reserve(d->halo, widest(m, stays_sparse(d)), err);
    if (st) return st;
    if (made(d)) {
        st = make_features(s, d, m, err);
    } else if (lend(&s->csr, d)) {
        if (other) st = clip_degrees(s, f, err);
        if (!st && m->options.binarise) st = binarise_sparse(&s->csr, err);
        if (!st && wgdn_dataset_density(d) >= full_from)
            st = fill(s, n, f, err);
        else
            s->input.sparse = &s->csr;
    } else if (m->options.binarise) {
        st = binarise_dense(s, wgdn_dataset_get_dense(d), err);
    } else {
        s->input.dense = wgdn_dataset_get_dense(d);
    }
    st = wgdn_span_agree(rows, st, err);
    if (!st) st = wgdn_input_prepare(&s->input, m, wgdn_dataset_get_graph(d), err);
    if (st) wgdn_feed_free(s);
    return st;
}

void wgdn_feed_free(wgdn_feed *s)
{
    wgdn_input_free(&s->input);
    wgdn_release(s->owned);
    wgdn_release(s->columns);
    s->owned = NULL;
    s->columns = NULL;
}

/* Non-zeros of the features in a part of the rows; the dataset has these, or all there are. */
static int64_t entries_of(const wgdn_csr *csr, wgdn_span rows)
{
    const int64_t first = csr->rows == rows.count ? 0 : rows.first;
    return csr->offset[first + rows.count] - csr->offset[first];
}

size_t wgdn_feed_bytes(wgdn_input *shape, const wgdn_dataset *d, const wgdn_portion *part,
                       const wgdn_model *m)
{
    static const float any = 0;
    static const wgdn_csr none = {0};
    const int64_t n = part->rows.count, f = wgdn_feed_width(d, &m->options);
    wgdn_csr csr;
    const bool sparse = !made(d) && lend(&csr, d);
    const int64_t entries = sparse ? entries_of(&csr, part->rows) : n * f;
    const size_t matrix = (size_t)n * (size_t)f * sizeof(float);
    size_t bytes = (size_t)n * sizeof *shape->ones;
    *shape = (wgdn_input){.rows = part->rows,
                          .features = f,
                          .nonzeros = entries,
                          .all_nonzeros = d->features.entries,
                          .edges = part->edges,
                          .all_edges = 2 * wgdn_dataset_edges(d),
                          .halo = part->halo};
    /* rows that come and go */
    bytes +=
        (size_t)(part->halo + part->sends) * (size_t)widest(m, stays_sparse(d)) * sizeof(float);
    if (stays_sparse(d)) {
        shape->sparse = &none;
        return bytes + (size_t)entries * wgdn_transpose_bytes(true) +
               (size_t)f * sizeof *shape->transposed.offset;
    }
    shape->dense = &any;
    if (sparse || made(d) || m->options.binarise) bytes += matrix;
    return bytes + matrix + (size_t)n * sizeof *shape->smooth_one; /* P(L) X and P(L) 1 */
}
