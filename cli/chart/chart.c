/* SPDX-License-Identifier: Apache-2.0 */
/* A chart into a file: one drawing, three formats. */
#define _POSIX_C_SOURCE 200809L
#include "chart.h"
#include "cli.h"

#include <stdlib.h>
#include <string.h>

static const char *const endings[] = {".png", ".svg", ".pdf"};
typedef enum picture { PNG, SVG, PDF, PICTURES } picture;

static picture picture_of(const char *path)
{
    const size_t length = strlen(path);
    for (int i = 0; i < PICTURES; i++)
        if (length > 4 && strcmp(path + length - 4, endings[i]) == 0) return (picture)i;
    return PICTURES;
}

const wgdn_feature *chart_feature(void)
{
    static const wgdn_feature feature = {"cairo",
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
    const wgdn_feature *f = chart_feature();
    if (picture_of(path) == PICTURES) {
        complain("%s: a picture's name ends in .png, .svg or .pdf", path);
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

static cairo_status_t put(void *to, const unsigned char *data, unsigned int size)
{
    return fwrite(data, 1, size, to) == size ? CAIRO_STATUS_SUCCESS : CAIRO_STATUS_WRITE_ERROR;
}

static cairo_surface_t *surface_new(picture kind, double width, double height, FILE *to)
{
    cairo_surface_t *s = NULL;
    switch (kind) {
    case SVG: return cairo_svg_surface_create_for_stream(put, to, width, height);
    case PDF: return cairo_pdf_surface_create_for_stream(put, to, width, height);
    default: break;
    }
    s = cairo_image_surface_create(CAIRO_FORMAT_RGB24, 2 * (int)width, 2 * (int)height);
    cairo_surface_set_device_scale(s, 2, 2);
    return s;
}

static void draw(cairo_surface_t *s, const chart *c, double width, double height)
{
    frame f = {.c = cairo_create(s), .chart = c, .page_width = width, .page_height = height};
    pen_grey(f.c, 1);
    cairo_paint(f.c);
    frame_fit(&f);
    frame_draw(&f);
    series_draw(&f);
    frame_draw_axes(&f);
    cairo_destroy(f.c);
}

int chart_write(const chart *c, const char *path)
{
    const double width = c->width ? c->width : 900, height = c->height ? c->height : 600;
    const picture kind = picture_of(path);
    char *data = NULL;
    size_t size = 0;
    int code = chart_check(path);
    if (code != DONE) return code;
    FILE *to = open_memstream(&data, &size);
    if (!to) {
        complain("out of memory for a picture");
        return DOES_NOT_FIT;
    }
    cairo_surface_t *s = surface_new(kind, width, height, to);
    draw(s, c, width, height);
    if (kind == PNG) {
        const cairo_status_t written = cairo_surface_write_to_png_stream(s, put, to);
        if (written) code = FAILED;
    }
    cairo_surface_finish(s);
    if (cairo_surface_status(s) || fclose(to) != 0) code = FAILED;
    if (code != DONE)
        complain("%s: the picture could not be drawn: %s", path,
                 cairo_status_to_string(cairo_surface_status(s)));
    else
        code = deliver(path, data, size);
    cairo_surface_destroy(s);
    free(data);
    return code;
}

#else

int chart_write(const chart *c, const char *path)
{
    (void)c;
    return chart_check(path);
}

#endif
