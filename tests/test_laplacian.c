/* SPDX-License-Identifier: Apache-2.0 */
#include "support.h"

typedef struct lap_case {
    wgdn_graph *g;
    int64_t d;
    const float *x;
    wgdn_average m;
} lap_case;

static void run_laplacian(float *y, void *context)
{
    const lap_case *c = context;
    wgdn_laplacian(y, c->g, c->x, c->d);
}

/* L x in the first half of out, M x in the second. */
static void run_mean(float *out, void *context)
{
    const lap_case *c = context;
    wgdn_laplacian_mean(out, out + wgdn_graph_nodes(c->g) * c->d, c->g, c->x, c->d, c->m);
}

/* L x by way of (L - 1) x, and the three sums as raw bits behind it. */
static void run_sums(float *out, void *context)
{
    const lap_case *c = context;
    const int64_t n = wgdn_graph_nodes(c->g);
    void *work = wgdn_alloc(wgdn_laplacian_sums_work(wgdn_alone(n), c->d), 1);
    wgdn_signal_sums sums, alone;
    wgdn_laplacian_sums(&sums, out, c->g, c->x, c->d, c->m, work);
    wgdn_laplacian_sums(&alone, NULL, c->g, c->x, c->d, c->m, work);
    CHECK(memcmp(&sums, &alone, sizeof sums) == 0);
    wgdn_axpy(out, 1, c->x, n, c->d);
    memcpy(out + n * c->d, &sums, sizeof sums);
    wgdn_release(work);
}

static void naive(double *l, double *mean, const lap_case *c)
{
    const wgdn_csr *a = &c->g->adjacency;
    double *degree = wgdn_alloc_zero((size_t)a->rows, sizeof *degree);
    for (int64_t i = 0; i < a->rows; i++)
        for (int64_t k = a->offset[i]; k < a->offset[i + 1]; k++)
            degree[i] += a->value ? a->value[k] : 1;
    for (int64_t i = 0; i < a->rows; i++)
        for (int64_t t = 0; t < c->d; t++) {
            const double di = degree[i];
            double lsum = 0, msum = 0;
            for (int64_t k = a->offset[i]; k < a->offset[i + 1]; k++) {
                const int64_t j = a->column[k];
                const double dj = degree[j], w = a->value ? a->value[k] : 1;
                const double xj = w * c->x[j * c->d + t];
                lsum += xj / sqrt(di * dj);
                msum += xj / (c->m == WGDN_AVERAGE_ROW ? di : dj);
            }
            l[i * c->d + t] = c->x[i * c->d + t] - lsum;
            mean[i * c->d + t] = msum;
        }
    wgdn_release(degree);
}

static void check_sums(const lap_case *c, const double *mean)
{
    const int64_t n = wgdn_graph_nodes(c->g);
    void *work = wgdn_alloc(wgdn_laplacian_sums_work(wgdn_alone(n), c->d), 1);
    double squares = 0, noise = 0, means = 0;
    wgdn_signal_sums s;
    for (int64_t t = 0; t < c->d; t++) {
        double column = 0;
        for (int64_t i = 0; i < n; i++) {
            const double x = c->x[i * c->d + t], e = x - mean[i * c->d + t];
            column += x;
            squares += x * x;
            noise += e * e;
        }
        means += column * column / (double)n;
    }
    wgdn_laplacian_sums(&s, NULL, c->g, c->x, c->d, c->m, work);
    CHECK_NEAR(s.squares / squares, 1, 1e-12);
    CHECK_NEAR(s.means / means, 1, 1e-10);
    CHECK_NEAR(s.noise / noise, 1, 2e-6); /* M x is float */
    wgdn_release(work);
}

static void check_case(int64_t n, int64_t degree, int64_t d, wgdn_average m, bool weighted)
{
    float *x = random_matrix(1, n, d);
    lap_case c = {random_graph(n, degree), d, x, m};
    if (weighted) weigh(c.g);
    double *both = wgdn_alloc((size_t)(2 * n * d), sizeof *both);
    naive(both, both + n * d, &c);
    check_levels(run_laplacian, &c, n * d, both, 2e-6);
    check_levels(run_mean, &c, 2 * n * d, both, 2e-6);
    check_levels(run_sums, &c, n * d + (int64_t)(sizeof(wgdn_signal_sums) / sizeof(float)), NULL,
                 0);
    check_sums(&c, both + n * d);
    wgdn_release(both);
    wgdn_graph_free(c.g);
    wgdn_release(x);
}

static void against_naive(void)
{
    const int64_t widths[] = {1, 7, 127, 128, 129};
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++)
        for (int m = WGDN_AVERAGE_ROW; m <= WGDN_AVERAGE_COLUMN; m++) {
            check_case(1, 0, widths[i], m, false);
            check_case(2, 0, widths[i], m, false);
            check_case(150, 4, widths[i], m, false);
            check_case(1300, 5, widths[i], m, false);
            check_case(1, 0, widths[i], m, true);
            check_case(150, 4, widths[i], m, true);
            check_case(1300, 5, widths[i], m, true);
        }
}

/* L D^1/2 1 = 0 on a connected graph, and L x = x where there are no edges at all. */
static void null_space(void)
{
    enum { N = 64 };
    int64_t src[N], dst[N];
    float x[N], y[N];
    wgdn_graph *ring = NULL, *empty = NULL;
    for (int i = 0; i < N; i++) {
        src[i] = i;
        dst[i] = (i + 1) % N;
        x[i] = 1;
    }
    CHECK(wgdn_graph_from_edges(&ring, N, N, src, dst, NULL) == WGDN_OK);
    wgdn_laplacian(y, ring, x, 1);
    for (int i = 0; i < N; i++)
        CHECK_NEAR(y[i], 0, 1e-6);
    CHECK(wgdn_graph_from_edges(&empty, N, 0, NULL, NULL, NULL) == WGDN_OK);
    wgdn_laplacian(y, empty, x, 1);
    CHECK(memcmp(x, y, sizeof x) == 0);
    wgdn_graph_free(empty);
    wgdn_graph_free(ring);
}

int main(void)
{
    RUN(against_naive);
    RUN(null_space);
    return check_result();
}
