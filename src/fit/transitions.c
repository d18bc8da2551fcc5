/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Transition probabilities against how often a node is met, factorised.             [WGDN:transitions]
 *
 *     M_ij = log P_ij - log q_j  on edges,   P = D^-1 A,   q_j = (sum_i P_ij)^(3/4), of sum 1
 *
 * M_ij = a_i + b_j + log A_ij with a_i = -log d_i and b_j = -log q_j, so that M is never stored:
 * M x = a o (E x) + E (b o x) + (log A) x, where E has a 1 for every edge and the last term is there
 * with weights only. Vectors are U s^(1/2) = M V s^(-1/2); what is kept is V s^(-1/2) and b, of
 * which a node's neighbours make its vector.
 */
#include "columns.h"

#include <math.h>

enum { ROUNDS = 3 };

static const double power = 0.75;

typedef struct transitions {
    const wgdn_fit_input *in;
    float *a, *b; /* of the rows here */
    float *other; /* rows x width */
} transitions;

typedef struct pass {
    float *y;
    const float *x, *by, *and;
    int64_t k;
} pass;

/* y = by o x + and */
static void combine_rows(int64_t first, int64_t count, double *sums, void *context)
{
    const pass *p = context;
    (void)sums;
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
    wgdn_for_blocks(in->rows, combine_rows, &p, NULL, 0, NULL);
}

static float *times(float *x, float *y, int64_t width, void *self)
{
    const transitions *t = self;
    wgdn_two_sided(y, t->in, x, (const float *const[2]){t->a, t->b}, (float *const[2]){t->other, y},
                   width);
    return y;
}

static float *normal(float *x, float *y, int64_t width, void *self)
{
    const transitions *t = self;
    (void)times(x, y, width, self);
    wgdn_two_sided(x, t->in, y, (const float *const[2]){t->b, t->a}, (float *const[2]){t->other, x},
                   width);
    return x;
}

static void degrees_to_logs(float *a, const wgdn_csr *g)
{
    for (int64_t i = 0; i < g->rows; i++) {
        const double d = wgdn_graph_strength(g, i);
        a[i] = d > 0 ? (float)-log(d) : 0;
    }
}

/* b = -log q; 0 for a node that nobody goes to */
static void meet_logs(float *b, const wgdn_fit_input *in, void *work)
{
    wgdn_adjacency(b, in->graph, in->graph->inv_degree, 1);
    for (int64_t i = 0; i < in->rows.count; i++)
        b[i] = (float)pow(b[i], power);
    const double all = wgdn_sum(b, in->rows, 1, work);
    for (int64_t i = 0; i < in->rows.count; i++)
        b[i] = b[i] > 0 ? (float)-log(b[i] / all) : 0;
}

wgdn_status wgdn_transitions_learn(wgdn_fitted_part *p, const wgdn_fit_input *in, uint64_t seed,
                                   wgdn_error *err)
{
    const size_t n = (size_t)in->rows.count;
    p->dim = wgdn_min(p->dim, in->rows.total);
    const int64_t k = wgdn_min(p->dim + WGDN_FIT_SPARE, in->rows.total);
    transitions self = {.in = in};
    wgdn_leading l;
    wgdn_status st = wgdn_leading_open(&l, in, k, seed, err);
    l.times = times;
    l.normal = normal;
    l.self = &self;
    self.a = wgdn_alloc(n, sizeof *self.a);
    self.b = wgdn_alloc(n, sizeof *self.b);
    self.other = wgdn_alloc(n * (size_t)l.v.width, sizeof *self.other);
    void *work = wgdn_alloc(wgdn_reduce_work(in->rows, 1), 1);
    if (!st && (!self.a || !self.b || !self.other || !work))
        st = wgdn_fail(err, WGDN_ENOMEM, "transitions: a slab of columns");
    st = wgdn_span_agree(in->rows, st, err);
    if (!st) {
        degrees_to_logs(self.a, &in->graph->adjacency);
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
        st = wgdn_leading_basis(p, &l, NULL, err);
    }
    if (!st) {
        p->offset = self.b;
        self.b = NULL;
    }
    wgdn_release(work);
    wgdn_release(self.other);
    wgdn_release(self.b);
    wgdn_release(self.a);
    wgdn_leading_close(&l);
    return wgdn_span_agree(in->rows, st, err);
}
