/* SPDX-License-Identifier: Apache-2.0 */
/* Between the files that draw a chart. Lengths are points: a PNG has two pixels for each. */
#ifndef WGDN_CLI_CHART_DRAW_H
#define WGDN_CLI_CHART_DRAW_H

#include "chart.h"
#include "scale.h"

#include <cairo.h>

typedef struct frame {
    cairo_t *c;
    const chart *chart;
    scale x, y, second;
    double page_width, page_height;
    double left, top, width, height; /* of the panel */
    double slant;                    /* of the group names: 0 or an angle */
} frame;

enum { EDGE = 20, TICK_FONT = 12, AXIS_FONT = 13, TITLE_FONT = 17, NAME_MAX = 170 };

/* ---- chart_pen.c: colours, texts, marks ---- */

void pen_colour(cairo_t *c, int colour, double alpha);
void pen_grey(cairo_t *c, double level);
void pen_font(cairo_t *c, double size, bool bold);
/* UTF-8 with its left end (0), middle (0.5) or right end (1) at x, cut to
 * `max` with an ellipsis. */
void pen_text(cairo_t *c, double x, double y, double anchor, double max, const char *words);
double pen_text_width(cairo_t *c, double max, const char *words);
void pen_line(cairo_t *c, double x0, double y0, double x1, double y1);
void pen_dash(cairo_t *c, const chart_series *s);
void pen_mark(cairo_t *c, double x, double y, double radius, int colour);

/* ---- chart_frame.c, chart_axes.c, chart_legend.c: where things are, and all but the data ---- */

void frame_fit(frame *f);
double frame_x(const frame *f, double x);
double frame_y(const frame *f, const chart_series *s, double y);
bool frame_has_second(const chart *c);
double frame_longest(cairo_t *c, const scale *s); /* the longest text of an axis */
void frame_draw(const frame *f);                  /* beneath the data */
void frame_draw_axes(const frame *f);             /* above it */
double legend_width(const frame *f);
void legend_draw(const frame *f, double x);

/* ---- chart_series.c ---- */

void series_draw(const frame *f);
double series_mark_radius(const frame *f);
/* Where a point is measured on the x axis: its x, or the middle of its bar. */
double series_x(const chart *c, const chart_series *s, int64_t i);
double series_bar_width(const chart *c); /* in units of the x axis */

#endif
