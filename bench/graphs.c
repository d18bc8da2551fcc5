/* SPDX-License-Identifier: Apache-2.0 */
#include "graphs.h"

#include <math.h>
#include <stdlib.h>

static const wgdn_stream stream = {.seed = 2023};

static int by_column(const void *a, const void *b)
{
    const int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return x < y ? -1 : x > y;
}

int64_t bench_endpoint(int64_t k, int64_t side, int64_t n, bool power_law)
{
    const double u = (wgdn_random_bits(stream, k, side) + 0.5) / 4294967296.0;
    if (!power_law) return (int64_t)(u * (double)n);
    const int64_t rank = (int64_t)(pow(u, 2.5) * (double)n); /* density ~ rank^-0.6 */
    return (int64_t)((uint64_t)rank * 2654435761U % (uint64_t)n);
}

wgdn_csr bench_matrix(int64_t n, int64_t entries, bool power_law)
{
    wgdn_csr a = {.rows = n, .cols = n};
    int64_t *at = wgdn_alloc_zero((size_t)n + 1, sizeof *at);
    a.offset = wgdn_alloc_zero((size_t)n + 1, sizeof *a.offset);
    a.column = wgdn_alloc((size_t)entries, sizeof *a.column);
    a.value = wgdn_alloc((size_t)entries, sizeof *a.value);
    if (!at || !a.offset || !a.column || !a.value) abort();
    for (int64_t k = 0; k < entries; k++)
        a.offset[bench_endpoint(k, 0, n, power_law) + 1]++;
    for (int64_t i = 0; i < n; i++)
        at[i + 1] = a.offset[i + 1] += a.offset[i];
    for (int64_t k = 0; k < entries; k++)
        a.column[at[bench_endpoint(k, 0, n, power_law)]++] =
            (int32_t)bench_endpoint(k, 1, n, power_law);
    for (int64_t i = 0; i < n; i++)
        qsort(a.column + a.offset[i], (size_t)(a.offset[i + 1] - a.offset[i]), sizeof *a.column,
              by_column);
    wgdn_random_normals(a.value, entries, stream, 1, 1, 0, entries);
    wgdn_release(at);
    return a;
}
