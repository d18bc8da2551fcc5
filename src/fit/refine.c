/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Trains a small network on top of the closed form, so that views of the graph without some edges
 * give the same vectors. fit.c calls it if the option `refine` is above 0; it is the only part of
 * the closed form with epochs.
 */
#include "refine.h"
#include "base/streams.h"

#include <math.h>
#include <string.h>

/* Walks one step over a graph, or over the graph without some of its edges. */

static void sum_weights(int64_t first, int64_t count, double *sums, void *context)
{
    const wgdn_csr *a = context;
    for (int64_t i = first; i < first + count; i++) {
        sums[0] += wgdn_graph_strength(a, i);
        sums[1] += (double)(a->offset[i + 1] - a->offset[i]);
    }
}

/* Weights and entries of all rows. */
static wgdn_status sum_edges(double sums[2], const wgdn_fit_input *in, wgdn_error *err)
{
    wgdn_csr a = in->graph->adjacency;
    void *work = wgdn_alloc(wgdn_for_blocks_work(in->rows, 2), 1);
    const wgdn_status st = wgdn_span_agree(
        in->rows, work ? WGDN_OK : wgdn_fail(err, WGDN_ENOMEM, "refine: sums of edges"), err);
    if (!st) wgdn_for_blocks(in->rows, sum_weights, &a, sums, 2, work);
    wgdn_release(work);
    return st;
}

wgdn_status wgdn_walk_weight(double *w, const wgdn_fit_input *in, wgdn_error *err)
{
    double sums[2] = {0, 0};
    *w = 1;
    if (!in->weighted) return WGDN_OK;
    const wgdn_status st = sum_edges(sums, in, err);
    if (sums[1] > 0) *w = sums[0] / sums[1];
    return st;
}

/* The mean number of a node's neighbors. */
static wgdn_status walk_degree(double *degree, const wgdn_fit_input *in, wgdn_error *err)
{
    double sums[2] = {0, 0};
    const wgdn_status st = sum_edges(sums, in, err);
    *degree = in->rows.total > 0 ? sums[1] / (double)in->rows.total : 0;
    return st;
}

void wgdn_walk_loop(wgdn_graph *w, double loop)
{
    for (int64_t i = 0; i < w->adjacency.rows; i++) {
        const double d = wgdn_graph_strength(&w->adjacency, i) + loop;
        w->inv_sqrt_degree[i] = (float)(1 / sqrt(d));
        w->inv_degree[i] = (float)(loop / d);
    }
    wgdn_graph_weigh_halo(w);
}

/* ---- without some edges ---- */

typedef struct thinning {
    const float *code; /* of each column's node: 24 bits of its key */
    wgdn_stream s;
    double limit; /* edges with bits below it go */
} thinning;

/* The same seen from either end. */
static bool stays(int64_t i, int64_t j, const void *context)
{
    const thinning *t = context;
    const float a = t->code[i], b = t->code[j];
    return wgdn_random_bits(t->s, (int64_t)fminf(a, b), (int64_t)fmaxf(a, b)) >= t->limit;
}

/* Rows of what is left, and the graph that has them. */
static wgdn_status thin(wgdn_graph **out, const wgdn_fit_input *in, const thinning *t,
                        wgdn_error *err)
{
    const wgdn_csr *a = &in->graph->adjacency;
    wgdn_graph left = {.halo = NULL};
    wgdn_csr *b = &left.adjacency;
    wgdn_status st = WGDN_ENOMEM;
    b->offset = wgdn_alloc((size_t)a->rows + 1, sizeof *b->offset);
    if (!b->offset) goto done;
    wgdn_thin_count(&left, in->graph, in->rows, stays, t);
    const size_t entries = (size_t)wgdn_csr_entries(b);
    b->column = wgdn_alloc(entries, sizeof *b->column);
    if (a->value) b->value = wgdn_alloc(entries, sizeof *b->value);
    if (!b->column || (a->value && !b->value)) goto done;
    wgdn_thin_fill(&left, in->graph, in->rows, stays, t);
    st = wgdn_graph_from_rows(out, b, false, err);
    if (!st) (*out)->halo = in->graph->halo;

done:
    if (!st) return WGDN_OK;
    wgdn_csr_free(b);
    return wgdn_fail(err, st, "refine: a view of %lld edges", (long long)wgdn_csr_entries(a));
}

