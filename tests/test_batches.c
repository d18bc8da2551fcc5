/* SPDX-License-Identifier: Apache-2.0 */
#define _DEFAULT_SOURCE /* mkdtemp */
/* Graphs as batches: what is gathered, in which order, and runs over them. */
#include "model/train.h"
#include "scratch.h"
#include "support.h"
#include "vectors.h"

enum { GRAPHS = 11, F = 5, BATCH = 3, STEPS = 4 };

typedef struct many {
    int64_t start[GRAPHS + 1], source[400], target[400], edges;
    int64_t offset[200];
    int32_t column[200], label[GRAPHS];
    float dense[200 * F];
} many;

/* Graph g has 3 + 2 g nodes on a ring, with a chord; graph 4 has a node without edges. */
static wgdn_dataset *set_of_graphs(bool dense)
{
    static many s;
    wgdn_dataset *d = NULL;
    s = (many){0};
    for (int64_t g = 0; g < GRAPHS; g++) {
        const int64_t first = s.start[g], n = 3 + 2 * g;
        s.start[g + 1] = first + n;
        s.label[g] = g % 2;
        for (int64_t i = 0; i < n - (g == 4); i++) {
            s.source[s.edges] = first + i;
            s.target[s.edges++] = first + (i + 1) % (n - (g == 4));
        }
        s.source[s.edges] = first;
        s.target[s.edges++] = first + n / 2;
    }
    const int64_t nodes = s.start[GRAPHS];
    for (int64_t i = 0; i < nodes; i++) {
        s.offset[i + 1] = i + 1;
        s.column[i] = (int32_t)(i * i % F);
        s.dense[i * F + s.column[i]] = 1;
    }
    const wgdn_dataset_arrays a = {.struct_size = sizeof a,
                                   .nodes = nodes,
                                   .edges = s.edges,
                                   .source = s.source,
                                   .target = s.target,
                                   .features = F,
                                   .dense = dense ? s.dense : NULL,
                                   .feature_offset = s.offset,
                                   .feature_column = s.column,
                                   .graphs = GRAPHS,
                                   .graph_start = s.start,
                                   .graph_label = s.label};
    CHECK(wgdn_dataset_from_arrays(&d, &a, NULL) == WGDN_OK);
    return d;
}

static wgdn_train_options options(void)
{
    wgdn_train_options o;
    wgdn_train_options_init(&o);
    CHECK(wgdn_options_parse(WGDN_OPTIONS_KIND_TRAIN, &o, wgdn_preset_text("proteins"), "proteins",
                             NULL) == WGDN_OK);
    o.dim = 12;
    o.batch_size = BATCH;
    o.epochs = 5;
    o.learning_rate = 0.01;
    return o;
}

/* Every graph once an epoch, another order every epoch, the same order for the same seed. */
static void every_graph_once(void)
{
    wgdn_dataset *d = set_of_graphs(false);
    const wgdn_train_options o = options();
    wgdn_model *m = NULL;
    wgdn_batches b;
    int64_t first[GRAPHS], differ = 0;
    CHECK(wgdn_model_make(&m, &o, F, NULL) == WGDN_OK);
    CHECK(wgdn_batches_open(&b, d, m, false, NULL) == WGDN_OK);
    CHECK(b.steps == STEPS && wgdn_steps_of_epoch(&o, d) == STEPS);
    for (int64_t epoch = 0; epoch < 3; epoch++) {
        int64_t seen[GRAPHS] = {0}, graphs = 0;
        for (int64_t k = 0; k < STEPS; k++) {
            wgdn_batches_take(&b, epoch * STEPS + k);
            CHECK(b.batch.graphs == (k < STEPS - 1 ? BATCH : GRAPHS - 3 * BATCH));
            graphs += b.batch.graphs;
            CHECK(b.input->rows.count <= b.batch.room.nodes);
        }
        CHECK(graphs == GRAPHS);
        for (int64_t g = 0; g < GRAPHS; g++) {
            seen[b.order[g]]++;
            if (epoch == 0) first[g] = b.order[g];
            differ += b.order[g] != first[g];
        }
        for (int64_t g = 0; g < GRAPHS; g++)
            CHECK(seen[g] == 1);
    }
    CHECK(differ > GRAPHS);
    wgdn_batches_take(&b, 1); /* back to the first epoch */
    for (int64_t g = 0; g < GRAPHS; g++)
        CHECK(b.order[g] == first[g]);
    wgdn_batches_free(&b);
    wgdn_model_free(m);
    wgdn_dataset_free(d);
}

