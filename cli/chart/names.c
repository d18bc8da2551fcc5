/* SPDX-License-Identifier: Apache-2.0 */
/* The names of a few points, each where it covers neither marks nor other names, if it can; of more
 * points those that find such a place. */
#include "draw.h"

#include <math.h>

enum {
    FONT = 11,
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
    int placed; /* of them have a place that others avoid */
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

/* How much of a line lies on a name. */
static double crossed(const way *w, const box *b)
{
    double part[2] = {0, 1};
    clip(w->x0, w->x1 - w->x0, b->x, b->x + b->width, part);
    clip(w->y0, w->y1 - w->y0, b->y, b->y + b->height, part);
    return fmax(part[1] - part[0], 0) * hypot(w->x1 - w->x0, w->y1 - w->y0);
}

/* What lies beneath name and line there, and a little for the distance. */
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
    pen_font(f->c, FONT, false);
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
