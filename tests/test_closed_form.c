/* SPDX-License-Identifier: Apache-2.0 */
/* The closed form of nodes, and of directions and types. */
#define _DEFAULT_SOURCE
#include "check.h"
#include "scratch.h"
#include "support.h"

#include "data/embedding.h"
#include "fit/fit.h"
#include "model/model.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

/* ---- closed ---- */

/* The closed form: against a naive one in double, in another order, grown, saved. */

enum { CLOSED_N = 300, F = 60 };

/* A ring of clusters: features and edges agree, so that neighbors predict features. */
typedef struct example {
    int64_t n, edges;
    int64_t source[8 * CLOSED_N], target[8 * CLOSED_N];
    float x[(CLOSED_N + 60) * F];
    char name[CLOSED_N + 60][16];
    const char *id[CLOSED_N + 60];
} example;

static int64_t cluster_of(int64_t i)
{
    return i % 6;
}

static void make_example(example *e, int64_t n)
{
    const wgdn_stream s = {.seed = 5, .call = 1};
    *e = (example){.n = n};
    for (int64_t i = 0; i < n; i++) {
        snprintf(e->name[i], sizeof e->name[i], "node-%d", (int)i);
        e->id[i] = e->name[i];
        wgdn_random_normals(e->x + i * F, F, s, i, 1, 0, F);
        for (int64_t j = 0; j < 10; j++)
            e->x[i * F + 10 * cluster_of(i) + j] += 1.5F;
        for (int k = 0; k < 5; k++) {
            const int64_t j = (int64_t)(wgdn_random_bits(s, i, 100 + k) % (uint32_t)n);
            e->source[e->edges] = i;
            e->target[e->edges++] = k < 4 ? j - j % 6 + cluster_of(i) : j;
        }
    }
    for (int64_t k = 0; k < e->edges; k++)
        if (e->target[k] >= n) e->target[k] -= 6;
}

static wgdn_dataset *closed_dataset_of(const example *e, bool features)
{
    wgdn_dataset *d = NULL;
    const wgdn_dataset_arrays a = {.struct_size = sizeof a,
                                   .nodes = e->n,
                                   .edges = e->edges,
                                   .source = e->source,
                                   .target = e->target,
                                   .features = features ? F : 0,
                                   .dense = features ? e->x : NULL,
                                   .id = e->id};
    CHECK(wgdn_dataset_from_arrays(&d, &a, NULL) == WGDN_OK);
    return d;
}

/* Row r of the shuffled example is row (r * 7) mod n of the other. */
static void shuffle(example *to, const example *e)
{
    *to = *e;
    for (int64_t r = 0; r < e->n; r++) {
        const int64_t from = r * 7 % e->n;
        to->id[r] = e->name[from];
        memcpy(to->x + r * F, e->x + from * F, F * sizeof *e->x);
    }
    int64_t place[CLOSED_N + 60];
    for (int64_t r = 0; r < e->n; r++)
        place[r * 7 % e->n] = r;
    for (int64_t k = 0; k < e->edges; k++) {
        to->source[e->edges - 1 - k] = place[e->target[k]];
        to->target[e->edges - 1 - k] = place[e->source[k]];
    }
}

static wgdn_embedding *embed(const wgdn_model *m, const wgdn_dataset *d)
{
    wgdn_embedding *e = NULL;
    CHECK(wgdn_model_embed(&e, m, d, NULL, NULL) == WGDN_OK);
    return e;
}

static wgdn_model *closed_fit(const wgdn_dataset *d, int dim, wgdn_fit_features use, int threads)
{
    wgdn_fit_options o;
    wgdn_model *m = NULL;
    wgdn_fit_options_init(&o);
    o.dim = dim;
    o.features = use;
    o.threads = threads;
    CHECK(wgdn_model_fit(&m, d, &o, NULL) == WGDN_OK);
    return m;
}

static double cosine(const float *x, const float *y, int64_t dim)
{
    double xy = 0, xx = 0, yy = 0;
    for (int64_t j = 0; j < dim; j++) {
        xy += (double)x[j] * y[j];
        xx += (double)x[j] * x[j];
        yy += (double)y[j] * y[j];
    }
    return xx > 0 && yy > 0 ? xy / sqrt(xx * yy) : xx == yy;
}

