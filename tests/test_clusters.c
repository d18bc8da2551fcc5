/* SPDX-License-Identifier: Apache-2.0 */
/* Clusters of nodes: communities, modularity and silhouette against plain formulas, and the whole. */
#include "graphs.h"
#include "jobs/clusters.h"

#include "data/dataset.h"

enum { N = 120, BLOCKS = 4, WIDTH = 8 };

static edge_list edges;
static float vectors[N * WIDTH];

static void make_data(void)
{
    edges.m = 0;
    random_edges(&edges, N, BLOCKS, 0.25, 0.02, 11);
    for (int64_t i = 0; i < N; i++)
        for (int64_t j = 0; j < WIDTH; j++)
            vectors[i * WIDTH + j] =
                (float)(0.8 * (chance(13, i, j) - 0.5) + (j % BLOCKS == i * BLOCKS / N));
}

static wgdn_dataset *data_of(bool linked)
{
    wgdn_dataset *d = NULL;
    const wgdn_dataset_arrays a = {.struct_size = sizeof a,
                                   .nodes = N,
                                   .edges = linked ? edges.m : 0,
                                   .source = edges.src,
                                   .target = edges.dst};
    CHECK(wgdn_dataset_from_arrays(&d, &a, NULL) == WGDN_OK);
    return d;
}

/* ---- communities ---- */

/* Q by its definition, a sum over all pairs of nodes. */
static double modularity_plainly(const int32_t *group, const wgdn_csr *a)
{
    static double weight[N][N], degree[N];
    double total = 0, q = 0;
    memset(weight, 0, sizeof weight);
    memset(degree, 0, sizeof degree);
    for (int64_t i = 0; i < a->rows; i++)
        for (int64_t k = a->offset[i]; k < a->offset[i + 1]; k++) {
            weight[i][a->column[k]] = a->value ? (double)a->value[k] : 1;
            degree[i] += weight[i][a->column[k]];
            total += weight[i][a->column[k]];
        }
    for (int64_t i = 0; i < a->rows; i++)
        for (int64_t j = 0; j < a->rows; j++)
            if (group[i] == group[j]) q += weight[i][j] - degree[i] * degree[j] / total;
    return q / total;
}

static void modularity(void)
{
    double degrees[N];
    int32_t group[N];
    wgdn_dataset *d = data_of(true);
    const wgdn_csr *a = &d->graph->adjacency;
    for (int k = 1; k < 9; k++) {
        for (int i = 0; i < N; i++)
            group[i] = (int32_t)(chance(17, i, k) * k);
        CHECK_NEAR(wgdn_modularity(group, k, a, degrees), modularity_plainly(group, a), 1e-12);
    }
    wgdn_dataset_free(d);
    d = data_of(false);
    CHECK(isnan(wgdn_modularity(group, 8, &d->graph->adjacency, degrees)));
    wgdn_dataset_free(d);
}

/* Thirty cliques of four in a ring: none is cut, and a few neighbors may be one community. */
static void ring_of_cliques(void)
{
    static edge_list e;
    double degrees[N];
    int32_t group[N];
    int64_t groups = 0;
    wgdn_graph *g = NULL;
    e.m = 0;
    for (int64_t c = 0; c < 30; c++) {
        for (int64_t i = 0; i < 4; i++)
            for (int64_t j = i + 1; j < 4; j++)
                add_edge(&e, 4 * c + i, 4 * c + j);
        add_edge(&e, 4 * c, (4 * c + 5) % N);
    }
    CHECK(wgdn_graph_from_edges(&g, N, e.m, e.src, e.dst, NULL) == WGDN_OK);
    for (uint64_t seed = 1; seed < 6; seed++) {
        CHECK(wgdn_communities_find(group, &groups, &g->adjacency, seed, NULL) == WGDN_OK);
        CHECK(groups >= 8 && groups <= 30);
        for (int i = 0; i < N; i++)
            CHECK(group[i] == group[i / 4 * 4]);
        /* 30 cliques by themselves: 6 / 7 - 1 / 30 */
        CHECK(wgdn_modularity(group, groups, &g->adjacency, degrees) >= 6.0 / 7 - 1.0 / 30 - 1e-12);
    }
    wgdn_graph_free(g);
}

