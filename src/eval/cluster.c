/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Clusters embeddings with k-means and compares the clusters with the labels. `wgdn eval --task
 * cluster` calls it; the projections use the normalization of rows.
 */
#include "base/streams.h"
#include "eval.h"

#include <math.h>
#include <string.h>

/*
 * k-means: centers are chosen with probability proportional to the squared distance to those before
 * (k-means++); then Lloyd's iterations run until no row changes its cluster.          [WGDN:kmeans]
 *
 * The distances are |x|^2 - 2 x.c + |c|^2, with the products by the dense engine. Sums over the
 * rows of a cluster are a product with its indicator.
 */

enum { ROUNDS_MAX = 300, PULLED_MAX = 30, CLUSTERS_MAX = WGDN_CLUSTERS_MAX };

typedef struct kmeans {
    int64_t n, width, k;
    const float *x;
    double *norm;          /* |x_i|^2 */
    double *distance;      /* to the nearest center */
    int32_t *part;         /* which one that is */
    float *center;         /* k x width */
    float *product;        /* n x k */
    double *size;          /* k */
    double *sums;          /* k + 2: rows of each cluster, distances, changes */
    const wgdn_csr *graph; /* or NULL */
    double pull;     /* of neighbors: pull (1 - their share in a cluster) is added to distances */
    int32_t *former; /* n, with pull: parts of the neighbors */
    void *work;
    wgdn_arrays arrays;
} kmeans;

static void norm_rows(int64_t first, int64_t count, void *context)
{
    const kmeans *m = context;
    for (int64_t i = first; i < first + count; i++)
        m->norm[i] = wgdn_row_squares(m->x + i * m->width, m->width);
}

static wgdn_status kmeans_open(kmeans *m, const float *x, int64_t n, int64_t width, int64_t k,
                               wgdn_error *err)
{
    *m = (kmeans){.n = n, .width = width, .k = k, .x = x};
    const size_t work = wgdn_larger(wgdn_gemm_tn_work(wgdn_alone(n), k, width),
                                    wgdn_for_blocks_work(wgdn_alone(n), k + 2));
    wgdn_arrays *a = &m->arrays;
    m->norm = wgdn_arrays_add(a, (size_t)n, sizeof *m->norm);
    m->distance = wgdn_arrays_add(a, (size_t)n, sizeof *m->distance);
    m->part = wgdn_arrays_add(a, (size_t)n, sizeof *m->part);
    m->center = wgdn_arrays_add(a, (size_t)k, (size_t)width * sizeof *m->center);
    m->product = wgdn_arrays_add(a, (size_t)n, (size_t)k * sizeof *m->product);
    m->size = wgdn_arrays_add(a, (size_t)k, sizeof *m->size);
    m->sums = wgdn_arrays_add(a, (size_t)k + 2, sizeof *m->sums);
    m->work = wgdn_arrays_add(a, work, 1);
    if (a->failed)
        return wgdn_fail(err, WGDN_ENOMEM, "k-means: %lld rows, %lld centers", (long long)n,
                         (long long)k);
    wgdn_for_rows(wgdn_alone(n), norm_rows, m);
    return WGDN_OK;
}

/* ---- distances ---- */

typedef struct pass {
    kmeans *m;
    int64_t first, count;      /* centers that the product is with */
    double norm[CLUSTERS_MAX]; /* of these */
} pass;

/* What is added to the distance to each center: pull (1 - share of the neighbors there). */
static void pull_row(double *add, const kmeans *m, int64_t i)
{
    const wgdn_csr *a = m->graph;
    const double strength = wgdn_graph_strength(a, i);
    for (int64_t c = 0; c < m->k; c++)
        add[c] = m->pull;
    for (int64_t k = a->offset[i]; k < a->offset[i + 1]; k++)
        add[m->former[a->column[k]]] -= m->pull * (a->value ? (double)a->value[k] : 1) / strength;
}

