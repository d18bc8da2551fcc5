/* SPDX-License-Identifier: Apache-2.0 */
/* What a fit looks at: X with rows of length 1, its transpose, the graph, the keys of the nodes. */
#include "dataset/embedding.h"
#include "fit.h"

#include <math.h>
#include <string.h>

void wgdn_fit_rows(wgdn_fit_input *part, const wgdn_fit_input *in, wgdn_span chunk)
{
    const int64_t first = wgdn_chunk_first(chunk);
    *part = *in;
    part->rows = chunk;
    part->inv_norm += first;
    if (in->x.sparse) {
        part->x.csr = *in->x.sparse;
        part->x.csr.rows = chunk.count;
        part->x.csr.offset += first;
        part->x.sparse = &part->x.csr;
    } else {
        part->x.dense += first * in->features;
    }
}

void wgdn_fit_forget(const wgdn_fit_input *part)
{
    const wgdn_csr *x = part->x.sparse;
    const int64_t from = x ? x->offset[0] : 0, count = x ? x->offset[x->rows] - from : 0;
    for (int i = 0; i < 2 && part->room.slab; i++) {
        const wgdn_archive *a = part->from[i];
        if (!x)
            wgdn_archive_forget_at(a, part->x.dense,
                                   (size_t)(part->rows.count * part->features) * sizeof(float),
                                   false);
        if (x)
            wgdn_archive_forget_at(a, x->column + from, (size_t)count * sizeof *x->column, false);
        if (x && x->value)
            wgdn_archive_forget_at(a, x->value + from, (size_t)count * sizeof *x->value, false);
    }
}

static wgdn_status open_features(wgdn_fit_input *in, const wgdn_dataset *d, const wgdn_fitted *f,
                                 bool learn, wgdn_error *err)
{
    wgdn_status st = WGDN_OK;
    if (wgdn_dataset_features(d) != f->features && !(d->degrees && wgdn_dataset_features(d)))
        return wgdn_fail(err, WGDN_EINVAL,
                         "features: %lld columns, but the model was made for %lld",
                         (long long)wgdn_dataset_features(d), (long long)f->features);
    st = wgdn_matrix_open(&in->x, d, f->features, f->options.binarise, err);
    if (!st && learn && in->x.sparse) st = wgdn_csr_transpose(&in->turned, in->x.sparse, err);
    return st;
}

/* Columns of the widest matrix that meets the graph: a subspace, what neighbours share of features,
 * or what scales are compared by. */
static int64_t widest_of(const wgdn_fitted *f, int64_t nodes)
{
    const int64_t subspace = wgdn_shared_inner(f->options.dim, nodes),
                  scales = wgdn_scale_columns(nodes);
    return subspace > scales ? subspace : scales;
}

/* log A_ij, where there are weights. */
static wgdn_status open_logs(wgdn_fit_input *in, wgdn_error *err)
{
    const wgdn_csr *a = &in->graph->adjacency;
    const int64_t entries = wgdn_csr_entries(a);
    if (!a->value) return WGDN_OK;
    in->logs = wgdn_alloc((size_t)entries, sizeof *in->logs);
    if (!in->logs)
        return wgdn_fail(err, WGDN_ENOMEM, "logarithms of %lld weights", (long long)entries);
    for (int64_t k = 0; k < entries; k++)
        in->logs[k] = (float)log((double)a->value[k]);
    return WGDN_OK;
}

/* Entries of a mapped graph that a product has gone through. */
static void graph_used(const wgdn_graph *g, int64_t from, int64_t to)
{
    const wgdn_csr *a = &g->adjacency;
    const size_t count = (size_t)(to - from);
    wgdn_archive_forget_at(g->of, a->column + from, count * sizeof *a->column, true);
    if (a->value) wgdn_archive_forget_at(g->of, a->value + from, count * sizeof *a->value, true);
}

/* The graph, of which a window is in memory at a time. */
static void open_window(wgdn_fit_input *in, const wgdn_dataset *d)
{
    in->window = *in->graph;
    in->window.used = graph_used;
    in->window.of = &d->archive;
    in->graph = &in->window;
}

wgdn_status wgdn_fit_input_open(wgdn_fit_input *in, const wgdn_dataset *d, const wgdn_fitted *f,
                                bool learn, wgdn_error *err)
{
    wgdn_status st = WGDN_OK;
    *in = (wgdn_fit_input){.data = d,
                           .graph = wgdn_dataset_get_graph(d),
                           .relations = &d->relations,
                           .rows = wgdn_dataset_rows(d),
                           .features = f->features,
                           .from = {&d->archive, &d->feature_archive},
                           .serial = d->serial,
                           .keep = learn && f->options.keep,
                           .weighted = wgdn_dataset_weighted(d)};
    st = wgdn_room_find(&in->room, d, &f->options, err);
    if (in->room.slab && d->archive.sparing) open_window(in, d);
    if (!st && f->features) st = open_features(in, d, f, learn, err);
    if (!st) st = open_logs(in, err);
    st = wgdn_span_agree(in->rows, st, err);
    if (!st && f->features) st = wgdn_features_measure(in, d, f->options.seed, learn, err);
    if (!st) st = wgdn_dataset_keys(&in->key, d, err);
    if (!st && d->halo) st = wgdn_halo_reserve(d->halo, widest_of(f, in->rows.total), err);
    st = wgdn_span_agree(in->rows, st, err);
    if (st) wgdn_fit_input_close(in);
    return st;
}

