/* SPDX-License-Identifier: Apache-2.0 */
#define _DEFAULT_SOURCE
/* Weights of edges: how they are merged, kept by every format and call, and what vectors make of
 * them. Products, gradients and the whole model: test_laplacian, test_poly, test_model_options. */
#include "check.h"
#include "data/edges.h"
#include "data/embedding.h"
#include "eval/eval.h"
#include "fit/fit.h"
#include "model/model.h"
#include "model/train.h"
#include "scratch.h"
#include "support.h"

enum { N = 240, M = 1500 };

static wgdn_error err;

/* ---- reading ---- */

static wgdn_dataset *load(const char *name, wgdn_weights how)
{
    wgdn_dataset *d = NULL;
    wgdn_dataset_options o;
    wgdn_dataset_options_init(&o);
    o.weights = how;
    err.message[0] = '\0';
    if (wgdn_dataset_read(&d, scratch(name).text, &o, &err)) return NULL;
    return d;
}

/* The weights of a dataset, row by row; "" without any. */
static const char *weights_of(const char *name, const char *text, wgdn_weights how)
{
    static char out[256];
    size_t used = 0;
    if (text) scratch_write(name, text, strlen(text));
    wgdn_dataset *d = load(name, how);
    if (!d) return err.message;
    const wgdn_csr *a = &d->graph->adjacency;
    out[0] = '\0';
    for (int64_t k = 0; a->value && k < wgdn_csr_entries(a); k++)
        used += (size_t)snprintf(out + used, sizeof out - used, "%s%g", k ? " " : "", a->value[k]);
    CHECK(info_of(d).weighted == (a->value != NULL));
    wgdn_dataset_free(d);
    return out;
}

static void merging(void)
{
    /* Rows: 0: 1 2, 1: 0, 2: 0. */
    CHECK_TEXT(weights_of("e.tsv", "0 1 2\n0 2 1\n", WGDN_WEIGHTS_USE), "2 1 2 1");
    CHECK_TEXT(weights_of("e.tsv", "0 1 2\n0 2 1\n0 1 3\n", WGDN_WEIGHTS_USE), "5 1 5 1");
    CHECK_TEXT(weights_of("e.tsv", "0 1 2\n0 2 1\n1 0 3\n", WGDN_WEIGHTS_USE), "5 1 5 1");
    /* In both directions throughout: as it is, not twice. */
    CHECK_TEXT(weights_of("e.tsv", "0 1 2\n0 2 1\n1 0 2\n2 0 1\n", WGDN_WEIGHTS_USE), "2 1 2 1");
    CHECK_TEXT(weights_of("e.tsv", "0 1 2\n0 2 1\n1 0 2\n2 0 1.5\n", WGDN_WEIGHTS_USE),
               "4 2.5 4 2.5");
    /* Without weights repeats count once; with weights of 1 they add up. Sums of 1 and weights of 0 leave none. */
    CHECK_TEXT(weights_of("e.tsv", "0 1\n0 2\n0 1\n", WGDN_WEIGHTS_USE), "");
    CHECK_TEXT(weights_of("e.tsv", "0 1 1\n0 2 1\n0 1 1\n", WGDN_WEIGHTS_USE), "2 1 2 1");
    CHECK_TEXT(weights_of("e.tsv", "0 1 0.5\n0 2 1\n0 1 0.5\n1 2 0\n", WGDN_WEIGHTS_USE), "");
    CHECK_TEXT(weights_of("e.tsv", "0 1 2\n0 2 1\n", WGDN_WEIGHTS_IGNORE), "");
    CHECK_TEXT(weights_of("e.tsv", "0 1 2\n0 2 -7\n", WGDN_WEIGHTS_IGNORE), "");
    CHECK_TEXT(weights_of("e.tsv", "0 1 1.25\n0 2 1\n0 1 1\n", WGDN_WEIGHTS_LOG),
               "1.17866 0.693147 1.17866 0.693147");
    CHECK_TEXT(weights_of("m.mtx",
                          "%%MatrixMarket matrix coordinate real symmetric\n3 3 2\n2 1 4\n3 1 2\n",
                          WGDN_WEIGHTS_USE),
               "4 2 4 2");
    CHECK_TEXT(weights_of("m.mtx",
                          "%%MatrixMarket matrix coordinate real general\n2 2 2\n2 1 4\n1 2 4\n",
                          WGDN_WEIGHTS_USE),
               "4 4");
    CHECK_TEXT(
        weights_of("g.tsv", "graph source target weight\na 1 2 3\na 2 3 1\n", WGDN_WEIGHTS_USE),
        "3 3 1 1");
}