wgdn_status wgdn_walk_thin(wgdn_graph **out, const wgdn_fit_input *in, double share, wgdn_stream s,
                           wgdn_error *err)
{
    const wgdn_csr *a = &in->graph->adjacency;
    float *code = wgdn_alloc((size_t)a->cols, sizeof *code);
    const thinning t = {code, s, 0x1p32 * share};
    wgdn_graph *made = NULL;
    for (int64_t i = 0; code && i < a->rows; i++)
        code[i] = (float)(in->key[i] >> 40);
    wgdn_status st = wgdn_span_agree(
        in->rows,
        code ? WGDN_OK
             : wgdn_fail(err, WGDN_ENOMEM, "refine: %lld nodes", (long long)in->rows.count),
        err);
    if (!st && in->graph->halo) wgdn_halo_fill(in->graph->halo, code, a->rows);
    if (!st) st = thin(&made, in, &t, err);
    st = wgdn_span_agree(in->rows, st, err);
    if (!st) wgdn_graph_weigh_halo(made);
    wgdn_release(code);
    if (st)
        wgdn_graph_free(made);
    else
        *out = made;
    return st;
}

/* ---- a step ---- */

typedef struct stepping {
    const wgdn_graph *g;
    const float *x;
    float *y;
    int64_t d;
} stepping;

/* x - L x, and the node itself. */
static void add_loops(int64_t first, int64_t count, void *context)
{
    const stepping *s = context;
    for (int64_t i = first; i < first + count; i++) {
        const float own = 1 + s->g->inv_degree[i], *x = s->x + i * s->d;
        float *y = s->y + i * s->d;
        for (int64_t j = 0; j < s->d; j++)
            y[j] = own * x[j] - y[j];
    }
}

void wgdn_walk_product(float *y, const wgdn_graph *w, const float *x, int64_t d)
{
    stepping s = {w, x, y, d};
    wgdn_laplacian(y, w, x, d);
    wgdn_for_rows(wgdn_graph_span(w), add_loops, &s);
}

/*
 * Two codes C1 and C2 of the same n nodes shall agree, and their columns shall not repeat each
 * other. U has the columns of C scaled to mean 0 and standard deviation 1.
 *
 *     U = (C - 1 m^T) / s,    G = U^T U / n
 *     loss = |U1 - U2|^2 / 2n + r (|G1 - I|^2 + |G2 - I|^2),    r = 1/1000            [agreement]
 *
 * The gradient by U1 is V = (U1 - U2) / n + 4 r U1 (G1 - I) / n, whose columns sum to 0. The
 * gradient by C1 is V / s - U1 q / (n s), with q_k the product of columns k of U1 and V. All of q
 * follows from G1 and from x = diag(U1^T U2) / n, so the gradient takes only one more product:
 *
 *     dC1 = U1 M - U2 / (n s),      M = (4 r / n) (G1 - I) / s + I (1 - q) / (n s),
 *     q_k = G_kk - x_k + 4 r sum_m G_km (G_mk - [m = k])
 *
 * A constant column has U = 0 and no gradient.
 */

static const double repeats = 1e-3, constant = 1e-6; /* r; below it a column does not vary */

typedef struct scaling {
    float *x;
    const double *mean, *inverse;
    int64_t d;
} scaling;

static void scale_columns(int64_t first, int64_t count, void *context)
{
    const scaling *s = context;
    for (int64_t i = first; i < first + count; i++) {
        float *x = s->x + i * s->d;
        for (int64_t j = 0; j < s->d; j++)
            x[j] = (float)((x[j] - s->mean[j]) * s->inverse[j]);
    }
}

/* inverse: 1 / s of each column, 0 where it does not vary. */
static void standardize(float *code, double *inverse, double *mean, const wgdn_agreement *a)
{
    const double n = (double)a->n.total;
    wgdn_column_sums(mean, inverse, code, a->n, a->d, a->work);
    for (int64_t j = 0; j < a->d; j++) {
        mean[j] /= n;
        const double variance = inverse[j] / n - mean[j] * mean[j];
        inverse[j] = variance > constant * constant ? 1 / sqrt(variance) : 0;
    }
    scaling s = {code, mean, inverse, a->d};
    wgdn_for_rows(a->n, scale_columns, &s);
}

static void cross_rows(int64_t first, int64_t count, double *sums, void *context)
{
    const wgdn_agreement *a = context;
    for (int64_t i = first; i < first + count; i++) {
        const float *u = a->code[0] + i * a->d, *v = a->code[1] + i * a->d;
        for (int64_t j = 0; j < a->d; j++)
            sums[j] += (double)u[j] * v[j];
    }
}

