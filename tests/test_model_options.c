/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every option switched at least once, on random graphs: loss, gradients and running averages of
 * the fast model against the double reference, whose gradients are held to central differences in
 * test_reference_gradient.c; and the bits of a step for any number of threads.
 */
#include "model/loss.h"
#include "model/stopping.h"
#include "model/train.h"
#include "model_support.h"

enum { N = 70, F = 23, NOISE = 8, EPOCH = 3, CALL_DROP = 8, CALL_HELD = 4 };

static const double drop = 1.0 / 3;

typedef struct variation {
    const char *name;
    ref_kernel kernel;
    int encoder_layers, decoder_layers, channels, width;
    ref_aggregate aggregate;
    ref_skip skip;
    bool embedding_activation;
    ref_norm norm;
    ref_average average;
    ref_loss loss;
    bool balanced;
    double beta;
    ref_response decoder;
    wgdn_augment augment; /* noise unless named; what is dropped is dropped to a third */
} variation;

static const variation variations[] = {
    {"plain", REF_HEAT, 2, 2, 1, 8, REF_MAX, REF_SKIP_NONE, false, REF_NORM_NONE, REF_ROW, REF_RMSE,
     true, 0, REF_WIENER, WGDN_AUGMENT_NOISE},
    {"one layer", REF_PPR, 1, 1, 1, 7, REF_MAX, REF_SKIP_NONE, true, REF_NORM_NONE, REF_ROW,
     REF_RMSE, false, 0.7, REF_WIENER, WGDN_AUGMENT_NOISE},
    {"skip sum", REF_HEAT, 2, 2, 1, 16, REF_MAX, REF_SKIP_SUM, true, REF_NORM_NONE, REF_ROW,
     REF_RMSE, true, 0.5, REF_WIENER, WGDN_AUGMENT_NOISE},
    {"skip mean", REF_PPR, 3, 3, 1, 9, REF_MAX, REF_SKIP_MEAN, false, REF_NORM_NONE, REF_COLUMN,
     REF_MSE, false, 0.5, REF_WIENER, WGDN_AUGMENT_NOISE},
    {"max", REF_PPR, 2, 2, 3, 8, REF_MAX, REF_SKIP_SUM, true, REF_NORM_NONE, REF_COLUMN, REF_RMSE,
     true, 0.9, REF_WIENER, WGDN_AUGMENT_NOISE},
    {"sum", REF_HEAT, 2, 2, 3, 8, REF_SUM, REF_SKIP_MEAN, false, REF_NORM_NONE, REF_ROW, REF_RMSE,
     true, 1, REF_WIENER, WGDN_AUGMENT_NOISE},
    {"mean", REF_HEAT, 3, 3, 2, 8, REF_MEAN, REF_SKIP_NONE, true, REF_NORM_NONE, REF_ROW,
     REF_ROW_RMSE, true, 0, REF_WIENER, WGDN_AUGMENT_NOISE},
    {"layer norm", REF_PPR, 3, 1, 1, 12, REF_MAX, REF_SKIP_NONE, false, REF_NORM_LAYER, REF_ROW,
     REF_MSE, false, 0.8, REF_WIENER, WGDN_AUGMENT_NOISE},
    {"layer norm, skip", REF_HEAT, 2, 2, 1, 12, REF_MAX, REF_SKIP_SUM, true, REF_NORM_LAYER,
     REF_ROW, REF_RMSE, true, 0.8, REF_WIENER, WGDN_AUGMENT_NOISE},
    {"batch norm", REF_PPR, 3, 3, 3, 8, REF_MEAN, REF_SKIP_SUM, true, REF_NORM_BATCH, REF_ROW,
     REF_ROW_RMSE, true, 1, REF_WIENER, WGDN_AUGMENT_NOISE},
    {"batch norm, one channel", REF_HEAT, 2, 2, 1, 8, REF_MAX, REF_SKIP_NONE, true, REF_NORM_BATCH,
     REF_ROW, REF_RMSE, true, 0.5, REF_WIENER, WGDN_AUGMENT_NOISE},
    {"gcn", REF_GCN, 2, 2, 1, 8, REF_MAX, REF_SKIP_SUM, true, REF_NORM_NONE, REF_ROW, REF_RMSE,
     true, 0.3, REF_WIENER, WGDN_AUGMENT_NOISE},
    {"inverse", REF_HEAT, 2, 2, 1, 8, REF_MAX, REF_SKIP_SUM, false, REF_NORM_NONE, REF_ROW,
     REF_RMSE, true, 0.5, REF_INVERSE, WGDN_AUGMENT_NOISE},
    {"inverse, channels", REF_PPR, 2, 2, 2, 8, REF_SUM, REF_SKIP_NONE, false, REF_NORM_NONE,
     REF_ROW, REF_RMSE, true, 0.5, REF_INVERSE, WGDN_AUGMENT_NOISE},
    {"drop nodes", REF_HEAT, 3, 3, 1, 8, REF_MAX, REF_SKIP_SUM, true, REF_NORM_NONE, REF_ROW,
     REF_RMSE, true, 0, REF_WIENER, WGDN_AUGMENT_DROP_NODE},
    {"drop nodes, channels", REF_PPR, 2, 2, 3, 8, REF_MAX, REF_SKIP_MEAN, false, REF_NORM_NONE,
     REF_ROW, REF_RMSE, true, 0, REF_WIENER, WGDN_AUGMENT_DROP_NODE},
    {"drop edges", REF_HEAT, 2, 2, 1, 8, REF_MAX, REF_SKIP_SUM, true, REF_NORM_NONE, REF_COLUMN,
     REF_RMSE, true, 0, REF_WIENER, WGDN_AUGMENT_DROP_EDGE},
    {"wider than the features", REF_HEAT, 2, 2, 1, 40, REF_MAX, REF_SKIP_SUM, true, REF_NORM_NONE,
     REF_ROW, REF_RMSE, true, 0.5, REF_WIENER, WGDN_AUGMENT_NOISE},
    {"wider, with skip", REF_HEAT, 2, 2, 3, 30, REF_MAX, REF_SKIP_SUM, false, REF_NORM_NONE,
     REF_ROW, REF_RMSE, true, 0.9, REF_WIENER, WGDN_AUGMENT_NOISE},
    {"wider, one layer", REF_PPR, 2, 1, 2, 40, REF_SUM, REF_SKIP_NONE, true, REF_NORM_LAYER,
     REF_ROW, REF_MSE, false, 0.5, REF_WIENER, WGDN_AUGMENT_NOISE},
    {"wider than all", REF_PPR, 2, 2, 2, 60, REF_MEAN, REF_SKIP_NONE, true, REF_NORM_NONE, REF_ROW,
     REF_ROW_RMSE, true, 0.5, REF_WIENER, WGDN_AUGMENT_NOISE},
    {"cosine", REF_HEAT, 2, 2, 1, 8, REF_MAX, REF_SKIP_SUM, true, REF_NORM_NONE, REF_ROW,
     REF_COSINE, true, 0.5, REF_WIENER, WGDN_AUGMENT_NOISE},
    {"cosine, skip mean", REF_PPR, 3, 3, 1, 9, REF_MAX, REF_SKIP_MEAN, false, REF_NORM_BATCH,
     REF_ROW, REF_COSINE, false, 0.5, REF_WIENER, WGDN_AUGMENT_NOISE},
    {"cosine, channels", REF_PPR, 2, 2, 3, 40, REF_SUM, REF_SKIP_NONE, true, REF_NORM_NONE, REF_ROW,
     REF_COSINE, true, 0.9, REF_WIENER, WGDN_AUGMENT_NOISE},
    {"cosine, wider", REF_HEAT, 2, 1, 1, 40, REF_MAX, REF_SKIP_NONE, true, REF_NORM_NONE, REF_ROW,
     REF_COSINE, true, 0.5, REF_INVERSE, WGDN_AUGMENT_NOISE},
    {"drop edges, channels", REF_PPR, 3, 3, 2, 8, REF_SUM, REF_SKIP_NONE, false, REF_NORM_LAYER,
     REF_ROW, REF_MSE, false, 0, REF_WIENER, WGDN_AUGMENT_DROP_EDGE},
};

