/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Learns vectors of the graph itself: low-frequency eigenvectors and factorized transition
 * probabilities. fit.c calls it for graphs without features or with few; known_nodes.c embeds with
 * the bases.
 */
#include "base/streams.h"
#define _DEFAULT_SOURCE /* M_PI */
#include "fit.h"

#include <math.h>

typedef struct drawing {
    float *v;
    const uint64_t *key;
    int64_t k;
    wgdn_stream stream;
} drawing;

static void draw_rows(int64_t first, int64_t count, void *context)
{
    const drawing *l = context;
    for (int64_t i = first; i < first + count; i++)
        wgdn_random_normals(l->v + i * l->k, l->k, l->stream, wgdn_key_row(l->key[i]), 1, 0, l->k);
}

/* Weights between 1 and 1.05, by the nodes' keys. */
static void tie_rows(int64_t first, int64_t count, void *context)
{
    const drawing *l = context;
    for (int64_t i = first; i < first + count; i++) {
        wgdn_random_uniforms(l->v + i, 1, l->stream, wgdn_key_row(l->key[i]), 1, 0, 1);
        l->v[i] = 1 + 0.05F * l->v[i];
    }
}

void wgdn_ties_break(float *tie, const wgdn_fit_input *in, uint64_t seed)
{
    drawing l = {tie, in->key, 1, {.seed = seed, .call = WGDN_CALL_SIGNS}};
    wgdn_for_rows(in->rows, tie_rows, &l);
}

void wgdn_sketch_nodes(float *v, const wgdn_fit_input *in, int64_t k, wgdn_stream stream)
{
    drawing l = {v, in->key, k, stream};
    wgdn_for_rows(in->rows, draw_rows, &l);
}

/*
 * Finds the leading vectors V of an operator A over the nodes; eigenvectors, transitions and
 * directed or typed edges share it.                                                  [WGDN:leading]
 *
 *     V <- orth(A^T A V), a few times;   B = A V;   B^T T B orders the columns
 *
 * T has weights near 1 of the nodes. Without them the directions of columns with almost the same
 * value would be rounding.
 */

static wgdn_status draw_chunk(float *to, float *from, wgdn_span chunk, void *self, wgdn_error *err)
{
    const drawing *d = self;
    drawing here = *d;
    (void)from, (void)err;
    here.v = to;
    here.key += wgdn_chunk_first(chunk);
    wgdn_for_rows(chunk, draw_rows, &here);
    return WGDN_OK;
}

/* Ranks share sums over the rows that are here as one piece: all columns are one block. */
static wgdn_status open_tall(wgdn_tall *t, const wgdn_fit_input *in, int64_t k, wgdn_error *err)
{
    const int64_t width = in->rows.dist ? k : wgdn_block_width(in, k);
    return wgdn_tall_open(t, in->rows, k, width, in->memory.scratch, err);
}

wgdn_status wgdn_leading_open(wgdn_leading *l, const wgdn_fit_input *in, int64_t k, uint64_t seed,
                              wgdn_error *err)
{
    drawing d = {NULL, in->key, k, {.seed = seed, .call = WGDN_CALL_SKETCH}};
    *l = (wgdn_leading){.in = in, .k = k};
    wgdn_status st = open_tall(&l->v, in, k, err);
    l->value = wgdn_alloc((size_t)k, sizeof *l->value);
    l->tie = wgdn_alloc((size_t)in->rows.count, sizeof *l->tie);
    if (!st && (!l->value || !l->tie))
        st = wgdn_fail(err, WGDN_ENOMEM, "structure: weights of %lld nodes",
                       (long long)in->rows.count);
    st = wgdn_span_agree(in->rows, st, err);
    if (!st) st = wgdn_tall_map_rows(&l->v, NULL, draw_chunk, &d, &l->work, err);
    if (!st) wgdn_ties_break(l->tie, in, seed);
    return st;
}

static wgdn_status leading_normal(wgdn_tall *v, void *self, wgdn_error *err)
{
    wgdn_leading *l = self;
    return l->normal(v, v, l->self, &l->work, err);
}