/* The least cosine of rows that have the same id, over the first n nodes. */
static double agreement(const wgdn_embedding *a, const wgdn_dataset *da, const wgdn_embedding *b,
                        const wgdn_dataset *db, int64_t n)
{
    double worst = 1;
    CHECK(wgdn_embedding_dim(a) == wgdn_embedding_dim(b));
    for (int64_t i = 0; i < n; i++) {
        char id[16];
        const int64_t size = wgdn_dataset_id(id, sizeof id, da, i);
        const int64_t at = wgdn_dataset_find(db, id, (size_t)size);
        CHECK(at >= 0);
        worst = fmin(worst,
                     cosine(a->vectors.dense + i * wgdn_embedding_dim(a),
                            b->vectors.dense + at * wgdn_embedding_dim(b), wgdn_embedding_dim(a)));
    }
    return worst;
}

/* ---- against a naive filter ---- */

/* exp(-t L) by its power series, in double, of features with rows of length 1. */
static double *naive(const wgdn_dataset *d, const float *x, double t)
{
    const wgdn_graph *g = wgdn_dataset_get_graph(d);
    const wgdn_csr *a = &g->adjacency;
    const int64_t n = a->rows;
    double *y = wgdn_alloc((size_t)(n * F), sizeof *y), *p = wgdn_alloc((size_t)(n * F), sizeof *p);
    double *next = wgdn_alloc((size_t)(n * F), sizeof *next);
    for (int64_t i = 0; i < n; i++) {
        double sum = 0;
        for (int64_t j = 0; j < F; j++)
            sum += (double)x[i * F + j] * x[i * F + j];
        for (int64_t j = 0; j < F; j++)
            y[i * F + j] = p[i * F + j] = x[i * F + j] / sqrt(sum);
    }
    for (int k = 1; k < 60; k++) {
        for (int64_t i = 0; i < n; i++)
            for (int64_t j = 0; j < F; j++) {
                double sum = 0;
                for (int64_t e = a->offset[i]; e < a->offset[i + 1]; e++) {
                    const int64_t other = a->column[e];
                    const double both = (double)(a->offset[i + 1] - a->offset[i]) *
                                        (double)(a->offset[other + 1] - a->offset[other]);
                    sum += p[other * F + j] / sqrt(both);
                }
                next[i * F + j] = -t / k * (p[i * F + j] - sum);
            }
        memcpy(p, next, (size_t)(n * F) * sizeof *p);
        for (int64_t i = 0; i < n * F; i++)
            y[i] += p[i];
    }
    wgdn_release(next);
    wgdn_release(p);
    return y;
}

static void test_filter(void)
{
    example *e = wgdn_alloc(1, sizeof *e);
    make_example(e, CLOSED_N);
    wgdn_dataset *d = closed_dataset_of(e, true);
    wgdn_fit_options o;
    wgdn_model *m = NULL;
    wgdn_fit_options_init(&o);
    o.scale = 3;
    CHECK(wgdn_model_fit(&m, d, &o, NULL) == WGDN_OK);
    wgdn_embedding *v = embed(m, d);
    double *truth = naive(d, e->x, 3), worst = 1;
    CHECK(wgdn_embedding_dim(v) == F); /* fewer than 256: as they are */
    for (int64_t i = 0; i < CLOSED_N; i++) {
        float row[F];
        for (int64_t j = 0; j < F; j++)
            row[j] = (float)truth[i * F + j];
        worst = fmin(worst, cosine(v->vectors.dense + i * F, row, F));
    }
    CHECK(worst > 0.9999);
    wgdn_release(truth);
    wgdn_embedding_free(v);
    wgdn_model_free(m);
    wgdn_dataset_free(d);
    wgdn_release(e);
}

/* ---- the same vectors, however it is asked ---- */

