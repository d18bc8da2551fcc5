/* SPDX-License-Identifier: Apache-2.0 */
/* The closed form of features that neighbors share, and its refinement. */
#define _DEFAULT_SOURCE
#include "arrays.h"
#include "check.h"
#include "support.h"

#include "data/embedding.h"
#include "fit/fit.h"
#include "fit/refine.h"
#include "model/model.h"

#include <unistd.h>

/* ---- shared ---- */

/* Features that neighbors share: the map and whole vectors against naive ones in double. */

enum { SHARED_N = 200, SHARED_F = 40, SHARED_EDGES = 5 * SHARED_N };

static const double ridge =
    0.5; /* this and the numbers of naive_exponent() as in shared_signal.c */

/* ---- naive matrices: n x n, in double ---- */

/* Jacobi's rotations: a becomes diagonal, the columns of v its eigenvectors. */
static void naive_eigen(double *a, double *v, int n)
{
    for (int i = 0; i < n * n; i++)
        v[i] = i % (n + 1) == 0;
    for (int sweep = 0; sweep < 30; sweep++)
        for (int p = 0; p < n; p++)
            for (int q = p + 1; q < n; q++) {
                const double angle = 0.5 * atan2(2 * a[p * n + q], a[q * n + q] - a[p * n + p]);
                const double c = cos(angle), s = sin(angle);
                for (int i = 0; i < n; i++) {
                    const double x = a[i * n + p], y = a[i * n + q];
                    a[i * n + p] = c * x - s * y;
                    a[i * n + q] = s * x + c * y;
                }
                for (int i = 0; i < n; i++) {
                    const double x = a[p * n + i], y = a[q * n + i];
                    a[p * n + i] = c * x - s * y;
                    a[q * n + i] = s * x + c * y;
                }
                for (int i = 0; i < n; i++) {
                    const double x = v[i * n + p], y = v[i * n + q];
                    v[i * n + p] = c * x - s * y;
                    v[i * n + q] = s * x + c * y;
                }
            }
}

static double *square(int n)
{
    double *a = wgdn_alloc_zero((size_t)(n * n), sizeof *a);
    CHECK(a);
    return a;
}

static void multiply(double *c, const double *a, const double *b, int n)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double sum = 0;
            for (int l = 0; l < n; l++)
                sum += a[i * n + l] * b[l * n + j];
            c[i * n + j] = sum;
        }
}

/* The power of a symmetric matrix, its eigenvalues first brought to [low, high]. */
static double *naive_power(const double *a, int n, double exponent, double low, double high)
{
    double *d = square(n), *v = square(n), *out = square(n);
    memcpy(d, a, (size_t)(n * n) * sizeof *d);
    naive_eigen(d, v, n);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int l = 0; l < n; l++) {
                const double value = fmin(fmax(d[l * n + l], low), high);
                out[i * n + j] +=
                    v[i * n + l] * v[j * n + l] * (value > 0 ? pow(value, exponent) : 0);
            }
    wgdn_release(v);
    wgdn_release(d);
    return out;
}

/* M = C^-1/2 A^q C^1/2,  A = C^-1/2 N C^-1/2 */
static double *naive_map(const double *c, const double *n, double power, int k)
{
    double *e = square(k), *a = square(k), *t = square(k), *m = square(k), trace = 0;
    memcpy(e, c, (size_t)(k * k) * sizeof *e);
    for (int i = 0; i < k; i++)
        trace += c[i * k + i];
    for (int i = 0; i < k; i++)
        e[i * k + i] += ridge * trace / k;
    double *less = naive_power(e, k, -0.5, 0, 1e300), *more = naive_power(e, k, 0.5, 0, 1e300);
    multiply(t, less, n, k);
    multiply(a, t, less, k);
    double *shrunk = naive_power(a, k, power, 0, 1);
    multiply(t, less, shrunk, k);
    multiply(m, t, more, k);
    wgdn_release(shrunk);
    wgdn_release(more);
    wgdn_release(less);
    wgdn_release(t);
    wgdn_release(a);
    wgdn_release(e);
    return m;
}