static bool weighted; /* graphs have weights */
static bool holding;  /* features are held out */

static ref_config config_of(const variation *v)
{
    static const double gammas[] = {0.1, 1, 10};
    ref_config c;
    ref_config_init(&c, v->kernel, F, v->width);
    c.encoder_layers = v->encoder_layers;
    c.decoder_layers = v->decoder_layers;
    c.channels = v->channels;
    for (int q = 0; q < v->channels; q++)
        c.gamma[q] = v->channels == 1 ? 1 : gammas[q];
    c.aggregate = v->aggregate;
    c.skip = v->skip;
    c.embedding_activation = v->embedding_activation;
    c.norm = v->norm;
    c.loss = v->loss;
    c.balanced = v->balanced;
    c.beta = v->beta;
    c.decoder = v->decoder;
    return c;
}

/* Features: a fifth of them non-zero, with values, some rows empty. */
static float *features(void)
{
    float *x = random_matrix(5, N, F);
    for (int64_t i = 0; i < (int64_t)N * F; i++)
        if (wgdn_random_bits((wgdn_stream){.seed = 17}, i, 0) % 5 || i / F % 9 == 8) x[i] = 0;
    return x;
}

typedef struct fixture {
    ref_config config;
    ref_layout layout;
    wgdn_graph *graph;
    float *x;
    wgdn_csr sparse;
    float *draw[NOISE];
    double *param, *grad, *buffers;
    double held[2]; /* sums of (R - X)^2 over what is held out and over zeros */
    double error;   /* what they come to */
} fixture;

