/* SPDX-License-Identifier: Apache-2.0 */
/* The data of a chart: areas, then bars, bands, lines and points. */
#include "draw.h"

#include <math.h>
#include <stdio.h>

enum { MARGIN = 6 }; /* around the panel: half a mark may stand there */

static int bar_series(const chart *c, const chart_series *until)
{
    int count = 0;
    for (int i = 0; i < c->count && &c->series[i] != until; i++)
        count += c->series[i].kind == CHART_BARS;
    return count;
}

double series_bar_width(const chart *c)
{
    const int bars = bar_series(c, NULL);
    return bars > 0 ? 0.8 / bars : 0;
}

double series_x(const chart *c, const chart_series *s, int64_t i)
{
    const double x = s->x ? s->x[i] : (double)i;
    if (s->kind != CHART_BARS) return x;
    return x - 0.4 + series_bar_width(c) * (bar_series(c, s) + 0.5);
}

/* Whether point i can be shown, and where. */
static bool place(const frame *f, const chart_series *s, int64_t i, double *x, double *y)
{
    *x = frame_x(f, series_x(f->chart, s, i));
    *y = frame_y(f, s, s->y[i]);
    return isfinite(*x) && isfinite(*y);
}

static double bottom(const frame *f)
{
    return f->top + f->height;
}

static void draw_area(const frame *f, const chart_series *s)
{
    double x, y, first = 0, last = 0;
    bool begun = false;
    for (int64_t i = 0; i < s->count; i++) {
        if (!place(f, s, i, &x, &y)) continue;
        if (!begun) first = x;
        begun = true;
        last = x;
        cairo_line_to(f->c, x, y);
    }
    if (!begun) return;
    cairo_line_to(f->c, last, bottom(f));
    cairo_line_to(f->c, first, bottom(f));
    cairo_close_path(f->c);
    pen_colour(f, s->colour, 0.35);
    cairo_fill(f->c);
}

static void draw_bars(const frame *f, const chart_series *s)
{
    const double width = series_bar_width(f->chart) * f->width / (f->x.high - f->x.low);
    const double zero = frame_y(f, s, fmin(fmax(0, f->y.low), f->y.high)), gap = width > 6 ? 1 : 0;
    double x, y;
    pen_colour(f, s->colour, 1);
    for (int64_t i = 0; i < s->count; i++)
        if (place(f, s, i, &x, &y))
            cairo_rectangle(f->c, x - width / 2 + gap, y, width - 2 * gap, zero - y);
    cairo_fill(f->c);
}

/* Bars and marks that leave the panel tell where they are, at its edge. */
static void draw_cut(const frame *f, const chart_series *s)
{
    const bool bars = s->kind == CHART_BARS;
    const double bar = series_bar_width(f->chart) * f->width / (f->x.high - f->x.low);
    const double width = bars ? bar : NAME_MAX;
    pen_font(f->c, TICK_FONT, true);
    pen_colour(f, s->colour, 1);
    if (bars) pen_grey(f, 1);
    for (int64_t i = 0; i < s->count; i++) {
        char text[32];
        double x, y;
        if (!place(f, s, i, &x, &y) || (y >= f->top - 1 && y <= bottom(f) + 1)) continue;
        snprintf(text, sizeof text, "%.0f", s->y[i]);
        pen_text(f->c, bars ? x : x - 4, y < f->top ? f->top + 16 : bottom(f) - 8, bars ? 0.5 : 1,
                 width, text);
    }
}

static void draw_band(const frame *f, const chart_series *s)
{
    for (int side = 1; side >= -1; side -= 2)
        for (int64_t k = 0; k < s->count; k++) {
            const int64_t i = side > 0 ? k : s->count - 1 - k;
            const double x = frame_x(f, series_x(f->chart, s, i));
            const double y = frame_y(f, s, s->y[i] + side * s->error[i]);
            if (isfinite(x) && isfinite(y)) cairo_line_to(f->c, x, y);
        }
    cairo_close_path(f->c);
    pen_colour(f, s->colour, 0.18);
    cairo_fill(f->c);
}

static void draw_whiskers(const frame *f, const chart_series *s)
{
    pen_colour(f, s->kind == CHART_BARS ? CHART_DARK : s->colour, 1);
    cairo_set_line_width(f->c, 1.2);
    for (int64_t i = 0; i < s->count; i++) {
        const double x = frame_x(f, series_x(f->chart, s, i));
        const double y0 = frame_y(f, s, s->y[i] - s->error[i]);
        const double y1 = frame_y(f, s, s->y[i] + s->error[i]);
        if (!isfinite(x) || !isfinite(y0) || !isfinite(y1) || y0 == y1) continue;
        pen_line(f->c, x, y0, x, y1);
        pen_line(f->c, x - 3.5, y0, x + 3.5, y0);
        pen_line(f->c, x - 3.5, y1, x + 3.5, y1);
    }
}

