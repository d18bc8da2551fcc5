/* SPDX-License-Identifier: Apache-2.0 */
/* Graphs, and orders of their nodes. */
#define _DEFAULT_SOURCE
#include "scratch.h"
#include "support.h"
#include "vectors.h"

#include "data/dataset.h"
#include "model/train.h"

/* ---- graph ---- */

/* 0 - 1 - 2, 3 alone: loops, repeats and both directions given. */
static void known_answer(void)
{
    const int64_t src[] = {1, 0, 2, 1, 1, 3}, dst[] = {0, 1, 1, 2, 1, 3};
    const int64_t offset[] = {0, 1, 3, 4, 4};
    const int32_t column[] = {1, 0, 2, 1};
    wgdn_graph *g = NULL;
    CHECK(wgdn_graph_from_edges(&g, 4, 6, src, dst, NULL) == WGDN_OK);
    CHECK(wgdn_graph_nodes(g) == 4 && wgdn_graph_edges(g) == 2);
    CHECK(memcmp(g->adjacency.offset, offset, sizeof offset) == 0);
    CHECK(memcmp(g->adjacency.column, column, sizeof column) == 0);
    CHECK(wgdn_graph_degree(g, 1) == 2 && wgdn_graph_degree(g, 3) == 0);
    CHECK(wgdn_graph_degree(g, 4) == -1 && wgdn_graph_degree(g, -1) == -1);
    CHECK_NEAR(g->inv_sqrt_degree[1], sqrt(0.5), 1e-7);
    CHECK(g->inv_sqrt_degree[3] == 0 && g->inv_degree[3] == 0);
    wgdn_graph_free(g);
    wgdn_graph_free(NULL);
}

static void bad_edges_are_named(void)
{
    const int64_t src[] = {0, 2}, dst[] = {1, 5};
    wgdn_graph *g = NULL;
    wgdn_error err;
    CHECK(wgdn_graph_from_edges(&g, 3, 2, src, dst, &err) == WGDN_EINVAL);
    CHECK_TEXT(err.message, "graph: edge 1 is 2 - 5, nodes are 0 .. 2");
    CHECK(wgdn_graph_from_edges(&g, 0, 0, NULL, NULL, &err) == WGDN_EINVAL);
    CHECK(wgdn_graph_from_edges(&g, INT64_C(1) << 31, 0, NULL, NULL, &err) == WGDN_EINVAL);
    CHECK(wgdn_graph_from_edges(&g, 3, -1, src, dst, &err) == WGDN_EINVAL);
    CHECK(wgdn_graph_from_edges(&g, 3, 1, NULL, dst, &err) == WGDN_EINVAL);
    CHECK(g == NULL);
}

static void one_node_no_edges(void)
{
    wgdn_graph *g = NULL;
    CHECK(wgdn_graph_from_edges(&g, 1, 0, NULL, NULL, NULL) == WGDN_OK);
    CHECK(wgdn_graph_nodes(g) == 1 && wgdn_graph_edges(g) == 0);
    wgdn_graph_free(g);
}

/* Sorted, without repeats or loops, and symmetric. */
static void invariants(void)
{
    wgdn_graph *g = random_graph(500, 6);
    const wgdn_csr *a = &g->adjacency;
    wgdn_csr t;
    for (int64_t i = 0; i < a->rows; i++)
        for (int64_t k = a->offset[i]; k < a->offset[i + 1]; k++) {
            CHECK(a->column[k] != i && a->column[k] >= 0 && a->column[k] < a->cols);
            CHECK(k == a->offset[i] || a->column[k] > a->column[k - 1]);
        }
    CHECK(wgdn_csr_transpose(&t, a, NULL) == WGDN_OK);
    CHECK(memcmp(t.offset, a->offset, (size_t)(a->rows + 1) * sizeof *t.offset) == 0);
    CHECK(memcmp(t.column, a->column, (size_t)wgdn_csr_entries(a) * sizeof *t.column) == 0);
    wgdn_csr_free(&t);
    CHECK(wgdn_graph_degree(g, 0) == 498 && wgdn_graph_degree(g, 499) == 0);
    wgdn_graph_free(g);
}