static void test_stable(void)
{
    static const wgdn_fit_features uses[] = {WGDN_FIT_FEATURES_GIVEN, WGDN_FIT_FEATURES_STRUCTURE,
                                             WGDN_FIT_FEATURES_BOTH};
    example *e = wgdn_alloc(1, sizeof *e), *other = wgdn_alloc(1, sizeof *other);
    make_example(e, CLOSED_N);
    shuffle(other, e);
    wgdn_dataset *d = closed_dataset_of(e, true), *s = closed_dataset_of(other, true);
    for (int k = 0; k < 3; k++) {
        wgdn_model *m = closed_fit(d, 32, uses[k], 1), *again = closed_fit(d, 32, uses[k], 3);
        wgdn_model *shuffled = closed_fit(s, 32, uses[k], 2);
        wgdn_embedding *a = embed(m, d), *b = embed(again, d), *c = embed(shuffled, s);
        wgdn_embedding *crossed = embed(m, s);
        const size_t bytes = (size_t)(CLOSED_N * wgdn_embedding_dim(a)) * sizeof(float);
        CHECK(memcmp(a->vectors.dense, b->vectors.dense, bytes) == 0);
        CHECK(agreement(a, d, c, s, CLOSED_N) > 0.9999);
        CHECK(agreement(a, d, crossed, s, CLOSED_N) > 0.9999);
        wgdn_embedding_free(crossed);
        wgdn_embedding_free(c);
        wgdn_embedding_free(b);
        wgdn_embedding_free(a);
        wgdn_model_free(shuffled);
        wgdn_model_free(again);
        wgdn_model_free(m);
    }
    wgdn_dataset_free(s);
    wgdn_dataset_free(d);
    wgdn_release(other);
    wgdn_release(e);
}

/* ---- saved and loaded ---- */

/* The model of a file that this one was saved to; its vectors have the same bits. */
static wgdn_model *load_again(const wgdn_model *m, const wgdn_dataset *d)
{
    wgdn_model *loaded = NULL;
    const scratch_name path = scratch("closed.model");
    CHECK(wgdn_model_save(m, path.text, NULL) == WGDN_OK);
    CHECK(wgdn_model_load(&loaded, path.text, NULL) == WGDN_OK);
    wgdn_embedding *a = embed(m, d), *b = embed(loaded, d);
    CHECK(wgdn_embedding_dim(a) == wgdn_embedding_dim(b));
    CHECK(memcmp(a->vectors.dense, b->vectors.dense,
                 (size_t)(CLOSED_N * wgdn_embedding_dim(a)) * sizeof(float)) == 0);
    wgdn_embedding_free(b);
    wgdn_embedding_free(a);
    return loaded;
}

static void test_file(void)
{
    example *e = wgdn_alloc(1, sizeof *e);
    make_example(e, CLOSED_N);
    wgdn_dataset *d = closed_dataset_of(e, true);
    wgdn_model *m = closed_fit(d, 40, WGDN_FIT_FEATURES_BOTH, 0), *loaded = load_again(m, d);
    wgdn_fit_report was = {.struct_size = sizeof was}, is = {.struct_size = sizeof is};
    CHECK(wgdn_model_describe_fit(&was, m, NULL) == WGDN_OK);
    CHECK(wgdn_model_describe_fit(&is, loaded, NULL) == WGDN_OK);
    CHECK(was.parts == is.parts && was.scales == is.scales && was.best == is.best);
    wgdn_model_free(loaded);
    wgdn_model_free(m);
    wgdn_dataset_free(d);
    wgdn_release(e);
}

/* ---- how many neighbors and features ---- */

/* Features that neighbors hardly share, of five lengths; node 3 has none. */
static void make_unlike(example *e)
{
    make_example(e, CLOSED_N);
    for (int64_t i = 0; i < CLOSED_N; i++) {
        wgdn_random_normals(e->x + i * F, F, (wgdn_stream){.seed = 6, .call = 1}, i, 1, 0, F);
        for (int64_t j = 0; j < F; j++) {
            e->x[i * F + j] += j / 10 == cluster_of(i) ? 0.3F : 0;
            e->x[i * F + j] *= i == 3 ? 0 : (float)(1 + i % 5);
        }
    }
}

/* log(1 + neighbors) and log of the length of every node's features, less the mean, in deviations. */
static void sizes_of(double *z, const example *e, const wgdn_csr *a)
{
    double sum[4] = {0};
    for (int64_t i = 0; i < CLOSED_N; i++) {
        double square = 0;
        for (int64_t j = 0; j < F; j++)
            square += (double)e->x[i * F + j] * e->x[i * F + j];
        z[2 * i] = log(1 + (double)(a->offset[i + 1] - a->offset[i]));
        z[2 * i + 1] = square > 0 ? log(square) / 2 : 0;
        for (int k = 0; k < 4; k++)
            sum[k] += k < 2 ? z[2 * i + k] : z[2 * i + k - 2] * z[2 * i + k - 2];
    }
    for (int64_t i = 0; i < CLOSED_N; i++)
        for (int k = 0; k < 2; k++) {
            const double n = CLOSED_N - k, mean = sum[k] / n; /* one node has no features */
            const double centered = k == 1 && i == 3 ? 0 : z[2 * i + k] - mean;
            z[2 * i + k] = centered / sqrt(sum[2 + k] / n - mean * mean);
        }
}