/* No node gains by a move of its own, and planted blocks are found. */
static void communities(void)
{
    double degrees[N];
    int32_t group[N], planted[N];
    int64_t groups = 0;
    wgdn_dataset *d = data_of(true);
    const wgdn_csr *a = &d->graph->adjacency;
    CHECK(wgdn_communities_find(group, &groups, a, 1, NULL) == WGDN_OK);
    const double q = wgdn_modularity(group, groups, a, degrees);
    for (int i = 0; i < N; i++)
        planted[i] = i * BLOCKS / N;
    CHECK(q >= wgdn_modularity(planted, BLOCKS, a, degrees));
    for (int i = 0; i < N; i++)
        for (int32_t c = 0; c < groups; c++) {
            const int32_t own = group[i];
            group[i] = c;
            CHECK(modularity_plainly(group, a) <= q + 1e-9);
            group[i] = own;
        }
    wgdn_dataset_free(d);
}

/* ---- the whole ---- */

static wgdn_status find(wgdn_clusters **out, bool linked, int clusters, wgdn_cluster_method method,
                        int threads, wgdn_error *err)
{
    wgdn_dataset *d = data_of(linked);
    wgdn_embedding *e = NULL;
    wgdn_cluster_options o;
    wgdn_cluster_options_init(&o);
    o.clusters = clusters;
    o.method = method;
    o.threads = threads;
    wgdn_status st = d ? wgdn_embedding_from_values(&e, vectors, N, WIDTH, NULL, err) : WGDN_ENOMEM;
    if (!st) st = wgdn_clusters_find(out, e, d, &o, err);
    wgdn_embedding_free(e);
    wgdn_dataset_free(d);
    return st;
}

/* All pairs of rows. */
static double silhouette_plainly(const int32_t *group, int64_t groups)
{
    double sum = 0;
    for (int i = 0; i < N; i++) {
        double to[64] = {0}, size[64] = {0}, near = INFINITY;
        for (int j = 0; j < N; j++) {
            const float *x = vectors + i * WIDTH, *y = vectors + j * WIDTH;
            double xy = 0;
            for (int k = 0; k < WIDTH; k++)
                xy += (double)x[k] * y[k];
            if (i == j) continue;
            to[group[j]] += 1 - xy / sqrt(wgdn_row_squares(x, WIDTH) * wgdn_row_squares(y, WIDTH));
            size[group[j]]++;
        }
        if (size[group[i]] <= 0) continue;
        const double own = to[group[i]] / size[group[i]];
        for (int64_t c = 0; c < groups; c++)
            if (c != group[i]) near = fmin(near, to[c] / size[c]);
        sum += (near - own) / fmax(near, own);
    }
    return sum / N;
}

static void measures(void)
{
    double degrees[N];
    for (int k = 2; k < 12; k += 3) {
        wgdn_clusters *c = NULL;
        wgdn_clusters_report r;
        wgdn_dataset *d = data_of(true);
        int64_t nodes = 0;
        CHECK(find(&c, true, k, WGDN_CLUSTER_METHOD_AUTO, 1, NULL) == WGDN_OK);
        wgdn_clusters_report_init(&r);
        wgdn_clusters_describe(&r, c);
        const int32_t *group = wgdn_clusters_get_groups(c);
        CHECK(r.clusters == k && !r.chosen && r.nodes == N);
        CHECK_NEAR(r.silhouette, silhouette_plainly(group, r.clusters), 1e-5);
        CHECK_NEAR(r.modularity, wgdn_modularity(group, k, &d->graph->adjacency, degrees), 1e-12);
        for (int64_t g = 0, last = N; g < k; g++) {
            wgdn_cluster_info info;
            wgdn_cluster_info_init(&info);
            wgdn_clusters_describe_one(&info, c, g);
            CHECK(info.size > 0 && info.size <= last);
            last = info.size;
            nodes += info.size;
            for (int t = 0; t < WGDN_CLUSTER_TYPICAL && info.typical[t] >= 0; t++) {
                CHECK(group[info.typical[t]] == g);
                if (t)
                    CHECK(wgdn_clusters_get_similarity(c)[info.typical[t]] <=
                          wgdn_clusters_get_similarity(c)[info.typical[t - 1]]);
            }
        }
        CHECK(nodes == N);
        wgdn_clusters_free(c);
        wgdn_dataset_free(d);
    }
}

