/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Computes the baselines that embeddings are compared with: raw and smoothed features, a random
 * encoder, PCA, degrees, adjacency rows, and subtree counts for graphs. `wgdn eval` evaluates them
 * in the same way as the embedding.
 */
#include "eval.h"
#include "fit/fit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * Counts subtrees by the Weisfeiler-Lehman algorithm                                [WGDN:subtrees]
 *
 * fit/graph_vectors.c names the nodes. A graph's row counts how often each name occurs in it, over
 * all iterations. Names are numbered in sorted order.
 */

typedef struct named {
    uint64_t name;
    int64_t node;
} named;

/* Names to numbers from `first` on; gives the first number that is free. */
static int32_t number_names(int32_t *number, named *t, const uint64_t *name, int64_t n,
                            int32_t first)
{
    for (int64_t i = 0; i < n; i++)
        t[i] = (named){name[i], i};
    qsort(t, (size_t)n, sizeof *t, wgdn_by_uint64);
    for (int64_t i = 0; i < n; i++) {
        if (i > 0 && t[i].name != t[i - 1].name) first++;
        number[t[i].node] = first;
    }
    return first + 1;
}

/* A graph's numbers of all levels, counted, behind what out has already. */
static void count_graph(wgdn_csr *out, int32_t *all, const int32_t *number, int levels, int64_t n,
                        int64_t first, int64_t end)
{
    int64_t count = 0, at = out->offset[out->rows];
    for (int l = 0; l < levels; l++)
        for (int64_t i = first; i < end; i++)
            all[count++] = number[l * n + i];
    qsort(all, (size_t)count, sizeof *all, wgdn_by_int32);
    for (int64_t k = 0; k < count; k++) {
        if (k == 0 || all[k] != all[k - 1]) {
            out->column[at] = all[k];
            out->value[at++] = 0;
        }
        out->value[at - 1]++;
    }
    out->offset[++out->rows] = at;
}

/* A row for each graph. */
static wgdn_status count_subtrees(wgdn_csr *out, const wgdn_dataset *d, int iterations,
                                  wgdn_error *err)
{
    const wgdn_csr *edges = &wgdn_dataset_get_graph(d)->adjacency;
    const int64_t n = wgdn_dataset_nodes(d), graphs = wgdn_dataset_graphs(d);
    const int64_t features = wgdn_dataset_features(d);
    const size_t levels = (size_t)iterations + 1, all = (size_t)n * levels;
    wgdn_csr a = {0};
    int32_t next = 0;
    wgdn_arrays own = {0};
    named *t = wgdn_arrays_add(&own, (size_t)n, sizeof *t);
    uint64_t *name = wgdn_arrays_add(&own, all, sizeof *name);
    int32_t *number = wgdn_arrays_add(&own, all, sizeof *number);
    int32_t *scratch = wgdn_arrays_add(&own, all, sizeof *scratch);
    wgdn_matrix x = {0};
    wgdn_status st = features ? wgdn_matrix_open(&x, d, features, false, err) : WGDN_OK;
    a.offset = wgdn_alloc((size_t)graphs + 1, sizeof *a.offset);
    a.column = wgdn_alloc(all, sizeof *a.column);
    a.value = wgdn_alloc(all, sizeof *a.value);
    if (!st && (own.failed || !a.offset || !a.column || !a.value || all > INT32_MAX))
        st = wgdn_fail(err, WGDN_ENOMEM, "subtrees: %lld nodes", (long long)n);
    if (st) goto done;
    wgdn_subtrees_name(name, iterations, edges, &x, features);
    for (int l = 0; l <= iterations; l++)
        next = number_names(number + l * n, t, name + l * n, n, next);
    a.cols = next;
    a.offset[0] = 0;
    for (int64_t k = 0; k < graphs; k++)
        count_graph(&a, scratch, number, iterations + 1, n, wgdn_dataset_graph_start(d, k),
                    wgdn_dataset_graph_start(d, k + 1));
    *out = a;

done:
    if (st) wgdn_csr_free(&a);
    wgdn_matrix_free(&x);
    wgdn_arrays_release(&own);
    return st;
}