static double *doubles(int64_t count)
{
    return wgdn_alloc_zero((size_t)count, sizeof(double));
}

static void open_fixture(fixture *f, const variation *v)
{
    f->config = config_of(v);
    CHECK(ref_layout_init(&f->layout, &f->config));
    f->graph = random_graph(N, 2);
    if (weighted) weigh(f->graph);
    f->x = features();
    f->sparse = sparse_of(f->x, N, F);
    f->param = doubles(f->layout.size);
    f->grad = doubles(f->layout.size);
    f->buffers = doubles(ref_buffers_size(&f->config) + 1);
    ref_buffers_init(f->buffers, &f->config);
    for (int k = 0; k < NOISE; k++)
        f->draw[k] = random_matrix((uint16_t)(20 + k), N, v->width);
    for (int64_t i = 0; i < f->layout.size; i++) { /* anything but special */
        float z;
        wgdn_random_normals(&z, 1, (wgdn_stream){.seed = 23}, i, 1, 0, 1);
        f->param[i] = (float)(0.3 * z + (f->config.norm ? 0.2 : 0));
    }
}

static void close_fixture(fixture *f)
{
    for (int k = 0; k < NOISE; k++)
        wgdn_release(f->draw[k]);
    wgdn_release(f->buffers);
    wgdn_release(f->grad);
    wgdn_release(f->param);
    wgdn_csr_free(&f->sparse);
    wgdn_release(f->x);
    wgdn_graph_free(f->graph);
}

/* Whether a step of epoch EPOCH drops the node, or the edge, at this address. */
static bool is_dropped(int64_t low, int64_t high)
{
    const wgdn_stream s = {.seed = 1, .epoch = EPOCH, .call = CALL_DROP};
    return wgdn_random_bits(s, low, high) < drop * 0x1p32;
}

/* The graph without the edges that the step drops. */
static ref_graph without_dropped(const wgdn_csr *a, ref_average average)
{
    int64_t src[N * N], dst[N * N], m = 0;
    double weight[N * N];
    ref_graph g;
    for (int64_t i = 0; i < N; i++)
        for (int64_t k = a->offset[i]; k < a->offset[i + 1]; k++)
            if (i < a->column[k] && !is_dropped(i, a->column[k])) {
                weight[m] = a->value ? a->value[k] : 1;
                src[m] = i;
                dst[m++] = a->column[k];
            }
    CHECK(m > 0 && m < wgdn_csr_entries(a) / 2);
    CHECK(ref_graph_from_edges(&g, N, m, src, dst, weight, average));
    return g;
}

/* Whether an entry is held out: the id's hash is the row's number times 2^16 and something. */
static bool is_held(const float *x, int64_t i)
{
    const wgdn_stream s = {.seed = 9, .call = CALL_HELD};
    return holding && x[i] != 0 && wgdn_random_bits(s, i / F + 1000, i % F) < 0.1 * 0x1p32;
}

/*
 * The sums, and the error: means of the two, weighed by what non-zeros and zeros weigh in the loss.
 * Zeros are looked at in so many columns of every row.
 */
