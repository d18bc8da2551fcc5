/* SPDX-License-Identifier: Apache-2.0 */
/* Dense and sparse products, the Laplacian, sums. */
#include "support.h"

#include "linalg/wide_rows.h"

/* ---- dense ---- */

typedef enum { NN, NT, TN } form;

typedef struct product {
    form kind;
    int64_t n, k, m;
    float alpha, beta;
    const float *a, *b, *c, *bias;
    wgdn_precision precision;
    bool transposes; /* NT with room to transpose B in */
} product;

static int64_t out_rows(const product *p)
{
    return p->kind == TN ? p->k : p->n;
}

/* To the nearest number with eight bits, ties to even: what halve and coarsen do by integers. */
static float rounded(float x)
{
    int exponent;
    const float fraction = frexpf(x, &exponent);
    return ldexpf(rintf(fraction * 256) / 256, exponent);
}

/* With factors as they are, or as bf16 rounds them. */
static void dense_naive(double *out, const product *p, bool rounds)
{
    for (int64_t i = 0; i < out_rows(p); i++)
        for (int64_t j = 0; j < p->m; j++) {
            double sum = 0;
            for (int64_t t = 0; t < (p->kind == TN ? p->n : p->k); t++) {
                const float a = p->kind == TN ? p->a[t * p->k + i] : p->a[i * p->k + t];
                const float b = p->kind == NT ? p->b[j * p->k + t] : p->b[t * p->m + j];
                sum += rounds ? (double)rounded(a) * rounded(b) : (double)a * b;
            }
            sum *= p->alpha;
            if (p->beta != 0) sum += (double)p->beta * p->c[i * p->m + j];
            if (p->bias) sum += p->bias[j];
            out[i * p->m + j] = sum;
        }
}

static void run(float *out, void *context)
{
    const product *p = context;
    const bool bf16 = p->precision == WGDN_PRECISION_BF16;
    const wgdn_span n = wgdn_alone(p->n);
    wgdn_product q = wgdn_product_of(out, p->a, p->b, n, p->k, p->m);
    void *work = wgdn_alloc(bf16            ? wgdn_gemm_bf16_work(n, p->k, p->m)
                            : p->kind == NT ? wgdn_gemm_nt_work(p->k, p->m)
                                            : wgdn_gemm_tn_work(n, p->k, p->m),
                            1);
    q.alpha = p->alpha;
    q.beta = p->beta;
    q.bias = p->bias;
    q.precision = p->precision;
    q.work = p->kind == NT && !bf16 && !p->transposes ? NULL : work;
    if (p->beta != 0) memcpy(out, p->c, (size_t)(out_rows(p) * p->m) * sizeof *out);
    CHECK((p->kind == TN   ? wgdn_gemm_tn(&q, NULL)
           : p->kind == NT ? wgdn_gemm_nt(&q, NULL)
                           : wgdn_gemm_nn(&q, NULL)) == WGDN_OK);
    wgdn_release(work);
}