static wgdn_status leading_gram(double *g, const wgdn_tall *v, void *self, wgdn_error *err)
{
    wgdn_leading *l = self;
    wgdn_tall b;
    wgdn_status st = wgdn_span_agree(l->in->rows, open_tall(&b, l->in, l->k, err), err);
    if (!st) st = l->times(&b, v, l->self, &l->work, err);
    if (!st) st = wgdn_tall_gram(g, &b, l->tie, &l->work, err);
    wgdn_tall_close(&b);
    return st;
}

wgdn_status wgdn_leading_find(wgdn_leading *l, int rounds, wgdn_error *err)
{
    wgdn_subspace s = {.v = &l->v, .value = l->value, .work = &l->work};
    const wgdn_operator op = {
        .rows = l->in->rows, .gram = leading_gram, .normal = leading_normal, .self = l};
    return wgdn_subspace_find(&s, &op, rounds, err);
}

typedef struct keeping {
    float *to;
    const float *rows, *by_row;
    const double *factor;
    int64_t dim, k;
} keeping;

static void keep_rows(int64_t first, int64_t count, void *context)
{
    const keeping *p = context;
    for (int64_t i = first; i < first + count; i++)
        for (int64_t j = 0; j < p->dim; j++)
            p->to[i * p->dim + j] =
                (float)(p->rows[i * p->k + j] * p->factor[j] * (p->by_row ? p->by_row[i] : 1));
}

static wgdn_status keep_chunk(float *to, float *from, wgdn_span chunk, void *self, wgdn_error *err)
{
    keeping keep = *(const keeping *)self;
    (void)err;
    keep.to = to;
    keep.rows = from;
    if (keep.by_row) keep.by_row += wgdn_chunk_first(chunk);
    wgdn_for_rows(chunk, keep_rows, &keep);
    return WGDN_OK;
}

wgdn_status wgdn_leading_basis(wgdn_fitted_part *p, wgdn_leading *l, const float *by_row,
                               wgdn_error *err)
{
    keeping keep = {NULL, NULL, by_row, l->value, p->dim, l->k};
    wgdn_tall basis;
    wgdn_status st =
        wgdn_tall_open(&basis, l->in->rows, p->dim, p->dim, l->in->memory.scratch, err);
    p->rows = basis.rows.count;
    p->basis = basis.x;
    p->held = basis.store;
    st = wgdn_span_agree(l->in->rows, st, err);
    return st ? st : wgdn_tall_map_rows(&basis, &l->v, keep_chunk, &keep, &l->work, err);
}

/*
 * Leading eigenvectors of S, each weighted by exp(-t (1 - w)).                         [WGDN:eigen]
 *
 *     S U = U diag(w);   rows of U exp(-t (1 - w));   u_i = (1/w) s_i sum_j s_j u_j  (Nystroem)
 *
 * U is found by subspace iteration with a low-pass filter of S in place of S itself, starting from
 * a sketch that is addressed by the nodes' keys. Two rounds with exp(-6 L) estimate where the
 * wanted eigenvalues end; a few more rounds use a filter that is cut off there. The basis keeps s_j
 * u_j exp(-t (1 - w)) / w of each node j: the sum over a node's neighbors is its vector up to a
 * factor, also for nodes that were not in the fit.
 */

enum { FIRST = 2, THEN = 3, ORDER = 16 }; /* rounds of either filter; order of the second */

static const double filter_scale = 6; /* of the first: exp(-6 L) */
static const double smallest = 0.05;  /* eigenvalue that the formula above divides by */
static const double faint = 0.01;     /* length of columns behind the strong ones */

/* Filters of S: that of the part, and a steeper one that separates the wanted eigenvectors. */
typedef struct spectrum {
    double once[WGDN_FIT_ORDER_MAX + 1], often[WGDN_FIT_ORDER_MAX + 1];
    wgdn_poly part, steep;
} spectrum;

