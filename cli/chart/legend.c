/* SPDX-License-Identifier: Apache-2.0 */
/* What the colours mean, in a column on the right. */
#include "draw.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { ROW = 22, ROW_MIN = 14, SAMPLE = 26, GAP = 8, TEXT_MIN = 210, FONT = 13, TAIL = 32 };
enum { BAR_WIDTH = 16, BAR_HEIGHT = 260, STEPS = 128 };
static const double text_part = 0.36; /* of the page, that names may have */

static bool has_bar(const frame *f)
{
    return f->chart->bar_low < f->chart->bar_high;
}

static double bar_height(const frame *f)
{
    return fmin(BAR_HEIGHT, (f->page_height - f->top - EDGE) / 2);
}

typedef struct legend {
    int own;   /* series with a line of their own, if there is room */
    int rest;  /* series that share the last one */
    int shown; /* lines for one series each */
    double row, font, text_max;
    bool wraps; /* long names have two lines */
} legend;

enum { LINE = 256 };
static const double everything = 1e6;  /* wider than any name */
static const double second_line = 0.8; /* of a row below the first */

/* A name at the space nearest to its middle; false: it has none, or fits into one line. */
static bool split_name(const frame *f, const legend *l, pen_name whole, char first[LINE],
                       pen_name *second)
{
    const char *best = NULL;
    const size_t size = strlen(whole.words), middle = size / 2;
    if (!l->wraps || size >= LINE || pen_name_width(f->c, everything, whole) <= l->text_max + 0.5)
        return false;
    for (const char *at = strchr(whole.words, ' '); at; at = strchr(at + 1, ' ')) {
        const size_t here = (size_t)(at - whole.words);
        if (best && here > middle && here - middle >= middle - (size_t)(best - whole.words)) break;
        best = at;
    }
    if (!best) return false;
    snprintf(first, LINE, "%.*s", (int)(best - whole.words), whole.words);
    *second = (pen_name){best + 1, whole.tail};
    return true;
}

static bool has_line(const chart_series *s)
{
    return s->name && s->colour != CHART_REST;
}

/* Rows and letters get smaller before series are left out. */
static legend plan(const frame *f)
{
    const double bar = has_bar(f) ? bar_height(f) + ROW : 0;
    const double height = f->page_height - f->top - EDGE - bar;
    legend l = {.text_max = fmin(fmax(TEXT_MIN, text_part * f->page_width), 0.4 * f->page_width)};
    for (int i = 0; i < f->chart->count; i++) {
        l.own += has_line(&f->chart->series[i]);
        l.rest += f->chart->series[i].name && f->chart->series[i].colour == CHART_REST;
    }
    const int lines = l.own + (l.rest > 0), room = (int)fmax(height / ROW_MIN, 1);
    l.shown = lines > room ? room - 1 : l.own;
    l.row = fmin(fmax(height / (lines > 0 ? lines : 1), ROW_MIN), ROW);
    l.font = fmin(FONT, 3 + l.row / 2);
    l.wraps = height >= (1 + second_line) * ROW * lines;
    return l;
}

/* Whether series i is among those shown: the first ones, of points those with the most. */
static bool is_shown(const chart *c, const legend *l, int i)
{
    int before = 0;
    if (!has_line(&c->series[i])) return false;
    if (l->shown == l->own) return true;
    for (int k = 0; k < c->count; k++) {
        const int64_t more = c->series[i].kind == CHART_POINTS && c->series[k].kind == CHART_POINTS
                                 ? c->series[k].count - c->series[i].count
                                 : 0;
        before += has_line(&c->series[k]) && (more > 0 || (more == 0 && k < i));
    }
    return before < l->shown;
}

/* What the others are called, and how many points they have. */
static pen_name others(const chart *c, const legend *l, char words[TAIL], char tail[TAIL])
{
    int64_t points = 0;
    for (int i = 0; i < c->count; i++)
        if (c->series[i].name && c->series[i].kind == CHART_POINTS && !is_shown(c, l, i))
            points += c->series[i].count;
    snprintf(words, TAIL, "%d more", l->own - l->shown + l->rest);
    snprintf(tail, TAIL, "(%lld)", (long long)points);
    return (pen_name){words, points > 0 ? tail : NULL};
}

