/* SPDX-License-Identifier: Apache-2.0 */
#define _DEFAULT_SOURCE
/* Refinement of the closed form: walks, views, loss and gradients against naive ones in double, and fits. */
#include "arrays.h"
#include "check.h"
#include "dataset/embedding.h"
#include "fit/refine.h"
#include "model/model.h"
#include "support.h"

#include <unistd.h>

enum { N = 60, D = 5 };

static const double r = 1e-3; /* as in agreement.c */

/* ---- walks and views ---- */

static wgdn_fit_input input_of(const wgdn_graph *g, uint64_t *key)
{
    for (int64_t i = 0; i < g->adjacency.rows; i++)
        key[i] = (uint64_t)i * 0x9e3779b97f4a7c15;
    return (wgdn_fit_input){.graph = g,
                            .rows = wgdn_alone(g->adjacency.rows),
                            .key = key,
                            .weighted = g->adjacency.value};
}

/* (D + w)^-1/2 (A + w) (D + w)^-1/2 */
static void naive_walk(double *w, const wgdn_csr *a, double loop)
{
    double degree[N];
    memset(w, 0, sizeof(double) * N * N);
    for (int i = 0; i < N; i++) {
        w[i * N + i] = loop;
        for (int64_t k = a->offset[i]; k < a->offset[i + 1]; k++)
            w[i * N + a->column[k]] = a->value ? a->value[k] : 1;
    }
    for (int i = 0; i < N; i++) {
        degree[i] = 0;
        for (int j = 0; j < N; j++)
            degree[i] += w[i * N + j];
    }
    for (int i = 0; i < N * N; i++)
        w[i] /= sqrt(degree[i / N] * degree[i % N]);
}

static void a_step(void)
{
    static double w[N * N];
    uint64_t key[N];
    for (int weighted = 0; weighted < 2; weighted++) {
        wgdn_graph *g = random_graph(N, 2);
        if (weighted) weigh(g);
        const wgdn_fit_input in = input_of(g, key);
        float *x = random_matrix(3, N, D), *y = matrix(N, D);
        wgdn_graph *walk = NULL;
        double loop, mean = 0, worst = 0;
        for (int64_t k = 0; weighted && k < wgdn_csr_entries(&g->adjacency); k++)
            mean += g->adjacency.value[k] / (double)wgdn_csr_entries(&g->adjacency);
        CHECK(wgdn_walk_weight(&loop, &in, NULL) == WGDN_OK);
        CHECK(fabs(loop - (weighted ? mean : 1)) < 1e-9);
        CHECK(wgdn_walk_open(&walk, &in, NULL) == WGDN_OK);
        wgdn_walk_loop(walk, loop);
        wgdn_walk_product(y, walk, x, D);
        naive_walk(w, &g->adjacency, loop);
        for (int i = 0; i < N * D; i++) {
            double sum = 0;
            for (int j = 0; j < N; j++)
                sum += w[i / D * N + j] * x[j * D + i % D];
            worst = fmax(worst, fabs(sum - y[i]));
        }
        CHECK(worst < 1e-5);
        wgdn_graph_free(walk);
        wgdn_release(y);
        wgdn_release(x);
        wgdn_graph_free(g);
    }
}

static double entry(const wgdn_csr *a, int64_t i, int64_t j)
{
    for (int64_t k = a->offset[i]; k < a->offset[i + 1]; k++)
        if (a->column[k] == j) return a->value ? a->value[k] : 1;
    return 0;
}

/* Both directions of an edge go or stay; another view, other edges; a node's number does not matter. */
static void a_view(void)
{
    enum { NODES = 3000 };
    wgdn_graph *g = weigh(random_graph(NODES, 4));
    uint64_t *key = wgdn_alloc(NODES, sizeof *key);
    const wgdn_fit_input in = input_of(g, key);
    const wgdn_stream s[2] = {{.seed = 5, .epoch = 1, .call = 9},
                              {.seed = 5, .epoch = 2, .call = 9}};
    wgdn_graph *one = NULL, *other = NULL;
    int64_t both = 0, entries = wgdn_csr_entries(&g->adjacency);
    CHECK(wgdn_walk_thin(&one, &in, 0.4, s[0], NULL) == WGDN_OK);
    CHECK(wgdn_walk_thin(&other, &in, 0.4, s[1], NULL) == WGDN_OK);
    const wgdn_csr *a = &one->adjacency;
    const double kept = (double)wgdn_csr_entries(a) / (double)entries;
    CHECK(fabs(kept - 0.6) < 0.02);
    for (int64_t i = 0; i < NODES; i++) {
        double strength = 0;
        for (int64_t k = a->offset[i]; k < a->offset[i + 1]; k++) {
            CHECK(a->value[k] == (float)entry(&g->adjacency, i, a->column[k]));
            CHECK(entry(a, a->column[k], i) == a->value[k]);
            both += entry(&other->adjacency, i, a->column[k]) > 0;
            strength += a->value[k];
        }
        CHECK(fabs(one->inv_degree[i] * strength - (strength > 0)) < 1e-5);
    }
    CHECK(fabs((double)both / (double)entries - 0.36) < 0.02);
    wgdn_graph_free(other);
    wgdn_graph_free(one);
    CHECK_ALLOCATIONS(wgdn_walk_thin(&one, &in, 0.4, s[0], NULL), wgdn_graph_free(one));
    wgdn_release(key);
    wgdn_graph_free(g);
}

