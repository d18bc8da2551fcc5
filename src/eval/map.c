/* SPDX-License-Identifier: Apache-2.0 */
/* Vectors as points of the plane. */
#include "map.h"
#include "base/streams.h"

#include <math.h>
#include <string.h>

enum { AXES = 50 }; /* components that t-SNE looks at: distances in more are mostly noise */
static const double start = 1e-4, jitter = 1e-6;

/* Where t-SNE begins: the first two components, small, and apart where points coincide. */
static void place(wgdn_tsne *t, const float *scores, int64_t r, double variance, uint64_t seed,
                  float *normals)
{
    const double scale = variance > 0 ? start / sqrt(variance) : 0;
    const wgdn_stream s = {.seed = seed, .call = WGDN_CALL_PROJECTION};
    wgdn_random_normals(normals, 2, s, 0, t->n, 0, 2);
    for (int64_t i = 0; i < t->n; i++)
        for (int j = 0; j < 2; j++)
            t->y[2 * i + j] = (j < r ? scale * scores[i * r + j] : 0) + jitter * normals[2 * i + j];
}

static wgdn_status spread_out(float *out, wgdn_projection_result *result, const float *scores,
                              int64_t n, int64_t r, double variance,
                              const wgdn_projection_options *o, wgdn_error *err)
{
    wgdn_csr p = {0};
    wgdn_tsne t = {0};
    wgdn_status st = wgdn_affinities(&p, scores, n, r, o->perplexity, err);
    if (!st) st = wgdn_tsne_open(&t, &p, o->theta, err);
    if (st) return st;
    place(&t, scores, r, variance, o->seed, out);
    st = wgdn_tsne_run(&t, o, err);
    for (int64_t i = 0; !st && i < 2 * n; i++)
        out[i] = (float)t.y[i];
    if (!st) result->kl = wgdn_tsne_kl(&t);
    wgdn_tsne_close(&t);
    return st;
}

/* The sum of squares about the mean, over n - 1. */
static wgdn_status total_variance(double *out, const float *x, int64_t n, int64_t width,
                                  wgdn_error *err)
{
    void *work = wgdn_alloc(wgdn_reduce_work(wgdn_alone(n), width), 1);
    double *sum = wgdn_alloc((size_t)width, 2 * sizeof *sum);
    wgdn_status st = WGDN_OK;
    *out = 0;
    if (!work || !sum)
        st = wgdn_fail(err, WGDN_ENOMEM, "map: sums of %lld columns", (long long)width);
    if (!st) wgdn_column_sums(sum, sum + width, x, wgdn_alone(n), width, work);
    for (int64_t j = 0; !st && n > 1 && j < width; j++)
        *out += fmax(sum[width + j] - sum[j] * sum[j] / (double)n, 0) / (double)(n - 1);
    wgdn_release(sum);
    wgdn_release(work);
    return st;
}

static wgdn_status make_map(float *out, wgdn_projection_result *result, const float *x, int64_t n,
                            int64_t width, const wgdn_projection_options *o, wgdn_error *err)
{
    const int64_t narrow = width < n ? width : n, r = narrow < AXES ? narrow : AXES;
    float *scores = wgdn_alloc((size_t)n, (size_t)r * sizeof *scores);
    float *span = wgdn_alloc((size_t)n, (size_t)r * sizeof *span);
    double variance[AXES], all = 0;
    wgdn_status st = WGDN_OK;
    if (!scores || !span)
        st = wgdn_fail(err, WGDN_ENOMEM, "map: %lld x %lld", (long long)n, (long long)r);
    if (!st) st = wgdn_pca_dense(span, x, n, width, r, o->seed, err);
    if (!st) st = wgdn_principal_axes(scores, variance, span, n, r, err);
    if (!st) st = total_variance(&all, x, n, width, err);
    if (st) goto done;
    for (int j = 0; j < 2; j++)
        result->share[j] = j < r && all > 0 ? variance[j] / all : 0;
    if (o->projection == WGDN_PROJECTION_TSNE && n > 3) {
        st = spread_out(out, result, scores, n, r, variance[0], o, err);
        goto done;
    }
    for (int64_t i = 0; i < n; i++)
        for (int j = 0; j < 2; j++)
            out[2 * i + j] = j < r ? scores[i * r + j] : 0;

done:
    wgdn_release(span);
    wgdn_release(scores);
    return st;
}

static wgdn_status map_units(float *out, wgdn_projection_result *result, const float *x, int64_t n,
                             int64_t width, const wgdn_projection_options *o, wgdn_error *err)
{
    if (o->metric == WGDN_SIMILARITY_DOT) return make_map(out, result, x, n, width, o, err);
    float *unit = wgdn_alloc((size_t)n, (size_t)width * sizeof *unit);
    if (!unit)
        return wgdn_fail(err, WGDN_ENOMEM, "map: %lld x %lld", (long long)n, (long long)width);
    wgdn_unit_rows(unit, x, n, width);
    const wgdn_status st = make_map(out, result, unit, n, width, o, err);
    wgdn_release(unit);
    return st;
}

wgdn_status wgdn_embedding_project(float *out, wgdn_projection_result *result,
                                   const wgdn_embedding *e, const wgdn_projection_options *o,
                                   wgdn_error *err)
{
    wgdn_projection_options opt;
    wgdn_projection_result made = {0};
    wgdn_vectors v = {0};
    wgdn_status st = wgdn_projection_options_read(&opt, o, err);
    if (st) return st;
    if (wgdn_embedding_rows(e) > INT32_MAX / 2)
        return wgdn_fail(err, WGDN_EINVAL, "2-D projection: %lld vectors",
                         (long long)wgdn_embedding_rows(e));
    const int former = wgdn_threads_use(opt.threads);
    st = wgdn_vectors_open(&v, e, err);
    if (!st) st = wgdn_vectors_check(v.x, v.n, v.width, err);
    if (!st) st = map_units(out, &made, v.x, v.n, v.width, &opt, err);
    if (!st && result) st = wgdn_result_give(result, &made, sizeof made, err);
    wgdn_vectors_close(&v);
    wgdn_threads_use(former);
    return st;
}
