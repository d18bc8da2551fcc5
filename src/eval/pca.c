/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Principal components of S = P(L) X by orthogonal iteration.                           [WGDN:pca]
 *
 *     V random;  a few times: T = S V, columns centred;  V = orth(S^T T);  at last T = S V, centred
 *
 * S itself is never formed when X is sparse. S^T T needs no centring of S, since the columns of T
 * sum to 0. The leading columns of V come close to eigenvectors; the last ones span what is left
 * of the leading subspace, which is all that a linear probe asks for.
 */
#include "base/streams.h"
#include "eval.h"

#include <math.h>
#include <string.h>

enum { ROUNDS = 6, PANEL = 32 };

typedef struct pca {
    int64_t n, f, r;
    const float *dense;   /* S, n x f; or the three below */
    const wgdn_input *in; /* X, sparse; NULL: S is dense */
    const wgdn_model *m;  /* its P */
    const wgdn_graph *g;
    uint64_t seed;
    float *v, *transposed; /* features x r, and r x features */
    float *side;           /* n x r */
    float *c;              /* PANEL x r */
    double *sum;           /* r */
    float *poly_work;
    void *work;
} pca;

static wgdn_status open_pca(pca *p, wgdn_error *err)
{
    const int64_t n = p->n, f = p->f, r = p->r;
    const size_t product =
        p->in ? wgdn_spmm_tn_work(wgdn_alone(n), r) : wgdn_gemm_tn_work(wgdn_alone(n), f, r);
    const size_t poly = p->in ? wgdn_poly_work(n, r, p->m->shape.encoder_order) : 0;
    p->v = wgdn_alloc((size_t)f, (size_t)r * sizeof *p->v);
    p->transposed = wgdn_alloc((size_t)f, (size_t)r * sizeof *p->transposed);
    p->side = wgdn_alloc((size_t)n, (size_t)r * sizeof *p->side);
    p->c = wgdn_alloc(PANEL, (size_t)r * sizeof *p->c);
    p->sum = wgdn_alloc((size_t)r, sizeof *p->sum);
    p->poly_work = wgdn_alloc(poly, sizeof *p->poly_work);
    p->work = wgdn_alloc(wgdn_larger(product, wgdn_reduce_work(wgdn_alone(n), r)), 1);
    if (p->v && p->transposed && p->side && p->c && p->sum && p->poly_work && p->work)
        return WGDN_OK;
    return wgdn_fail(err, WGDN_ENOMEM, "principal components: %lld of %lld x %lld", (long long)r,
                     (long long)n, (long long)f);
}

static void close_pca(pca *p)
{
    wgdn_release(p->work);
    wgdn_release(p->poly_work);
    wgdn_release(p->sum);
    wgdn_release(p->c);
    wgdn_release(p->side);
    wgdn_release(p->transposed);
    wgdn_release(p->v);
}

static void filter(pca *p, float *y, const float *x)
{
    const wgdn_poly poly = {.graph = p->g,
                            .d = p->r,
                            .channels = 1,
                            .order = p->m->shape.encoder_order,
                            .a = {p->m->encoder_a},
                            .work = p->poly_work};
    wgdn_poly_filter(&y, &poly, x, NULL, false);
}

/* T = S V less the mean of each column */
static wgdn_status scores(float *t, pca *p, wgdn_error *err)
{
    const int64_t n = p->n, r = p->r;
    float *mean = p->c;
    if (p->in) {
        wgdn_spmm(p->side, p->in->sparse, p->v, r);
        filter(p, t, p->side);
    } else {
        const wgdn_product q = wgdn_product_of(t, p->dense, p->v, wgdn_alone(n), p->f, r);
        const wgdn_status st = wgdn_gemm_nn(&q, err);
        if (st) return st;
    }
    wgdn_column_sums(p->sum, NULL, t, wgdn_alone(n), r, p->work);
    for (int64_t j = 0; j < r; j++)
        mean[j] = (float)(p->sum[j] / (double)n);
    wgdn_add_row(t, -1, mean, n, r);
    return WGDN_OK;
}

