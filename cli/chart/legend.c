/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Chooses colors and marks for a chart, and draws the legend and the names of points. draw.c and
 * html.c call it while they draw a chart.
 */
#include "draw.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Chooses colors and marks of a chart, on white and on dark. */

/*
 * On white: Okabe and Ito's colors less yellow, which is lost there, and two of Tol's; then twelve
 * that are far from these and from each other in OKLab, also as red-green blind eyes see them. On
 * dark the same hues come first, lighter, with yellow. Colors of one mark are farthest apart.
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
enum { PLAIN = 8 }; /* colors that do without marks and dashes */

/* Gray on white; on dark the other way round, from 0.11 for paper to 0.9 for ink. */
double pen_level(const chart *c, double level)
{
    return c->dark ? 0.99 - 0.88 * level : level;
}

void pen_rgb(double rgb[3], const chart *c, int color)
{
    static const double greys[2][3] = {{0.72, 0.15, 0.50}, {0.40, 0.87, 0.58}};
    for (int i = 0; i < 3; i++)
        rgb[i] =
            color < 0 ? greys[c->dark][-1 - color] : palette[c->dark][color % CHART_DISTINCT][i];
}

void pen_grey(const frame *f, double level)
{
    const double grey = pen_level(f->chart, level);
    cairo_set_source_rgb(f->c, grey, grey, grey);
}

void pen_color(const frame *f, int color, double alpha)
{
    double rgb[3];
    pen_rgb(rgb, f->chart, color);
    cairo_set_source_rgba(f->c, rgb[0], rgb[1], rgb[2], alpha);
}

/* Viridis, which is read the same by all eyes and in gray, less its lightest end. */
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

/* Dashed as asked, or in a pattern that changes with every eight colors. */
void pen_dash(const frame *f, const chart_series *s)
{
    static const double dashes[] = {7, 4};
    static const double pattern[][4] = {{2, 4, 2, 4}, {10, 3, 2, 3}, {6, 3, 6, 3}, {5, 2, 1, 2}};
    const int turn = s->color < 0 ? 0 : s->color / PLAIN % 5;
    if (s->dashed)
        cairo_set_dash(f->c, dashes, 2, 0);
    else
        cairo_set_dash(f->c, pattern[turn > 0 ? turn - 1 : 0], turn > 0 ? 4 : 0, 0);
}

/* Discs for the first eight colors, then square, triangle, diamond and cross in turn. */
int mark_corners(double x[MARK_CORNERS], double y[MARK_CORNERS], int color, double radius)
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
    if (color < PLAIN) return 0;
    const int k = color % CHART_DISTINCT;
    if (k < PLAIN) return 0;
    const int turn = (k - PLAIN) % 4;
    for (int i = 0; i < shape[turn].corners; i++) {
        x[i] = radius * shape[turn].at[i][0];
        y[i] = radius * shape[turn].at[i][1];
    }
    return shape[turn].corners;
}

void pen_mark(const frame *f, double x, double y, double radius, int color)
{
    cairo_t *c = f->c;
    double dx[MARK_CORNERS], dy[MARK_CORNERS];
    const int corners = mark_corners(dx, dy, color, radius);
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

/* Draws the legend, in a column on the right. */

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
    return s->name && s->color != CHART_REST;
}

/* Rows and letters get smaller before series are left out. */
static legend plan(const frame *f)
{
    const double bar = has_bar(f) ? bar_height(f) + ROW : 0;
    const double height = f->page_height - f->top - EDGE - bar;
    legend l = {.text_max = fmin(fmax(TEXT_MIN, text_part * f->page_width), 0.4 * f->page_width)};
    for (int i = 0; i < f->chart->count; i++) {
        l.own += has_line(&f->chart->series[i]);
        l.rest += f->chart->series[i].name && f->chart->series[i].color == CHART_REST;
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
        pen_color(f, s->color, 0.35);
        cairo_rectangle(c, x + 6, y - 7, 14, 14);
        cairo_fill(c);
        return;
    case CHART_POINTS:
        pen_color(f, s->color, 1);
        pen_mark(f, x + 13, y, 5, s->color);
        return;
    case CHART_LINE: break;
    }
    pen_color(f, s->color, 1);
    pen_dash(f, s);
    cairo_set_line_width(c, 2);
    pen_line(c, x, y, x + SAMPLE, y);
    cairo_set_dash(c, NULL, 0, 0);
    if (s->marks) pen_mark(f, x + SAMPLE / 2.0, y, 3.5, s->color);
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
            pen_text(f->c, x + BAR_WIDTH + GAP, bottom - height * part + 4, 0, NAME_WIDTH,
                     f->bar.text[i]);
    }
}