static void draw_line(const frame *f, const chart_series *s)
{
    double x, y;
    pen_colour(f, s->colour, 1);
    pen_dash(f, s);
    cairo_set_line_width(f->c, 2);
    cairo_set_line_join(f->c, CAIRO_LINE_JOIN_ROUND);
    for (int64_t i = 0; i < s->count; i++)
        if (place(f, s, i, &x, &y))
            cairo_line_to(f->c, x, y);
        else
            cairo_new_sub_path(f->c); /* a hole stays one */
    cairo_stroke(f->c);
    cairo_set_dash(f->c, NULL, 0, 0);
    for (int64_t i = 0; s->marks && i < s->count; i++)
        if (place(f, s, i, &x, &y)) pen_mark(f, x, y, 3.5, s->colour);
}

static int64_t points_most(const chart *c, int64_t *all)
{
    int64_t max = 0;
    *all = 0;
    for (int k = 0; k < c->count; k++) {
        const chart_series *s = &c->series[k];
        if (s->kind != CHART_POINTS) continue;
        *all += s->count;
        if (s->count > max) max = s->count;
    }
    return max;
}

/* So that all of them together would cover about a ninth of the panel. */
double series_mark_radius(const frame *f)
{
    int64_t all;
    (void)points_most(f->chart, &all);
    const double fair = sqrt(f->width * f->height / (28 * (double)(all > 0 ? all : 1)));
    return fmin(fmax(fair, 1.1), 5);
}

/* Point i of each series in turn, so that no class lies on top of all others. */
static void visit(const frame *f, bool grey, point_visit *each, void *user)
{
    int64_t all;
    double x, y;
    for (int64_t i = points_most(f->chart, &all) - 1; i >= 0; i--)
        for (int k = 0; k < f->chart->count; k++) {
            const chart_series *s = &f->chart->series[k];
            if (s->kind != CHART_POINTS || i >= s->count || (s->colour < 0) != grey) continue;
            if (place(f, s, i, &x, &y)) each(user, s, i, x, y);
        }
}

void series_visit_points(const frame *f, point_visit *each, void *user)
{
    visit(f, true, each, user);
    visit(f, false, each, user);
}

typedef struct dots {
    const frame *f;
    double radius;
} dots;

static void draw_point(void *user, const chart_series *s, int64_t i, double x, double y)
{
    const dots *d = user;
    pen_colour(d->f, s->colour, 1);
    if (s->shade) {
        double rgb[3];
        pen_shade(rgb, s->shade[i]);
        cairo_set_source_rgb(d->f->c, rgb[0], rgb[1], rgb[2]);
    }
    pen_mark(d->f, x, y, d->radius, s->colour);
}

void series_draw(const frame *f)
{
    const chart_series *s = f->chart->series;
    const int count = f->chart->count;
    cairo_save(f->c);
    cairo_rectangle(f->c, f->left - MARGIN, f->top - MARGIN, f->width + 2 * MARGIN,
                    f->height + MARGIN);
    cairo_clip(f->c);
    for (int i = 0; i < count; i++)
        if (s[i].kind == CHART_AREA) draw_area(f, &s[i]);
    for (int i = 0; i < count; i++)
        if (s[i].kind == CHART_BARS) draw_bars(f, &s[i]);
    for (int i = 0; i < count; i++)
        if (s[i].kind == CHART_BARS) draw_cut(f, &s[i]);
    for (int i = 0; i < count; i++)
        if (s[i].kind == CHART_LINE && s[i].error && s[i].band) draw_band(f, &s[i]);
    for (int i = 0; i < count; i++)
        if (s[i].error && !s[i].band) draw_whiskers(f, &s[i]);
    for (int i = 0; i < count; i++)
        if (s[i].kind == CHART_LINE) draw_line(f, &s[i]);
    for (int i = 0; i < count; i++)
        if (s[i].kind == CHART_LINE && s[i].marks) draw_cut(f, &s[i]);
    dots d = {f, series_mark_radius(f)};
    if (!f->no_points) series_visit_points(f, draw_point, &d);
    cairo_restore(f->c);
}