/* The square of r / 16, within 1/2 and 2, for the rank r that q = 1/2 leaves of nodes with covariance h, less if a < 1/4. */
static double naive_exponent(const double *c, const double *n, const double *h, double a, int k)
{
    double *m = naive_map(c, n, 0.5, k), *t = square(k), *g = square(k), trace = 0, squares = 0;
    double *turned = square(k);
    for (int i = 0; i < k * k; i++)
        turned[i] = m[i % k * k + i / k];
    multiply(t, h, m, k);
    multiply(g, turned, t, k);
    for (int i = 0; i < k * k; i++) {
        trace += i % (k + 1) == 0 ? g[i] : 0;
        squares += g[i] * g[i];
    }
    wgdn_release(turned);
    wgdn_release(g);
    wgdn_release(t);
    wgdn_release(m);
    return fmin(fmax(pow(trace * trace / squares / 16 * fmin(4 * a, 1), 2), 0.5), 2);
}

/* Covariance of `own` columns that vary alike; the others vary by a thousandth. */
static double chosen_power(int own, double agreement)
{
    enum { K = 40 };
    double c[K * K] = {0}, n[K * K] = {0}, h[K * K] = {0}, m[K * K];
    void *work = wgdn_alloc(wgdn_shared_work(K), 1);
    for (int i = 0; i < K; i++) {
        c[i * (K + 1)] = 1;
        n[i * (K + 1)] = 0.8;
        h[i * (K + 1)] = i < own ? 1 : 1e-3;
    }
    wgdn_shared_factors(c, n, K, work);
    const double power = wgdn_shared_power(m, h, agreement, K, work);
    CHECK(fabs(power - naive_exponent(c, n, h, agreement, K)) < 1e-9);
    CHECK(fabs(m[0] - pow(0.8 / (1 + ridge), power)) < 1e-9);
    wgdn_release(work);
    return power;
}

/* It grows with the columns that vary, and with an agreement below 1/4, and has two ends. */
static void the_power(void)
{
    CHECK(chosen_power(3, 0.3) == 0.5);
    CHECK(fabs(chosen_power(16, 0.25) - 1) < 0.01);
    CHECK(fabs(chosen_power(20, 0.7) - 1.5625) < 0.01);
    CHECK(fabs(chosen_power(20, 0.2) - 1) < 0.01);
    CHECK(chosen_power(20, 0.06) == 0.5);
    CHECK(chosen_power(40, 0.3) == 2);
}

static void the_map(void)
{
    enum { K = 9, ROWS = 40 };
    double x[ROWS * K], y[ROWS * K], c[K * K] = {0}, n[K * K] = {0}, m[K * K];
    float draw[2 * ROWS * K];
    wgdn_random_normals(draw, K, (wgdn_stream){.seed = 3, .call = 1}, 0, 2 * ROWS, 0, K);
    for (int i = 0; i < ROWS * K; i++) { /* y shares the first columns of x */
        x[i] = draw[i];
        y[i] = (i % K < 4 ? 0.7 * draw[i] : 0) + 0.5 * draw[ROWS * K + i];
    }
    for (int i = 0; i < K; i++)
        for (int j = 0; j < K; j++)
            for (int r = 0; r < ROWS; r++) {
                c[i * K + j] += x[r * K + i] * x[r * K + j] / ROWS;
                n[i * K + j] +=
                    (x[r * K + i] * y[r * K + j] + y[r * K + i] * x[r * K + j]) / (2 * ROWS);
            }
    void *work = wgdn_alloc(wgdn_shared_work(K), 1);
    wgdn_shared_factors(c, n, K, work);
    for (double power = 0.5; power <= 2; power += 0.75) {
        double *truth = naive_map(c, n, power, K), worst = 0;
        wgdn_shared_map(m, power, K, work);
        for (int i = 0; i < K * K; i++)
            worst = fmax(worst, fabs(m[i] - truth[i]));
        CHECK(worst < 1e-10);
        wgdn_release(truth);
    }
    wgdn_release(work);
}

/* ---- whole vectors ---- */

typedef struct example {
    int64_t source[SHARED_EDGES], target[SHARED_EDGES];
    float x[SHARED_N * SHARED_F];
} example;