static wgdn_status times(wgdn_tall *to, const wgdn_tall *v, void *self, wgdn_tall_work *w,
                         wgdn_error *err)
{
    const spectrum *s = self;
    return wgdn_tall_filter(to, &s->part, v, w, err);
}

static wgdn_status normal(wgdn_tall *to, const wgdn_tall *v, void *self, wgdn_tall_work *w,
                          wgdn_error *err)
{
    const spectrum *s = self;
    return wgdn_tall_filter(to, &s->steep, v, w, err);
}

/* value = exp(-t (1 - w)) becomes exp(-t (1 - w)) / w; 0 where w is too small to divide by. */
static void nystroem_factors(double *value, int64_t k, double t)
{
    for (int64_t j = 0; j < k; j++) {
        const double w = value[j] > 0 ? 1 + log(value[j]) / t : 0;
        value[j] = w > smallest ? value[j] / w : 0;
    }
}

/* 1 - w of a column: where a filter may cut off, if it is the last one. */
static double end_of(const double *value, int64_t column, double t)
{
    const double last = value[column], end = last > 0 ? -log(last) / t : 1.5;
    return fmin(fmax(end, 0.02), 1.5);
}

/* Beside few features, columns that a classifier does not need fill the vector, but hardly count. */
static void make_faint(double *value, const wgdn_fitted_part *p)
{
    for (int64_t j = p->strong; p->strong > 0 && j < p->dim; j++)
        value[j] *= faint;
}

/* The first eigenvector is the degrees'. A part of one column keeps the second one instead, in units
 * of its mean. */
static void keep_second(wgdn_fitted_part *p, const wgdn_fit_input *in)
{
    const double unit = sqrt((double)in->rows.total);
    for (int64_t i = 0; i < in->rows.count; i++)
        p->basis[i] = (float)(unit * p->basis[2 * i + 1]);
    p->dim = 1;
}

/* The most that a low-pass filter raises lambda = 0 above what it cuts off: beside a column that is
 * larger by that, floats keep five digits of the others. */
static const double raised = 100;

/* T_m(x), also for |x| > 1 */
static double chebyshev(int m, double x)
{
    if (fabs(x) <= 1) return cos(m * acos(x));
    const double grown = cosh(m * acosh(fabs(x)));
    return x < 0 && m % 2 ? -grown : grown;
}

/*
 * f(lambda) = T_m((lambda - c) / e) / T_m(-c / e), c and e the middle and half of [cut, 2]: 1 at
 * lambda = 0, and within [cut, 2] as small as a polynomial of that order can be. Its series is
 * the cosine transform of its values at m + 1 Chebyshev nodes.                     [WGDN:low-pass]
 */
static int low_pass_series(double *a, double cut, int most)
{
    const double c = (cut + 2) / 2, e = (2 - cut) / 2;
    const int enough = (int)ceil(acosh(raised) / acosh(c / e)),
              order = enough < most ? enough : most;
    const double top = chebyshev(order, -c / e);
    const int nodes = order + 1;
    double value[WGDN_FIT_ORDER_MAX + 1];
    for (int i = 0; i < nodes; i++)
        value[i] = chebyshev(order, (1 + cos(M_PI * (i + 0.5) / nodes) - c) / e) / top;
    for (int k = 0; k < nodes; k++) {
        double sum = 0;
        for (int i = 0; i < nodes; i++)
            sum += value[i] * cos(M_PI * k * (i + 0.5) / nodes);
        a[k] = (k ? 2 : 1) * sum / nodes;
    }
    return order;
}

