/* SPDX-License-Identifier: Apache-2.0 */
#include "support.h"

/* The path 0 - 1 - 2: L = I - S A S with S = diag(1, 1/sqrt 2, 1), so L x by hand is easy. */
static void known_answer(void)
{
    const int64_t src[] = {0, 1}, dst[] = {1, 2};
    const float x[3] = {1, 2, 4};
    const double c[2] = {1, -0.5}, r = sqrt(0.5);
    float y[3];
    wgdn_graph *g = NULL;
    CHECK(wgdn_graph_from_edges(&g, 3, 2, src, dst, NULL) == WGDN_OK);
    CHECK(wgdn_graph_filter(y, g, x, 1, c, 1, NULL, NULL) == WGDN_OK);
    CHECK_NEAR(y[0], 1 - 0.5 * (1 - 2 * r), 1e-6);
    CHECK_NEAR(y[1], 2 - 0.5 * (2 - 5 * r), 1e-6);
    CHECK_NEAR(y[2], 4 - 0.5 * (4 - 2 * r), 1e-6);
    wgdn_graph_free(g);
}

static void wrong_calls(void)
{
    const double c[1] = {1};
    float x[4] = {0}, y[4];
    wgdn_compute_options o;
    wgdn_graph *g = random_graph(4, 1);
    wgdn_error err;
    wgdn_compute_options_init(&o);
    CHECK(wgdn_graph_filter(x, g, x, 1, c, 0, NULL, &err) == WGDN_EINVAL);
    CHECK(wgdn_graph_filter(y, NULL, x, 1, c, 0, NULL, &err) == WGDN_EINVAL);
    CHECK(wgdn_graph_filter(y, g, x, 0, c, 0, NULL, &err) == WGDN_EINVAL);
    CHECK(wgdn_graph_filter(y, g, x, 1, c, 65, NULL, &err) == WGDN_EINVAL);
    CHECK_TEXT(err.message, "filter: order 65; it may be 0 .. 64");
    CHECK(wgdn_graph_filter(y, g, x, INT64_MAX, c, 0, NULL, &err) == WGDN_ERANGE);
    o.threads = 5000;
    CHECK(wgdn_graph_filter(y, g, x, 1, c, 0, &o, &err) == WGDN_EINVAL);
    wgdn_graph_free(g);
}

/* Threads by option: same bits, and the caller's own setting is left as it was. */
static void threads_by_option(void)
{
    enum { N = 900, D = 40 };
    const double c[] = {0.5, -0.25, 0.125};
    wgdn_graph *g = random_graph(N, 5);
    float *x = random_matrix(1, N, D), *y = matrix(N, D), *again = matrix(N, D);
    const int before = wgdn_threads_count(0);
    for (int threads = 1; threads <= 4; threads++) {
        wgdn_compute_options o;
        wgdn_compute_options_init(&o);
        o.threads = threads;
        CHECK(wgdn_graph_filter(threads == 1 ? y : again, g, x, D, c, 2, &o, NULL) == WGDN_OK);
        if (threads > 1) CHECK(memcmp(y, again, sizeof *y * N * D) == 0);
    }
    CHECK(wgdn_threads_count(0) == before);
    wgdn_release(again);
    wgdn_release(y);
    wgdn_release(x);
    wgdn_graph_free(g);
}

static void allocations(void)
{
    const double c[] = {1, 1, 1};
    wgdn_graph *g = random_graph(5, 1);
    float x[5] = {1, 2, 3, 4, 5}, y[5];
    CHECK_ALLOCATIONS(wgdn_graph_filter(y, g, x, 1, c, 2, NULL, NULL), (void)0);
    wgdn_graph_free(g);
}

int main(void)
{
    RUN(known_answer);
    RUN(wrong_calls);
    RUN(threads_by_option);
    RUN(allocations);
    return check_result();
}