static void test_sizes(void)
{
    static double z[2 * CLOSED_N];
    double apart = 0;
    example *e = wgdn_alloc(1, sizeof *e);
    make_unlike(e);
    wgdn_dataset *d = closed_dataset_of(e, true);
    wgdn_model *m = closed_fit(d, 40, WGDN_FIT_FEATURES_AUTO, 0);
    const wgdn_fitted *f = m->fitted;
    CHECK(f->part[f->parts - 1].kind == WGDN_PART_SIZES && f->part[f->parts - 1].dim == 3);
    CHECK(wgdn_fitted_width(f) == 40);
    wgdn_embedding *a = embed(m, d);
    sizes_of(z, e, &wgdn_dataset_get_graph(d)->adjacency);
    for (int64_t i = 0; i < CLOSED_N; i++) {
        const float *v = a->vectors.dense + i * 40 + 37;
        const double length = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
        apart = fmax(apart, fabs(v[0] / v[2] - z[2 * i]) + fabs(v[1] / v[2] - z[2 * i + 1]));
        apart = fmax(apart, fabs(length - 1.0 / f->parts));
    }
    CHECK_NEAR(apart, 0, 1e-4);
    wgdn_embedding_free(a);
    wgdn_model_free(load_again(m, d));
    wgdn_model_free(m);
    wgdn_dataset_free(d);
    wgdn_release(e);
}

/* In rings of nodes with features of one length all are alike, and the part is left out. */
static void test_alike(void)
{
    example *e = wgdn_alloc(1, sizeof *e);
    make_unlike(e);
    e->edges = CLOSED_N;
    for (int64_t i = 0; i < CLOSED_N; i++) {
        e->source[i] = i;
        e->target[i] = (i + 6) % CLOSED_N;
        for (int64_t j = 0; j < F; j++) {
            const uint32_t bits = wgdn_random_bits((wgdn_stream){.seed = 7}, i, (int)j) % 16;
            e->x[i * F + j] = bits < (j / 10 == cluster_of(i) ? 11 : 8) ? 1 : -1;
        }
    }
    wgdn_dataset *d = closed_dataset_of(e, true);
    wgdn_model *m = closed_fit(d, 40, WGDN_FIT_FEATURES_AUTO, 0);
    CHECK(m->fitted->parts == 4 && m->fitted->part[3].kind == WGDN_PART_TRANSITIONS);
    wgdn_model_free(m);
    wgdn_dataset_free(d);
    wgdn_release(e);
}

/* ---- a grown graph ---- */

/* A tenth of new nodes, each with an edge to an old one that is nobody's neighbor elsewhere. */
static void test_grown(void)
{
    example *e = wgdn_alloc(1, sizeof *e), *grown = wgdn_alloc(1, sizeof *grown);
    make_example(e, CLOSED_N);
    *grown = *e;
    for (int64_t i = CLOSED_N; i < CLOSED_N + 30; i++) {
        snprintf(grown->name[i], sizeof grown->name[i], "new-%d", (int)i);
        memcpy(grown->x + i * F, grown->x + (i - CLOSED_N) * F, F * sizeof *grown->x);
        grown->source[grown->edges] = i;
        grown->target[grown->edges++] = i - CLOSED_N;
    }
    grown->n = CLOSED_N + 30;
    for (int64_t i = 0; i < grown->n; i++)
        grown->id[i] = grown->name[i];
    wgdn_dataset *d = closed_dataset_of(e, false), *g = closed_dataset_of(grown, false);
    wgdn_model *m = closed_fit(d, 32, WGDN_FIT_FEATURES_AUTO, 0);
    wgdn_embedding *before = embed(m, d), *after = embed(m, g);
    CHECK(agreement(before, d, after, g, CLOSED_N) >
          0.99); /* old neighbors alone make a vector; filtered
                                                        transitions see new ones beyond them */
    const int64_t dim = wgdn_embedding_dim(after);
    for (int64_t i = CLOSED_N; i < CLOSED_N + 30; i++) {
        double sum = 0;
        for (int64_t j = 0; j < dim; j++)
            sum += pow(after->vectors.dense[i * dim + j], 2);
        CHECK_NEAR(sum, 1, 1e-4); /* new nodes have vectors, too */
    }
    wgdn_embedding_free(after);
    wgdn_embedding_free(before);
    wgdn_model_free(m);
    wgdn_dataset_free(g);
    wgdn_dataset_free(d);
    wgdn_release(grown);
    wgdn_release(e);
}

