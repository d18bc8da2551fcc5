/* SPDX-License-Identifier: Apache-2.0 */
/* The reference model against golden values and central differences. */
#include "check.h"
#include "golden/golden.h"
#include "reference/reference.h"

/* ---- reference ---- */

/* The reference against every case of golden.json; tolerances: golden_excess(). */

static const double relative = 2e-8;

enum {
    ROOM = 4096,
    STEPS = 3,
    REFERENCE_DRAWS = REF_LAYERS,
    REFERENCE_NODES = 6,
    REFERENCE_FEATURES = 5
};

static const char calls_key[] = "deconv_calls_in_order(channel innermost)";

/* Everything that a case needs and has. */
typedef struct golden_run {
    json_t *root, *node;
    const char *name;
    ref_graph graph;
    ref_state *state;
    double X[REFERENCE_NODES * REFERENCE_FEATURES], draw[REFERENCE_DRAWS][ROOM], buffers[ROOM];
    const double *draws[REFERENCE_DRAWS], *const *Z;
    double p[ROOM], g[ROOM], m[ROOM], v[ROOM], want[ROOM];
    double worst; /* share of a tolerance that was used */
} golden_run;

/* Notes the share of the tolerance that was used; complains when it is more than all. */
static void judge(golden_run *r, const char *part, const char *name, double excess)
{
    CHECK(excess <= 1);
    if (!(excess <= 1))
        fprintf(stderr, "  %s, %s %s: %g of what is allowed\n", r->name, part, name, excess);
    if (!(excess <= r->worst)) r->worst = excess;
}

/* Compares what is at a path of the case; a number that is missing is a failure. */
static void check_at(golden_run *r, const char *path, const double *got, int64_t count)
{
    const int64_t found = golden_read(r->want, ROOM, golden_at(r->node, "%s", path));
    CHECK(found == count);
    if (found != count) return;
    judge(r, path, "",
          golden_excess(got, r->want, count, relative * golden_largest(r->want, count)));
}

static void check_block(golden_run *r, const char *part, const double *got)
{
    const ref_layout *l = &r->state->layout;
    CHECK(golden_block(r->want, l, r->root, r->name, part));
    const double slack = relative * golden_largest(r->want, l->size);
    for (int k = 0; k < l->count; k++) {
        const ref_slice *s = &l->slice[k];
        judge(r, part, s->name,
              golden_excess(got + s->offset, r->want + s->offset, s->rows * s->cols, slack));
    }
}

/* "zero", or one n x H matrix per draw */
static void read_draws(golden_run *r)
{
    json_t *draws = golden_at(r->node, "noise_draws_in_order");
    const int expected = r->state->config.skip ? r->state->config.decoder_layers : 1;
    r->Z = json_is_array(draws) ? r->draws : NULL;
    CHECK(r->Z ? (int)json_array_size(draws) == expected : strcmp(golden_text(draws), "zero") == 0);
    for (int k = 0; r->Z && k < expected; k++) {
        golden_read(r->draw[k], ROOM, golden_at(draws, "%d", k));
        r->draws[k] = r->draw[k];
    }
}

static bool open_case(golden_run *r, json_t *root, const char *name)
{
    ref_config c;
    ref_average average;
    *r = (golden_run){.root = root, .name = name, .node = golden_at(root, "cases/%s", name)};
    CHECK(golden_config(&c, &average, root, name));
    CHECK(golden_graph(&r->graph, root, average, r->X, REFERENCE_NODES * REFERENCE_FEATURES));
    r->state = ref_state_new(&c, &r->graph);
    CHECK(r->state && r->state->layout.size <= ROOM && ref_buffers_size(&c) <= ROOM);
    if (!r->state) return false;
    CHECK(golden_block(r->p, &r->state->layout, root, name, "params"));
    ref_buffers_init(r->buffers, &c);
    read_draws(r);
    return true;
}

static void check_encoder(golden_run *r)
{
    const ref_config *c = &r->state->config;
    for (int l = 0; l < c->encoder_layers; l++) {
        char path[40];
        snprintf(path, sizeof path, "encoder_layers/%d", l);
        check_at(r, path, r->state->encoder[l].H, (int64_t)REFERENCE_NODES * c->width);
    }
}