static wgdn_status eigen_learn(wgdn_fitted_part *p, const wgdn_fitted *f, const wgdn_fit_input *in,
                               wgdn_error *err)
{
    const bool single = p->dim == 1;
    p->dim = wgdn_min(single ? 2 : p->dim, in->rows.total);
    const int64_t k = wgdn_min(p->dim + WGDN_FIT_SPARE, in->rows.total);
    spectrum self = {.part.channels = 0};
    wgdn_leading l;
    wgdn_status st = wgdn_leading_open(&l, in, k, f->options.seed, err);
    l.times = times;
    l.normal = normal;
    l.self = &self;
    self.part = (wgdn_poly){.graph = in->graph, .channels = 1, .a = {self.once}};
    self.steep = (wgdn_poly){.graph = in->graph, .channels = 1, .a = {self.often}};
    self.part.order = wgdn_part_series(self.once, p, false);
    self.steep.order = wgdn_heat_series(self.often, filter_scale);
    if (!st) st = wgdn_leading_find(&l, FIRST, err);
    if (!st) {
        const double end = end_of(l.value, k - 1, p->scale);
        self.steep.order = low_pass_series(self.often, end, ORDER);
        st = wgdn_leading_find(&l, THEN, err);
    }
    if (!st) {
        p->last = 1 - end_of(l.value, p->dim - 1, p->scale);
        nystroem_factors(l.value, k, p->scale);
        while (p->dim > 1 && l.value[p->dim - 1] == 0)
            p->dim--;
        p->empty = l.value[0] == 0;
        make_faint(l.value, p);
        st = wgdn_leading_basis(p, &l, in->graph->inv_sqrt_degree, err);
        if (!st && single && p->dim == 2) keep_second(p, in);
    }
    wgdn_leading_close(&l);
    return wgdn_span_agree(in->rows, st, err);
}

const wgdn_part_calls wgdn_eigen_part = {"eigenvectors of the graph", eigen_learn,
                                         wgdn_known_embed};

/*
 * Factorizes transition probabilities relative to how often a node is visited.   [WGDN:transitions]
 *
 *     M_ij = log P_ij - log q_j  on edges,   P = D^-1 A,   q_j = (sum_i P_ij)^(3/4), of sum 1
 *
 * M_ij = a_i + b_j + log A_ij with a_i = -log d_i and b_j = -log q_j, so M is never stored:
 *
 *     M x = a o (E x) + E (b o x) + (log A) x
 *
 * E has a 1 for every edge, and the last term exists only with weights. Vectors are U s^(1/2) = M V
 * s^(-1/2). The basis keeps V s^(-1/2) and b, from which a node's neighbors give its vector.
 */

enum { ROUNDS = 3 };

static const double power = 0.75;

typedef struct transitions {
    const wgdn_fit_input *in;
    float *a, *b; /* of the rows here */
    float *other; /* rows x width */
    wgdn_arrays arrays;
} transitions;

typedef struct pass {
    float *y;
    const float *x, *by, *and;
    int64_t k;
} pass;

/* y = by o x + and */
static void combine_rows(int64_t first, int64_t count, void *context)
{
    const pass *p = context;
    for (int64_t i = first; i < first + count; i++)
        for (int64_t j = i * p->k; j < (i + 1) * p->k; j++)
            p->y[j] = p->by[i] * p->x[j] + p->and[j];
}

/* y = left o (E x) + E (right o x) + (log A) x; side and sum are scratch; y may be any of them. */
void wgdn_two_sided(float *y, const wgdn_fit_input *in, const float *x, const float *const by[2],
                    float *const scratch[2], int64_t k)
{
    float *side = scratch[0], *sum = scratch[1];
    wgdn_graph edges = *in->graph, logs = *in->graph;
    edges.adjacency.value = NULL;
    logs.adjacency.value = in->logs;
    wgdn_scale_rows(side, by[1], x, in->rows, k);
    wgdn_adjacency(sum, &edges, side, k);
    if (in->logs) {
        wgdn_adjacency(side, &logs, x, k);
        wgdn_axpy(sum, 1, side, in->rows.count, k);
    }
    wgdn_adjacency(side, &edges, x, k);
    pass p = {.y = y, .x = side, .by = by[0], .and = sum, .k = k};
    wgdn_for_rows(in->rows, combine_rows, &p);
}

static float *transitions_columns(float *x, float *y, int64_t at, int64_t width, void *self)
{
    const transitions *t = self;
    (void)at;
    wgdn_two_sided(y, t->in, x, (const float *const[2]){t->a, t->b}, (float *const[2]){t->other, y},
                   width);
    return y;
}

