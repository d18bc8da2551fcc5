/* SPDX-License-Identifier: Apache-2.0 */
#define _DEFAULT_SOURCE
/* Features that neighbours share: the map and whole vectors against naive ones in double. */
#include "check.h"
#include "dataset/embedding.h"
#include "fit/shared.h"
#include "model/model.h"
#include "support.h"

enum { N = 200, F = 40, EDGES = 5 * N };

static const double ridge = 0.5, power = 0.5; /* as in shared_map.c */

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
static double *naive_map(const double *c, const double *n, int k)
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
    double *truth = naive_map(c, n, K), worst = 0;
    wgdn_shared_map(m, c, n, K, work);
    for (int i = 0; i < K * K; i++)
        worst = fmax(worst, fabs(m[i] - truth[i]));
    CHECK(worst < 1e-10);
    wgdn_release(truth);
    wgdn_release(work);
}

/* ---- whole vectors ---- */

typedef struct example {
    int64_t source[EDGES], target[EDGES];
    float x[N * F];
} example;

/* Four clusters; node 7 has no features and no neighbours. */
static wgdn_dataset *make(example *e)
{
    const wgdn_stream s = {.seed = 5, .call = 1};
    wgdn_dataset *d = NULL;
    int64_t edges = 0;
    for (int64_t i = 0; i < N; i++) {
        wgdn_random_normals(e->x + i * F, F, s, i, 1, 0, F);
        for (int64_t j = 0; j < 10; j++)
            e->x[i * F + 10 * (i % 4) + j] += 1.5F;
        if (i == 7) memset(e->x + i * F, 0, F * sizeof *e->x);
        for (int k = 0; k < 4; k++) {
            const int64_t j = (int64_t)(wgdn_random_bits(s, i, 100 + k) % N) / 4 * 4 + i % 4;
            if (i == 7 || j == 7 || i == j) continue;
            e->source[edges] = i;
            e->target[edges++] = j;
        }
    }
    const wgdn_dataset_arrays a = {.struct_size = sizeof a,
                                   .nodes = N,
                                   .edges = edges,
                                   .source = e->source,
                                   .target = e->target,
                                   .features = F,
                                   .dense = e->x};
    CHECK(wgdn_dataset_from_arrays(&d, &a, NULL) == WGDN_OK);
    return d;
}

/* to = S from */
static void neighbours(double *to, const double *from, const wgdn_csr *a)
{
    for (int64_t i = 0; i < N; i++)
        for (int64_t j = 0; j < F; j++) {
            double sum = 0;
            for (int64_t e = a->offset[i]; e < a->offset[i + 1]; e++) {
                const int64_t o = a->column[e];
                sum += from[o * F + j] / sqrt((double)(a->offset[i + 1] - a->offset[i]) *
                                              (double)(a->offset[o + 1] - a->offset[o]));
            }
            to[i * F + j] = sum;
        }
}

/* Rows of length 1, less the mean of those that are not 0. */
static void unit_and_centre(double *y)
{
    double mean[F] = {0}, count = 0;
    bool zero[N];
    for (int64_t i = 0; i < N; i++) {
        double sum = 0;
        for (int64_t j = 0; j < F; j++)
            sum += y[i * F + j] * y[i * F + j];
        zero[i] = sum == 0;
        count += !zero[i];
        for (int64_t j = 0; j < F && !zero[i]; j++)
            mean[j] += y[i * F + j] /= sqrt(sum);
    }
    for (int64_t i = 0; i < N; i++)
        for (int64_t j = 0; j < F && !zero[i]; j++)
            y[i * F + j] -= mean[j] / count;
}

/* Rows before the rotation to principal axes, which changes no cosine. */
static double *naive_vectors(const wgdn_dataset *d, const float *x, double t)
{
    const wgdn_csr *a = &wgdn_dataset_get_graph(d)->adjacency;
    const size_t all = (size_t)N * F;
    double *y = wgdn_alloc(all, 8), *h = wgdn_alloc(all, 8), *p = wgdn_alloc(all, 8);
    double *s = wgdn_alloc(all, 8), *c = square(F), *n = square(F), *z = wgdn_alloc_zero(all, 8);
    for (size_t i = 0; i < all; i++)
        y[i] = x[i];
    for (int64_t i = 0; i < N; i++) {
        double sum = 0;
        for (int64_t j = 0; j < F; j++)
            sum += y[i * F + j] * y[i * F + j];
        for (int64_t j = 0; j < F && sum > 0; j++)
            y[i * F + j] /= sqrt(sum);
    }
    memcpy(h, y, all * 8);
    memcpy(p, y, all * 8);
    for (int k = 1; k < 60; k++) { /* exp(-t L) */
        neighbours(s, p, a);
        for (size_t i = 0; i < all; i++) {
            p[i] = -t / k * (p[i] - s[i]);
            h[i] += p[i];
        }
    }
    unit_and_centre(y);
    unit_and_centre(h);
    neighbours(s, y, a);
    for (int64_t i = 0; i < F; i++)
        for (int64_t j = 0; j < F; j++)
            for (int64_t r = 0; r < N; r++) {
                c[i * F + j] += y[r * F + i] * y[r * F + j] / N;
                n[i * F + j] +=
                    (y[r * F + i] * s[r * F + j] + s[r * F + i] * y[r * F + j]) / (2 * N);
            }
    double *m = naive_map(c, n, F);
    for (int64_t r = 0; r < N; r++)
        for (int64_t i = 0; i < F; i++)
            for (int64_t j = 0; j < F; j++)
                z[r * F + j] += h[r * F + i] * m[i * F + j];
    wgdn_release(m);
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
    for (int64_t j = 0; j < F; j++)
        sum += x[j] * y[j];
    return sum;
}

static void the_vectors(void)
{
    example *e = wgdn_alloc_zero(1, sizeof *e);
    wgdn_dataset *d = make(e);
    wgdn_model *m = NULL;
    wgdn_embedding *v = NULL;
    CHECK(wgdn_model_fit(&m, d, NULL, NULL) == WGDN_OK);
    CHECK(wgdn_model_embed(&v, m, d, NULL, NULL) == WGDN_OK);
    CHECK(m->fitted->parts == 1 && m->fitted->part[0].kind == WGDN_PART_SHARED);
    const int64_t dim = wgdn_embedding_dim(v); /* the map takes some directions to 0 */
    CHECK(dim > 0 && dim <= F && m->fitted->part[0].own == 0);
    double *truth = naive_vectors(d, e->x, m->fitted->part[0].scale), worst = 0;
    for (int64_t i = 0; i < N; i++)
        for (int64_t j = 0; j < N; j++) {
            const double *x = truth + i * F, *y = truth + j * F, xy = sqrt(dot(x, x) * dot(y, y));
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

int main(void)
{
    RUN(the_map);
    RUN(the_vectors);
    return check_result();
}
