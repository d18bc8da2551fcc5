/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Dense and sparse products, polynomial filters, elementwise operations and sums. The only stage
 * with threads. Matrices are row-major without padding; "n x d at p" means n * d floats.
 *
 * Why the thread count never shows: rows are cut into fixed blocks that depend on n alone, a block
 * is computed by one thread, and what is summed over rows is summed within blocks first and then
 * over blocks in a fixed binary tree, in double. Ranks own whole subtrees of it: calls that cut
 * blocks or sum over rows take a span, which tells the rows here from all rows, and their sums are
 * of all. wgdn_alone(n) is the span of n rows that nobody shares.
 */
#ifndef WGDN_LINALG_LINALG_H
#define WGDN_LINALG_LINALG_H

#include "base/tally.h"
#include "ranks/ranks.h"

/* ---- blocks and trees: reduce.c, reduce.c, reduce.c ---- */

/*
 * Call rows(first, count, sums, context) for every block of rows here, each on one thread. With
 * width > 0 each block gets its own zeroed `width` doubles to add to, which are summed over blocks
 * in the fixed tree into *sums; work then has wgdn_for_blocks_work(s, width) bytes.
 */
typedef void (*wgdn_block_rows_call)(int64_t first, int64_t count, double *sums, void *context);
void wgdn_for_blocks(wgdn_span s, wgdn_block_rows_call rows, void *context, double *sums,
                     int64_t width, void *work);

/* The same without sums. */
typedef void (*wgdn_span_rows_call)(int64_t first, int64_t count, void *context);
void wgdn_for_rows(wgdn_span s, wgdn_span_rows_call rows, void *context);

/* Blocks here, and room for them where one is always wanted. */
static inline int64_t wgdn_span_blocks(wgdn_span s)
{
    const int64_t rows = wgdn_block_rows(s.total);
    return (s.count + rows - 1) / rows;
}

static inline size_t wgdn_span_room(wgdn_span s)
{
    const int64_t blocks = wgdn_span_blocks(s);
    return blocks > 0 ? (size_t)blocks : 1;
}

static inline size_t wgdn_for_blocks_work(wgdn_span s, int64_t width)
{
    return wgdn_size_product(wgdn_span_room(s), (size_t)width, sizeof(double));
}

/* Call item(i, context) for every i < count, each on one thread, in any order. */
typedef void (*wgdn_item_call)(int64_t i, void *context);
void wgdn_for_each(int64_t count, wgdn_item_call item, void *context);

/*
 * Sum of leaves that arrive in ascending order, as if all leaves 0 .. 2^k - 1 were added in a
 * perfect binary tree and the missing ones were zero. levels x width doubles at store; two leaves
 * a and b meet at the height of the highest bit in which a and b differ.
 */
typedef struct wgdn_tree {
    double *store;
    int64_t width;
    int64_t leaf[64]; /* of each partial sum, its last leaf */
    int held;
} wgdn_tree;

int64_t wgdn_tree_levels(int64_t leaves); /* partial sums held at most for leaves 0 .. leaves-1 */

static inline void wgdn_tree_begin(wgdn_tree *t, double *store, int64_t width)
{
    t->store = store;
    t->width = width;
    t->held = 0;
}

double *wgdn_tree_push(wgdn_tree *t, int64_t leaf); /* a place for the leaf, to be filled */
const double *wgdn_tree_end(wgdn_tree *t);          /* the sum, or NULL without leaves */
/* The sum of scalars, leaf i = x[i]. */
static inline double wgdn_tree_sum(const double *x, int64_t count)
{
    double store[64];
    wgdn_tree t;
    wgdn_tree_begin(&t, store, 1);
    for (int64_t i = 0; i < count; i++)
        *wgdn_tree_push(&t, i) = x[i];
    const double *sum = wgdn_tree_end(&t);
    return sum ? *sum : 0;
}

/* The same tree in place: leaf i is width doubles at x + i * stride; the sum lands in leaf 0. */
void wgdn_tree_fold(double *x, int64_t count, int64_t stride, int64_t width);

/*
 * The leaves of a span, leaf_rows rows each, are the subtrees start[0] .. start[1] - 1, ... of the
 * tree over all; returns how many. start has room for WGDN_SUBTREES_MAX + 1.
 */
