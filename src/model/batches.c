/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Returns the graph and the input of each training step: the whole dataset, or a batch of graphs
 * joined into one block-diagonal graph. It also pools the codes of nodes into vectors of graphs;
 * the trainer and embed.c call it.
 */
#include "batches.h"
#include "base/streams.h"
#include "data/dataset.h"

#include <string.h>

/*
 * Concatenates graphs of a set into one block-diagonal graph, in arrays that are allocated once.
 * model/batches.c calls it for every training step on whole graphs.
 */

/* that new will take */
static size_t batch_bytes(wgdn_batch_room room)
{
    const wgdn_graph *g = NULL;
    const size_t node =
        sizeof *g->adjacency.offset + sizeof *g->inv_sqrt_degree + sizeof *g->inv_degree;
    return (size_t)(room.graphs + 1) * sizeof(int64_t) + (size_t)room.nodes * node +
           (size_t)room.entries *
               (sizeof *g->adjacency.column + (room.weighted ? sizeof *g->adjacency.value : 0));
}

static void batch_free(wgdn_batch *b)
{
    wgdn_release(b->graph.inv_degree);
    wgdn_release(b->graph.inv_sqrt_degree);
    wgdn_csr_free(&b->graph.adjacency);
    wgdn_release(b->start);
    *b = (wgdn_batch){0};
}

static wgdn_status batch_new(wgdn_batch *b, wgdn_batch_room room, wgdn_error *err)
{
    wgdn_graph *g = &b->graph;
    *b = (wgdn_batch){.room = room};
    b->start = wgdn_alloc((size_t)room.graphs + 1, sizeof *b->start);
    g->adjacency.offset = wgdn_alloc((size_t)room.nodes + 1, sizeof *g->adjacency.offset);
    g->adjacency.column = wgdn_alloc((size_t)room.entries, sizeof *g->adjacency.column);
    if (room.weighted)
        g->adjacency.value = wgdn_alloc((size_t)room.entries, sizeof *g->adjacency.value);
    g->inv_sqrt_degree = wgdn_alloc((size_t)room.nodes, sizeof *g->inv_sqrt_degree);
    g->inv_degree = wgdn_alloc((size_t)room.nodes, sizeof *g->inv_degree);
    if (b->start && g->adjacency.offset && g->adjacency.column && g->inv_sqrt_degree &&
        g->inv_degree && (!room.weighted || g->adjacency.value))
        return WGDN_OK;
    batch_free(b);
    return wgdn_fail(err, WGDN_ENOMEM, "a batch of %lld graphs with %lld nodes",
                     (long long)room.graphs, (long long)room.nodes);
}

/* One graph of the set behind what is there: its rows as they are, its columns moved along. */
static void append(wgdn_graph *to, const wgdn_graph *whole, int64_t first, int64_t end)
{
    const wgdn_csr *from = &whole->adjacency;
    wgdn_csr *a = &to->adjacency;
    const int64_t entries = from->offset[end] - from->offset[first], at = a->offset[a->rows];
    const int64_t shift = at - from->offset[first];
    const int32_t move = (int32_t)(a->rows - first);
    const size_t nodes = (size_t)(end - first);
    memcpy(to->inv_sqrt_degree + a->rows, whole->inv_sqrt_degree + first, nodes * sizeof(float));
    memcpy(to->inv_degree + a->rows, whole->inv_degree + first, nodes * sizeof(float));
    for (int64_t i = first; i < end; i++)
        a->offset[++a->rows] = from->offset[i + 1] + shift;
    for (int64_t k = 0; k < entries; k++)
        a->column[at + k] = from->column[from->offset[first] + k] + move;
    if (a->value)
        memcpy(a->value + at, from->value + from->offset[first], (size_t)entries * sizeof(float));
}

/* Graphs member[0 .. count) of a set whose graph g has the nodes start[g] .. start[g + 1] - 1. */
static void batch_gather(wgdn_batch *b, const wgdn_graph *whole, const int64_t *start,
                         const int64_t *member, int64_t count)
{
    wgdn_csr *a = &b->graph.adjacency;
    a->rows = 0;
    a->offset[0] = 0;
    b->graphs = count;
    for (int64_t k = 0; k < count; k++) {
        b->start[k] = a->rows;
        append(&b->graph, whole, start[member[k]], start[member[k] + 1]);
    }
    b->start[count] = a->cols = a->rows;
}

