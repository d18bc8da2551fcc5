/* SPDX-License-Identifier: Apache-2.0 */
/* What vectors of graphs must beat: pooled features, chance, and counts of subtrees. */
#include "eval.h"

#include <math.h>

enum { ITERATIONS = 3 };

/* Pooled features: one graph's rows into one. */
static void pool_features(float *out, const wgdn_input *in, int64_t first, int64_t end,
                          wgdn_pool how)
{
    const int64_t f = in->features;
    const double part = how == WGDN_POOL_MEAN ? 1 / (double)(end - first) : 1;
    for (int64_t j = 0; j < f; j++) {
        double sum = 0, most = 0;
        for (int64_t i = first; in->dense && i < end; i++) {
            const double x = in->dense[i * f + j];
            sum += x;
            most = i == first || x > most ? x : most;
        }
        out[j] = (float)(how == WGDN_POOL_MAX ? most : part * sum);
    }
    /* Sparse rows: what is not there is 0, so a largest value below 0 is 0. */
    const wgdn_csr *a = in->sparse;
    for (int64_t k = a ? a->offset[first] : 0; a && k < a->offset[end]; k++) {
        const float x = a->value ? a->value[k] : 1;
        float *to = out + a->column[k];
        *to = how != WGDN_POOL_MAX ? *to + (float)part * x : x > *to ? x : *to;
    }
}

static wgdn_status raw_vectors(wgdn_embedding **out, const wgdn_dataset *d, const wgdn_model *m,
                               wgdn_error *err)
{
    const int64_t graphs = wgdn_dataset_graphs(d);
    wgdn_feed feed;
    wgdn_status st = wgdn_feed_open(&feed, d, m, err);
    if (st) return st;
    const int64_t f = feed.input.features;
    st = wgdn_embedding_new(out, graphs, f, NULL, err);
    for (int64_t g = 0; !st && g < graphs; g++)
        pool_features((*out)->vectors.dense + g * f, &feed.input, wgdn_dataset_graph_start(d, g),
                      wgdn_dataset_graph_start(d, g + 1), m->options.pool);
    wgdn_feed_free(&feed);
    return st;
}

static wgdn_status random_vectors(wgdn_embedding **out, const wgdn_dataset *d, const wgdn_model *m,
                                  wgdn_error *err)
{
    const wgdn_status st =
        wgdn_embedding_new(out, wgdn_dataset_graphs(d), m->shape.width, NULL, err);
    return st ? st : wgdn_embed_graphs((*out)->vectors.dense, m, d, m->options.pool, err);
}

/* Counts of graphs of any size compare by their shares: rows of length 1. */
static void unit_rows(wgdn_csr *a)
{
    for (int64_t i = 0; i < a->rows; i++) {
        double squares = 0;
        for (int64_t k = a->offset[i]; k < a->offset[i + 1]; k++)
            squares += (double)a->value[k] * a->value[k];
        for (int64_t k = a->offset[i]; k < a->offset[i + 1]; k++)
            a->value[k] /= (float)sqrt(squares);
    }
}

static wgdn_status subtree_vectors(wgdn_embedding **out, const wgdn_dataset *d, wgdn_error *err)
{
    wgdn_csr a = {0};
    const wgdn_status st = wgdn_subtree_counts(&a, d, ITERATIONS, err);
    wgdn_embedding *e = st ? NULL : wgdn_alloc_zero(1, sizeof *e);
    if (!e) {
        wgdn_csr_free(&a);
        return st ? st : wgdn_fail(err, WGDN_ENOMEM, "baseline: handle");
    }
    unit_rows(&a);
    e->vectors = (wgdn_features){.rows = a.rows, .width = a.cols, .sparse = a};
    *out = e;
    return WGDN_OK;
}

wgdn_status wgdn_graph_baseline(wgdn_embedding **out, const wgdn_dataset *d, wgdn_baseline baseline,
                                const wgdn_train_options *o, wgdn_error *err)
{
    wgdn_model *m = NULL;
    if (baseline == WGDN_BASELINE_SUBTREES) return subtree_vectors(out, d, err);
    wgdn_status st = wgdn_model_make(&m, o, wgdn_feed_width(d, o), err);
    if (!st) st = (baseline == WGDN_BASELINE_RAW ? raw_vectors : random_vectors)(out, d, m, err);
    wgdn_model_free(m);
    return st;
}
