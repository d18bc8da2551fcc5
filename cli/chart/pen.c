/* SPDX-License-Identifier: Apache-2.0 */
#include "draw.h"
#include "show.h"

#include <math.h>
#include <string.h>

/* Okabe and Ito's colours less yellow, which is lost on white, and two of Tol's. */
static const double palette[][3] = {
    {0.00, 0.45, 0.70}, {0.90, 0.62, 0.00}, {0.00, 0.62, 0.45}, {0.84, 0.37, 0.00},
    {0.34, 0.71, 0.91}, {0.80, 0.47, 0.65}, {0.20, 0.13, 0.53}, {0.60, 0.60, 0.20},
};
static const double pi = 3.141592653589793;
enum { COLOURS = sizeof palette / sizeof *palette };

void pen_grey(cairo_t *c, double level)
{
    cairo_set_source_rgb(c, level, level, level);
}

void pen_colour(cairo_t *c, int colour, double alpha)
{
    const double level = colour == CHART_GREY ? 0.72 : 0.15;
    if (colour < 0)
        cairo_set_source_rgba(c, level, level, level, alpha);
    else
        cairo_set_source_rgba(c, palette[colour % COLOURS][0], palette[colour % COLOURS][1],
                              palette[colour % COLOURS][2], alpha);
}

void pen_font(cairo_t *c, double size, bool bold)
{
    cairo_select_font_face(c, "sans-serif", CAIRO_FONT_SLANT_NORMAL,
                           bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
    cairo_set_font_size(c, size);
}

enum { WORDS = 256 };

/* What cairo can draw: a byte that is not UTF-8, or a control character, becomes '?'. */
static void clean(char *out, const char *words)
{
    const size_t size = strlen(words);
    size_t to = 0;
    for (size_t at = 0; at < size;) {
        const size_t length = utf8_length(words + at, size - at);
        const bool plain = length > 0 && (unsigned char)words[at] >= 32 && words[at] != 127;
        if (to + (plain ? length : 1) >= WORDS - 4) break; /* room for an ellipsis */
        if (plain)
            memcpy(out + to, words + at, length);
        else
            out[to] = '?';
        to += plain ? length : 1;
        at += length > 0 ? length : 1;
    }
    out[to] = '\0';
}

static double advance(cairo_t *c, const char *words)
{
    cairo_text_extents_t size;
    cairo_text_extents(c, words, &size);
    return size.x_advance;
}

/* Cleaned, and shortened until it is no longer than `max`; the length that it then has. */
static double fit_words(cairo_t *c, char *out, double max, const char *words)
{
    clean(out, words);
    double width = advance(c, out);
    for (size_t end = strlen(out); width > max && end > 1;) {
        do
            end--;
        while (end > 1 && ((unsigned char)out[end] & 0xc0) == 0x80);
        memcpy(out + end, "\xe2\x80\xa6", 4);
        width = advance(c, out);
    }
    return width;
}

double pen_text_width(cairo_t *c, double max, const char *words)
{
    char text[WORDS];
    return fit_words(c, text, max, words);
}

void pen_text(cairo_t *c, double x, double y, double anchor, double max, const char *words)
{
    char text[WORDS];
    const double width = fit_words(c, text, max, words);
    cairo_move_to(c, x - anchor * width, y);
    cairo_show_text(c, text);
    cairo_new_path(c); /* else the next path would begin where the text ends */
}

void pen_line(cairo_t *c, double x0, double y0, double x1, double y1)
{
    cairo_move_to(c, x0, y0);
    cairo_line_to(c, x1, y1);
    cairo_stroke(c);
}

/* Dashed as asked, or dotted when the colours come round again. */
void pen_dash(cairo_t *c, const chart_series *s)
{
    static const double dashes[] = {7, 4}, dots[] = {2, 4};
    if (s->dashed)
        cairo_set_dash(c, dashes, 2, 0);
    else
        cairo_set_dash(c, dots, s->colour >= COLOURS ? 2 : 0, 0);
}

/* A disc, then square, triangle and diamond as the colours come round again. */
void pen_mark(cairo_t *c, double x, double y, double radius, int colour)
{
    const int shape = colour < 0 ? 0 : colour / COLOURS % 4;
    const int corners = shape == 2 ? 3 : 4;
    const double turn = shape == 1 ? pi / 4 : -pi / 2, r = radius * 1.25;
    if (shape == 0) {
        cairo_set_line_cap(c, CAIRO_LINE_CAP_ROUND); /* the shortest way to a disc in a file */
        cairo_set_line_width(c, 2 * radius);
        cairo_move_to(c, x, y);
        cairo_close_path(c);
        cairo_stroke(c);
        cairo_set_line_cap(c, CAIRO_LINE_CAP_BUTT);
        return;
    }
    for (int i = 0; i < corners; i++)
        cairo_line_to(c, x + r * cos(turn + 2 * pi * i / corners),
                      y + r * sin(turn + 2 * pi * i / corners));
    cairo_close_path(c);
    cairo_fill(c);
}
