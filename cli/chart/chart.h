/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A chart as data: one panel with lines or points, axes, a legend on the right and a title.
 * Everything is borrowed until chart_write() returns; numbers that are not finite are left out.
 */
#ifndef CLI_CHART_H
#define CLI_CHART_H

#include <stdbool.h>
#include <stdint.h>
#include <wgdn/wgdn.h>

typedef enum chart_kind {
    CHART_LINE,   /* through the points in the order given */
    CHART_AREA,   /* filled down to zero, beneath everything else */
    CHART_POINTS, /* one mark each; series share the top fairly where they overlap */
} chart_kind;

/*
 * Colors 0 .. 7 can be distinguished without red and green, 0 .. 19 by color and mark or dash. What
 * has the color CHART_REST shares one line of the legend.
 */
enum { CHART_GREY = -1, CHART_DARK = -2, CHART_REST = -3, CHART_DISTINCT = 20 };
enum { CHART_NAMES_MAX = 200 };

typedef struct chart_series {
    const char *name; /* in the legend, cut in the middle; NULL: not there */
    const char *tail; /* after the name, never cut; or NULL */
    chart_kind kind;
    int color; /* 0, 1, 2, ..., or one of the above */
    int64_t count;
    const double *x, *y;
    const char *const *label; /* of points: a name for each, or NULL */
    const double *shade;      /* of points: 0 .. 1 each, a place on the color bar; or NULL */
    bool marks;               /* of a line: a mark at each point */
    bool dashed;              /* of a line */
    bool second;              /* measured by the axis on the right */
} chart_series;

typedef struct chart {
    const char *title, *subtitle; /* or NULL */
    const char *x_title, *y_title, *second_title;
    bool log_x, log_y;
    bool equal;               /* a unit is as long across as up, and axes have no numbers */
    double y_low, y_high;     /* of the y axis; both 0: what the data needs */
    double bar_low, bar_high; /* of the color bar that shades refer to; both 0: there is none */
    const chart_series *series;
    int count;
    int width, height; /* 0: 900 x 600; a PNG has twice as many pixels either way */
    bool dark;         /* light on dark */
    bool names;        /* labels are drawn beside the points, if there are at most 60 */
} chart;

/* Checks the ending of the name and that cairo is built in. Returns an exit code. */
int chart_check(const char *path);
/* Writes a complete file or none. Returns an exit code after printing what failed. */
int chart_write(const chart *c, const char *path);
/* Whether the picture shows the label of a point that is pointed at: .html does. */
bool chart_hovers(const char *path);
/* Whether pictures are built in, and what brings them. Borrowed, static lifetime. */
const wgdn_build_feature *chart_feature(void);

#endif