static void check_product(form kind, int64_t n, int64_t k, int64_t m, bool with_extras)
{
    const int64_t brows = kind == NN ? k : kind == NT ? m : n, bcols = kind == NT ? k : m;
    float *a = random_matrix(1, n, k), *b = random_matrix(2, brows, bcols);
    float *c = random_matrix(3, kind == TN ? k : n, m), *bias = random_matrix(4, 1, m);
    product p = {kind, n, k, m, 1, 0, a, b, c, NULL, WGDN_PRECISION_FP32, false};
    double *truth = wgdn_alloc((size_t)(out_rows(&p) * m), sizeof *truth);
    if (with_extras) {
        p.alpha = -0.5f;
        p.beta = 2;
        if (kind != TN) p.bias = bias;
    }
    /* Rounding of a sum of t terms: about sqrt(t) units of 6e-8 against its own size. */
    const int64_t terms = kind == TN ? n : k;
    const double tolerance = 3e-7 * (2 + sqrt((double)terms) / 4);
    dense_naive(truth, &p, false);
    check_levels(run, &p, out_rows(&p) * m, truth, tolerance);
    p.transposes = true;
    if (kind == NT) check_levels(run, &p, out_rows(&p) * m, truth, tolerance);
    /* In bf16 both ways are that near the product of rounded factors ... */
    p.precision = WGDN_PRECISION_BF16;
    dense_naive(truth, &p, true);
    check_levels(run, &p, out_rows(&p) * m, truth, tolerance);
    /* ... and within 2^-8, which no factor is off by, of that of the factors themselves. */
    dense_naive(truth, &p, false);
    if (out_rows(&p) * m > 1000) check_levels(run, &p, out_rows(&p) * m, truth, 0x1p-8);
    wgdn_release(truth);
    wgdn_release(bias);
    wgdn_release(c);
    wgdn_release(b);
    wgdn_release(a);
}

static void dense_shapes(void)
{
    const int64_t sizes[][3] = {{1, 1, 1},     {1, 129, 3},   {2, 1, 128},
                                {17, 5, 1},    {127, 33, 64}, {128, 128, 128},
                                {129, 7, 127}, {513, 64, 65}, {1100, 31, 40}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (int kind = NN; kind <= TN; kind++)
            for (int extras = 0; extras < 2; extras++)
                check_product(kind, sizes[i][0], sizes[i][1], sizes[i][2], extras);
}

/* More leaves than a wave holds, and more floats than a tile. */
static void long_sums(void)
{
    check_product(TN, 40 * 1024 + 5, 3, 5, true);
    check_product(TN, 70, 600, 513, false);
}

/* beta = 0 must not read C, whatever is there. */
static void untouched_output_may_be_nan(void)
{
    const float a[2] = {1, 2}, b[2] = {3, 4};
    float c[1] = {NAN}, work[1 << 16];
    CHECK(wgdn_gemm_tn_work(wgdn_alone(2), 1, 1) <= sizeof work);
    const wgdn_product nt = wgdn_product_of(c, a, b, wgdn_alone(1), 2, 1);
    wgdn_product tn = wgdn_product_of(c, a, b, wgdn_alone(2), 1, 1);
    CHECK(wgdn_gemm_nt(&nt, NULL) == WGDN_OK && c[0] == 11);
    c[0] = NAN;
    tn.work = work;
    CHECK(wgdn_gemm_tn(&tn, NULL) == WGDN_OK && c[0] == 11);
}

/* Of every kind of number; the conversion is the same on every level. */
static void rounding(void)
{
    const float x[] = {0,       -0.0f,         1,       1.00390625f, 1.01171875f,
                       -1.004f, 3.3895314e38f, 3.4e38f, INFINITY,    -INFINITY,
                       1e-40f,  0x1.fffp-127f, 255.5f,  0.1f};
    const float y[] = {0,        -0.0f,    1,         1, 1.015625f, -1.0078125f, 3.3895314e38f,
                       INFINITY, INFINITY, -INFINITY, 0, 0x1p-126f, 256,         0.10009765625f};
    enum { COUNT = sizeof x / sizeof *x };
    for (int level = 0; level <= (int)wgdn_cpu_best(); level++) {
        float back[COUNT], nan = NAN;
        uint16_t half[COUNT], none;
        wgdn_cpu_limit((wgdn_cpu)level);
        wgdn_wide_rows()->coarsen(back, x, COUNT);
        wgdn_wide_rows()->halve(half, x, COUNT);
        for (int i = 0; i < COUNT; i++) {
            uint32_t bits;
            memcpy(&bits, &back[i], sizeof bits);
            CHECK(bits == (uint32_t)half[i] << 16);
            CHECK(back[i] == y[i] || fabsf(x[i]) < 1e-39f);
        }
        wgdn_wide_rows()->halve(&none, &nan, 1);
        CHECK((none & 0x7f80) == 0x7f80 && (none & 0x7f) != 0);
    }
    wgdn_cpu_limit(WGDN_CPU_V4);
}

/* More rows than a leaf of bf16 has, several tiles, and bands that do not divide the height. */
static void long_sums_bf16(void)
{
    check_product(TN, 17 * 4096 + 5, 33, 3, true);
    check_product(TN, 70, 1100, 1025, false);
    check_product(TN, 1240, 65, 33, true);
}

/* Room for n rows serves fewer, also where their leaves are larger than those of n. */
static void room_of_bf16_serves_fewer(void)
{
    enum { K = 20, M = 24, BEHIND = 64 };
    const int64_t rows[][2] = {
        {1025, 1024}, {1025, 512}, {8200, 8192}, {8256, 7700}, {70000, 65536}};
    float c[K * M];
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const int64_t n = rows[i][0];
        const size_t size = wgdn_gemm_bf16_work(wgdn_alone(n), K, M);
        float *a = random_matrix(1, n, K), *b = random_matrix(2, n, M);
        char *work = wgdn_alloc(size + BEHIND, 1);
        wgdn_product p = wgdn_product_of(c, a, b, wgdn_alone(rows[i][1]), K, M);
        memset(work + size, 7, BEHIND);
        p.precision = WGDN_PRECISION_BF16;
        p.work = work;
        CHECK(wgdn_gemm_tn(&p, NULL) == WGDN_OK);
        for (int k = 0; k < BEHIND; k++)
            CHECK(work[size + (size_t)k] == 7);
        wgdn_release(work);
        wgdn_release(b);
        wgdn_release(a);
    }
}

