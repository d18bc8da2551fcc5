/* SPDX-License-Identifier: Apache-2.0 */
/* Axes in numbers, and pictures that have ink on them. */
#define _GNU_SOURCE
#include "chart/chart.h"
#include "chart/ticks.h"
#include "check.h"
#include "cli.h"
#include "scratch.h"
#include "terminal.h"

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
#include "chart/draw.h"

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
    const scratch_name png = scratch("a.png"), svg = scratch("a.svg"), pdf = scratch("a.pdf"),
                       html = scratch("a.html");
    int ink;
    CHECK(chart_write(c, png.text) == DONE);
    CHECK(chart_write(c, svg.text) == DONE);
    CHECK(chart_write(c, pdf.text) == DONE);
    CHECK(is_png(png.text, &ink) == 2 * (c->width ? c->width : 900));
    CHECK(ink > 1000);
    CHECK(starts_with(svg.text, "<?xml"));
    CHECK(starts_with(pdf.text, "%PDF-"));
    CHECK(chart_write(c, html.text) == DONE);
    CHECK(starts_with(html.text, "<!DOC"));
}

static void all_kinds_and_formats(void)
{
    const chart_series lines[] = {{"line", .color = 0, .count = 4, .x = xs, .y = ys, .marks = 1},
                                  {"dashed", .color = 9, .count = 4, .x = xs, .y = es, .dashed = 1},
                                  {"area \xc3", .kind = CHART_AREA, .color = CHART_GREY, .count = 4,
                                   .x = xs, .y = ys, .second = 1}};
    chart_series points[40];
    for (int i = 0; i < 40; i++) /* more than the legend has room for */
        points[i] = (chart_series){"class", "(4)",   CHART_POINTS, i - 3,
                                   4,       .x = xs, .y = ys,      .label = names};
    chart c = everything(lines, 3);
    c.log_x = true;
    check_pictures(&c);
    c = everything(points, 40);
    c.equal = true;
    check_pictures(&c);
    c.dark = c.names = true;
    c.width = 200; /* no room for anything */
    c.height = 150;
    check_pictures(&c);
    c = everything(points, 0); /* nothing at all */
    c.equal = true;
    check_pictures(&c);
    c.title = c.subtitle = NULL;
    c.equal = false;
    check_pictures(&c);
}

/* sRGB to OKLab, where 0.1 is a difference that is seen at once. */
static void oklab(double lab[3], const double rgb[3])
{
    double l[3], cone[3];
    for (int i = 0; i < 3; i++)
        l[i] = rgb[i] <= 0.04045 ? rgb[i] / 12.92 : pow((rgb[i] + 0.055) / 1.055, 2.4);
    cone[0] = cbrt(0.4122214708 * l[0] + 0.5363325363 * l[1] + 0.0514459929 * l[2]);
    cone[1] = cbrt(0.2119034982 * l[0] + 0.6806995451 * l[1] + 0.1073969566 * l[2]);
    cone[2] = cbrt(0.0883024619 * l[0] + 0.2817188376 * l[1] + 0.6299787005 * l[2]);
    lab[0] = 0.2104542553 * cone[0] + 0.7936177850 * cone[1] - 0.0040720468 * cone[2];
    lab[1] = 1.9779984951 * cone[0] - 2.4285922050 * cone[1] + 0.4505937099 * cone[2];
    lab[2] = 0.0259040371 * cone[0] + 0.7827717662 * cone[1] - 0.8086757660 * cone[2];
}

/* Any two of twenty colors, the greys and the paper. */
static void colors_differ(void)
{
    for (int dark = 0; dark < 2; dark++) {
        const chart c = {.dark = dark};
        const double paper = pen_level(&c, 1), white[3] = {paper, paper, paper};
        double lab[CHART_DISTINCT + 3][3], rgb[3];
        for (int k = 0; k < CHART_DISTINCT + 2; k++) {
            pen_rgb(rgb, &c,
                    k < CHART_DISTINCT    ? k
                    : k == CHART_DISTINCT ? CHART_GREY
                                          : CHART_REST);
            oklab(lab[k], rgb);
        }
        oklab(lab[CHART_DISTINCT + 2], white);
        for (int i = 0; i < CHART_DISTINCT + 3; i++)
            for (int j = 0; j < i; j++) {
                const double a = lab[i][0] - lab[j][0], b = lab[i][1] - lab[j][1];
                CHECK(hypot(hypot(a, b), lab[i][2] - lab[j][2]) > 0.1);
            }
    }
}

