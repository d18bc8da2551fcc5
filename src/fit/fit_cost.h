/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WGDN_FIT_FIT_COST_H
#define WGDN_FIT_FIT_COST_H

#include "fit.h"

/* How fast this machine is at what the closed form does, measured in about two seconds. */
/* Seconds. */
typedef struct wgdn_rates {
    double product;     /* of a step of a series, for a non-zero of L and a column */
    double dense;       /* of a multiplication of a dense product */
    double pass;        /* of a number that is read, and written to memory that is new */
    double read, write; /* of a byte of a file */
} wgdn_rates;

/* Sizes of a fit of features, or of structure, and what they come to in memory: fit_cost.c. */
enum { WGDN_FIT_PROCESS = 24 << 20 }; /* program, libraries, and what the dense engine packs */

typedef struct wgdn_sizes {
    double n, entries, features, nonzeros, dim, k;
    double inner;  /* columns of features that are filtered, then mapped */
    double refine; /* epochs */
    bool structure, weighted, sparse;
    bool reduces; /* features are more than that */
    bool filters; /* by a scale that is given, before they are reduced, and not mapped then */
} wgdn_sizes;

#endif
