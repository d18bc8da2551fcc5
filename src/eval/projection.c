/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Computes principal components and projects vectors to two dimensions with PCA or t-SNE. `wgdn
 * plot` draws the points; the baselines and the SVMs use the principal axes.
 */
#include "projection.h"
#include "base/streams.h"
#include "eval.h"
#include "linalg/wide_rows.h"

#include <math.h>
#include <string.h>

/*
 * Rotates the columns of X to its principal axes:                                        [WGDN:pca]
 *
 *     C = X^T X / (n - 1) = R diag(variance) R^T,   X becomes X R
 *
 * Projections need the axes because orthogonal iteration finds the span of the leading components
 * long before it separates them. Linear SVMs find the same solution on X R as on X, but much
 * sooner. The columns of an embedding are correlated, so conjugate gradients take hundreds of steps
 * in its own basis. In the rotated basis 1 + 2 C X^T X is diagonal except for the rows beyond the
 * margin, and LIBLINEAR divides by the diagonal.
 */

enum { SWEEPS = 30 };

typedef struct turning {
    float *out;
    const float *x;
    int64_t n, r;
    double *square, *basis; /* r x r; an axis in each row of the basis */
} turning;

static void row_of_square(int64_t p, void *context)
{
    const turning *t = context;
    double *row = t->square + p * t->r;
    memset(row, 0, (size_t)t->r * sizeof *row);
    for (int64_t i = 0; i < t->n; i++)
        wgdn_wide_rows()->accumulate(row, t->x[i * t->r + p], t->x + i * t->r, t->r);
}

/* Rotate rows and columns p and q of C so that C_pq = 0, and rows p and q of R along. */
static void rotate(double *c, double *basis, int64_t r, int64_t p, int64_t q)
{
    const double ratio = (c[q * r + q] - c[p * r + p]) / (2 * c[p * r + q]);
    const double tangent = copysign(1, ratio) / (fabs(ratio) + sqrt(ratio * ratio + 1));
    const double a = 1 / sqrt(tangent * tangent + 1), b = tangent * a;
    for (int64_t k = 0; k < r; k++) {
        const double x = c[k * r + p], y = c[k * r + q];
        c[k * r + p] = a * x - b * y;
        c[k * r + q] = b * x + a * y;
    }
    for (int64_t k = 0; k < r; k++) {
        const double x = c[p * r + k], y = c[q * r + k];
        const double u = basis[p * r + k], v = basis[q * r + k];
        c[p * r + k] = a * x - b * y;
        c[q * r + k] = b * x + a * y;
        basis[p * r + k] = a * u - b * v;
        basis[q * r + k] = b * u + a * v;
    }
}

/* Jacobi's method. */
static void diagonalize(double *c, double *basis, int64_t r)
{
    for (int64_t k = 0; k < r * r; k++)
        basis[k] = k % (r + 1) == 0;
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        bool still = true;
        for (int64_t p = 0; p < r; p++)
            for (int64_t q = p + 1; q < r; q++) {
                const double small = 1e-15 * sqrt(fabs(c[p * r + p] * c[q * r + q]));
                if (fabs(c[p * r + q]) <= small) continue;
                rotate(c, basis, r, p, q);
                still = false;
            }
        if (still) return;
    }
}

static void exchange(double *a, double *b)
{
    const double kept = *a;
    *a = *b;
    *b = kept;
}

static void sort(double *variance, double *basis, int64_t r)
{
    for (int64_t i = 0; i < r; i++) {
        int64_t best = i;
        for (int64_t j = i + 1; j < r; j++)
            if (variance[j] > variance[best]) best = j;
        exchange(&variance[i], &variance[best]);
        for (int64_t k = 0; k < r; k++)
            exchange(&basis[i * r + k], &basis[best * r + k]);
    }
}

static void turn_row(int64_t i, void *context)
{
    const turning *t = context;
    const float *x = t->x + i * t->r;
    for (int64_t k = 0; k < t->r; k++) {
        const double *axis = t->basis + k * t->r;
        double sum = 0;
        for (int64_t j = 0; j < t->r; j++)
            sum += axis[j] * x[j];
        t->out[i * t->r + k] = (float)sum;
    }
}

wgdn_status wgdn_principal_axes(float *out, double *variance, const float *x, int64_t n, int64_t r,
                                wgdn_error *err)
{
    const size_t size = (size_t)r * (size_t)r;
    turning t = {.out = out, .x = x, .n = n, .r = r};
    t.square = wgdn_alloc(size, sizeof *t.square);
    t.basis = wgdn_alloc(size, sizeof *t.basis);
    const bool good = t.square && t.basis;
    if (good) {
        wgdn_for_each(r, row_of_square, &t);
        diagonalize(t.square, t.basis, r);
        for (int64_t k = 0; variance && k < r; k++)
            variance[k] = fmax(t.square[k * (r + 1)], 0) / (double)(n > 1 ? n - 1 : 1);
        if (variance) sort(variance, t.basis, r);
        wgdn_for_each(n, turn_row, &t);
    }
    wgdn_release(t.basis);
    wgdn_release(t.square);
    return good ? WGDN_OK
                : wgdn_fail(err, WGDN_ENOMEM, "axes of %lld x %lld", (long long)n, (long long)r);
}