/* Four clusters; node 7 has no features and no neighbors. */
static wgdn_dataset *shared_make(example *e)
{
    const wgdn_stream s = {.seed = 5, .call = 1};
    wgdn_dataset *d = NULL;
    int64_t edges = 0;
    for (int64_t i = 0; i < SHARED_N; i++) {
        wgdn_random_normals(e->x + i * SHARED_F, SHARED_F, s, i, 1, 0, SHARED_F);
        for (int64_t j = 0; j < 10; j++)
            e->x[i * SHARED_F + 10 * (i % 4) + j] += 1.5F;
        if (i == 7) memset(e->x + i * SHARED_F, 0, SHARED_F * sizeof *e->x);
        for (int k = 0; k < 4; k++) {
            const int64_t j = (int64_t)(wgdn_random_bits(s, i, 100 + k) % SHARED_N) / 4 * 4 + i % 4;
            if (i == 7 || j == 7 || i == j) continue;
            e->source[edges] = i;
            e->target[edges++] = j;
        }
    }
    const wgdn_dataset_arrays a = {.struct_size = sizeof a,
                                   .nodes = SHARED_N,
                                   .edges = edges,
                                   .source = e->source,
                                   .target = e->target,
                                   .features = SHARED_F,
                                   .dense = e->x};
    CHECK(wgdn_dataset_from_arrays(&d, &a, NULL) == WGDN_OK);
    return d;
}

/* to = S from */
static void neighbors(double *to, const double *from, const wgdn_csr *a)
{
    for (int64_t i = 0; i < SHARED_N; i++)
        for (int64_t j = 0; j < SHARED_F; j++) {
            double sum = 0;
            for (int64_t e = a->offset[i]; e < a->offset[i + 1]; e++) {
                const int64_t o = a->column[e];
                sum += from[o * SHARED_F + j] / sqrt((double)(a->offset[i + 1] - a->offset[i]) *
                                                     (double)(a->offset[o + 1] - a->offset[o]));
            }
            to[i * SHARED_F + j] = sum;
        }
}

/* Rows of length 1, less the mean of those that are not 0. */
static void unit_and_center(double *y)
{
    double mean[SHARED_F] = {0}, count = 0;
    bool zero[SHARED_N];
    for (int64_t i = 0; i < SHARED_N; i++) {
        double sum = 0;
        for (int64_t j = 0; j < SHARED_F; j++)
            sum += y[i * SHARED_F + j] * y[i * SHARED_F + j];
        zero[i] = sum == 0;
        count += !zero[i];
        for (int64_t j = 0; j < SHARED_F && !zero[i]; j++)
            mean[j] += y[i * SHARED_F + j] /= sqrt(sum);
    }
    for (int64_t i = 0; i < SHARED_N; i++)
        for (int64_t j = 0; j < SHARED_F && !zero[i]; j++)
            y[i * SHARED_F + j] -= mean[j] / count;
}

/* Rows before the rotation to principal axes, which changes no cosine. */
static double *naive_vectors(const wgdn_dataset *d, const float *x, double t, double agreement)
{
    const wgdn_csr *a = &wgdn_dataset_get_graph(d)->adjacency;
    const size_t all = (size_t)SHARED_N * SHARED_F;
    double *y = wgdn_alloc(all, 8), *h = wgdn_alloc(all, 8), *p = wgdn_alloc(all, 8);
    double *s = wgdn_alloc(all, 8), *c = square(SHARED_F), *n = square(SHARED_F),
           *after = square(SHARED_F), *z = wgdn_alloc_zero(all, 8);
    for (size_t i = 0; i < all; i++)
        y[i] = x[i];
    for (int64_t i = 0; i < SHARED_N; i++) {
        double sum = 0;
        for (int64_t j = 0; j < SHARED_F; j++)
            sum += y[i * SHARED_F + j] * y[i * SHARED_F + j];
        for (int64_t j = 0; j < SHARED_F && sum > 0; j++)
            y[i * SHARED_F + j] /= sqrt(sum);
    }
    memcpy(h, y, all * 8);
    memcpy(p, y, all * 8);
    for (int k = 1; k < 60; k++) { /* exp(-t L) */
        neighbors(s, p, a);
        for (size_t i = 0; i < all; i++) {
            p[i] = -t / k * (p[i] - s[i]);
            h[i] += p[i];
        }
    }
    unit_and_center(y);
    unit_and_center(h);
    neighbors(s, y, a);
    for (int64_t i = 0; i < SHARED_F; i++)
        for (int64_t j = 0; j < SHARED_F; j++)
            for (int64_t r = 0; r < SHARED_N; r++) {
                c[i * SHARED_F + j] += y[r * SHARED_F + i] * y[r * SHARED_F + j] / SHARED_N;
                n[i * SHARED_F + j] += (y[r * SHARED_F + i] * s[r * SHARED_F + j] +
                                        s[r * SHARED_F + i] * y[r * SHARED_F + j]) /
                                       (2 * SHARED_N);
                after[i * SHARED_F + j] += h[r * SHARED_F + i] * h[r * SHARED_F + j] / SHARED_N;
            }
    double *m = naive_map(c, n, naive_exponent(c, n, after, agreement, SHARED_F), SHARED_F);
    for (int64_t r = 0; r < SHARED_N; r++)
        for (int64_t i = 0; i < SHARED_F; i++)
            for (int64_t j = 0; j < SHARED_F; j++)
                z[r * SHARED_F + j] += h[r * SHARED_F + i] * m[i * SHARED_F + j];
    wgdn_release(m);
    wgdn_release(after);
    wgdn_release(n);
    wgdn_release(c);
    wgdn_release(s);
    wgdn_release(p);
    wgdn_release(h);
    wgdn_release(y);
    return z;
}