static void naive_held(fixture *f, double *R)
{
    const wgdn_stream s = {.seed = 9, .epoch = 1, .call = CALL_HELD};
    const bool balanced = f->config.balanced && f->config.loss <= REF_ROW_RMSE;
    double held = 0, ones = 0, zeros = 0, seen = 0;
    f->held[0] = f->held[1] = 0;
    for (int64_t i = 0; i < N && f->config.loss == REF_COSINE; i++) { /* as long as X */
        double xx = 0, rr = 0;
        for (int64_t at = i * F; at < (i + 1) * F; at++) {
            xx += is_held(f->x, at) ? 0 : (double)f->x[at] * f->x[at];
            rr += is_held(f->x, at) ? 0 : R[at] * R[at];
        }
        for (int64_t at = i * F; at < (i + 1) * F; at++)
            R[at] *= sqrt(xx / rr);
    }
    for (int64_t i = 0; i < (int64_t)N * F; i++) {
        held += is_held(f->x, i);
        ones += f->x[i] != 0;
        zeros += f->x[i] == 0;
        if (is_held(f->x, i)) f->held[0] += (R[i] - f->x[i]) * (R[i] - f->x[i]);
    }
    for (int64_t i = 0; i < N; i++)
        for (int k = 0; k < ceil(held / N); k++) {
            const int64_t at = i * F + (int64_t)(wgdn_random_bits(s, i + 1000, k) * 0x1p-32 * F);
            seen += f->x[at] == 0;
            f->held[1] += f->x[at] == 0 ? R[at] * R[at] : 0;
        }
    const double w = balanced ? 0.5 : (ones - held) / (ones - held + zeros);
    f->error = holding ? sqrt(w * f->held[0] / held + (1 - w) * f->held[1] / seen) : 0;
}

/* Loss by the reference; gradient and buffers into the fixture. */
static double reference_loss(fixture *f, const variation *v)
{
    ref_graph g, thin = without_dropped(&f->graph->adjacency, v->average);
    double keep[N];
    bool held[N * F];
    double R[N * F];
    double *x = doubles((int64_t)N * F), *z[NOISE];
    CHECK(ref_graph_from_rows(&g, N, f->graph->adjacency.offset, f->graph->adjacency.column,
                              f->graph->adjacency.value, v->average));
    ref_state *s = ref_state_new(&f->config, &g);
    for (int64_t i = 0; i < N; i++)
        keep[i] = !is_dropped(i, 0);
    if (v->augment == WGDN_AUGMENT_DROP_NODE) s->keep = keep;
    if (v->augment == WGDN_AUGMENT_DROP_EDGE) s->decoding = &thin;
    for (int64_t i = 0; i < (int64_t)N * F; i++)
        x[i] = (held[i] = is_held(f->x, i)) ? 0 : f->x[i];
    if (holding) s->held = held;
    for (int k = 0; k < NOISE; k++) {
        z[k] = doubles((int64_t)N * v->width);
        for (int64_t i = 0; i < (int64_t)N * v->width; i++)
            z[k][i] = f->draw[k][i];
    }
    CHECK(ref_forward(s, f->param, x, (const double *const *)z, f->buffers, REF_TRAIN));
    const double loss = s->loss;
    memcpy(R, s->reconstruction, sizeof R);
    naive_held(f, R);
    ref_backward(s, f->param, f->grad);
    for (int k = 0; k < NOISE; k++)
        wgdn_release(z[k]);
    ref_state_free(s);
    wgdn_release(x);
    ref_graph_free(&thin);
    ref_graph_free(&g);
    return loss;
}

typedef struct step_case {
    fixture *f;
    wgdn_model *model;
    wgdn_model_input input;
    bool given_noise;
    double loss;
    wgdn_held held;
    double held_sum[WGDN_HELD_SUMS];
} step_case;

/* Ways to the same answer. */
static const struct form {
    bool sparse;
    wgdn_last last;
} forms[] = {{false, WGDN_LAST_PLAIN},
             {true, WGDN_LAST_PLAIN},
             {true, WGDN_LAST_GRAM}, /* where it cannot be had, plain again */
             {false, WGDN_LAST_NARROW},
             {true, WGDN_LAST_NARROW}};

enum { FORMS = sizeof forms / sizeof *forms };