/* G of one code, and what its columns repeat of each other. */
static wgdn_status gram(double *g, double *loss, const wgdn_agreement *a, int which,
                        wgdn_error *err)
{
    const int64_t d = a->d;
    wgdn_product p = wgdn_product_of(NULL, a->code[which], a->code[which], a->n, d, d);
    p.wide = g;
    p.gram = true;
    p.work = a->work;
    const wgdn_status st = wgdn_gemm_tn(&p, err);
    for (int64_t k = 0; k < d * d && !st; k++) {
        g[k] /= (double)a->n.total;
        const double off = g[k] - (k / d == k % d);
        *loss += repeats * off * off + (k / d == k % d ? g[k] / 2 : 0);
    }
    return st;
}

typedef struct subtracting {
    float *to;
    const float *other;
    const double *by;
    int64_t d;
} subtracting;

static void subtract_rows(int64_t first, int64_t count, void *context)
{
    const subtracting *s = context;
    for (int64_t i = first; i < first + count; i++) {
        float *to = s->to + i * s->d;
        const float *other = s->other + i * s->d;
        for (int64_t j = 0; j < s->d; j++)
            to[j] -= (float)(s->by[j] * other[j]);
    }
}

/* U M - U' / (n s). g becomes M; inverse becomes 1 / (n s). */
static wgdn_status differentiate(const wgdn_agreement *a, int which, double *g, double *inverse,
                                 const double *cross, float *m, wgdn_error *err)
{
    const int64_t d = a->d;
    const double n = (double)a->n.total;
    for (int64_t k = 0; k < d; k++) {
        double repeated = 0;
        for (int64_t j = 0; j < d; j++) /* G is symmetric up to rounding: by rows */
            repeated += g[k * d + j] * (g[k * d + j] - (j == k));
        const double q = g[k * d + k] - cross[k] + 4 * repeats * repeated;
        for (int64_t j = 0; j < d; j++)
            m[k * d + j] = (float)(4 * repeats * (g[k * d + j] - (j == k)) * inverse[j] / n);
        m[k * d + k] += (float)((1 - q) * inverse[k] / n);
    }
    const wgdn_product p = wgdn_product_of(a->gradient[which], a->code[which], m, a->n, d, d);
    const wgdn_status st = wgdn_gemm_nn(&p, err);
    for (int64_t k = 0; k < d; k++)
        inverse[k] /= n;
    subtracting s = {a->gradient[which], a->code[1 - which], inverse, d};
    if (!st) wgdn_for_rows(a->n, subtract_rows, &s);
    return st;
}

size_t wgdn_agreement_work(wgdn_span n, int64_t d)
{
    const size_t sums = wgdn_reduce_work(n, 2 * d), cross = wgdn_for_blocks_work(n, d);
    const size_t tree = wgdn_gemm_tn_work(n, d, d), most = sums > cross ? sums : cross;
    return tree > most ? tree : most;
}

wgdn_status wgdn_agreement_make(double *loss, const wgdn_agreement *a, wgdn_error *err)
{
    const int64_t d = a->d;
    double *g[2] = {a->small, a->small + d * d}, *mean = g[1] + d * d, *cross = mean + d;
    double *inverse[2] = {cross + d, cross + 2 * d};
    float *m = (float *)(inverse[1] + d);
    wgdn_status st = WGDN_OK;
    *loss = 0;
    for (int v = 0; v < 2 && !st; v++) {
        standardize(a->code[v], inverse[v], mean, a);
        st = gram(g[v], loss, a, v, err);
    }
    if (st) return st;
    wgdn_for_blocks(a->n, cross_rows, (void *)(uintptr_t)a, cross, d, a->work);
    for (int64_t j = 0; j < d; j++) {
        cross[j] /= (double)a->n.total;
        *loss -= cross[j];
    }
    for (int v = 0; v < 2 && !st; v++)
        st = differentiate(a, v, g[v], inverse[v], cross, m, err);
    return st;
}

/* Computes the network that refines the closed form: its output, its gradient, and its training. */

enum { ENOUGH = 10 };               /* epochs, for the loss to be lower than at first */
enum { VIEWS = WGDN_REFINE_VIEWS }; /* drawn and filtered once; an epoch takes two of them */

static const double most = 0.6, neighbors = 2;               /* edges of a view */
static const double rate = 1e-3, beta1 = 0.9, beta2 = 0.999; /* Adam */