static double dot(const double *x, const double *y)
{
    double sum = 0;
    for (int64_t j = 0; j < SHARED_F; j++)
        sum += x[j] * y[j];
    return sum;
}

static void the_vectors(void)
{
    example *e = wgdn_alloc_zero(1, sizeof *e);
    wgdn_dataset *d = shared_make(e);
    wgdn_model *m = NULL;
    wgdn_embedding *v = NULL;
    CHECK(wgdn_model_fit(&m, d, NULL, NULL) == WGDN_OK);
    CHECK(wgdn_model_embed(&v, m, d, NULL, NULL) == WGDN_OK);
    CHECK(m->fitted->parts == 1 && m->fitted->part[0].kind == WGDN_PART_SHARED);
    const int64_t dim = wgdn_embedding_dim(v); /* the map takes some directions to 0 */
    CHECK(dim > 0 && dim <= SHARED_F && m->fitted->part[0].own == 0);
    double best = 0, worst = 0;
    for (int t = 0; t < m->fitted->scales; t++)
        best = fmax(best, m->fitted->agreement[t]);
    double *truth = naive_vectors(d, e->x, m->fitted->part[0].scale, best);
    for (int64_t i = 0; i < SHARED_N; i++)
        for (int64_t j = 0; j < SHARED_N; j++) {
            const double *x = truth + i * SHARED_F, *y = truth + j * SHARED_F,
                         xy = sqrt(dot(x, x) * dot(y, y));
            const double cosine = xy > 0 ? dot(x, y) / xy : 0;
            double is = 0;
            for (int64_t k = 0; k < dim; k++)
                is += (double)v->vectors.dense[i * dim + k] * v->vectors.dense[j * dim + k];
            worst = fmax(worst, fabs(is - cosine));
        }
    printf("cosines differ by %.1e at most\n", worst);
    CHECK(worst < 5e-3); /* the filter's series is cut off at a thousandth */
    for (int64_t k = 0; k < dim; k++)
        CHECK(v->vectors.dense[7 * dim + k] == 0);
    wgdn_release(truth);
    wgdn_embedding_free(v);
    wgdn_model_free(m);
    wgdn_dataset_free(d);
    wgdn_release(e);
}

static int shared_tests(void)
{
    RUN(the_map);
    RUN(the_power);
    RUN(the_vectors);
    return check_result();
}

/* ---- refine ---- */

/* Refinement of the closed form: walks, views, loss and gradients against naive ones in double, and fits. */

enum { REFINE_N = 60, D = 5 };

static const double refine_r = 1e-3; /* as in refine.c */

/* ---- walks and views ---- */

static wgdn_fit_input input_of(const wgdn_graph *g, uint64_t *key)
{
    for (int64_t i = 0; i < g->adjacency.rows; i++)
        key[i] = (uint64_t)i * 0x9e3779b97f4a7c15;
    return (wgdn_fit_input){.graph = g,
                            .rows = wgdn_alone(g->adjacency.rows),
                            .key = key,
                            .weighted = g->adjacency.value};
}

/* (D + w)^-1/2 (A + w) (D + w)^-1/2 */
static void naive_walk(double *w, const wgdn_csr *a, double loop)
{
    double degree[REFINE_N];
    memset(w, 0, sizeof(double) * REFINE_N * REFINE_N);
    for (int i = 0; i < REFINE_N; i++) {
        w[i * REFINE_N + i] = loop;
        for (int64_t k = a->offset[i]; k < a->offset[i + 1]; k++)
            w[i * REFINE_N + a->column[k]] = a->value ? a->value[k] : 1;
    }
    for (int i = 0; i < REFINE_N; i++) {
        degree[i] = 0;
        for (int j = 0; j < REFINE_N; j++)
            degree[i] += w[i * REFINE_N + j];
    }
    for (int i = 0; i < REFINE_N * REFINE_N; i++)
        w[i] /= sqrt(degree[i / REFINE_N] * degree[i % REFINE_N]);
}

