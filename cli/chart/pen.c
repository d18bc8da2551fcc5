/* SPDX-License-Identifier: Apache-2.0 */
/* Texts and lines of a chart. */
#include "draw.h"
#include "show.h"

#include <stdio.h>
#include <string.h>

enum { WORDS = 256 };
static const char ellipsis[] = "\xe2\x80\xa6";

void pen_font(cairo_t *c, double size, bool bold)
{
    cairo_select_font_face(c, "sans-serif", CAIRO_FONT_SLANT_NORMAL,
                           bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
    cairo_set_font_size(c, size);
}

static double advance(cairo_t *c, const char *words)
{
    cairo_text_extents_t size;
    cairo_text_extents(c, words, &size);
    return size.x_advance;
}

static size_t back(const char *words, size_t at)
{
    do
        at--;
    while (at > 0 && ((unsigned char)words[at] & 0xc0) == 0x80);
    return at;
}

/* Shortened at its end until it is no longer than `max`; the length that it then has. */
static double fit_words(cairo_t *c, char out[WORDS], double max, const char *words)
{
    show_cut(out, WORDS - sizeof ellipsis, words, strlen(words));
    double width = advance(c, out);
    for (size_t end = strlen(out); width > max && end > 1;) {
        end = back(out, end);
        memcpy(out + end, ellipsis, sizeof ellipsis);
        width = advance(c, out);
    }
    return width;
}

/* Shortened in the middle until name and tail are no longer than `max`; the tail stays whole. */
static double fit_name(cairo_t *c, char out[WORDS], double max, pen_name name)
{
    char whole[WORDS / 2];
    size_t start[WORDS / 2 + 1], count = 0; /* of its characters */
    show_cut(whole, sizeof whole, name.words, strlen(name.words));
    const size_t size = strlen(whole);
    for (size_t at = 0; at < size; at += utf8_length(whole + at, size - at))
        start[count++] = at;
    start[count] = size;
    for (size_t keep = count;; keep--) {
        const int head = (int)start[(keep + 1) / 2];
        snprintf(out, WORDS, "%.*s%s%s%s%s", head, whole, keep < count ? ellipsis : "",
                 whole + start[count - keep / 2], name.tail ? " " : "", name.tail ? name.tail : "");
        const double width = advance(c, out);
        if (width <= max || keep <= 1) return width;
    }
}

double pen_text_width(cairo_t *c, double max, const char *words)
{
    char text[WORDS];
    return fit_words(c, text, max, words);
}

double pen_name_width(cairo_t *c, double max, pen_name name)
{
    char text[WORDS];
    return fit_name(c, text, max, name);
}

static void show(cairo_t *c, double x, double y, const char *text)
{
    cairo_move_to(c, x, y);
    cairo_show_text(c, text);
    cairo_new_path(c); /* else the next path would begin where the text ends */
}

void pen_text(cairo_t *c, double x, double y, double anchor, double max, const char *words)
{
    char text[WORDS];
    const double width = fit_words(c, text, max, words);
    show(c, x - anchor * width, y, text);
}

void pen_name_at(cairo_t *c, double x, double y, double max, pen_name name)
{
    char text[WORDS];
    (void)fit_name(c, text, max, name);
    show(c, x, y, text);
}

void pen_line(cairo_t *c, double x0, double y0, double x1, double y1)
{
    cairo_move_to(c, x0, y0);
    cairo_line_to(c, x1, y1);
    cairo_stroke(c);
}