enum { WGDN_SUBTREES_MAX = 128 };
int wgdn_subtrees(int64_t *start, wgdn_span s, int64_t leaf_rows);
int wgdn_subtrees_max(wgdn_span s, int64_t leaf_rows); /* that any rank has */
/* The sum over all ranks, on all of them, of what each has for its subtrees. */
void wgdn_join(double *sum, const double *const *subtree, int64_t width, wgdn_span s,
               int64_t leaf_rows);
/* Bytes that this rank sends for it. */
int64_t wgdn_join_sent(int64_t width, wgdn_span s, int64_t leaf_rows);
/* As wgdn_tally_sums(), of sums over the rows of s, with what they send. */
static inline bool wgdn_span_tally(double *out, int64_t count, wgdn_span s)
{
    if (!wgdn_tally_sums(out, count, s.dist)) return false;
    if (s.dist) wgdn_tally_sent(wgdn_join_sent(count, s, wgdn_block_rows(s.total)));
    return true;
}

/* The tree over blocks: those of s lie at x, one every stride doubles; the sum lands in the first.
 * x has room for one block even where there are none. */
void wgdn_span_fold(double *x, int64_t stride, int64_t width, wgdn_span s);

/* ---- dense products: dense.c over engine_*.c ---- */

/*
 * C = alpha op(A) op(B) + beta C + column bias^T. beta = 0 never reads C.
 *   nn: C n x m, A n x k, B k x m; no scratch in fp32
 *   nt: C n x m, A n x k, B m x k; work NULL, which is slower, or wgdn_gemm_nt_work(k, m) bytes
 *   tn: C k x m, A n x k, B n x m: a sum over the n rows, in blocks and a tree, without bias;
 *       work has wgdn_gemm_tn_work(n, k, m) bytes, aligned to a cache line. With gram set, half of C
 *       is computed and the rest mirrored; equal addresses do not show it, since those of two
 *       matrices without rows can be equal, and ranks have to agree on how C is computed
 * In bf16 A and B are rounded, and products of these summed up in fp32 (tn: in double between
 * blocks); work has wgdn_gemm_bf16_work(n, k, m) bytes, whichever of the three it is.
 */
typedef struct wgdn_product {
    float *c;
    const float *a, *b;
    wgdn_span n; /* rows of A */
    int64_t k, m;
    float alpha, beta;
    const float *column, *bias; /* n, NULL: 1; and m, NULL: 0 */
    wgdn_precision precision;
    double
        *wide; /* tn: NULL, or k x m to receive A^T B in double; alpha, beta and c are not used */
    bool gram; /* tn: B is A */
    void *work;
} wgdn_product;

/* C = op(A) op(B) in fp32 without scratch; a caller who wants something else sets it. */
static inline wgdn_product wgdn_product_of(float *c, const float *a, const float *b, wgdn_span n,
                                           int64_t k, int64_t m)
{
    return (wgdn_product){.c = c, .a = a, .b = b, .n = n, .k = k, .m = m, .alpha = 1};
}

WGDN_MUST_CHECK wgdn_status wgdn_gemm_nn(const wgdn_product *p, wgdn_error *err);
WGDN_MUST_CHECK wgdn_status wgdn_gemm_nt(const wgdn_product *p, wgdn_error *err);
WGDN_MUST_CHECK wgdn_status wgdn_gemm_tn(const wgdn_product *p, wgdn_error *err);

static inline size_t wgdn_gemm_nt_work(int64_t k, int64_t m)
{
    return wgdn_size_product((size_t)k, (size_t)m, sizeof(float));
}

size_t wgdn_gemm_tn_work(wgdn_span n, int64_t k, int64_t m);
size_t wgdn_gemm_bf16_work(wgdn_span n, int64_t k, int64_t m); /* for any of the three */

/* ---- small symmetric matrices: small_dense.c ---- */

/*
 * Eigenvalues of A, n x n, in descending order; row k of A becomes the k-th eigenvector.
 * work: wgdn_symmetric_work(n) bytes.
 */
void wgdn_symmetric_eigen(double *value, double *a, int64_t n, void *work);
size_t wgdn_symmetric_work(int64_t n);

/* ---- sparse products: sparse.c ---- */

/* Y = A X.   A: n x c,  X: c x d,  Y: n x d. */
void wgdn_spmm(float *y, const wgdn_csr *a, const float *x, int64_t d);

/*
 * Y = A^T X from at = A^T in compressed rows.   A: n x c,  X: n x d,  Y: c x d.
 * A sum over the n rows of A, of which s are here: block partials and tree, as in wgdn_gemm_tn.
 * No entry of Y is -0. work: wgdn_spmm_tn_work(s, d) bytes.
 */