/*
 * Where nodes have many neighbors, three of five are as good as all: such views agree from the start,
 * and what is learned of them costs more than it gains (Photo). So every fourth view has so few edges
 * that a node meets two neighbors on average. More such views, or all, lose on Computers.
 */
double wgdn_refine_kept(int view, double degree)
{
    return view % 4 == 1 && degree > 0 ? fmin(most, neighbors / degree) : most;
}

static void relu_rows(int64_t first, int64_t count, void *context)
{
    const wgdn_refining *r = context;
    for (int64_t i = first * r->d; i < (first + count) * r->d; i++)
        r->hidden[i] = r->hidden[i] > 0 ? r->hidden[i] : 0;
}

wgdn_status wgdn_refine_forward(float *code, const wgdn_refining *r, const wgdn_graph *w,
                                const float *z, wgdn_error *err)
{
    wgdn_product p = wgdn_product_of(r->other, z, r->in, r->n, r->d, r->d);
    wgdn_status st = wgdn_gemm_nn(&p, err);
    if (st) return st;
    wgdn_walk_product(r->hidden, w, r->other, r->d);
    wgdn_for_rows(r->n, relu_rows, (void *)(uintptr_t)r);
    p = wgdn_product_of(r->other, r->hidden, r->out, r->n, r->d, r->d);
    st = wgdn_gemm_nn(&p, err);
    if (st) return st;
    wgdn_walk_product(code, w, r->other, r->d);
    wgdn_axpy(code, 1, z, r->n.count, r->d);
    return WGDN_OK;
}

typedef struct masking {
    const wgdn_refining *r;
    const float *back; /* the gradient by the hidden layer */
} masking;

/* Where the hidden layer is 0 nothing comes back. */
static void mask_rows(int64_t first, int64_t count, void *context)
{
    const masking *m = context;
    const wgdn_refining *r = m->r;
    for (int64_t i = first * r->d; i < (first + count) * r->d; i++)
        r->other[i] = r->hidden[i] > 0 ? m->back[i] : 0;
}

wgdn_status wgdn_refine_backward(float *da, float *db, const wgdn_refining *r, const wgdn_graph *w,
                                 const float *z, float *dcode, void *work, wgdn_error *err)
{
    const int64_t d = r->d;
    wgdn_walk_product(r->other, w, dcode, d); /* W is symmetric */
    wgdn_product by_out = wgdn_product_of(db, r->hidden, r->other, r->n, d, d);
    wgdn_product by_hidden = wgdn_product_of(dcode, r->other, r->out, r->n, d, d);
    wgdn_product by_in = wgdn_product_of(da, z, dcode, r->n, d, d);
    by_out.beta = by_in.beta = 1;
    by_out.work = by_in.work = by_hidden.work = work;
    wgdn_status st = wgdn_gemm_tn(&by_out, err);
    if (!st) st = wgdn_gemm_nt(&by_hidden, err);
    if (st) return st;
    wgdn_for_rows(r->n, mask_rows, &(masking){r, dcode});
    wgdn_walk_product(dcode, w, r->other, d);
    return wgdn_gemm_tn(&by_in, err);
}

static wgdn_status no_blocks(wgdn_error *err)
{
    return wgdn_fail(err, WGDN_ENOMEM,
                     "refine: all vectors must fit in memory, but only blocks of columns do; allow "
                     "more memory, or leave it out");
}

/* ---- vectors ---- */

wgdn_status wgdn_refine_embed(float *vectors, const wgdn_fitted *f, const wgdn_fit_input *in,
                              wgdn_error *err)
{
    const int64_t d = wgdn_fitted_width(f);
    const size_t all = (size_t)in->rows.count * (size_t)d;
    float *store = in->memory.block ? NULL : wgdn_alloc(3 * all, sizeof *store);
    const wgdn_refining r = {in->rows, d, f->refined.in, f->refined.out, store, store + all};
    wgdn_graph *w = NULL;
    double loop;
    wgdn_status st = wgdn_walk_open(&w, in, err);
    if (!st && in->memory.block) st = no_blocks(err);
    if (!st && !store)
        st =
            wgdn_fail(err, WGDN_ENOMEM, "refine: vectors of %lld nodes", (long long)in->rows.count);
    st = wgdn_span_agree(in->rows, st, err);
    if (!st) st = wgdn_walk_weight(&loop, in, err);
    if (!st) {
        const wgdn_destination to = {.columns = wgdn_tall_of(vectors, in->rows, d), .length = 1};
        float *code = store + 2 * all;
        wgdn_walk_loop(w, loop);
        st = wgdn_refine_forward(code, &r, w, vectors, err);
        if (!st) st = wgdn_destination_put(&to, code, d, in->rows, err);
    }
    wgdn_graph_free(w);
    wgdn_release(store);
    return wgdn_span_agree(in->rows, st, err);
}