static int dense_tests(void)
{
    printf("engine: %s, bf16 by %s\n", wgdn_engine_name, wgdn_bf16_unit());
    RUN(rounding);
    RUN(dense_shapes);
    RUN(long_sums);
    RUN(long_sums_bf16);
    RUN(room_of_bf16_serves_fewer);
    RUN(untouched_output_may_be_nan);
    return check_result();
}

/* ---- sparse ---- */

typedef struct sparse_case {
    wgdn_csr a, at;
    int64_t d;
    const float *x, *u, *v;
} sparse_case;

static void run_spmm(float *y, void *context)
{
    const sparse_case *c = context;
    wgdn_spmm(y, &c->a, c->x, c->d);
}

static void run_spmm_tn(float *y, void *context)
{
    const sparse_case *c = context;
    void *work = wgdn_alloc(wgdn_spmm_tn_work(wgdn_alone(c->a.rows), c->d), 1);
    wgdn_spmm_tn(y, &c->at, c->u, wgdn_alone(c->at.cols), c->d, work);
    wgdn_release(work);
}

static void run_sddmm(float *out, void *context)
{
    const sparse_case *c = context;
    void *work = wgdn_alloc(wgdn_for_blocks_work(wgdn_alone(c->a.rows), 1), 1);
    wgdn_sddmm(
        &(wgdn_sddmm_product){
            .out = out, .a = &c->a, .rows = wgdn_alone(c->a.rows), .u = c->u, .v = c->v, .d = c->d},
        work);
    wgdn_release(work);
}

/* The values of A in place of what was sampled, so that Y = A V. */
static double values_of(float *out, int64_t from, int64_t to, void *context)
{
    const wgdn_csr *a = context;
    for (int64_t k = from; k < to; k++)
        out[k] = a->value ? a->value[k] : 1;
    return (double)(to - from);
}