/* All marks have about the same ink. */
static void marks_are_alike(void)
{
    double x[MARK_CORNERS], y[MARK_CORNERS];
    int corners[CHART_DISTINCT];
    for (int k = 0; k < CHART_DISTINCT; k++) {
        double area = 0;
        const int n = corners[k] = mark_corners(x, y, k, 1);
        for (int i = 0; i < n; i++)
            area += (x[i] * y[(i + 1) % n] - x[(i + 1) % n] * y[i]) / 2;
        CHECK(n == 0 ? k < 8 : area > 2.5 && area < 4.3);
    }
    CHECK(corners[8] == 4 && corners[9] == 3 && corners[10] == 4 && corners[11] == 12);
}

static size_t read_all(char *to, size_t size, const char *path)
{
    FILE *f = fopen(path, "rb");
    const size_t got = f ? fread(to, 1, size - 1, f) : 0;
    if (f) fclose(f);
    to[got] = '\0';
    return got;
}

/* Names in a page are text, whatever they hold; a point has its own and its class's. */
static void page_escapes(void)
{
    static const char *const labels[] = {"<b>&\"", "plain", "\xff", "d"};
    static char text[1 << 18];
    const scratch_name html = scratch("a.html");
    const chart_series points = {"x<y", NULL,    CHART_POINTS, 0,
                                 4,     .x = xs, .y = ys,      .label = labels};
    const chart c = {.title = "</title><script>", .equal = true, .series = &points, .count = 1};
    CHECK(chart_write(&c, html.text) == DONE);
    CHECK(read_all(text, sizeof text, html.text) > 0);
    CHECK(strstr(text, "<title>&lt;b&gt;&amp;&quot;, x&lt;y</title>") != NULL);
    CHECK(strstr(text, "<title>?, x&lt;y</title>") != NULL);
    CHECK(strstr(text, "<script") == NULL);
    CHECK(strstr(text, "</g>\n</svg>\n</body>\n</html>\n") != NULL);
}
#endif

static void cuts_in_the_middle(void)
{
    char out[16];
    show_cut(out, sizeof out, "short", 5);
    CHECK_TEXT(out, "short");
    show_cut(out, sizeof out, "from here to there", 18);
    CHECK_TEXT(out, "from h\xe2\x80\xa6 there");
    show_cut(out, sizeof out,
             "\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4", 18);
    CHECK_TEXT(out, "\xc3\xa4\xc3\xa4\xc3\xa4\xe2\x80\xa6\xc3\xa4\xc3\xa4\xc3\xa4");
    show_cut(out, sizeof out, "a\0\n\xffz", 5);
    CHECK_TEXT(out, "a???z");
}

static void endings(void)
{
    CHECK(chart_check("a.jpeg") == USAGE);
    CHECK(chart_check(".png") == USAGE);
    CHECK(chart_hovers("a.html") && !chart_hovers("html") && !chart_hovers("a.svg"));
    CHECK(chart_check("a.png") == (chart_feature()->present ? DONE : FAILED));
}

/* What a damaged log may say: the scale has a range, ticks within it, and comes to an end. */
static void ticks_of_wild_ranges(void)
{
    static const double edge[] = {-1.7e308, -1e17, 0, 5e-324, 1e-310, 1, 1e17, 1e300, 1.7e308};
    const int count = sizeof edge / sizeof *edge;
    scale s;
    for (int i = 0; i < count; i++)
        for (int j = i; j < count; j++)
            for (int how = 0; how < 4; how++) {
                scale_fit(&s, edge[i], edge[j], how & 1, how & 2, 7);
                CHECK(s.low < s.high && isfinite(s.low) && isfinite(s.high));
                for (int k = 0; k < s.ticks; k++)
                    CHECK(isfinite(s.tick[k]) && strlen(s.text[k]) > 0);
            }
}

int main(void)
{
    RUN(ticks_of_any_range);
    RUN(known_ticks);
    RUN(ticks_of_wild_ranges);
#ifdef WGDN_HAVE_CAIRO
    scratch_begin();
    RUN(all_kinds_and_formats);
    RUN(colors_differ);
    RUN(marks_are_alike);
    RUN(page_escapes);
    scratch_end();
#endif
    RUN(cuts_in_the_middle);
    RUN(endings);
    return check_result();
}
