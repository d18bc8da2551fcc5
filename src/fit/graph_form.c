/* SPDX-License-Identifier: Apache-2.0 */
/* Whole graphs in closed form: node columns, cosines, a basis; and the same for other graphs. */
#include "graphs.h"

#include <string.h>

enum { WIDTH = WGDN_GRAPH_WIDTH, SLAB = WGDN_GRAPH_SLAB };

void wgdn_graph_form_free(wgdn_graph_form *form)
{
    if (!form) return;
    wgdn_release(form->basis);
    wgdn_release(form->centre);
    wgdn_release(form);
}

/* ---- fitting ---- */

static wgdn_status tell(const wgdn_fit_options *o, int64_t done, wgdn_error *err)
{
    if (!o->progress || !o->progress(o->progress_user, done, WGDN_GRAPH_BLOCKS + 1)) return WGDN_OK;
    return wgdn_fail(err, WGDN_ESTOPPED, "fit: stopped");
}

/* Pooled cosines of all graphs. t: graphs x WIDTH */
static wgdn_status pool_all(float *t, const wgdn_graph_input *in, const wgdn_fit_options *o,
                            wgdn_error *err)
{
    wgdn_cosines c;
    wgdn_status st = wgdn_cosines_open(&c, in, o->seed, err);
    if (st) return st;
    for (int64_t at = 0; at < WIDTH && !st; at += SLAB) {
        if (at % WGDN_GRAPH_COSINES == 0) st = tell(o, at / WGDN_GRAPH_COSINES, err);
        if (!st) st = wgdn_cosines_pool(t + at, WIDTH, &c, at, err);
    }
    if (!st) st = tell(o, WGDN_GRAPH_BLOCKS, err);
    wgdn_cosines_close(&c);
    return st;
}

static wgdn_status refuse(const wgdn_fit_options *o, const wgdn_dataset *d, wgdn_error *err)
{
    if (wgdn_dataset_graphs(d) < 2)
        return wgdn_fail(err, WGDN_EINVAL,
                         "fit: vectors of graphs are learnt from several of them, and this is one; "
                         "take task node for vectors of its nodes");
    if (o->scale >= 0)
        return wgdn_fail(err, WGDN_EINVAL,
                         "scale: it is that of a filter for nodes; leave it out for whole graphs");
    if (o->refine)
        return wgdn_fail(err, WGDN_EINVAL,
                         "refine: it is for vectors of nodes; leave it out for whole graphs");
    return WGDN_OK;
}

wgdn_status wgdn_graph_form_learn(wgdn_fitted *f, const wgdn_dataset *d, wgdn_error *err)
{
    wgdn_graph_input in = {0};
    float *t = NULL;
    wgdn_status st = refuse(&f->options, d, err);
    if (st) return st;
    if (d->degrees) f->features = 0; /* a column of its own says it better */
    st = wgdn_graph_input_open(&in, d, f, err);
    if (st) return st;
    wgdn_graph_form *form = f->graphs = wgdn_alloc_zero(1, sizeof *form);
    t = wgdn_alloc((size_t)in.graphs * WIDTH, sizeof *t);
    if (!form || !t) {
        st = wgdn_fail(err, WGDN_ENOMEM, "cosines of %lld graphs", (long long)in.graphs);
        goto done;
    }
    st = wgdn_node_columns_measure(form, in.column, in.nodes, err);
    if (!st) {
        wgdn_node_columns_scale(in.column, in.nodes, form);
        st = pool_all(t, &in, &f->options, err);
    }
    if (!st) st = wgdn_graph_basis_learn(form, t, in.graphs, &f->options, err);

done:
    wgdn_release(t);
    wgdn_graph_input_close(&in);
    return st;
}

/* ---- embedding ---- */

typedef struct centring {
    float *t;
    const float *centre;
} centring;

static void centre_rows(int64_t first, int64_t count, double *sums, void *context)
{
    const centring *c = context;
    (void)sums;
    for (int64_t g = first; g < first + count; g++)
        for (int64_t j = 0; j < SLAB; j++)
            c->t[g * SLAB + j] -= c->centre[j];
}

/* out += (T - m) basis, a slab of columns of T at a time. */
static wgdn_status add_slab(float *out, float *t, const wgdn_graph_form *form, int64_t at,
                            int64_t graphs, wgdn_error *err)
{
    const wgdn_span all = wgdn_alone(graphs);
    centring c = {t, form->centre + at};
    wgdn_product p = wgdn_product_of(out, t, form->basis + at * form->dim, all, SLAB, form->dim);
    p.beta = at > 0 ? 1 : 0;
    wgdn_for_blocks(all, centre_rows, &c, NULL, 0, NULL);
    return wgdn_gemm_nn(&p, err);
}

wgdn_status wgdn_graph_form_embed(float *out, const wgdn_fitted *f, const wgdn_dataset *d,
                                  wgdn_error *err)
{
    wgdn_graph_input in = {0};
    wgdn_cosines c = {0};
    wgdn_status st = wgdn_graph_input_open(&in, d, f, err);
    if (st) return st;
    wgdn_node_columns_scale(in.column, in.nodes, f->graphs);
    float *t = wgdn_alloc((size_t)in.graphs * SLAB, sizeof *t);
    if (!t) st = wgdn_fail(err, WGDN_ENOMEM, "cosines of %lld graphs", (long long)in.graphs);
    if (!st) st = wgdn_cosines_open(&c, &in, f->options.seed, err);
    for (int64_t at = 0; at < WIDTH && !st; at += SLAB) {
        st = wgdn_cosines_pool(t, SLAB, &c, at, err);
        if (!st) st = add_slab(out, t, f->graphs, at, in.graphs, err);
    }
    wgdn_cosines_close(&c);
    wgdn_release(t);
    wgdn_graph_input_close(&in);
    return st;
}
