/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Clusters nodes by their vectors and edges, and says how good the clusters are. eval/cluster.c has
 * k-means, communities.c the groups of the graph alone.
 */
#include "clusters.h"
#include "data/dataset.h"
#include "jobs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/*
 * k-means on unit vectors starts at random and, once, from the largest communities of the graph; the
 * start with the least inertia is taken. Then neighbors pull: PULL (1 - share of the neighbors in a cluster)
 * is added to squared distances, which are 4 at most, until no node moves. The number of clusters is the one
 * with the largest silhouette on a sample of the rows.
 */

static const double pull = 0.25;
static const int64_t tried[] = {2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 16, 20, 24, 28, 32, 40, 48, 64};
enum { TRIED = sizeof tried / sizeof *tried, SAMPLE = 4000, SAMPLE_RESTARTS = 4 };

struct wgdn_clusters {
    wgdn_clusters_report report;
    int32_t *group;    /* nodes */
    float *similarity; /* nodes */
    wgdn_cluster_info *info;
};

void wgdn_clusters_free(wgdn_clusters *c)
{
    if (!c) return;
    wgdn_release(c->info);
    wgdn_release(c->similarity);
    wgdn_release(c->group);
    wgdn_release(c);
}

void wgdn_clusters_describe(wgdn_clusters_report *out, const wgdn_clusters *c)
{
    (void)wgdn_result_give(out, &c->report, sizeof c->report, NULL);
}

void wgdn_clusters_describe_one(wgdn_cluster_info *out, const wgdn_clusters *c, int64_t k)
{
    static const wgdn_cluster_info none = {.struct_size = sizeof none};
    const bool there = k >= 0 && k < c->report.clusters;
    (void)wgdn_result_give(out, there ? &c->info[k] : &none, sizeof none, NULL);
}

const int32_t *wgdn_clusters_get_groups(const wgdn_clusters *c)
{
    return c->group;
}

const float *wgdn_clusters_get_similarity(const wgdn_clusters *c)
{
    return c->similarity;
}

/* ---- silhouette ---- */

/* Rows, their groups, and products of all rows with the sums of the groups. */
typedef struct measured {
    const float *x;
    int64_t n, width, k;
    const int32_t *group;
    float *sum;     /* k x width */
    float *product; /* n x k */
    int64_t *size;  /* k */
    void *work;
    float *one; /* n x k: indicator of the groups */
    wgdn_arrays arrays;
} measured;

static wgdn_status open_measured(measured *m, const float *x, int64_t n, int64_t width, int64_t k,
                                 const int32_t *group, wgdn_error *err)
{
    *m = (measured){.x = x, .n = n, .width = width, .k = k, .group = group};
    wgdn_arrays *a = &m->arrays;
    m->sum = wgdn_arrays_add(a, (size_t)k, (size_t)width * sizeof *m->sum);
    m->product = wgdn_arrays_add(a, (size_t)n, (size_t)k * sizeof *m->product);
    m->one = wgdn_arrays_add_zero(a, (size_t)n, (size_t)k * sizeof *m->one);
    m->size = wgdn_arrays_add_zero(a, (size_t)k, sizeof *m->size);
    m->work = wgdn_arrays_add(a, wgdn_gemm_tn_work(wgdn_alone(n), k, width), 1);
    if (a->failed)
        return wgdn_fail(err, WGDN_ENOMEM, "clusters: %lld rows, %lld clusters", (long long)n,
                         (long long)k);
    for (int64_t i = 0; i < n; i++) {
        m->one[i * k + group[i]] = 1;
        m->size[group[i]]++;
    }
    wgdn_product p = wgdn_product_of(m->sum, m->one, x, wgdn_alone(n), k, width);
    p.work = m->work;
    wgdn_status st = wgdn_gemm_tn(&p, err);
    if (st) return st;
    p = wgdn_product_of(m->product, x, m->sum, wgdn_alone(n), width, k);
    return wgdn_gemm_nt(&p, err);
}

/*
 * Silhouette with cosine distances. The mean distance to a group is 1 - x.s / size, s the sum of its
 * unit rows, so no pair of rows is looked at.                                   [WGDN:silhouette]
 */
static void silhouette_rows(int64_t first, int64_t count, double *sums, void *context)
{
    const measured *m = context;
    for (int64_t i = first; i < first + count; i++) {
        const float *y = m->product + i * m->k;
        const int32_t own = m->group[i];
        double near = INFINITY;
        if (m->size[own] < 2) continue; /* 0 by definition */
        for (int64_t c = 0; c < m->k; c++)
            if (c != own && m->size[c] > 0)
                near = fmin(near, 1 - (double)y[c] / (double)m->size[c]);
        const double mean =
            fmax(0, ((double)m->size[own] - (double)y[own]) / (double)(m->size[own] - 1));
        if (isfinite(near)) sums[0] += (near - mean) / fmax(fmax(near, mean), 1e-12);
    }
}

