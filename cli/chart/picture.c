/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes a chart to a file as PNG, PDF, SVG or HTML, all from the same drawing code. The plot
 * commands fill in a chart and call it; draw.c draws with cairo.
 */
#define _POSIX_C_SOURCE 200809L
#include "chart.h"
#include "cli.h"
#include "process.h"

#include <stdlib.h>
#include <string.h>

static const char *const endings[] = {".png", ".svg", ".pdf", ".html"};
typedef enum picture { PNG, SVG, PDF, HTML, PICTURES } picture;

static picture picture_of(const char *path)
{
    const size_t length = strlen(path);
    for (int i = 0; i < PICTURES; i++) {
        const size_t size = strlen(endings[i]);
        if (length > size && strcmp(path + length - size, endings[i]) == 0) return (picture)i;
    }
    return PICTURES;
}

bool chart_hovers(const char *path)
{
    return picture_of(path) == HTML;
}

const wgdn_build_feature *chart_feature(void)
{
    static const wgdn_build_feature feature = {"cairo",
#ifdef WGDN_HAVE_CAIRO
                                               1,
#else
                                               0,
#endif
                                               "pictures", "libcairo2-dev"};
    return &feature;
}

int chart_check(const char *path)
{
    const wgdn_build_feature *f = chart_feature();
    if (picture_of(path) == PICTURES) {
        complain("%s: a picture's name ends in .png, .svg, .pdf or .html", path);
        return USAGE;
    }
    if (f->present) return DONE;
    complain("this build has no %s: install %s and build again", f->purpose, f->package);
    return FAILED;
}

#ifdef WGDN_HAVE_CAIRO

#include "draw.h"
#include <cairo-pdf.h>
#include <cairo-svg.h>

static const char fixed_date[] = "2000-01-01T00:00:00Z"; /* the same bytes on any day */

static cairo_status_t put(void *to, const unsigned char *data, unsigned int size)
{
    return fwrite(data, 1, size, to) == size ? CAIRO_STATUS_SUCCESS : CAIRO_STATUS_WRITE_ERROR;
}

static cairo_surface_t *surface_new(picture kind, const frame *f, FILE *to)
{
    const double width = f->page_width, height = f->page_height;
    cairo_surface_t *s = NULL;
    switch (kind) {
    case SVG:
    case HTML: return cairo_svg_surface_create_for_stream(put, to, width, height);
    case PDF:
        s = cairo_pdf_surface_create_for_stream(put, to, width, height);
        cairo_pdf_surface_set_metadata(s, CAIRO_PDF_METADATA_CREATE_DATE, fixed_date);
        return s;
    default: break;
    }
    s = cairo_image_surface_create(CAIRO_FORMAT_RGB24, 2 * (int)width, 2 * (int)height);
    cairo_surface_set_device_scale(s, 2, 2);
    return s;
}

static void draw(frame *f, cairo_surface_t *s)
{
    f->c = cairo_create(s);
    pen_grey(f, 1);
    cairo_paint(f->c);
    frame_fit(f);
    frame_draw(f);
    series_draw(f);
    if (f->chart->names) names_draw(f);
    frame_draw_axes(f);
    cairo_destroy(f->c);
    f->c = NULL;
}

/* The frame keeps its measures. False when cairo or the stream failed, with the reason in `why`. */
static bool draw_file(frame *f, picture kind, FILE *to, const char **why)
{
    cairo_surface_t *s = surface_new(kind, f, to);
    cairo_status_t st = CAIRO_STATUS_SUCCESS;
    f->no_points = kind == HTML;
    draw(f, s);
    if (kind == PNG) st = cairo_surface_write_to_png_stream(s, put, to);
    cairo_surface_finish(s);
    if (!st) st = cairo_surface_status(s);
    *why = cairo_status_to_string(st);
    cairo_surface_destroy(s);
    return st == CAIRO_STATUS_SUCCESS;
}

/* The page around an SVG, in its place. */
static bool wrap(held *m, const frame *f)
{
    held page;
    if (!held_open(&page)) return false;
    html_write(page.to, f, m->data, m->size);
    const bool whole = held_close(&page);
    free(m->data);
    *m = page;
    return whole;
}

int chart_write(const chart *c, const char *path)
{
    frame f = {.chart = c,
               .page_width = c->width ? c->width : 900,
               .page_height = c->height ? c->height : 600};
    const picture kind = picture_of(path);
    const char *why = "out of memory";
    held m = {.to = NULL};
    int code = chart_check(path);
    if (code != DONE) return code;
    const bool drawn = held_open(&m) && draw_file(&f, kind, m.to, &why);
    const bool whole = held_close(&m) && drawn && (kind != HTML || wrap(&m, &f));
    if (whole)
        code = deliver(path, m.data, m.size);
    else {
        complain("%s: the picture could not be drawn: %s", path, drawn ? "out of memory" : why);
        code = FAILED;
    }
    free(m.data);
    return code;
}

#else

int chart_write(const chart *c, const char *path)
{
    (void)c;
    return chart_check(path);
}

#endif