/* ---- the loss ---- */

static double naive_loss(const double *c1, const double *c2)
{
    static double u[2][N * D];
    const double *code[2] = {c1, c2};
    double loss = 0;
    for (int v = 0; v < 2; v++)
        for (int j = 0; j < D; j++) {
            double mean = 0, variance = 0;
            for (int i = 0; i < N; i++)
                mean += code[v][i * D + j] / N;
            for (int i = 0; i < N; i++)
                variance += pow(code[v][i * D + j] - mean, 2) / N;
            for (int i = 0; i < N; i++)
                u[v][i * D + j] = (code[v][i * D + j] - mean) / sqrt(variance);
        }
    for (int i = 0; i < N * D; i++)
        loss += pow(u[0][i] - u[1][i], 2) / (2 * N);
    for (int v = 0; v < 2; v++)
        for (int k = 0; k < D * D; k++) {
            double g = -(double)(k / D == k % D);
            for (int i = 0; i < N; i++)
                g += u[v][i * D + k / D] * u[v][i * D + k % D] / N;
            loss += r * g * g;
        }
    return loss;
}

typedef struct pair {
    wgdn_agreement a;
    float *room;
} pair;

static pair open_pair(void)
{
    pair p = {.a = {.n = wgdn_alone(N), .d = D}};
    p.room = matrix(4 * N, D);
    for (int v = 0; v < 2; v++) {
        p.a.code[v] = p.room + v * N * D;
        p.a.gradient[v] = p.room + (2 + v) * N * D;
    }
    p.a.small = wgdn_alloc(wgdn_agreement_doubles(D), sizeof *p.a.small);
    p.a.work = wgdn_alloc(wgdn_agreement_work(p.a.n, D), 1);
    return p;
}

static void close_pair(pair *p)
{
    wgdn_release(p->a.work);
    wgdn_release(p->a.small);
    wgdn_release(p->room);
}

static void the_loss(void)
{
    static double c[2][N * D];
    float *draw = random_matrix(4, 3 * N, D);
    pair p = open_pair();
    double loss, largest = 0;
    for (int i = 0; i < N * D; i++) /* alike, of various lengths and means */
        for (int v = 0; v < 2; v++)
            p.a.code[v][i] = (float)(c[v][i] = (float)(1 + i % D + (1 + i % D) * draw[i] +
                                                       0.5 * draw[(1 + v) * N * D + i]));
    const double truth = naive_loss(c[0], c[1]);
    CHECK(wgdn_agreement_make(&loss, &p.a, NULL) == WGDN_OK);
    CHECK(fabs(loss - truth) < 1e-6 * truth);
    for (int v = 0; v < 2; v++)
        for (int i = 0; i < N * D; i++)
            largest = fmax(largest, fabs(p.a.gradient[v][i]));
    for (int v = 0; v < 2; v++)
        for (int i = 0; i < N * D; i++) {
            const double at = c[v][i], h = 1e-5;
            c[v][i] = at + h;
            const double above = naive_loss(c[0], c[1]);
            c[v][i] = at - h;
            const double below = naive_loss(c[0], c[1]);
            c[v][i] = at;
            CHECK(fabs((above - below) / (2 * h) - p.a.gradient[v][i]) < 1e-5 * largest + 1e-9);
        }
    close_pair(&p);
    wgdn_release(draw);
}

/* ---- the network ---- */

typedef struct network {
    double w[2][N * N], z[2][N * D], a[D * D], b[D * D];
} network;

