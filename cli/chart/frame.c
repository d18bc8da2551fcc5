/* SPDX-License-Identifier: Apache-2.0 */
/* Where the panel of a chart lies, and what its axes measure. */
#include "draw.h"

#include <math.h>

double frame_x(const frame *f, double x)
{
    return f->left + f->width * scale_part(&f->x, x);
}

double frame_y(const frame *f, const chart_series *s, double y)
{
    return f->top + f->height * (1 - scale_part(s->second ? &f->second : &f->y, y));
}

typedef struct range {
    double low, high;
} range;

static void widen(range *r, double value, bool positive)
{
    if (!isfinite(value) || (positive && value <= 0)) return;
    r->low = fmin(r->low, value);
    r->high = fmax(r->high, value);
}

static const range nothing = {INFINITY, -INFINITY};

static range x_range(const chart *c)
{
    range r = nothing;
    for (int k = 0; k < c->count; k++)
        for (int64_t i = 0; i < c->series[k].count; i++)
            widen(&r, c->series[k].x[i], c->log_x);
    return r;
}

static range y_range(const chart *c, bool second)
{
    range r = nothing;
    if (!second && c->y_low < c->y_high) return (range){c->y_low, c->y_high};
    for (int k = 0; k < c->count; k++) {
        const chart_series *s = &c->series[k];
        if (s->second != second) continue;
        if (s->kind == CHART_AREA) widen(&r, 0, c->log_y);
        for (int64_t i = 0; i < s->count; i++)
            widen(&r, s->y[i], c->log_y);
    }
    return r;
}

bool frame_has_second(const chart *c)
{
    for (int k = 0; k < c->count; k++)
        if (c->series[k].second) return true;
    return false;
}

double frame_longest(cairo_t *c, const scale *s)
{
    double max = 0;
    pen_font(c, TICK_FONT, false);
    for (int i = 0; i < s->ticks; i++)
        max = fmax(max, pen_text_width(c, NAME_MAX, s->text[i]));
    return max;
}

/* As many ticks as there is room for. */
static void fit_x(frame *f)
{
    const chart *c = f->chart;
    const range r = x_range(c);
    for (int wanted = (int)(f->width / 70); wanted >= 2; wanted--) {
        scale_fit(&f->x, r.low, r.high, c->log_x, false, wanted);
        const double room = frame_longest(f->c, &f->x) + 16;
        bool fits = true;
        for (int i = 1; i < f->x.ticks; i++)
            fits = fits && frame_x(f, f->x.tick[i]) - frame_x(f, f->x.tick[i - 1]) >= room;
        if (fits) return;
    }
}

/* A unit is as long across as up: the shorter range grows on both sides; a margin all around. */
static void fit_equal(frame *f)
{
    range x = x_range(f->chart), y = y_range(f->chart, false);
    if (!(x.low <= x.high)) x = y = (range){0, 1};
    double unit = fmax((x.high - x.low) / f->width, (y.high - y.low) / f->height) * 1.06;
    if (unit <= 0) unit = 1;
    const double middle_x = (x.low + x.high) / 2, middle_y = (y.low + y.high) / 2;
    f->x = (scale){.low = middle_x - unit * f->width / 2, .high = middle_x + unit * f->width / 2};
    f->y = (scale){.low = middle_y - unit * f->height / 2, .high = middle_y + unit * f->height / 2};
}

void frame_fit(frame *f)
{
    const chart *c = f->chart;
    const range y = y_range(c, false), second = y_range(c, true);
    double right = EDGE, below = EDGE;
    f->top = EDGE + (c->title ? 24 : 0) + (c->subtitle ? 20 : 0) + (c->title ? 8 : 0);
    const int wanted = (int)((f->page_height - f->top - 60) / 60);
    scale_fit(&f->y, y.low, y.high, c->log_y, !(c->y_low < c->y_high), wanted);
    scale_fit(&f->second, second.low, second.high, c->log_y, true, wanted);
    f->left = EDGE + (c->y_title ? 22 : 0) + (c->equal ? 0 : frame_longest(f->c, &f->y) + 8);
    if (frame_has_second(c))
        right += frame_longest(f->c, &f->second) + 12 + (c->second_title ? 20 : 0);
    if (c->bar_low < c->bar_high) scale_fit(&f->bar, c->bar_low, c->bar_high, false, false, 6);
    const double legend = legend_width(f);
    if (legend > 0) right += legend + 18;
    f->width = fmax(f->page_width - f->left - right, 50);
    if (!c->equal) below += 18;
    if (c->x_title) below += 22;
    f->height = fmax(f->page_height - f->top - below, 50);
    if (c->equal)
        fit_equal(f);
    else
        fit_x(f);
}