double legend_width(const frame *f)
{
    const legend l = plan(f);
    char words[TAIL], tail[TAIL];
    double max = 0;
    pen_font(f->c, l.font, false);
    for (int i = 0; i < f->chart->count; i++) {
        const chart_series *s = &f->chart->series[i];
        char first[LINE];
        pen_name name = {s->name, s->tail};
        if (!is_shown(f->chart, &l, i)) continue;
        if (split_name(f, &l, name, first, &name))
            max = fmax(max, pen_name_width(f->c, l.text_max, (pen_name){first, NULL}));
        max = fmax(max, pen_name_width(f->c, l.text_max, name));
    }
    if (l.shown < l.own + l.rest)
        max = fmax(max, pen_name_width(f->c, l.text_max, others(f->chart, &l, words, tail)));
    if (max > 0) max += SAMPLE + GAP;
    return has_bar(f) ? fmax(max, BAR_WIDTH + GAP + frame_longest(f->c, &f->bar)) : max;
}

static void draw_sample(const frame *f, const chart_series *s, double x, double y)
{
    cairo_t *c = f->c;
    switch (s->kind) {
    case CHART_AREA:
        pen_colour(f, s->colour, 0.35);
        cairo_rectangle(c, x + 6, y - 7, 14, 14);
        cairo_fill(c);
        return;
    case CHART_POINTS:
        pen_colour(f, s->colour, 1);
        pen_mark(f, x + 13, y, 5, s->colour);
        return;
    case CHART_LINE: break;
    }
    pen_colour(f, s->colour, 1);
    pen_dash(f, s);
    cairo_set_line_width(c, 2);
    pen_line(c, x, y, x + SAMPLE, y);
    cairo_set_dash(c, NULL, 0, 0);
    if (s->marks) pen_mark(f, x + SAMPLE / 2.0, y, 3.5, s->colour);
}

/* Shades from low to high, with numbers beside them. */
static void draw_bar(const frame *f, double x)
{
    const double height = bar_height(f), bottom = f->top + height;
    for (int k = 0; k < STEPS; k++) {
        double rgb[3];
        pen_shade(rgb, (k + 0.5) / STEPS);
        cairo_set_source_rgb(f->c, rgb[0], rgb[1], rgb[2]);
        cairo_rectangle(f->c, x, bottom - height * (k + 1) / STEPS, BAR_WIDTH,
                        height / STEPS + 0.5);
        cairo_fill(f->c);
    }
    pen_font(f->c, TICK_FONT, false);
    pen_grey(f, 0.1);
    for (int i = 0; i < f->bar.ticks; i++) {
        const double part = scale_part(&f->bar, f->bar.tick[i]);
        if (part >= -1e-9 && part <= 1 + 1e-9)
            pen_text(f->c, x + BAR_WIDTH + GAP, bottom - height * part + 4, 0, NAME_MAX,
                     f->bar.text[i]);
    }
}

void legend_draw(const frame *f, double x)
{
    const legend l = plan(f);
    const chart_series rest = {.kind = CHART_POINTS, .colour = CHART_REST};
    char words[TAIL], tail[TAIL];
    double y = f->top + l.row / 2 + (has_bar(f) ? bar_height(f) + ROW : 0);
    if (has_bar(f)) draw_bar(f, x);
    for (int i = 0; i < f->chart->count; i++) {
        const chart_series *s = &f->chart->series[i];
        if (!is_shown(f->chart, &l, i)) continue;
        draw_sample(f, s, x, y);
        pen_font(f->c, l.font, false);
        pen_grey(f, 0.1);
        char first[LINE];
        pen_name name = {s->name, s->tail};
        if (split_name(f, &l, name, first, &name)) {
            pen_name_at(f->c, x + SAMPLE + GAP, y + 0.35 * l.font, l.text_max,
                        (pen_name){first, NULL});
            y += second_line * l.row;
        }
        pen_name_at(f->c, x + SAMPLE + GAP, y + 0.35 * l.font, l.text_max, name);
        y += l.row;
    }
    if (l.shown == l.own + l.rest) return;
    if (l.shown == l.own) draw_sample(f, &rest, x, y);
    pen_font(f->c, l.font, false);
    pen_grey(f, 0.4);
    pen_name_at(f->c, x + SAMPLE + GAP, y + 0.35 * l.font, l.text_max,
                others(f->chart, &l, words, tail));
}
