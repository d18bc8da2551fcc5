/* SPDX-License-Identifier: Apache-2.0 */
/* Maps of vectors: principal axes, and t-SNE with its tree, its gradient and its promises. */
#include "eval/projection.h"
#include "support.h"
#include "vectors.h"

static wgdn_error err;

/* `clusters` clouds of `size` points each, in turn, as far apart as `apart` deviations. */
static float *clouds(int64_t clusters, int64_t size, int64_t width, float apart)
{
    const int64_t n = clusters * size;
    float *x = random_matrix(1, n, width), *center = random_matrix(2, clusters, width);
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < width; j++)
            x[i * width + j] += apart * center[i % clusters * width + j];
    wgdn_release(center);
    return x;
}

static wgdn_tsne problem(int64_t n, int64_t width, double theta, double spread)
{
    float *x = clouds(3, n / 3, width, 4), *y = random_matrix(9, n, 2);
    wgdn_csr p = {0};
    wgdn_tsne t = {0};
    CHECK(wgdn_affinities(&p, x, n, width, 5, &err) == WGDN_OK);
    CHECK(wgdn_tsne_open(&t, &p, theta, &err) == WGDN_OK);
    for (int64_t i = 0; i < 2 * n; i++)
        t.y[i] = spread * y[i];
    wgdn_release(y);
    wgdn_release(x);
    return t;
}

static void affinities_are_a_distribution(void)
{
    wgdn_tsne t = problem(60, 7, 0, 1);
    double sum = 0;
    for (int64_t i = 0; i < t.n; i++)
        for (int64_t k = t.p.offset[i]; k < t.p.offset[i + 1]; k++) {
            const int32_t j = t.p.column[k];
            double back = -1;
            for (int64_t l = t.p.offset[j]; l < t.p.offset[j + 1]; l++)
                if (t.p.column[l] == i) back = t.p.value[l];
            CHECK(j != i && t.p.value[k] > 0);
            CHECK(back == t.p.value[k]);
            CHECK(k == t.p.offset[i] || t.p.column[k - 1] < j);
            sum += t.p.value[k];
        }
    CHECK_NEAR(sum, 1, 1e-5); /* 1000 floats near 1/1000, rounded once or twice */
    wgdn_tsne_close(&t);
}

/* Points on a line at 0, 1, 2, ...: the two nearest are told from the rest by the perplexity. */
static void perplexity_is_met(void)
{
    enum { N = 200 };
    float x[N];
    wgdn_csr p = {0};
    for (int i = 0; i < N; i++)
        x[i] = (float)i;
    CHECK(wgdn_affinities(&p, x, N, 1, 10, &err) == WGDN_OK);
    const int64_t i = N / 2; /* far from the ends, P's row is its own weights over n */
    double entropy = 0;
    for (int64_t k = p.offset[i]; k < p.offset[i + 1]; k++)
        entropy -= N * (double)p.value[k] * log(N * (double)p.value[k]);
    CHECK_NEAR(exp(entropy), 10, 0.01);
    wgdn_csr_free(&p);
}

/* dKL/dy by two loops over all pairs; the attraction is summed over the entries of P. */
static void tree_without_angle_is_exact(void)
{
    wgdn_tsne t = problem(150, 5, 0, 3);
    double z = 0;
    wgdn_tsne_gradient(&t);
    for (int64_t i = 0; i < t.n; i++)
        for (int64_t j = 0; j < t.n; j++) {
            const double dx = t.y[2 * i] - t.y[2 * j], dy = t.y[2 * i + 1] - t.y[2 * j + 1];
            if (j != i) z += 1 / (1 + dx * dx + dy * dy);
        }
    CHECK_NEAR(t.z, z, 1e-11 * z);
    for (int64_t i = 0; i < t.n; i++) {
        double force[2] = {0, 0};
        for (int64_t j = 0; j < t.n; j++) {
            const double d[2] = {t.y[2 * i] - t.y[2 * j], t.y[2 * i + 1] - t.y[2 * j + 1]};
            const double q = 1 / (1 + d[0] * d[0] + d[1] * d[1]);
            double p = 0;
            for (int64_t k = t.p.offset[i]; k < t.p.offset[i + 1]; k++)
                if (t.p.column[k] == j) p = t.p.value[k];
            for (int c = 0; c < 2; c++)
                force[c] += 4 * (p - (j != i ? q / z : 0)) * q * d[c];
        }
        for (int c = 0; c < 2; c++)
            CHECK_NEAR(t.gradient[2 * i + c], force[c], 1e-12);
    }
    wgdn_tsne_close(&t);
}

