/* SPDX-License-Identifier: Apache-2.0 */
#include "support.h"

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

int main(void)
{
    RUN(known_answer);
    RUN(bad_edges_are_named);
    RUN(one_node_no_edges);
    RUN(invariants);
    RUN(transpose);
    RUN(allocations);
    return check_result();
}