static void run_edited(float *y, void *context)
{
    sparse_case *c = context;
    const int64_t entries = wgdn_csr_entries(&c->a);
    void *work = wgdn_alloc(wgdn_for_blocks_work(wgdn_alone(c->a.rows), 1), 1);
    float *out = matrix(entries, 1);
    const wgdn_sddmm_product p = {.out = out,
                                  .y = y,
                                  .a = &c->a,
                                  .rows = wgdn_alone(c->a.rows),
                                  .u = c->u,
                                  .v = c->v,
                                  .d = c->d,
                                  .edit = values_of,
                                  .context = &c->a};
    CHECK(wgdn_sddmm(&p, work) == (double)entries);
    wgdn_release(out);
    wgdn_release(work);
}

/* All three products by their sums, in double. */
static void sparse_naive(double *y, double *yt, double *sampled, const sparse_case *c)
{
    memset(y, 0, (size_t)(c->a.rows * c->d) * sizeof *y);
    memset(yt, 0, (size_t)(c->a.cols * c->d) * sizeof *yt);
    for (int64_t i = 0; i < c->a.rows; i++)
        for (int64_t k = c->a.offset[i]; k < c->a.offset[i + 1]; k++) {
            const int64_t j = c->a.column[k];
            const double w = c->a.value ? c->a.value[k] : 1;
            sampled[k] = 0;
            for (int64_t t = 0; t < c->d; t++) {
                y[i * c->d + t] += w * c->x[j * c->d + t];
                yt[j * c->d + t] += w * c->u[i * c->d + t];
                sampled[k] += (double)c->u[i * c->d + t] * c->v[j * c->d + t];
            }
        }
}

static void sparse_check_case(int64_t rows, int64_t cols, int64_t per_row, int64_t d, bool values)
{
    sparse_case c = {.a = random_csr(rows, cols, per_row, values), .d = d};
    const int64_t entries = wgdn_csr_entries(&c.a);
    float *x = random_matrix(1, cols, d), *u = random_matrix(2, rows, d);
    double *y = wgdn_alloc((size_t)(rows * d), sizeof *y);
    double *yt = wgdn_alloc((size_t)(cols * d), sizeof *yt);
    double *sampled = wgdn_alloc((size_t)entries, sizeof *sampled);
    c.x = c.v = x;
    c.u = u;
    CHECK(wgdn_csr_transpose(&c.at, &c.a, NULL) == WGDN_OK);
    sparse_naive(y, yt, sampled, &c);
    check_levels(run_spmm, &c, rows * d, y, 2e-6);
    check_levels(run_spmm_tn, &c, cols * d, yt, 2e-6);
    check_levels(run_sddmm, &c, entries, sampled, 2e-6);
    check_levels(run_edited, &c, rows * d, y, 2e-6);
    wgdn_release(sampled);
    wgdn_release(yt);
    wgdn_release(y);
    wgdn_release(u);
    wgdn_release(x);
    wgdn_csr_free(&c.at);
    wgdn_csr_free(&c.a);
}

static void widths(void)
{
    const int64_t widths[] = {1, 3, 15, 16, 17, 31, 63, 64, 65, 127, 128, 129, 255, 300};
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++)
        for (int values = 0; values < 2; values++)
            sparse_check_case(61, 43, 6, widths[i], values);
}

static void sparse_shapes(void)
{
    sparse_check_case(1, 1, 1, 5, true);
    sparse_check_case(2, 700, 3, 20, true);
    sparse_check_case(1500, 9, 2, 33, false); /* a long sum over nodes in many blocks */
    sparse_check_case(600, 600, 40, 16, true);
}

static void empty_matrix(void)
{
    int64_t offset[4] = {0};
    int32_t none[1] = {0};
    const wgdn_csr a = {.rows = 3, .cols = 2, .offset = offset, .column = none};
    const float x[2] = {1, 2};
    float y[3] = {7, 7, 7};
    wgdn_spmm(y, &a, x, 1);
    CHECK(y[0] == 0 && y[1] == 0 && y[2] == 0);
}

static int sparse_tests(void)
{
    RUN(widths);
    RUN(sparse_shapes);
    RUN(empty_matrix);
    return check_result();
}