static float entry(const wgdn_model_input *in, int64_t i, int64_t j)
{
    if (in->dense) return in->dense[i * in->features + j];
    for (int64_t k = in->sparse->offset[i]; k < in->sparse->offset[i + 1]; k++)
        if (in->sparse->column[k] == j) return in->sparse->value ? in->sparse->value[k] : 1;
    return 0;
}

/* Rows, degrees, features, P(L) X and X^T of a batch are those of its graphs. */
static void gathered_is_what_was_there(void)
{
    for (int form = 0; form < 2; form++) {
        wgdn_dataset *d = set_of_graphs(form);
        const wgdn_graph *whole = wgdn_dataset_get_graph(d);
        const wgdn_train_options o = options();
        wgdn_model *m = NULL;
        wgdn_batches b;
        CHECK(wgdn_model_make(&m, &o, F, NULL) == WGDN_OK);
        CHECK(wgdn_batches_open(&b, d, m, false, NULL) == WGDN_OK);
        for (int64_t step = 0; step < 2 * STEPS; step++) {
            wgdn_batches_take(&b, step);
            const wgdn_graph *g = b.graph;
            const wgdn_model_input *in = b.input;
            int64_t nonzeros = 0;
            for (int64_t k = 0; k < b.batch.graphs; k++) {
                const int64_t from = b.start[b.order[step % STEPS * BATCH + k]];
                for (int64_t i = b.batch.start[k]; i < b.batch.start[k + 1]; i++) {
                    const int64_t was = from + i - b.batch.start[k];
                    CHECK(wgdn_graph_degree(g, i) == wgdn_graph_degree(whole, was));
                    CHECK(g->inv_degree[i] == whole->inv_degree[was]);
                    CHECK(g->inv_sqrt_degree[i] == whole->inv_sqrt_degree[was]);
                    for (int64_t e = 0; e < wgdn_graph_degree(g, i); e++)
                        CHECK(g->adjacency.column[g->adjacency.offset[i] + e] - i ==
                              whole->adjacency.column[whole->adjacency.offset[was] + e] - was);
                    for (int64_t j = 0; j < F; j++) {
                        CHECK(entry(in, i, j) == entry(&b.feed.input, was, j));
                        nonzeros += entry(in, i, j) != 0;
                        if (in->dense)
                            CHECK(in->smooth[i * F + j] == b.feed.input.smooth[was * F + j]);
                    }
                }
            }
            CHECK(in->nonzeros == nonzeros && in->balance == F - 1);
            for (int64_t j = 0; in->sparse && j < F; j++)
                for (int64_t k = in->transposed.offset[j]; k < in->transposed.offset[j + 1]; k++)
                    CHECK(entry(in, in->transposed.column[k], j) == 1 &&
                          in->sparse->column[in->entry[k]] == j);
        }
        wgdn_batches_free(&b);
        wgdn_model_free(m);
        wgdn_dataset_free(d);
    }
}

/* A batch of all graphs is the dataset itself: the same loss, the same gradient, bit for bit. */
static void one_batch_is_everything(void)
{
    wgdn_dataset *d = set_of_graphs(false);
    wgdn_train_options o = options();
    wgdn_model *m = NULL;
    wgdn_batches whole, b;
    double loss[2];
    wgdn_workspace *w = NULL;
    o.batch_size = 0;
    CHECK(wgdn_model_make(&m, &o, F, NULL) == WGDN_OK);
    CHECK(wgdn_batches_open(&whole, d, m, false, NULL) == WGDN_OK);
    CHECK(wgdn_batches_open(&b, d, m, true, NULL) == WGDN_OK);
    CHECK(whole.steps == 1 && whole.graph == wgdn_dataset_get_graph(d));
    CHECK(wgdn_batches_take_run(&b, 0) == GRAPHS);
    float *grad[2] = {matrix(m->layout.size, 1), matrix(m->layout.size, 1)};
    for (int i = 0; i < 2; i++) {
        const wgdn_batches *from = i ? &b : &whole;
        CHECK(wgdn_workspace_new(&w, m, from->input, true, NULL) == WGDN_OK);
        const wgdn_pass pass = wgdn_pass_of(m, w, from->graph, from->input, 0);
        CHECK(wgdn_step(&loss[i], grad[i], &pass, NULL) == WGDN_OK);
        wgdn_workspace_free(w);
    }
    CHECK(loss[0] == loss[1]);
    CHECK(memcmp(grad[0], grad[1], (size_t)m->layout.size * sizeof(float)) == 0);
    wgdn_release(grad[1]);
    wgdn_release(grad[0]);
    wgdn_batches_free(&b);
    wgdn_batches_free(&whole);
    wgdn_model_free(m);
    wgdn_dataset_free(d);
}