/* V = S^T T */
static wgdn_status back(pca *p, const float *t, wgdn_error *err)
{
    if (!p->in) {
        wgdn_product q = wgdn_product_of(p->v, p->dense, t, wgdn_alone(p->n), p->f, p->r);
        q.work = p->work;
        return wgdn_gemm_tn(&q, err);
    }
    wgdn_csr xt = p->in->transposed;
    xt.value = p->in->values;
    filter(p, p->side, t);
    wgdn_spmm_tn(p->v, &xt, p->side, wgdn_alone(xt.cols), p->r, p->work);
    return WGDN_OK;
}

static void transpose(float *y, const float *x, int64_t rows, int64_t cols)
{
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = 0; j < cols; j++)
            y[j * rows + i] = x[i * cols + j];
}

static double dot(const float *x, const float *y, int64_t n)
{
    double sum = 0;
    for (int64_t i = 0; i < n; i++)
        sum += (double)x[i] * y[i];
    return sum;
}

/*
 * Gram and Schmidt within a panel of rows; a row that has nothing of its own becomes 0. Plain
 * loops: rows are too short for threads, which cost minutes here on a busy machine.
 */
static void orthonormalise_panel(float *q, int64_t rows, int64_t f)
{
    for (int64_t i = 0; i < rows; i++) {
        float *x = q + i * f;
        const double before = sqrt(dot(x, x, f));
        for (int64_t k = 0; k < i; k++) {
            const float *y = q + k * f, a = (float)dot(y, x, f);
            for (int64_t j = 0; j < f; j++)
                x[j] -= a * y[j];
        }
        const double norm = sqrt(dot(x, x, f));
        const float a = norm > 1e-6 * before ? (float)(1 / norm) : 0;
        for (int64_t j = 0; j < f; j++)
            x[j] *= a;
    }
}

/* Rows of V^T (r x features) orthonormal, a panel at a time against all before it, twice. */
static wgdn_status orthonormalise(pca *p, wgdn_error *err)
{
    const int64_t f = p->f;
    wgdn_status st = WGDN_OK;
    for (int64_t at = 0; !st && at < p->r; at += PANEL) {
        const int64_t rows = p->r - at < PANEL ? p->r - at : PANEL;
        float *q = p->transposed + at * f;
        const wgdn_product onto = wgdn_product_of(p->c, q, p->transposed, wgdn_alone(rows), f, at);
        wgdn_product rest = wgdn_product_of(q, p->c, p->transposed, wgdn_alone(rows), at, f);
        rest.alpha = -1;
        rest.beta = 1;
        for (int time = 0; !st && time < 2; time++) {
            if (at > 0) st = wgdn_gemm_nt(&onto, err);
            if (!st && at > 0) st = wgdn_gemm_nn(&rest, err);
            orthonormalise_panel(q, rows, f);
        }
    }
    return st;
}

static wgdn_status run(float *out, pca *p, wgdn_error *err)
{
    const wgdn_stream s = {.seed = p->seed, .call = WGDN_CALL_PCA};
    wgdn_status st = open_pca(p, err);
    if (!st) wgdn_random_normals(p->v, p->r, s, 0, p->f, 0, p->r);
    for (int round = 0; !st && round < ROUNDS; round++) {
        st = scores(out, p, err);
        if (!st) st = back(p, out, err);
        if (st) break;
        transpose(p->transposed, p->v, p->f, p->r);
        st = orthonormalise(p, err);
        transpose(p->v, p->transposed, p->r, p->f);
    }
    if (!st) st = scores(out, p, err);
    close_pca(p);
    return st;
}

wgdn_status wgdn_pca_smooth(float *out, const wgdn_input *in, const wgdn_model *m,
                            const wgdn_graph *g, int64_t components, wgdn_error *err)
{
    pca p = {.n = in->rows.count, .f = in->features, .r = components, .seed = m->options.seed};
    if (in->sparse) {
        p.in = in;
        p.m = m;
        p.g = g;
    } else {
        p.dense = in->smooth;
    }
    return run(out, &p, err);
}

wgdn_status wgdn_pca_dense(float *out, const float *x, int64_t n, int64_t width, int64_t components,
                           uint64_t seed, wgdn_error *err)
{
    pca p = {.n = n, .f = width, .r = components, .dense = x, .seed = seed};
    return run(out, &p, err);
}