/* A cell is off by the third power of theta or so; what matters is the force on the whole. */
static void tree_with_angle_is_near(void)
{
    wgdn_tsne exact = problem(600, 5, 0, 8), near = problem(600, 5, 0.5, 8);
    double apart = 0, size = 0;
    wgdn_tsne_gradient(&exact);
    wgdn_tsne_gradient(&near);
    for (int64_t i = 0; i < 2 * exact.n; i++) {
        apart += pow(exact.gradient[i] - near.gradient[i], 2);
        size += pow(exact.gradient[i], 2);
    }
    CHECK(apart > 0 && sqrt(apart / size) < 0.02);
    CHECK_NEAR(near.z / exact.z, 1, 0.01);
    wgdn_tsne_close(&near);
    wgdn_tsne_close(&exact);
}

/* Points that coincide, all or in part, still make a tree. */
static void tree_of_equal_points(void)
{
    wgdn_tsne t = problem(99, 5, 0, 0);
    const int64_t n = t.n;
    wgdn_tsne_gradient(&t);
    CHECK_NEAR(t.z, (double)(n * (n - 1)), 1e-9);
    for (int64_t i = 0; i < 2 * n; i++)
        CHECK(t.gradient[i] == 0);
    t.y[0] = 1e-300;
    t.y[2] = 5; /* one point, 5 away from all others */
    wgdn_tsne_gradient(&t);
    CHECK(t.tree.cells < 2 * n);
    CHECK_NEAR(t.z, (double)((n - 1) * (n - 2)) + 2 * (double)(n - 1) / 26, 1e-9);
    wgdn_tsne_close(&t);
}

static double kl_at(wgdn_tsne *t)
{
    wgdn_tsne_gradient(t);
    return wgdn_tsne_kl(t);
}

static void gradient_is_the_slope(void)
{
    const double h = 1e-5; /* the error of a central difference is h^2, of rounding 1e-16 / h */
    wgdn_tsne t = problem(30, 5, 0, 1);
    double gradient[60];
    wgdn_tsne_gradient(&t);
    memcpy(gradient, t.gradient, sizeof gradient);
    for (int i = 0; i < 60; i++) {
        const double y = t.y[i];
        t.y[i] = y + h;
        const double up = kl_at(&t);
        t.y[i] = y - h;
        const double down = kl_at(&t);
        t.y[i] = y;
        CHECK_NEAR(gradient[i], (up - down) / (2 * h), 1e-7); /* P sums to 1 within 1e-7 or so */
    }
    wgdn_tsne_close(&t);
}

static void kl_falls(void)
{
    wgdn_tsne t = problem(300, 8, 0.5, 1e-3);
    wgdn_projection_options o;
    wgdn_projection_options_init(&o);
    const double first = kl_at(&t);
    double last = first;
    for (int round = 0; round < 3; round++) {
        o.steps = 100 << round;
        CHECK(wgdn_tsne_run(&t, &o, &err) == WGDN_OK);
        const double kl = wgdn_tsne_kl(&t);
        CHECK(kl < last && kl > 0);
        last = kl;
    }
    CHECK(last < first / 2);
    wgdn_tsne_close(&t);
}

/* Share of points whose nearest in the map is of their own cloud. */
static double agreement(const float *y, int64_t n, int64_t clusters)
{
    int64_t right = 0;
    for (int64_t i = 0; i < n; i++) {
        int64_t nearest = -1;
        double least = INFINITY;
        for (int64_t j = 0; j < n; j++) {
            const double d = pow(y[2 * i] - y[2 * j], 2) + pow(y[2 * i + 1] - y[2 * j + 1], 2);
            if (j != i && d < least) least = d, nearest = j;
        }
        right += nearest % clusters == i % clusters;
    }
    return (double)right / (double)n;
}