static void check_call(golden_run *r, const ref_call *call, int *at)
{
    const ref_config *c = &r->state->config;
    for (int q = 0; q < c->channels; q++, (*at)++) {
        char path[80];
        snprintf(path, sizeof path, "%s/%d/penalty", calls_key, *at);
        check_at(r, path, &call->penalty[q], 1);
        snprintf(path, sizeof path, "%s/%d/coefs", calls_key, *at);
        check_at(r, path, call->coefficient[q], c->decoder_order + 1);
    }
}

/* With skip, a layer first deconvolves the encoder's branch, then its own input. */
static void check_calls(golden_run *r)
{
    const ref_config *c = &r->state->config;
    int at = 0;
    for (int l = 0; l < c->decoder_layers; l++) {
        if (l == 0 || c->skip) check_call(r, &r->state->decoder[l].call[0], &at);
        if (l > 0) check_call(r, &r->state->decoder[l].call[1], &at);
    }
    CHECK(at == (int)json_array_size(golden_at(r->node, "%s", calls_key)));
}

static void check_first_step(golden_run *r)
{
    ref_state *s = r->state;
    CHECK(ref_forward(s, r->p, r->X, r->Z, NULL, REF_TRAIN));
    check_encoder(r);
    check_calls(r);
    check_at(r, "reconstruction", s->reconstruction, (int64_t)REFERENCE_NODES * REFERENCE_FEATURES);
    check_at(r, "loss", &s->loss, 1);
    ref_backward(s, r->p, r->g);
    check_block(r, "grads", r->g);
}

static void check_buffers(golden_run *r)
{
    const ref_config *c = &r->state->config;
    for (int k = 0; k < c->encoder_layers + c->decoder_layers - 1; k++) {
        const bool encoder = k < c->encoder_layers;
        const double *mean = r->buffers + 2 * k * c->width;
        char path[80];
        for (int second = 0; second < 2; second++) {
            snprintf(path, sizeof path, "buffers_after_3_steps/%s_norms.%d.%s",
                     encoder ? "encoder.enc" : "decoder.dec", encoder ? k : k - c->encoder_layers,
                     second ? "running_var" : "running_mean");
            check_at(r, path, mean + second * c->width, c->width);
        }
    }
}

/*
 * Same noise in every step. The file's encoder ran once more, before the first step, to write its
 * outputs down: its count of batches says 4 where the decoder's says 3, and its averages agree
 * only with that extra pass.
 */
static void check_steps(golden_run *r)
{
    ref_state *s = r->state;
    double losses[STEPS];
    ref_encode(s, r->p, r->X, r->buffers, REF_TRAIN);
    for (int step = 1; step <= STEPS; step++) {
        CHECK(ref_forward(s, r->p, r->X, r->Z, r->buffers, REF_TRAIN));
        losses[step - 1] = s->loss;
        ref_backward(s, r->p, r->g);
        ref_adam(r->p, r->m, r->v, r->g, s->layout.size, step, 0.01);
    }
    check_at(r, "loss_per_step*", losses, STEPS);
    check_block(r, "params_after_3_adam_steps", r->p);
    if (s->config.norm == REF_NORM_BATCH) check_buffers(r);
}

static void cases(void)
{
    json_t *root = golden_load(), *node;
    golden_run *r = malloc(sizeof *r);
    const char *name;
    int count = 0;
    CHECK(root && r);
    json_object_foreach(golden_at(root, "cases"), name, node)
    {
        if (r && open_case(r, root, name)) {
            check_first_step(r);
            check_steps(r);
            printf("     %-40s at most %.2f of the tolerance\n", name, r->worst);
        }
        if (r) {
            ref_state_free(r->state);
            ref_graph_free(&r->graph);
        }
        count++;
    }
    CHECK(count == 11);
    free(r);
    json_decref(root);
}

static int reference_tests(void)
{
    RUN(cases);
    return check_result();
}

/* ---- reference_parts ---- */

/* Operators, polynomials and the linear probe of golden.json; tolerances: golden_excess(). */

enum { REFERENCE_PARTS_NODES = 6, REFERENCE_PARTS_FEATURES = 5 };

