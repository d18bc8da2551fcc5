/* SPDX-License-Identifier: Apache-2.0 */
/* Logs of training as `plot` reads them, up to the numbers on the axes; nothing is drawn. */
#define _GNU_SOURCE
#include "chart/chart.h"
#include "chart/ticks.h"
#include "fuzz.h"
#include "plot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void fit(const chart_series *s, bool log, bool up)
{
    const double *x = up ? s->y : s->x;
    double low = INFINITY, high = -INFINITY;
    scale axis;
    for (int64_t i = 0; i < s->count; i++) {
        if (!isfinite(x[i])) continue;
        low = fmin(low, x[i]);
        high = fmax(high, x[i]);
    }
    for (int round = 0; round < 2; round++) {
        scale_fit(&axis, low, high, log, round, 6);
        FUZZ_EXPECT(axis.low < axis.high && axis.ticks >= 0 && axis.ticks <= TICKS_MAX);
        for (int k = 0; k < axis.ticks; k++)
            FUZZ_EXPECT(memchr(axis.text[k], '\0', TICK_TEXT));
        for (int64_t i = 0; i < s->count; i++)
            (void)scale_part(&axis, x[i]);
    }
}

int plot_finish(const cli *c, const chart *picture, const plot_figure *figure, int figures)
{
    (void)c, (void)figure;
    FUZZ_EXPECT(figures == 3 && strlen(picture->subtitle) > 0);
    for (int k = 0; k < picture->count; k++) {
        fit(&picture->series[k], picture->log_x, false);
        fit(&picture->series[k], picture->log_y, true);
    }
    return DONE;
}

const char *path_name(const char *path)
{
    return path;
}

void complain(const char *format, ...)
{
    FUZZ_EXPECT(format[0]);
}

int path_check(const char *path)
{
    (void)path;
    return DONE;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *name = "input";
    const cli c = {.operand = &name, .operands = 1};
    chart_series s;
    curve l = {0};
    FILE *file = size ? fmemopen((void *)(uintptr_t)data, size, "r") : NULL;
    if (!file) return 0;
    if (curve_read(&l, file, name) == DONE) (void)curve_draw(&c, &l, &s);
    fclose(file);
    free(l.loss);
    free(l.epoch);
    return 0;
}