/* ---- laplacian ---- */

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
static void laplacian_run_sums(float *out, void *context)
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

static void laplacian_naive(double *l, double *mean, const lap_case *c)
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

static void laplacian_check_sums(const lap_case *c, const double *mean)
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

static void laplacian_check_case(int64_t n, int64_t degree, int64_t d, wgdn_average m,
                                 bool weighted)
{
    float *x = random_matrix(1, n, d);
    lap_case c = {random_graph(n, degree), d, x, m};
    if (weighted) weigh(c.g);
    double *both = wgdn_alloc((size_t)(2 * n * d), sizeof *both);
    laplacian_naive(both, both + n * d, &c);
    check_levels(run_laplacian, &c, n * d, both, 2e-6);
    check_levels(run_mean, &c, 2 * n * d, both, 2e-6);
    check_levels(laplacian_run_sums, &c,
                 n * d + (int64_t)(sizeof(wgdn_signal_sums) / sizeof(float)), NULL, 0);
    laplacian_check_sums(&c, both + n * d);
    wgdn_release(both);
    wgdn_graph_free(c.g);
    wgdn_release(x);
}

static void against_naive(void)
{
    const int64_t widths[] = {1, 7, 127, 128, 129};
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++)
        for (int m = WGDN_AVERAGE_ROW; m <= WGDN_AVERAGE_COLUMN; m++) {
            laplacian_check_case(1, 0, widths[i], m, false);
            laplacian_check_case(2, 0, widths[i], m, false);
            laplacian_check_case(150, 4, widths[i], m, false);
            laplacian_check_case(1300, 5, widths[i], m, false);
            laplacian_check_case(1, 0, widths[i], m, true);
            laplacian_check_case(150, 4, widths[i], m, true);
            laplacian_check_case(1300, 5, widths[i], m, true);
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

static int laplacian_tests(void)
{
    RUN(against_naive);
    RUN(null_space);
    return check_result();
}

/* ---- reduce ---- */

typedef struct matrix_case {
    int64_t n, d;
    const float *x, *y;
} matrix_case;

enum { SCALARS = 5 };

/* All sums as raw bits, so that check_levels can hold thread counts together. */
static void reduce_run_sums(float *out, void *context)
{
    const matrix_case *c = context;
    void *work = wgdn_alloc(wgdn_reduce_work(wgdn_alone(c->n), c->d), 1);
    double s[SCALARS], *columns = wgdn_alloc((size_t)(2 * c->d), sizeof *columns);
    s[0] = wgdn_reduce(WGDN_REDUCE_SUM, c->x, NULL, wgdn_alone(c->n), c->d, work);
    s[1] = wgdn_sum_squares(c->x, wgdn_alone(c->n), c->d, work);
    s[2] = wgdn_reduce(WGDN_REDUCE_DOT, c->x, c->y, wgdn_alone(c->n), c->d, work);
    wgdn_mean_variance(&s[3], &s[4], c->x, wgdn_alone(c->n), c->d, work);
    wgdn_column_sums(columns, columns + c->d, c->x, wgdn_alone(c->n), c->d, work);
    memcpy(out, s, sizeof s);
    memcpy(out + 2 * SCALARS, columns, (size_t)(2 * c->d) * sizeof *columns);
    wgdn_column_sums(columns, NULL, c->x, wgdn_alone(c->n), c->d, work);
    CHECK(memcmp(out + 2 * SCALARS, columns, (size_t)c->d * sizeof *columns) == 0);
    wgdn_release(columns);
    wgdn_release(work);
}

static void reduce_check_sums(int64_t n, int64_t d)
{
    float *x = random_matrix(1, n, d), *y = random_matrix(2, n, d);
    double out[2 * SCALARS + 1024], sum = 0, squares = 0, dot = 0, spread = 0;
    matrix_case c = {n, d, x, y};
    const double count = (double)n * (double)d;
    for (int64_t i = 0; i < n * d; i++)
        x[i] += 3; /* a mean that a careless variance would trip over */
    for (int64_t i = 0; i < n * d; i++) {
        sum += x[i];
        squares += (double)x[i] * x[i];
        dot += (double)x[i] * y[i];
    }
    for (int64_t i = 0; i < n * d; i++)
        spread += (x[i] - sum / count) * (x[i] - sum / count);
    check_levels(reduce_run_sums, &c, 2 * (SCALARS + 2 * d), NULL, 0);
    reduce_run_sums((float *)out, &c);
    CHECK_NEAR(out[0] / sum, 1, 1e-12);
    CHECK_NEAR(out[1] / squares, 1, 1e-12);
    CHECK_NEAR(out[2], dot, 1e-5 * sqrt(count) + 1e-5);
    CHECK_NEAR(out[3], sum / count, 1e-12);
    CHECK_NEAR(out[4], count > 1 ? spread / (count - 1) : 0, 1e-11);
    for (int64_t j = 0; j < d; j++) {
        double column = 0, column2 = 0;
        for (int64_t i = 0; i < n; i++) {
            column += x[i * d + j];
            column2 += (double)x[i * d + j] * x[i * d + j];
        }
        CHECK_NEAR(out[SCALARS + j] / column, 1, 1e-12);
        CHECK_NEAR(out[SCALARS + d + j] / column2, 1, 1e-12);
    }
    wgdn_release(y);
    wgdn_release(x);
}

static void sums(void)
{
    reduce_check_sums(1, 1);
    reduce_check_sums(1, 129);
    reduce_check_sums(129, 1);
    reduce_check_sums(37, 127);
    reduce_check_sums(5000, 33);
}

static void run_elementwise(float *out, void *context)
{
    const matrix_case *c = context;
    wgdn_copy(out, c->x, c->n, c->d);
    wgdn_scale(out, -2, c->n, c->d);
    wgdn_axpy(out, 0.5f, c->y, c->n, c->d);
    wgdn_add_row(out, 2, c->y, c->n, c->d);
    wgdn_add_normals(out, out, 0.25f, (wgdn_stream){.seed = 9}, wgdn_alone(c->n), c->d);
}

static void elementwise(void)
{
    const int64_t widths[] = {1, 15, 16, 127, 128, 129, 300};
    for (size_t w = 0; w < sizeof widths / sizeof *widths; w++) {
        const int64_t n = 77, d = widths[w];
        float *x = random_matrix(1, n, d), *y = random_matrix(2, n, d), *z = matrix(n, d);
        double *truth = wgdn_alloc((size_t)(n * d), sizeof *truth);
        matrix_case c = {n, d, x, y};
        wgdn_random_normals(z, d, (wgdn_stream){.seed = 9}, 0, n, 0, d);
        for (int64_t i = 0; i < n; i++)
            for (int64_t j = 0; j < d; j++)
                truth[i * d + j] =
                    -2.0 * x[i * d + j] + 0.5 * y[i * d + j] + 2.0 * y[j] + 0.25 * z[i * d + j];
        check_levels(run_elementwise, &c, n * d, truth, 3e-7);
        wgdn_release(truth);
        wgdn_release(z);
        wgdn_release(y);
        wgdn_release(x);
    }
}

static int reduce_tests(void)
{
    RUN(sums);
    RUN(elementwise);
    return check_result();
}

/* ---- tree ---- */

/* The tree by its definition: left half plus right half of the next power of two. */
static double by_definition(const double *x, int64_t from, int64_t span, int64_t count)
{
    if (from >= count) return 0;
    if (span == 1) return x[from];
    return by_definition(x, from, span / 2, count) +
           by_definition(x, from + span / 2, span / 2, count);
}

static int64_t power_of_two(int64_t count)
{
    int64_t span = 1;
    while (span < count)
        span *= 2;
    return span;
}

/* Magnitudes from 1e-8 to 1e8: any other order of adding gives other bits. */
static void fill(double *x, int64_t count)
{
    float z[2];
    for (int64_t i = 0; i < count; i++) {
        wgdn_random_normals(z, 2, (wgdn_stream){.seed = 3}, i, 1, 0, 2);
        x[i] = z[0] * exp(6 * z[1]);
    }
}

static void sums_follow_the_definition(void)
{
    double x[200], store[200];
    for (int64_t count = 1; count <= 200; count++) {
        fill(x, count);
        const double expected = by_definition(x, 0, power_of_two(count), count);
        CHECK(wgdn_tree_sum(x, count) == expected);
        memcpy(store, x, sizeof x);
        wgdn_tree_fold(store, count, 1, 1);
        CHECK(store[0] == expected);
    }
    CHECK(wgdn_tree_sum(x, 0) == 0);
}

/* Leaves that are missing count as zeros, and the stack stays within its levels. */
static void gaps(void)
{
    enum { COUNT = 100 };
    double x[COUNT], store[64];
    for (uint32_t round = 0; round < 200; round++) {
        const wgdn_stream s = {.seed = 5, .epoch = round};
        wgdn_tree t;
        bool any = false;
        fill(x, COUNT);
        wgdn_tree_begin(&t, store, 1);
        for (int64_t i = 0; i < COUNT; i++) {
            if (wgdn_random_bits(s, i, 0) % 100 < round / 2) {
                *wgdn_tree_push(&t, i) = x[i];
                any = true;
            } else {
                x[i] = 0;
            }
            CHECK(t.held <= wgdn_tree_levels(COUNT));
        }
        const double *sum = wgdn_tree_end(&t);
        CHECK(any ? *sum == by_definition(x, 0, 128, COUNT) : sum == NULL);
    }
}

static void blocks_cover_the_rows(void)
{
    const int64_t sizes[] = {1, 15, 16, 17, 511, 512, 513, 13752, 169343, 10000000};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        const int64_t n = sizes[i], rows = wgdn_block_rows(n), count = wgdn_block_count(n);
        CHECK(rows % 16 == 0 && rows * count >= n && rows * (count - 1) < n);
    }
}