/* ---- what was filtered is kept, for one embedding of the same data ---- */

static void same_vectors(const wgdn_model *a, const wgdn_model *b, const wgdn_dataset *d)
{
    wgdn_embedding *x = embed(a, d), *y = embed(b, d);
    const size_t size = (size_t)(wgdn_embedding_rows(x) * wgdn_embedding_dim(x)) * sizeof(float);
    CHECK(memcmp(x->vectors.dense, y->vectors.dense, size) == 0);
    wgdn_embedding_free(y);
    wgdn_embedding_free(x);
}

static wgdn_model *fit_keeping(const wgdn_dataset *d, int dim)
{
    wgdn_fit_options o;
    wgdn_model *m = NULL;
    wgdn_fit_options_init(&o);
    o.dim = dim;
    o.keep = 1;
    CHECK(wgdn_model_fit(&m, d, &o, NULL) == WGDN_OK);
    CHECK(m->fitted->part[0].kind == WGDN_PART_SHARED);
    CHECK(wgdn_kept_is_of(m->fitted->part[0].kept, d->serial));
    return m;
}

static void test_kept(void)
{
    static const int dims[] = {24, F}; /* reduced, and not */
    example *e = wgdn_alloc(1, sizeof *e), *other = wgdn_alloc(1, sizeof *other);
    make_example(e, CLOSED_N);
    shuffle(other, e);
    for (int i = 0; i < 2; i++) {
        wgdn_dataset *d = closed_dataset_of(e, true), *o = closed_dataset_of(other, true);
        wgdn_model *plain = closed_fit(d, dims[i], WGDN_FIT_FEATURES_AUTO, 0),
                   *keeping = fit_keeping(d, dims[i]);
        CHECK(!plain->fitted->part[0].kept);
        same_vectors(keeping, plain, o); /* of another dataset */
        for (int times = 0; times < 2; times++)
            same_vectors(keeping, plain, d);
        wgdn_model_free(keeping);
        keeping = fit_keeping(d, dims[i]);
        CHECK(wgdn_dataset_reorder(d, WGDN_ORDER_METIS, NULL) == WGDN_OK);
        same_vectors(keeping, plain, d); /* its rows lie elsewhere now */
        wgdn_model_free(keeping);
        wgdn_model_free(plain);
        keeping = fit_keeping(d, dims[i]);
        plain = closed_fit(d, dims[i], WGDN_FIT_FEATURES_AUTO, 0);
        wgdn_dataset_free(d);
        d = closed_dataset_of(other, true); /* as large, perhaps at the same address */
        same_vectors(keeping, plain, d);
        wgdn_model_free(keeping);
        wgdn_model_free(plain);
        wgdn_dataset_free(o);
        wgdn_dataset_free(d);
    }
    wgdn_release(other);
    wgdn_release(e);
}

/* ---- turned onto old vectors ---- */

static void test_align(void)
{
    example *e = wgdn_alloc(1, sizeof *e), *other = wgdn_alloc(1, sizeof *other);
    make_example(e, CLOSED_N);
    shuffle(other, e);
    wgdn_dataset *d = closed_dataset_of(e, true), *s = closed_dataset_of(other, true);
    wgdn_fit_options o;
    wgdn_model *m = closed_fit(d, 24, WGDN_FIT_FEATURES_BOTH, 0), *fresh = NULL;
    wgdn_fit_options_init(&o);
    o.dim = 24;
    o.features = WGDN_FIT_FEATURES_BOTH;
    o.seed = 77; /* another sketch: the last columns come out turned */
    CHECK(wgdn_model_fit(&fresh, s, &o, NULL) == WGDN_OK);
    wgdn_embedding *old = embed(m, d), *plain = embed(fresh, s), *turned = NULL, *small = NULL;
    wgdn_embed_options how;
    wgdn_embed_options_init(&how);
    how.align = old;
    CHECK(wgdn_model_embed(&turned, fresh, s, &how, NULL) == WGDN_OK);
    double before = 0, after = 0;
    for (int64_t i = 0; i < CLOSED_N; i++) {
        char id[16];
        const int64_t size = wgdn_dataset_id(id, sizeof id, d, i);
        const int64_t at = wgdn_dataset_find(s, id, (size_t)size);
        const float *was = old->vectors.dense + i * 24;
        before += cosine(was, plain->vectors.dense + at * 24, 24) / CLOSED_N;
        after += cosine(was, turned->vectors.dense + at * 24, 24) / CLOSED_N;
        CHECK_NEAR(cosine(turned->vectors.dense, turned->vectors.dense + at * 24, 24),
                   cosine(plain->vectors.dense, plain->vectors.dense + at * 24, 24), 1e-4);
    }
    CHECK(after >= before - 1e-6 && after > 0.99);
    wgdn_model *narrow = closed_fit(d, 16, WGDN_FIT_FEATURES_GIVEN, 0);
    wgdn_error err;
    CHECK(wgdn_model_embed(&small, narrow, d, &how, &err) == WGDN_EINVAL);
    CHECK(strstr(err.message, "16 columns cannot be aligned to 24") != NULL);
    wgdn_embedding_free(turned);
    wgdn_embedding_free(plain);
    wgdn_embedding_free(old);
    wgdn_model_free(narrow);
    wgdn_model_free(fresh);
    wgdn_model_free(m);
    wgdn_dataset_free(s);
    wgdn_dataset_free(d);
    wgdn_release(other);
    wgdn_release(e);
}