/* Nearer centers among [first, first + count); sums: rows of each part, distances, changes. */
static void near_rows(int64_t first, int64_t count, double *sums, void *context)
{
    const pass *p = context;
    kmeans *m = p->m;
    const bool pulled = m->pull > 0 && p->count == m->k;
    double add[CLUSTERS_MAX];
    for (int64_t i = first; i < first + count; i++) {
        const float *y = m->product + i * p->count;
        const int32_t was = m->part[i];
        if (pulled) pull_row(add, m, i);
        if (p->count == m->k) m->distance[i] = -1;
        for (int64_t c = 0; c < p->count; c++) {
            double e = m->norm[i] - 2.0 * y[c] + p->norm[c];
            if (e < 0) e = 0;
            if (pulled) e += add[c] > 0 ? add[c] : 0;
            if (m->distance[i] >= 0 && e >= m->distance[i]) continue;
            m->distance[i] = e;
            m->part[i] = (int32_t)(p->first + c);
        }
        if (!sums) continue;
        sums[m->part[i]]++;
        sums[m->k] += m->distance[i];
        sums[m->k + 1] += m->part[i] != was;
    }
}

static wgdn_status approach(kmeans *m, double *sums, int64_t first, int64_t count, wgdn_error *err)
{
    pass p = {.m = m, .first = first, .count = count};
    const wgdn_product q = wgdn_product_of(m->product, m->x, m->center + first * m->width,
                                           wgdn_alone(m->n), m->width, count);
    const wgdn_status st = wgdn_gemm_nt(&q, err);
    if (st) return st;
    for (int64_t c = 0; c < count; c++)
        p.norm[c] = wgdn_row_squares(m->center + (first + c) * m->width, m->width);
    wgdn_for_blocks(wgdn_alone(m->n), near_rows, &p, sums, sums ? m->k + 2 : 0, m->work);
    return WGDN_OK;
}

static void place(kmeans *m, int64_t center, int64_t row)
{
    memcpy(m->center + center * m->width, m->x + row * m->width,
           (size_t)m->width * sizeof *m->center);
}

/* A row with probability proportional to its squared distance. */
static int64_t draw(const kmeans *m, wgdn_stream s, int64_t c)
{
    const double u = (wgdn_random_bits(s, c, 0) + wgdn_random_bits(s, c, 1) * 0x1p-32) * 0x1p-32;
    double all = 0, sum = 0;
    if (c == 0) return (int64_t)(u * (double)m->n);
    for (int64_t i = 0; i < m->n; i++)
        all += m->distance[i];
    if (!(all > 0)) return (int64_t)(u * (double)m->n); /* all rows have a center already */
    for (int64_t i = 0; i < m->n; i++) {
        sum += m->distance[i];
        if (sum > u * all) return i;
    }
    return m->n - 1;
}

static wgdn_status choose(kmeans *m, wgdn_stream s, wgdn_error *err)
{
    wgdn_status st = WGDN_OK;
    for (int64_t i = 0; i < m->n; i++) {
        m->distance[i] = -1;
        m->part[i] = -1;
    }
    for (int64_t c = 0; !st && c < m->k; c++) {
        place(m, c, draw(m, s, c));
        if (c + 1 < m->k) st = approach(m, NULL, c, 1, err);
    }
    return st;
}

/* The row that is farthest from its center starts a part that has lost all of its own. */
static void revive(kmeans *m, int64_t center)
{
    int64_t far = 0;
    for (int64_t i = 1; i < m->n; i++)
        if (m->distance[i] > m->distance[far]) far = i;
    m->distance[far] = 0;
    place(m, center, far);
}

