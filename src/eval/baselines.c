/* SPDX-License-Identifier: Apache-2.0 */
/* What a trained embedding must beat: features, filtered features, chance, and linear algebra. */
#include "eval.h"

#include "dataset/dataset.h"
#include "dataset/embedding.h"

#include <string.h>

const char *wgdn_baseline_name(int baseline)
{
    static const char *const name[] = {"raw features", "smoothed features", "random encoder",
                                       "PCA of smoothed features"};
    const int count = sizeof name / sizeof *name;
    return baseline >= 0 && baseline < count ? name[baseline] : NULL;
}

/* A model with fresh parameters, and the features as it takes them. */
typedef struct stand {
    const wgdn_dataset *d;
    wgdn_plain plain; /* d is this */
    wgdn_model *m;
    wgdn_feed feed;
    wgdn_csr transposed; /* of sparse features; lent */
    int64_t width;       /* of the baseline's vectors */
} stand;

static int64_t width_of(const stand *s, wgdn_baseline b)
{
    const wgdn_input *in = &s->feed.input;
    if (b == WGDN_BASELINE_RANDOM) return s->m->shape.width;
    if (b == WGDN_BASELINE_PCA)
        return wgdn_min(s->m->shape.width, wgdn_min(in->rows.count, in->features));
    return in->features;
}

static wgdn_status open_stand(stand *s, const wgdn_dataset *d, wgdn_baseline b,
                              const wgdn_train_options *o, wgdn_error *err)
{
    wgdn_train_options opt;
    *s = (stand){0};
    if (!wgdn_baseline_name((int)b)) {
        (void)wgdn_fail(err, WGDN_EINVAL, "baseline: there is no number %d", (int)b);
        return WGDN_EINVAL;
    }
    wgdn_status st = wgdn_train_options_read(&opt, o, err);
    if (!st) st = wgdn_plain_open(&s->plain, d, err);
    s->d = s->plain.d;
    if (!st) st = wgdn_model_make(&s->m, &opt, wgdn_feed_width(d, &opt), err);
    if (!st) st = wgdn_feed_open(&s->feed, s->d, s->m, err);
    if (st) return st;
    s->transposed = s->feed.input.transposed;
    s->transposed.value = s->feed.input.values;
    s->width = width_of(s, b);
    return WGDN_OK;
}

