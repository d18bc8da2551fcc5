/* SPDX-License-Identifier: Apache-2.0 */
/* What vectors of graphs must beat: pooled features, chance, and counts of subtrees. */
#include "eval.h"

#include <math.h>

enum { ITERATIONS = 3 };

const char *wgdn_graph_baseline_name(int baseline)
{
    static const char *const name[] = {"pooled raw features", "random encoder",
                                       "Weisfeiler-Lehman subtrees"};
    const int count = sizeof name / sizeof *name;
    return baseline >= 0 && baseline < count ? name[baseline] : NULL;
}

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

static wgdn_status raw_vectors(float **x, int64_t *width, const wgdn_dataset *d,
                               const wgdn_model *m, wgdn_error *err)
{
    const int64_t graphs = wgdn_dataset_graphs(d);
    wgdn_feed feed;
    wgdn_status st = wgdn_feed_open(&feed, d, m, err);
    if (st) return st;
    *width = feed.input.features;
    *x = wgdn_alloc((size_t)graphs, (size_t)*width * sizeof **x);
    if (!*x)
        st = wgdn_fail(err, WGDN_ENOMEM, "baseline: %lld vectors of width %lld", (long long)graphs,
                       (long long)*width);
    for (int64_t g = 0; !st && g < graphs; g++)
        pool_features(*x + g * *width, &feed.input, wgdn_dataset_graph_start(d, g),
                      wgdn_dataset_graph_start(d, g + 1), m->options.pool);
    wgdn_feed_free(&feed);
    return st;
}

static wgdn_status random_vectors(float **x, int64_t *width, const wgdn_dataset *d,
                                  const wgdn_model *m, wgdn_error *err)
{
    const int64_t graphs = wgdn_dataset_graphs(d);
    *width = m->shape.width;
    *x = wgdn_alloc((size_t)graphs, (size_t)*width * sizeof **x);
    if (!*x)
        return wgdn_fail(err, WGDN_ENOMEM, "baseline: %lld vectors of width %lld",
                         (long long)graphs, (long long)*width);
    return wgdn_model_embed_graphs(*x, m, d, m->options.pool, NULL, err);
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

/* The rows of a baseline: dense into *x, or compressed into *a. */
static wgdn_status make(float **x, wgdn_csr *a, int64_t *width, const wgdn_dataset *d,
                        wgdn_graph_baseline baseline, const wgdn_model *m, wgdn_error *err)
{
    switch (baseline) {
    case WGDN_GRAPH_BASELINE_RAW: return raw_vectors(x, width, d, m, err);
    case WGDN_GRAPH_BASELINE_RANDOM: return random_vectors(x, width, d, m, err);
    case WGDN_GRAPH_BASELINE_SUBTREES: break;
    }
    const wgdn_status st = wgdn_subtree_counts(a, d, ITERATIONS, err);
    if (st) return st;
    unit_rows(a);
    *width = a->cols;
    return WGDN_OK;
}

wgdn_status wgdn_svm_baseline(wgdn_svm_result *out, const wgdn_dataset *d,
                              wgdn_graph_baseline baseline, const wgdn_train_options *model,
                              const wgdn_eval_options *o, wgdn_error *err)
{
    wgdn_train_options t;
    wgdn_eval_options opt;
    wgdn_dataset *graphs = NULL;
    wgdn_model *m = NULL;
    wgdn_csr a = {0};
    float *x = NULL;
    int64_t width = 0;
    wgdn_status st = wgdn_train_options_read(&t, model, err);
    if (!st) st = wgdn_eval_options_read(&opt, o, err);
    if (st) return st;
    if (!wgdn_graph_baseline_name((int)baseline))
        return wgdn_fail(err, WGDN_EINVAL, "baseline: there is no number %d", (int)baseline);
    const int former = wgdn_threads_use(opt.threads);
    st = wgdn_model_make(&m, &t, wgdn_feed_width(d, &t), err);
    if (!st) st = wgdn_dataset_from_graphs(&graphs, d, err);
    if (!st) st = make(&x, &a, &width, d, baseline, m, err);
    if (!st) {
        wgdn_svm_input in = {.n = wgdn_dataset_graphs(d), .width = width, .dense = x};
        if (!x) in.sparse = &a;
        st = wgdn_svm_run(out, graphs, &in, &opt, err);
    }
    wgdn_release(x);
    wgdn_csr_free(&a);
    wgdn_dataset_free(graphs);
    wgdn_model_free(m);
    wgdn_threads_use(former);
    return st;
}
