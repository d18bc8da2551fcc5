/* SPDX-License-Identifier: Apache-2.0 */
/* What a trained embedding must beat: features, filtered features, chance, and linear algebra. */
#include "eval.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

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
    return st ? st : wgdn_feed_open(&s->feed, s->d, s->m, err);
}

static int64_t dim_of(const stand *s, wgdn_baseline b)
{
    const wgdn_input *in = &s->feed.input;
    if (b == WGDN_BASELINE_RANDOM) return s->m->shape.width;
    if (b == WGDN_BASELINE_PCA)
        return wgdn_min(s->m->shape.width, wgdn_min(in->rows.count, in->features));
    return in->features;
}

static wgdn_status encode(float *x, const stand *s, wgdn_error *err)
{
    const wgdn_input *in = &s->feed.input;
    wgdn_workspace *w = NULL;
    wgdn_status st = wgdn_workspace_new(&w, s->m, in, false, err);
    if (!st) st = wgdn_encode(x, s->m, w, wgdn_dataset_get_graph(s->d), in, err);
    wgdn_workspace_free(w);
    return st;
}

/* Sparse features stay sparse, to be filtered by whoever uses them; *s becomes the embedding's. */
static wgdn_status keep_sparse(wgdn_embedding **out, stand **s, wgdn_baseline b, wgdn_error *err)
{
    const wgdn_input *in = &(*s)->feed.input;
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
    const wgdn_input *in = &s->feed.input;
    if (b == WGDN_BASELINE_RANDOM) return encode(x, s, err);
    if (b == WGDN_BASELINE_PCA)
        return wgdn_pca_smooth(x, in, s->m, wgdn_dataset_get_graph(s->d), dim, err);
    memcpy(x, b == WGDN_BASELINE_RAW ? in->dense : in->smooth,
           (size_t)(in->rows.count * dim) * sizeof *x);
    return WGDN_OK;
}

/* ---- of structure ---- */

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
    wgdn_status st = wgdn_train_options_read(&o, model, err);
    if (st) return st;
    const bool graphs = wgdn_task_is_graph(&o, d);
    const char *name = wgdn_baseline_name(baseline, graphs ? WGDN_TASK_GRAPH : WGDN_TASK_NODE);
    if (!name)
        return wgdn_fail(err, WGDN_EINVAL, "baseline: there is no number %d of %s", (int)baseline,
                         graphs ? "graphs" : "nodes");
    const int former = wgdn_threads_use(o.threads);
    st = (graphs ? wgdn_graph_baseline : of_nodes)(&e, d, baseline, &o, err);
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