/* Each block marks its rows once and adds them up; the sums follow the tree over blocks. */
static void mark(int64_t first, int64_t count, double *sums, void *context)
{
    float *seen = context;
    for (int64_t i = first; i < first + count; i++) {
        seen[i] += 1;
        sums[0] += 1.0 / (double)(i + 1);
        sums[1] += (double)i;
    }
}

static void run_blocks(float *out, void *context)
{
    const int64_t n = *(const int64_t *)context;
    void *work = wgdn_alloc(wgdn_for_blocks_work(wgdn_alone(n), 2), 1);
    double sums[2];
    memset(out, 0, (size_t)n * sizeof *out);
    wgdn_for_blocks(wgdn_alone(n), mark, out, sums, 2, work);
    for (int64_t i = 0; i < n; i++)
        CHECK(out[i] == 1);
    CHECK(sums[1] == (double)n * (double)(n - 1) / 2);
    memcpy(out, sums, sizeof sums);
    wgdn_release(work);
}

static void for_blocks(void)
{
    int64_t sizes[] = {4, 17, 1000, 40000};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        check_levels(run_blocks, &sizes[i], sizes[i], NULL, 0);
}

static int tree_tests(void)
{
    RUN(sums_follow_the_definition);
    RUN(gaps);
    RUN(blocks_cover_the_rows);
    RUN(for_blocks);
    return check_result();
}

int main(int argc, char **argv)
{
    static const check_group groups[] = {
        {"dense", dense_tests},   {"sparse", sparse_tests}, {"laplacian", laplacian_tests},
        {"reduce", reduce_tests}, {"tree", tree_tests},
    };
    return check_groups(groups, sizeof groups / sizeof *groups, argc, argv);
}
