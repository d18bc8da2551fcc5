/* SPDX-License-Identifier: Apache-2.0 */
/* Axes in numbers, and pictures that have ink on them. */
#define _POSIX_C_SOURCE 200809L
#include "chart/chart.h"
#include "chart/scale.h"
#include "check.h"
#include "cli.h"
#include "scratch.h"

/* Ticks ascend, lie within, and have texts that differ and are short. */
static void check_ticks(const scale *s)
{
    CHECK(s->ticks >= 2);
    for (int i = 0; i < s->ticks; i++) {
        CHECK(scale_part(s, s->tick[i]) > -1e-6 && scale_part(s, s->tick[i]) < 1 + 1e-6);
        CHECK(strlen(s->text[i]) > 0 && strlen(s->text[i]) <= 8);
        if (i == 0) continue;
        CHECK(s->tick[i] > s->tick[i - 1]);
        CHECK(strcmp(s->text[i], s->text[i - 1]) != 0);
    }
}

static void ticks_of_any_range(void)
{
    static const double edge[] = {0,    1e-12, 3e-7, 0.001, 0.3,   1,    1.0001,
                                  17.3, 99,    1000, 12345, 7.7e6, 4e10, 1e15};
    const int count = sizeof edge / sizeof *edge;
    scale s;
    for (int i = 0; i < count; i++)
        for (int j = i; j < count; j++)
            for (int how = 0; how < 8; how++) {
                const double low = how & 4 ? -edge[j] : edge[i], high = edge[j];
                scale_fit(&s, low, high, how & 1, how & 2, 7);
                check_ticks(&s);
            }
}

static void known_ticks(void)
{
    scale s;
    scale_fit(&s, 0.8, 4.1, false, true, 4);
    CHECK(s.low == 0 && s.high == 5 && s.ticks == 6);
    CHECK_TEXT(s.text[0], "0");
    CHECK_TEXT(s.text[5], "5");
    scale_fit(&s, 0, 20000, false, false, 4);
    CHECK_TEXT(s.text[s.ticks - 1], "20k");
    scale_fit(&s, 0.82, 0.84, false, true, 4);
    CHECK_TEXT(s.text[1], "0.825");
    scale_fit(&s, 0.01, 100, true, false, 6);
    CHECK(s.log && s.ticks == 5);
    CHECK_TEXT(s.text[0], "0.01");
    CHECK_TEXT(s.text[4], "100");
    CHECK_NEAR(scale_part(&s, 1), 0.5, 1e-12);
    scale_fit(&s, 0, 100, true, false, 6); /* 0 has no logarithm */
    CHECK(!s.log);
    scale_fit(&s, INFINITY, -INFINITY, false, true, 5); /* no data */
    CHECK(s.low == 0 && s.high == 1);
}

#ifdef WGDN_HAVE_CAIRO
#include <cairo.h>

static const double xs[] = {0.1, 1, 10, 100}, ys[] = {1, 3, 2, 4}, es[] = {0.2, 0.1, NAN, 0.3};
static const char *const names[] = {"a", "a name that is far too long for its place", "c", "d"};

/* Every kind of series, names that are not text, a hole in the data. */
static chart everything(const chart_series *series, int count)
{
    return (chart){.title = "All of it \xff\n",
                   .subtitle = "and more of it than one line could ever hold, which is why it is "
                               "cut somewhere before the page ends, with an ellipsis, here at last",
                   .x_title = "x",
                   .y_title = "y",
                   .second_title = "z",
                   .series = series,
                   .count = count};
}

static int is_png(const char *path, int *ink)
{
    cairo_surface_t *s = cairo_image_surface_create_from_png(path);
    const int ok = cairo_surface_status(s) == CAIRO_STATUS_SUCCESS;
    const unsigned char *data = cairo_image_surface_get_data(s);
    const int64_t stride = ok ? cairo_image_surface_get_stride(s) : 0;
    const int width = ok ? cairo_image_surface_get_width(s) : 0;
    *ink = 0;
    for (int i = 0; ok && i < cairo_image_surface_get_height(s); i++)
        for (int j = 0; j < 4 * width; j += 4)
            *ink += memcmp(data + i * stride + j, "\xff\xff\xff", 3) != 0;
    cairo_surface_destroy(s);
    return ok ? width : 0;
}