/* The fit alone, for penalties that the file chose. */
static void coefficients(void)
{
    static const char *const name[] = {"gcn", "heat", "ppr"};
    json_t *root = golden_load(), *node;
    const char *penalty;
    for (int k = REF_GCN; k <= REF_PPR; k++) {
        double got[REF_ORDER + 2], want[REF_ORDER + 2];
        ref_config c;
        ref_config_init(&c, (ref_kernel)k, 1, 1);
        ref_nodes(got, c.decoder_order);
        CHECK(golden_read(want, REF_ORDER + 2, golden_at(root, "wiener_coefs/%s/nodes", name[k])) ==
              c.decoder_order + 2);
        CHECK(golden_excess(got, want, c.decoder_order + 2, 0) <= 1);
        json_object_foreach(golden_at(root, "wiener_coefs/%s/penalty", name[k]), penalty, node)
        {
            CHECK(golden_read(want, REF_ORDER + 1, node) == c.decoder_order + 1);
            CHECK(ref_coefficients(got, c.decoder_order, c.kernel, c.parameter, REF_WIENER,
                                   strtod(penalty, NULL)));
            CHECK_NEAR(golden_excess(got, want, c.decoder_order + 1,
                                     relative * golden_largest(want, c.decoder_order + 1)),
                       0, 1);
        }
    }
    json_decref(root);
}

/* 1 / g of ppr is 1 + 4 x itself; of gcn it has a pole on a node of every odd order. */
static void encoder_and_inverse(void)
{
    static const struct {
        const char *name;
        ref_kernel kernel;
        ref_response response;
        int order;
    } fit[] = {{"gcn", REF_GCN, REF_FORWARD, 1},
               {"heat", REF_HEAT, REF_FORWARD, 2},
               {"ppr", REF_PPR, REF_FORWARD, 2},
               {"heat_inv", REF_HEAT, REF_INVERSE, 2},
               {"ppr_inv", REF_PPR, REF_INVERSE, 1}};
    json_t *root = golden_load();
    double got[REF_ORDER + 1], want[REF_ORDER + 1];
    for (size_t k = 0; k < sizeof fit / sizeof *fit; k++) {
        ref_config c;
        ref_config_init(&c, fit[k].kernel, 1, 1);
        CHECK(golden_read(want, REF_ORDER + 1, golden_at(root, "encoder_coefs/%s", fit[k].name)) ==
              fit[k].order + 1);
        CHECK(ref_coefficients(got, fit[k].order, c.kernel, c.parameter, fit[k].response, 0));
        CHECK(golden_excess(got, want, fit[k].order + 1, 1e-15) <= 1);
    }
    CHECK(!ref_coefficients(got, 9, REF_GCN, 1, REF_INVERSE, 0));
    CHECK(ref_coefficients(got, 9, REF_GCN, 1, REF_WIENER, 0));
    json_decref(root);
}

static void operators(void)
{
    enum { SIZE = REFERENCE_PARTS_NODES * REFERENCE_PARTS_NODES };
    json_t *root = golden_load();
    ref_graph row, column;
    double X[REFERENCE_PARTS_NODES * REFERENCE_PARTS_FEATURES], want[SIZE];
    CHECK(golden_graph(&row, root, REF_ROW, X, REFERENCE_PARTS_NODES * REFERENCE_PARTS_FEATURES));
    CHECK(golden_graph(&column, root, REF_COLUMN, X,
                       REFERENCE_PARTS_NODES * REFERENCE_PARTS_FEATURES));
    CHECK(golden_read(want, SIZE, golden_at(root, "graph/laplacian_dense")) == SIZE);
    CHECK(golden_excess(row.laplacian, want, SIZE, 1e-15) <= 1);
    CHECK(golden_read(want, SIZE, golden_at(root, "graph/rw_dense*")) == SIZE);
    CHECK(golden_excess(row.average, want, SIZE, 1e-15) <= 1);
    for (int i = 0; i < SIZE; i++) /* A D^-1 is the transpose */
        CHECK(column.average[i] == row.average[i % REFERENCE_PARTS_NODES * REFERENCE_PARTS_NODES +
                                               i / REFERENCE_PARTS_NODES]);
    ref_graph_free(&column);
    ref_graph_free(&row);
    json_decref(root);
}

