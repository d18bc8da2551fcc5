/* SPDX-License-Identifier: Apache-2.0 */
/* Transitions of a graph without features: where they are filtered, and by what. */
#include "check.h"
#include "dataset/embedding.h"
#include "fit/fit.h"
#include "model/model.h"
#include "support.h"

#include <math.h>
#include <string.h>

enum { GROUPS = 40, SIZE = 6, N = GROUPS * SIZE, EDGES = 8 * N, DIM = 32, HALF = DIM / 2 };

typedef struct graph {
    int64_t edges, source[EDGES], target[EDGES];
} graph;

static void join(graph *g, int64_t a, int64_t b)
{
    g->source[g->edges] = a;
    g->target[g->edges++] = b;
}

/* Groups in which everybody knows everybody, each joined to the next by one edge. */
static void make_groups(graph *g)
{
    g->edges = 0;
    for (int64_t i = 0; i < N; i++)
        for (int64_t j = i + 1; j < i - i % SIZE + SIZE; j++)
            join(g, i, j);
    for (int64_t i = 0; i < GROUPS; i++)
        join(g, i * SIZE, (i + 1) % GROUPS * SIZE + 1);
}

/* Everybody knows some seven others, whoever they are. */
static void make_random(graph *g)
{
    const wgdn_stream s = {.seed = 5, .call = 1};
    g->edges = 0;
    for (int64_t i = 0; i < N; i++)
        for (int k = 0; k < 7; k++) {
            const int64_t j = (int64_t)(wgdn_random_bits(s, i, k) % N);
            if (j != i) join(g, i, j);
        }
}

static wgdn_dataset *dataset_of(const graph *g)
{
    wgdn_dataset *d = NULL;
    const wgdn_dataset_arrays a = {.struct_size = sizeof a,
                                   .nodes = N,
                                   .edges = g->edges,
                                   .source = g->source,
                                   .target = g->target};
    CHECK(wgdn_dataset_from_arrays(&d, &a, NULL) == WGDN_OK);
    return d;
}

static wgdn_model *fit(const wgdn_dataset *d)
{
    wgdn_fit_options o;
    wgdn_model *m = NULL;
    wgdn_fit_options_init(&o);
    o.dim = DIM;
    CHECK(wgdn_model_fit(&m, d, &o, NULL) == WGDN_OK);
    return m;
}

/* The half of the vectors that transitions make, in rows of length 1. */
static void transitions_of(double *to, const wgdn_model *m, const wgdn_dataset *d)
{
    wgdn_embedding *e = NULL;
    CHECK(wgdn_model_embed(&e, m, d, NULL, NULL) == WGDN_OK);
    for (int64_t i = 0; i < N; i++) {
        double sum = 0;
        for (int64_t j = 0; j < HALF; j++)
            sum += pow(e->vectors.dense[i * DIM + HALF + j], 2);
        for (int64_t j = 0; j < HALF; j++)
            to[i * HALF + j] = e->vectors.dense[i * DIM + HALF + j] / sqrt(sum);
    }
    wgdn_embedding_free(e);
}

/* y = S x, S = D^-1/2 A D^-1/2, edge by edge. */
static void product(double *y, const wgdn_graph *g, const double *x)
{
    const wgdn_csr *a = &g->adjacency;
    memset(y, 0, (size_t)(N * HALF) * sizeof *y);
    for (int64_t i = 0; i < N; i++)
        for (int64_t k = a->offset[i]; k < a->offset[i + 1]; k++) {
            const int64_t j = a->column[k];
            const double w = 1 / sqrt((double)(a->offset[i + 1] - a->offset[i]) *
                                      (double)(a->offset[j + 1] - a->offset[j]));
            for (int64_t l = 0; l < HALF; l++)
                y[i * HALF + l] += w * x[j * HALF + l];
        }
}

/* exp(-t (I - S)) x by its series, rows of length 1. */
static void heat(double *x, const wgdn_graph *g, double t)
{
    enum { TERMS = 60 };
    double *term = wgdn_alloc(2 * N * HALF, sizeof *term), *next = term + N * HALF;
    memcpy(term, x, N * HALF * sizeof *x);
    for (int k = 1; k < TERMS; k++) {
        product(next, g, term);
        for (int64_t i = 0; i < N * HALF; i++)
            x[i] += term[i] = next[i] * t / k;
    }
    wgdn_release(term);
    for (int64_t i = 0; i < N; i++) {
        double sum = 0;
        for (int64_t j = 0; j < HALF; j++)
            sum += x[i * HALF + j] * x[i * HALF + j];
        for (int64_t j = 0; j < HALF; j++)
            x[i * HALF + j] /= sqrt(sum);
    }
}

static void test_groups_are_filtered(void)
{
    graph g;
    make_groups(&g);
    wgdn_dataset *d = dataset_of(&g);
    wgdn_model *m = fit(d);
    double *filtered = wgdn_alloc(2 * N * HALF, sizeof *filtered), *plain = filtered + N * HALF;
    wgdn_fitted_part *p = &m->fitted->part[1];
    const double t = p->scale;
    CHECK(p->kind == WGDN_PART_TRANSITIONS && t > 4);
    transitions_of(filtered, m, d);
    p->scale = 0;
    transitions_of(plain, m, d);
    double moved = 0;
    for (int64_t i = 0; i < N * HALF; i++)
        moved = fmax(moved, fabs(plain[i] - filtered[i]));
    CHECK(moved > 0.1);
    heat(plain, wgdn_dataset_get_graph(d), t);
    double apart = 0;
    for (int64_t i = 0; i < N * HALF; i++)
        apart = fmax(apart, fabs(plain[i] - filtered[i]));
    CHECK(apart < 5e-4); /* what the series of the filter leaves out */
    p->scale = t;
    wgdn_embedding *e = NULL;
    CHECK_ALLOCATIONS(wgdn_model_embed(&e, m, d, NULL, NULL), wgdn_embedding_free(e));
    wgdn_release(filtered);
    wgdn_model_free(m);
    wgdn_dataset_free(d);
}

static void test_others_are_not(void)
{
    graph g;
    make_random(&g);
    wgdn_dataset *d = dataset_of(&g);
    wgdn_model *m = fit(d);
    CHECK(m->fitted->part[1].kind == WGDN_PART_TRANSITIONS);
    CHECK(m->fitted->part[1].scale < 1);
    wgdn_model_free(m);
    wgdn_dataset_free(d);
}

/* It grows with the eigenvalue, from nothing to a limit. */
static void test_rule(void)
{
    double before = 0;
    CHECK(wgdn_transitions_scale(-0.5) == 0 && wgdn_transitions_scale(0.3) == 0);
    for (double w = 0.3; w <= 1; w += 0.01) {
        const double t = wgdn_transitions_scale(w);
        CHECK(t >= before && t <= 8);
        before = t;
    }
    CHECK(wgdn_transitions_scale(1) == 8);
    CHECK_NEAR(wgdn_transitions_scale(0.8), 2, 1e-12);
}

int main(void)
{
    RUN(test_groups_are_filtered);
    RUN(test_others_are_not);
    RUN(test_rule);
    CHECK(wgdn_alloc_live() == 0);
    return check_result();
}