/* A workspace planned for n rows serves fewer: no size of blocks is larger for less. */
static void a_workspace_for_any_batch(void)
{
    for (int64_t n = 1; n < 40000; n += n < 3000 ? 1 : 37) {
        const int64_t blocky = wgdn_max_blocks(n);
        CHECK(blocky <= n);
        static int64_t most = 0;
        const int64_t count = wgdn_block_count(n);
        most = count > most ? count : most;
        CHECK(wgdn_block_count(blocky) >= most);
        static size_t work = 0;
        const size_t here = wgdn_gemm_tn_work(wgdn_alone(n), 64, 64),
                     there = wgdn_gemm_tn_work(wgdn_alone(blocky), 64, 64);
        work = here > work ? here : work;
        CHECK((here > there ? here : there) >= work);
        static size_t half = 0;
        const size_t now = wgdn_gemm_bf16_work(wgdn_alone(n), 64, 64);
        half = now > half ? now : half;
        CHECK(now >= half || wgdn_gemm_bf16_work(wgdn_alone(blocky), 64, 64) >= half);
    }
}

static wgdn_model *train(const wgdn_dataset *d, const wgdn_train_options *o,
                         const wgdn_train_run *run)
{
    wgdn_model *m = NULL;
    wgdn_error err = {WGDN_OK, ""};
    CHECK(wgdn_model_train(&m, d, o, run, &err) == WGDN_OK);
    if (!m) printf("     %s\n", err.message);
    return m;
}

static bool same(const wgdn_model *a, const wgdn_model *b)
{
    return a && b && memcmp(a->param, b->param, (size_t)a->layout.size * sizeof *a->param) == 0 &&
           memcmp(a->buffer, b->buffer, (size_t)a->layout.buffer_size * sizeof *a->buffer) == 0;
}

static void any_threads(void)
{
    for (int form = 0; form < 4; form++) {
        wgdn_dataset *d = set_of_graphs(form % 2);
        wgdn_train_options o = options();
        o.precision = form < 2 ? WGDN_PRECISION_FP32 : WGDN_PRECISION_BF16;
        o.threads = 1;
        wgdn_model *one = train(d, &o, NULL);
        float *x = matrix(GRAPHS, o.dim), *y = matrix(GRAPHS, o.dim);
        for (int threads = 2; threads <= 4; threads++) {
            o.threads = threads;
            wgdn_model *m = train(d, &o, NULL);
            CHECK(same(one, m));
            wgdn_embed_options c = embed_options(WGDN_TASK_GRAPH, WGDN_POOL_MEAN, 1);
            CHECK(embed_array(x, one, d, &c, NULL) == WGDN_OK);
            c.threads = threads;
            CHECK(embed_array(y, m, d, &c, NULL) == WGDN_OK);
            CHECK(memcmp(x, y, (size_t)(GRAPHS * o.dim) * sizeof *x) == 0);
            wgdn_model_free(m);
        }
        wgdn_release(y);
        wgdn_release(x);
        wgdn_model_free(one);
        wgdn_dataset_free(d);
    }
}

typedef struct watch {
    int stop, calls;
    double losses[64]; /* of whole epochs */
    int epochs;
} watch;

static int stop_at(void *user, const wgdn_progress *p)
{
    watch *w = user;
    CHECK(p->steps == STEPS && p->step < STEPS);
    if (p->step == 0) w->losses[w->epochs++] = p->loss;
    return ++w->calls >= w->stop;
}

