/* SPDX-License-Identifier: Apache-2.0 */
#include "support.h"

/* ---- small symmetric matrices ---- */

static double *symmetric(int64_t n, double scale)
{
    float *x = random_matrix(3, n, n);
    double *a = wgdn_alloc((size_t)(n * n), sizeof *a);
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++)
            a[i * n + j] = scale * ((double)x[i * n + j] + x[j * n + i]);
    wgdn_release(x);
    return a;
}

static double inner(const double *x, const double *y, int64_t n)
{
    double sum = 0;
    for (int64_t i = 0; i < n; i++)
        sum += x[i] * y[i];
    return sum;
}

/* |A v - w v| of the worst pair, and how far the vectors are from orthonormal. */
static void check_eigen(const double *a, int64_t n, double size)
{
    double *v = wgdn_alloc((size_t)(n * n), sizeof *v), *w = wgdn_alloc((size_t)n, sizeof *w);
    void *work = wgdn_alloc(wgdn_symmetric_work(n), 1);
    double worst = 0, skew = 0;
    memcpy(v, a, (size_t)(n * n) * sizeof *v);
    wgdn_symmetric_eigen(w, v, n, work);
    for (int64_t k = 0; k < n; k++) {
        CHECK(k == 0 || w[k] <= w[k - 1]);
        for (int64_t i = 0; i < n; i++)
            worst = fmax(worst, fabs(inner(a + i * n, v + k * n, n) - w[k] * v[k * n + i]));
        for (int64_t j = 0; j <= k; j++)
            skew = fmax(skew, fabs(inner(v + j * n, v + k * n, n) - (j == k)));
    }
    CHECK(worst <= 1e-13 * (double)n * size);
    CHECK(skew <= 1e-13 * (double)(n + 8));
    wgdn_release(work);
    wgdn_release(w);
    wgdn_release(v);
}

static void test_eigen(void)
{
    static const int64_t sizes[] = {1, 2, 3, 7, 64, 150};
    for (int s = 0; s < 6; s++) {
        const int64_t n = sizes[s];
        double *a = symmetric(n, 1);
        check_eigen(a, n, 30);
        for (int64_t i = 0; i < n * n; i++) /* rank one, then nothing: all the rest is 0 */
            a[i] = 1;
        check_eigen(a, n, (double)n);
        memset(a, 0, (size_t)(n * n) * sizeof *a);
        check_eigen(a, n, 1);
        for (int64_t i = 0; i < n; i++) /* all eigenvalues equal */
            a[i * n + i] = 3;
        check_eigen(a, n, 3);
        wgdn_release(a);
    }
}

/* ---- orthonormal columns ---- */

static double skewness(const float *q, int64_t n, int64_t k, int64_t skip)
{
    double worst = 0;
    for (int64_t a = 0; a < k; a++)
        for (int64_t b = 0; b <= a; b++) {
            double sum = 0;
            for (int64_t i = 0; i < n; i++)
                sum += (double)q[i * k + a] * q[i * k + b];
            if (a == skip || b == skip)
                CHECK(sum == 0);
            else
                worst = fmax(worst, fabs(sum - (a == b)));
        }
    return worst;
}

static void orthonormalise(float *q, int64_t n, int64_t k)
{
    const wgdn_tall t = {.n = wgdn_alone(n), .k = k, .x = q};
    void *work = wgdn_alloc(wgdn_orthonormal_work(t.n, k), 1);
    CHECK(wgdn_orthonormalise(&t, work, NULL) == WGDN_OK);
    wgdn_release(work);
}

static void test_orthonormal(void)
{
    const int64_t n = 700, k = 24;
    float *q = random_matrix(5, n, k);
    for (int64_t i = 0; i < n; i++) /* columns that differ by a thousandth, and one of zeros */
        for (int64_t j = 0; j < k; j++)
            q[i * k + j] = j == 7 ? 0 : q[i * k] + 1e-3F * q[i * k + j];
    orthonormalise(q, n, k);
    CHECK(skewness(q, n, k, 7) < 2e-5);
    wgdn_release(q);
}

/* ---- singular vectors ---- */

/* A = U diag(s) V^T with U, V orthonormal and s falling by a tenth. */
typedef struct known {
    int64_t n, m, r;
    float *a, *u, *v;
    double s[12];
    void *work;
} known;

static wgdn_status known_times(float *y, const float *q, int64_t k, void *self, wgdn_error *err)
{
    const known *a = self;
    const wgdn_product p = wgdn_product_of(y, a->a, q, wgdn_alone(a->n), a->m, k);
    return wgdn_gemm_nn(&p, err);
}

static wgdn_status known_normal(float *q, int64_t k, void *self, wgdn_error *err)
{
    const known *a = self;
    float *y = matrix(a->n, k);
    wgdn_product p = wgdn_product_of(q, a->a, y, wgdn_alone(a->n), a->m, k);
    p.work = a->work;
    wgdn_status st = known_times(y, q, k, self, err);
    if (!st) st = wgdn_gemm_tn(&p, err);
    wgdn_release(y);
    return st;
}

static known make_known(int64_t n, int64_t m, int64_t r)
{
    known a = {.n = n, .m = m, .r = r, .a = matrix(n, m)};
    a.u = random_matrix(11, n, r);
    a.v = random_matrix(12, m, r);
    orthonormalise(a.u, n, r);
    orthonormalise(a.v, m, r);
    for (int64_t k = 0; k < r; k++)
        a.s[k] = 100 * pow(0.9, (double)k);
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < m; j++)
            for (int64_t k = 0; k < r; k++)
                a.a[i * m + j] += (float)(a.s[k] * a.u[i * r + k] * a.v[j * r + k]);
    a.work = wgdn_alloc(wgdn_gemm_tn_work(wgdn_alone(n), m, 64), 1);
    return a;
}

static void free_known(known *a)
{
    wgdn_release(a->work);
    wgdn_release(a->v);
    wgdn_release(a->u);
    wgdn_release(a->a);
}

static void find(float *out, void *context)
{
    known *a = context;
    const int64_t k = 16; /* more than A has */
    double value[16];
    const wgdn_operator op = {.rows = wgdn_alone(a->n),
                              .cols = wgdn_alone(a->m),
                              .times = known_times,
                              .normal = known_normal,
                              .self = a};
    wgdn_subspace s = {.k = k, .v = random_matrix(21, a->m, k), .value = value};
    CHECK(wgdn_subspace_find(&s, &op, 2, NULL) == WGDN_OK);
    for (int64_t j = 0; j < a->r; j++) {
        double along = 0, cubes = 0;
        CHECK_NEAR(value[j], a->s[j], 1e-4 * a->s[j]);
        for (int64_t i = 0; i < a->m; i++) {
            along += (double)s.v[i * k + j] * a->v[i * a->r + j];
            cubes += pow(s.v[i * k + j], 3);
        }
        CHECK(fabs(along) > 1 - 1e-5);
        CHECK(cubes > 0);
    }
    for (int64_t j = a->r; j < k; j++)
        CHECK(value[j] < 1e-2);
    memcpy(out, s.v, (size_t)(a->m * k) * sizeof *out);
    wgdn_release(s.v);
}

static void test_subspace(void)
{
    known a = make_known(900, 300, 12);
    check_levels(find, &a, 300 * 16, NULL, 0);
    free_known(&a);
}

int main(void)
{
    RUN(test_eigen);
    RUN(test_orthonormal);
    RUN(test_subspace);
    CHECK(wgdn_alloc_live() == 0);
    return check_result();
}