void legend_draw(const frame *f, double x)
{
    const legend l = plan(f);
    const chart_series rest = {.kind = CHART_POINTS, .color = CHART_REST};
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

/*
 * Places the names of a few points where they cover neither marks nor other names if possible; of
 * many points, only those are named that find such a place.
 */

enum {
    NAMES_FONT = 11,
    HEIGHT = 12,
    TEXT_MAX = 130,
    TURNS = 12,
    FEW = 60, /* points that all have names */
    RINGS = 8,
    SWEEPS = 20, /* for these */
    NEAR_RINGS = 2,
    NEAR_SWEEPS = 4, /* and for more */
};
static const double pi = 3.141592653589793;

typedef struct box {
    double x, y, width, height; /* of its left upper corner */
} box;

typedef struct name {
    const char *words;
    double x, y; /* of the point */
    double width;
    int place; /* ring * TURNS + turn */
    box at;
} name;

typedef struct names {
    const frame *f;
    double radius; /* of the marks */
    name of[CHART_NAMES_MAX];
    int count;
    int placed; /* names that others avoid */
    bool few;
} names;

static double common(double a, double a_size, double b, double b_size)
{
    return fmax(0, fmin(a + a_size, b + b_size) - fmax(a, b));
}

static double overlap(const box *a, const box *b)
{
    return common(a->x, a->width, b->x, b->width) * common(a->y, a->height, b->y, b->height);
}

static double limited(double value)
{
    return fmin(fmax(value, -1), 1);
}

/* Around the point: to the right first, then to the left, above, below and between. */
static box place_at(const names *all, const name *n, int place)
{
    static const int turns[TURNS] = {0, 6, 9, 3, 11, 1, 7, 5, 10, 2, 8, 4};
    const double angle = 2 * pi * turns[place % TURNS] / TURNS;
    const int turn = place / TURNS;
    const double away = all->radius + 3 + 11 * (double)turn;
    const double x = n->x + away * cos(angle), y = n->y + away * sin(angle);
    return (box){x + n->width / 2 * (limited(1.5 * cos(angle)) - 1),
                 y + HEIGHT / 2.0 * (limited(1.5 * sin(angle)) - 1), n->width, HEIGHT};
}

/* The line from a point to its name, where that had to go farther away than the first ring. */
typedef struct way {
    double x0, y0, x1, y1;
} way;

static way way_of(const name *n, int place, const box *at)
{
    if (place < TURNS) return (way){n->x, n->y, n->x, n->y};
    return (way){n->x, n->y, fmin(fmax(n->x, at->x), at->x + at->width),
                 fmin(fmax(n->y, at->y), at->y + at->height)};
}

/* Parts from .. to of a line that lie between low and high in one direction. */
static void clip(double start, double step, double low, double high, double part[2])
{
    if (step == 0) {
        if (start < low || start > high) part[1] = -1;
        return;
    }
    part[0] = fmax(part[0], fmin((low - start) / step, (high - start) / step));
    part[1] = fmin(part[1], fmax((low - start) / step, (high - start) / step));
}

/* The length of a line that crosses a name. */
static double crossed(const way *w, const box *b)
{
    double part[2] = {0, 1};
    clip(w->x0, w->x1 - w->x0, b->x, b->x + b->width, part);
    clip(w->y0, w->y1 - w->y0, b->y, b->y + b->height, part);
    return fmax(part[1] - part[0], 0) * hypot(w->x1 - w->x0, w->y1 - w->y0);
}

/* What name and line cover there, and a little for the distance. */
static double cost(const names *all, int i, int place)
{
    const frame *f = all->f;
    const double r = all->radius + 1;
    const box at = place_at(all, &all->of[i], place),
              panel = {f->left, f->top, f->width, f->height};
    const way own = way_of(&all->of[i], place, &at);
    const int turn = place / TURNS;
    double sum = 0.5 * (place % TURNS) + 12 * (double)turn;
    sum += 20 * (at.width * at.height - overlap(&at, &panel));
    for (int k = 0; k < all->count; k++) {
        const box mark = {all->of[k].x - r, all->of[k].y - r, 2 * r, 2 * r};
        sum += 4 * overlap(&at, &mark);
        if (k != i) sum += 3 * crossed(&own, &mark);
        if (k == i || k >= all->placed) continue;
        const name *other = &all->of[k];
        const way theirs = way_of(other, other->place, &other->at);
        sum += 6 * overlap(&at, &other->at);
        sum += 6 * (crossed(&own, &other->at) + crossed(&theirs, &at));
    }
    return sum;
}

/* Whether a name moved to where it costs less. */
static bool move(names *all, int i)
{
    name *n = &all->of[i];
    const int before = n->place;
    double least = cost(all, i, before);
    for (int place = 0; place < (all->few ? RINGS : NEAR_RINGS) * TURNS; place++) {
        const double here = cost(all, i, place);
        if (here >= least) continue;
        least = here;
        n->place = place;
    }
    n->at = place_at(all, n, n->place);
    return n->place != before;
}

/* One after the other, and then each again until none moves. */
static void settle(names *all)
{
    bool moved = true;
    for (; all->placed < all->count; all->placed++)
        (void)move(all, all->placed);
    for (int sweep = 0; moved && sweep < (all->few ? SWEEPS : NEAR_SWEEPS); sweep++) {
        moved = false;
        for (int i = 0; i < all->count; i++)
            moved = move(all, i) || moved;
    }
}

static void gather(void *user, const chart_series *s, int64_t i, double x, double y)
{
    names *all = user;
    if (!s->label || all->count == CHART_NAMES_MAX) return;
    name *n = &all->of[all->count++];
    *n = (name){.words = s->label[i], .x = x, .y = y};
    n->width = pen_name_width(all->f->c, TEXT_MAX, (pen_name){n->words, NULL});
    n->at = place_at(all, n, 0);
}

static void draw_way(const names *all, const name *n)
{
    const way w = way_of(n, n->place, &n->at);
    const double length = hypot(w.x1 - w.x0, w.y1 - w.y0);
    if (length <= all->radius) return;
    const double part = all->radius / length;
    pen_grey(all->f, 0.6);
    cairo_set_line_width(all->f->c, 0.7);
    pen_line(all->f->c, w.x0 + part * (w.x1 - w.x0), w.y0 + part * (w.y1 - w.y0), w.x1, w.y1);
}

/* Whether a name covers no mark and none of the names before it that are shown. */
static bool is_free(const names *all, const bool *shown, int i)
{
    const double r = all->radius;
    const box *at = &all->of[i].at;
    for (int k = 0; k < all->count; k++) {
        const box mark = {all->of[k].x - r, all->of[k].y - r, 2 * r, 2 * r};
        if (overlap(at, &mark) > 1 || (shown[k] && overlap(at, &all->of[k].at) > 1)) return false;
    }
    return true;
}

void names_draw(const frame *f)
{
    names all = {.f = f, .radius = series_mark_radius(f)};
    bool shown[CHART_NAMES_MAX] = {false};
    pen_font(f->c, NAMES_FONT, false);
    series_visit_points(f, gather, &all);
    all.few = all.count <= FEW;
    settle(&all);
    for (int i = 0; i < all.count; i++)
        shown[i] = all.few || is_free(&all, shown, i);
    for (int i = 0; i < all.count; i++)
        if (shown[i]) draw_way(&all, &all.of[i]);
    pen_grey(f, 0.25);
    for (int i = 0; i < all.count; i++)
        if (shown[i])
            pen_name_at(f->c, all.of[i].at.x, all.of[i].at.y + 0.8 * HEIGHT, TEXT_MAX,
                        (pen_name){all.of[i].words, NULL});
}