static double naive_network(const network *n)
{
    static double code[2][N * D], t[N * D], h[N * D];
    for (int v = 0; v < 2; v++) {
        const double *w = n->w[v], *z = n->z[v];
        for (int layer = 0; layer < 2; layer++) {
            const double *from = layer ? h : z, *by = layer ? n->b : n->a;
            for (int i = 0; i < N * D; i++) {
                t[i] = 0;
                for (int k = 0; k < D; k++)
                    t[i] += from[i / D * D + k] * by[k * D + i % D];
            }
            for (int i = 0; i < N * D; i++) {
                double sum = 0;
                for (int j = 0; j < N; j++)
                    sum += w[i / D * N + j] * t[j * D + i % D];
                code[v][i] = z[i] + sum;
                if (!layer) code[v][i] = fmax(sum, 0);
            }
            memcpy(h, code[v], sizeof h);
        }
    }
    return naive_loss(code[0], code[1]);
}

static void the_gradient(void)
{
    static network n;
    wgdn_graph *g = weigh(random_graph(N, 3));
    uint64_t key[N];
    const wgdn_fit_input in = input_of(g, key);
    float *z[2] = {random_matrix(5, N, D), random_matrix(6, N, D)}, *a = random_matrix(7, D, D);
    float *b = random_matrix(8, D, D), *da = matrix(D, D), *db = matrix(D, D);
    float *room = matrix(4 * N, D);
    void *work = wgdn_alloc(wgdn_agreement_work(in.rows, D) + wgdn_gemm_nt_work(D, D), 1);
    wgdn_graph *walk[2];
    wgdn_refining net[2];
    pair p = open_pair();
    double loss, largest = 0;
    for (int v = 0; v < 2; v++) {
        const wgdn_stream s = {.seed = 1, .epoch = (uint32_t)v, .call = 9};
        CHECK(wgdn_walk_thin(&walk[v], &in, 0.4, s, NULL) == WGDN_OK);
        wgdn_walk_loop(walk[v], 1.5);
        naive_walk(n.w[v], &walk[v]->adjacency, 1.5);
        net[v] =
            (wgdn_refining){in.rows, D, a, b, room + v * 2 * N * D, room + (v * 2 + 1) * N * D};
        for (int i = 0; i < N * D; i++)
            n.z[v][i] = z[v][i];
    }
    for (int i = 0; i < D * D; i++) {
        n.a[i] = a[i];
        n.b[i] = b[i];
    }
    for (int v = 0; v < 2; v++)
        CHECK(wgdn_refine_forward(p.a.code[v], &net[v], walk[v], z[v], NULL) == WGDN_OK);
    CHECK(wgdn_agreement_make(&loss, &p.a, NULL) == WGDN_OK);
    CHECK(fabs(loss - naive_network(&n)) < 1e-5 * loss);
    for (int v = 0; v < 2; v++)
        CHECK(wgdn_refine_backward(da, db, &net[v], walk[v], z[v], p.a.gradient[v], work, NULL) ==
              WGDN_OK);
    for (int i = 0; i < D * D; i++)
        largest = fmax(largest, fmax(fabs(da[i]), fabs(db[i])));
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < D * D; i++) {
            double *at = k ? n.b + i : n.a + i, was = *at, h = 1e-6;
            *at = was + h;
            const double above = naive_network(&n);
            *at = was - h;
            const double below = naive_network(&n);
            *at = was;
            CHECK(fabs((above - below) / (2 * h) - (k ? db : da)[i]) < 1e-4 * largest);
        }
    for (int v = 0; v < 2; v++) {
        wgdn_graph_free(walk[v]);
        wgdn_release(z[v]);
    }
    close_pair(&p);
    wgdn_release(work);
    wgdn_release(room);
    wgdn_release(db);
    wgdn_release(da);
    wgdn_release(b);
    wgdn_release(a);
    wgdn_graph_free(g);
}

/* ---- fits ---- */

enum { NODES = 400, F = 24 };

/* Four clusters that neighbours and features share. */
static wgdn_dataset *make(bool weighted)
{
    enum { EDGES = 4 * NODES };
    static int64_t source[EDGES], target[EDGES];
    static float weight[EDGES];
    float *x = random_matrix(21, NODES, F);
    wgdn_dataset *d = NULL;
    const wgdn_stream s = {.seed = 3, .call = 22};
    for (int64_t i = 0; i < NODES; i++)
        for (int64_t j = 0; j < F; j++)
            x[i * F + j] = 0.3f * x[i * F + j] + (j % 4 == i % 4);
    for (int64_t k = 0; k < EDGES; k++) {
        source[k] = k % NODES;
        target[k] = (source[k] + 4 * (1 + wgdn_random_bits(s, k, 0) % 90)) % NODES;
        weight[k] = 0.5f + (float)(k % 7);
    }
    const wgdn_dataset_arrays a = {.struct_size = sizeof a,
                                   .nodes = NODES,
                                   .edges = EDGES,
                                   .source = source,
                                   .target = target,
                                   .features = F,
                                   .dense = x,
                                   .weight = weighted ? weight : NULL};
    CHECK(wgdn_dataset_from_arrays(&d, &a, NULL) == WGDN_OK);
    wgdn_release(x);
    return d;
}

