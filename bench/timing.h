/* SPDX-License-Identifier: Apache-2.0 */
/* Timing of two sides in turns, and one JSON object per line about it. */
#ifndef WGDN_TIMING_H
#define WGDN_TIMING_H

#include "base/base.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

enum { ROUNDS_MAX = 101 };

static inline double seconds(void)
{
    struct timespec t;
    timespec_get(&t, TIME_UTC);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Of all threads of the process: what a busy machine disturbs least. */
static inline double cpu_seconds(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

/* Of the process, up to now. */
static inline double peak_bytes(void)
{
    struct rusage use;
    getrusage(RUSAGE_SELF, &use);
    return (double)use.ru_maxrss * 1024;
}

/* An epoch beside its floor, as bench/compare reads it; seconds and bytes. */
typedef struct turn {
    double epoch, cpu, floor, floor_cpu, loss, peak;
} turn;

/* One turn for each line of standard input. */
static inline void take_turns(turn (*once)(void *context), void *context)
{
    int c;
    printf("{\"ready\": true}\n");
    fflush(stdout);
    while ((c = getchar()) != EOF) {
        if (c != '\n') continue;
        const turn t = once(context);
        printf("{\"ms\": %.3f, \"cpu_ms\": %.3f, \"floor_cpu_ms\": %.3f, \"floor_ms\": %.3f, "
               "\"loss\": %.9g, \"peak\": %.0f}\n",
               t.epoch * 1e3, t.cpu * 1e3, t.floor_cpu * 1e3, t.floor * 1e3, t.loss, t.peak);
        fflush(stdout);
    }
}

static inline int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static inline double median(double *x, int count)
{
    qsort(x, (size_t)count, sizeof *x, by_value);
    return x[count / 2];
}

typedef struct duel {
    const char *name, *peer;
    void (*ours)(void *context), (*theirs)(void *context);
    void *context;
    double flops, bytes; /* of one call */
} duel;

/* Both sides alternately, each once to warm up; medians. A row is printed and flushed. */
static inline void fight(const duel *d, int rounds)
{
    double ours[ROUNDS_MAX], theirs[ROUNDS_MAX];
    for (int r = -1; r < rounds; r++) {
        const double start = seconds();
        d->ours(d->context);
        const double middle = seconds();
        d->theirs(d->context);
        const double end = seconds();
        if (r < 0) continue;
        ours[r] = middle - start;
        theirs[r] = end - middle;
    }
    const double a = median(ours, rounds), b = median(theirs, rounds);
    printf("{\"case\": \"%s\", \"ms\": %.3f, \"peer\": \"%s\", \"peer_ms\": %.3f, \"ratio\": %.3f, "
           "\"gflops\": %.1f, \"gbytes\": %.1f}\n",
           d->name, a * 1e3, d->peer, b * 1e3, b / a, d->flops / a * 1e-9, d->bytes / a * 1e-9);
    fflush(stdout);
}

#endif