static void close_stand(stand *s)
{
    wgdn_feed_free(&s->feed);
    wgdn_model_free(s->m);
    wgdn_plain_close(&s->plain);
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

static void fill_dense(float *x, const wgdn_input *in)
{
    const wgdn_csr *a = in->sparse;
    if (!a) {
        memcpy(x, in->dense, (size_t)(in->rows.count * in->features) * sizeof *x);
        return;
    }
    memset(x, 0, (size_t)(in->rows.count * in->features) * sizeof *x);
    for (int64_t i = 0; i < in->rows.count; i++)
        for (int64_t k = a->offset[i]; k < a->offset[i + 1]; k++)
            x[i * in->features + a->column[k]] = a->value ? a->value[k] : 1;
}

/* P(L) X: as it is kept for dense features, else made of a dense copy. */
static wgdn_status fill_smooth(float *x, const stand *s, wgdn_error *err)
{
    const wgdn_input *in = &s->feed.input;
    wgdn_poly p = {.graph = wgdn_dataset_get_graph(s->d),
                   .d = in->features,
                   .channels = 1,
                   .order = s->m->shape.encoder_order,
                   .a = {s->m->encoder_a}};
    if (in->smooth) {
        memcpy(x, in->smooth, (size_t)(in->rows.count * in->features) * sizeof *x);
        return WGDN_OK;
    }
    float *raw = wgdn_alloc((size_t)in->rows.count, (size_t)in->features * sizeof *raw);
    p.work = wgdn_alloc(wgdn_poly_work(in->rows.count, p.d, p.order), sizeof *p.work);
    if (raw && p.work) {
        fill_dense(raw, in);
        wgdn_poly_filter(&x, &p, raw, NULL, false);
    }
    const bool good = raw && p.work;
    wgdn_release(p.work);
    wgdn_release(raw);
    if (good) return WGDN_OK;
    return wgdn_fail(err, WGDN_ENOMEM, "baseline: smoothed features, %lld x %lld",
                     (long long)in->rows.count, (long long)in->features);
}

static wgdn_status fill(float *x, const stand *s, wgdn_baseline b, wgdn_error *err)
{
    switch (b) {
    case WGDN_BASELINE_RAW: fill_dense(x, &s->feed.input); return WGDN_OK;
    case WGDN_BASELINE_SMOOTH: return fill_smooth(x, s, err);
    case WGDN_BASELINE_RANDOM: return encode(x, s, err);
    case WGDN_BASELINE_PCA: break;
    }
    return wgdn_pca_smooth(x, &s->feed.input, s->m, wgdn_dataset_get_graph(s->d), s->width, err);
}

static wgdn_status make(float **x, const stand *s, wgdn_baseline b, wgdn_error *err)
{
    const int64_t n = s->feed.input.rows.count;
    *x = wgdn_alloc((size_t)n, (size_t)s->width * sizeof **x);
    if (!*x)
        return wgdn_fail(err, WGDN_ENOMEM, "baseline: %lld vectors of width %lld", (long long)n,
                         (long long)s->width);
    return fill(*x, s, b, err);
}

wgdn_status wgdn_embedding_from_baseline(wgdn_embedding **out, const wgdn_dataset *d,
                                         wgdn_baseline baseline, const wgdn_train_options *model,
                                         wgdn_error *err)
{
    stand s;
    float *x = NULL;
    const int former = wgdn_threads_use(model ? model->threads : 0);
    wgdn_status st = open_stand(&s, d, baseline, model, err);
    if (!st) st = make(&x, &s, baseline, err);
    if (!st) st = wgdn_embedding_take(out, &x, s.feed.input.rows.count, s.width, err);
    wgdn_release(x);
    close_stand(&s);
    wgdn_threads_use(former);
    return st;
}

/* Sparse features are probed as they are, filtered on the way if so wished. */
static bool stays_sparse(const stand *s, wgdn_baseline b, const wgdn_eval_options *o)
{
    return s->feed.input.sparse &&
           (b == WGDN_BASELINE_RAW ||
            (b == WGDN_BASELINE_SMOOTH && o->classifier == WGDN_CLASSIFIER_ADAM));
}

wgdn_status wgdn_probe_baseline(wgdn_probe_result *out, const wgdn_dataset *d,
                                wgdn_baseline baseline, const wgdn_train_options *model,
                                const wgdn_eval_options *o, wgdn_error *err)
{
    stand s;
    wgdn_eval_options opt;
    float *x = NULL;
    wgdn_status st = wgdn_eval_options_read(&opt, o, err);
    if (st) return st;
    const int former = wgdn_threads_use(opt.threads);
    st = open_stand(&s, d, baseline, model, err);
    if (!st && !stays_sparse(&s, baseline, &opt)) st = make(&x, &s, baseline, err);
    if (!st) {
        wgdn_probe_input in = {.n = s.feed.input.rows.count, .width = s.width, .dense = x};
        if (!x) {
            in.sparse = s.feed.input.sparse;
            in.transposed = &s.transposed;
        }
        if (!x && baseline == WGDN_BASELINE_SMOOTH) {
            in.graph = wgdn_dataset_get_graph(s.d);
            in.series = s.m->encoder_a;
            in.order = s.m->shape.encoder_order;
        }
        st = wgdn_probe_runs(out, d, &in, &opt, err);
    }
    wgdn_release(x);
    close_stand(&s);
    wgdn_threads_use(former);
    return st;
}