/* Five Adam steps from (W0, b0). The decay is l2 p added to the gradient, of W and of b. */
static void linear_probe(void)
{
    enum { D = 4, CLASSES = 3, SIZE = CLASSES * (D + 1), PROBE_STEPS = 5 };
    json_t *root = golden_load(), *node = golden_at(root, "linear_probe");
    double Z[REFERENCE_PARTS_NODES * D], labels[REFERENCE_PARTS_NODES], p[SIZE], g[SIZE],
        m[SIZE] = {0}, v[SIZE] = {0};
    double losses[PROBE_STEPS], want[SIZE], work[CLASSES];
    const double lr = golden_number(golden_at(node, "lr"));
    const double l2 = golden_number(golden_at(node, "weight_decay"));
    int label[REFERENCE_PARTS_NODES];
    CHECK(golden_read(Z, REFERENCE_PARTS_NODES * D, golden_at(node, "Z")) ==
          REFERENCE_PARTS_NODES * D);
    CHECK(golden_read(labels, REFERENCE_PARTS_NODES, golden_at(node, "labels")) ==
          REFERENCE_PARTS_NODES);
    CHECK(golden_read(p, CLASSES * D, golden_at(node, "W0")) == CLASSES * D);
    CHECK(golden_read(p + CLASSES * D, CLASSES, golden_at(node, "b0")) == CLASSES);
    for (int i = 0; i < REFERENCE_PARTS_NODES; i++)
        label[i] = (int)labels[i];
    for (int step = 1; step <= PROBE_STEPS; step++) {
        losses[step - 1] =
            ref_probe(g, p, &(ref_labeled){Z, label, REFERENCE_PARTS_NODES, D, CLASSES}, l2, work);
        ref_adam(p, m, v, g, SIZE, step, lr);
    }
    CHECK(golden_read(want, PROBE_STEPS, golden_at(node, "loss_per_step")) == PROBE_STEPS);
    CHECK_NEAR(golden_excess(losses, want, PROBE_STEPS, relative), 0, 1);
    CHECK(golden_read(want, CLASSES * D, golden_at(node, "W_after_5")) == CLASSES * D);
    CHECK(golden_read(want + CLASSES * D, CLASSES, golden_at(node, "b_after_5")) == CLASSES);
    CHECK_NEAR(golden_excess(p, want, SIZE, relative * golden_largest(want, SIZE)), 0, 1);
    json_decref(root);
}

static int reference_parts_tests(void)
{
    RUN(operators);
    RUN(coefficients);
    RUN(encoder_and_inverse);
    RUN(linear_probe);
    return check_result();
}

/* ---- reference_gradient ---- */

/* The reference's gradients against central differences, every option switched at least once. */

enum { NODES_MAX = 12, REFERENCE_GRADIENT_FEATURES = 5, WIDTH = 4, REFERENCE_GRADIENT_DRAWS = 3 };

/* One column of the table below; what is not named is ref_config_init()'s. */
typedef struct gradient_case {
    const char *name;
    int n;
    ref_kernel kernel;
    int layers, decoder_layers, channels;
    ref_aggregate aggregate;
    ref_skip skip;
    bool activation;
    ref_norm norm;
    ref_average average;
    ref_loss loss;
    bool plain;
    double beta;
    ref_response decoder;
    bool drop; /* nodes and edges */
} gradient_case;

