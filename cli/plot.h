/* SPDX-License-Identifier: Apache-2.0 */
/* What the kinds of pictures share. */
#ifndef CLI_PLOT_H
#define CLI_PLOT_H

#include "chart/chart.h"
#include "cli.h"

/* A number for --json. */
typedef struct plot_figure {
    const char *name;
    double value;
    bool whole;
} plot_figure;

/* Each draws a picture and returns an exit code after printing what failed. */
int plot_projection(cli *c);
int plot_curve(cli *c);

/* The loss of a run by its epochs. */
typedef struct curve {
    double *epoch, *loss;
    int64_t count, room;
    double seconds; /* of the last line */
} curve;

int curve_read(curve *l, FILE *file, const char *path); /* adds the lines of a log */
int curve_draw(const cli *c, const curve *l,
               chart_series *s); /* a curve and a series per operand */

/* Writes the chart to the file of -o, then prints its name and these figures. */
int plot_finish(const cli *c, const chart *picture, const plot_figure *figure, int figures);
static inline int plot_no_memory(void)
{
    complain("out of memory for the numbers of the picture");
    return DOES_NOT_FIT;
}

#endif
