/* SPDX-License-Identifier: Apache-2.0 */
#include "floor.h"
#include "peers.h"
#include "timing.h"

void floor_open(floor_work *f, const wgdn_model *m, const wgdn_graph *g, const wgdn_input *in)
{
    const wgdn_last last = wgdn_last_choice(m, in);
    const int64_t h = m->shape.width, x = m->shape.features,
                  n = in->rows.count > x ? in->rows.count : x;
    const size_t room = (size_t)(n * (last == WGDN_LAST_GRAM || h > x ? h : x));
    *f = (floor_work){.model = m, .graph = g, .input = in, .last = last};
    f->a = wgdn_alloc_zero(room, sizeof *f->a);
    f->b = wgdn_alloc_zero(room, sizeof *f->b);
    f->c = wgdn_alloc_zero(room, sizeof *f->c);
    if (!f->a || !f->b || !f->c) abort();
}

void floor_close(floor_work *f)
{
    wgdn_release(f->c);
    wgdn_release(f->b);
    wgdn_release(f->a);
}

/* `times` products of one shape; tn: a sum over n rows, k x m. */
static void add_dense(floor_work *f, double times, bool tn, int64_t n, int64_t k, int64_t m)
{
    const double start = seconds(), cpu = cpu_seconds();
    peer_gemm(&(wgdn_engine_product){.ta = tn,
                                     .m = tn ? k : n,
                                     .n = m,
                                     .k = tn ? n : k,
                                     .alpha = 1,
                                     .a = f->a,
                                     .lda = k,
                                     .b = f->b,
                                     .ldb = m,
                                     .c = f->c,
                                     .ldc = m});
    f->dense += times * (seconds() - start);
    f->cpu += times * (cpu_seconds() - cpu);
}

static void add_sparse(floor_work *f, double times, const wgdn_csr *s, int64_t d)
{
    const double start = seconds(), cpu = cpu_seconds();
    wgdn_spmm(f->c, s, f->a, d);
    f->sparse += times * (seconds() - start);
    f->cpu += times * (cpu_seconds() - cpu);
}

/* Products of n x in by in x out, forward and both gradients. */
static void add_layer(floor_work *f, double times, int64_t n, int64_t in, int64_t out)
{
    add_dense(f, times, false, n, in, out);
    add_dense(f, times, true, n, in, out);
    add_dense(f, times, false, n, out, in);
}

/* The first layer: its weight's gradient, but none of X; returns its products with L. */
static double add_first(floor_work *f)
{
    const wgdn_input *in = f->input;
    const int64_t h = f->model->shape.width;
    if (in->dense) { /* P(L) X is made once */
        add_dense(f, 1, false, in->rows.count, in->features, h);
        add_dense(f, 1, true, in->rows.count, in->features, h);
        return 0;
    }
    wgdn_csr t = in->transposed;
    t.value = NULL;
    add_sparse(f, 1, in->sparse, h);
    add_sparse(f, 1, &t, h);
    return 2.0 * f->model->shape.encoder_order;
}

/* The last layer's loss without R. */
static void add_gram(floor_work *f)
{
    const int64_t n = f->input->rows.count, h = f->model->shape.width, x = f->input->features;
    add_dense(f, 1, true, n, h, h);
    add_dense(f, 1, false, n, h, h);
    add_dense(f, 1, true, x, h, h);
    add_dense(f, 1, false, x, h, h);
    add_sparse(f, 3, f->input->sparse, h); /* sampled, E W, E^T B: the same entries gathered */
}

void floor_measure(floor_work *f)
{
    const wgdn_shape *s = &f->model->shape;
    const int64_t n = f->input->rows.count, h = s->width;
    f->dense = f->sparse = f->cpu = 0;
    double filters = add_first(f); /* products with L, width h */
    if (s->encoder_layers > 1) add_layer(f, s->encoder_layers - 1, n, h, h);
    filters += 2.0 * s->encoder_order * (s->encoder_layers - 1);
    for (int k = 0; k < s->decoder_layers; k++) {
        const int branches = k > 0 && f->model->options.skip != WGDN_SKIP_NONE ? 2 : 1;
        const double products = s->channels > 1 ? s->channels * branches : 1;
        const bool last = k == s->decoder_layers - 1;
        if (last && f->last == WGDN_LAST_NARROW) {
            add_sparse(f, 2.0 * s->decoder_order * branches * s->channels, &f->graph->adjacency,
                       s->features);
            filters += branches; /* of the noise estimate */
        } else {
            filters += 2.0 * s->decoder_order * branches;
        }
        if (!last || f->last != WGDN_LAST_GRAM)
            add_layer(f, products, n, h, last ? s->features : h);
    }
    if (f->last == WGDN_LAST_GRAM) add_gram(f);
    add_sparse(f, filters, &f->graph->adjacency, h);
}