static wgdn_status move_centers(kmeans *m, wgdn_error *err)
{
    memset(m->product, 0, (size_t)(m->n * m->k) * sizeof *m->product);
    for (int64_t i = 0; i < m->n; i++)
        if (m->part[i] >= 0) m->product[i * m->k + m->part[i]] = 1;
    wgdn_product p = wgdn_product_of(m->center, m->product, m->x, wgdn_alone(m->n), m->k, m->width);
    p.work = m->work;
    const wgdn_status st = wgdn_gemm_tn(&p, err);
    for (int64_t c = 0; !st && c < m->k; c++) {
        if (m->size[c] > 0)
            wgdn_scale(m->center + c * m->width, (float)(1 / m->size[c]), 1, m->width);
        else
            revive(m, c);
    }
    return st;
}

/* Lloyd's iterations from the centers; part and *inertia tell what came out. */
static wgdn_status iterate(kmeans *m, double *inertia, wgdn_error *err)
{
    const int most = m->pull > 0 ? PULLED_MAX : ROUNDS_MAX;
    double *sums = m->sums;
    wgdn_status st = WGDN_OK;
    for (int round = 0; !st && round < most; round++) {
        if (m->pull > 0) memcpy(m->former, m->part, (size_t)m->n * sizeof *m->part);
        st = approach(m, sums, 0, m->k, err);
        if (st) break;
        memcpy(m->size, sums, (size_t)m->k * sizeof *sums);
        *inertia = sums[m->k];
        if (round > 0 && sums[m->k + 1] == 0) break;
        st = move_centers(m, err);
    }
    return st;
}

/* One start; the centers are chosen at random. */
static wgdn_status kmeans_run(kmeans *m, double *inertia, uint64_t seed, int restart,
                              wgdn_error *err)
{
    const wgdn_stream s = {seed, (uint32_t)restart, WGDN_CALL_KMEANS};
    const wgdn_status st = choose(m, s, err);
    return st ? st : iterate(m, inertia, err);
}

/* Centers of the parts. */
static wgdn_status center_parts(kmeans *m, wgdn_error *err)
{
    memset(m->size, 0, (size_t)m->k * sizeof *m->size);
    for (int64_t i = 0; i < m->n; i++) {
        if (m->part[i] >= 0) m->size[m->part[i]]++;
        m->distance[i] = 0;
    }
    return move_centers(m, err);
}

wgdn_status wgdn_kmeans_find(int32_t *part, const wgdn_kmeans_task *t, wgdn_error *err)
{
    kmeans m = {0};
    double least = INFINITY;
    wgdn_status st = kmeans_open(&m, t->x, t->n, t->width, t->k, err);
    m.former = wgdn_arrays_add(&m.arrays, (size_t)t->n, sizeof *m.former);
    if (!st && m.arrays.failed)
        st = wgdn_fail(err, WGDN_ENOMEM, "k-means: %lld rows", (long long)t->n);
    for (int r = t->start ? -1 : 0; !st && r < t->restarts; r++) {
        double inertia = 0;
        if (r < 0) {
            memcpy(m.part, t->start, (size_t)t->n * sizeof *part);
            st = center_parts(&m, err);
            if (!st) st = iterate(&m, &inertia, err);
        } else {
            st = kmeans_run(&m, &inertia, t->seed, r, err);
        }
        if (st || inertia >= least) continue;
        least = inertia;
        memcpy(part, m.part, (size_t)t->n * sizeof *part);
    }
    if (!st && t->graph) {
        m.graph = t->graph;
        m.pull = t->pull;
        memcpy(m.part, part, (size_t)t->n * sizeof *part);
        st = center_parts(&m, err);
        if (!st) st = iterate(&m, &least, err);
        if (!st) memcpy(part, m.part, (size_t)t->n * sizeof *part);
    }
    wgdn_arrays_release(&m.arrays);
    return st;
}

/* Runs k-means on vectors and compares the clusters with the labels. */