/* Stopped after any step, resumed: the same bits, and the same losses of epochs. */
static void resumed_within_an_epoch(void)
{
    wgdn_dataset *d = set_of_graphs(false);
    const wgdn_train_options o = options();
    watch all = {.stop = 1000};
    const wgdn_train_run alone = {
        .struct_size = sizeof alone, .progress = stop_at, .progress_user = &all};
    wgdn_model *whole = train(d, &o, &alone);
    CHECK(all.calls == STEPS * o.epochs && all.epochs == o.epochs);
    for (int stop = 1; stop < STEPS * o.epochs; stop += 3) {
        const scratch_name file = scratch("run");
        watch w = {.stop = stop};
        wgdn_train_run run = {.struct_size = sizeof run,
                              .progress = stop_at,
                              .progress_user = &w,
                              .checkpoint = file.text,
                              .checkpoint_steps = stop % 2 ? 2 : 0};
        wgdn_model *m = NULL;
        wgdn_error err;
        CHECK(wgdn_model_train(&m, d, &o, &run, &err) == WGDN_ESTOPPED);
        CHECK((strstr(err.message, "steps") != NULL) == (stop % STEPS != 0));
        w.stop = 1000;
        m = train(d, &o, &run);
        CHECK(same(whole, m) && w.epochs == o.epochs);
        CHECK(memcmp(w.losses, all.losses, sizeof w.losses) == 0);
        wgdn_model_free(m);
        remove(file.text);
    }
    wgdn_model_free(whole);
    wgdn_dataset_free(d);
}

/* The checkpoint that a killed run leaves behind is any that was written: each must do. */
static void every_checkpoint_will_do(void)
{
    wgdn_dataset *d = set_of_graphs(true);
    wgdn_train_options o = options();
    const scratch_name file = scratch("killed");
    wgdn_model *whole = train(d, &o, NULL);
    for (int stop = 2; stop < STEPS * o.epochs; stop += 5) {
        watch w = {.stop = stop};
        wgdn_train_run run = {.struct_size = sizeof run,
                              .progress = stop_at,
                              .progress_user = &w,
                              .checkpoint = file.text,
                              .checkpoint_steps = 1};
        wgdn_model *m = NULL;
        CHECK(wgdn_model_train(&m, d, &o, &run, NULL) == WGDN_ESTOPPED);
        run.progress = NULL;
        m = train(d, &o, &run);
        CHECK(same(whole, m));
        wgdn_model_free(m);
        remove(file.text);
    }
    wgdn_model_free(whole);
    wgdn_dataset_free(d);
}

/* Pooled vectors against those of the nodes, for all ways to pool. */
static void pooling(void)
{
    wgdn_dataset *d = set_of_graphs(false);
    const wgdn_train_options o = options();
    const int64_t nodes = wgdn_dataset_nodes(d), width = o.dim;
    wgdn_model *m = train(d, &o, NULL);
    float *h = matrix(nodes, width), *x = matrix(GRAPHS, width);
    wgdn_embed_options how = embed_options(WGDN_TASK_NODE, WGDN_POOL_AUTO, 0);
    CHECK(embed_array(h, m, d, &how, NULL) == WGDN_OK);
    how.task = WGDN_TASK_AUTO; /* there are several graphs */
    for (int pool = WGDN_POOL_MEAN; pool <= WGDN_POOL_MAX; pool++) {
        how.pool = (wgdn_pool)pool;
        CHECK(embed_array(x, m, d, &how, NULL) == WGDN_OK);
        for (int64_t g = 0; g < GRAPHS; g++)
            for (int64_t j = 0; j < width; j++) {
                const int64_t first = wgdn_dataset_graph_start(d, g);
                const int64_t end = wgdn_dataset_graph_start(d, g + 1);
                double sum = 0, most = -1e30;
                for (int64_t i = first; i < end; i++) {
                    sum += h[i * width + j];
                    most = fmax(most, h[i * width + j]);
                }
                const double want = pool == WGDN_POOL_MAX   ? most
                                    : pool == WGDN_POOL_SUM ? sum
                                                            : sum / (double)(end - first);
                CHECK_NEAR(x[g * width + j], want, 1e-5 * (1 + fabs(want)));
            }
    }
    how.pool = (wgdn_pool)7;
    CHECK(embed_array(x, m, d, &how, NULL) == WGDN_EINVAL);
    wgdn_release(x);
    wgdn_release(h);
    wgdn_model_free(m);
    wgdn_dataset_free(d);
}