/* Computes the baselines for vectors of graphs: pooled features, chance, and counts of subtrees. */

enum { ITERATIONS = 3 };

/* Pooled features: one graph's rows into one. */
static void pool_features(float *out, const wgdn_model_input *in, int64_t first, int64_t end,
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
    wgdn_status st = wgdn_feed_open(&feed, d, m, false, err);
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

static wgdn_status subtree_vectors(wgdn_embedding **out, const wgdn_dataset *d, wgdn_error *err)
{
    wgdn_csr a = {0};
    const wgdn_status st = count_subtrees(&a, d, ITERATIONS, err);
    wgdn_embedding *e = st ? NULL : wgdn_alloc_zero(1, sizeof *e);
    if (!e) {
        wgdn_csr_free(&a);
        return st ? st : wgdn_fail(err, WGDN_ENOMEM, "baseline: handle");
    }
    /* Counts of graphs of any size compare by their shares: rows of length 1. */
    for (int64_t i = 0; i < a.rows; i++) {
        double squares = 0;
        for (int64_t k = a.offset[i]; k < a.offset[i + 1]; k++)
            squares += (double)a.value[k] * a.value[k];
        for (int64_t k = a.offset[i]; k < a.offset[i + 1]; k++)
            a.value[k] /= (float)sqrt(squares);
    }
    e->vectors = (wgdn_features){.rows = a.rows, .width = a.cols, .sparse = a};
    *out = e;
    return WGDN_OK;
}

/* One of a dataset's graphs; o is complete. */
static wgdn_status graph_baseline(wgdn_embedding **out, const wgdn_dataset *d,
                                  wgdn_baseline baseline, const wgdn_train_options *o,
                                  wgdn_error *err)
{
    wgdn_model *m = NULL;
    if (baseline == WGDN_BASELINE_SUBTREES) return subtree_vectors(out, d, err);
    wgdn_status st = wgdn_model_make(&m, o, wgdn_feed_width(d, o), err);
    if (!st) st = (baseline == WGDN_BASELINE_RAW ? raw_vectors : random_vectors)(out, d, m, err);
    wgdn_model_free(m);
    return st;
}

/*
 * Computes the baselines for vectors of nodes: features, filtered features, chance, and linear
 * algebra.
 */

const char *wgdn_baseline_name(wgdn_baseline baseline, wgdn_task task)
{
    static const char *const nodes[] = {
        "raw features", "smoothed features", "random encoder", "PCA of smoothed features",
        NULL,           "degrees",           "adjacency rows"};
    static const char *const graphs[] = {"pooled raw features",
                                         NULL,
                                         "random encoder",
                                         NULL,
                                         "Weisfeiler-Lehman subtrees",
                                         NULL,
                                         NULL};
    if ((int)baseline < 0 || baseline > WGDN_BASELINE_ADJACENCY) return NULL;
    return (task == WGDN_TASK_GRAPH ? graphs : nodes)[baseline];
}

int wgdn_baseline_fits(wgdn_baseline baseline, const wgdn_dataset *d, wgdn_task task)
{
    const bool of_structure =
        baseline == WGDN_BASELINE_DEGREE || baseline == WGDN_BASELINE_ADJACENCY;
    if (!wgdn_baseline_name(baseline, task)) return 0;
    if (task == WGDN_TASK_GRAPH) return 1;
    if (of_structure && wgdn_dataset_edges(d) == 0) return 0;
    return of_structure == (wgdn_dataset_features(d) == 0);
}

/* A model with fresh parameters, and the features as it takes them. */
typedef struct stand {
    const wgdn_dataset *d;
    wgdn_plain plain; /* d is this */
    wgdn_model *m;
    wgdn_feed feed;
} stand;

static void close_stand(void *keeper)
{
    stand *s = keeper;
    if (!s) return;
    wgdn_feed_free(&s->feed);
    wgdn_model_free(s->m);
    wgdn_plain_close(&s->plain);
    wgdn_release(s);
}

static wgdn_status open_stand(stand **out, const wgdn_dataset *d, const wgdn_train_options *o,
                              wgdn_error *err)
{
    stand *s = *out = wgdn_alloc_zero(1, sizeof *s);
    if (!s) return wgdn_fail(err, WGDN_ENOMEM, "baseline: handle");
    wgdn_status st = wgdn_plain_open(&s->plain, d, err);
    s->d = s->plain.d;
    if (!st) st = wgdn_model_make(&s->m, o, wgdn_feed_width(d, o), err);
    return st ? st : wgdn_feed_open(&s->feed, s->d, s->m, false, err);
}

static int64_t dim_of(const stand *s, wgdn_baseline b)
{
    const wgdn_model_input *in = &s->feed.input;
    if (b == WGDN_BASELINE_RANDOM) return s->m->shape.width;
    if (b == WGDN_BASELINE_PCA)
        return wgdn_min(s->m->shape.width, wgdn_min(in->rows.count, in->features));
    return in->features;
}

static wgdn_status encode(float *x, const stand *s, wgdn_error *err)
{
    const wgdn_model_input *in = &s->feed.input;
    wgdn_workspace *w = NULL;
    wgdn_status st = wgdn_workspace_new(&w, s->m, in, false, err);
    if (!st) st = wgdn_encode(x, s->m, w, wgdn_dataset_get_graph(s->d), in, err);
    wgdn_workspace_free(w);
    return st;
}

/* Sparse features stay sparse, to be filtered by whoever uses them; *s becomes the embedding's. */
static wgdn_status keep_sparse(wgdn_embedding **out, stand **s, wgdn_baseline b, wgdn_error *err)
{
    const wgdn_model_input *in = &(*s)->feed.input;
    wgdn_embedding *e = wgdn_alloc_zero(1, sizeof *e);
    if (!e) return wgdn_fail(err, WGDN_ENOMEM, "baseline: handle");
    e->vectors = (wgdn_features){
        .rows = in->rows.count, .width = in->features, .sparse = *in->sparse, .borrowed = true};
    e->transposed = in->transposed;
    e->transposed.value = in->values;
    if (b == WGDN_BASELINE_SMOOTH) {
        e->graph = wgdn_dataset_get_graph((*s)->d);
        e->series = (*s)->m->encoder_a;
        e->order = (*s)->m->shape.encoder_order;
    }
    e->keeper = *s;
    e->release = close_stand;
    *s = NULL;
    *out = e;
    return WGDN_OK;
}

static wgdn_status fill(float *x, const stand *s, wgdn_baseline b, int64_t dim, wgdn_error *err)
{
    const wgdn_model_input *in = &s->feed.input;
    if (b == WGDN_BASELINE_RANDOM) return encode(x, s, err);
    if (b == WGDN_BASELINE_PCA)
        return wgdn_pca_smooth(x, in, s->m, wgdn_dataset_get_graph(s->d), dim, err);
    memcpy(x, b == WGDN_BASELINE_RAW ? in->dense : in->smooth,
           (size_t)(in->rows.count * dim) * sizeof *x);
    return WGDN_OK;
}

/* ---- baselines of structure ---- */

enum { DEGREE_COLUMNS = 4 };

/* log(1 + degree) of node i; log(1 + d) of the mean, least and largest degree d next to it. */
static void fill_degrees(float *x, const wgdn_graph *g)
{
    const wgdn_csr *a = &g->adjacency;
    for (int64_t i = 0; i < a->rows; i++) {
        const int64_t first = a->offset[i], end = a->offset[i + 1];
        double sum = 0, least = first < end ? INFINITY : 0, most = 0;
        for (int64_t k = first; k < end; k++) {
            const double d = (double)(a->offset[a->column[k] + 1] - a->offset[a->column[k]]);
            sum += d;
            least = fmin(least, d);
            most = fmax(most, d);
        }
        const double degree = (double)(end - first);
        const double row[] = {degree, degree > 0 ? sum / degree : 0, least, most};
        for (int j = 0; j < DEGREE_COLUMNS; j++)
            x[i * DEGREE_COLUMNS + j] = (float)log1p(row[j]);
    }
}

static void close_plain(void *keeper)
{
    if (!keeper) return;
    wgdn_plain_close(keeper);
    wgdn_release(keeper);
}

/* The adjacency matrix is its own transpose. */
static wgdn_status keep_adjacency(wgdn_embedding **out, wgdn_plain **s, const wgdn_graph *g,
                                  wgdn_error *err)
{
    wgdn_embedding *e = wgdn_alloc_zero(1, sizeof *e);
    if (!e) return wgdn_fail(err, WGDN_ENOMEM, "baseline: handle");
    wgdn_csr a = g->adjacency;
    a.value = NULL;
    e->vectors = (wgdn_features){.rows = a.rows, .width = a.rows, .sparse = a, .borrowed = true};
    e->transposed = a;
    e->keeper = *s;
    e->release = close_plain;
    *s = NULL;
    *out = e;
    return WGDN_OK;
}

static wgdn_status of_structure(wgdn_embedding **out, const wgdn_dataset *d, wgdn_baseline b,
                                wgdn_error *err)
{
    wgdn_plain *s = wgdn_alloc_zero(1, sizeof *s);
    if (!s) return wgdn_fail(err, WGDN_ENOMEM, "baseline: handle");
    wgdn_status st = wgdn_plain_open(s, d, err);
    const wgdn_graph *g = st ? NULL : wgdn_dataset_get_graph(s->d);
    if (!st && b == WGDN_BASELINE_ADJACENCY) {
        st = keep_adjacency(out, &s, g, err);
    } else if (!st) {
        st = wgdn_embedding_new(out, wgdn_graph_nodes(g), DEGREE_COLUMNS, NULL, err);
        if (!st) fill_degrees((*out)->vectors.dense, g);
    }
    close_plain(s);
    return st;
}

static wgdn_status of_nodes(wgdn_embedding **out, const wgdn_dataset *d, wgdn_baseline b,
                            const wgdn_train_options *o, wgdn_error *err)
{
    stand *s = NULL;
    if (b == WGDN_BASELINE_DEGREE || b == WGDN_BASELINE_ADJACENCY)
        return of_structure(out, d, b, err);
    wgdn_status st = open_stand(&s, d, o, err);
    if (!st && s->feed.input.sparse && (b == WGDN_BASELINE_RAW || b == WGDN_BASELINE_SMOOTH)) {
        st = keep_sparse(out, &s, b, err);
    } else if (!st) {
        const int64_t dim = dim_of(s, b);
        st = wgdn_embedding_new(out, s->feed.input.rows.count, dim, NULL, err);
        if (!st) st = fill((*out)->vectors.dense, s, b, dim, err);
    }
    close_stand(s);
    return st;
}

wgdn_status wgdn_embedding_from_baseline(wgdn_embedding **out, const wgdn_dataset *d,
                                         wgdn_baseline baseline, const wgdn_train_options *model,
                                         wgdn_error *err)
{
    wgdn_train_options o;
    wgdn_embedding *e = NULL;
    wgdn_status st = wgdn_options_read(&o, model, WGDN_OPTIONS_KIND_TRAIN, err);
    if (st) return st;
    const bool graphs = wgdn_task_is_graph(&o, d);
    const char *name = wgdn_baseline_name(baseline, graphs ? WGDN_TASK_GRAPH : WGDN_TASK_NODE);
    if (!name)
        return wgdn_fail(err, WGDN_EINVAL, "baseline: there is no number %d of %s", (int)baseline,
                         graphs ? "graphs" : "nodes");
    const int former = wgdn_threads_use(o.threads);
    st = (graphs ? graph_baseline : of_nodes)(&e, d, baseline, &o, err);
    wgdn_threads_use(former);
    if (!st) st = wgdn_dataset_unchanged(d, err);
    if (st) {
        wgdn_embedding_free(e);
        return st;
    }
    e->of = d;
    e->of_graphs = graphs;
    snprintf(e->source, sizeof e->source, "%s", name);
    *out = e;
    return WGDN_OK;
}
