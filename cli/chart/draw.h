/* SPDX-License-Identifier: Apache-2.0 */
/* Between the files that draw a chart. Lengths are points: a PNG has two pixels for each. */
#ifndef CLI_DRAW_H
#define CLI_DRAW_H

#include "chart.h"
#include "ticks.h"

#include <cairo.h>
#include <stdio.h>

typedef struct frame {
    cairo_t *c;
    const chart *chart;
    scale x, y, second, bar;
    double page_width, page_height;
    double left, top, width, height; /* of the panel */
    bool no_points;                  /* html.c draws them */
} frame;

enum { EDGE = 20, TICK_FONT = 12, AXIS_FONT = 13, TITLE_FONT = 17, NAME_WIDTH = 170 };

/* ---- legend.c: greys from 0 for ink to 1 for paper, colors, marks ---- */

enum { MARK_CORNERS = 12 };
double pen_level(const chart *c, double level); /* a gray as it is on white or on dark */
void pen_rgb(double rgb[3], const chart *c, int color);
void pen_grey(const frame *f, double level);
void pen_color(const frame *f, int color, double alpha);
void pen_shade(double rgb[3], double shade); /* 0 .. 1 on the color bar */
void pen_dash(const frame *f, const chart_series *s);
void pen_mark(const frame *f, double x, double y, double radius, int color);
/* The corners of a mark around its middle; 0 of them: a disc. */
int mark_corners(double x[MARK_CORNERS], double y[MARK_CORNERS], int color, double radius);

/* ---- draw.c: texts and lines ---- */

typedef struct pen_name {
    const char *words, *tail; /* tail: never cut, or NULL */
} pen_name;

void pen_font(cairo_t *c, double size, bool bold);
/* UTF-8 with its left end (0), middle (0.5) or right end (1) at x, cut to `max` at its end. */
void pen_text(cairo_t *c, double x, double y, double anchor, double max, const char *words);
/* A name with its left end at x, cut to `max` in the middle. */
void pen_name_at(cairo_t *c, double x, double y, double max, pen_name name);
double pen_name_width(cairo_t *c, double max, pen_name name);
void pen_line(cairo_t *c, double x0, double y0, double x1, double y1);

/* ---- draw.c, legend.c: the frame, axes, names and legends ---- */

void frame_fit(frame *f);
double frame_longest(cairo_t *c, const scale *s); /* the longest text of an axis */
void frame_draw(const frame *f);                  /* beneath the data */
void frame_draw_axes(const frame *f);             /* above it */
double legend_width(const frame *f);
void legend_draw(const frame *f, double x);
void names_draw(const frame *f); /* beside the points */

/* ---- draw.c: the data ---- */

void series_draw(const frame *f);
double series_mark_radius(const frame *f);
/* Every point in the order of drawing, greys first, with its place on the page. */
typedef void point_visit(void *user, const chart_series *s, int64_t i, double x, double y);
void series_visit_points(const frame *f, point_visit *visit, void *user);

/* ---- html.c: a page around the SVG of everything but the points, which know their names ---- */

void html_write(FILE *to, const frame *f, const char *svg, size_t size);

#endif