void wgdn_spmm_tn(float *y, const wgdn_csr *at, const float *x, wgdn_span s, int64_t d, void *work);
size_t wgdn_spmm_tn_work(wgdn_span s, int64_t d);

/*
 * SDDMM: out_k = (U V^T) at entry k of A.   U: A.rows x d,  V: A.cols x d.
 * edit, unless NULL, makes something else of the entries [from, to) of a row, and what it returns
 * is summed up over the rows. Then Y = out V (A.rows x d, or NULL), while those rows of V are in
 * the cache. work: wgdn_for_blocks_work(rows, 1) bytes.
 */
typedef double (*wgdn_entries_call)(float *out, int64_t from, int64_t to, void *context);
typedef struct wgdn_sddmm_product {
    float *out, *y;
    const wgdn_csr *a;
    wgdn_span rows; /* of A */
    const float *u, *v;
    int64_t d;
    wgdn_entries_call edit;
    void *context;
} wgdn_sddmm_product;
double wgdn_sddmm(const wgdn_sddmm_product *p, void *work);

/* ---- products with L: poly.c ---- */

/* Y = L X. */
void wgdn_laplacian(float *y, const wgdn_graph *g, const float *x, int64_t d);

/* Y = A X, weighted sums over the neighbors. */
void wgdn_adjacency(float *y, const wgdn_graph *g, const float *x, int64_t d);

/* Y = L X and Z = M X in one pass over the neighbors. */
void wgdn_laplacian_mean(float *y, float *z, const wgdn_graph *g, const float *x, int64_t d,
                         wgdn_average m);

/* Sums that the Wiener estimates are made of. */
typedef struct wgdn_signal_sums {
    double squares; /* sum_ij x_ij^2 */
    double means;   /* sum_j (sum_i x_ij)^2 / n */
    double noise;   /* sum_ij (x - M x)_ij^2 */
} wgdn_signal_sums;

/*
 * The sums and, in the same pass, Y = (L - 1) X (Y may be NULL).
 * work: wgdn_laplacian_sums_work(s, d) bytes.
 */
void wgdn_laplacian_sums(wgdn_signal_sums *sums, float *y, const wgdn_graph *g, const float *x,
                         int64_t d, wgdn_average m, void *work);
size_t wgdn_laplacian_sums_work(wgdn_span s, int64_t d);

/* ---- a graph without some of its edges: sparse.c ---- */

/* Whether the edge between row i and what column j stands for stays; from both ends the same. */
typedef bool (*wgdn_stays_call)(int64_t i, int64_t j, const void *context);
/* Into arrays that are there: the offsets; then columns, values and degrees, where there is room for
 * them. Degrees of the halo are left to wgdn_graph_weigh_halo(). */
void wgdn_thin_count(wgdn_graph *to, const wgdn_graph *from, wgdn_span rows, wgdn_stays_call stays,
                     const void *context);
void wgdn_thin_fill(wgdn_graph *to, const wgdn_graph *from, wgdn_span rows, wgdn_stays_call stays,
                    const void *context);

/* ---- polynomial filters: poly.c ---- */

enum { WGDN_CHANNELS_MAX = 16 };

/*
 * Filters p_q(L) = sum_k a_q[k] T_k(L - 1), q < channels, of matrices with d columns. T_k are
 * Chebyshev polynomials; wgdn_series_from_powers() (spectral) leads there from powers of L.
 */
typedef struct wgdn_poly {
    const wgdn_graph *graph;
    int64_t d;
    int channels, order;
    const double *a[WGDN_CHANNELS_MAX]; /* order + 1 each */
    wgdn_precision precision;
    float *work; /* wgdn_poly_work(n, d, order) floats */
} wgdn_poly;

/*
 * Y_q = p_q(L) X; with add, this is added to what Y_q holds. Y_q: n x d, must not alias X or each
 * other. first: (L - 1) X if somebody has it already, else NULL; it may be wgdn_poly_first(work).
 * The gradient: dX = sum_q p_q(L) dY_q, L being symmetric; dX must not alias the dY_q.
 * One filter by itself, Y = p_0(L) X, moves less than poly_filter with one channel.
 * In bf16, what these two gather from neighbors is rounded, and sums are in fp32; poly_filter is
 * in fp32 always.
 */
