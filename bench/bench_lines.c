/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Nanoseconds for a cache line at a random place of so many gigabytes, all threads together: what a
 * product with a large graph can hope for.
 *
 *     bench_lines 1 4
 */
#define _DEFAULT_SOURCE /* madvise */
#include "timing.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { LINE = 64, LINES = 1 << 25, AHEAD = 16, TIMES = 3 };

static double look_up(const char *at, const uint32_t *place)
{
    const double start = seconds();
    double sum = 0;
#pragma omp parallel for schedule(static) reduction(+ : sum)
    for (int64_t i = 0; i < LINES; i++) {
        float line[LINE / sizeof(float)], all = 0;
        if (i + AHEAD < LINES) __builtin_prefetch(at + (int64_t)place[i + AHEAD] * LINE);
        memcpy(line, at + (int64_t)place[i] * LINE, LINE);
        for (size_t j = 0; j < LINE / sizeof(float); j++)
            all += line[j];
        sum += (double)all;
    }
    return sum >= 0 ? (seconds() - start) * 1e9 / LINES : -1;
}

int main(int argc, char **argv)
{
    uint32_t *place = malloc(LINES * sizeof *place);
    uint64_t state = 1;
    for (int a = 1; a < argc && place; a++) {
        const size_t bytes = (size_t)atoi(argv[a]) << 30;
        char *at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (at == MAP_FAILED) return EXIT_FAILURE;
#ifdef MADV_HUGEPAGE
        (void)madvise(at, bytes, MADV_HUGEPAGE);
#endif
        memset(at, 0, bytes);
        for (int64_t i = 0; i < LINES; i++) {
            state = state * 6364136223846793005u + 1442695040888963407u;
            place[i] = (uint32_t)((state >> 33) % (bytes / LINE));
        }
        double best = look_up(at, place);
        for (int t = 1; t < TIMES; t++) {
            const double again = look_up(at, place);
            if (again < best) best = again;
        }
        printf("{\"gigabytes\": %s, \"ns_per_line\": %.2f}\n", argv[a], best);
        (void)munmap(at, bytes);
    }
    free(place);
    return EXIT_SUCCESS;
}
