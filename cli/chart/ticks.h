/* SPDX-License-Identifier: Apache-2.0 */
/* An axis as numbers: its range, and round values on it with short texts. */
#ifndef CLI_TICKS_H
#define CLI_TICKS_H

#include <stdbool.h>

enum { TICKS_MAX = 32, TICK_TEXT = 16 };

typedef struct scale {
    double low, high; /* low < high */
    bool log;
    int ticks; /* ascending, within low .. high */
    double tick[TICKS_MAX];
    char text[TICKS_MAX][TICK_TEXT];
} scale;

/*
 * About `wanted` ticks for a range, which may be empty or upside down where there is no data.
 * With `round` the range grows to whole steps. A logarithmic range that is not above 0 gets
 * straight.
 */
void scale_fit(scale *s, double low, double high, bool log, bool round, int wanted);
/* 0 at low, 1 at high; not finite where a logarithm is. */
double scale_part(const scale *s, double value);

#endif