static void make_model(step_case *c, fixture *f, const variation *v, const struct form *form)
{
    wgdn_train_options o = options_of(&f->config, v->average);
    uint64_t key[N];
    o.augment = v->augment;
    o.drop_rate = drop;
    memset(c, 0, sizeof *c);
    c->f = f;
    c->given_noise = true;
    CHECK(wgdn_model_make(&c->model, &o, F, NULL) == WGDN_OK);
    c->model->last = form->last;
    pair_up(copy_to_ours, NULL, &c->model->at, f->param, &f->config, &f->layout);
    c->input = (wgdn_model_input){.rows = wgdn_alone(N), .features = F};
    if (form->sparse)
        c->input.sparse = &f->sparse;
    else
        c->input.dense = f->x;
    for (uint64_t i = 0; i < N; i++)
        key[i] = ((i + 1000) << 16) + 77 * i;
    if (holding) CHECK(wgdn_held_take(&c->held, &c->input, NULL, key, 9, NULL) == WGDN_OK);
    CHECK(wgdn_model_input_prepare(&c->input, c->model, f->graph, NULL) == WGDN_OK);
}

/* One step with a fresh workspace; the gradient into out. */
static void run_step(float *out, void *context)
{
    step_case *c = context;
    wgdn_workspace *w = NULL;
    CHECK(wgdn_workspace_new(&w, c->model, &c->input, true, NULL) == WGDN_OK);
    wgdn_pass pass = wgdn_pass_of(c->model, w, c->f->graph, &c->input, EPOCH);
    pass.held = c->held_sum;
    if (c->given_noise) pass.draws = (const float *const *)c->f->draw;
    CHECK(wgdn_step(&c->loss, out, &pass, NULL) == WGDN_OK);
    wgdn_workspace_free(w);
}

static void free_model(step_case *c)
{
    wgdn_model_input_free(&c->input);
    wgdn_held_free(&c->held);
    wgdn_model_free(c->model);
}

/* Sums of squares of (ours - theirs) and of theirs. */
static void add_squares(float *ours, double *theirs, int64_t rows, int64_t cols, bool transposed,
                        void *context)
{
    double *sums = context;
    for (int64_t i = 0; i < rows * cols; i++) {
        const double e = ours[other_index(i, rows, cols, transposed)] - theirs[i];
        sums[0] += e * e;
        sums[1] += theirs[i] * theirs[i];
    }
}

/*
 * In bf16 a factor is off by up to 2^-9; where channels or slopes change places for it, single
 * entries of a gradient are off by more.
 */
static void check_near_reference(const fixture *f, step_case *c, double loss)
{
    float *grad = matrix(c->model->layout.size, 1);
    wgdn_params at;
    double sums[2] = {0};
    c->model->options.precision = WGDN_PRECISION_BF16;
    run_step(grad, c);
    CHECK_NEAR(c->loss / loss, 1, 4e-3);
    wgdn_params_bind(&at, &c->model->layout, grad);
    pair_up(add_squares, sums, &at, f->grad, &f->config, &f->layout);
    CHECK_NEAR(sqrt(sums[0] / sums[1]), 0, 0.08);
    wgdn_release(grad);
}

static void check_against_reference(fixture *f, const variation *v, double loss,
                                    const struct form *form)
{
    step_case c;
    wgdn_params at;
    make_model(&c, f, v, form);
    float *grad = matrix(c.model->layout.size, 1);
    run_step(grad, &c);
    CHECK_NEAR(c.loss / loss, 1, 1e-5);
    for (int k = 0; k < WGDN_HELD_SUMS; k++) {
        CHECK_NEAR(c.held_sum[k], f->held[k], 2e-5 * f->held[k]);
        CHECK((c.held_sum[k] > 0) == holding);
    }
    if (holding)
        CHECK_NEAR(wgdn_held_error(c.model, &c.input, c.held_sum), f->error, 1e-5 * f->error);
    double most = 0;
    for (int64_t i = 0; i < f->layout.size; i++)
        most = fmax(most, fabs(f->grad[i]));
    pair_tolerance t = {.own = 1e-4, .plain = 2e-5 * most};
    wgdn_params_bind(&at, &c.model->layout, grad);
    pair_up(compare_arrays, &t, &at, f->grad, &f->config, &f->layout);
    for (int64_t i = 0; i < c.model->layout.buffer_size; i++)
        CHECK_NEAR(c.model->buffer[i], f->buffers[i], 1e-5);
    check_near_reference(f, &c, loss);
    wgdn_release(grad);
    free_model(&c);
}