static void refused(void)
{
    CHECK(strstr(weights_of("e.tsv", "0 1 2\n0 2 -1\n", WGDN_WEIGHTS_USE),
                 "e.tsv:2: the weight -1 is negative; --weights ignore takes the edges alone"));
    CHECK(strstr(weights_of("e.tsv", "0 1 2\n0 2 1e30\n", WGDN_WEIGHTS_LOG), "1e-30 .. 1e+20"));
    const int64_t src[] = {0, 1}, dst[] = {1, 2};
    static const float bad[] = {-1, NAN, INFINITY, 1e-38f, 1e25f};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        const float weight[] = {1, bad[i]};
        const wgdn_dataset_arrays a = {.struct_size = sizeof a,
                                       .nodes = 3,
                                       .edges = 2,
                                       .source = src,
                                       .target = dst,
                                       .weight = weight};
        wgdn_dataset *d = NULL;
        CHECK(wgdn_dataset_from_arrays(&d, &a, &err) == WGDN_EINVAL && !d);
        CHECK(strstr(err.message, "of edge 1"));
    }
}

/* ---- a graph with weights, and what becomes of it ---- */

typedef struct example {
    int64_t src[M], dst[M];
    float weight[M];
    float x[N * 12];
} example;

static example *make_example(void)
{
    example *e = wgdn_alloc_zero(1, sizeof *e);
    const wgdn_stream s = {.seed = 3, .call = 1};
    for (int64_t k = 0; k < M; k++) {
        float z;
        e->src[k] = wgdn_random_bits(s, k, 0) % (N - 1);
        e->dst[k] = (e->src[k] + 6 * (int64_t)(wgdn_random_bits(s, k, 1) % 12)) % (N - 1);
        if (k % 7 == 0) e->dst[k] = wgdn_random_bits(s, k, 2) % (N - 1);
        wgdn_random_normals(&z, 1, s, k, 1, 9, 1);
        e->weight[k] = expf(z);
    }
    wgdn_random_normals(e->x, 12, s, M, N, 0, 12);
    return e;
}

static wgdn_dataset *dataset_of(const example *e, const float *weight, bool features)
{
    wgdn_dataset *d = NULL;
    const wgdn_dataset_arrays a = {.struct_size = sizeof a,
                                   .nodes = N,
                                   .edges = M,
                                   .source = e->src,
                                   .target = e->dst,
                                   .features = features ? 12 : 0,
                                   .dense = features ? e->x : NULL,
                                   .weight = weight};
    CHECK(wgdn_dataset_from_arrays(&d, &a, &err) == WGDN_OK);
    return d;
}

/* A_ij by the definition, in double. */
static void naive_sums(void)
{
    example *e = make_example();
    wgdn_dataset *d = dataset_of(e, e->weight, false);
    const wgdn_csr *a = &d->graph->adjacency;
    for (int64_t i = 0; i < N; i++) {
        double degree = 0;
        for (int64_t k = a->offset[i]; k < a->offset[i + 1]; k++) {
            double sum = 0;
            for (int64_t m = 0; m < M; m++)
                if ((e->src[m] == i && e->dst[m] == a->column[k]) ||
                    (e->dst[m] == i && e->src[m] == a->column[k]))
                    sum += e->weight[m];
            CHECK_NEAR(a->value[k] / sum, 1, 1e-7);
            degree += a->value[k];
        }
        CHECK_NEAR(d->graph->inv_degree[i] * degree, degree > 0, 1e-6);
        CHECK(wgdn_graph_degree(d->graph, i) == a->offset[i + 1] - a->offset[i]);
    }
    wgdn_dataset_free(d);
    wgdn_release(e);
}

