/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Computes the range of an axis and the round numbers on it, for linear and logarithmic scales.
 * draw.c and legend.c call it; it draws nothing.
 */
#include "ticks.h"

#include <math.h>
#include <stdio.h>

/* 1, 2 or 5 times a power of ten, whichever is nearest. */
static double round_step(double x)
{
    const double power = pow(10, floor(log10(x))), part = x / power;
    return power * (part < 1.41 ? 1 : part < 3.16 ? 2 : part < 7.07 ? 5 : 10);
}

/* A number on an axis whose largest is `max`, with the decimals that `step` needs. */
static void number_text(char *text, double value, double step, double max)
{
    static const struct {
        double from, unit;
        const char *suffix;
    } units[] = {{1e9, 1e9, "G"}, {1e6, 1e6, "M"}, {1e4, 1e3, "k"}, {0, 1, ""}};
    int i = 0;
    while (max < units[i].from)
        i++;
    const double shown = value / units[i].unit;
    const int decimals = (int)ceil(-log10(step / units[i].unit) - 1e-6);
    const double digits = floor(log10(fabs(value)) + 1e-9) - floor(log10(step) + 1e-9);
    if (fabs(value) < step * 1e-6)
        snprintf(text, TICK_TEXT, "0");
    else if (decimals > 4 || max >= 1e13)
        snprintf(text, TICK_TEXT, "%.*g", 1 + (int)fmax(digits, 0), value);
    else
        snprintf(text, TICK_TEXT, "%.*f%s", decimals > 0 ? decimals : 0, shown, units[i].suffix);
}

static void add_tick(scale *s, double value, double step, double max)
{
    const double slack = s->log ? 1e-9 * s->low : 1e-6 * step;
    if (s->ticks == TICKS_MAX || value < s->low - slack || value > s->high + slack) return;
    s->tick[s->ticks] = value;
    number_text(s->text[s->ticks++], value, step, max);
}

static void fit_straight(scale *s, bool round, int wanted)
{
    const double step = round_step((s->high - s->low) / wanted);
    const double first = floor(s->low / step + 1e-6), last = ceil(s->high / step - 1e-6);
    if (round) {
        s->low = first * step;
        s->high = last * step;
    }
    const double max = fmax(fabs(s->low), fabs(s->high));
    for (int k = 0; k <= (int)(last - first); k++)
        add_tick(s, (first + k) * step, step, max);
}

/* Whole powers of ten where there are enough of them, else 1, 2 and 5 times these. */
static void fit_log(scale *s, bool round, int wanted)
{
    const double decades = log10(s->high) - log10(s->low);
    const bool dense = decades < 2;
    const int stride = decades > wanted ? (int)ceil(decades / wanted) : 1;
    const double first = floor(log10(s->low) + 1e-9), last = ceil(log10(s->high) - 1e-9);
    if (round && !dense) {
        s->low = pow(10, first);
        s->high = pow(10, last);
    }
    for (int k = 0; k <= (int)(last - first); k += stride) {
        const double power = pow(10, first + k);
        add_tick(s, power, power, power);
        if (dense) add_tick(s, 2 * power, power, 2 * power);
        if (dense) add_tick(s, 5 * power, power, 5 * power);
    }
}

/* Quotients and differences of such numbers are finite, and steps between them are not 0. */
static double tame(double x)
{
    static const double largest = 1e300, least = 1e-300;
    return fabs(x) < least ? 0 : fmin(fmax(x, -largest), largest);
}

void scale_fit(scale *s, double low, double high, bool log, bool round, int wanted)
{
    if (!isfinite(low) || !isfinite(high) || low > high) low = 0, high = 1;
    low = tame(low);
    high = tame(high);
    *s = (scale){.low = low, .high = high, .log = log && low > 0};
    if (s->log && low == high) {
        s->low /= 2;
        s->high *= 2;
    } else if (low == high) {
        const double around = low == 0 ? 1 : fabs(low) / 2;
        s->low -= around;
        s->high += around;
    }
    if (wanted < 2) wanted = 2;
    if (s->log) fit_log(s, round, wanted);
    if (s->ticks >= 2) return;
    s->ticks = 0;
    fit_straight(s, round && !s->log, wanted);
}

double scale_part(const scale *s, double value)
{
    if (s->log) return (log10(value) - log10(s->low)) / (log10(s->high) - log10(s->low));
    return (value - s->low) / (s->high - s->low);
}