static void clouds_stay_apart(void)
{
    enum { CLOUDS = 12, SIZE = 40, N = CLOUDS * SIZE, WIDTH = 80 };
    float *x = clouds(CLOUDS, SIZE, WIDTH, 1), y[2 * N];
    wgdn_projection_result r = {.struct_size = sizeof r};
    wgdn_projection_options o;
    wgdn_projection_options_init(&o);
    CHECK(project_array(y, &r, x, N, WIDTH, &o, &err) == WGDN_OK);
    CHECK(agreement(y, N, CLOUDS) > 0.99);
    CHECK(r.kl > 0 && r.kl < 1);
    o.projection = WGDN_PROJECTION_PCA;
    CHECK(project_array(y, &r, x, N, WIDTH, &o, &err) == WGDN_OK);
    CHECK(r.kl == 0);
    CHECK(agreement(y, N, CLOUDS) < 0.9); /* twelve clouds do not fit two components */
    wgdn_release(x);
}

/* Data with deviations 8, 4, 1, 1, ...: the components are the first two columns, up to sign. */
static void components_are_found(void)
{
    enum { N = 2000, WIDTH = 60 };
    float *x = random_matrix(3, N, WIDTH), y[2 * N];
    wgdn_projection_result r = {.struct_size = sizeof r};
    wgdn_projection_options o;
    wgdn_projection_options_init(&o);
    o.projection = WGDN_PROJECTION_PCA;
    o.metric = WGDN_SIMILARITY_DOT;
    for (int64_t i = 0; i < N; i++) {
        x[i * WIDTH] = 100 + 8 * x[i * WIDTH];
        x[i * WIDTH + 1] *= 4;
    }
    CHECK(project_array(y, &r, x, N, WIDTH, &o, &err) == WGDN_OK);
    double dot[2] = {0}, xx[2] = {0}, yy[2] = {0}, cross = 0;
    for (int64_t i = 0; i < N; i++) {
        for (int j = 0; j < 2; j++) {
            const double a = x[i * WIDTH + j] - (j == 0 ? 100 : 0), b = y[2 * i + j];
            dot[j] += a * b;
            xx[j] += a * a;
            yy[j] += b * b;
        }
        cross += y[2 * i] * y[2 * i + 1];
    }
    for (int j = 0; j < 2; j++)
        CHECK(fabs(dot[j]) / sqrt(xx[j] * yy[j]) > 0.99); /* sampling turns them by n^-1/2 */
    CHECK_NEAR(cross / sqrt(yy[0] * yy[1]), 0, 1e-5);
    CHECK_NEAR(r.share[0], 64.0 / 138, 0.03); /* 64 + 16 + 58 */
    CHECK_NEAR(r.share[1], 16.0 / 138, 0.02);
    wgdn_release(x);
}

/* Lengths do not matter unless one says so. */
static void cosine_sees_no_lengths(void)
{
    enum { N = 60, WIDTH = 6 };
    float *x = clouds(3, 20, WIDTH, 3), y[2 * N], z[2 * N];
    wgdn_projection_options o;
    wgdn_projection_options_init(&o);
    o.projection = WGDN_PROJECTION_PCA;
    CHECK(project_array(y, NULL, x, N, WIDTH, &o, &err) == WGDN_OK);
    for (int64_t i = 0; i < N * WIDTH; i++)
        x[i] *= (float)(1 << i / WIDTH % 5); /* powers of two: no rounding */
    CHECK(project_array(z, NULL, x, N, WIDTH, &o, &err) == WGDN_OK);
    CHECK(memcmp(y, z, sizeof y) == 0);
    o.metric = WGDN_SIMILARITY_DOT;
    CHECK(project_array(z, NULL, x, N, WIDTH, &o, &err) == WGDN_OK);
    CHECK(memcmp(y, z, sizeof y) != 0);
    wgdn_release(x);
}