/* The planted number is chosen, and the planted blocks are found. */
static void choice(void)
{
    wgdn_clusters *c = NULL;
    wgdn_clusters_report r;
    CHECK(find(&c, true, 0, WGDN_CLUSTER_METHOD_AUTO, 2, NULL) == WGDN_OK);
    wgdn_clusters_report_init(&r);
    wgdn_clusters_describe(&r, c);
    CHECK(r.clusters == BLOCKS && r.chosen);
    for (int i = 0; i < N; i++)
        CHECK(wgdn_clusters_get_groups(c)[i] ==
              wgdn_clusters_get_groups(c)[i * BLOCKS / N * (N / BLOCKS)]);
    wgdn_clusters_free(c);
    CHECK(find(&c, false, 0, WGDN_CLUSTER_METHOD_AUTO, 1, NULL) == WGDN_OK);
    wgdn_clusters_describe(&r, c);
    CHECK(r.clusters == BLOCKS && r.method == WGDN_CLUSTER_METHOD_VECTORS);
    CHECK(isnan(r.modularity) && r.communities == 0);
    wgdn_clusters_free(c);
}

static void threads(void)
{
    for (int method = 0; method < 3; method++) {
        wgdn_clusters *one = NULL;
        CHECK(find(&one, true, 0, (wgdn_cluster_method)method, 1, NULL) == WGDN_OK);
        for (int t = 2; t <= 4; t += 2) {
            wgdn_clusters *more = NULL;
            CHECK(find(&more, true, 0, (wgdn_cluster_method)method, t, NULL) == WGDN_OK);
            CHECK(memcmp(wgdn_clusters_get_groups(one), wgdn_clusters_get_groups(more),
                         N * sizeof(int32_t)) == 0);
            CHECK(memcmp(wgdn_clusters_get_similarity(one), wgdn_clusters_get_similarity(more),
                         N * sizeof(float)) == 0);
            wgdn_clusters_free(more);
        }
        wgdn_clusters_free(one);
    }
}

/* Refuses what cannot be, and fails whole where memory is short. */
static wgdn_status find_few(wgdn_clusters **out, const wgdn_embedding *e, const wgdn_dataset *d)
{
    wgdn_cluster_options o;
    wgdn_cluster_options_init(&o);
    o.clusters = 3;
    o.restarts = 1;
    o.threads = 1;
    return wgdn_clusters_find(out, e, d, &o, NULL);
}

static void failures(void)
{
    wgdn_clusters *c = NULL;
    wgdn_embedding *e = NULL;
    wgdn_error err;
    wgdn_dataset *d = data_of(true);
    CHECK(find(&c, true, N + 1, WGDN_CLUSTER_METHOD_AUTO, 1, &err) == WGDN_EINVAL &&
          strstr(err.message, "ask for fewer"));
    CHECK(find(&c, true, 3, WGDN_CLUSTER_METHOD_GRAPH, 1, &err) == WGDN_EINVAL);
    CHECK(find(&c, false, 0, WGDN_CLUSTER_METHOD_GRAPH, 1, &err) == WGDN_EINVAL &&
          strstr(err.message, "need edges"));
    CHECK(wgdn_embedding_from_values(&e, vectors, N, WIDTH, NULL, NULL) == WGDN_OK);
    CHECK_ALLOCATIONS(find_few(&c, e, d), wgdn_clusters_free(c));
    wgdn_embedding_free(e);
    wgdn_dataset_free(d);
}

int main(void)
{
    make_data();
    RUN(modularity);
    RUN(ring_of_cliques);
    RUN(communities);
    RUN(measures);
    RUN(choice);
    RUN(threads);
    RUN(failures);
    return check_failures ? EXIT_FAILURE : EXIT_SUCCESS;
}