static int starts_with(const char *path, const char *words)
{
    char start[8] = "";
    FILE *f = fopen(path, "rb");
    const size_t got = f ? fread(start, 1, strlen(words), f) : 0;
    if (f) fclose(f);
    return got == strlen(words) && memcmp(start, words, got) == 0;
}

static void check_pictures(const chart *c)
{
    const scratch_name png = scratch("a.png"), svg = scratch("a.svg"), pdf = scratch("a.pdf");
    int ink;
    CHECK(chart_write(c, png.text) == DONE);
    CHECK(chart_write(c, svg.text) == DONE);
    CHECK(chart_write(c, pdf.text) == DONE);
    CHECK(is_png(png.text, &ink) == 2 * (c->width ? c->width : 900));
    CHECK(ink > 1000);
    CHECK(starts_with(svg.text, "<?xml"));
    CHECK(starts_with(pdf.text, "%PDF-"));
}

static void all_kinds_and_formats(void)
{
    const chart_series lines[] = {
        {"line", CHART_LINE, 0, 4, xs, ys, es, true, true, false, false},
        {"dashed", CHART_LINE, 9, 4, xs, es, NULL, false, false, true, false},
        {"area \xc3", CHART_AREA, CHART_GREY, 4, xs, ys, NULL, false, false, false, true}};
    const chart_series bars[] = {
        {"one", CHART_BARS, 1, 4, NULL, ys, es, false, false, false, false},
        {"two", CHART_BARS, 2, 4, NULL, xs, NULL, false, false, false, false}};
    chart_series points[40];
    for (int i = 0; i < 40; i++) /* more than the legend has room for */
        points[i] = (chart_series){"class", CHART_POINTS, i - 2, 4, xs, ys, NULL, 0, 0, 0, 0};
    chart c = everything(lines, 3);
    c.log_x = true;
    check_pictures(&c);
    c = everything(bars, 2);
    c.group = names;
    c.groups = 4;
    c.width = 300;
    c.height = 240;
    check_pictures(&c);
    c = everything(points, 40);
    c.equal = true;
    check_pictures(&c);
    c.count = 0; /* nothing at all */
    check_pictures(&c);
    c.title = c.subtitle = NULL;
    c.equal = false;
    check_pictures(&c);
}
#endif

/* Bars that leave the panel are alike but for their numbers, white on the bar. */
static void cut_bars(void)
{
    static const double longer[] = {1, 12, 1, 1}, longest[] = {1, 12888, 1, 1};
    const scratch_name png = scratch("a.png");
    int few, many;
    chart_series bars = {"bars", CHART_BARS, 1, 4, NULL, longer, NULL, 0, 0, 0, 0};
    chart c = everything(&bars, 1);
    c.y_high = 1;
    CHECK(chart_write(&c, png.text) == DONE);
    CHECK(is_png(png.text, &few) > 0);
    bars.y = longest;
    CHECK(chart_write(&c, png.text) == DONE);
    CHECK(is_png(png.text, &many) > 0);
    CHECK(many < few - 20);
}

static void endings(void)
{
    CHECK(chart_check("a.jpeg") == USAGE);
    CHECK(chart_check(".png") == USAGE);
    CHECK(chart_check("a.png") == (chart_feature()->present ? DONE : FAILED));
}

int main(void)
{
    RUN(ticks_of_any_range);
    RUN(known_ticks);
#ifdef WGDN_HAVE_CAIRO
    scratch_begin();
    RUN(all_kinds_and_formats);
    RUN(cut_bars);
    scratch_end();
#endif
    RUN(endings);
    return check_result();
}