static bool same_graph(const wgdn_dataset *a, const wgdn_dataset *b)
{
    const wgdn_csr *x = &a->graph->adjacency, *y = &b->graph->adjacency;
    const size_t bytes = (size_t)wgdn_csr_entries(x) * sizeof(float);
    return x->rows == y->rows && wgdn_csr_entries(x) == wgdn_csr_entries(y) && x->value &&
           y->value && memcmp(x->column, y->column, bytes) == 0 &&
           memcmp(x->value, y->value, bytes) == 0;
}

static void kept_by_files(void)
{
    static const char *const file[] = {"d.safetensors", "d.npz", "d.tsv"};
    example *e = make_example();
    wgdn_dataset *d = dataset_of(e, e->weight, false);
    for (int i = 0; i < 3; i++) {
        CHECK(wgdn_dataset_write(d, scratch(file[i]).text, NULL, &err) == WGDN_OK);
        wgdn_dataset *used = load(file[i], WGDN_WEIGHTS_USE);
        wgdn_dataset *ignored = load(file[i], WGDN_WEIGHTS_IGNORE);
        wgdn_dataset *logs = load(file[i], WGDN_WEIGHTS_LOG);
        CHECK(used && ignored && logs && same_graph(d, used));
        if (!used || !ignored || !logs) break;
        CHECK(!ignored->graph->adjacency.value && info_of(ignored).other_weights > 0);
        CHECK(info_of(ignored).weight_max == 1 && info_of(used).other_weights == 0);
        CHECK(logs->graph->adjacency.value[5] == (float)log1p(d->graph->adjacency.value[5]));
        bool said = false;
        for (int64_t k = 0; k < info_of(ignored).remarks; k++)
            said = said || strcmp(info_of(ignored).remark[k].what, "weights-ignored") == 0;
        CHECK(said);
        wgdn_dataset_free(logs);
        wgdn_dataset_free(ignored);
        wgdn_dataset_free(used);
    }
    wgdn_dataset_free(d);
    wgdn_release(e);
}

/* A packed file whose weights are not symmetric, not there for all, or no weights at all. */
static void bad_packed(void)
{
    int64_t offset[] = {0, 1, 2};
    int32_t column[] = {1, 0};
    static const struct {
        float value[2];
        int64_t count;
        const char *says;
    } bad[] = {{{2, 3}, 2, "not symmetric"},
               {{2, 2}, 1, "graph.value"},
               {{-2, -2}, 2, "the weight -2 of entry 0 is negative"},
               {{0, 0}, 2, "the weight 0 of entry 0"},
               {{NAN, NAN}, 2, "not a finite number"}};
    static const wgdn_text_pair metadata[] = {{"wgdn.kind", "dataset"}, {"wgdn.version", "1"}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        const wgdn_tensor t[] = {
            {"graph.offset", WGDN_I64, 1, {3}, 8, offset, NULL},
            {"graph.column", WGDN_I32, 1, {2}, 4, column, NULL},
            {"graph.value", WGDN_F32, 1, {bad[i].count}, 4, bad[i].value, NULL}};
        CHECK(wgdn_write_safetensors(scratch("bad.safetensors").text, t, 3, metadata, 2, &err) ==
              WGDN_OK);
        CHECK(!load("bad.safetensors", WGDN_WEIGHTS_USE));
        CHECK(strstr(err.message, bad[i].says));
    }
}

/* 40000 edges, among them many repeats: the same bits for any number of threads. */
static void threads_do_not_show(void)
{
    enum { EDGES = 40000, NODES = 900 };
    wgdn_graph *first = NULL;
    for (int threads = 1; threads <= 4; threads++) {
        wgdn_edges e = {.max = EDGES};
        wgdn_graph *g = NULL;
        const wgdn_stream s = {.seed = 8, .call = 2};
        for (int64_t k = 0; k < EDGES; k++) {
            const int32_t i = (int32_t)(wgdn_random_bits(s, k, 0) % NODES);
            const int32_t j = (int32_t)(wgdn_random_bits(s, k, 1) % (k % 3 ? 20 : NODES));
            CHECK(wgdn_edges_add(&e, i, j, 0.1 + wgdn_random_bits(s, k, 2) * 0x1p-32, "e", NULL) ==
                  WGDN_OK);
        }
        CHECK(wgdn_edges_graph(&g, NODES, &e, threads, NULL) == WGDN_OK && e.summed);
        wgdn_edges_free(&e);
        if (first)
            CHECK(memcmp(first->adjacency.value, g->adjacency.value,
                         (size_t)wgdn_csr_entries(&g->adjacency) * sizeof(float)) == 0);
        if (first)
            wgdn_graph_free(g);
        else
            first = g;
    }
    wgdn_graph_free(first);
}

