/* SPDX-License-Identifier: Apache-2.0 */
/* The points of a 2-D projection, class after class. */
#ifndef WGDN_CLI_PLOT_POINTS_H
#define WGDN_CLI_PLOT_POINTS_H

#include "chart/chart.h"

enum { POINT_NAME = 96, POINT_TAIL = 32 };

typedef struct points {
    const wgdn_dataset *d; /* ids, labels and their names */
    int64_t n;             /* nodes */
    int64_t count;         /* that are shown: node i n / count for i = 0, 1, ... */
    int64_t classes;
    int64_t *first;      /* classes + 2: where the points of a class begin among those below */
    double *across, *up; /* points, class after class, those without a label last */
    char (*id)[POINT_NAME];
    const char **label;   /* their ids, or NULL */
    chart_series *series; /* classes + 1 at most, one for each class that has points */
    char (*name)[POINT_NAME], (*tail)[POINT_TAIL]; /* of the series */
    int used;
} points;

int64_t points_node(const points *p, int64_t point);
/* Series of the places at (count x 2), with ids if asked; the largest 20 classes get colours of
 * their own. d, n and count are set. An exit code; what went wrong has been said. */
int points_sort(points *p, const float *at, bool ids);
void points_close(points *p);

#endif