static void against_the_reference(void)
{
    for (size_t i = 0; i < sizeof variations / sizeof *variations; i++) {
        const variation *v = &variations[i];
        const int before = check_failures;
        fixture f;
        open_fixture(&f, v);
        const double loss = reference_loss(&f, v);
        for (int k = 0; k < FORMS; k++)
            check_against_reference(&f, v, loss, &forms[k]);
        close_fixture(&f);
        if (check_failures > before) printf("     %s FAILED\n", v->name);
    }
}

/* The first step of Adam on a graph with weights: parameters move as the reference's do. */
static void check_adam(fixture *f, const variation *v)
{
    step_case c;
    wgdn_optimizer adam;
    double *m = doubles(f->layout.size), *s = doubles(f->layout.size), most = 0;
    make_model(&c, f, v, &forms[1]);
    float *grad = matrix(c.model->layout.size, 1);
    run_step(grad, &c);
    CHECK(wgdn_optimizer_new(&adam, &wgdn_adam, c.model->layout.size, NULL) == WGDN_OK);
    adam.form->step(&adam, c.model->param, grad, 0.01, 1);
    for (int64_t i = 0; i < f->layout.size; i++)
        most = fmax(most, fabs(f->grad[i]));
    ref_adam(f->param, m, s, f->grad, f->layout.size, 1, 0.01);
    pair_tolerance t = {
        .own = 2e-5, .block = f->param, .grad = f->grad, .largest = most, .steps = 0.01};
    pair_up(compare_arrays, &t, &c.model->at, f->param, &f->config, &f->layout);
    wgdn_optimizer_free(&adam);
    wgdn_release(grad);
    wgdn_release(s);
    wgdn_release(m);
    free_model(&c);
}

static void weighted_against_the_reference(void)
{
    weighted = true;
    against_the_reference();
    for (size_t i = 0; i < 3; i++) {
        fixture f;
        open_fixture(&f, &variations[i]);
        (void)reference_loss(&f, &variations[i]);
        check_adam(&f, &variations[i]);
        close_fixture(&f);
    }
    weighted = false;
}

/* What is held out changes nothing but by its absence, and is reconstructed as the reference does. */
static void held_against_the_reference(void)
{
    holding = true;
    against_the_reference();
    holding = false;
}

/* Each of the forms, then the same in bf16; with noise of its own. */
static void make_form(step_case *c, fixture *f, const variation *v, int form)
{
    make_model(c, f, v, &forms[form % FORMS]);
    c->given_noise = false;
    c->model->options.precision = form < FORMS ? WGDN_PRECISION_FP32 : WGDN_PRECISION_BF16;
}

/* A step with its own noise, at every CPU level: 1 thread against 2, 3 and 4. */
static void same_bits_for_any_threads(void)
{
    for (size_t i = 0; i < sizeof variations / sizeof *variations; i++) {
        weighted = i % 2 == 0; /* drop edges among them */
        holding = i % 3 == 0;
        for (int form = 0; form < 2 * FORMS; form++) {
            const variation *v = &variations[i];
            fixture f;
            step_case c;
            open_fixture(&f, v);
            make_form(&c, &f, v, form);
            check_levels(run_step, &c, c.model->layout.size, NULL, 0);
            free_model(&c);
            close_fixture(&f);
        }
    }
    weighted = holding = false;
}

/* A tight workspace is smaller and gives the same bits. */
static void tight_is_the_same(void)
{
    for (size_t i = 0; i < sizeof variations / sizeof *variations; i++)
        for (int form = 0; form < 2 * FORMS; form++) {
            const variation *v = &variations[i];
            fixture f;
            step_case c;
            open_fixture(&f, v);
            make_form(&c, &f, v, form);
            const int64_t size = c.model->layout.size;
            float *roomy = matrix(size, 1), *tight = matrix(size, 1);
            c.model->options.workspace = WGDN_WORKSPACE_POLICY_STORE;
            const size_t bytes = wgdn_workspace_bytes(c.model, &c.input, true);
            run_step(roomy, &c);
            c.model->options.workspace = WGDN_WORKSPACE_POLICY_RECOMPUTE;
            run_step(tight, &c);
            CHECK(memcmp(roomy, tight, (size_t)size * sizeof *tight) == 0);
            const int shared = v->decoder_layers - (forms[form % FORMS].last == WGDN_LAST_NARROW);
            if (v->channels > 1 && shared > 1)
                CHECK(wgdn_workspace_bytes(c.model, &c.input, true) < bytes);
            CHECK(wgdn_workspace_bytes(c.model, &c.input, true) <= bytes);
            wgdn_release(tight);
            wgdn_release(roomy);
            free_model(&c);
            close_fixture(&f);
        }
}

