/* SPDX-License-Identifier: Apache-2.0 */
/* Parts of the program that makes the numbers of docs/explanation/spectral.md again. */
#ifndef WGDN_STUDY_H
#define WGDN_STUDY_H

#include <stdio.h>
#include <wgdn/wgdn.h>

/* Print the message and end the program unless the call went well. */
void study_must(wgdn_status status, const wgdn_error *err);

/* The extract tests/data/cora.txt: graph and dense features, nodes x width, from malloc. */
void study_read(wgdn_graph **graph, float **x, int64_t *width, const char *path);

/* One line of a chart: how a filter does at each noise level. */
enum { STUDY_LEVELS = 5, STUDY_FILTERS = 9, STUDY_KERNELS = 2 };
typedef struct study_results {
    double level[STUDY_LEVELS];
    const char *kernel[STUDY_KERNELS];
    const char *filter[STUDY_FILTERS];
    double error[STUDY_KERNELS][STUDY_FILTERS][STUDY_LEVELS];
} study_results;

void study_fits(FILE *out);                                   /* one-step against Remez */
void study_picture(const char *path, const study_results *r); /* PNG */

#endif
