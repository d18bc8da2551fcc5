/* SPDX-License-Identifier: Apache-2.0 */
/* Walks of one step over a graph, or over what is left of it without some edges. */
#include "refine.h"

#include <math.h>
#include <string.h>

static void sum_weights(int64_t first, int64_t count, double *sums, void *context)
{
    const wgdn_csr *a = context;
    for (int64_t i = first; i < first + count; i++) {
        sums[0] += wgdn_graph_strength(a, i);
        sums[1] += (double)(a->offset[i + 1] - a->offset[i]);
    }
}

wgdn_status wgdn_walk_weight(double *w, const wgdn_fit_input *in, wgdn_error *err)
{
    wgdn_csr a = in->graph->adjacency;
    double sums[2] = {0, 0};
    *w = 1;
    if (!in->weighted) return WGDN_OK;
    void *work = wgdn_alloc(wgdn_for_blocks_work(in->rows, 2), 1);
    const wgdn_status st = wgdn_span_agree(
        in->rows, work ? WGDN_OK : wgdn_fail(err, WGDN_ENOMEM, "refine: mean of the weights"), err);
    if (!st) wgdn_for_blocks(in->rows, sum_weights, &a, sums, 2, work);
    if (sums[1] > 0) *w = sums[0] / sums[1];
    wgdn_release(work);
    return st;
}

static bool open_degrees(wgdn_graph *g)
{
    const size_t columns = (size_t)g->adjacency.cols;
    g->inv_sqrt_degree = wgdn_alloc(columns, sizeof *g->inv_sqrt_degree);
    g->inv_degree = wgdn_alloc(columns, sizeof *g->inv_degree);
    return g->inv_sqrt_degree && g->inv_degree;
}

void wgdn_walk_loop(wgdn_walk *w, double loop)
{
    wgdn_graph *g = &w->graph;
    for (int64_t i = 0; i < g->adjacency.rows; i++) {
        const double d = wgdn_graph_strength(&g->adjacency, i) + loop;
        g->inv_sqrt_degree[i] = (float)(1 / sqrt(d));
        g->inv_degree[i] = (float)(loop / d);
    }
    wgdn_graph_weigh_halo(g);
}

wgdn_status wgdn_walk_open(wgdn_walk *w, const wgdn_fit_input *in, wgdn_error *err)
{
    *w = (wgdn_walk){
        .graph = {.adjacency = in->graph->adjacency, .halo = in->graph->halo, .borrowed = true}};
    if (open_degrees(&w->graph)) return WGDN_OK;
    return wgdn_fail(err, WGDN_ENOMEM, "refine: degrees of %lld nodes", (long long)in->rows.count);
}

/* ---- without some edges ---- */

typedef struct thinning {
    const wgdn_csr *from;
    wgdn_csr *to;
    const float *code; /* of each column's node: 24 bits of its key */
    wgdn_stream s;
    double limit; /* edges with bits below it go */
} thinning;

/* The same seen from either end. */
static bool stays(const thinning *t, int64_t i, int64_t k)
{
    const float a = t->code[i], b = t->code[t->from->column[k]];
    const uint32_t bits = wgdn_random_bits(t->s, (int64_t)fminf(a, b), (int64_t)fmaxf(a, b));
    return bits >= t->limit;
}

static void count_rows(int64_t first, int64_t count, double *sums, void *context)
{
    const thinning *t = context;
    (void)sums;
    for (int64_t i = first; i < first + count; i++) {
        int64_t kept = 0;
        for (int64_t k = t->from->offset[i]; k < t->from->offset[i + 1]; k++)
            kept += stays(t, i, k);
        t->to->offset[i + 1] = kept;
    }
}

static void fill_rows(int64_t first, int64_t count, double *sums, void *context)
{
    const thinning *t = context;
    (void)sums;
    for (int64_t i = first; i < first + count; i++) {
        int64_t at = t->to->offset[i];
        for (int64_t k = t->from->offset[i]; k < t->from->offset[i + 1]; k++) {
            if (!stays(t, i, k)) continue;
            t->to->column[at] = t->from->column[k];
            if (t->to->value) t->to->value[at] = t->from->value[k];
            at++;
        }
    }
}

static bool thin(thinning *t, wgdn_span rows)
{
    const wgdn_csr *a = t->from;
    wgdn_csr *b = t->to;
    *b = (wgdn_csr){.rows = a->rows, .cols = a->cols};
    b->offset = wgdn_alloc_zero((size_t)a->rows + 1, sizeof *b->offset);
    if (!b->offset) return false;
    wgdn_for_blocks(rows, count_rows, t, NULL, 0, NULL);
    for (int64_t i = 0; i < a->rows; i++)
        b->offset[i + 1] += b->offset[i];
    const size_t entries = (size_t)wgdn_csr_entries(b);
    b->column = wgdn_alloc(entries, sizeof *b->column);
    if (a->value) b->value = wgdn_alloc(entries, sizeof *b->value);
    if (!b->column || (a->value && !b->value)) return false;
    wgdn_for_blocks(rows, fill_rows, t, NULL, 0, NULL);
    return true;
}

wgdn_status wgdn_walk_thin(wgdn_walk *w, const wgdn_fit_input *in, double share, wgdn_stream s,
                           wgdn_error *err)
{
    const wgdn_csr *a = &in->graph->adjacency;
    wgdn_graph *g = &w->graph;
    float *code = wgdn_alloc((size_t)a->cols, sizeof *code);
    thinning t = {a, &g->adjacency, code, s, 0x1p32 * share};
    *w = (wgdn_walk){.graph = {.halo = in->graph->halo, .borrowed = true}, .owned = true};
    for (int64_t i = 0; code && i < a->rows; i++)
        code[i] = (float)(in->key[i] >> 40);
    wgdn_status st = wgdn_span_agree(
        in->rows,
        code ? WGDN_OK
             : wgdn_fail(err, WGDN_ENOMEM, "refine: %lld nodes", (long long)in->rows.count),
        err);
    if (!st && g->halo) wgdn_halo_fill(g->halo, code, a->rows);
    if (!st && (!thin(&t, in->rows) || !open_degrees(g)))
        st = wgdn_fail(err, WGDN_ENOMEM, "refine: a view of %lld edges",
                       (long long)wgdn_csr_entries(a));
    st = wgdn_span_agree(in->rows, st, err);
    for (int64_t i = 0; i < a->rows && !st; i++)
        wgdn_graph_weigh(g, i);
    if (!st) wgdn_graph_weigh_halo(g);
    wgdn_release(code);
    if (st) wgdn_walk_close(w);
    return st;
}

void wgdn_walk_close(wgdn_walk *w)
{
    if (w->owned) wgdn_csr_free(&w->graph.adjacency);
    wgdn_release(w->graph.inv_degree);
    wgdn_release(w->graph.inv_sqrt_degree);
    *w = (wgdn_walk){.owned = false};
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

void wgdn_walk_product(float *y, const wgdn_walk *w, const float *x, int64_t d)
{
    stepping s = {&w->graph, x, y, d};
    wgdn_laplacian(y, &w->graph, x, d);
    wgdn_for_blocks(wgdn_graph_span(&w->graph), add_loops, &s, NULL, 0, NULL);
}