static wgdn_status read_all(void)
{
    wgdn_dataset *d = NULL;
    const wgdn_status st = wgdn_dataset_read(&d, scratch("a.tsv").text, NULL, NULL);
    wgdn_dataset_free(d);
    return st;
}

static void allocations(void)
{
    scratch_write("a.tsv", "0 1 2\n1 2 3\n", 12);
    CHECK_ALLOCATIONS(read_all(), (void)0);
}

/* Held-out edges leave the others their weights; another order is the same graph. */
static void kept_by_calls(void)
{
    example *e = make_example();
    wgdn_dataset *d = dataset_of(e, e->weight, false);
    wgdn_links *l = NULL;
    CHECK(wgdn_links_from_dataset(&l, d, NULL, &err) == WGDN_OK);
    const wgdn_csr *a = &d->graph->adjacency, *b = &wgdn_links_get_dataset(l)->graph->adjacency;
    CHECK(b->value && wgdn_csr_entries(b) < wgdn_csr_entries(a));
    for (int64_t i = 0; b->value && i < N; i++)
        for (int64_t k = b->offset[i], m = a->offset[i]; k < b->offset[i + 1]; k++, m++) {
            while (a->column[m] < b->column[k])
                m++;
            CHECK(a->column[m] == b->column[k] && a->value[m] == b->value[k]);
        }
    wgdn_links_free(l);
    int32_t row[N];
    for (int32_t i = 0; i < N; i++)
        row[i] = (i * 7 + 3) % N;
    wgdn_graph *g = NULL;
    CHECK(wgdn_graph_arrange(&g, d->graph, row, &err) == WGDN_OK);
    for (int64_t r = 0; r < N; r++) {
        double sum = 0, other = 0;
        for (int64_t k = g->adjacency.offset[r]; k < g->adjacency.offset[r + 1]; k++)
            sum += g->adjacency.value[k] * (1 + row[g->adjacency.column[k]]);
        for (int64_t k = a->offset[row[r]]; k < a->offset[row[r] + 1]; k++)
            other += a->value[k] * (1.0 + a->column[k]);
        CHECK_NEAR(sum, other, 1e-5 * (1 + other));
        CHECK_NEAR(g->inv_degree[r], d->graph->inv_degree[row[r]],
                   1e-6 * d->graph->inv_degree[row[r]]);
    }
    wgdn_graph_free(g);
    uint64_t with, without;
    wgdn_dataset *plain = dataset_of(e, NULL, false);
    CHECK(wgdn_data_digest(&with, d, NULL) == WGDN_OK);
    CHECK(wgdn_data_digest(&without, plain, NULL) == WGDN_OK && with != without);
    wgdn_dataset_free(plain);
    wgdn_dataset_free(d);
    wgdn_release(e);
}

/* ---- vectors ---- */

/* sum over neighbors j of (a_i + b_j + log A_ij) x_j */
static void logs_of_transitions(void)
{
    enum { K = 3 };
    example *e = make_example();
    wgdn_dataset *d = dataset_of(e, e->weight, false);
    wgdn_fitted f = {.features = 0};
    wgdn_fit_input in;
    wgdn_fit_options_init(&f.options);
    CHECK(wgdn_fit_input_open(&in, d, &f, true, &err) == WGDN_OK);
    float *x = random_matrix(1, N, K), *y = matrix(N, K), *s = matrix(N, K), *t = matrix(N, K);
    float *a = random_matrix(2, N, 1), *b = random_matrix(3, N, 1);
    wgdn_two_sided(y, &in, x, (const float *const[2]){a, b}, (float *const[2]){s, t}, K);
    const wgdn_csr *g = &d->graph->adjacency;
    for (int64_t i = 0; i < N; i++)
        for (int64_t c = 0; c < K; c++) {
            double sum = 0, size = 0;
            for (int64_t k = g->offset[i]; k < g->offset[i + 1]; k++) {
                const int64_t j = g->column[k];
                const double m = a[i] + b[j] + log(g->value[k]);
                sum += m * x[j * K + c];
                size += fabs(m * x[j * K + c]);
            }
            CHECK_NEAR(y[i * K + c], sum, 3e-6 * size + 1e-12);
        }
    float *all[] = {x, y, s, t, a, b};
    for (int i = 0; i < 6; i++)
        wgdn_release(all[i]);
    wgdn_fit_input_close(&in);
    wgdn_dataset_free(d);
    wgdn_release(e);
}

