/* SPDX-License-Identifier: Apache-2.0 */
/* k-means on vectors, and how it agrees with the labels. */
#include "eval.h"

#include <math.h>

/* All restarts; out->nmi and ari are those of the least inertia. */
static wgdn_status restarts(wgdn_cluster_result *out, wgdn_kmeans *m, const int32_t *label,
                            double *nmi, double *ari, const wgdn_eval_options *o, wgdn_error *err)
{
    wgdn_status st = WGDN_OK;
    for (int r = 0; !st && r < o->restarts; r++) {
        double inertia = 0;
        st = wgdn_kmeans_run(m, &inertia, o->seed, r, err);
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
    st = wgdn_kmeans_open(&m, unit ? unit : v->x, n, width, k, err);
    if (!st) st = restarts(&made, &m, label, value, value + o->restarts, o, err);
    if (!st) st = wgdn_result_give(out, &made, sizeof made, err);

done:
    wgdn_kmeans_close(&m);
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