void wgdn_fit_input_close(wgdn_fit_input *in)
{
    wgdn_release(in->logs);
    wgdn_release(in->key);
    wgdn_release(in->used);
    wgdn_release(in->inv_norm);
    wgdn_csr_free(&in->turned);
    wgdn_matrix_free(&in->x);
    in->logs = NULL;
    in->key = NULL;
    in->inv_norm = NULL;
    in->used = NULL;
}

float wgdn_row_to_length(float *row, int64_t k, double length)
{
    double sum = 0;
    for (int64_t j = 0; j < k; j++)
        sum += (double)row[j] * row[j];
    const float a = sum > 0 ? (float)(length / sqrt(sum)) : 0;
    for (int64_t j = 0; j < k; j++)
        row[j] *= a;
    return a;
}

typedef struct placing {
    const wgdn_place *to;
    float *rows;
    int64_t k, first;
} placing;

static void place_rows(int64_t first, int64_t count, double *sums, void *context)
{
    const placing *p = context;
    (void)sums;
    for (int64_t i = first; i < first + count; i++) {
        float *row = p->rows + i * p->k;
        if (p->to->length > 0) (void)wgdn_row_to_length(row, p->k, p->to->length);
        if (p->to->out)
            memcpy(p->to->out + (p->first + i) * p->to->ld, row, (size_t)p->k * sizeof *row);
    }
}

void wgdn_place_forget(const wgdn_place *to, int64_t first, int64_t count)
{
    const size_t row = (size_t)to->ld * sizeof *to->out;
    if (!to->in || !to->in->in_file) return;
    const size_t before = (size_t)((char *)to->out - (char *)to->in->at) / row * row;
    wgdn_spill_forget(to->in, before + (size_t)first * row, before + (size_t)(first + count) * row);
}

wgdn_status wgdn_made_check(int64_t *zeros, const float *rows, int64_t first, int64_t count,
                            int64_t k, wgdn_error *err)
{
    for (int64_t i = 0; i < count; i++) {
        const float *row = rows + i * k;
        float most = 0, sum = 0; /* of x - x: 0, or not a number */
        for (int64_t j = 0; j < k; j++) {
            most = fabsf(row[j]) > most ? fabsf(row[j]) : most;
            sum += row[j] - row[j];
        }
        if (sum != 0)
            return wgdn_fail(err, WGDN_ERANGE,
                             "vectors: row %lld is not finite (NaN or infinity): the model or the "
                             "features have extreme values; nothing is written",
                             (long long)(first + i));
        *zeros += most == 0;
    }
    return WGDN_OK;
}

wgdn_status wgdn_place_rows(const wgdn_place *to, float *rows, int64_t k, int64_t first,
                            int64_t count, wgdn_error *err)
{
    placing p = {to, rows, k, first};
    wgdn_for_blocks(wgdn_alone(count), place_rows, &p, NULL, 0, NULL);
    if (to->file) {
        const wgdn_status st = wgdn_made_check(to->zeros, rows, first, count, k, err);
        return st ? st : wgdn_numbers_write(to->file, NULL, rows, count * to->ld, to->numbers, err);
    }
    wgdn_place_forget(to, first, count);
    return WGDN_OK;
}

wgdn_status wgdn_scaled_chunk(float *y, const wgdn_fit_input *in, const float *v, int64_t k,
                              wgdn_error *err)
{
    wgdn_status st = WGDN_OK;
    if (in->x.sparse) {
        wgdn_spmm(y, in->x.sparse, v, k);
    } else {
        const wgdn_product p = wgdn_product_of(y, in->x.dense, v, in->rows, in->features, k);
        st = wgdn_gemm_nn(&p, err);
    }
    if (!st) wgdn_scale_rows(y, in->inv_norm, y, in->rows, k);
    return st;
}

wgdn_status wgdn_scaled_product(float *y, const wgdn_fit_input *in, const float *v, int64_t k,
                                wgdn_error *err)
{
    wgdn_status st = WGDN_OK;
    for (int64_t i = 0; i < wgdn_chunk_count(in->rows) && !st; i++) {
        wgdn_fit_input part;
        wgdn_fit_rows(&part, in, wgdn_chunk(in->rows, i));
        st = wgdn_scaled_chunk(y + wgdn_chunk_first(part.rows) * k, &part, v, k, err);
        wgdn_fit_forget(&part);
    }
    return st;
}