static void transpose(void)
{
    wgdn_csr a = random_csr(37, 21, 5, true), t, back;
    CHECK(wgdn_csr_transpose(&t, &a, NULL) == WGDN_OK);
    CHECK(t.rows == 21 && t.cols == 37);
    CHECK(wgdn_csr_transpose(&back, &t, NULL) == WGDN_OK);
    const size_t entries = (size_t)wgdn_csr_entries(&a);
    CHECK(memcmp(back.offset, a.offset, 38 * sizeof *a.offset) == 0);
    CHECK(memcmp(back.column, a.column, entries * sizeof *a.column) == 0);
    CHECK(memcmp(back.value, a.value, entries * sizeof *a.value) == 0);
    for (int64_t j = 0; j < t.rows; j++) /* row 1 is full */
        CHECK(t.column[t.offset[j]] == 1 || t.column[t.offset[j] + 1] == 1);
    wgdn_csr_free(&back);
    wgdn_csr_free(&t);
    wgdn_csr_free(&a);
}

static void allocations(void)
{
    const int64_t src[] = {0, 1, 2}, dst[] = {1, 2, 0};
    wgdn_csr a = random_csr(9, 7, 3, true), t;
    wgdn_graph *g = NULL;
    CHECK_ALLOCATIONS(wgdn_graph_from_edges(&g, 4, 3, src, dst, NULL), wgdn_graph_free(g));
    CHECK_ALLOCATIONS(wgdn_csr_transpose(&t, &a, NULL), wgdn_csr_free(&t));
    wgdn_csr_free(&a);
}

static int graph_tests(void)
{
    RUN(known_answer);
    RUN(bad_edges_are_named);
    RUN(one_node_no_edges);
    RUN(invariants);
    RUN(transpose);
    RUN(allocations);
    return check_result();
}

/* ---- order ---- */

/* Rows in another order than the nodes': what may change and what may not. */

enum { N = 700, F = 40, EDGES = 2800, SPLITS = 2 };

/* Twenty communities whose members' numbers are scattered; the last node is alone. */
static wgdn_dataset *dataset(bool features, bool ids)
{
    const wgdn_stream s = {.seed = 41};
    static int64_t src[EDGES], dst[EDGES], offset[N + 1];
    static int32_t column[N * F], label[N];
    static int8_t split[SPLITS * N];
    static char text[N][16];
    static const char *id[N];
    wgdn_dataset_arrays a = {.struct_size = sizeof a,
                             .nodes = N,
                             .edges = EDGES,
                             .source = src,
                             .target = dst,
                             .label = label,
                             .splits = SPLITS,
                             .split = split};
    wgdn_dataset *d = NULL;
    int64_t at = 0;
    for (int64_t k = 0; k < EDGES; k++) {
        const int64_t group = wgdn_random_bits(s, k, 0) % 20;
        src[k] = group + 20 * (int64_t)(wgdn_random_bits(s, k, 1) % 34);
        dst[k] = (group + (wgdn_random_bits(s, k, 2) % 16 == 0)) % 20 +
                 20 * (int64_t)(wgdn_random_bits(s, k, 3) % 34);
    }
    for (int64_t i = 0; i < N; i++) {
        offset[i] = at;
        for (int32_t j = 0; j < F; j++)
            if (wgdn_random_bits(s, i, 10 + j) % 16 == 0) column[at++] = j;
        label[i] = (int32_t)(i % 20) - 1;
        split[i] = (int8_t)(i % 4);
        split[N + i] = (int8_t)(i % 3 + 1);
        snprintf(text[i], sizeof text[i], "node %d", (int)(i * 37 % N));
        id[i] = text[i];
    }
    offset[N] = at;
    if (ids) a.id = id;
    if (features) {
        a.features = F;
        a.feature_offset = offset;
        a.feature_column = column;
    }
    CHECK(wgdn_dataset_from_arrays(&d, &a, NULL) == WGDN_OK);
    return d;
}

static bool have(wgdn_order how)
{
    const char *name = how == WGDN_ORDER_METIS ? "metis" : "scotch";
    for (int i = 0; wgdn_build_get_feature(i); i++)
        if (strcmp(wgdn_build_get_feature(i)->name, name) == 0)
            return wgdn_build_get_feature(i)->present;
    return false;
}