static wgdn_status find_silhouette(double *out, measured *m, wgdn_error *err)
{
    void *work = wgdn_alloc(wgdn_for_blocks_work(wgdn_alone(m->n), 1), 1);
    if (!work) return wgdn_fail(err, WGDN_ENOMEM, "silhouette of %lld rows", (long long)m->n);
    wgdn_for_blocks(wgdn_alone(m->n), silhouette_rows, m, out, 1, work);
    *out /= (double)m->n;
    wgdn_release(work);
    return WGDN_OK;
}

/* ---- the number of clusters ---- */

static wgdn_status tell(const wgdn_cluster_options *o, int64_t done, int64_t total, wgdn_error *err)
{
    if (!o->progress || !o->progress(o->progress_user, done, total)) return WGDN_OK;
    return wgdn_fail(err, WGDN_ESTOPPED, "stopped after %lld of %lld", (long long)done,
                     (long long)total);
}

/* Whether k clusters of n rows are worth a try: four rows each on average. */
static bool is_tried(int64_t k, int64_t n)
{
    return k == 2 || k * 4 <= n;
}

/* Rows at equal distances stand for all where there are many. */
static wgdn_status choose_number(int64_t *best, const wgdn_vectors *v,
                                 const wgdn_cluster_options *o, wgdn_error *err)
{
    const int64_t rows = wgdn_min(v->n, SAMPLE);
    wgdn_arrays a = {0};
    float *x = wgdn_arrays_add(&a, (size_t)rows, (size_t)v->width * sizeof *x);
    int32_t *part = wgdn_arrays_add(&a, (size_t)rows, sizeof *part);
    double most = -INFINITY;
    wgdn_status st =
        a.failed ? wgdn_fail(err, WGDN_ENOMEM, "clusters: a sample of %lld rows", (long long)rows)
                 : WGDN_OK;
    for (int64_t i = 0; !st && i < rows; i++)
        memcpy(x + i * v->width, v->x + i * v->n / rows * v->width, (size_t)v->width * sizeof *x);
    for (int t = 0; !st && t < TRIED && is_tried(tried[t], rows); t++) {
        const wgdn_kmeans_task task = {.x = x,
                                       .n = rows,
                                       .width = v->width,
                                       .k = tried[t],
                                       .seed = o->seed,
                                       .restarts = SAMPLE_RESTARTS};
        measured m = {0};
        double value = 0;
        st = wgdn_kmeans_find(part, &task, err);
        if (!st) st = open_measured(&m, x, rows, v->width, tried[t], part, err);
        if (!st) st = find_silhouette(&value, &m, err);
        wgdn_arrays_release(&m.arrays);
        if (!st) st = tell(o, t + 1, TRIED + 1, err);
        if (st || value <= most) continue;
        most = value;
        *best = tried[t];
    }
    wgdn_arrays_release(&a);
    return st;
}

/* ---- clusters ---- */

typedef struct counted {
    int64_t size, first;
    int32_t group;
} counted;

static int by_size(const void *a, const void *b)
{
    const counted *x = a, *y = b;
    if (x->size != y->size) return x->size > y->size ? -1 : 1;
    return (x->first > y->first) - (x->first < y->first);
}

/* Numbers groups below `most` by size, the largest first, and drops empty ones; returns how many are left. */
static wgdn_status number_groups(int64_t *groups, int32_t *group, int64_t n, int64_t most,
                                 wgdn_error *err)
{
    wgdn_arrays a = {0};
    counted *c = wgdn_arrays_add(&a, (size_t)most, sizeof *c);
    int32_t *number = wgdn_arrays_add(&a, (size_t)most, sizeof *number);
    if (a.failed) {
        wgdn_arrays_release(&a);
        return wgdn_fail(err, WGDN_ENOMEM, "clusters: %lld of them", (long long)most);
    }
    for (int64_t k = 0; k < most; k++)
        c[k] = (counted){0, n, (int32_t)k};
    for (int64_t i = n - 1; i >= 0; i--) {
        c[group[i]].size++;
        c[group[i]].first = i;
    }
    qsort(c, (size_t)most, sizeof *c, by_size);
    *groups = 0;
    for (int64_t k = 0; k < most; k++) {
        number[c[k].group] = (int32_t)k;
        *groups += c[k].size > 0;
    }
    for (int64_t i = 0; i < n; i++)
        group[i] = number[group[i]];
    wgdn_arrays_release(&a);
    return WGDN_OK;
}