static void a_step(void)
{
    static double w[REFINE_N * REFINE_N];
    uint64_t key[REFINE_N];
    for (int weighted = 0; weighted < 2; weighted++) {
        wgdn_graph *g = random_graph(REFINE_N, 2);
        if (weighted) weigh(g);
        const wgdn_fit_input in = input_of(g, key);
        float *x = random_matrix(3, REFINE_N, D), *y = matrix(REFINE_N, D);
        wgdn_graph *walk = NULL;
        double loop, mean = 0, worst = 0;
        for (int64_t k = 0; weighted && k < wgdn_csr_entries(&g->adjacency); k++)
            mean += g->adjacency.value[k] / (double)wgdn_csr_entries(&g->adjacency);
        CHECK(wgdn_walk_weight(&loop, &in, NULL) == WGDN_OK);
        CHECK(fabs(loop - (weighted ? mean : 1)) < 1e-9);
        CHECK(wgdn_walk_open(&walk, &in, NULL) == WGDN_OK);
        wgdn_walk_loop(walk, loop);
        wgdn_walk_product(y, walk, x, D);
        naive_walk(w, &g->adjacency, loop);
        for (int i = 0; i < REFINE_N * D; i++) {
            double sum = 0;
            for (int j = 0; j < REFINE_N; j++)
                sum += w[i / D * REFINE_N + j] * x[j * D + i % D];
            worst = fmax(worst, fabs(sum - y[i]));
        }
        CHECK(worst < 1e-5);
        wgdn_graph_free(walk);
        wgdn_release(y);
        wgdn_release(x);
        wgdn_graph_free(g);
    }
}

static double entry(const wgdn_csr *a, int64_t i, int64_t j)
{
    for (int64_t k = a->offset[i]; k < a->offset[i + 1]; k++)
        if (a->column[k] == j) return a->value ? a->value[k] : 1;
    return 0;
}

/* Both directions of an edge go or stay; another view, other edges; a node's number does not matter. */
static void a_view(void)
{
    enum { NODES = 3000 };
    wgdn_graph *g = weigh(random_graph(NODES, 4));
    uint64_t *key = wgdn_alloc(NODES, sizeof *key);
    const wgdn_fit_input in = input_of(g, key);
    const wgdn_stream s[2] = {{.seed = 5, .epoch = 1, .call = 9},
                              {.seed = 5, .epoch = 2, .call = 9}};
    wgdn_graph *one = NULL, *other = NULL;
    int64_t both = 0, entries = wgdn_csr_entries(&g->adjacency);
    CHECK(wgdn_walk_thin(&one, &in, 0.4, s[0], NULL) == WGDN_OK);
    CHECK(wgdn_walk_thin(&other, &in, 0.4, s[1], NULL) == WGDN_OK);
    const wgdn_csr *a = &one->adjacency;
    const double kept = (double)wgdn_csr_entries(a) / (double)entries;
    CHECK(fabs(kept - 0.6) < 0.02);
    for (int64_t i = 0; i < NODES; i++) {
        double strength = 0;
        for (int64_t k = a->offset[i]; k < a->offset[i + 1]; k++) {
            CHECK(a->value[k] == (float)entry(&g->adjacency, i, a->column[k]));
            CHECK(entry(a, a->column[k], i) == a->value[k]);
            both += entry(&other->adjacency, i, a->column[k]) > 0;
            strength += a->value[k];
        }
        CHECK(fabs(one->inv_degree[i] * strength - (strength > 0)) < 1e-5);
    }
    CHECK(fabs((double)both / (double)entries - 0.36) < 0.02);
    wgdn_graph_free(other);
    wgdn_graph_free(one);
    CHECK_ALLOCATIONS(wgdn_walk_thin(&one, &in, 0.4, s[0], NULL), wgdn_graph_free(one));
    wgdn_release(key);
    wgdn_graph_free(g);
}

/* ---- the loss ---- */