static wgdn_fit_options options_of(int epochs, int threads)
{
    wgdn_fit_options o;
    wgdn_fit_options_init(&o);
    o.dim = 16;
    o.refine = epochs;
    o.threads = threads;
    return o;
}

static wgdn_embedding *vectors(const wgdn_model *m, const wgdn_dataset *d)
{
    wgdn_embedding *e = NULL;
    CHECK(wgdn_model_embed(&e, m, d, NULL, NULL) == WGDN_OK && wgdn_embedding_dim(e) == 16);
    return e;
}

static bool same(const wgdn_embedding *a, const wgdn_embedding *b)
{
    return memcmp(a->vectors.dense, b->vectors.dense, sizeof(float) * NODES * 16) == 0;
}

/* The same bits on any number of threads, with what was filtered kept or not, and from a file; no epochs, nothing added. */
static void whole_fits(void)
{
    static const char path[] = "refine.model";
    for (int weighted = 0; weighted < 2; weighted++) {
        wgdn_dataset *d = make(weighted);
        wgdn_embedding *first = NULL;
        for (int i = 0; i < 4; i++) {
            wgdn_model *m = NULL, *back = NULL;
            wgdn_fit_options o = options_of(12, 1 + i % 3);
            o.keep = i == 3;
            CHECK(wgdn_model_fit(&m, d, &o, NULL) == WGDN_OK);
            wgdn_embedding *e = vectors(m, d), *again;
            CHECK(wgdn_model_save(m, path, NULL) == WGDN_OK);
            CHECK(wgdn_model_load(&back, path, NULL) == WGDN_OK);
            CHECK(back->fitted->options.refine == 12);
            again = vectors(back, d);
            CHECK(same(e, again) && (!first || same(e, first)));
            CHECK(m->fitted->refined.loss[1] < m->fitted->refined.loss[0]);
            for (int64_t k = 0; k < NODES; k++) {
                double square = 0;
                for (int64_t j = 0; j < 16; j++)
                    square += pow(e->vectors.dense[k * 16 + j], 2);
                CHECK(fabs(square - 1) < 1e-5);
            }
            wgdn_embedding_free(again);
            wgdn_model_free(back);
            wgdn_model_free(m);
            if (first)
                wgdn_embedding_free(e);
            else
                first = e;
        }
        wgdn_model *plain = NULL;
        const wgdn_fit_options none = options_of(0, 1);
        CHECK(wgdn_model_fit(&plain, d, &none, NULL) == WGDN_OK && !plain->fitted->refined.in);
        wgdn_embedding *e = vectors(plain, d);
        CHECK(!same(e, first));
        wgdn_embedding_free(e);
        wgdn_model_free(plain);
        wgdn_embedding_free(first);
        wgdn_dataset_free(d);
    }
    CHECK(unlink(path) == 0);
}

static int stop_at(void *user, int64_t done, int64_t total)
{
    int64_t *last = user;
    CHECK(done > *last && done <= total && total == 1 + 1 + 50);
    *last = done;
    return done == 9;
}

static void stops_and_refusals(void)
{
    wgdn_dataset *d = make(false);
    wgdn_model *m = NULL;
    wgdn_error err = {WGDN_OK, ""};
    int64_t last = 0;
    wgdn_fit_options o = options_of(50, 1);
    o.progress = stop_at;
    o.progress_user = &last;
    CHECK(wgdn_model_fit(&m, d, &o, &err) == WGDN_ESTOPPED && last == 9);
    o = options_of(5, 1);
    o.features = WGDN_USE_STRUCTURE;
    CHECK(wgdn_model_fit(&m, d, &o, &err) == WGDN_EINVAL);
    CHECK(strstr(err.message, "leave out --refine"));
    o = options_of(2, 1);
    CHECK_ALLOCATIONS(wgdn_model_fit(&m, d, &o, NULL), wgdn_model_free(m));
    CHECK(wgdn_model_fit(&m, d, &o, NULL) == WGDN_OK);
    wgdn_embedding *e = NULL;
    CHECK_ALLOCATIONS(wgdn_model_embed(&e, m, d, NULL, NULL), wgdn_embedding_free(e));
    wgdn_model_free(m);
    wgdn_dataset_free(d);
}

int main(void)
{
    RUN(a_step);
    RUN(a_view);
    RUN(the_loss);
    RUN(the_gradient);
    RUN(whole_fits);
    RUN(stops_and_refusals);
    return check_result();
}
