/* SPDX-License-Identifier: Apache-2.0 */
/* Colours and marks of a chart, on white and on dark. */
#include "draw.h"

#include <math.h>

/*
 * On white: Okabe and Ito's colours less yellow, which is lost there, and two of Tol's; then twelve
 * that are far from these and from each other in OKLab, also as red-green blind eyes see them. On
 * dark the same hues come first, lighter, with yellow. Colours of one mark are farthest apart.
 */
static const double palette[2][CHART_DISTINCT][3] = {
    {
        {0.00, 0.45, 0.70}, {0.90, 0.62, 0.00}, {0.00, 0.62, 0.45}, {0.84, 0.37, 0.00},
        {0.34, 0.71, 0.91}, {0.80, 0.47, 0.65}, {0.20, 0.13, 0.53}, {0.60, 0.60, 0.20},
        {0.85, 0.00, 0.75}, {0.00, 0.85, 0.45}, {0.80, 0.10, 0.30}, {0.40, 0.20, 1.00},
        {0.50, 0.35, 0.00}, {0.55, 0.50, 1.00}, {0.00, 0.00, 0.85}, {0.00, 0.45, 0.30},
        {0.40, 0.30, 0.45}, {0.50, 0.05, 0.65}, {0.35, 0.20, 0.00}, {0.45, 0.00, 0.25},
    },
    {
        {0.20, 0.55, 0.95}, {0.95, 0.65, 0.10}, {0.05, 0.70, 0.50}, {0.92, 0.36, 0.12},
        {0.50, 0.85, 1.00}, {0.95, 0.55, 0.80}, {0.52, 0.36, 0.95}, {0.93, 0.90, 0.35},
        {1.00, 0.25, 0.80}, {0.00, 0.90, 0.50}, {0.85, 0.00, 0.35}, {0.65, 0.65, 1.00},
        {0.65, 0.25, 0.00}, {0.95, 0.75, 0.75}, {0.35, 0.10, 1.00}, {0.55, 0.25, 0.60},
        {0.55, 1.00, 0.80}, {0.75, 0.00, 0.80}, {0.00, 0.40, 0.70}, {0.75, 0.40, 0.65},
    },
};
enum { PLAIN = 8 }; /* colours that do without marks and dashes */

/* Grey on white; on dark the other way round, from 0.11 for paper to 0.9 for ink. */
double pen_level(const chart *c, double level)
{
    return c->dark ? 0.99 - 0.88 * level : level;
}

void pen_rgb(double rgb[3], const chart *c, int colour)
{
    static const double greys[2][3] = {{0.72, 0.15, 0.50}, {0.40, 0.87, 0.58}};
    for (int i = 0; i < 3; i++)
        rgb[i] =
            colour < 0 ? greys[c->dark][-1 - colour] : palette[c->dark][colour % CHART_DISTINCT][i];
}

void pen_grey(const frame *f, double level)
{
    const double grey = pen_level(f->chart, level);
    cairo_set_source_rgb(f->c, grey, grey, grey);
}

void pen_colour(const frame *f, int colour, double alpha)
{
    double rgb[3];
    pen_rgb(rgb, f->chart, colour);
    cairo_set_source_rgba(f->c, rgb[0], rgb[1], rgb[2], alpha);
}

/* Viridis, which is read the same by all eyes and in grey, less its lightest end. */
void pen_shade(double rgb[3], double shade)
{
    static const double stop[][3] = {
        {0.267, 0.005, 0.329}, {0.283, 0.141, 0.458}, {0.254, 0.265, 0.530}, {0.207, 0.372, 0.553},
        {0.164, 0.471, 0.558}, {0.128, 0.567, 0.551}, {0.135, 0.659, 0.518}, {0.267, 0.749, 0.441},
        {0.478, 0.821, 0.318}, {0.741, 0.873, 0.150}};
    const double at = fmin(fmax(shade, 0), 1) * 9;
    const int k = at >= 9 ? 8 : (int)at;
    for (int i = 0; i < 3; i++)
        rgb[i] = stop[k][i] + (at - k) * (stop[k + 1][i] - stop[k][i]);
}

/* Dashed as asked, or in a pattern that changes with every eight colours. */
void pen_dash(const frame *f, const chart_series *s)
{
    static const double dashes[] = {7, 4};
    static const double pattern[][4] = {{2, 4, 2, 4}, {10, 3, 2, 3}, {6, 3, 6, 3}, {5, 2, 1, 2}};
    const int turn = s->colour < 0 ? 0 : s->colour / PLAIN % 5;
    if (s->dashed)
        cairo_set_dash(f->c, dashes, 2, 0);
    else
        cairo_set_dash(f->c, pattern[turn > 0 ? turn - 1 : 0], turn > 0 ? 4 : 0, 0);
}

/* Discs for the first eight colours, then square, triangle, diamond and cross in turn. */
int mark_corners(double x[MARK_CORNERS], double y[MARK_CORNERS], int colour, double radius)
{
    static const double triangle[][2] = {{0, -1.4}, {1.3, 0.85}, {-1.3, 0.85}};
    static const double square[][2] = {{-0.95, -0.95}, {0.95, -0.95}, {0.95, 0.95}, {-0.95, 0.95}};
    static const double diamond[][2] = {{0, -1.4}, {1.4, 0}, {0, 1.4}, {-1.4, 0}};
    static const double cross[][2] = {{-0.45, -1.4}, {0.45, -1.4}, {0.45, -0.45}, {1.4, -0.45},
                                      {1.4, 0.45},   {0.45, 0.45}, {0.45, 1.4},   {-0.45, 1.4},
                                      {-0.45, 0.45}, {-1.4, 0.45}, {-1.4, -0.45}, {-0.45, -0.45}};
    static const struct {
        const double (*at)[2];
        int corners;
    } shape[] = {{square, 4}, {triangle, 3}, {diamond, 4}, {cross, 12}};
    if (colour < PLAIN) return 0;
    const int k = colour % CHART_DISTINCT;
    if (k < PLAIN) return 0;
    const int turn = (k - PLAIN) % 4;
    for (int i = 0; i < shape[turn].corners; i++) {
        x[i] = radius * shape[turn].at[i][0];
        y[i] = radius * shape[turn].at[i][1];
    }
    return shape[turn].corners;
}

void pen_mark(const frame *f, double x, double y, double radius, int colour)
{
    cairo_t *c = f->c;
    double dx[MARK_CORNERS], dy[MARK_CORNERS];
    const int corners = mark_corners(dx, dy, colour, radius);
    cairo_new_path(c);
    if (corners == 0) {
        cairo_set_line_cap(c, CAIRO_LINE_CAP_ROUND); /* the shortest way to a disc in a file */
        cairo_set_line_width(c, 2 * radius);
        cairo_move_to(c, x, y);
        cairo_line_to(c, x, y);
        cairo_stroke(c);
        cairo_set_line_cap(c, CAIRO_LINE_CAP_BUTT);
        return;
    }
    for (int i = 0; i < corners; i++)
        cairo_line_to(c, x + dx[i], y + dy[i]);
    cairo_close_path(c);
    cairo_fill(c);
}