/* ---- learning ---- */

typedef struct learning {
    const wgdn_fit_input *in;
    int64_t d, size; /* size: of A and B together */
    wgdn_graph *walk[VIEWS];
    float *z[VIEWS]; /* the closed form of each view */
    wgdn_refining net[2];
    wgdn_agreement pair;
    float *parameter, *gradient, *m, *v; /* A, then B */
    float *rows;                         /* everything that has a row for each node */
    void *work;
    double loop, degree; /* weight of a node among its neighbors, and their mean number */
    wgdn_arrays arrays;
} learning;

static wgdn_status open_learning(learning *l, wgdn_error *err)
{
    const wgdn_span n = l->in->rows;
    const size_t all = (size_t)n.count * (size_t)l->d, back = wgdn_gemm_nt_work(l->d, l->d);
    const size_t pair = wgdn_agreement_work(n, l->d);
    l->size = 2 * l->d * l->d;
    l->parameter = wgdn_arrays_add_zero(&l->arrays, 4 * (size_t)l->size, sizeof *l->parameter);
    l->rows = wgdn_arrays_add(&l->arrays, (VIEWS + 8) * all, sizeof *l->rows);
    l->pair.small =
        wgdn_arrays_add(&l->arrays, wgdn_agreement_doubles(l->d), sizeof *l->pair.small);
    l->work = wgdn_arrays_add(&l->arrays, pair > back ? pair : back, 1);
    if (l->arrays.failed)
        return wgdn_fail(err, WGDN_ENOMEM,
                         "refine: %d matrices of %lld x %lld; reduce dim, or leave refine out",
                         VIEWS + 8, (long long)n.count, (long long)l->d);
    l->gradient = l->parameter + l->size;
    l->m = l->gradient + l->size;
    l->v = l->m + l->size;
    for (int k = 0; k < VIEWS; k++)
        l->z[k] = l->rows + (size_t)k * all;
    float *rest = l->rows + VIEWS * all;
    l->pair = (wgdn_agreement){.n = n, .d = l->d, .small = l->pair.small, .work = l->work};
    for (int k = 0; k < 2; k++) {
        l->net[k] =
            (wgdn_refining){n, l->d, l->parameter, l->parameter + l->size / 2, rest, rest + all};
        l->pair.code[k] = rest + 2 * all;
        l->pair.gradient[k] = rest + 3 * all;
        rest += 4 * all;
    }
    return WGDN_OK;
}

static void close_learning(learning *l)
{
    for (int k = 0; k < VIEWS; k++)
        wgdn_graph_free(l->walk[k]);
    wgdn_arrays_release(&l->arrays);
}

/* A view, and the closed form of it. */
static wgdn_status draw_view(learning *l, int k, const wgdn_fitted *f, wgdn_error *err)
{
    const double left_out = 1 - wgdn_refine_kept(k, l->degree);
    const wgdn_stream s = {f->options.seed, (uint32_t)k, WGDN_CALL_VIEWS};
    const wgdn_destination to = {.columns = wgdn_tall_of(l->z[k], l->in->rows, l->d), .length = 1};
    wgdn_fit_input in = *l->in;
    wgdn_status st = wgdn_walk_thin(&l->walk[k], l->in, left_out, s, err);
    if (st) return st;
    in.graph = l->walk[k];
    in.serial = 0; /* nothing was kept of this one */
    st = wgdn_shared_part.embed(&to, &f->part[0], f, &in, err);
    if (!st) wgdn_walk_loop(l->walk[k], l->loop);
    return st;
}

/* Uniform within sqrt(6 / (d + d)), after Glorot; B stays 0. */
static void draw_parameters(const learning *l, uint64_t seed)
{
    const wgdn_stream s = {seed, 0, WGDN_CALL_REFINE};
    const double limit = sqrt(3.0 / (double)l->d);
    wgdn_random_uniforms(l->parameter, l->d, s, 0, l->d, 0, l->d);
    for (int64_t i = 0; i < l->d * l->d; i++)
        l->parameter[i] = (float)(limit * (2 * (double)l->parameter[i] - 1));
}

