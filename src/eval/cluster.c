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

enum { ROUNDS_MAX = 300 };

static void norm_rows(int64_t first, int64_t count, double *sums, void *context)
{
    const wgdn_kmeans *m = context;
    (void)sums;
    for (int64_t i = first; i < first + count; i++) {
        const float *x = m->x + i * m->width;
        m->norm[i] = 0;
        for (int64_t j = 0; j < m->width; j++)
            m->norm[i] += (double)x[j] * x[j];
    }
}

static void kmeans_close(wgdn_kmeans *m);

static wgdn_status kmeans_open(wgdn_kmeans *m, const float *x, int64_t n, int64_t width, int64_t k,
                               wgdn_error *err)
{
    *m = (wgdn_kmeans){.n = n, .width = width, .k = k, .x = x};
    m->norm = wgdn_alloc((size_t)n, sizeof *m->norm);
    m->distance = wgdn_alloc((size_t)n, sizeof *m->distance);
    m->part = wgdn_alloc((size_t)n, sizeof *m->part);
    m->centre = wgdn_alloc((size_t)k, (size_t)width * sizeof *m->centre);
    m->product = wgdn_alloc((size_t)n, (size_t)k * sizeof *m->product);
    m->size = wgdn_alloc((size_t)k, sizeof *m->size);
    m->work = wgdn_alloc(wgdn_larger(wgdn_gemm_tn_work(wgdn_alone(n), k, width),
                                     wgdn_for_blocks_work(wgdn_alone(n), k + 2)),
                         1);
    if (!m->norm || !m->distance || !m->part || !m->centre || !m->product || !m->size || !m->work) {
        kmeans_close(m);
        return wgdn_fail(err, WGDN_ENOMEM, "k-means: %lld rows, %lld centres", (long long)n,
                         (long long)k);
    }
    wgdn_for_blocks(wgdn_alone(n), norm_rows, m, NULL, 0, NULL);
    return WGDN_OK;
}

static void kmeans_close(wgdn_kmeans *m)
{
    wgdn_release(m->work);
    wgdn_release(m->size);
    wgdn_release(m->product);
    wgdn_release(m->centre);
    wgdn_release(m->part);
    wgdn_release(m->distance);
    wgdn_release(m->norm);
    *m = (wgdn_kmeans){0};
}

/* ---- distances ---- */

typedef struct pass {
    wgdn_kmeans *m;
    int64_t first, count;           /* centres that the product is with */
    double norm[WGDN_CLUSTERS_MAX]; /* of these */
} pass;

static double square(const float *x, int64_t width)
{
    double sum = 0;
    for (int64_t j = 0; j < width; j++)
        sum += (double)x[j] * x[j];
    return sum;
}