/* Everything that the nodes' numbers tell is the same; rows of graph and features are a's. */
static void check_same(const wgdn_dataset *a, const wgdn_dataset *b)
{
    const int32_t *order = wgdn_dataset_get_order(b);
    const wgdn_csr *from = &a->graph->adjacency, *to = &b->graph->adjacency;
    int32_t row_of[N];
    for (int64_t r = 0; r < N; r++)
        row_of[order ? order[r] : r] = (int32_t)r;
    for (int64_t i = 0; i < N; i++) {
        char x[32], y[32];
        const int64_t r = row_of[i];
        CHECK(wgdn_dataset_id(x, sizeof x, a, i) == wgdn_dataset_id(y, sizeof y, b, i));
        CHECK_TEXT(x, y);
        CHECK(wgdn_dataset_find(b, x, strlen(x)) == i);
        CHECK(wgdn_dataset_label(a, i) == wgdn_dataset_label(b, i));
        for (int k = 0; k < SPLITS; k++)
            CHECK(wgdn_dataset_split(a, k, i) == wgdn_dataset_split(b, k, i));
        CHECK(wgdn_graph_degree(a->graph, i) == wgdn_graph_degree(b->graph, r));
        for (int64_t k = from->offset[i]; k < from->offset[i + 1]; k++) {
            bool there = false;
            for (int64_t l = to->offset[r]; l < to->offset[r + 1]; l++)
                there |= to->column[l] == row_of[from->column[k]];
            CHECK(there);
        }
        if (!a->features.width) continue;
        const wgdn_csr *x1 = &a->features.sparse, *x2 = &b->features.sparse;
        const int64_t count = x1->offset[i + 1] - x1->offset[i];
        CHECK(x2->offset[r + 1] - x2->offset[r] == count);
        CHECK(memcmp(x1->column + x1->offset[i], x2->column + x2->offset[r], 4 * (size_t)count) ==
              0);
    }
    for (int64_t r = 0; r < N; r++)
        for (int64_t k = to->offset[r] + 1; k < to->offset[r + 1]; k++)
            CHECK(to->column[k - 1] < to->column[k]);
}

/* Edges between nodes more than a piece apart. */
static int64_t far_edges(const wgdn_dataset *d)
{
    const wgdn_csr *a = &d->graph->adjacency;
    int64_t far = 0;
    for (int64_t i = 0; i < N; i++)
        for (int64_t k = a->offset[i]; k < a->offset[i + 1]; k++)
            far += llabs(a->column[k] - i) > 128;
    return far;
}

static void reordered(wgdn_order how)
{
    wgdn_error err = {WGDN_OK, ""};
    for (int kind = 0; kind < 4; kind++) {
        wgdn_dataset *plain = dataset(kind % 2, kind / 2), *d = dataset(kind % 2, kind / 2);
        wgdn_dataset *back = NULL, *again = dataset(kind % 2, kind / 2);
        const scratch_name file = scratch("x.safetensors"), edges = scratch("x.tsv"),
                           same = scratch("y.tsv");
        if (!have(how)) {
            CHECK(wgdn_dataset_reorder(d, how, &err) == WGDN_ENOSUPPORT);
            CHECK(strstr(err.message, "install"));
        } else {
            CHECK(wgdn_dataset_reorder(d, how, &err) == WGDN_OK);
            CHECK(wgdn_dataset_get_order(d) != NULL);
            check_same(plain, d);
            CHECK(far_edges(d) < far_edges(plain) / 2);
            CHECK(wgdn_dataset_reorder(again, how, &err) == WGDN_OK);
            CHECK(memcmp(d->order, again->order, sizeof(int32_t) * N) == 0);
            CHECK(wgdn_dataset_write(d, file.text, "safetensors", &err) == WGDN_OK);
            CHECK(wgdn_dataset_read(&back, file.text, NULL, &err) == WGDN_OK);
            check_same(plain, back);
            CHECK(memcmp(d->order, back->order, sizeof(int32_t) * N) == 0);
            CHECK(wgdn_dataset_write(plain, edges.text, "edges", &err) == WGDN_OK);
            CHECK(wgdn_dataset_write(back, same.text, "edges", &err) == WGDN_OK);
            wgdn_bytes x = {0}, y = {0};
            CHECK(wgdn_bytes_map(&x, edges.text, &err) == WGDN_OK);
            CHECK(wgdn_bytes_map(&y, same.text, &err) == WGDN_OK);
            CHECK(x.size == y.size && memcmp(x.data, y.data, x.size) == 0);
            wgdn_bytes_free(&x);
            wgdn_bytes_free(&y);
            CHECK(wgdn_dataset_reorder(back, WGDN_ORDER_NONE, &err) == WGDN_OK);
            CHECK(wgdn_dataset_get_order(back) == NULL);
            check_same(plain, back);
        }
        wgdn_dataset_free(back);
        wgdn_dataset_free(again);
        wgdn_dataset_free(d);
        wgdn_dataset_free(plain);
    }
}