static wgdn_status cluster_vectors(wgdn_clusters *c, const wgdn_vectors *v, const wgdn_csr *graph,
                                   const int32_t *communities, const wgdn_cluster_options *o,
                                   wgdn_error *err)
{
    int64_t k = o->clusters;
    int32_t *start = NULL;
    wgdn_status st = k ? WGDN_OK : choose_number(&k, v, o, err);
    if (st) return st;
    const bool both = o->method == WGDN_CLUSTER_METHOD_AUTO && graph;
    if (both && c->report.communities >= k) {
        start = wgdn_alloc((size_t)v->n, sizeof *start);
        if (!start) return wgdn_fail(err, WGDN_ENOMEM, "clusters: %lld nodes", (long long)v->n);
        for (int64_t i = 0; i < v->n; i++) /* the largest k, whose numbers come first */
            start[i] = communities[i] < k ? communities[i] : -1;
    }
    const wgdn_kmeans_task task = {.x = v->x,
                                   .n = v->n,
                                   .width = v->width,
                                   .k = k,
                                   .seed = o->seed,
                                   .restarts = o->restarts,
                                   .start = start,
                                   .graph = both ? graph : NULL,
                                   .pull = pull};
    st = wgdn_kmeans_find(c->group, &task, err);
    wgdn_release(start);
    c->report.chosen = !o->clusters;
    c->report.method = both ? WGDN_CLUSTER_METHOD_AUTO : WGDN_CLUSTER_METHOD_VECTORS;
    return st ? st : number_groups(&c->report.clusters, c->group, v->n, k, err);
}

/* Keeps the nodes nearest to the center, ties by the lower number. */
static void add_typical(wgdn_cluster_info *info, const float *similarity, int64_t node)
{
    int64_t at = WGDN_CLUSTER_TYPICAL;
    while (at > 0 &&
           (info->typical[at - 1] < 0 || similarity[node] > similarity[info->typical[at - 1]]))
        at--;
    if (at == WGDN_CLUSTER_TYPICAL) return;
    memmove(info->typical + at + 1, info->typical + at,
            (size_t)(WGDN_CLUSTER_TYPICAL - 1 - at) * sizeof *info->typical);
    info->typical[at] = node;
}

static wgdn_status describe(wgdn_clusters *c, const wgdn_vectors *v, wgdn_error *err)
{
    const int64_t k = c->report.clusters;
    measured m = {0};
    wgdn_status st = open_measured(&m, v->x, v->n, v->width, k, c->group, err);
    if (!st) st = find_silhouette(&c->report.silhouette, &m, err);
    c->info = st ? NULL : wgdn_alloc_zero((size_t)k, sizeof *c->info);
    if (!st && !c->info) st = wgdn_fail(err, WGDN_ENOMEM, "clusters: %lld of them", (long long)k);
    for (int64_t g = 0; !st && g < k; g++) {
        c->info[g] = (wgdn_cluster_info){.struct_size = sizeof *c->info, .size = m.size[g]};
        for (int t = 0; t < WGDN_CLUSTER_TYPICAL; t++)
            c->info[g].typical[t] = -1;
    }
    for (int64_t i = 0; !st && i < v->n; i++) {
        const int32_t g = c->group[i];
        const double length = sqrt(wgdn_row_squares(m.sum + g * v->width, v->width));
        c->similarity[i] = length > 0 ? (float)((double)m.product[i * k + g] / length) : 0;
        c->info[g].cohesion += (double)c->similarity[i] / (double)m.size[g];
        add_typical(&c->info[g], c->similarity, i);
    }
    wgdn_arrays_release(&m.arrays);
    return st;
}