/*
 * Computes principal components of S = P(L) X by orthogonal iteration.                   [WGDN:pca]
 *
 *     V random;  a few times: T = S V, columns centered;  V = orth(S^T T);  last T = S V, centered
 *
 * S itself is never formed when X is sparse. S^T T needs no centering of S, since the columns of T
 * sum to 0. The leading columns of V converge to eigenvectors. The last ones span the rest of the
 * leading subspace, which is sufficient for a linear probe.
 */

enum { ROUNDS = 6, PANEL = 32 };

typedef struct pca {
    int64_t n, f, r;
    const float *dense;         /* S, n x f; or the three below */
    const wgdn_model_input *in; /* X, sparse; NULL: S is dense */
    const wgdn_model *m;        /* its P */
    const wgdn_graph *g;
    uint64_t seed;
    float *v, *transposed; /* features x r, and r x features */
    float *side;           /* n x r */
    float *c;              /* PANEL x r */
    double *sum;           /* r */
    float *poly_work;
    void *work;
    wgdn_arrays arrays;
} pca;

static wgdn_status open_pca(pca *p, wgdn_error *err)
{
    const int64_t n = p->n, f = p->f, r = p->r;
    const size_t product =
        p->in ? wgdn_spmm_tn_work(wgdn_alone(n), r) : wgdn_gemm_tn_work(wgdn_alone(n), f, r);
    const size_t poly = p->in ? wgdn_poly_work(n, r, p->m->shape.encoder_order) : 0;
    const size_t work = wgdn_larger(product, wgdn_reduce_work(wgdn_alone(n), r));
    wgdn_arrays *a = &p->arrays;
    p->v = wgdn_arrays_add(a, (size_t)f, (size_t)r * sizeof *p->v);
    p->transposed = wgdn_arrays_add(a, (size_t)f, (size_t)r * sizeof *p->transposed);
    p->side = wgdn_arrays_add(a, (size_t)n, (size_t)r * sizeof *p->side);
    p->c = wgdn_arrays_add(a, PANEL, (size_t)r * sizeof *p->c);
    p->sum = wgdn_arrays_add(a, (size_t)r, sizeof *p->sum);
    p->poly_work = wgdn_arrays_add(a, poly, sizeof *p->poly_work);
    p->work = wgdn_arrays_add(a, work, 1);
    if (!a->failed) return WGDN_OK;
    return wgdn_fail(err, WGDN_ENOMEM, "principal components: %lld of %lld x %lld", (long long)r,
                     (long long)n, (long long)f);
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

/* Rows of V^T (r x features) orthonormal, a panel at a time against all before it, twice. */
static wgdn_status orthonormalize(pca *p, wgdn_error *err)
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
            /*
             * Gram and Schmidt within a panel of rows; a row that has nothing of its own becomes 0. Plain
             * loops: rows are too short for threads, which cost minutes here on a busy machine.
             */
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
        st = orthonormalize(p, err);
        transpose(p->v, p->transposed, p->r, p->f);
    }
    if (!st) st = scores(out, p, err);
    wgdn_arrays_release(&p->arrays);
    return st;
}

wgdn_status wgdn_pca_smooth(float *out, const wgdn_model_input *in, const wgdn_model *m,
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

/* The same of X itself, n x width. */
static wgdn_status pca_dense(float *out, const float *x, int64_t n, int64_t width,
                             int64_t components, uint64_t seed, wgdn_error *err)
{
    pca p = {.n = n, .f = width, .r = components, .dense = x, .seed = seed};
    return run(out, &p, err);
}

/* Projects vectors to points of the plane. */

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

static wgdn_status project_rows(float *out, wgdn_projection_result *result, const float *x,
                                int64_t n, int64_t width, const wgdn_projection_options *o,
                                wgdn_error *err)
{
    const int64_t narrow = width < n ? width : n, r = narrow < AXES ? narrow : AXES;
    float *scores = wgdn_alloc((size_t)n, (size_t)r * sizeof *scores);
    float *span = wgdn_alloc((size_t)n, (size_t)r * sizeof *span);
    double variance[AXES], all = 0;
    wgdn_status st = WGDN_OK;
    if (!scores || !span)
        st = wgdn_fail(err, WGDN_ENOMEM, "map: %lld x %lld", (long long)n, (long long)r);
    if (!st) st = pca_dense(span, x, n, width, r, o->seed, err);
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

wgdn_status wgdn_embedding_project(float *out, wgdn_projection_result *result,
                                   const wgdn_embedding *e, const wgdn_projection_options *o,
                                   wgdn_error *err)
{
    wgdn_projection_options opt;
    wgdn_projection_result made = {0};
    wgdn_vectors v = {0};
    wgdn_status st = wgdn_options_read(&opt, o, WGDN_OPTIONS_KIND_PROJECTION, err);
    if (st) return st;
    if (wgdn_embedding_rows(e) > INT32_MAX / 2)
        return wgdn_fail(err, WGDN_EINVAL, "2-D projection: %lld vectors",
                         (long long)wgdn_embedding_rows(e));
    const int former = wgdn_threads_use(opt.threads);
    st = wgdn_vectors_open(&v, e, true, err);
    if (!st && opt.metric == WGDN_SIMILARITY_COSINE) st = wgdn_vectors_normalize(&v, err);
    if (!st) st = project_rows(out, &made, v.x, v.n, v.width, &opt, err);
    if (!st && result) st = wgdn_result_give(result, &made, sizeof made, err);
    wgdn_vectors_close(&v);
    wgdn_threads_use(former);
    return st;
}
