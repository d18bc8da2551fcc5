/* SPDX-License-Identifier: Apache-2.0 */
/* Walks of one step over a graph, or over what is left of it without some edges. */
#include "refine.h"

#include <math.h>

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

wgdn_status wgdn_walk_degree(double *degree, const wgdn_fit_input *in, wgdn_error *err)
{
    double sums[2] = {0, 0};
    const wgdn_status st = sum_edges(sums, in, err);
    *degree = in->rows.total > 0 ? sums[1] / (double)in->rows.total : 0;
    return st;
}

wgdn_status wgdn_walk_open(wgdn_graph **out, const wgdn_fit_input *in, wgdn_error *err)
{
    const wgdn_status st = wgdn_graph_from_rows(out, &in->graph->adjacency, true, err);
    if (!st) (*out)->halo = in->graph->halo;
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
static void add_loops(int64_t first, int64_t count, double *sums, void *context)
{
    const stepping *s = context;
    (void)sums;
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
    wgdn_for_blocks(wgdn_graph_span(w), add_loops, &s, NULL, 0, NULL);
}