static void by_metis(void)
{
    reordered(WGDN_ORDER_METIS);
}

static void by_scotch(void)
{
    reordered(WGDN_ORDER_SCOTCH);
}

static wgdn_train_options options(int threads)
{
    wgdn_train_options o;
    wgdn_train_options_init(&o);
    o.dim = 24;
    o.epochs = 4;
    o.structural_dim = 20;
    o.threads = threads;
    return o;
}

/* One model, rows in either order: the same vectors but for rounding; bits whatever the threads. */
static void vectors_come_by_node(void)
{
    for (int features = 0; features < 2 && have(WGDN_ORDER_METIS); features++) {
        wgdn_dataset *plain = dataset(features, false), *d = dataset(features, false);
        wgdn_model *m[3] = {NULL};
        float *x = matrix(N, 24), *y = matrix(N, 24);
        CHECK(wgdn_dataset_reorder(d, WGDN_ORDER_METIS, NULL) == WGDN_OK);
        for (int k = 0; k < 3; k++) {
            const wgdn_train_options o = options(k + 1);
            CHECK(wgdn_model_train(&m[k], d, &o, NULL, NULL) == WGDN_OK);
            CHECK(memcmp(m[0]->param, m[k]->param, 4 * (size_t)m[0]->layout.size) == 0);
        }
        CHECK(embed_array(x, m[0], plain, NULL, NULL) == WGDN_OK);
        CHECK(embed_array(y, m[0], d, NULL, NULL) == WGDN_OK);
        double worst = 0, size = 0;
        for (int64_t k = 0; k < N * 24; k++) {
            worst = fmax(worst, fabs((double)x[k] - y[k]));
            size = fmax(size, fabs(x[k]));
        }
        CHECK_NEAR(worst, 0, 1e-5 * size); /* sums over neighbors in another order, float */
        for (int k = 0; k < 3; k++)
            wgdn_model_free(m[k]);
        wgdn_release(y);
        wgdn_release(x);
        wgdn_dataset_free(d);
        wgdn_dataset_free(plain);
    }
}

/* Evaluation looks at nodes: the same bits in either order. */
static void evaluation_sees_nodes(void)
{
    wgdn_eval_options e;
    const wgdn_train_options o = options(2);
    wgdn_dataset *d[2] = {dataset(true, true), dataset(true, true)};
    wgdn_probe_result probe[2][2];
    wgdn_links *links[2] = {NULL};
    wgdn_eval_options_init(&e);
    e.runs = 2;
    e.steps = 20;
    e.splits = WGDN_SPLITS_PAPER;
    if (have(WGDN_ORDER_METIS))
        CHECK(wgdn_dataset_reorder(d[1], WGDN_ORDER_METIS, NULL) == WGDN_OK);
    for (int k = 0; k < 2; k++) {
        for (int b = 0; b < 2; b++) {
            probe[k][b] = (wgdn_probe_result){.struct_size = sizeof probe[k][b]};
            wgdn_embedding *x = NULL;
            CHECK(wgdn_embedding_from_baseline(&x, d[k],
                                               b ? WGDN_BASELINE_SMOOTH : WGDN_BASELINE_RANDOM, &o,
                                               NULL) == WGDN_OK);
            CHECK(wgdn_embedding_probe(&probe[k][b], x, d[k], &e, NULL) == WGDN_OK);
            wgdn_embedding_free(x);
        }
        CHECK(wgdn_links_from_dataset(&links[k], d[k], &e, NULL) == WGDN_OK);
    }
    CHECK(memcmp(probe[0], probe[1], sizeof probe[0]) == 0);
    check_same(wgdn_links_get_dataset(links[0]), wgdn_links_get_dataset(links[1]));
    for (int k = 0; k < 2; k++) {
        wgdn_links_free(links[k]);
        wgdn_dataset_free(d[k]);
    }
}

