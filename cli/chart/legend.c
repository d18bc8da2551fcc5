/* SPDX-License-Identifier: Apache-2.0 */
/* What the colours mean, in a column on the right. */
#include "draw.h"

#include <math.h>
#include <stdio.h>

enum { ROW = 22, SAMPLE = 26, GAP = 8, TEXT_MAX = 210, FONT = 13 };

static int named(const chart *c)
{
    int count = 0;
    for (int i = 0; i < c->count; i++)
        count += c->series[i].name != NULL;
    return count;
}

double legend_width(const frame *f)
{
    double max = 0;
    pen_font(f->c, FONT, false);
    for (int i = 0; i < f->chart->count; i++)
        if (f->chart->series[i].name)
            max = fmax(max, pen_text_width(f->c, TEXT_MAX, f->chart->series[i].name));
    return max > 0 ? SAMPLE + GAP + max : 0;
}

static void draw_sample(const frame *f, const chart_series *s, double x, double y)
{
    cairo_t *c = f->c;
    switch (s->kind) {
    case CHART_AREA:
    case CHART_BARS:
        pen_colour(c, s->colour, s->kind == CHART_AREA ? 0.35 : 1);
        cairo_rectangle(c, x + 6, y - 7, 14, 14);
        cairo_fill(c);
        return;
    case CHART_POINTS:
        pen_colour(c, s->colour, 1);
        pen_mark(c, x + 13, y, 5, s->colour);
        return;
    case CHART_LINE: break;
    }
    if (s->error && s->band) {
        pen_colour(c, s->colour, 0.18);
        cairo_rectangle(c, x, y - 6, SAMPLE, 12);
        cairo_fill(c);
    }
    pen_colour(c, s->colour, 1);
    pen_dash(c, s);
    cairo_set_line_width(c, 2);
    pen_line(c, x, y, x + SAMPLE, y);
    cairo_set_dash(c, NULL, 0, 0);
    if (s->marks) pen_mark(c, x + SAMPLE / 2.0, y, 3.5, s->colour);
}

void legend_draw(const frame *f, double x)
{
    const int all = named(f->chart), room = (int)(f->height / ROW);
    const int shown = all > room ? room - 1 : all;
    char more[32];
    double y = f->top + ROW / 2.0;
    int done = 0;
    pen_font(f->c, FONT, false);
    for (int i = 0; i < f->chart->count && done < shown; i++) {
        const chart_series *s = &f->chart->series[i];
        if (!s->name) continue;
        draw_sample(f, s, x, y);
        pen_grey(f->c, 0.1);
        pen_text(f->c, x + SAMPLE + GAP, y + 4.5, 0, TEXT_MAX, s->name);
        y += ROW;
        done++;
    }
    if (done == all) return;
    snprintf(more, sizeof more, "and %d more", all - done);
    pen_grey(f->c, 0.4);
    pen_text(f->c, x + SAMPLE + GAP, y + 4.5, 0, TEXT_MAX, more);
}