static void adam(const learning *l, int epoch)
{
    const double first = 1 - pow(beta1, epoch), second = 1 - pow(beta2, epoch);
    for (int64_t i = 0; i < l->size; i++) {
        const double g = l->gradient[i];
        l->m[i] = (float)(beta1 * l->m[i] + (1 - beta1) * g);
        l->v[i] = (float)(beta2 * l->v[i] + (1 - beta2) * g * g);
        l->parameter[i] -= (float)(rate * (l->m[i] / first) / (sqrt(l->v[i] / second) + 1e-8));
    }
}

/* Two different views, a step. */
static wgdn_status run_epoch(double *loss, const learning *l, uint64_t seed, int epoch,
                             wgdn_error *err)
{
    const wgdn_stream s = {seed, (uint32_t)epoch, WGDN_CALL_REFINE};
    const int one = (int)(wgdn_random_bits(s, 0, 0) % VIEWS);
    const int other = (one + 1 + (int)(wgdn_random_bits(s, 0, 1) % (VIEWS - 1))) % VIEWS;
    const int view[2] = {one, other};
    float *da = l->gradient, *db = da + l->size / 2;
    wgdn_status st = WGDN_OK;
    memset(l->gradient, 0, (size_t)l->size * sizeof *l->gradient);
    for (int k = 0; k < 2 && !st; k++)
        st = wgdn_refine_forward(l->pair.code[k], &l->net[k], l->walk[view[k]], l->z[view[k]], err);
    if (!st) st = wgdn_agreement_make(loss, &l->pair, err);
    for (int k = 0; k < 2 && !st; k++)
        st = wgdn_refine_backward(da, db, &l->net[k], l->walk[view[k]], l->z[view[k]],
                                  l->pair.gradient[k], l->work, err);
    if (!st && !isfinite(*loss))
        st = wgdn_fail(err, WGDN_EHEALTH, "refine: the loss is %g in epoch %d", *loss, epoch);
    if (!st) adam(l, epoch);
    return st;
}

static wgdn_status keep(wgdn_fitted *f, const learning *l, wgdn_error *err)
{
    const size_t half = (size_t)l->size / 2;
    f->refined.in = wgdn_alloc(half, sizeof *f->refined.in);
    f->refined.out = wgdn_alloc(half, sizeof *f->refined.out);
    if (!f->refined.in || !f->refined.out)
        return wgdn_fail(err, WGDN_ENOMEM, "refine: two matrices of %lld columns", (long long)l->d);
    memcpy(f->refined.in, l->parameter, half * sizeof *l->parameter);
    memcpy(f->refined.out, l->parameter + half, half * sizeof *l->parameter);
    return WGDN_OK;
}

wgdn_status wgdn_refine_check(const wgdn_fitted *f, const wgdn_fit_input *in, wgdn_error *err)
{
    if (!f->options.refine) return WGDN_OK;
    if (in->memory.block) return no_blocks(err);
    if (f->parts == 1 && f->part[0].kind == WGDN_PART_SHARED) return WGDN_OK;
    return wgdn_fail(
        err, WGDN_EINVAL,
        "refine: it needs features that neighbors share, and these vectors are made of "
        "the graph's structure or of features that differ: leave out --refine");
}

wgdn_status wgdn_refine_learn(wgdn_fitted *f, const wgdn_fit_input *in, wgdn_refine_call tell,
                              wgdn_error *err)
{
    learning l = {.in = in, .d = wgdn_fitted_width(f)};
    wgdn_status st = open_learning(&l, err);
    st = wgdn_span_agree(in->rows, st, err);
    if (!st) st = wgdn_walk_weight(&l.loop, in, err);
    if (!st) st = walk_degree(&l.degree, in, err);
    for (int k = 0; k < VIEWS && !st; k++)
        st = draw_view(&l, k, f, err);
    if (!st) draw_parameters(&l, f->options.seed);
    for (int epoch = 1; epoch <= f->options.refine && !st; epoch++) {
        double loss = 0;
        st = run_epoch(&loss, &l, f->options.seed, epoch, err);
        if (!st) st = tell(f, epoch, err);
        st = wgdn_span_agree(in->rows, st, err);
        f->refined.loss[epoch > 1] = loss;
    }
    if (!st && f->options.refine >= ENOUGH && f->refined.loss[1] > f->refined.loss[0])
        st = wgdn_fail(err, WGDN_EHEALTH,
                       "refine: views agree less than before (%.3g, then %.3g): "
                       "leave it out",
                       f->refined.loss[0], f->refined.loss[1]);
    if (!st) st = keep(f, &l, err);
    close_learning(&l);
    return wgdn_span_agree(in->rows, st, err);
}