static const gradient_case table[] = {
    {"ppr max", 6, REF_PPR, 2, 2, 3, REF_MAX, REF_SKIP_SUM, true, REF_NORM_NONE, REF_COLUMN,
     REF_RMSE, false, 0.9, REF_WIENER, false},
    {"ppr sum", 7, REF_PPR, 2, 2, 3, REF_SUM, REF_SKIP_NONE, false, REF_NORM_NONE, REF_COLUMN,
     REF_RMSE, true, 1, REF_WIENER, false},
    {"heat mean", 8, REF_HEAT, 3, 3, 2, REF_MEAN, REF_SKIP_MEAN, true, REF_NORM_LAYER, REF_ROW,
     REF_ROW_RMSE, false, 0.5, REF_WIENER, false},
    {"gcn one channel", 9, REF_GCN, 2, 2, 1, REF_MAX, REF_SKIP_MEAN, true, REF_NORM_NONE, REF_ROW,
     REF_RMSE, false, 0.4, REF_WIENER, false},
    {"ppr mse, one decoder layer", 10, REF_PPR, 3, 1, 1, REF_MAX, REF_SKIP_NONE, false,
     REF_NORM_LAYER, REF_ROW, REF_MSE, true, 0.8, REF_WIENER, false},
    {"ppr batch norm", 11, REF_PPR, 3, 3, 3, REF_MAX, REF_SKIP_SUM, true, REF_NORM_BATCH, REF_ROW,
     REF_ROW_RMSE, true, 1.5, REF_WIENER, false},
    {"heat inverse", 12, REF_HEAT, 2, 2, 3, REF_MEAN, REF_SKIP_SUM, false, REF_NORM_BATCH, REF_ROW,
     REF_MSE, false, 0.5, REF_INVERSE, false},
    {"ppr inverse, one layer", 6, REF_PPR, 1, 1, 3, REF_SUM, REF_SKIP_NONE, false, REF_NORM_NONE,
     REF_ROW, REF_RMSE, false, 0, REF_INVERSE, false},
    {"ppr cosine", 9, REF_PPR, 2, 2, 1, REF_MAX, REF_SKIP_SUM, true, REF_NORM_NONE, REF_ROW,
     REF_COSINE, true, 0.5, REF_WIENER, false},
    {"heat cosine, channels", 10, REF_HEAT, 2, 2, 3, REF_SUM, REF_SKIP_NONE, false, REF_NORM_BATCH,
     REF_ROW, REF_COSINE, true, 0.8, REF_WIENER, false},
    {"heat, dropped", 12, REF_HEAT, 2, 2, 1, REF_MAX, REF_SKIP_SUM, true, REF_NORM_NONE, REF_ROW,
     REF_RMSE, false, 0.5, REF_WIENER, true},
    {"ppr, dropped", 11, REF_PPR, 3, 3, 3, REF_MEAN, REF_SKIP_MEAN, false, REF_NORM_LAYER,
     REF_COLUMN, REF_MSE, true, 0, REF_WIENER, true},
};

static bool weighted, holding;

static double normal(uint16_t call, int64_t i, int64_t j)
{
    float z;
    wgdn_random_normals(&z, 1, (wgdn_stream){.seed = 17, .call = call}, i, 1, j, 1);
    return z;
}

/* About two edges a node, or half of these, with or without weights; the last node stays isolated. */
static bool make_graph(ref_graph *g, int n, bool half, ref_average average)
{
    double weight[2 * NODES_MAX];
    const int64_t m = half ? n : (int64_t)2 * n;
    const wgdn_stream s = {.seed = 19, .call = 1};
    int64_t src[2 * NODES_MAX], dst[2 * NODES_MAX];
    for (int64_t e = 0; e < m; e++) {
        src[e] = wgdn_random_bits(s, e, 0) % (uint32_t)(n - 1);
        dst[e] = wgdn_random_bits(s, e, 1) % (uint32_t)(n - 1);
        weight[e] = exp(normal(4, e, 0));
    }
    return ref_graph_from_edges(g, n, m, src, dst, weighted ? weight : NULL, average);
}

static ref_config make_config(const gradient_case *t)
{
    ref_config c;
    ref_config_init(&c, t->kernel, REFERENCE_GRADIENT_FEATURES, WIDTH);
    c.encoder_layers = t->layers;
    c.decoder_layers = t->decoder_layers;
    c.channels = t->channels;
    for (int q = 0; q < t->channels && t->channels > 1; q++)
        c.gamma[q] = pow(10, q - 1);
    c.aggregate = t->aggregate;
    c.skip = t->skip;
    c.embedding_activation = t->activation;
    c.norm = t->norm;
    c.loss = t->loss;
    c.balanced = !t->plain;
    c.beta = t->beta;
    c.decoder = t->decoder;
    return c;
}

typedef struct problem {
    ref_graph graph, half;
    double keep[NODES_MAX];
    bool held[NODES_MAX * REFERENCE_GRADIENT_FEATURES];
    ref_state *state;
    double X[NODES_MAX * REFERENCE_GRADIENT_FEATURES],
        draw[REFERENCE_GRADIENT_DRAWS][NODES_MAX * WIDTH];
    const double *Z[REFERENCE_GRADIENT_DRAWS];
    double *p, *g;
} problem;

