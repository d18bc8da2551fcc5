/* SPDX-License-Identifier: Apache-2.0 */
/* The points of a 2-D projection, class after class. */
#ifndef CLI_PLOT_PROJECTION_H
#define CLI_PLOT_PROJECTION_H

#include "chart/chart.h"

enum { POINT_NAME = 96, POINT_TAIL = 32 };

typedef struct points {
    const wgdn_dataset *d; /* ids, labels and their names */
    int64_t n;             /* nodes */
    int64_t count;         /* that are shown: node i n / count for i = 0, 1, ... */
    int64_t classes;
    bool numeric;        /* labels are numbers: points have shades, and are all of one group */
    double low, high;    /* of the numbers, without the outermost hundredth at either end */
    int64_t *order;      /* the class of each group: 2 before 10, also within names */
    int64_t *group;      /* and the other way round */
    int64_t *first;      /* groups + 2: where the points of a group begin among those below */
    double *across, *up; /* points, group after group, those without a label last */
    double *shade;       /* of each, 0 .. 1, or NULL */
    char (*id)[POINT_NAME];
    const char **label;   /* their ids, or NULL */
    chart_series *series; /* groups + 1 at most, one for each that has points */
    char (*name)[POINT_NAME], (*tail)[POINT_TAIL]; /* of the series */
    int used;
} points;

#endif
