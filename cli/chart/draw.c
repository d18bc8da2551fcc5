/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Draws a chart with cairo: text, data series, axes and grid. picture.c calls it for every output
 * format; legend.c draws the legend and the names of points, and ticks.c computes the axes.
 */
#include "draw.h"
#include "terminal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Draws the texts and lines of a chart. */

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

static double pen_text_width(cairo_t *c, double max, const char *words)
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

/* Computes the position of a chart's panel and the ranges of its axes. */

static double frame_x(const frame *f, double x)
{
    return f->left + f->width * scale_part(&f->x, x);
}

static double frame_y(const frame *f, const chart_series *s, double y)
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

static bool frame_has_second(const chart *c)
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
        max = fmax(max, pen_text_width(c, NAME_WIDTH, s->text[i]));
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

/* Draws titles, numbers and grid around the panel of a chart. */

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
                 1, NAME_WIDTH, f->y.text[i]);
    for (int i = 0; frame_has_second(c) && i < f->second.ticks; i++)
        pen_text(f->c, right + 8,
                 f->top + 4 + f->height * (1 - scale_part(&f->second, f->second.tick[i])), 0,
                 NAME_WIDTH, f->second.text[i]);
    for (int i = 0; i < f->x.ticks; i++)
        pen_text(f->c, frame_x(f, f->x.tick[i]), bottom + 18, 0.5, NAME_WIDTH, f->x.text[i]);
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

/* Draws the data of a chart: areas, then bars, bands, lines and points. */

enum { MARGIN = 6 }; /* around the panel, for the halves of marks */

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
    pen_color(f, s->color, 0.35);
    cairo_fill(f->c);
}

static void draw_line(const frame *f, const chart_series *s)
{
    double x, y;
    pen_color(f, s->color, 1);
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
        if (place(f, s, i, &x, &y)) pen_mark(f, x, y, 3.5, s->color);
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

/* All marks together cover about a ninth of the panel. */
double series_mark_radius(const frame *f)
{
    int64_t all;
    (void)points_most(f->chart, &all);
    const double fair = sqrt(f->width * f->height / (28 * (double)(all > 0 ? all : 1)));
    return fmin(fmax(fair, 1.1), 5);
}

/* Visits point i of each series in turn, so that no class covers all others. */
static void visit(const frame *f, bool grey, point_visit *each, void *user)
{
    int64_t all;
    double x, y;
    for (int64_t i = points_most(f->chart, &all) - 1; i >= 0; i--)
        for (int k = 0; k < f->chart->count; k++) {
            const chart_series *s = &f->chart->series[k];
            if (s->kind != CHART_POINTS || i >= s->count || (s->color < 0) != grey) continue;
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
    pen_color(d->f, s->color, 1);
    if (s->shade) {
        double rgb[3];
        pen_shade(rgb, s->shade[i]);
        cairo_set_source_rgb(d->f->c, rgb[0], rgb[1], rgb[2]);
    }
    pen_mark(d->f, x, y, d->radius, s->color);
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