/* A third of X is not zero; scales lie near 1, slopes near 0.25, where they are used. */
static void fill(problem *q)
{
    const ref_layout *l = &q->state->layout;
    for (int i = 0; i < NODES_MAX * REFERENCE_GRADIENT_FEATURES; i++)
        q->X[i] = i % 3 || q->held[i] ? 0 : normal(1, i, 0);
    for (int k = 0; k < REFERENCE_GRADIENT_DRAWS; k++) {
        for (int i = 0; i < NODES_MAX * WIDTH; i++)
            q->draw[k][i] = normal(2, i, k);
        q->Z[k] = q->draw[k];
    }
    for (int k = 0; k < l->count; k++) {
        const ref_slice *s = &l->slice[k];
        const bool one = strstr(s->name, "norms") && strstr(s->name, "weight");
        const bool slope = strstr(s->name, "act") != NULL;
        for (int i = 0; i < s->rows * s->cols; i++)
            q->p[s->offset + i] = (one     ? 1
                                   : slope ? 0.25
                                           : 0) +
                                  (slope ? 0.05 : 0.4) * normal(3, s->offset + i, 0);
    }
}

static double loss_at(problem *q, double *entry, double value, uint64_t *branches)
{
    const double before = *entry;
    *entry = value;
    CHECK(ref_forward(q->state, q->p, q->X, q->Z, NULL, REF_FROZEN));
    *branches = ref_branches(q->state, q->p);
    *entry = before;
    return q->state->loss;
}

/*
 * What the gradient takes for constant (std, penalties, coefficients) is frozen. A step of 1e-6
 * makes an error of about 1e-16 / 1e-6 from rounding and less from curvature. The coefficients of
 * gcn's order 9 cancel and leave a rounding of 1e-12 (the error falls as the step grows, to 4e-9
 * at 1e-4): its step is longer. An entry whose two sides lie on different pieces of a PReLU or a
 * max has no difference to compare with; few may be so.
 */
static void differences(problem *q, const char *name)
{
    const ref_layout *l = &q->state->layout;
    const double step = q->state->config.kernel == REF_GCN ? 1e-4 : 1e-6;
    const uint64_t here = ref_branches(q->state, q->p);
    double largest = 0, worst = 0;
    int kinks = 0;
    for (int64_t i = 0; i < l->size; i++)
        largest = fmax(largest, fabs(q->g[i]));
    for (int64_t i = 0; i < l->size; i++) {
        uint64_t above, below;
        const double up = loss_at(q, &q->p[i], q->p[i] + step, &above);
        const double down = loss_at(q, &q->p[i], q->p[i] - step, &below);
        if (above != here || below != here) {
            kinks++;
            continue;
        }
        const double e = fabs((up - down) / (2 * step) - q->g[i]) / largest;
        if (!(e <= worst)) worst = e; /* NaN too */
    }
    printf("     %-28s %lld parameters, %d at a kink, apart by at most %.1e of the largest\n", name,
           (long long)l->size, kinks, worst);
    CHECK_NEAR(worst, 0, 1e-8);
    CHECK(kinks * 50 < l->size);
}

static problem *open_problem(const gradient_case *t)
{
    const ref_config c = make_config(t);
    problem *q = calloc(1, sizeof *q);
    if (!q || !make_graph(&q->graph, t->n, false, t->average) ||
        !make_graph(&q->half, t->n, true, t->average))
        abort();
    q->state = ref_state_new(&c, &q->graph);
    if (!q->state) abort();
    for (int i = 0; i < t->n; i++)
        q->keep[i] = i % 3 != 1;
    if (t->drop) {
        q->state->decoding = &q->half;
        q->state->keep = q->keep;
    }
    for (int i = 0; i < NODES_MAX * REFERENCE_GRADIENT_FEATURES; i++)
        q->held[i] = holding && i % 12 == 3;
    if (holding) q->state->held = q->held;
    q->p = calloc((size_t)q->state->layout.size, sizeof *q->p);
    q->g = calloc((size_t)q->state->layout.size, sizeof *q->g);
    if (!q->p || !q->g) abort();
    fill(q);
    return q;
}

static void close_problem(problem *q)
{
    free(q->g);
    free(q->p);
    ref_state_free(q->state);
    ref_graph_free(&q->half);
    ref_graph_free(&q->graph);
    free(q);
}

static void central_differences(void)
{
    weighted = false;
    for (size_t k = 0; k < sizeof table / sizeof *table; k++) {
        problem *q = open_problem(&table[k]);
        CHECK(ref_forward(q->state, q->p, q->X, q->Z, NULL, REF_TRAIN));
        ref_backward(q->state, q->p, q->g);
        differences(q, table[k].name);
        close_problem(q);
    }
}

