/* SPDX-License-Identifier: Apache-2.0 */
/* The data of a chart: areas, then lines and points. */
#include "draw.h"

#include <math.h>

enum { MARGIN = 6 }; /* around the panel: half a mark may stand there */

/* Whether point i can be shown, and where. */
static bool place(const frame *f, const chart_series *s, int64_t i, double *x, double *y)
{
    *x = frame_x(f, s->x[i]);
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
        if (s[i].kind == CHART_LINE) draw_line(f, &s[i]);
    dots d = {f, series_mark_radius(f)};
    if (!f->no_points) series_visit_points(f, draw_point, &d);
    cairo_restore(f->c);
}
