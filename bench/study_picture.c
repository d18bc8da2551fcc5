/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Two panels, one per kernel: error against noise, one line per filter, both axes logarithmic.
 * Errors are shown as multiples of the exact filter's, or all that matters would lie in one line's
 * width.
 */
#include "study.h"

#include <cairo.h>
#include <math.h>
#include <stdlib.h>

enum { WIDTH = 1240, HEIGHT = 550, LEFT = 80, TOP = 80, PANEL_W = 400, PANEL_H = 390, STEP = 480 };
static const double low = 1, high = 32; /* of the error axis */
enum { EXACT = 6 };                     /* among the filters */

/* In the order of drawing: what is most often beneath first. */
static const struct {
    int filter;
    double r, g, b, dash, width;
} lines[] = {
    {EXACT, 0.45, 0.80, 0.50, 0, 7}, {0, 0.45, 0.45, 0.45, 0, 2.5}, {1, 0.80, 0.15, 0.15, 0, 2.5},
    {2, 0.95, 0.65, 0.10, 6, 2.5},   {3, 0.95, 0.55, 0.00, 0, 2.5}, {4, 0.60, 0.35, 0.05, 2, 2.5},
    {5, 0.10, 0.40, 0.80, 0, 2.5},   {8, 0.35, 0.70, 0.95, 6, 2.5},
};
enum { LINES = sizeof lines / sizeof *lines };

typedef struct panel {
    cairo_t *c;
    double x, y;
    const study_results *r;
} panel;

static double across(const panel *p, double level)
{
    const double first = p->r->level[0], last = p->r->level[STUDY_LEVELS - 1];
    return p->x + PANEL_W * log(level / first) / log(last / first);
}

static double up(const panel *p, double error)
{
    const double e = fmin(fmax(error, low), high);
    return p->y + PANEL_H * (1 - log(e / low) / log(high / low));
}

/* Text whose left end (0), middle (0.5) or right end (1) is at x. */
static void text(cairo_t *c, double x, double y, double anchor, const char *words)
{
    cairo_text_extents_t size;
    cairo_text_extents(c, words, &size);
    cairo_move_to(c, x - anchor * size.width, y);
    cairo_show_text(c, words);
}

static void rule(cairo_t *c, double x0, double y0, double x1, double y1)
{
    cairo_set_source_rgb(c, 0.87, 0.87, 0.87);
    cairo_set_line_width(c, 1);
    cairo_move_to(c, x0, y0);
    cairo_line_to(c, x1, y1);
    cairo_stroke(c);
    cairo_set_source_rgb(c, 0.1, 0.1, 0.1);
}

static void axes(const panel *p, const char *title)
{
    char words[64];
    cairo_t *c = p->c;
    for (double e = low; e <= high; e *= 2) {
        rule(c, p->x, up(p, e), p->x + PANEL_W, up(p, e));
        snprintf(words, sizeof words, "%g", e);
        text(c, p->x - 10, up(p, e) + 5, 1, words);
    }
    for (int l = 0; l < STUDY_LEVELS; l++) {
        const double x = across(p, p->r->level[l]);
        rule(c, x, p->y, x, p->y + PANEL_H);
        snprintf(words, sizeof words, "%g", p->r->level[l]);
        text(c, x, p->y + PANEL_H + 22, 0.5, words);
    }
    snprintf(words, sizeof words, "smoothed by %s", title);
    text(c, p->x + PANEL_W / 2.0, p->y - 16, 0.5, words);
    text(c, p->x + PANEL_W / 2.0, p->y + PANEL_H + 48, 0.5, "noise, beta");
}

static void set_pen(cairo_t *c, int line)
{
    cairo_set_source_rgb(c, lines[line].r, lines[line].g, lines[line].b);
    cairo_set_line_width(c, lines[line].width);
    cairo_set_dash(c, &lines[line].dash, lines[line].dash > 0 ? 1 : 0, 0);
}

static void curves(const panel *p, int kernel)
{
    cairo_save(p->c);
    cairo_rectangle(p->c, p->x - 4, p->y - 4, PANEL_W + 8, PANEL_H + 8);
    cairo_clip(p->c);
    for (int i = 0; i < LINES; i++) {
        const double *e = p->r->error[kernel][lines[i].filter], *exact = p->r->error[kernel][EXACT];
        set_pen(p->c, i);
        for (int l = 0; l < STUDY_LEVELS; l++)
            cairo_line_to(p->c, across(p, p->r->level[l]), up(p, e[l] / exact[l]));
        cairo_stroke(p->c);
    }
    cairo_restore(p->c);
}

static void legend(cairo_t *c, const study_results *r)
{
    const double x = LEFT + 2 * STEP - 40;
    for (int i = 0; i < LINES; i++) {
        const double y = TOP + 30 + 30 * i;
        set_pen(c, i);
        cairo_move_to(c, x, y);
        cairo_line_to(c, x + 34, y);
        cairo_stroke(c);
        cairo_set_dash(c, NULL, 0, 0);
        cairo_set_source_rgb(c, 0.1, 0.1, 0.1);
        text(c, x + 44, y + 5, 0, r->filter[lines[i].filter]);
    }
}

void study_picture(const char *path, const study_results *r)
{
    cairo_surface_t *surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, WIDTH, HEIGHT);
    cairo_t *c = cairo_create(surface);
    cairo_set_source_rgb(c, 1, 1, 1);
    cairo_paint(c);
    cairo_select_font_face(c, "sans-serif", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL);
    cairo_set_font_size(c, 15);
    cairo_set_source_rgb(c, 0.1, 0.1, 0.1);
    text(c, LEFT - 40, 30, 0, "mean squared error, as a multiple of the exact Wiener filter's");
    for (int k = 0; k < STUDY_KERNELS; k++) {
        const panel p = {c, LEFT + k * STEP, TOP, r};
        axes(&p, r->kernel[k]);
        curves(&p, k);
    }
    legend(c, r);
    const cairo_status_t st = cairo_surface_write_to_png(surface, path);
    cairo_destroy(c);
    cairo_surface_destroy(surface);
    if (st == CAIRO_STATUS_SUCCESS) return;
    fprintf(stderr, "%s: %s\n", path, cairo_status_to_string(st));
    exit(EXIT_FAILURE);
}