/* ---- what is refused, and what has no room ---- */

static void test_refusals(void)
{
    example *e = wgdn_alloc(1, sizeof *e);
    make_example(e, CLOSED_N);
    wgdn_dataset *d = closed_dataset_of(e, true), *bare = closed_dataset_of(e, false);
    wgdn_model *m = closed_fit(d, 16, WGDN_FIT_FEATURES_GIVEN, 1), *none = NULL;
    wgdn_embedding *v = NULL;
    wgdn_error err;
    CHECK(wgdn_model_embed(&v, m, bare, NULL, &err) == WGDN_EINVAL);
    CHECK(v == NULL && strstr(err.message, "60"));
    const wgdn_fit_options few = {.struct_size = sizeof few, .dim = 0};
    CHECK(wgdn_model_fit(&none, d, &few, &err) == WGDN_EINVAL && none == NULL);
    wgdn_fit_options o;
    wgdn_fit_options_init(&o);
    o.dim = 16;
    o.features = WGDN_FIT_FEATURES_BOTH;
    for (o.keep = 0; o.keep < 2; o.keep++)
        CHECK_ALLOCATIONS(wgdn_model_fit(&none, d, &o, NULL), wgdn_model_free(none));
    wgdn_model_free(m);
    wgdn_dataset_free(bare);
    wgdn_dataset_free(d);
    wgdn_release(e);
}

/* How often a call has asked, and from when on it is told to stop. */
typedef struct asking {
    int asked, enough;
} asking;

static int has_enough(void *user)
{
    asking *a = user;
    return ++a->asked > a->enough;
}

/* A call that is stopped at any moment leaves nothing behind; one that is not has the same bits. */
static void test_stopped_by_the_caller(void)
{
    example *e = wgdn_alloc(1, sizeof *e);
    const scratch_name path = scratch("stopped.csv");
    asking a = {.enough = INT32_MAX};
    wgdn_error err;
    wgdn_model *none = NULL;
    wgdn_embedding *nothing = NULL;
    make_example(e, CLOSED_N);
    wgdn_dataset *d = closed_dataset_of(e, true);
    wgdn_model *m = closed_fit(d, 16, WGDN_FIT_FEATURES_BOTH, 0);
    wgdn_embedding *z = embed(m, d);
    const wgdn_stop before = wgdn_stop_use((wgdn_stop){has_enough, &a});
    CHECK(!before.wanted);

    wgdn_model *same = closed_fit(d, 16, WGDN_FIT_FEATURES_BOTH, 0);
    wgdn_embedding *again = embed(same, d);
    CHECK(a.asked >= 2);
    CHECK(memcmp(z->vectors.dense, again->vectors.dense,
                 (size_t)(CLOSED_N * z->vectors.width) * sizeof(float)) == 0);
    wgdn_embedding_free(again);
    wgdn_model_free(same);

    a = (asking){.enough = 0};
    const int64_t live = wgdn_alloc_live();
    CHECK(wgdn_model_fit(&none, d, NULL, &err) == WGDN_ESTOPPED && !none);
    CHECK_TEXT(err.message, "stopped on request");
    CHECK(wgdn_model_embed(&nothing, m, d, NULL, &err) == WGDN_ESTOPPED && !nothing);
    CHECK(a.asked == 2 && wgdn_alloc_live() == live);
    CHECK(wgdn_embedding_write(z, path.text, NULL, &err) == WGDN_ESTOPPED);
    CHECK(access(path.text, F_OK) != 0 && a.asked == 3 && wgdn_alloc_live() == live);

    const wgdn_stop mine = wgdn_stop_use(before);
    CHECK(mine.user == &a);
    CHECK(wgdn_embedding_write(z, path.text, NULL, NULL) == WGDN_OK);
    wgdn_embedding_free(z);
    wgdn_model_free(m);
    wgdn_dataset_free(d);
    wgdn_release(e);
}