static void same_bits_for_any_threads(void)
{
    enum { N = 700, WIDTH = 60 };
    float *x = clouds(7, 100, WIDTH, 1), y[2 * N], z[2 * N];
    wgdn_projection_options o;
    wgdn_projection_options_init(&o);
    o.steps = 40;
    o.threads = 1;
    CHECK(project_array(y, NULL, x, N, WIDTH, &o, &err) == WGDN_OK);
    for (int threads = 2; threads <= 4; threads++) {
        o.threads = threads;
        CHECK(project_array(z, NULL, x, N, WIDTH, &o, &err) == WGDN_OK);
        CHECK(memcmp(y, z, sizeof y) == 0);
    }
    o.seed = 2;
    CHECK(project_array(z, NULL, x, N, WIDTH, &o, &err) == WGDN_OK);
    CHECK(memcmp(y, z, sizeof y) != 0);
    wgdn_release(x);
}

/* One vector, two, equal ones, a single column: nothing to see, but an answer. */
static void little_data(void)
{
    float x[64] = {0}, y[2 * 64];
    wgdn_projection_options o;
    wgdn_projection_options_init(&o);
    o.steps = 60;
    for (int64_t n = 1; n <= 8; n++)
        for (int64_t width = 1; width <= 8; width++)
            for (int equal = 0; equal < 2; equal++) {
                for (int64_t i = 0; i < n * width; i++)
                    x[i] = equal ? 1 : (float)(i * i % 7);
                CHECK(project_array(y, NULL, x, n, width, &o, &err) == WGDN_OK);
                for (int64_t i = 0; i < 2 * n; i++)
                    CHECK(isfinite(y[i]));
            }
}

static int stop_at(void *user, int64_t done, int64_t total)
{
    CHECK(total == 30 && done <= 5);
    *(int64_t *)user = done;
    return done == 5;
}

static void refusals(void)
{
    float x[40], y[20];
    int64_t seen = 0;
    wgdn_projection_options o;
    for (int i = 0; i < 40; i++)
        x[i] = (float)(i % 11);
    wgdn_projection_options_init(&o);
    o.steps = 30;
    o.progress = stop_at;
    o.progress_user = &seen;
    CHECK(project_array(y, NULL, x, 10, 4, &o, &err) == WGDN_ESTOPPED);
    CHECK(seen == 5 && strstr(err.message, "step 5 of 30"));
    o.perplexity = 1;
    CHECK(project_array(y, NULL, x, 10, 4, &o, &err) == WGDN_EINVAL);
    CHECK(project_array(y, NULL, x, 0, 4, NULL, &err) == WGDN_EINVAL);
    x[7] = NAN;
    CHECK(project_array(y, NULL, x, 10, 4, NULL, &err) == WGDN_EINVAL);
    CHECK(wgdn_options_set(WGDN_OPTIONS_KIND_PROJECTION, &o, "projection", "umap", &err) ==
          WGDN_EINVAL);
    CHECK(strstr(err.message, "tsne or pca"));
}

static void allocations(void)
{
    float x[40], y[20];
    wgdn_projection_options o;
    for (int i = 0; i < 40; i++)
        x[i] = (float)(i * 7 % 11);
    wgdn_projection_options_init(&o);
    o.steps = 4;
    CHECK_ALLOCATIONS(project_array(y, NULL, x, 10, 4, &o, &err), (void)0);
}

int main(void)
{
    RUN(affinities_are_a_distribution);
    RUN(perplexity_is_met);
    RUN(tree_without_angle_is_exact);
    RUN(tree_with_angle_is_near);
    RUN(tree_of_equal_points);
    RUN(gradient_is_the_slope);
    RUN(kl_falls);
    RUN(components_are_found);
    RUN(clouds_stay_apart);
    RUN(cosine_sees_no_lengths);
    RUN(same_bits_for_any_threads);
    RUN(little_data);
    RUN(refusals);
    RUN(allocations);
    return check_result();
}