static float *transitions_columns_back(float *x, float *y, int64_t at, int64_t width, void *self)
{
    const transitions *t = self;
    (void)transitions_columns(x, y, at, width, self);
    wgdn_two_sided(x, t->in, y, (const float *const[2]){t->b, t->a}, (float *const[2]){t->other, x},
                   width);
    return x;
}

static wgdn_status transitions_times(wgdn_tall *to, const wgdn_tall *v, void *self,
                                     wgdn_tall_work *w, wgdn_error *err)
{
    return wgdn_tall_map_columns(to, v, WGDN_COLUMNS_READ, transitions_columns, self, w, err);
}

static wgdn_status transitions_normal(wgdn_tall *to, const wgdn_tall *v, void *self,
                                      wgdn_tall_work *w, wgdn_error *err)
{
    return wgdn_tall_map_columns(to, v, WGDN_COLUMNS_EDIT, transitions_columns_back, self, w, err);
}

/* b = -log q; 0 for a node that nobody goes to */
static void meet_logs(float *b, const wgdn_fit_input *in, void *work)
{
    wgdn_adjacency(b, in->graph, in->graph->inv_degree, 1);
    for (int64_t i = 0; i < in->rows.count; i++)
        b[i] = (float)pow(b[i], power);
    const double all = wgdn_reduce(WGDN_REDUCE_SUM, b, NULL, in->rows, 1, work);
    for (int64_t i = 0; i < in->rows.count; i++)
        b[i] = b[i] > 0 ? (float)-log(b[i] / all) : 0;
}

static wgdn_status transitions_learn(wgdn_fitted_part *p, const wgdn_fitted *f,
                                     const wgdn_fit_input *in, wgdn_error *err)
{
    const size_t n = (size_t)in->rows.count;
    p->dim = wgdn_min(p->dim, in->rows.total);
    const int64_t k = wgdn_min(p->dim + WGDN_FIT_SPARE, in->rows.total);
    transitions self = {.in = in};
    wgdn_leading l;
    wgdn_status st = wgdn_leading_open(&l, in, k, f->options.seed, err);
    l.times = transitions_times;
    l.normal = transitions_normal;
    l.self = &self;
    self.b = wgdn_alloc(n, sizeof *self.b); /* the part keeps it */
    self.a = wgdn_arrays_add(&self.arrays, n, sizeof *self.a);
    self.other = wgdn_arrays_add(&self.arrays, n * (size_t)l.v.width, sizeof *self.other);
    void *work = wgdn_arrays_add(&self.arrays, wgdn_reduce_work(in->rows, 1), 1);
    if (!st && (!self.b || self.arrays.failed))
        st = wgdn_fail(err, WGDN_ENOMEM, "transitions: a block of columns");
    st = wgdn_span_agree(in->rows, st, err);
    if (!st) {
        for (int64_t i = 0; i < in->graph->adjacency.rows; i++) {
            const double d = wgdn_graph_strength(&in->graph->adjacency, i);
            self.a[i] = d > 0 ? (float)-log(d) : 0;
        }
        meet_logs(self.b, in, work);
        st = wgdn_leading_find(&l, ROUNDS, err);
    }
    if (!st) {
        const double least = WGDN_FIT_RANK * l.value[0];
        while (p->dim > 1 && !(l.value[p->dim - 1] > least))
            p->dim--;
        p->empty = !(l.value[0] > 0);
        for (int64_t j = 0; j < p->dim; j++)
            l.value[j] = p->empty ? 0 : 1 / sqrt(l.value[j]);
        make_faint(l.value, p);
        st = wgdn_leading_basis(p, &l, NULL, err);
    }
    if (!st) {
        p->offset = self.b;
        self.b = NULL;
    }
    wgdn_arrays_release(&self.arrays);
    wgdn_release(self.b);
    wgdn_leading_close(&l);
    return wgdn_span_agree(in->rows, st, err);
}

const wgdn_part_calls wgdn_transitions_part = {"transitions, factorized", transitions_learn,
                                               wgdn_known_embed};