static void features_beside_it(void)
{
    static float x[N * 3];
    wgdn_dataset *d = dataset(false, false), *back = NULL;
    wgdn_dataset_options o;
    const scratch_name packed = scratch("packed.safetensors"), side = scratch("side.npy");
    char head[128] = "\x93NUMPY\x01";
    if (!have(WGDN_ORDER_METIS)) goto done;
    for (int64_t k = 0; k < N * 3; k++)
        x[k] = (float)k;
    memset(head + 7, ' ', sizeof head - 7);
    head[7] = 0;
    head[8] = 118;
    head[9] = 0;
    memcpy(head + 10, "{'descr':'<f4','fortran_order':False,'shape':(700,3)}", 53);
    head[127] = '\n';
    FILE *f = fopen(side.text, "wb");
    CHECK(f && fwrite(head, 1, 128, f) == 128 && fwrite(x, 4, N * 3, f) == N * 3);
    if (f) fclose(f);
    CHECK(wgdn_dataset_reorder(d, WGDN_ORDER_METIS, NULL) == WGDN_OK);
    CHECK(wgdn_dataset_write(d, packed.text, "safetensors", NULL) == WGDN_OK);
    wgdn_dataset_options_init(&o);
    o.features = side.text;
    CHECK(wgdn_dataset_read(&back, packed.text, &o, NULL) == WGDN_OK);
    for (int64_t r = 0; back && r < N; r++)
        CHECK(back->features.dense[r * 3] == (float)(3 * back->order[r]));
    wgdn_dataset_free(back);

done:
    wgdn_dataset_free(d);
}

static wgdn_status order_and_read(void)
{
    wgdn_dataset *d = NULL;
    const scratch_name packed = scratch("packed.safetensors");
    wgdn_status st = wgdn_dataset_read(&d, packed.text, NULL, NULL);
    if (!st) st = wgdn_dataset_reorder(d, WGDN_ORDER_METIS, NULL);
    wgdn_dataset_free(d);
    return st;
}

static void memory_may_run_out(void)
{
    if (have(WGDN_ORDER_METIS)) CHECK_ALLOCATIONS(order_and_read(), (void)0);
}

static void what_is_refused(void)
{
    wgdn_dataset *d = dataset(false, false);
    static const int64_t start[] = {0, 1, 2};
    const wgdn_dataset_arrays a = {
        .struct_size = sizeof a, .nodes = 2, .graphs = 2, .graph_start = start};
    wgdn_dataset *two = NULL;
    CHECK(wgdn_dataset_reorder(d, (wgdn_order)7, NULL) == WGDN_EINVAL);
    CHECK(wgdn_dataset_from_arrays(&two, &a, NULL) == WGDN_OK);
    CHECK(wgdn_dataset_reorder(two, WGDN_ORDER_METIS, NULL) == WGDN_EINVAL);
    CHECK(wgdn_dataset_reorder(two, WGDN_ORDER_NONE, NULL) == WGDN_OK);
    wgdn_dataset_free(two);
    wgdn_dataset_free(d);
}

static int order_tests(void)
{
    scratch_begin();
    RUN(by_metis);
    RUN(by_scotch);
    RUN(vectors_come_by_node);
    RUN(evaluation_sees_nodes);
    RUN(features_beside_it);
    RUN(memory_may_run_out);
    RUN(what_is_refused);
    scratch_end();
    return check_result();
}

int main(int argc, char **argv)
{
    static const check_group groups[] = {
        {"graph", graph_tests},
        {"order", order_tests},
    };
    return check_groups(groups, sizeof groups / sizeof *groups, argc, argv);
}
