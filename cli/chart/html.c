/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes a chart as a self-contained HTML page without scripts; picture.c calls it. The page shows
 * the SVG that cairo drew. Above it are the points, each with its name as a <title>, which
 * browsers show on hover.
 */
#include "draw.h"
#include "terminal.h"

#include <string.h>

enum { TEXT = 512 };

typedef struct page {
    FILE *to;
    const chart *chart;
} page;

static void put_text(FILE *to, const char *words)
{
    char text[TEXT];
    show_cut(text, sizeof text, words, strlen(words));
    for (const char *at = text; *at; at++)
        switch (*at) {
        case '&': fputs("&amp;", to); break;
        case '<': fputs("&lt;", to); break;
        case '>': fputs("&gt;", to); break;
        case '"': fputs("&quot;", to); break;
        default: fputc(*at, to);
        }
}

static int byte_of(double part)
{
    return (int)(255 * part + 0.5);
}

static void put_fill(FILE *to, const double rgb[3])
{
    fprintf(to, " fill=\"#%02x%02x%02x\"", byte_of(rgb[0]), byte_of(rgb[1]), byte_of(rgb[2]));
}

/* The mark of series k, around 0, 0; points with shades bring their own color. */
static void put_mark(FILE *to, const chart *c, int k, double radius)
{
    double rgb[3], x[MARK_CORNERS], y[MARK_CORNERS];
    const int corners = mark_corners(x, y, c->series[k].color, radius);
    pen_rgb(rgb, c, c->series[k].color);
    fprintf(to, "<path id=\"m%d\"", k);
    if (!c->series[k].shade) put_fill(to, rgb);
    fputs(" d=\"", to);
    for (int i = 0; i < corners; i++)
        fprintf(to, "%c%.2f %.2f", i == 0 ? 'M' : 'L', x[i], y[i]);
    if (corners == 0)
        fprintf(to, "M%.2f 0a%.2f %.2f 0 1 1 %.2f 0a%.2f %.2f 0 1 1 %.2f 0", -radius, radius,
                radius, 2 * radius, radius, radius, -2 * radius);
    fputs("z\"/>\n", to);
}

static void put_point(void *user, const chart_series *s, int64_t i, double x, double y)
{
    const page *p = user;
    fprintf(p->to, "<use href=\"#m%d\" x=\"%.2f\" y=\"%.2f\"", (int)(s - p->chart->series), x, y);
    if (s->shade) {
        double rgb[3];
        pen_shade(rgb, s->shade[i]);
        put_fill(p->to, rgb);
    }
    fputc('>', p->to);
    if (s->label || s->name) fputs("<title>", p->to);
    if (s->label) put_text(p->to, s->label[i]);
    if (s->label && s->name) fputs(", ", p->to);
    if (s->name) put_text(p->to, s->name);
    fputs(s->label || s->name ? "</title></use>\n" : "</use>\n", p->to);
}

/* The stroke of a point is not seen but felt: small marks are easier to hit. */
static void put_head(FILE *to, const frame *f)
{
    const int paper = byte_of(pen_level(f->chart, 1)), ink = byte_of(pen_level(f->chart, 0));
    fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
          "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>",
          to);
    put_text(to, f->chart->title ? f->chart->title : "wgdn");
    fprintf(to,
            "</title>\n<style>\n"
            "body { margin: 0; background: #%02x%02x%02x; }\n"
            "svg { display: block; margin: auto; width: 100%%; height: auto; max-height: 100vh; }\n"
            ".points use { pointer-events: all; stroke-width: 3; }\n"
            ".points use:hover { stroke: #%02x%02x%02x; stroke-width: 1; }\n"
            "</style>\n</head>\n<body>\n",
            paper, paper, paper, ink, ink, ink);
}

void html_write(FILE *to, const frame *f, const char *svg, size_t size)
{
    static const char end[] = "</svg>";
    const char *from = strstr(svg, "<svg");
    size_t length = from ? size - (size_t)(from - svg) : 0;
    while (length >= sizeof end &&
           strncmp(from + length - (sizeof end - 1), end, sizeof end - 1) != 0)
        length--;
    put_head(to, f);
    if (length >= sizeof end) {
        fwrite(from, 1, length - (sizeof end - 1), to);
        const double radius = series_mark_radius(f);
        page p = {to, f->chart};
        fputs("<defs>\n", to);
        for (int k = 0; k < f->chart->count; k++)
            if (f->chart->series[k].kind == CHART_POINTS) put_mark(to, f->chart, k, radius);
        fputs("</defs>\n<g class=\"points\">\n", to);
        series_visit_points(f, put_point, &p);
        fputs("</g>\n", to);
        fputs("</svg>\n", to);
    }
    fputs("</body>\n</html>\n", to);
}