static wgdn_embedding *vectors_of(const wgdn_dataset *d, int threads)
{
    wgdn_fit_options o;
    wgdn_model *m = NULL;
    wgdn_embedding *v = NULL;
    wgdn_embed_options eo;
    wgdn_fit_options_init(&o);
    wgdn_embed_options_init(&eo);
    o.dim = 32;
    o.scale = 2;
    o.features = d->features.width ? WGDN_FIT_FEATURES_BOTH : WGDN_FIT_FEATURES_STRUCTURE;
    o.threads = eo.threads = threads;
    CHECK(wgdn_model_fit(&m, d, &o, &err) == WGDN_OK);
    CHECK(wgdn_model_embed(&v, m, d, &eo, &err) == WGDN_OK);
    wgdn_model_free(m);
    return v;
}

/* |u_i . u_j - v_i . v_j| at most, over all pairs: vectors but for a rotation. */
static double apart(const wgdn_embedding *u, const wgdn_embedding *v)
{
    const int64_t d = wgdn_embedding_dim(u);
    double worst = 0;
    CHECK(wgdn_embedding_dim(v) == d);
    for (int64_t i = 0; i < N; i++)
        for (int64_t j = 0; j <= i; j++) {
            double a = 0, b = 0;
            for (int64_t c = 0; c < d; c++) {
                a += (double)u->vectors.dense[i * d + c] * u->vectors.dense[j * d + c];
                b += (double)v->vectors.dense[i * d + c] * v->vectors.dense[j * d + c];
            }
            worst = fmax(worst, fabs(a - b));
        }
    return worst;
}

/* Weights of 3 throughout are none, to rounding; others are not; threads do not show. */
static void vectors(void)
{
    example *e = make_example();
    float three[M];
    /* Each edge once: what is given again would be 6. */
    for (int64_t k = 0; k < M; k++) {
        three[k] = 3;
        for (int64_t m = 0; m < k && three[k] > 0; m++)
            if ((e->src[m] == e->src[k] && e->dst[m] == e->dst[k]) ||
                (e->src[m] == e->dst[k] && e->dst[m] == e->src[k]))
                three[k] = 0;
    }
    for (int features = 0; features < 2; features++) {
        wgdn_dataset *plain = dataset_of(e, NULL, features);
        wgdn_dataset *constant = dataset_of(e, three, features);
        wgdn_dataset *weighted = dataset_of(e, e->weight, features);
        CHECK(constant->weight_range[0] == 3 && constant->weight_range[1] == 3);
        wgdn_embedding *a = vectors_of(plain, 1), *b = vectors_of(constant, 1);
        wgdn_embedding *first = vectors_of(weighted, 1);
        CHECK_NEAR(apart(a, b), 0, 1e-3);
        CHECK(apart(a, first) > 0.1);
        for (int threads = 2; threads <= 4; threads++) {
            wgdn_embedding *v = vectors_of(weighted, threads);
            CHECK(memcmp(v->vectors.dense, first->vectors.dense,
                         (size_t)(N * wgdn_embedding_dim(v)) * sizeof(float)) == 0);
            wgdn_embedding_free(v);
        }
        wgdn_embedding_free(first);
        wgdn_embedding_free(b);
        wgdn_embedding_free(a);
        wgdn_dataset_free(weighted);
        wgdn_dataset_free(constant);
        wgdn_dataset_free(plain);
    }
    wgdn_release(e);
}

int main(void)
{
    scratch_begin();
    RUN(merging);
    RUN(refused);
    RUN(naive_sums);
    RUN(kept_by_files);
    RUN(bad_packed);
    RUN(threads_do_not_show);
    RUN(allocations);
    RUN(kept_by_calls);
    RUN(logs_of_transitions);
    RUN(vectors);
    scratch_end();
    return check_result();
}