static int closed_tests(void)
{
    scratch_begin();
    RUN(test_filter);
    RUN(test_stable);
    RUN(test_file);
    RUN(test_sizes);
    RUN(test_alike);
    RUN(test_grown);
    RUN(test_kept);
    RUN(test_align);
    RUN(test_refusals);
    RUN(test_stopped_by_the_caller);
    scratch_end();
    CHECK(wgdn_alloc_live() == 0);
    return check_result();
}

/* ---- transitions ---- */

/* Transitions of a graph without features: where they are filtered, and by what. */

enum {
    GROUPS = 40,
    SIZE = 6,
    TRANSITIONS_N = GROUPS * SIZE,
    EDGES = 8 * TRANSITIONS_N,
    DIM = 32,
    HALF = DIM / 2
};

typedef struct graph {
    int64_t edges, source[EDGES], target[EDGES];
} graph;

static void join(graph *g, int64_t a, int64_t b)
{
    g->source[g->edges] = a;
    g->target[g->edges++] = b;
}

/* Groups in which everybody knows everybody, each joined to the next by one edge. */
static void make_groups(graph *g)
{
    g->edges = 0;
    for (int64_t i = 0; i < TRANSITIONS_N; i++)
        for (int64_t j = i + 1; j < i - i % SIZE + SIZE; j++)
            join(g, i, j);
    for (int64_t i = 0; i < GROUPS; i++)
        join(g, i * SIZE, (i + 1) % GROUPS * SIZE + 1);
}

/* Everybody knows some seven others, whoever they are. */
static void make_random(graph *g)
{
    const wgdn_stream s = {.seed = 5, .call = 1};
    g->edges = 0;
    for (int64_t i = 0; i < TRANSITIONS_N; i++)
        for (int k = 0; k < 7; k++) {
            const int64_t j = (int64_t)(wgdn_random_bits(s, i, k) % TRANSITIONS_N);
            if (j != i) join(g, i, j);
        }
}

static wgdn_dataset *transitions_dataset_of(const graph *g)
{
    wgdn_dataset *d = NULL;
    const wgdn_dataset_arrays a = {.struct_size = sizeof a,
                                   .nodes = TRANSITIONS_N,
                                   .edges = g->edges,
                                   .source = g->source,
                                   .target = g->target};
    CHECK(wgdn_dataset_from_arrays(&d, &a, NULL) == WGDN_OK);
    return d;
}

static wgdn_model *transitions_fit(const wgdn_dataset *d)
{
    wgdn_fit_options o;
    wgdn_model *m = NULL;
    wgdn_fit_options_init(&o);
    o.dim = DIM;
    CHECK(wgdn_model_fit(&m, d, &o, NULL) == WGDN_OK);
    return m;
}

/* The half of the vectors that transitions make, in rows of length 1. */
static void transitions_of(double *to, const wgdn_model *m, const wgdn_dataset *d)
{
    wgdn_embedding *e = NULL;
    CHECK(wgdn_model_embed(&e, m, d, NULL, NULL) == WGDN_OK);
    for (int64_t i = 0; i < TRANSITIONS_N; i++) {
        double sum = 0;
        for (int64_t j = 0; j < HALF; j++)
            sum += pow(e->vectors.dense[i * DIM + HALF + j], 2);
        for (int64_t j = 0; j < HALF; j++)
            to[i * HALF + j] = e->vectors.dense[i * DIM + HALF + j] / sqrt(sum);
    }
    wgdn_embedding_free(e);
}