/* The same on graphs whose edges have weights. */
static void weighted_differences(void)
{
    weighted = true;
    for (size_t k = 0; k < sizeof table / sizeof *table; k++) {
        problem *q = open_problem(&table[k]);
        CHECK(ref_forward(q->state, q->p, q->X, q->Z, NULL, REF_TRAIN));
        ref_backward(q->state, q->p, q->g);
        differences(q, table[k].name);
        close_problem(q);
    }
    weighted = false;
}

/* The same with features that are held out. */
static void held_differences(void)
{
    holding = true;
    central_differences();
    holding = false;
}

/* 0 -4- 1 -9- 2, and 3 alone: degrees 4, 13, 9, 0. */
static void weighted_operators(void)
{
    const int64_t src[] = {0, 2}, dst[] = {1, 1};
    const double w[] = {4, 9};
    const double l[] = {1,
                        -4 / sqrt(52),
                        0,
                        0,
                        -4 / sqrt(52),
                        1,
                        -9 / sqrt(117),
                        0,
                        0,
                        -9 / sqrt(117),
                        1,
                        0,
                        0,
                        0,
                        0,
                        1};
    const double m[] = {0, 1, 0, 0, 4.0 / 13, 0, 9.0 / 13, 0, 0, 1, 0, 0, 0, 0, 0, 0};
    ref_graph row, column;
    CHECK(ref_graph_from_edges(&row, 4, 2, src, dst, w, REF_ROW));
    CHECK(ref_graph_from_edges(&column, 4, 2, src, dst, w, REF_COLUMN));
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) {
            CHECK_NEAR(row.laplacian[4 * i + j], l[4 * i + j], 1e-15);
            CHECK_NEAR(row.average[4 * i + j], m[4 * i + j], 1e-15);
            CHECK_NEAR(column.average[4 * i + j], m[4 * j + i], 1e-15);
        }
    ref_graph_free(&column);
    ref_graph_free(&row);
}

/*
 * The same batch again and again: the running averages become its mean and its unbiased variance
 * (0.9^400 is far below rounding), and evaluation differs from training by that variance alone.
 */
static void evaluation(void)
{
    gradient_case t = table[5];
    t.layers = t.decoder_layers = 1;
    t.activation = false;
    problem *q = open_problem(&t);
    const ref_after *h = &q->state->encoder[0];
    const double *shift = q->p + q->state->layout.encoder[0].shift;
    double buffers[2 * WIDTH], train[NODES_MAX * WIDTH], biased[WIDTH];
    ref_buffers_init(buffers, &q->state->config);
    for (int k = 0; k < 400; k++)
        ref_encode(q->state, q->p, q->X, buffers, REF_TRAIN);
    memcpy(train, h->H, (size_t)(t.n * WIDTH) * sizeof *train);
    for (int j = 0; j < WIDTH; j++)
        biased[j] = 1 / (h->inverse[j] * h->inverse[j]) - 1e-5;
    ref_encode(q->state, q->p, q->X, buffers, REF_EVALUATE);
    for (int i = 0; i < t.n * WIDTH; i++) {
        const int j = i % WIDTH;
        const double unbiased = biased[j] * t.n / (t.n - 1);
        const double shrink = sqrt((biased[j] + 1e-5) / (unbiased + 1e-5));
        CHECK_NEAR(h->H[i], (train[i] - shift[j]) * shrink + shift[j], 1e-12);
    }
    close_problem(q);
}

/* An embedding of zeros has no signal; the first decoder layer says so. */
static void no_signal(void)
{
    problem *q = open_problem(&table[0]);
    memset(q->p, 0, (size_t)q->state->layout.size * sizeof *q->p);
    CHECK(!ref_forward(q->state, q->p, q->X, NULL, NULL, REF_TRAIN));
    CHECK(q->state->failed_layer == 0);
    close_problem(q);
}

static int reference_gradient_tests(void)
{
    RUN(central_differences);
    RUN(weighted_operators);
    RUN(weighted_differences);
    RUN(held_differences);
    RUN(evaluation);
    RUN(no_signal);
    return check_result();
}

int main(int argc, char **argv)
{
    static const check_group groups[] = {
        {"reference", reference_tests},
        {"reference_parts", reference_parts_tests},
        {"reference_gradient", reference_gradient_tests},
    };
    return check_groups(groups, sizeof groups / sizeof *groups, argc, argv);
}