enum {
    RUN_NODES = 8192,    /* of a run: its matrices stay near the caches, its products are large */
    DRAWS_MAX = 1 << 26, /* beyond this the largest batch is not looked for but bounded */
};

/* Graphs in a batch, 0 for a single step with everything. */
static int64_t batch_size(const wgdn_train_options *o, const wgdn_dataset *d)
{
    return wgdn_task_is_graph(o, d) && o->batch_size < wgdn_dataset_graphs(d) ? o->batch_size : 0;
}

int64_t wgdn_steps_of_epoch(const wgdn_train_options *o, const wgdn_dataset *d)
{
    const int64_t size = batch_size(o, d);
    return size ? (wgdn_dataset_graphs(d) + size - 1) / size : 1;
}

/* Fisher and Yates, with the bits at (seed, epoch, graph). */
static void draw_order(int64_t *order, int64_t graphs, uint64_t seed, int64_t epoch)
{
    const wgdn_stream s = {seed, (uint32_t)epoch, WGDN_CALL_ORDER};
    for (int64_t i = 0; i < graphs; i++)
        order[i] = i;
    for (int64_t i = 0; i + 1 < graphs; i++) {
        const uint64_t left = (uint64_t)(graphs - i);
        const int64_t j = i + (int64_t)(wgdn_random_bits(s, i, 0) * left >> 32), was = order[i];
        order[i] = order[j];
        order[j] = was;
    }
}

/* ---- how large a batch can get ---- */

typedef struct extent {
    wgdn_batch_room room;
    int64_t features; /* entries of sparse X */
} extent;