/* The graphs as nodes: labels and numbers. */
static void graphs_as_nodes(void)
{
    wgdn_dataset *d = set_of_graphs(false), *g = NULL;
    char id[8];
    CHECK(wgdn_dataset_from_graphs(&g, d, NULL) == WGDN_OK);
    CHECK(wgdn_dataset_nodes(g) == GRAPHS && edge_count(g) == 0);
    CHECK(wgdn_dataset_classes(g) == 2 && wgdn_dataset_label(g, 3) == 1);
    CHECK(wgdn_dataset_id(id, sizeof id, g, 10) == 2 && strcmp(id, "10") == 0);
    wgdn_dataset_free(g);
    CHECK_ALLOCATIONS(wgdn_dataset_from_graphs(&g, d, NULL), wgdn_dataset_free(g));
    wgdn_dataset_free(d);
}

/* Into the caller's room: the same bits, and nothing of that size besides. */
static void embedded_in_place(void)
{
    for (int form = 0; form < 2; form++) {
        wgdn_dataset *d = set_of_graphs(form);
        wgdn_train_options t = options();
        wgdn_embed_options o;
        wgdn_embedding *own = NULL, *there = NULL;
        t.epochs = 1;
        wgdn_model *m = train(d, &t, NULL);
        wgdn_embed_options_init(&o);
        o.task = form ? WGDN_TASK_NODE : WGDN_TASK_GRAPH;
        CHECK(wgdn_model_embed(&own, m, d, &o, NULL) == WGDN_OK);
        const size_t count = (size_t)(wgdn_embedding_rows(own) * wgdn_embedding_dim(own));
        o.values = calloc(count, sizeof *o.values);
        CHECK(o.values && wgdn_model_embed(&there, m, d, &o, NULL) == WGDN_OK);
        CHECK(wgdn_embedding_get_values(there) == o.values);
        CHECK(memcmp(o.values, wgdn_embedding_get_values(own), count * sizeof *o.values) == 0);
        CHECK(strcmp(wgdn_embedding_get_source(own), wgdn_embedding_get_source(there)) == 0);
        wgdn_embedding_free(there);
        wgdn_embedding_free(own);
        free(o.values);
        wgdn_model_free(m);
        wgdn_dataset_free(d);
    }
}

static void allocations(void)
{
    for (int form = 0; form < 2; form++) {
        wgdn_dataset *d = set_of_graphs(form);
        wgdn_train_options o = options();
        wgdn_train_needs memory = {.struct_size = sizeof memory};
        wgdn_model *m = NULL;
        o.epochs = 1;
        CHECK_ALLOCATIONS(wgdn_model_train(&m, d, &o, NULL, NULL), wgdn_model_free(m));
        CHECK_ALLOCATIONS(wgdn_train_estimate(&memory, d, &o, 0, 1, NULL), (void)0);
        const int64_t batches = memory.workspace;
        o.batch_size = 0;
        CHECK(wgdn_train_estimate(&memory, d, &o, 0, 1, NULL) == WGDN_OK);
        CHECK(memory.workspace > batches);
        m = train(d, &o, NULL);
        wgdn_embedding *e = NULL;
        CHECK_ALLOCATIONS(wgdn_model_embed(&e, m, d, NULL, NULL), wgdn_embedding_free(e));
        wgdn_model_free(m);
        wgdn_dataset_free(d);
    }
}

/* Nothing is taken in the loop: one epoch and many take the same blocks. */
static int forbid(void *user, const wgdn_progress *p)
{
    (void)user;
    wgdn_alloc_allow(p->epoch < p->epochs ? 0 : -1);
    return 0;
}

static void no_allocation_in_the_loop(void)
{
    wgdn_dataset *d = set_of_graphs(false);
    wgdn_train_options o = options();
    const wgdn_train_run run = {.struct_size = sizeof run, .progress = forbid};
    for (int i = 0; i < 2; i++) {
        o.precision = (wgdn_precision)i;
        wgdn_model *m = train(d, &o, &run);
        wgdn_alloc_allow(-1);
        wgdn_model_free(m);
    }
    wgdn_dataset_free(d);
}

int main(void)
{
    scratch_begin();
    RUN(every_graph_once);
    RUN(gathered_is_what_was_there);
    RUN(one_batch_is_everything);
    RUN(a_workspace_for_any_batch);
    RUN(any_threads);
    RUN(resumed_within_an_epoch);
    RUN(every_checkpoint_will_do);
    RUN(pooling);
    RUN(graphs_as_nodes);
    RUN(embedded_in_place);
    RUN(allocations);
    RUN(no_allocation_in_the_loop);
    scratch_end();
    return check_result();
}