static double naive_loss(const double *c1, const double *c2)
{
    static double u[2][REFINE_N * D];
    const double *code[2] = {c1, c2};
    double loss = 0;
    for (int v = 0; v < 2; v++)
        for (int j = 0; j < D; j++) {
            double mean = 0, variance = 0;
            for (int i = 0; i < REFINE_N; i++)
                mean += code[v][i * D + j] / REFINE_N;
            for (int i = 0; i < REFINE_N; i++)
                variance += pow(code[v][i * D + j] - mean, 2) / REFINE_N;
            for (int i = 0; i < REFINE_N; i++)
                u[v][i * D + j] = (code[v][i * D + j] - mean) / sqrt(variance);
        }
    for (int i = 0; i < REFINE_N * D; i++)
        loss += pow(u[0][i] - u[1][i], 2) / (2 * REFINE_N);
    for (int v = 0; v < 2; v++)
        for (int k = 0; k < D * D; k++) {
            double g = -(double)(k / D == k % D);
            for (int i = 0; i < REFINE_N; i++)
                g += u[v][i * D + k / D] * u[v][i * D + k % D] / REFINE_N;
            loss += refine_r * g * g;
        }
    return loss;
}

typedef struct pair {
    wgdn_agreement a;
    float *room;
} pair;

static pair open_pair(void)
{
    pair p = {.a = {.n = wgdn_alone(REFINE_N), .d = D}};
    p.room = matrix(4 * REFINE_N, D);
    for (int v = 0; v < 2; v++) {
        p.a.code[v] = p.room + v * REFINE_N * D;
        p.a.gradient[v] = p.room + (2 + v) * REFINE_N * D;
    }
    p.a.small = wgdn_alloc(wgdn_agreement_doubles(D), sizeof *p.a.small);
    p.a.work = wgdn_alloc(wgdn_agreement_work(p.a.n, D), 1);
    return p;
}

static void close_pair(pair *p)
{
    wgdn_release(p->a.work);
    wgdn_release(p->a.small);
    wgdn_release(p->room);
}

static void the_loss(void)
{
    static double c[2][REFINE_N * D];
    float *draw = random_matrix(4, 3 * REFINE_N, D);
    pair p = open_pair();
    double loss, largest = 0;
    for (int i = 0; i < REFINE_N * D; i++) /* alike, of various lengths and means */
        for (int v = 0; v < 2; v++)
            p.a.code[v][i] = (float)(c[v][i] = (float)(1 + i % D + (1 + i % D) * draw[i] +
                                                       0.5 * draw[(1 + v) * REFINE_N * D + i]));
    const double truth = naive_loss(c[0], c[1]);
    CHECK(wgdn_agreement_make(&loss, &p.a, NULL) == WGDN_OK);
    CHECK(fabs(loss - truth) < 1e-6 * truth);
    for (int v = 0; v < 2; v++)
        for (int i = 0; i < REFINE_N * D; i++)
            largest = fmax(largest, fabs(p.a.gradient[v][i]));
    for (int v = 0; v < 2; v++)
        for (int i = 0; i < REFINE_N * D; i++) {
            const double at = c[v][i], h = 1e-5;
            c[v][i] = at + h;
            const double above = naive_loss(c[0], c[1]);
            c[v][i] = at - h;
            const double below = naive_loss(c[0], c[1]);
            c[v][i] = at;
            CHECK(fabs((above - below) / (2 * h) - p.a.gradient[v][i]) < 1e-5 * largest + 1e-9);
        }
    close_pair(&p);
    wgdn_release(draw);
}

/* ---- the network ---- */

typedef struct network {
    double w[2][REFINE_N * REFINE_N], z[2][REFINE_N * D], a[D * D], b[D * D];
} network;

static double naive_network(const network *n)
{
    static double code[2][REFINE_N * D], t[REFINE_N * D], h[REFINE_N * D];
    for (int v = 0; v < 2; v++) {
        const double *w = n->w[v], *z = n->z[v];
        for (int layer = 0; layer < 2; layer++) {
            const double *from = layer ? h : z, *by = layer ? n->b : n->a;
            for (int i = 0; i < REFINE_N * D; i++) {
                t[i] = 0;
                for (int k = 0; k < D; k++)
                    t[i] += from[i / D * D + k] * by[k * D + i % D];
            }
            for (int i = 0; i < REFINE_N * D; i++) {
                double sum = 0;
                for (int j = 0; j < REFINE_N; j++)
                    sum += w[i / D * REFINE_N + j] * t[j * D + i % D];
                code[v][i] = z[i] + sum;
                if (!layer) code[v][i] = fmax(sum, 0);
            }
            memcpy(h, code[v], sizeof h);
        }
    }
    return naive_loss(code[0], code[1]);
}