static wgdn_status find_with(wgdn_clusters *c, const wgdn_vectors *v, const wgdn_csr *graph,
                             const wgdn_cluster_options *o, wgdn_error *err)
{
    wgdn_clusters_report *r = &c->report;
    wgdn_arrays a = {0};
    int32_t *communities = wgdn_arrays_add(&a, (size_t)v->n, sizeof *communities);
    double *degrees = wgdn_arrays_add(&a, (size_t)v->n, sizeof *degrees);
    int64_t found = 0;
    wgdn_status st =
        a.failed ? wgdn_fail(err, WGDN_ENOMEM, "clusters: %lld nodes", (long long)v->n) : WGDN_OK;
    if (!st && graph) {
        st = wgdn_communities_find(communities, &found, graph, o->seed, err);
        if (!st) st = number_groups(&r->communities, communities, v->n, found, err);
        if (!st) r->community_modularity = wgdn_modularity(communities, found, graph, degrees);
    }
    if (!st && o->method == WGDN_CLUSTER_METHOD_GRAPH) {
        memcpy(c->group, communities, (size_t)v->n * sizeof *communities);
        r->clusters = r->communities;
        r->method = o->method;
        r->chosen = 1;
    } else if (!st) {
        st = cluster_vectors(c, v, graph, communities, o, err);
    }
    if (!st && graph) r->modularity = wgdn_modularity(c->group, r->clusters, graph, degrees);
    wgdn_arrays_release(&a);
    return st ? st : describe(c, v, err);
}

static wgdn_status check(const wgdn_cluster_options *o, int64_t n, bool edges, wgdn_error *err)
{
    const bool graph = o->method == WGDN_CLUSTER_METHOD_GRAPH;
    if (graph && !edges)
        return wgdn_fail(err, WGDN_EINVAL, "communities need edges, and there are none");
    if (graph && o->clusters)
        return wgdn_fail(err, WGDN_EINVAL,
                         "communities choose their number by themselves; leave the number of "
                         "clusters out, or take another method");
    if (o->clusters > n)
        return wgdn_fail(err, WGDN_EINVAL, "%d clusters of %lld nodes; ask for fewer", o->clusters,
                         (long long)n);
    if (n < 3)
        return wgdn_fail(err, WGDN_EINVAL, "%lld nodes are too few for clusters; 3 are needed",
                         (long long)n);
    return WGDN_OK;
}

wgdn_status wgdn_clusters_find(wgdn_clusters **out, const wgdn_embedding *e, const wgdn_dataset *d,
                               const wgdn_cluster_options *options, wgdn_error *err)
{
    wgdn_cluster_options o;
    wgdn_plain plain = {0};
    wgdn_vectors v = {0};
    wgdn_status st = wgdn_options_read(&o, options, WGDN_OPTIONS_KIND_CLUSTER, err);
    const bool edges = d->graph && wgdn_graph_edges(d->graph) > 0;
    if (!st) st = check(&o, d->nodes, edges, err);
    if (st) return st;
    wgdn_clusters *c = wgdn_alloc_zero(1, sizeof *c);
    if (!c) return wgdn_fail(err, WGDN_ENOMEM, "clusters: handle");
    const bool asked = wgdn_stop_enter(true);
    const int former = wgdn_threads_use(o.threads);
    c->report.nodes = d->nodes;
    c->report.modularity = c->report.community_modularity = NAN;
    c->group = wgdn_alloc((size_t)d->nodes, sizeof *c->group);
    c->similarity = wgdn_alloc((size_t)d->nodes, sizeof *c->similarity);
    if (!c->group || !c->similarity)
        st = wgdn_fail(err, WGDN_ENOMEM, "clusters: %lld nodes", (long long)d->nodes);
    if (!st) st = wgdn_plain_open(&plain, d, err);
    if (!st) st = wgdn_vectors_open_for(&v, e, d, false, err);
    if (!st) st = wgdn_vectors_normalize(&v, err);
    if (!st) st = find_with(c, &v, edges ? &plain.d->graph->adjacency : NULL, &o, err);
    wgdn_vectors_close(&v);
    wgdn_plain_close(&plain);
    wgdn_threads_use(former);
    st = wgdn_stop_leave(asked, st, err);
    if (st)
        wgdn_clusters_free(c);
    else
        *out = c;
    return st;
}

wgdn_status wgdn_clusters_write(const wgdn_clusters *c, const wgdn_dataset *d, const char *path,
                                const char *format, wgdn_error *err)
{
    const wgdn_job_column column[] = {{wgdn_text_of("id", 2), WGDN_JOB_TEXT},
                                      {wgdn_text_of("cluster", 7), WGDN_JOB_INTEGER},
                                      {wgdn_text_of("similarity", 10), WGDN_JOB_REAL}};
    wgdn_job_table *t = NULL;
    const wgdn_status st = wgdn_job_table_open(&t, path, format, column, 3, err);
    if (st) return st;
    for (int64_t i = 0; i < c->report.nodes; i++) {
        char digits[WGDN_INDEX_TEXT];
        wgdn_job_put_text(t, wgdn_dataset_name(d, i, digits));
        wgdn_job_put_integer(t, c->group[i]);
        wgdn_job_put_real(t, (double)c->similarity[i]);
    }
    return wgdn_job_table_close(t);
}