/* y = S x, S = D^-1/2 A D^-1/2, edge by edge. */
static void product(double *y, const wgdn_graph *g, const double *x)
{
    const wgdn_csr *a = &g->adjacency;
    memset(y, 0, (size_t)(TRANSITIONS_N * HALF) * sizeof *y);
    for (int64_t i = 0; i < TRANSITIONS_N; i++)
        for (int64_t k = a->offset[i]; k < a->offset[i + 1]; k++) {
            const int64_t j = a->column[k];
            const double w = 1 / sqrt((double)(a->offset[i + 1] - a->offset[i]) *
                                      (double)(a->offset[j + 1] - a->offset[j]));
            for (int64_t l = 0; l < HALF; l++)
                y[i * HALF + l] += w * x[j * HALF + l];
        }
}

/* exp(-t (I - S)) x by its series, rows of length 1. */
static void heat(double *x, const wgdn_graph *g, double t)
{
    enum { TERMS = 60 };
    double *term = wgdn_alloc(2 * TRANSITIONS_N * HALF, sizeof *term),
           *next = term + TRANSITIONS_N * HALF;
    memcpy(term, x, TRANSITIONS_N * HALF * sizeof *x);
    for (int k = 1; k < TERMS; k++) {
        product(next, g, term);
        for (int64_t i = 0; i < TRANSITIONS_N * HALF; i++)
            x[i] += term[i] = next[i] * t / k;
    }
    wgdn_release(term);
    for (int64_t i = 0; i < TRANSITIONS_N; i++) {
        double sum = 0;
        for (int64_t j = 0; j < HALF; j++)
            sum += x[i * HALF + j] * x[i * HALF + j];
        for (int64_t j = 0; j < HALF; j++)
            x[i * HALF + j] /= sqrt(sum);
    }
}

static void test_groups_are_filtered(void)
{
    graph g;
    make_groups(&g);
    wgdn_dataset *d = transitions_dataset_of(&g);
    wgdn_model *m = transitions_fit(d);
    double *filtered = wgdn_alloc(2 * TRANSITIONS_N * HALF, sizeof *filtered),
           *plain = filtered + TRANSITIONS_N * HALF;
    wgdn_fitted_part *p = &m->fitted->part[1];
    const double t = p->scale;
    CHECK(p->kind == WGDN_PART_TRANSITIONS && t > 4);
    transitions_of(filtered, m, d);
    p->scale = 0;
    transitions_of(plain, m, d);
    double moved = 0;
    for (int64_t i = 0; i < TRANSITIONS_N * HALF; i++)
        moved = fmax(moved, fabs(plain[i] - filtered[i]));
    CHECK(moved > 0.1);
    heat(plain, wgdn_dataset_get_graph(d), t);
    double apart = 0;
    for (int64_t i = 0; i < TRANSITIONS_N * HALF; i++)
        apart = fmax(apart, fabs(plain[i] - filtered[i]));
    CHECK(apart < 5e-4); /* what the series of the filter leaves out */
    p->scale = t;
    wgdn_embedding *e = NULL;
    CHECK_ALLOCATIONS(wgdn_model_embed(&e, m, d, NULL, NULL), wgdn_embedding_free(e));
    wgdn_release(filtered);
    wgdn_model_free(m);
    wgdn_dataset_free(d);
}

static void test_others_are_not(void)
{
    graph g;
    make_random(&g);
    wgdn_dataset *d = transitions_dataset_of(&g);
    wgdn_model *m = transitions_fit(d);
    CHECK(m->fitted->part[1].kind == WGDN_PART_TRANSITIONS);
    CHECK(m->fitted->part[1].scale < 1);
    wgdn_model_free(m);
    wgdn_dataset_free(d);
}

/* It grows with the eigenvalue, from nothing to a limit. */
static void test_rule(void)
{
    double before = 0;
    CHECK(wgdn_transitions_scale(-0.5) == 0 && wgdn_transitions_scale(0.3) == 0);
    for (double w = 0.3; w <= 1; w += 0.01) {
        const double t = wgdn_transitions_scale(w);
        CHECK(t >= before && t <= 8);
        before = t;
    }
    CHECK(wgdn_transitions_scale(1) == 8);
    CHECK_NEAR(wgdn_transitions_scale(0.8), 2, 1e-12);
}

static int transitions_tests(void)
{
    RUN(test_groups_are_filtered);
    RUN(test_others_are_not);
    RUN(test_rule);
    CHECK(wgdn_alloc_live() == 0);
    return check_result();
}

int main(int argc, char **argv)
{
    static const check_group groups[] = {
        {"closed", closed_tests},
        {"transitions", transitions_tests},
    };
    return check_groups(groups, sizeof groups / sizeof *groups, argc, argv);
}
