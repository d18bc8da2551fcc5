/* SPDX-License-Identifier: Apache-2.0 */
/* What stands around the panel of a chart: titles, numbers, grid and legend. */
#include "draw.h"

#include <math.h>

static const double quarter = 1.5707963267948966; /* of a turn */

static void draw_grid(const frame *f)
{
    pen_grey(f, 0.9);
    cairo_set_line_width(f->c, 1);
    for (int i = 0; i < f->y.ticks; i++) {
        const double y = f->top + f->height * (1 - scale_part(&f->y, f->y.tick[i]));
        pen_line(f->c, f->left, y, f->left + f->width, y);
    }
    for (int i = 0; i < f->x.ticks; i++)
        pen_line(f->c, frame_x(f, f->x.tick[i]), f->top, frame_x(f, f->x.tick[i]),
                 f->top + f->height);
}

static void upright(cairo_t *c, double x, double y, double turn, double anchor, double max,
                    const char *words)
{
    cairo_save(c);
    cairo_translate(c, x, y);
    cairo_rotate(c, turn);
    pen_text(c, 0, 0, anchor, max, words);
    cairo_restore(c);
}

static void draw_titles(const frame *f)
{
    const chart *c = f->chart;
    const double bottom = f->top + f->height, middle = f->top + f->height / 2;
    double y = EDGE + 14;
    pen_grey(f, 0.1);
    pen_font(f->c, TITLE_FONT, true);
    if (c->title) pen_text(f->c, EDGE, y, 0, f->page_width - 2 * EDGE, c->title);
    pen_font(f->c, AXIS_FONT, false);
    pen_grey(f, 0.4);
    if (c->subtitle) pen_text(f->c, EDGE, y + 21, 0, f->page_width - 2 * EDGE, c->subtitle);
    pen_grey(f, 0.1);
    if (c->y_title) upright(f->c, EDGE + 10, middle, -quarter, 0.5, f->height, c->y_title);
    if (c->second_title && frame_has_second(c)) {
        const double x = f->left + f->width + frame_longest(f->c, &f->second) + 26;
        pen_font(f->c, AXIS_FONT, false);
        upright(f->c, x, middle, -quarter, 0.5, f->height, c->second_title);
    }
    pen_font(f->c, AXIS_FONT, false);
    y = c->equal ? bottom + 20 : f->page_height - EDGE;
    if (c->x_title) pen_text(f->c, f->left + f->width / 2, y, 0.5, f->width, c->x_title);
}

static void draw_numbers(const frame *f)
{
    const chart *c = f->chart;
    const double bottom = f->top + f->height, right = f->left + f->width;
    pen_font(f->c, TICK_FONT, false);
    for (int i = 0; i < f->y.ticks; i++)
        pen_text(f->c, f->left - 8, f->top + 4 + f->height * (1 - scale_part(&f->y, f->y.tick[i])),
                 1, NAME_MAX, f->y.text[i]);
    for (int i = 0; frame_has_second(c) && i < f->second.ticks; i++)
        pen_text(f->c, right + 8,
                 f->top + 4 + f->height * (1 - scale_part(&f->second, f->second.tick[i])), 0,
                 NAME_MAX, f->second.text[i]);
    for (int i = 0; i < f->x.ticks; i++)
        pen_text(f->c, frame_x(f, f->x.tick[i]), bottom + 18, 0.5, NAME_MAX, f->x.text[i]);
}

void frame_draw(const frame *f)
{
    const double numbers = frame_has_second(f->chart) ? frame_longest(f->c, &f->second) + 12 : 0;
    const double title = frame_has_second(f->chart) && f->chart->second_title ? 20 : 0;
    if (!f->chart->equal) draw_grid(f);
    draw_titles(f);
    if (!f->chart->equal) draw_numbers(f);
    legend_draw(f, f->left + f->width + numbers + title + 18);
}

void frame_draw_axes(const frame *f)
{
    const double bottom = f->top + f->height, right = f->left + f->width;
    cairo_set_line_width(f->c, 1);
    pen_grey(f, f->chart->equal ? 0.8 : 0.35);
    if (f->chart->equal) {
        cairo_rectangle(f->c, f->left, f->top, f->width, f->height);
        cairo_stroke(f->c);
        return;
    }
    pen_line(f->c, f->left, bottom, right, bottom);
    pen_line(f->c, f->left, f->top, f->left, bottom);
    if (frame_has_second(f->chart)) pen_line(f->c, right, f->top, right, bottom);
}