/* Nearer centres among [first, first + count); sums: rows of each part, distances, changes. */
static void near_rows(int64_t first, int64_t count, double *sums, void *context)
{
    const pass *p = context;
    wgdn_kmeans *m = p->m;
    for (int64_t i = first; i < first + count; i++) {
        const float *y = m->product + i * p->count;
        const int32_t was = m->part[i];
        if (p->count == m->k) m->distance[i] = -1;
        for (int64_t c = 0; c < p->count; c++) {
            double e = m->norm[i] - 2.0 * y[c] + p->norm[c];
            if (e < 0) e = 0;
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

static wgdn_status approach(wgdn_kmeans *m, double *sums, int64_t first, int64_t count,
                            wgdn_error *err)
{
    pass p = {.m = m, .first = first, .count = count};
    const wgdn_product q = wgdn_product_of(m->product, m->x, m->centre + first * m->width,
                                           wgdn_alone(m->n), m->width, count);
    const wgdn_status st = wgdn_gemm_nt(&q, err);
    if (st) return st;
    for (int64_t c = 0; c < count; c++)
        p.norm[c] = square(m->centre + (first + c) * m->width, m->width);
    wgdn_for_blocks(wgdn_alone(m->n), near_rows, &p, sums, sums ? m->k + 2 : 0, m->work);
    return WGDN_OK;
}

static void place(wgdn_kmeans *m, int64_t centre, int64_t row)
{
    memcpy(m->centre + centre * m->width, m->x + row * m->width,
           (size_t)m->width * sizeof *m->centre);
}

/* A row with probability proportional to its squared distance. */
static int64_t draw(const wgdn_kmeans *m, wgdn_stream s, int64_t c)
{
    const double u = (wgdn_random_bits(s, c, 0) + wgdn_random_bits(s, c, 1) * 0x1p-32) * 0x1p-32;
    double all = 0, sum = 0;
    if (c == 0) return (int64_t)(u * (double)m->n);
    for (int64_t i = 0; i < m->n; i++)
        all += m->distance[i];
    if (!(all > 0)) return (int64_t)(u * (double)m->n); /* all rows have a centre already */
    for (int64_t i = 0; i < m->n; i++) {
        sum += m->distance[i];
        if (sum > u * all) return i;
    }
    return m->n - 1;
}

static wgdn_status choose(wgdn_kmeans *m, wgdn_stream s, wgdn_error *err)
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

/* The row that is farthest from its centre starts a part that has lost all of its own. */
static void revive(wgdn_kmeans *m, int64_t centre)
{
    int64_t far = 0;
    for (int64_t i = 1; i < m->n; i++)
        if (m->distance[i] > m->distance[far]) far = i;
    m->distance[far] = 0;
    place(m, centre, far);
}

static wgdn_status move_centres(wgdn_kmeans *m, wgdn_error *err)
{
    memset(m->product, 0, (size_t)(m->n * m->k) * sizeof *m->product);
    for (int64_t i = 0; i < m->n; i++)
        m->product[i * m->k + m->part[i]] = 1;
    wgdn_product p = wgdn_product_of(m->centre, m->product, m->x, wgdn_alone(m->n), m->k, m->width);
    p.work = m->work;
    const wgdn_status st = wgdn_gemm_tn(&p, err);
    for (int64_t c = 0; !st && c < m->k; c++) {
        if (m->size[c] > 0)
            wgdn_scale(m->centre + c * m->width, (float)(1 / m->size[c]), 1, m->width);
        else
            revive(m, c);
    }
    return st;
}

/* One start and Lloyd's iterations; part and *inertia tell what came out. */
static wgdn_status kmeans_run(wgdn_kmeans *m, double *inertia, uint64_t seed, int restart,
                              wgdn_error *err)
{
    const wgdn_stream s = {seed, (uint32_t)restart, WGDN_CALL_KMEANS};
    double *sums = wgdn_alloc((size_t)m->k + 2, sizeof *sums);
    wgdn_status st;
    if (!sums) return wgdn_fail(err, WGDN_ENOMEM, "k-means: %lld sums", (long long)m->k);
    st = choose(m, s, err);
    for (int round = 0; !st && round < ROUNDS_MAX; round++) {
        st = approach(m, sums, 0, m->k, err);
        if (st) break;
        memcpy(m->size, sums, (size_t)m->k * sizeof *sums);
        *inertia = sums[m->k];
        if (round > 0 && sums[m->k + 1] == 0) break;
        st = move_centres(m, err);
    }
    wgdn_release(sums);
    return st;
}

/* Runs k-means on vectors and compares the clusters with the labels. */

/* All restarts; out->nmi and ari are those of the least inertia. */
static wgdn_status restarts(wgdn_cluster_result *out, wgdn_kmeans *m, const int32_t *label,
                            double *nmi, double *ari, const wgdn_eval_options *o, wgdn_error *err)
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
        if (!st) st = wgdn_eval_tell(o, r + 1, o->restarts, err);
    }
    out->restarts = o->restarts;
    out->clusters = m->k;
    out->nmi_spread = wgdn_spread_of(nmi, o->restarts);
    out->ari_spread = wgdn_spread_of(ari, o->restarts);
    return st;
}

void wgdn_unit_rows(float *y, const float *x, int64_t n, int64_t width)
{
    for (int64_t i = 0; i < n; i++) {
        double sum = 0;
        for (int64_t j = 0; j < width; j++)
            sum += (double)x[i * width + j] * x[i * width + j];
        const float a = sum > 0 ? (float)(1 / sqrt(sum)) : 0;
        for (int64_t j = 0; j < width; j++)
            y[i * width + j] = a * x[i * width + j];
    }
}

static wgdn_status cluster(wgdn_cluster_result *out, const wgdn_vectors *v, const wgdn_dataset *d,
                           const wgdn_eval_options *o, wgdn_error *err)
{
    const int64_t n = v->n, width = v->width, k = wgdn_dataset_classes(d);
    wgdn_cluster_result made = {0};
    wgdn_kmeans m = {0};
    int32_t *label = wgdn_alloc((size_t)n, sizeof *label);
    double *value = wgdn_alloc_zero(2 * (size_t)o->restarts, sizeof *value);
    const bool cosine = o->metric == WGDN_SIMILARITY_COSINE;
    float *unit = cosine ? wgdn_alloc((size_t)n, (size_t)width * sizeof *unit) : NULL;
    wgdn_status st = WGDN_OK;
    if (!label || !value || (cosine && !unit)) {
        st = wgdn_fail(err, WGDN_ENOMEM, "clusters: %lld labels", (long long)n);
        goto done;
    }
    for (int64_t i = 0; i < n; i++)
        label[i] = wgdn_dataset_label(d, i);
    if (unit) wgdn_unit_rows(unit, v->x, n, width);
    st = kmeans_open(&m, unit ? unit : v->x, n, width, k, err);
    if (!st) st = restarts(&made, &m, label, value, value + o->restarts, o, err);
    if (!st) st = wgdn_result_give(out, &made, sizeof made, err);

done:
    kmeans_close(&m);
    wgdn_release(unit);
    wgdn_release(value);
    wgdn_release(label);
    return st;
}

wgdn_status wgdn_embedding_cluster(wgdn_cluster_result *out, const wgdn_embedding *e,
                                   const wgdn_dataset *d, const wgdn_eval_options *o,
                                   wgdn_error *err)
{
    const int64_t classes = wgdn_dataset_classes(d), n = wgdn_dataset_nodes(d);
    wgdn_vectors v = {0};
    wgdn_eval_options opt;
    wgdn_status st = wgdn_eval_options_read(&opt, o, err);
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
    if (classes > n || classes > WGDN_CLUSTERS_MAX)
        return wgdn_fail(err, WGDN_EINVAL, "clusters: %lld classes of %lld nodes; the most are %d",
                         (long long)classes, (long long)n, WGDN_CLUSTERS_MAX);
    if (d->lists.offset)
        return wgdn_fail(err, WGDN_EINVAL,
                         "clusters: nodes have several labels; clusters are compared with one");
    const int former = wgdn_threads_use(opt.threads);
    st = wgdn_vectors_open_for(&v, e, d, err);
    if (!st) st = cluster(out, &v, d, &opt, err);
    wgdn_vectors_close(&v);
    wgdn_threads_use(former);
    return st;
}
