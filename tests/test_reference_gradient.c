/* SPDX-License-Identifier: Apache-2.0 */
/* The reference's gradients against central differences, every option switched at least once. */
#include "check.h"
#include "reference/reference.h"

enum { NODES_MAX = 12, FEATURES = 5, WIDTH = 4, DRAWS = 3 };

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
    ref_config_init(&c, t->kernel, FEATURES, WIDTH);
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
    bool held[NODES_MAX * FEATURES];
    ref_state *state;
    double X[NODES_MAX * FEATURES], draw[DRAWS][NODES_MAX * WIDTH];
    const double *Z[DRAWS];
    double *p, *g;
} problem;

/* A third of X is not zero; scales lie near 1, slopes near 0.25, where they are used. */
static void fill(problem *q)
{
    const ref_layout *l = &q->state->layout;
    for (int i = 0; i < NODES_MAX * FEATURES; i++)
        q->X[i] = i % 3 || q->held[i] ? 0 : normal(1, i, 0);
    for (int k = 0; k < DRAWS; k++) {
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
    for (int i = 0; i < NODES_MAX * FEATURES; i++)
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

int main(void)
{
    RUN(central_differences);
    RUN(weighted_operators);
    RUN(weighted_differences);
    RUN(held_differences);
    RUN(evaluation);
    RUN(no_signal);
    return check_result();
}