/* Model, features and workspace with 0, 1, 2, ... allocations allowed. */
static wgdn_status all_allocations(const fixture *f, const wgdn_train_options *o, bool sparse)
{
    wgdn_model *m = NULL;
    wgdn_workspace *w = NULL;
    wgdn_model_input in = {.rows = wgdn_alone(N), .features = F};
    wgdn_status st = wgdn_model_make(&m, o, F, NULL);
    in.sparse = sparse ? &f->sparse : NULL;
    in.dense = sparse ? NULL : f->x;
    if (!st) st = wgdn_model_input_prepare(&in, m, f->graph, NULL);
    if (!st) st = wgdn_workspace_new(&w, m, &in, true, NULL);
    wgdn_workspace_free(w);
    wgdn_model_input_free(&in);
    wgdn_model_free(m);
    return st;
}

static void allocations(void)
{
    fixture f;
    open_fixture(&f, &variations[9]);
    const wgdn_train_options o = options_of(&f.config, REF_ROW);
    CHECK_ALLOCATIONS(all_allocations(&f, &o, false), (void)0);
    CHECK_ALLOCATIONS(all_allocations(&f, &o, true), (void)0);
    close_fixture(&f);
}

/* Rows of X that are 0 stay out of the mean; a reconstruction of 0 has no direction. */
static void cosine_of_nothing(void)
{
    const float x[] = {0, 0, 3, 4, 1, 0}, r[] = {1, 1, 0, 0, 2, 0};
    int64_t offset[] = {0, 0, 2, 3};
    int32_t column[] = {0, 1, 0};
    float value[] = {3, 4, 1}, factor, got[6];
    const wgdn_csr sparse = {
        .rows = 3, .cols = 2, .offset = offset, .column = column, .value = value};
    double work[64];
    for (int form = 0; form < 2; form++) {
        const wgdn_model_input in = {.rows = wgdn_alone(3),
                                     .features = 2,
                                     .dense = form ? NULL : x,
                                     .sparse = form ? &sparse : NULL};
        memcpy(got, r, sizeof r);
        CHECK_NEAR(
            wgdn_loss_dense(&factor, NULL, got, &in, wgdn_loss_form_get(WGDN_LOSS_COSINE), work),
            0.5, 1e-7); /* (1 + 0) / 2 */
        CHECK(factor == 0.5f);
        for (int i = 0; i < 6; i++)
            CHECK_NEAR(got[i], 0, 1e-7);
    }
}

static const char *choices_of(const char *option)
{
    const wgdn_option_info *row;
    for (int i = 0; (row = wgdn_options_get_info(WGDN_OPTIONS_KIND_TRAIN, i)); i++)
        if (strcmp(row->name, option) == 0) return row->choices;
    abort();
}

static const char *loss_name(int i)
{
    return wgdn_loss_form_get(i) ? wgdn_loss_form_get(i)->name : NULL;
}

static const char *decoder_name(int i)
{
    return wgdn_response_form_get(i) ? wgdn_response_form_get(i)->name : NULL;
}

static void are_choices_of(const char *option, const char *(*name)(int i))
{
    char all[160] = "";
    for (int i = 0; name(i); i++)
        snprintf(all + strlen(all), sizeof all - strlen(all), "%s%s", i ? "|" : "", name(i));
    CHECK_TEXT(choices_of(option), all);
    CHECK(!name(-1));
}

/* A choice of the option is the descriptor of the same number. */
static void names_agree(void)
{
    are_choices_of("loss", loss_name);
    are_choices_of("decoder", decoder_name);
}

int main(void)
{
    RUN(names_agree);
    RUN(cosine_of_nothing);
    RUN(against_the_reference);
    RUN(weighted_against_the_reference);
    RUN(held_against_the_reference);
    RUN(same_bits_for_any_threads);
    RUN(tight_is_the_same);
    RUN(allocations);
    return check_result();
}
