/* SPDX-License-Identifier: Apache-2.0 */
#include "batches.h"
#include "dataset/dataset.h"

typedef struct pool_call {
    float *out;     /* of the batch's first graph */
    const float *h; /* its nodes' vectors */
    const int64_t *start;
    int64_t d;
    wgdn_pool how;
} pool_call;

/* One graph: its rows from first to last, column by column, sums in double. */
static void pool_graph(const pool_call *c, int64_t g)
{
    const int64_t first = c->start[g], end = c->start[g + 1];
    for (int64_t j = 0; j < c->d; j++) {
        const float *h = c->h + j;
        double sum = h[first * c->d];
        for (int64_t i = first + 1; i < end; i++) {
            const double x = h[i * c->d];
            sum = c->how == WGDN_POOL_MAX ? (x > sum ? x : sum) : sum + x;
        }
        c->out[g * c->d + j] =
            (float)(c->how == WGDN_POOL_MEAN ? sum / (double)(end - first) : sum);
    }
}

static void pool_rows(int64_t first, int64_t count, double *sums, void *context)
{
    (void)sums;
    for (int64_t g = first; g < first + count; g++)
        pool_graph(context, g);
}

static wgdn_status embed_runs(float *out, const wgdn_model *m, wgdn_batches *b, wgdn_pool pool,
                              wgdn_error *err)
{
    const int64_t d = m->shape.width, most = b->batch.room.nodes;
    wgdn_workspace *w = NULL;
    float *h = wgdn_alloc((size_t)most, (size_t)d * sizeof *h);
    wgdn_status st = h ? wgdn_workspace_new(&w, m, b->input, false, err)
                       : wgdn_fail(err, WGDN_ENOMEM, "vectors of %lld nodes", (long long)most);
    for (int64_t g = 0; !st && g < b->graphs;) {
        const int64_t end = wgdn_batches_take_run(b, g);
        wgdn_workspace_fit(w, b->input->rows);
        st = wgdn_encode(h, m, w, b->graph, b->input, err);
        if (!st)
            wgdn_for_blocks(wgdn_alone(end - g), pool_rows,
                            &(pool_call){out + g * d, h, b->batch.start, d, pool}, NULL, 0, NULL);
        g = end;
    }
    wgdn_workspace_free(w);
    wgdn_release(h);
    return st;
}

wgdn_status wgdn_embed_graphs(float *out, const wgdn_model *m, const wgdn_dataset *d,
                              wgdn_pool pool, wgdn_error *err)
{
    wgdn_batches b = {0};
    if (wgdn_dataset_rows(d).dist)
        return wgdn_fail(err, WGDN_EINVAL, "vectors of graphs: not from ranks; do without mpirun");
    wgdn_status st = wgdn_batches_open_runs(&b, d, m, err);
    if (!st) st = embed_runs(out, m, &b, pool, err);
    wgdn_batches_free(&b);
    return st;
}