static void the_gradient(void)
{
    static network n;
    wgdn_graph *g = weigh(random_graph(REFINE_N, 3));
    uint64_t key[REFINE_N];
    const wgdn_fit_input in = input_of(g, key);
    float *z[2] = {random_matrix(5, REFINE_N, D), random_matrix(6, REFINE_N, D)},
          *a = random_matrix(7, D, D);
    float *b = random_matrix(8, D, D), *da = matrix(D, D), *db = matrix(D, D);
    float *room = matrix(4 * REFINE_N, D);
    void *work = wgdn_alloc(wgdn_agreement_work(in.rows, D) + wgdn_gemm_nt_work(D, D), 1);
    wgdn_graph *walk[2];
    wgdn_refining net[2];
    pair p = open_pair();
    double loss, largest = 0;
    for (int v = 0; v < 2; v++) {
        const wgdn_stream s = {.seed = 1, .epoch = (uint32_t)v, .call = 9};
        CHECK(wgdn_walk_thin(&walk[v], &in, 0.4, s, NULL) == WGDN_OK);
        wgdn_walk_loop(walk[v], 1.5);
        naive_walk(n.w[v], &walk[v]->adjacency, 1.5);
        net[v] = (wgdn_refining){
            in.rows, D, a, b, room + v * 2 * REFINE_N * D, room + (v * 2 + 1) * REFINE_N * D};
        for (int i = 0; i < REFINE_N * D; i++)
            n.z[v][i] = z[v][i];
    }
    for (int i = 0; i < D * D; i++) {
        n.a[i] = a[i];
        n.b[i] = b[i];
    }
    for (int v = 0; v < 2; v++)
        CHECK(wgdn_refine_forward(p.a.code[v], &net[v], walk[v], z[v], NULL) == WGDN_OK);
    CHECK(wgdn_agreement_make(&loss, &p.a, NULL) == WGDN_OK);
    CHECK(fabs(loss - naive_network(&n)) < 1e-5 * loss);
    for (int v = 0; v < 2; v++)
        CHECK(wgdn_refine_backward(da, db, &net[v], walk[v], z[v], p.a.gradient[v], work, NULL) ==
              WGDN_OK);
    for (int i = 0; i < D * D; i++)
        largest = fmax(largest, fmax(fabs(da[i]), fabs(db[i])));
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < D * D; i++) {
            double *at = k ? n.b + i : n.a + i, was = *at, h = 1e-6;
            *at = was + h;
            const double above = naive_network(&n);
            *at = was - h;
            const double below = naive_network(&n);
            *at = was;
            CHECK(fabs((above - below) / (2 * h) - (k ? db : da)[i]) < 1e-4 * largest);
        }
    for (int v = 0; v < 2; v++) {
        wgdn_graph_free(walk[v]);
        wgdn_release(z[v]);
    }
    close_pair(&p);
    wgdn_release(work);
    wgdn_release(room);
    wgdn_release(db);
    wgdn_release(da);
    wgdn_release(b);
    wgdn_release(a);
    wgdn_graph_free(g);
}

/* ---- fits ---- */

enum { NODES = 400, REFINE_F = 24 };

/* Four clusters that neighbors and features share. */
static wgdn_dataset *refine_make(bool weighted)
{
    enum { EDGES = 4 * NODES };
    static int64_t source[EDGES], target[EDGES];
    static float weight[EDGES];
    float *x = random_matrix(21, NODES, REFINE_F);
    wgdn_dataset *d = NULL;
    const wgdn_stream s = {.seed = 3, .call = 22};
    for (int64_t i = 0; i < NODES; i++)
        for (int64_t j = 0; j < REFINE_F; j++)
            x[i * REFINE_F + j] = 0.3f * x[i * REFINE_F + j] + (j % 4 == i % 4);
    for (int64_t k = 0; k < EDGES; k++) {
        source[k] = k % NODES;
        target[k] = (source[k] + 4 * (1 + wgdn_random_bits(s, k, 0) % 90)) % NODES;
        weight[k] = 0.5f + (float)(k % 7);
    }
    const wgdn_dataset_arrays a = {.struct_size = sizeof a,
                                   .nodes = NODES,
                                   .edges = EDGES,
                                   .source = source,
                                   .target = target,
                                   .features = REFINE_F,
                                   .dense = x,
                                   .weight = weighted ? weight : NULL};
    CHECK(wgdn_dataset_from_arrays(&d, &a, NULL) == WGDN_OK);
    wgdn_release(x);
    return d;
}

static wgdn_fit_options options_of(int epochs, int threads)
{
    wgdn_fit_options o;
    wgdn_fit_options_init(&o);
    o.dim = 16;
    o.refine = epochs;
    o.threads = threads;
    return o;
}

