/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The floor of an epoch: the products of its steps, as a tally counts them, by bare calls of the
 * dense engine and of the sparse product.
 */
#ifndef WGDN_BENCH_FLOOR_H
#define WGDN_BENCH_FLOOR_H

#include "model/model.h"

enum { FLOOR_SHAPES = 64 };

typedef struct floor_work {
    const wgdn_graph *graph;
    const wgdn_model_input *input;
    wgdn_last last;
    wgdn_tally_product shape[FLOOR_SHAPES];
    double times[FLOOR_SHAPES];
    int shapes;
    float *a, *b, *c;     /* large enough for any operand */
    double dense, sparse; /* seconds of the last measurement */
    double cpu;           /* the same in seconds of all threads together */
} floor_work;

void floor_open(floor_work *f, const wgdn_model *m, const wgdn_graph *g,
                const wgdn_model_input *in);
void floor_measure(floor_work *f); /* every shape once */
void floor_close(floor_work *f);

#endif