void wgdn_poly_filter(float *const *y, const wgdn_poly *p, const float *x, const float *first,
                      bool add);
void wgdn_poly_gradient(float *dx, const wgdn_poly *p, const float *const *dy);

/* The filter is its own gradient, and there nothing is shared that the gradient does not share. */
static inline void wgdn_poly_apply(float *y, const wgdn_poly *p, const float *x)
{
    wgdn_poly_gradient(y, p, &x);
}

size_t wgdn_poly_work(int64_t n, int64_t d, int order);
float *wgdn_poly_first(float *work, int64_t d); /* n x d floats within work, free between calls */

/* ---- degree by degree, and moments: poly.c ---- */

/*
 * T_(k+1) X from T_k X and T_(k-1) X, prev; NULL: k = 0. next may be prev.
 * work: wgdn_poly_work(0, d, 1) floats.
 */
void wgdn_chebyshev_step(float *next, const wgdn_graph *g, const float *cur, const float *prev,
                         int64_t d, float *work);

/*
 * For graphs whose rows are all here.
 * m[k] = sum of <x, T_k(L - 1) x> over the columns x of X, k = 0 .. order; order / 2 products.
 * work: wgdn_chebyshev_moments_work(s, d) bytes.
 */
void wgdn_chebyshev_moments(double *m, const wgdn_graph *g, const float *x, int64_t d, int order,
                            void *work);
size_t wgdn_chebyshev_moments_work(wgdn_span s, int64_t d);

/* ---- eigenbasis: tall.c ---- */

/* Y = U^T X, or Y = U X with inverse.   U: n x n, its columns contiguous,  X, Y: n x d; Y must not
 * alias X. */
void wgdn_rotate(double *y, const double *u, bool inverse, const double *x, int64_t n, int64_t d);

/* ---- elementwise: dense.c; X, Y: n x d ---- */

/* d columns, of rows that are y_width and x_width long */
void wgdn_copy_columns(float *y, int64_t y_width, const float *x, int64_t x_width, int64_t n,
                       int64_t d);

static inline void wgdn_copy(float *y, const float *x, int64_t n, int64_t d)
{
    wgdn_copy_columns(y, d, x, d, n, d);
}

void wgdn_scale(float *y, float a, int64_t n, int64_t d);
void wgdn_axpy(float *y, float a, const float *x, int64_t n, int64_t d);
void wgdn_add_row(float *y, float a, const float *row, int64_t n, int64_t d); /* Y + a 1 row^T */
/* Rows of X times a number each; Y may be X. */
void wgdn_scale_rows(float *y, const float *by, const float *x, wgdn_span n, int64_t d);
/* Y = X + a Z, Z standard normal at the rows n of the stream; Y may be X. */
void wgdn_add_normals(float *y, const float *x, float a, wgdn_stream s, wgdn_span n, int64_t d);

/* ---- sums: reduce.c ---- */
/* Each wants work of wgdn_reduce_work(n, d) bytes. */

static inline size_t wgdn_reduce_work(wgdn_span n, int64_t d)
{
    return wgdn_size_product(wgdn_span_room(n), (size_t)d, 2 * sizeof(double));
}

typedef enum wgdn_reduction {
    WGDN_REDUCE_SUM,
    WGDN_REDUCE_SQUARES,
    WGDN_REDUCE_DOT
} wgdn_reduction;
/* The sum of x, of its squares, or of x o y. */
double wgdn_reduce(wgdn_reduction w, const float *x, const float *y, wgdn_span n, int64_t d,
                   void *work);
static inline double wgdn_sum_squares(const float *x, wgdn_span n, int64_t d, void *work)
{
    return wgdn_reduce(WGDN_REDUCE_SQUARES, x, NULL, n, d, work);
}
/* Mean and unbiased variance over all entries; variance 0 for a single one. */
void wgdn_mean_variance(double *mean, double *variance, const float *x, wgdn_span n, int64_t d,
                        void *work);
/* sum[j] = sum_i x_ij; and in squares, unless NULL, sum_i x_ij^2. */
void wgdn_column_sums(double *sum, double *squares, const float *x, wgdn_span n, int64_t d,
                      void *work);
/* y_j = alpha sum_i weight_i x_ij + beta y_j; weight NULL: 1. beta = 0 never reads y. */
void wgdn_weighted_sum(float *y, const float *weight, const float *x, wgdn_span n, int64_t d,
                       float alpha, float beta, void *work);

#endif
