/* SPDX-License-Identifier: Apache-2.0 */
#include "support.h"

/* The tree by its definition: left half plus right half of the next power of two. */
static double by_definition(const double *x, int64_t from, int64_t span, int64_t count)
{
    if (from >= count) return 0;
    if (span == 1) return x[from];
    return by_definition(x, from, span / 2, count) +
           by_definition(x, from + span / 2, span / 2, count);
}

static int64_t power_of_two(int64_t count)
{
    int64_t span = 1;
    while (span < count)
        span *= 2;
    return span;
}

/* Magnitudes from 1e-8 to 1e8: any other order of adding gives other bits. */
static void fill(double *x, int64_t count)
{
    float z[2];
    for (int64_t i = 0; i < count; i++) {
        wgdn_random_normals(z, 2, (wgdn_stream){.seed = 3}, i, 1, 0, 2);
        x[i] = z[0] * exp(6 * z[1]);
    }
}

static void sums_follow_the_definition(void)
{
    double x[200], store[200];
    for (int64_t count = 1; count <= 200; count++) {
        fill(x, count);
        const double expected = by_definition(x, 0, power_of_two(count), count);
        CHECK(wgdn_tree_sum(x, count) == expected);
        memcpy(store, x, sizeof x);
        wgdn_tree_fold(store, count, 1, 1);
        CHECK(store[0] == expected);
    }
    CHECK(wgdn_tree_sum(x, 0) == 0);
}

/* Leaves that are missing count as zeros, and the stack stays within its levels. */
static void gaps(void)
{
    enum { COUNT = 100 };
    double x[COUNT], store[64];
    for (uint32_t round = 0; round < 200; round++) {
        const wgdn_stream s = {.seed = 5, .epoch = round};
        wgdn_tree t;
        bool any = false;
        fill(x, COUNT);
        wgdn_tree_begin(&t, store, 1);
        for (int64_t i = 0; i < COUNT; i++) {
            if (wgdn_random_bits(s, i, 0) % 100 < round / 2) {
                *wgdn_tree_push(&t, i) = x[i];
                any = true;
            } else {
                x[i] = 0;
            }
            CHECK(t.held <= wgdn_tree_levels(COUNT));
        }
        const double *sum = wgdn_tree_end(&t);
        CHECK(any ? *sum == by_definition(x, 0, 128, COUNT) : sum == NULL);
    }
}

static void blocks_cover_the_rows(void)
{
    const int64_t sizes[] = {1, 15, 16, 17, 511, 512, 513, 13752, 169343, 10000000};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        const int64_t n = sizes[i], rows = wgdn_block_rows(n), count = wgdn_block_count(n);
        CHECK(rows % 16 == 0 && rows * count >= n && rows * (count - 1) < n);
    }
}

/* Each block marks its rows once and adds them up; the sums follow the tree over blocks. */
static void mark(int64_t first, int64_t count, double *sums, void *context)
{
    float *seen = context;
    for (int64_t i = first; i < first + count; i++) {
        seen[i] += 1;
        sums[0] += 1.0 / (double)(i + 1);
        sums[1] += (double)i;
    }
}

static void run_blocks(float *out, void *context)
{
    const int64_t n = *(const int64_t *)context;
    void *work = wgdn_alloc(wgdn_for_blocks_work(wgdn_alone(n), 2), 1);
    double sums[2];
    memset(out, 0, (size_t)n * sizeof *out);
    wgdn_for_blocks(wgdn_alone(n), mark, out, sums, 2, work);
    for (int64_t i = 0; i < n; i++)
        CHECK(out[i] == 1);
    CHECK(sums[1] == (double)n * (double)(n - 1) / 2);
    memcpy(out, sums, sizeof sums);
    wgdn_release(work);
}

static void for_blocks(void)
{
    int64_t sizes[] = {4, 17, 1000, 40000};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        check_levels(run_blocks, &sizes[i], sizes[i], NULL, 0);
}

int main(void)
{
    RUN(sums_follow_the_definition);
    RUN(gaps);
    RUN(blocks_cover_the_rows);
    RUN(for_blocks);
    return check_result();
}