static wgdn_embedding *vectors(const wgdn_model *m, const wgdn_dataset *d)
{
    wgdn_embedding *e = NULL;
    CHECK(wgdn_model_embed(&e, m, d, NULL, NULL) == WGDN_OK && wgdn_embedding_dim(e) == 16);
    return e;
}

static bool same(const wgdn_embedding *a, const wgdn_embedding *b)
{
    return memcmp(a->vectors.dense, b->vectors.dense, sizeof(float) * NODES * 16) == 0;
}

/* The same bits on any number of threads, with what was filtered kept or not, and from a file; no epochs, nothing added. */
static void whole_fits(void)
{
    static const char path[] = "refine.model";
    for (int weighted = 0; weighted < 2; weighted++) {
        wgdn_dataset *d = refine_make(weighted);
        wgdn_embedding *first = NULL;
        for (int i = 0; i < 4; i++) {
            wgdn_model *m = NULL, *back = NULL;
            wgdn_fit_options o = options_of(12, 1 + i % 3);
            o.keep = i == 3;
            CHECK(wgdn_model_fit(&m, d, &o, NULL) == WGDN_OK);
            wgdn_embedding *e = vectors(m, d), *again;
            CHECK(wgdn_model_save(m, path, NULL) == WGDN_OK);
            CHECK(wgdn_model_load(&back, path, NULL) == WGDN_OK);
            CHECK(back->fitted->options.refine == 12);
            again = vectors(back, d);
            CHECK(same(e, again) && (!first || same(e, first)));
            CHECK(m->fitted->refined.loss[1] < m->fitted->refined.loss[0]);
            for (int64_t k = 0; k < NODES; k++) {
                double square = 0;
                for (int64_t j = 0; j < 16; j++)
                    square += pow(e->vectors.dense[k * 16 + j], 2);
                CHECK(fabs(square - 1) < 1e-5);
            }
            wgdn_embedding_free(again);
            wgdn_model_free(back);
            wgdn_model_free(m);
            if (first)
                wgdn_embedding_free(e);
            else
                first = e;
        }
        wgdn_model *plain = NULL;
        const wgdn_fit_options none = options_of(0, 1);
        CHECK(wgdn_model_fit(&plain, d, &none, NULL) == WGDN_OK && !plain->fitted->refined.in);
        wgdn_embedding *e = vectors(plain, d);
        CHECK(!same(e, first));
        wgdn_embedding_free(e);
        wgdn_model_free(plain);
        wgdn_embedding_free(first);
        wgdn_dataset_free(d);
    }
    CHECK(unlink(path) == 0);
}

static int stop_at(void *user, int64_t done, int64_t total)
{
    int64_t *last = user;
    CHECK(done > *last && done <= total && total == 1 + 1 + 50);
    *last = done;
    return done == 9;
}

static void stops_and_refusals(void)
{
    wgdn_dataset *d = refine_make(false);
    wgdn_model *m = NULL;
    wgdn_error err = {WGDN_OK, ""};
    int64_t last = 0;
    wgdn_fit_options o = options_of(50, 1);
    o.progress = stop_at;
    o.progress_user = &last;
    CHECK(wgdn_model_fit(&m, d, &o, &err) == WGDN_ESTOPPED && last == 9);
    o = options_of(5, 1);
    o.features = WGDN_FIT_FEATURES_STRUCTURE;
    CHECK(wgdn_model_fit(&m, d, &o, &err) == WGDN_EINVAL);
    CHECK(strstr(err.message, "leave out --refine"));
    o = options_of(2, 1);
    CHECK_ALLOCATIONS(wgdn_model_fit(&m, d, &o, NULL), wgdn_model_free(m));
    CHECK(wgdn_model_fit(&m, d, &o, NULL) == WGDN_OK);
    wgdn_embedding *e = NULL;
    CHECK_ALLOCATIONS(wgdn_model_embed(&e, m, d, NULL, NULL), wgdn_embedding_free(e));
    wgdn_model_free(m);
    wgdn_dataset_free(d);
}

static int refine_tests(void)
{
    RUN(a_step);
    RUN(a_view);
    RUN(the_loss);
    RUN(the_gradient);
    RUN(whole_fits);
    RUN(stops_and_refusals);
    return check_result();
}

int main(int argc, char **argv)
{
    static const check_group groups[] = {
        {"shared", shared_tests},
        {"refine", refine_tests},
    };
    return check_groups(groups, sizeof groups / sizeof *groups, argc, argv);
}
