/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What happens to an embedding on its way from the encoder to the decoder, so that the decoder has
 * something to undo:
 *
 *     noise      x = h + beta std(h) Z,  std over all entries, unbiased            [WGDN:noise]
 *     drop-node  x_i = 0 with probability p, else h_i                              [WGDN:drop]
 *     drop-edge  x = h, and every edge is missing from the decoder's graph with probability p
 *
 * The choices are constants for the gradient: dh = dx, without the rows of dropped nodes. They are
 * functions of (seed, epoch) and the node or the edge, so they are the same for all layers of a
 * step and are drawn again rather than kept; the dropped graph alone is, once for each step.
 */
#include "augment.h"
#include "base/streams.h"

#include <math.h>
#include <string.h>

static bool drops(const wgdn_model *m, wgdn_augment what)
{
    return m->options.augment == what && m->options.drop_rate > 0;
}

/* Whether the node, or the edge between two of them, is missing. */
static bool dropped(wgdn_stream s, double p, int64_t low, int64_t high)
{
    s.call = WGDN_CALL_DROP;
    return wgdn_random_bits(s, low, high) < p * 0x1p32;
}

/* ---- rows ---- */

typedef struct row_drop {
    float *x;
    int64_t d, first; /* row of the whole that is row 0 here */
    double p;
    wgdn_stream step;
} row_drop;

static void drop_rows(int64_t first, int64_t count, double *sums, void *context)
{
    const row_drop *r = context;
    (void)sums;
    for (int64_t i = first; i < first + count; i++)
        if (dropped(r->step, r->p, r->first + i, 0))
            memset(r->x + i * r->d, 0, (size_t)r->d * sizeof *r->x);
}

void wgdn_augment_rows_back(float *dx, const wgdn_pass *p)
{
    const wgdn_model *m = p->m;
    const wgdn_span rows = p->w->rows;
    row_drop r = {dx, m->shape.width, rows.first, m->options.drop_rate, p->noise};
    if (drops(m, WGDN_AUGMENT_DROP_NODE)) wgdn_for_blocks(rows, drop_rows, &r, NULL, 0, NULL);
}

void wgdn_augment_rows(float *x, const wgdn_pass *p, int k)
{
    const wgdn_train_options *o = &p->m->options;
    const wgdn_span rows = p->w->rows;
    const int64_t h = p->m->shape.width;
    wgdn_stream noise = p->noise;
    double mean, variance;
    wgdn_augment_rows_back(x, p); /* dropping is its own gradient */
    if (o->augment != WGDN_AUGMENT_NOISE || o->beta == 0) return;
    wgdn_mean_variance(&mean, &variance, x, rows, h, p->w->sums);
    const float a = (float)(o->beta * sqrt(variance));
    noise.call = (uint16_t)(noise.call + k);
    if (p->draws)
        wgdn_axpy(x, a, p->draws[k], rows.count, h);
    else
        wgdn_add_normals(x, x, a, noise, rows, h);
}

/* ---- edges ---- */

typedef struct edge_drop {
    const wgdn_graph *graph; /* before anything is dropped */
    int64_t first;
    double p;
    wgdn_stream step;
} edge_drop;

/* Row i here, and what its column j stands for, by their numbers in the whole. */
static bool edge_stays(int64_t i, int64_t j, const void *context)
{
    const edge_drop *e = context;
    j = wgdn_column_row(e->graph, e->first, j);
    i += e->first;
    return !dropped(e->step, e->p, i < j ? i : j, i < j ? j : i);
}

const wgdn_graph *wgdn_augment_graph(const wgdn_pass *p)
{
    const wgdn_graph *g = p->g;
    wgdn_workspace *w = p->w;
    const edge_drop e = {g, w->rows.first, p->m->options.drop_rate, p->noise};
    if (!drops(p->m, WGDN_AUGMENT_DROP_EDGE)) return g;
    wgdn_thin_count(&w->thin, g, w->rows, edge_stays, &e);
    wgdn_thin_fill(&w->thin, g, w->rows, edge_stays, &e);
    wgdn_graph_weigh_halo(&w->thin);
    return &w->thin;
}