static int64_t most(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static void add_graph(extent *e, const wgdn_batches *b, int64_t g)
{
    const int64_t *a = b->whole->adjacency.offset, *x = b->feed.matrix.csr.offset;
    const int64_t first = b->start[g], end = b->start[g + 1];
    e->room.graphs++;
    e->room.nodes += end - first;
    e->room.entries += a[end] - a[first];
    if (x) e->features += x[end] - x[first];
}

static void grow(extent *e, const extent *other)
{
    e->room.graphs = most(e->room.graphs, other->room.graphs);
    e->room.nodes = most(e->room.nodes, other->room.nodes);
    e->room.entries = most(e->room.entries, other->room.entries);
    e->features = most(e->features, other->features);
}

/* Which batches there will be is known before the first step: seed and epochs say it. */
static extent largest_batch(wgdn_batches *b)
{
    const int64_t epochs = b->model->options.epochs;
    extent all = {0};
    for (int64_t e = 0; e < epochs && epochs * b->graphs <= DRAWS_MAX; e++) {
        draw_order(b->order, b->graphs, b->model->options.seed, e);
        for (int64_t at = 0; at < b->graphs; at += b->size) {
            extent one = {0};
            for (int64_t k = at; k < at + b->size && k < b->graphs; k++)
                add_graph(&one, b, b->order[k]);
            grow(&all, &one);
        }
    }
    if (all.room.graphs > 0) return all;
    for (int64_t g = 0; g < b->graphs; g++) {
        extent one = {0};
        add_graph(&one, b, g);
        grow(&all, &one);
    }
    return (extent){{b->size, b->size * all.room.nodes, b->size * all.room.entries, false},
                    b->size * all.features};
}

static int64_t run_end(const wgdn_batches *b, int64_t first)
{
    int64_t end = first + 1;
    while (end < b->graphs && b->start[end + 1] - b->start[first] <= RUN_NODES)
        end++;
    return end;
}

static extent largest_run(const wgdn_batches *b)
{
    extent all = {0};
    for (int64_t first = 0, end; first < b->graphs; first = end) {
        extent one = {0};
        end = run_end(b, first);
        for (int64_t g = first; g < end; g++)
            add_graph(&one, b, g);
        grow(&all, &one);
    }
    return all;
}

/* ---- opening ---- */

static wgdn_status list_graphs(wgdn_batches *b, const wgdn_dataset *d, wgdn_error *err)
{
    b->whole = wgdn_dataset_get_graph(d);
    b->graphs = wgdn_dataset_graphs(d);
    b->epoch = -1;
    b->start = wgdn_alloc((size_t)b->graphs + 1, sizeof *b->start);
    b->order = wgdn_alloc((size_t)b->graphs, sizeof *b->order);
    if (!b->start || !b->order)
        return wgdn_fail(err, WGDN_ENOMEM, "batches of %lld graphs", (long long)b->graphs);
    for (int64_t g = 0; g <= b->graphs; g++)
        b->start[g] = wgdn_dataset_graph_start(d, g);
    return WGDN_OK;
}

static wgdn_batch_room room_of(const wgdn_batches *b, const extent *e)
{
    wgdn_batch_room room = e->room;
    room.weighted = b->whole->adjacency.value != NULL;
    return room;
}

/* Arrays for the largest batch. */
static wgdn_status make_room(wgdn_batches *b, const extent *e, wgdn_error *err)
{
    const wgdn_model_input *all = &b->feed.input;
    const int64_t n = e->room.nodes, f = all->features;
    wgdn_status st = batch_new(&b->batch, room_of(b, e), err);
    if (st) return st;
    b->own = (wgdn_model_input){.rows = wgdn_alone(n),
                                .features = f,
                                .nonzeros = e->features,
                                .all_nonzeros = e->features,
                                .edges = e->room.entries,
                                .all_edges = e->room.entries,
                                .weighted = b->whole->adjacency.value != NULL,
                                .varies = true};
    if (all->sparse) {
        const bool values = all->sparse->value;
        b->rows = (wgdn_csr){.rows = n, .cols = f};
        b->rows.offset = wgdn_alloc((size_t)n + 1, sizeof *b->rows.offset);
        b->rows.column = wgdn_alloc((size_t)e->features, sizeof *b->rows.column);
        if (values) b->rows.value = wgdn_alloc((size_t)e->features, sizeof *b->rows.value);
        b->own.sparse = &b->rows;
        if (!b->rows.offset || !b->rows.column || (values && !b->rows.value))
            st = wgdn_fail(err, WGDN_ENOMEM, "a batch with %lld rows of features", (long long)n);
    } else {
        b->own.dense = b->dense = wgdn_alloc((size_t)(n * f), sizeof *b->dense);
        if (!b->dense)
            st = wgdn_fail(err, WGDN_ENOMEM, "a batch with %lld rows of features", (long long)n);
    }
    if (!st) st = wgdn_model_input_room(&b->own, n, e->features, err);
    b->graph = &b->batch.graph;
    b->input = &b->own;
    return st;
}

wgdn_status wgdn_batches_open(wgdn_batches *b, const wgdn_dataset *d, const wgdn_model *m,
                              bool runs, wgdn_error *err)
{
    wgdn_status st;
    *b = (wgdn_batches){.model = m};
    st = wgdn_feed_open(&b->feed, d, m, !runs, err);
    if (!st) st = list_graphs(b, d, err);
    if (st) goto done;
    b->graph = b->whole;
    b->input = &b->feed.input;
    b->size = runs ? 0 : batch_size(&m->options, d);
    b->steps = runs ? 0 : wgdn_steps_of_epoch(&m->options, d);
    if (runs || b->size) {
        const extent e = runs ? largest_run(b) : largest_batch(b);
        for (int64_t g = 0; g < b->graphs; g++)
            b->order[g] = g;
        st = make_room(b, &e, err);
    }

done:
    if (st) wgdn_batches_free(b);
    return st;
}

void wgdn_batches_free(wgdn_batches *b)
{
    wgdn_model_input_free(&b->own);
    wgdn_release(b->dense);
    wgdn_csr_free(&b->rows);
    batch_free(&b->batch);
    wgdn_release(b->order);
    wgdn_release(b->start);
    wgdn_feed_free(&b->feed);
    *b = (wgdn_batches){0};
}

/* ---- gathering ---- */

/* Rows first .. end - 1 of X behind those that are there. */
static void append_sparse(wgdn_csr *to, const wgdn_csr *x, int64_t first, int64_t end)
{
    const int64_t from = x->offset[first], at = to->offset[to->rows];
    const size_t entries = (size_t)(x->offset[end] - from);
    memcpy(to->column + at, x->column + from, entries * sizeof *to->column);
    if (to->value) memcpy(to->value + at, x->value + from, entries * sizeof *to->value);
    for (int64_t i = first; i < end; i++)
        to->offset[++to->rows] = x->offset[i + 1] - from + at;
}

static void append_dense(wgdn_batches *b, int64_t at, int64_t first, int64_t end)
{
    const wgdn_model_input *all = &b->feed.input;
    const int64_t f = all->features;
    const size_t rows = (size_t)(end - first), bytes = rows * (size_t)f * sizeof(float);
    memcpy(b->dense + at * f, all->dense + first * f, bytes);
    memcpy(b->own.smooth + at * f, all->smooth + first * f, bytes);
    memcpy(b->own.smooth_one + at, all->smooth_one + first, rows * sizeof(float));
}

/* P(L) X of a batch is that of its graphs: no edge leaves them. */
static void gather(wgdn_batches *b, const int64_t *member, int64_t count)
{
    batch_gather(&b->batch, b->whole, b->start, member, count);
    b->own.rows = wgdn_alone(b->batch.graph.adjacency.rows);
    b->rows.rows = 0;
    if (b->own.sparse) b->rows.offset[0] = 0;
    for (int64_t k = 0; k < count; k++) {
        const int64_t first = b->start[member[k]], end = b->start[member[k] + 1];
        if (b->own.sparse)
            append_sparse(&b->rows, b->feed.input.sparse, first, end);
        else
            append_dense(b, b->batch.start[k], first, end);
    }
    if (b->own.sparse) wgdn_model_input_transpose(&b->own);
    wgdn_model_input_weigh(&b->own, b->model->options.balance);
}

void wgdn_batches_take(wgdn_batches *b, int64_t step)
{
    const int64_t epoch = step / b->steps, first = step % b->steps * b->size;
    if (!b->size) return;
    if (b->epoch != epoch) draw_order(b->order, b->graphs, b->model->options.seed, epoch);
    b->epoch = epoch;
    gather(b, b->order + first, first + b->size < b->graphs ? b->size : b->graphs - first);
}

int64_t wgdn_batches_take_run(wgdn_batches *b, int64_t first)
{
    const int64_t end = run_end(b, first);
    gather(b, b->order + first, end - first);
    return end;
}

/* ---- for estimates ---- */

wgdn_status wgdn_batches_bytes(size_t *bytes, wgdn_model_input *shape, const wgdn_dataset *d,
                               const wgdn_portion *part, const wgdn_model *m, wgdn_error *err)
{
    wgdn_batches b = {.model = m};
    const size_t whole = wgdn_feed_bytes(shape, d, part, m);
    const int64_t *offset = NULL;
    const int32_t *column;
    const float *value;
    wgdn_status st;
    *bytes = whole;
    b.size = batch_size(&m->options, d);
    if (!b.size) return WGDN_OK;
    st = list_graphs(&b, d, err);
    if (!st) {
        if (shape->sparse && wgdn_dataset_get_sparse(&offset, &column, &value, d))
            b.feed.matrix.csr.offset = (int64_t *)(uintptr_t)offset;
        const extent e = largest_batch(&b);
        const size_t n = (size_t)e.room.nodes, x = (size_t)e.features;
        const size_t f = (size_t)shape->features;
        *bytes += batch_bytes(room_of(&b, &e)) + n * sizeof *shape->ones +
                  (size_t)b.graphs * (sizeof *b.start + sizeof *b.order);
        if (offset)
            *bytes += (n + f) * sizeof *offset + /* rows, and those of the transpose */
                      x * (sizeof *column + (value ? sizeof *value : 0) +
                           wgdn_transpose_bytes(value != NULL));
        else
            *bytes += 2 * n * f * sizeof(float) + n * sizeof *shape->smooth_one; /* X, P(L) X */
        shape->rows = wgdn_alone(e.room.nodes);
        shape->edges = shape->all_edges = e.room.entries;
        shape->nonzeros = shape->all_nonzeros =
            offset ? e.features : e.room.nodes * shape->features;
        shape->varies = true;
    }
    b.feed.matrix.csr = (wgdn_csr){0};
    wgdn_batches_free(&b);
    return st;
}

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

static void pool_rows(int64_t first, int64_t count, void *context)
{
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
            wgdn_for_rows(wgdn_alone(end - g), pool_rows,
                          &(pool_call){out + g * d, h, b->batch.start, d, pool});
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
        return wgdn_fail(err, WGDN_EINVAL,
                         "vectors of graphs: not supported with MPI; run without mpirun");
    wgdn_status st = wgdn_batches_open(&b, d, m, true, err);
    if (!st) st = embed_runs(out, m, &b, pool, err);
    wgdn_batches_free(&b);
    return st;
}