/* All restarts; out->nmi and ari are those of the least inertia. */
static wgdn_status restarts(wgdn_cluster_result *out, kmeans *m, const int32_t *label, double *nmi,
                            double *ari, const wgdn_eval_options *o, wgdn_error *err)
{
    wgdn_status st = WGDN_OK;
    for (int r = 0; !st && r < o->restarts; r++) {
        double inertia = 0;
        st = kmeans_run(m, &inertia, o->seed, r, err);
        if (!st) st = wgdn_nmi_ari(&nmi[r], &ari[r], m->part, m->k, label, m->k, m->n, err);
        if (!st && (r == 0 || inertia < out->inertia)) {
            out->inertia = inertia;
            out->nmi = nmi[r];
            out->ari = ari[r];
        }
        if (!st) st = wgdn_eval_progress(o, r + 1, o->restarts, err);
    }
    out->restarts = o->restarts;
    out->clusters = m->k;
    out->nmi_spread = wgdn_spread_of(nmi, o->restarts);
    out->ari_spread = wgdn_spread_of(ari, o->restarts);
    return st;
}

static wgdn_status cluster(wgdn_cluster_result *out, const wgdn_vectors *v, const wgdn_dataset *d,
                           const wgdn_eval_options *o, wgdn_error *err)
{
    wgdn_cluster_result made = {0};
    kmeans m = {0};
    wgdn_status st = kmeans_open(&m, v->x, v->n, v->width, wgdn_dataset_classes(d), err);
    int32_t *label = wgdn_arrays_add(&m.arrays, (size_t)v->n, sizeof *label);
    double *value = wgdn_arrays_add_zero(&m.arrays, 2 * (size_t)o->restarts, sizeof *value);
    if (!st && m.arrays.failed)
        st = wgdn_fail(err, WGDN_ENOMEM, "clusters: %lld labels", (long long)v->n);
    for (int64_t i = 0; !st && i < v->n; i++)
        label[i] = wgdn_dataset_label(d, i);
    if (!st) st = restarts(&made, &m, label, value, value + o->restarts, o, err);
    if (!st) st = wgdn_result_give(out, &made, sizeof made, err);
    wgdn_arrays_release(&m.arrays);
    return st;
}

wgdn_status wgdn_embedding_cluster(wgdn_cluster_result *out, const wgdn_embedding *e,
                                   const wgdn_dataset *d, const wgdn_eval_options *o,
                                   wgdn_error *err)
{
    const int64_t classes = wgdn_dataset_classes(d), n = wgdn_dataset_nodes(d);
    wgdn_vectors v = {0};
    wgdn_eval_options opt;
    wgdn_status st = wgdn_options_read(&opt, o, WGDN_OPTIONS_KIND_EVAL, err);
    if (st) return st;
    if (classes < 2)
        return wgdn_fail(err, WGDN_EINVAL,
                         classes == 0 ? "clusters are compared with labels; no node has one"
                                      : "clusters are compared with at least two classes; all "
                                        "labels are equal");
    if (wgdn_eval_numeric(d, &opt))
        return wgdn_fail(err, WGDN_EINVAL,
                         "clusters are compared with classes; the labels are %lld different "
                         "numbers",
                         (long long)classes);
    if (classes > n || classes > CLUSTERS_MAX)
        return wgdn_fail(err, WGDN_EINVAL,
                         "clusters: %lld classes of %lld nodes; the maximum is %d",
                         (long long)classes, (long long)n, CLUSTERS_MAX);
    if (d->lists.offset)
        return wgdn_fail(err, WGDN_EINVAL,
                         "clusters: nodes have several labels; clusters are compared with one");
    const int former = wgdn_threads_use(opt.threads);
    st = wgdn_vectors_open_for(&v, e, d, false, err);
    if (!st && opt.metric == WGDN_SIMILARITY_COSINE) st = wgdn_vectors_normalize(&v, err);
    if (!st) st = cluster(out, &v, d, &opt, err);
    wgdn_vectors_close(&v);
    wgdn_threads_use(former);
    return st;
}
