/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a decoder layer pays for its Wiener filters in every call, beyond the pass that gathers the
 * statistics: estimate, penalties, fits. One JSON object a line; times are medians.
 */
#define _POSIX_C_SOURCE 199309L
#include "spectral/spectral.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { ROUNDS = 51, REPEATS = 2000, CHANNELS = 3 };

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double *sink; /* keeps the results, so that nothing is optimized away */

static void reestimate(const wgdn_approximator *fit, const wgdn_kernel *kernel, int round)
{
    static const double gamma[CHANNELS] = {0.1, 1, 10};
    double penalty[CHANNELS], c[CHANNELS][WGDN_ORDER_MAX + 1];
    double *cs[CHANNELS] = {c[0], c[1], c[2]};
    const wgdn_signal_sums sums = {1000 + round, 10, 300};
    const wgdn_signal_noise e = wgdn_wiener_estimate(&sums, 100);
    if (wgdn_wiener_penalties(penalty, &e, gamma, CHANNELS, "bench", NULL)) abort();
    if (wgdn_response_series(cs, fit, wgdn_wiener_response, kernel, penalty, CHANNELS, NULL))
        abort();
    *sink += c[0][0] + c[1][1] + c[2][fit->order];
}

static void measure(const char *name, int order)
{
    double time[ROUNDS];
    wgdn_approximator *fit = NULL;
    wgdn_kernel *kernel = NULL;
    if (wgdn_approximator_new(&fit, order, NULL) || wgdn_kernel_parse(&kernel, name, NULL)) abort();
    for (int r = 0; r < ROUNDS; r++) {
        const double start = seconds();
        for (int i = 0; i < REPEATS; i++)
            reestimate(fit, kernel, i);
        time[r] = (seconds() - start) / REPEATS;
    }
    qsort(time, ROUNDS, sizeof *time, ascending);
    printf("{\"case\": \"wiener-reestimate\", \"kernel\": \"%s\", \"order\": %d, \"channels\": %d, "
           "\"ms\": %.6f}\n",
           name, order, CHANNELS, 1e3 * time[ROUNDS / 2]);
    wgdn_kernel_free(kernel);
    wgdn_approximator_free(fit);
}

int main(void)
{
    double kept = 0;
    sink = &kept;
    measure("heat", 2);
    measure("ppr", 2);
    measure("gcn", 9);
    measure("heat", 30);
    return kept == 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}
